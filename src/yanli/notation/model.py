"""What a whole rite is made of, once its files are read.

Comes in: nothing. Goes out: the types that every later room works on: a rite, its sections, passages and clauses, and
the names that are defined in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from yanli.errors import Finding, RiteError
from yanli.notation.tree import Condition, Define, Distinguish, Range, Reading, Score, Statement, Word
from yanli.source import ClauseId, Span

Repeated = tuple[Word, tuple[Word, ...]]


class Clause(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A clause (句): its words, where they stand in the canonical text (in code points), and what hangs on them."""

    id: ClauseId
    text: str
    offset: int
    section: int
    passage: str | None
    statements: tuple[Statement, ...]
    span: Span

    @property
    def end(self) -> int:
        """Where the next clause begins."""
        return self.offset + len(self.text)


class Passage(msgspec.Struct, kw_only=True, eq=False):
    """A passage (款) of a section, with what governs all of it."""

    name: str
    section: int
    span: Span
    guard: Condition | None = None
    each: Repeated | None = None
    without: tuple[Word, ...] = ()
    joins: str | None = None
    statements: tuple[Statement, ...] = ()
    clauses: tuple[Clause, ...] = ()


class Section(msgspec.Struct, kw_only=True, eq=False):
    """A section (節); ``clauses`` are all of its clauses, those of its passages too."""

    number: int
    name: str
    slug: str
    span: Span
    guard: Condition | None = None
    each: Repeated | None = None
    without: tuple[Word, ...] = ()
    joins: str | None = None
    statements: tuple[Statement, ...] = ()
    passages: tuple[Passage, ...] = ()
    clauses: tuple[Clause, ...] = ()


class NamedRange(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A range (段), found in the text: ``first`` and ``last`` are places in the rite's ``clauses``."""

    name: str
    first: int
    last: int
    node: Range


class Answer(msgspec.Struct, frozen=True):
    """One reading of a crux: who holds it, and whether it is the default."""

    names: tuple[str, ...]
    default: bool


class Site(msgspec.Struct, frozen=True, eq=False):
    """A place where a crux is answered: the clause, or None under a heading, and the rival readings."""

    clause: ClauseId | None
    readings: tuple[Reading, ...]


class Crux(msgspec.Struct, frozen=True):
    """A dispute (疑): its readings in order, and every place that it governs."""

    name: str
    readings: tuple[Answer, ...]
    sites: tuple[Site, ...]

    @property
    def default(self) -> Answer | None:
        """The reading that holds when nothing else is chosen."""
        return next((reading for reading in self.readings if reading.default), None)


class Title(msgspec.Struct, frozen=True):
    """The title of a rite in other languages."""

    zh: str = ""
    en: str = ""


class RiteHead(msgspec.Struct, frozen=True, kw_only=True):
    """What a rite is called and where it lies; what ``rite.toml`` says. ``files`` empty: all scores in name order.

    ``order``: of those that come with Yanli, the lowest first; it is meant where no rite is named.
    """

    name: str
    slug: str
    order: int = 1000
    aliases: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    title: Title = Title()
    folder: Path = Path()
    packaged: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that it answers to."""
        return (self.name, self.slug, *self.aliases)


class Rite(msgspec.Struct, kw_only=True, eq=False):
    """A rite, read.

    ``places`` tells where in ``clauses`` the clause of an id (as written) is; ``settings`` is all of its ``rite.toml``,
    for the rooms that look for more in it.
    """

    slug: str
    name: str
    title_en: str
    aliases: tuple[str, ...]
    folder: Path
    sections: tuple[Section, ...]
    clauses: tuple[Clause, ...]
    ranges: dict[str, NamedRange]
    defines: dict[str, Define]
    distinctions: dict[str, Distinguish]
    cruxes: dict[str, Crux]
    scores: tuple[Score, ...]
    findings: tuple[Finding, ...]
    canonical: str
    title_zh: str = ""
    places: dict[str, int] = {}
    settings: dict[str, object] = {}

    def clause(self, address: ClauseId | str) -> Clause:
        """The clause of an id, also as written (``slug.4.12``)."""
        place = self.places.get(str(address))
        if place is not None:
            return self.clauses[place]
        raise RiteError(Finding(code="unknown-clause", cause=f"{self.name} has no clause {address}"))

    def section(self, name: str) -> Section:
        """The section of a name or slug."""
        for section in self.sections:
            if name in {section.name, section.slug}:
                return section
        known = [section.name for section in self.sections]
        cause = f"{self.name} has no section {name}"
        raise RiteError(Finding(code="unknown-section", cause=cause, nearest=nearest(name, known)))


def nearest(wanted: str, known: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """The names that are most like what was asked for."""
    from rapidfuzz import fuzz, process, utils

    found = process.extract(
        wanted, list(dict.fromkeys(known)), scorer=fuzz.ratio, processor=utils.default_process, limit=limit
    )
    return tuple(name for name, score, _ in found if score)
