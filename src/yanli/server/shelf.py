"""Answers kept by content: in memory the ones last asked for, on disk for the next start.

A key says all that an answer depends on, so what is found under it is the answer. What lies broken on disk is taken
for nothing, and nothing that goes wrong with the disk is anybody's concern.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections import OrderedDict
from typing import TYPE_CHECKING

from yanli.notation.cache import cache_folder, caching, write_whole
from yanli.server.limits import MEBIBYTE, Limits

if TYPE_CHECKING:
    from pathlib import Path

    from yanli.server.work import Reply

# What keeping one costs beside its bytes: many small refusals shall not fill the memory either.
OVERHEAD = 512
MARK = hashlib.sha256().digest_size


class Shelf:
    """Replies by key; the one that was not asked for the longest is given up first."""

    def __init__(self, limits: Limits, folder: Path | None = None) -> None:
        """Keep on disk in ``folder``, else where Yanli keeps such things, unless the limits or the user forbid it."""
        self.kept: OrderedDict[str, Reply] = OrderedDict()
        self.size = 0
        self._most = limits.kept * MEBIBYTE
        self._disk = limits.stored * MEBIBYTE
        self._folder: Path | None = None
        if self._disk and caching():
            with contextlib.suppress(RuntimeError):
                self._folder = folder or cache_folder() / "stage"

    def get(self, key: str) -> Reply | None:
        """What is in memory."""
        found = self.kept.get(key)
        if found is not None:
            self.kept.move_to_end(key)
        return found

    def put(self, key: str, reply: Reply) -> None:
        """Keep in memory, and give up what has no room."""
        self._drop(self.kept.pop(key, None))
        self.kept[key] = reply
        self.size += len(reply.body) + OVERHEAD
        while self.size > self._most and self.kept:
            self._drop(self.kept.popitem(last=False)[1])

    def _drop(self, reply: Reply | None) -> None:
        if reply is not None:
            self.size -= len(reply.body) + OVERHEAD

    def fetch(self, key: str) -> bytes | None:
        """What is on disk, whole; this waits for the disk."""
        if self._folder is None:
            return None
        path = self._folder / key
        with contextlib.suppress(OSError):
            found = path.read_bytes()
            if hashlib.sha256(found[MARK:]).digest() == found[:MARK]:
                # That it was asked for keeps it from being given up.
                path.touch()
                return found[MARK:]
        return None

    def store(self, key: str, content: bytes) -> None:
        """Keep on disk; this waits for the disk."""
        if self._folder is None:
            return
        with contextlib.suppress(OSError):
            write_whole(self._folder / key, hashlib.sha256(content).digest() + content)
            self._prune(self._folder)

    def _prune(self, folder: Path) -> None:
        found = sorted(
            ((path.stat().st_mtime_ns, path.stat().st_size, path) for path in folder.iterdir() if path.is_file()),
            reverse=True,
        )
        total = 0
        for _, size, path in found:
            total += size
            if total > self._disk:
                path.unlink(missing_ok=True)
