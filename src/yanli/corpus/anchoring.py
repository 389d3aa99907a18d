"""Anchors the works of a store to rites, on this machine's cores or on a cluster.

Comes in: a store, the clauses of rites, and what these are called. Goes out: the anchors in the store, a work at a time
and each at once, so that whatever stops it leaves finished works anchored; what was anchored before, as it is and to
the same rites, is passed over. Other processes get the works from this one: they need no store.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from zlib import compress, decompress

import msgspec

from yanli import __version__
from yanli.corpus.anchor_reference import references
from yanli.corpus.belonging import belonging
from yanli.corpus.cluster import Ended, alone, lots, others, results
from yanli.corpus.model import Anchor, Text
from yanli.corpus.spelling import folds
from yanli.corpus.store import Packed, Store, digest, unpack
from yanli.errors import RiteError

_FEW = 400_000
"""So many characters in all are not worth other processes."""
_LOT, _LOT_WORKS = 40_000, 16
"""So many characters, and so many works, go to another process at once: to send one takes as long as to anchor it."""
_ENDS = ("禮", "儀")
_SHORTEST = 2
"""A name of fewer characters, its last left out, is a word like any other."""

Clauses = Sequence[tuple[str, str]]


class Rites(msgspec.Struct, frozen=True):
    """Rites to anchor to: the ids and words of their clauses, and what commentators call some of them."""

    clauses: dict[str, tuple[tuple[str, str], ...]]
    called: dict[str, str] = {}


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a work: how many of its remarks are anchored, how many references there are besides; or why none.

    A remark that speaks of two rites is one, as in the list of the store's works (`store.Counts`).

    ``there``: it was anchored so before, and nothing was done.
    """

    name: str
    anchors: int = 0
    references: int = 0
    there: bool = False
    told: str = ""


class _Job(msgspec.Struct, frozen=True):
    """Works to be anchored in whatever process, with the rites (packed: every job takes them along)."""

    works: tuple[Packed, ...]
    rites: bytes


_Came = dict[str, tuple[Anchor, ...]] | str
"""The anchors of a work by rite; or why it has none."""


def rites_of(clauses: Mapping[str, Clauses], names: Mapping[str, str] | None = None) -> Rites:
    """Make rites ready: clauses by the rite's own id, and the names (鄉射禮) by which some are called.

    Commentators leave out the 禮 of a name, or put another word for it.
    """
    called: dict[str, str] = {}
    for rite, name in (names or {}).items():
        short = name[:-1] if name.endswith(_ENDS) else name
        if rite in clauses and len(short) >= _SHORTEST:
            called[short] = rite
    return Rites({rite: tuple((one, words) for one, words in own) for rite, own in clauses.items()}, called)


def anchors_of(text: Text, rites: Rites) -> dict[str, tuple[Anchor, ...]]:
    """Give the anchors of a text by rite: of which clauses its remarks speak, then to which others they refer.

    A reference is an anchor beside the remark's own, ``how`` ``reference``; it may lead to another rite. Rites to which
    none lead are not named.
    """
    own = belonging(text, rites.clauses)
    found: dict[str, list[Anchor]] = {rite: list(anchors) for rite, anchors in own.items()}
    for rite, anchors in own.items():
        others = {name: rites.clauses[other] for name, other in rites.called.items() if other != rite}
        for each in references(text, anchors, rites.clauses[rite], others):
            found.setdefault(each.rite, []).append(each)
    return {rite: tuple(dict.fromkeys(anchors)) for rite, anchors in found.items()}


def anchor_works(
    store: Store,
    names: Iterable[str],
    rites: Rites,
    *,
    anew: bool = False,
    workers: int | None = None,
    scheduler: str | None = None,
) -> Iterator[Result]:
    """Anchor works, in the store, and give what became of each as soon as it is written, in the order of ``names``.

    Works that were anchored as they are, to these rites and by this Yanli, are passed over unless ``anew``; they come
    first. Anchors that a work had on these rites are put away. Works that could not be read have none. ``workers`` and
    ``scheduler`` as in `library.import_files`, but the workers of a cluster need see nothing. Raises RiteError when the
    store cannot be written, and as `cluster.processes`.
    """
    mark = _mark(rites)
    entries = {entry.name: entry for entry in store.entries()}
    marks = {} if anew else store.marks()
    due: list[str] = []
    for name in names:
        entry = entries.get(name) or store.entry(name)
        if entry.status == "read" and marks.get(name) == digest(f"{mark} {entry.reading}".encode()):
            yield Result(name=name, there=True)
        elif entry.status == "read":
            due.append(name)
    packed = compress(msgspec.msgpack.encode(rites))
    several = lots((entries[name] for name in due), _LOT, _LOT_WORKS)
    jobs = (_Job(tuple(store.packed(entry.name) for entry in lot), packed) for lot in several)
    heavy = sum(entries[name].length for name in due) >= _FEW and len(due) > 1
    with others(workers, scheduler, worth=heavy) as pool:
        for job, came in results(_anchored, jobs, pool):
            for work, found in zip(job.works, _each(job, came), strict=True):
                name = work.entry.name
                if isinstance(found, str):
                    yield Result(name=name, told=found)
                    continue
                mine = digest(f"{mark} {work.entry.reading}".encode())
                store.anchor(name, {rite: found.get(rite, ()) for rite in rites.clauses}, mine)
                every = [each for own in found.values() for each in own]
                referring = sum(each.how == "reference" for each in every)
                remarks = {each.remark for each in every if each.how != "reference"}
                yield Result(name=name, anchors=len(remarks), references=referring)


def _each(job: _Job, came: tuple[_Came, ...] | Ended) -> tuple[_Came, ...]:
    """Give what came of each work of a job; of one that ended its process, what comes of each by itself."""
    if not isinstance(came, Ended):
        return came
    if len(job.works) == 1:
        return (came.told,)
    found: list[_Came] = []
    for work in job.works:
        one = _Job((work,), job.rites)
        found += _each(one, alone(_anchored, one))
    return tuple(found)


def _anchored(job: _Job) -> tuple[_Came, ...]:
    """Anchor works (in whatever process)."""
    rites = _unpacked(job.rites)
    return tuple(_one(work, rites) for work in job.works)


def _one(work: Packed, rites: Rites) -> _Came:
    """Anchor one work, or say why it cannot be."""
    try:
        return anchors_of(unpack(work), rites)
    except RiteError as fault:
        return str(fault)
    except Exception as reason:  # noqa: BLE001 - whatever it is, the other works go on and it is told
        return f"{type(reason).__name__}: {reason}"


@lru_cache(maxsize=4)
def _unpacked(rites: bytes) -> Rites:
    return msgspec.msgpack.decode(decompress(rites), type=Rites)


def _mark(rites: Rites) -> str:
    """Say to what and by what works are anchored: with other clauses, or another way to find them, it is another."""
    return digest(msgspec.msgpack.encode((__version__, _way(), rites)))


@cache
def _way() -> str:
    """Hash what finds anchors, as it is written, and which characters are one for it."""
    room = files("yanli.corpus")
    own = sorted(
        (each for each in room.iterdir() if each.name.startswith(("anchor", "belonging", "folding", "reread"))),
        key=lambda each: each.name,
    )
    written = b"".join(each.read_bytes() for each in own if each.name.endswith(".py"))
    return digest(written + msgspec.json.encode(folds(), order="sorted"))
