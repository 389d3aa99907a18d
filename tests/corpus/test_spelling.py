"""The spelling of a source, and matching words whatever their shape."""

from __future__ import annotations

from pathlib import Path

import pytest

from yanli.corpus.spelling import (
    Departure,
    Head,
    Spelling,
    find,
    fold,
    fold_graphic,
    fold_same_length,
    folds,
    load_folds,
    load_spelling,
    rite_spelling,
    sha256,
)
from yanli.errors import RiteError


def spelling(regular: str, source: str, *departures: Departure) -> Spelling:
    head = Head(
        rite="試",
        source="試",
        regular_length=len(regular),
        regular_sha256=sha256(regular),
        source_length=len(source),
        source_sha256=sha256(source),
    )
    return Spelling(text=head, departures=departures)


def departure(kind: str, source: str, regular: str, *at: int) -> Departure:
    return Departure(source=source, regular=regular, kind=kind, reason="試", witnesses=(), at=at)  # type: ignore[arg-type]


def test_source_is_spelt_again_character_for_character(source_canon: str) -> None:
    table = rite_spelling("xiangshe")
    regular = table.to_regular(source_canon)
    assert sha256(regular) == table.text.regular_sha256
    assert len(regular) == table.text.regular_length
    assert table.to_source(regular) == source_canon


def test_score_gives_the_source_by_hash_alone(score_canon: str) -> None:
    table = rite_spelling("xiangshe")
    if len(score_canon) < table.text.regular_length:
        pytest.skip(f"the score of 鄉射禮 has {len(score_canon)} of {table.text.regular_length} characters as yet")
    assert sha256(table.to_source(score_canon)) == table.text.source_sha256


def test_every_departure_of_the_source_is_reasoned_and_borne_out() -> None:
    table = rite_spelling("xiangshe")
    corrections = [row for row in table.departures if row.kind != "字形"]
    assert {row.regular: len(row.at) for row in corrections} == {
        "弦": 6, "雎": 1, "再": 1, "八": 1, "繼": 1, "大": 2, "射降": 1, "面": 1, "冪": 1
    }  # fmt: skip
    assert all(row.witnesses == ("鄭", "句", "集") for row in corrections)
    assert all(row.reason and row.at == tuple(sorted(set(row.at))) for row in table.departures)
    assert all(fold_graphic(row.source) == row.regular for row in table.departures if row.kind == "字形")


def test_all_kinds_of_departure_can_be_undone() -> None:
    table = spelling(
        "右執弦卒射降眾賓",
        "右執卒降射者衆賓",
        departure("脫", "", "弦", 2),
        departure("倒", "降射", "射降", 4),
        departure("衍", "者", "", 6),
        departure("字形", "衆", "眾", 6),
    )
    assert table.to_source("右執弦卒射降眾賓") == "右執卒降射者衆賓"
    assert table.to_regular("右執卒降射者衆賓") == "右執弦卒射降眾賓"


def test_another_text_is_refused() -> None:
    table = rite_spelling("xiangshe")
    with pytest.raises(RiteError, match="not the regular text"):
        table.to_source("鄉射之禮")
    with pytest.raises(RiteError, match="not the source"):
        table.to_regular("鄉射之禮")
    with pytest.raises(RiteError, match="does not stand at offset 1"):
        spelling("眾賓", "衆賓", departure("字形", "衆", "眾", 1)).to_source("眾賓")


def test_missing_and_malformed_spellings_are_explained(tmp_path: Path) -> None:
    with pytest.raises(RiteError, match=r"no spelling\.toml"):
        rite_spelling("no-such-rite")
    broken = tmp_path / "spelling.toml"
    broken.write_text('[text]\nrite = "試"\n', encoding="utf-8")
    with pytest.raises(RiteError, match=r"spelling\.toml"):
        load_spelling(broken)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("賔", "賓"),
        ("于", "於"),
        ("衆", "眾"),
        ("荅", "答"),
        ("筭", "算"),
        ("𥘵", "袒"),
        ("太師", "大師"),
        ("郤", "卻"),
    ],
)
def test_words_match_whatever_their_shape(one: str, other: str) -> None:
    assert fold(one).text == fold(other).text


def test_folding_keeps_the_way_back() -> None:
    text = "賔，升！　實爵\n于席"
    folded = fold(text)
    assert folded.text == "賓升實爵于席"
    start, end = folded.original(1, 5)
    assert text[start:end] == "升！　實爵\n于"


def test_words_are_found_across_punctuation() -> None:
    text = "賓升，實爵。賔升實爵"
    assert [text[start:end] for start, end in find("賔、升實", text)] == ["賓升，實", "賔升實"]
    assert find("，", text) == []
    assert find("介", text) == []
    assert find("射射", "射射射") == [(0, 2), (1, 3)]


def test_only_shapes_are_folded_for_collation() -> None:
    assert fold_graphic("賔於，") == "賓於，"
    assert fold_same_length("賔於，") == "賓于，"


def test_different_words_stay_apart() -> None:
    for pair in ("入八", "說脫", "壹一", "既繼", "弦玄", "睢雎"):
        assert fold(pair[0]).text != fold(pair[1]).text


def test_no_character_of_the_table_stands_twice(tmp_path: Path) -> None:
    assert folds().graphic["賓"] == "賔"
    table = tmp_path / "variants.toml"
    table.write_text('[graphic]\n"賓" = "賔"\n"貧" = "賔"\n[interchangeable]\n', encoding="utf-8")
    with pytest.raises(RiteError, match="賔 stands in two places"):
        load_folds(table)
    table.write_text('[graphic]\n"賓" = ""\n[interchangeable]\n', encoding="utf-8")
    with pytest.raises(RiteError, match="at least one"):
        load_folds(table)
