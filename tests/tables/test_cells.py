"""Every cell of every table against its source's words: nothing is said but what they say, nothing without them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest

from yanli.corpus.emendation import Emendations, plain
from yanli.tables import Cell, Reading, Warrant, find_table, list_tables
from yanli.tables.load import sources

# The measures have a reckoning of their own, which is tested where it is made (tests/venue/).
MEASURES = {"measures", "three-targets", "faces"}
TABLES = [head.name for head in list_tables() if head.name not in MEASURES]
DIGITS = {char: number for number, char in enumerate("一二三四五六七八九", 1)}
NUMERAL = re.compile(r"[半一二三四五六七八九十百]+")


def told(name: str) -> Iterator[tuple[Cell, Cell | Reading]]:
    """Every cell that is filled and every rival reading, each with the cell it belongs to."""
    for cell in find_table(name).cells():
        if not cell.silent:
            yield cell, cell
        yield from ((cell, each) for each in cell.readings)


def numeral(text: str) -> Fraction | None:
    """The first number in Chinese words: 百二十 is 120. None where there is none."""
    found = NUMERAL.search(text)
    if found is None:
        return None
    if found[0] == "半":
        return Fraction(1, 2)
    total, digit = 0, 0
    for char in found[0]:
        if char in DIGITS:
            digit = DIGITS[char]
        else:
            total += max(digit, 1) * {"十": 10, "百": 100}.get(char, 0)
            digit = 0
    return Fraction(total + digit)


def within(value: str, words: str) -> bool:
    """Whether the characters of a value stand in the words, in their order."""
    rest = iter(plain(words))
    return all(character in rest for character in plain(value))


def test_every_table_can_be_read() -> None:
    assert {head.name: head.fault for head in list_tables() if head.fault} == {}
    assert len(TABLES) > 35


@pytest.mark.parametrize("name", TABLES)
def test_no_cell_is_without_source_and_none_without_words(name: str) -> None:
    for cell in find_table(name).cells():
        assert cell.source in sources(), cell.place
        assert cell.silent or cell.words, cell.place
        assert all(each.source in sources() and each.words for each in cell.readings), cell.place


@pytest.mark.parametrize("name", TABLES)
def test_a_cell_that_no_text_has_is_never_filled(name: str) -> None:
    for cell in find_table(name).cells():
        if cell.silent:
            assert (cell.is_, cell.number, cell.by) == ("", None, ""), cell.place
            # Where it was sought must be said, or a source itself must say that there is none.
            assert cell.why, cell.place
        assert (cell.warrant is Warrant.inferred) == bool(cell.by and cell.from_), cell.place


@pytest.mark.parametrize("name", TABLES)
def test_the_words_of_every_cell_stand_in_its_source(name: str, source_text: Callable[[str], str]) -> None:
    missing = [
        f"{cell.place} {getattr(each, 'by', '')}: {each.words} ({each.source})"
        for cell, each in told(name)
        if plain(each.words) not in source_text(each.source)
    ]
    silent = (cell for cell in find_table(name).cells() if cell.silent and cell.words)
    missing += [cell.place for cell in silent if plain(cell.words) not in source_text(cell.source)]
    assert missing == []


@pytest.mark.parametrize("name", TABLES)
def test_every_value_follows_from_its_words(name: str) -> None:
    """The rule: a value's characters stand in the words, in their order; or the cell says why not (``why``)."""
    wrong = [
        f"{cell.place}: {each.is_}" for cell, each in told(name) if not within(each.is_, each.words) and not each.why
    ]
    assert wrong == []


@pytest.mark.parametrize("name", TABLES)
def test_every_number_is_the_numeral_of_its_value(name: str) -> None:
    """The rule: a number is the first numeral of the value; or the cell says why it is so many (``why``)."""
    wrong = [
        f"{cell.place}: {each.is_} = {each.number}"
        for cell, each in told(name)
        if each.value is not None and numeral(each.is_) != each.value and not each.why
    ]
    assert wrong == []


@pytest.mark.parametrize("name", TABLES)
def test_everything_has_its_english(name: str) -> None:
    found = find_table(name)
    wanted = [*found.rows, *found.columns]
    wanted += [each.unit for _, each in told(name) if each.unit]
    wanted += [each.is_ for _, each in told(name) if not each.en and each.number is None]
    wanted += [each.by for _, each in told(name) if each.by]
    assert found.en
    assert sorted({word for word in wanted if not found.say(word)}) == []
    assert bool(found.note) == bool(found.note_en)


# ── the encyclopaedia, emended ──────────────────────────────────────────────────────────────────────────────────────


def test_every_emendation_says_why_and_by_what_parallel(emendations: Emendations) -> None:
    for each in emendations.emendation:
        assert each.found != each.emended
        assert all((each.by, each.reason, each.reason_en)), each.found
        assert each.evidence or not each.certain, each.found


