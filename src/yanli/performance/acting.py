"""Playing acts: what the words of an act mean now, what must be so before, what is so after, what the engine adds.

Comes in: an act of the program and who is bound to what. Goes out: events, and findings of what could not be done.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

import msgspec

from yanli.errors import Finding, Grade
from yanli.performance import find, moving
from yanli.performance.archery import Archery
from yanli.performance.context import Context, begun
from yanli.performance.event import Event, Info
from yanli.performance.link import Env, Parts, Ready, safe_spot
from yanli.plan import program as p
from yanli.plan.resolve import names_of

if TYPE_CHECKING:
    from yanli.performance.fates import Fates
    from yanli.performance.moving import Way
    from yanli.performance.stage import Stage
    from yanli.performance.world import Actor
    from yanli.venue import Spot
    from yanli.venue.spot import Point

# The slice of the journal of an act that changed nothing: one for all of them.
UNCHANGED = (0, 0)
# How far apart, in seconds, those of a group follow one another on the stairs: the project's own measure.
FILE = 1.5


class Acting(Archery):
    """The part of the machine that plays acts."""

    def __init__(self, stage: Stage, fates: Fates) -> None:
        """Nothing has been played yet."""
        super().__init__(stage, fates)
        self.ready: dict[int, Ready] = {}
        self.parts: dict[int, Parts] = {}
        self.warned: set[object] = set()
        self.groups = 0
        self.observed: list[tuple[float, p.Act, tuple[Actor, ...], int, tuple[str, ...]]] = []
        self.failed: dict[str, int] = {}
        # Within ‖ one person may do two things at once (voice and feet); elsewhere nobody begins before he is free.
        self.abreast: tuple[Actor, ...] = ()

    @abstractmethod
    def wait_for_herald(self, ready: Ready, actors: tuple[Actor, ...], env: Env) -> None:
        """Leave an act on the stack until what is hung on its start is done."""

    def observe(self, ready: Ready, actors: tuple[Actor, ...]) -> None:
        """不 and 猶 are statements about the world: 猶 is looked at now, 不 by a check afterwards."""
        act = ready.act
        faults: list[str] = []
        if act.mode == "still":
            for actor in actors:
                faults.extend(self.not_still(act, actor))
        self.observed.append((self.clock, act, actors, self.clause, tuple(faults)))

    def people(self, who: p.WhoRef | None, env: Env) -> tuple[Actor, ...]:
        """Who is meant, now."""
        if who is None:
            return ()
        if isinstance(who, p.Who):
            fixed = self._fixed.get(who)
            if fixed is None:
                actors = self.world.actors
                fixed = self._fixed[who] = tuple(actors[name] for name in who.names)
            return fixed
        if isinstance(who, p.Bound):
            return env.get(who.word, ())
        if isinstance(who, p.Several):
            return tuple(actor for part in who.parts for actor in self.people(part, env))
        return self.side_members(who.won, env)

    def fixed(self, who: p.WhoRef) -> tuple[Actor, ...] | None:
        """Fixed persons as actors; None when it depends on the moment."""
        names = names_of(who)
        return None if names is None else tuple(self.world.actors[name] for name in names)

    # ── playing an act ──────────────────────────────────────────────────────────────────────────────────────────────

    def play(self, act: p.Act, env: Env) -> None:  # noqa: C901 - the hot path
        """Play one act: by one person, or by each of a group, who all begin together and wait for the last."""
        ready = self.ready.get(id(act))
        if ready is None:
            ready = self.ready[id(act)] = Ready(act, self)
        actors = ready.fixed
        if actors is None:
            who = act.who
            if type(who) is p.Bound:
                actors = env.get(who.word, ())
            elif ready.both is not None:
                actors = env.get(ready.both[0], ()) + env.get(ready.both[1], ())
            else:
                actors = self.people(who, env)
        if not ready.happens:
            self.observe(ready, actors)
            return
        if ready.verb in self.heralded:
            # What is hung on the start of the act comes first; then the act itself, which waits on the stack below it.
            self.wait_for_herald(ready, actors, env)
            self.herald(ready.verb, actors, env)
            return
        if len(actors) == 1:
            way = ready.play
            if way == "plain":
                self.play_plain(ready, actors[0], env, None)
            elif way == "walk":
                self.play_walk(ready, actors[0], env)
            else:
                self.play_whole(ready, actors[0], env, None, 0, 1)
        elif actors:
            self.play_ready(ready, actors, env)

    def play_ready(self, ready: Ready, actors: tuple[Actor, ...], env: Env) -> None:
        """Play an act that is ready, by those who do it."""
        if len(actors) == 1:
            if ready.play == "plain":
                self.play_plain(ready, actors[0], env, None)
            elif ready.play == "walk":
                self.play_walk(ready, actors[0], env)
            else:
                self.play_whole(ready, actors[0], env, None, 0, 1)
            return
        start = end = self.clock
        self.groups += 1
        together = self.groups
        count = len(actors)
        for index, actor in enumerate(actors):
            # On the stairs they follow one another in rank.
            self.clock = start + index * FILE if ready.climbs else start
            if ready.play == "plain":
                self.play_plain(ready, actor, env, together)
            else:
                self.play_whole(ready, actor, env, together, index, count)
            end = max(end, self.clock)
        self.clock = end

    def play_plain(self, ready: Ready, actor: Actor, env: Env, together: int | None) -> None:
        """Play an act that asks for no place and handles no thing: he rises first if he must, turns, dresses."""
        if ready.stands and actor.posture != "立":
            self.infer_posture(begun(ready, actor, env), "興", "立")
        if (ready.has or ready.wears or ready.lacks) and not self.is_fit(ready, actor, env):
            return
        journal = self.world.journal
        mark = len(journal)
        facing = ready.turns
        if facing is not None and facing != actor.facing:
            actor.facing = facing
            journal.append((actor, "facing", facing))
        posture = ready.posture
        if posture is not None and posture != actor.posture:
            actor.posture = posture
            journal.append((actor, "posture", posture))
        if ready.dons or ready.doffs:
            self.dress(ready, actor)
        aim = ready.target
        target = () if aim is None else env.get(aim.word, ()) if type(aim) is p.Bound else self.people(aim, env)
        if len(target) > 1 and actor in target:
            target = tuple(person for person in target if person is not actor)
        if target and ready.fronts and facing is None:
            self.front(actor, target[0])
        self.write_down(ready, actor, env, target, together, ready.seconds, (), mark)

    def play_walk(  # noqa: C901, PLR0912 - the hot path: a call for each part would cost more than the part
        self, ready: Ready, actor: Actor, env: Env
    ) -> None:
        """Play an act of one man that takes him to a place and handles no thing."""
        spot = ready.spot
        if spot is None:
            spot = safe_spot(self, ready.place, actor, env) if ready.place is not None else None
            if spot is None:
                return
        here = actor.spot
        seconds = ready.seconds
        path: tuple[Point, ...] = ()
        journal = self.world.journal
        way = None
        if here is not spot and (here.x != spot.x or here.y != spot.y or actor.step is not None):
            if actor.posture != "立":
                self.infer_posture(begun(ready, actor, env), "興", "立")
            via: tuple[Spot, ...] = ()
            if ready.via:
                via = tuple(place for ref in ready.via if (place := safe_spot(self, ref, actor, env)) is not None)
            ways = self.ways(actor, spot, ready.stair, via)
            if len(ways) > 1:
                c = begun(ready, actor, env)
                for before in ways[:-1]:
                    self.infer_way(c, before, f"{ready.verb}前先至")
            way = ways[-1]
        elif ready.stands and actor.posture != "立":
            self.infer_posture(begun(ready, actor, env), "興", "立")
        mark = len(journal)
        if way is not None:
            seconds += way.seconds
            path = way.points
            self.arrive(actor, way)
        elif here is not spot:
            actor.spot = spot
            journal.append((actor, "spot", spot))
        facing = ready.turns
        if facing is None and way is not None:
            facing = spot.facing
        if facing is not None and facing != actor.facing:
            actor.facing = facing
            journal.append((actor, "facing", facing))
        if ready.settles:
            self.settle(actor)
        if ready.posture is not None and ready.posture != actor.posture:
            actor.posture = ready.posture
            journal.append((actor, "posture", ready.posture))
        aim = ready.target
        target = () if aim is None else env.get(aim.word, ()) if type(aim) is p.Bound else self.people(aim, env)
        if len(target) > 1 and actor in target:
            target = tuple(person for person in target if person is not actor)
        self.write_down(ready, actor, env, target, None, seconds, path, mark, spot.name if way is not None else None)

    def write_down(  # noqa: PLR0913, PLR0917 - the hot path: the parts of one event, by position
        self, ready: Ready, actor: Actor, env: Env, target: tuple[Actor, ...], together: int | None, seconds: float,
        path: tuple[Point, ...], mark: int, to: str | None = None,
    ) -> None:  # fmt: skip
        """Write down the event of an act that handled no thing, and let what answers it answer."""
        start = self.clock
        busy = actor.busy
        if busy > start and actor not in self.abreast:
            start = busy
        self.clock = end = start + seconds
        if end > busy:
            actor.busy = end
        info = ready.info
        now = len(self.world.journal)
        event = Event(
            info, actor, self.clause, self.via, (), target, to, start, end, together, None, path,
            UNCHANGED if now == mark else (mark, now), actor.spot, actor.facing, actor.posture, actor.step, actor.roles,
        )  # fmt: skip
        if ready.slotted:
            event.speech = self.spoken(info.speech)
        self.events.append(event)
        if ready.verb in self.answers:
            c = begun(ready, actor, env)
            c.target = target
            self.answer(c)

    def is_fit(self, ready: Ready, actor: Actor, env: Env) -> bool:
        """He has on him what the act needs, and is dressed as it needs."""
        dress = actor.dress
        for kind in ready.has:
            if not (
                any(thing.kind == kind for thing in actor.left) or any(thing.kind == kind for thing in actor.holding())
            ):
                break
        else:
            if all(word in dress or (word == "袒" and "肉袒" in dress) for word in ready.wears) and not any(
                word in dress for word in ready.lacks
            ):
                return True
        # Let the needs themselves say what is wrong.
        c = begun(ready, actor, env)
        return all(need(self, c, argument) for need, argument in ready.needs)

    def dress(self, ready: Ready, actor: Actor) -> None:
        """He wears, or wears no longer, what the act says."""
        worn = tuple(word for word in actor.dress if word not in ready.doffs)
        worn = (*worn, *(word for word in ready.dons if word not in worn))
        if worn != actor.dress:
            self.world.set(actor, "dress", worn)

    def settle(self, actor: Actor, facing: float | None = None) -> None:
        """Where he now is becomes his 位 in this zone, facing as he does or is about to."""
        facing = actor.facing if facing is None else facing
        zone = actor.spot.zone
        known = actor.homes.get(zone)
        if known is None or known[0] is not actor.spot or known[1] != facing:
            homes = {key: value for key, value in actor.homes.items() if key != zone}
            homes[zone] = (actor.spot, facing)
            self.world.set(actor, "homes", homes)

    def play_whole(  # noqa: C901, PLR0912, PLR0915 - the hot path: a call for each part would cost more than the part
        self, ready: Ready, actor: Actor, env: Env, together: int | None, index: int, count: int
    ) -> None:
        """Play one act by one person."""
        c = begun(ready, actor, env)
        c.together = together
        c.index, c.count = index, count
        act = ready.act
        if act.target is not None:
            c.target = self.people(act.target, env)
            if actor in c.target and len(c.target) > 1:
                c.target = tuple(person for person in c.target if person is not actor)
        if ready.place is not None:
            self._place(c, ready, count)
        elif act.head is not None and c.target:
            self._place_in_row(c, c.target[0].spot, count)
        if ready.source is not None:
            c.from_spot = safe_spot(self, ready.source, actor, env)
            c.where_from = self.shelf(ready.source, c.from_spot, actor)
        elif ready.ground and c.place is not None:
            c.from_spot, c.where_from = c.place, c.place_name
            c.place = None
        if ready.via:
            c.via = tuple(spot for ref in ready.via if (spot := safe_spot(self, ref, actor, env)) is not None)
        if ready.ahead is not None:
            spot = safe_spot(self, ready.ahead, actor, env)
            if spot is not None and not self.near(actor.spot, spot):
                name = self.shelf(ready.ahead, spot, actor) or spot.name
                moving.travel(self, c, self.approach(name, spot), inferred=f"坐而為之於{name}，先至")
        if ready.handles:
            self._things(c, ready)
        if not c.things and index and act.things and ready.ground:
            # The first of a group have taken what there was.
            return
        for need, argument in ready.needs:
            if not need(self, c, argument):
                return
        journal = self.world.journal
        mark = len(journal)
        if actor.busy > self.clock and actor not in self.abreast:
            self.clock = actor.busy
        start = self.clock
        for effect, argument in ready.does:
            effect(self, c, argument)
        # A leg before the act's own (to the foot of the stairs) has moved the clock and written its own event.
        if self.clock > start:
            start = self.clock
            mark = self.mark
        self.clock = end = start + c.seconds
        actor.busy = max(actor.busy, end)
        to = c.to
        if to is None and c.place is not None and (c.moved or ready.carried):
            to = c.place.name
        event = Event(
            ready.info, actor, self.clause, self.via, c.things, c.target, to, start, end, together,
            c.hit, c.path, (mark, len(journal)), actor.spot, actor.facing, actor.posture, actor.step, actor.roles,
        )  # fmt: skip
        if ready.slotted:
            event.speech = self.spoken(ready.info.speech)
        self.events.append(event)
        if self.failed and c.things:
            for thing in c.things:
                self.failed.pop(thing.kind, None)
        if ready.verb in self.answers:
            self.answer(c)

    def _place(self, c: Context, ready: Ready, count: int) -> None:
        ref = ready.place
        if ref is None:
            return
        if ref.word == "其所" and c.ready.carried:
            return
        spot = ready.spot
        if spot is not None:
            c.place_name = ready.name
        else:
            spot = safe_spot(self, ref, c.actor, c.env)
            if spot is None:
                return
            c.place_name = self.shelf(ref, spot, c.actor)
        if spot.name in self.stairs:
            # A stair is a way, and no place for a row.
            c.place = spot
        elif ready.moves and (c.act.head is not None or count > 1):
            # Where each has a place of his own (其乏), only those who share it stand in a row there.
            self._place_in_row(c, spot, count if ref.its is None else 1)
        else:
            c.place = spot

    def _place_in_row(self, c: Context, spot: Spot, count: int) -> None:
        c.place = self.in_row(spot, c.actor, c.facing, c.act.head, count, c.ready)
        c.place_name = c.place_name or spot.name

    def _things(self, c: Context, ready: Ready) -> None:
        act = c.act
        if ready.its:
            act = c.act = self._of_target(act, c.actor)
        if act.giver is not None or ready.receives:
            self._received(c)
            return
        if not act.things:
            if ready.carried or ready.verb in self.cup_verbs:
                vessel = find.cup(c.actor, self)
                c.things = (vessel,) if vessel is not None else ()
            return
        if ready.held and len(act.things) == 1:
            held = find.carried(c, act.things[0], self, bulk=False, any_hand=True)
            if held:
                c.things = held
                return
        look = find.carried if ready.carried else find.lying if ready.ground else find.anywhere
        if len(act.things) == 1:
            ref = act.things[0]
            c.things = look(c, ref, self, bulk=ready.bulk)
            if ref.count is not None and 0 < len(c.things) < ref.count:
                self.cannot(c, "too-few", f"of the {ref.count} {ref.kind} only {len(c.things)} can be had", (ref,))
        else:
            c.things = tuple(thing for ref in act.things for thing in look(c, ref, self, bulk=ready.bulk))

    def _of_target(self, act: p.Act, actor: Actor) -> p.Act:
        """The act with what belongs to the actor's own target (其侯) called by its name."""
        names = [self.its(ref.its, actor) if ref.its is not None else None for ref in act.things]
        refs = (
            ref if name is None else msgspec.structs.replace(ref, kind=name, its=None)
            for ref, name in zip(act.things, names, strict=True)
        )
        return msgspec.structs.replace(act, things=tuple(refs))

    def _received(self, c: Context) -> None:
        """受: from the person named, else from whoever offered it, else from whoever near holds such a thing."""
        givers = self.people(c.act.giver, c.env) if c.act.giver is not None else c.target
        kinds = {ref.kind for ref in c.act.things}
        pool = givers or tuple(sorted(self.holders(kinds), key=lambda other: _far(other.spot, c.actor.spot)))
        for other in pool:
            if other is c.actor:
                continue
            things = [thing for thing in other.holding() if not kinds or thing.kind in kinds]
            if things:
                count = next((ref.count for ref in c.act.things if ref.count is not None), 1)
                c.giver = other
                c.things = tuple(things if count < 0 else things[:count])
                return

    # ── what the engine adds ────────────────────────────────────────────────────────────────────────────────────────

    def infer_posture(self, c: Context, verb: str, posture: str) -> None:
        """He rises, or kneels, of himself."""
        mark = len(self.world.journal)
        self.world.set(c.actor, "posture", posture)
        reason = f"{c.ready.verb}必先{verb}"
        self._inferred(c, verb, reason, 2.0, mark, ())

    def infer_way(self, c: Context, way: Way, reason: str) -> None:
        """He walks, or takes the stairs, of himself."""
        mark = len(self.world.journal)
        self.arrive(c.actor, way)
        self._inferred(c, way.kind, reason, way.seconds, mark, way.points)

    def _inferred(self, c: Context, verb: str, reason: str, seconds: float, mark: int, path: tuple[Point, ...]) -> None:
        ready = c.ready
        info = ready.walk_info.get(verb + reason)
        if info is None:
            info = ready.walk_info[verb + reason] = Info(
                verb, "inferred", clause=ready.act.clause, span=ready.act.span, reason=reason, reading=ready.act.reading
            )
        start = self.clock
        if c.actor.busy > start and c.actor not in self.abreast:
            start = c.actor.busy
        self.clock = c.actor.busy = start + seconds
        self.mark = len(self.world.journal)
        actor = c.actor
        self.events.append(
            Event(
                info, actor, self.clause, self.via, (), (), actor.spot.name if path else None, start, self.clock,
                None, None, path, (mark, self.mark), actor.spot, actor.facing, actor.posture, actor.step, actor.roles,
            )
        )  # fmt: skip

    # ── findings ────────────────────────────────────────────────────────────────────────────────────────────────────

    def cannot(self, c: Context, code: str, cause: str, things: tuple[p.ThingRef, ...]) -> bool:
        """The act cannot be done: a finding; later ones about the same thing follow from it."""
        kinds = [ref.kind for ref in things]
        follows = any(kind in self.failed for kind in kinds)
        for kind in kinds:
            self.failed.setdefault(kind, len(self.findings))
        self._note(code, f"{c.ready.verb}: {cause}", c, follows=follows)
        return False

    def fault(
        self, code: str, cause: str, actor: Actor, *, nearest: tuple[str, ...] = (), grade: Grade = "error"
    ) -> None:
        """Something of an act cannot be worked out."""
        key = (self.clause, code + cause)
        if key in self.warned:
            return
        self.warned.add(key)
        clause = self.rite.clauses[self.clause]
        self.findings.append(
            Finding(
                code=code,
                cause=cause,
                grade=grade,
                follows=grade == "warning",
                clause=str(clause.id),
                words=clause.text,
                span=clause.span,
                nearest=nearest,
                known=actor.name,
                event=len(self.events),
            )
        )

    def _note(self, code: str, cause: str, c: Context, *, follows: bool) -> None:
        key = (c.act.span.line * 1000 + c.act.span.column, code)
        if key in self.warned:
            return
        self.warned.add(key)
        clause = self.rite.clauses[c.act.clause]
        self.findings.append(
            Finding(
                code=code,
                cause=cause,
                clause=str(clause.id),
                words=clause.text,
                span=c.act.span,
                follows=follows,
                known=f"{c.actor.name} at {c.actor.spot.name}",
                event=len(self.events),
            )
        )

    def warn(self, text: str, node: p.Caution) -> None:
        """A warning the score asked for, once for each place."""
        key = (node.clause, text)
        if key in self.warned:
            return
        self.warned.add(key)
        clause = self.rite.clauses[node.clause]
        self.findings.append(
            Finding(
                code="warning",
                cause=text,
                grade="warning",
                clause=str(clause.id),
                words=clause.text,
                span=node.span,
                event=len(self.events),
            )
        )


def _far(a: Spot, b: Spot) -> float:
    return (a.x - b.x) ** 2 + (a.y - b.y) ** 2
