"""Lay the page's libraries beside the page: out of ``node_modules/`` into ``src/yanli/web/vendor/``.

Comes in: what ``npm ci`` installed. Goes out: the ES modules that the page imports and all that they import, each
package with its licence; ``importmap.json``, which gives every module its bare name (name -> path below ``web/``); and
``packages.json``, which says what came from where and under which licence.

Between modules of one package the libraries write relative paths. These become bare names here, because in the page
that is one file every module is a ``data:`` URL, from which no relative path leads anywhere.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Any

from folder import as_json, fill

ROOT = Path(__file__).resolve().parents[1]
MODULES = ROOT / "node_modules"
WEB = ROOT / "src" / "yanli" / "web"
VENDOR = WEB / "vendor"

# What a module of ours may always import. What one imports beyond these, and what all of them import in turn, is found
# by reading.
WANTED = (
    "lit",
    "lit/async-directive.js",
    "lit/directive.js",
    "lit/directives/cache.js",
    "lit/directives/class-map.js",
    "lit/directives/guard.js",
    "lit/directives/if-defined.js",
    "lit/directives/keyed.js",
    "lit/directives/live.js",
    "lit/directives/ref.js",
    "lit/directives/repeat.js",
    "lit/directives/style-map.js",
    "lit/directives/when.js",
    "three",
    "three/addons/controls/OrbitControls.js",
)
# Packages whose own entry is not the small form of it.
ENTRIES = {"three": "build/three.module.min.js"}
# `exports` of a package answers by condition; a browser takes the built form, never that for developing.
CONDITIONS = ("browser", "import", "default")
IMPORT = re.compile(
    r"""(?P<lead>(?:^|[;}\n])\s*(?:import|export)\b(?:[\w\s$,*{}]*?\bfrom)?\s*)(?P<quote>["'])(?P<name>[^"'\n]+)(?P=quote)"""
)
WHEN_ASKED = re.compile(r"""\bimport\(\s*(?P<quote>["'])(?P<name>[^"'\n]+)(?P=quote)\s*\)""")
SOURCE_MAP = re.compile(r"^//# sourceMappingURL=.*\n?", re.MULTILINE)


OWN = "yanli/"  # our own modules' names begin so


class VendorError(Exception):
    """What is missing or not as it was, in one sentence."""


def package_of(name: str) -> tuple[str, str]:
    """Part a bare name into its package and what is wanted of it ('' for the package itself)."""
    parts = name.split("/")
    size = 2 if name.startswith("@") else 1
    return "/".join(parts[:size]), "/".join(parts[size:])


def chosen(answer: Any) -> str | None:  # noqa: ANN401  # JSON of any shape
    """The path that a browser is given by one entry of a package's ``exports``."""
    if isinstance(answer, dict):
        return next((path for key in CONDITIONS if key in answer and (path := chosen(answer[key]))), None)
    return str(answer).removeprefix("./") if answer else None


def resolved(name: str, modules: Path = MODULES) -> str:
    """The file of a bare name, as path below ``node_modules/``; VendorError where there is none."""
    package, rest = package_of(name)
    about = modules / package / "package.json"
    if not about.is_file():
        raise VendorError(f"{name}: the package {package} is not in {modules.name}/; run `make web`, which installs it")
    if not rest and package in ENTRIES:
        path: str | None = ENTRIES[package]
    else:
        described = json.loads(about.read_text(encoding="utf-8"))
        exports = described.get("exports", {})
        path = chosen(exports.get(f"./{rest}" if rest else "."))
        for pattern, answer in exports.items():
            before, star, after = pattern.removeprefix("./").partition("*")
            if path is None and star and rest.startswith(before) and rest.endswith(after):
                path = (chosen(answer) or "").replace("*", rest.removeprefix(before).removesuffix(after))
    if not path or not (modules / package / path).is_file():
        raise VendorError(f"{name}: {package} has no such module; look into the exports of its package.json")
    return f"{package}/{path}"


def gathered(modules: Path = MODULES, wanted: Iterable[str] | None = None) -> tuple[dict[str, str], dict[str, str]]:
    """All modules that the page needs: those wanted by name (else all that ours import) and what these import.

    Gives back the names (bare name -> path below ``vendor/``) and the texts (path -> the module's text, in which every
    import is by a bare name).
    """
    names: dict[str, str] = {}
    homes: dict[str, str] = {}  # the name under which a file is imported by others
    texts: dict[str, str] = {}
    asked_for = sorted({*WANTED, *imported()} if wanted is None else wanted)
    ahead = [(name, resolved(name, modules)) for name in asked_for]
    while ahead:
        name, path = ahead.pop(0)
        names[name] = path
        if path in texts:
            continue
        homes.setdefault(path, name)
        text = SOURCE_MAP.sub("", (modules / path).read_text(encoding="utf-8"))

        def bare(found: re.Match[str], path: str = path) -> str:
            asked = found["name"]
            if asked.startswith("."):
                there = joined(path, asked)
                asked = homes.setdefault(there, own_name(there))
            else:
                there = resolved(asked, modules)
                homes.setdefault(there, asked)
            ahead.append((asked, there))
            return f"{found['lead']}{found['quote']}{asked}{found['quote']}"

        texts[path] = IMPORT.sub(bare, text)
    return dict(sorted(names.items())), dict(sorted(texts.items()))


def imported(web: Path = WEB) -> set[str]:
    """The bare names that our own modules import from libraries, at their head or when asked for."""
    texts = (path.read_text(encoding="utf-8") for path in sorted(web.glob("*.js")))
    names = (found["name"] for text in texts for how in (IMPORT, WHEN_ASKED) for found in how.finditer(text))
    return {name for name in names if not name.startswith((OWN, "."))}


def joined(path: str, relative: str) -> str:
    """Where a relative path leads, seen from a file; both below ``node_modules/``."""
    parts = list(PurePosixPath(path).parent.parts)
    for part in PurePosixPath(relative).parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)


