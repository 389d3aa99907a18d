"""Through the rite by scrubber, keys and steps: where one comes is where the timeline says that one is."""

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser.reading import Reader

Performed = Callable[..., tuple[dict[str, Any], ...]]
# A section in which every clause asks for acts, in the order of the text.
SECTION = "賓酢主人"


# The command rounds times to a hundredth of a second; the page has them to a thousandth.
ROUNDED = 0.0051


def at(start: float) -> tuple[str, str]:
    """The moment of an act in a link, surely not before it begins."""
    return "t", str(start + ROUNDED)


def under_way(events: tuple[dict[str, Any], ...], time: float) -> list[dict[str, Any]]:
    """The acts that are under way at a time; when there are none, the last that began."""
    running = [event for event in events if event["start"] <= time < event["end"]]
    return running or [event for event in events if event["start"] <= time][-1:]


def starts(events: tuple[dict[str, Any], ...], key: str) -> Iterator[tuple[float, str]]:
    """When each section, or clause, begins, in the order of time."""
    for name, group in groupby(events, key=lambda event: event[key]):
        yield next(group)["start"], str(name)


@pytest.mark.parametrize("share", [0.2, 0.61, 0.93])
def test_a_press_on_the_scrubber_leads_to_that_time(reader: Reader, performed: Performed, share: float) -> None:
    reader.open()
    box = reader.scrubber.bounding_box()
    assert box
    reader.scrubber.click(position={"x": share * box["width"], "y": box["height"] / 2})
    reader.settle()
    length = max(event["end"] for event in performed())
    assert reader.time == pytest.approx(share * length, rel=0.02)
    events = under_way(performed(), reader.time)
    words = {event["text"] for event in events}
    assert reader.words in words
    lit = {str(event["n"]) for event in events if event["text"] == reader.words}
    assert lit == {row["n"] for row in reader.current()}
    chosen = reader.page.get_by_role("combobox", name="節").locator("option:checked")
    assert chosen.inner_text().split()[1] in {event["section"] for event in events}


def test_the_scrubber_is_dragged_and_the_rite_goes_along(reader: Reader) -> None:
    reader.open()
    box = reader.scrubber.bounding_box()
    assert box
    y = box["y"] + box["height"] / 2
    reader.page.mouse.move(box["x"] + 0.1 * box["width"], y)
    reader.page.mouse.down()
    times = []
    for share in (0.2, 0.3, 0.4, 0.35):
        reader.page.mouse.move(box["x"] + share * box["width"], y, steps=4)
        times.append((reader.time, reader.page.locator("time.now").inner_text()))
    reader.page.mouse.up()
    assert times[0][0] < times[1][0] < times[2][0] > times[3][0] > times[1][0]
    assert len({clock for _, clock in times}) == 4


def test_the_scrubber_is_moved_with_keys(reader: Reader, performed: Performed) -> None:
    reader.open(("t", "2000"))
    reader.scrubber.focus()
    reader.press("Home")
    assert reader.time == 0
    reader.press("End")
    assert reader.time == pytest.approx(max(event["end"] for event in performed()), abs=0.01)
    reader.press("Home", "ArrowRight", "ArrowRight")
    distinct = sorted({event["start"] for event in performed()})
    assert reader.time == pytest.approx(distinct[2], abs=ROUNDED)
    assert "戒賓" in (reader.scrubber.get_attribute("aria-valuetext") or "")


@pytest.mark.parametrize("way", ["buttons", "keys"])
def test_stepping_by_act_stops_at_every_act(reader: Reader, performed: Performed, way: str) -> None:
    section = [event for event in performed() if event["section"] == SECTION]
    stops = sorted({event["start"] for event in section if event["end"] > event["start"]})[:12]
    reader.open(at(stops[0]))

    def step(direction: int) -> None:
        if way == "keys":
            reader.press("ArrowRight" if direction > 0 else "ArrowLeft")
        else:
            reader.step("act", direction)

    for stop in stops[1:]:
        step(1)
        assert reader.time == pytest.approx(stop, abs=ROUNDED)
        lit = {int(row["n"]) for row in reader.current()}
        # What takes no time is over when it begins.
        assert {event["n"] for event in section if event["start"] == stop < event["end"]} <= lit
    for stop in stops[-2::-1]:
        step(-1)
        assert reader.time == pytest.approx(stop, abs=ROUNDED)


