"""Search on the command line: by whom it is said, however he is called; where a hit stands; how many there are."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from yanli.cli import main

WORK = """　　主人坐取爵于上篚以降〈注將獻賓也〉賓降〈注從主人也
張氏爾岐曰賓降從主人〉主人阼階前西面坐奠爵興辭降〈注重以主人事煩賓也〉賓對
"""
Yanli = Callable[..., tuple[int, str, str]]


@pytest.fixture
def yanli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Yanli:
    """Calls the command line in a folder with a store, and gives its code and what it wrote."""
    monkeypatch.chdir(tmp_path)

    def call(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["yanli", "corpus", *words, "--db", "s"])
        with pytest.raises(SystemExit) as ended:
            main()
        written = capsys.readouterr()
        return int(ended.value.code or 0), written.out, written.err

    (tmp_path / "work.txt").write_text(WORK, encoding="utf-8")
    assert call("add", "work.txt", "--family", "inline")[0] == 0
    return call


@pytest.mark.parametrize("name", ["鄭玄", "郑玄", "鄭氏康成", "鄭康成", " 郑注 "])
def test_a_speaker_is_known_by_any_of_his_names(yanli: Yanli, name: str) -> None:
    code, out, _ = yanli("search", "賓", "--speaker", name, "--json")
    assert (code, [hit["speaker"] for hit in json.loads(out)["hits"]]) == (0, ["鄭玄", "鄭玄"])
    code, out, _ = yanli("show", "work", "--speaker", name)
    assert code == 0
    assert "將獻賓也" in out
    assert "賓降從主人" not in out


def test_who_does_not_speak_here_is_told_with_those_who_do(yanli: Yanli) -> None:
    for words in (("search", "賓"), ("show", "work"), ("collate", "work", "--rite", "鄉射禮", "--layer", "注")):
        code, _, err = yanli(*words, "--speaker", "鄭衆")
        assert code == 1
        assert "no-speaker" in err
        assert "鄭玄" in err
    code, _, err = yanli("search", "賓", "--speaker", "張尓岐")
    assert "nearest" in err
    assert "張爾岐" in err


def test_a_hit_tells_its_line_and_nothing_shown_is_not_nothing_found(yanli: Yanli) -> None:
    code, out, _ = yanli("search", "賓降從", "--json")
    (hit,) = json.loads(out)["hits"]
    assert (code, hit["line"], hit["page"]) == (0, 2, None)
    assert "行 2" in yanli("search", "賓降從")[1]
    code, out, _ = yanli("search", "賓", "--limit", "0")
    assert code == 0
    # By hand: 賓 stands in the first line once in the canon (賓降) and once in a note (將獻賓也), in the second once in
    # the remark (賓降從主人), once in the note (煩賓也), once in the canon (賓對).
    assert "共 in all 5" in out


def test_a_name_moves_no_terminal(yanli: Yanli, tmp_path: Path) -> None:
    (tmp_path / "\x1b[31m賊\u202e\n名").write_text("主人\u3000戒賓", encoding="utf-8")
    told = yanli("add", "\x1b[31m賊\u202e\n名")[2]
    for out in (told, yanli("list")[1], yanli("report", "\x1b[31m賊")[1], yanli("search", "戒賓")[1]):
        assert "\\u001b[31m賊\\u202e 名" in out
        assert "\x1b" not in out
