"""Several targets, whose each is, and what an arrow did: a small rite with a duke, a guest, grandees and officers.

The duke (公) shoots at 大侯, grandees (大夫) at 參侯, officers (士) at 干侯; each target has its own caller. The duke's
partner is the guest, the grandee's an officer: both of a pair shoot at the target of the higher.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

from yanli.errors import ScenarioError
from yanli.rehearsal import check_rite, rehearse

if TYPE_CHECKING:
    from pathlib import Path

    from yanli.performance.perform import Performance

RITE = """
name = "三侯"
slug = "three-targets"
like = "xiangshe"
rounds = ["三侯射", "復射"]

[scenario."大夫"]
type = "count"
default = 1

[scenario."seed"]
type = "seed"
default = 1

[scenario."勝"]
type = "choice"
values = ["右", "左", "鈞", "任", "空", "全"]

[shooting."三侯射"]
pairs = ["士耦", "公耦", "大夫耦"]

[shooting."復射"]
pairs = ["公耦"]
arrows = 1

[[target]]
name = "大侯"
miss = "大侯地"
screen = "大侯乏"
of = ["公"]
its = { "侯" = "大侯", "乏" = "大侯乏", "獲者" = "大侯獲者" }

[[target]]
name = "參侯"
miss = "參侯地"
screen = "參侯乏"
of = ["大夫"]
its = { "侯" = "參侯", "乏" = "參侯乏", "獲者" = "參侯獲者" }

[[target]]
name = "干侯"
miss = "干侯地"
screen = "干侯乏"
its = { "侯" = "干侯", "乏" = "干侯乏", "獲者" = "干侯獲者" }

[marks."揚"]
is = ["揚觸", "鼓"]
lies = "target"
zh = "揚觸"
en = "glanced off something and touched the target"

[marks."大"]
is = ["中", "貫", "鼓"]
struck = "大侯"
zh = "中大侯"
en = "hit the great target"

[marks."上"]
is = ["揚", "鼓"]
miss = true
zh = "揚"
en = "high"

[marks."下"]
is = ["留", "鼓"]
miss = true
zh = "留"
en = "short"
"""
CAST = "\n".join(
    f'[[cast]]\nname = "{name}"\n{count}place = "堂西"\nfacing = "南"\n'
    for name, count in (
        ("公", ""), ("賓", ""), ("大夫", 'count = "大夫"\n'), ("士", "count = 3\n"),
        ("大侯獲者", ""), ("參侯獲者", ""), ("干侯獲者", ""), ("大射正", ""),
    )
)  # fmt: skip
GROUPS = """
[pairs."公耦"]
upper = "賓"
lower = "公"

[pairs."士耦"]
draw = ["士"]

[pairs."大夫耦"]
count = "大夫"
lower = "大夫"
draw = ["士"]

[groups."獲者"]
of = ["大侯獲者", "參侯獲者", "干侯獲者"]
"""
THINGS = """
[[things]]
kind = "弓"
each = "射者"
place = "堂西"

[[things]]
kind = "矢"
each = "射者"
number = 5
place = "堂西"
"""
WORDS = """
[roles."大侯獲者"]
en = "caller of the great target"

[roles."參侯獲者"]
en = "caller of the mixed target"

[roles."干侯獲者"]
en = "caller of the plain target"
"""
SCORE = """
## 三侯射 · shoot

獲者各負其侯
    獲者 適 其侯北三步
獲者適乏
    獲者 適 其乏
諸耦射
    每 耦 在 士耦、公耦、大夫耦
        上射、下射 取 弓 于 堂西，取 五 矢 于 堂西
        上射 射 侯，射 侯，射 侯，射 侯
        下射 射 其侯，射，射，射
獲者坐而獲
    應 x 射 中
        其獲者 坐，獲
揚觸公則釋獲
    應 x 射 揚觸
        若 x 是 公
            其獲者 獲
唯公所中中三侯皆獲
    應 x 射 異侯
        若 x 是 公
            其獲者 獲
