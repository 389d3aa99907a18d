"""Files as they are found, read whole: CBETA's TEI, Kanripo with labels in brackets; and one made to use up memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from yanli.corpus import segment_scan
from yanli.corpus.model import Layer, Text
from yanli.corpus.segment import read_text
from yanli.errors import RiteError

CBETA = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0" xmlns:cb="http://www.cbeta.org/ns/1.0" xml:id="T01n0001">
<teiHeader><fileDesc><titleStmt><title level="m" xml:lang="zh-Hant">長阿含經</title></titleStmt></fileDesc>
<encodingDesc><charDecl><char xml:id="CB00178"><mapping type="unicode">U+25A5D</mapping></char></charDecl>
</encodingDesc></teiHeader>
<text><body><pb n="0001a" ed="T" xml:id="T01.0001.0001a"/>
<lb n="0001a01" ed="T"/><cb:juan n="001" fun="open"><cb:jhead>長阿含經卷第一</cb:jhead></cb:juan>
<lb n="0001a02" ed="T"/><byline cb:type="Translator">後秦佛陀耶舍譯</byline>
<lb n="0001a03" ed="T"/><cb:div type="jing"><cb:mulu level="1">大本經</cb:mulu><head>大本經</head>
<lb n="0001a04" ed="T"/><p xml:id="pT01p0001a0401">如是我聞<note place="inline">一時</note>佛在<g ref="#CB00178"/>國
<lb n="0001a05" ed="T"/><app><lem wit="#wit1">祇</lem><rdg wit="#wit2">祗</rdg></app>樹</p>
<pb n="0001b" ed="T" xml:id="T01.0001.0001b"/><lb n="0001b01" ed="T"/><p>花林窟</p></cb:div></body>
<back><cb:div type="apparatus"><head>校注</head><p>祇＝祗</p></cb:div></back></text></TEI>
"""
BRACKETED = """# -*- mode: mandoku-view; -*-
#+TITLE: 儀禮注疏
<pb:KR1d0099_WYG_004-1a>¶
主人戒賓(主人州長/也【疏】釋曰自此)¶
(盡拜辱/論戒賓【釋文】戒音界)賓出迎【疏】(主人至/拜辱)¶
再拜
"""


PAGE = """<!DOCTYPE html>
<html lang="zh"><head><meta charset="UTF-8"/><title>儀禮/鄉射禮</title><style>p { color: #000 }</style>
<script>if (a < b) { x = "</p>"; }</script></head>
<body><div class="mw-parser-output"><nav><a href="/">首頁</a></nav>
<h2><span class="mw-headline" id="x">鄉射禮第五</span><span class="mw-editsection">[編輯]</span></h2>
<p>鄉射之禮。主人戒賓，<small>主人，州長也。</small>賓出迎<sup class="reference">[1]</sup>，<b>再拜</b>。<br/>
主人答再拜<span style="font-size: 80%">不言</span></p>
</div></body></html>
"""
MARKDOWN = """# 鄉射禮第五

鄉射之禮。主人**戒**賓（主人，
州長也），賓出迎。

> 注：戒猶警也
> 語也

再拜
"""
LIMITED = """
import resource, sys
from pathlib import Path
resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
from yanli.corpus.library import import_files, items
from yanli.corpus.store import Store
with Store.open(Path("c.sqlite")) as store:
    (outcome,) = import_files(store, items([Path(sys.argv[1])]), workers=1)
    entry = store.entry(sys.argv[1])
    print(outcome.fate, entry.size, entry.length, outcome.told)
"""


def said(text: Text) -> list[tuple[str, str | None, str]]:
    """Layer, speaker and words of all pieces but signs."""
    pieces = (piece for piece in text.pieces if piece.layer != "標")
    return [(piece.layer.value, piece.speaker, text.text[piece.start : piece.end]) for piece in pieces]


