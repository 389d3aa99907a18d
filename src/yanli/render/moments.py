"""The order of a performance as people follow it: sections, runs under one clause, hands and counts after each act.

Comes in: a performance. Goes out: values that every script and table here is made from, so that they cannot disagree.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import msgspec

from yanli.performance.event import Event, changed
from yanli.performance.shooting import in_pairs
from yanli.performance.world import Actor, World
from yanli.render.wording import speech_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from yanli.performance.perform import Performance
    from yanli.performance.world import Thing


class SectionTime(msgspec.Struct, frozen=True, kw_only=True):
    """A section as played: its number, name and slug, when it begins and ends (seconds), how many events it has.

    ``done``: how many events had been played, in the order of play, when its last was.
    """

    number: int
    name: str
    slug: str
    start: float
    end: float
    events: int
    done: int


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """Events that were played one after another under one clause (a number from 0), in the order of time."""

    clause: int
    section: int
    start: float
    events: tuple[Event, ...]


class After(msgspec.Struct, frozen=True, kw_only=True):
    """What one person has after an act: in the right and left hand, at the belt."""

    right: tuple[Thing, ...]
    left: tuple[Thing, ...]
    belt: tuple[Thing, ...]


def section_times(performance: Performance) -> list[SectionTime]:
    """The sections that were played, in the order of time."""
    found = []
    played: dict[int, list[Event]] = {}
    for event in performance.events:
        played.setdefault(performance.clause(event.clause).section, []).append(event)
    for number, events in played.items():
        section = performance.rite.sections[number - 1]
        last = max(events, key=lambda event: (event.end, event.order))
        found.append(
            SectionTime(
                number=number, name=section.name, slug=section.slug, start=events[0].start, end=last.end,
                events=len(events), done=last.order + 1,
            )
        )  # fmt: skip
    return sorted(found, key=lambda section: (section.start, section.number))


def runs(performance: Performance, events: Iterable[Event]) -> list[Run]:
    """Events gathered under their clauses. A run keeps together what was played together; runs follow in time."""
    ordered = sorted(events, key=lambda event: event.order)
    found = []
    for clause, group in groupby(ordered, key=lambda event: event.clause):
        members = tuple(sorted(group, key=lambda event: event.n))
        section = performance.clause(clause).section
        found.append(Run(clause=clause, section=section, start=members[0].start, events=members))
    return sorted(found, key=lambda run: (run.start, run.events[0].n))


class Following:
    """Goes through a performance once: what each person holds after his act, and the count of each side by then.

    ``after`` is by the number of an event and the name of its actor or target. ``slots``, by the number of an event,
    tell what is said in the slots of its speech. ``counts`` are the counts of the sides, each with its event.
    """

    def __init__(self, performance: Performance) -> None:
        """Follow every change in the order in which it takes effect."""
        world = performance.stage.world()
        hands: dict[str, dict[str, tuple[Thing, ...]]] = {
            name: {"right": actor.right, "left": actor.left, "belt": actor.belt} for name, actor in world.actors.items()
        }
        tally: Mapping[str, int] = {}
        self.after: dict[tuple[int, str], After] = {}
        self.slots: dict[int, dict[str, str]] = {}
        self.counts: list[tuple[Event, Mapping[str, int]]] = []
        for event in sorted(performance.events, key=lambda event: (event.end, event.n)):
            for thing, attribute, value in changed(performance.journal, event):
                if isinstance(thing, Actor) and attribute in hands[thing.name]:
                    hands[thing.name][attribute] = value
                elif isinstance(thing, World):
                    tally = value
                    self.counts.append((event, value))
            for person in (event.actor, *event.target):
                self.after[event.n, person.name] = After(**hands[person.name])
            if event.info.speech and "{" in event.info.speech:
                self.slots[event.n] = lead(tally)


class Count(msgspec.Struct, frozen=True, kw_only=True):
    """One count of sticks: the sides, when it was done, and the words in which it was announced, if it was."""

    sides: dict[str, int]
    time: float
    announcer: str | None
    announced: str | None


def counts(performance: Performance) -> list[Count]:
    """Every count of the sides, with the next words of the man who counted."""
    following = Following(performance)
    sides = max((len(tally) for _, tally in following.counts), default=1)
    found = []
    # Each count tells every side once, the last of them with all numbers known.
    for event, tally in following.counts[sides - 1 :: sides]:
        later = (other for other in performance.events if other.start >= event.end and other.actor is event.actor)
        said = next((other for other in later if other.info.speech), None)
        words = speech_words(said.info.speech or "", following.slots.get(said.n, {})) if said is not None else None
        announcer = said.actor.name if said is not None else None
        found.append(Count(sides=dict(tally), time=event.end, announcer=announcer, announced=words))
    return found


def lead(tally: Mapping[str, int]) -> dict[str, str]:
    """The slot 賢: by how much one side leads the other, in pairs (純) and what is left over (奇)."""
    if len(tally) < 2:  # noqa: PLR2004 - nothing to compare
        return {}
    counts = sorted(tally.values())
    return {"賢": in_pairs(counts[-1] - counts[0])}
