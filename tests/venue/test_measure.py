"""Lengths as people write them."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yanli.errors import ScenarioError
from yanli.venue.measure import CHI_IN, count_of, length_of, read_chi, read_count, read_length

ZHOU = 0.231


@pytest.mark.parametrize(
    ("words", "chi"),
    [
        ("20尺", 20.0),
        ("8步", 48.0),
        ("50弓", 300.0),
        ("五十弓", 300.0),
        ("三丈", 30.0),
        ("二丈五尺", 25.0),
        ("半步", 3.0),
        ("1/2步", 3.0),
        ("2.5 丈", 25.0),
        ("五尋", 40.0),
        ("三笴", 9.0),
        ("尺二寸", None),
        ("一尺二寸", 1.2),
        ("一百二十尺", 120.0),
        ("2.31米", 10.0),
        ("231cm", 10.0),
        ("231 厘米", 10.0),
        ("", None),
        ("20", None),
        ("20里", None),
        ("1/0步", None),
    ],
)
def test_a_length_is_read_in_chi(words: str, chi: float | None) -> None:
    found = length_of(words, ZHOU)
    assert found is None if chi is None else found == pytest.approx(chi)


@pytest.mark.parametrize(
    ("words", "count"),
    [
        ("五", 5),
        ("十", 10),
        ("十二", 12),
        ("五十", 50),
        ("百二十", 120),
        ("3/4", Fraction(3, 4)),
        ("半", Fraction(1, 2)),
    ],
)
def test_a_number_is_read(words: str, count: Fraction) -> None:
    assert count_of(words) == count


@given(st.integers(1, 999), st.sampled_from(sorted(CHI_IN)))
def test_units_hold_what_the_notes_say(number: int, unit: str) -> None:
    assert length_of(f"{number}{unit}", ZHOU) == pytest.approx(float(number * CHI_IN[unit]))


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("20", "no unit"),
        ("二十", "no unit"),
        ("0尺", "more than nothing"),
        ("廣", "no length"),
        ("1/0尺", "no length"),
        ("10001尺", "more than any yard"),
        ("3公尺9999999999米", "more than any yard"),
        ("9" * 400 + "米", "no length"),
        ("9" * 5000 + "米", "no length"),
        ("0." + "0" * 500 + "1米", "no length"),
        ("千" * 500 + "尺", "no length"),
    ],
)
def test_a_bad_length_names_its_key_and_what_is_expected(words: str, why: str) -> None:
    with pytest.raises(ScenarioError, match="堂深") as fault:
        read_length("堂深", words, ZHOU)
    assert why in fault.value.findings[0].cause
    assert "20尺" in fault.value.findings[0].cause


def test_a_bare_number_is_offered_with_units() -> None:
    with pytest.raises(ScenarioError) as fault:
        read_length("堂深", 20, ZHOU)
    assert fault.value.findings[0].nearest[0] == "20尺"


def test_a_chi_may_be_named_or_measured() -> None:
    named = {"周尺": 0.231, "楚尺": 0.225}
    assert read_chi("楚尺", named) == 0.225
    assert read_chi("0.199米", named) == pytest.approx(0.199)
    assert read_chi("19.9厘米", named) == pytest.approx(0.199)
    for bad in ("231米", "魯尺", "2尺", "1/0米", "9" * 400 + "米", "9" * 5000 + "米"):
        with pytest.raises(ScenarioError, match="尺 = "):
            read_chi(bad, named)


def test_people_are_counted_whole() -> None:
    assert read_count("諸公", 2) == 2.0
    assert read_count("諸公", "二") == 2.0
    for bad in ("兩尺", "1/2", -1, "4/0", "20001", "9" * 5000):
        with pytest.raises(ScenarioError, match="諸公"):
            read_count("諸公", bad)
