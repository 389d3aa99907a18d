"""A record from the field: what was written down of every arrow, read against who shoots in this scenario.

Comes in: the text of a record (CSV) and a stage. Goes out: a ``Record`` in which every shooter of every round has his
marks; the teacher's may be left out. Every fault is told, with file, line and column.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from yanli.corpus.spelling import fold_graphic
from yanli.errors import Finding, ScenarioError
from yanli.performance.fates import ARROWS, LOWER, UPPER, Fates, Record
from yanli.plan.readings import nearest
from yanli.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yanli.performance.shooting import Shooting
    from yanli.performance.stage import Stage
    from yanli.plan.marks import Marks

HEADER: Final = ("round", "pair", "shooter", "hits")
SIDES: Final = (UPPER, LOWER)
LINE: Final = re.compile(r"\r\n|\n|\r")
FIELD: Final = re.compile(r'[ \t]*"(?:[^"]|"")*"[ \t]*(?=,|$)|[^,]*')
# In a sheet that was made by the programme: of which rite it is. A spreadsheet adds empty fields after it.
RITE: Final = re.compile(r'^[ \t]*"?#[ \t]*rite:[ \t]*([^\s,"]+)', re.MULTILINE)
DIGITS_MOST = 6
EMPTY: Final = "(empty)"


class Field(NamedTuple):
    """One field of a row: its words without quotes and blanks, and the column where they begin (from 1)."""

    text: str
    column: int


class Row(msgspec.Struct, frozen=True):
    """One row that is not blank: the line (from 1) and its fields."""

    line: int
    raw: str
    fields: tuple[Field, ...]


def parse_record(text: str, name: str, stage: Stage, otherwise: Fates | None = None) -> Record:
    """Read a record; ``name`` is what its file is called, ``otherwise`` knows the teacher's arrows if it does not.

    Raises ScenarioError with every fault: in the header, in a row, and whoever shoots but is not written down.
    """
    reader = Reader(name, stage.shootings, stage.marks)
    marks = reader.read(text)
    if reader.faults:
        said, rite = rite_of(text), stage.rite
        if said is not None and said not in {rite.slug, rite.name, *rite.aliases}:
            cause = f"this record is a sheet of {said}, and {rite.name} ({rite.slug}) is played: name that rite"
            reader.faults.insert(0, Finding(code="other-rite", cause=cause, span=Span(name, 1), nearest=(said,)))
        raise ScenarioError(*reader.faults)
    return Record(marks, otherwise)


def rite_of(text: str) -> str | None:
    """The rite that a sheet says it is of (``# rite: NAME``), or None where it says none."""
    found = RITE.search(text)
    return found[1] if found is not None else None


def not_text(data: bytes, fault: UnicodeDecodeError, name: str) -> ScenarioError:
    """What to say of a record that is not UTF-8: the byte (from 0), its line and column."""
    before = data[: fault.start]
    line = len(LINE.split(before.decode("utf-8", "replace")))
    column = len(LINE.split(before.decode("utf-8", "replace"))[-1]) + 1
    cause = f"byte {fault.start} (0x{data[fault.start]:02x}) is not UTF-8: {fault.reason}; save the record as UTF-8"
    return ScenarioError(Finding(code="not-utf8", cause=cause, span=Span(name, line, column, 1)))


class Reader:
    """Reads one record and gathers its faults."""

    def __init__(self, name: str, rounds: dict[int, Shooting], marks: Marks) -> None:
        """Know who shoots when, and which marks there are."""
        self.name = name
        self.rounds = rounds
        self.known = marks
        self.faults: list[Finding] = []
        self.last = 1
        # What was read, and in which line; who stands in the record though his marks may be wrong.
        self.marks: dict[tuple[int, int, str], str] = {}
        self.lines: dict[tuple[int, int, str], int] = {}
        self.doubtful: set[tuple[int, int]] = set()

    def read(self, text: str) -> dict[tuple[int, int, str], str]:
        """Read all rows; faults are gathered."""
        rows = list(self.rows(text.removeprefix("\ufeff")))
        if not rows:
            self.fault("empty-record", "there is nothing in this record", known=",".join(HEADER))
            return {}
        if not self.rounds:
            self.fault("no-rounds", "nobody shoots in this rite as it is written, so there is nothing to record")
            return {}
        first = rows[0]
        words = tuple(field.text.casefold() for field in first.fields)
        if words == HEADER:
            rows = rows[1:]
        else:
            self.fault(
                "bad-header",
                f"the first line must be {','.join(HEADER)}, not {first.raw.strip()}",
                line=first,
                known=",".join(HEADER),
            )
            if not words[0].isdecimal():
                rows = rows[1:]
            if len(words) != len(HEADER) or set(words) == set(HEADER):
                # Whatever the columns are, they are not these: the rows would only seem wrong.
                return {}
        for row in rows:
            self.row(row)
        self.missing()
        return self.marks

    def rows(self, text: str) -> Iterator[Row]:
        """The rows; blank lines and lines that begin with # are passed over."""
        for number, line in enumerate(LINE.split(text), 1):
            if line.strip() and not line.lstrip().startswith("#"):
                self.last = number
                yield Row(number, line, tuple(_fields(line)))

    def row(self, row: Row) -> None:
        """Read one row as far as it can be read."""
        if len(row.fields) != len(HEADER):
            self.fault(
                "bad-row",
                f"fields: {len(row.fields)}, and there should be {len(HEADER)}: {row.raw.strip()}",
                line=row,
                known=",".join(HEADER),
            )
            numbers = [_number(field.text) for field in row.fields[:2]]
            if len(numbers) == 2 and None not in numbers:  # noqa: PLR2004 - round and pair
                self.doubtful.add((numbers[0] or 0, numbers[1] or 0))
            return
        number, pair, shooter, marks = row.fields
        shooting = self.round(row, number)
        place = self.pair(row, pair, shooting)
        who = self.shooter(row, shooter, shooting, place)
        teacher = shooting is not None and place == 0 and who == shooting.teacher
        seen = self.arrows(row, marks, shooting.arrows if shooting is not None else ARROWS, teacher=teacher)
        if shooting is None or place is None or who is None:
            return
        key = (shooting.number, place, who)
        if key in self.lines:
            cause = f"round {shooting.number}, pair {place}, {who} stands in line {self.lines[key]} already"
            self.fault("twice", cause, line=row, field=shooter)
            return
        self.lines[key] = row.line
        if seen:
            self.marks[key] = seen

    def round(self, row: Row, field: Field) -> Shooting | None:
        """Which round a row is of."""
        number = _number(field.text)
        found = self.rounds.get(number) if number is not None else None
        if found is None:
            known = "、".join(f"{number} {shooting.name}" for number, shooting in self.rounds.items())
            self.fault("unknown-round", f"there is no round {field.text or EMPTY}", line=row, field=field, known=known)
        return found

    def pair(self, row: Row, field: Field, shooting: Shooting | None) -> int | None:
        """Which pair of the round a row is of; 0 is the teacher."""
        number = _number(field.text)
        if number is None:
            self.fault("unknown-pair", f"{field.text or EMPTY} is no number of a pair", line=row, field=field)
            return None
        if shooting is None:
            return None
        if (0 if shooting.teacher else 1) <= number <= len(shooting.pairs):
            return number
        least = f"0 ({shooting.teacher}) to " if shooting.teacher else "1 to "
        cause = f"round {shooting.number} has no pair {number} in this scenario"
        self.fault("unknown-pair", cause, line=row, field=field, known=f"pairs {least}{len(shooting.pairs)}")
        return None

    def shooter(self, row: Row, field: Field, shooting: Shooting | None, place: int | None) -> str | None:
        """Who shot: 上射 or 下射, also by his own name; the teacher by his name."""
        if shooting is None or place is None:
            return None
        said = fold_graphic(field.text)
        if place == 0:
            if said == fold_graphic(shooting.teacher or ""):
                return shooting.teacher
            cause = f"pair 0 of round {shooting.number} is {shooting.teacher} alone, not {said or EMPTY}"
            self.fault("unknown-shooter", cause, line=row, field=field, near=(shooting.teacher or "",))
            return None
        names = shooting.names()
        for side, own in zip(SIDES, names[place - 1], strict=True):
            if said in {side, fold_graphic(own)}:
                return side
        known = (*SIDES, *names[place - 1])
        others = [f"pair {number}" for number, pair in enumerate(names, 1) if said in map(fold_graphic, pair)]
        cause = f"nobody in pair {place} of round {shooting.number} is called {field.text or EMPTY}"
        if others:
            cause += f"; he shoots in {others[0]}"
        self.fault("unknown-shooter", cause, line=row, field=field, near=nearest(said, known), known="、".join(known))
        self.doubtful.add((shooting.number, place))
        return None

    def arrows(self, row: Row, field: Field, wanted: int, *, teacher: bool) -> str | None:
        """The marks of one shooter; the teacher's may be empty."""
        marks = field.text
        if not marks and teacher:
            return None
        if len(marks) != wanted:
            cause = f"{len(marks)} arrows ({marks or 'none'}), and each shoots {wanted}"
            if wanted == ARROWS:
                cause += " (乘矢)"
            if marks and len(marks) < wanted and marks.isdecimal():
                cause += "; a spreadsheet may have dropped the noughts at the beginning"
            self.fault("wrong-arrows", cause, line=row, field=field)
        for place, mark in enumerate(marks):
            if mark not in self.known.signs:
                there = Field(mark, field.column + place)
                cause = f"arrow {place + 1}: {mark} is no mark"
                self.fault(
                    "unknown-mark",
                    cause,
                    line=row,
                    field=there,
                    known=self.known.meanings(),
                    near=self.known.like(mark),
                )
        return marks if len(marks) == wanted and set(marks) <= set(self.known.signs) else None

    def missing(self) -> None:
        """Whoever shoots in this scenario and is not in the record; a whole round or pair is told once."""
        for number, shooting in self.rounds.items():
            written = {place for line, place, _ in self.lines if line == number and place}
            doubtful = {place for line, place in self.doubtful if line == number}
            if shooting.pairs and not written and not doubtful:
                cause = f"round {number} ({shooting.name}) is missing: {len(shooting.pairs)} pairs shoot in it"
                self.fault("missing", cause, at=self.last)
                continue
            for place, names in enumerate(shooting.names(), 1):
                gone = [
                    f"{side} ({own})"
                    for side, own in zip(SIDES, names, strict=True)
                    if (number, place, side) not in self.lines
                ]
                if gone:
                    cause = f"round {number}, pair {place}: {' and '.join(gone)} {'are' if gone[1:] else 'is'} missing"
                    self.fault("missing", cause, at=self.last, follows=place in doubtful)

    def fault(
        self,
        code: str,
        cause: str,
        *,
        line: Row | None = None,
        field: Field | None = None,
        at: int = 1,
        known: str | None = None,
        near: tuple[str, ...] = (),
        follows: bool = False,
    ) -> None:
        """Write a fault down."""
        column, length = (field.column, len(field.text)) if field else (1, 0)
        span = Span(self.name, line.line if line else at, column, length)
        words = line.raw if line else None
        self.faults.append(
            Finding(code=code, cause=cause, span=span, line=words, known=known, nearest=near, follows=follows)
        )


def _fields(line: str) -> Iterator[Field]:
    place = 0
    while True:
        match = FIELD.match(line, place)
        raw = match[0] if match else ""
        text = raw.strip()
        column = place + len(raw) - len(raw.lstrip()) + 1
        if len(text) > 1 and text.startswith('"') and text.endswith('"'):
            text, column = text[1:-1].replace('""', '"').strip(), column + 1
        yield Field(text, column)
        place += len(raw)
        if place >= len(line) or line[place] != ",":
            return
        place += 1


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) <= DIGITS_MOST else None
