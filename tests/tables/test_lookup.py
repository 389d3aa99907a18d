"""Figures looked up by kind, rank and domain; and rites whose numbers are those of the tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from yanli.errors import RiteError, ScenarioError
from yanli.lexicon import load_lexicon
from yanli.notation.rite import load_rite
from yanli.plan.cast import evaluate
from yanli.plan.casting import complete, lend, make_cast
from yanli.plan.figures import figure
from yanli.plan.scenario import Key
from yanli.rehearsal import rehearse, scenario_for
from yanli.tables import find_table, lookup, same_word
from yanli.venue.target import find_faces


@pytest.mark.parametrize("name", ["pairs", "耦"])
def test_a_table_goes_by_its_names(name: str) -> None:
    assert find_table(name).name == "pairs"


def test_a_table_goes_by_its_name_in_simplified_script() -> None:
    assert find_table("侯类").name == "target-kinds"
    assert find_table("侯类").zh == "侯類"


def test_a_table_that_is_not_there_is_told_with_the_nearest() -> None:
    with pytest.raises(RiteError) as told:
        find_table("pair")
    assert told.value.findings[0].nearest[0] == "pairs"


@pytest.mark.parametrize(
    ("kind", "rank", "domain", "pairs"),
    [
        ("大射", "天子", None, 6),
        ("大射", "王", None, 6),
        ("大射", "諸侯", "畿外", 3),
        ("大射", "公", "畿內", 4),
        ("賓射", "大夫", None, 3),
        ("賓射", "大夫", "畿外", 3),  # where the table does not part the rank, the domain changes nothing
    ],
)
def test_a_cell_is_found_by_kind_rank_and_domain(kind: str, rank: str, domain: str | None, pairs: int) -> None:
    assert lookup("耦", kind, rank, domain).whole() == pairs


def test_a_rank_that_the_table_parts_needs_its_domain() -> None:
    with pytest.raises(RiteError, match="畿內 or 畿外") as told:
        lookup("耦", "大射", "諸侯")
    assert told.value.findings[0].nearest == ("諸侯畿內", "諸侯畿外")


def test_a_kind_or_rank_that_is_not_there_is_told_with_the_known() -> None:
    with pytest.raises(RiteError, match="no column 射宮") as told:
        lookup("耦", "射宮", "天子")
    assert told.value.findings[0].known == "大射、賓射、燕射、鄉射"
    with pytest.raises(RiteError, match="no row 皇后"):
        lookup("耦", "大射", "皇后")


def test_a_rival_reading_can_be_taken() -> None:
    assert lookup("先聽", "鄉射", "士").whole() == 1
    assert lookup("先聽", "鄉射", "士", reading="敖繼公").whole() == 3
    with pytest.raises(RiteError, match="no reading of 朱熹"):
        lookup("先聽", "鄉射", "士", reading="朱熹")


def test_a_silent_cell_is_not_filled_but_told() -> None:
    cell = lookup("射服", "大射", "諸侯")
    assert cell.silent
    with pytest.raises(ScenarioError, match="無文"):
        cell.word()
    with pytest.raises(ScenarioError, match=r"無文.*say it in the scenario"):
        lookup("耦", "鄉射", "天子").whole("count of 耦")


def test_what_is_no_number_is_not_taken_for_one() -> None:
    with pytest.raises(ScenarioError, match="no whole number"):
        lookup("樂縣", "肆", "諸侯之士").whole()  # half a set
    with pytest.raises(ScenarioError, match="士無大射"):
        lookup("耦", "大射", "士").whole()


# ── expressions ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("expression", "number"),
    [
        ("表 耦 大射 爵位 域", 3),
        ("表 耦 大射 天子", 6),
        ("表 先聽 鄉射 士 從 敖繼公", 3),
        ("表 耦 大射 天子 從 敖繼公", 6),  # he has none of his own: the table's
        ("2 * 表(先聽, 鄉射, 士, 從, 敖繼公)", 6),
        ("2 * 表(耦, 大射, 爵位, 域)", 6),
        ("表(耦, 射, 爵位, 域) + 眾耦", 5),
        ('4 * 表("耦", "賓射", "天子")', 24),
    ],
)
def test_a_number_is_taken_from_a_table(expression: str, number: int) -> None:
    values = {"爵位": "諸侯", "域": "畿外", "射": "大射", "眾耦": 2}
    assert evaluate(expression, values, "here") == number


@pytest.mark.parametrize(
    ("expression", "cause"),
    [
        ("表 耦 鄉射 天子", "here: 無文"),
        ("表 耦 大射 諸侯", "here: the table 耦 parts 諸侯 by domain"),
        ("表 耦 大射", "here: 表 耦 大射: expected 表 TABLE KIND RANK"),
        ("表 樽 大射 天子", "here: no table is called 樽"),
        ("2 * 表(耦, 鄉射, 天子)", "無文"),
        ("表(耦, 1 + 1, 天子)", "cannot work out"),
    ],
)
def test_a_figure_that_cannot_be_had_is_told_with_its_place(expression: str, cause: str) -> None:
    with pytest.raises(ScenarioError, match=cause.replace("(", r"\(")):
        evaluate(expression, {}, "here")


def test_a_word_is_taken_from_a_table() -> None:
    assert figure("表 樂 大射 爵位", {"爵位": "諸侯"}, "here").word() == "貍首"


def test_a_word_in_marks_stands_for_itself() -> None:
    values = {"主人": "州長", "故": "正齒位"}
    assert figure("表 鄉飲四事 「主人」 故", values, "here").word() == "黨正"


def test_a_length_is_taken_with_its_unit() -> None:
    keys = {"侯道": Key(type="measure", default="表 侯道 大射 天子")}
    assert complete(keys, {"侯道": "表 侯道 大射 天子"}, frozenset())["侯道"] == "90弓"


def test_another_rite_lends_its_choices_and_no_numbers() -> None:
    keys = {
        "算器": Key(type="choice", default="表 中 鄉射 士"),
        "眾賓": Key(type="count", default=5),
        "樂章": Key(type="choice", default="騶虞"),
    }
    assert lend(keys, {"樂章": "貍首"}) == {"算器": "鹿中", "樂章": "貍首"}


def test_who_is_not_there_is_nobody() -> None:
    persons = [{"name": "獲者", "present": "侯數 - 1"}, {"name": "服不"}]
    casts = [make_cast(persons, {}, [], {"侯數": number}, load_lexicon()) for number in (1, 2)]
    assert [list(cast.persons) for cast in casts] == [["服不"], ["獲者", "服不"]]
    assert casts[0].groups["獲者"] == ()


KEYS = {
    "爵位": Key(type="choice", values=("天子", "諸侯", "大夫", "士"), default="諸侯"),
    "域": Key(type="choice", values=("畿內", "畿外"), default="畿外"),
    "三耦": Key(type="count", default="表 耦 大射 爵位 域"),
    "樂章": Key(type="choice", values=("騶虞", "貍首", "采蘋", "采蘩"), default="表 樂 大射 爵位"),
    "節": Key(type="number", default="表 節 大射 爵位"),
    "侯數": Key(type="number", default="表 侯數 大射 爵位 域"),
    "中": Key(type="choice", values=("閭中", "兕中"), default="表 中 大射 爵位"),
}


@pytest.mark.parametrize(
    ("rank", "domain", "found"),
    [
        # 王六耦三侯，騶虞九節，於郊則閭中
        ("天子", "畿內", (6, 3, "騶虞", 9, "閭中")),
        # 畿內諸侯四耦二侯；畿外三耦三侯；貍首七節
        ("諸侯", "畿內", (4, 2, "貍首", 7, "閭中")),
        ("諸侯", "畿外", (3, 3, "貍首", 7, "閭中")),
        # 大夫三耦，麋侯一；采蘋五節；大夫兕中
        ("大夫", "畿內", (3, 1, "采蘋", 5, "兕中")),
        ("大夫", "畿外", (3, 2, "采蘋", 5, "兕中")),
    ],
)
def test_scenarios_by_rank_change_pairs_targets_music_and_holder(
    rank: str, domain: str, found: tuple[int, int, str, int, str]
) -> None:
    values: dict[str, int | str] = {key: spec.default for key, spec in KEYS.items() if spec.default is not None}
    values |= {"爵位": rank, "域": domain}
    done = complete(KEYS, values, frozenset({"爵位", "域"}))
    assert tuple(done[key] for key in ("三耦", "侯數", "樂章", "節", "中")) == found


def test_a_key_that_is_given_is_not_looked_up() -> None:
    values: dict[str, int | str] = {"爵位": "士", "三耦": 5}
    assert complete({"三耦": KEYS["三耦"]}, values, frozenset({"三耦"}))["三耦"] == 5


def test_a_scenario_of_a_rank_that_does_not_have_the_rite_is_refused() -> None:
    values: dict[str, int | str] = {"爵位": "士", "域": "畿外", "三耦": "表 耦 大射 爵位 域"}
    with pytest.raises(ScenarioError, match=r"士無大射.*三耦"):
        complete({"三耦": KEYS["三耦"]}, values, frozenset())


def test_cast_and_things_take_their_numbers_from_a_table() -> None:
    values = {"爵位": "天子"}
    cast = make_cast(
        [{"name": "眾賓", "count": "2 * 表(耦, 大射, 爵位)"}],
        {},
        [{"kind": "矢", "number": "4 * 表(耦, 大射, 爵位)"}, {"kind": "中", "size": "表 中 大射 爵位"}],
        values,
        load_lexicon(),
    )
    assert len(cast.groups["眾賓"]) == 12
    assert [(entry.kind, entry.number, entry.size) for entry in cast.properties] == [
        ("矢", 24, None),
        ("中", 1, "閭中"),
    ]


RITE = """name = "小射"
slug = "small-shooting"
like = "xiangshe"

