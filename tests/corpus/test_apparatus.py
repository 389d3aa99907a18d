"""Several witnesses side by side: classes, lost leaves, words that moved, and every witness given back."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from yanli.corpus.apparatus import Apparatus, collate_all
from yanli.corpus.collate import apply, collate
from yanli.corpus.copies import Copy, copy_of, spelt
from yanli.corpus.folding import is_simplified
from yanli.corpus.kanripo import Gap
from yanli.corpus.model import Layer, Text
from yanli.corpus.oldtexts import OldReading, old_readings
from yanli.corpus.segment import read_text
from yanli.corpus.spelling import fold_graphic, fold_same_length
from yanli.corpus.tei_apparatus import apparatus_tei, witnesses_from_tei
from yanli.corpus.variants import rite_variants
from yanli.errors import RiteError
from yanli.render.apparatus import apparatus_page, apparatus_text

RITES = Path(__file__).resolve().parents[2] / "src" / "yanli" / "rites"
Row = tuple[int, str, str, str, str]


def rows(found: Apparatus) -> list[Row]:
    """Every reading: place, words, sigla, class, text."""
    return [
        (entry.start, entry.words, "".join(reading.witnesses), reading.kind, reading.text)
        for entry in found.entries
        for reading in entry.readings
    ]


def of(base: str, *others: str, gaps: tuple[Gap, ...] = ()) -> Apparatus:
    """Collate 甲 乙 丙 … with a base; ``gaps`` are the first one's."""
    sigla = "甲乙丙丁"
    copies = [Copy(siglum=sigla[i], text=text, gaps=() if i else gaps) for i, text in enumerate(others)]
    return collate_all(Copy(siglum="底", text=base), copies)


def test_readings_stand_together_by_what_they_are() -> None:
    assert rows(of("眾賓答再拜", "衆賓答拜", "衆賔荅再拜", "眾賓皆再拜")) == [
        (0, "眾", "甲乙", "字形", "衆"),
        (1, "賓", "乙", "字形", "賔"),
        (2, "答", "乙", "字形", "荅"),
        (2, "答", "丙", "異文", "皆"),
        (3, "再", "甲", "脫", ""),
    ]


def test_places_that_overlap_are_one_place() -> None:
    # 甲 has 射降 for 降射, 乙 another word for 射 alone.
    assert rows(of("卒降射釋", "卒射降釋", "卒降弓釋")) == [
        (1, "降射", "甲", "倒", "射降"),
        (1, "降射", "乙", "異文", "降弓"),
    ]


def test_what_cannot_be_read_is_no_other_word() -> None:
    assert rows(of("坐奠爵興", "坐奠□興", "坐奠觶興")) == [(2, "爵", "甲", "闕", "□"), (2, "爵", "乙", "異文", "觶")]


def test_a_lost_leaf_is_silence_and_no_reading() -> None:
    before, lost, after = "主人坐取爵于上篚以降", "賓降主人阼階前西面坐奠爵興辭降賓對主人坐取爵興", "適洗南面坐奠爵"
    found = of(
        before + lost + after,
        before + after,
        before + lost.replace("興辭降", "興辝降") + after,
        gaps=(Gap("005-7a", len(before), "empty"),),
    )
    (absence,) = found.absences
    assert (absence.witness, absence.kind, absence.pages) == ("甲", "佚葉", ("005-7a",))
    assert found.base.text[absence.start : absence.end] == lost
    (entry,) = found.entries
    assert [(reading.witnesses, reading.text) for reading in entry.readings] == [(("乙",), "辝")]
    assert entry.absent == ("甲",)
    assert [found.witness(siglum) for siglum in "底甲"] == [before + lost + after, before + after]


def test_an_unknown_character_is_no_word_added_and_no_other_word() -> None:
    assert rows(of("非其侯中之不獲", "非其■侯中之不獲")) == [(2, "", "甲", "闕", "■")]
    assert rows(of("非其■侯中之不獲", "非其侯中之不獲")) == [(2, "■", "甲", "闕", "")]
    # An entity is one character, whatever it is: 霤 in the other.
    entity = copy_of(kanripo("鐘人于門內&KR0764;遂出"), "甲").text
    assert rows(of("鐘人于門內霤遂出", entity)) == [(5, "霤", "甲", "闕", entity[5])]
    assert rows(of(entity, "鐘人于門內霤遂出")) == [(5, entity[5], "甲", "闕", "霤")]
    assert rows(of("鐘人于門內霤遂出", "鐘人于門內□□出")) == [(5, "霤遂", "甲", "闕", "□□")]


