"""Witnesses that are branches of a git clone come in with their commit; of the clone nothing is run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from yanli.corpus import clone as module
from yanli.corpus.clone import branches, witnesses
from yanli.corpus.library import import_files
from yanli.corpus.store import Store
from yanli.errors import RiteError

GIT = shutil.which("git") or ""
pytestmark = pytest.mark.skipif(not GIT, reason="needs git")


def git(folder: Path, *words: str, given: bytes = b"") -> str:
    named = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "init.defaultBranch=master")
    run = subprocess.run([GIT, "-C", str(folder), *named, *words], input=given, capture_output=True, check=True)
    return run.stdout.decode().strip()


def repository(folder: Path, **files: str) -> Path:
    """A clone with one branch, WYG, and these files in it."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q")
    git(folder, "checkout", "-q", "-b", "WYG")
    for name, words in files.items():
        (folder / f"{name}.txt").write_text(words, encoding="utf-8")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    return folder


def laid(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    return folder


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
    found = witnesses(clone, ["*"], laid(tmp_path / "laid")).items
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


def test_a_folder_that_is_no_clone_does_not_find_an_outer_one(tmp_path: Path) -> None:
    outer = repository(tmp_path / "outer", a="賓")
    (outer / "inner").mkdir()
    for folder in (outer / "inner", outer / ".git" / "objects", tmp_path / "none"):
        with pytest.raises(RiteError, match="no git clone"):
            branches(folder)
    # A variable that says where a clone lies, as there is within a hook of git, is not gone by.
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_DIR", str(outer / ".git"))
        with pytest.raises(RiteError, match="no git clone"):
            branches(outer / "inner")
    # Git reads a colon in a path as the end of it, where it is told up to which folder to look.
    other = repository(tmp_path / "a:b" / "outer", a="賓")
    (other / "inner").mkdir()
    with pytest.raises(RiteError, match="it lies within one"):
        branches(other / "inner")
    linked = tmp_path / "linked"
    linked.symlink_to(outer / "inner")
    with pytest.raises(RiteError, match="no git clone"):
        branches(linked)


def test_of_a_clone_nothing_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clone = repository(tmp_path / "clone", a="賓")
    ran = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!{sys.executable}\nopen({str(ran)!r}, 'w').close()\n", encoding="utf-8")
    program.chmod(0o755)
    (clone / ".gitattributes").write_text("*.txt diff=own filter=own\n", encoding="utf-8")
    git(clone, "add", "-A")
    git(clone, "commit", "-q", "-m", "second")
    names = ("core.fsmonitor", "core.pager", "core.sshCommand", "core.editor", "diff.external", "diff.own.textconv")
    for name in (*names, "filter.own.smudge", "core.alternateRefsCommand", "credential.helper", "gpg.program"):
        git(clone, "config", name, str(program))
    for hook in ("reference-transaction", "post-checkout", "post-index-change", "fsmonitor-watchman"):
        shutil.copy(program, clone / ".git" / "hooks" / hook)
    for name in ("GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_ASKPASS", "GIT_SSH_COMMAND", "GIT_PROXY_COMMAND"):
        monkeypatch.setenv(name, str(program))
    found = witnesses(clone, ["*"], laid(tmp_path / "laid")).items
    assert [Path(item.path).read_bytes() for item in found] == ["賓".encode()]
    assert not ran.exists()
    # The program does what it should where it is called.
    subprocess.run([str(program)], check=True)
    assert ran.exists()


def test_links_and_submodules_are_left_out_and_counted(tmp_path: Path) -> None:
    other = repository(tmp_path / "other", b="主")
    clone = repository(tmp_path / "clone", a="賓")
    secret = tmp_path / "secret.txt"
    secret.write_text("secret", encoding="utf-8")
    (clone / "link.txt").symlink_to(secret)
    (clone / "up").symlink_to(tmp_path)
    git(clone, "add", "-A")
    git(clone, "update-index", "--add", "--cacheinfo", f"160000,{git(other, 'rev-parse', 'HEAD')},part.txt")
    git(clone, "commit", "-q", "-m", "second")
    found = witnesses(clone, ["*"], laid(tmp_path / "laid"))
    assert [item.name for item in found.items] == ["WYG/a.txt"]
    assert (found.links, found.modules) == (2, 1)


def test_odd_paths_do_no_harm(tmp_path: Path) -> None:
    clone = repository(tmp_path / "clone")
    sha = git(clone, "hash-object", "-w", "--stdin", given="賓".encode())
    # Git itself adds no such paths; whoever makes a clone for others can.
    inner = git(clone, "mktree", "-z", given=f"100644 blob {sha}\tx.txt\0".encode())
    bare = bytes.fromhex(inner)
    plain = bytes.fromhex(sha)
    rows = b"".join(
        [
            b"40000 ..\0" + bare,
            b"100644 \x1b[2J.txt\0" + plain,
            b"100644 \xff.txt\0" + plain,
            b"100644 a b.txt\0" + plain,
        ]
    )
    tree = git(clone, "hash-object", "-w", "-t", "tree", "--literally", "--stdin", given=rows)
    git(clone, "update-ref", "refs/heads/odd", git(clone, "commit-tree", tree, "-m", "odd"))
    folder = laid(laid(tmp_path / "deep") / "laid")
    found = witnesses(clone, ["odd"], folder).items
    assert sorted(item.name for item in found) == [
        r"odd/\udcff.txt",
        r"odd/\x1b[2J.txt",
        r"odd/\x2e\x2e/x.txt",
        "odd/a b.txt",
    ]
    assert {Path(item.path).parent for item in found} == {folder}
    assert {Path(item.path).read_bytes() for item in found} == {"賓".encode()}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["clone", "deep"]


def test_works_of_two_clones_have_names_of_their_own(tmp_path: Path) -> None:
    first = repository(tmp_path / "one" / "KR1d0026", a="賓")
    second = repository(tmp_path / "two" / "KR1d0038", a="主", b="介")
    third = repository(tmp_path / "three" / "KR1d0038", a="眾")
    with Store.open(tmp_path / "s.sqlite") as store:

        def added(clone: Path, number: int) -> list[str]:
            taken = {entry.name: entry.origin for entry in store.entries()}
            found = witnesses(clone, ["WYG"], laid(tmp_path / str(number)), taken).items
            assert {outcome.fate for outcome in import_files(store, found)} <= {"added", "there"}
            return [item.name for item in found]

        assert added(first, 1) == ["WYG/a.txt"]
        assert added(second, 2) == ["KR1d0038/WYG/a.txt", "KR1d0038/WYG/b.txt"]
        assert added(third, 3) == ["KR1d0038-2/WYG/a.txt"]
        # Again: what was called so is called so, also when it was moved, or has a commit more.
        assert added(first, 4) == ["WYG/a.txt"]
        moved = second.rename(tmp_path / "elsewhere")
        (moved / "c.txt").write_text("拜", encoding="utf-8")
        git(moved, "add", "-A")
        git(moved, "commit", "-q", "-m", "more")
        assert added(moved, 5) == [f"KR1d0038/WYG/{name}.txt" for name in "abc"]
        assert {name: store.bytes_of(name).decode() for name in store.names()} == {
            "WYG/a.txt": "賓",
            "KR1d0038/WYG/a.txt": "主",
            "KR1d0038/WYG/b.txt": "介",
            "KR1d0038/WYG/c.txt": "拜",
            "KR1d0038-2/WYG/a.txt": "眾",
        }


def test_what_is_too_large_or_not_there_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = repository(tmp_path / "whole", a="賓", b="主人" * 100)
    git(whole, "config", "uploadpack.allowFilter", "true")
    monkeypatch.setattr(module, "LARGEST", 100)
    with Store.open(tmp_path / "s.sqlite") as store:
        told = import_files(store, witnesses(whole, ["WYG"], laid(tmp_path / "laid")).items)
        assert [(each.name, each.fate) for each in told] == [("WYG/a.txt", "added"), ("WYG/b.txt", "missing")]
        assert told[1].told == "600 bytes are more than 100"
        # Cloned without its files: git would fetch each when it is asked for it.
        git(tmp_path, "clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{whole}", "part")
        told = import_files(store, witnesses(tmp_path / "part", ["WYG"], laid(tmp_path / "more")).items)
        assert [each.fate for each in told] == ["missing", "missing"]
        assert "was cloned in part" in told[0].told
    assert git(tmp_path / "part", "rev-list", "--objects", "--all", "--missing=print").count("?") == 2


@pytest.mark.skipif(os.name == "nt", reason="a program that sleeps is a script here")
def test_a_git_that_does_not_answer_is_not_waited_for(
    clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = laid(tmp_path / "bin") / "git"
    # It answers but for the contents of files, of which it gives nothing.
    script = f'#!/bin/sh\ncase "$*" in *"--batch") exec sleep 60;; esac\nexec {GIT} "$@"\n'
    slow.write_text(script, encoding="utf-8")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", str(slow.parent), prepend=os.pathsep)
    monkeypatch.setattr(module, "_PATIENCE", 2.0)
    with pytest.raises(RiteError) as fault:
        witnesses(clone, ["*"], laid(tmp_path / "laid"))
    assert fault.value.findings[0].code == "slow-clone"
    slow.write_text("#!/bin/sh\nexec sleep 60\n", encoding="utf-8")
    with pytest.raises(RiteError) as fault:
        branches(clone)
    assert fault.value.findings[0].code == "slow-clone"


def test_a_branch_of_a_remote_without_a_name_is_one(tmp_path: Path) -> None:
    clone = repository(tmp_path / "clone", a="賓")
    git(clone, "update-ref", "refs/remotes/trunk", "HEAD")
    assert set(branches(clone)) == {"WYG", "trunk"}


def test_a_bare_clone_and_a_worktree_are_clones(tmp_path: Path) -> None:
    first = repository(tmp_path / "first", a="賓")
    git(tmp_path, "clone", "-q", "--bare", str(first), "bare.git")
    git(first, "worktree", "add", "-q", str(tmp_path / "tree"), "-b", "SBCK")
    assert set(branches(tmp_path / "bare.git")) == {"WYG"}
    assert set(branches(tmp_path / "tree")) == {"SBCK", "WYG"}
    assert [item.name for item in witnesses(tmp_path / "bare.git", ["*"], laid(tmp_path / "laid")).items] == [
        "WYG/a.txt"
    ]
