"""One line read as the node that it is, without the block below it.

Comes in: a line. Goes out: a node whose body is still empty, or a Fault that says why there is none.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Literal

from yanli.notation import grammar
from yanli.notation.acts import act_line, warrant_of
from yanli.notation.lines import SECTION, Fault, Line
from yanli.notation.tree import (
    Again,
    Bind,
    Chain,
    Condition,
    Define,
    Distinguish,
    Each,
    Heading,
    If,
    On,
    Range,
    Reading,
    Statement,
    Time,
    Turns,
    Warn,
    Word,
)
from yanli.notation.words import arguments, condition, offset, speech, tokens, trees, word, words

if TYPE_CHECKING:
    from lark import Token, Tree

_HEADING = re.compile(r"(#+)( *)")
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")

Trees = dict[str, "Tree[Token]"]


def statement(line: Line) -> Statement:
    """Read an indented line; a line of 否 gives an If without a condition of its own kind only by ``otherwise``."""
    first = line.first()
    start = grammar.STARTS.get(first)
    if start is None:
        if first in grammar.SPELT_OTHERWISE:
            right = grammar.SPELT_OTHERWISE[first]
            cause = f"{first} begins no statement; expected {right}"
            raise Fault("misspelt-keyword", cause, line.width + 1, len(first), (right,))
        return act_line(line)
    return _READERS[start](grammar.read(line, start), line)


def otherwise(line: Line) -> If | None:
    """Read a line of 否: the If of ``否 若 …``, or None when 否 stands alone."""
    found = trees(grammar.read(line, "else_line"))
    if "condition" not in found:
        return None
    return If(span=line.whole(), raw=line.raw, condition=condition(found["condition"], line))


def heading(line: Line) -> tuple[Heading, list[Fault]]:
    """Read a line of ## or ###; a heading that lacks its slug is still one."""
    found = _HEADING.match(line.content)
    signs = found[1] if found else ""
    if not found or len(signs) not in {2, 3}:
        cause = f"{signs} opens nothing; expected ## for a section or ### for a passage"
        raise Fault("heading-level", cause, 1, len(signs), ("##", "###"))
    if not found[2] or found.end() == len(line.content):
        raise Fault("malformed-heading", f"expected a space and a name after {signs}", len(signs) + 1)
    tree = grammar.read(line, "heading", " " * len(signs) + line.raw[len(signs) :].rstrip())
    parts = trees(tree)
    level: Literal[2, 3] = 2 if signs == "##" else 3
    faults: list[Fault] = []
    slug = None
    if "slug" in parts:
        token = tokens(parts["slug"])[0]
        slug = str(token)
        if not _SLUG.fullmatch(slug):
            cause = f"{slug} is no slug; expected small Latin letters and digits joined by -"
            faults.append(Fault("bad-slug", cause, offset(token) + 1, len(slug)))
    elif level == SECTION:
        title = tokens(tree)[0]
        column = offset(title) + 1 + len(title)
        faults.append(Fault("heading-without-slug", "a section needs a slug; expected · slug", column))
    guard, each, without, joins = _guard(parts, line)
    made = Heading(
        span=line.whole(),
        raw=line.raw,
        level=level,
        title=str(tokens(tree)[0]),
        slug=slug,
        guard=guard,
        each=each,
        without=without,
        joins=joins,
        placed=_placed(parts, line),
    )
    return made, faults


Repeated = tuple[Word, tuple[Word, ...]]


def _guard(parts: Trees, line: Line) -> tuple[Condition | None, Repeated | None, tuple[Word, ...], str | None]:
    if "guard_if" in parts:
        return condition(trees(parts["guard_if"])["condition"], line), None, (), None
    if "guard_each" in parts:
        tree = parts["guard_each"]
        inner = trees(tree)
        each = (word(tokens(tree)[0], line), words(inner["words"], line))
        return None, each, _without(inner, line), _joins(inner, line)
    return None, None, (), None


def _placed(parts: Trees, line: Line) -> tuple[str, Literal["起", "畢"]] | None:
    if "placed" not in parts:
        return None
    words, moment = tokens(parts["placed"])
    return speech(words, line).text, "起" if moment.type == "START" else "畢"


def _without(parts: Trees, line: Line, name: str = "without") -> tuple[Word, ...]:
    return words(trees(parts[name])["words"], line) if name in parts else ()


def _joins(parts: Trees, line: Line) -> str | None:
    return speech(tokens(parts["joins"])[0], line).text if "joins" in parts else None


def _if(tree: Tree[Token], line: Line) -> If:
    return If(span=line.whole(), raw=line.raw, condition=condition(trees(tree)["condition"], line))


def _each(tree: Tree[Token], line: Line) -> Each:
    parts = trees(tree)
    return Each(
        span=line.whole(),
        raw=line.raw,
        name=word(tokens(tree)[0], line),
        group=words(parts["words"], line),
        without=_without(parts, line),
        joins=_joins(parts, line),
    )


