"""What the comparing of works finds, for people: quotations with what became of them, proposals for damaged places.

Comes in: works of a store. Goes out: values, and the same as text or CSV.
"""

from __future__ import annotations

import csv
import io
from bisect import bisect_right
from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from yanli.corpus.model import Layer
from yanli.corpus.quote import Kind, Passage, prepare_text, quotations
from yanli.corpus.quote_same import Anchored, Change, Faith, attested
from yanli.render.corpus import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from yanli.corpus.model import Anchor, Proposal, Text

SAID = tuple(layer for layer in Layer if layer not in {Layer.sign, Layer.canon, Layer.lemma, Layer.heading})
KINDS = {"全": "word for word", "節": "abridged", "改": "altered", "無": "not there"}
SHOWN = 60


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """A passage in one of two works: where it begins, whose words it is, and the words."""

    work: str
    start: int
    end: int
    layer: Layer
    page: str | None
    line: int
    speaker: str | None
    words: str


class Quoted(msgspec.Struct, frozen=True, kw_only=True):
    """A passage that stands in both works; ``same`` characters of it agree."""

    kind: Kind
    same: int
    one: Side
    other: Side


class Held(msgspec.Struct, frozen=True, kw_only=True):
    """A remark that one work quotes, beside what its speaker says in the other: how faithful, and what differs."""

    faith: Faith
    speaker: str | None
    rite: str
    remark: int
    page: str | None
    line: int
    words: str
    sources: tuple[int, ...]
    held: float
    changes: tuple[Change, ...]


class Quotations(msgspec.Struct, frozen=True, kw_only=True):
    """What of one work stands in another, and how far its quotations say what the other says."""

    one: str
    other: str
    passages: list[Quoted]
    attested: list[Held]


