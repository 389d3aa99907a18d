"""Says to which rites the remarks of a text belong, where rites share whole sentences.

Comes in: a `Text` and the clauses of several rites. Goes out: for each rite the anchors that are about it. Two rites of
drinking agree word for word over long stretches, so that any remark finds words in either; it belongs to a rite only if
the canon about it, far and wide, is that rite's own. A text that quotes single sentences (a topical encyclopaedia), and
a rite of few sentences, are judged by the words directly before the remark.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

import msgspec

from yanli.corpus.anchor import anchor, ground
from yanli.corpus.anchor_place import places
from yanli.corpus.anchor_words import fold_words
from yanli.corpus.model import Anchor, Layer, Text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Clauses = Sequence[tuple[str, str]]

_WIDE = 400  # so many characters of canon about a remark are looked at
_OWN = 0.95  # so great a part of them is of the rite to which it belongs
_ALIKE = 0.02  # a rite that has so much less of them than another is not meant
_SMALL = 600  # a rite of fewer characters has no far and wide
_RUN = 16  # so many characters in a row, right before a remark, are no formula
_TOPICAL = 0.4  # a text of which no rite has so great a part quotes single sentences
_LEMMATA = 0.9  # a text without canon belongs to the rite where its lemmata are found best; within this, to two


class _Tried(msgspec.Struct, frozen=True):
    """A text beside one rite: its anchors, and the place in the rite of each character of its canon."""

    anchors: tuple[Anchor, ...]
    where: tuple[int, ...]
    small: bool


def belonging(text: Text, rites: Mapping[str, Clauses]) -> dict[str, tuple[Anchor, ...]]:
    """Give the anchors of a text's remarks for each of the rites (name → ids and words of its clauses).

    A rite to which none belongs is not named.
    """
    canon = fold_words(text.layer(Layer.canon))
    tried: dict[str, _Tried] = {}
    for rite, clauses in rites.items():
        if anchors := anchor(text, clauses):
            words = ground(clauses).words
            where = tuple(places(canon.text, words)) if canon.text else ()
            tried[rite] = _Tried(anchors, where, len(words) < _SMALL)
    after = {remark.number: bisect_left(canon.offsets, remark.after) for remark in text.remarks}
    topical = not any(_share(each.where) >= _TOPICAL for each in tried.values() if not each.small)
    found: dict[str, tuple[Anchor, ...]] = {}
    weights = {rite: sum(a.confidence for a in each.anchors if a.how == "lemma") for rite, each in tried.items()}
    best = max(weights.values(), default=0.0)
    most: dict[int, float] = {}
    for each in tried.values():
        for a in () if each.small else each.anchors:
            most[a.remark] = max(most.get(a.remark, 0.0), _about(each.where, after[a.remark]))

    def own(each: _Tried, a: Anchor) -> bool:
        return _about(each.where, after[a.remark]) >= max(_OWN, most.get(a.remark, 0.0) - _ALIKE)

    for rite, each in tried.items():
        if any(a.how == "lemma" for a in each.anchors) and _share(each.where) < _OWN:
            kept = each.anchors if weights[rite] >= best * _LEMMATA else ()
        else:
            near = each.small or topical
            kept = tuple(a for a in each.anchors if (near and _runs(each.where, after[a.remark])) or own(each, a))
        if kept:
            found[rite] = kept
    return found


def _share(where: Sequence[int]) -> float:
    """Give the part of a stretch of canon that the rite has."""
    return sum(place >= 0 for place in where) / len(where) if where else 0.0


def _about(where: Sequence[int], stop: int) -> float:
    """Give how much of the canon before a remark, about it or behind it is the rite's: it may begin or end there."""
    starts = (stop - _WIDE, stop - _WIDE // 2, stop)
    furthest = max(0, len(where) - _WIDE)
    return max(_share(where[(start := min(max(0, each), furthest)) : start + _WIDE]) for each in starts)


def _runs(where: Sequence[int], stop: int) -> bool:
    """Tell whether the words right before a remark stand in the rite one behind another."""
    before = where[max(0, stop - _RUN) : stop]
    first = before[0] if len(before) == _RUN else -1
    return first >= 0 and all(place == first + i for i, place in enumerate(before))
