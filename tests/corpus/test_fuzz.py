"""Whatever bytes come in: nothing breaks, nothing hangs, nothing grows without bound, and they come out again."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from yanli.corpus.library import import_files, items
from yanli.corpus.search import Index, Query
from yanli.corpus.segment import read_text
from yanli.corpus.store import Store, pack

SIGNS = (
    "〈〉（）()【】<>/¶○□■▯&;KR0764\u3000 \n\r\t"
    "主人賓拜注疏釋曰案譯译正義敖氏繼公曰：，。?！？∽\x00\ud800\udc80\ufeff𠀀#*"
)
HOSTILE = {
    "laughs": b'<?xml version="1.0"?><!DOCTYPE TEI [<!ENTITY a "ha">'
    + b"".join(b'<!ENTITY %c "%s">' % (98 + i, b"&%c;" % (97 + i) * 10) for i in range(12))
    + b']><TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body><p>&m;</p></body></text></TEI>',
    "outside": b'<!DOCTYPE TEI [<!ENTITY x SYSTEM "file:///etc/passwd">]><TEI><text><body><p>&x;</p></body></text></TEI>',
    "cut": '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body><p>主人'.encode(),
    "deep": b"<div>" * 20_000 + "賓".encode(),
    "attributes": b"<p " + b" ".join(b'a%d="x"' % i for i in range(20_000)) + b">",
    "open": ("〈（(【" * 10_000 + "賓").encode(),
    "shut": ("〉）)】" * 10_000 + "賓").encode(),
    "pages": ("<pb:KR1d0026_X_004-2a>¶\n" * 5_000).encode(),
    "html": b"<!DOCTYPE html><html><body>" + b"<table><tr><td>" * 5_000 + b"<script>alert(1)</script><!-- ",
    "binary": bytes(range(256)) * 400,
    "zeros": b"\0" * 200_000,
    "utf16": "\ufeff主人戒賓".encode("utf-16-le") + b"\x00",
    "returns": b"\r" * 20_000 + b"\n" * 20_000,
    "marks": "賓\u0301".encode() * 20_000,
    "empty": b"",
}


def checked(store: Store, data: bytes, name: str) -> None:
    """Take bytes in, and see that they and their text come out again and that nothing is unassigned."""
    text = read_text(data, name)
    assert sum(text.shares().values()) == len(text.text)
    ends = [0, *(piece.end for piece in text.pieces)]
    assert [piece.start for piece in text.pieces] == ends[:-1]
    store.add(pack(data, text), replace=True)
    assert store.bytes_of(name) == data
    assert store.text(name) == text


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "c.sqlite") as opened:
        yield opened


@given(words=st.text(SIGNS, max_size=120))
@settings(max_examples=150, deadline=None)
def test_signs_in_any_order(tmp_path_factory: pytest.TempPathFactory, words: str) -> None:
    with Store.open(tmp_path_factory.mktemp("f") / "c.sqlite") as store:
        checked(store, words.encode("utf-8", "surrogatepass"), "x.txt")


@given(data=st.binary(max_size=300))
@settings(max_examples=100, deadline=None)
def test_bytes_in_any_order(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    with Store.open(tmp_path_factory.mktemp("f") / "c.sqlite") as store:
        checked(store, data, "x.xml")


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files(store: Store, name: str) -> None:
    begun = time.monotonic()
    checked(store, HOSTILE[name], f"{name}.xml")
    with Index.open(store) as index:
        found = index.search(Query(words="root")).hits
    assert not found, "nothing is fetched from outside"
    assert time.monotonic() - begun < 20


@pytest.mark.parametrize("number", range(6))
def test_texts_cut_shuffled_and_stirred(store: Store, shared: Callable[..., Path], number: int) -> None:
    sources = sorted(shared("sources", "README.md").parent.glob("*.txt"))
    data = sources[number % len(sources)].read_bytes()[:60_000]
    chance = random.Random(number)  # noqa: S311 - no secret
    start = chance.randrange(len(data) // 2)
    checked(store, data[start : start + 20_000], "cut")
    lines = data.splitlines(keepends=True)
    chance.shuffle(lines)
    checked(store, b"".join(lines), "shuffled")
    stirred = bytearray(data)
    for _ in range(400):
        stirred[chance.randrange(len(stirred))] = chance.randrange(256)
    checked(store, bytes(stirred), "stirred")


def test_all_of_them_go_in_together(tmp_path: Path, store: Store) -> None:
    folder = tmp_path / "all"
    folder.mkdir()
    for name, data in HOSTILE.items():
        (folder / name).write_bytes(data)
    (folder / "good").write_text("主人戒賓", encoding="utf-8")
    outcomes = import_files(store, items([folder]), workers=1)
    assert {outcome.fate for outcome in outcomes} == {"added"}
    for name, data in HOSTILE.items():
        assert store.bytes_of(name) == data
    assert store._base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    with Index.open(store) as index:
        assert index.search(Query(words="主人戒宾")).hits[0].name == "good"


@pytest.mark.slow
def test_one_line_of_many_megabytes(tmp_path: Path) -> None:
    """Scaled: time and memory grow with the line and no faster, so one of a gigabyte needs as much more."""
    script = (
        "import sys, resource, time\n"
        "from yanli.corpus.segment import read_text\n"
        "from yanli.corpus.store import pack\n"
        "data = '主人戒賓賓出迎再拜'.encode() * (int(sys.argv[1]) // 27)\n"
        "t = time.process_time()\n"
        "pack(data, read_text(data, 'x'))\n"
        "print(time.process_time() - t, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
    )
    figures = []
    for size in (2 << 20, 8 << 20):
        told = subprocess.run(
            [sys.executable, "-c", script, str(size)], check=True, capture_output=True, text=True, cwd=tmp_path
        )
        seconds, memory = told.stdout.split()
        figures.append((float(seconds), int(memory)))
    assert figures[1][0] < 8 * figures[0][0] + 2, "four times as long takes about four times as much"
    grown = (figures[1][1] - figures[0][1]) * 1024 / (6 << 20)
    assert grown < 60, f"{grown:.0f} bytes of memory for each byte of the line"
