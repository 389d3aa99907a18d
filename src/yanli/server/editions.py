"""The rites that may be asked for: those that come with Yanli, and those that were named when the server started.

No request ever names a file: it names a rite, and is answered only if the name is on this list. The contents of all
files that a performance rests on are told as one mark, so that nothing is taken for the answer of another day.
"""

from __future__ import annotations

import hashlib
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from yanli import __version__
from yanli.notation.rite import list_rites, load_rite
from yanli.server.faults import NOTHING, refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SCORES = frozenset({".pu", ".toml"})


class Edition(msgspec.Struct, frozen=True, kw_only=True):
    """One rite: its slug, all its names, and its folder (``own``: not one that comes with Yanli)."""

    slug: str
    names: tuple[str, ...]
    folder: str
    own: bool = False


class Editions:
    """The list, made once; the rites' files may change while it is used."""

    def __init__(self, own: Iterable[Path] = ()) -> None:
        """List the rites; ``own`` are folders or scores of somebody's own. Raises RiteError where one cannot be had."""
        self.all: list[Edition] = []
        for path in own:
            rite = load_rite(path)
            names = (rite.name, rite.slug, *rite.aliases)
            self.all.append(Edition(slug=rite.slug, names=names, folder=str(path), own=True))
        self.all += [Edition(slug=head.slug, names=tuple(head.names), folder=str(head.folder)) for head in list_rites()]
        self._marks: dict[str, tuple[list[tuple[str, int, int]], str]] = {}

    def find(self, name: str) -> Edition:
        """The rite of a name, or the first if there is none. Raises Refused, with the nearest names."""
        if not name:
            return self.all[0]
        wanted = name.casefold()
        for edition in self.all:
            if wanted in {each.casefold() for each in edition.names}:
                return edition
        known = [each for edition in self.all for each in edition.names]
        near = get_close_matches(name[:100], known, 3, 0.3) or known[:3]
        cause = f"無此禮 no rite is called {name[:100]}"
        raise refused(NOTHING, "unknown-rite", cause, known="、".join(known), nearest=near)

    def mark(self, edition: Edition) -> str:
        """A mark of all that a performance of this rite rests on: the programme, scores, words and tables."""
        seen = list(_seen(edition))
        known = self._marks.get(edition.folder)
        if known is None or known[0] != seen:
            digest = hashlib.sha256(_programme())
            for name, _, _ in seen:
                content = Path(name).read_bytes()
                digest.update(f"{name}\0{len(content)}\0".encode())
                digest.update(content)
            known = self._marks[edition.folder] = (seen, digest.hexdigest())
        return known[1]


def _seen(edition: Edition) -> Iterator[tuple[str, int, int]]:
    """Every file by name, size and time of its last change."""
    paths = sorted(Path(str(files("yanli").joinpath("rites"))).rglob("*"))
    if edition.own:
        place = Path(edition.folder)
        # The tables beside a single score are its own; what lies deeper is of no rite.
        paths += sorted((place if place.is_dir() else place.parent).glob("*"))
    for path in paths:
        if path.suffix in SCORES and path.is_file():
            stat = path.stat()
            yield str(path), stat.st_size, stat.st_mtime_ns


@cache
def _programme() -> bytes:
    """The programme itself: its version, and what its modules were when they were loaded."""
    digest = hashlib.sha256(__version__.encode())
    root = Path(str(files("yanli")))
    for path in sorted(root.rglob("*")):
        if path.suffix in {".py", ".lark"}:
            digest.update(path.relative_to(root).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.digest()
