"""What the works of a store say of a clause, as a reader sees it: in the single file, and from a server."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.driving import NewPage, Watch, serving
from tests.browser.reading import Reader

CLAUSE = "主人朝服乃速賓"
# What 鄭玄 and 敖繼公 say of it, as the editions have it.
OLD = "速召也"
LATER = "禮戒速同服"
SIZES: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1440, "height": 900}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}


@pytest.fixture(scope="module")
def noted(corpus: Path) -> Iterator[str]:
    """The address of a server with the store."""
    with serving("--db", str(corpus)) as address:
        yield address


def under(page: Page, words: str = CLAUSE) -> Locator:
    """What stands under a clause."""
    return page.locator(f"yanli-text .clause:text-is('{words}') + .under")


def sought(reader: Reader, what: Locator) -> None:
    """Scroll to something as often as the panel, which follows what is in force, still moves; it comes into sight."""
    reader.until(
        """(one) => {
          const {top, bottom, left, right} = one.getBoundingClientRect();
          const middle = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
          if (one.contains(middle)) return true;
          one.scrollIntoView({block: 'center'});
          return false;
        }""",
        what.element_handle(),
    )


def alone(new_page: NewPage, file: Path, **options: Any) -> Reader:  # noqa: ANN401 - the options of a context
    """Somebody with the file and no network."""
    page = new_page("file://", **options)
    page.context.set_offline(True)
    return Reader(page).open(address=file.as_uri())


@pytest.mark.parametrize("size", SIZES)
def test_a_clause_of_the_file_is_opened_with_its_notes(new_page: NewPage, noted_file: Path, size: str) -> None:
    reader = alone(new_page, noted_file, **SIZES[size])
    page = reader.page
    page.locator(f"yanli-text .clause:text-is('{CLAUSE}')").click()
    reader.settle()
    expect(page.locator(".notes")).to_have_count(0)
    under(page).get_by_role("button", name="注疏").click()
    notes = under(page).locator(".note")
    told = notes.filter(has_text=OLD)
    expect(told).to_have_count(1)
    expect(told.locator("b")).to_have_text("鄭玄")
    later = notes.filter(has_text=LATER)
    expect(later.locator("b")).to_have_text("敖繼公")
    expect(later.locator("xpath=following-sibling::*[1]")).to_contain_text("《儀禮集說》葉 005")
    # The older stands before the later, and every line lies within the panel.
    assert told.evaluate("(one, other) => one.compareDocumentPosition(other) & 4", later.element_handle())
    sought(reader, later)
    broad = page.locator(".canon").evaluate("(canon) => [canon.scrollWidth, canon.clientWidth]")
    assert broad[0] <= broad[1]
    # It scrolls with the text, in no box of its own.
    assert under(page).evaluate("(one) => getComputedStyle(one).overflowY") == "visible"
    under(page).get_by_role("button", name="注疏").click()
    expect(page.locator(".notes")).to_have_count(0)


def test_the_switch_shows_the_notes_of_every_clause_in_force(new_page: NewPage, noted_file: Path) -> None:
    reader = alone(new_page, noted_file)
    page = reader.page
    reader.search(CLAUSE)
    page.locator(".bar").get_by_role("button", name="注疏").click()
    expect(under(page).locator(".note", has_text=OLD)).to_be_visible()
    reader.until("() => location.hash.includes('notes=on')")
    reader.step("clause", 1)
    expect(page.locator("yanli-text .clause[aria-current=true] + .under .notes")).to_be_visible()
    expect(under(page)).to_have_count(0)
    # A link brings it back.
    reader.open(("t", "560"), ("notes", "on"), ("script", "en"), address=noted_file.as_uri())
    expect(page.locator(".notes h4").first).to_have_text("Old notes")


def test_one_layer_or_one_work_may_be_chosen(new_page: NewPage, noted_file: Path) -> None:
    reader = alone(new_page, noted_file)
    reader.search(CLAUSE)
    reader.page.locator(".bar > button").click()
    choice = reader.page.locator(".bar select")
    speakers = under(reader.page).locator(".note b")
    expect(under(reader.page).locator(".note", has_text=OLD)).to_be_visible()
    choice.select_option(label="後說")
    expect(under(reader.page).locator(".note", has_text=OLD)).to_have_count(0)
    assert "敖繼公" in speakers.all_inner_texts()
    choice.select_option(label="《儀禮集說》KR1d0035_005.txt")
    expect(speakers.filter(has_text="秦蕙田")).to_have_count(0)
    assert set(speakers.all_inner_texts()) == {"敖繼公"}
    choice.select_option(label="悉示")
    expect(under(reader.page).locator(".note", has_text=OLD)).to_be_visible()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("look", [("script", "en"), ("script", "hans"), ("writing", "vertical"), ("theme", "dark")])
def test_notes_are_shown_in_every_script_and_look(
    new_page: NewPage, noted_file: Path, size: str, look: tuple[str, str]
) -> None:
    page = new_page("file://", **SIZES[size])
    reader = Reader(page).open(("t", "560"), ("notes", "on"), look, address=noted_file.as_uri())
    later = page.locator(".note", has_text=LATER)
    sought(reader, later)
    assert reader.words
    place = {"en": "《儀禮集說》, leaf 005", "hans": "《儀禮集說》叶 005"}.get(look[1], "《儀禮集說》葉 005")
    expect(later.locator("xpath=following-sibling::*[1]")).to_contain_text(place)
    if look[1] == "dark":
        paint = "(one) => [getComputedStyle(one).color, getComputedStyle(document.body).backgroundColor]"
        ink, paper = (sum(map(int, each[4:-1].split(","))) for each in later.evaluate(paint))
        assert ink > paper + 300


def test_the_server_is_asked_only_when_notes_are_wanted(
    new_page: NewPage, noted: str, watches: dict[int, Watch]
) -> None:
    page = new_page(noted)
    reader = Reader(page).open(("rite", "xiangshe"), ("t", "560"), address=f"{noted}/")
    asked = watches[id(page)].requests
    assert not [url for url in asked if "/api/notes" in url]
    clause = page.locator(f"yanli-text .clause:text-is('{CLAUSE}')")
    clause.focus()
    # Opened by the keyboard, it comes with what is said of it.
    reader.press("o")
    expect(under(page).locator(".note", has_text=LATER)).to_be_visible()
    page.locator(".bar > button").click()
    reader.step("clause", 1)
    expect(page.locator("yanli-text .clause[aria-current=true] + .under .notes")).to_be_visible()
    assert len([url for url in asked if "/api/notes" in url]) == 1


def test_a_server_that_has_lost_its_store_is_told_of(new_page: NewPage, noted: str, watches: dict[int, Watch]) -> None:
    page = new_page(noted)
    watches[id(page)].allow("500|Failed to load resource")
    page.route("**/api/notes*", lambda route: route.fulfill(status=500, body="{}"))
    Reader(page).open(("rite", "xiangshe"), ("t", "560"), ("notes", "on"), address=f"{noted}/")
    expect(under(page).locator(".why", has_text="無所答")).to_be_visible()
    page.unroute("**/api/notes*")
    # Who asks again gets them.
    page.locator(".bar > button").click()
    page.locator(".bar > button").click()
    expect(under(page).locator(".note", has_text=LATER)).to_be_visible()


def test_without_a_store_nothing_speaks_of_notes(reader: Reader, stage_file: Path, new_page: NewPage) -> None:
    for each, address in ((reader, "/"), (Reader(new_page("file://")), stage_file.as_uri())):
        each.open(("t", "560"), ("notes", "on"), address=address)
        expect(each.page.get_by_text("注疏")).to_have_count(0)
        expect(each.page.locator(".bar > button, .bar > select, [data-notes], .notes")).to_have_count(0)


def test_notes_are_printed_whole_with_the_section(new_page: NewPage, noted_file: Path) -> None:
    page = new_page("file://")
    Reader(page).open(("t", "560"), ("notes", "on"), address=noted_file.as_uri())
    expect(page.locator(".note", has_text=LATER)).to_be_visible()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    expect(page.locator(".printed .note", has_text=LATER)).to_be_visible()
    # What is about several clauses stands once.
    assert page.locator(".printed .note", has_text="以上迎賓拜至").count() == 1
    expect(page.locator(".bar")).not_to_be_visible()
    assert page.locator(".printed .notes > details:not(.places)").count() == 0
