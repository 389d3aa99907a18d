"""What there is: the rites; the disputes, general statements and textual variants of one.

Comes in: the name of a rite, perhaps another edition's file. Goes out: values, and the same as text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from yanli.checks.rules import read_rules
from yanli.corpus.collate import collate
from yanli.corpus.kanripo import Profile, read_file
from yanli.corpus.spelling import find, sha256
from yanli.corpus.variants import load_variants
from yanli.errors import Finding, RiteError, YanliError
from yanli.notation.address import clause_at
from yanli.notation.rite import list_rites, load_rite
from yanli.notation.tree import Bad, Bind, Comment, Speech
from yanli.notation.walk import walk
from yanli.render.columns import table, wrap
from yanli.render.score_lines import ScoreLines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from yanli.corpus.kanripo import Gap, Layer
    from yanli.corpus.variants import Variants
    from yanli.notation.model import Clause, Rite

PAGE = 96


class SectionSize(msgspec.Struct, frozen=True, kw_only=True):
    """A section: number, name, slug, how many clauses and characters."""

    number: int
    name: str
    slug: str
    clauses: int
    characters: int


class RiteSize(msgspec.Struct, frozen=True, kw_only=True):
    """A rite, and how much of it is written as acts. ``coverage``: the share of clauses with acts, or bound."""

    name: str
    slug: str
    aliases: list[str]
    title: str
    english: str
    clauses: int
    characters: int
    coverage: float
    cruxes: int
    findings: int
    sections: list[SectionSize]
    fault: str | None = None


def catalogue(*own: Path) -> list[RiteSize]:
    """List the rites that come with Yanli, after those in folders or scores of somebody's ``own``.

    One that cannot be loaded is listed with its fault; one of somebody's own raises it.
    """
    found = [_size(load_rite(path)) for path in own]
    for head in list_rites():
        try:
            found.append(_size(load_rite(head.slug)))
        except YanliError as fault:
            found.append(
                RiteSize(
                    name=head.name,
                    slug=head.slug,
                    aliases=list(head.aliases),
                    title=head.title.zh,
                    english=head.title.en,
                    clauses=0,
                    characters=0,
                    coverage=0.0,
                    cruxes=0,
                    findings=len(fault.findings),
                    sections=[],
                    fault=str(fault),
                )
            )
    return found


def listed(name: str) -> RiteSize:
    """One rite as it stands in the list. Raises RiteError if it cannot be had."""
    return _size(load_rite(name))


def _size(rite: Rite) -> RiteSize:
    covered = sum(1 for clause in rite.clauses if is_covered(clause))
    return RiteSize(
        name=rite.name,
        slug=rite.slug,
        aliases=list(rite.aliases),
        title=rite.title_zh or rite.name,
        english=rite.title_en,
        clauses=len(rite.clauses),
        characters=len(rite.canonical),
        coverage=covered / len(rite.clauses) if rite.clauses else 0.0,
        cruxes=len(rite.cruxes),
        findings=len(rite.findings),
        sections=[
            SectionSize(
                number=section.number,
                name=section.name,
                slug=section.slug,
                clauses=len(section.clauses),
                characters=sum(len(clause.text) for clause in section.clauses),
            )
            for section in rite.sections
        ],
    )


def is_covered(clause: Clause) -> bool:
    """Whether a clause asks for acts, or is bound to something: a bare remark covers nothing."""
    return any(not isinstance(node, (Comment, Bad)) for node in walk(clause.statements))


def catalogue_text(found: list[RiteSize]) -> str:
    """The same, to read."""
    lines = []
    for rite in found:
        names = "、".join((rite.slug, *rite.aliases))
        lines.append(f"{rite.name} · {rite.english}　（{names}）")
        if rite.fault is not None:
            lines += [f"  不可讀 cannot be read: {rite.fault}", ""]
            continue
        lines.append(
            f"  {len(rite.sections)} 節 sections　{rite.clauses} 句 clauses　{rite.characters} 字 characters　"
            f"所覆 coverage {rite.coverage:.1%}　{rite.cruxes} 疑 cruxes"
        )
        rows = [
            (
                str(section.number),
                section.name,
                section.slug.replace("-", " "),
                f"{section.clauses} 句",
                f"{section.characters} 字",
            )
            for section in rite.sections
        ]
        lines += [*table(rows, right=(0, 3, 4), indent="    "), ""]
    return "\n".join(lines).rstrip() + "\n" if lines else "無 no rites\n"


# ── disputes ────────────────────────────────────────────────────────────────────────────────────────────────────────


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A clause where something stands: its id and words, the section; ``line`` in the score."""

    clause: str | None
    text: str | None
    section: str | None
    line: str | None = None


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """One reading: who holds it, whether it is the default, its lines at the first place."""

    names: list[str]
    default: bool
    lines: list[str]


class CruxEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A dispute: its name, what is asked, the readings, and every place that it governs."""

    name: str
    question: str | None
    readings: list[Answered]
    places: list[Place]


def cruxes_of(rite_name: str) -> list[CruxEntry]:
    """List the disputes of a rite, in the order of the text."""
    rite = load_rite(rite_name)
    lines = ScoreLines(rite)
    found = []
    for crux in rite.cruxes.values():
        readings = []
        for answer in crux.readings:
            node = next((node for site in crux.sites for node in site.readings if node.names == answer.names), None)
            said = [inner.raw.strip() for inner in walk(node.body)] if node is not None else []
            readings.append(
                Answered(names=list(answer.names), default=answer.default, lines=[line for line in said if line])
            )
        places = [_place(rite, str(site.clause) if site.clause is not None else None) for site in crux.sites]
        found.append(CruxEntry(name=crux.name, question=lines.question(crux.name), readings=readings, places=places))
    return found


def _place(rite: Rite, address: str | None, line: str | None = None) -> Place:
    if address is None:
        return Place(clause=None, text=None, section=None, line=line)
    clause = rite.clause(address)
    return Place(clause=address, text=clause.text, section=rite.sections[clause.section - 1].name, line=line)


def cruxes_text(found: list[CruxEntry]) -> str:
    """The same, to read."""
    lines = [f"疑 cruxes：{len(found)}", ""]
    for crux in found:
        lines.append(crux.name)
        if crux.question:
            lines += [
                f"  ※ {line}" if number == 0 else f"    {line}" for number, line in enumerate(wrap(crux.question, PAGE))
            ]
        for reading in crux.readings:
            lines.append(f"  說 {'、'.join(reading.names)}{'　主 default' if reading.default else ''}")
            lines += [f"      {line}" for line in reading.lines]
        for place in crux.places:
            lines.append(f"  於「{place.text}」 {place.clause}" if place.clause else "  於 節首 under a heading")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


# ── general statements ──────────────────────────────────────────────────────────────────────────────────────────────


class RuleEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A general statement (例) of the words, where it is said, and whether a check sees to it."""

    name: str
    checked: bool
    says: str | None
    places: list[Place]


RULE = "例"


def rules_of(rite_name: str) -> list[RuleEntry]:
    """List the general statements of a rite, in the order of the text."""
    rite = load_rite(rite_name)
    checks = {rule.name: rule for rule in read_rules(rite)}
    places: dict[str, list[Place]] = {}
    for clause in rite.clauses:
        for node in walk(clause.statements):
            if isinstance(node, Bind) and node.kind == RULE:
                name = " ".join(f"「{word.text}」" if isinstance(word, Speech) else word.text for word in node.words)
                places.setdefault(name, []).append(_place(rite, str(clause.id), node.raw.strip()))
    found = []
    for name, listed in places.items():
        check = checks.get(name) or next((rule for rule in checks.values() if _says_it(rule.words, listed)), None)
        says = (check.en or check.words) if check is not None else None
        found.append(RuleEntry(name=name, checked=check is not None, says=says, places=listed))
    return found


def _says_it(words: str, places: list[Place]) -> bool:
    """Whether a check quotes the words of one of the places."""
    return any(place.text is not None and bool(find(place.text, words)) for place in places)


def rules_text(found: list[RuleEntry]) -> str:
    """The same, to read."""
    checked = sum(rule.checked for rule in found)
    lines = [f"例 general statements：{len(found)}　已試 checked {checked}", ""]
    for rule in found:
        lines.append(f"{'✓' if rule.checked else '–'} {rule.name}" + (f"　{rule.says}" if rule.says else ""))
        lines += [f"    「{place.text}」 {place.clause}　{place.section}" for place in rule.places]
    return "\n".join(lines).rstrip() + "\n"


