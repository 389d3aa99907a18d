"""Scenarios by rank: pairs, targets, music, holder; and which arrows count for the lord alone.

What is expected was written from the words of the sources, which stand beside it, not from the tables.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import pytest

from yanli.errors import ScenarioError
from yanli.performance.perform import Performance
from yanli.rehearsal import rehearse
from yanli.tables import find_table

BOW = 6  # 鄉射記鄭注：六尺曰弓
MUSICIANS = 6  # 大射儀：工六人
OTHER_PAIRS = 7  # 公與賓；三卿、二小卿、四大夫為耦者四，餘一人與士為耦；眾耦一
LORD_COUNTS = "揚維復0"


class Rank(NamedTuple):
    """A scenario of 大射儀, and what it has; the targets from the lord's to the nearest."""

    sets: tuple[str, ...]
    pairs: int
    targets: tuple[tuple[str, int, int], ...]  # which, its range in 弓, the breadth of its middle (侯中) in 尺
    song: str
    measures: int
    heard: int
    heard_ao: int
    holder: str
    flag: str


# 侯中：九十弓者侯中廣丈八尺，七十弓者侯中廣丈四尺，五十弓者侯中廣一丈（鄭司裘注，考索）.
# 樂：天子以騶虞，諸侯以貍首，卿大夫以采蘋為節（考索）；射節天子九，諸侯七，卿大夫以下五（鄭注）.
# 先聽：九節者五節先以聽，七節者三節（孔疏，考索）；五節者一節（賈疏）.
# 敖繼公：其先以聽者天子諸侯同為四節，而大夫士僅減其一（盛世佐引，五禮通考）.
# 中：於郊則閭中，以旌獲；大夫兕中，各以其物獲（鄉射記）.
GREAT = {
    # 大司馬：凡大射則合其六耦；司裘：王大射則共虎侯熊侯豹侯，虎九十弓，熊七十弓，豹麋五十弓
    "天子": Rank(
        ("爵位=天子",), 6, (("虎侯", 90, 18), ("熊侯", 70, 14), ("豹侯", 50, 10)),
        "騶虞", 9, 5, 4, "閭中", "旌",
    ),
    # 賈疏：畿內諸侯二侯四耦；司裘：諸侯則共熊侯豹侯
    "諸侯畿內": Rank(
        ("域=畿內",), 4, (("熊侯", 70, 14), ("豹侯", 50, 10)), "貍首", 7, 3, 4, "閭中", "旌"
    ),
    # 經：遂比三耦；大侯九十，參七十，干五十；奏貍首以射
    "諸侯畿外": Rank(
        (), 3, (("大侯", 90, 18), ("參侯", 70, 14), ("干侯", 50, 10)), "貍首", 7, 3, 4, "閭中", "旌"
    ),
    # 賈疏：卿大夫士例同一侯三耦；司裘：卿大夫則共麋侯，豹麋五十弓
    "卿大夫畿內": Rank(
        ("爵位=卿大夫", "域=畿內"), 3, (("麋侯", 50, 10),), "采蘋", 5, 1, 3, "兕中", "其物"
    ),
    # 孔疏：畿外卿大夫射侯無文，諸侯既得三侯，其卿大夫降君一等，則糝侯豻侯也；糝七十，豻五十
    "卿大夫畿外": Rank(
        ("爵位=卿大夫",), 3, (("糝侯", 70, 14), ("豻侯", 50, 10)), "采蘋", 5, 1, 3, "兕中", "其物"
    ),
}  # fmt: skip


@cache
def played(rite: str, sets: tuple[str, ...] = (), school: str | None = None) -> Performance:
    """One performance for each scenario."""
    return rehearse(rite, sets=sets, school=school)


def called(performance: Performance, kind: str) -> set[str | None]:
    """Which of a kind there is."""
    return {entry.called for entry in performance.stage.cast.properties if entry.kind == kind}


def music(performance: Performance, song: str) -> int:
    """How many measures of a song are played."""
    acts = sum(event.info.verb == "奏" and event.info.music == song for event in performance.events)
    assert acts % MUSICIANS == 0
    return acts // MUSICIANS


def heard_first(performance: Performance, song: str) -> int:
    """How many measures the first upper archer hears before he shoots to music."""
    count = 0
    for event in performance.events:
        if event.actor.name == "上射.1":
            if event.info.verb == "聽" and event.info.music == song:
                count += 1
            elif count and event.info.verb == "射":
                return count
    raise AssertionError(song)


