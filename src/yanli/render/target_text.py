"""The measures of a target as a table to read, and as data.

Comes in: measures at a range, how high targets hang, a face. Goes out: lines of text in both languages, or values for
JSON.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING

import msgspec

from yanli.render.columns import table
from yanli.render.target import Asked, bows_of, seen
from yanli.render.target_face import face_name
from yanli.render.target_sheet import Measures
from yanli.venue.exact import number_of, plain, words_of
from yanli.venue.target import RANGE, chi
from yanli.venue.target import table as data

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from yanli.venue.target import Height, Measured, Reading

LENGTH = "尺"
PARTS = {
    "侯道": "range", "侯": "target", "布": "cloth", "張侯": "how it hangs", "乏": "caller's screen",
    "物": "standing marks", "器": "gear",
}  # fmt: skip


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """A measure as data: ``value`` exact (``14/3``), in ``unit``; ``said`` as the notes write it."""

    by: str | None
    value: str | None
    unit: str
    said: str | None
    metres: float | None
    words: str
    source: str
    why: str


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the table of measures as data, with the rival figures."""

    name: str
    en: str
    part: str
    figure: Figure
    rivals: list[Figure]


class Hung(msgspec.Struct, frozen=True, kw_only=True):
    """How one of several targets hangs, in 尺 above the ground, exact; and as the notes write it."""

    name: str
    before: str | None
    range: str
    heights: dict[str, str]
    said: dict[str, str]


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """All of it: the range in 尺 and metres, the face's cells, the rows."""

    range: str
    metres: float
    chi: float
    face: dict[str, str] | None
    rows: list[Row]


def target_data(asked: Asked) -> Target:
    """The measures as data."""
    distance, metres = chi(asked.measures, RANGE), asked.told.metres
    return Target(
        range=str(distance),
        metres=_rounded(distance * metres),
        chi=float(metres),
        face=dict(asked.face.cells) if asked.face else None,
        rows=[_row(one, metres) for one in asked.measures.values()],
    )


def three_data(heights: Sequence[Height]) -> list[Hung]:
    """How the targets hang, as data."""
    found = []
    for one in heights:
        reckoned = {
            "鵠": one.mark_top - one.mark, "鵠下": one.hidden, "下綱去地": one.lower, "鵠下去地": one.mark,
            "上綱去地": one.upper,
        }  # fmt: skip
        found.append(
            Hung(
                name=one.name,
                before=one.before,
                range=str(chi(one.measures, RANGE)),
                heights={name: str(value) for name, value in reckoned.items()},
                said={name: words_of(value) for name, value in reckoned.items()},
            )
        )
    return found


def target_text(asked: Asked, others: Sequence[str] = ()) -> str:
    """The table to read, part by part; ``others``: other faces at this range."""
    told = asked.told
    distance = chi(asked.measures, RANGE)
    name, bows = (face_name(asked.face, english=False), bows_of(distance, english=False))
    far = float(distance * told.metres)
    lines = [f"{name}　侯道{bows}　{words_of(distance)}　{far:.2f} 米　（一尺 {float(told.metres):g} 米）"]
    name, bows = (face_name(asked.face, english=True), bows_of(distance, english=True))
    lines.append(f"{name}, range {bows}, {float(distance):.6g} chi, {far:.2f} m")
    for english in (False, True):
        lines += seen(asked, english=english)
    lines += [f"亦有 also: {'、'.join(others)}"] if others else []
    for part, group in groupby(asked.measures.values(), key=lambda one: one.entry.part):
        lines += ["", f"{part} {PARTS.get(part, '')}".rstrip()]
        rows: list[tuple[str, ...]] = []
        for one in group:
            entry = one.entry
            rows.append(
                (one.name, entry.en, *_cells(one.chi, entry.unit, told), _quoted(entry.words, entry.why), entry.source)
            )
            for rival in one.rivals:
                value = _cells(rival.chi, entry.unit, told)
                rows.append(
                    ("", f"異說 rival: {rival.reading.by}", *value, f"「{rival.reading.words}」", rival.reading.source)
                )
        lines += table(rows, right=(3, 4), indent="  ")
    return "\n".join([*lines, "", *_texts(asked.measures.values())]) + "\n"


