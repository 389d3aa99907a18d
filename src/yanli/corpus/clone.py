"""The witnesses of a text that are branches of a local git clone, as Kanripo keeps them.

Comes in: the folder of a clone, and names of branches. Goes out: the text files of each branch, laid down in a folder
for the import, each with its branch and commit. Nothing is fetched and the clone is not changed; git is only asked,
and of what a clone brings along (hooks, filters, settings of programs) nothing is run.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path
from threading import Timer
from typing import IO, NamedTuple, cast

import msgspec

from yanli.corpus.library import LARGEST, Item
from yanli.errors import Finding, RiteError

_SUFFIXES = (".txt", ".xml", ".md", ".html", ".org")
_REFS = ("refs/heads", "refs/remotes")
_FILES, _LINK, _MODULE = ("100644", "100755", "100664"), "120000", "160000"
_PATIENCE = 60.0
"""Seconds that git may take to answer, and a second more for every megabyte that it is asked for."""
_BLOCK = 1 << 20
_FOUND = 3
"""What git knows of something that it has: name, kind, size."""
_CAME = re.compile(r"(?P<clone>.+) (?P<branch>[^ ]+) (?P<commit>[0-9a-f]{40}|[0-9a-f]{64})", re.DOTALL)
# What is the user's own of git's variables; all others say where a clone lies, or what is to be run.
_KEPT = ("GIT_CONFIG", "GIT_EXEC_PATH")
_SAFE = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.alternateRefsCommand": "",
    "diff.external": "",
    "protocol.allow": "never",
}


class Laid(msgspec.Struct, frozen=True):
    """The files of a clone's branches, and how many symbolic links and submodules were left out."""

    items: tuple[Item, ...]
    links: int = 0
    modules: int = 0


class _Blob(NamedTuple):
    """A file of a branch: what it will be called, what git calls it, where it comes from."""

    name: str
    sha: str
    origin: str


def branches(clone: Path) -> dict[str, str]:
    """Give the branches of a clone, its own and those it was cloned from, each with its commit.

    Raises RiteError: ``no-clone`` where there is no git or no clone, ``slow-clone`` where git does not answer.
    """
    if _git(clone, "rev-parse", "--show-prefix").strip():
        raise _no_clone(clone, "it lies within one")
    told = _git(clone, "for-each-ref", "--format=%(refname)%09%(objectname)%09%(symref)", *_REFS)
    found: dict[str, str] = {}
    for row in told.decode("utf-8", "surrogateescape").splitlines():
        ref, commit, points = row.split("\t")
        # A clone has one branch of its own and the others as its origin's: refs/remotes/origin/NAME.
        name = ref.removeprefix("refs/heads/") if ref.startswith("refs/heads/") else ref.split("/", 3)[-1]
        if not points:
            found.setdefault(_shown(name), commit)
    return found


def witnesses(clone: Path, wanted: Sequence[str], folder: Path, taken: Mapping[str, str] | None = None) -> Laid:
    """Lay the text files of branches (names, or patterns as ``*``) into a folder, and give them for the import.

    A work is called ``BRANCH/FILE``; its origin names clone, branch and commit. ``taken`` are works that there are
    already, each with its origin: where one of another clone has the name of one of these, or where this clone's were
    called so before, all of this clone's are called ``CLONE/BRANCH/FILE`` by its folder. Symbolic links and submodules
    are no texts; a file that is too large, or not in the clone, is given with the reason. Raises RiteError:
    ``no-clone``, ``slow-clone``, ``no-branch`` for a name or pattern that no branch has.
    """
    known = branches(clone)
    chosen: dict[str, str] = {}
    for pattern in wanted:
        matched = {name: commit for name, commit in known.items() if fnmatchcase(name, pattern)}
        if not matched:
            raise RiteError(
                Finding(code="no-branch", cause=f"{clone} has no branch {pattern}", known="、".join(sorted(known)))
            )
        chosen |= matched
    blobs: list[_Blob] = []
    links = modules = 0
    for name, commit in sorted(chosen.items()):
        for mode, sha, path in _tree(clone, commit):
            links += mode == _LINK
            modules += mode == _MODULE
            if mode in _FILES and path.endswith(_SUFFIXES):
                blobs.append(_Blob(f"{name}/{_shown(path)}", sha, f"{clone} {name} {commit}"))
    prefix = _prefix(clone, [blob.name for blob in blobs], taken or {})
    return Laid(tuple(_lay(clone, [blob._replace(name=prefix + blob.name) for blob in blobs], folder)), links, modules)


