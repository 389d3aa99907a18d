"""Knows a remark again: the same in several works, and whether a quotation says what its source says.

Comes in: texts with the anchors of their remarks. Goes out: groups of remarks that are one, with their differences;
and for each quoted remark its source, and how the quotation differs. Remarks are compared only where they speak of
about the same clauses, so that a formula at another place is never taken for the source. Shapes and scripts do not
count as differences.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Literal

import msgspec
from rapidfuzz.distance import Indel, Levenshtein
from rapidfuzz.fuzz import partial_ratio_alignment

from yanli.corpus.entities import folded_codes
from yanli.corpus.model import Anchor, Layer, Remark, Text
from yanli.corpus.quote_reach import Damage

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from yanli.corpus.quote_reach import Reach

Faith = Literal["全", "節", "改", "無", "損", "未涵"]

_NEAR = 3  # so many clauses apart may two works put one remark; so many remarks apart may they put its words
_LIKE = 0.6  # from so great a likeness on (0 to 1) two remarks are one
_SLACK = 8  # about the words quoted so many more of the source are looked at
_CHANCE = 3  # in a quotation longer than this, single characters before and after all others agree by chance
_TELLING = 4  # so many words, wanting in one saying and found in the next, are no chance; more may differ a little
_ALIKE = 80  # from so great a likeness on (0 to 100) they are the same
_HELD = 0.6  # so great a part of a quotation must stand in its source


class Change(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where a remark has ``reading``, the one it is compared with has ``words``: either may be empty.

    ``elsewhere``: the side that is empty has these words all the same, in another saying of the same man, which speaks
    of this clause: the works divide what he says otherwise.
    """

    words: str
    reading: str
    elsewhere: str | None = None


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """A remark of a text: ``work`` is the text's name, ``remark`` the number in it."""

    work: str
    remark: int


class Variant(msgspec.Struct, frozen=True, kw_only=True):
    """One of several remarks that are the same, and how it differs from the first of them."""

    said: Said
    changes: tuple[Change, ...]


class Same(msgspec.Struct, frozen=True, kw_only=True):
    """Remarks of one speaker in several works that are one. The first is the fullest; the others are set beside it."""

    speaker: str | None
    first: Said
    others: tuple[Variant, ...]


class Attested(msgspec.Struct, frozen=True, kw_only=True):
    """A quoted remark beside what its speaker says in a source.

    ``faith``: 全 word for word (whole, or a part without gaps), 節 words left out, 改 altered, 無 not in that
    source; 損 word for word as far as it can be read, or not to be told, for what is damaged; 未涵 the source does not
    reach there.
    ``sources`` are the remarks quoted from; ``held`` the part of the quotation that stands there (0 to 1). ``changes``
    are what differs, ``damaged`` what does only where one of the two cannot be read.
    """

    said: Said
    source: str
    sources: tuple[int, ...]
    faith: Faith
    held: float
    changes: tuple[Change, ...]
    damaged: tuple[Change, ...] = ()


class Anchored(msgspec.Struct, frozen=True, eq=False):
    """A text with the anchors of its remarks."""

    text: Text
    anchors: tuple[Anchor, ...]


class _One(msgspec.Struct, frozen=True, eq=False):
    """A remark ready to be compared: its folded words, how each is spelt, and the clauses (by number) it speaks of.

    A character that the copy writes as an entity is one word. ``marred`` says of each word whether it, or what stands
    before it, cannot be read.
    """

    said: Said
    remark: Remark
    words: str
    spelt: tuple[str, ...]
    marred: tuple[bool, ...]
    rite: str
    first: int
    last: int


def same_remarks(texts: Sequence[Anchored], clauses: Sequence[str]) -> list[Same]:
    """Give remarks of one speaker that stand in several of the texts, each group once, in the order of the rite.

    ``clauses`` are the ids of the rite's clauses in their order.
    """
    ready = sorted((one for text in texts for one in _ready(text, clauses)), key=_order)
    firsts = [one.first for one in ready]
    group: dict[Said, list[_One]] = {}
    for one in ready:
        best: tuple[float, list[_One]] | None = None
        for other in ready[bisect_left(firsts, one.first - _NEAR) : bisect_left(firsts, one.first + 1)]:
            held = group.get(other.said)
            if held is None or any(member.said.work == one.said.work for member in held):
                continue
            if _speaker(other) == _speaker(one) and other.last >= one.first - _NEAR:
                like = Indel.normalized_similarity(one.words, other.words, score_cutoff=_LIKE)
                if like >= _LIKE and (best is None or like > best[0]):
                    best = like, held
        members = best[1] if best else []
        members.append(one)
        group[one.said] = members
    unique = {id(members): members for members in group.values() if len(members) > 1}
    spoken: dict[tuple[str, str], list[_One]] = {}
    for one in ready:
        spoken.setdefault((one.said.work, _speaker(one)), []).append(one)
    return [_same(members, spoken, clauses) for members in unique.values()]


