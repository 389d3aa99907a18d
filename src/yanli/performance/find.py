"""Which thing an act means (semantics 5).

The one held, else the one used last, else the one at the place named, else any of those that are alike, the lowest
number first, one's own before others'.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from yanli.performance.ground import REACH

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yanli.performance.acting import Acting
    from yanli.performance.context import Context
    from yanli.performance.world import Actor, Thing
    from yanli.plan import program as p


def carried(
    context: Context, ref: p.ThingRef, machine: Acting, *, bulk: bool, any_hand: bool = False
) -> tuple[Thing, ...]:
    """Things of a kind that the actor has on him; all of them when the verb lays down in bulk or the words say so."""
    actor = context.actor
    kind = ref.kind
    hand = None if any_hand else context.act.hand
    if hand is not None and hand != "二":
        pool: Iterable[Thing] = actor.left if hand == "左" else actor.right
    elif actor.belt or actor.left:
        pool = (*actor.right, *actor.left, *actor.belt)
    else:
        pool = actor.right
    owner = machine.people(ref.owner, context.env) if ref.owner is not None else None
    found = [
        thing
        for thing in pool
        if thing.kind == kind
        and (owner is None or thing.of in owner)
        and (ref.number is None or thing.id == f"{kind}.{ref.number}")
    ]
    count = ref.count
    if count is None:
        return tuple(found) if bulk else tuple(found[:1])
    return tuple(found) if count < 0 else tuple(found[:count])


def cup(actor: Actor, machine: Acting) -> Thing | None:
    """The vessel in hand that 獻, 受, 卒爵 speak of without naming it; failing that, whatever is in the right hand."""
    for thing in (*actor.right, *actor.left):
        if thing.kind in machine.vessels:
            return thing
    return None


def lying(context: Context, ref: p.ThingRef, machine: Acting, *, bulk: bool) -> tuple[Thing, ...]:
    """Things of a kind that lie somewhere for the actor to take."""
    world = machine.world
    actor, kind = context.actor, ref.kind
    if ref.number is not None:
        thing = world.things.get(f"{kind}.{ref.number}")
        return (thing,) if thing is not None and isinstance(thing.where, str) else ()
    count = _wanted(ref, machine, bulk=bulk)
    owner = machine.people(ref.owner, context.env) if ref.owner is not None else None
    where = context.where_from
    if where is not None:
        shelf = world.at(where, kind)
        if not shelf:
            shelf = _near(context, kind, machine)
        if not shelf:
            shelf = _last(context, kind, machine)
        return _pick(shelf, actor, kind, count, owner, ref, machine)
    last = machine.last.get((actor.name, kind))
    if (
        owner is None
        and count == 1
        and last is not None
        and isinstance(last.where, str)
        and last.where != machine.nowhere
    ):
        return (last,)
    people = owner if owner is not None else (actor,)
    own = [
        thing for person in people for thing in world.owned.get((person.name, kind), ()) if isinstance(thing.where, str)
    ]
    if own or owner is not None:
        return tuple(own) if count < 0 else tuple(own[:count])
    near = _near(context, kind, machine)
    if near:
        return _pick(near, actor, kind, count, None, ref, machine)
    everywhere = {ident: thing for shelf in world.stock.values() for ident, thing in shelf.get(kind, {}).items()}
    everywhere = dict(sorted(everywhere.items(), key=lambda item: _number(item[0])))
    return _pick(everywhere, actor, kind, count, None, ref, machine)


def _number(ident: str) -> int:
    return int(ident.rpartition(".")[2])


def _wanted(ref: p.ThingRef, machine: Acting, *, bulk: bool) -> int:
    if ref.surplus:
        return machine.surplus()
    if ref.count is None:
        return -1 if bulk else 1
    return ref.count


def _near(context: Context, kind: str, machine: Acting) -> dict[str, Thing]:
    """What of a kind lies within reach of the actor, or of the place that the act names."""
    spot = context.from_spot or context.actor.spot
    found: dict[str, Thing] = {}
    for shelf in machine.world.stock.values():
        things = shelf.get(kind)
        if not things:
            continue
        first = next(iter(things.values()))
        if abs(first.spot.x - spot.x) <= REACH and abs(first.spot.y - spot.y) <= REACH:
            found.update(things)
    return found


def _last(context: Context, kind: str, machine: Acting) -> dict[str, Thing]:
    last = machine.last.get((context.actor.name, kind))
    return {last.id: last} if last is not None and isinstance(last.where, str) else {}


def _pick(
    shelf: dict[str, Thing], actor: Actor, kind: str, count: int, owner: tuple[Actor, ...] | None, ref: p.ThingRef,
    machine: Acting,
) -> tuple[Thing, ...]:  # fmt: skip
    if ref.loose:
        shelf = {ident: thing for ident, thing in shelf.items() if thing.lay is None}
    if owner is not None:
        pool = [thing for thing in shelf.values() if thing.of in owner]
        return tuple(pool) if count < 0 else tuple(pool[:count])
    if count < 0:
        return tuple(shelf.values())
    mine = [thing for thing in machine.world.owned.get((actor.name, kind), ()) if thing.id in shelf][:count]
    if len(mine) < count:
        # Of the others the first that lie there; no more of the shelf is looked at than is needed.
        taken = {thing.id for thing in mine}
        spare = (
            thing for thing in shelf.values() if thing.id not in taken and (thing.of is None or thing.of is not actor)
        )
        mine.extend(islice(spare, count - len(mine)))
    return tuple(mine)


def anywhere(context: Context, ref: p.ThingRef, machine: Acting, *, bulk: bool) -> tuple[Thing, ...]:
    """Things that an act handles without anyone's holding them first: set out, leant, tied, served."""
    on_him = carried(context, ref, machine, bulk=bulk)
    if on_him:
        return on_him
    world = machine.world
    kind = ref.kind
    if ref.number is not None:
        thing = world.things.get(f"{kind}.{ref.number}")
        return (thing,) if thing is not None else ()
    count = _wanted(ref, machine, bulk=bulk)
    people = machine.people(ref.owner, context.env) if ref.owner is not None else None
    if people is not None:
        pool = [thing for person in people for thing in world.owned.get((person.name, kind), ())]
        return tuple(pool) if count < 0 else tuple(pool[:count])
    if context.where_from is not None:
        return _pick(world.at(context.where_from, kind), context.actor, kind, count, None, ref, machine)
    return _any(context.actor, kind, count, machine)


def _any(actor: Actor, kind: str, count: int, machine: Acting) -> tuple[Thing, ...]:
    pool = machine.by_kind.get(kind, [])
    if count < 0:
        return tuple(thing for thing in pool if isinstance(thing.where, str))
    # One that has not been brought yet comes before one that stands somewhere already.
    fresh = list(islice((thing for thing in pool if thing.id not in machine.handled), count))
    if len(fresh) == count:
        return tuple(fresh)
    own = [thing for thing in machine.world.owned.get((actor.name, kind), ()) if isinstance(thing.where, str)]
    return tuple((*own, *pool)[:count]) if not fresh else tuple(fresh)
