"""One line of a score, before anyone reads what it says.

Comes in: text. Goes out: its lines with their indentation, and the faults that can be seen from single characters
(brackets that do not close, a half-width comma). What can no longer occur afterwards: a line end that is forgotten.
"""

from __future__ import annotations

import re
from typing import Final, Literal

from yanli.source import Span

INDENT: Final = 4
SECTION: Final = 2  # the signs of a heading that opens a section; one more opens a passage
DEEPEST: Final = 40  # blocks and brackets nest so far and no further: nobody writes more, and no stack overflows
BLANKS: Final = " \t\r\u3000\u00a0"
HAN: Final = (
    "\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fffd\U00030000-\U0003fffd"  # 〇 and the ideographs
)

_NOT_HAN = re.compile(f"[^{HAN}]+")
_SUSPECT = re.compile("[「」\\[\\]()據\t\r\u3000\u00a0,;:!?。；：！？（）【】［］〔〕『』“”‘’\"'※・‧•|∥║＝＜＞]")
_MARKS: Final = r"\s，‖\[\]()「」→…=≠<>≤≥·※"  # what ends a word, as in grammar.lark
_ALONE = re.compile(f"(?<![^{_MARKS}])據(?![^{_MARKS}])")
_FIRST = re.compile(rf"(\[?) *([^{_MARKS}、]+)")
_INSTEAD: Final = {
    **dict.fromkeys("\t\r\u3000\u00a0", " "),
    **dict.fromkeys(",。；;", "，"),
    **dict.fromkeys("『“‘\"'", "「"),
    **dict.fromkeys("』”’", "」"),
    **dict.fromkeys("（", "("),
    **dict.fromkeys("）", ")"),
    **dict.fromkeys("【［〔", "["),
    **dict.fromkeys("】］〕", "]"),
    **dict.fromkeys("・‧•", "·"),
    **dict.fromkeys("|∥║", "‖"),
    **dict(zip("＝＜＞", "=<>", strict=True)),
}
_BRACKETS: Final = frozenset("（）【】［］〔〕")


class Fault(Exception):  # noqa: N818 - it is raised and caught inside this room only
    """One thing wrong with a line: its code, why, and the column (from 1) and length of what is wrong."""

    def __init__(self, code: str, cause: str, column: int, length: int = 1, nearest: tuple[str, ...] = ()) -> None:
        """Keep what a finding will need."""
        super().__init__(cause)
        self.code = code
        self.cause = cause
        self.column = column
        self.length = length
        self.nearest = nearest


