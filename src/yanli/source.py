"""Where a value comes from: spans in a file and the ids of clauses.

Comes in: nothing. Goes out: small frozen values every later room carries with it.
"""

from __future__ import annotations

import msgspec


class Span(msgspec.Struct, frozen=True):
    """A stretch of one line of one file; lines and columns count from 1, in code points."""

    file: str
    line: int
    column: int = 1
    length: int = 0

    def __str__(self) -> str:
        """Write ``file:line:column``, as editors and compilers do."""
        return f"{self.file}:{self.line}:{self.column}"


class ClauseId(msgspec.Struct, frozen=True, order=True):
    """The address of a clause (句): rite slug, section number, clause number; both count from 1."""

    rite: str
    section: int
    clause: int

    def __str__(self) -> str:
        """Write ``xiangshe.4.12``."""
        return f"{self.rite}.{self.section}.{self.clause}"
