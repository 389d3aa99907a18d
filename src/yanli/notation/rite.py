"""Finding and loading a rite.

Comes in: any name of a rite, or the path of a folder or a score. Goes out: a ``Rite`` with every finding, or a
RiteError when there is no such rite.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from importlib.resources import files
from pathlib import Path
from typing import Final

import msgspec

from yanli.errors import Finding, RiteError
from yanli.notation.address import find_words
from yanli.notation.assembly import assemble
from yanli.notation.cache import parse_files
from yanli.notation.model import (
    Answer,
    Clause,
    Crux,
    NamedRange,
    Passage,
    Rite,
    RiteHead,
    Section,
    Site,
    Title,
    nearest,
)
from yanli.source import Span

__all__ = [
    "Answer",
    "Clause",
    "Crux",
    "NamedRange",
    "Passage",
    "Rite",
    "RiteHead",
    "Section",
    "Site",
    "Title",
    "find_words",
    "list_rites",
    "load_rite",
]

RITE_FILE: Final = "rite.toml"


def list_rites() -> tuple[RiteHead, ...]:
    """The rites that come with Yanli, by the ``order`` that their rite.toml gives, then by slug."""
    root = Path(str(files("yanli").joinpath("rites")))
    folders = sorted({path.parent for name in (RITE_FILE, "*.pu") for path in root.glob(f"*/{name}")})
    heads = (msgspec.structs.replace(_head(folder)[0], packaged=True) for folder in folders)
    return tuple(sorted(heads, key=lambda head: (head.order, head.slug)))


def load_rite(name_or_path: str | Path) -> Rite:
    """Load a rite by any of its names, from a folder, or from a single score."""
    head, settings = _find(name_or_path)
    paths = _score_paths(head)
    try:
        sources = tuple((_label(head, path), path.read_bytes()) for path in paths)
    except OSError as error:
        raise _error("unreadable-file", f"{error.filename}: {error.strerror}") from None
    try:
        scores = parse_files(sources, head.slug)
    except UnicodeDecodeError:
        raise RiteError(*(fault for label, data in sources for fault in _not_text(label, data))) from None
    return assemble(head, scores, settings)


def _not_text(label: str, data: bytes) -> tuple[Finding, ...]:
    """Where a file stops being UTF-8; nothing if it is."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8")) + 1
        cause = f"byte {error.start} (0x{data[error.start]:02x}) is not UTF-8: {error.reason}; save the score as UTF-8"
        return (Finding(code="unreadable-file", cause=cause, span=Span(label, before.count(b"\n") + 1, column, 1)),)
    return ()


def _error(code: str, cause: str, near: tuple[str, ...] = ()) -> RiteError:
    return RiteError(Finding(code=code, cause=cause, nearest=near))


def _find(name_or_path: str | Path) -> tuple[RiteHead, dict[str, object]]:
    if isinstance(name_or_path, str):
        rites = list_rites()
        for head in rites:
            if name_or_path.strip().casefold() in {name.casefold() for name in (*head.names, head.title.en) if name}:
                return head, _head(head.folder)[1]
    else:
        rites = ()
    path = Path(name_or_path)
    if path.is_dir():
        return _head(path)
    if path.is_file():
        head, settings = _head(path.parent, path.stem)
        return msgspec.structs.replace(head, files=(path.name,)), settings
    known = [name for head in rites for name in head.names]
    raise _error("unknown-rite", f"no rite is called {name_or_path}", nearest(str(name_or_path), known))


def _head(folder: Path, fallback: str | None = None) -> tuple[RiteHead, dict[str, object]]:
    """What rite.toml says; without one, the folder or file gives the name."""
    path = folder / RITE_FILE
    slug = fallback or folder.resolve().name
    if not path.is_file():
        return RiteHead(name=slug, slug=slug, folder=folder), {}
    try:
        settings = msgspec.toml.decode(path.read_bytes().removeprefix(BOM_UTF8), type=dict[str, object])
        head = msgspec.convert({"name": slug, "slug": slug, **settings, "folder": ""}, RiteHead, dec_hook=_path)
    except (msgspec.MsgspecError, ValueError) as error:
        raise _error("bad-rite-file", f"{path}: {error}") from None
    return msgspec.structs.replace(head, folder=folder, packaged=False), settings


def _path(kind: type, value: object) -> object:
    if kind is Path:
        return Path(str(value))
    raise NotImplementedError


def _score_paths(head: RiteHead) -> list[Path]:
    paths = [head.folder / name for name in head.files] or sorted(head.folder.glob("*.pu"))
    if not paths:
        raise _error("no-scores", f"{head.folder} has no scores (*.pu)")
    return paths


def _label(head: RiteHead, path: Path) -> str:
    """The name that spans carry: short for what comes with Yanli, as given for anything else."""
    return f"{head.folder.name}/{path.name}" if head.packaged else path.as_posix()
