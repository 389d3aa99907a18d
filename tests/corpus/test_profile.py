"""A family is data; a file that nobody has named gets the family that it shows."""

import random
import re

import pytest

from yanli.corpus.model import Layer
from yanli.corpus.profile import counter, guess, named, profile, profiles
from yanli.corpus.segment import read_text
from yanli.corpus.segment_rules import expand, heads, rules_of
from yanli.errors import RiteError

# What signs and labels are made of, to be thrown together.
WORDS = """
( ) / 〈 〉 ○ ， 。 ？ ！ ?！ ： 「 【 】 > ** 者， 至 氏 氐 曰 云 注 註 疏 䟽 案 又案 以上 蕙田案 欽定義疏 釋 释曰 釋曰
♂屧唬 鄭云 鄭氏 康成 鄭氏康成曰 郑氏康成 贾氏 公彦曰 賈疏 贾疏云 賈公彥疏 繼公謂 朱子曰 张氏养浩说 正義 正义 总论 存疑
辨正 通論 餘论 存異 今文 古文 译 的 者 司 主人 賓 拜 矢 門 类 音 反 依註 經三千字 【疏】 <TEI> <html </p> <teiHeader
"""
PARTS = (*"\n\n　¶", "¶\n", "\n　", "\n　　", "# ", "# -*- mode: mandoku", "<pb:KR_WYG_1-2a>", *WORDS.split())


def thrown(seed: int) -> str:
    chance = random.Random(seed)  # noqa: S311 - no secret
    return "".join(chance.choices(PARTS, k=6000))


def test_every_profile_is_whole() -> None:
    """Every family says in two languages what it is, and its patterns can be read."""
    for name, family in profiles().items():
        assert family.zh
        assert family.en
        assert family.source
        assert family.words
        rules_of(name, family)
        for sign in family.guess:
            re.compile(sign.find)
            # People are told in words what was looked for, not by its pattern.
            assert sign.says
            assert not re.search(r"\[[^\]]*\]|\(\?|\{\d|\\\\", sign.says), sign.says


@pytest.mark.parametrize("seed", range(3))
def test_signs_are_counted_as_their_patterns_say(seed: int) -> None:
    """A shorter way to count gives what the longer one gives, overlaps included."""
    words = thrown(seed)
    counted = 0
    finds = {sign.find for family in profiles().values() for sign in family.guess}
    for find in finds:
        found = len(re.findall(find, words, re.MULTILINE))
        assert counter(find)(words) == found, find
        counted += found > 0
    assert counted > len(finds) * 0.7


@pytest.mark.parametrize("seed", range(3))
def test_no_label_is_passed_over_by_how_it_begins(seed: int) -> None:
    """Only where a label can begin are labels tried; every one that is there is found all the same."""
    words = thrown(seed)
    for name, family in profiles().items():
        if not family.label:
            continue
        alone = [f"(?P<L{at}>{expand(label.find, gaps=family.gaps)})" for at, label in enumerate(family.label)]
        all_tried = [(found.span(), found.lastgroup) for found in re.finditer("|".join(alone), words, re.MULTILINE)]
        found = rules_of(name, family).labels
        assert found is not None
        assert [(mark.span(), mark.lastgroup) for mark in found.finditer(words)] == all_tried, name
        assert all_tried, name


def test_what_a_label_begins_with_is_known_or_told() -> None:
    """The families of the sources, which have many labels, look for what begins them first."""
    for name in ("fixed", "inline", "punctuated", "lemmata", "kanripo-circled", "kanripo-indented"):
        family = profile(name)
        assert all(heads(label, gaps=family.gaps) for label in family.label), name
        assert str(rules_of(name, family).labels).startswith("re.compile('(?=")


def test_unknown_family_tells_the_nearest() -> None:
    """A slip in a family's name is answered with the name that was meant."""
    with pytest.raises(RiteError) as caught:
        profile("kanripo-indent")
    assert "kanripo-indented" in caught.value.findings[0].nearest


