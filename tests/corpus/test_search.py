"""Search finds all of what a plain look at every text finds, in the same order, and nothing else."""

from __future__ import annotations

import os
import re
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Protocol

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from yanli.corpus import index as index_module
from yanli.corpus import indexing as indexing_module
from yanli.corpus import matching
from yanli.corpus import search as search_module
from yanli.corpus import units as units_module
from yanli.corpus.folding import fold_search, folded, is_word, words_of
from yanli.corpus.index import edition_of
from yanli.corpus.matching import needed, search_regex
from yanli.corpus.model import Layer, Piece, Text
from yanli.corpus.search import Found, Index, Query, folder_of
from yanli.corpus.segment import read_text
from yanli.corpus.spelling import FoldTable, folds
from yanli.corpus.store import Store, pack
from yanli.corpus.units import LAYERS
from yanli.errors import RiteError

Part = tuple[Layer, str, str | None, int | None]


def text_of(name: str, *parts: Part) -> Text:
    """A text of these pieces: layer, words, speaker, remark."""
    pieces = []
    at = 0
    for layer, words, speaker, remark in parts:
        end = at + len(words)
        pieces.append(Piece(start=at, end=end, layer=layer, line=1, speaker=speaker, remark=remark))
        at = end
    whole = "".join(words for _, words, _, _ in parts)
    return Text(
        name=name, title="", family="", text=whole, encoding="utf-8", pieces=tuple(pieces), remarks=(), faults=()
    )


def canon(words: str) -> Part:
    return Layer.canon, words, None, None


def note(words: str, number: int, speaker: str = "鄭玄") -> Part:
    return Layer.note, words, speaker, number


def sign(words: str) -> Part:
    return Layer.sign, words, None, None


class Opener(Protocol):
    def __call__(self, *texts: Text) -> Index: ...


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opener]:
    store = Store.open(tmp_path / "c.sqlite")
    indexes: list[Index] = []

    def make(*texts: Text) -> Index:
        for text in texts:
            store.add(pack(text.text.encode("utf-8", "surrogatepass"), text))
        indexes.append(Index.open(store))
        return indexes[-1]

    yield make
    for index in indexes:
        index.close()
    store.close()


def found(index: Index, words: str, *, limit: int = 1000, **more: object) -> list[tuple[str, int, int, str]]:
    answer = index.search(Query(words=words, limit=limit, **more))  # type: ignore[arg-type]
    return [(hit.name, hit.start, hit.end, hit.words) for hit in answer.hits]


# Folding


def test_folding_goes_both_ways() -> None:
    for same in ("賓賔宾", "于於", "爲為为", "鄉鄕乡", "冪幂", "Ａa", "後后", "\uf900豈岂"[1:], "禮礼", "戶户戸"):
        assert len(set(fold_search(same))) == 1, same


def test_folding_twice_changes_nothing_and_keeps_the_length() -> None:
    every = "".join(map(chr, [*range(0x20, 0x3400), *range(0x3400, 0xD800), *range(0xF900, 0x30000)]))
    once = fold_search(every)
    assert len(once) == len(every)
    unstable = [c for c, d in zip(once, fold_search(once), strict=True) if c != d]
    assert not unstable
    assert folded("賔") == {"賔": "宾"}


def test_what_counts() -> None:
    assert words_of("主人，〈□■\u3000𠀀\ue000\n\ud800&KR1;a\x00") == "主人□■𠀀\ue000KR1a"
    assert not is_word("\u200d")


# By hand


def test_canon_is_joined_over_notes_and_remarks_are_kept_apart(opened: Opener) -> None:
    index = opened(
        text_of(
            "甲", canon("主人戒"), note("（戒，警也", 0), sign("¶\n"), note("賓）", 0), canon("賓。"), note("賓拜", 1)
        ),
        text_of("乙", canon("賓"), note("也賓", 0)),
    )
    assert found(index, "戒賓") == [("甲", 2, 13, "戒賓")], "over the note"
    assert found(index, "也賓") == [("乙", 1, 3, "也賓"), ("甲", 7, 11, "也賓")], "over the cut line"
    assert found(index, "賓賓") == []
    assert found(index, "賓拜") == [("甲", 14, 16, "賓拜")]
    # Canon before notes, then by work, then by place: 乙 (U+4E59) stands before 甲 (U+7532).
    assert found(index, "賓") == [
        ("乙", 0, 1, "賓"), ("甲", 12, 13, "賓"), ("乙", 2, 3, "賓"), ("甲", 10, 11, "賓"), ("甲", 14, 15, "賓"),
    ]  # fmt: skip
    hit = index.search(Query(words="警", context=3)).hits[0]
    assert (hit.before, hit.words, hit.after, hit.speaker, hit.remark) == ("戒", "警", "也賓", "鄭玄", 0)


