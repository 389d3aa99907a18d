"""One rehearsal: from names and settings, as a person gives them, to a performance.

Comes in: the name of a rite, settings, a school, readings, a record. Goes out: a ``Performance``, or the ``Report`` of
all checks. Everything above this (command line, server) calls it and adds nothing to what is played.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from yanli.checks import Checks, Run, declared
from yanli.errors import Finding, ScenarioError, UnderdeterminedError
from yanli.notation.rite import load_rite
from yanli.performance.fates import FREE, RIGHT, Fates, Given, Model, Record
from yanli.performance.perform import Performance, perform
from yanli.performance.record import not_text, parse_record
from yanli.performance.stage import Stage, building_keys, open_stage, rite_settings
from yanli.plan.readings import nearest
from yanli.plan.scenario import ARROWS_KEY, Scenario, key_spans, make_scenario, read_file, read_keys
from yanli.plan.targets import members

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yanli.checks import Report
    from yanli.notation.rite import Rite

# Whose skill is everybody's.
ALL = "皆"


def scenario_for(
    rite: Rite, *, file: Path | None = None, sets: Iterable[str] = (), readings: Iterable[str] = (),
    school: str | None = None, record: str | None = None,
) -> Scenario:  # fmt: skip
    """Read and check a scenario. Raises ScenarioError with every fault."""
    keys = read_keys(rite_settings(rite), rite.name)
    table = read_file(file) if file is not None else None
    return make_scenario(
        keys, building_keys(rite), table=table, sets=sets, readings=readings, school=school, record=record,
        spans=key_spans(file) if file is not None else None,
    )  # fmt: skip


def fates_for(stage: Stage, scenario: Scenario) -> Fates:
    """The fates that a scenario asks for: a record, or the seeded model.

    Without an outcome the right side wins, or, if the archers' skills are told, the arrows fall as they may. Raises
    ScenarioError for a broken record, and for the skill of somebody who is not there.
    """
    skills = skills_of(stage, scenario)
    outcome = str(scenario.values.get("勝", FREE if skills else RIGHT))
    model = Model(
        int(scenario.values.get("seed", 7)), scenario.skill.get(ALL, 0.5), skills=skills, outcome=outcome,
        pairs={number: shooting.names() for number, shooting in stage.shootings.items()},
        sticks=sum(entry.number for entry in stage.cast.properties if entry.kind == stage.marks.stick),
        arrows={number: shooting.arrows for number, shooting in stage.shootings.items()}, ways=stage.marks.ways,
    )  # fmt: skip
    given = arrows_of(stage, scenario)
    fates: Fates = Given(given, model) if given else model
    if scenario.record is not None:
        if not stage.shootings:
            raise ScenarioError(no_rounds(stage.rite))
        return read_record(scenario.record, stage, fates)
    return fates


def no_rounds(rite: Rite) -> Finding:
    """That there is nothing to record or to count in a rite."""
    cause = f"{rite.name}: 無射 nobody shoots in this rite as it is written, so there is nothing to record or to count"
    return Finding(code="no-rounds", cause=cause)


def arrows_of(stage: Stage, scenario: Scenario) -> dict[tuple[int | None, str], str]:
    """The arrows that a scenario gives by name: ``WHO`` in every round in which he shoots, ``N.WHO`` in the Nth.

    Raises ScenarioError for somebody who does not shoot, an unknown mark, or another number of arrows than he shoots.
    """
    cast, faults = stage.cast, []
    found: dict[tuple[int | None, str], str] = {}
    for word, marks in scenario.arrows.items():
        head, dot, rest = word.partition(".")
        number = int(head) if dot and head.isdecimal() else None
        who = rest if number is not None else word
        names = members(cast, who)
        rounds = [one for one in stage.shootings.values() if number in {None, one.number}]
        shooting = {
            name: [one for one in rounds if name == one.teacher or any(name in pair for pair in one.names())]
            for name in names
        }
        counts = {one.arrows for each in shooting.values() for one in each}
        if not counts:
            known = tuple(dict.fromkeys(name for one in rounds for pair in one.names() for name in pair))
            cause = f"[{ARROWS_KEY}] {word}: nobody called {who} shoots" + (f" in round {number}" if number else "")
            faults.append(Finding(code="unknown-shooter", cause=cause, nearest=nearest(who, known)))
        elif len(marks) != max(counts):
            cause = f"[{ARROWS_KEY}] {word}: {len(marks)} arrows ({marks or 'none'}), and each shoots {max(counts)}"
            faults.append(Finding(code="wrong-arrows", cause=cause))
        elif unknown := set(marks) - set(stage.marks.signs):
            cause = f"[{ARROWS_KEY}] {word}: {'、'.join(sorted(unknown))} is no mark"
            faults.append(Finding(code="unknown-mark", cause=cause, known=stage.marks.meanings()))
        found.update({(number, name): marks for name, each in shooting.items() if each})
    if faults:
        raise ScenarioError(*faults)
    return found


def skills_of(stage: Stage, scenario: Scenario) -> dict[str, float]:
    """Each person's own skill: a name of his own stands over that of a group he is in. Raises ScenarioError."""
    cast = stage.cast
    found: dict[str, float] = {}
    own: dict[str, float] = {}
    faults: list[Finding] = []
    for name, skill in scenario.skill.items():
        if name in cast.persons or name in cast.offices:
            own[cast.offices.get(name, name)] = skill
        elif name in cast.groups:
            found.update(dict.fromkeys(cast.groups[name], skill))
        elif name != ALL:
            known = (ALL, *cast.groups["與射者"], *cast.groups)
            cause = f"[技]: nobody is called {name} in this scenario"
            faults.append(Finding(code="unknown-role", cause=cause, nearest=nearest(name, known)))
    if faults:
        raise ScenarioError(*faults)
    return {**found, **own}


