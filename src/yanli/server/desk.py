"""Where questions come in and answers go out: each is made once, however many ask, and kept by what it depends on."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from typing import TYPE_CHECKING

import msgspec

from yanli.server.crew import Crew
from yanli.server.faults import IMPOSSIBLE, LARGE, NOTHING, refused
from yanli.server.questions import Wish
from yanli.server.shelf import Shelf
from yanli.server.work import Reply

if TYPE_CHECKING:
    from pathlib import Path

    from yanli.server.editions import Editions
    from yanli.server.limits import Limits

DONE = 200
NOTES = "notes"
WITH_STORE = "yanli corpus add FILES; yanli serve --db FILE"
# What will be refused again for as long as nothing changes.
SETTLED = frozenset({DONE, NOTHING, LARGE, IMPOSSIBLE})


class Answer(msgspec.Struct, frozen=True):
    """A reply, with the key that says all that it depends on."""

    key: str
    reply: Reply


class Desk:
    """Answers wishes. To be closed."""

    def __init__(
        self, limits: Limits, editions: Editions, folder: Path | None = None, corpus: Path | None = None
    ) -> None:
        """Keep answers on disk in ``folder``, else where Yanli keeps such things; tell notes from ``corpus``."""
        self.limits = limits
        self.editions = editions
        self.corpus = corpus
        self.crew = Crew(limits)
        self.shelf = Shelf(limits, folder)
        self._first = {edition.folder: editions.mark(edition) for edition in editions.all}
        self._flights: dict[str, asyncio.Task[Reply]] = {}

    async def answer(self, wish: Wish) -> Answer:
        """Answer, as soon as anybody has the answer. Raises Refused for an unknown rite, or when there is no room."""
        edition = self.editions.find(wish.rite)
        wish = msgspec.structs.replace(wish, rite=edition.slug, folder=edition.folder if edition.own else "")
        mark = await asyncio.to_thread(self.editions.mark, edition)
        if wish.kind == NOTES:
            if self.corpus is None:
                raise refused(NOTHING, "no-store", "無庫 this server has no store of sources", known=WITH_STORE)
            wish = msgspec.structs.replace(wish, corpus=str(self.corpus))
            mark += await asyncio.to_thread(_seen, self.corpus)
        key = hashlib.sha256(mark.encode() + msgspec.json.encode(wish)).hexdigest()
        found = self.shelf.get(key)
        if found is not None:
            return Answer(key, found)
        flight = self._flights.get(key)
        if flight is None:
            fresh = not mark.startswith(self._first[edition.folder])
            flight = asyncio.create_task(self._make(key, wish, fresh=fresh))
            self._flights[key] = flight
            flight.add_done_callback(lambda done: self._landed(key, done))
        # Whoever goes away takes nothing from the others.
        return Answer(key, await asyncio.shield(flight))

    async def _make(self, key: str, wish: Wish, *, fresh: bool) -> Reply:
        stored = await asyncio.to_thread(self.shelf.fetch, key)
        if stored is not None:
            reply = Reply(status=DONE, body=stored)
        else:
            reply = await self.crew.make(wish, fresh=fresh)
            if reply.status == DONE:
                await asyncio.to_thread(self.shelf.store, key, reply.body)
        if reply.status in SETTLED:
            self.shelf.put(key, reply)
        return reply

    def _landed(self, key: str, flight: asyncio.Task[Reply]) -> None:
        """Forget it; that it was refused is known to whoever still waits."""
        self._flights.pop(key, None)
        if not flight.cancelled():
            flight.exception()

    def close(self) -> None:
        """End all that is being made."""
        self.crew.close()


def _seen(corpus: Path) -> str:
    """What tells whether a store is still as it was: sizes and times of the file and of its log of late changes."""
    found = []
    for path in (corpus, corpus.with_name(f"{corpus.name}-wal")):
        with contextlib.suppress(OSError):
            stat = path.stat()
            # To read a store makes an empty log.
            found += [f"{stat.st_size} {stat.st_mtime_ns}"] if stat.st_size else []
    return "\0".join(["", *found])
