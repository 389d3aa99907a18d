"""What was read of a text as it lies in the store: bytes that are made soon, read soon, and few.

Comes in: a text. Goes out: bytes, and the text again. What a text has many of, pieces and remarks, is kept by columns:
all that is said of one thing stands together, and no name of a field again and again. Words are not kept twice: what a
remark says is put together of the text where it can be.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Literal, TypeVar

import msgspec

from yanli.corpus.model import Fault, Layer, Piece, Remark, Text

T = TypeVar("T", bound=msgspec.Struct)

_SURROGATE = re.compile("[\\\\\ud800-\udfff]")
_ESCAPE = re.compile(r"\\(u[0-9a-f]{4}|\\)")
_Quoted = tuple[str, ...]


class Rows(msgspec.Struct, frozen=True, array_like=True):
    """A text without what stands elsewhere in the store, each piece and remark by itself.

    So the first stores had it, and so it is where strings have lone surrogates, which are then ``escaped``. ``words``
    is None where the bytes that came in are its very UTF-8.
    """

    words: bytes | None
    title: str
    why: str
    pieces: tuple[Piece, ...]
    remarks: tuple[Remark, ...]
    faults: tuple[Fault, ...]
    escaped: bool = False

    def changed(self, change: Callable[[str], str]) -> Rows:
        """The same with every string changed."""
        return Rows(
            self.words,
            change(self.title),
            change(self.why),
            tuple(strings(piece, change) for piece in self.pieces),
            tuple(strings(remark, change) for remark in self.remarks),
            tuple(strings(fault, change) for fault in self.faults),
            not self.escaped,
        )

    def rows(self, _: str) -> Rows:
        """Give the very same: nothing of it is made of the text."""
        return self


class _Pieces(msgspec.Struct, frozen=True, array_like=True):
    """Pieces by columns; ``starts`` is None where each begins at the other's end, as it should."""

    starts: list[int] | None
    ends: list[int]
    layers: list[Layer]
    lines: list[int]
    pages: list[str | None]
    speakers: list[str | None]
    quoted_by: list[_Quoted]
    remarks: list[int | None]


class _Remarks(msgspec.Struct, frozen=True, array_like=True):
    """Remarks by columns; a text is None where it is what stands at the spans."""

    numbers: list[int]
    layers: list[Layer]
    texts: list[str | None]
    spans: list[tuple[tuple[int, int], ...]]
    afters: list[int]
    speakers: list[str | None]
    quoted_by: list[_Quoted]
    lemmata: list[str | None]


class _Columns(msgspec.Struct, frozen=True, array_like=True):
    """What `Rows` has, by columns."""

    form: Literal[2]
    words: bytes | None
    title: str
    why: str
    pieces: _Pieces
    remarks: _Remarks
    faults: tuple[Fault, ...]

    def rows(self, text: str) -> Rows:
        """Give each piece and remark of this text by itself."""
        held, said = self.pieces, self.remarks
        starts = held.starts if held.starts is not None else [0, *held.ends][: len(held.ends)]
        pieces = tuple(
            Piece(start=start, end=end, layer=layer, line=line, page=page, speaker=who, quoted_by=by, remark=number)
            for start, end, layer, line, page, who, by, number in zip(
                starts, held.ends, held.layers, held.lines, held.pages, held.speakers, held.quoted_by, held.remarks,
                strict=True,
            )
        )  # fmt: skip
        remarks = tuple(
            Remark(
                number=number, layer=layer, text=_joined(text, spans) if words is None else words, spans=spans,
                after=after, speaker=who, quoted_by=by, lemma=lemma,
            )
            for number, layer, words, spans, after, who, by, lemma in zip(
                said.numbers, said.layers, said.texts, said.spans, said.afters, said.speakers, said.quoted_by,
                said.lemmata, strict=True,
            )
        )  # fmt: skip
        return Rows(self.words, self.title, self.why, pieces, remarks, self.faults)


def encode(text: Text, words: bytes | None) -> bytes:
    """Write what was read of a text; ``words``: its own, where the bytes that came in are not its very UTF-8."""
    try:
        return msgspec.msgpack.encode(_columns(text, words))
    except UnicodeEncodeError:  # a lone surrogate, which no encoder takes
        rows = Rows(words, text.title, text.why, text.pieces, text.remarks, text.faults)
        return msgspec.msgpack.encode(rows.changed(escape))


def decode(data: bytes) -> Rows | _Columns:
    """Read what `encode` wrote, now or when stores were younger. Raises msgspec.DecodeError for anything else."""
    try:
        return msgspec.msgpack.decode(data, type=_Columns)
    except msgspec.ValidationError:
        rows = msgspec.msgpack.decode(data, type=Rows)
        return rows.changed(unescape) if rows.escaped else rows


def _columns(text: Text, words: bytes | None) -> _Columns:
    held, said, whole = text.pieces, text.remarks, text.text
    starts: list[int] | None = [piece.start for piece in held]
    ends = [piece.end for piece in held]
    if starts == [0, *ends][: len(ends)]:
        starts = None
    pieces = _Pieces(
        starts, ends, [piece.layer for piece in held], [piece.line for piece in held], [piece.page for piece in held],
        [piece.speaker for piece in held], [piece.quoted_by for piece in held], [piece.remark for piece in held],
    )  # fmt: skip
    remarks = _Remarks(
        [remark.number for remark in said], [remark.layer for remark in said],
        [None if remark.text == _joined(whole, remark.spans) else remark.text for remark in said],
        [remark.spans for remark in said], [remark.after for remark in said], [remark.speaker for remark in said],
        [remark.quoted_by for remark in said], [remark.lemma for remark in said],
    )  # fmt: skip
    return _Columns(2, words, text.title, text.why, pieces, remarks, text.faults)


def _joined(text: str, spans: tuple[tuple[int, int], ...]) -> str:
    return "".join([text[start:end] for start, end in spans])


def escape(words: str) -> str:
    r"""Write lone surrogates as ``\udc80``, and ``\`` as ``\\``."""
    return _SURROGATE.sub(lambda m: "\\\\" if m[0] == "\\" else f"\\u{ord(m[0]):04x}", words)


def unescape(words: str) -> str:
    """Undo `escape`."""
    return _ESCAPE.sub(lambda m: "\\" if m[1] == "\\" else chr(int(m[1][1:], 16)), words)


def strings(value: T, change: Callable[[str], str]) -> T:
    """Change the strings in a struct's fields, alone or in a tuple; what is an enum stays."""
    fields: dict[str, Any] = {}
    for field in value.__struct_fields__:
        now = getattr(value, field)
        if type(now) is str:
            fields[field] = change(now)
        elif isinstance(now, tuple):
            fields[field] = tuple(change(each) if type(each) is str else each for each in now)
    return msgspec.structs.replace(value, **fields)
