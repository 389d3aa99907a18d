"""Passages of one work in another, remarks that are the same, and what quotations make of their source."""

from __future__ import annotations

import pickle
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yanli.corpus.anchor import anchor
from yanli.corpus.model import Anchor, Layer, Piece, Remark, Text
from yanli.corpus.quote import Passage, Place, index, prepare, prepare_text, quotations
from yanli.corpus.quote_same import Anchored, Change, Said, attested, same_remarks
from yanli.corpus.segment import read_text
from yanli.notation.rite import load_rite

SOURCE = "主人州長也鄉大夫若在焉則稱鄉大夫也戒猶警也語也出迎出門也請告也告賓以射事不言拜辱此為習民以禮樂不主為賓己也"
CLAUSES = ("rite.1.1", "rite.1.2", "rite.1.3")
ALL = "".join(chr(code) for code in range(0x5000, 0x5400))


def found(text: str, source: str, **least: int) -> list[Passage]:
    """The passages of a text in one source."""
    return quotations(prepare(text), [prepare(source, "源")], **least)


def text_of(name: str, *said: tuple[str, str], quoted_by: tuple[str, ...] = ()) -> Text:
    """A text of notes by 鄭玄: their words, each with the clause that it speaks of."""
    remarks: list[Remark] = []
    pieces: list[Piece] = []
    start = 0
    for number, (words, _) in enumerate(said):
        end = start + len(words)
        remarks.append(
            Remark(
                number=number,
                layer=Layer.note,
                text=words,
                spans=((start, end),),
                after=0,
                speaker="鄭玄",
                quoted_by=quoted_by,
            )
        )
        pieces.append(Piece(start=start, end=end, layer=Layer.note, line=1, speaker="鄭玄", remark=number))
        start = end
    return Text(
        name=name,
        title=name,
        family="plain",
        text="".join(words for words, _ in said),
        encoding="utf-8",
        pieces=tuple(pieces),
        remarks=tuple(remarks),
        faults=(),
    )


def anchored(name: str, *said: tuple[str, str], quoted_by: tuple[str, ...] = ()) -> Anchored:
    """The same with its anchors."""
    anchors = tuple(
        Anchor(remark=number, rite="rite", first=clause, last=clause, confidence=1.0, how="hand")
        for number, (_, clause) in enumerate(said)
    )
    return Anchored(text_of(name, *said, quoted_by=quoted_by), anchors)


def test_a_passage_is_found_whole_whatever_its_points_shapes_and_script() -> None:
    text = "或曰：戒犹警也，语也，出迎，出门也。云云"
    assert found(text, SOURCE) == [
        Passage(start=3, end=17, source="源", low=17, high=28, same=11, kind="全"),
    ]
    assert text[3:17] == "戒犹警也，语也，出迎，出门也"
    assert SOURCE[17:28] == "戒猶警也語也出迎出門也"


def test_a_passage_with_words_left_out_is_abridged() -> None:
    (passage,) = found("主人州長也戒猶警也語也", SOURCE)
    assert (passage.kind, passage.same, passage.low, passage.high) == ("節", 11, 0, 23)


def test_a_passage_with_other_words_is_altered() -> None:
    (passage,) = found("告賓以射事不云拜辱此為習民以禮樂", SOURCE)
    assert (passage.kind, passage.same) == ("改", 15)


def test_what_is_too_short_or_said_everywhere_is_no_quotation() -> None:
    assert found("戒猶警也", SOURCE) == []
    assert found("戒猶警也", SOURCE, least=4)[0].same == 4
    formula = "坐奠爵遂拜執爵興"
    assert found(formula, "一".join([formula] * 7)) == []
    assert len(found(formula, "一".join([formula] * 6))) == 6


def test_a_formula_does_not_jump_to_another_section() -> None:
    formula = "賓西階上北面答拜"
    here = prepare("子丑寅卯" + formula, "甲", [Place(0, "rite", 3)])
    there = prepare("辰巳" + formula + "午未" + "申" * 9 + formula, "乙", [Place(0, "rite", 4), Place(12, "rite", 90)])
    assert [(passage.low, passage.high) for passage in quotations(here, [there])] == [(2, 10)]
    # Of another rite nothing is known, so both stay.
    elsewhere = prepare("辰巳" + formula + "午未" + "申" * 9 + formula, "乙", [Place(0, "other", 90)])
    assert len(quotations(here, [elsewhere])) == 2


def test_sources_together_give_what_each_gives_alone() -> None:
    chance = random.Random(7)  # noqa: S311 - nothing secret, only the same every time
    sources = ["".join(chance.choices(ALL, k=300)) for _ in range(5)]
    text = sources[1][40:90] + sources[3][100:130] + sources[1][90:120]
    ready = [prepare(words, str(number)) for number, words in enumerate(sources)]
    together = quotations(prepare(text), ready)
    assert [(passage.source, passage.low, passage.high) for passage in together] == [
        ("1", 40, 90),
        ("3", 100, 130),
        ("1", 90, 120),
    ]
    alone = [passage for source in ready for passage in quotations(index(prepare(text)), [source])]
    assert sorted(alone, key=lambda passage: passage.start) == together


