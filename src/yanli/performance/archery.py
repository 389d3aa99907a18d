"""Shooting and counting: rounds, pairs, sides, the arrows' fates, what answers an act."""

from __future__ import annotations

from abc import abstractmethod
from itertools import pairwise
from typing import TYPE_CHECKING

from yanli.performance.fates import EVEN, LOWER, MISS, UPPER
from yanli.performance.ground import Ground
from yanli.performance.shooting import SURPLUS, in_pairs, lead
from yanli.plan import program as p

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from yanli.performance.context import Context
    from yanli.performance.fates import Fates
    from yanli.performance.link import Env
    from yanli.performance.machine import Frame, Machine
    from yanli.performance.stage import Stage
    from yanli.performance.world import Actor
    from yanli.plan.targets import Target

# The words for the two heaps: 上射's hits are laid to the right, 下射's to the left (上射於右，下射於左).
SIDES = {UPPER: "右", LOWER: "左"}


class Archery(Ground):
    """The part of the machine that knows bows, sides and sticks."""

    # How a block is stepped through that is played beside what goes on.
    beside: Callable[[Machine, Frame], None]

    def __init__(self, stage: Stage, fates: Fates) -> None:
        """Know who shoots with whom, and how the arrows fly."""
        super().__init__(stage)
        self.fates = fates
        # The clause that is being played, and the clauses of passages played again by which it was reached.
        self.clause = 0
        self.via: tuple[int, ...] = ()
        self.side: dict[str, str] = {}
        self.partner: dict[str, Actor] = {}
        for pairs in stage.cast.pairs.values():
            for pair in pairs:
                self.side[pair.upper], self.side[pair.lower] = UPPER, LOWER
                self.partner[pair.upper] = self.world.actors[pair.lower]
                self.partner[pair.lower] = self.world.actors[pair.upper]
        self.following: dict[str, tuple[Actor, ...]] = {}
        for pairs in stage.cast.pairs.values():
            for pair, after in pairwise(pairs):
                if pair.kind == after.kind:
                    self.following[pair.upper] = (self.world.actors[after.upper], self.world.actors[after.lower])
        self.targets = stage.targets
        self.marks = stage.marks
        self.arrow, self.stick = stage.marks.arrow, stage.marks.stick
        # By the place of its sticks: each side.
        self.heaps = {f"{side}{stage.marks.heap}": side for side in SIDES.values()}
        # Of the arrow shot last: the words that hold of it, and the target that was aimed at.
        self.current_marks: frozenset[str] = frozenset()
        self.current_target: Target | None = self.targets.common
        self._belonging: dict[str, Env] = {}
        # From which number on clauses are those of other rites (0: no other is called).
        self.guests = len(stage.rite.clauses) if stage.guests else 0
        self.round = 0
        # After how many events each round began.
        self.begun: list[tuple[int, int]] = []
        self._rounds = stage.rounds
        self._numbers: dict[tuple[int, str], int] = {
            (round_.number, pair.upper): number
            for round_ in stage.shootings.values()
            for number, pair in enumerate(round_.pairs, 1)
        }
        self._order: dict[int, int] = {}
        self._shot: dict[tuple[int, str], int] = {}
        self.answers: dict[str, tuple[p.Answer, ...]] = {}
        self._answers_at: dict[
            tuple[int, tuple[int, ...]], tuple[dict[str, tuple[p.Answer, ...]], frozenset[str], int | None]
        ] = {}
        self._all_answers = stage.answers
        self.heralded: frozenset[str] = frozenset()

    @abstractmethod
    def people(self, who: p.WhoRef | None, env: Env) -> tuple[Actor, ...]:
        """Who is meant, now."""

    @abstractmethod
    def push(
        self,
        items: Sequence[p.Node],
        env: Env,
        step: Callable[[Machine, Frame], None] | None = None,
        data: object = None,
    ) -> None:
        """Begin a list of nodes."""

    def herald(self, verb: str, actors: tuple[Actor, ...], env: Env) -> None:
        """Play what is hung on the start of an act (當 x 射 起), for each who is about to do it."""
        for actor in actors:
            for answer in reversed(self.answers[verb]):
                if answer.at == "起" and (answer.actor is None or actor in self.people(answer.actor, env)):
                    bound = {**env, answer.binder: (actor,)} if answer.actor is None else env
                    self.push(answer.body.items, bound, self.beside if answer.beside else None)

    # ── rounds and what answers ─────────────────────────────────────────────────────────────────────────────────────

    def enter_clause(self, via: tuple[int, ...]) -> None:
        """A clause begins: which round it is, and which blocks answer acts now. ``via`` is what it was reached by."""
        key = (self.clause, via)
        found = self._answers_at.get(key)
        if found is None:
            found = self._answers_at[key] = self._look_up((self.clause, *via))
        self.answers, self.heralded, number = found
        if number is not None and number != self.round:
            self.round = number
            self.begun.append((len(self.events), number))

    def _look_up(self, clauses: tuple[int, ...]) -> tuple[dict[str, tuple[p.Answer, ...]], frozenset[str], int | None]:
        answers: dict[str, tuple[p.Answer, ...]] = {}
        for answer in self._all_answers:
            first, last = answer.within
            if any(first <= clause < last for clause in clauses):
                answers[answer.verb] = (*answers.get(answer.verb, ()), answer)
        # By the clause of this rite, failing that by that of another which it calls: not by those that are played again
        # in turn, since a later round plays passages of an earlier one.
        lent = [clause for clause in clauses if self.guests and clause >= self.guests]
        number = next(
            (
                number
                for outer in (*clauses[:1], *lent[-1:])
                for number, (first, last) in self._rounds.items()
                if first <= outer < last
            ),
            None,
        )
        # What is told of a round (於 第二番射) holds in that round, and not when a later one plays its passages again.
        rounds = {span: each for each, span in self._rounds.items()}
        for verb, blocks in answers.items():
            answers[verb] = tuple(
                block for block in blocks if not block.named or rounds.get(block.within, number) == number
            )
        heralded = frozenset(verb for verb, blocks in answers.items() if any(block.at == "起" for block in blocks))
        return answers, heralded, number

    def receives(self, act: p.Act) -> bool:
        """Whether an act takes something out of another's hands."""
        return any(effect[0] == "receive" for effect in self.acts.variant(act).does)

    def answer(self, c: Context) -> None:
        """Play what answers an act (獲者坐而獲, 釋一算), in the order in which it is told."""
        # What is pushed last is played first.
        for answer in reversed(self.answers[c.ready.verb]):
            if answer.at == "起":
                continue
            if answer.actor is not None and c.actor not in self.people(answer.actor, c.env):
                continue
            if c.ready.verb == "射" and answer.marks and not self.current_marks.issuperset(answer.marks):
                continue
            env = {**c.env, answer.binder: (c.actor,)} if answer.actor is None else c.env
            if c.hit is not None and self.current_target is not None:
                env = {**env, **self.belonging(self.current_target)}
            self.push(answer.body.items, env, self.beside if answer.beside else None)

    # ── targets ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def target_of(self, actor: Actor) -> Target | None:
        """The target that is his: he serves it, or shoots at it; of whoever does neither, that of the last arrow."""
        name = actor.name
        targets = self.targets
        return targets.served.get(name) or targets.own.get(name) or self.current_target

    def its(self, key: str, actor: Actor) -> str | None:
        """What 其 and a word mean for an actor: the name of a place or thing of his own target."""
        target = self.target_of(actor)
        found = target.its.get(key) if target is not None else None
        if found is None:
            self.fault("no-target", f"其{key}: nothing of that name belongs to a target of {actor.name}", actor)
        return found

    def belonging(self, target: Target) -> Env:
        """The persons that belong to a target, by the words for them (其獲者)."""
        found = self._belonging.get(target.name)
        if found is None:
            actors = self.world.actors
            persons = self.targets.persons(target, self.stage.cast)
            found = self._belonging[target.name] = {
                word: tuple(actors[name] for name in names) for word, names in persons.items()
            }
        return found

    # ── shooting ────────────────────────────────────────────────────────────────────────────────────────────────────

    def shoot(self, c: Context) -> None:
        """The next arrow of a shooter in this round flies."""
        actor = c.actor
        side = self.side.get(actor.name)
        name = side or actor.base
        number = 0
        if side is not None:
            upper = actor if side == UPPER else self.partner[actor.name]
            key = (self.round, upper.name)
            if key not in self._numbers:
                self._order[self.round] = self._order.get(self.round, 0) + 1
                self._numbers[key] = self._order[self.round]
            number = self._numbers[key]
        shot = self._shot.get((self.round, actor.name), 0)
        self._shot[self.round, actor.name] = shot + 1
        signs = self.fates.marks(self.round, number, name, actor.name)
        sign = signs[shot] if shot < len(signs) and signs[shot] in self.marks.signs else MISS
        aimed = self._aimed(c)
        if aimed is None:
            self.fault("no-target", "there is nothing to shoot at: rite.toml has no [[target]]", actor)
            return
        struck: Target | None = None
        if self.marks.lies_at_target(sign):
            struck = self.targets.named.get(self.marks.signs[sign].struck or aimed.name, aimed)
        self.current_target = aimed
        self.current_marks = self.marks.said(sign, aimed.name, struck.name if struck is not None else None)
        c.hit = self.marks.hit in self.current_marks
        c.to = aimed.at
        where = struck.at if struck is not None else aimed.miss
        self.world.put(c.things, where, self.layout.spot(where))

    def _aimed(self, c: Context) -> Target | None:
        """The target that the words name; else the shooter's own."""
        named = self.targets.named
        words = (c.act.place.word,) if c.act.place is not None else ()
        found = next((named[word] for word in (*words, *(ref.kind for ref in c.act.things)) if word in named), None)
        return found or self.targets.of(c.actor.name)

    # ── sides and sticks ────────────────────────────────────────────────────────────────────────────────────────────

    def count_side(self, c: Context) -> None:
        """數 at a side's heap: how many sticks lie there."""
        for name in (c.place_name, c.where_from):
            side = self.heaps.get(name or "")
            if side is not None and name is not None:
                self.world.record_tally(side, len(self.world.at(name, self.stick)))

    def outcome(self) -> str:
        """右, 左 or 鈞, as the sticks were last counted."""
        return outcome_of(self.world.tally)

    def spoken(self, speech: str | None) -> str | None:
        """The words of a speech with the surplus, as last counted, put into its slot."""
        return None if speech is None else speech.replace(SURPLUS, in_pairs(self.surplus()))

    def surplus(self) -> int:
        """By how many sticks one side is ahead of the other, as last counted."""
        return abs(lead(self.world.tally, tuple(SIDES.values())))

    def side_of(self, actor: Actor) -> str | None:
        """上射 or 下射, or None if he does not shoot."""
        return self.side.get(actor.name)

    def won(self, actor: Actor) -> bool:
        """Whether the side he shoots on won."""
        return SIDES.get(self.side.get(actor.name, "")) == self.outcome()

    def side_members(self, won: bool, env: Env) -> tuple[Actor, ...]:  # noqa: FBT001 - 勝者 or 不勝者
        """All of the side that won or lost; within a pair's turn, its member of that side; nobody when it is even."""
        outcome = self.outcome()
        if outcome == EVEN:
            return ()
        wanted = UPPER if (outcome == SIDES[UPPER]) == won else LOWER
        if UPPER in env:
            return env[wanted]
        return tuple(self.world.actors[name] for name, side in self.side.items() if side == wanted)


def outcome_of(tally: Mapping[str, int]) -> str:
    """右, 左 or 鈞: the side that has more sticks, by a count of both."""
    ahead = lead(tally, tuple(SIDES.values()))
    return SIDES[UPPER] if ahead > 0 else SIDES[LOWER] if ahead < 0 else EVEN
