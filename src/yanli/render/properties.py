"""Every property (器): what it is, how many, how large, who brings it, whose it is, where at start and end.

Comes in: a performance. Goes out: a ``Property`` for each kind, grouped, with numbers that add up to the inventory.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from yanli.render.columns import table, wrap
from yanli.render.wording import Wording, numbered
from yanli.tables import say
from yanli.venue.measure import length_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yanli.performance.perform import Performance
    from yanli.performance.world import Thing, World

GROUPS: dict[str, str] = {
    "cup": "飲器 cups",
    "vessel": "酒水之器 jars and basins",
    "liquid": "酒水之器 jars and basins",
    "tool": "勺之屬 tools",
    "basket": "篚 baskets",
    "stand": "俎豐禁 stands",
    "mat": "席 mats",
    "cloth": "布 cloths",
    "food": "薦羞 food",
    "dish": "籩豆 dishes",
    "instrument": "樂器 instruments",
    "bow": "弓 bows",
    "arrow": "矢 arrows",
    "target": "侯 target",
    "screen": "乏 screen",
    "flag": "旌 banner",
    "holder": "中楅 holders",
    "stick": "算 tally sticks",
    "cord": "繩茅 cords",
    "light": "燭 lights",
    "set": "一套 sets",
    "part": "分 parts",
}
OTHER = "他 other"
DRESS = "服 dress"
PAGE = 90
# 尺: so little is no difference.
NO_MATTER = 0.001


class Size(msgspec.Struct, frozen=True, kw_only=True):
    """One measure: of what, how much, and where it is said."""

    part: str
    value: str
    source: str | None


class Lot(msgspec.Struct, frozen=True, kw_only=True):
    """So many of a kind that begin at one place: who brings them, whose they are, on what source."""

    number: int
    at: str
    by: str | None
    of: list[str]
    source: str | None


class Property(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of thing. ``start`` and ``end``: how many are where, at the beginning and at the end.

    ``called``: which of its kind it is (鹿中 of 中), where that hangs on the scenario.
    """

    kind: str
    called: str = ""
    group: str
    en: str
    number: int
    sizes: list[Size]
    lots: list[Lot]
    start: dict[str, int]
    end: dict[str, int]


class Garment(msgspec.Struct, frozen=True, kw_only=True):
    """What so many persons wear at some time, each his own; it is no thing that lies anywhere."""

    kind: str
    en: str
    number: int
    of: list[str]


class Properties(msgspec.Struct, frozen=True, kw_only=True):
    """The whole inventory; ``number`` is how many things there are in all, garments not among them."""

    rite: str
    number: int
    kinds: list[Property]
    dress: list[Garment]


def where(thing: Thing, things: Mapping[str, Thing]) -> str:
    """Where a thing is, in words: a place, a person, or what it lies in."""
    place = thing.where if isinstance(thing.where, str) else thing.where.name
    if isinstance(thing.where, str) and place in things:
        box = things[place]
        return f"{box.of.name}{box.kind}" if box.of is not None else box.kind
    return place


def properties(performance: Performance) -> Properties:
    """List what a rehearsal must bring together."""
    wording = Wording(performance)
    start, end = performance.stage.world(), performance.world_at(performance.length)
    lots: dict[str, dict[tuple[str, str | None, str | None], tuple[int, list[str]]]] = {}
    given: dict[str, Size] = {}
    called: dict[str, str] = {}
    for entry in performance.stage.cast.properties:
        alike = lots.setdefault(entry.kind, {})
        number, owners = alike.get((entry.at, entry.by, entry.source), (0, []))
        alike[entry.at, entry.by, entry.source] = (number + entry.number, [*owners, *([entry.of] if entry.of else [])])
        if entry.size:
            given[entry.kind] = Size(part="", value=entry.size, source=entry.source)
        if entry.called:
            called[entry.kind] = entry.called
    kinds = []
    for kind, alike in lots.items():
        thing = performance.stage.lexicon.thing(kind)
        sizes = [
            Size(part=part, value=_measured(performance, kind, part, size.value), source=size.source)
            for part, size in (thing.size if thing else {}).items()
        ]
        kinds.append(
            Property(
                kind=kind,
                called=called.get(kind, ""),
                group=GROUPS.get(thing.kind or "", OTHER) if thing is not None else OTHER,
                en=say(called.get(kind, "")) or wording.thing_en(kind),
                number=sum(number for number, _ in alike.values()),
                sizes=sizes or ([given[kind]] if kind in given else []),
                lots=[
                    Lot(number=number, at=at, by=by, of=list(dict.fromkeys(owners)), source=source)
                    for (at, by, source), (number, owners) in alike.items()
                ],
                start=_places(start, kind),
                end=_places(end, kind),
            )
        )
    order = list(dict.fromkeys(GROUPS.values()))
    kinds.sort(key=lambda each: order.index(each.group) if each.group in order else len(order))
    dress = _dress(performance, wording)
    return Properties(rite=performance.rite.name, number=len(start.things), kinds=kinds, dress=dress)


