"""The variants that a rite records in its ``variants.toml``.

Comes in: that file. Goes out: witnesses, variants, and counts of shapes, as values. Offsets are code points in the
rite's regular text.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import TYPE_CHECKING, Literal

import msgspec

from yanli.corpus.kanripo import Profile
from yanli.errors import Finding, RiteError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

VariantKind = Literal["異文", "脫", "衍", "倒", "佚葉", "今文", "古文"]


class Variant(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where our text has ``words`` (at each offset of ``at``), the witnesses have ``reading``.

    ``kind``: 異文 other words, 脫 words wanting, 衍 words added, 倒 another order, 佚葉 a page lost (``pages``); 今文
    and 古文: the reading of an old text that 鄭玄 reports; the witnesses are then those that carry his remark, and
    ``note`` quotes it. ``context`` shows our words in ［ ］ with their neighbours, at the first place.
    ``interchangeable``: words that stand for one another (于 於).
    """

    kind: VariantKind = msgspec.field(name="class")
    at: tuple[int, ...]
    words: str
    reading: str
    witnesses: tuple[str, ...]
    context: str
    pages: tuple[str, ...] = ()
    interchangeable: bool = False
    note: str = ""


class ShapeCount(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How often a witness writes our character ``words`` in another shape, ``reading`` (字形)."""

    witness: str
    words: str
    reading: str
    count: int


class Witness(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An edition: its siglum, title, edition and Kanripo file, and how to read the canon in it.

    ``file`` is empty where the edition was compared by words, clause by clause, from a copy of another make.
    """

    siglum: str
    title: str
    edition: str
    file: str = ""
    profile: Profile | None = None


class Regular(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The regular text that the offsets count in."""

    rite: str
    regular_length: int
    regular_sha256: str


class Variants(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything in which the witnesses depart from a rite's regular text."""

    text: Regular
    witnesses: tuple[Witness, ...] = msgspec.field(name="witness")
    variants: tuple[Variant, ...] = msgspec.field(name="variant")
    shapes: tuple[ShapeCount, ...] = msgspec.field(name="shape")


def load_variants(path: Traversable) -> Variants:
    """Read a ``variants.toml``. Raises RiteError when it is not one."""
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Variants)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as reason:
        raise RiteError(Finding(code="bad-data", cause=f"{path}: {reason}")) from reason


def rite_variants(slug: str) -> Variants:
    """Read the variants of the rite with this slug (``xiangshe``). Raises RiteError when it has none."""
    path = files("yanli").joinpath("rites", slug, "variants.toml")
    if not path.is_file():
        raise RiteError(Finding(code="no-variants", cause=f"the rite {slug} has no variants.toml"))
    return load_variants(path)
