"""What the comparing of works finds, for people: quotations with what became of them.

Comes in: works of a store. Goes out: values, and the same as text or CSV.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from yanli.corpus.quote import Passage, quotations
from yanli.corpus.quote_reach import Reach
from yanli.corpus.quote_same import Anchored, Change, Faith, attested
from yanli.corpus.quoted import Quoted, Side, Sides, prepared, quoted, quoted_csv
from yanli.corpus.reread import read_again
from yanli.render.beside import change_words
from yanli.render.corpus import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from yanli.corpus.model import Anchor, Layer, Proposal, Remark, Text
    from yanli.corpus.quoting import Pair, Table

KINDS = {
    "全": "word for word",
    "節": "abridged",
    "改": "altered",
    "無": "not there",
    "損": "damaged",
    "未涵": "not reached",
}
SHOWN = 60


class Held(msgspec.Struct, frozen=True, kw_only=True):
    """A remark that one work quotes, beside what its speaker says in the other: how faithful, and what differs.

    ``damaged`` is what differs only where one of the two cannot be read.
    """

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
    damaged: tuple[Change, ...] = ()


class Quotations(msgspec.Struct, frozen=True, kw_only=True):
    """What of one work stands in another, and how far its quotations say what the other says."""

    one: str
    other: str
    passages: list[Quoted]
    attested: list[Held]


def quotations_of(
    one: Text,
    other: Text,
    anchors: tuple[Sequence[Anchor], Sequence[Anchor]],
    rites: Mapping[str, Sequence[tuple[str, str]]],
    layers: Iterable[Layer] = (),
    least: int = 8,
    proposals: tuple[Sequence[Proposal], Sequence[Proposal]] = ((), ()),
) -> Quotations:
    """Give the passages of ``one`` that stand in ``other``, and hold its quotations to the other's remarks.

    ``anchors`` are those of both works, ``rites`` the clauses that they name. Canon and commentary are sought apart;
    ``layers`` seeks in these alone; ``least`` characters must agree. Passages are those of the works as found; where
    quotations are held to the other's remarks, both are read with what was accepted of ``proposals`` (of both works).
    """
    layers = tuple(layers)
    ours, theirs = Sides(one, layers), Sides(other, layers)
    found: list[Passage] = []
    # Rites of which neither work says anything cost time and tell nothing.
    about = {rite: rites[rite] for rite in rites if any(a.rite == rite for own in anchors for a in own)}
    lots = [prepared(text, layers, own, about) for text, own in zip((one, other), anchors, strict=True)]
    for own_lot, other_lot in zip(*lots, strict=True):
        found += quotations(own_lot, [other_lot], least=least)
    held: list[Held] = []
    read = [_Read(text, own, made) for text, own, made in zip((one, other), anchors, proposals, strict=True)]
    for rite, clauses in rites.items():
        both = [side.on(rite) for side in read]
        if all(side.anchors for side in both):
            held += _held(read[0], both, rite, clauses, ours)
    return Quotations(one=one.name, other=other.name, passages=list(quoted(found, ours, theirs)), attested=held)


class _Read:
    """A work with its anchors, read with the emendations that were accepted, if any were."""

    def __init__(self, text: Text, anchors: Sequence[Anchor], proposals: Sequence[Proposal]) -> None:
        self.again = read_again(text, proposals)
        self.text, self._anchors = text, list(anchors)
        if self.again is not None:
            self.text = self.again.text
            now: dict[int | None, list[int]] = {}
            for remark in self.text.remarks:
                now.setdefault(self.again.found(remark), []).append(remark.number)
            self._anchors = [
                msgspec.structs.replace(a, remark=number) for a in anchors for number in now.get(a.remark, ())
            ]

    def on(self, rite: str) -> Anchored:
        """Give it with its anchors to one rite."""
        return Anchored(self.text, tuple(a for a in self._anchors if a.rite == rite and a.how != "reference"))

    def start(self, remark: Remark) -> int:
        """Give where a remark begins in the work as found."""
        first = remark.spans[0][0]
        return self.again.place(first) if self.again is not None else first

    def number(self, remark: Remark) -> int:
        """Give its number in the work as found (its own, if all of its words were put in)."""
        was = self.again.found(remark) if self.again is not None else None
        return remark.number if was is None else was


def _held(
    read: _Read, both: Sequence[Anchored], rite: str, clauses: Sequence[tuple[str, str]], sides: Sides
) -> Iterable[Held]:
    one, other = both
    remarks = {remark.number: remark for remark in one.text.remarks}
    reach = Reach(other.text, other.anchors, rite, clauses)
    for each in attested(one, other, [clause for clause, _ in clauses], reach):
        remark = remarks[each.said.remark]
        start = read.start(remark)
        side = sides.side(start, start + 1)
        yield Held(
            faith=each.faith,
            speaker=remark.speaker,
            rite=rite,
            remark=read.number(remark),
            page=side.page,
            line=side.line,
            words=remark.text,
            sources=each.sources,
            held=each.held,
            changes=each.changes,
            damaged=each.damaged,
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
                lines += [f"      損 damaged　{change_words(change)}" for change in each.damaged]
    lines += ["", "段 passages", *_passages(found.passages)]
    return "\n".join(lines) + "\n"


def _passages(passages: Iterable[Quoted]) -> Iterator[str]:
    """Passages in lines: where in both, how it reads; and how in the other, where that differs."""
    for passage in passages:
        one, other = passage.one, passage.other
        yield f"  {passage.kind} {passage.same}　{_side(one)} ＝ {_side(other)}"
        yield f"      {visible(one.words)}"
        if passage.kind != "全":
            yield f"      {visible(other.words)}"


def pairs_text(pairs: Iterable[Pair]) -> Iterator[str]:
    """The passages of one work in many others, to read: each other work as it comes, and a count at the end."""
    works = count = 0
    for pair in pairs:
        if pair.told:
            yield f"{pair.other}　未比 not compared　{visible(pair.told)}\n"
            continue
        works += 1
        count += len(pair.passages)
        same = sum(each.same for each in pair.passages)
        yield f"{pair.one} 見於 in {pair.other}：{len(pair.passages)} 段 passages，{same:,} 字 characters\n"
        yield "".join(f"{line}\n" for line in _passages(pair.passages))
    yield f"共 in all {works:,} 種 works，{count:,} 段 passages\n"


def table_text(table: Table, done: int, of: int) -> str:
    """What became of the table of a work's passages in all others, in a line."""
    if table.told:
        return f"{done}/{of}　未比 not compared　{table.name}　{visible(table.told)}\n"
    if table.there:
        return f"{done}/{of}　已有 there already　{table.name}\n"
    return f"{done}/{of}　{table.passages:,} 段 passages　{table.works:,} 種 works　{table.name}\n"


def pairs_csv(pairs: Iterable[Pair]) -> Iterator[str]:
    """The passages of one work in many others as CSV, one line each."""
    yield quoted_csv(())
    yield from (quoted_csv(pair.passages, heading=False) for pair in pairs)
