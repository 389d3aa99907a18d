"""Walks over a tree of statements.

Comes in: nodes. Goes out: the same nodes in the order of their lines, those in blocks too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from yanli.notation.tree import (
    Bad,
    Chain,
    ClauseLine,
    Define,
    Each,
    Heading,
    If,
    Node,
    On,
    Reading,
    Turns,
)


def blocks(node: Node) -> tuple[tuple[Node, ...], ...]:
    """The blocks that hang on a node, in order."""
    if isinstance(node, If):
        return node.body, node.otherwise
    if isinstance(node, (Heading, ClauseLine, Each, Turns, Chain, On, Define, Reading, Bad)):
        return (node.body,)
    return ()


def walk(nodes: Iterable[Node]) -> Iterator[Node]:
    """Every node and all that stands in its blocks."""
    for node in nodes:
        yield node
        for block in blocks(node):
            yield from walk(block)
