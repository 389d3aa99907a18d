"""Who and what is to be drawn at one moment, before anything has a place on the sheet.

Comes in: a performance and a world. Goes out: a :class:`Scene`: figures and rows of them, things gathered where they
lie, who is too far away to be drawn, and the stretches of ground that matter. All still in 尺.
"""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING, NamedTuple

from yanli.render.moulds import MAT, TARGET, covering, mould_of, stores
from yanli.venue.spot import FACINGS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yanli.performance.perform import Performance
    from yanli.performance.world import Actor, Thing, World
    from yanli.render.moulds import Mould
    from yanli.render.plan_text import Names
    from yanli.venue import Layout

HOST = "主黨"
GUEST = "賓黨"
BESIDE_GATE = 12.0
"""So far outside the gate people are drawn."""
RECEIVING = 44.0
"""So far, when the host's people are out there."""
UNSEEN = ("房", "室")
SAME = 0.1
"""What is no farther from another than this lies where that lies, in 尺."""
APART = 7.0
"""In a row nobody stands farther than this from the one before him, in 尺."""


class Stack(NamedTuple):
    """Things of one kind that lie together, and what lies in or on them."""

    kind: str
    where: str
    things: tuple[Thing, ...]
    x: float
    y: float
    content: tuple[Thing, ...] = ()

    @property
    def mould(self) -> Mould:
        """How it looks."""
        return mould_of(self.kind)

    @property
    def form(self) -> str:
        """The kind whose form it has: 鹿中 is a 中, 大侯 a 侯, every cup a 爵."""
        return self.mould.name

    @property
    def fixed(self) -> bool:
        """Whether it is set up, and not merely laid by (in 堂西, 堂東)."""
        return self.mould.set_up and (self.where == self.kind or self.where != self.things[0].spot.zone)

    @property
    def counted(self) -> bool:
        """Whether these are sticks laid for a side, whose place tells whose they are."""
        return self.where in self.mould.laid

    def holding(self, form: str) -> tuple[Thing, ...]:
        """What of a form lies in or on it."""
        return tuple(thing for thing in self.content if mould_of(thing.kind).name == form)


class Row(NamedTuple):
    """People who stand in a row in rank order; ``head`` is the quarter where the first stands."""

    members: tuple[Actor, ...]
    pitch: float
    head: str


class Scene(NamedTuple):
    """Everything that is to be seen."""

    actors: tuple[Actor, ...]
    rows: tuple[Row, ...]
    stacks: tuple[Stack, ...]
    away: tuple[tuple[str, tuple[Row, ...]], ...]
    west: float
    east: float
    stretches: tuple[tuple[float, float], ...]
    geared: bool


def scene_of(performance: Performance, world: World, names: Names) -> Scene:
    """Choose what is drawn."""
    layout = performance.stage.layout
    measures = layout.building.measures
    gate, half = -measures["庭深"], measures["庭廣"] / 2
    shown, far = _divided(world, gate, half)
    stacks = _stacks(performance, world, gate)
    west = min([-half, *(actor.spot.x - 1.0 for actor in shown)]) - 2.0
    east = max([half, *(actor.spot.x + 1.0 for actor in shown)]) + 2.0
    top = measures["堂深"] + measures["後深"] + measures["堂後"] + 1.5
    stretches = [(max(gate, -40.0), top), (gate - 3.0, gate + 4.0)]
    stretches += [(actor.spot.y - 4.5, actor.spot.y + 4.0) for actor in shown]
    for stack in stacks:
        room = 6.0 if stack.form == TARGET else 3.0
        stretches.append((stack.y - room, stack.y + room))
    away: dict[str, list[Actor]] = {}
    for actor in far:
        away.setdefault(actor.spot.name.rstrip(".0123456789"), []).append(actor)
    starts = _starts(performance)
    geared = any(
        isinstance(thing.where, str)
        and thing.where not in starts.get((thing.kind, thing.of.name if thing.of else None), ())
        for thing in world.things.values()
        if thing.kind == "弓"
    ) or any(thing.kind == "弓" for actor in shown for thing in actor.left)
    return Scene(
        tuple(shown), tuple(rows_of(shown, names)), tuple(stacks),
        tuple((place, tuple(rows_of(people, names, near=False))) for place, people in away.items()),
        west, east, tuple(stretches), geared,
    )  # fmt: skip


