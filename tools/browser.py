"""Find a Chromium for the tests of the page, or get one, and print its path.

The one that ``YANLI_BROWSER`` names is taken, else one of the path; else Debian's or Ubuntu's package is installed
(as root alone), else Playwright is asked for its own. Where there is none at the end, nothing is printed but, to
stderr, what is missing: the tests then skip the page, or fail where ``CI=true``.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

# The first has no window to draw, and opens a page several times as fast.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
APPLICATIONS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
HOW = (
    "No Chromium was found, and none could be installed (above: why not): the tests of the page are skipped.\n"
    "Install one (Debian, Ubuntu: sudo apt install chromium), or name one: YANLI_BROWSER=/path/to/chromium make test"
)


def starts(path: str) -> bool:
    """Whether a browser answers at all: Ubuntu's chromium-browser may be a note that there is none."""
    try:
        run = subprocess.run([path, "--version"], capture_output=True, check=False, timeout=60)  # noqa: S603  # as found
    except (OSError, subprocess.TimeoutExpired):
        return False
    return run.returncode == 0


def found() -> str | None:
    """The browser of this machine, if it has one."""
    for name in (*NAMES, *APPLICATIONS):
        path = shutil.which(name)
        if path and starts(path):
            return path
    return None


def said(*command: str) -> bool:
    """Run a command whose words belong to stderr, since the path alone goes to stdout; whether it went well."""
    try:
        return subprocess.run(command, stdout=sys.stderr, check=False, stdin=subprocess.DEVNULL).returncode == 0  # noqa: S603
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr)
        return False


def from_debian() -> str | None:
    """Install Debian's package, where that may be done without asking."""
    if not shutil.which("apt-get") or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return None
    print("installing chromium for the tests of the page", file=sys.stderr)
    os.environ["DEBIAN_FRONTEND"] = "noninteractive"
    install = ("apt-get", "install", "-y", "-q", "--no-install-recommends")
    # Debian has both, Ubuntu the second alone.
    names = ("chromium-headless-shell", "chromium")
    if any(said(*install, name) for name in names):
        return found()
    if said("apt-get", "update", "-q") and any(said(*install, name) for name in names):
        return found()
    return None


def from_playwright() -> str | None:
    """Let Playwright fetch its own Chromium; None when it cannot."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    if not Path(path).exists():
        print("asking Playwright for a Chromium for the tests of the page", file=sys.stderr)
        said(sys.executable, "-m", "playwright", "install", "chromium")
    return path if Path(path).exists() and starts(path) else None


def main() -> int:
    """Print the path of a browser; 0 always, for the tests themselves tell what they lack."""
    named = os.environ.get("YANLI_BROWSER")
    if named:
        if not starts(named):
            print(f"YANLI_BROWSER names {named}, which does not start", file=sys.stderr)
        print(named)
        return 0
    path = found() or from_debian() or from_playwright()
    print(path or "")
    if not path:
        print(HOW, file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
