"""The plan by its structure: what is drawn is what is there, and nothing lies on anything else."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest

from yanli.performance.perform import Performance
from yanli.rehearsal import rehearse
from yanli.render.plan import plan_svg, plan_title
from yanli.venue import facing_name

SVG = "{http://www.w3.org/2000/svg}"
HAIR = 0.11
"""Boxes are written to a tenth of a pixel."""
SCENARIOS: dict[str, tuple[str, ...]] = {
    "default": (),
    "ten pairs": ("眾耦=7",),
    "grandees in a 庠": ("所=庠", "大夫=3"),
}
CHOSEN = (
    "戒賓",
    "迎賓拜至",
    "合樂樂賓",
    "三耦取弓矢",
    "三耦初射",
    "比眾耦",
    "三耦再射釋獲",
    "數獲",
    "飲不勝者",
    "獻獲者",
    "坐燕",
)


class Box(NamedTuple):
    """Left, top, breadth, height; and what it is the box of."""

    x: float
    y: float
    w: float
    h: float
    of: str

    def meets(self, other: Box) -> bool:
        """Whether two boxes share more than their rounding."""
        return (
            self.x + self.w - HAIR > other.x
            and other.x + other.w - HAIR > self.x
            and self.y + self.h - HAIR > other.y
            and other.y + other.h - HAIR > self.y
        )


@cache
def played(name: str) -> Performance:
    """Each scenario is played once."""
    return rehearse("xiangshe", sets=SCENARIOS[name])


def end_of(performance: Performance, section: str) -> float:
    """When the last clause of a section is done."""
    number = next(one.number for one in performance.rite.sections if one.name == section)
    return max(
        play.end for play in performance.plays if performance.clause(play.clause).section == number and not play.via
    )


def box_of(element: ET.Element, name: str) -> Box:
    """The box that an element says it has."""
    x, y, w, h = map(float, element.attrib["data-box"].split())
    return Box(x, y, w, h, name)


def figures(root: ET.Element) -> list[Box]:
    """Everybody, and everything that is not under people's feet."""
    return [
        box_of(element, element.attrib["id"])
        for element in root.iter(f"{SVG}g")
        if "data-box" in element.attrib and element.attrib.get("data-layer") != "floor"
    ]


def words_of(element: ET.Element) -> str:
    """All characters of an element."""
    return "".join(element.itertext())


def labels(root: ET.Element) -> list[Box]:
    """All names, each with its box, which must hold its words at their size: 1 em Chinese, 0.55 em Latin."""
    found = []
    for element in root.iter(f"{SVG}text"):
        if "data-box" not in element.attrib:
            continue
        words, size = words_of(element), float(element.attrib["font-size"])
        box = box_of(element, words)
        if element.attrib.get("data-upright"):
            assert box.w >= size - HAIR, words
            assert box.h >= size * len(words) - HAIR, words
        else:
            assert box.w >= size * sum(1.0 if ord(char) >= 0x2E80 else 0.55 for char in words) - HAIR, words
            assert box.h >= size - HAIR, words
        found.append(box)
    return found


def overlaps(root: ET.Element) -> list[str]:
    """Whatever lies on something else: figures on figures, names on names, names on figures."""
    boxes = sorted((*figures(root), *labels(root)), key=lambda box: box.y)
    found = []
    for at, upper in enumerate(boxes):
        for lower in boxes[at + 1 :]:
            if lower.y > upper.y + upper.h:
                break
            if upper.meets(lower):
                found.append(f"{upper.of} on {lower.of}")
    return found


def drawn(performance: Performance, time: float) -> ET.Element:
    """The plan as a tree; it is well formed, or this fails."""
    return ET.fromstring(plan_svg(performance, time))  # noqa: S314 - our own


@pytest.mark.parametrize("section", CHOSEN)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_nothing_lies_on_anything_else(scenario: str, section: str) -> None:
    performance = played(scenario)
    root = drawn(performance, end_of(performance, section))
    assert len(labels(root)) > 20
    assert overlaps(root) == []


@pytest.mark.parametrize("section", ["戒賓", "迎賓拜至", "三耦再射釋獲"])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_everybody_is_drawn_once_or_listed(scenario: str, section: str) -> None:
    performance = played(scenario)
    time = end_of(performance, section)
    root = drawn(performance, time)
    shown = [element.attrib["data-name"] for element in root.iter(f"{SVG}g") if "data-name" in element.attrib]
    assert len(shown) == len(set(shown))
    world = performance.world_at(time)
    missing = [actor for name, actor in world.actors.items() if name not in shown]
    away = "".join(words_of(element) for element in root.iter(f"{SVG}g") if element.attrib.get("class") == "away")
    assert {actor.spot.zone for actor in missing} <= {"門外"}
    assert all(actor.base in away for actor in missing)
    assert all(f"在{re.sub(r'[.0-9]+$', '', actor.spot.name)}：" in away for actor in missing)


def test_a_figure_says_what_the_world_says() -> None:
    performance = played("default")
    time = end_of(performance, "三耦再射釋獲")
    world = performance.world_at(time)
    people = [element for element in drawn(performance, time).iter(f"{SVG}g") if "data-name" in element.attrib]
    assert people
    for element in people:
        actor = world.actors[element.attrib["data-name"]]
        assert element.attrib["id"] == f"actor-{actor.name}"
        assert element.attrib["data-facing"] == facing_name(actor.facing)
        assert element.attrib["data-posture"] == actor.posture
        assert float(element.attrib["data-x"]) == pytest.approx(actor.spot.x, abs=0.01)
        assert float(element.attrib["data-y"]) == pytest.approx(actor.spot.y, abs=0.01)
        assert element.attrib.get("data-bared", "") == ("1" if "袒" in actor.dress else "")


