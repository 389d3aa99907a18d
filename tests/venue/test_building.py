"""Any yard: what a scenario may say of it, and what does not fit in it."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yanli.errors import RiteError, ScenarioError
from yanli.venue import Layout, Spot, UnknownPlace, build, keys_of, open_layout

KINDS = st.sampled_from(["序", "庠", "場"])


def lengths(low: int, high: int) -> st.SearchStrategy[str]:
    """Lengths as a scenario writes them."""
    return st.integers(low, high).map(lambda n: f"{n}尺")


YARDS = st.fixed_dictionaries(
    {"所": KINDS},
    optional={
        "堂深": lengths(6, 60),
        "堂廣": lengths(12, 200),
        "庭深": lengths(30, 500),
        "庭廣": lengths(30, 400),
        "侯道": st.integers(5, 90).map(lambda n: f"{n}弓") | st.just("無"),
        "階": st.sampled_from(["無", "三等", "5", "七等"]),
        "房": st.sampled_from(["有", "無"]),
        "楹": st.sampled_from(["有", "無"]),
        "尺": st.sampled_from(["周尺", "0.199米", "漢尺"]),
    },
)
ROOMY = st.fixed_dictionaries(
    {"所": KINDS},
    optional={"堂深": lengths(18, 60), "堂廣": lengths(60, 200), "侯道": st.integers(20, 90).map(lambda n: f"{n}弓")},
)


def test_defaults_come_from_the_words(xu: Layout, xiang: Layout) -> None:
    for layout, broad in ((xu, 60), (xiang, 90)):
        measures = layout.building.measures
        assert measures["侯道"] == 300
        assert measures["堂深"] == 20
        assert measures["堂廣"] == broad
        assert measures["等"] == 3
        assert layout.building.in_metres(10) == pytest.approx(2.31)
        assert layout.misfits() == []


def test_metres_are_turned_into_chi() -> None:
    layout = open_layout("xiangshe", {"堂深": "4.62米", "尺": "0.231米"})
    assert layout.spot("洗").y == pytest.approx(-20)
    other = open_layout("xiangshe", {"堂深": "4.5米", "尺": "楚尺"})
    assert other.spot("洗").y == pytest.approx(-20)


def test_every_fault_of_a_building_is_told() -> None:
    with pytest.raises(ScenarioError) as fault:
        open_layout("xiangshe", {"堂深": "20", "堂廣": "廣", "階": "高", "楹": "三", "室": "有"})
    causes = "\n".join(finding.cause for finding in fault.value.findings)
    for key in ("堂深", "堂廣", "階", "楹", "室"):
        assert key in causes
    with pytest.raises(ScenarioError, match="所 = 塾"):
        open_layout("xiangshe", {"所": "塾"})


@pytest.mark.parametrize("steps", ["0", "101", "1/2", "1/0", "99999999等", "9" * 400, "9" * 5000 + "等"])
def test_stairs_have_so_many_steps_and_no_more(steps: str) -> None:
    with pytest.raises(ScenarioError, match="三等"):
        open_layout("xiangshe", {"階": steps})
    assert open_layout("xiangshe", {"階": "100等"}).building.measures["等"] == 100


def test_what_a_school_has() -> None:
    assert open_layout("xiangshe", {"所": "序", "房": "有"}).spot("東房").zone == "房"
    assert open_layout("xiangshe", {"所": "序"}).spot("東房").zone == "堂上"
    assert open_layout("xiangshe", {"所": "庠"}).spot("室").zone == "室"
    with pytest.raises(UnknownPlace):
        open_layout("xiangshe", {"所": "序"}).spot("室")


def test_a_yard_without_a_range_has_no_target() -> None:
    layout = open_layout("xiangshe", {"侯道": "無"})
    with pytest.raises(UnknownPlace, match="侯道"):
        layout.spot("侯")
    assert {"侯", "乏", "侯中"} <= {misfit.place for misfit in layout.misfits()}
    assert layout.building.measures["庭深"] == 60
    assert layout.spot("洗").y == -20


@pytest.mark.parametrize("key", ["堂", "堂深", "堂廣"])
def test_a_yard_without_a_hall_is_drawn_on_the_floor(key: str) -> None:
    layout = open_layout("xiangshe", {key: "無"})
    assert not layout.building.holds(("堂",))
    assert layout.spot("賓席").zone == "堂上"
    assert layout.building.measures["階高"] == 0


def test_a_hall_too_narrow_for_two_archers_says_so() -> None:
    layout = open_layout("xiangshe", {"堂廣": "4尺"})
    wrong = {misfit.place: misfit for misfit in layout.misfits()}
    # 間容弓: 6 + 1.2 尺 are wanted between the pillars, which stand 2 尺 apart and are a 尺 thick with air.
    assert wrong["右物"].by > 0
    first = layout.misfits()[0]
    assert (first.place, first.rule) == ("右物", "其間容弓")
    assert first.by == pytest.approx(7.2)
    assert first.metres == pytest.approx(7.2 * 0.231)
    assert "間容弓" in first.rule


def test_a_court_too_short_for_the_range_says_by_how_much() -> None:
    layout = open_layout("xiangshe", {"庭深": "200尺"})
    wrong = next(misfit for misfit in layout.misfits() if misfit.place == "侯")
    assert wrong.by == pytest.approx(300 - 10 + 6 - 200)
    assert "侯道" in wrong.rule
    assert open_layout("xiangshe", {"庭深": "200尺", "侯道": "30弓"}).misfits() == []


def test_mats_do_not_lie_on_one_another() -> None:
    causes = [misfit.cause for misfit in open_layout("xiangshe", {"堂深": "14尺", "堂廣": "30尺"}).misfits()]
    assert any("主人席" in cause and "stand on one another" in cause for cause in causes), causes


def test_too_many_nobles_are_noticed(xu: Layout) -> None:
    # Four mats go between the jars and the east wall; four more before them in a second row; a ninth has no room.
    assert [xu.misfit(f"大夫席.{number}") for number in range(1, 9)] == [None] * 8
    assert xu.spot("大夫席.5").y < xu.spot("大夫席.4").y
    assert xu.misfit("大夫席.9") is not None


def test_keys_are_known() -> None:
    folder = Path(__file__).parents[2] / "src/yanli/rites"
    lexicon = tomllib.loads((folder / "lexicon/buildings.toml").read_text(encoding="utf-8"))
    places = tomllib.loads((folder / "xiangshe/places.toml").read_text(encoding="utf-8"))
    keys = keys_of(lexicon, places)
    assert {"所", "尺", "堂深", "堂廣", "庭深", "庭廣", "侯道", "階", "房"} <= set(keys)
    assert build({}, lexicon, places).kind == "序"


def test_a_rite_without_places_is_refused() -> None:
    with pytest.raises(RiteError, match="no such file"):
        open_layout("nowhere", {})


PLACES = {"places": {"甲": {"x": "乙.x", "y": "0", "zone": "庭", "source": "試"}}}


@pytest.mark.parametrize(
    ("rule", "cause"),
    [
        ({"x": "甲.x", "y": "0", "zone": "庭", "source": "試"}, "stand on each other"),
        ({"x": "堂高", "y": "0", "zone": "庭", "source": "試"}, "no measure is called 堂高"),
        ({"x": "0", "y": "0", "zone": "庭", "source": "試", "facing": "上"}, "no facing"),
        ({"x": "0", "y": "0", "zone": "庭", "source": "試", "form": "牀"}, "no form"),
        ({"x": "0", "y": "0", "zone": "庭"}, "source"),
        ({"x": "0", "y": "0", "zone": "庭", "source": "試", "tall": "1"}, "tall"),
    ],
)
def test_a_faulty_rule_is_named(rule: dict[str, str], cause: str) -> None:
    folder = Path(__file__).parents[2] / "src/yanli/rites"
    lexicon = tomllib.loads((folder / "lexicon/buildings.toml").read_text(encoding="utf-8"))
    places = {"places": {**PLACES["places"], "乙": rule, "賓席": {"x": "0", "y": "9", "zone": "堂上", "source": "試"}}}
    with pytest.raises(RiteError, match=cause):
        Layout(build({}, lexicon, places), places).spot("甲")


@given(YARDS)
def test_every_place_is_in_its_zone_or_a_misfit(yard: dict[str, str]) -> None:
    layout = open_layout("xiangshe", yard)
    told = {misfit.place for misfit in layout.misfits()}
    for name in layout.anchors():
        if name in told:
            continue
        spot = layout.spot(name)
        # A place on the very edge of its zone is in it.
        near = {layout.zone_at(spot.x + i, spot.y + j) for i in (-0.02, 0, 0.02) for j in (-0.02, 0, 0.02)}
        assert spot.zone in near, name


@given(YARDS)
def test_misfits_are_measured(yard: dict[str, str]) -> None:
    layout = open_layout("xiangshe", yard)
    for misfit in layout.misfits():
        assert misfit.cause
        assert misfit.rule
        assert misfit.metres == pytest.approx(layout.building.in_metres(misfit.by))


def crosses(layout: Layout, a: tuple[float, float], b: tuple[float, float], level: str) -> str | None:
    """The wall or podium that a straight step goes through, if any; worked out apart from the room's own way."""
    half, back = layout.value("堂廣 / 2"), layout.value("堂深 + 後深")
    count = int(max(abs(b[0] - a[0]), abs(b[1] - a[1])) * 4) + 2
    points = [(a[0] + (b[0] - a[0]) * i / count, a[1] + (b[1] - a[1]) * i / count) for i in range(count + 1)]
    if level == "下" and any(abs(x) < half - 0.01 and 0.01 < y < back - 0.01 for x, y in points):
        return "podium"
    if level == "上" and any(abs(x) > half + 0.01 or not -0.01 < y < back + 0.01 for x, y in points):
        return "edge"
    for name, on, (west, south, east, north) in layout.walls:
        if on != level:
            continue
        if west == east and a[0] != b[0]:
            share = (west - a[0]) / (b[0] - a[0])
            if 0 < share < 1 and south + 0.01 < a[1] + share * (b[1] - a[1]) < north - 0.01:
                return name
        if south == north and a[1] != b[1]:
            share = (south - a[1]) / (b[1] - a[1])
            if 0 < share < 1 and west + 0.01 < a[0] + share * (b[0] - a[0]) < east - 0.01:
                return name
    return None