def _dress(performance: Performance, wording: Wording) -> list[Garment]:
    """Who must have which garments: those he comes in, and those he puts on."""
    worn: dict[str, dict[str, None]] = {}
    for name, person in performance.stage.cast.persons.items():
        for word in person.dress:
            worn.setdefault(word, {})[name] = None
    for event in performance.events:
        for word in wording.garments.get(event.n, ()):
            worn.setdefault(word, {})[event.actor.name] = None
    return [
        Garment(kind=word, en=wording.word_en(word), number=len(names), of=list(names)) for word, names in worn.items()
    ]


def _named(each: Property) -> str:
    return f"{each.kind}（{each.called}）" if each.called else each.kind


def _measured(performance: Performance, kind: str, part: str, value: str) -> str:
    """A measure as the words have it, unless the scenario makes it another: a nearer target is smaller."""
    building = performance.stage.layout.building
    named = (f"{kind}{part}", f"{kind}{part}廣", part, f"{part}廣")
    here = next((found for name in named if (found := building.measures.get(name))), None)
    usual = length_of(value, building.metres)
    if here and usual is not None and abs(here - usual) > NO_MATTER:
        return f"{here:.2f}尺（{building.in_metres(here):.2f}米）"
    return value


def _places(world: World, kind: str) -> dict[str, int]:
    found = Counter(where(thing, world.things) for thing in world.things.values() if thing.kind == kind)
    return dict(found)


def properties_text(found: Properties) -> str:
    """The same, to read and to tick off."""
    lines = [f"{found.rite}　器 properties：{found.number} 件 in {len(found.kinds)} 類 kinds"]
    told = table(
        [("☐", _named(each), each.en, f"{each.number}", sizes_words(each)) for each in found.kinds],
        right=(3,),
        indent="  ",
    )
    group = ""
    for each, line in zip(found.kinds, told, strict=True):
        if each.group != group:
            group = each.group
            lines += ["", group]
        lines.append(line)
        lines += [f"      {words}" for words in wrap(_whereabouts(each), PAGE)]
    if found.dress:
        lines += ["", DRESS]
    told = table([("☐", each.kind, each.en, f"{each.number}") for each in found.dress], right=(3,), indent="  ")
    for garment, line in zip(found.dress, told, strict=True):
        owners = numbered(garment.of).replace(" ", "、")
        lines += [line, *(f"      {words}" for words in wrap(f"屬 of {owners}", PAGE))]
    return "\n".join(lines) + "\n"


def sizes_words(each: Property) -> str:
    """The measures of a thing: 長3尺、博3寸."""
    return "、".join(f"{size.part}{size.value}" for size in each.sizes)


def _whereabouts(each: Property) -> str:
    owners = list(dict.fromkeys(owner.partition(".")[0] for lot in each.lots for owner in lot.of))
    bringers = list(dict.fromkeys(lot.by for lot in each.lots if lot.by))
    parts = [f"始 start {places_words(each.start)}", f"終 end {places_words(each.end)}"]
    if bringers:
        parts.append(f"設 by {'、'.join(bringers)}")
    if owners:
        parts.append(f"屬 of {'、'.join(owners)}")
    return "；".join(parts)


def places_words(places: Mapping[str, int]) -> str:
    """Places with how many are there: 東房×3、堂西; the members of a group at one place with each are told once."""
    gathered: dict[str, int] = {}
    for place, number in places.items():
        base, _, rest = place.partition(".")
        digits = rest[: len(rest) - len(rest.lstrip("0123456789"))]
        plain = base + rest[len(digits) :] if digits else place
        gathered[plain] = gathered.get(plain, 0) + number
    return "、".join(place if number == 1 else f"{place}×{number}" for place, number in gathered.items())
