"""The command line as a person meets it: what comes, where it comes, and the exit code."""

from __future__ import annotations

import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.resources import files
from pathlib import Path

import polars as pl
import pytest
from tests.cli.conftest import Yanli

from yanli.cli import app
from yanli.cli.report import as_text, print_findings
from yanli.errors import Finding
from yanli.notation.rite import load_rite

RITES = Path(str(files("yanli").joinpath("rites")))
RITE = "xiangshe"
OFFER = "主人坐取爵實之賓席之前西北面獻賓"
SMALL = """## 小 · small

主人坐取爵于上篚
    主人 坐，取 爵 于 上篚，興
主人洗爵
    主人 洗 爵
若大夫入
    若 有 大夫
        大夫 立 門內 北面
主人奠爵
    主人 奠 爵 于 上篚
"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A rite of four clauses."""
    folder = tmp_path / "small"
    folder.mkdir()
    (folder / "rite.toml").write_text('name = "小禮"\nslug = "small"\nlike = "xiangshe"\n', encoding="utf-8")
    (folder / "small.pu").write_text(SMALL, encoding="utf-8")
    return folder


def fresh(*words: str, before: str = "", **settings: str) -> subprocess.Popen[str]:
    """The command in a process of its own, ``before`` it a line of Python; ``settings`` of its environment."""
    code = f"{before}\nfrom yanli.cli import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", code, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
        env={**os.environ, **settings},
    )  # fmt: skip


# ── help, and what was typed wrong ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("words", [(), ("-h",), ("--help",)])
def test_help(yanli: Yanli, words: tuple[str, ...]) -> None:
    done = yanli(*words)
    assert done.code == 0
    assert all(command.name in done.out for command in app.registered_commands if command.name)


def test_version(yanli: Yanli) -> None:
    from yanli import __version__

    assert yanli("--version") == (0, f"yanli {__version__}\n", "")


@pytest.mark.parametrize("name", [command.name for command in app.registered_commands])
def test_every_command_has_an_example(yanli: Yanli, name: str) -> None:
    done = yanli(name, "--help")
    assert done.code == 0
    assert f"yanli {name}" in done.out.partition("Example")[2]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("perfrom", RITE), "perform"),
        (("perform",), "RITE"),
        (("perform", RITE, "--frmat", "csv"), "--format"),
        (("perform", RITE, "--format", "xml"), "parquet"),
        (("state", RITE), "--after"),
        (("state", RITE, "--after", OFFER, "--nth", "0"), "--nth"),
        (("why", RITE, "first"), "EVENT"),
        (("check",), "RITE"),
        (("rehearse", RITE), "--output"),
        (("text", RITE, "--spelling", "mine"), "source"),
    ],
)
def test_what_is_typed_wrong_exits_with_2(yanli: Yanli, words: tuple[str, ...], told: str) -> None:
    done = yanli(*words)
    assert (done.code, done.out) == (2, "")
    assert told in done.err


# ── perform ─────────────────────────────────────────────────────────────────────────────────────────────────────────

PART = ("perform", RITE, "--from", "請射", "--to", "射事畢", "--actor", "司馬")


def test_perform_in_all_formats(yanli: Yanli, tmp_path: Path) -> None:
    events = yanli(*PART, "--format", "jsonl").lines()
    assert {
        "n",
        "rite",
        "section",
        "clause",
        "text",
        "actor",
        "verb",
        "times",
        "object",
        "object_ids",
        "target",
    } <= set(events[0])
    assert {"from", "to", "place", "xy", "facing", "posture", "speech", "music", "origin", "warrant"} <= set(events[0])
    assert {"reading", "start", "end", "via", "roles", "together", "hit"} <= set(events[0])
    assert [event["start"] for event in events] == sorted(event["start"] for event in events)
    assert yanli(*PART, "--json").lines() == events
    table = pl.read_csv(yanli(*PART, "--format", "csv").out.encode(), infer_schema_length=None)
    assert table["n"].to_list() == [event["n"] for event in events]
    path = tmp_path / "deep" / "t.parquet"
    assert yanli(*PART, "--format", "parquet", "-o", str(path)) == (0, "", "")
    assert pl.read_parquet(path)["verb"].to_list() == [event["verb"] for event in events]
    done = yanli(*PART)
    assert done.code == 0
    assert "司馬命張侯" in done.out
    assert "命" in done.out


