"""What is said of the clauses, as data for the page: all of it, once, in order, in the shape that the page expects."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from yanli.corpus.anchoring import anchor_works, rites_of
from yanli.corpus.beside import beside
from yanli.corpus.emendation import propose, review
from yanli.corpus.segment import read_text
from yanli.corpus.store import Store, pack
from yanli.notation.model import Rite
from yanli.notation.rite import find_words, load_rite
from yanli.render.beside import clause_words
from yanli.render.staging_notes import NotesData, notes_data, notes_json

Doc = dict[str, Any]
SCORE = """## 獻 · offer

主人坐取爵于上篚以降
    主人 坐，取 爵 于 上篚，興
賓降
    賓 降
主人阼階前西面坐奠爵興辭降
    主人 立 阼階前 西面
賓對
    賓 對
主人坐取爵興適洗南面坐奠爵于篚下盥洗
    主人 盥
"""
FIRST = """五禮通考 (四庫全書本)/卷1

　　主人坐取爵于上篚以降〈注將獻賓也疏將獻賓也者欲見下文敖氏繼公曰此爵獻賓之爵也〉賓降〈注從主人也〉主人阼階前西面坐奠爵興辭降〈注重以主人事煩
　　賓也〉賓對主人坐取爵興適洗南面坐奠爵于篚下盥洗〈注盥手又洗爵致潔敬也〉
"""
# Written first, said last: the later man stands before the earlier one.
SECOND = """五禮通考 (四庫全書本)/卷2

　　主人坐取爵于上篚以降〈張氏爾岐曰上篚堂上之篚也朱子曰此無所考〉賓降〈注從主人〉主人阼階前西面坐奠爵興辭降〈注重以主人事煩賓〉賓對主人坐取爵
　　興適洗南面坐奠爵于篚下盥洗〈注盥手又洗爵〉
"""


@pytest.fixture(scope="module")
def rite(tmp_path_factory: pytest.TempPathFactory) -> Rite:
    """A rite of five clauses."""
    path = tmp_path_factory.mktemp("rite") / "one.pu"
    path.write_text(SCORE, encoding="utf-8")
    return load_rite(path)


@pytest.fixture(scope="module")
def store(rite: Rite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store of two works on it."""
    with Store.open(tmp_path_factory.mktemp("store") / "s") as made:
        for name, words in (("first", FIRST), ("second", SECOND)):
            made.add(pack(words.encode(), read_text(words.encode(), name, family="inline")))
        for _ in anchor_works(made, made.names(), rites_of({rite.slug: clause_words(rite)})):
            pass
        yield made


def said(data: NotesData, numbers: list[int]) -> list[tuple[str, str, str]]:
    """Layer, who speaks, and the beginning of what he says."""
    notes = [data.notes[number] for number in numbers]
    return [(note.layer, data.speakers[note.speaker].name, note.text[:3]) for note in notes]


def test_what_is_said_of_a_clause_stands_by_layer_and_by_time(rite: Rite, store: Store) -> None:
    data = notes_data(rite, store)
    assert said(data, data.clauses[0].notes) == [
        ("注", "鄭玄", "將獻賓"),
        ("疏", "賈公彥", "將獻賓"),
        ("論", "朱熹", "此無所"),
        ("論", "敖繼公", "此爵獻"),
        ("論", "張爾岐", "上篚堂"),
    ]
    assert {each.name: each.era for each in data.speakers}["朱熹"] == "宋"


def test_a_note_that_two_works_have_is_told_once_with_both(rite: Rite, store: Store) -> None:
    data = notes_data(rite, store)
    (number,) = data.clauses[1].notes
    note = data.notes[number]
    assert note.text == "從主人也"
    assert [data.works[place.work].name for place in note.places] == ["first", "second"]
    assert [(each.words, each.reading) for each in note.places[1].changes] == [("也", "")]
    assert [place.line for place in note.places] == [3, 3]
    assert sum(each.text.startswith("從主人") for each in data.notes) == 1


def test_a_clause_without_an_old_note_is_led_to_the_next(rite: Rite, store: Store) -> None:
    data = notes_data(rite, store)
    assert data.clauses[3].notes == []
    assert said(data, data.clauses[3].after) == [("注", "鄭玄", "盥手又")]
    assert data.notes[data.clauses[3].after[0]].last == data.clauses[4].clause
    assert data.clauses[0].after == []


