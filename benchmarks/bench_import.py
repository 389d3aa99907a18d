"""Speed of taking files in, step by step, beside peers that do a part of it in the same run.

Run ``make bench ARGS=benchmarks/bench_import.py``, or this file alone for the figures without the harness. Figures are
megabytes of the files' bytes a second of this process's own time, on one core: the best round and the median, the
collector at work as ever. What else the machine does counts little, but does count: compare ratios.
``YANLI_BENCH_MB=100`` makes the long import so long (12 MB else).
"""

from __future__ import annotations

import os
import re
import sqlite3
import statistics
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple, Protocol
from xml.etree import ElementTree as ET

import pytest

from yanli.corpus.library import Item, import_files
from yanli.corpus.reading import read_file
from yanli.corpus.segment import read_text
from yanli.corpus.store import Store, pack
from yanli.corpus.tei import to_tei

SHARED = Path(__file__).resolve().parents[2] / "shared"
FAMILIES = {
    "000": "inline", "001": "fixed", "002": "topical", "003": "lemmata", "004": "punctuated",
    "KR1d0026": "kanripo", "KR1d0035": "kanripo-indented", "KR1d0038": "kanripo-circled",
}  # fmt: skip
ROUNDS = 9
MEGABYTES = float(os.environ.get("YANLI_BENCH_MB", "12"))
_TOKEN = re.compile(r"[^\s()/¶<]+|[()]|[\s/¶]+|<[^>]*>")


class Benchmark(Protocol):
    """What is used here of pytest-benchmark's fixture, which comes without types."""

    extra_info: dict[str, object]

    def __call__(self, function: Callable[..., Any], *args: object) -> Any: ...  # noqa: ANN401


class File(NamedTuple):
    """A file, its family, and the TEI that was made of it (which a parser of XML reads in its place)."""

    name: str
    data: bytes
    family: str
    tei: bytes


@cache
def shared() -> tuple[File, ...]:
    """All files of the sources and witnesses; none where they are not here."""
    paths = sorted(path for folder in ("sources", "witnesses") for path in (SHARED / folder).glob("*.txt"))
    found: list[File] = []
    for path in paths:
        data = path.read_bytes()
        tei = to_tei(read_text(data, path.stem)).encode()
        found.append(File(path.name, data, FAMILIES[path.name.split("_")[0]], tei))
    return tuple(found)


def decode(file: File) -> object:
    """What any reader must do."""
    return file.data.decode()


def tokens(file: File) -> object:
    """Look once at what a text is made of, and keep nothing."""
    return sum(1 for _ in _TOKEN.finditer(file.data.decode()))


def parse(file: File) -> object:
    """Read the same text, its layers marked already, into a tree: expat, the standard library's parser in C."""
    return ET.fromstring(file.tei)  # noqa: S314 - written just now


def squeeze(file: File) -> object:
    """Pack the bytes alone."""
    return zlib.compress(file.data, 1)


def told(file: File) -> object:
    """Decode, segment, find what is damaged; the family is told."""
    return read_text(file.data, file.name, family=file.family)


def guessed(file: File) -> object:
    """The same, the family found out."""
    return read_text(file.data, file.name)


def packed(file: File) -> object:
    """The same, made ready for the store."""
    return pack(file.data, read_file(file.data, file.name), file.name)


WORK = (told, guessed, packed)
PEERS = (decode, tokens, parse, squeeze)


class Speed(NamedTuple):
    """Megabytes a second, in the best round and in the middle one."""

    best: float
    median: float

    def __str__(self) -> str:
        """As it is told."""
        return f"best {self.best:6.1f}, median {self.median:6.1f} MB/s"


def speed(work: Callable[[], object], size: int, rounds: int = ROUNDS) -> Speed:
    """Measure some rounds by the time of this process."""
    taken = []
    for _ in range(rounds):
        begun = time.process_time()
        work()
        taken.append(max(time.process_time() - begun, 1e-9))
    return Speed(size / min(taken) / 1e6, size / statistics.median(taken) / 1e6)


def of_all(work: Callable[[File], object]) -> Speed:
    """The speed over all files."""
    return speed(lambda: [work(file) for file in shared()], sum(len(file.data) for file in shared()))


def each(work: Callable[[File], object]) -> Iterator[str]:
    """The speed of each file by itself, as lines."""
    for file in shared():
        yield f"  {file.name:26}{file.family:18}{speed(partial(work, file), len(file.data))}"


