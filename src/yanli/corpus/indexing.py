"""Writes a segment of the index: all words of some works, every place of them in order.

Comes in: units of works. Goes out: a file, as `index` tells. Everything is done on whole columns at once.
"""

from __future__ import annotations

import os
import struct
from typing import TYPE_CHECKING, NamedTuple
from uuid import uuid4
from zlib import crc32

import msgspec

from yanli.corpus.folding import folded
from yanli.corpus.index import MAGIC, Block, Head, Source, edition
from yanli.corpus.store import digest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    import numpy.typing as npt

    from yanli.corpus.units import Units

    Codes = npt.NDArray[np.uint16]
    Columns = dict[str, npt.NDArray[np.generic]]

_MOST = 0x10000


def fits(several: Sequence[Units]) -> bool:
    """Tell whether two bytes can number the different characters of all these."""
    import numpy as np

    present = np.zeros(0x110000, np.bool_)
    present[0] = True
    for own in several:
        present[own.codes] = True
    return int(np.count_nonzero(present)) <= _MOST


class Written(NamedTuple):
    """A segment's file: its name, how many characters it has, the CRC-32 of it, and when it was written (ns)."""

    file: str
    size: int
    crc: int
    stamp: int


def write(found: Sequence[tuple[Source, Units]], folder: Path) -> Written:
    """Write a segment of these works (in order).

    Raises OverflowError when there are more different characters than two bytes can number, OSError when it cannot be
    written; then nothing is left of it.
    """
    import numpy as np

    speakers = sorted({speaker for _, own in found for speaker in own.speakers})
    codes, columns, blocks = _laid(found, {speaker: number for number, speaker in enumerate(speakers)})
    present = np.zeros(0x110000, np.bool_)
    present[0] = True
    present[codes] = True
    alphabet = np.flatnonzero(present)
    if len(alphabet) > _MOST:
        raise OverflowError(f"{len(alphabet)} different characters in one segment")
    written = "".join(map(chr, alphabet.tolist()))
    table = folded(written)
    plain = "".join(sorted(set(table.values())))
    number = {character: i for i, character in enumerate(plain)}
    numbers = np.zeros(0x110000, np.uint16)
    numbers[alphabet] = np.arange(len(alphabet))
    shapes = np.array([number[table[character]] for character in written], np.uint16)
    letters = numbers[codes]
    words = shapes[letters]
    places, first = _by_words(words, len(plain))
    postings, posted = _by_letter(letters, len(alphabet))
    columns |= {
        "found": letters,
        "words": words.astype(">u2"),
        "shapes": shapes,
        "places": places,
        "first": first,
        "postings": postings,
        "posted": posted,
    }
    sections: dict[str, tuple[int, int]] = {}
    at = 0
    for name, column in columns.items():
        sections[name] = (at, column.nbytes)
        at += -(-column.nbytes // 8) * 8
    head = msgspec.msgpack.encode(
        Head(tuple(source for source, _ in found), tuple(speakers), written, plain, tuple(blocks), sections)
    )
    name = f"{digest(head)[:20]}.seg"
    crc = 0
    # Made as any other file, and not as a secret one: whoever may read the store may read its index.
    path = folder / f"{uuid4().hex}.tmp"
    with path.open("xb") as file:
        try:
            file.write(start := MAGIC + struct.pack("=II", edition(), len(head)) + head + b"\0" * (-len(head) % 8))
            crc = crc32(start)
            for column in columns.values():
                for part in (column.data if column.nbytes else b"", b"\0" * (-column.nbytes % 8)):
                    file.write(part)
                    crc = crc32(part, crc)
            # The list of segments must not come to name what a power cut can still take away.
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            path.unlink(missing_ok=True)
            raise
    stamp = path.stat().st_mtime_ns
    path.replace(folder / name)
    return Written(name, len(codes), crc, stamp)


def _laid(
    found: Sequence[tuple[Source, Units]], speakers: dict[str, int]
) -> tuple[npt.NDArray[np.uint32], Columns, list[Block]]:
    """Lay the works' units one behind another, by layer and work: code points, columns of units and runs, blocks."""
    import numpy as np

    codes, offsets, starts, rows = [], [], [], []
    blocks: list[Block] = []
    at = unit = 0
    for layer, work in sorted(
        (layer, work) for work, (_, own) in enumerate(found) for layer in np.unique(own.layers).tolist()
    ):
        own = found[work][1]
        low, high = (int(each) for each in np.searchsorted(own.layers, (layer, layer + 1)))
        begin = int(own.starts[low])
        end = int(own.starts[high]) if high < len(own.starts) else len(own.codes)
        codes.append(own.codes[begin:end])
        offsets.append(own.offsets[begin:end])
        starts.append(own.starts[low:high] + (at - begin))
        said = np.array([speakers[speaker] for speaker in own.speakers[low:high]], np.uint32)
        kind = np.full((2, high - low), ((layer,), (work,)), np.uint32)
        rows.append((*kind, own.ats[low:high], said, own.remarks[low:high] + 1))
        first = (int(own.ats[low]), int(own.offsets[begin]))
        blocks.append(Block(layer, work, at, at + end - begin, unit, unit + high - low, first))
        at += end - begin
        unit += high - low
    empty = np.zeros(0, np.uint32)
    whole, spots = np.concatenate([empty, *codes]), np.concatenate([empty, *offsets])
    # Where the text goes on as the words do, no run begins.
    runs = np.flatnonzero(np.append(np.True_, spots[1:] != spots[:-1] + 1)[: len(spots)])
    columns: Columns = {"start": np.concatenate([empty, *starts]).astype(np.uint32)}
    for number, name in enumerate(("layer", "source", "at", "speaker", "remark")):
        columns[name] = np.concatenate([empty, *(row[number] for row in rows)]).astype(np.uint32)
    columns |= {"run_start": runs.astype(np.uint32), "run_offset": spots[runs]}
    return whole, columns, blocks


def _by_words(words: Codes, letters: int) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """All places but zeros in the order of the eight characters that stand there, and where each character begins."""
    import numpy as np

    size = len(words)
    eight = np.zeros(size + 8, np.uint16)
    eight[:size] = words
    four = np.zeros(size + 4, np.uint64)
    for step in range(4):
        four <<= np.uint64(16)
        four |= eight[step : step + size + 4]
    # Four characters are numbered by their order; then two such numbers stand for eight.
    order = np.argsort(four[:size])
    held = four[order]
    rank = np.zeros(size + 4, np.uint64)
    rank[order[1:]] = np.cumsum(held[1:] != held[:-1], dtype=np.uint64)
    np.left_shift(rank[:size], np.uint64(32), out=four[:size])
    four[:size] |= rank[4:]
    order = np.argsort(four[:size])
    first = np.zeros(letters + 1, np.uint32)
    np.cumsum(np.bincount(words, minlength=letters), out=first[1:])
    # Zeros, which stand between units, are the least and come first: they are no places of words.
    gaps = int(first[1])
    first[1:] -= np.uint32(gaps)
    return order[gaps:].astype(np.uint32), first


def _by_letter(letters: Codes, many: int) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """All places of each character as it is written, one character after another, each in order; where each begins."""
    import numpy as np

    posted = np.zeros(many + 1, np.uint32)
    np.cumsum(np.bincount(letters, minlength=many), out=posted[1:])
    return np.argsort(letters, kind="stable").astype(np.uint32), posted
