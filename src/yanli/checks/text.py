"""The text of a score against its pinned edition, and every clause performed or bound."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yanli.corpus.spelling import find
from yanli.errors import Finding, RiteError, YanliError
from yanli.notation import tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yanli.lexicon import Lexicon
    from yanli.notation.model import Clause, Rite
    from yanli.venue import Layout

EDITION = "edition.toml"
PACKAGED = Path(__file__).resolve().parent.parent / "rites"


def pinned_edition(rite: Rite) -> str | None:
    """The canonical text that this score must equal: beside it, or that of the packaged rite with the same slug.

    Raises RiteError when the file is malformed.
    """
    from yanli.notation.rite import list_rites

    folders = [rite.folder, *(head.folder for head in list_rites() if head.slug == rite.slug)]
    for folder in folders:
        path = folder / EDITION
        if path.is_file():
            text = _read(path).get("text")
            if not isinstance(text, str):
                raise RiteError(Finding(code="bad-edition", cause=f'{path}: there is no text = "…" in it'))
            return "".join(text.split())
    return None


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise RiteError(Finding(code="bad-table", cause=f"{path}: {fault}")) from None


def check_text(rite: Rite) -> Iterator[Finding]:
    """Every place where the score's words are not those of the edition."""
    from yanli.corpus.collate import collate
    from yanli.notation.address import clause_at

    edition = pinned_edition(rite)
    if edition is None:
        cause = f"{rite.name} has no pinned edition ({EDITION}) to be compared with"
        yield Finding(code="no-edition", grade="note", cause=cause)
        return
    if edition == rite.canonical:
        return
    for difference in collate(edition, rite.canonical):
        before = edition[max(0, difference.start - 6) : difference.start]
        at = min(difference.other, len(rite.canonical) - 1)
        clause = rite.clauses[clause_at(rite.clauses, at)] if rite.clauses else None
        words, reading = difference.words or "–", difference.reading or "–"
        cause = f"the edition has 「{words}」 after 「{before}」, the score 「{reading}」"
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
    """There are clauses, and every one asks for acts or is bound to what it governs."""
    if not rite.clauses:
        yield Finding(code="no-clauses", cause=f"no canonical words stand in {rite.name}")
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
    cause: str | None = None
    match note.kind:
        case "度":
            base = words[0].partition(".")[0]
            if not note.value:
                cause = f"註 度 {words[0]}: a measure needs a value, as in 楅.長 = 3尺"
            elif not _exists(base, lexicon, layout):
                cause = f"{base} is neither a thing nor a place"
        case "動":
            missing = [word for word in words if not find(word, rite.canonical)]
            cause = f"「{missing[0]}」 stands nowhere in the text" if missing else None
        case "表":
            missing = [word for word in words if not _row(word, rite)]
            cause = f"no table has {missing[0]}" if missing else None
        case "例":
            pass
        case _:
            missing = [word for word in words if not _exists(word, lexicon, layout)]
            if len(missing) == len(words):
                cause = f"{missing[0]} is no word of the lexicon and no place"
    return cause


def _exists(word: str, lexicon: Lexicon, layout: Layout) -> bool:
    if lexicon.classify(word):
        return True
    try:
        layout.spot(word)
    except YanliError:
        return False
    return True


def _row(address: str, rite: Rite) -> bool:
    """Whether FILE.ROW exists in the tables beside the rite, or in those that come with Yanli.

    The file goes by its own name or by its ``name`` or ``zh``, the row by its key.
    """
    name, _, row = address.partition(".")
    for path in (path for folder in (rite.folder.parent, PACKAGED) for path in folder.glob("tables/*.toml")):
        table = _read(path)
        if name in {path.stem, table.get("name"), table.get("zh")}:
            within = {key for value in table.values() if isinstance(value, dict) for key in value}
            listed = {entry.get("row") for entry in table.get("row", ()) if isinstance(entry, dict)}
            return not row or row in {*table, *within, *listed}
    return False
