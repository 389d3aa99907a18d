"""One SQLite file with every text as found, what it is made of, and what is said of it.

Comes in: bytes, and what was read from them (`Text`), with anchors and proposals. Goes out: the very same. A work's
import is one transaction in a write-ahead log, so that whatever ends the process leaves finished works whole and
unfinished ones out. Offsets are code points of the text as decoded.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, Self, TypeVar

import msgspec

from yanli.corpus.body import decode, encode, escape, strings, unescape
from yanli.corpus.model import Anchor, Fault, Proposal, Remark, Text
from yanli.errors import Finding, RiteError

SCHEMA = 4
"""Version 2 counts what a work has (`tally`), version 3 says where its remarks stand, version 4 keeps the bytes that
came in as they are and what was read by columns (see `body`); an older one is brought up, and what it has is read."""
_PART = 16 << 20
"""Bytes (before packing) in one row: SQLite takes no value over 1 GB."""
_WAIT = 60.0
_LEVEL = 1
_BARE = b"\0"
"""So a part begins that is not packed; nothing packed does."""

Status = Literal["read", "unread"]
T = TypeVar("T", bound=msgspec.Struct)

_TABLES = """
CREATE TABLE text (
    name TEXT PRIMARY KEY, sha256 TEXT NOT NULL, size INTEGER NOT NULL, status TEXT NOT NULL, reason TEXT NOT NULL,
    origin TEXT NOT NULL, title TEXT NOT NULL, family TEXT NOT NULL, encoding TEXT NOT NULL, sure REAL NOT NULL,
    why TEXT NOT NULL, length INTEGER NOT NULL, reading TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE part (
    name TEXT NOT NULL REFERENCES text ON DELETE CASCADE, kind TEXT NOT NULL, number INTEGER NOT NULL,
    packed BLOB NOT NULL, PRIMARY KEY (name, kind, number)
);
CREATE TABLE anchor (
    name TEXT NOT NULL REFERENCES text ON DELETE CASCADE, remark INTEGER NOT NULL, rite TEXT NOT NULL,
    first TEXT NOT NULL, last TEXT NOT NULL, confidence REAL NOT NULL, how TEXT NOT NULL, stands TEXT
);
CREATE INDEX anchor_name ON anchor (name);
CREATE INDEX anchor_rite ON anchor (rite, first);
CREATE TABLE proposal (
    name TEXT NOT NULL REFERENCES text ON DELETE CASCADE, start INTEGER NOT NULL, "end" INTEGER NOT NULL,
    author BLOB NOT NULL, emended BLOB NOT NULL, whole BLOB NOT NULL,
    PRIMARY KEY (name, start, "end", author, emended)
) WITHOUT ROWID;
"""
_TALLY = """
CREATE TABLE tally (
    name TEXT PRIMARY KEY REFERENCES text ON DELETE CASCADE, remarks INTEGER NOT NULL, faults INTEGER NOT NULL,
    anchored INTEGER NOT NULL, proposals INTEGER NOT NULL, mark TEXT NOT NULL
) WITHOUT ROWID;
"""
_STANDS = "ALTER TABLE anchor ADD COLUMN stands TEXT"
_COUNT = """
INSERT INTO tally SELECT ?1, ?2, ?3, (SELECT count(DISTINCT remark) FROM anchor WHERE name = ?1),
    (SELECT count(*) FROM proposal WHERE name = ?1), '' WHERE true
ON CONFLICT (name) DO UPDATE SET remarks = excluded.remarks, faults = excluded.faults
"""
_PROPOSED = "UPDATE tally SET proposals = (SELECT count(*) FROM proposal WHERE name = ?1) WHERE name = ?1"


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """What the store knows of one work without reading it.

    ``size`` in bytes as found, ``length`` in characters; ``origin`` is where it came from (a path, or a clone with
    branch and commit); ``reading`` changes with the bytes, and when the same bytes are read otherwise. A work that
    could not be read is kept all the same: ``status`` ``unread``, with the ``reason``.
    """

    name: str
    sha256: str
    size: int
    status: Status = "read"
    reason: str = ""
    origin: str = ""
    title: str = ""
    family: str = ""
    encoding: str = ""
    sure: float = 0.0
    why: str = ""
    length: int = 0
    reading: str = ""


class Packed(msgspec.Struct, frozen=True, kw_only=True):
    """One work made ready to be written, in whatever process: what it is called, its bytes, what was read.

    ``remarks`` and ``faults``: how many it has (of what is damaged). Another process gets the text back by `unpack`.
    """

    entry: Entry
    data: tuple[bytes, ...]
    body: tuple[bytes, ...] = ()
    remarks: int = 0
    faults: int = 0


class Counts(msgspec.Struct, frozen=True):
    """How many remarks a work has, how many are anchored, in how many places it is damaged, how many proposals."""

    remarks: int = 0
    anchored: int = 0
    faults: int = 0
    proposals: int = 0


def default_path() -> Path:
    """Where the store lies if nobody says: ``yanli/corpus.sqlite`` in the user's own data directory."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        named = os.environ.get("XDG_DATA_HOME", "")
        base = Path(named) if Path(named).is_absolute() else Path.home() / ".local" / "share"
    return base / "yanli" / "corpus.sqlite"


def digest(data: bytes) -> str:
    """Hash bytes (SHA-256, hexadecimal)."""
    return hashlib.sha256(data).hexdigest()


def pack(data: bytes, text: Text, origin: str = "") -> Packed:
    """Make a text ready for `Store.add`. Needs no store, so that other processes can do it."""
    same = data.decode("utf-8", "surrogateescape") == text.text
    packed = encode(text, None if same else text.text.encode("utf-8", "surrogatepass"))
    came = digest(data)
    # Other words of the same lengths are cut in the same pieces: the bytes must count too.
    reading = digest(f"{came} {digest(packed)}".encode())[:16]
    entry = Entry(
        name=_plain(text.name), sha256=came, size=len(data), origin=_plain(origin), title=_plain(text.title),
        family=_plain(text.family), encoding=_plain(text.encoding), sure=text.sure, why=_plain(text.why),
        length=len(text.text), reading=reading,
    )  # fmt: skip
    return Packed(entry=entry, data=_bare(data), body=_deflate(packed), remarks=len(text.remarks), faults=text.damaged)


def unpack(packed: Packed) -> Text:
    """Give the text that was made ready. Raises RiteError as `Store.text`. Needs no store."""
    entry = packed.entry
    if entry.status != "read":
        raise _error("unread", f"{entry.name} could not be read: {entry.reason}")
    try:
        body = decode(_inflate(entry.name, packed.body))
        if body.words is None:
            data = _inflate(entry.name, packed.data)
            if digest(data) != entry.sha256:
                raise _error("bad-store", f"the bytes of {entry.name} are not those that came in")
            words = data.decode("utf-8", "surrogateescape")
        else:
            words = body.words.decode("utf-8", "surrogatepass")
        rows = body.rows(words)
    except (msgspec.DecodeError, ValueError) as reason:  # columns of several lengths, bytes that are no UTF-8
        raise _error("bad-store", f"{entry.name} is damaged in its store: {reason}") from reason
    return Text(
        name=entry.name, title=rows.title, family=entry.family, text=words, encoding=entry.encoding, pieces=rows.pieces,
        remarks=rows.remarks, faults=rows.faults, sure=entry.sure, why=rows.why,
    )  # fmt: skip


def pack_unread(data: bytes, name: str, reason: str, origin: str = "") -> Packed:
    """Make bytes ready that could not be read as a text: they are kept, with the reason."""
    entry = Entry(
        name=_plain(name),
        sha256=digest(data),
        size=len(data),
        status="unread",
        reason=_plain(reason),
        origin=_plain(origin),
    )
    return Packed(entry=entry, data=_bare(data))


class Store:
    """The works, by name. Open it with `Store.open`; it closes at the end of a ``with``."""

    def __init__(self, base: sqlite3.Connection, path: Path) -> None:
        self._base = base
        self.path = path

    @classmethod
    def open(cls, path: Path | None = None, *, make: bool = True) -> Store:
        """Open the store at this path (`default_path` if None), and make it if there is none and ``make``.

        Raises RiteError: ``no-store`` where there is none and none is to be made or can be, ``bad-store`` for a file
        that is no store, or one of a later version.
        """
        path = path or default_path()
        try:
            if not make and not path.is_file():
                raise _error("no-store", f"there is no corpus at {path}; yanli corpus add makes one")
            path.parent.mkdir(parents=True, exist_ok=True)
            # SQLite would take the bare names ``:memory:`` and "" for no file at all.
            base = sqlite3.connect(path.absolute(), timeout=_WAIT, isolation_level=None)
        except (OSError, sqlite3.Error) as reason:
            raise _error("no-store", f"{path} cannot be opened: {reason}") from reason
        try:
            _prepare(base, path)
        except sqlite3.Error as reason:
            base.close()
            raise _error("bad-store", f"{path} is no corpus of Yanli: {reason}") from reason
        except RiteError:
            base.close()
            raise
        return cls(base, path)

    def __enter__(self) -> Self:
        """Give the store itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Close the file; what was added is there."""
        self._base.close()

    def add(self, packed: Packed, *, replace: bool = False) -> bool:
        """Take in a work; tell whether anything was written (the same bytes, read before, are skipped).

        Other bytes under a name that is there raise RiteError (``other-bytes``) unless ``replace``, for anchors and
        proposals count in the old text and go with it. The same bytes with ``replace`` are read anew and keep them.
        """
        new = packed.entry
        with self._writing() as base:
            old = self.find(new.name)
            if old and old.sha256 != new.sha256 and not replace:
                raise _error("other-bytes", f"{new.name} is there with other bytes ({old.sha256[:12]})")
            if old and old.sha256 == new.sha256 and (old.status == "read" or new.status == "unread") and not replace:
                return False
            if old and old.sha256 != new.sha256:
                base.execute("DELETE FROM text WHERE name = ?", (new.name,))
            fields = msgspec.structs.asdict(new)
            changed = ", ".join(f"{field} = excluded.{field}" for field in fields if field != "name")
            base.execute(
                f"INSERT INTO text ({', '.join(fields)}) VALUES ({', '.join('?' * len(fields))}) "  # noqa: S608
                f"ON CONFLICT (name) DO UPDATE SET {changed}",
                tuple(fields.values()),
            )
            base.execute("DELETE FROM part WHERE name = ?", (new.name,))
            kinds = (("data", packed.data), ("body", packed.body))
            rows = [(new.name, kind, i, part) for kind, parts in kinds for i, part in enumerate(parts)]
            base.executemany("INSERT INTO part VALUES (?, ?, ?, ?)", rows)
            base.execute(_COUNT, (new.name, packed.remarks, packed.faults))
        return True

    def remove(self, name: str) -> None:
        """Forget a work with all that is said of it. Raises RiteError when it is not there."""
        self.entry(name)
        with self._writing() as base:
            base.execute("DELETE FROM text WHERE name = ?", (name,))

    def names(self) -> tuple[str, ...]:
        """The names of all works, in order of their code points."""
        return tuple(entry.name for entry in self.entries())

    def entries(self) -> tuple[Entry, ...]:
        """What is known of all works, by name."""
        rows = self._rows("SELECT * FROM text")
        return tuple(sorted((_entry(row) for row in rows), key=lambda entry: entry.name))

    def counts(self) -> dict[str, Counts]:
        """How much each work has, without reading any; works of an older store are read this once, to be counted.

        One that is damaged in the store has no counts.
        """
        wanting = self._rows("SELECT name FROM text EXCEPT SELECT name FROM tally")
        for (name,) in wanting:
            with suppress(RiteError):
                self._count(name)
        rows = self._rows("SELECT name, remarks, anchored, faults, proposals FROM tally")
        return {name: _made(Counts, tuple(numbers)) for name, *numbers in rows}

    def _count(self, name: str) -> None:
        """Count a work that is not counted yet, as in a store of an older version."""
        if self._rows("SELECT 1 FROM tally WHERE name = ?", (name,)):
            return
        body = self.text(name) if self.entry(name).status == "read" else None
        with self._writing() as base:
            base.execute(_COUNT, (name, len(body.remarks) if body else 0, body.damaged if body else 0))

    def find(self, name: str) -> Entry | None:
        """What is known of a work, or None. Bytes in a file's name that are no characters may be told as they are."""
        rows = self._rows("SELECT * FROM text WHERE name = ?", (_plain(name),))
        return _entry(rows[0]) if rows else None

    def entry(self, name: str) -> Entry:
        """What is known of a work. Raises RiteError (``no-text``, with the nearest names) when it is not there."""
        if found := self.find(name):
            return found
        near = tuple(get_close_matches(name, self.names(), n=3))
        raise RiteError(Finding(code="no-text", cause=f"{self.path} has no work {name!r}", nearest=near))

    def bytes_of(self, name: str) -> bytes:
        """The very bytes that came in. Raises RiteError: ``no-text``, or ``bad-store`` if the store was damaged."""
        entry = self.entry(name)
        data = _inflate(name, self._parts(name, "data"))
        if digest(data) != entry.sha256:
            raise _error("bad-store", f"the bytes of {name} in {self.path} are not those that came in")
        return data

    def text(self, name: str) -> Text:
        """The text as it was read. Raises RiteError: ``no-text``, ``unread`` for bytes that could not be read."""
        return unpack(self.packed(name))

    def packed(self, name: str) -> Packed:
        """A work as it lies here, for another process to `unpack`. Raises RiteError (``no-text``)."""
        return Packed(entry=self.entry(name), data=self._parts(name, "data"), body=self._parts(name, "body"))

    def remarks(self, name: str) -> tuple[Remark, ...]:
        """The remarks of a text. Raises RiteError as `text`."""
        return self.text(name).remarks

    def faults(self, name: str) -> tuple[Fault, ...]:
        """What is damaged in a text. Raises RiteError as `text`."""
        return self.text(name).faults

    def set_anchors(self, name: str, rite: str, anchors: Iterable[Anchor]) -> None:
        """Put these anchors for those that the work had on this rite. Raises RiteError when the work is not there."""
        self.anchor(name, {rite: anchors})

    def anchor(self, name: str, found: Mapping[str, Iterable[Anchor]], mark: str = "") -> None:
        """Put the anchors of a work on some rites for those that it had on them, all at once.

        ``mark`` is kept (see `marks`). Raises RiteError when the work is not there.
        """
        self._count(name)
        rows: list[tuple[str, int, str, str, str, float, str, str | None]] = []
        for rite, anchors in found.items():
            own = [(name, a.remark, a.rite, a.first, a.last, a.confidence, a.how, a.stands) for a in anchors]
            if strange := next((row for row in own if row[2] != rite), None):
                raise ValueError(f"an anchor on {strange[2]} among those on {rite}")
            rows += own
        with self._writing() as base:
            base.executemany("DELETE FROM anchor WHERE name = ? AND rite = ?", [(name, rite) for rite in found])
            base.executemany("INSERT INTO anchor VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
            base.execute(
                "UPDATE tally SET mark = ?2, anchored = (SELECT count(DISTINCT remark) FROM anchor WHERE name = ?1 "
                "AND how <> 'reference') WHERE name = ?1",
                (name, mark),
            )

    def marks(self) -> dict[str, str]:
        """The mark with which each work was anchored last: what it was then, and by what; "" for never, or by hand."""
        return dict(self._rows("SELECT name, mark FROM tally"))

    def anchors(self, name: str) -> tuple[Anchor, ...]:
        """The anchors of a work's remarks, by remark."""
        rows = self._rows("SELECT * FROM anchor WHERE name = ? ORDER BY remark, rowid", (name,))
        return tuple(_anchor(row) for row in rows)

    def beside(self, rite: str) -> Mapping[str, tuple[Anchor, ...]]:
        """Everything anchored to a rite: work → its anchors, both in order."""
        found: dict[str, list[Anchor]] = {}
        for row in self._rows("SELECT * FROM anchor WHERE rite = ? ORDER BY remark, rowid", (rite,)):
            found.setdefault(row[0], []).append(_anchor(row))
        return {name: tuple(found[name]) for name in sorted(found)}

    def propose(self, name: str, proposals: Iterable[Proposal]) -> None:
        """Add proposals, or put them for the same ones (place, words, author). Raises RiteError without the work."""
        self.entry(name)
        rows = [
            (name, p.start, p.end, _bytes(p.author), _bytes(p.emended), msgspec.msgpack.encode(strings(p, escape)))
            for p in proposals
        ]
        with self._writing() as base:
            base.executemany("INSERT OR REPLACE INTO proposal VALUES (?, ?, ?, ?, ?, ?)", rows)
            base.execute(_PROPOSED, (name,))

    def withdraw(self, name: str, proposal: Proposal) -> None:
        """Take a proposal out again; nothing happens when it is not there."""
        key = (name, proposal.start, proposal.end, _bytes(proposal.author), _bytes(proposal.emended))
        with self._writing() as base:
            base.execute(
                'DELETE FROM proposal WHERE name = ? AND start = ? AND "end" = ? AND author = ? AND emended = ?', key
            )
            base.execute(_PROPOSED, (name,))

    def proposals(self, name: str) -> tuple[Proposal, ...]:
        """What is proposed for a work, by place, author and words."""
        rows = self._rows("SELECT whole FROM proposal WHERE name = ?", (name,))
        try:
            found = [strings(msgspec.msgpack.decode(whole, type=Proposal), unescape) for (whole,) in rows]
        except (msgspec.DecodeError, TypeError) as reason:
            raise _error("bad-store", f"the proposals for {name} are damaged in {self.path}: {reason}") from reason
        return tuple(sorted(found, key=lambda p: (p.start, p.end, p.author, p.emended)))

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it or nothing. Raises RiteError (``store-failed``) when it cannot be written."""
        try:
            self._base.execute("BEGIN IMMEDIATE")
            try:
                yield self._base
            except BaseException:
                self._base.execute("ROLLBACK")
                raise
            self._base.execute("COMMIT")
        except sqlite3.Error as reason:
            raise _error("store-failed", f"{self.path} cannot be written: {reason}") from reason

    def _rows(self, question: str, values: tuple[str, ...] = ()) -> list[Any]:
        """What the file answers. Raises RiteError (``bad-store``) where the file itself is damaged."""
        try:
            return self._base.execute(question, values).fetchall()
        except sqlite3.Error as reason:
            raise _error("bad-store", f"{self.path} cannot be read: {reason}") from reason

    def _parts(self, name: str, kind: str) -> tuple[bytes, ...]:
        rows = self._rows("SELECT packed FROM part WHERE name = ? AND kind = ? ORDER BY number", (name, kind))
        return tuple(packed for (packed,) in rows)


def _inflate(name: str, parts: Iterable[bytes]) -> bytes:
    try:
        return b"".join(part[1:] if part[:1] == _BARE else zlib.decompress(part) for part in parts)
    except zlib.error as reason:
        raise _error("bad-store", f"{name} is damaged in its store: {reason}") from reason


def _prepare(base: sqlite3.Connection, path: Path) -> None:
    """Set the connection, make the tables of a new file, bring one of the version before up to this.

    Raises RiteError for one of a later version.
    """
    base.execute("PRAGMA journal_mode = WAL")
    base.execute("PRAGMA synchronous = NORMAL")
    base.execute("PRAGMA foreign_keys = ON")
    if _version(base) == 0:
        base.execute("BEGIN IMMEDIATE")  # another process may be making it at this moment
        if _version(base) == 0:
            if base.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                base.execute("ROLLBACK")
                raise _error("bad-store", f"{path} is a database of something else")
            for statement in (*_TABLES.split(";"), _TALLY):
                base.execute(statement)
            base.execute(f"PRAGMA user_version = {SCHEMA}")
        base.execute("COMMIT")
    for version, statement in ((1, _TALLY), (2, _STANDS), (3, "SELECT 1")):
        if _version(base) == version:
            base.execute("BEGIN IMMEDIATE")
            if _version(base) == version:
                if statement != _STANDS or not _has_stands(base):
                    base.execute(statement)
                base.execute(f"PRAGMA user_version = {version + 1}")
            base.execute("COMMIT")
    if (version := _version(base)) != SCHEMA:
        raise _error("bad-store", f"{path} is of version {version}; this Yanli knows {SCHEMA}")


def _has_stands(base: sqlite3.Connection) -> bool:
    return "stands" in {row[1] for row in base.execute("PRAGMA table_info(anchor)")}


def _version(base: sqlite3.Connection) -> int:
    return int(base.execute("PRAGMA user_version").fetchone()[0])


def _bare(data: bytes) -> tuple[bytes, ...]:
    """Mark parts as not packed: to pack what came in would take a tenth of an import's time, for half its room."""
    starts = range(0, max(len(data), 1), _PART)
    return tuple(_BARE + data[start : start + _PART] for start in starts)


def _deflate(data: bytes) -> tuple[bytes, ...]:
    """Pack in parts that SQLite takes; at least one."""
    starts = range(0, max(len(data), 1), _PART)
    return tuple(zlib.compress(data[start : start + _PART], _LEVEL) for start in starts)


def _entry(row: tuple[Any, ...]) -> Entry:
    return _made(Entry, row)


def _anchor(row: tuple[Any, ...]) -> Anchor:
    return _made(Anchor, row[1:])


def _made(kind: type[T], values: tuple[Any, ...]) -> T:
    """Make a struct of what stands in a row. Raises RiteError (``bad-store``) where that is of no such kind."""
    try:
        return msgspec.convert(dict(zip(kind.__struct_fields__, values, strict=True)), kind)
    except (msgspec.ValidationError, ValueError) as reason:
        raise _error("bad-store", f"a row of the store is damaged: {reason}") from reason


def _plain(words: str) -> str:
    """What SQLite and JSON take: a lone surrogate is told as an escape."""
    return words.encode("utf-8", "backslashreplace").decode()


def _bytes(words: str) -> bytes:
    return words.encode("utf-8", "surrogatepass")


def _error(code: str, cause: str) -> RiteError:
    return RiteError(Finding(code=code, cause=cause))
