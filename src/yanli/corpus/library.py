"""Takes in many files at once, on this machine's cores or on a cluster.

Comes in: paths. Goes out: the works in the store, its index brought up to them, and a report by file. Other
processes read and pack; this one writes, a work at a time, so that whatever stops it leaves whole works, and running
it again goes on where it stopped. A file that cannot be read stops nothing: its bytes are kept, with the reason. What
comes out does not depend on which file was done first.
"""

from __future__ import annotations

import re
import stat
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import msgspec

from yanli.corpus.cluster import Ended, others, results
from yanli.corpus.decode import ENCODINGS, decode, likely
from yanli.corpus.model import Proposal, Text
from yanli.corpus.reading import proposals_in
from yanli.corpus.search import Build, Built, Job, build, folder_of, refresh
from yanli.corpus.segment import read_text
from yanli.corpus.store import Entry, Packed, Store, digest, pack, pack_unread
from yanli.errors import Finding, RiteError

LARGEST = 2 << 30
"""Bytes of a file that is still read. What is larger is told, and left where it is."""
_FEW = 4
"""So many files, or so many bytes, are not worth other processes."""
_FEW_BYTES = 4 << 20
_NO_TEXT = re.compile("[\ud800-\udfff\x00-\x08\x0b\x0e-\x1f\x7f\ufffd]")
_HARDLY = 0.2
"""Where so great a part of what was read is bytes that no text has, that is told."""
_LOOKED = 16
"""In so many folders it is looked whether the workers of a cluster see the files that are here."""

_LEAST, _PER_BYTE = 60.0, 5e-6
"""Seconds in which any file must be read, and what is added for each byte (three to five megabytes are read in one)."""

Read = Callable[[bytes, str], Text]
Fate = Literal["added", "replaced", "there", "unread", "refused", "missing"]


class Item(msgspec.Struct, frozen=True):
    """A file to be taken in: what the work is to be called, where the file lies, and where it came from.

    ``told`` says why it cannot be, where that is known already.
    """

    name: str
    path: str
    origin: str = ""
    told: str = ""


