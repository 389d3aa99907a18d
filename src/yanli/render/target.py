"""The target drawn to scale, with every measure at its dimension line.

Comes in: a range, and the face that a rank has. Goes out: SVG, as those in the hall see the target: east is left.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

from yanli.render.plan_margin import listing
from yanli.render.plan_text import LINE, breadth, line_of_text
from yanli.render.target_face import colour_words, draw_face, face_name, range_words, thing_measured
from yanli.render.target_sheet import SIZE, Measures, Sheet
from yanli.venue.exact import number_of, number_words
from yanli.venue.target import RANGE, chi

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from yanli.venue.target import Face, Measured

ROPES = 820.0
"""Breadth of the drawing from rope's end to rope's end, in pixels, unless its words need more."""
HEAD = 64.0
TICKS = 5.0
ROW = 44.0
"""From one row of dimension lines to the next."""
GAP = 26.0
"""From the ropes' ends to the lines that measure from below up."""
EDGE = 30.0
NAMED = ("上綱", "下綱", "上个", "下个", "躬", "侯中", "幅", "侯高", "下綱去地", "上綱去地")
PIECES = ("下个", "躬", "侯中崇", "躬", "上个")
"""The pieces of the cloth from below."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be drawn: the measures at a range, the face (None: the cloth alone), how lengths are told."""

    measures: Mapping[str, Measured]
    face: Face | None
    told: Measures


def target_svg(asked: Asked) -> str:
    """Draw the target to scale."""
    m, told = asked.measures, asked.told
    size = {name: chi(m, name) for name in NAMED}
    scale = _scale(m, told)
    ropes = scale * float(size["上綱"])
    square = thing_measured(asked.face)
    chain, whole, heights = _pieces(m, told), _named(m, "侯高", told), _heights(m, told, square)
    aside = GAP + 24 + max(breadth(words, SIZE) for words in chain)
    west = EDGE + max(breadth(words, SIZE) for words in whole) + 8 + aside
    east = EDGE + GAP + 14 + max(breadth(words, SIZE) for words, _, _ in heights)
    sheet = Sheet(scale, west + ropes / 2, HEAD + 3 * ROW + 10 + float(size["上綱去地"]) * scale)
    hang_up(sheet, size)
    levels = strips(sheet, size)
    draw_face(sheet, asked.face, levels[2], size["侯中"], chi(m, square), english=told.english)
    _across(sheet, size, m, told)
    edge = sheet.x(-size["上綱"] / 2)
    _upright(sheet, m, levels, list(zip(PIECES, chain, strict=True)), edge - GAP)
    sheet.upright(sheet.y(levels[0][0]), sheet.y(levels[-1][1]), edge - aside, whole, side="W")
    _centre(sheet, m, levels[2], told, square)
    axis(sheet, heights, sheet.x(size["上綱"] / 2) + GAP, size["上綱去地"])
    sides = ("east: its right wing", "its left wing: west") if told.english else ("東　右个", "左个　西")
    sheet.label([sides[0]], sheet.x(-size["上綱"] / 2) + 4, sheet.ground + 6, "start", 11.0)
    sheet.label([sides[1]], sheet.x(size["上綱"] / 2) - 4, sheet.ground + 6, "end", 11.0)
    return finished(sheet, west + ropes + east, sheet.ground + 3 * ROW + 24, _title(asked), _notes(asked), told)


def _scale(m: Mapping[str, Measured], told: Measures) -> float:
    """Pixels for one 尺, so that the words over a wing, and beside a strip, have room."""
    wing, body = (max(breadth(words, SIZE) for words in _named(m, name, told)) for name in ("上舌", "躬"))
    return max(
        ROPES / float(chi(m, "上綱")),
        (wing + 10) / float(chi(m, "上舌")),
        (body + 10) / float(chi(m, "躬")),
        (SIZE * LINE + 2) / float(chi(m, "幅")),
    )


def finished(sheet: Sheet, width: float, bottom: float, title: str, notes: Sequence[str], told: Measures) -> str:
    """Title above, scale bars and notes below."""
    sheet.words.append(line_of_text(title, EDGE, 18.0, 22.0, "title"))
    sheet.scale_bars(EDGE, bottom, told.metres, english=told.english)
    left = EDGE + max(10 * sheet.scale, 2 / float(told.metres) * sheet.scale) + 60
    listed = listing(notes, left, bottom, width - left - EDGE)
    sheet.words += listed.shapes
    return sheet.svg(width, bottom + max(80.0, listed.height + 20), title)


def strips(sheet: Sheet, size: Mapping[str, Fraction]) -> tuple[tuple[Fraction, Fraction], ...]:
    """Draw the five pieces of the cloth from the lower rope up; where each begins and ends, in 尺 above the ground."""
    at, found = size["下綱去地"], []
    for name in PIECES:
        centre = name == "侯中崇"
        broad, high = (size["侯中"], size["侯中"]) if centre else (size[name], size["幅"])
        sheet.cloth(broad / 2, at, at + high)
        found.append((at, at + high))
        at += high
    return tuple(found)


