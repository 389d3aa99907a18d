"""Words made comparable: shapes and scripts folded, everything that is no word left out.

Comes in: text in any script and shape. Goes out: the same for matching only: variant shapes and interchangeable words
(the table of variants) and traditional characters (OpenCC, character by character) each brought to one form, with the
way back. Nothing that is shown to people or kept comes from here. Offsets are code points.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import TYPE_CHECKING

import msgspec

from yanli.corpus.folding import fold_search

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_CODES = 0x110000
_UNKNOWN = 0xFFFFFFFF


class Words(msgspec.Struct, frozen=True):
    """Folded words; character ``i`` of ``text`` stands at ``offsets[i]`` of the original."""

    text: str
    offsets: tuple[int, ...]


class _Table:
    """The folded form of every code point met so far; 0 for what is no word."""

    def __init__(self) -> None:
        import numpy as np

        self.folded = np.full(_CODES, _UNKNOWN, dtype=np.uint32)

    def learn(self, codes: npt.NDArray[np.uint32]) -> None:
        """Look up code points that were never met before."""
        import numpy as np

        for code in np.unique(codes).tolist():
            character = chr(code)
            # Modifier letters (L m) stand for iteration marks and the like and are read as words too.
            word = unicodedata.category(character)[0] in "LN"
            self.folded[code] = ord(fold_search(character)) if word else 0


@cache
def _table() -> _Table:
    """Give the one table."""
    return _Table()


def fold_codes(text: str) -> npt.NDArray[np.uint32]:
    """Give the folded form of every character of ``text``, 0 for what is no word; the length stays."""
    import numpy as np

    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    table = _table()
    folded = table.folded[codes]
    unknown = folded == _UNKNOWN
    if unknown.any():
        table.learn(codes[unknown])
        folded = table.folded[codes]
    return folded


def fold_words(text: str) -> Words:
    """Give the words of ``text``, folded, and where each character stands."""
    import numpy as np

    codes = fold_codes(text)
    kept = np.flatnonzero(codes)
    return Words(codes[kept].tobytes().decode("utf-32-le", "surrogatepass"), tuple(kept.tolist()))
