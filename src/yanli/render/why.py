"""From one event back to the words, the line of the score, the warrant, the reading and the remarks.

Comes in: a performance and the number of an event. Goes out: a ``Why``, and the same as text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from yanli.errors import Finding, RiteError
from yanli.performance.event import EventData
from yanli.render.beside import Layers, layers_of, layers_text
from yanli.render.columns import clock
from yanli.render.moments import Following
from yanli.render.score_lines import ScoreLines, comments
from yanli.render.wording import ORIGINS, ORIGINS_EN, Wording

if TYPE_CHECKING:
    from yanli.corpus.store import Store
    from yanli.performance.event import Event
    from yanli.performance.perform import Performance


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """A clause: its id, its words, the section that it stands in."""

    clause: str
    text: str
    section: str


class ChosenReading(msgspec.Struct, frozen=True, kw_only=True):
    """The reading that an act belongs to: what is asked, who reads so, why it was chosen, the other readings."""

    crux: str
    names: list[str]
    by: str
    question: str | None
    rivals: list[list[str]]


class Why(msgspec.Struct, frozen=True, kw_only=True):
    """An event, and all that it comes from.

    ``clause`` is played; ``via`` are the passages that it plays again, innermost first; ``told`` is the clause
    under which the act's line stands, at ``file`` and ``line`` of the score. ``layers`` is all that the works of a
    store say of these clauses, where one is given.
    """

    event: EventData
    clause: Words
    via: list[Words]
    told: Words | None
    file: str | None
    line: int | None
    score: str | None
    origin: str
    warrant: str | None
    reason: str | None
    reading: ChosenReading | None
    comments: list[str]
    said: str
    said_en: str
    layers: list[Layers] = []


def why_event(performance: Performance, n: int, store: Store | None = None) -> Why:
    """Say where the event with a number comes from; with a store, what its works say of the clauses.

    Raises RiteError when there is no such event.
    """
    if not 1 <= n <= len(performance.events):
        known = f"1 to {len(performance.events)}" if performance.events else "none at all"
        cause = f"there is no event {n}; this performance of {performance.rite.name} has {known}"
        raise RiteError(Finding(code="unknown-event", cause=cause, known=known))
    event = performance.events[n - 1]
    info, span = event.info, event.info.span
    lines, wording = ScoreLines(performance.rite), Wording(performance)
    told = info.clause if 0 <= info.clause < len(performance.rite.clauses) else event.clause
    concerned = dict.fromkeys((told, *event.via, event.clause))
    remark = wording.remark(event, Following(performance).slots.get(n))
    acts = f"{wording.actor(event)} {wording.act(event)}"
    return Why(
        event=performance.data(event),
        clause=_words(performance, event.clause),
        via=[_words(performance, number) for number in event.via],
        told=_words(performance, told) if told not in {event.clause, *event.via} else None,
        file=span.file if span is not None else None,
        line=span.line if span is not None else None,
        score=lines.line(span),
        origin=info.origin,
        warrant=info.warrant,
        reason=info.reason,
        reading=_reading(performance, event, lines),
        comments=[words for number in concerned for words in comments(performance.clause(number))],
        said="　".join(filter(None, (acts, event.spot.name, wording.manner(event), remark))),
        said_en=f"{wording.actor_en(event)}: {wording.act_en(event)}",
        layers=layers_of(performance.rite, [performance.clause(each) for each in concerned], store) if store else [],
    )


def _words(performance: Performance, number: int) -> Words:
    clause = performance.clause(number)
    return Words(clause=str(clause.id), text=clause.text, section=performance.section(number))


def _reading(performance: Performance, event: Event, lines: ScoreLines) -> ChosenReading | None:
    name = (event.info.reading or "").partition("=")[0]
    crux = performance.rite.cruxes.get(name)
    choice = performance.stage.readings.choices.get(name)
    if crux is None or choice is None:
        return None
    rivals = [list(answer.names) for answer in crux.readings if answer.names != choice.names]
    return ChosenReading(
        crux=name, names=list(choice.names), by=choice.by, question=lines.question(name), rivals=rivals
    )


BY = {"default": "主 the default", "reading": "所擇 chosen by name", "school": "從其家 chosen by school"}


def why_text(why: Why) -> str:
    """The same, to read."""
    event = why.event
    rows = [
        f"事 event {event.n}　{clock(event.start)}–{clock(event.end)}　{why.said}",
        f"　　{why.said_en}",
        "",
        f"經 clause　「{why.clause.text}」 {why.clause.clause}　{why.clause.section}",
        *(f"如 again　「{words.text}」 {words.clause}　{words.section}" for words in why.via),
    ]
    if why.told is not None:
        rows.append(f"見 told at　「{why.told.text}」 {why.told.clause}　{why.told.section}")
    if why.file is not None:
        rows += [f"譜 score　{why.file}:{why.line}", f"　　{why.score or ''}"]
    rows.append(f"所出 origin　{ORIGINS[why.origin]} {ORIGINS_EN[why.origin]}")
    if why.warrant is not None:
        rows.append(f"據 warrant　{why.warrant}")
    if why.reason is not None:
        rows.append(f"以 reason　{why.reason}")
    if why.reading is not None:
        reading = why.reading
        by = BY.get(reading.by, reading.by.replace("line:", "承 followed by way of "))
        rows.append(f"說 reading　{reading.crux}：{'、'.join(reading.names)}　（{by}）")
        if reading.question:
            rows.append(f"　　疑 question　{reading.question}")
        rows += [f"　　異說 rival　{'、'.join(names)}" for names in reading.rivals]
    rows += [f"※ {words}" for words in why.comments]
    text = "\n".join(rows) + "\n"
    return f"{text}\n{layers_text(why.layers, acts=False)}" if why.layers else text
