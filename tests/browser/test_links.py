"""A link carries the whole state of the page; a bad one is told plainly and harms nothing."""

from typing import Any
from urllib.parse import parse_qs, parse_qsl, quote

import pytest
from playwright.sync_api import Page, expect
from tests.browser.driving import NewPage, Watch
from tests.browser.reading import Pair, Reader

WHOLE: tuple[Pair, ...] = (
    ("set", "大夫=0"),
    ("set", "所=庠"),
    ("school", "鄭玄"),
    ("against.school", "敖繼公"),
    ("against.set", "大夫=0"),
    ("t", "2750.5"),
    ("speed", "8"),
    ("follow", "主人"),
    ("camera", "4,-8,7.5"),
    ("tab", "people"),
    ("script", "hans"),
    ("ruby", "pinyin"),
    ("writing", "vertical"),
    ("theme", "dark"),
    ("search", "拜"),
)
SEEN = """() => {
  const app = document.querySelector('yanli-app');
  const {link, one, other, player} = app.session;
  const {time, ...rest} = link;
  return {
    link: rest, moment: app.session.times(), speed: player.speed, theme: document.documentElement.dataset.theme,
    lang: document.documentElement.lang, one: one.doc.settings, other: other?.doc.settings ?? null,
    plans: [...document.querySelectorAll('yanli-plan')].map((plan) => [plan.time, plan.camera, plan.follow]),
    search: document.querySelector('yanli-search input').value,
    shown: [...document.querySelectorAll('[role=tabpanel]')].map((panel) => panel.hidden),
  };
}"""


def seen(reader: Reader) -> dict[str, Any]:
    """All that a link should bring back."""
    found: dict[str, Any] = reader.page.evaluate(SEEN)
    return found


def test_what_stands_in_a_link_is_what_is_seen(reader: Reader) -> None:
    reader.open(*WHOLE)
    expect(reader.page.locator("yanli-plan")).to_have_count(2)
    expect(reader.page.locator("yanli-people .card")).to_be_visible()
    assert reader.page.locator("html").get_attribute("lang") == "zh-Hans"
    assert reader.page.locator("html").get_attribute("data-theme") == "dark"
    expect(reader.page.get_by_role("combobox", name="寻")).to_have_value("拜")
    state = seen(reader)
    assert state["one"]["values"]["大夫"] == 0
    assert state["one"]["values"]["所"] == "庠"
    assert state["one"]["school"] == "鄭玄"
    assert state["other"]["school"] == "敖繼公"
    assert state["moment"][0] == pytest.approx(2750.5)
    assert state["speed"] == 8
    assert set(parse_qsl(reader.hash())) >= set(WHOLE)


@pytest.mark.parametrize("pairs", [(), WHOLE], ids=["default", "everything"])
def test_a_copied_link_opens_the_same_state_elsewhere(new_page: NewPage, pairs: tuple[Pair, ...]) -> None:
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    reader = Reader(page).open(*pairs)
    page.locator("button[data-command=link]").click()
    copied = page.evaluate("() => navigator.clipboard.readText()")
    other = Reader(new_page())
    other.page.goto(copied)
    other.ready()
    assert seen(other) == seen(reader)


def test_a_state_that_came_about_by_hand_is_in_the_link(new_page: NewPage) -> None:
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    reader = Reader(page).open()
    reader.search("賓以虛爵降")
    page.locator("yanli-plan .main g.actor[data-name='賓']").click()
    expect(page.locator("yanli-people .card")).to_be_visible()
    page.locator("yanli-plan [data-does=nearer]").click()
    page.get_by_role("combobox", name="速").select_option("4")
    page.locator("button[data-command=look]").click()
    page.get_by_label("简体").check()
    page.get_by_label("暗", exact=True).check()
    page.keyboard.press("Escape")
    page.locator("button[data-command=link]").click()
    copied = page.evaluate("() => navigator.clipboard.readText()")
    carried = parse_qs(copied.partition("#")[2])
    assert carried["follow"] == ["賓"]
    assert carried["script"] == ["hans"]
    assert carried["theme"] == ["dark"]
    assert carried["speed"] == ["4"]
    assert "camera" in carried
    other = Reader(new_page())
    other.page.goto(copied)
    other.ready()
    assert seen(other) == seen(reader)
    # The words that were in force are in force again.
    reader.page.locator("#tab-text").click()
    other.page.locator("#tab-text").click()
    assert other.words == reader.words == "宾以虚爵降"


