"""What stands beside a clause: everything that the works of a store say of it, by layer.

Comes in: a store whose remarks are anchored, a rite's clauses. Goes out: for each clause its sayings: canon first, then
the old note, how it is read, the subcommentary, later commentators, compilers, translations. A remark that several
works have is one saying, with every work that has it and what each has otherwise. A damaged work is read with what was
accepted of the emendations proposed for it, and with nothing else of them; of accepted ones that overlap none is read.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from functools import cache, partial
from itertools import accumulate
from typing import TYPE_CHECKING

import msgspec

from yanli.corpus.anchor import anchor
from yanli.corpus.emendation import overlaps_told
from yanli.corpus.model import DAMAGE, Anchor, FaultKind, How, Layer, Piece, Remark, State, Text
from yanli.corpus.quote_same import Anchored, Change, Said, same_remarks
from yanli.corpus.reread import Reread, read_again

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from yanli.corpus.model import Fault, Proposal
    from yanli.corpus.store import Store
    from yanli.errors import Finding

    Clauses = Sequence[tuple[str, str]]

ORDER = (
    Layer.canon, Layer.note, Layer.gloss, Layer.subnote, Layer.remark, Layer.judgement, Layer.translation, Layer.lemma,
    Layer.heading, Layer.sign,
)  # fmt: skip
_AROUND = 60  # so many clauses behind it may the note stand that is about the whole stretch before it


class Emended(msgspec.Struct, frozen=True, kw_only=True):
    """An emendation that is read in a remark: ``words`` for ``found``, which stands in the work; who accepted it."""

    found: str
    words: str
    reviewer: str
    reason: str


class Damaged(msgspec.Struct, frozen=True, kw_only=True):
    """A place in a remark that is damaged in the work, and for which nothing was accepted: what stands there, where."""

    kind: FaultKind
    found: str
    start: int
    end: int


class Where(msgspec.Struct, frozen=True, kw_only=True):
    """A work that has a saying: its title, the remark's number, page and line; ``changes`` from the saying's words.

    ``quoted_by`` are those who quote it there, innermost first. ``emended`` is what is read there that does not stand
    so in the work: emendations that were accepted, in their order. ``damaged`` are the places that were not emended:
    what is read there is not what he wrote.
    """

    work: str
    title: str
    remark: int
    page: str | None
    line: int
    quoted_by: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    emended: tuple[Emended, ...] = ()
    damaged: tuple[Damaged, ...] = ()


class Saying(msgspec.Struct, frozen=True, kw_only=True):
    """What one man says of a clause, in the fullest of the works that have it (``works``, that one first).

    ``first`` to ``last`` are the clauses of which it speaks, as far as is known: ``confidence`` from 0 to 1, ``how``.
    ``stands`` is the clause right behind the words of which it stands, or within which (in the first work of which that
    is known).
    """

    layer: Layer
    speaker: str | None
    text: str
    works: tuple[Where, ...]
    first: str
    last: str
    confidence: float
    how: How
    stands: str | None = None


class Beside(msgspec.Struct, frozen=True, kw_only=True):
    """A clause with all that is said of it.

    An old note stands behind the words that it is about, and they may be several clauses. ``sayings`` are what speaks
    of the clause, wherever it stands; ``notes`` are old notes that speak, as far as is known, of others: those that
    stand right behind this one or within it, and where no old note stands here or speaks of it, those that follow next.
    So every old note is beside the clause behind which the works have it.
    """

    clause: str
    text: str
    sayings: tuple[Saying, ...]
    notes: tuple[Saying, ...] = ()
    references: tuple[Saying, ...] = ()
    """remarks on other words, of this rite or another, that refer to these by quoting them"""


def beside(store: Store, clauses: Clauses, wanted: Iterable[str] | None = None) -> list[Beside]:
    """Give what is said of the clauses with these ids (of all, if None), in the order of the rite."""
    if not clauses:
        return []
    number = {clause: i for i, (clause, _) in enumerate(clauses)}
    held = set(number.values()) if wanted is None else {number[clause] for clause in wanted if clause in number}
    rite = clauses[0][0].split(".", 1)[0]
    works: dict[str, _Work] = {}
    anchored = store.beside(rite)
    # A work is read once, though its remarks both speak of the clauses and refer to them.
    read = cache(partial(_read, store))
    for name, every in anchored.items():
        anchors = [a for a in every if a.first in number and a.last in number and a.how != "reference"]
        # The same remark may be anchored a little elsewhere in another work, and the next note stands behind.
        if any(not held.isdisjoint(range(number[a.first] - _AROUND, number[a.last] + _AROUND)) for a in anchors):
            works[name] = _work(*read(name), anchors, clauses)
    said: dict[int, list[tuple[tuple[int, ...], Saying]]] = {}
    standing: dict[int, list[tuple[Saying, range]]] = {}
    for saying, covered, stands in _sayings(works, [clause for clause, _ in clauses], number):
        key = (ORDER.index(saying.layer), len(covered), covered.start)
        for each in covered:
            if each in held:
                said.setdefault(each, []).append((key, saying))
        if saying.layer is Layer.note:
            for each in stands or {covered.stop - 1}:
                standing.setdefault(each, []).append((saying, covered))
    annotators = Counter(saying.speaker for here in standing.values() for saying, _ in here)
    annotator = annotators.most_common(1)[0][0] if annotators else None
    referring = _referring(anchored, read, [clause for clause, _ in clauses], number, held)
    ends = sorted(i for i, here in standing.items() if any(saying.speaker == annotator for saying, _ in here))
    return [
        Beside(
            clause=clauses[i][0],
            text=clauses[i][1],
            sayings=tuple(saying for _, saying in sorted(said.get(i, ()), key=lambda row: row[0])),
            notes=_behind(i, [saying for _, saying in said.get(i, ())], standing, ends, annotator),
            references=tuple(referring.get(i, ())),
        )
        for i in sorted(held)
    ]


def unread(store: Store, rite: str | None = None) -> list[Finding]:
    """Say which emendations of works on a rite (None: of all works) are accepted but not read, as they overlap."""
    return [
        told
        for name in (store.beside(rite) if rite else store.names())
        for told in overlaps_told(name, store.proposals(name))
    ]


def _read(store: Store, name: str) -> tuple[Text, Reread | None]:
    """Give a work as it was found, and read with what was accepted of the emendations proposed for it."""
    text = store.text(name)
    return text, read_again(text, store.proposals(name))


def _referring(
    anchored: Mapping[str, Sequence[Anchor]],
    read: Callable[[str], tuple[Text, Reread | None]],
    ids: Sequence[str],
    number: Mapping[str, int],
    held: set[int],
) -> dict[int, list[Saying]]:
    """Give for clauses (by number) the remarks that refer to them, by layer, the most quoted first."""
    rounds: list[dict[str, _Work]] = []
    for name, every in anchored.items():
        found = [a for a in every if a.how == "reference" and a.first in number and a.last in number]
        found = [a for a in found if not held.isdisjoint(range(number[a.first], number[a.last] + 1))]
        if not found:
            continue
        text, again = read(name)
        ways = again.ways() if again else {a.remark: a.remark for a in found}
        # A remark that refers to several places is told of one after another.
        several: dict[int, list[Anchor]] = {}
        for a in found:
            if a.remark in ways:
                own = msgspec.structs.replace(a, remark=ways[a.remark], how="position")
                several.setdefault(own.remark, []).append(own)
        for turn in range(max(map(len, several.values()), default=0)):
            if turn == len(rounds):
                rounds.append({})
            now = tuple(each[turn] for each in several.values() if turn < len(each))
            rounds[turn][name] = _Work(Anchored(again.text if again else text, now), _Places(text, again))
    said = [row for works in rounds for row in _sayings(works, ids, number)]
    told: dict[int, list[Saying]] = {}
    for saying, covered, _ in sorted(said, key=lambda row: (ORDER.index(row[0].layer), -len(row[0].works))):
        for each in covered:
            told.setdefault(each, []).append(msgspec.structs.replace(saying, how="reference"))
    return told


def _behind(
    i: int,
    said: Iterable[Saying],
    standing: Mapping[int, Sequence[tuple[Saying, range]]],
    ends: Sequence[int],
    annotator: str | None,
) -> tuple[Saying, ...]:
    """Give the notes that stand behind a clause and speak of others; where it has none at all, the next near behind.

    Who annotated the rite is ``annotator``: an old note of somebody else, whom a compiler quotes, does for none.
    """
    here = standing.get(i, ())
    own = tuple(saying for saying, covered in here if i not in covered)
    every = [*said, *(saying for saying, _ in here)]
    after = bisect_right(ends, i)
    if any(saying.layer is Layer.note and saying.speaker == annotator for saying in every) or after == len(ends):
        return own
    return own if ends[after] - i > _AROUND else (*own, *(saying for saying, _ in standing[ends[after]]))


class _Work(msgspec.Struct, frozen=True, eq=False):
    """A work as it is shown: read with what was accepted, its anchors on the rite, and the places of its remarks."""

    shown: Anchored
    places: _Places


def _work(text: Text, again: Reread | None, anchors: Sequence[Anchor], clauses: Clauses) -> _Work:
    """Give a work as it is shown: as it was found, or with its emendations (``again``)."""
    if again is None:
        return _Work(Anchored(text, tuple(anchors)), _Places(text))
    return _Work(Anchored(again.text, tuple(_anew(again, anchors, clauses))), _Places(text, again))


def _anew(again: Reread, anchors: Sequence[Anchor], clauses: Clauses) -> Iterator[Anchor]:
    """Anchor a text read anew: what belongs to the rite goes on to belong to it, what was set by hand stays."""
    before = {a.remark: a for a in anchors}
    now = {a.remark: a for a in anchor(again.text, clauses)}
    for remark in again.text.remarks:
        was = before.get(number) if (number := again.found(remark)) is not None else None
        if was is not None:
            own = now.get(remark.number)
            yield msgspec.structs.replace(was if own is None or was.how == "hand" else own, remark=remark.number)


def _sayings(
    works: Mapping[str, _Work], ids: Sequence[str], number: Mapping[str, int]
) -> Iterator[tuple[Saying, range, set[int]]]:
    """Give each saying once, with the clauses (by number) of which it is told in any of its works, and where it is."""
    remarks = {name: {remark.number: remark for remark in work.shown.text.remarks} for name, work in works.items()}
    anchors = {name: {a.remark: a for a in work.shown.anchors} for name, work in works.items()}
    done: set[Said] = set()

    def saying(first: Said, others: Iterable[tuple[Said, tuple[Change, ...]]]) -> tuple[Saying, range, set[int]]:
        remark, a = remarks[first.work][first.remark], anchors[first.work][first.remark]
        each = [(first, ()), *others]
        done.update(one for one, _ in each)
        surest = max((anchors[one.work][one.remark] for one, _ in each), key=lambda found: found.confidence)
        a = a if a.confidence >= surest.confidence else surest
        stands = [anchors[one.work][one.remark].stands for one, _ in each]
        told = [stand for stand in stands if stand is not None and stand in number]
        a = msgspec.structs.replace(a, last=reaching(first, a, each))
        return (
            Saying(
                layer=remark.layer,
                speaker=remark.speaker,
                text=remark.text,
                works=tuple(works[one.work].places.where(remarks[one.work][one.remark], ch) for one, ch in each),
                first=a.first,
                last=a.last,
                confidence=a.confidence,
                how=a.how,
                stands=told[0] if told else None,
            ),
            range(number[a.first], number[a.last] + 1),
            {number[stand] for stand in told},
        )

    def reaching(first: Said, a: Anchor, each: Iterable[tuple[Said, tuple[Change, ...]]]) -> str:
        """Give the last clause of a saying: a part of it may stand behind a later one in a work that divides it."""
        stands = anchors[first.work][first.remark].stands
        parts = [change.elsewhere for _, changes in each for change in changes if change.words and change.elsewhere]
        reach = number[stands] if stands is not None and stands in number else -1
        return max(
            (part for part in (a.last, *parts) if part == a.last or number[part] <= reach), key=number.__getitem__
        )

    for group in same_remarks([work.shown for work in works.values()], ids):
        yield saying(group.first, ((other.said, other.changes) for other in group.others))
    for name, work in works.items():
        for a in work.shown.anchors:
            said = Said(work=name, remark=a.remark)
            if said not in done and a.remark in remarks[name]:
                yield saying(said, ())


class _Places:
    """Where the remarks of a text stand: page and line of the text as found, though it be read anew."""

    def __init__(self, text: Text, again: Reread | None = None) -> None:
        """``text`` as found; ``again``: the same with emendations, of which the remarks are."""
        self.text = text
        self.again = again
        self.starts = [piece.start for piece in text.pieces]
        # The text as found has its faults, in order; those at places that were emended are none any more.
        taken = again.taken if again else ()
        faults = [each for each in text.faults if each.kind in DAMAGE and each.state is not State.supplied]
        ends = list(accumulate((each.end for each in taken), max))
        self.faults = [each for each in faults if not _touched(taken, ends, each)]
        self.ends = list(accumulate((each.end for each in self.faults), max))

    def where(self, remark: Remark, changes: tuple[Change, ...]) -> Where:
        """Give the place of a remark."""
        start = remark.spans[0][0] if remark.spans else None
        number: int | None = remark.number
        emended: tuple[Emended, ...] = ()
        stood = self.again.stood(remark) if self.again is not None else list(remark.spans)
        if self.again is not None:
            start = self.again.place(start) if start is not None else None
            number = self.again.found(remark)
            emended = tuple(
                Emended(found=each.found, words=each.emended, reviewer=each.reviewer, reason=each.reason)
                for each in self.again.of(remark)
            )
        piece = self._piece(start) if start is not None else None
        return Where(
            work=self.text.name,
            title=self.text.title,
            remark=remark.number if number is None else number,
            page=piece.page if piece else None,
            line=piece.line if piece else 1,
            quoted_by=remark.quoted_by,
            changes=changes,
            emended=emended,
            damaged=tuple(self._damaged(stood)),
        )

    def _damaged(self, stood: Iterable[tuple[int, int]]) -> Iterator[Damaged]:
        """Give what is damaged of these stretches of the text as found."""
        told: set[int] = set()
        for start, end in stood:
            for i in range(bisect_right(self.ends, start), len(self.faults)):
                each = self.faults[i]
                if each.start >= end:
                    break
                if each.end > start and i not in told:
                    told.add(i)
                    yield Damaged(kind=each.kind, found=each.found, start=each.start, end=each.end)

    def _piece(self, offset: int) -> Piece | None:
        at = bisect_right(self.starts, offset) - 1
        return self.text.pieces[at] if at >= 0 else None


def _touched(taken: Sequence[Proposal], ends: Sequence[int], fault: Fault) -> bool:
    """Tell whether one of these proposals, whose ends are at most ``ends``, is about any of a fault's characters."""
    for i in range(bisect_right(ends, fault.start), len(taken)):
        if taken[i].start >= fault.end:
            return False
        if taken[i].end > fault.start:
            return True
    return False
