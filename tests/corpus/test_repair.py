"""Repair: what a byte, a reading in brackets and a lost character were, read in the parallels; and reviewing it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from yanli.corpus.emendation import emended, propose, review
from yanli.corpus.misread import from_bytes, to_bytes, undo
from yanli.corpus.model import Proposal, Text
from yanli.corpus.parallel import Parallel, folded, lemma, stands, words
from yanli.corpus.repair import Repaired, repair
from yanli.errors import RiteError

RITE = Path(__file__).resolve().parents[2].joinpath("src", "yanli", "rites", "xiangshe")
WHOLE = "".join(tomllib.loads(RITE.joinpath("edition.toml").read_text(encoding="utf-8"))["text"].split())
CANON = WHOLE[WHOLE.index("司射適堂西袒決遂") :][:300]

# Each read in the parallel: what the subcommentary has once repaired (its own punctuation left out), and the
# parallel's words, in which .* stands for what the lemma leaves out.
READ = (
    ("注有司至俟事", "KR1d0026_005", "有司弟子.{0,40}皆執以俟事"),
    ("南面至挾之", "KR1d0038_005", "南面揖.{0,60}改取一个挾之"),
    ("出于至去侯", "KR1d0026_005", "出于司射之南.{0,160}命去侯"),
    ("注古文至從后", "KR1d0026_005", "古文而后作後.{0,40}當從后"),
    ("上射至於左", "KR1d0026_005", "上射降三等下射少右從之中等並行上射於左"),
    ("注去撲至之側", "KR1d0026_005", "去扑乃升不敢佩刑器即尊者之側"),
    ("注揖推之也", "KR1d0026_005", "揖推之也"),
    ("釋曰推手曰揖引手曰厭", "KR1d0026_004", "推手曰揖引手曰厭"),
    ("注俟弟至教之", "KR1d0026_005", "俟弟子取矢以旌指教之"),
    ("注撫拊至乃袒", "KR1d0026_005", "撫拊之也.{0,60}凡事升堂乃袒"),
    ("云大夫爲下射而云御於子", "KR1d0026_005", "大夫爲下射而云御於子"),
    ("注大夫至郷里", "KR1d0026_005", "大夫爲下射.{0,60}齒于郷里"),
    ("注反位至遂來", "KR1d0026_005", "反位者俟其袒決遂來"),
    ("三耦至西南", "KR1d0026_005", "三耦拾取矢皆袒決遂執弓進立于司馬之西南"),
    ("注必袒至射事", "KR1d0026_005", "必袒決遂者明將有射事"),
    ("注作之至作射", "KR1d0026_005", "作之者還當上耦如作射"),
    ("司射至楅揖", "KR1d0026_005", "司射反位上耦揖進當楅北面揖及楅揖"),
    ("上射至面揖", "KR1d0026_005", "上射東面下射西面上射揖進"),
    ("注覆手至亦便", "KR1d0026_005", "覆手由弓上.{0,30}亦便"),
    ("注楅南至之位", "KR1d0026_005", "楅南郷當楅之位"),
    ("三耦至反位", "KR1d0026_005", "三耦拾取矢亦如之.{0,90}而后反位"),
    ("注鹿中至兕中", "KR1d0026_005", "鹿中謂射於謝也於庠當兕中"),
    ("司射至不釋", "KR1d0026_005", "司射遂進由堂下北面命曰不貫不釋"),
    ("注貫猶至作關", "KR1d0026_005", "貫猶中也不中正不釋筭也古文貫作關"),
    ("又取至就席", "KR1d0038_005", "又取中之八筭.{0,700}皆就席"),
    ("豫設之或實或委一如前法", "KR1d0035_005", "豫設之或實或委一如前法"),
    ("注先升至之位", "KR1d0026_005", "先升尊賢.{0,40}亦相飲之位"),
    ("云不就乏者明其享侯之餘", "KR1d0026_005", "不就乏者明其享侯之餘"),
    ("注南面至行也", "KR1d0026_005", "南靣相俟而揖行也"),
    ("注及楅至便也", "KR1d0026_005", "及楅當楅東西也.{0,20}揖由便也"),
    ("注亦於三耦爲之位", "KR1d0026_005", "亦於三耦爲之位"),
    ("注皆巳至反位", "KR1d0026_005", "皆巳揖左還各由其塗反位"),
    ("注降袒至取矢", "KR1d0026_005", "降袒決遂.{0,40}與之拾取矢"),
    ("司射至如初", "KR1d0026_005", "司射猶挾一个以進作上射如初"),
    ("注進前至升射", "KR1d0026_005", "進前也.{0,60}今文或言作升射"),
    ("上射至若一", "KR1d0026_005", "上射揖.{0,90}大師曰奏騶虞閒若一"),
    ("云不挾亦謂執之如司射", "KR1d0026_005", "不挾亦謂執之如司射"),
    ("注所不至立飲", "KR1d0026_005", "所不者.{0,30}賔立飲"),
    ("司正至某子", "KR1d0026_005", "司正升自西階.{0,90}某子"),
    # Lost characters.
    ("及階揖升堂揖", "KR1d0026_005", "及階揖升堂揖"),
    ("州長職云春秋以禮會民而射于", "KR1d0038_005", "州長春秋以禮會民而射"),
    ("工人士與梓人升自北階兩楹閒䟽數容弓", "KR1d0026_007", "工人士與梓人升自北階兩楹之間䟽數容弓"),
    ("四矢反兮以御亂兮", "KR1d0026_007", "四矢反兮以御亂兮"),
    ("避下射升階也", "KR1d0038_005", "辟下射升階也"),
    ("射講武田之類是以中爲獲", "KR1d0026_005", "射講武田之類是以中爲獲"),
    ("司射去撲倚于階西適阼階下北面", "KR1d0026_007", "司射去扑倚于階西適阼階下北面"),
    ("云凡事升堂乃袒", "KR1d0026_005", "凡事升堂乃袒"),
    ("司射擯升降是雖不作猶爲擯相之", "KR1d0038_005", "司射擯升降是雖不作猶為擯相之"),
    ("於旣升飲而升自西階立于序端", "KR1d0026_005", "於旣升飲而升自西階立于序端"),
    ("升飲者如初", "KR1d0026_005", "升飲者如初"),
    ("薦脯至三祭", "KR1d0038_005", "薦脯醢設折俎俎與薦皆三祭"),
    ("二手祭酒者南面於俎之北", "KR1d0026_007", "二手祭酒者獲者南面於俎北"),
    ("大夫卒射皆升堂", "KR1d0038_005", "賔主人大夫卒射皆升堂"),
    ("揖皆升就席", "KR1d0026_005", "揖皆升就席"),
    ("大夫及衆賔從升立時少退", "KR1d0038_005", "大夫及衆賔從升立時少退"),
)


def test_every_damaged_place_is_found(damaged: str, repaired: Repaired) -> None:
    kinds = {kind: all_ for kind, (all_, _, _) in repaired.counts().items()}
    assert kinds["pinyin-in-brackets"] == 435
    covered: set[int] = set()
    for place in repaired.places:
        covered.update(range(place.start, place.end))
    assert [at for at, one in enumerate(damaged) if one == "?" and at not in covered] == []
    assert not re.search(r"[♂♀]", "".join(one for at, one in enumerate(damaged) if at not in covered))
    assert kinds["misread-run"] + kinds["lost-character"] <= damaged.count("?") == 330


def test_nothing_overlaps_and_nothing_is_applied_unasked(damaged: str, repaired: Repaired) -> None:
    ends = [0, *(place.end for place in repaired.places)]
    assert all(place.start >= end for place, end in zip(repaired.places, ends, strict=False))
    assert all(damaged[each.start : each.end] == each.found for each in repaired.proposals)
    assert all(each.evidence and each.method for each in repaired.proposals)
    assert emended(damaged, repaired.proposals) == damaged


@pytest.fixture(scope="module")
def reading(damaged: str, repaired: Repaired) -> tuple[str, str]:
    """The text with every proposal that is certain, and with all; words alone."""
    taken = [review(each, accept=True, reviewer="編者", reason="讀") for each in repaired.proposals if each.certain]
    others = [each for each in repaired.proposals if not each.certain and "□" not in each.emended]
    every = [*taken, *(review(each, accept=True, reviewer="編者", reason="讀") for each in others)]
    return words(emended(damaged, taken)), words(emended(damaged, every))


@pytest.mark.parametrize(("expected", "name", "parallel"), READ, ids=[case[0] for case in READ])
def test_a_place_reads_as_the_parallel_has_it(
    expected: str, name: str, parallel: str, reading: tuple[str, str], witnesses: dict[str, Text]
) -> None:
    canon, notes = Parallel.of_text(witnesses[name])
    there = [re.search(folded(parallel), text.folded) for text in (canon, notes)]
    assert any(there), "the parallel was not read aright"
    assert folded(expected) in folded(reading[1])


def test_of_what_a_parallel_tells_nearly_all_is_certain(reading: tuple[str, str]) -> None:
    certain = [expected for expected, _, _ in READ if folded(expected) in folded(reading[0])]
    assert len(certain) >= 0.95 * len(READ), sorted({expected for expected, _, _ in READ} - set(certain))


def test_what_the_brief_sample_says(repaired: Repaired) -> None:
    found = {each.found: each.emended for each in repaired.proposals if each.certain}
    assert found["?！∪\ue45a钪潦诠\ue11a∽⒂兴局临故?"] == "。　三耦至授弓　注有司至俟事"
    assert found["?xí)r"] == "時"
    assert found["?dāng)?shù)"] == "數"
    assert found["(xué)"] == ""


def test_no_parallel_is_needed_for_what_the_bytes_tell(damaged: str, repaired: Repaired) -> None:
    alone = repair(damaged)
    assert [(each.start, each.end) for each in alone.places] == [(each.start, each.end) for each in repaired.places]
    told = {each.start: each.emended for each in repaired.proposals if each.certain}
    certain = [each for each in alone.proposals if each.certain and len(each.found) > 1 and each.emended]
    assert len(certain) > 100
    assert [each.found for each in certain if told.get(each.start) != each.emended] == []


def test_the_worst_guess_is_never_certain(repaired: Repaired) -> None:
    """Where the compilers' own words are lost (一?者, 則正?侯) no parallel has them."""
    kept = {each.start for each in repaired.proposals if each.certain}
    open_ = [place for place in repaired.places if place.kind == "lost-character" and place.start not in kept]
    assert 20 <= len(open_) <= 30