def test_one_goes_back_to_where_one_was(reader: Reader) -> None:
    reader.open()
    reader.search("主人卒洗")
    reader.search("賓以虛爵降")
    assert reader.words == "賓以虛爵降"
    reader.page.go_back()
    expect(reader.clause).to_have_text("主人卒洗")


@pytest.mark.parametrize(
    ("pair", "told"),
    [
        (("t", "abc"), "t=abc"),
        (("t", "-5"), "t=-5"),
        (("t", "1e12"), "1000000000000"),
        (("speed", "3"), "speed=3"),
        (("follow", "孔子"), "孔子"),
        (("follow", "主"), "主人"),
        (("eye", "爵.1"), "爵.1"),
        (("camera", "1,2"), "camera=1,2"),
        (("camera", "NaN,Infinity,-1"), "camera"),
        (("theme", "blue"), "theme=blue"),
        (("writing", "spiral"), "writing=spiral"),
        (("tune", "1"), "tune=1"),
        (("__proto__", "1"), "__proto__"),
        (("set", "大夫"), "set=大夫"),
        (("set", "大夫=99999999999999999999"), "大夫"),
        (("set", "眾耦=100000"), "眾耦"),
        (("set", "大夫=半"), "大夫"),
        (("set", "大夫們=1"), "大夫"),
        (("set", "__proto__=1"), "__proto__"),
        (("school", "孔子"), "孔子"),
        (("reading", "戒服=孔子"), "孔子"),
        (("reading", "無此疑=鄭玄"), "無此疑"),
        (("rite", "燕禮"), "燕禮"),
        (("rite", "../../etc/passwd"), "passwd"),
        (("rite", "<img src=x onerror=alert(1)>"), "<img"),
        (("against.school", "孔子"), "孔子"),
        (("against.set", "眾耦=100000"), "眾耦"),
        (("search", "字" * 3000), "search"),
    ],
    ids=lambda value: quote("=".join(value))[:40] if isinstance(value, tuple) else "",
)
def test_a_bad_link_is_told_and_the_rite_is_shown(reader: Reader, watch: Watch, pair: Pair, told: str) -> None:
    # What the server refuses, the browser notes in its console.
    watch.allow(r"status of 4\d\d")
    reader.open(pair)
    message = reader.page.locator(".messages p").first
    expect(message).to_be_visible()
    assert told in message.inner_text()
    assert len(reader.figures()) > 3
    # It can be put away.
    message.get_by_role("button").click()
    assert not [text for text in watch.errors if text.startswith("exception")]


def test_a_hash_that_is_no_link_at_all_does_no_harm(page: Page, reader: Reader, watch: Watch) -> None:
    watch.allow(r"status of 4\d\d")
    for hash_ in ("%E0%A4%A", "&&&===", "?", "t", "=", "%00", "t=1&t=2&t=x", "set=" + "x=" * 500):
        page.goto("about:blank")
        page.goto("/#" + hash_)
        reader.ready()
        assert len(reader.figures()) > 3


def test_a_link_that_is_typed_into_an_open_page_is_followed(reader: Reader) -> None:
    reader.open()
    reader.page.evaluate("() => { location.hash = 't=1500&script=en'; }")
    reader.until("() => document.documentElement.lang === 'en'")
    assert reader.time == pytest.approx(1500)
