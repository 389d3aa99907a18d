"""The words of a staged performance: each text once, and the same otherwise written, read aloud, or in English.

Comes in: texts, some with their English. Goes out: a pool; what refers to a text holds its place in it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from yanli.corpus.spelling import fold_same_length, folds
from yanli.lexicon.readings import CHINESE, korean, pinyin, simplified
from yanli.venue.spot import FACINGS

if TYPE_CHECKING:
    from yanli.lexicon import Lexicon

NONE = -1
"""The place of no text."""
LATIN = re.compile(r"[A-Za-z0-9×→=]")


class Forms(msgspec.Struct, kw_only=True):
    """The same texts otherwise, each list beside the pool; None where there is no other form.

    ``hans``: in simplified characters; ``en``: in English; ``pinyin`` and ``ko``: as they are read aloud.
    """

    hans: list[str | None]
    en: list[str | None]
    pinyin: list[str | None]
    ko: list[str | None]


class Pool:
    """Texts by their place. One text with two meanings in English has two places."""

    def __init__(self) -> None:
        """Begin empty."""
        self.words: list[str] = []
        self._english: list[str | None] = []
        self._places: dict[tuple[str, str | None], int] = {}
        self._aloud: set[int] = set()

    def add(self, text: str | None, en: str | None = None, *, aloud: bool = False) -> int:
        """The place of a text, with its English if there is any; that of no text is -1.

        ``aloud``: it is a name or a word, and is to be read aloud; whole clauses have a reading of their own.
        """
        if text is None:
            return NONE
        said = en if en and en != text else None
        key = (text, said)
        found = self._places.get(key)
        if found is None:
            found = self._places[key] = len(self.words)
            self.words.append(text)
            self._english.append(said)
        if aloud and CHINESE.search(text) is not None and LATIN.search(text) is None:
            self._aloud.add(found)
        return found

    def forms(self) -> Forms:
        """Everything in its other forms."""
        return Forms(
            hans=[_other(text, simplified(text)) for text in self.words],
            en=self._english,
            pinyin=[pinyin(text) if place in self._aloud else None for place, text in enumerate(self.words)],
            ko=[korean(text) if place in self._aloud else None for place, text in enumerate(self.words)],
        )


def folds_of(text: str) -> tuple[str, str]:
    """The characters under which those of a text may be looked up, and beside each the one that stands for all.

    Other shapes, interchangeable words and simplified characters are looked up as one.
    """
    table = folds()
    others = "".join((*table.graphic.values(), *table.interchangeable.values()))
    pairs = {char: simplified(fold_same_length(char)) for char in sorted({*text, *others})}
    found = {char: form for char, form in pairs.items() if char != form}
    return "".join(found), "".join(found.values())


def facing_words(lexicon: Lexicon) -> list[tuple[str, str]]:
    """The eight ways one can face, from north clockwise, each with its English (北面: facing north)."""
    found = []
    for name in FACINGS:
        entry = lexicon.facing(f"{name}面")
        found.append((f"{name}面", entry.en if entry is not None else ""))
    return found


def _other(text: str, form: str) -> str | None:
    return form if form != text else None
