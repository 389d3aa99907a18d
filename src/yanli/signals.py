"""Sees to it that Ctrl-C is answered, and by one process alone, though a terminal sends it to everybody.

A process can only turn away from the signal once it has loaded enough to say so, which is too late. What it does not
hear from its first moment on it is given by who begins it.
"""

from __future__ import annotations

import signal
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from sys import UnraisableHookArgs

_SOON = 0.05
"""So many seconds after it was lost a Ctrl-C is heard again."""


def hear_always() -> None:
    """Let no Ctrl-C be lost in this process: one that falls where nothing can be raised is heard a moment later.

    Such places are the ends of objects (``__del__``), of which a library may have many.
    """
    sys.unraisablehook = _unraisable


def _unraisable(found: UnraisableHookArgs) -> None:
    if not issubclass(found.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(found)
        return
    from threading import Timer

    again = Timer(_SOON, _interrupt)
    again.daemon = True
    again.start()


def _interrupt() -> None:
    """Interrupt the main thread, asleep or not (a system without this one is heard when it next does something)."""
    if hasattr(signal, "pthread_kill"):
        from threading import main_thread

        ident = main_thread().ident
        if ident is not None:
            signal.pthread_kill(ident, signal.SIGINT)
    else:
        from _thread import interrupt_main

        interrupt_main()


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
