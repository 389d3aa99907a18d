"""Names in a rite's tables that nothing answers to: each would be passed over in silence, so each is told.

Comes in: a rite's own ``rite.toml``, and the cast, building and ranges of a scenario. Goes out: findings, with the
nearest names there are. Of tables that are another rite's (``like``) nothing is said: that one answers for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from yanli.errors import Finding, RiteError
from yanli.performance.shooting import round_tables, rounds_of
from yanli.plan.marks import own_marks
from yanli.plan.readings import nearest
from yanli.plan.targets import read_targets
from yanli.venue.spot import FACINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from yanli.lexicon import Lexicon
    from yanli.plan.cast import Cast
    from yanli.plan.targets import Targets
    from yanli.venue import Layout


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """What names may stand for in one scenario of a rite."""

    cast: Cast
    layout: Layout
    lexicon: Lexicon
    ranges: frozenset[str]
    cruxes: frozenset[str]

    def people(self) -> tuple[str, ...]:
        """Every word for persons: the cast's own first, then what the lexicon has (who need not be there)."""
        cast = self.cast
        return (*cast.persons, *cast.groups, *cast.pairs, *cast.offices, *self.lexicon.entries["role"])

    def place(self, word: str) -> bool:
        """Whether a word is a place, or a thing that may stand somewhere."""
        return self.layout.has(word) or word in self.layout.places.generic or word in self.lexicon.entries["thing"]

    def places(self) -> tuple[str, ...]:
        """Every word for a place or a thing."""
        return (*self.layout.anchors(), *self.layout.places.generic, *self.lexicon.entries["thing"])


def unanswered(settings: Mapping[str, object], targets: Targets, known: Known) -> Iterator[Finding]:
    """Find the names in a rite's own ``rite.toml`` that nothing answers to.

    ``settings``: its own, without those of the rite it is like. ``targets``: those of the scenario; of what is not hung
    in it nothing need be there.
    """
    yield from _rounds(settings, known)
    for target in read_targets(settings):
        where = f"[[target]] {target.name}"
        yield from _missing(f"{where}: of", target.of, known.people())
        if target.name not in targets.named:
            continue
        for key, word in (("place" if target.place else "name", target.at), ("miss", target.miss)):
            if not known.layout.has(word):
                yield _fault(f"{where}: {key} = {word}: no place of this building is called so", word, known.places())
        for key, word in target.its.items():
            if not known.place(word):
                yield from _missing(f"{where}: its {key}", (word,), (*known.people(), *known.places()))
    for sign, mark in own_marks(settings).items():
        yield from _missing(f"[marks] {sign}: struck", (mark.struck,), targets.names)


def _rounds(settings: Mapping[str, object], known: Known) -> Iterator[Finding]:
    """Rounds that are no range of the words, and what ``[shooting]`` tells of no round or of nobody."""
    if "rounds" not in settings:
        return
    names = rounds_of(settings)
    yield from _missing("rounds", names, known.ranges)
    for name, table in (round_tables(settings) if "shooting" in settings else {}).items():
        where = f"[shooting] {name}"
        yield from _missing("[shooting]", (name,), names)
        yield from _missing(f"{where}: pairs", table.pairs, known.cast.pairs)
        yield from _missing(f"{where}: teacher", (table.teacher,), known.people())
        yield from _missing(f"{where}: drink", (table.drink,), known.ranges)
        yield from _missing(f"{where}: tie", (table.tie,), known.cruxes)


def _missing(
    where: str, words: Iterable[str | None], known: Iterable[str], file: str = "rite.toml"
) -> Iterator[Finding]:
    there = tuple(known)
    for word in words:
        if word is not None and word not in there:
            yield _fault(f"{where}: nothing here is called {word or '(empty)'}", word, there, file)


def _fault(cause: str, word: str, known: Iterable[str], file: str = "rite.toml") -> Finding:
    return Finding(code="unknown-name", cause=f"{file}: {cause}", nearest=nearest(word, tuple(dict.fromkeys(known))))


def nobodies(own: Mapping[str, Any], known: Known) -> Iterator[Finding]:
    """Find who is told of twice, and groups, pairs and owners of things that no table and no lexicon knows.

    ``own``: the rite's own tables by their files' names, read and found to be well formed.
    """
    people = known.people()
    names = [entry["name"] for entry in entries(own.get("cast.toml", {}), "cast")]
    for name in dict.fromkeys(name for index, name in enumerate(names) if name in names[:index]):
        yield Finding(code="bad-table", cause=f"cast.toml: {name} stands twice; the first would be nobody")
    table = own.get("groups.toml", {})
    groups, pairs = table.get("groups", {}), table.get("pairs", {})
    # As they are worked out: a group can be made only of what was made before it.
    order = [*(name for name, one in groups.items() if not one.get("late")), *pairs]
    order += [name for name, one in groups.items() if one.get("late")]
    for name, one in (*groups.items(), *pairs.items()):
        where = f"[{'pairs' if name in pairs else 'groups'}] {name}"
        words = [*one.get("of", ()), *one.get("without", ()), *one.get("draw", ())]
        words += [word for listed in one.get("by_reading", {}).values() for word in listed]
        words += [one[side] for side in ("upper", "lower") if side in one]
        yield from _missing(where, words, people, "groups.toml")
        later = order[order.index(name) :]
        for word in (word for word in words if word in later and word not in names):
            cause = "of itself" if word == name else f"{word} is made only after it"
            yield Finding(code="bad-table", cause=f"groups.toml: {where}: {cause}, so nobody of it would be in it")
    for entry in entries(own.get("things.toml", {}), "things"):
        whose = (entry.get("each"), entry.get("of"))
        yield from _missing(f"{entry['kind']}: of whom", whose, people, "things.toml")


def entries(table: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """The entries of a table: ``[[name]]``, or one table for each with its key as its name. Raises RiteError."""
    found = table.get(name, table.get(name.removesuffix("s"), []))
    if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
        cause = f"{name}.toml: expected tables [[{name}]], not {name} = {found!r}"
        raise RiteError(Finding(code="bad-table", cause=cause))
    if not found:
        found = [{"name": key, **value} for key, value in table.items() if isinstance(value, dict)]
    return [{("place" if key == "at" else key): value for key, value in entry.items()} for entry in found]


def faced(cast: Cast) -> Iterator[Finding]:
    """Find who faces no way there is; he would be taken to face north."""
    for person in cast.persons.values():
        word = person.facing
        if word is not None and word.removesuffix("面") not in FACINGS:
            cause = f"cast.toml: {person.name}: facing = {word}: this is no way to face"
            near = nearest(word, tuple(FACINGS))
            yield Finding(code="unknown-name", cause=cause, known="、".join(FACINGS), nearest=near)
