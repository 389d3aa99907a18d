"""One act by one actor while it is being played: what its words mean just now."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from yanli.performance.link import Env, Ready
    from yanli.performance.world import Actor, Thing
    from yanli.plan import program as p
    from yanli.venue import Spot
    from yanli.venue.spot import Point


class Context(msgspec.Struct, eq=False, gc=False):
    """One act by one actor, while it is being played; made by ``begun``, nothing resolved yet.

    ``index`` of ``count``: which of how many who do this together.
    """

    ready: Ready
    act: p.Act
    actor: Actor
    env: Env
    facing: float | None
    seconds: float
    things: tuple[Thing, ...] = ()
    target: tuple[Actor, ...] = ()
    giver: Actor | None = None
    place: Spot | None = None
    place_name: str | None = None
    where_from: str | None = None
    from_spot: Spot | None = None
    via: tuple[Spot, ...] = ()
    home_facing: float | None = None
    hand: str | None = None
    path: tuple[Point, ...] = ()
    moved: bool = False
    hit: bool | None = None
    to: str | None = None
    together: int | None = None
    index: int = 0
    count: int = 1


def begun(ready: Ready, actor: Actor, env: Env) -> Context:
    """Begin an act of an actor."""
    return Context(ready, ready.act, actor, env, ready.facing, ready.seconds)