def test_as_written_comes_first(opened: Opener) -> None:
    index = opened(text_of("甲", canon("賔主宾賓賓")))
    assert found(index, "賓") == [
        ("甲", 3, 4, "賓"), ("甲", 4, 5, "賓"), ("甲", 0, 1, "賔"), ("甲", 2, 3, "宾"),
    ]  # fmt: skip
    assert found(index, "宾")[0] == ("甲", 2, 3, "宾")
    assert found(index, "賓", as_written=True) == [("甲", 3, 4, "賓"), ("甲", 4, 5, "賓")]
    answer = index.search(Query(words="賓", limit=2, skip=1))
    assert ([hit.start for hit in answer.hits], answer.total) == ([4, 0], 4)
    assert [hit.exact for hit in answer.hits] == [True, False]


def test_any_character_and_any_length(opened: Opener) -> None:
    long = "".join(chr(0x4E00 + i % 700) for i in range(400))
    index = opened(text_of("甲", canon(f"𠀀□\ue123&KR0764;{long}A")))
    assert found(index, "𠀀") == [("甲", 0, 1, "𠀀")]
    assert found(index, "□") == [("甲", 1, 2, "□")]
    assert found(index, "\ue123") == [("甲", 2, 3, "\ue123")]
    assert found(index, "&KR0764;") == [("甲", 4, 10, "KR0764")]
    assert found(index, long[:256]) == [("甲", 11, 267, long[:256])]
    assert found(index, long[5:14]) == [("甲", 16, 25, long[5:14])]
    assert found(index, "龘") == found(index, "𪛖") == []
    for bad in ("", " ，\n", long[:257]):
        with pytest.raises(RiteError) as error:
            index.search(Query(words=bad))
        assert error.value.findings[0].code == "bad-query"


def test_more_different_characters_than_a_segment_numbers(tmp_path: Path) -> None:
    every = "".join(map(chr, [*range(0x3400, 0xD800), *range(0xF0000, 0x100000)]))
    count = sum(map(is_word, every))
    assert count > 0x10000
    texts = [text_of(f"{i}", canon(every[i * 100 :] + "賓主")) for i in range(3)]
    texts += [text_of(f"{i}", canon("賓主")) for i in range(3, 12)]
    with Store.open(tmp_path / "c.sqlite") as store:
        for text in texts:
            store.add(pack(text.text.encode(), text))
        with Index.open(store) as index:
            for character in (every[300], every[40000], every[-1]):
                assert [name for name, *_ in found(index, character)] == ["0", "1", "2"], hex(ord(character))
            for start in (300, 0xD000 - 0x3400, len(every) - 250):
                words = words_of(every[start : start + 250])
                assert [name for name, *_ in found(index, words, as_written=True)] == ["0", "1", "2"], start
            assert len(found(index, "賓主")) == 12
            built = index.built
        made = [path.stat().st_mtime_ns for path in sorted(folder_of(store).iterdir())]
        with Index.open(store) as index:
            assert index.built == built
        assert [path.stat().st_mtime_ns for path in sorted(folder_of(store).iterdir())] == made, "nothing is made again"


def test_by_layer_work_speaker_and_remarks(opened: Opener) -> None:
    index = opened(
        text_of("甲", canon("賓"), note("賓", 0), note("賓賓", 1, "馬融")),
        text_of("乙", canon("賓"), note("賓", 7, "馬融")),
    )
    assert found(index, "賓", layers=(Layer.canon,)) == [("乙", 0, 1, "賓"), ("甲", 0, 1, "賓")]
    assert found(index, "賓", works=("甲",), layers=(Layer.note,)) == [
        ("甲", 1, 2, "賓"), ("甲", 2, 3, "賓"), ("甲", 3, 4, "賓"),
    ]  # fmt: skip
    assert found(index, "賓", speaker="馬融") == [("乙", 1, 2, "賓"), ("甲", 2, 3, "賓"), ("甲", 3, 4, "賓")]
    assert found(index, "賓", speaker="馬") == []
    assert found(index, "賓", remarks=frozenset({("甲", 0), ("乙", 7)})) == [("乙", 1, 2, "賓"), ("甲", 1, 2, "賓")]
    assert found(index, "賓", remarks=frozenset()) == []


