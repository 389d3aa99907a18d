"""Emending: words are found where they are said to be, across lines and scripts, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from yanli.corpus.emendation import (
    Emendation,
    called,
    emend,
    emended,
    key_of,
    load_emendations,
    overlapping,
    plain,
    propose,
    readable,
    review,
    reviewed,
)
from yanli.corpus.model import Proposal
from yanli.errors import RiteError

TEXT = "画五正之侯中朱次白\n次苍(次黄/)玄居外二正\n去白苍而画以朱录\n再画以朱录"


def correction(line: int, found: str, emended: str) -> Emendation:
    """One emendation with nothing but its place and words."""
    return Emendation(line=line, found=found, emended=emended, kind="訛", by="編者", reason="某", reason_en="so")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("畫以朱錄", "画以朱录"),  # scripts
        ("賔于西階", "賓於西阶"),  # shapes and interchangeable words
        ("用布四丈(上个\n/)", "用布四丈上个"),  # notes, lines, marks
        ("<pb:KR1d0026_SBCK_007-1a>¶\n大射&KR0764;儀", "大射仪"),
        ("節(jié)者", "節者"),  # a reading that a copy has put in
    ],
)
def test_quotations_are_compared_without_script_shape_and_marks(one: str, other: str) -> None:
    assert plain(one) == plain(other)


def test_a_correction_is_made_in_its_own_line_only() -> None:
    text = emend(TEXT, [correction(3, "畫以朱錄", "畫以朱綠")])
    assert text == plain("畫五正之侯中朱次白次蒼次黃玄居外二正去白蒼而畫以朱綠再畫以朱錄")


def test_words_may_run_into_the_next_line_and_corrections_do_not_shift_one_another() -> None:
    text = emend(
        TEXT, [correction(1, "次白次蒼", "次白次青次蒼"), correction(4, "再畫", "又畫"), correction(2, "二正去", "去")]
    )
    assert text == plain("畫五正之侯中朱次白次青次蒼次黃玄居外去白蒼而畫以朱錄又畫以朱錄")


def test_every_correction_whose_words_are_not_there_is_told_with_its_line() -> None:
    with pytest.raises(RiteError) as told:
        emend(
            TEXT,
            [correction(1, "畫以朱錄", "畫以朱綠"), correction(9, "再", "又"), correction(2, "", "又")],
            "copy.txt",
        )
    assert [(finding.code, str(finding.span)) for finding in told.value.findings] == [
        ("not-there", "copy.txt:1:1"),
        ("not-there", "copy.txt:9:1"),
        ("not-there", "copy.txt:2:1"),
    ]


def test_a_file_that_is_no_file_of_emendations_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "emendations.toml"
    path.write_text('source = "考索"\n\n[[emendation]]\nline = 1\nfound = "某"\n', encoding="utf-8")
    with pytest.raises(RiteError, match=r"emendations\.toml.*emended"):
        load_emendations(path)


FOUND = "儀禮?卷第十?"


def proposed(start: int, end: int, words: str, author: str = "甲") -> Proposal:
    """A proposal for `FOUND`."""
    return propose(FOUND, start, end, words, author=author, reason="某")


def accepted(each: Proposal) -> Proposal:
    return review(each, accept=True, reviewer="乙", reason="從")


def test_a_key_is_of_the_place_the_words_and_the_author_alone() -> None:
    one = proposed(2, 3, "疏")
    others = [proposed(2, 3, "義"), proposed(6, 7, "疏"), proposed(2, 3, "疏", author="丙"), proposed(2, 2, "疏")]
    assert len({key_of(each) for each in (one, *others)}) == 5
    assert key_of(accepted(one)) == key_of(one)
    assert all(each.isalpha() and each.isascii() for each in map(key_of, others))
    assert called([one, *others], key_of(others[2])[:5]) == others[2]
    for strange in ("", "1", key_of(one)[:3], key_of(one) + "b"):
        with pytest.raises(RiteError, match="no proposal is called"):
            called([one, *others], strange)


def test_what_overlaps_is_found_and_nothing_beside_it() -> None:
    within, around, beside, before = (
        accepted(each)
        for each in (proposed(2, 3, "疏"), proposed(1, 3, "禮疏"), proposed(3, 4, "巻"), proposed(2, 2, "之"))
    )
    assert overlapping([within, beside, before]) == []
    assert emended(FOUND, readable([within, beside, before])) == "儀禮之疏巻第十?"
    assert overlapping([within, around, beside]) == [(around, within)]
    assert readable([within, around, beside]) == (beside,)
    # Where two put something in at one place nobody has said which comes first.
    other = accepted(proposed(2, 2, "經"))
    assert len(overlapping([before, other])) == 1
    with pytest.raises(RiteError) as told:
        reviewed([before, proposed(2, 2, "經")], [key_of(other)], [], reviewer="乙", reason="從")
    assert [finding.code for finding in told.value.findings] == ["overlap"]
    assert key_of(before) in told.value.findings[0].cause


def test_one_is_not_accepted_and_rejected_at_once() -> None:
    one = proposed(2, 3, "疏")
    with pytest.raises(RiteError, match="at once"):
        reviewed([one], [key_of(one)], [key_of(one)], reviewer="乙", reason="從")
