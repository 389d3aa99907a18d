"""What lies over the plan, what it says to those who do not see it, and two plans side by side."""

import re
from typing import Any

import pytest
from tests.browser.reading import Reader

# While arrows fly: the target is seen in a small window.
SHOOTING = ("t", "9288")
BOXES = """() => Object.fromEntries(['.inset', '.scale', '.buttons', '.mini-box', '.main'].map((name) => {
  const {left, top, right, bottom} =
    document.querySelector('yanli-plan').shadowRoot.querySelector(name).getBoundingClientRect();
  return [name, [left, top, right, bottom]];
}))"""
GROUND = """() => [...document.querySelectorAll('yanli-plan')].map(({pane: {camera}}) => {
  return [camera.groundX(camera.width / 2), camera.groundY(camera.height / 2), camera.scale];
})"""
# What everybody who goes by his own name has in his left hand.
HELD = """() => {
  const {timeline, time} = document.querySelector('yanli-plan');
  const {doc} = timeline;
  return timeline.at(time).people.map(({left, roles}, person) => ({
    name: doc.people[person].en,
    left: roles.length ? [] : left.map((thing) => doc.things[thing].id),
  }));
}"""

# Where somebody is who acts, in 尺, and how many pixels a 尺 has.
ACTING = """() => {
  const plan = document.querySelector('yanli-plan');
  const figure = plan.shadowRoot.querySelector('.main g.actor[data-acting], .main g.actor.acting');
  return [Number(figure.dataset.x), Number(figure.dataset.y), plan.pane.camera.scale];
}"""
# Where the walls beside the hall are, and the names of beams between which pixels, all in 尺.
BEAMS = """() => {
  const {pane, timeline: {doc}, shadowRoot} = document.querySelector('yanli-plan');
  const at = (name) => doc.building.shapes.find((shape) => doc.words[shape.name] === name)?.box ?? [];
  const left = shadowRoot.querySelector('.main').getBoundingClientRect().left;
  const beams = (one) => ["楣", "棟"].includes(one.textContent.trim());
  const names = [...shadowRoot.querySelectorAll(".part")].filter(beams);
  return [at('西序')[0], at('東序')[2], names.map((one) => {
    const box = one.getBoundingClientRect();
    return [one.textContent, pane.camera.groundX(box.left - left), pane.camera.groundX(box.right - left)];
  })];
}"""


def clear(reader: Reader) -> None:
    boxes: dict[str, list[float]] = reader.page.evaluate(BOXES)
    left, top, right, bottom = boxes.pop(".inset")
    main = boxes.pop(".main")
    assert right > left, "the small window is shut"
    assert main[0] <= left
    assert right <= main[2]
    assert main[1] <= top
    assert bottom <= main[3]
    for name, (west, north, east, south) in boxes.items():
        apart = right <= west or left >= east or bottom <= north or top >= south
        assert apart, f"{name} at {west, north, east, south} lies on the small window {left, top, right, bottom}"


@pytest.mark.parametrize("size", [(1440, 900), (740, 360), (1920, 1080)])
def test_the_small_window_lies_under_nothing(reader: Reader, size: tuple[int, int]) -> None:
    width, height = size
    reader.page.set_viewport_size({"width": width, "height": height})
    reader.open(SHOOTING)
    clear(reader)
    reader.page.set_viewport_size({"width": 1100, "height": 650})
    reader.settle()
    clear(reader)


def test_of_a_row_only_what_is_true_of_all_is_said_of_all(reader: Reader) -> None:
    reader.open(SHOOTING, ("script", "en"))
    told = reader.page.locator("yanli-plan .account").inner_text()
    assert not re.search("[一-鿿]", told.replace("。", "")), told
    held: list[dict[str, Any]] = reader.page.evaluate(HELD)
    bows = {each["name"]: each["left"][0] for each in held if each["left"] and each["left"][0].startswith("弓.")}
    assert len(bows) > 2
    for name, bow in bows.items():
        number = bow.partition(".")[2]
        # Between a name and his bow nobody else is named.
        assert re.search(rf"{re.escape(name)}[:,][^;]*left hand: bow {number}\b", told), (name, bow, told)


def test_two_plans_show_the_same_ground(reader: Reader) -> None:
    sides = ("school", "鄭玄"), ("against.school", "敖繼公")
    for time in ("9288", "600", "1560"):
        reader.open(*sides, ("t", time))
        one, other = reader.page.evaluate(GROUND)
        assert one == pytest.approx(other, abs=0.6)
        assert one[2] == pytest.approx(other[2], rel=0.002)


def test_the_small_picture_does_not_hide_who_acts(reader: Reader) -> None:
    """The camera is put where the host, who takes the cup, would stand under the picture in the corner on the right."""
    reader.page.set_viewport_size({"width": 360, "height": 740})
    x, y, scale = reader.open(("t", "1275.02")).page.evaluate(ACTING)
    boxes = reader.page.evaluate(BOXES)
    (left, top, right, bottom), main = boxes[".mini-box"], boxes[".main"]
    # So far is the middle of the picture from that of the plan, in pixels; the ground goes by so much the other way.
    across, down = (left + right - main[0] - main[2]) / 2, (top + bottom - main[1] - main[3]) / 2
    reader.open(("t", "1275.02"), ("camera", f"{x - across / scale:.3f},{y + down / scale:.3f},{scale:.3f}"))
    moved = reader.page.evaluate(BOXES)[".mini-box"]
    assert moved[0] < (main[0] + main[2]) / 2 < left
    assert reader.page.locator("yanli-plan .mini-box.aside").count() == 1


def test_a_beam_is_named_between_the_walls(reader: Reader) -> None:
    reader.open(("rite", "xiangyinjiu"), ("t", "600"), ("camera", "0,8,9"))
    west, east, names = reader.page.evaluate(BEAMS)
    assert names
    for words, left, right in names:
        assert west <= left < right <= east, words
