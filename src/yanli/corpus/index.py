"""What search looks in: all words of all works, every place of them in order.

Comes in: files that `indexing` wrote. Goes out: *segments*, of about sixteen million characters, that are looked into
without being read (mapped into memory). A segment has its words twice, as found and folded, each character as a number
of two bytes; the places of all its words in the order of the eight characters that stand there, so that all places of
any words lie together and are found by halving; and the places of each character as it is written, in order.

Words are in the order in which hits are given: by layer, work, place. Parts of a remark that line or page ends cut are
joined, canon that notes cut too; a zero stands between what does not belong together.
"""

from __future__ import annotations

import mmap
import os
import struct
import sys
from bisect import bisect_right
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

import msgspec

from yanli.corpus.spelling import folds

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from yanli.corpus.spelling import FoldTable

    Column = npt.NDArray[Any]
    Ranges = tuple[Column, Column]

VERSION = 4
MAGIC = b"yanliseg"
SEGMENT = 16 << 20
"""Characters that a segment has about."""
KEY = 8
"""So many characters decide the order of places."""
_FEW = 256
"""So many places are looked at one by one; more as columns, and only of the layers that are asked for."""
_CHUNK = 1024
_UNIT = ("start", "layer", "source", "at", "speaker", "remark")


class Source(msgspec.Struct, frozen=True):
    """A text, or of a long one the ``part`` (from 0) of ``parts``, that a segment has; ``reading`` as in the store."""

    name: str
    reading: str
    part: int = 0
    parts: int = 1


class Block(msgspec.Struct, frozen=True, array_like=True):
    """All of one layer of one work: its words (characters of the segment) and its units, ends not included.

    ``first`` is where the first of them begins in the text: its unit, and its first word.
    """

    layer: int
    source: int
    start: int
    end: int
    first_unit: int
    last_unit: int
    first: tuple[int, int]


class Head(msgspec.Struct, frozen=True):
    """What stands first in a segment's file; ``sections`` are (where, how long) in bytes from the end of the head."""

    sources: tuple[Source, ...]
    speakers: tuple[str, ...]
    found: str
    folded: str
    blocks: tuple[Block, ...]
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


@cache
def edition() -> int:
    """Give the number of the format and of the folding: words that were folded otherwise are not found."""
    return edition_of(folds())


def edition_of(table: FoldTable) -> int:
    """Give the number of the format with this table of variants, in 32 bits."""
    return crc32(msgspec.json.encode(table, order="sorted"), VERSION)


