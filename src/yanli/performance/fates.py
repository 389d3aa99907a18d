"""The arrows' fates: a record from the field, or a model with a seed.

Comes in: marks, one for each arrow, or skill. Goes out: for any arrow, its mark. Never decided by chance at play: the
same seed gives the same arrows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# How many each shoots where the rite does not say (乘矢).
ARROWS = 4
UPPER, LOWER = "上射", "下射"
# Outcomes that a scenario may ask for: each counted round ends so; as it falls; nobody hits; everybody does.
RIGHT, LEFT, EVEN = "右", "左", "鈞"
FREE, NOBODY, EVERYBODY = "任", "空", "全"
# The marks by which the model reckons (lexicon/marks.toml).
HIT, MISS = "1", "0"
# In a round that may use up all sticks the first pairs (there are never fewer than three) win by two sticks each, so
# that whatever arrow the sticks end at, the side wanted is ahead.
SURE_PAIRS, SURE_LEAD = 3, 2
# So many sticks are kept out of a round that must end even: with less than two pairs' sticks left, a pair may be cut
# short.
KEPT = 16

Row = tuple[str, str]


class Fates(Protocol):
    """Whoever knows how each arrow flies."""

    def marks(self, number: int, pair: int, side: str, name: str) -> str:
        """Give the marks of a shooter's arrows in a round (1, 2, 3), by the pair's place in the order of shooting.

        ``side`` is 上射, 下射, or the teacher's own name with ``pair`` 0.
        """
        ...


def _mix(*parts: int) -> int:
    """Mix numbers into one of 64 bits; the same everywhere and always (splitmix64)."""
    state = 0
    for part in parts:
        state = (state + part + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
        state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
        state ^= state >> 31
    return state


class Model:
    """Fates from a seed, a skill (the share of arrows that hit) for all or for each, and perhaps the wanted outcome.

    The arrows of a round fall by skill. If the wrong side is ahead then, the partners of every pair change arrows; if
    nobody is, one arrow is changed; so a man of the losing side may well have hit more than his partner.
    """

    def __init__(
        self,
        seed: int = 7,
        skill: float = 0.5,
        *,
        skills: Mapping[str, float] | None = None,
        outcome: str | None = RIGHT,
        pairs: Mapping[int, Sequence[tuple[str, str]]] | None = None,
        sticks: int | None = None,
        arrows: Mapping[int, int] | None = None,
        ways: Sequence[str] = (),
    ) -> None:
        """``outcome``: 右, 左 or 鈞: every round ends so; None or 任: as it falls; 空: nobody hits; 全: everybody does.

        ``skills`` by full name. ``pairs``: who shoots in each round, in order. ``sticks``: how many there are.
        ``arrows``: how many each shoots in a round, if not 4. ``ways``: the marks of which a miss gets one.
        """
        self.seed = seed
        self.skill = skill
        self.skills = dict(skills or {})
        self.outcome = None if outcome == FREE else outcome
        self.pairs = dict(pairs or {})
        self.sticks = sticks
        self.arrows = dict(arrows or {})
        self.ways = tuple(ways)
        self._rounds: dict[int, list[Row]] = {}

    def marks(self, number: int, pair: int, side: str, name: str) -> str:
        """Give the marks: those of a whole round are looked at together so that the outcome wanted comes about."""
        place = 1 if side == LOWER else 0
        return self._strewn(self._reckoned(number, pair, place, name), number, pair, place)

    def _strewn(self, marks: str, number: int, pair: int, place: int) -> str:
        """Where a miss may go several ways, let each go one of them."""
        if not self.ways:
            return marks
        return "".join(
            self.ways[_mix(self.seed, number, pair, place, arrow, 1) % len(self.ways)] if mark == MISS else mark
            for arrow, mark in enumerate(marks)
        )

    def _reckoned(self, number: int, pair: int, place: int, name: str) -> str:
        """Which arrows hit and which miss."""
        if self.outcome == NOBODY:
            return MISS * self.arrows.get(number, ARROWS)
        if self.outcome == EVERYBODY:
            return HIT * self.arrows.get(number, ARROWS)
        if pair == 0 or self.outcome is None:
            return self._raw(number, pair, place, name)
        rows = self._rounds.get(number)
        if rows is None:
            rows = self._rounds[number] = self._round(number)
        if pair <= len(rows):
            return rows[pair - 1][place]
        # Nobody said who shoots: each pair for itself.
        row = self._raw(number, pair, 0, ""), self._raw(number, pair, 1, "")
        return self._pairwise(row, pair)[place]

    def _raw(self, number: int, pair: int, place: int, name: str) -> str:
        limit = int(self.skills.get(name, self.skill) * 1_000_000)
        return "".join(
            HIT if _mix(self.seed, number, pair, place, arrow) % 1_000_000 < limit else MISS
            for arrow in range(self.arrows.get(number, ARROWS))
        )

    def _round(self, number: int) -> list[Row]:
        """All arrows of a round, pair by pair, with the outcome wanted."""
        names = self.pairs.get(number, ())
        rows = [
            (self._raw(number, pair, 0, upper), self._raw(number, pair, 1, lower))
            for pair, (upper, lower) in enumerate(names, 1)
        ]
        shaped = _even(rows) if self.outcome == EVEN else self._won(rows)
        if self.sticks is None or hits(shaped) <= self.sticks - KEPT:
            return shaped
        rows = [self._pairwise(row, pair) for pair, row in enumerate(rows, 1)]
        return _thinned(rows, self.sticks - KEPT) if self.outcome == EVEN else rows

    def _won(self, rows: list[Row]) -> list[Row]:
        better = 0 if self.outcome == RIGHT else 1
        ahead = sum(row[better].count(HIT) - row[1 - better].count(HIT) for row in rows)
        if ahead < 0:
            return [(lower, upper) for upper, lower in rows]
        if ahead > 0:
            return rows
        for index, row in enumerate(rows):
            changed = _ahead(row[better], row[1 - better], row[better].count(HIT) - row[1 - better].count(HIT) + 1)
            if changed != (row[better], row[1 - better]):
                return [*rows[:index], changed if better == 0 else changed[::-1], *rows[index + 1 :]]
        return rows

    def _pairwise(self, row: Row, pair: int) -> Row:
        """One pair shaped for itself: the side wanted hits no less at any arrow, the first pairs more."""
        if self.outcome == EVEN:
            return row[0], row[0]
        better, worse = sorted(row, key=lambda marks: -marks.count(HIT))
        if pair <= SURE_PAIRS:
            better, worse = _ahead(better, worse, SURE_LEAD)
        worse = _among(worse, better)
        return (better, worse) if self.outcome == RIGHT else (worse, better)


def hits(rows: Sequence[Row]) -> int:
    """How many arrows hit."""
    return sum(marks.count(HIT) for row in rows for marks in row)


def _ahead(better: str, worse: str, by: int) -> Row:
    """Change as few arrows as may be so that one man hits so many more than the other."""
    while better.count(HIT) - worse.count(HIT) < by:
        if MISS in better:
            better = better.replace(MISS, HIT, 1)
        elif HIT in worse:
            worse = worse.replace(HIT, MISS, 1)
        else:
            break
    return better, worse


def _among(worse: str, better: str) -> str:
    """As many hits, but only where the better man hit too: his own first."""
    count = worse.count(HIT)
    places = sorted((place for place, mark in enumerate(better) if mark == HIT), key=lambda place: worse[place] != HIT)
    kept = set(places[:count])
    return "".join(HIT if place in kept else MISS for place in range(len(better)))


def _even(rows: list[Row]) -> list[Row]:
    """Let the side that is behind hit more, arrow by arrow, until nobody is ahead."""
    ahead = sum(upper.count(HIT) - lower.count(HIT) for upper, lower in rows)
    behind = 1 if ahead > 0 else 0
    found = [list(row) for row in rows]
    short = abs(ahead)
    while short:
        for row in found:
            if short and MISS in row[behind]:
                row[behind] = row[behind].replace(MISS, HIT, 1)
                short -= 1
    return [(upper, lower) for upper, lower in found]


def _thinned(rows: list[Row], most: int) -> list[Row]:
    """Let both of a pair miss one arrow more, pair after pair, the last first, until there are not too many hits."""
    found = list(rows)
    while hits(found) > max(most, 0):
        for index in range(len(found) - 1, -1, -1):
            upper, lower = found[index]
            if hits(found) > most and HIT in upper:
                found[index] = upper.replace(HIT, MISS, 1), lower.replace(HIT, MISS, 1)
    return found


class Given:
    """Fates of some arrows as the scenario gives them: by full name, in one round (its number) or in all (None)."""

    def __init__(self, rows: Mapping[tuple[int | None, str], str], otherwise: Fates) -> None:
        """Take the marks; of whoever has none here ``otherwise`` knows them."""
        self.rows = dict(rows)
        self.otherwise = otherwise

    def marks(self, number: int, pair: int, side: str, name: str) -> str:
        """Give the marks as given for this round, failing that for all."""
        found = self.rows.get((number, name)) or self.rows.get((None, name))
        return found or self.otherwise.marks(number, pair, side, name)


class Record:
    """Fates as they were written down, by round, pair and side; of what was not written down, somebody else's."""

    def __init__(self, rows: Mapping[tuple[int, int, str], str], otherwise: Fates | None = None) -> None:
        """Take the marks by (round, pair, shooter); shooter is 上射, 下射 or the teacher."""
        self.rows = dict(rows)
        self.otherwise = otherwise

    def marks(self, number: int, pair: int, side: str, name: str) -> str:
        """Give the marks as recorded; where there are none (the teacher's may be left out), the other fates'."""
        found = self.rows.get((number, pair, side)) or self.rows.get((number, pair, name))
        if found is None and self.otherwise is not None:
            return self.otherwise.marks(number, pair, side, name)
        return found or ""