def hang_up(sheet: Sheet, size: Mapping[str, Fraction], *, ties: bool = True) -> None:
    """Draw ground, posts, ropes, and the slanting ties (其邪制躬舌之角者為維).

    How the posts stand and how steep the ties are, no words say. Since both ropes reach a 尋 beyond their wings, the
    posts are drawn through the ropes' ends: so they lean, as 敖繼公 supposes (the lower wings are halved lest the posts
    stand in the way of those who pass).
    """
    low, high = size["下綱去地"], size["上綱去地"]
    for side in (-1, 1):
        above, below = side * size["上綱"] / 2, side * size["下綱"] / 2
        lean = (above - below) / (high - low)
        foot, head = below - low * lean, above + Fraction(4, 5) * lean
        sheet.path([(sheet.x(foot), sheet.y(0)), (sheet.x(head), sheet.y(high + Fraction(4, 5)))], "beam")
        corners = (
            (size["上个"] / 2, high - size["幅"], 1),
            (size["躬"] / 2, high - 2 * size["幅"], 1),
            (size["躬"] / 2, low + 2 * size["幅"], -1),
            (size["下个"] / 2, low + size["幅"], -1),
        )
        for corner, level, down in corners if ties else ():
            end = level - down * min(Fraction(3, 4), size["侯中"] / 4)
            at = below + (end - low) * lean
            sheet.path([(sheet.x(side * corner), sheet.y(level)), (sheet.x(at), sheet.y(end))], "tie")
        sheet.path([(sheet.x(0), sheet.y(high)), (sheet.x(above), sheet.y(high))], "rope")
        sheet.path([(sheet.x(0), sheet.y(low)), (sheet.x(below), sheet.y(low))], "rope")
    edge = size["上綱"] / 2
    sheet.path([(sheet.x(-edge) - 30, sheet.ground), (sheet.x(edge) + GAP, sheet.ground)], "ground")


def axis(sheet: Sheet, heights: Sequence[tuple[str, Fraction, Fraction]], at: float, top: Fraction) -> None:
    """A line on which heights above the ground are marked: words, height, and from where (尺 from the middle)."""
    sheet.path([(at, sheet.ground), (at, sheet.y(top))], "dimension")
    for words, height, reach in heights:
        y = sheet.y(height)
        sheet.path([(sheet.x(reach), y), (at + TICKS, y)], "reach")
        sheet.path([(at - TICKS, y), (at + TICKS, y)], "dimension")
        sheet.label(words.split("\n"), at + 10, y - SIZE * 0.6, "start")


def name_of(m: Mapping[str, Measured], name: str, told: Measures) -> str:
    """A measure's name at a dimension line."""
    return m[name].entry.en.partition(",")[0] if told.english else name


def _named(m: Mapping[str, Measured], name: str, told: Measures) -> tuple[str, str]:
    return told.told(name_of(m, name, told), chi(m, name))


def _pieces(m: Mapping[str, Measured], told: Measures) -> list[str]:
    """What stands beside each piece of the cloth: how high it is."""
    found = []
    for name in PIECES:
        words = name_of(m, name, told)
        if name == "侯中崇":
            found.append(told.line(f"{words}, height" if told.english else words, chi(m, name)))
        else:
            found.append(told.line(f"{words}, width" if told.english else f"{words}之幅", chi(m, "幅")))
    return found


def _heights(m: Mapping[str, Measured], told: Measures, square: str) -> list[tuple[str, Fraction, Fraction]]:
    """How high above the ground the ropes hang, and the lower edge of the mark."""
    mark = chi(m, "下綱去地") + 2 * chi(m, "幅") + (chi(m, "侯中崇") - chi(m, square)) / 2
    edge = f"{m[square].entry.en.partition(',')[0]}, lower edge" if told.english else f"{square}下去地"
    lower, upper = ("lower rope", "upper rope") if told.english else ("下綱去地", "上綱去地")
    return [
        (told.line(lower, chi(m, "下綱去地")), chi(m, "下綱去地"), chi(m, "下綱") / 2),
        (told.line(edge, mark), mark, chi(m, square) / 2),
        (told.line(upper, chi(m, "上綱去地")), chi(m, "上綱去地"), chi(m, "上綱") / 2),
    ]


