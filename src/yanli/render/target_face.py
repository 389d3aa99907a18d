"""What is seen on the middle of a target: hide, colours or beasts, as the table of faces has them.

Comes in: a face. Goes out: shapes on a sheet, and words about them. Where the words give no breadth (how broad the hide
at the sides is, how broad one colour round the other), it is drawn in equal parts and said to be so. No beast is
invented: its name stands where its head is painted.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from yanli.render.plan_text import LINE, breadth
from yanli.venue.target import table

if TYPE_CHECKING:
    from yanli.render.target_sheet import Sheet
    from yanli.venue.target import Face, Reading

INKS: Final = {
    "朱": "#b3372a", "白": "#fffefa", "蒼": "#4f7f86", "黃": "#d9a62f", "玄": "#2a1c1a", "綠": "#4f7a3a",
    "赤": "#c65a44",
    "虎": "#cf9a4a", "熊": "#8a6f55", "豹": "#d3b06a", "麋": "#b08a60", "豻": "#9a8468",
}  # fmt: skip
"""How each colour and each hide is drawn."""
MARKS: Final = {"皮侯": "鵠", "采侯": "正", "獸侯": "獸"}
"""What the third of the centre is called on each kind of target: 鵠, 正, or the beast."""
PLAIN: Final = "鵠"
SIDE: Final = Fraction(1, 12)
"""How broad the hide at the sides is drawn, of the centre: 無文."""


def english(word: str) -> str:
    """A word of the table of faces in English."""
    found: str = table("measures-faces")["english"].get(word, word)
    return found


def thing_measured(face: Face | None) -> str:
    """The measure that the mark in the centre has: 鵠, 正 or 獸."""
    return MARKS.get(face.cells["類"], PLAIN) if face is not None else PLAIN


def face_name(face: Face | None, *, english: bool) -> str:
    """A target's name: of whom, and which."""
    say = _english if english else str
    if face is None:
        return "Target" if english else "侯"
    rank, name, kind, domain = (face.get(cell) for cell in ("爵", "侯", "類", "域"))
    if english:
        whose = say(rank or "") + (f" ({say(domain)})" if domain else "")
        return f"{whose[:1].upper()}{whose[1:]}: {say(name or '')}" + (f", {say(kind or '')}" if name != kind else "")
    return f"{rank}{'（' + domain + '）' if domain else ''}{name}（{kind}）"


_english = english


def draw_face(
    sheet: Sheet,
    face: Face | None,
    level: tuple[Fraction, Fraction],
    centre: Fraction,
    mark: Fraction,
    *,
    english: bool,
) -> None:
    """Draw a face on the centre, which reaches from one height to another; ``mark``: the side of its middle square."""
    low, high = level
    middle = (low + high) / 2
    if face is None:
        sheet.cloth(mark / 2, middle - mark / 2, middle + mark / 2, "outline")
        return
    side = face.get("飾") or face.get("鵠")
    if side:
        for at in (-1, 1):
            inner, outer = sheet.x(at * (centre / 2 - centre * SIDE)), sheet.x(at * centre / 2)
            sheet.shapes.append(
                f'<rect x="{min(inner, outer):.1f}" y="{sheet.y(high):.1f}" width="{abs(outer - inner):.1f}" '
                f'height="{float(high - low) * sheet.scale:.1f}" class="cloth" style="fill:{INKS[side]}"/>'
            )
    if (ground := face.get("質")) in INKS:
        sheet.cloth(centre / 2, low, high, "cloth", INKS[ground])
    colours = face.get("正") or ""
    for number in range(len(colours), 0, -1):
        half = mark / 2 * number / len(colours)
        sheet.cloth(half, middle - half, middle + half, "cloth", INKS[colours[number - 1]])
    hide, heads = face.get("鵠"), face.get("首")
    if hide:
        sheet.cloth(mark / 2, middle - mark / 2, middle + mark / 2, "cloth", INKS[hide])
    if heads:
        sheet.cloth(mark / 2, middle - mark / 2, middle + mark / 2, "outline")
    words = [_english(word) if english else word for word in (heads or hide or "")]
    if words:
        _name_within(sheet, words, (low + high) / 2, float(mark) * sheet.scale, stacked=english)


def _name_within(sheet: Sheet, words: list[str], level: Fraction, room: float, *, stacked: bool) -> None:
    """Write names into the square in the middle: side by side, or one under the other."""
    rows = len(words) if stacked else 1
    broadest = max(1.0, *(breadth(word, 1.0) for word in words))
    size = min(22.0, room / rows / 1.3, room * rows / broadest / len(words))
    for number, word in enumerate(words):
        across = 0.0 if stacked else (number - (len(words) - 1) / 2) * room / len(words) / sheet.scale
        down = (number - rows / 2) * size * LINE if stacked else -size * LINE / 2
        sheet.label([word], sheet.x(across), sheet.y(level) + down, "middle", size)


def range_words(face: Face | None, distance: Fraction, *, english: bool) -> list[str]:
    """What is to be said where the words give this target another range than the one asked for (尺)."""
    if face is None or face.range is None or face.range == distance:
        return []
    words, source = face.words["侯道"]
    if english:
        return [f"※ The words give this target a range of {float(face.range / 6):g} bows 「{words}」 ({source})."]
    return [f"※ 此侯之道，{face.get('侯道')}「{words}」（{source}）；此依所問。"]


def _rival(cell: str, one: Reading, *, english: bool) -> str:
    """What another reads; it is told, and not drawn."""
    if english:
        said = f"{_english(cell).capitalize()}, {one.by}: {_english(one.is_)}"
        return f"※ {said} 「{one.words}」 ({one.source}); not so drawn."
    return f"※ {cell}，{one.by}：{one.is_}「{one.words}」（{one.source}；{one.why}）；圖不從。"


def colour_words(face: Face | None, *, english: bool) -> list[str]:
    """What is seen, and the words that say it; what is drawn without words is told."""
    if face is None:
        return []
    found = []
    for cell in ("鵠", "飾", "正", "質", "首"):
        if (value := face.get(cell)) is None:
            continue
        quoted, source = face.words[cell]
        if english:
            listed = _english(value) if _english(value) != value else ", ".join(_english(sign) for sign in value)
            found.append(f"{_english(cell).capitalize()}: {listed} 「{quoted}」 ({source}).")
        else:
            listed = value if cell == "質" else "、".join(value)
            found.append(f"{cell}：{listed}「{quoted}」（{source}）。")
        found += [_rival(cell, one, english=english) for one in face.rivals.get(cell, ())]
    unsaid = ("飾之廣" if face.get("鵠") or face.get("飾") else "") or ("各色之廣" if face.get("正") else "")
    if unsaid:
        english_words = "hide at the sides" if face.get("鵠") else "each colour"
        found.append(
            f"※ No words say how broad the {english_words} is." if english else f"※ {unsaid}，無文；圖中以意為之。"
        )
    if face.get("首"):
        found.append(
            "※ The heads are named where they are painted, not drawn." if english else "※ 首，於其所書其名，不圖其形。"
        )
    return found
