"""Commands that set works side by side, and what is damaged beside what is whole: corpus collate, quotes, emend."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from yanli.cli.options import Json, Output, to_json, write
from yanli.cli.report import print_findings, say
from yanli.cli.stores import (
    Db,
    Layers,
    Scheduler,
    Speaker,
    Work,
    Workers,
    layers_named,
    named,
    named_all,
    opened_store,
    rites_as_clauses,
    speaker_named,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yanli.corpus.model import Proposal
    from yanli.corpus.oldtexts import OldReading
    from yanli.corpus.quoting import Options, Pair
    from yanli.corpus.store import Store

TWO = 2


def quotes(
    one: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="A work by its name, or by the beginning of it.")
    ] = None,
    other: Annotated[
        str | None, typer.Argument(metavar="[OTHER]", help="The work in which its passages are sought; else all.")
    ] = None,
    *,
    every: Annotated[
        bool, typer.Option("--all", help="Of every work in every other: a table for each, in the folder -o.")
    ] = False,
    layer: Layers = None,
    least: Annotated[int, typer.Option("--least", metavar="N", min=4, help="So many characters must agree.")] = 8,
    scheduler: Scheduler = None,
    workers: Workers = None,
    db: Db = None,
    json_: Json = False,
    output: Output = None,
) -> None:
    """Find which passages of one work stand in another, or in all, whole (全), abridged (節) or altered (改).

    Where two works are named, remarks that both have of one speaker are held to each other: does the quotation say what
    its source says? With --all tables that are there are passed over, so that it goes on where it was broken off. Exits
    with 1 if a work could not be compared.

    Examples: yanli corpus quotes 001 KR1d0026_004; yanli corpus quotes 000 003 --layer 疏 -o q.csv;
    yanli corpus quotes 001 -o everywhere.csv; yanli corpus quotes --all -o quotes/ --scheduler tcp://127.0.0.1:8786
    """
    from yanli.corpus.quoting import Options
    from yanli.errors import Finding, ScenarioError

    options = Options(layers=layers_named(layer), least=least)
    if every:
        if one is not None or output is None or json_:
            cause = "--all is of every work, and writes a folder of tables: yanli corpus quotes --all -o FOLDER"
            raise ScenarioError(Finding(code="no-folder", cause=cause))
        _quote_all(db, output, options, workers, scheduler)
        return
    if one is None:
        raise ScenarioError(Finding(code="no-work", cause="name a work, two works, or --all"))
    with opened_store(db) as store:
        if other is None:
            _quote_one(store, one, options, output, workers, scheduler, json_=json_)
        else:
            _quote_two(store, (one, other), options, output, json_=json_)


def _quote_two(store: Store, works: tuple[str, str], options: Options, output: Path | None, *, json_: bool) -> None:
    """Compare two works."""
    from yanli.corpus.quoted import quoted_csv
    from yanli.errors import Finding, ScenarioError
    from yanli.render.comparing import quotations_of, quotations_text

    names = named(store, works[0]), named(store, works[1])
    if names[0] == names[1]:
        cause = f"{works[0]} and {works[1]} are one work, {names[0]}: name two, or one alone to seek it in all others"
        raise ScenarioError(Finding(code="same-work", cause=cause))
    texts = store.text(names[0]), store.text(names[1])
    anchors = store.anchors(names[0]), store.anchors(names[1])
    proposals = store.proposals(names[0]), store.proposals(names[1])
    found = quotations_of(*texts, anchors, rites_as_clauses(), options.layers, options.least, proposals)
    if json_:
        write(to_json(found), output)
    elif output is not None and output.suffix == ".csv":
        write(quoted_csv(found.passages), output)
    else:
        write(quotations_text(found), output)


def _quote_one(
    store: Store,
    one: str,
    options: Options,
    output: Path | None,
    workers: int | None,
    scheduler: str | None,
    *,
    json_: bool,
) -> None:
    """Compare one work with all others."""
    from yanli.corpus.quoting import quotes_of
    from yanli.render.comparing import pairs_csv, pairs_text

    failed: list[str] = []

    def told() -> Iterator[Pair]:
        """Give the pairs as they come, and say of each that failed."""
        for pair in quotes_of(
            store, named(store, one), rites_as_clauses(), options, workers=workers, scheduler=scheduler
        ):
            if pair.told:
                failed.append(pair.other)
                say(f"未比 not compared　{pair.other}　{pair.told}\n", to=sys.stderr)
            else:
                yield pair

    if json_:
        write(to_json(list(told())), output)
    elif output is not None and output.suffix == ".csv":
        write(pairs_csv(told()), output)
    else:
        write(pairs_text(told()), output)
    if failed:
        raise typer.Exit(1)


def _quote_all(db: Path | None, folder: Path, options: Options, workers: int | None, scheduler: str | None) -> None:
    """Compare all works with all others, into a folder."""
    from yanli.cli.progress import progress
    from yanli.corpus.quoting import quote_all
    from yanli.render.comparing import table_text

    failed = False
    with opened_store(db) as store, progress("引 comparing") as step:
        of = len(store.names())
        tables = quote_all(store, folder, rites_as_clauses(), options, workers=workers, scheduler=scheduler)
        for done, table in enumerate(tables, 1):
            step(done, of, table_text(table, done, of), bool(table.told))
            failed |= bool(table.told)
    if failed:
        raise typer.Exit(1)


def collate(
    names: Annotated[
        list[str], typer.Argument(metavar="NAMES…", help="Works by name, or its beginning; the first is the base.")
    ],
    *,
    rite: Annotated[
        str | None, typer.Option("--rite", metavar="RITE", help="The base is the canonical text of this rite.")
    ] = None,
    layer: Annotated[str, typer.Option("--layer", metavar="LAYER", help="Which layer is set side by side.")] = "經",
    speaker: Speaker = None,
    old: Annotated[
        bool, typer.Option("--old/--no-old", help="With the readings of 今文 and 古文 that notes report.")
    ] = True,
    shapes: Annotated[bool, typer.Option("--shapes", help="Also what is only another shape of a character.")] = False,
    db: Db = None,
    json_: Json = False,
    output: Output = None,
) -> None:
    """Set editions side by side, character by character: the apparatus as text, page (.html), TEI (.xml) or CSV.

    Examples: yanli corpus collate KR1d0026_005 KR1d0038_005 -o apparatus.html;
    yanli corpus collate --rite 鄉射禮 KR1d0026_005 KR1d0035_005 -o apparatus.xml
    """
    from yanli.corpus.apparatus import collate_all
    from yanli.corpus.copies import Copy, copy_of
    from yanli.corpus.model import Layer
    from yanli.corpus.oldtexts import old_readings
    from yanli.errors import Finding, ScenarioError
    from yanli.notation.rite import load_rite
    from yanli.render.apparatus import apparatus_page, apparatus_text

    (which,) = layers_named([layer])
    loaded = load_rite(rite) if rite else None
    copies = [Copy(siglum=loaded.slug, title=loaded.name, text=loaded.canonical)] if loaded else []
    with opened_store(db) as store:
        texts = [store.text(name) for name in dict.fromkeys(named(store, each) for each in names)]
    if len(texts) + len(copies) < TWO:
        raise ScenarioError(Finding(code="one-only", cause="give two works at least, or one and --rite"))
    who = speaker_named(speaker, {piece.speaker for text in texts for piece in text.pieces if piece.layer is which})
    reports: list[OldReading] = []
    for text in texts:
        copy = copy_of(text, text.name.removesuffix(".txt"), which, who)
        copies.append(copy)
        if old and which is Layer.canon:
            reports += old_readings(text, copy)
    found = collate_all(copies[0], copies[1:], reports)
    kind = output.suffix if output is not None else ""
    if json_:
        write(to_json(found), output)
    elif kind in {".html", ".htm"}:
        write(apparatus_page(found, shapes=shapes), output)
    elif kind == ".xml":
        from yanli.corpus.tei_apparatus import apparatus_tei

        write(apparatus_tei(found), output)
    elif kind == ".csv":
        from yanli.corpus.exchange import apparatus_rows, to_csv

        write(to_csv("apparatus", apparatus_rows(found)), output)
    else:
        write(apparatus_text(found, shapes=shapes), output)


def emend(
    name: Work,
    *,
    accept: Annotated[
        list[str] | None, typer.Option("--accept", metavar="KEY", help="Accept this proposal. May be repeated.")
    ] = None,
    reject: Annotated[
        list[str] | None, typer.Option("--reject", metavar="KEY", help="Reject this proposal. May be repeated.")
    ] = None,
    by: Annotated[str, typer.Option("--by", metavar="NAME", help="Who accepts, rejects or proposes.")] = "",
    reason: Annotated[str, typer.Option("--reason", metavar="WORDS", help="Why.")] = "",
    propose: Annotated[
        str | None,
        typer.Option("--propose", metavar="START:END=WORDS", help="Propose words of your own for a place."),
    ] = None,
    beside: Annotated[
        list[str] | None,
        typer.Option("--beside", metavar="NAME", help="Look in this work for what is lost. May be repeated."),
    ] = None,
    encoding: Annotated[
        str, typer.Option("--encoding", metavar="NAME", help="The two-byte encoding that the text once was in.")
    ] = "gbk",
    anew: Annotated[bool, typer.Option("--anew", help="Look again; what was accepted or rejected stays.")] = False,
    unsettled: Annotated[bool, typer.Option("--open", help="List only what is not settled yet.")] = False,
    text: Annotated[
        bool, typer.Option("--text", help="Write the text with what was accepted, instead of the list.")
    ] = False,
    db: Db = None,
    json_: Json = False,
    output: Output = None,
) -> None:
    """List what is proposed for the damaged places of a work, with the evidence; accept or reject.

    The text stays as found: what was accepted is read into it only where it is asked for (--text). A proposal is called
    by the key before it in the list, or the first letters of it (four at least); the key stays whatever else is
    proposed. Where something is accepted, rejected or proposed, only that is listed.

    Examples: yanli corpus emend 003; yanli corpus emend 003 --accept KEY --accept KEY --by 王念孫 --reason 依鄭注;
    yanli corpus emend 003 --propose 2:3=疏 --by 王念孫 --reason 書名; yanli corpus emend 003 --text -o emended.txt
    """
    from yanli.corpus.emendation import check_open, emended, key_of, overlaps_told, readable, reviewed
    from yanli.corpus.emendation import propose as propose_by_hand
    from yanli.render.proposals import proposals_text, proposed_text

    with opened_store(db) as store:
        full = named(store, name)
        if anew or not store.proposals(full):
            _look(store, full, beside, encoding)
        words = store.text(full).text
        done: set[str] = set()
        if propose is not None:
            start, end, wanted = _place(propose)
            own = propose_by_hand(words, start, end, wanted, author=by, reason=reason)
            check_open(own, store.proposals(full))
            done |= _keep(store, full, [own])
        if accept or reject:
            made = reviewed(store.proposals(full), accept or [], reject or [], reviewer=by, reason=reason)
            done |= _keep(store, full, made)
        found = store.proposals(full)
    print_findings(overlaps_told(full, found), to=sys.stderr)
    if text:
        write(emended(words, readable(found)), output)
        return
    listed = [
        each for each in found
        if (not done or key_of(each) in done) and not (unsettled and (each.accepted or each.rejected) and not done)
    ]  # fmt: skip
    if json_:
        write(to_json([{"key": key_of(each), **_fields(each)} for each in listed]), output)
    else:
        write(proposed_text(listed) if done else proposals_text(listed), output)


def _keep(store: Store, name: str, made: list[Proposal]) -> set[str]:
    """Put proposals into the store, and give their keys."""
    from yanli.corpus.emendation import key_of

    store.propose(name, made)
    return {key_of(each) for each in made}


def _fields(value: Proposal) -> dict[str, object]:
    import msgspec

    return msgspec.structs.asdict(value)


def _look(store: Store, name: str, beside: list[str] | None, encoding: str) -> None:
    """Put into the store what can be proposed for a work; what was settled is left as it is."""
    from yanli.corpus.emendation import BY_HAND, identity
    from yanli.corpus.parallel import Parallel
    from yanli.corpus.repair import AUTHOR, repair

    rites = rites_as_clauses()
    own = {anchor.rite for anchor in store.anchors(name) if anchor.how != "reference"}
    # Works on the same rites are where its words stand too; without any, all are looked at.
    about = {each for rite in own for each in store.beside(rite)}
    names = named_all(store, beside) if beside else sorted(about) or list(store.names())
    parallels = [Parallel.of_clauses(slug, clauses) for slug, clauses in rites.items() if not own or slug in own]
    for each in names:
        if each != name and store.entry(each).status == "read":
            parallels += Parallel.of_text(store.text(each))
    made = repair(store.text(name).text, parallels, encoding=encoding)
    anew = set(map(identity, made.proposals))
    settled = set()
    for old in store.proposals(name):
        if old.accepted or old.rejected:
            settled.add(identity(old))
        elif old.author == AUTHOR and old.method != BY_HAND and identity(old) not in anew:
            store.withdraw(name, old)  # proposed when less was known; two for one place would only confuse
    store.propose(name, [each for each in made.proposals if identity(each) not in settled])
    say(f"議 proposed {len(made.proposals)}\n", to=sys.stderr)
    if made.stopped is not None:
        print_findings([made.stopped], to=sys.stderr)


def _place(told: str) -> tuple[int, int, str]:
    """Read ``START:END=WORDS``. Raises ScenarioError for anything else."""
    import re

    from yanli.errors import Finding, ScenarioError

    if (found := re.fullmatch(r"(\d{1,12}):(\d{1,12})=(.*)", told, re.DOTALL)) is None:
        cause = f"--propose {told}: START:END=WORDS is expected, as 12:13=疏"
        raise ScenarioError(Finding(code="bad-place", cause=cause))
    return int(found[1]), int(found[2]), found[3]


COMMANDS = (quotes, collate, emend)
