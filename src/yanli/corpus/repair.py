"""Proposes what a damaged place was, with what bears it out. Nothing is changed.

Comes in: a text as decoded, undamaged parallels (`parallel.Parallel`), the name of the two-byte encoding that the
text once was in. Goes out: each damaged place as a `Fault` and, where there is something to propose, a `Proposal`.
Three kinds are known: runs read one byte out of step (`misread`), readings in brackets behind a character, and signs
in a lost character's place. A reading is certain where the bytes leave one only, or where a parallel does. Marks of
punctuation have no parallel: one of which half the bytes is lost is likely, and told to be, in words that are certain.
"""

from __future__ import annotations

import bisect
import codecs
import math
import re
from collections import Counter
from difflib import get_close_matches
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from yanli.corpus.folding import is_simplified, to_simplified
from yanli.corpus.misread import BRACKET, GAP, SIGNS, Undone, known_bytes, readings, to_bytes, undo
from yanli.corpus.model import Fault, FaultKind, Proposal, State
from yanli.corpus.parallel import REACH, Parallel, Seen, folded, lemma, same_words, stands, words
from yanli.errors import Finding, RiteError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# A run is one if its characters, read in step, are this much likelier than as they stand (nats for each character,
# and in all). Misread characters are rare ones; no run of the subcommentary comes near either figure.
_EACH = 1.0
_ALL = 3.0
# How many words must agree: where one byte of the character is there, and where none is.
_WITH_BYTE = 3
_WITHOUT = 6
_MANY_WORDS = 8
_OFTEN = 4
_VERY_OFTEN = 30
_FEW = 3
_MANY = 100
"""So many characters has a first byte, of which the second is lost."""
_FITS = 200
"""So many times a guess stands behind the one neighbour, times before the other."""
LOST = "▯"
"""What stands where a whole character was lost: no byte of it is left."""
AUTHOR = "yanli"
"""By whom what is proposed here is."""
MOST_SIGNS = 20_000
"""So many signs for what could not be read are looked at in one text: a book's worth of damage, in a few seconds.

Fewer, but `_FEWEST` at least, where the parallels are so long that each takes its time.
"""
_FEWEST = 500
_LONG = 1_000_000
_ROUNDS = 3
_PASSES = 2
_ENCODINGS = ("gbk", "big5", "big5hkscs", "euc_kr", "euc_jp", "shift_jis")
_SHOWN = 8
_LEMMA = re.compile(
    rf"(?:^|[。，：；？\s])(?P<note>[注註]?)(?P<first>[^。，：；？\s至{GAP}]{{1,5}})"
    rf"至(?P<last>[^。，：；？\s{GAP}]{{0,5}})$"
)
_OPENING = re.compile(r"[釋释]曰[：，]?|(?<!曰)[云言]")
_SAYS = ("云", "曰")
"""Either may stand for the other where somebody is quoted."""
_STOP = re.compile(r"[。：；]")
_AFTER = re.compile(r"(?P<words>\w{0,2}?)(?:[。，：；\s]+(?:$|\s|[釋释][曰云]|[注註])|$|[釋释][曰云])")


class Repaired(msgspec.Struct, frozen=True, kw_only=True):
    """What was found: ``places`` in their order, and a proposal for each that one can be made for.

    ``stopped`` says how far the text was looked through, where that was not to its end.
    """

    places: tuple[Fault, ...]
    proposals: tuple[Proposal, ...]
    stopped: Finding | None = None

    def counts(self) -> dict[str, tuple[int, int, int]]:
        """How many places there are of each kind, how many have a proposal, and how many a certain one."""
        at = {(each.start, each.end): each for each in self.proposals}
        found: dict[str, tuple[int, int, int]] = {}
        for place in self.places:
            one = at.get((place.start, place.end))
            all_, proposed, certain = found.get(place.kind, (0, 0, 0))
            found[place.kind] = (all_ + 1, proposed + (one is not None), certain + (one is not None and one.certain))
        return found


