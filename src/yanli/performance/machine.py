"""The interpreter: it walks the program, and lets every act be played.

Its state is a plain stack of frames (items, index, bindings), so it can be copied, stopped and driven from outside; it
has no generators. Events are kept in the order of play and sorted by time at the end.
"""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any

import msgspec

from yanli.errors import Finding, UnderdeterminedError
from yanli.performance.acting import Acting
from yanli.performance.ask import asked
from yanli.performance.event import Playing
from yanli.plan import program as p
from yanli.plan.resolve import names_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from yanli.performance.fates import Fates
    from yanli.performance.link import Env, Ready
    from yanli.performance.stage import Stage
    from yanli.performance.world import Actor

# The matter of an act that lasts as long as what happens beside it.
UNCEASING = "聲不絕"
# The two of a pair, who are never one person.
PAIR = {p.Bound("上射"), p.Bound("下射")}
# A loop whose end never comes is a fault of the score: so many turns of one loop are the cap.
CAP = 100_000


class Frame(msgspec.Struct, eq=False, gc=False):
    """Where the interpreter is in one list of nodes; ``data`` is what a kind of frame needs besides."""

    items: Sequence[Any]
    env: Env
    step: Callable[[Machine, Frame], None]
    start: float = 0.0
    end: float = 0.0
    data: Any = None
    index: int = 0


class Machine(Acting):
    """Plays a program on a stage."""

    def __init__(self, stage: Stage, fates: Fates) -> None:
        """Set up: nobody has moved yet."""
        super().__init__(stage, fates)
        self.stack: list[Frame] = [Frame([stage.program.root], {}, step_seq)]
        self.clauses: list[int] = []
        self.plays: list[Playing] = []
        self.started: dict[int, float] = {}
        self.first_done: set[int] = set()
        self.told: dict[int, list[p.Node]] = {}
        self.pars: dict[int, tuple[bool, bool]] = {}
        self.beside = step_beside

    def run(self) -> None:
        """Play to the end.

        What is played makes no cycles of its own, and there is much of it: meanwhile the collector of cycles would look
        through all of it again and again, so it rests.
        """
        stack = self.stack
        resting = gc.isenabled()
        gc.disable()
        try:
            while stack:
                frame = stack[-1]
                frame.step(self, frame)
        finally:
            if resting:
                gc.enable()

    def push(
        self,
        items: Sequence[Any],
        env: Env,
        step: Callable[[Machine, Frame], None] | None = None,
        data: object = None,
    ) -> None:
        """Begin a list of nodes."""
        self.stack.append(Frame(items, env, step or step_seq, self.clock, self.clock, data))

    def wait_for_herald(self, ready: Ready, actors: tuple[Actor, ...], env: Env) -> None:
        """Leave an act on the stack until what is hung on its start is done."""
        self.push([ready], env, step_heralded, actors)


# ── how each kind of frame takes its next step ──────────────────────────────────────────────────────────────────────


def step_seq(m: Machine, frame: Frame) -> None:
    """One after another; what an item leaves on the stack comes first."""
    stack, items, env = m.stack, frame.items, frame.env
    depth, last = len(stack), len(items)
    while frame.index < last:
        node = items[frame.index]
        frame.index += 1
        ENTER[type(node)](m, node, env)
        if len(stack) != depth:
            return
    stack.pop()


def flow(m: Machine, items: Sequence[Any], env: Env) -> None:
    """Play items one after another, while they leave nothing on the stack; the rest waits below what they leave."""
    stack = m.stack
    depth = len(stack)
    for index, node in enumerate(items, 1):
        ENTER[type(node)](m, node, env)
        if len(stack) != depth:
            if index < len(items):
                rest = Frame(items, env, step_seq, index=index)
                stack.insert(depth, rest)
            return


