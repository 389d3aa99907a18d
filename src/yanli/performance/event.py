"""One played act (事), and the performance that is all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from yanli.performance.world import Actor, Thing
    from yanli.source import Span
    from yanli.venue import Spot
    from yanli.venue.spot import Point

Origin = str  # text, editor, inferred


class Info:
    """What all events of one act of the program share: words, verb, origin, warrant. Made once, pointed to by each."""

    __slots__ = (
        "clause", "garments", "matter", "music", "origin", "reading", "reason", "source", "span", "speech", "times",
        "verb", "warrant",
    )  # fmt: skip

    def __init__(  # noqa: PLR0913 - a record of exactly these
        self, verb: str, origin: Origin, *, clause: int, span: Span | None = None, times: int = 1,
        speech: str | None = None, music: str | None = None, matter: str | None = None, warrant: str | None = None,
        reading: str | None = None, reason: str | None = None, source: str | None = None,
        garments: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        """Keep the values. ``source``: the place words after 自."""
        self.verb = verb
        self.origin = origin
        self.clause = clause
        self.span = span
        self.times = times
        self.speech = speech
        self.music = music
        self.matter = matter
        self.warrant = warrant
        self.reading = reading
        self.reason = reason
        self.garments = garments
        self.source = source


class Event(msgspec.Struct, eq=False, gc=False):
    """One act as played by one actor. ``start`` and ``end`` in seconds; ``changes`` is its slice of the journal.

    ``clause`` is the clause being played; ``via`` the clauses of passages played again, innermost first.
    ``together`` joins the events of a group; ``to`` is the place or target aimed at; ``path`` the way walked.
    From ``spot`` on: the actor as he is after the act. ``speech`` is what was said, if the moment filled a slot of the
    words; else the words are those of ``info``. ``n`` and ``order`` (by time from 1, by play from 0) are given when all
    is played.
    """

    info: Info
    actor: Actor
    clause: int
    via: tuple[int, ...]
    things: tuple[Thing, ...]
    target: tuple[Actor, ...]
    to: str | None
    start: float
    end: float
    together: int | None
    hit: bool | None
    path: tuple[Point, ...]
    changes: tuple[int, int]
    spot: Spot
    facing: float
    posture: str
    step: int | None
    roles: tuple[str, ...]
    speech: str | None = None
    n: int = 0
    order: int = 0


class Playing(msgspec.Struct):
    """One playing of a clause: when, how many events came of it, and how many had been played before and after it.

    ``passed``: how many conditions in it were not so, and had nothing to do instead.
    """

    clause: int
    start: float
    end: float
    via: tuple[int, ...] = ()
    events: int = 0
    done: int = 0
    begun: int = 0
    passed: int = 0


class EventData(msgspec.Struct, kw_only=True):
    """One event as outsiders see it; the fields are the contract's, a field that does not apply is null."""

    n: int
    rite: str
    section: str
    clause: str
    text: str
    actor: str | None
    verb: str
    times: int
    object: str | None
    object_ids: list[str]
    target: str | None
    from_: str | None = msgspec.field(name="from")
    to: str | None
    place: str | None
    xy: list[float] | None
    facing: str | None
    posture: str | None
    speech: str | None
    music: str | None
    origin: str
    warrant: str | None
    reading: str | None
    start: float
    end: float
    via: list[str]
    roles: list[str]
    together: int | None = None
    hit: bool | None = None
    matter: str | None = None
    reason: str | None = None
    step: int | None = None
    path: list[list[float]] | None = None


def changed(journal: list[Any], event: Event) -> list[tuple[Any, str, Any]]:
    """Give the changes that an event caused."""
    return journal[event.changes[0] : event.changes[1]]
