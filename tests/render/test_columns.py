"""Columns hold in any script."""

from hypothesis import given
from hypothesis import strategies as st

from yanli.render.columns import clock, in_columns, pad, table, width, wrap

WORDS = st.text(st.sampled_from("ab 賓弓𠀀𪚥，。́é·×—"), max_size=30)


def test_what_is_wide_is_counted_twice() -> None:
    assert width("abc") == 3
    assert width("主人") == 4
    assert width("𠀀") == 2  # beyond the basic plane
    assert width("e\u0301") == 1  # a combining mark takes no place
    assert width("眾賓.1–3") == 8


@given(st.lists(st.tuples(WORDS, WORDS, st.just("|")), min_size=1, max_size=8))
def test_the_last_column_begins_at_one_place(rows: list[tuple[str, str, str]]) -> None:
    starts = {width(line[: line.rindex("|")]) for line in table(rows, indent="  ")}
    assert len(starts) == 1


@given(WORDS, st.integers(0, 40))
def test_padding_loses_nothing(text: str, places: int) -> None:
    for right in (False, True):
        padded = pad(text, places, right=right)
        assert text in padded
        assert width(padded) == max(width(text), places)


def test_numbers_stand_at_the_right() -> None:
    assert table([("爵", "3"), ("算", "80")], right=(1,)) == ["爵   3", "算  80"]
    assert in_columns(("賓", ""), (4, 3)) == "賓"


@given(WORDS, st.integers(4, 20))
def test_breaking_a_text_loses_no_sign_but_blanks(text: str, places: int) -> None:
    assert "".join("".join(wrap(text, places)).split()) == "".join(text.split())


def test_no_line_begins_with_a_stop() -> None:
    lines = wrap("主人坐取爵，興，適洗。南面坐奠爵於篚下，盥洗。", 12)
    assert len(lines) > 2
    assert not any(line[0] in "，。" for line in lines)
    assert all(width(line) <= 14 for line in lines)


def test_a_clock() -> None:
    assert [clock(seconds) for seconds in (0, 59.99, 61, 3599.5, 3600, 31290.8)] == [
        "00:00",
        "00:59",
        "01:01",
        "59:59",
        "1:00:00",
        "8:41:30",
    ]
