"""What is said of a clause stands beside it; a remark belongs to the rite of which it speaks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from yanli.corpus.anchoring import anchor_works, rites_of
from yanli.corpus.belonging import belonging
from yanli.corpus.beside import beside
from yanli.corpus.emendation import propose, review
from yanli.corpus.model import Layer
from yanli.corpus.quote_same import Change
from yanli.corpus.repair import repair
from yanli.corpus.reread import Reread, in_step
from yanli.corpus.segment import read_text
from yanli.corpus.store import Store, pack
from yanli.notation.rite import list_rites, load_rite
from yanli.render.beside import layers_of, layers_text, where_words
from yanli.render.notes_page import notes_page

ONE = [
    ("one.1.1", "主人坐取爵于上篚以降"),
    ("one.1.2", "賓降"),
    ("one.1.3", "主人阼階前西面坐奠爵興辭降"),
    ("one.1.4", "賓對"),
    ("one.1.5", "主人坐取爵興適洗南面坐奠爵于篚下盥洗"),
]
FIRST = """五禮通考 (四庫全書本)/卷1

　　主人坐取爵于上篚以降〈注將獻賓也疏將獻賓也者欲見下文〉賓降〈注從主人也〉主人阼階前西面坐奠爵興辭降〈注重以主人事煩賓也〉賓對主人坐取爵興
　　適洗南面坐奠爵于篚下盥洗〈注盥手又洗爵致潔敬也〉
"""
SECOND = """五禮通考 (四庫全書本)/卷2

　　主人坐取爵于上篚以降〈敖氏繼公曰此爵獻賓之爵也〉賓降〈注從主人〉主人阼階前西面坐奠爵興辭降〈注重以主人事煩賓〉賓對主人坐取爵興適洗南面
　　坐奠爵于篚下盥洗〈注盥手又洗爵〉
"""


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store of two works on one rite, anchored."""
    made = Store.open(tmp_path / "s")
    for name, words in (("first", FIRST), ("second", SECOND)):
        made.add(pack(words.encode(), read_text(words.encode(), name, family="inline")))
    counts = {each.name: each.anchors for each in anchor_works(made, made.names(), rites_of({"one": ONE}))}
    # 注 注 注 注 and one 疏; 敖 and three 注.
    assert counts == {"first": 5, "second": 4}
    return made


def test_what_is_said_of_a_clause_stands_by_layer(store: Store) -> None:
    with store:
        first = beside(store, ONE, ["one.1.1"])
    assert [each.clause for each in first] == ["one.1.1"]
    said = [(each.layer, each.speaker, each.text) for each in first[0].sayings]
    assert said == [
        (Layer.note, "鄭玄", "將獻賓也"),
        (Layer.subnote, "賈公彥", "將獻賓也者欲見下文"),
        (Layer.remark, "敖繼公", "此爵獻賓之爵也"),
    ]


def test_a_remark_that_quotes_another_clause_is_told_there_too(tmp_path: Path) -> None:
    later = "上經云主人坐取爵于上篚以降下云盥洗古文也盥洗"
    with Store.open(tmp_path / "s") as made:
        for name, words in (("first", FIRST), ("second", SECOND)):
            said = words.replace("注重以主人事煩賓", f"注重以主人事煩賓{later}").encode()
            made.add(pack(said, read_text(said, name, family="inline")))
        list(anchor_works(made, made.names(), rites_of({"one": ONE})))
        first, third = beside(made, ONE, ["one.1.1", "one.1.3"])
        (told,) = first.references
        assert (told.layer, told.how, told.first, told.last) == (Layer.note, "reference", "one.1.1", "one.1.1")
        # Both works have it: it is told once.
        assert {where.work for where in told.works} == {"first", "second"}
        # It speaks of the clause where it stands, as before, and of that alone.
        assert all(told.text != saying.text for saying in first.sayings)
        assert [saying.how for saying in third.sayings if saying.text == told.text] != ["reference"]
        assert any(saying.text == told.text for saying in third.sayings)
        assert third.references == ()


def test_a_remark_that_two_works_have_is_one_saying_with_its_differences(store: Store) -> None:
    with store:
        (found,) = beside(store, ONE, ["one.1.3"])
    (note,) = (each for each in found.sayings if each.layer is Layer.note)
    assert note.text == "重以主人事煩賓也"
    assert [where.work for where in note.works] == ["first", "second"]
    assert note.works[0].changes == ()
    assert [(change.words, change.reading) for change in note.works[1].changes] == [("也", "")]
    # Third line of the file.
    assert {where.line for where in note.works} == {3}


