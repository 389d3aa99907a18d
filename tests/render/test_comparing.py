"""What of one work stands in another: what is quoted, and not what the rite says again and again."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from yanli.corpus.anchor import anchor
from yanli.corpus.model import Anchor, Layer, Text
from yanli.corpus.segment import read_text
from yanli.notation.rite import load_rite
from yanli.render.comparing import quotations_of

SHARED = Path(__file__).resolve().parents[3] / "shared"
Side = tuple[Text, tuple[Anchor, ...]]


@pytest.fixture(scope="module")
def clauses() -> dict[str, list[tuple[str, str]]]:
    """The clauses of the rite that both works are about."""
    return {"xiangyinjiu": [(str(clause.id), clause.text) for clause in load_rite("xiangyinjiu").clauses]}


def read(path: str, clauses: dict[str, list[tuple[str, str]]]) -> Side:
    """A work of those that the project was made from, anchored."""
    file = SHARED / path
    if not file.is_file():
        pytest.skip(f"{file} is not here: this test needs the texts that the project was made from")
    text = read_text(file.read_bytes(), file.name)
    return text, anchor(text, clauses["xiangyinjiu"])


@pytest.fixture(scope="module")
def later(clauses: dict[str, list[tuple[str, str]]]) -> Side:
    """The 義疏, from 主人降席自南方 on to the end of the rite."""
    return read("sources/001_1abec086cc532a3a.txt", clauses)


@pytest.fixture(scope="module")
def oldest(clauses: dict[str, list[tuple[str, str]]]) -> Side:
    """The oldest edition of canon and notes, all of the rite; 主人降席自南方 is on its leaf 11."""
    return read("witnesses/KR1d0026_004.txt", clauses)


def leaves(one: Side, other: Side, clauses: dict[str, list[tuple[str, str]]]) -> list[tuple[int, str]]:
    """The leaf of the other work on which each passage of the canon stands, and its words."""
    found = quotations_of(one[0], other[0], (one[1], other[1]), clauses, [Layer.canon])
    return [(leaf_of(each.other.page), each.one.words) for each in found.passages]


def leaf_of(page: str | None) -> int:
    """``004-11a`` is on the eleventh leaf."""
    assert page is not None
    return int(page.split("-")[1][:-1])


def test_what_the_rite_says_again_is_no_quotation_of_another_section(
    later: Side, oldest: Side, clauses: dict[str, list[tuple[str, str]]]
) -> None:
    # What the later work has begins on leaf 11: whatever of its canon is found further up is only said alike.
    free = leaves((later[0], ()), (oldest[0], ()), {})
    assert [words for leaf, words in free if leaf < 11 and "坐奠觯" in words]
    held = leaves(later, oldest, clauses)
    assert held
    assert not [words for leaf, words in held if leaf < 11]
    # What truly stands there is found still: the words of the two who raise the cup, on the leaf of theirs.
    assert [leaf for leaf, words in held if words == "坐奠觯遂拜执觯兴宾介席末答拜"] == [13, 13]
    # And it goes through the rite in one direction.
    assert [leaf for leaf, _ in held] == sorted(leaf for leaf, _ in held)


def test_it_is_the_same_where_only_one_of_the_two_is_anchored(
    later: Side, oldest: Side, clauses: dict[str, list[tuple[str, str]]]
) -> None:
    held = leaves(later, oldest, clauses)
    assert leaves(later, (oldest[0], ()), clauses) == held
    bare = msgspec.structs.replace(oldest[0], remarks=())
    assert leaves(later, (bare, ()), clauses) == held


def test_a_note_quoted_at_another_clause_is_a_quotation_all_the_same(
    later: Side, oldest: Side, clauses: dict[str, list[tuple[str, str]]]
) -> None:
    found = quotations_of(later[0], oldest[0], (later[1], oldest[1]), clauses, [Layer.note, Layer.remark])
    # Said at 鄉樂唯欲, at the end, by the old note; and by it at 乃合樂, where the songs are sung (leaf 10).
    songs = [each for each in found.passages if each.one.words.startswith("小雅为诸侯之乐大雅颂为天子之乐")]
    assert 10 in {leaf_of(each.other.page) for each in songs}


def test_of_a_reference_it_is_not_known_what_is_said_there(
    later: Side, oldest: Side, clauses: dict[str, list[tuple[str, str]]]
) -> None:
    ids = [clause for clause, _ in clauses["xiangyinjiu"]]
    there = [
        Anchor(remark=a.remark, rite=a.rite, first=ids[0], last=ids[0], confidence=0.9, how="reference")
        for a in later[1]
    ]
    with_them = (later[0], (*later[1], *there))
    assert leaves(with_them, oldest, clauses) == leaves(later, oldest, clauses)
    found = [quotations_of(side[0], oldest[0], (side[1], oldest[1]), clauses) for side in (later, with_them)]
    assert found[0] == found[1]
