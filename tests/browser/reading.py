"""What a reader does with the page and sees of it, in the words of the tests."""

from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, expect
from tests.browser.driving import PATIENCE

Pair = tuple[str, str]

# The page is there when a performance is there, nothing is being fetched, and somebody stands on the plan.
# (A condition that gives a promise would always be taken to hold.)
READY = """() => {
  const app = document.querySelector('yanli-app');
  if (!app?.session?.one || app.session.busy || !app.hasUpdated || app.isUpdatePending) return false;
  const plans = [...app.querySelectorAll('yanli-plan')];
  if (!plans.length) return app.querySelector('yanli-depth') !== null;
  return plans.every((plan) => plan.pane && plan.shadowRoot.querySelector('g.actor'));
}"""
# Resolves when nothing moves any more and every name stands.
RESTED = """async () => {
  await document.fonts.ready;
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  await Promise.all([...document.querySelectorAll('yanli-plan')].map((plan) => plan.rest()));
}"""
WORDS = "(clause) => [...clause.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data).join('')"
ROWS = "(rows) => rows.map((row) => ({...row.dataset}))"
# Where a figure is drawn, and where it is told to be, which is elsewhere only if two would stand on one another.
FIGURES = r"""(side) => {
  const plan = document.querySelector(`yanli-plan[data-side=${side}]`).shadowRoot;
  const found = {};
  for (const figure of plan.querySelectorAll('.main g.actor[data-name]')) {
    if (figure.getAttribute('display') === 'none') continue;
    const [, left, down] = /translate\(([-.\d]+) ([-.\d]+)\)/.exec(figure.getAttribute('transform')) ?? [];
    const turned = figure.querySelector('g[transform^=rotate]')?.getAttribute('transform') ?? '';
    const {name, x, y, facing, posture, place, hands, belt} = figure.dataset;
    found[name] = {
      drawn: [Number(left), -Number(down)], turned: Number(/rotate\(([-.\d]+)/.exec(turned)?.[1]),
      xy: [Number(x), Number(y)], facing, posture, place, hands, belt,
    };
  }
  return found;
}"""


def link(*pairs: Pair) -> str:
    """The end of an address with a state: ``("t", "60")``, ``("set", "大夫=0")``."""
    return f"#{urlencode(list(pairs))}" if pairs else ""


def options(*pairs: Pair) -> tuple[str, ...]:
    """The same choice as options of the command."""
    return tuple(word for key, value in pairs for word in (f"--{key}", value))


class Reader:
    """Somebody in front of the page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    # ── coming ──

    def open(self, *pairs: Pair, address: str = "/") -> "Reader":
        """Open the page with a state and wait until it can be used."""
        # A new hash alone would not load the page anew.
        if self.page.url != "about:blank":
            self.page.goto("about:blank")
        self.page.goto(address + link(*pairs))
        return self.ready()

    def ready(self) -> "Reader":
        """Wait until a performance is shown and nothing is being fetched."""
        self.until(READY)
        self.settle()
        return self

    def settle(self) -> None:
        """Let the page draw what it has been told, until nothing moves."""
        self.page.evaluate(RESTED)

    def until(self, condition: str, argument: object = None, patience: int = PATIENCE) -> None:
        """Wait until a JavaScript condition holds."""
        self.page.wait_for_function(condition, arg=argument, timeout=patience)

    # ── seeing ──

    @property
    def time(self) -> float:
        """The moment on the scrubber, in seconds."""
        return float(self.scrubber.input_value())

    @property
    def scrubber(self) -> Locator:
        """The bar along which the rite is scrubbed."""
        return self.page.locator("yanli-controls input[type=range]")

    @property
    def clause(self) -> Locator:
        """The clause that is lit."""
        return self.page.locator("yanli-text .clause[aria-current=true]")

    @property
    def words(self) -> str:
        """The words that are lit."""
        return str(self.clause.evaluate(WORDS))

    def current(self) -> list[dict[str, str]]:
        """The data of the acts that are lit under the text."""
        return self.rows("yanli-text .act[aria-current=true]")

    def rows(self, selector: str) -> list[dict[str, str]]:
        """The data of the rows that a selector finds, in order."""
        found: list[dict[str, str]] = self.page.locator(selector).evaluate_all(ROWS)
        return found

    def figures(self, side: str = "one") -> dict[str, dict[str, Any]]:
        """Who is to be seen on the plan, by name: where he is drawn and stands (尺), how he faces, what he holds."""
        found: dict[str, dict[str, Any]] = self.page.evaluate(FIGURES, side)
        return found

    def hash(self) -> str:
        """The state in the address, once it has been written there."""
        self.until("() => !document.querySelector('yanli-app').wait.write")
        return self.page.url.partition("#")[2]

    def sees(self, what: Locator) -> Locator:
        """Expect something to be in sight."""
        expect(what).to_be_visible(timeout=PATIENCE)
        return what

    # ── doing ──

    def press(self, *keys: str) -> None:
        """Press keys, one after another."""
        for key in keys:
            self.page.keyboard.press(key)

    def button(self, name: str) -> Locator:
        """A button by its name."""
        return self.page.get_by_role("button", name=name, exact=True)

    def step(self, kind: str, direction: int) -> None:
        """Press one of the buttons that step."""
        self.page.locator(f"button.step[data-step={kind}][data-direction='{direction}']").click()

    def search(self, words: str) -> None:
        """Look words up and go to the first place where they stand."""
        box = self.page.get_by_role("combobox", name="尋")
        box.fill(words)
        found = self.page.locator("#search-results [role=option]", has=self.page.locator(".context"))
        found.filter(has_text=words).first.click()
        self.settle()
