"""Finds what is damaged in a text, and where.

Comes in: a text, its family, what the scan gave. Goes out: faults in the order of their places. Nothing is mended
here. A file that is nothing but damage gets no more than `MOST` faults of a kind, the last of which tells how many
more there are.
"""

from __future__ import annotations

import bisect
import re
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

from yanli.corpus.model import Fault, FaultKind, Layer, State

if TYPE_CHECKING:
    from yanli.corpus.profile import Profile
    from yanli.corpus.segment_parts import Scanned

MOST = 2000
_SHOWN = 40
_LEAF = re.compile(r"(?P<scroll>\d+)-(?P<leaf>\d+)(?P<side>[ab])")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff\ufffd]+")
_CONTROL_BYTES = bytes([*range(9), 0x0B, 0x0C, *range(0x0E, 0x20), 0x7F])
_LINE_END = re.compile(r"\r\n|\n|\r")
_WORDS = re.compile(r"[^\s¶]")
_SURROGATE = re.compile(r"[\ud800-\udfff]+")
_ESCAPED = re.compile(r"[\udc80-\udcff]+")
_UNENCODED = re.compile(r"&(?:KR|CB|GT|CHANT|[A-Z]{1,4})-?\d{2,8};|<g\b[^<>]{0,120}/>")
_LOST_SIGNS = re.compile(r"□+|■+|●+")
_PINYIN = re.compile(r"(?<=[\u3400-\u9fff\ue000-\uf8ff])\([a-zü\u00e0-\u01dc]{1,6}\)")
_MISREAD = re.compile(r"[?？]?！[^\x00-\x7f]{0,400}[\x21-\x7e]?|♂屧[^\x00-\x7f]{0,400}[\x21-\x7e]?")
_QUESTION = re.compile(r"\?")
_TAGGED = re.compile(r"<(?P<name>supplied|unclear|gap|damage)\b[^<>]{0,200}>")
_COUNT = re.compile(r"(?P<what>經|注)(?P<count>[一二三四五六七八九十百千萬]{1,12})字")
_DIGITS = {digit: value for value, digit in enumerate("一二三四五六七八九", start=1)}
_UNITS = {"十": 10, "百": 100, "千": 1000, "萬": 10000}


class Places:
    """Tells the line and the page of an offset."""

    def __init__(self, text: str, pages: tuple[tuple[int, str], ...]) -> None:
        """Note where lines and pages begin."""
        self._text = text
        self._starts = [start for start, _ in pages]
        self._names = [name for _, name in pages]

    @cached_property
    def _lines(self) -> list[int]:
        """Where lines begin; most texts have few faults, or none, that ask for it."""
        if "\r" in self._text:
            return [0, *(found.end() for found in _LINE_END.finditer(self._text))]
        return [0, *accumulate([len(line) + 1 for line in self._text.split("\n")[:-1]])]

    def line(self, offset: int) -> int:
        """Give the line, from 1."""
        return bisect.bisect_right(self._lines, offset)

    def page(self, offset: int) -> str | None:
        """Give the page as the copy counts; None before the first page mark."""
        at = bisect.bisect_right(self._starts, offset) - 1
        return self._names[at] if at >= 0 else None


def faults(text: str, profile: Profile, scanned: Scanned, places: Places, *, utf: str = "utf-8") -> list[Fault]:
    """Give all that is damaged in a text."""
    made = _Faults(text, places)
    plain = _plain(text)
    for found in () if plain else _CONTROL.finditer(text):
        made.add("control", *found.span(), told=" ".join(f"U+{ord(one):04X}" for one in found[0][:8]))
    if plain is None:
        _surrogates(made, text, utf)
    for found in _LOST_SIGNS.finditer(text) if any(sign in text for sign in "□■●") else ():
        kind: FaultKind = "illegible" if found[0][0] == "□" else "black"
        made.add(kind, *found.span(), state=State.illegible if kind == "illegible" else State.black)
    for found in _UNENCODED.finditer(text) if "&" in text or "<g" in text else ():
        made.add("unencoded", *found.span(), state=State.unencoded, told="a character that has no code")
    if profile.markup:
        for found in _TAGGED.finditer(text):
            state = State.supplied if found["name"] == "supplied" else State.illegible
            made.add("illegible", *found.span(), state=state, told=f"<{found['name']}>")
    _damage(made, text, profile)
    for loose in scanned.loose:
        made.add("unclosed-note" if loose.opening else "unopened-note", loose.start, loose.start + 1)
    _pages(made, text, scanned)
    _counts(made, text, scanned)
    _covered(made, text, scanned)
    return sorted(made.list, key=lambda fault: (fault.start, fault.end, fault.kind))


def _plain(text: str) -> bool | None:
    """Tell whether a text has no control character at all, by its bytes, which is soon done; None for surrogates.

    Few files have any: they are then looked for one by one. ``False`` means only that there may be some.
    """
    try:
        data = text.encode()
    except UnicodeEncodeError:
        return None
    if b"\xc2" in data or b"\xef\xbf" in data:
        return False
    return len(data) == len(data.translate(None, _CONTROL_BYTES))


