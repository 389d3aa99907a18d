"""Everything a performance stands on, made once: rite, words, cast, building, program.

Comes in: a rite and a scenario. Goes out: a ``Stage`` from which any number of worlds can be set up.
"""

from __future__ import annotations

import tomllib
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from yanli.errors import Finding, RiteError, YanliError
from yanli.lexicon import load_lexicon
from yanli.performance.naming import Known, entries, faced, nobodies, unanswered
from yanli.performance.primitives import DOES, NEEDS
from yanli.performance.shooting import Shooting, rounds_of, shootings
from yanli.performance.world import NOWHERE, Actor, Thing, World
from yanli.plan import program as p
from yanli.plan.casting import complete, lend, make_cast
from yanli.plan.figures import is_figure
from yanli.plan.marks import Marks, read_marks
from yanli.plan.readings import Readings, nearest
from yanli.plan.resolve import Program, Resolver
from yanli.plan.targets import Targets, read_targets
from yanli.venue import Layout, Spot, build, keys_of
from yanli.venue.spot import FACINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from yanli.lexicon import Lexicon
    from yanli.notation.rite import Rite
    from yanli.plan.acts import Acts
    from yanli.plan.cast import Cast
    from yanli.plan.scenario import Key, Scenario

# What of the rite that it is like a rite may use whose scenario is its own.
LENT = ("target", "marks")
TABLES = ("cast.toml", "groups.toml", "things.toml", "places.toml")


class Stage:
    """A rite made ready for one scenario. ``findings``: what the resolving found."""

    def __init__(
        self,
        rite: Rite,
        scenario: Scenario,
        lexicon: Lexicon,
        tables: Mapping[str, Any],
        buildings: Mapping[str, object],
        guests: tuple[Rite, ...] = (),
    ) -> None:
        """Work out building, cast and program; ``guests`` are other rites whose passages are called."""
        self.rite = rite
        self.guests = guests
        self.scenario = scenario
        self.lexicon = lexicon
        places = tables.get("places.toml", {})
        self.layout = Layout(
            build(scenario.building(), buildings, places), places, (*lexicon.entries["role"], *lexicon.entries["thing"])
        )
        # What the building has a place for stands there, though it is a thing too (洗, 楅).
        self.layout.names -= frozenset(self.layout.anchors())
        things = entries(tables.get("things.toml", {}), "things")
        chosen = dict(scenario.readings)
        lent = [_readings(guest, chosen, scenario.school, own=set(rite.cruxes)) for guest in guests]
        self.readings = _readings(rite, chosen, scenario.school)
        self.cast: Cast = make_cast(
            entries(tables.get("cast.toml", {}), "cast"),
            tables.get("groups.toml", {}),
            things,
            scenario.values,
            lexicon,
            self.readings.holds,
        )
        settings = rite_settings(rite)
        self.marks: Marks = read_marks(settings)
        self.targets = Targets(read_targets(settings), self.cast, scenario.values)
        self.marks.forget(self.targets.names - frozenset(self.targets.named))
        resolver = Resolver(
            rite, lexicon, self.cast, self.layout, scenario.values, self.readings, self.marks, self.targets
        )
        offset = len(rite.clauses)
        for guest, readings in zip(guests, lent, strict=True):
            values = lend(_keys(guest), scenario.values)
            lender = Resolver(guest, lexicon, self.cast, self.layout, values, readings, self.marks, self.targets)
            resolver.invite(lender, offset)
            offset += len(guest.clauses)
        _known_primitives(resolver)
        self.program: Program = resolver.program()
        self.acts: Acts = resolver.acts
        self.findings: list[Finding] = list(self.program.findings)
        self.rounds: dict[int, tuple[int, int]] = {
            number: self.program.ranges[name]
            for number, name in enumerate(rounds_of(settings), 1)
            if name in self.program.ranges
        }
        self.shootings: dict[int, Shooting] = shootings(settings, self.cast, self.program.ranges)
        known = Known(
            cast=self.cast, layout=self.layout, lexicon=lexicon, ranges=frozenset(self.program.ranges),
            cruxes=frozenset(crux for one in (rite, *guests) for crux in one.cruxes),
        )  # fmt: skip
        own = {name: table for name, table in tables.items() if (rite.folder / name).is_file()}
        self.findings += (
            *faced(self.cast), *nobodies(own, known), *unanswered(rite.settings, self.targets, known)
        )  # fmt: skip
        # Each block once, though another rite's passage may be called more than once.
        found = list(_answers(self.program.root, set() if guests else None))
        self.answers: tuple[p.Answer, ...] = tuple({answer.number: answer for answer in reversed(found)}.values())[::-1]
        self.small = frozenset(
            word for word, entry in lexicon.entries["thing"].items() if getattr(entry, "small", False)
        )
        self.bearing: dict[str, tuple[str, ...]] = {
            word: bears for word, entry in lexicon.entries["thing"].items() if (bears := getattr(entry, "bears", ()))
        }
        self.vessels = frozenset(
            word for word, entry in lexicon.entries["thing"].items() if getattr(entry, "holds", False)
        )
        self.cup_verbs = frozenset(
            name
            for name, verb in self.program.verbs.items()
            if any(need[0] in {"filled", "empty"} for need in verb.needs)
        )

    def world(self) -> World:
        """Set up the world as it is before the first act."""
        actors: dict[str, Actor] = {}
        rows = self._rows()
        for index, person in enumerate(self.cast.persons.values()):
            spot = rows[person.name]
            actor = Actor(person.name, index, spot, party=person.party, stair=person.stair)
            actor.dress = person.dress
            if person.facing is not None:
                actor.facing = FACINGS.get(person.facing.removesuffix("面"), 0.0)
            actors[person.name] = actor
        things: list[Thing] = []
        boxes: dict[tuple[str, str | None], Thing] = {}
        numbers: dict[str, int] = {}
        for prop in self.cast.properties:
            owner = actors.get(prop.of) if prop.of else None
            # What lies in another thing that has no place of its own is kept under that thing's id (肺 in 俎.3).
            box = boxes.get((prop.at, prop.of)) or boxes.get((prop.at, None))
            if box is not None and self.layout.rule(prop.at) is None:
                where, spot = box.id, box.spot
            else:
                # At a place that each of a group has (工席), somebody's own thing is at his.
                where = f"{prop.at}.{prop.of.partition('.')[2]}" if prop.of and "." in prop.of else prop.at
                where = where if self.layout.has(where) else prop.at
                spot = self._spot(where, f"things.toml: {prop.kind}")
            for _ in range(prop.number):
                numbers[prop.kind] = number = numbers.get(prop.kind, 0) + 1
                thing = Thing(f"{prop.kind}.{number}", prop.kind, where, spot, of=owner)
                boxes[prop.kind, prop.of] = thing
                thing.hands = prop.hands
                if prop.state:
                    thing.states = {"狀": prop.state}
                things.append(thing)
        return World(actors.values(), things)

    def _rows(self) -> dict[str, Spot]:
        """Where everybody is at the beginning: those of one place in a row, in rank order."""
        together: dict[tuple[str, str | None], list[str]] = {}
        for person in self.cast.persons.values():
            together.setdefault((person.at, person.facing), []).append(person.name)
        found: dict[str, Spot] = {}
        for (place, facing), names in together.items():
            spot = self._spot(place, f"cast.toml: {names[0]}")
            degrees = FACINGS.get((facing or "").removesuffix("面"), 0.0)
            row = [spot] if len(names) == 1 else self.layout.row(spot, len(names), degrees, None, 3.0).spots
            for name, other in zip(names, row, strict=True):
                found[name] = Spot(place, other.x, other.y, other.zone, spot.facing)
        return found

    def _spot(self, place: str, what: str) -> Spot:
        try:
            return self.layout.spot(place)
        except YanliError as fault:
            if place == NOWHERE:
                return self.layout.spot("門外")
            cause = fault.findings[0].cause if fault.findings else str(fault)
            finding = Finding(
                code="no-place", cause=f"{what}: {cause}", nearest=fault.findings[0].nearest if fault.findings else ()
            )
            if finding not in self.findings:
                self.findings.append(finding)
            return self.layout.spot("門外")


