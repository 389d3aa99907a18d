"""The witnesses of a text that are branches of a local git clone, as Kanripo keeps them.

Comes in: the folder of a clone, and names of branches. Goes out: the text files of each branch, laid down in a folder
for the import, each with its branch and commit. Nothing is fetched and the clone is not changed; git is only asked.
"""

from __future__ import annotations

import shutil
import subprocess
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from yanli.corpus.library import Item
from yanli.errors import Finding, RiteError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_SUFFIXES = (".txt", ".xml", ".md", ".html", ".org")
_REFS = ("refs/heads", "refs/remotes")


def branches(clone: Path) -> dict[str, str]:
    """Give the branches of a clone, its own and those it was cloned from, each with its commit.

    Raises RiteError (``no-clone``) where there is no git or no clone.
    """
    told = _git(clone, "for-each-ref", "--format=%(refname)%09%(objectname)%09%(symref)", *_REFS).decode()
    found: dict[str, str] = {}
    for row in told.splitlines():
        ref, commit, points = row.split("\t")
        # A clone has one branch of its own and the others as its origin's: refs/remotes/origin/NAME.
        name = ref.removeprefix("refs/heads/") if ref.startswith("refs/heads/") else ref.split("/", 3)[3]
        if not points:
            found.setdefault(name, commit)
    return found


def witnesses(clone: Path, wanted: Sequence[str], folder: Path) -> list[Item]:
    """Lay the text files of branches (names, or patterns as ``*``) into a folder, and give them for the import.

    A work is called ``BRANCH/FILE``; its origin names clone, branch and commit. Raises RiteError: ``no-clone``,
    ``no-branch`` for a name or pattern that no branch has.
    """
    known = branches(clone)
    found: list[Item] = []
    chosen: dict[str, str] = {}
    for pattern in wanted:
        matched = {name: commit for name, commit in known.items() if fnmatchcase(name, pattern)}
        if not matched:
            raise RiteError(
                Finding(code="no-branch", cause=f"{clone} has no branch {pattern}", known="、".join(sorted(known)))
            )
        chosen |= matched
    for name, commit in sorted(chosen.items()):
        files = _git(clone, "ls-tree", "-r", "-z", "--name-only", commit).decode("utf-8", "surrogateescape")
        for number, path in enumerate(filter(None, files.split("\0"))):
            if not path.endswith(_SUFFIXES):
                continue
            laid = folder / f"{commit[:12]}-{number}"
            laid.write_bytes(_git(clone, "cat-file", "blob", f"{commit}:{path}"))
            called = f"{name}/{path}".encode("utf-8", "backslashreplace").decode()
            found.append(Item(called, str(laid), f"{clone} {name} {commit}"))
    return found


def _git(clone: Path, *words: str) -> bytes:
    """Ask git about a clone."""
    git = shutil.which("git")
    if git is None:
        raise RiteError(Finding(code="no-clone", cause="git is not installed; it is needed to read a clone's branches"))
    asked = [git, "-C", str(clone), "--no-pager", *words]
    run = subprocess.run(asked, capture_output=True, check=False)  # noqa: S603 - no shell, and git only reads
    if run.returncode:
        told = run.stderr.decode("utf-8", "replace").strip()
        raise RiteError(Finding(code="no-clone", cause=f"{clone} is no git clone that can be read: {told}"))
    return run.stdout
