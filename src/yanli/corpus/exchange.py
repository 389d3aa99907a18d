r"""A text and its apparatus for other programs: tables (CSV, Parquet) and Web Annotations (JSON-LD).

Comes in: a `Text`, with anchors and proposals where there are any; an `Apparatus`. Goes out: rows by table, CSV,
Parquet files, an annotation collection as the W3C's Web Annotation Data Model has it. Offsets are code points, as that
model wants (``TextPositionSelector``); beside each stands the same in UTF-16 units, by which browsers count. In tables
``\`` is written ``\\``, and what UTF-8 or a table cannot hold ``\u{d800}`` (`tei_signs.escaped`); JSON has escapes of
its own.
"""

from __future__ import annotations

import csv
import io
import json
import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from yanli.corpus.copies import spelt
from yanli.corpus.tei_signs import escaped

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from yanli.corpus.apparatus import Apparatus
    from yanli.corpus.model import Anchor, Proposal, Text

Row = dict[str, str | int | float | bool | None]
_PLACE = {"start": int, "end": int, "start16": int, "end16": int}
COLUMNS: dict[str, dict[str, type]] = {
    "pieces": {**_PLACE, "layer": str, "speaker": str, "quoted_by": str, "remark": int, "page": str, "line": int,
               "text": str},
    "remarks": {"number": int, "layer": str, "speaker": str, "quoted_by": str, "after": int, "lemma": str, "spans": str,
                "text": str},
    "faults": {**_PLACE, "kind": str, "state": str, "page": str, "line": int, "found": str, "told": str},
    "anchors": {"remark": int, "rite": str, "first": str, "last": str, "confidence": float, "how": str,
                "stands": str},
    "proposals": {**_PLACE, "found": str, "emended": str, "method": str, "evidence": str, "certain": bool,
                  "likely": str, "author": str, "accepted": bool, "rejected": bool, "reviewer": str, "reason": str},
    "apparatus": {"start": int, "end": int, "words": str, "kind": str, "witnesses": str, "reading": str,
                  "interchangeable": bool, "moved": int, "note": str, "absent": str},
}  # fmt: skip
"""What each table has, and of what type it is."""

_CONTEXT = 16  # so many characters before and behind a quotation tell its place apart
_SURROGATE = re.compile("[\ud800-\udfff]")


class Units:
    """Turns offsets in code points into offsets in UTF-16 units."""

    def __init__(self, text: str) -> None:
        self._beyond = [at for at, sign in enumerate(text) if sign > "\uffff"]

    def at(self, offset: int) -> int:
        """Give the offset in UTF-16 units."""
        return offset + bisect_left(self._beyond, offset)


def tables(text: Text, anchors: Sequence[Anchor] = (), proposals: Sequence[Proposal] = ()) -> dict[str, list[Row]]:
    """Give the rows of every table of a text: ``pieces``, ``remarks``, ``faults``, ``anchors``, ``proposals``."""
    units = Units(text.text)

    def place(start: int, end: int) -> Row:
        return {"start": start, "end": end, "start16": units.at(start), "end16": units.at(end)}

    return {
        "pieces": [
            {
                **place(piece.start, piece.end),
                "layer": piece.layer.value,
                "speaker": piece.speaker,
                "quoted_by": " ".join(piece.quoted_by),
                "remark": piece.remark,
                "page": piece.page,
                "line": piece.line,
                "text": text.text[piece.start : piece.end],
            }
            for piece in text.pieces
        ],
        "remarks": [
            {
                "number": remark.number,
                "layer": remark.layer.value,
                "speaker": remark.speaker,
                "quoted_by": " ".join(remark.quoted_by),
                "after": remark.after,
                "lemma": remark.lemma,
                "spans": " ".join(f"{start}:{end}" for start, end in remark.spans),
                "text": remark.text,
            }
            for remark in text.remarks
        ],
        "faults": [
            {
                **place(fault.start, fault.end),
                "kind": fault.kind,
                "state": fault.state.value if fault.state else None,
                "page": fault.page,
                "line": fault.line,
                "found": fault.found,
                "told": fault.told,
            }
            for fault in text.faults
        ],
        "anchors": [{name: getattr(anchor, name) for name in COLUMNS["anchors"]} for anchor in anchors],
        "proposals": [
            {
                **{name: getattr(row, name) for name in COLUMNS["proposals"] if name not in _PLACE},
                **place(row.start, row.end),
            }
            for row in proposals
        ],
    }


