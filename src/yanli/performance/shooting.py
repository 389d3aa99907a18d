"""Who shoots in which round, in what order; and how a number of sticks is said.

Comes in: the rite's ``[shooting]`` table and a cast. Goes out: for each round (from 1) its pairs, numbered from 1 in
the order in which they shoot. Records and fates are told by these numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import msgspec

from yanli.errors import Finding, RiteError
from yanli.performance.fates import ARROWS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from yanli.plan.cast import Cast, Pair

# The slot in a speech that is filled by what one side has more than the other (以純數告，若有奇者亦曰奇).
SURPLUS: Final = "{賢}"
PAIR, ODD, NONE = "純", "奇", "無"
DIGITS: Final = "〇一二三四五六七八九"
# So many arrows of one man in a round at most: beyond it there is a slip of the pen.
MOST: Final = 1000
UNITS: Final = ((1000, "千"), (100, "百"), (10, "十"))


class RoundTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One round in ``rite.toml``: lists of pairs in the order of shooting; whose arrows go before theirs.

    ``arrows``: how many each shoots. ``drink``: the range in which those who lost drink; ``tie``: the crux on whether
    anybody does when sides are even.
    """

    pairs: tuple[str, ...] = ()
    teacher: str | None = None
    arrows: Annotated[int, msgspec.Meta(ge=1, le=MOST)] = ARROWS
    drink: str | None = None
    tie: str | None = None
    source: str | None = None


class Shooting(msgspec.Struct, frozen=True, kw_only=True):
    """One round of one scenario: ``number`` from 1, the name of its range, its pairs in the order of shooting.

    ``arrows``: how many each shoots.
    """

    number: int
    name: str
    pairs: tuple[Pair, ...]
    teacher: str | None = None
    arrows: int = ARROWS
    drink: str | None = None
    tie: str | None = None

    def names(self) -> tuple[tuple[str, str], ...]:
        """The full names of 上射 and 下射, pair by pair."""
        return tuple((pair.upper, pair.lower) for pair in self.pairs)


def shootings(settings: Mapping[str, object], cast: Cast, ranges: Mapping[str, tuple[int, int]]) -> dict[int, Shooting]:
    """Work out the rounds that ``rounds`` names, ``[shooting]`` tells of and the words have. Raises RiteError.

    One in which nobody shoots in this scenario (a fourth that is not asked for) is none.
    """
    names, tables = rounds_of(settings), round_tables(settings)
    found = {
        number: Shooting(
            number=number,
            name=name,
            pairs=tuple(pair for kind in table.pairs for pair in cast.pairs.get(kind, ())),
            teacher=table.teacher if table.teacher in cast.persons else None,
            arrows=table.arrows,
            drink=table.drink,
            tie=table.tie,
        )
        for number, name in enumerate(names, 1)
        if (table := tables.get(name)) is not None and name in ranges
    }
    return {number: each for number, each in found.items() if each.pairs or each.teacher is not None}


def rounds_of(settings: Mapping[str, object]) -> tuple[str, ...]:
    """The names of a rite's rounds, in order. Raises RiteError when they are no list of words."""
    try:
        return msgspec.convert(settings.get("rounds", ()), tuple[str, ...])
    except msgspec.ValidationError as fault:
        raise RiteError(Finding(code="bad-table", cause=f"rite.toml: rounds: {fault}")) from None


def round_tables(settings: Mapping[str, object]) -> dict[str, RoundTable]:
    """What ``[shooting]`` tells of each round, by its name. Raises RiteError when it is malformed."""
    found: dict[str, RoundTable] = {}
    where = "[shooting]"
    try:
        for name, table in msgspec.convert(settings.get("shooting", {}), dict[str, object]).items():
            where = f"[shooting] {name}"
            found[name] = msgspec.convert(table, RoundTable)
    except msgspec.ValidationError as fault:
        raise RiteError(Finding(code="bad-table", cause=f"rite.toml: {where}: {fault}")) from None
    return found


def numeral(number: int) -> str:
    """A number from 0 to 9999 in Chinese: 三, 十二, 八十, 百二十四."""
    if not number:
        return DIGITS[0]
    said = ""
    for unit, sign in UNITS:
        digit, number = divmod(number, unit)
        if digit:
            said += ("" if digit == 1 and not said else DIGITS[digit]) + sign
    return said + (DIGITS[number] if number else "")


def in_pairs(count: int) -> str:
    """So many sticks as they are told: two are a 純, one that is left over is an 奇 (三純一奇, 二純, 一奇)."""
    pairs, odd = divmod(count, 2)
    return (f"{numeral(pairs)}{PAIR}" if pairs else "") + (f"{numeral(odd)}{ODD}" if odd else "") or NONE


def lead(tally: Mapping[str, int], sides: Sequence[str]) -> int:
    """By how many sticks the first of two sides is ahead of the second, by the last count of each."""
    first, second = sides
    return tally.get(first, 0) - tally.get(second, 0)
