"""How one text is spelt: matching words whatever their shape, and giving a source its own spelling back.

Comes in: text; the table of variant characters (``rites/lexicon/variants.toml``, and ``shapes.toml`` beside this, of
which nothing stands in a score); a rite's ``spelling.toml``.
Goes out: folded text with a map back to the original, and the source's spelling, character for character.
All offsets are code points, counted from 0 in text without blanks or line ends.
"""

from __future__ import annotations

import hashlib
import tomllib
import unicodedata
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal, TypeVar

import msgspec

from yanli.errors import Finding, RiteError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

T = TypeVar("T")
Departing = Literal["字形", "脫", "訛", "衍", "倒"]


class FoldTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which characters are matched as one: the form of the regular text → the forms folded into it."""

    graphic: dict[str, str]
    interchangeable: dict[str, str] = {}


class Folded(msgspec.Struct, frozen=True):
    """A folded text; ``offsets[i]`` is where its character ``i`` stands in the original."""

    text: str
    offsets: tuple[int, ...]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Turn the folded range ``start:end`` (not empty) into the range of the original that it came from."""
        return self.offsets[start], self.offsets[end - 1] + 1


class Departure(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One way in which the source is spelt otherwise, with every place (offset in the regular text) where it is.

    ``source`` is empty where the source lost words, ``regular`` where it has words too many (which then stand before
    the place). ``kind``: 字形 another shape, 脫 lost, 訛 slip, 衍 too many, 倒 transposed. ``witnesses`` are the sigla
    of the editions that bear the regular text out (字形: that have this very shape) at every place they preserve.
    """

    source: str
    regular: str
    kind: Departing = msgspec.field(name="class")
    reason: str
    witnesses: tuple[str, ...]
    at: tuple[int, ...]


class Head(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which two texts a spelling connects: lengths in code points, hashes over their UTF-8."""

    rite: str
    source: str
    regular_length: int
    regular_sha256: str
    source_length: int
    source_sha256: str


class Spelling(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything in which a source departs from the regular text."""

    text: Head
    departures: tuple[Departure, ...] = msgspec.field(name="spelling")

    def to_source(self, regular: str) -> str:
        """Spell the regular canonical text (no blanks) as the source spells it.

        Raises RiteError when ``regular`` is not the text that this spelling was made for.
        """
        if sha256(regular) != self.text.regular_sha256:
            raise _error("spelling-other-text", f"not the regular text that the spelling of {self.text.rite} is for")
        return _replace(regular, [(at, row.regular, row.source) for row in self.departures for at in row.at])

    def to_regular(self, source: str) -> str:
        """Undo `to_source`: give the source's canonical text (no blanks) the regular spelling.

        Raises RiteError when ``source`` is not the text that this spelling was made for.
        """
        if sha256(source) != self.text.source_sha256:
            raise _error("spelling-other-text", f"not the source that the spelling of {self.text.rite} is for")
        steps: list[tuple[int, str, str]] = []
        shift = 0
        for at, regular, own in sorted((at, row.regular, row.source) for row in self.departures for at in row.at):
            steps.append((at + shift, own, regular))
            shift += len(own) - len(regular)
        return _replace(source, steps)


def load_spelling(path: Traversable) -> Spelling:
    """Read a ``spelling.toml``. Raises RiteError when it is not one."""
    return _load(path, Spelling)


def rite_spelling(slug: str) -> Spelling:
    """Read the spelling of the rite with this slug (``xiangshe``). Raises RiteError when it has none."""
    path = files("yanli").joinpath("rites", slug, "spelling.toml")
    if not path.is_file():
        raise _error("no-spelling", f"the rite {slug} has no spelling.toml")
    return load_spelling(path)


def sha256(text: str) -> str:
    """Hash the UTF-8 of a text, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def load_folds(*paths: Traversable) -> FoldTable:
    """Read a table of variants, of one file or several.

    Raises RiteError when it is malformed or a character stands in two places.
    """
    tables = [_load(path, FoldTable) for path in paths]
    graphic: dict[str, str] = {}
    for regular, variants in (row for table in tables for row in table.graphic.items()):
        graphic[regular] = graphic.get(regular, "") + variants
    interchangeable = {regular: variants for table in tables for regular, variants in table.interchangeable.items()}
    seen: set[str] = set()
    for regular, variants in (*graphic.items(), *interchangeable.items()):
        if len(regular) != 1 or not variants:
            raise _error("bad-variant", f"{regular!r} = {variants!r}: one character stands for at least one")
        # A regular form may be graphic and interchangeable at once, so only what is folded away must be unique.
        for character in variants:
            if character in seen or character in graphic or character in interchangeable:
                raise _error("bad-variant", f"{character} stands in two places")
            seen.add(character)
    return FoldTable(graphic, interchangeable)


@cache
def folds() -> FoldTable:
    """Give the table of variants that comes with Yanli."""
    home = files("yanli")
    return load_folds(home.joinpath("rites", "lexicon", "variants.toml"), home.joinpath("corpus", "shapes.toml"))


def fold_graphic(text: str) -> str:
    """Fold shapes of the same character (賔 賓); the length stays, and so does everything else."""
    return text.translate(_translation(interchangeable=False))


def fold_same_length(text: str) -> str:
    """Fold shapes (賔 賓) and interchangeable words (於 于); the length stays, and so does everything else."""
    return text.translate(_translation(interchangeable=True))


@lru_cache(maxsize=8192)
def fold(text: str) -> Folded:
    """Fold a text for matching: shapes and interchangeable words folded, punctuation and blanks left out."""
    kept = [(offset, character) for offset, character in enumerate(text) if _is_word(character)]
    return Folded(fold_same_length("".join(character for _, character in kept)), tuple(offset for offset, _ in kept))


def find(words: str, text: str) -> list[tuple[int, int]]:
    """Find every place of ``text`` that has ``words``, both folded.

    Gives ranges (start, end) of the unfolded ``text``, in order, overlapping ones included; none for empty words.
    """
    wanted, folded = fold(words).text, fold(text)
    found: list[tuple[int, int]] = []
    start = folded.text.find(wanted) if wanted else -1
    while start >= 0:
        found.append(folded.original(start, start + len(wanted)))
        start = folded.text.find(wanted, start + 1)
    return found


@cache
def _translation(*, interchangeable: bool) -> dict[int, str]:
    """Give the table for `str.translate`: each folded form → its regular form."""
    table = folds()
    groups = [*table.graphic.items(), *(table.interchangeable.items() if interchangeable else ())]
    return {ord(variant): regular for regular, variants in groups for variant in variants}


def _is_word(character: str) -> bool:
    """Tell whether a character counts in matching (letters and digits do; punctuation, symbols and blanks do not)."""
    return unicodedata.category(character)[0] in "LN"


def _replace(text: str, steps: list[tuple[int, str, str]]) -> str:
    """Put new words for old at each (offset, old, new). Raises RiteError when the old ones are not there."""
    pieces: list[str] = []
    done = 0
    for at, old, new in sorted(steps):
        if at < done or text[at : at + len(old)] != old:
            raise _error("spelling-not-there", f"{old or new!r} does not stand at offset {at}")
        pieces += (text[done:at], new)
        done = at + len(old)
    return "".join((*pieces, text[done:]))


def _load(path: Traversable, kind: type[T]) -> T:
    """Read a TOML file as ``kind``. Raises RiteError."""
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), kind)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as reason:
        raise _error("bad-data", f"{path}: {reason}") from reason


def _error(code: str, cause: str) -> RiteError:
    """Make the error of this module."""
    return RiteError(Finding(code=code, cause=cause))
