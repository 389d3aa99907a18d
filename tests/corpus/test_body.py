"""What was read of a text comes back from its bytes, from those of older stores too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from yanli.corpus.body import Rows, decode, encode
from yanli.corpus.model import Fault, Layer, Piece, Remark, Text
from yanli.corpus.reading import read_file

WORDS = st.text(st.sampled_from("主人賓\\\ud800\udcff𠀀"), max_size=6)


def text_of(words: str, cuts: list[int], said: str | None, speaker: str) -> Text:
    """A text cut into pieces (which may leave something between them), with a remark that says this or what stands."""
    ends = sorted({min(cut, len(words)) for cut in cuts} | {len(words)})
    pieces = tuple(
        Piece(start=max(end - 2, 0), end=end, layer=Layer.note, line=n, speaker=speaker, quoted_by=("甲", speaker))
        for n, end in enumerate(ends, 1)
    )
    spans = ((0, 1), (1, len(words)))
    stands = "".join(words[start:end] for start, end in spans)
    remark = Remark(
        number=3, layer=Layer.subnote, text=stands if said is None else said, spans=spans, after=1, lemma=speaker
    )
    return Text(
        name="n", title=speaker, family="f", text=words, encoding="utf-8", pieces=pieces, remarks=(remark,),
        faults=(Fault(kind="black", start=0, end=1, line=1, found="■"),), why=speaker,
    )  # fmt: skip


def same(text: Text, rows: Rows) -> bool:
    return (text.title, text.why, text.pieces, text.remarks, text.faults) == (
        rows.title, rows.why, rows.pieces, rows.remarks, rows.faults,
    )  # fmt: skip


@given(WORDS, st.lists(st.integers(0, 6), max_size=4), st.none() | WORDS, WORDS)
def test_a_text_comes_back_whatever_is_in_it(words: str, cuts: list[int], said: str | None, speaker: str) -> None:
    text = text_of(words, cuts, said, speaker)
    kept = words.encode("utf-8", "surrogatepass")
    rows = decode(encode(text, kept)).rows(words)
    assert same(text, rows)
    assert rows.words == kept
    assert decode(encode(text, None)).rows(words).words is None


@pytest.mark.parametrize("speaker", ["鄭玄", "\\"])
def test_stores_of_before_are_read(speaker: str) -> None:
    text = text_of("主人賓", [1, 2], None, speaker)
    older = Rows(None, text.title, text.why, text.pieces, text.remarks, text.faults)
    assert same(text, decode(msgspec.msgpack.encode(older)).rows(text.text))


def test_a_remark_is_not_kept_twice(shared: Callable[..., Path]) -> None:
    data = shared("witnesses", "KR1d0026_005.txt").read_bytes()
    text = read_file(data, "KR1d0026_005.txt")
    older = msgspec.msgpack.encode(Rows(None, text.title, text.why, text.pieces, text.remarks, text.faults))
    assert len(encode(text, None)) * 2 < len(older)
    assert same(text, decode(encode(text, None)).rows(text.text))


def test_what_is_no_text_is_refused() -> None:
    for bad in (b"", b"\x00", b"\xc1", msgspec.msgpack.encode([2, None, "題"]), msgspec.msgpack.encode({"a": 1})):
        with pytest.raises(msgspec.DecodeError):
            decode(bad)
