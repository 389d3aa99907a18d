"""What of a text is searched: the words of each layer, speaker and remark, joined over all that cuts them.

Comes in: a text. Goes out: its units, as columns: the words of all of them one behind another, a zero after each, with
their offsets in the text. No unit has a blank, a sign of punctuation or a sign of the copy. Offsets are code points.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from yanli.corpus.folding import is_word
from yanli.corpus.model import Layer, Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    import numpy.typing as npt

    Numbers = npt.NDArray[np.uint32]

OVERLAP = 256
"""A stretch of words longer than a segment is cut; so many characters stand on both sides. No query is longer."""
LAYERS = tuple(Layer)
_LAYER = {layer: number for number, layer in enumerate(LAYERS)}


@dataclass(frozen=True, slots=True)
class Units:
    """Words that belong together, of one layer, speaker and remark: a row for each, by layer and place.

    ``codes`` are the words' code points (a zero ends each unit) and ``offsets`` where they stand in the text; a unit
    begins at ``starts`` of these. ``ats`` is where it begins in the text, ``remarks`` is -1 for what is no remark.
    """

    name: str
    codes: Numbers
    offsets: Numbers
    starts: npt.NDArray[np.int64]
    layers: npt.NDArray[np.int64]
    ats: Numbers
    remarks: npt.NDArray[np.int64]
    speakers: tuple[str, ...]


def units(text: Text) -> Units:
    """Give what of a text is searched, in order. Signs of the copy are not."""
    import numpy as np

    kinds: dict[tuple[Layer, str, int, int], int] = {}
    of = np.array(_kinds(text, kinds), np.int64)
    codes = np.frombuffer(text.text.encode("utf-32-le", "surrogatepass"), "<u4")
    counts = _counts(codes)
    where = np.flatnonzero(counts)
    before = np.zeros(len(codes) + 1, np.int64)
    np.cumsum(counts, out=before[1:])
    first = before[np.array([piece.start for piece in text.pieces], np.int64)]
    many = before[np.array([piece.end for piece in text.pieces], np.int64)] - first
    held = np.flatnonzero((of >= 0) & (many > 0))
    kind, opening = np.unique(of[held], return_index=True)
    keys = list(kinds)
    rows = [keys[number] for number in kind.tolist()]
    layers = np.array([_LAYER[layer] for layer, *_ in rows], np.int64)
    ats = where[first[held[opening]]] if len(held) else where[:0]
    order = np.lexsort((ats, layers))
    rank = np.empty(len(keys), np.int64)
    rank[kind[order]] = np.arange(len(order))
    # Pieces in the order of their units, and of each its words: no character is touched but to be copied.
    unit = rank[of[held]]
    sorting = np.argsort(unit, kind="stable")
    unit, first, many = unit[sorting], first[held][sorting], many[held][sorting]
    spread = np.repeat(first - np.cumsum(many) + many, many) + np.arange(many.sum())
    sizes = np.bincount(unit, many, len(order)).astype(np.int64)
    starts = np.cumsum(sizes + 1) - sizes - 1
    ends = starts + sizes
    at = np.arange(len(spread)) + np.repeat(unit, many)
    offsets = np.zeros(len(spread) + len(order), np.uint32)
    offsets[at] = where[spread]
    offsets[ends] = offsets[ends - 1] + 1
    words = np.zeros(len(offsets), np.uint32)
    words[at] = codes[offsets[at]]
    rows = [rows[number] for number in order.tolist()]
    return Units(
        name=text.name, codes=words, offsets=offsets, starts=starts, layers=layers[order],
        ats=ats[order].astype(np.uint32), remarks=np.array([remark for _, _, remark, _ in rows], np.int64),
        speakers=tuple(speaker for _, speaker, *_ in rows),
    )  # fmt: skip


def parts(whole: Units, most: int) -> Iterator[Units]:
    """Part a long text's units into lots of at most ``most`` words, cutting those that are longer; the ends overlap."""
    import numpy as np

    starts, size = whole.starts, len(whole.codes)
    begin = 0
    while begin < size:
        end = min(begin + most, size)
        if end < size:
            last = int(starts[np.searchsorted(starts, end, "right") - 1])
            end = last if last > begin else end
        first, until = int(np.searchsorted(starts, begin, "right")) - 1, int(np.searchsorted(starts, end))
        cut = int(whole.codes[end - 1] != 0)
        yield Units(
            name=whole.name,
            codes=np.append(whole.codes[begin:end], np.zeros(cut, np.uint32)),
            offsets=np.append(whole.offsets[begin:end], whole.offsets[end - 1 : end - 1 + cut] + 1),
            starts=np.maximum(starts[first:until] - begin, 0),
            layers=whole.layers[first:until],
            ats=whole.ats[first:until],
            remarks=whole.remarks[first:until],
            speakers=whole.speakers[first:until],
        )
        begin = end - OVERLAP if cut else end


def _kinds(text: Text, kinds: dict[tuple[Layer, str, int, int], int]) -> list[int]:
    """Tell for each piece which unit it belongs to (numbered as they come), -1 for signs."""
    found = []
    since = 0
    last: tuple[Layer, str, int] | None = None
    for piece in text.pieces:
        layer, remark = piece.layer, piece.remark
        if layer is Layer.sign:
            found.append(-1)
            continue
        key = (layer, piece.speaker or "", -1 if remark is None else remark)
        loose = 0
        if remark is None and layer is not Layer.canon:
            # What is neither canon nor remark belongs together while nothing else comes between.
            since += key != last or layer is Layer.heading
            loose = since
        last = key
        found.append(kinds.setdefault((*key, loose), len(kinds)))
    return found


def _counts(codes: Numbers) -> npt.NDArray[np.bool_]:
    """Tell of each code point whether it counts in search."""
    import numpy as np

    table = _table()
    unknown = codes[table[codes] == 0]
    for code in np.unique(unknown).tolist():
        table[code] = 1 if is_word(chr(code)) else 2
    counted: npt.NDArray[np.bool_] = table[codes] == 1
    return counted


@cache
def _table() -> npt.NDArray[np.uint8]:
    """Code point → 1 if it counts, 2 if not, 0 if nobody asked yet."""
    import numpy as np

    return np.zeros(0x110000, np.uint8)
