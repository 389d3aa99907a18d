"""The world (境): everybody and everything at one moment.

Comes in: a cast and an inventory. Goes out: a world that changes only through its own methods, each of which writes a
journal, so that any moment can be set up again. What can no longer occur: a thing with two holders or in two places,
an actor in two places.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yanli.plan.cast import NOWHERE

__all__ = ["NOWHERE", "Actor", "Thing", "World"]

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from yanli.venue import Spot


class Actor:
    """One person: name, offices, place, facing, posture, dress, what he holds, and until when (seconds) he is busy."""

    __slots__ = (
        "base", "belt", "busy", "dress", "facing", "homes", "index", "left", "name", "number", "party", "posture",
        "right", "roles", "spot", "stair", "step",
    )  # fmt: skip

    def __init__(self, name: str, index: int, spot: Spot, *, party: str = "", stair: str = "西階") -> None:
        """Start standing, facing north, with empty hands."""
        base, _, number = name.partition(".")
        self.name = name
        self.base = base
        self.number = int(number) if number else 0
        self.index = index
        self.spot = spot
        self.party = party
        self.stair = stair
        self.facing: float = spot.facing or 0.0
        self.posture = "立"
        self.busy = 0.0
        self.step: int | None = None
        self.left: tuple[Thing, ...] = ()
        self.right: tuple[Thing, ...] = ()
        self.belt: tuple[Thing, ...] = ()
        self.dress: tuple[str, ...] = ()
        self.roles: tuple[str, ...] = ()
        self.homes: dict[str, tuple[Spot, float]] = {}

    def holding(self) -> Iterator[Thing]:
        """All that he holds or carries, right hand first, then left, then belt."""
        yield from self.right
        yield from self.left
        yield from self.belt

    def __repr__(self) -> str:
        """Show the name."""
        return f"Actor({self.name})"


class Thing:
    """One thing: kind, whose it is, and where: with an actor, or at a place named by words."""

    __slots__ = (
        "facing", "filled", "hand", "hands", "id", "kind", "lay", "layers", "of", "spot", "states", "times", "where",
    )  # fmt: skip

    def __init__(self, ident: str, kind: str, where: str, spot: Spot, *, of: Actor | None = None) -> None:
        """Start unfilled, lying at a place."""
        self.id = ident
        self.kind = kind
        self.where: str | Actor = where
        self.spot = spot
        self.of = of
        self.filled = False
        self.lay: str | None = None
        self.facing: float | None = None
        self.layers = 1
        self.hands: int | str = 1
        self.hand = ""
        self.times = 0
        self.states: dict[str, str] = {}

    def __repr__(self) -> str:
        """Show the id."""
        return f"Thing({self.id})"


class World:
    """All actors and things, an index of what lies where, and the journal of changes.

    The journal is a flat list of (object, attribute, value) triples in the order of play; an event keeps the slice
    that it caused. Attributes hold immutable values, so setting them again sets up any moment.
    """

    def __init__(self, actors: Iterable[Actor], things: Iterable[Thing]) -> None:
        """Index actors by name and things by id and by place."""
        self.actors = {actor.name: actor for actor in actors}
        self.things = {thing.id: thing for thing in things}
        self.stock: dict[str, dict[str, dict[str, Thing]]] = {}
        self.owned: dict[tuple[str, str], list[Thing]] = {}
        self.journal: list[Any] = []
        self.tally: dict[str, int] = {}
        for thing in self.things.values():
            if isinstance(thing.where, str):
                self.stock.setdefault(thing.where, {}).setdefault(thing.kind, {})[thing.id] = thing
            if thing.of is not None:
                self.owned.setdefault((thing.of.name, thing.kind), []).append(thing)

    # ── changes: the only ways in which anything becomes different ──────────────────────────────────────────────────

    def set(self, obj: Actor | Thing, attribute: str, value: object) -> None:
        """Change one attribute, and write it down."""
        setattr(obj, attribute, value)
        self.journal.append((obj, attribute, value))

    def move(self, actor: Actor, spot: Spot) -> None:
        """Put an actor at a spot; what he holds is there with him."""
        actor.spot = spot
        self.journal.append((actor, "spot", spot))

    def _leave(self, things: Sequence[Thing]) -> None:
        """Take things out of where they are; of one hand all at once."""
        held: dict[tuple[Actor, str], list[Thing]] = {}
        for thing in things:
            where = thing.where
            if isinstance(where, str):
                self.stock[where][thing.kind].pop(thing.id, None)
            else:
                held.setdefault((where, thing.hand), []).append(thing)
        for (actor, hand), gone in held.items():
            before = getattr(actor, hand)
            if len(gone) == len(before):
                after: tuple[Thing, ...] = ()
            elif len(gone) == 1:
                index = before.index(gone[0])
                after = before[:index] + before[index + 1 :]
            else:
                ids = {thing.id for thing in gone}
                after = tuple(thing for thing in before if thing.id not in ids)
            setattr(actor, hand, after)
            self.journal.append((actor, hand, after))

    def give(self, things: Sequence[Thing], actor: Actor, hand: str) -> None:
        """Put things into an actor's ``left`` or ``right`` hand or ``belt``."""
        self._leave(things)
        held = (*getattr(actor, hand), *things)
        setattr(actor, hand, held)
        journal = self.journal
        journal.append((actor, hand, held))
        for thing in things:
            thing.hand = hand
            if thing.where is not actor:
                thing.where = actor
                journal.append((thing, "where", actor))

    def put(self, things: Sequence[Thing], where: str, spot: Spot) -> None:
        """Lay things at a place."""
        self._leave(things)
        journal = self.journal
        shelf = self.stock.get(where)
        if shelf is None:
            shelf = self.stock[where] = {}
        for thing in things:
            thing.where = where
            journal.append((thing, "where", where))
            if thing.spot is not spot:
                thing.spot = spot
                journal.append((thing, "spot", spot))
            kinds = shelf.get(thing.kind)
            if kinds is None:
                kinds = shelf[thing.kind] = {}
            kinds[thing.id] = thing

    def at(self, where: str, kind: str) -> dict[str, Thing]:
        """What of a kind lies at a place, by id, in the order in which it was laid there."""
        shelf = self.stock.get(where)
        return shelf.get(kind, _NOTHING) if shelf else _NOTHING

    def spot_of(self, thing: Thing) -> Spot:
        """Where a thing is: where it lies, or who has it, or what it lies in is."""
        where = thing.where
        if not isinstance(where, str):
            return where.spot
        holder = self.things.get(where)
        return self.spot_of(holder) if holder is not None and holder is not thing else thing.spot

    def record_tally(self, side: str, count: int) -> None:
        """Write down how many sticks a side was counted to have."""
        self.tally = {**self.tally, side: count}
        self.journal.append((self, "tally", self.tally))

    def replay(self, changes: Iterable[tuple[Any, str, Any]]) -> None:
        """Apply journalled changes; afterwards the index of places is made anew."""
        for obj, attribute, value in changes:
            setattr(obj, attribute, value)
        self.stock = {}
        for thing in self.things.values():
            if isinstance(thing.where, str):
                self.stock.setdefault(thing.where, {}).setdefault(thing.kind, {})[thing.id] = thing


_NOTHING: dict[str, Thing] = {}
