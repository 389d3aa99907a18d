"""The small language in which a place says where it stands: sums of measures and of other places' coordinates.

``西階.x + 3尺``, ``侯.y + 侯道 / 3``, ``max(0 - 庭深 / 2, 0 - 3 * 堂深 / 2)``, ``賓席.x - n * 席長``.
Comes in: the words of a rule. Goes out: a small tree, and its value when the names are looked up. Nothing is executed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Literal, cast

from lark import Lark, Token, Transformer, UnexpectedInput

from yanli.errors import Finding, RiteError
from yanli.venue.measure import CHI_IN

Rule = float | str | tuple[str, "Rule", "Rule"]
"""A number, a name to be looked up, or an operation on two rules."""

GRAMMAR = r"""
?start: sum
?sum: product | sum "+" product -> add | sum "-" product -> sub
?product: signed | product "*" signed -> mul | product "/" signed -> div
?signed: atom | "-" signed -> minus | "+" signed
?atom: NUMBER UNIT -> length | NUMBER -> number | NAME -> name | "(" sum ")"
     | "min" "(" sum ("," sum)+ ")" -> least | "max" "(" sum ("," sum)+ ")" -> most
NUMBER: /\d+(\.\d+)?/
NAME: /[^\W\d_][^\W_]*(\.\d+)?(\.[xy])?/
UNIT.2: %s
%%ignore /\s+/
"""


class _Tree(Transformer[Token, Rule]):
    """Makes the tree while Lark reads."""

    def number(self, parts: list[Token]) -> Rule:
        return float(parts[0])

    def length(self, parts: list[Token]) -> Rule:
        return float(parts[0]) * float(CHI_IN[str(parts[1])])

    def name(self, parts: list[Token]) -> Rule:
        return str(parts[0])

    def minus(self, parts: list[Rule]) -> Rule:
        return ("sub", 0.0, parts[0])

    def _two(self, work: str, parts: list[Rule]) -> Rule:
        tree = parts[0]
        for part in parts[1:]:
            tree = (work, tree, part)
        return tree

    def add(self, parts: list[Rule]) -> Rule:
        return self._two("add", parts)

    def sub(self, parts: list[Rule]) -> Rule:
        return self._two("sub", parts)

    def mul(self, parts: list[Rule]) -> Rule:
        return self._two("mul", parts)

    def div(self, parts: list[Rule]) -> Rule:
        return self._two("div", parts)

    def least(self, parts: list[Rule]) -> Rule:
        return self._two("min", parts)

    def most(self, parts: list[Rule]) -> Rule:
        return self._two("max", parts)


WORKS: dict[str, Callable[[float, float], float]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "min": min,
    "max": max,
}


@cache
def _reader() -> Lark:
    units = " | ".join(f'"{unit}"' for unit in CHI_IN)
    return Lark(GRAMMAR % units, parser="lalr", transformer=_Tree())


@lru_cache(maxsize=4096)
def read_rule(words: str) -> Rule:
    """The tree of a rule; a fault names the rule and the column."""
    try:
        return cast("Rule", _reader().parse(words))
    except UnexpectedInput as fault:
        raise RiteError(
            Finding(
                code="bad-place-rule",
                cause=f"“{words}” is no rule for a place: column {fault.column} cannot be read",
                known="numbers, units, measures (堂深), places (洗.x), + - * / ( ) min max",
            )
        ) from None


def value_of(rule: Rule, look_up: Callable[[str], float]) -> float:
    """The value of a rule in 尺; names are looked up by the caller."""
    if isinstance(rule, float):
        return rule
    if isinstance(rule, str):
        return look_up(rule)
    work, left, right = rule
    a, b = value_of(left, look_up), value_of(right, look_up)
    if work == "div" and b == 0.0:
        raise RiteError(Finding(code="bad-place-rule", cause="a rule for a place divides by nothing"))
    return WORKS[work](a, b)


Axis = Literal["x", "y"]


def axis_of(name: str) -> tuple[str, Axis] | None:
    """``洗.x`` as (洗, x); None when the name is a measure."""
    if name.endswith(".x"):
        return name[:-2], "x"
    if name.endswith(".y"):
        return name[:-2], "y"
    return None
