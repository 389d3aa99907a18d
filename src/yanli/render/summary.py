"""One page on a performance: what, who, how long, how much, how it ended, what was found.

Comes in: a performance. Goes out: Markdown.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from yanli.performance.shooting import in_pairs
from yanli.render.columns import clock
from yanli.render.moments import counts, section_times
from yanli.render.score_lines import ScoreLines
from yanli.render.silence import KINDS, kind_of
from yanli.render.totals import measures_of, totals
from yanli.render.wording import Wording, title

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yanli.performance.perform import Performance

FEW = 12
"""So many findings are told; of more, the rest is counted."""


def summary(performance: Performance) -> str:
    """Write the page."""
    rite, stage = performance.rite, performance.stage
    lines = [f"# {title(rite)}", ""]
    lines += _scenario(performance)
    lines += ["", "## 總 totals", "", *(f"- {name}：{number:g}" for name, number in totals(performance).items())]
    lines += [f"- 久 length：{clock(performance.length)}"]
    lines += ["", "## 節 sections", "", "| 節 | section | 始 | 久 | 事 |", "|---|---|---|---|---|"]
    for time in section_times(performance):
        begun, lasts = clock(time.start), clock(time.end - time.start)
        slug = time.slug.replace("-", " ")
        lines.append(f"| {time.number} {time.name} | {slug} | {begun} | {lasts} | {time.events} |")
    lines += ["", "## 射 shooting", "", *_shooting(performance)]
    supplied = Counter(kind_of(event) for event in performance.events)
    lines += ["", "## 所出 origin", "", f"- 經文 of the words：{supplied[None] + supplied['actor']}"]
    lines += [f"- {said}：{supplied[kind]}" for kind, said in KINDS.items()]
    lines += ["", "## 疑 cruxes", "", *_cruxes(performance)]
    building = stage.layout.building
    measures = "、".join(f"{name} {words}" for name, words, _ in measures_of(performance))
    lines += ["", "## 宮室 building", "", f"- {building.kind}；一尺 one chi {building.metres:g} m", f"- {measures}"]
    misfits = stage.layout.misfits()
    lines += [f"- 不合 misfit：{misfit.cause}" for misfit in misfits] or ["- 無不合 nothing that does not fit"]
    lines += ["", "## 察 findings", "", *_findings(performance)]
    return "\n".join(lines) + "\n"


def _scenario(performance: Performance) -> Iterator[str]:
    scenario, cast, wording = performance.stage.scenario, performance.stage.cast, Wording(performance)
    settings = " ".join(f"{key}={value}" for key, value in scenario.values.items())
    yield f"- 設 scenario：{settings}"
    yield f"- 家 school：{scenario.school or '主 default'}"
    if scenario.record is not None:
        yield f"- 錄 record：{scenario.record}"
    yield f"- 人 persons：{len(cast.persons)}"
    numbers = Counter(person.base for person in cast.persons.values())
    yield "- " + "、".join(
        f"{base}{f' ×{number}' if number > 1 else ''}（{wording.person_en(base)}）" for base, number in numbers.items()
    )
    parties = Counter(person.party or "無黨" for person in cast.persons.values())
    yield "- " + "、".join(f"{party} {number}" for party, number in parties.items())


def _shooting(performance: Performance) -> Iterator[str]:
    shot: dict[str, list[int]] = {}
    for event in performance.events:
        if event.hit is not None:
            tally = shot.setdefault(performance.section(event.clause), [0, 0])
            tally[0] += 1
            tally[1] += event.hit
    for section, (arrows, hits) in shot.items():
        yield f"- {section}：矢 arrows {arrows}，中 hits {hits}"
    for number, count in enumerate(counts(performance), 1):
        sides = "，".join(f"{side} {total}（{in_pairs(total)}）" for side, total in count.sides.items())
        said = f"：{count.announcer}曰「{count.announced}」" if count.announced else ""
        yield f"- 第 {number} 數 count {number}，{clock(count.time)}　{sides}{said}"
    if not shot:
        yield "- 無射 no shooting"


def _cruxes(performance: Performance) -> Iterator[str]:
    choices = performance.stage.readings.choices
    lines = ScoreLines(performance.rite)
    plain = [choice for choice in choices.values() if choice.by == "default"]
    for choice in choices.values():
        if choice.by != "default":
            yield f"- {choice.crux}：{'、'.join(choice.names)}（{choice.by}）{lines.question(choice.crux) or ''}"
    if plain:
        yield f"- 從主 the default in {len(plain)}：" + "；".join(
            f"{choice.crux} {choice.names[0]}" for choice in plain
        )


def _findings(performance: Performance) -> Iterator[str]:
    grades = Counter(finding.grade for finding in performance.findings)
    yield "- " + ("、".join(f"{grade} {number}" for grade, number in grades.items()) or "無 none")
    for finding in performance.findings[:FEW]:
        place = f"{finding.span}：" if finding.span is not None else ""
        yield f"- {finding.grade} [{finding.code}] {place}{finding.cause}" + (
            f" 於「{finding.words}」" if finding.words else ""
        )
    if len(performance.findings) > FEW:
        yield f"- 又 {len(performance.findings) - FEW} more; `yanli check` lists all"
