"""How a place's name comes apart: the longest anchor that is known, then a relation to it, then perhaps a distance.

賓席前 is 賓席 + 前; 侯西北三步 is 侯 + 西北 + 18 尺; 司射身南 is 司射 + 南, from his body; 賓席薦西 is 賓席薦 + 西.
Comes in: a name and the anchors that are known. Goes out: a :class:`PlaceName`. What the anchor is, is not asked here.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from yanli.venue.measure import CHI_IN, NUMBER, count_of
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
    """Relations before the last one, the last one, and its distance; None when the words are no relation."""
    if not rest:
        return "", "", None
    distance: float | None = None
    said = DISTANCE.search(rest)
    if said is not None and said.end() == len(rest):
        distance = float(count_of(said[1]) * CHI_IN[said[2]])
        rest = rest[: said.start()]
    pieces: list[str] = []
    slightly = False
    while rest:
        if rest.startswith("少") and rest != "少":
            slightly, rest = True, rest[1:]
        piece = next((rest[:size] for size in range(len(rest), 0, -1) if is_relation(rest[:size], parts)), None)
        if piece is None:
            return None
        pieces.append(piece)
        rest = rest[len(piece) :]
    if not pieces:
        return None
    if slightly and distance is None:
        distance = SLIGHTLY
    return "".join(pieces[:-1]), pieces[-1], distance


def is_relation(word: str, parts: frozenset[str]) -> bool:
    """Whether a word is a direction, a turn, or a part of a form."""
    return word in FACINGS or word in TURNS or word in PLAIN or word in parts
