"""Commands about the sources: yanli corpus add, anchor, list, export, report, show, search, remove."""

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
    Works,
    anchor_all,
    layers_named,
    named,
    named_all,
    opened_store,
    remarks_on,
    rites_to_anchor,
    speaker_named,
)

if TYPE_CHECKING:
    from contextlib import ExitStack

    from yanli.corpus.library import Item
    from yanli.corpus.search import Found
    from yanli.corpus.store import Store


FAILED = frozenset({"unread", "refused", "missing"})


def add(
    files: Annotated[list[Path], typer.Argument(metavar="FILES…", help="Files, or folders of them.")],
    *,
    family: Annotated[
        str | None, typer.Option("--family", metavar="NAME", help="Of which make they are; else the best guess.")
    ] = None,
    encoding: Annotated[
        str | None, typer.Option("--encoding", metavar="NAME", help="utf-8, big5, gb18030 …; else found out.")
    ] = None,
    branch: Annotated[
        list[str] | None,
        typer.Option("--branch", metavar="NAME", help="FILES are git clones; take in this branch, as WYG or '*'."),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Read anew what is there; put other bytes for those under a name.")
    ] = False,
    scheduler: Scheduler = None,
    workers: Workers = None,
    db: Db = None,
    json_: Json = False,
) -> None:
    """Take files in as they are, and anchor what they say to the clauses of the rites. Exits with 1 if any failed.

    What is there already is passed over, so that it can be begun again where it was broken off; where it was read by
    another family or encoding than you name, that is told, and --replace reads it anew. No file stops another.

    Examples: yanli corpus add ../sources/*.txt; yanli corpus add old.txt --encoding big5 --db my.sqlite;
    yanli corpus add library/ --scheduler tcp://127.0.0.1:8786; yanli corpus add KR1d0026/ --branch '*'
    """
    from contextlib import ExitStack
    from functools import partial

    from yanli.cli.progress import progress
    from yanli.corpus.cluster import processes
    from yanli.corpus.library import Asked, Outcome, import_files, index_all, is_there, items
    from yanli.corpus.reading import read_file
    from yanli.corpus.store import Store
    from yanli.render.corpus import outcome_text, outcomes_text

    read = partial(read_file, family=family, encoding=encoding)
    read(b"", "")  # a family or an encoding that there is not is told before anything is done
    there = [path for path in files if is_there(path)]
    wanting = sorted({*files} - {*there})
    gone = [Outcome(name=str(path), fate="missing", told=f"there is no {path}") for path in wanting]
    with ExitStack() as held:
        found = items(there) if not branch else _of_clones(there, branch, held, db)
        store = held.enter_context(Store.open(db))
        if scheduler:
            # Told before anything is done: the index is made by the workers, in the store's folder.
            with processes(None, scheduler, [store.path.parent]):
                pass
        with progress("入 taking in") as step:

            def told(done: int, of: int, outcome: Outcome) -> None:
                step(done, of, outcome_text(outcome, done, of), outcome.fate in FAILED or bool(outcome.faults))

            outcomes = (
                *gone,
                *import_files(
                    store,
                    found,
                    read=read,
                    replace=replace,
                    workers=workers,
                    scheduler=scheduler,
                    progress=told,
                    asked=Asked(family, encoding),
                ),
            )
        names = [outcome.name for outcome in outcomes if outcome.fate in {"added", "replaced", "there"}]
        anchored = anchor_all(store, names, rites_to_anchor(), quiet=True, workers=workers, scheduler=scheduler)
        with progress("索 indexing") as step:
            index_all(
                store,
                workers=workers,
                scheduler=scheduler,
                progress=lambda done, of: step(done, of, "", False),  # noqa: FBT003 - a step is told in its place
            )
    say(outcomes_text(outcomes), to=sys.stderr)
    if json_:
        write(to_json(outcomes), None)
    if any(outcome.fate in FAILED for outcome in outcomes) or any(each.told for each in anchored):
        raise typer.Exit(1)