@pytest.mark.parametrize("way", ["buttons", "keys"])
def test_stepping_by_clause_lights_clause_after_clause(reader: Reader, performed: Performed, way: str) -> None:
    section = tuple(event for event in performed() if event["section"] == SECTION)
    clauses = list(starts(section, "text"))
    reader.open(at(clauses[0][0]))
    assert reader.words == clauses[0][1]

    def step(direction: int) -> None:
        if way == "keys":
            reader.press("Shift+ArrowRight" if direction > 0 else "Shift+ArrowLeft")
        else:
            reader.step("clause", direction)

    for start, words in clauses[1:8]:
        step(1)
        assert reader.words == words
        assert reader.time == pytest.approx(start, abs=ROUNDED)
        expect(reader.clause).to_be_in_viewport()
    for start, words in clauses[6::-1]:
        step(-1)
        assert reader.words == words
        assert reader.time == pytest.approx(start, abs=ROUNDED)


@pytest.mark.parametrize("way", ["buttons", "keys"])
def test_stepping_by_section_passes_through_the_whole_rite(reader: Reader, performed: Performed, way: str) -> None:
    sections = list(starts(performed(), "section"))
    reader.open()
    chosen = reader.page.get_by_role("combobox", name="節").locator("option:checked")

    def step(direction: int) -> None:
        if way == "keys":
            reader.press("]" if direction > 0 else "[")
        else:
            reader.step("section", direction)

    for start, name in sections[1:6]:
        step(1)
        assert chosen.inner_text().split()[1] == name
        assert reader.time == pytest.approx(start, abs=ROUNDED)
    for start, name in sections[4::-1]:
        step(-1)
        assert chosen.inner_text().split()[1] == name
        assert reader.time == pytest.approx(start, abs=ROUNDED)


def test_words_lead_to_their_moment_when_they_are_clicked(reader: Reader, performed: Performed) -> None:
    reader.open(at(1275.01))
    for words in ("主人卒洗", "以賓升"):
        reader.page.locator("yanli-text .clause", has_text=words).first.click()
        event = next(event for event in performed() if event["text"] == words)
        assert reader.words == words
        assert reader.time == pytest.approx(event["start"], abs=ROUNDED)


def test_an_act_leads_to_its_moment_when_it_is_clicked(reader: Reader, performed: Performed) -> None:
    reader.open(at(1275.01))
    rows = reader.rows("yanli-text .act")
    assert len(rows) > 2
    n = rows[-1]["n"]
    reader.page.locator(f"yanli-text .act[data-n='{n}'] button.go").click()
    assert reader.time == pytest.approx(performed()[int(n) - 1]["start"], abs=ROUNDED)
    assert n in {row["n"] for row in reader.current()}


def test_an_act_under_its_words_tells_origin_and_reason(reader: Reader, performed: Performed) -> None:
    reader.open(at(1275.01))
    told = {"text": "經文", "editor": "編者", "inferred": "推"}
    seen = set()
    for row in reader.rows("yanli-text .act"):
        event = performed()[int(row["n"]) - 1]
        line = reader.page.locator(f"yanli-text .act[data-n='{row['n']}']")
        assert line.locator(".origin").inner_text() == told[event["origin"]]
        if reason := event["warrant"] or event["reason"]:
            assert reason in line.inner_text()
        seen.add(event["origin"])
    assert len(seen) > 1


def test_a_section_is_chosen_from_the_list(reader: Reader, performed: Performed) -> None:
    reader.open()
    option = reader.page.get_by_role("combobox", name="節").locator("option", has_text="數獲").first
    reader.page.get_by_role("combobox", name="節").select_option(option.get_attribute("value"))
    first = min(event["start"] for event in performed() if event["section"] == "數獲")
    assert reader.time == pytest.approx(first, abs=ROUNDED)


def test_it_plays_at_true_speed_and_stops(reader: Reader) -> None:
    reader.open(at(1275.01))
    reader.button("演").click()
    passed = reader.page.evaluate(
        """async () => {
          const {player} = document.querySelector('yanli-app').session;
          const from = [performance.now(), player.time];
          await new Promise((done) => setTimeout(done, 3000));
          return [(performance.now() - from[0]) / 1000, player.time - from[1]];
        }"""
    )
    # A frame that comes very late on a busy machine is not made up for.
    assert 0.5 * passed[0] < passed[1] < 1.05 * passed[0]
    reader.button("止").click()
    stood = reader.time
    reader.settle()
    assert reader.time == stood
