"""On the command line a damaged work is shown as it was emended: when somebody accepted that, and only then."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import Yanli

from yanli.corpus.emendation import review
from yanli.corpus.store import Store
from yanli.render.page_modules import Web

WORK = """五禮通考 (四庫全書本)/卷162

　　主人坐取爵于上篚以降〈注將□賓也〉賓降〈注從主人也〉主人阼階前西面坐奠爵興辭降〈注重以主人事煩賓也〉賓對主人
　　坐取爵興適洗南面坐奠爵于篚下盥洗
"""
CLAUSE = "主人坐取爵于上篚以降"
BY = ("--by", "阮元", "--reason", "依鄭注")
Wrote = Callable[..., str]


@pytest.fixture
def wrote(yanli: Yanli) -> Wrote:
    """Calls the command line in an empty folder, and gives what it wrote."""

    def call(*words: str) -> str:
        done = yanli(*words)
        assert done.code == 0, words
        return done.out

    return call


def everywhere(wrote: Wrote, event: str) -> dict[str, str]:
    """What show and why write of the clause, as text and as JSON."""
    return {
        "show": wrote("show", "鄉射禮", "--clause", CLAUSE, "--db", "s"),
        "show --json": wrote("show", "鄉射禮", "--clause", CLAUSE, "--db", "s", "--json"),
        "why": wrote("why", "鄉射禮", event, "--db", "s"),
        "why --json": wrote("why", "鄉射禮", event, "--db", "s", "--json"),
    }


def test_an_emendation_is_read_once_it_is_accepted_and_no_more_when_it_is_rejected(
    wrote: Wrote, tmp_path: Path
) -> None:
    (tmp_path / "work.txt").write_text(WORK, encoding="utf-8")
    wrote("corpus", "add", "work.txt", "--db", "s")
    events = wrote("perform", "鄉射禮", "--from", CLAUSE, "--to", CLAUSE, "--json")
    event = str(json.loads(events.splitlines()[0])["n"])
    at = WORK.index("□")
    wrote("corpus", "emend", "work", "--propose", f"{at}:{at + 1}=獻", *BY, "--db", "s")
    proposed = everywhere(wrote, event)
    for name, written in proposed.items():
        assert "將□賓也" in written, name
        assert "將獻賓也" not in written, name
    listed = json.loads(wrote("corpus", "emend", "work", "--json", "--db", "s"))
    key = next(each["key"] for each in listed if each["emended"] == "獻")
    wrote("corpus", "emend", "work", "--accept", key, *BY, "--db", "s")
    for name, written in everywhere(wrote, event).items():
        assert "將獻賓也" in written, name
        assert "將□賓也" not in written, name
        # What stands in the work and who emended it is told beside it.
        assert "阮元" in written, name
        assert "□" in written, name
        assert "json" in name or "校 emended" in written, name
    (data,) = json.loads(wrote("show", "鄉射禮", "--clause", CLAUSE, "--db", "s", "--json"))
    (note,) = (each for each in data["sayings"] if each["layer"] == "注")
    assert note["works"][0]["emended"] == [{"found": "□", "words": "獻", "reviewer": "阮元", "reason": "依鄭注"}]
    wrote("corpus", "emend", "work", "--reject", key, *BY, "--db", "s")
    assert everywhere(wrote, event) == proposed


@pytest.fixture
def tried(yanli: Yanli) -> Callable[..., tuple[object, str]]:
    """Calls the command line; gives its exit code, and all that it wrote."""

    def call(*words: str) -> tuple[object, str]:
        done = yanli(*words)
        return done.code, done.out + done.err

    return call


def keys_of(wrote: Wrote) -> dict[str, str]:
    """The key of each proposal for the work, by its words."""
    return {each["emended"]: each["key"] for each in json.loads(wrote("corpus", "emend", "work", "--json", *DB))}


DB = ("--db", "s")


@pytest.fixture
def place(wrote: Wrote, tmp_path: Path) -> str:
    """A work in the store, and its damaged place as the command line takes it."""
    (tmp_path / "work.txt").write_text(WORK, encoding="utf-8")
    wrote("corpus", "add", "work.txt", *DB)
    at = WORK.index("□")
    return f"{at}:{at + 1}"


def test_of_two_for_one_place_the_second_is_not_accepted(
    wrote: Wrote, tried: Callable[..., tuple[object, str]], place: str
) -> None:
    for words in ("獻", "酬"):
        wrote("corpus", "emend", "work", "--propose", f"{place}={words}", *BY, *DB)
    keys = keys_of(wrote)
    both = ("--accept", keys["獻"], "--accept", keys["酬"])
    code, told = tried("corpus", "emend", "work", *both, *BY, *DB)
    assert code == 1
    assert "overlap" in told
    assert not any(each["accepted"] for each in json.loads(wrote("corpus", "emend", "work", "--json", *DB)))
    wrote("corpus", "emend", "work", "--accept", keys["獻"], *BY, *DB)
    code, told = tried("corpus", "emend", "work", "--accept", keys["酬"], *BY, *DB)
    assert code == 1
    assert keys["獻"] in told
    assert keys["酬"] in told
    assert f"--reject {keys['獻']}" in told
    # The remedy that it names is one.
    wrote("corpus", "emend", "work", "--accept", keys["酬"], "--reject", keys["獻"], *BY, *DB)
    assert "將酬賓也" in wrote("corpus", "emend", "work", "--text", *DB)


@pytest.fixture
def doubled(wrote: Wrote, place: str, tmp_path: Path) -> str:
    """A store as one could become before: two accepted for one place; the key of the second."""
    for words in ("獻", "酬"):
        wrote("corpus", "emend", "work", "--propose", f"{place}={words}", *BY, *DB)
    with Store.open(tmp_path / "s") as store:
        (name,) = store.names()
        store.propose(name, [review(each, accept=True, reviewer="某", reason="讀") for each in store.proposals(name)])
    return keys_of(wrote)["酬"]


@pytest.mark.parametrize(
    "said",
    [
        ("show", "鄉射禮", "--clause", CLAUSE), ("why", "鄉射禮", "57"), ("stage", "鄉射禮", "-o", "x.html"),
        ("rehearse", "鄉射禮", "-o", "out"), ("corpus", "emend", "work", "--text"),
    ],
    ids=["show", "why", "stage", "rehearse", "emend"],
)  # fmt: skip
def test_a_store_with_two_accepted_at_one_place_is_read_and_the_remedy_told(
    tried: Callable[..., tuple[object, str]], doubled: str, said: tuple[str, ...]
) -> None:
    if said[0] == "stage" and Web().missing():
        pytest.skip("the page is not built; run `make web`")
    code, told = tried(*said, *DB)
    assert code == 0, told
    assert "warning [overlap]" in told
    assert f"yanli corpus emend work.txt --reject {doubled}" in told


def test_of_two_accepted_at_one_place_none_is_read_until_one_is_rejected(
    tried: Callable[..., tuple[object, str]], wrote: Wrote, doubled: str
) -> None:
    _, told = tried("show", "鄉射禮", "--clause", CLAUSE, *DB)
    assert "將□賓也" in told
    assert "損 damaged" in told
    wrote("corpus", "emend", "work", "--reject", doubled, *BY, *DB)
    code, told = tried("show", "鄉射禮", "--clause", CLAUSE, *DB)
    assert code == 0
    assert "將獻賓也" in told
    assert "overlap" not in told


def test_what_stands_there_already_is_no_proposal_and_what_is_settled_is_not_proposed_again(
    wrote: Wrote, tried: Callable[..., tuple[object, str]], place: str
) -> None:
    at = WORK.index("賓也")
    code, told = tried("corpus", "emend", "work", "--propose", f"{at}:{at + 1}=賓", *BY, *DB)
    assert code == 1
    assert "[no-change]" in told
    wrote("corpus", "emend", "work", "--propose", f"{place}=獻", *BY, *DB)
    wrote("corpus", "emend", "work", "--accept", keys_of(wrote)["獻"], *BY, *DB)
    code, told = tried("corpus", "emend", "work", "--propose", f"{place}=獻", *BY, *DB)
    assert code == 1
    assert "[settled]" in told
    assert "將獻賓也" in wrote("corpus", "emend", "work", "--text", *DB)


def test_a_key_noted_before_calls_the_same_whatever_is_proposed_meanwhile(
    wrote: Wrote, tried: Callable[..., tuple[object, str]], place: str
) -> None:
    wrote("corpus", "emend", "work", "--propose", f"{place}=獻", *BY, *DB)
    noted = keys_of(wrote)["獻"]
    wrote("corpus", "emend", "work", "--propose", "0:1=伍", *BY, *DB)
    written = wrote("corpus", "emend", "work", "--accept", noted[:5], *BY, *DB)
    assert f"{noted}　從 accepted" in written
    # Only what was done is listed.
    assert "伍" not in written
    assert "將獻賓也" in wrote("corpus", "emend", "work", "--text", *DB)
    (done,) = json.loads(wrote("corpus", "emend", "work", "--reject", noted, *BY, "--json", *DB))
    assert (done["key"], done["rejected"], done["emended"]) == (noted, True, "獻")
    for strange in ("1", "zzzzzzzz", noted[:2]):
        code, told = tried("corpus", "emend", "work", "--accept", strange, *BY, *DB)
        assert code == 1
        assert "[no-proposal]" in told, strange


def test_private_characters_and_blanks_are_shown_as_somebody_reads_them(wrote: Wrote, tmp_path: Path) -> None:
    (tmp_path / "work.txt").write_text(WORK.replace("將□賓", "將\ue45a賓"), encoding="utf-8")
    wrote("corpus", "add", "work.txt", *DB)
    at = WORK.index("□")
    written = wrote("corpus", "emend", "work", "--propose", f"{at}:{at + 1}=獻　爵", *BY, *DB)
    assert "　▢ → 獻　爵\n" in written
    assert "▢ U+E45A" in written
    assert "\\u" not in written


def test_what_is_damaged_and_not_emended_is_marked_everywhere(wrote: Wrote, place: str, tmp_path: Path) -> None:
    """The note 注將□賓也 is damaged in one place, its neighbour 注從主人也 in none."""
    written = wrote("show", "鄉射禮", "--clause", CLAUSE, *DB)
    (head, *_), (where, *_) = (
        [line for line in written.splitlines() if sign in line] for sign in ("注　鄭玄", "見 work")
    )
    assert head.endswith("　損 damaged")
    assert where.endswith("　損 damaged：1 處 place，見 see yanli corpus emend work.txt")
    (data,) = json.loads(wrote("show", "鄉射禮", "--clause", CLAUSE, "--json", *DB))
    (note,) = (each for each in data["sayings"] if each["layer"] == "注")
    at = WORK.index("□")
    damaged = {"kind": "illegible", "found": "□", "start": at, "end": at + 1}
    assert note["works"][0]["damaged"] == [damaged]
    sound = wrote("show", "鄉射禮", "--clause", "賓降", *DB)
    assert "從主人也" in sound
    assert "損" not in sound.partition("從主人也")[2].partition("\n注")[0]
    wrote("rehearse", "鄉射禮", "-o", "out", *DB)
    page = (tmp_path / "out" / "notes.html").read_text(encoding="utf-8")
    assert '<span class="w">損 damaged</span>' in page
    assert "yanli corpus emend work.txt" in page
    # Once it is emended it is damaged no more, and then emended.
    wrote("corpus", "emend", "work", "--propose", f"{place}=獻", *BY, *DB)
    wrote("corpus", "emend", "work", "--accept", keys_of(wrote)["獻"], *BY, *DB)
    written = wrote("show", "鄉射禮", "--clause", CLAUSE, *DB)
    assert "校 emended" in written
    assert "損" not in written
