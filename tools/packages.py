"""Install what ``package-lock.json`` pins into ``node_modules/``.

Node 20 or newer with its npm is used where the path has it; else Node is installed into this environment from its
wheel, as ``requirements/node.txt`` pins it. Where neither is to be had, it is said how to get one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HERE = Path(sys.executable).parent
WHEEL = ROOT / "requirements" / "node.txt"
OLDEST = 20
HOW = (
    f"The page of the stage is built with Node {OLDEST} or newer. Neither the path has one nor could its wheel be "
    "installed (above: why not).\nInstall Node (Debian, Ubuntu: sudo apt install nodejs npm; macOS: brew install node) "
    "or say where it is: PATH=/path/to/node/bin:$PATH make web"
)


def version(node: str, path: str) -> int:
    """The major version that a node says it has; 0 when it does not start."""
    try:
        said = subprocess.run(  # noqa: S603  # found on the path
            [node, "--version"], capture_output=True, text=True, check=False, env={**os.environ, "PATH": path}
        ).stdout
        return int(said.strip().removeprefix("v").partition(".")[0])
    except (OSError, ValueError):
        return 0


def npm(path: str) -> str | None:
    """The npm of a path with a node that is new enough; None without one."""
    node, found = shutil.which("node", path=path), shutil.which("npm", path=path)
    return found if node and found and version(node, path) >= OLDEST else None


def main() -> int:
    """Install all packages; the exit code of npm, or 1 when no Node can be had."""
    path = os.pathsep.join([os.environ.get("PATH", ""), str(HERE)])
    command = npm(path)
    if command is None:
        print(f"no Node {OLDEST} or newer on the path; installing it into {HERE.parent.name}")
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-input"]
        subprocess.run([*pip, "-r", str(WHEEL)], check=False)  # noqa: S603  # our own pip
        path = os.pathsep.join([str(HERE), path])
        command = npm(path)
    if command is None:
        print(HOW, file=sys.stderr)
        return 1
    print("installing the page's libraries and fonts (the first time takes a minute or two)")
    told = subprocess.run(  # noqa: S603  # as found
        [command, "ci", "--no-progress", "--loglevel=error"],
        cwd=ROOT,
        check=False,
        env={**os.environ, "PATH": path},
        stdout=subprocess.DEVNULL,
    )
    if told.returncode:
        print(
            "npm could not install what package-lock.json pins (above: why not); is the network there?", file=sys.stderr
        )
    return told.returncode


if __name__ == "__main__":
    sys.exit(main())
