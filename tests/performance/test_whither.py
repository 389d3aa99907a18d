"""An act by which things are laid somewhere tells where, though he who does it stays where he stands."""

from __future__ import annotations

import pytest

from yanli.performance.perform import Performance
from yanli.rehearsal import rehearse
from yanli.render.timeline import as_text


@pytest.fixture(scope="module")
def great() -> Performance:
    return rehearse("大射儀")


@pytest.mark.parametrize(
    ("words", "kind", "where"),
    [
        ("君之弓矢適東堂", "弓", "東堂"),
        ("賓之弓矢與中籌豐皆止于西堂下", "弓", "西堂下"),
        ("賓之弓矢與中籌豐皆止于西堂下", "豐", "西堂下"),
        ("總眾弓矢楅皆適次而俟", "矢", "次"),
    ],
)
def test_where_the_gear_goes_is_told(great: Performance, words: str, kind: str, where: str) -> None:
    events = [event for event in great.chosen(words, words) if event.info.verb == "納"]
    gear = [event for event in events if event.things[0].kind == kind and great.clause(event.clause).text == words]
    assert gear
    assert {event.to for event in gear} == {where}
    assert f"于{where}" in as_text(great, gear)