def apparatus_rows(found: Apparatus) -> list[Row]:
    """Give an apparatus as rows, in the order of the base: a row for each reading, and one for each silence."""
    rows: list[Row] = [
        {
            "start": entry.start,
            "end": entry.end,
            "words": spelt(entry.words),
            "kind": reading.kind,
            "witnesses": " ".join(reading.witnesses),
            "reading": spelt(reading.text),
            "interchangeable": reading.interchangeable,
            "moved": reading.moved,
            "note": spelt(reading.note) or " ".join(reading.pages),
            "absent": " ".join(entry.absent),
        }
        for entry in found.entries
        for reading in entry.readings
    ]
    rows += [
        {
            "start": absence.start,
            "end": absence.end,
            "words": spelt(found.base.text[absence.start : absence.end]),
            "kind": absence.kind,
            "witnesses": absence.witness,
            "reading": "",
            "interchangeable": False,
            "moved": absence.moved,
            "note": " ".join(absence.pages),
            "absent": absence.witness,
        }
        for absence in found.absences
    ]
    return sorted(rows, key=lambda row: (row["start"], row["end"]))


def to_csv(table: str, rows: Sequence[Row]) -> str:
    """Write the rows of a table (a name of `COLUMNS`) as CSV with a heading (RFC 4180). Nothing and "" look alike."""
    held = io.StringIO()
    writer = csv.DictWriter(held, list(COLUMNS[table]), lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(map(_safe, rows))
    return held.getvalue()


def write_parquet(table: str, rows: Sequence[Row], path: Path) -> None:
    """Write the rows of a table (a name of `COLUMNS`) as Parquet. Raises OSError when the file cannot be written."""
    import polars as pl

    kinds = {str: pl.String, int: pl.Int64, float: pl.Float64, bool: pl.Boolean}
    schema = {name: kinds[kind] for name, kind in COLUMNS[table].items()}
    frame = pl.DataFrame([_safe(row) for row in rows], schema=schema, orient="row")
    try:
        frame.write_parquet(path)
    except pl.exceptions.PolarsError as reason:  # a full disk is told so
        raise OSError(str(reason)) from reason


def web_annotations(text: Text, anchors: Sequence[Anchor] = (), proposals: Sequence[Proposal] = ()) -> str:
    """Write remarks, faults and proposals as Web Annotations: one collection with one page, in JSON-LD.

    A remark's target are the clauses that it is anchored to (``clause:FIRST-LAST`` of ``urn:yanli:rite:RITE``), else
    its own place in the text; its body says where it stands. The text itself is ``urn:yanli:text:NAME``.
    """
    source = f"urn:yanli:text:{_quoted(text.name)}"
    places = _Places(text.text, source)
    items = [
        *_remarks(text, anchors, places, source),
        *_faults(text, places, source),
        *_proposals(proposals, places, source),
    ]
    collection = {
        "@context": [
            "http://www.w3.org/ns/anno.jsonld",
            {"yanli": "urn:yanli:terms:", "utf16Start": "yanli:utf16Start", "utf16End": "yanli:utf16End",
             "confidence": "yanli:confidence", "how": "yanli:how", "stands": "yanli:stands", "layer": "yanli:layer",
             "quotedBy": {"@id": "yanli:quotedBy", "@container": "@list"}, "certain": "yanli:certain",
             "likely": "yanli:likely",
             "accepted": "yanli:accepted", "rejected": "yanli:rejected", "reviewer": "yanli:reviewer",
             "reason": "yanli:reason"},
        ],
        "id": f"{source}:annotations",
        "type": "AnnotationCollection",
        "label": text.title,
        "total": len(items),
        "first": {"id": f"{source}:annotations:1", "type": "AnnotationPage", "startIndex": 0, "items": items},
    }  # fmt: skip
    written = json.dumps(collection, ensure_ascii=False, indent=1)
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", written)


class _Places:
    """Names places of a text, as the model wants it."""

    def __init__(self, text: str, source: str) -> None:
        self._text = text
        self._source = source
        self._units = Units(text)

    def at(self, start: int, end: int) -> dict[str, Any]:
        """A stretch of the text: by what stands there, and by where it stands."""
        return {
            "type": "SpecificResource",
            "source": self._source,
            "selector": [
                {
                    "type": "TextQuoteSelector",
                    "exact": self._text[start:end],
                    "prefix": self._text[max(start - _CONTEXT, 0) : start],
                    "suffix": self._text[end : end + _CONTEXT],
                },
                {
                    "type": "TextPositionSelector",
                    "start": start,
                    "end": end,
                    "utf16Start": self._units.at(start),
                    "utf16End": self._units.at(end),
                },
            ],
        }


def _remarks(text: Text, anchors: Sequence[Anchor], places: _Places, source: str) -> Iterator[dict[str, Any]]:
    of: dict[int, list[Anchor]] = {}
    for anchor in anchors:
        of.setdefault(anchor.remark, []).append(anchor)
    for remark in text.remarks:
        spans = [places.at(start, end) for start, end in remark.spans]
        said = {"type": "TextualBody", "value": remark.text, "format": "text/plain", "language": "lzh"}
        clauses = [_clause(anchor) for anchor in of.get(remark.number, ())]
        yield {
            "id": f"{source}:remark:{remark.number}",
            "type": "Annotation",
            "motivation": "commenting",
            **_creator(remark.speaker),
            "layer": remark.layer.value,
            **({"quotedBy": list(remark.quoted_by)} if remark.quoted_by else {}),
            "body": [said, *spans],
            "target": clauses or spans or source,
        }


def _clause(anchor: Anchor) -> dict[str, Any]:
    """The clauses that a remark speaks of; a stretch of several is named by its first and last."""
    ends = dict.fromkeys((anchor.first, anchor.last))
    return {
        "type": "SpecificResource",
        "source": f"urn:yanli:rite:{_quoted(anchor.rite)}",
        "selector": {
            "type": "FragmentSelector",
            "value": "clause:" + "-".join(map(_quoted, ends)),
        },
        "confidence": anchor.confidence,
        "how": anchor.how,
        **({"stands": f"clause:{_quoted(anchor.stands)}"} if anchor.stands else {}),
    }


def _faults(text: Text, places: _Places, source: str) -> Iterator[dict[str, Any]]:
    for number, fault in enumerate(text.faults):
        yield {
            "id": f"{source}:fault:{number}",
            "type": "Annotation",
            "motivation": "assessing",
            "body": [
                {"type": "TextualBody", "value": fault.kind, "purpose": "tagging"},
                {"type": "TextualBody", "value": fault.told or fault.found, "purpose": "describing"},
            ],
            "target": places.at(fault.start, fault.end),
        }


def _proposals(proposals: Sequence[Proposal], places: _Places, source: str) -> Iterator[dict[str, Any]]:
    for number, proposal in enumerate(proposals):
        yield {
            "id": f"{source}:proposal:{number}",
            "type": "Annotation",
            "motivation": "editing",
            **_creator(proposal.author),
            "certain": proposal.certain,
            **({"likely": proposal.likely} if proposal.likely else {}),
            "accepted": proposal.accepted,
            "rejected": proposal.rejected,
            **({"reviewer": proposal.reviewer} if proposal.reviewer else {}),
            **({"reason": proposal.reason} if proposal.reason else {}),
            "body": [
                {"type": "TextualBody", "value": proposal.emended, "purpose": "editing"},
                {"type": "TextualBody", "value": f"{proposal.method}: {proposal.evidence}", "purpose": "describing"},
            ],
            "target": places.at(proposal.start, proposal.end),
        }


def _creator(name: str | None) -> dict[str, Any]:
    return {"creator": {"type": "Person", "name": name}} if name else {}


def _quoted(name: str) -> str:
    """A name as a part of a URN."""
    return quote(name, safe="", errors="surrogatepass")


def _safe(row: Mapping[str, str | float | None]) -> Row:
    return {name: escaped(value) if isinstance(value, str) else value for name, value in row.items()}
