"""Which reading of a crux holds (說).

Strongest first: a reading chosen by name, a school, the default (主). A school that is silent on a crux falls back
along its own line of teachers, and that is said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from yanli.errors import Finding, ScenarioError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yanli.notation import tree

# Whom each school follows where it is silent, nearest first (賈公彥 explains 鄭玄; 張爾岐 follows 賈, then 鄭 …).
LINES: dict[str, tuple[str, ...]] = {
    "賈公彥": ("鄭玄",),
    "朱熹": ("鄭玄", "賈公彥"),
    "敖繼公": (),
    "郝敬": ("敖繼公",),
    "張爾岐": ("賈公彥", "鄭玄"),
    "盛世佐": ("張爾岐", "鄭玄"),
    "秦蕙田": ("盛世佐", "敖繼公", "鄭玄"),
    "義疏": ("朱熹", "鄭玄"),
}
SHORT: dict[str, str] = {
    "鄭": "鄭玄", "賈": "賈公彥", "朱": "朱熹", "朱子": "朱熹", "敖": "敖繼公", "郝": "郝敬", "張": "張爾岐",
    "盛": "盛世佐", "蕙田": "秦蕙田", "秦": "秦蕙田", "欽定義疏": "義疏",
}  # fmt: skip


class Choice(msgspec.Struct, frozen=True):
    """How a crux was decided: the reading's names, and by what (reading, school, line, default)."""

    crux: str
    names: tuple[str, ...]
    by: str


class Readings:
    """Decides cruxes, each one once and everywhere alike."""

    def __init__(
        self, cruxes: Mapping[str, tuple[tree.Reading, ...]], chosen: Mapping[str, str], school: str | None
    ) -> None:
        """Check what was asked for. Raises ScenarioError for an unknown crux, reading or school."""
        self.cruxes = cruxes
        self.school = SHORT.get(school, school) if school else None
        self.chosen = {crux: SHORT.get(name, name) for crux, name in chosen.items()}
        self.choices: dict[str, Choice] = {}
        for crux, name in self.chosen.items():
            if crux not in cruxes:
                raise ScenarioError(
                    Finding(
                        code="unknown-crux", cause=f"no crux is called {crux}", nearest=nearest(crux, tuple(cruxes))
                    )
                )
            known = tuple(n for reading in cruxes[crux] for n in reading.names)
            if name not in known:
                raise ScenarioError(
                    Finding(code="unknown-reading", cause=f"crux {crux} has no reading {name}", nearest=known)
                )
        schools = (
            {name for readings in cruxes.values() for reading in readings for name in reading.names}
            | set(LINES)
            | {"鄭玄"}
        )
        if self.school is not None and self.school not in schools:
            raise ScenarioError(
                Finding(
                    code="unknown-school",
                    cause=f"no school is called {school}",
                    nearest=nearest(self.school, tuple(sorted(schools))),
                )
            )

    def holds(self, reading: str) -> bool:
        """Whether a reading (``CRUX=NAME``) is the one that was chosen; an unknown crux is not."""
        crux, _, name = reading.partition("=")
        return crux in self.cruxes and name in self.choose(crux)

    def choose(self, crux: str) -> tuple[str, ...]:
        """Give the names of the reading that holds."""
        if crux not in self.choices:
            self.choices[crux] = self._decide(crux)
        return self.choices[crux].names

    def _decide(self, crux: str) -> Choice:
        readings = self.cruxes[crux]
        if crux in self.chosen:
            wanted = self.chosen[crux]
            return Choice(crux, next(r.names for r in readings if wanted in r.names), "reading")
        if self.school is not None:
            for step, name in enumerate((self.school, *LINES.get(self.school, ()))):
                for reading in readings:
                    if name in reading.names:
                        return Choice(crux, reading.names, "school" if step == 0 else f"line:{name}")
        default = next((reading for reading in readings if reading.default), readings[0])
        return Choice(crux, default.names, "default")


def nearest(word: str, names: tuple[str, ...], limit: int = 3) -> tuple[str, ...]:
    """Give the names most like a word, by shared characters."""
    scored = sorted(names, key=lambda name: (-len(set(name) & set(word)), abs(len(name) - len(word)), name))
    return tuple(name for name in scored[:limit] if set(name) & set(word)) or tuple(scored[:limit])
