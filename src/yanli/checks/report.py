"""All checks of one rite, gathered."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from yanli.checks.nobody import check_nobody
from yanli.checks.observed import check_observed
from yanli.checks.rules import check_rules
from yanli.checks.text import check_bindings, check_coverage, check_text, how, statements
from yanli.checks.world import check_close, check_conservation, check_danger, check_two_places
from yanli.errors import Finding, RiteError
from yanli.notation import tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yanli.errors import YanliError
    from yanli.notation.model import Rite
    from yanli.performance.perform import Performance
    from yanli.performance.stage import Stage


EQUAL = {
    True: "equal to the pinned edition",
    False: "NOT equal to the pinned edition",
    None: "no pinned edition",
}


class Report(msgspec.Struct, kw_only=True):
    """What the checks of one rite found, and how much of it is served."""

    rite: str
    slug: str
    clauses: int
    characters: int
    performed: int
    bound: int
    bare: int
    text_equal: bool | None
    events: int
    seconds: float
    origins: dict[str, int]
    scenarios: int
    findings: list[Finding]
    errors: int = 0
    warnings: int = 0

    def summary(self) -> str:
        """A few lines for people."""
        share = 100.0 * (self.performed + self.bound) / self.clauses if self.clauses else 0.0
        told = f"{self.performed} performed 演, {self.bound} bound 註, {self.bare} bare 空"
        origins = "、".join(f"{origin} {number}" for origin, number in self.origins.items())
        return "\n".join(
            (
                f"{self.rite} ({self.slug}): {self.clauses} clauses 句, {self.characters} characters 字",
                f"  text 經文: {EQUAL[self.text_equal]}",
                f"  coverage 句之有著落者: {share:.1f} % ({told})",
                f"  acts 動: {self.events} in {self.seconds / 60:.0f} min ({origins})",
                f"  findings 察: {self.errors} errors, {self.warnings} warnings, {self.scenarios} scenario(s) played",
            )
        )


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """One scenario in which a rite is to be played: its settings and readings, as ``KEY=VALUE``, and its school."""

    sets: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    school: str | None = None

    def label(self) -> str:
        """Name it by what it sets."""
        return "、".join((*self.sets, *self.readings, *((self.school,) if self.school else ())))


class Cover(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One ``[[cover]]`` of rite.toml: a scenario over which coverage is taken."""

    set: dict[str, int | str] = {}
    reading: dict[str, str] = {}
    school: str | None = None


def declared(rite: Rite) -> list[Run]:
    """The scenarios that a rite itself declares (``[[cover]]`` in rite.toml), and each reading of each crux once.

    Those of the rite that it is like are not its own: they may name cruxes that it does not have. Raises RiteError when
    one is malformed.
    """
    try:
        covers = msgspec.convert(rite.settings.get("cover", ()), tuple[Cover, ...])
    except msgspec.ValidationError as fault:
        raise RiteError(Finding(code="bad-cover", cause=f"{rite.name}: [[cover]] in rite.toml: {fault}")) from None
    runs = [
        Run(
            sets=tuple(f"{key}={value}" for key, value in cover.set.items()),
            readings=tuple(f"{key}={value}" for key, value in cover.reading.items()),
            school=cover.school,
        )
        for cover in covers
    ]
    rivals = (
        Run(readings=(f"{crux.name}={answer.names[0]}",))
        for crux in rite.cruxes.values()
        for answer in crux.readings
        if not answer.default
    )
    return [*runs, *rivals]


