"""A whole session with the keyboard alone, and where the keyboard is can always be seen."""

from typing import Any
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Page, expect
from tests.browser.reading import Reader

# What has the keyboard, however deep it lies.
FOCUSED = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  const style = getComputedStyle(at);
  const ring = at.querySelector?.(':scope > .focus, :scope > g > .focus, .focus');
  const box = at.getBoundingClientRect();
  return {
    tag: at.tagName.toLowerCase(),
    name: at.getAttribute('aria-label') || at.title || at.textContent.trim().slice(0, 30),
    outline: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0,
    shadow: style.boxShadow !== 'none', ring: ring ? getComputedStyle(ring).stroke !== 'none' : false,
    label: at.closest?.('label') ? getComputedStyle(at.closest('label')).outlineStyle !== 'none' : false,
    seen: box.width > 0 && box.right > 0 && box.left < innerWidth
      && box.height > 0 && box.bottom > 0 && box.top < innerHeight,
    body: at === document.body,
  };
}"""


@pytest.fixture
def keys(reader: Reader) -> Reader:
    """A reader whose mouse is away."""
    return reader.open()


def focused(page: Page) -> dict[str, Any]:
    """What has the keyboard."""
    found: dict[str, Any] = page.evaluate(FOCUSED)
    return found


def test_a_whole_session_without_a_mouse(keys: Reader) -> None:
    page = keys.page
    # Look words up.
    keys.press("/")
    page.keyboard.type("主人坐取爵于上篚以降")
    expect(page.locator("#search-results [role=option]").first).to_be_visible()
    keys.press("Enter")
    expect(keys.clause).to_have_text("主人坐取爵于上篚以降")
    # Go on word by word, and to one of the next clauses.
    keys.press("ArrowDown", "ArrowDown", "Enter")
    expect(keys.clause).to_have_text("主人阼階前西面坐奠爵興辭降")
    # Play, faster, and stop.
    before = keys.time
    keys.press("+", "+", "Space")
    keys.until("(time) => document.querySelector('yanli-app').session.player.time > time + 2", before)
    keys.press("Space")
    stood = keys.time
    keys.settle()
    assert keys.time == stood
    assert parse_qs(keys.hash())["speed"] == ["4"]
    # Choose other numbers.
    keys.press("c")
    expect(page.locator("yanli-chooser h2")).to_be_focused()
    for _ in range(40):
        keys.press("Tab")
        if page.evaluate("() => document.activeElement.id") == "choose-大夫":
            break
    keys.press("ControlOrMeta+a")
    page.keyboard.type("0")
    keys.press("Tab")
    keys.until("() => document.querySelector('yanli-app').session.one.doc.settings.values['大夫'] === 0")
    keys.press("Escape")
    expect(page.locator("yanli-chooser dialog")).not_to_be_visible()
    assert focused(page)["name"].startswith("擇")
    # Another panel, a person there, and the text again.
    keys.press("2")
    keys.press("Tab", "Tab", "Enter")
    expect(page.locator("yanli-people .card")).to_be_visible()
    keys.press("1")
    expect(keys.clause).to_be_focused()
    # The other view and back, the look, the help.
    keys.press("l")
    expect(page.locator("dialog#look")).to_be_visible()
    keys.press("Escape")
    keys.press("?")
    expect(page.locator("dialog#help")).to_be_visible()
    keys.press("Escape")
    expect(page.locator("dialog#help")).not_to_be_visible()


def test_wherever_the_keyboard_is_it_can_be_seen(keys: Reader) -> None:
    passed = []
    for _ in range(45):
        keys.press("Tab")
        at = focused(keys.page)
        if at["body"]:
            continue
        passed.append(at)
        assert at["outline"] or at["shadow"] or at["ring"] or at["label"], at
        assert at["seen"], at
    names = [at["name"] for at in passed]
    # All parts are reached: search, tools, plan, tabs, text, scrubber, play.
    assert len(set(names)) > 20
    assert any("演" in name for name in names)
    assert any(at["tag"] == "input" for at in passed)


def test_escape_closes_what_is_open_and_gives_the_keyboard_back(keys: Reader) -> None:
    for command in ("choose", "look", "help"):
        button = keys.page.locator(f"button[data-command={command}]")
        button.focus()
        keys.press("Enter")
        expect(keys.page.locator("dialog[open]")).to_have_count(1)
        keys.press("Escape")
        expect(keys.page.locator("dialog[open]")).to_have_count(0)
        expect(button).to_be_focused()


def test_the_help_lists_every_key(keys: Reader) -> None:
    keys.press("?")
    listed = keys.page.locator("dialog#help kbd").all_inner_texts()
    assert {"Space", "←", "→", "[", "]", "Home", "End", "/", "?", "Esc"} <= set(listed)
    told = keys.page.evaluate("async () => (await import('yanli/keys.js')).KEYS.flatMap(([, keys]) => keys)")
    assert listed == told


def test_figures_on_the_plan_are_reached_and_chosen_with_keys(keys: Reader) -> None:
    page = keys.page
    keys.search("主人坐取爵于上篚以降")
    for _ in range(60):
        keys.press("Tab")
        if focused(page)["tag"] == "g":
            break
    first = focused(page)
    assert first["tag"] == "g"
    assert "面" in first["name"]
    keys.press("ArrowLeft")
    second = focused(page)
    assert second["tag"] == "g"
    assert second["name"] != first["name"]
    keys.press("Enter")
    expect(page.locator("yanli-people .card")).to_be_visible()


def test_what_is_typed_is_not_taken_for_a_command(keys: Reader) -> None:
    keys.press("/")
    keys.page.keyboard.type("c l v ? 1 ]")
    expect(keys.page.locator("dialog[open]")).to_have_count(0)
    expect(keys.page.get_by_role("combobox", name="尋")).to_have_value("c l v ? 1 ]")
    assert keys.time == 0


def test_the_moment_is_said_to_those_who_do_not_see_it(keys: Reader) -> None:
    keys.search("主人坐取爵于上篚以降")
    live = keys.page.locator("#live")
    expect(live).to_contain_text("主人坐取爵于上篚以降")
    told = keys.page.locator("yanli-plan .account").inner_text()
    assert "賓" in told
    assert "面" in told
    figure = keys.page.locator("yanli-plan .main g.actor[data-name='主人']")
    assert "主人" in (figure.get_attribute("aria-label") or "")


def test_stepping_by_act_tells_who_does_what_and_where(keys: Reader) -> None:
    live = keys.page.locator("#live")
    # The second archer draws within the words of the first.
    keys.open(("t", "9280.5"), ("script", "en"))
    heard = []
    for _ in range(4):
        keys.press("ArrowRight")
        keys.settle()
        acts = keys.page.locator("yanli-text .act[aria-current=true]").first
        for part in (".who", ".what"):
            expect(live).to_contain_text(acts.locator(part).inner_text().strip())
        heard.append(live.inner_text())
    assert len(set(heard)) == 4
    # English has no word of the canon in it.
    assert not any("\u3400" <= sign <= "\u9fff" for said in heard for sign in said)
