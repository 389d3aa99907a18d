"""Speed of collation beside what others need for the alignment alone, in one run, as ratios.

Run ``make bench``. Collating includes folding, classing, the search for words that moved, and the apparatus; rapidfuzz
and difflib only align. CollateX is run where it is installed, on a few hundred characters: by character it needs
minutes for a whole text.
"""

from __future__ import annotations

import time
from difflib import SequenceMatcher
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import pytest
from rapidfuzz.distance import Levenshtein

from yanli.corpus.apparatus import collate_all
from yanli.corpus.collate import collate
from yanli.corpus.copies import Copy, copy_of
from yanli.corpus.segment import read_text
from yanli.corpus.spelling import fold_graphic
from yanli.corpus.tei import to_tei
from yanli.corpus.tei_read import from_tei

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")
SHARED = Path(__file__).resolve().parents[2] / "shared"
FILES = {
    "通": SHARED / "sources" / "000_8715d8bcf1027071.txt",
    "句": SHARED / "witnesses" / "KR1d0038_005.txt",
    "集": SHARED / "witnesses" / "KR1d0035_005.txt",
    "鄭": SHARED / "witnesses" / "KR1d0026_005.txt",
}
EXCERPT = 400


class Benchmark(Protocol):
    """What is used here of pytest-benchmark's fixture, which comes without types."""

    extra_info: dict[str, object]

    def __call__(self, function: Callable[..., Result], *args: object) -> Result: ...

    def pedantic(self, target: Callable[..., Result], args: tuple[object, ...] = (), *, rounds: int) -> Result: ...


@pytest.fixture(scope="module")
def copies() -> list[Copy]:
    """鄉射禮 in four editions, of about 6,800 characters each."""
    if missing := [path for path in FILES.values() if not path.is_file()]:
        pytest.skip(f"{missing[0]} is not here: this needs the texts that the project was made from")
    return [copy_of(read_text(path.read_bytes(), path.name), siglum) for siglum, path in FILES.items()]


def seconds(function: Callable[[], object]) -> float:
    """How long one call takes, in process time: the machine may have other work."""
    begin = time.process_time()
    function()
    return time.process_time() - begin


def excerpt(copies: list[Copy]) -> float | None:
    """How long CollateX needs for two excerpts, character by character; None where it is not installed."""
    if find_spec("collatex") is None:
        return None
    peer: Any = import_module("collatex")
    collation = peer.Collation()
    for copy in copies[:2]:
        words = fold_graphic(copy.text[300 : 300 + EXCERPT])
        collation.add_witness({"id": copy.siglum, "tokens": [{"t": sign, "n": sign} for sign in words]})
    return seconds(lambda: peer.collate(collation, segmentation=False))


@pytest.mark.benchmark(group="collation")
def bench_two(benchmark: Benchmark, copies: list[Copy]) -> None:
    """Collate two witnesses."""
    benchmark(collate_all, copies[0], copies[1:2])


@pytest.mark.benchmark(group="collation")
def bench_four(benchmark: Benchmark, copies: list[Copy]) -> None:
    """Collate four witnesses."""
    benchmark(collate_all, copies[0], copies[1:])


@pytest.mark.benchmark(group="tei")
def bench_tei_out(benchmark: Benchmark) -> None:
    """Write a text of 25,000 characters as TEI."""
    path = FILES["句"]
    benchmark(to_tei, read_text(path.read_bytes(), path.name))


@pytest.mark.benchmark(group="tei")
def bench_tei_in(benchmark: Benchmark) -> None:
    """Read it back."""
    path = FILES["句"]
    benchmark(from_tei, to_tei(read_text(path.read_bytes(), path.name)))


@pytest.mark.benchmark(group="collation")
def bench_collation_peers(benchmark: Benchmark, copies: list[Copy]) -> None:
    """Two and four witnesses beside a bare alignment by rapidfuzz and difflib, in turn; the cost must be the same."""
    base, *others = copies
    folded = [fold_graphic(copy.text) for copy in copies]
    times: dict[str, list[float]] = {}

    def once() -> None:
        for name, run in (
            ("rapidfuzz, two bare", lambda: Levenshtein.opcodes(folded[0], folded[1])),
            ("difflib, two bare", lambda: SequenceMatcher(None, folded[0], folded[1], autojunk=False).get_opcodes()),
            ("differences of two", lambda: collate(base.text, others[0].text, others[0].gaps)),
            ("apparatus of two", lambda: collate_all(base, others[:1])),
            ("apparatus of four", lambda: collate_all(base, others)),
        ):
            times.setdefault(name, []).append(seconds(run))

    benchmark.pedantic(once, rounds=9)
    found = collate_all(base, others)
    for copy, words in zip(others, folded[1:], strict=True):
        assert found.costs[copy.siglum] == Levenshtein.distance(folded[0], words)
        assert found.witness(copy.siglum) == copy.text
    bare = sorted(times["rapidfuzz, two bare"])[4]
    told = {name: f"{sorted(held)[4] * 1000:.1f} ms, {sorted(held)[4] / bare:.2f}" for name, held in times.items()}
    peer = excerpt(copies)
    ours = min(
        seconds(lambda: collate(base.text[300 : 300 + EXCERPT], others[0].text[300 : 300 + EXCERPT])) for _ in "123"
    )
    told[f"collatex, two of {EXCERPT}"] = (
        "not installed" if peer is None else f"{peer * 1000:.0f} ms, ours {ours * 1000:.2f}"
    )
    benchmark.extra_info.update(told)
    print("\n" + "\n".join(f"{key}: {value}" for key, value in told.items()))  # noqa: T201 - what it is for