class Asked(msgspec.Struct, frozen=True):
    """The family and the encoding by which files are to be read, where somebody named them."""

    family: str | None = None
    encoding: str | None = None


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a file.

    ``added``, ``replaced`` (read anew, or other bytes), ``there`` (nothing to do), ``unread`` (its bytes are kept),
    ``refused`` (under its name are other bytes, or it was read otherwise than is asked for), ``missing`` (cannot be
    opened, or too large). ``told`` says why, or that what was taken in is hardly a text as it was read; ``size`` in
    bytes, ``faults`` in how many places it is damaged.
    """

    name: str
    fate: Fate
    size: int = 0
    faults: int = 0
    told: str = ""


class _Done(msgspec.Struct, frozen=True):
    """What another process gives back."""

    packed: Packed | None
    faults: int = 0
    told: str = ""
    proposals: tuple[Proposal, ...] = ()


Progress = Callable[[int, int, Outcome], None]


def items(paths: Iterable[Path]) -> list[Item]:
    """Name files, and all files in folders, by their paths below what was given; in order of names.

    Hidden files and folders are passed over. What several folders have by one name is called after its folder too
    (``README.md`` of both: ``sources/README.md``, ``witnesses/README.md``). Raises RiteError: ``missing`` for what is
    not there, ``same-name`` where two files would have one name all the same.
    """
    named: dict[str, dict[Path, tuple[Path, Path]]] = {}
    for path in paths:
        if is_there(path) and path.is_dir():
            below = ((each.relative_to(path), each) for each in path.rglob("*") if each.is_file())
            inside = [(bare, each) for bare, each in below if not any(part.startswith(".") for part in bare.parts)]
        elif is_there(path):
            inside = [(Path(path.name), path)]
        else:
            raise _error("missing", f"there is no {path}")
        for bare, each in inside:
            named.setdefault(_called(bare), {}).setdefault(each.absolute(), (bare, each))
    found: dict[str, Item] = {}
    for several in named.values():
        for whole, (bare, given) in several.items():
            above = whole.parents[len(bare.parts) - 1].name
            name = _called(bare) if len(several) == 1 else _called(Path(above, bare))
            if name in found or (len(several) > 1 and name in named):
                other = found[name].path if name in found else str(next(iter(named[name])))
                raise _error("same-name", f"{other} and {whole} would both be called {name}; add them one by one")
            found[name] = Item(name, str(whole), str(given))
    return [found[name] for name in sorted(found)]


def is_there(path: Path) -> bool:
    """Tell whether there is such a file or folder; what no file could be called is not there."""
    try:
        return path.exists()
    except OSError:
        return False


def _called(path: Path) -> str:
    """The name of a work by its path, where bytes are no characters with their numbers."""
    return path.as_posix().encode("utf-8", "backslashreplace").decode()


def import_files(
    store: Store,
    files: Sequence[Item],
    *,
    read: Read = read_text,
    replace: bool = False,
    workers: int | None = None,
    scheduler: str | None = None,
    progress: Progress | None = None,
    asked: Asked | None = None,
) -> tuple[Outcome, ...]:
    """Take files in, and give what became of each, by name.

    ``read`` makes a text of bytes and a name; it must be a function that another process can import. ``replace`` reads
    anew what is there, and puts other bytes for those under the same name. ``asked`` says what ``read`` was told to
    read by: what is there, read by others, is ``refused``. ``scheduler`` is the address of a Dask cluster that sees the
    same files; without it ``workers`` processes are used as `cluster.processes` has it; few small files are read in
    this one. A file that another process does not read in a minute, and what its size allows for besides, is
    ``unread``, as ``too-slow``. ``progress`` is called with how many are done, how many there are, and the last
    outcome. Raises RiteError when the store cannot be written, and as `cluster.processes`.
    """
    outcomes: list[Outcome] = []

    def told(outcome: Outcome) -> None:
        outcomes.append(outcome)
        if progress:
            progress(len(outcomes), len(files), outcome)

    due: list[Item] = []
    for item in files:
        if (outcome := _known(store, item, asked or Asked(), replace=replace)) is None:
            due.append(item)
        else:
            told(outcome)
    folders = {Path(item.path).parent: Path(item.path) for item in due if Path(item.path).is_file()}
    with others(workers, scheduler, list(folders.values())[:_LOOKED], worth=not _light(due)) as pool:
        for item, done in results(partial(_work, read=read), due, pool, _patience):
            came = _died(item, done.told) if isinstance(done, Ended) else done
            told(_written(store, item, came, replace=replace))
    return tuple(sorted(outcomes, key=lambda outcome: outcome.name))


def index_all(
    store: Store,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Built, ...]:
    """Bring the index up to the store, on several processes where there is much to do.

    The workers of a cluster at an address must see the store and the index beside it. A work that is damaged in the
    store is left out, and stops nothing. ``progress`` is called with how many parts are done and how many there are.
    Raises as `import_files`.
    """

    def work(jobs: Sequence[Job]) -> Iterable[Sequence[Built]]:
        sees = [store.path.parent, folder_of(store)]
        with others(workers, scheduler, sees, worth=len(jobs) > 1) as pool:
            for number, (job, done) in enumerate(results(_build, jobs, pool), 1):
                if progress:
                    progress(number, len(jobs))
                if isinstance(done, Ended):
                    raise _error("no-index", f"{', '.join(name for name, _ in job.works[:3])} …: {done.told}")
                if isinstance(done, Finding):
                    raise RiteError(done)
                yield done

    wanted: Build = work
    return refresh(store, wanted)


def _build(job: Job) -> tuple[Built, ...] | Finding:
    """Build a part of the index; what fails is told."""
    try:
        return build(job)
    except RiteError as fault:
        return fault.findings[0]
    except OSError as reason:
        return Finding(code="no-index", cause=f"{job.folder} cannot be written: {reason}")


def _known(store: Store, item: Item, asked: Asked, *, replace: bool) -> Outcome | None:
    """What can be said of a file without reading it as a text; None when it is to be read."""
    if item.told:
        return Outcome(name=item.name, fate="missing", told=item.told)
    try:
        status = Path(item.path).stat()
        size = status.st_size
        if not stat.S_ISREG(status.st_mode):  # a device or a pipe may never end
            return Outcome(name=item.name, fate="missing", told=f"{item.path} is no file")
        if size > LARGEST:
            return Outcome(name=item.name, fate="missing", size=size, told=f"{size} bytes are more than {LARGEST}")
        there = store.find(item.name)
        if there is None or replace or there.size != size:
            return None
        data = Path(item.path).read_bytes()
    except OSError as reason:
        return Outcome(name=item.name, fate="missing", told=str(reason))
    return _there(there, data, asked) if digest(data) == there.sha256 and there.status == "read" else None


def _there(there: Entry, data: bytes, asked: Asked) -> Outcome:
    """What is said of bytes that are there: nothing is to be done, unless they were read otherwise than is asked."""
    # An encoding in which the bytes cannot be is not what they are read in, whoever asks for it.
    codec = ENCODINGS[decode(data, asked.encoding).encoding] if asked.encoding else None
    if (asked.family and asked.family != there.family) or (codec and codec != ENCODINGS.get(there.encoding)):
        told = f"it is there, read as {there.family} in {there.encoding}; --replace reads it anew as you say"
        return Outcome(name=there.name, fate="refused", size=there.size, told=told)
    return Outcome(name=there.name, fate="there", size=there.size)


def _work(item: Item, read: Read) -> _Done:
    """Read one file and make it ready to be written (in whatever process)."""
    try:
        data = Path(item.path).read_bytes()
    except OSError as reason:
        return _Done(None, told=str(reason))
    try:
        text = read(data, item.name)
        if text.name != item.name:
            text = msgspec.structs.replace(text, name=item.name)
        packed = pack(data, text, item.origin)
        return _Done(packed, faults=text.damaged, told=_doubt(data, text), proposals=proposals_in(data, text))
    except Exception as reason:  # noqa: BLE001 - whatever it is, the other files go on and the report tells it
        told = f"{type(reason).__name__}: {reason}"
        return _Done(pack_unread(data, item.name, told, item.origin), told=told)


def _doubt(data: bytes, text: Text) -> str:
    """Tell where bytes are no text as they were read, and by which encoding they may be one."""
    if not any(fault.kind in {"undecodable", "control"} for fault in text.faults):
        return ""
    if text.encoding == "utf-8" and (names := likely(data)):
        ways = " or ".join(f"--encoding {name}" for name in names)
        return f"its bytes are no UTF-8, but Chinese in another encoding: try {ways}, with --replace"
    bad = len(_NO_TEXT.findall(text.text))
    if bad > len(text.text) * _HARDLY:
        return f"{bad:,} of its {len(text.text):,} characters are none that a text has: is it a text at all?"
    return ""


def _patience(item: Item) -> float:
    """So many seconds a file may take: many times what the slowest takes of its size."""
    size = Path(item.path).stat().st_size if Path(item.path).is_file() else 0
    return _LEAST + size * _PER_BYTE


def _written(store: Store, item: Item, done: _Done, *, replace: bool) -> Outcome:
    """Write what was read, and tell what became of it."""
    if done.packed is None:
        return Outcome(name=item.name, fate="missing", told=done.told)
    entry = done.packed.entry
    before = store.find(item.name)
    try:
        written = store.add(done.packed, replace=replace)
    except RiteError as error:
        if error.findings[0].code != "other-bytes":
            raise
        return Outcome(name=item.name, fate="refused", size=entry.size, told=f"{error}; --replace puts these for them")
    if written and done.proposals:
        store.propose(item.name, done.proposals)
    # What another process took in meanwhile is there; nothing was put for it.
    read: Fate = "there" if not written else "replaced" if before else "added"
    fate: Fate = "unread" if entry.status == "unread" else read
    return Outcome(name=item.name, fate=fate, size=entry.size, faults=done.faults, told=done.told)


def _light(due: Sequence[Item]) -> bool:
    return (
        len(due) < _FEW or sum(Path(item.path).stat().st_size for item in due if Path(item.path).is_file()) < _FEW_BYTES
    )


def _died(item: Item, told: str) -> _Done:
    """What is kept of a file that ended its process."""
    try:
        return _Done(pack_unread(Path(item.path).read_bytes(), item.name, told, item.origin), told=told)
    except OSError as reason:
        return _Done(None, told=str(reason))


def _error(code: str, cause: str) -> RiteError:
    return RiteError(Finding(code=code, cause=cause))
