"""The sheet: what part of the ground is shown and how 尺 become pixels, and boxes that may not overlap.

Comes in: stretches of ground that matter. Goes out: a :class:`View` at one scale, with the empty stretches left out
and marked, and a :class:`Space` in which boxes are found free or taken. What can no longer occur: two scales in one
plan, a box that is counted as free where another stands.
"""

from __future__ import annotations

from math import ceil, cos, radians, sin
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SCALE = 9.0
"""Pixels for one 尺, everywhere in the plan."""
STRIP = 30.0
"""Height of the strip that stands for ground left out."""
GAP = 16.0
"""Ground is left out only where more than so many 尺 are empty."""
CELL = 56.0


class Box(NamedTuple):
    """A rectangle on the sheet, in pixels; y grows downwards."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def middle(self) -> tuple[float, float]:
        """The middle."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def meets(self, other: Box) -> bool:
        """Whether the two share more than an edge."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def grown(self, by: float) -> Box:
        """The box with so much more on every side."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def edges(self, half: float) -> tuple[Box, Box, Box, Box]:
        """The four edges as thin boxes, so much to either side."""
        left, top, right, bottom = self
        return (
            Box(left - half, top - half, left + half, bottom + half),
            Box(right - half, top - half, right + half, bottom + half),
            Box(left - half, top - half, right + half, top + half),
            Box(left - half, bottom - half, right + half, bottom + half),
        )

    def moved(self, x: float, y: float) -> Box:
        """The box elsewhere."""
        return Box(self.left + x, self.top + y, self.right + x, self.bottom + y)


