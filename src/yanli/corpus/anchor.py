"""Says of which clauses of a rite each remark of a text speaks.

Comes in: a `Text` and the rite's clauses, each with its id (``rite.section.clause``) and its words, in order. Goes out:
anchors, each with how sure it is and how it was found. A remark speaks of the words before it, back to where the remark
before stands; its lemma, or what it quotes of these words, says of which among them. Where a text has no canon of its
own (a subcommentary that points by first and last words) the lemmata alone are followed, in their order.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from functools import lru_cache
from math import fsum, log
from typing import TYPE_CHECKING

import msgspec

from yanli.corpus.anchor_lemma import follow
from yanli.corpus.anchor_place import places
from yanli.corpus.anchor_translation import Original, translated
from yanli.corpus.anchor_words import fold_words
from yanli.corpus.model import Anchor, How, Layer, Remark, Text
from yanli.corpus.reread import in_step

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# A remark of so many characters that quotes nothing speaks of all the words before it, a shorter one of the last.
_LONG = 30
_FAR = 60  # so many characters of canon without a place, and what stands after them belongs to another text
_GAP = 12  # so many clauses a witness may leave out within one stretch
_HEADS = 400  # so far into a remark it is looked for what it speaks of
# What a remark says before the words that it speaks of; sentences have no points, so 也 and its like end one.
_LEADS = "不復既亦上下此經文言云謂所以凡其又即曰"
_STARTS = re.compile(r"(?:^|[也矣耳焉乎者]|[^以]言|云|谓|曰|作)")
# Alone, these say nothing of what is spoken of.
_EMPTY = frozenset("不也以之者其而于则与若此言云曰谓凡亦又乃皆有无为如未既故是所及自可一二三上下至礼人今古文经注疏案")
# A character and what it is: 卒盡也, 疑止也; 猶, 謂 and 者 leave no doubt.
_GLOSS = re.compile(r"[^此是其](?:[犹谓者]|.也|.$)")
_COMMON = 60  # what a rite says more often than this (賓, 主人) tells nothing of the clause
_TELLING = 3.0  # from this weight on, what is quoted in passing decides
_FOLLOWED = 3
_NAMED = 4  # a lemma of so many characters names a clause wherever the remark stands
_ALIKE = 0.6  # of a lemma that stands nowhere as it is, so great a part in its places names the clause
_SHORT = 8
# How a character is read: 召音邵, 弣芳甫反, 殺如字, 行去聲; words are folded.
_READ = re.compile(r"(?P<read>.)(?:并|皆|亦)?(?:音.|..反|..切|如字|[平上去入]声)")
_BESIDE = 6  # with so many signs between them a remark stands right behind another
_PART = re.compile(r"[第卷][一二三四五六七八九十]")
# 今文觶作觚, 古文皆爲蹙: a remark that begins so speaks of the character.
_VARIANT = re.compile(r"[今古]文(?P<own>[^皆并或无作为]{1,2})(?:皆|并|或)?[作为](?P<other>.)")
# 賓辭者: what is explained, some of its characters left out.
_NAMING = re.compile(r"^(?P<named>[^此凡云言谓者也]{2,6})者")
# 上降降席也下降降階也: a word that stands twice, here and there explained.
_TWICE = re.compile(r"上(?P<one>.)(?:(?P=one)|[谓言者]).{1,8}下(?P=one)(?:(?P=one)|[谓言者])")
_TRANSLATED = 0.8  # what a translation speaks of is no surer than that it was set beside the right words
_WHOLE = re.compile(r"^(?:案|又案|右)?以上")


class Ground(msgspec.Struct, frozen=True):
    """The rite to anchor in: its folded words, the clause (by number) of each character, and the clauses' own words."""

    words: str
    owner: tuple[int, ...]
    clauses: tuple[str, ...]
    starts: tuple[int, ...]