@pytest.mark.parametrize(
    ("words", "name", "layer"),
    [
        ("鄭氏康成", "鄭玄", "注"),
        ("郑氏康成", "鄭玄", "注"),
        ("賈氏公彦", "賈公彥", "疏"),
        ("敖氐继公", "敖繼公", "論"),
        ("张氏养浩", "張養浩", "論"),
        ("姚氏際恒", "姚際恒", "論"),
    ],
)
def test_speakers_by_full_name(words: str, name: str, layer: str) -> None:
    """Whatever name and script a copy uses, one man has one name; 某氏某某 needs no table."""
    assert named(words) == (name, layer)


def test_names_cut_by_line_ends() -> None:
    """A line may end in the middle of a name, with the marks that a copy has there."""
    pattern = re.compile(expand("{speaker}曰", gaps=True))
    for words in (
        "贾氏公彦曰",
        "贾氏\n　公彦曰",
        "敖\n　氏继公曰",
        "敖氏继公\n　曰",
        "敖氏继公)\n　(曰",
        "鄭氏¶\n<pb:KR_WYG_1-2a>¶\n　康成曰",
    ):
        assert pattern.fullmatch(words), words
    assert not pattern.search("郑氏之说曰")


def test_guess_is_sure_or_says_why_not() -> None:
    """A file of no family is plain, and told with what it lacks."""
    found = guess("x.txt", "鄉射之禮。主人戒賓。" * 50)
    assert found.profile.name == "plain"
    assert found.sure < 0.6
    assert "no family" in found.failed
    page = "<pb:KR9z0001_X_001-1a>¶\n" + "主人戒賔(主人州/長也)賔出迎再拜¶\n" * 40
    sure = guess("y.txt", "# -*- mode: mandoku-view; -*-\n" + page)
    assert sure.profile.name == "kanripo"
    assert sure.sure > 0.7


ENGLISH = """The documents of this folder are described below; 釋曰 begins a remark, and 釋曰 again.
Each file is kept as it was found, and nothing in it was changed.
"""


def test_what_is_hardly_chinese_is_of_no_make_of_commentaries() -> None:
    found = guess("README.md", ENGLISH)
    assert (found.profile.name, found.sure <= 0.25) == ("plain", True)
    # Of its letters four are Chinese: 釋曰 twice.
    assert found.failed.startswith("hardly any Chinese characters (4 of ")
    headed = guess("README.md", f"# The documents\n\n{ENGLISH}")
    assert (headed.profile.name, headed.sure <= 0.25) == ("markdown", True)
    # The same remark in a Chinese text is what it is; so are Kanripo's marks, which are no letters of the text.
    assert guess("x.txt", "司射至矢拾。釋曰：云主人坐者，是也。" * 40).profile.name == "lemmata"
    page = "".join(f"<pb:KR1d0026_SBCK_005-{n}a>¶\n主人坐取爵(將獻/賔)¶\n" for n in range(40))
    assert guess("y.txt", f"# -*- mode: mandoku-view; -*-\n#+TITLE: x\n{page}").profile.name == "kanripo"


def test_quoted_lines_alone_make_markdown() -> None:
    text = read_text("主人坐取爵于上篚以降\n> 將獻賓也\n\n賓降\n> 從主人也\n".encode(), "x.md")
    assert text.family == "markdown"
    assert (text.layer(Layer.canon), text.layer(Layer.remark)) == ("主人坐取爵于上篚以降賓降", "將獻賓也從主人也")


def test_a_title_ends_with_a_whole_word() -> None:
    words = "> The documents of this folder are described somewhere below\n\n> and here\n"
    assert read_text(words.encode(), "x.md", family="markdown").title == "The documents of this folder are…"
    assert read_text(ENGLISH.encode(), "README.md").title == "README.md"
