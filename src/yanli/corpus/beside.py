"""What stands beside a clause: everything that the works of a store say of it, by layer.

Comes in: a store whose remarks are anchored, a rite's clauses. Goes out: for each clause its sayings: canon first, then
the old note, how it is read, the subcommentary, later commentators, compilers, translations. A remark that several
works have is one saying, with every work that has it and what each has otherwise.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

import msgspec

from yanli.corpus.belonging import belonging
from yanli.corpus.model import How, Layer, Piece, Remark, Text
from yanli.corpus.quote_same import Anchored, Change, Said, same_remarks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from yanli.corpus.store import Store

    Clauses = Sequence[tuple[str, str]]

ORDER = (
    Layer.canon, Layer.note, Layer.gloss, Layer.subnote, Layer.remark, Layer.judgement, Layer.translation, Layer.lemma,
    Layer.heading, Layer.sign,
)  # fmt: skip
_AROUND = 60  # so many clauses behind it may the note stand that is about the whole stretch before it


class Where(msgspec.Struct, frozen=True, kw_only=True):
    """A work that has a saying: its title, the remark's number, page and line; ``changes`` from the saying's words.

    ``quoted_by`` are those who quote it there, innermost first.
    """

    work: str
    title: str
    remark: int
    page: str | None
    line: int
    quoted_by: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()


class Saying(msgspec.Struct, frozen=True, kw_only=True):
    """What one man says of a clause, in the fullest of the works that have it (``works``, that one first).

    ``first`` to ``last`` are the clauses of which it speaks, as far as is known: ``confidence`` from 0 to 1, ``how``.
    """

    layer: Layer
    speaker: str | None
    text: str
    works: tuple[Where, ...]
    first: str
    last: str
    confidence: float
    how: How


class Beside(msgspec.Struct, frozen=True, kw_only=True):
    """A clause with all that is said of it.

    Where it has no old note of its own, ``notes`` are those that follow next, at the end of the stretch that has none
    before: a note stands behind the words that it is about, and they may be several clauses.
    """

    clause: str
    text: str
    sayings: tuple[Saying, ...]
    notes: tuple[Saying, ...] = ()


def anchor_works(store: Store, names: Iterable[str], rites: Mapping[str, Clauses]) -> Iterator[tuple[str, int]]:
    """Anchor works to rites, in the store; give each work's name, when it is done, and how many anchors it has.

    Anchors that a work had on these rites are put away. Works that could not be read have none.
    """
    for name in names:
        if store.entry(name).status != "read":
            continue
        found = belonging(store.text(name), rites)
        for rite in rites:
            store.set_anchors(name, rite, found.get(rite, ()))
        yield name, sum(map(len, found.values()))


def beside(store: Store, clauses: Clauses, wanted: Iterable[str] | None = None) -> list[Beside]:
    """Give what is said of the clauses with these ids (of all, if None), in the order of the rite."""
    if not clauses:
        return []
    number = {clause: i for i, (clause, _) in enumerate(clauses)}
    held = set(number.values()) if wanted is None else {number[clause] for clause in wanted if clause in number}
    rite = clauses[0][0].split(".", 1)[0]
    works: dict[str, Anchored] = {}
    for name, every in store.beside(rite).items():
        anchors = [a for a in every if a.first in number and a.last in number]
        # The same remark may be anchored a little elsewhere in another work, and the next note stands behind.
        near = [a for a in anchors if not held.isdisjoint(range(number[a.first] - _AROUND, number[a.last] + _AROUND))]
        if near:
            works[name] = Anchored(store.text(name), tuple(near))
    said: dict[int, list[tuple[tuple[int, ...], Saying]]] = {}
    notes: dict[int, list[Saying]] = {}
    for saying, covered in _sayings(works, [clause for clause, _ in clauses], number):
        key = (ORDER.index(saying.layer), len(covered), covered.start)
        for each in covered:
            if each in held:
                said.setdefault(each, []).append((key, saying))
        if saying.layer is Layer.note:
            notes.setdefault(covered.stop - 1, []).append(saying)
    ends = sorted(notes)
    return [
        Beside(
            clause=clauses[i][0],
            text=clauses[i][1],
            sayings=tuple(saying for _, saying in sorted(said.get(i, ()), key=lambda row: row[0])),
            notes=tuple(_next(i, said.get(i, ()), notes, ends)),
        )
        for i in sorted(held)
    ]


def _next(
    i: int, said: Iterable[tuple[object, Saying]], notes: Mapping[int, Sequence[Saying]], ends: Sequence[int]
) -> Sequence[Saying]:
    """Where a clause has no note of its own: the notes at the next clause, near behind it, that has some."""
    if any(saying.layer is Layer.note for _, saying in said):
        return ()
    after = bisect_right(ends, i)
    return notes[ends[after]] if after < len(ends) and ends[after] - i <= _AROUND else ()


def _sayings(
    works: Mapping[str, Anchored], ids: Sequence[str], number: Mapping[str, int]
) -> Iterator[tuple[Saying, range]]:
    """Give each saying once, with the clauses (by number) of which it is told in any of its works."""
    remarks = {name: {remark.number: remark for remark in work.text.remarks} for name, work in works.items()}
    anchors = {name: {a.remark: a for a in work.anchors} for name, work in works.items()}
    lines = {name: _Places(work.text) for name, work in works.items()}
    done: set[Said] = set()

    def saying(first: Said, others: Iterable[tuple[Said, tuple[Change, ...]]]) -> tuple[Saying, range]:
        remark, a = remarks[first.work][first.remark], anchors[first.work][first.remark]
        each = [(first, ()), *others]
        done.update(one for one, _ in each)
        surest = max((anchors[one.work][one.remark] for one, _ in each), key=lambda found: found.confidence)
        a = a if a.confidence >= surest.confidence else surest
        return (
            Saying(
                layer=remark.layer,
                speaker=remark.speaker,
                text=remark.text,
                works=tuple(lines[one.work].where(remarks[one.work][one.remark], changes) for one, changes in each),
                first=a.first,
                last=a.last,
                confidence=a.confidence,
                how=a.how,
            ),
            range(number[a.first], number[a.last] + 1),
        )

    for group in same_remarks(list(works.values()), ids):
        yield saying(group.first, ((other.said, other.changes) for other in group.others))
    for name, work in works.items():
        for a in work.anchors:
            said = Said(work=name, remark=a.remark)
            if said not in done and a.remark in remarks[name]:
                yield saying(said, ())


class _Places:
    """Where the remarks of a text stand: page and line."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.starts = [piece.start for piece in text.pieces]

    def where(self, remark: Remark, changes: tuple[Change, ...]) -> Where:
        """Give the place of a remark."""
        piece = self._piece(remark.spans[0][0]) if remark.spans else None
        return Where(
            work=self.text.name,
            title=self.text.title,
            remark=remark.number,
            page=piece.page if piece else None,
            line=piece.line if piece else 1,
            quoted_by=remark.quoted_by,
            changes=changes,
        )

    def _piece(self, offset: int) -> Piece | None:
        at = bisect_right(self.starts, offset) - 1
        return self.text.pieces[at] if at >= 0 else None
