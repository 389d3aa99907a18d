"""Columns of plain text that hold whatever is written in them.

Comes in: cells in any script. Goes out: lines. Widths are those of a terminal or a typewriter face: a Chinese character
takes two places, a combining mark none.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WIDE = frozenset("WF")
NOTHING = frozenset({"Mn", "Me", "Cf"})
HOUR = 3600


@lru_cache(maxsize=65_536)
def width(text: str) -> int:
    """How many places a text takes."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.category(sign) in NOTHING else 2 if unicodedata.east_asian_width(sign) in WIDE else 1
        for sign in text
    )


def pad(text: str, places: int, *, right: bool = False) -> str:
    """Fill a text up to so many places; what is longer is left as it is."""
    gap = " " * max(places - width(text), 0)
    return gap + text if right else text + gap


def widths(rows: Iterable[Sequence[str]]) -> tuple[int, ...]:
    """How wide each column must be."""
    found: list[int] = []
    for row in rows:
        found = [max(pair) for pair in zip_longest(found, map(width, row), fillvalue=0)]
    return tuple(found)


def in_columns(row: Sequence[str], places: Sequence[int], right: Sequence[int] = (), gap: str = "  ") -> str:
    """One row in columns so wide; the columns numbered in ``right`` (from 0) stand at their right edge."""
    cells = [
        pad(cell, wide, right=number in right) for number, (cell, wide) in enumerate(zip(row, places, strict=True))
    ]
    return gap.join(cells).rstrip()


def table(rows: Sequence[Sequence[str]], *, right: Sequence[int] = (), indent: str = "") -> list[str]:
    """Rows of equal length as lines; the first may be a heading."""
    places = widths(rows)
    return [indent + in_columns(row, places, right) for row in rows]


def wrap(text: str, places: int) -> list[str]:
    """Break a text into lines of at most so many places: between words, or after any Chinese character."""
    lines: list[str] = []
    line = ""
    for piece in _pieces(text):
        if line and width(line) + width(piece.rstrip()) > places:
            lines.append(line.rstrip())
            line = ""
        line += piece if line else piece.lstrip()
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def _pieces(text: str) -> list[str]:
    """What must not be broken: a word with its blank, a Chinese character with the stop after it."""
    pieces: list[str] = []
    for sign in text:
        before = pieces[-1] if pieces else ""
        together = before and not before[-1].isspace() and width(sign) < 2 and width(before[-1]) < 2  # noqa: PLR2004
        if before and (together or sign.isspace() or sign in "，。、；：」』）"):
            pieces[-1] += sign
        else:
            pieces.append(sign)
    return pieces


def clock(seconds: float) -> str:
    """A time as a clock shows it: mm:ss, from the first hour on h:mm:ss; begun seconds do not count."""
    whole = int(seconds)
    hours, rest = divmod(whole, HOUR)
    minutes, secs = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{secs:02}" if hours else f"{minutes:02}:{secs:02}"
