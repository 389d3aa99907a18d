"""Conservation, and bodies.

Nothing vanishes or has two holders; nobody is in two places, too near to another, or in the way of the arrows.
"""

from __future__ import annotations

from math import atan2, degrees, hypot, radians, tan
from typing import TYPE_CHECKING, Any

import msgspec

from yanli.errors import Finding
from yanli.performance.world import Actor, Thing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from yanli.performance.event import Event
    from yanli.performance.perform import Performance
    from yanli.venue import Spot

# Half the angle about a shot in which nobody may stand, and how near two bodies may come (a shoulder's breadth): the
# project's own measures, in degrees and 尺.
SECTOR = 5.0
SHOULDER = 1.8
EPSILON = 1e-6
# The side of the squares in which neighbours are looked for, in 尺; no less than a shoulder's breadth.
CELL = 3.0
OUTSIDE = "門外"


def _finding(performance: Performance, event: Event, code: str, cause: str, known: str | None = None) -> Finding:
    clause = performance.rite.clauses[event.clause]
    return Finding(
        code=code,
        cause=cause,
        clause=str(clause.id),
        words=clause.text,
        span=event.info.span,
        known=known,
        event=event.n,
    )


def check_conservation(performance: Performance) -> Iterator[Finding]:
    """Replay all changes: a thing that is with someone is in exactly one of his hands or his belt, else in nobody's."""
    holding = _Holding()
    for event in performance.events:
        for thing in holding.replay(performance.journal[event.changes[0] : event.changes[1]]):
            keys = holding.held.get(thing, set())
            place = holding.where.get(thing)
            holder = place.name if isinstance(place, Actor) else None
            if {name for name, _ in keys} != ({holder} if holder else set()) or len(keys) > 1:
                holders = "、".join(f"{name}.{hand}" for name, hand in sorted(keys)) or "nobody"
                told = f"with {holder}" if holder else f"at {place}"
                yield _finding(performance, event, "not-conserved", f"{thing.id} is {told}, but held by {holders}")
    total = len(performance.machine.world.things)
    if total != sum(prop.number for prop in performance.stage.cast.properties):
        yield Finding(code="not-conserved", cause=f"{total} things at the end are not as many as were brought")


class _Holding:
    """Who holds what, by the hands; and where each thing is, by its own account."""

    def __init__(self) -> None:
        self.held: dict[Thing, set[tuple[str, str]]] = {}
        self.hands: dict[tuple[str, str], set[Thing]] = {}
        self.where: dict[Thing, str | Actor] = {}

    def replay(self, changes: Iterable[tuple[Any, str, Any]]) -> list[Thing]:
        """Take the changes of one event; gives the things concerned, each once."""
        touched: dict[Thing, None] = {}
        for obj, attribute, value in changes:
            if isinstance(obj, Actor) and attribute in {"left", "right", "belt"}:
                touched.update(dict.fromkeys(self._hand((obj.name, attribute), set(value))))
            elif isinstance(obj, Thing) and attribute == "where":
                self.where[obj] = value
                touched[obj] = None
        return list(touched)

    def _hand(self, key: tuple[str, str], now: set[Thing]) -> list[Thing]:
        before = self.hands.get(key, set())
        self.hands[key] = now
        gone, come = before - now, now - before
        for thing in gone:
            self.held.get(thing, set()).discard(key)
        for thing in come:
            self.held.setdefault(thing, set()).add(key)
        return sorted(gone | come, key=lambda thing: thing.id)


def check_two_places(performance: Performance) -> Iterator[Finding]:
    """Nobody walks two ways at once."""
    busy: dict[str, tuple[float, Event]] = {}
    for event in performance.events:
        if not event.path or event.end - event.start < EPSILON:
            continue
        until = busy.get(event.actor.name)
        if until is not None and event.start < until[0] - EPSILON:
            other = until[1]
            yield _finding(
                performance,
                event,
                "two-places",
                f"{event.actor.name} walks to {event.spot.name} while still on his way to {other.spot.name}",
                f"event {other.n}: {other.start:.1f}–{other.end:.1f} s",
            )
        if until is None or event.end > until[0]:
            busy[event.actor.name] = (event.end, event)


