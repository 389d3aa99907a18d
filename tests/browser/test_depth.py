"""The view in depth: who stands where, arrows that fly, looking about, with one's own eyes and with another's."""

import json
from collections.abc import Callable
from math import hypot
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser.driving import yanli
from tests.browser.reading import Reader

RITE = "鄉射禮"
Performed = Callable[..., tuple[dict[str, Any], ...]]
SHOWN = "() => document.querySelector('yanli-depth')?.shadowRoot.querySelector('canvas')?.hasAttribute('aria-label')"
LABEL = "(depth) => depth.shadowRoot.querySelector('canvas').getAttribute('aria-label')"
# By name: x and y on the plan, and how high the feet are.
FEET = """(depth) => Object.fromEntries(depth.stage.people.bodies.map(({root}, index) => {
  const {doc} = depth.timeline;
  const [x, z, y] = root.elements.slice(12);
  return [doc.words[doc.people[index].name], [x, -y, z]];
}))"""
PLACES = """(depth) => Object.fromEntries(depth.timeline.doc.things.map(({id}, index) => {
  const {x, y, z} = depth.stage.things.where[index];
  return [id, [x, -z, y]];
}))"""
# Where somebody's breast is in the window.
BREAST = """(depth, name) => {
  const {people, looking} = depth.stage;
  const at = people.bodies[depth.person(name)].eye.clone();
  at.y -= 1;
  at.project(looking.camera);
  const {left, top, width, height} = depth.getBoundingClientRect();
  return [left + (width * (at.x + 1)) / 2, top + (height * (1 - at.y)) / 2];
}"""
# Resolves when nothing has been drawn for a while.
RESTED = """async (depth) => {
  for (let drawn = -1; drawn !== depth.renderer.info.render.frame; await new Promise((done) => setTimeout(done, 900)))
    drawn = depth.renderer.info.render.frame;
}"""
HALL = 3.0
STEP_ASIDE = 1.8
"""So far from his spot somebody is shown at most, where others are on the same one."""


class Stander:
    """Somebody before the view in depth."""

    def __init__(self, reader: Reader, *pairs: tuple[str, str]) -> None:
        reader.page.goto("/#" + "&".join(f"{key}={value}" for key, value in (("view", "depth"), *pairs)))
        reader.until(SHOWN)
        self.reader = reader
        self.depth = reader.page.locator("yanli-depth")
        self.rest()

    def rest(self) -> None:
        """Wait until the view stands still."""
        self.depth.evaluate(RESTED)

    def label(self) -> str:
        """What is seen, in words."""
        return str(self.depth.evaluate(LABEL))

    def press(self, *keys: str) -> None:
        """Press keys while the view has the focus."""
        self.depth.locator("canvas").focus()
        self.reader.press(*keys)


def shots(performed: Performed) -> list[dict[str, Any]]:
    """The arrows that are shot in the rite, in order."""
    return [event for event in performed() if event["verb"] == "射" and event["hit"] is not None]


def middle(event: dict[str, Any], share: float = 0.5) -> str:
    """A moment within an act."""
    return str(event["start"] + share * (event["end"] - event["start"]))


def test_it_says_what_is_seen_and_draws_nothing_while_nothing_changes(reader: Reader, performed: Performed) -> None:
    event = next(event for event in performed() if event["verb"] == "獻" and event["actor"] == "主人")
    seen = Stander(reader, ("t", middle(event)))
    assert "主人 獻 爵 → 賓" in seen.label()
    drawn = seen.depth.evaluate("(depth) => depth.renderer.info.render.frame")
    reader.page.wait_for_timeout(1500)
    assert seen.depth.evaluate("(depth) => depth.renderer.info.render.frame") == drawn
    seen.press("2")
    seen.rest()
    assert "堂前" in seen.label()
    assert seen.depth.evaluate("(depth) => depth.renderer.info.render.frame") > drawn


