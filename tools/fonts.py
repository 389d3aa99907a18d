"""Build the page's serif: a font for each source, with those characters alone that the page may show.

Comes in: ``tools/fonts.toml``, the fonts in ``node_modules/``, the characters of scores and programme. Goes out, into
``src/yanli/web/fonts/``: woff2 files, ``fonts.css``, ``fonts.json`` (which characters each file has, where it is from)
and the licence. The same inputs give the same bytes. Where a character of a score has no shape in any of the fonts, nothing is
built and every such character is told with its place.
"""

from __future__ import annotations

import io
import json
import shutil
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from characters import HOUSE, Places, of_programme, of_scores
from fontTools import subset
from fontTools.misc.transform import Identity, Transform
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

ROOT = Path(__file__).resolve().parents[1]
MODULES = ROOT / "node_modules"
FONTS = HOUSE / "web" / "fonts"
RECIPE = Path(__file__).with_name("fonts.toml")
LICENCE = "OFL.txt"
# Shapes for upright lines, the spacing of punctuation and of Latin; all else is for languages that are not here.
FEATURES = ["ccmp", "kern", "vert", "vrt2", "chws", "vchw", "halt", "vhal"]
ORIGIN = (0, 13, 14)  # copyright and licence in a font's own words; the rest of its names are ours

Stroke = list[tuple[str, tuple[Any, ...]]]


class FontError(Exception):
    """What hinders the building, a line for each fault."""


def load(source: dict[str, str], modules: Path = MODULES) -> TTFont:
    """Open one source; FontError when its package is not installed."""
    path = modules / source["package"] / source["file"]
    if not path.is_file():
        raise FontError(f"{source['package']}: no {source['file']}; run `make web`, which installs it")
    return TTFont(path, recalcTimestamp=False)


def strokes(font: TTFont, char: str) -> list[Stroke]:
    """The contours of one character, each as calls of a pen."""
    glyphs = font.getGlyphSet()
    pen = DecomposingRecordingPen(glyphs)
    glyphs[font.getBestCmap()[ord(char)]].draw(pen)
    found: list[Stroke] = []
    for call in pen.value:
        if call[0] == "moveTo":
            found.append([])
        found[-1].append(call)
    return found


def play(contours: Iterable[Stroke], pen: Any) -> None:  # noqa: ANN401  # any pen of fontTools
    """Draw contours with a pen."""
    for contour in contours:
        for name, points in contour:
            getattr(pen, name)(*points)


def into(contours: list[Stroke], box: list[float] | None) -> Transform:
    """The transformation that lays the contours' bounds into a box; none without a box."""
    if box is None:
        return Identity
    pen = BoundsPen(None)
    play(contours, pen)
    left, bottom, right, top = pen.bounds
    broad, high = (box[2] - box[0]) / (right - left), (box[3] - box[1]) / (top - bottom)
    return Transform(broad, 0, 0, high, box[0] - left * broad, box[1] - bottom * high)


def compose(recipe: dict[str, Any], fonts: dict[str, TTFont]) -> None:
    """Put one character together from strokes of others and set it into the first font."""
    char, pen = recipe["character"], TTGlyphPen(None)
    for part in recipe["parts"]:
        have = strokes(fonts[part["source"]], part["like"])
        if len(have) != part["of"]:
            raise FontError(
                f"{RECIPE.name}: {char} was put together from {part['like']} with {part['of']} contours, "
                f"and now it has {len(have)}; look at the font and choose them again"
            )
        taken = [have[number] for number in part["contours"]]
        play(taken, TransformPen(pen, into(taken, part.get("within"))))
    font = next(iter(fonts.values()))
    glyph, name = pen.glyph(), f"u{ord(char):X}"
    glyph.recalcBounds(font["glyf"])
    pattern = font.getBestCmap()[ord("一")]  # every Chinese character has the same body
    above = font["vmtx"][pattern][1] + font["glyf"][pattern].yMax
    font.setGlyphOrder([*font.getGlyphOrder(), name])
    font["glyf"].glyphs[name] = glyph
    font["hmtx"][name] = (font["hmtx"][pattern][0], glyph.xMin)
    font["vmtx"][name] = (font["vmtx"][pattern][0], above - glyph.yMax)
    for table in font["cmap"].tables:
        if table.format == 12:  # noqa: PLR2004  # the one that reaches beyond the first plane
            table.cmap[ord(char)] = name


