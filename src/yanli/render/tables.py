"""The tables of rank to read: a list of them, one of them as columns or cell by cell, as CSV or as data.

Comes in: tables. Goes out: text in Chinese, on demand with English beside it; CSV; values for JSON. Every cell is shown
with its warrant: ● the words say it, ○ somebody infers it, 無文 no text has it.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from yanli.render.columns import pad, table, widths, wrap
from yanli.tables.load import exact, sources
from yanli.tables.model import WARRANT_NAMES, Cell, Reading, Table, Warrant

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yanli.corpus.emendation import Emendations
    from yanli.tables.load import TableHead

# How wide a page of columns may be; what is wider is told cell by cell.
PAGE = 110
MARKS = {Warrant.stated: "●", Warrant.inferred: "○", Warrant.silent: ""}
RIVAL = "異"
LEGEND = "● 明文 the words say it　○ 推 somebody infers it　無文 no text has it　異 異說 a rival figure"
HEADER = (
    *("table", "row", "column", "reading", "is", "number", "unit"),
    *("warrant", "by", "from", "words", "source", "why", "en"),
)


def list_text(found: Sequence[TableHead]) -> str:
    """Every table with its name, what it is of, and how many of its cells are of each warrant."""
    rows: list[tuple[str, ...]] = [("名 name", "表 table", "", "●", "○", "無文", RIVAL)]
    lines = []
    for head in found:
        if head.fault is not None:
            lines.append(f"  {head.name}: 不可讀 cannot be read: {head.fault}")
            continue
        counts = (head.stated, head.inferred, head.silent, head.readings)
        rows.append((head.name, head.zh, head.en, *map(str, counts)))
    listed = table(rows, right=(3, 4, 5, 6), indent="  ")
    return "\n".join([f"表 tables：{len(found)}", "", *listed, *lines, "", LEGEND]) + "\n"


def table_text(found: Table, *, english: bool = False, why: bool = False) -> str:
    """One table: in columns where the page holds them, else cell by cell; ``why``: with words, source and reason."""
    lines = [f"{found.zh} · {found.en}　（{found.name}）"]
    lines += [f"※ {note}" for note in (found.note, found.note_en if english else "") if note]
    lines.append("")
    rows = [] if why else _columns(found, english=english)
    if rows and sum(widths(rows)) + 2 * len(rows[0]) <= PAGE:
        lines += table(rows, indent="  ")
    else:
        lines += _cells(found, english=english, why=why)
    return "\n".join([*lines, "", LEGEND]) + "\n"


def _columns(found: Table, *, english: bool) -> list[tuple[str, ...]]:
    rows = [("", *(_label(found, column, english=english) for column in found.columns))]
    for row, cells in found.rows.items():
        shown = (_brief(found, cells[c], english=english) if c in cells else "" for c in found.columns)
        rows.append((_label(found, row, english=english), *shown))
    return rows


def _brief(found: Table, cell: Cell, *, english: bool) -> str:
    """A cell in a few characters: its value and its marks."""
    value = "無文" if cell.silent else _value(found, cell, english=english)
    marks = MARKS[cell.warrant] + (RIVAL if cell.readings else "")
    return f"{value} {marks}".rstrip()


def _value(found: Table, cell: Cell | Reading, *, english: bool) -> str:
    return f"{cell.is_} {_english(found, cell)}".rstrip() if english else cell.is_


def _english(found: Table, cell: Cell | Reading) -> str:
    """A value in English: as somebody wrote it, else its number and unit."""
    said = cell.en or found.say(cell.is_)
    if not said and cell.value is not None:
        said = f"{exact(cell.value)} {found.say(cell.unit)}".rstrip()
    return said


def _label(found: Table, word: str, *, english: bool) -> str:
    return f"{word} {found.say(word)}".rstrip() if english else word


def _cells(found: Table, *, english: bool, why: bool) -> Iterator[str]:
    places = max(widths([(_label(found, column, english=english),) for column in found.columns]), default=0)
    for row, cells in found.rows.items():
        yield f"  {_label(found, row, english=english)}"
        for column, cell in cells.items():
            head = f"    {pad(_label(found, column, english=english), places)}  "
            yield head + _brief(found, cell, english=english)
            if why:
                yield from _reason(cell)
            for each in cell.readings:
                by = f"{each.by} {found.say(each.by)}".rstrip() if english else each.by
                yield f"      {RIVAL} {by}：{_value(found, each, english=english)}"
                if why:
                    yield from _reason(each, indent="        ")


def _reason(cell: Cell | Reading, indent: str = "      ") -> Iterator[str]:
    """The words and where they stand, who infers it and from what, and how it follows."""
    where = sources()[cell.source].zh if cell.source in sources() else cell.source
    quoted = f"「{cell.words}」" if cell.words else "考於 sought in "
    told = [f"{quoted}{where}"]
    if isinstance(cell, Cell) and cell.by:
        told.append(f"{cell.by}推之：{cell.from_}")
    if cell.why:
        told.append(f"※ {cell.why}")
    for text in told:
        yield from (indent + line for line in wrap(text, PAGE - len(indent)))


def emendations_text(found: Emendations) -> str:
    """What is emended in the text that most cells quote: line, what was found and stands now, why, by whose words."""
    lines = [f"{sources()[found.source].zh}　訂正 emendations：{len(found.emendation)}", ""]
    for each in found.emendation:
        doubt = "" if each.certain else "　（疑 not certain）"
        lines.append(f"  {each.line}　{each.kind}　「{each.found}」→「{each.emended}」　{each.by}{doubt}")
        lines += [f"    {line}" for line in wrap(f"{each.reason}　{each.reason_en}", PAGE - 4)]
        lines += [f"    證「{evidence.words}」{sources()[evidence.source].zh}" for evidence in each.evidence]
    return "\n".join(lines) + "\n"


def table_csv(found: Table) -> str:
    """One line a cell, and one for each rival reading of it; numbers are exact (``1/2``)."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEADER)
    for cell in found.cells():
        both: tuple[Cell | Reading, ...] = (cell, *cell.readings)
        for each in both:
            told = _data(found, each)
            told |= {"table": found.name, "row": cell.row, "column": cell.column}
            told["reading"] = each.by if isinstance(each, Reading) else ""
            if isinstance(each, Reading):
                told["by"] = ""
            writer.writerow([told.get(name) or "" for name in HEADER])
    return out.getvalue()


