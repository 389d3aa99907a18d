"""What a source does not reach, or is damaged in, is not told as words that it never had."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from yanli.corpus.anchor import anchor
from yanli.corpus.model import Anchor, Fault, Layer, Piece, Proposal, Remark, Text
from yanli.corpus.quote_reach import Damage, Reach
from yanli.corpus.quote_same import Anchored, Change, attested
from yanli.corpus.segment import read_text
from yanli.notation.rite import load_rite
from yanli.render.comparing import quotations_of, quotations_text

CLAUSES = [
    ("rite.1.1", "主人坐取爵于上篚以降"), ("rite.1.2", "賓對主人坐取爵興"), ("rite.1.3", "適洗南面坐奠爵于篚下"),
    ("rite.1.4", "盥洗賓進東北面辭洗"), ("rite.1.5", "主人坐奠爵于篚興對"), ("rite.1.6", "賓反位主人卒洗"),
    ("rite.1.7", "壹揖壹讓以賓升"), ("rite.1.8", "賓西階上北面拜洗"), ("rite.1.9", "主人阼階上北面奠爵遂答拜"),
]  # fmt: skip
IDS = [clause for clause, _ in CLAUSES]


def work(name: str, canon: range, notes: dict[int, str], *, lost: int | None = None, **faults: str) -> Anchored:
    """A work that has the canon of some clauses, 鄭玄's notes behind some; before clause ``lost`` it lost a leaf.

    ``faults`` are kinds of damage (with - for _) and the words that are damaged so.
    """
    text = ""
    pieces: list[Piece] = []
    remarks: list[Remark] = []
    found: list[Fault] = []
    for number in range(len(CLAUSES)):
        if number == lost:
            found.append(Fault(kind="missing-page", start=len(text), end=len(text), line=1))
        if number in canon:
            end = len(text) + len(CLAUSES[number][1])
            pieces.append(Piece(start=len(text), end=end, layer=Layer.canon, line=1))
            text += CLAUSES[number][1]
        if words := notes.get(number):
            start, end, own = len(text), len(text) + len(words), len(remarks)
            spans = ((start, end),)
            remarks.append(Remark(number=own, layer=Layer.note, text=words, spans=spans, after=0, speaker="鄭玄"))
            pieces.append(Piece(start=start, end=end, layer=Layer.note, line=1, speaker="鄭玄", remark=own))
            text += words
    for kind, words in faults.items():
        at = text.index(words)
        one = Fault(kind="lost-character", start=at, end=at + len(words), line=1)
        found.append(msgspec.structs.replace(one, kind=kind.replace("_", "-")))
    anchors = tuple(
        Anchor(remark=own, rite="rite", first=IDS[number], last=IDS[number], confidence=1.0, how="hand")
        for own, number in enumerate(sorted(notes))
    )
    made = Text(
        name=name, title=name, family="plain", text=text, encoding="utf-8", pieces=tuple(pieces),
        remarks=tuple(remarks), faults=tuple(found),
    )  # fmt: skip
    return Anchored(made, anchors)


def told(quoting: Anchored, source: Anchored) -> list[tuple[str, tuple[Change, ...], tuple[Change, ...]]]:
    """How faithful each quotation is, what differs, what is damaged."""
    reach = Reach(source.text, source.anchors, "rite", CLAUSES)
    return [(each.faith, each.changes, each.damaged) for each in attested(quoting, source, IDS, reach)]


WHOLE = range(len(CLAUSES))
QUOTED = "將獻賓也此爵獻賓之爵也"


@pytest.mark.parametrize(
    ("at", "canon", "lost", "faith"),
    [
        (4, WHOLE, None, "無"),  # the words about it are there, on both sides
        (4, range(4), None, "未涵"),  # the work ends before
        (0, range(3, 9), None, "未涵"),  # it begins behind
        (8, WHOLE, None, "無"),  # at the rite's own end there is nothing behind
        (4, WHOLE, 5, "未涵"),  # a leaf is lost right where the note would stand
        (4, WHOLE, 8, "無"),  # a leaf is lost elsewhere
    ],
)
def test_only_where_the_source_has_the_words_about_it_is_a_note_not_there(
    at: int, canon: range, lost: int | None, faith: str
) -> None:
    # A note that the source has, at one end or the other, so that its speaker is asked about at all.
    source = work("注本", canon, {canon[0]: "重以主人事煩"}, lost=lost)
    assert told(work("義疏", WHOLE, {at: QUOTED}), source) == [(faith, (), ())]


def test_damage_is_no_reading() -> None:
    quoting = work("義疏", WHOLE, {4: "將獻賓也此爵獻賓之爵也從主人也"})
    # Words that were read out of step; a reading put in behind a character; a sign for a lost one.
    source = work("注本", WHOLE, {4: "將獻賓也捍松仙賓之爵也從主人也"}, misread_run="捍松仙")
    assert told(quoting, source) == [("損", (), (Change(words="捍松仙", reading="此爵獻"),))]
    source = work("注本", WHOLE, {4: "將獻賓也此爵(jué)獻賓之爵也從主人也"}, pinyin_in_brackets="(jué)")
    assert told(quoting, source) == [("損", (), (Change(words="jué", reading=""),))]
    source = work("注本", WHOLE, {4: "將獻賓也此?獻賓之爵也從主人也"}, lost_character="?")
    assert told(quoting, source) == [("損", (), (Change(words="", reading="爵"),))]
    # What is altered elsewhere in the same note is a reading still, and the damage is told apart.
    source = work("注本", WHOLE, {4: "將獻賓也此?獻賓之爵也從客人也"}, lost_character="?")
    assert told(quoting, source) == [
        ("改", (Change(words="客", reading="主"),), (Change(words="", reading="爵"),)),
    ]
    # So is what the quotation itself has damaged.
    source = work("注本", WHOLE, {4: "將獻賓也此爵獻賓之爵也從主人也"})
    quoting = work("義疏", WHOLE, {4: "將獻賓也此爵獻賓之□也從主人也"}, illegible="□")
    assert told(quoting, source) == [("損", (), (Change(words="爵", reading=""),))]


def test_words_left_out_beside_damage_are_left_out() -> None:
    quoting = work("義疏", WHOLE, {4: "將獻賓也從主人也"})
    source = work("注本", WHOLE, {4: "將獻賓也捍松仙此爵獻賓之爵也從主人也"}, misread_run="捍松仙")
    left = Change(words="此爵獻賓之爵也", reading="")
    assert told(quoting, source) == [("節", (left,), (Change(words="捍松仙", reading=""),))]


def test_a_note_that_may_stand_in_the_damage_is_not_told_to_be_wanting() -> None:
    quoting = work("義疏", WHOLE, {4: QUOTED})
    run = "貉皂樣鹎遗涸粕俦膘豆剩蕜"
    assert told(quoting, work("注本", WHOLE, {4: run}, misread_run=run)) == [("損", (), ())]
    # A few damaged characters cannot hold it.
    assert told(quoting, work("注本", WHOLE, {4: "重以主人事煩貉"}, misread_run="貉")) == [("無", (), ())]


def test_places_that_overlap_are_one() -> None:
    faults = [
        Fault(kind="misread-run", start=2, end=9, line=1),
        Fault(kind="lost-character", start=4, end=5, line=1),
        Fault(kind="unclosed-note", start=0, end=1, line=1),
    ]
    assert list(Damage(faults).within(0, 20)) == [(2, 9)]
    assert list(Damage(faults).within(5, 7)) == [(5, 7)]
    assert list(Damage(faults).within(9, 20)) == []


def test_what_was_accepted_is_read_and_told_at_its_place_as_found() -> None:
    clauses = {"rite": CLAUSES}
    first, second = "主人坐取爵于上篚以降", "賓對主人坐取爵興"

    def made(name: str, note: str) -> tuple[Text, tuple[Anchor, ...]]:
        text = read_text(f"{first}〈重以主人事煩〉\n{second}〈{note}〉\n".encode(), name, family="inline")
        where = zip(text.remarks, IDS, strict=False)
        return text, tuple(
            Anchor(remark=r.number, rite="rite", first=i, last=i, confidence=1.0, how="hand") for r, i in where
        )

    one, other = made("義疏", "此爵獻賓之爵也"), made("注本", "此壺獻賓之爵也")
    at = other[0].text.index("壺")
    # What is put in first moves all that stands behind it.
    put = Proposal(
        start=0, end=0, found="", emended="主人對\n", method="", evidence="", certain=False, author="甲", accepted=True
    )
    mended = msgspec.structs.replace(put, start=at, end=at + 1, found="壺", emended="爵")
    asked = msgspec.structs.replace(mended, accepted=False)

    def faiths(*made: Proposal) -> list[tuple[str, int, int]]:
        found = quotations_of(one[0], other[0], (one[1], other[1]), clauses, proposals=((), made))
        back = quotations_of(other[0], one[0], (other[1], one[1]), clauses, proposals=(made, ()))
        assert [each.faith for each in found.attested] == [each.faith for each in back.attested]
        return [(each.faith, each.remark, each.line) for each in back.attested]

    assert faiths() == faiths(asked) == [("全", 0, 1), ("改", 1, 2)]
    assert faiths(put, mended) == [("全", 0, 1), ("全", 1, 2)]


def test_a_book_of_the_subcommentary_is_asked_only_for_what_it_covers(shared: Callable[..., Path]) -> None:
    clauses = [(str(clause.id), clause.text) for clause in load_rite("xiangshe").clauses]

    def read(*path: str) -> tuple[Text, tuple[Anchor, ...]]:
        text = read_text(shared(*path).read_bytes(), path[-1])
        return text, anchor(text, clauses)

    later = read("sources", "000_8715d8bcf1027071.txt")
    book = read("sources", "003_8fdd919a1a2de942.txt")
    oldest = read("witnesses", "KR1d0026_005.txt")
    found = quotations_of(later[0], book[0], (later[1], book[1]), {"xiangshe": clauses}, [Layer.subnote])
    by_words = {each.words: each for each in found.attested}
    # The twelfth book begins at 司射猶挾乘矢; the cups are long behind then.
    assert by_words["左𤣥酒據人設尊北面故以西為左"].faith == "未涵"
    # 捍松仙 was read one byte out of step.
    (run,) = (each for words, each in by_words.items() if words.startswith("此上射下射升與降皆上射為先"))
    assert (run.faith, run.changes) == ("損", ())
    assert run.damaged == (Change(words="捍松仙", reading="此上射"),)
    assert "損 damaged　「捍松仙」→「此上射」" in quotations_text(found)
    # A note on the leaf that the oldest edition has lost.
    found = quotations_of(later[0], oldest[0], (later[1], oldest[1]), {"xiangshe": clauses}, [Layer.note])
    faiths = {each.words: each.faith for each in found.attested}
    assert faiths["尊東明與賓夾尊也不言東上統於尊也"] == "未涵"
    assert faiths["少退猶少辟也"] == "全"