@contextmanager
def laid(megabytes: float) -> Iterator[list[Item]]:
    """So many copies of the files under other names, ready to be taken in; each once for 0."""
    with tempfile.TemporaryDirectory() as folder:
        found: list[Item] = []
        size = 0
        while not found or size < megabytes * 1e6:
            for file in shared():
                # A name tells what a work is: its beginning stays.
                path = Path(folder, f"{Path(file.name).stem}-{len(found):05}.txt")
                path.write_bytes(file.data)
                found.append(Item(path.name, str(path), path.name))
                size += len(file.data)
        yield found


def imported(items: list[Item], rounds: int) -> Speed:
    """What `yanli corpus add` does up to the store: read, guess, segment, find faults, pack, write; in one process."""
    size = sum(Path(item.path).stat().st_size for item in items)

    def work() -> None:
        with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder, "s.sqlite")) as store:
            import_files(store, items, read=read_file, workers=1)

    return speed(work, size, rounds)


def kept(items: list[Item], rounds: int) -> Speed:
    """A peer for the whole: the bytes packed and put into SQLite, a transaction each, and nothing read."""
    size = sum(Path(item.path).stat().st_size for item in items)

    def work() -> None:
        with tempfile.TemporaryDirectory() as folder:
            base = sqlite3.connect(Path(folder, "s.sqlite"), isolation_level=None)
            base.execute("PRAGMA journal_mode = WAL")
            base.execute("CREATE TABLE part (name TEXT PRIMARY KEY, packed BLOB)")
            for item in items:
                data = zlib.compress(Path(item.path).read_bytes(), 1)
                base.execute("INSERT INTO part VALUES (?, ?)", (item.name, data))
            base.close()

    return speed(work, size, rounds)


def tell(words: str) -> None:
    """Tell a figure."""
    sys.stdout.write(f"\n{words}")


def skip_without() -> None:
    """Without the texts there is nothing to measure."""
    if not shared():
        pytest.skip(f"{SHARED} is not here")


@pytest.mark.benchmark(group="import")
@pytest.mark.parametrize("work", WORK, ids=lambda work: work.__name__)
def bench_reading(benchmark: Benchmark, work: Callable[[File], object]) -> None:
    """Reading with the family told, with the family guessed, and made ready for the store."""
    skip_without()
    found = of_all(work)
    benchmark.extra_info.update({"best MB/s": found.best, "median MB/s": found.median})
    tell("\n".join([f"{work.__name__}: {found}", *(each(work) if work is not packed else ())]))
    benchmark(work, shared()[-1])


@pytest.mark.benchmark(group="import")
@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.__name__)
def bench_import_peers(benchmark: Benchmark, peer: Callable[[File], object]) -> None:
    """Peers that do a part: decoding, one pass of a pattern, a parser of XML on the same text marked up, packing."""
    skip_without()
    found, ours = of_all(peer), of_all(guessed)
    tell(f"{peer.__name__}: {found} ({found.best / ours.best:.1f} x ours, guessed)")
    benchmark(peer, shared()[-1])


@pytest.mark.benchmark(group="import")
def bench_import(benchmark: Benchmark) -> None:
    """The whole import into a new store, of the files once and of many; beside keeping the bytes alone."""
    skip_without()
    with laid(0) as few:
        found = imported(few, ROUNDS)
        benchmark.extra_info.update({"best MB/s": found.best, "median MB/s": found.median})
        tell(f"whole import, {len(few)} files: {found}")
        tell(f"bytes kept alone: {kept(few, ROUNDS)}")
        with laid(MEGABYTES) as many:
            tell(f"whole import, {len(many)} files, {MEGABYTES:g} MB: {imported(many, 3)}")
        benchmark(imported, few, 1)


def main() -> None:
    """Print all figures, without the harness."""
    if not shared():
        raise SystemExit(f"{SHARED} is not here")
    for work in WORK:
        tell("\n".join([f"{work.__name__}: {of_all(work)}", *(each(work) if work is not packed else ())]))
    for peer in PEERS:
        tell(f"{peer.__name__}: {of_all(peer)}")
    for megabytes in (0, MEGABYTES):
        with laid(megabytes) as items:
            tell(f"whole import, {len(items)} files: {imported(items, 3 if megabytes else ROUNDS)}")
            if not megabytes:
                tell(f"bytes kept alone: {kept(items, ROUNDS)}")
    tell("")


if __name__ == "__main__":
    main()
