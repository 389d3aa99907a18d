"""Reads the canonical layer of a Kanripo file (github.com/kanripo, mandoku-view format).

Comes in: the file's text, and a profile that says how this work sets the canon apart.
Goes out: the canonical words alone, with the page of each, and what the copy has lost. After this no header, page mark,
line mark, note or commentary is left. Offsets are code points in the canonical words.
"""

from __future__ import annotations

import bisect
import re
from typing import TYPE_CHECKING, Literal

import msgspec

from yanli.errors import Finding, RiteError

if TYPE_CHECKING:
    from pathlib import Path

_PAGE = re.compile(r"<pb:(?P<work>[^>_]+)_(?P<edition>[^>_]+)_(?P<page>[^>]+)>")
_LEAF = re.compile(r"(?P<scroll>\d+)-(?P<leaf>\d+)(?P<side>[ab])")
_DAMAGE = re.compile(r"&[A-Z]+\d+;|[□■●◯?？]")
_INDENT = "\u3000"


class Profile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a work sets its canon apart.

    ``start`` and ``end`` are the canon's first and last words, both included, in the work's own spelling. Notes stand
    in ``( )`` everywhere, and lines that begin with a full-width space are headings or commentary. ``skip`` lists
    lines at the margin that are neither (running titles).
    """

    start: str
    end: str
    skip: tuple[str, ...] = ()


class Page(msgspec.Struct, frozen=True):
    """One page (``005-7a``: scroll 5, leaf 7, front): its canonical words are ``start:end``, its lines ``lines``."""

    ref: str
    start: int
    end: int
    lines: int


class Gap(msgspec.Struct, frozen=True):
    """A page that is missing or empty, at the offset where its words would stand.

    Words need not be lost with it: a blank page at the end of a scroll loses none. Collation tells.
    """

    ref: str
    offset: int
    kind: Literal["empty", "missing"]


class Damage(msgspec.Struct, frozen=True):
    """A canonical character that the file could not give (an entity such as ``&KR0238;``, or a hollow square)."""

    sign: str
    offset: int
    page: str


class Layer(msgspec.Struct, frozen=True):
    """The canonical words of one witness. A damaged character is ``〓`` in ``text``."""

    text: str
    pages: tuple[Page, ...]
    gaps: tuple[Gap, ...]
    damage: tuple[Damage, ...]

    def page(self, offset: int) -> str:
        """Name the page on which the character at this offset stands (the last page, at the end of the text)."""
        before = bisect.bisect_right([page.start for page in self.pages], offset) - 1
        return self.pages[max(before, 0)].ref


def read_file(path: Path, profile: Profile) -> Layer:
    """Read a file as `read` does. Raises OSError when it cannot be opened."""
    return read(path.read_text(encoding="utf-8"), profile)


def read(text: str, profile: Profile) -> Layer:
    """Read the canonical layer of a Kanripo file's text.

    Raises RiteError when the canon's first or last words are not found, or a note is never closed.
    """
    words: list[str] = []
    damage: list[Damage] = []
    starts: list[tuple[str, int, int]] = []
    depth = 0
    for line in _lines(text):
        if mark := _PAGE.fullmatch(line):
            starts.append((mark["page"], len(words), 0))
            continue
        if starts:
            ref, start, count = starts[-1]
            starts[-1] = (ref, start, count + bool(line))
        aside = depth == 0 and (line.startswith(_INDENT) or line in profile.skip)
        canonical, depth = _outside_notes(line, depth)
        if aside:
            continue
        for sign in _split(canonical):
            if _DAMAGE.fullmatch(sign):
                damage.append(Damage(sign, len(words), starts[-1][0] if starts else ""))
            words.append("〓" if _DAMAGE.fullmatch(sign) else sign)
    if depth:
        raise _error("a note is never closed")
    return _cut("".join(words), starts, damage, profile)


def _lines(text: str) -> list[str]:
    """Give the lines without file header and line marks; page marks stand alone."""
    body = _PAGE.sub(lambda mark: f"\n{mark[0]}\n", text.replace("¶", ""))
    return [line.rstrip() for line in body.splitlines() if not line.startswith("#")]


def _outside_notes(line: str, depth: int) -> tuple[str, int]:
    """Give what stands outside ( ), and how deep in notes the line ends."""
    kept: list[str] = []
    for character in line:
        if character == "(":
            depth += 1
        elif character == ")":
            depth = max(depth - 1, 0)
        elif depth == 0 and not character.isspace():
            kept.append(character)
    return "".join(kept), depth


def _split(canonical: str) -> list[str]:
    """Split words into characters, an entity counting as one."""
    return re.findall(r"&[A-Z]+\d+;|.", canonical)


def _cut(text: str, starts: list[tuple[str, int, int]], damage: list[Damage], profile: Profile) -> Layer:
    """Keep what stands from the profile's first to its last words, and count offsets from there."""
    first = text.find(profile.start)
    last = text.rfind(profile.end)
    if first < 0 or last < first:
        raise _error(f"the canon does not run from {profile.start} to {profile.end}")
    last += len(profile.end)
    ends = [start for _, start, _ in starts[1:]] + [len(text)]
    pages = tuple(
        Page(ref, max(start, first) - first, min(end, last) - first, lines)
        for (ref, start, lines), end in zip(starts, ends, strict=True)
        if start < last and end >= first
    )
    held = tuple(Damage(spot.sign, spot.offset - first, spot.page) for spot in damage if first <= spot.offset < last)
    return Layer(text[first:last], pages, tuple(_gaps(pages)), held)


def _gaps(pages: tuple[Page, ...]) -> list[Gap]:
    """Find pages without lines, and pages that the count of leaves skips."""
    found: list[Gap] = []
    due: int | None = None
    scroll = ""
    for page in pages:
        leaf = _LEAF.fullmatch(page.ref)
        if leaf:
            number = int(leaf["leaf"]) * 2 + (leaf["side"] == "b")
            if due is not None and leaf["scroll"] == scroll:
                for skipped in range(due, number):
                    ref = f"{scroll}-{skipped // 2}{'ab'[skipped % 2]}"
                    found.append(Gap(ref, page.start, "missing"))
            due, scroll = number + 1, leaf["scroll"]
        if page.lines == 0:
            found.append(Gap(page.ref, page.start, "empty"))
    return found


def _error(cause: str) -> RiteError:
    """Make the error of this module."""
    return RiteError(Finding(code="bad-kanripo", cause=cause))
