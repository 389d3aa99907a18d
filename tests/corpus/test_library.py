"""Many files go in at once; what is in the store afterwards depends on nothing but the files."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from yanli.corpus import cluster, library
from yanli.corpus.library import Outcome, import_files, index_all, items
from yanli.corpus.matching import search_regex
from yanli.corpus.model import Proposal, Text
from yanli.corpus.reading import read_file
from yanli.corpus.search import Index, Query
from yanli.corpus.segment import read_text
from yanli.corpus.store import Store
from yanli.corpus.tei import to_tei
from yanli.errors import RiteError

# A reader as somebody might write it: it fails with some files, and ends its own process with others.
READER = """
import os
import re
from yanli.corpus.model import Layer, Piece, Text

def read(data, name):
    if b"bad" in data:
        raise ValueError("bad words")
    if b"fatal" in data:
        os._exit(7)
    if b"endless" in data:
        re.match("(a+)+b", "a" * 99)
    words = data.decode()
    return Text(name=name, title=name, family="test", text=words, encoding="utf-8", remarks=(), faults=(),
                pieces=(Piece(start=0, end=len(words), layer=Layer.canon, line=1),))
"""


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    folder = tmp_path / "lib"
    folder.mkdir()
    (folder / "yanli_test_reader.py").write_text(READER, encoding="utf-8")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("PYTHONPATH", str(folder))
    module = importlib.import_module("yanli_test_reader")
    yield module
    del sys.modules["yanli_test_reader"]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "c.sqlite") as opened:
        yield opened


@pytest.fixture(params=[False, True], ids=["pool", "dask"])
def many(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are read by other processes, however small they are: the standard library's, or Dask's."""
    if request.param:
        pytest.importorskip("distributed")
    else:
        monkeypatch.setattr(cluster, "find_spec", lambda _: None)
    monkeypatch.setattr(library, "_FEW_BYTES", 0)


def folder_with(tmp_path: Path, **files: str) -> Path:
    folder = tmp_path / "texts"
    for name, words in files.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(words, encoding="utf-8")
    return folder


def fates(outcomes: tuple[Outcome, ...]) -> dict[str, str]:
    return {outcome.name: outcome.fate for outcome in outcomes}


def test_files_are_named_by_where_they_lie(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, b="賓", sub__a="主", sub__c="介")
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("x", encoding="utf-8")
    assert [item.name for item in items([folder])] == ["b", "sub/a", "sub/c"]
    assert [item.name for item in items([folder / "sub" / "a", folder / "b", folder / "b"])] == ["a", "b"]
    other = folder_with(tmp_path / "other", b="賓", x="主")
    name = folder.name
    assert name == other.name
    with pytest.raises(RiteError, match="both be called"):
        items([folder, other])
    other = other.rename(tmp_path / "other" / "乙")
    both = {item.name: item.path for item in items([folder, other])}
    assert both == {
        f"{name}/b": str(folder / "b"), "sub/a": str(folder / "sub/a"), "sub/c": str(folder / "sub/c"),
        "x": str(other / "x"), "乙/b": str(other / "b"),
    }  # fmt: skip
    (folder / "乙").mkdir()
    (folder / "乙" / "b").write_text("介", encoding="utf-8")
    with pytest.raises(RiteError, match="both be called"):
        items([folder, other])
    with pytest.raises(RiteError, match="there is no"):
        items([folder / "none"])


def test_one_bad_file_stops_nothing(tmp_path: Path, store: Store, reader: ModuleType) -> None:
    folder = folder_with(tmp_path, a="賓", b="bad", c="主")
    seen: list[tuple[int, int, str]] = []
    files = [*items([folder]), library.Item("d", str(folder / "gone"))]
    outcomes = import_files(
        store, files, read=reader.read, progress=lambda done, of, last: seen.append((done, of, last.name))
    )
    assert fates(outcomes) == {"a": "added", "b": "unread", "c": "added", "d": "missing"}
    assert outcomes[1].told == "ValueError: bad words"
    assert store.bytes_of("b") == b"bad"
    assert [row[:2] for row in seen] == [(1, 4), (2, 4), (3, 4), (4, 4)]
    # Again: what is there is left, what was not read is tried once more.
    again = import_files(store, items([folder]), read=reader.read)
    assert fates(again) == {"a": "there", "b": "unread", "c": "there"}
    (folder / "a").write_text("賓賓", encoding="utf-8")
    assert fates(import_files(store, items([folder]), read=reader.read))["a"] == "refused"
    assert fates(import_files(store, items([folder]), read=reader.read, replace=True))["a"] == "replaced"
    assert store.text("a").text == "賓賓"


