"""Acts of the program made ready to be played: references turned into persons, spots and primitives, once for each act.

Comes in: one act of the program and the machine that will play it. Goes out: a ``Ready`` act. What does not change
while the rite is played (fixed persons, fixed places, the primitives of the verb) is worked out here and never again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from yanli.errors import Finding, YanliError
from yanli.performance.event import Info
from yanli.performance.primitives import DOES, NEEDS, Step
from yanli.performance.shooting import SURPLUS
from yanli.plan import program as p
from yanli.venue import Spot

if TYPE_CHECKING:
    from yanli.performance.machine import Machine
    from yanli.performance.world import Actor

Env = dict[str, "tuple[Actor, ...]"]
# How far from one's own place the small steps of the words (少退, 少進, 少右) carry, in 尺 (semantics 8).
PACE = 3.0
COMPASS = ("東北", "東南", "西北", "西南", "東", "西", "南", "北")
FACING_WORDS = ("北", "東北", "東", "東南", "南", "西南", "西", "西北")


class Ready:
    """An act ready to be played."""

    __slots__ = (
        "act", "actors", "ahead", "bulk", "carried", "held", "does", "facing", "fixed", "ground", "happens", "info", "moves", "needs", "place", "plain", "posture", "seconds", "slotted",
        "source", "stands", "target", "turns", "verb", "via", "walk_info",
    )  # fmt: skip

    def __init__(self, act: p.Act, machine: Machine) -> None:
        """Turn everything that is fixed into what it stands for."""
        verb = machine.acts.variant(act)
        self.act = act
        self.verb = act.verb
        self.seconds = verb.seconds * max(1, act.times)
        self.facing = act.facing
        self.fixed = machine.fixed(act.who)
        self.target = act.target
        self.place = act.place
        self.source = act.source
        self.ahead = act.ahead
        self.via = act.via
        self.bulk = verb.bulk
        self.held = verb.held
        self.needs: tuple[tuple[Step, str], ...] = tuple((NEEDS[name], argument) for name, argument in map(_pair, verb.needs))
        self.does: tuple[tuple[Step, str], ...] = tuple((DOES[name], argument) for name, argument in map(_pair, verb.does))
        words = {name for name, _ in map(_pair, verb.needs)}
        effects = {name for name, _ in map(_pair, verb.does)}
        self.stands = "stand" in words
        self.carried = bool(words & {"carries", "holds"})
        self.ground = "take" in effects
        self.moves = bool(effects & {"go", "ascend", "descend", "laststep", "pass"}) or "go" in words
        self.happens = act.mode == "does"
        # An act that needs no more than a standing man, and changes no more than his facing and posture.
        self.plain = (
            words <= {"stand"} and effects <= {"turn", "home", "go", "kneel", "stand"}
            and act.place is None and act.source is None and act.ahead is None and not act.via and act.giver is None
            and act.head is None and not act.things and not self._returns(verb.does) and "home" not in effects
            and act.verb not in machine.cup_verbs
        )  # fmt: skip
        self.turns = act.facing if "turn" in effects else None
        self.posture = "坐" if "kneel" in effects else "立" if "stand" in effects else None
        self.info = Info(
            act.verb, act.origin, clause=act.clause, span=act.span, times=act.times, speech=act.speech, music=act.music,
            matter=act.matter or (act.role if act.role else None) or act.manner, warrant=act.warrant, reading=act.reading,
            reason=act.reason, source=act.source.word if act.source else None, garments=act.garments,
        )  # fmt: skip
        self.walk_info: dict[str, Info] = {}
        self.slotted = SURPLUS in (act.speech or "")

    @staticmethod
    def _returns(does: tuple[tuple[str, ...], ...]) -> bool:
        """Whether one of the effects leads back to his 位."""
        return any(effect in {("go", "home"), ("turn", "home")} for effect in does)


def _pair(words: tuple[str, ...]) -> tuple[str, str]:
    return words[0], " ".join(words[1:])


def spot_of(machine: Machine, ref: p.PlaceRef, actor: Actor, env: Env) -> Spot | None:
    """Work out where a place is, now and for this actor; None (and a finding) if it cannot be."""
    if ref.fixed:
        return machine.layout.spot(ref.word)
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
    return by_person(machine, who, ref.rest, ref.word)


def by_person(machine: Machine, who: Actor, rest: str, word: str) -> Spot | None:
    """A place told from a person: his mat and what is about it, his stairs, his 位, his body."""
    layout = machine.layout
    if rest in {"位", ""}:
        home = who.homes.get(who.spot.zone) or next(iter(reversed(who.homes.values())), None)
        return home[0] if home is not None else who.spot
    if rest.startswith("階"):
        return layout.spot(who.stair + rest[1:])
    if rest == "所":
        return who.spot
    seat = machine.seat(who)
    moved = machine.moved_seats.get(who.name)
    if moved is not None and rest.startswith("席"):
        try:
            return layout.beside(moved, rest[1:]) if len(rest) > 1 else moved
        except YanliError:
            return moved
    if rest.startswith("席"):
        return None if seat is None else layout.spot(seat + rest[1:])
    if rest.startswith(("薦", "俎", "豆", "籩")):
        try:
            return layout.spot(f"{seat or ''}{rest}")
        except YanliError:
            # Who has no mat has his dishes before him.
            return layout.beside(_turned(who), "前", 2.0)
    if rest.startswith("身"):
        return layout.beside(_turned(who), rest[1:])
    if rest[0] in "東西南北":
        home = next((h for zone, h in reversed(who.homes.items()) if zone == who.spot.zone), None)
        home = home or next(iter(reversed(who.homes.values())), None)
        base = home[0] if home is not None else who.spot
        return layout.beside(base._replace(name=who.name), rest)
    return layout.beside(_turned(who), rest)


def _turned(who: Actor) -> Spot:
    return who.spot._replace(name=who.name, facing=who.facing)


def _by_thing(machine: Machine, ref: p.PlaceRef, actor: Actor) -> Spot | None:
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


def safe_spot(machine: Machine, ref: p.PlaceRef, actor: Actor, env: Env) -> Spot | None:
    """``spot_of``, with what the layout refuses turned into a finding."""
    try:
        return spot_of(machine, ref, actor, env)
    except YanliError as fault:
        for finding in fault.findings or (Finding(code="no-place", cause=str(fault)),):
            machine.fault(finding.code, finding.cause, actor, nearest=finding.nearest)
        return None
