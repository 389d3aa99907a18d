"""What a table is made of: cells, each with its warrant; rival readings; sources.

Numbers are exact fractions in the unit that their cell names.
"""

from __future__ import annotations

import enum
from fractions import Fraction

import msgspec

from yanli.errors import Finding, ScenarioError


class Warrant(enum.StrEnum):
    """How a cell comes to its value: the words say it, somebody infers it, or no text has it."""

    stated = "stated"
    inferred = "inferred"
    silent = "無文"


# What a cell says that tells of a rank which does not have this.
NONE = "無"
NONE_EN = "there is none"
WARRANT_NAMES: dict[Warrant, tuple[str, str]] = {
    Warrant.stated: ("明文", "stated"),
    Warrant.inferred: ("推", "inferred"),
    Warrant.silent: ("無文", "no text has it"),
}


class Source(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A text that cells quote: its title, the file that it is checked against, whether it is emended first."""

    zh: str
    en: str
    file: str
    emended: bool = False
    note: str = ""


class Reading(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"is_": "is"}):
    """A rival figure: whose (``by``), what (``is``, ``number``), his words and where they stand.

    ``why`` as in a cell; ``rule``: of measures, how it is reckoned.
    """

    by: str
    is_: str
    words: str
    source: str
    rule: str = ""
    number: int | str | None = None
    unit: str = ""
    why: str = ""
    en: str = ""

    @property
    def value(self) -> Fraction | None:
        """The number, exact, or None where the value is none."""
        return None if self.number is None else Fraction(self.number)


class Cell(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"is_": "is", "from_": "from"}
):
    """One cell.

    ``is``: the value in the words' own characters; ``number`` the same as an exact number of ``unit``. ``words``: what
    the source says, verbatim (after emendation). ``by`` and ``from``: who infers it, and from what. ``silent``: no text
    has it; ``source`` then is where it was sought, and ``words`` those of a text that itself says so. ``why``: how the
    value follows where its characters do not stand in the words. ``readings``: rival figures. ``source`` is a key of
    the list of sources, or a citation in full. Of measures, ``rule`` is how they are reckoned (``venue/``), ``part``
    what they are measures of.
    """

    source: str = ""
    is_: str = ""
    number: int | str | None = None
    unit: str = ""
    words: str = ""
    by: str = ""
    from_: str = ""
    silent: bool = False
    why: str = ""
    note: str = ""
    part: str = ""
    rule: str = ""
    en: str = ""
    readings: tuple[Reading, ...] = ()
    table: str = ""
    row: str = ""
    column: str = ""

    @property
    def warrant(self) -> Warrant:
        """Whether the words say it, somebody infers it, or no text has it."""
        if self.silent:
            return Warrant.silent
        return Warrant.inferred if self.by else Warrant.stated

    @property
    def value(self) -> Fraction | None:
        """The number, exact, in ``unit``; None where the value is no number or there is none."""
        return None if self.number is None else Fraction(self.number)

    @property
    def place(self) -> str:
        """The cell's address, to be read: table, row, column."""
        return "．".join(part for part in (self.table, self.row, self.column) if part)

    def word(self, where: str = "") -> str:
        """The value as a word. Raises ScenarioError, naming ``where`` it was wanted, if no text has it."""
        if self.silent:
            raise ScenarioError(
                Finding(
                    code="no-text",
                    cause=f"{_head(where)}無文: no text says {self.place}; it is not filled, so say it in the scenario",
                    known=self.why or self.words or None,
                )
            )
        return self.is_

    def whole(self, where: str = "") -> int:
        """The value as a whole number. Raises ScenarioError if no text has it, or if it is none."""
        self.word(where)
        value = self.value
        if value is None and self.is_ == NONE:
            # What the words say goes before the cell that was asked: it is the answer to the person's question.
            said = f"「{self.words}」（{self.source}）：{self.row} {self.column}，{self.en or NONE_EN}"
            cause = f"{said} ({_head(where)}{self.place} is {self.is_})"
            raise ScenarioError(Finding(code="has-none", cause=cause, known=self.words or None))
        if value is None or value.denominator != 1:
            cause = f"{_head(where)}{self.place} is {self.is_}, which is no whole number"
            raise ScenarioError(Finding(code="not-a-number", cause=cause, known=self.words or None))
        return int(value)


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table: cells by row and column; the English of its labels and values; ``note``: on the whole of it."""

    name: str
    zh: str
    en: str
    source: str
    note: str
    note_en: str
    rows: dict[str, dict[str, Cell]]
    english: dict[str, str]

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column, in the order in which the rows have them."""
        return tuple(dict.fromkeys(column for row in self.rows.values() for column in row))

    def cells(self) -> tuple[Cell, ...]:
        """Every cell, row by row."""
        return tuple(cell for row in self.rows.values() for cell in row.values())

    def say(self, word: str) -> str:
        """A label or value in English, or "" where nobody wrote it."""
        return self.english.get(word, "")


def _head(where: str) -> str:
    return f"{where}: " if where else ""
