"""Whatever a rite's own tables name must be there: a slip of the pen is told, and never passed over in silence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from yanli.errors import RiteError, YanliError
from yanli.rehearsal import check_rite, rehearse

if TYPE_CHECKING:
    from pathlib import Path

RITE = 'name = "試"\nslug = "trial"\nlike = "xiangshe"\n'
SCORE = "## 試 · trial\n\n賓升\n    賓 升\n"
CAST = '[[cast]]\nname = "賓"\nplace = "西階前"\n'
FILES = {"rite.toml": RITE, "cast.toml": CAST, "groups.toml": "", "things.toml": "", "trial.pu": SCORE}
TARGET = '[[target]]\nname = "侯"\nmiss = "地"\n'


def write(folder: Path, **files: str) -> Path:
    """A small rite, with other words in some of its files (``cast`` is cast.toml, ``trial`` the score)."""
    own = {f"{name}.pu" if name == "trial" else f"{name}.toml": words for name, words in files.items()}
    for name, words in {**FILES, **own}.items():
        (folder / name).write_text(words, encoding="utf-8")
    return folder


def told(folder: Path) -> list[str]:
    """What `check` finds wrong, with the nearest names."""
    found = check_rite(folder).findings
    return [f"{one.cause} {'、'.join(one.nearest)}" for one in found if one.grade == "error"]


@pytest.mark.parametrize(
    ("file", "words", "said", "near"),
    [
        ("rite", 'rounds = ["試射"]\n' + RITE, "rounds: nothing here is called 試射", "試"),
        (
            "rite",
            'rounds = ["試"]\n' + RITE + '[shooting."試"]\npairs = ["三藕"]\n',
            "pairs: nothing here is called 三藕",
            "",
        ),
        ("rite", 'rounds = ["試"]\n' + RITE + '[shooting."誤"]\n', "[shooting]: nothing here is called 誤", ""),
        (
            "rite",
            'rounds = ["試"]\n' + RITE + '[shooting."試"]\nteacher = "司謝"\n',
            "teacher: nothing here is called",
            "司射",
        ),
        ("rite", RITE + TARGET + 'of = ["無人"]\n', "[[target]] 侯: of: nothing here is called 無人", "主人"),
        ("rite", RITE + TARGET.replace("地", "虛地"), "miss = 虛地: no place", "地"),
        ("rite", RITE + TARGET + 'its = { "獲者" = "獲著" }\n', "its 獲者: nothing here is called 獲著", "獲者"),
        ("rite", RITE + TARGET + '[marks."維"]\nis = ["維"]\nstruck = "矦"\n', "[marks] 維: struck", "侯"),
        ("cast", CAST + CAST, "賓 stands twice", ""),
        ("cast", CAST + 'facing = "上"\n', "facing = 上: this is no way to face", "北"),
        ("groups", '[groups."甲"]\nof = ["甲"]\n', "[groups] 甲: of itself", ""),
        ("groups", '[groups."甲"]\nof = ["乙"]\n[groups."乙"]\nof = ["賓"]\n', "乙 is made only after it", ""),
        ("groups", '[groups."甲"]\nof = ["無人"]\n', "[groups] 甲: nothing here is called 無人", "主人"),
        ("things", '[[things]]\nkind = "爵"\neach = "無羣"\n', "爵: of whom: nothing here is called 無羣", ""),
    ],
)
def test_a_name_that_nothing_answers_to_is_told(tmp_path: Path, file: str, words: str, said: str, near: str) -> None:
    found = [line for line in told(write(tmp_path, **{file: words})) if said in line]
    assert found
    assert near in found[0].partition(said)[2]


def test_a_small_rite_without_slips_has_no_fault(tmp_path: Path) -> None:
    assert told(write(tmp_path)) == []


@pytest.mark.parametrize(
    ("file", "words", "said"),
    [
        ("rite", "rounds = 3\n" + RITE, "rounds: Expected `array`"),
        ("rite", 'rounds = ["試"]\n' + RITE + '[shooting."試"]\narrows = 100000000\n', "[shooting] 試"),
        ("rite", RITE + '[marks."維"]\nis = "中"\n', "[marks] 維"),
        ("rite", RITE + TARGET + 'number = "1e999"\n', "cannot work out '1e999'"),
        ("cast", "cast = 3\n", "expected tables [[cast]]"),
        ("things", "things = 3\n", "expected tables [[things]]"),
        ("cast", CAST + 'count = "1e999"\n', "cannot work out '1e999'"),
        ("cast", CAST + 'count = "表 耦 大射 諸侯 畿外 從 無其人"\n', "no figure of 無其人"),
    ],
)
def test_a_table_of_the_wrong_form_is_told_with_its_place(tmp_path: Path, file: str, words: str, said: str) -> None:
    with pytest.raises(YanliError, match=said.replace("[", r"\[").replace("]", r"\]")):
        rehearse(write(tmp_path, **{file: words}))


def test_files_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    marked = {
        "rite": f"\ufeff{RITE}",
        "cast": f"\ufeff{CAST}",
        "groups": "\ufeff",
        "rules": "\ufeff",
        "lexicon": "\ufeff",
    }
    assert told(write(tmp_path, edition='\ufefftext = "賓升"\n', trial=f"\ufeff{SCORE}", **marked)) == []


def test_sections_that_wait_for_each_other_are_told(tmp_path: Path) -> None:
    score = "## 甲 · one 當 「賓降」 畢\n\n賓升\n    賓 升\n\n## 乙 · two 當 「賓升」 畢\n\n賓降\n    賓 降\n"
    found = told(write(tmp_path, trial=score))
    assert [line for line in found if "甲 waits for words that wait for it" in line]
    assert [line for line in found if "乙 waits for words that wait for it" in line]


def test_no_rite_is_like_one_that_there_is_not(tmp_path: Path) -> None:
    with pytest.raises(RiteError, match="like = 'xiangsh'"):
        rehearse(write(tmp_path, rite=RITE.replace('"xiangshe"', '"xiangsh"')))


@pytest.mark.parametrize(
    ("line", "said", "near"),
    [
        ("應 x 射 貫中", "貫中 is no mark of an arrow", "貫"),
        ("應 x 射 中 於 誤", "誤 is no section, passage or range", ""),
        ("應 x 射 中 於 試二", "試二 is no section, passage or range", "試"),
    ],
)
def test_an_answer_to_what_never_is_is_told(tmp_path: Path, line: str, said: str, near: str) -> None:
    score = f"{SCORE}賓降\n    {line}\n        賓 揖\n    賓 降\n"
    found = [one for one in told(write(tmp_path, trial=score)) if said in one]
    assert found
    assert near in found[0].partition(said)[2]
