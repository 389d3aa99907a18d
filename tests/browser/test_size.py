"""What a reader's browser is given: little code, and all of it the page's own or its libraries'."""

import json
from hashlib import sha256

from playwright.sync_api import Page
from tests.browser.driving import MissingError, lack, root
from tests.browser.reading import Reader

# Of the page's own modules and style sheet, before compression, without three.js and the view that needs it. The
# address itself answers with some lines of HTML and the list of what lies where.
MOST = 200_000
RECEIVED = """() => [...performance.getEntriesByType('resource'), ...performance.getEntriesByType('navigation')]
  .map(({name, decodedBodySize}) => [new URL(name).pathname, decodedBodySize])"""


def received(page: Page) -> dict[str, int]:
    """What was fetched: path and bytes."""
    return {path: size for path, size in page.evaluate(RECEIVED) if not path.startswith("/api/")}


def stale() -> list[str]:
    """Modules that were written after they were made short."""
    web = root() / "src" / "yanli" / "web"
    made = json.loads((web / "lean" / "lean.json").read_text(encoding="utf-8"))
    return [name for name, mark in made.items() if sha256((web / name).read_bytes()).hexdigest() != mark]


def test_the_pages_own_code_is_small(reader: Reader) -> None:
    if changed := stale():
        lack(MissingError(f"{' '.join(changed)} changed since the page was built; run: make web"))
    reader.open()
    code = {
        path: size
        for path, size in received(reader.page).items()
        if path.startswith("/web/") and not path.startswith(("/web/vendor/", "/web/fonts/"))
    }
    assert {"/web/app.js", "/web/style.css"} < set(code)
    assert len(code) > 20
    assert all(code.values())
    assert sum(code.values()) < MOST, sorted(code.items(), key=lambda item: item[1])


def test_three_is_not_fetched_before_depth_is_asked_for(reader: Reader) -> None:
    reader.open()
    assert not [path for path in received(reader.page) if "three" in path or "depth" in path]


def test_the_answers_are_sent_compressed(reader: Reader) -> None:
    with reader.page.expect_response(lambda response: "/api/stage" in response.url) as waited:
        reader.open()
    assert waited.value.headers["content-encoding"] == "gzip"


def test_what_is_shipped_has_its_licence() -> None:
    web = root() / "src" / "yanli" / "web"
    assert (web / "fonts" / "OFL.txt").exists()
    for library in ("lit", "three"):
        assert list((web / "vendor" / library).glob("LICENSE*")), library
