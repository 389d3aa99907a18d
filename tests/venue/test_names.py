"""Names of places come apart at the longest anchor."""

import pytest

from yanli.errors import RiteError, UnderdeterminedError, YanliError
from yanli.venue import Layout, PlaceName, Spot, UnknownPlace, open_layout

ROLES = frozenset({"賓", "司射", "司馬", "三耦", "眾賓.2"})


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("賓席前", PlaceName("賓席", "前")),
        ("賓席", PlaceName("賓席")),
        ("賓西", PlaceName("賓", "西")),
        ("洗南", PlaceName("洗", "南")),
        ("侯西北三步", PlaceName("侯", "西北", 18.0)),
        ("侯之西北三步", PlaceName("侯", "西北", 18.0)),
        ("司射西南", PlaceName("司射", "西南")),
        ("司射身南", PlaceName("司射", "南", None, True)),  # noqa: FBT003  # a field of the tuple
        ("司射南少東", PlaceName("司射南", "東", 3.0)),
        ("物間", PlaceName("物間")),
        ("席末", PlaceName("席", "末")),
        ("己席末", PlaceName("己席", "末")),
        ("薦西", PlaceName("薦", "西")),
        ("賓席薦西", PlaceName("賓席薦", "西")),
        ("眾賓席.2前", PlaceName("眾賓席.2", "前")),
        ("眾賓.2席前", PlaceName("眾賓席.2", "前")),
        ("眾賓.2南", PlaceName("眾賓.2", "南")),
        ("阼階上", PlaceName("阼階上")),
        ("洗東南", PlaceName("洗", "東南")),
        ("堂東南", PlaceName("堂東", "南")),
        ("左个西北三步東六尺", PlaceName("左个西北三步", "東", 6.0)),
        ("三耦南二步", PlaceName("三耦", "南", 12.0)),
    ],
)
def test_a_name_comes_apart(xu: Layout, name: str, parts: PlaceName) -> None:
    assert xu.split(name, ROLES) == parts


def test_further_names_may_be_given_with_the_layout() -> None:
    layout = open_layout("xiangshe", {}, names=["司射"])
    assert layout.split("司射西南") == PlaceName("司射", "西南")
    with pytest.raises(UnknownPlace, match="depends on the moment"):
        layout.spot("司射西南")


def test_an_unknown_place_is_told_with_the_nearest(xu: Layout) -> None:
    with pytest.raises(UnknownPlace, match="阼階土") as fault:
        xu.spot("阼階土")
    assert "阼階" in fault.value.findings[0].nearest
    assert isinstance(fault.value, RiteError)


@pytest.mark.parametrize("name", ["席末", "己席前", "薦西"])
def test_whose_mat_must_be_said(xu: Layout, name: str) -> None:
    with pytest.raises(UnknownPlace):
        xu.spot(name)


def test_what_faces_no_way_has_no_front(xu: Layout) -> None:
    with pytest.raises(UnderdeterminedError, match="洗左"):
        xu.spot("洗左")
    with pytest.raises(YanliError, match="洗末"):
        xu.spot("洗末")


def test_beside_takes_any_spot(xu: Layout) -> None:
    someone = Spot("司射", -36.0, -26.0, "庭", 90.0)
    assert xu.beside(someone, "南")[1:4] == (-36.0, -29.0, "庭")
    assert xu.beside(someone, "右", 4)[1:3] == (-36.0, -30.0)
    assert xu.beside(someone, "前")[1:3] == (-33.0, -26.0)
    assert xu.beside(someone, "")[1:3] == (-36.0, -26.0)


def test_steps_follow_one_another(xu: Layout) -> None:
    first, second = xu.spot("左个西北三步"), xu.spot("左个之西北三步東六尺")
    assert (second.x, second.y) == pytest.approx((first.x + 6, first.y))
    assert xu.beside(xu.spot("左个"), "西北三步東六尺")[1:3] == pytest.approx((second.x, second.y))


def test_answers_are_kept(xu: Layout) -> None:
    assert xu.spot("賓席前") is xu.spot("賓席前")
    assert xu.split("洗南") is xu.split("洗南")
