"""Targets that hang one by another, drawn behind one another at one scale, with their heights.

Comes in: how they hang. Goes out: SVG, as those in the hall see them: east is on the left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from yanli.render.plan_text import breadth
from yanli.render.target import GAP, HEAD, NAMED, ROPES, axis, bows_of, finished, hang_up, name_of, strips
from yanli.render.target_sheet import SIZE, Sheet
from yanli.venue.target import RANGE, chi, table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from yanli.render.target_sheet import Measures
    from yanli.venue.target import Height

WAYS = {
    True: (
        "Three targets, each hung by the one before it, seen from the hall",
        (
            "Each bull's-eye has its lower edge level with the upper rope of the one before (Zheng Xuan, Jia Gongyan).",
            "※ Reckoned on a level: where the eye stands, they do not say. Posts as in the drawing of one target.",
        ),
    ),
    False: (
        "三侯之崇　自堂視之",
        (
            "大侯之崇見鵠於參，參見鵠於干，干不及地武：遠侯之鵠，其下畔與近侯之上綱齊（鄭玄、賈公彥）。",
            "※ 皆平視而計；目之所在，注疏不言。",
        ),
    ),
}


def three_svg(heights: Sequence[Height], told: Measures) -> str:
    """Draw the targets to scale, the farthest behind."""
    reach = max(chi(one.measures, "上綱") for one in heights)
    top = heights[-1].upper
    scale = ROPES / float(reach)
    marks = [told.told(_mark_name(one, told), one.mark_top - one.mark) for one in heights]
    hidden = [told.told(_hidden_name(one, told), one.hidden) for one in heights if one.before]
    aside = GAP + 28 + max(breadth(words, SIZE) for lines in marks for words in lines)
    west = aside + 40 + max(breadth(words, SIZE) for lines in hidden for words in lines)
    levels = _levels(heights, told)
    east = GAP + 44 + max(breadth(line, SIZE) for words, _, _ in levels for line in words.split("\n"))
    sheet = Sheet(scale, west + ROPES / 2, HEAD + 30 + float(top) * scale)
    for one in reversed(heights):
        size = {name: chi(one.measures, name) for name in NAMED} | {"下綱去地": one.lower, "上綱去地": one.upper}
        hang_up(sheet, size, ties=False)
        strips(sheet, size)
        sheet.cloth(chi(one.measures, "鵠") / 2, one.mark, one.mark_top, "outline", "#e9d9b4")
        bows = bows_of(chi(one.measures, RANGE), english=told.english)
        words = f"{_name(one.name, told)}, {bows}" if told.english else f"{one.name}　{bows}"
        sheet.label([words], sheet.middle, sheet.y(one.upper) + (float(size["幅"]) * scale - SIZE * 1.16) / 2)
    edge = sheet.x(-reach / 2)
    waiting = iter(hidden)
    for one, lines in zip(heights, marks, strict=True):
        low, high = sheet.y(one.mark), sheet.y(one.mark_top)
        for y in (low, high):
            sheet.path([(sheet.x(-chi(one.measures, "鵠") / 2), y), (edge - GAP, y)], "reach")
        sheet.upright(low, high, edge - GAP, lines, side="W")
        if one.before is not None:
            for height in (one.lower, one.mark):
                y = sheet.y(height)
                sheet.path([(sheet.x(-chi(one.measures, "下綱") / 2), y), (edge - aside, y)], "reach")
            sheet.upright(sheet.y(one.lower), low, edge - aside, next(waiting), side="W")
    axis(sheet, levels, sheet.x(reach / 2) + GAP, top)
    title, notes = WAYS[told.english]
    return finished(sheet, west + ROPES + east, sheet.ground + 30, title, notes, told)


def _name(name: str, told: Measures) -> str:
    """One of the targets in the language of the sheet."""
    english: dict[str, str] = table("measures-three")["english"]
    return english.get(name, name) if told.english else name


def _mark_name(one: Height, told: Measures) -> str:
    mark = name_of(one.measures, "鵠", told)
    return f"{_name(one.name, told)}, {mark}" if told.english else f"{one.name}{mark}"


def _hidden_name(one: Height, told: Measures) -> str:
    if told.english:
        return f"{_name(one.name, told)}, hidden"
    return f"{one.name}為{one.before}所掩"


def _levels(heights: Sequence[Height], told: Measures) -> list[tuple[str, Fraction, Fraction]]:
    """How high each rope hangs; where a rope and the lower edge of the next 鵠 are level, two lines say both."""
    found = []
    for number, one in enumerate(heights):
        follower = heights[number + 1].name if number + 1 < len(heights) else None
        for rope, height in (("下綱", one.lower), ("上綱", one.upper)):
            name = (
                f"{_name(one.name, told)}, {name_of(one.measures, rope, told)}" if told.english else f"{one.name}{rope}"
            )
            words = told.line(name, height)
            if rope == "上綱" and follower is not None:
                after = (
                    f"= {_name(follower, told)}, lower edge of the bull's-eye"
                    if told.english
                    else f"＝{follower}鵠下畔"
                )
                words = f"{words}\n{after}"
            found.append((words, height, chi(one.measures, rope) / 2))
    return found