def test_a_leaf_lost_in_the_base_is_told_of_the_base() -> None:
    before, lost, after = "主人坐取爵于上篚以降", "賓降主人阼階前西面坐奠爵興辭降賓對主人坐取爵興", "適洗南面坐奠爵"
    base = Copy(siglum="底", text=before + after, gaps=(Gap("005-7a", len(before), "empty"),))
    found = collate_all(base, [Copy(siglum="甲", text=before + lost + after), Copy(siglum="乙", text=before + after)])
    (entry,) = found.entries
    (reading,) = entry.readings
    assert (reading.kind, reading.witnesses, reading.pages) == ("底本佚葉", ("甲",), ("005-7a",))
    assert not reading.variant
    assert found.witness("甲") == before + lost + after
    assert (found.costs, found.outside) == ({"甲": 23, "乙": 0}, {"甲": 23, "乙": 0})
    text = apparatus_text(found)
    # Told once, with the words that are not there, and counted as nothing else.
    assert text.count("賓降主人阼階前西面坐奠") == 1
    assert "衍" not in text
    assert next(line.split() for line in text.splitlines() if line.startswith("底本佚葉")) == [
        "底本佚葉", "1", "0", "a", "leaf", "of", "the", "base", "is", "lost",
    ]  # fmt: skip
    page = apparatus_page(found)
    assert "衍" not in page
    assert "<b>底 底本佚葉</b>" in page
    assert page.count("賓降主人阼階前西面坐奠") == 1


def test_what_a_work_does_not_cover_is_told_once() -> None:
    opening, rest = CANON[:40], CANON[40:]
    found = of(rest, CANON, CANON + RECORD, rest)
    assert rows(found) == [(0, "", "甲乙", "起", opening), (len(rest), "", "乙", "止", RECORD)]
    assert apparatus_text(found).count(opening[:12]) == 1
    (absence,) = of(CANON, rest).absences
    assert (absence.kind, absence.start, absence.end) == ("起", 0, 40)
    assert of(CANON, rest).outside == {"甲": 40}


CANON = (
    "鄉射之禮主人戒賓賓出迎再拜主人答再拜乃請賓禮辭許主人再拜賓答再拜主人退賓送再拜"
    "無介乃席賓南面東上眾賓之席繼而西席主人於阼階上西面"
)
RECORD = "大夫與則公士為賓使能不宿戒其牲狗也亨于堂東北"


def test_the_record_that_is_set_elsewhere_has_moved() -> None:
    middle = CANON.index("乃席")
    there = CANON[:middle] + RECORD + CANON[middle:]
    found = of(CANON + RECORD, there)
    assert [(a.kind, found.base.text[a.start : a.end], a.moved) for a in found.absences] == [("移", RECORD, middle)]
    assert rows(found) == [(middle, "", "甲", "移", RECORD)]
    assert found.entries[0].readings[0].moved == len(CANON)
    assert found.witness("甲") == there


def test_a_formula_said_twice_has_not_moved() -> None:
    # 主人坐奠爵遂拜執爵興 is said at many places: ten characters are left out here, and put in there.
    formula = "主人坐奠爵遂拜執爵興"
    assert {d.kind for d in collate(CANON + formula, formula + CANON)} == {"脫", "衍"}


def test_a_copy_in_simplified_characters_differs_by_its_words() -> None:
    base = Copy(siglum="底", text="賓主人揖讓升主人阼階上當楣北面再拜賓西階上當楣北面答再拜主人坐取爵")
    words = "宾主人揖让升主人阼阶上当楣北面再拜宾西阶上当楣北面荅再拜主人坐取觯"
    assert is_simplified(words)
    assert not is_simplified(base.text)
    found = collate_all(base, [Copy(siglum="義", text=words, simplified=True)])
    assert [row for row in rows(found) if row[3] != "字形"] == [(len(words) - 1, "爵", "義", "異文", "觯")]
    assert {(row[1], row[4]) for row in rows(found)} >= {("賓", "宾"), ("讓", "让"), ("答", "荅")}
    assert (found.costs, found.witness("義")) == ({"義": 1}, words)


def test_a_copy_that_begins_late_lacks_one_stretch() -> None:
    # Its first words stand one by one all over what it lacks: 主 … 人 … 乃 … 席.
    late = CANON[CANON.index("主人退賓") :]
    assert [(d.kind, d.start, d.end) for d in collate(CANON, late)] == [("脫", 0, len(CANON) - len(late))]
    early = CANON[: CANON.index("乃席")]
    assert [(d.kind, d.start, d.end) for d in collate(CANON, early)] == [("脫", len(early), len(CANON))]
    assert [(d.kind, d.reading) for d in collate(late, CANON)] == [("衍", CANON[: -len(late)])]


