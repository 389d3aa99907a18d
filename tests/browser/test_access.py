"""axe-core finds nothing serious, whatever is open and however the page looks; it needs the tools of ``make web``."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.driving import MissingError, NewPage, lack, root
from tests.browser.reading import Pair, Reader

START: Pair = ("t", "9100")
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
# All rules for WCAG 2.2 at levels A and AA, and those of good practice.
RUN = """async () => {
  const {violations, passes} = await axe.run(document, {
    resultTypes: ['violations'],
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  });
  return {
    passes: passes.length,
    faults: violations.filter(({impact}) => impact === 'serious' || impact === 'critical').map(({id, help, nodes}) =>
      `${id}: ${help}: ${nodes.slice(0, 4).map(({target, failureSummary}) =>
        `${target.flat().join(' ')} (${failureSummary.split('\\n').slice(1, 2).join('').trim()})`).join('; ')}`),
  };
}"""


@pytest.fixture(scope="session")
def axe() -> str:
    """The code of axe-core."""
    path = root() / "node_modules" / "axe-core" / "axe.min.js"
    if not path.exists():
        lack(MissingError(f"{path.relative_to(root())} is not there; run: make web"))
    return path.read_text(encoding="utf-8")


Check = Callable[[Page], None]


@pytest.fixture
def check(axe: str) -> Check:
    """Lets axe look at a page as it is."""

    def run(page: Page) -> None:
        page.evaluate(axe)
        found: dict[str, Any] = page.evaluate(RUN)
        # It has looked, and at a good many things.
        assert found["passes"] > 15
        assert not found["faults"], "\n".join(found["faults"])

    return run


@pytest.fixture
def open_one(new_page: NewPage) -> Callable[..., Reader]:
    """Opens the page where a tool may be brought in; only here is its policy set aside."""

    def open_it(*pairs: Pair, **options: Any) -> Reader:  # noqa: ANN401 - the options of a context
        return Reader(new_page(bypass_csp=True, reduced_motion="reduce", **options)).open(START, *pairs)

    return open_it


@pytest.mark.parametrize(
    ("pairs", "options"),
    [
        ((), {}),
        ((), {"color_scheme": "dark"}),
        ((), PHONE),
        ((("writing", "vertical"),), {}),
        ((("script", "en"), ("theme", "dark")), PHONE),
        ((("follow", "主人"), ("tab", "people"), ("theme", "dark")), {}),
        ((("tab", "differences"),), {}),
        ((("school", "鄭玄"), ("against.school", "敖繼公"), ("tab", "differences")), {}),
    ],
    ids=["light", "dark", "phone", "vertical", "phone-dark-english", "person-dark", "disputes", "compared"],
)
def test_nothing_serious_is_wrong(
    open_one: Callable[..., Reader], check: Check, pairs: tuple[Pair, ...], options: dict[str, Any]
) -> None:
    check(open_one(*pairs, **options).page)


@pytest.mark.parametrize(
    ("command", "theme"),
    [("choose", "light"), ("choose", "dark"), ("compare", "light"), ("look", "dark"), ("help", "light")],
)
def test_nothing_serious_is_wrong_with_a_dialog_open(
    open_one: Callable[..., Reader], check: Check, command: str, theme: str
) -> None:
    reader = open_one(("theme", theme))
    reader.page.locator(f"nav [data-command={command}]").click()
    expect(reader.page.locator("dialog[open]")).to_have_count(1)
    if command == "choose":
        reader.page.locator("yanli-chooser summary").click()
    check(reader.page)


@pytest.mark.parametrize(
    ("pairs", "options"),
    [((), {}), ((("theme", "dark"), ("script", "en")), PHONE), ((("writing", "vertical"),), {})],
    ids=["light", "phone-dark-english", "vertical"],
)
def test_nothing_serious_is_wrong_with_notes(
    new_page: NewPage, noted_file: Path, check: Check, pairs: tuple[Pair, ...], options: dict[str, Any]
) -> None:
    page = new_page("file://", bypass_csp=True, reduced_motion="reduce", **options)
    Reader(page).open(START, ("notes", "on"), *pairs, address=noted_file.as_uri())
    expect(page.locator(".note").first).to_be_visible()
    for each in page.locator(".notes summary").all():
        each.click()
    check(page)


def test_nothing_serious_is_wrong_while_results_are_listed(open_one: Callable[..., Reader], check: Check) -> None:
    reader = open_one()
    reader.page.get_by_role("combobox", name="尋").fill("取爵")
    expect(reader.page.locator("#search-results [role=option]").first).to_be_visible()
    check(reader.page)


def test_a_serious_fault_would_be_found(open_one: Callable[..., Reader], axe: str) -> None:
    reader = open_one()
    reader.page.evaluate("() => document.querySelector('main').append(document.createElement('button'))")
    reader.page.evaluate(axe)
    assert any("button-name" in fault for fault in reader.page.evaluate(RUN)["faults"])
