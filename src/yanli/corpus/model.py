"""What a text is made of when it has been taken in: pieces, remarks, faults, anchors.

Comes in: nothing; these are values. Goes out: the same to everybody in this room. A text is kept as found; offsets
are code points of the text as decoded (``start:end``, from 0). Pieces lie one behind another and cover all of it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

import msgspec


class Layer(StrEnum):
    """Whose words a piece is, by the field's own names."""

    canon = "經"
    """the canonical words, or those of the work itself where it is no commentary"""
    note = "注"
    """the old note (鄭玄), however it is set apart"""
    subnote = "疏"
    """the subcommentary on canon and note (賈公彥)"""
    gloss = "音"
    """how a character is read, which form it has, and what other editions have for it"""
    remark = "論"
    """a later commentator"""
    judgement = "案"
    """the compilers' own word on what they quote"""
    translation = "譯"
    """a modern translation"""
    lemma = "引"
    """words repeated from the text only to say what is spoken of (司射至矢拾)"""
    heading = "題"
    """titles, colophons, names of parts"""
    sign = "標"
    """signs of the copy: page and line marks, brackets that set a layer apart, file headers, blanks, line ends"""


class State(StrEnum):
    """What became of a character that cannot be read from the copy."""

    illegible = "□"
    black = "■"
    unencoded = "&"
    supplied = "補"


class Piece(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A stretch of a text that is of one layer and one speaker, on one page.

    ``speaker`` is the commentator by his full name where the copy names him; ``quoted_by`` whoever quotes him,
    innermost first. ``remark`` numbers the remark that it is a part of (a remark cut by page and line ends is one);
    None for signs, headings and canon. ``page`` as the copy counts (``004-2a``), None where it does not; ``line`` from
    1 in the file.
    """

    start: int
    end: int
    layer: Layer
    line: int
    page: str | None = None
    speaker: str | None = None
    quoted_by: tuple[str, ...] = ()
    remark: int | None = None


FaultKind = Literal[
    "control", "surrogate", "undecodable", "misread-run", "pinyin-in-brackets", "lost-character", "illegible", "black",
    "unencoded", "empty-page", "missing-page", "repeated-page", "unclosed-note", "unopened-note", "count-differs",
    "unassigned", "unknown-family",
]  # fmt: skip
DAMAGE: frozenset[FaultKind] = frozenset({
    "surrogate", "undecodable", "misread-run", "pinyin-in-brackets", "lost-character", "illegible", "black",
})  # fmt: skip
"""Faults at whose place other signs stand than the work has."""


class Fault(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Something damaged in a copy: where it is, what stands there, and what is known of it (``told``, for people)."""

    kind: FaultKind
    start: int
    end: int
    line: int
    page: str | None = None
    found: str = ""
    told: str = ""
    state: State | None = None


class Remark(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One remark: what one man says in one go about something.

    ``text`` is what he says, without signs, its parts joined; ``spans`` where they stand. ``after`` is how many
    characters of canon come before it in the text (its place, if nothing better tells what it is about). ``lemma`` are
    the words that the copy repeats to say what is spoken of.
    """

    number: int
    layer: Layer
    text: str
    spans: tuple[tuple[int, int], ...]
    after: int
    speaker: str | None = None
    quoted_by: tuple[str, ...] = ()
    lemma: str | None = None


How = Literal["position", "lemma", "quotation", "reference", "hand"]


class Anchor(msgspec.Struct, frozen=True, kw_only=True):
    """A remark speaks of the clauses ``first`` to ``last`` of a rite (ids, both included), as far as is known.

    ``confidence`` from 0 to 1; ``how`` it was found. ``stands`` is the clause behind the words of which (or within
    which) the work has it, None where the work has no canon there: a note stands where its stretch of canon ends,
    though it may speak of words further up.
    """

    remark: int
    rite: str
    first: str
    last: str
    confidence: float
    how: How
    stands: str | None = None


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """What is proposed for a damaged place: ``emended`` for what stands at ``start:end`` (``found``).

    ``method`` says how it was got, ``evidence`` what bears it out (the parallel's words, with work and place),
    ``certain`` whether bytes or a parallel leave no doubt of its words; ``likely`` are the marks of punctuation in
    ``emended`` that are likely all the same: no parallel tells them, and what is left of their bytes is in several.
    Nothing is changed by it: a reading of the text may ask for it.
    Whoever reviews it accepts or rejects it (``reviewer``), and says why (``reason``).
    """

    start: int
    end: int
    found: str
    emended: str
    method: str
    evidence: str
    certain: bool
    author: str
    likely: str = ""
    accepted: bool = False
    rejected: bool = False
    reviewer: str = ""
    reason: str = ""


class Text(msgspec.Struct, frozen=True, kw_only=True):
    """A text taken in: its pieces, remarks and faults. ``text`` as decoded, nothing changed.

    ``family`` names the profile it was read by, ``sure`` how sure that was (0 to 1), ``why`` what spoke for it.
    """

    name: str
    title: str
    family: str
    text: str
    encoding: str
    pieces: tuple[Piece, ...]
    remarks: tuple[Remark, ...]
    faults: tuple[Fault, ...]
    sure: float = 1.0
    why: str = ""

    def layer(self, layer: Layer) -> str:
        """All that is of one layer, joined."""
        return "".join(self.text[piece.start : piece.end] for piece in self.pieces if piece.layer is layer)

    @property
    def damaged(self) -> int:
        """How many places are damaged: all faults, but that the text is of no known make, which is no damage."""
        return sum(fault.kind != "unknown-family" for fault in self.faults)

    def shares(self) -> dict[str, int]:
        """How many characters are of each layer; they add up to the length of the text."""
        found: dict[str, int] = {}
        for piece in self.pieces:
            found[piece.layer.value] = found.get(piece.layer.value, 0) + piece.end - piece.start
        return found
