"""猶 and 不: what the words say is still so, and what they say is not done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yanli.errors import Finding
from yanli.plan.resolve import names_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yanli.performance.event import Event
    from yanli.performance.perform import Performance
    from yanli.performance.world import Actor
    from yanli.plan import program as p


def check_observed(performance: Performance) -> Iterator[Finding]:
    """Check every 猶 against the world as it was then, and every 不 over its passage."""
    told: set[tuple[object, str]] = set()
    for time, act, actors, number, faults in performance.machine.observed:
        causes = list(faults)
        if act.mode == "not":
            causes.extend(_done(performance, act, actors, time))
        for cause in causes:
            key = (act.span, cause)
            if key in told:
                continue
            told.add(key)
            clause = performance.rite.clauses[number]
            yield Finding(
                code="not-still-so" if act.mode == "still" else "done-after-all",
                cause=cause,
                clause=str(clause.id),
                words=clause.text,
                span=act.span,
            )


def _done(performance: Performance, act: p.Act, actors: tuple[Actor, ...], time: float) -> Iterator[str]:
    """What the words say is not done, done by the same person in the same playing of the passage, up to these words."""
    first, last = passage(performance, act.clause)
    begin = max((play.start for play in performance.plays if play.clause == first and play.start <= time), default=0.0)
    kinds = {thing.kind for thing in act.things}
    names = {actor.name for actor in actors}
    for event in performance.events:
        if not begin <= event.start <= time:
            # What the words tell afterwards is no contradiction (執弓不挾 … 改取一个挾之).
            continue
        # Nor is what they tell themselves, or the editor supplied to get there; but what a passage played again brings
        # in is one.
        if not first <= event.clause < last or event.actor.name not in names or event.info.verb != act.verb:
            continue
        if event.via and event.info.origin == "text" and _same(event, act, kinds):
            yield f"the words say 不{act.verb}, but {event.actor.name} does it (event {event.n})"
            return


def _same(event: Event, act: p.Act, kinds: set[str]) -> bool:
    """Whether an act is the one that is not done, as far as the words name thing, matter, person or garment."""
    if kinds and not kinds & {thing.kind for thing in event.things}:
        return False
    if act.matter and event.info.matter != act.matter:
        return False
    wanted = {name for word in (act.target,) for name in names_of(word) or ()}
    if wanted and not wanted & {person.name for person in event.target}:
        return False
    return not (act.garments and event.info.garments and not set(event.info.garments) & set(act.garments))


def passage(performance: Performance, clause: int) -> tuple[int, int]:
    """The clauses of the passage that a clause stands in; its section where there are no passages."""
    rite = performance.rite
    section = rite.sections[rite.clauses[clause].section - 1]
    first = sum(len(other.clauses) for other in rite.sections[: section.number - 1])
    name = rite.clauses[clause].passage
    for part in section.passages:
        if part.name == name and part.clauses:
            begin = first + next(i for i, item in enumerate(section.clauses) if item.id == part.clauses[0].id)
            return begin, begin + len(part.clauses)
    return first, first + len(section.clauses)