@given(ROOMY, st.data())
def test_no_way_crosses_a_wall_or_the_podium(yard: dict[str, str], data: st.DataObject) -> None:
    layout = open_layout("xiangshe", yard)
    names = [name for name in layout.anchors() if layout.rule(name) and not name.startswith("牖")]
    for _ in range(4):
        a, b = (layout.spot(data.draw(st.sampled_from(names))) for _ in range(2))
        stair = data.draw(st.sampled_from([None, "阼階", "西階"]))
        route = layout.route(a, b, stair)
        assert route.legs == () or route.points[0] == (a.x, a.y)
        assert route.legs == () or route.points[-1] == pytest.approx((b.x, b.y))
        level = layout.levels.get(a.zone, "下")
        for leg in route.legs:
            if leg.kind != "行":
                level = "上" if leg.kind == "升" else "下"
                continue
            for start, end in zip(leg.points, leg.points[1:], strict=False):
                assert crosses(layout, start, end, level) is None, (a, b, stair, start, end)


@given(ROOMY, st.floats(-25, 25), st.floats(1, 15), st.floats(-25, 25), st.floats(1, 15))
def test_a_way_back_is_as_long(yard: dict[str, str], ax: float, ay: float, bx: float, by: float) -> None:
    layout = open_layout("xiangshe", yard)
    a, b = Spot("甲", ax, ay, "堂上"), Spot("乙", bx, by, "堂上")
    assert layout.route(a, b, None).length == pytest.approx(layout.route(b, a, None).length, abs=0.05)


@given(ROOMY)
def test_both_sides_of_the_building_mirror(yard: dict[str, str]) -> None:
    layout = open_layout("xiangshe", yard)
    for name, level, (west, south, east, north) in layout.walls:
        if level == "上" and name not in ("東序", "西序"):
            continue
        mirrored = (-east, south, -west, north)
        assert any(box == pytest.approx(mirrored) for _, _, box in layout.walls), name
