"""What the commands about the corpus share: the store, its works and layers by name, the rites as it takes them."""

from __future__ import annotations

import sys
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from yanli.cli.report import say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from yanli.corpus.anchoring import Result, Rites
    from yanli.corpus.model import Anchor, Layer
    from yanli.corpus.store import Store
    from yanli.notation.model import Rite

Db = Annotated[
    Path | None,
    typer.Option("--db", metavar="FILE", help="The store; else the one in your own data directory."),
]
Work = Annotated[str, typer.Argument(metavar="NAME", help="A work by its name, or by the beginning of it.")]
Works = Annotated[
    list[str] | None, typer.Argument(metavar="[NAMES]…", help="Works by name, or by its beginning; else all.")
]
Layers = Annotated[
    list[str] | None,
    typer.Option("--layer", metavar="LAYER", help="經 canon, 注 note, 疏 subnote, 論 remark … May be repeated."),
]
Speaker = Annotated[
    str | None, typer.Option("--speaker", metavar="NAME", help="By whom it is said, as 鄭玄 or 敖繼公.")
]
Scheduler = Annotated[
    str | None, typer.Option("--scheduler", metavar="ADDRESS", help="Of a Dask cluster, as tcp://host:8786.")
]
Workers = Annotated[
    int | None, typer.Option("--workers", metavar="N", min=1, help="So many processes; else one for each core.")
]
MAKE = "yanli corpus add FILES"
SPEAKERS = 20
"""So many are told of those who speak."""


def opened_store(db: Path | None) -> Store:
    """Open a store that is there. Raises RiteError where there is none."""
    from yanli.corpus.store import Store

    return Store.open(db, make=False)


def named(store: Store, name: str) -> str:
    """A work by its name or the beginning of one name only. Raises RiteError, with the nearest, for any other."""
    from yanli.errors import Finding, RiteError

    name = name.encode("utf-8", "backslashreplace").decode()  # as the store calls a file whose name is no text
    if store.find(name) is None:
        names = store.names()
        stem = Path(name).name
        for given in dict.fromkeys((name, stem, Path(stem).stem)):
            found = [each for each in names if each == given] or [each for each in names if each.startswith(given)]
            if len(found) == 1:
                return found[0]
            if found and given == name:
                cause = f"{len(found)} works of {store.path} begin with {name!r}"
                raise RiteError(Finding(code="no-text", cause=cause, nearest=tuple(found[:5])))
        stems = {Path(each).stem: each for each in names}
        near = tuple(stems[each] for each in get_close_matches(Path(name).stem, list(stems), n=3))
        raise RiteError(Finding(code="no-text", cause=f"{store.path} has no work {name!r}", nearest=near))
    return name


def named_all(store: Store, names: Iterable[str] | None) -> list[str]:
    """Works by name or its beginning, each once; all that there are where none is named."""
    return list(dict.fromkeys(named(store, name) for name in names or ())) or list(store.names())


def layers_named(names: Iterable[str] | None) -> tuple[Layer, ...]:
    """Layers by the field's own name or the English one. Raises RiteError, with those that there are."""
    from yanli.corpus.model import Layer
    from yanli.errors import Finding, RiteError

    every = {name: layer for layer in Layer for name in (layer.value, layer.name)}
    every |= {"註": Layer.note, "commentary": Layer.remark, "notes": Layer.note}
    found: list[Layer] = []
    for name in names or ():
        if name.casefold() not in every:
            known = "、".join(f"{layer.value} {layer.name}" for layer in Layer)
            near = tuple(get_close_matches(name, list(every), n=3))
            raise RiteError(Finding(code="no-layer", cause=f"no layer is called {name}", known=known, nearest=near))
        found.append(every[name.casefold()])
    return tuple(dict.fromkeys(found))


def speaker_named(name: str | None, known: Iterable[str | None]) -> str | None:
    """Who is meant, among those who speak: by any name he is quoted by, in either script. None for nobody asked for.

    Raises RiteError (``no-speaker``), with those that there are, for anybody else.
    """
    if name is None:
        return None
    from yanli.corpus.folding import fold_search
    from yanli.corpus.profile import forms
    from yanli.corpus.profile import named as full_name
    from yanli.errors import Finding, RiteError

    speaking = {fold_search(each): each for each in known if each}
    every = {fold_search(form): speaker.name for form, speaker in forms().items()}
    asked = fold_search(name.strip())
    for given in (asked, fold_search(every.get(asked, "")), fold_search(full_name(name.strip())[0])):
        if given in speaking:
            return speaking[given]
    there = sorted(speaking.values())
    told = "、".join(there[:SPEAKERS]) + ("…" if len(there) > SPEAKERS else "") or "nobody"
    near = tuple(speaking[each] for each in get_close_matches(asked, list(speaking), n=3))
    raise RiteError(Finding(code="no-speaker", cause=f"nobody here is called {name}", known=told, nearest=near))


