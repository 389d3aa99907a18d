"""A whole rite: found by its names, numbered, searched, cached."""

import shutil
from pathlib import Path

import msgspec
import pytest

from yanli.errors import RiteError
from yanli.notation import cache
from yanli.notation.rite import Rite, find_words, list_rites, load_rite

FIRST = """## 主人獻賓 · host-offers
    段 獻 「主人坐」…「賓降」
    辨 甲 = 有 大夫

主人坐取爵于上篚以降
    主人 坐，取 爵 于 上篚，興，降
    說 豫 · 鄭玄 主
        主人 立
    說 豫 · 敖繼公
        主人 坐
賓降
    賓 降

### 洗 若 甲
    法 洗盥 (甲)
        甲 洗

主人坐奠爵
    主人 坐，奠 爵
"""
SECOND = """主人坐取爵興
    主人 坐，取 爵，興
    說 豫 · 鄭玄、賈公彥 主
        主人 立
    說 豫 · 盛世佐
        主人 坐

## 賓酢主人 · guest-repays

賓降
    賓 降，
賓坐取爵適洗
    賓 坐，取 爵
"""
HEAD = """name = "試禮"
slug = "trial"
aliases = ["试礼"]
[title]
zh = "試禮"
en = "A trial rite"
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test reads or fills the cache of the person who runs it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("YANLI_NO_CACHE", raising=False)
    return tmp_path / "cache" / "yanli"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A rite of two files."""
    home = tmp_path / "trial"
    home.mkdir()
    (home / "01.pu").write_text(FIRST, encoding="utf-8")
    (home / "02.pu").write_text(SECOND, encoding="utf-8")
    (home / "rite.toml").write_text(HEAD, encoding="utf-8")
    return home


@pytest.fixture
def rite(folder: Path) -> Rite:
    return load_rite(folder)


def code(error: pytest.ExceptionInfo[RiteError]) -> str:
    (finding,) = error.value.findings
    return finding.code


def test_a_rite_says_what_it_is_called(rite: Rite) -> None:
    assert (rite.slug, rite.name, rite.title_en, rite.aliases) == ("trial", "試禮", "A trial rite", ("试礼",))
    assert rite.settings["slug"] == "trial"


def test_clauses_are_numbered_in_their_sections_and_know_their_place_in_the_text(rite: Rite) -> None:
    assert rite.canonical == "主人坐取爵于上篚以降賓降主人坐奠爵主人坐取爵興賓降賓坐取爵適洗"
    assert [str(clause.id) for clause in rite.clauses] == [
        *("trial.1.1", "trial.1.2", "trial.1.3", "trial.1.4"),
        *("trial.2.1", "trial.2.2"),
    ]
    for clause in rite.clauses:
        assert rite.canonical[clause.offset : clause.end] == clause.text
    assert [clause.passage for clause in rite.clauses] == [None, None, "洗", "洗", None, None]
    assert rite.clause("trial.2.1").statements == rite.clauses[4].statements


def test_sections_and_passages_hold_their_clauses_over_files(rite: Rite) -> None:
    first, second = rite.sections
    assert (first.number, first.name, first.slug, len(first.clauses)) == (1, "主人獻賓", "host-offers", 4)
    assert (second.number, second.name, second.slug, len(second.clauses)) == (2, "賓酢主人", "guest-repays", 2)
    (passage,) = first.passages
    assert (passage.name, passage.section, len(passage.clauses)) == ("洗", 1, 2)
    assert passage.guard is not None
    assert len(first.statements) == 2
    assert rite.section("guest-repays") is second
    assert rite.section("賓酢主人") is second


def test_names_are_gathered(rite: Rite) -> None:
    assert list(rite.defines) == ["洗盥"]
    assert list(rite.distinctions) == ["甲"]
    assert (rite.ranges["獻"].first, rite.ranges["獻"].last) == (0, 1)


def test_a_crux_has_one_list_of_readings_over_all_its_sites(rite: Rite) -> None:
    crux = rite.cruxes["豫"]
    assert [reading.names for reading in crux.readings] == [("鄭玄", "賈公彥"), ("敖繼公",), ("盛世佐",)]
    assert crux.default == crux.readings[0]
    assert [str(site.clause) for site in crux.sites] == ["trial.1.1", "trial.1.4"]


def test_findings_know_their_clause(rite: Rite) -> None:
    (finding,) = rite.findings
    assert (finding.code, finding.clause, finding.words) == ("empty-act", "trial.2.1", "賓降")


def test_names_of_one_kind_are_given_once(folder: Path) -> None:
    ranges = "    段 獻 「甲」…「乙」\n    段 酢 「甲」…「乙」\n"
    text = f"## 主人獻賓 · host-offers\n{ranges}\n賓坐\n    法 洗盥\n        賓 洗\n"
    (folder / "03.pu").write_text(text, encoding="utf-8")
    found = [finding.code for finding in load_rite(folder).findings]
    assert found == ["empty-act", *["duplicate-name"] * 4, "range-not-found"]


def test_sites_of_a_crux_must_not_differ_in_their_default(folder: Path) -> None:
    (folder / "03.pu").write_text("賓坐\n    說 豫 · 敖繼公 主\n        賓 坐\n", encoding="utf-8")
    assert "crux-default-differs" in {finding.code for finding in load_rite(folder).findings}


def test_a_single_score_is_a_rite(folder: Path, tmp_path: Path) -> None:
    beside = load_rite(folder / "01.pu")
    assert (beside.slug, len(beside.scores)) == ("trial", 1)
    alone = tmp_path / "alone.pu"
    alone.write_text("賓降\n    賓 降\n", encoding="utf-8-sig")
    rite = load_rite(str(alone))
    assert (rite.slug, rite.name, rite.canonical) == ("alone", "alone", "賓降")
    assert [section.number for section in rite.sections] == [1]
    assert rite.findings == ()
    assert str(rite.clauses[0].span) == f"{alone}:1:1"


