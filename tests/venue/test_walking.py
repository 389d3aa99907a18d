"""Ways go round what stands in them, and up and down by the stairs."""

from collections.abc import Iterator
from time import perf_counter

import pytest

from yanli.errors import ImpossibleError
from yanli.venue import Layout, Route, Spot, open_layout


def steps(route: Route) -> Iterator[tuple[float, float]]:
    """Points along the level stretches of a way, a tenth of a 尺 apart or closer."""
    for leg in route.legs:
        if leg.kind != "行":
            continue
        for (ax, ay), (bx, by) in zip(leg.points, leg.points[1:], strict=False):
            count = int(max(abs(bx - ax), abs(by - ay)) * 10) + 1
            for i in range(count + 1):
                yield ax + (bx - ax) * i / count, ay + (by - ay) * i / count


def keeps_clear(layout: Layout, route: Route, name: str) -> bool:
    """Whether a way never enters what stands at a place."""
    spot, size = layout.spot(name), layout.size(name)
    assert size is not None
    broad, deep = (size[1], size[0]) if spot.facing in (90.0, 270.0) else size
    return not any(abs(x - spot.x) < broad / 2 - 0.01 and abs(y - spot.y) < deep / 2 - 0.01 for x, y in steps(route))


def way(layout: Layout, a: str, b: str, stair: str | None = None, via: str | None = None) -> Route:
    """The way between two places."""
    start, end = layout.spot(a), layout.spot(b)
    return layout.route(start, end, stair, layout.way(via, start, end) if via else ())


def test_an_open_way_is_straight(xu: Layout) -> None:
    route = way(xu, "西階上", "阼階上")
    assert [leg.kind for leg in route.legs] == ["行"]
    assert route.length == 45.0
    assert route.points == ((-22.5, 3.0), (22.5, 3.0))


def test_down_by_the_stairs_named(xu: Layout) -> None:
    route = way(xu, "阼階上", "洗北", "阼階")
    assert [leg.kind for leg in route.legs] == ["行", "降", "行"]
    assert [leg.stair for leg in route.legs] == [None, "阼階", None]
    assert route.legs[1].steps == 3  # 三等
    assert route.length == pytest.approx(sum(leg.length for leg in route.legs))
    far = way(xu, "阼階上", "洗北", "西階")
    assert far.legs[1].stair == "西階"
    assert far.length > route.length


def test_without_a_name_the_nearer_stairs_are_taken(xu: Layout) -> None:
    assert way(xu, "洗北", "阼階上").legs[1].stair == "阼階"
    assert way(xu, "司射位", "西階上").legs[1].stair == "西階"
    with pytest.raises(ImpossibleError, match="側階"):
        way(xu, "洗北", "阼階上", "側階")


def test_nobody_climbs_further_than_the_last_step(xu: Layout) -> None:
    up = way(xu, "西階前", "西階盡")
    assert [leg.kind for leg in up.legs] == ["行", "升"]
    assert up.points[-1][1] < 0
    down = way(xu, "西階盡", "阼階前")
    assert [leg.kind for leg in down.legs] == ["降", "行"]


# 由楹內適阼階上; 豫則鉤楹內堂則由楹外
@pytest.mark.parametrize("kind", ["序", "庠"])
def test_round_the_pillars_inside_or_outside(kind: str) -> None:
    layout = open_layout("xiangshe", {"所": kind})
    pillars = layout.spot("西楹").y
    inside = way(layout, "西階上", "阼階上", via="楹內")
    assert all(y > pillars for x, y in steps(inside) if abs(abs(x) - 15) < 0.4)
    outside = way(layout, "西階上", "阼階上", via="楹外")
    assert all(y < pillars for x, y in steps(outside) if abs(abs(x) - 15) < 0.4)
    hooked = way(layout, "西階上", "當左物", via="鉤楹")
    assert all(y > pillars for x, y in steps(hooked) if abs(x + 15) < 0.4)
    back = way(layout, "阼階上", "西階上", via="楹內")
    assert back.length == pytest.approx(inside.length)


