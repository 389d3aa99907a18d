"""The target from its range: every figure here is counted by hand from the words that stand beside it."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from yanli.errors import RiteError, ScenarioError
from yanli.venue import target
from yanli.venue.exact import chi_of, words_of
from yanli.venue.target import chi, entries, faces, find_faces, hang, target_measures, usual_range

# 弓二寸以為侯中; 倍中以為躬; 倍躬以為左右舌; 下舌半上舌; 參分其廣而鵠居一. By hand for 50, 70, 90 弓:
SIZES = {
    "侯中": ("一丈", "一丈四尺", "一丈八尺"),
    "侯中崇": ("一丈", "一丈四尺", "一丈八尺"),
    "鵠": ("三尺三寸少半寸", "四尺六寸大半寸", "六尺"),  # 大射儀鄭注 has these three
    "正": ("三尺三寸少半寸", "四尺六寸大半寸", "六尺"),  # 三分其侯正居一
    "躬": ("二丈", "二丈八尺", "三丈六尺"),
    "上个": ("四丈", "五丈六尺", "七丈二尺"),  # 賈疏: 上个四丈 … 上个五丈六尺 … 上个亦七丈二尺
    "上舌": ("一丈", "一丈四尺", "一丈八尺"),
    "下舌": ("五尺", "七尺", "九尺"),
    "下个": ("三丈", "四丈二尺", "五丈四尺"),  # 賈疏: 下个三丈 … 四丈二尺 … 五丈四尺
    "中布": ("五丈", "九丈八尺", "十六丈二尺"),  # 賈疏
    "躬布": ("四丈", "五丈六尺", "七丈二尺"),  # 賈疏: 上下躬總用布
    "用布": ("十六丈", "二十五丈二尺", "三十六丈"),  # 鄭注
    "侯高": ("一丈八尺", "二丈二尺", "二丈六尺"),  # 賈疏: 侯中及躬與舌丈八尺 … 二丈二尺 … 二丈六尺
    "乏北": ("十丈", "十四丈", "十八丈"),  # 參侯道; 鄭注 at 50: 去侯北十丈
}
# What does not depend on the range, in 寸.
ALWAYS = {
    "弓": 60, "步": 60, "布幅": 22, "幅": 20, "武": 12, "下綱去地": 12, "綱出舌": 80, "縜": 1,
    "上个象臂": 80, "下个象足": 60, "乏西": 300, "笴": 30, "物長": 30, "物橫": 12, "物間": 60,
    "楅長": 30, "楅博": 3, "握": 4, "籌長": 14, "扑長": 30, "刊本": 10, "杠": 210, "韜": 160,
}  # fmt: skip
RANGES = (50, 70, 90)


@pytest.mark.parametrize("at", range(3), ids=[f"{bows} 弓" for bows in RANGES])
def test_the_target_follows_from_its_range(at: int) -> None:
    measures = target_measures(Fraction(RANGES[at] * 6))
    assert {name: words_of(chi(measures, name)) for name in SIZES} == {name: said[at] for name, said in SIZES.items()}
    assert {name: chi(measures, name) * 10 for name in ALWAYS} == ALWAYS
    assert chi(measures, "中幅") == (5, 7, 9)[at]  # 賈疏: 中五幅 … 中七幅 … 中九幅
    assert chi(measures, "楅厚") == Fraction(15, 100)  # 厚寸有半
    assert chi(measures, "籌數") == 80


def test_the_district_target_is_as_its_own_note_has_it() -> None:
    measures = target_measures(usual_range())
    assert chi(measures, "侯道") == 300  # 侯道五十弓
    assert chi(measures, "上个") == chi_of("五尋")  # 鄉侯上个五尋
    assert chi(measures, "侯中") == 10  # 中十尺
    assert chi(measures, "上綱") == 56  # 敖繼公: 五丈六尺
    assert chi(measures, "上綱去地") == chi_of("丈九尺二寸")  # 賈疏
    # 中人張臂八尺張足六尺，五八四十，五六三十
    assert chi(measures, "上个") == 5 * chi(measures, "上个象臂")
    assert chi(measures, "下个") == 5 * chi(measures, "下个象足")


def test_rival_figures_stand_beside_one_another() -> None:
    measures = target_measures(Fraction(420))  # 70 弓
    rivals = {(name, one.reading.by): one.chi for name, found in measures.items() for one in found.rivals}
    # 鄭司農: 方十尺曰侯，四尺曰鵠，二尺曰正，四寸曰質
    assert [rivals[name, "鄭司農"] for name in ("侯中", "鵠", "正", "質")] == [10, 4, 2, Fraction(4, 10)]
    assert [rivals[name, "今之儒家"] for name in ("鵠", "正")] == [2, 4]  # 四尺曰正，二尺曰鵠
    assert rivals["正", "張爾岐"] == 14  # 中即正也
    assert rivals["質", "敖繼公"] == Fraction(14, 3)  # 其方如鵠
    assert rivals["杠", "敖繼公"] == 24  # 仞與尋皆八尺, three of them
    assert rivals["物間", "敖繼公"] == Fraction(48, 10)  # 不及五尺: a bow less a footprint
    assert rivals["乏西", "敖繼公"] == 28 + 30  # from 侯黨, the western edge
    assert rivals["乏西", "大射儀"] == rivals["乏北", "大射儀"] == 60  # 西十北十; 張爾岐: 六丈
    assert rivals["布幅", "敖繼公"] is None  # 姑闕之: he gives none
    assert [rivals["侯道", f"白虎通（{rank}）"] for rank in ("天子", "諸侯", "大夫", "士")] == [720, 540, 420, 300]
    assert measures["質"].chi is None  # 度無文


def test_three_targets_hang_one_by_another_as_zheng_xuan_reckons() -> None:
    near, middle, far = hang()
    assert [one.name for one in (near, middle, far)] == ["干侯", "參侯", "大侯"]
    # 鄭注: 糝侯去地一丈五寸少半寸, 大侯去地二丈二尺五寸少半寸; 干不及地武
    assert [words_of(one.lower) for one in (near, middle, far)] == ["一尺二寸", "一丈五寸少半寸", "二丈二尺五寸少半寸"]
    # 賈疏: 上綱去地丈九尺二寸, 三丈二尺五寸少半寸, 四丈八尺五寸少半寸
    assert [one.upper for one in (near, middle, far)] == [
        chi_of("丈九尺二寸"), chi_of("三丈二尺五寸少半寸"), chi_of("四丈八尺五寸少半寸"),
    ]  # fmt: skip
    # 賈疏: 其鵠下八尺六寸大半寸為干侯所掩, 其鵠下一丈為參所掩
    assert [one.hidden for one in (near, middle, far)] == [0, chi_of("八尺六寸大半寸"), chi_of("一丈")]
    assert (middle.mark, far.mark) == (near.upper, middle.upper)  # 參鵠下畔與干侯之上綱齊
    assert [one.mark_top - one.mark for one in (near, middle, far)] == [Fraction(10, 3), Fraction(14, 3), 6]


def test_every_figure_of_the_table_of_three_is_reached() -> None:
    rows = target.table("measures-three")["rows"]
    for one in hang():
        reached = {"下綱去地": one.lower, "上綱去地": one.upper, "鵠下": one.hidden}
        for cell, said in rows[one.name].items():
            if cell == "見鵠於":
                assert one.before == said["is"]
            else:
                assert (reached.get(cell) or chi(one.measures, cell)) == chi_of(said["is"]), (one.name, cell)
                assert Fraction(said["number"]) == chi_of(said["is"]) / (6 if cell == "侯道" else 1)


def test_other_ranges_hang_by_the_same_rule() -> None:
    # 3 at 50 弓 each: each is 18 high, below its 鵠 4 + (10 − 10/3) / 2 = 22/3.
    near, middle, far = hang({"干侯": Fraction(300), "參侯": Fraction(300), "大侯": Fraction(300)})
    assert near.upper == Fraction(192, 10)
    assert middle.lower == Fraction(192, 10) - Fraction(22, 3)
    assert far.lower == middle.lower + 18 - Fraction(22, 3)


@pytest.mark.parametrize(
    ("kind", "rank", "domain", "bows", "row"),
    [
        ("皮侯", "天子", None, 90, "天子虎侯"),
        ("皮侯", "天子", None, 50, "天子豹侯"),
        ("皮侯", "諸侯", "畿內", 70, "諸侯熊侯"),
        ("皮侯", "諸侯", "畿外", 70, "諸侯參侯"),
        ("皮侯", "大夫", None, None, "大夫麋侯"),
        ("采侯", "諸侯", None, 50, "諸侯二正"),
        ("采侯", "諸侯", "畿外", 70, "諸侯畿外三正"),
        ("采侯", "諸侯", "畿內", 50, "諸侯二正"),  # its words part no domains
        ("皮侯", "大夫", "畿外", 70, "大夫參侯"),
        ("獸侯", "士", None, 50, "士獸侯"),
        ("獸侯", "諸侯", None, 90, "諸侯獸侯"),
    ],
)
def test_a_rank_has_its_own_face(kind: str, rank: str, domain: str | None, bows: int | None, row: str) -> None:
    distance = None if bows is None else Fraction(bows * 6)
    assert find_faces(kind, rank, domain, distance)[0].row == row


def test_colours_are_as_the_words_have_them() -> None:
    colours = {face.get("侯"): face.get("正") for face in find_faces("采侯", "天子")}
    # 中朱次白次蒼次黃玄居外; 三正損玄黃; 二正去白蒼而畫以朱綠
    assert colours == {"五正": "朱白蒼黃玄", "三正": "朱白蒼", "二正": "朱綠"}
    # 天子熊侯白質，諸侯麋侯赤質，大夫布侯畫以虎豹，士布侯畫以鹿豕
    grounds = {face.get("爵"): (face.get("質"), face.get("首")) for face in find_faces("獸侯")}
    # Their ground is left white, by 鄭玄's note: 其地不采者白布也.
    assert grounds == {"天子": ("白", "熊"), "諸侯": ("赤", "麋"), "大夫": ("白布", "虎豹"), "士": ("白布", "鹿豕")}


def test_faces_agree_with_the_tables_of_rank() -> None:
    colours = {row: cells["色"]["is"] for row, cells in target.table("square-colours")["rows"].items()}
    beasts = target.table("targets")["rows"]
    for face in faces():
        if face.get("類") == "采侯":
            assert face.get("正") == colours[face.cells["侯"]], face.row
        if face.get("類") == "獸侯":
            cells = beasts[face.cells["爵"]]
            assert (face.get("侯"), face.get("首")) == (cells["侯"]["is"], cells["畫"]["is"]), face.row
            assert face.get("質") == cells["質"]["is"], face.row


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (("布侯", None, None), "皮侯、采侯、獸侯"),
        (("皮侯", "庶人", None), "天子、諸侯、大夫、士"),
        (("皮侯", "諸侯", "海外"), "畿內、畿外"),
        (("皮侯", "士", None), "士無大射"),
    ],
)
def test_a_face_that_there_is_not_is_told_plainly(asked: tuple[str, str | None, str | None], says: str) -> None:
    with pytest.raises(ScenarioError, match=says):
        find_faces(*asked)


def test_a_measure_that_there_is_not_is_told_plainly() -> None:
    with pytest.raises(RiteError, match="no number for 質"):
        chi(target_measures(Fraction(300)), "質")


SHARED = Path(__file__).resolve().parents[3] / "shared"


def said() -> Iterator[tuple[str, str, str]]:
    """Every cell and reading of the three tables: where, its words, the key of its text."""
    for name in ("measures", "measures-three", "measures-faces"):
        for row, cells in target.table(name)["rows"].items():
            for cell, found in cells.items():
                for one in (found, *found.get("readings", ())):
                    yield f"{name}.{row}.{cell}", one["words"], one["source"]


def bare(text: str) -> str:
    """A text without line ends, page marks, brackets and stops, in one spelling."""
    import re

    import opencc

    text = re.sub(r"<pb:[^>]*>", "", text)
    text = re.sub(r"[\s¶()/〈〉（）　，。：；、「」]", "", text)
    text = text.translate(str.maketrans("歩䟽郷旣竝冝靣賔𤣥刋夲", "步疏鄉既並宜面賓玄刊本"))
    found: str = opencc.OpenCC("t2s").convert(text)
    return found.translate(str.maketrans("爲於參录", "为于参绿"))


def test_every_word_stands_in_the_text_that_it_is_quoted_from() -> None:
    texts = target.table("sources/sources")["source"]
    if not SHARED.is_dir():
        pytest.skip("the sources are not at hand (../shared): the words cannot be compared with them")
    read = {key: bare((SHARED / text["file"]).read_text(encoding="utf-8")) for key, text in texts.items()}
    wrong = [f"{where}: {words} ({key})" for where, words, key in said() if bare(words) not in read[key]]
    assert not wrong, "\n".join(wrong)


def test_every_value_follows_from_its_words_or_says_why() -> None:
    for name in ("measures", "measures-three", "measures-faces"):
        for row, cells in target.table(name)["rows"].items():
            for cell, found in cells.items():
                assert found.get("silent") or found["is"] in found["words"] or found.get("why"), (name, row, cell)
    assert all(entry.rule or entry.silent or entry.readings for entry in entries().values())
    assert len({face.row for face in faces()}) == len(faces())
