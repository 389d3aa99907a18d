"""A character without a code, written as an entity (``&KR0764;``), is one character, and equal to itself alone.

Comes in: text as a copy has it. Goes out: where entities stand, and a code for each, the same in every process. Nothing
that is shown to people or kept comes from here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from zlib import crc32

from yanli.corpus.anchor_words import fold_codes

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

ENTITY = re.compile(r"&(?:KR([0-9]{1,5})|[A-Za-z][A-Za-z0-9.-]{0,40});")
# Planes 15 and 16 are for private use: no word has its code there. Kanripo's numbers are taken as they are; what others
# are called is brought to a number, which two of them share once in 65,000.
_NUMBERED, _CALLED, _ROOM = 0xF0000, 0x100000, 0xFFFE
_NUMBERS = 0xFFFE


def entity_code(found: re.Match[str]) -> int:
    """Give the code of an entity that `ENTITY` has found."""
    if found[1] and int(found[1]) < _NUMBERS:
        return _NUMBERED + int(found[1])
    return _CALLED + crc32(found[0].encode()) % _ROOM


def folded_codes(text: str) -> tuple[npt.NDArray[np.uint32], dict[int, int]]:
    """Fold a text as `anchor_words.fold_codes` does, an entity being one character, where it begins.

    With it comes for each entity where it begins and where it ends.
    """
    folded = fold_codes(text)
    ends: dict[int, int] = {}
    if "&" in text:
        for found in ENTITY.finditer(text):
            start, end = found.span()
            folded[start:end] = 0
            folded[start] = entity_code(found)
            ends[start] = end
    return folded, ends
