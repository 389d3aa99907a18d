"""A clause with all its layers, for people: its acts, its variants, what every work says of it.

Comes in: a rite, clauses of it, and a store where there is one. Goes out: values, and the same as text. Without a store
the clause still shows its acts and variants.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from yanli.corpus.beside import Saying, beside
from yanli.notation.tree import Comment
from yanli.notation.walk import walk
from yanli.render.catalogue import VariantEntry, variants_of
from yanli.render.columns import wrap

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from yanli.corpus.beside import Beside, Emended, Where
    from yanli.corpus.quote_same import Change
    from yanli.corpus.store import Store
    from yanli.notation.model import Clause, Rite

WIDTH = 100
UNSURE = 0.6
"""What is less sure than this is told with its confidence."""
EMENDED = "校 emended"
"""What is not told as it stands in the work, but as an emendation that was accepted has it."""
DAMAGED = "損 damaged"
"""What is damaged in the work, and told as it stands there, for nothing was accepted that would mend it."""
NOTE = "注"


class Layers(msgspec.Struct, frozen=True, kw_only=True):
    """A clause: its section, the lines of the score under it, the variants in it, what is said of it.

    ``notes`` are old notes that speak of other clauses: those that stand right behind this one (``note_at`` is then
    this clause), and where it has none at all those that follow next, at ``note_at``, whose words are ``note_words``.
    ``references`` are remarks on other words, of any rite, that refer to these by quoting them.
    """

    clause: str
    text: str
    section: str
    acts: list[str]
    variants: list[VariantEntry]
    sayings: list[Saying]
    notes: list[Saying]
    note_at: str | None
    note_words: str | None
    references: list[Saying]


def layers_of(rite: Rite, clauses: Sequence[Clause], store: Store | None) -> list[Layers]:
    """Give the clauses with all that is beside them."""
    variants = _variants(rite)
    said: dict[str, Beside] = {}
    if store is not None:
        wanted = [str(clause.id) for clause in clauses]
        said = {each.clause: each for each in beside(store, clause_words(rite), wanted)}
    words = {str(clause.id): clause.text for clause in rite.clauses}
    return [_layers(rite, clause, variants, said.get(str(clause.id)), words) for clause in clauses]


def clause_words(rite: Rite) -> list[tuple[str, str]]:
    """Give ids and words of all clauses, as the corpus asks for them."""
    return [(str(clause.id), clause.text) for clause in rite.clauses]


def _layers(
    rite: Rite, clause: Clause, variants: dict[str, list[VariantEntry]], found: Beside | None, words: dict[str, str]
) -> Layers:
    notes = list(found.notes) if found else []
    here = any(str(clause.id) == (each.stands or each.last) for each in notes)
    note_at = None if not notes else str(clause.id) if here else notes[0].stands or notes[0].last
    return Layers(
        clause=str(clause.id),
        text=clause.text,
        section=rite.sections[clause.section - 1].name,
        acts=[node.raw.rstrip() for node in walk(clause.statements) if not isinstance(node, Comment)],
        variants=variants.get(str(clause.id), []),
        sayings=list(found.sayings) if found else [],
        notes=notes,
        note_at=note_at,
        note_words=words.get(note_at) if note_at else None,
        references=list(found.references) if found else [],
    )


def _variants(rite: Rite) -> dict[str, list[VariantEntry]]:
    """The variants on record, by clause; a rite that records none has none."""
    if not (rite.folder / "variants.toml").is_file():
        return {}
    found: dict[str, list[VariantEntry]] = {}
    for each in variants_of(str(rite.folder)).variants:
        for clause in dict.fromkeys(place.clause for place in each.places if place.clause):
            found.setdefault(clause, []).append(each)
    return found


def layers_text(found: Iterable[Layers], *, acts: bool = True) -> str:
    """The same, to read."""
    return "\n".join("\n".join(_rows(each, acts=acts)) + "\n" for each in found)


def _rows(each: Layers, *, acts: bool) -> Iterator[str]:
    yield f"經　「{each.text}」 {each.clause}　{each.section}"
    if acts and each.acts:
        yield "行 acts"
        yield from (f"    {line.strip()}" for line in each.acts)
    for variant in each.variants:
        yield f"異　{variant_words(variant)}"
    for saying in each.sayings:
        yield from saying_rows(saying, each.clause)
    if each.note_at == each.clause:
        yield "此句下之注，論他句 right under it stands a note that speaks of other words"
    elif each.note_at is not None:
        yield f"此句下無注，其後之注在 no note right under it; the next stands at 「{each.note_words}」 {each.note_at}"
    for saying in each.notes:
        yield from saying_rows(saying, each.note_at or each.clause)
    if each.references:
        yield "他處引此句 quoted elsewhere, by remarks on other words"
    for saying in each.references:
        yield from saying_rows(saying, each.clause)


def variant_words(variant: VariantEntry) -> str:
    """A variant in one line."""
    ours = f"「{variant.words}」" if variant.words else "（無）"
    theirs = f"作「{variant.reading}」" if variant.reading else "無"
    who = "、".join(variant.witnesses)
    note = f"　{variant.note}" if variant.note else ""
    return f"{variant.kind}　{ours}{theirs}　{who}{note}"


def saying_rows(saying: Saying, clause: str) -> Iterator[str]:
    """What is said, in lines: the layer and who speaks, his words, the works that have them."""
    spoken = f"　{saying.speaker}" if saying.speaker else ""
    about = ""
    if saying.first != saying.last:
        about = f"　（論 on {saying.first}–{saying.last}）"
    elif saying.first != clause:
        about = f"　（論 on {saying.first}）"
    doubt = f"　疑 unsure {saying.confidence:g}" if saying.confidence < UNSURE else ""
    mended = f"　{EMENDED}" if saying.works[0].emended else ""
    damage = f"　{DAMAGED}" if saying.works[0].damaged else ""
    yield f"{saying.layer.value}{spoken}{about}{doubt}{mended}{damage}"
    yield from (f"    {line}" for line in wrap(saying.text, WIDTH - 4))
    for where in saying.works:
        yield f"      見 {where_words(where)}"


def where_words(where: Where) -> str:
    """A work and the place in it, who quotes it there, and how it differs."""
    place = f"葉 {where.page}" if where.page else f"行 line {where.line}"
    quoted = f"，{'、'.join(where.quoted_by)}引 quoted" if where.quoted_by else ""
    changes = [change_words(change) for change in where.changes]
    differs = f"　異 differs：{'，'.join(changes)}" if changes else ""
    mended = f"　{EMENDED}：{'，'.join(map(emended_words, where.emended))}" if where.emended else ""
    damage = f"　{damaged_words(where)}" if where.damaged else ""
    # A work that has no title goes by its name.
    title = f" {where.title}" if where.title != where.work else ""
    return f"{where.work}{title} {place}{quoted}{differs}{mended}{damage}"


def damaged_words(where: Where) -> str:
    """Say how many places of a remark are damaged, and what shows them with what is proposed for them."""
    count = len(where.damaged)
    return f"{DAMAGED}：{count} 處 place{'s' if count > 1 else ''}，見 see yanli corpus emend {where.work}"


def change_words(change: Change) -> str:
    """A difference in a few words; what only stands elsewhere in the same work is not wanting in it."""
    if change.words and change.reading:
        return f"「{change.words}」→「{change.reading}」"
    if change.elsewhere is not None:
        whose = "在" if change.words else "首本在"
        return f"「{change.words or change.reading}」{whose} stands at {change.elsewhere}"
    return f"無「{change.words}」" if change.words else f"增「{change.reading}」"


def emended_words(each: Emended) -> str:
    """An emendation in one line: what stands in the work, what is read for it, who accepted it."""
    found = f"「{each.found}」" if each.found else "（無）"
    words = f"「{each.words}」" if each.words else "（刪 left out）"
    return f"{found}→{words} {each.reviewer}"
