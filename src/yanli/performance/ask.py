"""Questions for the world, answered now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from yanli.performance.link import safe_spot
from yanli.plan import program as p

if TYPE_CHECKING:
    from collections.abc import Callable

    from yanli.performance.acting import Acting
    from yanli.performance.link import Env
    from yanli.performance.world import Actor, Thing


def asked(m: Acting, ask: p.Ask, env: Env) -> bool:  # noqa: PLR0911, C901 - one for each question
    """Answer a question."""
    match ask:
        case p.Marked(mark=mark):
            return mark in m.current_marks
        case p.Exhausted(who=who):
            return not any(
                thing.kind == m.arrow for ref in who for actor in m.people(ref, env) for thing in actor.holding()
            )
        case p.Compare(left=left, operator=operator, right=right):
            return _COMPARE[operator](count(m, left, env), count(m, right, env))
        case p.IsRole(who=who, names=names, side=side):
            people = m.people(who, env)
            if side is not None:
                return bool(people) and all(m.side_of(actor) == side for actor in people)
            return bool(people) and all(actor.name in (names or ()) for actor in people)
        case p.Won(side=side, who=who):
            if who is not None:
                people = m.people(who, env)
                return bool(people) and all(m.won(actor) for actor in people)
            return m.outcome() == side
        case p.Present():
            return _present(m, ask, env)
        case p.Not(part=part):
            return not asked(m, part, env)
        case p.All(parts=parts):
            return all(asked(m, part, env) for part in parts)
        case p.Any(parts=parts):
            return any(asked(m, part, env) for part in parts)


def count(m: Acting, what: p.Count, env: Env) -> int:
    """Count things of a kind, perhaps only somebody's own, at a place or with a person; or persons at a place."""
    if what.number is not None:
        return what.number
    if what.who is not None:
        return sum(_is_at(m, actor, what.where, env) for actor in m.people(what.who, env))
    if what.owner is not None:
        owners = m.people(what.owner, env)
        return sum(1 for thing in _counted(m, what, env) if thing.of in owners)
    if what.where is not None and what.holder is None and not what.loose:
        return len(m.world.at(m.shelf(what.where, None) or what.where.word, what.kind or ""))
    return len(_counted(m, what, env))


def _counted(m: Acting, what: p.Count, env: Env) -> list[Thing]:
    """The things that are meant, whosoever they are."""
    kind = what.kind or ""
    if what.holder is not None:
        things = [thing for actor in m.people(what.holder, env) for thing in actor.holding() if thing.kind == kind]
    elif what.where is not None:
        where = m.shelf(what.where, None) or what.where.word
        things = list(m.world.at(where, kind).values())
    else:
        things = m.by_kind.get(kind, [])
    return [thing for thing in things if not what.loose or thing.lay is None]


def _present(m: Acting, ask: p.Present, env: Env) -> bool:
    if ask.who is not None:
        people = m.people(ask.who, env)
        if ask.where is None:
            return bool(people)
        return bool(people) and all(_is_at(m, actor, ask.where, env) for actor in people)
    return count(m, p.Count(kind=ask.kind, where=ask.where, holder=ask.holder), env) > 0


def _is_at(m: Acting, actor: Actor, where: p.PlaceRef | None, env: Env) -> bool:
    """Whether somebody is at a place, or in the zone that is called so."""
    if where is None:
        return True
    if actor.spot.zone == where.word:
        return True
    spot = safe_spot(m, where, actor, env)
    return spot is not None and actor.spot.name == spot.name


_COMPARE: Final[dict[str, Callable[[int, int], bool]]] = {
    "=": lambda a, b: a == b,
    "≠": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "≤": lambda a, b: a <= b,
    "≥": lambda a, b: a >= b,
}
