"""Words, speeches and conditions, out of Lark's trees.

Comes in: a piece of the tree of one line. Goes out: the frozen values that the syntax tree is made of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, Literal

from yanli.notation.lines import DEEPEST, Fault, Line
from yanli.notation.tree import (
    AllOf,
    AnyOf,
    Argument,
    Compare,
    Condition,
    Has,
    Is,
    Marked,
    Named,
    Speech,
    Word,
)
from yanli.source import Span

if TYPE_CHECKING:
    from lark import Token, Tree

Operator = Literal["=", "≠", "<", ">", "≤", "≥"]
OPPOSITE: Final[dict[str, Operator]] = {"=": "≠", "≠": "=", "<": "≥", ">": "≤", "≤": ">", "≥": "<"}
NO_CONDITION: Final = frozenset({"不是", "在", "不在", "為", "非"})

_IN_RUN = re.compile("([ 、]*)([^ 、]+)")
_LOOSE_LIST = re.compile("^ *、|、 *、|、 *$")


def offset(token: Token) -> int:
    """Where a token begins, counted from 0 in the raw line."""
    return token.start_pos or 0


def word(token: Token, line: Line, *, joined: bool = False) -> Word:
    """One word."""
    return Word(str(token), line.span(offset(token) + 1, len(token)), joined)


def speech(token: Token, line: Line) -> Speech:
    """What stands in 「」."""
    return Speech(token[1:-1], line.span(offset(token) + 1, len(token)))


def run(token: Token, line: Line) -> Iterator[Word]:
    """The words of a run, apart."""
    start = offset(token) + 1
    if "、" in token and (loose := _LOOSE_LIST.search(token)):
        place = start + loose.start() + loose.group().index("、")
        raise Fault("stray-list-mark", "、 stands between two words; expected a word beside it", place)
    for found in _IN_RUN.finditer(token):
        text = found[2]
        yield Word(text, line.span(start + found.start(2), len(text)), "、" in found[1])


def tokens(tree: Tree[Token]) -> list[Token]:
    """The children of a tree that has tokens only."""
    return [child for child in tree.children if isinstance(child, str)]


def trees(tree: Tree[Token]) -> dict[str, Tree[Token]]:
    """The children of a tree that are trees, by name."""
    return {str(child.data): child for child in tree.children if not isinstance(child, str)}


def arguments(tree: Tree[Token], line: Line) -> tuple[Argument, ...]:
    """Words and speeches in order; 、 is kept as ``joined``."""
    made: list[Argument] = []
    joined: Token | None = None
    for token in tokens(tree):
        if token.type == "LIST":
            if joined is not None or not made:
                raise _loose(token)
            joined = token
        elif token.type == "SPEECH":
            if joined is not None:
                raise _loose(joined)
            made.append(speech(token, line))
        else:
            made.append(word(token, line, joined=joined is not None))
            joined = None
    if joined is not None:
        raise _loose(joined)
    return tuple(made)


def words(tree: Tree[Token], line: Line) -> tuple[Word, ...]:
    """Words in order; 、 is kept as ``joined``."""
    return tuple(argument for argument in arguments(tree, line) if isinstance(argument, Word))


def _loose(token: Token) -> Fault:
    return Fault("stray-list-mark", "、 stands between two words; expected a word beside it", offset(token) + 1)


def condition(tree: Tree[Token], line: Line, depth: int = 0) -> Condition:
    """A condition; 且 binds tighter than 或."""
    parts = tuple(_all_of(child, line, depth) for child in tree.children if not isinstance(child, str))
    return parts[0] if len(parts) == 1 else AnyOf(parts)


def _all_of(tree: Tree[Token], line: Line, depth: int) -> Condition:
    parts = tuple(_factor(child, line, depth) for child in tree.children if not isinstance(child, str))
    return parts[0] if len(parts) == 1 else AllOf(parts)


def _factor(tree: Tree[Token], line: Line, depth: int) -> Condition:
    if depth > DEEPEST:
        raise Fault("malformed-condition", "nested too deep to be read", line.width + 1, len(line.content))
    kind = str(tree.data)
    inner = [child for child in tree.children if not isinstance(child, str)]
    if kind == "group":
        return condition(inner[0], line, depth + 1)
    if kind == "negation":
        return _negated(_factor(inner[0], line, depth + 1), line, inner[0])
    if kind in {"has", "has_not"}:
        where = words(trees(inner[1])["words"], line) if len(inner) > 1 else ()
        return Has(words(inner[0], line), where, kind == "has_not")
    left = words(inner[0], line)
    if kind == "compare":
        return Compare(left, _operator(tokens(tree)[0]), words(inner[1], line))
    if kind == "is_role":
        if len(left) != 1:
            raise Fault("malformed-condition", "expected one word before 是", *_extent(left))
        return Is(left[0], word(tokens(tree)[0], line))
    return _bare(left)


def _operator(token: Token) -> Operator:
    return OPPOSITE[OPPOSITE[token]]


def _extent(found: tuple[Word, ...]) -> tuple[int, int]:
    first, last = found[0].span, found[-1].span
    return first.column, last.column + last.length - first.column


def _bare(found: tuple[Word, ...]) -> Condition:
    """A name alone, or ``x 射 貫``, ``x 勝``."""
    for one in found:
        if one.joined or (len(found) > 1 and one.text in NO_CONDITION):
            cause = f"{one.text} joins nothing in a condition; expected one of: 有 X, KEY = VALUE, x 是 ROLE, x 射 貫"
            raise Fault("malformed-condition", cause, one.span.column, one.span.length)
    match found:
        case (name,):
            return Named(name)
        case (who, act):
            end = act.span.column + act.span.length
            return Marked(who, act, Word("", Span(act.span.file, act.span.line, end)))
        case (who, act, mark):
            return Marked(who, act, mark)
        case _:
            cause = f"{len(found)} bare words are no condition; expected 有 X, KEY = VALUE, x 是 ROLE, x 射 貫, a name"
            raise Fault("malformed-condition", cause, *_extent(found))


def _negated(inner: Condition, line: Line, tree: Tree[Token]) -> Condition:
    """不 before a condition."""
    match inner:
        case Compare(left, operator, right):
            return Compare(left, OPPOSITE[operator], right)
        case Has(what, where, negated):
            return Has(what, where, not negated)
        case Is(who, role, negated):
            return Is(who, role, not negated)
        case Named(name, negated):
            return Named(name, not negated)
        case Marked(who, act, mark, negated):
            return Marked(who, act, mark, not negated)
        case AnyOf() | AllOf():
            cause = "不 stands before one condition; expected 不 before each inside the brackets"
            first = next(tree.scan_values(bool), None)
            raise Fault("malformed-condition", cause, line.width + 1 if first is None else offset(first) + 1)
