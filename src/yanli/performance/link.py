"""Acts of the program made ready to be played: references turned into persons, spots and primitives, once for each act.

Comes in: one act of the program and the machine that will play it. Goes out: a ``Ready`` act. What does not change
while the rite is played (fixed persons, fixed places, the primitives of the verb) is worked out here and never again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from yanli.errors import Finding, YanliError
from yanli.performance.event import Info
from yanli.performance.primitives import DOES, NEEDS, Effect, Need
from yanli.performance.shooting import SURPLUS
from yanli.plan import program as p
from yanli.venue import Spot

if TYPE_CHECKING:
    from yanli.performance.acting import Acting
    from yanli.performance.world import Actor
    from yanli.plan.acts import Verb

Env = dict[str, "tuple[Actor, ...]"]


class Ready:
    """An act ready to be played."""

    __slots__ = (
        "act",
        "ahead",
        "both",
        "bulk",
        "carried",
        "climbs",
        "does",
        "doffs",
        "dons",
        "facing",
        "fixed",
        "fronts",
        "ground",
        "handles",
        "happens",
        "has",
        "held",
        "info",
        "its",
        "lacks",
        "moves",
        "name",
        "needs",
        "place",
        "play",
        "posture",
        "receives",
        "seconds",
        "settles",
        "slotted",
        "source",
        "spot",
        "stair",
        "stands",
        "target",
        "turns",
        "verb",
        "via",
        "walk_info",
        "wears",
    )  # fmt: skip

    def __init__(self, act: p.Act, machine: Acting) -> None:
        """Turn everything that is fixed into what it stands for."""
        verb = machine.acts.variant(act)
        parts = machine.parts.get(id(verb))
        if parts is None:
            parts = machine.parts[id(verb)] = Parts(verb)
        does, words, effects = parts.does, parts.words, parts.effects
        self.act = act
        self.verb = act.verb
        self.seconds = verb.seconds * max(1, act.times)
        self.facing = act.facing
        self.fixed = machine.fixed(act.who)
        self.both = _two(act.who)
        self.target = act.target
        self.place = act.place
        self.source = act.source
        self.ahead = act.ahead
        self.via = act.via
        self.bulk = verb.bulk
        self.held = verb.held
        self.needs = parts.checks
        self.does = parts.changes
        self.stands = "stand" in words
        self.carried = bool(words & {"carries", "holds"})
        self.ground = "take" in effects
        self.moves = bool(effects & {"go", "ascend", "descend", "laststep", "pass"}) or "go" in words
        self.receives = machine.receives(act)
        self.handles = bool(
            act.things or act.giver is not None or self.carried or act.verb in machine.cup_verbs or self.receives
        )
        self.its = any(ref.its is not None for ref in act.things)
        self.happens = act.mode == "does"
        self.slotted = act.speech is not None and SURPLUS in act.speech
        refs = (act.place, act.source, *act.via)
        self.stair = next(
            (stair for ref in refs if ref is not None for stair in machine.stairs if ref.word.startswith(stair)), None
        )
        self.spot = _fixed_spot(machine, act.place)
        self.name = machine.shelf(act.place, self.spot) if act.place is not None and self.spot is not None else None
        self.climbs = bool(effects & {"ascend", "descend"})
        self.fronts = "front" in effects
        self.turns = act.facing if "turn" in effects else None
        self.posture = "坐" if "kneel" in effects else "立" if "stand" in effects else None
        self.settles = ("home", "here") in does or (("home", "place") in does and act.place is not None)
        self.has = parts.has
        self.wears = _garments(act, parts.wears)
        self.lacks = parts.lacks
        self.dons = _garments(act, parts.dons)
        self.doffs = _garments(act, parts.doffs)
        self.play = self._way_of_playing(machine, parts)
        self.info = Info(
            act.verb, act.origin, clause=act.clause, span=act.span, times=act.times, speech=act.speech, music=act.music,
            matter=act.matter or act.role or act.manner, warrant=act.warrant, reading=act.reading, reason=act.reason,
            source=act.source.word if act.source else None, garments=act.garments,
        )  # fmt: skip
        self.walk_info: dict[str, Info] = {}

    def _way_of_playing(self, machine: Acting, parts: Parts) -> str:
        """``plain``: no thing and no place; ``walk``: a place and no thing; ``whole``: everything is looked at.

        The first two do what the third would, with less to look at; most acts of a rite are such.
        """
        act = self.act
        simple = act.source is None and act.ahead is None and act.giver is None and act.head is None and not act.things
        if not simple or not parts.simple or act.verb in machine.cup_verbs or self.receives:
            return "whole"
        if act.place is None and not act.via:
            # 立 without a place makes his 位 of where he is.
            return "whole" if self.settles else "plain"
        return "walk" if parts.walks and act.place is not None else "whole"


class Parts:
    """What a verb needs and does, taken apart once for all its acts."""

    def __init__(self, verb: Verb) -> None:
        """Sort needs and effects by what they are about."""
        self.needs = [_pair(words) for words in verb.needs]
        self.does = [_pair(words) for words in verb.does]
        self.words = {name for name, _ in self.needs}
        self.effects = {name for name, _ in self.does}
        self.checks: tuple[tuple[Need, str], ...] = tuple((NEEDS[name], argument) for name, argument in self.needs)
        self.changes: tuple[tuple[Effect, str], ...] = tuple((DOES[name], argument) for name, argument in self.does)
        self.has = tuple(what for name, what in self.needs if name in {"carries", "holds"} and what != "object")
        self.wears = tuple(what for name, what in self.needs if name == "wears")
        self.lacks = tuple(what for name, what in self.needs if name == "lacks")
        self.dons = tuple(what for name, what in self.does if name == "wear")
        self.doffs = tuple(what for name, what in self.does if name == "doff")
        self.simple = (
            all(
                name in PLAIN_NEEDS and (name not in {"carries", "holds"} or what != "object")
                for name, what in self.needs
            )
            and all(effect in PLAIN_DOES or effect[0] in {"wear", "doff"} for effect in self.does)
            # What need_holds finds in the hand is the thing of the act.
            and not any(name == "holds" for name, _ in self.needs)
        )
        self.walks = (
            ("go", "place") in self.does
            and not self.effects & {"front", "wear", "doff"}
            and all(name == "stand" for name, _ in self.needs)
        )


# What an act may need and do that is played without looking for things.
PLAIN_NEEDS = frozenset({"stand", "carries", "holds", "wears", "lacks"})
PLAIN_DOES = frozenset(
    {
        ("go", "place"), ("home", "place"), ("home", "here"), ("turn", "facing"), ("kneel", ""), ("stand", ""),
        ("untie", "object"), ("front", "target"),
    }
)  # fmt: skip


def _garments(act: p.Act, words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(garment for word in words for garment in (act.garments if word == "garment" else (word,)))


def _fixed_spot(machine: Acting, ref: p.PlaceRef | None) -> Spot | None:
    if ref is None or not ref.fixed or ref.word == "其所":
        return None
    try:
        return machine.layout.spot(ref.word)
    except YanliError:
        return None


def _two(who: p.WhoRef) -> tuple[str, str] | None:
    """The names of two who are bound at the moment (上射、下射), or None."""
    if isinstance(who, p.Several) and len(who.parts) == 2:  # noqa: PLR2004 - two
        one, other = who.parts
        if isinstance(one, p.Bound) and isinstance(other, p.Bound):
            return one.word, other.word
    return None


def _pair(words: tuple[str, ...]) -> tuple[str, str]:
    return words[0], " ".join(words[1:])


def spot_of(machine: Acting, ref: p.PlaceRef, actor: Actor, env: Env) -> Spot | None:
    """Work out where a place is, now and for this actor; None (and a finding) if it cannot be."""
    if ref.fixed:
        return machine.layout.spot(ref.word)
    if ref.its is not None:
        return _by_target(machine, ref.its, ref.rest, actor)
    if ref.anchor is not None:
        return machine.layout.beside(machine.layout.spot(ref.anchor), ref.rest)
    if ref.thing is not None:
        return _by_thing(machine, ref, actor)
    who = actor
    if ref.who is not None:
        found = machine.people(ref.who, env)
        if not found:
            machine.fault("nobody-there", f"{ref.word}: nobody is there to tell the place from", actor)
            return None
        who = found[0]
    return by_person(machine, who, ref.rest)


def _by_target(machine: Acting, key: str, rest: str, actor: Actor) -> Spot | None:
    """What belongs to the actor's own target (其侯, 其乏), or a place beside it."""
    name = machine.its(key, actor)
    spot = machine.layout.spot(name) if name is not None else None
    return machine.layout.beside(spot, rest) if spot is not None and rest else spot


