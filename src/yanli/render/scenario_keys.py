"""The keys that a scenario of one rite may have: name, type, what it may be, what it is if nobody says, what it means.

Comes in: the name of a rite. Goes out: values, and the same as text, in Chinese and English.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from yanli.notation.rite import list_rites, load_rite
from yanli.performance.stage import building_keys, complete_scenario, rite_settings
from yanli.plan.figures import is_figure
from yanli.plan.scenario import NO, YES, Key, make_scenario, read_keys
from yanli.render.columns import wrap

if TYPE_CHECKING:
    from collections.abc import Mapping

PAGE = 96
FEATURE = ("有", "無")
MEASURE = "measure"
KINDS = {
    "count": "數 count", "number": "數 number", "choice": "擇 choice", "flag": "是否 flag", MEASURE: "度 measure",
    "seed": "數 seed",
}  # fmt: skip
PART = "有無 part"
LEFT = "隨宮室 of the building"


class KeyEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A key. ``default``: what it is in a scenario that says nothing; None where the building decides.

    ``by``: the expression from which the default is worked out (a table of rank, a sum), where it is not fixed.
    """

    key: str
    type: str
    values: list[str]
    min: int | None
    max: int | None
    default: int | str | None
    by: str | None
    zh: str
    en: str
    source: str | None


class RiteKeys(msgspec.Struct, frozen=True, kw_only=True):
    """The keys of one rite."""

    rite: str
    slug: str
    keys: list[KeyEntry]


def keys_of(rite_name: str) -> RiteKeys:
    """List the keys of a rite, those of its scenario first, then those that only the building has.

    What a rite does not say of a part of the building is told as the first rite tells it that does. Raises a YanliError
    where the rite cannot be had.
    """
    rite = load_rite(rite_name)
    told = read_keys(rite_settings(rite), rite.name)
    scenario = make_scenario(told, ())
    complete_scenario(rite, scenario)
    built = [name for name in building_keys(rite) if name not in told]
    described = {**told, **_elsewhere(built)}
    keys = [
        _entry(name, described.get(name, Key(type=MEASURE)), scenario.values if name in told else {})
        for name in (*told, *built)
    ]
    return RiteKeys(rite=rite.name, slug=rite.slug, keys=keys)


def _elsewhere(names: list[str]) -> dict[str, Key]:
    """What the rites that come with Yanli say of parts of a building; the first that says it."""
    found: dict[str, Key] = {}
    for head in list_rites():
        if len(found) == len(names):
            break
        rite = load_rite(head.slug)
        keys = read_keys(rite_settings(rite), rite.name)
        found = {**{name: keys[name] for name in names if name in keys}, **found}
    return found


def _entry(name: str, key: Key, values: Mapping[str, int | str]) -> KeyEntry:
    expression = key.default if is_figure(key.default) else None if key.default is not None else key.least
    return KeyEntry(
        key=name,
        type=key.type,
        values=[YES, NO] if key.type == "flag" else list(key.values),
        min=key.min,
        max=key.max,
        default=values.get(name),
        by=None if expression is None else str(expression),
        zh=key.zh,
        en=key.en,
        source=key.source,
    )


def keys_text(found: RiteKeys) -> str:
    """The same, to read: each key with what it may be and what it is else (不言則)."""
    lines = [f"{found.rite}　設 keys of a scenario：--set KEY=VALUE", ""]
    for each in found.keys:
        kind = PART if tuple(each.values) == FEATURE else KINDS.get(each.type, each.type)
        lines.append("  ".join(part for part in (f"  {each.key}", kind, _range(each)) if part))
        lines.append(f"      不言則 else {_else(each)}")
        for text in (each.zh, each.en, f"據 {each.source}" if each.source else ""):
            lines += [f"      {line}" for line in wrap(text, PAGE)] if text else []
    return "\n".join(lines) + "\n"


def _range(each: KeyEntry) -> str:
    """What may be given: the words, or the bounds."""
    if each.values:
        return "、".join(each.values)
    if each.min is None and each.max is None:
        return ""
    return f"{each.min or 0}–{'' if each.max is None else each.max}"


def _else(each: KeyEntry) -> str:
    """What holds if nobody says, and from what it is worked out."""
    if each.default is None:
        return LEFT
    return f"{each.default}" + (f"（{each.by}）" if each.by is not None else "")