def test_where_no_byte_and_no_parallel_tells_nothing_is_certain(repaired: Repaired) -> None:
    open_ = [each for each in repaired.proposals if "□" in each.emended]
    assert open_
    assert not any(each.certain for each in open_)


@pytest.mark.parametrize(
    "name",
    ["000_8715d8bcf1027071", "001_1abec086cc532a3a", "002_687ad90b3c9c0207", "004_189ec0ccc523774d"],
)
def test_nothing_is_proposed_for_a_sound_text(name: str, shared: Callable[..., Path]) -> None:
    text = shared("sources", f"{name}.txt").read_text(encoding="utf-8")
    assert repair(text, [Parallel("經", (words(CANON),), joined=True)]).proposals == ()


def test_a_question_in_a_sound_text_is_no_lost_character() -> None:
    text = "Who shoots first?\nThe guest? 賓射? No: 司射。 What is 侯? A target.\n- 何謂侯? 曰射布也\n"
    parallel = Parallel("經", ("賓射司射侯射布也",))
    assert repair(text, [parallel]).proposals == ()


def misread(sound: str, at: int, last: int, encoding: str, read_as: str) -> str:
    """Damage a text as it was damaged: the first byte of a character cut off, what follows read on from the second."""
    raw = b"".join(to_bytes(one, encoding) or b"" for one in sound[at:last])[1:]
    read: list[str] = []
    while len(raw) > 1:
        one = bytes(raw[:2]).decode("gb18030" if read_as == "gbk" else read_as, "replace")
        read.append(one[0] if len(one) == 1 else "\0")
        raw = raw[2:]
    return sound[:at] + "?" + "".join(read) + "?" + sound[last:]


