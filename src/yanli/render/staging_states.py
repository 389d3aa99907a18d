"""Who and what there is in a staged performance, how things look, and how all is at first.

Comes in: a performance and the pools of words and spots. Goes out: people, things, kinds; and their states, in which
persons, things and spots are told by number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from yanli.performance.world import Actor, Thing
from yanli.render.moulds import MAT, SOUTH, TARGET, covering, mould_of, upright
from yanli.render.plan_account import ENGLISH_ZONES
from yanli.render.plan_margin import low_of
from yanli.render.plan_scene import GUEST, HOST, kept
from yanli.render.plan_text import Names
from yanli.render.staging_words import NONE
from yanli.venue import Spot

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from yanli.performance.perform import Performance
    from yanli.render.staging_words import Pool
    from yanli.render.wording import Wording
    from yanli.venue import Layout

NOBODY = -1
Change = tuple[str, int, str, Any]
PARTIES = {HOST: "host", GUEST: "guest"}


class Person(msgspec.Struct, kw_only=True):
    """A person: full name, its base and number (0 where there is but one), short name, party, groups."""

    name: int
    base: int
    number: int
    label: int
    en: str
    party: str
    groups: list[int]


class PersonState(msgspec.Struct, kw_only=True):
    """A person at a moment."""

    spot: int
    facing: float | None
    posture: int
    step: int | None
    left: list[int]
    right: list[int]
    belt: list[int]
    dress: list[int]
    roles: list[int]


class Item(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A thing: id, kind, whose it is. ``store``: the places where, while it lies there, it is kept and not shown."""

    id: str
    kind: int
    of: int
    store: list[int] = []


class ThingState(msgspec.Struct, kw_only=True):
    """A thing at a moment."""

    holder: int
    where: int
    spot: int
    filled: bool
    facing: float | None
    lay: int
    layers: int
    states: dict[str, str]


class Form(msgspec.Struct, kw_only=True, omit_defaults=True):
    """How things of a kind look: the mould that they have, whose mark is drawn, breadth and depth in 尺, English.

    ``stands``: it is set up; ``front``: the way it faces as it is measured and drawn, in degrees; ``holds``: the
    places of which what lies there lies in or on it; ``upon``: the kinds with which it is not seen by itself;
    ``called``: what its label says; ``laid``: where it lies to be counted; ``low``: how high its lower edge hangs.
    """

    form: str
    look: str
    size: tuple[float, float] | None
    en: str
    stands: bool = False
    front: float = SOUTH
    holds: list[str] = []
    upon: list[str] = []
    called: int = NONE
    laid: list[int] = []
    low: float | None = None


class Spots:
    """Every spot once: rounded to a hundredth of a 尺, with its name, zone, and the way things there are drawn facing.

    That way is left out where neither the place faces one nor its measures tell.
    """

    def __init__(self, pool: Pool, name_of: Callable[[str], int], layout: Layout) -> None:
        """Begin empty."""
        self._layout = layout
        self.rows: list[tuple[Any, ...]] = []
        self._pool = pool
        self._name_of = name_of
        self._places: dict[tuple[Any, ...], int] = {}

    def add(self, spot: Spot) -> int:
        """The number of a spot."""
        x, y = round(spot.x, 2) + 0.0, round(spot.y, 2) + 0.0
        row: tuple[Any, ...] = (x, y, self._name_of(spot.name), self._pool.add(spot.zone, ENGLISH_ZONES.get(spot.zone)))
        way = 90.0 if upright(self._layout, spot) else spot.facing
        if way is not None:
            row = (*row, whole(way))
        found = self._places.get(row)
        if found is None:
            found = self._places[row] = len(self.rows)
            self.rows.append(row)
        return found


