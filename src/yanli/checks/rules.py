"""General statements (例): what the 記 says holds everywhere, checked over a whole performance.

A rule is data: which acts it speaks of (``when``: verb, actor, object, target, section, dress …), and what of them must or
must not be so. Comes in: ``rules.toml`` of a rite. Goes out: a finding for each act that does not keep a rule.
"""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import msgspec

from yanli.errors import Finding, RiteError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yanli.notation.model import Rite
    from yanli.performance.event import Event
    from yanli.performance.perform import Performance

# The parts that a rule may speak of.
RULES = (
    "verb",
    "actor",
    "object",
    "target",
    "section",
    "place",
    "facing",
    "posture",
    "matter",
    "origin",
    "except_actor",
    "except_section",
    "holds",
    "wears",
)


class Filter(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Acts that have all of these; each is a list of words of which one must fit."""

    verb: tuple[str, ...] = ()
    actor: tuple[str, ...] = ()
    object: tuple[str, ...] = ()
    target: tuple[str, ...] = ()
    section: tuple[str, ...] = ()
    place: tuple[str, ...] = ()
    facing: tuple[str, ...] = ()
    posture: tuple[str, ...] = ()
    matter: tuple[str, ...] = ()
    origin: tuple[str, ...] = ()
    except_actor: tuple[str, ...] = ()
    except_section: tuple[str, ...] = ()
    except_target: tuple[str, ...] = ()


class Rule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A general statement: ``when`` an act is so, it ``must`` be so too, or it must ``never`` happen."""

    name: str
    words: str
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
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")).get("rule", []), tuple[Rule, ...])
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, UnicodeDecodeError) as fault:
        raise RiteError(Finding(code="bad-rules", cause=f"{path.name}: {fault}")) from None


def check_rules(performance: Performance) -> Iterator[Finding]:
    """Every act that does not keep a rule."""
    for rule in read_rules(performance.rite):
        for event in performance.events:
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


def fits(wanted: Filter, event: Event, performance: Performance) -> bool:  # noqa: PLR0911, C901 - one line for each part
    """Whether an event has all that a filter asks."""
    info = event.info
    if wanted.verb and info.verb not in wanted.verb:
        return False
    if wanted.origin and info.origin not in wanted.origin:
        return False
    names = {event.actor.name, event.actor.base, *event.roles}
    if wanted.actor and not names & set(wanted.actor):
        return False
    if names & set(wanted.except_actor):
        return False
    if wanted.object and not {thing.kind for thing in event.things} & set(wanted.object):
        return False
    targets = {name for person in event.target for name in (person.name, person.base, *person.roles)}
    if wanted.target and not targets & set(wanted.target):
        return False
    if targets & set(wanted.except_target):
        return False
    if wanted.section or wanted.except_section:
        sections = {performance.section(event.clause), *(performance.section(number) for number in event.via)}
        if wanted.section and not sections & set(wanted.section):
            return False
        if sections & set(wanted.except_section):
            return False
    if wanted.place and event.spot.name not in wanted.place and event.spot.zone not in wanted.place:
        return False
    if wanted.posture and event.posture not in wanted.posture:
        return False
    if wanted.matter and info.matter not in wanted.matter:
        return False
    if wanted.facing:
        from yanli.venue import facing_name

        return facing_name(event.facing) in wanted.facing
    return True
