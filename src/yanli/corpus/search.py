"""Finds words in everything that the store has, however they are written.

Comes in: words, and of what layer, work, speaker or remarks they are to be. Goes out: hits, in an order that depends on
nothing but the texts: those written as asked before those in another shape or script; then by layer (canon first),
work and place. Blanks and punctuation neither count in what is asked nor in the texts; cut lines are joined. Offsets
are code points of the text as decoded.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import suppress
from heapq import heapify, heappop, heapreplace
from itertools import islice
from pathlib import Path
from threading import get_ident
from time import time
from typing import TYPE_CHECKING
from zlib import crc32

import msgspec

from yanli.corpus.folding import fold_search, words_of
from yanli.corpus.index import KEY, SEGMENT, Matches, Place, Segment, Source
from yanli.corpus.indexing import fits, write
from yanli.corpus.model import Layer, Text
from yanli.corpus.store import Entry, Store
from yanli.corpus.units import LAYERS, OVERLAP, Units, parts, units
from yanli.errors import Finding, RiteError

if TYPE_CHECKING:
    from yanli.corpus.index import Ranges

MOST = 1 << 40
"""The largest number that may be asked for."""
_MANIFEST = "segments.json"
_BYTES = 1 << 24
_ABANDONED = 86400.0
"""Seconds after which nobody can be at work any more on what is not listed."""
_SMALL = SEGMENT // 2
_MANY_SMALL = 4


class Query(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked for: ``words``, at most 256 characters that count; ``as_written`` folds nothing.

    ``layers``, ``works``, ``speaker`` and ``remarks`` (work and number, as those anchored to a clause) leave out all
    else; empty or None lets everything through. The first ``skip`` hits are passed over, ``limit`` are given, each with
    ``context`` characters that count on both sides.
    """

    words: str
    layers: tuple[Layer, ...] = ()
    works: tuple[str, ...] = ()
    speaker: str | None = None
    remarks: frozenset[tuple[str, int]] | None = None
    as_written: bool = False
    limit: int = 20
    skip: int = 0
    context: int = 20


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """Where words stand: ``start:end`` of the text ``name``; ``exact``: written as asked.

    ``before`` and ``after`` are of the same remark or layer, without blanks, punctuation and signs of the copy.
    `placed` tells ``page`` and ``line`` (from 1 in the file).
    """

    name: str
    start: int
    end: int
    layer: Layer
    words: str
    before: str
    after: str
    speaker: str | None = None
    remark: int | None = None
    exact: bool = True
    page: str | None = None
    line: int | None = None


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """Hits; how many there are in all, where that is known without looking at each; and what works were not looked in.

    These are damaged in the store: their words cannot be had.
    """

    hits: tuple[Hit, ...]
    total: int | None = None
    left_out: tuple[str, ...] = ()


class Built(msgspec.Struct, frozen=True):
    """A segment that is there: its file, how many characters, and what it has; ``left_out``: that could not be read.

    ``varied``: it is small because more would have more different characters than a segment can number. ``crc`` is the
    CRC-32 of its file, ``stamp`` when it was written (ns): one that was touched since is looked at whole before use.
    """

    file: str
    size: int
    sources: tuple[Source, ...]
    left_out: tuple[str, ...] = ()
    varied: bool = False
    crc: int = 0
    stamp: int = 0


class Job(msgspec.Struct, frozen=True):
    """Works that are to make a segment (a long one alone: several), out of which store, into which folder."""

    store: str
    folder: str
    works: tuple[tuple[str, str], ...]


Build = Callable[[Sequence[Job]], Iterable[Sequence[Built]]]


def folder_of(store: Store) -> Path:
    """Where the index of a store lies: beside it. It can be thrown away, and is made again."""
    return store.path.with_name(store.path.name + ".index")


def build(job: Job) -> tuple[Built, ...]:
    """Do a job. Needs nothing else, so that other processes can. A work damaged in the store has no words here."""
    folder = Path(job.folder)
    found: list[tuple[Source, Units]] = []
    left_out: list[str] = []
    with Store.open(Path(job.store), make=False) as store:
        for name, reading in job.works:
            text = _text(store, name)
            if text is None:
                left_out.append(name)
                text = Text(name=name, title="", family="", text="", encoding="", pieces=(), remarks=(), faults=())
            found.append((Source(name, reading), units(text)))
    made: list[Built] = []
    for lot, varied in _fitting(found):
        file, size, crc, stamp = write(lot, folder)
        missing = tuple(source.name for source, _ in lot if source.name in left_out)
        made.append(Built(file, size, tuple(source for source, _ in lot), missing, varied, crc, stamp))
    return tuple(made)


