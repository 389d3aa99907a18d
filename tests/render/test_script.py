"""Every script is drawn from the same performance, and together they leave nothing out."""

import re

import pytest

from yanli.errors import RiteError
from yanli.performance.perform import Performance
from yanli.render.columns import clock
from yanli.render.moments import Following, counts, runs, section_times
from yanli.render.script import Scripts, caller_script, script_for
from yanli.render.summary import summary

OWN = re.compile(r"^- ▶ \*\*((?:\d+:)?\d\d:\d\d)\*\* .*?\((\d+)\) — ", re.MULTILINE)
DONE = re.compile(r"^- ◁ \*\*((?:\d+:)?\d\d:\d\d)\*\* .*?\((\d+)\) — ", re.MULTILINE)


@pytest.fixture(scope="module")
def scripts(performance: Performance) -> dict[str, str]:
    """The script of each person."""
    made = Scripts(performance)
    return {name: made.person(name) for name in performance.stage.cast.persons}


def test_together_they_cover_every_event_with_the_timeline_s_time(
    performance: Performance, scripts: dict[str, str]
) -> None:
    for name, text in scripts.items():
        own = [(int(number), time) for time, number in OWN.findall(text)]
        assert sorted(own) == [(e.n, clock(e.start)) for e in performance.events if e.actor.name == name], name
    told = sum(len(OWN.findall(text)) for text in scripts.values())
    assert told == len(performance.events)


def test_what_is_done_to_a_person_is_in_his_script(performance: Performance, scripts: dict[str, str]) -> None:
    for name, text in scripts.items():
        done = sorted(int(number) for _, number in DONE.findall(text))
        wanted = [
            event.n
            for event in performance.events
            if event.actor.name != name and any(person.name == name for person in event.target)
        ]
        assert done == wanted, name


def test_each_script_says_who_he_is_and_how_he_begins(performance: Performance, scripts: dict[str, str]) -> None:
    for name, text in scripts.items():
        person = performance.stage.cast.persons[name]
        assert text.startswith(f"# {name} · ")
        assert f"初立 begins：{person.at}" in text
        assert all(word in text for word in person.dress)


def test_a_cue_is_over_when_he_begins(performance: Performance, scripts: dict[str, str]) -> None:
    events = {(clock(event.end), event.actor.name.partition("（")[0]) for event in performance.events}
    for name, text in scripts.items():
        for time, who in re.findall(r"^- 視 cue：(\S+) ([^ （]+)", text, re.MULTILINE):
            assert who != name
            assert (time, who) in events


def test_hands_are_those_of_the_world(performance: Performance) -> None:
    following = Following(performance)
    for event in performance.events[::97]:
        world = performance.world_at(event.end)
        later = [other for other in performance.events if other.end == event.end and other.n > event.n]
        if any(event.actor in (other.actor, *other.target) for other in later):
            continue
        after, actor = following.after[event.n, event.actor.name], world.actors[event.actor.name]
        assert [[thing.id for thing in held] for held in (after.right, after.left, after.belt)] == [
            [thing.id for thing in held] for held in (actor.right, actor.left, actor.belt)
        ], event.n


def test_by_office_and_unknown(performance: Performance) -> None:
    assert script_for(performance, "司馬").startswith("# 相 · ")
    with pytest.raises(RiteError):
        script_for(performance, "皇帝")


def test_a_group_has_a_script_each(performance: Performance) -> None:
    members = performance.stage.cast.groups["眾賓"]
    text = script_for(performance, "眾賓")
    assert re.findall(r"^# (\S+) · ", text, re.MULTILINE) == list(members)


def test_the_caller_has_every_clause_that_is_played(performance: Performance) -> None:
    text = caller_script(performance)
    called = set(re.findall(r"^\*\*\S+ [^*]+\*\* (\S+)$", text, re.MULTILINE))
    assert {str(performance.clause(play.clause).id) for play in performance.plays if not play.via} <= called


def test_runs_hold_every_event_once(performance: Performance) -> None:
    found = runs(performance, performance.events)
    assert sorted(event.n for run in found for event in run.events) == [event.n for event in performance.events]
    assert [run.start for run in found] == sorted(run.start for run in found)


def test_sections_hold_every_event(performance: Performance) -> None:
    times = section_times(performance)
    assert sum(time.events for time in times) == len(performance.events)
    assert all(0 <= time.start <= time.end <= performance.length for time in times)


def test_the_summary_tells_each_count_as_it_was_announced(performance: Performance) -> None:
    text = summary(performance)
    found = counts(performance)
    assert found
    for count in found:
        assert count.announced is not None
        assert f"{count.announcer}曰「{count.announced}」" in text
    assert all(f"| {time.number} {time.name} |" in text for time in section_times(performance))
    assert str(len(performance.events)) in text