class _Place(msgspec.Struct, kw_only=True):
    """A damaged place and where what it was begins and ends in the skeleton."""

    kind: FaultKind
    start: int
    end: int
    undone: Undone | None = None
    at: int = 0


class _Filled(msgspec.Struct, frozen=True, kw_only=True):
    """What is put in a gap, why, and whether that leaves no doubt."""

    character: str
    why: str
    certain: bool
    frequent: bool = False
    """Whether it is a mark of punctuation taken for its frequency alone: that leaves no doubt of any word."""


def repair(
    text: str,
    parallels: Iterable[Parallel] = (),
    *,
    encoding: str = "gbk",
    read_as: str | None = None,
    signs: str = SIGNS,
    lost: str = LOST,
    author: str = AUTHOR,
) -> Repaired:
    """Find what is damaged in a text, and propose what it was.

    ``encoding`` is ``gbk`` or any two-byte encoding that Python knows (``big5``), ``read_as`` that by which its runs
    were misread, if it was another; ``signs`` are the characters that stand for bytes that could not be read, ``lost``
    those that stand for a character of which none is left. The order of ``parallels`` is that in which they are
    believed; text and parallels may be in different scripts, and what is proposed is in the text's own. Raises
    RiteError for an encoding that there is not.
    """
    for name in (encoding, read_as or encoding):
        _known(name)
    made = _Repair(text, tuple(parallels), (encoding, read_as or encoding), (signs, lost))
    proposals = [made.proposal(place, author) for place in made.places]
    return Repaired(
        places=tuple(made.fault(place) for place in made.places),
        proposals=tuple(each for each in proposals if each is not None),
        stopped=made.stopped(),
    )


