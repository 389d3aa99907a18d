"""One entry of each class of words.

Comes in: nothing; these are the shapes that the tables are read into. Goes out: frozen values. What can no longer occur
after them: a field that nobody knows, a party that is neither the host's nor the guests', a facing without degrees.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

import msgspec

# What each unit is in 尺. 步 is six 尺 (張爾岐: 步六尺), 弓 is a 步, 尋 eight and 仞 seven (鄭注), 笴 three (鄭注).
UNITS: dict[str, Fraction] = {
    "丈": Fraction(10),
    "尺": Fraction(1),
    "寸": Fraction(1, 10),
    "分": Fraction(1, 100),
    "步": Fraction(6),
    "弓": Fraction(6),
    "尋": Fraction(8),
    "仞": Fraction(7),
    "笴": Fraction(3),
    "武": Fraction(12, 10),
}


class Measure(msgspec.Struct, frozen=True, array_like=True):
    """A measure and where it is said: ``["1.5寸", "記: 厚寸有半"]``."""

    value: str
    source: str

    def chi(self) -> Fraction | None:
        """Give a length in 尺, exactly; None for what is no length (a volume, a weight)."""
        number = self.value.rstrip("".join(UNITS))
        unit = self.value[len(number) :]
        return Fraction(number) * UNITS[unit] if number and unit in UNITS else None


class Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every word has: itself, the English of a museum or a translator, other names, a remark and its source.

    ``replaces``: a rite's own table says so where an entry takes the place of the common one.
    """

    word: str
    en: str
    kind: str | None = None
    aliases: tuple[str, ...] = ()
    note: str | None = None
    source: str | None = None
    replaces: bool = False


class Role(Entry, frozen=True, kw_only=True):
    """Who acts: one person, an office that someone holds, or a group.

    ``office_of``: the person who holds it, whose name stays his name. ``group``: more than one. A group has ``count``
    members of its own (a number, or the scenario key that gives it), or takes them from ``members``: only the ``first``
    so many, or all after ``skip``. ``pairs``: its members are pairs. ``decided``: by whom, when the table cannot.
    """

    party: Literal["主黨", "賓黨"] | None = None
    stair: Literal["阼階", "西階"] = "西階"
    office_of: str | None = None
    group: bool = False
    count: int | str | None = None
    members: tuple[str, ...] = ()
    first: int | None = None
    skip: int | None = None
    pairs: bool = False
    decided: Literal["scenario", "world", "turn"] | None = None


class Thing(Entry, frozen=True, kw_only=True):
    """What is held, laid, worn at the belt or stands somewhere.

    ``hands``: how it is carried: in 1 hand, in 2, or in the ``left`` or ``right`` one. ``holds``: it can be filled.
    ``anchor``: places are told from it (洗南, 薦西). ``part_of``: what it is a part of. ``bears``: which of the
    things that lie where it stands lie on it, and go with it when it is taken.
    """

    size: dict[str, Measure] = {}
    hands: Literal[1, 2, "left", "right"] | None = None
    holds: bool = False
    anchor: bool = False
    part_of: str | None = None
    bears: tuple[str, ...] = ()
    is_a: str | None = None
    made_of: tuple[tuple[str, int], ...] = ()
    small: bool = False


class Place(Entry, frozen=True, kw_only=True):
    """Where: an anchor, a zone, or a relation that is told from an anchor.

    ``zone``: where an anchor lies. ``degrees``: of a relation, clockwise from north or from the way the anchor faces.
    ``by``: what the relation goes by.
    """

    kind: Literal["anchor", "zone", "relation", "bound"] | None = "anchor"
    zone: str | None = None
    degrees: int | None = None
    by: Literal["compass", "facing", "shape"] | None = None


class Facing(Entry, frozen=True, kw_only=True):
    """Which way one faces (東面), at which end a row begins (東上), or to which side a thing is laid: degrees."""

    kind: Literal["facing", "head", "lay", "turn"] | None = "facing"
    degrees: int | None = None


class Garment(Entry, frozen=True, kw_only=True):
    """What is worn or bared. ``wear``: where; ``state``: it is no cloth but a way of being dressed (袒)."""

    wear: str | None = None
    state: bool = False


class Music(Entry, frozen=True, kw_only=True):
    """A piece. ``book``: its place in the 詩, where it still has one. ``by``: who sounds it."""

    book: str | None = None
    by: str | None = None
    lost: bool = False


class Number(Entry, frozen=True, kw_only=True):
    """A number word: a ``digit``, a ``unit`` that multiplies (十), or a ``count`` that stands alone (再, 乘)."""

    kind: Literal["digit", "unit", "count"] | None = "digit"
    value: int


class Small(Entry, frozen=True, kw_only=True):
    """A small word: a ``preposition`` says what part a word plays, a ``mark`` stands before a verb."""

    kind: Literal["preposition", "mark", "measure", "order", "manner", "hand", "foot", "particle"] | None = "particle"


# The parts that words can play in an act.
ARGUMENTS = frozenset({
    "thing", "target", "place", "from", "via", "facing", "garment", "music", "matter", "manner", "number", "speech",
    "hand", "head", "role",
})  # fmt: skip
# What an act can last: not less than nothing, nor more than a day.
Seconds = Annotated[float, msgspec.Meta(ge=0, le=86_400)]
# What is seen of an act from afar.
Gesture = Literal["bow", "salute", "shoot", "offer", "drink", "raise", "wash"]
# A need or an effect: a primitive and what it is about.
Primitive = Annotated[str, msgspec.Meta(pattern=r"\S")]


class Verb(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the table of a verb must look; it is kept as it is, since what is left out means something in ``for``.

    Whether the primitives that it needs and does are known, only the room that plays them can say.
    """

    en: str = ""
    takes: str = ""
    seconds: Seconds = 1
    needs: tuple[Primitive, ...] = ()
    does: tuple[Primitive, ...] = ()
    gesture: Gesture | None = None
    bulk: bool = False
    held: bool = False
    replaces: bool = False
    note: str | None = None
    source: str | None = None
    special: dict[str, Verb] = msgspec.field(name="for", default={})

    def unknown(self) -> tuple[str, ...]:
        """The arguments that no verb takes."""
        own = (word for word in self.takes.split() if word not in ARGUMENTS)
        return (*own, *(word for verb in self.special.values() for word in verb.unknown()))