class _Found(msgspec.Struct, frozen=True):
    """The clauses (by number, both included) that a remark speaks of, and that behind whose words it stands."""

    first: int
    last: int
    confidence: float
    how: How
    stands: int | None = None


def ground(clauses: Sequence[tuple[str, str]]) -> Ground:
    """Make a rite's clauses ready."""
    return _ground(tuple(clauses))


@lru_cache(maxsize=32)
def _ground(clauses: tuple[tuple[str, str], ...]) -> Ground:
    """Make a rite ready once for all works: that costs more than to anchor a short one."""
    folded = [fold_words(words).text for _, words in clauses]
    owner: list[int] = []
    starts: list[int] = []
    for number, words in enumerate(folded):
        starts.append(len(owner))
        owner += [number] * len(words)
    return Ground("".join(folded), tuple(owner), tuple(folded), tuple(starts))


def anchor(text: Text, clauses: Sequence[tuple[str, str]]) -> tuple[Anchor, ...]:
    """Give an anchor for every remark that speaks of this rite; those that do not have none.

    ``clauses`` are the ids and canonical words of one rite in their order. A reference to another rite or place
    (如初, 鄉射禮曰) never moves a remark: it speaks of the clause where it stands.
    """
    if not clauses or not text.remarks:
        return ()
    base = ground(clauses)
    rite = clauses[0][0].split(".", 1)[0]
    found = _found(text, base)
    return tuple(
        Anchor(
            remark=remark.number,
            rite=rite,
            first=clauses[it.first][0],
            last=clauses[it.last][0],
            confidence=round(it.confidence, 2),
            how=it.how,
            stands=clauses[it.stands][0] if it.stands is not None else None,
        )
        for remark in text.remarks
        if (it := found.get(remark.number)) is not None
    )


def _found(text: Text, base: Ground) -> dict[int, _Found]:
    """Anchor the remarks of a text, by number."""
    canon = fold_words(text.layer(Layer.canon))
    found: dict[int, _Found] = {}
    if canon.text:
        where = places(canon.text, base.words)
        found = _by_place(text.remarks, base, where, canon.offsets)
        for number in _of_the_next(text):
            one = found.get(number)
            if one is not None and one.how != "lemma" and one.stands == len(base.clauses) - 1:
                del found[number]
        if turned := translated(text):
            found = _as_translated(text.remarks, found, turned, base, (where, canon.offsets))
    if len(found) * 4 < len(text.remarks) and any(remark.lemma for remark in text.remarks):
        # Lemmata that were misread point nowhere; read as they were they do, and the remarks are the same.
        again = in_step(text)
        if again is None:
            found |= _by_lemma(text.remarks, base)
        else:
            own = _by_lemma(again.text.remarks, base)
            found |= {number: own[other] for number, other in again.ways().items() if other in own}
    return found


def _by_lemma(remarks: Sequence[Remark], base: Ground) -> dict[int, _Found]:
    """Anchor remarks by their lemmata; the others by the words between their neighbours."""
    lemmata = [(remark.number, remark.lemma) for remark in remarks if remark.lemma]
    said = {remark.number: fold_words(remark.text).text[:_HEADS] for remark in remarks if remark.lemma}
    sure = {
        number: _Found(base.owner[first], base.owner[last], confidence, "lemma")
        for number, first, last, confidence in follow(lemmata, base.words, said)
    }
    found: dict[int, _Found] = {}
    held = [i for i, remark in enumerate(remarks) if remark.number in sure]
    for i, remark in enumerate(remarks):
        if remark.number in sure:
            found[remark.number] = sure[remark.number]
            continue
        at = bisect_left(held, i)
        if not 0 < at < len(held):
            continue
        before, after = sure[remarks[held[at - 1]].number], sure[remarks[held[at]].number]
        window = range(before.first, max(before.last, after.first) + 1)
        within = narrow(f"{remark.lemma or ''}\u3000{remark.text}", None, base, window)
        found[remark.number] = _Found(within.first, within.last, min(within.confidence, 0.5), within.how)
    return found


