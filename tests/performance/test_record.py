"""A record from the field: read whole or refused with every fault, its line and its column."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yanli.errors import Finding, ScenarioError
from yanli.notation.rite import load_rite
from yanli.performance.fates import LOWER, UPPER, Model
from yanli.performance.record import parse_record
from yanli.performance.stage import Stage, open_stage
from yanli.rehearsal import read_record, rehearse, scenario_for
from yanli.render.tally import tally

RITE = "鄉射禮"
HEAD = "round,pair,shooter,hits\n"


def staged(*sets: str) -> Stage:
    rite = load_rite(RITE)
    return open_stage(rite, scenario_for(rite, sets=sets))


@pytest.fixture(scope="module")
def three() -> Stage:
    """Only the three pairs shoot: 3 in each round."""
    return staged("眾耦=0", "賓主與射=否", "大夫與射=否")


@pytest.fixture(scope="module")
def seven() -> Stage:
    """The three pairs, guest and host, one grandee, two pairs of guests: 3, 7 and 7."""
    return staged("眾耦=2", "大夫=1")


def lines(pairs: int, *, later: str = "0110") -> list[str]:
    """A whole record, line by line, without its header."""
    return [
        f"{number},{pair},{side},{later}"
        for number in (1, 2, 3)
        for pair in range(1, (3 if number == 1 else pairs) + 1)
        for side in (UPPER, LOWER)
    ]


def faults(text: str, stage: Stage) -> tuple[Finding, ...]:
    with pytest.raises(ScenarioError) as refused:
        parse_record(text, "shots.csv", stage)
    return refused.value.findings


def told(findings: tuple[Finding, ...]) -> list[tuple[str, int, int]]:
    """Code, line and column of each fault."""
    assert all(finding.span is not None and finding.span.file == "shots.csv" for finding in findings)
    return [(finding.code, finding.span.line, finding.span.column) for finding in findings if finding.span is not None]


def test_who_shoots_when_is_the_rites_own(seven: Stage) -> None:
    # 三耦; then 賓 with 主人, the grandee with his man, and the other pairs of guests.
    assert {number: len(shooting.pairs) for number, shooting in seven.shootings.items()} == {1: 3, 2: 7, 3: 7}
    assert [pair.kind for pair in seven.shootings[2].pairs] == ["三耦"] * 3 + ["賓主耦", "大夫耦"] + ["眾耦"] * 2
    assert seven.shootings[2].pairs[3].upper == "賓"
    assert seven.shootings[2].pairs[4].lower == "大夫.1"
    assert [shooting.teacher for shooting in seven.shootings.values()] == ["司射", None, None]


def test_a_round_that_is_not_asked_for_is_none() -> None:
    """大射儀: 若命曰復射 — the fourth shooting is only where the lord bids it."""
    rite = load_rite("大射儀")
    rounds = [list(open_stage(rite, scenario_for(rite, sets=sets)).shootings) for sets in ((), ("復射=是",))]
    assert rounds == [[1, 2, 3], [1, 2, 3, 4]]


@pytest.mark.parametrize(
    "sets", [("眾耦=0", "賓主與射=否", "大夫=0"), ("眾耦=1", "大夫=2"), ("眾耦=3", "賓主與射=否", "大夫=1")]
)
def test_pairs_are_numbered_as_they_shoot(sets: tuple[str, ...]) -> None:
    played = rehearse(RITE, sets=sets)
    stage = played.stage
    for number, shooting in stage.shootings.items():
        first, last = stage.rounds[number]
        shots = [e for e in played.events if e.hit is not None and first <= e.clause < last]
        uppers = {pair.upper for pair in shooting.pairs}
        order = dict.fromkeys(e.actor.name for e in sorted(shots, key=lambda e: e.order) if e.actor.name in uppers)
        assert list(order) == [pair.upper for pair in shooting.pairs]


def test_a_whole_record_is_read(three: Stage) -> None:
    record = parse_record(HEAD + "1,0,司射,1111\n" + "\n".join(lines(3)), "shots.csv", three)
    assert record.marks(1, 0, "司射", "司射") == "1111"
    assert record.marks(2, 3, LOWER, "下射.3") == "0110"


def test_own_names_and_what_surrounds_the_rows_do_not_matter(seven: Stage) -> None:
    rows = lines(7)
    rows[6 + 6] = "2,4,賓,1不外0"
    rows[6 + 7] = ' 2 , 4 ,"主人", 0001 '
    text = "\ufeff# 甲日之射\r\n\r\nRound, Pair, Shooter, Hits\r\n" + "\r\n# 次\r\n\r\n".join(rows) + "\r\n\r\n"
    record = parse_record(text, "shots.csv", seven)
    assert record.marks(2, 4, UPPER, "賓") == "1不外0"
    assert record.marks(2, 4, LOWER, "主人") == "0001"


def test_the_teachers_arrows_may_be_left_out(three: Stage) -> None:
    model = Model(5, outcome="全")
    for teacher in ("", "1,0,司射,\n"):
        record = parse_record(HEAD + teacher + "\n".join(lines(3)), "shots.csv", three, model)
        assert record.marks(1, 0, "司射", "司射") == "1111"
        assert record.marks(1, 1, UPPER, "上射.1") == "0110"


def put(row: int, line: str, pairs: int = 3) -> str:
    """A whole record with one line (from 0) changed; the line stands at ``row + 2``."""
    rows = lines(pairs)
    rows[row] = line
    return HEAD + "\n".join(rows) + "\n"


@pytest.mark.parametrize(
    ("line", "code", "column"),
    [
        ("1,1,上射,10101", "wrong-arrows", 8),
        ("1,1,上射,101", "wrong-arrows", 8),
        ("1,1,上射,", "wrong-arrows", 8),
        ("1,1,上射,1x10", "unknown-mark", 9),
        ("1,1,上射,１１１１", "unknown-mark", 8),
    ],
)
def test_marks_that_are_wrong(three: Stage, line: str, code: str, column: int) -> None:
    found = faults(put(0, line), three)
    assert told(found)[0] == (code, 2, column)
    assert {finding.code for finding in found} == {code}


@pytest.mark.parametrize(
    ("line", "code", "column"),
    [
        ("1,1,上社,1010", "unknown-shooter", 5),
        ("1,1,賓,1010", "unknown-shooter", 5),
        ("1,0,上射,1010", "unknown-shooter", 5),
        ("1,4,上射,1010", "unknown-pair", 3),
        ("2,0,司射,1010", "unknown-pair", 3),
        ("1,一,上射,1010", "unknown-pair", 3),
        ("1,-1,上射,1010", "unknown-pair", 3),
        ("1,²,上射,1010", "unknown-pair", 3),
        ("4,1,上射,1010", "unknown-round", 1),
        ("0,1,上射,1010", "unknown-round", 1),
        (f"{'9' * 5000},1,上射,1010", "unknown-round", 1),
        (",1,上射,1010", "unknown-round", 1),
        ("1,1,上射", "bad-row", 1),
        ("1,1,上射,10,10", "bad-row", 1),
        ("1，1，上射，1010", "bad-row", 1),
        ("1,1,下射,1010", "twice", 5),
    ],
)
def test_rows_that_are_wrong_and_who_is_missing_then(three: Stage, line: str, code: str, column: int) -> None:
    found = faults(put(0, line), three)
    # 下射 stands twice where the second row of him is.
    assert told(found)[0] == (code, 3 if code == "twice" else 2, column)
    assert [finding.code for finding in found[1:]] == ["missing"]
    assert "round 1, pair 1: 上射 (上射.1) is missing" in found[1].cause


def test_the_nearest_and_the_known_are_named(three: Stage) -> None:
    shooter, *_ = faults(put(0, "1,1,上社,1010"), three)
    assert shooter.nearest[0] == "上射"
    mark, *_ = faults(put(0, "1,1,上射,中110"), three)
    assert mark.known is not None
    assert all(known in mark.known for known in ("1 hit", "0 miss", "不 struck", "外 hit off"))
    assert mark.line == "1,1,上射,中110"


def test_he_who_shoots_elsewhere_is_sent_there(seven: Stage) -> None:
    found = faults(put(6, "2,1,賓,1010", pairs=7), seven)
    assert "pair 4" in found[0].cause


def test_all_faults_are_told(three: Stage) -> None:
    rows = lines(3)
    rows[0], rows[1], rows[2], rows[3] = "1,1,上射,10100", "1,1,下射,101", "1,2,上社,1111", "1,2,下射,1x1y"
    rows[7] = "2,1,上射,1111"
    found = faults(HEAD + "\n".join([*rows, "7,1,上射,0000"]), three)
    assert told(found) == [
        ("wrong-arrows", 2, 8),
        ("wrong-arrows", 3, 8),
        ("unknown-shooter", 4, 5),
        ("unknown-mark", 5, 9),
        ("unknown-mark", 5, 11),
        ("twice", 9, 5),
        ("unknown-round", 20, 1),
        ("missing", 20, 1),
        ("missing", 20, 1),
    ]
    assert [finding.follows for finding in found[-2:]] == [True, False]


def test_noughts_that_a_spreadsheet_dropped_are_thought_of(three: Stage) -> None:
    (found,) = faults(put(0, "1,1,上射,110"), three)
    assert "spreadsheet" in found.cause


def test_pairs_and_rounds_that_are_missing(seven: Stage) -> None:
    rows = [row for row in lines(7) if not row.startswith(("2,5,", "3,"))]
    assert [finding.cause for finding in faults(HEAD + "\n".join(rows), seven)] == [
        "round 2, pair 5: 上射 (眾賓.4) and 下射 (大夫.1) are missing",
        "round 3 (第三番射) is missing: 7 pairs shoot in it",
    ]


@pytest.mark.parametrize("text", ["", "\ufeff", "\n\n", "# nothing yet\n"])
def test_an_empty_record(three: Stage, text: str) -> None:
    assert [finding.code for finding in faults(text, three)] == ["empty-record"]


@pytest.mark.parametrize("head", ["pair,round,shooter,hits", "round;pair;shooter;hits", "round,pair,hits", "番,耦,射"])
def test_a_header_that_is_wrong_is_told_once(three: Stage, head: str) -> None:
    text = head + "\n" + "\n".join(lines(3))
    assert told(faults(text, three)) == [("bad-header", 1, 1)]


def test_rows_are_read_though_the_header_is_wanting(three: Stage) -> None:
    rows = lines(3)
    rows[2] = "1,2,上射,11"
    assert told(faults("\n".join(rows), three)) == [("bad-header", 1, 1), ("wrong-arrows", 3, 8)]


@given(text=st.text(alphabet=st.sampled_from('round,pairshtel0123上下射司賓不外 "\n\r#\ufeff\0、，'), max_size=200))
def test_whatever_is_written_is_read_or_explained(text: str) -> None:
    for start in ("", HEAD):
        found: tuple[Finding, ...] | None = None
        try:
            parse_record(start + text, "shots.csv", SMALL)
        except ScenarioError as fault:
            found = fault.findings
        # So short a text is no whole record.
        assert found
        assert all(finding.span is not None and finding.cause for finding in found)


SMALL = staged("眾耦=0", "賓主與射=否", "大夫與射=否")


@given(marks=st.lists(st.text(alphabet="10不外", min_size=4, max_size=4), min_size=18, max_size=18))
def test_what_was_written_is_what_flies(marks: list[str]) -> None:
    rows = [line.rpartition(",")[0] + "," + four for line, four in zip(lines(3), marks, strict=True)]
    record = parse_record(HEAD + "\n".join(rows), "shots.csv", SMALL)
    for row, four in zip(rows, marks, strict=True):
        number, pair, side, _ = row.split(",")
        assert record.marks(int(number), int(pair), side, "") == four


# ── files ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_file_that_is_not_utf8(tmp_path: Path, three: Stage) -> None:
    path = tmp_path / "shots.csv"
    path.write_bytes(HEAD.encode() + "1,1,上射,1010\n1,1,".encode() + "下射".encode("gb18030") + b",1010\n")
    with pytest.raises(ScenarioError) as refused:
        read_record(str(path), three, Model())
    (found,) = refused.value.findings
    # 24 bytes of header, 16 of the first row (4 + 6 + 1 + 4 + 1), 4 of the next.
    assert (found.code, found.span and (found.span.line, found.span.column)) == ("not-utf8", (3, 5))
    assert "byte 44" in found.cause


def test_what_is_no_file(tmp_path: Path, three: Stage) -> None:
    for path in (str(tmp_path), str(tmp_path / "none.csv"), "a\0b"):
        with pytest.raises(ScenarioError) as refused:
            read_record(path, three, Model())
        assert [finding.code for finding in refused.value.findings] == ["no-record"]


def test_the_command_explains_and_does_not_break(tmp_path: Path) -> None:
    path = tmp_path / "shots.csv"
    path.write_text(HEAD + "1,1,上射,10101\n", encoding="utf-8")
    script = "import sys\nfrom yanli.cli import main\nsys.argv = ['yanli', 'score', sys.argv[1]]\nmain()"
    for argument in (path, tmp_path):
        run = subprocess.run([sys.executable, "-c", script, str(argument)], capture_output=True, text=True, check=False)
        assert run.returncode == 1
        assert "Traceback" not in run.stderr
        assert "error" in run.stderr


def test_a_record_is_what_is_played(tmp_path: Path) -> None:
    path = tmp_path / "shots.csv"
    rows = lines(3, later="0000")
    # Counted by hand: 上射 3 + 0 + 0, 下射 0 + 1 + 4.
    rows[6], rows[9], rows[11] = "2,1,上射,1011", "2,2,下射,0010", "2,3,下射,1111"
    path.write_text(HEAD + "\n".join(rows), encoding="utf-8")
    played = rehearse(RITE, sets=["眾耦=0", "賓主與射=否", "大夫與射=否"], record=str(path))
    second, third = tally(played)["rounds"]
    assert (second["sides"]["右"]["sticks"], second["sides"]["左"]["sticks"]) == (3, 5)
    assert second["announcement"] == "左賢於右一純"
    assert third["announcement"] == "左右鈞"


def test_a_round_that_the_scenario_does_not_hold_is_not_asked_for(tmp_path: Path) -> None:
    """若命曰復射: a record of the great archery without it has three rounds, of the three pairs and then of ten."""
    rows = ["round,pair,shooter,hits"]
    rows += [f"1,{pair},{side},1000" for pair in (1, 2, 3) for side in ("上射", "下射")]
    rows += [f"{round_},{pair},{side},1000" for round_ in (2, 3) for pair in range(1, 11) for side in ("上射", "下射")]
    record = tmp_path / "great.csv"
    record.write_text("\n".join(rows) + "\n", encoding="utf-8")
    assert not [found for found in rehearse("dashe", record=str(record)).findings if found.grade == "error"]
    with pytest.raises(ScenarioError, match="復射"):
        rehearse("dashe", sets=["復射=是"], record=str(record))