def test_people_stand_where_they_stand() -> None:
    """To one scale: between two who were not moved aside, pixels are 尺 times the scale, in both directions."""
    performance = played("default")
    root = drawn(performance, end_of(performance, "主人獻賓"))
    at = {
        element.attrib["data-name"]: box_of(element, "")
        for element in root.iter(f"{SVG}g")
        if "data-name" in element.attrib
    }
    host, usher = at["主人"], at["相"]
    world = performance.world_at(end_of(performance, "主人獻賓")).actors
    across = world["相"].spot.x - world["主人"].spot.x
    assert (usher.x + usher.w / 2) - (host.x + host.w / 2) == pytest.approx(9.0 * across, abs=8.0)


def test_ground_left_out_is_marked() -> None:
    performance = played("default")
    svg = plan_svg(performance, end_of(performance, "主人獻賓"))
    assert svg.count("此處略去") == svg.count('class="torn"') >= 2


def test_it_is_pure_and_stands_alone() -> None:
    performance = played("default")
    time = end_of(performance, "飲不勝者")
    first = plan_svg(performance, time)
    assert first == plan_svg(performance, time)
    assert not re.search(r"(?:href|src)=|url\(|@import", first)
    root = ET.fromstring(first)  # noqa: S314 - our own
    ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    assert len(ids) == len(set(ids))


def test_the_account_names_everybody() -> None:
    performance = played("default")
    time = end_of(performance, "主人獻賓")
    desc = drawn(performance, time).find(f"{SVG}desc")
    assert desc is not None
    text = desc.text or ""
    assert "堂上：" in text
    assert "主人：" in text
    assert all(actor.base in text or "三耦" in text for actor in performance.world_at(time).actors.values())


def test_a_mat_is_named_after_its_owner_as_he_is_himself() -> None:
    performance = played("default")
    words = {
        words_of(element) for element in drawn(performance, end_of(performance, "設席陳器具饌張侯")).iter(f"{SVG}text")
    }
    assert {"眾賓一席", "眾賓二席", "眾賓三席"} <= words


def test_offices_in_force_are_named() -> None:
    performance = played("default")
    root = drawn(performance, end_of(performance, "三耦再射釋獲"))
    names = {
        element.attrib["data-of"]: words_of(element)
        for element in root.iter(f"{SVG}text")
        if "data-of" in element.attrib
    }
    assert names["actor-相"] == "司馬"


def test_gear_is_drawn_only_when_it_is_out() -> None:
    performance = played("default")

    def kinds(section: str) -> set[str]:
        root = drawn(performance, end_of(performance, section))
        return {element.attrib["data-kind"] for element in root.iter(f"{SVG}g") if "data-kind" in element.attrib}

    assert "洗" not in kinds("戒賓")
    assert "洗" in kinds("設席陳器具饌張侯")
    assert "楅" not in kinds("主人獻賓")
    assert "楅" in kinds("設楅取矢")


def test_sticks_are_shown_with_their_number() -> None:
    performance = played("default")
    time = end_of(performance, "三耦再射釋獲")
    laid = len(performance.world_at(time).at("右獲", "算"))
    assert laid > 0
    assert f"右獲{laid}" in {box.of for box in labels(drawn(performance, time))}


def test_the_title_says_of_which_rite_section_and_scenario_it_is() -> None:
    performance = rehearse("鄉射禮", sets=["大夫=0"])
    number = performance.played("賓席之前西北面獻賓").clause
    assert plan_title(performance, number, english=False) == "鄉射禮　主人獻賓　「賓席之前西北面獻賓」　設 大夫=0"
    told = plan_title(performance, number, english=True)
    assert told.startswith("The District Archery Ceremony　host offers guest　after 「賓席之前西北面獻賓」 xiangshe.4.")
    assert told.endswith("　設 大夫=0")


def test_english_and_metres() -> None:
    performance = played("default")
    svg = plan_svg(performance, end_of(performance, "主人獻賓"), english=True, metres=True, title="The host offers")
    root = ET.fromstring(svg)  # noqa: S314 - our own
    words = {
        words_of(element) for element in root.iter(f"{SVG}text") if "label" in element.attrib.get("class", "").split()
    }
    assert {"host", "principal guest"} <= words
    assert "m left out" in svg
    title = root.find(f"{SVG}title")
    assert title is not None
    assert title.text == "The host offers"
    told = root.findtext(f"{SVG}desc") or ""
    assert "Away, " in told
    assert not re.search("[\u4e00-\u9fff]", told)
    assert overlaps(root) == []


# At least so many are played: 大射儀 has 46 sections, one of them 復射, 鄉飲酒禮 27 with its 記, 聘禮 three; of 鄉射禮
# many only where the host is a lord, or there are fewer guests.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("rite", "sets", "count"),
    [
        ("xiangshe", (), 40),
        ("xiangyinjiu", ("諸公=1", "大夫=3", "眾賓=12"), 26),
        ("dashe", (), 45),
        ("dashe", ("諸公=1", "大夫=12", "眾耦=3", "復射=是"), 46),
        ("pinli", (), 3),
    ],
)
def test_every_section_is_clear(rite: str, sets: tuple[str, ...], count: int) -> None:
    performance = rehearse(rite, sets=sets)
    ends: dict[str, float] = {}
    for section in performance.rite.sections:
        if any(
            performance.clause(play.clause).section == section.number and not play.via for play in performance.plays
        ):
            ends[section.name] = end_of(performance, section.name)
    assert len(ends) >= count
    faults = {name: found for name, time in ends.items() if (found := overlaps(drawn(performance, time)))}
    assert faults == {}
