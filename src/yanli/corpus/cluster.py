"""Does one thing to many works, on this machine's processes or on a Dask cluster.

Comes in: a function that another process can import, and jobs. Goes out: what came of each job, in the order of the
jobs whichever was done first; only a few are under way at a time, so that memory stays bounded. A job that ends its
process is done once more by itself; if it ends that one too, it alone has failed. A job that takes longer than it may
has its process ended, whatever it is doing.
"""

from __future__ import annotations

import faulthandler
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from multiprocessing import active_children, get_context
from pathlib import Path
from secrets import token_hex
from threading import Lock
from time import monotonic
from typing import Any, TextIO, TypeVar

import msgspec

from yanli import __version__
from yanli.corpus.store import Entry
from yanli.errors import Finding, RiteError
from yanli.signals import deaf

_AHEAD = 4
"""So many jobs for each process are under way or wait to be fetched."""
_LONGEST = 10
"""So many seconds a cluster has to answer, and to have a worker."""
_LARGE = "1GB"
"""What is sent to a worker goes with its job: below this Dask need not warn of it."""

J = TypeVar("J")
R = TypeVar("R")


class Ended(msgspec.Struct, frozen=True):
    """What came of a job that ended its process, or (``slow``) whose process was ended because it took too long."""

    told: str = "it ended the process that worked on it"
    slow: bool = False


@contextmanager
def processes(workers: int | None, scheduler: str | None, sees: Sequence[Path] = ()) -> Iterator[Executor]:
    """Open processes: of the cluster at an address, of a cluster made here, or of the standard library.

    ``workers`` processes are made here (as many as there are cores); Dask's where it is installed. The workers of a
    cluster at an address must have this Yanli, and see the files and folders ``sees`` as this machine does. Raises
    RiteError: ``no-dask``, ``no-cluster`` where none answers or it has no workers, ``other-yanli``, ``not-shared``.
    """
    count = workers or os.cpu_count() or 1
    if find_spec("distributed") is None:
        if scheduler:
            raise _error("no-dask", "a cluster needs Dask: pip install 'yanli[dask]'")
        with _pool(count) as pool:
            yield pool
        return
    # Dask is half typed, which is worse than not at all.
    dask: Any = import_module("distributed")
    settings: Any = import_module("dask")
    with settings.config.set({"distributed.admin.large-graph-warning-threshold": _LARGE}), ExitStack() as made:
        try:
            if scheduler:
                client = dask.Client(scheduler, timeout=_LONGEST)
            else:
                # Its threads begin its workers, now and when one was lost.
                with deaf():
                    # One thread each: what works is Python. Any free port: another cluster may have the usual one.
                    cluster = dask.LocalCluster(
                        n_workers=count, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0",
                        silence_logs=50,
                    )  # fmt: skip
                    made.callback(cluster.close)
                client = dask.Client(cluster)
        except (OSError, ValueError) as reason:
            raise _error("no-cluster", f"no cluster answers at {scheduler}: {reason}") from reason
        with client:
            if scheduler:
                _asked(client, scheduler, sees)
            yield client.get_executor(pure=False, retries=0)


@contextmanager
def others(
    workers: int | None, scheduler: str | None, sees: Sequence[Path] = (), *, worth: bool
) -> Iterator[Executor | None]:
    """Open processes as `processes` does; give None where this one does it all.

    That is so without a cluster's address, where one worker is asked for or it is not ``worth`` more.
    """
    if not scheduler and (workers == 1 or not worth):
        yield None
        return
    with processes(workers, scheduler, sees) as pool:
        yield pool


def lots(entries: Iterable[Entry], most: int, works: int) -> list[list[Entry]]:
    """Put works together that go to another process at once: of so many characters about, and at most so many works."""
    found: list[list[Entry]] = []
    size = 0
    for entry in entries:
        if not found or size + entry.length > most or len(found[-1]) >= works:
            found.append([])
            size = 0
        found[-1].append(entry)
        size += entry.length
    return found


def results(
    work: Callable[[J], R],
    jobs: Iterable[J],
    pool: Executor | None,
    patience: Callable[[J], float] | None = None,
) -> Iterator[tuple[J, R | Ended]]:
    """Do jobs, in this process where there is no pool, and give each with what came of it, in their order.

    ``work`` must raise nothing: what fails is part of what it gives. ``patience`` tells how many seconds a job may
    take in another process; what takes longer is tried once more by itself, and then given up. (Dask gives a job to
    another worker, up to three times, before it gives it up.)
    """
    if pool is None:
        for job in jobs:
            yield job, work(job)
        return

    def sent(job: J) -> Future[R]:
        return _sent(pool, work, job, None if patience is None else patience(job))

    left = iter(jobs)
    waiting: deque[tuple[J, Future[R]]] = deque()
    for job in islice(left, _AHEAD * _many(pool)):
        waiting.append((job, sent(job)))
    done: R | Ended
    while waiting:
        job, future = waiting.popleft()
        try:
            done = future.result()
        except BrokenProcessPool:
            # One of them ended its process and took the pool along: the rest is done one at a time.
            for one in (job, *(one for one, _ in waiting), *left):
                yield one, alone(work, one, patience(one) if patience else None)
            return
        except Exception:  # noqa: BLE001 - a worker died with it, perhaps by another's fault: it is tried by itself
            done = alone(work, job, patience(job) if patience else None)
        for one in islice(left, 1):
            waiting.append((one, sent(one)))
        yield job, done


