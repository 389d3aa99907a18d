"""Make a folder hold given files and no others, touching only what is not so already."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path


def fill(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write each file (path below the folder -> content) that is missing or other, and remove what is not named.

    A file is put in place whole, so that a page which is just being served sees the old or the new one.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh = path.with_name(f".{path.name}.new")
            fresh.write_bytes(content)
            fresh.replace(path)
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif path.relative_to(folder).as_posix() not in files:
            path.unlink()


def as_json(what: object) -> bytes:
    """JSON as a person would want to read it."""
    return (json.dumps(what, ensure_ascii=False, indent=2) + "\n").encode()
