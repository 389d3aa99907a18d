"""The syntax tree of a score (譜).

Comes in: what the parser read. Goes out: every line of a score as a typed node that knows its span and its exact
source, so that printing the tree gives back the text. What can no longer occur afterwards: a line whose kind is not
known. Nodes know nothing of what a word means: 主人 and 爵 are both a ``Word`` here.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from yanli.errors import Finding
from yanli.source import Span


class Node(msgspec.Struct, kw_only=True):
    """Anything that stands on a line: its span and the line exactly as written, line end apart."""

    span: Span
    raw: str = ""


class Word(msgspec.Struct, frozen=True, tag=True):
    """One word of an act line, set off by spaces: a name, a place, a number, a small word.

    ``joined``: 、 stands before it, so it belongs together with the word before (賓、眾賓).
    """

    text: str
    span: Span
    joined: bool = False


class Speech(msgspec.Struct, frozen=True, tag=True):
    """Spoken words in 「」; ``{names}`` in it are slots."""

    text: str
    span: Span


Argument = Word | Speech


class Act(msgspec.Struct, frozen=True, kw_only=True):
    """One act: its verb word first, then its arguments.

    ``supplied``: it stands in brackets, so the editor supplied it, on ``warrant`` (the words after 據).
    ``negated``: 不 stands before it; ``still``: 猶 stands before it; ``distributive``: 皆 or 各 stands before it;
    ``prefixes``: these small words as they are written.
    """

    words: tuple[Argument, ...]
    span: Span
    supplied: bool = False
    warrant: str | None = None
    negated: bool = False
    still: bool = False
    distributive: bool = False
    prefixes: tuple[str, ...] = ()


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """One side of ‖: who acts, and the acts in order. ``who_supplied``: the actor stands in brackets."""

    who: tuple[Word, ...]
    acts: tuple[Act, ...]
    who_supplied: bool = False
    who_warrant: str | None = None


class ActLine(Node, tag=True):
    """``WHO act，act ‖ WHO act``: parts happen at once; ``joined``: the line itself begins with ‖ (runs beside).

    ``who`` of a part is empty when the line does not say it. A line that is ``‖`` alone has no parts.
    """

    parts: tuple[Part, ...]
    joined: bool = False


class Compare(msgspec.Struct, frozen=True, tag=True):
    """``KEY = VALUE``, ``數 X 於 P < n``: two sides as words, and the operator."""

    left: tuple[Word, ...]
    operator: Literal["=", "≠", "<", ">", "≤", "≥"]
    right: tuple[Word, ...]


class Is(msgspec.Struct, frozen=True, tag=True):
    """``x 是 ROLE`` or ``不 x 是 ROLE``."""

    who: Word
    role: Word
    negated: bool = False


class Marked(msgspec.Struct, frozen=True, tag=True):
    """``x 射 貫``: how the act that is being answered fell out; ``x 勝``: the same without a mark.

    Any two or three bare words are read so, when none of them is 是 or an operator. Where there are two, ``mark`` is an
    empty word.
    """

    who: Word
    act: Word
    mark: Word
    negated: bool = False


class Has(msgspec.Struct, frozen=True, tag=True):
    """``有 X [在 P]`` or ``不有 X [在 P]``."""

    what: tuple[Word, ...]
    where: tuple[Word, ...]
    negated: bool = False


class Named(msgspec.Struct, frozen=True, tag=True):
    """A bare name: a condition named by 辨, a scenario key that is 是 or 否, or a state of the world (矢盡, 矢不備)."""

    name: Word
    negated: bool = False


class AnyOf(msgspec.Struct, frozen=True, tag=True):
    """Conditions joined by 或."""

    parts: tuple[Condition, ...]


class AllOf(msgspec.Struct, frozen=True, tag=True):
    """Conditions joined by 且 (binds tighter than 或)."""

    parts: tuple[Condition, ...]


Condition = Compare | Is | Marked | Has | Named | AnyOf | AllOf


class If(Node, tag=True):
    """``若 CONDITION`` and its block; ``otherwise`` is the block of 否.

    For ``否 若 …`` it holds one other If, whose ``raw`` is that line, and ``else_raw`` is None.
    """

    condition: Condition
    body: tuple[Statement, ...] = ()
    otherwise: tuple[Statement, ...] = ()
    else_raw: str | None = None


class Each(Node, tag=True):
    """``每 x 在 GROUP [除 首|除 末] [接 「words」]``: once for each member, in rank order."""

    name: Word
    group: tuple[Word, ...]
    without: tuple[Word, ...] = ()
    joins: str | None = None
    body: tuple[Statement, ...] = ()


class Turns(Node, tag=True):
    """``拾 (甲 乙) 至 CONDITION``: by turns until; in the body 拾者 is the one whose turn it is.

    One name alone is allowed: he acts again and again until.
    """

    names: tuple[Word, ...]
    until: Condition
    body: tuple[Statement, ...] = ()


class Chain(Node, tag=True):
    """``遞 (甲 乙) 在 LIST``: each receiver gives next; 甲 is bound to the giver, 乙 to the receiver."""

    giver: Word
    receiver: Word
    members: tuple[Word, ...]
    body: tuple[Statement, ...] = ()


class On(Node, tag=True):
    """``當 「words」 起|畢 [每] [於 RANGE]``, ``當 x VERB … 起|畢``, ``應 x VERB …``: a block hung on what is played.

    ``words`` is given, or ``act`` (binder, verb, further words). ``beside``: the block begins with ‖, so what it hangs
    on does not wait for it.
    """

    words: str | None = None
    act: tuple[Word, ...] = ()
    at: Literal["起", "畢"] = "畢"
    every: bool = False
    within: Word | None = None
    beside: bool = False
    body: tuple[Statement, ...] = ()


class Again(Node, tag=True):
    """``如 P a→b … [除 words] [惟 words]``: the acts of a passage (節.款), range (段) or 法 played again."""

    passage: str
    exchange: tuple[tuple[str, str], ...] = ()
    without: tuple[Word, ...] = ()
    only: tuple[Word, ...] = ()
    supplied: bool = False
    warrant: str | None = None


class Define(Node, tag=True):
    """``法 NAME (params)``: a named passage, played only where 如 NAME calls it."""

    name: str
    parameters: tuple[str, ...] = ()
    body: tuple[Statement, ...] = ()


class Reading(Node, tag=True):
    """``說 CRUX · NAMES [主]``: one answer to a dispute; neighbours of the same crux are its rivals."""

    crux: str
    names: tuple[str, ...]
    default: bool = False
    body: tuple[Statement, ...] = ()


class Bind(Node, tag=True):
    """``註 KIND WORDS``: words that ask for no act, bound to what they govern. KIND: 義 度 例 器 位 動 表 …."""

    kind: str
    words: tuple[Argument, ...]
    operator: str | None = None
    value: tuple[Argument, ...] = ()


class Distinguish(Node, tag=True):
    """``辨 名 = CONDITION``: names a condition."""

    name: str
    condition: Condition


class Time(Node, tag=True):
    """``時 明日``, ``時 前射三日``, ``時 宵``: time moves."""

    words: tuple[Word, ...]


class Warn(Node, tag=True):
    """``警 「words」``: when it is reached, a warning with these words."""

    text: str


class Range(Node, tag=True):
    """``段 NAME 「first」…「last」 [若 …|每 …]``: a named range of the text."""

    name: str
    first: str
    last: str
    guard: Condition | None = None
    each: tuple[Word, tuple[Word, ...]] | None = None
    without: tuple[Word, ...] = ()
    joins: str | None = None


class Comment(Node, tag=True):
    """``※ …``: an editor's comment, or an empty line (``raw`` is then blank)."""

    text: str = ""


