"""What the other lines say, and how blocks hang together."""

import pytest

from yanli.notation.parser import parse
from yanli.notation.tree import (
    ActLine,
    Again,
    AllOf,
    AnyOf,
    Bad,
    Bind,
    Chain,
    ClauseLine,
    Comment,
    Compare,
    Condition,
    Define,
    Distinguish,
    Each,
    Has,
    Heading,
    If,
    Is,
    Marked,
    Named,
    On,
    Range,
    Reading,
    Score,
    Speech,
    Statement,
    Time,
    Turns,
    Warn,
    Word,
)


def score_of(*lines: str) -> Score:
    return parse("\n".join(["賓降", *lines, ""]), "譜.pu")


def body(*lines: str) -> tuple[Statement, ...]:
    score = score_of(*(f"    {line}" for line in lines))
    assert score.findings == ()
    (clause,) = score.items
    assert isinstance(clause, ClauseLine)
    return clause.body


def only(*lines: str) -> Statement:
    (node,) = body(*lines)
    return node


def texts(words: tuple[Word | Speech, ...]) -> list[str]:
    return [word.text for word in words]


def condition(text: str) -> Condition:
    node = only(f"辨 甲 = {text}")
    assert isinstance(node, Distinguish)
    return node.condition


def plain(found: Condition) -> object:  # noqa: PLR0911 - one answer for each kind
    """A condition without its spans."""
    match found:
        case AnyOf(inner):
            return ("或", *map(plain, inner))
        case AllOf(inner):
            return ("且", *map(plain, inner))
        case Compare(left, operator, right):
            return (texts(left), operator, texts(right))
        case Has(what, where, negated):
            return ("不有" if negated else "有", texts(what), texts(where))
        case Is(who, role, negated):
            return ("不是" if negated else "是", who.text, role.text)
        case Marked(who, act, mark, negated):
            return (not negated, who.text, act.text, mark.text)
        case Named(word, negated):
            return (not negated, word.text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("有 大夫", ("有", ["大夫"], [])),
        ("不有 大夫 在 堂上", ("不有", ["大夫"], ["堂上"])),
        ("不 有 大夫", ("不有", ["大夫"], [])),
        ("不 不有 大夫", ("有", ["大夫"], [])),
        ("所 = 序", (["所"], "=", ["序"])),
        ("所=序", (["所"], "=", ["序"])),
        ("不 所 = 序", (["所"], "≠", ["序"])),
        ("數 眾賓 於 堂下 < 3", (["數", "眾賓", "於", "堂下"], "<", ["3"])),
        ("數 算 於 右 ≥ 數 算 於 左", (["數", "算", "於", "右"], "≥", ["數", "算", "於", "左"])),
        ("x 是 上射", ("是", "x", "上射")),
        ("不 x 是 上射", ("不是", "x", "上射")),
        ("x 射 貫", (True, "x", "射", "貫")),
        ("x 勝", (True, "x", "勝", "")),
        ("不 x 勝", (False, "x", "勝", "")),
        ("矢不備", (True, "矢不備")),
        ("不 矢不備", (False, "矢不備")),
        ("甲 且 乙 或 丙", ("或", ("且", (True, "甲"), (True, "乙")), (True, "丙"))),
        ("甲 且 (乙 或 丙)", ("且", (True, "甲"), ("或", (True, "乙"), (True, "丙")))),
        ("(甲)", (True, "甲")),
        ("甲 或 (乙 或 (丙 或 丁))", ("或", (True, "甲"), ("或", (True, "乙"), ("或", (True, "丙"), (True, "丁"))))),
    ],
)
def test_conditions(text: str, expected: object) -> None:
    assert plain(condition(text)) == expected


def test_if_with_branches() -> None:
    node = only("若 甲", "    賓 降", "否 若 乙", "    賓 升", "否", "    賓 立")
    assert isinstance(node, If)
    assert (len(node.body), node.else_raw) == (1, None)
    (nested,) = node.otherwise
    assert isinstance(nested, If)
    assert (nested.raw, nested.else_raw) == ("    否 若 乙", "    否")
    assert len(nested.otherwise) == 1


def test_an_else_belongs_to_the_nearest_if_of_its_depth() -> None:
    node = only("若 甲", "    若 乙", "        賓 降", "否", "    賓 立")
    assert isinstance(node, If)
    (inner,) = node.body
    assert isinstance(inner, If)
    assert inner.otherwise == ()
    assert len(node.otherwise) == 1


def test_each() -> None:
    node = only("每 x 在 賓、眾賓 除 首 接 「三耦」", "    x 拜")
    assert isinstance(node, Each)
    assert (node.name.text, texts(node.group), texts(node.without)) == ("x", ["賓", "眾賓"], ["首"])
    assert node.joins == "三耦"


def test_turns_and_chain() -> None:
    turns = only("拾 (上射 下射) 至 矢盡", "    拾者 射")
    assert isinstance(turns, Turns)
    assert (texts(turns.names), plain(turns.until)) == (["上射", "下射"], (True, "矢盡"))
    chain = only("遞 (甲 乙) 在 賓、介", "    甲 酬 乙")
    assert isinstance(chain, Chain)
    assert (chain.giver.text, chain.receiver.text, texts(chain.members)) == ("甲", "乙", ["賓", "介"])


