"""A section that is told late and done early: its clauses are played then, as themselves, and not where they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from yanli.rehearsal import check_rite, rehearse

if TYPE_CHECKING:
    from pathlib import Path

RITE = """
name = "遲言"
slug = "told-late"
like = "xiangshe"

[scenario."大夫"]
type = "count"
default = 2

[scenario."諸公"]
type = "count"
default = 0
"""
CAST = "\n".join(
    f'[[cast]]\nname = "{name}"\n{count}place = "西階前"\nfacing = "東"\n'
    for name, count in (("主人", ""), ("賓", ""), ("大夫", 'count = "大夫"\n'), ("諸公", 'count = "諸公"\n'))
)
SCORE = """
## 一人舉觶 · one-raises

主人拜
    主人 拜
舉觶者降
    賓 降
工入
    主人 立 阼階前 西面

## 賓出 · guest-leaves

賓出
    賓 出
主人送
    如 主人升

## 遵者入 · the-honoured 若 有 大夫 當 「舉觶者降」 畢

遵者入
    主人 揖 賓

### 獻 每 x 在 大夫

主人獻之
    主人 揖 x
大夫升
    x 拜

### 畢

皆降
    賓 拜
應者皆拜
    應 賓 拜
        主人 答拜

## 主人升 · host-goes-up

舉觶者降矣
    主人 興
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("rites") / "told-late"
    made.mkdir()
    for name, text in {"rite.toml": RITE, "cast.toml": CAST, "groups.toml": "", "late.pu": SCORE}.items():
        (made / name).write_text(text.lstrip("\n"), encoding="utf-8")
    return made


def order(folder: Path, *sets: str) -> list[tuple[str, int]]:
    """The clauses as they were played, each with how many stood above it."""
    performance = rehearse(folder, sets=sets)
    plays = sorted(performance.plays, key=lambda play: (play.start, play.begun))
    return [(performance.clause(play.clause).text, len(play.via)) for play in plays]


def test_it_is_done_where_it_is_hung_and_nowhere_else(folder: Path) -> None:
    turn = [("主人獻之", 0), ("大夫升", 0)]
    assert order(folder) == [
        ("主人拜", 0), ("舉觶者降", 0), ("遵者入", 0), *turn, *turn, ("皆降", 0), ("應者皆拜", 0), ("工入", 0),
        ("賓出", 0), ("主人送", 0), ("舉觶者降矣", 1), ("舉觶者降矣", 0),
    ]  # fmt: skip


def test_its_guard_holds(folder: Path) -> None:
    assert [words for words, _ in order(folder, "大夫=0")] == [
        "主人拜", "舉觶者降", "工入", "賓出", "主人送", "舉觶者降矣", "舉觶者降矣",
    ]  # fmt: skip


def test_it_is_found_as_a_section_and_its_answers_are_in_force(folder: Path) -> None:
    performance = rehearse(folder)
    begin = performance.played("舉觶者降").start
    events = performance.chosen("遵者入", "遵者入")
    assert [event.info.verb for event in events if event.actor.name == "主人"] == ["揖", "揖", "揖", "答拜"]
    assert begin < events[0].start < performance.played("工入").start


def test_it_is_sound(folder: Path) -> None:
    report = check_rite(folder)
    assert [finding.cause for finding in report.findings if finding.grade == "error"] == []


def test_it_may_not_wait_for_itself(folder: Path, tmp_path: Path) -> None:
    made = tmp_path / "waits"
    made.mkdir()
    for path in folder.iterdir():
        text = path.read_text(encoding="utf-8").replace("當 「舉觶者降」 畢", "當 「大夫升」 畢")
        (made / path.name).write_text(text, encoding="utf-8")
    assert "endless-when" in [finding.code for finding in check_rite(made).findings]


def test_a_place_that_there_is_not_is_told_with_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "rite.toml").write_text('name = "甲"\nslug = "one"\nlike = "xiangshe"\n', encoding="utf-8")
    (tmp_path / "one.pu").write_text("## 甲 · one\n\n主人降\n    主人 適 矢×4\n", encoding="utf-8")
    (fault,) = (each for each in rehearse(tmp_path).findings if each.code == "unknown-place")
    assert fault.span is not None
    assert (fault.span.file.rpartition("/")[2], fault.span.line) == ("one.pu", 3)
