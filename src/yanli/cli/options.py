"""The options that commands share, and how they open a rite with them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from yanli.cli.report import print_findings, say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yanli.errors import Finding
    from yanli.performance.perform import Performance

RiteName = Annotated[
    str, typer.Argument(metavar="RITE", help="鄉射禮, 乡射礼, xiangshe, or a folder or .pu file of your own.")
]
Sets = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="A key of the scenario, as 大夫=2. May be repeated."),
]
Readings = Annotated[
    list[str] | None, typer.Option("--reading", metavar="CRUX=NAME", help="One reading of a crux. May be repeated.")
]
School = Annotated[str | None, typer.Option("--school", metavar="NAME", help="All readings of one scholar, as 敖繼公.")]
Record = Annotated[
    str | None,
    typer.Option("--record", metavar="FILE", help="CSV of the arrows' fates: round,pair,shooter,hits."),
]
ScenarioFile = Annotated[Path | None, typer.Option("--scenario", metavar="FILE", help="A scenario file (TOML).")]
After = Annotated[str, typer.Option("--after", metavar="WORDS", help="The moment when these canonical words are done.")]
From = Annotated[
    str | None, typer.Option("--from", metavar="WORDS", help="Begin when these words, or this section, begin.")
]
To = Annotated[
    str | None, typer.Option("--to", metavar="WORDS", help="End when these words, or this section, are done.")
]
Nth = Annotated[
    int, typer.Option("--nth", metavar="N", min=1, help="Which playing of the words, in the order of time.")
]
Json = Annotated[bool, typer.Option("--json", help="Write JSON.")]
Output = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write here and not to the screen.")
]


def opened(
    rite: str,
    sets: list[str] | None,
    readings: list[str] | None,
    school: str | None,
    record: str | None,
    scenario: Path | None,
) -> Performance:
    """Play a rite as the options say; what could not be played is told beside the output, the first of it in full."""
    from yanli.checks.report import misfits
    from yanli.rehearsal import rehearse

    performance = rehearse(rite, file=scenario, sets=sets or (), readings=readings or (), school=school, record=record)
    unfit = list(misfits(performance.stage))
    if unfit:
        say(f"{len(unfit)} 處不合 places do not fit this yard: see yanli check\n", to=sys.stderr)
    errors = _errors(performance)
    if errors:
        print_findings(errors[:1], to=sys.stderr)
        say(f"{len(errors)} 誤 errors: not all of it could be played; yanli check tells them all\n", to=sys.stderr)
    return performance


def finish(*performances: Performance) -> None:
    """Leave with 1 when not all of it could be played; what could be was written before."""
    if any(_errors(performance) for performance in performances):
        raise typer.Exit(1)


def _errors(performance: Performance) -> list[Finding]:
    """What could not be read of the rite, and then what could not be played."""
    found = (*performance.rite.findings, *performance.findings)
    return [finding for finding in found if finding.grade == "error"]


def write(text: str | Iterable[str], output: Path | None) -> None:
    """Write text to a file or the screen; text that comes in parts is written part by part, as it is."""
    parts = (text if text.endswith("\n") else f"{text}\n",) if isinstance(text, str) else text
    if output is None:
        for part in parts:
            if not say(part):
                return
        return
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        # Bytes that are no characters are told by number, as on the screen.
        with output.open("w", encoding="utf-8", errors="backslashreplace") as stream:
            stream.writelines(parts)
    except OSError as fault:
        from yanli.errors import Finding, ScenarioError

        raise ScenarioError(Finding(code="cannot-write", cause=f"{output}: {fault.strerror}")) from None


def to_json(value: object, *, indent: int = 1) -> str:
    """JSON with Chinese as it is."""
    import json

    import msgspec

    return json.dumps(msgspec.to_builtins(value), ensure_ascii=False, indent=indent)