def _fitting(found: list[tuple[Source, Units]]) -> Iterator[tuple[list[tuple[Source, Units]], bool]]:
    """Part works as segments take them; and tell whether it was for the many different characters that they have."""
    varied = not fits([own for _, own in found])
    if len(found) > 1:
        if not varied:
            yield found, False
            return
        half = len(found) // 2
        yield from ((lot, True) for several in (found[:half], found[half:]) for lot, _ in _fitting(several))
        return
    source, own = found[0]
    most = SEGMENT
    cut = list(parts(own, most)) or [own]
    while not all(fits([part]) for part in cut):
        most //= 2
        cut = list(parts(own, most))
    for number, part in enumerate(cut):
        yield [(msgspec.structs.replace(source, part=number, parts=len(cut)), part)], varied


def _text(store: Store, name: str) -> Text | None:
    """A text of the store; None where it is damaged there."""
    try:
        return store.text(name)
    except RiteError:
        return None


def one_by_one(jobs: Sequence[Job]) -> Iterator[Sequence[Built]]:
    """Do jobs in this process."""
    return map(build, jobs)


class Index:
    """The segments of a store. Open it with `Index.open`; it closes at the end of a ``with``."""

    def __init__(self, folder: Path, built: Sequence[Built]) -> None:
        self.folder = folder
        self.built = tuple(built)
        self.segments: list[Segment] = []
        try:
            for each in built:
                self.segments.append(Segment(folder / each.file))
        except BaseException:
            self.close()
            raise

    @property
    def left_out(self) -> tuple[str, ...]:
        """The works that could not be read, in order."""
        return tuple(sorted({name for each in self.built for name in each.left_out}))

    @classmethod
    def open(cls, store: Store, work: Build = one_by_one) -> Index:
        """Open the index of a store, after bringing it up to what the store has; ``work`` does what is to be done.

        An index that cannot be read is made anew. Raises RiteError (``no-index``) when it cannot be written.
        """
        try:
            # Another process brought it further, and put away what this one saw; or it is of another Yanli.
            with suppress(FileNotFoundError, ValueError, msgspec.DecodeError):
                return cls(folder_of(store), refresh(store, work))
            try:
                return cls(folder_of(store), refresh(store, work))
            except (OSError, ValueError, msgspec.DecodeError):
                (folder_of(store) / _MANIFEST).unlink(missing_ok=True)
                return cls(folder_of(store), refresh(store, work))
        except OSError as reason:
            raise _error("no-index", f"the index of {store.path} cannot be written: {reason}") from reason

    def __enter__(self) -> Index:  # noqa: PYI034 - nobody derives from it
        """Give the index itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Let go of the files."""
        for segment in self.segments:
            segment.close()
        self.segments = []

    def search(self, query: Query) -> Found:
        """Find words. Raises RiteError (``bad-query``) when nothing is asked for, or too much."""
        words = words_of(query.words)
        if not words:
            raise _error("bad-query", f"{query.words!r} has nothing that counts: only blanks or punctuation")
        if len(words) > OVERLAP:
            raise _error("bad-query", f"{len(words)} characters are asked for; at most {OVERLAP} can be")
        check_numbers(query)
        plain = fold_search(words)
        ranges = [self.ranges(segment, query) for segment in self.segments]
        found = [segment.look(words, plain, within) for segment, within in zip(self.segments, ranges, strict=True)]
        layers = frozenset(map(LAYERS.index, query.layers)) or range(len(LAYERS))
        wanted = query.skip + query.limit
        places = [(*each, True) for each in islice(self.merged(list(self._streams(found, layers, exact=True))), wanted)]
        if len(places) < wanted and not query.as_written:
            others = self.merged(list(self._streams(found, layers, exact=False)))
            places += [(*each, False) for each in islice(others, wanted - len(places))]
        hits = tuple(
            self._hit(place, segment, len(words), query.context, exact=exact)
            for place, segment, exact in places[query.skip :]
        )  # fmt: skip
        if len(places) < wanted:
            return Found(hits=hits, total=len(places), left_out=self.left_out)
        # Where a long text was cut, what stands on both sides would count twice.
        whole = all(source.parts == 1 for segment in self.segments for source in segment.sources)
        counted = whole and len(words) <= KEY and not query.as_written and all(each is None for each in ranges)
        total = sum(each.many for each in found) if counted else None
        return Found(hits=hits, total=total, left_out=self.left_out)

    def ranges(self, segment: Segment, query: Query) -> Ranges | None:
        """Where in a segment is to be looked; None for everywhere."""
        if not query.layers and not query.works and query.speaker is None and query.remarks is None:
            return None
        return segment.ranges(
            frozenset(map(LAYERS.index, query.layers)) or None, frozenset(query.works) or None, query.speaker,
            query.remarks,
        )  # fmt: skip

    def merged(self, streams: Sequence[tuple[Place, int, Iterator[int]]]) -> Iterator[tuple[Place, int]]:
        """Bring positions (with a place that none comes before, and the number of the segment) into one order.

        Nothing is asked of a stream before the order comes to where it may begin: what is frequent is found by looking
        into one segment. Where a long text was cut both sides have the same place, which is given once.
        """
        heap = [(least, which, False) for which, (least, _, _) in enumerate(streams)]
        heapify(heap)
        last: tuple[int, str, int] | None = None
        while heap:
            place, which, stands = heap[0]
            _, number, positions = streams[which]
            if stands:
                here = (place.layer, place.name, place.start)
                if here != last:
                    yield place, number
                last = here
            position = next(positions, None)
            if position is None:
                heappop(heap)
            else:
                heapreplace(heap, (self.segments[number].place(position), which, True))

    def _streams(
        self, found: Sequence[Matches], layers: Container[int], *, exact: bool
    ) -> Iterator[tuple[Place, int, Iterator[int]]]:
        """Give the places of each segment, or of each layer of one that has many, with one that none comes before."""
        for number, matches in enumerate(found):
            segment = self.segments[number]
            if not matches.few:
                for layer, (_, _, least) in segment.layers.items():
                    if layer in layers and (matches.exact or not exact):
                        yield least, number, matches.of_layer(layer, exact=exact)
            elif few := matches.both[0 if exact else 1]:
                yield segment.place(few[0]), number, iter(few)

    def _hit(self, place: Place, number: int, length: int, context: int, *, exact: bool) -> Hit:
        segment = self.segments[number]
        start, end = place.position, place.position + length
        name, speaker, remark, first, last = segment.unit(segment.unit_at(start))
        return Hit(
            name=name,
            start=place.start,
            end=segment.offset(end - 1) + 1,
            layer=LAYERS[place.layer],
            words=segment.words(start, end),
            before=segment.words(max(start - context, first), start),
            after=segment.words(end, min(end + context, last)),
            speaker=speaker or None,
            remark=None if remark < 0 else remark,
            exact=exact,
        )


