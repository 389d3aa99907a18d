"""Times as short as they can be written without two that differ becoming one.

Comes in: a performance. Goes out: its times, rounded so that what was earlier, or at the same time,
is so still.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from yanli.performance.perform import Performance

FEWEST, MOST = 2, 9
"""Decimals of a second."""


class Times:
    """Rounds the times of one performance."""

    def __init__(self, performance: Performance) -> None:
        """Find how many decimals are needed."""
        exact = {time for event in performance.events for time in (event.start, event.end)}
        exact |= {time for play in performance.plays for time in (play.start, play.end)}
        self.decimals: int | None = next(
            (
                decimals
                for decimals in range(FEWEST, MOST + 1)
                if len({round(time, decimals) for time in exact}) == len(exact)
            ),
            None,
        )

    def at(self, time: float) -> float:
        """A time, rounded; as it is where no rounding would keep all apart."""
        return time if self.decimals is None else round(time, self.decimals)
