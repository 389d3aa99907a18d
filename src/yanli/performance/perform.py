"""Playing a rite, and the performance that comes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yanli.corpus.folding import fold_search
from yanli.corpus.spelling import fold
from yanli.errors import Finding, RiteError, UnderdeterminedError
from yanli.notation import tree
from yanli.notation.address import clause_at, find_words, places_of_words
from yanli.performance.event import Event, EventData, Playing
from yanli.performance.machine import Machine
from yanli.performance.world import Actor, Thing, World
from yanli.plan.readings import nearest, spelt
from yanli.venue import facing_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yanli.notation.model import Clause
    from yanli.performance.fates import Fates
    from yanli.performance.stage import Stage
    from yanli.venue import Spot


class Performance:
    """A rite as played once: events in the order of time, what each changed, and what was found.

    ``events`` are numbered from 1. ``plays`` are the playings of clauses in the order of time. ``untaken``: for a
    clause that was not played, the condition that was not so.
    """

    def __init__(self, stage: Stage, machine: Machine) -> None:
        """Sort by time: start, then order of play."""
        self.stage = stage
        self.rite = stage.rite
        self.machine = machine
        self.findings: list[Finding] = [*stage.findings, *machine.findings]
        for order, event in enumerate(machine.events):
            event.order = order
        self.events: list[Event] = sorted(machine.events, key=lambda event: event.start)
        for number, event in enumerate(self.events, 1):
            event.n = number
        self.plays: list[Playing] = sorted(machine.plays, key=lambda play: play.start)
        self.untaken = machine.untaken
        self.length = max((event.end for event in machine.events), default=0.0)
        self.journal = machine.world.journal

    # ── addresses ───────────────────────────────────────────────────────────────────────────────────────────────────

    def played(self, words: str, nth: int = 1, *, first: bool = False) -> Playing:
        """The nth playing (from 1, in the order of time) of quoted words: of their last clause, or of their ``first``.

        Raises RiteError when the words stand nowhere, or are not played in this scenario; then it names the branch
        that was not taken.
        """
        places = places_of_words(self.rite, words)
        if not places:
            find_words(self.rite, words)
        wanted = {clause_at(self.rite.clauses, start if first else end - 1) for start, end in places}
        found = [play for play in self.plays if play.clause in wanted and not self._left_out(play)]
        if len(found) >= nth >= 1:
            return found[nth - 1]
        number = min(wanted)
        clause = self.rite.clauses[number]
        bound = [statement for statement in clause.statements if isinstance(statement, tree.Bind)]
        if found:
            cause = f"「{clause.text}」 is played {len(found)} times in this scenario, not {nth}"
        else:
            why = self.untaken.get(number, "its passage is not reached")
            cause = f"「{clause.text}」 is not played in this scenario: {why}"
        known = "；".join(statement.raw.strip() for statement in bound) or None
        raise RiteError(Finding(code="not-played", cause=cause, clause=str(clause.id), words=clause.text, known=known))

    def _left_out(self, play: Playing) -> bool:
        """Whether a clause was come to, but all that it asks for hangs on a condition (若左勝則…) that was not so."""
        if play.events or not play.passed:
            return False
        statements = self.rite.clauses[play.clause].statements
        silent = (tree.Bind, tree.Comment, tree.Distinguish, tree.Range)
        return all(isinstance(one, (tree.If, *silent)) for one in statements)

    def clause(self, number: int) -> Clause:
        """The clause with a number (from 0)."""
        return self.rite.clauses[number]

    def section(self, number: int) -> str:
        """The name of the section that a clause stands in."""
        return self.rite.sections[self.rite.clauses[number].section - 1].name

    def chosen(self, first: str | None = None, last: str | None = None, who: str | None = None) -> list[Event]:
        """The events between the beginning of some words and the end of others, of one person if ``who`` is named.

        ``first`` and ``last`` may also be names of sections; ``last`` is their next playing that ends after ``first``
        begins. ``who``: a full name, a role, an office or a group; what he does and what happens to him. Raises
        RiteError for words or names that do not exist, or when ``last`` is over before ``first`` begins.
        """
        begin, begun = (0.0, 0) if first is None else self._begin(first)
        end, done = (self.length, len(self.events)) if last is None else self._end(last, begin)
        events = [
            event
            for event in self.events
            if (event.start > begin or (event.start == begin and event.order >= begun))
            and (event.end < end or (event.end == end and event.order < done))
        ]
        if who is None:
            return events
        names = self.named(who)
        return [
            event
            for event in events
            if event.actor.name in names or any(person.name in names for person in event.target)
        ]

    def _begin(self, words: str) -> tuple[float, int]:
        """When words, or a section, first begin, and how many events had been played then."""
        section = self._section_clauses(words)
        plays = [play for play in self.plays if section is not None and play.clause in section and not play.via]
        play = min(plays, key=lambda one: (one.start, one.begun)) if plays else self.played(words, first=True)
        return play.start, play.begun

    def _end(self, words: str, begin: float) -> tuple[float, int]:
        """When words, or a section, end that are not over at ``begin``, and how many events had been played then."""
        section = self._section_clauses(words)
        plays = [play for play in self.plays if section is not None and play.clause in section and not play.via]
        if plays:
            play = max(plays, key=lambda one: (one.end, one.done))
        else:
            nth = 1
            while (play := self.played(words, nth)).end < begin:
                nth += 1
        if play.end < begin:
            clause = self.rite.clauses[play.clause]
            cause = f"{words} is over before the part begins"
            raise RiteError(Finding(code="not-played", cause=cause, clause=str(clause.id), words=clause.text))
        return play.end, play.done

    def _section_clauses(self, name: str) -> range | None:
        """The clauses of a section or named range, by the whole of its name or the end of it (請射 for 司射請射)."""
        if not name:
            return None
        ranges = self.stage.program.ranges
        # However it is written: a name of old script in simplified script too.
        folded = fold_search(name)
        found = ranges.get(spelt(name, ranges)) or next(
            (span for known, span in ranges.items() if "." not in known and fold_search(known).endswith(folded)), None
        )
        return range(*found) if found is not None else None

    def named(self, who: str) -> frozenset[str]:
        """The full names that a role, office, group or name stands for. Raises RiteError with the nearest."""
        cast = self.stage.cast
        known = (*cast.persons, *cast.groups, *cast.offices)
        if who not in known:
            folded = fold(fold_search(who)).text
            who = next((name for name in known if fold(fold_search(name)).text == folded), who)
        if who in cast.offices:
            return frozenset({cast.offices[who]})
        if who in cast.persons:
            return frozenset({who})
        if who in cast.groups:
            return frozenset(cast.groups[who])
        role = self.stage.lexicon.role(who)
        if role is not None and role.word != who and "." not in who:
            return self.named(role.word)
        raise RiteError(
            Finding(code="unknown-role", cause=f"nobody is called {who} in this scenario", nearest=nearest(who, known))
        )

    # ── the world at a moment ───────────────────────────────────────────────────────────────────────────────────────

    def world_at(self, time: float, done: int | None = None) -> World:
        """Set up the world as it is when everything that has ended by ``time`` (seconds) has been done.

        Of what ends at that very time only the first ``done`` in the order of play count, if that is given.
        """
        world = self.stage.world()
        actors, things = world.actors, world.things

        def here(value: object) -> object:
            if isinstance(value, Actor):
                return actors[value.name]
            if isinstance(value, Thing):
                return things[value.id]
            if isinstance(value, tuple) and value and isinstance(value[0], Thing):
                return tuple(things[thing.id] for thing in value)
            return value

        limit = len(self.events) if done is None else done
        past = sorted(
            (event for event in self.events if event.end < time or (event.end == time and event.order < limit)),
            key=lambda event: (event.end, event.n),
        )

        def changes() -> Iterator[tuple[object, str, object]]:
            for event in past:
                first, last = event.changes
                for obj, attribute, value in self.journal[first:last]:
                    yield (world if isinstance(obj, World) else here(obj)), attribute, here(value)

        world.replay(changes())
        return world

    def state(self, words: str, nth: int = 1) -> dict[str, Any]:
        """The state after words, in the shape of the contract."""
        play = self.played(words, nth)
        return self.state_at(play.end, play.clause, play.done)

    def state_at(self, time: float, clause: int, done: int | None = None) -> dict[str, Any]:
        """The state at a time, in the shape of the contract; ``clause`` is named in it."""
        world = self.world_at(time, done)
        item = self.rite.clauses[clause]
        bound = [statement.raw.strip() for statement in item.statements if isinstance(statement, tree.Bind)]
        return {
            "rite": self.rite.name,
            "clause": str(item.id),
            "text": item.text,
            **({"bound": bound} if bound else {}),
            "time": round(time, 3),
            "actors": {name: actor_state(actor) for name, actor in world.actors.items()},
            "things": {ident: thing_state(thing, world.spot_of(thing)) for ident, thing in world.things.items()},
            "target": target_state(world, tuple(self.stage.targets.named)),
            "tally": tally_state(world) if self.stage.shootings else {},
        }

    # ── events as data ──────────────────────────────────────────────────────────────────────────────────────────────

    def data(self, event: Event) -> EventData:
        """One event in the shape of the contract."""
        info = event.info
        clause = self.rite.clauses[event.clause]
        spot = event.spot
        return EventData(
            n=event.n, rite=self.rite.name, section=self.section(event.clause), clause=str(clause.id), text=clause.text,
            actor=event.actor.name, verb=info.verb, times=info.times,
            object=event.things[0].kind if event.things else "、".join(info.garments) or None,
            object_ids=[thing.id for thing in event.things],
            target="、".join(person.name for person in event.target) or None, from_=info.source, to=event.to,
            place=spot.name, xy=[round(spot.x, 2), round(spot.y, 2)], facing=facing_name(event.facing),
            posture=event.posture, speech=event.speech or info.speech, music=info.music, origin=info.origin,
            warrant=info.warrant, reading=info.reading, start=round(event.start, 2), end=round(event.end, 2),
            via=[str(self.rite.clauses[number].id) for number in event.via], roles=list(event.roles),
            together=event.together, hit=event.hit, matter=info.matter, reason=info.reason, step=event.step,
            path=[[round(x, 2), round(y, 2)] for x, y in event.path] or None,
        )  # fmt: skip


def actor_state(actor: Actor) -> dict[str, Any]:
    """One actor, in the shape of the contract."""
    spot = actor.spot
    return {
        "place": spot.name,
        "zone": spot.zone,
        "xy": [round(spot.x, 2), round(spot.y, 2)],
        "facing": facing_name(actor.facing),
        "posture": actor.posture,
        "step": actor.step,
        "hands": {"左": [thing.id for thing in actor.left], "右": [thing.id for thing in actor.right]},
        "dress": list(actor.dress),
        "belt": [thing.id for thing in actor.belt],
        "roles": list(actor.roles),
    }


def thing_state(thing: Thing, spot: Spot | None = None) -> dict[str, Any]:
    """One thing, in the shape of the contract; what does not apply is left out. ``spot``: where it is, if known.

    Without it a thing that lies in another is where it was put into it.
    """
    where = thing.where
    if spot is None:
        spot = thing.spot if isinstance(where, str) else where.spot
    found: dict[str, Any] = {
        "kind": thing.kind,
        "where": where if isinstance(where, str) else where.name,
        "place": where if isinstance(where, str) else spot.name,
        "xy": [round(spot.x, 2), round(spot.y, 2)],
        "filled": thing.filled,
    }
    if thing.of is not None:
        found["of"] = thing.of.name
    if thing.facing is not None:
        found["facing"] = facing_name(thing.facing)
    if thing.kind == "席":
        found["layers"] = thing.layers
    if thing.lay is not None:
        found["lay"] = thing.lay
    if thing.states:
        found["states"] = dict(thing.states)
    return found


def target_state(world: World, names: tuple[str, ...]) -> dict[str, str]:
    """How the parts of the target are; where there are several, each part after the name of its target."""
    found: dict[str, str] = {}
    for name in names:
        thing = next((one for one in world.things.values() if one.kind == name), None)
        head = f"{name}." if len(names) > 1 else ""
        found.update({head + part: state for part, state in (thing.states if thing is not None else {}).items()})
    return found


def tally_state(world: World) -> dict[str, Any]:
    """The sticks: what lies at each side now, and the count that was last made of each, in 純 and 奇."""
    found: dict[str, Any] = {}
    for side in ("右", "左"):
        laid = len(world.at(f"{side}獲", "算"))
        counted = world.tally.get(side)
        found[side] = {
            "算": laid,
            "數": counted,
            "純": None if counted is None else counted // 2,
            "奇": None if counted is None else counted % 2,
        }
    return found


def perform(stage: Stage, fates: Fates) -> Performance:
    """Play a rite from beginning to end. Raises UnderdeterminedError, with all that was found, if there is no end."""
    machine = Machine(stage, fates)
    try:
        machine.run()
    except UnderdeterminedError as fault:
        raise UnderdeterminedError(*stage.findings, *machine.findings, *fault.findings) from None
    return Performance(stage, machine)