# Against a plain look at everything

LETTERS = "賓賔宾主人，\n拜𠀀"
PARTS = st.lists(
    st.tuples(
        st.sampled_from([Layer.canon, Layer.note, Layer.sign, Layer.remark]),
        st.text(LETTERS, min_size=1, max_size=12),
        st.sampled_from(["鄭玄", "敖繼公"]),
    ),
    max_size=8,
)


def text_from(name: str, parts: list[tuple[Layer, str, str]]) -> Text:
    """Every remark has a number of its own; canon and signs have none."""
    bare = (Layer.canon, Layer.sign)
    return text_of(
        name,
        *(
            (layer, w, None if layer in bare else s, None if layer in bare else i)
            for i, (layer, w, s) in enumerate(parts)
        ),
    )


def looked_up(texts: Sequence[Text], words: str, keep: Callable[[Piece], bool]) -> list[tuple[str, int, int, str]]:
    """What a plain look finds, in the order of hits."""
    rows = []
    for text in texts:
        joined: dict[object, list[int]] = {}
        of: dict[object, Piece] = {}
        for piece in text.pieces:
            if piece.layer is not Layer.sign:
                key: object = (piece.layer, piece.remark)
                of[key] = piece
                joined.setdefault(key, []).extend(
                    i for i in range(piece.start, piece.end) if unicodedata.category(text.text[i])[0] not in "PZC"
                )
        for key, offsets in joined.items():
            for i in range(len(offsets) - len(words) + 1):
                there = "".join(text.text[at] for at in offsets[i : i + len(words)])
                if there.translate(PLAIN) == words.translate(PLAIN) and keep(of[key]):
                    layer = LAYERS.index(of[key].layer)
                    rows.append((there != words, layer, text.name, offsets[i], offsets[i + len(words) - 1] + 1, there))
    return [(name, start, end, there) for _, _, name, start, end, there in sorted(rows)]


PLAIN = {ord("賔"): "賓", ord("宾"): "賓"}


@pytest.mark.parametrize(
    ("few", "chunk", "segment"), [(256, 1 << 10, 1 << 22), (0, 3, 1 << 22), (1, 2, 20), (0, 1, 16), (256, 9, 16)]
)
@given(texts=st.lists(PARTS, min_size=1, max_size=5), words=st.text("賓賔宾主人拜𠀀", min_size=1, max_size=11))
@settings(max_examples=12, deadline=None)
def test_it_finds_what_a_plain_look_finds(
    tmp_path_factory: pytest.TempPathFactory,
    few: int, chunk: int, segment: int,
    texts: list[list[tuple[Layer, str, str]]], words: str,
) -> None:  # fmt: skip
    every = [text_from(f"{i}", parts) for i, parts in enumerate(texts)]
    with pytest.MonkeyPatch.context() as patch, Store.open(tmp_path_factory.mktemp("s") / "c.sqlite") as store:
        patch.setattr(index_module, "_FEW", few)
        patch.setattr(index_module, "_CHUNK", chunk)
        patch.setattr(units_module, "OVERLAP", 4)
        patch.setattr(search_module, "SEGMENT", segment)
        for text in every:
            store.add(pack(text.text.encode(), text))
        with Index.open(store) as index:
            # Where long texts are cut, only so much is asked for as stands on both sides.
            asked = (words[: 11 if segment > 100 else 4], words[:1], words[:2])
            for each in asked:
                assert found(index, each) == looked_up(every, each, lambda _: True)
                assert found(index, each, layers=(Layer.note,)) == looked_up(
                    every, each, lambda p: p.layer is Layer.note
                )
                assert found(index, each, speaker="鄭玄") == looked_up(every, each, lambda p: p.speaker == "鄭玄")
                assert found(index, each, works=("1",)) == looked_up(every[1:2], each, lambda _: True)
                whole = looked_up(every, each, lambda _: True)
                assert found(index, each, limit=3, skip=2) == whole[2:5]


# The index and the store


