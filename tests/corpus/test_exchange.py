"""What other programs get: tables and annotations that point where they should."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from yanli.corpus.apparatus import collate_all
from yanli.corpus.copies import Copy
from yanli.corpus.exchange import COLUMNS, Units, apparatus_rows, tables, to_csv, web_annotations, write_parquet
from yanli.corpus.kanripo import Gap
from yanli.corpus.model import Anchor, Fault, Layer, Piece, Proposal, Remark, State, Text
from yanli.corpus.tei_signs import escaped, unescaped

# 𠀀 is beyond the BMP: two units in UTF-16.
WORDS = "豫則𠀀鉤楹(今文□爲序,\n\\也)"
TEXT = Text(
    name="KR 5/a.txt",
    title="儀禮",
    family="kanripo",
    text=WORDS,
    encoding="utf-8",
    pieces=(
        Piece(start=0, end=5, layer=Layer.canon, line=1, page="005-1a"),
        Piece(start=5, end=6, layer=Layer.sign, line=1, page="005-1a"),
        Piece(
            start=6, end=15, layer=Layer.note, line=1, page="005-1a", speaker="鄭玄", quoted_by=("甲", "乙"), remark=4
        ),
        Piece(start=15, end=16, layer=Layer.sign, line=2),
    ),
    remarks=(
        Remark(
            number=4,
            layer=Layer.note,
            text="今文□爲序也",
            spans=((6, 12), (14, 15)),
            after=5,
            speaker="鄭玄",
            lemma="豫",
        ),
    ),
    faults=(Fault(kind="illegible", start=8, end=9, line=1, found="□", state=State.illegible),),
)
ANCHORS = (
    Anchor(remark=4, rite="xiangshe", first="12.1", last="12.2", confidence=0.75, how="position", stands="12.3"),
)
PROPOSALS = (
    Proposal(
        start=8, end=9, found="□", emended="豫", method="parallel", evidence="句讀 5", certain=True, author="yanli",
        likely="。", rejected=True, reviewer="校者", reason="非也",
    ),
)  # fmt: skip


def found(document: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    """The annotations with this motivation."""
    return [item for item in document["first"]["items"] if item["motivation"] == kind]


def selected(place: dict[str, Any]) -> str:
    """What a place's selectors select; all of them must select the same."""
    quote, position = place["selector"]
    by_points = WORDS[position["start"] : position["end"]]
    units = WORDS.encode("utf-16-le")[2 * position["utf16Start"] : 2 * position["utf16End"]].decode("utf-16-le")
    assert quote["exact"] == by_points == units
    assert quote["prefix"] + quote["exact"] + quote["suffix"] in WORDS
    return by_points


def test_annotations_point_where_they_should() -> None:
    document = json.loads(web_annotations(TEXT, ANCHORS, PROPOSALS))
    assert document["@context"][0] == "http://www.w3.org/ns/anno.jsonld"
    assert (document["type"], document["total"]) == ("AnnotationCollection", 3)
    (remark,) = found(document, "commenting")
    assert remark["id"] == "urn:yanli:text:KR%205%2Fa.txt:remark:4"
    assert remark["creator"] == {"type": "Person", "name": "鄭玄"}
    assert remark["body"][0]["value"] == "今文□爲序也"
    assert [selected(place) for place in remark["body"][1:]] == ["今文□爲序,", "也"]
    assert [place["selector"][1]["utf16Start"] for place in remark["body"][1:]] == [7, 15]
    (target,) = remark["target"]
    assert (target["source"], target["selector"]["value"]) == ("urn:yanli:rite:xiangshe", "clause:12.1-12.2")
    assert (target["confidence"], target["stands"]) == (0.75, "clause:12.3")
    (fault,) = found(document, "assessing")
    assert selected(fault["target"]) == "□"
    (proposal,) = found(document, "editing")
    assert (selected(proposal["target"]), proposal["body"][0]["value"]) == ("□", "豫")
    assert (proposal["certain"], proposal["accepted"], proposal["rejected"]) == (True, False, True)
    assert (proposal["reviewer"], proposal["reason"]) == ("校者", "非也")


def test_a_remark_without_anchor_targets_its_own_place() -> None:
    (remark,) = found(json.loads(web_annotations(TEXT)), "commenting")
    assert [selected(place) for place in remark["target"]] == ["今文□爲序,", "也"]


