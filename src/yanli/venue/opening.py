"""Reads the TOML of the lexicon and of a rite and gives the layout that a scenario asks for.

Comes in: a rite's folder under ``rites/`` and a scenario's keys. Goes out: a :class:`Layout`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

from yanli.errors import Finding, RiteError
from yanli.venue.building import build
from yanli.venue.layout import Layout


def open_layout(rite: str, settings: Mapping[str, object], names: Iterable[str] = ()) -> Layout:
    """The layout of a rite (by its folder, ``xiangshe``) in the building that the settings describe."""
    lexicon, places = _toml("lexicon/buildings.toml"), _toml(f"{rite}/places.toml")
    return Layout(build(settings, lexicon, places), places, names)


@cache
def _toml(path: str) -> Mapping[str, object]:
    file = files("yanli").joinpath("rites", *path.split("/"))
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RiteError(Finding(code="no-places", cause=f"rites/{path}: there is no such file")) from None
    except tomllib.TOMLDecodeError as fault:
        raise RiteError(Finding(code="bad-places", cause=f"rites/{path}: {fault}")) from None
