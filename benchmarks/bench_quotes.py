"""Speed of the search for quotations, and of anchoring, beside two bare joins in the same run.

Run ``make bench``. Nothing here is a test: figures depend on the machine. Compare ratios: ``bench_quotes_peers`` prints
them. The works are those of ``../shared`` where they are, else drawn by chance; further works are the same with one
character in twenty changed, so that every work quotes as much as the first and the time must grow as their number does.
"""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np
import polars as pl
import pytest

from yanli.corpus.anchor import anchor
from yanli.corpus.model import Layer, Text
from yanli.corpus.quote import Passage, index, prepare, prepare_text, quotations
from yanli.corpus.quote_same import Anchored, attested, same_remarks
from yanli.corpus.segment import read_text
from yanli.notation.rite import load_rite

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")


class Benchmark(Protocol):
    """What is used here of pytest-benchmark's fixture, which comes without types."""

    extra_info: dict[str, object]
    stats: Any

    def __call__(self, function: Callable[..., Result], *args: object) -> Result: ...


SHARED = Path(__file__).resolve().parents[2] / "shared"
WORKS = (1, 4, 16)
GRAM = 6  # what the peers join by: shorter ones drown a bare join in formulae


def quoting() -> str:
    """The work whose quotations are looked for: a compilation, about 20,000 characters."""
    path = SHARED / "sources" / "000_8715d8bcf1027071.txt"
    if path.is_file():
        return said(read_text(path.read_bytes(), path.name))
    return by_chance(20_000, 1) + original()[:20_000:2]


def original() -> str:
    """The first of the works that are looked through: canon and commentary, about 90,000 characters."""
    paths = sorted((SHARED / "witnesses").glob("KR*_00[457].txt"))
    if paths:
        return "".join(said(read_text(path.read_bytes(), path.name)) for path in paths)
    return by_chance(90_000, 2)


def said(text: Text) -> str:
    """The words of a text without the signs of its copy."""
    return "".join(text.text[piece.start : piece.end] for piece in text.pieces if piece.layer is not Layer.sign)


def by_chance(length: int, seed: int) -> str:
    """Characters, some far more frequent than others."""
    chance = random.Random(seed)  # noqa: S311 - the same every time
    return "".join(chr(0x4E00 + int(chance.paretovariate(0.6)) % 3000) for _ in range(length))


def works(count: int) -> list[str]:
    """So many works, each the first with one character in twenty changed."""
    first = original()
    made = [first]
    for number in range(1, count):
        chance = random.Random(number)  # noqa: S311 - the same every time
        made.append("".join(chr(0x4E00 + chance.randrange(3000)) if chance.random() < 0.05 else c for c in first))
    return made


def search(text: str, sources: list[str]) -> list[Passage]:
    """All of it: fold, join, put together, from strings to passages."""
    return quotations(index(prepare(text)), [prepare(source, str(number)) for number, source in enumerate(sources)])


def grams(text: str) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """The grams of a text, as numbers, for the peers."""
    codes = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
    value = codes[: len(codes) - GRAM + 1].copy()
    for step in range(1, GRAM):
        value = value * np.uint64(1_000_003) + codes[step : len(codes) - GRAM + 1 + step]
    return value


def numpy_join(text: str, source: str) -> int:
    """A plain join in NumPy with maximal runs: no folding, nothing about rarity, no passages."""
    ours, theirs = grams(text), grams(source)
    order = np.argsort(theirs)
    ranked = theirs[order]
    low, high = np.searchsorted(ranked, ours), np.searchsorted(ranked, ours, side="right")
    count = high - low
    start = np.repeat(np.arange(len(ours)), count)
    ends = np.cumsum(count)
    place = order[np.arange(int(ends[-1])) - np.repeat(ends - count - low, count)]
    key = np.sort(((place - start + len(ours)) << 32) | start)
    return int(np.count_nonzero(np.diff(key) != 1)) + 1