LETTERS = st.text("主人眾衆賓賔射降于於□", max_size=30)


@given(LETTERS, LETTERS, LETTERS, st.integers(0, 30))
def test_every_witness_comes_back(base: str, one: str, other: str, gap: int) -> None:
    found = of(base, one, other, gaps=(Gap("1-1a", min(gap, len(one)), "empty"),))
    assert [found.witness(siglum) for siglum in "底甲乙"] == [base, one, other]
    assert all(base[entry.start : entry.end] == entry.words for entry in found.entries)
    assert all(one.end <= two.start for one, two in zip(found.entries, found.entries[1:], strict=False))


BLOCKS = st.lists(st.sampled_from([CANON[:30], CANON[30:], RECORD, RECORD[4:22], "賓", "降", "□"]), max_size=7)


@given(BLOCKS, BLOCKS, BLOCKS)
def test_every_witness_comes_back_when_words_have_moved(base: list[str], one: list[str], other: list[str]) -> None:
    words = ["".join(parts) for parts in (base, one, other)]
    found = of(*words)
    assert [found.witness(siglum) for siglum in "底甲乙"] == words
    assert apply(words[0], collate(words[0], words[1])) == words[1]


@given(st.text("主人眾衆賓賔射", max_size=60), st.text("主人眾衆賓賔射", max_size=60))
def test_the_cost_is_the_edit_distance(base: str, other: str) -> None:
    assert of(base, other).costs == {"甲": Levenshtein.distance(fold_graphic(base), fold_graphic(other))}


def test_sigla_tell_copies_apart() -> None:
    with pytest.raises(RiteError, match="two copies"):
        collate_all(Copy(siglum="甲", text="主"), [Copy(siglum="甲", text="人")])
    with pytest.raises(RiteError, match="no witness"):
        of("主", "人").witness("戊")


def kanripo(words: str, name: str = "KR1d0026_005.txt") -> Text:
    """A text in Kanripo's form: two half lines, notes in brackets."""
    head = "# -*- mode: mandoku-view; -*-\n#+TITLE: 儀禮\n#+PROPERTY: ID KR1d0026\n<pb:KR1d0026_SBCK_005-1a>¶\n"
    return read_text(f"{head}{words}¶\n".encode(), name, family="kanripo")


def test_one_layer_is_taken_and_an_entity_is_one_character() -> None:
    copy = copy_of(kanripo("主人坐奠&KR0238;(&CDP-8B7C;爵也)興洗"), "甲")
    assert (len(copy.text), spelt(copy.text)) == (7, "主人坐奠&KR0238;興洗")
    assert rows(collate_all(copy, [Copy(siglum="乙", text="主人坐奠爵興洗")])) == [(4, copy.text[4], "乙", "闕", "爵")]
    note = copy_of(kanripo("主人坐奠&KR0238;(&CDP-8B7C;爵也)興洗"), "甲", Layer.note)
    assert spelt(note.text) == "&CDP-8B7C;爵也"


def test_old_texts_are_witnesses_by_their_reports() -> None:
    text = kanripo("豫則鉤楹內堂則由楹外(今文豫爲序序乃夏后氏之學也)主人盥洗當左物北面揖(古文盥皆作浣今文無北面)")
    canon = copy_of(text, "鄭")
    old = old_readings(text, canon)
    assert [(o.school, o.start, o.words, o.reading) for o in old] == [
        ("今文", 0, "豫", "序"),
        ("古文", 12, "盥", "浣"),
        ("今文", 17, "北面", ""),
    ]
    found = collate_all(canon, [Copy(siglum="集", text=canon.text.replace("豫", "序"))], old)
    assert rows(found) == [
        (0, "豫", "集今文", "今文", "序"),
        (12, "盥", "古文", "古文", "浣"),
        (17, "北面", "今文", "今文", ""),
    ]
    assert found.witness("集") == canon.text.replace("豫", "序")


def test_everywhere_is_everywhere() -> None:
    text = kanripo("搢三挾一个(古文挾皆作接)揖進挾乘矢盥洗(古文盥作浣)盥")
    assert [(o.start, o.words, o.reading) for o in old_readings(text, copy_of(text, "鄭"))] == [
        (2, "挾", "接"),
        (7, "挾", "接"),
        (10, "盥", "浣"),
    ]


