"""Commands about the text and the notation: rites, text, fmt, cruxes, rules, variants, tables."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated

import typer

from yanli.cli.options import Json, Output, RiteName, to_json, write


class Spelling(enum.StrEnum):
    """Whose spelling."""

    regular = "regular"
    source = "source"


def rites(
    rite: Annotated[
        str | None, typer.Argument(metavar="RITE", help="One rite, by any of its names; without it, all are listed.")
    ] = None,
    *,
    keys: Annotated[
        bool, typer.Option("--keys", help="With RITE: the keys that its scenario may have, with values and defaults.")
    ] = False,
    json_: Json = False,
) -> None:
    """List the rites: their size, coverage and sections; or the keys of a scenario of one.

    Examples: yanli rites --json; yanli rites 大射儀 --keys
    """
    from yanli.errors import Finding, ScenarioError
    from yanli.render.catalogue import catalogue, catalogue_text, listed

    if keys:
        from yanli.render.scenario_keys import keys_of, keys_text

        if rite is None:
            cause = "--keys expects the name of a rite: each has keys of its own, as in yanli rites NAME --keys"
            raise ScenarioError(Finding(code="not-together", cause=cause))
        told = keys_of(rite)
        write(to_json(told) if json_ else keys_text(told), None)
        return
    found = catalogue() if rite is None else [listed(rite)]
    write(to_json(found) if json_ else catalogue_text(found), None)


def text(
    rite: RiteName,
    *,
    spelling: Annotated[
        Spelling, typer.Option("--spelling", help="Regular, or as the source spells it.")
    ] = Spelling.regular,
    clauses: Annotated[bool, typer.Option("--clauses", help="One clause a line, under its section.")] = False,
    json_: Json = False,
    output: Output = None,
) -> None:
    """Write the canonical text alone.

    Example: yanli text 鄉射禮 --spelling source
    """
    from yanli.notation.rite import load_rite

    found = load_rite(rite)
    words = found.canonical
    if spelling is Spelling.source:
        from yanli.corpus.spelling import rite_spelling

        words = rite_spelling(found.slug).to_source(found.canonical)
    if json_:
        listed = [
            {"clause": str(clause.id), "section": found.sections[clause.section - 1].name, "text": clause.text}
            for clause in found.clauses
        ]
        write(to_json({"rite": found.name, "text": words, "clauses": listed}), output)
    elif clauses and spelling is Spelling.regular:
        lines: list[str] = []
        for section in found.sections:
            lines.append(f"\n## {section.name}\n" if lines else f"## {section.name}\n")
            lines.extend(clause.text for clause in found.clauses if clause.section == section.number)
        write("\n".join(lines), output)
    else:
        write(words, output)


def fmt(
    files: Annotated[list[Path], typer.Argument(metavar="FILES", help="Scores (.pu) or folders of them.")],
    *,
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; exit with 1 if a file is not in order.")
    ] = False,
) -> None:
    """Put scores into the canonical layout.

    Examples: yanli fmt my/*.pu; yanli fmt --check my/
    """
    from yanli.errors import Finding, RiteError
    from yanli.notation.format import format_score
    from yanli.notation.parser import parse

    changed = 0
    for path in [path for given in files for path in (sorted(given.glob("*.pu")) if given.is_dir() else [given])]:
        try:
            old = path.read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError) as fault:
            raise RiteError(Finding(code="unreadable-file", cause=f"{path}: {fault}")) from None
        new = format_score(parse(old, str(path)))
        if new == old:
            continue
        changed += 1
        if not check:
            try:
                path.write_bytes(new.encode("utf-8"))
            except OSError as fault:
                raise RiteError(Finding(code="cannot-write", cause=f"{path}: {fault.strerror}")) from None
        write(f"{path}: {'not in order' if check else 'put in order'}", None)
    if check and changed:
        raise typer.Exit(1)


def cruxes(
    rite: RiteName,
    *,
    json_: Json = False,
) -> None:
    """List the disputes of a rite, each with its readings and where it stands.

    Example: yanli cruxes 鄉射禮
    """
    from yanli.render.catalogue import cruxes_of, cruxes_text

    found = cruxes_of(rite)
    write(to_json(found) if json_ else cruxes_text(found), None)


def rules(
    rite: RiteName,
    *,
    json_: Json = False,
) -> None:
    """List the general statements of a rite (註 例), and which of them a check plays.

    Example: yanli rules 鄉射禮
    """
    from yanli.render.catalogue import rules_of, rules_text

    found = rules_of(rite)
    write(to_json(found) if json_ else rules_text(found), None)


def variants(
    rite: RiteName,
    *,
    json_: Json = False,
    against: Annotated[
        Path | None, typer.Option("--against", metavar="FILE", help="Collate a Kanripo file of another edition now.")
    ] = None,
) -> None:
    """List the textual variants on record; or collate another edition's file against the text.

    Example: yanli variants 鄉射禮 --against KR1d0026_005.txt
    """
    from yanli.render.catalogue import variants_of, variants_text

    found = variants_of(rite, against)
    write(to_json(found) if json_ else variants_text(found), None)


def tables(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="A table, as 耦 or pairs; without it, they are listed.")
    ] = None,
    *,
    why: Annotated[
        bool, typer.Option("--why", help="With the words of each cell, their source and the reason.")
    ] = False,
    english: Annotated[bool, typer.Option("--en", help="Say it in English too.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="Write CSV, one line a cell.")] = False,
    emended: Annotated[
        bool, typer.Option("--emended", help="What is emended in the encyclopaedia that most cells quote, and why.")
    ] = False,
    json_: Json = False,
    output: Output = None,
) -> None:
    """Print a table of rank, each cell with its warrant: stated, inferred, or 無文; or list the tables.

    Examples: yanli tables; yanli tables 耦 --why; yanli tables holders --csv -o holders.csv
    """
    from yanli.errors import Finding, ScenarioError
    from yanli.render.tables import emendations_text, list_text, table_csv, table_data, table_text
    from yanli.tables import find_table, list_tables
    from yanli.tables.load import emendations

    if (emended and name is not None) or (csv and name is None):
        option, cause = ("--emended", "takes no table") if emended else ("--csv", "expects the name of a table")
        raise ScenarioError(Finding(code="not-together", cause=f"{option} {cause}"))
    if emended:
        write(to_json(emendations()) if json_ else emendations_text(emendations()), output)
        return
    if name is None:
        heads = list_tables()
        write(to_json(heads) if json_ else list_text(heads), output)
        return
    found = find_table(name)
    if json_:
        write(to_json(table_data(found)), output)
    elif csv or (output is not None and output.suffix == ".csv"):
        write(table_csv(found), output)
    else:
        write(table_text(found, english=english, why=why), output)


COMMANDS = (rites, text, fmt, cruxes, rules, variants, tables)