def test_the_index_follows_the_store(tmp_path: Path) -> None:
    with Store.open(tmp_path / "c.sqlite") as store:
        assert ask(store) == []
        store.add(pack("賓".encode(), text_of("甲", canon("賓"))))
        assert ask(store) == [("甲", 0)]
        store.add(pack("主賓".encode(), text_of("乙", canon("主賓"))))
        assert ask(store) == [("乙", 1), ("甲", 0)]
        store.add(pack("主賓".encode(), text_of("乙", canon("主"), note("賓", 0))), replace=True)
        assert ask(store) == [("甲", 0), ("乙", 1)], "read otherwise: now a note"
        store.remove("甲")
        assert ask(store) == [("乙", 1)]
        files = [path.name for path in folder_of(store).iterdir()]
        assert len([name for name in files if name.endswith(".seg")]) == 1, "what is of no use is gone"
        assert len(files) == 2


def ask(store: Store, words: str = "賓") -> list[tuple[str, int]]:
    with Index.open(store) as index:
        return [(name, start) for name, start, _, _ in found(index, words)]


def test_other_words_of_the_same_length_are_other_words(tmp_path: Path) -> None:
    with Store.open(tmp_path / "c.sqlite") as store:
        store.add(pack("主人戒賓".encode(), text_of("甲", canon("主人戒賓"))))
        assert ask(store) == [("甲", 3)]
        store.add(pack("主賓戒人".encode(), text_of("甲", canon("主賓戒人"))), replace=True)
        assert ask(store) == [("甲", 1)]


def test_the_order_of_import_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_module, "SEGMENT", 10)
    texts = [text_of(f"{i:02}", canon("賓主" * (i % 4 + 1)), note("賔", 0)) for i in range(12)]
    answers: list[Found] = []
    for number, order in enumerate((texts, texts[::-1])):
        with Store.open(tmp_path / f"{number}.sqlite") as store:
            for text in order:
                store.add(pack(text.text.encode(), text))
                if text.name in {"03", "07"}:
                    Index.open(store).close()
            with Index.open(store) as index:
                answers.append(index.search(Query(words="賓", limit=100)))
    assert answers[0] == answers[1]
    assert len(answers[0].hits) == 12 + sum(i % 4 + 1 for i in range(12))


def test_a_damaged_index_is_made_anew(tmp_path: Path) -> None:
    with Store.open(tmp_path / "c.sqlite") as store:
        store.add(pack("賓".encode(), text_of("甲", canon("賓"))))
        assert ask(store) == [("甲", 0)]
        (segment,) = folder_of(store).glob("*.seg")
        for damage in (b"", b"x" * 100, segment.read_bytes()[:30]):
            segment.write_bytes(damage)
            assert ask(store) == [("甲", 0)]
        segment.unlink()
        assert ask(store) == [("甲", 0)]
        (folder_of(store) / "segments.json").write_text("[", encoding="utf-8")
        assert ask(store) == [("甲", 0)]


def test_an_index_that_was_made_with_other_shapes_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = folds()
    assert edition_of(table) == edition_of(FoldTable(dict(reversed(table.graphic.items())), table.interchangeable))
    assert edition_of(table) != edition_of(FoldTable({**table.graphic, "高": "髙髚"}, table.interchangeable))
    with Store.open(tmp_path / "c.sqlite") as store:
        store.add(pack("髙".encode(), text_of("甲", canon("髙"))))
        with monkeypatch.context() as before:
            # As a Yanli would have made it that did not know 髙 yet.
            before.setattr(indexing_module, "edition", lambda: 1)
            before.setattr(index_module, "edition", lambda: 1)
            before.setattr(indexing_module, "folded", lambda characters: {each: each for each in characters})
            before.setattr(search_module, "fold_search", lambda words: words)
            assert ask(store, "高") == []
            assert ask(store, "髙") == [("甲", 0)]
        assert ask(store, "高") == ask(store, "髙") == [("甲", 0)]


def test_a_damaged_segment_is_made_anew_whatever_of_it_is_damaged(tmp_path: Path) -> None:
    with Store.open(tmp_path / "c.sqlite") as store:
        store.add(pack("賓主".encode(), text_of("甲", canon("賓主"), note("賓", 0))))
        whole = ask(store)
        (segment,) = folder_of(store).glob("*.seg")
        good = segment.read_bytes()
        for at in range(len(good)):
            segment.write_bytes(good[:at] + bytes([good[at] ^ 0x41]) + good[at + 1 :])
            os.utime(segment, (1, 1))  # this test is quicker than the clock of the disk
            assert ask(store) == whole, at


