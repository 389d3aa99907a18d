"""One cell of a table, by kind of shooting, rank and domain, as a scenario asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from yanli.errors import Finding, RiteError
from yanli.tables.load import find_table, nearest, words
from yanli.tables.model import Cell, Table

if TYPE_CHECKING:
    from collections.abc import Iterable


def lookup(table: str, kind: str, rank: str, domain: str | None = None, *, reading: str | None = None) -> Cell:
    """Find the cell of a table for a kind (its column), a rank (its row) and, where the row differs by it, a domain.

    ``domain``: 畿內 or 畿外. A rank or kind goes by its own name or by one that stands for it (王: 天子; 大夫: 卿大夫).
    ``reading``: whose rival figure to take instead. Raises RiteError with the nearest names where a table, row, column
    or reading is not there, and when a domain is needed but not given. A silent cell comes back as it is: asking it for
    its `word` or its `whole` number raises.
    """
    found = find_table(table)
    row = _row(found, rank, domain)
    column = _named(kind, tuple(found.rows[row]), "kinds")
    if column is None:
        raise _missing(found, "column", kind, tuple(found.rows[row]))
    cell = found.rows[row][column]
    return cell if reading is None else _read_by(cell, reading)


def _row(table: Table, rank: str, domain: str | None) -> str:
    place = None if domain is None else words()["domains"].get(domain, domain)
    parted: list[str] = []
    for name in dict.fromkeys((rank, words()["ranks"].get(rank, rank))):
        if place is not None and f"{name}{place}" in table.rows:
            return f"{name}{place}"
        if name in table.rows:
            return name
        parted += [row for row in table.rows if row.startswith(name) and row[len(name) :] in _domains()]
    if parted and place is None:
        known = "、".join(parted)
        cause = f"the table {table.zh} parts {rank} by domain: expected 畿內 or 畿外 as well"
        raise RiteError(Finding(code="no-domain", cause=cause, known=known, nearest=tuple(parted)))
    raise _missing(table, "row", rank + (domain or ""), tuple(table.rows))


def say(word: str) -> str:
    """The English that all tables share for a value (熊侯: bear target), or ""."""
    return words()["english"].get(word, "")


def same_word(word: str, known: Iterable[str], *, back: bool = False) -> str | None:
    """Which of the words known says the same of a rank, domain or kind; None if none does.

    A word that is known says itself; else the one that it stands for (大夫: 卿大夫; 王: 天子); with ``back`` also one
    that stands for the same as it (卿大夫: 大夫), the first of them.
    """
    names = tuple(known)
    if word in names:
        return word
    for kind in ("ranks", "domains", "kinds"):
        alike = words()[kind]
        meant = alike.get(word, word)
        if meant in names:
            return meant
        found = next((name for name in names if back and alike.get(name) == meant), None)
        if found is not None:
            return found
    return None


def _domains() -> frozenset[str]:
    return frozenset(words()["domains"].values())


def _named(word: str, names: tuple[str, ...], kind: str) -> str | None:
    if word in names:
        return word
    other = words()[kind].get(word)
    return other if other in names else None


def _read_by(cell: Cell, reader: str) -> Cell:
    for each in cell.readings:
        if reader == each.by:
            return msgspec.structs.replace(
                cell, is_=each.is_, number=each.number, unit=each.unit, words=each.words, source=each.source,
                why=each.why, by="", from_="", silent=False, readings=(),
            )  # fmt: skip
    known = tuple(each.by for each in cell.readings)
    cause = f"{cell.place} has no reading of {reader}"
    raise RiteError(Finding(code="unknown-reading", cause=cause, nearest=nearest(reader, known)))


def _missing(table: Table, part: str, word: str, known: tuple[str, ...]) -> RiteError:
    cause = f"the table {table.zh} ({table.name}) has no {part} {word}"
    return RiteError(Finding(code=f"unknown-{part}", cause=cause, known="、".join(known), nearest=nearest(word, known)))
