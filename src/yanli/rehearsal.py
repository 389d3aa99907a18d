"""One rehearsal: from names and settings, as a person gives them, to a performance.

Comes in: the name of a rite, settings, a school, readings, a record. Goes out: a ``Performance``. Everything above this
(command line, server) calls it and adds nothing to what is played.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from yanli.notation.rite import load_rite
from yanli.performance.fates import Fates, Model, read_record
from yanli.performance.perform import Performance, perform
from yanli.performance.stage import Stage, building_keys, open_stage, rite_settings
from yanli.plan.scenario import Scenario, make_scenario, read_file, read_keys

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yanli.notation.rite import Rite


def scenario_for(  # noqa: PLR0913 - each is a different thing that a person may say
    rite: Rite, *, file: Path | None = None, sets: Iterable[str] = (), readings: Iterable[str] = (), school: str | None = None,
    record: str | None = None,
) -> Scenario:  # fmt: skip
    """Read and check a scenario. Raises ScenarioError with every fault."""
    keys = read_keys(rite_settings(rite), rite.name)
    table = read_file(file) if file is not None else None
    return make_scenario(
        keys, building_keys(rite), table=table, sets=sets, readings=readings, school=school, record=record,
        file=str(file) if file is not None else None,
    )  # fmt: skip


def fates_for(stage: Stage, scenario: Scenario) -> Fates:
    """The fates that a scenario asks for: a record, or the seeded model. Raises ScenarioError for a broken record."""
    if scenario.record is not None:
        return read_record(Path(scenario.record), stage)
    outcome = str(scenario.values.get("勝", "右"))
    seed = int(scenario.values.get("seed", 7))
    skill = scenario.skill.get("", 0.5)
    return Model(seed, skill, skills=scenario.skill, outcome=None if outcome == "任" else outcome)


def rehearse(  # noqa: PLR0913 - each is a different thing that a person may say
    name: str | Path, *, file: Path | None = None, sets: Iterable[str] = (), readings: Iterable[str] = (),
    school: str | None = None, record: str | None = None,
) -> Performance:  # fmt: skip
    """Play a rite as asked. Raises a YanliError when the rite or the scenario cannot be had."""
    rite = load_rite(name)
    scenario = scenario_for(rite, file=file, sets=sets, readings=readings, school=school, record=record)
    stage = open_stage(rite, scenario)
    return perform(stage, fates_for(stage, scenario))
