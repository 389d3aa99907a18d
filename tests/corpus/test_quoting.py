"""One work's passages in all others, and of all works in all: the same however many processes, whatever stops it."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from yanli.corpus import cluster, quoting
from yanli.corpus.model import Layer, Piece, Text
from yanli.corpus.quote import quotations
from yanli.corpus.quoted import COLUMNS, Sides, prepared, quoted, quoted_csv
from yanli.corpus.quoting import Options, Pair, Table, quote_all, quotes_of
from yanli.corpus.segment import read_text
from yanli.corpus.store import Store, pack, pack_unread
from yanli.errors import RiteError

ALL = "".join(chr(code) for code in range(0x5000, 0x5400))
# What each work has of ALL: the second quotes the first and the fourth, the third nobody.
WORKS = {"乙": ALL[0:20] + ALL[500:512] + ALL[300:312], "丁": ALL[100:140], "丙/一": ALL[295:330], "甲": ALL[0:40]}
RITES: dict[str, list[tuple[str, str]]] = {}


def put(store: Store, name: str, words: str) -> None:
    """Put words into the store, canon all of them."""
    pieces = (Piece(start=0, end=len(words), layer=Layer.canon, line=1),)
    text = Text(
        name=name, title=name, family="plain", text=words, encoding="utf-8", pieces=pieces, remarks=(), faults=()
    )
    store.add(pack(words.encode(), text), replace=True)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "s") as made:
        for name, words in WORKS.items():
            put(made, name, words)
        yield made


def places(pairs: Iterator[Pair]) -> list[tuple[str, int, int, int, int]]:
    """In which work, from where to where, and where there."""
    return [(p.other, q.one.start, q.one.end, q.other.start, q.other.end) for p in pairs for q in p.passages]


EXPECTED = [("丙/一", 32, 44, 5, 17), ("甲", 0, 20, 0, 20)]


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_the_passages_of_a_work_in_all_others(store: Store) -> None:
    assert places(quotes_of(store, "乙", RITES)) == EXPECTED
    assert places(quotes_of(store, "丁", RITES)) == []
    assert places(quotes_of(store, "乙", RITES, Options(least=13))) == EXPECTED[1:]
    assert places(quotes_of(store, "乙", RITES, Options(layers=(Layer.note,)))) == []
    with pytest.raises(RiteError, match="has no work"):
        list(quotes_of(store, "戊", RITES))


def test_lots_and_processes_change_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quoting, "_LOT_WORKS", 1)
    assert places(quotes_of(store, "乙", RITES)) == EXPECTED
    monkeypatch.setattr(cluster, "find_spec", lambda _: None)
    monkeypatch.setattr(quoting, "_FEW", 0)
    assert places(quotes_of(store, "乙", RITES, workers=2)) == EXPECTED


def test_a_work_that_cannot_be_read_is_told_and_stops_nothing(store: Store, tmp_path: Path) -> None:
    store.add(pack_unread(b"y", "戊", "why"))
    store._base.execute("UPDATE part SET packed = x'00' WHERE name = '丁'")
    told = {pair.other: pair.told for pair in quotes_of(store, "乙", RITES) if pair.told}
    assert set(told) == {"丁", "戊"}
    assert "is damaged" in told["丁"]
    assert places(quotes_of(store, "乙", RITES)) == EXPECTED
    with pytest.raises(RiteError, match="is damaged"):
        list(quotes_of(store, "丁", RITES))
    tables = {table.name: table for table in quote_all(store, tmp_path / "q", RITES)}
    assert {name for name, table in tables.items() if table.told} == {"丁", "戊"}
    assert not (tmp_path / "q" / "丁.csv").exists()
    assert tables["乙"].passages == 2


@pytest.mark.parametrize("lot", [1, 64])
def test_all_works_in_all_others_have_a_table_each(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lot: int
) -> None:
    monkeypatch.setattr(quoting, "_LOT_WORKS", lot)
    folder = tmp_path / "q"
    found = list(quote_all(store, folder, RITES))
    assert [(each.name, each.passages, each.works) for each in found] == [
        ("丁", 0, 0), ("丙/一", 1, 1), ("乙", 2, 2), ("甲", 1, 1),
    ]  # fmt: skip
    assert sorted(path.name for path in folder.iterdir()) == [
        "quotes.json",
        "丁.csv",
        "丙%2F一.csv",
        "乙.csv",
        "甲.csv",
    ]
    held = rows(folder / "乙.csv")
    assert list(held[0]) == list(COLUMNS)
    assert [(row["source_work"], int(row["start"]), int(row["source_start"])) for row in held] == [
        ("丙/一", 32, 5), ("甲", 0, 0),
    ]  # fmt: skip
    assert held[1]["words"] == held[1]["source_words"] == ALL[:20]
    assert rows(folder / "丁.csv") == []
    # Again: what is there is passed over; what was taken away is made again, and only that.
    (folder / "甲.csv").unlink()
    again = list(quote_all(store, folder, RITES))
    assert {each.name for each in again if not each.there} == {"甲"}
    assert [row["source_work"] for row in rows(folder / "甲.csv")] == ["乙"]


def test_a_folder_of_other_quotations_is_left_alone(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "q"
    list(quote_all(store, folder, RITES))
    before = (folder / "乙.csv").read_bytes()
    with pytest.raises(RiteError, match="name another folder"):
        list(quote_all(store, folder, RITES, Options(least=9)))
    put(store, "戊", ALL[0:10])
    with pytest.raises(RiteError, match="name another folder"):
        list(quote_all(store, folder, RITES))
    assert (folder / "乙.csv").read_bytes() == before
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(RiteError, match="file"):
        list(quote_all(store, tmp_path / "file", RITES))


def test_what_a_work_is_called_may_be_no_name_for_a_file(store: Store, tmp_path: Path) -> None:
    long = "長" * 300
    for name in (".hidden", 'a:"b', long + "一", long + "二"):
        put(store, name, ALL[0:10])
    list(quote_all(store, tmp_path / "q", RITES))
    files = {path.name for path in (tmp_path / "q").iterdir()}
    assert {"%2Ehidden.csv", "a%3A%22b.csv"} <= files
    assert len(files) == 1 + len(WORKS) + 4
    assert all(len(os.fsencode(name)) < 250 for name in files)


def test_a_killed_search_loses_no_table(tmp_path: Path) -> None:
    path, folder = tmp_path / "k", tmp_path / "q"
    with Store.open(path) as store:
        for number in range(40):
            put(store, f"w{number:02}", ALL[number : number + 30])
    script = textwrap.dedent("""
        import sys
        from pathlib import Path
        from yanli.corpus import quoting
        from yanli.corpus.store import Store
        quoting._LOT_WORKS = 4
        with Store.open(Path(sys.argv[1])) as store:
            for each in quoting.quote_all(store, Path(sys.argv[2]), {}, workers=1):
                print(each.name, flush=True)
    """)
    command = [sys.executable, "-c", script, str(path), str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told: list[str] = []
        for line in process.stdout:
            told.append(line.strip())
            if len(told) == 10:
                process.kill()
                break
    there = {file.stem: file.stat().st_mtime_ns for file in folder.glob("*.csv")}
    assert set(told) <= set(there)
    assert len(there) < 40, "it was not killed in time"
    with Store.open(path) as store:
        again = {each.name: each for each in quote_all(store, folder, RITES)}
        assert {name for name, each in again.items() if each.there} == set(there)
        assert {file.stem: file.stat().st_mtime_ns for file in folder.glob("*.csv") if file.stem in there} == there
        for name in store.names():
            number = int(name[1:])
            # Those that have at least eight characters with it, all others but itself.
            near = [f"w{other:02}" for other in range(40) if other != number and abs(other - number) <= 22]
            assert [row["source_work"] for row in rows(folder / f"{name}.csv")] == near
        assert not list(folder.glob("*.part"))


def test_a_job_that_fails_is_told_with_its_works(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError("no such thing")

    monkeypatch.setattr(quoting, "index", fails)
    tables: list[Table] = list(quote_all(store, tmp_path / "q", RITES))
    assert {table.told for table in tables} == {"ZeroDivisionError: no such thing"}
    assert {path.name for path in (tmp_path / "q").iterdir()} == {"quotes.json"}
    assert msgspec.json.decode((tmp_path / "q" / "quotes.json").read_bytes(), type=dict[str, object])["works"] == 4


def test_only_words_of_the_layer_that_was_sought_are_shown() -> None:
    canon = "主人坐取爵于上篚以降賓降主人阼階前西面坐奠爵興辭降"
    one = read_text("主人坐取爵于上篚以降（將獻賓也）賓降（從主人也）主人阼階前西面坐奠爵興辭降".encode(), "一")
    other = read_text(canon.encode(), "二")
    (canon_lot, _), (other_lot, _) = (prepared(text, (), (), {}) for text in (one, other))
    (both,) = quoted(quotations(canon_lot, [other_lot]), Sides(one), Sides(other))
    assert both.one.words == "主人坐取爵于上篚以降｜賓降｜主人阼階前西面坐奠爵興辭降"
    assert both.other.words == canon
    # Offsets are those of the work, with all that stands between.
    assert (both.one.start, both.one.end) == (0, len(one.text))
    # Nor has a note the canon between it and the next; where both are sought together nothing is left out.
    notes = Sides(one, (Layer.note,)).side(one.text.index("將"), one.text.index("從主人也") + 4)
    assert notes.words == "將獻賓也｜從主人也"
    whole = Sides(one, (Layer.canon, Layer.note)).side(0, len(one.text))
    assert whole.words == "主人坐取爵于上篚以降將獻賓也賓降從主人也主人阼階前西面坐奠爵興辭降"
    assert ",主人坐取爵于上篚以降｜賓降｜主人阼階前西面坐奠爵興辭降," in quoted_csv([both])
