"""The command line: it reads what a person typed, calls, and writes. It knows no rule of any rite."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Optional

import typer

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, add_completion=False)

Rite = Annotated[str, typer.Argument(help="鄉射禮, 乡射礼, xiangshe, or a folder or file of your own")]
Sets = Annotated[Optional[list[str]], typer.Option("--set", help="KEY=VALUE of the scenario, as 大夫=2")]
Readings = Annotated[Optional[list[str]], typer.Option("--reading", help="CRUX=READING")]
School = Annotated[Optional[str], typer.Option("--school", help="all readings of one scholar, as 敖繼公")]
Record = Annotated[Optional[str], typer.Option("--record", help="CSV of the arrows' fates")]
ScenarioFile = Annotated[Optional[Path], typer.Option("--scenario", help="a scenario file (TOML)")]


@app.command()
def perform(rite: Rite, set_: Sets = None, reading: Readings = None, school: School = None, record: Record = None, scenario: ScenarioFile = None) -> None:
    """Play a rite and print its timeline."""
    from yanli.rehearsal import rehearse

    performance = rehearse(rite, file=scenario, sets=set_ or (), readings=reading or (), school=school, record=record)
    last = None
    for event in performance.events:
        d = performance.data(event)
        if d.clause != last:
            print(f"## {d.clause} {d.text}")
            last = d.clause
        print(
            f"   {d.n} {d.start:.0f}–{d.end:.0f} {d.actor} {d.verb}{'×%d' % d.times if d.times > 1 else ''} {','.join(d.object_ids)} "
            f"→{d.target or ''} @{d.place}{d.xy} {d.facing} {d.posture} [{d.origin}] {d.speech or ''} {d.reason or d.warrant or ''} {d.to or ''}"
        )
    for finding in performance.findings:
        print(finding.grade, finding.span, finding.code, finding.cause, "|", finding.words, file=sys.stderr)


@app.command()
def check(rite: Rite, set_: Sets = None, reading: Readings = None, school: School = None, record: Record = None, scenario: ScenarioFile = None) -> None:
    """Say everything that is wrong."""
    from yanli.rehearsal import rehearse

    performance = rehearse(rite, file=scenario, sets=set_ or (), readings=reading or (), school=school, record=record)
    for finding in (*performance.rite.findings, *performance.findings):
        print(finding.grade, finding.span, finding.code, finding.cause, "|", finding.words or "", "|", "、".join(finding.nearest), "(follows)" if finding.follows else "")


def main() -> None:
    """Run the command line."""
    app()