class States:
    """Turns what a world holds into numbers."""

    def __init__(self, performance: Performance, pool: Pool, wording: Wording) -> None:
        """Number everybody and everything, in the order of the world."""
        world = performance.stage.world()
        self.world = world
        self.pool = pool
        self.wording = wording
        self.persons = {name: number for number, name in enumerate(world.actors)}
        self.things = {ident: number for number, ident in enumerate(world.things)}
        self.spots = Spots(pool, self.place, performance.stage.layout)
        self._places: dict[str, int] = {}

    def place(self, name: str) -> int:
        """A place by its name, with its English."""
        found = self._places.get(name)
        if found is None:
            thing = name in self.things
            en = None if thing else self.wording.place_en(name)
            found = self._places[name] = self.pool.add(name, en, aloud=not thing)
        return found

    def word(self, word: str | None) -> int:
        """Any word of the lexicon, with its English."""
        return NONE if word is None else self.pool.add(word, self.wording.word_en(word), aloud=True)

    def posture(self, word: str) -> int:
        """How one stands or kneels."""
        return self.pool.add(word, POSTURES.get(word), aloud=True)

    def person(self, actor: Actor) -> PersonState:
        """One person."""
        return PersonState(
            spot=self.spots.add(actor.spot), facing=whole(actor.facing), posture=self.posture(actor.posture),
            step=actor.step, left=self.held(actor.left), right=self.held(actor.right),
            belt=self.held(actor.belt), dress=[self.word(word) for word in actor.dress],
            roles=[self.role(word) for word in actor.roles],
        )  # fmt: skip

    def thing(self, thing: Thing) -> ThingState:
        """One thing."""
        where = thing.where
        return ThingState(
            holder=NOBODY if isinstance(where, str) else self.persons[where.name],
            where=self.place(where) if isinstance(where, str) else NOBODY, spot=self.spots.add(thing.spot),
            filled=thing.filled, facing=whole(thing.facing), lay=self.word(thing.lay), layers=thing.layers,
            states=dict(thing.states),
        )  # fmt: skip

    def role(self, word: str) -> int:
        """An office, with the short English of a label."""
        return self.pool.add(word, self.wording.person_en(word), aloud=True)

    def held(self, things: Sequence[Thing]) -> list[int]:
        """Things by number."""
        return [self.things[thing.id] for thing in things]

    def changes(self, triples: Sequence[tuple[Any, str, Any]]) -> list[Change]:
        """What an act changed; of several changes of one attribute the last, which alone is left."""
        found: dict[tuple[str, int, str], Any] = {}
        for obj, attribute, value in triples:
            if isinstance(obj, Actor):
                self._person_change(found, self.persons[obj.name], attribute, value)
            elif isinstance(obj, Thing):
                self._thing_change(found, self.things[obj.id], attribute, value)
            else:
                found["n", 0, "tally"] = dict(value)
        return [(*key, value) for key, value in found.items()]

    def _person_change(self, found: dict[tuple[str, int, str], Any], number: int, attribute: str, value: Any) -> None:  # noqa: ANN401
        match attribute:
            case "spot":
                said: Any = self.spots.add(value)
            case "facing":
                said = whole(value)
            case "step":
                said = value
            case "posture":
                said = self.posture(value)
            case "left" | "right" | "belt":
                said = self.held(value)
            case "dress":
                said = [self.word(word) for word in value]
            case "roles":
                said = [self.role(word) for word in value]
            case _:
                return
        found["p", number, attribute] = said

    def _thing_change(self, found: dict[tuple[str, int, str], Any], number: int, attribute: str, value: Any) -> None:  # noqa: ANN401
        match attribute:
            case "where":
                lies = isinstance(value, str)
                found["t", number, "holder"] = NOBODY if lies else self.persons[value.name]
                found["t", number, "where"] = self.place(value) if lies else NOBODY
                return
            case "spot":
                said: Any = self.spots.add(value)
            case "facing":
                said = whole(value)
            case "filled" | "layers":
                said = value
            case "lay":
                said = self.word(value)
            case "states":
                said = dict(value)
            case _:
                return
        found["t", number, attribute] = said


def whole(degrees: float | None) -> float | None:
    """Degrees, written as a whole number where they are one."""
    return int(degrees) if degrees is not None and degrees == int(degrees) else degrees


STANDING = "立"
POSTURES = {STANDING: "standing", "坐": "kneeling"}


def people_data(performance: Performance, states: States) -> list[Person]:
    """Everybody, in the order of the cast."""
    chinese, english = Names(performance, english=False), Names(performance, english=True)
    groups: dict[str, list[str]] = {}
    for word, names in performance.stage.cast.groups.items():
        for name in names:
            groups.setdefault(name, []).append(word)
    found = []
    for actor in states.world.actors.values():
        label, short = chinese.person(actor), english.person(actor)
        found.append(
            Person(
                name=states.role(actor.name),
                base=states.role(actor.base), number=actor.number,
                label=states.pool.add(label, short, aloud=True), en=short,
                party=PARTIES.get(actor.party, "other"),
                groups=[states.role(word) for word in groups.get(actor.name, ())],
            )
        )  # fmt: skip
    return found


def things_data(performance: Performance, states: States) -> list[Item]:
    """Everything, in the order of the inventory."""
    starts: dict[tuple[str, str | None], set[str]] = {}
    for prop in performance.stage.cast.properties:
        starts.setdefault((prop.kind, prop.of), set()).add(prop.at)
    found = []
    for thing in states.world.things.values():
        begins = starts.get((thing.kind, thing.of.name if thing.of else None), ())
        store = sorted(at for at in begins if kept(thing.kind, at))
        found.append(
            Item(
                id=thing.id, kind=states.pool.add(thing.kind, states.wording.thing_en(thing.kind), aloud=True),
                of=states.persons[thing.of.name] if thing.of else NOBODY, store=[states.place(at) for at in store],
            )
        )  # fmt: skip
    return found


def kinds_data(performance: Performance, states: States) -> dict[str, Form]:
    """How each kind of thing looks."""
    layout = performance.stage.layout
    measures = layout.building.measures
    found = {}
    kinds = dict.fromkeys(thing.kind for thing in states.world.things.values())
    for kind in kinds:
        mould = mould_of(kind)
        size = mould.ground
        low = None
        if mould.name == MAT:
            size = (measures.get("席長", 6.0), measures.get("席廣", 10 / 3))
        elif mould.name == TARGET and size is not None:
            size = (round((layout.size(kind) or size)[0], 2), size[1])
            low = low_of(kind, layout)
        called = mould.called
        found[kind] = Form(
            form=mould.name, look=mould.look, size=size, en=states.wording.thing_en(kind), stands=mould.set_up,
            front=whole(mould.front) or 0, holds=sorted(mould.holds), upon=list(covering(kind, kinds)),
            called=NONE if called is None else states.pool.add(called, states.wording.thing_en(called), aloud=True),
            laid=[states.place(place) for place in mould.laid], low=None if low is None else round(low, 3),
        )  # fmt: skip
    return found