def _by_place(
    remarks: Sequence[Remark], base: Ground, where: Sequence[int], offsets: Sequence[int]
) -> dict[int, _Found]:
    """Anchor remarks by where they stand among canonical words that were found in the rite (``where``)."""
    covered = {base.owner[place] for place in where if place >= 0}
    stops = sorted({remark.after for remark in remarks})
    found: dict[int, _Found] = {}
    section = 0
    whole: list[int] = []
    noted: Remark | None = None
    for remark in remarks:
        stop = bisect_left(offsets, remark.after)
        before = bisect_left(stops, remark.after)
        start = bisect_left(offsets, stops[before - 1]) if before else 0
        if _WHOLE.match(remark.text):
            # Where it says so twice the second sums up what the first did, and perhaps more.
            window = _window(base, where[section:stop]) or whole
            section, whole = stop, window
            if window:
                found[remark.number] = _Found(window[0], window[-1], 0.8, "position", window[-1])
            continue
        window = _window(base, where[start:stop])
        if window:
            orphans = _orphans(window[-1], covered, len(base.clauses))
            one = found.get(remark.number - 1)
            told = range(one.first, one.last + 1) if one is not None and one.stands == window[-1] else ()
            spoken = _glossed(remark, base, window) or narrow(remark.text, remark.lemma, base, window, orphans, told)
            # A subcommentary speaks of the note to which it is set, whatever other words it may share with the canon.
            if remark.layer is Layer.subnote and noted is not None and noted.after == remark.after:
                about = found[noted.number]
                apart = spoken.first > about.last or spoken.last < about.first
                own = spoken.how == "lemma" or (spoken.how == "quotation" and not _shares(remark, noted))
                spoken = about if apart and not own and _set_to(remark, noted) else spoken
            noted = remark if remark.layer is Layer.note else noted
            found[remark.number] = msgspec.structs.replace(spoken, stands=window[-1])
        elif (near := _nearest(where, stop)) is not None:
            number = base.owner[near]
            pointed = _pointed(remark.lemma, base, [number], {number: 0.0}) if remark.lemma else None
            if pointed is None and number == len(base.clauses) - 1 and where[stop - 1] < 0:
                continue  # words behind the rite's end are of what comes next
            spoken = pointed or _Found(number, number, 0.3, "position")
            found[remark.number] = msgspec.structs.replace(spoken, stands=number)
    return found


def _as_translated(
    remarks: Sequence[Remark],
    found: dict[int, _Found],
    turned: dict[int, Original],
    base: Ground,
    canon: tuple[Sequence[int], Sequence[int]],
) -> dict[int, _Found]:
    """Give anchors in which a translation speaks of what the words that it translates speak of.

    It stands where its portion ends, far behind them. What is like no words of its portion (右边再射, a heading) is of
    what is told right before it, if the next is of this rite too.
    """
    where, offsets = canon
    of: dict[int, _Found | None] = {}
    for number, original in turned.items():
        if original.remark is not None:
            of[number] = found.get(remarks[original.remark].number)
        else:
            start, stop = bisect_left(offsets, original.start), bisect_left(offsets, original.end)
            window = _window(base, where[start:stop])
            of[number] = _Found(window[0], window[-1], _TRANSLATED, "position") if window else None
    own = [remark.number for remark in remarks if remark.layer is Layer.translation]
    held = sorted(of)
    for number in own:
        spoken = of.get(number)
        if number not in of and held:
            at = bisect_left(held, number)
            before, behind = of[held[max(at - 1, 0)]], of[held[min(at, len(held) - 1)]]
            if before is not None and behind is not None:
                spoken = msgspec.structs.replace(before, confidence=0.4, how="position")
        stood = found.pop(number, None)
        if spoken is not None:
            stands = stood.stands if stood is not None else None
            sure = min(spoken.confidence, _TRANSLATED)
            found[number] = msgspec.structs.replace(spoken, confidence=sure, stands=stands)
    return found


