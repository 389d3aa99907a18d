"""The page's serif has every character of every score, and no building of it goes by chance."""

import re
import shutil
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

import fonts as font_builder
from yanli.lexicon.readings import korean, simplified
from yanli.render import typeface

ROOT = Path(__file__).resolve().parents[2]
RITES = ROOT / "src" / "yanli" / "rites"
FACE = re.compile(r"@font-face \{(?P<body>[^}]*)\}")


def scored() -> set[str]:
    """Every character that stands in a score or a table, but for blanks and ends of lines."""
    files = [path for path in RITES.rglob("*") if path.suffix in {".pu", ".toml"}]
    assert len(files) > 60
    return {char for path in files for char in path.read_text(encoding="utf-8") if not char.isspace()}


def drawn(font: TTFont) -> set[str]:
    """The characters for which a font has a shape with at least one contour."""
    glyphs = font["glyf"]
    return {chr(code) for code, name in font.getBestCmap().items() if glyphs[name].numberOfContours != 0}


def declared(fonts: Path) -> dict[str, set[str]]:
    """File -> the characters for which the style sheet sends a browser to it."""
    found = {}
    for face in FACE.finditer((fonts / "fonts.css").read_text(encoding="utf-8")):
        url = re.search(r'url\("([^"]+)"\)', face["body"])
        spans = re.search(r"unicode-range: ([^;]+);", face["body"])
        assert url
        assert spans
        found[url[1]] = {
            chr(code)
            for first, last in re.findall(r"U\+([0-9A-F]+)(?:-([0-9A-F]+))?", spans[1])
            for code in range(int(first, 16), int(last or first, 16) + 1)
        }
    return found


def test_every_character_of_every_score_has_a_shape(fonts: Path) -> None:
    has = {char for path in fonts.glob("*.woff2") for char in drawn(TTFont(path))}
    wanted = scored()
    chinese = "".join(sorted(char for char in wanted if unicodedata.category(char) == "Lo"))
    assert len(chinese) > 1000
    wanted |= {char for text in (simplified(chinese), korean(chinese)) for char in text if not char.isspace()}
    assert {"𤣥", "𥜗", "𭥆", "𥘵", "乡", "향"} <= wanted
    assert not sorted(wanted - has)


def test_a_browser_is_sent_to_a_file_that_has_what_it_looks_for(fonts: Path) -> None:
    said = declared(fonts)
    assert set(said) == {path.name for path in fonts.glob("*.woff2")}
    for file, chars in said.items():
        font = TTFont(fonts / file)
        assert chars <= {chr(code) for code in font.getBestCmap()}
        assert font["name"].getDebugName(1) == "Yanli Serif"
    assert scored() <= set().union(*said.values())


def test_the_fonts_are_small_and_their_licence_is_beside_them(fonts: Path) -> None:
    assert sum(path.stat().st_size for path in fonts.glob("*.woff2")) < 1_200_000
    assert "SIL OPEN FONT LICENSE Version 1.1" in (fonts / "OFL.txt").read_text(encoding="utf-8")


def test_what_is_put_together_has_the_strokes_that_it_should(fonts: Path) -> None:
    glyphs = {chr(code): name for code, name in TTFont(fonts / "yanli-serif-tc.woff2").getBestCmap().items()}
    shapes = TTFont(fonts / "yanli-serif-tc.woff2")["glyf"]
    count = {char: shapes[glyphs[char]].numberOfContours for char in "玄𤣥襦𥜗"}
    assert count["𤣥"] == count["玄"] - 1
    assert count["𥜗"] == count["襦"] - 1  # 礻 has one stroke less than 衤


def test_characters_without_a_shape_stop_the_building_and_their_places_are_told(tmp_path: Path, fonts: Path) -> None:
    (tmp_path / "rites" / "own").mkdir(parents=True)
    score, table = tmp_path / "rites" / "own" / "01-begin.pu", tmp_path / "rites" / "own" / "things.toml"
    score.write_text("# one\n主人拜\n賓\ue123拜\n再\ue123拜\n", encoding="utf-8")  # in private use
    table.write_text('name = "🏹"\n\nother = "\U0003ffff"\n', encoding="utf-8")  # no letter; nobody's
    to = tmp_path / "fonts"
    shutil.copytree(fonts, to)
    before = {path.name: path.read_bytes() for path in to.iterdir()}
    with pytest.raises(font_builder.FontError) as told:
        font_builder.build(to, tmp_path / "rites")
    first, *lines = str(told.value).splitlines()
    assert "tools/fonts.toml" in first
    assert lines == [
        "  \ue123 U+E123 own/01-begin.pu:3",
        "  🏹 U+1F3F9 own/things.toml:1",
        "  \U0003ffff U+3FFFF own/things.toml:3",
    ]
    assert {path.name: path.read_bytes() for path in to.iterdir()} == before


@pytest.mark.slow
def test_two_buildings_give_the_same_bytes(tmp_path: Path, fonts: Path) -> None:
    code = "import sys, fonts; from pathlib import Path; fonts.build(Path(sys.argv[1]))"
    for hashes in ("1", "2"):
        subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / hashes)],
            env={"PATH": "", "PYTHONHASHSEED": hashes, "PYTHONPATH": str(ROOT / "tools"), "TZ": f"UTC+{hashes}"},
            check=True,
        )
    once, again = ({path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("1", "2"))
    assert set(once) == {path.name for path in fonts.iterdir()}
    assert once == again


def test_what_the_programme_knows_of_its_fonts_is_what_they_have(fonts: Path) -> None:
    built = typeface.typeface()
    assert built is not None
    assert built.family == "Yanli Serif"
    for file in built.files:
        assert (fonts / file.file).stat().st_size == file.size
    assert typeface.characters() == set().union(*declared(fonts).values())
    assert typeface.unshown("鄉射\n 𤣥🏹端🏹\ue123") == "🏹\ue123"


def test_without_built_fonts_none_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typeface, "FOLDER", tmp_path)
    typeface.typeface.cache_clear()
    typeface.characters.cache_clear()
    try:
        assert typeface.typeface() is None
        assert typeface.unshown("鄉") == "鄉"
    finally:
        typeface.typeface.cache_clear()
        typeface.characters.cache_clear()