def _enter_par(m: Machine, node: p.Par, env: Env) -> None:
    """At once; who stands on both sides does two things at once."""
    known = m.pars.get(id(node))
    if known is None:
        known = m.pars[id(node)] = (_may_meet(node), _unceasing(node))
    meet, unceasing = known
    m.push(node.items, env, step_par, (len(m.events) if unceasing else None, m.abreast))
    if meet:
        parts = [_doers(m, item, env) for item in node.items]
        twice = (
            actor
            for index, part in enumerate(parts)
            for actor in part
            if any(actor in other for other in parts[:index])
        )
        m.abreast = (*m.abreast, *twice)


def _acts(node: p.Node) -> list[p.Act]:
    if isinstance(node, p.Act):
        return [node]
    return [act for item in node.items for act in _acts(item)] if isinstance(node, p.Seq) else []


def _may_meet(node: p.Par) -> bool:
    """Whether one person may stand on both sides: not if they are different names, or the two of a pair."""
    parts = [{act.who for act in _acts(item)} for item in node.items]
    names = [{name for who in part for name in names_of(who) or ("?",)} for part in parts]
    if all(part <= PAIR for part in parts):
        return any(part & other for index, part in enumerate(parts) for other in parts[:index])
    return any(part & other or "?" in part | other for index, part in enumerate(names) for other in names[:index])


def _unceasing(node: p.Par) -> bool:
    return any(act.matter == UNCEASING for item in node.items for act in _acts(item))


def _doers(m: Machine, node: p.Node, env: Env) -> set[Actor]:
    return {actor for act in _acts(node) for actor in m.people(act.who, env)}


def step_par(m: Machine, frame: Frame) -> None:
    """At once: each begins when the first did; the end is the latest end."""
    frame.end = max(frame.end, m.clock)
    if frame.index == len(frame.items):
        m.clock = frame.end
        first, m.abreast = frame.data
        if first is not None:
            for event in m.events[first:]:
                # What goes on without ceasing (聲不絕) lasts as long as what happens beside it.
                if event.info.matter == UNCEASING:
                    event.end = event.actor.busy = frame.end
        m.stack.pop()
        return
    m.clock = frame.start
    node = frame.items[frame.index]
    frame.index += 1
    ENTER[type(node)](m, node, frame.env)


def step_heralded(m: Machine, frame: Frame) -> None:
    """What was hung on the start of an act is done; now the act."""
    m.stack.pop()
    m.play_ready(frame.items[0], frame.data, frame.env)


def step_beside(m: Machine, frame: Frame) -> None:
    """Beside: when it is done, the clock is where it was."""
    if frame.index == 0:
        frame.index = 1
        m.push(frame.items, frame.env)
        return
    m.clock = frame.start
    m.stack.pop()


def _enter_clause(m: Machine, node: p.Clause, env: Env) -> None:
    """A clause begins; what hangs on its start comes first."""
    clauses = m.clauses
    clauses.append(node.clause)
    before = (m.clause, m.via, m.answers, m.heralded)
    m.clause = clauses[0]
    via = tuple(clauses[:0:-1])
    # The clauses of another rite are none of this one: they say what answers, but nothing stands under them.
    m.via = via if not m.guests else tuple(number for number in via if number < m.guests)
    m.enter_clause(via)
    if node.before:
        m.stack.append(Frame([node], env, step_hung_clause, m.clock, m.clock, before))
        _hang(m, node.before, env)
    else:
        _begin_clause(m, node, env, before)


def step_hung_clause(m: Machine, frame: Frame) -> None:
    """What hung on the start of a clause is done; now the clause itself."""
    m.stack.pop()
    _begin_clause(m, frame.items[0], frame.env, frame.data)