def _across(sheet: Sheet, size: Mapping[str, Fraction], m: Mapping[str, Measured], told: Measures) -> None:
    """What is measured from side to side: above for the upper strip, below for the lower one."""
    for above, whole, wing, rope, level, base in (
        (True, "上个", "上舌", "上綱", size["上綱去地"], sheet.y(size["上綱去地"]) - 14),
        (False, "下个", "下舌", "下綱", size["下綱去地"], sheet.ground + 28),
    ):
        step = -ROW if above else ROW
        half, body = size[whole] / 2, size["躬"] / 2
        for reach, row in ((body, 0), (half, 1), (size[rope] / 2, 2)):
            for side in (-1, 1):
                x = sheet.x(side * reach)
                sheet.path([(x, sheet.y(level)), (x, base + row * step)], "reach")
        lines = _named(m, wing, told)
        sheet.across(sheet.x(-half), sheet.x(-body), base, lines, above=above, anchor="middle" if above else "end")
        sheet.across(sheet.x(body), sheet.x(half), base, lines, above=above, anchor="middle" if above else "start")
        sheet.across(sheet.x(-body), sheet.x(body), base, _named(m, "躬", told), above=above)
        for name, row in ((whole, 1), (rope, 2)):
            reach = chi(m, name) / 2
            sheet.across(sheet.x(-reach), sheet.x(reach), base + row * step, _named(m, name, told), above=above)


def _upright(
    sheet: Sheet,
    m: Mapping[str, Measured],
    levels: Sequence[tuple[Fraction, Fraction]],
    pieces: Sequence[tuple[str, str]],
    at: float,
) -> None:
    """What is measured from below up: the five pieces one upon another."""
    for (name, words), (low, high) in zip(pieces, levels, strict=True):
        half = chi(m, "侯中" if name == "侯中崇" else name) / 2
        for level in (low, high):
            sheet.path([(sheet.x(-half), sheet.y(level)), (at, sheet.y(level))], "reach")
        sheet.upright(sheet.y(low), sheet.y(high), at, [words], side="W")


def _centre(
    sheet: Sheet, m: Mapping[str, Measured], level: tuple[Fraction, Fraction], told: Measures, square: str
) -> None:
    """Beside the centre its own side on the left, and the side of the mark in it on the right."""
    low, high = level
    half, mark, middle = chi(m, "侯中") / 2, chi(m, square) / 2, (low + high) / 2
    side = " square" if told.english else "方"
    lines = told.told(name_of(m, "侯中", told) + side, 2 * half)
    sheet.upright(sheet.y(low), sheet.y(high), sheet.x(-half) - 14, lines, side="W")
    edge = sheet.x(half) + 14
    for at in (middle - mark, middle + mark):
        sheet.path([(sheet.x(mark), sheet.y(at)), (edge, sheet.y(at))], "reach")
    lines = told.told(name_of(m, square, told) + side, 2 * mark)
    sheet.upright(sheet.y(middle - mark), sheet.y(middle + mark), edge, lines, side="E")


def bows_of(distance: Fraction, *, english: bool) -> str:
    """A range in bows: 五十弓; where it is no whole number, in figures."""
    bows = distance / 6
    if english:
        return f"{float(bows):.4g} bows"
    return f"{number_words(int(bows)) if bows.denominator == 1 else f'{float(bows):.4g}'}弓"


def seen(asked: Asked, *, english: bool) -> list[str]:
    """What is seen on the middle, on which words; and whether the words give it another range."""
    distance = chi(asked.measures, RANGE)
    return [*colour_words(asked.face, english=english), *range_words(asked.face, distance, english=english)]


def _title(asked: Asked) -> str:
    distance, told = chi(asked.measures, RANGE), asked.told
    name, bows = face_name(asked.face, english=told.english), bows_of(distance, english=told.english)
    if told.english:
        return f"{name}, range {bows} ({told.modern_words(distance)}), seen from the hall"
    return f"{name}　侯道{bows}（{told.modern_words(distance)}）　自堂視之"


def _notes(asked: Asked) -> list[str]:
    """What has no dimension line: the cloth, the screen, the face, what no words say."""
    m, told = asked.measures, asked.told
    count, cloth = chi(m, "中幅"), ("中布", "躬布", "上个布", "下个布")
    first = told.modern_words if told.modern else told.chi
    pieces = [
        (m[name].entry.en.removeprefix("cloth ") if told.english else name, first(chi(m, name))) for name in cloth
    ]
    screen = [told.line(m[name].entry.en if told.english else name, chi(m, name)) for name in ("乏北", "乏西")]
    whole = told.line("in all" if told.english else "用布", chi(m, "用布"))
    faced = seen(asked, english=told.english)
    strip = number_of(count)
    if told.english:
        strip = strip.replace("約", "about ")
        listed = ", ".join(f"{name} {length}" for name, length in pieces)
        return [
            f"Cloth {listed}; {whole}: {strip} widths in the centre, of 2.2 chi with 0.1 taken off each side.",
            f"Of the caller: {'; '.join(screen)}.",
            *faced,
            "※ No words say how the posts stand (drawn through the ropes' ends) or how long the ties (維) are.",
        ]
    strip = number_words(int(count)) if count.denominator == 1 else strip
    return [
        f"{'，'.join(f'{name}{length}' for name, length in pieces)}；{whole}。中{strip}幅，布幅二尺二寸，旁削一寸。",
        f"{'，'.join(screen)}。",
        *faced,
        "※ 植之所立、維之長短，無文；圖中植過二綱之端。",
    ]
