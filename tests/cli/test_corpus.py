"""The sources on the command line: taken in, given back, shown beside the rite's own words."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import polars as pl
import pytest
from tests.cli.conftest import Yanli
from typer.main import get_command

from yanli.cli import corpus

COPY = """# -*- mode: mandoku-view; -*-
#+TITLE: 儀禮
#+PROPERTY: ID KR1d0026
<pb:KR1d0026_SBCK_005-2b>¶
主人坐取爵于上篚以降(將獻/賔也)賔降(從主/人也)¶
主人阼階前西面坐奠爵興辭降(重以主/人事煩)¶
<pb:KR1d0026_SBCK_005-3a>¶
(賔也今文/無阼階)賔對(對/荅)主人坐取爵興適洗南面¶
坐奠爵于篚下盥洗(盥手又洗爵致絜敬/也古文盥皆作浣)賔¶
"""
OTHER = """五禮通考 (四庫全書本)/卷162

　　主人坐取爵于上篚以降〈注將獻賓也敖氏繼公曰此爵獻賓之爵也〉賓降〈注從主人也〉主人阼階前西面坐奠爵興辭降〈注重以主人事煩賓也〉賓對主人
　　坐取爵興適洗南面坐奠爵于篚下盥洗
"""
CLAUSE = "主人坐取爵于上篚以降"


@pytest.fixture
def store(yanli: Yanli, tmp_path: Path) -> Path:
    """A store of two works, each with the same few clauses."""
    (tmp_path / "copy.txt").write_bytes(COPY.encode())
    (tmp_path / "other.txt").write_bytes(OTHER.encode())
    path = tmp_path / "my.sqlite"
    done = yanli("corpus", "add", "copy.txt", "other.txt", "--db", str(path))
    assert done.code == 0
    assert done.out == ""
    assert "copy" in done.err
    return path


@pytest.mark.parametrize("name", sorted(get_command(corpus).commands))  # type: ignore[attr-defined]
def test_every_command_has_an_example(yanli: Yanli, name: str) -> None:
    done = yanli("corpus", name, "--help")
    assert done.code == 0
    assert f"yanli corpus {name}" in done.out.partition("Example")[2]


def test_what_comes_in_goes_out_byte_for_byte(yanli: Yanli, store: Path, tmp_path: Path) -> None:
    assert yanli("corpus", "export", "copy", "--db", str(store), "-o", "back/x.txt") == (0, "", "")
    assert (tmp_path / "back" / "x.txt").read_bytes() == COPY.encode()


def test_what_is_there_is_passed_over_and_no_file_stops_another(yanli: Yanli, store: Path, tmp_path: Path) -> None:
    (tmp_path / "new.txt").write_bytes(b"\xff\xfe\x00<" * 20)
    done = yanli("corpus", "add", "copy.txt", "nowhere.txt", "new.txt", "--db", str(store), "--json")
    assert done.code == 1
    assert {each["name"]: each["fate"] for each in done.data()} == {
        "copy.txt": "there",
        "new.txt": "added",
        "nowhere.txt": "missing",
    }
    assert "nowhere.txt" in done.err
    (tmp_path / "copy.txt").write_bytes(COPY.encode() + b"\n")
    assert yanli("corpus", "add", "copy.txt", "--db", str(store)).code == 1
    assert yanli("corpus", "export", "copy.txt", "--db", str(store), "-o", "x").code == 0
    assert (tmp_path / "x").read_bytes() == COPY.encode()
    assert yanli("corpus", "add", "copy.txt", "--replace", "--db", str(store)).code == 0


def test_a_named_encoding_and_family(yanli: Yanli, tmp_path: Path) -> None:
    (tmp_path / "old.txt").write_bytes("主人坐取爵于上篚以降".encode("big5"))
    assert yanli("corpus", "add", "old.txt", "--encoding", "big5", "--family", "plain", "--db", "s").code == 0
    assert "主人坐取爵于上篚以降" in yanli("corpus", "show", "old", "--db", "s").out
    assert yanli("corpus", "export", "old", "--db", "s", "-o", "x").code == 0
    assert (tmp_path / "x").read_bytes() == (tmp_path / "old.txt").read_bytes()
    for option, known in (("--encoding", "big5"), ("--family", "kanripo")):
        done = yanli("corpus", "add", "old.txt", option, "nonsense", "--db", "t")
        assert done.code == 1
        assert known in done.err
    assert not (tmp_path / "t").exists()


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_branches_of_a_clone_are_witnesses(yanli: Yanli, tmp_path: Path) -> None:
    (tmp_path / "clone").mkdir()
    (tmp_path / "clone" / "005.txt").write_bytes(COPY.encode())
    named = ("-c", "user.name=x", "-c", "user.email=x@example.org")
    for words in (("init", "-q"), ("checkout", "-q", "-b", "WYG"), ("add", "-A"), ("commit", "-q", "-m", "x")):
        subprocess.run([shutil.which("git") or "", *named, *words], cwd=tmp_path / "clone", check=True)
    assert yanli("corpus", "add", "clone", "--branch", "WYG", "--db", "s").code == 0
    (found,) = yanli("corpus", "list", "--db", "s", "--json").data()
    assert found["entry"]["name"] == "WYG/005.txt"
    assert re.fullmatch(r"clone WYG [0-9a-f]{40}", found["entry"]["origin"])
    done = yanli("corpus", "add", "clone", "--branch", "SBCK", "--db", "s")
    assert done.code == 1
    assert "known: WYG" in done.err


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_file_whose_name_is_no_text_answers_to_it(yanli: Yanli, tmp_path: Path) -> None:
    name = os.fsdecode(b"\xff\xfe.txt")
    (tmp_path / name).write_text(COPY, encoding="utf-8")
    assert yanli("corpus", "add", name, "--db", "s").code == 0
    assert yanli("corpus", "search", "主人", "--work", name, "--db", "s").code == 0
    assert yanli("corpus", "search", "主人", "--work", name[:1], "--db", "s").code == 0
    assert "no-text" in yanli("corpus", "search", "主人", "--work", os.fsdecode(b"\xfd"), "--db", "s").err
    assert yanli("corpus", "remove", name, "--db", "s").code == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes have no names here")
def test_what_is_no_file_and_what_no_file_can_be_called_stops_nothing(yanli: Yanli, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "copy.txt").write_text(COPY, encoding="utf-8")
    for bad, told in (("pipe", "is no file"), ("/dev/zero", "is no file"), ("a" * 300, "there is no")):
        done = yanli("corpus", "add", "copy.txt", bad, "--db", "s")
        assert (done.code, told in done.err) == (1, True), bad
    assert yanli("corpus", "export", "copy", "--db", "s").out == COPY


def test_a_store_of_any_name_is_a_file(yanli: Yanli, tmp_path: Path) -> None:
    (tmp_path / "copy.txt").write_text(COPY, encoding="utf-8")
    assert yanli("corpus", "add", "copy.txt", "--db", ":memory:").code == 0
    assert (tmp_path / ":memory:").is_file()
    assert yanli("corpus", "export", "copy", "--db", ":memory:").out == COPY
    for command in (("list",), ("search", "主人"), ("add", "copy.txt")):
        done = yanli("corpus", *command, "--db", "a" * 1000)
        assert done.code == 1
        assert "no-store" in done.err


@pytest.mark.parametrize("command", [("show",), ("report", "--json"), ("emend",), ("emend", "--json"), ("search",)])
def test_bytes_that_are_no_characters_are_written_by_number(
    yanli: Yanli, tmp_path: Path, command: tuple[str, ...]
) -> None:
    (tmp_path / "copy.txt").write_bytes("主人".encode() + b"\xff\xfe" + "坐取爵".encode())
    assert yanli("corpus", "add", "copy.txt", "--db", "s", "--family", "plain").code == 0
    words = os.fsdecode(b"\xfd")
    assert (
        yanli("corpus", "emend", "copy", "--propose", f"0:1={words}", "--by", "a", "--reason", "b", "--db", "s").code
        == 0
    )
    what = ("主人", "--json") if command == ("search",) else ("copy",)
    done = yanli("corpus", command[0], *what, *command[1:], "--db", "s", "-o", "out.txt")
    assert (done.code, done.err) == (0, "")
    told = (tmp_path / "out.txt").read_text(encoding="utf-8")
    if command != ("search",):
        assert "\\udc" in told
    if "--json" in command:
        assert json.loads(told)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a disk without room is only had on Linux")
@pytest.mark.parametrize("command", ["export", "csv", "parquet", "tei", "annotations", "show", "report"])
def test_a_disk_without_room_is_told(yanli: Yanli, tmp_path: Path, command: str) -> None:
    (tmp_path / "copy.txt").write_text(COPY, encoding="utf-8")
    assert yanli("corpus", "add", "copy.txt", "--db", "s").code == 0
    done = yanli("corpus", command, "copy", "-o", "/dev/full", "--db", "s")
    assert done.code == 1
    assert "cannot-write" in done.err


def test_two_clones_at_once_have_names_of_their_own(yanli: Yanli, tmp_path: Path) -> None:
    named = ("-c", "user.name=x", "-c", "user.email=x@example.org")
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "005.txt").write_bytes(COPY.replace("主人", name).encode())
        (tmp_path / name / "link.txt").symlink_to("005.txt")
        for words in (("init", "-q"), ("checkout", "-q", "-b", "WYG"), ("add", "-A"), ("commit", "-q", "-m", name)):
            subprocess.run([shutil.which("git") or "", *named, *words], cwd=tmp_path / name, check=True)
    done = yanli("corpus", "add", "one", "two", "--branch", "*", "--db", "s")
    assert done.code == 0
    assert "one: 1 symbolic links and 0 submodules are left out" in done.err
    found = [each["entry"] for each in yanli("corpus", "list", "--db", "s", "--json").data()]
    assert [each["name"] for each in found] == ["WYG/005.txt", "two/WYG/005.txt"]
    assert yanli("corpus", "add", "two", "one", "--branch", "WYG", "--db", "s").code == 0
    assert len(yanli("corpus", "list", "--db", "s", "--json").data()) == 2


def test_the_list_says_how_each_work_was_read(yanli: Yanli, store: Path) -> None:
    found = {each["entry"]["name"]: each for each in yanli("corpus", "list", "--db", str(store), "--json").data()}
    assert list(found) == ["copy.txt", "other.txt"]
    assert found["copy.txt"]["entry"]["family"] == "kanripo"
    # Five notes stand in the copy.
    assert (found["copy.txt"]["remarks"], found["copy.txt"]["anchored"]) == (5, 5)
    assert "儀禮" in yanli("corpus", "list", "--db", str(store)).out


def test_the_report_assigns_every_character(yanli: Yanli, store: Path) -> None:
    (found,) = yanli("corpus", "report", "copy", "--db", str(store), "--json").data()
    assert sum(found["shares"].values()) == len(COPY) == found["entry"]["length"]
    # The notes' characters, counted in the copy without their brackets and line ends.
    assert found["shares"]["注"] == 4 + 4 + (6 + 7) + 2 + (8 + 7)
    said = yanli("corpus", "report", "--db", str(store)).out
    assert "經 canon" in said
    assert "無 nothing" in said


def test_a_work_is_shown_layer_by_layer(yanli: Yanli, store: Path) -> None:
    done = yanli("corpus", "show", "copy", "--layer", "注", "--db", str(store))
    assert done.out.splitlines()[1] == "注 鄭玄　將獻賔也"
    assert "主人坐取" not in done.out
    said = yanli("corpus", "show", "other", "--speaker", "敖繼公", "--db", str(store), "--json").data()
    assert [each["words"] for each in said] == ["此爵獻賓之爵也"]


def test_words_are_found_in_any_shape(yanli: Yanli, store: Path) -> None:
    found = yanli("corpus", "search", "将献宾", "--db", str(store), "--json").data()
    assert [(hit["name"], hit["words"], hit["layer"]) for hit in found["hits"]] == [
        ("copy.txt", "將獻賔", "注"),
        ("other.txt", "將獻賓", "注"),
    ]
    found = yanli("corpus", "search", "爵", "--speaker", "敖繼公", "--db", str(store), "--json").data()
    assert {hit["name"] for hit in found["hits"]} == {"other.txt"}
    found = yanli("corpus", "search", "獻", "--clause", CLAUSE, "--work", "copy", "--db", str(store), "--json").data()
    assert len(found["hits"]) == 1
    assert yanli("corpus", "search", "事.賔", "--regex", "--db", str(store)).out.count("【事煩賔】") == 1
    assert yanli("corpus", "search", "豆", "--db", str(store)).code == 1


def test_passages_of_one_work_are_found_in_another(yanli: Yanli, store: Path, tmp_path: Path) -> None:
    found = yanli("corpus", "quotes", "other", "copy", "--db", str(store), "--json").data()
    assert any(each["one"]["words"].startswith("主人坐取爵于上篚以降") for each in found["passages"])
    faiths = {each["words"]: each["faith"] for each in found["attested"]}
    assert faiths["從主人也"] == "全"
    assert yanli("corpus", "quotes", "other", "copy", "--db", str(store), "-o", "q.csv").code == 0
    assert (tmp_path / "q.csv").read_text(encoding="utf-8").startswith("kind,same,work,")


def test_passages_of_one_work_are_found_in_all_others(yanli: Yanli, store: Path, tmp_path: Path) -> None:
    (tmp_path / "third.txt").write_text("不相干之文也", encoding="utf-8")
    assert yanli("corpus", "add", "third.txt", "--db", str(store)).code == 0
    found = yanli("corpus", "quotes", "other", "--db", str(store), "--json").data()
    assert [pair["other"] for pair in found] == ["copy.txt"]
    assert found[0]["passages"][0]["one"]["words"].startswith("主人坐取爵于上篚以降")
    done = yanli("corpus", "quotes", "other", "--db", str(store))
    assert "other.txt 見於 in copy.txt" in done.out
    assert "共 in all 1 種 works" in done.out
    assert yanli("corpus", "quotes", "other", "--db", str(store), "-o", "o.csv") == (0, "", "")
    rows = pl.read_csv(tmp_path / "o.csv")
    assert set(rows["source_work"]) == {"copy.txt"}
    done = yanli("corpus", "quotes", "--all", "-o", "q", "--db", str(store))
    assert (done.code, done.out) == (0, "")
    assert pl.read_csv(tmp_path / "q" / "other.txt.csv").equals(rows)
    assert pl.read_csv(tmp_path / "q" / "third.txt.csv").is_empty()
    assert yanli("corpus", "quotes", "--all", "-o", "q", "--db", str(store)).err.count("已有 there already") == 3
    for wrong, told in (
        (("--all",), "-o FOLDER"),
        (("other", "--all", "-o", "q"), "-o FOLDER"),
        ((), "name a work"),
        (("--all", "-o", "q", "--least", "9"), "name another folder"),
        (("other", "--scheduler", "tcp://127.0.0.1:9"), "no cluster answers"),
    ):
        done = yanli("corpus", "quotes", *wrong, "--db", str(store))
        assert (done.code, done.out) == (1, ""), wrong
        assert told in done.err


def test_what_was_anchored_is_anchored_again_only_when_asked(yanli: Yanli, store: Path) -> None:
    assert yanli("corpus", "anchor", "--db", str(store)).err.count("已繫 anchored already") == 2
    assert yanli("corpus", "anchor", "copy", "--anew", "--db", str(store)).err.count("已繫") == 0
    report = yanli("corpus", "report", "copy", "--db", str(store), "--json").data()
    assert report[0]["anchored"]["xiangshe"] > 0


def test_proposals_come_and_go_with_the_text(yanli: Yanli, store: Path, tmp_path: Path) -> None:
    settle = ("--by", "校者", "--reason", "試")
    made = yanli("corpus", "emend", "copy", "--propose", "0:1=＃", *settle, "--db", str(store), "--json").data()
    before = yanli("corpus", "emend", "copy", "--accept", made[0]["key"], *settle, "--db", str(store), "--json").data()
    assert [each["accepted"] for each in before] == [True]
    assert yanli("corpus", "tei", "copy", "--db", str(store), "-o", "c.xml").code == 0
    assert "<sic>#</sic><corr>＃</corr>" in (tmp_path / "c.xml").read_text(encoding="utf-8")
    assert yanli("corpus", "add", "c.xml", "--db", str(store)).code == 0
    assert yanli("corpus", "emend", "c.xml", "--db", str(store), "--json").data() == before


def test_a_clause_shows_its_acts_and_what_is_said_of_it(yanli: Yanli, store: Path) -> None:
    (found,) = yanli("show", "鄉射禮", "--clause", CLAUSE, "--db", str(store), "--json").data()
    assert found["clause"] == "xiangshe.4.1"
    assert found["acts"]
    said = {(each["layer"], each["speaker"]): each for each in found["sayings"]}
    # Both works have 鄭玄's note: it is one saying. 賔 and 賓 are one character; nothing differs.
    assert {where["work"] for where in said["注", "鄭玄"]["works"]} == {"copy.txt", "other.txt"}
    assert said["論", "敖繼公"]["text"] == "此爵獻賓之爵也"
    done = yanli("show", "鄉射禮", "--clause", CLAUSE, "--db", str(store))
    assert "注　鄭玄" in done.out
    assert "敖繼公" in done.out
    assert "行 acts" not in yanli("show", "鄉射禮", "--clause", CLAUSE, "--no-acts", "--db", str(store)).out


def test_without_a_store_it_is_told_how_to_make_one(yanli: Yanli) -> None:
    done = yanli("show", "鄉射禮", "--clause", CLAUSE)
    assert done.code == 0
    assert CLAUSE in done.out
    assert "yanli corpus add" in done.err
    done = yanli("corpus", "list")
    assert (done.code, done.out) == (1, "")
    assert "yanli corpus add" in done.err


def test_the_store_of_ones_own_is_found_without_being_named(yanli: Yanli, tmp_path: Path) -> None:
    (tmp_path / "copy.txt").write_bytes(COPY.encode())
    assert yanli("corpus", "add", "copy.txt").code == 0
    done = yanli("show", "鄉射禮", "--clause", CLAUSE)
    assert done.err == ""
    assert "注　鄭玄" in done.out


def test_why_goes_on_to_the_notes(yanli: Yanli, store: Path) -> None:
    plain = yanli("why", "鄉射禮", "57").out
    assert "鄭玄\n" not in plain
    events = yanli("perform", "鄉射禮", "--from", CLAUSE, "--to", CLAUSE, "--json").out.splitlines()
    number = str(json.loads(events[0])["n"])
    assert "注　鄭玄" in yanli("why", "鄉射禮", number, "--db", str(store)).out
    data = yanli("why", "鄉射禮", number, "--db", str(store), "--json").data()
    assert data["layers"][0]["clause"] == "xiangshe.4.1"


def test_a_rehearsal_has_a_page_of_all_notes(yanli: Yanli, store: Path, tmp_path: Path) -> None:
    (tmp_path / "small").mkdir()
    clauses = (CLAUSE, "賓降", "主人阼階前西面坐奠爵興辭降", "賓對", "主人坐取爵興適洗南面坐奠爵于篚下盥洗")
    score = "".join(f"\n{words}\n    註 例 文\n" for words in clauses)
    (tmp_path / "small" / "small.pu").write_text(f"## 小 · small\n{score}", encoding="utf-8")
    (tmp_path / "small" / "rite.toml").write_text(
        'name = "小禮"\nslug = "small"\nlike = "xiangshe"\n', encoding="utf-8"
    )
    # The rite is one's own: what the works say is anchored to it when it is first asked for.
    assert yanli("corpus", "anchor", "--rite", "small", "--db", str(store)).code == 0
    assert yanli("rehearse", "small", "-o", "out", "--db", str(store)).code == 0
    page = (tmp_path / "out" / "notes.html").read_text(encoding="utf-8")
    assert "此爵獻賓之爵也" in page
    assert 'id="small.1.1"' in page
    assert "notes.html" in (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    (found,) = yanli("show", "small", "--clause", CLAUSE, "--db", str(store), "--json").data()
    assert {each["speaker"] for each in found["sayings"]} >= {"敖繼公"}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("corpus", "show", "coyp"), "nearest: copy.txt"),
        (("corpus", "report", "x"), "no work"),
        (("corpus", "show", "copy", "--layer", "zhu"), "注 note"),
        (("corpus", "search", "。"), "nothing that counts"),
        (("corpus", "search", "(", "--regex"), "regular expression"),
        (("corpus", "search", "爵", "--clause", "主人坐取豆"), "nearest"),
        (("corpus", "quotes", "copy", "nothing"), "no work"),
        (("show", "鄉射禮", "--clause", "主人坐取豆"), "nearest"),
    ],
)
def test_what_is_not_there_is_told_with_what_is(yanli: Yanli, store: Path, words: tuple[str, ...], told: str) -> None:
    done = yanli(*words, "--db", str(store))
    assert (done.code, done.out) == (1, "")
    assert told in done.err


def test_a_work_can_be_taken_out(yanli: Yanli, store: Path) -> None:
    assert yanli("corpus", "remove", "copy.txt", "--db", str(store)).code == 0
    assert [each["entry"]["name"] for each in yanli("corpus", "list", "--db", str(store), "--json").data()] == [
        "other.txt"
    ]


def test_editions_stand_side_by_side(yanli: Yanli, store: Path, tmp_path: Path) -> None:
    done = yanli("corpus", "collate", "copy", "other", "--shapes", "--db", str(store))
    assert done.code == 0
    # The copy's note tells of a 今文 without 阼階, and the last 賔 has nothing beside it in the other.
    assert "今文無阼階" in done.out
    assert "字形" in done.out
    data = yanli("corpus", "collate", "copy", "other", "--no-old", "--db", str(store), "--json").data()
    assert [copy["siglum"] for copy in data["witnesses"]] == ["other"]
    for name, first in (("x.html", "<!doctype html>"), ("x.xml", "<?xml"), ("x.csv", "start,end,words,kind")):
        assert yanli("corpus", "collate", "copy", "other", "--db", str(store), "-o", name) == (0, "", "")
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(first)
    data = yanli("corpus", "collate", "copy", "--rite", "鄉射禮", "--db", str(store), "--json").data()
    assert data["base"]["siglum"] == "xiangshe"
    assert yanli("corpus", "collate", "copy", "--db", str(store)).code == 1


def test_what_is_damaged_is_proposed_and_nothing_is_applied_silently(yanli: Yanli, store: Path, tmp_path: Path) -> None:
    damaged = COPY.replace("敬/也古文", "敬(jìng)/也古文").replace("KR1d0026", "KR1d0098")
    (tmp_path / "bad.txt").write_bytes(damaged.encode())
    assert yanli("corpus", "add", "bad.txt", "--db", str(store)).code == 0
    found = yanli("corpus", "emend", "bad", "--db", str(store), "--json").data()
    (one,) = (each for each in found if each["found"] == "(jìng)")
    assert (one["emended"], one["accepted"], one["rejected"]) == ("", False, False)
    assert one["evidence"]
    key = str(one["key"])
    assert yanli("corpus", "emend", "bad", "--text", "--db", str(store)).out.rstrip("\n") == damaged.rstrip("\n")
    # Nothing is accepted without a name and a reason.
    assert yanli("corpus", "emend", "bad", "--accept", key, "--db", str(store)).code == 1
    settle = ("--accept", key, "--by", "校者", "--reason", "音也")
    assert "從 accepted" in yanli("corpus", "emend", "bad", *settle, "--db", str(store)).out
    assert "(jìng)" not in yanli("corpus", "emend", "bad", "--text", "--db", str(store)).out
    assert yanli("corpus", "export", "bad", "--db", str(store), "-o", "y").code == 0
    assert (tmp_path / "y").read_bytes() == damaged.encode()
    # Looking again leaves what was settled as it is.
    again = yanli("corpus", "emend", "bad", "--anew", "--db", str(store), "--json").data()
    assert [each["accepted"] for each in again if each["found"] == "(jìng)"] == [True]
    refuse = ("--reject", key, "--by", "校者", "--reason", "非也")
    assert "駁 rejected" in yanli("corpus", "emend", "bad", *refuse, "--db", str(store)).out
    own = yanli(
        "corpus", "emend", "bad", "--propose", "0:1=＃", "--by", "校者", "--reason", "試", "--db", str(store), "--json"
    )
    assert ["＃", "校者"] in [[each["emended"], each["author"]] for each in own.data()]
    for wrong, told in ((("--accept", "99"), "no proposal is called 99"), (("--propose", "x"), "START:END=WORDS")):
        done = yanli("corpus", "emend", "bad", *wrong, "--by", "校者", "--reason", "試", "--db", str(store))
        assert (done.code, done.out) == (1, "")
        assert told in done.err


def test_works_are_handed_on(yanli: Yanli, store: Path, tmp_path: Path) -> None:
    from yanli.corpus.tei_read import from_tei

    assert yanli("corpus", "tei", "copy", "--db", str(store), "-o", "c.xml").code == 0
    assert from_tei((tmp_path / "c.xml").read_text(encoding="utf-8")).text == COPY
    # It comes in again as the text that it was, not as a file of XML.
    assert yanli("corpus", "add", "c.xml", "--db", str(store)).code == 0
    shown = [yanli("corpus", "show", name, "--db", str(store)).out for name in ("copy", "c.xml")]
    assert shown[0] == shown[1]
    (tmp_path / "d.xml").write_bytes((tmp_path / "c.xml").read_bytes().replace(b"<ab ", b"<ab x='", 1))
    assert yanli("corpus", "add", "d.xml", "--db", str(store)).code == 0
    found = yanli("corpus", "annotations", "copy", "--db", str(store)).data()
    assert found["@context"]
    rows = pl.read_csv(yanli("corpus", "csv", "copy", "--db", str(store)).out.encode())
    assert rows["text"][0] == "將獻賔也"
    assert yanli("corpus", "parquet", "copy", "--table", "pieces", "--db", str(store), "-o", "p.parquet").code == 0
    assert "".join(pl.read_parquet(tmp_path / "p.parquet")["text"]) == COPY


def test_all_sources_go_out_as_they_came_in_and_all_is_assigned(yanli: Yanli, shared: Path, tmp_path: Path) -> None:
    files = sorted([*(shared / "sources").glob("0*.txt"), *(shared / "witnesses").glob("KR*.txt")])
    if not files:
        pytest.skip(f"{shared} has no texts: this test needs those that the project was made from")
    assert yanli("corpus", "add", *map(str, files), "--db", "s").code == 0
    for path in files:
        assert yanli("corpus", "export", path.name, "--db", "s", "-o", "x").code == 0
        assert (tmp_path / "x").read_bytes() == path.read_bytes()
    for report in yanli("corpus", "report", "--db", "s", "--json").data():
        assert sum(report["shares"].values()) == report["entry"]["length"]
        assert "unassigned" not in report["kinds"]


def test_the_page_on_the_corpus_names_every_command_and_family() -> None:
    from yanli.corpus.model import Layer
    from yanli.corpus.profile import profiles

    said = (Path(__file__).resolve().parents[2] / "docs" / "corpus.md").read_text(encoding="utf-8")
    assert not [name for name in get_command(corpus).commands if f"yanli corpus {name}" not in said]  # type: ignore[attr-defined]
    assert not [name for name in profiles() if f"`{name}`" not in said]
    assert not [layer for layer in Layer if f"| {layer.value} | {layer.name} |" not in said]


def test_a_work_is_not_compared_with_itself(yanli: Yanli, store: Path) -> None:
    done = yanli("corpus", "quotes", "copy", "copy.txt", "--db", str(store))
    assert (done.code, done.out) == (1, "")
    assert "[same-work] copy and copy.txt are one work, copy.txt" in done.err


def test_what_was_read_otherwise_than_is_asked_for_is_told(yanli: Yanli, tmp_path: Path) -> None:
    (tmp_path / "b5.txt").write_bytes(COPY.encode("big5", "ignore"))
    first = yanli("corpus", "add", "b5.txt", "--db", "s")
    assert first.code == 0
    # No guess is made, but how it is read is told.
    assert "try --encoding big5, with --replace" in first.err
    again = yanli("corpus", "add", "b5.txt", "--encoding", "big5", "--db", "s")
    assert again.code == 1
    assert "未入 refused" in again.err
    assert "in utf-8; --replace reads it anew" in again.err
    assert yanli("corpus", "add", "b5.txt", "--db", "s").code == 0  # nothing is asked for: it is there
    mended = yanli("corpus", "add", "b5.txt", "--encoding", "big5", "--replace", "--db", "s")
    assert mended.code == 0
    assert "損" not in mended.err
    # Cp950 is how Big5 is read: nothing else is asked for, and the same command goes on.
    for name in ("big5", "Big5", "cp950"):
        assert "已有 there already" in yanli("corpus", "add", "b5.txt", "--encoding", name, "--db", "s").err
    told = yanli("corpus", "add", "b5.txt", "--family", "plain", "--db", "s")
    assert (told.code, "read as kanripo in big5" in told.err) == (1, True)
    (tmp_path / "b5.txt").write_bytes(COPY.encode())
    assert "--replace puts these for them" in yanli("corpus", "add", "b5.txt", "--db", "s").err


def test_what_is_no_text_is_kept_and_told(yanli: Yanli, tmp_path: Path) -> None:
    data = bytes(range(256)) * 3
    (tmp_path / "x.bin").write_bytes(data)
    done = yanli("corpus", "add", "x.bin", "--db", "s", "--json")
    assert done.code == 0
    # The first 32 but for tab, line feed, form feed and return; 0x7F; all from 0x80 on: 28 + 1 + 128, three times.
    assert "471 of its 768 characters are none that a text has" in done.data()[0]["told"]
    assert yanli("corpus", "export", "x.bin", "--db", "s", "-o", "y").code == 0
    assert (tmp_path / "y").read_bytes() == data


def test_faults_of_one_kind_are_folded(yanli: Yanli, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("主人■坐\n" * 37 + "賓□降\n" * 3, encoding="utf-8")
    assert yanli("corpus", "add", "x.txt", "--family", "plain", "--db", "s").code == 0
    told = yanli("corpus", "report", "x", "--db", "s").out
    assert (told.count("black"), told.count("illegible")) == (10 + 2, 3 + 1)
    assert "尚有 and more (--all lists them)　■ 墨釘 printed black 27\n" in told
    every = yanli("corpus", "report", "x", "--all", "--db", "s").out
    assert (every.count("black"), "--all" in every) == (37 + 1, False)
    assert len(yanli("corpus", "report", "x", "--json", "--db", "s").data()[0]["faults"]) == 40


def test_an_unknown_make_is_no_damage(yanli: Yanli, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("鄉射之禮。主人戒賓。" * 50, encoding="utf-8")
    assert "損" not in yanli("corpus", "add", "x.txt", "--db", "s").err
    assert yanli("corpus", "list", "--json", "--db", "s").data()[0]["faults"] == 0
    told = yanli("corpus", "report", "x", "--db", "s").out
    assert "損 damaged　無 nothing" in told
    assert "體例未詳 of no known make　no family shows enough of its signs" in told
    assert "[一-鿿]" not in told


def test_a_work_is_taken_out_by_the_beginning_of_its_name(yanli: Yanli, store: Path, tmp_path: Path) -> None:
    (tmp_path / "cope.txt").write_text(COPY, encoding="utf-8")
    assert yanli("corpus", "add", "cope.txt", "--db", str(store)).code == 0
    # Two begin so: none is taken out, nor what is named with it.
    done = yanli("corpus", "remove", "other", "cop", "--db", str(store))
    assert (done.code, "2 works" in done.err) == (1, True)
    assert len(yanli("corpus", "list", "--db", str(store), "--json").data()) == 3
    done = yanli("corpus", "remove", "oth", "cope", "--db", str(store))
    assert (done.code, done.err) == (0, "出 removed　other.txt\n出 removed　cope.txt\n")
    assert [each["entry"]["name"] for each in yanli("corpus", "list", "--db", str(store), "--json").data()] == [
        "copy.txt"
    ]


def test_a_work_without_a_title_is_named_once(yanli: Yanli, tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("主人坐取爵于上篚以降（將獻賓也）\n賓降（從主人也）\n", encoding="utf-8")
    assert yanli("corpus", "add", "own.txt", "--family", "plain", "--db", "s").code == 0
    told = yanli("show", "鄉射禮", "--clause", CLAUSE, "--db", "s").out
    assert "見 own.txt 行 line 1" in told


def test_where_a_stage_is_written_is_as_the_help_says(yanli: Yanli, tmp_path: Path) -> None:
    told = yanli("stage", "--help").out
    assert "not to the screen" not in " ".join(told.split())
    assert "RITE.html" in told
    assert yanli("stage", "鄉射禮").code == 0
    assert (tmp_path / "xiangshe.html").is_file()
