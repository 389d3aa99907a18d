"""What of a text is searched: the words of each layer, speaker and remark, joined over all that cuts them.

Comes in: a text. Goes out: units, which are lists of words with their offsets in the text. No unit has a blank,
a sign of punctuation or a sign of the copy. Offsets are code points.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

import msgspec

from yanli.corpus.folding import is_word
from yanli.corpus.model import Layer, Text

OVERLAP = 256
"""A stretch of words longer than a segment is cut; so many characters stand on both sides. No query is longer."""
LAYERS = tuple(Layer)


class Unit(msgspec.Struct, frozen=True):
    """Words that belong together, of one layer, speaker and remark (-1 for what is no remark).

    Where they are cut in the text by what does not count, a run begins: at ``starts`` of the words, at ``offsets`` of
    the text. ``at`` is where the whole begins in the text.
    """

    layer: int
    name: str
    at: int
    speaker: str
    remark: int
    words: str
    starts: Sequence[int]
    offsets: Sequence[int]


def units(text: Text) -> list[Unit]:
    """Give what of a text is searched, in order. Signs of the copy are not."""
    dropped = "".join(re.escape(c) for c in sorted(set(text.text)) if not is_word(c))
    run = re.compile(f"[^{dropped}]+" if dropped else ".+", re.DOTALL)
    groups: dict[tuple[Layer, str, int, int], tuple[list[str], list[int]]] = {}
    since = 0
    last: tuple[Layer, str, int] | None = None
    for piece in text.pieces:
        if piece.layer is Layer.sign:
            continue
        key = (piece.layer, piece.speaker or "", -1 if piece.remark is None else piece.remark)
        # What is neither canon nor remark belongs together while nothing else comes between.
        loose = piece.remark is None and piece.layer is not Layer.canon
        since += loose and (key != last or piece.layer is Layer.heading)
        last = key
        words, offsets = groups.setdefault((*key, since if loose else 0), ([], []))
        for match in run.finditer(text.text, piece.start, piece.end):
            words.append(match[0])
            offsets.append(match.start())
    found = [
        Unit(
            LAYERS.index(layer), text.name, offsets[0], speaker, remark, "".join(words),
            [0, *accumulate(map(len, words[:-1]))], offsets,
        )
        for (layer, speaker, remark, _), (words, offsets) in groups.items()
        if words
    ]  # fmt: skip
    return sorted(found, key=lambda unit: (unit.layer, unit.name, unit.at))


def stretches(found: Iterable[Unit], most: int) -> list[list[Unit]]:
    """Part a long text's units into lots that fit a segment, cutting those that are longer than one."""
    lots: list[list[Unit]] = [[]]
    room = most
    for whole in found:
        for unit in _cut(whole, most):
            if len(unit.words) > room and lots[-1]:
                lots.append([])
                room = most
            lots[-1].append(unit)
            room -= len(unit.words)
    return lots


def _cut(unit: Unit, most: int) -> Iterator[Unit]:
    """Cut a unit that is longer than a segment; the ends overlap."""
    whole = len(unit.words)
    start = 0
    while whole > most:
        end = min(start + most, whole)
        first, last = bisect_right(unit.starts, start) - 1, bisect_left(unit.starts, end)
        yield msgspec.structs.replace(
            unit,
            words=unit.words[start:end],
            starts=[0, *(at - start for at in unit.starts[first + 1 : last])],
            offsets=[unit.offsets[first] + start - unit.starts[first], *unit.offsets[first + 1 : last]],
        )
        if end == whole:
            return
        start = end - OVERLAP
    yield unit