def test_a_report_that_is_not_understood_has_no_place() -> None:
    text = kanripo("主人阼階上北面拜(古文曰反坐)而后下射射(古文而后作後非也)")
    assert [old.placed for old in old_readings(text, copy_of(text, "鄭"))] == [False, False]


@pytest.mark.parametrize(
    ("canon", "note", "at", "words", "reading"),
    [
        ("命上射曰某御於子", "古文曰某從於子", 5, "御", "從"),
        ("南適堂西改取", "今文曰適序西", 2, "堂", "序"),
        ("以進作上射如初", "今文或言作升射", 3, "上", "升"),
        ("去侯如初還右乃降", "今文曰右還", 4, "還右", "右還"),
        ("奠觶興退少立", "古文曰少退立", 3, "退少", "少退"),
        ("興退少立進坐取觶興", "今文坐取觶無進又曰坐奠之拜", 4, "進", ""),
        ("司射去扑適阼階下", "今文曰阼階下無適", 4, "適", ""),
        ("左下綱司馬師命獲者", "今文司馬師無司馬", 3, "司馬", ""),
        ("五十弓弓二寸以爲侯中", "今文改弓爲肱也", 3, "弓", "肱"),
        # A word is added, and for none that stands there; two places are as near; nothing is near.
        ("長受酬酬者不拜", "古文曰受酬者不拜", None, "", ""),
        ("賔厭衆賔衆賔皆入門左", "今文皆曰揖衆賔", None, "", ""),
        ("升告左右卒射如初", "今文曰告于賔", None, "", ""),
        ("賔服鄕服以拜賜", "今文曰賔服鄕服", None, "", ""),
    ],
)
def test_a_report_that_tells_the_words_of_the_old_text_alone_is_set_beside_the_nearest(
    canon: str, note: str, at: int | None, words: str, reading: str
) -> None:
    text = kanripo(f"{canon}({note})")
    (old,) = old_readings(text, copy_of(text, "鄭"))[:1]
    assert (old.placed, old.words, old.reading) == (at is not None, words, reading)
    assert at is None or old.start == at


@pytest.mark.parametrize(("scroll", "reports", "placed"), [("005", 79, 70), ("004", 25, 20), ("007", 105, 104)])
def test_most_reports_have_their_place(shared: Callable[..., Path], scroll: str, reports: int, placed: int) -> None:
    path = shared("witnesses", f"KR1d0026_{scroll}.txt")
    text = read_text(path.read_bytes(), path.name)
    found = old_readings(text, copy_of(text, "鄭"))
    # One that tells of every place (皆) is counted at each.
    assert len(found) == reports
    assert sum(old.placed for old in found) >= placed
    assert all(old.words != old.reading for old in found if old.placed)


@pytest.mark.parametrize(("slug", "scroll"), [("xiangshe", 5), ("xiangyinjiu", 4), ("dashe", 7)])
def test_reports_are_understood_as_a_reader_does(shared: Callable[..., Path], slug: str, scroll: int) -> None:
    """Every placed report of 鄭玄 stands in the rite's table of variants, which was made by reading the notes."""
    regular = tomllib.loads(RITES.joinpath(slug, "edition.toml").read_text(encoding="utf-8"))["text"]
    copies: list[Copy] = []
    old: list[OldReading] = []
    for siglum, work in (("鄭", "KR1d0026"), ("句", "KR1d0038")):
        path = shared("witnesses", f"{work}_{scroll:03d}.txt")
        text = read_text(path.read_bytes(), path.name)
        copies.append(copy_of(text, siglum))
        old += old_readings(text, copies[-1])
    entries = collate_all(Copy(siglum="底", text="".join(regular.split())), copies, old).entries
    ours = {
        (entry.start, reading.kind, fold_same_length(reading.text))
        for entry in entries
        for reading in entry.readings
        if reading.note
    }
    read = {
        (at, row.kind, fold_same_length(row.reading))
        for row in rite_variants(slug).variants
        for at in row.at
        if row.kind in {"今文", "古文"}
    }
    # 四部叢刊 misprints 豫 for 預; 后首 for 後手 is one word in the table, two here.
    assert ours - read <= {(2345, "古文", "豫"), (2114, "古文", "後手")}
    assert len(ours & read) * 3 >= 2 * len(read)


