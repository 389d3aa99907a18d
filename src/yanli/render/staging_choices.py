"""What was chosen for a staged performance, and what else could be: keys of the scenario, cruxes, schools.

Comes in: a performance and the pool of its words. Goes out: ``Settings`` and ``Choices``.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec

from yanli.performance.stage import building_keys, rite_settings
from yanli.plan.figures import is_figure
from yanli.plan.scenario import Key, read_keys
from yanli.render.score_lines import ScoreLines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from yanli.performance.perform import Performance
    from yanli.plan.scenario import Scenario
    from yanli.render.staging_words import Pool

FLAG = ("是", "否")
FEATURE = PRESENT, ABSENT = ("有", "無")


class Settings(msgspec.Struct, kw_only=True):
    """The scenario that was played: values by key, the keys somebody set, school, readings; by crux those in force."""

    values: dict[str, int | str]
    given: list[str]
    school: str | None
    readings: dict[str, str]
    chosen: dict[str, list[str]]


class Choice(msgspec.Struct, kw_only=True):
    """A key of a scenario: its type, the values or bounds it may have, its default, what it is.

    ``type``: count (of people), number, choice, flag (是, 否), measure (left to the building), seed. What has no
    ``default`` follows from the rest; what a measure comes to stands among those of the building.
    """

    key: str
    type: str
    values: list[str]
    default: int | str | None
    min: int | None
    max: int | None
    zh: int
    en: str
    source: int


class Rival(msgspec.Struct, kw_only=True):
    """One answer to a crux: who holds it."""

    names: list[str]


class Crux(msgspec.Struct, kw_only=True):
    """A dispute: name, what is asked, the readings with the default first, the clauses where it matters."""

    name: str
    question: int
    readings: list[Rival]
    clauses: list[int]


class Choices(msgspec.Struct, kw_only=True):
    """Everything that may be chosen; the schools by how many cruxes they answer."""

    keys: list[Choice]
    cruxes: list[Crux]
    schools: list[str]


def settings_data(performance: Performance) -> Settings:
    """What was chosen."""
    stage = performance.stage
    scenario: Scenario = stage.scenario
    return Settings(
        values=dict(scenario.values),
        given=sorted(scenario.given),
        school=stage.readings.school,
        readings=dict(stage.readings.chosen),
        chosen={name: list(stage.readings.choose(name)) for name in stage.readings.cruxes},
    )


def choices_data(performance: Performance, pool: Pool) -> Choices:
    """What may be chosen."""
    rite = performance.rite
    lines = ScoreLines(rite)
    cruxes = []
    held: Counter[str] = Counter()
    for crux in rite.cruxes.values():
        answers = sorted(crux.readings, key=lambda answer: not answer.default)
        for answer in answers:
            held.update(answer.names)
        sites = {rite.places[str(site.clause)] for site in crux.sites if site.clause is not None}
        cruxes.append(
            Crux(
                name=crux.name, question=pool.add(lines.question(crux.name)),
                readings=[Rival(names=list(answer.names)) for answer in answers], clauses=sorted(sites),
            )
        )  # fmt: skip
    schools = sorted(held, key=lambda name: (-held[name], name))
    return Choices(keys=list(_keys(performance, pool)), cruxes=cruxes, schools=schools)


def _keys(performance: Performance, pool: Pool) -> Iterator[Choice]:
    rite, building = performance.rite, performance.stage.layout.building
    kinds: Any = building.lexicon["kinds"]
    kind: Mapping[str, Any] = kinds[building.kind]
    told = read_keys(rite_settings(rite), rite.name)
    for name in dict.fromkeys((*told, *building_keys(rite))):
        key = told.get(name, Key(type="measure"))
        values = FLAG if key.type == "flag" else key.values
        # What a table of rank gives is worked out when the rite is played, as a count is that grows as needed.
        default = None if is_figure(key.default) else key.default
        if values == FEATURE:
            default = PRESENT if name in kind["has"] else ABSENT
            # What this kind of building cannot have is not offered.
            values = values if name in (*kind["has"], *kind.get("may", ())) else (ABSENT,)
        yield Choice(
            key=name, type=key.type, values=list(values), default=default, min=key.min, max=key.max,
            zh=pool.add(key.zh or name, key.en), en=key.en, source=pool.add(key.source),
        )  # fmt: skip
