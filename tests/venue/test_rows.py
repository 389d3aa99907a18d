"""People stand in rows, the first at the head."""

import pytest

from yanli.venue import Layout, Spot, open_layout


def test_the_first_is_at_the_head(xu: Layout) -> None:
    row = xu.row(xu.spot("堂西"), 6, 180.0, "東")  # 三耦俟于堂西南面東上
    xs = [spot.x for spot in row.spots]
    assert xs == sorted(xs, reverse=True)
    assert xs[0] == xu.spot("堂西").x
    assert (row.folded, row.rows) == (False, 1)
    assert {spot.facing for spot in row.spots} == {180.0}
    assert {spot.zone for spot in row.spots} == {"堂西"}


@pytest.mark.parametrize(
    ("facing", "head", "step"),
    [
        (90.0, "北", (0.0, -4.0)),
        (90.0, "北上", (0.0, -4.0)),
        (270.0, "南", (0.0, 4.0)),
        (0.0, "西", (4.0, 0.0)),
        (0.0, None, (-4.0, 0.0)),
        (90.0, None, (0.0, -4.0)),
        (90.0, "左", (0.0, -4.0)),
    ],
)
def test_the_others_stand_away_from_the_head(
    xu: Layout, facing: float, head: str | None, step: tuple[float, float]
) -> None:
    first, second = xu.row(Spot("位", 0.0, -60.0, "庭"), 2, facing, head).spots
    assert (second.x - first.x, second.y - first.y) == pytest.approx(step)


def test_a_row_that_does_not_fit_folds(xu: Layout) -> None:
    row = xu.row(xu.spot("堂西"), 18, 180.0, "東")
    assert row.folded
    assert row.rows == 2
    assert len(row.spots) == 18
    assert len({(spot.x, spot.y) for spot in row.spots}) == 18
    assert {spot.zone for spot in row.spots} == {"堂西"}
    front = [spot for spot in row.spots if spot.y == row.spots[0].y]
    assert all(spot.y > front[0].y for spot in row.spots[len(front) :]), "further rows stand behind"


def test_a_row_may_run_from_the_court_to_the_gate(xu: Layout) -> None:
    row = xu.row(xu.spot("射位"), 60, 90.0, "北")
    assert not row.folded


def test_where_nothing_fits_they_stand_closer() -> None:
    layout = open_layout("xiangshe", {"堂廣": "20尺", "庭廣": "36尺", "堂深": "8尺"})
    row = layout.row(layout.spot("堂西"), 40, 180.0, "東")
    assert row.folded
    assert len(row.spots) == 40


def test_nobody_is_a_row_too(xu: Layout) -> None:
    assert xu.row(xu.spot("堂西"), 0, 180.0, "東").spots == ()
