"""The tally: figures counted by hand from the records in ``tests/counts``, by the words on counting (數獲)."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from yanli.errors import ScenarioError
from yanli.performance.perform import Performance
from yanli.performance.record import rite_of
from yanli.rehearsal import rehearse
from yanli.render.tally import blank_csv, blank_sheet, tally, tally_text

RITE = "鄉射禮"
COUNTS = Path(__file__).resolve().parents[1] / "counts"
THREE = ("眾耦=0", "賓主與射=否", "大夫與射=否")
SEVEN = ("眾耦=2", "大夫=1")


def scored(record: str, *sets: str) -> dict[str, Any]:
    return tally(rehearse(RITE, sets=sets, record=str(COUNTS / f"xiangshe-{record}.csv")))


@pytest.fixture(scope="module")
def three() -> dict[str, Any]:
    return scored("three-pairs", *THREE)


@pytest.fixture(scope="module")
def seven() -> dict[str, Any]:
    return scored("seven-pairs", *SEVEN)


@pytest.fixture(scope="module")
def blunt() -> dict[str, Any]:
    return scored("not-pierced", *THREE)


@pytest.fixture(scope="module")
def everybody() -> Performance:
    return rehearse(RITE, sets=["眾耦=3", "大夫=2", "勝=全"])


def figures(each: dict[str, Any]) -> dict[str, tuple[int, int, int, str]]:
    """Of each side: hits, sticks, the count that was made, and how it is said."""
    return {
        side: (told["hits"], told["sticks"], told["counted"], told["words"]) for side, told in each["sides"].items()
    }


def test_three_pairs(three: dict[str, Any]) -> None:
    second, third = three["rounds"]
    # 上射 1100 1011 0001, 下射 0010 0000 1010; then 上射 0000 0100 1000, 下射 1001 0111 0000.
    assert figures(second) == {"右": (6, 6, 6, "三純"), "左": (3, 3, 3, "一純一奇")}
    assert figures(third) == {"右": (2, 2, 2, "一純"), "左": (5, 5, 5, "二純一奇")}
    assert (second["winner"], second["surplus"], second["announcement"]) == ("右", "一純一奇", "右賢於左一純一奇")
    assert (third["winner"], third["surplus"], third["announcement"]) == ("左", "一純一奇", "左賢於右一純一奇")
    assert [(each["arrows"], each["hits"]) for each in three["rounds"]] == [(24, 9), (24, 7)]
    assert [each["announcer"] for each in three["rounds"]] == ["釋獲者", "釋獲者"]


def test_the_first_round_is_called_but_not_counted(three: dict[str, Any]) -> None:
    (first,) = three["uncounted"]
    # The teacher's four and the three pairs' twenty-four; 4 and 1, 1, 0, 2, 1, 0 of them hit.
    assert (first["round"], first["arrows"], first["hits"]) == (1, 28, 9)
    assert [shooter["name"] for shooter in first["shooters"]][:3] == ["司射", "上射.1", "下射.1"]
    assert all(shooter["sticks"] == 0 and not shooter["drinks"] for shooter in first["shooters"])


def test_seven_pairs(seven: dict[str, Any]) -> None:
    second, third = seven["rounds"]
    # 上射 3 2 4 2 2 0 3, 下射 1 2 1 1 3 2 1.
    assert figures(second) == {"右": (16, 16, 16, "八純"), "左": (11, 11, 11, "五純一奇")}
    assert second["announcement"] == "右賢於左二純一奇"
    # 上射 1外01 1000 0101 0010 1010 0000 0110, 下射 0110 1100 外111 0101 1011 1001 0000; 不鼓不釋.
    assert figures(third) == {"右": (11, 10, 10, "五純"), "左": (15, 14, 14, "七純")}
    assert third["announcement"] == "左賢於右二純"


def test_the_whole_losing_side_drinks(seven: dict[str, Any]) -> None:
    second, third = seven["rounds"]
    # 大夫.1 hit three and his partner two: it is the side that lost.
    lower = {"下射.1", "下射.2", "下射.3", "主人", "大夫.1", "眾賓.2", "眾賓.5"}
    upper = {"上射.1", "上射.2", "上射.3", "賓", "眾賓.4", "眾賓.1", "眾賓.3"}
    assert (second["losers"], set(second["drink"]), len(second["drink"])) == ("左", lower, 7)
    assert (third["losers"], set(third["drink"]), len(third["drink"])) == ("右", upper, 7)
    assert {shooter["name"] for shooter in second["shooters"] if shooter["drinks"]} == lower


def test_each_shooter_has_his_row(seven: dict[str, Any]) -> None:
    rows = seven["rounds"][1]["shooters"]
    assert [row["pair"] for row in rows] == [pair for pair in range(1, 8) for _ in range(2)]
    guest = next(row for row in rows if row["name"] == "賓")
    assert (guest["pair"], guest["list"], guest["side"], guest["marks"]) == (4, "賓主耦", "上射", "0010")
    third = next(row for row in rows if row["name"] == "下射.3")
    assert (third["marks"], third["arrows"], third["hits"], third["sticks"]) == ("外111", 4, 4, 3)


def test_what_did_not_pierce_or_was_off_the_drum_is_not_laid(blunt: dict[str, Any]) -> None:
    second, third = blunt["rounds"]
    # 上射 1不10 0000 1111, 下射 不不00 0000 0001; 不貫不釋.
    assert figures(second) == {"右": (7, 6, 6, "三純"), "左": (3, 1, 1, "一奇")}
    assert second["announcement"] == "右賢於左二純一奇"
    # 上射 外外外外 1000 0000, 下射 1111 0100 0110; 不鼓不釋.
    assert figures(third) == {"右": (5, 1, 1, "一奇"), "左": (7, 7, 7, "三純一奇")}
    assert third["announcement"] == "左賢於右三純"


def test_ten_pairs_make_a_heap(everybody: Performance) -> None:
    # 3 + 1 + 2 + 3 pairs, all hit: 36 sticks a side are eighteen 純, one heap of ten and eight beside it.
    for each in tally(everybody)["rounds"]:
        for told in each["sides"].values():
            assert (told["counted"], told["純"], told["奇"], told["words"]) == (36, 18, 0, "十八純")
            assert (told["heaps"], told["pairs_beside"]) == (1, 8)


def test_when_the_sides_are_even_nobody_drinks(everybody: Performance) -> None:
    for each in tally(everybody)["rounds"]:
        assert (each["winner"], each["surplus"], each["announcement"]) == ("鈞", None, "左右鈞")
        assert (each["losers"], each["drink"]) == (None, [])
        assert each["tie"]["crux"] == "鈞飲"
        assert "敖繼公" in each["tie"]["reading"]


def test_the_words_are_those_of_the_event(everybody: Performance) -> None:
    for performance in (everybody, rehearse(RITE, sets=[*THREE, "勝=左"])):
        for each in tally(performance)["rounds"]:
            event = performance.data(performance.events[each["event"] - 1])
            assert (event.actor, event.target, event.speech) == ("釋獲者", "賓", each["announcement"])


def test_of_slots_that_nobody_fills_the_words_stay() -> None:
    performance = rehearse(RITE, sets=[*THREE, "大夫=1", "大夫與射=是", "勝=右"])
    said = [performance.data(event).speech or "" for event in performance.events]
    assert not any("{賢}" in words for words in said)
    assert "{某}御于子" in said


def test_it_is_told_in_text(seven: dict[str, Any]) -> None:
    text = tally_text(seven)
    for words in ("釋獲者告曰「右賢於左二純一奇」", "釋獲者告曰「左賢於右二純」", "獲而未釋獲", "大夫.1", "五純一奇"):
        assert words in text
    json.dumps(seven)


# ── sheets ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def small() -> Performance:
    return rehearse(RITE, sets=THREE)


def test_the_sheet_has_a_box_for_each_arrow(small: Performance, everybody: Performance) -> None:
    # One teacher, and six shooters in each of three rounds.
    assert blank_sheet(small).count("□") == 4 * (1 + 3 * 6)
    # Nine pairs in the second and the third.
    sheet = blank_sheet(everybody)
    assert sheet.count("□") == 4 * (1 + 6 + 2 * 18)
    for words in ("第二番射 round 2", "主人", "host", "不貫", "did not pierce", "miss"):
        assert words in sheet


def test_the_blank_record_names_everybody_in_order(small: Performance) -> None:
    rows = list(csv.reader(StringIO(blank_csv(small))))
    assert rows[0] == ["round", "pair", "shooter", "hits"]
    assert rows[1] == ["1", "0", "司射", ""]
    assert rows[2:4] == [["1", "1", "上射", ""], ["1", "1", "下射", ""]]
    assert len(rows) == 1 + 1 + 3 * 6


def test_a_sheet_says_for_whom_an_arrow_counts() -> None:
    """經：中離維綱揚觸梱復公則釋獲眾則不與；唯公所中中三侯皆獲: three marks, and the three targets."""
    sheet = blank_sheet(rehearse("大射儀"))
    assert sheet.count("公則釋獲，眾則不與") == sheet.count("(counts for the lord alone)") == 3
    assert sheet.count("公則三侯皆獲") == 3


def test_whoever_drinks_though_his_side_won_is_told_with_the_words() -> None:
    """若飲公…賓坐祭卒爵: the guest drinks before and after the lord, who lost, and is himself of the side that won."""
    second, third = tally(rehearse("大射儀", sets=["勝=右"]))["rounds"][:2]
    (note,) = (note for note in second["notes"] if note.startswith("賓 "))
    assert "「賓坐祭卒爵」" in note
    assert any(note.startswith("賓 ") for note in third["notes"])
    # Where the guest's side lost he drinks as one of it.
    for each in tally(rehearse("大射儀", sets=["勝=左"]))["rounds"]:
        assert not any(note.startswith("賓 ") for note in each["notes"])


def test_the_name_of_a_mark_leads_to_its_sign(tmp_path: Path) -> None:
    lines = [
        line + "留000" if line.startswith("1,1,上射") else line + "0000"
        for line in blank_csv(rehearse("大射儀")).splitlines()
    ]
    path = tmp_path / "shots.csv"
    path.write_text("\n".join(["round,pair,shooter,hits", *lines[1:]]), encoding="utf-8")
    with pytest.raises(ScenarioError) as caught:
        rehearse("大射儀", record=str(path))
    (fault,) = caught.value.findings
    assert (fault.code, fault.nearest) == ("unknown-mark", ("下",))
    assert "下 fell short 留" in (fault.known or "")


def test_a_sheet_for_the_field_says_who_they_are_and_of_which_rite_it_is(small: Performance) -> None:
    plain, told = blank_csv(small).splitlines(), blank_csv(small, told=True).splitlines()
    remarks = [line for line in told if line.startswith("#")]
    # Three pairs in each of three rounds, and the rite; a spreadsheet keeps a line without commas in one field.
    assert len(remarks) == 3 * 3 + 1
    assert not any("," in line for line in remarks)
    assert [line for line in told if line not in remarks] == plain
    assert told[2].startswith("# 第一番射 1: 上射 上射.1")
    assert rite_of("\n".join(told)) == small.rite.slug
    assert rite_of("\n".join(f"{line},,," for line in told)) == small.rite.slug
    assert rite_of("\n".join(plain)) is None


@settings(max_examples=4)
@given(marks=st.lists(st.text(alphabet="10不外", min_size=4, max_size=4), min_size=12, max_size=12))
def test_blank_filled_and_scored(marks: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    blank = blank_csv(rehearse(RITE, sets=THREE)).splitlines()
    # The first round as nobody hits; the teacher's row stays empty.
    filled = [f"{line}0000" if line.startswith("1,") and not line.startswith("1,0") else line for line in blank[:8]]
    filled += [line + four for line, four in zip(blank[8:], marks, strict=True)]
    path = tmp_path_factory.mktemp("field") / "shots.csv"
    path.write_text("\n".join(filled) + "\n", encoding="utf-8")
    rounds = tally(rehearse(RITE, sets=THREE, record=str(path)))["rounds"]
    assert [shooter["marks"] for each in rounds for shooter in each["shooters"]] == marks
    # A stick is laid in the second round for what pierced, in the third for what was on the drum too.
    for each, laid, four in ((rounds[0], "1外", marks[:6]), (rounds[1], "1", marks[6:])):
        right, left = (sum(sign in laid for row in four[start::2] for sign in row) for start in (0, 1))
        assert (each["sides"]["右"]["counted"], each["sides"]["左"]["counted"]) == (right, left)
        assert each["winner"] == ("右" if right > left else "左" if left > right else "鈞")
        assert len(each["drink"]) == (0 if right == left else 3)
