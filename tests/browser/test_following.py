"""A person, a cup, an arrow is followed: where it goes, and all that is done with it."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser.driving import yanli
from tests.browser.reading import Reader

Performed = Callable[..., tuple[dict[str, Any], ...]]
WORDS = "主人坐取爵于上篚以降"


def test_a_person_is_followed_by_a_click_on_the_plan(reader: Reader, performed: Performed) -> None:
    first = next(event for event in performed() if event["actor"] == "舉觶者.1" and event["section"] == "一人舉觶")
    reader.open(("t", str(first["start"])))
    reader.page.locator("yanli-plan .main g.actor[data-name='舉觶者.1']").click()
    card = reader.page.locator("yanli-people .card")
    reader.sees(card)
    assert "舉觶者一" in card.locator("h3").inner_text()
    assert ("follow", "舉觶者.1") in pairs(reader.hash())
    # His script is all that he does and all that is done to him.
    his = [event["n"] for event in performed() if "舉觶者.1" in (event["actor"], *(event["target"] or "").split("、"))]
    more = reader.page.locator("yanli-people .story .more")
    while more.count():
        more.first.click()
    assert [int(row["n"]) for row in reader.rows("yanli-people .story .act")] == his
    reader.page.locator("yanli-people .card").get_by_role("button", name="不復隨").click()
    expect(card).to_have_count(0)


def test_the_plan_draws_the_way_of_who_is_followed_and_keeps_him_in_sight(reader: Reader, performed: Performed) -> None:
    walks = [event for event in performed() if event["actor"] == "主人" and event["path"]]
    for event in (walks[0], walks[5], walks[20]):
        reader.open(("follow", "主人"), ("t", str((event["start"] + event["end"]) / 2)))
        figure = reader.page.locator("yanli-plan .main g.actor[data-name='主人']")
        expect(figure).to_be_in_viewport()
        expect(figure.locator(".followed")).to_have_count(1)
        past, ahead = (
            reader.page.locator(f"yanli-plan .traces .{which}").get_attribute("d") or "" for which in ("past", "next")
        )
        # Where he comes from lies behind him, where he goes lies before him.
        assert f"M{tidy(event['path'][0])}" in past
        assert ahead.split("M")[1].strip().endswith(tidy(event["path"][-1]))


def test_a_cup_is_followed_from_the_list_of_things(reader: Reader, performed: Performed) -> None:
    taken = next(event for event in performed() if event["text"] == WORDS and event["verb"] == "取")
    cup = taken["object_ids"][0]
    reader.open(("t", str(taken["start"])))
    reader.page.get_by_role("tab", name="人與器").click()
    reader.page.locator("yanli-people summary", has_text="爵").first.click()
    number = cup.partition(".")[2]
    reader.page.locator("yanli-people .names button.thing", has_text=f"爵 {number}").first.click()
    card = reader.page.locator("yanli-people .card")
    reader.sees(card)
    # It lies in the basket until the host takes it; then it is with him.
    assert "篚" in row_of(reader, "在")
    reader.press("ArrowRight")
    assert "主人" in row_of(reader, "在")
    n = {event["n"] for event in performed() if cup in event["object_ids"]}
    more = reader.page.locator("yanli-people .story .more")
    while more.count():
        more.first.click()
    assert n <= {int(row["n"]) for row in reader.rows("yanli-people .story .act")}
    assert ("follow", cup) in pairs(reader.hash())


def test_a_followed_cup_is_where_the_state_has_it_at_every_change_of_hands(reader: Reader) -> None:
    for words in ("賓進受爵于席前", "奠爵于薦西", "主人坐取爵實之"):
        told = json.loads(yanli("state", "鄉射禮", "--after", words, "--json").stdout)
        where = told["things"]["爵.1"]["where"]
        reader.open(("follow", "爵.1"), ("t", str(told["time"])), ("tab", "people"))
        assert where in row_of(reader, "在")


def test_an_arrow_is_followed_to_where_it_fell(reader: Reader, performed: Performed) -> None:
    for hit in (True, False):
        shot = next(event for event in performed() if event["verb"] == "射" and event["hit"] is hit)
        arrow = shot["object_ids"][0]
        reader.open(("follow", arrow), ("t", str(shot["end"] + 0.5)), ("tab", "people"))
        where = row_of(reader, "在")
        assert where.startswith("侯") is hit
        past = reader.page.locator("yanli-plan .traces .past").get_attribute("d") or ""
        # Its last way leads from the archer to the target, fifty bows of six 尺 away.
        (_, south), (_, end) = (tuple(map(float, point.split())) for point in past.split("M")[-1].split("L"))
        assert end - south == pytest.approx(300, abs=30)


def pairs(hash_: str) -> list[tuple[str, str]]:
    """The state in an address."""
    from urllib.parse import parse_qsl

    return parse_qsl(hash_)


def row_of(reader: Reader, name: str) -> str:
    """What the card says under a heading."""
    row = reader.page.locator("yanli-people .card dl > div", has=reader.page.locator(f"dt:text-is('{name}')"))
    return row.locator("dd").inner_text()


def tidy(point: list[float]) -> str:
    """A point as the drawing writes it: y goes down."""
    return f"{round(point[0], 2):g} {round(-point[1], 2):g}"
