"""The page and its files, as a browser fetches them.

Comes in: the folder ``web/``. Goes out: files by their exact path, with type, mark and a compressed form; our own code
in its short form where it has one. What can no longer occur: that a path leads anywhere else: only what was listed when
the server started is ever opened.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
from typing import TYPE_CHECKING

import msgspec

from yanli.errors import YanliError
from yanli.render.page_modules import DOCS, IMPORT_MAP, LEAN, NOTED, OURS, RECORD, Web, lean_form
from yanli.server.faults import BUSY, Refused, refused

if TYPE_CHECKING:
    from pathlib import Path

KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}
# Licences have no ending.
PLAIN = "text/plain; charset=utf-8"
PRESSED = frozenset({".woff2"})
# What the frame depends on: itself, the names of the libraries, and who imports whom.
FRAMING = frozenset({".html", ".js", ".json"})
LEVEL = 9


class Asset(msgspec.Struct, frozen=True, kw_only=True):
    """One file: its type, its bytes, the same under gzip where that is shorter, and a mark of its contents."""

    kind: str
    body: bytes
    zipped: bytes | None
    mark: str
    changed: tuple[int, ...] = ()


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """The page's frame, and what the policy must allow: the import map, by its hash."""

    asset: Asset
    allowed: str


class Assets:
    """The files, listed once. One that is changed while the server runs is read anew."""

    def __init__(self, folder: Path | None = None, *, source: bool = False, noted: bool = False) -> None:
        """List what may be fetched: plain files of known kinds, and nothing that a link leads out to.

        With ``source``, our own code is sent as it was written, for those who would read it in the browser. With
        ``noted``, the page is told that it can ask for notes.
        """
        self.web = Web(folder, source=source)
        self.noted = noted
        self._kept: dict[str, Asset] = {}
        self._page: tuple[list[tuple[int, ...]], Page] | None = None
        root = self.web.folder.resolve()
        self.paths: dict[str, Path] = {}
        for path in sorted(root.rglob("*")):
            inside = path.is_file() and path.resolve().is_relative_to(root)
            if inside and (path.suffix in KINDS or path.name == "LICENSE"):
                self.paths[path.relative_to(root).as_posix()] = path

    def get(self, name: str) -> Asset | None:
        """A file by its path below ``web/``, exactly as it was listed."""
        path = self.paths.get(name)
        if path is None:
            return None
        try:
            changed = self._changed(name, path)
            kept = self._kept.get(name)
            if kept is None or kept.changed != changed:
                kind = KINDS.get(path.suffix, PLAIN)
                kept = make_asset(self._body(name, path), kind, press=path.suffix not in PRESSED, changed=changed)
                self._kept[name] = kept
        except OSError:
            return None
        return kept

    def _body(self, name: str, path: Path) -> bytes:
        """What is sent of a file: its short form where that too was listed, else the file itself."""
        source = path.read_bytes()
        short = f"{LEAN}/{name}" in self.paths and not self.web.source
        return lean_form(self.web.folder, name, source) if short else source

    def _changed(self, name: str, path: Path) -> tuple[int, ...]:
        """What tells whether a file, or what was made short, is still what was read."""
        record = self.paths.get(f"{LEAN}/{RECORD}") if f"{LEAN}/{name}" in self.paths else None
        stats = [each.stat() for each in (path, record) if each is not None and each.is_file()]
        return tuple(number for stat in stats for number in (stat.st_mtime_ns, stat.st_size))

    def page(self) -> Page:
        """The page's frame. Raises Refused, saying what to do, when it was not built."""
        try:
            seen = [self._changed(name, path) for name, path in self.paths.items() if path.suffix in FRAMING]
            if self._page is None or self._page[0] != seen:
                self._page = (seen, _page(self.web, noted=self.noted))
        except (YanliError, OSError) as fault:
            raise _unbuilt(fault) from None
        return self._page[1]

    def make_ready(self) -> None:
        """Read and compress everything before the first browser asks."""
        for name in self.paths:
            self.get(name)


def make_asset(body: bytes, kind: str, *, press: bool = True, changed: tuple[int, ...] = ()) -> Asset:
    """Make an asset of bytes."""
    zipped = gzip.compress(body, LEVEL, mtime=0) if press else None
    if zipped is not None and len(zipped) >= len(body):
        zipped = None
    return Asset(kind=kind, body=body, zipped=zipped, mark=hashlib.sha256(body).hexdigest()[:32], changed=changed)


def _page(web: Web, *, noted: bool) -> Page:
    """Put the import map into the frame, and name all modules that will be wanted; performances are fetched.

    A browser that learns of a module only from the one that imports it fetches them one after another.
    """
    libraries = web.libraries()
    where = {name: f"/web/{path}" for name, path in libraries.items()}
    text = msgspec.json.encode({"imports": {OURS: "/web/", **where}}).decode().replace("<", "\\u003c")
    allowed = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    wanted = (where.get(name, f"/web/{name.removeprefix(OURS)}") for name in sorted(web.modules()))
    head = [
        f'<script type="importmap">{text}</script>',
        *(f'<link rel="modulepreload" href="{url}">' for url in wanted),
    ]
    html = web.read("index.html").replace(IMPORT_MAP, "\n".join(head)).replace(DOCS, NOTED if noted else "")
    return Page(asset=make_asset(html.encode(), KINDS[".html"]), allowed=f"'sha256-{allowed}'")


def _unbuilt(fault: YanliError | OSError) -> Refused:
    if isinstance(fault, OSError):
        return refused(BUSY, "page-not-built", f"頁未成 the page cannot be read: {fault.strerror}")
    first = fault.findings[0]
    return refused(BUSY, first.code, f"頁未成 {first.cause}", known=first.known)
