"""Collation, and the variants recorded for the rites."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import opencc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from yanli.corpus.collate import Difference, apply, collate
from yanli.corpus.kanripo import Gap, read_file
from yanli.corpus.spelling import fold, rite_spelling, sha256
from yanli.corpus.variants import Witness, rite_variants

RITES = ("xiangshe", "xiangyinjiu", "dashe")
VARIANTS = {slug: rite_variants(slug) for slug in RITES}
ROOT = Path(__file__).resolve().parents[2]
FILED = [(slug, witness) for slug in RITES for witness in VARIANTS[slug].witnesses if witness.file]


def kinds(base: str, other: str, *gaps: Gap) -> list[tuple[str, int, str, str]]:
    return [(d.kind, d.start, d.words, d.reading) for d in collate(base, other, gaps)]


def test_each_kind_of_difference() -> None:
    assert kinds("主人答再拜", "主人答拜") == [("脫", 3, "再", "")]
    assert kinds("勝者先升堂", "勝者先升升堂") in ([("衍", 3, "", "升")], [("衍", 4, "", "升")])
    assert kinds("實八算于中", "實入算于中") == [("異文", 1, "八", "入")]
    assert kinds("卒射降釋獲者", "卒降射釋獲者") == [("倒", 1, "射降", "降射")]
    assert kinds("司射升請射", "升司射請射") == [("倒", 0, "司射升", "升司射")]
    assert kinds("眾賓答拜", "衆賔荅拜") == [("字形", 0, "眾", "衆"), ("字形", 1, "賓", "賔"), ("字形", 2, "答", "荅")]
    assert kinds("同", "同") == []


def test_interchangeable_words_are_marked() -> None:
    found = collate("適于西階既", "適於西階即")
    assert [(d.words, d.interchangeable) for d in found] == [("于", True), ("既", False)]


def test_a_lost_page_is_a_lost_page() -> None:
    before, lost, after = (
        "主人坐取爵于上篚以降賓降主人",
        "阼階前西面坐奠爵興辭降賓對主人坐取爵興適洗南面坐",
        "奠爵于篚下盥洗",
    )
    gaps = [Gap("005-7a", len(before), "empty"), Gap("005-7b", len(before), "missing")]
    (found,) = collate(before + lost + after, before + after, gaps)
    assert (found.kind, found.words, found.pages) == ("佚葉", lost, ("005-7a", "005-7b"))
    # a variant hard by the loss is told apart from it; without a lost page nothing is laid to one
    assert kinds(before + lost + after, before[:-2] + "王人" + after, *gaps) == [
        ("異文", len(before) - 2, "主", "王"),
        ("佚葉", len(before), lost, ""),
    ]
    assert {kind for kind, *_ in kinds(before + lost + after, before + after)} == {"脫"}


def test_an_empty_page_without_loss_is_nothing() -> None:
    assert collate("主人答再拜", "主人答再拜", [Gap("005-7a", 3, "empty")]) == []


@given(st.text("主人眾衆賓賔射降于於", max_size=40), st.text("主人眾衆賓賔射降于於", max_size=40), st.integers(0, 40))
def test_differences_turn_one_text_into_the_other(base: str, other: str, gap: int) -> None:
    gaps = [Gap("1-1a", min(gap, len(other)), "empty")]
    differences = collate(base, other, gaps)
    assert apply(base, differences) == other
    assert all(base[d.start : d.end] == d.words for d in differences)
    assert all(other[d.other : d.other + len(d.reading)] == d.reading for d in differences)


def regular(slug: str) -> str:
    """The pinned words of a rite, without line ends."""
    path = ROOT.joinpath("src", "yanli", "rites", slug, "edition.toml")
    return "".join(tomllib.loads(path.read_text(encoding="utf-8"))["text"].split())


@pytest.fixture(scope="module")
def against(shared: Callable[..., Path]) -> Callable[[str, Witness], list[Difference]]:
    """Give what collates a witness with the regular text."""

    def run(slug: str, witness: Witness) -> list[Difference]:
        assert witness.profile is not None
        layer = read_file(shared("witnesses", witness.file), witness.profile)
        return collate(regular(slug), layer.text, layer.gaps)

    return run


@pytest.mark.parametrize(("slug", "witness"), FILED, ids=[f"{slug}-{witness.siglum}" for slug, witness in FILED])
def test_variants_are_complete_and_no_more(
    against: Callable[[str, Witness], list[Difference]], slug: str, witness: Witness
) -> None:
    found = against(slug, witness)
    recorded = {
        (row.kind, at, row.words, row.reading, row.pages, row.interchangeable)
        for row in VARIANTS[slug].variants
        for at in row.at
        if witness.siglum in row.witnesses and row.kind not in {"今文", "古文"}
    }
    assert recorded == {
        (d.kind, d.start, d.words, d.reading, d.pages, d.interchangeable) for d in found if d.kind != "字形"
    }
    shapes = Counter((d.words, d.reading) for d in found if d.kind == "字形")
    assert shapes == {
        (row.words, row.reading): row.count for row in VARIANTS[slug].shapes if row.witness == witness.siglum
    }


@pytest.mark.parametrize(
    ("slug", "siglum", "lost"),
    [
        (
            "xiangshe",
            "鄭",
            [
                ("賓及眾賓", "祭如賓", ("005-7a", "005-7b")),
                ("司馬洗爵", "執爵興取", ("005-23b",)),
                ("主人亦飲", "於旅也語", ("005-37a", "005-37b")),
            ],
        ),
        ("xiangshe", "句", []),
        ("xiangshe", "集", []),
        ("xiangyinjiu", "鄭", []),
        ("xiangyinjiu", "句", []),
        # Leaves 12, 14 and 31 of this copy are blank, of 14 and 31 both sides.
        (
            "dashe",
            "鄭",
            [
                ("篚一人待", "觶降奠于", ("007-12b",)),
                ("拜受爵主", "新宮三終", ("007-14a", "007-14b")),
                ("適左个祭", "大侯之禮", ("007-31a", "007-31b")),
            ],
        ),
        ("dashe", "句", []),
        ("dashe", "集", []),
    ],
)
def test_lost_leaves_are_lost_and_not_differences(
    against: Callable[[str, Witness], list[Difference]],
    slug: str,
    siglum: str,
    lost: list[tuple[str, str, tuple[str, ...]]],
) -> None:
    witness = next(witness for witness in VARIANTS[slug].witnesses if witness.siglum == siglum)
    found = [d for d in against(slug, witness) if d.kind == "佚葉"]
    assert [(d.words[:4], d.words[-len(end) :], d.pages) for d, (_, end, _) in zip(found, lost, strict=True)] == lost


@pytest.mark.parametrize("slug", RITES)
def test_variants_speak_of_this_text(slug: str) -> None:
    words = regular(slug)
    assert VARIANTS[slug].text.regular_sha256 == sha256(words)
    assert VARIANTS[slug].text.regular_length == len(words)
    for row in VARIANTS[slug].variants:
        assert all(words[at : at + len(row.words)] == row.words for at in row.at), row
        assert row.context.replace("［", "").replace("］", "") in words or "…" in row.context, row


def test_the_spelling_of_the_source_is_for_this_text() -> None:
    assert rite_spelling("xiangshe").text.regular_sha256 == sha256(regular("xiangshe"))


@pytest.mark.parametrize("slug", RITES)
def test_old_texts_are_reported_with_their_remark(slug: str) -> None:
    old = [row for row in VARIANTS[slug].variants if row.kind in {"今文", "古文"}]
    assert all(row.note.startswith("鄭玄: ") and row.witnesses for row in old)


# Read in the notes of 四部叢刊 and 句讀, one by one.
OLD = {
    "xiangshe": {("今文", "豫", "序"), ("古文", "盥", "浣"), ("今文", "厭", "揖")},
    "xiangyinjiu": {
        ("今文", "厭", "揖"),
        ("古文", "挩", "說"),
        ("今文", "胳", "骼"),
        ("古文", "縮", "蹙"),
        ("今文", "遵", "僎"),
    },
    "dashe": {
        ("古文", "媵", "騰"),
        ("古文", "貫", "關"),
        ("今文", "錫", "緆"),
        ("古文", "梱", "魁"),
        ("古文", "揉", "紐"),
    },
}


@pytest.mark.parametrize("slug", RITES)
def test_old_texts_that_matter_are_there(slug: str) -> None:
    assert OLD[slug] <= {(row.kind, row.words, row.reading) for row in VARIANTS[slug].variants}


@pytest.mark.parametrize(
    ("slug", "siglum", "file"),
    [("xiangyinjiu", "義", "001_1abec086cc532a3a.txt"), ("dashe", "義", "004_189ec0ccc523774d.txt")],
)
def test_the_copy_in_simplified_characters_reads_so(
    shared: Callable[..., Path], slug: str, siglum: str, file: str
) -> None:
    """Compared by words: where it differs its words stand in the copy, and ours do not."""
    copy = _plain(shared("sources", file).read_text(encoding="utf-8"))
    for row in VARIANTS[slug].variants:
        if siglum not in row.witnesses:
            continue
        at = regular(slug).index(row.context.replace("［", "").replace("］", ""))
        before, words, after = re.split("[［］]", row.context)
        assert at >= 0
        near = before[-2:], after[:1]
        assert _plain(near[0] + row.reading + near[1]) in copy, row
        assert _plain(near[0] + words + near[1]) not in copy, row


def _plain(text: str) -> str:
    """Simplified words alone: no notes, no punctuation."""
    bare = re.sub(r"[(（【][^)）】]*[)）】]", "", text)
    return "".join(re.findall(r"[㐀-鿿]", opencc.OpenCC("t2s").convert(fold(bare).text)))


def told(base: str, other: str, *gaps: Gap) -> list[tuple[str, int, str, str]]:
    """With what is lost in the base, and where one of the two begins or ends elsewhere."""
    return [(d.kind, d.start, d.words, d.reading) for d in collate(base, other, base_gaps=gaps, edges=True)]


def test_a_lost_page_of_the_base_adds_nothing_to_the_others() -> None:
    before, lost, after = (
        "主人坐取爵于上篚以降賓降主人",
        "阼階前西面坐奠爵興辭降賓對主人坐取爵興適洗南面坐",
        "奠爵于篚下盥洗賓進東北面辭洗",
    )
    gaps = [Gap("005-7a", len(before), "empty"), Gap("005-7b", len(before), "missing")]
    (found,) = collate(before + after, before + lost + after, base_gaps=gaps)
    assert (found.kind, found.start, found.words, found.reading) == ("底本佚葉", len(before), "", lost)
    assert found.pages == ("005-7a", "005-7b")
    assert apply(before + after, [found]) == before + lost + after
    # A variant hard by is told apart; without a lost page the words are added.
    assert told(before + after, before[:-2] + "王人" + lost + after, *gaps) == [
        ("異文", len(before) - 2, "主", "王"),
        ("底本佚葉", len(before), "", lost),
    ]
    assert {kind for kind, *_ in told(before + after, before + lost + after)} == {"衍"}


def test_no_more_is_laid_to_a_page_than_it_can_hold() -> None:
    before, lost, after = (
        "主人坐取爵于上篚以降賓降主人",
        "阼階前西面坐奠爵興辭降賓對主人坐取爵興適洗南面坐",
        "奠爵于篚下盥洗賓進東北面辭洗",
    )
    gaps = [Gap("005-7a", len(before), "empty")]
    whole, rest = before + lost + after, before + after
    assert len(lost) == 24
    for room, told in ((None, "佚葉"), (24, "佚葉"), (23, "脫")):
        assert [d.kind for d in collate(whole, rest, gaps, room=room)] == [told]
    for room, told in ((None, "底本佚葉"), (24, "底本佚葉"), (23, "衍")):
        assert [d.kind for d in collate(rest, whole, base_gaps=gaps, base_room=room)] == [told]
    # Two pages hold twice as much.
    both = [*gaps, Gap("005-7b", len(before), "empty")]
    assert [d.kind for d in collate(whole, rest, both, room=12)] == ["佚葉"]


OPENING = "大射之儀君有命戒射宰戒百官有事於射者射人戒諸公卿大夫射司士戒士射與贊者"
MIDDLE = "前射三日宰夫戒宰及司馬射人宿視滌司馬命量人量侯道與所設乏以貍步"
CLOSING = "公入驁聘禮君與卿圖事遂命使者使者再拜稽首辭君不許乃退"


def test_a_text_that_begins_or_ends_elsewhere_has_no_variants_there() -> None:
    assert told(OPENING + MIDDLE, MIDDLE) == [("起", 0, OPENING, "")]
    assert told(MIDDLE, OPENING + MIDDLE) == [("起", 0, "", OPENING)]
    assert told(MIDDLE + CLOSING, MIDDLE) == [("止", len(MIDDLE), CLOSING, "")]
    assert told(MIDDLE, MIDDLE + CLOSING) == [("止", len(MIDDLE), "", CLOSING)]
    # Each goes on with other matter: neither covers what the other has.
    assert told(OPENING + MIDDLE, CLOSING + MIDDLE) == [("起", 0, OPENING, ""), ("起", len(OPENING), "", CLOSING)]
    # So few characters more are a matter of the words, and so are words changed at the beginning.
    assert told(MIDDLE, MIDDLE + "右大射") == [("衍", len(MIDDLE), "", "右大射")]
    assert told(MIDDLE, "昔" + MIDDLE[1:]) == [("異文", 0, "前", "昔")]


def test_the_first_words_of_a_text_that_begins_later_stand_together() -> None:
    # It costs as little to find 旌 at the first 執旌, and 負侯 at the next.
    lacks = OPENING + "司馬師命負侯者執旌以負侯負侯者皆適侯執"
    there = "旌負侯而俟司射適次作上耦射司射反位上耦出次西面揖進"
    assert told(lacks + there, there) == [("起", 0, lacks, "")]
    assert told(there, lacks + there) == [("起", 0, "", lacks)]


@given(
    st.text("主人眾衆賓賔射降于於", max_size=40),
    st.text("主人眾衆賓賔射降于於", max_size=40),
    st.integers(0, 40),
    st.integers(0, 40),
)
def test_what_is_lost_in_either_and_outside_of_one_still_turns_one_into_the_other(
    base: str, other: str, gap: int, own: int
) -> None:
    gaps, base_gaps = [Gap("1-1a", min(gap, len(other)), "empty")], [Gap("2-1a", min(own, len(base)), "empty")]
    # What both have before and behind holds them together, and each has matter of its own about it.
    one, two = "前" + base + MIDDLE + other + "後", other + MIDDLE + base
    for first, second in ((one, two), (base, other)):
        differences = collate(first, second, gaps, base_gaps=base_gaps, edges=True)
        assert apply(first, differences) == second
        assert all(second[d.other : d.other + len(d.reading)] == d.reading for d in differences)


MANY = st.text("主人眾衆賓賔射降于於", min_size=40, max_size=140)
PLACES = st.lists(st.integers(0, 60), max_size=3)


@given(MANY, st.text("主人眾衆賓賔射降于於", min_size=20, max_size=60), PLACES, PLACES)
def test_several_lost_pages_close_together_never_cross(base: str, other: str, gaps: list[int], own: list[int]) -> None:
    """Where two texts have little in common one loss is next to another, on either side."""
    lost = [Gap(f"1-{gap}a", min(gap, len(other)), "empty") for gap in gaps]
    base_lost = [Gap(f"2-{gap}a", min(gap, len(base)), "empty") for gap in own]
    assert apply(base, collate(base, other, lost, base_gaps=base_lost, edges=True)) == other
    assert apply(other, collate(other, base, base_lost, base_gaps=lost)) == base