def _begin_clause(m: Machine, node: p.Clause, env: Env, before: tuple[Any, ...]) -> None:
    """The acts of a clause, at once as far as they leave nothing on the stack."""
    clock = m.clock
    count = len(m.events)
    playing = Playing(node.clause, clock, clock, m.via, count, count, count, m.passed)
    if not node.elsewhere and not node.guest:
        m.plays.append(playing)
    m.started[node.clause] = clock
    stack = m.stack
    depth = len(stack)
    items = node.body.items
    for index, item in enumerate(items, 1):
        ENTER[type(item)](m, item, env)
        if len(stack) != depth:
            stack.insert(depth, Frame(items, env, step_clause, clock, clock, (node, before, playing), index))
            return
    _end_acts(m, playing)
    if node.after:
        stack.append(Frame(items, env, step_clause, clock, clock, (node, before, playing), len(items) + 1))
        _hang(m, node.after, env)
    else:
        _end_clause(m, node, before, playing)


def _end_acts(m: Machine, playing: Playing) -> None:
    playing.end = m.clock
    playing.events = len(m.events) - playing.events
    playing.passed = m.passed - playing.passed


def _end_clause(m: Machine, node: p.Clause, before: tuple[Any, ...], playing: Playing) -> None:
    playing.end = max(playing.end, m.clock)
    playing.done = len(m.events)
    m.clauses.pop()
    m.clause, m.via, m.answers, m.heralded = before
    m.first_done.add(node.clause)


def step_clause(m: Machine, frame: Frame) -> None:
    """The rest of a clause's acts; then what hangs on its end; then it is over."""
    stack, items = m.stack, frame.items
    depth, last = len(stack), len(items)
    while frame.index < last:
        item = items[frame.index]
        frame.index += 1
        ENTER[type(item)](m, item, frame.env)
        if len(stack) != depth:
            return
    node, before, playing = frame.data
    if frame.index == last:
        frame.index += 1
        _end_acts(m, playing)
        if node.after:
            _hang(m, node.after, frame.env)
            return
    _end_clause(m, node, before, playing)
    stack.pop()


def _hang(m: Machine, blocks: list[p.Hung], env: Env) -> None:
    for hung in reversed(blocks):
        if not hung.every and hung.number in m.first_done:
            continue
        m.first_done.add(hung.number)
        # It is played as the clause that tells it, which is played whenever its block is.
        told = m.told.get(hung.number)
        if told is None:
            told = m.told[hung.number] = [p.Clause(hung.home[0], hung.body)] if hung.home[0] >= 0 else hung.body.items
        m.push(told, env, step_beside if hung.beside else None)


def step_each(m: Machine, frame: Frame) -> None:
    """For each member; the next turn may begin when certain words of this turn began."""
    node, members = frame.data
    frame.end = max(frame.end, m.clock)
    if frame.index == len(members):
        m.clock = frame.end
        m.stack.pop()
        return
    member = members[frame.index]
    frame.index += 1
    if node.joins is not None and node.joins in m.started and (frame.index > 1 or node.follows):
        m.clock = min(m.clock, m.started[node.joins])
    env = dict(frame.env)
    if node.pairs:
        bind_pair(env, member, m.following.get(member[0].name, ()))
        target = m.targets.of(member[0].name)
        if target is not None:
            env.update(m.belonging(target))
    else:
        env[node.name] = (member,)
    flow(m, node.body.items, env)


def bind_pair(env: Env, pair: tuple[Actor, Actor], following: tuple[Actor, ...]) -> None:
    """Within a pair's turn, 上射 and 下射 are its own, and 升射者 the pair that comes after it in its list, if any."""
    env["上射"], env["下射"] = (pair[0],), (pair[1],)
    env["耦"] = pair
    env["其耦"] = (pair[0],)
    env["升射者"] = following


def step_turns(m: Machine, frame: Frame) -> None:
    """By turns until the condition holds, asked before each turn."""
    node, people = frame.data
    count = frame.index
    current = people[count % len(people)]
    env = dict(frame.env)
    env["拾者"] = (current,)
    env["對"] = (people[(count + 1) % len(people)],)
    if asked(m, node.until, env):
        m.stack.pop()
        return
    if count >= CAP:
        clause = m.rite.clauses[node.clause]
        raise UnderdeterminedError(
            Finding(
                code="endless-turns",
                cause=f"{node.words}: {CAP} turns and no end",
                clause=str(clause.id),
                words=clause.text,
                span=node.span,
            )
        )
    frame.index = count + 1
    flow(m, node.body.items, env)


