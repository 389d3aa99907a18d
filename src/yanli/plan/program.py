"""The program (排): what is to be played, as plain values.

Every node keeps the clause it stands under and its span. ``Node`` is what the interpreter walks.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from yanli.source import Span


class Who(msgspec.Struct, frozen=True, tag=True):
    """Fixed persons, by their full names (a role or a group of the cast), and the word that named them."""

    names: tuple[str, ...]
    word: str


class Bound(msgspec.Struct, frozen=True, tag=True):
    """Whoever a name is bound to when it is reached: x, 拾者, 對, 甲, 卒受者, 上射 within a pair."""

    word: str


class Side(msgspec.Struct, frozen=True, tag=True):
    """The side that won or lost (勝者, 不勝者), decided by the count; within a pair, its member of that side."""

    won: bool
    word: str


class Several(msgspec.Struct, frozen=True, tag=True):
    """Several together (賓、眾賓)."""

    parts: tuple[WhoRef, ...]


WhoRef = Who | Bound | Side | Several


class ThingRef(msgspec.Struct, frozen=True):
    """A thing as an act names it: kind, how many (None: one; -1: all), whose, which number, and 散 if not in a heap.

    ``its``: it belongs to the actor's own target (其侯), and which thing that is depends on the actor.
    """

    kind: str
    count: int | None = None
    owner: WhoRef | None = None
    number: int | None = None
    loose: bool = False
    surplus: bool = False
    its: str | None = None


class PlaceRef(msgspec.Struct, frozen=True):
    """A place as an act names it.

    ``fixed``: the whole name is a place of the layout. Otherwise ``anchor`` is a person (``who``), the actor himself
    (己), the other (對), a thing, or the seat of a person, and ``rest`` what follows: 西南, 席前, 階上, 身南, 三步.
    ``anchor``: a place of the layout beside which it is. ``its``: what of the actor's own target it is (其乏).
    """

    word: str
    fixed: bool = True
    who: WhoRef | None = None
    rest: str = ""
    thing: str | None = None
    anchor: str | None = None
    its: str | None = None


class Act(msgspec.Struct, kw_only=True, tag=True):
    """One act, all its words in their parts. ``ahead`` is the place it binds forward to (坐, 興, facings)."""

    clause: int
    span: Span
    verb: str
    who: WhoRef
    times: int = 1
    things: tuple[ThingRef, ...] = ()
    target: WhoRef | None = None
    place: PlaceRef | None = None
    source: PlaceRef | None = None
    giver: WhoRef | None = None
    via: tuple[PlaceRef, ...] = ()
    ahead: PlaceRef | None = None
    facing: float | None = None
    facing_word: str | None = None
    head: str | None = None
    garments: tuple[str, ...] = ()
    music: str | None = None
    matter: str | None = None
    manner: str | None = None
    hand: str | None = None
    steps: int | None = None
    role: str | None = None
    speech: str | None = None
    mode: Literal["does", "not", "still"] = "does"
    origin: Literal["text", "editor"] = "text"
    warrant: str | None = None
    reading: str | None = None
    reason: str | None = None


class Seq(msgspec.Struct, tag=True):
    """One after another."""

    items: list[Node]


class Par(msgspec.Struct, tag=True):
    """At once; ends when the last ends."""

    items: list[Node]


class Clause(msgspec.Struct, tag=True):
    """A clause being played: its number, its acts, and the blocks hung on its start and end.

    ``elsewhere``: all its acts are hung on other moments, so it is not played where it stands. ``guest``: it is one of
    another rite, numbered after those of the rite that is played; what is done in it counts to whichever calls it.
    """

    clause: int
    body: Seq
    elsewhere: bool = False
    guest: bool = False
    before: list[Hung] = []
    after: list[Hung] = []


class Hung(msgspec.Struct, tag=True):
    """A block hung on a clause: every time or the first only, waited for or beside; ``home``: where it was told."""

    body: Seq
    every: bool
    beside: bool
    number: int
    home: tuple[int, int] = (0, 0)


class If(msgspec.Struct, tag=True):
    """A branch that asks the world. ``words`` name the condition for people."""

    condition: Ask
    body: Seq
    otherwise: Seq
    words: str
    clause: int


class Skipped(msgspec.Struct, tag=True):
    """What this scenario leaves out: the clauses concerned, and the condition that was not so."""

    clauses: tuple[int, ...]
    words: str


class Each(msgspec.Struct, tag=True):
    """For each member of a group; ``pairs``: members are pairs, bound to 上射 下射 其耦.

    ``joins``: the clause whose start begins the next turn.
    ``follows``: the first member's turn was told before (除 首), so the first turn here too begins at its ``joins``.
    """

    name: str
    group: str
    members: tuple[str, ...] | tuple[tuple[str, str], ...] | None
    pairs: bool
    joins: int | None
    body: Seq
    who: WhoRef | None = None
    follows: bool = False


class Turns(msgspec.Struct, tag=True):
    """By turns until a condition holds."""

    who: tuple[WhoRef, ...]
    until: Ask
    body: Seq
    words: str
    clause: int
    span: Span


class Chain(msgspec.Struct, tag=True):
    """Each receiver gives next."""

    giver: str
    receiver: str
    members: tuple[WhoRef, ...]
    body: Seq


class Call(msgspec.Struct, tag=True):
    """A passage played again: its name and its resolved body; ``guest``: it is one of another rite."""

    passage: str
    body: Seq
    guest: bool = False


class Answer(msgspec.Struct, tag=True):
    """A block hung on every act of a verb with certain marks, in force within a range of clauses.

    ``named``: the words name the range (於 RANGE); one that is a round holds in that round only.
    """

    binder: str
    verb: str
    marks: tuple[str, ...]
    actor: WhoRef | None
    at: Literal["起", "畢"]
    within: tuple[int, int]
    beside: bool
    body: Seq
    number: int
    named: bool = False


class Placed(msgspec.Struct, tag=True):
    """A section or passage that is told elsewhere and done now: its clauses are played as themselves."""

    body: Seq
    number: int


class TimeMoves(msgspec.Struct, tag=True):
    """Time moves (明日, 前射三日, 宵)."""

    words: str
    clause: int


class Caution(msgspec.Struct, tag=True):
    """A warning when it is reached."""

    text: str
    clause: int
    span: Span


# ── what asks the world ─────────────────────────────────────────────────────────────────────────────────────────────


class Marked(msgspec.Struct, frozen=True, tag=True):
    """Of the arrow that is being answered this word holds (中, 貫, 鼓 …)."""

    mark: str


class IsRole(msgspec.Struct, frozen=True, tag=True):
    """A bound person is one of these, or shoots on this side."""

    who: WhoRef
    names: tuple[str, ...] | None
    side: str | None


class Won(msgspec.Struct, frozen=True, tag=True):
    """Which side the count gave the victory (右, 左, 鈞); or that a person's side won."""

    side: str | None = None
    who: WhoRef | None = None


