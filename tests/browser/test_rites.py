"""One rite after another on one page: each has its own title, people, ground and targets, and nothing of the last."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser.reading import Reader

SEEN = """() => {
  const plan = document.querySelector('yanli-plan');
  const {doc} = plan.timeline;
  return {
    targets: doc.building.targets.length,
    small: plan.shadowRoot.querySelector('.inset svg') !== null,
    lines: plan.shadowRoot.querySelector('.mini .cloth-line').getAttribute('d')?.match(/M/g)?.length ?? 0,
  };
}"""
# A moment in which all that is set up stands: of 鄉射禮 the target from the beginning (乃張侯), of 大射儀 three.
RITES = [
    ("dashe", "大射儀", 3),
    ("xiangyinjiu", "鄉飲酒禮", 0),
    ("pinli", "聘禮", 0),
    ("xiangshe", "鄉射禮", 1),
]


def test_one_rite_after_another(reader: Reader) -> None:
    reader.open()
    for slug, name, targets in RITES:
        reader.page.locator("select").first.select_option(slug)
        reader.until("(slug) => document.querySelector('yanli-app').session.one.doc.rite.slug === slug", slug)
        reader.ready()
        expect(reader.page).to_have_title(re.compile(name))
        seen: dict[str, Any] = reader.page.evaluate(SEEN)
        assert seen["targets"] == targets, slug
        assert seen["lines"] == targets, slug
        assert seen["small"] is (targets > 0), slug
        assert (f"rite={slug}" in reader.hash()) is (slug != "xiangshe")
        # What is looked for is looked for in this rite.
        reader.search("使" if slug == "pinli" else "主人")
        assert ("使" if slug == "pinli" else "主人") in reader.words


@pytest.mark.parametrize("slug", ["dashe", "xiangyinjiu", "pinli"])
def test_every_rite_is_told_in_english(reader: Reader, slug: str) -> None:
    reader.open(("rite", slug), ("script", "en"))
    told = reader.page.locator("yanli-plan .account").inner_text()
    assert told
    assert not re.search("[一-鿿]", told.replace("。", "")), told


# 經：中離維綱揚觸梱復公則釋獲: how the lord's arrows fall is said where they fall.
def test_how_an_arrow_falls_is_said_where_it_falls(reader: Reader) -> None:
    reader.open(("rite", "dashe"), ("set", "矢.公=維揚復下"))
    shots: list[list[Any]] = reader.page.evaluate("""() => {
      const {doc} = document.querySelector('yanli-plan').timeline;
      return doc.events.filter((row) => row.fell >= 0 && doc.words[doc.people[row.actor].name] === '公')
        .map((row) => [doc.words[row.fell], row.end]);
    }""")
    assert [word for word, _ in shots[:4]] == ["離維綱", "揚觸", "梱復", "留"]
    for word, end in shots[:2]:
        reader.page.evaluate("(time) => document.querySelector('yanli-app').go(time)", end - 0.05)
        reader.settle()
        assert reader.page.locator("yanli-plan .main .air text").first.text_content() == word
        # The small window shows the target to which it flies.
        expect(reader.page.locator("yanli-plan .inset")).to_be_visible()
