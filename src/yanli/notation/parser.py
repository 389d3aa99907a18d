"""The parser: a file's text becomes a score, whatever the text.

Comes in: text. Goes out: a lossless ``Score`` with every fault found. Blocks are made here, by indentation; what one
line says is read in statements.py. A line that cannot be read becomes ``Bad`` and the rest is read on.
"""

from __future__ import annotations

from typing import Final

from yanli.errors import Finding
from yanli.notation import statements
from yanli.notation.lines import DEEPEST, INDENT, Fault, Line, marks_wrong, split
from yanli.notation.tree import (
    ActLine,
    Bad,
    Chain,
    ClauseLine,
    Comment,
    Define,
    Each,
    Heading,
    If,
    Node,
    On,
    Reading,
    Score,
    Turns,
)

_OPENERS: Final = (If, Each, Turns, Chain, On, Define, Reading, Bad)
_NEEDS_BODY: Final = (If, Each, Turns, Chain, On, Define)


def parse(text: str, file: str) -> Score:
    """Read a score; ``file`` is the name that spans carry."""
    raws, line_end, final_newline = split(text)
    builder = _Builder(file)
    for number, raw in enumerate(raws, 1):
        builder.see(Line(file, number, raw))
    return Score(
        file=file, items=builder.finish(), findings=builder.found(), final_newline=final_newline, line_end=line_end
    )


class _Frame:
    """A block that is open: whose it is, how deep its lines stand, and what it has so far."""

    __slots__ = ("attribute", "chained", "children", "depth", "line", "misread_if", "node", "pending_if")

    def __init__(self, node: Node | None, depth: int, line: Line | None, attribute: str = "body") -> None:
        self.node = node
        self.depth = depth
        self.line = line
        self.attribute = attribute
        self.children: list[Node] = []
        self.pending_if: If | None = None
        self.misread_if = False
        self.chained = 0


