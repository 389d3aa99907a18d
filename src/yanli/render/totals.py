"""What is counted of a whole performance: events, bows, cups, arrows, hits, its length.

Comes in: a performance. Goes out: numbers by name, Chinese first; and the measures of its building.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yanli.performance.event import changed
from yanli.performance.stage import rite_tables
from yanli.performance.world import Thing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yanli.performance.perform import Performance

BOW = "拜"
"""Every verb that has this word in it is a bow."""


def totals(performance: Performance) -> dict[str, float]:
    """Count a performance. A bow done twice (再拜) counts two; a cup is filled or emptied as its wine comes or goes."""
    events = performance.events
    wine = [
        value
        for event in events
        for thing, attribute, value in changed(performance.journal, event)
        if isinstance(thing, Thing) and attribute == "filled"
    ]
    return {
        "事 events": len(events),
        "經文 of the words": sum(event.info.origin == "text" for event in events),
        "編者 by the editor": sum(event.info.origin == "editor" for event in events),
        "推 inferred": sum(event.info.origin == "inferred" for event in events),
        "拜 bows": sum(event.info.times for event in events if BOW in event.info.verb),
        "實爵 cups filled": sum(1 for filled in wine if filled),
        "卒爵 cups emptied": sum(1 for filled in wine if not filled),
        "矢 arrows shot": sum(event.hit is not None for event in events),
        "中 hits": sum(event.hit is True for event in events),
        "久 seconds": round(performance.length, 1),
    }


def measures_of(performance: Performance) -> list[tuple[str, str, str]]:
    """The measures of the building that are not nothing: name, in 尺, in metres; of what is counted, the number."""
    building = performance.stage.layout.building
    rules: dict[str, Any] = {}
    tables: tuple[Mapping[str, Any], ...] = (building.lexicon, rite_tables(performance.rite).get("places.toml", {}))
    for table in tables:
        rules.update(table.get("measures", {}))
    found = []
    for name, value in building.measures.items():
        if value and rules.get(name, {}).get("whole"):
            found.append((name, f"{value:g}", ""))
        elif value:
            found.append((name, f"{value:g}尺", f"{building.in_metres(value):.2f}米"))
    return found
