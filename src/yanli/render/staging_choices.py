"""What was chosen for a staged performance, and what else could be: keys of the scenario, cruxes, schools.

Comes in: a performance and the pool of its words. Goes out: ``Settings`` and ``Choices``.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec

from yanli.performance.stage import building_keys, rite_settings, rite_tables
from yanli.plan.scenario import read_keys
from yanli.render.score_lines import ScoreLines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from yanli.performance.perform import Performance
    from yanli.plan.scenario import Scenario
    from yanli.render.staging_words import Pool

PRESENT, ABSENT = "有", "無"


class Settings(msgspec.Struct, kw_only=True):
    """The scenario that was played: values by key, the keys somebody set, school, readings; by crux those in force."""

    values: dict[str, int | str]
    given: list[str]
    school: str | None
    readings: dict[str, str]
    chosen: dict[str, list[str]]


class Choice(msgspec.Struct, kw_only=True):
    """A key of a scenario: its type, the values or bounds it may have, its default, what it is.

    ``type``: count (of people), number, choice, flag (是, 否), feature (of the building: 有, 無), measure, seed. A
    measure without ``default`` follows from others; what it comes to stands in the building's measures.
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
    return Choices(
        keys=[*_rite_keys(performance, pool), *_building_keys(performance, pool)], cruxes=cruxes, schools=schools
    )


def _rite_keys(performance: Performance, pool: Pool) -> Iterator[Choice]:
    rite = performance.rite
    for name, key in read_keys(rite_settings(rite), rite.name).items():
        values = ["是", "否"] if key.type == "flag" else list(key.values)
        yield Choice(
            key=name, type=key.type, values=values, default=key.default, min=key.min, max=key.max,
            zh=pool.add(key.zh or None, key.en), en=key.en, source=pool.add(key.source),
        )  # fmt: skip


def _building_keys(performance: Performance, pool: Pool) -> Iterator[Choice]:
    """What the building understands and the rite says nothing of."""
    rite = performance.rite
    told = read_keys(rite_settings(rite), rite.name)
    building = performance.stage.layout.building
    tables: tuple[Mapping[str, Any], ...] = (building.lexicon, rite_tables(rite).get("places.toml", {}))
    measures: dict[str, Any] = {}
    for table in tables:
        measures.update(table.get("measures", {}))
    for name in building_keys(rite):
        if name in told:
            continue
        if name == "尺":
            lengths: Mapping[str, Any] = building.lexicon["chi"] if isinstance(building.lexicon["chi"], dict) else {}
            yield _of_building(pool, name, "choice", list(lengths), next(iter(lengths), None), {})
        elif name in measures:
            yield _of_building(pool, name, "measure", [], None, measures[name])
        else:
            default = PRESENT if name in building.has else ABSENT
            yield _of_building(pool, name, "feature", [PRESENT, ABSENT], default, {})


def _of_building(
    pool: Pool, name: str, kind: str, values: list[str], default: str | None, told: Mapping[str, Any]
) -> Choice:
    en = str(told.get("en", "")) or BUILDING_EN.get(name, "")
    return Choice(
        key=name, type=kind, values=values, default=default, min=None, max=None, zh=pool.add(name, en), en=en,
        source=pool.add(told.get("source")),
    )  # fmt: skip


BUILDING_EN: dict[str, str] = {
    "尺": "length of a foot (chi)",
    "堂": "the raised hall",
    "階": "stairs, or the number of their steps",
    "門": "gate and walls of the court",
    "楹": "pillars",
    "室": "chamber behind the hall",
    "房": "room behind the hall",
    "夾": "side halls",
    "北階": "northern stair",
    "堂深": "depth of the hall",
    "堂廣": "breadth of the hall",
    "楹間": "between the pillars",
    "階高": "height of the hall's floor",
    "庭深": "depth of the court",
    "庭廣": "breadth of the court",
    "門廣": "breadth of the gate",
    "席長": "length of a mat",
    "侯道": "from the shooters to the target",
}
