"""鄉飲酒禮: those who come late and those who sit by age.

What is expected was reckoned from the words, and the notes named.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from yanli.errors import RiteError
from yanli.performance.perform import Performance
from yanli.rehearsal import rehearse

AFTER_ALL = "工入升自西階"


@cache
def played(sets: tuple[str, ...] = (), readings: tuple[str, ...] = ()) -> Performance:
    """One performance for each scenario."""
    return rehearse("鄉飲酒禮", sets=sets, readings=readings)


def seated(sets: tuple[str, ...] = (), readings: tuple[str, ...] = ()) -> dict[str, Any]:
    """How all stand when the musicians have gone up: the late comers sit by then."""
    return played(sets, readings).state(AFTER_ALL)


def joints(sets: tuple[str, ...], readings: tuple[str, ...] = ()) -> dict[str, str]:
    """Who has which joint on the stand before his mat."""
    things = seated(sets, readings)["things"].values()
    found = [one for one in things if one["kind"] in {"肩", "臂", "臑", "肫", "胳", "左體"}]
    assert all(one["where"].endswith("俎") for one in found)
    return {one["of"]: one["kind"] for one in found}


@pytest.mark.parametrize(
    ("grandees", "theirs", "second"),
    [
        (0, {}, "胳"),  # 敖繼公：若無遵者介俎猶用胳
        (1, {"大夫.1": "臑"}, "肫"),  # 賈疏：一大夫則大夫用臑而介用肫
        (2, {"大夫.1": "臑", "大夫.2": "肫"}, "胳"),  # 賈疏：二大夫則大夫用臑與肫而介用胳
        (3, {"大夫.1": "臑", "大夫.2": "肫", "大夫.3": "左體"}, "胳"),  # 敖繼公：自三以下皆用左體
    ],
)
def test_joints_go_by_how_many_grandees_come(grandees: int, theirs: dict[str, str], second: str) -> None:
    """記：賓俎脊脅肩肺，主人俎脊脅臂肺，介俎脊脅肫胳肺."""
    assert joints((f"大夫={grandees}",)) == {"賓": "肩", "主人": "臂", "介": second} | theirs


@pytest.mark.parametrize(
    ("sets", "theirs"),
    [
        (("大夫=0",), {}),
        (("大夫=1",), {"大夫.1": "肫"}),  # 肫為大夫俎
        (("大夫=1", "諸公=1"), {"諸公.1": "臑", "大夫.1": "肫"}),  # 臑為諸公俎
        (("大夫=2", "諸公=1"), {"諸公.1": "臑", "大夫.1": "肫", "大夫.2": "左體"}),  # 自三以下皆用左體
    ],
)
def test_joints_as_ao_has_them(sets: tuple[str, ...], theirs: dict[str, str]) -> None:
    """敖繼公：介俎用胳者，欲以臑為諸公俎，肫為大夫俎也；若無遵者介俎猶用胳，不為之變."""
    assert joints(sets, ("介俎=敖繼公",)) == {"賓": "肩", "主人": "臂", "介": "胳"} | theirs


def mats(sets: tuple[str, ...]) -> dict[str, list[str]]:
    """Where the added mats of each lie."""
    found: dict[str, list[str]] = {}
    for one in seated(sets)["things"].values():
        if one["kind"] == "加席":
            found.setdefault(one["of"], []).append(one["where"])
    return {name: sorted(places) for name, places in found.items()}


def test_a_grandee_keeps_his_two_mats() -> None:
    """大夫再重；無諸公則大夫辭加席，主人對，不去加席."""
    assert mats(("大夫=1",)) == {"大夫.1": ["大夫席.1"]}


def test_a_duke_has_three_mats_and_one_is_taken_away() -> None:
    """公三重；辭一席，使一人去之：two are left, the lowest of them his mat."""
    (kept, gone) = mats(("大夫=0", "諸公=1"))["諸公.1"]
    assert {kept, gone} == {"諸公席.1", "東房"}


def test_where_there_is_a_duke_grandees_lay_their_mat_at_the_end() -> None:
    """有諸公則辭加席，委于席端，主人不徹."""
    found = mats(("大夫=2", "諸公=1"))
    assert found["大夫.1"] == ["大夫席.1端"]
    assert found["大夫.2"] == ["大夫席.2端"]


def test_where_the_late_comers_sit() -> None:
    """席于賓東，在酒尊東，西上（句讀）；若有諸公則大夫於主人之北西面（記），北上（注）."""
    actors = seated(("大夫=2",))["actors"]
    first, second = actors["大夫.1"], actors["大夫.2"]
    assert first["facing"] == second["facing"] == "南"
    assert 0 < first["xy"][0] < second["xy"][0]
    actors = seated(("大夫=2", "諸公=1"))["actors"]
    first, second, host = actors["大夫.1"], actors["大夫.2"], actors["主人"]
    assert actors["諸公.1"]["facing"] == "南"
    assert first["facing"] == second["facing"] == "西"
    assert first["xy"][1] > second["xy"][1] > host["xy"][1]


def test_they_come_between_the_raised_cup_and_the_music() -> None:
    """既一人舉觶乃入；樂作大夫不入."""
    performance = played(("大夫=1",))
    entered = performance.played("公如大夫入")
    assert performance.played("舉觶者降").start < entered.start
    assert entered.end < performance.played(AFTER_ALL).start


def test_who_tastes_the_lung() -> None:
    """祭如賓禮不嚌肺：of all who have one, guest and host alone taste it, and a duke, who goes up as the guest does."""
    tasters = {event.actor.name for event in played(("大夫=1",)).events if event.info.verb == "嚌"}
    assert tasters == {"賓", "主人"}
    tasters = {event.actor.name for event in played(("大夫=1", "諸公=1")).events if event.info.verb == "嚌"}
    assert tasters == {"賓", "主人", "諸公.1"}


def test_without_late_comers_their_words_are_not_played() -> None:
    """賓若有遵者."""
    with pytest.raises(RiteError):
        played(("大夫=0",)).played("公如大夫入")


BY_AGE = ("故=正齒位", "主人=黨正", "所=序", "大夫=0", "眾賓=8", "六十者=5", "七十者=4", "八十者=2", "九十者=1")


def test_by_age_those_of_sixty_sit_and_those_of_fifty_stand() -> None:
    """六十者坐，五十者立侍（鄉飲酒義）."""
    actors = seated(BY_AGE)["actors"]
    up = [f"眾賓.{number}" for number in range(1, 9) if actors[f"眾賓.{number}"]["zone"] == "堂上"]
    assert up == [f"眾賓.{number}" for number in range(1, 6)]
    assert all(actors[name]["place"].startswith("眾賓席") for name in up)
    assert {actors[f"眾賓.{number}"]["facing"] for number in range(6, 9)} == {"東"}


def test_by_age_they_have_their_dishes() -> None:
    """六十者三豆，七十者四豆，八十者五豆，九十者六豆: of the five one is ninety, one eighty, two seventy, one sixty."""
    things = seated(BY_AGE)["things"].values()
    dishes = [one["of"] for one in things if one["kind"] == "豆" and one["where"].endswith("薦")]
    assert [dishes.count(f"眾賓.{number}") for number in range(1, 9)] == [6, 5, 4, 4, 3, 0, 0, 0]


def test_on_other_occasions_nobody_has_dishes_by_age() -> None:
    """此篇無正齒位之事焉（鄭注）."""
    assert not [one for one in seated(("六十者=5", "眾賓=8"))["things"].values() if one["kind"] == "豆"]
