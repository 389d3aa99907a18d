"""On a phone and on a wall, by day and by night, at rest and on paper."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.driving import NewPage
from tests.browser.reading import Reader

START = ("t", "1275.02")
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
# What is pressed, with its name and how large it is; words in a line of text are as large as their line.
TARGETS = """() => {
  const found = [];
  const look = (root) => {
    for (const one of root.querySelectorAll('*')) {
      if (one.shadowRoot) look(one.shadowRoot);
      if (!one.matches('button, select, input, summary, [role=tab], [role=option]')) continue;
      if (one.closest('.act, .unseen, svg, .skip') || !one.checkVisibility()) continue;
      const whole = one.matches('input[type=radio]') ? one.closest('label') : one;
      const {width, height, top} = whole.getBoundingClientRect();
      if (top >= innerHeight || !width) continue;
      found.push({name: one.getAttribute('aria-label') || one.textContent.trim().slice(0, 20), width, height});
    }
  };
  look(document);
  return found;
}"""
SIDEWAYS = """() => [document.scrollingElement, document.body, document.querySelector('yanli-app main')]
  .map((e) => e.scrollWidth - e.clientWidth)"""
CAMERA = """() => document.querySelector('yanli-plan').shadowRoot
  .querySelector('svg.map > g').getAttribute('transform')"""
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
COLOURS = r"""() => {
  const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const light = (colour) => {
    const pen = new OffscreenCanvas(1, 1).getContext('2d');
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...pen.getImageData(0, 0, 1, 1).data].map((v) => linear(v / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const style = getComputedStyle(document.querySelector('.canon'));
  const ground = getComputedStyle(document.body).backgroundColor;
  return [light(style.color), light(ground)];
}"""


@pytest.fixture
def phone(new_page: NewPage) -> Page:
    """A telephone held upright."""
    return new_page(**PHONE)


@pytest.mark.parametrize("tab", ["text", "people", "differences"])
def test_nothing_scrolls_sideways_on_a_phone(phone: Page, tab: str) -> None:
    reader = Reader(phone).open(START, ("tab", tab))
    assert phone.evaluate(SIDEWAYS) == [0, 0, 0]
    for command in ("choose", "look", "help"):
        phone.locator(f"button[data-command={command}]").tap()
        expect(phone.locator("dialog[open]")).to_have_count(1)
        assert phone.evaluate(SIDEWAYS) == [0, 0, 0], command
        box = phone.locator("dialog[open]").bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360.5
        reader.press("Escape")


def test_everything_is_large_enough_for_a_finger(phone: Page) -> None:
    Reader(phone).open(START)
    targets = phone.evaluate(TARGETS)
    assert len(targets) > 15
    small = [target for target in targets if target["height"] < 39.5 or target["width"] < 39.5]
    assert not small, small


def test_plan_text_and_controls_are_all_in_sight_on_a_phone(phone: Page) -> None:
    reader = Reader(phone).open(START)
    plan = phone.locator("yanli-plan").bounding_box()
    text = phone.locator("yanli-text .canon").bounding_box()
    play = reader.button("演").bounding_box()
    assert plan
    assert text
    assert play
    assert plan["width"] > 340
    assert plan["height"] > 200
    assert text["height"] > 100
    assert play["y"] + play["height"] <= 740
    expect(reader.clause).to_be_in_viewport()


def test_a_finger_plays_steps_and_follows(phone: Page) -> None:
    reader = Reader(phone).open(START)
    reader.button("次句").tap()
    assert reader.words == "賓降"
    phone.locator("yanli-plan .main g.actor[data-name='主人']").tap()
    expect(phone.locator("yanli-people .card")).to_be_visible()
    before = reader.time
    reader.button("演").tap()
    reader.until("(time) => document.querySelector('yanli-app').session.player.time > time + 1", before)
    reader.button("止").tap()


def test_nothing_is_lost_on_a_small_phone_held_broadside(new_page: NewPage) -> None:
    page = new_page(**{**PHONE, "viewport": {"width": 640, "height": 360}})
    reader = Reader(page).open(START)
    assert page.evaluate(SIDEWAYS) == [0, 0, 0]
    expect(reader.button("演")).to_be_in_viewport()
    assert len(reader.figures()) > 1


def test_a_wall_of_four_thousand_points_is_filled(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 3840, "height": 2160})
    reader = Reader(page).open(START)
    assert page.evaluate(SIDEWAYS) == [0, 0, 0]
    plan = page.locator("yanli-plan").bounding_box()
    assert plan
    assert plan["width"] > 1900
    assert plan["height"] > 1500
    # What is read from farther away is written larger.
    size = float(reader.clause.evaluate("(e) => parseFloat(getComputedStyle(e).fontSize)"))
    assert size >= 24
    name = page.locator("yanli-plan .main .name.person").first
    assert float(name.evaluate("(e) => parseFloat(getComputedStyle(e).fontSize)")) >= 18


@pytest.mark.parametrize(
    ("scheme", "theme", "dark"),
    [("light", "auto", False), ("dark", "auto", True), ("light", "dark", True), ("dark", "light", False)],
)
def test_day_and_night(new_page: NewPage, scheme: Any, theme: str, *, dark: bool) -> None:  # noqa: ANN401
    page = new_page(color_scheme=scheme)
    Reader(page).open(("theme", theme))
    ink, paper = page.evaluate(COLOURS)
    assert (paper < ink) is dark
    assert (max(ink, paper) + 0.05) / (min(ink, paper) + 0.05) > 7


def test_who_wants_no_motion_gets_none(new_page: NewPage) -> None:
    page = new_page(reduced_motion="reduce")
    reader = Reader(page).open(START)
    for section in range(4):
        reader.step("section", 1)
        page.evaluate(TWO_FRAMES)
        at_once = page.evaluate(CAMERA)
        reader.settle()
        # The camera is where it should be at once; nothing glides there.
        assert page.evaluate(CAMERA) == at_once, section
    running = page.evaluate("() => document.getAnimations().filter((one) => one.playState === 'running').length")
    assert running == 0


def test_the_camera_glides_for_all_others(reader: Reader) -> None:
    reader.open()
    moved = []
    for _ in range(8):
        reader.step("section", 1)
        reader.page.evaluate(TWO_FRAMES)
        at_once = reader.page.evaluate(CAMERA)
        reader.settle()
        moved.append(reader.page.evaluate(CAMERA) != at_once)
    assert any(moved)


def test_paper_gets_the_section_with_all_its_acts(reader: Reader) -> None:
    reader.open(START)
    pdf = reader.page.pdf(format="A4")
    pages = len(re.findall(rb"/Type\s*/Page\b", pdf))
    # The host's serving of the guest has more than a hundred acts.
    assert 2 <= pages < 40
    reader.page.emulate_media(media="print")
    reader.page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    printed = reader.page.locator("yanli-text section.printed .act")
    assert printed.count() > 100
    expect(printed.last).to_be_visible()
    for gone in ("yanli-controls", "yanli-search", "nav.tools"):
        expect(reader.page.locator(gone).first).not_to_be_visible()
    reader.page.emulate_media(media="screen")
    reader.page.evaluate("() => dispatchEvent(new Event('afterprint'))")
    expect(reader.page.locator("yanli-text section.printed")).to_have_count(0)
