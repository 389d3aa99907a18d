"""Answers are kept within bounds, and what lies broken on disk is taken for nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from yanli.server.limits import MEBIBYTE, Limits
from yanli.server.shelf import OVERHEAD, Shelf
from yanli.server.work import Reply


def reply(size: int) -> Reply:
    return Reply(status=200, body=b"x" * size)


def test_the_one_not_asked_for_the_longest_goes_first(tmp_path: Path) -> None:
    shelf = Shelf(Limits(kept=1), tmp_path)
    third = MEBIBYTE // 3 - OVERHEAD
    for key in "abc":
        shelf.put(key, reply(third))
    assert shelf.get("a") is not None
    shelf.put("d", reply(third))
    assert [key for key in "abcd" if shelf.get(key)] == ["a", "c", "d"]
    assert shelf.size <= MEBIBYTE


def test_size_is_what_is_kept(tmp_path: Path) -> None:
    shelf = Shelf(Limits(kept=1), tmp_path)
    for size in (10, 2000, 5):
        shelf.put("a", reply(size))
    assert shelf.size == 5 + OVERHEAD
    shelf.put("large", reply(MEBIBYTE))
    assert (shelf.get("large"), shelf.size) == (None, 0)


def test_what_is_stored_is_fetched_by_another(tmp_path: Path) -> None:
    Shelf(Limits(), tmp_path).store("key", b"content")
    assert Shelf(Limits(), tmp_path).fetch("key") == b"content"
    assert Shelf(Limits(), tmp_path).fetch("other") is None


@pytest.mark.parametrize("damage", [b"", b"short", b"\0" * 400])
def test_what_is_broken_is_nothing(tmp_path: Path, damage: bytes) -> None:
    shelf = Shelf(Limits(), tmp_path)
    shelf.store("key", b"content" * 40)
    (tmp_path / "key").write_bytes(damage)
    assert shelf.fetch("key") is None
    shelf.store("key", b"content")
    assert shelf.fetch("key") == b"content"


def test_one_byte_that_is_otherwise_is_seen(tmp_path: Path) -> None:
    shelf = Shelf(Limits(), tmp_path)
    shelf.store("key", b"content")
    written = bytearray((tmp_path / "key").read_bytes())
    written[-1] ^= 1
    (tmp_path / "key").write_bytes(bytes(written))
    assert shelf.fetch("key") is None


def test_the_disk_is_not_filled(tmp_path: Path) -> None:
    shelf = Shelf(Limits(stored=1), tmp_path)
    for number in range(5):
        shelf.store(f"key{number}", os.urandom(MEBIBYTE // 3))
        os.utime(tmp_path / f"key{number}", ns=(number, number))
    shelf.store("last", b"content")
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= MEBIBYTE
    assert shelf.fetch("last") == b"content"
    assert shelf.fetch("key0") is None


@pytest.mark.parametrize("how", ["limit", "environment", "no folder"])
def test_nothing_is_written_where_nothing_may_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    folder = tmp_path / "stage"
    if how == "environment":
        monkeypatch.setenv("YANLI_NO_CACHE", "1")
    if how == "no folder":
        folder.write_text("a file stands where the folder should", encoding="utf-8")
    shelf = Shelf(Limits(stored=0 if how == "limit" else 1), folder)
    shelf.store("key", b"content")
    assert shelf.fetch("key") is None
    assert not folder.is_dir()
