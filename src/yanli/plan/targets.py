"""Targets: what is shot at, by whom, and what belongs to each.

Comes in: the ``[[target]]`` tables of a rite, a cast and a scenario's values. Goes out: the targets that are hung in
it, and for each person his own. The tables stand in the order of rank; a pair shoots at the target of its higher member
(卑者與尊者為耦，不異侯).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from yanli.errors import Finding, RiteError
from yanli.plan.cast import evaluate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yanli.plan.cast import Cast

# The word before what is one's own: 其侯, 其乏, 其獲者.
OWN = "其"


class Target(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One target: the thing's name, where arrows that strike or miss it lie, where no arrow comes, whose own it is.

    ``of``: persons, groups or lists of pairs; empty: whoever has none. ``its``: what 其 and a word mean of it, a place
    or persons (``獲者``). ``number``: an expression; where it comes to 0, this target is not hung.
    """

    name: str
    number: int | str = 1
    place: str = ""
    miss: str
    screen: str = ""
    of: tuple[str, ...] = ()
    its: dict[str, str] = {}
    zh: str = ""
    en: str = ""
    source: str | None = None

    @property
    def at(self) -> str:
        """The place where it stands."""
        return self.place or self.name


class Targets:
    """The targets of a rite in one scenario, by name, in the order of rank."""

    def __init__(self, told: tuple[Target, ...], cast: Cast, values: Mapping[str, object]) -> None:
        """Say whose each target is, of those that are hung. Raises RiteError when one is hung twice."""
        listed = tuple(one for one in told if evaluate(one.number, values, f"[[target]] {one.name}") > 0)
        twice = {one.name for index, one in enumerate(listed) if one.name in {other.name for other in listed[:index]}}
        if twice:
            raise RiteError(Finding(code="bad-table", cause=f"rite.toml: [[target]]: {'、'.join(twice)} stands twice"))
        # Every name that a score may say, also of what is not hung here.
        self.names: frozenset[str] = frozenset(target.name for target in told)
        self.named: dict[str, Target] = {target.name: target for target in listed}
        self.words: frozenset[str] = frozenset(word for target in told for word in target.its)
        self.screens: frozenset[str] = frozenset(target.screen for target in listed if target.screen)
        # Whoever is named by none shoots at the first that is nobody's own, failing that at the last.
        free = [target for target in listed if not target.of]
        self.common: Target | None = free[0] if free else listed[-1] if listed else None
        self.own: dict[str, Target] = {}
        rank = {target.name: number for number, target in enumerate(listed)}
        for target in listed:
            for word in target.of:
                self.own.update({name: target for name in members(cast, word) if name not in self.own})
        for pair in (pair for pairs in cast.pairs.values() for pair in pairs):
            both = [one for name in (pair.upper, pair.lower) if (one := self.of(name)) is not None]
            if both:
                self.own[pair.upper] = self.own[pair.lower] = min(both, key=lambda target: rank[target.name])
        # Who serves a target (獲者), by full name; nobody serves two.
        self.served: dict[str, Target] = {}
        for target in listed:
            for word in target.its.values():
                self.served.update({name: target for name in members(cast, word) if name not in self.served})

    def of(self, name: str) -> Target | None:
        """The target at which a person shoots, by his full name; None where there are none."""
        return self.own.get(name, self.common)

    def known(self, word: str) -> bool:
        """Whether 其侯, 其乏 … are words here."""
        return word.startswith(OWN) and word[len(OWN) :] in self.words

    def persons(self, target: Target, cast: Cast) -> dict[str, tuple[str, ...]]:
        """By 其 and the word: the full names of the persons that belong to a target."""
        return {f"{OWN}{key}": found for key, word in target.its.items() if (found := members(cast, word))}


def members(cast: Cast, word: str) -> tuple[str, ...]:
    """The full names of a person, an office, a group or a list of pairs; empty if there is nobody."""
    if word in cast.pairs:
        return tuple(name for pair in cast.pairs[word] for name in (pair.upper, pair.lower))
    if word in cast.groups:
        return cast.groups[word]
    if word in cast.offices:
        return (cast.offices[word],)
    return (word,) if word in cast.persons else ()


def read_targets(settings: Mapping[str, object]) -> tuple[Target, ...]:
    """Read the ``[[target]]`` tables of a rite. Raises RiteError when one is malformed."""
    try:
        return msgspec.convert(settings.get("target", ()), tuple[Target, ...])
    except msgspec.ValidationError as fault:
        raise RiteError(Finding(code="bad-table", cause=f"rite.toml: [[target]]: {fault}")) from None
