"""The error family, and the diagnostics that tell a person what is wrong and where.

    YanliError
    ├── NotationError     the notation cannot be read
    ├── RiteError         no such rite, no such words, a rite's own files contradict each other
    ├── ScenarioError     a scenario, record or building asks for what cannot be
    ├── ImpossibleError   the rite cannot do this now
    └── UnderdeterminedError  an act does not say enough to be done

Rooms below the command line never print and never exit: they raise one of these, or return findings as values.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from yanli.source import Span

Grade = Literal["error", "warning", "note"]


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing a check, a parser or a performance has to say.

    ``code`` is a stable kebab-case name; ``clause`` the id of the clause and ``words`` its canonical words;
    ``cause`` says what is wrong; ``known`` what is known about the things concerned; ``nearest`` the nearest names
    that exist; ``follows`` is true when it follows from an earlier finding about the same thing.
    """

    code: str
    cause: str
    grade: Grade = "error"
    span: Span | None = None
    line: str | None = None
    clause: str | None = None
    words: str | None = None
    known: str | None = None
    nearest: tuple[str, ...] = ()
    follows: bool = False
    event: int | None = None


class YanliError(Exception):
    """Any failure that Yanli explains; carries at least one finding."""

    def __init__(self, *findings: Finding) -> None:
        """Keep the findings; the message is their causes."""
        self.findings = findings
        super().__init__("; ".join(finding.cause for finding in findings))


class NotationError(YanliError):
    """The notation cannot be read."""


class RiteError(YanliError):
    """No such rite or words, or a rite's own files contradict each other."""


class ScenarioError(YanliError):
    """A scenario, a record or a building asks for what cannot be."""


class ImpossibleError(YanliError):
    """The rite cannot do this now."""


class UnderdeterminedError(YanliError):
    """An act does not say enough to be done."""
