"""Sets a modern translation beside the words that it translates.

Comes in: a text whose portions are each followed by a translation (layer 譯). Goes out: for each remark of one the
remark, or the stretch of canon, that it translates. A translation keeps the order of its portion and many of its
characters, and names the same speakers; it is told by these, all of a text at once, so that one that shares little
still lies between those that share much.
"""

from __future__ import annotations

from collections import Counter
from math import fsum, log, sqrt
from typing import TYPE_CHECKING

import msgspec

from yanli.corpus.anchor_words import fold_words
from yanli.corpus.model import Layer, Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_BACK = 90  # so many remarks and stretches of canon back it is looked for what is translated: two portions and more
_SAME, _OTHER = 0.25, -0.15  # the same speaker, another
_LEAST = 0.2  # less likeness than this tells nothing
_HEADS = 400  # so many characters of each are compared


class Original(msgspec.Struct, frozen=True):
    """What may have been translated: a remark by its number, or a stretch of canon from one count of it to another."""

    remark: int | None
    start: int = 0
    end: int = 0


class _Said(msgspec.Struct, frozen=True):
    """What is compared of one remark or stretch of canon: its characters, and who speaks (None: nobody is named)."""

    characters: frozenset[str]
    speaker: str | None


def translated(text: Text) -> dict[int, Original]:
    """Give the original of each remark of a translation (by number); those that are like none are left out."""
    if not any(remark.layer is Layer.translation for remark in text.remarks):
        return {}
    originals: list[Original] = []
    said: list[_Said] = []
    turned: list[tuple[int, int, _Said]] = []  # number of the remark, how many originals come before it, what it says
    for each, words, speaker in _all(text):
        one = _Said(frozenset(fold_words(words[:_HEADS]).text), speaker)
        if each.remark is not None and text.remarks[each.remark].layer is Layer.translation:
            turned.append((each.remark, len(originals), one))
        else:
            originals.append(each)
            said.append(one)
    return {number: originals[at] for number, at in _paired(turned, said)}


def _all(text: Text) -> Iterator[tuple[Original, str, str | None]]:
    """Give the stretches of canon and the remarks of a text in their order, each with its words and its speaker."""
    canon = text.layer(Layer.canon)
    done = 0
    for place, remark in enumerate(text.remarks):
        if remark.after > done:
            yield Original(None, done, remark.after), canon[done : remark.after], None
            done = remark.after
        yield Original(place), remark.text, remark.speaker


def _paired(turned: Sequence[tuple[int, int, _Said]], said: Sequence[_Said]) -> list[tuple[int, int]]:
    """Pair what is translated with what translates it, both in their order, so that they are alike as a whole.

    Several translations may be of one original, and either may stand alone.
    """
    counts = Counter(character for each in (*said, *(one for _, _, one in turned)) for character in each.characters)
    size = len(said) + len(turned)
    weights = {character: log(size / count) for character, count in counts.items()}
    lengths = [sqrt(fsum(weights[character] for character in each.characters)) for each in said]
    # best[o]: the likeness of all so far, the last of them a translation of the original o or of one before it.
    best = [0.0] * len(said)
    came: list[dict[int, float]] = []
    before: list[list[float]] = []
    for _, stop, one in turned:
        own = sqrt(fsum(weights[character] for character in one.characters))
        alike: dict[int, float] = {}
        for at in range(max(0, stop - _BACK), stop):
            likeness = _likeness(one, said[at], weights, own * lengths[at])
            if likeness >= _LEAST:
                alike[at] = likeness
        before.append(best)
        fresh = list(best)
        for at, likeness in alike.items():
            fresh[at] = max(fresh[at], best[at] + likeness)
        for at in range(max(1, stop - _BACK), len(fresh)):
            fresh[at] = max(fresh[at], fresh[at - 1])
        best = fresh
        came.append(alike)
    pairs: list[tuple[int, int]] = []
    at = len(said) - 1
    for (number, _, _), alike, earlier in zip(reversed(turned), reversed(came), reversed(before), strict=True):
        if at < 0:
            break
        chosen = max(
            (place for place in alike if place <= at), key=lambda place: earlier[place] + alike[place], default=None
        )
        if chosen is not None and earlier[chosen] + alike[chosen] > earlier[at]:
            pairs.append((number, chosen))
            at = chosen
    return pairs[::-1]


def _likeness(one: _Said, other: _Said, weights: dict[str, float], length: float) -> float:
    """Say how like two are: what they share of rare characters, from 0 to 1, and whether the same man speaks."""
    if not length:
        return 0.0
    shared = fsum(weights[character] for character in one.characters & other.characters) / length
    if one.speaker is None or other.speaker is None:
        return shared
    return shared + (_SAME if one.speaker == other.speaker else _OTHER)