def _readings(rite: Rite, chosen: dict[str, str], school: str | None, own: set[str] | None = None) -> Readings:
    """Decide a rite's cruxes; with ``own`` it is a guest, and takes from ``chosen`` what only it knows."""
    cruxes = {
        name: tuple(reading for site in crux.sites[:1] for reading in site.readings)
        for name, crux in rite.cruxes.items()
    }
    if own is None:
        return Readings(cruxes, chosen, school)
    taken = {crux: chosen.pop(crux) for crux in list(chosen) if crux in cruxes and crux not in own}
    return Readings(cruxes, taken, school)


def _known_primitives(resolver: Resolver) -> None:
    """See that every verb is made of what can be played. Raises RiteError for each that is not."""
    faults = [
        Finding(
            code="unknown-primitive",
            cause=f"the verb {name} {what} {words[0]!r}, and there is no such primitive",
            nearest=tuple(get_close_matches(words[0], known, 3, 0.4)),
            known=", ".join(known),
        )
        for name, verb in resolver.verbs.items()
        for what, told, known in (("needs", verb.needs, tuple(NEEDS)), ("does", verb.does, tuple(DOES)))
        for words in told
        if words[0] not in known
    ]
    if faults:
        raise RiteError(*faults)


def _answers(node: p.Node, lent: set[tuple[int, bool]] | None = None, *, own: bool = True) -> Iterable[p.Answer]:
    """All blocks that answer acts, wherever they stand; passages of this rite that are played again add none.

    ``lent``: the rite calls passages of others, which may be called from such a passage too, or from a hung block; it
    holds what has been looked through. ``own``: false within those, where only what is called of another rite counts.
    """
    if lent is not None:
        if (id(node), own) in lent:
            return
        lent.add((id(node), own))
    if isinstance(node, p.Answer) and own:
        yield node
    # Of passages of this rite that are played again, and of what hangs on a clause, only what another rite lends.
    if isinstance(node, p.Call):
        own = node.guest
        if not own and lent is None:
            return
    for item in _hung(node):
        # A section that is told elsewhere is done only here.
        if isinstance(item, p.Placed):
            yield from _answers(item.body, lent, own=own)
        elif lent is not None:
            yield from _answers(item, lent, own=False)
    for part in _parts(node):
        yield from _answers(part, lent, own=own)