def test_a_part_begins_and_ends_with_its_words(yanli: Yanli) -> None:
    events = yanli("perform", RITE, "--from", "主人坐取爵于上篚以降", "--to", "賓降", "--json").lines()
    # What takes no time and begins as the last words end belongs to that moment too.
    lasting = [event["text"] for event in events if event["start"] < event["end"]]
    assert list(dict.fromkeys(lasting)) == ["主人坐取爵于上篚以降", "賓降"]


def test_an_actor_is_followed_through_his_offices(yanli: Yanli) -> None:
    events = yanli(*PART, "--json").lines()
    assert all("相" in {event["actor"], *str(event["target"]).split("、")} for event in events)


def test_an_actor_may_be_spelt_otherwise(yanli: Yanli) -> None:
    assert yanli(*PART[:-1], "衆賓", "--json").lines() == yanli(*PART[:-1], "眾賓", "--json").lines()


def test_what_is_put_on_or_off_is_the_object(yanli: Yanli) -> None:
    events = yanli("perform", RITE, "--to", "主人朝服乃速賓", "--json").lines()
    assert {event["object"] for event in events if event["verb"] == "服"} == {"玄端", "朝服"}


def test_output_goes_to_a_file(yanli: Yanli, small: Path, tmp_path: Path) -> None:
    path = tmp_path / "new" / "out.jsonl"
    assert yanli("perform", str(small), "--json", "-o", str(path)) == (0, "", "")
    assert path.read_text(encoding="utf-8") == yanli("perform", str(small), "--json").out
    blocked = yanli("perform", str(small), "-o", str(path / "under.txt"))
    assert (blocked.code, blocked.out) == (1, "")
    assert "cannot-write" in blocked.err


# ── state ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_state_keeps_the_contract(yanli: Yanli) -> None:
    done = yanli("state", RITE, "--after", OFFER, "--json")
    state = done.data()
    assert done.code == 0
    assert state["clause"].startswith("xiangshe.4.")
    host = state["actors"]["主人"]
    assert {"place", "zone", "xy", "facing", "posture", "step", "hands", "dress", "belt"} <= set(host)
    assert (host["place"], host["zone"], host["facing"], host["posture"]) == ("賓席前", "堂上", "西北", "立")
    (cup,) = host["hands"]["右"]
    assert state["things"][cup] | {"kind": "爵", "where": "主人", "filled": True} == state["things"][cup]
    mat = next(thing for thing in state["things"].values() if thing["kind"] == "席" and thing.get("of") == "賓")
    assert {"place", "facing", "layers"} <= set(mat)
    assert "左下綱" in state["target"]
    assert set(state["tally"]) == {"右", "左"}
    assert "主人" in yanli("state", RITE, "--after", "主人坐取爵，實之賔席之前西北靣獻賔").out


def test_nth_counts_every_playing(yanli: Yanli) -> None:
    first = yanli("state", RITE, "--after", "皆當其物北面揖", "--json").data()
    second = yanli("state", RITE, "--after", "皆當其物北面揖", "--nth", "2", "--json").data()
    assert first["time"] < second["time"]
    many = yanli("state", RITE, "--after", "皆當其物北面揖", "--nth", "500")
    assert (many.code, many.out) == (1, "")
    assert "500" in many.err
    assert "皆當其物北面揖" in many.err


def test_words_that_are_not_played_name_the_branch(yanli: Yanli) -> None:
    done = yanli("state", RITE, "--after", "大夫若有遵者則入門左", "--set", "大夫=0")
    assert (done.code, done.out) == (1, "")
    assert "not-played" in done.err
    assert "若 有 眾遵" in done.err
    beaten = yanli("state", RITE, "--after", "若左勝則曰左賢於右", "--set", "勝=右")
    assert (beaten.code, beaten.out) == (1, "")
    assert "若 左勝" in beaten.err
    assert yanli("state", RITE, "--after", "若左勝則曰左賢於右", "--set", "勝=左").code == 0


