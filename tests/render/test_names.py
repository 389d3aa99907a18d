"""English names: nobody on a plan, a page or a sheet is called as somebody else is."""

from __future__ import annotations

import pytest

from yanli.notation.rite import load_rite
from yanli.performance.stage import Stage
from yanli.plan.scenario import read_keys
from yanli.rehearsal import rehearse
from yanli.render.plan_text import Names
from yanli.render.properties import properties
from yanli.render.wording import Wording


@pytest.mark.parametrize("rite", ["鄉射禮", "鄉飲酒禮", "大射儀", "燕射"])
def test_no_two_persons_are_called_alike_in_english(rite: str) -> None:
    performance = rehearse(rite, sets=("大夫=2",) if "大夫" in read_keys(load_rite(rite).settings, rite) else ())
    stage: Stage = performance.stage
    names, wording = Names(performance, english=True), Wording(performance)
    actors = list(stage.world().actors.values())
    assert len({names.person(actor) for actor in actors}) == len(actors)
    assert len({wording.person_en(actor.name) for actor in actors}) == len(actors)


def test_several_are_told_one_by_one_in_the_singular() -> None:
    performance = rehearse("大射儀")
    assert Wording(performance).person_en("士旅食者.2") == "postless officer 2"
    assert Wording(performance).person_en("士.2") == "officer 2"


def test_the_lord_is_a_lord_in_the_titles_too() -> None:
    assert [section.slug for section in load_rite("大射儀").sections if "duke" in section.slug] == []


def test_a_target_is_called_as_what_is_hung() -> None:
    """司裘：王大射則共虎侯、熊侯、豹侯."""
    found = properties(rehearse("大射儀", sets=("爵位=天子",))).kinds
    hung = {each.called: each.en for each in found if each.group.startswith("侯")}
    assert hung == {"虎侯": "tiger target", "熊侯": "bear target", "豹侯": "leopard target"}
