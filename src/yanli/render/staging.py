"""A performance as data for the page that plays it: everybody and everything at first, and what each act changes.

Comes in: a performance. Goes out: a ``StageData``, or the same as JSON, of exactly the shape that ``web/types.js``
describes. Lengths are in 尺, times in seconds, facings in degrees clockwise from north; every text stands once in a
pool, and what refers to it, to a person, a thing or a spot holds its number (from 0, -1 for none).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from yanli.performance.event import changed
from yanli.render.moments import Following
from yanli.render.staging_choices import Choices, Settings, choices_data, settings_data
from yanli.render.staging_ground import Building, building_data
from yanli.render.staging_states import (
    STANDING,
    Change,
    Form,
    Item,
    Person,
    PersonState,
    States,
    ThingState,
    kinds_data,
    people_data,
    things_data,
    whole,
)
from yanli.render.staging_text import Clause, Play, Section, clauses_data, plays_data, sections_data
from yanli.render.staging_times import Times
from yanli.render.staging_words import NONE, Forms, Pool, facing_words, folds_of
from yanli.render.wording import ORIGINS, ORIGINS_EN, Wording, speech_words

if TYPE_CHECKING:
    from yanli.errors import Finding
    from yanli.performance.event import Event
    from yanli.performance.perform import Performance

FORMAT = 1


class Name(msgspec.Struct, kw_only=True):
    """What the rite is called."""

    name: int
    slug: str
    en: str


class Start(msgspec.Struct, kw_only=True):
    """Everybody and everything before the first act."""

    people: list[PersonState]
    things: list[ThingState]


class InfoData(msgspec.Struct, kw_only=True):
    """What all events of one act of the score share.

    ``seconds``: how long it takes beside walking; ``gesture``: what is seen of it from afar, or "".
    """

    verb: int
    origin: str
    times: int
    music: int
    matter: int
    warrant: int
    reading: int
    reason: int
    source: int
    seconds: float
    gesture: str


class Row(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One event: when, who, what, and how he is after it; what does not apply is left out.

    ``order`` is left out where it is one more than in the row before. A change that is only the name of an attribute
    makes it, of the actor, what stands in the row.
    """

    start: float
    end: float
    order: int | None = None
    actor: int
    info: int
    clause: int
    via: list[int] = []
    things: list[int] = []
    target: list[int] = []
    to: int = NONE
    hit: bool | None = None
    fell: int = NONE
    path: list[float] = []
    spot: int
    facing: float | None
    posture: int
    step: int | None = None
    roles: list[int] = []
    together: int | None = None
    speech: int = NONE
    act: int
    changes: list[Change | str] = []


class FindingData(msgspec.Struct, kw_only=True):
    """What could not be played as the words have it."""

    code: str
    cause: str
    grade: str
    clause: str | None
    words: str | None


class StageData(msgspec.Struct, kw_only=True):
    """One performance, whole; the fields are those of ``StageDoc`` in ``web/types.js``."""

    format: int
    rite: Name
    length: float
    settings: Settings
    choices: Choices
    words: list[str]
    forms: Forms
    folds: tuple[str, str]
    standing: int
    facings: list[int]
    origins: dict[str, int]
    sections: list[Section]
    clauses: list[Clause]
    plays: list[Play]
    people: list[Person]
    things: list[Item]
    spots: list[tuple[Any, ...]]
    infos: list[InfoData]
    events: list[Row]
    start: Start
    building: Building
    kinds: dict[str, Form]
    findings: list[FindingData]


def stage_data(performance: Performance) -> StageData:
    """Give a whole performance as data."""
    rite = performance.rite
    pool, times, wording = Pool(), Times(performance), Wording(performance)
    states = States(performance, pool, wording)
    people, things = people_data(performance, states), things_data(performance, states)
    start = Start(
        people=[states.person(actor) for actor in states.world.actors.values()],
        things=[states.thing(thing) for thing in states.world.things.values()],
    )
    writer = _Writer(performance, states, times)
    events = [writer.row(event) for event in performance.events]
    return StageData(
        format=FORMAT, rite=Name(name=pool.add(rite.name, rite.title_en, aloud=True), slug=rite.slug, en=rite.title_en),
        length=times.at(performance.length), settings=settings_data(performance),
        choices=choices_data(performance, pool), sections=sections_data(performance, pool, times),
        clauses=clauses_data(performance, pool), plays=plays_data(performance, times), people=people, things=things,
        spots=states.spots.rows, infos=writer.infos, events=events, start=start,
        building=building_data(performance.stage.layout, pool, performance.stage.targets.named.values()),
        kinds=kinds_data(performance, states),
        folds=folds_of(rite.canonical), standing=states.posture(STANDING),
        facings=[pool.add(word, en, aloud=True) for word, en in facing_words(performance.stage.lexicon)],
        origins={origin: pool.add(word, ORIGINS_EN[origin]) for origin, word in ORIGINS.items()},
        findings=[_finding(finding) for finding in performance.findings],
        # Last, when every word has been added.
        words=pool.words, forms=pool.forms(),
    )  # fmt: skip