def step_chain(m: Machine, frame: Frame) -> None:
    """Each receiver is the next giver; the last is 卒受者."""
    node, people = frame.data
    if frame.index >= len(people) - 1:
        if people and not frame.index:
            # There is nobody to receive: the cup stays with him who would have given it first.
            _last_receiver(m, people[0])
        m.stack.pop()
        return
    env = dict(frame.env)
    giver, receiver = people[frame.index], people[frame.index + 1]
    env[node.giver], env[node.receiver] = (giver,), (receiver,)
    frame.index += 1
    _last_receiver(m, receiver)
    flow(m, node.body.items, env)


def _last_receiver(m: Machine, actor: Actor) -> None:
    """From now on 卒受者 is he."""
    for outer in m.stack:
        outer.env = {**outer.env, "卒受者": (actor,)}


# ── what each kind of node begins ───────────────────────────────────────────────────────────────────────────────────


def _enter_each(m: Machine, node: p.Each, env: Env) -> None:
    actors = m.world.actors
    if node.who is not None:
        members: tuple[Any, ...] = m.people(node.who, env)
    elif node.pairs:
        members = tuple((actors[pair[0]], actors[pair[1]]) for pair in node.members or ())
    else:
        members = tuple(actors[str(name)] for name in node.members or ())
    m.push([], env, step_each, (node, members))


def _enter_chain(m: Machine, node: p.Chain, env: Env) -> None:
    people = tuple(actor for ref in node.members for actor in m.people(ref, env))
    m.push([], env, step_chain, (node, people))


def _enter_if(m: Machine, node: p.If, env: Env) -> None:
    chosen = node.body if asked(m, node.condition, env) else node.otherwise
    if not chosen.items:
        m.passed += 1
        m.untaken.setdefault(node.clause, node.words)
    flow(m, chosen.items, env)


def _enter_placed(m: Machine, node: p.Placed, env: Env) -> None:
    """A section that is told elsewhere: its clauses stand for themselves, not for that on which they hang."""
    before = (m.clauses, m.clause, m.via, m.answers, m.heralded)
    m.clauses = []
    m.push(node.body.items, env, step_placed, before)


def step_placed(m: Machine, frame: Frame) -> None:
    """The clauses one after another; then whatever was going on goes on."""
    items = frame.items
    depth, last = len(m.stack), len(items)
    while frame.index < last:
        node = items[frame.index]
        frame.index += 1
        ENTER[type(node)](m, node, frame.env)
        if len(m.stack) != depth:
            return
    m.clauses, m.clause, m.via, m.answers, m.heralded = frame.data
    m.stack.pop()


def _enter_turns(m: Machine, node: p.Turns, env: Env) -> None:
    people = tuple(actor for ref in node.who for actor in m.people(ref, env))
    if people:
        m.push([], env, step_turns, (node, people))


ENTER: dict[type, Callable[[Machine, Any, Env], None]] = {
    p.Act: Machine.play,
    p.Seq: lambda m, node, env: flow(m, node.items, env),
    p.Par: _enter_par,
    p.Clause: _enter_clause,
    p.If: _enter_if,
    p.Skipped: lambda m, node, _: m.skip(node),
    p.Each: _enter_each,
    p.Turns: _enter_turns,
    p.Chain: _enter_chain,
    p.Call: lambda m, node, env: flow(m, node.body.items, env),
    p.Answer: lambda *_: None,
    p.Placed: _enter_placed,
    p.TimeMoves: lambda m, node, _: m.time_moves(node),
    p.Caution: lambda m, node, _: m.warn(node.text, node),
}
