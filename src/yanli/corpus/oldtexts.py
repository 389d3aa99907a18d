"""What the notes report of the old texts: 古文盥皆作浣, 今文無南.

Comes in: a text taken in, and the copy of its canon. Goes out: each report that can be understood and placed: which
words of the canon it is about, and what the old text had for them. What cannot be placed is told too, without a place.
鄭玄's notes stand behind the words that they speak of, so the words are looked for backwards from the note.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Literal

import msgspec

from yanli.corpus.copies import Copy, copy_of
from yanli.corpus.model import Layer, Text
from yanli.corpus.spelling import fold_same_length

if TYPE_CHECKING:
    from collections.abc import Iterator

School = Literal["今文", "古文"]

_WRITES = re.compile(
    r"(?P<school>[今古]文)(?P<words>[^皆作為爲曰無或又今古]{1,2})(?:皆|或|又)?(?P<verb>作|為|爲|曰)(?P<rest>.+)"
)
_ALTERS = re.compile(r"(?P<school>[今古]文)改(?P<words>.)(?P<verb>為|爲)(?P<rest>.)")
# 古文曰某從於子: its words alone are told, and the canon has nearly the same ones.
_SAYS = re.compile(r"(?P<school>[今古]文)(?:皆|或|又)*[曰言](?P<rest>[^無]{2,6}?)(?:也|$)")
# 今文坐取觶無進: the word that is wanting stands beside those told.
_LACKS_AT = re.compile(r"(?P<school>[今古]文)曰?(?P<beside>[^皆或曰無]{2,5})無(?P<rest>.{1,2}?)(?:也|又|$)")
_LACKS = re.compile(r"(?P<school>[今古]文)(?:皆|或)?無(?P<rest>.+)")
_ENOUGH = re.compile("[非也皆或今古]")
_REPORT = re.compile(r"[今古]文")
_BACK = 60  # so far behind the words a note may stand, in characters of canon
_MOST = 6
_THREE = 3


class OldReading(msgspec.Struct, frozen=True, kw_only=True):
    """An old text had ``reading`` where the canon has ``words`` (offsets ``start:end`` in the copy).

    ``words`` and ``reading`` are empty, and the place is the note's, where the report could not be understood.
    ``note`` are the words of the report, ``witness`` whose note it stands in.
    """

    school: School
    start: int
    end: int
    words: str
    reading: str
    note: str
    witness: str

    @property
    def placed(self) -> bool:
        """Whether it is known what words it speaks of."""
        return bool(self.words)


def old_readings(text: Text, canon: Copy) -> tuple[OldReading, ...]:
    """Give every report of an old text in the notes of ``text``; ``canon`` is the copy of its canon (`copy_of`)."""
    found: list[OldReading] = []
    notes = copy_of(text, canon.siglum, Layer.note)
    spans = {
        remark.number: remark.spans[0][0] for remark in text.remarks if remark.layer is Layer.note and remark.spans
    }
    starts = sorted(spans.values())
    for start, stop in zip(starts, [*starts[1:], len(text.text)], strict=True):
        words = notes.text[bisect_left(notes.at, start) : bisect_left(notes.at, stop)]
        place = bisect_left(canon.at, start)
        marks = [mark.start() for mark in _REPORT.finditer(words)]
        for first, last in zip(marks, [*marks[1:], len(words)], strict=False):
            found += _everywhere(_read(words[first:last], canon, place), canon)
    return tuple(found)


def _everywhere(report: OldReading, canon: Copy) -> Iterator[OldReading]:
    """Give a report, and where it says that the old text has it so everywhere (皆), one for every other such place."""
    yield report
    if report.placed and report.reading and "皆" in report.note:
        folded, words = fold_same_length(canon.text), fold_same_length(report.words)
        for found in re.finditer(re.escape(words), folded):
            if found.start() != report.start:
                yield msgspec.structs.replace(
                    report, start=found.start(), end=found.end(), words=canon.text[found.start() : found.end()]
                )


def _beside(told: str, wanting: str, before: str) -> int:
    """Give the last place of words that are wanting, right before those told or as their beginning; -1 for none."""
    if told.startswith(wanting):
        return before.rfind(told)
    return before.rfind(wanting + told)


def _alike(told: str, before: str) -> tuple[int, str, str]:
    """Give the words that are nearly those told: where they differ, what stands there, and what is told for it.

    They are as many: the same ones in another order, or with one other in three. -1 where nothing is so near, where
    several are, and where all but the first or last stand there (then one is added, nobody can say for what).
    """
    folded = fold_same_length(told)
    size = len(folded)
    found: list[tuple[int, str, str]] = []
    if folded in before or (size > _THREE and (folded[1:] in before or folded[:-1] in before)):
        return -1, "", ""
    for at in range(len(before) - size + 1):
        words = before[at : at + size]
        equal = sum(one == other for one, other in zip(words, folded, strict=True))
        if sorted(words) == sorted(folded) or (size >= _THREE and equal * _THREE >= 2 * size):
            differ = [i for i in range(size) if words[i] != folded[i]]
            first, last = differ[0], differ[-1] + 1
            found.append((at + first, words[first:last], told[first:last]))
    return found[0] if len(found) == 1 else (-1, "", "")


def _read(report: str, canon: Copy, place: int) -> OldReading:
    """Understand one report, whose note stands at ``place``."""
    before = fold_same_length(canon.text[max(place - _BACK, 0) : place])
    start = max(place - _BACK, 0)
    school: School = "今文" if report.startswith("今") else "古文"
    words = reading = ""
    at = -1
    if writes := _ALTERS.match(report) or _WRITES.match(report):
        words, rest = writes["words"], _ENOUGH.split(writes["rest"], maxsplit=1)[0]
        reading = rest[: len(words)]
        at = before.rfind(fold_same_length(words)) if len(reading) == len(words) else -1
    elif lacks := _LACKS.match(report):
        for length in range(min(_MOST, len(lacks["rest"])), 0, -1):
            words = lacks["rest"][:length]
            if (at := before.rfind(fold_same_length(words))) >= 0:
                break
    elif lacks := _LACKS_AT.match(report):
        words = lacks["rest"]
        at = _beside(fold_same_length(lacks["beside"]), fold_same_length(words), before)
    elif says := _SAYS.match(report):
        at, words, reading = _alike(says["rest"], before)
    if at < 0 or words == reading:
        return OldReading(
            school=school, start=place, end=place, words="", reading="", note=report[:20], witness=canon.siglum
        )
    start, end = start + at, start + at + len(words)
    return OldReading(
        school=school,
        start=start,
        end=end,
        words=canon.text[start:end],
        reading=reading,
        note=report[: len(school) + 8],
        witness=canon.siglum,
    )