def differences(tmp_path: Path, behind: str, more: str = "賓謙而對") -> tuple[tuple[Change, ...], str]:
    """How a work differs that has only the first half of a note, and something behind the next clause; and as told."""
    words = "五禮通考 (四庫全書本)/卷1\n\n　　主人坐取爵于上篚以降〈注將獻賓也〉賓降〈注從主人也〉"
    words += "主人阼階前西面坐奠爵興辭降〈注重以主人事煩賓也"
    rest = "主人坐取爵興適洗南面坐奠爵于篚下盥洗〈注盥手又洗爵致潔敬也〉\n"
    with Store.open(tmp_path / "s") as made:
        for name, text in (("first", f"{words}{more}〉賓對{rest}"), ("second", f"{words}〉賓對{behind}{rest}")):
            made.add(pack(text.encode(), read_text(text.encode(), name, family="inline")))
        list(anchor_works(made, made.names(), rites_of({"one": ONE})))
        (found,) = beside(made, ONE, ["one.1.3"])
    (note,) = (each for each in found.sayings if each.text == f"重以主人事煩賓也{more}")
    return note.works[1].changes, where_words(note.works[1])


def test_what_stands_at_the_next_note_is_not_wanting(tmp_path: Path) -> None:
    changes, told = differences(tmp_path, "〈注賓謙而對〉")
    assert changes == (Change(words="賓謙而對", reading="", elsewhere="one.1.4"),)
    assert "「賓謙而對」在 stands at one.1.4" in told
    assert "無" not in told


def test_what_the_next_note_has_a_little_otherwise_is_not_wanting(tmp_path: Path) -> None:
    changes, _ = differences(tmp_path, "〈注賓既謙而對曰〉", "賓謙而對曰")
    assert changes == (Change(words="賓謙而對曰", reading="", elsewhere="one.1.4"),)


@pytest.mark.parametrize("behind", ["", "〈注對謂對曰也〉", "〈敖氏繼公曰賓謙而對〉"])
def test_what_no_note_of_the_same_man_has_is_wanting(tmp_path: Path, behind: str) -> None:
    changes, told = differences(tmp_path, behind)
    assert changes == (Change(words="賓謙而對", reading=""),)
    assert "無「賓謙而對」" in told


@pytest.mark.parametrize(
    ("files", "slug", "speaker", "words", "clauses"),
    [
        # 義疏 has 賓介不從 with the note on the clause before; the others print it behind 側降.
        (("001_1abec086cc532a3a", "KR1d0026_004", "KR1d0038_004"), "xiangyinjiu", "鄭玄", "宾介不从", ("15.1", "15.2")),
        # 義疏 gives what the 今文 has as a saying of its own, to the same clause.
        (("001_1abec086cc532a3a", "KR1d0026_004"), "xiangyinjiu", "鄭玄", "今文無衆酬者", ("19.6", "19.6")),
        # 敖繼公's 東面作之 stands one clause before in his own work.
        (("004_189ec0ccc523774d", "KR1d0035_007"), "dashe", "敖繼公", "东面作之", ("21.4", "21.3")),
    ],
)
def test_words_that_another_copy_has_at_its_next_note_are_told_there(
    files: tuple[str, ...],
    slug: str,
    speaker: str,
    words: str,
    clauses: tuple[str, str],
    shared: Callable[..., Path],
    large: dict[str, list[tuple[str, str]]],
    tmp_path: Path,
) -> None:
    with Store.open(tmp_path / "s") as made:
        for name in files:
            data = shared("witnesses" if name.startswith("K") else "sources", f"{name}.txt").read_bytes()
            made.add(pack(data, read_text(data, name)))
        list(anchor_works(made, made.names(), rites_of(large)))
        (found,) = beside(made, large[slug], [f"{slug}.{clauses[0]}"])
    told = [
        change.elsewhere
        for saying in (*found.sayings, *found.notes)
        if saying.speaker == speaker
        for where in saying.works
        for change in where.changes
        if change.words == words
    ]
    assert told == [f"{slug}.{clauses[1]}"] * (len(files) - 1)


def test_a_clause_without_a_note_has_that_to_its_stretch(store: Store) -> None:
    with store:
        every = {each.clause: each for each in beside(store, ONE)}
    assert list(every) == [clause for clause, _ in ONE]
    assert every["one.1.4"].sayings == ()
    assert {(note.text, note.last) for note in every["one.1.4"].notes} == {("盥手又洗爵致潔敬也", "one.1.5")}
    assert every["one.1.1"].notes == ()


