"""Look a word up.

Comes in: entries that are known to be sound. Goes out: classes, entries, numbers, and the nearest word that exists.
A word that is made of others (賓席前, 司射西南三步, 三揖, 答再拜, 爵.1) is taken apart here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal, TypeVar, get_args

import msgspec

from yanli.lexicon.entries import UNITS, Entry, Facing, Garment, Music, Number, Place, Role, Small, Thing

Class = Literal["role", "thing", "place", "facing", "garment", "music", "number", "small", "verb"]
CLASSES: tuple[Class, ...] = get_args(Class)
SHAPES: dict[Class, type[Entry]] = {
    "role": Role,
    "thing": Thing,
    "place": Place,
    "facing": Facing,
    "garment": Garment,
    "music": Music,
    "number": Number,
    "small": Small,
}
LARGEST = 9999
NEAREST = 3  # how many names a diagnostic offers
LIKE = 0.5  # how much of a word must be right for that
_E = TypeVar("_E", bound=Entry)
MEMBER = re.compile(r"(.+)\.[1-9][0-9]*")
OWNERS = ("己", "對", "其")
BOUND = re.compile(r"[a-z]")
MARKS = ("當", "所設")
OWNED = ("位", "階", "所")
DISTANCE = re.compile(rf"(.+?)([0-9.]+|[^0-9.]+)([{''.join(UNITS)}])")


class PlaceWord(msgspec.Struct, frozen=True):
    """A place taken apart: 侯西北三步 is the anchor 侯, the relation 西北, and a distance of 3 步.

    In 賓席前 the anchor is 席 and its ``owner`` 賓; in 己階上 the owner is 己, the acting role. ``mark`` is 當 (in line
    with it) or 所設 (where it is to be set up).
    """

    anchor: str
    relations: tuple[str, ...] = ()
    distance: str | None = None
    unit: str | None = None
    owner: str | None = None
    mark: str | None = None


class Lexicon:
    """All words that a rite may use."""

    def __init__(
        self,
        entries: Mapping[Class, Mapping[str, Entry]],
        verbs: Mapping[str, dict[str, Any]],
        both: Mapping[str, str],
    ) -> None:
        """Take sound tables: the entries by class, the verbs as written, and the words granted two classes."""
        self.entries: dict[Class, dict[str, Entry]] = {cls: dict(entries.get(cls, {})) for cls in SHAPES}
        self.verbs: dict[str, dict[str, Any]] = dict(verbs)
        self.both: dict[str, str] = dict(both)
        self._named: dict[Class, dict[str, Entry]] = {}
        for cls, table in self.entries.items():
            named = {alias: entry for entry in table.values() for alias in entry.aliases}
            self._named[cls] = {**named, **table}
        self._verbs = {name: word for word, raw in self.verbs.items() for name in (*_strings(raw.get("aliases")), word)}
        self._relations = sorted(
            (word for word, entry in self._named["place"].items() if entry.kind == "relation"), key=len, reverse=True
        )

    def classify(self, word: str) -> set[Class]:
        """Say which classes a word belongs to; a compound (侯西北三步, 五十, 三揖) counts as what it is made into."""
        found = {cls for cls, table in self._named.items() if word in table}
        if word in self._verbs:
            found.add("verb")
        if found:
            return found
        if (base := _member(word)) is not None:
            return self.classify(base) & {"role", "thing"}
        if self.number(word) is not None or self.quantity(word) is not None:
            found.add("number")
        if self.split_verb(word) is not None:
            found.add("verb")
        if self.split_thing(word) is not None:
            found.add("thing")
        elif self.split_place(word) is not None:
            found.add("place")
        return found

    def role(self, word: str) -> Role | None:
        """Give the entry of a role, under any of its names; 眾賓.1 answers as 眾賓."""
        return self._get("role", word, Role)

    def thing(self, word: str) -> Thing | None:
        """Give the entry of a thing, under any of its names; 爵.1 answers as 爵."""
        return self._get("thing", word, Thing)

    def place(self, word: str) -> Place | None:
        """Give the entry of a place-word, not of one that is made of several."""
        return self._get("place", word, Place)

    def facing(self, word: str) -> Facing | None:
        """Give the entry of a facing or of the head of a row."""
        return self._get("facing", word, Facing)

    def garment(self, word: str) -> Garment | None:
        """Give the entry of a garment."""
        return self._get("garment", word, Garment)

    def music(self, word: str) -> Music | None:
        """Give the entry of a piece of music."""
        return self._get("music", word, Music)

    def small(self, word: str) -> Small | None:
        """Give the entry of a small word."""
        return self._get("small", word, Small)

    def verb(self, word: str) -> dict[str, Any] | None:
        """Give the table of a verb as it was written, under any of its names."""
        name = self._verbs.get(word)
        return None if name is None else self.verbs[name]

    def name(self, word: str, cls: Class) -> str | None:
        """Give the first name of a word in a class: 鐘 answers 鍾."""
        if cls == "verb":
            return self._verbs.get(word)
        entry = self._named[cls].get(word)
        return None if entry is None else entry.word

    def names(self, cls: Class) -> tuple[str, ...]:
        """Give all names of a class, other names too."""
        return tuple(self._verbs if cls == "verb" else self._named[cls])

    def english(self, word: str) -> str | None:
        """Give the English of a word, of whatever class; of a verb too, if its table has one."""
        for table in self._named.values():
            if word in table:
                return table[word].en
        verb = self.verb(word)
        gloss = verb.get("en") if verb else None
        return gloss if isinstance(gloss, str) else None

    def number(self, word: str) -> int | None:
        """Read a number up to 9999: 三, 五十, 二十有四, 廿五, 百六十, 再, 乘, 24; None if it is none."""
        if word.isascii():
            return int(word) if word.isdigit() and int(word) <= LARGEST else None
        table = self._named["number"]
        total, digit = 0, None
        last = LARGEST + 1
        for position, char in enumerate(word):
            entry = table.get(char)
            if entry is None and char in "有又零〇" and 0 < position < len(word) - 1:
                continue
            if not isinstance(entry, Number):
                return None
            if entry.kind == "count":
                return entry.value if len(word) == 1 else None
            if entry.kind == "digit":
                if digit is not None:
                    return None
                digit = entry.value
            else:
                if entry.value >= last:
                    return None
                last = entry.value
                # 廿 and 卅 are tens that already carry their digit.
                total += entry.value * (1 if digit is None else digit)
                digit = None
        total += digit or 0
        return total if word and total <= LARGEST else None

    def quantity(self, word: str) -> tuple[Fraction, str] | None:
        """Read a number with what it counts or measures: 三等 is 3, 等; 1.5寸 is 3/2, 寸."""
        number, unit = word[:-1], word[-1:]
        small = self.small(unit)
        if unit not in UNITS and (small is None or small.kind != "measure"):
            return None
        if _decimal(number):
            return Fraction(number), unit
        value = self.number(number)
        return None if value is None else (Fraction(value), unit)

    def split_verb(self, word: str) -> tuple[str, int] | None:
        """Take the number off a verb: 三揖 is 揖, 3; 答再拜 is 答拜, 2; a plain verb is itself, 1."""
        if word in self._verbs:
            return self._verbs[word], 1
        for start in range(len(word)):
            for end in range(len(word) - (start == 0), start, -1):
                rest = word[:start] + word[end:]
                if rest in self._verbs and (times := self.number(word[start:end])) is not None:
                    return self._verbs[rest], times
        return None

    def split_thing(self, word: str) -> tuple[str, str] | None:
        """Take a thing apart from its owner: 賓之弓 is 賓, 弓."""
        owner, said, owned = word.partition("之")
        return (owner, owned) if said and self._is_owner(owner) and self.thing(owned) is not None else None

    def split_place(self, word: str) -> PlaceWord | None:
        """Take a place apart into an anchor, relations and a distance; None if its anchor is not known."""
        for mark in MARKS:
            rest = word.removeprefix(mark)
            if rest and rest != word and (found := self.split_place(rest)) is not None:
                return msgspec.structs.replace(found, mark=mark)
        plain = self._split_relations(word)
        if plain is not None:
            return plain
        if (match := DISTANCE.fullmatch(word)) is None:
            return None
        # The number may be one sign or several (三步, 十五步): the longest that leaves a place before it.
        head, number, unit = match.groups()
        rest = head + number
        for cut in range(1, len(rest)):
            if self.number(rest[cut:]) is None and not _decimal(rest[cut:]):
                continue
            if (found := self._split_relations(rest[:cut])) is not None:
                return msgspec.structs.replace(found, distance=rest[cut:], unit=unit)
        return None

    def is_anchor(self, word: str) -> bool:
        """Say whether places can be told from it: a role, a thing, or a place that is no bare relation."""
        base = _member(word) or word
        if BOUND.fullmatch(base):
            return True
        place = self._named["place"].get(base)
        if place is not None and place.kind != "relation":
            return True
        return base in self._named["role"] or base in self._named["thing"]

    def nearest(self, word: str, cls: Class | None = None) -> tuple[str, ...]:
        """Give up to three words that look most like it, of one class or of all."""
        from rapidfuzz.distance import Levenshtein

        tables: list[Mapping[str, object]] = [self._verbs] if cls in {None, "verb"} else []
        tables += [table for name, table in self._named.items() if cls in {None, name}]
        known = {name for table in tables for name in table} - {word}
        near = ((Levenshtein.normalized_similarity(word, name), -abs(len(word) - len(name)), name) for name in known)
        best = sorted((one for one in near if one[0] >= LIKE), key=lambda one: (-one[0], -one[1], one[2]))
        return tuple(name for _, _, name in best[:NEAREST])

    def _get(self, cls: Class, word: str, shape: type[_E]) -> _E | None:
        entry = self._named[cls].get(word) or self._named[cls].get(_member(word) or word)
        return entry if isinstance(entry, shape) else None

    def _is_owner(self, word: str) -> bool:
        """Say whether somebody is named: by his role, by a name that 每 or 應 bound (x), or as 己, 對, 其."""
        return word in OWNERS or BOUND.fullmatch(word) is not None or self.role(word) is not None

    def _is_owned(self, word: str) -> bool:
        """Say whether it is something that each has for himself: his mat, his dishes, his stairs, his place."""
        thing = self._named["thing"].get(word)
        return word in OWNED or (isinstance(thing, Thing) and thing.anchor and word not in self._named["role"])

    def _split_relations(self, word: str) -> PlaceWord | None:
        if self.is_anchor(word):
            return PlaceWord(word)
        for cut in range(len(word) - 1, 0, -1):
            owner, owned = word[:cut], word[cut:]
            if self._is_owner(owner) and self._is_owned(owned):
                return PlaceWord(owned, owner=owner)
        for relation in self._relations:
            rest = word.removesuffix(relation)
            if rest and rest != word and (found := self._split_relations(rest)) is not None:
                return msgspec.structs.replace(found, relations=(*found.relations, relation))
        return None


def _member(word: str) -> str | None:
    """Take the member's number off: 眾賓.1 is of 眾賓."""
    match = MEMBER.fullmatch(word)
    return match.group(1) if match else None


def _decimal(text: str) -> bool:
    """Say whether a text is a decimal number."""
    return re.fullmatch(r"[0-9]+(\.[0-9]+)?", text) is not None


def _strings(value: object) -> tuple[str, ...]:
    """Give the strings of a list; anything else has none."""
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()