def _tree(clone: Path, commit: str) -> Iterator[tuple[str, str, str]]:
    """All that a commit has: mode, git's name, path."""
    told = _git(clone, "ls-tree", "-r", "-z", "--full-tree", commit).decode("utf-8", "surrogateescape")
    for row in filter(None, told.split("\0")):
        head, path = row.split("\t", 1)
        mode, _, sha = head.split(" ")
        yield mode, sha, path


def _prefix(clone: Path, names: Sequence[str], taken: Mapping[str, str]) -> str:
    """What stands before the names of a clone's works so that none is that of another clone's."""
    told = {name: _CAME.fullmatch(origin) for name, origin in taken.items()}
    came = {name: origin for name, origin in told.items() if origin}
    commits = sorted({origin["commit"] for origin in came.values()})
    here = {commit for commit, size in zip(commits, _sizes(clone, commits), strict=True) if size is not None}
    where = clone.resolve()
    others: set[str] = set()
    mine: set[str] = set()
    for name, origin in came.items():
        # The same clone may have been moved, or be called from elsewhere: then it has the commit.
        if origin["commit"] not in here and Path(origin["clone"]).resolve() != where:
            others.add(name)
        elif (at := f"/{name}".find(f"/{origin['branch']}/")) >= 0:
            mine.add(name[:at])
    own = _shown(where.name) or "clone"
    choices = (*sorted(mine), "", f"{own}/", *(f"{own}-{number}/" for number in range(2, len(others) + 3)))
    return next(prefix for prefix in choices if not any(prefix + name in others for name in names))


def _lay(clone: Path, blobs: Sequence[_Blob], folder: Path) -> Iterator[Item]:
    """Write files down under names of our own: what they are called in the clone is no path here."""
    seen: set[str] = set()
    sizes = _sizes(clone, [blob.sha for blob in blobs])
    due = {blob.sha: size for blob, size in zip(blobs, sizes, strict=True) if size is not None and size <= LARGEST}
    _write(clone, due, folder)
    for blob, size in zip(blobs, sizes, strict=True):
        if blob.name in seen:
            told = "another file of the branch has the same name"
        elif size is None:
            told = f"the clone has no {blob.sha}: it was cloned in part, or is damaged"
        else:
            told = f"{size} bytes are more than {LARGEST}" if size > LARGEST else ""
        seen.add(blob.name)
        yield Item(blob.name, str(folder / blob.sha), blob.origin, told)


def _sizes(clone: Path, shas: Sequence[str]) -> list[int | None]:
    """How large what git calls so is; None for what is not there."""
    if not shas:
        return []
    try:
        told = _git(clone, "cat-file", "--batch-check", asked="".join(f"{sha}\n" for sha in shas).encode())
    except RiteError as fault:
        # Git ends at the first file that it would have to fetch. Of what is here, it tells everything.
        if fault.findings[0].code != "no-clone":
            raise
        told = _git(clone, "cat-file", "--batch-check", "--batch-all-objects", "--unordered")
    rows = (row.split() for row in told.decode().splitlines())
    found = {row[0]: int(row[2]) for row in rows if len(row) == _FOUND and row[2].isdigit()}
    return [found.get(sha) for sha in shas]