def _same(members: list[_One], spoken: Mapping[tuple[str, str], Sequence[_One]], clauses: Sequence[str]) -> Same:
    """Set the members of a group beside the fullest of them; ``spoken`` is what each man says in each work."""

    def beside(one: _One) -> list[_One]:
        every = spoken[one.said.work, _speaker(one)]
        return [
            other
            for other in every
            if other is not one
            and (
                abs(other.said.remark - one.said.remark) <= _NEAR
                or (other.first <= one.last + _NEAR and other.last >= one.first - _NEAR)
            )
        ]

    full = max(members, key=lambda one: len(one.words))
    others = tuple(
        Variant(said=one.said, changes=_changes(full, one, beside(full), beside(one), clauses))
        for one in members
        if one is not full
    )
    return Same(speaker=full.remark.speaker, first=full.said, others=others)


def attested(quoting: Anchored, source: Anchored, clauses: Sequence[str], reach: Reach | None = None) -> list[Attested]:
    """Tell of every remark that a text quotes from a speaker whether it says what the source has of him.

    Only speakers of whom the source has remarks of his own (quoted by nobody there) are asked about. ``reach`` is the
    source's; without it the source is taken to have the whole rite.
    """
    theirs = sorted((one for one in _ready(source, clauses) if not one.remark.quoted_by), key=_order)
    by_speaker: dict[str | None, list[_One]] = {}
    for one in theirs:
        by_speaker.setdefault(one.remark.speaker, []).append(one)
    asked = [one for one in _ready(quoting, clauses) if one.remark.speaker in by_speaker and one.words]
    return [_attest(one, by_speaker[one.remark.speaker], source.text.name, reach) for one in asked]


def _attest(one: _One, theirs: Sequence[_One], source: str, reach: Reach | None) -> Attested:
    """Look for one quotation among its speaker's remarks about the same clauses."""
    near = [
        other
        for other in theirs
        if other.rite == one.rite and other.first <= one.last + _NEAR and other.last >= one.first - _NEAR
    ]
    # A note is often quoted together with the next: all that stand near are one stretch, of which a part is quoted.
    quoted = one.words
    joined = "".join(other.words for other in near)
    said = [spelt for other in near for spelt in other.spelt]
    # Where it is quoted in one stretch that stretch is best; where words are left out all must be looked at.
    near_by = partial_ratio_alignment(quoted, joined)
    stretches = [(0, len(joined))] + ([(near_by.dest_start, near_by.dest_end)] if near_by else [])
    kept = max((_agreeing(joined, quoted, *stretch) for stretch in stretches), key=_agreed)
    held = _agreed(kept) / len(quoted)
    if held < _HELD:
        faith = _missing(one, _agreed(kept), reach)
        return Attested(said=one.said, source=source, sources=(), faith=faith, held=round(held, 3), changes=())
    # What agrees without a gap needs no looking about, so that a single character further off is not taken for its own.
    head, tail = kept[0][1], len(quoted) - kept[-1][1] - kept[-1][2]
    low, high = kept[0][0] - head, kept[-1][0] + kept[-1][2] + tail
    if low < 0 or joined[low : low + head] != quoted[:head]:
        low = max(0, low - _SLACK)
    if joined[high - tail : high] != quoted[len(quoted) - tail :]:
        high += _SLACK
    codes = [code for code in Levenshtein.opcodes(joined[low:high], quoted) if code.tag != "equal"]
    # What the source has before and after the words quoted is not left out of them.
    if codes and codes[0].tag == "delete" and codes[0].dest_start == 0:
        low += codes[0].src_end
        codes = [code for code in Levenshtein.opcodes(joined[low:high], quoted) if code.tag != "equal"]
    if codes and codes[-1].tag == "delete" and codes[-1].dest_end == len(quoted):
        high -= codes[-1].src_end - codes[-1].src_start
        codes.pop()
    marred = [each for other in near for each in other.marred]
    found: dict[bool, list[Change]] = {False: [], True: []}
    for code in codes:
        reading = "".join(one.spelt[code.dest_start : code.dest_end])
        # One word more on both sides: what is lost takes no room of its own.
        spoilt = any(one.marred[max(0, code.dest_start - 1) : code.dest_end + 1])
        for first, stop in _parts(low + code.src_start, low + code.src_end, marred, whole=bool(reading)):
            about = any(marred[first:stop]) if stop - first > _CHANCE else any(marred[max(0, first - 1) : stop + 1])
            found[spoilt or about].append(Change(words="".join(said[first:stop]), reading=reading))
    changes, damaged = tuple(found[False]), tuple(found[True])
    faith = "節" if all(not change.reading for change in changes) else "改"
    if not changes:
        faith = "損" if damaged else "全"
    ends = list(accumulate(len(other.words) for other in near))
    quoted_from = tuple(
        other.said.remark for other, end in zip(near, ends, strict=True) if end > low and end - len(other.words) < high
    )
    return Attested(
        said=one.said,
        source=source,
        sources=quoted_from,
        faith=faith,
        held=round(held, 3),
        changes=changes,
        damaged=damaged,
    )


