"""Ctrl-C, heard by all processes of a terminal, ends a long import or search plainly and leaves nobody behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.terminal import PATIENCE, terminal

from yanli.corpus.library import items
from yanli.corpus.store import Store

# Without Dask the standard library's processes do the work.
# What a shell has put into the background hears no Ctrl-C, nor does what it begins.
CALL = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
if sys.argv.pop(1) == "plain":
    from yanli.corpus import cluster
    cluster.find_spec = lambda _: None
from yanli.cli import main
print("begun")
main()
"""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are told otherwise here")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Enough files to be worth several processes, that take a while."""
    found = tmp_path_factory.mktemp("many")
    words = "主人戒賓賓拜辱主人答拜乃請〈注請告也告賓以射事不言拜辱此為習民以禮樂不主為賓己也〉賓禮辭許" * 2000
    for number in range(80):
        (found / f"{number:02}.txt").write_text(f"{number}{words}", encoding="utf-8")
    return found


def interrupted(arguments: list[str], after: str, pause: float) -> tuple[int, str]:
    """Run a command and press Ctrl-C, ``pause`` seconds after it said this: its status and its words."""
    with terminal(CALL, *arguments) as command:
        command.hear(after)
        time.sleep(pause)
        status = command.press(signal.SIGINT)
    return status, command.said


@pytest.mark.parametrize("by", ["dask", "plain"])
@pytest.mark.parametrize(
    ("after", "pause"), [("begun", 0.2), ("begun", 0.6), ("begun", 1.2), ("added", 0), ("added", 0.5), ("added", 1)]
)
def test_an_import_ends_plainly(tmp_path: Path, folder: Path, by: str, after: str, pause: float) -> None:
    path = tmp_path / "s"
    status, said = interrupted([by, "corpus", "add", "--db", str(path), "--workers", "2", str(folder)], after, pause)
    assert status == 130, said
    assert "Traceback" not in said
    assert "Error" not in said
    # What was told as taken in is there, and the rest can be taken in after it.
    told = said.count("入 added")
    if path.exists():
        with Store.open(path) as store:
            names = {entry.name for entry in store.entries()}
            assert told <= len(names) <= 80
            assert names <= {item.name for item in items([folder])}
    else:
        assert told == 0


LARGE = """
import itertools, os, signal, threading
from yanli.corpus import cluster
cluster.find_spec = lambda _: None
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    with cluster.processes(2, None) as pool:
        for number, _ in enumerate(cluster.results(bytes, itertools.repeat(3_000_000), pool)):
            if number == 5:
                threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
except KeyboardInterrupt:
    print("heard")
"""


def test_processes_that_are_ended_while_they_speak_are_not_waited_for() -> None:
    for _ in range(3):
        call = [sys.executable, "-c", LARGE]
        done = subprocess.run(call, check=False, capture_output=True, encoding="utf-8", timeout=PATIENCE)
        assert (done.returncode, done.stdout, done.stderr) == (0, "heard\n", "")


def test_an_expression_that_takes_long_ends_plainly(tmp_path: Path, folder: Path) -> None:
    path = tmp_path / "s"
    few = tmp_path / "few"
    few.mkdir()
    shutil.copy(folder / "00.txt", few)
    call = [sys.executable, "-c", CALL, "dask", "corpus"]
    subprocess.run([*call, "add", "--db", str(path), str(few)], check=True, capture_output=True, timeout=PATIENCE)
    subprocess.run([*call, "search", "--db", str(path), "主人"], check=True, capture_output=True, timeout=PATIENCE)
    for pause in (1.0, 2.0, 4.0):
        status, said = interrupted(
            ["dask", "corpus", "search", "--db", str(path), "--regex", r"(.*.*)*(.*.*)*[^\w\W]"], "begun", pause
        )
        assert (status, said) == (130, "begun\n")
