"""TEI out and in again: nothing is lost, and tei_all allows it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yanli.corpus.model import Anchor, Fault, Layer, Piece, Proposal, Remark, State, Text
from yanli.corpus.segment import read_text
from yanli.corpus.tei import to_tei
from yanli.corpus.tei_read import anchors_from_tei, from_tei, proposals_from_tei
from yanli.corpus.tei_signs import escaped, unescaped
from yanli.errors import RiteError

SHARED = Path(__file__).resolve().parents[3] / "shared"
FILES = sorted([*SHARED.glob("sources/0*.txt"), *SHARED.glob("witnesses/KR*.txt")])
Validate = Callable[[str], str]


def sample() -> Text:
    """A text with everything: all layers' elements, pages, states, faults, forbidden characters, nested speakers."""
    words = "一<射>&\r\n□也■\x00\ud800\ufffe&KR0764;\U00020000補\\u{1}尾"
    at = {sign: words.index(sign) for sign in "□■\x00&補"}
    kr = words.index("&KR0764;")
    cuts = [0, 1, 4, 7, at["■"], kr, at["補"], len(words) - 1, len(words)]
    kinds: list[tuple[Layer, str | None, tuple[str, ...], int | None, str | None]] = [
        (Layer.heading, None, (), None, None),
        (Layer.canon, None, (), None, "1a"),
        (Layer.sign, None, (), None, "1a"),
        (Layer.note, "鄭玄", (), 0, 'b"\t<\x01'),
        (Layer.remark, "敖繼公", ("義疏", "秦蕙田"), 1, None),
        (Layer.lemma, None, (), 1, None),
        (Layer.translation, "", (), 2, "2a"),
        (Layer.gloss, "鄭玄", (), None, "2a"),
    ]
    pieces = tuple(
        Piece(
            start=start,
            end=end,
            layer=layer,
            line=9 if layer is Layer.gloss else 1 + words.count("\n", 0, start),
            page=page,
            speaker=speaker,
            quoted_by=quoted,
            remark=number,
        )
        for start, end, (layer, speaker, quoted, number, page) in zip(cuts, cuts[1:], kinds, strict=False)
    )
    faults = (
        Fault(kind="illegible", start=at["□"], end=at["□"] + 1, line=2, page="1a", found="□", state=State.illegible),
        Fault(kind="black", start=at["■"], end=at["■"] + 1, line=2, found="■", state=State.black),
        Fault(kind="control", start=at["\x00"], end=at["\x00"] + 1, line=2, found="\x00", told="U+0000 \\ 控制"),
        Fault(kind="unencoded", start=kr, end=kr + 8, line=2, found="&KR0764;", state=State.unencoded),
        Fault(kind="lost-character", start=at["補"], end=at["補"] + 1, line=2, state=State.supplied),
        Fault(kind="empty-page", start=3, end=3, line=1),
    )
    remarks = (
        Remark(number=0, layer=Layer.note, text="也", spans=((7, 8), (9, 10)), after=2, speaker="鄭玄", lemma="射"),
        Remark(
            number=1, layer=Layer.remark, text=words[kr:-1], spans=((kr, len(words) - 1),), after=2, quoted_by=("甲",)
        ),
        Remark(number=7, layer=Layer.remark, text="", spans=(), after=2, lemma=""),
    )
    return Text(
        name='x&"y\x00.txt', title="儀禮\ud801", family="kanripo", text=words, encoding="utf-8-sig", pieces=pieces,
        remarks=remarks, faults=faults, sure=0.1 + 0.2, why="a < b",
    )  # fmt: skip


