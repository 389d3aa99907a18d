"""Build the page's serif: a font for each source, with those characters alone that the page may show.

Comes in: ``tools/fonts.toml``, the fonts in ``node_modules/``, the characters of scores and programme. Goes out, into
``src/yanli/web/fonts/``: woff2 files, ``fonts.css``, ``fonts.json`` (which characters each file has, where it is from)
and the licence. The same inputs give the same bytes. Where a character of a score has no shape in any of the fonts,
nothing is built and every such character is told with its place.
"""

from __future__ import annotations

import hashlib
import io
import json
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import version as package_version
from pathlib import Path
from typing import Any

from fontTools import subset
from fontTools.misc.transform import Identity, Transform
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

from characters import HOUSE, Places, of_programme, of_scores
from folder import as_json, fill

ROOT = Path(__file__).resolve().parents[1]
MODULES = ROOT / "node_modules"
FONTS = HOUSE / "web" / "fonts"
RECIPE = Path(__file__).with_name("fonts.toml")
LICENCE = "OFL.txt"
PAGE = "src/yanli/web/"
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


def inputs(shares: dict[str, list[int]], left: list[str], versions: list[str]) -> str:
    """A digest of all that the built files come of: while it stays, nothing need be built again."""
    tools = [package_version("fonttools"), package_version("brotli")]
    made_by = [path.read_text(encoding="utf-8") for path in (Path(__file__), RECIPE)]
    return hashlib.sha256(repr((shares, left, versions, tools, made_by)).encode()).hexdigest()


def build(to: Path = FONTS, rites: Path = HOUSE / "rites", modules: Path = MODULES) -> dict[str, Any]:
    """Build the folder, unless it is already of these inputs; gives back what ``fonts.json`` says."""
    recipe = tomllib.loads(RECIPE.read_text(encoding="utf-8"))
    sources = recipe["source"]
    fonts = {source["name"]: load(source, modules) for source in sources}
    for one in recipe["composed"]:
        compose(one, fonts)
    needed, written = of_scores(rites), of_programme()
    shares = share(needed, written, recipe["always"], fonts)
    has = {char for chars in shares.values() for char in chars}
    left = [without(char, written[char]) for char in sorted(written) if ord(char) not in has]
    versions = [version_of(source["package"], modules) for source in sources]
    digest = inputs(shares, left, versions)
    if (known := already(to, digest)) is not None:
        return known
    family = recipe["family"]
    said: dict[str, Any] = {"family": family, "licence": LICENCE, "inputs": digest, "files": [], "left": left}
    files = {LICENCE: (modules / sources[0]["package"] / sources[0]["licence"]).read_bytes()}
    rules = []
    for source, version in zip(sources, versions, strict=True):
        chars = shares[source["name"]]
        if not chars:
            continue
        file = f"{family.lower().replace(' ', '-')}-{source['name']}.woff2"
        files[file] = cut(fonts[source["name"]], chars, family, source["name"].upper())
        covered = ranges(chars)
        rules.append(rule(family, file, covered))
        said["files"].append(
            {
                "file": file,
                "from": source["package"],
                "version": version,
                "bytes": len(files[file]),
                "characters": len(chars),
                "ranges": covered,
            }
        )
    files["fonts.css"] = "\n".join(rules).encode()
    files["fonts.json"] = as_json(said)
    fill(to, files)
    return said


def already(folder: Path, digest: str) -> dict[str, Any] | None:
    """What a folder's ``fonts.json`` says, if it is of these inputs and every file that it names is whole."""
    try:
        said: dict[str, Any] = json.loads((folder / "fonts.json").read_bytes())
        whole = all((folder / file["file"]).stat().st_size == file["bytes"] for file in said["files"])
    except (OSError, ValueError, KeyError):
        return None
    whole = whole and all((folder / name).is_file() for name in ("fonts.css", LICENCE))
    return said if whole and said.get("inputs") == digest else None


def version_of(package: str, modules: Path) -> str:
    """The version of an installed package of npm."""
    return str(json.loads((modules / package / "package.json").read_text(encoding="utf-8"))["version"])


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
        if f" {PAGE}" not in line:
            continue  # a paper or the terminal may show it; there the fonts are the reader's anyhow
        print(f"web/fonts: left to the reader's own fonts: {line}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