def by_person(machine: Acting, who: Actor, rest: str) -> Spot | None:
    """A place told from a person: his mat and what is about it, his stairs, his 位, his body."""
    layout = machine.layout
    if rest in {"位", "所", ""}:
        return who.spot if rest == "所" else _home(who)
    if rest.startswith("階"):
        return layout.spot(who.stair + rest[1:])
    if rest.startswith("席"):
        return _by_mat(machine, who, rest[1:])
    if rest.startswith(("薦", "俎", "豆", "籩")):
        return _by_dishes(machine, who, rest)
    if rest[0] in "東西南北":
        return layout.beside(_home(who)._replace(name=who.name), rest)
    return layout.beside(_turned(who), rest.removeprefix("身"))


def _by_mat(machine: Acting, who: Actor, rest: str) -> Spot | None:
    """His mat or a place beside it, where it was last spread; None if he has none."""
    moved = machine.moved_seats.get(who.name)
    if moved is None:
        seat = machine.seat(who)
        return None if seat is None else machine.layout.spot(seat + rest)
    try:
        return machine.layout.beside(moved, rest) if rest else moved
    except YanliError:
        return moved


def _by_dishes(machine: Acting, who: Actor, rest: str) -> Spot:
    """His dishes, before his mat; who has no mat has them before him."""
    try:
        return machine.layout.spot(f"{machine.seat(who) or ''}{rest}")
    except YanliError:
        return machine.layout.beside(_turned(who), "前", 2.0)


