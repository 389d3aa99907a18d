"""What is said of every clause of a rite, as data for the page that plays it: each note once, with all who have it.

Comes in: a rite and a store whose remarks are anchored. Goes out: a ``NotesData``, or the same as JSON, of exactly the
shape that ``web/types.js`` describes. Works, speakers, notes and variants are told once each, and what refers to them
holds their number (from 0). Within a clause the old notes come first, then how the words are read, the subcommentary,
later commentators from the oldest to the newest, translations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from yanli.corpus.beside import Emended
from yanli.corpus.eras import era_of
from yanli.corpus.model import Layer
from yanli.corpus.quote_same import Change
from yanli.render.beside import layers_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yanli.corpus.beside import Saying
    from yanli.corpus.beside import Where as Found
    from yanli.corpus.store import Store
    from yanli.notation.model import Clause, Rite
    from yanli.render.beside import Layers
    from yanli.render.catalogue import VariantEntry

FORMAT = 1
# A commentator's remark and a compiler's judgement are both of those who came later, and stand among one another.
ORDER = (
    (Layer.note,), (Layer.gloss,), (Layer.subnote,), (Layer.remark, Layer.judgement), (Layer.translation,),
    (Layer.canon, Layer.lemma, Layer.heading, Layer.sign),
)  # fmt: skip
_GROUP = {layer: number for number, group in enumerate(ORDER) for layer in group}
_LATEST = 10_000
"""After everybody whose year is known."""


class NoteWork(msgspec.Struct, kw_only=True):
    """A work of the store: what it is called there, and its title."""

    name: str
    title: str


class NoteSpeaker(msgspec.Struct, kw_only=True):
    """Somebody who says something: his full name, and under which dynasty he wrote, where that is known."""

    name: str
    era: str | None


class NotePlace(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Where a work has a note: page, else line; who quotes it there, innermost first; how its words differ.

    ``emended`` is what is read there that does not stand so in the work; ``damaged`` how many places are damaged there
    and not emended.
    """

    work: int
    page: str | None = None
    line: int
    quoted_by: list[str] = []
    changes: list[Change] = []
    emended: list[Emended] = []
    damaged: int = 0


class NoteData(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What one man says of the clauses ``first`` to ``last`` (ids), as the fullest of the works has it, that one first.

    ``confidence``, from 0 to 1, says how sure it is that he speaks of these.
    """

    layer: str
    speaker: int = -1
    text: str
    first: str
    last: str
    confidence: float = 1.0
    places: list[NotePlace]


class NoteVariant(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Where we have ``words``, the witnesses have ``reading``; either may be empty."""

    kind: str
    words: str
    reading: str
    witnesses: list[str]
    note: str = ""


class ClauseNotes(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What is said of a clause, and old notes that stand right behind it, though they speak of others.

    Where no old note is, ``after`` are those that follow next in the text: they stand behind the clause ``at``.
    ``references`` are remarks on other words that refer to these by quoting them.
    """

    clause: str
    notes: list[int] = []
    after: list[int] = []
    at: str | None = None
    references: list[int] = []
    variants: list[int] = []


class NotesData(msgspec.Struct, kw_only=True):
    """All that is said of clauses; the fields are those of ``NotesDoc`` in ``web/types.js``."""

    format: int
    rite: str
    works: list[NoteWork]
    speakers: list[NoteSpeaker]
    notes: list[NoteData]
    variants: list[NoteVariant]
    clauses: list[ClauseNotes]


def notes_data(rite: Rite, store: Store, clauses: Sequence[Clause] | None = None) -> NotesData:
    """Give what the works of a store say of these clauses, or of all. Raises RiteError where the store is damaged."""
    found = layers_of(rite, rite.clauses if clauses is None else clauses, store)
    place = {str(clause.id): number for number, clause in enumerate(rite.clauses)}
    # One saying of several clauses is one value, and so is a variant at several places.
    sayings = {id(each): each for layers in found for each in _told(layers)}
    variants = {id(each): each for layers in found for each in layers.variants}
    ordered = sorted(sayings, key=lambda key: _key(sayings[key], place))
    numbers = {key: number for number, key in enumerate(ordered)}
    told = {key: number for number, key in enumerate(variants)}
    writer = _Writer()
    notes = [writer.note(sayings[key]) for key in ordered]
    return NotesData(
        format=FORMAT, rite=rite.slug, works=writer.works, speakers=writer.speakers, notes=notes,
        variants=[_variant(each) for each in variants.values()],
        clauses=[_clause(layers, numbers, told) for layers in found],
    )  # fmt: skip


def notes_json(rite: Rite, store: Store, clauses: Sequence[Clause] | None = None) -> bytes:
    """The same as JSON in UTF-8, in one line."""
    return msgspec.json.encode(notes_data(rite, store, clauses))


def _told(layers: Layers) -> tuple[Saying, ...]:
    """All that is said of a clause, or refers to it."""
    return (*layers.sayings, *layers.notes, *layers.references)


def _key(saying: Saying, place: dict[str, int]) -> tuple[int, ...]:
    """Layer, then time; of one man what is about the fewest words first, then in the order of the text."""
    era = era_of(saying.speaker)
    first, last = place[saying.first], place[saying.last]
    return (_GROUP[saying.layer], _LATEST if era is None else era.year, last - first, first)


def _clause(layers: Layers, numbers: dict[int, int], told: dict[int, int]) -> ClauseNotes:
    here = layers.note_at == layers.clause
    return ClauseNotes(
        clause=layers.clause,
        notes=sorted(numbers[id(each)] for each in (*layers.sayings, *(layers.notes if here else ()))),
        after=[] if here else sorted(numbers[id(each)] for each in layers.notes),
        at=None if here else layers.note_at,
        references=sorted(numbers[id(each)] for each in layers.references),
        variants=[told[id(each)] for each in layers.variants],
    )


def _variant(each: VariantEntry) -> NoteVariant:
    return NoteVariant(
        kind=each.kind, words=each.words, reading=each.reading, witnesses=each.witnesses, note=each.note
    )  # fmt: skip


class _Writer:
    """Writes notes down; works and speakers in the order in which they first come."""

    def __init__(self) -> None:
        self.works: list[NoteWork] = []
        self.speakers: list[NoteSpeaker] = []
        self._works: dict[str, int] = {}
        self._speakers: dict[str, int] = {}

    def note(self, saying: Saying) -> NoteData:
        return NoteData(
            layer=saying.layer.value, speaker=self._speaker(saying.speaker), text=saying.text,
            first=saying.first, last=saying.last, confidence=round(saying.confidence, 2),
            places=[self._place(each) for each in saying.works],
        )  # fmt: skip

    def _speaker(self, name: str | None) -> int:
        if name is None:
            return -1
        if name not in self._speakers:
            era = era_of(name)
            self._speakers[name] = len(self.speakers)
            self.speakers.append(NoteSpeaker(name=name, era=None if era is None else era.era))
        return self._speakers[name]

    def _place(self, where: Found) -> NotePlace:
        if where.work not in self._works:
            self._works[where.work] = len(self.works)
            self.works.append(NoteWork(name=where.work, title=where.title))
        return NotePlace(
            work=self._works[where.work], page=where.page, line=where.line, quoted_by=list(where.quoted_by),
            # What this copy has at the next note is no difference: it stands there on the page too.
            changes=[change for change in where.changes if change.elsewhere is None],
            emended=list(where.emended), damaged=len(where.damaged),
        )  # fmt: skip