class _Faults:
    """Gathers faults, of each kind not more than are of use."""

    def __init__(self, text: str, places: Places) -> None:
        self.text = text
        self.places = places
        self.list: list[Fault] = []
        self.count: dict[FaultKind, int] = {}

    def add(self, kind: FaultKind, start: int, end: int, *, told: str = "", state: State | None = None) -> None:
        count = self.count[kind] = self.count.get(kind, 0) + 1
        if count > MOST:
            if count == MOST + 1:
                told = f"more than {MOST} of this kind; those from here on are not listed"
            else:
                return
        self.list.append(
            Fault(
                kind=kind,
                start=start,
                end=end,
                line=self.places.line(start),
                page=self.places.page(start),
                found=self.text[start : min(end, start + _SHOWN)],
                told=told,
                state=state,
            )
        )


def _surrogates(made: _Faults, text: str, utf: str) -> None:
    """Lone surrogates: as such in UTF-16, as three bytes in UTF-8; other bytes that could not be read."""
    for found in _SURROGATE.finditer(text):
        start, end = found.span()
        if utf.startswith(("utf-16", "utf-32")):
            made.add("surrogate", start, end, told="half of a pair")
            continue
        # Every escaped byte is one character: places in the bytes are places in the run.
        raw = bytes(ord(one) - 0xDC00 if one >= "\udc80" else 0 for one in found[0])
        at = 0
        for half in re.finditer(rb"\xed[\xa0-\xbf][\x80-\xbf]", raw):
            _undecodable(made, start, raw, at, half.start())
            made.add("surrogate", start + half.start(), start + half.end(), told=f"half of a pair, {half[0].hex(' ')}")
            at = half.end()
        _undecodable(made, start, raw, at, len(raw))


def _undecodable(made: _Faults, start: int, raw: bytes, first: int, last: int) -> None:
    if first < last:
        told = f"bytes {raw[first : min(last, first + 12)].hex(' ')}"
        made.add("undecodable", start + first, start + last, told=told)


def _damage(made: _Faults, text: str, profile: Profile) -> None:
    """The kinds of damage that only some families have."""
    runs: list[tuple[int, int]] = []
    if "misread-run" in profile.damage:
        for found in _MISREAD.finditer(text):
            made.add("misread-run", *found.span(), told="a two-byte encoding read one byte out of step")
            runs.append(found.span())
    if "pinyin-in-brackets" in profile.damage:
        for found in _PINYIN.finditer(text):
            made.add("pinyin-in-brackets", *found.span(), told="a reading put in behind a character")
    if "lost-character" in profile.damage and profile.lost:
        starts = [start for start, _ in runs]
        for found in re.finditer(re.escape(profile.lost), text):
            at = bisect.bisect_right(starts, found.start()) - 1
            if at < 0 or runs[at][1] <= found.start():
                made.add("lost-character", *found.span(), state=State.illegible, told="a sign in a character's place")


def _pages(made: _Faults, text: str, scanned: Scanned) -> None:
    """Pages that are empty, that the count of leaves skips, that stand twice."""
    seen: set[str] = set()
    due: int | None = None
    scroll = ""
    for at, (start, name) in enumerate(scanned.pages):
        end = scanned.pages[at + 1][0] if at + 1 < len(scanned.pages) else len(text)
        mark = text.find(">", start, end) + 1 or start
        if not _WORDS.search(text, mark, end):
            made.add("empty-page", start, mark, told=name)
        if name in seen:
            made.add("repeated-page", start, mark, told=name)
        seen.add(name)
        if leaf := _LEAF.fullmatch(name):
            number = int(leaf["leaf"]) * 2 + (leaf["side"] == "b")
            if due is not None and leaf["scroll"] == scroll and number > due:
                gone = f"{scroll}-{due // 2}{'ab'[due % 2]}"
                last = f"{scroll}-{(number - 1) // 2}{'ab'[(number - 1) % 2]}"
                told = gone if gone == last else f"{gone} to {last}, {number - due} pages"
                made.add("missing-page", start, start, told=told)
            due, scroll = number + 1, leaf["scroll"]


def number(words: str) -> int:
    """Read a Chinese number below a hundred million (三千六百四十五 is 3645); 0 for no number."""
    total = part = digit = 0
    for character in words:
        if character in _DIGITS:
            digit = _DIGITS[character]
        elif character == "萬":
            total, part, digit = total + (part + digit) * 10000, 0, 0
        elif character in _UNITS:
            part, digit = part + (digit or 1) * _UNITS[character], 0
    return total + part + digit


def _counts(made: _Faults, text: str, scanned: Scanned) -> None:
    """A colophon that counts other than there are."""
    found = list(_COUNT.finditer(text, max(0, len(text) - 2000)))
    if not found:
        return
    counted = {Layer.canon: 0, Layer.note: 0}
    for piece in scanned.pieces:
        if piece.layer in counted:
            counted[piece.layer] += piece.end - piece.start
    # A character without a code is one character, however long its name.
    starts = [piece.start for piece in scanned.pieces]
    for name in _UNENCODED.finditer(text):
        holder = scanned.pieces[bisect.bisect_right(starts, name.start()) - 1].layer
        if holder in counted:
            counted[holder] -= len(name[0]) - 1
    for mark in found:
        layer = Layer.canon if mark["what"] == "經" else Layer.note
        told, are = number(mark["count"]), counted[layer]
        if told != are:
            made.add("count-differs", *mark.span(), told=f"the colophon counts {told}, the copy has {are}")


def _covered(made: _Faults, text: str, scanned: Scanned) -> None:
    """Characters that no piece covers: there should be none."""
    at = 0
    for piece in scanned.pieces:
        if piece.start > at:
            made.add("unassigned", at, piece.start, told="no layer has it")
        at = piece.end
    if at < len(text):
        made.add("unassigned", at, len(text), told="no layer has it")
