"""What search looks in: all words of all works, every ending of them sorted.

Comes in: texts. Goes out: *segments*, files of about four million characters that are looked into without being read
(mapped into memory). A segment has its words twice, as found and folded, each character as a number of two bytes, so
that bytes compare as characters do; and the places of all its words in the order of the eight characters that stand
there. So all places of any words lie together, and are found by halving.

Words are in the order in which hits are given: by layer, work, place. Parts of a remark that line or page ends cut are
joined, canon that notes cut too; a zero stands between what does not belong together.
"""

from __future__ import annotations

import mmap
import os
import re
import struct
import sys
import tempfile
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from yanli.corpus.folding import fold_search, folded
from yanli.corpus.store import digest
from yanli.corpus.units import Unit

if TYPE_CHECKING:
    from polars import Series

VERSION = 2
SEGMENT = 4 << 20
"""Characters that a segment has about."""
KEY = 8
"""So many characters decide the order of places."""
_FEW = 512
"""So many places are sorted at once; more are looked for from the beginning."""
_WINDOW = 16 << 10
_JUMPS = 16
_SOME = 1 << 15
"""So many places are put in order rather than looked for, once nothing stood in a window."""
_ODD = 20_000
"""So many places of a rare shape are gone through."""
_MAGIC = b"yanliseg"
_SKIPPED = range(0xD800, 0xE000)
_MOST = 0x10000 - len(_SKIPPED)


class Source(msgspec.Struct, frozen=True):
    """A text, or of a long one the ``part`` (from 0) of ``parts``, that a segment has; ``reading`` as in the store."""

    name: str
    reading: str
    part: int = 0
    parts: int = 1


class _Block(msgspec.Struct, frozen=True, array_like=True):
    """All of one layer of one work: its words (characters of the segment) and its units, ends not included."""

    layer: int
    source: int
    start: int
    end: int
    first: int
    last: int


class _Head(msgspec.Struct, frozen=True):
    """What stands first in a segment's file; ``sections`` are (where, how long) in bytes from the end of the head."""

    sources: tuple[Source, ...]
    speakers: tuple[str, ...]
    found: str
    folded: str
    blocks: tuple[_Block, ...]
    sections: dict[str, tuple[int, int]]


class Place(msgspec.Struct, frozen=True, order=True):
    """Where words stand, in the order in which hits are given."""

    layer: int
    name: str
    unit_at: int
    start: int
    """offset of the first character in the text"""
    position: int
    """the same in the segment"""


Ranges = Sequence[tuple[int, int]]


