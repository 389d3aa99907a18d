"""A rite's tree and a scenario, resolved into a program."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import msgspec

from yanli.corpus.spelling import find
from yanli.notation import tree
from yanli.notation.address import clause_at
from yanli.plan import program as p
from yanli.plan.acts import Acts, Verb, read_verbs
from yanli.plan.conditions import Conditions
from yanli.plan.readings import nearest
from yanli.plan.words import Scope, Words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from yanli.errors import Finding
    from yanli.lexicon import Lexicon
    from yanli.notation.rite import Rite
    from yanli.plan.cast import Cast, Pair
    from yanli.plan.marks import Marks
    from yanli.plan.readings import Readings
    from yanli.plan.targets import Targets
    from yanli.source import Span
    from yanli.venue import Layout

_Member = TypeVar("_Member", str, tuple[str, str])
# How deep a passage may play another again, and the level of a heading that opens a section.
DEPTH = 12
SECTION = 2
# What stands under a clause and asks for no act.
SILENT = (tree.Bind, tree.Comment, tree.Distinguish, tree.Range)


class Unit(msgspec.Struct, kw_only=True):
    """The clauses under one heading, of a section or a passage: from ``first`` up to, but without, ``last``."""

    name: str
    heading: tree.Heading | None
    first: int
    last: int
    parts: list[Unit]


class Program(msgspec.Struct, kw_only=True):
    """What is to be played, and what was found on the way; named ranges; the verbs."""

    root: p.Seq
    findings: list[Finding]
    ranges: dict[str, tuple[int, int]]
    verbs: dict[str, Verb]


class Resolver:
    """Resolves one rite for one scenario; use ``program()``."""

    def __init__(
        self, rite: Rite, lexicon: Lexicon, cast: Cast, layout: Layout, values: Mapping[str, object],
        readings: Readings, marks: Marks, targets: Targets,
    ) -> None:  # fmt: skip
        """Index the rite's headings, ranges, definitions and hooks."""
        self.rite = rite
        # Other rites whose passages are played by 如 RITE.PASSAGE, by each of their names. In such a guest clauses are
        # numbered from ``offset``, and what is done counts to the clause ``caller`` of the rite that calls.
        self.guests: dict[str, Resolver] = {}
        self.offset = 0
        self.caller: int | None = None
        self.cast = cast
        self.readings = readings
        self.words = Words(lexicon, cast, layout, targets)
        self.conditions = Conditions(self.words, values, marks)
        self.verbs = read_verbs(lexicon)
        self.acts = Acts(self.words, self.verbs)
        self.shots = frozenset(name for name, verb in self.verbs.items() if ("shoot",) in verb.does)
        self.units: list[Unit] = []
        self.named: dict[str, tuple[int, int]] = {}
        self.defines: dict[str, tree.Define] = {}
        self.hung: dict[tuple[int, str], list[tuple[tree.On, int]]] = {}
        self.placed: dict[tuple[int, str], list[Unit]] = {}
        self._made: dict[object, p.Seq] = {}
        self._outline()
        self._survey()

    def invite(self, guest: Resolver, offset: int) -> None:
        """Let passages of another rite be called, by any of its names; its clauses are numbered from ``offset``."""
        guest.offset = offset
        guest.words.findings = self.words.findings
        for name in (guest.rite.name, guest.rite.slug, *guest.rite.aliases):
            self.guests[name] = guest
            self.named.update(
                {f"{name}.{known}": (first + offset, last + offset) for known, (first, last) in guest.named.items()}
            )

    # ── what there is ───────────────────────────────────────────────────────────────────────────────────────────────

    def _outline(self) -> None:
        self._divide()
        for unit in self.units:
            self.named.setdefault(unit.name, (unit.first, unit.last))
            for part in unit.parts:
                self.named[f"{unit.name}.{part.name}"] = (part.first, part.last)
        for name, span in self._ranges().items():
            self.named[name] = span

    def _divide(self) -> None:
        """Divide the text into sections and passages."""
        number = 0
        section: Unit | None = None
        for item in (item for score in self.rite.scores for item in score.items):
            if isinstance(item, tree.Heading):
                unit = Unit(name=item.title, heading=item, first=number, last=number, parts=[])
                if item.level == SECTION:
                    section = unit
                    self.units.append(unit)
                elif section is not None:
                    section.parts.append(unit)
            elif isinstance(item, tree.ClauseLine):
                if section is None:
                    section = Unit(name="", heading=None, first=number, last=number, parts=[])
                    self.units.append(section)
                number += 1
                section.last = number
                if section.parts:
                    section.parts[-1].last = number

    def _ranges(self) -> dict[str, tuple[int, int]]:
        found: dict[str, tuple[int, int]] = {}
        for statement, at in self._statements():
            if isinstance(statement, tree.Range):
                first = self.clause_of(statement.first, statement.span, near=max(at, 0))
                if first is None:
                    continue
                # A range ends where its last words next stand after its first.
                last = self.clause_of(statement.last, statement.span, near=first, last=True, after=first)
                if last is not None:
                    found[statement.name] = (first, last + 1)
        return found

    def clause_of(
        self, words: str, span: Span, *, near: int = 0, last: bool = False, own: int = -1, after: int = 0
    ) -> int | None:
        """Find the clause in which quoted words begin (or, ``last``, end); a finding and None if they stand nowhere.

        Of several places those come first where the words begin a clause, then those in the section of clause ``near``,
        then the first of the text; never clause ``own``, nor one before ``after``.
        """
        clauses = self.rite.clauses
        found: list[tuple[bool, bool, int]] = []
        section = clauses[min(near, len(clauses) - 1)].section
        for start, end in find(words, self.rite.canonical):
            first, final = clause_at(clauses, start), clause_at(clauses, end - 1)
            if first != own and final >= after:
                begins = start == clauses[first].offset
                found.append((not begins, clauses[first].section != section, final if last else first))
        if not found:
            self.words.fault("unknown-words", f"「{words}」 stands nowhere in the text", span)
            return None
        return min(found)[2]

    def _statements(self) -> Iterable[tuple[tree.Statement, int]]:
        """All statements at whatever depth, with the number of the clause they stand under (-1 before the first)."""
        number = -1
        for score in self.rite.scores:
            for item in score.items:
                if isinstance(item, tree.ClauseLine):
                    number += 1
                if isinstance(item, (tree.ClauseLine, tree.Heading)):
                    at = number if isinstance(item, tree.ClauseLine) else number + 1
                    for statement in _walk(item.body, self._in_force):
                        yield statement, at

    def _in_force(self, reading: tree.Reading) -> bool:
        return set(self.readings.choose(reading.crux)) == set(reading.names)

    def _survey(self) -> None:
        for statement, number in self._statements():
            if isinstance(statement, tree.Define):
                self.defines[statement.name] = statement
            elif isinstance(statement, tree.Distinguish):
                self.conditions.named[statement.name] = statement.condition
            elif isinstance(statement, tree.On) and statement.words is not None:
                clause = self.clause_of(
                    statement.words, statement.span, near=max(number, 0), last=statement.at == "畢", own=number
                )
                if clause is not None:
                    self.hung.setdefault((clause, statement.at), []).append((statement, number))
        for unit in (one for section in self.units for one in (section, *section.parts)):
            if unit.heading is not None and unit.heading.placed is not None:
                self._survey_placed(unit, unit.heading, *unit.heading.placed)
        self._find_cycles()

    def _survey_placed(self, unit: Unit, heading: tree.Heading, words: str, at: str) -> None:
        """Find the clause at which a section is done that is told elsewhere."""
        clause = self.clause_of(words, heading.span, near=unit.first, last=at == "畢")
        if clause is None:
            return
        if unit.first <= clause < unit.last:
            self.words.fault("endless-when", f"{unit.name} waits for words of its own", heading.span)
            return
        inner = msgspec.structs.replace(heading, placed=None)
        self.placed.setdefault((clause, at), []).append(msgspec.structs.replace(unit, heading=inner))

    def _find_cycles(self) -> None:
        """Of clauses whose acts all hang on other words, none may wait in the end for itself."""
        waits: dict[int, list[tuple[int, tree.On]]] = {}
        for (clause, _), blocks in self.hung.items():
            for statement, home in blocks:
                if home >= 0 and self._hangs(home):
                    waits.setdefault(home, []).append((clause, statement))
        for home, hung in waits.items():
            seen: set[int] = set()
            todo = [clause for clause, _ in hung]
            while todo and home not in seen:
                clause = todo.pop()
                if clause not in seen:
                    seen.add(clause)
                    todo.extend(other for other, _ in waits.get(clause, ()))
            if home in seen:
                self._at(home)
                cause = f"「{self.rite.clauses[home].text}」 waits for words that wait for it"
                self.words.fault("endless-when", cause, hung[0][1].span)

        self._find_placed_cycles()

    def _find_placed_cycles(self) -> None:
        """Of sections that are told here and done elsewhere, none may wait in the end for one that waits for it."""
        told = [(unit, clause) for (clause, _), units in self.placed.items() for unit in units]
        for unit, first in told:
            seen: set[int] = set()
            todo = [first]
            while todo:
                clause = todo.pop()
                if clause not in seen:
                    seen.add(clause)
                    todo.extend(other for one, other in told if one.first <= clause < one.last)
            if unit.heading is not None and any(unit.first <= clause < unit.last for clause in seen):
                cause = f"{unit.name} waits for words that wait for it"
                self.words.fault("endless-when", cause, unit.heading.span)

    def _hangs(self, number: int) -> bool:
        """Whether all that a clause asks for hangs on other words."""
        asking = [one for one in self.rite.clauses[number].statements if not isinstance(one, SILENT)]
        return all(isinstance(one, tree.On) and one.words is not None for one in asking)

    # ── the whole ───────────────────────────────────────────────────────────────────────────────────────────────────

    def program(self) -> Program:
        """Resolve the whole rite."""
        root = self._range(0, len(self.rite.clauses), Scope(), whole=True)
        unique = {(f.code, f.span, f.cause): f for f in self.words.findings}
        return Program(root=root, findings=list(unique.values()), ranges=self.named, verbs=self.verbs)

    def _range(self, first: int, last: int, scope: Scope, *, whole: bool = False) -> p.Seq:
        key = (first, last, scope)
        if key not in self._made:
            items: list[p.Node] = []
            self._made[key] = p.Seq(items)
            for unit in self.units:
                if unit.first < last and unit.last > first:
                    items.extend(self._unit(unit, first, last, scope, whole=whole))
        return self._made[key]

    def _unit(self, unit: Unit, first: int, last: int, scope: Scope, *, whole: bool) -> list[p.Node]:
        heading = unit.heading
        if heading is not None and heading.placed is not None and not scope.depth:
            # Played again by 如 it is done there; in the course of the rite, where it is placed.
            return []
        if heading is not None and heading.guard is not None:
            ask = self.conditions.resolve(heading.guard, scope)
            words = _words(heading.raw)
            if ask is False:
                return self._skip(range(max(first, unit.first), min(last, unit.last)), words)
            if ask is not True:
                inner = msgspec.structs.replace(heading, guard=None)
                body = self._unit(msgspec.structs.replace(unit, heading=inner), first, last, scope, whole=whole)
                return [p.If(ask, p.Seq(body), p.Seq([]), words, self._counts_to(unit.first))]
        if heading is not None and heading.each is not None and not (scope.pair and heading.each[0].text == "耦"):
            inner_scope = self._each_scope(heading.each[0].text, scope)
            inner = msgspec.structs.replace(heading, each=None)
            body = self._unit(msgspec.structs.replace(unit, heading=inner), first, last, inner_scope, whole=whole)
            each = self._each(
                heading.each[0], heading.each[1], heading.without, heading.joins, p.Seq(body), heading.span, scope
            )
            if each is None:
                return self._skip(range(max(first, unit.first), min(last, unit.last)), _words(heading.raw))
            return [each]
        nodes: list[p.Node] = []
        if heading is not None and whole:
            nodes.extend(self._block(heading.body, scope, max(unit.first - 1, 0)).items)
        at = unit.first
        for part in unit.parts:
            nodes.extend(self._clauses(max(at, first), min(part.first, last), scope))
            if part.first < last and part.last > first:
                nodes.extend(self._unit(part, first, last, scope, whole=whole))
            at = part.last
        nodes.extend(self._clauses(max(at, first), min(unit.last, last), scope))
        return nodes

    def _skip(self, clauses: Iterable[int], words: str) -> list[p.Node]:
        return [p.Skipped(tuple(clauses) if self.caller is None else (), words)]

    def _counts_to(self, number: int) -> int:
        """The clause to which what is done in a clause counts: itself, or the one that calls this rite's passage."""
        return number if self.caller is None else self.caller

    def _clauses(self, first: int, last: int, scope: Scope) -> list[p.Node]:
        return [self._clause(number, scope) for number in range(first, last)]

    def _at(self, number: int) -> None:
        clause = self.rite.clauses[number]
        self.words.clause, self.words.clause_id, self.words.clause_text = number, str(clause.id), clause.text

    def _clause(self, number: int, scope: Scope) -> p.Clause:
        self._at(number)
        body = self._block(self.rite.clauses[number].statements, scope, number)
        hangs = any(
            isinstance(statement, tree.On) and statement.words for statement in self.rite.clauses[number].statements
        )
        node = p.Clause(number + self.offset, body, elsewhere=hangs and not body.items, guest=self.caller is not None)
        # A hung block is the words of another clause: it runs for everybody, whatever was exchanged or left out here.
        hung_scope = msgspec.structs.replace(scope, without=(), only=())
        for at, into in (("起", node.before), ("畢", node.after)):
            for statement, home in self.hung.get((number, at), ()):
                self._at(max(home, 0))
                block = self._block(statement.body, hung_scope, max(home, 0))
                at_home = home + self.offset if home >= 0 and self.caller is None else -1
                into.append(p.Hung(block, statement.every, statement.beside, id(statement), (at_home, at_home + 1)))
            for unit in self.placed.get((number, at), ()) if not scope.depth else ():
                placed = p.Placed(p.Seq(self._unit(unit, unit.first, unit.last, Scope(), whole=True)), unit.first)
                into.append(p.Hung(p.Seq([placed]), every=False, beside=False, number=id(unit), home=(-1, -1)))
        return node

    # ── blocks ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def _block(self, statements: Sequence[tree.Statement], scope: Scope, number: int) -> p.Seq:
        items: list[p.Node] = []
        last_who: p.WhoRef | None = None
        for statement in statements:
            if isinstance(statement, tree.ActLine):
                self._at(number)
                inner = scope if self.caller is None else self._warranted(scope, number)
                node, last_who = self.acts.line(statement, inner, self._counts_to(number), last_who)
                if not (isinstance(node, p.Seq) and not node.items):
                    items.append(node)
            else:
                items.extend(self._statement(statement, scope, number))
        return p.Seq(items)

    def _warranted(self, scope: Scope, number: int) -> Scope:
        """What is done by another rite's words has them for its warrant."""
        words = f"{self.rite.name}「{self.rite.clauses[number].text}」"
        return scope if scope.warrant is not None else msgspec.structs.replace(scope, warrant=words)

    def _statement(self, statement: tree.Statement, scope: Scope, number: int) -> list[p.Node]:
        nodes: list[p.Node] = []
        match statement:
            case tree.If():
                nodes = self._if(statement, scope, number)
            case tree.Each():
                nodes = self._each_block(statement, scope, number)
            case tree.Turns():
                nodes = self._turns(statement, scope, number)
            case tree.Chain():
                nodes = self._chain(statement, scope, number)
            case tree.On(words=None):
                nodes = self._answer(statement, scope, number)
            case tree.Again():
                nodes = self._again(statement, scope, number)
            case tree.Reading():
                nodes = self._reading(statement, scope, number)
            case tree.Time():
                nodes = [p.TimeMoves("".join(word.text for word in statement.words), self._counts_to(number))]
            case tree.Warn():
                nodes = [p.Caution(statement.text, self._counts_to(number), statement.span)]
        return nodes

    def _if(self, statement: tree.If, scope: Scope, number: int) -> list[p.Node]:
        ask = self.conditions.resolve(statement.condition, scope)
        if isinstance(ask, bool):
            chosen = statement.body if ask else statement.otherwise
            nodes = list(self._block(chosen, scope, number).items)
            return nodes if nodes or ask else self._skip((number,), _words(statement.raw))
        body = self._block(statement.body, scope, number)
        other = self._block(statement.otherwise, scope, number)
        return [p.If(ask, body, other, _words(statement.raw), self._counts_to(number))]

    def _chain(self, statement: tree.Chain, scope: Scope, number: int) -> list[p.Node]:
        bound = scope.bound | {statement.giver.text, statement.receiver.text}
        inner = msgspec.structs.replace(scope, bound=bound)
        members = tuple(ref for word in statement.members if (ref := self.words.whoever([word], scope)) is not None)
        body = self._block(statement.body, inner, number)
        return [p.Chain(statement.giver.text, statement.receiver.text, members, body)]

    def _reading(self, statement: tree.Reading, scope: Scope, number: int) -> list[p.Node]:
        if not self._in_force(statement):
            return []
        inner = msgspec.structs.replace(scope, reading=f"{statement.crux}={statement.names[0]}")
        return list(self._block(statement.body, inner, number).items)

    def _each_block(self, statement: tree.Each, scope: Scope, number: int) -> list[p.Node]:
        body = self._block(statement.body, self._each_scope(statement.name.text, scope), number)
        each = self._each(
            statement.name, statement.group, statement.without, statement.joins, body, statement.span, scope
        )
        return [each] if each is not None else self._skip((number,), _words(statement.raw))

    def _each_scope(self, name: str, scope: Scope) -> Scope:
        if name == "耦":
            return msgspec.structs.replace(scope, pair=True, bound=scope.bound | self.words.belonging)
        return msgspec.structs.replace(scope, bound=scope.bound | {name})

    def _each(
        self, name: tree.Word, group: Sequence[tree.Word], without: Sequence[tree.Word], joins: str | None,
        body: p.Seq, span: Span, scope: Scope,
    ) -> p.Each | None:  # fmt: skip
        """Resolve a repetition; None when the group is empty in this scenario."""
        texts = [self.words.exchanged(word.text, scope) for word in group]
        joined = self.clause_of(joins, span, near=max(self.words.clause, 0)) if joins else None
        joined = joined + self.offset if joined is not None else None
        paired = name.text == "耦"
        members: tuple[str, ...] | tuple[tuple[str, str], ...]
        if paired:
            pairs = tuple((pair.upper, pair.lower) for text in texts for pair in self._pairs(text, span))
            members = self._rest(pairs, without, scope)
        else:
            who = self.words.whoever(group, scope)
            names = names_of(who)
            if names is None:
                return p.Each(name.text, "、".join(texts), None, pairs=False, joins=joined, body=body, who=who)
            members = self._rest(names, without, scope)
        if not members:
            return None
        return p.Each(
            name.text,
            "、".join(texts),
            members,
            pairs=paired,
            joins=joined,
            body=body,
            follows=any(word.text == "首" for word in without),
        )

    def _rest(self, members: tuple[_Member, ...], without: Sequence[tree.Word], scope: Scope) -> tuple[_Member, ...]:
        """The members that 除 leaves: without the first (首), the last (末), a person, a group or a list of pairs."""
        for word in without:
            if word.text == "首":
                members = members[1:]
            elif word.text == "末":
                members = members[:-1]
            else:
                gone: set[object] = set(names_of(self.words.whoever([word], scope)) or ())
                gone.update((pair.upper, pair.lower) for pair in self.cast.pairs.get(word.text, ()))
                members = tuple(member for member in members if member not in gone)
        return members

    def _pairs(self, text: str, span: Span) -> Sequence[Pair]:
        found = self.cast.pairs.get(text)
        if found is None:
            self.words.fault("unknown-pairs", f"{text} is no list of pairs", span, nearest=tuple(self.cast.pairs))
            return ()
        return found

    def _turns(self, statement: tree.Turns, scope: Scope, number: int) -> list[p.Node]:
        refs = tuple(ref for word in statement.names if (ref := self.words.whoever([word], scope)) is not None)
        inner = msgspec.structs.replace(scope, bound=scope.bound | {"拾者", "對"})
        until = self.conditions.resolve(statement.until, inner)
        if isinstance(until, bool):
            self.words.fault(
                "endless-turns", "the scenario alone decides this 至: it would never or always end", statement.span
            )
            return []
        body = self._block(statement.body, inner, number)
        return [p.Turns(refs, until, body, _words(statement.raw), self._counts_to(number), statement.span)]

    def _answer(self, statement: tree.On, scope: Scope, number: int) -> list[p.Node]:
        binder, verb, *marks = (word.text for word in statement.act)
        if statement.within is not None:
            within = self.named.get(statement.within.text)
            if within is None:
                self.words.fault(
                    "unknown-range", f"{statement.within.text} is no section, passage or range", statement.span,
                    nearest=nearest(statement.within.text, tuple(self.named)),
                )  # fmt: skip
                return []
        else:
            within = self._home(number)
        if verb in self.shots:
            self.conditions.known_marks(statement.act[2:])
        actor = self.words.who(binder, scope) if self.words.is_name(binder, scope) else None
        bound = scope.bound | ({binder} if actor is None else frozenset())
        if verb in self.shots:
            bound |= self.words.belonging
        inner = msgspec.structs.replace(scope, bound=bound)
        body = self._block(statement.body, inner, number)
        return [
            p.Answer(
                binder=binder, verb=verb, marks=tuple(marks), actor=actor, at=statement.at,
                within=(within[0] + self.offset, within[1] + self.offset),
                beside=statement.beside, body=body, number=id(statement), named=statement.within is not None,
            )
        ]  # fmt: skip

    def _home(self, number: int) -> tuple[int, int]:
        """The section that a clause stands in."""
        for unit in self.units:
            if unit.first <= number < unit.last:
                return (unit.first, unit.last)
        return (0, len(self.rite.clauses))

    def _again(self, statement: tree.Again, scope: Scope, number: int) -> list[p.Node]:
        if scope.depth >= DEPTH:
            self.words.fault("endless-again", f"如 {statement.passage} calls itself without end", statement.span)
            return []
        exchange = tuple((old, self.words.exchanged(new, scope)) for old, new in statement.exchange)
        inherited = tuple(pair for pair in scope.exchange if pair[0] not in {old for old, _ in exchange})
        inner = Scope(
            bound=scope.bound, pair=scope.pair, exchange=(*exchange, *inherited),
            without=(*scope.without, *_filters(statement.without)), only=_filters(statement.only) or scope.only,
            reading=scope.reading, supplied=statement.supplied or scope.supplied,
            warrant=statement.warrant or scope.warrant, depth=scope.depth + 1,
        )  # fmt: skip
        define = self.defines.get(statement.passage)
        if define is not None:
            return [p.Call(statement.passage, self._block(define.body, inner, number))]
        head, dot, rest = statement.passage.partition(".")
        guest = self.guests.get(head) if dot else None
        if guest is not None:
            return guest.called(rest, inner, statement, self._counts_to(number))
        span = self.named.get(statement.passage)
        if span is None:
            self.words.fault(
                "unknown-passage", f"no section, passage, range or 法 is called {statement.passage}", statement.span,
                nearest=self._near(statement.passage),
            )  # fmt: skip
            return []
        body = self._range(*span, inner)
        self._at(number)
        return [p.Call(statement.passage, body)]

    def called(self, passage: str, scope: Scope, statement: tree.Again, caller: int) -> list[p.Node]:
        """Resolve one of this rite's passages for another rite, whose clause ``caller`` calls it."""
        span, define = self.named.get(passage), self.defines.get(passage)
        if span is None and define is None:
            cause = f"{self.rite.name} has no section, passage, range or 法 called {passage}"
            self.words.fault("unknown-passage", cause, statement.span, nearest=self._near(passage))
            return []
        before = self.caller, self._made
        self.caller, self._made = caller, {}
        body = self._range(*span, scope) if span is not None else self._block(define.body if define else (), scope, 0)
        self.caller, self._made = before
        return [p.Call(f"{self.rite.name}.{passage}", body, guest=True)]

    def _near(self, name: str) -> tuple[str, ...]:
        names = (*self.named, *self.defines)
        scored = sorted(names, key=lambda other: -len(set(other) & set(name)))
        return tuple(scored[:3])


def names_of(who: p.WhoRef | None) -> tuple[str, ...] | None:
    """The full names of fixed persons; None when they are bound or decided later."""
    if isinstance(who, p.Who):
        return who.names
    if isinstance(who, p.Several):
        parts = [names_of(part) for part in who.parts]
        if all(part is not None for part in parts):
            return tuple(name for part in parts if part is not None for name in part)
    return None


def _filters(words: Sequence[tree.Word]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(word.text.split("·")) for word in words)


def _words(raw: str) -> str:
    return raw.strip().lstrip("#").strip()


def _walk(statements: Sequence[tree.Statement], in_force: Callable[[tree.Reading], bool]) -> Iterable[tree.Statement]:
    """All statements at whatever depth, but for what stands in a reading that was not chosen."""
    for statement in statements:
        if isinstance(statement, tree.Reading) and not in_force(statement):
            continue
        yield statement
        for field in ("body", "otherwise"):
            yield from _walk(getattr(statement, field, ()), in_force)