class Segment:
    """A segment's file, mapped. Raises ValueError when it is no such file; close it when done."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size < len(MAGIC) + 8:
                raise ValueError(f"{path} is no segment of the index")
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        version, length = struct.unpack("=II", self._map[8:16])
        if self._map[:8] != MAGIC or version != edition():
            self._map.close()
            raise ValueError(f"{path} is no segment of version {VERSION} of the index, or of another folding")
        head = msgspec.msgpack.decode(self._map[16 : 16 + length], type=Head)
        start = 16 + length + -length % 8
        self.sources = head.sources
        self.speakers = head.speakers
        self.blocks = head.blocks
        self.alphabet = head.found
        self._sections = {name: (start + at, size) for name, (at, size) in head.sections.items()}
        if max(at + size for at, size in self._sections.values()) > len(self._map):
            self._map.close()
            raise ValueError(f"{path} is cut short")
        self._found_code = {c: i for i, c in enumerate(head.found)}
        self._code = {c: i for i, c in enumerate(head.folded)}
        self._words_at = self._sections["words"][0]
        # What is halved is seen as memory, where one number is had sooner than of a column.
        self._view = memoryview(self._map)
        self._unit = {name: self._memory(name) for name in _UNIT}
        self._run_start, self._run_offset = self._memory("run_start"), self._memory("run_offset")
        self._first, self._posted, self._places = map(self._memory, ("first", "posted", "places"))
        self._ranges: dict[object, Ranges] = {}

    def close(self) -> None:
        """Let go of the file, as soon as nobody holds a column of it."""
        self._ranges.clear()
        for name in ("as_found", "as_folded", "places", "postings"):
            self.__dict__.pop(name, None)
        views = (self._run_start, self._run_offset, self._first, self._posted, self._places, *self._unit.values())
        for view in (*views, self._view):
            with suppress(BufferError):
                view.release()
        with suppress(BufferError):
            self._map.close()

    @property
    def size(self) -> int:
        """How many characters it has, zeros included."""
        return self._sections["words"][1] // 2

    @cached_property
    def layers(self) -> dict[int, tuple[int, int, Place]]:
        """From where to where each layer goes, and a place that none of its places comes before."""
        found: dict[int, tuple[int, int, Place]] = {}
        for block in self.blocks:
            least = Place(block.layer, self.sources[block.source].name, *block.first, block.start)
            start, _, place = found.get(block.layer, (block.start, 0, least))
            found[block.layer] = start, block.end, place
        return found

    def count(self, words: str) -> int:
        """How often folded words stand here (up to `KEY` characters; of longer ones, how often these begin)."""
        low, high = self._span(words)
        return high - low

    def look(self, words: str, plain: str, ranges: Ranges | None) -> Matches:
        """Look for words (``plain``: folded), only within ``ranges`` if there are any."""
        return Matches(self, words, plain, self._span(plain), ranges)

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
        speaker, remark = self.speakers[self._unit["speaker"][number]], self._unit["remark"][number] - 1
        return name, speaker, remark, start[number], end - 1

    def offset(self, position: int) -> int:
        """The offset in its text of the character at a position."""
        run = bisect_right(self._run_start, position) - 1
        return int(self._run_offset[run] + position - self._run_start[run])

    def words(self, start: int, end: int) -> str:
        """The words as found from one position to another."""
        if end - start > _CHUNK:
            return str(self._alphabet[self.as_found[start:end]].tobytes(), f"utf-32-{sys.byteorder[0]}e")
        at = self._sections["found"][0]
        letters = memoryview(self._map[at + 2 * start : at + 2 * end]).cast("H")
        return "".join([self.alphabet[letter] for letter in letters])

    @cached_property
    def _alphabet(self) -> Column:
        """The code point of each number."""
        import numpy as np

        return np.fromiter(map(ord, self.alphabet), np.uint32, len(self.alphabet))

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
            self._ranges[key] = self._chosen(layers, works, speaker, remarks)
        return self._ranges[key]

    def _chosen(
        self,
        layers: frozenset[int] | None,
        works: frozenset[str] | None,
        speaker: str | None,
        remarks: frozenset[tuple[str, int]] | None,
    ) -> Ranges:
        import numpy as np

        unit = {name: self.column(name) for name in _UNIT}
        chosen = np.ones(len(unit["start"]), np.bool_)
        if layers is not None:
            chosen &= np.isin(unit["layer"], list(layers))
        if works is not None:
            chosen &= np.isin(unit["source"], [i for i, source in enumerate(self.sources) if source.name in works])
        if speaker is not None:
            chosen &= unit["speaker"] == (self.speakers.index(speaker) if speaker in self.speakers else len(chosen) + 1)
        if remarks is not None:
            number = {source.name: i for i, source in enumerate(self.sources)}
            wanted = [(number[name] << 32) + remark + 1 for name, remark in remarks if name in number]
            chosen &= np.isin((unit["source"].astype(np.int64) << 32) + unit["remark"], wanted)
        edges = np.diff(chosen.astype(np.int8), prepend=0, append=0)
        starts = np.append(unit["start"], np.uint32(self.size)).astype(np.uint32)
        return starts[edges == 1], starts[edges == -1]

    def column(self, name: str) -> Column:
        """A section of the file as a column."""
        import numpy as np

        kind = np.dtype({"found": "u2", "words": ">u2", "shapes": "u2"}.get(name, "u4"))
        at, size = self._sections[name]
        return np.frombuffer(self._map, kind, size // kind.itemsize, at)

    @cached_property
    def as_found(self) -> Column:
        """The number of each character as found."""
        return self.column("found")

    @cached_property
    def as_folded(self) -> Column:
        """The number of each character as folded."""
        return self.column("words")

    @cached_property
    def places(self) -> Column:
        """Every place of a word, in the order of what stands there."""
        return self.column("places")

    @cached_property
    def postings(self) -> Column:
        """Every place of each character as it is written."""
        return self.column("postings")

    @cached_property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        """For each folded character all that are found of it."""
        several: list[list[int]] = [[] for _ in self._code]
        for letter, plain in enumerate(self.column("shapes").tolist()):
            several[plain].append(letter)
        return tuple(map(tuple, several))

    def letters(self, words: str) -> list[int] | None:
        """The numbers of characters as found; None when one of them is nowhere in it."""
        numbers = [self._found_code.get(c, 0) for c in words]
        return numbers if all(numbers) else None

    def plain(self, words: str) -> list[int] | None:
        """The numbers of folded characters; None when one of them is nowhere in it."""
        numbers = [self._code.get(c, 0) for c in words]
        return numbers if all(numbers) else None

    def posted(self, letter: int) -> Column:
        """Every place of a character as it is written, in order."""
        return self.postings[self._posted[letter] : self._posted[letter + 1]]

    def in_order(self, low: int, high: int) -> list[int]:
        """Places that are together in the order of words, in the order of places."""
        return sorted(self._places[low:high])

    def _memory(self, name: str) -> memoryview:
        at, size = self._sections[name]
        return self._view[at : at + size].cast("I")

    def _span(self, words: str) -> tuple[int, int]:
        """From where to where in the order of places the first `KEY` characters of words stand, by halving."""
        numbers = self.plain(words[:KEY])
        if numbers is None or (len(words) > KEY and self.plain(words[KEY:]) is None):
            return 0, 0
        low, high = self._first[numbers[0]], self._first[numbers[0] + 1]
        if len(numbers) == 1:
            return low, high
        asked = struct.pack(f">{len(numbers)}H", *numbers)
        size, base, text, places = len(asked), self._words_at, self._map, self._places
        top = high
        while low < high:
            middle = (low + high) // 2
            at = base + 2 * places[middle]
            if text[at : at + size] < asked:
                low = middle + 1
            else:
                high = middle
        first, high = low, top
        step = 1
        # Mostly only few are the same: look from the first on in growing steps before halving.
        while low + step < top and self._begins(places[low + step], asked):
            low += step
            step *= 2
        high = min(low + step, top)
        while low < high:
            middle = (low + high) // 2
            at = base + 2 * places[middle]
            if text[at : at + size] <= asked:
                low = middle + 1
            else:
                high = middle
        return first, low

    def _begins(self, position: int, asked: bytes) -> bool:
        at = self._words_at + 2 * position
        return self._map[at : at + len(asked)] == asked

    def is_folded(self, position: int, asked: bytes) -> bool:
        """Tell whether these folded characters (two bytes each, the higher first) stand there."""
        return self._begins(position, asked)

    def is_found(self, position: int, asked: bytes) -> bool:
        """Tell whether just these characters (two bytes each, as this machine has them) stand there."""
        at = self._sections["found"][0] + 2 * position
        return self._map[at : at + len(asked)] == asked


class Matches:
    """All places of words in a segment, looked at only as far as somebody asks; within ``ranges`` if there are any."""

    def __init__(self, segment: Segment, words: str, plain: str, span: tuple[int, int], ranges: Ranges | None) -> None:
        self._segment = segment
        self._words = words
        self._plain = plain
        self._span = span
        self._ranges = ranges
        self._letters = segment.letters(words)
        self._every: dict[int, Column] = {}

    @property
    def many(self) -> int:
        """How many there are at most."""
        return self._span[1] - self._span[0]

    @property
    def few(self) -> bool:
        """Tell whether they are looked at all at once."""
        return self.many <= _FEW

    @cached_property
    def both(self) -> tuple[list[int], list[int]]:
        """Of few places: those written as asked, and the others, each in order."""
        segment, (low, high) = self._segment, self._span
        if low == high:
            return [], []
        found = segment.in_order(low, high)
        if len(self._plain) > KEY and found:
            numbers = segment.plain(self._plain)
            asked = struct.pack(f">{len(self._plain)}H", *numbers) if numbers else b""
            found = [at for at in found if segment.is_folded(at, asked)]
        if self._ranges is not None and found:
            starts, ends = self._ranges
            spots = starts.searchsorted(found, "right") - 1
            found = [at for at, spot in zip(found, spots.tolist(), strict=True) if spot >= 0 and at < ends[spot]]
        if self._letters is None:
            return [], found
        asked = struct.pack(f"={len(self._letters)}H", *self._letters)
        exact = [at for at in found if segment.is_found(at, asked)]
        if len(exact) == len(found):
            return exact, []
        held = set(exact)
        return exact, [at for at in found if at not in held]

    @property
    def exact(self) -> bool:
        """Tell whether any of them can be written as asked."""
        return self._letters is not None

    def asked(self) -> Column:
        """Everywhere, in order, where the words stand as they are asked for."""
        import numpy as np

        if self.few:
            return np.array(self.both[0], np.uint32)
        if len(self._words) > 1:
            return np.concatenate([self._as_asked(layer) for layer in self._segment.layers])
        return self._segment.posted(self._letters[0]) if self._letters else np.zeros(0, np.uint32)

    def of_layer(self, layer: int, *, exact: bool) -> Iterator[int]:
        """Of many places those of a layer, in order: those written as asked, or the others."""
        if len(self._words) == 1:
            places = self._one(layer, exact=exact)
        else:
            places = self._as_asked(layer) if exact else self._others(layer)
        for at in range(0, len(places), _CHUNK):
            yield from self._within(places[at : at + _CHUNK]).tolist()

    def _one(self, layer: int, *, exact: bool) -> Column:
        """The places of a single character."""
        import numpy as np

        start, end, _ = self._segment.layers[layer]
        (plain,) = self._segment.plain(self._plain) or (0,)
        every: list[Column] = []
        for letter in self._segment.shapes[plain]:
            if (self._letters == [letter]) == exact:
                posted = self._segment.posted(letter)
                low, high = posted.searchsorted((start, end))
                every.append(self._narrow(posted[low:high]))
        return every[0] if len(every) == 1 else np.sort(np.concatenate([np.zeros(0, np.uint32), *every]))

    def _narrow(self, places: Column) -> Column:
        """Of places in order those within the ranges, where the ranges are fewer than the places."""
        if self._ranges is None or len(self._ranges[0]) * 8 > len(places):
            return places
        import numpy as np

        low, high = (places.searchsorted(edge) for edge in self._ranges)
        many = high - low
        within: Column = places[np.repeat(low - np.cumsum(many) + many, many) + np.arange(many.sum())]
        return within

    def _as_asked(self, layer: int) -> Column:
        """The places of more than one character that are written as asked."""
        segment, letters = self._segment, self._letters
        if letters is None:
            return segment.places[:0]
        rarest = min(range(len(letters)), key=lambda spot: len(segment.posted(letters[spot])))
        posted = segment.posted(letters[rarest])
        if len(posted) * 4 > self.many:
            every = self._all(layer)
            exact: Column = every[self._written(every)]
            return exact
        # One of them is mostly written otherwise: where it stands, the others may stand beside it.
        start, end, _ = segment.layers[layer]
        low, high = posted.searchsorted((start + rarest, max(end + rarest - len(letters) + 1, start + rarest)))
        found: Column = posted[low:high] - posted.dtype.type(rarest)
        for spot, letter in enumerate(letters):
            found = found[segment.as_found[found + found.dtype.type(spot)] == letter]
        return found

    def _others(self, layer: int) -> Column:
        """The places of more than one character that are written otherwise."""
        every = self._all(layer)
        others: Column = every if self._letters is None else every[~self._written(every)]
        return others

    def _all(self, layer: int) -> Column:
        """The places of more than one character in a layer, in order: of the first by itself, then of all the rest."""
        import numpy as np

        if layer not in self._every:
            segment, (low, high) = self._segment, self._span
            start, end, _ = segment.layers[layer]
            found = segment.places[low:high]
            if not self._every:
                self._every[layer] = self._whole(found[(found >= start) & (found < end)])
            else:
                found = self._whole(found)
                for other, (start, end, _) in segment.layers.items():
                    first, last = np.searchsorted(found, (start, end))
                    self._every[other] = found[first:last]
        return self._every[layer]

    def _whole(self, found: Column) -> Column:
        """Those of some places where all of the words stand, in order."""
        import numpy as np

        segment = self._segment
        for spot, number in enumerate(segment.plain(self._plain) or ()):
            if spot >= KEY:
                found = found[found < segment.size - spot]
                found = found[segment.as_folded[found + found.dtype.type(spot)] == number]
        return np.sort(found)

    def _written(self, places: Column) -> Column:
        """Tell of each place whether the words are written as asked there."""
        import numpy as np

        segment = self._segment
        exact: Column = np.ones(len(places), np.bool_)
        for spot, (letter, plain) in enumerate(zip(self._letters or (), segment.plain(self._plain) or (), strict=True)):
            if len(segment.shapes[plain]) > 1:
                exact &= segment.as_found[places + places.dtype.type(spot)] == letter
        return exact

    def _within(self, places: Column) -> Column:
        if self._ranges is None:
            return places
        starts, ends = self._ranges
        if not len(starts):
            return places[:0]
        spots = starts.searchsorted(places, "right").astype("int64") - 1
        within: Column = places[(spots >= 0) & (places < ends[spots])]
        return within
