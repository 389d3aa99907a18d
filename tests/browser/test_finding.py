"""What a reader finds in the text: by searching, by a wheel, and what could not be played as the words have it."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser.driving import yanli
from tests.browser.reading import Reader

Performed = Callable[..., tuple[dict[str, Any], ...]]
LEFT = "() => document.querySelector('.canon').scrollLeft"


def test_a_plain_wheel_turns_vertical_text(reader: Reader) -> None:
    reader.open(("t", "1560"), ("writing", "vertical"))
    before = reader.page.evaluate(LEFT)
    reader.page.locator("yanli-text .clause[aria-current=true]").hover()
    reader.page.mouse.wheel(0, 200)
    # The text goes on to the left.
    reader.until("(before) => document.querySelector('.canon').scrollLeft < before - 100", before)
    expect(reader.page.locator(".back")).to_be_visible()


def test_what_is_not_played_as_the_words_have_it_is_listed(reader: Reader) -> None:
    reader.open()
    box = reader.page.locator("yanli-text .findings")
    box.locator("summary").click()
    told = yanli("check", "鄉射禮").stdout
    causes = box.locator("li > span").all_inner_texts()
    assert causes
    assert all(cause in told for cause in causes)
    words = box.locator("button q").first.inner_text()
    box.locator("button").first.click()
    reader.settle()
    assert reader.words == words


@pytest.mark.parametrize(("sought", "script"), [("三耦初射", "hant"), ("first shooting", "en")])
def test_a_section_is_found_by_its_name_first(reader: Reader, performed: Performed, sought: str, script: str) -> None:
    reader.open(("script", script), ("search", sought))
    reader.page.get_by_role("combobox").first.focus()
    reader.page.locator("yanli-search input").press("Enter")
    reader.settle()
    first = next(event for event in performed() if event["section"] == "三耦初射")
    assert reader.time == pytest.approx(first["start"], abs=0.01)


def test_no_place_is_listed_twice(reader: Reader) -> None:
    reader.open(("search", "誘射"))
    reader.page.locator("yanli-search input").focus()
    rows = reader.page.locator("#search-results li").all_inner_texts()
    assert len(rows) > 2
    places = [row.splitlines()[0] + row.rsplit(maxsplit=1)[-1] for row in rows]
    assert len(set(places)) == len(places)


@pytest.mark.parametrize("beside", [(), (("against.school", "敖繼公"),)])
def test_a_reading_leads_to_its_dispute(reader: Reader, beside: tuple[tuple[str, str], ...]) -> None:
    reader.open(*beside)
    button = reader.page.locator("yanli-text .act .link", has_text="戒服").first
    button.click()
    expect(reader.page.locator("yanli-differences [data-dispute=戒服]")).to_be_focused()
    expect(reader.page.locator("yanli-differences [data-dispute=戒服]")).to_be_in_viewport()
