"""Lengths as people write them, and the units they are written in.

Comes in: words such as ``20尺``, ``50弓``, ``三丈``, ``二丈五尺``, ``12米``, ``1/2步``. Goes out: 尺, as a float.
Nothing here knows a building; how long one 尺 is in metres is given by whoever asks.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from yanli.errors import Finding, ScenarioError

CHI_IN = {
    "寸": Fraction(1, 10),
    "尺": Fraction(1),
    "武": Fraction(6, 5),  # 鄉射禮注：中人之迹尺二寸
    "笴": Fraction(3),  # 鄉射記注：笴，矢幹也，長三尺
    "步": Fraction(6),  # 考工記：野度以步；鄉射記注：六尺曰弓，即一步也
    "弓": Fraction(6),
    "仞": Fraction(7),  # 鄉射記注：七尺曰仞，八尺曰尋
    "尋": Fraction(8),
    "筵": Fraction(9),  # 考工記：周人明堂，度九尺之筵
    "丈": Fraction(10),
    "常": Fraction(16),  # 考工記注：倍尋曰常
    "雉": Fraction(30),  # 尚書大傳注：雉長三丈
}
"""How many 尺 each unit holds."""

METRES_IN = {"米": 1.0, "公尺": 1.0, "m": 1.0, "厘米": 0.01, "公分": 0.01, "cm": 0.01}
"""How many metres each modern unit holds."""

DIGITS = {
    "〇": 0,
    "零": 0,
    "一": 1,
    "壹": 1,
    "二": 2,
    "兩": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
}
TENS = {"十": 10, "百": 100, "千": 1000}

NUMBER = r"(?:\d+(?:\.\d+)?(?:/\d+)?|半|[〇零一壹二兩三四五六七八九十百千]+)"
UNIT = "(?:" + "|".join(sorted((*CHI_IN, *METRES_IN), key=len, reverse=True)) + ")"
FARTHEST = 10_000.0
"""No yard is larger, in 尺 (more than 2 km): beyond it there is a slip of the pen."""
MOST = 20_000
"""So many people or things at most, as a scenario has it."""
FIGURES = 40
"""A number has no more signs; one of thousands is refused before it is worked out."""
PART = re.compile(rf"\s*({NUMBER})\s*({UNIT})\s*")


def count_of(words: str) -> Fraction:
    """A number in figures (``20``, ``2.5``, ``1/2``) or in Chinese (``五十``, ``二百五``, ``半``).

    Raises ValueError, KeyError or ZeroDivisionError for what is no number.
    """
    if len(words) > FIGURES:
        raise ValueError(f"{len(words)} signs are no number")
    if words == "半":
        return Fraction(1, 2)
    if words[:1].isascii():
        top, _, bottom = words.partition("/")
        return Fraction(top) / Fraction(bottom or 1)
    total, digit = 0, 0
    for char in words:
        if char in TENS:
            total, digit = total + (digit or 1) * TENS[char], 0
        else:
            digit = DIGITS[char]
    return Fraction(total + digit)


@lru_cache(maxsize=1024)
def length_of(words: str, metres_per_chi: float) -> float | None:
    """A length in 尺, or None when the words are no length; parts add up (``二丈五尺``)."""
    total, at = 0.0, 0
    while at < len(words):
        part = PART.match(words, at)
        if part is None:
            return None
        try:
            count = count_of(part[1])
        except (ValueError, ZeroDivisionError):
            return None
        unit = part[2]
        total += float(count * CHI_IN[unit]) if unit in CHI_IN else float(count) * METRES_IN[unit] / metres_per_chi
        at = part.end()
    return total if at else None


def read_length(key: str, value: object, metres_per_chi: float) -> float:
    """The length that a scenario gives under a key, in 尺; a bare number or a foreign unit is refused."""
    words = str(value).strip()
    length = length_of(words, metres_per_chi)
    if length is not None and 0 < length <= FARTHEST:
        return length
    bare = re.fullmatch(NUMBER, words) is not None
    if length is not None and length > 0:
        why = f"is more than any yard has (at most {FARTHEST:g}尺)"
    else:
        why = "has no unit" if bare else "must be more than nothing" if length is not None else "is no length"
    raise ScenarioError(
        Finding(
            code="bad-measure",
            cause=f"{key} = {words}: this {why}; a number and a unit are expected, such as 20尺, 50弓, 三丈 or 12米",
            known="units: " + " ".join((*CHI_IN, *METRES_IN)),
            nearest=tuple(f"{words}{unit}" for unit in ("尺", "步", "米")) if bare else (),
        )
    )


def read_chi(value: object, named: dict[str, float]) -> float:
    """How many metres one 尺 has: a named one (``周尺``) or a length in metres (``0.231米``)."""
    words = str(value).strip()
    if words in named:
        return named[words]
    part = PART.fullmatch(words)
    if part is not None and part[2] in METRES_IN:
        metres = length_of(words, 1.0)
        if metres is not None and 0.1 < metres < 1.0:  # noqa: PLR2004  # no 尺 of any age lies outside; a slip of unit does
            return metres
    raise ScenarioError(
        Finding(
            code="bad-measure",
            cause=f"尺 = {words}: a named 尺 or its length in metres between 0.1 and 1 is expected, such as 0.231米",
            nearest=tuple(named),
        )
    )


def read_count(key: str, value: object) -> float:
    """A whole number of people or things that a scenario gives under a key."""
    words = str(value).strip()
    if re.fullmatch(NUMBER, words) and len(words) <= FIGURES and "/" not in words:
        count = count_of(words)
        if count.denominator == 1 and count <= MOST:
            return float(count)
    raise ScenarioError(
        Finding(code="bad-count", cause=f"{key} = {words}: a whole number from 0 to {MOST} is expected")
    )