class _Builder:
    """Takes lines in order and makes the tree."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.frames = [_Frame(None, 0, None)]
        self.waiting: list[Line] = []
        self.findings: list[Finding] = []
        self.words: str | None = None

    def found(self) -> tuple[Finding, ...]:
        """All findings, by place."""
        return tuple(sorted(self.findings, key=lambda one: (one.span.line, one.span.column) if one.span else (0, 0)))

    def report(self, line: Line, fault: Fault, *, follows: bool = False) -> None:
        self.findings.append(
            Finding(
                code=fault.code,
                cause=fault.cause,
                span=line.span(fault.column, fault.length),
                line=line.raw.rstrip(),
                words=self.words,
                nearest=fault.nearest,
                follows=follows,
            )
        )

    def see(self, line: Line) -> None:
        """Take the next line; comments and empty lines wait until it is known where the next line stands."""
        if not line.content or line.content[0] == "※":
            self.waiting.append(line)
            return
        level = line.level()
        depth = min(level, self.frames[-1].depth)
        is_else = line.width > 0 and line.first() == "否"
        self.place_waiting(depth + 1 if is_else and depth else depth)
        self.close(depth)
        if not level:
            self.margin(line)
        else:
            self.indented(line, level, depth, is_else=is_else)

    def finish(self) -> tuple[Heading | ClauseLine | Comment | Bad, ...]:
        """Close everything and give the items."""
        self.place_waiting(0)
        self.close(0)
        return tuple(node for node in self.frames[0].children if isinstance(node, (Heading, ClauseLine, Comment, Bad)))

    def place_waiting(self, following: int) -> None:
        """Put comments where they stand, or deeper where they would part a block from what it belongs to."""
        if not self.waiting:
            return
        deepest = self.frames[-1].depth
        least = min(following, deepest)
        depths: list[int] = []
        for line in reversed(self.waiting):
            if line.content:
                least = max(least, min(line.width // INDENT, deepest))
            depths.append(least)
        for line, depth in zip(self.waiting, reversed(depths), strict=True):
            if self.frames[-1].depth > depth:
                self.close(depth)
            text = line.content[1:].strip() if line.content else ""
            self.frames[-1].children.append(Comment(span=line.whole(), raw=line.raw, text=text))
        self.waiting.clear()

    def open(self, node: Node, line: Line, depth: int, attribute: str = "body") -> None:
        self.frames.append(_Frame(node, depth, line, attribute))

    def close(self, depth: int) -> None:
        """Close every block deeper than this."""
        while self.frames[-1].depth > depth:
            frame = self.frames.pop()
            self.check(frame)
            setattr(frame.node, frame.attribute, tuple(frame.children))

    def add(self, node: Node) -> _Frame:
        frame = self.frames[-1]
        frame.children.append(node)
        frame.pending_if = node if isinstance(node, If) else None
        frame.chained = 0
        frame.misread_if = isinstance(node, Bad) and node.raw.lstrip()[:1] in {"若", "否"}
        return frame

    def bad(self, line: Line, depth: int, faults: list[Fault], *, follows: bool = False) -> None:
        for fault in faults:
            self.report(line, fault, follows=follows)
        node = Bad(span=line.whole(), raw=line.raw)
        self.add(node)
        if depth < DEEPEST:
            self.open(node, line, depth + 1)

    def margin(self, line: Line) -> None:
        """A heading or a clause."""
        self.words = None
        if not line.content.startswith("#"):
            self.words = line.content
            if foreign := line.foreign():
                self.report(line, foreign)
            clause = ClauseLine(span=line.whole(), raw=line.raw, text=line.content)
            self.add(clause)
            self.open(clause, line, 1)
            return
        try:
            if faults := marks_wrong(line):
                self.bad(line, 0, faults)
                return
            node, faults = statements.heading(line)
        except Fault as unread:
            self.bad(line, 0, [unread])
            return
        for wrong in faults:
            self.report(line, wrong)
        self.add(node)
        self.open(node, line, 1)

    def indented(self, line: Line, level: int, depth: int, *, is_else: bool) -> None:
        """A statement, if it stands where one can and says what one can."""
        if fault := line.misindented():
            self.bad(line, depth, [fault, *marks_wrong(line)])
        elif not depth:
            cause = "an indented line with nothing above it; expected a heading or canonical words first"
            self.bad(line, depth, [Fault("nothing-above", cause, line.width + 1, len(line.content))])
        elif level > depth:
            cause = f"indented {level * INDENT} spaces where at most {depth * INDENT} can stand: no block is open here"
            self.bad(line, depth, [Fault("too-deep", cause, 1, line.width)])
        elif faults := marks_wrong(line):
            self.bad(line, depth, faults)
        else:
            try:
                if is_else:
                    self.otherwise(line, depth)
                else:
                    self.statement(line, depth)
            except Fault as unread:
                self.bad(line, depth, [unread])

    def statement(self, line: Line, depth: int) -> None:
        node = statements.statement(line)
        if depth == DEEPEST and isinstance(node, _OPENERS):
            raise Fault("too-deep", f"a block more than {DEEPEST} deep", line.width + 1, len(line.content))
        self.add(node)
        if isinstance(node, _OPENERS):
            self.open(node, line, depth + 1)

    def otherwise(self, line: Line, depth: int) -> None:
        frame = self.frames[-1]
        above = frame.pending_if
        if above is None:
            fault = Fault("else-without-if", "否 without 若 above it", line.width + 1)
            self.bad(line, depth, [fault], follows=frame.misread_if)
            return
        nested = statements.otherwise(line)
        if nested is not None and frame.chained == DEEPEST:
            raise Fault("too-deep", f"more than {DEEPEST} branches", line.width + 1, len(line.content))
        if nested is None:
            above.else_raw = line.raw
            frame.pending_if = None
            self.open(above, line, depth + 1, "otherwise")
        else:
            above.otherwise = (nested,)
            frame.pending_if = nested
            frame.chained += 1
            self.open(nested, line, depth + 1)

    def check(self, frame: _Frame) -> None:
        """What can be said of a block when it ends."""
        said = [node for node in frame.children if not isinstance(node, Comment)]
        line = frame.line
        if isinstance(frame.node, On):
            frame.node.beside = bool(said) and isinstance(said[0], ActLine) and said[0].joined
            if said and isinstance(said[0], ActLine) and not said[0].parts:
                said = said[1:]
        if line and not said and isinstance(frame.node, _NEEDS_BODY):
            cause = "the block is empty; expected lines indented four spaces deeper"
            self.report(line, Fault("empty-block", cause, line.width + 1, len(line.content)))
        self.check_readings(said)
        for node in said:
            if isinstance(node, ActLine) and not node.parts:
                cause = "‖ alone begins a block of 當 or 應; expected WHO and acts after it"
                self.report_of(node, Fault("lone-beside", cause, node.span.column))

    def check_readings(self, nodes: list[Node]) -> None:
        """Of neighbouring readings of one crux, exactly one has 主."""
        group: list[Reading] = []
        broken = False
        for node in [*nodes, None]:
            if isinstance(node, Reading) and (not group or group[-1].crux == node.crux):
                group.append(node)
                continue
            broken = broken or (isinstance(node, Bad) and node.raw.lstrip().startswith("說"))
            if isinstance(node, Bad) and broken:
                continue
            self.check_crux(group, broken=broken)
            broken = False
            group = [node] if isinstance(node, Reading) else []

    def check_crux(self, group: list[Reading], *, broken: bool) -> None:
        marked = [reading for reading in group if reading.default]
        for reading in marked[1:]:
            cause = f"two readings of {reading.crux} are marked 主; expected one"
            self.report_of(reading, Fault("crux-without-default", cause, reading.span.column, reading.span.length))
        if group and not marked and not broken:
            first = group[0]
            cause = f"no reading of {first.crux} is marked 主; expected it after the names of one"
            self.report_of(first, Fault("crux-without-default", cause, first.span.column, first.span.length))

    def report_of(self, node: Node, fault: Fault) -> None:
        """Report of a line that lies further back; the clause that is open is still its own."""
        self.report(Line(self.file, node.span.line, node.raw), fault)