def alone(work: Callable[[J], R], job: J, seconds: float | None = None) -> R | Ended:
    """Do one job in a process of its own, so that whatever it does to it, nothing else is lost."""
    begun = monotonic()
    with _pool(1) as pool:
        try:
            return _sent(pool, work, job, seconds).result()
        except BrokenProcessPool:
            if seconds is not None and monotonic() - begun >= seconds:
                return Ended(f"too-slow: it was not done within {seconds:.0f} s", slow=True)
            return Ended()


@contextmanager
def _pool(count: int) -> Iterator[Executor]:
    """Open processes of the standard library; what they do when this ends before its time is not waited for."""
    before = set(active_children())
    with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
        try:
            yield pool
        except BaseException:
            for child in set(active_children()) - before:
                child.kill()
            # One that was killed while it spoke left half a message: the pool would wait for the rest for ever.
            pool._result_queue._writer.close()  # type: ignore[attr-defined]  # noqa: SLF001 - nothing public does it
            raise


def _sent(pool: Executor, work: Callable[[J], R], job: J, seconds: float | None) -> Future[R]:
    """Send a job to a pool, which may begin a process for it."""
    with deaf():
        return pool.submit(work, job) if seconds is None else pool.submit(within, work, job, seconds)


def within(work: Callable[[J], R], job: J, seconds: float) -> R:
    """Do a job in this process, which ends at once if it takes longer (in whatever process but the first).

    A thread of Python could not end it: an expression that goes on for ever lets no other run.
    """
    # An object of its own: a worker may have several threads, each with a job.
    mine = object()
    with _LOCK:
        _DUE[mine] = monotonic() + seconds
        _watch()
    try:
        return work(job)
    finally:
        with _LOCK:
            del _DUE[mine]
            _watch()


_LOCK = Lock()
_DUE: dict[object, float] = {}


def _watch() -> None:
    """End this process when the first of its jobs is due."""
    if _DUE:
        faulthandler.dump_traceback_later(max(min(_DUE.values()) - monotonic(), 0.001), exit=True, file=_nowhere())
    else:
        faulthandler.cancel_dump_traceback_later()


@cache
def _nowhere() -> TextIO:
    """Where nothing is read that is written."""
    return Path(os.devnull).open("w", encoding="utf-8")


def _many(pool: Executor) -> int:
    """How many processes a pool has, as far as it says so."""
    client = getattr(pool, "_client", None)
    held = sum(client.nthreads().values()) if client is not None else getattr(pool, "_max_workers", 1)
    return max(1, int(held))


def _asked(client: Any, scheduler: str, sees: Sequence[Path]) -> None:  # noqa: ANN401 - Dask is half typed
    """Ask all workers of a cluster whether they can work for us. Raises RiteError as `processes`."""
    try:
        client.wait_for_workers(1, timeout=_LONGEST)
    except TimeoutError as reason:
        raise _error("no-cluster", f"the cluster at {scheduler} has no workers") from reason
    with _marked(sees) as marks:
        try:
            answers: dict[str, tuple[str, tuple[str, ...]]] = client.run(answer, [str(path) for path, _ in marks])
        except Exception as reason:
            told = f"a worker of {scheduler} cannot work for this Yanli: {type(reason).__name__}: {reason}"
            raise _error("other-yanli", told) from reason
        for worker, (version, found) in sorted(answers.items()):
            if version != __version__:
                raise _error("other-yanli", f"{worker} has Yanli {version}, not {__version__}")
            for (path, mark), there in zip(marks, found, strict=True):
                if there != mark:
                    shown = path.parent if path.name.startswith(_MARK) else path
                    told = (
                        f"{worker} does not see {shown} as it is here: what a cluster works on must lie on a file "
                        "system that all its workers share, under the same path"
                    )
                    raise _error("not-shared", told)


_MARK = ".yanli-shared-"


@contextmanager
def _marked(sees: Sequence[Path]) -> Iterator[list[tuple[Path, str]]]:
    """Give files by which it is known that somebody sees a file or a folder, and what each holds (its hash).

    In a folder one is laid down, and taken away again: another machine may have a folder of this name too.
    """
    found: list[tuple[Path, str]] = []
    laid: list[Path] = []
    try:
        for path in sees:
            mark = path.absolute()
            if mark.is_dir():
                mark /= _MARK + token_hex(8)
                try:
                    mark.write_text(token_hex(32), encoding="ascii")
                except OSError as reason:
                    raise _error("not-shared", f"{path} cannot be written to: {reason}") from reason
                laid.append(mark)
            found.append((mark, _held(mark)))
        yield found
    finally:
        for mark in laid:
            mark.unlink(missing_ok=True)


def answer(paths: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Say which Yanli a worker has, and what it sees at some paths (in whatever process)."""
    return __version__, tuple(_held(Path(path)) for path in paths)


def _held(path: Path) -> str:
    """Hash the beginning of a file with its size; "" for what cannot be read."""
    try:
        with path.open("rb") as stream:
            return sha256(stream.read(1 << 16) + str(path.stat().st_size).encode()).hexdigest()
    except OSError:
        return ""


def _error(code: str, cause: str) -> RiteError:
    return RiteError(Finding(code=code, cause=cause))