def _of_the_next(text: Text) -> Iterator[int]:
    """Give the remarks between which and the canon before them the title of a part stands."""
    title = False
    for piece in text.pieces:
        if piece.layer is Layer.canon:
            title = False
        elif piece.layer is Layer.heading:
            title |= _PART.search(text.text, piece.start, piece.end) is not None
        elif title and piece.remark is not None:
            yield piece.remark


def _set_to(remark: Remark, noted: Remark) -> bool:
    """Tell whether a remark stands within a note, or right behind it."""
    if not remark.spans or not noted.spans:
        return False
    return noted.spans[0][0] < remark.spans[0][0] <= noted.spans[-1][1] + _BESIDE


def _shares(remark: Remark, noted: Remark) -> bool:
    """Tell whether a remark takes up anything of a note."""
    return bool((set(fold_words(remark.text).text) & set(fold_words(noted.text).text)) - _EMPTY)


def _glossed(remark: Remark, base: Ground, window: Sequence[int]) -> _Found | None:
    """Say of which clauses of a window a gloss tells how their characters are read; None for what is no such gloss.

    A character is glossed where it stands first; of several, one behind another.
    """
    if remark.layer is not Layer.gloss or remark.lemma:
        return None
    found: list[int] = []
    for match in _READ.finditer(fold_words(remark.text).text[:_HEADS]):
        holding = [number for number in window if match["read"] in base.clauses[number]]
        if holding:
            found.append(next((number for number in holding if not found or number >= found[-1]), holding[0]))
    return _Found(min(found), max(found), 0.9, "quotation") if found else None


def _window(base: Ground, where: Sequence[int]) -> list[int]:
    """Give the clauses that a stretch of canon holds, from first to last, without those matched by chance."""
    counts = Counter(base.owner[place] for place in where if place >= 0)
    if not counts:
        return []
    # A clause of which only a chance character was matched, apart from the others, is none of the window.
    kept = sorted(
        number
        for number, count in counts.items()
        if count * 2 >= min(len(base.clauses[number]), 4) or number - 1 in counts or number + 1 in counts
    )
    if not kept:
        return []
    # What stands last rules: the run of clauses that ends the stretch.
    among = set(kept)
    last = next(base.owner[place] for place in reversed(where) if place >= 0 and base.owner[place] in among)
    run = [last]
    for number in reversed(kept[: kept.index(last)]):
        if run[-1] - number > _GAP:
            break
        run.append(number)
    return list(range(run[-1], last + 1))


def _orphans(last: int, covered: set[int], count: int) -> list[int]:
    """Give the clauses between a window and the next that the copy has, if the copy has a next near by."""
    number = last + 1
    while number < count and number - last <= _GAP and number not in covered:
        number += 1
    return list(range(last + 1, number)) if number in covered else []


def _nearest(where: Sequence[int], stop: int) -> int | None:
    """Give the last place before ``stop`` if it is not too far."""
    for back, place in enumerate(reversed(where[max(0, stop - _FAR) : stop])):
        if place >= 0 and back <= _FAR:
            return place
    return None


def narrow(
    said: str,
    lemma: str | None,
    base: Ground,
    window: Sequence[int],
    orphans: Sequence[int] = (),
    near: Sequence[int] = (),
) -> _Found:
    """Say of which clauses of a window a remark speaks, by its lemma and what it quotes.

    ``orphans`` are clauses behind the window that the copy has lost as canon: they count only if they are quoted.
    ``near`` are those of which the remark before it at the same place speaks: of several alike they are meant.
    """
    last = window[-1]
    words = fold_words(said).text[:_HEADS]
    sight = [*window, *orphans]
    scores = _scores(words, base, sight)
    if lemma and (pointed := _pointed(lemma, base, sight, scores)):
        return pointed
    if len(sight) == 1:
        return _Found(last, last, 0.95, "position")
    quoted = _quoted(words, base, sight, last, near, scores)
    if quoted is not None:
        return quoted
    if len(words) >= _LONG:
        return _Found(window[0], last, 0.5, "position")
    return _Found(last, last, 0.85 if window[0] + 1 >= last else 0.7, "position")


