"""Collation, and the variants recorded for 鄉射禮."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yanli.corpus.collate import Difference, apply, collate
from yanli.corpus.kanripo import Gap, read_file
from yanli.corpus.spelling import rite_spelling
from yanli.corpus.variants import Witness, rite_variants

VARIANTS = rite_variants("xiangshe")


def kinds(base: str, other: str, *gaps: Gap) -> list[tuple[str, int, str, str]]:
    return [(d.kind, d.start, d.words, d.reading) for d in collate(base, other, gaps)]


def test_each_kind_of_difference() -> None:
    assert kinds("主人答再拜", "主人答拜") == [("脫", 3, "再", "")]
    assert kinds("勝者先升堂", "勝者先升升堂") in ([("衍", 3, "", "升")], [("衍", 4, "", "升")])
    assert kinds("實八算于中", "實入算于中") == [("異文", 1, "八", "入")]
    assert kinds("卒射降釋獲者", "卒降射釋獲者") == [("倒", 1, "射降", "降射")]
    assert kinds("司射升請射", "升司射請射") == [("倒", 0, "司射升", "升司射")]
    assert kinds("眾賓答拜", "衆賔荅拜") == [("字形", 0, "眾", "衆"), ("字形", 1, "賓", "賔"), ("字形", 2, "答", "荅")]
    assert kinds("同", "同") == []


def test_interchangeable_words_are_marked() -> None:
    found = collate("適于西階既", "適於西階即")
    assert [(d.words, d.interchangeable) for d in found] == [("于", True), ("既", False)]


def test_a_lost_page_is_a_lost_page() -> None:
    before, lost, after = (
        "主人坐取爵于上篚以降賓降主人",
        "阼階前西面坐奠爵興辭降賓對主人坐取爵興適洗南面坐",
        "奠爵于篚下盥洗",
    )
    gaps = [Gap("005-7a", len(before), "empty"), Gap("005-7b", len(before), "missing")]
    (found,) = collate(before + lost + after, before + after, gaps)
    assert (found.kind, found.words, found.pages) == ("佚葉", lost, ("005-7a", "005-7b"))
    # a variant hard by the loss is told apart from it; without a lost page nothing is laid to one
    assert kinds(before + lost + after, before[:-2] + "王人" + after, *gaps) == [
        ("異文", len(before) - 2, "主", "王"),
        ("佚葉", len(before), lost, ""),
    ]
    assert {kind for kind, *_ in kinds(before + lost + after, before + after)} == {"脫"}


def test_an_empty_page_without_loss_is_nothing() -> None:
    assert collate("主人答再拜", "主人答再拜", [Gap("005-7a", 3, "empty")]) == []


@given(st.text("主人眾衆賓賔射降于於", max_size=40), st.text("主人眾衆賓賔射降于於", max_size=40), st.integers(0, 40))
def test_differences_turn_one_text_into_the_other(base: str, other: str, gap: int) -> None:
    gaps = [Gap("1-1a", min(gap, len(other)), "empty")]
    differences = collate(base, other, gaps)
    assert apply(base, differences) == other
    assert all(base[d.start : d.end] == d.words for d in differences)
    assert all(other[d.other : d.other + len(d.reading)] == d.reading for d in differences)


@pytest.fixture(scope="module")
def regular(source_canon: str) -> str:
    return rite_spelling("xiangshe").to_regular(source_canon)


@pytest.fixture(scope="module")
def against(regular: str, shared: Callable[..., Path]) -> Callable[[Witness], list[Difference]]:
    """Give what collates a witness with the regular text."""

    def run(witness: Witness) -> list[Difference]:
        layer = read_file(shared("witnesses", witness.file), witness.profile)
        return collate(regular, layer.text, layer.gaps)

    return run


@pytest.mark.parametrize("witness", VARIANTS.witnesses, ids=lambda witness: witness.siglum)
def test_variants_are_complete_and_no_more(against: Callable[[Witness], list[Difference]], witness: Witness) -> None:
    found = against(witness)
    recorded = {
        (row.kind, at, row.words, row.reading, row.pages, row.interchangeable)
        for row in VARIANTS.variants
        for at in row.at
        if witness.siglum in row.witnesses and row.kind not in {"今文", "古文"}
    }
    assert recorded == {
        (d.kind, d.start, d.words, d.reading, d.pages, d.interchangeable) for d in found if d.kind != "字形"
    }
    shapes = Counter((d.words, d.reading) for d in found if d.kind == "字形")
    assert shapes == {(row.words, row.reading): row.count for row in VARIANTS.shapes if row.witness == witness.siglum}


def test_lost_leaves_are_lost_and_not_differences(against: Callable[[Witness], list[Difference]]) -> None:
    lost = {
        witness.siglum: [(d.start, len(d.words), d.pages) for d in against(witness) if d.kind == "佚葉"]
        for witness in VARIANTS.witnesses
    }
    assert lost == {
        "鄭": [(1135, 105, ("005-7a", "005-7b")), (4209, 76, ("005-23b",)), (6541, 61, ("005-37a", "005-37b"))],
        "句": [],
        "集": [],
    }


def test_variants_speak_of_this_text(regular: str) -> None:
    spelling = rite_spelling("xiangshe")
    assert VARIANTS.text.regular_sha256 == spelling.text.regular_sha256
    assert VARIANTS.text.regular_length == len(regular)
    for row in VARIANTS.variants:
        assert all(regular[at : at + len(row.words)] == row.words for at in row.at), row
        assert row.context.replace("［", "").replace("］", "") in regular or row.kind == "佚葉", row


def test_old_texts_are_reported_with_their_remark() -> None:
    old = [row for row in VARIANTS.variants if row.kind in {"今文", "古文"}]
    assert all(row.note.startswith("鄭玄: ") and row.witnesses for row in old)
    assert {("今文", "豫", "序"), ("古文", "盥", "浣"), ("今文", "厭", "揖")} <= {
        (row.kind, row.words, row.reading) for row in old
    }
