"""The house keeps its own order: one-way imports, small modules, plain names, a quick start."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
HOUSE = ROOT / "src" / "yanli"

# A room may import from the rooms before it, and from itself. A new room is entered here, in its place.
ROOMS = (
    "source",
    "errors",
    "signals",
    "rites",
    "lexicon",
    "corpus",
    "tables",
    "notation",
    "venue",
    "plan",
    "performance",
    "checks",
    "render",
    "live",
    "rehearsal",
    "server",
    "cli",
    "__main__",
)
LONGEST = 600
VAGUE = {"utils", "util", "helpers", "helper", "common", "manager", "managers"}
HEAVY = ("lark", "polars", "opencc", "pypinyin", "hanja")
RITES = re.compile(
    r"鄉射禮|乡射礼|鄉飲酒禮|乡饮酒礼|大射儀|大射仪|燕射|賓射|主皮之射|聘禮"
    r"|(?<![A-Za-z])(?:xiangshe|xiangyinjiu|dashe|yanshe|binshe|zhupi|pinli)(?![A-Za-z])"
)


def modules() -> list[Path]:
    """Every Python file of the package."""
    return sorted(HOUSE.rglob("*.py"))


def parse(path: Path) -> ast.Module:
    """The syntax tree of one file."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def name(path: Path) -> str:
    """A file as a reader of a failure looks for it."""
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name


def room_of(path: Path, house: Path = HOUSE) -> str | None:
    """The room in which a file stands; the package's own ``__init__`` stands in none."""
    first = path.relative_to(house).parts[0].removesuffix(".py")
    return None if first == "__init__" else first


def imported(path: Path, house: Path = HOUSE) -> Iterator[tuple[int, str]]:
    """Line and dotted name of every module of the package, and of every top name in it, that a file imports."""
    package = ("yanli", *path.relative_to(house).parts[:-1])
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            start = ".".join((*base, *(node.module or "").split("."))).strip(".")
            if start == "yanli":
                yield from ((node.lineno, f"yanli.{alias.name}") for alias in node.names)
            else:
                yield node.lineno, start


def arrows_back(path: Path, house: Path = HOUSE) -> list[str]:
    """What is wrong with the imports of one file, a line for each."""
    here = room_of(path, house)
    if here is not None and here not in ROOMS:
        return [f"{name(path)}: the room {here!r} has no place in ROOMS (tests/test_house.py)"]
    faults = []
    for line, module in imported(path, house):
        parts = module.split(".")
        if parts[0] != "yanli" or len(parts) == 1 or parts[1] not in ROOMS:
            continue
        there = parts[1]
        if here is None:
            faults.append(f"{name(path)}:{line}: the package itself imports {module}; let it be fetched when asked for")
        elif ROOMS.index(there) > ROOMS.index(here):
            faults.append(f"{name(path)}:{line}: {here} imports {module}, which stands after it")
    return faults


def test_imports_point_one_way() -> None:
    faults = [fault for path in modules() for fault in arrows_back(path)]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    ("where", "line", "wrong"),
    [
        ("plan/tree.py", "from yanli.performance.world import World", True),
        ("plan/tree.py", "from yanli import render", True),
        ("plan/tree.py", "from ..checks import rules", True),
        ("plan/tree.py", "import yanli.cli", True),
        ("source.py", "from yanli.errors import Fault", True),
        ("__init__.py", "from yanli.errors import Fault", True),
        ("pantry/jam.py", "import os", True),
        ("plan/tree.py", "from yanli.venue.places import Place", False),
        ("plan/tree.py", "from .names import Name", False),
        ("errors.py", "from yanli.source import Span", False),
        ("plan/tree.py", "from yanli import __version__", False),
        ("cli.py", "from yanli.server import serve", False),
    ],
)
def test_an_arrow_that_points_back_is_seen(tmp_path: Path, where: str, line: str, *, wrong: bool) -> None:
    path = tmp_path / where
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(line + "\n", encoding="utf-8")
    assert bool(arrows_back(path, tmp_path)) is wrong


def test_the_package_imports_only_the_standard_library() -> None:
    strange = [
        f"{name(HOUSE / '__init__.py')}:{line}: {module}"
        for line, module in imported(HOUSE / "__init__.py")
        if module.split(".")[0] not in {*sys.stdlib_module_names, "yanli"}
    ]
    assert not strange, "\n".join(strange)


