"""How smoothly the page plays when a crowd is on its way, and how soon it shows the rite, in a real browser.

Run ``make bench``. Nothing here is a test: figures depend on the machine, and a browser without a graphics card draws
with the processor that it plays with. Of a crowd two things are told: the time from frame to frame, and how long the
page itself works for one (its clock's turn and all that this sets off, not what the browser then lays out and paints).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, sync_playwright
from tests.browser.driving import PATIENCE, MissingError, find_browser, open_browser, serving
from tests.browser.reading import READY, Pair, Reader

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.bench_rite import Benchmark

# With seventy guests more than sixty people walk at once when all of them are led to the hall.
CROWD: tuple[Pair, ...] = (("set", "眾賓=70"),)
FEWEST = 60
SECONDS = 6
# The longest while in which the most people walk at once.
DENSEST = """() => {
  const {events} = document.querySelector('yanli-app').session.one;
  const turns = events.filter((row) => row.path).flatMap((row) => [[row.start, 1], [row.end, -1]]);
  turns.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  let now = 0;
  const spans = turns.map(([time, by], at) => ({time, walking: (now += by), until: turns[at + 1]?.[0] ?? time}));
  return spans.reduce((best, one) =>
    (Math.min(one.walking, 60) - Math.min(best.walking, 60) || (one.until - one.time) - (best.until - best.time)) > 0
      ? one : best);
}"""
# Plays for some seconds, and begins again when the walk is over.
PLAY = """async ([from, until, speed, seconds]) => {
  const app = document.querySelector('yanli-app');
  const {player} = app.session;
  const frames = [];
  const works = [];
  let most = 0;
  const tick = player.tick;
  player.tick = (now) => {
    const begun = performance.now();
    tick(now);
    works.push(performance.now() - begun);
  };
  app.go(from);
  player.setSpeed(speed);
  player.play();
  const end = performance.now() + seconds * 1000;
  let last = 0;
  for (let now = 0; now < end;) {
    now = await new Promise(requestAnimationFrame);
    if (last) frames.push(now - last);
    last = now;
    const {frame} = document.querySelector('yanli-plan');
    most = Math.max(most, (frame?.poses ?? []).filter((pose) => pose.walking).length);
    if (player.time > until) app.go(from);
  }
  player.pause();
  return {frames: frames.slice(10), works: works.slice(10), most};
}"""
# The first frame in which somebody stands on the plan, from the moment at which the page was asked for.
FIRST = """() => new Promise((done) => {
  const look = () => {
    const there = document.querySelector('yanli-plan')?.shadowRoot?.querySelector('.main g.actor:not([display])');
    if (there) requestAnimationFrame(() => done(performance.now()));
    else requestAnimationFrame(look);
  };
  look();
})"""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A server that has already played what is asked for."""
    with serving() as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A fresh browser; skips when there is none."""
    try:
        find_browser()
    except MissingError as what:
        pytest.skip(str(what))
    with sync_playwright() as driver:
        opened = open_browser(driver)
        yield opened
        opened.close()


def share(values: list[float], part: float) -> float:
    """The value below which a part of all lie."""
    return sorted(values)[min(int(part * len(values)), len(values) - 1)]


def reader_of(browser: Browser, server: str, *pairs: Pair, **options: Any) -> Reader:  # noqa: ANN401 - of a context
    """A page with a state, ready."""
    context = browser.new_context(base_url=server, locale="zh-TW", **options)
    context.set_default_timeout(2 * PATIENCE)
    return Reader(context.new_page()).open(*pairs)


@pytest.mark.benchmark(group="stage")
@pytest.mark.parametrize("size", [(1440, 900), (360, 740)], ids=["desktop", "phone"])
def bench_sixty_walk(benchmark: Benchmark, browser: Browser, server: str, size: tuple[int, int]) -> None:
    """Sixty people and more are on their way at once, at true speed."""
    reader = reader_of(browser, server, *CROWD, viewport={"width": size[0], "height": size[1]})
    span = reader.page.evaluate(DENSEST)
    assert span["walking"] >= FEWEST
    told: dict[str, Any] = {}

    def once() -> None:
        # At true speed, from a little after they all set out.
        told.update(reader.page.evaluate(PLAY, [span["time"] + 1, span["until"] - 1, 1, SECONDS]))

    benchmark.pedantic(once, rounds=1)
    assert told["most"] >= FEWEST
    report = {
        "walking": told["most"],
        "frames": len(told["frames"]),
        "frame_median_ms": round(share(told["frames"], 0.5), 1),
        "frame_95th_ms": round(share(told["frames"], 0.95), 1),
        "own_work_median_ms": round(share(told["works"], 0.5), 1),
        "own_work_95th_ms": round(share(told["works"], 0.95), 1),
    }
    benchmark.extra_info.update(report)
    print("\n" + "\n".join(f"{key}: {value}" for key, value in report.items()))  # noqa: T201 - what it is for
    reader.page.context.close()


@pytest.mark.benchmark(group="stage")
def bench_first_view(benchmark: Benchmark, browser: Browser, server: str) -> None:
    """From the address to the people on the plan, in a browser that has never seen the page, from a server that has."""
    reader_of(browser, server).page.context.close()
    found: list[float] = []

    def once() -> None:
        context = browser.new_context(base_url=server, locale="zh-TW", viewport={"width": 1440, "height": 900})
        context.set_default_timeout(2 * PATIENCE)
        page = context.new_page()
        page.goto("/", wait_until="commit")
        found.append(page.evaluate(FIRST))
        page.wait_for_function(READY)
        context.close()

    benchmark.pedantic(once, rounds=7)
    report = {"first_view_median_ms": round(share(found, 0.5)), "first_view_slowest_ms": round(max(found))}
    benchmark.extra_info.update(report)
    print("\n" + "\n".join(f"{key}: {value}" for key, value in report.items()))  # noqa: T201 - what it is for
