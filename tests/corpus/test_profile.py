"""A family is data; a file that nobody has named gets the family that it shows."""

import re

import pytest

from yanli.corpus.profile import guess, named, profile, profiles
from yanli.corpus.segment_rules import expand, rules_of
from yanli.errors import RiteError


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
