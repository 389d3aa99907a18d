"""A sheet to scale: shapes in 尺 on a drawing of so many pixels the 尺, and dimension lines with what they measure.

Comes in: shapes and measures. Goes out: SVG that asks for nothing from outside. Every label has a box of its own
(``data-box``). Nothing here knows what a target is.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Literal, NamedTuple
from xml.sax.saxutils import escape

from yanli.render.plan_space import Box
from yanli.render.plan_style import STYLE
from yanli.render.plan_text import LINE, attrs, box_words, breadth, num
from yanli.venue.exact import plain, words_of

if TYPE_CHECKING:
    from collections.abc import Sequence

SIZE = 12.0
"""Height of the letters at dimension lines."""
TICK = 4.0
FINEST = 60
"""A fraction of a 尺 with a larger denominator is told in hundredths."""
OWN = """
.sheet .cloth{fill:#fbf6e8;stroke:#1d1a16;stroke-width:1.1}.sheet .ground{stroke:#3b3026;stroke-width:2}
.sheet .dimension{stroke:#54483a;stroke-width:.8;fill:none}
.sheet .reach{stroke:#b9a888;stroke-width:.6;stroke-dasharray:3 3;fill:none}
.sheet .tie{stroke:#6e4a1f;stroke-width:.8;fill:none}.sheet .rope{stroke-width:1.6}
.sheet .outline{fill:none;stroke:#8e2a20;stroke-width:1;stroke-dasharray:5 3}.sheet .label{fill:#1d1a16}
"""
Anchor = Literal["start", "middle", "end"]


class Measures(NamedTuple):
    """How a length is told on the sheet: in which language, how long the 尺 is, and which measure comes first."""

    metres: Fraction
    english: bool
    modern: bool

    def chi(self, length: Fraction) -> str:
        """In 尺: as the notes write it, or in figures."""
        if not self.english:
            return words_of(length)
        return f"{plain(length) if length.denominator <= FINEST else f'{float(length):.2f}'} chi"

    def modern_words(self, length: Fraction) -> str:
        """In metres."""
        return f"{float(length * self.metres):.2f} {'m' if self.english else '米'}"

    def told(self, name: str, length: Fraction) -> tuple[str, str]:
        """A name with its measure, and below it the same in the other measure."""
        first, second = self.chi(length), self.modern_words(length)
        if self.modern:
            first, second = second, first
        return f"{name} {first}", second

    def line(self, name: str, length: Fraction) -> str:
        """The same on one line."""
        first, second = self.told(name, length)
        return f"{first} ({second})" if self.english else f"{first}（{second}）"


class Sheet:
    """A drawing in elevation: x in 尺 from the middle, y in 尺 above the ground."""

    def __init__(self, scale: float, left: float, ground: float) -> None:
        """``scale``: pixels for one 尺; ``left``: pixels from the left edge to the middle; ``ground``: from the top."""
        self.scale = scale
        self.middle = left
        self.ground = ground
        self.shapes: list[str] = []
        self.words: list[str] = []

    def x(self, chi: Fraction | float) -> float:
        """Across, in pixels."""
        return self.middle + float(chi) * self.scale

    def y(self, chi: Fraction | float) -> float:
        """Down, in pixels."""
        return self.ground - float(chi) * self.scale

    def cloth(
        self, half: Fraction | float, low: Fraction | float, high: Fraction | float, kind: str = "cloth", fill: str = ""
    ) -> None:
        """A rectangle about the middle."""
        place = {
            "x": num(self.x(-half)), "y": num(self.y(high)), "width": num(2 * float(half) * self.scale),
            "height": num(float(high - low) * self.scale), "class": kind, "style": f"fill:{fill}" if fill else None,
        }  # fmt: skip
        self.shapes.append(f"<rect{attrs(place)}/>")

    def path(self, points: Sequence[tuple[float, float]], kind: str) -> None:
        """A line through points in pixels."""
        steps = " L".join(f"{num(x)} {num(y)}" for x, y in points)
        self.shapes.append(f'<path d="M{steps}" class="{kind}"/>')

    def label(self, lines: Sequence[str], x: float, y: float, anchor: Anchor = "middle", size: float = SIZE) -> Box:
        """Lines of words, the first with its upper edge at ``y``."""
        wide = max(breadth(line, size) for line in lines)
        left = x - (0 if anchor == "start" else wide if anchor == "end" else wide / 2)
        box = Box(left, y, left + wide, y + size * LINE * len(lines))
        for at, line in enumerate(lines):
            own = breadth(line, size)
            begin = x - (0 if anchor == "start" else own if anchor == "end" else own / 2)
            upper = y + at * size * LINE
            data = {
                "x": num(x), "y": num(upper + size * 0.95), "class": "label", "font-size": num(size),
                "text-anchor": anchor,
                "data-box": box_words(Box(begin, upper, begin + own, upper + size * LINE)),
            }  # fmt: skip
            self.words.append(f"<text{attrs(data)}>{escape(line)}</text>")
        return box

    def across(
        self, left: float, right: float, at: float, lines: Sequence[str], *, above: bool, anchor: Anchor = "middle"
    ) -> None:
        """A dimension line from left to right (pixels) at a height, with its words above or below it."""
        self.path([(left, at), (right, at)], "dimension")
        for end in (left, right):
            self.path([(end - TICK, at + TICK), (end + TICK, at - TICK)], "dimension")
        x = {"start": left, "middle": (left + right) / 2, "end": right}[anchor]
        self.label(lines, x, at - 4 - SIZE * LINE * len(lines) if above else at + 4, anchor)

    def upright(self, low: float, high: float, at: float, lines: Sequence[str], *, side: Literal["W", "E"]) -> None:
        """A dimension line from a height to a higher one (pixels) with its words on one side."""
        self.path([(at, low), (at, high)], "dimension")
        for end in (low, high):
            self.path([(at - TICK, end + TICK), (at + TICK, end - TICK)], "dimension")
        y = (low + high - SIZE * LINE * len(lines)) / 2
        if side == "W":
            self.label(lines, at - 8, y, "end")
        else:
            self.label(lines, at + 8, y, "start")

    def scale_bars(self, left: float, top: float, metres: Fraction, *, english: bool) -> None:
        """Two bars: ten 尺, and two metres."""
        for y, step, unit in ((top + 16, 2.0, "chi" if english else "尺"), (top + 46, 0.5 / float(metres), "m")):
            for at in range(5 if unit != "m" else 4):
                place = {
                    "x": num(left + at * step * self.scale), "y": num(y), "width": num(step * self.scale), "height": 6,
                    "class": f"bar {'light' if at % 2 else 'dark'}",
                }  # fmt: skip
                self.shapes.append(f"<rect{attrs(place)}/>")
            end = left + (5 if unit != "m" else 4) * step * self.scale
            self.label(["0"], left, y - 15, "start", 11.0)
            self.label([f"{10 if unit != 'm' else 2} {unit}"], end, y - 15, "end", 11.0)

    def svg(self, width: float, height: float, title: str) -> str:
        """The whole sheet; labels lie over shapes."""
        inside = "\n".join((*self.shapes, *self.words))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {num(width)} {num(height)}" width="{num(width)}" '
            f'height="{num(height)}" class="plan sheet"><title>{escape(title)}</title><style>{STYLE}{OWN}</style>\n'
            f'<rect width="100%" height="100%" class="paper"/>\n{inside}\n</svg>\n'
        )
