"""The page's files as they lie in ``web/``: its frame, its modules and who imports whom, its style and fonts.

Comes in: the folder. Goes out: texts, names and the closure of a module's imports. What can no longer occur: a module
that is imported and is not there, or is imported by a path that leads nowhere from where it will stand.

Modules import one another by bare names: ours as ``yanli/NAME.js``, libraries as ``vendor/importmap.json`` names them.

What is ours is written to be read, with remarks and whole names; a browser needs neither. ``lean/`` has the same short,
and ``lean/lean.json`` the SHA-256 of the source of each. A reader gets the short form exactly where the source is still
the one that it was made of: what was changed since is seen as it stands, and nothing can be stale.
"""

from __future__ import annotations

import hashlib
import re
from importlib.resources import files
from pathlib import Path
from typing import Final

import msgspec

from yanli.errors import Finding, ScenarioError

OURS: Final = "yanli/"
MAIN: Final = "yanli/main.js"
IMPORT_MAP: Final = "<!-- yanli:importmap -->"
DOCS: Final = "<!-- yanli:docs -->"
STYLES: Final = ('<link rel="stylesheet" href="web/fonts/fonts.css">', '<link rel="stylesheet" href="web/style.css">')
# Tells the page that is served that what is said of the clauses can be asked for.
NOTED: Final = '<script type="application/json" id="yanli-notes"></script>'
SCRIPT: Final = '<script type="module" src="web/main.js"></script>'
# The view in depth, and the library that it alone needs: fetched when asked for, and not in the single file.
DEPTH: Final = ("yanli/depth", "three")
LEAN: Final = "lean"
RECORD: Final = "lean.json"
_REMARK = re.compile(r"^[ \t]*/\*\*.*?\*/", re.MULTILINE | re.DOTALL)
_IMPORT = re.compile(
    r"""(?:^|[;}\n])\s*(?:import|export)\b(?:[\w\s$,*{}]*?\bfrom)?\s*["']([^"'\n]+)["']|\bimport\(\s*["']([^"'\n]+)["']\s*\)"""
)


class Web:
    """The folder ``web/``, as it is when asked; our own code in short form, or with ``source`` as it was written."""

    def __init__(self, folder: Path | None = None, *, source: bool = False) -> None:
        """Take the folder that comes with Yanli, or another."""
        self.folder = folder or Path(str(files("yanli").joinpath("web")))
        self.source = source

    def read(self, path: str) -> str:
        """A text file of the page. Raises ScenarioError when it is not there, saying what makes it."""
        return self.data(path).decode("utf-8")

    def data(self, path: str) -> bytes:
        """Any file of the page, as a reader gets it. Raises as ``read``."""
        try:
            source = (self.folder / path).read_bytes()
            return source if self.source else lean_form(self.folder, path, source)
        except OSError as fault:
            cause = f"the page has no {path}: {fault.strerror}"
            raise ScenarioError(Finding(code="page-not-built", cause=cause, known="make web builds it")) from None

    def missing(self) -> list[str]:
        """What the page cannot do without and is not there."""
        wanted = ("index.html", "main.js", "style.css", "vendor/importmap.json", "fonts/fonts.css")
        return [path for path in wanted if not (self.folder / path).is_file()]

    def libraries(self) -> dict[str, str]:
        """The path below ``web/`` of every library's module, by its bare name. Raises as ``read``."""
        try:
            found = msgspec.json.decode(self.data("vendor/importmap.json"), type=dict[str, dict[str, str]])
        except msgspec.MsgspecError as fault:
            raise _wrong(f"vendor/importmap.json: {fault}") from None
        return found.get("imports", {})

    def modules(self, entry: str = MAIN, without: tuple[str, ...] = DEPTH) -> dict[str, str]:
        """The texts, by bare name, of a module and of all that it imports, now or later.

        What begins with one of ``without`` is left out; only an import that is not run at once (``import(…)``) may ask
        for it. Raises ScenarioError for an import that leads nowhere.
        """
        libraries = self.libraries()
        found: dict[str, str] = {}
        waiting = [(entry, "index.html")]
        while waiting:
            name, by = waiting.pop()
            if name in found:
                continue
            if name in libraries:
                path = libraries[name]
            elif name.startswith(OURS):
                path = name.removeprefix(OURS)
            else:
                raise _wrong(f"{by} imports {name!r}, which is no bare name of a module")
            if not (self.folder / path).is_file():
                raise _wrong(f"{by} imports {name!r}, which is not there")
            found[name] = self.read(path)
            at_once, later = imports(found[name])
            waiting += ((other, name) for other in at_once)
            waiting += ((other, name) for other in later if not other.startswith(without))
        stray = [name for name in found if name.startswith(without)]
        if stray:
            raise _wrong(f"{stray[0]} is imported at once; it is to be fetched when it is asked for")
        return found


def lean_form(folder: Path, path: str, source: bytes) -> bytes:
    """The short form of a file of the page, if it was made of just this source; else the source itself."""
    try:
        record = msgspec.json.decode((folder / LEAN / RECORD).read_bytes(), type=dict[str, str])
        if record.get(path) == hashlib.sha256(source).hexdigest():
            return (folder / LEAN / path).read_bytes()
    except (OSError, msgspec.MsgspecError):
        pass  # nothing was made short, or not for this
    return source


def imports(source: str) -> tuple[list[str], list[str]]:
    """What a module imports at once, and what it fetches later, by the names that it writes."""
    bare = _REMARK.sub("", source)
    found = [match.groups() for match in _IMPORT.finditer(bare)]
    return [now for now, _ in found if now], [later for _, later in found if later]


def _wrong(cause: str) -> ScenarioError:
    return ScenarioError(Finding(code="page-not-built", cause=cause, known="make web builds what is not ours"))