def _names(found: list[Token], line: Line) -> tuple[Word, ...]:
    """The names in round brackets, each only once."""
    for place, one in enumerate(found):
        if one in found[:place]:
            raise Fault("malformed-parameters", f"{one} stands twice", offset(one) + 1, len(one))
    return tuple(word(one, line) for one in found)


def _turns(tree: Tree[Token], line: Line) -> Turns:
    parts = trees(tree)
    names = _names(tokens(tree), line)
    return Turns(span=line.whole(), raw=line.raw, names=names, until=condition(parts["condition"], line))


def _chain(tree: Tree[Token], line: Line) -> Chain:
    parts = trees(tree)
    names = _names(tokens(tree), line)
    if len(names) != 2:  # noqa: PLR2004 - a giver and a receiver
        cause = f"{len(names)} names; expected two, the giver and the receiver"
        raise Fault("malformed-statement", cause, names[0].span.column, names[0].span.length)
    giver, receiver = names
    members = words(parts["words"], line)
    return Chain(span=line.whole(), raw=line.raw, giver=giver, receiver=receiver, members=members)


def _when(tree: Tree[Token], line: Line) -> On:
    parts = trees(tree)
    found = tokens(tree)
    within = word(tokens(parts["within"])[0], line) if "within" in parts else None
    kinds = {token.type for token in found}
    return On(
        span=line.whole(),
        raw=line.raw,
        at="起" if "START" in kinds else "畢",
        every="EVERY" in kinds,
        within=within,
        words=speech(found[0], line).text if found[0].type == "SPEECH" else None,
        act=tuple(word(token, line) for token in found if token.type == "WORD"),
    )


def _answer(tree: Tree[Token], line: Line) -> On:
    parts = trees(tree)
    within = word(tokens(parts["within"])[0], line) if "within" in parts else None
    act = tuple(word(token, line) for token in tokens(tree))
    return On(span=line.whole(), raw=line.raw, act=act, at="畢", every=True, within=within)


def _again(tree: Tree[Token], line: Line) -> Again:
    found = tokens(tree)
    parts = trees(tree)
    exchange: list[tuple[str, str]] = []
    for child in tree.children:
        if not isinstance(child, str) and child.data == "exchange":
            one, other = tokens(child)
            exchange.append((str(one), str(other)))
    warrant = next((warrant_of(token) for token in found if token.type == "WARRANT"), None)
    return Again(
        span=line.whole(),
        raw=line.raw,
        passage=next(str(token) for token in found if token.type == "WORD"),
        exchange=tuple(exchange),
        without=_without(parts, line),
        only=_without(parts, line, "only"),
        supplied=tree.data == "again_supplied",
        warrant=warrant,
    )


def _define(tree: Tree[Token], line: Line) -> Define:
    name, *names = tokens(tree)
    parameters = tuple(one.text for one in _names(names, line))
    return Define(span=line.whole(), raw=line.raw, name=str(name), parameters=parameters)


def _reading(tree: Tree[Token], line: Line) -> Reading:
    found = tokens(tree)
    names = tuple(one.text for one in words(trees(tree)["scholars"], line))
    return Reading(span=line.whole(), raw=line.raw, crux=str(found[0]), names=names, default=len(found) > 1)


def _bind(tree: Tree[Token], line: Line) -> Bind:
    found = tokens(tree)
    parts = trees(tree)
    return Bind(
        span=line.whole(),
        raw=line.raw,
        kind=str(found[0]),
        words=arguments(parts["bound"], line),
        operator=str(found[1]) if len(found) > 1 else None,
        value=arguments(parts["value"], line) if "value" in parts else (),
    )


def _distinguish(tree: Tree[Token], line: Line) -> Distinguish:
    named = condition(trees(tree)["condition"], line)
    return Distinguish(span=line.whole(), raw=line.raw, name=str(tokens(tree)[0]), condition=named)


def _time(tree: Tree[Token], line: Line) -> Time:
    return Time(span=line.whole(), raw=line.raw, words=words(trees(tree)["words"], line))


def _warn(tree: Tree[Token], line: Line) -> Warn:
    return Warn(span=line.whole(), raw=line.raw, text=speech(tokens(tree)[0], line).text)


def _range(tree: Tree[Token], line: Line) -> Range:
    name, first, last = tokens(tree)
    guard, each, without, joins = _guard(trees(tree), line)
    return Range(
        span=line.whole(),
        raw=line.raw,
        name=str(name),
        first=speech(first, line).text,
        last=speech(last, line).text,
        guard=guard,
        each=each,
        without=without,
        joins=joins,
    )


_READERS: Final[dict[str, Callable[[Tree[Token], Line], Statement]]] = {
    "if_line": _if, "each_line": _each, "turns_line": _turns, "chain_line": _chain, "when_line": _when,
    "answer_line": _answer, "again_line": _again, "define_line": _define, "reading_line": _reading,
    "bind_line": _bind, "distinguish_line": _distinguish, "time_line": _time, "warn_line": _warn, "range_line": _range,
}  # fmt: skip
