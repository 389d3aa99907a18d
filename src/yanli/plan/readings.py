"""Which reading of a crux holds (說).

Strongest first: a reading chosen by name, a school, the default (主). A school that is silent on a crux falls back
along its own line of teachers, and that is said.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import msgspec

from yanli.corpus.folding import fold_search
from yanli.errors import Finding, ScenarioError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from yanli.notation import tree


class School(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A school: how it is called for short, and whom it follows where it is silent, nearest first."""

    short: tuple[str, ...] = ()
    follows: tuple[str, ...] = ()


@cache
def schools() -> dict[str, School]:
    """Every school that ``lexicon/schools.toml`` knows, by its name."""
    text = files("yanli").joinpath("rites", "lexicon", "schools.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, School])


def full_name(word: str) -> str:
    """The name of a school that may be called for short (敖: 敖繼公); any other word as it is."""
    known = schools()
    word = spelt(word, (*known, *(short for school in known.values() for short in school.short)))
    return next((name for name, school in known.items() if word in school.short), word)


def spelt(word: str, names: Iterable[str]) -> str:
    """The one of the names that a word is in another script (郑玄: 鄭玄); the word as it is where there is none."""
    known = tuple(names)
    if word in known:
        return word
    folded = fold_search(word)
    return next((name for name in known if fold_search(name) == folded), word)


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
        named = {name for readings in cruxes.values() for reading in readings for name in reading.names}
        self.school = spelt(full_name(school), sorted(named)) if school else None
        self.chosen = {spelt(crux, cruxes): spelt(full_name(name), sorted(named)) for crux, name in chosen.items()}
        self.choices: dict[str, Choice] = {}
        for crux, name in self.chosen.items():
            if crux not in cruxes:
                raise ScenarioError(
                    Finding(
                        code="unknown-crux", cause=f"no crux is called {crux}", nearest=nearest(crux, tuple(cruxes))
                    )
                )
            answers = tuple(n for reading in cruxes[crux] for n in reading.names)
            if name not in answers:
                raise ScenarioError(
                    Finding(code="unknown-reading", cause=f"crux {crux} has no reading {name}", nearest=answers)
                )
        known = named | set(schools())
        if self.school is not None and self.school not in known:
            raise ScenarioError(
                Finding(
                    code="unknown-school",
                    cause=f"no school is called {school}",
                    nearest=nearest(self.school, tuple(sorted(known))),
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
            for step, name in enumerate((self.school, *schools().get(self.school, School()).follows)):
                for reading in readings:
                    if name in reading.names:
                        return Choice(crux, reading.names, "school" if step == 0 else f"line:{name}")
        default = next((reading for reading in readings if reading.default), readings[0])
        return Choice(crux, default.names, "default")


def nearest(word: str, names: tuple[str, ...], limit: int = 3) -> tuple[str, ...]:
    """Give the names most like a word, by shared characters."""
    scored = sorted(names, key=lambda name: (-len(set(name) & set(word)), abs(len(name) - len(word)), name))
    return tuple(name for name in scored[:limit] if set(name) & set(word)) or tuple(scored[:limit])
