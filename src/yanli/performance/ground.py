"""Where people and things are: seats, stairs, rows, the spots beside things and persons."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from yanli.errors import Grade, YanliError
from yanli.performance.moving import ON_STAIRS, Way, between, leg_seconds, step, travel, way_to
from yanli.performance.world import NOWHERE, World
from yanli.venue import Leg, Spot

if TYPE_CHECKING:
    from yanli.performance.context import Context
    from yanli.performance.event import Event
    from yanli.performance.link import Ready
    from yanli.performance.stage import Stage
    from yanli.performance.world import Actor, Thing
    from yanli.plan import program as p

# How near one stands to another to give and take, how far one reaches without taking a step, and how far apart people
# stand in a row, in 尺 (the project's own).
ARM = 2.5
REACH = 4.5
ROW = 4.0
MAT = 8.0
SIGHT = 60.0
SHORT = 1.5
FAN = 12
# So many ways are kept ready.
KEPT = 20_000
# An approach of no more signs than these is a side of the place (東, 西南); a longer one names another place.
SIDE = 2


class Ground(ABC):
    """The part of the machine that knows the ground: it keeps world, layout, rows, routes and the journal's mark."""

    nowhere = NOWHERE

    def __init__(self, stage: Stage) -> None:
        """Set the stage."""
        self.stage = stage
        self.rite = stage.rite
        self.layout = stage.layout
        self.acts = stage.acts
        # The stairs of the building by name: 阼階, 西階, and whichever else it has.
        self.stairs: tuple[str, ...] = tuple(stage.layout.building.stairs)
        # The zones on the level of the hall.
        self.high = frozenset(zone for zone, level in stage.layout.levels.items() if level == "上")
        self.world: World = stage.world()
        self.by_kind: dict[str, list[Thing]] = {}
        for thing in self.world.things.values():
            self.by_kind.setdefault(thing.kind, []).append(thing)
        self.handled: set[str] = set()
        self.small = stage.small
        self.bearing = stage.bearing
        self.cup_verbs = stage.cup_verbs
        self.vessels = stage.vessels
        self.last: dict[tuple[str, str], Thing] = {}
        self.rest: dict[str, tuple[str, Spot]] = {}
        self.routes: dict[Any, tuple[Way, ...]] = {}
        self.events: list[Event] = []
        self.findings: list[Any] = []
        self.clock = 0.0
        self.mark = 0
        self.untaken: dict[int, str] = {}
        self.passed = 0
        self.times: list[tuple[float, str]] = []
        self._cramped: bool | None = None
        self._fixed: dict[Any, tuple[Actor, ...]] = {}
        self._rows: dict[tuple[object, ...], list[Spot]] = {}
        self._slots: dict[tuple[object, ...], dict[str, int]] = {}
        self.moved_seats: dict[str, Spot] = {}
        self._seats: dict[str, str | None] = {}
        self._ends: dict[tuple[str, str, float, float], Spot] = {}
        self._approaches: dict[Any, Spot] = {}
        self._fans: dict[tuple[Spot, int], tuple[Spot, ...]] = {}

    # ── what the whole machine does: the engine's own acts, and findings ────────────────────────────────────────────

    @abstractmethod
    def infer_posture(self, c: Context, verb: str, posture: str) -> None:
        """He rises, or kneels, of himself."""

    @abstractmethod
    def infer_way(self, c: Context, way: Way, reason: str) -> None:
        """He walks, or takes the stairs, of himself."""

    @abstractmethod
    def fault(
        self, code: str, cause: str, actor: Actor, *, nearest: tuple[str, ...] = (), grade: Grade = "error"
    ) -> None:
        """Something of an act cannot be worked out."""

    # ── seats, stairs, homes ────────────────────────────────────────────────────────────────────────────────────────

    def seat(self, actor: Actor) -> str | None:
        """The name of the place where his mat is, or None."""
        if actor.name not in self._seats:
            self._seats[actor.name] = self.layout.seat_of(actor.name)
        return self._seats[actor.name]

    def mat_spot(
        self, actor: Actor, place: Spot | None, facing: float | None, head: str | None, index: int, count: int
    ) -> Spot | None:
        """Where a person's mat is spread: at his seat, unless the words name a place more than a mat's length away."""
        seat = self.seat(actor)
        usual = self.layout.spot(seat) if seat is not None else None
        if place is None or (usual is not None and index == 0 and _within(usual, place, MAT)):
            return usual
        if usual is not None and count > 1 and _within(usual, place, MAT * (count + 1)) and usual.facing == facing:
            return usual
        if count > 1:
            row = self.layout.row(place, count, facing if facing is not None else 180.0, head, MAT).spots
            place = row[index]._replace(name=f"{place.name}.{index + 1}")
        elsewhere = Spot(place.name, place.x, place.y, place.zone, facing if facing is not None else place.facing)
        self.moved_seats[actor.name] = elsewhere
        return elsewhere

    def up(self, spot: Spot) -> bool:
        """Whether a spot is on the level of the hall."""
        return spot.zone in self.high

    def near(self, a: Spot, b: Spot) -> bool:
        """Within reach, and on the same level; or one on the stairs and the other at their top (盡階不升堂受爵)."""
        if a.zone in ON_STAIRS:
            return self._at_top(a, b)
        if b.zone in ON_STAIRS:
            return self._at_top(b, a)
        return abs(a.x - b.x) <= REACH and abs(a.y - b.y) <= REACH and self.up(a) == self.up(b)

    def _at_top(self, below: Spot, other: Spot) -> bool:
        """Whether who is on some stairs reaches another: at the top of the same stairs, or as near as anybody."""
        stair = self._stair_in(below.name)
        if stair is not None and self.up(other) and other.name.startswith(f"{stair}上"):
            return abs(below.y - other.y) <= 2 * REACH
        return abs(below.x - other.x) <= REACH and abs(below.y - other.y) <= REACH and not self.up(other)

    def stair_of(self, spot: Spot, actor: Actor) -> str:
        """The stairs that a spot is on, or the actor's own."""
        named = self._stair_in(spot.name) if spot.zone in ON_STAIRS else None
        return named or actor.stair

    def home_of(self, actor: Actor, near: Spot | None) -> tuple[Spot, float] | None:
        """His 位 in the zone where he is; failing that the last he had on this level, and then the last of all."""
        homes = actor.homes
        here = near if near is not None else actor.spot
        found = homes.get(here.zone)
        if found is not None:
            return found
        last = list(reversed(homes.values()))
        return next((home for home in last if self.up(home[0]) == self.up(here)), last[0] if last else None)

    # ── moving ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def arrive(self, actor: Actor, way: Way) -> None:
        """Put an actor at the end of a leg, facing the way he came (the eight ways)."""
        journal = self.world.journal
        actor.spot = way.end
        journal.append((actor, "spot", way.end))
        facing = way.facing
        if facing is not None and facing != actor.facing:
            actor.facing = facing
            journal.append((actor, "facing", facing))
        if actor.step is not None:
            self.world.set(actor, "step", None)

    def ways(self, actor: Actor, spot: Spot, stair: str | None, via: tuple[Spot, ...]) -> tuple[Way, ...]:
        """The legs from where he is to a spot, by the stairs named or his own, past the spots of ``via``."""
        start = actor.spot
        by = stair or (self.stair_of(start, actor) if start.zone in ON_STAIRS else actor.stair)
        key = (start, spot, by, via)
        found = self.routes.get(key)
        if found is None:
            try:
                legs = self.layout.route(start, spot, by, via).legs
            except YanliError as fault:
                # Where the building has no room for a mat, that is the fault, and it is told of the building; that no
                # way leads there only follows from it.
                for finding in fault.findings:
                    grade: Grade = "warning" if self.cramped() else "error"
                    self.fault(finding.code, finding.cause, actor, nearest=finding.nearest, grade=grade)
                legs = ()
            if len(self.routes) >= KEPT:
                # Ways from one row to another are seldom walked twice: the store must not grow with the crowd.
                self.routes.clear()
            found = self.routes[key] = self._ready(legs or self.straight(start, spot), spot)
        return found

    def cramped(self) -> bool:
        """Whether the building has no room for somebody's mat."""
        if self._cramped is None:
            owners = {prop.of for prop in self.stage.cast.properties if prop.kind == "席" and prop.of is not None}
            seats = {self.layout.seat_of(name) for name in owners}
            self._cramped = any(seat is not None and self.layout.misfit(seat) is not None for seat in seats)
        return self._cramped

    def _ready(self, legs: tuple[Leg, ...], spot: Spot) -> tuple[Way, ...]:
        last = len(legs) - 1
        return tuple(Way(leg, spot if index == last else self.leg_end(leg)) for index, leg in enumerate(legs))

    def leg_end(self, leg: Leg) -> Spot:
        """The spot at which a leg ends that is not the last: foot or top of the stairs, or a corner."""
        x, y = leg.points[-1]
        key = (leg.kind, leg.stair or "", x, y)
        found = self._ends.get(key)
        if found is None:
            name = f"{leg.stair}{'上' if leg.kind == '升' else '前'}" if leg.stair else ""
            zone = self.layout.zone_at(x, y)
            found = self._ends[key] = Spot(name or zone, x, y, zone)
        return found

    def straight(self, a: Spot, b: Spot) -> tuple[Leg, ...]:
        """A plain line, where the building knows no way."""
        far = ((a.x - b.x) ** 2 + (a.y - b.y) ** 2) ** 0.5
        return (Leg("行", ((a.x, a.y), (b.x, b.y)), far),)

    def climb(self, c: Context, *, up: bool, last: bool = False) -> None:
        """Up or down the stairs as the act: the way to the stairs is inferred, what follows is the act."""
        actor = c.actor
        named = self._stair_in(c.place.name) if c.place is not None else None
        stair = c.ready.stair or named or self.stair_of(actor.spot, actor)
        kind = "升" if up else "降"
        if actor.posture != "立":
            self.infer_posture(c, "興", "立")
        if last or c.act.steps is not None:
            self._part_way(c, stair, up=up, steps=None if last else c.act.steps)
            return
        goal = c.place
        if goal is None or goal.name in self.stairs:
            goal = self.layout.spot(f"{stair}{'上' if up else '前'}")
            if 1 < c.count <= FAN:
                goal = self._fanned(goal, c.index, c.count)
        if actor.spot is goal:
            return
        ways = self.ways(actor, goal, stair, ())
        begin = next((index for index, way in enumerate(ways) if way.kind == kind), 0)
        for way in ways[:begin]:
            self.infer_way(c, way, f"{kind}自{stair}，先至階{'下' if up else '上'}")
        for way in ways[begin:]:
            step(self, c, way)

    def _fanned(self, spot: Spot, index: int, count: int) -> Spot:
        """One of several spots about the head or foot of the stairs, for a group that takes them together."""
        key = (spot, count)
        row = self._fans.get(key)
        if row is None:
            wide = max(1, round(count**0.5))
            row = self._fans[key] = tuple(
                Spot(
                    spot.name,
                    spot.x + (number % wide - (wide - 1) / 2) * ARM,
                    spot.y + (number // wide) * ARM * (1 if self.up(spot) else -1),
                    spot.zone,
                )
                for number in range(count)
            )
        return row[index]

    def _stair_in(self, name: str) -> str | None:
        return next((stair for stair in self.stairs if name.startswith(stair)), None)

    def _part_way(self, c: Context, stair: str, *, up: bool, steps: int | None) -> None:
        """Some steps of the stairs, counted from the ground when going up and from the hall when going down."""
        actor = c.actor
        foot, top = self.layout.spot(f"{stair}前"), self.layout.spot(f"{stair}上")
        legs = self.layout.route(foot, top, stair).legs
        flight = next((leg for leg in legs if leg.kind == "升"), None)
        if flight is None:
            travel(self, c, top if up else foot)
            return
        number = flight.steps
        if actor.spot.zone not in ON_STAIRS:
            reason = f"{c.ready.verb}自{stair}，先至階{'下' if up else '上'}"
            travel(self, c, foot if up else top, inferred=reason)
        at = number if steps is None else min(number, steps) if up else max(0, number - steps)
        was = actor.step if actor.step is not None else 0 if up else number
        x, y = between(flight.points, at / number if number else 1.0)
        spot, here = Spot(stair, x, y, self.layout.spot(stair).zone), actor.spot
        far = ((here.x - x) ** 2 + (here.y - y) ** 2) ** 0.5
        part = Leg("升" if up else "降", ((here.x, here.y), (x, y)), far, stair, abs(at - was))
        c.path = part.points
        c.seconds += leg_seconds(part)
        c.moved = True
        if (actor.spot.x, actor.spot.y) != (x, y):
            self.world.set(actor, "facing", way_to(actor.spot, spot))
        self.world.move(actor, spot)
        self.world.set(actor, "step", at)

    def front(self, actor: Actor, other: Actor) -> None:
        """Turn an actor to another who is behind him, nearer than is out of sight."""
        a, b = actor.spot, other.spot
        if abs(a.x - b.x) + abs(a.y - b.y) < 1.0 or abs(a.x - b.x) + abs(a.y - b.y) > SIGHT:
            return
        facing = way_to(a, b)
        if abs((facing - actor.facing + 180.0) % 360.0 - 180.0) > 90.0:  # noqa: PLR2004 - a right angle
            self.world.set(actor, "facing", facing)

    # ── rows ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def in_row(
        self, spot: Spot, actor: Actor, facing: float | None, head: str | None, count: int, ready: Ready
    ) -> Spot:
        """The actor's own spot in a row at a place; who comes later stands further from the head."""
        facing = facing if facing is not None else spot.facing if spot.facing is not None else 180.0
        key = (spot.name, round(spot.x), round(spot.y), facing, head)
        slots = self._slots.setdefault(key, {})
        slot = slots.get(actor.name)
        if slot is None:
            slot = slots[actor.name] = len(slots)
        row = self._rows.get(key)
        if row is None or slot >= len(row):
            wanted = max(count, slot + 1, 2 * len(row or ()))
            made = self.layout.row(spot, wanted, facing, head, ROW if head else ARM)
            row = self._rows[key] = [Spot(spot.name, other.x, other.y, other.zone, facing) for other in made.spots]
            if made.folded and made.rows > 1:
                self.note_folded(ready, spot.name, wanted, made.rows)
        return row[slot]

    def note_folded(self, ready: Ready, place: str, count: int, rows: int) -> None:
        """A warning: the row did not fit and stands in several (重行)."""
        from yanli.errors import Finding

        clause = self.rite.clauses[ready.act.clause]
        if any(f.code == "row-folded" and f.words == clause.text for f in self.findings):
            return
        self.findings.append(
            Finding(
                code="row-folded",
                grade="warning",
                clause=str(clause.id),
                words=clause.text,
                span=ready.act.span,
                cause=f"{place}: {count} do not fit in one row; they stand in {rows} (重行)",
            )
        )

    # ── beside things and persons ───────────────────────────────────────────────────────────────────────────────────

    def approach(self, name: str, spot: Spot) -> Spot:
        """Where one stands to use what is at a place: as the layout says, else a little short of it."""
        key = (name, spot)
        found = self._approaches.get(key)
        if found is not None:
            return found
        rule = self.layout.rule(name)
        found = spot
        if rule is not None and rule.approach:
            aside = len(rule.approach) <= SIDE
            found = self.layout.beside(spot, rule.approach) if aside else self.layout.spot(rule.approach)
        self._approaches[key] = found
        return found

    def beside_thing(self, thing: Thing, actor: Actor) -> Spot:
        """Where one stands to take a thing."""
        if isinstance(thing.where, str):
            rule = self.layout.rule(thing.where)
            if rule is not None and rule.approach:
                return self.approach(thing.where, thing.spot)
            return self._short_of(thing.spot, actor)
        return self.beside_person(thing.where, actor)

    def _short_of(self, spot: Spot, actor: Actor) -> Spot:
        """A step short of a spot, on the side one comes from; the spot itself from another level."""
        dx, dy = actor.spot.x - spot.x, actor.spot.y - spot.y
        far = (dx * dx + dy * dy) ** 0.5
        if far < SHORT or self.up(actor.spot) != self.up(spot):
            return spot
        return Spot(spot.name, spot.x + dx / far * SHORT, spot.y + dy / far * SHORT, spot.zone)

    def beside_person(self, other: Actor, actor: Actor) -> Spot:
        """Where one stands to give to or take from another: an arm's length before him, on the side one comes from."""
        a, b = other.spot, actor.spot
        dx, dy = b.x - a.x, b.y - a.y
        far = (dx * dx + dy * dy) ** 0.5
        if far < 0.01:  # noqa: PLR2004 - the same spot
            return a
        if self.up(a) != self.up(b):
            dx, dy, far = 0.0, (1.0 if self.up(a) else -1.0), 1.0
        x, y = a.x + dx / far * ARM, a.y + dy / far * ARM
        return Spot(a.name, x, y, a.zone)

    # ── where things go ─────────────────────────────────────────────────────────────────────────────────────────────

    def shelf(self, ref: p.PlaceRef, spot: Spot | None, actor: Actor | None = None) -> str | None:
        """The name under which things at a place are kept: 豐上 is 豐; in a thing without a place, its id (俎.3)."""
        if ref.fixed:
            word = ref.word.replace("之", "") if "之" in ref.word else ref.word
            if word[-1:] in "上中內" and self.layout.rule(word[:-1]) is not None:
                return word[:-1]
            return word
        if ref.thing is not None and ref.rest in {"", "上", "中", "內"}:
            found = self.which(ref.thing, actor) if self.layout.rule(ref.thing) is None else None
            return found.id if found is not None else ref.thing
        return spot.name if spot is not None else ref.word

    def which(self, kind: str, actor: Actor | None) -> Thing | None:
        """The one of a kind that an actor means: the last he handled, else his own, else the first there is."""
        if actor is not None:
            found = self.last.get((actor.name, kind))
            if found is not None:
                return found
            owned = self.world.owned.get((actor.name, kind))
            if owned:
                return owned[0]
        things = self.by_kind.get(kind)
        return things[0] if things else None

    def resting_place(self, c: Context, thing: Thing, *, anchored: bool = False) -> tuple[str, Spot]:
        """Where a thing goes that the act lays down."""
        ref = c.act.place
        if ref is not None and ref.word == "其所":
            return self.rest.get(
                thing.id, (thing.where if isinstance(thing.where, str) else c.actor.spot.name, thing.spot)
            )
        anchored = anchored and self.layout.rule(thing.kind) is not None
        if c.place is None:
            if ref is None and anchored and thing.where is not c.actor:
                return thing.kind, self.layout.spot(thing.kind)
            here = c.actor.spot
            return here.name, here
        spot = self.layout.spot(thing.kind) if anchored and thing.where is not c.actor else c.place
        return c.place_name or c.place.name, spot

    def load(self, stand: Thing) -> None:
        """What lies on a thing that is about to be taken goes with it: it is kept under that thing's id."""
        where = str(stand.where)
        for kind in self.bearing[stand.kind]:
            lying = [thing for thing in self.world.at(where, kind).values() if thing.of is stand.of]
            if lying:
                self.world.put(lying, stand.id, stand.spot)

    def note_handled(self, thing: Thing) -> None:
        """The thing has been brought and set somewhere."""
        self.handled.add(thing.id)

    def holders(self, kinds: set[str]) -> list[Actor]:
        """All who hold such a thing."""
        return [
            thing.where
            for kind in (kinds or self.by_kind)
            for thing in self.by_kind.get(kind, ())
            if not isinstance(thing.where, str)
        ]

    def place_named(self, name: str, actor: Actor) -> Spot | None:
        """A place that a verb supposes (洗, 尊); a finding and None where this rite has none of that name."""
        try:
            return self.layout.spot(name)
        except YanliError as fault:
            for finding in fault.findings:
                self.fault(finding.code, finding.cause, actor, nearest=finding.nearest)
            return None

    def time_moves(self, node: p.TimeMoves) -> None:
        """Time moves: noted, for the timeline and the script."""
        self.times.append((self.clock, node.words))

    def skip(self, node: p.Skipped) -> None:
        """What this scenario leaves out is known by its clauses."""
        self.passed += 1
        for clause in node.clauses:
            self.untaken.setdefault(clause, node.words)

    def not_still(self, act: p.Act, actor: Actor) -> list[str]:
        """What 猶 says is still so and is not: things that he does not have, what he does not wear, a posture."""
        have = [thing.kind for thing in actor.holding()]
        faults = [
            f"猶{act.verb}: {actor.name} has {have.count(ref.kind)} {ref.kind}, not {max(1, ref.count or 1)}"
            for ref in act.things
            if have.count(ref.kind) < max(1, ref.count or 1)
        ]
        does = self.acts.variant(act).does
        garments = act.garments or tuple(effect[1] for effect in does if effect[0] == "wear" and effect[1] != "garment")
        faults.extend(
            f"猶{act.verb}: {actor.name} does not wear {word}" for word in garments if word not in actor.dress
        )
        posture = "坐" if ("kneel",) in does else "立" if act.verb == "立" or ("stand",) in does else actor.posture
        if posture != actor.posture:
            faults.append(f"猶{act.verb}: {actor.name} is {actor.posture}")
        return faults


def _within(a: Spot, b: Spot, far: float) -> bool:
    return abs(a.x - b.x) <= far and abs(a.y - b.y) <= far
