"""General statements (例): what the 記 says holds everywhere, checked over a whole performance.

A rule is data: which acts it speaks of (``when``: verb, actor, object, target, section …), and what of them must or
must not be so. Comes in: ``rules.toml`` of a rite. Goes out: a finding for each act that does not keep a rule.
"""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import msgspec

from yanli.errors import Finding, RiteError
from yanli.performance.event import changed
from yanli.plan.cast import evaluate
from yanli.venue import facing_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yanli.notation.model import Rite
    from yanli.performance.event import Event
    from yanli.performance.perform import Performance


class Filter(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"source": "from"}):
    """Acts that have all of these; each is a list of words of which one must fit.

    ``place``: where he who acts is afterwards. ``at``: where the act is aimed, or its things come to lie; ``from``:
    what the words say after 自.
    """

    verb: tuple[str, ...] = ()
    actor: tuple[str, ...] = ()
    object: tuple[str, ...] = ()
    target: tuple[str, ...] = ()
    section: tuple[str, ...] = ()
    place: tuple[str, ...] = ()
    at: tuple[str, ...] = ()
    source: tuple[str, ...] = ()
    facing: tuple[str, ...] = ()
    posture: tuple[str, ...] = ()
    matter: tuple[str, ...] = ()
    origin: tuple[str, ...] = ()
    except_actor: tuple[str, ...] = ()
    except_section: tuple[str, ...] = ()
    except_target: tuple[str, ...] = ()


# The parts that a rule may speak of.
RULES = Filter.__struct_encode_fields__


class Rule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A general statement: ``when`` an act is so, it ``must`` be so too, or it must ``never`` happen.

    ``of``: an expression over the scenario's keys; where it comes to 0, the statement is not of this scenario.
    """

    name: str
    words: str
    of: int | str = 1
    when: Filter
    must: Filter | None = None
    never: bool = False
    grade: str = "error"
    source: str | None = None
    en: str | None = None


def read_rules(rite: Rite) -> tuple[Rule, ...]:
    """Read the rules of a rite. Raises RiteError when the file is malformed."""
    path = rite.folder / "rules.toml"
    if not path.is_file():
        return ()
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8-sig")).get("rule", []), tuple[Rule, ...])
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, UnicodeDecodeError) as fault:
        raise RiteError(Finding(code="bad-rules", cause=f"{path.name}: {fault}")) from None


def check_rules(performance: Performance) -> Iterator[Finding]:
    """Every act that does not keep a rule."""
    by_verb: dict[str, list[Event]] = {}
    for event in performance.events:
        by_verb.setdefault(event.info.verb, []).append(event)
    values = performance.stage.scenario.values
    for rule in read_rules(performance.rite):
        if not evaluate(rule.of, values, f"rules.toml: {rule.name}"):
            continue
        verbs = rule.when.verb
        acts = performance.events if not verbs else [event for verb in verbs for event in by_verb.get(verb, ())]
        for event in acts:
            if not fits(rule.when, event, performance):
                continue
            if rule.never or (rule.must is not None and not fits(rule.must, event, performance)):
                clause = performance.rite.clauses[event.clause]
                yield Finding(
                    code="rule-broken",
                    grade="warning" if rule.grade == "warning" else "error",
                    event=event.n,
                    cause=f"{rule.name}（{rule.words}）: {event.actor.name} {event.info.verb} "
                    f"{'、'.join(thing.id for thing in event.things)} at {event.spot.name}",
                    clause=str(clause.id),
                    words=clause.text,
                    span=event.info.span,
                )


def fits(wanted: Filter, event: Event, performance: Performance) -> bool:
    """Whether an event has all that a filter asks."""
    info = event.info
    words = (
        (wanted.verb, info.verb),
        (wanted.origin, info.origin),
        (wanted.posture, event.posture),
        (wanted.matter, info.matter),
    )
    if any(allowed and word not in allowed for allowed, word in words):
        return False
    return (
        _people_fit(wanted, event)
        and _place_fits(wanted, event)
        and _way_fits(wanted, event, performance)
        and _section_fits(wanted, event, performance)
    )


def _people_fit(wanted: Filter, event: Event) -> bool:
    """Who does it, to whom, with what."""
    names = {event.actor.name, event.actor.base, *event.roles}
    targets = {name for person in event.target for name in (person.name, person.base, *person.roles)}
    kinds = {thing.kind for thing in event.things}
    asked = ((wanted.actor, names), (wanted.target, targets), (wanted.object, kinds))
    if any(allowed and found.isdisjoint(allowed) for allowed, found in asked):
        return False
    return names.isdisjoint(wanted.except_actor) and targets.isdisjoint(wanted.except_target)


def _place_fits(wanted: Filter, event: Event) -> bool:
    if wanted.place and event.spot.name not in wanted.place and event.spot.zone not in wanted.place:
        return False
    return not wanted.facing or facing_name(event.facing) in wanted.facing


def _way_fits(wanted: Filter, event: Event, performance: Performance) -> bool:
    """Whence, and whither: the words after 自; the place aimed at, or where the things come to lie."""
    if wanted.source and event.info.source not in wanted.source:
        return False
    if not wanted.at:
        return True
    lying = {
        value
        for _, attribute, value in changed(performance.journal, event)
        if attribute == "where" and isinstance(value, str)
    }
    return not ({event.to} | lying).isdisjoint(wanted.at)


def _section_fits(wanted: Filter, event: Event, performance: Performance) -> bool:
    """The section in which it is told, or those of the passages that are played again."""
    if not wanted.section and not wanted.except_section:
        return True
    sections = {performance.section(event.clause), *(performance.section(number) for number in event.via)}
    if wanted.section and sections.isdisjoint(wanted.section):
        return False
    return sections.isdisjoint(wanted.except_section)
