"""The spelling of a source, and matching words whatever their shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import opencc
import pytest

from yanli.corpus.collate import collate
from yanli.corpus.copies import copy_of
from yanli.corpus.folding import fold_search
from yanli.corpus.model import Layer
from yanli.corpus.segment import read_text
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


# Read in the notes of 四部叢刊, 句讀, 集說, 通考 and 義疏, each beside the same words of another of them.
SHAPES = (
    "將将 來来 惠恵 蓋盖 高髙 初𥘉 隸𨽻 慎愼 遠逺 劫刼 著着 法灋 插挿 插揷 幹榦 獲𫉬 狹狭 但伹 久乆 視眡 "
    "嘆歎 啗㗖 黑黒 蒞涖 褻䙝 鱉鼈 兔兎 上丄 冢冡 溉漑 恥耻 裝装 繩䋲 併倂 并幷 鬭鬬 鬭闘 總㹅 姻婣 達逹 "
    "貌皃 寧寜 回囬 統綂 巡廵 聮聨 埽掃 往徃 專専 凡凢 曾曽 會㑹 聽聴"
)
# In the same notes: other words, slips, and words that stand for one another.
WORDS = (
    "于於 惟唯 一壹 媵騰 梱捆 未末 榭謝 及反 孰熟 潔絜 懈解 修脩 纁薫 夾央 干豻 毋母 官宫 處虚 撻橽 屨屡 "
    "併并 尤猶 岐歧 偶耦 勸歡 折析 帳張 塗涂 綱網 苟茍 把杷 儗擬 膊膞 庭廷 揖楫 束東"
)


@pytest.mark.parametrize("pair", SHAPES.split())
def test_shapes_of_one_character_are_one(pair: str) -> None:
    one, other = pair[0], pair[1]
    assert fold_graphic(one) == fold_graphic(other)
    assert fold_search(one) == fold_search(other)


@pytest.mark.parametrize("pair", WORDS.split())
def test_other_words_are_no_shapes(pair: str) -> None:
    one, other = pair[0], pair[1]
    assert fold_graphic(one) != fold_graphic(other)


def test_every_shape_is_found_in_either_script() -> None:
    to_simplified = opencc.OpenCC("t2s").convert
    for regular, variants in folds().graphic.items():
        found = {fold_search(character) for character in (regular, to_simplified(regular), *variants)}
        assert len(found) == 1, (regular, variants, found)


def test_the_notes_of_two_editions_differ_by_words_and_not_by_shapes(shared: Callable[..., Path]) -> None:
    """鄭玄's notes on 鄉射禮 in 四部叢刊 and 句讀: none of what differs in a character is a shape of the same one."""
    copies = []
    for work in ("KR1d0026_005", "KR1d0038_005"):
        path = shared("witnesses", f"{work}.txt")
        copies.append(copy_of(read_text(path.read_bytes(), path.name), work, Layer.note))
    found = collate(copies[0].text, copies[1].text, copies[1].gaps, base_gaps=copies[0].gaps)
    pairs = Counter((d.words, d.reading) for d in found if d.kind == "異文" and len(d.words) == len(d.reading) == 1)
    shapes = Counter((d.words, d.reading) for d in found if d.kind == "字形")
    assert not {frozenset(pair) for pair in pairs} & {frozenset(pair) for pair in SHAPES.split()}
    # 於于 for one another, and the slips of either, are words still; 將 is printed 将, 來 来, 初 𥘉.
    assert {("未", "末"), ("及", "反")} & set(pairs) or {("末", "未"), ("反", "及")} & set(pairs)
    assert {("將", "将"), ("來", "来"), ("𥘉", "初")} <= set(shapes)


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
    more = tmp_path / "more.toml"
    table.write_text('[graphic]\n"賓" = "賔"\n', encoding="utf-8")
    more.write_text('[graphic]\n"賓" = "宾"\n', encoding="utf-8")
    assert load_folds(table, more).graphic == {"賓": "賔宾"}
    more.write_text('[graphic]\n"貧" = "賔"\n', encoding="utf-8")
    with pytest.raises(RiteError, match="賔 stands in two places"):
        load_folds(table, more)
    table.write_text('[graphic]\n"賓" = ""\n[interchangeable]\n', encoding="utf-8")
    with pytest.raises(RiteError, match="at least one"):
        load_folds(table)