def test_what_another_process_took_in_meanwhile_is_there(tmp_path: Path, store: Store, reader: ModuleType) -> None:
    folder = folder_with(tmp_path, a="賓")

    def read(data: bytes, name: str) -> Text:
        with Store.open(store.path) as other:
            import_files(other, items([folder]), read=reader.read)
        text: Text = reader.read(data, name)
        return text

    assert fates(import_files(store, items([folder]), read=read)) == {"a": "there"}


@pytest.mark.slow
@pytest.mark.usefixtures("many")
def test_processes_give_the_same(tmp_path: Path, store: Store, reader: ModuleType) -> None:
    words = {f"t{i:02}": "賓主" * (i + 1) for i in range(20)}
    folder = folder_with(tmp_path, **words, u="bad", v="fatal")
    outcomes = import_files(store, items([folder]), read=reader.read, workers=2)
    assert fates(outcomes) == {**dict.fromkeys(words, "added"), "u": "unread", "v": "unread"}
    assert store.bytes_of("v") == b"fatal"
    with Store.open(tmp_path / "one.sqlite") as other:
        (folder / "v").unlink()
        import_files(other, items([folder])[::-1], read=reader.read, workers=1)
        assert [entry for entry in store.entries() if entry.name != "v"] == list(other.entries())
        assert [store.text(name) for name in words] == [other.text(name) for name in words]


@pytest.mark.slow
@pytest.mark.usefixtures("many")
def test_a_file_that_takes_for_ever_stops_nothing(
    tmp_path: Path, store: Store, reader: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "_LEAST", 1.5)
    words = {f"t{i:02}": "賓主" * (i + 1) for i in range(6)}
    # An expression that nothing but its process's end stops: it lets no other thread of Python run.
    folder = folder_with(tmp_path, **words, a="endless")
    outcomes = import_files(store, items([folder]), read=reader.read, workers=2)
    assert fates(outcomes) == {**dict.fromkeys(words, "added"), "a": "unread"}
    assert outcomes[0].told == "too-slow: it was not done within 2 s"
    assert store.bytes_of("a") == b"endless"
    assert store.entry("a").reason == outcomes[0].told


def test_how_long_a_file_may_take_goes_by_its_size(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, a="a" * 1_000_000)
    few, many, none = (library._patience(library.Item("x", str(path))) for path in (folder, folder / "a", folder / "b"))
    assert few == none == 60
    assert many == 65


@pytest.mark.slow
def test_the_same_code_on_a_cluster_that_is_there(
    tmp_path: Path, store: Store, reader: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr("yanli.corpus.search.SEGMENT", 8)
    folder = folder_with(tmp_path, a="賓主人", b="主人賓賓", c="介賓介介")
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address="127.0.0.1:0") as local:
        address = local.scheduler_address
        outcomes = import_files(store, items([folder]), read=reader.read, scheduler=address)
        assert fates(outcomes) == {"a": "added", "b": "added", "c": "added"}
        assert len(index_all(store, scheduler=address)) == 2
    with Index.open(store) as index:
        assert index.search(Query(words="賓")).total == 4


@pytest.mark.parametrize("workers", [1, 2])
def test_a_work_that_is_damaged_in_the_store_is_left_out_of_the_index(
    tmp_path: Path, store: Store, reader: ModuleType, monkeypatch: pytest.MonkeyPatch, *, workers: int
) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda _: None)
    monkeypatch.setattr("yanli.corpus.search.SEGMENT", 8)
    folder = folder_with(tmp_path, a="賓主人", b="主人賓賓", c="介賓介介")
    import_files(store, items([folder]), read=reader.read)
    store._base.execute("UPDATE part SET packed = x'00' WHERE name = 'b'")
    told: list[tuple[int, int]] = []
    built = index_all(store, workers=workers, progress=lambda done, of: told.append((done, of)))
    assert told == [(len(built) - 1, len(built)), (len(built), len(built))][-len(told) :]
    with Index.open(store) as index:
        assert index.built == built, "nothing is built again for what cannot be read"
        found = index.search(Query(words="賓"))
    assert [hit.name for hit in found.hits] == ["a", "c"]
    assert found.left_out == ("b",)


