"""Speed of search over a library made by repeating the witnesses with changes, beside three peers in the same run.

Run ``make bench ARGS=benchmarks/bench_search.py``. The library is of 12 MB; ``YANLI_BENCH_MB=1000`` makes it of 1 GB
(about 6 GB of disk, and some ten minutes to make). Compare ratios: figures depend on the machine.
"""

from __future__ import annotations

import math
import os
import random
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
import pytest

from yanli.corpus.folding import fold_search, is_word, words_of
from yanli.corpus.library import index_all
from yanli.corpus.model import Layer, Text
from yanli.corpus.search import Index, Query, folder_of
from yanli.corpus.segment import read_text
from yanli.corpus.store import Store, pack

if TYPE_CHECKING:
    from collections.abc import Sequence

SHARED = Path(__file__).resolve().parents[2] / "shared" / "witnesses"
MEGABYTES = float(os.environ.get("YANLI_BENCH_MB", "12"))
LENGTHS = (1, 2, 4, 8)
ASKED = 250
CHANGED = 0.02


class Benchmark(Protocol):
    """What is used here of pytest-benchmark's fixture, which comes without types."""

    extra_info: dict[str, object]

    def __call__(self, function: Callable[..., Any], *args: object) -> Any: ...  # noqa: ANN401


def witnesses() -> list[Text]:
    """The witnesses as they were read."""
    paths = sorted(SHARED.glob("*.txt"))
    if not paths:
        pytest.skip(f"{SHARED} is not here")
    return [read_text(path.read_bytes(), path.stem) for path in paths]


def changed(text: Text, name: str, chance: random.Random) -> Text:
    """A copy in which some characters stand where others stood, and some are any others."""
    words = list(text.text)
    spots = [spot for spot in chance.sample(range(len(words)), int(len(words) * CHANGED)) if is_word(words[spot])]
    for one, other in zip(spots, reversed(spots), strict=True):
        words[one], words[other] = words[other], words[one]
    for spot in spots[::20]:
        words[spot] = chr(chance.randrange(0x4E00, 0x9FA6))
    return msgspec.structs.replace(text, name=name, text="".join(words), remarks=(), faults=())


def make(store: Store, megabytes: float) -> None:
    """Fill a store with copies until it has so much."""
    chance = random.Random(5)  # noqa: S311 - no secret
    found = witnesses()
    size = number = 0
    while size < megabytes * 1e6:
        text = changed(found[number % len(found)], f"{number:06}", chance)
        data = text.text.encode()
        store.add(pack(data, text))
        size += len(data)
        number += 1


def asked(index: Index, length: int) -> list[str]:
    """Words of this length as they stand at random places, each once: what is frequent is asked for more often."""
    chance = random.Random(length)  # noqa: S311 - no secret
    found: dict[str, None] = {}
    while len(found) < ASKED:
        segment = chance.choice(index.segments)
        at = chance.randrange(segment.size - length)
        words = segment.words(at, at + length)
        if "\0" not in words:
            found[words] = None
        elif length == 1 and len(found) > ASKED // 2:
            break
    return list(found)


def hard(index: Index, length: int) -> list[str]:
    """Words that begin with any character of the library, rare ones too; the same in simplified script; and mixed up.

    Of the simplified only other shapes are found, after all were looked at; of what is mixed up mostly nothing.
    """
    from opencc import OpenCC

    chance = random.Random(-length)  # noqa: S311 - no secret
    words = []
    for _ in range(ASKED):
        segment = chance.choice(index.segments)
        letter = chance.randrange(1, len(segment.alphabet))
        posted = segment.posted(letter)
        at = int(posted[chance.randrange(len(posted))])
        words.append(segment.words(at, at + length).replace("\0", ""))
    simplified = list(map(OpenCC("t2s").convert, asked(index, length)))
    mixed = ["".join(chance.sample(each, len(each))) for each in words]
    return [each for each in dict.fromkeys([*words, *simplified, *mixed]) if each]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    """The library, made once."""
    with Store.open(tmp_path_factory.mktemp("bench") / "c.sqlite") as store:
        begun = time.perf_counter()
        make(store, MEGABYTES)
        stored = time.perf_counter()
        index_all(store)
        done = time.perf_counter()
        size = sum(path.stat().st_size for path in folder_of(store).iterdir())
        tell(
            f"{MEGABYTES:g} MB: kept in {stored - begun:.1f} s, indexed in {done - stored:.1f} s "
            f"({MEGABYTES / (done - stored):.1f} MB/s), the index has {size / 1e6:.0f} MB"
        )
        with Index.open(store) as opened:
            yield opened