def _hung(node: p.Node) -> Iterable[p.Node]:
    """What hangs on a clause."""
    if isinstance(node, p.Clause):
        for hung in (*node.before, *node.after):
            yield from hung.body.items


def _parts(node: p.Node) -> Iterable[p.Node]:
    """What a node is made of."""
    match node:
        case p.Seq(items=items) | p.Par(items=items):
            return items
        case p.If(body=body, otherwise=otherwise):
            return (body, otherwise)
        case p.Answer(body=body) | p.Clause(body=body) | p.Call(body=body) | p.Each(body=body):
            return (body,)
        case p.Turns(body=body) | p.Chain(body=body):
            return (body,)
        case _:
            return ()


def open_stage(rite: Rite, scenario: Scenario) -> Stage:
    """Read the tables beside a rite (its own, else those of the rite it is ``like``), and make it ready."""
    tables = rite_tables(rite)
    complete_scenario(rite, scenario)
    guests = _guests(rite)
    folders = (one.folder for one in (*guests, rite))
    lexicon = load_lexicon(*(folder for folder in folders if (folder / "lexicon.toml").is_file()))
    return Stage(rite, scenario, lexicon, tables, _buildings(), guests)


def _guests(rite: Rite) -> tuple[Rite, ...]:
    """The other rites whose passages a rite calls (``calls`` in rite.toml). Raises RiteError for one there is not."""
    from yanli.notation.rite import load_rite

    try:
        names = msgspec.convert(rite.settings.get("calls", ()), tuple[str, ...])
    except msgspec.ValidationError as fault:
        raise RiteError(Finding(code="bad-table", cause=f"rite.toml: calls: {fault}")) from None
    return tuple(load_rite(name) for name in names)


def building_keys(rite: Rite) -> tuple[str, ...]:
    """The keys of a scenario that the venue understands."""
    return keys_of(_buildings(), rite_tables(rite).get("places.toml", {}))


def complete_scenario(rite: Rite, scenario: Scenario) -> None:
    """Let the numbers that grow as needed grow. Raises ScenarioError when one that is given is too small."""
    keys = _keys(rite)
    scenario.figured |= {name for name in keys if is_figure(scenario.values.get(name))}
    complete(keys, scenario.values, scenario.given)


def _keys(rite: Rite) -> Mapping[str, Key]:
    """What a scenario of a rite may say."""
    from yanli.plan.scenario import read_keys

    return read_keys(rite_settings(rite), rite.name)


def rite_settings(rite: Rite) -> Mapping[str, Any]:
    """The rite's settings; the scenario's keys, the rounds and tables it lacks are those of the rite it is like.

    One that has keys of its own has nothing of another's but what it names with ``like``: targets and marks.
    """
    own = "scenario" in rite.settings
    if own and "like" not in rite.settings:
        return rite.settings
    folder = _like(rite)
    found = _read(folder / "rite.toml") if folder is not None else {}
    return {**({key: found[key] for key in LENT if key in found} if own else found), **rite.settings}


def rite_tables(rite: Rite) -> dict[str, Any]:
    """Read cast, groups, things and places. Raises RiteError when one is not TOML."""
    like = _like(rite)
    tables: dict[str, Any] = {}
    for name in TABLES:
        path = rite.folder / name
        if not path.is_file() and like is not None:
            path = like / name
        if path.is_file():
            tables[name] = _read(path)
    return tables


def _like(rite: Rite) -> Path | None:
    """The folder of the rite that this one is like, if it has no cast of its own: the one it names, else the first.

    Raises RiteError when it names a rite that there is not.
    """
    from yanli.notation.rite import list_rites

    wanted = rite.settings.get("like")
    heads = list_rites()
    for head in heads:
        if wanted in head.names or (wanted is None and (head.folder / "cast.toml").is_file()):
            return head.folder
    if wanted is not None:
        known = tuple(name for head in heads for name in head.names)
        cause = f"rite.toml: like = {wanted!r}: no rite is called so"
        raise RiteError(Finding(code="unknown-rite", cause=cause, nearest=nearest(str(wanted), known)))
    return None


@cache
def _read(path: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise RiteError(Finding(code="bad-table", cause=f"{path.name}: {fault}")) from None


@cache
def _buildings() -> Mapping[str, object]:
    from importlib.resources import files

    text = files("yanli").joinpath("rites", "lexicon", "buildings.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
