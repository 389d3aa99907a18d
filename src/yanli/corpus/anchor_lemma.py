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
    from collections.abc import Iterator, Sequence

_SPAN = 260  # so many characters a passage that a lemma names may have
_LENGTH = 60  # so many characters in a passage, or twice as many between two, weigh as much as one that agrees
_WITHIN = 0.5
_READING = re.compile(r"[（(][^()（）\u3400-\u9fff]*[)）]|[A-Za-z]")  # pinyin in brackets, added by somebody later
_LEAST = 2  # shorter lemmata name nothing by themselves


def follow(lemmata: Sequence[tuple[int, str]], base: str) -> Iterator[tuple[int, int, int, float]]:
    """Give ``(number, first, last, confidence)`` of every lemma that is found: offsets in ``base``, both included.

    Of all ways to give the lemmata places that rise, the one is taken in which most characters agree, the passages are
    short, and little lies between them.
    """
    nodes: list[tuple[int, int, int, int, float]] = []
    for order, (number, lemma) in enumerate(lemmata):
        nodes += [(order, number, first, last, weight) for first, last, weight in candidates(lemma, base)]
    best: list[float] = []
    before: list[int] = []
    for i, (order, _, first, _last, weight) in enumerate(nodes):
        score, top = 0.0, -1
        for j in range(i):
            if nodes[j][0] >= order or nodes[j][2] > first:
                continue
            # A passage may lie within the one before (a lemma within a longer one), but seldom does.
            apart = first - nodes[j][3]
            here = best[j] - (apart / (2 * _LENGTH) if apart > 0 else _WITHIN)
            if here > score:
                score, top = here, j
        best.append(score + weight)
        before.append(top)
    chosen: list[int] = []
    at = max(range(len(nodes)), key=best.__getitem__, default=-1)
    while at >= 0:
        chosen.append(at)
        at = before[at]
    for i in reversed(chosen):
        _, number, first, last, weight = nodes[i]
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
    found: list[tuple[int, int, float]] = []
    for at in _all(first, base):
        i = bisect_left(ends, at + len(first))
        if i < len(ends) and ends[i] - at <= _SPAN:
            found.append((at, ends[i] + len(last) - 1, len(first) + len(last) - (ends[i] - at) / _LENGTH))
    return found


def _all(words: str, base: str) -> list[int]:
    """Give every place of ``words`` in ``base``."""
    found: list[int] = []
    at = base.find(words) if words else -1
    while at >= 0:
        found.append(at)
        at = base.find(words, at + 1)
    return found
