"""What went into the store comes out of it, whatever it was and whatever ended the process."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import textwrap
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from yanli.corpus.model import Anchor, Fault, Layer, Piece, Proposal, Remark, Text
from yanli.corpus.store import Store, default_path, digest, pack, pack_unread, unpack
from yanli.errors import RiteError

CANON = "主人戒賓賓出迎再拜"


def made(data: bytes, name: str = "鄉射", *, words: str | None = None) -> Text:
    """A text of one piece, with a remark and a fault about its first character."""
    text = data.decode("utf-8", "surrogateescape") if words is None else words
    first = text[:1]
    return Text(
        name=name,
        title=f"題\\{first}",
        family="plain",
        text=text,
        encoding="utf-8",
        pieces=(Piece(start=0, end=len(text), layer=Layer.canon, line=1, page="004-2a"),),
        remarks=(
            Remark(number=0, layer=Layer.note, text=text, spans=((0, len(text)),), after=3, quoted_by=("賈", first)),
        ),
        faults=(Fault(kind="surrogate", start=0, end=1, line=1, found=first, told="\\udc80"),),
        sure=0.5,
        why="；",
    )


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "c.sqlite") as opened:
        yield opened


def code(error: pytest.ExceptionInfo[RiteError]) -> str:
    return error.value.findings[0].code


@given(data=st.binary(max_size=200))
@settings(max_examples=60, deadline=None)
def test_any_bytes_come_out_again(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    with Store.open(tmp_path_factory.mktemp("s") / "c.sqlite") as store:
        text = made(data)
        assert store.add(pack(data, text, "from \udcff"))
        assert store.bytes_of("鄉射") == data
        assert store.text("鄉射") == text
        assert store.entry("鄉射").sha256 == digest(data)


@pytest.mark.parametrize("words", ["\ufeff賓", "𠀀&KR0764;\r\n\x00", "e\u0301\uf900\ud800", "\\udc80\udc80"])
def test_a_text_that_is_not_the_utf8_of_its_bytes(store: Store, words: str) -> None:
    data = "賓".encode("gb18030")
    store.add(pack(data, made(data, words=words)))
    assert store.text("鄉射").text == words
    assert store.text("鄉射") == made(data, words=words)
    assert store.bytes_of("鄉射") == data


def test_the_same_bytes_are_not_written_twice(store: Store) -> None:
    data = CANON.encode()
    assert store.add(pack(data, made(data)))
    store.set_anchors("鄉射", "r", [Anchor(remark=0, rite="r", first="1.1", last="1.2", confidence=0.9, how="lemma")])
    assert not store.add(pack(data, made(data)))
    # Read anew, as when a profile has become better: what was said of it stays.
    assert store.add(pack(data, made(data)), replace=True)
    assert len(store.anchors("鄉射")) == 1


def test_other_bytes_under_a_name_are_refused(store: Store) -> None:
    data = CANON.encode()
    store.add(pack(data, made(data)))
    store.set_anchors("鄉射", "r", [Anchor(remark=0, rite="r", first="1.1", last="1.2", confidence=0.9, how="lemma")])
    other = "主人".encode()
    with pytest.raises(RiteError) as error:
        store.add(pack(other, made(other)))
    assert code(error) == "other-bytes"
    assert store.bytes_of("鄉射") == data
    assert store.add(pack(other, made(other)), replace=True)
    assert store.bytes_of("鄉射") == other
    assert store.anchors("鄉射") == ()


def test_what_cannot_be_read_is_kept(store: Store) -> None:
    data = b"\x00\xff" * 5
    assert store.add(pack_unread(data, "bad", "nobody knows"))
    assert not store.add(pack_unread(data, "bad", "nobody knows"))
    assert store.bytes_of("bad") == data
    with pytest.raises(RiteError) as error:
        store.text("bad")
    assert code(error) == "unread"
    assert store.add(pack(data, made(data, "bad"))), "a reader that has learnt it puts the text there"
    assert store.entry("bad").status == "read"


def test_a_name_that_is_not_there_tells_the_nearest(store: Store) -> None:
    data = CANON.encode()
    store.add(pack(data, made(data, "KR1d0026_005.txt")))
    with pytest.raises(RiteError) as error:
        store.bytes_of("KR1d0026_05.txt")
    assert error.value.findings[0].nearest == ("KR1d0026_005.txt",)


def test_anchors_of_a_rite_by_work(store: Store) -> None:
    for name in ("乙", "甲"):
        store.add(pack(CANON.encode(), made(CANON.encode(), name)))
    one = Anchor(remark=1, rite="r", first="1.1", last="1.2", confidence=0.9, how="lemma")
    two = Anchor(remark=0, rite="r", first="2.1", last="2.1", confidence=0.4, how="position")
    other = Anchor(remark=0, rite="s", first="2.1", last="2.1", confidence=0.4, how="position")
    store.set_anchors("乙", "r", [one, two])
    store.set_anchors("乙", "s", [other])
    store.set_anchors("甲", "r", [one])
    assert store.beside("r") == {"乙": (two, one), "甲": (one,)}
    store.set_anchors("乙", "r", [])
    assert store.anchors("乙") == (other,)
    with pytest.raises(ValueError, match="an anchor on s"):
        store.set_anchors("乙", "r", [other])


def test_proposals_are_kept_by_place_author_and_words(store: Store) -> None:
    data = CANON.encode()
    store.add(pack(data, made(data)))
    one = Proposal(
        start=2, end=3, found="\udc80", emended="司", method="m", evidence="e", certain=True, author="a", accepted=False
    )
    late = Proposal(start=5, end=6, found="x", emended="y", method="m", evidence="e", certain=False, author="a")
    store.propose("鄉射", [late, one])
    assert store.proposals("鄉射") == (one, late)
    taken = Proposal(
        start=2, end=3, found="\udc80", emended="司", method="m", evidence="e", certain=True, author="a", accepted=True
    )
    store.propose("鄉射", [taken])
    assert store.proposals("鄉射") == (taken, late)
    assert store.text("鄉射").text == CANON, "nothing is changed by a proposal"
    store.withdraw("鄉射", one)
    assert store.proposals("鄉射") == (late,)


def test_a_failed_write_leaves_all_as_it_was(store: Store) -> None:
    data = CANON.encode()
    store.add(pack(data, made(data)))
    bad = Anchor(remark=0, rite="r", first="1.1", last="\ud800", confidence=0.9, how="lemma")
    good = Anchor(remark=0, rite="r", first="1.1", last="1.1", confidence=0.9, how="lemma")
    store.set_anchors("鄉射", "r", [good])
    with pytest.raises(UnicodeEncodeError):
        store.set_anchors("鄉射", "r", [good, bad])
    assert store.anchors("鄉射") == (good,)


def test_what_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text(CANON * 400, encoding="utf-8")
    other = sqlite3.connect(tmp_path / "other.sqlite")
    other.execute("CREATE TABLE cups (n)")
    other.close()
    Store.open(tmp_path / "late.sqlite").close()
    late = sqlite3.connect(tmp_path / "late.sqlite")
    late.execute("PRAGMA user_version = 99")
    late.close()
    for name in ("words.txt", "other.sqlite", "late.sqlite"):
        with pytest.raises(RiteError) as error:
            Store.open(tmp_path / name)
        assert code(error) == "bad-store", name
    with pytest.raises(RiteError) as error:
        Store.open(tmp_path / "none.sqlite", make=False)
    assert code(error) == "no-store"
    assert not (tmp_path / "none.sqlite").exists()


def test_a_store_that_does_not_say_where_remarks_stand_is_brought_up(tmp_path: Path) -> None:
    data = CANON.encode()
    one = Anchor(remark=0, rite="r", first="1.1", last="1.2", confidence=0.9, how="lemma")
    with Store.open(tmp_path / "c.sqlite") as store:
        store.add(pack(data, made(data)))
        store.set_anchors("鄉射", "r", [one])
        store._base.execute("ALTER TABLE anchor DROP COLUMN stands")
        store._base.execute("PRAGMA user_version = 2")
    with Store.open(tmp_path / "c.sqlite") as store:
        assert store.anchors("鄉射") == (one,)
        stands = msgspec.structs.replace(one, stands="1.3")
        store.set_anchors("鄉射", "r", [stands])
        assert store.anchors("鄉射") == (stands,)
        assert store.beside("r") == {"鄉射": (stands,)}


def test_damage_in_the_file_is_told(store: Store) -> None:
    data = CANON.encode()
    store.add(pack(data, made(data)))
    store._base.execute("UPDATE part SET packed = ? WHERE kind = 'data'", (pack(b"x", made(b"x")).data[0],))
    with pytest.raises(RiteError) as error:
        store.bytes_of("鄉射")
    assert code(error) == "bad-store"


def test_many_megabytes_in_one_work(store: Store) -> None:
    data = CANON.encode() * 800_000  # 21.6 MB: two parts
    store.add(pack(data, made(b"x", words="x")))
    assert store._base.execute("SELECT count(*) FROM part WHERE kind = 'data'").fetchone()[0] == 2
    assert store.bytes_of("鄉射") == data


def test_the_users_own_directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_path() == tmp_path / "yanli" / "corpus.sqlite"
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert default_path() == Path.home() / ".local" / "share" / "yanli" / "corpus.sqlite"


def counted(store: Store, name: str = "鄉射") -> tuple[int, int, int, int]:
    """What the store says that a work has: remarks, anchored ones, faults, proposals."""
    counts = store.counts()[name]
    return counts.remarks, counts.anchored, counts.faults, counts.proposals


def test_what_a_work_has_is_counted_when_it_is_written(store: Store) -> None:
    data = CANON.encode()
    store.add(pack(data, made(data)))
    assert counted(store) == (1, 0, 1, 0)
    one = Anchor(remark=0, rite="r", first="1.1", last="1.2", confidence=0.9, how="lemma")
    two = Anchor(remark=0, rite="s", first="2.1", last="2.1", confidence=0.9, how="lemma")
    store.anchor("鄉射", {"r": [one], "s": [two]}, "mark")
    assert store.marks() == {"鄉射": "mark"}
    wanted = Proposal(start=2, end=3, found="賓", emended="司", method="m", evidence="e", certain=True, author="a")
    store.propose("鄉射", [wanted])
    # Two anchors of one remark: one remark is anchored.
    assert counted(store) == (1, 1, 1, 1)
    store.add(pack(data, made(data)), replace=True)
    assert counted(store) == (1, 1, 1, 1)
    store.withdraw("鄉射", wanted)
    store.set_anchors("鄉射", "r", [])
    assert counted(store) == (1, 1, 1, 0)
    assert store.marks() == {"鄉射": ""}, "what was set by hand is not known again"
    store.anchor("鄉射", {"s": []})
    assert counted(store) == (1, 0, 1, 0)
    store.add(pack(b"x", made(b"x")), replace=True)
    assert counted(store) == (1, 0, 1, 0)
    store.add(pack_unread(b"y", "乙", "why"))
    assert counted(store, "乙") == (0, 0, 0, 0)
    store.remove("鄉射")
    assert set(store.counts()) == {"乙"}


def test_another_process_gets_the_text_of_what_lies_in_the_store(store: Store) -> None:
    for data, words in ((CANON.encode(), None), ("賓".encode("gb18030"), "賓\udc80")):
        text = made(data, words=words)
        store.add(pack(data, text), replace=True)
        assert unpack(store.packed("鄉射")) == text
    packed = store.packed("鄉射")
    with pytest.raises(RiteError, match="is damaged"):
        unpack(msgspec.structs.replace(packed, body=(b"x",)))
    with pytest.raises(RiteError, match="are not those"):
        unpack(msgspec.structs.replace(pack(CANON.encode(), made(CANON.encode())), data=pack(b"x", made(b"x")).data))
    with pytest.raises(RiteError, match="could not be read: why"):
        unpack(pack_unread(b"y", "乙", "why"))


def make_old(store: Store) -> None:
    """Make a store of version 1: it counted nothing, and did not say where a remark stands."""
    store._base.execute("DROP TABLE tally")
    store._base.execute("ALTER TABLE anchor DROP COLUMN stands")
    store._base.execute("PRAGMA user_version = 1")


def test_a_store_of_the_first_version_opens_and_is_counted_once(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    data = CANON.encode()
    with Store.open(path) as store:
        for name in ("鄉射", "壞"):
            store.add(pack(data, made(data, name)))
        store.set_anchors("鄉射", "r", [Anchor(remark=0, rite="r", first="1", last="1", confidence=0.9, how="lemma")])
        store.add(pack_unread(b"y", "乙", "why"))
        make_old(store)
        store._base.execute("UPDATE part SET packed = x'00' WHERE name = '壞' AND kind = 'body'")
    with Store.open(path) as store:
        assert store.text("鄉射") == made(data)
        assert counted(store) == (1, 1, 1, 0)
        assert counted(store, "乙") == (0, 0, 0, 0)
        assert "壞" not in store.counts(), "a damaged work stops nothing"
    with Store.open(path) as store:
        assert store._base.execute("SELECT count(*) FROM tally").fetchone() == (2,)
        store.anchor("鄉射", {"r": []}, "mark")
        assert counted(store) == (1, 0, 1, 0)


def test_an_old_work_is_counted_before_it_is_anchored(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    with Store.open(path) as store:
        store.add(pack(CANON.encode(), made(CANON.encode())))
        make_old(store)
    with Store.open(path) as store:
        one = Anchor(remark=0, rite="r", first="1.1", last="1.2", confidence=0.9, how="lemma")
        store.anchor("鄉射", {"r": [one]}, "mark")
        assert (counted(store), store.marks()) == ((1, 1, 1, 0), {"鄉射": "mark"})


def test_thousands_of_works_are_listed_at_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    from yanli.render.corpus import list_text, listed

    packed = pack(CANON.encode(), made(CANON.encode()))
    for number in range(5000):
        entry = msgspec.structs.replace(packed.entry, name=f"{number:04}")
        store.add(msgspec.structs.replace(packed, entry=entry))

    def read(*_: object) -> None:
        pytest.fail("a work is read to be listed")

    monkeypatch.setattr(Store, "_parts", read)
    begun = time.process_time()
    told = list_text(listed(store))
    assert time.process_time() - begun < 0.8
    assert told.count("\n") == 5001


@pytest.mark.parametrize("filler", [b"\0", b"\xff", b"\x0d"])
def test_a_damaged_file_is_told_whatever_of_it_is_damaged(tmp_path: Path, filler: bytes) -> None:
    path = tmp_path / "c.sqlite"
    with Store.open(path) as store:
        for name in ("鄉射", "鄉飲酒"):
            store.add(pack(CANON.encode(), made(CANON.encode(), name)))
            store.set_anchors(
                name, "r", [Anchor(remark=0, rite="r", first="1.1", last="1.2", confidence=0.9, how="lemma")]
            )
            store.propose(
                name,
                [Proposal(start=5, end=6, found="x", emended="y", method="m", evidence="e", certain=False, author="a")],
            )
    good = path.read_bytes()
    told = 0
    for start in range(0, len(good), 1024):
        path.write_bytes(good[:start] + filler * 1024 + good[start + 1024 :])
        try:
            with Store.open(path) as store:
                for entry in store.entries():
                    store.text(entry.name)
                    store.bytes_of(entry.name)
                    store.anchors(entry.name)
                    store.proposals(entry.name)
                store.counts()
                store.marks()
                store.beside("r")
        except RiteError as error:
            told += error.findings[0].code in {"bad-store", "store-failed"}
    assert told > 3


def test_a_killed_import_loses_no_finished_work(tmp_path: Path) -> None:
    script = textwrap.dedent("""
        import sys
        from pathlib import Path
        from yanli.corpus.model import Text
        from yanli.corpus.store import Store, pack
        store = Store.open(Path(sys.argv[1]))
        for i in range(100_000):
            data = f"{i} ".encode() * 20_000
            text = Text(name=f"{i:05}", title="", family="", text=data.decode(), encoding="utf-8",
                        pieces=(), remarks=(), faults=())
            store.add(pack(data, text))
            print(i, flush=True)
    """)
    path = tmp_path / "c.sqlite"
    with subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        finished = -1
        for line in process.stdout:
            finished = int(line)
            if finished == 11:
                process.kill()
                break
    with Store.open(path) as store:
        names = store.names()
        assert len(names) >= finished + 1
        for i, name in enumerate(names):
            assert name == f"{i:05}"
            assert store.bytes_of(name) == f"{i} ".encode() * 20_000
            assert store.text(name).text.startswith(f"{i} ")
        assert store._base.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_bytes_that_an_older_store_packed_come_out_again(store: Store) -> None:
    data = CANON.encode() * 9
    store.add(pack(data, made(data)))
    packed = zlib.compress(data, 1)
    assert packed[:1] != b"\0"
    store._base.execute("UPDATE part SET packed = ? WHERE kind = 'data'", (packed,))
    assert store.bytes_of("鄉射") == data
    assert store.text("鄉射") == made(data)
