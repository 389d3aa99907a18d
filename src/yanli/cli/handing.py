"""Commands that hand works on to other programs: corpus tei, annotations, csv, parquet."""

# No future annotations: one of the commands bears their name.
import enum
from pathlib import Path
from typing import Annotated

import typer

from yanli.cli.options import Output, write
from yanli.cli.stores import Db, Work, named, opened_store


class Table(enum.StrEnum):
    """What of a work."""

    pieces = "pieces"
    remarks = "remarks"
    faults = "faults"
    anchors = "anchors"
    proposals = "proposals"


Which = Annotated[
    Table, typer.Option("--table", help="Which of its tables: pieces (every character), remarks, faults …")
]


def tei(
    name: Work,
    *,
    db: Db = None,
    output: Output = None,
) -> None:
    """Write a work as TEI P5, with its layers, speakers, faults, anchors and proposals; it can be read in without loss.

    What is proposed for a damaged place is told beside the text (sic, corr), accepted or not; the text is as found.

    Example: yanli corpus tei KR1d0026_005 -o 005.xml
    """
    from yanli.corpus.tei import to_tei

    with opened_store(db) as store:
        full = named(store, name)
        found = to_tei(store.text(full), store.anchors(full), store.proposals(full))
    write(found, output)


def annotations(
    name: Work,
    *,
    db: Db = None,
    output: Output = None,
) -> None:
    """Write a work's remarks, faults and proposals as Web Annotations (JSON-LD).

    Example: yanli corpus annotations KR1d0026_005 -o 005.jsonld
    """
    from yanli.corpus.exchange import web_annotations

    with opened_store(db) as store:
        full = named(store, name)
        found = web_annotations(store.text(full), store.anchors(full), store.proposals(full))
    write(found, output)


def csv(
    name: Work,
    *,
    table: Which = Table.remarks,
    db: Db = None,
    output: Output = None,
) -> None:
    """Write one table of a work as CSV.

    Example: yanli corpus csv KR1d0026_005 --table remarks -o remarks.csv
    """
    from yanli.corpus.exchange import tables, to_csv

    with opened_store(db) as store:
        full = named(store, name)
        rows = tables(store.text(full), store.anchors(full), store.proposals(full))[table.value]
    write([to_csv(table.value, rows)], output)


def parquet(
    name: Work,
    *,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The file to write.")],
    table: Which = Table.remarks,
    db: Db = None,
) -> None:
    """Write one table of a work as Parquet.

    Example: yanli corpus parquet KR1d0026_005 --table pieces -o pieces.parquet
    """
    from yanli.corpus.exchange import tables, write_parquet
    from yanli.errors import Finding, ScenarioError

    with opened_store(db) as store:
        full = named(store, name)
        rows = tables(store.text(full), store.anchors(full), store.proposals(full))[table.value]
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        write_parquet(table.value, rows, output)
    except OSError as fault:
        raise ScenarioError(Finding(code="cannot-write", cause=f"{output}: {fault.strerror or fault}")) from None


COMMANDS = (tei, annotations, csv, parquet)