ANCHORS = (
    Anchor(remark=0, rite="xiangshe", first="3.2", last="3.4", confidence=0.9, how="position"),
    Anchor(remark=1, rite="<&>", first="1", last="1", confidence=1 / 3, how="quotation", stands="2<"),
    Anchor(remark=1, rite="xiangshe", first="1", last="1", confidence=0.4, how="reference"),
)
PROPOSALS = (
    Proposal(
        start=5, end=6, found="□", emended="\x02豫<", method="parallel", evidence='句讀 "5"', certain=True, author="甲",
        likely="<。\x02",
    ),
    Proposal(start=5, end=6, found="", emended="", method="", evidence="", certain=False, author="", accepted=True),
    Proposal(
        start=6, end=7, found="也", emended="矣", method="m", evidence="e", certain=False, author="甲", rejected=True,
        reviewer="校<者\x01", reason="非\\也",
    ),
    Proposal(
        start=7, end=8, found="", emended="矣", method="m", evidence="e", certain=False, author="甲", accepted=True,
        reviewer="校者",
    ),
)  # fmt: skip


def test_everything_comes_back() -> None:
    document = to_tei(sample(), ANCHORS, PROPOSALS)
    document.encode("utf-8")
    assert from_tei(document) == sample()
    assert anchors_from_tei(document) == ANCHORS
    assert proposals_from_tei(document) == PROPOSALS


def test_what_is_proposed_is_a_choice_of_what_is_found_and_what_it_was() -> None:
    document = to_tei(sample(), (), PROPOSALS[2:3])
    assert '<span type="rejected" subtype="uncertain" target="#string-range(t,6,1)">' in document
    assert "<choice><sic>也</sic><corr>矣</corr></choice>" in document
    assert '<note type="reason">非\\\\也</note>' in document


def test_signs_of_what_cannot_be_read_are_what_tei_calls_them() -> None:
    document = to_tei(sample())
    assert '<gap reason="illegible"><desc>□</desc></gap>' in document
    assert '<gap reason="black"><desc>■</desc></gap>' in document
    assert '<g ref="#g-KR0764">&amp;KR0764;</g>' in document
    assert '<g ref="#u0000">\ufffd</g>' in document
    assert "<supplied>補</supplied>" in document
    assert 'type="論" n="1" resp="#s' in document


def test_the_schema_allows_it(validate: Validate) -> None:
    assert validate(to_tei(sample(), ANCHORS, PROPOSALS)) == ""
    assert validate(to_tei(read_text(b"", "empty.txt"))) == ""
    assert "error" in validate(to_tei(sample()).replace("<supplied>", "<supply>").replace("</supplied>", "</supply>"))


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_every_source_comes_back_and_is_allowed(path: Path, validate: Validate) -> None:
    text = read_text(path.read_bytes(), path.name)
    document = to_tei(text)
    assert from_tei(document) == text
    assert validate(document) == ""


@given(st.text(st.characters(exclude_categories=()), max_size=30))
def test_any_characters_come_back(words: str) -> None:
    assert unescaped(escaped(words)) == words
    half = len(words) // 2
    text = Text(
        name=words,
        title=words,
        family="plain",
        text=words,
        encoding="utf-8",
        pieces=(
            Piece(start=0, end=half, layer=Layer.note, line=1, speaker=words, page=words),
            Piece(start=half, end=len(words), layer=Layer.canon, line=1 + words.count("\n", 0, half)),
        ),
        remarks=(),
        faults=(),
    )
    assert from_tei(to_tei(text)) == text


@given(st.binary(max_size=200))
def test_any_file_comes_back(data: bytes) -> None:
    text = read_text(data, "x.txt")
    assert from_tei(to_tei(text)) == text


@pytest.mark.parametrize(
    "document",
    [
        "",
        "no xml",
        "<TEI/>",
        '<!DOCTYPE TEI [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><TEI>&b;</TEI>',
        to_tei(sample()).replace('type="注"', 'type="某"'),
        to_tei(sample()).replace("persName", "name"),
        to_tei(sample()).replace("string-range", "range"),
        to_tei(sample(), ANCHORS).replace("num-", "no-").replace('type="after"', ""),
        "<" * 10_000,
        "<a>" * 100_000,
    ],
)
def test_other_documents_are_refused(document: str) -> None:
    with pytest.raises(RiteError, match=r"(?s).+"):
        from_tei(document)