def _of_clones(clones: list[Path], branch: list[str], held: ExitStack, db: Path | None) -> list[Item]:
    """The files of branches of clones, laid down until ``held`` is over; what was left out of them is told."""
    from tempfile import TemporaryDirectory

    from yanli.corpus.clone import witnesses
    from yanli.corpus.store import Store, default_path

    folder = Path(held.enter_context(TemporaryDirectory()))
    taken: dict[str, str] = {}
    if (db or default_path()).is_file():
        with Store.open(db) as store:
            taken = {entry.name: entry.origin for entry in store.entries()}
    found: list[Item] = []
    for number, clone in enumerate(clones):
        (folder / str(number)).mkdir()
        laid = witnesses(clone, branch, folder / str(number), taken)
        if laid.links or laid.modules:
            say(f"{clone}: {laid.links} symbolic links and {laid.modules} submodules are left out", to=sys.stderr)
        found += laid.items
        taken |= {item.name: item.origin for item in laid.items}
    return found


def list_(
    *,
    db: Db = None,
    json_: Json = False,
    output: Output = None,
) -> None:
    """List the works of the store: family, size, remarks, what is damaged.

    Example: yanli corpus list --json
    """
    from yanli.render.corpus import list_text, listed

    with opened_store(db) as store:
        found = listed(store)
    write(to_json(found) if json_ else list_text(found), output)


def export(
    name: Work,
    *,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write here; else to the pipe.")
    ] = None,
    db: Db = None,
) -> None:
    """Give a work back, byte for byte as it came in.

    Example: yanli corpus export KR1d0026_005 -o 005.txt
    """
    from yanli.errors import Finding, ScenarioError

    with opened_store(db) as store:
        data = store.bytes_of(named(store, name))
    try:
        if output is None:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        else:
            output.parent.mkdir(parents=True, exist_ok=True)
            output.write_bytes(data)
    except BrokenPipeError:
        say("")
    except OSError as fault:
        raise ScenarioError(Finding(code="cannot-write", cause=f"{output or 'output'}: {fault.strerror}")) from None


def report(
    names: Works = None,
    *,
    db: Db = None,
    brief: Annotated[bool, typer.Option("--brief", help="Count what is damaged; leave out the places.")] = False,
    every: Annotated[
        bool, typer.Option("--all", help="List every damaged place, not only the first ten of a kind.")
    ] = False,
    json_: Json = False,
    output: Output = None,
) -> None:
    """Say of each work how it was read, what share is of which layer, and what is damaged, with its place.

    Of each kind of damage the first ten places are listed, and how many more there are; --all and --json give all.

    Examples: yanli corpus report; yanli corpus report 003 --all; yanli corpus report KR1d0026_005 --json
    """
    from yanli.render.corpus import report_of, report_text

    with opened_store(db) as store:
        found = [report_of(store, name) for name in named_all(store, names)]
    write(
        to_json(found) if json_ else "\n".join(report_text(each, places=not brief, every=every) for each in found),
        output,
    )


def show(
    name: Work,
    *,
    layer: Layers = None,
    speaker: Speaker = None,
    db: Db = None,
    json_: Json = False,
    output: Output = None,
) -> None:
    """Show a work, layer by layer as it runs, or some layers of it, or what one man says.

    Examples: yanli corpus show KR1d0026_005 --layer 經; yanli corpus show 000 --speaker 敖繼公
    """
    from yanli.render.corpus import running, running_text

    layers = layers_named(layer)
    with opened_store(db) as store:
        text = store.text(named(store, name))
        who = speaker_named(speaker, {piece.speaker for piece in text.pieces})
        found = running(text, layers, who)
    write(to_json(found) if json_ else running_text(found), output)


