"""Reading tables from their files, and finding one by name."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import msgspec

from yanli.corpus.emendation import Emendations, load_emendations
from yanli.corpus.spelling import fold
from yanli.errors import Finding, RiteError, YanliError
from yanli.source import Span
from yanli.tables.model import Cell, Reading, Source, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from importlib.resources.abc import Traversable

SUFFIX = ".toml"


class TableFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The form of a table's file; a cell without ``source`` has that of the file."""

    name: str
    zh: str
    en: str
    source: str
    note: str = ""
    note_en: str = ""
    rows: dict[str, dict[str, Cell]]
    english: dict[str, str] = {}


class TableHead(msgspec.Struct, frozen=True, kw_only=True):
    """A table in a list: its names, how many cells of each warrant it has; ``fault`` where it cannot be read."""

    name: str
    zh: str
    en: str
    stated: int = 0
    inferred: int = 0
    silent: int = 0
    readings: int = 0
    fault: str | None = None


def folder() -> Traversable:
    """The folder of the tables that come with Yanli."""
    return files("yanli").joinpath("rites", "tables")


@cache
def sources() -> dict[str, Source]:
    """Every text that cells may quote, by the key that they quote it with. Raises RiteError if the list is broken."""
    path = folder().joinpath("sources", "sources.toml")
    try:
        return msgspec.convert(_toml(path)["source"], dict[str, Source])
    except (msgspec.ValidationError, KeyError) as fault:
        raise RiteError(Finding(code="bad-table", cause=f"{path}: {fault}")) from None


@cache
def emendations() -> Emendations:
    """What is emended in the text that most cells quote. Raises RiteError if the file of it is broken."""
    return load_emendations(folder().joinpath("sources", "emendations.toml"))


@cache
def words() -> Mapping[str, Mapping[str, str]]:
    """What all tables share: ``english`` of labels and values, and ``aliases`` of ranks, domains and kinds."""
    return _toml(folder().joinpath("sources", "english.toml"))


def read_table(path: Traversable) -> Table:
    """Read a table. Raises RiteError with every fault in it: a cell without source, a silent one that is filled."""
    try:
        found = msgspec.convert(_toml(path), TableFile)
    except msgspec.ValidationError as fault:
        raise RiteError(Finding(code="bad-table", cause=f"{path.name}: {fault}", span=Span(path.name, 1))) from None
    rows = {
        row: {
            column: msgspec.structs.replace(
                cell, source=cell.source or found.source, table=found.zh, row=row, column=column
            )
            for column, cell in cells.items()
        }
        for row, cells in found.rows.items()
    }
    faults = [
        Finding(code="bad-cell", cause=f"{path.name}: {cell.place}: {fault}", span=_line(path, cell))
        for cells in rows.values()
        for cell in cells.values()
        for fault in _faults(cell)
    ]
    if faults:
        raise RiteError(*faults)
    return Table(
        name=found.name,
        zh=found.zh,
        en=found.en,
        source=found.source,
        note=found.note,
        note_en=found.note_en,
        rows=rows,
        english={**words()["english"], **found.english},
    )


def _faults(cell: Cell) -> Iterator[str]:
    """What is wrong with one cell by itself."""
    if cell.silent and (cell.is_ or cell.number is not None):
        yield "no text has it (silent), yet it is filled"
    if not cell.silent and not (cell.is_ and cell.words):
        yield "expected `is` and `words`, or `silent = true`"
    if bool(cell.by) != bool(cell.from_):
        yield "expected `by` and `from` together: who infers it, and from what"
    both: tuple[Cell | Reading, ...] = (cell, *cell.readings)
    for each in both:
        if not each.source:
            yield f"expected a source: a key of sources.toml ({'、'.join(sources())}), or a citation in full"
        try:
            _ = each.value
        except (ValueError, ZeroDivisionError):
            yield f"number = {each.number!r}: expected a whole number or an exact fraction, as 14/3"


def _line(path: Traversable, cell: Cell) -> Span:
    """Where a cell stands in its file, as far as its row's and its own name tell."""
    within = False
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if line.startswith("[rows."):
            within = line.startswith(f'[rows."{cell.row}"]')
        if within and line.startswith((f'"{cell.column}"', f"{cell.column} ")):
            return Span(path.name, number)
    return Span(path.name, 1)


def _paths() -> list[Traversable]:
    return sorted((path for path in folder().iterdir() if path.name.endswith(SUFFIX)), key=lambda path: path.name)


def list_tables() -> list[TableHead]:
    """Every table with what it holds, by the name of its file; one that cannot be read is told with its fault."""
    found = []
    for path in _paths():
        stem = path.name.removesuffix(SUFFIX)
        try:
            table = find_table(stem)
        except YanliError as fault:
            found.append(TableHead(name=stem, zh="", en="", fault=str(fault)))
            continue
        cells = table.cells()
        found.append(
            TableHead(
                name=table.name,
                zh=table.zh,
                en=table.en,
                stated=sum(cell.warrant == "stated" for cell in cells),
                inferred=sum(cell.warrant == "inferred" for cell in cells),
                silent=sum(cell.silent for cell in cells),
                readings=sum(len(cell.readings) for cell in cells),
            )
        )
    return found


@cache
def _names() -> dict[str, Traversable]:
    """Every name by which a table goes, folded: its file's, its ``name``, its ``zh``, and that in simplified script."""
    from yanli.lexicon.readings import simplified

    found: dict[str, Traversable] = {}
    for path in _paths():
        found[path.name.removesuffix(SUFFIX)] = path
        try:
            head = _toml(path)
        except RiteError:
            continue
        zh = str(head.get("zh", ""))
        for name in (str(head.get("name", "")), fold(zh).text, simplified(zh)):
            if name:
                found.setdefault(name, path)
    return found


@cache
def find_table(name: str) -> Table:
    """Find a table by its name, in English or Chinese. Raises RiteError with the nearest names where there is none."""
    known = _names()
    path = known.get(name) or known.get(name.casefold()) or known.get(fold(name).text)
    if path is None:
        cause = f"no table is called {name}"
        raise RiteError(Finding(code="unknown-table", cause=cause, nearest=nearest(name, tuple(known))))
    return read_table(path)


def nearest(word: str, names: tuple[str, ...], limit: int = 3) -> tuple[str, ...]:
    """The names most like a word, the likest first: by what must be changed to make one of the other."""
    from rapidfuzz.distance import Levenshtein

    liked = sorted(names, key=lambda name: (-Levenshtein.normalized_similarity(word, name), name))
    return tuple(liked[:limit])


def exact(value: Fraction) -> str:
    """A number to be read: 18, or 4 2/3."""
    whole, rest = divmod(value.numerator, value.denominator)
    if not rest:
        return str(whole)
    return f"{whole} {rest}/{value.denominator}" if whole else f"{rest}/{value.denominator}"


def _toml(path: Traversable) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as fault:
        raise RiteError(Finding(code="bad-table", cause=f"{path.name}: {fault}")) from None
