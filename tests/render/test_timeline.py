"""The timeline, to read and as data, has every event once and says the same everywhere."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

from yanli.errors import ScenarioError
from yanli.performance.perform import Performance
from yanli.rehearsal import rehearse
from yanli.render.columns import clock, width
from yanli.render.timeline import FIELDS, NO_ACTS, as_csv, as_jsonl, as_text, state_text, write_parquet
from yanli.render.wording import LEGEND
from yanli.tables import find_table

# As the contract has them: the order does not matter to a reader, the names do.
CONTRACT = {
    "n",
    "rite",
    "section",
    "clause",
    "text",
    "actor",
    "verb",
    "times",
    "object",
    "object_ids",
    "target",
    "from",
    "to",
    "place",
    "xy",
    "facing",
    "posture",
    "speech",
    "music",
    "origin",
    "warrant",
    "reading",
    "start",
    "end",
    "via",
    "roles",
    "together",
    "hit",
    "matter",
    "reason",
    "step",
    "path",
}
ROW = re.compile(r"^  +(\d+)  +((?:\d+:)?\d\d:\d\d)  (經文|編者|推)", re.MULTILINE)


def test_every_event_is_told_once_with_its_time(performance: Performance) -> None:
    text = as_text(performance, performance.events)
    told = [(int(number), time) for number, time, _ in ROW.findall(text)]
    assert sorted(told) == [(event.n, clock(event.start)) for event in performance.events]


def test_every_clause_that_is_played_is_told(performance: Performance) -> None:
    text = as_text(performance, performance.events)
    played = {str(performance.clause(play.clause).id) for play in performance.plays if not play.via}
    assert played <= set(re.findall(r"^「[^」]+」 (\S+)$", text, re.MULTILINE))


def test_columns_stand_under_one_another(performance: Performance) -> None:
    lines = as_text(performance, performance.events[:400]).splitlines()
    marks = {width(line[: found.start(3)]) for line in lines if (found := ROW.match(line))}
    assert len(marks) == 1


def test_warrant_and_reason_are_told(small: Path) -> None:
    found = rehearse(small)
    lines = as_text(found, found.events).splitlines()
    kneels = next(line for line in lines if "編者" in line and "坐" in line)
    assert kneels.endswith("據 下文興")
    assert any("說 面=鄭玄" in line for line in lines)
    assert "  註 例 無介" in lines


def test_english_stands_beside(performance: Performance) -> None:
    events = performance.events[:50]
    plain, both = as_text(performance, events), as_text(performance, events, english=True)
    assert len(both.splitlines()) == len(plain.splitlines()) + len(events)
    assert "host: " in both


def test_a_part_of_it(performance: Performance) -> None:
    events = performance.chosen(who="司馬")
    numbers = {int(number) for number, _, _ in ROW.findall(as_text(performance, events))}
    assert numbers == {event.n for event in events}


def test_lines_of_json_have_the_contract_s_fields(performance: Performance) -> None:
    rows = [json.loads(line) for line in as_jsonl(performance, performance.events).splitlines()]
    assert [row["n"] for row in rows] == [event.n for event in performance.events]
    assert all(set(row) == CONTRACT for row in rows)
    assert any(row["from"] for row in rows)
    assert rows[0]["speech"] is None
    assert set(FIELDS) == CONTRACT


def test_the_table_reads_back(performance: Performance) -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv(performance, performance.events))))
    data = [json.loads(line) for line in as_jsonl(performance, performance.events).splitlines()]
    assert len(rows) == len(data)
    assert set(rows[0]) == CONTRACT
    for row, event in zip(rows, data, strict=True):
        assert row["text"] == event["text"]
        assert row["object_ids"].split("、") == (event["object_ids"] or [""])
        assert [float(part) for part in row["xy"].split("、")] == event["xy"]
        assert float(row["start"]) == event["start"]
        assert row["hit"] == ("" if event["hit"] is None else str(event["hit"]).lower())


def test_parquet_has_types(performance: Performance, tmp_path: Path) -> None:
    import polars as pl

    path = tmp_path / "new" / "timeline.parquet"
    write_parquet(performance, performance.events, path)
    frame = pl.read_parquet(path)
    assert frame.height == len(performance.events)
    assert set(frame.columns) == CONTRACT
    assert frame.schema["start"] == pl.Float64
    assert frame.schema["object_ids"] == pl.List(pl.String)
    assert frame.schema["hit"] == pl.Boolean
    assert frame["hit"].drop_nulls().len() == sum(event.hit is not None for event in performance.events)


def test_parquet_of_nothing_has_the_same_columns(performance: Performance, tmp_path: Path) -> None:
    import polars as pl

    write_parquet(performance, [], tmp_path / "none.parquet")
    assert set(pl.read_parquet(tmp_path / "none.parquet").columns) == CONTRACT


def test_parquet_where_it_cannot_be_written(performance: Performance, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ScenarioError):
        write_parquet(performance, performance.events[:3], tmp_path / "file" / "t.parquet")


def test_the_state_of_a_moment_names_everybody_and_everything(performance: Performance) -> None:
    play = performance.plays[len(performance.plays) // 2]
    state = performance.state_at(play.end, play.clause)
    text = state_text(state)
    for name in state["actors"]:
        assert re.search(rf"^  {re.escape(name)} ", text, re.MULTILINE), name
    kinds = {thing["kind"] for thing in state["things"].values()}
    assert all(f"{kind}." in text for kind in kinds)


def test_words_that_are_bound_say_to_what(performance: Performance) -> None:
    state = performance.state("侯道五十弓")
    assert state["bound"]
    assert all(bound in state_text(state) for bound in state["bound"])


def test_a_rite_of_ranks_alone_points_to_its_tables() -> None:
    """賓射: 王以六耦 射三侯 …: no act, but cells of tables, each of which can be printed."""
    performance = rehearse("賓射")
    text = as_text(performance, performance.events)
    names = re.findall(r"^  yanli tables (\S+) --why$", text, re.MULTILINE)
    assert names[:1] == ["耦"]
    assert len(names) == len(set(names))
    for name in names:
        find_table(name)
    assert NO_ACTS not in as_text(rehearse("聘禮"), [])


def test_the_legend_tells_every_sign_that_stands_before_acts() -> None:
    for sign in ("經文", "編者", "據", "推", "以", "見", "……"):
        assert sign in LEGEND
