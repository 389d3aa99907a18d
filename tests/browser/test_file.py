"""The rite as one file: it plays from a disk, with no network, and is small enough to be sent about."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.driving import NewPage, yanli
from tests.browser.reading import Reader

Performed = Callable[..., tuple[dict[str, Any], ...]]
MOST = 3_000_000


@pytest.fixture
def alone(new_page: NewPage) -> Page:
    """A page without network, which may ask nothing but files."""
    page = new_page("file://")
    page.context.set_offline(True)
    return page


def test_the_file_is_under_three_megabytes(stage_file: Path) -> None:
    assert stage_file.stat().st_size < MOST


def test_the_size_of_the_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "x.html"
    told = yanli("stage", "鄉射禮", "-o", str(path)).stdout
    assert f"{path.stat().st_size / 1_000_000:.2f} MB" in told


def test_the_rite_plays_from_a_disk_without_network(alone: Page, stage_file: Path, performed: Performed) -> None:
    asked: list[str] = []
    alone.on("request", lambda request: asked.append(request.url))
    reader = Reader(alone).open(address=stage_file.as_uri())
    assert asked[0].startswith("file:")
    assert [url for url in asked[1:] if not url.startswith(("data:", "blob:"))] == []
    reader.search("主人坐取爵于上篚以降")
    first = next(event for event in performed() if event["text"] == "主人坐取爵于上篚以降")
    assert reader.time == pytest.approx(first["start"], abs=0.01)
    assert reader.page.locator(f"yanli-text .act[data-n='{first['n']}']").get_attribute("data-verb") == first["verb"]
    alone.get_by_role("combobox", name="速").select_option("16")
    reader.button("演").click()
    reader.until("(time) => document.querySelector('yanli-app').session.player.time > time + 30", first["start"])
    reader.button("止").click()
    reader.settle()
    alone.locator("yanli-plan .main g.actor[data-name='主人']").click()
    expect(alone.locator("yanli-people .card")).to_be_visible()


def test_the_file_asks_for_nothing_but_itself(alone: Page, stage_file: Path, watches: dict[int, Any]) -> None:
    Reader(alone).open(address=stage_file.as_uri())
    assert {url.partition("#")[0] for url in watches[id(alone)].requests} == {stage_file.as_uri()}


def test_the_file_has_its_own_type(alone: Page, stage_file: Path) -> None:
    Reader(alone).open(address=stage_file.as_uri())
    faces = alone.evaluate("() => [...document.fonts].filter((face) => face.status === 'loaded').map((f) => f.family)")
    assert any("Yanli Serif" in family for family in faces)


def test_every_chinese_word_in_the_file_can_be_shown_in_its_own_type(alone: Page, stage_file: Path) -> None:
    """Where the system has no such type of its own: over the arrow to the north, and in the commands that are shown."""
    reader = Reader(alone).open(address=stage_file.as_uri())
    reader.button("擇").click()
    family = "(e) => getComputedStyle(e).fontFamily"
    assert "Yanli Serif" in alone.locator("yanli-plan .compass text").evaluate(family)
    assert "Yanli Serif" in alone.locator("yanli-chooser pre code").evaluate(family)


def test_a_link_into_the_file_leads_to_its_moment(alone: Page, stage_file: Path) -> None:
    reader = Reader(alone).open(("t", "9100"), ("script", "en"), address=stage_file.as_uri())
    assert reader.time == pytest.approx(9100)
    assert alone.locator("html").get_attribute("lang") == "en"


def test_the_file_says_what_it_does_not_hold(alone: Page, stage_file: Path) -> None:
    reader = Reader(alone).open(address=stage_file.as_uri())
    reader.button("擇").click()
    expect(alone.locator("yanli-chooser")).to_contain_text("yanli stage")
    reader.press("Escape")
    # What it has not is not offered; who asks for it all the same is told where it is to be had.
    expect(alone.locator("[data-view]")).to_have_count(0)
    reader.press("v")
    expect(alone.locator("yanli-app .notice")).to_contain_text("yanli serve")
    # The plan is still there.
    assert len(reader.figures()) > 3


def test_a_wish_that_the_file_cannot_meet_is_told(alone: Page, stage_file: Path) -> None:
    reader = Reader(alone).open(("set", "大夫=0"), address=stage_file.as_uri())
    expect(alone.locator(".messages p").first).to_be_visible()
    assert len(reader.figures()) > 3


def test_a_file_of_two_schools_compares_them_without_network(alone: Page, tmp_path: Path) -> None:
    path = tmp_path / "two.html"
    yanli("stage", "鄉射禮", "--school", "鄭玄", "--against", "敖繼公", "-o", str(path))
    # It opens with what it was made for, though nobody named it.
    reader = Reader(alone).open(("t", "60"), address=path.as_uri())
    expect(alone.locator("yanli-plan")).to_have_count(2)
    assert not alone.locator(".messages p").count()
    assert "against.school" in reader.hash()
    reader.open(("school", "鄭玄"), ("against.school", "敖繼公"), ("tab", "differences"), address=path.as_uri())
    expect(alone.locator("yanli-plan")).to_have_count(2)
    assert alone.locator("yanli-differences .clauses > li").count() > 100
    assert reader.figures("other")
