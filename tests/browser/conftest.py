"""What the browser tests share: the browser, a server as a user starts it, the single file, and pages under watch."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright
from tests.browser.driving import (
    PATIENCE,
    MissingError,
    NewPage,
    Watch,
    find_browser,
    lack,
    open_browser,
    serving,
    yanli,
)
from tests.browser.reading import Reader

HERE = Path(__file__).parent
RITE = "鄉射禮"
expect.set_options(timeout=PATIENCE)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests of this folder are of one kind and share one process: a second server and browser cost too much."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.xdist_group("browser"))


# The driver and the browser live no longer than one file of tests: while the driver runs, nothing else in this process
# could use asyncio.
@pytest.fixture(scope="module")
def driver() -> Iterator[Playwright]:
    """Playwright, started; skips when there is no browser to drive."""
    try:
        find_browser()
    except MissingError as what:
        lack(what)
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="module")
def browser(driver: Playwright) -> Iterator[Browser]:
    """A fresh browser with an empty profile."""
    opened = open_browser(driver)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a server that runs as ``yanli serve`` starts it."""
    with serving("--no-notes") as address:
        yield address


@pytest.fixture(scope="session")
def stage_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rite as one file, as ``yanli stage`` writes it."""
    path = tmp_path_factory.mktemp("stage") / "stage.html"
    yanli("stage", RITE, "--no-notes", "-o", str(path))
    return path


@pytest.fixture(scope="session")
def corpus(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of the sources and witnesses."""
    works = [*sorted(shared.glob("sources/*.txt")), *sorted(shared.glob("witnesses/*.txt"))]
    if len(works) < 10:
        pytest.skip(f"needs the sources and witnesses of {shared}, which are not here")
    path = tmp_path_factory.mktemp("corpus") / "c.sqlite"
    yanli("corpus", "add", "--db", str(path), *map(str, works))
    return path


@pytest.fixture(scope="session")
def noted_file(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rite as one file, with its notes."""
    path = tmp_path_factory.mktemp("stage") / "noted.html"
    yanli("stage", RITE, "--db", str(corpus), "-o", str(path))
    return path


@pytest.fixture
def watches() -> dict[int, Watch]:
    """The watch over each open page."""
    return {}


@pytest.fixture
def new_page(browser: Browser, server: str, watches: dict[int, Watch]) -> Iterator[NewPage]:
    """Opens pages, each with a profile of its own; at the end no page may have done anything wrong."""
    with ExitStack() as opened:

        def open_one(home: str | None = None, **options: Any) -> Page:  # noqa: ANN401 - as above
            options.setdefault("viewport", {"width": 1440, "height": 900})
            options.setdefault("locale", "zh-TW")
            context = browser.new_context(base_url=server, **options)
            opened.callback(context.close)
            context.set_default_timeout(PATIENCE)
            watch = Watch(home if home is not None else server)
            watch.over(context)
            page = context.new_page()
            watches[id(page)] = watch
            return page

        yield open_one
    faults = [fault for watch in watches.values() for fault in watch.faults()]
    assert not faults, "\n".join(faults)


@pytest.fixture
def page(new_page: NewPage) -> Page:
    """A page at desktop size, not yet gone anywhere."""
    return new_page()


@pytest.fixture
def watch(page: Page, watches: dict[int, Watch]) -> Watch:
    """The watch over ``page``."""
    return watches[id(page)]


@pytest.fixture
def reader(page: Page) -> Reader:
    """Somebody in front of ``page``."""
    return Reader(page)


@cache
def _performed(*words: str) -> tuple[dict[str, Any], ...]:
    run = yanli("perform", RITE, "--format", "jsonl", *words)
    return tuple(json.loads(line) for line in run.stdout.splitlines())


@pytest.fixture(scope="session")
def performed() -> Callable[..., tuple[dict[str, Any], ...]]:
    """Gives the events of ``yanli perform --format jsonl`` with further options; each performance is played once."""
    return _performed
