"""Finds which passages of one work stand in another: whole, abridged or altered.

Comes in: two texts, each made ready once by `prepare`. Goes out: passages, by their offsets in both. Grams of four
characters that both have are joined, rare ones only (a formula such as 北面再拜 does not say where it was taken from);
what lies on one diagonal is a run, and runs that follow one another in both texts, a little apart, are one passage.
The time grows with the length of the texts, not with their product. Shapes and scripts are folded; offsets are code
points of the texts as given.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import msgspec

from yanli.corpus.anchor import ground
from yanli.corpus.anchor_place import places
from yanli.corpus.anchor_words import fold_words
from yanli.corpus.entities import folded_codes
from yanli.corpus.model import Anchor, Layer, Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    Codes = npt.NDArray[np.uint32]
    Grams = npt.NDArray[np.uint64]
    Numbers = npt.NDArray[np.int64]

Kind = Literal["全", "節", "改"]

_GRAM = 4
_BITS = 21  # a code point has no more
_SPREAD = 0x9E3779B97F4A7C15  # odd, its bits well mixed: 2^64 divided by the golden ratio
_COMMON = 6  # a gram that one of the texts has more often than this is a formula
_GAP = 12  # so far apart may runs of one passage lie where words were altered
_LEFT_OUT = 60  # so many words of the source may be left out at one place
_LEAST = 8  # characters that a passage must share, unless `least` says otherwise
_LOOK = 6  # among so many runs before it in the source is the one sought that a run goes on with
_BATCH = 400_000  # so many characters of sources are joined at a time
_SAID = tuple(layer for layer in Layer if layer is not Layer.sign)
_FEW = 8
_HALF = 32
_LOW = (1 << _HALF) - 1
_KINDS: tuple[Kind, ...] = ("全", "節", "改")
_CLAUSES = 8  # so many clauses apart, both speak of the same occasion still
_OWN = 0.95  # a rite that has so great a part of a text's canon is what the text is of, though nobody anchored it
_LONG = 24  # a passage of so many characters is no formula, unless the rite is known to have its words


class Place(msgspec.Struct, frozen=True):
    """From ``offset`` on, words speak of the clause with this number of this rite."""

    offset: int
    rite: str
    number: int


class Prepared(msgspec.Struct, frozen=True, eq=False):
    """A text made ready: ``codes`` of its words, folded, ``offsets`` where each stands, ``grams`` that begin at each.

    ``places`` say which clause of which rite the words from an offset on speak of, in order; empty if nobody knows.
    ``entities``: where characters that are written as entities begin and end; such a one is one word. ``common`` are
    the grams of these rites' own words, sorted: what says nothing of where it was taken from.
    """

    name: str
    codes: Codes
    offsets: Numbers
    grams: Grams
    places: tuple[Place, ...] = ()
    entities: dict[int, int] = {}
    common: Grams | None = None

    def end(self, word: int) -> int:
        """Give the offset behind a word (by its number among ``codes``)."""
        offset = int(self.offsets[word])
        return self.entities.get(offset, offset + 1)

    def formula(self, start: int, end: int) -> bool:
        """Tell whether words are for the most part such as the rites themselves have; yes, if theirs are not known."""
        import numpy as np

        if self.common is None:
            return True
        first, last = np.searchsorted(self.offsets, (start, end)).tolist()
        own = self.grams[first : max(last - _GRAM + 1, first + 1)]
        at = np.minimum(np.searchsorted(self.common, own), len(self.common) - 1)
        return bool(np.count_nonzero(self.common[at] == own) * 2 >= len(own))

    def place(self, offset: int) -> Place | None:
        """Tell of which clause the words at an offset speak, if that is known."""
        before = bisect_right(self.places, offset, key=_offset_of) - 1
        return self.places[before] if before >= 0 else None


class Passage(msgspec.Struct, frozen=True, kw_only=True):
    """Words ``start:end`` of a text that stand in ``source`` at ``low:high``; ``same`` characters of them agree.

    ``kind``: 全 word for word, 節 with words of the source left out, 改 altered otherwise.
    """

    start: int
    end: int
    source: str
    low: int
    high: int
    same: int
    kind: Kind


class Index(msgspec.Struct, frozen=True, eq=False):
    """A text to look for in others: its grams sorted, where each begins, and a table that most others fall through.

    ``slots`` gives for the first bits of a gram its number among ``grams`` if it is rare, -1 if there is none;
    ``shared`` says of which of these several have the same first bits.
    """

    text: Prepared
    grams: Grams
    first: Numbers
    where: Numbers
    slots: npt.NDArray[np.int32]
    shared: npt.NDArray[np.bool_]
    shift: int


class _Batch(msgspec.Struct, frozen=True, eq=False):
    """Several sources one behind another, so that short ones cost no more than long ones."""

    sources: tuple[Prepared, ...]
    bases: Numbers
    codes: Codes
    grams: Grams


class _Runs(msgspec.Struct, frozen=True, eq=False):
    """Runs of equal characters, by where they begin in the text and in the batch, and their length."""

    start: Numbers
    low: Numbers
    length: Numbers


def prepare(text: str, name: str = "", known: Iterable[Place] = ()) -> Prepared:
    """Make a text ready, once for all its comparisons; ``known`` says, in order, of which clause it speaks where."""
    import numpy as np

    folded, entities = folded_codes(text)
    offsets = np.flatnonzero(folded)
    codes = folded[offsets]
    wide = codes.astype(np.uint64)
    if len(wide) < _GRAM:
        grams = np.zeros(0, dtype=np.uint64)
    else:
        pairs = (wide[:-1] << np.uint64(_BITS)) | wide[1:]
        grams = (pairs[:-2] * np.uint64(_SPREAD)) ^ pairs[2:]
        grams *= np.uint64(_SPREAD)
    return Prepared(name, codes, offsets, grams, tuple(known), entities)


def prepare_text(
    text: Text,
    layers: Iterable[Layer] = _SAID,
    anchors: Sequence[Anchor] = (),
    rites: Mapping[str, Sequence[tuple[str, str]]] | None = None,
) -> Prepared:
    """Make the words of some layers of a text ready; offsets stay those of the whole text.

    ``anchors`` are its remarks' and ``rites`` the clauses (ids and words) that they name: with them it is known of what
    its canon and its remarks speak, and no formula jumps from one section to another. A text without anchors is of
    those of the ``rites`` that have nearly all of its canon. Canon and commentary are best made ready apart: a note
    does not interrupt the canon then.
    """
    wanted = frozenset(layers)
    words = "".join(
        text.text[piece.start : piece.end] if piece.layer in wanted else " " * (piece.end - piece.start)
        for piece in text.pieces
    )
    known: list[Place] = []
    named: list[str] = []
    for rite, clauses in (rites or {}).items():
        own = [anchor for anchor in anchors if anchor.rite == rite and anchor.how != "reference"]
        there = list(canon_places(text, rite, clauses, least=0.0 if own else _OWN)) if own or not anchors else []
        if own or there:
            named.append(rite)
            known += _remarks_places(text, own, clauses)
            known += there
    prepared = prepare(words, text.name, sorted(known, key=_offset_of))
    if named and rites:
        common = _common_grams(tuple("".join(words for _, words in rites[rite]) for rite in named))
        prepared = msgspec.structs.replace(prepared, common=common)
    return prepared


@lru_cache(maxsize=64)
def _common_grams(rites: tuple[str, ...]) -> Grams:
    """Give the grams of the words of some rites, sorted."""
    import numpy as np

    return np.unique(np.concatenate([prepare(words).grams for words in rites]))


def _remarks_places(text: Text, anchors: Sequence[Anchor], clauses: Sequence[tuple[str, str]]) -> Iterator[Place]:
    """Give of which clause each anchored remark speaks."""
    number = {clause: i for i, (clause, _) in enumerate(clauses)}
    spans = {remark.number: remark.spans[0][0] for remark in text.remarks if remark.spans}
    for anchor in anchors:
        if anchor.remark in spans and anchor.first in number:
            yield Place(spans[anchor.remark], anchor.rite, number[anchor.first])


def canon_places(text: Text, rite: str, clauses: Sequence[tuple[str, str]], least: float) -> Iterator[Place]:
    """Give where in a text the canon goes on to another clause, if the rite has so great a part of it (0 to 1)."""
    base = ground(clauses)
    canon = fold_words(text.layer(Layer.canon))
    where = places(canon.text, base.words)
    if sum(place >= 0 for place in where) < least * len(where):
        return
    stands = [offset for piece in text.pieces if piece.layer is Layer.canon for offset in range(piece.start, piece.end)]
    last = -1
    for at, place in zip(canon.offsets, where, strict=True):
        if place >= 0 and base.owner[place] != last:
            last = base.owner[place]
            yield Place(stands[at], rite, last)


def index(text: Prepared) -> Index:
    """Make ready to look for the passages of a text in others."""
    import numpy as np

    order = np.argsort(text.grams, kind="stable")
    ranked = text.grams[order]
    new = np.ones(len(ranked), dtype=np.bool_)
    new[1:] = ranked[1:] != ranked[:-1]
    first = np.append(np.flatnonzero(new), len(ranked))
    grams = ranked[first[:-1]]
    rare = np.flatnonzero(np.diff(first) <= _COMMON)
    width = max(12, len(grams).bit_length() + 3)
    slots = np.full(1 << width, -1, dtype=np.int32)
    buckets = grams[rare] >> np.uint64(64 - width)
    slots[buckets] = rare
    shared = slots[buckets] != rare
    several = np.zeros(1 << width, dtype=np.bool_)
    several[buckets[shared]] = True
    return Index(text, grams, first, order, slots, several, 64 - width)


def quotations(text: Prepared | Index, sources: Iterable[Prepared], *, least: int = _LEAST) -> list[Passage]:
    """Give every passage of ``text`` that stands in one of the sources, in the order of the text.

    A passage shares at least ``least`` characters. Where both texts know their clauses, words that the rite itself has
    must belong to about the same clause in both: so a formula never jumps from one section to another.
    """
    looked_for = text if isinstance(text, Index) else index(text)
    found: list[Passage] = []
    for batch in _batches(sources):
        runs = _runs(looked_for, batch)
        if runs is not None:
            found += _joined(looked_for.text, batch, runs, least)
    return sorted(found, key=_order)


def _order(passage: Passage) -> tuple[int, int, str, int]:
    """Passages stand by their place in the text, the longer first."""
    return (passage.start, -passage.end, passage.source, passage.low)


def _batches(sources: Iterable[Prepared]) -> Iterator[_Batch]:
    """Put sources together, so many at a time as a processor's cache holds."""
    held: list[Prepared] = []
    size = 0
    for source in sources:
        held.append(source)
        size += len(source.codes)
        if size >= _BATCH:
            yield _batch(held)
            held, size = [], 0
    if held:
        yield _batch(held)