def test_a_part_cannot_end_before_it_begins(yanli: Yanli) -> None:
    done = yanli("perform", RITE, "--from", "射事畢", "--to", "請射", "--json")
    assert (done.code, done.out) == (1, "")
    assert "not-played" in done.err


# ── names that do not exist ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("words", "code", "near"),
    [
        (("perform", "鄉社禮"), "unknown-rite", "鄉射禮"),
        (("check", "no/such/folder"), "unknown-rite", ""),
        (("state", RITE, "--after", "主人坐取爵寶之"), "unknown-words", "主人坐取爵實之"),
        (("state", RITE, "--after", ""), "unknown-words", ""),
        (("perform", RITE, "--actor", "司嗎"), "unknown-role", "司馬"),
        (("perform", RITE, "--actor", "眾賓.99"), "unknown-role", "眾賓.9"),
        (("perform", RITE, "--from", ""), "unknown-words", "no words are given"),
        (("perform", RITE, "--school", "孔子"), "unknown-school", "nearest"),
        (("perform", RITE, "--reading", "豫=孔子"), "unknown-reading", "鄭玄"),
        (("perform", RITE, "--reading", "預=鄭玄"), "unknown-crux", "nearest"),
        (("perform", RITE, "--reading", "豫"), "bad-setting", "CRUX=READING"),
        (("perform", RITE, "--record", "no.csv"), "no-record", "no.csv"),
        (("why", RITE, "0"), "unknown-event", "1 to"),
        (("why", RITE, "99999999"), "unknown-event", "1 to"),
        (("score",), "no-record", "--blank"),
        (("score", "no.csv"), "no-record", "no.csv"),
        (("fmt", "no.pu"), "unreadable-file", "no.pu"),
    ],
)
def test_what_does_not_exist_is_told_with_the_nearest(
    yanli: Yanli, words: tuple[str, ...], code: str, near: str
) -> None:
    done = yanli(*words)
    assert (done.code, done.out) == (1, "")
    assert f"[{code}]" in done.err
    assert near in done.err


# ── scenarios ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("眾賓 = 5\n大夭 = 1\n", ["s.toml:2:1: error [unknown-key]", "大夭", "nearest: 大夫"]),
        ("眾賓 = 5\n大夫 =\n", ["s.toml:2:1: error [bad-toml]"]),
        ("眾賓 = 5\n大夫 = 1\n大夫 = 2\n", ["s.toml:3:1: error [bad-toml]"]),
        (
            "# 無算\n無算 = 101\n眾賓 = 2\n",
            ["s.toml:2:1: error [bad-value] 無算 = 101", "s.toml:3:1: error [bad-value]"],
        ),
        ('所 = "序序"\n', ["s.toml:1:1: error [bad-value]", "nearest: 序"]),
        ("大夫 = 2.5\n", ["expected a whole number"]),
        ('賓主與射 = "maybe"\n', ["expected 是 or 否"]),
        ("眾賓 = 3\n眾耦 = 9\n", ["[too-few]", "at least 19"]),
        ("[技]\n主人 = 3\n", ["[bad-skill]", "主人"]),
        ('家 = "孔子"\n', ["[unknown-school]"]),
        (f"眾賓 = {'9' * 5000}\n", ["error [bad-toml]"]),
        (f"眾賓 = {'[' * 5000}\n", ["error [bad-toml]"]),
    ],
)
def test_a_broken_scenario_file(yanli: Yanli, tmp_path: Path, text: str, told: list[str]) -> None:
    (tmp_path / "s.toml").write_text(text, encoding="utf-8")
    done = yanli("perform", RITE, "--scenario", "s.toml")
    assert (done.code, done.out) == (1, "")
    assert [part for part in told if part not in done.err] == []


