"""What differs between two performances of a rite, as when another school is followed.

Comes in: two performances. Goes out: by clause, the acts that only one has, and those that both have otherwise; totals;
the cruxes that were decided otherwise.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import groupby
from typing import TYPE_CHECKING, Literal

import msgspec

from yanli.render.columns import clock, table
from yanli.render.moments import section_times
from yanli.render.totals import totals
from yanli.render.wording import ORIGINS, Wording, numbered

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yanli.performance.event import Event, EventData
    from yanli.performance.perform import Performance

COMPARED: dict[str, str] = {
    "times": "次", "object": "物", "target": "所與", "from_": "自", "to": "于", "place": "所",
    "facing": "面", "posture": "姿", "speech": "言", "music": "樂", "matter": "事", "hit": "中否", "step": "等",
    "origin": "所出", "roles": "職",
}  # fmt: skip
Side = Literal["one", "other", "both"]


class Changed(msgspec.Struct, frozen=True, kw_only=True):
    """One field that both have otherwise."""

    field: str
    one: str
    other: str


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """One act that only ``one`` or only the ``other`` has, or ``both`` have otherwise; how often, by whom."""

    side: Side
    actors: list[str]
    act: str
    origin: str
    times: int
    changes: list[Changed]


class DifferentClause(msgspec.Struct, frozen=True, kw_only=True):
    """A clause that is not played alike."""

    clause: str
    text: str
    section: str
    differences: list[Difference]


class DifferentCrux(msgspec.Struct, frozen=True, kw_only=True):
    """A crux that was decided otherwise."""

    crux: str
    one: list[str]
    other: list[str]


class Differences(msgspec.Struct, frozen=True, kw_only=True):
    """All that differs. ``totals``: by what is counted, in the one and in the other."""

    rite: str
    cruxes: list[DifferentCrux]
    totals: dict[str, tuple[float, float]]
    sections: dict[str, tuple[float, float]]
    clauses: list[DifferentClause]


def difference(one: Performance, other: Performance) -> Differences:
    """Compare two performances of one text, clause by clause."""
    sides = (_by_clause(one), _by_clause(other))
    says = (Wording(one), Wording(other))
    clauses = []
    for number in sorted(set(sides[0]) | set(sides[1])):
        found = _compare(one, other, sides[0].get(number, []), sides[1].get(number, []), says)
        if found:
            clause = one.clause(number)
            clauses.append(
                DifferentClause(clause=str(clause.id), text=clause.text, section=one.section(number), differences=found)
            )
    counts = (totals(one), totals(other))
    lengths = [{time.name: round(time.end - time.start, 2) for time in section_times(side)} for side in (one, other)]
    return Differences(
        rite=one.rite.name,
        cruxes=_cruxes(one, other),
        totals={name: (counts[0][name], counts[1][name]) for name in counts[0]},
        sections={
            name: (lengths[0].get(name, 0.0), lengths[1].get(name, 0.0))
            for name in dict.fromkeys([*lengths[0], *lengths[1]])
            if lengths[0].get(name) != lengths[1].get(name)
        },
        clauses=clauses,
    )


def _by_clause(performance: Performance) -> dict[int, list[Event]]:
    found: dict[int, list[Event]] = {}
    for event in sorted(performance.events, key=lambda event: event.order):
        found.setdefault(event.clause, []).append(event)
    return found


def _cruxes(one: Performance, other: Performance) -> list[DifferentCrux]:
    found = []
    for name in one.rite.cruxes:
        names = [
            list(side.stage.readings.choose(name)) if name in side.stage.readings.cruxes else []
            for side in (one, other)
        ]
        if names[0] != names[1]:
            found.append(DifferentCrux(crux=name, one=names[0], other=names[1]))
    return found


def _compare(
    one: Performance, other: Performance, ours: list[Event], theirs: list[Event], says: tuple[Wording, Wording]
) -> list[Difference]:
    keys = [[(event.actor.name, event.info.verb, event.via) for event in events] for events in (ours, theirs)]
    found: list[Difference] = []
    for tag, first, last, low, high in SequenceMatcher(None, keys[0], keys[1], autojunk=False).get_opcodes():
        if tag == "equal":
            found += _changed(zip(ours[first:last], theirs[low:high], strict=True), one, other, says)
        else:
            found += [_alone("one", event, says[0]) for event in ours[first:last]]
            found += [_alone("other", event, says[1]) for event in theirs[low:high]]
    return list(_gathered(found))


def _alone(side: Side, event: Event, wording: Wording) -> Difference:
    act = f"{wording.act(event)}　{event.spot.name}　{wording.manner(event)}"
    return Difference(side=side, actors=[event.actor.name], act=act, origin=event.info.origin, times=1, changes=[])


def _changed(
    pairs: Iterable[tuple[Event, Event]], one: Performance, other: Performance, says: tuple[Wording, Wording]
) -> list[Difference]:
    found = []
    for ours, theirs in pairs:
        changes = _fields(one.data(ours), other.data(theirs))
        worn = [list(says[0].garments.get(ours.n, ())), list(says[1].garments.get(theirs.n, ()))]
        if worn[0] != worn[1]:
            changes.append(Changed(field="dress", one=_said(worn[0]), other=_said(worn[1])))
        if changes:
            found.append(
                Difference(
                    side="both",
                    actors=[ours.actor.name],
                    act=says[0].act(ours),
                    origin=ours.info.origin,
                    times=1,
                    changes=changes,
                )
            )
    return found


def _fields(ours: EventData, theirs: EventData) -> list[Changed]:
    found = [
        Changed(field=field.rstrip("_"), one=_said(getattr(ours, field)), other=_said(getattr(theirs, field)))
        for field in COMPARED
        if getattr(ours, field) != getattr(theirs, field)
    ]
    if len(ours.object_ids) != len(theirs.object_ids):
        found.append(Changed(field="number", one=str(len(ours.object_ids)), other=str(len(theirs.object_ids))))
    return found


def _said(value: object) -> str:
    if isinstance(value, list):
        return "、".join(map(str, value)) or "無"
    return "無" if value is None else str(value)


def _gathered(found: list[Difference]) -> Iterable[Difference]:
    """Join what is alike but for who does it, where one follows another."""
    for _, group in groupby(found, key=lambda each: (each.side, each.act, each.origin, each.changes)):
        members = list(group)
        actors = list(dict.fromkeys(name for member in members for name in member.actors))
        yield msgspec.structs.replace(members[0], actors=actors, times=len(members))


NAMES: dict[str, str] = {**{field.rstrip("_"): word for field, word in COMPARED.items()}, "number": "數", "dress": "服"}
SIGNS: dict[str, str] = {"one": "－", "other": "＋", "both": "異"}


def difference_text(found: Differences) -> str:
    """The same, to read: － only in the first, ＋ only in the second, 異 in both, but otherwise."""
    lines = [f"{found.rite}　兩演之異 two performances compared", "", "疑 cruxes"]
    lines += table(
        [(crux.crux, "、".join(crux.one) or "無", "→", "、".join(crux.other) or "無") for crux in found.cruxes],
        indent="  ",
    ) or ["  無 none differs"]
    rows = [(name, _number(one), _number(other), _signed(other - one)) for name, (one, other) in found.totals.items()]
    lines += ["", "總 totals", *table(rows, right=(1, 2, 3), indent="  ")]
    if found.sections:
        rows = [(name, clock(one), clock(other), _signed(other - one)) for name, (one, other) in found.sections.items()]
        lines += ["", "節之久 length of sections", *table(rows, right=(1, 2, 3), indent="  ")]
    lines += ["", "－ 惟前者 only in the first　＋ 惟後者 only in the second　異 in both, otherwise"]
    section = ""
    told = iter(table([_row(each) for clause in found.clauses for each in clause.differences], indent="  "))
    for clause in found.clauses:
        if clause.section != section:
            section = clause.section
            lines += ["", f"## {section}"]
        lines += ["", f"「{clause.text}」 {clause.clause}", *(next(told) for _ in clause.differences)]
    if not found.clauses:
        lines += ["", "無異 nothing differs"]
    return "\n".join(lines) + "\n"


def _row(each: Difference) -> tuple[str, ...]:
    changes = "；".join(f"{NAMES[change.field]} {change.one} → {change.other}" for change in each.changes)
    times = f"×{each.times}" if each.times > 1 else ""
    return SIGNS[each.side], ORIGINS[each.origin], numbered(each.actors), each.act, times, changes


def _number(value: float) -> str:
    return f"{round(value)}"


def _signed(value: float) -> str:
    return f"{round(value):+d}" if round(value) else "＝"
