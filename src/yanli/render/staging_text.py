"""The text of a staged performance: sections, clauses, and when each clause was played.

Comes in: a performance and the pool of its words. Goes out: lists in the order of the text, or of time. Clauses and
sections are told by their number from 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from yanli.lexicon.readings import korean_syllables, pinyin_syllables
from yanli.render.moments import section_times
from yanli.render.timeline import bound_words

if TYPE_CHECKING:
    from yanli.performance.perform import Performance
    from yanli.render.staging_times import Times
    from yanli.render.staging_words import Pool


class Section(msgspec.Struct, kw_only=True):
    """A section: number from 1, name, its first and last clause, when it begins and ends; None if it is not played."""

    number: int
    name: int
    en: str
    first: int
    last: int
    start: float | None
    end: float | None


class Clause(msgspec.Struct, kw_only=True):
    """A clause: id, words, section, a syllable for each character.

    ``bound``: what the score says of words that ask for no act. ``untaken``: why it is not played, or -1.
    """

    id: str
    text: int
    section: int
    pinyin: list[str]
    ko: list[str]
    bound: list[int]
    untaken: int


class Play(msgspec.Struct, kw_only=True):
    """One playing of a clause: when; the clauses of passages played again; how many acts were played by its end."""

    clause: int
    start: float
    end: float
    via: list[int]
    done: int


def sections_data(performance: Performance, pool: Pool, times: Times) -> list[Section]:
    """All sections, in the order of the text."""
    played = {section.number: section for section in section_times(performance)}
    found = []
    first = 0
    for section in performance.rite.sections:
        when = played.get(section.number)
        en = section.slug.replace("-", " ")
        count = len(section.clauses)
        found.append(
            Section(
                number=section.number, name=pool.add(section.name, en, aloud=True), en=en,
                first=first, last=first + count - 1,
                start=None if when is None else times.at(when.start), end=None if when is None else times.at(when.end),
            )
        )  # fmt: skip
        first += count
    return found


def clauses_data(performance: Performance, pool: Pool) -> list[Clause]:
    """All clauses, in the order of the text."""
    played = {play.clause for play in performance.plays}
    places = {section.number: place for place, section in enumerate(performance.rite.sections)}
    found = []
    for number, clause in enumerate(performance.rite.clauses):
        found.append(
            Clause(
                id=str(clause.id), text=pool.add(clause.text), section=places[clause.section],
                pinyin=pinyin_syllables(clause.text), ko=korean_syllables(clause.text),
                bound=[pool.add(words) for words in bound_words(clause)],
                untaken=pool.add(None if number in played else performance.untaken.get(number)),
            )
        )  # fmt: skip
    return found


def plays_data(performance: Performance, times: Times) -> list[Play]:
    """All playings, in the order of time."""
    return [
        Play(
            clause=play.clause, start=times.at(play.start), end=times.at(play.end), via=list(play.via),
            done=play.done,
        )
        for play in performance.plays
    ]  # fmt: skip