def test_no_passage_goes_on_from_one_source_to_the_next() -> None:
    text = ALL[:12] + ALL[20:32]
    sources = [prepare(ALL[100:130] + ALL[:12], "甲"), prepare(ALL[20:32] + ALL[200:230], "乙")]
    found = quotations(prepare(text), sources)
    assert [(each.source, each.start, each.end, each.low, each.high) for each in found] == [
        ("甲", 0, 12, 30, 42),
        ("乙", 12, 24, 0, 12),
    ]


@given(
    st.text("甲乙丙丁戊己庚辛 ，", max_size=60),
    st.text("甲乙丙丁戊己庚辛\n", max_size=60),
    st.text("子丑寅卯辰巳午未申酉戌亥", min_size=10, max_size=30),
)
def test_words_put_into_two_texts_are_found_in_both(before: str, after: str, words: str) -> None:
    text, source = before + words + after, after + words + before
    held = [
        passage
        for passage in found(text, source)
        if passage.start <= len(before) and passage.end >= len(before) + len(words)
    ]
    formula = any(words.count(words[i : i + 4]) > 1 for i in range(len(words) - 3))
    assert held or formula


@pytest.mark.parametrize("text", ["", "甲", "甲乙丙", "\ud800\U0002a6d6。", "□" * 50])
def test_texts_too_short_for_anything_are_no_trouble(text: str) -> None:
    assert found(text, SOURCE) == []
    assert found(SOURCE, text) == []


def test_only_some_layers_are_asked_and_offsets_stay() -> None:
    canon, note = "主人坐取爵于上篚以降", "將獻賓也"
    text = Text(
        name="有注",
        title="",
        family="plain",
        text=canon[:5] + note + canon[5:],
        encoding="utf-8",
        pieces=(
            Piece(start=0, end=5, layer=Layer.canon, line=1),
            Piece(start=5, end=9, layer=Layer.note, line=1),
            Piece(start=9, end=14, layer=Layer.canon, line=1),
        ),
        remarks=(),
        faults=(),
    )
    (passage,) = quotations(prepare(canon, "經"), [prepare_text(text, [Layer.canon])])
    assert (passage.kind, passage.same, passage.low, passage.high) == ("全", 10, 0, 14)


def test_the_same_remark_in_several_works_is_one_with_its_differences() -> None:
    one = anchored("甲", ("進酒於賓也凡進物曰獻", "rite.1.1"), ("少退少避也", "rite.1.2"))
    two = anchored("乙", ("進于賔也凡進物曰獻", "rite.1.1"), ("復位復西階上位", "rite.1.2"))
    (same,) = same_remarks([one, two], CLAUSES)
    assert (same.speaker, same.first) == ("鄭玄", Said(work="甲", remark=0))
    assert [(other.said.work, other.changes) for other in same.others] == [("乙", (Change(words="酒", reading=""),))]


@pytest.mark.parametrize(
    ("quoted", "faith", "changes"),
    [
        ("戒猶警也語也", "全", ()),
        ("主人州長也出迎出門也", "節", (Change(words="戒猶警也語也", reading=""),)),
        ("戒者警也語也", "改", (Change(words="猶", reading="者"),)),
        ("此謂庠中之射耳", "無", ()),
    ],
)
def test_a_quotation_says_what_its_source_says_or_not(quoted: str, faith: str, changes: tuple[Change, ...]) -> None:
    source = anchored("注本", ("主人州長也", "rite.1.1"), ("戒猶警也語也", "rite.1.1"), ("出迎出門也", "rite.1.2"))
    quoting = anchored("義疏", (quoted, "rite.1.1"), quoted_by=("欽定儀禮義疏",))
    (told,) = attested(quoting, source, CLAUSES)
    assert (told.faith, told.changes) == (faith, changes)


def test_a_character_that_is_written_as_an_entity_is_one_character() -> None:
    one = anchored("甲", ("進酒於&KR0764;也凡進物曰獻", "rite.1.1"))
    two = anchored("乙", ("進酒於&KR0766;也凡進物曰獻", "rite.1.1"))
    (same,) = same_remarks([one, two], CLAUSES)
    assert same.others[0].changes == (Change(words="&KR0764;", reading="&KR0766;"),)
    (told,) = attested(one, two, CLAUSES)
    assert (told.faith, told.changes) == ("改", (Change(words="&KR0766;", reading="&KR0764;"),))
    assert attested(one, one, CLAUSES)[0].faith == "全"