@settings(max_examples=120, deadline=None)
@given(st.data(), st.sampled_from(["gbk gbk", "big5 big5", "big5 gbk"]))
def test_a_run_misread_on_purpose_is_found_and_undone(data: st.DataObject, pair: str) -> None:
    encoding, read_as = pair.split()
    at = data.draw(st.integers(12, len(CANON) - 40))
    last = data.draw(st.integers(at + 7, at + 24))
    sound = CANON.replace("既", "旣") if encoding == "gbk" else CANON
    if any(to_bytes(one, encoding) is None for one in sound[at:last]):
        return
    bad = misread(sound, at, last, encoding, read_as)
    inner = bad[at + 1 : bad.rindex("?")]
    # Where the bytes do not pair to characters at all the decoder would have left other signs; that is not meant here.
    if "\0" in inner or "\ufffd" in inner or any(to_bytes(one, read_as) is None for one in inner):
        return
    undone = undo(bad, at, encoding, read_as=read_as)
    assert undone is not None
    assert (undone.start, undone.end) == (at, bad.rindex("?") + 1)
    assert undone.skeleton[1:-1] == sound[at + 1 : last - 1]
    assert sound[at] in undone.options[0]
    assert sound[last - 1] in undone.options[-1]
    made = repair(bad, [Parallel("經", (CANON,), joined=True)], encoding=encoding, read_as=read_as).proposals
    assert [(each.start, each.end) for each in made] == [(undone.start, undone.end)]
    assert folded(made[0].emended) == folded(sound[at:last])
    assert made[0].certain


