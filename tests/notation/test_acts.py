"""What an act line says: who, the acts, what the editor supplied and on what warrant."""

import pytest

from yanli.notation.parser import parse
from yanli.notation.tree import Act, ActLine, ClauseLine, Part, Speech, Statement


def under(*lines: str) -> tuple[Statement, ...]:
    """The statements of these lines, hung on a clause."""
    score = parse("\n".join(["賓降", *(f"    {line}" for line in lines)]), "譜.pu")
    assert score.findings == ()
    (clause,) = score.items
    assert isinstance(clause, ClauseLine)
    return clause.body


def parts(line: str) -> tuple[Part, ...]:
    (node,) = under(line)
    assert isinstance(node, ActLine)
    return node.parts


def part(line: str) -> Part:
    (only,) = parts(line)
    return only


def who(one: Part) -> list[str]:
    return [word.text for word in one.who]


def said(act: Act) -> str:
    return " ".join(f"「{word.text}」" if isinstance(word, Speech) else word.text for word in act.words)


def acts(one: Part) -> list[str]:
    return [said(act) for act in one.acts]


def supplied(one: Part) -> list[tuple[bool, str | None]]:
    return [(act.supplied, act.warrant) for act in one.acts]


def test_the_first_word_is_who_and_after_a_comma_only_acts_follow() -> None:
    one = part("主人 坐，取 爵 于 上篚，興，降")
    assert who(one) == ["主人"]
    assert acts(one) == ["坐", "取 爵 于 上篚", "興", "降"]


def test_a_word_knows_where_it_stands() -> None:
    one = part("主人  坐，取 爵")
    assert (one.who[0].span.column, one.who[0].span.length) == (5, 2)
    assert (one.acts[0].span.column, one.acts[0].span.length) == (9, 1)
    assert (one.acts[1].span.column, one.acts[1].span.length) == (11, 3)
    assert [word.span.column for word in one.acts[1].words] == [11, 13]


def test_several_act_together() -> None:
    one = part("賓、介、眾賓 從 主人、司正")
    assert [(word.text, word.joined) for word in one.who] == [("賓", False), ("介", True), ("眾賓", True)]
    assert acts(one) == ["從 主人 司正"]


@pytest.mark.parametrize("line", ["降", "坐，興", "[坐]，興", "皆 拜", "不 嚌 肺", "[坐，取 爵]"])
def test_a_lone_verb_or_a_small_word_says_no_one(line: str) -> None:
    assert part(line).who == ()


def test_small_words_become_flags_and_stay_as_written() -> None:
    one = part("獲者 不 去 旌，猶 挾 乘矢，皆 不 拜，各 反 位")
    assert acts(one) == ["去 旌", "挾 乘矢", "拜", "反 位"]
    assert [act.negated for act in one.acts] == [True, False, True, False]
    assert [act.still for act in one.acts] == [False, True, False, False]
    assert [act.distributive for act in one.acts] == [False, False, True, True]
    assert [act.prefixes for act in one.acts] == [("不",), ("猶",), ("皆", "不"), ("各",)]


def test_an_act_in_brackets_is_supplied() -> None:
    one = part("主人 盥，[坐，取 爵，興 據 下文奠爵于篚]，洗 爵")
    assert acts(one) == ["盥", "坐", "取 爵", "興", "洗 爵"]
    assert supplied(one) == [(False, None), *[(True, "下文奠爵于篚")] * 3, (False, None)]


def test_a_warrant_runs_to_the_end_of_its_bracket() -> None:
    one = part("主人 坐，[興 據 鄭注：「興, 起也」，（下 文）a]")
    assert supplied(one)[1] == (True, "鄭注：「興, 起也」，（下 文）a")


def test_a_whole_line_in_brackets_has_its_actor_supplied_too() -> None:
    one = part("[主人 就 主人席，坐 據 鄭注]")
    assert who(one) == ["主人"]
    assert (one.who_supplied, one.who_warrant) == (True, "鄭注")
    assert supplied(one) == [(True, "鄭注"), (True, "鄭注")]


@pytest.mark.parametrize(("line", "warrant"), [("[有司] 設 席", None), ("[有司 據 鄭注] 設 席", "鄭注")])
def test_only_the_actor_may_be_supplied(line: str, warrant: str | None) -> None:
    one = part(line)
    assert who(one) == ["有司"]
    assert (one.who_supplied, one.who_warrant) == (True, warrant)
    assert acts(one) == ["設 席"]
    assert supplied(one) == [(False, None)]


def test_actor_and_acts_may_stand_on_different_warrants() -> None:
    one = part("[有司 據 鄭注] [設 席 據 敖繼公]，布 純")
    assert (one.who_supplied, one.who_warrant) == (True, "鄭注")
    assert supplied(one) == [(True, "敖繼公"), (False, None)]


def test_brackets_may_follow_who() -> None:
    one = part("主人 [坐，取 爵]，興")
    assert (who(one), one.who_supplied) == (["主人"], False)
    assert [act.supplied for act in one.acts] == [True, True, False]


def test_parts_happen_at_once() -> None:
    left, right = parts("主人 揖，降 ‖ 賓 揖")
    assert (who(left), acts(left)) == (["主人"], ["揖", "降"])
    assert (who(right), acts(right)) == (["賓"], ["揖"])


def test_brackets_may_hold_all_that_happens_at_once() -> None:
    left, right = parts("[上射 進，立 ‖ 下射 進 據 鄭注]")
    for one in (left, right):
        assert (one.who_supplied, one.who_warrant) == (True, "鄭注")
        assert set(supplied(one)) == {(True, "鄭注")}
    assert (who(left), acts(left), who(right), acts(right)) == (["上射"], ["進", "立"], ["下射"], ["進"])


def test_a_line_may_join_what_is_above_it() -> None:
    (node,) = under("‖ 司馬 立")
    assert isinstance(node, ActLine)
    assert node.joined
    assert len(node.parts) == 1


def test_speech_may_hold_anything_but_its_end() -> None:
    one = part("司射 告 賓 「弓矢既具，[有司] ‖ 請射 據 a」，興")
    assert acts(one) == ["告 賓 「弓矢既具，[有司] ‖ 請射 據 a」", "興"]


def test_spaces_are_needed_between_words_only() -> None:
    one = part("[ 有司 ]設 席 ， 告「諾」")
    assert (who(one), acts(one)) == (["有司"], ["設 席", "告 「諾」"])
