"""Clauses that ask for acts, and whose acts are all of people who are not there.

Comes in: a performance. Goes out: a warning for each such clause that was come to: it counts as performed, and nothing
was done. Where a condition (若 有 大夫) says that they need not be there, nothing is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from yanli.errors import Finding
from yanli.plan import program as p
from yanli.plan.resolve import names_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yanli.performance.perform import Performance


def check_nobody(performance: Performance) -> Iterator[Finding]:
    """Every clause that was come to, and whose acts are all of nobody in this scenario."""
    come_to = {play.clause for play in performance.plays}
    told: set[int] = set()
    for node in _clauses(performance.stage.program.root):
        if node.clause in told or node.clause not in come_to or node.guest or node.elsewhere:
            continue
        there = list(_anybody(node.body))
        if there and not any(there):
            told.add(node.clause)
            clause = performance.rite.clauses[node.clause]
            yield Finding(
                code="nobody-acts",
                grade="warning",
                cause="無人: all that is asked for here is done by people of whom there is none in this scenario",
                clause=str(clause.id),
                words=clause.text,
                span=clause.span,
            )


def _clauses(node: object) -> Iterator[p.Clause]:
    """The clauses of a program in the order of the words; passages that are played again are left out."""
    if isinstance(node, p.Clause):
        yield node
    elif isinstance(node, (p.Seq, p.Par)):
        for item in node.items:
            yield from _clauses(item)
    elif isinstance(node, p.If):
        yield from _clauses(node.body)
        yield from _clauses(node.otherwise)
    elif isinstance(node, (p.Each, p.Turns, p.Chain)):
        yield from _clauses(node.body)


def _anybody(node: object) -> Iterator[bool]:
    """Of each thing that is asked for, whether there is, or may be, somebody who does it."""
    if isinstance(node, p.Act):
        yield names_of(node.who) != ()
    elif isinstance(node, (p.Seq, p.Par)):
        for item in node.items:
            yield from _anybody(item)
    elif isinstance(node, p.Each) and node.members == ():
        yield False
    else:
        yield True
