"""The values of the room: spots, rows, ways from one spot to another, misfits; and the compass.

Lengths are in 尺, x grows to the east and y to the north from the middle of the hall's front edge; facings are degrees
clockwise from north.
"""

from __future__ import annotations

from itertools import pairwise
from math import cos, hypot, radians, sin
from typing import Literal, NamedTuple

Point = tuple[float, float]

FACINGS: dict[str, float] = {
    "北": 0.0,
    "東北": 45.0,
    "東": 90.0,
    "東南": 135.0,
    "南": 180.0,
    "西南": 225.0,
    "西": 270.0,
    "西北": 315.0,
}
"""The eight ways one can face, in degrees."""

TURNS: dict[str, float] = {"前": 0.0, "右": 90.0, "後": 180.0, "左": 270.0}
"""Directions that depend on which way the anchor faces."""


def heading(degrees: float) -> Point:
    """The unit step in a direction; the eight ways come out exact on the axes."""
    turn = radians(degrees)
    return round(sin(turn), 12) + 0.0, round(cos(turn), 12) + 0.0


def facing_name(degrees: float) -> str:
    """The nearest of the eight words for a facing."""
    names = tuple(FACINGS)
    return names[round(degrees / 45.0) % 8]


class Spot(NamedTuple):
    """Where somebody or something stands; ``facing`` is how the place itself is turned, None when it is not."""

    name: str
    x: float
    y: float
    zone: str
    facing: float | None = None


class PlaceName(NamedTuple):
    """A place as words give it: an anchor, a relation to it ("" for the anchor itself), a distance in 尺 if said.

    ``body`` is true for 司射身南: relative to where he is, not to his 位.
    """

    anchor: str
    relation: str = ""
    distance: float | None = None
    body: bool = False


class Leg(NamedTuple):
    """One stretch of a way: walked on the level, or up or down a stair; ``length`` in 尺."""

    kind: Literal["行", "升", "降"]
    points: tuple[Point, ...]
    length: float
    stair: str | None = None
    steps: int = 0


class Route(NamedTuple):
    """A way from one spot to another, leg by leg; ``length`` in 尺."""

    legs: tuple[Leg, ...]
    length: float

    @property
    def points(self) -> tuple[Point, ...]:
        """All points of the way, in order, each once."""
        found: list[Point] = []
        for leg in self.legs:
            found.extend(point for point in leg.points if not found or point != found[-1])
        return tuple(found)


class Row(NamedTuple):
    """Spots in rank order from the head; ``folded`` when they stand in more rows than one (重行)."""

    spots: tuple[Spot, ...]
    folded: bool
    rows: int


class Misfit(NamedTuple):
    """A place that this building cannot hold as the words have it: what the rule is, and how much is wanting."""

    place: str
    rule: str
    by: float
    metres: float
    cause: str


def length_along(points: tuple[Point, ...]) -> float:
    """The length of a line through points, in 尺."""
    if len(points) == 2:  # noqa: PLR2004 - a straight line, as most are
        return hypot(points[1][0] - points[0][0], points[1][1] - points[0][1])
    return sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points))