def _quoted(
    words: str, base: Ground, sight: Sequence[int], last: int, near: Sequence[int], scores: dict[int, float]
) -> _Found | None:
    """Say of which clauses in sight a remark behind ``last`` speaks by what it quotes; None where it quotes nothing."""
    if (changed := _changed(words, base, sight)) is not None:
        return _Found(changed, changed, 0.85, "quotation")
    if twice := _TWICE.match(words):
        holding = [number for number in sight if twice["one"] in base.clauses[number]]
        # 上射 and 下射 are people.
        if len(holding) > 1 and not any(f"上{twice['one']}" in base.clauses[number] for number in holding):
            return _Found(holding[-2], holding[-1], 0.85, "quotation")
    if named := _mentioned(words, base, sight, scores, near):
        whole = {number for number in sight if min(named) < number and _whole(base.clauses[number], words)}
        return _Found(min(named), max({*named, *whole}), 0.85, "quotation")
    best = max(sight, key=lambda number: (scores[number], number))
    # 將 tells what comes next, whatever of it was said before.
    if not words.startswith("将") and scores[best] >= _TELLING and scores[best] > scores[last] * 2:
        return _Found(best, best, 0.7, "quotation")
    if (explained := _explained(words, base, sight)) is not None:
        return _Found(explained, explained, 0.8, "quotation")
    return None


def _changed(words: str, base: Ground, sight: Sequence[int]) -> int | None:
    """Give the last clause in sight with the character for which a remark's first words tell another (今文觶作觚)."""
    if variant := _VARIANT.match(words):
        for character in (variant["own"], variant["other"]):
            if holding := [number for number in sight if character in base.clauses[number]]:
                return holding[-1]
    return None


def _explained(words: str, base: Ground, sight: Sequence[int]) -> int | None:
    """Give the one clause in sight that has the words which a remark explains first, others between them or not."""
    if naming := _NAMING.match(words):
        named = naming["named"]
        holding = [number for number in sight if _in_order(named, base.clauses[number]) == len(named)]
        return holding[0] if len(holding) == 1 else None
    return None


def _pointed(lemma: str, base: Ground, sight: Sequence[int], scores: dict[int, float]) -> _Found | None:
    """Say what a lemma points to: the nearest clause that has its words (a note may stand at its scroll's end)."""
    for phrase in lemma.split("\u3000"):
        words = fold_words(phrase).text[:_SHORT]
        places = [match.start() for match in re.finditer(re.escape(words), base.words)] if len(words) >= _NAMED else []
        if places:
            holding = [(base.owner[place], base.owner[place + len(words) - 1]) for place in places]
            first, last = min(holding, key=lambda pair: (pair[0] not in sight, abs(pair[0] - sight[-1])))
            return _Found(first, last, 0.95 if first in sight else 0.8, "lemma")
        if len(words) >= _NAMED and (like := _like(words, base)) is not None:
            return _Found(*like, 0.6, "lemma")
    if named := _mentioned(fold_words(lemma).text, base, sight, scores):
        return _Found(min(named), max(named), 0.95, "lemma")
    return None


