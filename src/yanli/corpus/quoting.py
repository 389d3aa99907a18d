"""Finds the passages of works in all other works of a store, on this machine's cores or on a cluster.

Comes in: a store whose works are anchored, and the clauses of their rites. Goes out: for one work its passages in every
other; for all works a folder with a table for each. Works are compared in lots, so that memory stays bounded, and come
in the order of their names whatever was done first. A table is put in place when it is whole: whatever stops the work
loses no finished one, and it goes on with the others. Other processes get the works from this one: they need no store.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from zlib import compress, decompress

import msgspec

from yanli import __version__
from yanli.corpus.cluster import Ended, lots, others, results
from yanli.corpus.model import Anchor, Layer, Text
from yanli.corpus.quote import Passage, Prepared, index, quotations
from yanli.corpus.quoted import Quoted, Sides, prepared, quoted, quoted_csv
from yanli.corpus.store import Entry, Packed, Store, digest, unpack
from yanli.errors import Finding, RiteError

LEAST = 8
_LOT = 400_000
"""So many characters are a lot: of these, each with those of another, a process has a few seconds' work."""
_LOT_WORKS = 64
_FEW = 800_000
"""So many characters in all are not worth other processes."""
_MANIFEST = "quotes.json"
_LONGEST = 200
"""So many bytes a file's name may have, with room for its ending."""