大射正以矢行告于公
    應 x 射
        若 x 是 公 且 不 x 射 中
            若 x 射 留
                大射正 告 公 「留」
            否 若 x 射 揚
                大射正 告 公 「揚」

## 復射 · again

公壹發
    每 耦 在 公耦
        上射 射 侯
        下射 射 侯
獲
    應 x 射 中
        其獲者 坐，獲
"""
BESIDE = """
[places."{name}"]
x = "{x}"
y = "侯.y + {y}步"
source = "a test"
zone = "庭"
facing = "北"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("rites") / "three-targets"
    made.mkdir()
    places = files("yanli").joinpath("rites", "xiangshe", "places.toml").read_text(encoding="utf-8")
    for number, name in enumerate(("大侯", "參侯", "干侯")):
        for what, x in (("", "0"), ("地", "2"), ("乏", "0 - 10步")):
            places += BESIDE.format(name=name + what, x=x, y=4 * number + 2)
    texts = {
        "rite.toml": RITE, "cast.toml": CAST, "groups.toml": GROUPS, "things.toml": THINGS, "lexicon.toml": WORDS,
        "places.toml": places, "three.pu": SCORE,
    }  # fmt: skip
    for name, text in texts.items():
        (made / name).write_text(text.lstrip("\n"), encoding="utf-8")
    return made


def calls(performance: Performance) -> list[tuple[str, str]]:
    """Each call, with who shot last before it, in the order of play."""
    found: list[tuple[str, str]] = []
    shooter = ""
    for event in sorted(performance.events, key=lambda event: event.order):
        if event.info.verb == "射":
            shooter = event.actor.name
        elif event.info.verb == "獲":
            found.append((shooter, event.actor.name))
    return found


def said(performance: Performance) -> list[str]:
    return [event.info.speech or "" for event in performance.events if event.info.verb == "告"]


def test_the_rite_is_sound(folder: Path) -> None:
    report = check_rite(folder, sets=("勝=全",))
    assert [str(finding) for finding in report.findings if finding.grade == "error"] == []


def test_each_shoots_at_his_own_and_a_pair_at_the_higher_members(folder: Path) -> None:
    performance = rehearse(folder, sets=("勝=全",))
    aimed = {(event.actor.name, event.to) for event in performance.events if event.info.verb == "射"}
    assert aimed == {
        ("士.1", "干侯"), ("士.2", "干侯"), ("賓", "大侯"), ("公", "大侯"), ("士.3", "參侯"), ("大夫.1", "參侯"),
    }  # fmt: skip


def test_the_caller_of_the_target_calls(folder: Path) -> None:
    performance = rehearse(folder, sets=("勝=全",))
    callers = {
        "士.1": "干侯獲者", "士.2": "干侯獲者", "賓": "大侯獲者", "公": "大侯獲者", "士.3": "參侯獲者",
        "大夫.1": "參侯獲者",
    }  # fmt: skip
    found = calls(performance)
    assert found == [(shooter, callers[shooter]) for shooter, _ in found]
    # Three pairs of four arrows, and the duke's pair of one.
    assert len(found) == 3 * 2 * 4 + 2


def test_arrows_lie_where_they_struck_or_on_that_targets_ground(folder: Path) -> None:
    performance = rehearse(folder, sets=("勝=任", "矢.士.1=1001", "矢.1.公=揚101", "矢.2.公=0"))
    lying: dict[str, list[str]] = {"士.1": [], "公": []}
    for thing in performance.world_at(performance.length).things.values():
        if thing.kind == "矢" and thing.of is not None and thing.of.name in lying and isinstance(thing.where, str):
            lying[thing.of.name].append(thing.where)
    assert sorted(lying["士.1"]) == ["干侯", "干侯", "干侯地", "干侯地"]
    # What glanced and touched lies at the target too; the fifth arrow misses in the second round.
    assert sorted(lying["公"]) == ["大侯", "大侯", "大侯", "大侯地", "大侯地"]