def _parts(start: int, stop: int, marred: Sequence[bool], *, whole: bool) -> list[tuple[int, int]]:
    """Part words that were left out into those that can be read and those that cannot; ``whole`` leaves them as one."""
    if whole:
        return [(start, stop)]
    cuts = [start, *(at for at in range(start + 1, stop) if marred[at] != marred[at - 1]), stop]
    return list(pairwise(cuts))


def _missing(one: _One, agreed: int, reach: Reach | None) -> Faith:
    """Tell why a quotation is not found, of which so many words agree: not there, not to be read, or not reached."""
    covered = reach.about(one.first, one.last) if reach else None
    unread = sum(one.marred) + (covered.damaged if covered else 0)
    # What cannot be read on either side could be as much as is wanting.
    if unread and agreed + unread >= _HELD * len(one.words):
        return "損"
    return "無" if covered is None or covered.whole else "未涵"


def _agreeing(joined: str, quoted: str, start: int, end: int) -> list[tuple[int, int, int]]:
    """Give what a quotation has in common with ``joined[start:end]``: where in each, and how many characters."""
    blocks = [
        (start + code.src_start, code.dest_start, code.src_end - code.src_start)
        for code in Levenshtein.opcodes(joined[start:end], quoted)
        if code.tag == "equal"
    ]
    telling = [i for i, block in enumerate(blocks) if block[2] > 1 or len(quoted) <= _CHANCE]
    return blocks[telling[0] : telling[-1] + 1] if telling else []


def _agreed(blocks: Sequence[tuple[int, int, int]]) -> int:
    """Count the characters that agree."""
    return sum(length for _, _, length in blocks)


def _ready(anchored: Anchored, clauses: Sequence[str]) -> Iterable[_One]:
    """Give the anchored remarks of a text, but for glosses and translations, ready to be compared."""
    number = {clause: i for i, clause in enumerate(clauses)}
    places = {a.remark: a for a in anchored.anchors if a.first in number and a.how != "reference"}
    damage = Damage(anchored.text.faults)
    for remark in anchored.text.remarks:
        place = places.get(remark.number)
        if place is None or remark.layer in {Layer.gloss, Layer.translation}:
            continue
        said = Said(work=anchored.text.name, remark=remark.number)
        words, spelt, marred = _words(remark.text, damage.of(remark))
        yield _One(said, remark, words, spelt, marred, place.rite, number[place.first], number[place.last])


def _words(text: str, damaged: bytes) -> tuple[str, tuple[str, ...], tuple[bool, ...]]:
    """Fold the words of a remark, an entity being one; and give how each is spelt, and whether it can be read.

    ``damaged`` is 1 for each character that cannot. What stands between two words counts with the second.
    """
    codes, ends = folded_codes(text)
    kept = [(at, chr(code)) for at, code in enumerate(codes.tolist()) if code]
    stops = [ends.get(at, at + 1) for at, _ in kept]
    starts = [0, *stops[:-1]]
    # And what stands behind the last with that.
    marred = [any(damaged[start:stop]) for start, stop in zip(starts, [*stops[:-1], len(text)], strict=False)]
    spelt = tuple(text[at:stop] for (at, _), stop in zip(kept, stops, strict=True))
    return "".join(word for _, word in kept), spelt, tuple(marred[: len(kept)])


def _order(one: _One) -> tuple[int, int]:
    """Remarks stand by the clauses that they speak of, then by their number."""
    return (one.first, one.said.remark)


def _speaker(one: _One) -> str:
    """Tell who speaks: the name, or else the layer."""
    return one.remark.speaker or one.remark.layer.value


def _changes(
    full: _One, other: _One, by_full: Sequence[_One], by_other: Sequence[_One], clauses: Sequence[str]
) -> tuple[Change, ...]:
    """Give what one remark has otherwise than another, in the spelling of each.

    ``by_full`` and ``by_other`` are what the same man says beside each: words may stand there that are wanting here.
    """
    found: list[Change] = []
    for code in Levenshtein.opcodes(full.words, other.words):
        if code.tag == "equal":
            continue
        ours, theirs = slice(code.src_start, code.src_end), slice(code.dest_start, code.dest_end)
        words, reading = full.words[ours], other.words[theirs]
        there = None if words and reading else _holding(words, by_other) if words else _holding(reading, by_full)
        found.append(
            Change(
                words="".join(full.spelt[ours]),
                reading="".join(other.spelt[theirs]),
                elsewhere=clauses[there.first] if there is not None else None,
            )
        )
    return tuple(found)


def _holding(words: str, beside: Sequence[_One]) -> _One | None:
    """Find the saying that has these words, or about these; so few that any might have them must be all of it."""
    same = next((one for one in beside if one.words == words or (len(words) >= _TELLING and words in one.words)), None)
    if same is not None or len(words) <= _TELLING:
        return same
    like = [(partial_ratio_alignment(words, one.words, score_cutoff=_ALIKE), one) for one in beside]
    # What is shorter than the words sought is a part of them, and their other part may be wanting indeed.
    found = [
        (at.score, number)
        for number, (at, one) in enumerate(like)
        if at is not None and len(one.words) * 100 >= len(words) * _ALIKE
    ]
    return like[max(found, key=lambda each: each[0])[1]][1] if found else None