class Checks:
    """Gathers what is wrong with one rite over its performances; ``close`` and ``danger`` ask for those checks."""

    def __init__(self, rite: Rite, *, close: bool = False, danger: bool = True) -> None:
        """Check what needs no performance."""
        self.rite = rite
        self.close = close
        self.danger = danger
        self.findings: list[Finding] = [*rite.findings, *check_text(rite), *check_coverage(rite)]
        self.performances = 0
        self.first: Performance | None = None
        self.reached: set[tuple[str, int]] = set()

    def add(self, performance: Performance, label: str = "") -> None:
        """Check one performance; what is found in one after the first bears its label."""
        if self.first is None:
            self.first, label = performance, ""
            self.findings.extend(check_bindings(self.rite, performance.stage.lexicon, performance.stage.layout))
            self.findings.extend(misfits(performance.stage))
            self.findings.extend(check_nobody(performance))
        self.performances += 1
        for finding in (*performance.findings, *_played(performance, close=self.close, danger=self.danger)):
            cause = f"[{label}] {finding.cause}" if label else finding.cause
            self.findings.append(msgspec.structs.replace(finding, cause=cause))
        spans = (event.info.span for event in performance.events)
        self.reached.update((span.file, span.line) for span in spans if span is not None)
        self.reached.update((act.span.file, act.span.line) for _, act, *_ in performance.machine.observed)

    def broken_off(self, fault: YanliError, label: str = "") -> None:
        """Note that a performance could not be played to its end, and why."""
        for finding in fault.findings:
            cause = f"[{label}] {finding.cause}" if label and self.performances else finding.cause
            self.findings.append(msgspec.structs.replace(finding, cause=cause))

    def report(self, *, everything: bool = False) -> Report:
        """What was found; with ``everything`` also the lines that no performance reached."""
        findings = [*self.findings, *(_unreached(self.rite, self.reached) if everything else ())]
        lines = _lines(self.rite)
        findings = [_with_line(finding, lines) for finding in findings]
        served = [how(clause) for clause in self.rite.clauses]
        events = self.first.events if self.first is not None else []
        codes = {finding.code for finding in findings}
        return Report(
            rite=self.rite.name,
            slug=self.rite.slug,
            clauses=len(self.rite.clauses),
            characters=len(self.rite.canonical),
            performed=served.count("performed"),
            bound=served.count("bound"),
            bare=served.count("bare"),
            text_equal=None if "no-edition" in codes else "text-differs" not in codes,
            events=len(events),
            seconds=self.first.length if self.first is not None else 0.0,
            origins=dict(Counter(event.info.origin for event in events)),
            scenarios=self.performances,
            findings=findings,
            errors=sum(finding.grade == "error" for finding in findings),
            warnings=sum(finding.grade == "warning" for finding in findings),
        )


def _played(performance: Performance, *, close: bool, danger: bool) -> Iterator[Finding]:
    yield from check_observed(performance)
    yield from check_conservation(performance)
    yield from check_two_places(performance)
    yield from check_rules(performance)
    if danger:
        yield from check_danger(performance)
    if close:
        yield from check_close(performance)


def misfits(stage: Stage) -> Iterator[Finding]:
    """A warning for each place and mat that the building cannot hold as the words have it; one for a place."""
    sitting = dict.fromkeys(prop.of for prop in stage.cast.properties if prop.kind == "席" and prop.of is not None)
    seats = [seat for name in sitting if (seat := stage.layout.seat_of(name)) is not None]
    wanting = {misfit.place: misfit for misfit in stage.layout.misfits()}
    wanting.update({misfit.place: misfit for seat in seats if (misfit := stage.layout.misfit(seat)) is not None})
    for misfit in wanting.values():
        yield Finding(
            code="does-not-fit",
            grade="warning",
            known=misfit.rule,
            cause=f"{misfit.place}: {misfit.cause} (wanting {misfit.by:.1f} 尺, {misfit.metres:.2f} m)",
        )


def _unreached(rite: Rite, reached: set[tuple[str, int]]) -> Iterator[Finding]:
    """Act lines that no performance reached."""
    for clause in rite.clauses:
        for statement in statements(clause.statements):
            if isinstance(statement, tree.ActLine) and statement.parts:
                place = (statement.span.file, statement.span.line)
                if place not in reached:
                    yield Finding(
                        code="unreached",
                        cause="no declared scenario reaches this line",
                        clause=str(clause.id),
                        words=clause.text,
                        span=statement.span,
                        line=statement.raw,
                    )


def _with_line(finding: Finding, lines: dict[tuple[str, int], str]) -> Finding:
    if finding.line is not None or finding.span is None:
        return finding
    return msgspec.structs.replace(finding, line=lines.get((finding.span.file, finding.span.line)))


def _lines(rite: Rite) -> dict[tuple[str, int], str]:
    """Every line of the scores as written, by file and number."""
    found: dict[tuple[str, int], str] = {}
    for item in (item for score in rite.scores for item in score.items):
        found[item.span.file, item.span.line] = item.raw
        for statement in statements(getattr(item, "body", ())):
            found[statement.span.file, statement.span.line] = statement.raw
    return found