class _Repair:
    """One text under repair: its places, and its skeleton (what is known of it, with `GAP` for what is not)."""

    def __init__(
        self, text: str, parallels: tuple[Parallel, ...], encodings: tuple[str, str], signs: tuple[str, str]
    ) -> None:
        self.text = text
        self.parallels = parallels
        self.encoding, self.read_as_encoding = encodings
        self.signs, self.lost_signs = signs
        self.simplified = is_simplified(text)
        self.lines = [0, *(found.end() for found in re.finditer(r"\n", text))]
        self.walked: dict[int, Undone | None] = {}
        known: Counter[str] = Counter()
        for parallel in parallels:
            known.update(parallel.folded)
        self.most = max(_FEWEST, MOST_SIGNS // (1 + sum(known.values()) // _LONG))
        self.skeleton = list(text)
        # What was repaired first tells better than the text as it stands which characters are likely.
        for _ in range(_PASSES):
            self.counts = known + Counter(folded("".join(self.skeleton)))
            self.total = sum(self.counts.values()) + 1
            self.places = self._found()
            self.skeleton = self._laid_out()
        self.pairs = Counter(a + b for a, b in pairwise(self.skeleton))
        self.single = Counter(self.skeleton)
        self.read_as = Counter(found[1] for found in re.finditer(rf"(\w){BRACKET.pattern}", text))
        self.looked_up: dict[tuple[str, str, tuple[str, ...] | None, int | None], list[Seen]] = {}
        self.filled: dict[int, _Filled] = {}
        self.lost: Counter[str] = Counter()
        for _ in range(_ROUNDS):
            sound = "".join(self.skeleton).split(GAP)
            self.own = Parallel("elsewhere in the text", tuple(map(words, sound)))
            self._fill_all()
        self._guess_lost()

    def _found(self) -> list[_Place]:
        """Go through the text, place by place."""
        places: list[_Place] = []
        self.end = len(self.text)
        signs = 0
        every = self.signs + self.lost_signs
        pattern = re.compile(f"[{re.escape(every)}]|{BRACKET.pattern}")
        at, last = 0, ""
        while found := pattern.search(self.text, at):
            at = found.end()
            if found[0] not in every:
                before = last if places and places[-1].end == found.start() and last else self.text[found.start() - 1]
                if found.start() and readings(before):
                    places.append(_Place(kind="pinyin-in-brackets", start=found.start(), end=at))
                last = ""
                continue
            signs += 1
            if signs > self.most:
                self.end = found.start()
                break
            undone = self._undone(found.start()) if found[0] in self.signs else None
            if undone is not None and self._likely(undone):
                places.append(_Place(kind="misread-run", start=undone.start, end=undone.end, undone=undone))
                at, last = undone.end, undone.skeleton[-1]
            elif self._among_words(found.start()):
                places.append(_Place(kind="lost-character", start=found.start(), end=at))
                last = ""
        return places

    def stopped(self) -> Finding | None:
        """Say how far the text was looked through, unless that was to its end."""
        if self.end == len(self.text):
            return None
        line = bisect.bisect_right(self.lines, self.end)
        cause = f"it has more than {self.most} signs for what could not be read; what stands from line {line} on, "
        cause += f"character {self.end}, was not looked at"
        return Finding(code="looked-no-further", cause=cause, grade="warning")

    def _undone(self, at: int) -> Undone | None:
        """Read on from a sign; once for each, however often the text is gone through."""
        if at not in self.walked:
            self.walked[at] = undo(self.text, at, self.encoding, self.signs, read_as=self.read_as_encoding)
        return self.walked[at]

    def _among_words(self, at: int) -> bool:
        """Tell whether a sign stands where a character could have: with words before or behind it, and no blank."""
        sides = self.text[max(0, at - 1) : at], self.text[at + 1 : at + 2]
        return any(map(words, sides)) and not any(side in " \t\"'" and side for side in sides)

    def _likely(self, undone: Undone) -> bool:
        """Tell whether a place read in step is that much likelier than as it stands."""
        stood = self.text[undone.start : undone.end]
        reads = [each[0] for each in undone.options if len(each) == 1]
        if not reads:
            return len(stood) > 1 and BRACKET.search("(" + stood[1:]) is not None
        raw = [one for one in re.sub(r"\??[^\W\d_]*\)", "", stood) if one not in self.signs]
        if not raw:
            return True
        gain = sum(map(self._weight, reads)) / len(reads) - sum(self._weight(one, raw.count(one)) for one in raw) / len(
            raw
        )
        return gain > _EACH and gain * len(reads) > _ALL

    def _weight(self, character: str, here: int = 0) -> float:
        """How likely a character is (logarithm), but for those ``here``."""
        own = not "\ue000" <= character <= "\uf8ff"
        return math.log((max(0, self.counts[folded(character)] - here) * own + 0.2) / self.total)

    def _laid_out(self) -> list[str]:
        """Join what is sound and what each place was."""
        parts: list[str] = []
        done = length = 0
        for place in self.places:
            sound = self.text[done : place.start]
            length += len(sound)
            place.at = length
            was = place.undone.skeleton if place.undone else "" if place.kind == "pinyin-in-brackets" else GAP
            parts += (sound, was)
            length += len(was)
            done = place.end
        return list("".join((*parts, self.text[done:])))

    def _near(self, start: int, end: int) -> str:
        """Give a part of the skeleton."""
        return "".join(self.skeleton[max(0, start) : end])

    def _fill_all(self) -> None:
        """Fill what can be filled; what is certain stands in the skeleton from then on, and helps its neighbours."""
        for place in self.places:
            for index, options in enumerate(place.undone.options if place.undone else ()):
                if len(options) > 1:
                    self._fill_one(place.at + index, options)
            if place.kind == "lost-character":
                self._fill_one(place.at, None)

    def _fill_one(self, at: int, options: Sequence[str] | None) -> None:
        """Fill one gap, unless that was done."""
        if (old := self.filled.get(at)) and old.certain:
            return
        if filled := self._fill(at, options):
            self.filled[at] = filled
            if filled.certain:
                if options is None:
                    self.lost[filled.character] += 1
                self.skeleton[at] = filled.character

    def fault(self, place: _Place) -> Fault:
        """Give the place as a fault."""
        told = {
            "misread-run": "a two-byte encoding read one byte out of step",
            "pinyin-in-brackets": "a reading put in behind a character",
            "lost-character": "a sign in a character's place",
        }[place.kind]
        return Fault(
            kind=place.kind, start=place.start, end=place.end, line=bisect.bisect_right(self.lines, place.start),
            found=self.text[place.start : place.end], told=told,
            state=State.illegible if place.kind == "lost-character" else None,
        )  # fmt: skip

    def proposal(self, place: _Place, author: str) -> Proposal | None:
        """Propose what a place was."""
        found = self.text[place.start : place.end]
        likely = ""
        if place.kind == "pinyin-in-brackets":
            before = self._near(place.at - 1, place.at)
            fits = found[1:-1] in readings(before)
            half = (to_bytes(before, self.encoding) or b"").hex().upper() if len(before) == 1 else ""
            why = f"{found[1:-1]} is {'a' if fits else 'no'} reading of {before} ({half}), behind which it stands"
            emended, method, certain = "", "the reading in brackets is taken out", fits
        elif place.undone is None:
            filled = self.filled.get(place.at)
            if filled is None:
                return None
            emended, why, certain = filled.character, filled.why, filled.certain
            method = "the lost character from a parallel"
        else:
            emended, why, certain, likely = self._run(place, place.undone)
            method = f"{self.encoding} read in step from the byte before"
        why = f"{self._shown(place, emended)}; {why}"
        return Proposal(
            start=place.start, end=place.end, found=found, emended=emended, method=method, evidence=why,
            certain=certain, author=author, likely=likely,
        )  # fmt: skip

    def _shown(self, place: _Place, emended: str) -> str:
        """Show a place as it is proposed to be read: its line, and the words around it, as far as they are known."""
        end = place.at + (len(place.undone.options) if place.undone else place.kind == "lost-character")
        before, behind = self._near(place.at - _SHOWN, place.at), self._near(end, end + _SHOWN)
        words_ = f"{before}［{emended}］{behind}".replace("\n", "／")
        return f"line {bisect.bisect_right(self.lines, place.start)}「{words_}」"

    def _run(self, place: _Place, undone: Undone) -> tuple[str, str, bool, str]:
        """Fill a run's gaps: what it was, what bears it out, whether its words leave no doubt, and which marks do."""
        made: list[str] = []
        likely = ""
        why: list[str] = []
        certain = True
        for index, options in enumerate(undone.options):
            if len(options) == 1:
                made.append(options[0])
                continue
            filled = self.filled.get(place.at + index)
            made.append(filled.character if filled else "□")
            half = f"({known_bytes(options, self.encoding)}: {len(options)} characters)"
            why.append(f"{made[-1]} {half}: {filled.why if filled else 'no parallel tells which'}")
            certain = certain and filled is not None and filled.certain
            likely += filled.character if filled is not None and filled.frequent else ""
        if whole := same_words(self.parallels, "".join(made)):
            why.append(whole)
        clear = sum(len(options) == 1 for options in undone.options)
        bytes_ = undone.bytes_told(self.encoding)
        why.insert(0, f"bytes {bytes_}, which leave one reading for {clear} of {len(made)} characters")
        return "".join(made), "; ".join(why), certain, likely

    def _fill(self, at: int, options: Sequence[str] | None) -> _Filled | None:
        """Find what stands at a gap of the skeleton, where it may be one of ``options`` (None: anything)."""
        told = self._mark(at, options) if options else None
        if options and not told and len(options) <= _FEW:
            told = self._bracketed(options)
        return told or self._from_parallels(at, options)

    def _from_parallels(self, at: int, options: Sequence[str] | None) -> _Filled | None:
        """Find what the parallels tell of a gap, or else the text itself."""
        left = words(self._near(at - 3 * REACH, at).rpartition(GAP)[2])
        right = words(self._near(at + 1, at + 1 + 3 * REACH).partition(GAP)[0])
        opened = self._opened(at)
        seen = self._stands(left, right, options, opened)
        if left[-1:] in {"注", "註"}:  # what follows is a note's first word: there, nothing stands before it
            first = self._stands(" ", right, options, 0)
            seen = first if first and (not seen or first[0].weight > seen[0].weight) else seen
        least = _WITH_BYTE if options else _WITHOUT
        sure = _sure(seen, least)
        if not sure:
            told = self._lemma(at, options)
            if not told and options:
                told = self._ends_quotation(at, options, seen, opened) or self._two(at, options, (left, right, opened))
                told = told or self._before_a_stop(at, options, seen, left)
            elif not told:
                told = self._lost_often(seen)
            if told:
                return told
        if seen and (sure or seen[0].before + seen[0].behind >= least):
            why = seen[0].quoted if options else self._told(seen[0])
            return _Filled(character=self._shape(seen[0].character, options), why=why, certain=sure)
        return self._habit(at, options) if options else self._own(left, right)

    def _before_a_stop(self, at: int, options: Sequence[str], seen: Sequence[Seen], left: str) -> _Filled | None:
        """Find the one character with this byte that stands anywhere behind these words, where the sentence stops."""
        behind = self._near(at + 1, at + 2)
        told = [one for one in seen if one.before > 1]
        if not behind or words(behind) or len(told) != 1:
            return None
        only = told[0]
        passage = folded(left[-_FEW:] + only.character)
        works = {one.name.partition(" ")[0] for one in self.parallels if passage in one.folded}
        sure = only.before >= _FEW and len(works) >= _FEW and not {"者", "也"} & set(options)
        why = f"{only.quoted}; nothing else that has this byte stands behind {left[-only.before :]}"
        why += f", in any of {len(works)} works that have it" if len(works) > 1 else ""
        return _Filled(character=self._shape(only.character, options), why=why, certain=sure)

    def _two(self, at: int, options: Sequence[str], around: tuple[str, str, int | None]) -> _Filled | None:
        """Find two characters where one sign stands for both: half of one, and one lost elsewhere in this text too.

        ``around``: the words before and behind, and how many of those before there are since what is quoted began.
        """
        left, right, opened = around
        if len(options) < _MANY or not words(self._near(at + 1, at + 2)):
            return None
        made: list[tuple[Seen, str]] = []
        for lost in self.lost:
            made += [(seen, lost) for seen in self._stands(left, lost + right, options, opened)]
        made = sorted((each for each in made if each[0].behind >= _FEW), key=lambda each: -each[0].weight)
        if not made:
            return None
        (seen, lost), weight = made[0], made[0][0].weight
        sure = weight >= _WITHOUT and (len(made) == 1 or made[1][0].weight < weight)
        why = f"{seen.quoted}; {lost}, lost with it, was lost {self.lost[lost]} times elsewhere here"
        return _Filled(character=self._shape(seen.character, options) + lost, why=why, certain=sure)

    def _guess_lost(self) -> None:
        """Guess a lost character that nothing tells: one lost elsewhere too that goes well with its neighbours."""
        if not self.lost:
            return
        pairs: Counter[str] = Counter()
        for text in (*(parallel.folded for parallel in self.parallels), self.own.folded):
            pairs.update(a + b for a, b in pairwise(text))
        for place in self.places:
            if place.kind != "lost-character" or place.at in self.filled:
                continue
            before, behind = folded(self._near(place.at - 1, place.at)), folded(self._near(place.at + 1, place.at + 2))
            scored: list[tuple[int, str, int, int]] = []
            for one in self.lost:
                left, right = pairs[before + folded(one)], pairs[folded(one) + behind]
                fits = left * right if words(behind) else left * (_VERY_OFTEN // _OFTEN)
                scored.append((fits, one, left, right))
            scored.sort(reverse=True)
            fits, best, left, right = scored[0]
            if fits >= _FITS and (len(scored) == 1 or fits >= 2 * scored[1][0]):
                why = f"{best} was lost {self.lost[best]} times elsewhere here; in all texts it stands {left} times"
                why += f" behind {before} and {right} times before {behind}"
                self.filled[place.at] = _Filled(character=best, why=why, certain=False)

    def _lost_often(self, seen: Sequence[Seen]) -> _Filled | None:
        """Of what stands in the parallels, find the first that was lost elsewhere in this text too, for certain."""
        for each in sorted(seen, key=lambda one: -one.weight * self.lost[self._shape(one.character, None)]):
            character = self._shape(each.character, None)
            times = self.lost[character]
            likely = each.weight >= _WITH_BYTE - (not each.before) and (times >= _FEW or (each.before and each.behind))
            if times and likely:
                sure = times >= _FEW and each.weight > _WITH_BYTE and each is seen[0]
                sure = sure and (len(seen) == 1 or seen[1].weight < each.weight)
                why = f"{self._told(each)}; {character} was lost {times} times elsewhere here"
                return _Filled(character=character, why=why, certain=sure)
        return None

    def _stands(self, left: str, right: str, options: Sequence[str] | None, opened: int | None = None) -> list[Seen]:
        """Look up what stands between these words; once for each."""
        key = left[-REACH:], right[:REACH], tuple(options) if options else None, opened
        if key not in self.looked_up:
            self.looked_up[key] = stands(self.parallels, left, right, options, opened)
        return self.looked_up[key]

    def _opened(self, at: int) -> int | None:
        """Count the words before a gap since something was quoted or explained (云, 釋曰); None if that is not near."""
        near = self._near(at - 2 * REACH, at)
        ends = [found.end() for found in _OPENING.finditer(near)]
        since = near[ends[-1] :] if ends else GAP
        return None if GAP in since or _STOP.search(since) else len(words(since))

    def _ends_quotation(
        self, at: int, options: Sequence[str] | None, seen: Sequence[Seen], opened: int | None
    ) -> _Filled | None:
        """Find the 者 that ends what is quoted: a parallel has the words before it, and goes on otherwise."""
        if opened is None or opened < _FEW or "者" not in (options or ()) or self._near(at + 1, at + 2) != "，":
            return None
        quoted = words(self._near(at - 3 * REACH, at))[-opened:]
        there = next((one for one in self.parallels if folded(quoted) in one.folded), None)
        if there is None or (seen and seen[0].before >= min(opened, REACH)):
            return None
        start = there.folded.index(folded(quoted))
        why = f"者 ends the quotation, {there.place(start)}「{there.words[start : start + opened]}」"
        return _Filled(character="者", why=why, certain=True)

    def _shape(self, character: str, options: Sequence[str] | None) -> str:
        """Give the shape that the bytes ask for, or else the parallel's, in the script of this text."""
        if options is None and self.simplified and character not in self.single:
            own = to_simplified(character)
            return own if own != character else folded(character)
        many = [one for one in options or () if folded(one) == folded(character)]
        return max(many, key=lambda one: self.single[one]) if many else character

    def _told(self, seen: Seen) -> str:
        """Quote a parallel, and say where it has another character than what is proposed in this text's script."""
        own = self._shape(seen.character, None)
        return (
            seen.quoted
            if own == seen.character
            else f"{seen.quoted}; {own} is its {seen.character} in simplified script"
        )

    def _mark(self, at: int, options: Sequence[str]) -> _Filled | None:
        """Find a punctuation mark, which no parallel tells: of these characters it is by far the most frequent here."""
        scored = sorted(((self.single[one], one) for one in options), reverse=True)
        (most, best), (rest, _) = scored[0], scored[1]
        if words(best) or most < _VERY_OFTEN or rest * 2 * _OFTEN > most:
            return None
        near = self.pairs[best + self._near(at + 1, at + 2)]
        why = f"likely: by far the commonest of them here ({most} times; {near} before what follows)"
        return _Filled(character=best, why=why, certain=True, frequent=True)

    def _bracketed(self, options: Sequence[str]) -> _Filled | None:
        """Find the one character of few behind which this text puts readings."""
        told = [one for one in options if self.read_as[one]]
        if len(told) != 1:
            return None
        times = self.read_as[told[0]]
        why = f"of {' '.join(options)} it is {told[0]} that has readings put in behind it ({times} times)"
        return _Filled(character=told[0], why=why, certain=True)

    def _lemma(self, at: int, options: Sequence[str] | None) -> _Filled | None:
        """Find a word of a lemma, lost: the last one or one of the last."""
        found = _LEMMA.search(self._near(at - 4 * REACH, at).rpartition("\n")[2].replace("釋曰", "。"))
        after = _AFTER.match(self._near(at + 1, at + 2 * REACH))
        if not found or not after or (options is None and not found["last"] + after["words"]):
            return None
        # What is said of a note is in the notes, what is said of canon in canon.
        fitting = [parallel for parallel in self.parallels if parallel.joined is not bool(found["note"])]
        seen = lemma(fitting, found["first"], found["last"], options, after["words"])
        if len(options or ()) >= _MANY and len(seen) != 1:
            for lost in self.lost:
                two = lemma(fitting, found["first"], found["last"], options, lost + after["words"])
                if len(two) == 1:
                    character = self._shape(two[0].character, options) + lost
                    why = (
                        f"the lemma: {two[0].quoted}; {lost}, lost with it, was lost {self.lost[lost]} times elsewhere"
                    )
                    return _Filled(character=character, why=why, certain=not seen)
        if not seen or (len(seen) > 1 and not found["last"] + after["words"]):
            return None
        character = self._shape(seen[0].character, options)
        return _Filled(character=character, why=f"the lemma: {seen[0].quoted}", certain=len(seen) == 1)

    def _habit(self, at: int, options: Sequence[str]) -> _Filled | None:
        """Find what this very text has, of the characters that there may be, between these neighbours."""
        before, behind = self._near(at - 1, at), self._near(at + 1, at + 2)
        scored = sorted(((self.pairs[one + behind], self.pairs[before + one], one) for one in options), reverse=True)
        (most, also, best), rest = scored[0], scored[1:]
        if most < _VERY_OFTEN or any(each[0] * _OFTEN > most for each in rest):
            return None
        return _Filled(
            character=best,
            why=f"{best} stands before {behind!r} here {most} times, and after {before!r} {also} times",
            certain=False,
        )

    def _own(self, left: str, right: str) -> _Filled | None:
        """Find a lost character in what this text says elsewhere, undamaged."""
        if not self.lost:
            return None
        seen = stands([self.own], left, right, None)
        often = self._lost_often(seen)
        return often and msgspec.structs.replace(often, certain=False)


def _known(encoding: str) -> None:
    """Raise RiteError for an encoding that there is not."""
    try:
        codecs.lookup(encoding)
    except LookupError:
        near = get_close_matches(encoding.lower(), _ENCODINGS, 1, 0.0)[0]
        cause = f"there is no encoding {encoding}; known are {', '.join(_ENCODINGS)}; the nearest is {near}"
        raise RiteError(Finding(code="no-encoding", cause=cause)) from None


def _sure(seen: Sequence[Seen], least: int) -> bool:
    """Tell whether the first that was seen leaves no doubt: enough words agree, and fewer for any other."""
    if not seen:
        return False
    first = seen[0]
    if least == _WITH_BYTE and not first.opens and (first.before <= 1 or first.weight <= least):
        return False
    if first.character in _SAYS and first.weight < _MANY_WORDS:
        return False
    if least == _WITHOUT and not (first.before and (first.behind or first.closes)):
        return False
    rival = seen[1].weight if len(seen) > 1 else 0
    return first.weight >= least and first.weight > rival + (least == _WITHOUT)