def test_no_module_is_too_long() -> None:
    lengths = {name(path): len(path.read_text(encoding="utf-8").splitlines()) for path in modules()}
    long = [f"{path}: {lines} lines; over {LONGEST}" for path, lines in lengths.items() if lines > LONGEST]
    assert not long, "\n".join([*long, "Two things live in one room: part them."])


def test_no_module_has_a_vague_name() -> None:
    vague = [name(path) for path in HOUSE.rglob("*") if path.stem in VAGUE and path.suffix in {"", ".py"}]
    assert not vague, f"say what it holds: {vague}"


def test_rites_hold_scores_and_tables_only() -> None:
    strange = [
        name(path)
        for path in sorted((HOUSE / "rites").rglob("*"))
        if path.is_file() and path.suffix not in {".pu", ".toml"} and path.name != "LICENSE"
    ]
    assert not strange, f"only .pu, .toml and LICENSE live in rites/: {strange}"


def loaded_by(script: str) -> set[str]:
    """The modules that are in memory after a script ran in a fresh interpreter."""
    tail = "\nimport sys\nprint('\\n'.join(sys.modules), file=sys.stderr)"
    run = subprocess.run([sys.executable, "-c", script + tail], capture_output=True, text=True, check=True)
    return set(run.stderr.split())


def test_importing_the_package_is_light() -> None:
    assert not loaded_by("import yanli") & {*HEAVY, "typer", "rich", "msgspec", "rapidfuzz"}


@pytest.mark.skipif(find_spec("yanli.cli") is None, reason="yanli.cli is not written yet")
def test_help_is_light() -> None:
    loaded = loaded_by(
        "import sys\nsys.argv = ['yanli', '--help']\nfrom yanli.cli import main\ntry: main()\nexcept SystemExit: pass"
    )
    assert "yanli.cli" in loaded
    assert not loaded & set(HEAVY)


def undocumented(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[int, str]]:
    """Line and name of every public class, function and method that has no docstring."""
    for node in body:
        if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) or node.name.startswith("_"):
            continue
        marks = {ast.unparse(mark).rpartition(".")[2] for mark in node.decorator_list}
        if not marks & {"overload", "override", "setter"} and not ast.get_docstring(node):
            yield node.lineno, prefix + node.name
        if isinstance(node, ast.ClassDef):
            yield from undocumented(node.body, f"{prefix}{node.name}.")


def test_every_public_name_says_what_it_is() -> None:
    bare = []
    for path in modules():
        tree = parse(path)
        if not ast.get_docstring(tree):
            bare.append(f"{name(path)}:1: the module has no docstring")
        bare += [f"{name(path)}:{line}: {what} has no docstring" for line, what in undocumented(tree.body)]
    assert not bare, "\n".join(bare)


def spoken(tree: ast.Module) -> Iterator[ast.Constant]:
    """Every string of a module that the programme uses: all but docstrings and other strings that stand alone."""
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node


def shown(tree: ast.Module) -> set[int]:
    """The strings that only show a person how to call: of ``help`` and ``epilog``."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    texts = (word.value for call in calls for word in call.keywords if word.arg in {"help", "epilog"})
    return {id(part) for text in texts for part in ast.walk(text)}


def rites_named(path: Path, house: Path = HOUSE) -> list[str]:
    """Where a file names a rite; the command line may in its help, for a rite is what it is called with."""
    tree = parse(path)
    excused = shown(tree) if room_of(path, house) == "cli" else set()
    return [
        f"{name(path)}:{text.lineno}: {text.value!r}"
        for text in spoken(tree)
        if RITES.search(str(text.value)) and id(text) not in excused
    ]


def test_no_rite_is_named_in_the_programme() -> None:
    named = [fault for path in modules() for fault in rites_named(path)]
    assert not named, "\n".join([*named, "A rite is a folder under rites/; no code knows its name."])


@pytest.mark.parametrize(
    ("where", "line", "wrong"),
    [
        ("cli/playing.py", "option = Option(help='鄉射禮, or a folder')", False),
        ("cli/playing.py", "option = Option('鄉射禮', help='a rite')", True),
        ("plan/tree.py", "option = Option(help='鄉射禮, or a folder')", True),
    ],
)
def test_a_rite_that_is_named_is_seen(tmp_path: Path, where: str, line: str, *, wrong: bool) -> None:
    path = tmp_path / where
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(line + "\n", encoding="utf-8")
    assert bool(rites_named(path, tmp_path)) is wrong