class _Sides:
    """Gives the sides of passages of one text."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.starts = [piece.start for piece in text.pieces]

    def side(self, start: int, end: int) -> Side:
        """Give the passage from one offset to another, without signs of the copy."""
        first = max(bisect_right(self.starts, start) - 1, 0)
        words = []
        for piece in self.text.pieces[first:]:
            if piece.start >= end:
                break
            if piece.layer is not Layer.sign:
                words.append(self.text.text[max(piece.start, start) : min(piece.end, end)])
        piece = self.text.pieces[first]
        return Side(
            work=self.text.name,
            start=start,
            end=end,
            layer=piece.layer,
            page=piece.page,
            line=piece.line,
            speaker=piece.speaker,
            words="".join(words),
        )


def quotations_of(
    one: Text,
    other: Text,
    anchors: tuple[Sequence[Anchor], Sequence[Anchor]],
    rites: Mapping[str, Sequence[tuple[str, str]]],
    layers: Iterable[Layer] = (),
    least: int = 8,
) -> Quotations:
    """Give the passages of ``one`` that stand in ``other``, and hold its quotations to the other's remarks.

    ``anchors`` are those of both works, ``rites`` the clauses that they name. Canon and commentary are sought apart;
    ``layers`` seeks in these alone; ``least`` characters must agree.
    """
    ours, theirs = _Sides(one), _Sides(other)
    lots = [tuple(layers)] if layers else [(Layer.canon,), SAID]
    found: list[Passage] = []
    # Rites of which neither work says anything cost time and tell nothing.
    about = {rite: rites[rite] for rite in rites if any(a.rite == rite for own in anchors for a in own)}
    for lot in lots:
        sides = [prepare_text(text, lot, own, about) for text, own in zip((one, other), anchors, strict=True)]
        found += quotations(sides[0], sides[1:], least=least)
    held: list[Held] = []
    for rite, clauses in rites.items():
        both = [
            Anchored(text, tuple(a for a in own if a.rite == rite and a.how != "reference"))
            for text, own in zip((one, other), anchors, strict=True)
        ]
        if all(side.anchors for side in both):
            held += _held(both[0], both[1], rite, [clause for clause, _ in clauses], ours)
    passages = [
        Quoted(
            kind=each.kind,
            same=each.same,
            one=ours.side(each.start, each.end),
            other=theirs.side(each.low, each.high),
        )
        for each in sorted(found, key=lambda each: each.start)
    ]
    return Quotations(one=one.name, other=other.name, passages=passages, attested=held)


def _held(one: Anchored, other: Anchored, rite: str, clauses: Sequence[str], sides: _Sides) -> Iterable[Held]:
    remarks = {remark.number: remark for remark in one.text.remarks}
    for each in attested(one, other, clauses):
        remark = remarks[each.said.remark]
        side = sides.side(*remark.spans[0])
        yield Held(
            faith=each.faith,
            speaker=remark.speaker,
            rite=rite,
            remark=remark.number,
            page=side.page,
            line=side.line,
            words=remark.text,
            sources=each.sources,
            held=each.held,
            changes=each.changes,
        )


def _place(page: str | None, line: int) -> str:
    return f"葉 {page}" if page else f"行 line {line}"


def _side(side: Side) -> str:
    return f"{_place(side.page, side.line)} {side.layer.value}{' ' + side.speaker if side.speaker else ''}"


def quotations_text(found: Quotations) -> str:
    """The same, to read: counts, the quotations that differ, every passage."""
    kinds = Counter(each.kind for each in found.passages)
    counted = "、".join(f"{kind} {KINDS[kind]} {n}" for kind, n in kinds.items()) or "無 none"
    same = sum(each.same for each in found.passages)
    lines = [f"{found.one} 見於 in {found.other}：{len(found.passages)} 段 passages，{same:,} 字 characters　{counted}"]
    if found.attested:
        faiths = Counter(each.faith for each in found.attested)
        counted = "、".join(f"{faith} {KINDS[faith]} {n}" for faith, n in faiths.items())
        lines += ["", f"所引與本文 quotations held to their source：{len(found.attested)}　{counted}"]
        for each in found.attested:
            if each.faith != "全":
                lines.append(
                    f"  {each.faith}　{each.speaker or ''}　{_place(each.page, each.line)}　{each.held:.0%}　"
                    f"{visible(each.words[:SHOWN])}{'…' if len(each.words) > SHOWN else ''}"
                )
                lines += [f"      {change_words(change)}" for change in each.changes]
    lines += ["", "段 passages"]
    for passage in found.passages:
        one, other = passage.one, passage.other
        lines.append(f"  {passage.kind} {passage.same}　{_side(one)} ＝ {_side(other)}")
        lines.append(f"      {visible(one.words)}")
        if passage.kind != "全":
            lines.append(f"      {visible(other.words)}")
    return "\n".join(lines) + "\n"


def change_words(change: Change) -> str:
    """A difference in a few words."""
    if change.words and change.reading:
        return f"「{change.words}」→「{change.reading}」"
    return f"無「{change.words}」" if change.words else f"增「{change.reading}」"


def quotations_csv(found: Quotations) -> str:
    """The passages as CSV, one line each."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    names = ("work", "start", "end", "layer", "page", "line", "speaker", "words")
    writer.writerow(["kind", "same", *names, *(f"source_{name}" for name in names)])
    for each in found.passages:
        row = [getattr(side, name) for side in (each.one, each.other) for name in names]
        writer.writerow([each.kind, each.same, *row])
    return stream.getvalue()


def proposals_text(proposals: Sequence[tuple[int, Proposal]]) -> str:
    """Proposals with their numbers, each with its evidence and what was said to it."""
    if not proposals:
        return "無 nothing is proposed\n"
    every = [each for _, each in proposals]
    counts = (
        ("確 certain", sum(each.certain for each in every)),
        ("已從 accepted", sum(each.accepted for each in every)),
        ("已駁 rejected", sum(each.rejected for each in every)),
    )
    lines = [f"議 proposals：{len(every)}　" + "　".join(f"{said} {n}" for said, n in counts)]
    for number, each in proposals:
        state = "從 accepted" if each.accepted else "駁 rejected" if each.rejected else "議 proposed"
        sure = "確 certain" if each.certain else "疑 likely"
        emended = visible(each.emended) or "（刪 left out）"
        lines.append(f"{number}　{state}　{sure}　[{each.start}:{each.end}]　{visible(each.found)} → {emended}")
        said = "；".join(visible(words) for words in (each.method, each.evidence) if words)
        lines.append(f"    {each.author}：{said}")
        if each.reason:
            lines.append(f"    {each.reviewer or each.author}：{visible(each.reason)}")
    return "\n".join(lines) + "\n"
