"""The keys of a rite's scenario, as they are listed."""

from __future__ import annotations

import pytest

from yanli.errors import RiteError, ScenarioError
from yanli.notation.rite import list_rites, load_rite
from yanli.performance.stage import building_keys, rite_settings
from yanli.plan.scenario import make_scenario, read_keys
from yanli.render.scenario_keys import keys_of, keys_text


@pytest.mark.parametrize("slug", [head.slug for head in list_rites()])
def test_every_key_that_a_scenario_may_have_is_listed(slug: str) -> None:
    rite = load_rite(slug)
    told = read_keys(rite_settings(rite), rite.name)
    found = keys_of(slug)
    assert {each.key for each in found.keys} == {*told, *building_keys(rite)}
    assert len({each.key for each in found.keys}) == len(found.keys)
    # Each is told in both languages, that of a building's part too, of which the rite itself says nothing.
    assert [each.key for each in found.keys if not (each.zh and each.en)] == []


def test_what_it_is_else_is_the_value_that_is_played() -> None:
    found = {each.key: each for each in keys_of("大射儀").keys}
    # 經：遂比三耦；張三侯；大侯九十. The tables give them, and say of whom.
    assert (found["耦數"].default, found["耦數"].by) == (3, "表 耦 大射 爵位 域")
    assert (found["侯道"].default, found["侯數"].default) == ("90弓", 3)
    assert found["爵位"].values[0] == found["爵位"].default == "諸侯"
    # 卿三、小卿二、大夫四: nine, so that one of them shoots with an officer; two more are the pair beside the three.
    assert found["士"].default == 3
    assert found["士"].by is not None


def test_the_first_of_the_values_can_be_set() -> None:
    for each in keys_of("鄉飲酒禮").keys:
        for value in each.values:
            if each.type in {"choice", "flag"}:
                rite = load_rite("鄉飲酒禮")
                make_scenario(read_keys(rite_settings(rite), rite.name), (), sets=[f"{each.key}={value}"])


def test_it_is_read() -> None:
    text = keys_text(keys_of("大射儀"))
    assert "  耦數  數 count  3–6\n      不言則 else 3（表 耦 大射 爵位 域）\n" in text
    assert "  楹  有無 part  有、無\n      不言則 else 隨宮室 of the building\n" in text


def test_no_rite() -> None:
    with pytest.raises((RiteError, ScenarioError), match="大射宜"):
        keys_of("大射宜")
