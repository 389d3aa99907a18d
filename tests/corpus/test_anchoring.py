"""Works are anchored one by one, whatever stops it; what refers to another place is anchored there too."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from yanli.corpus import anchoring, cluster
from yanli.corpus.anchoring import Result, Rites, anchor_works, anchors_of, rites_of
from yanli.corpus.model import Anchor
from yanli.corpus.segment import read_text
from yanli.corpus.store import Store, pack, pack_unread
from yanli.notation.rite import list_rites, load_rite

CLAUSES = [
    ("one.1.1", "主人坐取爵于上篚以降"), ("one.1.2", "賓降"), ("one.1.3", "主人阼階前西面坐奠爵興辭降"),
    ("one.1.4", "賓對"), ("one.1.5", "主人坐取爵興適洗南面坐奠爵于篚下"), ("one.1.6", "盥洗"),
]  # fmt: skip
OTHER = [("two.1.1", "司馬命獲者執旌以負侯"), ("two.1.2", "獲者許諾聲不絕以至于乏")]
COPY = """五禮通考 (四庫全書本)/卷162

　　主人坐取爵于上篚以降〈注將獻賓也〉賓降〈注從主人也〉主人阼階前西面坐奠爵興辭降〈注重以主人事煩賓也〉賓對
　　主人坐取爵興適洗南面坐奠爵于篚下盥洗〈注盥手又洗爵{}〉
"""
RITES = rites_of({"one": CLAUSES, "two": OTHER}, {"one": "甲乙禮", "two": "丙丁禮"})


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store of five works alike."""
    with Store.open(tmp_path / "s") as made:
        for number in range(5):
            put(made, f"w{number}", "")
        yield made


def put(store: Store, name: str, more: str) -> None:
    """Put a copy into the store; ``more`` is said at its end."""
    data = COPY.format(more).encode()
    store.add(pack(data, read_text(data, name, family="inline")), replace=True)


def names(results: Iterator[Result], *, there: bool) -> list[str]:
    return [each.name for each in results if each.there is there]


def test_what_was_anchored_so_before_is_passed_over(store: Store) -> None:
    every = store.names()
    assert names(anchor_works(store, every, RITES), there=False) == list(every)
    before = {name: store.anchors(name) for name in every}
    assert all(len(anchors) == 4 for anchors in before.values())
    assert names(anchor_works(store, every, RITES), there=True) == list(every)
    # Another reading of the bytes, other clauses, or when it is asked for.
    put(store, "w3", "上經云主人坐取爵于上篚以降")
    assert names(anchor_works(store, every, RITES), there=False) == ["w3"]
    other = rites_of({"one": CLAUSES[:-1], "two": OTHER})
    assert names(anchor_works(store, every, other), there=False) == list(every)
    assert names(anchor_works(store, every[:2], other, anew=True), there=False) == list(every[:2])


def test_a_reference_is_an_anchor_beside_the_remarks_own(store: Store) -> None:
    put(store, "w1", "上經云主人坐取爵于上篚以降丙丁禮曰司馬命獲者執旌以負侯")
    told = {each.name: (each.anchors, each.references) for each in anchor_works(store, store.names(), RITES)}
    assert told["w1"] == (4, 2)
    assert told["w0"] == (4, 0)
    assert store.counts()["w1"].anchored == 4, "it is remarks that are counted"
    last = [each for each in store.anchors("w1") if each.remark == 3]
    ((own, *others),) = [[each for each in last if each.rite == "one"]]
    assert (own.first, own.last, own.how) != ("one.1.1", "one.1.1", "reference")
    assert [(each.first, each.how) for each in others] == [("one.1.1", "reference")]
    assert others[0].confidence < own.confidence
    (there,) = [each for each in last if each.rite == "two"]
    assert (there.first, there.how) == ("two.1.1", "reference")


def test_one_bad_work_stops_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store._base.execute("UPDATE part SET packed = x'00' WHERE name = 'w1'")
    store.add(pack_unread(b"y", "w2a", "why"))
    found = {each.name: each for each in anchor_works(store, store.names(), RITES)}
    assert set(found) == {"w0", "w1", "w2", "w3", "w4"}, "what could not be read has nothing to be anchored"
    assert "is damaged" in found["w1"].told
    assert [name for name, each in found.items() if each.anchors == 4] == ["w0", "w2", "w3", "w4"]

    def fails(*_: object) -> None:
        raise ZeroDivisionError("no such thing")

    monkeypatch.setattr(anchoring, "belonging", fails)
    assert [each.told for each in anchor_works(store, ["w4"], RITES, anew=True)] == ["ZeroDivisionError: no such thing"]
    assert len(store.anchors("w4")) == 4, "what was there stays"


def test_processes_anchor_as_this_one_does(tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda _: None)
    monkeypatch.setattr(anchoring, "_FEW", 0)
    order = ["w4", "w0", "w3", "w1", "w2"]
    found = list(anchor_works(store, order, RITES, workers=2))
    assert [each.name for each in found] == order
    with Store.open(tmp_path / "one") as other:
        for number in range(5):
            put(other, f"w{number}", "")
        assert sorted(anchor_works(other, other.names(), RITES, workers=1), key=name_of) == sorted(found, key=name_of)
        assert {name: store.anchors(name) for name in order} == {name: other.anchors(name) for name in order}
        assert store.marks() == other.marks()


