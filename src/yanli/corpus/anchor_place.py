"""Which words of a rite the canonical words of a copy are, though the copy may hold a part of it, in other order.

Comes in: two folded texts (see `anchor_words`). Goes out: for each character of the first its place in the second, or
-1. Parts are found by words that occur once, so that formulae (北面再拜) never decide anything; what lies between two
such places is set beside one another character by character.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from rapidfuzz.distance import Levenshtein

if TYPE_CHECKING:
    from collections.abc import Iterable

_GRAM = 6  # so many characters together are looked up
_SHORT = 40  # within gaps so short on both sides, single characters are matched too
_CHANCE = 3  # in longer gaps, fewer characters than this match by chance
_STRAY = 12  # a part out of order is sought only where so many characters found no place
_SLACK = 30  # so much further than its own length a part may reach, at an open end


def places(words: str, base: str) -> list[int]:
    """Give for each character of ``words`` the offset in ``base`` of the same word, or -1 where it has none.

    The main order is found first; what stands elsewhere in ``base`` (記 moved, a topical encyclopaedia) after it.
    """
    found = [-1] * len(words)
    where = _once(base)
    own = Counter(words[i : i + _GRAM] for i in range(len(words) - _GRAM + 1))
    seeds = [
        (i, where[gram])
        for i in range(len(words) - _GRAM + 1)
        if (gram := words[i : i + _GRAM]) in where and own[gram] == 1
    ]
    if not seeds and words and base.count(words) == 1:
        # So short a text has no more to go by than that it stands there once.
        return list(range(base.index(words), base.index(words) + len(words)))
    _settle(words, base, _rising(seeds), found, (0, len(words)))
    for start, end in _strays(found):
        moved = [(i, where[gram]) for i in range(start, end - _GRAM + 1) if (gram := words[i : i + _GRAM]) in where]
        _settle(words, base, _rising(moved), found, (start, end))
    return found


@lru_cache(maxsize=32)
def _once(text: str) -> dict[str, int]:
    """Give every gram that occurs once in a text, with its place; of a rite they are counted once for all works."""
    counts = Counter(text[i : i + _GRAM] for i in range(len(text) - _GRAM + 1))
    return {gram: i for i in range(len(text) - _GRAM + 1) if counts[gram := text[i : i + _GRAM]] == 1}


def _rising(seeds: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Give the longest chain of seeds that rises on both sides (patience sorting)."""
    tails: list[int] = []
    tops: list[int] = []
    before: list[int] = []
    listed = list(seeds)
    for number, (_, place) in enumerate(listed):
        pile = bisect_left(tails, place)
        before.append(tops[pile - 1] if pile else -1)
        if pile == len(tails):
            tails.append(place)
            tops.append(number)
        else:
            tails[pile] = place
            tops[pile] = number
    chain: list[tuple[int, int]] = []
    number = tops[-1] if tops else -1
    while number >= 0:
        chain.append(listed[number])
        number = before[number]
    return chain[::-1]


def _settle(words: str, base: str, chain: list[tuple[int, int]], found: list[int], within: tuple[int, int]) -> None:
    """Enter the places of a chain of seeds in ``found``, and of what lies between them and about its ends."""
    if not chain:
        return
    for i, place in chain:
        for step in range(_GRAM):
            if found[i + step] < 0:
                found[i + step] = place + step
    start, end = within
    first, last = chain[0], chain[-1]
    reach = first[0] - start + _SLACK
    _between(words, base, (start, first[0]), (max(0, first[1] - reach), first[1]), found)
    for (i, place), (j, other) in pairwise(chain):
        _between(words, base, (i + _GRAM, j), (place + _GRAM, other), found)
    reach = end - last[0] + _SLACK
    _between(words, base, (last[0] + _GRAM, end), (last[1] + _GRAM, last[1] + _GRAM + reach), found)


def _between(words: str, base: str, own: tuple[int, int], theirs: tuple[int, int], found: list[int]) -> None:
    """Set two gaps beside one another and enter what is equal in them."""
    if own[0] >= own[1] or theirs[0] >= theirs[1]:
        return
    ours, other = words[own[0] : own[1]], base[theirs[0] : theirs[1]]
    least = 1 if len(ours) <= _SHORT and len(other) <= _SHORT else _CHANCE
    for code in Levenshtein.opcodes(ours, other):
        if code.tag == "equal" and code.src_end - code.src_start >= least:
            for step in range(code.src_end - code.src_start):
                if found[own[0] + code.src_start + step] < 0:
                    found[own[0] + code.src_start + step] = theirs[0] + code.dest_start + step


def _strays(found: list[int]) -> list[tuple[int, int]]:
    """Give the stretches, long enough to be a part, that have found no place."""
    parts: list[tuple[int, int]] = []
    start = 0
    for i, place in enumerate([*found, 0]):
        if place >= 0:
            if i - start >= _STRAY:
                parts.append((start, i))
            start = i + 1
    return parts
