"""Commands that play a rite: perform, state, check, why, diff, silence, plan, things."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated

import typer

from yanli.cli.options import (
    After,
    From,
    Json,
    Nth,
    Output,
    Readings,
    Record,
    RiteName,
    ScenarioFile,
    School,
    Sets,
    To,
    finish,
    opened,
    to_json,
    write,
)
from yanli.cli.stores import Db, opened_store, warn_of_unread


class Format(enum.StrEnum):
    """How a timeline is written."""

    text = "text"
    jsonl = "jsonl"
    csv = "csv"
    parquet = "parquet"


def perform(
    rite: RiteName,
    *,
    set_: Sets = None,
    reading: Readings = None,
    school: School = None,
    record: Record = None,
    scenario: ScenarioFile = None,
    format_: Annotated[Format, typer.Option("--format", help="How to write the timeline.")] = Format.text,
    json_: Json = False,
    from_: From = None,
    to: To = None,
    actor: Annotated[
        str | None, typer.Option("--actor", metavar="ROLE", help="What one person does and what happens to him.")
    ] = None,
    english: Annotated[bool, typer.Option("--en", help="Say it in English too.")] = False,
    output: Output = None,
) -> None:
    """Play a rite and write its timeline.

    Examples: yanli perform 鄉射禮; yanli perform 鄉射禮 --from 請射 --to 射事畢 --actor 司馬;
    yanli perform 鄉射禮 --format parquet -o t.parquet
    """
    from yanli.render import timeline

    performance = opened(rite, set_, reading, school, record, scenario)
    events = performance.chosen(from_, to, actor)
    if format_ is Format.parquet:
        timeline.write_parquet(performance, events, output or Path(f"{performance.rite.slug}.parquet"))
    elif json_ or format_ is Format.jsonl:
        write(timeline.jsonl_parts(performance, events), output)
    elif format_ is Format.csv:
        write(timeline.as_csv(performance, events), output)
    else:
        write(timeline.as_text(performance, events, english=english), output)
    finish(performance)


def state(
    rite: RiteName,
    *,
    after: After,
    nth: Nth = 1,
    set_: Sets = None,
    reading: Readings = None,
    school: School = None,
    record: Record = None,
    scenario: ScenarioFile = None,
    json_: Json = False,
    output: Output = None,
) -> None:
    """Say how everything stands when certain words are done: every person and every thing.

    Example: yanli state 鄉射禮 --after 皆當其物北面揖 --json
    """
    from yanli.render import timeline

    performance = opened(rite, set_, reading, school, record, scenario)
    found = performance.state(after, nth)
    write(to_json(found) if json_ else timeline.state_text(found), output)
    finish(performance)


def check(
    rites: Annotated[
        list[str], typer.Argument(metavar="RITE…", help="Rites by name, or folders and .pu files of your own.")
    ],
    *,
    set_: Sets = None,
    reading: Readings = None,
    school: School = None,
    record: Record = None,
    scenario: ScenarioFile = None,
    json_: Json = False,
    close: Annotated[bool, typer.Option("--close", help="Also find bodies nearer than shoulder width.")] = False,
    danger: Annotated[
        bool, typer.Option("--danger/--no-danger", help="Find people in the danger sector while an arrow flies.")
    ] = True,
    everything: Annotated[
        bool, typer.Option("--all", help="Play the declared set of scenarios, not one only.")
    ] = False,
) -> None:
    """Say everything that is wrong: text, coverage, possibility, conservation, rules. Exits with 1 on an error.

    Examples: yanli check 鄉射禮; yanli check my/rite.pu; yanli check 鄉射禮 --set 大夫=3 --json
    """
    from yanli.cli.report import print_findings
    from yanli.errors import Finding, YanliError
    from yanli.rehearsal import check_rite

    reports = []
    faults: list[Finding] = []
    for rite in rites:
        try:
            report = check_rite(
                rite,
                file=scenario,
                sets=set_ or (),
                readings=reading or (),
                school=school,
                record=record,
                close=close,
                danger=danger,
                everything=everything,
            )
        except YanliError as fault:
            # A rite that cannot be had hides nothing of the others.
            faults.extend(fault.findings)
            continue
        reports.append(report)
        if not json_:
            print_findings(report.findings)
            write(report.summary(), None)
    if json_ and reports:
        write(to_json(reports if len(rites) > 1 else reports[0]), None)
    if faults:
        raise YanliError(*faults)
    if any(report.errors for report in reports):
        raise typer.Exit(1)


def why(
    rite: RiteName,
    event: Annotated[int, typer.Argument(metavar="EVENT", help="The number n of an event.")],
    *,
    set_: Sets = None,
    reading: Readings = None,
    school: School = None,
    record: Record = None,
    scenario: ScenarioFile = None,
    db: Db = None,
    json_: Json = False,
) -> None:
    """Walk from an event back to the words, the warrant and the notes; with a store, to all that is said of the words.

    Examples: yanli why 鄉射禮 57; yanli why 鄉射禮 57 --db my.sqlite
    """
    from contextlib import nullcontext

    from yanli.render.why import why_event, why_text

    performance = opened(rite, set_, reading, school, record, scenario)
    with nullcontext() if db is None else opened_store(db) as store:
        warn_of_unread(store, performance.rite.slug)
        found = why_event(performance, event, store)
    write(to_json(found) if json_ else why_text(found), None)
    finish(performance)


def diff(
    rite: RiteName,
    *,
    against: Annotated[
        str, typer.Option("--against", metavar="NAME", help="The other school, or CRUX=NAME for one reading.")
    ],
    school: School = None,
    set_: Sets = None,
    reading: Readings = None,
    record: Record = None,
    scenario: ScenarioFile = None,
    json_: Json = False,
) -> None:
    """Show what a reading changes: acts, places, counts.

    Example: yanli diff 鄉射禮 --school 鄭玄 --against 敖繼公
    """
    from yanli.render.difference import difference, difference_text

    one = opened(rite, set_, reading, school, record, scenario)
    if "=" in against:
        other = opened(rite, set_, [*(reading or []), against], school, record, scenario)
    else:
        other = opened(rite, set_, reading, against, record, scenario)
    found = difference(one, other)
    write(to_json(found) if json_ else difference_text(found), None)
    finish(one, other)


def silence(
    rite: RiteName,
    *,
    set_: Sets = None,
    reading: Readings = None,
    school: School = None,
    record: Record = None,
    scenario: ScenarioFile = None,
    json_: Json = False,
    from_: From = None,
    to: To = None,
    output: Output = None,
) -> None:
    """List all that the words leave unsaid and the engine or the editor supplied, by clause, with the reason.

    Examples: yanli silence 鄉射禮; yanli silence 鄉射禮 --from 主人獻賓 --to 主人獻賓
    """
    from yanli.render.silence import silence as unsaid
    from yanli.render.silence import silence_text

    performance = opened(rite, set_, reading, school, record, scenario)
    found = unsaid(performance, performance.chosen(from_, to))
    write(to_json(found) if json_ else silence_text(found), output)
    finish(performance)


def plan(
    rite: RiteName,
    *,
    after: After,
    nth: Nth = 1,
    set_: Sets = None,
    reading: Readings = None,
    school: School = None,
    record: Record = None,
    scenario: ScenarioFile = None,
    english: Annotated[bool, typer.Option("--en", help="Names in English.")] = False,
    output: Output = None,
) -> None:
    """Draw the floor plan of a moment as SVG, north at the top.

    Example: yanli plan 鄉射禮 --after 皆當其物北面揖 -o plan.svg
    """
    from yanli.render.plan import plan_svg, plan_title

    performance = opened(rite, set_, reading, school, record, scenario)
    play = performance.played(after, nth)
    title = plan_title(performance, play.clause, english=english)
    write(plan_svg(performance, play.end, play.done, title=title, english=english), output)
    finish(performance)


def things(
    rite: RiteName,
    *,
    set_: Sets = None,
    reading: Readings = None,
    school: School = None,
    record: Record = None,
    scenario: ScenarioFile = None,
    json_: Json = False,
    output: Output = None,
) -> None:
    """List every property: kind, number, size, who brings it, where it stands at start and end.

    Example: yanli things 鄉射禮 --set 眾耦=6
    """
    from yanli.render.properties import properties, properties_text

    performance = opened(rite, set_, reading, school, record, scenario)
    found = properties(performance)
    write(to_json(found) if json_ else properties_text(found), output)
    finish(performance)


COMMANDS = (perform, state, check, why, diff, silence, plan, things)