def _batch(sources: list[Prepared]) -> _Batch:
    """Put sources one behind another, a gap of no words between them."""
    import numpy as np

    gap = np.zeros(_GRAM, dtype=np.uint32)
    blank = np.zeros(_GRAM * 2, dtype=np.uint64)
    codes, grams, bases, base = [gap], [blank[:_GRAM]], [], _GRAM
    for source in sources:
        bases.append(base)
        codes += (source.codes, gap)
        # A text has fewer grams than characters: the rest of its place, and the gap's, stays blank.
        grams += (source.grams, blank[: len(source.codes) - len(source.grams) + _GRAM])
        base += len(source.codes) + _GRAM
    return _Batch(tuple(sources), np.array(bases), np.concatenate(codes), np.concatenate(grams))


def _runs(looked_for: Index, batch: _Batch) -> _Runs | None:
    """Join a text with a batch by the rare grams that both have, and give the longest runs that these lie in."""
    import numpy as np

    buckets = batch.grams >> np.uint64(looked_for.shift)
    at = looked_for.slots[buckets]
    through = np.flatnonzero(at >= 0)
    if not len(through):
        return None
    at, grams = at[through], batch.grams[through]
    held = looked_for.grams[at] == grams
    again = np.flatnonzero(~held)
    again = again[looked_for.shared[buckets[through[again]]]]
    if len(again):
        second = np.searchsorted(looked_for.grams, grams[again])
        second[second == len(looked_for.grams)] = 0
        at[again] = second
        held[again] = looked_for.grams[second] == grams[again]
    held &= grams != 0
    at, through = at[held].astype(np.int64), through[held]
    # How often each is in its own source: the sources of a batch do not count for one another.
    counts = np.diff(np.append(np.searchsorted(through, batch.bases), len(through)))
    own = at * len(batch.bases) + np.repeat(np.arange(len(batch.bases)), counts)
    there = np.bincount(own, minlength=1)[own]
    here = looked_for.first[at + 1] - looked_for.first[at]
    rare = (here <= _COMMON) & (there <= _COMMON)
    at, through, here = at[rare], through[rare], here[rare]
    if not len(at):
        return None
    # Every place of the gram here with its place there.
    ends = np.cumsum(here)
    low = np.repeat(through, here)
    within = np.arange(int(ends[-1])) - np.repeat(ends - here - looked_for.first[at], here)
    return _lengthened(looked_for.text.codes, batch.codes, looked_for.where[within], low)


