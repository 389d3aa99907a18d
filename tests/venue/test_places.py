"""Places stand where the words put them; the figures are worked out by hand."""

from fractions import Fraction
from pathlib import Path

import pytest

from yanli.venue import Layout, Spot, open_layout

BOTH = ("序", "庠")


def at(layout: Layout, name: str) -> tuple[float, float]:
    """Where a place is."""
    spot = layout.spot(name)
    return spot.x, spot.y


def is_at(layout: Layout, name: str, x: Fraction | int, y: Fraction | int) -> bool:
    """Whether a place is where a figure by hand says."""
    return at(layout, name) == pytest.approx((float(x), float(y)))


# 設洗于阼階東南南北以堂深東西當東榮水在洗東篚在洗西
@pytest.mark.parametrize(("depth", "breadth"), [(20, 60), (18, 48), (30, 100)])
@pytest.mark.parametrize("kind", BOTH)
def test_the_basin_stands_as_far_south_as_the_hall_is_deep(kind: str, depth: int, breadth: int) -> None:
    layout = open_layout("xiangshe", {"所": kind, "堂深": f"{depth}尺", "堂廣": f"{breadth}尺"})
    assert is_at(layout, "洗", Fraction(breadth, 2), -depth)
    assert layout.spot("洗").x > layout.spot("阼階").x
    assert is_at(layout, "水", Fraction(breadth, 2) + 3, -depth)
    assert is_at(layout, "下篚", Fraction(breadth, 2) - 3, -depth)


# 注：侯道五十步，此乏去侯北十丈，西三丈
@pytest.mark.parametrize(("kind", "mark"), [("序", Fraction(10)), ("庠", Fraction(20, 3))])
def test_the_screen_is_a_third_of_the_way_and_five_paces_west(kind: str, mark: Fraction) -> None:
    layout = open_layout("xiangshe", {"所": kind})
    assert is_at(layout, "侯", 0, mark - 300)
    assert is_at(layout, "乏", -30, mark - 300 + 100)
    assert layout.spot("侯").facing == 0.0


def test_a_short_range_keeps_its_third() -> None:
    layout = open_layout("xiangshe", {"侯道": "20弓"})
    assert is_at(layout, "侯", 0, 10 - 120)
    assert is_at(layout, "乏", -30, 10 - 120 + 40)
    assert layout.misfits() == []


# 弓二寸以為侯中倍中以為躬倍躬以為左右舌; 中十尺, 上个五尋
@pytest.mark.parametrize(("bows", "middle", "top"), [(50, 10, 40), (70, 14, 56), (90, 18, 72)])
def test_the_target_is_as_large_as_its_range_asks(bows: int, middle: int, top: int) -> None:
    layout = open_layout("xiangshe", {"侯道": f"{bows}弓"})
    assert layout.building.measures["侯中廣"] == pytest.approx(middle)
    assert layout.building.measures["上个廣"] == pytest.approx(top)


# 序則物當棟堂則物當楣; 其間容弓; 注：是制五架之屋
@pytest.mark.parametrize(("kind", "y"), [("序", Fraction(10)), ("庠", Fraction(20, 3))])
def test_the_marks_lie_under_their_beam_a_bow_apart(kind: str, y: Fraction) -> None:
    layout = open_layout("xiangshe", {"所": kind})
    assert is_at(layout, "右物", -3, y)
    assert is_at(layout, "左物", 3, y)
    assert is_at(layout, "物間", 0, y)
    assert layout.spot("左物").x - layout.spot("右物").x == 6
    assert layout.spot("右物").facing == 180.0


# 上射于右: facing south the right is west; going east abreast, 上射 is to the north, on the left.
def test_the_upper_archer_has_the_western_mark(xu: Layout) -> None:
    right = xu.beside(xu.spot("物間"), "右")
    assert right.x < 0 < xu.beside(xu.spot("物間"), "左").x
    assert xu.spot("右物").x < 0
    walking_east = Spot("下射", -10.0, 3.0, "堂上", 90.0)
    assert xu.beside(walking_east, "左").y > walking_east.y