def check_numbers(query: Query) -> None:
    """Raise RiteError (``bad-query``) where numbers are less than 0, or more than any text could have characters."""
    if not all(0 <= number <= MOST for number in (query.limit, query.skip, query.context)):
        raise _error("bad-query", f"limit, skip and context are not less than 0, nor more than {MOST}")


def placed(store: Store, found: Found) -> Found:
    """Tell of each hit on what page and line it stands. Raises RiteError as `Store.text`."""
    hits: list[Hit] = []
    texts = {name: store.text(name) for name in {hit.name for hit in found.hits}}
    for hit in found.hits:
        pieces = texts[hit.name].pieces
        piece = pieces[bisect_right(pieces, hit.start, key=lambda each: each.start) - 1]
        hits.append(msgspec.structs.replace(hit, page=piece.page, line=piece.line))
    return msgspec.structs.replace(found, hits=tuple(hits))


def refresh(store: Store, work: Build = one_by_one) -> tuple[Built, ...]:
    """Bring the index of a store up to what the store has, and give its segments, by first work.

    What is there and right is left alone. The list of segments is put in place last and at once, so that a search
    always finds a whole index.
    """
    folder = folder_of(store)
    folder.mkdir(parents=True, exist_ok=True)
    entries = {entry.name: entry for entry in store.entries() if entry.status == "read"}
    there = _read(folder)
    # What could not be read when it was to be indexed may have been mended since.
    kept = [
        each for each in _kept(there, entries) if all(_text(store, name) is None for name in each.left_out)
    ]  # fmt: skip
    due = sorted(set(entries) - {source.name for each in kept for source in each.sources})
    small = [
        each
        for each in kept
        if not each.varied and sum(entries[source.name].length for source in each.sources) < _SMALL
    ]
    again = sorted(source.name for each in small for source in each.sources)
    if due or len(small) > len(_lots([entries[name] for name in again])) + _MANY_SMALL:
        kept = [each for each in kept if each not in small]
        due = sorted({*due, *again})
    if not due and len(kept) == len(there):
        return tuple(kept)
    jobs = [Job(str(store.path), str(folder), lot) for lot in _lots([entries[name] for name in due])]
    made = [each for several in work(jobs) for each in several]
    every = sorted([*kept, *made], key=lambda each: (each.sources[0].name, each.sources[0].part))
    _list(folder, every)
    named = {each.file for each in every}
    for each in there:
        if each.file not in named:
            (folder / each.file).unlink(missing_ok=True)
    _sweep(folder, named)
    return tuple(every)