def unseen(zone: str) -> bool:
    """Whether a zone is a closed room, into which nobody sees: the chamber and the rooms beside it."""
    return zone.endswith(UNSEEN)


def kept(kind: str, place: str) -> bool:
    """Whether what begins at a place is kept there out of sight, until it is brought out."""
    mould = mould_of(kind)
    return place in stores() or (mould.ground is not None and place != kind)


def is_drawn(thing: Thing) -> bool:
    """Whether a thing lies somewhere and is not held."""
    return isinstance(thing.where, str)


def _divided(world: World, gate: float, half: float) -> tuple[list[Actor], list[Actor]]:
    """Who is drawn, and who is too far away."""
    outside = [actor for actor in world.actors.values() if actor.spot.zone == "門外" or actor.spot.y < gate]
    hosts = [actor for actor in outside if actor.party == HOST]
    busy = any(abs(actor.spot.y - gate) < RECEIVING for actor in hosts)
    reach = RECEIVING if busy else BESIDE_GATE
    distant: set[str] = set()
    for actor in outside:
        spot = actor.spot
        by_gate = gate - spot.y <= reach and abs(spot.x) <= half
        visited = any(hypot(host.spot.x - spot.x, host.spot.y - spot.y) < RECEIVING / 2 for host in hosts)
        if not (by_gate or visited):
            distant.add(actor.name)
    # Who stands in one row outside is drawn together or not at all.
    places = {actor.spot.name for actor in outside if actor.name in distant and actor.number > 0}
    distant |= {actor.name for actor in outside if actor.spot.name in places and actor.number > 0}
    actors = list(world.actors.values())
    return [one for one in actors if one.name not in distant], [one for one in actors if one.name in distant]


def _starts(performance: Performance) -> dict[tuple[str, str | None], set[str]]:
    starts: dict[tuple[str, str | None], set[str]] = {}
    for prop in performance.stage.cast.properties:
        starts.setdefault((prop.kind, prop.of), set()).add(prop.at)
    return starts


def _stacks(performance: Performance, world: World, gate: float) -> list[Stack]:
    """Things that lie about, gathered by kind and place; what has not yet been brought out of store is left away."""
    starts = _starts(performance)
    gathered: dict[tuple[str, str, float, float], list[Thing]] = {}
    for thing in world.things.values():
        where, spot = thing.where, thing.spot
        if not isinstance(where, str) or where in world.things or unseen(spot.zone) or spot.y < gate:
            continue
        unmoved = where in starts.get((thing.kind, thing.of.name if thing.of else None), ())
        if unmoved and kept(thing.kind, where):
            continue
        owner = thing.of.name if thing.of is not None and thing.kind == MAT else ""
        gathered.setdefault((thing.kind, f"{where}{owner}", round(spot.x, 1), round(spot.y, 1)), []).append(thing)
    found = [
        Stack(kind, str(things[0].where), tuple(things), things[0].spot.x, things[0].spot.y)
        for (kind, _, _, _), things in gathered.items()
    ]
    return _filled(found, {prop.kind for prop in performance.stage.cast.properties})