def test_nothing_is_beside_a_rite_that_nobody_speaks_of(store: Store) -> None:
    with store:
        (found,) = beside(store, [("other.1.1", "君與卿圖事")])
    assert found.sayings == ()
    with Store.open(store.path) as again:
        assert beside(again, []) == []


def test_a_remark_belongs_to_the_rite_whose_words_it_stands_among() -> None:
    other = [("two.1.1", "主人坐取爵于上篚以降"), ("two.1.2", "賓西階前東面坐奠爵興辭降主人對賓坐取爵適洗北面盥洗")]
    text = read_text(FIRST.encode(), "first", family="inline")
    # Of few sentences both are: the first clause, which both have, is of both; what is only in one, of that.
    found = belonging(text, {"one": ONE, "two": other})
    assert len(found["one"]) == 5
    assert {anchor.first for anchor in found.get("two", ())} <= {"two.1.1"}


@pytest.mark.parametrize(
    ("file", "rites"),
    [
        ("sources/000_8715d8bcf1027071.txt", {"xiangshe"}),
        ("sources/003_8fdd919a1a2de942.txt", {"xiangshe"}),
        ("witnesses/KR1d0026_004.txt", {"xiangyinjiu"}),
        ("witnesses/KR1d0038_007.txt", {"dashe"}),
    ],
)
def test_each_work_belongs_to_its_own_rite(file: str, rites: set[str], shared: Callable[..., Path]) -> None:
    path = shared(*file.split("/"))
    text = read_text(path.read_bytes(), path.name)
    every = {
        head.slug: [(str(clause.id), clause.text) for clause in load_rite(head.slug).clauses] for head in list_rites()
    }
    found = belonging(text, {slug: clauses for slug, clauses in every.items() if len(clauses) > 500})
    assert set(found) == rites
    (anchors,) = found.values()
    assert len(anchors) >= 0.98 * len(text.remarks)


def test_an_old_note_is_beside_the_clause_behind_which_it_stands_though_it_speaks_of_another(tmp_path: Path) -> None:
    words = (
        "五禮通考 (四庫全書本)/卷1\n\n　　主人坐取爵于上篚以降賓降主人阼階前西面坐奠爵興辭降〈注上篚堂上之篚也〉賓對"
    )
    with Store.open(tmp_path / "s") as made:
        made.add(pack(words.encode(), read_text(words.encode(), "one", family="inline")))
        assert [each.anchors for each in anchor_works(made, ["one"], rites_of({"one": ONE}))] == [1]
        every = {each.clause: each for each in beside(made, ONE)}
    (note,) = every["one.1.1"].sayings
    assert (note.text, note.first, note.last, note.stands) == ("上篚堂上之篚也", "one.1.1", "one.1.1", "one.1.3")
    assert every["one.1.1"].notes == ()
    # Right under the third clause stands a note, about the first; the second has none, and the next is that one.
    assert [(each.sayings, each.notes) for each in (every["one.1.2"], every["one.1.3"])] == [((), (note,))] * 2
    # Behind the fourth nothing stands any more.
    assert (every["one.1.4"].sayings, every["one.1.4"].notes) == ((), ())


DAMAGED = FIRST.replace("將獻賓也疏", "將□賓也疏").replace("從主人也", "從主人(zhǔ)也")


@pytest.fixture
def damaged(tmp_path: Path) -> Store:
    """A store of one damaged work, anchored, with an emendation proposed for each of its two damages."""
    made = Store.open(tmp_path / "d")
    text = read_text(DAMAGED.encode(), "damaged", family="inline")
    made.add(pack(DAMAGED.encode(), text))
    assert [each.anchors for each in anchor_works(made, ["damaged"], rites_of({"one": ONE}))] == [5]
    for found, words in (("□", "獻"), ("(zhǔ)", "")):
        at = DAMAGED.index(found)
        made.propose("damaged", [propose(DAMAGED, at, at + len(found), words, author="甲", reason="依疏")])
    return made


def notes_of(store: Store) -> list[tuple[str, tuple[tuple[str, str, str], ...]]]:
    """The old notes of the first two clauses as they are shown, and what is told to be emended in each."""
    found = [note for each in beside(store, ONE, ["one.1.1", "one.1.2"]) for note in each.sayings if note.layer == "注"]
    return [
        (note.text, tuple((each.found, each.words, each.reviewer) for each in note.works[0].emended)) for note in found
    ]


