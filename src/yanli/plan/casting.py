"""Working out a cast: persons, groups, pairs and properties of one scenario."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from yanli.errors import Finding, ScenarioError
from yanli.plan.cast import NOWHERE, Cast, Pair, Person, Property, evaluate
from yanli.plan.figures import figure, is_figure, word_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from yanli.lexicon import Lexicon
    from yanli.plan.scenario import Key
    from yanli.tables import Cell

# So many of one table at most: beyond it there is a slip of the pen.
MOST = 1_000_000
# The types of scenario keys that are numbers of people or things, and that of those which are lengths.
NUMBERS = frozenset({"count", "number"})
LENGTH = "measure"
# Those of the keys that another rite lends.
WORDS = frozenset({"choice", "flag"})


class PersonTable(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """One table of ``cast.toml``: a person, or (with ``count``) a group of persons numbered in rank order.

    ``members``: the group's persons bear these names instead, ``count`` of each (上射.1, 下射.1, 上射.2 …).
    ``present``: an expression; where it comes to 0, he is nobody here, and what is told of him does not happen.
    """

    name: str
    present: int | str = 1
    count: int | str | None = None
    members: tuple[str, ...] = ()
    party: str = ""
    stair: str | None = None
    place: str = "門外"
    facing: str | None = None
    dress: tuple[str, ...] = ()
    en: str = ""
    zh: str = ""
    source: str | None = None
    note: str | None = None


class GroupTable(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """One group of ``groups.toml``; a ``late`` one is taken out of the groups that the pairs make.

    ``by_reading``: of whom it is under a reading (``CRUX=NAME``).
    """

    of: tuple[str, ...]
    by_reading: dict[str, tuple[str, ...]] = {}
    first: int | str | None = None
    skip: int | str | None = None
    without: tuple[str, ...] = ()
    late: bool = False
    en: str | None = None
    source: str | None = None


class PairTable(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """One list of pairs of ``groups.toml``; ``by_reading``: drawn from other groups under a reading (``CRUX=NAME``)."""

    of: tuple[str, ...] = ()
    first: int | str | None = None
    count: int | str = 1
    upper: str | None = None
    lower: str | None = None
    draw: tuple[str, ...] = ()
    by_reading: dict[str, tuple[str, ...]] = {}
    source: str | None = None


class ThingTable(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """One entry of ``things.toml``: so many of a kind at a place, or ``number`` for each member of ``each``.

    ``reading``: only under this reading (``CRUX=NAME``). ``called``: which of its kind it is (鹿中 of 中): a word, or
    one that a table of rank gives.
    """

    kind: str
    called: str | None = None
    number: int | str = 1
    each: str | None = None
    of: str | None = None
    place: str | None = None
    within: str | None = msgspec.field(name="in", default=None)
    by: str | None = None
    assumed: bool = False
    reading: str | None = None
    state: str | None = None
    size: str | None = None
    source: str | None = None
    note: str | None = None
    zh: str | None = None
    en: str | None = None


class GroupsFile(msgspec.Struct, kw_only=True):
    """The whole of ``groups.toml``."""

    groups: dict[str, GroupTable] = {}
    pairs: dict[str, PairTable] = {}


def complete(keys: Mapping[str, Key], values: dict[str, int | str], given: frozenset[str]) -> dict[str, int | str]:
    """Work out the keys that a table of rank gives or that grow as needed; refuse those that are given too small.

    Raises ScenarioError, also for a figure that no text has: it must then be given.
    """
    _look_up(keys, values)
    faults: list[Finding] = []
    for name, key in keys.items():
        if key.least is None:
            continue
        least = evaluate(key.least, values, f"least number of {name}")
        if name not in given:
            values[name] = max(least, int(values.get(name, 0)))
        elif int(values[name]) < least:
            faults.append(
                Finding(
                    code="too-few",
                    cause=f"{name} = {values[name]}: this scenario needs at least {least} ({key.least})",
                    known="、".join(
                        f"{other}={values[other]}" for other in keys if other in key.least and other in values
                    ),
                )
            )
    if faults:
        raise ScenarioError(*faults)
    return values


def lend(keys: Mapping[str, Key], values: Mapping[str, int | str]) -> dict[str, int | str]:
    """The values with which another rite's passages are played: this scenario's, and the other's defaults for its own.

    ``keys``: the other's. Its choices and flags only are lent: how many there are of whom is for the cast to say.
    Raises ScenarioError for a default that no text has.
    """
    found = {name: key.default for name, key in keys.items() if key.default is not None and key.type in WORDS}
    found |= values
    _look_up(keys, found)
    return found


def _look_up(keys: Mapping[str, Key], values: dict[str, int | str]) -> None:
    """Put what the tables have in the place of what asks for it. Raises ScenarioError where no text has it."""
    for name, key in keys.items():
        if is_figure(values.get(name)):
            where = f"scenario key {name}"
            cell = figure(str(values[name]), values, where)
            values[name] = _figured(key, cell, where)
            if key.values and values[name] not in key.values:
                cause = f"{where}: {cell.place} is {values[name]}: expected one of {'、'.join(key.values)}"
                known = cell.words or None
                raise ScenarioError(Finding(code="bad-value", cause=cause, nearest=key.values, known=known))


def _figured(key: Key, cell: Cell, where: str) -> int | str:
    """What a cell gives to a key: a number, a length with its unit (90弓), or a word. Raises ScenarioError."""
    if key.type in NUMBERS:
        return cell.whole(where)
    return f"{cell.whole(where)}{cell.unit}" if key.type == LENGTH else cell.word(where)


def make_cast(
    persons: object,
    groups: Mapping[str, object],
    things: object,
    values: Mapping[str, object],
    lexicon: Lexicon,
    holds: Callable[[str], bool] = lambda _: False,
) -> Cast:
    """Work out a cast; ``holds`` says whether a reading (``CRUX=NAME``) is chosen.

    Raises ScenarioError when a table is malformed or there are too few to draw pairs from.
    """
    try:
        tables = msgspec.convert(persons, list[PersonTable])
        grouping = msgspec.convert(groups, GroupsFile)
        entries = msgspec.convert(things, list[ThingTable])
    except msgspec.ValidationError as fault:
        raise ScenarioError(Finding(code="bad-cast", cause=f"cast, groups or things of the rite: {fault}")) from None
    cast = Cast(persons={}, groups={}, pairs={}, offices={}, properties=[])
    for table in tables:
        if _number(table.present, values, f"whether there is {table.name}"):
            _add_person(cast, table.name, table, values, lexicon)
        else:
            cast.groups[table.name] = ()
    _add_groups(cast, grouping, values, holds, late=False)
    for name, pairs in grouping.pairs.items():
        drawn = next((draw for reading, draw in pairs.by_reading.items() if holds(reading)), pairs.draw)
        cast.pairs[name] = _pairs(cast, name, msgspec.structs.replace(pairs, draw=drawn), values)
    _collect_shooters(cast)
    _add_groups(cast, grouping, values, holds, late=True)
    _add_offices(cast, lexicon)
    for entry in entries:
        if entry.reading is None or holds(entry.reading):
            cast.properties.extend(_properties(cast, entry, values, lexicon))
    return cast


def _number(expression: int | str, values: Mapping[str, object], where: str) -> int:
    """How many of a table there are. Raises ScenarioError for more than anybody could bring together."""
    found = evaluate(expression, values, where)
    if found > MOST:
        raise ScenarioError(Finding(code="too-many", cause=f"{where}: {found} are more than {MOST}"))
    return found


def _add_groups(
    cast: Cast, grouping: GroupsFile, values: Mapping[str, object], holds: Callable[[str], bool], *, late: bool
) -> None:
    for name, group in grouping.groups.items():
        if group.late is late:
            of = next((members for reading, members in group.by_reading.items() if holds(reading)), group.of)
            cast.groups[name] = _members(cast, msgspec.structs.replace(group, of=of), values, name)
            if group.en is not None:
                cast.english[name] = group.en


def _add_offices(cast: Cast, lexicon: Lexicon) -> None:
    """Say which person holds each office that is nobody's name (司正, 司馬: 相)."""
    for word, role in lexicon.entries["role"].items():
        holder = getattr(role, "office_of", None)
        if holder is not None and word not in cast.persons:
            found = cast.groups.get(holder, (holder,) if holder in cast.persons else ())
            if found:
                cast.offices[word] = found[0]


