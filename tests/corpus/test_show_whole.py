"""Every note, subcommentary and remark of the sources and witnesses is beside the clause behind which its file has it.

The files are read here by a few lines of their own, without Yanli's profiles: what is canon and what is said of it, as
each make of file sets them apart. The canon is laid beside the rite's by difflib. What stands in a file between two
stretches of canon must be, word for word, what `layers_of` gives for the clauses of the stretch before it:

* an old note (鄭注) for the very clause behind which (or within which) it stands, whether it speaks of it or of one
  further up: a note that comments several clauses together stands behind the last of them;
* everything else for one of the clauses of its stretch, or the one next to it: commentators print a stretch of canon
  and then speak of its parts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from yanli.corpus.anchoring import anchor_works, rites_of
from yanli.corpus.model import Layer
from yanli.corpus.segment import read_text
from yanli.corpus.spelling import fold_same_length
from yanli.corpus.store import Store, pack
from yanli.lexicon.readings import simplified
from yanli.notation.model import Rite
from yanli.notation.rite import list_rites, load_rite
from yanli.render.beside import Layers, layers_of

SOURCES = (
    "000_8715d8bcf1027071.txt", "001_1abec086cc532a3a.txt", "002_687ad90b3c9c0207.txt", "003_8fdd919a1a2de942.txt",
    "004_189ec0ccc523774d.txt",
)  # fmt: skip
WITNESSES = (
    "KR1d0026_004.txt", "KR1d0026_005.txt", "KR1d0026_006.txt", "KR1d0026_007.txt", "KR1d0035_005.txt",
    "KR1d0035_007.txt", "KR1d0038_004.txt", "KR1d0038_005.txt", "KR1d0038_007.txt",
)  # fmt: skip
NOTES = {"KR1d0026_004.txt": "xiangyinjiu", "KR1d0026_005.txt": "xiangshe", "KR1d0026_007.txt": "dashe"}
# How a file sets apart what is said of the canon: in brackets within its lines, or by indented lines.
SAID = {
    "KR1d0026_004.txt": ("xiangyinjiu", "()"),
    "KR1d0026_005.txt": ("xiangshe", "()"),
    "KR1d0026_007.txt": ("dashe", "()"),
    "KR1d0038_004.txt": ("xiangyinjiu", "()"),
    "KR1d0038_005.txt": ("xiangshe", "()"),
    "KR1d0038_007.txt": ("dashe", "()"),
    "KR1d0035_005.txt": ("xiangshe", "indented"),
    "KR1d0035_007.txt": ("dashe", "indented"),
    "001_1abec086cc532a3a.txt": ("xiangyinjiu", "indented"),
    "000_8715d8bcf1027071.txt": ("xiangshe", "〈〉"),
}
# What is beside no clause, by the beginning of its words, and why.
TITLE = "it speaks of the rite as a whole, behind its title"
COUNT = "the scroll's count of its characters"
ERRATA = "the list of errata at the scroll's end quotes words of the whole rite"
HEAD = "the scroll's own title"
WHOLE = (
    "鄭目録云",
    "據注此州長射禮",
    "據註此州長射禮",
    "於五禮屬嘉禮",
    "鄉射者士與其鄉",
    "諸侯與其羣臣",
    "凡鄉飲酒之禮其名有四",
)
ELSEWHERE = {
    "KR1d0026_005.txt": {"經三千六百四十五字": COUNT},
    "KR1d0026_007.txt": {"經六千八百九十字": COUNT},
    "KR1d0038_004.txt": {"鄭目録云": TITLE},
    "KR1d0038_005.txt": {"鄭目録云": TITLE},
    "KR1d0038_007.txt": {"鄭目録云": TITLE},
    "KR1d0035_005.txt": {
        "儀禮集説卷五": HEAD, "注曰於五禮屬嘉禮": TITLE, "鄭本序作豫": ERRATA, "今本肺下有臑字": ERRATA,
    },
    "KR1d0035_007.txt": {"儀禮集說卷七": HEAD, "注曰於五禮屬嘉禮": TITLE, "字並從今文": ERRATA},
    "000_8715d8bcf1027071.txt": {"鄭目録云": TITLE},
}  # fmt: skip
# What tells whose words follow is no part of them.
LABELS = re.compile(
    r"(?:○|正义|存疑|存异|辨正|通论|总论|[案注疏䟽曰云闕]|繼公[謂案]|蕙田案|又案|欽定義疏|右儀禮鄉射|贾疏|朱子曰"
    r"|儀禮集[説說]卷[五七][上下]?|乡饮酒礼第四之二|..?[氏氐]..?曰)*"
)
_OWN_LINE = re.compile("蕙田案|又案|朱子曰|欽定義疏|右儀禮鄉射")
_HEADING = 3  # a line set in so deeply is a heading


class Block(NamedTuple):
    """What a file says between two stretches of canon: ``start:end`` is the stretch before it, in the file's canon."""

    start: int
    end: int
    said: str


