"""The timeline of a performance: a running script to read, and data for others.

Comes in: a performance and the events that were asked for. Goes out: text, JSON lines, CSV, a Parquet file; and the
state of a moment as text.
"""

from __future__ import annotations

import csv
import io
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec

from yanli.errors import Finding, ScenarioError
from yanli.notation.tree import Bind
from yanli.performance.event import EventData
from yanli.plan.figures import TABLE
from yanli.render.columns import clock, in_columns, table, widths
from yanli.render.moments import Following, runs
from yanli.render.wording import LEGEND, ORIGINS, Wording, numbered, title

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from yanli.notation.model import Clause
    from yanli.performance.event import Event
    from yanli.performance.perform import Performance
    from yanli.render.moments import Run

FIELDS: tuple[str, ...] = tuple(field.encode_name for field in msgspec.structs.fields(EventData))
MARGIN = "  "
NO_ACTS = "無事可演：其文但言等差，見於諸表 no act is told: what the words tell stands in the tables"
# So many events are made into text at once.
BATCH = 1000


# ── to read ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def as_text(performance: Performance, events: Sequence[Event], *, english: bool = False) -> str:
    """Write a running script: section, clause, and under it every act with its time, in the order of time.

    With all events, the clauses that ask for no act and those that this scenario leaves out are told too.
    """
    whole = len(events) == len(performance.events)
    wording, following = Wording(performance), Following(performance)
    rows = {event.n: _row(event, wording, following) for event in events}
    places = widths(rows.values()) if rows else ()
    lines = [_title(performance, events), LEGEND, ""]
    if not performance.events:
        # Nobody acts in a rite of which the words tell ranks alone.
        lines += [NO_ACTS, *(f"{MARGIN}yanli tables {name} --why" for name in _tables(performance)), ""]
    section = 0
    for run in _with_silent(performance, events) if whole else runs(performance, events):
        if run.section != section:
            section = run.section
            item = performance.rite.sections[section - 1]
            lines += [f"## {section} {item.name} · {item.slug.replace('-', ' ')}", ""]
        clause = performance.clause(run.clause)
        lines.append(f"「{clause.text}」 {clause.id}")
        if not run.events:
            lines += [f"{MARGIN}{words}" for words in bound_words(clause)]
        lines += _acts(performance, run, rows, places, wording if english else None)
        lines.append("")
    if whole:
        lines += _untaken(performance)
    return "\n".join(lines).rstrip() + "\n"


def _tables(performance: Performance) -> list[str]:
    """The tables to which the words are bound (註 表), in the order of the text."""
    bound = [node for clause in performance.rite.clauses for node in clause.statements if isinstance(node, Bind)]
    words = [node.raw.split() for node in bound if node.kind == TABLE]
    return list(dict.fromkeys(word[2].partition(".")[0] for word in words if word[2:]))


def _title(performance: Performance, events: Sequence[Event]) -> str:
    """The rite, how many acts, how long they last from the first to the last, and the scenario."""
    rite = performance.rite
    lasting = max(event.end for event in events) - min(event.start for event in events) if events else 0.0
    settings = " ".join(f"{key}={value}" for key, value in performance.stage.scenario.values.items())
    return f"{title(rite)}\n{len(events)} 事 events　久 {clock(lasting)}　設 {settings}"


def _row(event: Event, wording: Wording, following: Following) -> tuple[str, ...]:
    remark = wording.remark(event, following.slots.get(event.n))
    place = ("自" + event.info.source + "　" if event.info.source else "") + event.spot.name
    origin = ORIGINS[event.info.origin]
    return (
        str(event.n), clock(event.start), origin, wording.actor(event), wording.act(event), place,
        wording.manner(event), remark,
    )  # fmt: skip


def _acts(
    performance: Performance,
    run: Run,
    rows: Mapping[int, tuple[str, ...]],
    places: tuple[int, ...],
    english: Wording | None,
) -> list[str]:
    lines: list[str] = []
    via: tuple[int, ...] = ()
    for event in run.events:
        if event.via != via:
            via = event.via
            lines.append(f"{MARGIN}見 {played_again(performance, via)}" if via else f"{MARGIN}……")
        lines.append(MARGIN + in_columns(rows[event.n], places, right=(0, 1)))
        if english is not None:
            where = f"{english.place_en(event.spot.name)}, {english.manner_en(event)}"
            indent = " " * (len(MARGIN) + sum(places[:3]) + 6)
            lines.append(f"{indent}{english.actor_en(event)}: {english.act_en(event)}; {where}")
    return lines


def played_again(performance: Performance, via: Iterable[int]) -> str:
    """The passages that are played again, innermost first, by their words."""
    clauses = [performance.clause(number) for number in via]
    return "，於 ".join(f"「{clause.text}」 {clause.id}" for clause in clauses)


def _with_silent(performance: Performance, events: Sequence[Event]) -> list[Run]:
    """The runs, and between them the clauses that were reached and asked for no act."""
    from yanli.render.moments import Run

    found = runs(performance, events)
    spoken = {run.clause for run in found}
    seen: set[int] = set()
    silent = []
    for play in performance.plays:
        if not play.via and play.clause not in spoken and play.clause not in seen:
            seen.add(play.clause)
            section = performance.clause(play.clause).section
            silent.append(Run(clause=play.clause, section=section, start=play.start, events=()))
    # What is told in the order of the text and takes no time stands between its neighbours.
    return sorted(
        [*found, *silent],
        key=lambda run: (run.start, run.section, run.clause if not run.events else run.events[0].clause),
    )


