"""The building on the sheet: hall, walls, pillars, stairs, rooms, gate, court, and the shooting marks.

Comes in: a layout and a view. Goes out: SVG, the boxes that nothing may stand in, and the names of the parts, each
with the places where it may be written.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from yanli.render.plan_space import Box
from yanli.render.plan_text import num

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yanli.render.plan_space import View
    from yanli.venue import Layout

THICK = 2.2
"""Half of a wall."""
NO_WALL = "堂後"
TENT = "次"
"""Ground shut in by curtains (次若今時更衣處，張幃席為之), open to the west."""
ENGLISH = {
    "堂": "hall", "室": "chamber", "房": "room", "東堂": "east side hall", "西堂": "west side hall",
    "東序": "east wall",
    "西序": "west wall", "阼階": "eastern stair", "西階": "western stair", "北階": "northern stair", "門": "gate",
    "堂東": "east of the hall", "堂西": "west of the hall", "庭": "court", "東楹": "east pillar", "西楹": "west pillar",
    "楣": "lintel beam", "棟": "ridge", "右物": "right mark", "左物": "left mark", "堂廉": "hall's edge",
    "門外": "outside the gate", "西房": "west room", TENT: "tent",
}  # fmt: skip


class PartName(NamedTuple):
    """The name of a part; ``spots`` are the middles where it may be written, best first."""

    words: str
    spots: tuple[tuple[float, float], ...]


@dataclass
class Built:
    """The building as drawn."""

    shapes: list[str]
    hard: list[Box]
    soft: list[Box]
    names: list[PartName]
    edges: list[Box]


def rect(box: Box, kind: str) -> str:
    """A box as an element."""
    return (
        f'<rect x="{num(box.left)}" y="{num(box.top)}" width="{num(box.right - box.left)}" '
        f'height="{num(box.bottom - box.top)}" class="{kind}"/>'
    )


def building(layout: Layout, view: View, *, geared: bool) -> Built:
    """Draw it all; ``geared``: the archery gear has been brought in, so the shooting marks are wanted."""
    built = Built([], [], [], [], [])
    _floors(layout, view, built)
    _beams(layout, view, built)
    _stairs(layout, view, built)
    _walls(layout, view, built)
    _solids(layout, view, built)
    _marks(layout, view, built, geared=geared)
    _gate(layout, view, built)
    return built


def _floors(layout: Layout, view: View, built: Built) -> None:
    m = layout.building.measures
    half, back = m["庭廣"] / 2, m["堂深"] + m["後深"]
    built.shapes += [rect(box, "court") for box in view.pieces(-half, -m["庭深"], half, back + m["堂後"])]
    hall = view.pieces(-m["堂廣"] / 2, 0.0, m["堂廣"] / 2, back)
    flat = "" if "堂" in layout.building.has else " flat"
    built.shapes += [rect(box, f"hall{flat}") for box in hall]
    for name, level, (west, south, east, north) in layout.zones:
        boxes = view.pieces(west, south, east, north)
        if level == "上" and name != "堂上":
            built.shapes += [rect(box, "room") for box in boxes]
        if name == TENT:
            built.shapes += [rect(box, "tent") for box in boxes]
        if name in {"室", "房", "西房", "東堂", "西堂", "堂東", "堂西", "庭", TENT}:
            built.names.append(PartName(name, tuple(_grid(boxes))))
    edge = view.y(0.0)
    left, right = view.x(-m["堂廣"] / 2), view.x(m["堂廣"] / 2)
    built.shapes.append(f'<path d="M{num(left)} {num(edge)} H{num(right)}" class="edge{flat}"/>')
    built.edges.append(Box(left, edge - 1.4, right, edge + 1.4))
    built.names.append(PartName("堂", tuple(_grid(view.pieces(-m["序間"] / 2, 0.0, m["序間"] / 2, m["堂深"])))))
    built.names.append(PartName("堂廉", tuple((view.x(x), edge + 9) for x in (5.0, -5.0, 10.0, -10.0, 0.0))))


def _grid(boxes: list[Box]) -> Iterator[tuple[float, float]]:
    for box in boxes:
        x, y = box.middle
        wide, high = box.right - box.left, box.bottom - box.top
        for down in (0.0, -0.3, 0.3, -0.42, 0.42):
            for across in (0.0, 0.15, -0.15, 0.3, -0.3, 0.42, -0.42):
                yield x + across * wide, y + down * high


def _beams(layout: Layout, view: View, built: Built) -> None:
    m = layout.building.measures
    for name in ("楣", "棟"):
        if 0 < m[name] < m["堂深"] + m["後深"] and "楹" in layout.building.has:
            left, right, y = view.x(-m["序間"] / 2), view.x(m["序間"] / 2), view.y(m[name])
            built.shapes.append(f'<path d="M{num(left)} {num(y)} H{num(right)}" class="beam-line"/>')
            built.soft.append(Box(left, y - 1, right, y + 1))
            spots = tuple((x, y - off) for off in (7.0, -7.0) for x in (right - 8, left + 8, right - 24, left + 24))
            built.names.append(PartName(name, spots))


def _stairs(layout: Layout, view: View, built: Built) -> None:
    m = layout.building.measures
    if "階" not in layout.building.has:
        return
    steps = max(1, round(m["等"]))
    for name, stair in layout.building.stairs.items():
        if not layout.building.holds(stair.needs):
            continue
        x, foot, top = layout.value(stair.x), layout.value(stair.foot), layout.value(stair.top)
        half = m["階廣"] / 2
        for box in view.pieces(x - half, min(foot, top), x + half, max(foot, top)):
            built.shapes.append(rect(box, "stair"))
            rise = (box.bottom - box.top) / steps
            lines = "".join(f"M{num(box.left)} {num(box.top + rise * at)}H{num(box.right)}" for at in range(1, steps))
            if lines:
                built.shapes.append(f'<path d="{lines}" class="step"/>')
            built.soft.append(box)
            across, down = box.middle
            east, west = box.right + 18, box.left - 18
            sides = (west, east) if x < 0 else (east, west)
            spots = [
                *((side, down) for side in sides),
                (across, box.bottom + 10),
                *((side, down + 12) for side in sides),
            ]
            built.names.append(PartName(name, tuple(spots)))


def _walls(layout: Layout, view: View, built: Built) -> None:
    m = layout.building.measures
    lines = [(name, box) for name, _, box in layout.walls if name != NO_WALL]
    if "堂" in layout.building.has:
        back = m["堂深"] + m["後深"]
        lines.append(("屋壁", (-m["序間"] / 2, back, m["序間"] / 2, back)))
    for name, (west, south, east, north) in lines:
        for box in view.pieces(max(west, view.west), south, min(east, view.east), north):
            thick = box.grown(THICK)
            built.shapes.append(rect(thick, "wall"))
            built.hard.append(thick)
            if name in {"東序", "西序"}:
                across, down = box.middle
                out = 10.0 if name == "東序" else -10.0
                heights = (down, down + 30, down - 30, down - 55)
                spots = tuple((across + side * out, y) for side in (1, -1) for y in heights)
                built.names.append(PartName(name, spots))


def _solids(layout: Layout, view: View, built: Built) -> None:
    for name in ("東楹", "西楹"):
        if "楹" not in layout.building.has or layout.rule(name) is None:
            continue
        spot = layout.spot(name)
        x, y = view.x(spot.x), view.y(spot.y)
        built.shapes.append(f'<circle cx="{num(x)}" cy="{num(y)}" r="4.8" class="pillar"/>')
        built.hard.append(Box(x - 5, y - 5, x + 5, y + 5))
        spots = ((x, y - 12), (x, y + 12), (x + 18, y), (x - 18, y), (x + 16, y - 12), (x - 16, y - 12))
        built.names.append(PartName(name, spots))


def _marks(layout: Layout, view: View, built: Built, *, geared: bool) -> None:
    for name in ("右物", "左物"):
        if layout.rule(name) is None or layout.lacking(name) is not None:
            continue
        spot, size = layout.spot(name), layout.size(name) or (1.2, 3.0)
        for box in view.pieces(spot.x - size[0] / 2, spot.y - size[1] / 2, spot.x + size[0] / 2, spot.y + size[1] / 2):
            x, y = box.middle
            lines = f"M{num(x)} {num(box.top)}V{num(box.bottom)}M{num(box.left)} {num(y)}H{num(box.right)}"
            built.shapes.append(f'<path d="{lines}" class="mark{"" if geared else " ghost"}" data-place="{name}"/>')
            built.soft.append(box)
            if geared:
                spots = ((x, box.top - 8), (x, box.bottom + 8), (box.right + 15, y), (box.left - 15, y))
                built.names.append(PartName(name, spots))


def _gate(layout: Layout, view: View, built: Built) -> None:
    m = layout.building.measures
    if "門" not in layout.building.has:
        return
    half, y = m["門廣"] / 2, view.y(-m["庭深"])
    for side in (-1, 1):
        x = view.x(side * half)
        post = Box(x - 4, y - 4, x + 4, y + 4)
        built.shapes.append(rect(post, "pillar"))
        built.hard.append(post)
        built.shapes.append(f'<path d="M{num(x)} {num(y)} V{num(y - half * 5)}" class="leaf"/>')
        built.soft.append(Box(x - 1, y - half * 5, x + 1, y))
    middle = view.x(0.0)
    built.shapes.append(f'<path d="M{num(view.x(-half))} {num(y)} H{num(view.x(half))}" class="sill"/>')
    out = view.x(half) + 30
    spots = ((middle, y + 11), (middle + 22, y + 11), (middle - 22, y + 11), (out, y + 12), (middle, y - 14))
    built.names.append(PartName("門", spots))
    built.names.append(PartName("門外", tuple((middle + x, y + 22) for x in (-200, 200, -300, 300, -400, 400))))
