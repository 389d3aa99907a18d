"""What a building cannot hold as the words have it: places outside their zone, things that have no room.

Comes in: a layout. Goes out: :class:`Misfit` values, each with the rule, how much is wanting, and why.
"""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING

from yanli.venue import rows
from yanli.venue.spot import Misfit, Spot

if TYPE_CHECKING:
    from yanli.venue.layout import Layout
    from yanli.venue.places import PlaceRule
    from yanli.venue.walking import Box

SMALL = 0.01
"""Less than a tenth of a 寸 is no misfit."""


def misfits(layout: Layout) -> list[Misfit]:
    """Every misfit, in the order of the rules: first the room that the words ask for, then place by place."""
    found: list[Misfit] = []
    metres = layout.building.metres
    for fit in layout.places.fits:
        if layout.lacking(fit.place) is not None or not layout.value(fit.of):
            continue
        need, have = layout.value(fit.need), layout.value(fit.have)
        if need - have > SMALL:
            cause = f"{fit.place}: {fit.need} = {need:.1f}尺 is more than {fit.have} = {have:.1f}尺"
            found.append(Misfit(fit.place, fit.words or fit.need, need - have, (need - have) * metres, cause))
    found.extend(wrong for name in layout.anchors() if (wrong := misfit_of(layout, name)) is not None)
    return found + _crowded(layout)


def misfit_of(layout: Layout, name: str) -> Misfit | None:
    """How one place (also 大夫席.7) does not fit, or None when it does."""
    rule = layout.rule(name)
    if rule is None:
        return None
    told = rule.words or f"x = {rule.x}, y = {rule.y}"
    missing = layout.lacking(name)
    if missing is not None:
        return Misfit(name, told, 0.0, 0.0, f"{name}: this building has no {missing}")
    spot = layout.spot(name)
    by = _over(layout, name, spot, rule)
    if by <= SMALL:
        return None
    metres = by * layout.building.metres
    where = layout.zone_at(spot.x, spot.y)
    cause = f"{name} reaches {by:.1f}尺 ({metres:.2f}米) beyond {spot.zone}; its middle is in {where}"
    return Misfit(name, told, by, metres, cause)


def _crowded(layout: Layout) -> list[Misfit]:
    """Mats and solid things that would stand on one another; two places for the same ground are alternatives."""
    stand: list[tuple[str, Spot, Box]] = []
    found: list[Misfit] = []
    metres = layout.building.metres
    for name in layout.anchors():
        rule = layout.rule(name)
        if rule is None or not (rule.form or rule.solid is not None) or layout.lacking(name) is not None:
            continue
        size = layout.size(name) or (0.0, 0.0)
        spot = layout.spot(name)
        wide, deep = (size[1], size[0]) if spot.facing in (90.0, 270.0) else size
        box = (spot.x - wide / 2, spot.y - deep / 2, spot.x + wide / 2, spot.y + deep / 2)
        for other, there, (west, south, east, north) in stand:
            by = min(box[2] - west, east - box[0], box[3] - south, north - box[1])
            if by > SMALL and there[1:3] != spot[1:3]:
                cause = f"{name} and {other} would stand on one another by {by:.1f}尺 ({by * metres:.2f}米)"
                found.append(Misfit(name, rule.words or rule.source, by, by * metres, cause))
        stand.append((name, spot, box))
    return found


def _over(layout: Layout, name: str, spot: Spot, rule: PlaceRule) -> float:
    """How far a place, or what stands on it, reaches beyond its zone."""
    zones = rows.OPEN.get(rule.zone, (rule.zone,))
    if layout.zone_at(spot.x, spot.y) in zones and rule.loose:
        return 0.0
    size = layout.size(name) or (0.0, 0.0)
    wide, deep = (size[1], size[0]) if spot.facing in (90.0, 270.0) else size
    corners = [(spot.x + i * wide / 2, spot.y + j * deep / 2) for i in (-1, 1) for j in (-1, 1)]
    out = [corner for corner in corners if layout.zone_at(*corner) not in zones]
    if not out:
        return 0.0
    boxes = [box for zone, _, box in layout.zones if zone in zones]
    if not boxes:
        return SMALL * 2
    return min(max(_far(box, corner) for corner in corners) or SMALL * 2 for box in boxes)


def _far(box: Box, point: tuple[float, float]) -> float:
    west, south, east, north = box
    return hypot(max(west - point[0], 0.0, point[0] - east), max(south - point[1], 0.0, point[1] - north))