def _like(words: str, base: Ground) -> tuple[int, int] | None:
    """Give the clause, or two that join, with most characters of a lemma in place (序則鉤楹外, 豫則鉤楹內)."""
    agree: Counter[int] = Counter()
    for i, character in enumerate(words):
        place = base.words.find(character)
        while place >= 0:
            agree[place - i] += 1
            place = base.words.find(character, place + 1)
    best = max(agree.values(), default=0)
    if best < _ALIKE * len(words):
        return None
    places = sorted(min(max(place, 0), len(base.words) - 1) for place, count in agree.items() if count == best)
    first, last = base.owner[places[0]], base.owner[places[-1]]
    return (first, last) if last - first <= 1 else None


def _whole(clause: str, words: str) -> bool:
    """Tell whether a short clause (a song's name) stands whole in a remark."""
    return 1 < len(clause) < _SHORT and clause in words


def _scores(words: str, base: Ground, sight: Sequence[int]) -> dict[int, float]:
    """Weigh each clause by what it shares with a remark: pairs of characters, and single ones, rare ones more."""
    pairs = {words[i : i + 2] for i in range(len(words) - 1)}
    shared: dict[int, set[str]] = {}
    for number in sight:
        clause = base.clauses[number]
        shared[number] = {clause[i : i + 2] for i in range(len(clause) - 1)} & pairs
        shared[number] |= {character for character in clause if character in words and character not in _EMPTY}
    counts = Counter(gram for grams in shared.values() for gram in grams if base.words.count(gram) <= _COMMON)
    size = len(sight) + 1
    # Added up in whatever order a set gives them, what weighs the same must be the same.
    return {
        number: fsum(len(gram) * log(size / counts[gram]) for gram in grams if gram in counts)
        for number, grams in shared.items()
    }


def _mentioned(
    words: str, base: Ground, sight: Sequence[int], scores: dict[int, float], near: Sequence[int] = ()
) -> list[int]:
    """Give the clauses in sight whose words a remark takes up at the head of its sentences."""
    found: list[int] = []
    sure = False
    for head in (match.end() for match in _STARTS.finditer(words)):
        place = head
        while place < len(words) and words[place] in _LEADS and place - head < len("此不言"):
            place += 1
        for start in dict.fromkeys((head, place)):
            taken_up = _taken_up(words[start : start + _SHORT], base, sight, scores, near)
            if taken_up is not None:
                found.append(taken_up[0])
                sure |= taken_up[1]
                break
    best = max(sight, key=lambda number: (scores[number], number))
    # One character that may as well stand for something else does not hold against whole words said later.
    if found and not sure and scores[best] > max(_TELLING, 2 * max(scores[number] for number in found)):
        return [best]
    return found


def _taken_up(
    words: str, base: Ground, sight: Sequence[int], scores: dict[int, float], near: Sequence[int]
) -> tuple[int, bool] | None:
    """Give the clause that holds the longest beginning of ``words``, and whether it does so beyond doubt.

    None where it tells nothing. A single character is beyond doubt if it is explained, or the first of several.

    Of several clauses the one that follows ``words`` furthest, then the one that shares most with the remark, then one
    of which was spoken just before (``near``), then the last.
    """
    gloss = _GLOSS.match(words)
    for length in range(len(words), 0, -1):
        head = words[:length]
        holding = [number for number in sight if head in base.clauses[number]]
        if not holding:
            continue
        begins = [number for number in holding if base.clauses[number].startswith(head)]
        followed = {number: _in_order(words, base.clauses[number]) for number in holding}
        if length == 1 and head in _EMPTY:
            telling = gloss is not None
        elif all(character in _EMPTY for character in head):
            telling = bool(begins)
        else:
            telling = base.words.count(head) <= _COMMON
        if not telling:
            return None
        best = max(holding, key=lambda number: (followed[number], scores[number], number in near, number))
        return best, length > 1 or gloss is not None or followed[best] >= _FOLLOWED
    return None


def _in_order(words: str, clause: str) -> int:
    """Count how many of the first characters of ``words`` a clause has in this order, others between them or not."""
    rest = iter(clause)
    for count, character in enumerate(words):
        if character not in rest:
            return count
    return len(words)
