"""Three targets in a yard that is not of ninety bows: 大侯九十，參七十，干五十 in proportion, the great farthest."""

from __future__ import annotations

import pytest

from yanli.errors import ScenarioError
from yanli.plan.scenario import LARGEST
from yanli.venue import open_layout
from yanli.venue.measure import read_count

BOW = 6


@pytest.mark.parametrize(
    ("settings", "bows"),
    [
        ({}, {"大侯": 90, "參侯": 70, "干侯": 50}),
        # Half of ninety: the halves of seventy and of fifty.
        ({"侯道": "45弓"}, {"大侯": 45, "參侯": 35, "干侯": 25}),
        # A lord of the domain: 熊侯七十弓，豹侯五十弓.
        ({"侯道": "70弓", "侯數": 2}, {"大侯": 70, "干侯": 50}),
        ({"侯道": "35弓", "侯數": 2}, {"大侯": 35, "干侯": 25}),
        ({"侯道": "45弓", "干侯侯道": "20弓"}, {"大侯": 45, "參侯": 35, "干侯": 20}),
    ],
)
def test_the_ranges_keep_their_proportion(settings: dict[str, object], bows: dict[str, int]) -> None:
    layout = open_layout("dashe", settings)
    mark = layout.spot("右物").y
    assert {name: round((mark - layout.spot(name).y) / BOW, 6) for name in bows} == bows
    assert not [wrong for wrong in layout.misfits() if wrong.place in bows]


@pytest.mark.parametrize(
    ("settings", "place"),
    [({"參侯侯道": "100弓"}, "參侯"), ({"干侯侯道": "70弓"}, "干侯"), ({"侯數": 2, "干侯侯道": "90弓"}, "干侯")],
)
def test_a_target_that_is_not_nearer_than_the_one_before_it_does_not_fit(
    settings: dict[str, object], place: str
) -> None:
    wrong = next(wrong for wrong in open_layout("dashe", settings).misfits() if wrong.place == place)
    assert wrong.rule == "大侯九十參七十干五十"


def test_each_is_as_large_as_its_range_makes_it() -> None:
    # 弓二寸以為侯中: of 45, 35 and 25 bows 9, 7 and 5 尺; 參分其廣而鵠居一焉.
    layout = open_layout("dashe", {"侯道": "45弓"})
    centres = {"大侯": 9, "參侯": 7, "干侯": 5}
    assert {name: layout.value(f"{name}中廣") for name in centres} == pytest.approx(centres)
    assert {name: layout.value(f"{name}鵠") * 3 for name in centres} == pytest.approx(centres)


def test_a_count_has_the_bounds_that_scenarios_have() -> None:
    assert read_count("眾賓", "20000") == LARGEST
    with pytest.raises(ScenarioError, match="from 0 to 20000"):
        read_count("眾賓", "20001")