def ends(job: Any) -> Any:  # noqa: ANN401 - what the module has for itself
    """Anchor works as the module does; one of them ends its process."""
    if any(work.entry.name == "w2" for work in job.works):
        os._exit(3)
    return ANCHORED(job)


ANCHORED = anchoring._anchored


def test_of_works_that_go_together_only_the_one_that_ends_its_process_fails(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda _: None)
    monkeypatch.setattr(anchoring, "_FEW", 0)
    monkeypatch.setattr(anchoring, "_anchored", ends)
    found = list(anchor_works(store, store.names(), RITES, workers=2))
    assert [each.name for each in found] == list(store.names())
    assert [each.name for each in found if each.told] == ["w2"]
    assert [len(store.anchors(name)) for name in store.names()] == [4, 4, 0, 4, 4]


def name_of(result: Result) -> str:
    return result.name


def test_a_killed_anchoring_loses_no_finished_work(tmp_path: Path) -> None:
    path = tmp_path / "k.sqlite"
    with Store.open(path) as store:
        for number in range(60):
            put(store, f"w{number:02}", "")
    (tmp_path / "rites").write_bytes(msgspec.msgpack.encode(RITES))
    script = textwrap.dedent("""
        import sys
        from pathlib import Path
        import msgspec
        from yanli.corpus.anchoring import Rites, anchor_works
        from yanli.corpus.store import Store
        if __name__ == "__main__":
            rites = msgspec.msgpack.decode(Path(sys.argv[2]).read_bytes(), type=Rites)
            with Store.open(Path(sys.argv[1])) as store:
                for each in anchor_works(store, store.names(), rites, workers=1):
                    print(each.name, each.there, flush=True)
    """)
    (tmp_path / "anchors.py").write_text(script, encoding="utf-8")
    command = [sys.executable, str(tmp_path / "anchors.py"), str(path), str(tmp_path / "rites")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told: list[str] = []
        for line in process.stdout:
            told.append(line.split()[0])
            if len(told) == 10:
                process.kill()
                break
    with Store.open(path) as store:
        done = [name for name, mark in store.marks().items() if mark]
        assert set(told) <= set(done)
        assert len(done) < 60, "it was not killed in time"
        # A work is anchored as a whole or not at all.
        assert all(len(store.anchors(name)) == (4 if name in done else 0) for name in store.names())
        again = list(anchor_works(store, store.names(), RITES, workers=1))
        assert {each.name for each in again if each.there} == set(done)
        assert all(len(store.anchors(name)) == 4 for name in store.names())


@pytest.fixture(scope="module")
def rites() -> Rites:
    heads = list_rites()
    clauses = {head.slug: [(str(one.id), one.text) for one in load_rite(head.slug).clauses] for head in heads}
    return rites_of(clauses, {head.slug: head.name for head in heads})


def test_a_name_too_short_to_be_a_name_leads_nowhere(rites: Rites) -> None:
    assert rites.called["鄉射"] == "xiangshe"
    assert "聘" not in rites.called


@pytest.mark.parametrize(
    ("words", "rite", "clause"),
    [
        # On 橫委其餘: the note on 大射 says what the other rite of archery has of it.
        ("先猶前也命大史而小臣師設之", "xiangshe", "橫委其餘于中西南末"),
        ("庶子司馬之屬掌正六牲之體者也", "xiangshe", "賓俎脊脅肩肺"),
        ("量人司馬之屬", "xiangshe", "侯道五十弓"),
        ("中未設也", "xiangshe", "釋獲者坐設中"),
    ],
)
def test_a_note_on_one_rite_leads_to_the_words_of_another_that_it_quotes(
    shared: Callable[..., Path], rites: Rites, words: str, rite: str, clause: str
) -> None:
    path = shared("witnesses", "KR1d0038_007.txt")
    text = read_text(path.read_bytes(), path.name)
    remark = next(each for each in text.remarks if each.text.startswith(words))
    found = anchors_of(text, rites)
    there = [each for each in found[rite] if each.remark == remark.number]
    said = dict(rites.clauses[rite])
    assert [(said[each.first], each.how) for each in there] == [(clause, "reference")]
    own: list[Anchor] = [each for each in found["dashe"] if each.remark == remark.number and each.how != "reference"]
    assert len(own) == 1
    assert there[0].confidence < 0.95


def test_a_remark_on_two_rites_counts_once_wherever_it_is_counted(store: Store) -> None:
    # The same clauses are in both rites: each of the four remarks has an anchor to either.
    both = rites_of({"one": CLAUSES, "two": [(clause.replace("one", "two"), words) for clause, words in CLAUSES]})
    told = {each.name: each.anchors for each in anchor_works(store, store.names(), both)}
    assert {anchor.rite for anchor in store.anchors("w0")} == {"one", "two"}
    assert len(store.anchors("w0")) == 8
    assert told["w0"] == store.counts()["w0"].anchored == 4


def test_a_remark_that_only_refers_is_not_anchored(store: Store) -> None:
    refers = Anchor(remark=0, rite="one", first="one.1.1", last="one.1.1", confidence=0.5, how="reference")
    own = msgspec.structs.replace(refers, remark=1, how="position")
    store.anchor("w0", {"one": [refers, own]})
    assert store.counts()["w0"].anchored == 1
