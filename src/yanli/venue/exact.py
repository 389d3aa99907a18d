"""Lengths without rounding: as the notes write them (``四尺六寸大半寸``), and back into such words.

Comes in: words, or a :class:`~fractions.Fraction` of 尺. Goes out: the other. 大半 is two thirds, 少半 one third of the
unit named after it, 半 a half (賈公彥: 凡言大半寸者三分寸之二，少半寸者三分寸之一). Nothing here knows a target.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from yanli.errors import Finding, ScenarioError
from yanli.venue.measure import CHI_IN, DIGITS, FARTHEST, METRES_IN, NUMBER, UNIT, count_of, read_length

PARTS: Final = {"大半": Fraction(2, 3), "少半": Fraction(1, 3), "半": Fraction(1, 2)}
"""Parts of a unit that have names."""

SAID: Final = {part: name for name, part in PARTS.items()}
UNITS: Final = (("丈", Fraction(10)), ("尺", Fraction(1)), ("寸", Fraction(1, 10)))
"""The units in which a length is written, the largest first, in 尺."""

PLAINEST: Final = 12
"""A part of a 寸 with a larger denominator is not said: it is rounded to a tenth (分), with 約 before the whole."""

_HAN: Final = "".join(DIGITS)
_PART = re.compile(
    rf"(?P<part>大半|少半|半)(?P<of>{UNIT})"
    rf"|(?P<below>[{_HAN}十百]+)分(?P<within>{UNIT})之(?P<above>[{_HAN}十百]+)"
    rf"|(?P<count>{NUMBER})?(?P<unit>{UNIT})(?P<half>有?半(?!{UNIT}))?"
)
_METRIC = re.compile(rf"\s*({NUMBER})\s*({'|'.join(sorted(METRES_IN, key=len, reverse=True))})\s*")


def chi_of(words: str) -> Fraction:
    """A length in 尺, exactly: ``丈八尺`` 18, ``尺二寸`` 6/5, ``四尺六寸大半寸`` 14/3, ``三分寸之二`` 1/15.

    A unit without a number before it counts once. Raises ValueError when the words are no such length.
    """
    total, at, least = Fraction(0), 0, None
    text = words.replace(" ", "")
    while at < len(text):
        found = _PART.match(text, at)
        unit = CHI_IN.get(found["unit"] or found["of"] or found["within"]) if found else None
        # The units grow smaller from part to part; only a part of a unit may follow the same unit (六寸大半寸).
        if found is None or unit is None or (least is not None and (unit > least or (found["unit"] and unit == least))):
            break
        total += _worth(found)
        at, least = found.end(), unit
    if not text or at < len(text):
        raise ValueError(f"“{words}” is no length in 尺: after “{text[:at]}” a number and a unit are expected")
    return total


def _worth(found: re.Match[str]) -> Fraction:
    """What one part of a length comes to, in 尺."""
    if found["part"]:
        return PARTS[found["part"]] * CHI_IN[found["of"]]
    if found["below"]:
        return count_of(found["above"]) / count_of(found["below"]) * CHI_IN[found["within"]]
    unit = CHI_IN[found["unit"]]
    count = count_of(found["count"]) if found["count"] else Fraction(1)
    return (count + (Fraction(1, 2) if found["half"] else 0)) * unit


def words_of(chi: Fraction) -> str:
    """A length of 尺 in words, as the notes write it: 4+2/3 is 四尺六寸大半寸, 1/15 is 大半寸, 19.2 is 一丈九尺二寸.

    Parts of a 寸 that have no name are told as 七分寸之三; those finer than a twelfth are rounded to a tenth and told
    as 分, with 約 before the whole. Raises ValueError for what is less than nothing.
    """
    if chi < 0:
        raise ValueError(f"{chi} 尺: no length is less than nothing")
    inches, rest = divmod(chi * 10, 1)
    about = rest.denominator > PLAINEST
    if about:
        tenths = round(chi * 100)
        inches, rest = tenths // 10, Fraction(tenths % 10)
    said, left = "", Fraction(inches, 10)
    for name, unit in UNITS:
        count, left = divmod(left, unit)
        said += f"{number_words(int(count))}{name}" if count else ""
    if about:
        said += f"{number_words(int(rest))}分" if rest else ""
        return f"約{said or '不及一分'}"
    if rest in SAID:
        said += "有半" if said.endswith("寸") and SAID[rest] == "半" else f"{SAID[rest]}寸"
    elif rest:
        said += f"{number_words(rest.denominator)}分寸之{number_words(rest.numerator)}"
    return said or "無"


def number_words(number: int) -> str:
    """A whole number below ten thousand as the canon writes it: 十二, 二十五, 一百一十, 二百五."""
    digits = "〇一二三四五六七八九"
    if number < len(digits):
        return digits[number]
    said = ""
    for value, name in ((1000, "千"), (100, "百"), (10, "十")):
        digit, number = divmod(number, value)
        if digit:
            said += ("" if digit == 1 and value == 10 and not said else digits[digit]) + name  # noqa: PLR2004  # 十, not 一十
    return said + (digits[number] if number else "")


def read_range(value: str, metres: Fraction) -> tuple[Fraction, bool]:
    """The range that a person asks for, exactly, in 尺; and whether he told it in metres.

    ``metres`` is the length of one 尺 in metres. Raises ScenarioError, with what is expected, for a bare number, a unit
    that there is not, nothing, and what is farther than any yard.
    """
    found = _METRIC.fullmatch(value)
    try:
        chi = count_of(found[1]) * Fraction(str(METRES_IN[found[2]])) / metres if found else chi_of(value)
    except (ValueError, ZeroDivisionError):
        chi = Fraction(0)
    if CHI_IN["弓"] <= chi <= FARTHEST:
        return chi, found is not None
    if 0 < chi < CHI_IN["弓"]:
        cause = (
            f"侯道 = {value}: less than one 弓 (六尺) is no range: the target is reckoned by the 弓 (弓二寸以為侯中)"
        )
        raise ScenarioError(Finding(code="bad-measure", cause=cause, nearest=("1弓",)))
    read_length("侯道", value, float(metres))  # it says what is wrong
    raise ScenarioError(
        Finding(code="bad-measure", cause=f"侯道 = {value}: one unit is expected, such as 50弓, 七十弓, 300尺 or 30米")
    )


def number_of(count: Fraction) -> str:
    """How many of something, in figures: whole, or to a hundredth with 約 (``約2.16``)."""
    return str(int(count)) if count.denominator == 1 else f"約{float(count):.2f}"


def plain(chi: Fraction) -> str:
    """A fraction in figures: ``14/3``, ``1.2``, ``40``; tenths and hundredths are written as decimals."""
    if chi.denominator in {1, 2, 4, 5, 10, 20, 25, 50, 100}:
        return f"{float(chi):g}"
    whole, rest = divmod(chi, 1)
    return f"{whole} {rest}" if whole else f"{rest}"
