"""Numbers, officers, building, school are chosen, and the rite on the page becomes another at once."""

import json
from collections.abc import Callable, Collection, Iterable
from typing import Any

import pytest
from playwright.sync_api import Locator, expect
from tests.browser.driving import Watch, yanli
from tests.browser.reading import Pair, Reader, options

Performed = Callable[..., tuple[dict[str, Any], ...]]
DIGITS = "〇一二三四五六七八九"


def label(name: str, others: Iterable[str]) -> str:
    """A full name as the page writes it among others: 眾賓.12 is 眾賓十二; who is alone of his name has no number."""
    base, _, number = name.partition(".")
    if not number or sum(other.partition(".")[0] == base for other in others) == 1:
        return base
    tens, ones = divmod(int(number), 10)
    return base + (("" if tens == 1 else DIGITS[tens]) + "十" if tens else "") + (DIGITS[ones] if ones else "")


def cast(reader: Reader) -> set[str]:
    """Everybody in the list of people."""
    reader.page.get_by_role("tab", name="人與器").click()
    names = reader.page.locator("yanli-people .names button.person")
    expect(names.first).to_be_visible()
    return set(names.all_inner_texts())


def labels(names: Collection[str]) -> set[str]:
    """All of some names as the page writes them."""
    return {label(name, names) for name in names}


def actors(*pairs: Pair) -> dict[str, Any]:
    """Everybody and everything after the first words, by the command."""
    told: dict[str, Any] = json.loads(
        yanli("state", "鄉射禮", "--after", "主人坐取爵于上篚以降", "--json", *options(*pairs)).stdout
    )
    return told


def field(reader: Reader, key: str) -> Locator:
    """The field of a key in the chooser."""
    return reader.page.locator(f"yanli-chooser .field[data-key='{key}']")


def set_number(reader: Reader, key: str, value: str) -> None:
    """Type a number and wait until it is answered."""
    field(reader, key).locator("input").fill(value)
    field(reader, key).locator("input").press("Tab")
    reader.until(
        "([key, value]) => String(document.querySelector('yanli-app').session.one.doc.settings.values[key]) === value",
        [key, value],
    )
    reader.ready()


def test_numbers_are_changed_and_the_cast_changes(reader: Reader) -> None:
    reader.open()
    assert cast(reader) == labels(actors()["actors"])
    assert "大夫" in cast(reader)
    reader.button("擇").click()
    set_number(reader, "大夫", "0")
    set_number(reader, "眾耦", "4")
    reader.press("Escape")
    wanted: tuple[Pair, ...] = (("set", "大夫=0"), ("set", "眾耦=4"))
    expect(reader.page.locator("yanli-people .names button.person", has_text="大夫")).to_have_count(0)
    assert cast(reader) == labels(actors(*wanted)["actors"])
    # Four pairs are eight guests.
    assert {f"眾賓{DIGITS[number]}" for number in range(1, 9)} <= cast(reader)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [("眾耦", "100000", "眾耦"), ("大夫", "-1", "大夫"), ("堂廣", "0尺", "堂廣"), ("侯道", "紅", "侯道")],
)
def test_a_value_that_cannot_be_is_told_at_its_field(
    reader: Reader, watch: Watch, key: str, value: str, said: str
) -> None:
    # The server refuses, and the browser notes that in its console.
    watch.allow(r"status of 4\d\d")
    reader.open()
    before = cast(reader)
    reader.button("擇").click()
    field(reader, key).locator("input").fill(value)
    field(reader, key).locator("input").press("Tab")
    fault = field(reader, key).get_by_role("alert")
    expect(fault).to_be_visible()
    assert said in fault.inner_text()
    # What was shown is still there.
    reader.press("Escape")
    assert cast(reader) == before


def test_a_fault_offers_what_would_do(reader: Reader, watch: Watch) -> None:
    watch.allow(r"status of 4\d\d")
    reader.open()
    reader.button("擇").click()
    field(reader, "眾耦").locator("input").fill("100000")
    field(reader, "眾耦").locator("input").press("Tab")
    near = field(reader, "眾耦").get_by_role("alert").get_by_role("button")
    offered = near.first.inner_text()
    assert 0 < int(offered) < 100_000
    near.first.click()
    expect(field(reader, "眾耦").get_by_role("alert")).to_have_count(0)
    expect(field(reader, "眾耦").locator("input")).to_have_value(offered)


