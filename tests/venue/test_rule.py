"""The small language of rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yanli.errors import RiteError
from yanli.venue.rule import read_rule, value_of

NAMES = {"堂深": 20.0, "侯道": 300.0, "洗.x": 30.0, "眾賓席.2.y": 18.0, "n": 3.0}


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("20", 20.0),
        ("堂深 - 5步", -10.0),
        ("-堂深", -20.0),
        ("0 - 3 * 堂深 / 2", -30.0),
        ("侯道 / 3 + 1.5", 101.5),
        ("(侯道 + 堂深) / 2", 160.0),
        ("max(3 * 堂深, 侯道 - 10 + 5步)", 320.0),
        ("min(9, 堂深, 12)", 9.0),
        ("洗.x + 3", 33.0),
        ("眾賓席.2.y", 18.0),
        ("17 - 3 * n", 8.0),
        ("10 - 4 - 3", 3.0),
        ("12 / 2 / 3", 2.0),
        ("1弓 + 1武", 7.2),
    ],
)
def test_a_rule_has_its_value(words: str, value: float) -> None:
    assert value_of(read_rule(words), NAMES.__getitem__) == pytest.approx(value)


@pytest.mark.parametrize(
    "words", ["", "堂深 +", "堂深 堂廣", "__import__('os')", "堂深.z", "2 ** 3", "min(1)", "堂深(1)"]
)
def test_what_is_no_rule_is_refused_with_the_rule(words: str) -> None:
    with pytest.raises(RiteError) as fault:
        value_of(read_rule(words), NAMES.__getitem__)
    assert f"“{words}”" in fault.value.findings[0].cause


def test_nothing_is_divided_by_nothing() -> None:
    with pytest.raises(RiteError, match="divides by nothing"):
        value_of(read_rule("1 / (堂深 - 20)"), NAMES.__getitem__)


@given(st.floats(0, 1e4).map(lambda n: round(n, 3)), st.floats(0, 1e4).map(lambda n: round(n, 3)))
def test_sums_are_sums(a: float, b: float) -> None:
    rule = read_rule(f"{a:.3f} + {b:.3f} * 2 - {a:.3f}")
    assert value_of(rule, NAMES.__getitem__) == pytest.approx(2 * b, abs=1e-6)
