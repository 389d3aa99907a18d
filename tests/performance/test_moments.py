"""Moments of the rite that the words themselves fix: who stands where, facing whom, with what."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from yanli.errors import RiteError, ScenarioError
from yanli.performance.perform import Performance
from yanli.plan.readings import Readings
from yanli.rehearsal import rehearse


@cache
def played(*sets: str) -> Performance:
    """One performance for each scenario."""
    return rehearse("鄉射禮", sets=sets)


def after(words: str, *sets: str, nth: int = 1) -> dict[str, Any]:
    """The state after words."""
    return played(*sets).state(words, nth)


def test_the_host_offers_the_cup() -> None:
    """主人坐取爵實之賓席之前西北面獻賓：he stands before the mat with a filled cup, 賓 atop the west stairs."""
    state = after("主人坐取爵實之賓席之前西北面獻賓")
    host, guest = state["actors"]["主人"], state["actors"]["賓"]
    assert (host["place"], host["facing"], host["posture"]) == ("賓席前", "西北", "立")
    (cup,) = host["hands"]["右"]
    assert state["things"][cup]["kind"] == "爵"
    assert state["things"][cup]["filled"]
    assert guest["place"] == "西階上"


def test_a_pair_walks_abreast() -> None:
    """上射升堂少左下射升上射揖並行：both walk east, 上射 on the north (注：併東行)."""
    actors = after("上射升堂少左下射升上射揖並行")["actors"]
    upper, lower = actors["上射.1"], actors["下射.1"]
    assert upper["facing"] == lower["facing"] == "東"
    assert upper["xy"][1] > lower["xy"][1]
    assert upper["zone"] == lower["zone"] == "堂上"


def test_each_before_his_mark() -> None:
    """皆當其物北面揖：上射 is on the west (記：上射於右；注：於右物射)."""
    actors = after("皆當其物北面揖")["actors"]
    upper, lower = actors["上射.1"], actors["下射.1"]
    assert upper["facing"] == lower["facing"] == "北"
    assert upper["xy"][0] < lower["xy"][0]


def test_the_marshal_is_back() -> None:
    """司馬 … 釋弓襲反位立于司射之南：he stands there, covered, without a bow."""
    words = "司馬出于下射之南還其後降自西階反由司射之南適堂西釋弓襲反位立于司射之南"
    marshal = after(words)["actors"]["相"]
    assert marshal["roles"] == ["司馬"]
    assert (marshal["place"], marshal["posture"]) == ("司射南", "立")
    assert "袒" not in marshal["dress"]
    assert marshal["hands"] == {"左": [], "右": []}


def test_the_marker_answers_all_the_way() -> None:
    """獲者執旌許諾聲不絕以至于乏：his voice lasts as long as his way; then the flag lies at the 乏."""
    performance = played()
    play = performance.played("獲者執旌許諾聲不絕以至于乏")
    events = [e for e in performance.events if e.actor.name == "獲者" and play.start <= e.start and e.end <= play.end]
    voice = next(e for e in events if e.info.verb == "許諾")
    walk = [e for e in events if e.path]
    assert walk
    assert voice.end >= max(e.end for e in walk)
    state = performance.state("坐東面偃旌興而俟")
    flag = next(thing for thing in state["things"].values() if thing["kind"] == "旌")
    assert flag["where"] == "乏"
    assert state["actors"]["獲者"]["place"] == "乏"


def sticks(state: dict[str, Any]) -> dict[str, int]:
    """How many sticks are laid on each side."""
    return {side: state["tally"][side]["算"] for side in ("右", "左")}


def test_the_first_round_is_not_counted() -> None:
    """獲而未釋獲：after the first round no stick is laid."""
    assert sticks(after("賓揖", nth=1)) == {"右": 0, "左": 0}
    assert sticks(after("乃復求矢加于楅", "矢不備=是")) == {"右": 0, "左": 0}


@pytest.mark.parametrize("sets", [(), ("勝=左",), ("勝=鈞",), ("眾耦=0", "大夫=0"), ("勝=空",), ("勝=全",)])
def test_sticks_equal_the_arrows_that_count(sets: tuple[str, ...]) -> None:
    """不貫不釋，每一个釋一算：after the second round the sticks are as many as the arrows that counted in it."""
    performance = played(*sets)
    state = performance.state("降反位坐委餘獲于中西")
    begin, end = performance.stage.rounds[2]
    hits = [
        e for e in performance.events
        if e.info.verb == "射" and e.hit and begin <= e.clause < end
    ]  # fmt: skip
    laid = sticks(state)
    assert laid["右"] + laid["左"] == len(hits)
    upper = {name for name, side in performance.machine.side.items() if side == "上射"}
    assert laid["右"] == sum(e.actor.name in upper for e in hits)


def arrows_on_the_stand(state: dict[str, Any]) -> int:
    """How many arrows lie on the 楅."""
    return sum(thing["kind"] == "矢" and thing["where"] == "楅" for thing in state["things"].values())


def test_all_arrows_are_collected() -> None:
    """取矢：with 矢備 the 24 of three pairs and the teacher's four lie on the 楅 before they are parted by fours."""
    assert arrows_on_the_stand(after("北面坐委于楅北括")) == 28


