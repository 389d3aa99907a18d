"""What holds of every rite: it is whole, and plays in any scenario that its own keys allow."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from yanli.checks.world import check_conservation, check_two_places
from yanli.errors import ScenarioError
from yanli.notation.rite import list_rites, load_rite
from yanli.plan.scenario import read_keys
from yanli.rehearsal import check_rite, rehearse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yanli.performance.perform import Performance
    from yanli.plan.scenario import Key

RITES = tuple(head.slug for head in list_rites())
# Clauses and characters, counted in the printed text: a rite that lost a leaf would be noticed.
CHARACTERS = {
    "xiangshe": 6800,
    "xiangyinjiu": 2656,
    "dashe": 6917,
    "yanshe": 100,
    "zhupi": 13,
    "binshe": 80,
    "pinli": 54,
}


@cache
def keys(slug: str) -> Mapping[str, Key]:
    """What a scenario of the rite may say, but for measures: the building is drawn elsewhere."""
    told = read_keys(load_rite(slug).settings, slug)
    return {name: key for name, key in told.items() if key.type != "measure"}


@st.composite
def scenarios(draw: st.DrawFn, slug: str) -> tuple[str, ...]:
    """Settings of a scenario: each key is left alone, or drawn from what it may be."""
    chosen = []
    for name, key in keys(slug).items():
        if key.type != "seed" and draw(st.booleans()):
            continue
        match key.type:
            case "choice":
                value = draw(st.sampled_from(key.values))
            case "flag":
                value = draw(st.sampled_from(["是", "否"]))
            case "seed":
                value = str(draw(st.integers(0, 1000)))
            case _:
                least = key.min or 0
                most = min(least + 4, key.max if key.max is not None else least + 4)
                value = str(draw(st.integers(least, most)))
        chosen.append(f"{name}={value}")
    return tuple(chosen)


@pytest.mark.parametrize("slug", RITES)
def test_every_clause_is_played_or_bound(slug: str) -> None:
    """In every scenario that the rite declares, and for each reading: no error, no line that nothing reaches."""
    report = check_rite(slug, everything=True)
    assert [str(finding) for finding in report.findings if finding.grade == "error"] == []
    assert [finding.code for finding in report.findings if finding.code == "unreached"] == []
    assert report.text_equal
    assert report.bare == 0
    assert report.performed + report.bound == report.clauses
    assert len(load_rite(slug).canonical) == CHARACTERS[slug]


def played(slug: str, sets: tuple[str, ...]) -> Performance | None:
    """One performance; None for a scenario that is refused, as one of a rank that no text gives a figure."""
    try:
        return rehearse(slug, sets=sets)
    except ScenarioError:
        return None


@pytest.mark.parametrize("slug", RITES)
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_scenario_of_its_keys_plays(slug: str, data: st.DataObject) -> None:
    """No error; nothing vanishes; nobody is in two places."""
    performance = played(slug, data.draw(scenarios(slug)))
    if performance is None:
        return
    assert [f for f in performance.findings if f.grade == "error"] == []
    assert list(check_conservation(performance)) == []
    assert list(check_two_places(performance)) == []
    starts = [event.start for event in performance.events]
    assert starts == sorted(starts)
