"""What one reading of a text gives, and how the parts of each remark are put together.

Comes in: who is speaking (frames), and the stretches of text that are his. Goes out: remarks, and all that was read.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from yanli.corpus.model import Layer, Piece, Remark

OPEN_LAYERS = (Layer.canon, Layer.heading, Layer.lemma, Layer.sign)
"""Layers that have no remarks. A tuple: an enum's hash is slow, and these are looked up for every stretch of words."""
Span = tuple[int, int]


class Frame:
    """Whose words are being read: a layer, a speaker, who quotes him, and the number of the remark once it has one."""

    __slots__ = ("layer", "lemma", "number", "quoted", "speaker")

    def __init__(self, layer: Layer, speaker: str | None = None, quoted: tuple[str, ...] = ()) -> None:
        self.layer = layer
        self.speaker = speaker
        self.quoted = quoted
        self.number: int | None = None
        self.lemma: str | None = None


class Said(NamedTuple):
    """What a label tells: who speaks, whom he is quoted by, in which layer, and how many lines end within its words."""

    speaker: str | None
    quoted: tuple[str, ...]
    layer: Layer
    fixed: Frame | None
    lines: int


class Loose(NamedTuple):
    """A bracket that has no other: where it stands, and whether it is the opening one."""

    start: int
    opening: bool


class Scanned(msgspec.Struct, frozen=True, kw_only=True):
    """What one reading gave."""

    pieces: tuple[Piece, ...]
    remarks: tuple[Remark, ...]
    pages: tuple[tuple[int, str], ...]
    loose: tuple[Loose, ...]


def remarks_of(text: str, spans: list[list[Span]], heads: list[tuple[Frame, int]]) -> tuple[Remark, ...]:
    """Put the parts of each remark together: of each, where they stand, whose it is and how much canon is before it."""
    found: list[Remark] = []
    for own, (frame, after) in zip(spans, heads, strict=True):
        words: list[str] = []
        ends, touch = -1, False
        for start, end in own:
            words.append(text[start:end])
            if start == ends:
                touch = True
            ends = end
        found.append(
            Remark(
                number=len(found),
                layer=frame.layer,
                text="".join(words),
                spans=tuple(_joined(own) if touch else own),
                after=after,
                speaker=frame.speaker,
                quoted_by=frame.quoted,
                lemma=frame.lemma,
            )
        )
    return tuple(found)


def _joined(spans: list[Span]) -> list[Span]:
    """Make one span of those that touch."""
    found: list[Span] = []
    for start, end in spans:
        if found and found[-1][1] == start:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found