def stage_json(performance: Performance) -> bytes:
    """Give a whole performance as JSON in UTF-8, in one line."""
    return msgspec.json.encode(stage_data(performance))


def _finding(finding: Finding) -> FindingData:
    return FindingData(
        code=finding.code, cause=finding.cause, grade=finding.grade, clause=finding.clause, words=finding.words
    )


class _Writer:
    """Writes events down."""

    def __init__(self, performance: Performance, states: States, times: Times) -> None:
        self.infos: list[InfoData] = []
        self._performance = performance
        self._states = states
        self._times = times
        self._wording = states.wording
        self._slots = Following(performance).slots
        self._numbers: dict[bytes, int] = {}
        self._known: dict[tuple[int, str], int] = {}
        self._acts: dict[tuple[Any, ...], int] = {}
        self._order = -1
        # How long an act takes beside walking, by what its events share; what the engine adds to walk takes nothing.
        self._seconds = {id(ready.info): ready.seconds for ready in performance.machine.ready.values()}

    def row(self, event: Event) -> Row:
        """One event."""
        states, pool, info = self._states, self._states.pool, event.info
        speech = event.speech or info.speech
        if speech is not None:
            speech = speech_words(speech, self._slots.get(event.n, {}))
        row = Row(
            start=self._times.at(event.start), end=self._times.at(event.end),
            order=None if event.order == self._order + 1 else event.order,
            actor=states.persons[event.actor.name], info=self._info(event), clause=event.clause, via=list(event.via),
            things=states.held(event.things), target=[states.persons[person.name] for person in event.target],
            to=NONE if event.to is None else states.place(event.to), hit=event.hit, fell=self._fell(event),
            path=[round(part, 2) + 0.0 for point in event.path for part in point],
            spot=states.spots.add(event.spot), facing=whole(event.facing), posture=states.posture(event.posture),
            step=event.step, roles=[states.role(word) for word in event.roles], together=event.together,
            speech=pool.add(speech), act=self._act(event),
        )  # fmt: skip
        self._order = event.order
        own = {"spot": row.spot, "facing": row.facing, "posture": row.posture, "step": row.step}
        for change in states.changes(changed(self._performance.journal, event)):
            whose, number, attribute, value = change
            same = whose == "p" and number == row.actor and attribute in own and own[attribute] == value
            row.changes.append(attribute if same else change)
        return row

    def _act(self, event: Event) -> int:
        """What is done, in words; most acts are done many times over."""
        wording = self._wording
        key = (
            id(event.info), tuple(thing.kind for thing in event.things), tuple(one.name for one in event.target),
            event.to if event.to != event.spot.name else None, event.hit, wording.garments.get(event.n),
            wording.marks.get(event.n) if event.hit is not None else None,
        )  # fmt: skip
        found = self._acts.get(key)
        if found is None:
            found = self._acts[key] = self._states.pool.add(wording.act(event), wording.act_en(event))
        return found

    def _fell(self, event: Event) -> int:
        """How an arrow fell that was neither a plain hit nor a plain miss."""
        mark = self._wording.marks.get(event.n) if event.hit is not None else None
        return NONE if mark is None else self._states.pool.add(mark.zh, mark.en or None)

    def _matter(self, matter: str | None) -> int:
        """What an act is about, which may be several words."""
        if matter is None:
            return NONE
        return self._states.pool.add(matter, ", ".join(map(self._wording.word_en, matter.split())))

    def _info(self, event: Event) -> int:
        # The words of an act may be said otherwise of another kind of thing.
        known = (id(event.info), event.things[0].kind if event.things else "")
        number = self._known.get(known)
        if number is None:
            data = self._info_data(event)
            number = self._numbers.setdefault(msgspec.json.encode(data), len(self.infos))
            if number == len(self.infos):
                self.infos.append(data)
            self._known[known] = number
        return number

    def _info_data(self, event: Event) -> InfoData:
        pool, info = self._states.pool, event.info
        return InfoData(
            verb=pool.add(info.verb, self._wording.verb_en(event), aloud=True), origin=info.origin, times=info.times,
            music=self._states.word(info.music), matter=self._matter(info.matter), warrant=pool.add(info.warrant),
            reading=pool.add(info.reading), reason=pool.add(info.reason),
            source=NONE if info.source is None else self._states.place(info.source),
            seconds=self._seconds.get(id(info), 0.0), gesture=self._wording.gesture(event),
        )  # fmt: skip