def _list(folder: Path, built: Sequence[Built]) -> None:
    """Put the list of segments in place, at once."""
    new = folder / f"{_MANIFEST}.{os.getpid()}.{get_ident()}"
    new.write_bytes(msgspec.json.encode(built))
    new.replace(folder / _MANIFEST)


def _sweep(folder: Path, named: Container[str]) -> None:
    """Put away what was begun and never listed, because the process that did it was killed."""
    for path in folder.iterdir():
        ours = path.suffix in {".tmp", ".seg"} or path.name.startswith(f"{_MANIFEST}.")
        with suppress(FileNotFoundError):
            if ours and path.name not in named and time() - path.stat().st_mtime > _ABANDONED:
                path.unlink()


def _read(folder: Path) -> list[Built]:
    """The list of segments without those that are gone or damaged; none when there is no list."""
    try:
        built = msgspec.json.decode((folder / _MANIFEST).read_bytes(), type=list[Built])
    except (OSError, msgspec.DecodeError):
        return []
    found = [whole for each in built if (whole := _whole(folder, each))]
    if found != built and len(found) == len(built):
        with suppress(OSError):  # that they are whole is only found out again
            _list(folder, found)
    return found


def _whole(folder: Path, built: Built) -> Built | None:
    """A segment if its file is as it was written (known by its time, else by every byte); None if it is not."""
    try:
        with (folder / built.file).open("rb") as file:
            stamp = os.fstat(file.fileno()).st_mtime_ns
            if stamp == built.stamp:
                return built
            crc = 0
            while part := file.read(_BYTES):
                crc = crc32(part, crc)
    except OSError:
        return None
    return msgspec.structs.replace(built, stamp=stamp) if crc == built.crc else None


def _kept(there: list[Built], entries: dict[str, Entry]) -> list[Built]:
    """The segments that hold what the store has; of a work in parts, all parts or none."""
    right = [
        each for each in there if all((e := entries.get(s.name)) and e.reading == s.reading for s in each.sources)
    ]  # fmt: skip
    parts: dict[str, int] = {}
    for each in right:
        for source in each.sources:
            parts[source.name] = parts.get(source.name, 0) + 1
    return [each for each in right if all(parts[source.name] == source.parts for source in each.sources)]


def _lots(entries: Sequence[Entry]) -> list[tuple[tuple[str, str], ...]]:
    """Put works together that make about a segment; a long one stays alone."""
    lots: list[tuple[tuple[str, str], ...]] = []
    lot: list[tuple[str, str]] = []
    room = SEGMENT
    for entry in entries:
        if entry.length > SEGMENT:
            lots.append(((entry.name, entry.reading),))
            continue
        if entry.length > room and lot:
            lots.append(tuple(lot))
            lot, room = [], SEGMENT
        lot.append((entry.name, entry.reading))
        room -= entry.length
    return [*lots, tuple(lot)] if lot else lots


def _error(code: str, cause: str) -> RiteError:
    return RiteError(Finding(code=code, cause=cause))
