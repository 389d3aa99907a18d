"""Sets two texts beside each other, character by character.

Comes in: two texts without blanks, and the places where the second has lost pages.
Goes out: typed differences. Shapes of the same character are folded before aligning, so they never disturb it; they are
reported all the same, as 字形. Offsets are code points.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Literal

import msgspec
from rapidfuzz.distance import Levenshtein

from yanli.corpus.spelling import fold_graphic, fold_same_length

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from yanli.corpus.kanripo import Gap

Kind = Literal["異文", "字形", "脫", "衍", "倒", "佚葉"]

_NEAR = 8  # so few characters may part the pieces of one loss, or what changed places
_PAGE_LOSS = 20  # from so many lost characters on, a loss at a lost page is laid to the page


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """One difference: ``words`` of the base at ``start:end``; ``reading`` of the other, at ``other`` in it.

    ``kind``: 異文 other words, 字形 another shape of the same, 脫 the other lacks words, 衍 it has more, 倒 the same
    words in another order, 佚葉 they stood on a lost page (named in ``pages``).
    """

    kind: Kind
    start: int
    end: int
    words: str
    reading: str
    other: int
    pages: tuple[str, ...] = ()

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


def collate(base: str, other: str, gaps: Sequence[Gap] = ()) -> list[Difference]:
    """Give every difference between two texts, in the order of the base; `apply` turns the base into the other by them.

    ``gaps`` are pages that the other has lost (offsets in it): a long loss there is 佚葉, not words left out.
    """
    folded = (fold_graphic(base), fold_graphic(other))
    edits = _align(*folded)
    lost: dict[_Edit, tuple[str, ...]] = {}
    for offset in sorted({gap.offset for gap in gaps}):
        edits, loss = _split_loss(*folded, edits, offset)
        if loss is not None:
            lost[loss] = tuple(dict.fromkeys(gap.ref for gap in gaps if gap.offset == offset))
    found: list[Difference] = []
    start = low = 0
    ordered = sorted([*_transposed(*folded, edits), *lost], key=lambda edit: (edit.start, edit.low))
    for edit in [*ordered, _Edit(len(base), len(base), len(other), len(other))]:
        found += _shapes(base[start : edit.start], other[low : edit.low], start, low)
        start, low = edit.end, edit.high
        if edit.start < edit.end or edit.low < edit.high:
            words, reading = base[edit.start : edit.end], other[edit.low : edit.high]
            found.append(
                Difference(
                    kind="佚葉" if edit in lost else _kind(words, reading),
                    start=edit.start,
                    end=edit.end,
                    words=words,
                    reading=reading,
                    other=edit.low,
                    pages=lost.get(edit, ()),
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
    return edits


def _split_loss(base: str, other: str, edits: list[_Edit], gap: int) -> tuple[list[_Edit], _Edit | None]:
    """Set apart what was lost at the gap, an offset in ``other``; give the other edits, and the loss if there is one.

    A minimal alignment may scatter one long loss into pieces with chance matches between them; so the edits about the
    gap are taken together and split anew at the gap itself.
    """
    near = [edit for edit in edits if edit.low - _NEAR <= gap <= edit.high + _NEAR]
    if not near:
        return edits, None
    first, last = edits.index(near[0]), edits.index(near[-1])
    while first > 0 and edits[first].low - edits[first - 1].high <= _NEAR:
        first -= 1
    while last + 1 < len(edits) and edits[last + 1].low - edits[last].high <= _NEAR:
        last += 1
    low, high = min(edits[first].low, gap), max(edits[last].high, gap)
    start, end = edits[first].start - (edits[first].low - low), edits[last].end + (high - edits[last].high)
    if (end - start) - (high - low) < _PAGE_LOSS:
        return edits, None
    loss = _Edit(start + (gap - low), end - (high - gap), gap, gap)
    about = [
        *_align(base[start : loss.start], other[low:gap], start, low),
        *_align(base[loss.end : end], other[gap:high], loss.end, gap),
    ]
    return [*edits[:first], *about, *edits[last + 1 :]], loss


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


def _kind(words: str, reading: str) -> Kind:
    """Name the kind of a difference that is neither a lost page nor a matter of shape."""
    if not reading:
        return "脫"
    if not words:
        return "衍"
    if Counter(fold_graphic(words)) == Counter(fold_graphic(reading)):
        return "倒"
    return "異文"


def _shapes(base: str, other: str, start: int, low: int) -> list[Difference]:
    """Give each character of two stretches, equal when folded, that is written in another shape."""
    return [
        Difference(kind="字形", start=start + i, end=start + i + 1, words=ours, reading=theirs, other=low + i)
        for i, (ours, theirs) in enumerate(zip(base, other, strict=True))
        if ours != theirs
    ]
