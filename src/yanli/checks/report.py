"""All checks of one rite, gathered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from yanli.checks.observed import check_observed
from yanli.checks.rules import check_rules
from yanli.checks.text import check_bindings, check_coverage, check_text, how, statements
from yanli.checks.world import check_close, check_conservation, check_danger, check_two_places
from yanli.errors import Finding
from yanli.notation import tree
from yanli.notation.rite import load_rite
from yanli.performance.perform import perform
from yanli.performance.stage import open_stage, rite_settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from yanli.notation.model import Rite
    from yanli.performance.perform import Performance
    from yanli.performance.stage import Stage


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
        equal = {
            True: "equal to the pinned edition",
            False: "NOT equal to the pinned edition",
            None: "no pinned edition",
        }
        return "\n".join(
            (
                f"{self.rite} ({self.slug}): {self.clauses} clauses 句, {self.characters} characters 字",
                f"  text 經文: {equal[self.text_equal]}",
                f"  coverage 句之有著落者: {share:.1f} % ({self.performed} performed 演, {self.bound} bound 註, {self.bare} bare 空)",
                f"  acts 動: {self.events} in {self.seconds / 60:.0f} min ({'、'.join(f'{k} {v}' for k, v in self.origins.items())})",
                f"  findings 察: {self.errors} errors, {self.warnings} warnings, {self.scenarios} scenario(s) played",
            )
        )


def check_rite(  # noqa: PLR0913 - each is a different thing that a person may ask
    name: str | Path,
    *,
    file: Path | None = None,
    sets: Iterable[str] = (),
    readings: Iterable[str] = (),
    school: str | None = None,
    record: str | None = None,
    close: bool = False,
    danger: bool = True,
    everything: bool = False,
) -> Report:
    """Check one rite in one scenario, or (``everything``) in all scenarios that it declares for its coverage."""
    from yanli.rehearsal import fates_for, scenario_for

    rite = load_rite(name)
    findings: list[Finding] = [*rite.findings, *check_text(rite), *check_coverage(rite)]
    runs: list[dict[str, object]] = [{"sets": tuple(sets), "readings": tuple(readings), "school": school}]
    if everything:
        runs.extend(_declared(rite))
    reached: set[tuple[str, int]] = set()
    first: Performance | None = None
    for index, run in enumerate(runs):
        scenario = scenario_for(rite, file=file, record=record, **run)  # type: ignore[arg-type]
        stage = open_stage(rite, scenario)
        if index == 0:
            findings.extend(check_bindings(rite, stage.lexicon, stage.layout))
            findings.extend(_misfits(stage))
        performance = perform(stage, fates_for(stage, scenario))
        first = first or performance
        found = [*performance.findings, *_played(performance, close=close, danger=danger)]
        label = "、".join(map(str, (*run["sets"], *run["readings"], *([run["school"]] if run["school"] else ()))))  # type: ignore[misc]
        findings.extend(
            msgspec.structs.replace(f, cause=f"[{label}] {f.cause}") if index and label else f for f in found
        )
        if everything:
            reached.update((e.info.span.file, e.info.span.line) for e in performance.events if e.info.span is not None)
            reached.update((act.span.file, act.span.line) for _, act, *_ in performance.machine.observed)
    if everything:
        findings.extend(_unreached(rite, reached))
    assert first is not None  # noqa: S101 - there is always a first run
    return _report(rite, first, findings, len(runs))


def _played(performance: Performance, *, close: bool, danger: bool) -> Iterator[Finding]:
    yield from check_observed(performance)
    yield from check_conservation(performance)
    yield from check_two_places(performance)
    yield from check_rules(performance)
    if danger:
        yield from check_danger(performance)
    if close:
        yield from check_close(performance)


def _declared(rite: Rite) -> list[dict[str, object]]:
    """The scenarios that a rite declares (``[[cover]]`` in rite.toml), and each reading of each crux once."""
    runs: list[dict[str, object]] = []
    for entry in rite_settings(rite).get("cover", ()):
        runs.append(
            {
                "sets": tuple(f"{key}={value}" for key, value in entry.get("set", {}).items()),
                "readings": tuple(f"{key}={value}" for key, value in entry.get("reading", {}).items()),
                "school": entry.get("school"),
            }
        )
    for crux in rite.cruxes.values():
        for answer in crux.readings:
            if not answer.default:
                runs.append({"sets": (), "readings": (f"{crux.name}={answer.names[0]}",), "school": None})
    return runs


def _misfits(stage: Stage) -> Iterator[Finding]:
    for misfit in stage.layout.misfits():
        yield Finding(
            code="does-not-fit",
            grade="warning",
            known=misfit.rule,
            cause=f"{misfit.place}: {misfit.cause} (wanting {misfit.by:.1f} 尺, {misfit.metres:.2f} m)",
        )


def _unreached(rite: Rite, reached: set[tuple[str, int]]) -> Iterator[Finding]:
    """Act lines that no declared scenario reaches."""
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


def _report(rite: Rite, performance: Performance, findings: list[Finding], scenarios: int) -> Report:
    served = [how(clause) for clause in rite.clauses]
    origins: dict[str, int] = {}
    for event in performance.events:
        origins[event.info.origin] = origins.get(event.info.origin, 0) + 1
    codes = {finding.code for finding in findings}
    lines = _lines(rite)
    findings = [
        finding
        if finding.line is not None or finding.span is None
        else msgspec.structs.replace(finding, line=lines.get((finding.span.file, finding.span.line)))
        for finding in findings
    ]
    return Report(
        rite=rite.name,
        slug=rite.slug,
        clauses=len(rite.clauses),
        characters=len(rite.canonical),
        performed=served.count("performed"),
        bound=served.count("bound"),
        bare=served.count("bare"),
        text_equal=None if "no-edition" in codes else "text-differs" not in codes,
        events=len(performance.events),
        seconds=performance.length,
        origins=origins,
        scenarios=scenarios,
        findings=findings,
        errors=sum(f.grade == "error" for f in findings),
        warnings=sum(f.grade == "warning" for f in findings),
    )


def _lines(rite: Rite) -> dict[tuple[str, int], str]:
    """Every line of the scores as written, by file and number."""
    found: dict[tuple[str, int], str] = {}
    for score in rite.scores:
        for item in score.items:
            found[item.span.file, item.span.line] = item.raw
            for statement in statements(getattr(item, "body", ())):
                found[statement.span.file, statement.span.line] = statement.raw
    return found
