"""What a scholar is shown of a repair, that nothing of the text as found is changed by it, and where it ends."""

from __future__ import annotations

import json
import random
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from yanli.cli import main
from yanli.corpus.emendation import emended, review
from yanli.corpus.misread import known_bytes, to_bytes
from yanli.corpus.model import Proposal, Text
from yanli.corpus.parallel import Parallel, words
from yanli.corpus.repair import MOST_SIGNS, Repaired, repair
from yanli.corpus.segment import read_text
from yanli.corpus.store import Store, pack

QUOTED = re.compile(
    r"(?P<name>KR1d\d{4}_\d{3}) (?:經|注疏)(?: (?P<who>\w+))? (?P<page>\d{3}-\d+[ab])「(?P<words>[^」]+)」"
)
BYTES = re.compile(
    r"bytes (?P<bytes>[0-9A-F· ]+), which leave one reading for (?P<clear>\d+) of (?P<all>\d+) characters"
)
SOUND = "司射適堂西袒決遂取弓于階西兼挾乗矢升自西階階上北面告于賔"


def test_the_bytes_shown_are_those_of_what_is_proposed_and_of_what_was_found(repaired: Repaired) -> None:
    runs = [each for each in repaired.proposals if each.method.startswith("gbk")]
    assert len(runs) == 200
    for each in runs:
        shown = BYTES.search(each.evidence)
        assert shown is not None
        told = shown["bytes"].split()
        assert len(told) == int(shown["all"])
        assert sum("·" not in one for one in told) >= int(shown["clear"])
        # Of a character lost with half of another no byte is left.
        for one, half in zip(each.emended, told, strict=len(told) == len(each.emended)):
            made = (to_bytes(one) or b"").hex().upper() if one != "□" else half
            assert all(a in {b, "·"} for a, b in zip(half, made, strict=True)), (each.found, one, half)
        # The same bytes, in the same order, are those of the signs that were found.
        if "(" not in each.found and ")" not in each.found:
            raw = "".join((to_bytes(one) or b"").hex().upper() for one in each.found if one != "?")
            assert "".join(told).replace("·", "") == raw


def test_every_place_is_shown_with_its_line_and_its_words(damaged: str, repaired: Repaired) -> None:
    lines = damaged.split("\n")
    for each in repaired.proposals:
        shown = re.match(r"line (\d+)「(.*?)［(.*?)］(.*?)」; ", each.evidence)
        assert shown is not None
        assert shown[3] == each.emended
        assert each.found.partition("\n")[0] in lines[int(shown[1]) - 1]
        assert int(shown[1]) == damaged.count("\n", 0, each.start) + 1


def test_a_parallel_is_shown_with_its_page_and_its_words_stand_there(
    repaired: Repaired, witnesses: dict[str, Text]
) -> None:
    seen = 0
    for each in repaired.proposals:
        for shown in QUOTED.finditer(each.evidence):
            text = witnesses[shown["name"]]
            page = shown["page"]
            at = text.text.index(f"_{page}>") if f"_{page}>" in text.text else text.text.index(page)
            # A note begins on the page told, and may go on over the next.
            near = words(re.sub(r"<[^>]*>", "", text.text[at : at + 6000]))
            assert words(shown["words"]) in near.replace(" ", ""), (each.found, shown[0])
            seen += 1
    assert seen > 40


def test_what_no_byte_tells_alike_is_open() -> None:
    assert known_bytes(("。",)) == "A1A3"
    assert known_bytes(tuple(bytes((lead, 0xA3)).decode("gb18030") for lead in (0xA1, 0xB0))) == "··A3"
    assert known_bytes(("A", "。")) == "····"


def test_the_file_comes_out_as_it_came_in_though_all_was_accepted(
    shared: Callable[..., Path], repaired: Repaired, tmp_path: Path
) -> None:
    data = shared("sources", "003_8fdd919a1a2de942.txt").read_bytes()
    every = [
        review(each, accept=True, reviewer="校者", reason="從之") if "□" not in each.emended else each
        for each in repaired.proposals
    ]
    with Store.open(tmp_path / "x.sqlite") as store:
        store.add(pack(data, read_text(data, "疏")))
        store.propose("疏", every)
        assert store.bytes_of("疏") == data
        kept = store.proposals("疏")
        assert sum(each.accepted for each in kept) > 660
        text = store.text("疏").text
        assert text == data.decode()
        assert emended(text, kept).count("?") < text.count("?") // 10


