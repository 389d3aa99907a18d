"""One layer of a text, made ready to be set beside the same layer of another copy.

Comes in: a `Text`. Goes out: a `Copy`: the words of that layer without blanks, punctuation and signs of the copy, and
where each stands in the file. An entity (``&KR0764;``, ``&CDP-8B7C;``) becomes one private character, so that it is
aligned as what it is, one character; `spelt` writes it out again.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from yanli.corpus.folding import is_simplified, to_simplified
from yanli.corpus.kanripo import Gap
from yanli.corpus.model import Layer, Text
from yanli.corpus.spelling import fold_graphic

if TYPE_CHECKING:
    from collections.abc import Callable

# Plane 16 for Kanripo's numbers, plane 15 for those of the Chinese Document Processing lab: both are private, and a
# sign that is neither stays as it is written.
_KANRIPO, _CDP = 0x100000, 0xF0000
_LAST = 0xFFFD
_SIGN = re.compile(r"&KR(?P<kr>\d{1,5});|&CDP-(?P<cdp>[0-9A-F]{4});|(?P<one>.)", re.DOTALL)
UNREAD = frozenset("□■▯〓◯")
_FULLER = 2  # no lost page held so many times as much of a layer as the fullest that is there


class _Simpler(dict[int, str]):
    """Character → its simplified form, found when first asked for; made for `str.translate`."""

    def __missing__(self, code: int) -> str:
        self[code] = to_simplified(chr(code))
        return self[code]


_SIMPLER = _Simpler()


class Copy(msgspec.Struct, frozen=True, kw_only=True):
    """One witness's words of one layer.

    ``at`` gives for every character its offset in the file's text (empty where the words come from elsewhere);
    ``gaps`` are lost pages, at offsets in ``text``; ``room`` is the most characters that any page can have held, where
    pages are told. ``simplified``: it is printed in simplified characters, so that it
    is set beside others as if they were too.
    """

    siglum: str
    text: str
    title: str = ""
    layer: Layer = Layer.canon
    at: tuple[int, ...] = ()
    gaps: tuple[Gap, ...] = ()
    room: int | None = None
    simplified: bool = False

    @property
    def fold(self) -> Callable[[str], str]:
        """What makes the shapes of one character one, when this copy is set beside another; lengths stay."""
        return fold_scripts if self.simplified else fold_graphic


def copy_of(text: Text, siglum: str, layer: Layer = Layer.canon, speaker: str | None = None) -> Copy:
    """Take one layer out of a text: what ``speaker`` says of it, if one is named, else all.

    Letters, figures, private characters and signs for what cannot be read stay. Lost pages come from the faults.
    """
    words: list[str] = []
    at: list[int] = []
    held: Counter[str] = Counter()
    for piece in text.pieces:
        if piece.layer is layer and (speaker is None or piece.speaker == speaker):
            for found in _SIGN.finditer(text.text, piece.start, piece.end):
                sign = _private(found)
                if unread(sign) or unicodedata.category(sign)[0] in "LN":
                    words.append(sign)
                    at.append(found.start())
                    held[piece.page or ""] += 1
    lost = [fault for fault in text.faults if fault.kind in {"empty-page", "missing-page"}]
    gaps = tuple(
        Gap(
            (fault.told if fault.kind == "missing-page" else fault.page) or "",
            bisect_left(at, fault.start),
            "empty" if fault.kind == "empty-page" else "missing",
        )
        for fault in lost
    )
    joined = "".join(words)
    return Copy(
        siglum=siglum,
        title=text.title,
        layer=layer,
        text=joined,
        at=tuple(at),
        gaps=gaps,
        room=_FULLER * max(held.values()) if set(held) - {""} else None,
        simplified=is_simplified(joined),
    )


def fold_scripts(words: str) -> str:
    """Fold shapes of the same character, then old and simplified script; the length stays.

    What simplifying makes one (後 后, 餘 余) cannot be told apart afterwards.
    """
    return fold_graphic(words).translate(_SIMPLER)


def unread(sign: str) -> bool:
    """Tell whether a character is not known: it cannot be read (□ ■), or it has no code (an entity, a private one)."""
    return sign in UNREAD or unicodedata.category(sign) == "Co"


def spelt(words: str) -> str:
    """Write the entities out again for which private characters stand."""
    return "".join(map(_entity, words)) if any(ord(sign) > _CDP for sign in words) else words


def _private(found: re.Match[str]) -> str:
    """Give one character for a sign: itself, or a private one."""
    if (number := found["kr"]) is not None and int(number) <= _LAST and number == f"{int(number):04d}":
        return chr(_KANRIPO + int(number))
    if (code := found["cdp"]) is not None and int(code, 16) <= _LAST:
        return chr(_CDP + int(code, 16))
    return found[0][0]


def _entity(sign: str) -> str:
    """Undo `_private`."""
    if ord(sign) >= _KANRIPO:
        return f"&KR{ord(sign) - _KANRIPO:04d};"
    return f"&CDP-{ord(sign) - _CDP:04X};" if ord(sign) >= _CDP else sign