def test_a_passage_counts_an_entity_once_and_never_cuts_it() -> None:
    words = "甲乙丙丁戊己&KR0764;"
    (passage,) = found("子" + words, "丑寅" + words + "卯", least=7)
    assert (passage.start, passage.end, passage.low, passage.high, passage.same) == (1, 15, 2, 16, 7)
    assert found("子" + words, words, least=8) == []
    # Another entity, though its name begins alike, is another character.
    (passage,) = found(words, "甲乙丙丁戊己&KR0765;", least=6)
    assert (passage.end, passage.same) == (6, 6)
    (passage,) = found("&CDP-8B7C;" + words[:6], "甲&CDP-8B7C;" + words[:6], least=7)
    assert (passage.start, passage.low, passage.same) == (0, 1, 7)


def test_what_is_made_ready_goes_to_another_process_and_comes_back_the_same() -> None:
    text = prepare("子甲乙丙丁戊己&KR0764;庚", "甲", [Place(0, "rite", 3)])
    source = prepare("丑甲乙丙丁戊己&KR0764;", "乙", [Place(0, "rite", 3)])
    expected = quotations(text, [source], least=7)
    assert expected
    for sent in (text, index(text)):
        there = pickle.loads(pickle.dumps(sent))  # noqa: S301 - we have just made it
        assert quotations(there, [pickle.loads(pickle.dumps(source))], least=7) == expected  # noqa: S301


def test_what_stands_at_another_section_is_not_the_source() -> None:
    clauses = tuple(f"rite.1.{i}" for i in range(1, 40))
    source = anchored("注本", ("復位西階上位", "rite.1.30"))
    quoting = anchored("義疏", ("復位西階上位", "rite.1.1"), quoted_by=("欽定儀禮義疏",))
    assert attested(quoting, source, clauses)[0].faith == "無"


def test_a_later_work_quotes_the_old_notes_of_the_oldest_edition(shared: Callable[..., Path]) -> None:
    clauses = [(str(clause.id), clause.text) for clause in load_rite("xiangshe").clauses]
    ids = [clause for clause, _ in clauses]

    def read(*path: str) -> Anchored:
        text = read_text(shared(*path).read_bytes(), path[-1])
        return Anchored(text, anchor(text, clauses))

    oldest = read("witnesses", "KR1d0026_005.txt")
    later = read("sources", "000_8715d8bcf1027071.txt")
    said = {remark.number: remark.text for remark in later.text.remarks}
    told = {said[one.said.remark]: one for one in attested(later, oldest, ids)}
    # Read side by side: the same words; 解 for 懈; a note on the leaf that the old edition has lost.
    assert told["少退猶少辟也"].faith == "全"
    (altered,) = (one for words, one in told.items() if words.startswith("爵備樂畢將留賓以事"))
    assert (altered.faith, altered.changes) == ("改", (Change(words="解", reading="懈"),))
    assert told["尊東明與賓夾尊也不言東上統於尊也"].faith == "無"
    notes = quotations(prepare_text(later.text, [Layer.note]), [prepare_text(oldest.text, [Layer.note])], least=20)
    assert sum(passage.same for passage in notes) > 3000


def test_a_text_that_says_one_thing_a_million_times_takes_no_million_steps() -> None:
    text = "甲" * 1_000_000 + "乙丙丁戊" + "甲" * 1_000_000
    begun = time.process_time()
    (passage,) = found(text, "己" + text)
    assert (passage.start, passage.end, passage.low, passage.high) == (0, 2_000_004, 1, 2_000_005)
    assert time.process_time() - begun < 5


def test_canon_and_remarks_know_their_clauses_so_no_formula_of_theirs_jumps() -> None:
    formula = "賓西階上北面答拜"
    clauses = [(f"rite.1.{i}", chr(0x6000 + i) * 5 + chr(0x7000 + i)) for i in range(40)]
    clauses[2], clauses[30] = ("rite.1.2", "甲乙丙丁" + formula), ("rite.1.30", "戊己庚辛" + formula)

    def canon(name: str, *numbers: int) -> tuple[Text, tuple[Anchor, ...]]:
        words = "".join(clauses[i][1] for i in numbers)
        remark = Remark(number=0, layer=Layer.note, text="注", spans=((len(words), len(words) + 1),), after=len(words))
        text = Text(
            name=name,
            title="",
            family="plain",
            text=words + "注",
            encoding="utf-8",
            pieces=(
                Piece(start=0, end=len(words), layer=Layer.canon, line=1),
                Piece(start=len(words), end=len(words) + 1, layer=Layer.note, line=1, remark=0),
            ),
            remarks=(remark,),
            faults=(),
        )
        return text, anchor(text, clauses)

    (one, first), (two, second) = canon("甲", 1, 2, 3), canon("乙", 29, 30, 31)
    assert len(quotations(prepare_text(one), [prepare_text(two)])) == 1
    rites = {"rite": clauses}
    assert (
        quotations(prepare_text(one, anchors=first, rites=rites), [prepare_text(two, anchors=second, rites=rites)])
        == []
    )
    (three, third) = canon("丙", 0, 1, 2)
    assert quotations(prepare_text(one, anchors=first, rites=rites), [prepare_text(three, anchors=third, rites=rites)])
