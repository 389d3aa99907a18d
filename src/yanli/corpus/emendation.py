"""Emending a damaged text: each correction with its place, its reason and the parallel that bears it out.

Comes in: a text file as it was found (never kept here), and a file of emendations (``[[emendation]]``). Goes out: the
text in the plain form in which quotations are compared: one script, one shape for each character, no blanks, marks or
brackets. What can no longer occur: a correction that does not say why, or one whose words are not where it says.

The same for what is proposed for a text in the store (`Proposal`): made by hand or by `repair`, accepted or rejected
by somebody who says why, and read into the text only where it was accepted.
"""

from __future__ import annotations

import hashlib
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
    from collections.abc import Iterable, Sequence
    from importlib.resources.abc import Traversable

BY_HAND = "by hand"
"""The method of what somebody proposes himself."""
Kind = Literal["訛", "脫", "衍", "倒", "諱"]
# Shapes that neither the table of variants nor the converter of scripts brings together: no edition collated has them.
_SHAPES = str.maketrans("馀聴臯", "余听皋")
# Of letters alone, so that no key is ever taken for a number; without vowels, so that none is a word.
_LETTERS = "bcdfghjkmnpqrstvwxz"
_KEY = 8
_BEGINNING = 4
"""So many letters of a key are the least by which it is known."""
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

    Raises RiteError (``no-place``) for a place that the text does not have, ``no-reason`` without author or reason,
    ``no-change`` where these very words stand already.
    """
    if not 0 <= start <= end <= len(text):
        raise RiteError(
            Finding(code="no-place", cause=f"{start}:{end} is no place in a text of {len(text)} characters")
        )
    _said(author, reason)
    if text[start:end] == emended:
        stands = (
            f"{emended!r} stands at {start}:{end} already" if emended else f"{start}:{end} has no words to leave out"
        )
        raise RiteError(Finding(code="no-change", cause=f"{stands}: that is no proposal"))
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


def identity(proposal: Proposal) -> tuple[int, int, str, str]:
    """Give what makes a proposal the same as another, whatever was said to it: its place, words and author."""
    return proposal.start, proposal.end, proposal.emended, proposal.author


def key_of(proposal: Proposal) -> str:
    """Give the key by which a proposal is called: eight letters.

    They come from its place, its words and its author alone, and so stay, whatever else is proposed or withdrawn.
    """
    told = "\0".join(map(str, identity(proposal)))
    number = int.from_bytes(hashlib.sha256(told.encode("utf-8", "surrogatepass")).digest()[:8])
    letters = []
    for _ in range(_KEY):
        number, letter = divmod(number, len(_LETTERS))
        letters.append(_LETTERS[letter])
    return "".join(letters)


def called(found: Iterable[Proposal], key: str) -> Proposal:
    """Give the proposal that a key, or its first four letters at least, calls. Raises RiteError (``no-proposal``)."""
    every = tuple(found)
    wanted = key.strip().lower()
    told = [each for each in every if key_of(each).startswith(wanted)] if len(wanted) >= _BEGINNING else []
    if len(told) == 1:
        return told[0]
    if told:
        cause = f"{key} begins more than one: {', '.join(map(key_of, told))}"
    else:
        cause = f"no proposal is called {key}: each has its key before it in the list, as {_example(every)}"
        if wanted.isdecimal():
            cause += "; it has no number, for that would be another's once something was proposed before it"
    raise RiteError(Finding(code="no-proposal", cause=cause, known=f"{len(every)} proposals"))


def _example(every: Sequence[Proposal]) -> str:
    return key_of(every[0]) if every else "kbdfghmn"


def told_shortly(proposal: Proposal) -> str:
    """Name a proposal in a message: its key, words and place."""
    return f"{key_of(proposal)} {proposal.found!r} → {proposal.emended!r} at {proposal.start}:{proposal.end}"


def check_open(proposal: Proposal, found: Iterable[Proposal]) -> None:
    """Raise RiteError (``settled``) where this was proposed before, and accepted or rejected: that stays so."""
    for each in found:
        if key_of(each) == key_of(proposal) and (each.accepted or each.rejected):
            how = "accepted" if each.accepted else "rejected"
            cause = f"{told_shortly(each)} was proposed before, and {how} by {each.reviewer}: {each.reason}"
            raise RiteError(Finding(code="settled", cause=cause))


def _overlap(one: Proposal, other: Proposal) -> bool:
    """Tell whether two are about the same characters, or both put something in at one place."""
    if one.start == one.end == other.start == other.end:
        return True
    return one.start < other.end and other.start < one.end


def overlapping(proposals: Iterable[Proposal]) -> list[tuple[Proposal, ...]]:
    """Give the accepted ones that cannot all be read: groups of those that overlap, in the text's order."""
    groups: list[list[Proposal]] = []
    for each in sorted((one for one in proposals if one.accepted), key=lambda one: (one.start, one.end)):
        if groups and any(_overlap(each, other) for other in groups[-1]):
            groups[-1].append(each)
        else:
            groups.append([each])
    return [tuple(group) for group in groups if len(group) > 1]


def readable(proposals: Iterable[Proposal]) -> tuple[Proposal, ...]:
    """Give what was accepted and can be read: nothing of what overlaps, for which of it is meant nobody has said."""
    every = [each for each in proposals if each.accepted]
    left_out = {key_of(each) for group in overlapping(every) for each in group}
    return tuple(each for each in every if key_of(each) not in left_out)


def overlaps_told(name: str, proposals: Iterable[Proposal]) -> list[Finding]:
    """Say of a work which accepted ones overlap, and what is to be done: a warning for each group."""
    return [
        Finding(
            code="overlap",
            grade="warning",
            cause=f"{name}: accepted emendations are about the same characters, and none of them is read: "
            f"{'; '.join(map(told_shortly, group))}; reject all but one: "
            f"yanli corpus emend {name} --reject {key_of(group[-1])} --by NAME --reason WORDS",
        )
        for group in overlapping(proposals)
    ]


def reviewed(
    found: Iterable[Proposal], accept: Iterable[str], reject: Iterable[str], *, reviewer: str, reason: str
) -> list[Proposal]:
    """Accept and reject by key; give those that were, as they are then.

    Raises RiteError, and nothing is to be changed then: as `called` and `review` do, ``not-together`` for one accepted
    and rejected at once, ``overlap`` for each that is to be accepted where another accepted one is.
    """
    every = tuple(found)
    steps: dict[str, Proposal] = {}
    for keys, yes in ((accept, True), (reject, False)):
        for key in keys:
            each = called(every, key)
            own = key_of(each)
            if own in steps and steps[own].accepted is not yes:
                raise RiteError(Finding(code="not-together", cause=f"{own} is accepted and rejected at once"))
            steps[own] = review(each, accept=yes, reviewer=reviewer, reason=reason)
    then = [steps.get(key_of(each), each) for each in every]
    faults = [
        Finding(
            code="overlap",
            cause=f"{told_shortly(each)} cannot be accepted: {told_shortly(other)} is about the same characters and "
            f"{'is to be accepted too' if key_of(other) in steps else f'was accepted by {other.reviewer}'}; "
            f"with --reject {key_of(other)} it can",
        )
        for each in steps.values()
        if each.accepted
        for other in then
        if other.accepted and other is not each and _overlap(each, other)
    ]
    if faults:
        raise RiteError(*faults)
    return list(steps.values())


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
