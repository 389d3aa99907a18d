"""Who is there, and what there is: the cast and the inventory of a scenario.

Comes in: the rite's ``cast.toml`` and ``things.toml``, and the values of a scenario. Goes out: persons, groups, pairs
and things with their numbers worked out. A number in the tables may be an expression over the scenario's keys, such as
``眾賓 - 3``.
"""

from __future__ import annotations

import ast
import operator
from typing import TYPE_CHECKING

import msgspec

from yanli.errors import Finding, ScenarioError
from yanli.plan.figures import TABLE, asked, figure, is_figure

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


_ARITHMETIC: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
}
_COMPARISON: dict[type[ast.cmpop], Callable[[float, float], bool]] = {
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.Eq: operator.eq,
}
# Where something is that has not been brought in yet, if the tables name no place for it.
NOWHERE = "外"


class Person(msgspec.Struct, kw_only=True):
    """One person at the beginning: full name, party, stairs, place, facing, dress."""

    name: str
    base: str
    party: str = ""
    stair: str = "西階"
    at: str = "門外"
    facing: str | None = None
    dress: tuple[str, ...] = ()
    en: str = ""


class Property(msgspec.Struct, kw_only=True):
    """One kind of thing at one place at the beginning: how many, whose, who brings it, how large, by what source.

    ``called``: which of its kind it is (虎侯).
    """

    kind: str
    number: int = 1
    at: str
    of: str | None = None
    by: str | None = None
    state: str | None = None
    size: str | None = None
    called: str | None = None
    source: str | None = None
    hands: int | str = 1


class Pair(msgspec.Struct, frozen=True):
    """Two who shoot together: the full names of 上射 and 下射, and the list (三耦, 眾耦 …) they belong to."""

    upper: str
    lower: str
    kind: str


class Cast(msgspec.Struct, kw_only=True):
    """Everybody, by full name; groups of full names, and pairs, by the word for them; the offices one man holds.

    ``english``: of groups that the lexicon lacks.
    """

    persons: dict[str, Person]
    groups: dict[str, tuple[str, ...]]
    pairs: dict[str, tuple[Pair, ...]]
    offices: dict[str, str]
    properties: list[Property]
    english: dict[str, str] = {}


def evaluate(expression: str | float, values: Mapping[str, object], where: str) -> int:
    """Work out a number: plain, or reckoned from scenario keys.

    Sums, products, comparisons, ``and``, ``or``, ``not``, ``max``, ``min`` and ``A if B else C`` are known; 是 and 否
    count as 1 and 0; ``表 耦 大射 爵位`` (within a longer expression ``表(耦, 大射, 爵位)``) is the number in a table
    of rank. Raises ScenarioError naming ``where`` if the expression cannot be worked out, or no text has the number.
    """
    if isinstance(expression, (int, float)):
        return int(expression)
    if is_figure(expression):
        return figure(expression, values, where).whole(where)
    try:
        return int(_value(ast.parse(expression.replace("×", "*"), mode="eval").body, values))
    except (SyntaxError, ValueError, KeyError, TypeError, ArithmeticError, RecursionError, MemoryError) as fault:
        raise ScenarioError(
            Finding(code="bad-expression", cause=f"{where}: cannot work out {expression!r} ({fault})")
        ) from None


def _value(node: ast.expr, values: Mapping[str, object]) -> float:  # noqa: PLR0911, C901 - one line for each form
    match node:
        case ast.Constant(value=int() | float() as number):
            return number
        case ast.Name(id=name):
            found = values[name]
            if isinstance(found, (int, float)):
                return found
            return {"是": 1, "否": 0}[str(found)]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
            return _ARITHMETIC[type(op)](_value(left, values), _value(right, values))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not _value(operand, values)
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Eq()], comparators=[ast.Constant(value=str() as word)]):
            return values.get(name) == word
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARISON:
            return _COMPARISON[type(op)](_value(left, values), _value(right, values))
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return _value(body if _value(test, values) else orelse, values)
        case ast.BoolOp(op=op, values=parts):
            truths = [bool(_value(part, values)) for part in parts]
            return all(truths) if isinstance(op, ast.And) else any(truths)
        case ast.Call(func=ast.Name(id="max" | "min" as function), args=args):
            results = [_value(arg, values) for arg in args]
            return max(results) if function == "max" else min(results)
        case ast.Call(func=ast.Name(id=name), args=args) if name == TABLE:
            return asked([_word(arg) for arg in args], values, TABLE).whole(TABLE)
        case _:
            pass
    message = f"{ast.dump(node)} is no form that is allowed here"
    raise ValueError(message)


def _word(node: ast.expr) -> str:
    """A word that is asked of a table: bare, or in quotation marks."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Constant(value=str() as word):
            return word
        case _:
            message = f"{ast.unparse(node)} is no name of a table, a kind or a rank"
            raise ValueError(message)
