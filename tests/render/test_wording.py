"""Numbers, names and places are said as people say them."""

import re

import pytest

from yanli.lexicon import load_lexicon
from yanli.performance.perform import Performance
from yanli.render.moments import lead
from yanli.render.wording import Wording, han, numbered, speech_words


def test_numbers_in_chinese() -> None:
    said = {
        0: "〇",
        3: "三",
        10: "十",
        12: "十二",
        80: "八十",
        110: "一百一十",
        205: "二百零五",
        1005: "一千零五",
        6800: "六千八百",
    }
    assert {number: han(number) for number in said} == said


def test_every_number_reads_back() -> None:
    lexicon = load_lexicon()
    assert [lexicon.number(han(number)) for number in range(1, 1000)] == list(range(1, 1000))


def test_names_with_numbers_are_gathered() -> None:
    assert numbered(["矢.1", "矢.2", "矢.3", "矢.7", "弓.1"]) == "矢.1–3、7 弓.1"
    assert numbered(["主人", "賓"]) == "主人 賓"
    assert numbered([]) == ""


def test_slots_are_filled_or_said_as_they_stand() -> None:
    assert speech_words("右賢於左{賢}", lead({"右": 11, "左": 5})) == "右賢於左三純"
    assert speech_words("{某}御於子", {}) == "某御於子"


@pytest.mark.parametrize(
    ("place", "english"),
    [
        ("賓席前", "before the principal guest's mat"),
        ("洗南", "south of the washing basin"),
        ("西階前西二尺", "2 chǐ west of the ground before the west stairs"),
        ("大夫席.1前", "before the grandee's mat (no. 1)"),
        ("當西序", "in line with the west side wall"),
        ("堂西北二步", "2 bù north-west of the hall"),
        ("侯道參一西五步", "5 bù west of the point a third of the range from the target"),
        ("無此處", "無此處"),
    ],
)
def test_places_in_english(performance: Performance, place: str, english: str) -> None:
    assert Wording(performance).place_en(place) == english


def test_no_two_prepositions_follow_one_another(performance: Performance) -> None:
    wording = Wording(performance)
    acts = {wording.act_en(event) for event in performance.events}
    assert not [said for said in acts if re.search(r"\bat (?:at|on|west|east|south|north|before)\b", said)]
    laid = next(event for event in performance.events if event.to == "下篚下")
    assert wording.act_en(laid).endswith(" at the foot of the bamboo basket by the basin")


def test_how_a_shot_fell_out_is_told_apart(performance: Performance) -> None:
    wording = Wording(performance)
    told = {event.hit: wording.act_en(event) for event in performance.events if event.hit is not None}
    assert told[True].endswith(": a hit")
    assert told[False].endswith(": a miss")


def test_a_group_that_only_the_rite_has_is_named_in_english(performance: Performance) -> None:
    assert performance.stage.lexicon.role("眾") is None
    assert Wording(performance).person_en("眾").isascii()


def test_an_office_is_named_while_it_is_held(performance: Performance) -> None:
    wording = Wording(performance)
    holders = set(performance.stage.cast.offices.values())
    said = {wording.actor(event) for event in performance.events if event.actor.name in holders}
    assert "相" in said
    assert {"相（司正）", "相（司馬）"} <= said


def test_what_is_put_on_or_taken_off_is_named(performance: Performance) -> None:
    wording = Wording(performance)
    robed = next(event for event in performance.events if event.info.verb == "服")
    assert wording.act(robed) == "服 玄端"
    bared = next(event for event in performance.events if event.info.verb == "袒")
    assert wording.act(bared) == "袒"