def write(units: Sequence[Unit], sources: Sequence[Source], folder: Path) -> str:
    """Write a segment of these units (in order, of these works), and give its file's name.

    Raises OverflowError when there are more different characters than two bytes can number.
    """
    raw = "\0".join([unit.words for unit in units]) + "\0"
    alphabet = "".join(sorted({*raw, "\0"}))
    table = folded(alphabet)
    plain = "".join(sorted(set(table.values())))
    if len(alphabet) > _MOST:
        raise OverflowError(f"{len(alphabet)} different characters in one segment")
    found = raw.translate({ord(c): _sign(i) for i, c in enumerate(alphabet)}).encode("utf-16-be")
    number = {c: i for i, c in enumerate(plain)}
    words = raw.translate({ord(c): _sign(number[table[c]]) for c in alphabet}).encode("utf-16-be")
    odd, odd_first = _odd(raw, alphabet, table)
    del raw
    speakers = sorted({unit.speaker for unit in units})
    arrays, blocks = _tables(units, [source.name for source in sources], {s: i for i, s in enumerate(speakers)})
    places, first = _sorted(words, len(plain))
    body = {
        "found": found,
        "words": words,
        "places": places,
        "first": first,
        "odd": odd,
        "odd_first": odd_first,
        **arrays,
    }
    sections: dict[str, tuple[int, int]] = {}
    at = 0
    for name, data in body.items():
        sections[name] = (at, len(data))
        at += -(-len(data) // 8) * 8
    head = msgspec.msgpack.encode(_Head(tuple(sources), tuple(speakers), alphabet, plain, tuple(blocks), sections))
    name = f"{digest(head)[:20]}.seg"
    with tempfile.NamedTemporaryFile(dir=folder, suffix=".tmp", delete=False) as file:
        file.write(_MAGIC + struct.pack("<II", VERSION, len(head)) + head + b"\0" * (-len(head) % 8))
        for data in body.values():
            file.write(data + b"\0" * (-len(data) % 8))
    Path(file.name).replace(folder / name)
    return name


class Segment:
    """A segment's file, mapped. Raises ValueError when it is no such file; close it when done."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size < len(_MAGIC) + 8:
                raise ValueError(f"{path} is no segment of the index")
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        version, length = struct.unpack("<II", self._map[8:16])
        if self._map[:8] != _MAGIC or version != VERSION:
            self._map.close()
            raise ValueError(f"{path} is no segment of version {VERSION} of the index")
        head = msgspec.msgpack.decode(self._map[16 : 16 + length], type=_Head)
        start = 16 + length + -length % 8
        self.sources = head.sources
        self.speakers = head.speakers
        self.blocks = head.blocks
        self.alphabet = head.found
        self._found_code = {c: i for i, c in enumerate(head.found)}
        self._code = {c: i for i, c in enumerate(head.folded)}
        self._letters = {ord(_sign(i)): c for i, c in enumerate(head.found)}
        self._at = {name: (start + at, start + at + size) for name, (at, size) in head.sections.items()}
        self._view = memoryview(self._map)
        self._places = self._array("places")
        self._first = self._array("first")
        self._odd = self._array("odd")
        self._odd_first = self._array("odd_first")
        self._unit = {name: self._array(name) for name in _UNIT}
        self._run_start = self._array("run_start")
        self._run_offset = self._array("run_offset")
        self._ranges: dict[object, Ranges] = {}

    def close(self) -> None:
        """Let go of the file."""
        runs = (self._run_start, self._run_offset)
        for view in (self._places, self._first, self._odd, self._odd_first, *self._unit.values(), *runs, self._view):
            view.release()
        self._map.close()

    @property
    def size(self) -> int:
        """How many characters it has, zeros included."""
        start, end = self._at["words"]
        return int((end - start) // 2)

    def count(self, words: str) -> int:
        """How often folded words stand here (up to `KEY` characters; of longer ones, how often these begin)."""
        found = self._span(words)
        return 0 if found is None else found[1] - found[0]

    def positions(self, words: str, ranges: Ranges | None = None) -> Iterator[int]:
        """Every position of folded words, in order; only those within ``ranges`` if there are any."""
        span = self._span(words)
        if span is None:
            return
        low, high = span
        asked = self._bytes(words, self._code)
        if asked is None:
            return
        if high - low <= _FEW:
            yield from self.within(self._few(low, high, asked), ranges)
        else:
            yield from self._many("words", span, asked, ranges)

    def exact(self, words: str, ranges: Ranges | None = None) -> Iterator[int]:
        """Every position of words as they are written, in order; only those within ``ranges``."""
        asked = self._bytes(words, self._found_code)
        if asked is None:
            return
        plain = fold_search(words)
        span = self._span(plain)
        if span is None:
            return
        if span[1] - span[0] <= _FEW:
            yield from (at for at in self.positions(plain, ranges) if self._stands("found", at, asked))
        elif odd := self._odd_one(words):
            spot, places = odd
            yield from self.within(
                (at - spot for at in places if at >= spot and self._stands("found", at - spot, asked)), ranges
            )
        else:
            yield from self._many("found", span, asked, ranges)

    def is_exact(self, position: int, words: str) -> bool:
        """Tell whether just these words stand there."""
        asked = self._bytes(words, self._found_code)
        return asked is not None and self._stands("found", position, asked)

    def place(self, position: int) -> Place:
        """Where a position is."""
        unit = self.unit_at(position)
        return Place(
            self._unit["layer"][unit], self.sources[self._unit["source"][unit]].name, self._unit["at"][unit],
            self.offset(position), position,
        )  # fmt: skip

    def unit_at(self, position: int) -> int:
        """The number of the unit that a position is in."""
        return bisect_right(self._unit["start"], position) - 1

    def unit(self, number: int) -> tuple[str, str, int, int, int]:
        """Work, speaker, remark (-1: none), and first and last position (not included) of a unit."""
        start = self._unit["start"]
        end = start[number + 1] if number + 1 < len(start) else self.size
        name = self.sources[self._unit["source"][number]].name
        return (
            name,
            self.speakers[self._unit["speaker"][number]],
            self._unit["remark"][number] - 1,
            start[number],
            end - 1,
        )

    def offset(self, position: int) -> int:
        """The offset in its text of the character at a position."""
        run = bisect_right(self._run_start, position) - 1
        return int(self._run_offset[run] + position - self._run_start[run])

    def words(self, start: int, end: int) -> str:
        """The words as found from one position to another."""
        base, _ = self._at["found"]
        return self._map[base + 2 * start : base + 2 * end].decode("utf-16-be").translate(self._letters)

    def units(self) -> range:
        """The numbers of all units."""
        return range(len(self._unit["start"]))

    def ranges(
        self,
        layers: frozenset[int] | None,
        works: frozenset[str] | None,
        speaker: str | None,
        remarks: frozenset[tuple[str, int]] | None,
    ) -> Ranges:
        """Where everything of these layers, works, speaker and remarks stands; None lets all through."""
        key = (layers, works, speaker, remarks)
        if key not in self._ranges:
            if len(self._ranges) > _FEW:
                self._ranges.clear()
            self._ranges[key] = _joined(self._chosen(layers, works, speaker, remarks))
        return self._ranges[key]

    def _chosen(
        self,
        layers: frozenset[int] | None,
        works: frozenset[str] | None,
        speaker: str | None,
        remarks: frozenset[tuple[str, int]] | None,
    ) -> Iterator[tuple[int, int]]:
        said = None if speaker is None else bisect_left(self.speakers, speaker)
        if said is not None and self.speakers[said : said + 1] != (speaker,):
            return
        start, spoken, remark = self._unit["start"], self._unit["speaker"], self._unit["remark"]
        for block in self.blocks:
            name = self.sources[block.source].name
            if (layers is not None and block.layer not in layers) or (works is not None and name not in works):
                continue
            if said is None and remarks is None:
                yield block.start, block.end
                continue
            for unit in range(block.first, block.last):
                if said is not None and spoken[unit] != said:
                    continue
                if remarks is not None and (name, remark[unit] - 1) not in remarks:
                    continue
                yield start[unit], start[unit + 1] if unit + 1 < block.last else block.end

    def _array(self, name: str) -> memoryview:
        start, end = self._at[name]
        return self._view[start:end].cast("I")

    def _bytes(self, words: str, codes: dict[str, int]) -> bytes | None:
        """Words as they stand in the file; None when a character of them is nowhere in it."""
        numbers = [codes.get(c, 0) for c in words]
        return "".join(map(_sign, numbers)).encode("utf-16-be") if all(numbers) else None

    def _span(self, words: str) -> tuple[int, int] | None:
        """From where to where in the order of places the first `KEY` characters of words stand, by halving."""
        numbers = [self._code.get(c, 0) for c in words[:KEY]]
        if not all(numbers):
            return None
        low, high = self._first[numbers[0]], self._first[numbers[0] + 1]
        if len(numbers) == 1:
            return low, high
        asked = "".join(map(_sign, numbers)).encode("utf-16-be")
        size, base, text, places = len(asked), self._at["words"][0], self._map, self._places
        top = high
        while low < high:
            middle = (low + high) // 2
            at = base + 2 * places[middle]
            if text[at : at + size] < asked:
                low = middle + 1
            else:
                high = middle
        first, high = low, top
        while low < high:
            middle = (low + high) // 2
            at = base + 2 * places[middle]
            if text[at : at + size] <= asked:
                low = middle + 1
            else:
                high = middle
        return first, low

    def _odd_one(self, words: str) -> tuple[int, memoryview] | None:
        """The rarest of these characters that are written otherwise than mostly: which it is, and where it stands."""
        best: tuple[int, int, int] | None = None
        for spot, character in enumerate(words):
            code = self._found_code[character]
            low, high = self._odd_first[code], self._odd_first[code + 1]
            if low < high and (best is None or high - low < best[2] - best[1]):
                best = spot, low, high
        return best and (best[0], self._odd[best[1] : best[2]])

    def _few(self, low: int, high: int, asked: bytes) -> list[int]:
        found = sorted(self._places[low:high])
        if len(asked) > 2 * KEY:
            base, size, text = self._at["words"][0], len(asked), self._map
            found = [at for at in found if text[base + 2 * at : base + 2 * at + size] == asked]
        return found

    def _many(self, section: str, span: tuple[int, int], asked: bytes, ranges: Ranges | None) -> Iterator[int]:
        """Look from the beginning; where nothing is for long, ask the order of places where to go on."""
        length, jumps = len(asked) // 2, 0
        for start, end in ((0, self.size),) if ranges is None else ranges:
            at = start
            while at < end:
                # What is frequent stands close by, mostly. What jumps do not bring nearer is looked for to the end.
                stop = min(at + _WINDOW + length, end) if jumps < _JUMPS else end
                within = next(self._scan(section, asked, at, stop), None)
                if within is not None:
                    yield within
                    at = within + 1
                    continue
                if stop == end:
                    break
                if span[1] - span[0] <= _SOME:
                    ordered = self._after(*span, stop - length + 1)
                    held = (each for each in ordered if self._stands(section, each, asked))
                    yield from self.within(held, ranges)
                    return
                after = self._next(*span, stop - length + 1)
                jumps += 1
                if after is None:
                    return
                at = after

    def _next(self, low: int, high: int, at: int) -> int | None:
        """The first place of these that is not before a position."""
        places = self._column(low, high)
        found = places.filter(places >= at).min()
        return found if isinstance(found, int) else None

    def _after(self, low: int, high: int, at: int) -> list[int]:
        """All places of these that are not before a position, in order."""
        places = self._column(low, high)
        return places.filter(places >= at).sort().to_list()

    def _column(self, low: int, high: int) -> Series:
        import polars as pl

        packed, kind = bytes(self._places[low:high].cast("B")), pl.Array(pl.UInt32, high - low)
        return pl.Series([packed]).bin.reinterpret(dtype=kind, endianness=sys.byteorder).explode()

    def _stands(self, section: str, position: int, asked: bytes) -> bool:
        at = self._at[section][0] + 2 * position
        return self._map[at : at + len(asked)] == asked

    def _scan(self, section: str, asked: bytes, start: int, end: int) -> Iterator[int]:
        """Every position of these bytes between two, in order."""
        base = self._at[section][0]
        at, stop = base + 2 * start, base + 2 * end
        while (at := self._map.find(asked, at, stop)) >= 0:
            if (at - base) % 2:
                at += 1  # half of one character and half of the next
            else:
                yield (at - base) // 2
                at += 2

    @staticmethod
    def within(found: Iterable[int], ranges: Ranges | None) -> Iterator[int]:
        """Those of some positions that lie in these ranges (all, if None)."""
        if ranges is None:
            yield from found
            return
        starts = [start for start, _ in ranges]
        for at in found:
            spot = bisect_right(starts, at) - 1
            if spot >= 0 and at < ranges[spot][1]:
                yield at


_UNIT = ("start", "layer", "source", "at", "speaker", "remark")


def _sign(number: int) -> str:
    """The character that stands for a number: surrogates are passed over, for two bytes cannot write them."""
    return chr(number if number < _SKIPPED.start else number + len(_SKIPPED))


def _tables(units: Sequence[Unit], names: list[str], speakers: dict[str, int]) -> tuple[dict[str, bytes], list[_Block]]:
    """The arrays that tell for a position which unit and offset it has."""
    columns: dict[str, array[int]] = {name: array("I") for name in (*_UNIT, "run_start", "run_offset")}
    number = {name: i for i, name in enumerate(names)}
    blocks: list[_Block] = []
    at = 0
    for i, unit in enumerate(units):
        source = number[unit.name]
        start = at
        row = (start, unit.layer, source, unit.at, speakers[unit.speaker], unit.remark + 1)
        for name, value in zip(_UNIT, row, strict=True):
            columns[name].append(value)
        columns["run_start"].extend([at + each for each in unit.starts])
        columns["run_offset"].extend(unit.offsets)
        at += len(unit.words) + 1
        if blocks and (blocks[-1].layer, blocks[-1].source) == (unit.layer, source):
            blocks[-1] = msgspec.structs.replace(blocks[-1], end=at, last=i + 1)
        else:
            blocks.append(_Block(unit.layer, source, start, at, i, i + 1))
    return {name: column.tobytes() for name, column in columns.items()}, blocks


def _odd(raw: str, alphabet: str, table: Mapping[str, str]) -> tuple[bytes, bytes]:
    """Where characters stand that are mostly written otherwise (賔 among many 賓), one after another.

    What is frequent is found by looking for it, and what is rare by the order of places; but of the frequent what is
    written in a rare shape would be found by neither. Shapes that are themselves frequent are left out.
    """
    counts = Counter(raw)
    most: dict[str, str] = {}
    for character in alphabet:
        plain = table[character]
        if counts[character] > counts.get(most.get(plain, ""), 0):
            most[plain] = character
    odd = [c for c in alphabet if most.get(table[c], c) != c and 0 < counts[c] <= _ODD]
    where: dict[str, array[int]] = {c: array("I") for c in odd}
    for match in re.finditer(f"[{''.join(map(re.escape, odd))}]", raw) if odd else ():
        where[match[0]].append(match.start())
    places, first = array("I"), array("I", [0])
    for character in alphabet:
        places.extend(where.get(character, ()))
        first.append(len(places))
    return places.tobytes(), first.tobytes()


def _sorted(words: bytes, letters: int) -> tuple[bytes, bytes]:
    """All places but zeros in the order of the `KEY` characters that stand there, and where each character begins."""
    import polars as pl

    size = len(words) // 2
    codes = pl.Series([words]).bin.reinterpret(dtype=pl.Array(pl.UInt16, size), endianness="big").explode()
    code = codes.cast(pl.UInt64)
    frame = pl.DataFrame({"code": code})
    four = sum(
        (pl.col("code").shift(-i, fill_value=0) * (1 << 16 * (3 - i)) for i in range(1, 4)), pl.col("code") * (1 << 48)
    )
    frame = frame.select("code", four.alias("four")).with_columns(pl.col("four").shift(-4, fill_value=0).alias("next"))
    frame = frame.with_row_index("place").filter(pl.col("code") > 0).sort("four", "next", "place")
    places = array("I", frame["place"].to_list())
    counted = dict(frame.group_by("code").len().iter_rows())
    first = array("I", [0])
    for i in range(letters):
        number = ord(_sign(i))
        first.append(first[-1] + (counted.get(number, 0)))
    return places.tobytes(), first.tobytes()


def _joined(ranges: Iterator[tuple[int, int]]) -> Ranges:
    """Join ranges that meet."""
    found: list[tuple[int, int]] = []
    for start, end in ranges:
        if found and found[-1][1] == start:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found
