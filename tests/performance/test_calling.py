"""A rite that plays passages of another (如 RITE.PASSAGE): what they do counts to the clause that calls them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from yanli.errors import RiteError
from yanli.notation.rite import load_rite
from yanli.rehearsal import check_rite, rehearse
from yanli.render.tally import tally

if TYPE_CHECKING:
    from pathlib import Path

    from yanli.performance.perform import Performance

OTHER = "鄉射禮"
LAST = "設楅取矢"
RITE = """
name = "若射"
slug = "if-shooting"
like = "xiangshe"
calls = ["xiangshe"]
rounds = ["鄉射禮.第一番射"]

[shooting."鄉射禮.第一番射"]
pairs = ["三耦"]
teacher = "司射"
"""


def sections() -> list[str]:
    """The sections of the other rite from its first to the one in which arrows are first collected."""
    names = [section.name for section in load_rite(OTHER).sections]
    return names[: names.index(LAST) + 1]


def made(tmp_path: Path, called: list[str], rite: str = RITE) -> Path:
    folder = tmp_path / "if-shooting"
    folder.mkdir()
    lines = ["## 若射 · shoot", "", "若射", "    主人 拜", "如鄉射之禮", *(f"    如 {one}" for one in called)]
    (folder / "rite.toml").write_text(rite.lstrip("\n"), encoding="utf-8")
    (folder / "if.pu").write_text("\n".join([*lines, "既射", "    主人 拜"]) + "\n", encoding="utf-8")
    return folder


def acts(performance: Performance) -> list[tuple[str, str, str, bool | None]]:
    return [(event.actor.name, event.info.verb, event.spot.name, event.hit) for event in performance.events]


@pytest.fixture(scope="module")
def called(tmp_path_factory: pytest.TempPathFactory) -> Performance:
    return rehearse(made(tmp_path_factory.mktemp("rites"), [f"{OTHER}.{name}" for name in sections()]))


def test_it_plays_what_the_other_rite_plays(called: Performance) -> None:
    other = rehearse(OTHER)
    names = set(sections())
    wanted = [one for one, event in zip(acts(other), other.events, strict=True) if other.section(event.clause) in names]
    # Our own two bows stand before and after.
    assert acts(called)[1:-1] == wanted


def test_it_counts_to_the_clause_that_calls(called: Performance) -> None:
    within = [event for event in called.events if called.clause(event.clause).text == "如鄉射之禮"]
    assert len(within) == len(called.events) - 2
    assert {event.via for event in called.events} == {()}
    assert {play.clause for play in called.plays} == {0, 1, 2}
    assert all(event.info.warrant for event in within if event.info.origin == "text")
    shots = [event.info.warrant for event in within if event.info.verb == "射" and event.actor.base == "上射"]
    assert set(shots) == {f"{OTHER}「乃射」", f"{OTHER}「拾發以將乘矢」"}


def test_its_rounds_are_known(called: Performance) -> None:
    (told,) = tally(called)["uncounted"]
    assert (told["name"], told["arrows"]) == (f"{OTHER}.第一番射", 3 * 2 * 4 + 4)


def test_only_its_own_clauses_are_checked(tmp_path: Path) -> None:
    folder = made(tmp_path, [f"{OTHER}.{name}" for name in sections()])
    report = check_rite(folder)
    assert [finding.cause for finding in report.findings if finding.grade == "error"] == []
    assert (report.clauses, report.performed, report.bare) == (3, 3, 0)


def test_persons_are_exchanged(tmp_path: Path) -> None:
    performance = rehearse(made(tmp_path, [f"{OTHER}.主人獻賓 賓→有司"]))
    assert {event.actor.name for event in performance.events} == {"主人", "有司", "贊者"}


def test_a_passage_that_is_not_there_is_told(tmp_path: Path) -> None:
    report = check_rite(made(tmp_path, [f"{OTHER}.無此節"]))
    assert [finding.code for finding in report.findings if finding.grade == "error"] == ["unknown-passage"]


def test_a_rite_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RiteError):
        rehearse(made(tmp_path, [], RITE.replace('calls = ["xiangshe"]', 'calls = ["無此禮"]')))


def named(tmp_path: Path, body: list[str], rite: str = RITE) -> Path:
    """A rite whose calls stand in a 法, as where they must come between clauses of its own."""
    folder = tmp_path / "if-shooting"
    folder.mkdir()
    lines = ["## 若射 · shoot", "", "若射", "    主人 拜", "如鄉射之禮", *(f"    {line}" for line in body)]
    (folder / "rite.toml").write_text(rite.lstrip("\n"), encoding="utf-8")
    (folder / "if.pu").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def test_what_answers_there_answers_where_a_passage_of_ones_own_calls_it(tmp_path: Path) -> None:
    body = ["如 諸節", "法 諸節", *(f"    如 {OTHER}.{name}" for name in sections())]
    performance = rehearse(named(tmp_path, body))
    shots = [event for event in performance.events if event.info.verb == "射" and event.actor.base in {"上射", "下射"}]
    flags = [event for event in performance.events if event.info.verb == "舉"]
    # 舉旌以宮: the flag goes up once for each arrow that struck.
    assert len(shots) == 3 * 2 * 4
    assert len(flags) == sum(event.hit is True for event in shots) > 0


def test_a_round_is_that_of_the_passage_called_not_of_what_it_plays_again(tmp_path: Path) -> None:
    # 鄉射禮's second shooting plays 三耦初射.發 again, which stands in its first.
    second = (
        f'rounds = ["{OTHER}.第一番射", "{OTHER}.第二番射"]\n\n[shooting."{OTHER}.第二番射"]\npairs = ["三耦"]\n\n'
        f'[shooting."{OTHER}.第一番射"]\npairs = ["三耦"]\nteacher = "司射"\n'
    )
    rite = RITE[: RITE.index("rounds = ")] + second
    more = ["比眾耦", "三耦拾取矢", "眾賓受弓矢", "三耦再射釋獲"]
    performance = rehearse(named(tmp_path, [f"如 {OTHER}.{name}" for name in [*sections(), *more]], rite))
    told = tally(performance)
    arrows = {one["round"]: one["arrows"] for one in (*told["rounds"], *told["uncounted"])}
    assert arrows == {1: 3 * 2 * 4 + 4, 2: 3 * 2 * 4}


def test_a_piece_of_music_is_exchanged(tmp_path: Path) -> None:
    body = ["如 歌 騶虞→貍首", "法 歌", "    工 奏 騶虞"]
    performance = rehearse(named(tmp_path, body))
    assert {event.info.music for event in performance.events if event.info.verb == "奏"} == {"貍首"}
