"""Ways through the building: straight where nothing stands, round what does, up and down only by a stair.

Comes in: walls and solid things as boxes, the stairs, and two spots. Goes out: a :class:`Route`, its lengths in 尺.
Nobody walks through a wall, the podium, a pillar or what is solid; one who stands close to such a thing may leave it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from heapq import heapify, heappop, heappush
from itertools import pairwise
from math import hypot, inf
from typing import Literal, NamedTuple

from yanli.errors import Finding, ImpossibleError
from yanli.venue.spot import Leg, Point, Route, Spot, length_along

Box = tuple[float, float, float, float]
"""West, south, east, north."""

ROOM = 1.0
"""A person keeps this far from a solid thing, middle to edge, where he can: half a 尺 of shoulder and some air."""
BY_WALL = 0.5
"""And this far from a wall."""
HAIR = 1e-6
KEPT = 20_000
"""So many ways are kept; then all are forgotten, so that the store does not grow with the crowd."""
DETOUR = 0.05
CELL = 24.0
"""Ways round things are shared between points of the same two squares, four 步 wide."""
BEFORE_STAIR = 0.6
"""One stands so far before the lowest step, and so far inside the hall's edge."""


class Stairs(NamedTuple):
    """A stair: its middle, the y of its foot and of its top, its breadth."""

    x: float
    foot: float
    top: float
    broad: float

    @property
    def box(self) -> Box:
        """The ground that the stair covers."""
        half = self.broad / 2
        return self.x - half, min(self.foot, self.top), self.x + half, max(self.foot, self.top)