@pytest.fixture(scope="module")
def editions(shared: Callable[..., Path]) -> dict[str, Text]:
    """鄉射禮 in four editions."""
    files = {
        "通": ("sources", "000_8715d8bcf1027071.txt"),
        "鄭": ("witnesses", "KR1d0026_005.txt"),
        "句": ("witnesses", "KR1d0038_005.txt"),
        "集": ("witnesses", "KR1d0035_005.txt"),
    }
    return {siglum: read_text(shared(*path).read_bytes(), path[1]) for siglum, path in files.items()}


def test_four_editions(editions: dict[str, Text]) -> None:
    copies = {siglum: copy_of(text, siglum) for siglum, text in editions.items()}
    old: tuple[OldReading, ...] = old_readings(editions["鄭"], copies["鄭"])
    others = [copies[siglum] for siglum in "鄭句集"]
    found = collate_all(copies["通"], others, old)
    assert all(found.witness(copy.siglum) == copy.text for copy in (copies["通"], *others))
    # 四部叢刊 has lost the leaves that hold these words.
    lost = [found.base.text[absence.start : absence.end] for absence in found.absences]
    assert [(words[:4], words[-3:]) for words in lost] == [
        ("賓及衆賓", "祭如賓"),
        ("司馬洗爵", "爵興取"),
        ("主人亦飲", "旅也語"),
    ]
    assert [absence.pages for absence in found.absences] == [("005-7a", "005-7b"), ("005-23b",), ("005-37a", "005-37b")]
    read = {(entry.words, reading.text, reading.witnesses) for entry in found.entries for reading in entry.readings}
    # 五禮通考 prints 入算 for 八算; 敖繼公 reads 序 with the new text for 豫.
    assert {("入", "八", ("鄭", "句", "集")), ("豫", "序", ("集", "今文")), ("盥", "浣", ("古文",))} <= read
    for copy in others:
        distance = Levenshtein.distance(fold_graphic(copies["通"].text), fold_graphic(copy.text))
        assert found.costs[copy.siglum] == distance


def test_tei_gives_every_witness_back() -> None:
    middle = CANON.index("乃席")
    base = Copy(siglum="底<&", text=CANON + chr(0x100000 + 238) + RECORD)
    lost = CANON[:40] + CANON[66:] + RECORD
    others = [
        Copy(siglum="甲", text=CANON[:middle] + RECORD + CANON[middle:]),
        Copy(siglum="乙", text=lost, gaps=(Gap("1-2a", 40, "empty"),)),
        Copy(siglum="丙", text=CANON.replace("賓", "賔") + RECORD + "右鄉射"),
    ]
    found = collate_all(base, others)
    document = apparatus_tei(found, "鄉射禮")
    assert '<app type="佚葉"><lem/><rdg wit="#w2"><lacunaStart n="佚葉 1-2a"/></rdg></app>' in document
    assert '<g ref="#g-KR0238">&amp;KR0238;</g>' in document
    assert witnesses_from_tei(document) == {copy.siglum: spelt(copy.text) for copy in (base, *others)}


@given(BLOCKS, BLOCKS, BLOCKS, st.integers(0, 60))
def test_tei_gives_any_witness_back(base: list[str], one: list[str], other: list[str], gap: int) -> None:
    words = ["".join(parts) for parts in (base, one, other)]
    found = of(*words, gaps=(Gap("1-1a", min(gap, len(words[1])), "empty"),))
    assert list(witnesses_from_tei(apparatus_tei(found)).values()) == words


@given(LETTERS, LETTERS, LETTERS, LETTERS)
def test_tei_gives_short_witnesses_back(base: str, one: str, other: str, third: str) -> None:
    assert list(witnesses_from_tei(apparatus_tei(of(base, one, other, third))).values()) == [base, one, other, third]


@pytest.mark.parametrize("document", ["", "<TEI/>", "<!DOCTYPE a><a/>", "<rdg wit='#w9'>", "<ab><abbr>x</abbr></ab>"])
def test_other_documents_are_refused(document: str) -> None:
    with pytest.raises(RiteError):
        witnesses_from_tei(document)


def test_four_editions_in_tei(editions: dict[str, Text], validate: Callable[[str], str]) -> None:
    copies = {siglum: copy_of(text, siglum) for siglum, text in editions.items()}
    old = old_readings(editions["鄭"], copies["鄭"])
    document = apparatus_tei(collate_all(copies["通"], [copies[siglum] for siglum in "鄭句集"], old))
    assert witnesses_from_tei(document) == {siglum: spelt(copy.text) for siglum, copy in copies.items()}
    assert validate(document) == ""
