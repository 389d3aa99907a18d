"""The text of a score against its pinned edition, and every clause performed or bound."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

from yanli.errors import Finding
from yanli.notation import tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from yanli.lexicon import Lexicon
    from yanli.notation.model import Clause, Rite
    from yanli.venue import Layout

EDITION = "edition.toml"


def pinned_edition(rite: Rite) -> str | None:
    """The canonical text that this score must equal: beside it, or that of the packaged rite with the same slug."""
    from yanli.notation.rite import list_rites

    folders = [rite.folder, *(head.folder for head in list_rites() if head.slug == rite.slug)]
    for folder in folders:
        path = folder / EDITION
        if path.is_file():
            return "".join(str(tomllib.loads(path.read_text(encoding="utf-8"))["text"]).split())
    return None


def check_text(rite: Rite) -> Iterator[Finding]:
    """Every place where the score's words are not those of the edition."""
    from yanli.corpus.collate import collate
    from yanli.notation.address import clause_at

    edition = pinned_edition(rite)
    if edition is None:
        yield Finding(
            code="no-edition", grade="note", cause=f"{rite.name} has no pinned edition ({EDITION}) to be compared with"
        )
        return
    if edition == rite.canonical:
        return
    for difference in collate(edition, rite.canonical):
        before = edition[max(0, difference.start - 6) : difference.start]
        at = min(difference.other, len(rite.canonical) - 1)
        clause = rite.clauses[clause_at(rite.clauses, at)] if rite.clauses else None
        cause = f"the edition has 「{difference.words or '–'}」 after 「{before}」, the score 「{difference.reading or '–'}」"
        yield Finding(
            code="text-differs",
            cause=cause,
            clause=str(clause.id) if clause else None,
            words=clause.text if clause else None,
            span=clause.span if clause else None,
        )


def statements(blocks: Sequence[tree.Statement]) -> Iterator[tree.Statement]:
    """All statements at whatever depth."""
    for statement in blocks:
        yield statement
        for field in ("body", "otherwise"):
            yield from statements(getattr(statement, field, ()))


ACTING = (tree.ActLine, tree.Again, tree.Time, tree.Warn)


def how(clause: Clause) -> str:
    """How a clause is served: performed, bound, or bare."""
    found = list(statements(clause.statements))
    if any(isinstance(statement, ACTING) for statement in found):
        return "performed"
    return "bound" if any(isinstance(statement, tree.Bind) for statement in found) else "bare"


def check_coverage(rite: Rite) -> Iterator[Finding]:
    """Every clause asks for acts or is bound to what it governs."""
    for clause in rite.clauses:
        if how(clause) == "bare":
            yield Finding(
                code="bare-clause",
                cause="this clause has neither acts nor a 註 that binds it",
                clause=str(clause.id),
                words=clause.text,
                span=clause.span,
            )


def check_bindings(rite: Rite, lexicon: Lexicon, layout: Layout) -> Iterator[Finding]:
    """Every 註 binds to something that exists."""
    for clause in rite.clauses:
        for statement in statements(clause.statements):
            if isinstance(statement, tree.Bind):
                cause = _bound(statement, rite, lexicon, layout)
                if cause:
                    yield Finding(
                        code="unbound-note",
                        cause=cause,
                        clause=str(clause.id),
                        words=clause.text,
                        span=statement.span,
                        line=statement.raw,
                    )


KINDS = frozenset({"義", "度", "例", "器", "位", "動", "表"})


def _bound(note: tree.Bind, rite: Rite, lexicon: Lexicon, layout: Layout) -> str | None:
    """Say why a 註 binds to nothing; None when it does."""
    words = [word.text for word in note.words]
    if note.kind not in KINDS:
        return f"註 {note.kind}: no such kind; known are {' '.join(sorted(KINDS))}"
    if not words:
        return f"註 {note.kind} names nothing"
    match note.kind:
        case "度":
            base = words[0].partition(".")[0]
            if not note.value:
                return f"註 度 {words[0]}: a measure needs a value, as in 楅.長 = 3尺"
            return None if _exists(base, lexicon, layout) else f"{base} is neither a thing nor a place"
        case "動":
            from yanli.corpus.spelling import find

            missing = [word for word in words if not find(word, rite.canonical)]
            return f"「{missing[0]}」 stands nowhere in the text" if missing else None
        case "表":
            missing = [word for word in words if not _row(word, rite.folder.parent)]
            return f"no table has {missing[0]}" if missing else None
        case "例":
            return None
        case _:
            missing = [word for word in words if not _exists(word, lexicon, layout)]
            return f"{missing[0]} is no word of the lexicon and no place" if len(missing) == len(words) else None


def _exists(word: str, lexicon: Lexicon, layout: Layout) -> bool:
    if lexicon.classify(word):
        return True
    try:
        layout.spot(word)
    except Exception:  # noqa: BLE001 - whatever it says, it is no place
        return False
    return True


def _row(address: str, rites: Path) -> bool:
    """Whether FILE.ROW exists in rites/tables: the file by name or by its ``name`` or ``zh``, the row by key."""
    name, _, row = address.partition(".")
    for path in (rites / "tables").glob("*.toml"):
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        if name in {path.stem, table.get("name"), table.get("zh")}:
            keys: Iterable[str] = (
                *table,
                *(key for value in table.values() if isinstance(value, dict) for key in value),
            )
            return (
                not row
                or row in keys
                or any(row == entry.get("row") for entry in table.get("row", ()) if isinstance(entry, dict))
            )
    return False
