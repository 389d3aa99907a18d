"""Scores written back: exactly as they were, or in their regular form.

Comes in: a tree. Goes out: text. What can no longer occur afterwards: a parsed file that cannot be given back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import singledispatch
from typing import Final

import msgspec

from yanli.notation.lines import BLANKS, INDENT
from yanli.notation.tree import (
    Act,
    ActLine,
    Again,
    AllOf,
    AnyOf,
    Argument,
    Bad,
    Bind,
    Chain,
    ClauseLine,
    Comment,
    Compare,
    Condition,
    Define,
    Distinguish,
    Each,
    Has,
    Heading,
    If,
    Is,
    Marked,
    Named,
    Node,
    On,
    Part,
    Range,
    Reading,
    Score,
    Speech,
    Time,
    Turns,
    Warn,
    Word,
)

_WITH_BODY: Final = (ClauseLine, Heading, Each, Turns, Chain, On, Define, Reading, Bad)


def unparse(score: Score) -> str:
    """Give the text back exactly as it was read."""
    lines = list(_raws(score.items))
    if not lines:
        return ""
    return score.line_end.join(lines) + (score.line_end if score.final_newline else "")


def _raws(nodes: Iterable[Node]) -> Iterator[str]:
    for node in nodes:
        yield node.raw
        if isinstance(node, If):
            yield from _raws(node.body)
            if node.else_raw is not None:
                yield node.else_raw
            yield from _raws(node.otherwise)
        elif isinstance(node, _WITH_BODY):
            yield from _raws(node.body)


def format_score(score: Score) -> str:
    """Write a score in its regular form: four spaces a level, one between words, a blank line around headings."""
    page = _Page()
    for item in score.items:
        if isinstance(item, Heading):
            page.gap()
        page.node(item, 0)
        if isinstance(item, Heading):
            page.gap()
    return page.text()


class _Page:
    """Lines as they are written; a gap is a blank line, however often it is asked for."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.wanted = False

    def text(self) -> str:
        return "\n".join([*self.lines, ""]) if self.lines else ""

    def gap(self) -> None:
        self.wanted = bool(self.lines)

    def write(self, line: str) -> None:
        if self.wanted:
            self.lines.append("")
            self.wanted = False
        self.lines.append(line)

    def body(self, nodes: Iterable[Node], depth: int) -> None:
        """Blank lines at the ends of a block go; between its lines they stay."""
        gap = False
        written = False
        for node in nodes:
            if isinstance(node, Comment) and not node.raw.strip(BLANKS) and not node.text:
                gap = written
                continue
            if gap:
                self.gap()
            gap = False
            written = True
            self.node(node, depth)

    def node(self, node: Node, depth: int) -> None:
        if isinstance(node, Bad):
            self.write(node.raw.rstrip(BLANKS))
            self.body(node.body, depth + 1)
        elif isinstance(node, Comment):
            self.comment(node, depth)
        else:
            self.write(" " * (INDENT * depth) + line_of(node))
            if isinstance(node, If):
                self.branches(node, depth)
            elif isinstance(node, _WITH_BODY):
                self.body(node.body, depth + 1)

    def comment(self, node: Comment, depth: int) -> None:
        if node.text or node.raw.strip(BLANKS):
            self.write(" " * (INDENT * depth) + f"※ {node.text}".rstrip(BLANKS))
        else:
            self.gap()

    def branches(self, node: If, depth: int) -> None:
        self.body(node.body, depth + 1)
        blanks = " " * (INDENT * depth)
        match node.otherwise:
            case (If() as nested,) if node.else_raw is None:
                self.write(f"{blanks}否 若 {condition(nested.condition)}")
                self.branches(nested, depth)
            case () if node.else_raw is None:
                pass
            case nodes:
                self.write(f"{blanks}否")
                self.body(nodes, depth + 1)


@singledispatch
def line_of(node: Node) -> str:
    """Write one line in its regular form, without its indentation; a line that is not known stays as it is."""
    return node.raw.strip(BLANKS)


@line_of.register
def _(node: ActLine) -> str:
    written = [_part(part) for part in node.parts]
    if len(written) > 1 and _all_on_one_warrant(node.parts):
        bare = [_part(_as_said(part)) for part in node.parts]
        written = [_bracket(" ‖ ".join(bare), node.parts[0].acts[0].warrant)]
    return " ".join([*(["‖"] if node.joined else []), *([" ‖ ".join(written)] if written else [])])


@line_of.register
def _(node: If) -> str:
    return f"若 {condition(node.condition)}"


@line_of.register
def _(node: Each) -> str:
    return _each((node.name, node.group), node.without, node.joins)


@line_of.register
def _(node: Turns) -> str:
    return f"拾 ({_words(node.names)}) 至 {condition(node.until)}"


@line_of.register
def _(node: Chain) -> str:
    return f"遞 ({node.giver.text} {node.receiver.text}) 在 {_words(node.members)}"


@line_of.register
def _(node: On) -> str:
    within = f" 於 {node.within.text}" if node.within else ""
    if node.words is None and node.at == "畢" and node.every:
        return f"應 {_words(node.act)}{within}"
    what = _words(node.act) if node.words is None else f"「{node.words}」"
    return f"當 {what} {node.at}{' 每' if node.every else ''}{within}"


@line_of.register
def _(node: Again) -> str:
    written = " ".join(["如", node.passage, *(f"{one}→{other}" for one, other in node.exchange)])
    if node.without:
        written += f" 除 {_words(node.without)}"
    if node.only:
        written += f" 惟 {_words(node.only)}"
    return _bracket(written, node.warrant) if node.supplied else written


@line_of.register
def _(node: Define) -> str:
    return f"法 {node.name}" + (f" ({' '.join(node.parameters)})" if node.parameters else "")