def test_a_scenario_file_that_cannot_be_read(yanli: Yanli, tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_bytes("眾賓 = 5\n大夫 = 1\n".encode() + "所 = 庠".encode("big5"))
    done = yanli("perform", RITE, "--scenario", "s.toml")
    assert done.code == 1
    assert "s.toml:3:1: error [not-utf8]" in done.err
    missing = yanli("perform", RITE, "--scenario", "none.toml")
    assert missing.code == 1
    assert "[no-scenario] none.toml" in missing.err


def test_a_mark_at_the_head_of_a_scenario_file_is_no_part_of_its_first_key(
    yanli: Yanli, small: Path, tmp_path: Path
) -> None:
    (tmp_path / "s.toml").write_text("大夫 = 2\n", encoding="utf-8-sig")
    events = yanli("perform", str(small), "--scenario", "s.toml", "--json").lines()
    assert "大夫.2" in {event["actor"] for event in events}


def test_every_broken_setting_is_told_at_once(yanli: Yanli) -> None:
    done = yanli("perform", RITE, "--set", "眾賓=1", "--set", "大天=2", "--set", "無算=many", "--set", "眾賓")
    assert done.code == 1
    assert done.err.count("error") == 4
    assert "nearest: 大夫" in done.err


def test_a_setting_wins_over_the_file(yanli: Yanli, small: Path, tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text("大夫 = 0\n", encoding="utf-8")
    without = yanli("perform", str(small), "--scenario", "s.toml", "--json").lines()
    assert "大夫.1" not in {event["actor"] for event in without}
    with_two = yanli("perform", str(small), "--scenario", "s.toml", "--set", "大夫=2", "--json").lines()
    assert "大夫.2" in {event["actor"] for event in with_two}


# ── check ───────────────────────────────────────────────────────────────────────────────────────────────────────────

FAULTS = """## 尾 · tail

主人洗爵
    主人 洗 爵
主人飲
    主人 卒飲 爵
主人揖
    說 揖 · 鄭玄
        主人 揖
    說 揖 · 敖繼公
        主人 再拜
"""


def test_check_of_the_packaged_rite(yanli: Yanli) -> None:
    done = yanli("check", RITE, "--json")
    report = done.data()
    assert done.code == (1 if any(finding["grade"] == "error" for finding in report["findings"]) else 0)
    assert report["text_equal"] is True
    assert (report["bare"], report["clauses"]) == (0, report["performed"] + report["bound"])


def test_every_fault_of_a_score_is_told(yanli: Yanli, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    shutil.copytree(RITES / RITE, folder)
    score = folder / "01-invite.pu"
    text = score.read_text(encoding="utf-8")
    assert "\n主人再拜\n" in text
    score.write_text(text.replace("\n主人再拜\n", "\n主人拜\n", 1), encoding="utf-8")
    (folder / "99-tail.pu").write_text(FAULTS, encoding="utf-8")
    line = text[: text.index("\n主人再拜\n")].count("\n") + 2
    done = yanli("check", str(folder))
    assert done.code == 1
    for told in (
        f"01-invite.pu:{line}:1: error [text-differs]",
        "the edition has 「再」 after",
        "99-tail.pu:4:8: error [holds-nothing] 洗",
        "99-tail.pu:6:8: error [unknown-verb] 卒飲",
        "nearest: 卒洗、卒爵",
        "99-tail.pu:8:5: error [crux-without-default]",
        "    說 揖 · 鄭玄",
        "於「主人洗爵」",
        "NOT equal",
    ):
        assert told in done.out, told
    report = yanli("check", str(folder), "--json")
    assert report.code == 1
    found = {finding["code"] for finding in report.data()["findings"] if finding["grade"] == "error"}
    assert found == {"text-differs", "holds-nothing", "unknown-verb", "crux-without-default"}


def test_check_of_a_score_alone(yanli: Yanli, small: Path) -> None:
    assert yanli("check", str(small / "small.pu")).code == 0
    done = yanli("check", str(small), RITE, "--json")
    assert [report["slug"] for report in done.data()] == ["small", RITE]


def test_a_rite_that_cannot_be_had_hides_nothing_of_the_others(yanli: Yanli, small: Path, tmp_path: Path) -> None:
    (tmp_path / "no.pu").write_bytes(b"\xff")
    done = yanli("check", "no.pu", str(small))
    assert done.code == 1
    assert "no.pu:1:1: error [unreadable-file]" in done.err
    assert "0 errors" in done.out
    assert [report["slug"] for report in yanli("check", "no.pu", str(small), "--json").data()] == ["small"]


@pytest.mark.parametrize(
    ("score", "told"),
    [
        ("", ["no-clauses"]),
        (
            "主人揖\n    拾 (主人 賓) 至 有 爵 在 主人\n        拾者 揖\n賓飛\n    賓 飛\n",
            ["endless-turns", "unknown-verb"],
        ),
    ],
)
def test_what_cannot_be_played_is_checked_all_the_same(
    yanli: Yanli, tmp_path: Path, score: str, told: list[str]
) -> None:
    (tmp_path / "s.pu").write_text(score, encoding="utf-8")
    report = yanli("check", "s.pu", "--json")
    assert report.code == 1
    assert sorted(one["code"] for one in report.data()["findings"] if one["grade"] == "error") == told


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("rite.toml", b"name =", "[bad-rite-file]"),
        ("small.pu", "主人揖".encode("big5"), "small.pu:1:1: error [unreadable-file]"),
        ("cast.toml", b"[[cast", "[bad-table] cast.toml"),
        ("cast.toml", b"[[cast]]\nnmae = 1\n", "[bad-cast]"),
        ("places.toml", b'[places.x]\nx = "1"\n', "[bad-places]"),
        ("lexicon.toml", b"[things.x]\nfoo = 1\n", "lexicon.toml:2:1: error"),
        ("rules.toml", b"[[rule]\n", "[bad-rules]"),
        ("edition.toml", b"text = 3\n", "[bad-edition]"),
    ],
)
def test_a_table_that_cannot_be_read(yanli: Yanli, small: Path, name: str, data: bytes, told: str) -> None:
    (small / name).write_bytes(data)
    done = yanli("check", str(small))
    assert done.code == 1
    assert told in done.err


# ── text and layout ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_text(yanli: Yanli, small: Path) -> None:
    assert yanli("text", RITE).out == load_rite(RITE).canonical + "\n"
    assert yanli("text", str(small), "--clauses").out.splitlines() == [
        "## 小",
        "",
        "主人坐取爵于上篚",
        "主人洗爵",
        "若大夫入",
        "主人奠爵",
    ]
    told = yanli("text", str(small), "--json").data()
    assert [clause["clause"] for clause in told["clauses"]] == ["small.1.1", "small.1.2", "small.1.3", "small.1.4"]


def test_text_as_the_source_spells_it(yanli: Yanli) -> None:
    pinned = tomllib.loads((RITES / RITE / "spelling.toml").read_text(encoding="utf-8"))["text"]
    words = yanli("text", RITE, "--spelling", "source").out.removesuffix("\n")
    assert len(words) == pinned["source_length"]
    assert hashlib.sha256(words.encode()).hexdigest() == pinned["source_sha256"]


def test_fmt(yanli: Yanli, small: Path) -> None:
    score = small / "small.pu"
    assert yanli("fmt", "--check", str(small)) == (0, "", "")
    score.write_text(SMALL.replace("主人 洗 爵", "主人  洗  爵"), encoding="utf-8")
    done = yanli("fmt", "--check", str(small))
    assert done.code == 1
    assert str(score) in done.out
    assert "主人  洗" in score.read_text(encoding="utf-8")
    assert yanli("fmt", str(small)).code == 0
    assert score.read_text(encoding="utf-8") == SMALL
    assert yanli("fmt", "--check", *(str(path) for path in sorted((RITES / RITE).glob("*.pu")))).code == 0


# ── pipes and colours ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("words", [("perform", RITE, "--format", "jsonl"), ("text", RITE, "--json"), ("check", RITE)])
def test_whoever_reads_may_go(words: tuple[str, ...]) -> None:
    process = fresh(*words)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    with process.stderr:
        assert process.stderr.read() == ""
    assert process.wait() == 0


def test_a_line_that_goes_on_for_pages_is_told_by_its_beginning() -> None:
    told = as_text(Finding(code="bad-row", cause="x" * 100_000, line="y" * 100_000, words="甲" * 100_000))
    assert len(told) < 4000


def test_pipes_carry_utf_8_whatever_the_locale() -> None:
    out, err = fresh("rites", PYTHONIOENCODING="ascii").communicate()
    assert "鄉射禮" in out
    assert err == ""


@pytest.mark.parametrize(
    ("before", "code", "told"),
    [
        ("import sys; sys.stdout = open('/dev/full', 'w')", 1, "[cannot-write] /dev/full"),
        ("import sys; sys.stdout = None", 0, ""),
    ],
)
def test_a_screen_that_cannot_be_written_on(before: str, code: int, told: str) -> None:
    if "/dev/full" in before and not Path("/dev/full").exists():
        pytest.skip("no full device here")
    process = fresh("rites", before=before)
    _, err = process.communicate()
    assert process.returncode == code
    assert told in err
    assert "Traceback" not in err


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_colours_are_for_terminals_that_want_them(monkeypatch: pytest.MonkeyPatch) -> None:
    finding = Finding(code="unknown-verb", cause="挹 is no verb", nearest=("揖",), known="主人", follows=True)
    plain = as_text(finding) + "\n"
    assert plain.startswith("error [unknown-verb] 挹 is no verb\n")
    assert "nearest: 揖" in plain
    monkeypatch.delenv("NO_COLOR", raising=False)
    terminal, pipe = Terminal(), io.StringIO()
    print_findings([finding], to=terminal)
    print_findings([finding], to=pipe)
    assert terminal.getvalue() == plain.replace("error", "\033[31merror\033[0m", 1)
    assert pipe.getvalue() == plain
    monkeypatch.setenv("NO_COLOR", "1")
    quiet = Terminal()
    print_findings([finding], to=quiet)
    assert quiet.getvalue() == plain


# ── the rest ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "words",
    [
        ("why", "{}", "1"),
        ("silence", "{}"),
        ("things", "{}"),
        ("cruxes", "{}"),
        ("rules", "{}"),
        ("diff", "{}", "--against", "敖繼公"),
        ("state", "{}", "--after", "主人洗爵"),
        ("check", "{}"),
        ("text", "{}"),
    ],
)
def test_what_reports_can_report_in_json(yanli: Yanli, small: Path, words: tuple[str, ...]) -> None:
    call = [word.format(small) for word in words]
    plain, told = yanli(*call), yanli(*call, "--json")
    assert (plain.code, told.code) == (0, 0)
    assert plain.out
    assert told.data() is not None