def test_a_pillar_is_walked_round(xu: Layout) -> None:
    west, east = Spot("甲", -20.0, 5.0, "堂上"), Spot("乙", -10.0, 5.0, "堂上")
    route = xu.route(west, east, None)
    assert keeps_clear(xu, route, "西楹")
    assert 10 < route.length < 12


@pytest.mark.parametrize("thing", ["洗", "水", "縣", "侯"])
def test_what_is_solid_is_walked_round(xu: Layout, thing: str) -> None:
    spot = xu.spot(thing)
    route = xu.route(Spot("甲", spot.x, spot.y + 9, "庭"), Spot("乙", spot.x, spot.y - 9, "庭"), None)
    assert keeps_clear(xu, route, thing)
    assert len(route.points) > 2


def test_the_corner_of_the_hall_is_walked_round(xu: Layout) -> None:
    route = way(xu, "堂西", "堂東")
    assert not any(abs(x) < 30 and 0 < y < 20 for x, y in steps(route))
    assert all(y < 11 for _, y in steps(route)), "nobody goes round behind the hall"
    for stair in ("阼階", "西階"):
        middle = xu.spot(stair)
        assert not any(abs(x - middle.x) < 2.9 and -3.5 < y < 0 for x, y in steps(route))


def test_in_by_the_gate(xu: Layout) -> None:
    route = xu.route(Spot("甲", -40.0, -330.0, "門外"), xu.spot("西方"), None)
    assert [x for x, y in steps(route) if abs(y + 320) < 0.1]
    assert all(abs(x) < 6 for x, y in steps(route) if abs(y + 320) < 0.05)


def test_rooms_are_entered_by_their_doors(xiang: Layout) -> None:
    for room, door in (("室", "室戶"), ("東房", "房戶")):
        route = way(xiang, "西階上", room)
        crossing = [x for x, y in steps(route) if abs(y - 20) < 0.05]
        assert crossing
        assert all(abs(x - xiang.spot(door).x) <= 1.5 for x in crossing)


def test_the_east_hall_is_reached_round_the_head_of_the_wall(xiang: Layout) -> None:
    route = xiang.route(xiang.spot("阼階上"), Spot("東堂", 38.0, 15.0, "東堂"), None)
    assert all(y <= 3.01 for x, y in steps(route) if abs(x - 30) < 0.1)


def test_the_north_stairs_lead_out_behind() -> None:
    layout = open_layout("xiangshe", {"所": "庠", "北階": "有"})
    route = layout.route(layout.spot("東房"), layout.spot("堂東北"), "北階")
    assert [leg.kind for leg in route.legs] == ["行", "降", "行"]
    assert route.legs[-1].points[0][1] > layout.spot("東房").y


def test_a_flat_yard_has_stairs_of_no_steps() -> None:
    layout = open_layout("xiangshe", {"所": "場"})
    route = way(layout, "洗北", "阼階上", "阼階")
    assert [leg.kind for leg in route.legs] == ["行", "升", "行"]
    assert route.legs[1].steps == 0


def test_who_stands_at_a_thing_may_leave_it(xu: Layout) -> None:
    for name in ("洗", "西楹", "尊", "侯"):
        there = xu.spot(name)
        start = "西階上" if there.zone == "堂上" else "西方"
        assert way(xu, name, start).length > 0
        assert way(xu, start, name).points[-1] == (there.x, there.y)


def test_standing_still_is_no_way(xu: Layout) -> None:
    route = way(xu, "洗北", "洗北")
    assert route.legs == ()
    assert route.length == 0


def test_ways_are_kept_and_quick(xu: Layout) -> None:
    assert way(xu, "西階上", "洗南") is way(xu, "西階上", "洗南")
    begin = perf_counter()
    for index in range(1000):
        xu.route(Spot("甲", -60.0 + index / 50, -40.0, "庭"), Spot("乙", -20.0, -25.0 - index / 50, "庭"), None)
    assert (perf_counter() - begin) / 1000 < 500e-6, "a way is worked out in far less than a millisecond"
