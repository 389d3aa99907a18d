"""Act lines: who acts, and the acts in order.

Comes in: one line. Goes out: an ``ActLine`` or a Fault. The first word of a part is WHO, the next is the verb of the
first act; where one word stands alone, or 不 猶 皆 各 begin the part, it does not say who.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from yanli.notation import grammar
from yanli.notation.lines import Fault, Line
from yanli.notation.tree import Act, ActLine, Argument, Part, Speech, Word
from yanli.notation.words import offset, run, speech
from yanli.source import Span

if TYPE_CHECKING:
    from lark import Token, Tree

PREFIXES: Final = {"不": "negated", "猶": "still", "皆": "distributive", "各": "distributive"}


class _Bracket(msgspec.Struct):
    """Acts in brackets, and on what warrant they stand."""

    acts: list[list[Argument]]
    warrant: str | None
    column: int


def act_line(line: Line) -> ActLine:
    """Read an act line."""
    tree = grammar.read(line, "act_line")
    found = [child for child in tree.children if not isinstance(child, str)]
    if found and found[0].data == "spread":
        parts = tuple(_opening([bracket]) for bracket in _brackets(found[0], line))
    else:
        parts = tuple(_part(child, line) for child in found)
    return ActLine(span=line.whole(), raw=line.raw, parts=parts, joined=tree.data != "apart")


def warrant_of(token: Token) -> str:
    """The words after 據."""
    text = token[1:].strip()
    if not text:
        raise Fault("empty-warrant", "nothing after 據; expected the warrant", offset(token) + 1)
    return text


def _part(tree: Tree[Token], line: Line) -> Part:
    opening, *others = (child for child in tree.children if not isinstance(child, str))
    part = _opening([_piece(child, line) for child in opening.children if not isinstance(child, str)])
    acts = list(part.acts)
    for other in others:
        piece = _piece(other, line)
        if isinstance(piece, _Bracket):
            acts += (_act(one, supplied=True, warrant=piece.warrant) for one in piece.acts)
        else:
            acts.append(_act(piece))
    return Part(who=part.who, acts=tuple(acts), who_supplied=part.who_supplied, who_warrant=part.who_warrant)


def _piece(tree: Tree[Token], line: Line) -> list[Argument] | _Bracket:
    if tree.data == "act":
        return _arguments(tree, line)
    (bracket,) = _brackets(tree, line)
    return bracket


def _brackets(tree: Tree[Token], line: Line) -> list[_Bracket]:
    """What stands in one pair of brackets: one side of ‖, or several on one warrant."""
    column = 1
    warrant = None
    for child in tree.children:
        if isinstance(child, str):
            if child.type == "WARRANT":
                warrant = warrant_of(child)
            else:
                column = offset(child) + 1
    sides = [child for child in tree.children if not isinstance(child, str)]
    return [
        _Bracket([_arguments(act, line) for act in side.children if not isinstance(act, str)], warrant, column)
        for side in sides
    ]


def _arguments(tree: Tree[Token], line: Line) -> list[Argument]:
    made: list[Argument] = []
    for token in tree.children:
        if isinstance(token, str):
            if token.type == "RUN":
                made.extend(run(token, line))
            else:
                made.append(speech(token, line))
    return made


def _opening(pieces: list[list[Argument] | _Bracket]) -> Part:
    """The five ways in which a part can begin."""
    match pieces:
        case [list(first)]:
            who, rest = _divide(first)
            return Part(who=who, acts=(_act(rest),))
        case [_Bracket() as bracket]:
            who, rest = _divide(bracket.acts[0])
            return _supplied(who, [rest, *bracket.acts[1:]], bracket.warrant, bracket.warrant)
        case [list(first), _Bracket() as bracket]:
            return Part(who=_only_who(first, bracket.column), acts=_all(bracket.acts, bracket.warrant))
        case [_Bracket() as bracket, list(first)]:
            who = _bracketed_who(bracket, first[0].span.column)
            return Part(who=who, acts=(_act(first),), who_supplied=True, who_warrant=bracket.warrant)
        case [_Bracket() as bracket, _Bracket() as other]:
            return _supplied(_bracketed_who(bracket, other.column), other.acts, bracket.warrant, other.warrant)
        case _:  # pragma: no cover - the grammar has no sixth
            raise AssertionError(pieces)


def _all(acts: list[list[Argument]], warrant: str | None) -> tuple[Act, ...]:
    return tuple(_act(one, supplied=True, warrant=warrant) for one in acts)


def _supplied(who: tuple[Word, ...], acts: list[list[Argument]], warrant: str | None, other: str | None) -> Part:
    return Part(who=who, acts=_all(acts, other), who_supplied=bool(who), who_warrant=warrant if who else None)


def _divide(found: list[Argument]) -> tuple[tuple[Word, ...], list[Argument]]:
    """Set WHO apart from the first act."""
    first = found[0]
    if isinstance(first, Word) and first.text in PREFIXES:
        return (), found
    who = _group(found)
    rest = found[len(who) :]
    if rest:
        return who, rest
    if len(who) > 1:
        raise Fault("empty-act", "an act is empty; expected a verb after WHO", *_after(who[-1].span))
    return (), found


def _group(found: list[Argument]) -> tuple[Word, ...]:
    """The first word, and those that 、 joins to it."""
    who: list[Word] = []
    for one in found:
        if not isinstance(one, Word) or (who and not one.joined):
            break
        who.append(one)
    return tuple(who)


def _only_who(found: list[Argument], column: int) -> tuple[Word, ...]:
    who = _group(found)
    if not who or len(who) < len(found) or who[0].text in PREFIXES:
        raise Fault("missing-comma", "expected ， between an act and the bracket after it", column)
    return who


def _bracketed_who(bracket: _Bracket, column: int) -> tuple[Word, ...]:
    if len(bracket.acts) > 1:
        raise Fault("missing-comma", "expected ， between the bracket and the act after it", column)
    return _only_who(bracket.acts[0], column)


def _after(span: Span) -> tuple[int, int]:
    return span.column + span.length, 1


def _act(found: list[Argument], *, supplied: bool = False, warrant: str | None = None) -> Act:
    """One act; its small words become flags."""
    count = 0
    for one in found:
        if not isinstance(one, Word) or one.text not in PREFIXES:
            break
        count += 1
    start = found[0].span
    if count == len(found):
        raise Fault("empty-act", f"an act is empty; expected a verb after {_text(found[-1])}", *_after(found[-1].span))
    verb = found[count]
    if isinstance(verb, Speech):
        raise Fault("act-without-verb", "a speech alone is no act; expected a verb before 「", verb.span.column)
    if verb.joined:
        raise Fault("stray-list-mark", "、 joins no verb; expected ， between acts", verb.span.column - 1)
    end = found[-1].span
    span = msgspec.structs.replace(start, length=end.column + end.length - start.column)
    if not count:
        return Act(words=tuple(found), span=span, supplied=supplied, warrant=warrant)
    prefixes = tuple(_text(one) for one in found[:count])
    flags = {PREFIXES[prefix]: True for prefix in prefixes}
    return Act(
        words=tuple(found[count:]),
        span=span,
        supplied=supplied,
        warrant=warrant,
        prefixes=prefixes,
        negated="negated" in flags,
        still="still" in flags,
        distributive="distributive" in flags,
    )


def _text(argument: Argument) -> str:
    return argument.text
