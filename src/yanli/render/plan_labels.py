"""Names beside figures and things, none over another.

Comes in: what wants a name and where it stands, and the space that is taken. Goes out: labels, each with its box, its
leader or its bracket. Rows of people are named alike; where their names find no room they get one name with a range.
What can no longer occur: a label on a figure, a thing, a wall or another label.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin
from typing import TYPE_CHECKING, NamedTuple

from yanli.render.plan_space import Box, around, beads
from yanli.render.plan_text import LINE, breadth

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yanli.render.plan_space import Space, View

NEAR = 1.3
"""Between a figure and its name, in pixels."""
RINGS = (12.0, 20.0, 32.0, 46.0, 64.0, 86.0, 112.0, 145.0, 185.0, 240.0, 320.0)
"""How far a name goes away when there is no room beside."""
TURNS = 20
LONGEST = 14
"""Of a longer row only the range is written."""
FEW = 3
FEW_LEFT = 2
"""So many of a row may be named apart from it, where something stands in the way."""
AIR = 0.6
MANY = 16
WIDE = 90.0
"""Within this many pixels a place is looked for closely."""
FARTHER = 9.0
DASH = 0x2013
"""From here on characters can stand under one another; letters and figures cannot."""


class Wish(NamedTuple):
    """Something that wants a name: the words, its box, and the id that the label is of."""

    words: str
    box: Box
    owner: str


class Label(NamedTuple):
    """A name with its place."""

    words: str
    box: Box
    owner: str
    size: float
    upright: bool = False
    leader: tuple[tuple[float, float], tuple[float, float]] | None = None
    bracket: str = ""


class _Place(NamedTuple):
    box: Box
    upright: bool


def _beside(words: str, size: float, box: Box, way: str) -> _Place | None:
    """The place beside a box that a way names, or None where it cannot be written so.

    A way is a side (N, SE …); v: one character under the other; then where along the side, or how much farther off.
    """
    upright = way[0] == "v"
    if upright:
        if len(words) < 2 or not _can_stand(words):  # noqa: PLR2004 - one character is the same either way
            return None
        broad, high = size, size * len(words) * 1.02
        way = way[1:]
    else:
        broad, high = breadth(words, size), size * LINE
    gap = NEAR
    if way[-1].isdigit():
        gap += FARTHER * int(way[-1])
        way = way[:-1]
    left, top, right, bottom = box
    across, down = _ALONG.get(way, (0.5, 0.5))
    x = left + (right - left - broad) * across
    y = top + (bottom - top - high) * down
    if "E" in way:
        x = right + gap
    elif "W" in way:
        x = left - gap - broad
    if "N" in way:
        y = top - gap - high
    elif "S" in way:
        y = bottom + gap
    if len(way) == 2 and way.isupper():  # noqa: PLR2004 - a corner comes a little nearer
        x += -4 if "E" in way else 4
        y += 4 if "N" in way else -4
    return _Place(Box(x, y, x + broad, y + high), upright)


def _can_stand(words: str) -> bool:
    return all(ord(char) >= DASH for char in words)


_ALONG = {
    "Eu": (0.5, 0.0), "Wu": (0.5, 0.0), "Ed": (0.5, 1.0), "Wd": (0.5, 1.0), "Nl": (1.0, 0.5), "Sl": (1.0, 0.5),
    "Nr": (0.0, 0.5), "Sr": (0.0, 0.5),
}  # fmt: skip
ALONE = (
    "E", "W", "N", "S", "Eu", "Wu", "Ed", "Wd", "NE", "SE", "NW", "SW", "Nr", "Nl", "Sr", "Sl", "vE", "vW", "vN", "vS",
    "vEd", "vWd", "vEu", "vWu", "E1", "W1", "N1", "S1", "E2", "W2", "N2", "S2",
)  # fmt: skip
ACROSS = (
    "N", "S", "vN", "vS", "vE", "vW", "vEd", "vWd", "vEu", "vWu", "E", "W", "NE", "SE", "NW", "SW", "N1", "S1", "vN1",
    "vS1", "N2", "S2", "vN2", "vS2",
)  # fmt: skip
DOWN = ("E", "W", "Eu", "Wu", "Ed", "Wd", "NE", "SE", "NW", "SW", "N", "S", "E1", "W1", "E2", "W2")


class Labels:
    """Places names, one row after another, into what is left of the space."""

    def __init__(self, space: Space, view: View, margin: float) -> None:
        """``margin``: how far beyond the ground names may stand, in pixels."""
        self.space = space
        self.view = view
        self.left = view.left - margin
        self.right = view.right + margin
        self.placed: list[Label] = []
        self.later: list[Wish] = []

    def rows(self, rows: Iterable[tuple[list[Wish], str]], size: float) -> None:
        """Name the members of rows; with each row comes the one name that it may be given together."""
        left = [
            (wishes, together)
            for wishes, together in sorted(rows, key=lambda row: -len(row[0]))
            if len(wishes) > LONGEST or not self._alike(wishes, size, FEW_LEFT if len(wishes) > 1 else 0)
        ]
        rest = [(wishes, together) for wishes, together in left if len(wishes) > FEW or not self._each(wishes, size)]
        for wish in self.later:
            if not self._each([wish], size):
                self._led(wish, size)
        self.later.clear()
        for wishes, together in rest:
            if len(wishes) == 1:
                self._led(wishes[0], size)
            else:
                self.ranged(wishes, together, size)

    def beside(self, words: str, size: float, box: Box, way: str) -> Box:
        """The box of a name on one side of a thing."""
        place = _beside(words, size, box, way)
        return place.box if place is not None else box

    def put(self, words: str, box: Box, size: float, owner: str) -> None:
        """Write a name where there is room for it already."""
        self._put(Label(words, box, owner, size))

    def one(self, wish: Wish, size: float, *, must: bool, strict: bool = False) -> bool:
        """Name one thing; what need not be named is left without where there is no room beside it."""
        if self._alike([wish], size, 0, quiet=strict):
            return True
        return must and self._led(wish, size)

    def free_spot(self, words: str, spots: Iterable[tuple[float, float]], size: float, owner: str) -> bool:
        """Write the name of a part of the building at the first spot that is free."""
        broad, high = breadth(words, size), size * LINE
        for x, y in spots:
            box = Box(x - broad / 2, y - high / 2, x + broad / 2, y + high / 2)
            if self._fits(box, y, strict=True):
                self._put(Label(words, box, owner, size))
                return True
        return False

    def inside(self, words: str, box: Box, size: float, owner: str) -> bool:
        """Write on a mat, if there is room on it."""
        x, y = box.middle
        for upright in (False, True):
            if upright and not _can_stand(words):
                continue
            long, thick = breadth(words, size), size * LINE
            broad, high = (size, size * len(words) * 1.02) if upright else (long, thick)
            if broad > box.right - box.left - 4 or high > box.bottom - box.top - 2:
                continue
            place = Box(x - broad / 2, y - high / 2, x + broad / 2, y + high / 2)
            if self.space.free(place):
                self._put(Label(words, place, owner, size, upright))
                return True
        return False

    # ── ways of placing ──

    def _alike(self, wishes: list[Wish], size: float, leave: int, *, quiet: bool = False) -> bool:
        """All members on the same side, in each of the ways in turn; at most ``leave`` may be named apart.

        ``quiet``: only close by, and where nothing at all is met.
        """
        order: tuple[str, ...] = ALONE
        if len(wishes) > 1:
            whole = around(wish.box for wish in wishes)
            order = ACROSS if whole.right - whole.left >= whole.bottom - whole.top else DOWN
        for lost in range(min(leave, (len(wishes) - 1) // 2) + 1):
            for strict in (True,) if quiet else (True, False):
                for way in order:
                    if quiet and way[-1].isdigit():
                        continue
                    fitting = self._fitting(wishes, size, way, lost, strict=strict)
                    if fitting is None:
                        continue
                    for wish, place in fitting:
                        self._put(Label(wish.words, place.box, wish.owner, size, place.upright))
                    named = {wish.owner for wish, _ in fitting}
                    self.later += [wish for wish in wishes if wish.owner not in named]
                    return True
        return False

    def _fitting(
        self, wishes: list[Wish], size: float, way: str, lost: int, *, strict: bool
    ) -> list[tuple[Wish, _Place]] | None:
        """Which members find room there, or None when more than ``lost`` do not."""
        found: list[tuple[Wish, _Place]] = []
        for wish in wishes:
            place = _beside(wish.words, size, wish.box, way)
            if (
                place is not None
                and self._fits(place.box, wish.box.middle[1], strict=strict)
                and not (found and found[-1][1].box.grown(AIR).meets(place.box))
                and (not way[-1].isdigit() or self._sees(wish.box, place.box))
            ):
                found.append((wish, place))
            elif lost == 0:
                return None
            else:
                lost -= 1
        return found

    def _each(self, wishes: list[Wish], size: float) -> bool:
        """Every member beside himself, each where he finds room; all or none."""
        chosen: list[tuple[Wish, _Place]] = []
        for wish in wishes:
            place = next(
                (
                    place
                    for place in (_beside(wish.words, size, wish.box, way) for way in ALONE)
                    if place is not None
                    and self._fits(place.box, wish.box.middle[1], strict=False)
                    and not any(other.box.grown(AIR).meets(place.box) for _, other in chosen)
                    and self._sees(wish.box, place.box)
                ),
                None,
            )
            if place is None:
                return False
            chosen.append((wish, place))
        for wish, place in chosen:
            self._put(Label(wish.words, place.box, wish.owner, size, place.upright))
        return True

    def ranged(self, wishes: list[Wish], together: str, size: float) -> None:
        """One name for the row, beside a bracket along it."""
        whole = around(wish.box for wish in wishes)
        wide = whole.right - whole.left >= whole.bottom - whole.top
        owner = " ".join(wish.owner for wish in wishes)
        sides = ("S", "N") if wide else ("E", "W")
        tries = [(strict, forced) for forced in (False, True) for strict in (True, False)]
        for strict, forced in tries:
            for side in sides:
                line, path, foot = _bracket(whole, side)
                if not self._fits(line, whole.middle[1], strict=False):
                    continue
                for place in _along(together, size, line, side):
                    if self._fits(place.box, whole.middle[1], strict=strict):
                        self._put(Label(together, place.box, owner, size, place.upright, bracket=path))
                        self.space.take(line)
                        return
                wish = Wish(together, Box(*foot, *foot), owner)
                if self._led(wish, size, bracket=path, own=(line,), strict=strict, forced=forced):
                    self.space.take(line)
                    return
        self._led(Wish(together, whole, owner), size, own=tuple(wish.box for wish in wishes))

    def _led(
        self, wish: Wish, size: float, *, bracket: str = "", own: tuple[Box, ...] = (), strict: bool = False,
        forced: bool = True,
    ) -> bool:  # fmt: skip
        """Away from the figure, with a line that leads to it; the nearest place whose line crosses nothing.

        ``forced``: if there is none, the nearest place, whatever the line crosses.
        """
        mine = own or (wish.box,)
        rings = RINGS[:5] if bracket and not forced else RINGS
        free = [box for box in _rings(wish, size, rings) if self._fits(box, wish.box.middle[1], strict=strict)]
        for box in free:
            end, start = _nearest(box, wish.box.middle), _nearest(wish.box, box.middle)
            if self.space.clear(start, end, mine):
                break
        else:
            if not (forced and free):
                return False
            box = free[0]
            end, start = _nearest(box, wish.box.middle), _nearest(wish.box, box.middle)
        self._put(Label(wish.words, box, wish.owner, size, leader=(start, end), bracket=bracket))
        for bead in beads(start, end):
            self.space.take(bead)
        return True

    def _fits(self, box: Box, near: float, *, strict: bool) -> bool:
        band = self.view.band_of(near)
        if box.left < self.left or box.right > self.right or box.top < band.top + 1 or box.bottom > band.bottom - 1:
            return False
        return self.space.free(box.grown(AIR), strict=strict)

    def _sees(self, own: Box, box: Box) -> bool:
        """Whether nothing stands between a figure and its name."""
        return self.space.clear(_nearest(own, box.middle), _nearest(box, own.middle), (own,))

    def _put(self, label: Label) -> None:
        self.space.take(label.box.grown(AIR))
        self.placed.append(label)


def _rings(wish: Wish, size: float, rings: tuple[float, ...]) -> Iterator[Box]:
    broad, high = breadth(wish.words, size), size * LINE
    x, y = wish.box.middle
    half = max(wish.box.right - wish.box.left, wish.box.bottom - wish.box.top) / 2
    for ring in rings:
        for turn in range(TURNS):
            angle = 2 * pi * turn / TURNS
            u, v = cos(angle), sin(angle)
            a = x + u * (half + ring) + (u - 1) * broad / 2
            b = y + v * (half + ring) + (v - 1) * high / 2
            yield Box(a, b, a + broad, b + high)


def _along(words: str, size: float, line: Box, side: str) -> Iterator[_Place]:
    """Beside a bracket, first at its middle, then further along it."""
    for share in (0.5, 0.25, 0.75, 0.0, 1.0):
        x, y = line.left + share * (line.right - line.left), line.top + share * (line.bottom - line.top)
        spot = Box(x, line.top, x, line.bottom) if side in "NS" else Box(line.left, y, line.right, y)
        for way in (side, f"v{side}", f"{side}1", f"{side}2"):
            place = _beside(words, size, spot, way)
            if place is not None:
                yield place


def _bracket(box: Box, side: str) -> tuple[Box, str, tuple[float, float]]:
    """A bracket on one side of a box: the box of its line, its path, and where a leader begins."""
    off, tick = 3.5, 2.5
    left, top, right, bottom = box
    if side in "NS":
        y = top - off if side == "N" else bottom + off
        back = tick if side == "N" else -tick
        path = f"M{left + 2:.1f} {y + back:.1f} V{y:.1f} H{right - 2:.1f} V{y + back:.1f}"
        return Box(left + 2, y - 0.8, right - 2, y + 0.8), path, ((left + right) / 2, y)
    x = right + off if side == "E" else left - off
    back = -tick if side == "E" else tick
    path = f"M{x + back:.1f} {top + 2:.1f} H{x:.1f} V{bottom - 2:.1f} H{x + back:.1f}"
    return Box(x - 0.8, top + 2, x + 0.8, bottom - 2), path, (x, (top + bottom) / 2)


def _nearest(box: Box, point: tuple[float, float]) -> tuple[float, float]:
    return min(max(point[0], box.left), box.right), min(max(point[1], box.top), box.bottom)


def settle(
    space: Space, view: View, box: Box, degrees: float, near: float, *, step: float = 3.0, most: float = 420.0,
    middle: tuple[float, float] | None = None,
) -> tuple[float, float] | None:  # fmt: skip
    """How far a box must be moved so that it meets nothing, the nearest way first; to the side of him who faces so.

    ``middle``: the point that may not be moved through a wall, else the middle of the box. None: there is no room.
    """
    first = space.met(box)
    if first is None:
        return 0.0, 0.0
    band = view.band_of(near)
    left, top, right, bottom = box
    up, down = band.top - top, band.bottom - bottom
    west, east = view.left - left, view.right - right
    origin = middle or box.middle
    a, b, c, d = first
    for x, y in _ways(degrees, step, most):
        # What stood in the way a moment ago mostly does so still.
        if left + x < c and a < right + x and top + y < d and b < bottom + y:
            continue
        if not (up <= y <= down and west <= x <= east):
            continue
        met = space.met(Box(left + x, top + y, right + x, bottom + y))
        if met is not None:
            a, b, c, d = met
        elif not space.walled(origin, (origin[0] + x, origin[1] + y)):
            return x, y
    return None


@lru_cache(maxsize=256)
def _ways(degrees: float, step: float, most: float) -> tuple[tuple[float, float], ...]:
    """Ever wider rings, on each right, left, then what lies between, before and behind."""
    start = degrees * pi / 180.0
    found: list[tuple[float, float]] = []
    ring = step
    while ring <= most:
        count = min(MANY, max(8, 4 * int(pi * ring / step / 4))) if ring < WIDE else 3 * MANY
        for turn in range(count):
            angle = start - (turn // 2) * 2 * pi / count + (pi if turn % 2 else 0.0)
            found.append((ring * cos(angle), ring * sin(angle)))
        ring += step if ring < WIDE else 2 * step
    return tuple(found)