def _add_person(cast: Cast, name: str, table: PersonTable, values: Mapping[str, object], lexicon: Lexicon) -> None:
    role = lexicon.role(name)
    count = 1 if table.count is None else _number(table.count, values, f"count of {name}")
    stair = table.stair or (role.stair if role is not None else "西階")
    if table.count is None:
        names = [name]
    elif table.members:
        names = [f"{member}.{number}" for number in range(1, count + 1) for member in table.members]
    else:
        names = [f"{name}.{number}" for number in range(1, count + 1)]
    for full in names:
        cast.persons[full] = Person(
            name=full,
            base=full.partition(".")[0],
            party=table.party or (role.party if role and role.party else ""),
            stair=stair,
            at=table.place,
            facing=table.facing,
            dress=table.dress,
            en=table.en or (role.en if role else ""),
        )
    if table.count is not None:
        cast.groups[name] = tuple(names)
        for member in table.members:
            cast.groups[member] = tuple(full for full in names if full.startswith(f"{member}."))


def _expand(cast: Cast, name: str) -> tuple[str, ...]:
    if name in cast.groups:
        return cast.groups[name]
    if name in cast.offices:
        return (cast.offices[name],)
    return (name,) if name in cast.persons else ()


def _members(cast: Cast, group: GroupTable, values: Mapping[str, object], name: str) -> tuple[str, ...]:
    found = tuple(member for part in group.of for member in _expand(cast, part))
    gone = {member for part in group.without for member in _expand(cast, part)}
    found = tuple(member for member in found if member not in gone)
    if group.skip is not None:
        found = found[evaluate(group.skip, values, name) :]
    if group.first is not None:
        found = found[: evaluate(group.first, values, name)]
    return found


