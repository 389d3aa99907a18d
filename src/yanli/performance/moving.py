"""How people move: walking, stairs, small steps; and what of it the engine adds of itself."""

from __future__ import annotations

from math import atan2, degrees
from typing import TYPE_CHECKING

from yanli.venue import Spot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yanli.performance.context import Context
    from yanli.performance.ground import Ground
    from yanli.venue import Leg
    from yanli.venue.spot import Point

# 尺 a second at a ceremonial walk, and seconds a step of the stairs: the project's own ordinary measures.
WALK = 3.0
STAIR_SECONDS = 1.5
# The small steps of the words (少退, 少進, 少右) carry 3 尺 (semantics 8).
PACE = 3.0
# The zones in which one stands on some stair.
ON_STAIRS = frozenset({"階", "北階"})
# Where no small step leads by itself.
OFF = frozenset({"階", "北階", "門外"})


def way_to(a: Spot, b: Spot) -> float:
    """The nearest of the eight facings from one spot towards another, in degrees."""
    return round(degrees(atan2(b.x - a.x, b.y - a.y)) / 45.0) % 8 * 45.0


class Way:
    """A leg made ready to be walked: where it ends, how one faces at its end (None: as before), how long it takes."""

    __slots__ = ("end", "facing", "kind", "points", "seconds")

    def __init__(self, leg: Leg, end: Spot) -> None:
        """Work out facing (of the eight ways) and seconds."""
        points = leg.points
        self.kind = leg.kind
        self.points = points
        self.end = end
        self.seconds = leg_seconds(leg)
        self.facing: float | None = None
        if len(points) > 1 and points[-1] != points[-2]:
            (ax, ay), (bx, by) = points[-2], points[-1]
            self.facing = round(degrees(atan2(bx - ax, by - ay)) / 45.0) % 8 * 45.0


def travel(m: Ground, c: Context, spot: Spot, *, inferred: str | None = None) -> None:
    """Bring the actor to a spot, by his own stairs; the last leg is the act itself unless ``inferred`` says why not."""
    actor = c.actor
    here = actor.spot
    if here is spot:
        return
    if here.x == spot.x and here.y == spot.y and actor.step is None:
        m.world.move(actor, spot)
        return
    if actor.posture != "立":
        m.infer_posture(c, "興", "立")
    ways = m.ways(actor, spot, c.ready.stair, c.via)
    if inferred is None:
        for way in ways[:-1]:
            m.infer_way(c, way, f"{c.ready.verb}前先至")
        step(m, c, ways[-1])
        return
    for way in ways:
        m.infer_way(c, way, inferred)


def step(m: Ground, c: Context, way: Way) -> None:
    """One leg that is the act itself: it lengthens the act and leaves the actor at its end."""
    c.path = (*c.path, *way.points[1:]) if c.path else way.points
    c.seconds += way.seconds
    m.arrive(c.actor, way)
    c.moved = True


def leg_seconds(leg: Leg) -> float:
    """How long a leg takes, in seconds."""
    return leg.length / WALK if leg.kind == "行" else max(leg.steps * STAIR_SECONDS, leg.length / WALK)


def go_along(m: Ground, c: Context, spots: Sequence[Spot]) -> None:
    """Walk from spot to spot."""
    for spot in spots:
        travel(m, c, spot)


def step_aside(m: Ground, c: Context, which: str, far: float) -> None:
    """A small step by the actor's own front, back, left or right; a smaller one where it would lead off his level."""
    actor = c.actor
    here = actor.spot
    for share in (1.0, 0.5, 0.25):
        place = m.layout.beside(here._replace(facing=actor.facing), which, far * share)
        if place.zone == here.zone or (place.zone not in OFF and m.up(place) == m.up(here)):
            m.world.move(actor, Spot(here.name, place.x, place.y, place.zone))
            c.path = ((here.x, here.y), (place.x, place.y))
            c.moved = True
            return


def between(points: tuple[Point, ...], share: float) -> Point:
    """The point so far along a line (0 to 1)."""
    (ax, ay), (bx, by) = points[0], points[-1]
    return (ax + (bx - ax) * share, ay + (by - ay) * share)