@given(st.text(st.characters(exclude_categories=()), max_size=20))
def test_offsets_of_browsers(words: str) -> None:
    units = Units(words)
    for at in range(len(words) + 1):
        assert units.at(at) == len(words[:at].encode("utf-16-le", "surrogatepass")) // 2


def test_tables_have_what_the_text_has() -> None:
    rows = tables(TEXT, ANCHORS, PROPOSALS)
    assert all(set(row) == set(COLUMNS[name]) for name, held in rows.items() for row in held)
    assert rows["pieces"][2] == {
        "start": 6, "end": 15, "start16": 7, "end16": 16, "layer": "注", "speaker": "鄭玄", "quoted_by": "甲 乙",
        "remark": 4, "page": "005-1a", "line": 1, "text": "今文□爲序,\n\\也",
    }  # fmt: skip
    assert "".join(str(row["text"]) for row in rows["pieces"]) == WORDS
    assert rows["remarks"][0]["spans"] == "6:12 14:15"


def test_csv_and_parquet_hold_the_rows(tmp_path: Path) -> None:
    for name, rows in tables(TEXT, ANCHORS, PROPOSALS).items():
        written = list(csv.DictReader(io.StringIO(to_csv(name, rows), newline="")))
        plain = [{key: "" if value is None else escaped(str(value)) for key, value in row.items()} for row in rows]
        assert [dict(sorted(row.items())) for row in written] == [dict(sorted(row.items())) for row in plain]
        write_parquet(name, rows, tmp_path / name)
        read = pl.read_parquet(tmp_path / name)
        assert read.columns == list(COLUMNS[name])
        back = [
            {key: unescaped(value) if isinstance(value, str) else value for key, value in row.items()}
            for row in read.to_dicts()
        ]
        assert back == rows


def test_a_table_without_rows_has_its_columns(tmp_path: Path) -> None:
    write_parquet("anchors", [], tmp_path / "a")
    assert dict(pl.read_parquet(tmp_path / "a").schema) == {
        "remark": pl.Int64, "rite": pl.String, "first": pl.String, "last": pl.String,
        "confidence": pl.Float64, "how": pl.String, "stands": pl.String,
    }  # fmt: skip
    assert to_csv("anchors", []) == "remark,rite,first,last,confidence,how,stands\r\n"


@given(words=st.text(st.characters(exclude_categories=()), max_size=20))
def test_whatever_a_file_held_can_be_written(words: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    text = Text(
        name=words, title=words, family="plain", text=words, encoding="utf-8", remarks=(), faults=(),
        pieces=(Piece(start=0, end=len(words), layer=Layer.canon, line=1, speaker=words, page=words),),
    )  # fmt: skip
    rows = tables(text)["pieces"]
    to_csv("pieces", rows).encode("utf-8")
    path = tmp_path_factory.getbasetemp() / "any.parquet"
    write_parquet("pieces", rows, path)
    assert unescaped(pl.read_parquet(path)["text"][0]) == words
    written = web_annotations(text)
    # Two lone surrogates that make a pair are one character in JSON, as in every browser.
    label = json.loads(written.encode("utf-8"))["label"]
    assert label.encode("utf-16", "surrogatepass") == words.encode("utf-16", "surrogatepass")


def test_an_apparatus_is_a_table() -> None:
    lost = "主人坐取爵于上篚以降賓降主人阼階前西面坐奠爵興辭降"
    rows = apparatus_rows(
        collate_all(
            Copy(siglum="底", text=f"眾{lost}賓"),
            [Copy(siglum="甲", text="眾賓", gaps=(Gap("5-7a", 1, "empty"),)), Copy(siglum="乙", text=f"衆{lost}賓")],
        )
    )
    assert [(row["start"], row["words"], row["kind"], row["witnesses"], row["reading"]) for row in rows] == [
        (0, "眾", "字形", "乙", "衆"),
        (1, lost, "佚葉", "甲", ""),
    ]
    assert rows[1]["note"] == "5-7a"
    assert all(set(row) == set(COLUMNS["apparatus"]) for row in rows)
    assert to_csv("apparatus", rows).splitlines()[1] == "0,1,眾,字形,乙,衆,False,,,"
