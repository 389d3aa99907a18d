"""Undoes what happened to a text whose bytes were handled as if they were characters.

Comes in: a text as decoded, the name of the two-byte encoding that it once was in. Goes out: every place where its
bytes were cut, read one byte out of step, or parted by a reading put in between, with what they are in step. Three
things are undone together, for they go back to one: bytes cut where a sign's two bytes were seen across two
characters (the byte left over became `?`); ``(pinyin)`` put in behind two bytes that looked like a character; and
what stood behind either, read one byte on. What no byte tells is a set of characters that it can have been.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

import msgspec

SIGNS = "?\ufffd"
"""What stands where a byte or a character could not be read."""
GAP = "〓"
_LONGEST = 600
_BRACKET = 8
_TOO_MANY = 1000
"""So many characters can a place be that it tells nothing."""
_LETTERS = r"[a-zü\u00e0-\u01dc\u1ebd\u1e3f]{1,6}"
BRACKET = re.compile(rf"\({_LETTERS}\)")
_BEFORE = re.compile(rf"\({_LETTERS}\)\Z")
_TAIL = re.compile(rf"({_LETTERS})\)")
_HIGH = frozenset(range(0x81, 0xFF))
_ASCII = 0x80
_EURO = 0x80
_LOW = frozenset((*range(0x40, 0x7F), *range(0x80, 0xFF)))
_NONE: frozenset[int] = frozenset()
# GB2312's holes, to which GBK's makers gave U+E766 and on, in this order (row, first and last byte).
_HOLES = (
    "a2abb0 a2e3e4 a2eff0 a2fdfe a4f4fe a5f7fe a6b9c0 a6d9df a6eced a6f3f3 a6f6fe a7c2d0 a7f2fe a896a0 a8bcbc a8bfbf"
    " a8c1c4 a8eafe a95858 a95b5b a95d5f a98995 a997a3 a9f0fe d7fafe fe5050"
)


class Undone(msgspec.Struct, frozen=True, kw_only=True):
    """A place read anew: ``start:end`` of the text was, character by character, one of each of ``options``."""

    start: int
    end: int
    options: tuple[tuple[str, ...], ...]

    @property
    def skeleton(self) -> str:
        """What is known, with `GAP` for each character that may be one of several."""
        return "".join(each[0] if len(each) == 1 else GAP for each in self.options)

    def bytes_told(self, encoding: str = "gbk") -> str:
        """Give the bytes, character by character, as far as they are known: ``··A3 A1A1 C8FD``."""
        return " ".join(known_bytes(each, encoding) for each in self.options)


def known_bytes(options: tuple[str, ...], encoding: str = "gbk") -> str:
    """Give the bytes that all these characters have, in hexadecimal, and ``··`` for each that is not the same."""
    made = [to_bytes(one, encoding) or b"" for one in options]
    if len({len(each) for each in made}) > 1:
        return "····"
    return "".join(f"{same.pop():02X}" if len(same) == 1 else "··" for same in map(set, zip(*made, strict=True)))


@cache
def _holes() -> dict[str, bytes]:
    """Characters of the user's own use in the holes of GB2312, and their bytes."""
    found: dict[str, bytes] = {}
    for hole in _HOLES.split():
        row, first, last = (int(hole[at : at + 2], 16) for at in (0, 2, 4))
        for byte in range(first, last + 1):
            found[chr(0xE766 + len(found))] = bytes((row, byte))
    return found


def to_bytes(character: str, encoding: str = "gbk") -> bytes | None:
    """Give a character's bytes, one or two; None if it has none. GBK is taken with its areas for the user's own."""
    if encoding != "gbk":
        try:
            made = character.encode(encoding)
        except UnicodeEncodeError:
            return None
        return made if len(made) <= 2 else None  # noqa: PLR2004
    if character == "€":
        return bytes((_EURO,))
    try:
        made = character.encode("gb18030")
    except UnicodeEncodeError:
        return None
    return made if len(made) <= 2 else _holes().get(character)  # noqa: PLR2004


