"""A building: which kind it is, what it has, and all its measures in 尺, worked out from what the user's yard is.

Comes in: the lexicon's ``buildings.toml``, a rite's ``places.toml`` (parsed) and a scenario's keys. Goes out: a frozen
:class:`Building`. Defaults are rules over other measures, so a yard may give any of them and the rest follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

import msgspec

from yanli.errors import Finding, RiteError, ScenarioError
from yanli.venue.measure import count_of, read_chi, read_count, read_length
from yanli.venue.rule import read_rule, value_of

ABSENT = ("無", "None", "none", "否")
PRESENT = ("有", "是")
MOST_STEPS = 100
HALL = ("堂深", "堂廣")
"""A yard without these has no hall: it is drawn on the floor at its usual size."""


class Chi(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One 尺 of history: its length in metres, and on whose word."""

    metres: float
    source: str
    assumed: bool = False
    note: str = ""


class Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of building (序, 庠): what it has, what it may have."""

    source: str
    has: tuple[str, ...]
    may: tuple[str, ...] = ()
    words: str = ""
    like: str = ""
    assumed: bool = False
    note: str = ""


class Measure(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"when": "with"}):
    """How a measure is found when the scenario does not give it; ``by`` the kind, ``with`` what the building has."""

    rule: str
    source: str
    by: dict[str, str] = {}
    when: dict[str, str] = {}
    key: bool = False
    whole: bool = False
    otherwise: str = ""
    words: str = ""
    assumed: bool = False
    note: str = ""


class Zone(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A zone's rectangle, as rules; ``level`` 上 on the hall's floor, 下 on the ground."""

    name: str
    x: tuple[str, str]
    y: tuple[str, str]
    level: str = "下"
    needs: tuple[str, ...] = ()