def own_name(path: str) -> str:
    """The bare name of a file that others import only by a relative path; a package's chief file has the package's."""
    package, rest = package_of(path)
    return package if rest in {"lit-html.js", "reactive-element.js"} else f"{package}/{rest}"


def licence_of(package: str, modules: Path = MODULES) -> Path:
    """The file with a package's licence; VendorError where it has none, for then it may not be shipped."""
    for name in ("LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE"):
        if (modules / package / name).is_file():
            return modules / package / name
    raise VendorError(f"{package} has no licence file; it cannot be shipped")


def lay(vendor: Path = VENDOR, modules: Path = MODULES) -> dict[str, str]:
    """Lay the folder and give back the import map's names (bare name -> path below ``web/``)."""
    names, texts = gathered(modules)
    files = {path: text.encode() for path, text in texts.items()}
    about = []
    for package in sorted({package_of(path)[0] for path in texts}):
        described = json.loads((modules / package / "package.json").read_text(encoding="utf-8"))
        files[f"{package}/LICENSE"] = licence_of(package, modules).read_bytes()
        about.append(
            {
                "name": package,
                "version": described["version"],
                "licence": described["license"],
                "text": f"vendor/{package}/LICENSE",
            }
        )
    imports = {name: f"vendor/{path}" for name, path in names.items()}
    files["importmap.json"] = as_json({"imports": imports})
    files["packages.json"] = as_json(about)
    fill(vendor, files)
    return imports


def main() -> int:
    """Lay the libraries and say how much it is; 1 and a sentence where something is missing."""
    try:
        imports = lay()
    except VendorError as error:
        print(f"tools/vendor.py: {error}", file=sys.stderr)
        return 1
    files = {VENDOR.parent / path for path in imports.values()}
    size = sum(path.stat().st_size for path in files)
    print(f"web/vendor: {len(files)} modules, {size / 1e6:.2f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
