"""Rites are asked for by name, and an answer is of the files as they are."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.server.conftest import NewHouse

from yanli.errors import RiteError
from yanli.notation.rite import list_rites
from yanli.server.editions import Editions
from yanli.server.faults import Refused

SCORE = """## 小 · small

主人坐取爵于上篚
    主人 坐，取 爵 于 上篚，興
主人洗爵
    主人 洗 爵
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A rite of two clauses, of somebody's own."""
    folder = tmp_path / "somewhere" / "small"
    folder.mkdir(parents=True)
    (folder / "rite.toml").write_text(
        'name = "小禮"\nslug = "small"\naliases = ["Small"]\nlike = "xiangshe"\n', encoding="utf-8"
    )
    (folder / "small.pu").write_text(SCORE, encoding="utf-8")
    return folder


def test_every_name_of_every_rite_is_known() -> None:
    editions = Editions()
    for head in list_rites():
        for name in head.names:
            assert editions.find(name).slug == head.slug
            assert editions.find(name.upper()).slug == head.slug
    assert editions.find("").slug == list_rites()[0].slug


@pytest.mark.parametrize(
    "name", ["nope", "../xiangshe", "/etc", ".", "xiangshe/", "xiangshe\0", " ", "小禮", "rites/xiangshe"]
)
def test_what_is_no_name_is_no_rite(name: str, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Not even where such a file lies in the folder in which the server was started.
    monkeypatch.chdir(own.parent)
    with pytest.raises(Refused) as told:
        Editions().find(name)
    assert told.value.status == 404
    assert told.value.problem.nearest


def test_a_folder_is_never_asked_for_by_its_path(own: Path) -> None:
    for name in (str(own), own.name + "/small.pu", "small/../small"):
        with pytest.raises(Refused):
            Editions([own]).find(name)


def test_the_mark_is_of_the_contents(own: Path) -> None:
    editions = Editions([own])
    mine, theirs = editions.find("小禮"), editions.find("xiangshe")
    first = editions.mark(mine)
    assert first == editions.mark(mine) == Editions([own]).mark(mine)
    assert editions.mark(theirs) != first
    (own / "small.pu").write_text(SCORE + "主人奠爵\n", encoding="utf-8")
    second = editions.mark(mine)
    assert second != first
    (own / "cast.toml").write_text("", encoding="utf-8")
    assert editions.mark(mine) not in {first, second}


def test_a_single_score_rests_on_the_tables_beside_it(own: Path) -> None:
    score = own / "small.pu"
    editions = Editions([score])
    mine = editions.all[0]
    first = editions.mark(mine)
    (own / "cast.toml").write_text("", encoding="utf-8")
    assert editions.mark(mine) != first


def test_an_own_rite_that_is_none_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(RiteError):
        Editions([tmp_path / "nothing"])


def test_an_own_rite_is_served_and_read_anew_when_it_changes(own: Path, new_house: NewHouse) -> None:
    house = new_house(own=[own])
    assert house.get("/api/rites").data()[0]["slug"] == "small"
    before = house.get("/api/events?rite=小禮").data()
    assert [event["verb"] for event in before if event["origin"] == "text"] == ["坐", "取", "興", "洗"]
    why = house.get("/api/why?rite=small&event=1").data()
    assert why["file"] == "small/small.pu"
    (own / "small.pu").write_text(SCORE + "主人拜\n    主人 拜\n", encoding="utf-8")
    after = house.get("/api/events?rite=small").data()
    assert [event["verb"] for event in after if event["origin"] == "text"][4:] == ["拜"]


def test_what_is_wrong_with_an_own_rite_is_told_without_where_it_lies(own: Path, new_house: NewHouse) -> None:
    house = new_house(own=[own])
    (own / "cast.toml").write_text("this is = = no table", encoding="utf-8")
    answer = house.get("/api/stage?rite=小禮")
    assert answer.status == 422
    assert "cast.toml" in answer.error()["cause"]
    (own / "rite.toml").write_text("= 1", encoding="utf-8")
    answer = house.get("/api/stage?rite=小禮")
    assert answer.status == 422
    assert "rite.toml" in answer.error()["cause"]
    assert str(own.parent).encode() not in answer.plain()
    shutil.rmtree(own)
    answer = house.get("/api/stage?rite=小禮")
    assert answer.status in {404, 422}
    assert str(own.parent).encode() not in answer.plain()