[scenario."爵位"]
type = "choice"
values = ["天子", "諸侯", "大夫"]
default = "大夫"

[scenario."樂章"]
type = "choice"
values = ["騶虞", "采蘋"]
default = "表 樂 賓射 爵位"
"""
CAST = """[[cast]]
name = "主人"
place = "阼階前"
facing = "西"

[[cast]]
name = "眾賓"
count = "表 耦 燕射 爵位"
place = "西階前"
facing = "東"
"""
SCORE = """## 樂 · music

奏
    若 樂章 = 騶虞
        主人 揖
    否
        主人 再拜
"""


@pytest.mark.parametrize(("rank", "verb"), [("天子", "揖"), ("大夫", "拜")])
def test_a_rite_of_ones_own_plays_by_rank(rank: str, verb: str, tmp_path: Path) -> None:
    for name, text in (
        ("rite.toml", RITE),
        ("cast.toml", CAST),
        ("groups.toml", ""),
        ("things.toml", ""),
        ("a.pu", SCORE),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    performance = rehearse(tmp_path, sets=[f"爵位={rank}"])
    assert [event.info.verb for event in performance.events if event.info.origin == "text"] == [verb]
    assert performance.stage.scenario.values["樂章"] == {"天子": "騶虞", "大夫": "采蘋"}[rank]


def test_a_word_that_the_key_does_not_allow_is_refused() -> None:
    values: dict[str, int | str] = {"爵位": "天子", "樂章": "表 樂 大射 爵位"}
    key = Key(type="choice", values=("貍首", "采蘋"), default="表 樂 大射 爵位")
    with pytest.raises(ScenarioError, match="騶虞: expected one of 貍首、采蘋"):
        complete({"樂章": key}, values, frozenset())


@pytest.mark.parametrize(
    ("word", "known", "same"),
    [
        ("大夫", ("諸侯", "卿大夫"), "卿大夫"),
        ("王", ("諸侯", "天子"), "天子"),
        ("諸侯", ("諸侯", "天子"), "諸侯"),
        ("卿大夫", ("諸侯", "大夫"), None),
        # A key of other words is not answered by a rank: 州長 is an officer, 士 need not be 州長.
        ("士", ("鄉大夫", "州長"), None),
    ],
)
def test_a_word_for_a_rank_may_stand_for_another(word: str, known: tuple[str, ...], same: str | None) -> None:
    assert same_word(word, known) == same


def test_a_scenario_takes_the_rank_by_either_word() -> None:
    scenario = scenario_for(load_rite("大射儀"), sets=("爵位=大夫",))
    assert scenario.values["爵位"] == "卿大夫"


def test_a_number_that_is_none_is_told_its_bounds() -> None:
    with pytest.raises(ScenarioError, match="expected a whole number from 3 to 6"):
        scenario_for(load_rite("大射儀"), sets=("耦數=許多",))


def test_both_words_for_grandees_find_their_target() -> None:
    assert same_word("卿大夫", ("天子", "諸侯", "大夫", "士"), back=True) == "大夫"
    assert find_faces("采侯", "卿大夫") == find_faces("采侯", "大夫")


def test_a_rank_that_does_not_have_it_is_told_so_in_the_words_first() -> None:
    """考索：其士無大射."""
    with pytest.raises(ScenarioError) as refused:
        lookup("耦", "大射", "士").whole("scenario key 耦數")
    (finding,) = refused.value.findings
    assert finding.code == "has-none"
    assert finding.cause.startswith("「其士無大射」（考索）：士 大射，does not have it")
