"""How far a work reaches in a rite, and what of it cannot be read: whether it can be asked for what is quoted from it.

Comes in: a text with its anchors, the clauses of a rite. Goes out: whether the text has the words about some clauses,
on both sides of them, and how long a stretch there is damaged. What a copy has lost (a leaf, all before its first line)
is not told as words that it never had.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from yanli.corpus.model import DAMAGE
from yanli.corpus.quote import canon_places

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from yanli.corpus.model import Anchor, Fault, FaultKind, Remark, Text

DAMAGED: frozenset[FaultKind] = DAMAGE | {"control"}
"""Faults by which words cannot be read: what differs there is no reading."""
_STEP = 3  # so many clauses apart may the canon of a copy go on where nothing is lost
_STEP_REMARKS = 12  # and so many the remarks of one that has no canon, and says nothing of some


class Damage:
    """The places of a text at which words cannot be read, in order, none overlapping another."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        """Take the places of those faults that spoil words."""
        self.spans: list[tuple[int, int]] = []
        for start, end in sorted((each.start, each.end) for each in faults if each.kind in DAMAGED):
            if self.spans and start <= self.spans[-1][1]:
                self.spans[-1] = self.spans[-1][0], max(end, self.spans[-1][1])
            else:
                self.spans.append((start, end))
        self._ends = [end for _, end in self.spans]

    def within(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Give the damaged places of a range, cut to it."""
        for low, high in self.spans[bisect_right(self._ends, start) :]:
            if low >= end:
                return
            yield max(low, start), min(high, end)

    def of(self, remark: Remark) -> bytes:
        """Give for each character of a remark's words 1 where it is damaged, or touches what is, else 0."""
        marks = bytearray(len(remark.text))
        at = 0
        for start, end in remark.spans:
            # What is damaged right before or behind takes of the remark's own words, too.
            for low, high in self.within(start - 1, end + 1):
                first, stop = max(low, start), min(high, end)
                if first >= stop:
                    first, stop = (start, start + 1) if high <= start else (end - 1, end)
                marks[at + first - start : at + stop - start] = b"\1" * (stop - first)
            at += end - start
        return bytes(marks)


class Covered(NamedTuple):
    """Whether a text has what stands about some clauses, and of how many characters the longest damage there is."""

    whole: bool
    damaged: int


class Reach:
    """Tells of the clauses of a rite whether a text has the words about them."""

    def __init__(self, text: Text, anchors: Sequence[Anchor], rite: str, clauses: Sequence[tuple[str, str]]) -> None:
        """See where a text speaks of which clause of a rite, by its canon, or its remarks where it has none."""
        number = {clause: i for i, (clause, _) in enumerate(clauses)}
        canon: dict[int, int] = {}
        for place in canon_places(text, rite, clauses, least=0.0):
            canon.setdefault(place.number, place.offset)
        spans = {remark.number: remark.spans for remark in text.remarks if remark.spans}
        said: dict[int, int] = {}
        for anchor in anchors:
            if anchor.how != "reference" and anchor.first in number and anchor.remark in spans:
                said.setdefault(number[anchor.first], spans[anchor.remark][0][0])
        points = canon if len(canon) >= len(said) else said
        self._step = _STEP if points is canon else _STEP_REMARKS
        self._numbers = sorted(points)
        self._offsets = [points[each] for each in self._numbers]
        self._last, self._end = len(clauses) - 1, len(text.text)
        # An empty page that stands a second time is not lost.
        again = {fault.told for fault in text.faults if fault.kind == "repeated-page"}
        self._lost = sorted(
            fault.start
            for fault in text.faults
            if fault.kind == "missing-page" or (fault.kind == "empty-page" and fault.told not in again)
        )
        self._damage = Damage(text.faults)

    def about(self, first: int, last: int) -> Covered:
        """Tell it of the clauses ``first`` to ``last``, by their numbers in the rite."""
        low = bisect_right(self._numbers, first) - 1
        high = bisect_right(self._numbers, last)
        ends = high == len(self._numbers)
        if low < 0 or (ends and last < self._last):
            return Covered(whole=False, damaged=0)
        numbers = [*self._numbers[low:high], last if ends else self._numbers[high]]
        offsets = [*self._offsets[low:high], self._end if ends else self._offsets[high]]
        start, end = min(offsets), max(offsets)
        lost = bisect_right(self._lost, end) > bisect_right(self._lost, start)
        apart = max(b - a for a, b in pairwise(numbers))
        damaged = max((b - a for a, b in self._damage.within(start, end)), default=0)
        return Covered(whole=not lost and apart <= self._step, damaged=damaged)