def test_score_counts_by_the_first_rite_there_is(yanli: Yanli, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    assert yanli("score", "--blank", "-o", str(sheet)).code == 0
    assert sheet.read_text(encoding="utf-8").startswith("round,pair,shooter,hits")
    assert yanli("score", "--blank").out == yanli("score", "--blank", "--rite", RITE).out


def test_a_sheet_is_counted_by_the_rite_that_it_was_made_of(yanli: Yanli, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    assert yanli("score", "--rite", "大射儀", "--blank", "-o", str(sheet)).code == 0
    filled = re.sub(r"^(\d+,\d+,\S+,)$", r"\g<1>0000", sheet.read_text(encoding="utf-8"), flags=re.MULTILINE)
    sheet.write_text(filled, encoding="utf-8")
    assert yanli("score", str(sheet)).out.startswith("大射儀　數獲")
    asked = yanli("score", str(sheet), "--rite", RITE)
    assert (asked.code, asked.err.count("this record is a sheet of dashe")) == (1, 1)
    # One that does not say so is counted by the first rite, which is told beside what does not fit.
    sheet.write_text(filled.replace("# rite:", "# of"), encoding="utf-8")
    unsaid = yanli("score", str(sheet))
    assert unsaid.code == 1
    assert f"note [rite-not-given] counted by {RITE}" in unsaid.err


@pytest.mark.parametrize("words", ["上射揖並行", "皆當其物北面揖", "主人坐取爵實之賓席之前西北面獻賓"])
def test_the_plan_shows_the_very_moment_that_state_tells(yanli: Yanli, words: str) -> None:
    """Acts of the next clause that take no time belong neither to the state nor to the plan."""
    actors = yanli("state", RITE, "--after", words, "--json").data()["actors"]
    drawn = re.findall(r'data-name="([^"]+)" data-facing="([^"]+)"', yanli("plan", RITE, "--after", words).out)
    assert len(drawn) > 10
    assert [(name, facing) for name, facing in drawn if actors[name]["facing"] != facing] == []
