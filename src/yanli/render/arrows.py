"""How each arrow fell, by its mark: what it struck beside a target's middle, and in which way it missed.

Comes in: a performance. Goes out: for the events of shooting the mark of the arrow (lexicon/marks.toml and the rite's
own), as the fates of that performance gave it. What is a plain hit or a plain miss is told by the event itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from yanli.performance.fates import HIT, LOWER, MISS, UPPER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from yanli.performance.perform import Performance
    from yanli.performance.shooting import Shooting
    from yanli.plan.marks import Mark


def places_of(shooting: Shooting) -> Iterator[tuple[int, str | None, str, str]]:
    """Who shoots in a round: the number of the pair (the teacher's is 0), the list that it is of, side, full name."""
    if shooting.teacher is not None:
        yield 0, None, shooting.teacher, shooting.teacher
    for number, pair in enumerate(shooting.pairs, 1):
        yield number, pair.kind, UPPER, pair.upper
        yield number, pair.kind, LOWER, pair.lower


def marks_of(performance: Performance) -> Mapping[int, Mark]:
    """By the number of an event of shooting: the mark of its arrow, if it is no plain hit and no plain miss."""
    stage, machine = performance.stage, performance.machine
    signs = {
        (number, name): machine.fates.marks(number, pair, side, name)
        for number, shooting in stage.shootings.items()
        for pair, _, side, name in places_of(shooting)
    }
    begun = list(reversed(machine.begun))
    number = 0
    shot: dict[tuple[int, str], int] = {}
    found: dict[int, Mark] = {}
    for event in sorted(performance.events, key=lambda event: event.order):
        while begun and begun[-1][0] <= event.order:
            number = begun.pop()[1]
        if event.hit is None:
            continue
        key = number, event.actor.name
        nth = shot.get(key, 0)
        shot[key] = nth + 1
        sign = signs.get(key, "")[nth : nth + 1]
        if sign not in {"", HIT, MISS} and sign in stage.marks.signs:
            found[event.n] = stage.marks.signs[sign]
    return found
