"""One act by one actor while it is being played: what its words mean just now."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from yanli.performance.link import Env, Ready
    from yanli.performance.world import Actor, Thing
    from yanli.venue import Spot


class Context:
    """One act by one actor, while it is being played."""

    __slots__ = (
        "act", "actor", "count", "env", "facing", "from_spot", "giver", "hand", "hit", "home_facing", "index", "moved",
        "path", "place", "place_name", "ready", "seconds", "target", "things", "to", "together", "via", "where_from",
    )  # fmt: skip

    def __init__(self, ready: Ready, actor: Actor, env: Env) -> None:
        """Start with nothing resolved."""
        self.ready = ready
        self.act = ready.act
        self.actor = actor
        self.env = env
        self.things: tuple[Thing, ...] = ()
        self.target: tuple[Actor, ...] = ()
        self.giver: Actor | None = None
        self.place: Spot | None = None
        self.place_name: str | None = None
        self.where_from: str | None = None
        self.from_spot: Spot | None = None
        self.via: tuple[Spot, ...] = ()
        self.facing: float | None = ready.facing
        self.home_facing: float | None = None
        self.hand: str | None = None
        self.path: tuple[tuple[float, float], ...] = ()
        self.moved = False
        self.seconds = ready.seconds
        self.hit: bool | None = None
        self.to: str | None = None
        self.together: int | None = None
        # Which of how many who do this together.
        self.index = 0
        self.count = 1