def cut(font: TTFont, chars: Iterable[int], family: str, style: str) -> bytes:
    """The font with these characters alone, as woff2, under our own name."""
    options = subset.Options()
    options.layout_features = FEATURES
    options.hinting = False
    options.notdef_outline = True
    options.recalc_timestamp = False
    options.drop_tables += ["STAT", "gasp", "BASE", "DSIG"]
    options.name_IDs = list(ORIGIN)
    options.name_languages = [0x409]
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=chars)
    cutter.subset(font)
    names = {1: family, 2: "Regular", 3: f"{family} {style}", 4: family, 6: f"{family.replace(' ', '')}-{style}"}
    for number, text in names.items():
        font["name"].setName(text, number, 3, 1, 0x409)
    font.flavor = "woff2"
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()


def ranges(chars: Iterable[int]) -> list[str]:
    """Code points as the shortest list of ``U+4E00-4E03``, as CSS writes them."""
    found: list[list[int]] = []
    for char in sorted(chars):
        if found and char == found[-1][1] + 1:
            found[-1][1] = char
        else:
            found.append([char, char])
    return [f"U+{first:X}" if first == last else f"U+{first:X}-{last:X}" for first, last in found]


def without(char: str, place: str) -> str:
    """One line on a character that no font has."""
    return f"{char} U+{ord(char):04X} {place}"


def share(needed: Places, written: Places, always: str, fonts: dict[str, TTFont]) -> dict[str, list[int]]:
    """Which characters are taken from which font; FontError with every character of a score that none has."""
    left = {ord(char) for char in {*needed, *written, *always}}
    shares: dict[str, list[int]] = {}
    for name, font in fonts.items():
        shares[name] = sorted(left & set(font.getBestCmap()))
        left -= set(shares[name])
    lost = [without(char, needed[char]) for char in sorted(needed) if ord(char) in left]
    if lost:
        told = "no font has the shape of these characters; give them one under [[composed]] in tools/fonts.toml:"
        raise FontError("\n".join([told, *(f"  {line}" for line in lost)]))
    return shares


def build(fonts_to: Path = FONTS, rites: Path = HOUSE / "rites", modules: Path = MODULES) -> dict[str, Any]:
    """Build the folder anew; gives back what ``fonts.json`` says."""
    recipe = tomllib.loads(RECIPE.read_text(encoding="utf-8"))
    fonts = {source["name"]: load(source, modules) for source in recipe["source"]}
    for one in recipe["composed"]:
        compose(one, fonts)
    needed, written = of_scores(rites), of_programme()
    shares = share(needed, written, recipe["always"], fonts)
    shutil.rmtree(fonts_to, ignore_errors=True)
    fonts_to.mkdir(parents=True)
    family, files, rules = recipe["family"], [], []
    for source in recipe["source"]:
        chars = shares[source["name"]]
        if not chars:
            continue
        style = source["name"].upper()
        data = cut(fonts[source["name"]], chars, family, style)
        file = f"{family.lower().replace(' ', '-')}-{source['name']}.woff2"
        (fonts_to / file).write_bytes(data)
        about = json.loads((modules / source["package"] / "package.json").read_text(encoding="utf-8"))
        covered = ranges(chars)
        files.append(
            {
                "file": file,
                "from": source["package"],
                "version": about["version"],
                "bytes": len(data),
                "characters": len(chars),
                "ranges": covered,
            }
        )
        rules.append(rule(family, file, covered))
    first = recipe["source"][0]
    shutil.copyfile(modules / first["package"] / first["licence"], fonts_to / LICENCE)
    has = {char for chars in shares.values() for char in chars}
    said = {
        "family": family,
        "licence": LICENCE,
        "files": files,
        "left": [without(char, written[char]) for char in sorted(written) if ord(char) not in has],
    }
    (fonts_to / "fonts.css").write_text("\n".join(rules), encoding="utf-8", newline="\n")
    text = json.dumps(said, ensure_ascii=False, indent=1)
    (fonts_to / "fonts.json").write_text(text + "\n", encoding="utf-8", newline="\n")
    return said


def rule(family: str, file: str, covered: list[str]) -> str:
    """The ``@font-face`` of one file."""
    return (
        f'@font-face {{\n  font-family: "{family}";\n  font-style: normal;\n  font-weight: 400;\n'
        f'  font-display: swap;\n  src: url("{file}") format("woff2");\n  unicode-range: {", ".join(covered)};\n}}\n'
    )


def main() -> int:
    """Build the fonts and say how much they are; 1 and the faults where they cannot be built."""
    try:
        said = build()
    except FontError as error:
        print(f"tools/fonts.py: {error}", file=sys.stderr)
        return 1
    for file in said["files"]:
        print(f"web/fonts: {file['file']}, {file['characters']} characters, {file['bytes'] / 1e3:.0f} kB")
    for line in said["left"]:
        print(f"web/fonts: left to the reader's own fonts: {line}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