def test_every_packaged_rite_answers_to_all_its_names() -> None:
    for head in list_rites():
        for name in (*head.names, head.slug.upper()):
            assert load_rite(name).slug == head.slug


def test_an_unknown_rite_is_refused_with_the_nearest_names() -> None:
    with pytest.raises(RiteError) as caught:
        load_rite("no-such-rite")
    assert code(caught) == "unknown-rite"
    for head in list_rites():
        with pytest.raises(RiteError) as caught:
            load_rite(f"{head.slug}x")
        assert head.slug in caught.value.findings[0].nearest


def test_what_cannot_be_loaded_says_why(folder: Path) -> None:
    (folder / "rite.toml").write_text("name = 3\n", encoding="utf-8")
    with pytest.raises(RiteError) as caught:
        load_rite(folder)
    assert code(caught) == "bad-rite-file"
    (folder / "rite.toml").write_text('files = ["09.pu"]\n', encoding="utf-8")
    with pytest.raises(RiteError) as caught:
        load_rite(folder)
    assert code(caught) == "unreadable-file"
    (folder / "rite.toml").unlink()
    (folder / "01.pu").write_bytes("## 節 · s\n\n主人".encode() + b"\xff\xfe")
    with pytest.raises(RiteError) as caught:
        load_rite(folder)
    assert code(caught) == "unreadable-file"
    where = caught.value.findings[0].span
    assert where is not None
    assert (where.line, where.column) == (3, 3)
    for path in folder.glob("*.pu"):
        path.unlink()
    with pytest.raises(RiteError) as caught:
        load_rite(folder)
    assert code(caught) == "no-scores"
    with pytest.raises(RiteError):
        load_rite(folder / "nowhere")


# ---- words as addresses


def test_words_name_the_clauses_that_they_touch(rite: Rite) -> None:
    def ids(words: str, nth: int = 1) -> list[str]:
        return [str(clause.id) for clause in find_words(rite, words, nth)]

    assert ids("主人坐取爵于上篚以降") == ["trial.1.1"]
    assert ids("以降。賓降，主人") == ["trial.1.1", "trial.1.2", "trial.1.3"]
    assert ids("主人坐取爵") == ["trial.1.1"]
    assert ids("主人坐取爵", 2) == ["trial.1.4"]
    assert ids("賓 降", 2) == ["trial.2.1"]


def test_spelling_does_not_matter(rite: Rite) -> None:
    assert [str(clause.id) for clause in find_words(rite, "取爵於上篚以降賔降")] == ["trial.1.1", "trial.1.2"]


def test_words_that_are_not_there_are_refused_with_the_nearest_clauses(rite: Rite) -> None:
    with pytest.raises(RiteError) as caught:
        find_words(rite, "賓坐取觶適洗")
    assert code(caught) == "unknown-words"
    assert caught.value.findings[0].nearest[0] == "賓坐取爵適洗"
    for words, nth in (("賓降", 3), ("賓降", 0), ("，", 1)):
        with pytest.raises(RiteError):
            find_words(rite, words, nth)


def test_an_unknown_clause_or_section_is_refused(rite: Rite) -> None:
    with pytest.raises(RiteError):
        rite.clause("trial.9.9")
    with pytest.raises(RiteError) as caught:
        rite.section("賓酢")
    assert "賓酢主人" in caught.value.findings[0].nearest


# ---- the cache


def entries(folder: Path) -> list[Path]:
    return sorted(folder.glob("*"))


def same(one: Rite, other: Rite) -> bool:
    return one.scores == other.scores and one.canonical == other.canonical and one.findings == other.findings


def test_a_cached_rite_is_the_same_rite(folder: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = load_rite(folder)
    assert len(entries(own_cache)) == 1

    def refuse(text: str, file: str) -> None:
        raise AssertionError((text, file))

    monkeypatch.setattr("yanli.notation.parser.parse", refuse)
    assert same(load_rite(folder), fresh)


def test_a_changed_file_is_read_anew_and_old_entries_go(folder: Path, own_cache: Path) -> None:
    for number in range(cache.KEPT + 3):
        (folder / "03.pu").write_text("賓降" * (number + 1), encoding="utf-8")
        assert load_rite(folder).canonical.endswith("爵適洗" + "賓降" * (number + 1))
    assert len(entries(own_cache)) == cache.KEPT


def test_a_damaged_cache_is_no_matter(folder: Path, own_cache: Path) -> None:
    fresh = load_rite(folder)
    (entry,) = entries(own_cache)
    for content in (b"", b"\xc1", msgspec.msgpack.encode([1, 2])):
        entry.write_bytes(content)
        assert same(load_rite(folder), fresh)
        assert entry.read_bytes() != content


def test_a_cache_that_cannot_be_written_is_no_matter(folder: Path, own_cache: Path) -> None:
    own_cache.parent.write_text("a file where the folder should be", encoding="utf-8")
    assert load_rite(folder).clauses


def test_the_cache_can_be_turned_off(folder: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YANLI_NO_CACHE", "1")
    assert load_rite(folder).clauses
    assert not own_cache.exists()


def test_files_that_moved_are_read_anew(folder: Path, tmp_path: Path) -> None:
    load_rite(folder)
    moved = tmp_path / "elsewhere"
    shutil.copytree(folder, moved)
    assert load_rite(moved).clauses[0].span.file == (moved / "01.pu").as_posix()
