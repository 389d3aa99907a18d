"""The page's own serif, as it was built: where its files are and which characters they have.

Comes in: ``web/fonts/fonts.json``. Goes out: its files and the set of its characters, so that whoever writes a page can
tell what will be shown in another font. Nothing here reads a font; a tree without the built files has none.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from unicodedata import category

import msgspec

FOLDER = Path(__file__).resolve().parents[1] / "web" / "fonts"


class FontFile(msgspec.Struct, frozen=True):
    """One woff2: its name, the package and version it was cut from, its size in bytes, its characters as ranges."""

    file: str
    source: str = msgspec.field(name="from")
    version: str
    size: int = msgspec.field(name="bytes")
    characters: int
    ranges: tuple[str, ...]


class Typeface(msgspec.Struct, frozen=True):
    """A family: the name that CSS gives it, its files, the file that holds its licence."""

    family: str
    licence: str
    files: tuple[FontFile, ...]


@lru_cache(maxsize=1)
def typeface() -> Typeface | None:
    """The built family; None where it was not built."""
    try:
        return msgspec.json.decode((FOLDER / "fonts.json").read_bytes(), type=Typeface)
    except FileNotFoundError:
        return None


@lru_cache(maxsize=1)
def characters() -> frozenset[str]:
    """Every character of the family; none where it was not built."""
    built = typeface()
    spans = (span for file in built.files for span in file.ranges) if built else ()
    return frozenset(chr(code) for span in spans for code in _codes(span))


def unshown(text: str) -> str:
    """The characters of a text that the family has no shape for, each once, in their order; blanks need none."""
    strange = dict.fromkeys(char for char in text if char not in characters())
    return "".join(char for char in strange if not char.isspace() and category(char) not in {"Cc", "Cf"})


def _codes(span: str) -> range:
    """The code points of one range of CSS: ``U+4E00`` or ``U+4E00-4E03``."""
    first, _, last = span.removeprefix("U+").partition("-")
    return range(int(first, 16), int(last or first, 16) + 1)
