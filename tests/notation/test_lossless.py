"""Whatever is read is given back; whatever is generated is read as it was meant."""

import string
from typing import Literal

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from yanli.notation.format import format_score, same_meaning, unparse
from yanli.notation.lines import DEEPEST
from yanli.notation.parser import parse
from yanli.notation.tree import (
    Act,
    ActLine,
    Again,
    AllOf,
    AnyOf,
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
    Part,
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
from yanli.source import Span

NOWHERE = Span("譜.pu", 1)
PIECES = [
    *"，、‖[]()「」→…=≠<·※ \t\r\n\u3000#,據主人坐爵若否每拾遞當應如法說註辨時警段在至起畢除惟接不有是且或猶皆",
    *("    ", "        ", "\n", "\n    ", "\n        ", " 在 ", " 若 ", "‖ ", "不有", " 據 ", "\r\n", "否\n", "※ 言\n"),
    *("    若 有 甲\n", "當 「甲」 起", "\n    賓 降", "每 x 在 甲", "\n\n", "## 甲 · a\n", "### 乙\n", "\n賓降\n"),
]


def check(text: str) -> None:
    score = parse(text, "譜.pu")
    assert unparse(score) == text
    once = format_score(score)
    again = parse(once, "譜.pu")
    assert format_score(again) == once
    assert same_meaning(score, again)


@given(st.text())
def test_any_text_is_given_back(text: str) -> None:
    check(text)


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
def test_any_heap_of_notation_is_given_back(text: str) -> None:
    check(text)


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
def test_any_tree_survives_being_stored(text: str) -> None:
    score = parse(text, "譜.pu")
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(score), type=Score) == score


def test_line_ends_are_given_back() -> None:
    for text in (
        "",
        "\n",
        "\r\n",
        "賓降",
        "賓降\r\n    賓 降\r\n",
        "賓降\r\n    賓 降\n",
        "賓降\r",
        "\r\n賓降",
        "賓\r降\n\n",
    ):
        check(text)


def test_a_file_with_other_line_ends_has_the_same_words() -> None:
    text = "## 甲 · a\n\n賓降\n    賓 降，立\n"
    assert parse(text.replace("\n", "\r\n"), "譜.pu").findings == ()
    assert same_meaning(parse(text.replace("\n", "\r\n"), "譜.pu"), parse(text, "譜.pu"))


def test_layout_is_made_regular() -> None:
    text = (
        "## 獻  ·  a-b\n坐取爵\n\n\n    主人   坐 ， 取 爵 ，興‖賓   立  \n    若  所=序\n"
        "        賓 告「諾」\n    否   若 ( 甲 )\n        賓 立\n    [ 有司 ]設 席，[ 興 據  鄭注  ]，[坐 據 鄭注]\n"
        "    拾 ( 上射 下射 ) 至 矢盡\n\n        拾者 射\n### 洗\n\n\n    段  甲 「坐」 … 「賓」\n"
        "※言\n\n賓降\t\n    賓 降\t"
    )
    assert format_score(parse(text, "譜.pu")) == (
        "## 獻 · a-b\n\n坐取爵\n    主人 坐，取 爵，興 ‖ 賓 立\n    若 所 = 序\n"
        "        賓 告 「諾」\n    否 若 甲\n        賓 立\n    [有司] 設 席，[興，坐 據 鄭注]\n"
        "    拾 (上射 下射) 至 矢盡\n        拾者 射\n\n### 洗\n    段 甲 「坐」…「賓」\n\n※ 言\n\n賓降\n    賓 降\n"
    )


def test_a_line_that_cannot_be_read_stays_as_it_is() -> None:
    text = "賓降\n   賓  降\n\t賓 降\n    賓  降，，坐\n"
    assert format_score(parse(text, "譜.pu")) == text


# ---- trees, made without text

names = st.text(st.sampled_from("賓介眾獲侯席爵觶甲乙丙丁戊己"), min_size=1, max_size=3)
words = st.builds(Word, names, st.just(NOWHERE))
joined = st.builds(Word, names, st.just(NOWHERE), st.just(value=True))
speeches = st.builds(Speech, st.text("賓降，。[]‖ 據(a{某}", max_size=6), st.just(NOWHERE))
quotes = names
warrants = st.none() | st.text("鄭注，「（」a", min_size=1, max_size=5)


def listed(least: int = 1) -> st.SearchStrategy[tuple[Word, ...]]:
    return st.tuples(words, st.lists(words | joined, min_size=least - 1, max_size=2)).map(lambda one: (one[0], *one[1]))


groups = st.tuples(words, st.lists(joined, max_size=2)).map(lambda one: (one[0], *one[1]))
flags = st.sampled_from([(), (), (), ("不",), ("猶",), ("皆",), ("各",), ("皆", "不")])


@st.composite
def act(draw: st.DrawFn) -> Act:
    said: list[Word | Speech] = [draw(words)]
    for _ in range(draw(st.integers(0, 3))):
        joinable = isinstance(said[-1], Word)
        said.append(draw(words | joined | speeches if joinable else words | speeches))
    prefixes = draw(flags)
    supplied = draw(st.booleans())
    return Act(
        words=tuple(said),
        span=NOWHERE,
        supplied=supplied,
        warrant=draw(warrants) if supplied else None,
        prefixes=prefixes,
        negated="不" in prefixes,
        still="猶" in prefixes,
        distributive=bool({"皆", "各"}.intersection(prefixes)),
    )


