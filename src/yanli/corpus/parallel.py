"""Looks up in undamaged texts what stood in a damaged one's gap.

Comes in: parallels (the canon, its notes, other works that quote the same), and the words before and behind a gap.
Goes out: the characters that stand there in the parallels, each with how many words agree and where. Only Chinese
characters count, whatever their shape and script; what punctuation and brackets a parallel has does not matter.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import defaultdict
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Self

import msgspec

from yanli.corpus.folding import fold_search
from yanli.corpus.model import Layer, Text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from yanli.corpus.model import Piece

REACH = 12
"""How many words before and behind are compared."""
_MARKS = re.compile(r"<[^<>]{1,200}>|&[A-Z]+-?\d+;|^#.*$", re.MULTILINE)
# Shapes that neither the table of variants nor the converter of scripts brings together.
_SHAPES = str.maketrans("䟽馀聴臯", "疏余听皋")
_SHOWN = 8
_TWO = 2
_FAR = 400
_MOST = 3000
"""So many places are looked at: what repeats itself oftener tells no more."""
_INDEXED = 1_000_000
"""With so many words in all it is kept where each two stand; more would take more room than time."""
_QUOTING = ("云", "曰")


def words(text: str) -> str:
    """Give the Chinese characters of a text, and nothing else."""
    return "".join(character for character in text if unicodedata.category(character) == "Lo")


def folded(text: str) -> str:
    """Fold words for comparing; their number stays."""
    return fold_search(text).translate(_SHAPES)


class Parallel(msgspec.Struct, frozen=True, dict=True):
    """An undamaged text: its name, and its words in ``units`` (clauses of canon; whole notes) in their order.

    ``joined``: whether one unit goes on where the last one ended (canon), so that words across both count. ``places``
    says of each unit where it stands (a clause's id; who speaks, and the page or line), if that is known.
    """

    name: str
    units: tuple[str, ...]
    joined: bool = False
    places: tuple[str, ...] = ()

    @classmethod
    def of_clauses(cls, name: str, clauses: Iterable[tuple[str, str]]) -> Self:
        """Make one of a rite's clauses (id, words)."""
        told = tuple(clauses)
        units, places = tuple(words(each) for _, each in told), tuple(id_ for id_, _ in told)
        return cls(name, units, joined=True, places=places)

    @classmethod
    def of_text(cls, text: Text) -> tuple[Self, Self]:
        """Make two of a text that was taken in: its canon, and what is said of it remark by remark, not translated."""
        canon: list[tuple[str, str]] = []
        began: dict[int, Piece] = {}
        for piece in text.pieces:
            if piece.layer is Layer.canon:
                canon.append((words(text.text[piece.start : piece.end]), _where(piece)))
            elif piece.remark is not None:
                began.setdefault(piece.remark, piece)
        said = [
            (words(_MARKS.sub("", remark.text)), _where(began.get(remark.number), remark.speaker or remark.layer.value))
            for remark in text.remarks
            if remark.layer is not Layer.translation
        ]
        both = ((f"{text.name} 經", canon, True), (f"{text.name} 注疏", said, False))
        first, second = (
            cls(name, tuple(unit for unit, _ in told if unit), joined, tuple(place for unit, place in told if unit))
            for name, told, joined in both
        )
        return first, second

    def place(self, at: int) -> str:
        """Give the name and where the word at this offset of `words` stands: ``KR1d0026_005 注疏 鄭玄 005-9a``."""
        place = self.places[bisect_right(self.ends[1], at) - 1] if self.places else ""
        return place if place.startswith(self.name) else f"{self.name} {place}".strip()

    @cached_property
    def words(self) -> str:
        """All its words; units that do not belong together are set apart by a blank."""
        return ("" if self.joined else " ").join(self.units)

    @cached_property
    def folded(self) -> str:
        """The same, folded."""
        return folded(self.words)

    @cached_property
    def ends(self) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """The folded units, and where each begins in `words`."""
        starts, at = [], 0
        for unit in self.units:
            starts.append(at)
            at += len(unit) + (not self.joined)
        return tuple(folded(unit) for unit in self.units), tuple(starts)

    def opens(self, at: int) -> bool:
        """Tell whether a note begins at this offset of `words`."""
        return not self.joined and (at == 0 or (at > 0 and self.words[at - 1] == " "))

    @cached_property
    def neighbours(self) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
        """Where each two folded words stand beside one another, and where with one between them, in order."""
        text = self.folded
        next_to: defaultdict[str, list[int]] = defaultdict(list)
        around: defaultdict[str, list[int]] = defaultdict(list)
        for at in range(len(text) - 1):
            next_to[text[at : at + 2]].append(at)
        for at in range(len(text) - 2):
            around[text[at] + text[at + 2]].append(at)
        return dict(next_to), dict(around)


def _where(piece: Piece | None, speaker: str = "") -> str:
    """Say whose words they are, and on which page, or else in which line, they begin."""
    at = "" if piece is None else piece.page or f"line {piece.line}"
    return " ".join(filter(None, (speaker, at)))


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """A character in a parallel, at a gap's place: ``before`` and ``behind`` are how many words agree.

    ``quoted`` shows it in ［ ］ among its neighbours, with the parallel's name and place. ``opens``: what is said there
    begins in both with the very words that agree; ``closes``: it ends there in the parallel.
    """

    character: str
    before: int
    behind: int
    quoted: str
    opens: bool = False
    closes: bool = False

    @property
    def weight(self) -> int:
        """How many words agree; two fewer where none does on one side, for there one may have gone on otherwise.

        Two more where both begin together.
        """
        return self.before + self.behind + (2 if self.opens else 0 if self.before and self.behind else -2)


def stands(
    parallels: Iterable[Parallel], before: str, behind: str, allowed: Collection[str] | None, opened: int | None = None
) -> list[Seen]:
    """Give what stands between these words in the parallels, best first; one of ``allowed`` where that is given.

    ``opened``: how many of the words ``before`` there are since something was quoted or explained, if it is known.
    For each character the place where most words agree, two at least.
    """
    left, right = folded(before[-REACH:]), folded(behind[:REACH])
    folded_allowed = None if allowed is None else {folded(each) for each in allowed}
    best: dict[str, Seen] = {}
    among = tuple(parallels)
    indexed = sum(len(parallel.words) for parallel in among) <= _INDEXED
    for parallel in among:
        text = parallel.folded
        for at in _places(parallel, left, right, indexed=indexed):
            if text[at] == " " or (folded_allowed is not None and text[at] not in folded_allowed):
                continue
            here = _agree(text, at, left, right)
            old = best.get(text[at])
            seen = _seen(parallel, at, *here)
            if opened is not None and opened + here[1] >= _TWO and parallel.opens(at - opened):
                opens = left.endswith(text[at - opened : at])
                seen = msgspec.structs.replace(seen, before=opened, opens=True) if opens else seen
            if sum(here) >= _TWO and (old is None or seen.weight > old.weight):
                best[text[at]] = seen
    return sorted(best.values(), key=lambda seen: (-seen.weight, seen.character))


def lemma(
    parallels: Iterable[Parallel], first: str, last: str, allowed: Collection[str] | None, after: str = ""
) -> list[Seen]:
    """Give what a lost word of a lemma is: a passage begins with ``first`` and ends with ``last``, it, and ``after``.

    The word is one of ``allowed``, where that is given. A passage is one unit (a note), or a run of canon from one
    unit's beginning to another's end. For each character the shortest passage of the first parallel that has one, in
    the parallels' order.
    """
    head, tail, rest = folded(first), folded(last), folded(after)
    wanted = None if allowed is None else {folded(each) for each in allowed}
    best: dict[str, Seen] = {}
    for parallel in parallels:
        here: dict[str, tuple[int, Seen]] = {}
        for start, end, lost in _passages(parallel, head, tail, rest):
            length = end - start + _FAR * (start not in parallel.ends[1])  # those that begin a unit come first
            if (wanted is None or lost in wanted) and (lost not in here or length < here[lost][0]):
                seen = _seen(parallel, end - 1 - len(rest), len(head) + len(tail), len(rest))
                quoted = f"{parallel.words[start : start + max(len(head), 4)]}… {seen.quoted}"
                here[lost] = length, msgspec.structs.replace(seen, quoted=quoted)
        for lost, (_, seen) in sorted(here.items(), key=lambda each: (each[1][0], each[0])):
            best.setdefault(lost, seen)
    return list(best.values())


def _passages(parallel: Parallel, head: str, tail: str, rest: str) -> Iterator[tuple[int, int, str]]:
    """Passages that begin with ``head`` and end with ``tail``, a word and ``rest``: from, to, and the word."""
    units, starts = parallel.ends
    for number, unit in enumerate(units):
        inside = unit.find(head)
        if inside < 0 or (inside and not tail + rest):  # within a unit, one word to a lost one is too little
            continue
        start = starts[number] + inside
        for other in range(number, len(units) if parallel.joined else number + 1):
            last = units[other]
            end = starts[other] + len(last)
            if end - start > _FAR:
                break
            before = last[: len(last) - len(rest) - 1]
            longer = end - start > len(head) + len(tail) + len(rest)
            if longer and len(last) > len(rest) and last.endswith(rest) and before.endswith(tail):
                yield start, end, last[len(before)]


def same_words(parallels: Iterable[Parallel], text: str, least: int = 4) -> str:
    """Give the longest stretch of these words, ``least`` at least, that a parallel has, with its place; or nothing."""
    wanted = folded(words(text))[:60]
    hays = [(parallel, parallel.folded) for parallel in parallels]
    for length in range(min(len(wanted), REACH), least - 1, -1):
        for start in range(len(wanted) - length + 1):
            part = wanted[start : start + length]
            for parallel, hay in hays:
                if (at := hay.find(part)) >= 0:
                    return f"{parallel.place(at)}「{parallel.words[at : at + length]}」"
    return ""


def _places(parallel: Parallel, left: str, right: str, *, indexed: bool) -> Iterator[int]:
    """Offsets between words that agree: one on both sides, or two on one."""
    both = left[-1:] + right[:1]
    pairs = ((left[-2:], 1, 2), (right[:2], 1, -1), (both if left and right else "", 2, 1))
    seen = {
        at + behind
        for pair, step, behind in pairs
        if len(pair) == _TWO
        for at in (parallel.neighbours[step - 1].get(pair, ())[:_MOST] if indexed else _found(parallel, pair, step))
    }
    yield from (at for at in sorted(seen) if 0 <= at < len(parallel.folded))


def _found(parallel: Parallel, pair: str, step: int) -> Iterator[int]:
    """Offsets of two words so far apart, looked for one by one."""
    between = "." * (step - 1)
    pattern = f"{re.escape(pair[0])}(?={between}{re.escape(pair[1])})"
    yield from (found.start() for found in islice(re.finditer(pattern, parallel.folded), _MOST))


def _agree(text: str, at: int, left: str, right: str) -> tuple[int, int]:
    """Count the words that agree before and behind; a quotation's 云 agrees with whatever stands there."""
    before = behind = 0
    while before < len(left) and at - before > 0 and text[at - before - 1] == left[-before - 1]:
        before += 1
    while behind < len(right) and at + behind + 1 < len(text) and text[at + behind + 1] == right[behind]:
        behind += 1
    return before or int(left[-1:] in _QUOTING), behind


def _seen(parallel: Parallel, at: int, before: int, behind: int) -> Seen:
    """Show a place of a parallel."""
    left = parallel.words[max(0, at - _SHOWN) : at].rpartition(" ")[2]
    right = parallel.words[at + 1 : at + 1 + _SHOWN].partition(" ")[0]
    quoted = f"{parallel.place(at)}「{left}［{parallel.words[at]}］{right}」"
    closes = not parallel.joined and parallel.words[at + 1 : at + 2] in {" ", ""}
    return Seen(character=parallel.words[at], before=before, behind=behind, quoted=quoted, closes=closes)
