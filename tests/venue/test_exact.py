"""Lengths without rounding, as the notes write them."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yanli.errors import ScenarioError
from yanli.venue.exact import chi_of, number_words, plain, read_range, words_of

ZHOU = Fraction(231, 1000)


@pytest.mark.parametrize(
    ("words", "chi"),
    [
        ("六尺", Fraction(6)),
        ("丈八尺", Fraction(18)),
        ("尺二寸", Fraction(6, 5)),
        ("丈九尺二寸", Fraction(192, 10)),
        # 大射儀鄭注; 凡言大半寸者三分寸之二，少半寸者三分寸之一 (賈疏): 46 寸 2/3, 33 寸 1/3, 105 寸 1/3, 225 寸 1/3.
        ("四尺六寸大半寸", Fraction(140, 30)),
        ("三尺三寸少半寸", Fraction(100, 30)),
        ("一丈五寸少半寸", Fraction(316, 30)),
        ("二丈二尺五寸少半寸", Fraction(676, 30)),
        ("寸有半", Fraction(3, 20)),
        ("三分寸之二", Fraction(2, 30)),
        ("半步", Fraction(3)),
        ("二十五丈二尺", Fraction(252)),
        ("五十弓", Fraction(300)),
        ("50弓", Fraction(300)),
        ("百二十步", Fraction(720)),
    ],
)
def test_a_length_is_read_exactly(words: str, chi: Fraction) -> None:
    assert chi_of(words) == chi


@pytest.mark.parametrize("words", ["", "20", "三", "尺尺", "三寸五尺", "30米", "大半", "三分寸之", "丈 八里"])
def test_what_is_no_length_is_refused(words: str) -> None:
    with pytest.raises(ValueError, match="no length in 尺"):
        chi_of(words)


@pytest.mark.parametrize(
    ("chi", "words"),
    [
        (Fraction(14, 3), "四尺六寸大半寸"),
        (Fraction(10, 3), "三尺三寸少半寸"),
        (Fraction(158, 15), "一丈五寸少半寸"),
        (Fraction(3, 20), "一寸有半"),
        (Fraction(1, 20), "半寸"),
        (Fraction(96, 5), "一丈九尺二寸"),
        (Fraction(252), "二十五丈二尺"),
        (Fraction(0), "無"),
        (Fraction(1, 7), "一寸七分寸之三"),
        # 30 米 at 0.231 米 the 尺 is 10000/77 尺; a thirtieth of it 1000/231 = 4.329… 尺.
        (Fraction(1000, 231), "約四尺三寸三分"),
    ],
)
def test_a_length_is_written_as_the_notes_write_it(chi: Fraction, words: str) -> None:
    assert words_of(chi) == words


@given(st.integers(0, 9999), st.integers(1, 12), st.integers(0, 11))
def test_what_is_written_is_read_back(inches: int, below: int, above: int) -> None:
    chi = Fraction(inches, 10) + Fraction(above % below, below) / 10
    if chi:
        assert chi_of(words_of(chi)) == chi


def test_less_than_nothing_is_no_length() -> None:
    with pytest.raises(ValueError, match="less than nothing"):
        words_of(Fraction(-1))


def test_numbers_are_written_as_the_canon_writes_them() -> None:
    assert [number_words(number) for number in (0, 9, 10, 12, 25, 80, 110, 205)] == [
        "〇", "九", "十", "十二", "二十五", "八十", "一百一十", "二百五",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "chi", "modern"),
    [
        ("50弓", Fraction(300), False),
        ("七十弓", Fraction(420), False),
        ("三十丈", Fraction(300), False),
        ("30米", Fraction(10000, 77), True),
        ("30 m", Fraction(10000, 77), True),
        ("1155cm", Fraction(50), True),
    ],
)
def test_a_range_is_told_in_either_measure(words: str, chi: Fraction, modern: bool) -> None:  # noqa: FBT001
    assert read_range(words, ZHOU) == (chi, modern)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("20", "has no unit"),
        ("0米", "must be more than nothing"),
        ("-3弓", "is no length"),
        ("30yards", "is no length"),
        ("1/0弓", "is no length"),
        ("99999弓", "more than any yard"),
        ("5尺", "less than one 弓"),
        ("3米4尺", "one unit is expected"),
    ],
)
def test_a_range_that_cannot_be_is_told_plainly(words: str, says: str) -> None:
    with pytest.raises(ScenarioError, match=says):
        read_range(words, ZHOU)


def test_fractions_in_figures() -> None:
    assert [plain(chi) for chi in (Fraction(40), Fraction(6, 5), Fraction(14, 3), Fraction(1, 3))] == [
        "40", "1.2", "4 2/3", "1/3",
    ]  # fmt: skip