def test_search_itself_looks_where_it_can_when_a_work_is_damaged(
    tmp_path: Path, store: Store, reader: ModuleType
) -> None:
    folder = folder_with(tmp_path, a="賓主人", b="主人賓賓")
    import_files(store, items([folder]), read=reader.read)
    store._base.execute("UPDATE part SET packed = x'00' WHERE name = 'b'")
    with Index.open(store) as index:
        assert [hit.name for hit in index.search(Query(words="賓")).hits] == ["a"]
        assert search_regex(index, Query(words="賓.")).left_out == ("b",)
    import_files(store, items([folder]), read=reader.read, replace=True)
    with Index.open(store) as index:
        found = index.search(Query(words="賓"))
    assert ([hit.name for hit in found.hits], found.left_out) == (["a", "b", "b"], ())


def test_what_was_proposed_comes_in_again_with_the_text(tmp_path: Path, store: Store) -> None:
    words = "主人戒賓\n賓禮辭許\n"
    (tmp_path / "one").write_text(words, encoding="utf-8")
    import_files(store, items([tmp_path / "one"]), read=read_file)
    settled = Proposal(
        start=2, end=3, found="戒", emended="式", method="m", evidence="e", certain=False, author="甲", rejected=True,
        reviewer="乙", reason="非也",
    )  # fmt: skip
    accepted = Proposal(
        start=4, end=4, found="", emended="也", method="m", evidence="e", certain=True, author="甲", accepted=True,
        reviewer="乙", reason="是也",
    )  # fmt: skip
    store.propose("one", [settled, accepted])
    document = to_tei(store.text("one"), (), store.proposals("one"))
    (tmp_path / "one.xml").write_text(document, encoding="utf-8")
    import_files(store, items([tmp_path / "one.xml"]), read=read_file)
    assert store.text("one.xml").text == words
    assert store.proposals("one.xml") == (settled, accepted)
    # Read as another kind of file its places are others, and nothing is said of them.
    (tmp_path / "two.xml").write_text(document, encoding="utf-8")
    import_files(store, items([tmp_path / "two.xml"]), read=read_text)
    assert store.proposals("two.xml") == ()


def test_without_a_cluster_at_the_address(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda _: None)
    with pytest.raises(RiteError, match="needs Dask"):
        import_files(store, [], scheduler="tcp://127.0.0.1:9")


def test_a_killed_import_goes_on(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, **{f"t{i:03}": f"賓主{i}" * 3000 for i in range(60)})
    script = textwrap.dedent("""
        import sys
        from pathlib import Path
        from yanli.corpus.library import import_files, items
        from yanli.corpus.store import Store
        with Store.open(Path(sys.argv[1])) as store:
            import_files(store, items([Path(sys.argv[2])]), workers=1,
                         progress=lambda done, of, last: print(done, flush=True))
    """)
    path = tmp_path / "k.sqlite"
    command = [sys.executable, "-c", script, str(path), str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if int(line) == 10:
                process.kill()
                break
    with Store.open(path) as store:
        before = store.names()
        assert len(before) >= 10
        for name in before:
            assert store.bytes_of(name) == (folder / name).read_bytes()
        outcomes = import_files(store, items([folder]), workers=1)
        assert sorted(name for name, fate in fates(outcomes).items() if fate == "there") == sorted(before)
        assert {fate for name, fate in fates(outcomes).items() if name not in before} <= {"added"}
        assert len(store.names()) == 60


def test_everything_that_the_project_was_made_from(store: Store) -> None:
    shared = Path(__file__).resolve().parents[3] / "shared"
    folders = [shared / "sources", shared / "witnesses"]
    paths = sorted(path for folder in folders for path in folder.glob("*.txt"))
    if not paths:
        pytest.skip(f"{shared} is not here: this test needs the texts that the project was made from")
    outcomes = import_files(store, items(paths), workers=1)
    assert {outcome.fate for outcome in outcomes} == {"added"}
    for path in paths:
        assert store.bytes_of(path.name) == path.read_bytes()
        text: Text = store.text(path.name)
        assert text == read_text(path.read_bytes(), path.name)
        assert sum(text.shares().values()) == len(text.text), "nothing is unassigned"