def _home(who: Actor) -> Spot:
    """His 位 in the zone where he is, failing that the last he had, failing that where he is."""
    home = who.homes.get(who.spot.zone) or next(iter(reversed(who.homes.values())), None)
    return home[0] if home is not None else who.spot


def _turned(who: Actor) -> Spot:
    return who.spot._replace(name=who.name, facing=who.facing)


def _by_thing(machine: Acting, ref: p.PlaceRef, actor: Actor) -> Spot | None:
    """A place told from a thing that may move: from where it is now (the actor's own, else the one he used last)."""
    kind = ref.thing or ""
    found = machine.which(kind, actor)
    if found is None:
        machine.fault("no-such-thing", f"{ref.word}: there is no {kind}", actor)
        return None
    base = found.spot if isinstance(found.where, str) else found.where.spot
    if not ref.rest:
        return base
    return machine.layout.beside(base._replace(name=kind, facing=found.facing), ref.rest)


def safe_spot(machine: Acting, ref: p.PlaceRef, actor: Actor, env: Env) -> Spot | None:
    """``spot_of``, with what the layout refuses turned into a finding."""
    try:
        return spot_of(machine, ref, actor, env)
    except YanliError as fault:
        for finding in fault.findings or (Finding(code="no-place", cause=str(fault)),):
            machine.fault(finding.code, finding.cause, actor, nearest=finding.nearest)
        return None
