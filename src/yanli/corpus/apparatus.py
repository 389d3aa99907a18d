"""Sets several witnesses of a text side by side: what each reads where they differ, and where it is silent.

Comes in: copies of one layer of a text, one of them the base. Goes out: an `Apparatus`: places that do not overlap,
with the reading of every witness there, and stretches that a witness does not have at all. From the base and the
apparatus every witness comes back, character for character. Every witness is aligned with the base alone, each at
least cost, so the order of the witnesses changes nothing. Offsets are code points in the base's words.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec
from rapidfuzz.distance import Levenshtein

from yanli.corpus.collate import Difference, collate
from yanli.corpus.copies import Copy, fold_scripts, unread
from yanli.corpus.spelling import fold_graphic, fold_same_length
from yanli.errors import Finding, RiteError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from yanli.corpus.oldtexts import OldReading

    Folds = dict[str, Callable[[str], str]]

Class = Literal["異文", "字形", "脫", "衍", "倒", "佚葉", "底本佚葉", "移", "起", "止", "闕", "今文", "古文"]

OUTSIDE: frozenset[Class] = frozenset({"佚葉", "底本佚葉", "起", "止"})
"""What tells nothing of the words: a leaf is lost, or a work does not go so far."""
_LONG = 20  # from so many characters on, words that a witness lacks are an absence and no reading


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """What some witnesses have at a place.

    ``kind`` as in `Difference`; further 闕: the copy cannot be read there or its character has no code, in the witness
    or the base, and 今文, 古文: it is what an old text had, as a note tells (``note``); a lost old text is a witness by
    that name. 底本佚葉: a leaf of the base is lost (``pages``), 起 止: the base begins later or ends sooner; then
    `variant` is False. ``interchangeable``: only words that stand for one another (於 for 于). ``moved``: where in the
    base they came from.
    """

    witnesses: tuple[str, ...]
    text: str
    kind: Class
    interchangeable: bool = False
    moved: int | None = None
    note: str = ""
    pages: tuple[str, ...] = ()

    @property
    def variant(self) -> bool:
        """Whether it is a reading beside the base's: not where the base has lost a leaf, or does not go so far."""
        return self.kind not in OUTSIDE


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A place where witnesses differ: the base has ``words`` at ``start:end``; whoever is not named agrees with it.

    ``absent`` are witnesses that have nothing here, as an `Absence` tells.
    """

    start: int
    end: int
    words: str
    readings: tuple[Reading, ...]
    absent: tuple[str, ...] = ()


class Absence(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch of the base that a witness does not have there.

    ``kind``: 佚葉, the leaf is lost (``pages``); 移, the words stand at ``moved`` of that witness; 起, it begins behind
    them, 止, it ends before them; 脫, it lacks many words and nothing tells why.
    """

    witness: str
    start: int
    end: int
    kind: Class
    pages: tuple[str, ...] = ()
    moved: int | None = None


class Apparatus(msgspec.Struct, frozen=True, kw_only=True):
    """Several witnesses against a base: ``entries`` in the order of the base, ``absences`` by place and witness.

    ``costs``: how many characters are put in, left out or changed to turn the base into each witness, shapes of one
    character counted as one: the edit distance, unless a loss was laid to its page, words have moved, or a work begins
    or ends elsewhere. ``outside``: how many of these stand on leaves that are lost, or where one of the two does not
    go.
    """

    base: Copy
    witnesses: tuple[Copy, ...]
    entries: tuple[Entry, ...]
    absences: tuple[Absence, ...]
    costs: dict[str, int]
    outside: dict[str, int]

    def witness(self, siglum: str) -> str:
        """Give a witness's words back from base and apparatus alone. Raises RiteError when there is no such witness."""
        known = [self.base.siglum, *(copy.siglum for copy in self.witnesses)]
        if siglum not in known:
            raise RiteError(Finding(code="no-witness", cause=f"no witness {siglum!r}", known=", ".join(known)))
        base = self.base.text
        missing = [(absence.start, absence.end) for absence in self.absences if absence.witness == siglum]
        words: list[str] = []
        done = 0
        for entry in self.entries:
            for reading in entry.readings:
                if siglum in reading.witnesses:
                    words += (kept(base, done, entry.start, missing), reading.text)
                    done = entry.end
        return "".join((*words, kept(base, done, len(base), missing)))


