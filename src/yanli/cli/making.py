"""Commands that make things for use: rehearse, score."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from yanli.cli.options import (
    Json,
    Output,
    Readings,
    Record,
    RiteName,
    ScenarioFile,
    School,
    Sets,
    finish,
    opened,
    to_json,
    write,
)
from yanli.cli.stores import Db, opened_store, warn_of_unread


def rehearse(
    rite: RiteName,
    *,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="The folder to fill.")],
    set_: Sets = None,
    reading: Readings = None,
    school: School = None,
    record: Record = None,
    scenario: ScenarioFile = None,
    english: Annotated[bool, typer.Option("--en", help="Names on the plans in English.")] = False,
    db: Db = None,
) -> None:
    """Fill a folder with all that a rehearsal needs: timeline, scripts, plans of every section, properties, summary.

    With a store of sources, also a page of every clause with its notes.

    Examples: yanli rehearse 鄉射禮 -o out/xiangshe; yanli rehearse 鄉射禮 -o out/xiangshe --db my.sqlite
    """
    from contextlib import nullcontext

    from yanli.render.folder import fill

    performance = opened(rite, set_, reading, school, record, scenario)
    with nullcontext() if db is None else opened_store(db) as store:
        warn_of_unread(store, performance.rite.slug)
        for line in fill(performance, output, english=english, store=store):
            write(line, None)
    finish(performance)


def score(
    record: Annotated[Path | None, typer.Argument(metavar="RECORD", help="CSV of the arrows' fates.")] = None,
    *,
    rite: Annotated[
        str | None,
        typer.Option("--rite", help="By which rite they count; else that of the sheet, else the first there is."),
    ] = None,
    blank: Annotated[bool, typer.Option("--blank", help="A sheet to write on in the field.")] = False,
    judge: Annotated[
        bool, typer.Option("--judge", help="The card of the five things (五物) by which shooting is judged.")
    ] = False,
    set_: Sets = None,
    reading: Readings = None,
    school: School = None,
    scenario: ScenarioFile = None,
    json_: Json = False,
    output: Output = None,
) -> None:
    """Count a record as the words count it; or print a blank sheet. Exits with 2 for a rite in which nobody shoots.

    Examples: yanli score shots.csv --set 眾耦=4; yanli score --blank --set 眾耦=4 -o sheet.csv; yanli score --judge
    """
    from yanli.errors import Finding, ScenarioError

    if judge:
        others = (("RECORD", record), ("--blank", blank or None), ("--rite", rite), ("--set", set_))
        given = [name for name, value in others if value is not None]
        if given:
            cause = f"--judge takes no {given[0]}: the card of the five things is the same for every rite"
            raise ScenarioError(Finding(code="not-together", cause=cause))
        from yanli.render.judging import judging_card, judging_data

        write(to_json(judging_data()) if json_ else judging_card(), output)
        return
    from yanli.cli.report import print_findings
    from yanli.notation.rite import list_rites
    from yanli.rehearsal import no_rounds
    from yanli.render import tally

    name = rite or (_rite_of(record) if record is not None else None) or list_rites()[0].slug
    if blank:
        performance = opened(name, set_, reading, school, None, scenario)
        if not performance.stage.shootings:
            print_findings((no_rounds(performance.rite),), to=sys.stderr)
            raise typer.Exit(2)
        as_csv = output is not None and output.suffix == ".csv"
        write(tally.blank_csv(performance, told=True) if as_csv else tally.blank_sheet(performance), output)
        finish(performance)
        return
    if record is None:
        cause = "give a record to count, or --blank for a sheet to write on, or --judge for the card of judging"
        raise ScenarioError(Finding(code="no-record", cause=cause))
    try:
        performance = opened(name, set_, reading, school, str(record), scenario)
    except ScenarioError as fault:
        if [finding.code for finding in fault.findings] != ["no-rounds"]:
            if (
                rite is None
                and _rite_of(record) is None
                and any(finding.span is not None for finding in fault.findings)
            ):
                cause = f"counted by {name}, for no --rite was given: name another rite where the sheet is of another"
                raise ScenarioError(
                    Finding(code="rite-not-given", grade="note", cause=cause), *fault.findings
                ) from None
            raise
        print_findings(fault.findings, to=sys.stderr)
        raise typer.Exit(2) from None
    found = tally.tally(performance)
    write(to_json(found) if json_ else tally.tally_text(found), output)
    finish(performance)


def _rite_of(record: Path) -> str | None:
    """The rite that a sheet says it is of; what cannot be read is told when it is counted."""
    from yanli.performance.record import rite_of

    try:
        return rite_of(record.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError):
        return None


COMMANDS = (rehearse, score)
