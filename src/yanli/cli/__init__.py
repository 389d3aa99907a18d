"""The command line: it reads what a person typed, calls, and writes. It knows no rule of any rite.

Exit codes: 0 done; 1 the rite or scenario cannot be had, ``check`` found an error, or not all of it could be played
(what could be played is written all the same); 2 the command was typed wrong.
"""

from __future__ import annotations

import gc
import sys
from typing import Annotated

import typer

from yanli.cli import beside, comparing, handing, making, measuring, playing, serving, texts
from yanli.cli import corpus as sources

app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="演禮: play the rites of the 儀禮 from their own words.",
    epilog="Examples: yanli rites; yanli perform 鄉射禮 --set 大夫=2; "
    "yanli state 鄉射禮 --after 主人坐取爵實之賓席之前西北面獻賓 --json",
)
corpus = typer.Typer(
    rich_markup_mode=None,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="The sources: take texts in as they are found, search, compare, repair and hand them on.",
    epilog="Examples: yanli corpus add ../sources/*.txt; yanli corpus report; yanli corpus search 坐奠爵 --layer 注; "
    "yanli show 鄉射禮 --clause 主人坐取爵于上篚以降",
)
for room in (playing, beside, texts, making, measuring, serving):
    for command in room.COMMANDS:
        app.command(command.__name__.rstrip("_"))(command)
for room in (sources, comparing, handing):
    for command in room.COMMANDS:
        corpus.command(command.__name__.rstrip("_"))(command)
app.add_typer(corpus, name="corpus")


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    *,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        from yanli import __version__

        typer.echo(f"yanli {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit


def main() -> None:
    """Run the command line; what Yanli can explain is explained without a traceback."""
    from yanli.cli.report import speak_plainly
    from yanli.errors import YanliError
    from yanli.signals import hear_always

    hear_always()
    # A command makes much and is soon over: the collector of cycles need not look through it again and again.
    gc.set_threshold(200_000, 20, 100)
    speak_plainly()
    try:
        app()
    except YanliError as fault:
        from yanli.cli.report import print_findings

        print_findings(fault.findings, to=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
