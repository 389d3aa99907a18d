"""What stands round the plan: heading, north arrow, rulers, scale bar, the target seen from the hall, lists, a key.

Comes in: a view and what the scene could not show. Goes out: SVG. Nothing here lies on the ground that is shown.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from yanli.render.moulds import ARROW
from yanli.render.plan_figures import KNEELING, plain_figure
from yanli.render.plan_space import SCALE
from yanli.render.plan_text import breadth, counted, line_of_text, num
from yanli.render.plan_things import arrows_in
from yanli.venue import target

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yanli.render.plan_scene import Stack
    from yanli.render.plan_space import View
    from yanli.render.plan_text import Names
    from yanli.venue import Layout

HEAD = 74.0
"""Height of the heading."""
SIDE = 58.0
"""Breadth of the margin on either side."""
ELEVATION = 6.0
"""Pixels for one 尺 in the view of the target, at most."""
WIDEST = 320.0
"""How broad the view of a target may be."""
NOTE = 13.0
LOOSE = ("不繫", "釋", "說")
"""What is said of a cord that is not tied."""


class Margin(NamedTuple):
    """Shapes and the height that they take."""

    shapes: list[str]
    height: float
    width: float = 0.0


def heading(title: str, view: View) -> list[str]:
    """The title, shortened to the breadth there is, and the arrow to the north."""
    room, size = view.right - view.left - 90.0, 22.0
    words = title
    while words and breadth(words + "…", size) > room:
        words = words[:-1]
    shown = title if words == title else words + "…"
    x, y = view.right - 16.0, 14.0
    needle = f'<path d="M{num(x)} {num(y)} l8 30 l-8 -7 l-8 7Z" class="ink"/>'
    arrow = f'<g class="north">{needle}<text x="{num(x - 30)}" y="{num(y + 21)}" font-size="17">北</text></g>'
    return [line_of_text(shown, view.left, 14.0, size, "title"), arrow]


def rulers(view: View, metre: float, *, metres: bool) -> list[str]:
    """Ticks along the north and west edge, from the middle of the hall's edge; in 尺, or in metres."""
    step = 5.0 / metre if metres else 10.0
    unit = 5 if metres else 10
    shapes: list[str] = []
    first, last = int(view.west / step), int(view.east / step)
    for at in range(first, last + 1):
        x = view.x(at * step)
        major = at % 2 == 0
        shapes.append(f'<path d="M{num(x)} {num(view.top - 4)} v{-6 if major else -3}" class="tick"/>')
        if major:
            words = str(abs(at) * unit)
            shapes.append(_figure(words, x - breadth(words, 10) / 2, view.top - 13))
    for band in view.bands:
        for at in range(int(band.south // step) + 1, int(band.north // step) + 1):
            y = band.top + (band.north - at * step) * SCALE
            major = at % 2 == 0
            x = view.left - 4
            shapes.append(f'<path d="M{num(x)} {num(y)} h{-6 if major else -3}" class="tick"/>')
            if (major or band.north - band.south < 3 * step) and band.top + 6 < y < band.bottom - 6:
                words = str(abs(at) * unit)
                shapes.append(_figure(words, x - 9 - breadth(words, 10), y + 3.5))
    shapes.append(_figure("m" if metres else "尺", view.left - 20, view.top - 13))
    return shapes


def _figure(words: str, x: float, y: float, size: float = 10.0) -> str:
    return f'<text x="{num(x)}" y="{num(y)}" font-size="{num(size)}" class="scale">{words}</text>'


def breaks(view: View, metre: float, *, metres: bool, english: bool) -> list[str]:
    """The strips where ground is left out, torn on both sides, each saying how much."""
    shapes: list[str] = []
    for box, chi in view.strips:
        teeth = ""
        x, up = box.left, True
        while x < box.right:
            teeth += f" L{num(min(x + 12, box.right))} {num(box.top + (3 if up else 9))}"
            x, up = x + 12, not up
        lower = ""
        x, up = box.right, False
        while x > box.left:
            lower += f" L{num(max(x - 12, box.left))} {num(box.bottom - (3 if up else 9))}"
            x, up = x - 12, not up
        path = f"M{num(box.left)} {num(box.top + 6)}{teeth} L{num(box.right)} {num(box.bottom - 6)}{lower}Z"
        shapes.append(f'<path d="{path}" class="torn"/>')
        chis, ms = f"{chi:.0f}", f"{chi * metre:.1f}"
        if english:
            words = f"{ms} m left out" if metres else f"{chis} chi ({ms} m) left out"
        else:
            words = f"此處略去 {ms} 米" if metres else f"此處略去 {chis} 尺（{ms} 米）"
        x = (box.left + box.right) / 2 - breadth(words, 11) / 2
        shapes.append(line_of_text(words, x, (box.top + box.bottom) / 2 - 6.4, 11.0, "torn-words"))
    return shapes


def scale_bar(left: float, top: float, metre: float) -> Margin:
    """Two bars: 尺 above, metres below."""
    shapes: list[str] = []
    for y, step, unit in ((top + 18, 5.0, 5), (top + 50, 1.0 / metre, 1)):
        for at in range(4 if unit == 5 else 5):  # noqa: PLR2004 - 20 尺, 5 m
            x = left + at * step * SCALE
            kind = "dark" if at % 2 == 0 else "light"
            place = f'x="{num(x)}" y="{num(y)}" width="{num(step * SCALE)}" height="7"'
            shapes.append(f'<rect {place} class="bar {kind}"/>')
        count = 4 if unit == 5 else 5  # noqa: PLR2004
        for at in (0, count):
            words = f"{at * unit} {'尺' if unit == 5 else 'm'}" if at else "0"  # noqa: PLR2004
            x = left + at * step * SCALE
            shapes.append(_figure(words, x - (0 if at == 0 else 8), y - 4, 11.0))
    return Margin(shapes, 64.0)


def key(left: float, top: float, *, english: bool) -> Margin:
    """How the three parties, kneeling and a bared arm are drawn."""
    words = (
        ("host's people", "guests' people", "others", "kneeling", "bared arm")
        if english
        else ("主黨", "賓黨", "其餘", "坐（跪）", "袒")
    )
    signs = (("host", ""), ("guest", ""), ("other", ""), ("guest", KNEELING), ("guest", "袒"))
    shapes: list[str] = []
    x = left
    for word, (kind, sign) in zip(words, signs, strict=True):
        body = plain_figure(kind, kneeling=sign == KNEELING, bared=sign == "袒")
        shapes.append(f'<g class="key {kind}" transform="translate({num(x + 10)} {num(top + 14)})">{body}</g>')
        shapes.append(line_of_text(word, x + 24, top + 8, 11.0, "note"))
        x += 34 + breadth(word, 11.0)
    return Margin(shapes, 30.0, x - left)


def elevation(stack: Stack, layout: Layout, left: float, top: float, names: Names, unit: float) -> Margin:
    """The target as those in the hall see it: its parts, its ties, and what is in it. East is on the left.

    Its measures follow from its own range; ``unit``: pixels for one 尺.
    """
    measures = target.target_measures(range_of(stack, layout))
    sizes = {part: float(target.chi(measures, part)) for part in ("上个", "躬", "侯中", "下个", "幅", "下綱去地", "鵠")}
    upper, strip = sizes["上个"], sizes["幅"]
    strips = (
        ("上个", upper, strip), ("上躬", sizes["躬"], strip), ("中", sizes["侯中"], sizes["侯中"]),
        ("下躬", sizes["躬"], strip), ("下个", sizes["下个"], strip),
    )  # fmt: skip
    states = {part: state for thing in stack.things for part, state in thing.states.items() if part != "狀"}
    middle, y = left + upper * unit / 2 + 14, top + 20
    head = f"{names.thing(stack.kind)} seen from the hall" if names.english else f"{stack.kind}（自堂視之）"
    shapes = [line_of_text(head, left, top, 12.0, "note strong")]
    bottom = y + sum(one[2] for one in strips) * unit
    loose = any(states.get(part) in LOOSE for part in ("左下綱", "繫", f"{stack.kind}左下綱"))
    shapes += _ropes((middle, upper * unit / 2), y, bottom, loose=loose)
    for name, broad, high in strips:
        shapes += _strip(name, middle, y, (broad * unit, high * unit), stack)
        y += high * unit
    shapes.append(line_of_text("東　右个", left, y + 10, 10.0, "note"))
    shapes.append(line_of_text("左个　西", left + upper * unit + 28 - breadth("左个　西", 10.0), y + 10, 10.0, "note"))
    low = low_of(stack.kind, layout) or sizes["下綱去地"]
    told = [f"lower cord {low:.2f} 尺 up" if names.english else f"下綱去地{low:.2f}尺"]
    told += [f"{part}{state}" for part, state in states.items()]
    arrows = len(stack.holding(ARROW))
    if arrows:
        told.append(counted(names.thing(ARROW), arrows, english=names.english))
    words = "　".join(told)
    shapes.append(line_of_text(words, middle - breadth(words, 10.0) / 2, y + 26, 10.0, "note"))
    return Margin([f'<g class="elevation">{"".join(shapes)}</g>'], y + 40 - top, upper * unit + 28)


def unit_of(stacks: Sequence[Stack], layout: Layout) -> float:
    """Pixels for one 尺 in the views of several targets, one scale for all."""
    broadest = max((size[0] for stack in stacks if (size := layout.size(stack.kind))), default=1.0)
    return min(ELEVATION, WIDEST / broadest)


def range_of(stack: Stack, layout: Layout) -> Fraction:
    """How far a target stands from the marks, in 尺; where the building has no marks, as the one range that is told."""
    marks = layout.building.measures.get("物深")
    far = round((marks or 0.0) - stack.y, 3)
    return Fraction(str(far)) if marks is not None and far > 0 else target.usual_range()


def low_of(kind: str, layout: Layout) -> float | None:
    """How high the lower cord of a target hangs, in 尺, where the rite's measures say so."""
    return layout.building.measures.get(f"{kind}去地")


def _ropes(across: tuple[float, float], top: float, bottom: float, *, loose: bool) -> list[str]:
    """The two posts, and the cords that tie the cloth to them; ``loose``: the lower left one is not tied."""
    middle, half = across
    shapes: list[str] = []
    for side in (-1, 1):
        post, low = middle + side * (half + 9), middle + side * half * 0.75
        shapes.append(f'<path d="M{num(post)} {num(top - 4)} V{num(bottom + 10)}" class="beam"/>')
        shapes.append(f'<path d="M{num(middle + side * half)} {num(top + 2)} L{num(post)} {num(top)}" class="rope"/>')
        way = "q6 8 2 12" if loose and side > 0 else f"L{num(post)} {num(bottom + 4)}"
        shapes.append(f'<path d="M{num(low)} {num(bottom - 3)} {way}" class="rope"/>')
    return shapes


def _strip(name: str, middle: float, top: float, size: tuple[float, float], stack: Stack) -> list[str]:
    """One strip of the cloth with its name; in the middle one the arrows."""
    broad, high = size
    place = f'x="{num(middle - broad / 2)}" y="{num(top)}" width="{num(broad)}" height="{num(high)}"'
    shapes = [f'<rect {place} class="cloth{" drum" if name == "中" else ""}"/>']
    letter = min(10.0, high - 2)
    if name != "中":
        at = middle - breadth(name, letter) / 2
        return [*shapes, line_of_text(name, at, top + (high - letter * 1.1) / 2, letter, "note")]
    shot = arrows_in(stack, broad - 8, top + 8)
    shapes.append(f'<g transform="translate({num(middle)} 0)" class="shot">{shot}</g>')
    return [*shapes, line_of_text("中", middle - letter / 2, top + high - letter - 6, letter, "drum-words")]


def listing(lines: Sequence[str], left: float, top: float, room: float) -> Margin:
    """Lines of text, broken where the room ends."""
    shapes: list[str] = []
    y = top
    for line in lines:
        for piece in _wrapped(line, room):
            shapes.append(line_of_text(piece, left, y, NOTE, "list"))
            y += NOTE * 1.45
    return Margin(shapes, y - top)


def _wrapped(line: str, room: float) -> list[str]:
    found: list[str] = []
    rest = line
    while rest:
        end = len(rest)
        while end > 1 and breadth(rest[:end], NOTE) > room:
            end -= 1
        if end < len(rest) and rest[end - 1].isascii():
            space = rest.rfind(" ", 0, end)
            end = space + 1 if space > 0 else end
        found.append(rest[:end].rstrip())
        rest = rest[end:]
    return found
