"""Words as they are read: scripts, readings above them, lines from right to left, and no character without a glyph."""

import json

import pytest
from playwright.sync_api import expect
from tests.browser.driving import yanli
from tests.browser.reading import Reader

WORDS = "主人坐取爵于上篚以降"
START = ("t", "1275.02")
# Draws every character in the page's own type, and beside it one that no font has; what looks the same has no glyph.
LACKING = """async (characters) => {
  await document.fonts.ready;
  const family = getComputedStyle(document.querySelector('.canon')).fontFamily;
  await Promise.all([...document.fonts].map((face) => face.load()));
  const size = 24;
  const canvas = new OffscreenCanvas(size * 2, size * 2);
  const pen = canvas.getContext('2d', {willReadFrequently: true});
  const drawn = (text) => {
    pen.clearRect(0, 0, size * 2, size * 2);
    pen.font = `${size}px ${family}`;
    pen.fillText(text, 4, size + 8);
    return pen.getImageData(0, 0, size * 2, size * 2).data.join();
  };
  const nothing = new Set(['\\u{10ffff}', '\\u{e0fff}', '\\ufdd0', ' '].map(drawn));
  return [...new Set(characters)].filter((one) => one.trim() && nothing.has(drawn(one)));
}"""


def test_the_text_runs_from_above_downward_and_from_right_to_left(reader: Reader) -> None:
    reader.open(("writing", "vertical"), START)
    canon = reader.page.locator("yanli-text .canon")
    assert canon.evaluate("(e) => getComputedStyle(e).writingMode") == "vertical-rl"
    boxes = [
        reader.page.locator("yanli-text .clause", has_text=words).first.bounding_box()
        for words in ("主人坐取爵于上篚以降", "賓降", "主人阼階前西面坐奠爵興辭降")
    ]
    first, _, third = boxes
    assert first
    assert third
    # A column is higher than broad, and what comes later stands to the left of it, or under it.
    assert first["height"] > first["width"]
    assert third["x"] < first["x"]


def test_what_is_in_force_stays_in_sight_in_vertical_text(reader: Reader) -> None:
    reader.open(("writing", "vertical"), START)
    for _ in range(8):
        reader.step("clause", 1)
        reader.settle()
        expect(reader.clause).to_be_in_viewport()
    reader.step("section", 1)
    reader.step("section", 1)
    expect(reader.clause).to_be_in_viewport()


@pytest.mark.parametrize("writing", ["horizontal", "vertical"])
def test_the_text_follows_the_rite_while_it_plays(reader: Reader, writing: str) -> None:
    reader.open(("writing", writing), START, ("speed", "64"))
    reader.button("演").click()
    for time in (1500, 1700):
        reader.until("(time) => document.querySelector('yanli-app').session.player.time > time", time)
        expect(reader.clause).to_be_in_viewport()


def test_simplified_characters_are_read_everywhere(reader: Reader) -> None:
    reader.open(("script", "hans"), START)
    assert reader.words == "主人坐取爵于上篚以降"
    reader.step("clause", 1)
    reader.step("clause", 1)
    assert reader.words == "主人阼阶前西面坐奠爵兴辞降"
    assert "宾" in reader.page.locator("yanli-plan .main .names").inner_text()
    assert reader.page.get_by_role("button", name="择", exact=True).count() == 1
    assert "乡射礼" in reader.page.title()


def test_all_is_told_in_english_beside_the_chinese_words(reader: Reader) -> None:
    reader.open(("script", "en"), START)
    page = reader.page
    assert "District Archery" in page.title()
    expect(page.get_by_role("button", name="Choose", exact=True)).to_be_visible()
    assert reader.words == WORDS
    row = page.locator("yanli-text .act .what").nth(2).inner_text()
    assert row.isascii() or "cup" in row
    assert "host" in page.locator("yanli-plan .main .names").inner_text()
    assert page.locator("html").get_attribute("lang") == "en"
    # The canon stays Chinese, and says so to those who read it aloud.
    assert page.locator("yanli-text .canon").get_attribute("lang") == "zh-Hant"


@pytest.mark.parametrize(("ruby", "sounds"), [("pinyin", "zhǔ rén zuò qǔ"), ("ko", "주 인 좌 취")])
def test_readings_stand_above_the_words(reader: Reader, ruby: str, sounds: str) -> None:
    reader.open(("ruby", ruby), START)
    clause = reader.page.locator(f"yanli-text .clause[data-id='{first_id()}']")
    read = clause.locator("rt").all_inner_texts()
    assert read[:4] == sounds.split()
    assert len(read) == len(WORDS)
    assert clause.locator("ruby").all_text_contents()[0].startswith("主")


def first_id() -> str:
    """The id of the clause with the words."""
    told = json.loads(yanli("text", "鄉射禮", "--json").stdout)
    return next(str(clause["clause"]) for clause in told["clauses"] if clause["text"] == WORDS)


@pytest.mark.parametrize("script", ["hant", "hans", "en"])
def test_no_character_lacks_a_glyph(reader: Reader, script: str) -> None:
    reader.open(("script", script), ("ruby", "ko"), START)
    used = reader.page.evaluate(
        """(script) => {
          const {doc} = document.querySelector('yanli-app').session.one;
          const forms = script === 'hant' ? doc.words : doc.forms[script].map((word, at) => word ?? doc.words[at]);
          const sounds = doc.clauses.flatMap((clause) => [...clause.ko, ...clause.pinyin]);
          return [...new Set([...forms, ...sounds].join('') + document.body.innerText)].join('');
        }""",
        script,
    )
    assert len(used) > 500
    assert reader.page.evaluate(LACKING, used) == []


def test_a_character_without_a_glyph_would_be_noticed(reader: Reader) -> None:
    reader.open()
    assert reader.page.evaluate(LACKING, "主\U0010fffe人") == ["\U0010fffe"]


@pytest.mark.parametrize("query", ["取爵于上篚", "取爵於上篚", "取爵于上篚以降", "宾以虚爵降", "賔以虚爵降"])
def test_words_are_found_whatever_their_shape(reader: Reader, query: str) -> None:
    reader.open()
    reader.page.get_by_role("combobox", name="尋").fill(query)
    first = reader.page.locator("#search-results [role=option]").first
    wanted = WORDS if "取爵" in query else "賓以虛爵降"
    expect(first).to_contain_text(wanted)
    first.click()
    assert reader.words == wanted


def test_a_search_finds_every_place(reader: Reader) -> None:
    text = json.loads(yanli("text", "鄉射禮", "--json").stdout)["text"]
    reader.open()
    reader.page.get_by_role("combobox", name="尋").fill("取爵")
    places = reader.page.locator("#search-results [role=option] .context:has(mark)")
    expect(places).to_have_count(sum(text.startswith("取爵", at) for at in range(len(text))))


def test_people_are_found_in_english_and_followed(reader: Reader) -> None:
    reader.open(("script", "en"))
    reader.page.get_by_role("combobox", name="Search").fill("principal guest")
    reader.page.locator("#search-results [role=option]").first.click()
    expect(reader.page.locator("yanli-people .card")).to_be_visible()


def test_what_is_not_found_is_said(reader: Reader) -> None:
    reader.open()
    reader.page.get_by_role("combobox", name="尋").fill("電腦")
    expect(reader.page.locator("yanli-search .count")).to_have_text("無所得")
