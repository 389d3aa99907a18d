"""The places of a rite, as data: the rules of its ``places.toml``, and those that ``buildings.toml`` gives every rite.

Comes in: parsed TOML. Goes out: frozen rules, still in words; ``layout.py`` works them out in a building.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from yanli.errors import Finding, RiteError
from yanli.venue.building import Building
from yanli.venue.spot import FACINGS


class Change(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is otherwise in one kind of building, or when the first rule finds no room."""

    x: str = ""
    y: str = ""
    zone: str = ""
    facing: str = ""
    head: str = ""
    words: str = ""
    source: str = ""


class PlaceRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"when": "with", "other": "or"}):
    """Where a place is, by rule, and on whose word.

    ``size`` is its breadth across the way it faces and its depth along it; ``head`` the end where the first sits;
    ``numbered`` places (眾賓席.2) use ``n`` in their rules; ``or`` takes over where the rule leaves its zone (there
    ``m`` counts from 1 again); ``loose`` places are pushed back into their zone, because the words give a direction
    only; ``solid`` ones are walked round, if the building has what is named; ``reach`` are the distances at which one
    stands to them, where these are not usual; ``approach`` is the side from which they are used; ``en`` its English,
    where the lexicon does not have the word.
    """

    x: str
    y: str
    zone: str
    source: str
    words: str = ""
    facing: str = ""
    head: str = ""
    form: str = ""
    approach: str = ""
    of: str = ""
    also: tuple[str, ...] = ()
    size: tuple[str, str] | None = None
    reach: dict[str, str] = {}
    by: dict[str, Change] = {}
    when: dict[str, Change] = {}
    other: Change | None = None
    needs: tuple[str, ...] = ()
    numbered: bool = False
    loose: bool = False
    solid: tuple[str, ...] | None = None
    assumed: bool = False
    note: str = ""
    en: str = ""


class Offset(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a form: so far ahead of its middle, so far towards its head."""

    ahead: str = "0"
    head: str = "0"


class Form(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What all places of one form have (a mat has a head, an end, food before it)."""

    source: str = ""
    size: tuple[str, str] | None = None
    reach: dict[str, str] = {}
    parts: dict[str, Offset] = {}
    note: str = ""


class Fit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Room that the words ask for: ``need`` may not be more than ``have``; not where the rule ``of`` comes to 0."""

    place: str
    need: str
    have: str
    source: str
    of: str = "1"
    words: str = ""


class Way(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A path with a name (由楹內, 鉤楹): the places it leads by, those between its two ends."""

    through: tuple[str, ...]
    source: str
    words: str = ""


class Places(msgspec.Struct, frozen=True):
    """Everything a rite and the lexicon say of places, for one building."""

    rules: dict[str, PlaceRule]
    forms: dict[str, Form]
    fits: tuple[Fit, ...]
    ways: dict[str, Way]
    generic: frozenset[str]
    also: dict[str, str]


class _File(msgspec.Struct, frozen=True):
    places: dict[str, PlaceRule] = {}
    forms: dict[str, Form] = {}
    fits: tuple[Fit, ...] = ()
    ways: dict[str, Way] = {}
    generic: tuple[str, ...] = ()


def read_places(building: Building, rite: Mapping[str, object]) -> Places:
    """The rules of the lexicon and the rite together; the rite's win. What the building lacks is left out."""
    common, own = _convert("buildings.toml", building.lexicon), _convert("places.toml", rite)
    rules = {name: rule for name, rule in {**common.places, **own.places}.items() if building.holds(rule.needs)}
    _check(rules.items(), {**common.forms, **own.forms})
    also = {other: name for name, rule in rules.items() for other in rule.also if other not in rules}
    return Places(
        rules=rules,
        forms={**common.forms, **own.forms},
        fits=(*common.fits, *own.fits),
        ways={**common.ways, **own.ways},
        generic=frozenset((*common.generic, *own.generic)),
        also=also,
    )


def for_building(rule: PlaceRule, building: Building) -> PlaceRule:
    """The rule as this building has it."""
    change = rule.by.get(building.kind) or rule.by.get(building.like)
    for feature, other in rule.when.items():
        if building.holds((feature,)):
            change = other
            break
    return changed(rule, change) if change else rule


def changed(rule: PlaceRule, change: Change) -> PlaceRule:
    """The rule with what the change says."""
    told = {field: value for field in change.__struct_fields__ if (value := getattr(change, field))}
    return msgspec.structs.replace(rule, **told)


def _convert(file: str, data: Mapping[str, object]) -> _File:
    try:
        return msgspec.convert(data, _File)
    except msgspec.ValidationError as fault:
        raise RiteError(Finding(code="bad-places", cause=f"{file}: {fault}")) from None


def _check(rules: Iterable[tuple[str, PlaceRule]], forms: Mapping[str, Form]) -> None:
    faults = [
        Finding(code="bad-places", cause=f"{name}: {word} is no facing", nearest=tuple(FACINGS))
        for name, rule in rules
        for word in (rule.facing, rule.head)
        if word and word not in FACINGS
    ]
    faults += [
        Finding(code="bad-places", cause=f"{name}: no form is called {rule.form}", nearest=tuple(forms))
        for name, rule in rules
        if rule.form and rule.form not in forms
    ]
    if faults:
        raise RiteError(*faults)