def _lengthened(ours: Codes, theirs: Codes, start: Numbers, low: Numbers) -> _Runs:
    """Bring grams that follow one another together and let each run grow as far as the texts agree."""
    import numpy as np

    key = ((low - start + len(ours)) << _HALF) | start
    key.sort()
    new = np.ones(len(key), dtype=np.bool_)
    new[1:] = np.diff(key) > _GRAM
    firsts = np.flatnonzero(new)
    lasts = np.append(firsts[1:], len(key)) - 1
    start = key[firsts] & _LOW
    shift = (key[firsts] >> _HALF) - len(ours)
    end = (key[lasts] & _LOW) + _GRAM
    # Frequent grams were left out of the join, so a run may go on at both its ends. The gaps of a batch end it there.
    start -= _grown(ours, theirs, start - 1, start - 1 + shift, -1)
    end += _grown(ours, theirs, end, end + shift, 1)
    # Runs that grew into one another are one.
    once = np.ones(len(start), dtype=np.bool_)
    once[1:] = (shift[1:] != shift[:-1]) | (start[1:] >= end[:-1])
    ends = np.maximum.reduceat(end, np.flatnonzero(once))
    start, shift = start[once], shift[once]
    return _Runs(start, start + shift, ends - start)


def _grown(ours: Codes, theirs: Codes, at: Numbers, there: Numbers, step: int) -> Numbers:
    """Tell how far two texts agree from each of some places on, forwards (``step`` 1) or backwards (-1)."""
    import numpy as np

    grown = np.zeros_like(at)
    active = np.flatnonzero((at >= 0) & (at < len(ours)))
    # Nearly all end within a few characters: those are looked at all together, one character at a time.
    for length in range(_FEW):
        active = active[ours[at[active] + step * length] == theirs[there[active] + step * length]]
        grown[active] += 1
        following = at[active] + step * (length + 1)
        active = active[(following >= 0) & (following < len(ours))]
        if not len(active):
            return grown
    # The others one by one, so that a text that says one thing a million times takes no million steps.
    for i in active.tolist():
        mine, other = ours[at[i] :: step], theirs[there[i] :: step]
        length, window = _FEW, 64
        while length < len(mine):
            size = min(window, len(mine) - length, len(other) - length)
            unlike = np.flatnonzero(mine[length : length + size] != other[length : length + size])
            if len(unlike) or not size:
                length += int(unlike[0]) if len(unlike) else 0
                break
            length, window = length + size, window * 2
        grown[i] = length
    return grown