def around(boxes: Iterable[Box]) -> Box:
    """The box that holds all boxes."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return Box(min(lefts), min(tops), max(rights), max(bottoms))


class Band(NamedTuple):
    """A stretch of ground that is shown: its north and south edge in 尺, and where it begins on the sheet."""

    north: float
    south: float
    top: float

    @property
    def bottom(self) -> float:
        """Where it ends on the sheet."""
        return self.top + (self.north - self.south) * SCALE


class View:
    """Which ground is shown where. Between two bands the ground is left out; the scale is the same in all."""

    def __init__(
        self, west: float, east: float, stretches: Iterable[tuple[float, float]], left: float, top: float
    ) -> None:
        """``stretches``: (south, north) in 尺, in any order, also overlapping; ``left`` and ``top`` in pixels."""
        self.west = west
        self.east = east
        self.left = left
        bands: list[Band] = []
        merged: list[list[float]] = []
        for south, north in sorted(stretches, key=lambda pair: -pair[1]):
            if merged and merged[-1][0] - north < GAP:
                merged[-1][0] = min(merged[-1][0], south)
            else:
                merged.append([south, north])
        at = top
        for south, north in merged:
            bands.append(Band(north, south, at))
            at = bands[-1].bottom + STRIP
        self.bands = tuple(bands)
        self.right = left + (east - west) * SCALE
        self.bottom = bands[-1].bottom
        self.top = top

    def x(self, chi: float) -> float:
        """Across the sheet."""
        return self.left + (chi - self.west) * SCALE

    def y(self, chi: float) -> float:
        """Down the sheet; ground that is left out lies at the edge of the band before it."""
        for band in self.bands:
            if chi >= band.south:
                return band.top + (band.north - min(chi, band.north)) * SCALE
        return self.bottom

    def band_of(self, y: float) -> Band:
        """The band that holds a height of the sheet, or the nearest."""
        for band in self.bands:
            if band.top <= y <= band.bottom:
                return band
        return min(self.bands, key=lambda band: max(band.top - y, y - band.bottom))

    def pieces(self, west: float, south: float, east: float, north: float) -> list[Box]:
        """What is shown of a rectangle of ground, a box for each band."""
        left, right = self.x(max(west, self.west)), self.x(min(east, self.east))
        found: list[Box] = []
        if right < left:
            return found
        for band in self.bands:
            if north >= band.south and south <= band.north:
                upper, lower = min(north, band.north), max(south, band.south)
                top = band.top + (band.north - upper) * SCALE
                found.append(Box(left, top, right, top + (upper - lower) * SCALE))
        return found

    @property
    def strips(self) -> list[tuple[Box, float]]:
        """The strips between the bands, each with how many 尺 are left out there."""
        return [
            (Box(self.left, upper.bottom, self.right, lower.top), upper.south - lower.north)
            for upper, lower in zip(self.bands, self.bands[1:], strict=False)
        ]


class Space:
    """Boxes that are taken, in a grid, so that asking is quick. ``soft`` boxes are avoided where that is possible."""

    def __init__(self) -> None:
        """Nothing is taken."""
        self._hard: dict[tuple[int, int], list[Box]] = {}
        self._soft: dict[tuple[int, int], list[Box]] = {}
        self._walls: list[Box] = []
        self._lines: set[Box] = set()

    def build(self, wall: Box) -> None:
        """Let a wall stand: nothing is put on it, nor moved to its other side."""
        self._walls.append(wall)
        self.take(wall)

    def draw(self, line: Box) -> None:
        """Let a line be drawn on the floor: no name stands on it, but leaders may cross it."""
        self._lines.add(line)
        self.take(line)

    def walled(self, start: tuple[float, float], end: tuple[float, float]) -> bool:
        """Whether a wall stands between two points."""
        (x, y), (u, v) = start, end
        way = Box(min(x, u), min(y, v), max(x, u) + 0.1, max(y, v) + 0.1)
        near = [wall for wall in self._walls if wall.meets(way)]
        return bool(near) and any(bead.meets(wall) for bead in beads(start, end) for wall in near)

    def take(self, box: Box, *, soft: bool = False) -> None:
        """Let a box be taken."""
        grid = self._soft if soft else self._hard
        for cell in _cells(box):
            grid.setdefault(cell, []).append(box)

    def free(self, box: Box, *, strict: bool = False) -> bool:
        """Whether nothing hard (with ``strict`` also nothing soft) is met."""
        return self.met(box) is None and not (strict and _first(self._soft, box))

    def met(self, box: Box) -> Box | None:
        """A hard box that is met, or None."""
        return _first(self._hard, box)

    def clear(self, start: tuple[float, float], end: tuple[float, float], own: tuple[Box, ...] = ()) -> bool:
        """Whether a thin line meets nothing hard but ``own`` boxes."""
        return all(
            other in own or other in self._lines or not piece.meets(other)
            for piece in beads(start, end)
            for cell in _cells(piece)
            for other in self._hard.get(cell, ())
        )


def beads(start: tuple[float, float], end: tuple[float, float]) -> Iterator[Box]:
    """Small boxes along a line."""
    (x, y), (u, v) = start, end
    count = max(1, ceil(max(abs(u - x), abs(v - y)) / 3.0))
    for step in range(count + 1):
        share = step / count
        a, b = x + (u - x) * share, y + (v - y) * share
        yield Box(a - 0.8, b - 0.8, a + 0.8, b + 0.8)


def turned(degrees: float, left: float, right: float, front: float, back: float) -> Box:
    """The upright box round a figure that faces ``degrees`` and reaches so far to each of its sides."""
    turn = radians(degrees)
    s, c = sin(turn), cos(turn)
    corners = [(x * c - y * s, x * s + y * c) for x in (-left, right) for y in (-front, back)]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return Box(min(xs), min(ys), max(xs), max(ys))


def _first(grid: dict[tuple[int, int], list[Box]], box: Box) -> Box | None:
    """The first box of a grid that is met."""
    left, top, right, bottom = box
    for cell in _cells(box):
        for other in grid.get(cell, ()):
            a, b, c, d = other
            if left < c and a < right and top < d and b < bottom:
                return other
    return None


def _cells(box: Box) -> list[tuple[int, int]]:
    left, top, right, bottom = box
    first, last = int(left // CELL), int(right // CELL)
    upper, lower = int(top // CELL), int(bottom // CELL)
    if first == last and upper == lower:
        return [(first, upper)]
    return [(x, y) for x in range(first, last + 1) for y in range(upper, lower + 1)]