def _write(clone: Path, due: Mapping[str, int], folder: Path) -> None:
    """Write what git calls so down, each into a file of this name; one git gives them all, one after another."""
    if not due:
        return
    patience = _PATIENCE + sum(due.values()) / 1e6
    with _running(clone, ["cat-file", "--batch"], "".join(f"{sha}\n" for sha in due).encode(), patience) as given:
        for sha, size in due.items():
            if given.readline().split() != [sha.encode(), b"blob", str(size).encode()]:
                raise _no_clone(clone, f"{sha} cannot be read")
            with (folder / sha).open("wb") as file:
                left = size
                while left:
                    block = given.read(min(left, _BLOCK))
                    if not block:
                        raise _no_clone(clone, f"{sha} is cut off")
                    file.write(block)
                    left -= len(block)
            given.read(1)


@contextmanager
def _running(clone: Path, words: Sequence[str], asked: bytes, patience: float) -> Iterator[IO[bytes]]:
    """What a git gives while it is running; it is ended when it takes too long, and in any case at the end."""
    with tempfile.TemporaryFile() as questions:
        questions.write(asked)
        questions.seek(0)
        late: list[bool] = []
        with subprocess.Popen(  # noqa: S603 - no shell, and git only reads
            _command(clone, words),
            stdin=questions,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_surroundings(clone),
        ) as run:
            timer = Timer(patience, _stopper(run, late))
            timer.start()
            try:
                yield cast("IO[bytes]", run.stdout)
            except RiteError:
                if late:
                    raise _slow(clone, patience) from None
                raise
            finally:
                timer.cancel()
                run.kill()


def _stopper(run: subprocess.Popen[bytes], late: list[bool]) -> Callable[[], None]:
    """What ends a process, and remembers that it did."""

    def stop() -> None:
        late.append(True)
        run.kill()

    return stop


def _git(clone: Path, *words: str, asked: bytes = b"") -> bytes:
    """Ask git about a clone."""
    command = _command(clone, words)
    try:
        run = subprocess.run(  # noqa: S603 - no shell, and git only reads
            command, input=asked, capture_output=True, check=False, timeout=_PATIENCE, env=_surroundings(clone)
        )
    except subprocess.TimeoutExpired:
        raise _slow(clone, _PATIENCE) from None
    except OSError as reason:
        raise _no_clone(clone, str(reason)) from reason
    if run.returncode:
        raise _no_clone(clone, run.stderr.decode("utf-8", "replace").strip())
    return run.stdout


def _command(clone: Path, words: Sequence[str]) -> list[str]:
    """A call of git for a clone, with all settings off by which it would run anything else."""
    git = shutil.which("git")
    if git is None:
        raise RiteError(Finding(code="no-clone", cause="git is not installed; it is needed to read a clone's branches"))
    settings = [part for name, value in _SAFE.items() for part in ("-c", f"{name}={value}")]
    return [git, "-C", str(clone.resolve()), "--no-pager", *settings, *words]


def _surroundings(clone: Path) -> dict[str, str]:
    """The environment for git: a clone is this folder or none, nothing is fetched, asked for, locked or replaced."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name.startswith(_KEPT)}
    return kept | {
        "GIT_CEILING_DIRECTORIES": str(clone.resolve().parent),
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "LC_ALL": "C",
    }


def _shown(path: str) -> str:
    r"""A path as a name: what cannot be shown is written as an escape (``\x1b``), and so are the steps of ``..``."""
    words = "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in path)
    steps = [step.replace(".", r"\x2e") if step in (".", "..") else step for step in words.split("/") if step]
    return "/".join(steps)


def _no_clone(clone: Path, told: str) -> RiteError:
    return RiteError(Finding(code="no-clone", cause=f"{clone} is no git clone that can be read: {told}"))


def _slow(clone: Path, patience: float) -> RiteError:
    return RiteError(Finding(code="slow-clone", cause=f"git did not give what {clone} has within {patience:.0f} s"))
