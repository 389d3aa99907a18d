"""Tables and the card of judging, as they are read and printed."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path

import pytest

from yanli.cli import main
from yanli.render.judging import judging_card, judging_data
from yanli.render.tables import HEADER, list_text, table_csv, table_data, table_text
from yanli.tables import find_table, list_tables


def test_a_table_is_printed_in_columns_with_the_warrant_of_each_cell() -> None:
    lines = table_text(find_table("耦")).splitlines()
    assert lines[0] == "耦 · Pairs that shoot　（pairs）"
    rows = {line.split()[0]: line.split()[1:] for line in lines if line.startswith("  ") and line.split()}
    assert rows["大射"] == ["賓射", "燕射", "鄉射"]
    assert rows["天子"] == ["六耦", "●", "六耦", "●", "三耦", "○", "無文"]
    assert rows["諸侯畿外"][:2] == ["三耦", "●異"]
    assert "○ 推 somebody infers it" in lines[-1]


def test_why_shows_words_source_and_who_infers() -> None:
    text = table_text(find_table("侯數"), why=True)
    assert "「畿外卿大夫射侯無文於諸侯既得三侯其卿大夫降君一等則糝侯豻侯也」章如愚《羣書考索》卷三十七" in text
    assert "孔穎達推之：畿外卿大夫射侯無文；諸侯三侯，其卿大夫降君一等" in text
    assert "考於 sought in" in text


def test_english_stands_beside_the_chinese() -> None:
    text = table_text(find_table("樂"), english=True)
    assert "貍首 Wild Cat's Head ●" in text
    assert "諸侯 lords" in text


@pytest.mark.parametrize("english", [False, True])
@pytest.mark.parametrize("why", [False, True])
def test_every_table_can_be_printed(*, english: bool, why: bool) -> None:
    for head in list_tables():
        text = table_text(find_table(head.name), english=english, why=why)
        assert text.startswith(f"{head.zh} · {head.en}")
        assert all(row in text for row in find_table(head.name).rows)


def test_csv_has_a_line_for_each_cell_and_each_reading() -> None:
    found = find_table("樂縣")
    rows = list(csv.DictReader(io.StringIO(table_csv(found))))
    assert tuple(rows[0]) == HEADER
    assert len(rows) == len(found.cells()) + sum(len(cell.readings) for cell in found.cells())
    half = next(row for row in rows if row["row"] == "諸侯之士" and row["column"] == "肆" and not row["reading"])
    assert (half["number"], half["unit"], half["warrant"]) == ("1/2", "肆", "stated")
    silent = next(row for row in rows if row["warrant"] == "無文")
    assert (silent["is"], silent["number"]) == ("", "")


def test_data_has_exact_numbers_and_nothing_for_what_no_text_has() -> None:
    data = table_data(find_table("耦"))
    cell = data["rows"]["諸侯畿外"]["大射"]
    assert (cell["is"], cell["number"], cell["unit"], cell["warrant"]) == ("三耦", "3", "耦", "stated")
    assert cell["readings"][0]["by"] == "郝敬"
    silent = data["rows"]["天子"]["鄉射"]
    assert (silent["is"], silent["number"], silent["warrant"]) == (None, None, "無文")


def test_the_list_names_every_table() -> None:
    text = list_text(list_tables())
    assert all(head.name in text and head.zh in text for head in list_tables())


def test_the_card_has_the_five_things_in_their_order() -> None:
    assert [each["thing"] for each in judging_data()["things"]] == ["和", "容", "主皮", "和容", "興舞"]
    card = judging_card(lines=3)
    assert "和　harmony" in card
    assert "鄭司農 Zheng Zhong：閨門內行" in card
    assert card.count("□") == 15


# ── the commands ────────────────────────────────────────────────────────────────────────────────────────────────────


def call(*words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """Exit code and what was written to both streams."""
    monkeypatch.setattr(sys, "argv", ["yanli", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out, err


def test_the_commands_print_and_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = call("tables", monkeypatch=monkeypatch, capsys=capsys)
    assert (code, err) == (0, "")
    assert "pairs" in out
    code, out, _ = call("tables", "耦", "--json", monkeypatch=monkeypatch, capsys=capsys)
    assert json.loads(out)["rows"]["天子"]["大射"]["number"] == "6"
    path = tmp_path / "pairs.csv"
    assert call("tables", "pairs", "-o", str(path), monkeypatch=monkeypatch, capsys=capsys) == (0, "", "")
    assert path.read_text(encoding="utf-8").startswith("table,row,column")
    card = tmp_path / "card.txt"
    assert call("score", "--judge", "-o", str(card), monkeypatch=monkeypatch, capsys=capsys) == (0, "", "")
    assert card.read_text(encoding="utf-8").startswith("五物")


def test_the_emendations_are_listed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call("tables", "--emended", monkeypatch=monkeypatch, capsys=capsys)
    assert code == 0
    assert "434　訛　「方者也用布五尺」→「方者也用布五丈」　編者" in out
    assert "證「方者也用布五丈」" in out
    code, out, _ = call("tables", "--emended", "--json", monkeypatch=monkeypatch, capsys=capsys)
    assert json.loads(out)["source"] == "考索"


def test_an_unknown_table_is_told_with_the_nearest(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = call("tables", "holder", monkeypatch=monkeypatch, capsys=capsys)
    assert (code, out) == (1, "")
    assert "no table is called holder" in err
    assert "nearest: holders" in err