# ── 大射 ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("rank", GREAT.values(), ids=GREAT)
def test_pairs(rank: Rank) -> None:
    performance = played("大射儀", rank.sets)
    assert len(performance.stage.cast.pairs["三耦"]) == rank.pairs
    # They shoot in all three shootings, two men with four arrows each.
    shots = sum(event.info.verb == "射" and event.actor.base in {"上射", "下射"} for event in performance.events)
    assert shots == rank.pairs * 2 * 4 * 3


@pytest.mark.parametrize("rank", GREAT.values(), ids=GREAT)
def test_targets(rank: Rank) -> None:
    performance = played("大射儀", rank.sets)
    stage = performance.stage
    hung = [entry for entry in stage.cast.properties if entry.kind in stage.targets.names]
    mark = stage.layout.spot("右物").y
    found = [
        (
            entry.called,
            round((mark - stage.layout.spot(entry.kind).y) / BOW, 6),
            round(stage.layout.building.measures[f"{entry.kind}上个廣"] / 4, 6),  # 倍中以為躬，倍躬以為左右舌
        )
        for entry in hung
    ]
    assert found == list(rank.targets)
    stretched = [event for event in performance.events if event.info.verb == "張" and event.actor.name == "量人"]
    assert len(stretched) == len(rank.targets)
    screens = sum(entry.number for entry in stage.cast.properties if entry.kind == "乏")
    assert screens == len(rank.targets)
    assert {event.to for event in performance.events if event.info.verb == "射"} == {entry.kind for entry in hung}


@pytest.mark.parametrize("rank", GREAT.values(), ids=GREAT)
def test_song_and_measures(rank: Rank) -> None:
    performance = played("大射儀", rank.sets)
    # Each pair has the whole song.
    assert music(performance, rank.song) == rank.measures * (rank.pairs + OTHER_PAIRS)
    assert [song for song in ("騶虞", "貍首", "采蘋", "采蘩") if music(performance, song)] == [rank.song]
    said = {event.info.speech for event in performance.events if event.info.verb == "命" and event.info.speech}
    assert f"奏{rank.song}間若一" in said


@pytest.mark.parametrize("rank", GREAT.values(), ids=GREAT)
def test_measures_heard_first_are_a_crux(rank: Rank) -> None:
    assert heard_first(played("大射儀", rank.sets), rank.song) == rank.heard
    assert heard_first(played("大射儀", rank.sets, "敖繼公"), rank.song) == rank.heard_ao


@pytest.mark.parametrize("rank", GREAT.values(), ids=GREAT)
def test_holder_and_flag(rank: Rank) -> None:
    performance = played("大射儀", rank.sets)
    assert called(performance, "中") == {rank.holder}
    assert called(performance, "旌") == {rank.flag}


@pytest.mark.parametrize("rank", GREAT.values(), ids=GREAT)
def test_it_plays_without_error(rank: Rank) -> None:
    assert [finding for finding in played("大射儀", rank.sets).findings if finding.grade == "error"] == []


def test_men_of_no_rank_do_not_have_it() -> None:
    """考索：其士無大射；鄭注：士無臣，祭無所擇也."""
    with pytest.raises(ScenarioError) as refused:
        rehearse("大射儀", sets=("爵位=士",))
    (finding,) = refused.value.findings
    assert "耦．士．大射" in finding.cause
    assert finding.known == "其士無大射"


@pytest.mark.parametrize(
    ("sets", "whose"),
    [
        # 經：公射大侯，大夫射參，士射干；卑者與尊者為耦不異侯
        ((), {"公": "大侯", "賓": "大侯", "卿": "參侯", "大夫": "參侯", "上射": "干侯"}),
        # 虎侯王所自射也，熊侯諸侯所射，豹侯卿大夫以下所射
        (("爵位=天子", "諸公=2"), {"公": "大侯", "諸公": "參侯", "卿": "干侯", "大夫": "干侯", "上射": "干侯"}),
        # 熊侯諸侯所自射，豹侯羣臣所射
        (("域=畿內",), {"公": "大侯", "卿": "干侯", "大夫": "干侯", "上射": "干侯"}),
        # 麋侯君臣共射焉
        (("爵位=卿大夫", "域=畿內"), {"公": "大侯", "卿": "大侯", "大夫": "大侯", "上射": "大侯"}),
    ],
)
def test_who_shoots_at_which(sets: tuple[str, ...], whose: dict[str, str]) -> None:
    shots = [event for event in played("大射儀", sets).events if event.info.verb == "射"]
    for who, target in whose.items():
        assert {event.to for event in shots if event.actor.base == who} == {target}, who


def test_no_arrow_strikes_a_target_that_is_not_hung() -> None:
    """畿內諸侯大射則張熊侯豹侯: there is no middle one."""
    with pytest.raises(ScenarioError, match="參 is no mark"):
        rehearse("大射儀", sets=("域=畿內", "矢.2.公=參000"))