@pytest.mark.parametrize("words", ["賓席之前西北面獻賓", "乃合樂周南關雎", "三耦卒射"])
def test_everybody_stands_where_the_state_has_him(reader: Reader, words: str) -> None:
    told = json.loads(yanli("state", RITE, "--after", words, "--json").stdout)
    state = told["actors"]
    end = reader.open().page.evaluate(
        """(id) => {
          const {doc} = document.querySelector('yanli-app').session.one;
          return doc.plays.find(({clause, via}) => !via.length && doc.clauses[clause].id === id).end;
        }""",
        told["clause"],
    )
    feet = Stander(reader, ("t", str(end))).depth.evaluate(FEET)
    assert set(feet) == set(state)
    far = {}
    for name, actor in state.items():
        x, y, high = feet[name]
        off = hypot(x - actor["xy"][0], y - actor["xy"][1])
        if off > STEP_ASIDE:
            far[name] = off
        assert actor["zone"] == "階" or abs(high - (HALL if actor["zone"] == "堂上" else 0.0)) < 0.01, name
    assert not far
    # Two on one spot are shown beside one another.
    spots = list(feet.values())
    near = [hypot(one[0] - other[0], one[1] - other[1]) for at, one in enumerate(spots) for other in spots[:at]]
    assert min(near) > 1.0


def test_an_arrow_leaves_the_hall_and_strikes_the_target_or_the_ground(reader: Reader, performed: Performed) -> None:
    for hits in (True, False):
        shot = next(event for event in shots(performed) if event["hit"] is hits)
        (arrow,) = shot["object_ids"]
        seen = Stander(reader, ("t", middle(shot, 0.2)))
        held = seen.depth.evaluate(PLACES)
        target = held["侯.1"] if any(held["侯.1"]) else [0.0, -290.0, 0.0]
        assert hypot(held[arrow][0] - shot["xy"][0], held[arrow][1] - shot["xy"][1]) < 4
        way = [Stander(reader, ("t", middle(shot, share))).depth.evaluate(PLACES)[arrow] for share in (0.8, 0.9, 0.97)]
        ys = [held[arrow][1], *(y for _, y, _ in way)]
        assert ys == sorted(ys, reverse=True)
        x, y, high = Stander(reader, ("t", str(shot["end"] + 0.01))).depth.evaluate(PLACES)[arrow]
        assert abs(y - target[1]) < 8
        # The 中 is ten 尺 broad and high, above two strips of two 尺, a span above the ground.
        assert (abs(x) < 5 and 5 < high < 15.5) if hits else (abs(x) > 10 and high < 2)


def test_a_person_is_picked_by_a_click(reader: Reader, performed: Performed) -> None:
    event = next(event for event in performed() if event["verb"] == "獻" and event["actor"] == "主人")
    seen = Stander(reader, ("t", middle(event)))
    reader.page.mouse.click(*seen.depth.evaluate(BREAST, "主人"))
    expect(reader.page.locator("yanli-people .card h3")).to_contain_text("主人")
    assert "follow=" in reader.hash()


def test_one_looks_with_anothers_eyes_and_the_link_knows(reader: Reader, performed: Performed) -> None:
    shot = next(event for event in shots(performed) if event["actor"] == "上射.1")
    seen = Stander(reader, ("t", middle(shot)), ("follow", "上射.1"))
    seen.press("e")
    seen.rest()
    assert "以上射一之目" in seen.label()
    assert "eye=" in reader.hash()
    # He looks at the target, from the height of his head.
    camera = """(depth) => {
      const {camera} = depth.stage.looking;
      return [...camera.position, ...camera.getWorldDirection(camera.position.clone())];
    }"""
    x, high, z, east, _, south = seen.depth.evaluate(camera)
    assert hypot(x - shot["xy"][0], -z - shot["xy"][1]) < 2
    assert HALL + 5 < high < HALL + 8
    assert south > 0.9
    assert abs(east) < 0.3
    seen.press("Escape")
    seen.rest()
    assert "eye=" not in reader.hash()


def test_one_walks_and_no_wall_is_walked_through(reader: Reader) -> None:
    seen = Stander(reader, ("t", "0"))
    seen.press("f")
    # From before the eastern wall of the court one presses on to the east.
    seen.depth.evaluate(
        """(depth) => {
          depth.stage.looking.camera.position.set(70, 7, 60);
          depth.stage.looking.turn = -Math.PI / 2;
        }"""
    )
    reader.page.keyboard.down("w")
    reader.page.wait_for_timeout(4000)
    reader.page.keyboard.up("w")
    seen.rest()
    x, high, _ = seen.depth.evaluate("(depth) => [...depth.stage.looking.camera.position]")
    assert 72 < x < 78
    assert 6 < high < 7.5


def test_nothing_is_left_when_the_plan_is_shown_again(reader: Reader) -> None:
    seen = Stander(reader, ("t", "1518"))
    reader.page.evaluate("() => { window.kept = document.querySelector('yanli-depth').renderer.info; }")
    reader.button("平面").click()
    expect(seen.depth).to_have_count(0)
    reader.until("() => window.kept.memory.geometries === 0")
