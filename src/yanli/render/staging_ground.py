"""The building as shapes in space: floors, rooms, walls, pillars, beams, stairs, marks and gate.

Comes in: a layout. Goes out: shapes with their box on the ground, foot and height in 尺, in the order in which they are
drawn. No source tells how high walls, pillars and gate are; such heights are marked as assumed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from yanli.render.plan_building import ENGLISH, NO_WALL, TENT
from yanli.render.plan_scene import unseen
from yanli.render.staging_words import NONE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yanli.plan.targets import Target
    from yanli.render.staging_words import Pool
    from yanli.venue import Layout

THICK = 0.5
"""A wall, a beam, a post, in 尺; no source tells it."""
WALL = 12.0
"""How high the walls of the hall stand on its floor; no source tells it."""
YARD = 10.0
"""How high the wall of the court is; no source tells it."""
COLUMN = 14.0
"""A pillar from the floor to the beam on it; no source tells it."""
RIDGE = 18.0
"""The ridge above the floor; no source tells it."""
CURTAIN = 6.0
"""The curtains of the tent; no source tells it."""
GATE = 12.0
"""A gate post; no source tells it."""
NAMED = frozenset({"室", "房", "東堂", "西堂", "堂東", "堂西", "庭"})

Box = tuple[float, float, float, float]


class Shape(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A part of the building: what it is, its name, its box (west, south, east, north), foot and height in 尺.

    ``zone`` is no thing to be seen but ground that has a name. ``steps``: of a stair. ``assumed``: no source gives
    its height.
    """

    form: str
    name: int
    box: Box
    base: float
    tall: float
    steps: int | None = None
    assumed: bool = False


class Building(msgspec.Struct, kw_only=True):
    """The whole building: kind, length of a 尺 in metres, measures, height of the hall's floor, shapes.

    ``upper`` are the zones on that floor, ``hidden`` those into which nobody sees; ``bounds`` hold hall and court,
    ``targets`` the ground of each target with its screen, in the order of rank.
    """

    kind: int
    metres: float
    measures: dict[str, float]
    height: float
    shapes: list[Shape]
    upper: list[str]
    hidden: list[str]
    bounds: Box
    targets: list[Box]


def building_data(layout: Layout, pool: Pool, targets: Iterable[Target] = ()) -> Building:
    """Give the building of a layout as data, with the ground of the targets of a rite."""
    building = layout.building
    m = building.measures
    height = m["階高"] if "堂" in building.has and "階" in building.has else 0.0
    shapes = [*_floors(layout, pool, height), *_stairs(layout, pool, height), *_walls(layout, pool, height)]
    shapes += [*_pillars(layout, pool, height), *_marks(layout, pool, height), *_gate(layout, pool)]
    half = m["庭廣"] / 2
    return Building(
        kind=pool.add(building.kind, aloud=True),
        metres=building.metres,
        measures={name: round(value, 3) for name, value in m.items()},
        height=round(height, 3),
        shapes=shapes,
        upper=sorted(zone for zone, level in layout.levels.items() if level == "上"),
        hidden=sorted(zone for zone in layout.levels if unseen(zone)),
        bounds=_box(-half, -m["庭深"], half, m["堂深"] + m["後深"] + m["堂後"]),
        targets=[box for target in targets if (box := _ground(layout, target)) is not None],
    )


def _ground(layout: Layout, target: Target) -> Box | None:
    """Where a target stands, with its screen; None where there is neither in this building."""
    found = [name for name in (target.at, target.screen) if name and layout.rule(name) and layout.lacking(name) is None]
    if target.at not in found:
        return None
    half = (layout.size(target.at) or (0.0, 0.0))[0] / 2
    spots = [layout.spot(name) for name in found]
    west = min(spots[0].x - half, *(spot.x for spot in spots))
    east = max(spots[0].x + half, *(spot.x for spot in spots))
    return _box(west, min(spot.y for spot in spots), east, max(spot.y for spot in spots))


def _named(pool: Pool, name: str) -> int:
    return pool.add(name, ENGLISH.get(name), aloud=True)


def _box(west: float, south: float, east: float, north: float) -> Box:
    return (round(west, 2), round(south, 2), round(east, 2), round(north, 2))


def _thick(box: Box) -> Box:
    """A line with a breadth."""
    west, south, east, north = box
    half = THICK / 2
    return _box(west - half, south - half, east + half, north + half)