class Exhausted(msgspec.Struct, frozen=True, tag=True):
    """None of the persons has an arrow left (矢盡)."""

    who: tuple[WhoRef, ...]


class Present(msgspec.Struct, frozen=True, tag=True):
    """A thing of this kind, or a person, is at a place or with a person."""

    kind: str | None
    who: WhoRef | None
    where: PlaceRef | None
    holder: WhoRef | None


class Count(msgspec.Struct, frozen=True, tag=True):
    """How many things of a kind are at a place or with a person, or a plain number.

    ``owner``: only his (上射之矢). ``who``: not things are counted but these persons, those who are at the place.
    """

    number: int | None = None
    kind: str | None = None
    loose: bool = False
    where: PlaceRef | None = None
    holder: WhoRef | None = None
    owner: WhoRef | None = None
    who: WhoRef | None = None


class Compare(msgspec.Struct, frozen=True, tag=True):
    """Two counts compared."""

    left: Count
    operator: str
    right: Count


class Not(msgspec.Struct, frozen=True, tag=True):
    """The contrary."""

    part: Ask


class All(msgspec.Struct, frozen=True, tag=True):
    """All of these."""

    parts: tuple[Ask, ...]


class Any(msgspec.Struct, frozen=True, tag=True):
    """Any of these."""

    parts: tuple[Ask, ...]


Ask = Marked | IsRole | Won | Exhausted | Present | Compare | Not | All | Any
Node = Act | Seq | Par | Clause | If | Skipped | Each | Turns | Chain | Call | Answer | Placed | TimeMoves | Caution