def rites_as_clauses() -> dict[str, list[tuple[str, str]]]:
    """The rites that come with Yanli, as the corpus asks for them: slug → ids and words of the clauses."""
    from yanli.notation.rite import list_rites, load_rite

    return {head.slug: as_clauses(load_rite(head.slug)) for head in list_rites()}


def as_clauses(rite: Rite) -> list[tuple[str, str]]:
    """Ids and words of a rite's clauses, in order."""
    return [(str(clause.id), clause.text) for clause in rite.clauses]


def remarks_on(store: Store, words: str, rite: str | None) -> frozenset[tuple[str, int]]:
    """Every remark, by work and number, on the clauses that some words touch, in one rite or in any that has them.

    Raises RiteError where no rite has the words.
    """
    from yanli.errors import RiteError
    from yanli.notation.rite import find_words, list_rites, load_rite

    found: set[tuple[str, int]] = set()
    failed: list[RiteError] = []
    slugs = [rite] if rite else [head.slug for head in list_rites()]
    for slug in slugs:
        loaded = load_rite(slug)
        try:
            touched = {str(clause.id) for clause in find_words(loaded, words)}
        except RiteError as fault:
            failed.append(fault)
            continue
        found |= set(_among(store, loaded, touched))
    if len(failed) == len(slugs):
        raise failed[0]
    return frozenset(found)


def _among(store: Store, rite: Rite, touched: set[str]) -> Iterator[tuple[str, int]]:
    """The remarks whose clauses are among those touched."""
    number = {str(clause.id): i for i, clause in enumerate(rite.clauses)}
    wanted = {number[clause] for clause in touched}

    def on(anchor: Anchor) -> bool:
        if anchor.first not in number or anchor.last not in number:
            return False
        return not wanted.isdisjoint(range(number[anchor.first], number[anchor.last] + 1))

    for name, anchors in store.beside(rite.slug).items():
        yield from ((name, anchor.remark) for anchor in anchors if on(anchor))


def rites_to_anchor(own: Iterable[str] = ()) -> Rites:
    """The rites that come with Yanli, and these, as works are anchored to them."""
    from yanli.corpus.anchoring import rites_of
    from yanli.notation.rite import list_rites, load_rite

    clauses = rites_as_clauses()
    for path in own:
        loaded = load_rite(path)
        clauses[loaded.slug] = as_clauses(loaded)
    return rites_of(clauses, {head.slug: head.name for head in list_rites()})


def anchor_all(
    store: Store,
    names: Sequence[str],
    rites: Rites,
    *,
    anew: bool = False,
    quiet: bool = False,
    workers: int | None = None,
    scheduler: str | None = None,
) -> list[Result]:
    """Anchor works, telling how far it is, and give what became of each; ``quiet`` says nothing of what was there."""
    from yanli.cli.progress import progress
    from yanli.corpus.anchoring import anchor_works
    from yanli.render.corpus import anchored_text

    found: list[Result] = []
    with progress("繫 anchoring") as step:
        for each in anchor_works(store, names, rites, anew=anew, workers=workers, scheduler=scheduler):
            found.append(each)
            line = "" if quiet and each.there else anchored_text(each, len(found), len(names))
            step(len(found), len(names), line, bool(each.told))
    return found


def store_beside(db: Path | None, rite: Rite) -> Store | None:
    """The store that is to be shown beside a rite; where there is none and none is named, say how to make one."""
    store = store_if_any(db, rite)
    if store is None:
        say(f"無庫，故無注疏 no store, hence no commentary: make one with {MAKE}\n", to=sys.stderr)
    return store


def warn_of_unread(store: Store | None, rite: str | None = None) -> None:
    """Say on the screen which accepted emendations of works on a rite, or of all, are not read, and what is to do."""
    from yanli.cli.report import print_findings
    from yanli.corpus.beside import unread

    if store is not None:
        print_findings(unread(store, rite), to=sys.stderr)


def store_if_any(db: Path | None, rite: Rite) -> Store | None:
    """The store that is to be shown beside a rite, or None where there is none and none is named.

    A rite that nothing is anchored to yet, because it is one's own, is anchored now. Raises RiteError where a store is
    named that is not there, and for a file that is none.
    """
    from yanli.corpus.store import default_path

    if db is None and not default_path().is_file():
        return None
    store = opened_store(db)
    if not store.beside(rite.slug) and store.names() and rite.slug not in rites_as_clauses():
        anchor_all(store, store.names(), rites_to_anchor([str(rite.folder)]))
    return store