@cache
def same(words: str) -> str:
    """Words with shapes and scripts brought together, character by character."""
    return "".join(map(simplified, fold_same_length(words)))


def parts(path: Path, make: str) -> Iterator[tuple[bool, str]]:
    """The parts of a file in their order: whether it is said of the canon, and the words."""
    text = re.sub(r"^#.*\n|<pb:[^>]*>¶?\n?|¶", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    opens, closes = ("(", ")") if make == "indented" else (make[0], make[1])
    for line in text.split("\n"):
        deep = len(line) - len(line.lstrip("　"))
        words = re.sub(r"[\s/]", "", line)
        if make == "indented" and deep:
            if deep < _HEADING:
                yield True, words
        elif make == "〈〉" and _OWN_LINE.match(words):
            yield True, words
        elif make != "()" or not deep or opens in words:
            for part in re.split(rf"(\{opens}[^{opens}{closes}]*\{closes})", words):
                if part:
                    yield part.startswith(opens), part.strip(opens + closes) if make != "indented" else part


def blocks(path: Path, make: str) -> tuple[str, list[Block]]:
    """The canon of a file, and what it says of it."""
    canon, said, start = "", "", 0
    found: list[Block] = []
    for about, words in parts(path, make):
        if about:
            said += words
        elif words:
            if said:
                found.append(Block(start, len(canon), said))
                said, start = "", len(canon)
            canon += words
    if said:
        found.append(Block(start, len(canon), said))
    return canon, found


def clauses_of(canon: str, rite: Rite) -> list[int]:
    """The clause (by number) of every character of a copy's canon; -1 where the rite has none beside it."""
    owner = [number for number, clause in enumerate(rite.clauses) for _ in clause.text]
    words = "".join(clause.text for clause in rite.clauses)
    found = [-1] * len(canon)
    for block in SequenceMatcher(None, same(canon), same(words), autojunk=False).get_matching_blocks():
        for step in range(block.size):
            found[block.a + step] = owner[block.b + step]
    return found


@pytest.fixture(scope="module")
def store(shared: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """All sources and witnesses in a store, anchored to every rite."""
    rites = {
        head.slug: [(str(clause.id), clause.text) for clause in load_rite(head.slug).clauses] for head in list_rites()
    }
    with Store.open(tmp_path_factory.mktemp("whole") / "c.sqlite") as made:
        for folder, names in (("sources", SOURCES), ("witnesses", WITNESSES)):
            for name in names:
                data = shared(folder, name).read_bytes()
                made.add(pack(data, read_text(data, name)))
        done = list(anchor_works(made, made.names(), rites_of(rites), workers=1))
        assert [each.told for each in done] == [""] * (len(SOURCES) + len(WITNESSES))
        yield made


@pytest.fixture(scope="module")
def shown(store: Store) -> Callable[[str], tuple[Rite, list[Layers]]]:
    """Give a rite with everything that is shown beside each of its clauses."""

    @cache
    def find(slug: str) -> tuple[Rite, list[Layers]]:
        rite = load_rite(slug)
        return rite, layers_of(rite, rite.clauses, store)

    return find


def beside(layers: Layers, work: str, layer: str | None = None) -> set[int]:
    """The remarks of a work that are shown for a clause."""
    return {
        where.remark
        for saying in (*layers.sayings, *layers.notes)
        for where in saying.works
        if where.work == work and layer in {None, saying.layer.value}
    }


def whole(shared: Callable[..., Path], name: str) -> Path:
    """The file of a work."""
    return shared("sources" if name in SOURCES else "witnesses", name)


def elsewhere(name: str, said: str) -> bool:
    """Whether it is known why this is beside no clause."""
    return any(said.startswith(words) for words in ELSEWHERE.get(name, {}))


@pytest.mark.parametrize("name", NOTES)
def test_every_old_note_is_beside_the_clause_behind_which_it_stands(
    name: str, shared: Callable[..., Path], store: Store, shown: Callable[[str], tuple[Rite, list[Layers]]]
) -> None:
    rite, layers = shown(NOTES[name])
    canon, found = blocks(whole(shared, name), "()")
    where = clauses_of(canon, rite)
    own = {remark.number: re.sub(r"\s", "", remark.text) for remark in store.text(name).remarks}
    missed, seen = [], 0
    for block in found:
        if elsewhere(name, block.said):
            continue
        # Within the word or two before the note there is one that the rite has.
        number = next(clause for clause in reversed(where[block.end - 5 : block.end]) if clause >= 0)
        if block.said not in {own[remark] for remark in beside(layers[number], name, "注")}:
            missed.append(f"{layers[number].clause} {layers[number].text}: {block.said}")
        seen += 1
    assert missed == []
    # 172, 368 and 306 double-column notes stand in the three scrolls.
    assert seen == {"xiangyinjiu": 172, "xiangshe": 368, "dashe": 306}[NOTES[name]]


@pytest.mark.parametrize("slug", NOTES.values())
def test_no_clause_is_without_an_old_note_beside_it(
    slug: str, shown: Callable[[str], tuple[Rite, list[Layers]]]
) -> None:
    for each in shown(slug)[1]:
        notes = [saying for saying in (*each.sayings, *each.notes) if saying.layer.value == "注"]
        assert any(saying.speaker == "鄭玄" for saying in notes), each.clause


@pytest.mark.parametrize("name", SAID)
def test_all_that_a_work_says_between_its_words_is_beside_their_clauses(
    name: str, shared: Callable[..., Path], store: Store, shown: Callable[[str], tuple[Rite, list[Layers]]]
) -> None:
    slug, make = SAID[name]
    rite, layers = shown(slug)
    canon, found = blocks(whole(shared, name), make)
    where = clauses_of(canon, rite)
    own = {remark.number: re.sub(r"\s", "", remark.text) for remark in store.text(name).remarks}
    missed: list[str] = []
    unplaced: list[str] = []
    for block in joined(name, found, where, canon):
        places = [clause for clause in where[block.start : block.end] if clause >= 0]
        if not places or elsewhere(name, block.said):
            unplaced.append(block.said)
            continue
        stretch = range(max(0, min(places) - 1), min(len(layers), max(places) + 2))
        there = {remark for number in stretch for remark in beside(layers[number], name)}
        rest = left(block.said, [own[remark] for remark in there])
        missed += [f"{layers[max(places)].clause}: {words}" for words in rest if not LABELS.fullmatch(words)]
    assert missed == []
    reasons = ELSEWHERE.get(name, {})
    assert all(elsewhere(name, words) for words in unplaced), unplaced
    assert all(any(words.startswith(begun) for words in unplaced) for begun in reasons)


def joined(name: str, found: list[Block], where: list[int], canon: str) -> Iterator[Block]:
    """Blocks, but a line of commentary that a copy printed at the margin, and what follows, go on the block before."""
    held: Block | None = None
    for block in found:
        if held is not None:
            if block.end == len(where) or elsewhere(name, block.said) or max(where[block.start : block.end]) >= 0:
                yield held
                held = block
            else:
                held = Block(held.start, held.end, held.said + canon[block.start : block.end] + block.said)
        else:
            held = block
    if held is not None:
        yield held


def left(said: str, remarks: list[str]) -> list[str]:
    """What remains of a block when remarks are taken out: brackets within a remark hold another one."""
    inner = re.findall(r"\(([^()]*)\)", said.replace(")(", ""))
    outer = re.sub(r"\([^()]*\)", "", said)
    rest: list[str] = []
    for words in (outer, *inner):
        now = words
        for remark in sorted(remarks, key=len, reverse=True):
            now = now.replace(remark, "|", 1)
        rest += now.split("|")
    return rest


def test_a_damaged_subcommentary_is_beside_the_passages_that_its_sound_lemmata_name(
    shared: Callable[..., Path], store: Store, shown: Callable[[str], tuple[Rite, list[Layers]]]
) -> None:
    name = "003_8fdd919a1a2de942.txt"
    words = re.sub(r"[（(][a-zü\u00e0-\u01dc\u1ebd]+[)）]", "", whole(shared, name).read_text(encoding="utf-8"))
    # X 至 Y before 注 … 釋曰, where the copy is sound; the first words of what is said follow.
    lemma = re.compile(
        r"[\s。](?!注)(\w{2,3})至(\w{2,3})[，。\s]*(?:注[：。]?\w{2,5}至\w{2,5})?[，。\s]*釋曰：(\w{4,8})"
    )
    _, layers = shown("xiangshe")
    texts = {
        remark.number: re.sub(r"\([a-zü\u00e0-\u01dc\u1ebd]+\)", "", remark.text) for remark in store.text(name).remarks
    }
    wrong, places = [], []
    for first, last, begun in lemma.findall(words):
        numbers = [number for number, text in texts.items() if text.startswith(begun)]
        if len(numbers) != 1:
            continue  # 云 … may begin two
        there = [i for i, each in enumerate(layers) if numbers[0] in beside(each, name, "疏")]
        named = (
            same(layers[there[0]].text + layers[min(there[0] + 1, len(layers) - 1)].text),
            same(layers[there[-1]].text),
        )
        if same(first) not in named[0] or same(last) not in named[1]:
            wrong.append(f"{first}至{last}: {layers[there[0]].text} … {layers[there[-1]].text}")
        places.append(there[0])
    # So many stand whole in the copy, with the words that follow.
    assert len(places) == 8
    assert wrong == []
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("slug", "sections"), [("xiangshe", range(18, 45)), ("xiangyinjiu", range(0)), ("dashe", range(0))]
)
def test_the_subcommentary_itself_is_known_of_one_scroll(
    slug: str, sections: range, shown: Callable[[str], tuple[Rite, list[Layers]]]
) -> None:
    # 儀禮疏 12 begins at 司射猶挾乘矢 and ends in the 旅酬 of 鄉射; of the rest there is what others quote of it.
    rite, layers = shown(slug)
    name = "003_8fdd919a1a2de942.txt"
    held = [number for number, each in enumerate(layers) if beside(each, name)]
    assert {rite.clauses[number].section for number in held} <= set(sections)
    if held:
        within = [number for number, clause in enumerate(rite.clauses) if clause.section in sections]
        assert held[0] == within[0]
        # 賈公彥 passes over clauses that have no note, and what is plain from an earlier one (39 to 41).
        assert len(held) / len(within) > 0.8
    quoted = {
        where.work for each in layers for saying in each.sayings if saying.layer.value == "疏" for where in saying.works
    }
    assert quoted - {name}, "every rite has at least quotations"


def test_every_remark_that_is_anchored_is_shown_and_the_others_are_few(
    store: Store, shown: Callable[[str], tuple[Rite, list[Layers]]]
) -> None:
    for name, slug in (*((name, slug) for name, (slug, _) in SAID.items()), ("004_189ec0ccc523774d.txt", "dashe")):
        there = {remark for each in shown(slug)[1] for remark in beside(each, name)}
        text = store.text(name)
        # One of them goes on with the next scroll: another rite's first words, and all that is said of them.
        end = text.text.find("<经部") if slug == "dashe" else -1
        end = len(text.text) if end < 0 else end
        own = [remark for remark in text.remarks if remark.spans[0][0] < end]
        missing = [remark.text for remark in own if remark.number not in there]
        # What speaks of the rite as a whole, behind its title.
        assert all(said.startswith(WHOLE) for said in missing), missing


def test_a_punctuated_work_with_a_translation_says_all_of_it_beside_its_words(
    store: Store, shown: Callable[[str], tuple[Rite, list[Layers]]]
) -> None:
    # What is canon in 欽定儀禮義疏 14 no bracket and no margin tells: where its remarks stand is asked of the store.
    name = "004_189ec0ccc523774d.txt"
    rite, layers = shown("dashe")
    text = store.text(name)
    canon = text.layer(Layer.canon)
    where = clauses_of(canon, rite)
    end = text.text.index("<经部")
    stops = sorted({remark.after for remark in text.remarks})
    portions = sorted({remark.after for remark in text.remarks if remark.layer is Layer.translation})
    there: dict[int, set[int]] = {}
    for number, each in enumerate(layers):
        for told in beside(each, name):
            there.setdefault(told, set()).add(number)
    apart, seen = [], 0
    for remark in text.remarks:
        # A translation stands behind its portion, and often behind the beginning of the next.
        back = [stop for stop in (portions if remark.layer is Layer.translation else stops) if stop < remark.after]
        start = max(back[:-1] if remark.layer is Layer.translation else back, default=0)
        places = [clause for clause in where[start : remark.after] if clause >= 0]
        # 以上 sums up sections; behind the end the next scroll begins, with another rite.
        if not places or remark.spans[0][0] > end or re.match("^(?:右|以上|案以上|这以上)", remark.text):
            continue
        stretch = range(min(places) - 1, max(places) + 2)
        if there[remark.number].isdisjoint(stretch):
            apart.append(f"{layers[max(places)].clause} {remark.text[:30]}: {sorted(there[remark.number])}")
        seen += 1
    assert seen > 900
    assert apart == []
