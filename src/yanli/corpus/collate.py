"""Sets two texts beside each other, character by character.

Comes in: two texts without blanks, and the places where either has lost pages.
Goes out: typed differences. Shapes of the same character are folded before aligning, so they never disturb it; they are
reported all the same, as 字形. Offsets are code points. The alignment is of least cost: as many characters are put in,
left out or changed as the edit distance of the folded texts says, but where a loss is laid to its page, words are
found to have moved, or one text begins or ends elsewhere.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Literal

import msgspec
from rapidfuzz.distance import Levenshtein

from yanli.corpus.spelling import fold_graphic, fold_same_length

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from yanli.corpus.kanripo import Gap

Kind = Literal["異文", "字形", "脫", "衍", "倒", "佚葉", "底本佚葉", "移", "起", "止"]

_NEAR = 8  # so few characters may part the pieces of one loss, or what changed places
_PAGE_LOSS = 20  # from so many lost characters on, a loss at a lost page is laid to the page
_SEED = 8  # so many characters in a row, left out here and put in there, may be of words that moved
_MOVED = 16  # so many must have moved together: shorter ones are formulae that any rite says twice
_OFTEN = 8  # what stands at more places than this is a formula, and tells nothing of where words went
_EDGE = 8  # from so many characters on, what one text has before or behind the other is no variant of it
_SOLID = 16  # where so many characters in a row agree both texts are there
_LIKE = 0.5  # what is less like than this (0 to 1) is not the same passage
_CHANCE = 3  # so few equal characters between two edits may be chance, where words have moved


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """One difference: ``words`` of the base at ``start:end``; ``reading`` of the other, at ``other`` in it.

    ``kind``: 異文 other words, 字形 another shape of the same, 脫 the other lacks words, 衍 it has more, 倒 the same
    words in another order, 佚葉 they stood on a lost page (named in ``pages``), 底本佚葉 on a lost page of the base, 移
    they stand elsewhere, as when the 記 is set under the clauses that it speaks of, 起 止 one of the two begins or ends
    elsewhere, so that it does not cover what the other has there. What moved is told twice, where it left and where it
    came; ``moved`` is its offset in the other text where it left (``words``), in the base where it came (``reading``).
    """

    kind: Kind
    start: int
    end: int
    words: str
    reading: str
    other: int
    pages: tuple[str, ...] = ()
    moved: int | None = None

    @property
    def interchangeable(self) -> bool:
        """Whether other words are only such as stand for one another (於 for 于)."""
        return self.kind == "異文" and fold_same_length(self.words) == fold_same_length(self.reading)


class _Edit(msgspec.Struct, frozen=True):
    """A stretch ``start:end`` of the base that is ``low:high``, not equal to it, in the other."""

    start: int
    end: int
    low: int
    high: int


def collate(
    base: str,
    other: str,
    gaps: Sequence[Gap] = (),
    fold: Callable[[str], str] = fold_graphic,
    *,
    base_gaps: Sequence[Gap] = (),
    room: int | None = None,
    base_room: int | None = None,
    edges: bool = False,
) -> list[Difference]:
    """Give every difference between two texts, in the order of the base; `apply` turns the base into the other by them.

    ``gaps`` are pages that the other has lost (offsets in it): a long loss there is 佚葉, not words left out. So are
    ``base_gaps`` of the base (offsets in it): what the other has there is not added. ``room`` and ``base_room`` are the
    most characters that a page of either holds; more than its pages hold was not lost with them. ``fold`` makes the
    shapes of one character one, and keeps lengths; a copy in simplified characters needs its own. ``edges``: what only
    one of them has before the other begins, or behind its end, is told as such (起, 止).
    """
    folded = (fold(base), fold(other))
    edits = _align(*folded)
    lost: dict[_Edit, tuple[str, ...]] = {}
    for offset, pages in _pages(gaps):
        rest, loss = _split_loss(*folded, edits, offset, lost)
        if loss is not None and _fits(loss, pages, room):
            edits = rest
            lost[loss] = pages
    for offset, pages in _pages(base_gaps):
        back = [_turned(edit) for edit in edits]
        rest, loss = _split_loss(folded[1], folded[0], back, offset, [_turned(edit) for edit in lost])
        if loss is not None and _fits(loss, pages, base_room):
            edits = [_turned(edit) for edit in rest]
            lost[_turned(loss)] = pages
    found: list[Difference] = []
    start = low = 0
    edits, moved = _moves(*folded, _transposed(*folded, edits))
    ordered = sorted([*edits, *lost], key=lambda edit: (edit.start, edit.low, edit.end, edit.high))
    outside: dict[_Edit, Kind] = {}
    if edges:
        ordered, outside = _edges(*folded, ordered, {*lost, *moved})
    for edit in [*ordered, _Edit(len(base), len(base), len(other), len(other))]:
        found += _shapes(base[start : edit.start], other[low : edit.low], start, low)
        start, low = edit.end, edit.high
        if edit.start < edit.end or edit.low < edit.high:
            words, reading = base[edit.start : edit.end], other[edit.low : edit.high]
            found.append(
                Difference(
                    kind=_laid(edit, lost, moved, outside) or _kind(words, reading, fold),
                    start=edit.start,
                    end=edit.end,
                    words=words,
                    reading=reading,
                    other=edit.low,
                    pages=lost.get(edit, ()),
                    moved=moved.get(edit),
                )
            )
    return found


def apply(base: str, differences: Iterable[Difference]) -> str:
    """Turn the base into the other text by its differences, which come in the order of the base."""
    pieces: list[str] = []
    done = 0
    for difference in differences:
        pieces += (base[done : difference.start], difference.reading)
        done = difference.end
    return "".join((*pieces, base[done:]))


def _align(base: str, other: str, start: int = 0, low: int = 0) -> list[_Edit]:
    """Align two folded texts, which begin at ``start`` and ``low``; give the unequal stretches, none touching."""
    edits: list[_Edit] = []
    for code in Levenshtein.opcodes(base, other):
        if code.tag == "equal":
            continue
        edit = _Edit(code.src_start + start, code.src_end + start, code.dest_start + low, code.dest_end + low)
        if edits and edits[-1].end == edit.start and edits[-1].high == edit.low:
            edit = _Edit(edits[-1].start, edit.end, edits.pop().low, edit.high)
        edits.append(edit)
    return _gathered(base, other, start, low, edits)


def _gathered(base: str, other: str, start: int, low: int, edits: list[_Edit]) -> list[_Edit]:
    """Make one long loss (or addition) of several that only chance matches part, where it costs no more.

    Of a copy that begins late, the first words may be found one by one all over what it lacks; as well they stand
    together behind it.
    """
    found: list[_Edit] = []
    for edit in edits:
        whole = edit
        while found and (joined := _joined(base, other, start, low, found[-1], whole)) is not None:
            found.pop()
            whole = joined
        found.append(whole)
    return found


def _joined(base: str, other: str, start: int, low: int, one: _Edit, two: _Edit) -> _Edit | None:
    """Join two losses, or two additions, by setting what stands between them before or behind both."""
    between = two.start - one.end
    if between > _NEAR:
        return None
    if one.low == one.high and two.low == two.high and one.end - one.start + two.end - two.start >= _PAGE_LOSS:
        first, last = one.start - start, two.end - start
        words = base[one.end - start : two.start - start]
        if base[last - between : last] == words:
            return _Edit(one.start, two.end - between, one.low, one.low)
        if base[first : first + between] == words:
            return _Edit(one.start + between, two.end, two.low, two.low)
    if one.start == one.end and two.start == two.end and one.high - one.low + two.high - two.low >= _PAGE_LOSS:
        first, last = one.low - low, two.high - low
        words = other[one.high - low : two.low - low]
        if other[last - between : last] == words:
            return _Edit(one.start, one.start, one.low, two.high - between)
        if other[first : first + between] == words:
            return _Edit(two.start, two.start, one.low + between, two.high)
    return None


def _split_loss(
    base: str, other: str, edits: list[_Edit], gap: int, lost: Collection[_Edit]
) -> tuple[list[_Edit], _Edit | None]:
    """Set apart what was lost at the gap, an offset in ``other``; give the other edits, and the loss if there is one.

    A minimal alignment may scatter one long loss into pieces with chance matches between them; so the edits about the
    gap are taken together and split anew at the gap itself, but for what lies beyond a loss that was set apart before
    (``lost``).
    """
    if any(loss.low < gap < loss.high for loss in lost):
        return edits, None
    before = [loss for loss in lost if loss.high <= gap]
    behind = [loss for loss in lost if loss.high > gap]
    every = edits
    edits = [
        edit
        for edit in every
        if all(loss.end <= edit.start and loss.high <= edit.low for loss in before)
        and all(edit.end <= loss.start and edit.high <= loss.low for loss in behind)
    ]
    near = [edit for edit in edits if edit.low - _NEAR <= gap <= edit.high + _NEAR]
    if not near:
        return every, None
    first, last = edits.index(near[0]), edits.index(near[-1])
    while first > 0 and edits[first].low - edits[first - 1].high <= _NEAR:
        first -= 1
    while last + 1 < len(edits) and edits[last + 1].low - edits[last].high <= _NEAR:
        last += 1
    low, high = min(edits[first].low, gap), max(edits[last].high, gap)
    start, end = edits[first].start - (edits[first].low - low), edits[last].end + (high - edits[last].high)
    if (end - start) - (high - low) < _PAGE_LOSS:
        return every, None
    loss = _Edit(start + (gap - low), end - (high - gap), gap, gap)
    about = [
        *_align(base[start : loss.start], other[low:gap], start, low),
        *_align(base[loss.end : end], other[gap:high], loss.end, gap),
    ]
    low, high = every.index(edits[first]), every.index(edits[last])
    return [*every[:low], *about, *every[high + 1 :]], loss


def _pages(gaps: Sequence[Gap]) -> list[tuple[int, tuple[str, ...]]]:
    """Give where pages are lost, in order, and which."""
    return [
        (offset, tuple(dict.fromkeys(gap.ref for gap in gaps if gap.offset == offset)))
        for offset in sorted({gap.offset for gap in gaps})
    ]


def _fits(loss: _Edit, pages: Sequence[str], room: int | None) -> bool:
    """Tell whether pages can have held what is laid to them."""
    return room is None or loss.end - loss.start <= room * len(pages)


def _turned(edit: _Edit) -> _Edit:
    """Give what an edit is when the two texts change places."""
    return _Edit(edit.low, edit.high, edit.start, edit.end)


def _laid(
    edit: _Edit, lost: Mapping[_Edit, object], moved: Mapping[_Edit, int], outside: Mapping[_Edit, Kind]
) -> Kind | None:
    """Name the kind of an edit that is no variant of the words."""
    if edit in lost:
        return "佚葉" if edit.start < edit.end else "底本佚葉"
    return "移" if edit in moved else outside.get(edit)


def _edges(
    base: str, other: str, edits: list[_Edit], fixed: AbstractSet[_Edit]
) -> tuple[list[_Edit], dict[_Edit, Kind]]:
    """Set apart what one text has before the other begins and behind its end; ``fixed`` edits stay as they are."""
    edits, before = _leading(base, other, edits, fixed)
    back = [_reversed(base, other, edit) for edit in reversed(edits)]
    still = {_reversed(base, other, edit) for edit in (*fixed, *before)}
    back, behind = _leading(base[::-1], other[::-1], back, still)
    ends = [_reversed(base, other, edit) for edit in behind]
    kinds: dict[_Edit, Kind] = {**dict.fromkeys(before, "起"), **dict.fromkeys(ends, "止")}
    return [_reversed(base, other, edit) for edit in reversed(back)], kinds


def _reversed(base: str, other: str, edit: _Edit) -> _Edit:
    """Give what an edit is when both texts are read from their end."""
    return _Edit(len(base) - edit.end, len(base) - edit.start, len(other) - edit.high, len(other) - edit.low)


def _leading(base: str, other: str, edits: list[_Edit], fixed: AbstractSet[_Edit]) -> tuple[list[_Edit], list[_Edit]]:
    """Set apart what stands before both texts are together; give all edits, and those that are of one text alone.

    Of a text that begins later the first words may have been found scattered over what it lacks; they stand together.
    """
    if not edits or edits[0].start >= _SOLID:
        return edits, []
    after = [*(edit.start for edit in edits[1:]), len(base)]
    first = next(
        (i for i, (edit, start) in enumerate(zip(edits, after, strict=True)) if start - edit.end >= _SOLID), -1
    )
    if first < 0 or not fixed.isdisjoint(edits[: first + 1]):
        return edits, []
    end, high, rest = edits[first].end, edits[first].high, edits[first + 1 :]
    common = min(end, high)
    start, low = end - common, high - common
    if common < _EDGE or Levenshtein.normalized_similarity(base[start:end], other[low:high]) >= _LIKE:
        if max(start, low) < _EDGE:
            return edits, []
        alone = _Edit(0, start, 0, low)
        return [alone, *_align(base[start:end], other[low:high], start, low), *rest], [alone]
    if Levenshtein.normalized_similarity(base[:end], other[:high]) >= _LIKE:
        return edits, []
    both = [_Edit(0, end, 0, 0), _Edit(end, end, 0, high)]
    return [*both, *rest], both


def _transposed(base: str, other: str, edits: list[_Edit]) -> list[_Edit]:
    """Join two neighbouring edits, one of which takes out what the other puts in: words that changed places."""
    joined: list[_Edit] = []
    for edit in edits:
        before = joined[-1] if joined else None
        if before is not None and edit.start - before.end <= _NEAR and _swap(base, other, before, edit):
            joined[-1] = _Edit(before.start, edit.end, before.low, edit.high)
        else:
            joined.append(edit)
    return joined


def _swap(base: str, other: str, first: _Edit, second: _Edit) -> bool:
    """Tell whether one of two edits only takes out what the other only puts in."""
    out, into = base[first.start : first.end], other[first.low : first.high]
    later_out, later_into = base[second.start : second.end], other[second.low : second.high]
    return (out, into) == (later_into, later_out) and "" in {out, into} and out != into


def _moves(base: str, other: str, edits: list[_Edit]) -> tuple[list[_Edit], dict[_Edit, int]]:
    """Set apart the words that one edit takes out and another puts in; give all edits, and where each of those went."""
    if not any(edit.end - edit.start >= _SEED for edit in edits) or not any(e.high - e.low >= _SEED for e in edits):
        return edits, {}
    regions = _regions(edits)
    out: list[list[tuple[int, int, int]]] = [[] for _ in regions]
    into: list[list[tuple[int, int, int]]] = [[] for _ in regions]
    for start, end, low, high in _same(base, other, regions):
        left = next(i for i, (edit, _) in enumerate(regions) if edit.start <= start and end <= edit.end)
        came = next(i for i, (edit, _) in enumerate(regions) if edit.low <= low and high <= edit.high)
        if left != came:
            out[left].append((start, end, low))
            into[came].append((low, high, start))
    found: list[_Edit] = []
    moved: dict[_Edit, int] = {}
    for (region, held), gone, come in zip(regions, out, into, strict=True):
        if not gone and not come:
            found += held
            continue
        start, low = region.start, region.low
        # What is left about the moved words is aligned anew: before the first of them, and behind the last.
        for first, last, there in sorted(gone):
            found += _align(base[start:first], "", start, low)
            moved[step := _Edit(first, last, low, low)] = there
            found.append(step)
            start = last
        for first, last, there in sorted(come):
            found += _align("", other[low:first], start, low)
            moved[step := _Edit(start, start, first, last)] = there
            found.append(step)
            low = last
        found += _align(base[start : region.end], other[low : region.high], start, low)
    return found, moved


def _regions(edits: list[_Edit]) -> list[tuple[_Edit, list[_Edit]]]:
    """Take edits together that only chance matches may part; give each region as one edit, with those it holds."""
    regions: list[tuple[_Edit, list[_Edit]]] = []
    for edit in edits:
        if regions and edit.start - regions[-1][0].end <= _CHANCE:
            whole, held = regions.pop()
            regions.append((_Edit(whole.start, edit.end, whole.low, edit.high), [*held, edit]))
        else:
            regions.append((edit, [edit]))
    return regions


def _same(base: str, other: str, regions: list[tuple[_Edit, list[_Edit]]]) -> list[tuple[int, int, int, int]]:
    """Find what stands in one region of the base and in another of the other text: start, end, low, high of each.

    The longest come first and none overlaps; the fewest that count are `_MOVED` characters.
    """
    seeds: dict[str, list[tuple[int, int]]] = {}
    for edit, _ in regions:
        for at in range(edit.start, edit.end - _SEED + 1):
            seeds.setdefault(base[at : at + _SEED], []).append((at, edit.end))
    matches: list[tuple[int, int, int, int]] = []
    reached: dict[int, int] = {}  # by diagonal, how far in the other text it has been followed
    for edit, _ in regions:
        for low in range(edit.low, edit.high - _SEED + 1):
            places = seeds.get(other[low : low + _SEED], ())
            for start, stop in places if len(places) <= _OFTEN else ():
                if reached.get(start - low, -1) < low + _SEED:
                    length = _alike(base[start:stop], other[low : edit.high])
                    reached[start - low] = low + length
                    matches.append((start, start + length, low, low + length))
    kept: list[tuple[int, int, int, int]] = []
    for match in sorted(matches, key=lambda match: (match[0] - match[1], match)):
        long = match[1] - match[0] >= _MOVED
        if long and all((match[1] <= s or match[0] >= e) and (match[3] <= a or match[2] >= b) for s, e, a, b in kept):
            kept.append(match)
    return kept


def _alike(one: str, other: str) -> int:
    """Count the characters that two texts have in common at their beginning."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _kind(words: str, reading: str, fold: Callable[[str], str]) -> Kind:
    """Name the kind of a difference that is neither a lost page nor a matter of shape."""
    if not reading:
        return "脫"
    if not words:
        return "衍"
    if Counter(fold(words)) == Counter(fold(reading)):
        return "倒"
    return "異文"


def _shapes(base: str, other: str, start: int, low: int) -> list[Difference]:
    """Give each character of two stretches, equal when folded, that is written in another shape."""
    return [
        Difference(kind="字形", start=start + i, end=start + i + 1, words=ours, reading=theirs, other=low + i)
        for i, (ours, theirs) in enumerate(zip(base, other, strict=True))
        if ours != theirs
    ]
