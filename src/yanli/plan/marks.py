"""The marks of arrows: which signs a record may bear, and which words hold of an arrow that has one.

Comes in: ``lexicon/marks.toml`` and what a rite's ``rite.toml`` adds. Goes out: marks by their sign. What can no longer
occur: a sign of more than one character, a mark without words, two marks for the plain hit or the plain miss.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal

import msgspec

from yanli.errors import Finding, RiteError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping


class Mark(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One mark: the words that hold of the arrow, where it comes to lie, and which target it struck if that is named.

    ``miss``: one of the ways in which an arrow of the seeded model misses. ``whose``, ``whose_en``: for whom it counts,
    where it does not for all.
    """

    words: tuple[str, ...] = msgspec.field(name="is")
    lies: Literal["target", "ground"] | None = None
    struck: str | None = None
    miss: bool = False
    zh: str = ""
    en: str = ""
    whose: str = ""
    whose_en: str = ""
    source: str | None = None

    def told(self) -> str:
        """What it means, in Chinese and English, with for whom it counts."""
        zh = f"（{self.whose}）" if self.whose else ""
        en = f" ({self.whose_en})" if self.whose_en else ""
        return f"{self.zh}{zh}　{self.en}{en}"


class Common(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole of ``lexicon/marks.toml``: the words for a hit and for one on another's target, and the marks.

    ``arrow``, ``stick``: what is shot, what hits are counted with. ``heap``: after the word for a side, the place of
    its sticks.
    """

    hit: str
    other: str
    arrow: str
    stick: str
    heap: str
    marks: dict[str, Mark]


class Marks:
    """All marks of a rite by their sign; ``hit`` and ``other`` are the words for a hit and for one on another's target.

    ``ways``: the signs that the model may give an arrow that misses; ``words``: all words that may hold of an arrow.
    """

    def __init__(self, common: Common, own: Mapping[str, Mark]) -> None:
        """Join the common marks and a rite's own; a rite's own mark stands over a common one of the same sign."""
        self.signs: dict[str, Mark] = {**common.marks, **own}
        self.hit = common.hit
        self.other = common.other
        self.arrow = common.arrow
        self.stick = common.stick
        self.heap = common.heap
        self.ways: tuple[str, ...] = tuple(sign for sign, mark in self.signs.items() if mark.miss)
        self.words: frozenset[str] = frozenset(
            {common.hit, common.other, *(word for mark in self.signs.values() for word in mark.words)}
        )
        self._worded = {sign: frozenset(mark.words) for sign, mark in self.signs.items()}

    def forget(self, targets: Collection[str]) -> None:
        """Drop the marks of arrows that struck one of these targets: those that are not hung."""
        self.signs = {sign: mark for sign, mark in self.signs.items() if mark.struck not in targets}

    def is_hit(self, sign: str) -> bool:
        """Whether an arrow of this mark struck a target."""
        return self.hit in self._worded.get(sign, ())

    def lies_at_target(self, sign: str) -> bool:
        """Whether the arrow lies at the target; else it lies on the ground."""
        mark = self.signs[sign]
        return mark.lies == "target" if mark.lies is not None else self.is_hit(sign)

    def said(self, sign: str, aimed: str | None, struck: str | None) -> frozenset[str]:
        """The words that hold of an arrow, by the target aimed at and the one it struck (None: it struck none)."""
        words = self._worded[sign]
        if struck is None:
            return words
        if struck != aimed:
            words = (words - {self.hit}) | {self.other}
        return words | {struck}

    def meanings(self) -> str:
        """The signs with what they mean, for whoever wrote another."""
        return "、".join(
            " ".join(part for part in (sign, mark.en, mark.zh) if part) for sign, mark in self.signs.items()
        )

    def like(self, word: str) -> tuple[str, ...]:
        """The signs of which a word is the name (留: 下), for whoever wrote the name for the sign."""
        return tuple(sign for sign, mark in self.signs.items() if word and (word == mark.zh or word in mark.words))


def read_marks(settings: Mapping[str, object]) -> Marks:
    """Read the common marks and the ``[marks]`` of a rite. Raises RiteError when they are malformed."""
    own = own_marks(settings)
    wrong = [sign for sign, mark in own.items() if len(sign) != 1 or sign in ', "\t' or not mark.words]
    if wrong:
        cause = f"rite.toml: [marks]: {'、'.join(wrong)}: a mark is one sign, and says what the arrow is"
        raise RiteError(Finding(code="bad-table", cause=cause))
    return Marks(_common(), own)


def own_marks(settings: Mapping[str, object]) -> dict[str, Mark]:
    """Read the ``[marks]`` of a rite alone, by their sign. Raises RiteError when they are malformed."""
    table = settings.get("marks", {})
    found: dict[str, Mark] = {}
    where = "[marks]"
    try:
        for sign, mark in msgspec.convert(table, dict[str, object]).items():
            where = f"[marks] {sign}"
            found[sign] = msgspec.convert(mark, Mark)
    except msgspec.ValidationError as fault:
        raise RiteError(Finding(code="bad-table", cause=f"rite.toml: {where}: {fault}")) from None
    return found


@cache
def _common() -> Common:
    text = files("yanli").joinpath("rites", "lexicon", "marks.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), Common)
