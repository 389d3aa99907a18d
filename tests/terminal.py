"""A command in a terminal of its own: what is pressed there, everybody hears who stands in it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

# Two slow cores may be shared with much else.
PATIENCE = 120.0
# Nobody may be left behind for longer than this, in seconds.
LEAVING = 10.0


class Terminal:
    """A command that runs, and all that was heard of it."""

    def __init__(self, running: subprocess.Popen[str]) -> None:
        self.running = running
        self.said = ""

    def hear(self, words: str) -> str:
        """Listen until these words were said; all that was said."""
        assert self.running.stdout is not None
        while words not in self.said:
            line = self.running.stdout.readline()
            assert line, self.said
            self.said += line
        return self.said

    def press(self, sign: signal.Signals) -> int:
        """Send a signal to everybody, and listen to the end; the status with which the command ended."""
        assert self.running.stdout is not None
        os.killpg(self.running.pid, sign)
        self.said += self.running.stdout.read()
        return self.running.wait(PATIENCE)


@contextmanager
def terminal(script: str, *words: str, **settings: str) -> Iterator[Terminal]:
    """Run a script of Python with words behind it and settings of the environment; nobody is left behind by it."""
    with subprocess.Popen(
        [sys.executable, "-u", "-c", script, *words],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", start_new_session=True,
        env={**os.environ, **settings},
    ) as running:  # fmt: skip
        yield Terminal(running)
    end = time.monotonic() + LEAVING
    while time.monotonic() < end:
        try:
            os.killpg(running.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    pytest.fail("a process was left behind")
