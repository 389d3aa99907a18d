"""How arrows fly when nobody wrote them down: the outcome wanted comes about, whoever shoots and however well."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yanli.errors import ScenarioError
from yanli.performance.fates import ARROWS, LOWER, UPPER, Model
from yanli.performance.shooting import in_pairs, numeral
from yanli.rehearsal import rehearse
from yanli.render.tally import tally

RITE = "鄉射禮"
STICKS = 80
SMALL = ("眾耦=0", "賓主與射=否", "大夫與射=否")

skills = st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0, 1))


def pairs_of(count: int) -> list[tuple[str, str]]:
    return [(f"上射.{number}", f"下射.{number}") for number in range(1, count + 1)]


@st.composite
def models(draw: st.DrawFn, outcome: str | None, least: int = 1) -> tuple[Model, int]:
    """A model for some pairs, of whom some have a skill of their own."""
    count = draw(st.integers(least, 40))
    pairs = pairs_of(count)
    own = draw(st.dictionaries(st.sampled_from([name for pair in pairs for name in pair]), skills, max_size=8))
    model = Model(
        draw(st.integers(0, 2**63)),
        draw(skills),
        skills=own,
        outcome=outcome,
        pairs=dict.fromkeys((1, 2, 3), pairs),
        sticks=STICKS,
    )
    return model, count


def shot(model: Model, number: int, count: int) -> list[tuple[str, str]]:
    """The marks of a round, each shooter's asked for by his own name."""
    return [
        (model.marks(number, pair, UPPER, upper), model.marks(number, pair, LOWER, lower))
        for pair, (upper, lower) in enumerate(pairs_of(count), 1)
    ]


def totals(rows: list[tuple[str, str]]) -> tuple[int, int]:
    return sum(upper.count("1") for upper, _ in rows), sum(lower.count("1") for _, lower in rows)


@given(models("右"))
def test_the_right_side_wins(made: tuple[Model, int]) -> None:
    model, count = made
    for number in (2, 3):
        right, left = totals(shot(model, number, count))
        assert right > left


@given(models("左"))
def test_the_left_side_wins(made: tuple[Model, int]) -> None:
    model, count = made
    for number in (2, 3):
        right, left = totals(shot(model, number, count))
        assert left > right


@given(models("鈞"))
def test_the_sides_are_even_and_no_stick_is_wanting(made: tuple[Model, int]) -> None:
    model, count = made
    for number in (2, 3):
        right, left = totals(shot(model, number, count))
        assert right == left
        # Two pairs' sticks are never touched, so that no pair is cut short.
        assert right + left <= STICKS - 16


@given(models("左", least=3), st.sampled_from([1, 2]))
def test_the_side_stays_ahead_at_whatever_arrow_the_sticks_end(made: tuple[Model, int], turn: int) -> None:
    # The other side shoots first, one arrow at a time or (in one reading) two.
    model, count = made
    rows = shot(model, 2, count)
    if sum(totals(rows)) <= STICKS - 16:
        return
    shots = [
        (1 if side else -1) if row[side][arrow] == "1" else 0
        for row in rows
        for first in range(0, ARROWS, turn)
        for side in (0, 1)
        for arrow in range(first, first + turn)
    ]
    ahead = list(accumulate(shots))
    assert min(ahead[3 * 2 * ARROWS - 1 :]) > 0


@given(models("右"))
def test_each_has_four_arrows_and_the_same_again(made: tuple[Model, int]) -> None:
    model, count = made
    rows = shot(model, 2, count)
    assert all(len(marks) == 4 and set(marks) <= {"0", "1"} for row in rows for marks in row)
    assert shot(model, 2, count) == rows


@given(models(None))
def test_as_it_falls_each_shoots_by_his_own_skill(made: tuple[Model, int]) -> None:
    model, count = made
    free = Model(model.seed, model.skill, skills=model.skills, outcome="任", pairs=model.pairs, sticks=STICKS)
    rows = shot(model, 2, count)
    assert shot(free, 2, count) == rows
    for pair, row in zip(pairs_of(count), rows, strict=True):
        for name, marks in zip(pair, row, strict=True):
            if model.skills.get(name, model.skill) == 0:
                assert marks == "0000"
            if model.skills.get(name, model.skill) == 1:
                assert marks == "1111"


