"""The apparatus as people read it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from yanli.corpus.apparatus import Apparatus, collate_all
from yanli.corpus.copies import Copy
from yanli.corpus.kanripo import Gap
from yanli.render.apparatus import CLASSES, apparatus_page, apparatus_text

LOST = "賓降主人阼階前西面坐奠爵興辭降賓對主人坐取爵興"
OPEN = "主人坐取爵于上篚以降"
BASE = f"眾賓答再拜{OPEN}{LOST}適洗南面"


def sample() -> Apparatus:
    """甲 has lost a leaf and 再, 乙 writes another shape and other words."""
    return collate_all(
        Copy(siglum="底<", title="鄉射&禮", text=BASE),
        [
            Copy(siglum="甲", text=f"眾賓答拜{OPEN}適洗南面", gaps=(Gap("5-7a", 14, "empty"),)),
            Copy(siglum="乙", text=f"衆賓答再拜{OPEN}{LOST}適洗北面"),
        ],
    )


class Reader(HTMLParser):
    """Whether tags are closed in order, which ids there are and where links go."""

    VOID = frozenset({"meta", "br"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.words = ""
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        held = dict(attrs)
        self.ids += [held["id"] or ""] if "id" in held else []
        self.links += [held["href"] or ""] if "href" in held else []
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


def test_columns() -> None:
    lines = apparatus_text(sample()).splitlines()
    assert any(re.search(r"3\s+眾賓答［再］拜主人坐取\s+脫\s+甲\s+〇", line) for line in lines)
    assert any(re.search(r"異文\s+乙\s+北", line) for line in lines)
    assert any(re.search(r"15\s+38\s+23\s+甲\s+佚葉\s+5-7a", line) for line in lines)
    assert "衆" not in apparatus_text(sample())
    assert "衆" in apparatus_text(sample(), shapes=True)


def test_the_page_holds_the_base_and_every_reading() -> None:
    page = apparatus_page(sample())
    read = Reader(page)
    base = re.sub(r"<(b|sup)>.*?</\1>|<[^>]+>", "", page.split('<p class="base" lang="lzh">')[1].split("</p>")[0])
    assert base == BASE
    assert len(read.ids) == len(set(read.ids)) == 4
    assert {link.removeprefix("#") for link in read.links} == set(read.ids)
    assert "北 乙" in read.words
    assert "甲佚葉" in read.words
    assert "眾 → 衆 乙 1" in read.words
    assert "鄉射&禮" in read.words
    assert "another order" not in page
    assert not re.search(r"(?:src|href)=\"(?!#)|url\(|@import", page)
    assert all(en in page for kind, (_, en) in CLASSES.items() if kind in {"佚葉", "異文", "脫"})


def test_shapes_are_shown_when_asked_for() -> None:
    page = apparatus_page(sample(), "x", shapes=True)
    assert len(Reader(page).ids) == 6
    assert "衆" in page.split("<ol>")[1]


def test_a_shape_that_fonts_may_lack_is_named_by_its_code_point() -> None:
    found = collate_all(Copy(siglum="甲", title="", text="玄酒"), [Copy(siglum="乙", text="\U000248e5酒")])
    assert "玄 → \U000248e5 U+248E5 乙 1" in Reader(apparatus_page(found)).words


def test_nothing_to_tell_is_a_page_too() -> None:
    page = apparatus_page(collate_all(Copy(siglum="底", text="主人"), [Copy(siglum="甲", text="主人")]))
    assert Reader(page).ids == []
