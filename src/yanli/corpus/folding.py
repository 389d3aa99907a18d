"""Which characters count as one when texts are searched: shapes, old and simplified script, width, case.

Comes in: characters. Goes out: one character for each, so that offsets stay. Only for searching: nothing kept is
changed. More is folded here than in `spelling`, whose table is made for telling texts apart.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Protocol

from yanli.corpus.spelling import fold_same_length

if TYPE_CHECKING:
    from collections.abc import Mapping


_TELLING = 3
"""So many simplified characters are the least that tell, and so many times as many as those of the old script."""


class _Converter(Protocol):
    """What is used of OpenCC, which comes without types."""

    def convert(self, text: str) -> str: ...


class _Table(dict[int, str]):
    """Code point → folded character, found when first asked for; made for `str.translate`."""

    def __missing__(self, code: int) -> str:
        character, folded = "", chr(code)
        if unicodedata.category(folded) == "Cs":  # a byte that was none: no converter takes it
            character = folded
        while character != folded:  # 薴 is simplified 苧, and 苧 is simplified 苎
            character, folded = folded, _fold(folded)
        self[code] = folded
        return folded


def is_word(character: str) -> bool:
    """Tell whether a character counts in search: all but blanks, punctuation, controls and lone surrogates.

    Signs for what cannot be read (□ ■) count, and so do private and unassigned characters.
    """
    category = unicodedata.category(character)
    return category[0] not in "ZP" and category not in {"Cc", "Cf", "Cs"}


def words_of(text: str) -> str:
    """Leave out what does not count."""
    return "".join(filter(is_word, text))


def fold_search(text: str) -> str:
    """Fold a text for searching; its length stays."""
    return text.translate(_TABLE)


def folded(characters: str) -> Mapping[str, str]:
    """Give the folded character of each."""
    return {character: _TABLE[ord(character)] for character in characters}


def is_simplified(text: str) -> bool:
    """Tell whether a text is in simplified script: many of its characters are, and few that have a simplified one.

    A text of which no character tells, or which mixes both, is not.
    """
    many = Counter(text)
    old = sum(times for one, times in many.items() if to_simplified(one) != one)
    new = sum(times for one, times in many.items() if _traditional(one) != one)
    return new >= _TELLING and new > _TELLING * old


@cache
def to_simplified(character: str) -> str:
    """Give a character in simplified script; itself where it has none of its own, or more than one."""
    changed = _simplified().convert(character) if unicodedata.category(character) == "Lo" else character
    return changed if len(changed) == 1 else character


@cache
def _traditional(character: str) -> str:
    return _to_traditional().convert(character) if unicodedata.category(character) == "Lo" else character


def _fold(character: str) -> str:
    """Width, compatibility and case; then shape; then script. What would become several characters stays."""
    for change in (lambda c: unicodedata.normalize("NFKC", c), str.lower, fold_same_length, _simplified().convert):
        changed = change(character)
        if len(changed) == 1:
            character = changed
    return character


@cache
def _simplified() -> _Converter:
    """Give the converter from old to simplified script: many-to-one, so both ways lead to the same character."""
    from opencc import OpenCC

    converter: _Converter = OpenCC("t2s")
    return converter


@cache
def _to_traditional() -> _Converter:
    """Give the converter from simplified to old script."""
    from opencc import OpenCC

    converter: _Converter = OpenCC("s2t")
    return converter


_TABLE = _Table()