def _floors(layout: Layout, pool: Pool, height: float) -> Iterator[Shape]:
    m = layout.building.measures
    half, back = m["庭廣"] / 2, m["堂深"] + m["後深"]
    court = _box(-half, -m["庭深"], half, back + m["堂後"])
    yield Shape(form="court", name=NONE, box=court, base=0.0, tall=0.0)
    hall = _box(-m["堂廣"] / 2, 0.0, m["堂廣"] / 2, back)
    yield Shape(form="hall", name=NONE, box=hall, base=0.0, tall=round(height, 3))
    for name, level, (west, south, east, north) in layout.zones:
        up = level == "上"
        box = _box(west, south, east, north)
        if up and name != "堂上":
            yield Shape(form="room", name=_named(pool, name), box=box, base=round(height, 3), tall=0.0)
        elif name == TENT:
            yield Shape(form="tent", name=_named(pool, name), box=box, base=0.0, tall=CURTAIN, assumed=True)
        elif name in NAMED:
            yield Shape(form="zone", name=_named(pool, name), box=box, base=0.0, tall=0.0)
    middle = _box(-m["序間"] / 2, 0.0, m["序間"] / 2, m["堂深"])
    yield Shape(form="zone", name=_named(pool, "堂"), box=middle, base=round(height, 3), tall=0.0)
    edge = _box(-m["堂廣"] / 2, 0.0, m["堂廣"] / 2, 0.0)
    yield Shape(form="edge", name=_named(pool, "堂廉"), box=edge, base=round(height, 3), tall=0.0)


def _stairs(layout: Layout, pool: Pool, height: float) -> Iterator[Shape]:
    m = layout.building.measures
    if "階" not in layout.building.has:
        return
    for name, stair in layout.building.stairs.items():
        if not layout.building.holds(stair.needs):
            continue
        x, foot, top = layout.value(stair.x), layout.value(stair.foot), layout.value(stair.top)
        half = m["階廣"] / 2
        box = _box(x - half, min(foot, top), x + half, max(foot, top))
        steps = max(1, round(m["等"]))
        yield Shape(form="stair", name=_named(pool, name), box=box, base=0.0, tall=round(height, 3), steps=steps)


def _walls(layout: Layout, pool: Pool, height: float) -> Iterator[Shape]:
    m = layout.building.measures
    lines = [(name, level, box) for name, level, box in layout.walls if name != NO_WALL]
    if "堂" in layout.building.has:
        back = m["堂深"] + m["後深"]
        lines.append(("屋壁", "上", (-m["序間"] / 2, back, m["序間"] / 2, back)))
    for name, level, box in lines:
        up = level == "上"
        word = _named(pool, name) if name in ENGLISH else NONE
        base, tall = (height, WALL) if up else (0.0, YARD)
        yield Shape(form="wall", name=word, box=_thick(box), base=round(base, 3), tall=tall, assumed=True)


def _pillars(layout: Layout, pool: Pool, height: float) -> Iterator[Shape]:
    m = layout.building.measures
    if "楹" not in layout.building.has:
        return
    for name in ("東楹", "西楹"):
        if layout.rule(name) is None:
            continue
        spot, (broad, deep) = layout.spot(name), layout.size(name) or (1.0, 1.0)
        box = _box(spot.x - broad / 2, spot.y - deep / 2, spot.x + broad / 2, spot.y + deep / 2)
        yield Shape(form="pillar", name=_named(pool, name), box=box, base=round(height, 3), tall=COLUMN, assumed=True)
    for name, above in (("楣", COLUMN), ("棟", RIDGE)):
        if 0 < m[name] < m["堂深"] + m["後深"]:
            box = _thick((-m["序間"] / 2, m[name], m["序間"] / 2, m[name]))
            base = round(height + above, 3)
            yield Shape(form="beam", name=_named(pool, name), box=box, base=base, tall=THICK, assumed=True)


def _marks(layout: Layout, pool: Pool, height: float) -> Iterator[Shape]:
    for name in ("右物", "左物"):
        if layout.rule(name) is None or layout.lacking(name) is not None:
            continue
        spot, (broad, deep) = layout.spot(name), layout.size(name) or (1.2, 3.0)
        box = _box(spot.x - broad / 2, spot.y - deep / 2, spot.x + broad / 2, spot.y + deep / 2)
        yield Shape(form="mark", name=_named(pool, name), box=box, base=round(height, 3), tall=0.0)


def _gate(layout: Layout, pool: Pool) -> Iterator[Shape]:
    m = layout.building.measures
    if "門" not in layout.building.has:
        return
    half, y = m["門廣"] / 2, -m["庭深"]
    for x in (-half, half):
        yield Shape(form="post", name=NONE, box=_thick((x, y, x, y)), base=0.0, tall=GATE, assumed=True)
    yield Shape(form="sill", name=_named(pool, "門"), box=_box(-half, y, half, y), base=0.0, tall=0.0)
    outside = _box(-m["庭廣"] / 2, y - 60.0, m["庭廣"] / 2, y)
    yield Shape(form="zone", name=_named(pool, "門外"), box=outside, base=0.0, tall=0.0)
