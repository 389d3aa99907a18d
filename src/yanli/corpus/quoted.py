"""A passage that stands in two works, as it is shown: whose words it is in each, on which page, how it reads there.

Comes in: texts, and passages by their offsets (see `quote`). Goes out: the same with their words, and as CSV.
"""

from __future__ import annotations

import csv
import io
from bisect import bisect_right
from typing import TYPE_CHECKING

import msgspec

from yanli.corpus.model import Layer
from yanli.corpus.quote import Kind, Passage, Prepared, prepare_text
from yanli.corpus.tei_signs import escaped

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from yanli.corpus.model import Anchor, Text

SAID = tuple(layer for layer in Layer if layer not in {Layer.sign, Layer.canon, Layer.lemma, Layer.heading})
_SIDE = ("work", "start", "end", "layer", "page", "line", "speaker", "words")
BETWEEN = "｜"
"""Stands in the words of a passage where the work has words of another layer between them."""
COLUMNS = ("kind", "same", *_SIDE, *(f"source_{name}" for name in _SIDE))
"""The columns of passages as a table: those of the work, then those of the one in which they stand too."""


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """A passage in one of two works: where it begins, whose words it is, and the words.

    ``words`` are those of the layers that the passage was sought in; `BETWEEN` stands where others are left out.
    """

    work: str
    start: int
    end: int
    layer: Layer
    page: str | None
    line: int
    speaker: str | None
    words: str


class Quoted(msgspec.Struct, frozen=True, kw_only=True):
    """A passage that stands in both works; ``same`` characters of it agree."""

    kind: Kind
    same: int
    one: Side
    other: Side


class Sides:
    """Gives the sides of passages of one text, that were sought in these layers (in canon and commentary, if none)."""

    def __init__(self, text: Text, layers: Iterable[Layer] = ()) -> None:
        self.text = text
        self.starts = [piece.start for piece in text.pieces]
        self._lots = lots_of(layers)

    def side(self, start: int, end: int) -> Side:
        """Give the passage from one offset to another: what is of the layers in which it was sought, and no signs."""
        first = max(bisect_right(self.starts, start) - 1, 0)
        piece = self.text.pieces[first]
        own = next((lot for lot in self._lots if piece.layer in lot), (piece.layer,))
        words: list[str] = []
        between = False
        for at in range(first, len(self.text.pieces)):
            each = self.text.pieces[at]
            if each.start >= end:
                break
            if each.layer in own:
                words += [BETWEEN] if between else []
                words.append(self.text.text[max(each.start, start) : min(each.end, end)])
                between = False
            elif each.layer is not Layer.sign:
                between = True
        return Side(
            work=self.text.name,
            start=start,
            end=end,
            layer=piece.layer,
            page=piece.page,
            line=piece.line,
            speaker=piece.speaker,
            words="".join(words),
        )


def lots_of(layers: Iterable[Layer]) -> list[tuple[Layer, ...]]:
    """Give the lots of layers that are sought apart: these together, or canon and commentary each by itself."""
    wanted = tuple(layers)
    return [wanted] if wanted else [(Layer.canon,), SAID]


def prepared(
    text: Text,
    layers: Iterable[Layer],
    anchors: Sequence[Anchor],
    rites: Mapping[str, Sequence[tuple[str, str]]],
) -> list[Prepared]:
    """Make the lots of a text ready to be sought in, as `quote.prepare_text` does."""
    return [prepare_text(text, lot, anchors, rites) for lot in lots_of(layers)]


def quoted(passages: Iterable[Passage], ours: Sides, theirs: Sides) -> tuple[Quoted, ...]:
    """Give passages of two texts with their words, in the order of the first."""
    ordered = sorted(passages, key=lambda each: (each.start, -each.end, each.low))
    return tuple(
        Quoted(
            kind=each.kind, same=each.same, one=ours.side(each.start, each.end), other=theirs.side(each.low, each.high)
        )
        for each in ordered
    )


def quoted_csv(passages: Iterable[Quoted], *, heading: bool = True) -> str:
    """Write passages as CSV, one line each; what UTF-8 cannot hold is written as `tei_signs.escaped` has it."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    if heading:
        writer.writerow(COLUMNS)
    for each in passages:
        row = [getattr(side, name) for side in (each.one, each.other) for name in _SIDE]
        writer.writerow([each.kind, each.same, *(escaped(cell) if isinstance(cell, str) else cell for cell in row)])
    return stream.getvalue()
