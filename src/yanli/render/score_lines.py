"""From a value back to the score: the line of an act, the question of a crux, the remarks beside a clause.

Comes in: a rite, spans and names. Goes out: lines as they are written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from yanli.notation.tree import Comment, Reading
from yanli.notation.walk import blocks, walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yanli.notation.model import Clause, Rite
    from yanli.notation.tree import Node
    from yanli.source import Span


class ScoreLines:
    """Every line of a rite's scores, by file and number."""

    def __init__(self, rite: Rite) -> None:
        """Index the scores."""
        self.rite = rite
        self.lines: dict[tuple[str, int], str] = {}
        self.questions: dict[str, str] = {}
        for score in rite.scores:
            for node in walk(score.items):
                self.lines.setdefault((node.span.file, node.span.line), node.raw)
            for block in _all_blocks(score.items):
                self._read_questions(block)

    def line(self, span: Span | None) -> str | None:
        """The line at a span, without its indentation."""
        found = self.lines.get((span.file, span.line)) if span is not None else None
        return found.strip() if found is not None else None

    def question(self, crux: str) -> str | None:
        """What a crux asks: the remark directly above its first reading."""
        return self.questions.get(crux)

    def _read_questions(self, block: Sequence[Node]) -> None:
        above = ""
        for node in block:
            if isinstance(node, Reading) and above:
                self.questions.setdefault(node.crux, above)
            above = node.text.strip() if isinstance(node, Comment) else ""


def _all_blocks(nodes: Sequence[Node]) -> Iterator[Sequence[Node]]:
    yield nodes
    for node in nodes:
        for block in blocks(node):
            yield from _all_blocks(block)


def comments(clause: Clause) -> list[str]:
    """The editor's remarks (※) under a clause, in the order of their lines."""
    return [node.text.strip() for node in walk(clause.statements) if isinstance(node, Comment) and node.text.strip()]
