"""On the command line a damaged work is shown as it was emended: when somebody accepted that, and only then."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from yanli.cli import main

WORK = """五禮通考 (四庫全書本)/卷162

　　主人坐取爵于上篚以降〈注將□賓也〉賓降〈注從主人也〉主人阼階前西面坐奠爵興辭降〈注重以主人事煩賓也〉賓對主人
　　坐取爵興適洗南面坐奠爵于篚下盥洗
"""
CLAUSE = "主人坐取爵于上篚以降"
BY = ("--by", "阮元", "--reason", "依鄭注")
Yanli = Callable[..., str]


@pytest.fixture
def yanli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Yanli:
    """Calls the command line in an empty folder, and gives what it wrote."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    def call(*words: str) -> str:
        monkeypatch.setattr(sys, "argv", ["yanli", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code in {0, None}, words
        return capsys.readouterr().out

    return call


def everywhere(yanli: Yanli, event: str) -> dict[str, str]:
    """What show and why write of the clause, as text and as JSON."""
    return {
        "show": yanli("show", "鄉射禮", "--clause", CLAUSE, "--db", "s"),
        "show --json": yanli("show", "鄉射禮", "--clause", CLAUSE, "--db", "s", "--json"),
        "why": yanli("why", "鄉射禮", event, "--db", "s"),
        "why --json": yanli("why", "鄉射禮", event, "--db", "s", "--json"),
    }


def test_an_emendation_is_read_once_it_is_accepted_and_no_more_when_it_is_rejected(
    yanli: Yanli, tmp_path: Path
) -> None:
    (tmp_path / "work.txt").write_text(WORK, encoding="utf-8")
    yanli("corpus", "add", "work.txt", "--db", "s")
    events = yanli("perform", "鄉射禮", "--from", CLAUSE, "--to", CLAUSE, "--json")
    event = str(json.loads(events.splitlines()[0])["n"])
    at = WORK.index("□")
    yanli("corpus", "emend", "work", "--propose", f"{at}:{at + 1}=獻", *BY, "--db", "s")
    proposed = everywhere(yanli, event)
    for name, written in proposed.items():
        assert "將□賓也" in written, name
        assert "將獻賓也" not in written, name
    listed = json.loads(yanli("corpus", "emend", "work", "--json", "--db", "s"))
    number = str(1 + next(i for i, each in enumerate(listed) if each["emended"] == "獻"))
    yanli("corpus", "emend", "work", "--accept", number, *BY, "--db", "s")
    for name, written in everywhere(yanli, event).items():
        assert "將獻賓也" in written, name
        assert "將□賓也" not in written, name
        # What stands in the work and who emended it is told beside it.
        assert "阮元" in written, name
        assert "□" in written, name
        assert "json" in name or "校 emended" in written, name
    (data,) = json.loads(yanli("show", "鄉射禮", "--clause", CLAUSE, "--db", "s", "--json"))
    (note,) = (each for each in data["sayings"] if each["layer"] == "注")
    assert note["works"][0]["emended"] == [{"found": "□", "words": "獻", "reviewer": "阮元", "reason": "依鄭注"}]
    yanli("corpus", "emend", "work", "--reject", number, *BY, "--db", "s")
    assert everywhere(yanli, event) == proposed
