"""When the commentators wrote, so that what they say can be set in the order of time.

Comes in: ``eras.toml`` and a commentator's full name. Goes out: his dynasty and a year (of our era), or None where
nothing is known of him.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec


class Era(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A commentator's dynasty and a year; ``of``: 卒 he died, 成 his work was done, 第 he graduated, 約 about then."""

    era: str
    year: int
    of: Literal["卒", "成", "第", "約"]


class _Eras(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    zh: str
    en: str
    source: str
    commentator: dict[str, Era]


@cache
def eras() -> dict[str, Era]:
    """All that are known, by full name."""
    path = files("yanli.corpus").joinpath("eras.toml")
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), _Eras).commentator


def era_of(name: str | None) -> Era | None:
    """When a commentator wrote; None where nobody is named, or nothing is known of him."""
    return None if name is None else eras().get(name)