def table_data(found: Table) -> dict[str, Any]:
    """The table as JSON has it: ``rows`` by row and column; a number is written as an exact fraction."""
    return {
        "name": found.name,
        "zh": found.zh,
        "en": found.en,
        "note": found.note or None,
        "note_en": found.note_en or None,
        "english": {word: found.say(word) for word in (*found.rows, *found.columns) if found.say(word)},
        "rows": {
            row: {
                column: _data(found, cell) | {"readings": [_data(found, each) for each in cell.readings]}
                for column, cell in cells.items()
            }
            for row, cells in found.rows.items()
        },
    }


def _data(found: Table, cell: Cell | Reading) -> dict[str, Any]:
    silent = isinstance(cell, Cell) and cell.silent
    data: dict[str, Any] = {
        "is": None if silent else cell.is_,
        "number": None if cell.value is None else str(cell.value),
        "unit": cell.unit or None,
        "words": cell.words or None,
        "source": sources()[cell.source].zh if cell.source in sources() else cell.source,
        "by": cell.by or None,
        "why": cell.why or None,
        "en": _english(found, cell) or None,
    }
    if isinstance(cell, Cell):
        data |= {
            "warrant": cell.warrant.value,
            "warrant_zh": WARRANT_NAMES[cell.warrant][0],
            "from": cell.from_ or None,
        }
    return data
