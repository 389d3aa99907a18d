"""Emending a damaged text: each correction with its place, its reason and the parallel that bears it out.

Comes in: a text file as it was found (never kept here), and a file of emendations (``[[emendation]]``). Goes out: the
text in the plain form in which quotations are compared: one script, one shape for each character, no blanks, marks or
brackets. What can no longer occur: a correction that does not say why, or one whose words are not where it says.

The same for what is proposed for a text in the store (`Proposal`): made by hand or by `repair`, accepted or rejected
by somebody who says why, and read into the text only where it was accepted.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import msgspec

from yanli.corpus.model import Proposal
from yanli.corpus.spelling import fold
from yanli.errors import Finding, RiteError
from yanli.lexicon.readings import simplified
from yanli.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterable
    from importlib.resources.abc import Traversable

BY_HAND = "by hand"
"""The method of what somebody proposes himself."""
Kind = Literal["訛", "脫", "衍", "倒", "諱"]
# Shapes that neither the table of variants nor the converter of scripts brings together: no edition collated has them.
_SHAPES = str.maketrans("馀聴臯", "余听皋")
_MARKS = re.compile(r"<pb:[^>]*>|&[A-Z]+\d+;|^#.*$", re.MULTILINE)


class Evidence(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A parallel: its words, and the key of the source in which they stand."""

    words: str
    source: str


class Emendation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One correction.

    ``line``: where ``found`` begins in the file, counted from 1; ``class``: 訛 slip, 脫 lost, 衍 too many, 倒
    transposed, 諱 written otherwise for a taboo. ``by``: who emends; ``certain = false``: likely, but
    nothing outside proves it. ``evidence``: parallels; there is none only for what is not certain.
    """

    line: int
    found: str
    emended: str
    kind: Kind = msgspec.field(name="class")
    by: str
    reason: str
    reason_en: str
    certain: bool = True
    evidence: tuple[Evidence, ...] = ()


class Emendations(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All corrections of one text, whose source has this key."""

    source: str
    emendation: tuple[Emendation, ...]


def load_emendations(path: Traversable) -> Emendations:
    """Read a file of emendations. Raises RiteError when it is malformed."""
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Emendations)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, OSError) as fault:
        raise RiteError(Finding(code="bad-data", cause=f"{path.name}: {fault}")) from None


@lru_cache(maxsize=16_384)
def _one_script(character: str) -> str:
    return simplified(character)


def plain(text: str) -> str:
    """The text as quotations are compared: shapes folded, simplified script, and nothing but Chinese characters."""
    folded = fold(_MARKS.sub("", text)).text
    one_script = "".join(map(_one_script, folded)).translate(_SHAPES)
    return "".join(character for character in fold(one_script).text if unicodedata.category(character) == "Lo")


def emend(text: str, emendations: Iterable[Emendation], name: str = "") -> str:
    """Give the text, plain, with every emendation made in it.

    ``text`` is the file as found, with its lines. Raises RiteError for each emendation whose words do not begin in its
    line; ``name`` is then said as the file.
    """
    lines = [plain(line) for line in text.split("\n")]
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    whole = "".join(lines)
    steps: list[tuple[int, int, str]] = []
    faults: list[Finding] = []
    for each in emendations:
        found = plain(each.found)
        first, last = (starts[each.line - 1], starts[each.line]) if 0 < each.line < len(starts) else (0, 0)
        at = whole.find(found, first, last + len(found))
        if at < 0 or at >= last or not found:
            cause = f"{each.found} → {each.emended}: these words do not begin in line {each.line}"
            faults.append(Finding(code="not-there", cause=cause, span=Span(name, each.line)))
        else:
            steps.append((at, len(found), plain(each.emended)))
    if faults:
        raise RiteError(*faults)
    for at, length, words in sorted(steps, reverse=True):
        whole = whole[:at] + words + whole[at + length :]
    return whole


def propose(
    text: str,
    start: int,
    end: int,
    emended: str,
    *,
    author: str,
    reason: str,
    evidence: str = "",
    certain: bool = False,
) -> Proposal:
    """Propose ``emended`` for ``start:end`` of a text (code points), by hand. It is neither accepted nor rejected yet.

    Raises RiteError (``no-place``) for a place that the text does not have, ``no-reason`` without author or reason.
    """
    if not 0 <= start <= end <= len(text):
        raise RiteError(
            Finding(code="no-place", cause=f"{start}:{end} is no place in a text of {len(text)} characters")
        )
    _said(author, reason)
    return Proposal(
        start=start, end=end, found=text[start:end], emended=emended, method=BY_HAND, evidence=evidence,
        certain=certain, author=author, reason=reason,
    )  # fmt: skip


def review(proposal: Proposal, *, accept: bool, reviewer: str, reason: str) -> Proposal:
    """Accept or reject a proposal; whoever does it says why. A later review takes the place of an earlier one.

    Raises RiteError: ``no-reason`` without reviewer or reason; ``no-reading`` for accepting one that leaves a
    character open (□).
    """
    _said(reviewer, reason)
    if accept and "□" in proposal.emended:
        raise RiteError(
            Finding(code="no-reading", cause=f"{proposal.emended} leaves a character open: propose it whole")
        )
    return msgspec.structs.replace(proposal, accepted=accept, rejected=not accept, reviewer=reviewer, reason=reason)


def emended(text: str, proposals: Iterable[Proposal]) -> str:
    """Read a text with what was accepted of these proposals, and nothing else of them.

    Raises RiteError, a finding for each: ``not-there`` where other words stand than the proposal found, ``overlap``
    where two accepted ones are about the same characters.
    """
    taken = sorted((each for each in proposals if each.accepted), key=lambda each: (each.start, each.end))
    faults: list[Finding] = []
    parts: list[str] = []
    done = 0
    for each in taken:
        if text[each.start : each.end] != each.found:
            cause = f"{each.found!r} does not stand at {each.start}:{each.end}, but {text[each.start : each.end]!r}"
            faults.append(Finding(code="not-there", cause=cause))
        elif each.start < done:
            cause = f"{each.found!r} → {each.emended!r} at {each.start}:{each.end}: another accepted one is there"
            faults.append(Finding(code="overlap", cause=cause))
        else:
            parts += (text[done : each.start], each.emended)
            done = each.end
    if faults:
        raise RiteError(*faults)
    return "".join((*parts, text[done:]))


def _said(author: str, reason: str) -> None:
    """Raise RiteError unless there is somebody, and a reason."""
    if not author.strip() or not reason.strip():
        raise RiteError(Finding(code="no-reason", cause="an emendation needs its author and its reason"))