def hostile(kind: str, length: int) -> str:
    """A text of about this length that is all damage, or looks as if it were."""
    chance = random.Random(length)  # noqa: S311 - no secret
    if kind == "bytes":
        return bytes(chance.randrange(256) for _ in range(length)).decode("gb18030", "replace")
    piece = {
        "signs": "?", "brackets": "()", "readings": "(xué)", "glosses": "學(xué)", "lost": "?學", "halves": "?！",
        "runs": "?！♂屧唬", "closed runs": "?！♂屧唬?", "tails": "?xué)", "lines": "?\n",
        "boxes": "▯", "boxed": "▯學", "far": "?" + "學" * 700,
    }  # fmt: skip
    if kind == "nested":
        return "(" * (length // 2) + "xué" + ")" * (length // 2)
    return piece[kind] * (length // len(piece[kind]))


KINDS = [
    "signs", "brackets", "readings", "glosses", "lost", "halves", "runs", "closed runs", "tails", "lines", "far",
    "nested", "bytes", "boxes", "boxed",
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_work_on_a_hostile_text_grows_no_faster_than_it(kind: str) -> None:
    parallel = Parallel("經", (SOUND,), joined=True)
    taken = []
    for length in (8_000, 8_000, 64_000):  # the first warms up what is kept
        text = hostile(kind, length)
        before = time.process_time()
        made = repair(text, [parallel])
        taken.append(time.process_time() - before)
        assert all(text[each.start : each.end] == each.found for each in made.proposals)
    assert taken[2] < 24 * taken[1] + 0.4


def test_what_was_not_looked_at_is_told() -> None:
    parallel = Parallel("經", (SOUND,), joined=True)
    text = "學(xué)\n" + "?學\n" * (MOST_SIGNS + 5) + "學(xué)\n"
    made = repair(text, [parallel])
    assert made.stopped is not None
    assert (made.stopped.code, made.stopped.grade) == ("looked-no-further", "warning")
    at = text.index("?學", 8 + 3 * MOST_SIGNS - 3)
    assert f"line {MOST_SIGNS + 2} on, character {at}" in made.stopped.cause
    assert all(place.end <= at for place in made.places)
    assert len(made.places) == MOST_SIGNS + 1
    assert repair(text[: at - 3], [parallel]).stopped is None


def call(said: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> tuple[int, str, str]:
    """Call the command line."""
    monkeypatch.setattr(sys, "argv", ["yanli", *said])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0), *capsys.readouterr()


def test_the_command_line_tells_all_of_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    bad = f"{SOUND[:6]}?{SOUND[7:]}\n學(xué)士\n"
    Path("bad.txt").write_text(bad, encoding="utf-8")
    Path("sound.txt").write_text(f"{SOUND}\n", encoding="utf-8")
    db = ["--db", "x.sqlite"]
    assert call(["corpus", "add", "bad.txt", "sound.txt", *db], capsys, monkeypatch)[0] == 0
    code, out, _ = call(["corpus", "emend", "bad", *db, "--json"], capsys, monkeypatch)
    told = {each["found"]: each for each in json.loads(out)}
    assert code == 0
    assert told["?"]["emended"] == SOUND[6]
    assert f"line 1「{SOUND[:6]}［{SOUND[6]}］{SOUND[7:15]}」; " in told["?"]["evidence"]
    assert re.search(r"(xiangshe\.\d+\.\d+|sound\S* 經 line 1)「", told["?"]["evidence"])
    assert "xué is a reading of 學 (8C57)" in told["(xué)"]["evidence"]
    # What was proposed when less was known goes; what somebody proposed or settled stays.
    with Store.open(Path("x.sqlite")) as store:
        (name,) = (each for each in store.names() if each.startswith("bad"))
        old = next(each for each in store.proposals(name) if each.found == "?")
        store.propose(name, [_with(old, emended="□"), _with(old, emended="袒", author="校者")])
    code, out, _ = call(["corpus", "emend", "bad", *db, "--anew", "--json"], capsys, monkeypatch)
    assert [(each["author"], each["emended"]) for each in json.loads(out) if each["found"] == "?"] == [
        ("yanli", SOUND[6]), ("校者", "袒"),
    ]  # fmt: skip


def _with(proposal: Proposal, **changed: str) -> Proposal:
    return msgspec.structs.replace(proposal, **changed)


def test_the_command_line_tells_what_it_did_not_look_at(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.txt").write_text("?學" * (MOST_SIGNS + 5), encoding="utf-8")
    db = ["--db", "x.sqlite"]
    assert call(["corpus", "add", "bad.txt", *db], capsys, monkeypatch)[0] == 0
    code, _, err = call(["corpus", "emend", "bad", *db], capsys, monkeypatch)
    assert code == 0
    assert "warning [looked-no-further]" in err


def test_beside_long_works_less_is_looked_at_and_the_same_is_found(
    damaged: str, parallels: tuple[Parallel, ...]
) -> None:
    """So much that where each two words stand is no longer kept, but looked for."""
    rest = Parallel("別", ("甲乙丙丁" * 260_000,))
    part = damaged[:4500]
    made = repair(part, parallels), repair(part, (*parallels, rest))
    assert made[0].proposals
    assert [(each.start, each.emended) for each in made[0].proposals] == [
        (each.start, each.emended) for each in made[1].proposals
    ]
    stopped = repair("?學\n" * MOST_SIGNS, (rest,)).stopped
    assert stopped is not None
    assert f"more than {MOST_SIGNS // 2} signs" in stopped.cause