def test_a_segment_that_was_only_touched_is_kept(tmp_path: Path) -> None:
    with Store.open(tmp_path / "c.sqlite") as store:
        store.add(pack("賓".encode(), text_of("甲", canon("賓"))))
        whole = ask(store)
        (segment,) = folder_of(store).glob("*.seg")
        os.utime(segment, (1, 1))
        assert ask(store) == whole
        assert segment.stat().st_mtime == 1, "it was not written again"
        assert search_module._read(folder_of(store))[0].stamp == 10**9


def test_what_a_killed_process_left_is_put_away(tmp_path: Path) -> None:
    with Store.open(tmp_path / "c.sqlite") as store:
        store.add(pack("賓".encode(), text_of("甲", canon("賓"))))
        ask(store)
        old = [folder_of(store) / name for name in ("tmpabc.tmp", "0.seg", "segments.json.7.7", "notes.txt")]
        for path in old:
            path.write_bytes(b"x")
            os.utime(path, (1, 1))
        (fresh := folder_of(store) / "tmpdef.tmp").write_bytes(b"x")
        store.add(pack("主".encode(), text_of("乙", canon("主"))))
        ask(store)
        assert [path.exists() for path in old] == [False, False, False, True], "what is none of ours stays"
        assert fresh.exists(), "somebody may be at it"


def test_whoever_may_read_the_store_may_read_its_index(tmp_path: Path) -> None:
    with Store.open(tmp_path / "c.sqlite") as store:
        store.add(pack("賓".encode(), text_of("甲", canon("賓"))))
        ask(store)
        modes = {path.stat().st_mode & 0o777 for path in (store.path, *folder_of(store).iterdir())}
    assert len(modes) == 1, modes


def test_nothing_is_left_of_a_segment_that_the_disk_has_no_room_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with Store.open(tmp_path / "c.sqlite") as store:
        store.add(pack("賓".encode(), text_of("甲", canon("賓"))))
        with monkeypatch.context() as patch:
            patch.setattr("yanli.corpus.indexing.os.fsync", full)
            with pytest.raises(RiteError) as error:
                ask(store)
        assert error.value.findings[0].code == "no-index"
        assert not list(folder_of(store).iterdir())
        assert ask(store) == [("甲", 0)]


# Expressions


def test_regular_expressions(opened: Opener) -> None:
    index = opened(
        text_of("甲", canon("賓坐，奠爵。"), note("x", 0), canon("主人坐取爵"), note("坐卒爵", 1)),
        text_of("乙", note("坐爵", 0)),
    )
    answer = search_regex(index, Query(words="坐.?爵"))
    assert [(h.name, h.start, h.end, h.words) for h in answer.hits] == [
        ("甲", 1, 5, "坐奠爵"), ("甲", 9, 12, "坐取爵"), ("乙", 0, 2, "坐爵"), ("甲", 12, 15, "坐卒爵"),
    ]  # fmt: skip
    assert answer.total == 4
    assert [h.start for h in search_regex(index, Query(words="^坐", layers=(Layer.note,))).hits] == [0, 12]
    assert [h.start for h in search_regex(index, Query(words="^坐", layers=(Layer.note,), limit=1, skip=1)).hits] == [
        12
    ]
    assert search_regex(index, Query(words="[賓主]", speaker="鄭玄")).hits == ()
    for bad in ("(", "", "a" * 1001):
        with pytest.raises(RiteError) as error:
            search_regex(index, Query(words=bad))
        assert error.value.findings[0].code == "bad-query"


@pytest.mark.parametrize("more", [{"limit": -1}, {"limit": 10**30}, {"skip": 2**63}, {"context": 10**30}])
def test_numbers_that_no_text_has_are_told(opened: Opener, more: dict[str, int]) -> None:
    index = opened(text_of("甲", canon("賓")))
    for search in (index.search, lambda query: search_regex(index, query)):
        with pytest.raises(RiteError) as error:
            search(Query(words="賓", **more))  # type: ignore[arg-type]
        assert error.value.findings[0].code == "bad-query"