def test_a_file_of_cbeta() -> None:
    """Base text, notes within the line and other editions' readings are apart; headers and mulu are signs."""
    text = read_text(CBETA.encode(), "T01n0001.xml")
    assert (text.family, text.title) == ("tei", "長阿含經")
    assert text.layer(Layer("經")) == "如是我聞佛在國祇樹花林窟"
    assert text.layer(Layer("注")) == "一時"
    assert text.layer(Layer("題")) == "長阿含經卷第一後秦佛陀耶舍譯大本經校注"
    assert text.layer(Layer("音")) == "祗祇＝祗"
    assert sum(text.shares().values()) == len(text.text) == len(CBETA)
    assert [fault.kind for fault in text.faults] == ["unencoded"]
    assert {piece.page for piece in text.pieces} == {None, "0001a", "0001b"}


def test_labels_in_brackets() -> None:
    """【疏】 within a note and before one; what a line's end cut is one remark."""
    text = read_text(BRACKETED.encode(), "KR1d0099_004.txt")
    assert text.family == "kanripo-bracketed"
    assert said(text) == [
        ("經", None, "主人戒賓"),
        ("注", "鄭玄", "主人州長"),
        ("注", "鄭玄", "也"),
        ("疏", "賈公彥", "釋曰自此"),
        ("疏", "賈公彥", "盡拜辱"),
        ("疏", "賈公彥", "論戒賓"),
        ("音", "陸德明", "戒音界"),
        ("經", None, "賓出迎"),
        ("疏", "賈公彥", "主人至"),
        ("疏", "賈公彥", "拜辱"),
        ("經", None, "再拜"),
    ]
    assert [remark.text for remark in text.remarks] == ["主人州長也", "釋曰自此盡拜辱論戒賓", "戒音界", "主人至拜辱"]


def test_a_file_of_nothing_but_pieces_is_refused_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    """A piece takes a few hundred bytes: a file cut into too many is refused, with its size told."""
    monkeypatch.setattr(segment_scan, "MOST_PIECES", 1000)
    assert read_text("賓 ".encode() * 400, "x", family="plain").pieces
    with pytest.raises(RiteError, match=r"4000 characters .*1000 pieces"):
        read_text("賓 ".encode() * 2000, "x", family="plain")


def test_a_page_of_a_wiki() -> None:
    """Small print is the note; scripts, navigation and what only the wiki says are signs."""
    text = read_text(PAGE.encode(), "page.html")
    assert (text.family, text.title) == ("html", "儀禮/鄉射禮")
    assert text.layer(Layer.canon) == "鄉射之禮。主人戒賓，賓出迎，再拜。主人答再拜"
    assert text.layer(Layer.note) == "主人，州長也。不言"
    assert text.layer(Layer.heading) == "鄉射禮第五"
    assert sum(text.shares().values()) == len(PAGE)


def test_a_file_of_markdown() -> None:
    """Brackets that go over a line's end are one note, lines that are quoted one remark."""
    text = read_text(MARKDOWN.encode(), "x.md")
    assert (text.family, text.title) == ("markdown", "鄉射禮第五")
    assert text.layer(Layer.canon) == "鄉射之禮。主人戒賓，賓出迎。再拜"
    assert text.layer(Layer.heading) == "鄉射禮第五"
    assert [(remark.layer.value, remark.text) for remark in text.remarks] == [
        ("注", "主人，州長也"),
        ("論", "注：戒猶警也語也"),
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("unit", "times", "told"),
    [
        ("主人戒賓賓出迎再拜", 40_000_000, "added 1080000000 360000000 "),
        ("賓 ", 6_000_000, "unread 24000000 0 RiteError: "),
    ],
)
def test_memory_is_bounded(tmp_path: Path, unit: str, times: int, told: str) -> None:
    """A line of more than a gigabyte goes in within 8 GB; a file of a piece each character is kept, but not read."""
    pytest.importorskip("resource")
    many = 1_000_000
    with tmp_path.joinpath("line").open("wb") as file:
        for _ in range(times // many):
            file.write(unit.encode() * many)
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, "line"], check=False, capture_output=True, text=True, cwd=tmp_path, timeout=600
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.startswith(told)
