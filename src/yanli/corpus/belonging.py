"""Says to which rites the remarks of a text belong, where rites share whole sentences.

Comes in: a `Text` and the clauses of several rites. Goes out: for each rite the anchors that are about it. Two rites of
drinking agree word for word over long stretches, so that any remark finds words in either; it belongs to a rite only if
the canon about it, far and wide, is that rite's own. A text that quotes single sentences (a topical encyclopaedia), and
a rite of few sentences, are judged by the words directly before the remark, and how far they go on behind it.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from typing import TYPE_CHECKING

import msgspec

from yanli.corpus.anchor import anchor, ground
from yanli.corpus.anchor_place import places
from yanli.corpus.anchor_words import fold_words
from yanli.corpus.model import Anchor, Layer, Text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Clauses = Sequence[tuple[str, str]]

_WIDE = 1200  # so many characters of canon about a remark are looked at: rites agree over shorter stretches
_OWN = 0.95  # so great a part of them is of the rite to which it belongs
_ALIKE = 0.02  # a rite that has so much less of them than another is not meant
_SMALL = 600  # a rite of fewer characters has no far and wide
_RUN = 16  # so many characters in a row, the last before a remark among them, are no formula
_TOPICAL = 0.4  # a text of which no rite has so great a part quotes single sentences
_LEMMATA = 0.9  # a text without canon belongs to the rite where its lemmata are found best; within this, to two


class _Tried(msgspec.Struct, frozen=True):
    """The canon of a text beside one rite: the place in the rite of each character, and how many have one before each.

    ``small``: the rite has no far and wide.
    """

    where: tuple[int, ...]
    sums: tuple[int, ...]
    small: bool

    def share(self, start: int = 0, end: int | None = None) -> float:
        """Give the part of a stretch of the canon (all of it) that the rite has."""
        end = len(self.where) if end is None else min(end, len(self.where))
        return (self.sums[end] - self.sums[start]) / (end - start) if end > start else 0.0

    def about(self, stop: int) -> float:
        """Give how much of the canon before a remark, about it or behind it is the rite's, which may end there."""
        furthest = max(0, len(self.where) - _WIDE)
        starts = (min(max(0, start), furthest) for start in (stop - _WIDE, stop - _WIDE // 2, stop))
        return max(self.share(start, start + _WIDE) for start in starts)

    def runs(self, stop: int) -> bool:
        """Tell whether the words right before a remark stand in the rite one behind another, with those behind it."""
        if not 0 < stop <= len(self.where) or self.where[stop - 1] < 0:
            return False
        last = self.where[stop - 1]
        start = end = stop - 1
        while start > 0 and stop - start < _RUN and self.where[start - 1] == last - (stop - start):
            start -= 1
        while end + 1 < len(self.where) and end + 1 - start < _RUN and self.where[end + 1] == last + end + 2 - stop:
            end += 1
        return end + 1 - start >= _RUN


def belonging(text: Text, rites: Mapping[str, Clauses]) -> dict[str, tuple[Anchor, ...]]:
    """Give the anchors of a text's remarks for each of the rites (name → ids and words of its clauses).

    A rite to which none belongs is not named.
    """
    if not text.remarks:
        return {}
    canon = fold_words(text.layer(Layer.canon))
    tried = {rite: _try(canon.text, ground(clauses).words) for rite, clauses in rites.items()}
    after = {remark.number: bisect_left(canon.offsets, remark.after) for remark in text.remarks}
    large = [each for each in tried.values() if not each.small]
    most = {number: max((each.about(stop) for each in large), default=0.0) for number, stop in after.items()}
    topical = not any(each.share() >= _TOPICAL for each in large)
    found: dict[str, tuple[Anchor, ...]] = {}
    pointed: dict[str, tuple[Anchor, ...]] = {}
    lemmata = any(remark.lemma for remark in text.remarks)
    for rite, each in tried.items():
        near = each.small or topical
        kept = {
            number
            for number, stop in after.items()
            if (near and each.runs(stop)) or each.about(stop) >= max(_OWN, most[number] - _ALIKE)
        }
        # To anchor costs more than to see that nothing is to be anchored.
        if not kept and (not lemmata or each.share() >= _OWN):
            continue
        anchors = anchor(text, rites[rite])
        if any(a.how == "lemma" for a in anchors) and each.share() < _OWN:
            pointed[rite] = anchors
        elif own := tuple(a for a in anchors if a.remark in kept):
            found[rite] = own
    weights = {rite: sum(a.confidence for a in anchors if a.how == "lemma") for rite, anchors in pointed.items()}
    best = max(weights.values(), default=0.0)
    return found | {rite: anchors for rite, anchors in pointed.items() if weights[rite] >= best * _LEMMATA}


def _try(canon: str, words: str) -> _Tried:
    """Set the canon of a text beside the words of a rite."""
    where = tuple(places(canon, words)) if canon else ()
    sums = tuple(accumulate((place >= 0 for place in where), initial=0))
    return _Tried(where, sums, len(words) < _SMALL)
