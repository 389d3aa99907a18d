"""Words as addresses: a quotation from the canonical text names the clauses that it touches.

Comes in: a rite and words, however they are spelt or punctuated. Goes out: clauses, or a RiteError with the nearest.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from typing import TYPE_CHECKING

from yanli.corpus.folding import fold_search
from yanli.corpus.spelling import find, fold
from yanli.errors import Finding, RiteError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yanli.notation.model import Clause, Rite


def find_words(rite: Rite, words: str, nth: int = 1) -> tuple[Clause, ...]:
    """The clauses that the words touch, at the nth place where they stand; they may run over several clauses."""
    places = places_of_words(rite, words)
    if not places:
        cause = f"{rite.name} has no words {words}" if fold(words).text else "no words are given"
        raise RiteError(Finding(code="unknown-words", cause=cause, nearest=nearest_clauses(rite, words)))
    if not 1 <= nth <= len(places):
        cause = f"the words {words} stand {len(places)} times in {rite.name}; asked for number {nth}"
        raise RiteError(Finding(code="unknown-words", cause=cause))
    start, end = places[nth - 1]
    return tuple(rite.clauses[clause_at(rite.clauses, start) : clause_at(rite.clauses, end - 1) + 1])


def places_of_words(rite: Rite, words: str) -> list[tuple[int, int]]:
    """Where words stand in the canonical text (from, to), in order; in simplified script too. Empty if nowhere."""
    return find(words, rite.canonical) or find(fold_search(words), _folded(rite.canonical))


@lru_cache(maxsize=16)
def _folded(text: str) -> str:
    """The text with simplified script for old, character for character."""
    return fold_search(text)


def clause_at(clauses: Sequence[Clause], offset: int) -> int:
    """Which of the clauses has this character of the canonical text."""
    return bisect_right(clauses, offset, key=lambda clause: clause.offset) - 1


def nearest_clauses(rite: Rite, words: str, limit: int = 3) -> tuple[str, ...]:
    """The clauses that are most like some words."""
    from rapidfuzz import fuzz, process

    texts = {clause.text: fold(clause.text).text for clause in rite.clauses}
    found = process.extract(fold(words).text, texts, scorer=fuzz.ratio, limit=limit)
    return tuple(text for _, score, text in found if score)


def find_beginning(clauses: Sequence[Clause], words: str, near: int = 0, scope: Sequence[int] = ()) -> int | None:
    """Which clause begins with these words (or is begun by them): the place in ``clauses``, or None.

    Among several, the first at or after ``near`` within the narrowest scope that has one: ``scope`` lists how far the
    passage and the section around ``near`` reach, as (start, end, start, end); then the whole text.
    """
    wanted = fold(words).text
    first = wanted[:1]
    found = [
        place
        for place, clause in enumerate(clauses)
        if first and fold(clause.text).text[:1] == first and _begins(clauses, place, wanted)
    ]
    for start, end in zip(scope[::2], scope[1::2], strict=True):
        inside = [place for place in found if start <= place < end]
        if inside:
            return next((place for place in inside if place >= near), inside[0])
    return found[0] if found else None


def _begins(clauses: Sequence[Clause], place: int, wanted: str) -> bool:
    text = ""
    while len(text) < len(wanted) and place < len(clauses):
        text += fold(clauses[place].text).text
        if not wanted.startswith(text[: len(wanted)]):
            return False
        place += 1
    return text.startswith(wanted)