class _Own(NamedTuple):
    """A difference of one witness; an old text is a witness of its own for every report."""

    start: int
    end: int
    reading: str
    who: str
    kind: Class
    moved: int | None
    note: str = ""
    pages: tuple[str, ...] = ()


def collate_all(
    base: Copy,
    witnesses: Sequence[Copy],
    old: Sequence[OldReading] = (),
) -> Apparatus:
    """Collate witnesses with a base.

    ``old`` are readings of the old texts that notes report, at offsets of the copy whose ``witness`` they name.
    A copy in simplified characters is compared as if the base were in them too. Raises RiteError when two copies bear
    one siglum.
    """
    sigla = [base.siglum, *(copy.siglum for copy in witnesses)]
    if twice := next((siglum for siglum in sigla if sigla.count(siglum) > 1), None):
        raise RiteError(Finding(code="siglum-twice", cause=f"two copies are called {twice!r}", known=", ".join(sigla)))
    folds = {copy.siglum: fold_scripts if base.simplified else copy.fold for copy in witnesses}
    rows = {
        copy.siglum: collate(
            base.text,
            copy.text,
            copy.gaps,
            folds[copy.siglum],
            base_gaps=base.gaps,
            room=copy.room,
            base_room=base.room,
            edges=True,
        )
        for copy in witnesses
    }
    absences = [absence for siglum, found in rows.items() for absence in _absences(siglum, found)]
    order = {siglum: number for number, siglum in enumerate((*sigla, "今文", "古文"))}
    absences.sort(key=lambda absence: (absence.start, order[absence.witness]))
    owns = [own for siglum, found in rows.items() for own in _owns(siglum, found)]
    owns += _reported(base, rows, old)
    return Apparatus(
        base=base,
        witnesses=tuple(witnesses),
        entries=tuple(_entry(base.text, held, absences, order, folds) for held in _places(owns)),
        absences=tuple(absences),
        costs={siglum: sum(_cost(step, folds[siglum]) for step in found) for siglum, found in rows.items()},
        outside={
            siglum: sum(_cost(step, folds[siglum]) for step in found if step.kind in OUTSIDE)
            for siglum, found in rows.items()
        },
    )


def kept(base: str, start: int, end: int, missing: Iterable[tuple[int, int]]) -> str:
    """Give ``base[start:end]`` without what is ``missing`` (ranges in order)."""
    words: list[str] = []
    for low, high in missing:
        if low < end and high > start:
            words.append(base[start:low] if low > start else "")
            start = max(start, min(high, end))
    return "".join((*words, base[start:end]))


def _absent(step: Difference) -> bool:
    """Tell whether a difference is a stretch that the witness does not have, rather than a reading."""
    return bool(step.words) and not step.reading and (step.kind in OUTSIDE | {"移"} or len(step.words) >= _LONG)


def _absences(siglum: str, found: list[Difference]) -> Iterator[Absence]:
    for step in found:
        if _absent(step):
            yield Absence(
                witness=siglum, start=step.start, end=step.end, kind=step.kind, pages=step.pages, moved=step.moved
            )


def _owns(siglum: str, found: list[Difference]) -> list[_Own]:
    return [
        _Own(step.start, step.end, step.reading, siglum, step.kind, step.moved, pages=step.pages)
        for step in found
        if not _absent(step)
    ]


def _reported(base: Copy, rows: dict[str, list[Difference]], old: Sequence[OldReading]) -> list[_Own]:
    """Give the readings of the old texts, where the base has the words that the note speaks of."""
    found: dict[tuple[int, int, str, str], _Own] = {}
    for report in old:
        if not report.placed or report.witness not in {base.siglum, *rows}:
            continue
        start = _in_base(rows.get(report.witness, []), report.start)
        end = start + len(report.words)
        if fold_same_length(base.text[start:end]) == fold_same_length(report.words):
            who = f"{report.school}{len(found)}"
            own = _Own(start, end, report.reading, who, report.school, None, report.note)
            found.setdefault((start, end, report.school, fold_same_length(report.reading)), own)
    return list(found.values())


def _in_base(found: list[Difference], offset: int) -> int:
    """Turn an offset in a witness into the base's."""
    before = bisect_left([step.other + len(step.reading) for step in found], offset + 1)
    if not before:
        return offset
    step = found[before - 1]
    return step.end + offset - step.other - len(step.reading)


