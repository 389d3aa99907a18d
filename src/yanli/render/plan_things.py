"""Things as seen from above: what is set up to scale, what merely lies there as a mark that can be told.

Comes in: stacks of things. Goes out: for each a size and its SVG round (0, 0), and the words of its label.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from yanli.render.moulds import ARROW, CUP, FLAG, MAT, STICK, TARGET, quarters, way_of
from yanli.render.plan_scene import front_of, head_of
from yanli.render.plan_space import SCALE
from yanli.render.plan_text import counted, num, plural

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from yanli.render.plan_scene import Stack
    from yanli.render.plan_text import Names
    from yanli.venue import Layout

STROKES = 8
"""Of more arrows than these only so many are drawn, and the number written."""
TEN = 10
JAR = "壺"


class Mark(NamedTuple):
    """A thing ready to be put on the sheet: its breadth and depth in pixels, and its shapes round (0, 0)."""

    broad: float
    deep: float
    shapes: str


def mark_of(stack: Stack, layout: Layout, mats: Iterable[Stack]) -> Mark:
    """The mark for a stack."""
    mould = stack.mould
    if mould.name == MAT:
        return _mat(stack, layout, mats)
    if mould.name == TARGET:
        return _target(stack, layout)
    draw = _DRAWN.get(mould.look)
    if draw is None:
        letter = f'<text y="3" font-size="8" class="tiny">{stack.kind[0]}</text>'
        return Mark(11, 11, f'<rect x="-5.5" y="-5.5" width="11" height="11" class="load"/>{letter}')
    mark = draw(stack)
    turns = quarters(mould, way_of(layout, stack.things[0])) if mould.set_up else 0
    if not turns:
        return mark
    broad, deep = (mark.deep, mark.broad) if turns % 2 else (mark.broad, mark.deep)
    return Mark(broad, deep, f'<g transform="rotate({90 * turns})">{mark.shapes}</g>')


def is_marked(stack: Stack) -> bool:
    """Whether a stack has a mark of its own; else its first character is written."""
    return stack.mould.look in _DRAWN or stack.form in {MAT, TARGET}


def words_of(stack: Stack, names: Names) -> str:
    """What is written beside a stack; "" where the mark says enough by itself."""
    number = len(stack.things)
    if stack.form == STICK:
        side = stack.where if stack.counted else f"{stack.where}{stack.kind}"
        return counted(names.thing(stack.kind), number, english=True) if names.english else f"{side}{number}"
    if len(stack.kind) == 1 and not is_marked(stack) and not names.english:
        return ""  # the mark is the word
    words = names.thing(stack.mould.called or stack.kind)
    if number > 1:
        words = f"{number} {plural(words)}" if names.english else f"{words}{number}"
    for kind in (ARROW, STICK):
        count = len(stack.holding(kind))
        if count:
            words += f", {counted(names.thing(kind), count, english=True)}" if names.english else f"　{kind}{count}"
    return words


def _rect(broad: float, deep: float, kind: str) -> str:
    place = f'x="{num(-broad / 2)}" y="{num(-deep / 2)}" width="{num(broad)}" height="{num(deep)}"'
    return f'<rect {place} class="{kind}"/>'


def _mat(stack: Stack, layout: Layout, mats: Iterable[Stack]) -> Mark:
    thing = stack.things[0]
    facing = thing.facing if thing.facing is not None else stack.things[0].spot.facing or 180.0
    long = layout.building.measures.get("席長", 6.0)
    near = [abs(other.x - stack.x) + abs(other.y - stack.y) for other in mats if other is not stack]
    long = max(1.6, min([long, *(far - 0.25 for far in near if far > 0.5)]))  # noqa: PLR2004 - two on one spot are one
    deep = layout.building.measures.get("席廣", 10 / 3)
    x, y = front_of(facing)
    broad, high = (deep, long) if x else (long, deep)
    w, h = broad * SCALE, high * SCALE
    shapes = _rect(w, h, "mat")
    layers = max(thing.layers, len(stack.things))
    shapes += "".join(_rect(w - 5 * at, h - 5 * at, "hem") for at in range(1, min(layers, 3) + 1))
    u, v = 4 * (x + y), 4 * (y - x)
    tip = f"M{num(x * w / 2 - y * 4)} {num(y * h / 2 + x * 4)} l{u} {v} l{v} {-u}Z"
    shapes += f'<path d="{tip}" class="way"/>'
    head = head_of(layout, stack.where, facing)
    if head is not None:
        u, v = head
        at, across, off, down = u * (w / 2 - 3), v * h * 0.3, v * (h / 2 - 3), u * h * 0.3
        end = f"M{num(at - across)} {num(off - down)} L{num(at + across)} {num(off + down)}"
        shapes += f'<path d="{end}" class="matend"/>'
    return Mark(w, h, shapes)


def _target(stack: Stack, layout: Layout) -> Mark:
    size = layout.size(stack.kind)
    whole = (size[0] if size else 40.0) * SCALE
    middle = whole / 4
    shapes = _rect(whole, 5, "cloth") + _rect(middle, 5, "drum")
    shapes += f'<circle cx="{num(-whole / 2)}" r="3" class="post"/><circle cx="{num(whole / 2)}" r="3" class="post"/>'
    shapes += arrows_in(stack, middle, -11.0)
    if stack.holding(FLAG):
        shapes += f'<g transform="translate({num(middle / 2 + 10)} -9)">{_FLAG}</g>'
    return Mark(whole + 6, 24 if stack.content else 7, shapes)


def arrows_in(stack: Stack, broad: float, top: float) -> str:
    """The arrows in a stack side by side, their points down."""
    count = min(len(stack.holding(ARROW)), TEN + 2)
    step = min(4.0, broad / max(count, 1))
    left = -step * (count - 1) / 2
    return "".join(f'<path d="M{num(left + at * step)} {num(top)} v13" class="arrow"/>' for at in range(count))


_FLAG = '<path d="M0 9 V-9" class="pole"/><path d="M0 -9 L8 -6 L0 -2Z" class="flag"/>'


def _cups(stack: Stack) -> Mark:
    count = min(len(stack.things), 4)
    left = -4.5 * (count - 1)
    shapes = ""
    for at, thing in enumerate(stack.things[:count]):
        x = num(left + 9 * at)
        shapes += f'<circle cx="{x}" r="3.4" class="cup {"full" if thing.filled else "empty"}"/>'
        if thing.filled:
            shapes += f'<circle cx="{x}" r="1.7" class="wine"/>'
    return Mark(9.0 * count - 1.2, 7.8, shapes)


def _bow(stack: Stack) -> Mark:
    slack = stack.things[0].states.get("狀", "張") == "弛"
    path = "M-11 0 Q0 2.5 11 0" if slack else "M-11 3 Q0 -8 11 3 M-11 3 H11"
    return Mark(24, 9, f'<path d="{path}" class="bow"/>')


def _arrows(stack: Stack) -> Mark:
    count = min(len(stack.things), STROKES)
    left = -1.5 * (count - 1)
    shapes = "".join(
        f'<path d="M{num(left + 3 * at)} 9 V-9 m-1.2 2.6 l1.2 -2.8 l1.2 2.8" class="arrow"/>' for at in range(count)
    )
    return Mark(3.0 * count + 2, 20, shapes)


def _sticks(stack: Stack) -> Mark:
    count = min(len(stack.things), 8 * TEN)
    line = TEN if count <= 4 * TEN else 2 * TEN
    lines = ceil(count / line)
    broad, deep = 2.6 * min(count, line), 7.0 * lines
    strokes = "".join(
        f"M{num(1.3 + 2.6 * (at % line) - broad / 2)} {num(1 + 7.0 * (at // line) - deep / 2)}v5" for at in range(count)
    )
    return Mark(broad + 2, deep + 1, f'<path d="{strokes}" class="stick"/>')


def _plain(shapes: str, broad: float, deep: float) -> Callable[[Stack], Mark]:
    def draw(_: Stack) -> Mark:
        return Mark(broad, deep, shapes)

    return draw


def _basket(stack: Stack) -> Mark:
    broad, deep = _ground(stack)
    shapes = _rect(broad, deep, "basket")
    cups = stack.holding(CUP)
    step = 6.2
    for at, thing in enumerate(cups[:4]):
        off = step * (at - (min(len(cups), 4) - 1) / 2)
        x, y = (off, 0.0) if broad > deep else (0.0, off)
        shapes += f'<circle cx="{num(x)}" cy="{num(y)}" r="2.6" class="cup {"full" if thing.filled else "empty"}"/>'
    return Mark(broad, deep, shapes)


def _stand(stack: Stack) -> Mark:
    broad, deep = _ground(stack)
    return Mark(broad, deep, _rect(broad, deep, "stand") + _jars_of(len(stack.holding(JAR))))


def _jars(stack: Stack) -> Mark:
    """Jars on the floor itself."""
    count = min(len(stack.things), TEN)
    return Mark(16.0 * count - 2.0, 14.0, _jars_of(count))


def _jars_of(count: int) -> str:
    shapes = ""
    for at in range(count):
        x = num((at - (count - 1) / 2) * 16)
        shapes += f'<circle cx="{x}" r="6.5" class="jar"/><circle cx="{x}" r="2.6" class="mouth"/>'
    return shapes


def _cupstand(stack: Stack) -> Mark:
    shapes = '<circle r="6" class="stand"/><circle r="4.4" class="thin"/>'
    for thing in stack.holding(CUP)[:1]:
        shapes += f'<circle r="3" class="cup {"full" if thing.filled else "empty"}"/>'
        if thing.filled:
            shapes += '<circle r="1.5" class="wine"/>'
    return Mark(12, 12, shapes)


def _arrowstand(stack: Stack) -> Mark:
    broad, _ = _ground(stack)
    shapes = _rect(broad, 5, "wood")
    shapes += "".join(f'<circle cx="{num(side * broad / 2)}" r="2.6" class="wood"/>' for side in (-1, 1))
    count = min(len(stack.holding(ARROW)), TEN + 2)
    step = min(3.0, (broad - 4) / max(count, 1))
    shapes += "".join(f'<path d="M{num((at - (count - 1) / 2) * step)} 11 V-11" class="arrow"/>' for at in range(count))
    return Mark(broad + 6, 24 if count else 8, shapes)


def _holder(stack: Stack) -> Mark:
    shapes = '<ellipse rx="10" ry="5.6" class="beast"/><circle cx="11" r="3.4" class="beast"/>'
    shapes += '<path d="M12.5 -3 l3 -3 M12.5 3 l3 3" class="thin"/>'
    count = min(len(stack.holding(STICK)), STROKES)
    shapes += "".join(f'<path d="M{num((at - (count - 1) / 2) * 2)} -3 v6" class="stick"/>' for at in range(count))
    return Mark(32, 14, shapes)


def _chimes(stack: Stack) -> Mark:
    broad, deep = _ground(stack)
    shapes = f'<path d="M{num(-broad / 2)} 0 H{num(broad / 2)}" class="beam"/>'
    stones = range(int(-broad / 2) + 6, int(broad / 2), 8)
    shapes += "".join(f'<path d="M{x} -6 l2.5 6 l-2.5 6" class="thin"/>' for x in stones)
    return Mark(broad, deep, shapes)


def _bells(stack: Stack) -> Mark:
    """Bells under their beam, their mouths seen from above."""
    broad, deep = _ground(stack)
    shapes = f'<path d="M{num(-broad / 2)} 0 H{num(broad / 2)}" class="beam"/>'
    bells = range(int(-broad / 2) + 6, int(broad / 2), 9)
    shapes += "".join(f'<ellipse cx="{x}" rx="3.2" ry="5" class="stand"/>' for x in bells)
    return Mark(broad, deep, shapes)


def _bell(stack: Stack) -> Mark:
    """One great bell under its beam."""
    broad, deep = _ground(stack)
    shapes = f'<path d="M{num(-broad / 2)} 0 H{num(broad / 2)}" class="beam"/>'
    return Mark(broad, deep, f'{shapes}<ellipse rx="8" ry="6" class="stand"/>')


def _ground(stack: Stack) -> tuple[float, float]:
    """Breadth and depth in pixels of what is set up, as its mould has it."""
    broad, deep = stack.mould.ground or (1.5, 1.5)
    return broad * SCALE, deep * SCALE


_WAVES = '<path d="M-4 -1.5 q2 -2 4 0 t4 0 M-4 2.5 q2 -2 4 0 t4 0" class="wave"/>'
_BASIN = '<circle r="7" class="stand"/>'
_PLAIN = {
    "扑": ('<path d="M-12 2 L12 -2" class="switch"/>', 26, 7),
    "旌": (_FLAG, 18, 20),
    "脯醢": ('<circle cx="-2.3" r="2.1" class="dish"/><rect x="0.5" y="-2" width="4" height="4" class="dish"/>', 9, 5),
    "羞": ('<path d="M-3.6 3 L0 -3.6 L3.6 3Z" class="dish"/>', 8, 8),
    "俎": (_rect(12, 6, "wood") + '<path d="M-3.5 -3 V3 M3.5 -3 V3" class="thin"/>', 13, 7),
    "洗": (f'{_BASIN}<circle r="4.6" class="water"/>', 15, 15),
    "水": (_rect(13, 13, "stand") + _WAVES, 14, 14),
    "建鼓": (
        '<circle r="8" class="stand"/><circle r="5.6" class="drumskin"/><circle r="1.4" class="post"/>', 17, 17,
    ),
    "乏": ('<path d="M13 -13 H-9 Q-15 0 -9 13 H13" class="screen"/>', 30, 28),
    "鼙": ('<circle r="5.4" class="stand"/><circle r="3.4" class="drumskin"/>', 11, 11),
    "鼗": ('<path d="M0 9 V0" class="pole"/><circle cy="-3" r="4.2" class="drumskin"/>', 9, 17),
    "簜": ('<path d="M-3 8 V-8 M0 8 V-8 M3 8 V-8" class="pole"/>', 9, 17),
    "燭": ('<path d="M0 8 V-3" class="pole"/><path d="M0 -10 Q5 -4 0 -1 Q-5 -4 0 -10Z" class="flag"/>', 11, 19),
    "豆": ('<circle r="3.4" class="dish"/><circle r="1.4" class="thin"/>', 8, 8),
    "笥": (_rect(15, 9, "basket") + '<path d="M-7.5 0 H7.5" class="thin"/>', 16, 10),
    "巾": (_rect(10, 6, "load"), 11, 7),
    "策": (_rect(11, 14, "wood") + '<path d="M-2.5 -7 V7 M2.5 -7 V7" class="thin"/>', 12, 15),
    "瑟": (_rect(8, 24, "wood") + '<path d="M-1.5 -12 V12 M1.5 -12 V12" class="thin"/>', 9, 25),
    "茅": ('<path d="M-6 3 Q0 -4 6 3 M-6 0 Q0 -6 6 0" class="thin"/>', 14, 9),
}  # fmt: skip
_DRAWN: dict[str, Callable[[Stack], Mark]] = {
    CUP: _cups, "弓": _bow, ARROW: _arrows, STICK: _sticks, "斯禁": _stand, JAR: _jars, "篚": _basket,
    "豐": _cupstand, "楅": _arrowstand, "中": _holder, "磬": _chimes, "鐘": _bells, "鑮": _bell,
    **{kind: _plain(shapes, broad, deep) for kind, (shapes, broad, deep) in _PLAIN.items()},
}  # fmt: skip