class Line:
    """One line: its file, its number, its text exactly, and what stands on it between the blanks."""

    __slots__ = ("content", "file", "number", "raw", "width")

    def __init__(self, file: str, number: int, raw: str) -> None:
        """Set the blanks apart from what they surround."""
        self.file = file
        self.number = number
        self.raw = raw
        content = raw.strip(BLANKS)
        self.content = content
        self.width = raw.index(content) if content else 0

    def span(self, column: int, length: int) -> Span:
        """A stretch of this line."""
        return Span(self.file, self.number, column, length)

    def whole(self) -> Span:
        """All that stands on it."""
        return Span(self.file, self.number, self.width + 1, len(self.content))

    def level(self) -> int:
        """How deep it stands; an indentation that is no whole level counts as the nearest, and never as the margin."""
        if not self.width:
            return 0
        blanks = self.raw[: self.width]
        width = self.width + (INDENT - 1) * blanks.count("\t") + blanks.count("\u3000")
        return max(1, (width + INDENT // 2) // INDENT)

    def first(self) -> str:
        """The first word, with the bracket before it if there is one; that word makes a line what it is."""
        found = _FIRST.match(self.content)
        return found[1] + found[2] if found else ""

    def misindented(self) -> Fault | None:
        """Say what is wrong with the indentation itself, apart from what it stands under."""
        blanks = self.raw[: self.width]
        if blanks.strip(" "):
            mark = "a tab" if "\t" in blanks else "a blank that is no space"
            return Fault("tab-indentation", f"{mark} in the indentation; expected four spaces a level", 1, self.width)
        if self.width % INDENT:
            cause = f"indented {self.width} spaces; expected a multiple of four"
            return Fault("bad-indentation", cause, 1, self.width)
        return None

    def foreign(self) -> Fault | None:
        """Say which character does not belong among canonical words."""
        found = _NOT_HAN.search(self.content)
        if not found:
            return None
        cause = f"{found.group()!r} among canonical words: only Han characters stand at the margin"
        if " " in self.content or "，" in self.content:
            cause += "; an act line is indented by four spaces"
        return Fault("not-canonical", cause, self.width + 1 + found.start(), len(found.group()))


def split(text: str) -> tuple[list[str], Literal["\n", "\r\n"], bool]:
    """Return the lines, the line end that they share, and whether the last one has it too."""
    if not text:
        return [], "\n", True
    ends = text.count("\n")
    if ends and text.count("\r\n") == ends:
        lines, end = text.split("\r\n"), "\r\n"
    else:
        lines, end = text.split("\n"), "\n"
    if lines[-1]:
        return lines, "\r\n" if end == "\r\n" else "\n", False
    return lines[:-1], "\r\n" if end == "\r\n" else "\n", True


def marks_wrong(line: Line) -> list[Fault]:
    """Find brackets and quotes that do not close, and characters that stand for nothing in the notation."""
    content = line.content
    if not _SUSPECT.search(content):
        return []
    return _Marks(line).faults


class _Marks:
    """Walks over the marks of a line; inside a speech, and after 據 in brackets, anything may stand."""

    def __init__(self, line: Line) -> None:
        self.faults: list[Fault] = []
        self.speech = self.bracket = 0
        self.round_open: list[int] = []
        self.warrant = False
        self.content = line.content
        for found in _SUSPECT.finditer(line.content):
            self.see(found.group(), line.width + 1 + found.start(), found.start())
        if self.speech:
            self.fault("unclosed-speech", "「 is not closed; expected 」", self.speech)
        if self.bracket:
            self.fault("unclosed-bracket", "[ is not closed; expected ]", self.bracket)
        for column in self.round_open:
            self.fault("unclosed-parenthesis", "( is not closed; expected )", column)
        self.faults.sort(key=lambda fault: fault.column)

    def fault(self, code: str, cause: str, column: int, nearest: tuple[str, ...] = ()) -> None:
        self.faults.append(Fault(code, cause, column, 1, nearest))

    def see(self, mark: str, column: int, place: int) -> None:
        if self.speech:
            if mark == "」":
                self.speech = 0
        elif self.warrant and mark not in "[]":
            return
        elif mark == "據":
            self.warrant = bool(self.bracket and _ALONE.match(self.content, place))
        elif mark == "「":
            self.speech = column
        elif mark in "[]":
            self.square(mark, column)
        elif mark in "()":
            self.round(mark, column)
        else:
            self.other(mark, column)

    def square(self, mark: str, column: int) -> None:
        if mark == "]":
            if not self.bracket:
                self.fault("unopened-bracket", "] without [ before it", column)
            self.bracket = 0
            self.warrant = False
        elif self.bracket:
            self.fault("nested-bracket", "[ inside brackets; expected ] first", column)
        else:
            self.bracket = column

    def round(self, mark: str, column: int) -> None:
        if mark == "(":
            self.round_open.append(column)
        elif self.round_open:
            self.round_open.pop()
        else:
            self.fault("unopened-parenthesis", ") without ( before it", column)

    def other(self, mark: str, column: int) -> None:
        instead = _INSTEAD.get(mark)
        nearest = (instead,) if instead else ()
        if mark == ",":
            self.fault("half-width-comma", "a half-width comma; expected ，", column, nearest)
        elif mark in _BRACKETS:
            self.fault("full-width-bracket", f"{mark} is no bracket here; expected {instead}", column, nearest)
        elif mark == "」":
            self.fault("unopened-speech", "」 without 「 before it", column)
        elif mark == "※":
            self.fault("inline-comment", "a comment stands on a line of its own", column)
        else:
            wanted = f"; expected {'a space' if instead == ' ' else instead}" if instead else ""
            self.fault("unexpected-character", f"{mark!r} has no meaning here{wanted}", column, nearest)