def _filled(stacks: list[Stack], kinds: set[str]) -> list[Stack]:
    """What lies in or on a thing that is set up goes into its stack; with one that is in store, it is not shown."""
    holders = {name: stack for stack in stacks if stack.fixed for name in stack.mould.holds}
    inside: dict[str, list[Thing]] = {}
    rest: list[Stack] = []
    for stack in stacks:
        holder = holders.get(stack.where)
        if holder is not None and holder is not stack and stack.kind != holder.kind:
            inside.setdefault(holder.kind, []).extend(stack.things)
        elif (stack.where in kinds and stack.kind != stack.where and holder is None) or _covered(stack, stacks):
            continue
        else:
            rest.append(stack)
    return [
        stack._replace(content=tuple(inside.get(stack.kind, ()))) if stack.kind in inside else stack for stack in rest
    ]


def _covered(stack: Stack, stacks: list[Stack]) -> bool:
    """Whether it lies on a thing with which it is not seen by itself: a second mat, a cloth on jars."""
    near = [
        other.kind
        for other in stacks
        if other.where == stack.where or (abs(other.x - stack.x) < SAME and abs(other.y - stack.y) < SAME)
    ]
    return bool(covering(stack.kind, near))


def rows_of(actors: Iterable[Actor], names: Names, *, near: bool = True) -> list[Row]:
    """People of one name who follow one another in rank and in space; everybody else is a row of one."""
    found: list[list[Actor]] = []
    ranked = sorted(actors, key=lambda actor: ("" if actor.base in names.families else actor.base, actor.index))
    for actor in ranked:
        row = found[-1] if found else None
        if row is not None and _follows(row, actor, names, near=near):
            row.append(actor)
        else:
            found.append([actor])
    return [Row(tuple(row), _pitch(row), _head(row)) for row in found]


def _follows(row: list[Actor], actor: Actor, names: Names, *, near: bool) -> bool:
    last = row[-1]
    family = names.families.get(last.base)
    if last.roles or actor.roles:
        return False
    if family is None:
        ranked = actor.base == last.base and actor.number == last.number + 1
    else:
        ranked = names.families.get(actor.base) == family and actor.index == last.index + 1
    return ranked and (not near or _goes_on(row, actor))


def _goes_on(row: list[Actor], actor: Actor) -> bool:
    """Whether somebody stands at the next step of a row, like those in it; or all of them on one spot."""
    last = row[-1]
    x, y = actor.spot.x - last.spot.x, actor.spot.y - last.spot.y
    far = hypot(x, y)
    if actor.facing != last.facing or actor.posture != last.posture or far > APART:
        return False
    if len(row) == 1:
        return True
    u, v = last.spot.x - row[-2].spot.x, last.spot.y - row[-2].spot.y
    return abs(x - u) < 0.3 and abs(y - v) < 0.3  # noqa: PLR2004 - the same step again


def _pitch(row: list[Actor]) -> float:
    if len(row) == 1:
        return 0.0
    return hypot(row[1].spot.x - row[0].spot.x, row[1].spot.y - row[0].spot.y)


def _head(row: list[Actor]) -> str:
    """The quarter in which the first stands, as 東上 and 北上 say it; "" for no row."""
    if len(row) == 1:
        return ""
    x, y = row[0].spot.x - row[-1].spot.x, row[0].spot.y - row[-1].spot.y
    if max(abs(x), abs(y)) < 0.01:  # noqa: PLR2004 - a hair
        return ""
    if abs(x) > abs(y):
        return "東" if x > 0 else "西"
    return "北" if y > 0 else "南"


def front_of(degrees: float) -> tuple[int, int]:
    """The nearest of the four ways as a step on the sheet (y down); used where a mat lies."""
    quarter = round(degrees / 90.0) % 4
    return ((0, -1), (1, 0), (0, 1), (-1, 0))[quarter]


def head_of(layout: Layout, place: str, facing: float) -> tuple[int, int] | None:
    """The way to the head of a mat as a step on the sheet, if its place has one."""
    rule = layout.rule(place)
    if rule is None:
        return None
    turned = rule.other is not None and facing == FACINGS.get(rule.other.facing)
    word = (rule.other.head if turned and rule.other else "") or rule.head
    return front_of(FACINGS[word]) if word else None
