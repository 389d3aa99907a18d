"""Reads a text again with emendations made in it, and knows its remarks and places again in the text as found.

Comes in: a `Text` and proposals for it. Goes out: the text with those that were accepted, taken in anew, for damage
also hides where one remark ends and the next begins; with the way back: which remark of the text as found each one is,
and which emendations are in it. Nothing of the text as found is changed.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import msgspec

from yanli.corpus.emendation import emended, readable
from yanli.corpus.repair import repair
from yanli.corpus.segment import read_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yanli.corpus.model import Proposal, Remark, Text


class Reread:
    """A text with emendations in it (``text``), and the way back to the text as found (``source``)."""

    def __init__(self, source: Text, proposals: Iterable[Proposal]) -> None:
        """Read ``source`` with what was accepted of ``proposals`` and overlaps with nothing else that was.

        Raises RiteError as `emended` does.
        """
        self.source = source
        self.taken = sorted(readable(proposals), key=lambda each: (each.start, each.end))
        words = emended(source.text, self.taken)
        self.text = read_words(words, source.name, family=source.family, encoding=source.encoding)
        self._starts: list[int] = []
        shift = 0
        for each in self.taken:
            self._starts.append(each.start + shift)
            shift += len(each.emended) - (each.end - each.start)

    def place(self, offset: int) -> int:
        """Give where a character of the new text stood in the text as found: for one put in, where that begins."""
        at = bisect_right(self._starts, offset) - 1
        # Of what was put in or taken out at one place the last is the nearest; only words put in hold a character.
        if at < 0:
            return offset
        each, start = self.taken[at], self._starts[at]
        if offset < start + len(each.emended):
            return each.start
        return each.end + offset - start - len(each.emended)

    @cached_property
    def _owners(self) -> list[tuple[int, int, int]]:
        """Start, end and number of every part of the remarks as found, in order."""
        return sorted((start, end, one.number) for one in self.source.remarks for start, end in one.spans)

    def found(self, remark: Remark) -> int | None:
        """Give the number of the remark as found in which most of a remark of the new text stood; None if none did."""
        held: Counter[int] = Counter()
        for start, end in self.stood(remark):
            first = max(0, bisect_left(self._owners, (start, 0, 0)) - 1)
            for begun, stop, number in self._owners[first:]:
                if begun >= end:
                    break
                held[number] += max(0, min(stop, end) - max(begun, start))
        return held.most_common(1)[0][0] if +held else None

    def ways(self) -> dict[int, int]:
        """Give for every remark as found the number of that of the new text which has most of it."""
        held: dict[int, tuple[int, int]] = {}
        for remark in self.text.remarks:
            number = self.found(remark)
            if number is not None:
                held[number] = max(held.get(number, (0, 0)), (len(remark.text), remark.number))
        return {number: own for number, (_, own) in held.items()}

    def of(self, remark: Remark) -> tuple[Proposal, ...]:
        """Give the emendations that are in a remark of the new text."""
        number = self.found(remark)
        own = self._parts.get(number, ()) if number is not None else ()
        first = remark.spans[0][0] if remark.spans else 0
        here: dict[int, Proposal] = {}
        for start, end in self.stood(remark):
            for i in range(bisect_left(self.taken, start, key=lambda each: each.end), len(self.taken)):
                each = self.taken[i]
                if each.start > end or (each.start == end and not any(low <= each.start < high for low, high in own)):
                    break
                # What is emended right before it is another's, unless its first words were put in there.
                if each.end > start or each.start > start or (each.emended and self.place(first) == each.start):
                    here[i] = each
        return tuple(here[i] for i in sorted(here))

    @cached_property
    def _parts(self) -> dict[int, tuple[tuple[int, int], ...]]:
        return {one.number: one.spans for one in self.source.remarks}

    def stood(self, remark: Remark) -> list[tuple[int, int]]:
        """Give where the parts of a remark of the new text stood in the text as found."""
        return [(self.place(start), self.place(end - 1) + 1) for start, end in remark.spans if end > start]


def read_again(text: Text, proposals: Iterable[Proposal]) -> Reread | None:
    """Read a text with what was accepted of these proposals; None where there is nothing of them to be read."""
    accepted = readable(proposals)
    return Reread(text, accepted) if accepted else None


@lru_cache(maxsize=2)
def _in_step(text: _Key) -> Reread:
    source = text.text
    # What stays open (□) in them is no word, and is passed over when words are compared.
    made = repair(source.text).proposals
    return Reread(source, (msgspec.structs.replace(each, accepted=True) for each in made))


class _Key:
    """A text by its words, so that it is read again once for all rites."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.key = (text.name, text.family, text.text)

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.key == other.key


def in_step(text: Text) -> Reread | None:
    """Read a text as its bytes were, where runs of it were read one byte out of step; None where none were.

    This is for finding out what its remarks are about; it is never shown.
    """
    if not any(fault.kind == "misread-run" for fault in text.faults):
        return None
    return _in_step(_Key(text))
