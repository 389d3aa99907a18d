"""What a request cannot have, told plainly: a status, a code, the cause, what is known, the nearest names.

Never in it: a traceback, or where anything lies on this machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from yanli.errors import Finding, Grade, RiteError, YanliError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

BAD, FOREIGN, NOTHING, METHOD, LARGE, LONG = 400, 403, 404, 405, 413, 414
MISDIRECTED, IMPOSSIBLE, BROKEN, BUSY, LATE = 421, 422, 500, 503, 504
# What is asked for by name, and is not there.
ABSENT = frozenset({"unknown-rite", "unknown-words", "not-played", "unknown-role", "unknown-event"})
# Causes may quote what was asked for: a reader needs the beginning of it.
LONGEST = 1000


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """One finding, as it leaves the house: without the file in which something stands."""

    code: str
    cause: str
    grade: Grade
    clause: str | None = None
    words: str | None = None
    known: str | None = None
    nearest: list[str] = []


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong with a request; ``findings`` are all the faults of a scenario, the first of which is the cause."""

    code: str
    cause: str
    known: str | None = None
    nearest: list[str] = []
    findings: list[Told] = []


class ProblemBody(msgspec.Struct, frozen=True, kw_only=True):
    """The body of every answer that is no answer."""

    error: Problem


class Refused(Exception):  # noqa: N818 - it is the answer to a request
    """A request that gets no answer, with its HTTP status; ``headers`` go with it."""

    def __init__(self, status: int, problem: Problem, headers: Mapping[str, str] | None = None) -> None:
        """Keep them."""
        self.status = status
        self.problem = problem
        self.headers = dict(headers or {})
        super().__init__(problem.cause)

    def body(self) -> bytes:
        """The JSON of it."""
        return msgspec.json.encode(ProblemBody(error=self.problem))


def refused(
    status: int, code: str, cause: str, *, known: str | None = None, nearest: list[str] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Refused:  # fmt: skip
    """Make a refusal with one cause."""
    return Refused(status, Problem(code=code, cause=_short(cause), known=known, nearest=nearest or []), headers)


def explained(fault: YanliError, places: tuple[Path, ...] = ()) -> Refused:
    """Tell what Yanli found wrong. Where a cause names a file in one of ``places``, its name alone is told."""
    findings = [_told(finding, places) for finding in fault.findings]
    first = findings[0] if findings else Told(code="unknown", cause=_short(str(fault)), grade="error")
    status = NOTHING if isinstance(fault, RiteError) and first.code in ABSENT else IMPOSSIBLE
    problem = Problem(
        code=first.code, cause=first.cause, known=first.known, nearest=first.nearest, findings=findings
    )  # fmt: skip
    return Refused(status, problem)


def _told(finding: Finding, places: tuple[Path, ...]) -> Told:
    cause = finding.cause
    for place in places:
        cause = cause.replace(f"{place}/", "").replace(str(place), place.name)
    return Told(
        code=finding.code, cause=_short(cause), grade=finding.grade, clause=finding.clause, words=finding.words,
        known=finding.known, nearest=list(finding.nearest),
    )  # fmt: skip


def _short(cause: str) -> str:
    return cause if len(cause) <= LONGEST else f"{cause[:LONGEST]}…"
