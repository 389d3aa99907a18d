"""What drives the page: a browser of this machine, a server as a user starts it, a watch over all the page does."""

import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright, Request, WebError

CALL = "from yanli.cli import main; main()"
# Where Chromium stands on the systems on which this is developed.
CANDIDATES = (
    "/usr/bin/chromium-headless-shell",
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
HOW = "On Debian and Ubuntu: sudo apt install chromium. Or name one: YANLI_BROWSER=/path/to/chromium make test"
# A browser that talks to nobody of its own accord. WebGL is drawn by the processor where there is no graphics card.
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--enable-unsafe-swiftshader",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",
)
# Two slow cores may be shared with other tests: what is waited for comes, but not at once.
PATIENCE = 30_000


class MissingError(Exception):
    """Something that the tests need is not on this machine; the text says what, and how to get it."""


def lack(what: MissingError) -> None:
    """Skip with what is missing; where everything must be tested (CI), fail."""
    if os.environ.get("CI", "").lower() in {"1", "true", "yes"}:
        pytest.fail(str(what), pytrace=False)
    pytest.skip(str(what))


def find_browser() -> str:
    """The path of a Chromium; raises `MissingError` when none is found."""
    named = os.environ.get("YANLI_BROWSER")
    if named:
        if shutil.which(named):
            return named
        raise MissingError(f"no browser: YANLI_BROWSER names {named}, which cannot be run. {HOW}")
    for path in (*CANDIDATES, *(shutil.which(name) for name in NAMES)):
        if path and os.access(path, os.X_OK):
            return path
    raise MissingError(f"no browser: neither {', '.join(NAMES)} on the path nor {CANDIDATES[0]}. {HOW}")


def open_browser(driver: Playwright, *flags: str) -> Browser:
    """A fresh browser with an empty profile."""
    return driver.chromium.launch(executable_path=find_browser(), args=[*FLAGS, *flags])


def yanli(*words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Run the command as a user does."""
    run = subprocess.run([sys.executable, "-c", CALL, *words], capture_output=True, encoding="utf-8", check=False)
    if check and run.returncode:
        raise AssertionError(f"yanli {' '.join(words)} ended with {run.returncode}:\n{run.stderr}")
    return run


@contextmanager
def serving(*words: str) -> Iterator[str]:
    """Start ``yanli serve`` on a free port; gives the address that it prints, and ends it afterwards."""
    command = [sys.executable, "-u", "-c", CALL, "serve", "--port", "0", *words]
    lines: list[str] = []
    ready = threading.Event()
    address: list[str] = []
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, encoding="utf-8"
    ) as process:

        def listen() -> None:
            assert process.stdout is not None
            for line in process.stdout:
                lines.append(line)
                found = re.search(r"http://[\w.\[\]:]+:\d+", line)
                if found and not address:
                    address.append(found.group())
                    ready.set()
            ready.set()

        ear = threading.Thread(target=listen, daemon=True)
        ear.start()
        try:
            ready.wait(PATIENCE / 1000)
            if not address:
                raise AssertionError(f"yanli serve told no address: {''.join(lines)}")
            yield address[0]
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
            ear.join(10)


@dataclass
class Watch:
    """All that a page does which a reader would not forgive: errors, failed requests, talk with strangers."""

    home: str
    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    allowed: list[str] = field(default_factory=list)

    def over(self, context: BrowserContext) -> None:
        """Begin to watch every page of a context."""
        # The browser tells of a breach of the policy in the console too, but not in every case.
        context.add_init_script(
            "addEventListener('securitypolicyviolation', (e) =>"
            " console.error(`policy broken: ${e.violatedDirective} ${e.blockedURI} ${e.sourceFile}:${e.lineNumber}`))"
        )
        context.on("console", self._console)
        context.on("weberror", self._weberror)
        context.on("request", self._request)
        context.on("requestfailed", self._failed)

    def allow(self, pattern: str) -> None:
        """Errors with these words (a regular expression) are what the test provokes."""
        self.allowed.append(pattern)

    def faults(self) -> list[str]:
        """What the page did wrong, a line for each; what a test allowed is left out."""
        told = [text for text in self.errors if not any(re.search(pattern, text) for pattern in self.allowed)]
        return [*told, *(f"request to another origin: {url}" for url in self.strangers)]

    def _console(self, message: ConsoleMessage) -> None:
        place = message.location
        text = f"console {message.type}: {message.text} ({place.get('url', '')}:{place.get('lineNumber', '')})"
        if message.type in {"error", "assert"}:
            self.errors.append(text)
        elif message.type == "warning":
            self.warnings.append(text)

    def _weberror(self, error: WebError) -> None:
        self.errors.append(f"exception: {error.error}")

    def _request(self, request: Request) -> None:
        url = request.url
        parts = urlsplit(url)
        if parts.scheme in {"data", "blob"}:
            return
        self.requests.append(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        if origin != self.home:
            self.strangers.append(url)

    def _failed(self, request: Request) -> None:
        # A request that the page itself gave up, as for a scenario that is no longer wanted, is no fault.
        if request.failure != "net::ERR_ABORTED":
            self.errors.append(f"request failed: {request.url[:200]} {request.failure}")


class NewPage(Protocol):
    """Opens a page under watch."""

    def __call__(self, home: str | None = None, **options: Any) -> Page:  # noqa: ANN401 - the options of a context
        """``home`` is the only origin that may be asked (the server when None); the rest goes to the context."""
        ...


def root() -> Path:
    """The folder that holds pyproject.toml."""
    return Path(__file__).resolve().parents[2]