# ── variants ────────────────────────────────────────────────────────────────────────────────────────────────────────


class VariantEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One variant: where we have ``words``, the witnesses have ``reading``."""

    kind: str
    places: list[Place]
    words: str
    reading: str
    witnesses: list[str]
    context: str
    interchangeable: bool = False
    note: str = ""


class LostLeaf(msgspec.Struct, frozen=True, kw_only=True):
    """Pages that a witness has lost: which, how many characters, from which clause to which."""

    witnesses: list[str]
    pages: list[str]
    characters: int
    first: Place
    last: Place


class ShapeTotal(msgspec.Struct, frozen=True, kw_only=True):
    """How often a witness writes one of our characters in another shape."""

    witness: str
    words: str
    reading: str
    count: int


class VariantList(msgspec.Struct, frozen=True, kw_only=True):
    """Everything in which the witnesses depart from our text. ``graphic`` counts other shapes by witness."""

    rite: str
    witnesses: dict[str, str]
    variants: list[VariantEntry]
    lost: list[LostLeaf]
    graphic: dict[str, int]
    shapes: list[ShapeTotal]
    damaged: int = 0


def variants_of(rite_name: str, against: Path | None = None) -> VariantList:
    """List the variants on record; with ``against``, collate that Kanripo file now. Raises RiteError."""
    rite = load_rite(rite_name)
    path = rite.folder / "variants.toml"
    known = load_variants(path) if path.is_file() else None
    if against is not None:
        return _collated(rite, known, against)
    if known is None:
        raise RiteError(Finding(code="no-variants", cause=f"{rite.name} has no variants.toml"))
    return _recorded(rite, known)


def _recorded(rite: Rite, known: Variants) -> VariantList:
    exact = sha256(rite.canonical) == known.text.regular_sha256
    found, lost = [], []
    for variant in known.variants:
        offsets = variant.at if exact else _by_context(rite, variant.context)
        if variant.kind == "佚葉":
            start = offsets[0] if offsets else None
            lost.append(_lost(rite, list(variant.witnesses), list(variant.pages), start, len(variant.words)))
            continue
        found.append(
            VariantEntry(
                kind=variant.kind,
                places=[_at(rite, offset) for offset in offsets],
                words=variant.words,
                reading=variant.reading,
                witnesses=list(variant.witnesses),
                context=variant.context,
                interchangeable=variant.interchangeable,
                note=variant.note,
            )
        )
    graphic: dict[str, int] = {}
    for shape in known.shapes:
        graphic[shape.witness] = graphic.get(shape.witness, 0) + shape.count
    return VariantList(
        rite=rite.name,
        witnesses={witness.siglum: f"{witness.title}（{witness.edition}）" for witness in known.witnesses},
        variants=found,
        lost=lost,
        graphic=graphic,
        shapes=[ShapeTotal(witness=s.witness, words=s.words, reading=s.reading, count=s.count) for s in known.shapes],
    )


def _by_context(rite: Rite, context: str) -> tuple[int, ...]:
    """Where a variant stands when the text is not the one that its offsets count in."""
    before, _, rest = context.partition("［")
    words, _, after = rest.partition("］")
    if "…" in words:
        return tuple(end for _, end in find(before, rite.canonical))[:1]
    found = find(before + words + after, rite.canonical)
    return tuple(start + len(before) for start, _ in found)[:1]


def _at(rite: Rite, offset: int) -> Place:
    number = clause_at(rite.clauses, min(offset, max(len(rite.canonical) - 1, 0)))
    return _place(rite, str(rite.clauses[number].id))


def _lost(rite: Rite, witnesses: list[str], pages: list[str], start: int | None, length: int) -> LostLeaf:
    nowhere = Place(clause=None, text=None, section=None)
    first = _at(rite, start) if start is not None else nowhere
    last = _at(rite, start + max(length - 1, 0)) if start is not None else nowhere
    return LostLeaf(witnesses=witnesses, pages=pages, characters=length, first=first, last=last)


def _collated(rite: Rite, known: Variants | None, path: Path) -> VariantList:
    layer = _read(rite, known, path)
    siglum = (
        next((w.siglum for w in known.witnesses if w.file == path.name), path.name) if known is not None else path.name
    )
    text = rite.canonical
    found, lost, shapes = [], [], dict[tuple[str, str], int]()
    for each in collate(text, layer.text, _gaps(layer)):
        if each.kind == "字形":
            shapes[each.words, each.reading] = shapes.get((each.words, each.reading), 0) + 1
        elif each.kind == "佚葉":
            lost.append(_lost(rite, [siglum], list(each.pages), each.start, len(each.words)))
        else:
            context = f"{text[max(each.start - 6, 0) : each.start]}［{each.words}］{text[each.end : each.end + 6]}"
            found.append(
                VariantEntry(
                    kind=each.kind,
                    places=[_at(rite, each.start)],
                    words=each.words,
                    reading=each.reading,
                    witnesses=[siglum],
                    context=context,
                    interchangeable=each.interchangeable,
                    note=f"葉 {layer.page(each.other)}",
                )
            )
    return VariantList(
        rite=rite.name,
        witnesses={siglum: str(path)},
        variants=found,
        lost=lost,
        graphic={siglum: sum(shapes.values())},
        shapes=[
            ShapeTotal(witness=siglum, words=ours, reading=theirs, count=n) for (ours, theirs), n in shapes.items()
        ],
        damaged=len(layer.damage),
    )


def _gaps(layer: Layer) -> tuple[Gap, ...]:
    return layer.gaps


def _read(rite: Rite, known: Variants | None, path: Path) -> Layer:
    """Read a witness: by its own profile, else by that of any other, else by the first and last words of our text."""
    fault: YanliError | None = None
    for profile in _profiles(rite, known, path.name):
        try:
            return read_file(path, profile)
        except RiteError as found:
            fault = fault or found
        except OSError as found:
            raise RiteError(Finding(code="unreadable-file", cause=f"{path}: {found.strerror}")) from None
        except UnicodeDecodeError as found:
            raise RiteError(Finding(code="not-utf8", cause=f"{path} is not UTF-8: {found.reason}")) from None
    cause = "; ".join(finding.cause for finding in fault.findings) if fault is not None else "it cannot be read"
    raise RiteError(Finding(code="bad-kanripo", cause=f"{path}: {cause}"))


def _profiles(rite: Rite, known: Variants | None, name: str) -> Iterator[Profile]:
    witnesses = known.witnesses if known is not None else ()
    profiles = [(witness.file == name, witness.profile) for witness in witnesses if witness.profile is not None]
    yield from (profile for own, profile in profiles if own)
    yield from (profile for own, profile in profiles if not own)
    yield Profile(start=rite.clauses[0].text, end=rite.clauses[-1].text)


def variants_text(found: VariantList) -> str:
    """The same, to read: 作 another reading, then pages lost, then other shapes, counted."""
    lines = [f"{found.rite}　異文 variants：{len(found.variants)}", ""]
    lines += [f"  {siglum}　{title}" for siglum, title in found.witnesses.items()]
    rows = [
        (
            each.kind + ("（通）" if each.interchangeable else ""),
            "、".join(place.clause or "" for place in each.places[:3]) + ("…" if len(each.places) > 3 else ""),  # noqa: PLR2004
            f"「{each.words}」" if each.words else "（無）",
            "、".join(each.witnesses),
            f"作「{each.reading}」" if each.reading else "無",
            each.context,
            each.note,
        )
        for each in found.variants
    ]
    lines += ["", *table(rows, indent="  ")]
    if found.lost:
        lines += ["", "佚葉 pages lost"]
        for leaf in found.lost:
            extent = f"「{leaf.first.text}」 {leaf.first.clause} 至 to 「{leaf.last.text}」 {leaf.last.clause}"
            lines.append(
                f"  {'、'.join(leaf.witnesses)}　{'、'.join(leaf.pages)}　{leaf.characters} 字 characters　{extent}"
            )
    lines += ["", "字形 other shapes of the same character, counted"]
    lines += table([(siglum, str(count)) for siglum, count in found.graphic.items()], right=(1,), indent="  ")
    if found.damaged:
        lines += ["", f"殘字 characters that the file could not give：{found.damaged}"]
    return "\n".join(lines) + "\n"
