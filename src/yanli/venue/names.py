"""How a place's name comes apart: the longest anchor that is known, then a relation to it, then perhaps a distance.

賓席前 is 賓席 + 前; 侯西北三步 is 侯 + 西北 + 18 尺; 司射身南 is 司射 + 南, from his body; 賓席薦西 is 賓席薦 + 西.
Comes in: a name and the anchors that are known. Goes out: a :class:`PlaceName`. What the anchor is, is not asked here.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from yanli.venue.measure import CHI_IN, NUMBER, length_of
from yanli.venue.spot import FACINGS, TURNS, PlaceName

PLAIN = ("中", "間", "內", "外", "上", "下")
SLIGHTLY = 3.0
"""少 (西階上少東), in 尺: semantics.md 8."""

DISTANCE = re.compile(rf"({NUMBER})({'|'.join(CHI_IN)})")
SEAT_OF = re.compile(r"^(.+?)\.(\d+)席")


def tidy(name: str) -> str:
    """The name as it is looked up: without 之, and with the number at the end (眾賓.2席 is 眾賓席.2)."""
    return SEAT_OF.sub(r"\1席.\2", name.replace("之", ""))


def split_name(name: str, is_anchor: Callable[[str], bool], parts: frozenset[str]) -> PlaceName | None:
    """The parts of a name, or None when no anchor in it is known. ``parts`` are relations of forms (薦, 末, 端)."""
    words = tidy(name)
    torn: PlaceName | None = None
    for end in range(len(words), 0, -1):
        anchor = words[:end]
        if not is_anchor(anchor):
            continue
        rest = words[end:]
        body = rest.startswith("身")
        found = split_relation(rest.removeprefix("身"), parts)
        if found is None:
            continue
        before, relation, distance = found
        place = PlaceName(anchor + before, relation, distance, body)
        if anchor[-1] + rest[:1] not in FACINGS or not rest:
            return place
        torn = torn or place  # 洗東 + 南 only where 洗 + 東南 cannot be
    return torn


def split_relation(rest: str, parts: frozenset[str]) -> tuple[str, str, float | None] | None:
    """What stands before the last relation, the last one, and its distance; None when the words are no relation.

    Each relation may have its own distance: 西北三步東六尺 is 東, 6 尺, of what is 西北三步.
    """
    at = last = 0
    relation, distance = "", None
    while at < len(rest):
        last = at
        slightly = rest.startswith("少", at)
        at += slightly
        piece = next((rest[at:end] for end in range(len(rest), at, -1) if is_relation(rest[at:end], parts)), None)
        if piece is None:
            return None
        at += len(piece)
        relation, distance = piece, SLIGHTLY if slightly else None
        said = DISTANCE.match(rest, at)
        if said is not None:
            distance = length_of(f"{said[1]}{said[2]}", 1.0)
            if distance is None:
                return None
            at = said.end()
    return rest[:last], relation, distance


def is_relation(word: str, parts: frozenset[str]) -> bool:
    """Whether a word is a direction, a turn, or a part of a form."""
    return word in FACINGS or word in TURNS or word in PLAIN or word in parts