def _joined(text: Prepared, batch: _Batch, runs: _Runs, least: int) -> list[Passage]:
    """Join runs that follow one another in both texts, a little apart, into passages."""
    import numpy as np

    order = np.argsort(runs.low, kind="stable")
    start, low, length = runs.start[order], runs.low[order], runs.length[order]
    before, between, skipped = _links(start, low, length, np.searchsorted(batch.bases, low, side="right"))
    linked = np.flatnonzero(before >= 0)
    root = np.arange(len(start))
    root[linked] = before[linked]
    # Whoever is linked to one that is linked belongs to the first of all: halve the way until nothing changes.
    while not np.array_equal(further := root[root], root):
        root = further
    # 0 word for word, 1 words of the source left out, 2 altered otherwise.
    kind = np.zeros(len(start), dtype=np.int64)
    kind[linked[skipped[linked] > between[linked]]] = 1
    kind[linked[(between[linked] > 0) | (skipped[linked] < 0)]] = 2
    same = length.copy()
    same[linked] += np.minimum(np.minimum(between[linked], skipped[linked]), 0)
    chain = np.argsort(root, kind="stable")
    heads = np.flatnonzero(np.append(True, np.diff(root[chain]) > 0))
    shared = np.add.reduceat(same[chain], heads)
    kept = shared >= least
    first = start[chain[heads]][kept]
    last = np.maximum.reduceat((start + length)[chain], heads)[kept] - 1
    bottom = low[chain[heads]][kept]
    top = np.maximum.reduceat((low + length)[chain], heads)[kept] - 1
    kinds = np.maximum.reduceat(kind[chain], heads)[kept]
    source = np.searchsorted(batch.bases, bottom, side="right") - 1
    base = batch.bases[source]
    rows = zip(
        text.offsets[first].tolist(),
        last.tolist(),
        source.tolist(),
        (bottom - base).tolist(),
        (top - base).tolist(),
        shared[kept].tolist(),
        kinds.tolist(),
        strict=True,
    )
    found = [
        Passage(
            start=begin,
            end=text.end(end),
            source=(held := batch.sources[number]).name,
            low=int(held.offsets[under]),
            high=held.end(over),
            same=count,
            kind=_KINDS[which],
        )
        for begin, end, number, under, over, count, which in rows
    ]
    if not text.places or not any(held.places for held in batch.sources):
        return found
    named = dict(zip((held.name for held in batch.sources), batch.sources, strict=True))
    return [passage for passage in found if not _jumps(text, named[passage.source], passage)]


