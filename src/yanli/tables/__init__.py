"""The tables of rank: what the sources say of each rank, kind of shooting and occasion, and what they do not say.

Comes in: ``rites/tables/*.toml``, and the list of sources beside them. Goes out: tables whose every cell has its words,
who inferred it, or that no text has it (無文); and single cells, looked up for a scenario. What can no longer occur: a
cell without a source, a value where the texts are silent.
"""

from __future__ import annotations

from yanli.tables.load import TableHead, find_table, list_tables, read_table
from yanli.tables.lookup import lookup, same_word, say
from yanli.tables.model import Cell, Reading, Source, Table, Warrant

__all__ = [
    "Cell",
    "Reading",
    "Source",
    "Table",
    "TableHead",
    "Warrant",
    "find_table",
    "list_tables",
    "lookup",
    "read_table",
    "same_word",
    "say",
]
