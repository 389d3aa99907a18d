"""Every character that the page may show, each with the place where it first stands.

Comes in: the scores and tables under ``rites/``, the modules of the page, the strings of the programme. Goes out: the
characters a font must have because a score has them (itself, in simplified script, in pinyin, in Hangul), and those
that the programme itself writes.
"""

from __future__ import annotations

import ast
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

from yanli.lexicon.readings import korean, pinyin, simplified

HOUSE = Path(__file__).resolve().parents[1] / "src" / "yanli"
SCORES = (".pu", ".toml")
PAGES = (".js", ".html", ".css")
MADE = ("vendor", "fonts", "lean")  # folders under web/ that are built


Places = dict[str, str]
"""Character -> where it first stands, as ``file:line`` with what was made of it."""


def shows(char: str) -> bool:
    """Whether a character ought to have a shape: no control, no mark of order, no variation selector."""
    return unicodedata.category(char) not in {"Cc", "Cf"} and not "\ufe00" <= char <= "\ufe0f"


def lines_of(folder: Path, endings: Iterable[str], root: Path) -> Iterator[tuple[str, str]]:
    """Place (``file:line``) and text of every line of a folder's files with these endings."""
    for path in sorted(path for path in folder.rglob("*") if path.suffix in endings):
        shown = path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
            yield f"{shown}:{number}", line


def note(places: Places, text: str, place: str) -> None:
    """Enter the characters of a text that are not yet known."""
    for char in text:
        if char not in places and shows(char):
            places[char] = place


def of_scores(rites: Path = HOUSE / "rites") -> Places:
    """The characters of every score and table below a folder, and of their other scripts."""
    places: Places = {}
    later: list[tuple[str, str]] = []
    for place, line in lines_of(rites, SCORES, rites.parents[2] if rites.is_relative_to(HOUSE) else rites):
        note(places, line, place)
        if not line.isascii():
            later.append((place, line))
    for place, line in later:
        note(places, simplified(line), f"{place}, in simplified script")
    for place, line in later:
        chinese = "".join(char for char in line if unicodedata.category(char) == "Lo")
        note(places, pinyin(chinese), f"{place}, in pinyin")
        note(places, korean(chinese), f"{place}, in Korean")
    return places


def of_programme(house: Path = HOUSE) -> Places:
    """The characters of the page's modules and of the programme's strings, with their simplified forms."""
    places: Places = {}
    said: list[tuple[str, str]] = []
    for place, line in lines_of(house / "web", PAGES, house.parents[1]):
        if not any(f"/web/{folder}/" in place for folder in MADE):
            said.append((place, line))
    for path in sorted(house.rglob("*.py")):
        name = path.relative_to(house.parents[1]).as_posix()
        said += [(f"{name}:{line}", encoded(text)) for line, text in strings(path) if not text.isascii()]
    for place, text in said:
        note(places, text, place)
    for place, text in said:
        if not text.isascii():
            note(places, simplified(text), f"{place}, in simplified script")
    return places


def encoded(text: str) -> str:
    """A text without what Unicode has not given to anybody, and halves of pairs; patterns name such ranges' bounds."""
    return "".join(char for char in text if unicodedata.category(char) not in {"Cn", "Cs"})


def strings(path: Path) -> Iterator[tuple[int, str]]:
    """Line and text of every string that a Python file uses; what stands alone is a docstring."""
    tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.lineno, node.value