class Stair(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A stair: where it stands, and its foot and top."""

    x: str
    foot: str
    top: str
    needs: tuple[str, ...] = ()


class Buildings(msgspec.Struct, frozen=True):
    """``buildings.toml``, read; places and kinds of places are read by ``places.py``."""

    chi: dict[str, Chi]
    kinds: dict[str, Kind]
    measures: dict[str, Measure]
    zones: tuple[Zone, ...]
    walls: tuple[Zone, ...]
    stairs: dict[str, Stair]


class Building(msgspec.Struct, frozen=True, kw_only=True):
    """One building with its measures in 尺; ``own`` are the keys that the scenario gave itself.

    ``missing`` holds the measures it lacks, each with the key that was set to 無.
    """

    kind: str
    like: str
    metres: float
    has: frozenset[str]
    measures: dict[str, float]
    missing: dict[str, str]
    own: frozenset[str]
    zones: tuple[Zone, ...]
    walls: tuple[Zone, ...]
    stairs: dict[str, Stair]
    lexicon: Mapping[str, object]

    def in_metres(self, chi: float) -> float:
        """A length in metres; for the edges only."""
        return chi * self.metres

    def holds(self, needs: Iterable[str]) -> bool:
        """Whether the building has all these; ``無室`` asks that it has no 室."""
        return all((need[1:] not in self.has) if need.startswith("無") else (need in self.has) for need in needs)


def keys_of(lexicon: Mapping[str, object], places: Mapping[str, object]) -> tuple[str, ...]:
    """Every scenario key that this room understands."""
    read = _read(lexicon)
    features = {feature for kind in read.kinds.values() for feature in (*kind.has, *kind.may)}
    measures = _measures(read, places)
    lengths = (name for name, measure in measures.items() if measure.key)
    return tuple(dict.fromkeys(("所", "尺", *sorted(features), *lengths)))


def build(settings: Mapping[str, object], lexicon: Mapping[str, object], places: Mapping[str, object]) -> Building:
    """The building that a scenario asks for; keys that are not this room's are left alone, all faults are told."""
    read = _read(lexicon)
    faults: list[Finding] = []
    name = str(settings.get("所", "") or _default_kind(places, read))
    kind = read.kinds.get(name)
    if kind is None:
        raise ScenarioError(
            Finding(
                code="unknown-building",
                cause=f"所 = {name}: no such building; {'、'.join(read.kinds)} are known",
                nearest=tuple(read.kinds),
            )
        )
    metres = read_chi(settings.get("尺", next(iter(read.chi))), {chi: one.metres for chi, one in read.chi.items()})
    has = _features(settings, name, kind, faults, frozenset(map(str, _listed(places.get("has")))))
    rules = _measures(read, places)
    given, missing = _given(settings, rules, metres, faults)
    if "階" in settings and "階" in has:
        _steps(settings["階"], given, faults)
    if faults:
        raise ScenarioError(*faults)
    like = kind.like or name
    measures, lacks = _work_out(rules, given, missing, like, has)
    zones = (*msgspec.convert(places.get("zones", ()), tuple[Zone, ...]), *read.zones)
    return Building(
        kind=name,
        like=like,
        metres=metres,
        has=has,
        measures=measures,
        missing=lacks,
        own=frozenset(given),
        zones=zones,
        walls=read.walls,
        stairs=read.stairs,
        lexicon=lexicon,
    )


def _read(lexicon: Mapping[str, object]) -> Buildings:
    try:
        return msgspec.convert(lexicon, Buildings)
    except msgspec.ValidationError as fault:
        raise RiteError(Finding(code="bad-lexicon", cause=f"buildings.toml: {fault}")) from None


def _measures(read: Buildings, places: Mapping[str, object]) -> dict[str, Measure]:
    own = msgspec.convert(places.get("measures", {}), dict[str, Measure])
    return {**read.measures, **own}


def _default_kind(places: Mapping[str, object], read: Buildings) -> str:
    return str(places.get("所", next(iter(read.kinds))))


def _listed(value: object) -> Iterable[object]:
    return value if isinstance(value, (list, tuple)) else ()


def _features(
    settings: Mapping[str, object], name: str, kind: Kind, faults: list[Finding], asked: frozenset[str]
) -> frozenset[str]:
    """What the building has: as its kind has it, with what the rite's words suppose and it may have."""
    has = {*kind.has, *(asked & frozenset(kind.may))}
    for feature in (*kind.has, *kind.may):
        word = str(settings.get(feature, "")).strip()
        if word in ABSENT:
            has.discard(feature)
        elif word in PRESENT or (feature == "階" and word):
            has.add(feature)
        elif word:
            faults.append(
                Finding(code="bad-feature", cause=f"{feature} = {word}: 有 or 無 is expected", nearest=("有", "無"))
            )
    faults.extend(
        Finding(code="bad-feature", cause=f"{feature} = 有: a {name} has no {feature}")
        for feature in ("室", "房", "夾", "北階")
        if feature not in (*kind.has, *kind.may) and str(settings.get(feature, "")).strip() in PRESENT
    )
    if any(str(settings.get(key, "")).strip() in ABSENT for key in HALL):
        has.discard("堂")
    if "堂" not in has:
        has.discard("階")
    return frozenset(has)


def _given(
    settings: Mapping[str, object], rules: Mapping[str, Measure], metres: float, faults: list[Finding]
) -> tuple[dict[str, float], set[str]]:
    given: dict[str, float] = {}
    missing: set[str] = set()
    for key, measure in rules.items():
        if not measure.key or key not in settings:
            continue
        if settings[key] is None or str(settings[key]).strip() in ABSENT:
            if key not in HALL:
                missing.add(key)
            continue
        try:
            given[key] = read_count(key, settings[key]) if measure.whole else read_length(key, settings[key], metres)
        except ScenarioError as fault:
            faults.extend(fault.findings)
    return given, missing


def _steps(value: object, given: dict[str, float], faults: list[Finding]) -> None:
    words = str(value).strip().removesuffix("等").removesuffix("級")
    if words in PRESENT:
        return
    try:
        steps = count_of(words)
    except (KeyError, ValueError, ZeroDivisionError):
        steps = count_of("0")
    if steps.denominator == 1 and 0 < steps <= MOST_STEPS:
        given["等"] = float(steps)
        return
    faults.append(
        Finding(
            code="bad-measure",
            cause=f"階 = {value}: a number of steps is expected, such as 三等 (at most {MOST_STEPS}), or 無",
            nearest=("三等", "無"),
        )
    )


def _work_out(
    rules: Mapping[str, Measure],
    given: Mapping[str, float],
    missing: set[str],
    like: str,
    has: frozenset[str],
) -> tuple[dict[str, float], dict[str, str]]:
    values = dict(given)
    lacks = {name: name for name in missing}
    under_way: list[str] = []

    def look_up(name: str) -> float:
        if name in values:
            return values[name]
        if name in lacks:
            raise _MissingError(lacks[name])
        measure = rules.get(name)
        if measure is None:
            near = tuple(get_close_matches(name, rules, 3, 0.3))
            raise RiteError(Finding(code="unknown-measure", cause=f"no measure is called {name}", nearest=near))
        if name in under_way:
            raise RiteError(
                Finding(code="circular-measure", cause=" → ".join((*under_way, name)) + " goes in a circle")
            )
        under_way.append(name)
        try:
            value = value_of(read_rule(_chosen(measure, like, has)), look_up)
        except _MissingError:
            if not measure.otherwise:
                raise
            value = value_of(read_rule(measure.otherwise), look_up)
        finally:
            under_way.pop()
        values[name] = value
        return value

    for name in rules:
        try:
            look_up(name)
        except _MissingError as fault:
            lacks[name] = str(fault)
    return values, lacks


def _chosen(measure: Measure, like: str, has: frozenset[str]) -> str:
    for feature, rule in measure.when.items():
        if (feature[1:] not in has) if feature.startswith("無") else (feature in has):
            return rule
    return measure.by.get(like, measure.rule)


class _MissingError(Exception):
    """A measure that the yard does not have (侯道 = 無)."""
