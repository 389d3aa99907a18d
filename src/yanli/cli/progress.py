"""How far a long work is: a bar on a terminal, a line for each step anywhere else."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from yanli.cli.report import say

Step = Callable[[int, int, str, bool], None]
"""How many are done, how many there are, what is to be said of the last (a line), and whether a bar does not say it."""


@contextmanager
def progress(what: str) -> Iterator[Step]:
    """Tell how far something is, beside what is written: ``what`` is done, in a word or two."""
    if not (sys.stderr and sys.stderr.isatty()):
        yield lambda _done, _of, line, _telling: _line(line)
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
               TimeRemainingColumn())  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)

        def step(done: int, of: int, line: str, telling: bool) -> None:  # noqa: FBT001 - the one who tells knows
            bar.update(task, completed=done, total=of)
            if telling and line:
                bar.console.print(line.rstrip("\n"), markup=False, highlight=False, soft_wrap=True)

        yield step


def _line(line: str) -> None:
    if line:
        say(line, to=sys.stderr)