@pytest.mark.parametrize("more", [{"words": "賓\udcff"}, {"words": "賓", "speaker": "\udcff"}])
def test_an_expression_that_is_no_text_is_told(opened: Opener, more: dict[str, str]) -> None:
    index = opened(text_of("甲", canon("賓")))
    with pytest.raises(RiteError) as error:
        search_regex(index, Query(**more))  # type: ignore[arg-type]
    assert error.value.findings[0].code == "bad-query"


def test_what_stands_on_both_sides_of_a_cut_counts_once(opened: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_module, "SEGMENT", 20)
    monkeypatch.setattr(units_module, "OVERLAP", 6)
    index = opened(text_of("甲", canon("賓主" * 50)))
    assert len(index.segments) > 1
    assert index.search(Query(words="賓主", limit=1000)).total == 50
    assert index.search(Query(words="賓主", limit=3)).total in {None, 50}


def test_an_expression_that_never_ends_is_ended(opened: Opener) -> None:
    index = opened(text_of("甲", canon("人" + "賓" * 60 + "主")))
    begun = time.monotonic()
    with pytest.raises(RiteError) as error:
        search_regex(index, Query(words="(賓+)+人"), seconds=2.0)
    assert error.value.findings[0].code == "too-slow"
    assert time.monotonic() - begun < 30


def test_the_witnesses_of_one_sentence(opened: Opener, shared: Callable[..., Path]) -> None:
    names = ("KR1d0026_005.txt", "KR1d0035_005.txt", "KR1d0038_005.txt")
    index = opened(*(read_text(shared("witnesses", name).read_bytes(), name) for name in names))
    hits = found(index, "主人戒賓賓出迎再拜", layers=(Layer.canon,))
    assert [name for name, *_ in hits] == list(names), "as each of them writes it, over whatever notes stand between"


def test_long_words_come_back_as_short_ones_do(opened: Opener) -> None:
    long = "".join(chr(0x4E00 + i % 3000) for i in range(2500)) + "𠀀\ue000"
    index = opened(text_of("甲", canon(long)))
    (segment,) = index.segments
    assert segment.words(0, len(long)) == long == "".join(segment.words(i, i + 1) for i in range(len(long)))


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("坐奠爵", ("坐奠爵",)),
        ("坐.?爵", ("坐", "爵")),
        ("^(?:賓|主人)坐(取)+爵*拜{2,3}$", ("取", "坐", "拜")),
        ("(?i)A賓", ("賓",)),
        ("主賓|人賓", ()),
        ("賓?[主人]x", ()),
        ("(?=坐)(?<!賓)拜", ("拜",)),
        ("(賓)?(?(1)主|人)", ()),
        (r"\d賓，主", ("主", "賓")),
    ],
)
def test_what_an_expression_cannot_do_without(expression: str, words: tuple[str, ...]) -> None:
    assert needed(expression) == tuple(sorted(words))


@given(
    texts=st.lists(PARTS, min_size=1, max_size=5),
    expression=st.sampled_from(["賓主?", "[賓主]人", "^拜", "賓.*𠀀", "人$"]),
)
@settings(max_examples=15, deadline=None)
def test_expressions_find_what_a_plain_look_finds(
    tmp_path_factory: pytest.TempPathFactory, texts: list[list[tuple[Layer, str, str]]], expression: str
) -> None:
    every = [text_from(f"{i}", parts) for i, parts in enumerate(texts)]
    rows = []
    for text in every:
        for layer in LAYERS:
            for remark in {piece.remark for piece in text.pieces if piece.layer is layer and layer is not Layer.sign}:
                own = [piece for piece in text.pieces if (piece.layer, piece.remark) == (layer, remark)]
                offsets = [i for p in own for i in range(p.start, p.end) if is_word(text.text[i])]
                rows += [
                    (LAYERS.index(layer), text.name, offsets[0], offsets[match.start()], match[0])
                    for match in re.finditer(expression, "".join(text.text[i] for i in offsets))
                ]
    with Store.open(tmp_path_factory.mktemp("s") / "c.sqlite") as store:
        for text in every:
            store.add(pack(text.text.encode(), text))
        with Index.open(store) as index:
            hits = islice(matching._hits(index, Query(words=expression)), 1000)
            assert [(h.name, h.start, h.words) for h in hits] == [row[1:2] + row[3:] for row in sorted(rows)]