def test_of_some_clauses_only_these_are_told(rite: Rite, store: Store) -> None:
    whole, part = notes_data(rite, store), notes_data(rite, store, find_words(rite, "賓降"))
    assert [each.clause for each in part.clauses] == [whole.clauses[1].clause]
    assert said(part, part.clauses[0].notes) == said(whole, whole.clauses[1].notes)
    assert len(part.notes) == 1
    assert [each.name for each in part.works] == ["first", "second"]


# ── the true sources ────────────────────────────────────────────────────────────────────────────────────────────────

TYPEDEF = re.compile(r"@typedef \{object\} (\w+)(.*?)\*/", re.DOTALL)
DAMAGED = "&KR0238;"
PROPERTY = re.compile(r"@property (\{(?:[^{}]|\{[^{}]*\})*\}) (\[?)(\w+)")


@pytest.fixture(scope="module")
def known() -> Rite:
    return load_rite("xiangshe")


@pytest.fixture(scope="module")
def sources(shared: Path, known: Rite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """What three of the sources, one of them damaged, and the witnesses say of one rite, one word of it emended."""
    found = [*sorted(shared.glob("sources/00[013]*.txt")), *sorted(shared.glob("witnesses/*_005.txt"))]
    if len(found) < 4:
        pytest.skip(f"needs the sources and witnesses of {shared}, which are not here")
    with Store.open(tmp_path_factory.mktemp("store") / "s") as made:
        for path in found:
            made.add(pack(path.read_bytes(), read_text(path.read_bytes(), path.name)))
        for _ in anchor_works(made, made.names(), rites_of({known.slug: clause_words(known)})):
            pass
        text = made.text("KR1d0026_005.txt").text
        at = text.index(DAMAGED)
        one = propose(text, at, at + len(DAMAGED), "漆", author="甲", reason="字書無")
        made.propose("KR1d0026_005.txt", [review(one, accept=True, reviewer="阮元", reason="釋文作漆")])
        yield made


@pytest.fixture(scope="module")
def doc(sources: Store, known: Rite) -> Doc:
    told: Doc = json.loads(notes_json(known, sources))
    return told


def test_every_object_has_the_properties_that_the_page_expects(doc: Doc, root: Path) -> None:
    text = (root / "src" / "yanli" / "web" / "types.js").read_text(encoding="utf-8")
    shapes = {name: PROPERTY.findall(body) for name, body in TYPEDEF.findall(text)}
    lists = {"Note": doc["notes"], "NoteVariant": doc["variants"], "ClauseNotes": doc["clauses"]}
    lists |= {"NotesDoc": [doc], "NotePlace": [place for note in doc["notes"] for place in note["places"]]}
    for name, items in lists.items():
        must = {key for _, opened, key in shapes[name] if not opened}
        may = {key for _, _, key in shapes[name]}
        assert items, name
        for item in items:
            assert must <= set(item) <= may, name
        # What nothing ever has would be told in vain.
        assert set().union(*items) == may, name


def test_all_that_the_store_has_is_there_once(doc: Doc, sources: Store, known: Rite) -> None:
    every = beside(sources, clause_words(known))
    assert [each["clause"] for each in doc["clauses"]] == [each.clause for each in every]
    for clause, found in zip(doc["clauses"], every, strict=True):
        told = sorted(doc["notes"][number]["text"] for number in clause.get("notes", []))
        # A note that stands right under the clause is there too, whatever it speaks of.
        here = [note for note in found.notes if "after" not in clause]
        assert told == sorted(saying.text for saying in (*found.sayings, *here))
        assert len(clause.get("after", [])) == len(found.notes) - len(here)
        assert ("after" in clause) == ("at" in clause)
        quoting = sorted(doc["notes"][number]["text"] for number in clause.get("references", []))
        assert quoting == sorted(saying.text for saying in found.references)
    texts = {
        (saying.layer.value, saying.text, saying.first)
        for each in every
        for saying in (*each.sayings, *each.notes, *each.references)
    }
    assert {(note["layer"], note["text"], note["first"]) for note in doc["notes"]} == texts
    assert any(clause.get("references") for clause in doc["clauses"])


def test_numbers_lead_to_what_is_there(doc: Doc) -> None:
    ids = {each["clause"] for each in doc["clauses"]}
    for note in doc["notes"]:
        assert {note["first"], note["last"]} <= ids
        assert -1 <= note.get("speaker", -1) < len(doc["speakers"])
        assert all(0 <= place["work"] < len(doc["works"]) for place in note["places"])
    for clause in doc["clauses"]:
        assert all(0 <= n < len(doc["notes"]) for n in (*clause.get("notes", []), *clause.get("after", [])))
        assert all(0 <= n < len(doc["variants"]) for n in clause.get("variants", []))


def test_layers_follow_one_another_and_nobody_stands_before_an_older(doc: Doc) -> None:
    order = ["注", "音", "疏", "論", "案", "譯"]
    groups = [min(order.index(note["layer"]), 4 if note["layer"] == "譯" else 3) for note in doc["notes"]]
    assert groups == sorted(groups)
    dynasties = "漢唐宋元明清"
    for group in set(groups):
        eras = [
            doc["speakers"][note["speaker"]]["era"]
            for note, one in zip(doc["notes"], groups, strict=True)
            if one == group and "speaker" in note
        ]
        known = [dynasties.index(era) for era in eras if era is not None]
        assert known == sorted(known)


def test_it_is_small_enough_to_be_sent_about(doc: Doc, sources: Store, known: Rite) -> None:
    packed = gzip.compress(notes_json(known, sources), 9)
    assert len(doc["notes"]) > 800
    assert len(packed) < 300_000


def test_the_words_of_the_sources_are_told_as_they_stand(doc: Doc, known: Rite) -> None:
    """鄭玄 on how the guest is called, as every edition has it, and 敖繼公 on the same."""
    (clause,) = (str(each.id) for each in find_words(known, "主人朝服乃速賓"))
    (told,) = (each for each in doc["clauses"] if each["clause"] == clause)
    notes = {doc["speakers"][doc["notes"][n]["speaker"]]["name"]: doc["notes"][n] for n in told["notes"]}
    assert notes["鄭玄"]["text"].startswith("速召也")
    assert "今郡國行此鄉射禮" in notes["鄭玄"]["text"]
    assert "朝服" in notes["敖繼公"]["text"]
    assert {"儀禮集說"} == {doc["works"][place["work"]]["title"] for place in notes["敖繼公"]["places"]}
    assert len(notes["鄭玄"]["places"]) > 1


def test_what_was_emended_is_told_with_what_stands_in_the_work(doc: Doc) -> None:
    found = [place["emended"] for note in doc["notes"] for place in note["places"] if "emended" in place]
    assert found == [[{"found": DAMAGED, "words": "漆", "reviewer": "阮元", "reason": "釋文作漆"}]]
    (note,) = (note for note in doc["notes"] if any("emended" in place for place in note["places"]))
    assert note["text"] in {"髤赤黒漆也", "髤赤黑漆也"}


def test_what_is_damaged_and_not_emended_is_counted(doc: Doc) -> None:
    """Read in the file: the end of a run read out of step, and two readings in brackets stand in it."""
    (note,) = (note for note in doc["notes"] if note["text"].startswith("貉圆回炚?"))
    assert "爲(wèi)侯" in note["text"]
    assert note["text"].count("(wèi)") == 2
    assert note["places"][0]["damaged"] == 3
    works = {
        doc["works"][place["work"]]["name"][:3]
        for each in doc["notes"]
        for place in each["places"]
        if "damaged" in place
    }
    assert "003" in works
    assert works <= {"003", "KR1"}


def test_the_clause_behind_which_the_next_notes_stand_is_told(doc: Doc) -> None:
    # Behind 賓出迎再拜主人答再拜乃請 stands the first note: it speaks of 主人戒賓 and on.
    clauses = {each["clause"]: each for each in doc["clauses"]}
    assert "主人州長也" in {doc["notes"][number]["text"][:5] for number in clauses["xiangshe.1.5"]["notes"]}
    # 賓禮辭許 has no note of its own; the next stands behind 賓送再拜.
    assert clauses["xiangshe.1.6"]["at"] == "xiangshe.1.10"
