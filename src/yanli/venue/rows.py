"""Rows of people: the first at the head, the others away from it, in further rows (重行) where one does not fit."""

from __future__ import annotations

from collections.abc import Callable

from yanli.venue.spot import FACINGS, TURNS, Row, Spot, heading

BEHIND = 4.0
"""How far a further row stands behind the one before it, in 尺."""
OPEN = {"庭": ("庭", "堂下", "門內"), "堂下": ("堂下", "庭"), "門內": ("門內", "庭")}
"""Zones that run into one another on the ground; elsewhere a row, and a place, stays in its zone."""


def row(
    zone_at: Callable[[float, float], str], spot: Spot, count: int, facing: float, head: str | None, spacing: float
) -> Row:
    """Spots in rank order; ``head`` is a compass word or 左 右 前 後 of those who stand (東上: the first is east).

    Without a head, those who face south or north have it in the east, those who face east or west in the north.
    """
    towards = _towards(facing, head)
    along = heading(towards + 180.0)
    across = abs((towards - facing) % 180.0 - 90.0) < 46.0  # noqa: PLR2004  # side by side, not in file
    back = heading(facing + 180.0) if across else heading(facing + 90.0)
    zones = OPEN.get(spot.zone, (spot.zone,))

    def free(x: float, y: float) -> bool:
        return zone_at(x, y) in zones

    places: list[Spot] = []
    rank = rows = 0
    start = (spot.x, spot.y)
    while len(places) < count:
        if rows and not free(*start):
            return _pressed(zone_at, spot, count, facing, along, spacing, free)
        rows += 1
        x, y = start
        while len(places) < count and (free(x, y) or (x, y) == start):
            rank += 1
            places.append(Spot(f"{spot.name}.{rank}", x, y, zone_at(x, y), facing % 360.0))
            x, y = x + spacing * along[0], y + spacing * along[1]
        start = (start[0] + BEHIND * back[0], start[1] + BEHIND * back[1])
    return Row(tuple(places), rows > 1, max(rows, 1))


def _towards(facing: float, head: str | None) -> float:
    if head is None:
        return FACINGS["東"] if round(facing) % 180 == 0 else FACINGS["北"]
    word = head.removesuffix("上")
    return FACINGS[word] if word in FACINGS else facing + TURNS[word]


def _pressed(
    zone_at: Callable[[float, float], str],
    spot: Spot,
    count: int,
    facing: float,
    along: tuple[float, float],
    spacing: float,
    free: Callable[[float, float], bool],
) -> Row:
    """Everyone in the one row there is, closer together: there is no room for a further row either."""
    room = 0.0
    while room < count * spacing and free(spot.x + (room + 0.5) * along[0], spot.y + (room + 0.5) * along[1]):
        room += 0.5
    step = min(spacing, room / max(count - 1, 1))
    places = tuple(
        Spot(f"{spot.name}.{rank + 1}", x, y, zone_at(x, y), facing % 360.0)
        for rank in range(count)
        for x, y in ((spot.x + rank * step * along[0], spot.y + rank * step * along[1]),)
    )
    return Row(places, folded=True, rows=1)
