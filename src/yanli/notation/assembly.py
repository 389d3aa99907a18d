"""Putting a rite together from its scores.

Comes in: scores in order. Goes out: numbered sections and clauses, the names that are defined in them, and the faults
that only show when all the files lie side by side.
"""

from __future__ import annotations

import msgspec

from yanli.errors import Finding
from yanli.notation.address import find_beginning, nearest_clauses
from yanli.notation.lines import SECTION
from yanli.notation.model import (
    Answer,
    Clause,
    Crux,
    NamedRange,
    Passage,
    Rite,
    RiteHead,
    Section,
    Site,
)
from yanli.notation.tree import (
    ClauseLine,
    Define,
    Distinguish,
    Heading,
    Node,
    Range,
    Reading,
    Score,
    Statement,
)
from yanli.notation.walk import blocks, walk
from yanli.source import ClauseId, Span


def assemble(head: RiteHead, scores: tuple[Score, ...], settings: dict[str, object]) -> Rite:
    """Make a rite of its scores."""
    maker = _Assembly(head)
    for score in scores:
        for item in score.items:
            maker.take(item)
    maker.end_section()
    rite = Rite(
        slug=head.slug,
        name=head.name,
        title_en=head.title.en,
        title_zh=head.title.zh,
        aliases=head.aliases,
        folder=head.folder,
        sections=tuple(maker.sections),
        clauses=tuple(maker.clauses),
        ranges={},
        defines=maker.defines,
        distinctions=maker.distinctions,
        cruxes={},
        scores=scores,
        findings=(),
        canonical="".join(clause.text for clause in maker.clauses),
        places={str(clause.id): place for place, clause in enumerate(maker.clauses)},
        settings=settings,
    )
    rite.ranges = maker.find_ranges(rite)
    rite.cruxes = maker.find_cruxes()
    parsed = [_addressed(finding, rite.clauses) for score in scores for finding in score.findings]
    rite.findings = (*parsed, *maker.findings)
    return rite


def _addressed(finding: Finding, clauses: tuple[Clause, ...]) -> Finding:
    """Say in which clause a fault of the notation stands."""
    span = finding.span
    if span is None or finding.words is None:
        return finding
    above = [one for one in clauses if one.span.file == span.file and one.span.line <= span.line]
    return msgspec.structs.replace(finding, clause=str(above[-1].id)) if above else finding