Clauses = Sequence[tuple[str, str]]


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """What is sought: in which layers (canon and commentary apart, if none are named), and how long it must be."""

    layers: tuple[Layer, ...] = ()
    least: int = LEAST


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """The passages of a work that stand in another; ``told`` says why the other could not be looked into."""

    one: str
    other: str
    passages: tuple[Quoted, ...] = ()
    told: str = ""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a work's table: how many passages in how many works; or why there is none.

    ``there``: it was whole before, and nothing was done.
    """

    name: str
    passages: int = 0
    works: int = 0
    there: bool = False
    told: str = ""


class _Given(msgspec.Struct, frozen=True):
    work: Packed
    anchors: tuple[Anchor, ...]


class _Job(msgspec.Struct, frozen=True, kw_only=True):
    """Works that are to be looked for in others, in whatever process; ``written``: as a table."""

    texts: tuple[_Given, ...]
    sources: tuple[_Given, ...]
    rites: bytes
    options: Options
    written: bool = False


class _Rows(msgspec.Struct, frozen=True):
    """The passages of one work in the sources of a job, as rows of a table."""

    name: str
    rows: str
    passages: int
    works: int


class _Came(msgspec.Struct, frozen=True):
    """What came of a job; ``told`` are works that could not be read, with the reason."""

    pairs: tuple[Pair, ...]
    rows: tuple[_Rows, ...]
    told: dict[str, str]


class _Ready(msgspec.Struct, frozen=True, eq=False):
    text: Text
    sides: Sides
    lots: list[Prepared]


def quotes_of(
    store: Store,
    name: str,
    rites: Mapping[str, Clauses],
    options: Options | None = None,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
) -> Iterator[Pair]:
    """Give the passages of a work in each other work of the store that has any, in the order of their names.

    A work that cannot be read is told and stops nothing. ``workers`` and ``scheduler`` as in `library.import_files`,
    but the workers of a cluster need see nothing. Raises RiteError for a work that is not there or cannot be read
    itself, and as `cluster.processes`.
    """
    own = store.entry(name)
    unpack(store.packed(name))
    rest = [entry for entry in store.entries() if entry.name != name]
    packed = compress(msgspec.msgpack.encode(rites))
    yield from (Pair(one=name, other=each.name, told=each.reason) for each in rest if each.status != "read")
    several = lots((entry for entry in rest if entry.status == "read"), _LOT, _LOT_WORKS)
    jobs = (
        _Job(texts=_given(store, [own]), sources=_given(store, lot), rites=packed, options=options or Options())
        for lot in several
    )
    worth = sum(entry.length for lot in several for entry in lot) >= _FEW
    with others(workers, scheduler, worth=worth) as pool:
        for job, came in results(_compared, jobs, pool):
            if isinstance(came, Ended):
                yield from (Pair(one=name, other=each.work.entry.name, told=came.told) for each in job.sources)
            else:
                told = [Pair(one=name, other=other, told=why) for other, why in came.told.items()]
                yield from sorted([*came.pairs, *told], key=lambda pair: pair.other)


def quote_all(
    store: Store,
    folder: Path,
    rites: Mapping[str, Clauses],
    options: Options | None = None,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
) -> Iterator[Table]:
    """Look for every work of the store in every other; put a table (CSV) for each in a folder, and say when it is done.

    Tables that are there already are passed over, and told first. In a table the passages stand by the work in which
    they are found, then by place. Raises RiteError as `quotes_of`, and ``other-quotes`` where the folder has tables of
    other works, other anchors, or another search; ``cannot-write``.
    """
    entries = store.entries()
    wanted = options or Options()
    read = [entry for entry in entries if entry.status == "read"]
    yield from (Table(name=each.name, told=each.reason) for each in entries if each.status != "read")
    try:
        _begin(folder, store, read, wanted, rites)
        whole = {entry.name for entry in read if (folder / _file(entry.name)).is_file()}
        yield from (Table(name=entry.name, there=True) for entry in read if entry.name in whole)
        yield from _tables(store, folder, read, whole, rites, wanted, workers, scheduler)
    except OSError as reason:
        raise _error("cannot-write", f"{folder}: {reason.strerror or reason}") from reason


def _tables(
    store: Store,
    folder: Path,
    read: Sequence[Entry],
    whole: set[str],
    rites: Mapping[str, Clauses],
    options: Options,
    workers: int | None,
    scheduler: str | None,
) -> Iterator[Table]:
    sources = lots(read, _LOT, _LOT_WORKS)
    due = lots((entry for entry in read if entry.name not in whole), _LOT, _LOT_WORKS)
    packed = compress(msgspec.msgpack.encode(rites))
    jobs = (
        _Job(texts=_given(store, lot), sources=_given(store, other), rites=packed, options=options, written=True)
        for lot in due
        for other in sources
    )
    worth = sum(entry.length for lot in due for entry in lot) * len(sources) >= _FEW
    with others(workers, scheduler, worth=worth) as pool:
        came = results(_compared, jobs, pool)
        for lot in due:
            yield from _lot(folder, lot, [done for _, done in _first(came, len(sources), folder, lot)])


def _first(
    came: Iterator[tuple[_Job, _Came | Ended]], count: int, folder: Path, lot: Sequence[Entry]
) -> Iterator[tuple[_Job, _Came | Ended]]:
    """Take what belongs to one lot, and write its rows down at once, so that they are not held."""
    for entry in lot:
        (folder / _part(entry.name)).write_text(quoted_csv(()), encoding="utf-8")
    for _ in range(count):
        job, done = next(came)
        if isinstance(done, _Came):
            for each in done.rows:
                with (folder / _part(each.name)).open("a", encoding="utf-8") as stream:
                    stream.write(each.rows)
            done = msgspec.structs.replace(
                done, rows=tuple(msgspec.structs.replace(each, rows="") for each in done.rows)
            )
        yield job, done


def _lot(folder: Path, lot: Sequence[Entry], came: Sequence[_Came | Ended]) -> Iterator[Table]:
    """Put the tables of a lot in place; those of works that could not be compared with all others are not."""
    ended = next((done.told for done in came if isinstance(done, Ended)), "")
    whole = [done for done in came if isinstance(done, _Came)]
    for entry in lot:
        told = ended or next((done.told[entry.name] for done in whole if entry.name in done.told), "")
        part = folder / _part(entry.name)
        if told:
            part.unlink()
            yield Table(name=entry.name, told=told)
            continue
        part.replace(folder / _file(entry.name))
        own = [each for done in whole for each in done.rows if each.name == entry.name]
        yield Table(name=entry.name, passages=sum(e.passages for e in own), works=sum(e.works for e in own))


def _begin(folder: Path, store: Store, read: Sequence[Entry], options: Options, rites: Mapping[str, Clauses]) -> None:
    """Make the folder, or see that what is there is of the same works and the same search."""
    marks = store.marks()
    of = [(entry.name, entry.reading, marks.get(entry.name, "")) for entry in read]
    made = {"of": digest(msgspec.msgpack.encode((__version__, of, options, rites))), "works": len(read),
            "least": options.least, "layers": [layer.value for layer in options.layers]}  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    manifest = folder / _MANIFEST
    if manifest.is_file():
        try:
            there = msgspec.json.decode(manifest.read_bytes(), type=dict[str, object])
        except msgspec.DecodeError:
            there = {}
        if there.get("of") != made["of"]:
            raise _error(
                "other-quotes",
                f"{folder} has quotations of other works, other anchors or another search; name another folder",
            )
        return
    new = folder / f"{_MANIFEST}.{os.getpid()}"
    new.write_bytes(msgspec.json.encode(made))
    new.replace(manifest)


def _given(store: Store, lot: Iterable[Entry]) -> tuple[_Given, ...]:
    return tuple(_Given(store.packed(entry.name), store.anchors(entry.name)) for entry in lot)


def _compared(job: _Job) -> _Came:
    """Do a job (in whatever process); if it fails, all its works are told."""
    try:
        return _pairs(job)
    except Exception as reason:  # noqa: BLE001 - whatever it is, the other works go on and it is told
        told = f"{type(reason).__name__}: {reason}"
        return _Came((), (), {each.work.entry.name: told for each in (*job.texts, *job.sources)})


def _pairs(job: _Job) -> _Came:
    rites = _unpacked(job.rites)
    told: dict[str, str] = {}
    known: dict[str, _Ready] = {}
    texts = list(_made_ready(job.texts, rites, job.options, told, known))
    sources = list(_made_ready(job.sources, rites, job.options, told, known))
    pairs: list[Pair] = []
    rows: list[_Rows] = []
    for one in texts:
        found: dict[str, list[Passage]] = {}
        for number, lot in enumerate(one.lots):
            rest = [other.lots[number] for other in sources if other.text.name != one.text.name]
            for passage in quotations(index(lot), rest, least=job.options.least):
                found.setdefault(passage.source, []).append(passage)
        own = [
            Pair(
                one=one.text.name,
                other=other.text.name,
                passages=quoted(found[other.text.name], one.sides, other.sides),
            )
            for other in sources
            if other.text.name in found
        ]
        if job.written:
            written = "".join(quoted_csv(pair.passages, heading=False) for pair in own)
            rows.append(_Rows(one.text.name, written, sum(len(pair.passages) for pair in own), len(own)))
        else:
            pairs += own
    return _Came(tuple(pairs), tuple(rows), told)


def _made_ready(
    given: Iterable[_Given],
    rites: Mapping[str, Clauses],
    options: Options,
    told: dict[str, str],
    known: dict[str, _Ready],
) -> Iterator[_Ready]:
    """Make works ready to be compared, each once; what cannot be read is told."""
    for each in given:
        name = each.work.entry.name
        if name not in known and name not in told:
            # Of rites that a work says nothing of it need not be known where it stands in them.
            about = {anchor.rite: rites[anchor.rite] for anchor in each.anchors if anchor.rite in rites}
            try:
                text = unpack(each.work)
                known[name] = _Ready(
                    text, Sides(text, options.layers), prepared(text, options.layers, each.anchors, about)
                )
            except Exception as reason:  # noqa: BLE001 - whatever it is, the other works go on and it is told
                told[name] = str(reason) if isinstance(reason, RiteError) else f"{type(reason).__name__}: {reason}"
        if name in known:
            yield known[name]


@lru_cache(maxsize=4)
def _unpacked(rites: bytes) -> dict[str, list[tuple[str, str]]]:
    return msgspec.msgpack.decode(decompress(rites), type=dict[str, list[tuple[str, str]]])


def _file(name: str) -> str:
    """The name of a work's table: its own, as far as it may be that of a file."""
    plain = "".join(f"%{ord(sign):02X}" if sign in '%/\\:*?"<>|' or sign < " " else sign for sign in name)
    if plain.startswith("."):
        plain = f"%2E{plain[1:]}"
    if len(plain.encode("utf-8", "surrogatepass")) > _LONGEST:
        plain = (
            plain.encode("utf-8", "surrogatepass")[:_LONGEST].decode("utf-8", "ignore")
            + f"%{digest(name.encode())[:16]}"
        )
    return f"{plain}.csv"


def _part(name: str) -> str:
    return f"{_file(name)}.part"


def _error(code: str, cause: str) -> RiteError:
    return RiteError(Finding(code=code, cause=cause))