def test_a_block_hung_on_words_or_on_an_act() -> None:
    words = only("當 「獲者坐而獲」 起 每 於 三射", "    獲者 坐")
    assert isinstance(words, On)
    assert (words.words, words.act, words.at, words.every) == ("獲者坐而獲", (), "起", True)
    assert words.within is not None
    assert words.within.text == "三射"
    act = only("當 x 射 侯中 畢", "    獲者 坐")
    assert isinstance(act, On)
    assert (act.words, texts(act.act), act.at, act.every) == (None, ["x", "射", "侯中"], "畢", False)
    answer = only("應 x 射 中", "    獲者 坐")
    assert isinstance(answer, On)
    assert (texts(answer.act), answer.at, answer.every) == (["x", "射", "中"], "畢", True)


@pytest.mark.parametrize(
    ("lines", "beside"),
    [
        (["    ‖", "    獲者 坐"], True),
        (["    ‖ 獲者 坐"], True),
        (["    ※ 言", "    ‖", "    獲者 坐"], True),
        (["    獲者 坐", "    ‖ 獲者 興"], False),
    ],
)
def test_a_block_that_begins_with_the_bars_runs_beside(lines: list[str], beside: bool) -> None:  # noqa: FBT001
    node = only("當 「賓降」 起", *lines)
    assert isinstance(node, On)
    assert node.beside is beside


def test_again() -> None:
    node = only("[如 主人獻賓.洗 主人→賓 爵→觶 除 嚌 啐 惟 洗 據 鄭注，下]")
    assert isinstance(node, Again)
    assert (node.passage, node.exchange) == ("主人獻賓.洗", (("主人", "賓"), ("爵", "觶")))
    assert (texts(node.without), texts(node.only)) == (["嚌", "啐"], ["洗"])
    assert (node.supplied, node.warrant) == (True, "鄭注，下")


def test_definitions_and_notes() -> None:
    law, reading, bind, time, warn, named = body(
        "法 卒爵拜 (飲者 答者)",
        "    飲者 坐",
        "說 豫 · 鄭玄、賈公彥 主",
        "註 度 侯道.長 = 50弓",
        "時 前射三日",
        "警 「算不足，不釋」",
        "段 升射 「揖」…「降」 若 甲",
    )
    assert isinstance(law, Define)
    assert (law.name, law.parameters) == ("卒爵拜", ("飲者", "答者"))
    assert isinstance(reading, Reading)
    assert (reading.crux, reading.names, reading.default) == ("豫", ("鄭玄", "賈公彥"), True)
    assert isinstance(bind, Bind)
    assert (bind.kind, texts(bind.words), bind.operator, texts(bind.value)) == ("度", ["侯道.長"], "=", ["50弓"])
    assert isinstance(time, Time)
    assert texts(time.words) == ["前射三日"]
    assert isinstance(warn, Warn)
    assert warn.text == "算不足，不釋"
    assert isinstance(named, Range)
    assert (named.name, named.first, named.last) == ("升射", "揖", "降")
    assert named.guard is not None


def test_headings_with_guards_and_statements_below() -> None:
    text = "## 遵者 · the-honoured 若 有 大夫\n    辨 甲 = 乙\n\n### 升飲 每 耦 在 眾射者 接 「耦出」\n"
    score = parse(text, "譜.pu")
    assert score.findings == ()
    section, passage = (item for item in score.items if isinstance(item, Heading))
    assert (section.level, section.title, section.slug) == (2, "遵者", "the-honoured")
    assert section.guard is not None
    assert isinstance(section.body[0], Distinguish)
    assert (passage.level, passage.title, passage.slug, passage.joins) == (3, "升飲", None, "耦出")
    assert passage.each is not None
    assert (passage.each[0].text, texts(passage.each[1])) == ("耦", ["眾射者"])


def test_reading_goes_on_after_a_fault() -> None:
    score = score_of("    賓 降，", "    若 」", "        賓 升", "    賓 立")
    assert [finding.code for finding in score.findings] == ["empty-act", "unopened-speech"]
    (clause,) = score.items
    assert isinstance(clause, ClauseLine)
    first, second, third = clause.body
    assert isinstance(first, Bad)
    assert isinstance(second, Bad)
    assert isinstance(second.body[0], ActLine)
    assert isinstance(third, ActLine)


def test_an_else_after_an_if_that_was_not_read_only_follows_from_it() -> None:
    score = score_of("    若 有", "        賓 降", "    否", "        賓 升")
    assert [(one.code, one.follows) for one in score.findings] == [
        ("malformed-condition", False),
        ("else-without-if", True),
    ]


def test_a_reading_that_was_not_read_may_be_the_default() -> None:
    score = score_of("    說 豫 · 鄭玄", "        賓 降", "    說 豫 鄭玄 主", "        賓 升")
    assert [finding.code for finding in score.findings] == ["missing-keyword"]


def test_a_comment_never_parts_a_block_from_what_it_belongs_to() -> None:
    score = score_of("※ 甲", "    若 乙", "※ 丙", "        賓 降", "※ 丁", "    否", "        賓 升", "※ 戊")
    assert score.findings == ()
    clause, last = score.items
    assert isinstance(clause, ClauseLine)
    assert isinstance(last, Comment)
    assert last.text == "戊"


def test_blocks_nest_so_far_and_no_further() -> None:
    deep = [f"{'    ' * depth}若 甲" for depth in range(1, 1200)]
    chained = ["    若 甲", "        賓 降", *(["    否 若 乙", "        賓 降"] * 1200)]
    for lines in (deep, chained, [f"    若 {'(' * 900}甲{')' * 900}"], [f"    若 {'不 ' * 900}甲"]):
        assert score_of(*lines).findings
