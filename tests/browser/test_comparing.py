"""Two schools side by side: what differs is listed as the command lists it, and marked on both plans."""

import json
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser.driving import yanli
from tests.browser.reading import Pair, Reader

ZHENG, AO = "鄭玄", "敖繼公"
SIDES: tuple[Pair, ...] = (("school", ZHENG), ("against.school", AO))
# So many acts of one clause are listed; of more it is said how many there are.
MOST = 60
LISTED = """(items) => items.map((item) => ({
  id: item.querySelector('.words small').textContent,
  acts: [...item.querySelectorAll('.diff')].map((row) => ({
    side: row.dataset.side,
    actors: row.dataset.actors.split(' '),
    said: row.querySelector('.doers').textContent,
    origin: row.querySelector('.origin').classList[1],
    changes: [...row.querySelectorAll('.change')].length,
  })),
  rest: item.querySelector('.rest')?.textContent ?? '',
}))"""


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    """What differs, by the command."""
    found: dict[str, Any] = json.loads(yanli("diff", "鄉射禮", "--school", ZHENG, "--against", AO, "--json").stdout)
    return found


def test_the_differences_listed_are_those_of_the_command(reader: Reader, told: dict[str, Any]) -> None:
    reader.open(*SIDES, ("tab", "differences"))
    items = reader.page.locator("yanli-differences .clauses > li")
    expect(items).to_have_count(len(told["clauses"]))
    listed = items.evaluate_all(LISTED)
    assert len(listed) > 100
    for item, clause in zip(listed, told["clauses"], strict=True):
        assert item["id"] == clause["clause"]
        wanted = clause["differences"]
        assert [act["side"] for act in item["acts"]] == [act["side"] for act in wanted[:MOST]]
        assert [act["origin"] for act in item["acts"]] == [act["origin"] for act in wanted[:MOST]]
        for act, want in zip(item["acts"], wanted, strict=False):
            assert act["actors"] == want["actors"]
            assert act["said"].startswith(want["actors"][0].partition(".")[0])
            assert act["changes"] == len(want["changes"])
        assert (str(len(wanted) - MOST) in item["rest"]) is (len(wanted) > MOST)
    cruxes = reader.page.locator("yanli-differences table").first.locator("th").all_text_contents()
    assert cruxes == [crux["crux"] for crux in told["cruxes"]]


def test_two_schools_are_compared_by_choosing_the_other(reader: Reader) -> None:
    reader.open()
    reader.page.get_by_role("button", name="比", exact=True).click()
    chooser = reader.page.locator("yanli-chooser")
    expect(chooser.get_by_role("heading", name="擇所比者")).to_be_visible()
    chooser.get_by_label("家", exact=True).select_option(AO)
    expect(reader.page.locator("yanli-plan")).to_have_count(2)
    reader.ready()
    assert "against.school" in reader.hash()
    reader.press("Escape")
    reader.page.get_by_role("tab", name="疑與異").click()
    expect(reader.page.locator("yanli-differences .clauses > li").first).to_be_visible()
    reader.page.get_by_role("button", name="不復比").click()
    expect(reader.page.locator("yanli-plan")).to_have_count(1)


def test_who_is_otherwise_is_marked_on_both_plans(reader: Reader) -> None:
    # By 鄭玄 the host's dress for the invitation is 玄端, by 敖繼公 朝服; both have put it on when the words are done.
    reader.open(*SIDES, ("t", "60"))
    for side in ("one", "other"):
        plan = reader.page.locator(f"yanli-plan[data-side={side}] .main")
        expect(plan.locator("g.actor[data-name='主人'] .differs").first).to_be_attached()
        label = plan.locator("g.actor[data-name='主人']").get_attribute("aria-label") or ""
        assert "不同" in label


def test_what_differs_is_marked_in_the_text_and_on_the_scrubber(reader: Reader, told: dict[str, Any]) -> None:
    reader.open(*SIDES)
    marked = reader.page.locator("yanli-text .clause.differs").evaluate_all("(all) => all.map((e) => e.dataset.id)")
    assert marked == [clause["clause"] for clause in told["clauses"]]
    assert reader.page.locator("yanli-controls .tick").count() > 50


def test_one_goes_from_difference_to_difference(reader: Reader, told: dict[str, Any]) -> None:
    reader.open(*SIDES, ("tab", "differences"))
    current = reader.page.locator("yanli-differences .clauses > li[aria-current=true] .words small")
    seen = []
    for _ in range(4):
        reader.page.get_by_role("button", name="次異").click()
        reader.settle()
        seen.append(current.inner_text())
    ids = [clause["clause"] for clause in told["clauses"]]
    assert seen == ids[ids.index(seen[0]) :][:4]
    reader.page.get_by_role("button", name="前異").click()
    reader.settle()
    assert current.inner_text() == seen[2]


def test_both_play_in_step(reader: Reader) -> None:
    reader.open(*SIDES, ("t", "5000"), ("speed", "64"))
    reader.button("演").click()
    reader.until("() => document.querySelector('yanli-app').session.times()[0] > 5300")
    reader.button("止").click()
    reader.settle()
    clauses = reader.page.evaluate(
        """() => {
          const {one, other, times} = document.querySelector('yanli-app').session;
          const [a, b] = document.querySelector('yanli-app').session.times();
          return [one.doc.plays[one.playAt(a)].clause, other.doc.plays[other.playAt(b)].clause];
        }"""
    )
    assert clauses[0] == clauses[1]


def test_a_single_dispute_is_compared_from_the_list(reader: Reader) -> None:
    reader.open(("tab", "differences"))
    dispute = reader.page.locator("yanli-differences .cruxes > li", has_text="戒服")
    dispute.get_by_role("button", name="比之").first.click()
    expect(reader.page.locator("yanli-plan")).to_have_count(2)
    reader.ready()
    one = json.loads(yanli("diff", "鄉射禮", "--against", "戒服=敖繼公", "--json").stdout)
    listed = reader.page.locator("yanli-differences .clauses > li .words small").all_inner_texts()
    assert listed == [clause["clause"] for clause in one["clauses"]]
