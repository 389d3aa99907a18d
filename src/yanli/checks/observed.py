"""猶 and 不: what the words say is still so, and what they say is not done."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
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
    done = _Done(performance)
    for time, act, actors, number, faults in performance.machine.observed:
        causes = list(faults)
        if act.mode == "not":
            causes.extend(done.against(act, actors, time))
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


class _Done:
    """What was done, looked up by who and by verb; and when each clause began to be played."""

    def __init__(self, performance: Performance) -> None:
        self.performance = performance
        self.acts: dict[tuple[str, str], list[Event]] = {}
        for event in performance.events:
            # What the words tell themselves, or the editor supplied to get there, is no contradiction; what a passage
            # played again brings in is one.
            if event.via and event.info.origin == "text":
                self.acts.setdefault((event.actor.name, event.info.verb), []).append(event)
        self.starts: dict[int, list[float]] = {}
        for play in performance.plays:
            self.starts.setdefault(play.clause, []).append(play.start)
        self.passages: dict[int, tuple[int, int]] = {}

    def against(self, act: p.Act, actors: tuple[Actor, ...], time: float) -> Iterator[str]:
        """What the words say is not done, done by the same person in this playing of the passage, up to these words.

        What the words tell afterwards is no contradiction (執弓不挾 … 改取一个挾之).
        """
        if act.clause not in self.passages:
            self.passages[act.clause] = passage(self.performance, act.clause)
        first, last = self.passages[act.clause]
        starts = self.starts.get(first, [])
        index = bisect_right(starts, time)
        begin = starts[index - 1] if index else 0.0
        kinds = {thing.kind for thing in act.things}
        for actor in actors:
            acts = self.acts.get((actor.name, act.verb), [])
            for event in acts[bisect_left(acts, begin, key=_start) : bisect_right(acts, time, key=_start)]:
                if first <= event.clause < last and _same(event, act, kinds):
                    yield f"the words say 不{act.verb}, but {event.actor.name} does it (event {event.n})"
                    return


def _start(event: Event) -> float:
    return event.start


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
