"""Witnesses that are branches of a git clone come in with their commit."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from yanli.corpus.clone import branches, witnesses
from yanli.errors import RiteError

GIT = shutil.which("git") or ""
pytestmark = pytest.mark.skipif(not GIT, reason="needs git")


def git(folder: Path, *words: str) -> str:
    named = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "init.defaultBranch=master")
    run = subprocess.run([GIT, "-C", str(folder), *named, *words], capture_output=True, check=True)
    return run.stdout.decode().strip()


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone with two branches, one of which it has only from where it was cloned."""
    first = tmp_path / "first"
    first.mkdir()
    git(first, "init", "-q")
    for name, words in (("SBCK", "鄕射之禮"), ("WYG", "郷射之禮")):
        git(first, "checkout", "-q", "-b", name)
        (first / "005.txt").write_bytes(words.encode())
        (first / "Readme.bin").write_bytes(b"\0")
        git(first, "add", "-A")
        git(first, "commit", "-q", "-m", name)
    git(tmp_path, "clone", "-q", str(first), "second")
    return tmp_path / "second"


def test_every_branch_is_a_witness_with_its_commit(clone: Path, tmp_path: Path) -> None:
    known = branches(clone)
    assert set(known) == {"SBCK", "WYG"}
    (tmp_path / "laid").mkdir()
    found = witnesses(clone, ["*"], tmp_path / "laid")
    assert [item.name for item in found] == ["SBCK/005.txt", "WYG/005.txt"]
    assert [Path(item.path).read_text(encoding="utf-8") for item in found] == ["鄕射之禮", "郷射之禮"]
    assert [item.origin.split()[-1] for item in found] == [known["SBCK"], known["WYG"]]
    assert git(clone, "status", "--porcelain") == ""


def test_what_is_no_branch_or_no_clone_is_told(clone: Path, tmp_path: Path) -> None:
    with pytest.raises(RiteError) as fault:
        witnesses(clone, ["CHANT"], tmp_path)
    assert fault.value.findings[0].known == "SBCK、WYG"
    (tmp_path / "plain").mkdir()
    with pytest.raises(RiteError, match="no git clone"):
        branches(tmp_path / "plain")