# 設楅于中庭南當洗; 設中南當楅西當西序東面
@pytest.mark.parametrize("kind", BOTH)
def test_rack_and_holder_keep_the_line_of_the_basin(kind: str) -> None:
    layout = open_layout("xiangshe", {"所": kind})
    assert is_at(layout, "楅", 0, -20)
    assert is_at(layout, "中", -30, -20)
    assert layout.spot("中").x == layout.value("0 - 序間 / 2")
    assert layout.spot("中").facing == 90.0


# The counter faces east: his right is south, his left north.
def test_sticks_lie_right_and_left_of_him_who_counts(xu: Layout) -> None:
    counter = xu.spot("釋獲者位")
    assert counter.x < xu.spot("中西").x < xu.spot("中").x
    assert xu.spot("右獲").y < counter.y < xu.spot("左獲").y
    assert xu.beside(counter, "右").y < counter.y


# 司射先立于所設中之西南東面; 立于司射之南; 進立于司馬之西南
def test_the_officers_stand_one_behind_the_other(xu: Layout) -> None:
    holder, shoot, marshal, archers = (xu.spot(name) for name in ("中", "司射位", "司馬位", "射位"))
    assert shoot.x < holder.x
    assert shoot.y < holder.y
    assert marshal.x == shoot.x
    assert marshal.y < shoot.y
    assert archers.x < marshal.x
    assert archers.y < marshal.y
    assert {shoot.facing, marshal.facing, archers.facing} == {90.0}


# 乃席賓南面東上眾賓之席繼而西席主人於阼階上西面尊於賓席之東; 席于尊東
@pytest.mark.parametrize("kind", BOTH)
def test_mats_and_jars_follow_one_another(kind: str) -> None:
    layout = open_layout("xiangshe", {"所": kind})
    order = ["眾賓席.3", "眾賓席.2", "眾賓席.1", "賓席", "尊", "大夫席.1", "大夫席.2"]
    xs = [layout.spot(name).x for name in order]
    assert xs == sorted(xs)
    assert xs[2] - xs[1] == xs[1] - xs[0] == 6
    assert {layout.spot(name).y for name in order} == {layout.spot("賓席").y}
    host = layout.spot("主人席")
    assert host.facing == 270.0
    assert host.y > layout.spot("阼階上").y
    assert layout.spot("玄酒").x < layout.spot("酒").x
    assert layout.spot("上篚").y < layout.spot("尊").y


def test_nobles_take_the_mats_next_to_the_jars() -> None:
    layout = open_layout("xiangshe", {"諸公": "1"})
    assert layout.spot("大夫席.1").x == layout.spot("諸公席.1").x + 6


# 西序之席北上 — when the row runs out of hall, it goes on along the west wall, from the north.
def test_mats_that_do_not_fit_stand_along_the_west_wall() -> None:
    layout = open_layout("xiangshe", {"堂廣": "36尺"})
    here = [layout.spot(f"眾賓席.{n}") for n in (1, 2, 3)]
    assert [spot.facing for spot in here] == [180.0, 90.0, 90.0]
    assert here[1].x == here[2].x == pytest.approx(-18 + 0.5 + 3.333 / 2)
    assert here[1].y > here[2].y
    assert layout.beside(here[1], "末").y < here[1].y


@pytest.mark.parametrize("kind", BOTH)
def test_ends_of_a_mat_follow_its_head(kind: str) -> None:
    layout = open_layout("xiangshe", {"所": kind})
    guest, host = layout.spot("賓席"), layout.spot("主人席")
    assert layout.spot("賓席末").x == guest.x - 2  # 東上: the tail is west
    assert layout.spot("賓席端").x == guest.x + 2
    assert layout.spot("主人席末").y == host.y + 2  # 升席自北方: the tail is north
    assert layout.spot("大夫席末").x == layout.spot("大夫席").x + 2  # 統於尊: the head is west


