"""Where everything is in one building: places by their rules, places beside others, rows, zones, what does not fit.

Comes in: a :class:`Building` and a rite's parsed ``places.toml``. Goes out: spots in 尺 (x east, y north, origin at the
middle of 堂廉), rows, routes, misfits. Every answer is kept; the room knows no rite.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from math import hypot

from yanli.errors import Finding, RiteError, UnderdeterminedError, YanliError
from yanli.venue import misfit, rows
from yanli.venue.building import Building
from yanli.venue.names import split_name, split_relation, tidy
from yanli.venue.places import Form, PlaceRule, changed, for_building, read_places
from yanli.venue.rule import Axis, axis_of, read_rule, value_of
from yanli.venue.spot import FACINGS, TURNS, Misfit, PlaceName, Point, Route, Row, Spot, heading
from yanli.venue.walking import ANYWHERE, Box, Ground, Stairs, Walker

REACH = 3.0
"""How far from an anchor one stands when the words say only the side (賓席東, 洗南): half a 步."""
CLEAR = 1.5
"""Beside something broad one stands so far from its edge."""
RANK = re.compile(r"\.\d+")


class UnknownPlace(RiteError):  # noqa: N818  # the name is the room's contract
    """No place of this name can be found in this building."""


class Layout:
    """One building laid out for one rite."""

    def __init__(self, building: Building, places: Mapping[str, object], names: Iterable[str] = ()) -> None:
        """Read the rules; nothing is worked out before it is asked for. ``names``: further anchors (roles, things)."""
        self.building = building
        self.places = read_places(building, places)
        self.names = frozenset(names)
        self._parts = frozenset(part for form in self.places.forms.values() for part in form.parts)
        self._spots: dict[str, Spot] = {}
        self._under_way: list[str] = []
        self._lacking: set[str] = set()
        self._asking = 0
        self._splits: dict[tuple[str, frozenset[str]], PlaceName] = {}
        self._rules: dict[str, PlaceRule] = {}
        self.zones: tuple[tuple[str, str, Box], ...] = tuple(
            (zone.name, zone.level, self._box(zone.x, zone.y))
            for zone in building.zones
            if building.holds(zone.needs) and self._can(*zone.x, *zone.y)
        )
        self.walls: tuple[tuple[str, str, Box], ...] = tuple(
            (wall.name, wall.level, self._box(wall.x, wall.y)) for wall in building.walls if building.holds(wall.needs)
        )
        self.levels = {name: level for name, level, _ in self.zones}
        self._walker: Walker | None = None

    # ── places ──

    def spot(self, name: str) -> Spot:
        """A static place: an anchor (洗), or one with a relation (賓席前, 洗南, 侯西北三步)."""
        found = self._spots.get(name)
        if found is None:
            found = self._find(name)
            self._spots[name] = found
        return found

    def has(self, name: str) -> bool:
        """Whether ``spot`` knows this place; asked of many words that are none, so nothing near is looked for."""
        if name in self._spots:
            return True
        if name not in self._lacking:
            self._asking += 1
            try:
                self.spot(name)
            except YanliError:
                self._lacking.add(name)
            finally:
                self._asking -= 1
        return name not in self._lacking

    def rule(self, name: str) -> PlaceRule | None:
        """The rule of a static anchor as this building has it, with its words and source; None for what has none."""
        base = self._base(name)
        if base is None:
            return None
        rule = self._rules.get(base)
        if rule is None:
            rule = self._rules[base] = for_building(self.places.rules[base], self.building)
        return rule

    def anchors(self) -> tuple[str, ...]:
        """The names of all static places of this building, in the order of the files."""
        return tuple(self.places.rules)

    def split(self, name: str, extra: frozenset[str] = frozenset()) -> PlaceName:
        """The name as anchor, relation and distance, by the longest anchor known (also ``extra``)."""
        key = (name, extra)
        found = self._splits.get(key)
        if found is None:

            def is_anchor(word: str) -> bool:
                return (
                    self._base(word) is not None or word in extra or word in self.names or word in self.places.generic
                )

            read = split_name(name, is_anchor, self._parts)
            if read is None:
                raise self._unknown(name, extra)
            found = self._splits[key] = read
        return found

    def seat_of(self, role: str) -> str | None:
        """The name of the place that belongs to a role (賓 → 賓席, 眾賓.2 → 眾賓席.2), by the ``of`` of the rules."""
        base, _, number = role.partition(".")
        for name, rule in self.places.rules.items():
            if rule.of in (role, base):
                return f"{name}.{number}" if rule.numbered and number else name
        return None

    def beside(self, spot: Spot, relation: str, distance: float | None = None) -> Spot:
        """The spot that stands to another in a relation: by the compass, by the way it faces, or a part of its form."""
        name = spot.name + relation
        if relation in self._parts:
            return self._part(spot, relation, name)
        degrees = FACINGS.get(relation)
        if degrees is None and relation in TURNS:
            if spot.facing is None:
                raise UnderdeterminedError(
                    Finding(
                        code="no-facing",
                        cause=f"{name}: {spot.name} faces no way of its own, so it has no {relation}",
                        nearest=tuple(spot.name + way for way in FACINGS),
                    )
                )
            degrees = spot.facing + TURNS[relation]
        if degrees is not None:
            far = self._reach(spot, degrees) if distance is None else distance
            east, north = heading(degrees)
            x, y = spot.x + far * east, spot.y + far * north
            return Spot(name, x, y, self.zone_at(x, y), None)
        if relation in ("", "中", "間", "上", "下", "內", "外"):
            return spot._replace(name=name)
        found = split_relation(relation, self._parts)
        if found is None or found[1] == relation:
            raise self._unknown(name, frozenset())
        before, last, said = found
        near = self.beside(spot, before) if before else spot
        return self.beside(near, last, distance if distance is not None else said)

    def zone_at(self, x: float, y: float) -> str:
        """The zone of a point; what lies in no zone of the building is 門外."""
        for name, _, (west, south, east, north) in self.zones:
            if west <= x <= east and south <= y <= north:
                return name
        return "門外"

    # ── rows, ways, misfits ──

    def row(self, spot: Spot, count: int, facing: float, head: str | None = None, spacing: float = 4.0) -> Row:
        """Spots in rank order, the first at ``spot``, the others away from the head; folded where there is no room."""
        return rows.row(self.zone_at, spot, count, facing, head, spacing)

    def route(self, a: Spot, b: Spot, stair: str | None = None, via: tuple[Spot, ...] = ()) -> Route:
        """The way from one spot to another, by the stair named (or the nearer) and past the spots named."""
        if self._walker is None:
            self._walker = self._ground()
        if not via:
            leg = self._walker.level_walk(a, b)
            if leg is not None:
                return Route((leg,) if leg.length > 0 else (), leg.length)
        return self._walker.route(a, b, stair, via)

    def way(self, name: str, a: Spot, b: Spot) -> tuple[Spot, ...]:
        """The spots to pass by for 由 NAME: a named way's places that lie between both ends, else the place itself."""
        way = self.places.ways.get(name)
        if way is None:
            return (self.spot(name),)
        west, east = min(a.x, b.x), max(a.x, b.x)
        spots = [spot for spot in map(self.spot, way.through) if west < spot.x < east]
        return tuple(sorted(spots, key=lambda spot: spot.x, reverse=a.x > b.x))

    def misfits(self) -> list[Misfit]:
        """Every place that this building cannot hold as the words have it, by how much, and what the words ask."""
        return misfit.misfits(self)

    def misfit(self, name: str) -> Misfit | None:
        """How one place (also 大夫席.7) does not fit, or None when it does."""
        return misfit.misfit_of(self, name)

    # ── working out ──

    def value(self, words: str) -> float:
        """The value in 尺 of a rule of measures and places."""
        return value_of(read_rule(words), self._look_up)

    def size(self, name: str) -> tuple[float, float] | None:
        """Breadth across its facing and depth along it, of a place that has an extent."""
        rule = self.rule(name)
        if rule is None:
            return None
        form = self.places.forms.get(rule.form)
        size = rule.size or (form.size if form else None)
        return (self.value(size[0]), self.value(size[1])) if size else None

    def lacking(self, name: str) -> str | None:
        """The key (侯道) that this building is without and the place needs, or None when it can be worked out."""
        try:
            self.spot(name)
        except UnknownPlace as fault:
            return fault.findings[0].known or ""
        return None

    def _find(self, name: str) -> Spot:
        words = tidy(name)
        if self._base(words) is not None:
            return self._static(words)._replace(name=words)
        own = self._of_seat(words)
        if own is not None:
            return self.spot(own)._replace(name=words)
        parts = self.split(words)
        if parts.anchor in self.names or parts.anchor in self.places.generic:
            raise UnknownPlace(
                Finding(
                    code="moving-place",
                    cause=f"{name}: {parts.anchor} is no place of the building; where it is depends on the moment",
                )
            )
        if not parts.relation:
            return self.spot(parts.anchor)
        return self.beside(self.spot(parts.anchor), parts.relation, parts.distance)._replace(name=words)

    def _of_seat(self, words: str) -> str | None:
        """賓薦西 as 賓席薦西: a part of the mat that belongs to somebody."""
        for name, rule in self.places.rules.items():
            if not rule.of or not rule.form or not words.startswith(rule.of):
                continue
            rest = words.removeprefix(rule.of)
            rank = RANK.match(rest)
            after = rest[rank.end() :] if rank else rest
            if any(after.startswith(part) for part in self.places.forms[rule.form].parts):
                return name + (rank[0] if rank else "") + after
        return None

    def _static(self, name: str) -> Spot:
        rule = self.rule(name)
        if rule is None:
            raise self._unknown(name, frozenset())
        with self._working(name):
            return self._placed(name, rule, _number(name))

    def _coordinate(self, name: str, axis: Axis) -> float:
        """One coordinate of a place; asked one by one, so that 尊 may take its x from the wall and its y from 賓席."""
        rule = self.rule(name)
        if rule is None or rule.other is not None or rule.loose:
            spot = self.spot(name)
            return spot.x if axis == "x" else spot.y
        with self._working(f"{name}.{axis}"):
            return self._worked(rule.x if axis == "x" else rule.y, _number(name), 1)

    @contextmanager
    def _working(self, name: str) -> Iterator[None]:
        if name in self._under_way:
            circle = " → ".join((*self._under_way, name))
            raise RiteError(Finding(code="circular-place", cause=f"{circle}: these places stand on each other"))
        self._under_way.append(name)
        try:
            yield
        finally:
            self._under_way.pop()

    def _placed(self, name: str, rule: PlaceRule, number: int) -> Spot:
        spot = self._at(name, rule, number)
        if rule.other is not None and not self._inside(spot, rule):
            first = next((n for n in range(1, number) if not self._inside(self._at(name, rule, n), rule)), number)
            other = changed(rule, rule.other)
            return self._at(name, other, number, number - first + 1)
        if rule.loose:
            boxes = [box for zone, _, box in self.zones if zone == rule.zone]
            if boxes and self.zone_at(spot.x, spot.y) not in rows.OPEN.get(rule.zone, (rule.zone,)):
                west, south, east, north = min(boxes, key=lambda box: hypot(*_outside(box, (spot.x, spot.y))))
                x, y = min(max(spot.x, west), east), min(max(spot.y, south), north)
                return spot._replace(x=x, y=y, zone=self._ground_at(x, y, rule.zone))
        return spot

    def _at(self, name: str, rule: PlaceRule, number: int, again: int = 1) -> Spot:
        x, y = self._worked(rule.x, number, again), self._worked(rule.y, number, again)
        return Spot(name, x, y, self._ground_at(x, y, rule.zone), FACINGS[rule.facing] if rule.facing else None)

    def _ground_at(self, x: float, y: float, zone: str) -> str:
        """The zone of a place: as its rule says, but on open ground the part of it where it comes to lie."""
        there = self.zone_at(x, y)
        return there if there in rows.OPEN.get(zone, ()) else zone

    def _worked(self, words: str, number: int, again: int) -> float:
        def look_up(word: str) -> float:
            return float(number) if word == "n" else float(again) if word == "m" else self._look_up(word)

        return value_of(read_rule(words), look_up)

    def _inside(self, spot: Spot, rule: PlaceRule) -> bool:
        form = self.places.forms.get(rule.form)
        size = rule.size or (form.size if form else None)
        broad, deep = (self.value(size[0]), self.value(size[1])) if size else (0.0, 0.0)
        if spot.facing in (90.0, 270.0):
            broad, deep = deep, broad
        corners = [(spot.x + i * broad / 2, spot.y + j * deep / 2) for i in (-1, 1) for j in (-1, 1)]
        return all(self.zone_at(*corner) in rows.OPEN.get(rule.zone, (rule.zone,)) for corner in corners)

    def _part(self, spot: Spot, part: str, name: str) -> Spot:
        rule = self.rule(spot.name)
        form = self.places.forms.get(rule.form) if rule else None
        if rule is None or form is None or part not in form.parts or spot.facing is None:
            raise UnknownPlace(
                Finding(code="unknown-place", cause=f"{name}: {spot.name} has no {part}", nearest=self._near(name))
            )
        offset = form.parts[part]
        other = rule.other is not None and spot.facing == FACINGS.get(rule.other.facing)
        head = (rule.other.head if other and rule.other else "") or rule.head
        ahead, along = heading(spot.facing), heading(FACINGS[head]) if head else (0.0, 0.0)
        far, up = self.value(offset.ahead), self.value(offset.head)
        x, y = spot.x + far * ahead[0] + up * along[0], spot.y + far * ahead[1] + up * along[1]
        return Spot(name, x, y, self.zone_at(x, y), spot.facing)

    def _reach(self, spot: Spot, degrees: float) -> float:
        rule = self.rule(spot.name)
        if rule is None:
            return 1.0 if spot.name[-1:] in self._parts else REACH
        form = self.places.forms.get(rule.form, Form())
        reach = {**form.reach, **rule.reach}
        for words, far in reach.items():
            way = FACINGS.get(words)
            if way is None and spot.facing is not None:
                way = (spot.facing + TURNS[words]) % 360.0
            if way is not None and way == degrees % 360.0:
                return self.value(far)
        size = self.size(spot.name)
        if size is None:
            return REACH
        east, north = heading(degrees - (spot.facing or 0.0))
        return max(REACH, abs(east) * size[0] / 2 + abs(north) * size[1] / 2 + CLEAR)

    def _look_up(self, word: str) -> float:
        measures = self.building.measures
        if word in measures:
            return measures[word]
        axis = axis_of(word)
        if axis is not None:
            return self._coordinate(*axis)
        if word in self.building.missing:
            lacks = self.building.missing[word]
            place = self._under_way[0] if self._under_way else word
            cause = f"{place}: this building has no {lacks}"
            raise UnknownPlace(Finding(code="no-such-measure", cause=cause, known=lacks))
        near = tuple(get_close_matches(word, measures, 3, 0.3))
        raise RiteError(Finding(code="unknown-measure", cause=f"no measure is called {word}", nearest=near))

    def _base(self, name: str) -> str | None:
        rules = self.places.rules
        if name in rules:
            return name
        if name in self.places.also:
            return self.places.also[name]
        base, dot, number = name.rpartition(".")
        base = self.places.also.get(base, base)
        if dot and number.isdecimal() and int(number) > 0 and base in rules and rules[base].numbered:
            return base
        return None

    def _unknown(self, name: str, extra: frozenset[str]) -> UnknownPlace:
        return UnknownPlace(
            Finding(
                code="unknown-place",
                cause=f"no place is called {name}",
                nearest=self._near(name, extra),
            )
        )

    def _near(self, name: str, extra: frozenset[str] = frozenset()) -> tuple[str, ...]:
        if self._asking:
            return ()
        known = (*self.places.rules, *self.places.also, *extra, *self.names)
        return tuple(get_close_matches(name, known, 3, 0.4))

    def _can(self, *rules: str) -> bool:
        try:
            for words in rules:
                self.value(words)
        except UnknownPlace:
            return False
        return True

    def _box(self, x: tuple[str, str], y: tuple[str, str]) -> Box:
        return self.value(x[0]), self.value(y[0]), self.value(x[1]), self.value(y[1])

    def _ground(self) -> Walker:
        solids: dict[str, list[Box]] = {"上": [], "下": []}
        for name in self.places.rules:
            rule = self.rule(name)
            if (
                rule is None
                or rule.solid is None
                or not self.building.holds(rule.solid)
                or self.lacking(name) is not None
            ):
                continue
            spot, size = self.spot(name), self.size(name) or (1.0, 1.0)
            wide, deep = (size[1], size[0]) if spot.facing in (90.0, 270.0) else size
            box = (spot.x - wide / 2, spot.y - deep / 2, spot.x + wide / 2, spot.y + deep / 2)
            solids[self.levels.get(spot.zone, "下")].append(box)
        walls = {level: [box for _, on, box in self.walls if on == level] for level in solids}
        half, back = self.building.measures["堂廣"] / 2, self.value("堂深 + 後深")
        stairs = {
            name: Stairs(self.value(stair.x), self.value(stair.foot), self.value(stair.top), self.value("階廣"))
            for name, stair in self.building.stairs.items()
            if self.building.holds(stair.needs)
        }
        steps = round(self.building.measures["等"])
        walls["下"].append((-half, 0.0, half, back))
        walls["下"].extend(stair.box for stair in stairs.values())
        hall = Ground(walls["上"], solids["上"], (-half, 0.0, half, back))
        ground = Ground(walls["下"], solids["下"], ANYWHERE)
        return Walker(hall, ground, stairs, steps, self.levels)


def _number(name: str) -> int:
    """The rank in 眾賓席.2; what has none is the first."""
    last = name.rpartition(".")[2]
    return int(last) if last.isdecimal() and last != name else 1


def _outside(box: Box, point: Point) -> Point:
    """How far a point lies outside a box, east-west and north-south."""
    west, south, east, north = box
    return max(west - point[0], 0.0, point[0] - east), max(south - point[1], 0.0, point[1] - north)
