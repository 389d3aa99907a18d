"""Ctrl-C is heard by the one who is to answer it, wherever it falls."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


def said(script: str) -> tuple[int, str, str]:
    """Run a script by itself: its status, and what it wrote to both streams."""
    call = [sys.executable, "-c", script]
    done = subprocess.run(call, check=False, capture_output=True, encoding="utf-8", timeout=120)
    return done.returncode, done.stdout, done.stderr


LOST = """
import signal, time
from yanli.signals import hear_always
signal.signal(signal.SIGINT, signal.default_int_handler)
hear_always()
class Ending:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)
        for _ in range(100): pass
ending = Ending()
begun = time.monotonic()
try:
    del ending
    print("went on")
    time.sleep(60)
except KeyboardInterrupt:
    print("heard" if time.monotonic() - begun < 30 else "heard late")
"""


def test_what_falls_where_nothing_can_be_raised_is_heard_a_moment_later() -> None:
    assert said(LOST) == (0, "went on\nheard\n", "")


def test_any_other_fault_there_is_told_as_ever() -> None:
    script = LOST.replace("signal.raise_signal(signal.SIGINT)", "1 / 0").replace("time.sleep(60)", "")
    status, out, told = said(script)
    assert (status, out) == (0, "went on\n")
    assert "ZeroDivisionError" in told


@pytest.mark.skipif(os.name != "posix", reason="there are no masks of signals here")
def test_a_child_hears_nothing_and_its_parent_hears_it_afterwards() -> None:
    script = """
import os, signal, subprocess, sys
from yanli.signals import deaf
signal.signal(signal.SIGINT, signal.default_int_handler)
child = "import signal; signal.raise_signal(signal.SIGINT); print('deaf', flush=True)"
try:
    with deaf():
        subprocess.run([sys.executable, "-c", child], check=True)
        os.kill(os.getpid(), signal.SIGINT)
        print("not yet", flush=True)
    print("never")
except KeyboardInterrupt:
    print("heard")
"""
    assert said(script) == (0, "deaf\nnot yet\nheard\n", "")
