"""Follows what a remark refers to: 上經云, 下文, 記曰 in its own rite, another rite by its name (鄉射禮曰).

Comes in: a text with the anchors of its remarks, the clauses of their rite, and other rites by the names that
commentators call them. Goes out: further anchors, ``reference``, on the clauses whose words are quoted. A remark goes
on to speak of the clause where it stands; a reference is noted beside that, and only where words are quoted that the
rite has: 如初 alone names no clause.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from yanli.corpus.anchor import Ground, ground
from yanli.corpus.anchor_words import fold_words
from yanli.corpus.model import Anchor, Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Clauses = Sequence[tuple[str, str]]

_LEAST = 4  # so many characters must be quoted
_MOST = 30  # so many are compared
_BACK = re.compile(r"[上前](?:[经文][云言曰有]?|[云言曰])")
_ON = re.compile(r"[下后](?:[经文][所云言曰有]*|[所云言曰]+)")
_ANY = re.compile(r"(?<![上前下后])[记经][云言曰有]")
_SAYS = r"(?:礼|仪|记|经|之)*(?:[云言曰]|则|亦)*"
# Less sure than where a remark stands: a commentator quotes by heart.
_SURE, _NEAREST, _UNSURE = 0.8, 0.65, 0.4


class _Way(msgspec.Struct, frozen=True):
    """Words that refer, to which rite, and where in it: before (-1), after (1) or anywhere (0)."""

    marker: re.Pattern[str]
    rite: str
    base: Ground
    ids: tuple[str, ...]
    side: int


def references(
    text: Text, anchors: Sequence[Anchor], home: Clauses, others: Mapping[str, Clauses] | None = None
) -> tuple[Anchor, ...]:
    """Give an anchor for every clause that a remark refers to by quoting it.

    ``anchors`` say where the remarks stand in the rite whose clauses (ids and words) are ``home``. ``others`` are the
    clauses of other rites by a name that a commentator calls them by; several names may lead to the same.
    """
    if not home:
        return ()
    ways = [*_home(home), *_others(others or {})]
    number = {clause: i for i, (clause, _) in enumerate(home)}
    places = {anchor.remark: number[anchor.first] for anchor in anchors if anchor.first in number}
    found: dict[tuple[int, str, str], Anchor] = {}
    for remark in text.remarks:
        if remark.number in places:
            for anchor in _followed(remark.number, fold_words(remark.text).text, places[remark.number], ways):
                found.setdefault((anchor.remark, anchor.first, anchor.last), anchor)
    return tuple(found.values())


def _home(clauses: Clauses) -> Iterator[_Way]:
    """Give the ways to refer to another place of the same rite."""
    base, ids = ground(clauses), tuple(clause for clause, _ in clauses)
    rite = ids[0].split(".", 1)[0]
    for marker, side in ((_BACK, -1), (_ON, 1), (_ANY, 0)):
        yield _Way(marker, rite, base, ids, side)


def _others(others: Mapping[str, Clauses]) -> Iterator[_Way]:
    """Give the ways to refer to other rites by name."""
    for name, clauses in others.items():
        if clauses:
            ids = tuple(clause for clause, _ in clauses)
            marker = re.compile(re.escape(fold_words(name).text) + _SAYS)
            yield _Way(marker, ids[0].split(".", 1)[0], ground(clauses), ids, 0)


def _followed(remark: int, words: str, stands: int, ways: Sequence[_Way]) -> Iterator[Anchor]:
    """Give the clauses that one remark, which stands at a clause (by number), refers to."""
    for way in ways:
        for match in way.marker.finditer(words):
            quoted = _quoted(words[match.end() : match.end() + _MOST], way.base.words)
            if not quoted:
                continue
            spans = [
                (way.base.owner[place.start()], way.base.owner[place.start() + len(quoted) - 1])
                for place in re.finditer(f"(?={re.escape(quoted)})", way.base.words)
            ]
            spans = [span for span in spans if way.side == 0 or (span[0] - stands) * way.side > 0]
            if not spans:
                continue
            # Of several places above or below the nearest is meant; of several elsewhere nobody knows which.
            first, last = min(spans, key=lambda span: abs(span[0] - stands)) if way.side else spans[0]
            sure = _SURE if len(spans) == 1 else _NEAREST if way.side else _UNSURE
            yield Anchor(
                remark=remark,
                rite=way.rite,
                first=way.ids[first],
                last=way.ids[last],
                confidence=sure,
                how="reference",
            )


def _quoted(words: str, base: str) -> str:
    """Give the longest beginning of ``words`` that the rite has; nothing if it is too short to be a quotation."""
    length = len(words)
    while length >= _LEAST and words[:length] not in base:
        length -= 1
    return words[:length] if length >= _LEAST else ""