def times(asked: Sequence[str], look: Callable[[str], object], rounds: int = 3) -> list[float]:
    """How long each takes (milliseconds; of three rounds the best, lest other processes be measured), in order."""
    found = []
    for words in asked:
        best = math.inf
        for _ in range(rounds):
            begun = time.perf_counter()
            look(words)
            best = min(best, (time.perf_counter() - begun) * 1000)
        found.append(best)
    return sorted(found)


def tell(words: str) -> None:
    """Tell a figure."""
    print("\n" + words, end="")  # noqa: T201 - what it is for


def at(part: float, figures: Sequence[float]) -> float:
    """A percentile of sorted figures."""
    return figures[min(int(len(figures) * part), len(figures) - 1)]


@pytest.mark.benchmark(group="search")
@pytest.mark.parametrize("length", LENGTHS)
def bench_search(benchmark: Benchmark, index: Index, length: int) -> None:
    """The twenty first hits with their context, all spellings, for words of one length."""
    words = asked(index, length)

    def look(each: str) -> object:
        return index.search(Query(words=each))

    times(words[:20], look)
    once = times(words, look, rounds=1)
    figures = times(words, look)
    noted = times(words, lambda each: index.search(Query(words=each, layers=(Layer.note,))))
    harder = times(hard(index, length), look)
    told = {
        "median ms": at(0.5, figures),
        "p99 ms": at(0.99, figures),
        "each asked once, p99 ms": at(0.99, once),
        "notes only, p99 ms": at(0.99, noted),
        "rare, simplified and mixed up, p99 ms": at(0.99, harder),
        "the longest ms": harder[-1],
    }
    benchmark.extra_info.update(told)
    tell(f"{length} characters: " + ", ".join(f"{name} {figure:.3f}" for name, figure in told.items()))
    benchmark(look, words[0])


@pytest.mark.benchmark(group="search")
@pytest.mark.skipif(MEGABYTES > 100, reason="the peers need the library in memory, or twice on the disk")
def bench_search_peers(benchmark: Benchmark, index: Index) -> None:
    """The same words: a bare scan of the text in memory for all places, SQLite's FTS5 in two ways, twenty hits each."""
    units = [(segment, segment.unit(unit)) for segment in index.segments for unit in segment.units()]
    rows = [fold_search(segment.words(first, last)) for segment, (*_, first, last) in units]
    whole = "\0".join(rows)
    base = sqlite3.connect(":memory:")
    base.execute("CREATE VIRTUAL TABLE apart USING fts5(words, tokenize='unicode61')")
    base.execute("CREATE VIRTUAL TABLE three USING fts5(words, tokenize='trigram')")
    base.executemany("INSERT INTO apart VALUES (?)", [(" ".join(row),) for row in rows])
    base.executemany("INSERT INTO three VALUES (?)", [(row,) for row in rows])

    def scan(words: str) -> int:
        return whole.count(fold_search(words))

    def phrase(words: str) -> list[Any]:
        found = base.execute(
            "SELECT rowid, words FROM apart WHERE apart MATCH ? LIMIT 20", (f'"{" ".join(fold_search(words))}"',)
        )
        return found.fetchall()

    def trigram(words: str) -> list[Any]:
        found = base.execute(
            "SELECT rowid, words FROM three WHERE three MATCH ? LIMIT 20", (f'"{fold_search(words)}"',)
        )
        return found.fetchall()

    for length in LENGTHS:
        words = asked(index, length)
        ours = times(words, lambda each: index.search(Query(words=each)))
        peers = {"scan": times(words, scan), "FTS5, characters apart": times(words, phrase)}
        if length > 2:
            peers["FTS5, trigrams"] = times(words, trigram)
        for name, figures in peers.items():
            told = ", ".join(
                f"{label} {at(part, figures):.3f} ms ({at(part, figures) / at(part, ours):.2f} x ours)"
                for label, part in (("median", 0.5), ("p99", 0.99))
            )
            tell(f"{length} characters, {name}: {told}")
    base.close()
    benchmark(scan, words_of("主人"))