def test_food_stands_before_the_mat(xu: Layout) -> None:
    guest = xu.spot("賓席")
    dish, stand, before = xu.spot("賓席薦"), xu.spot("賓席俎"), xu.spot("賓席前")
    assert guest.y > dish.y > stand.y > before.y
    assert guest.x == dish.x == stand.x == before.x
    assert xu.spot("賓席薦西").x < dish.x < xu.spot("賓席薦東").x
    assert xu.spot("賓席薦右").x < dish.x  # facing south, the right is west
    assert at(xu, "賓薦西") == at(xu, "賓席薦西")
    assert xu.spot("主人席前").x < xu.spot("主人席").x


def test_relations_go_by_compass_or_by_facing(xu: Layout) -> None:
    step = 18 / 2**0.5
    target = xu.spot("侯")
    assert at(xu, "侯西北三步") == pytest.approx((target.x - step, target.y + step))
    assert at(xu, "侯之西北三步") == at(xu, "侯西北三步")
    assert at(xu, "左个之西北三步") == pytest.approx((-15 - step, -287 + step))
    assert at(xu, "洗南") == (30.0, -23.0)
    assert xu.spot("侯前").y > target.y  # 侯以鄉堂為面
    assert xu.beside(target, "左", 6).x == -6
    assert at(xu, "西階上少東") == (xu.spot("西階上").x + 3, xu.spot("西階上").y)
    assert at(xu, "賓席東南一丈") == pytest.approx((-4.5 + 50**0.5, xu.spot("賓席").y - 50**0.5))


def test_the_two_sides_mirror_each_other() -> None:
    layout = open_layout("xiangshe", {"堂廣": "71尺", "堂深": "23尺"})
    for east, west in (
        ("阼階", "西階"),
        ("阼階上", "西階上"),
        ("阼階前", "西階前"),
        ("東楹", "西楹"),
        ("東序端", "西序端"),
        ("當東序", "當西序"),
        ("堂東", "堂西"),
        ("東序東", "西序西"),
        ("入門右", "入門左"),
        ("左物", "右物"),
    ):
        there, here = layout.spot(east), layout.spot(west)
        assert (there.x, there.y) == (-here.x, here.y), east


def test_left_and_right_of_the_target(xu: Layout) -> None:
    assert xu.spot("右个").x > 0 > xu.spot("左个").x  # 東方謂之右个
    assert xu.spot("負侯").y > xu.spot("侯").y


def test_stairs_stand_between_pillar_and_wall(xu: Layout) -> None:
    assert xu.spot("東楹").x < xu.spot("阼階").x < xu.value("序間 / 2")


def test_every_place_has_its_source(xu: Layout, xiang: Layout) -> None:
    for layout in (xu, xiang):
        for name in layout.anchors():
            rule = layout.rule(name)
            assert rule is not None
            assert rule.source, name


def test_the_words_of_places_stand_in_the_rite(xu: Layout, xiang: Layout, root: Path) -> None:
    scores = sorted((root / "src/yanli/rites/xiangshe").glob("*.pu"))
    lines = [line for score in scores for line in score.read_text(encoding="utf-8").splitlines()]
    clauses = "".join(line.strip() for line in lines if line and line[0] not in " #※\t")
    if "君在大夫射則肉袒" not in clauses:
        pytest.skip("the rite is not written to its end")
    rules = [(name, layout.rule(name)) for layout in (xu, xiang) for name in layout.anchors()]
    strange = {name: rule.words for name, rule in rules if rule and rule.words not in clauses}
    assert not strange


def test_places_know_whose_they_are(xu: Layout) -> None:
    assert xu.seat_of("賓") == "賓席"
    assert xu.seat_of("眾賓.2") == "眾賓席.2"
    assert xu.seat_of("獲者") is None