def test_arrows_missing_are_sought() -> None:
    """若矢不備：not all lie there before 撫矢而乘之, but all after 乃復求矢加于楅."""
    assert arrows_on_the_stand(after("北面坐委于楅北括", "矢不備=是")) < 28
    assert arrows_on_the_stand(after("乃復求矢加于楅", "矢不備=是")) == 28


def test_the_target_cord() -> None:
    """不繫左下綱 … 遂繫左下綱：loose until the marshal orders it."""
    assert after("不繫左下綱")["target"]["左下綱"] == "不繫"
    assert after("遂繫左下綱")["target"]["左下綱"] == "繫"


def test_words_not_played_name_the_branch() -> None:
    """A passage that the scenario leaves out is refused, and the branch is named."""
    with pytest.raises(RiteError, match="大夫"):
        after("大夫若有遵者則入門左", "大夫=0")


def test_one_man_three_offices() -> None:
    """相 becomes 司正, 司馬, and 司正 again; his name stays."""
    performance = played()
    assert performance.state("作相為司正")["actors"]["相"]["roles"] == ["司正"]
    assert performance.state("司正為司馬")["actors"]["相"]["roles"] == ["司馬"]
    assert performance.state("司馬反為司正")["actors"]["相"]["roles"] == ["司正"]


@pytest.mark.parametrize("pairs", [14, 40])
def test_eighty_sticks_and_no_more(pairs: int) -> None:
    """箭籌八十：with more hits than sticks eighty are laid, the other hits are called, and a warning says so (鄭玄)."""
    performance = played(f"眾耦={pairs}")
    assert [f for f in performance.findings if f.grade == "error"] == []
    assert any(f.code == "warning" and "箭籌八十" in f.cause for f in performance.findings)
    begin, end = performance.stage.rounds[2]
    hits = [e for e in performance.events if e.info.verb == "射" and e.hit and begin <= e.clause < end]
    laid = sticks(performance.state("降反位坐委餘獲于中西"))
    assert laid["右"] + laid["左"] == min(80, len(hits))
    calls = [e for e in performance.events if e.info.verb == "舉" and begin <= e.clause < end]
    assert len(calls) == len(hits)


@pytest.mark.parametrize(
    ("old", "simplified"),
    [("射事畢", "射事毕"), ("請射", "请射"), ("主人獻賓", "主人献宾"), ("賓降", "宾降")],
)
def test_words_and_sections_are_found_in_simplified_script(old: str, simplified: str) -> None:
    one, other = (played().chosen(words, words, "主人") for words in (old, simplified))
    assert [event.n for event in other] == [event.n for event in one]
    assert played().named("宾") == played().named("賓") == {"賓"}


def test_schools_cruxes_and_readings_are_found_in_simplified_script() -> None:
    cruxes = played().stage.readings.cruxes
    for school in ("敖继公", "敖繼公"):
        assert Readings(cruxes, {}, school).choose("戒服") == Readings(cruxes, {"戒服": "敖繼公"}, None).choose("戒服")
    (answer,) = Readings(cruxes, {"钧饮": "敖继公"}, None).chosen.items()
    assert answer == ("鈞飲", "敖繼公")
    with pytest.raises(ScenarioError, match="孔颖达"):
        Readings(cruxes, {}, "孔颖达")
