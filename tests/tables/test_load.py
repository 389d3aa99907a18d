"""A table that is wrong is refused, with every fault, each at its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from yanli.errors import RiteError
from yanli.tables import read_table

HEAD = 'name = "t"\nzh = "表"\nen = "table"\nsource = "鄭五"\n\n[rows."士"]\n'


def read(tmp_path: Path, *lines: str) -> list[tuple[str, int | None]]:
    """What is wrong with a table of these cells: causes, and lines."""
    path = tmp_path / "t.toml"
    path.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")
    try:
        read_table(path)
    except RiteError as fault:
        return [(finding.cause, finding.span.line if finding.span else None) for finding in fault.findings]
    return []


def test_a_sound_table_is_read(tmp_path: Path) -> None:
    assert read(tmp_path, '"中" = { is = "鹿中", words = "士鹿中" }', '"服" = { silent = true }') == []


@pytest.mark.parametrize(
    ("cell", "cause"),
    [
        ('{ is = "鹿中" }', "expected `is` and `words`, or `silent = true`"),
        ('{ words = "士鹿中" }', "expected `is` and `words`, or `silent = true`"),
        ('{ silent = true, is = "鹿中" }', "no text has it (silent), yet it is filled"),
        ("{ silent = true, number = 1 }", "no text has it (silent), yet it is filled"),
        ('{ is = "鹿中", words = "士鹿中", by = "鄭玄" }', "expected `by` and `from` together"),
        ('{ is = "一", words = "一", number = "1/0" }', "expected a whole number or an exact fraction"),
        ('{ is = "一", words = "一", number = "some" }', "expected a whole number or an exact fraction"),
        (
            '{ is = "一", words = "一", readings = [{ by = "某", is = "二", words = "二", source = "" }] }',
            "expected a source",
        ),
    ],
)
def test_a_cell_that_is_wrong_is_told_at_its_line(tmp_path: Path, cell: str, cause: str) -> None:
    ((told, line),) = read(tmp_path, '"旌" = { is = "旌", words = "以旌獲" }', f'"中" = {cell}')
    assert told.startswith("t.toml: 表．士．中: ")
    assert cause in told
    assert line == 8


def test_every_fault_is_told(tmp_path: Path) -> None:
    assert [line for _, line in read(tmp_path, '"中" = { is = "鹿中" }', '"旌" = { words = "旌" }')] == [7, 8]


def test_a_field_that_there_is_not_is_refused(tmp_path: Path) -> None:
    ((told, _),) = read(tmp_path, '"中" = { is = "鹿中", words = "士鹿中", sauce = "鄭五" }')
    assert "sauce" in told


def test_what_is_not_toml_is_refused(tmp_path: Path) -> None:
    ((told, _),) = read(tmp_path, '"中" = {')
    assert told.startswith("t.toml: ")