def _pairs(cast: Cast, name: str, table: PairTable, values: Mapping[str, object]) -> tuple[Pair, ...]:
    if table.of:
        joined = tuple(pair for part in table.of for pair in cast.pairs.get(part, ()))
        return joined if table.first is None else joined[: evaluate(table.first, values, f"first of the pairs {name}")]
    count = evaluate(table.count, values, f"pairs of {name}")
    taken = {member for pairs in cast.pairs.values() for pair in pairs for member in (pair.upper, pair.lower)}
    pool = [member for part in table.draw for member in _expand(cast, part) if member not in taken]
    pool = list(dict.fromkeys(pool))
    uppers = list(_expand(cast, table.upper)) if table.upper else []
    lowers = list(_expand(cast, table.lower)) if table.lower else []
    found: list[Pair] = []
    for number in range(count):
        upper = uppers[number] if number < len(uppers) else (pool.pop(0) if pool else None)
        lower = lowers[number] if number < len(lowers) else (pool.pop(0) if pool else None)
        if upper is None or lower is None:
            raise ScenarioError(
                Finding(
                    code="too-few",
                    cause=f"{name}: there are not enough people for {count} pairs ({'、'.join(table.draw)})",
                )
            )
        found.append(Pair(upper, lower, name))
    return tuple(found)


def _collect_shooters(cast: Cast) -> None:
    """The groups that the pairs make: 上射, 下射 (all of them), and who shoots at all."""
    pairs = list(dict.fromkeys(pair for listed in cast.pairs.values() for pair in listed))
    unique = {(pair.upper, pair.lower): pair for pair in pairs}
    cast.groups["上射"] = tuple(upper for upper, _ in unique)
    cast.groups["下射"] = tuple(lower for _, lower in unique)
    everyone = tuple(member for pair in unique for member in pair)
    cast.groups["與射者"] = everyone
    cast.groups["射者"] = everyone
    for name, listed in cast.pairs.items():
        members = tuple(member for pair in listed for member in (pair.upper, pair.lower))
        cast.groups[name] = tuple(dict.fromkeys(members))


def _properties(cast: Cast, entry: ThingTable, values: Mapping[str, object], lexicon: Lexicon) -> list[Property]:
    kind = word_of(entry.kind, values, "kind of a thing")
    thing = lexicon.thing(kind)
    hands: int | str = thing.hands if thing is not None and thing.hands is not None else 1
    number = _number(entry.number, values, f"number of {kind}")
    place = entry.within or entry.place or NOWHERE

    def one(count: int, owner: str | None, place: str) -> Property:
        return Property(
            kind=kind,
            number=count,
            at=place,
            of=owner,
            by=entry.by,
            state=entry.state,
            size=None if entry.size is None else word_of(entry.size, values, f"size of {kind}"),
            called=None if entry.called is None else word_of(entry.called, values, f"which {kind}"),
            source=entry.source,
            hands=hands,
        )

    if entry.each is None:
        return [one(number, entry.of, place)] if number > 0 else []
    return [one(number, member, place) for member in _expand(cast, entry.each) if number > 0]