class Ground:
    """One floor with what stands on it."""

    def __init__(self, walls: Sequence[Box], solids: Sequence[Box], bounds: Box) -> None:
        """Boxes as they are; the room that people keep is added here. Nobody steps beyond the bounds."""
        self._known: dict[tuple[int, int, int, int], tuple[float, tuple[Point, ...]]] = {}
        self.cores = [_grown(box, HAIR) for box in (*walls, *solids)]
        self.kept = [_grown(box, BY_WALL) for box in walls] + [_grown(box, ROOM) for box in solids]
        self.corners = [
            [
                corner
                for corner in _corners(_grown(box, HAIR))
                if _holds(bounds, corner) and not any(_holds(other, corner) for other in self.cores)
            ]
            for box in self.kept
        ]

    def way(self, a: Point, b: Point) -> tuple[Point, ...]:
        """The points of the way from a to b on this floor, both ends included."""
        if not _hit(a, b, self.kept):
            return (a, b)
        boxes = self._boxes(a, b)
        hit = _hit(a, b, boxes)
        if not hit:
            return (a, b)
        # Many walk from one row to another: who sets out and arrives near others goes round by the same corners, if
        # they are in sight for him too.
        cells = (int(a[0] // CELL), int(a[1] // CELL), int(b[0] // CELL), int(b[1] // CELL))
        known = self._known.get(cells)
        if known is not None and not _hit(a, known[1][0], boxes) and not _hit(known[1][-1], b, boxes):
            way = (a, *known[1], b)
            # It must not be much more of a detour for him than it was for the first.
            if length_along(way) <= (known[0] + DETOUR) * _far(a, b):
                return way
        found = self._round(a, b, boxes, hit) or self._search(a, b, boxes)
        if len(found) > 2:  # noqa: PLR2004 - more than both ends
            self._known[cells] = (length_along(found) / max(_far(a, b), 1.0), found[1:-1])
        return found

    def _boxes(self, a: Point, b: Point) -> list[Box]:
        """What may not be crossed on this way; one who stands close to a thing or at it may leave it."""
        boxes: list[Box] = []
        for kept, core in zip(self.kept, self.cores, strict=True):
            if not (_holds(kept, a) or _holds(kept, b)):
                boxes.append(kept)
            elif not (_holds(core, a) or _holds(core, b)):
                boxes.append(core)
            else:
                boxes.append(_NOTHING)
        return boxes

    def _round(self, a: Point, b: Point, boxes: list[Box], hit: list[int]) -> tuple[Point, ...] | None:
        """The shortest way by one or two corners of what stands in the way, or None."""
        corners = [corner for index in hit for corner in self.corners[index]]
        first = [(_far(a, c), c) for c in corners if not _hit(a, c, boxes)]
        last = {c: _far(c, b) for c in corners if not _hit(c, b, boxes)}
        best: tuple[Point, ...] | None = None
        least = inf
        for far, one in first:
            if one in last and far + last[one] < least:
                least, best = far + last[one], (a, one, b)
            for two, rest in last.items():
                length = far + _far(one, two) + rest
                if two != one and length < least and not _hit(one, two, boxes):
                    least, best = length, (a, one, two, b)
        return best

    def _search(self, a: Point, b: Point, boxes: list[Box]) -> tuple[Point, ...]:
        """The shortest way by any corners (Dijkstra's), over the links between corners that are worked out once."""
        nodes, links = self._nodes, self._links
        rest = {at: _far(node, b) for at, node in enumerate(nodes) if not _hit(node, b, boxes)}
        queue = [(_far(a, node), at, -1) for at, node in enumerate(nodes) if not _hit(a, node, boxes)]
        heapify(queue)
        before: dict[int, int] = {}
        best, last = inf, -1
        while queue:
            far, here, came = heappop(queue)
            if far >= best:
                break
            if here in before:
                continue
            before[here] = came
            if here in rest and far + rest[here] < best:
                best, last = far + rest[here], here
            for there, step in links[here]:
                if there not in before:
                    heappush(queue, (far + step, there, here))
        if last < 0:
            raise ImpossibleError(
                Finding(code="no-way", cause=f"no way leads from ({a[0]:.1f}, {a[1]:.1f}) to ({b[0]:.1f}, {b[1]:.1f})")
            )
        path = [b]
        while last >= 0:
            path.append(nodes[last])
            last = before[last]
        return (a, *reversed(path))

    @cached_property
    def _nodes(self) -> tuple[Point, ...]:
        return tuple(corner for corners in self.corners for corner in corners)

    @cached_property
    def _links(self) -> tuple[tuple[tuple[int, float], ...], ...]:
        return tuple(
            tuple(
                (there, _far(one, two))
                for there, two in enumerate(self._nodes)
                if there != here and not _hit(one, two, self.kept)
            )
            for here, one in enumerate(self._nodes)
        )


class Walker:
    """All ways in one building; each is worked out once."""

    def __init__(
        self,
        hall: Ground,
        ground: Ground,
        stairs: Mapping[str, Stairs],
        steps: int,
        levels: Mapping[str, str],
    ) -> None:
        """The two floors, the stairs between them, and which floor each zone lies on."""
        self.floors = {"上": hall, "下": ground}
        self.stairs = stairs
        self.steps = steps
        self.levels = levels
        self._ways: dict[tuple[object, ...], tuple[Point, ...]] = {}
        self._routes: dict[tuple[object, ...], Route] = {}

    def route(self, a: Spot, b: Spot, stair: str | None, via: tuple[Spot, ...]) -> Route:
        """From a to b, by the stair named or the one that makes the shorter way, past every spot of ``via`` in turn."""
        key = (stair, *((round(spot.x, 2), round(spot.y, 2), spot.zone) for spot in (a, *via, b)))
        found = self._routes.get(key)
        if found is None:
            if len(self._routes) >= KEPT:
                self._routes.clear()
            found = self._routes[key] = self._find((a, *via, b), stair)
        return found

    def level_walk(self, a: Spot, b: Spot) -> Leg | None:
        """The walk between two spots of one level; None if stairs lie between them. Not kept: whoever asks keeps it."""
        here = self._level(a)
        if here == "階" or here != self._level(b):
            return None
        points = self.floors[here].way((a.x, a.y), (b.x, b.y))
        return Leg("行", points, length_along(points))

    def _find(self, spots: tuple[Spot, ...], stair: str | None) -> Route:
        if stair is not None and stair not in self.stairs:
            raise ImpossibleError(
                Finding(
                    code="no-such-stair", cause=f"this building has no stair called {stair}", nearest=tuple(self.stairs)
                )
            )
        legs: list[Leg] = []
        for a, b in pairwise(spots):
            for leg in self._between(a, b, stair):
                if legs and leg.kind == "行" == legs[-1].kind:
                    points = (*legs[-1].points, *leg.points[1:])
                    legs[-1] = Leg("行", points, legs[-1].length + leg.length)
                elif leg.length > 0:
                    legs.append(leg)
        return Route(tuple(legs), sum(leg.length for leg in legs))

    def _between(self, a: Spot, b: Spot, stair: str | None) -> tuple[Leg, ...]:
        here, there = self._level(a), self._level(b)
        if here == there and here != "階":
            return (self._walk(here, (a.x, a.y), (b.x, b.y)),)
        if here == there and self._stair_of(a) == self._stair_of(b):
            return (self._climb(self._stair_of(a), (a.x, a.y), (b.x, b.y)),)
        names = (stair,) if stair is not None else tuple(self.stairs)
        if here == "階":
            names = (self._stair_of(a),)
        elif there == "階":
            names = (self._stair_of(b),)
        ways = [self._by(a, b, here, there, name) for name in names]
        return min(ways, key=lambda legs: sum(leg.length for leg in legs))

    def _by(self, a: Spot, b: Spot, here: str, there: str, name: str) -> tuple[Leg, ...]:
        stair = self.stairs[name]
        out = 1.0 if stair.foot > stair.top else -1.0
        ends = {
            "下": (stair.x, stair.foot + out * BEFORE_STAIR),
            "上": (stair.x, stair.top - out * BEFORE_STAIR),
        }
        start, end = (a.x, a.y), (b.x, b.y)
        legs: list[Leg] = []
        if here == "階":
            if there == "階":  # from one stair to another: down, across and up
                other = self.stairs[self._stair_of(b)]
                down = ends["下"]
                out = 1.0 if other.foot > other.top else -1.0
                foot = (other.x, other.foot + out * BEFORE_STAIR)
                climb = self._climb(self._stair_of(b), foot, end)
                return self._climb(name, start, down), self._walk("下", down, foot), climb
            return self._climb(name, start, ends[there]), self._walk(there, ends[there], end)
        legs.append(self._walk(here, start, ends[here]))
        if there == "階":
            legs.append(self._climb(name, ends[here], end))
        else:
            legs.append(self._climb(name, ends[here], ends[there]))
            legs.append(self._walk(there, ends[there], end))
        return tuple(legs)

    def _walk(self, level: str, a: Point, b: Point) -> Leg:
        key = (level, round(a[0], 2), round(a[1], 2), round(b[0], 2), round(b[1], 2))
        points = self._ways.get(key)
        if points is None:
            if len(self._ways) >= KEPT:
                self._ways.clear()
            points = self._ways[key] = self.floors[level].way(a, b)
        else:
            points = (a, *points[1:-1], b)
        return Leg("行", points, length_along(points))

    def _climb(self, name: str, a: Point, b: Point) -> Leg:
        stair = self.stairs[name]
        up = abs(a[1] - stair.foot) < abs(b[1] - stair.foot) if _beyond(stair, a) else _rises(stair, a, b)
        kind: Literal["升", "降"] = "升" if up else "降"
        steps = abs(self._step(stair, b[1]) - self._step(stair, a[1]))
        return Leg(kind, (a, b), _far(a, b), name, steps)

    def _step(self, stair: Stairs, y: float) -> int:
        """On which step a point of the stair lies: 0 on the ground, the last in the hall."""
        run = stair.top - stair.foot
        share = (y - stair.foot) / run if run else 1.0
        if share <= 0:
            return 0
        return min(int(share * self.steps - HAIR) + 1, self.steps)

    def _level(self, spot: Spot) -> str:
        if spot.zone in ("階", "北階"):
            return "階"
        return self.levels.get(spot.zone, "下")

    def _stair_of(self, spot: Spot) -> str:
        return min(self.stairs, key=lambda name: _off(self.stairs[name], spot))


ANYWHERE: Box = (-inf, -inf, inf, inf)
_NOTHING: Box = (inf, inf, -inf, -inf)


def _beyond(stair: Stairs, point: Point) -> bool:
    return (point[1] - stair.foot) * (stair.top - stair.foot) < 0


def _rises(stair: Stairs, a: Point, b: Point) -> bool:
    return (b[1] - a[1]) * (stair.top - stair.foot) > 0


def _off(stair: Stairs, spot: Spot) -> float:
    middle = (stair.foot + stair.top) / 2
    return hypot(spot.x - stair.x, spot.y - middle)


def _grown(box: Box, by: float) -> Box:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def _corners(box: Box) -> tuple[Point, ...]:
    west, south, east, north = box
    return (west, south), (east, south), (west, north), (east, north)


def _holds(box: Box, point: Point) -> bool:
    return box[0] < point[0] < box[2] and box[1] < point[1] < box[3]


def _far(a: Point, b: Point) -> float:
    return hypot(b[0] - a[0], b[1] - a[1])


def _hit(a: Point, b: Point, boxes: Sequence[Box]) -> list[int]:
    """Which boxes the line from a to b passes through (touching an edge is not passing through)."""
    ax, ay = a
    bx, by = b
    west, east = (ax, bx) if ax < bx else (bx, ax)
    south, north = (ay, by) if ay < by else (by, ay)
    dx, dy = bx - ax, by - ay
    found: list[int] = []
    for index, (left, low, right, high) in enumerate(boxes):
        if right < west or left > east or high < south or low > north:
            continue
        enter, leave = 0.0, 1.0
        if dx:
            one, two = (left - ax) / dx, (right - ax) / dx
            enter, leave = max(enter, min(one, two)), min(leave, max(one, two))
        elif not left < ax < right:
            continue
        if dy:
            one, two = (low - ay) / dy, (high - ay) / dy
            enter, leave = max(enter, min(one, two)), min(leave, max(one, two))
        elif not low < ay < high:
            continue
        if leave - enter > HAIR:
            found.append(index)
    return found