# ── 公則釋獲，眾則不與 ──────────────────────────────────────────────────────────────────────────────────────────────


def sticks(*sets: str) -> int:
    """How many sticks are laid in the second shooting when nobody hits but as is told."""
    performance = rehearse("大射儀", sets=("勝=空", *sets))
    return sum(event.info.verb == "釋獲" for event in performance.events)


@pytest.mark.parametrize(
    ("arrows", "counted"),
    [
        # 中離維綱、揚觸、梱復，公則釋獲，眾則不與
        ("揚000", (1, 0)),
        ("維000", (1, 0)),
        ("復000", (1, 0)),
        (LORD_COUNTS, (3, 0)),
        # 唯公所中，中三侯皆獲；射者非其侯中之不獲: another's target is 干 to both
        ("干000", (1, 0)),
        # 中 counts for each; 下曰留上曰揚: what misses for none
        ("1000", (1, 1)),
        ("上下左右", (0, 0)),
    ],
)
def test_what_counts_for_the_lord_and_for_nobody_else(arrows: str, counted: tuple[int, int]) -> None:
    assert (sticks(f"矢.2.公={arrows}"), sticks(f"矢.2.卿.1={arrows}")) == counted


def test_a_glancing_arrow_is_called_for_the_lord_alone() -> None:
    def calls(who: str) -> int:
        performance = rehearse("大射儀", sets=("勝=空", f"矢.2.{who}=揚000"))
        return sum(event.info.verb == "獲" for event in performance.events)

    assert calls("公") > 0
    assert calls("卿.1") == 0


# ── 鄉射 ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("sets", "school", "holder", "face", "song"),
    [
        # 記：士鹿中；鄭注：鄉射及賓射當張采侯二正；經：奏騶虞
        ((), None, "鹿中", "采侯二正", "騶虞"),
        # 記：大夫兕中
        (("主人=鄉大夫",), None, "兕中", "采侯二正", "騶虞"),
        # 鄭注：釋獲者執鹿中，謂射於榭也，於庠當兕中
        (("所=庠",), None, "兕中", "采侯二正", "騶虞"),
        # 記：士布侯畫以鹿豕，大夫布侯畫以虎豹；敖繼公：其於大夫士則為鄉射
        ((), "敖繼公", "鹿中", "布侯鹿豕", "騶虞"),
        (("主人=鄉大夫",), "敖繼公", "兕中", "布侯虎豹", "騶虞"),
        # 記：歌騶虞若采蘋皆五終
        (("樂章=采蘋",), None, "鹿中", "采侯二正", "采蘋"),
    ],
)
def test_the_district_archery_goes_by_its_host(
    sets: tuple[str, ...], school: str | None, holder: str, face: str, song: str
) -> None:
    performance = played("鄉射禮", sets, school)
    assert called(performance, "中") == {holder}
    assert called(performance, "侯") == {face}
    assert len(performance.stage.cast.pairs["三耦"]) == 3  # 三耦俟于堂西
    # 鄭注：每一耦射歌五終. 三耦、賓主、大夫與士、眾耦二: seven pairs; four musicians.
    acts = [event for event in performance.events if event.info.verb == "奏" and event.info.music == song]
    assert len(acts) == 5 * 7 * 4


# ── 鄉飲酒 ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("occasion", "host", "place"),
    [
        ("賓賢能", "鄉大夫", "庠"),  # 此鄉大夫為主人；庠，鄉學也
        ("州射", "州長", "序"),  # 以州長為主人也；會民而射於州序
        ("正齒位", "黨正", "序"),  # 亦黨正為主人也；飲酒於序以正齒位
    ],
)
def test_the_district_drinking_goes_by_its_occasion(occasion: str, host: str, place: str) -> None:
    scenario = played("鄉飲酒禮", (f"故={occasion}",)).stage.scenario
    assert (scenario.values["主人"], scenario.values["所"]) == (host, place)


def test_where_no_text_has_it_the_place_must_be_said() -> None:
    with pytest.raises(ScenarioError, match="無文"):
        rehearse("鄉飲酒禮", sets=("故=飲賢者",))
    scenario = played("鄉飲酒禮", ("故=飲賢者", "所=庠")).stage.scenario
    assert scenario.values["主人"] == "鄉大夫"  # 二則鄉大夫飲國中賢者


def test_every_occasion_of_the_table_is_one_of_the_rite() -> None:
    assert set(find_table("鄉飲四事").rows) == {"賓賢能", "飲國中賢者", "習射", "正齒位"}
