"""What the words leave unsaid (文不具), and what was supplied for it.

Comes in: a performance. Goes out: every act of the editor and of the engine, and every act whose actor alone was
supplied, by clause, each with its warrant or reason and how many times it was played.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from yanli.render.columns import table, width
from yanli.render.wording import Wording, numbered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yanli.performance.event import Event
    from yanli.performance.perform import Performance

KINDS: dict[str, str] = {
    "editor": "編者所補 supplied by the editor",
    "inferred": "引擎所推 inferred by the engine",
    "actor": "補其人 the actor alone supplied",
}
LONG = 28
"""A list of persons that is wider is cut short in print."""
SIGNS: dict[str, str] = {"editor": "編者", "inferred": "推", "actor": "補人"}


class Supplied(msgspec.Struct, frozen=True, kw_only=True):
    """One act that was supplied: what kind of supply, by whom it is done, what, on what ground, how many times."""

    kind: str
    actors: list[str]
    act: str
    verb: str
    ground: str | None
    reading: str | None
    times: int
    events: list[int]


class UnsaidInClause(msgspec.Struct, frozen=True, kw_only=True):
    """What was supplied under one clause."""

    clause: str
    text: str
    section: str
    acts: list[Supplied]


class Silence(msgspec.Struct, frozen=True, kw_only=True):
    """All of it; ``totals`` counts events by kind, ``verbs`` by kind and verb; ``events`` is how many were played."""

    rite: str
    events: int
    totals: dict[str, int]
    verbs: dict[str, dict[str, int]]
    clauses: list[UnsaidInClause]


def kind_of(event: Event) -> str | None:
    """What kind of supply an event is: editor, inferred, actor; None when all of it is of the words."""
    if event.info.origin != "text":
        return event.info.origin
    return "actor" if event.info.reason else None


def silence(performance: Performance, chosen: Sequence[Event] | None = None) -> Silence:
    """List what was supplied, in the order of the text; of some events only, where they are chosen."""
    played = performance.events if chosen is None else chosen
    wording = Wording(performance)
    totals = dict.fromkeys(KINDS, 0)
    verbs: dict[str, dict[str, int]] = {kind: {} for kind in KINDS}
    gathered: dict[int, dict[tuple[str, str, str | None, str | None], list[Event]]] = {}
    for event in played:
        kind = kind_of(event)
        if kind is None:
            continue
        info = event.info
        totals[kind] += 1
        verbs[kind][info.verb] = verbs[kind].get(info.verb, 0) + 1
        ground = info.warrant or info.reason
        gathered.setdefault(event.clause, {}).setdefault((kind, wording.act(event), ground, info.reading), []).append(
            event
        )
    clauses = []
    for number, acts in sorted(gathered.items()):
        clause = performance.clause(number)
        listed = [
            Supplied(
                kind=kind,
                actors=list(dict.fromkeys(wording.actor(event) for event in events)),
                act=act,
                verb=events[0].info.verb,
                ground=ground,
                reading=reading,
                times=len(events),
                events=[event.n for event in events],
            )
            for (kind, act, ground, reading), events in acts.items()
        ]
        clauses.append(
            UnsaidInClause(clause=str(clause.id), text=clause.text, section=performance.section(number), acts=listed)
        )
    verbs = {kind: dict(sorted(found.items(), key=lambda item: -item[1])) for kind, found in verbs.items()}
    return Silence(rite=performance.rite.name, events=len(played), totals=totals, verbs=verbs, clauses=clauses)


def silence_text(found: Silence) -> str:
    """The same, to read: first the totals, then clause by clause."""
    lines = [f"{found.rite}　文所不具 what the words leave unsaid", ""]
    rows = [(KINDS[kind], str(number), f"{number / max(found.events, 1):.1%}") for kind, number in found.totals.items()]
    lines += table([*rows, ("全事 all events", str(found.events), "")], right=(1, 2), indent="  ")
    for kind, verbs in found.verbs.items():
        if verbs:
            lines.append(f"  {SIGNS[kind]}：{'　'.join(f'{verb} {number}' for verb, number in verbs.items())}")
    section = ""
    acts = [act for clause in found.clauses for act in clause.acts]
    listed = [_row(act) for act in acts]
    told = iter(table(listed, right=(3,), indent="  "))
    for clause in found.clauses:
        if clause.section != section:
            section = clause.section
            lines += ["", f"## {section}"]
        lines += ["", f"「{clause.text}」 {clause.clause}"]
        lines += [next(told) for _ in clause.acts]
    return "\n".join(lines) + "\n"


def _row(act: Supplied) -> tuple[str, ...]:
    ground = {"editor": "據", "inferred": "以", "actor": ""}[act.kind]
    who = numbered(act.actors).replace(" ", "、")
    if width(who) > LONG:
        who = f"{'、'.join(act.actors[:2])} 等 {len(act.actors)} 人"
    reading = f"　說 {act.reading}" if act.reading else ""
    why = (f"{ground} {act.ground}" if ground and act.ground else "") + reading
    return SIGNS[act.kind], who, act.act, f"×{act.times}", why.lstrip("　")