def settle(store: Store, number: int, *, accept: bool) -> None:
    """Accept or reject a proposal."""
    one = store.proposals("damaged")[number]
    store.propose("damaged", [review(one, accept=accept, reviewer="乙", reason="疏引之")])


def test_a_damaged_text_is_shown_emended_only_where_that_was_accepted(damaged: Store) -> None:
    as_found = [("將□賓也", ()), ("從主人(zhǔ)也", ())]
    with damaged:
        assert notes_of(damaged) == as_found, "proposed is not accepted"
        settle(damaged, 0, accept=True)
        assert notes_of(damaged) == [("將獻賓也", (("□", "獻", "乙"),)), as_found[1]]
        settle(damaged, 1, accept=True)
        assert notes_of(damaged) == [("將獻賓也", (("□", "獻", "乙"),)), ("從主人也", (("(zhǔ)", "", "乙"),))]
        settle(damaged, 0, accept=False)
        assert notes_of(damaged) == [as_found[0], ("從主人也", (("(zhǔ)", "", "乙"),))]
        settle(damaged, 1, accept=False)
        assert notes_of(damaged) == as_found
        assert damaged.bytes_of("damaged") == DAMAGED.encode()


def test_what_is_emended_keeps_its_place_and_its_number(damaged: Store) -> None:
    with damaged:
        before = {each.clause: each for each in beside(damaged, ONE)}
        settle(damaged, 0, accept=True)
        settle(damaged, 1, accept=True)
        after = {each.clause: each for each in beside(damaged, ONE)}
    for clause, each in before.items():
        now = after[clause]
        places = [[(w.remark, w.line, w.page) for w in one.works] for one in (*each.sayings, *each.notes)]
        assert places == [[(w.remark, w.line, w.page) for w in one.works] for one in (*now.sayings, *now.notes)]
        assert [(one.first, one.last, one.stands) for one in each.sayings] == [
            (one.first, one.last, one.stands) for one in now.sayings
        ]


def test_that_something_is_emended_is_told_wherever_it_is_shown(shared: Callable[..., Path], tmp_path: Path) -> None:
    path = shared("sources", "003_8fdd919a1a2de942.txt")
    data, name = path.read_bytes(), path.name
    rite = load_rite("xiangshe")
    clauses = [(str(clause.id), clause.text) for clause in rite.clauses]
    here = [clause for clause in rite.clauses if str(clause.id) in {"xiangshe.18.2", "xiangshe.18.3"}]
    with Store.open(tmp_path / "s") as made:
        text = read_text(data, name)
        made.add(pack(data, text))
        assert [each.told for each in anchor_works(made, [name], rites_of({"xiangshe": clauses}))] == [""]
        made.propose(name, repair(text.text).proposals)
        found = layers_of(rite, here, made)
        assert "校 emended" not in layers_text(found)
        assert "校 emended" not in notes_page(rite, found)
        assert "解爲(wèi)司馬" in layers_text(found).replace("\n    ", "")
        accepted = [
            review(each, accept=True, reviewer="阮元", reason="依字節") for each in made.proposals(name) if each.certain
        ]
        made.propose(name, accepted)
        now = layers_of(rite, here, made)
    # It is about both clauses.
    ((saying,), (other,)) = (each.sayings for each in now)
    assert saying == other
    # 前有司請射解為司馬 is what 賈公彥 says of 有司左執弣右執弦而授弓; his lemma before it is no part of it.
    assert saying.text.startswith("前有司請射，解爲司馬。此有司爲弟子者")
    assert saying.text.endswith("是以鄭云凡納射器者，皆執以俟事。")
    assert {each.reviewer for each in saying.works[0].emended} == {"阮元"}
    assert ("(wèi)", "") in {(each.found, each.words) for each in saying.works[0].emended}
    told = layers_text(now)
    assert "疏　賈公彥" in told
    assert "　校 emended\n" in told
    assert "「(wèi)」→（刪 left out） 阮元" in told
    page = notes_page(rite, now)
    # Told in full at the first clause, and led to from the second.
    assert page.count('<span class="w">校 emended</span>') == 1
    assert page.count("</a> 校 emended</p>") == 1
    assert "「(wèi)」→（刪 left out） 阮元" in page


