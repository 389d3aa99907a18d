"""What must hold in every scenario: drawn at random over guests, pairs, officers, building and fates."""

from __future__ import annotations

import os
import subprocess
import sys

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from yanli.checks.world import check_conservation, check_two_places
from yanli.performance.moving import WALK
from yanli.rehearsal import rehearse
from yanli.venue.spot import length_along


@st.composite
def scenarios(draw: st.DrawFn) -> tuple[str, ...]:
    """Settings of a scenario that can be had."""
    pairs = draw(st.integers(0, 5))
    grandees = draw(st.integers(0, 3))
    chosen = {
        "眾耦": pairs,
        "大夫": grandees,
        "諸公": draw(st.sampled_from([0, 0, 1, 2])),
        "賓主與射": draw(st.sampled_from(["是", "否"])),
        "大夫與射": draw(st.sampled_from(["是", "否"])),
        "所": draw(st.sampled_from(["序", "庠"])),
        "主人": draw(st.sampled_from(["州長", "鄉大夫"])),
        "矢不備": draw(st.sampled_from(["是", "否"])),
        "勝": draw(st.sampled_from(["右", "左", "鈞", "空", "全"])),
        "seed": draw(st.integers(0, 1000)),
    }
    if draw(st.booleans()):
        chosen["眾賓"] = 3 + 2 * pairs + 2 * grandees + draw(st.integers(0, 6))
    return tuple(f"{key}={value}" for key, value in chosen.items())


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(sets=scenarios())
def test_every_scenario_plays(sets: tuple[str, ...]) -> None:
    """No finding of error grade; nothing vanishes; nobody is in two places; time does not run backwards."""
    performance = rehearse("xiangshe", sets=sets)
    assert [f for f in performance.findings if f.grade == "error"] == []
    assert list(check_conservation(performance)) == []
    assert list(check_two_places(performance)) == []
    starts = [event.start for event in performance.events]
    assert starts == sorted(starts)
    assert all(event.end >= event.start for event in performance.events)
    assert all(event.info.origin in {"text", "editor", "inferred"} for event in performance.events)
    assert all(event.info.reason for event in performance.events if event.info.origin == "inferred")
    free: dict[str, float] = {}
    for event in performance.events:
        if event.path:
            assert event.start >= free.get(event.actor.name, 0.0) - 1e-6
            assert length_along(event.path) <= WALK * (event.end - event.start) + 1e-6, "stairs take time too"
            free[event.actor.name] = event.end


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(sets=scenarios())
def test_replay_equals_the_end(sets: tuple[str, ...]) -> None:
    """The world set up from the changes at the end is the world that the play left."""
    performance = rehearse("xiangshe", sets=sets)
    world = performance.world_at(performance.length + 1.0)
    left = performance.machine.world
    for name, actor in left.actors.items():
        other = world.actors[name]
        assert (actor.spot, actor.posture, actor.dress, actor.facing) == (
            other.spot,
            other.posture,
            other.dress,
            other.facing,
        )
        assert [t.id for t in actor.holding()] == [t.id for t in other.holding()]
    for ident, thing in left.things.items():
        other_thing = world.things[ident]
        where = thing.where if isinstance(thing.where, str) else thing.where.name
        there = other_thing.where if isinstance(other_thing.where, str) else other_thing.where.name
        assert (where, thing.filled, thing.lay) == (there, other_thing.filled, other_thing.lay)


def timeline(seed: str) -> bytes:
    """The timeline as a fresh process under a hash seed writes it."""
    code = (
        "from yanli.rehearsal import rehearse; import msgspec; p = rehearse('xiangshe'); "
        "import sys; sys.stdout.buffer.write(b'\\n'.join(msgspec.json.encode(p.data(e)) for e in p.events))"
    )
    return subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, check=True, capture_output=True
    ).stdout


def test_the_same_under_every_hash_seed() -> None:
    """Same score, scenario and fates: the same timeline, byte for byte."""
    first = timeline("0")
    assert len(first) > 1_000_000
    assert first == timeline("1") == timeline("4242")


def test_shooting_rounds_draw_four_arrows_each() -> None:
    """乘矢：every shooter shoots four arrows in each round; the first is the 三耦's alone, after the teacher's four."""
    performance = rehearse("xiangshe", sets=["眾耦=3", "大夫=2"])
    for number, shooters in ((1, 7), (2, 6 + 2 + 4 + 6), (3, 6 + 2 + 4 + 6)):
        begin, end = performance.stage.rounds[number]
        shots = [e for e in performance.events if e.info.verb == "射" and begin <= e.clause < end]
        assert len(shots) == 4 * shooters
