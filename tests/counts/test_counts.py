"""The figures counted by hand from the words, against the performance."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from yanli.performance.event import Event
from yanli.performance.perform import Performance
from yanli.rehearsal import rehearse

HERE = Path(__file__).parent


def figures() -> list[tuple[str, dict[str, Any]]]:
    """All figures of all rites: (rite, figure)."""
    return [
        (path.stem, figure)
        for path in sorted(HERE.glob("*.toml"))
        for figure in tomllib.loads(path.read_text(encoding="utf-8"))["count"]
    ]


@cache
def played(rite: str, settings: tuple[str, ...], record: str | None) -> Performance:
    """One performance for all figures of a scenario."""
    return rehearse(rite, sets=settings, record=str(HERE / record) if record else None)


def words(value: str | list[str] | None) -> list[str]:
    """One word or several."""
    return [] if value is None else [value] if isinstance(value, str) else list(value)


def matches(performance: Performance, event: Event, figure: dict[str, Any]) -> bool:
    """Whether an event is one that the figure counts."""
    info = event.info
    origins = words(figure.get("origin")) or ["text", "editor"]
    if info.origin not in origins or (figure.get("verb") and info.verb not in words(figure["verb"])):
        return False
    wanted = words(figure.get("actor"))
    if wanted:
        names = frozenset().union(*(performance.named(name) for name in wanted))
        if event.actor.name not in names:
            return False
        offices = [name for name in wanted if name in performance.stage.cast.offices]
        if len(offices) == len(wanted) and not set(offices) & set(event.roles):
            return False
    if figure.get("object") and not {thing.kind for thing in event.things} & set(words(figure["object"])):
        return False
    targets = words(figure.get("target"))
    if targets:
        names = frozenset().union(*(performance.named(name) for name in targets))
        return any(person.name in names for person in event.target)
    return True


@pytest.mark.parametrize(("rite", "figure"), [pytest.param(r, f, id=f["id"]) for r, f in figures()])
def test_figure(rite: str, figure: dict[str, Any]) -> None:
    """The engine plays as many as were counted in the words."""
    scenario = dict(figure.get("scenario", {}))
    record = scenario.pop("record", figure.get("record"))
    performance = played(rite, tuple(f"{key}={value}" for key, value in scenario.items()), record)
    begin = performance.played(figure["from"], figure.get("from_nth", 1), first=True).start
    nth = 1
    while (end := performance.played(figure["to"], nth).end) < begin:
        nth += 1
    if figure.get("to_nth", 1) > 1:
        end = performance.played(figure["to"], nth + figure["to_nth"] - 1).end
    events = [
        event
        for event in performance.events
        if event.start >= begin and event.end <= end and matches(performance, event, figure)
    ]
    measure = figure["measure"]
    total = sum(
        event.info.times if measure == "times" else len(event.things) if measure == "objects" else 1 for event in events
    )
    told = "\n".join(
        f"  {event.n} {performance.rite.clauses[event.clause].text} | "
        f"{event.actor.name} {event.info.verb}×{event.info.times} {event.things}"
        for event in events
    )
    assert total == figure["expect"], f"{figure['what']} ({figure['en']}): {total}, not {figure['expect']}\n{told}"


def test_figures_add_up() -> None:
    """Each figure's clauses add up to what it expects, so that no figure is a bare number."""
    for _, figure in figures():
        parts = [clause[-1] for clause in figure["clauses"]]
        assert sum(parts) == figure["expect"], figure["id"]
