"""A person as seen from above: which way, how, and with what.

Comes in: an actor. Goes out: how far the figure reaches to each side (in pixels, facing up), and its SVG. Host's people
are dark with square shoulders, guests light and round, all others grey and pointed; who kneels shows his lap; a bared
arm is bare.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape

from yanli.render.moulds import CUP, mould_of
from yanli.render.plan_scene import GUEST, HOST
from yanli.render.plan_text import attrs, box_words, num
from yanli.venue import facing_name

if TYPE_CHECKING:
    from yanli.performance.world import Actor, Thing
    from yanli.render.plan_space import Box

KNEELING = "坐"
BARED = ("袒", "肉袒")
JACKETS = ("朱襦", "纁襦")
FRONT = {"立": 10.0, KNEELING: 13.0}
MOST = 4
"""Of more arrows than these the number is written."""


class Reach(NamedTuple):
    """How far a figure reaches to its own left, right, front and back."""

    left: float
    right: float
    front: float
    back: float

    def times(self, scale: float) -> Reach:
        """The same figure at another size."""
        return Reach(*(value * scale for value in self))


class _Held(NamedTuple):
    """What somebody has, sorted by how it is drawn."""

    bows: tuple[Thing, ...]
    arrows: tuple[Thing, ...]
    belted: tuple[Thing, ...]
    switch: str
    flag: bool
    cups: tuple[Thing, ...]
    other: tuple[Thing, ...]


def _held(actor: Actor) -> _Held:
    hands = (*actor.left, *actor.right)
    shown = {"弓", "矢", "扑", "旌"}
    switch = "belt" if any(thing.kind == "扑" for thing in actor.belt) else ""
    if any(thing.kind == "扑" for thing in hands):
        switch = "hand"
    return _Held(
        tuple(thing for thing in hands if thing.kind == "弓"),
        tuple(thing for thing in hands if thing.kind == "矢"),
        tuple(thing for thing in actor.belt if thing.kind == "矢"),
        switch,
        any(thing.kind == "旌" for thing in hands),
        tuple(thing for thing in hands if mould_of(thing.kind).name == CUP),
        tuple(thing for thing in hands if thing.kind not in shown and mould_of(thing.kind).name != CUP),
    )


def reach_of(actor: Actor) -> Reach:
    """How far a figure reaches, with what it holds."""
    held = _held(actor)
    left = right = 9.0
    front, back = FRONT.get(actor.posture, 10.0), 6.0
    if held.bows:
        left, front, back = 14.0, max(front, 12.5), 10.5
    if held.arrows:
        right = 11.0 + 1.6 * min(len(held.arrows), MOST)
        front = max(front, 13.0)
        if len(held.arrows) > MOST:
            right += 12.0
    if held.belted or held.switch == "belt":
        back, right = 11.0, max(right, 10.0)
    if held.switch == "hand":
        right, front = max(right, 13.0), max(front, 15.0)
    if held.flag:
        right, front = max(right, 18.0), max(front, 16.0)
    if held.cups:
        front += 7.0
        left = right = max(left, 9.0)
    if held.other:
        front += 11.0
    return Reach(left, right, front, back)


def figure(actor: Actor, at: tuple[float, float], box: Box, scale: float, words: str) -> str:
    """One person as an element; ``words`` is what a screen reader says of him."""
    held = _held(actor)
    kind = {HOST: "host", GUEST: "guest"}.get(actor.party, "other")
    shapes = [_lap(kneeling=actor.posture == KNEELING), *_belt(held), _SHOULDERS[kind], *_arm(actor)]
    shapes += [*_hands(held, FRONT.get(actor.posture, 10.0)), _HEAD]
    size = "" if scale == 1.0 else f" scale({scale:.3f})"
    turn = f"translate({num(at[0])} {num(at[1])}) rotate({num(actor.facing)}){size}"
    data = {
        "id": f"actor-{actor.name}", "class": f"actor {kind}", "data-name": actor.name,
        "data-facing": facing_name(actor.facing), "data-degrees": num(actor.facing), "data-posture": actor.posture,
        "data-place": actor.spot.name, "data-zone": actor.spot.zone, "data-x": f"{actor.spot.x:.2f}",
        "data-y": f"{actor.spot.y:.2f}", "data-step": actor.step, "data-party": actor.party or None,
        "data-roles": " ".join(actor.roles) or None, "data-bared": 1 if _is_bared(actor) else None,
        "data-hands": " ".join(thing.id for thing in (*actor.right, *actor.left)) or None,
        "data-belt": " ".join(thing.id for thing in actor.belt) or None, "data-box": box_words(box),
    }  # fmt: skip
    counts = _numbers(held, actor, at, scale) if scale >= 1.0 else ""
    return f'<g{attrs(data)}><title>{escape(words)}</title><g transform="{turn}">{"".join(shapes)}</g>{counts}</g>'


def plain_figure(kind: str, *, kneeling: bool, bared: bool) -> str:
    """A figure with nothing in its hands, for the key."""
    arm = _BARE_ARM if bared else ""
    return f"{_lap(kneeling=kneeling)}{_SHOULDERS[kind]}{arm}{_HEAD}"


def _lap(*, kneeling: bool) -> str:
    if kneeling:
        return "".join(f'<rect x="{x}" y="-13" width="5.9" height="13" rx="2.8" class="robe"/>' for x in (-6.2, 0.3))
    return '<path d="M-6.8 -3 L-4.4 -6.6 H4.4 L6.8 -3Z" class="robe"/>'


def _is_bared(actor: Actor) -> bool:
    return any(word in actor.dress for word in BARED)


_SHOULDERS = {
    "host": '<rect x="-9" y="-4.8" width="18" height="10" rx="1.6" class="robe"/>',
    "guest": '<ellipse rx="9" ry="5.4" class="robe"/>',
    "other": '<path d="M-9 0 L-5 -5 H5 L9 0 L5 5.2 H-5Z" class="robe"/>',
}
_HEAD = (
    '<path d="M-2.6 -4 L0 -9.6 L2.6 -4Z" class="nose"/><circle cy="-0.8" r="4.3" class="head"/>'
    '<path d="M-4.3 -0.6 A4.3 4.3 0 0 0 4.3 -0.6Z" class="cap"/>'
)
_BARE_ARM = '<path d="M-7.2 1 L-8 -8.5" class="arm-line"/><path d="M-7.2 1 L-8 -8.5" class="arm bare"/>'


def _arm(actor: Actor) -> list[str]:
    if not _is_bared(actor):
        return []
    tone = "jacket" if any(word in actor.dress for word in JACKETS) else "bare"
    found = [_BARE_ARM.replace("arm bare", f"arm {tone}")]
    if "肉袒" in actor.dress:
        found.append(f'<circle cx="-6.2" cy="0.5" r="3" class="shoulder {tone}"/>')
    return found


def _belt(held: _Held) -> list[str]:
    found = [
        f'<path d="M{num(3 + 1.8 * at)} 3 L{num(4.6 + 1.8 * at)} 10.4" class="arrow"/>'
        for at in range(min(len(held.belted), MOST))
    ]
    if held.switch == "belt":
        found.append('<path d="M-8.5 9.6 L8.5 6.4" class="switch"/>')
    return found


def _hands(held: _Held, front: float) -> list[str]:
    found: list[str] = []
    if held.bows:
        found.append(
            '<path d="M-9.4 -12 Q-16.5 -1 -9.4 10 M-9.4 -12 V10" class="bow"/>'
            if held.bows[0].states.get("狀", "張") != "弛"
            else '<path d="M-11.5 -12 Q-9 -1 -11.5 10" class="bow"/>'
        )
    for at in range(min(len(held.arrows), MOST)):
        x = num(10 + 1.7 * at)
        found.append(f'<path d="M{x} 5 V-12.4 m-1 2.4 l1 -2.6 l1 2.6" class="arrow"/>')
    if held.switch == "hand":
        found.append('<path d="M9 6 L12 -14.5" class="switch"/>')
    if held.flag:
        found.append('<path d="M9 7 L10.5 -15.5" class="pole"/>')
        found.append('<path d="M10.4 -15 L17.4 -12.4 L10.1 -8Z" class="flag"/>')
    if held.cups:
        tone = "full" if any(thing.filled for thing in held.cups) else "empty"
        found.append(f'<circle cy="{num(-front - 3.2)}" r="3" class="cup {tone}"/>')
        if tone == "full":
            found.append(f'<circle cy="{num(-front - 3.2)}" r="1.5" class="wine"/>')
    if held.other:
        y = -front - 8.0 - (7.0 if held.cups else 0.0)
        found.append(f'<rect x="-5" y="{num(y - 2)}" width="10" height="10" class="load"/>')
    return found


def _numbers(held: _Held, actor: Actor, at: tuple[float, float], scale: float) -> str:
    """Characters that stay upright though the figure turns."""
    from math import cos, radians, sin

    turn = radians(actor.facing)

    def put(x: float, y: float, words: str, size: float) -> str:
        px = at[0] + (x * cos(turn) - y * sin(turn)) * scale
        py = at[1] + (x * sin(turn) + y * cos(turn)) * scale
        place = f'x="{num(px)}" y="{num(py + size * 0.36)}" font-size="{num(size)}"'
        return f'<text {place} class="tiny">{escape(words)}</text>'

    found = ""
    if held.other:
        front = FRONT.get(actor.posture, 10.0) + (7.0 if held.cups else 0.0)
        found += put(0.0, -front - 5.0, held.other[0].kind[:1], 8.0)
    if len(held.arrows) > MOST:
        found += put(17.0 + 1.7 * MOST, -2.0, str(len(held.arrows)), 9.0)
    return found