def read_record(name: str, stage: Stage, otherwise: Fates) -> Record:
    """Read a record written in the field. Raises ScenarioError with line and cause for every fault in it."""
    try:
        data = Path(name).read_bytes()
    except (OSError, ValueError) as fault:
        cause = f"{name}: {getattr(fault, 'strerror', None) or fault}"
        raise ScenarioError(Finding(code="no-record", cause=f"the record cannot be read: {cause}")) from None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise not_text(data, fault, name) from None
    return parse_record(text, name, stage, otherwise)


def rehearse(
    name: str | Path, *, file: Path | None = None, sets: Iterable[str] = (), readings: Iterable[str] = (),
    school: str | None = None, record: str | None = None,
) -> Performance:  # fmt: skip
    """Play a rite as asked. Raises a YanliError when the rite or the scenario cannot be had."""
    rite = load_rite(name)
    return _play(rite, scenario_for(rite, file=file, sets=sets, readings=readings, school=school, record=record))


def check_rite(  # noqa: PLR0913 - each is a different thing that a person may ask
    name: str | Path, *, file: Path | None = None, sets: Iterable[str] = (), readings: Iterable[str] = (),
    school: str | None = None, record: str | None = None, close: bool = False, danger: bool = True,
    everything: bool = False,
) -> Report:  # fmt: skip
    """Check one rite in one scenario, or (``everything``) in all scenarios that it declares for its coverage."""
    rite = load_rite(name)
    checks = Checks(rite, close=close, danger=danger)
    runs = [Run(sets=tuple(sets), readings=tuple(readings), school=school), *(declared(rite) if everything else ())]
    for run in runs:
        scenario = scenario_for(rite, file=file, sets=run.sets, readings=run.readings, school=run.school, record=record)
        try:
            performance = _play(rite, scenario)
        except UnderdeterminedError as fault:
            checks.broken_off(fault, run.label())
        else:
            checks.add(performance, run.label())
    return checks.report(everything=everything)


def _play(rite: Rite, scenario: Scenario) -> Performance:
    stage = open_stage(rite, scenario)
    return perform(stage, fates_for(stage, scenario))
