"""Lost characters of a file in simplified script, whose parallels are in the old one, held to what was read by hand."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from yanli.corpus.folding import is_simplified, to_simplified
from yanli.corpus.model import Proposal, Text
from yanli.corpus.parallel import Parallel, folded, words
from yanli.corpus.repair import repair


class Lost(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A lost character as it was judged; see the head of lost.toml."""

    start: int
    before: str
    behind: str
    reading: str
    certain: bool
    parallel: tuple[str, str] | None = None
    why: str = ""


@pytest.fixture(scope="module")
def judged() -> list[Lost]:
    """What was judged by hand."""
    told = tomllib.loads(Path(__file__).with_name("lost.toml").read_text(encoding="utf-8"))
    return msgspec.convert(told["lost"], list[Lost])


@pytest.fixture(scope="module")
def text(shared: Callable[..., Path]) -> str:
    """The file as it is."""
    return shared("sources", "004_189ec0ccc523774d.txt").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def made(text: str, parallels: tuple[Parallel, ...]) -> dict[int, Proposal]:
    """What is proposed, by place."""
    return {each.start: each for each in repair(text, parallels).proposals}


def test_every_lost_character_was_judged_and_the_parallels_have_what_makes_it_certain(
    judged: list[Lost], text: str, witnesses: dict[str, Text]
) -> None:
    assert [one.start for one in judged] == [at for at, sign in enumerate(text) if sign == "▯"]
    assert all(text[one.start - 4 : one.start].replace("\n", "／") == one.before for one in judged)
    assert all(text[one.start + 1 : one.start + 5].replace("\n", "／") == one.behind for one in judged)
    hays = {
        name: folded(words(re.sub(r"<[^>]*>|^#.*$", "", each.text, flags=re.MULTILINE)))
        for name, each in witnesses.items()
    }
    for one in judged:
        assert one.certain is (one.parallel is not None)
        if one.parallel is not None:
            name, told = one.parallel
            assert folded(told) in hays[name], told
            assert folded(one.reading) in folded(told)


def test_nearly_all_that_a_parallel_makes_certain_is_proposed(judged: list[Lost], made: dict[int, Proposal]) -> None:
    sure = [one for one in judged if one.certain]
    right = [one for one in sure if one.start in made and folded(made[one.start].emended) == folded(one.reading)]
    assert len(sure) == 20
    assert len(right) >= 0.95 * len(sure), [one.start for one in sure if one not in right]


def test_nothing_proposed_is_otherwise_than_it_was_judged(
    judged: list[Lost], made: dict[int, Proposal], text: str
) -> None:
    wrong = [
        one.start for one in judged if one.start in made and folded(made[one.start].emended) != folded(one.reading)
    ]
    assert wrong == []
    # Nothing else of the file is damaged.
    assert {text[each.start : each.end] for each in made.values()} == {"▯"}


def test_what_is_proposed_is_in_the_files_own_script_and_the_parallels_is_told(made: dict[int, Proposal]) -> None:
    assert {each.emended for each in made.values()} == {"弦", "隶"}
    # 及隷僕人巾車設尊: another shape than 隸 besides.
    (told,) = (each.evidence for each in made.values() if "及［隷］僕人巾車設尊" in each.evidence)
    assert "隶 is its 隷 in simplified script" in told


def test_the_parallels_words_are_left_alone_in_a_text_of_the_old_script() -> None:
    parallel = Parallel("經", ("司射適堂西袒決遂取弓于階西兼挾乗矢升自西階階上北面告于賔",), joined=True)
    (made,) = repair("司射適堂西袒▯遂取弓于階西兼挾乗矢升自西階", [parallel]).proposals
    assert (made.found, made.emended, made.certain) == ("▯", "決", True)
    assert "simplified" not in made.evidence
    (made,) = repair("司射适堂西袒决遂取弓于阶西兼挟乗矢升自西▯阶上北面告于賔", [parallel]).proposals
    assert (made.emended, made.certain) == ("阶", True)


@pytest.mark.parametrize(
    ("words_", "simple"),
    [
        ("司射适堂西袒决遂取弓于阶西兼挟", True),
        ("司射適堂西袒決遂取弓于階西", False),
        ("司射北面", False),
        ("云后", False),
    ],
)
def test_the_script_of_a_text_is_known_by_characters_that_tell(words_: str, *, simple: bool) -> None:
    assert is_simplified(words_) is simple


def test_a_character_without_one_simplified_form_stays() -> None:
    assert [to_simplified(one) for one in "隸弦阶?\n\udc80"] == ["隶", "弦", "阶", "?", "\n", "\udc80"]
