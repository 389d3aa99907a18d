"""The grammar, read once, and its complaints said in the words of the notation.

Comes in: one line and the start symbol for its kind. Goes out: Lark's tree of it, or a Fault.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from yanli.notation.lines import BLANKS, Fault, Line

if TYPE_CHECKING:
    from lark import Lark, Token, Tree
    from lark.exceptions import UnexpectedInput

STARTS: Final = {
    "若": "if_line", "否": "else_line", "每": "each_line", "拾": "turns_line", "遞": "chain_line", "當": "when_line",
    "應": "answer_line", "如": "again_line", "[如": "again_line", "法": "define_line", "說": "reading_line",
    "註": "bind_line", "辨": "distinguish_line", "時": "time_line", "警": "warn_line", "段": "range_line",
}  # fmt: skip
SPELT_OTHERWISE: Final = {
    "说": "說", "説": "說", "当": "當", "应": "應", "时": "時", "注": "註", "递": "遞", "毎": "每", "断": "段",
    "如果": "若", "否则": "否", "否則": "否",
}  # fmt: skip

_SAID: Final = {
    "_IN": "在", "_EXCEPT": "除", "_ONLY": "惟", "_JOINS": "接", "_UNTIL": "至", "START": "起", "END": "畢",
    "EVERY": "每", "_WITHIN": "於", "DEFAULT": "主", "_AND": "且", "_OR": "或", "_NOT": "不", "_HAS": "有",
    "_HAS_NOT": "不有", "_IS": "是", "_IF": "若", "_EACH": "每", "_BESIDE": "‖", "_COMMA": "，", "_ARROW": "→",
    "_DOT": "·", "_ELLIPSIS": "…", "LIST": "、", "EQUALS": "=", "OPERATOR": "≠ < > ≤ ≥", "SPEECH": "「words」",
    "WARRANT": "據", "WORD": "a word", "RUN": "a word", "LPAR": "(", "RPAR": ")", "OPEN": "[", "RSQB": "]",
    "$END": "the end of the line", "_AGAIN": "如",
}  # fmt: skip
_NEEDED: Final = ("_IN", "_UNTIL", "START", "END", "_ARROW", "_DOT", "_ELLIPSIS", "EQUALS")
_OF_CONDITIONS: Final = frozenset({"_HAS", "OPERATOR", "_AND"})


@cache
def _lark() -> Lark:
    from lark import Lark

    text = files("yanli.notation").joinpath("grammar.lark").read_text("utf-8")
    starts = ["act_line", "heading", *sorted(set(STARTS.values()))]
    return Lark(text, parser="lalr", start=starts, maybe_placeholders=False)


def read(line: Line, start: str, text: str | None = None) -> Tree[Token]:
    """Read a line from its start symbol; columns in the tree are offsets in the raw line."""
    from lark.exceptions import UnexpectedInput

    try:
        return _lark().parse(line.raw.rstrip(BLANKS) if text is None else text, start=start)
    except UnexpectedInput as error:
        raise _explain(error, line, start) from None


def _explain(error: UnexpectedInput, line: Line, start: str) -> Fault:
    """Turn Lark's error into a fault that names what is missing."""
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    found, offset, expected = "", line.width + len(line.content), set[str]()
    if isinstance(error, UnexpectedToken):
        expected = set(error.expected)
        if error.token.type != "$END":
            found = str(error.token) if error.token.type == "SPEECH" else error.token.split(" ", 1)[0]
    elif isinstance(error, UnexpectedCharacters):
        expected = set(error.allowed or ())
        found = line.raw[error.column - 1 :][:1]
    if found:
        offset = error.column - 1
    before = line.raw[:offset]
    expected -= _closing(before)
    wanted = _wanted(expected)
    what = f"{found} cannot stand here" if found else "the line ends too early"
    code, own = _code(start, found, expected, before)
    cause = own or (f"{what}; expected {wanted}" if wanted else what)
    return Fault(code, cause, offset + 1, max(1, len(found)), _nearest(expected) if code == "missing-keyword" else ())


def _closing(before: str) -> set[str]:
    """What Lark expects only because elsewhere a bracket would be open."""
    square = before.count("[") == before.count("]")
    return {*(("WARRANT", "RSQB") if square else ()), *(("RPAR",) if before.count("(") == before.count(")") else ())}


def _nearest(expected: set[str]) -> tuple[str, ...]:
    return tuple(_SAID[name] for name in _NEEDED if name in expected)


def _wanted(expected: set[str]) -> str:
    names = [_SAID[name] for name in _SAID if name in expected]
    return " or ".join(dict.fromkeys(names))


def _code(start: str, found: str, expected: set[str], before: str) -> tuple[str, str | None]:
    """The code of a fault, and its own words where the plain ones would not help: the first row that fits."""
    acts = start == "act_line"
    beside_bracket = "_COMMA" in expected and (before.rstrip().endswith("]") or found == "[")
    rows = (
        (
            acts and found.startswith("據") and before.count("[") == before.count("]"),
            ("warrant-outside-brackets", "據 stands outside brackets; expected [act 據 warrant]"),
        ),
        (
            acts and "RUN" in expected and (not found or found[0] in "，‖]據"),
            ("empty-act", "an act is empty; expected a verb"),
        ),
        (
            acts and beside_bracket,
            ("missing-comma", "expected ， between a bracket and what stands beside it"),
        ),
        (acts, ("malformed-act", None)),
        (
            start == "bind_line" and not found and "=" not in before,
            ("bare-note", "註 must bind to something; expected KIND and the words that it governs"),
        ),
        (start == "bind_line", ("malformed-statement", None)),
        (bool(expected & _OF_CONDITIONS), ("malformed-condition", None)),
        (start == "define_line" or "LPAR" in expected or found == ")", ("malformed-parameters", None)),
        (start == "heading" and "_IN" not in expected, ("malformed-heading", None)),
        (bool(expected.intersection(_NEEDED)), ("missing-keyword", None)),
        (before.rstrip()[-1:] in set("=≠<>≤≥是有"), ("malformed-condition", None)),
    )
    return next((said for fits, said in rows if fits), ("malformed-statement", None))
