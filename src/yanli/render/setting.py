"""What stands where before the guests come, for those who set up.

Comes in: a performance. Goes out: tables of building, things and persons, with coordinates in 尺 and metres.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from yanli.performance.world import NOWHERE
from yanli.render.columns import clock, table
from yanli.render.properties import properties, sizes_words, where
from yanli.render.totals import measures_of
from yanli.render.wording import Wording
from yanli.venue import facing_name

if TYPE_CHECKING:
    from yanli.performance.event import Event
    from yanli.performance.perform import Performance
    from yanli.performance.world import World

OUTSIDE = "門外"
GUESTS = "賓黨"
# The key of rite.toml that names the words before which everything stands ready.
READY = "ready"
AXES = ("東尺", "北尺", "東米", "北米", "面")
THINGS = ("域", "所", "物", "English", "數", *AXES, "誰之；度")
PERSONS = ("域", "所", "人", *AXES)


def setting_up(performance: Performance) -> str:
    """Write what stands where when all is ready, told from the middle of the hall's front edge.

    That is before the words, or the section, that ``ready`` in rite.toml names; else before the first guest comes in.
    Raises RiteError when the rite has no such words.
    """
    told = _told(performance)
    first = told or first_guest(performance)
    time, done = (first.start, first.order if told is not None else 0) if first is not None else (0.0, 0)
    world, metres = performance.world_at(time, done), performance.stage.layout.building.metres
    when = "始 at the start"
    if first is not None:
        before = "before this is done" if told is not None else "before he comes in"
        when = f"{Wording.actor(first)}「{performance.clause(first.clause).text}」之前 {before}"
    measures = measures_of(performance)
    lines = [
        f"{performance.rite.name}　陳設 setting up：{when}　{clock(time)}",
        f"原點：堂廉之中；東、北為正；一尺 {metres:g} 米。",
        "Origin: the middle of the hall's front edge; east and north are positive.",
        "",
        "宮室 building",
        *table([each for each in measures if each[2]], right=(1, 2), indent="  "),
        "",
        "數 numbers that the building goes by",
        *table([each[:2] for each in measures if not each[2]], right=(1,), indent="  "),
        "",
        "物 things",
        *table([THINGS, *_things(performance, world)], right=(4, 5, 6, 7, 8), indent="  "),
        "",
        "人 persons",
        *table([PERSONS, *_persons(performance, world)], right=(3, 4, 5, 6), indent="  "),
    ]
    return "\n".join(lines) + "\n"


def _told(performance: Performance) -> Event | None:
    """The first act of what ``ready`` names; None when the rite names nothing, or it is not done in this scenario."""
    words = performance.rite.settings.get(READY)
    return next(iter(performance.chosen(str(words))), None) if words else None


def first_guest(performance: Performance) -> Event | None:
    """The first act by which one of the guests' party who began outside comes within."""
    persons = performance.stage.cast.persons
    actors = performance.stage.world().actors.values()
    outside = {actor.name for actor in actors if persons[actor.name].party == GUESTS and actor.spot.zone == OUTSIDE}
    return next(
        (event for event in performance.events if event.actor.name in outside and event.spot.zone != OUTSIDE), None
    )


def _things(performance: Performance, world: World) -> list[tuple[str, ...]]:
    """Things that are alike and at one spot share a row."""
    wording = Wording(performance)
    sizes = {each.kind: sizes_words(each) for each in properties(performance).kinds}
    alike: dict[tuple[str, str, str, float, float, str], list[str]] = {}
    for thing in world.things.values():
        if thing.where == NOWHERE:
            continue
        spot = thing.spot if isinstance(thing.where, str) else thing.where.spot
        facing = f"{facing_name(thing.facing)}面" if thing.facing is not None else thing.lay or ""
        key = (spot.zone, where(thing, world.things), thing.kind, round(spot.x, 1), round(spot.y, 1), facing)
        alike.setdefault(key, []).append(thing.of.name if thing.of is not None else "")
    rows: list[tuple[str, ...]] = []
    for (zone, place, kind, x, y, facing), owners in sorted(alike.items(), key=lambda item: item[0][:3]):
        named = list(dict.fromkeys(filter(None, owners)))
        remark = "；".join(filter(None, (wording.people(named) if named else "", sizes.get(kind, ""))))
        number = str(len(owners))
        rows.append((zone, place, kind, wording.thing_en(kind), number, *_at(performance, x, y), facing, remark))
    return rows


def _persons(performance: Performance, world: World) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [
        (
            actor.spot.zone,
            actor.spot.name,
            Wording.person(actor, actor.roles),
            *_at(performance, actor.spot.x, actor.spot.y),
            f"{facing_name(actor.facing)}面",
        )
        for actor in world.actors.values()
    ]
    return sorted(rows, key=lambda row: row[0])


def _at(performance: Performance, x: float, y: float) -> tuple[str, str, str, str]:
    metres = performance.stage.layout.building.in_metres
    return f"{x:.1f}", f"{y:.1f}", f"{metres(x):.2f}", f"{metres(y):.2f}"
