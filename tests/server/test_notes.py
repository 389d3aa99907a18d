"""What the works of a store say is told when it is asked for, and only where there is a store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_schema_validator import OAS31Validator
from tests.server.asking import House
from tests.server.conftest import NewHouse

from yanli.corpus.anchoring import anchor_works, rites_of
from yanli.corpus.segment import read_text
from yanli.corpus.store import Store, pack
from yanli.notation.rite import load_rite
from yanli.render.beside import clause_words
from yanli.render.staging_notes import notes_json

WORDS = "主人坐取爵于上篚以降"
# The beginning of the section 主人獻賓, as its words stand in the score, with two notes upon it.
WORK = """五禮通考 (四庫全書本)/卷1

　　主人坐取爵于上篚以降〈注將獻賓也敖氏繼公曰此爵獻賓之爵也〉賓降〈注從主人也〉主人阼階前西面坐奠爵興辭降〈注重以主人事煩賓也〉賓對主人坐取爵興
　　適洗南面坐奠爵于篚下盥洗〈注盥手又洗爵致潔敬也〉
"""


def put(path: Path, name: str, words: str) -> None:
    """Take a work into a store, anchored to the rite that is asked for."""
    rite = load_rite("xiangshe")
    with Store.open(path) as store:
        store.add(pack(words.encode(), read_text(words.encode(), name, family="inline")))
        for _ in anchor_works(store, store.names(), rites_of({rite.slug: clause_words(rite)})):
            pass


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("corpus") / "c.sqlite"
    put(path, "first", WORK)
    return path


def said(data: Any, clause: dict[str, Any]) -> list[tuple[str, str]]:  # noqa: ANN401 - JSON
    """Who says what of a clause."""
    notes = [data["notes"][number] for number in clause.get("notes", [])]
    return [(data["speakers"][note["speaker"]]["name"], note["text"]) for note in notes]


def test_what_is_said_of_a_rite_is_told(new_house: NewHouse, corpus: Path) -> None:
    answer = new_house(corpus=corpus).get("/api/notes?rite=鄉射禮")
    assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
    rite = load_rite("xiangshe")
    with Store.open(corpus) as store:
        assert answer.body == notes_json(rite, store)
    assert len(answer.data()["clauses"]) == len(rite.clauses)


def test_what_is_said_of_some_words_is_told(new_house: NewHouse, corpus: Path) -> None:
    house = new_house(corpus=corpus)
    data = house.get(f"/api/notes?rite=xiangshe&clause={WORDS}").data()
    (clause,) = data["clauses"]
    assert said(data, clause) == [("鄭玄", "將獻賓也"), ("敖繼公", "此爵獻賓之爵也")]
    # 賓降 stands more than once.
    found = [house.get(f"/api/notes?rite=xiangshe&clause=賓降&nth={nth}").data()["clauses"] for nth in (1, 2)]
    assert found[0] != found[1]


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("clause=子曰學而時習之", 404, "unknown-words"),
        (f"clause={WORDS}&nth=99", 404, "unknown-words"),
        (f"clause={WORDS}&nth=0", 400, "bad-value"),
        ("rite=孔子", 404, "unknown-rite"),
        ("school=敖繼公", 400, "unknown-parameter"),
        ("corpus=/etc/passwd", 400, "unknown-parameter"),
    ],
)
def test_what_cannot_be_had_is_told(new_house: NewHouse, corpus: Path, query: str, status: int, code: str) -> None:
    answer = new_house(corpus=corpus).get(f"/api/notes?{query}")
    assert (answer.status, answer.error()["code"]) == (status, code)


def test_without_a_store_it_is_said_how_to_have_one(house: House) -> None:
    answer = house.get("/api/notes?rite=xiangshe")
    assert (answer.status, answer.error()["code"]) == (404, "no-store")
    assert "--db" in answer.error()["known"]


def test_the_page_is_told_whether_it_can_ask(house: House, new_house: NewHouse, corpus: Path) -> None:
    assert house.get("/").status == 200
    assert b"yanli-notes" not in house.get("/").body
    assert b'id="yanli-notes"></script>' in new_house(corpus=corpus).get("/").body


def test_another_store_is_another_answer(new_house: NewHouse, tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    put(path, "first", WORK)
    house = new_house(corpus=path)
    target = f"/api/notes?rite=xiangshe&clause={WORDS}"
    first = house.get(target)
    assert house.get(target, if_none_match=first.headers["etag"]).status == 304
    # Others stay as they are.
    stage = house.get("/api/state?rite=xiangshe&after=" + WORDS).headers["etag"]
    put(path, "second", WORK.replace("此爵獻賓之爵也", "此爵實之以獻賓者也今始取之于上篚焉"))
    then = house.get(target, if_none_match=first.headers["etag"])
    assert then.status == 200
    assert {work["name"] for work in then.data()["works"]} == {"first", "second"}
    assert house.get("/api/state?rite=xiangshe&after=" + WORDS).headers["etag"] == stage


def test_a_store_that_is_gone_or_is_none_is_told_without_its_place(new_house: NewHouse, tmp_path: Path) -> None:
    path = tmp_path / "secret" / "c.sqlite"
    path.parent.mkdir()
    put(path, "first", WORK)
    house = new_house(corpus=path)
    assert house.get("/api/notes?rite=xiangshe").status == 200
    path.write_bytes(b"This is no store. " * 100)
    for each in path.parent.glob("*-*"):
        each.unlink()
    broken = house.get("/api/notes?rite=xiangshe")
    path.unlink()
    gone = house.get("/api/notes?rite=xiangshe")
    for answer, code in ((broken, "bad-store"), (gone, "no-store")):
        assert answer.error()["code"] == code
        assert str(tmp_path).encode() not in answer.plain()
        assert b"secret" not in answer.plain()
    assert house.get("/api/health").status == 200


def test_a_rite_of_ones_own_that_nothing_is_said_of_has_no_notes(
    new_house: NewHouse, corpus: Path, tmp_path: Path
) -> None:
    (tmp_path / "own.pu").write_text("## 甲 · one\n\n甲乙丙丁\n    主人 立 洗南\n", encoding="utf-8")
    data = new_house(corpus=corpus, own=[tmp_path / "own.pu"]).get("/api/notes?rite=own").data()
    assert (data["notes"], len(data["clauses"])) == ([], 1)


def test_the_answer_is_as_described(new_house: NewHouse, corpus: Path) -> None:
    house = new_house(corpus=corpus)
    described = house.get("/openapi.json").data()
    told = described["paths"]["/api/notes"]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    validator = OAS31Validator({**told, "components": described["components"]})
    assert [fault.message for fault in validator.iter_errors(house.get("/api/notes?rite=xiangshe").data())] == []
    assert [*validator.iter_errors({"notes": []})]
