"""The commentators stand in the order in which they wrote, and everybody whom the sources name has his time."""

from __future__ import annotations

from yanli.corpus.eras import era_of, eras
from yanli.corpus.profile import speakers

# The dynasties in their order, with the years of our era between which each ruled (those who wrote under it may have
# outlived it by little: none here has).
DYNASTIES = {
    "漢": (-202, 220),
    "唐": (618, 907),
    "宋": (960, 1279),
    "元": (1271, 1368),
    "明": (1368, 1644),
    "清": (1644, 1912),
}


def test_everybody_whom_the_profiles_know_has_his_time() -> None:
    assert [each.name for each in speakers().speaker if era_of(each.name) is None] == []
    # Those who compiled, or wrote, the works that are known beforehand.
    named = {name for work in speakers().work for name in (work.author, work.compiler) if name}
    assert {"敖繼公", "秦蕙田"} <= named
    assert {name for name in named if era_of(name) is None} == set()


def test_a_year_lies_within_the_dynasty() -> None:
    for name, era in eras().items():
        first, last = DYNASTIES[era.era]
        assert first <= era.year <= last, name


def test_those_who_answer_one_another_stand_in_that_order() -> None:
    # 賈 explains 鄭玄, who quotes 鄭眾; 朱 quotes 賈; 敖 argues with all of them, 張 with 敖, 秦 quotes 張 and 盛.
    order = ["鄭眾", "鄭玄", "賈公彥", "朱熹", "敖繼公", "郝敬", "張爾岐", "盛世佐", "秦蕙田"]
    assert sorted(order, key=lambda name: eras()[name].year) == order


def test_of_nobody_nothing_is_known() -> None:
    assert era_of(None) is None
    assert era_of("無名氏") is None
