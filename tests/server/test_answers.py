"""What is answered is what the engine plays; made once, kept, and bounded."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from openapi_schema_validator import OAS31Validator
from openapi_spec_validator import validate
from tests.server.asking import PATIENCE, Answer, House
from tests.server.conftest import NewHouse

from yanli.rehearsal import rehearse
from yanli.render.catalogue import catalogue
from yanli.render.difference import difference
from yanli.render.staging import stage_json
from yanli.render.why import why_event
from yanli.server import work
from yanli.server.limits import Limits
from yanli.server.questions import QUESTIONS, Wish

WORDS = "皆當其物北面揖"


def made(house: House) -> int:
    """How many answers have been made in processes."""
    return int(house.app.state.desk.crew.made)


# ── the same as everywhere ──────────────────────────────────────────────────────────────────────────────────────────


def test_a_performance_is_the_one_that_the_engine_plays(house: House) -> None:
    answer = house.get("/api/stage?rite=鄉射禮&set=大夫=2&set=勝=左&school=敖繼公&reading=戒服=鄭玄")
    performance = rehearse("xiangshe", sets=["大夫=2", "勝=左"], school="敖繼公", readings=["戒服=鄭玄"])
    assert answer.status == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.body == stage_json(performance)


def test_events_are_those_of_the_contract(house: House) -> None:
    performance = rehearse("xiangshe")
    everything = house.get("/api/events").data()
    assert everything == [msgspec.to_builtins(performance.data(event)) for event in performance.events]
    part = house.get("/api/events?from=請射&to=射事畢&actor=司馬").data()
    chosen = performance.chosen("請射", "射事畢", "司馬")
    assert [event["n"] for event in part] == [event.n for event in chosen]


def test_a_state_is_that_of_the_words(house: House) -> None:
    performance = rehearse("xiangshe", sets=["眾耦=1"])
    for nth in (1, 2):
        answer = house.get(f"/api/state?set=眾耦=1&after={WORDS}&nth={nth}")
        assert answer.data() == json.loads(json.dumps(performance.state(WORDS, nth)))


def test_an_event_tells_where_it_comes_from(house: House) -> None:
    found = why_event(rehearse("xiangshe"), 57)
    assert house.get("/api/why?event=57").data() == msgspec.to_builtins(found)


def test_a_difference_is_that_of_two_performances(house: House) -> None:
    one, other = rehearse("xiangshe", sets=["大夫=0"]), rehearse("xiangshe", sets=["大夫=0"], school="敖繼公")
    answer = house.get("/api/difference?set=大夫=0&against.set=大夫=0&against.school=敖繼公")
    assert answer.data() == json.loads(msgspec.json.encode(difference(one, other)))
    assert answer.data()["clauses"]


def test_a_performance_differs_from_itself_in_nothing(house: House) -> None:
    assert house.get("/api/difference?set=大夫=0&against.set=大夫=0").data()["clauses"] == []


def test_the_rites_are_listed(house: House) -> None:
    assert house.get("/api/rites").data() == msgspec.to_builtins(catalogue())


# ── refusals ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("target", "status", "code", "near"),
    [
        ("/api/stage?rite=鄉射", 200, "", ""),
        ("/api/stage?rite=鄉射體", 404, "unknown-rite", "鄉射禮"),
        ("/api/stage?set=大父=2", 422, "unknown-key", "大夫"),
        ("/api/stage?set=所=序序", 422, "bad-value", "序"),
        ("/api/stage?set=大夫=many", 422, "bad-value", ""),
        ("/api/stage?set=大夫=-1", 422, "bad-value", ""),
        ("/api/stage?set=大夫=" + "9" * 5000, 422, "bad-value", ""),
        ("/api/stage?set=眾賓=99999999999999999999", 422, "bad-value", ""),
        ("/api/stage?set=眾賓=3&set=眾耦=9", 422, "too-few", ""),
        ("/api/stage?set=庭廣=25", 422, "bad-measure", "25米"),
        ("/api/stage?set=庭深=99999999999米", 422, "bad-measure", ""),
        ("/api/stage?set=庭深=" + "9" * 5000 + "米", 422, "bad-measure", ""),
        ("/api/stage?set=尺=1/0米", 422, "bad-measure", "周尺"),
        ("/api/stage?set=階=99999999等", 422, "bad-measure", "三等"),
        ("/api/stage?school=敖繼", 422, "unknown-school", "敖繼公"),
        ("/api/stage?reading=戒服=我", 422, "unknown-reading", "敖繼公"),
        ("/api/stage?reading=戒福=鄭玄", 422, "unknown-crux", "戒服"),
        ("/api/state?after=子曰學而時習之", 404, "unknown-words", ""),
        (f"/api/state?after={WORDS}&nth=999", 404, "not-played", ""),
        ("/api/why?event=999999999", 404, "unknown-event", ""),
        ("/api/events?actor=孔子", 404, "unknown-role", ""),
        ("/api/events?from=子曰", 404, "unknown-words", ""),
        ("/api/difference?against.school=孔子", 422, "unknown-school", ""),
        ("/api/stag", 404, "no-such-path", ""),
        ("/api/stage/", 404, "no-such-path", ""),
        ("//api/stage", 404, "no-such-path", ""),
    ],
)
def test_what_cannot_be_had_is_told(house: House, target: str, status: int, code: str, near: str) -> None:
    answer = house.get(target)
    assert answer.status == status
    if status != 200:
        error = answer.error()
        assert error["code"] == code or not code
        assert near in "、".join(error["nearest"])
        assert answer.headers["cache-control"] == "no-store"


def test_every_fault_of_a_scenario_is_told(house: House) -> None:
    error = house.get("/api/stage?set=大父=2&set=大夫=x&set=所=海").error()
    assert sorted(finding["code"] for finding in error["findings"]) == ["bad-value", "bad-value", "unknown-key"]
    assert {key: error[key] for key in ("code", "cause")} == {
        key: error["findings"][0][key] for key in ("code", "cause")
    }


def test_a_slip_of_ours_is_told_without_its_inside(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def slip(*_: object) -> bytes:
        raise ZeroDivisionError("the inside of it")

    monkeypatch.setitem(work.ANSWERS, "rites", slip)
    reply = work.make_reply(Wish(kind="rites"), Limits())
    told = Answer(reply.status, {"content-type": "application/json", "content-encoding": "gzip"}, reply.body)
    assert (reply.status, told.error()["code"]) == (500, "broken")
    assert b"inside" not in told.plain()
    assert "the inside of it" in capfd.readouterr().err


# ── kept, and made once ─────────────────────────────────────────────────────────────────────────────────────────────


def test_what_was_made_is_not_made_again(house: House) -> None:
    target = "/api/stage?set=seed=11"
    first = house.get(target)
    count = made(house)
    for same in (target, "/api/stage?rite=xiangshe&set=seed=11", "/api/stage?rite=乡射礼&set=+seed=11+"):
        again = house.get(same)
        assert (again.status, again.body, again.headers["etag"]) == (200, first.body, first.headers["etag"])
    assert made(house) == count
    kept = house.get(target, if_none_match=first.headers["etag"])
    assert (kept.status, kept.body) == (304, b"")
    assert house.get(target, accept_encoding="gzip").plain() == first.body
    head = house.get(target, method="HEAD")
    assert (head.status, head.headers["content-length"]) == (200, first.headers["content-length"])


def test_another_scenario_is_another_answer(house: House) -> None:
    marks = {
        house.get(f"/api/state?after={WORDS}&{more}").headers["etag"]
        for more in ("", "nth=2", "set=seed=3", "school=敖繼公")
    }
    assert len(marks) == 4


def test_what_many_ask_at_once_is_made_once(house: House) -> None:
    count = made(house)
    answers = house.together(["/api/stage?set=seed=12"] * 8)
    assert {answer.status for answer in answers} == {200}
    assert len({answer.body for answer in answers}) == 1
    assert made(house) == count + 1


def test_a_server_that_starts_again_answers_at_once(new_house: NewHouse) -> None:
    target = f"/api/state?after={WORDS}"
    first = new_house().get(target)
    second = new_house()
    assert second.get(target) == first
    # The first performance of all, which is made ready at the start, may be being fetched meanwhile; nothing else is.
    assert made(second) <= 1


def test_what_lies_broken_on_disk_is_made_anew(new_house: NewHouse, tmp_path: Path) -> None:
    target = f"/api/state?after={WORDS}"
    first = new_house().get(target)
    for path in (tmp_path / "stage").iterdir():
        path.write_bytes(path.read_bytes()[:-7])
    house = new_house()
    assert house.get(target) == first
    assert made(house) >= 1


def test_a_refusal_that_is_settled_is_not_worked_out_again(house: House) -> None:
    target = "/api/stage?set=大夫=3&set=大父=3"
    assert house.get(target).status == 422
    count = made(house)
    assert house.get(target).status == 422
    assert made(house) == count


def test_the_first_performance_is_made_before_anybody_asks(new_house: NewHouse) -> None:
    house = new_house()
    end = time.monotonic() + PATIENCE
    while not house.get("/api/health").data()["kept"] and time.monotonic() < end:
        time.sleep(0.1)
    count = made(house)
    assert house.get("/api/stage").status == 200
    assert made(house) == count == 1


# ── bounds ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_so_many_people_and_no_more(new_house: NewHouse) -> None:
    people = len(rehearse("xiangshe", sets=["眾賓=9"]).stage.cast.persons)
    house = new_house(Limits(people=people, seconds=100))
    assert house.get("/api/state?set=眾賓=9&after=皆當其物北面揖").status == 200
    for path in (
        "/api/state?after=皆當其物北面揖&set=眾賓=10",
        "/api/stage?set=眾賓=20000",
        "/api/difference?against.set=眾賓=10",
    ):
        answer = house.get(path)
        error = answer.error()
        assert (answer.status, error["code"], error["known"]) == (413, "too-many-people", str(people))


def test_no_longer_than_so_long(new_house: NewHouse) -> None:
    house = new_house(Limits(seconds=0.05))
    answer = house.get("/api/stage?set=眾耦=100")
    assert (answer.status, answer.error()["known"]) == (504, "0.05 s")
    assert house.get("/api/health").status == 200
    assert not house.app.state.desk.crew.running


def test_no_longer_than_so_much(new_house: NewHouse) -> None:
    answer = new_house(Limits(answer=1, seconds=100)).get("/api/stage")
    assert (answer.status, answer.error()["known"]) == (413, "1 MiB")


def test_no_more_memory_than_so_much(new_house: NewHouse) -> None:
    pytest.importorskip("resource", reason="this system cannot bound the memory of a process")
    # As much as a process has mapped before it begins, and a little to begin with.
    house = new_house(Limits(memory=250, seconds=100, people=2000))
    answer = house.get("/api/stage?set=眾耦=180")
    assert (answer.status, answer.error()["known"]) == (413, "250 MiB")
    assert house.get("/api/health").status == 200


def test_who_finds_no_room_is_told_when_to_come_again(new_house: NewHouse) -> None:
    house = new_house(Limits(at_once=1, waiting=1, seconds=100))
    answers = house.together([f"/api/state?set=seed={seed}&after={WORDS}" for seed in range(6)])
    turned = [answer for answer in answers if answer.status == 503]
    assert {answer.status for answer in answers} == {200, 503}
    assert turned
    assert all(int(answer.headers["retry-after"]) > 0 and answer.error()["code"] == "busy" for answer in turned)
    # The answers that were turned away are not kept as answers.
    assert {
        answer.status for answer in [house.get(f"/api/state?set=seed={seed}&after={WORDS}") for seed in range(6)]
    } == {200}


def test_a_process_that_is_ended_from_outside_harms_nobody(new_house: NewHouse) -> None:
    house = new_house()
    house.get("/api/stage")
    target = "/api/stage?set=眾耦=60"
    waiting = asyncio.run_coroutine_threadsafe(house._ask(target.encode("utf-8"), "GET", {}), house.loop)
    end = time.monotonic() + PATIENCE
    while not house.app.state.desk.crew.running and time.monotonic() < end:
        time.sleep(0.01)
    for process in list(house.app.state.desk.crew.running):
        os.kill(process.pid, signal.SIGKILL)
    answer = waiting.result(PATIENCE)
    assert (answer.status, answer.error()["code"]) == (503, "broke-off")
    assert house.get(target).status == 200


def test_a_server_that_stops_waits_for_nobody(new_house: NewHouse) -> None:
    house = new_house()
    house.get("/api/stage")
    waiting = asyncio.run_coroutine_threadsafe(
        house._ask(b"/api/stage?set=%E7%9C%BE%E8%80%A6=150", "GET", {}), house.loop
    )
    while not house.app.state.desk.crew.running:
        time.sleep(0.01)
    begun = time.monotonic()
    asyncio.run_coroutine_threadsafe(asyncio.to_thread(house.app.state.desk.close), house.loop).result(PATIENCE)
    assert time.monotonic() - begun < 10
    assert waiting.result(PATIENCE).error()["code"] == "stopping"
    assert house.get("/api/stage?set=seed=99").error()["code"] == "stopping"


# ── as it is described ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def described(house: House) -> Any:  # noqa: ANN401 - JSON
    return house.get("/openapi.json").data()


def test_the_description_is_sound(described: Any) -> None:  # noqa: ANN401
    validate(described)
    assert set(described["paths"]) == {*QUESTIONS, "/api/health"}


@pytest.mark.parametrize(
    "target",
    [
        "/api/rites", "/api/stage?set=大夫=2", "/api/events?from=請射&to=請射", f"/api/state?after={WORDS}",
        "/api/why?event=1", "/api/difference?against.school=敖繼公", "/api/health", "/api/stage?rite=x",
        "/api/stage?set=大父=1", "/api/why",
    ],
)  # fmt: skip
def test_answers_are_as_described(house: House, described: Any, target: str) -> None:  # noqa: ANN401
    answer = house.get(target)
    operation = described["paths"][target.partition("?")[0]]["get"]
    told = operation["responses"][str(answer.status)]
    if "$ref" in told:
        told = described["components"]["responses"][told["$ref"].rpartition("/")[2]]
    schema = {**told["content"]["application/json"]["schema"], "components": described["components"]}
    validator = OAS31Validator(schema)
    assert [fault.message[:300] for fault in validator.iter_errors(answer.data())] == []


def test_all_that_a_question_may_say_is_described(described: Any) -> None:  # noqa: ANN401
    for path, question in QUESTIONS.items():
        named = {parameter["name"] for parameter in described["paths"][path]["get"]["parameters"]}
        assert named == {parameter.name for parameter in question.parameters}


def test_threads_do_not_pile_up(house: House) -> None:
    before = threading.active_count()
    house.together([f"/api/stage?set=大父={number}" for number in range(12)])
    assert threading.active_count() <= before + house.app.state.desk.limits.at_once + 40