def three_text(heights: Sequence[Height], told: Measures) -> str:
    """How the targets hang, to read: reckoned, and beside it what the notes have."""
    stated = data("measures-three")["rows"]
    lines = [
        "三侯之崇：大侯之崇見鵠於參，參見鵠於干，干不及地武。",
        "Each hangs so that the lower edge of its bull's-eye is level with the upper rope of the one before it.",
    ]
    english: dict[str, str] = data("measures-three")["english"]
    keys: set[str] = set()
    for one, hung in zip(heights, three_data(heights), strict=True):
        distance = chi(one.measures, RANGE)
        lines += [
            "",
            f"{one.name} {english.get(one.name, '')}　{bows_of(distance, english=False)}　見鵠於 {one.before or '—'}",
        ]
        rows = []
        for name, value in hung.heights.items():
            exact = Fraction(value)
            cell = stated[one.name].get(name)
            keys |= {cell["source"]} if cell else set()
            metres = f"{float(exact * told.metres):.2f} m"
            quoted = f"「{cell['words']}」{cell['source']}" if cell else ""
            rows.append((name, english.get(name, ""), words_of(exact), plain(exact), metres, quoted))
        lines += table(rows, right=(3, 4), indent="  ")
    return "\n".join([*lines, "", *_titles(keys)]) + "\n"


def _quoted(words: str, why: str) -> str:
    """Words as they stand, and beside them at which range they have their figure, where the reason begins with it."""
    at = why.partition("；")[0]
    return f"「{words}」（{at}）" if at.startswith("於") and "弓" in at else f"「{words}」"


def _cells(value: Fraction | None, unit: str, told: Measures) -> tuple[str, str, str]:
    """A figure in words, in figures, and in metres."""
    if value is None:
        return "無文", "", ""
    if unit != LENGTH:
        return f"{number_of(value)}{unit}", plain(value), ""
    # So many decimals as the drawing has: two roundings of one measure would seem to differ.
    return words_of(value), plain(value), f"{float(value * told.metres):.2f} m"


def _row(one: Measured, metres: Fraction) -> Row:
    entry = one.entry
    own = _figure(None, one.chi, entry.unit, metres, (entry.words, entry.source, entry.why))
    rivals = [_rival(rival.reading, rival.chi, entry.unit, metres) for rival in one.rivals]
    return Row(name=one.name, en=entry.en, part=entry.part, figure=own, rivals=rivals)


def _rival(reading: Reading, value: Fraction | None, unit: str, metres: Fraction) -> Figure:
    return _figure(reading.by, value, unit, metres, (reading.words, reading.source, reading.why))


def _figure(
    by: str | None, value: Fraction | None, unit: str, metres: Fraction, warrant: tuple[str, str, str]
) -> Figure:
    words, source, why = warrant
    length = value is not None and unit == LENGTH
    return Figure(
        by=by,
        value=None if value is None else str(value),
        unit=unit,
        said=words_of(value) if value is not None and length else None,
        metres=_rounded(value * metres) if value is not None and length else None,
        words=words,
        source=source,
        why=why,
    )


def _rounded(metres: Fraction) -> float:
    return round(float(metres), 4)


def _texts(measures: Iterable[Measured]) -> list[str]:
    """Which texts the keys stand for."""
    keys: set[str] = set()
    for one in measures:
        keys |= {one.entry.source, *(rival.reading.source for rival in one.rivals)}
    return _titles(keys)


def _titles(keys: set[str]) -> list[str]:
    texts = data("sources/sources")["source"]
    rows = [(key, text["zh"], text["en"]) for key, text in texts.items() if key in keys]
    return ["書 texts", *table(rows, indent="  ")]
