"""Commands that bring a rite into a browser: serve, stage."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from yanli.cli.options import (
    Readings,
    Record,
    RiteName,
    ScenarioFile,
    School,
    Sets,
    finish,
    opened,
    write,
)
from yanli.cli.stores import Db, store_if_any, warn_of_unread

if TYPE_CHECKING:
    from yanli.notation.model import Rite
    from yanli.server.limits import Limits

PORT = 8642
MEGABYTE = 1_000_000
Notes = Annotated[
    bool,
    typer.Option("--notes/--no-notes", help="With all that the store has on the clauses, where there is a store."),
]
PARTS = {
    "code": "頁 page",
    "fonts": "字體 fonts",
    "licences": "授權 licences",
    "performances": "演 performance, compressed",
    "notes": "注疏 notes, compressed",
}
INSTALL = "pip install 'yanli[server]'"


def serve(
    rite: Annotated[
        str | None,
        typer.Argument(metavar="[RITE]", help="The rite to begin with: a name, or a folder of your own."),
    ] = None,
    *,
    host: Annotated[str, typer.Option("--host", metavar="HOST", help="Where to listen.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", metavar="PORT", min=0, max=65535, help="On which port; 0 takes any that is free.")
    ] = PORT,
    allow_host: Annotated[
        list[str] | None,
        typer.Option("--allow-host", metavar="NAME", help="Answer to this host name too. May be repeated."),
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option("--limit", metavar="KEY=NUMBER", help="A bound, as people=800 or seconds=60. May be repeated."),
    ] = None,
    source: Annotated[
        bool, typer.Option("--source", help="Send the page's code as it was written, to be read in the browser.")
    ] = False,
    open_: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
    db: Db = None,
    notes: Notes = True,
) -> None:
    """Serve the stage to browsers of this machine; with a store of sources, with the notes on every clause.

    Examples: yanli serve; yanli serve 鄉射禮 --port 0 --open; yanli serve --db my.sqlite --limit seconds=60
    """
    _together(db, notes=notes)
    limits = _limits(limit or [])
    _has_server()
    from yanli.notation.rite import list_rites
    from yanli.render.page_modules import Web
    from yanli.server import running
    from yanli.server.app import make_app

    named = {name.casefold(): head.slug for head in list_rites() for name in head.names}
    slug = named.get(rite.casefold()) if rite else None
    own = [Path(rite)] if rite and slug is None and Path(rite).exists() else []
    if rite and slug is None and not own:
        from yanli.notation.rite import load_rite

        load_rite(rite)
    corpus = _corpus(db, own) if notes else None
    host = host.strip("[]")
    bound = running.bind(host, port)
    try:
        hosts = [] if running.is_wild(host) else [host.casefold()]
        app = make_app(
            limits, own=own, hosts=[*hosts, *(name.casefold() for name in allow_host or ())],
            addresses=running.is_wild(host), source=source, corpus=corpus,
        )  # fmt: skip
        missing = Web().missing()
        address = running.address_of(host, bound) + (f"#rite={slug}" if slug else "")

        def begun() -> None:
            write(f"演禮 Yanli: {address}", None)
            if corpus is not None:
                write(f"注疏 notes from {corpus}", None)
            if not running.is_near(bound):
                _warn("他機亦可至此，無密 others can reach this over the network, unencrypted and without a password")
            if missing:
                _warn(f"頁未成 the page is not built: {', '.join(missing)} missing; run: make web")
            write("Ctrl-C 止 stops", None)
            if open_:
                import webbrowser

                webbrowser.open(address)

        running.run(app, bound, begun)
    finally:
        bound.close()


def stage(
    rite: RiteName,
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Write here; else the page to RITE.html here, --json to the screen."
        ),
    ] = None,
    set_: Sets = None,
    reading: Readings = None,
    school: School = None,
    record: Record = None,
    scenario: ScenarioFile = None,
    against: Annotated[
        str | None,
        typer.Option("--against", metavar="NAME", help="Beside it another school, or CRUX=NAME, to compare with."),
    ] = None,
    json_: Annotated[bool, typer.Option("--json", help="Write the performance alone, as the page gets it.")] = False,
    db: Db = None,
    notes: Notes = True,
) -> None:
    """Write the rite as one page that plays, in one file that needs no network; with a store, with its notes.

    Examples: yanli stage 鄉射禮 -o x.html; yanli stage 鄉射禮 --db my.sqlite; yanli stage 鄉射禮 --against 敖繼公
    """
    from yanli.render.staging import stage_json

    if json_ and against is not None:
        raise typer.BadParameter("--json writes one performance; leave out --against")
    if json_ and db is not None:
        raise typer.BadParameter("--json writes the performance alone; leave out --db")
    _together(db, notes=notes)
    performance = opened(rite, set_, reading, school, record, scenario)
    if json_:
        write(stage_json(performance).decode(), output)
        finish(performance)
        return
    from yanli.render.difference import difference
    from yanli.render.page import Compared, Held, make_page, query_of

    docs, differences = [Held(query=query_of(performance), doc=stage_json(performance))], []
    played = [performance]
    if against is not None:
        readings, name = ([*(reading or []), against], school) if "=" in against else (reading, against)
        other = opened(rite, set_, readings, name, record, scenario)
        played.append(other)
        docs.append(Held(query=query_of(other), doc=stage_json(other)))
        found = difference(performance, other)
        differences.append(Compared(query=docs[0].query, against=docs[1].query, difference=found))
    page = make_page(docs, differences, notes=_notes(db, performance.rite) if notes else None)
    path = output or Path(f"{performance.rite.slug}.html")
    write(page.html, path)
    write(f"{path}　{_size(sum(page.sizes.values()))}", None)
    for part, words in PARTS.items():
        if part in page.sizes:
            write(f"  {words}　{_size(page.sizes[part])}", None)
    if page.unshown:
        _warn(f"字體所無，將以他字體示之 shown in another font, since the page's own lacks them: {page.unshown}")
    finish(*played)


def _together(db: Path | None, *, notes: bool) -> None:
    if db is not None and not notes:
        raise typer.BadParameter("--no-notes leaves out what --db names; give one of them")


def _notes(db: Path | None, rite: Rite) -> bytes | None:
    """All that the store has on a rite, as the page gets it; None where there is no store, or it has nothing."""
    import msgspec

    store = store_if_any(db, rite)
    if store is None:
        return None
    from yanli.render.staging_notes import notes_data

    with store:
        warn_of_unread(store, rite.slug)
        found = notes_data(rite, store)
    return msgspec.json.encode(found) if found.notes else None


def _corpus(db: Path | None, own: list[Path]) -> Path | None:
    """Where the store is that the server reads, or None where there is none; rites of one's own are anchored in it."""
    from yanli.cli.stores import opened_store
    from yanli.corpus.store import default_path
    from yanli.notation.rite import load_rite

    for path in own:
        store = store_if_any(db, load_rite(path))
        if store is not None:
            store.close()
    if db is None and not default_path().is_file():
        return None
    with opened_store(db) as found:
        warn_of_unread(found)
        return found.path.resolve()