def test_a_text_read_anew_knows_its_places_in_the_text_as_found() -> None:
    text = read_text(DAMAGED.encode(), "damaged", family="inline")
    cuts = [("□", "獻"), ("(zhǔ)", ""), ("盥手", "盥手者")]
    made = [
        review(
            propose(DAMAGED, at := DAMAGED.index(found), at + len(found), words, author="甲", reason="依疏"),
            accept=True,
            reviewer="乙",
            reason="疏引之",
        )
        for found, words in cuts
    ]
    again = Reread(text, made)
    assert again.text.text == DAMAGED.replace("□", "獻").replace("(zhǔ)", "").replace("盥手", "盥手者")
    # Every character that stands in both is found where it stood.
    for word in ("以降", "也〉賓", "辭降〈", "又洗爵"):
        assert again.place(again.text.text.index(word)) == DAMAGED.index(word)
    assert again.ways() == {remark.number: remark.number for remark in text.remarks}
    told = {remark.text: [each.found for each in again.of(remark)] for remark in again.text.remarks}
    assert {words: found for words, found in told.items() if found} == {
        "將獻賓也": ["□"], "從主人也": ["(zhǔ)"], "盥手者又洗爵致潔敬也": ["盥手"],
    }  # fmt: skip
    assert in_step(text) is None, "nothing in it was read one byte out of step"


@pytest.fixture(scope="module")
def large() -> dict[str, list[tuple[str, str]]]:
    """The three great rites, each with the ids and words of its clauses."""
    return {
        slug: [(str(clause.id), clause.text) for clause in load_rite(slug).clauses]
        for slug in ("xiangshe", "xiangyinjiu", "dashe")
    }


def test_the_notes_of_another_rite_are_not_of_one_that_agrees_with_it_for_a_while(
    shared: Callable[..., Path], large: dict[str, list[tuple[str, str]]]
) -> None:
    # 燕禮 has whole sections word for word as 大射儀: its notes are on its own words all the same.
    path = shared("witnesses", "KR1d0026_006.txt")
    assert belonging(read_text(path.read_bytes(), path.name), large) == {}


def test_what_an_encyclopaedia_says_between_words_of_a_rite_is_of_these(
    shared: Callable[..., Path], large: dict[str, list[tuple[str, str]]]
) -> None:
    # 羣書考索 37 quotes 鄉射記 on the 侯 and the 箭籌 with remarks between; the rest of it is told in its own words.
    path = shared("sources", "002_687ad90b3c9c0207.txt")
    text = read_text(path.read_bytes(), path.name)
    found = belonging(text, large)
    words = {clause: own for clauses in large.values() for clause, own in clauses}
    said = {text.remarks[a.remark].text[:4]: (words[a.first], words[a.last]) for a in found["xiangshe"]}
    assert said == {
        "上个谓最": ("鄉侯上个五尋", "鄉侯上个五尋"),
        "方者也用": ("中十尺", "中十尺"),
        "言侯中乃": ("弓二寸以為侯中", "弓二寸以為侯中"),
        "躬身也谓": ("倍中以為躬", "倍中以為躬"),
        "谓上个也": ("倍躬以為左右舌", "倍躬以為左右舌"),
        "半者半其": ("下舌半上舌", "下舌半上舌"),
        "箭筱筹也": ("箭籌八十", "箭籌八十"),
    }
    assert set(found) == {"xiangshe"}


def test_a_note_that_another_copy_divides_is_told_at_both_its_clauses(
    shared: Callable[..., Path], large: dict[str, list[tuple[str, str]]], tmp_path: Path
) -> None:
    # 義疏 prints 主人降席自南方側降, then one note of 鄭玄 on both, which 四部叢刊 divides, and its own 案 on both.
    with Store.open(tmp_path / "s") as made:
        for name in ("001_1abec086cc532a3a", "KR1d0026_004"):
            data = shared("witnesses" if name.startswith("K") else "sources", f"{name}.txt").read_bytes()
            made.add(pack(data, read_text(data, name)))
        list(anchor_works(made, made.names(), rites_of(large)))
        seats, alone = beside(made, large["xiangyinjiu"], ["xiangyinjiu.15.1", "xiangyinjiu.15.2"])
    assert (seats.text, alone.text) == ("主人降席自南方", "側降")
    note = next(saying for saying in seats.sayings if saying.text == "不自北方由便宾介不从")
    judged = next(saying for saying in seats.sayings if saying.text.startswith("上降降席也下降降阶也"))
    for saying in (note, judged):
        assert (saying.first, saying.last) == ("xiangyinjiu.15.1", "xiangyinjiu.15.2")
        assert saying in alone.sayings
    # It is no note on other words that happens to stand there.
    assert note not in alone.notes
