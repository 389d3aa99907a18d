"""What the tables quote stands in the sources."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from yanli.lexicon import Thing, load_lexicon
from yanli.lexicon.load import HOME
from yanli.lexicon.readings import readings

NOT_TEXT = re.compile(r"[^\u3400-\u9fff\U00020000-\U0003ffff]")
MANDOKU = re.compile(r"<pb:[^>]*>|^#.*$", re.MULTILINE)
TONGKAO = "sources/000_8715d8bcf1027071.txt"
FILES = {
    "句讀": ("witnesses/KR1d0038_005.txt",),
    "句讀四": ("witnesses/KR1d0038_004.txt",),
    "集說": ("witnesses/KR1d0035_005.txt",),
    "集說七": ("witnesses/KR1d0035_007.txt",),
    "儀禮集說": ("witnesses/KR1d0035_005.txt",),
    "五禮通考": (TONGKAO,),
    "五禮通考張爾岐": (TONGKAO,),
    "五禮通考敖繼公": (TONGKAO,),
    "朱子": (TONGKAO,),
    "經": (TONGKAO,),
    "記": (TONGKAO,),
    "鄭注": (TONGKAO, "witnesses/KR1d0038_005.txt"),
    "疏": (TONGKAO, "witnesses/KR1d0038_005.txt"),
}
ELSEWHERE = {"禮器鄭注"}  # a source that is not in the folder
# Shapes that only these copies have, beside those of the table of variants.
SHAPES = {
    "来": "來",
    "渉": "涉",
    "䋲": "繩",
    "吕": "呂",
    "㤗": "泰",
    "刼": "劫",
    "髙": "高",
    "捝": "挩",
    "盖": "蓋",
    "遥": "遙",
    "鼔": "鼓",
    "鐘": "鍾",
}


def fold(text: str) -> str:
    """Keep the Chinese signs, each in its regular shape."""
    table = tomllib.loads((HOME / "variants.toml").read_text(encoding="utf-8"))
    groups = [group for group in table.values() if isinstance(group, dict)]
    shapes = {shape: regular for group in groups for regular, forms in group.items() for shape in forms}
    return NOT_TEXT.sub("", text).translate(str.maketrans(shapes | SHAPES)).translate(str.maketrans(shapes))


@pytest.fixture(scope="module")
def texts(request: pytest.FixtureRequest) -> dict[str, str]:
    """The sources by label, folded."""
    shared: Path = request.getfixturevalue("shared")
    names = {name for group in FILES.values() for name in group}
    missing = [name for name in names if not (shared / name).is_file()]
    if missing:
        pytest.skip(f"needs {missing[0]}, which is not here")
    folded = {name: fold(MANDOKU.sub("", (shared / name).read_text(encoding="utf-8"))) for name in names}
    return {label: "".join(folded[name] for name in group) for label, group in FILES.items()}


def quotations() -> Iterator[tuple[str, str]]:
    """Every quotation of the tables: the word it belongs to, and ``label: words; words``."""
    for table in load_lexicon().entries.values():
        for word, entry in table.items():
            if entry.source is not None:
                yield word, entry.source
            if isinstance(entry, Thing):
                yield from ((word, measure.source) for measure in entry.size.values())
    for word, reading in readings().phrases.items():
        yield from ((word, gloss) for gloss in reading.gloss)


def test_every_quotation_stands_in_its_source(texts: dict[str, str]) -> None:
    wrong = []
    for word, quoted in quotations():
        label = ""
        for part in quoted.split("; "):
            head, colon, words = part.partition(": ")
            label, words = (head, words) if colon else (label, part)
            if label not in ELSEWHERE and fold(words) not in texts.get(label, ""):
                wrong.append(f"{word}: {label}: {words}")
    assert not wrong, "\n".join(wrong)