@st.composite
def part(draw: st.DrawFn) -> Part:
    acts = tuple(draw(st.lists(act(), min_size=1, max_size=3)))
    supplied = draw(st.booleans())
    return Part(who=draw(groups), acts=acts, who_supplied=supplied, who_warrant=draw(warrants) if supplied else None)


signs: st.SearchStrategy[Literal["=", "≠", "<", ">", "≤", "≥"]] = st.sampled_from(["=", "≠", "<", ">", "≤", "≥"])
simple: st.SearchStrategy[Condition] = st.one_of(
    st.builds(Compare, listed(), signs, listed()),
    st.builds(Is, words, words, st.booleans()),
    st.builds(Has, listed(), st.just(()) | listed(), st.booleans()),
    st.builds(Named, words, st.booleans()),
    st.builds(Marked, words, words, words | st.just(Word("", NOWHERE)), st.booleans()),
)
conditions: st.SearchStrategy[Condition] = st.recursive(
    simple,
    lambda inner: st.one_of(
        st.builds(AnyOf, st.lists(inner, min_size=2, max_size=3).map(tuple)),
        st.builds(AllOf, st.lists(inner, min_size=2, max_size=3).map(tuple)),
    ),
    max_leaves=5,
)
at = {"span": st.just(NOWHERE)}
pair = st.tuples(words, words).filter(lambda one: one[0].text != one[1].text)
moments: st.SearchStrategy[Literal["起", "畢"]] = st.sampled_from(["起", "畢"])


@st.composite
def bind(draw: st.DrawFn) -> Bind:
    operator = draw(st.none() | signs)
    value = draw(listed()) if operator else ()
    return Bind(span=NOWHERE, kind=draw(names), words=draw(listed()), operator=operator, value=value)


@st.composite
def again(draw: st.DrawFn) -> Again:
    supplied = draw(st.booleans())
    return Again(
        span=NOWHERE,
        passage=draw(names),
        exchange=tuple(draw(st.lists(st.tuples(names, names), max_size=2))),
        without=draw(st.just(()) | listed()),
        only=draw(st.just(()) | listed()),
        supplied=supplied,
        warrant=draw(warrants) if supplied else None,
    )


leaves: st.SearchStrategy[Statement] = st.one_of(
    st.builds(ActLine, parts=st.lists(part(), min_size=1, max_size=2).map(tuple), joined=st.booleans(), **at),
    again(),
    bind(),
    st.builds(Distinguish, name=names, condition=conditions, **at),
    st.builds(Time, words=listed(), **at),
    st.builds(Warn, text=quotes, **at),
    st.builds(Range, name=names, first=quotes, last=quotes, guard=st.none() | conditions, **at),
    st.builds(Comment, text=st.text(string.ascii_letters, min_size=1), **at),
)
acting: st.SearchStrategy[Statement] = st.builds(ActLine, parts=st.tuples(part()), **at)


def compound(inner: st.SearchStrategy[Statement]) -> st.SearchStrategy[Statement]:
    body = st.tuples(acting, st.lists(inner, max_size=2)).map(lambda one: (one[0], *one[1]))
    return st.one_of(
        st.builds(If, condition=conditions, body=body, otherwise=st.just(()) | body, **at),
        st.builds(
            Each,
            name=words,
            group=listed(),
            without=st.just(()) | listed(),
            joins=st.none() | quotes,
            body=body,
            **at,
        ),
        st.builds(lambda two, **rest: Turns(names=two, **rest), pair, until=conditions, body=body, **at),
        st.builds(
            lambda two, **rest: Chain(giver=two[0], receiver=two[1], **rest), pair, members=listed(), body=body, **at
        ),
        st.builds(On, words=quotes, at=moments, every=st.booleans(), within=st.none() | words, body=body, **at),
        st.builds(
            On, act=st.tuples(words, words), at=moments, every=st.booleans(), within=st.none() | words, body=body, **at
        ),
        st.builds(Define, name=names, parameters=st.just(()) | st.just(("飲者", "答者")), body=body, **at),
        st.builds(
            Reading,
            crux=names,
            names=st.lists(names, min_size=1, max_size=2).map(tuple),
            default=st.booleans(),
            body=body,
            **at,
        ),
    )


statements = st.recursive(leaves, compound, max_leaves=6)
bodies = st.lists(statements, max_size=3).map(tuple)
items = st.one_of(
    st.builds(ClauseLine, text=names, body=bodies, **at),
    st.builds(
        Heading, level=st.just(2), title=names, slug=st.just("a-b"), guard=st.none() | conditions, body=bodies, **at
    ),
    st.builds(Heading, level=st.just(3), title=names, each=st.none() | st.tuples(words, listed()), body=bodies, **at),
)
scores = st.builds(Score, file=st.just("譜.pu"), items=st.lists(items, min_size=1, max_size=3).map(tuple))


@given(scores)
def test_a_tree_is_read_as_it_was_meant(score: Score) -> None:
    written = format_score(score)
    read = parse(written, "譜.pu")
    assert {finding.code for finding in read.findings} <= {"crux-without-default"}
    assert same_meaning(score, read)
    assert format_score(read) == written


def test_depth_is_bounded_well_below_the_stack() -> None:
    assert DEEPEST < 100