def check_danger(performance: Performance, sector: float = SECTOR) -> Iterator[Finding]:
    """While an arrow flies nobody stands before the shooter within the sector, up to the target and beyond it."""
    where = _at_first(performance)
    told: set[tuple[str, str]] = set()
    # Where no arrow comes: outside the gate, and behind the screens.
    safe = {OUTSIDE, *performance.stage.targets.screens}
    for event in performance.events:
        where[event.actor.name] = event.spot
        if event.hit is None or event.to is None:
            continue
        shooter = event.spot
        target = performance.stage.layout.spot(event.to)
        aim = _angle(shooter, target)
        # Nobody so far to the side of the line can be within the sector: a first look, before any angle is reckoned.
        lean = (target.x - shooter.x) / (target.y - shooter.y) if target.y != shooter.y else 0.0
        wide = 2.0 * tan(radians(sector))
        x, y = shooter.x, shooter.y
        for name, spot in where.items():
            down = y - spot.y
            if down < 0 or abs(spot.x - x + lean * down) > wide * down + 1.0:
                continue
            if name == event.actor.name or spot.zone in safe or spot.name in safe or (name, spot.name) in told:
                continue
            off = abs((_angle(shooter, spot) - aim + 180.0) % 360.0 - 180.0)
            if off < sector and (spot.x, spot.y) != (shooter.x, shooter.y):
                told.add((name, spot.name))
                place = f"{spot.name} ({spot.x:.0f}, {spot.y:.0f})"
                cause = f"{name} stands at {place}, {off:.1f}° from the arrow's way"
                yield _finding(performance, event, "danger", cause)


def _at_first(performance: Performance) -> dict[str, Spot]:
    """Where everybody is before the first act: who has done nothing yet stands somewhere too."""
    return {actor.name: actor.spot for actor in performance.stage.world().actors.values()}


def _angle(a: Spot, b: Spot) -> float:
    return degrees(atan2(b.x - a.x, b.y - a.y))


def check_close(performance: Performance, shoulder: float = SHOULDER) -> Iterator[Finding]:
    """No two bodies nearer than a shoulder's breadth, where the words do not ask for it (asked for only on demand)."""
    where = _at_first(performance)
    cells: dict[tuple[int, int], dict[str, Spot]] = {}
    for name, spot in where.items():
        cells.setdefault(_cell(spot), {})[name] = spot
    told: set[tuple[str, str, str]] = set()
    for event in performance.events:
        name, spot = event.actor.name, event.spot
        old = where[name]
        del cells[_cell(old)][name]
        where[name] = spot
        cells.setdefault(_cell(spot), {})[name] = spot
        if old is spot or spot.zone == OUTSIDE:
            continue
        targets = {person.name for person in event.target}
        for other, there in _near(spot, cells):
            far = hypot(spot.x - there.x, spot.y - there.y)
            key = (min(name, other), max(name, other), spot.name)
            if other != name and far < shoulder - EPSILON and key not in told and other not in targets:
                told.add(key)
                cause = f"{name} at {spot.name} is {far:.1f} 尺 from {other} at {there.name}"
                yield msgspec.structs.replace(_finding(performance, event, "too-close", cause), grade="warning")


def _near(spot: Spot, cells: Mapping[tuple[int, int], Mapping[str, Spot]]) -> list[tuple[str, Spot]]:
    """Everybody in the cells about a spot."""
    i, j = _cell(spot)
    return [item for di in (-1, 0, 1) for dj in (-1, 0, 1) for item in cells.get((i + di, j + dj), {}).items()]


def _cell(spot: Spot) -> tuple[int, int]:
    return int(spot.x // CELL), int(spot.y // CELL)
