"""Scores that were parsed before, kept in the user's cache directory.

Comes in: the bytes of score files. Goes out: their trees. Whatever goes wrong with the cache itself is no matter: the
files are then parsed again. ``YANLI_NO_CACHE=1`` turns it off.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

import msgspec

from yanli.notation.tree import Score

KEPT: Final = 4
_FAILURES: Final = (OSError, RuntimeError, ValueError, msgspec.MsgspecError)


def parse_files(sources: tuple[tuple[str, bytes], ...], slug: str) -> tuple[Score, ...]:
    """Parse files, given as (name, content), or take their trees from the cache."""
    path = None
    if caching():
        with contextlib.suppress(*_FAILURES):
            path = cache_folder() / f"{_plain(slug)}-{_key(sources)}.msgpack"
            return _decoder().decode(path.read_bytes())
    from yanli.notation.parser import parse

    scores = tuple(parse(content.decode("utf-8-sig"), name) for name, content in sources)
    if path:
        with contextlib.suppress(*_FAILURES):
            write_whole(path, msgspec.msgpack.encode(scores))
            _prune(path.parent, _plain(slug))
    return scores


@cache
def _decoder() -> msgspec.msgpack.Decoder[tuple[Score, ...]]:
    return msgspec.msgpack.Decoder(tuple[Score, ...])


def caching() -> bool:
    """Whether anything may be kept."""
    return os.environ.get("YANLI_NO_CACHE") != "1"


def cache_folder() -> Path:
    """Where this user keeps what can be made again (``XDG_CACHE_HOME``, else ``~/.cache``). Raises RuntimeError."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "yanli"


def _plain(slug: str) -> str:
    return "".join(mark if mark.isalnum() else "_" for mark in slug)


@cache
def _version() -> bytes:
    """What the cached trees depend on beside the files: everything that reads them and is read."""
    digest = hashlib.sha256(msgspec.__version__.encode())
    root = files("yanli")
    sources = [root / "errors.py", root / "source.py"]
    sources += (entry for entry in (root / "notation").iterdir() if entry.name.endswith((".py", ".lark")))
    for entry in sorted(sources, key=lambda entry: entry.name):
        digest.update(entry.read_bytes())
    return digest.digest()


def _key(sources: tuple[tuple[str, bytes], ...]) -> str:
    digest = hashlib.sha256(_version())
    for name, content in sources:
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:40]


def write_whole(path: Path, content: bytes) -> None:
    """Write so that nobody ever reads half a file. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _prune(folder: Path, slug: str) -> None:
    """Keep the newest few of a rite."""
    found = sorted(folder.glob(f"{slug}-*.msgpack"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
    for path in found[KEPT:]:
        path.unlink(missing_ok=True)