def _links(start: Numbers, low: Numbers, length: Numbers, source: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Give for each run, by its place in the batch, the one that it goes on with (-1: none), and how far apart.

    Both are in one ``source`` (by number): the next source begins right behind it. The distances are those in the text
    and in the source. A run goes on with the nearest before it, and only one goes on with each.
    """
    import numpy as np

    before = np.full(len(start), -1)
    between, skipped = np.zeros_like(start), np.zeros_like(start)
    nearest = np.full(len(start), _LEFT_OUT + _GAP + 1)
    end, high = start + length, low + length
    for step in range(1, min(_LOOK, len(start) - 1) + 1):
        ours, theirs = start[step:] - end[:-step], low[step:] - high[:-step]
        far = np.abs(ours) + np.abs(theirs)
        good = (ours >= -_GRAM) & (ours <= _GAP) & (theirs >= -_GRAM) & (theirs <= _LEFT_OUT)
        good &= (end[step:] > end[:-step]) & (high[step:] > high[:-step]) & (start[step:] > start[:-step])
        good &= (far < nearest[step:]) & (source[step:] == source[:-step])
        at = np.flatnonzero(good)
        nearest[at + step] = far[at]
        before[at + step] = at
        between[at + step], skipped[at + step] = ours[at], theirs[at]
    # Of several that would go on with one, the nearest does.
    linked = np.flatnonzero(before >= 0)
    ranked = linked[np.lexsort((nearest[linked], before[linked]))]
    late = ranked[1:][before[ranked[1:]] == before[ranked[:-1]]]
    before[late] = -1
    return before, between, skipped


def _jumps(text: Prepared, source: Prepared, passage: Passage) -> bool:
    """Tell whether a passage stands at clauses far apart: a formula that both happen to use.

    Where the rite's own words are not known a long one is none. Where they are, it may be as long as it will: what is
    done once more is told in the same words, some forty of them at a time.
    """
    if passage.same >= _LONG and text.common is None:
        return False
    ours, theirs = text.place(passage.start), source.place(passage.low)
    if ours is None or theirs is None or ours.rite != theirs.rite:
        return False
    return abs(ours.number - theirs.number) > _CLAUSES and text.formula(passage.start, passage.end)


def _offset_of(place: Place) -> int:
    """Places are in the order of their offsets."""
    return place.offset
