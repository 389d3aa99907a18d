"""The arrows' fates: a record from the field, or a model with a seed.

Comes in: marks, one for each arrow, or skill. Goes out: for any arrow, its mark. Never decided by chance at play: the same
seed gives the same arrows.
"""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Protocol

from yanli.errors import Finding, ScenarioError
from yanli.source import Span

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from yanli.performance.stage import Stage

# What a mark says of an arrow: it struck (中), it pierced (貫), it kept to the drum (鼓).
MARKS: dict[str, frozenset[str]] = {
    "1": frozenset({"中", "貫", "鼓"}),
    "0": frozenset({"鼓"}),
    "不": frozenset({"中", "鼓"}),
    "外": frozenset({"中", "貫"}),
}
ARROWS = 4


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
    """Fates from a seed, a skill (the share of arrows that hit) for all or for each, and perhaps the wanted outcome."""

    def __init__(
        self, seed: int = 7, skill: float = 0.5, *, skills: Mapping[str, float] | None = None, outcome: str | None = "右"
    ) -> None:
        """``outcome``: 右, 左 or 鈞: every counted round ends so; None: as it falls; 空: nobody hits; 全: everybody does."""
        self.seed = seed
        self.skill = skill
        self.skills = dict(skills or {})
        self.outcome = outcome

    def _raw(self, number: int, pair: int, side: int, name: str) -> str:
        limit = int(self.skills.get(name, self.skill) * 1_000_000)
        return "".join(
            "1" if _mix(self.seed, number, pair, side, arrow) % 1_000_000 < limit else "0" for arrow in range(ARROWS)
        )

    def marks(self, number: int, pair: int, side: str, name: str) -> str:
        """Give the marks: both members' are looked at together so that the outcome wanted comes about."""
        if self.outcome == "空":
            return "0" * ARROWS
        if self.outcome == "全":
            return "1" * ARROWS
        if pair == 0 or self.outcome is None:
            return self._raw(number, pair, 0 if side == "上射" else 1, name)
        upper = self._raw(number, pair, 0, name)
        lower = self._raw(number, pair, 1, name)
        if self.outcome == "鈞":
            return upper
        better, worse = (upper, lower) if upper.count("1") >= lower.count("1") else (lower, upper)
        if pair == 1 and better.count("1") == worse.count("1"):
            # The first pair always makes a difference, so that a side wins however few shoot.
            better, worse = "1" + better[1:], "0" + worse[1:]
            if better.count("1") == worse.count("1"):
                better = "1" * ARROWS
        return better if (side == "上射") == (self.outcome == "右") else worse


class Record:
    """Fates as they were written down, by round, pair and shooter."""

    def __init__(self, rows: Mapping[tuple[int, int, str], str]) -> None:
        """Take the marks by (round, pair, shooter); shooter is 上射, 下射 or the teacher."""
        self.rows = dict(rows)

    def marks(self, number: int, pair: int, side: str, name: str) -> str:
        """Give the marks as recorded; empty when there are none (the reader has refused such a record already)."""
        return self.rows.get((number, pair, side)) or self.rows.get((number, pair, name), "")


HEADER = ("round", "pair", "shooter", "hits")


def read_record(path: Path, stage: Stage) -> Record:
    """Read a record written in the field. Raises ScenarioError with line and cause for every fault in it.

    It must hold one row for each shooter of each round, as the stage has them.
    """
    raise NotImplementedError