def test_another_building_stands_at_once(reader: Reader) -> None:
    words = ("t", "1300.82")
    reader.open(words)
    names = reader.page.locator("yanli-plan .main .name.part")
    assert "室" not in names.all_inner_texts()
    reader.button("擇").click()
    field(reader, "所").locator("select").select_option("庠")
    expect(names.filter(has_text="室")).to_have_count(1)
    reader.settle()
    told = actors(("set", "所=庠"))
    seen = reader.figures()
    assert len(seen) > 10
    # The words in force are kept, and everybody is where he is in this building.
    for name in ("賓", "主人", "眾賓.1"):
        assert seen[name]["xy"] == pytest.approx(told["actors"][name]["xy"], abs=0.1)
    assert told["actors"]["賓"]["xy"] != actors()["actors"]["賓"]["xy"]


def test_measures_of_ones_own_are_drawn(reader: Reader) -> None:
    wall = "() => document.querySelector('yanli-plan').timeline.doc.building.shapes.find((s) => s.form === 'hall').box"
    reader.open()
    before = reader.page.evaluate(wall)
    reader.button("擇").click()
    field(reader, "堂廣").locator("input").fill("80尺")
    field(reader, "堂廣").locator("input").press("Tab")
    reader.until(f"(before) => String(({wall})()) !== String(before)", before)
    west, _, east, _ = reader.page.evaluate(wall)
    assert east - west == pytest.approx(80)


def test_a_school_is_chosen_and_the_acts_name_it(reader: Reader, performed: Performed) -> None:
    reader.open()
    reader.button("擇").click()
    reader.page.locator("yanli-chooser").get_by_label("家", exact=True).select_option("敖繼公")
    row = reader.page.locator("yanli-text .act[data-n='1']")
    expect(row).to_contain_text("敖繼公")
    first = performed("--school", "敖繼公")[0]
    assert row.get_attribute("data-act") == f"{first['verb']} {first['object']}"
    expect(field(reader, "大夫").locator("input")).to_have_value("1")


def test_one_reading_is_chosen(reader: Reader, performed: Performed) -> None:
    reader.open()
    reader.button("擇").click()
    reader.page.locator("yanli-chooser summary").click()
    crux = reader.page.locator("yanli-chooser .crux[data-crux='戒服'] select")
    crux.select_option("敖繼公")
    row = reader.page.locator("yanli-text .act[data-n='1']")
    expect(row).to_contain_text("戒服=敖繼公")
    first = performed("--reading", "戒服=敖繼公")[0]
    assert row.get_attribute("data-act") == f"{first['verb']} {first['object']}"


def test_the_fates_are_chosen(reader: Reader, performed: Performed) -> None:
    reader.open()
    reader.button("擇").click()
    field(reader, "勝").locator("select").select_option("左")
    reader.until("() => document.querySelector('yanli-app').session.one.doc.settings.values['勝'] === '左'")
    hits = reader.page.evaluate(
        "() => document.querySelector('yanli-app').session.one.events.filter((row) => row.hit !== undefined)"
        ".map((row) => row.hit)"
    )
    told = [event["hit"] for event in performed("--set", "勝=左") if event["hit"] is not None]
    assert hits == told
    assert told != [event["hit"] for event in performed() if event["hit"] is not None]


def test_all_goes_back_to_the_default(reader: Reader) -> None:
    reader.open(("set", "大夫=0"), ("school", "敖繼公"))
    reader.button("擇").click()
    reader.page.locator("yanli-chooser").get_by_role("button", name="悉復如常").click()
    reader.until("() => document.querySelector('yanli-app').session.one.doc.settings.values['大夫'] === 1")
    assert "大夫" not in reader.hash()
    assert "school" not in reader.hash()


def test_the_moment_is_kept_when_the_performance_becomes_another(reader: Reader) -> None:
    reader.open()
    reader.search("主人卒洗")
    assert reader.words == "主人卒洗"
    reader.button("擇").click()
    set_number(reader, "眾耦", "3")
    reader.until("() => document.querySelector('yanli-app').session.one.doc.settings.values['眾耦'] === 3")
    reader.settle()
    assert reader.words == "主人卒洗"
