"""The processes that make answers: how many at once, how many may wait, and the end of those that take too long.

Comes in: wishes. Goes out: replies. What can no longer occur: a request that holds the server up, or brings it down.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import msgspec

from yanli.server.faults import BUSY, LATE, Refused, refused
from yanli.server.limits import MEBIBYTE, Limits
from yanli.server.work import Reply, serve_one
from yanli.signals import deaf

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import BaseContext
    from multiprocessing.process import BaseProcess

    from yanli.server.questions import Wish

# What a client that is turned away may wait before it asks again, in seconds.
AGAIN = 5
# What an ended process may take to be gone, in seconds.
LEAVING = 1.0


class Crew:
    """Makes answers in processes of their own. To be closed."""

    def __init__(self, limits: Limits) -> None:
        """Ready the place from which processes are made: where the system can fork one that has loaded everything."""
        self.limits = limits
        self.asked = 0
        self.made = 0
        self._threads = ThreadPoolExecutor(limits.at_once, thread_name_prefix="yanli-answer")
        self._spawn: BaseContext = multiprocessing.get_context("spawn")
        self._fork: BaseContext = self._spawn
        if "forkserver" in multiprocessing.get_all_start_methods():
            self._fork = multiprocessing.get_context("forkserver")
            self._fork.set_forkserver_preload(["__main__", "yanli.server.ready"])
        self.running: set[BaseProcess] = set()
        # Beginning and ending a process looks after all others of this one too, and is no matter for two threads.
        self._one = threading.Lock()
        self._closed = False

    async def make(self, wish: Wish, *, fresh: bool = False) -> Reply:
        """Answer one wish; ``fresh``: with nothing loaded before, since files have changed. Raises Refused."""
        if self._closed:
            raise _stopping()
        if self.asked >= self.limits.at_once + self.limits.waiting:
            cause = "問者眾，請少待 too many ask at once; try again in a moment"
            raise refused(BUSY, "busy", cause, headers={"Retry-After": str(AGAIN)})
        self.asked += 1
        try:
            found = await asyncio.get_running_loop().run_in_executor(self._threads, self._make, wish, fresh)
        finally:
            self.asked -= 1
        if isinstance(found, Refused):
            raise found
        return found

    def _make(self, wish: Wish, fresh: bool) -> Reply | Refused:  # noqa: FBT001 - called by the executor
        context = self._spawn if fresh else self._fork
        ear, mouth = context.Pipe(duplex=False)
        with ear, mouth:
            process = context.Process(  # type: ignore[attr-defined]
                target=serve_one, args=(mouth, msgspec.msgpack.encode(wish), self.limits), daemon=True
            )
            with self._one:
                if self._closed:
                    return _stopping()
                try:
                    with deaf():
                        process.start()
                except (OSError, EOFError):
                    # There are too many processes, or the one that they are made from was ended; it is made anew.
                    return _broken_off()
                self.running.add(process)
                self.made += 1
            # The child has the only end to speak into, so that its death is heard.
            mouth.close()
            try:
                return self._hear(ear)
            finally:
                with self._one:
                    self.running.discard(process)
                    _end(process)

    def _hear(self, ear: Connection) -> Reply | Refused:
        """What a process says within its time."""
        seconds = self.limits.seconds
        if not ear.poll(seconds):
            cause = f"逾時 this takes longer than {seconds:g} s; ask for less"
            return refused(LATE, "too-long", cause, known=f"{seconds:g} s")
        try:
            return msgspec.msgpack.decode(ear.recv_bytes(2 * self.limits.answer * MEBIBYTE), type=Reply)
        except (EOFError, OSError):
            if self._closed:
                return _stopping()
            # Its system ended it: for want of memory, or it was killed.
            return _broken_off()

    def close(self) -> None:
        """End all that is being made, and make no more."""
        with self._one:
            self._closed = True
            for process in self.running:
                _kill(process)
        # Those that still wait find it closed.
        self._threads.shutdown(wait=True)


def _stopping() -> Refused:
    return refused(BUSY, "stopping", "將止 the server is stopping")


def _broken_off() -> Refused:
    return refused(BUSY, "broke-off", "演未竟而絕 the performance broke off", headers={"Retry-After": str(AGAIN)})


def _kill(process: BaseProcess) -> None:
    with contextlib.suppress(OSError, ValueError):
        if process.is_alive():
            process.kill()


def _end(process: BaseProcess) -> None:
    """See that a process is gone: it has said all, or it is overdue."""
    _kill(process)
    process.join(LEAVING)
    with contextlib.suppress(ValueError):
        process.close()