def bound_words(clause: Clause) -> list[str]:
    """What the words of a clause are bound to, where they ask for no act."""
    return [node.raw.strip() for node in clause.statements if isinstance(node, Bind)]


def _untaken(performance: Performance) -> list[str]:
    played = {play.clause for play in performance.plays}
    left = [(number, words) for number, words in sorted(performance.untaken.items()) if number not in played]
    if not left:
        return []
    rows = [
        (str(performance.clause(number).id), f"「{performance.clause(number).text}」", words) for number, words in left
    ]
    return ["## 未行 not played in this scenario", "", *table(rows, indent=MARGIN)]


# ── for others ──────────────────────────────────────────────────────────────────────────────────────────────────────


def as_jsonl(performance: Performance, events: Iterable[Event]) -> str:
    """Write one JSON object a line, as the contract has it."""
    return "".join(jsonl_parts(performance, events))


def jsonl_parts(performance: Performance, events: Iterable[Event]) -> Iterator[str]:
    """Give the same text bit by bit: the timeline of thousands of pairs is longer than what it is made from."""
    encoder = msgspec.json.Encoder()
    rest = iter(events)
    while batch := list(islice(rest, BATCH)):
        yield encoder.encode_lines([performance.data(event) for event in batch]).decode()


def as_csv(performance: Performance, events: Iterable[Event]) -> str:
    """Write a table with one heading; lists are joined by 、, the points of a way are x y."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(FIELDS)
    for event in events:
        values = msgspec.to_builtins(performance.data(event))
        writer.writerow([_cell(values[field]) for field in FIELDS])
    return out.getvalue()


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "、".join(" ".join(map(str, item)) if isinstance(item, list) else str(item) for item in value)
    return str(value)


def write_parquet(performance: Performance, events: Iterable[Event], path: Path) -> None:
    """Write a Parquet file with typed columns. Raises ScenarioError when it cannot be written."""
    import polars as pl

    text, real, whole = pl.String(), pl.Float64(), pl.Int64()
    special: dict[str, Any] = {
        **dict.fromkeys(("n", "times", "together", "step"), whole),
        **dict.fromkeys(("start", "end"), real),
        **dict.fromkeys(("object_ids", "via", "roles"), pl.List(text)),
        "xy": pl.List(real),
        "path": pl.List(pl.List(real)),
        "hit": pl.Boolean(),
    }
    rows = [msgspec.to_builtins(performance.data(event)) for event in events]
    frame = pl.DataFrame(rows, schema={field: special.get(field, text) for field in FIELDS}, orient="row")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        frame.write_parquet(path)
    except OSError as fault:
        raise ScenarioError(Finding(code="cannot-write", cause=f"{path}: {fault.strerror or fault}")) from None
    except pl.exceptions.PolarsError as fault:  # a full disk is told so
        raise ScenarioError(Finding(code="cannot-write", cause=f"{path}: {fault}")) from None


# ── a moment ────────────────────────────────────────────────────────────────────────────────────────────────────────


def state_text(state: Mapping[str, Any]) -> str:
    """Write the state of a moment, as the contract has it, as tables."""
    lines = [f"{state['rite']}　「{state['text']}」 {state['clause']}　{clock(state['time'])}"]
    lines += [*state.get("bound", ()), "", "人 persons"]
    rows = [("名", "職", "所", "域", "面", "姿", "右手", "左手", "帶", "服")]
    for name, actor in state["actors"].items():
        hands = actor["hands"]
        step = f"第{actor['step']}等" if actor["step"] is not None else ""
        rows.append(
            (
                name,
                "、".join(actor["roles"]),
                actor["place"] + step,
                actor["zone"],
                actor["facing"],
                actor["posture"],
                numbered(hands["右"]),
                numbered(hands["左"]),
                numbered(actor["belt"]),
                "、".join(actor["dress"]),
            )
        )
    lines += [*table(rows, indent=MARGIN), "", "物 things"]
    lines += [*table(_thing_rows(state["things"]), indent=MARGIN), ""]
    if state["target"]:
        lines += ["侯 target", *(f"{MARGIN}{part} {words}" for part, words in state["target"].items()), ""]
    lines += ["獲 count"] if state["tally"] else []
    for side, count in state["tally"].items():
        told = "" if count["數"] is None else f"；數 {count['數']}：{count['純']} 純 {count['奇']} 奇"
        lines.append(f"{MARGIN}{side} 算 {count['算']}{told}")
    return "\n".join(lines) + "\n"


def _thing_rows(things: Mapping[str, Mapping[str, Any]]) -> list[tuple[str, ...]]:
    """Things that are alike in everything but their number share a line."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for ident, thing in things.items():
        where = thing["where"] if thing["where"] == thing["place"] else f"{thing['where']}（{thing['place']}）"
        signs = [f"{thing['facing']}面"] if "facing" in thing else []
        signs += [thing["lay"]] if "lay" in thing else []
        signs += ["實"] if thing["filled"] else []
        signs += [f"{thing['layers']} 重"] if thing.get("layers", 1) > 1 else []
        signs += [f"{part}{words}" if part != "狀" else words for part, words in thing.get("states", {}).items()]
        alike.setdefault((where, thing.get("of", ""), "、".join(signs)), []).append(ident)
    rows = [(numbered(ids), where, owner, signs) for (where, owner, signs), ids in alike.items()]
    return [("物", "在", "誰之", "狀"), *sorted(rows, key=lambda row: row[0])]