def polars_join(text: str, source: str) -> int:
    """A bare join in Polars: no runs at all."""
    ours, theirs = (pl.DataFrame({"gram": grams(words)}).with_row_index() for words in (text, source))
    return ours.join(theirs, on="gram").height


def rate(function: Callable[[], object], characters: int, rounds: int = 5) -> float:
    """Millions of characters a second of processor time (all cores counted), the best of some rounds."""
    best = float("inf")
    for _ in range(rounds):
        begun = time.process_time()
        function()
        best = min(best, time.process_time() - begun)
    return characters / best / 1e6


@pytest.mark.benchmark(group="quotes")
@pytest.mark.parametrize("count", WORKS)
def bench_quotes(benchmark: Benchmark, count: int) -> None:
    """Look for one work's quotations in 1, 4 and 16 others."""
    text, sources = quoting(), works(count)
    passages = benchmark(search, text, sources)
    characters = len(text) + sum(map(len, sources))
    benchmark.extra_info["passages"] = len(passages)
    benchmark.extra_info["million_characters_per_second"] = round(characters / benchmark.stats.stats.min / 1e6, 1)


@pytest.mark.benchmark(group="quotes-peers")
def bench_quotes_peers(benchmark: Benchmark) -> None:
    """Ours, with folding and passages, beside bare joins over the same texts."""
    text, sources = quoting(), works(max(WORKS))
    told = []
    for count in WORKS:
        some = sources[:count]
        whole = "\n".join(some)
        characters = len(text) + len(whole)
        ours = rate(lambda some=some: search(text, some), characters)  # type: ignore[misc]
        plain = rate(lambda whole=whole: numpy_join(text, whole), characters)  # type: ignore[misc]
        bare = rate(lambda whole=whole: polars_join(text, whole), characters)  # type: ignore[misc]
        told.append(
            f"quotations, {count:2} works, {characters:9,} characters: {ours:5.1f} million a second; "
            f"NumPy join {plain:5.1f} ({ours / plain:.2f} of it), Polars join {bare:5.1f} ({ours / bare:.2f} of it)"
        )
    print("\n" + "\n".join(told))  # noqa: T201 - what it is for
    benchmark(search, text, sources[:1])


@pytest.mark.benchmark(group="anchors")
def bench_anchors(benchmark: Benchmark) -> None:
    """Anchor a commentary of some 600 remarks to a rite of 1,175 clauses."""
    path = SHARED / "witnesses" / "KR1d0035_005.txt"
    if not path.is_file():
        pytest.skip("the texts are not here")
    text = read_text(path.read_bytes(), path.name)
    benchmark(anchor, text, [(str(clause.id), clause.text) for clause in load_rite("xiangshe").clauses])


@pytest.mark.benchmark(group="anchors")
def bench_same_and_attested(benchmark: Benchmark) -> None:
    """Know the remarks of two works as the same, and hold the one's quotations to the other."""
    paths = [SHARED / "witnesses" / "KR1d0026_005.txt", SHARED / "sources" / "000_8715d8bcf1027071.txt"]
    if not all(path.is_file() for path in paths):
        pytest.skip("the texts are not here")
    clauses = [(str(clause.id), clause.text) for clause in load_rite("xiangshe").clauses]
    ids = [clause for clause, _ in clauses]
    texts = [read_text(path.read_bytes(), path.name) for path in paths]
    oldest, later = (Anchored(text, anchor(text, clauses)) for text in texts)
    benchmark(lambda: (same_remarks([oldest, later], ids), attested(later, oldest, ids)))


@pytest.mark.benchmark(group="quotes")
def bench_prepared(benchmark: Benchmark) -> None:
    """Make a text ready, layer by layer: what is done once for each."""
    path = SHARED / "witnesses" / "KR1d0035_005.txt"
    if not path.is_file():
        pytest.skip("the texts are not here")
    benchmark(prepare_text, read_text(path.read_bytes(), path.name))