class _Assembly:
    """Numbers what comes in, and remembers which names are taken."""

    def __init__(self, head: RiteHead) -> None:
        self.head = head
        self.sections: list[Section] = []
        self.clauses: list[Clause] = []
        self.findings: list[Finding] = []
        self.defines: dict[str, Define] = {}
        self.distinctions: dict[str, Distinguish] = {}
        self.ranges: dict[str, tuple[Range, int, str | None]] = {}
        self.sites: dict[str, list[Site]] = {}
        self.taken: dict[tuple[str, str], Span] = {}
        self.offset = 0
        self.section_start = 0
        self.passage_start = 0
        self.passage: Passage | None = None

    def take(self, item: Node) -> None:
        if isinstance(item, Heading):
            if item.level == SECTION:
                self.begin_section(item)
            else:
                self.begin_passage(item)
            self.gather(item.body, None)
        elif isinstance(item, ClauseLine):
            self.take_clause(item)

    def begin_section(self, node: Heading) -> None:
        self.end_section()
        number = len(self.sections) + 1
        slug = node.slug or f"section-{number}"
        self.name("section", node.title, node.span)
        self.name("slug", slug, node.span)
        self.sections.append(
            Section(
                number=number,
                name=node.title,
                slug=slug,
                span=node.span,
                guard=node.guard,
                each=node.each,
                without=node.without,
                joins=node.joins,
                statements=node.body,
            )
        )

    def ensure_section(self, span: Span) -> Section:
        """Words before any section stand in one that has the name of the rite."""
        if not self.sections:
            self.sections.append(Section(number=1, name=self.head.name, slug=self.head.slug, span=span))
        return self.sections[-1]

    def begin_passage(self, node: Heading) -> None:
        self.end_passage()
        section = self.ensure_section(node.span)
        self.name(f"passage of {section.name}", node.title, node.span)
        self.passage_start = len(self.clauses)
        self.passage = Passage(
            name=node.title,
            section=section.number,
            span=node.span,
            guard=node.guard,
            each=node.each,
            without=node.without,
            joins=node.joins,
            statements=node.body,
        )
        section.passages = (*section.passages, self.passage)

    def end_passage(self) -> None:
        if self.passage:
            self.passage.clauses = tuple(self.clauses[self.passage_start :])
        self.passage = None

    def end_section(self) -> None:
        self.end_passage()
        if self.sections:
            self.sections[-1].clauses = tuple(self.clauses[self.section_start :])
        self.section_start = len(self.clauses)

    def take_clause(self, node: ClauseLine) -> None:
        section = self.ensure_section(node.span)
        number = len(self.clauses) - self.section_start + 1
        clause = Clause(
            id=ClauseId(self.head.slug, section.number, number),
            text=node.text,
            offset=self.offset,
            section=section.number,
            passage=self.passage.name if self.passage else None,
            statements=node.body,
            span=node.span,
        )
        self.clauses.append(clause)
        self.offset += len(node.text)
        self.gather(node.body, clause)

    def name(self, kind: str, name: str, span: Span) -> bool:
        """Take a name, unless something of its kind has it."""
        if first := self.taken.get((kind, name)):
            cause = f"the {kind} {name} is there already, at {first}"
            self.findings.append(Finding(code="duplicate-name", cause=cause, span=span))
            return False
        self.taken[kind, name] = span
        return True

    def gather(self, body: tuple[Statement, ...], clause: Clause | None) -> None:
        """Find what is defined here, and the disputes."""
        for node in walk(body):
            if isinstance(node, Define):
                if self.name("法", node.name, node.span):
                    self.defines[node.name] = node
            elif isinstance(node, Distinguish):
                if self.name("辨", node.name, node.span):
                    self.distinctions[node.name] = node
            elif isinstance(node, Range) and self.name("段", node.name, node.span):
                near = len(self.clauses) - (clause is not None)
                self.ranges[node.name] = node, near, str(clause.id) if clause else None
        self.gather_readings(body, clause)

    def gather_readings(self, body: tuple[Node, ...], clause: Clause | None) -> None:
        group: list[Reading] = []
        for node in body:
            if isinstance(node, Reading):
                if group and group[-1].crux != node.crux:
                    self.add_site(group, clause)
                    group = []
                group.append(node)
            for block in blocks(node):
                self.gather_readings(block, clause)
        self.add_site(group, clause)

    def add_site(self, group: list[Reading], clause: Clause | None) -> None:
        if group:
            site = Site(clause.id if clause else None, tuple(group))
            self.sites.setdefault(group[0].crux, []).append(site)

    def find_cruxes(self) -> dict[str, Crux]:
        """One crux for each name, its readings joined where a scholar holds both."""
        return {name: self.join(name, sites) for name, sites in self.sites.items()}

    def join(self, name: str, sites: list[Site]) -> Crux:
        answers: list[tuple[list[str], bool]] = []
        for site in sites:
            for reading in site.readings:
                same = [place for place, (names, _) in enumerate(answers) if set(names).intersection(reading.names)]
                if not same:
                    answers.append((list(reading.names), reading.default))
                    continue
                names, default = answers[same[0]]
                names += [one for one in reading.names if one not in names]
                answers[same[0]] = names, default or reading.default
        defaults = ["、".join(names) for names, default in answers if default]
        if len(defaults) > 1:
            span = sites[-1].readings[0].span
            cause = f"the sites of {name} mark different readings 主: {'; '.join(defaults)}"
            self.findings.append(Finding(code="crux-default-differs", cause=cause, span=span))
        return Crux(name, tuple(Answer(tuple(names), default) for names, default in answers), tuple(sites))

    def find_ranges(self, rite: Rite) -> dict[str, NamedRange]:
        """Find the words between which each range lies."""
        found: dict[str, NamedRange] = {}
        for name, (node, near, clause) in self.ranges.items():
            first = find_beginning(rite.clauses, node.first, near, _scope(rite, near))
            if first is None:
                self.lost(rite, node, node.first, clause)
                continue
            end = len(rite.clauses)
            last = find_beginning(rite.clauses, node.last, first, (first, end))
            if last is None or last < first:
                self.lost(rite, node, node.last, clause)
                continue
            found[name] = NamedRange(name=name, first=first, last=last, node=node)
        return found

    def lost(self, rite: Rite, node: Range, words: str, clause: str | None) -> None:
        cause = f"no clause begins with {words}" + (f" after {node.first}" if words != node.first else "")
        self.findings.append(
            Finding(
                code="range-not-found",
                cause=cause,
                span=node.span,
                line=node.raw,
                clause=clause,
                nearest=nearest_clauses(rite, words),
            )
        )


def _scope(rite: Rite, near: int) -> tuple[int, ...]:
    """How far the passage and the section around a clause reach."""
    if not 0 <= near < len(rite.clauses):
        return ()
    clause = rite.clauses[near]
    section = [place for place, one in enumerate(rite.clauses) if one.section == clause.section]
    passage = [place for place in section if rite.clauses[place].passage == clause.passage]
    return passage[0], passage[-1] + 1, section[0], section[-1] + 1