def test_nobody_and_everybody_hits() -> None:
    assert Model(outcome="空").marks(2, 1, UPPER, "賓") == "0000"
    assert Model(outcome="全").marks(2, 9, LOWER, "主人") == "1111"


def test_pairs_that_nobody_told_of_are_shaped_each_for_itself() -> None:
    model = Model(3, outcome="左")
    for pair in range(1, 20):
        upper, lower = model.marks(2, pair, UPPER, "甲"), model.marks(2, pair, LOWER, "乙")
        assert lower.count("1") >= upper.count("1")
    even = Model(3, outcome="鈞")
    assert even.marks(2, 1, UPPER, "甲") == even.marks(2, 1, LOWER, "乙")


def test_numbers_are_said_in_the_words_own_way() -> None:
    assert [numeral(number) for number in (0, 3, 10, 12, 20, 40, 124)] == [
        "〇", "三", "十", "十二", "二十", "四十", "百二十四"
    ]  # fmt: skip
    # 二算為純, 一算為奇; what is left over is told only when there is something left over.
    assert [in_pairs(count) for count in (0, 1, 2, 3, 7, 20, 21)] == [
        "無",
        "一奇",
        "一純",
        "一純一奇",
        "三純一奇",
        "十純",
        "十純一奇",
    ]


# ── as played ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("outcome", "said"), [("右", "右賢於左"), ("左", "左賢於右"), ("鈞", "左右鈞")])
def test_every_counted_round_ends_as_asked(outcome: str, said: str) -> None:
    rounds = tally(rehearse(RITE, sets=[*SMALL, f"勝={outcome}", "seed=11"]))["rounds"]
    assert [each["round"] for each in rounds] == [2, 3]
    assert [each["winner"] for each in rounds] == [outcome, outcome]
    assert all(each["announcement"].startswith(said) for each in rounds)


@pytest.mark.slow
@pytest.mark.parametrize("outcome", ["右", "左", "鈞"])
def test_it_ends_so_too_where_the_sticks_run_out(outcome: str) -> None:
    played = rehearse(RITE, sets=["眾耦=18", f"勝={outcome}"], readings=["先聽幾節=敖繼公"])
    assert [each["winner"] for each in tally(played)["rounds"]] == [outcome, outcome]


def test_by_default_there_are_hits_and_a_winner() -> None:
    rounds = tally(rehearse(RITE))["rounds"]
    assert all(each["hits"] > 0 and each["winner"] == "右" for each in rounds)


def test_skills_are_each_shooters_own(tmp_path: Path) -> None:
    file = tmp_path / "skills.toml"
    file.write_text("眾耦 = 0\n[技]\n皆 = 0\n三耦 = 0.0\n上射.2 = 1.0\n賓 = 1\n", encoding="utf-8")
    second = tally(rehearse(RITE, file=file))["rounds"][0]
    marks = {shooter["name"]: shooter["marks"] for shooter in second["shooters"]}
    # Nothing was said of who is to win: each shoots as he can.
    assert {name for name, all_four in marks.items() if all_four == "1111"} == {"上射.2", "賓"}
    assert {all_four for name, all_four in marks.items() if name not in {"上射.2", "賓"}} == {"0000"}
    assert second["announcement"] == "右賢於左四純"


def test_the_skill_of_nobody_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "skills.toml"
    file.write_text("[技]\n上社.1 = 0.5\n寳 = 0.5\n", encoding="utf-8")
    with pytest.raises(ScenarioError) as refused:
        rehearse(RITE, file=file)
    assert [finding.code for finding in refused.value.findings] == ["unknown-role", "unknown-role"]
    assert "上射.1" in refused.value.findings[0].nearest
