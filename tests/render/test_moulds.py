"""Which form things have on a drawing: the table of moulds, and that nothing of any rite is left without a mark."""

import pytest

from yanli.rehearsal import rehearse
from yanli.render.moulds import covering, mould_of, quarters, way_of
from yanli.render.plan_scene import Stack
from yanli.render.plan_things import is_marked, mark_of

# What has no mark of its own but a box with its first character: a dog, and what nobody lays down.
PLAIN = {"狗", "肺", "肩", "臂", "臑", "肫", "胳", "左體", "勺", "冪", "尊豐", "笙"}


@pytest.mark.parametrize(
    ("kind", "mould"),
    [
        ("象觚", "爵"), ("散", "爵"), ("方壺", "壺"), ("甒", "壺"), ("獻酒", "壺"), ("獲者洗", "洗"), ("罍水", "水"),
        ("上篚", "篚"), ("膳篚", "篚"), ("獲者篚", "下篚"), ("笙磬", "磬"), ("笙鐘", "鐘"), ("鍾", "鐘"),
        ("應鼙", "鼙"), ("鹿中", "中"), ("大侯", "侯"), ("重席", "席"), ("大燭", "燭"), ("無此物", "無此物"),
    ],
)  # fmt: skip
def test_a_kind_has_the_mould_whose_ending_it_bears(kind: str, mould: str) -> None:
    assert mould_of(kind).name == mould


def test_what_lies_on_another_is_not_seen_by_itself() -> None:
    assert covering("加席", ("席", "重席", "俎")) == ("席",)
    assert covering("席", ("加席", "重席")) == ()
    assert covering("肺", ("席", "俎")) == ("俎",)
    assert covering("冪", ("方壺", "甒", "洗")) == ("方壺", "甒")


# 磬 is measured facing south: facing west it is turned by one quarter, facing east by three. 中: facing east.
@pytest.mark.parametrize(
    ("kind", "way", "turns"),
    [("磬", 180.0, 0), ("磬", 270.0, 1), ("磬", 90.0, 3), ("中", 90.0, 0), ("中", 180.0, 1), ("磬", None, 0)],
)
def test_a_mark_is_turned_as_the_thing_faces(kind: str, way: float | None, turns: int) -> None:
    assert quarters(mould_of(kind), way) == turns


@pytest.mark.parametrize("rite", ["xiangshe", "xiangyinjiu", "dashe", "pinli"])
def test_everything_of_every_rite_has_a_mark(rite: str) -> None:
    performance = rehearse(rite)
    plain = set()
    for thing in performance.stage.world().things.values():
        stack = Stack(thing.kind, "庭", (thing,), 0.0, 0.0)
        assert mark_of(stack, performance.stage.layout, ()).shapes
        if not is_marked(stack):
            plain.add(thing.kind)
    assert plain <= PLAIN


def test_chimes_hang_along_the_court_as_the_words_say() -> None:
    # 阼階東笙磬西面; 西階之西頌磬東面; 建鼓在阼階西南鼓: broad from north to south, and the drum turned to the south.
    performance = rehearse("dashe")
    layout = performance.stage.layout
    world = performance.world_at(performance.length)
    ways = {thing.kind: way_of(layout, thing) for thing in world.things.values() if isinstance(thing.where, str)}
    assert (ways["笙磬"], ways["笙鐘"], ways["頌磬"], ways["鐘"]) == (270.0, 270.0, 90.0, 90.0)
    assert ways["應鼙"] == 180.0
    stack = Stack("笙磬", "阼階東縣", tuple(thing for thing in world.things.values() if thing.kind == "笙磬"), 0.0, 0.0)
    mark = mark_of(stack, layout, ())
    assert (mark.broad, mark.deep) == (2.0 * 9, 6.0 * 9)
