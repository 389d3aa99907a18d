"""A whole round of shooting is watched, and every arrow goes as the timeline tells."""

import json
import math
import re
from collections.abc import Callable
from typing import Any

import pytest
from tests.browser.driving import yanli
from tests.browser.reading import Reader

SECTION = "三耦初射"
BEGIN = "上耦揖進上射在左並行"
LAST = "三耦卒射亦如之"
AFTER = "司射去扑倚于西階之西"
# Notes every act that becomes current, with what is written in its row, while the rite plays.
NOTE = """() => {
  window.noted = new Map();
  const note = (row) => {
    if (row.matches?.('.act[aria-current=true]') && !noted.has(row.dataset.n)) {
      noted.set(row.dataset.n, {...row.dataset, what: row.querySelector('.what').textContent.trim()});
    }
  };
  const observer = new MutationObserver((changes) => changes.forEach(({target}) => note(target)));
  observer.observe(document.querySelector('yanli-text'), {attributeFilter: ['aria-current'], subtree: true});
}"""
# So far may a figure be moved on the plan, in 尺, so that it does not stand on another.
ASIDE = 6.0
EIGHTHS = ("北", "東北", "東", "東南", "南", "西南", "西", "西北")

Performed = Callable[..., tuple[dict[str, Any], ...]]


@pytest.fixture
def shots(performed: Performed) -> list[dict[str, Any]]:
    """The arrows that the three pairs shoot first, as the command tells them."""
    return [event for event in performed() if event["section"] == SECTION and event["verb"] == "射"]


def test_a_whole_round_of_shooting_is_watched(reader: Reader, shots: list[dict[str, Any]]) -> None:
    # Three pairs, two archers each, four arrows each.
    assert len(shots) == 24
    reader.open()
    reader.search(BEGIN)
    assert reader.words == BEGIN
    assert reader.time < shots[0]["start"]
    reader.page.evaluate(NOTE)
    # Fast, but not so fast that an arrow could fall between two frames, however late a busy machine brings them.
    reader.page.get_by_role("combobox", name="速").select_option("16")
    reader.button("演").click()
    reader.until("(end) => document.querySelector('yanli-app').session.player.time > end", shots[-1]["end"], 120_000)
    reader.button("止").click()
    noted = reader.page.evaluate("() => [...noted.values()].filter((row) => row.verb === '射')")
    assert [int(row["n"]) for row in noted] == [shot["n"] for shot in shots]
    assert [row["actor"] for row in noted] == [shot["actor"] for shot in shots]
    # What the row says of an arrow is what became of it.
    assert [row["what"].endswith("于侯 中") for row in noted] == [shot["hit"] for shot in shots]
    assert [row["what"].endswith("于侯 不中") for row in noted] == [not shot["hit"] for shot in shots]


def test_an_arrow_flies_from_the_bow_to_the_target(reader: Reader, shots: list[dict[str, Any]]) -> None:
    shot = shots[0]
    flying = reader.page.locator("yanli-plan .main .air g[data-ids]")
    south = []
    for before in (0.5, 0.2):
        reader.open(("t", str(shot["end"] - before)))
        assert flying.get_attribute("data-ids") == shot["object_ids"][0]
        place = re.match(r"translate\(([-.\d]+) ([-.\d]+)\)", flying.get_attribute("transform") or "")
        assert place
        south.append(float(place[2]))
        archer = reader.figures()[shot["actor"]]
        assert archer["facing"] == "南"
    # The target stands fifty bows of six 尺 south of the archer, who stands on the hall.
    bow = -archer["xy"][1]
    assert bow < south[0] < south[1] < bow + 300
    reader.open(("t", str(shot["end"] + 0.01)))
    assert flying.count() == 0


def test_when_the_round_is_over_everybody_stands_where_the_state_tells(reader: Reader) -> None:
    told = json.loads(yanli("state", "鄉射禮", "--after", LAST, "--json").stdout)
    reader.open()
    reader.search(AFTER)
    assert reader.time == pytest.approx(told["time"], abs=0.01)
    reader.page.locator("yanli-plan [data-does=whole]").click()
    reader.settle()
    seen = reader.figures()
    # Those who shot and those who have offices in it are all to be seen.
    assert {f"{side}射.{pair}" for side in "上下" for pair in (1, 2, 3)} <= set(seen)
    assert {"司射", "獲者", "賓", "主人"} <= set(seen)
    for name, figure in seen.items():
        actor = told["actors"][name]
        assert figure["xy"] == pytest.approx(actor["xy"], abs=0.011), name
        assert math.dist(figure["drawn"], actor["xy"]) < ASIDE, name
        assert figure["place"] == actor["place"], name
        assert figure["posture"] == actor["posture"], name
        assert figure["facing"] == actor["facing"], name
        assert EIGHTHS[round(figure["turned"] / 45) % 8] == actor["facing"], name
        assert sorted((figure["hands"] or "").split()) == sorted(actor["hands"]["左"] + actor["hands"]["右"]), name
        assert sorted((figure["belt"] or "").split()) == sorted(actor["belt"]), name


def test_who_acts_is_named_on_the_plan_with_what_he_does(reader: Reader, shots: list[dict[str, Any]]) -> None:
    reader.open(("t", str(shots[3]["start"] + 1)))
    name = reader.page.locator(f"yanli-plan .main .name.act[data-of='{shots[3]['actor']}']")
    reader.sees(name)
    assert name.locator(".deed").inner_text() == "射"
