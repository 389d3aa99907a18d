"""Findings for people: the place, the notation line, the canonical words, the cause, the nearest name."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yanli.errors import Finding

LONGEST = 1000
COLOURS = {"error": "31", "warning": "33", "note": "36"}


def print_findings(findings: Iterable[Finding], *, to: TextIO | None = None) -> None:
    """Print findings, in colour on a terminal unless NO_COLOR is set."""
    out = to or sys.stdout
    colour = out.isatty() and not os.environ.get("NO_COLOR")
    say("".join(as_text(finding, colour=colour) + "\n" for finding in findings), to=out)


def say(text: str, *, to: TextIO | None = None) -> bool:
    """Write to the screen, and say whether anybody reads: that a pipe's reader (head, less) has gone is no fault."""
    out = to or sys.stdout
    if out is None:
        return False
    try:
        out.write(text)
        out.flush()
    except OSError as fault:
        # What is left over would be written, and fail, once more at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())
        if not isinstance(fault, BrokenPipeError):
            from yanli.errors import Finding, ScenarioError

            raise ScenarioError(Finding(code="cannot-write", cause=f"{out.name}: {fault.strerror}")) from None
        return False
    return True


def speak_plainly() -> None:
    """Let Chinese come through pipes as UTF-8 whatever the locale; what a terminal lacks is shown by number."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")


def shortened(text: str) -> str:
    """The text, or its beginning where somebody's line goes on for pages."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def as_text(finding: Finding, *, colour: bool = False) -> str:
    """One finding in a few lines."""
    grade = f"\033[{COLOURS[finding.grade]}m{finding.grade}\033[0m" if colour else finding.grade
    head = f"{finding.span}: " if finding.span is not None else ""
    lines = [f"{head}{grade} [{finding.code}] {shortened(finding.cause)}"]
    if finding.line is not None:
        lines.append(f"    {shortened(finding.line.strip())}")
    if finding.words:
        lines.append(f"    於「{shortened(finding.words)}」{finding.clause or ''}")
    if finding.known:
        lines.append(f"    known: {finding.known}")
    if finding.nearest:
        lines.append(f"    nearest: {'、'.join(finding.nearest)}")
    if finding.follows:
        lines.append("    (follows from an earlier finding)")
    return "\n".join(lines)