def test_what_glances_counts_for_the_duke_and_for_nobody_else(folder: Path) -> None:
    sets = ("勝=空", "矢.1.公=揚000", "矢.1.賓=揚000", "矢.大夫=揚000", "矢.士=揚000")
    assert calls(rehearse(folder, sets=sets)) == [("公", "大侯獲者")]


def test_anothers_target_counts_for_the_duke_alone(folder: Path) -> None:
    sets = ("勝=空", "矢.大夫=大000", "矢.士.1=大000", "矢.1.賓=大000")
    # The guest's own is the duke's: it is a plain hit of his; of the grandee and the officer it is another's.
    assert calls(rehearse(folder, sets=sets)) == [("賓", "大侯獲者")]


def test_how_the_dukes_arrows_went_is_told(folder: Path) -> None:
    assert said(rehearse(folder, sets=("勝=空", "矢.1.公=下上1下"))) == ["留", "揚", "留"]


def test_the_models_misses_have_a_direction_where_the_rite_names_some(folder: Path) -> None:
    told = said(rehearse(folder, sets=("勝=空",)))
    assert len(told) == 4
    assert set(told) <= {"留", "揚"}


@pytest.mark.parametrize(
    ("set_", "code"),
    [
        ("矢.公=11", "wrong-arrows"),
        ("矢.2.公=1111", "wrong-arrows"),
        ("矢.公=甲111", "unknown-mark"),
        ("矢.大射正=1111", "unknown-shooter"),
        ("矢.2.士=1", "unknown-shooter"),
    ],
)
def test_arrows_that_cannot_be_are_refused(folder: Path, set_: str, code: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        rehearse(folder, sets=(set_,))
    assert [finding.code for finding in refused.value.findings] == [code]


def test_a_record_has_as_many_marks_as_the_round_has_arrows(folder: Path, tmp_path: Path) -> None:
    rows = ["round,pair,shooter,hits"]
    rows += [f"1,{pair},{side},10下揚" for pair in (1, 2, 3) for side in ("上射", "下射")]
    good = tmp_path / "good.csv"
    good.write_text("\n".join([*rows, "2,1,上射,1", "2,1,下射,0"]) + "\n", encoding="utf-8")
    # Six shooters hit once each, and the duke's last arrow glances; in the second round the guest hits.
    found = calls(rehearse(folder, record=str(good)))
    assert len(found) == 6 + 1 + 1
    bad = tmp_path / "bad.csv"
    bad.write_text("\n".join([*rows, "2,1,上射,1111", "2,1,下射,0"]) + "\n", encoding="utf-8")
    with pytest.raises(ScenarioError) as refused:
        rehearse(folder, record=str(bad))
    assert [finding.code for finding in refused.value.findings] == ["wrong-arrows"]


TWICE = """
## 三侯射 · shoot

諸耦取弓矢
    賓、公 取 弓 于 堂西，取 五 矢 于 堂西

### 發

諸耦射
    每 耦 在 公耦
        上射 射 侯
        下射 射 侯
獲者坐而獲
    應 x 射 中 於 三侯射
        其獲者 獲

## 復射 · again

又射
    如 三侯射.發
大射正獲
    應 x 射 中 於 復射
        大射正 獲
"""


def test_what_is_told_of_a_round_holds_in_that_round_only(folder: Path, tmp_path: Path) -> None:
    made = tmp_path / "twice"
    made.mkdir()
    for path in folder.iterdir():
        text = TWICE.lstrip("\n") if path.suffix == ".pu" else path.read_text(encoding="utf-8")
        (made / path.name).write_text(text, encoding="utf-8")
    # The second round plays the passage of the first again, but its hits are called by its own words alone.
    assert calls(rehearse(made, sets=("勝=全",))) == [
        ("賓", "大侯獲者"), ("公", "大侯獲者"), ("賓", "大射正"), ("公", "大射正"),
    ]  # fmt: skip