@given(st.text(alphabet="?！()xuéì學射禮賓\n\ufffd\ue000\udc80€∪♂a@", max_size=60))
@settings(max_examples=300, deadline=None)
def test_nothing_makes_it_fail(text: str) -> None:
    made = repair(text, [Parallel("經", (CANON,), joined=True)])
    assert all(text[each.start : each.end] == each.found for each in made.proposals)


@given(st.characters(min_codepoint=0x20, max_codepoint=0xFFFF, exclude_categories=["Cs"]))
def test_a_characters_bytes_are_the_character_again(character: str) -> None:
    made = to_bytes(character)
    if made is not None and len(made) == 2 and not "\ue000" <= character <= "\uf8ff":
        assert from_bytes(made[0], made[1]) == character


@pytest.mark.parametrize(
    ("character", "made"),
    [("€", "80"), ("\ue000", "aaa1"), ("\ue4c6", "a140"), ("\ue766", "a2ab"), ("\ue76c", "a2e3"), ("學", "8c57")],
)
def test_areas_for_the_users_own_have_the_bytes_they_have_in_gbk(character: str, made: str) -> None:
    assert (to_bytes(character) or b"").hex() == made


def test_an_encoding_that_there_is_not_is_told_with_the_nearest() -> None:
    with pytest.raises(RiteError, match="the nearest is big5"):
        repair("儀禮", encoding="bigfive")


def test_words_on_both_sides_count_more_than_many_on_one() -> None:
    parallels = [Parallel("甲", ("兩楹之間疏數容弓若丹若墨度尺",)), Parallel("乙", ("士與梓人升自北階兩楹間畫物",))]
    seen = stands(parallels, "士與梓人升自北階兩楹間", "數容弓若丹若墨度尺而午", None)
    assert [each.character for each in seen] == ["疏", "畫"]
    assert seen[0].quoted == "甲「兩楹之間［疏］數容弓若丹若墨度」"


def test_a_lemma_is_looked_up_from_its_first_word_to_its_last() -> None:
    notes = Parallel("注", ("有司弟子之黨納射器者皆執以俟事", "俟弟子取矢以旌指教之"))
    assert [each.character for each in lemma([notes], "有司", "俟", {"事", "色"})] == ["事"]
    assert lemma([notes], "有司", "教", {"之"}) == []


def test_what_is_proposed_by_hand_needs_a_place_an_author_and_a_reason() -> None:
    made = propose("儀禮?卷第十二", 2, 3, "疏", author="編者", reason="書名")
    assert (made.found, made.accepted, made.rejected) == ("?", False, False)
    with pytest.raises(RiteError, match="author"):
        propose("儀禮?", 2, 3, "疏", author="編者", reason=" ")
    with pytest.raises(RiteError, match="no place"):
        propose("儀禮?", 2, 9, "疏", author="編者", reason="書名")


def test_only_what_was_accepted_is_read() -> None:
    text = "儀禮?卷第十?"
    first = propose(text, 2, 3, "疏", author="編者", reason="書名")
    second = propose(text, 6, 7, "一", author="編者", reason="卷次")
    accepted = review(first, accept=True, reviewer="某", reason="題同")
    rejected = review(second, accept=False, reviewer="某", reason="卷十二")
    assert emended(text, [second, rejected, accepted]) == "儀禮疏卷第十?"
    assert (rejected.rejected, rejected.reviewer, rejected.reason) == (True, "某", "卷十二")
    assert review(rejected, accept=True, reviewer="某", reason="復核").rejected is False
    with pytest.raises(RiteError, match="reason"):
        review(first, accept=True, reviewer="", reason="題同")


def test_what_leaves_a_character_open_cannot_be_accepted() -> None:
    open_ = Proposal(
        start=0, end=1, found="?", emended="此□", method="m", evidence="e", certain=False, author="yanli"
    )  # fmt: skip
    with pytest.raises(RiteError, match="open"):
        review(open_, accept=True, reviewer="某", reason="讀")


def test_accepted_proposals_that_do_not_fit_are_told_each() -> None:
    text = "儀禮?卷"
    one = review(propose(text, 1, 3, "禮疏", author="甲", reason="書名"), accept=True, reviewer="某", reason="題")
    other = review(propose(text, 2, 3, "疏", author="乙", reason="書名"), accept=True, reviewer="某", reason="題")
    with pytest.raises(RiteError) as told:
        emended(text, [one, other])
    assert [finding.code for finding in told.value.findings] == ["overlap"]
    with pytest.raises(RiteError) as told:
        emended("別文?卷", [one])
    assert [finding.code for finding in told.value.findings] == ["not-there"]