class Bad(Node, tag=True):
    """A line that could not be read; it keeps its text and its findings, and everything else is read on."""

    body: tuple[Statement, ...] = ()


Statement = (
    ActLine
    | If
    | Each
    | Turns
    | Chain
    | On
    | Again
    | Define
    | Reading
    | Bind
    | Distinguish
    | Time
    | Warn
    | Range
    | Comment
    | Bad
)


class ClauseLine(Node, tag=True):
    """A line of canonical words (句), and the statements under it."""

    text: str
    body: tuple[Statement, ...] = ()


class Heading(Node, tag=True):
    """``## 節 · slug`` (level 2) or ``### 款`` (level 3), with an optional guard or repetition over all below it.

    ``placed`` is (words, 起 or 畢) of ``當 「words」 畢``: it is told here, and done when those words begin or end.
    ``each`` is (x, GROUP) of ``每 x 在 GROUP [除 …] [接 「…」]``; ``without`` and ``joins`` are the rest of it.
    Statements may stand indented directly under a heading: definitions, ranges, conditions.
    """

    level: Literal[2, 3]
    title: str
    slug: str | None = None
    guard: Condition | None = None
    each: tuple[Word, tuple[Word, ...]] | None = None
    without: tuple[Word, ...] = ()
    joins: str | None = None
    placed: tuple[str, Literal["起", "畢"]] | None = None
    body: tuple[Statement, ...] = ()


class Score(msgspec.Struct, kw_only=True):
    """One file: its lines in order, and all that was found wrong while reading it.

    ``line_end`` is CR LF only when every line ends so; in a mixed file each stray CR stays in ``raw``.
    """

    file: str
    items: tuple[Heading | ClauseLine | Comment | Bad, ...]
    findings: tuple[Finding, ...] = ()
    final_newline: bool = True
    line_end: Literal["\n", "\r\n"] = "\n"

    def canonical(self) -> str:
        """Return the canonical words alone, joined without anything between."""
        return "".join(item.text for item in self.items if isinstance(item, ClauseLine))