def search(
    words: Annotated[str, typer.Argument(metavar="WORDS", help="Words, in whatever script or shape.")],
    *,
    layer: Layers = None,
    speaker: Speaker = None,
    work: Annotated[
        list[str] | None, typer.Option("--work", metavar="NAME", help="In this work. May be repeated.")
    ] = None,
    clause: Annotated[
        str | None, typer.Option("--clause", metavar="WORDS", help="Only in what is said of these words of a rite.")
    ] = None,
    rite: Annotated[
        str | None, typer.Option("--rite", metavar="RITE", help="Of which rite these words are; else of any.")
    ] = None,
    regex: Annotated[bool, typer.Option("--regex", help="WORDS is a regular expression; nothing is folded.")] = False,
    exact: Annotated[bool, typer.Option("--exact", help="As written: other shapes and scripts do not count.")] = False,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=0, help="So many hits.")] = 20,
    skip: Annotated[int, typer.Option("--skip", metavar="N", min=0, help="Pass over the first hits.")] = 0,
    context: Annotated[int, typer.Option("--context", metavar="N", min=0, help="Characters on both sides.")] = 20,
    db: Db = None,
    json_: Json = False,
    output: Output = None,
) -> None:
    """Find words in everything that the store has. Exits with 1 when there are none.

    Examples: yanli corpus search 坐奠爵 --layer 注; yanli corpus search 豫 --speaker 鄭玄;
    yanli corpus search 鉤楹 --clause 豫則鉤楹內
    """
    from yanli.corpus.search import Query, placed
    from yanli.render.corpus import hits_text

    layers = layers_named(layer)
    with opened_store(db) as store:
        query = Query(
            words=words,
            layers=layers,
            works=tuple(named(store, name) for name in work or ()),
            speaker=speaker,
            remarks=remarks_on(store, clause, rite) if clause else None,
            as_written=exact,
            limit=limit,
            skip=skip,
            context=context,
        )
        found = placed(store, _search(store, query, regex=regex))
        places = [(store.entry(hit.name).title, hit) for hit in found.hits]
    write(to_json(found) if json_ else hits_text(places, found.total, skip), output)
    if found.left_out:
        from yanli.errors import Finding

        which = "、".join(found.left_out[:5]) + ("…" if len(found.left_out) > 5 else "")  # noqa: PLR2004 - a few tell enough
        cause = f"{which}: damaged in the store and not looked in; yanli corpus add --replace takes them in again"
        print_findings([Finding(code="left-out", cause=cause, grade="warning")], to=sys.stderr)
    if not found.hits and limit:
        raise typer.Exit(1)


def _search(store: Store, query: object, *, regex: bool) -> Found:
    """Ask the index, which is brought up to the store first."""
    import msgspec

    from yanli.corpus.search import Index, Query

    assert isinstance(query, Query)  # noqa: S101 - told to the type checker; the name is imported late
    with Index.open(store) as index:
        speaking = (speaker for segment in index.segments for speaker in segment.speakers)
        query = msgspec.structs.replace(query, speaker=speaker_named(query.speaker, speaking))
        if regex:
            from yanli.corpus.matching import search_regex

            return search_regex(index, query)
        return index.search(query)


def anchor(
    names: Works = None,
    *,
    rite: Annotated[
        list[str] | None, typer.Option("--rite", metavar="RITE", help="A rite of your own too. May be repeated.")
    ] = None,
    anew: Annotated[bool, typer.Option("--anew", help="Also what was anchored so before.")] = False,
    scheduler: Scheduler = None,
    workers: Workers = None,
    db: Db = None,
) -> None:
    """Anchor the remarks of works to the clauses of all rites (add does it for what it takes in).

    Works that were anchored as they are to the same rites are passed over: it goes on where it was broken off. Exits
    with 1 if any failed.

    Examples: yanli corpus anchor; yanli corpus anchor KR1d0026_005 --rite my/;
    yanli corpus anchor --anew --scheduler tcp://127.0.0.1:8786
    """
    with opened_store(db) as store:
        found = anchor_all(
            store,
            named_all(store, names),
            rites_to_anchor(rite or []),
            anew=anew,
            workers=workers,
            scheduler=scheduler,
        )
    if any(each.told for each in found):
        raise typer.Exit(1)


def remove(
    names: Annotated[list[str], typer.Argument(metavar="NAMES…", help="Works by name, or the beginning of one only.")],
    *,
    db: Db = None,
) -> None:
    """Take works out of the store, with all that is said of them. All are found before any is taken out.

    Example: yanli corpus remove KR1d0026_005
    """
    with opened_store(db) as store:
        for name in dict.fromkeys([named(store, name) for name in names]):
            store.remove(name)
            say(f"出 removed　{name}\n", to=sys.stderr)


COMMANDS = (add, list_, export, report, show, search, anchor, remove)
