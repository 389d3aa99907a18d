"""Begins processes that hear no Ctrl-C: a terminal sends it to everybody, but one alone has to answer it.

A process can only turn away from the signal once it has loaded enough to say so, which is too late. What it does not
hear from its first moment on it is given by who begins it.
"""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def deaf() -> Iterator[None]:
    """Begin in here what must not hear Ctrl-C: processes and threads, and all that these begin later.

    Who calls hears it afterwards, if it came meanwhile. (Where the system has no masks of signals nothing is changed.)
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing.resource_tracker import ensure_running

    # Beginning this one lets the signal through again, so it has to be there before.
    ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