@line_of.register
def _(node: Reading) -> str:
    return f"說 {node.crux} · {'、'.join(node.names)}" + (" 主" if node.default else "")


@line_of.register
def _(node: Bind) -> str:
    value = f" {node.operator} {_words(node.value)}" if node.operator else ""
    return f"註 {node.kind} {_words(node.words)}{value}"


@line_of.register
def _(node: Distinguish) -> str:
    return f"辨 {node.name} = {condition(node.condition)}"


@line_of.register
def _(node: Time) -> str:
    return f"時 {_words(node.words)}"


@line_of.register
def _(node: Warn) -> str:
    return f"警 「{node.text}」"


@line_of.register
def _(node: Range) -> str:
    return f"段 {node.name} 「{node.first}」…「{node.last}」{_guard(node)}"


@line_of.register
def _(node: ClauseLine) -> str:
    return node.text


@line_of.register
def _(node: Heading) -> str:
    slug = f" · {node.slug}" if node.slug else ""
    placed = f" 當 「{node.placed[0]}」 {node.placed[1]}" if node.placed is not None else ""
    return f"{'#' * node.level} {node.title}{slug}{_guard(node)}{placed}"


def _words(words: Iterable[Argument]) -> str:
    written = ""
    for one in words:
        joined = isinstance(one, Word) and one.joined
        text = f"「{one.text}」" if isinstance(one, Speech) else one.text
        written += ("、" if joined else " ") + text if written else text
    return written


def _act(act: Act) -> str:
    prefixes = act.prefixes
    if not prefixes:
        flags = (("皆", act.distributive), ("不", act.negated), ("猶", act.still))
        prefixes = tuple(word for word, flag in flags if flag)
    return " ".join([*prefixes, _words(act.words)])


def _part(part: Part) -> str:
    """WHO, then the acts; neighbours that are supplied on the same warrant share their brackets."""
    groups: list[tuple[bool, str | None, list[str]]] = []
    for act in part.acts:
        key = (act.supplied, act.warrant if act.supplied else None)
        if not groups or groups[-1][:2] != key:
            groups.append((*key, []))
        groups[-1][2].append(_act(act))
    who = _words(part.who)
    if who and part.who_supplied and groups and groups[0][:2] == (True, part.who_warrant):
        groups[0][2][0] = f"{who} {groups[0][2][0]}"
        who = ""
    elif who and part.who_supplied:
        who = _bracket(who, part.who_warrant)
    acts = "，".join(
        _bracket("，".join(acts), warrant) if supplied else "，".join(acts) for supplied, warrant, acts in groups
    )
    return f"{who} {acts}".strip()


def _all_on_one_warrant(parts: tuple[Part, ...]) -> bool:
    """Tell whether every side of ‖ is wholly supplied, so that one pair of brackets holds them all."""
    warrant = parts[0].acts[0].warrant
    return all(
        (not part.who or (part.who_supplied and part.who_warrant == warrant))
        and all(act.supplied and act.warrant == warrant for act in part.acts)
        for part in parts
    )


def _as_said(part: Part) -> Part:
    acts = tuple(msgspec.structs.replace(act, supplied=False, warrant=None) for act in part.acts)
    return msgspec.structs.replace(part, acts=acts, who_supplied=False, who_warrant=None)


def _bracket(text: str, warrant: str | None) -> str:
    return f"[{text} 據 {warrant}]" if warrant else f"[{text}]"


def _each(each: tuple[Word, tuple[Word, ...]], without: tuple[Word, ...], joins: str | None) -> str:
    name, group = each
    written = f"每 {name.text} 在 {_words(group)}"
    if without:
        written += f" 除 {_words(without)}"
    return written if joins is None else f"{written} 接 「{joins}」"


def _guard(node: Heading | Range) -> str:
    if node.guard is not None:
        return f" 若 {condition(node.guard)}"
    return f" {_each(node.each, node.without, node.joins)}" if node.each else ""


def condition(found: Condition) -> str:  # noqa: PLR0911 - one answer for each kind of condition
    """Write a condition."""
    match found:
        case AnyOf(parts):
            return " 或 ".join(f"({condition(part)})" if isinstance(part, AnyOf) else condition(part) for part in parts)
        case AllOf(parts):
            return " 且 ".join(
                f"({condition(part)})" if isinstance(part, (AnyOf, AllOf)) else condition(part) for part in parts
            )
        case Compare(left, operator, right):
            return f"{_words(left)} {operator} {_words(right)}"
        case Has(what, where, negated):
            return f"{'不' if negated else ''}有 {_words(what)}" + (f" 在 {_words(where)}" if where else "")
        case Is(who, role, negated):
            return f"{'不 ' if negated else ''}{who.text} 是 {role.text}"
        case Named(name, negated):
            return f"{'不 ' if negated else ''}{name.text}"
        case Marked(who, act, mark, negated):
            return f"{'不 ' if negated else ''}{who.text} {act.text} {mark.text}".rstrip()


def same_meaning(one: Score, other: Score) -> bool:
    """Tell whether two scores say the same: spans, layout and comments apart."""
    return _meaning(msgspec.to_builtins(one.items)) == _meaning(msgspec.to_builtins(other.items))


def _meaning(value: object) -> object:
    if isinstance(value, dict):
        kind = value.get("type")
        kept = {name: _meaning(inner) for name, inner in value.items() if name not in {"span", "raw", "else_raw"}}
        if kind == "Bad":
            kept["raw"] = str(value["raw"]).strip(BLANKS)
        return kept
    if isinstance(value, (list, tuple)):
        return [_meaning(inner) for inner in value if not (isinstance(inner, dict) and inner.get("type") == "Comment")]
    return value
