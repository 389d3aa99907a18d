"""Follows lemmata that point by first and last words (司射至矢拾) through the words of a rite.

Comes in: numbered lemmata in their order, damaged or not, and the rite's folded words. Goes out: of which words each
speaks. A formula has many places; the right ones are those that rise with the commentary as a whole.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from yanli.corpus.anchor_words import fold_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_SPAN = 260  # so many characters a passage that a lemma names may have
_LENGTH = 60  # so many characters, in a passage or between two, weigh as much as one that agrees
_QUOTED = 0.6  # so much weighs what the remark quotes of a passage, for every three characters together
_MOST = 3.0  # but no more than this
_WITHIN = 0.5
_NEAREST = 3  # of several first words before the same last ones so many are tried, the nearest
_NEXT = 2  # of several last words behind the same first ones so many are tried
_READING = re.compile(r"[（(][^()（）\u3400-\u9fff]*[)）]|[A-Za-z]")  # pinyin in brackets, added by somebody later
_LEAST = 2  # shorter lemmata name nothing by themselves


def follow(
    lemmata: Sequence[tuple[int, str]], base: str, said: Mapping[int, str] | None = None
) -> Iterator[tuple[int, int, int, float]]:
    """Give ``(number, first, last, confidence)`` of every lemma that is found: offsets in ``base``, both included.

    ``said`` are the folded words of the remarks, by number. Of all ways to give the lemmata places that rise, the one
    is taken in which most characters agree, the remarks quote most of their passages, these are short, and little lies
    between them.
    """
    import numpy as np

    # The best that ends with a passage whose last (ended) or first (begun) word stands at each offset, and which it is.
    ended, begun = np.full(len(base) + 1, -np.inf), np.full(len(base) + 1, -np.inf)
    ender, beginner = np.full(len(base) + 1, -1), np.full(len(base) + 1, -1)
    offsets = np.arange(len(base) + 1)
    nodes: list[tuple[int, int, int, float]] = []
    best: list[float] = []
    before: list[int] = []
    for number, lemma in lemmata:
        grams = _grams((said or {}).get(number, ""))
        apart, within = np.maximum.accumulate(ended), np.maximum.accumulate(begun)
        apart_at = np.maximum.accumulate(np.where(ended == apart, offsets, 0))
        within_at = np.maximum.accumulate(np.where(begun == within, offsets, 0))
        fresh = len(nodes)
        for first, last, weight in candidates(lemma, base):
            quoted = min(_MOST, _QUOTED * len(grams & _grams(base[first : last + 1]))) if grams else 0.0
            # What lies between costs; a passage may lie within the one before (a lemma in a longer one), at a price.
            ways = [(0.0, -1), (float(within[first]) - _WITHIN - first / _LENGTH, int(beginner[within_at[first]]))]
            if first:
                ways.append((float(apart[first - 1]) - first / _LENGTH, int(ender[apart_at[first - 1]])))
            score, top = max(ways)
            nodes.append((number, first, last, weight))
            best.append(score + weight + quoted)
            before.append(top)
        for i in range(fresh, len(nodes)):
            _, first, last, _ = nodes[i]
            if best[i] + last / _LENGTH > ended[last]:
                ended[last], ender[last] = best[i] + last / _LENGTH, i
            if best[i] + first / _LENGTH > begun[first]:
                begun[first], beginner[first] = best[i] + first / _LENGTH, i
    chosen: list[int] = []
    at = max(range(len(nodes)), key=best.__getitem__, default=-1)
    while at >= 0:
        chosen.append(at)
        at = before[at]
    for i in reversed(chosen):
        number, first, last, weight = nodes[i]
        yield number, first, last, max(0.3, min(0.95, 0.4 + weight / 10))


def candidates(lemma: str, base: str) -> list[tuple[int, int, float]]:
    """Give every place of ``base`` that a lemma may name, with a weight that grows with the characters that agree."""
    # A note's lemma (注猶有至更也) follows its clause's: its own words are the note's, not the rite's.
    clause = re.split(r"[注註∽]", _READING.sub("", lemma.strip()))[0]
    first, _, last = (fold_words(part).text for part in clause.partition("至"))
    if len(first) < _LEAST and not last:
        return []
    if not last:
        return [(at, at + len(first) - 1, float(len(first))) for at in _all(first, base)]
    ends = _all(last, base)
    starts: dict[int, list[int]] = {}
    for at in _all(first, base):
        i = bisect_left(ends, at + len(first))
        for end in ends[i : i + _NEXT]:
            if end - at <= _SPAN:
                starts.setdefault(end, []).append(at)
    # A single character is what damage has left of the first words: it counts for little.
    agree = len(first) + len(last) if len(first) >= _LEAST else 1
    return [
        (at, end + len(last) - 1, agree - (end - at) / _LENGTH)
        for end, before in starts.items()
        for at in before[-_NEAREST:]
    ]


def _grams(words: str) -> set[str]:
    """Give every three characters of ``words`` that stand together."""
    return {words[i : i + 3] for i in range(len(words) - 2)}


def _all(words: str, base: str) -> list[int]:
    """Give every place of ``words`` in ``base``."""
    found: list[int] = []
    at = base.find(words) if words else -1
    while at >= 0:
        found.append(at)
        at = base.find(words, at + 1)
    return found
