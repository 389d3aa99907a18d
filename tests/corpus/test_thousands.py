"""A library of two thousand works on a cluster of its own: taken in, anchored, indexed, listed, compared."""

from __future__ import annotations

import csv
import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

import pytest

WORKS = 2000
LINES = 12
SHARED = Path(__file__).resolve().parents[3] / "shared"
ALTERED = 0.01
"""So great a part of the characters are others, but for the first work, which is as its witness has it."""

pytestmark = pytest.mark.slow


class Library(NamedTuple):
    """A store, the address of its cluster, and where each work was cut out: its witness, and which lines of it."""

    store: Path
    address: str
    cuts: dict[str, tuple[str, range]]


def yanli(*words: str) -> subprocess.CompletedProcess[str]:
    """Call the command line as a user does."""
    return subprocess.run(
        [Path(sys.executable).with_name("yanli"), *words], capture_output=True, text=True, check=False, timeout=240
    )


def cut(folder: Path) -> dict[str, tuple[str, range]]:
    """Lay down works, each some lines of a witness with a few characters altered."""
    files = sorted((SHARED / "witnesses").glob("KR*.txt"))
    if not files:
        pytest.skip(f"{SHARED} has no witnesses: this test is made of those that the project was made from")
    chance = random.Random(11)  # noqa: S311 - nothing secret, only the same every time
    found: dict[str, tuple[str, range]] = {}
    folder.mkdir()
    for number in range(WORKS):
        file = files[number % len(files)]
        every = file.read_text(encoding="utf-8").splitlines(keepends=True)
        head = [line for line in every if line.startswith("#")]
        first = chance.randrange(len(head), len(every) - LINES)
        held = range(first, first + LINES)
        words = "".join(every[line] for line in held)
        if number:
            words = "".join("也" if sign > "\u3400" and chance.random() < ALTERED else sign for sign in words)
        name = f"{number:04}-{file.stem}.txt"
        (folder / name).write_text("".join(head) + words, encoding="utf-8")
        found[name] = (file.name, held)
    return found


@pytest.fixture(scope="module")
def library(
    tmp_path_factory: pytest.TempPathFactory, cluster_in: Callable[[Path, int], AbstractContextManager[str]]
) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("library")
    cuts = cut(folder / "texts")
    with cluster_in(folder, 2) as address:
        done = yanli("corpus", "add", str(folder / "texts"), "--db", str(folder / "s"), "--scheduler", address)
        assert done.returncode == 0, done.stderr[-2000:]
        assert f"added {WORKS}" in done.stderr
        yield Library(folder / "s", address, cuts)


def test_the_list_of_two_thousand_works_is_there_at_once(library: Library) -> None:
    done = yanli("corpus", "list", "--db", str(library.store), "--json")
    listed = json.loads(done.stdout)
    assert [each["entry"]["name"] for each in listed] == sorted(library.cuts)
    # All but the shortest cuts have remarks, and those of the rites that are played are anchored.
    assert sum(each["anchored"] > 0 for each in listed) > WORKS * 0.8


def test_words_are_found_in_all_of_it(library: Library) -> None:
    done = yanli("corpus", "search", "坐奠爵", "--db", str(library.store), "--json", "--limit", "5")
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["hits"]) == 5


def test_nothing_is_anchored_twice(library: Library) -> None:
    done = yanli("corpus", "anchor", "--db", str(library.store), "--scheduler", library.address)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stderr.count("已繫") == WORKS


def test_a_work_is_found_in_those_that_were_cut_from_the_same_lines(library: Library, tmp_path: Path) -> None:
    name = next(iter(library.cuts))
    wanted = ("corpus", "quotes", name, "--db", str(library.store), "--scheduler", library.address)
    done = yanli(*wanted, "-o", str(tmp_path / "q.csv"))
    assert done.returncode == 0, done.stderr[-2000:]
    with (tmp_path / "q.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    sources = [row["source_work"] for row in rows]
    assert sources == sorted(sources), "they come in the order of their names"
    witness, held = library.cuts[name]
    # Seven lines have more than a hundred characters: of these a hundredth is altered, and long runs are not.
    near = {
        other
        for other, (theirs, lines) in library.cuts.items()
        if other != name and theirs == witness and len(range(max(held[0], lines[0]), min(held[-1], lines[-1]) + 1)) >= 7
    }
    assert len(near) > 2
    assert near <= set(sources)
    # The words of both sides stand in the files where it is said that they do.
    folder = library.store.with_name("texts")
    for row in rows[:40]:
        for side, work in (("", row["work"]), ("source_", row["source_work"])):
            text = (folder / work).read_text(encoding="utf-8")
            first = row[f"{side}words"].strip()[:1]
            assert text[int(row[f"{side}start"])] == first or not first


# What a process had at most is counted on from the one that began it, which here may be large: a small one is between.
MEASURE = """
import resource, subprocess, sys
code = subprocess.call(sys.argv[1:], stderr=subprocess.DEVNULL)
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def test_what_asks_the_cluster_stays_small(library: Library, tmp_path: Path) -> None:
    """What a command that goes through all works has in memory at most, the cluster's own processes not counted."""
    command = ("corpus", "quotes", next(iter(library.cuts)), "--db", str(library.store), "--scheduler", library.address)
    asked = [str(Path(sys.executable).with_name("yanli")), *command, "-o", str(tmp_path / "q.csv")]
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, *asked], capture_output=True, text=True, check=True, timeout=240
    )
    code, kilobytes = map(int, done.stdout.split())
    assert code == 0
    assert kilobytes < 400_000
