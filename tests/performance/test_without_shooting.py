"""A rite in which nobody shoots, written whole: it plays, and what has no sense in it is refused plainly.

A cup goes round: 主人, 諸公, 賓, 眾賓, of whom there may be none of 諸公 and 眾賓.
"""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from yanli.errors import ScenarioError
from yanli.rehearsal import check_rite, rehearse

if TYPE_CHECKING:
    from pathlib import Path

    from yanli.performance.perform import Performance

MAIN = "from yanli.cli import main; main()"
FILES = {
    "rite.toml": """
name = "一觶"
slug = "one-round"

[scenario."眾賓"]
type = "count"
default = 0

[scenario."諸公"]
type = "count"
default = 0

[scenario."賓爵"]
type = "choice"
values = ["士", "大夫"]
default = "士"

[[cover]]
set = { "諸公" = 2, "眾賓" = 1 }

[[cover]]
set = { "諸公" = 1, "賓爵" = "大夫" }
""",
    "cast.toml": "\n".join(
        f'[[cast]]\nname = "{name}"\n{count}{stair}place = "{place}"\nfacing = "北"\n'
        for name, count, stair, place in (
            ("主人", "", "", "阼階前"),
            ("賓", "", "", "西階前"),
            ("諸公", 'count = "諸公"\n', "", "西階前"),
            ("眾賓", 'count = "眾賓"\n', "", "西階前"),
            ("小臣", "", 'stair = "北階"\n', "北階前"),
            ("相", "", 'stair = "阼階"\n', "西階前"),
        )
    ),
    "groups.toml": '[groups."賓黨"]\nof = ["賓", "諸公", "眾賓"]\n',
    "things.toml": '[[things]]\nkind = "觶"\nplace = "尊"\n',
    "places.toml": """
[places."尊"]
x = "0"
y = "6"
zone = "堂上"
source = "a test"
""",
    "lexicon.toml": '[roles."小臣"]\nen = "attendant"\nreplaces = true\n',
    "round.pu": """
## 旅 · round

主人取觶
    主人 升，取 觶 于 尊
賓黨皆升
    賓黨 升
旅
    遞 (甲 乙) 在 主人、諸公、賓、眾賓
        甲 酬 乙
        乙 受 觶
卒受者奠觶
    卒受者 奠 觶
諸公皆降
    每 x 在 諸公
        x 降
若無諸公則主人降
    若 不有 諸公
        主人 降
諸公二人則賓降
    若 數 諸公 ≥ 2
        賓 降
賓爵大夫則主人降
    若 賓爵 = 大夫 且 諸公 = 1
        主人 降
諸公坐
    每 x 在 賓黨
        若 x 是 諸公
            x 坐
小臣升自其階降自其階
    小臣 升，降
相升
    相 升
小臣盡階
    小臣 盡階
""",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("rites") / "one-round"
    made.mkdir()
    for name, text in FILES.items():
        (made / name).write_text(text.lstrip("\n"), encoding="utf-8")
    return made


def played(folder: Path, *sets: str) -> Performance:
    return rehearse(folder, sets=(*sets, "所=庠", "北階=有"))


def chain(performance: Performance) -> list[str]:
    return [event.actor.name for event in performance.events if event.info.verb == "酬"]


def came_down(performance: Performance) -> list[str]:
    words = ("諸公皆降", "若無諸公則主人降", "諸公二人則賓降", "賓爵大夫則主人降")
    return [
        event.actor.name
        for event in performance.events
        if event.info.verb == "降" and performance.clause(event.clause).text in words
    ]


def test_it_is_sound_in_every_scenario_it_declares(folder: Path) -> None:
    report = check_rite(folder, sets=("所=庠", "北階=有"))
    assert [finding.cause for finding in report.findings if finding.grade == "error"] == []


@pytest.mark.parametrize(
    ("sets", "givers", "last", "down"),
    [
        ((), ["主人"], "賓", ["主人"]),
        (("諸公=2", "眾賓=1"), ["主人", "諸公.1", "諸公.2", "賓"], "眾賓.1", ["諸公.1", "諸公.2", "賓"]),
        (("諸公=1", "賓爵=大夫"), ["主人", "諸公.1"], "賓", ["諸公.1", "主人"]),
        (("眾賓=2", "賓爵=大夫"), ["主人", "賓", "眾賓.1"], "眾賓.2", ["主人"]),
    ],
)
def test_the_chain_runs_through_its_lists_and_ranks_decide(
    folder: Path, sets: tuple[str, ...], givers: list[str], last: str, down: list[str]
) -> None:
    performance = played(folder, *sets)
    assert chain(performance) == givers
    (laid,) = (event for event in performance.events if event.info.verb == "奠")
    assert laid.actor.name == last
    assert came_down(performance) == down


def test_a_member_of_a_group_is_known_by_it(folder: Path) -> None:
    performance = played(folder, "諸公=2")
    asked = [event.actor.name for event in performance.events if performance.clause(event.clause).text == "諸公坐"]
    assert set(asked) == {"諸公.1", "諸公.2"}


def test_everybody_goes_by_the_stairs_that_are_his(folder: Path) -> None:
    performance = played(folder)
    climbs = [
        (event.actor.name, event.path[0][0], event.path[-1][1])
        for event in performance.events
        if event.info.verb == "升" and event.actor.name in {"小臣", "相"}
    ]
    spots = {name: performance.stage.layout.spot(name) for name in ("北階上", "阼階上")}
    assert {name for name, *_ in climbs} == {"小臣", "相"}
    for name, x, y in climbs:
        spot = spots["北階上" if name == "小臣" else "阼階上"]
        assert (round(x), round(y)) == (round(spot.x), round(spot.y))
    last = performance.events[-1]
    assert (last.info.verb, last.spot.zone, last.step) == ("盡階", "北階", 3)


def test_there_is_no_target_and_no_count(folder: Path) -> None:
    state = played(folder).state("旅")
    assert (state["target"], state["tally"]) == ({}, {})


@pytest.mark.parametrize("key", ["眾耦=3", "賓主與射=是", "主人=州長", "侯道=五十弓"])
def test_no_key_of_another_rite_is_known(folder: Path, key: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        rehearse(folder, sets=(key,))
    assert [finding.code for finding in refused.value.findings] == ["unknown-key"]


@pytest.mark.parametrize("words", [["--blank"], ["shots.csv"]])
def test_there_is_nothing_to_score(folder: Path, tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "shots.csv").write_text("round,pair,shooter,hits\n1,1,上射,1111\n", encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-c", MAIN, "score", *words, "--rite", str(folder), "--set", "所=庠", "--set", "北階=有"],
        capture_output=True, text=True, encoding="utf-8", cwd=tmp_path, check=False,
    )  # fmt: skip
    assert (run.returncode, run.stdout) == (2, "")
    assert "no-rounds" in run.stderr
    assert "一觶" in run.stderr


def test_what_lies_on_a_stand_goes_with_it() -> None:
    performance = rehearse("鄉射禮")
    world = performance.world_at(performance.length)
    lungs = {thing.of.name: thing for thing in world.things.values() if thing.kind == "肺" and thing.of is not None}
    # 賓取俎還授司正 … 授從者: the guest's stand is with his follower outside, and the lung that was put back on it too.
    stand = next(thing for thing in world.things.values() if thing.kind == "俎" and thing.of is lungs["賓"].of)
    assert lungs["賓"].where == stand.id
    assert not isinstance(stand.where, str)
    assert world.spot_of(lungs["賓"]) is stand.where.spot


CRUX = """
卒爵
    說 與旅 · 鄭玄 主
        旅者 拜
    說 與旅 · 敖繼公
        旅者 興
"""


def test_a_group_may_differ_by_reading_and_a_building_have_what_the_words_suppose(tmp_path: Path) -> None:
    made = tmp_path / "read"
    made.mkdir()
    changed = {
        "groups.toml": '[groups."旅者"]\nof = ["賓"]\nby_reading = { "與旅=敖繼公" = ["主人", "賓"] }\n',
        "places.toml": 'has = ["北階"]\n' + FILES["places.toml"],
        "round.pu": "## 旅 · round\n" + CRUX + "小臣升\n    小臣 升\n",
    }
    for name, text in {**FILES, **changed}.items():
        (made / name).write_text(text.lstrip("\n"), encoding="utf-8")

    def who(*readings: str) -> set[str]:
        performance = rehearse(made, sets=("所=庠",), readings=readings)
        assert [finding.cause for finding in performance.findings] == []
        assert performance.events[-1].spot.zone == "房"
        return {event.actor.name for event in performance.events if event.actor.name != "小臣"}

    assert who() == {"賓"}
    assert who("與旅=敖繼公") == {"主人", "賓"}
