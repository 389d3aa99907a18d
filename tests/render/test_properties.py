"""The inventory adds up."""

import pytest

from yanli.performance.perform import Performance
from yanli.rehearsal import rehearse
from yanli.render.properties import properties, properties_text, sizes_words
from yanli.render.setting import first_guest, setting_up


def test_numbers_add_up(performance: Performance) -> None:
    found = properties(performance)
    assert sum(each.number for each in found.kinds) == found.number == len(performance.stage.world().things)
    for each in found.kinds:
        assert sum(lot.number for lot in each.lots) == each.number, each.kind
        assert sum(each.start.values()) == each.number, each.kind
        assert sum(each.end.values()) == each.number, each.kind


@pytest.mark.parametrize(
    ("way", "told"),
    [
        ("侯道=50弓", "中10尺、躬2丈、上个5尋、下个3丈、侯道50弓、去地12寸"),
        (
            "侯道=60尺",
            "中2.00尺（0.46米）、躬4.00尺（0.92米）、上个8.00尺（1.85米）、下个6.00尺（1.39米）、侯道60.00尺（13.86米）、去地12寸",
        ),
    ],
)
def test_a_target_is_as_large_as_the_scenario_makes_it(way: str, told: str) -> None:
    found = properties(rehearse("xiangshe", sets=[way]))
    assert [sizes_words(each) for each in found.kinds if each.kind == "侯"] == [told]


def test_every_kind_is_listed_once_and_named_in_english(performance: Performance) -> None:
    found = properties(performance)
    kinds = [each.kind for each in found.kinds]
    assert len(kinds) == len(set(kinds))
    assert all(each.en.isascii() for each in found.kinds)
    text = properties_text(found)
    assert text.count("☐") == len(kinds) + len(found.dress)
    groups = [each.group for each in found.kinds]
    assert all(text.count(f"\n{group}\n") == 1 for group in groups)


def test_what_stands_before_the_guests_come(performance: Performance) -> None:
    guest = first_guest(performance)
    assert guest is not None
    text = setting_up(performance)
    world = performance.world_at(guest.start, 0)
    rows = [line.split() for line in text.splitlines()]
    kinds = {row[2] for row in rows if len(row) > 8}
    assert {thing.kind for thing in world.things.values()} <= kinds
    # 洗 is told by the words: as far south of the hall as the hall is deep.
    deep = performance.stage.layout.building.measures["堂深"]
    basin = next(row for row in rows if row[2:3] == ["洗"])
    assert f"{-deep:.1f}" in basin
    assert all(any(name in row for row in rows) for name in performance.stage.cast.persons if name != "相")


def test_what_stands_when_the_rite_says_that_all_is_ready() -> None:
    """大射儀: 射人告具于公, and then 公升即位: targets are hung, jars and mats lie, the lord has not come up."""
    text = setting_up(rehearse("大射儀"))
    assert "「射人告具于公」之前" in text.splitlines()[0]
    rows = [line.split() for line in text.splitlines()]
    for kind in ("大侯", "參侯", "干侯"):
        assert any(row[1:3] == [kind, kind] for row in rows)
    assert any(row[1:3] == ["公席", "席"] for row in rows)
    assert any(row[1:3] == ["膳尊", "勺"] for row in rows)
    lord = next(row for row in rows if row[2:3] == ["公"] and len(row) == 8)
    assert lord[1] != "公席"
    # How many targets and ministers there are is no measure of the building.
    building, numbers, _ = text.partition("宮室 building")[2].partition("物 things")[0].partition("數 numbers")
    assert "侯數" not in building
    assert [line.split() for line in text.splitlines() if line.split()[:1] == ["侯數"]] == [["侯數", "3"]]
    assert "大侯去地" in building
    assert numbers


def test_everybody_who_wears_something_needs_his_own(performance: Performance) -> None:
    dress = {each.kind: each for each in properties(performance).dress}
    assert len(dress["屨"].of) == dress["屨"].number == len(performance.stage.cast.persons)
    ring = {event.actor.name for event in performance.events if event.info.verb == "決"}
    assert ring
    assert set(dress["決"].of) == ring
    assert "袒" not in dress
    text = properties_text(properties(performance))
    assert "thumb ring" in text
    assert "arm guard" in text
