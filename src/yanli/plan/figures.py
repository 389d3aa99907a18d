"""Figures of a rite that stand in the tables of rank: ``表 耦 大射 爵位`` for a number or a word.

Comes in: an expression of a rite's files, the values of a scenario. Goes out: the number, or the word, that the table
has. What can no longer occur: a figure made up where no text has it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from yanli.errors import Finding, ScenarioError, YanliError
from yanli.plan.readings import nearest, schools
from yanli.tables import find_table, lookup

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from yanli.tables import Cell

TABLE = "表"
FEWEST, MOST = 3, 4
# Before the name of him whose rival figure is taken.
AFTER = "從"


def is_figure(expression: object) -> bool:
    """Whether an expression as a whole asks a table: 表 and, after blanks, what is asked."""
    return isinstance(expression, str) and expression.split(maxsplit=1)[:1] == [TABLE]


def figure(expression: str, values: Mapping[str, object], where: str) -> Cell:
    """Look up ``表 TABLE KIND RANK [DOMAIN] [從 NAME]``; a word that is a key of the scenario stands for its value.

    In 「」 it stands for itself. ``從 NAME``: the rival figure of that name, where the cell has one, else the figure.

    Raises ScenarioError, naming ``where``, if there is no such table, row or column. A silent cell comes back: its
    ``word`` and ``whole`` raise.
    """
    return asked(expression.split()[1:], values, where)


def asked(words: Sequence[str], values: Mapping[str, object], where: str) -> Cell:
    """The same, of the words that follow 表."""
    reader = words[-1] if AFTER in words[-2:-1] else None
    if reader is not None:
        words = words[:-2]
    if not FEWEST <= len(words) <= MOST:
        cause = f"{where}: {TABLE} {' '.join(words)}: expected {TABLE} TABLE KIND RANK, and DOMAIN where it matters"
        raise ScenarioError(Finding(code="bad-expression", cause=cause))
    table, *rest = words
    found = [word[1:-1] if word[:1] == "「" else str(values.get(word, word)) for word in rest]
    try:
        cell = lookup(table, *found)
        if reader is not None:
            _known_reader(reader, table)
        rival = reader is not None and any(each.by == reader for each in cell.readings)
        return lookup(table, *found, reading=reader) if rival else cell
    except YanliError as fault:
        told = (msgspec.structs.replace(each, cause=f"{where}: {each.cause}") for each in fault.findings)
        raise ScenarioError(*told) from None


def _known_reader(reader: str, name: str) -> None:
    """See that a table has a figure of somebody, or that he is a scholar. Raises ScenarioError with the nearest."""
    table = find_table(name)
    known = tuple(
        dict.fromkeys(each.by for row in table.rows.values() for cell in row.values() for each in cell.readings)
    )
    if reader not in known and reader not in schools():
        cause = f"the table {table.zh} ({table.name}) has no figure of {reader}"
        near = nearest(reader, (*known, *schools()))
        raise ScenarioError(Finding(code="unknown-reading", cause=cause, nearest=near))


def word_of(expression: str, values: Mapping[str, object], where: str) -> str:
    """The word that an expression stands for: itself, unless it asks a table.

    Raises ScenarioError, naming ``where``, if no text has it.
    """
    return figure(expression, values, where).word(where) if is_figure(expression) else expression