def test_the_known_faults_are_mended(emendations: Emendations) -> None:
    pairs = {(each.found, each.emended) for each in emendations.emendation}
    for found, emended in (("五尺", "五丈"), ("朱録", "朱綠"), ("士皮侯畫以麋豕", "士布侯畫以鹿豕")):
        assert any(found in before and emended in after for before, after in pairs)


def test_every_parallel_stands_where_it_is_said_to(emendations: Emendations, source_text: Callable[[str], str]) -> None:
    missing = [
        f"{each.line} {each.found}: {evidence.words} ({evidence.source})"
        for each in emendations.emendation
        for evidence in each.evidence
        if plain(evidence.words) not in source_text(evidence.source)
    ]
    assert missing == []


def test_the_emended_text_reads_as_it_should(source_text: Callable[[str], str]) -> None:
    text = source_text("考索")
    assert plain("中十尺方者也用布五丈") in text
    assert plain("君國中射則皮樹中於郊則閭中於境則虎中") in text
    assert plain("二正去白蒼而畫以朱綠今之儒家云") in text
    assert plain("士皮侯") not in text


# ── what the tables say, by hand from the words ─────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("table", "row", "column", "value", "warrant"),
    [
        # 射人：王以六耦…諸侯以四耦…孤卿大夫以三耦…士以三耦
        ("耦", "天子", "賓射", 6, "stated"),
        ("耦", "諸侯畿內", "賓射", 4, "stated"),
        ("耦", "卿大夫", "賓射", 3, "stated"),
        ("耦", "士", "賓射", 3, "stated"),
        # 大射儀：遂比三耦
        ("耦", "諸侯畿外", "大射", 3, "stated"),
        # 疏：若燕射則天子諸侯同三耦一侯而已
        ("耦", "天子", "燕射", 3, "inferred"),
        ("侯數", "天子", "大射", 3, "stated"),
        # 畿內諸侯大射則張熊侯豹侯
        ("侯數", "諸侯畿內", "大射", 2, "stated"),
        ("侯數", "諸侯畿外", "大射", 3, "stated"),
        # 畿外卿大夫射侯無文…則糝侯豻侯也
        ("侯數", "卿大夫畿外", "大射", 2, "inferred"),
        ("節", "天子", "賓射", 9, "stated"),
        ("節", "諸侯", "大射", 7, "stated"),
        ("節", "士", "鄉射", 5, "stated"),
        # 九節者五節先以聽，七節者三節先以聽；五節，其一節先以聽
        ("先聽", "天子", "大射", 5, "inferred"),
        ("先聽", "諸侯", "大射", 3, "inferred"),
        ("先聽", "卿大夫", "鄉射", 1, "stated"),
        ("侯道", "天子", "大射", 90, "stated"),
        ("侯道", "諸侯畿內", "大射", 70, "stated"),
        ("侯道", "士", "鄉射", 50, "stated"),
        ("正", "天子", "賓射", 5, "stated"),
        ("樂縣", "諸侯", "肆", 3, "stated"),
        ("樂縣", "諸侯之士", "肆", Fraction(1, 2), "stated"),
        ("工", "諸侯", "工", 6, "stated"),
        ("工", "天子", "工", 8, "inferred"),
        ("編縣", "堵", "枚", 16, "stated"),
        ("編縣", "清聲", "枚", 4, "stated"),
        ("爵觶之實", "爵", "實", 1, "stated"),
        ("爵觶之實", "觶", "實", 3, "stated"),
        ("爵觶之實", "散", "實", 5, "stated"),
        ("介", "上公", "君", 9, "stated"),
        ("介", "子男", "卿", 3, "stated"),
        # 五家為比，五比為閭，四閭為族，五族為黨，五黨為州，五州為鄉：5×5×4×5×5×5
        ("鄉里", "鄉", "家", 12500, "inferred"),
        ("門朝", "天子", "門數", 5, "stated"),
    ],
)
def test_the_numbers_are_those_counted_by_hand(
    table: str, row: str, column: str, value: Fraction | int, warrant: str
) -> None:
    cell = find_table(table).rows[row][column]
    assert (cell.value, cell.warrant) == (value, warrant)


@pytest.mark.parametrize(("row", "number"), [("天子", 120), ("諸侯畿外", 90), ("卿大夫畿內", 70)])
def test_rival_ranges_stand_beside(row: str, number: int) -> None:
    # 白虎通：天子射百二十步，諸侯九十步，大夫七十步，士五十步
    (reading,) = find_table("侯道").rows[row]["大射"].readings
    assert (reading.by, reading.unit) == ("白虎通", "步")
    assert reading.value == number


def test_the_six_drinks_are_six_and_the_four_are_four() -> None:
    rows = find_table("六飲").rows
    there = {
        column: "".join(row for row, cells in rows.items() if cells[column].is_ == row) for column in ("六飲", "四飲")
    }
    assert there == {"六飲": "水漿醴涼醫酏", "四飲": "漿醫酏清"}
