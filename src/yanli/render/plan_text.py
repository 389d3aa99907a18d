"""Text on the sheet: how broad it is, how a name is written, and how it is put into SVG.

Comes in: words. Goes out: their measure in pixels, names in Chinese or English, and elements. It knows no place.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from yanli.render.wording import Wording, han

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yanli.performance.perform import Performance
    from yanli.performance.world import Actor, Thing
    from yanli.render.plan_space import Box

CJK = 1.0
LATIN = 0.55
LINE = 1.16
"""Height of a line, in its size."""
LONG = 14
"""Longer glosses do not fit beside a figure."""
PLAIN = re.compile(r"[,;:]| \(")
"""What a gloss says before any of these is a name."""
_WIDE = 0x2E80
_SPECIAL = frozenset('&<>"\n\r\t')


def breadth(words: str, size: float) -> float:
    """How broad a line is: full em for what is Chinese, 0.55 for what is Latin."""
    return size * sum(CJK if ord(char) >= _WIDE else LATIN for char in words)


def counted(words: str, number: int, *, english: bool) -> str:
    """A thing with how many of it there are."""
    if number == 1:
        return words
    return f"{number} {plural(words)}" if english else f"{words}{han(number)}"


def plural(words: str) -> str:
    """More than one of an English thing."""
    return words if words.endswith("s") else f"{words}s"


class Names:
    """How persons and things are called on one sheet."""

    def __init__(self, performance: Performance, *, english: bool) -> None:
        """Know who has companions of the same name (those get numbers), and the English of the lexicon."""
        stage = performance.stage
        self.english = english
        self._performance = performance
        self.groups: Mapping[str, tuple[str, ...]] = stage.cast.groups
        self._persons = stage.cast.persons
        self._roles: Mapping[str, object] = stage.lexicon.entries["role"]
        self._things: Mapping[str, object] = stage.lexicon.entries["thing"]
        numbers: dict[str, int] = {}
        for person in self._persons.values():
            numbers[person.base] = numbers.get(person.base, 0) + 1
        self._many = {base for base, count in numbers.items() if count > 1}
        self.families: dict[str, str] = {}
        for group, members in self.groups.items():
            bases = {name.partition(".")[0] for name in members}
            if len(bases) > 1 and len(members) == sum(numbers.get(base, 0) for base in bases) and bases <= self._many:
                for base in bases:
                    self.families.setdefault(base, group)

    def person(self, actor: Actor) -> str:
        """The name on the label: the office in force, else the name, numbered where there are several."""
        if actor.roles:
            return self._role(actor.roles[-1])
        return self._role(actor.base, actor.number if actor.base in self._many else 0)

    def row(self, first: Actor, last: Actor, count: int) -> str:
        """One name for a row of people: 三耦, 眾賓四–九."""
        family = self.families.get(first.base)
        if family is not None and count == len(self.groups[family]):
            return self._role(family)
        if first.base == last.base:
            if self.english:
                return f"{self._role(first.base)} {first.number}–{last.number}"
            return f"{first.base}{han(first.number)}–{han(last.number)}"
        return f"{self.person(first)}–{self.person(last)}"

    def thing(self, kind: str) -> str:
        """A thing by its kind."""
        return _short(getattr(self._things.get(kind), "en", None) or kind) if self.english else kind

    def place(self, name: str) -> str:
        """A place by its name."""
        return self._wording.place_en(name) if self.english else name

    def _gloss(self, word: str) -> str:
        found = getattr(self._roles.get(word), "en", None)
        if not found:
            person = next((person for person in self._persons.values() if person.base == word), None)
            found = person.en if person is not None and person.en else word
        return str(found)

    @cached_property
    def _english(self) -> dict[str, str]:
        """The short English of everybody; of those who would be called alike the longer one that tells them apart."""
        glosses = {person.base: self._gloss(person.base) for person in self._persons.values()}
        # Numbered, several are told in the singular, as one is.
        count = Counter(_one(_short(gloss)) for gloss in glosses.values())
        return {
            base: PLAIN.split(gloss)[0] if count[_one(_short(gloss))] > 1 else _short(gloss)
            for base, gloss in glosses.items()
        }

    @cached_property
    def _wording(self) -> Wording:
        return Wording(self._performance)

    def mats(self, base: str) -> str:
        """The mats of several of one name."""
        return f"{self._role(base)}: mats" if self.english else f"{base}席"

    def held(self, things: tuple[Thing, ...]) -> str:
        """What a hand holds, in words."""
        kinds: dict[str, int] = {}
        for thing in things:
            word = self.thing(thing.kind)
            if thing.filled:
                word = f"filled {word}" if self.english else f"實{word}"
            kinds[word] = kinds.get(word, 0) + 1
        joint = ", " if self.english else "、"
        return joint.join(counted(word, number, english=self.english) for word, number in kinds.items())

    def _role(self, word: str, number: int = 0) -> str:
        if not self.english:
            return f"{word}{han(number)}" if number else word
        found = self._english[word] if word in self._english else _short(self._gloss(word))
        return f"{_one(found)} {number}" if number else found


def _short(words: str) -> str:
    """The beginning of a gloss, short enough for a label."""
    for mark in (",", ";", " (", ":"):
        words = words.partition(mark)[0]
    for mark in (" of ", " and ", " at ", " on ", " without "):
        head, found, _ = words.partition(mark)
        if found and len(words) > LONG:
            words = head
    return words


def _one(words: str) -> str:
    """One of several: officers, officer."""
    return words[:-1] if words.endswith("s") and not words.endswith("ss") and " of " not in words else words


def attrs(values: Mapping[str, object]) -> str:
    """Attributes of an element; None is left out."""
    return "".join(f" {name}={_quoted(str(value))}" for name, value in values.items() if value is not None)


def _quoted(words: str) -> str:
    return f'"{words}"' if _SPECIAL.isdisjoint(words) else quoteattr(words)


def num(value: float) -> str:
    """A coordinate with at most one decimal."""
    text = f"{value:.1f}"
    return text.removesuffix(".0")


def box_words(box: Box) -> str:
    """A box as data: left, top, width, height."""
    return f"{box.left:.1f} {box.top:.1f} {box.right - box.left:.1f} {box.bottom - box.top:.1f}"


def line_of_text(
    words: str,
    x: float,
    y: float,
    size: float,
    kind: str,
    *,
    upright: bool = False,
    box: Box | None = None,
    owner: str = "",
) -> str:
    """Words whose upper left corner is at a point; ``upright``: one character under the other."""
    data = {
        "class": kind,
        "font-size": num(size),
        "data-box": box_words(box) if box else None,
        "data-of": owner or None,
    }
    if upright:
        spans = "".join(
            f'<tspan x="{num(x)}" y="{num(y + size * (at + 0.88))}">{escape(char)}</tspan>'
            for at, char in enumerate(words)
        )
        return f"<text{attrs({**data, 'data-upright': 1})}>{spans}</text>"
    return f'<text x="{num(x)}" y="{num(y + size * 0.95)}"{attrs(data)}>{escape(words)}</text>'
