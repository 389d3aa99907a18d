"""Search on the command line: by whom it is said, however he is called; where a hit stands; how many there are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Done, Yanli

WORK = """　　主人坐取爵于上篚以降〈注將獻賓也〉賓降〈注從主人也
張氏爾岐曰賓降從主人〉主人阼階前西面坐奠爵興辭降〈注重以主人事煩賓也〉賓對
"""


@pytest.fixture
def corpus(yanli: Yanli, tmp_path: Path) -> Yanli:
    """Calls the commands of the corpus in a folder with a store of one work."""

    def call(*words: str) -> Done:
        return yanli("corpus", *words, "--db", "s")

    (tmp_path / "work.txt").write_text(WORK, encoding="utf-8")
    assert call("add", "work.txt", "--family", "inline").code == 0
    return call


@pytest.mark.parametrize("name", ["鄭玄", "郑玄", "鄭氏康成", "鄭康成", " 郑注 "])
def test_a_speaker_is_known_by_any_of_his_names(corpus: Yanli, name: str) -> None:
    code, out, _ = corpus("search", "賓", "--speaker", name, "--json")
    assert (code, [hit["speaker"] for hit in json.loads(out)["hits"]]) == (0, ["鄭玄", "鄭玄"])
    code, out, _ = corpus("show", "work", "--speaker", name)
    assert code == 0
    assert "將獻賓也" in out
    assert "賓降從主人" not in out


def test_who_does_not_speak_here_is_told_with_those_who_do(corpus: Yanli) -> None:
    for words in (("search", "賓"), ("show", "work"), ("collate", "work", "--rite", "鄉射禮", "--layer", "注")):
        code, _, err = corpus(*words, "--speaker", "鄭衆")
        assert code == 1
        assert "no-speaker" in err
        assert "鄭玄" in err
    code, _, err = corpus("search", "賓", "--speaker", "張尓岐")
    assert "nearest" in err
    assert "張爾岐" in err


def test_a_hit_tells_its_line_and_nothing_shown_is_not_nothing_found(corpus: Yanli) -> None:
    code, out, _ = corpus("search", "賓降從", "--json")
    (hit,) = json.loads(out)["hits"]
    assert (code, hit["line"], hit["page"]) == (0, 2, None)
    assert "行 2" in corpus("search", "賓降從")[1]
    code, out, _ = corpus("search", "賓", "--limit", "0")
    assert code == 0
    # By hand: 賓 stands in the first line once in the canon (賓降) and once in a note (將獻賓也), in the second once in
    # the remark (賓降從主人), once in the note (煩賓也), once in the canon (賓對).
    assert "共 in all 5" in out


def test_a_name_moves_no_terminal(corpus: Yanli, tmp_path: Path) -> None:
    (tmp_path / "\x1b[31m賊\u202e\n名").write_text("主人\u3000戒賓", encoding="utf-8")
    told = corpus("add", "\x1b[31m賊\u202e\n名")[2]
    for out in (told, corpus("list")[1], corpus("report", "\x1b[31m賊")[1], corpus("search", "戒賓")[1]):
        assert "\\u001b[31m賊\\u202e 名" in out
        assert "\x1b" not in out