def _places(owns: list[_Own]) -> Iterator[list[_Own]]:
    """Take together what overlaps; words put in belong together where they stand at one point."""
    held: list[_Own] = []
    start = end = -1
    # Sorting is stable: two steps of one witness at one point stay in its order.
    for own in sorted(owns, key=lambda own: (own.start, own.end)):
        if held and (own.start < end or (own.start == own.end == start == end)):
            end = max(end, own.end)
        else:
            if held:
                yield held
            held, start, end = [], own.start, own.end
        held.append(own)
    if held:
        yield held


def _entry(base: str, held: list[_Own], absences: list[Absence], order: dict[str, int], folds: Folds) -> Entry:
    """Give what every witness has at a place."""
    start, end = held[0].start, max(own.end for own in held)
    words = base[start:end]
    missing: dict[str, list[tuple[int, int]]] = {}
    for absence in absences:
        if absence.start < end and absence.end > start:
            missing.setdefault(absence.witness, []).append((absence.start, absence.end))
        elif absence.start >= end > start:
            break
    steps: dict[str, list[_Own]] = {who: [] for who in missing}
    for step in held:
        steps.setdefault(step.who, []).append(step)
    readings: dict[str, list[tuple[str, list[_Own]]]] = {}
    absent: list[str] = []
    for who, own in steps.items():
        if not own and any(low <= start and end <= high for low, high in missing[who]):
            absent.append(who)
            continue
        readings.setdefault(_text(base, start, end, own, missing.get(who, ())), []).append((who, own))
    return Entry(
        start=start,
        end=end,
        words=words,
        readings=tuple(
            sorted(
                (_reading(words, text, group, order, folds) for text, group in readings.items()),
                key=lambda reading: (order[reading.witnesses[0]], reading.text),
            )
        ),
        absent=tuple(sorted(absent, key=order.__getitem__)),
    )


def _text(base: str, start: int, end: int, own: list[_Own], missing: Iterable[tuple[int, int]]) -> str:
    """Give a witness's words over a stretch of the base."""
    if len(own) == 1 and (own[0].start, own[0].end) == (start, end):
        return own[0].reading
    parts: list[str] = []
    for step in own:
        parts += (kept(base, start, step.start, missing), step.reading)
        start = step.end
    return "".join((*parts, kept(base, start, end, missing)))


def _reading(
    words: str, text: str, group: list[tuple[str, list[_Own]]], order: dict[str, int], folds: Folds
) -> Reading:
    """Say who has a reading, and of which class it is."""
    fold = folds.get(group[0][0], fold_graphic)
    own = [step for _, steps in group for step in steps]
    reported = next((step for step in own if step.note), None)
    came = next((step for step in own if step.kind == "移"), None)
    outside = next((step for step in own if step.kind in OUTSIDE), None)
    kind: Class
    if reported is not None:
        kind = reported.kind
    elif came is not None:
        kind = "移"
    elif outside is not None:
        kind = outside.kind
    else:
        kind = _class(words, text, fold)
    names = {who.rstrip("0123456789") if any(step.note for step in steps) else who for who, steps in group}
    return Reading(
        witnesses=tuple(sorted(names, key=order.__getitem__)),
        text=text,
        kind=kind,
        interchangeable=words != text
        and fold(words) != fold(text)
        and fold_same_length(words) == fold_same_length(text),
        moved=came.moved if came is not None else None,
        note=reported.note if reported is not None else "",
        pages=outside.pages if outside is not None else (),
    )


def _class(words: str, text: str, fold: Callable[[str], str]) -> Class:
    """Name the class of a reading; the words alone decide."""
    ours, theirs = fold(words), fold(text)
    if not text or not words:
        return "闕" if all(map(unread, words or text)) else "衍" if text else "脫"
    if ours == theirs:
        return "字形"
    if len(ours) == len(theirs) and all(a == b or unread(a) or unread(b) for a, b in zip(ours, theirs, strict=True)):
        return "闕"
    return "倒" if Counter(ours) == Counter(theirs) else "異文"


def _cost(step: Difference, fold: Callable[[str], str]) -> int:
    """Count the characters that a difference puts in, leaves out or changes."""
    if not step.words or not step.reading:
        return len(step.words) + len(step.reading)
    return 0 if step.kind == "字形" else Levenshtein.distance(fold(step.words), fold(step.reading))
