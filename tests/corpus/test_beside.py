"""What is said of a clause stands beside it; a remark belongs to the rite of which it speaks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from yanli.corpus.anchoring import anchor_works, rites_of
from yanli.corpus.belonging import belonging
from yanli.corpus.beside import beside
from yanli.corpus.model import Layer
from yanli.corpus.segment import read_text
from yanli.corpus.store import Store, pack
from yanli.notation.rite import list_rites, load_rite

ONE = [
    ("one.1.1", "主人坐取爵于上篚以降"),
    ("one.1.2", "賓降"),
    ("one.1.3", "主人阼階前西面坐奠爵興辭降"),
    ("one.1.4", "賓對"),
    ("one.1.5", "主人坐取爵興適洗南面坐奠爵于篚下盥洗"),
]
FIRST = """五禮通考 (四庫全書本)/卷1

　　主人坐取爵于上篚以降〈注將獻賓也疏將獻賓也者欲見下文〉賓降〈注從主人也〉主人阼階前西面坐奠爵興辭降〈注重以主人事煩賓也〉賓對主人坐取爵興
　　適洗南面坐奠爵于篚下盥洗〈注盥手又洗爵致潔敬也〉
"""
SECOND = """五禮通考 (四庫全書本)/卷2

　　主人坐取爵于上篚以降〈敖氏繼公曰此爵獻賓之爵也〉賓降〈注從主人〉主人阼階前西面坐奠爵興辭降〈注重以主人事煩賓〉賓對主人坐取爵興適洗南面
　　坐奠爵于篚下盥洗〈注盥手又洗爵〉
"""


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store of two works on one rite, anchored."""
    made = Store.open(tmp_path / "s")
    for name, words in (("first", FIRST), ("second", SECOND)):
        made.add(pack(words.encode(), read_text(words.encode(), name, family="inline")))
    counts = {each.name: each.anchors for each in anchor_works(made, made.names(), rites_of({"one": ONE}))}
    # 注 注 注 注 and one 疏; 敖 and three 注.
    assert counts == {"first": 5, "second": 4}
    return made


def test_what_is_said_of_a_clause_stands_by_layer(store: Store) -> None:
    with store:
        first = beside(store, ONE, ["one.1.1"])
    assert [each.clause for each in first] == ["one.1.1"]
    said = [(each.layer, each.speaker, each.text) for each in first[0].sayings]
    assert said == [
        (Layer.note, "鄭玄", "將獻賓也"),
        (Layer.subnote, "賈公彥", "將獻賓也者欲見下文"),
        (Layer.remark, "敖繼公", "此爵獻賓之爵也"),
    ]


def test_a_remark_that_two_works_have_is_one_saying_with_its_differences(store: Store) -> None:
    with store:
        (found,) = beside(store, ONE, ["one.1.3"])
    (note,) = (each for each in found.sayings if each.layer is Layer.note)
    assert note.text == "重以主人事煩賓也"
    assert [where.work for where in note.works] == ["first", "second"]
    assert note.works[0].changes == ()
    assert [(change.words, change.reading) for change in note.works[1].changes] == [("也", "")]
    # Third line of the file.
    assert {where.line for where in note.works} == {3}


def test_a_clause_without_a_note_has_that_to_its_stretch(store: Store) -> None:
    with store:
        every = {each.clause: each for each in beside(store, ONE)}
    assert list(every) == [clause for clause, _ in ONE]
    assert every["one.1.4"].sayings == ()
    assert {(note.text, note.last) for note in every["one.1.4"].notes} == {("盥手又洗爵致潔敬也", "one.1.5")}
    assert every["one.1.1"].notes == ()


def test_nothing_is_beside_a_rite_that_nobody_speaks_of(store: Store) -> None:
    with store:
        (found,) = beside(store, [("other.1.1", "君與卿圖事")])
    assert found.sayings == ()
    with Store.open(store.path) as again:
        assert beside(again, []) == []


def test_a_remark_belongs_to_the_rite_whose_words_it_stands_among() -> None:
    other = [("two.1.1", "主人坐取爵于上篚以降"), ("two.1.2", "賓西階前東面坐奠爵興辭降主人對賓坐取爵適洗北面盥洗")]
    text = read_text(FIRST.encode(), "first", family="inline")
    # Of few sentences both are: the first clause, which both have, is of both; what is only in one, of that.
    found = belonging(text, {"one": ONE, "two": other})
    assert len(found["one"]) == 5
    assert {anchor.first for anchor in found.get("two", ())} <= {"two.1.1"}


@pytest.mark.parametrize(
    ("file", "rites"),
    [
        ("sources/000_8715d8bcf1027071.txt", {"xiangshe"}),
        ("sources/003_8fdd919a1a2de942.txt", {"xiangshe"}),
        ("witnesses/KR1d0026_004.txt", {"xiangyinjiu"}),
        ("witnesses/KR1d0038_007.txt", {"dashe"}),
    ],
)
def test_each_work_belongs_to_its_own_rite(file: str, rites: set[str], shared: Callable[..., Path]) -> None:
    path = shared(*file.split("/"))
    text = read_text(path.read_bytes(), path.name)
    every = {
        head.slug: [(str(clause.id), clause.text) for clause in load_rite(head.slug).clauses] for head in list_rites()
    }
    found = belonging(text, {slug: clauses for slug, clauses in every.items() if len(clauses) > 500})
    assert set(found) == rites
    (anchors,) = found.values()
    assert len(anchors) >= 0.98 * len(text.remarks)