def _size(count: int) -> str:
    return f"{count / MEGABYTE:.2f} MB" if count >= MEGABYTE else f"{count / 1000:.0f} kB"


def _limits(texts: list[str]) -> Limits:
    """Read the bounds. Raises ScenarioError for one that there is not, and for what is no number."""
    import msgspec

    from yanli.errors import Finding, ScenarioError
    from yanli.plan.readings import nearest
    from yanli.server.limits import Limits

    known = Limits.__struct_fields__
    found: dict[str, str] = {}
    for text in texts:
        key, _, value = text.partition("=")
        if key not in known:
            cause = f"--limit {text}: no bound is called {key}"
            raise ScenarioError(
                Finding(code="unknown-limit", cause=cause, known="、".join(known), nearest=nearest(key, known))
            )
        found[key] = value
    try:
        return msgspec.convert(found, Limits, strict=False)
    except (msgspec.ValidationError, ValueError) as fault:
        raise ScenarioError(Finding(code="bad-limit", cause=f"--limit {' '.join(texts)}: {fault}")) from None


def _has_server() -> None:
    """Raise ScenarioError, saying how to install it, where what the server stands on is not there."""
    from importlib.util import find_spec

    from yanli.errors import Finding, ScenarioError

    missing = [name for name in ("starlette", "uvicorn") if find_spec(name) is None]
    if missing:
        cause = f"yanli serve needs {' and '.join(missing)}"
        raise ScenarioError(Finding(code="no-server", cause=cause, known=INSTALL))


def _warn(text: str) -> None:
    from yanli.cli.report import say

    say(f"{text}\n", to=sys.stderr)


COMMANDS = (serve, stage)