@cache
def from_bytes(lead: int, trail: int, encoding: str = "gbk") -> str | None:
    """Give the character that two bytes are; None if they are none, or one for the user's own use."""
    try:
        made = bytes((lead, trail)).decode("gb18030" if encoding == "gbk" else encoding)
    except UnicodeDecodeError:
        return None
    return made if len(made) == 1 and not "\ue000" <= made <= "\uf8ff" else None


@cache
def readings(character: str) -> frozenset[str]:
    """Give the readings of a character, with tone marks; none if it has none."""
    from pypinyin.pinyin_dict import pinyin_dict

    return frozenset(str(pinyin_dict.get(ord(character), "")).split(",")) - {""}


def undo(
    text: str, start: int, encoding: str = "gbk", signs: str = SIGNS, *, read_as: str | None = None
) -> Undone | None:
    """Read on from the sign at ``start`` as if it were one byte, until characters and bytes are in step again.

    ``encoding`` is the text's; ``read_as`` the one by which it was misread, if that was another.
    None where that cannot be: the sign is then something else (a whole character, or itself).
    """
    behind = start
    while ended := _BEFORE.search(text, max(0, behind - _BRACKET), behind):
        behind = ended.start()
    read_as = read_as or encoding
    before = to_bytes(text[behind - 1], encoding) if behind else None
    walk = _Walk(encoding, frozenset(before[-1:] if before else b""))
    at, last = start, min(len(text), start + _LONGEST)
    while at < last:
        if text[at] in signs:
            tail = _TAIL.match(text, at + 1)
            walk.lost(tail[1] if tail else "")
            at = tail.end() if tail else at + 1
        elif between := BRACKET.match(text, at):
            at = between.end()
            continue
        else:
            these = to_bytes(text[at], read_as)
            if not these or text[at] == "\n":
                return None
            for byte in these:
                walk.feed(frozenset((byte,)))
            at += 1
        if walk.failed:
            return None
        if not walk.pending:
            return Undone(start=start, end=at, options=tuple(walk.options))
    return None


class _Walk:
    """Bytes, each one of several, put together to characters."""

    def __init__(self, encoding: str, before: frozenset[int]) -> None:
        """``before``: the byte that comes before."""
        self.encoding = encoding
        self.before = before
        self.pending = _NONE
        self.options: list[tuple[str, ...]] = []
        self.failed = False

    def lost(self, reading: str) -> None:
        """Feed a byte that is lost; a reading behind it is that of the two bytes that it is the second of."""
        low = _LOW if self.pending else _HIGH
        leads = self.pending or self.before
        if reading and len(leads) * len(low) <= _TOO_MANY:
            low = _read_so(leads, low, reading, self.encoding) or low
        self.feed(low)

    def feed(self, bytes_: frozenset[int]) -> None:
        """Put one byte, which may be one of several, behind the others."""
        self.before = bytes_
        if not self.pending:
            if max(bytes_, default=0) < _ASCII:
                self.failed = True
            self.pending = bytes_
            return
        made = _made(self.pending, bytes_, self.encoding)
        if made:
            self.options.append(made)
        else:
            self.failed = True
        self.pending = _NONE


@lru_cache(maxsize=4096)
def _made(leads: frozenset[int], trails: frozenset[int], encoding: str) -> tuple[str, ...]:
    """Give the characters that one of these bytes and one of those are; none where they are too many to tell."""
    if len(leads) * len(trails) > _TOO_MANY:
        return ()
    made = {from_bytes(lead, trail, encoding) for lead in leads for trail in trails}
    return tuple(sorted(one for one in made if one))


@lru_cache(maxsize=4096)
def _read_so(leads: frozenset[int], trails: frozenset[int], reading: str, encoding: str) -> frozenset[int]:
    """Give those second bytes which make, with one of these first bytes, a character of this reading."""
    return frozenset(
        trail for trail in trails for lead in leads if reading in readings(from_bytes(lead, trail, encoding) or "\0")
    )
