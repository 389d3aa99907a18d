"""The pages of docs/ tell the truth: the rite that is shown as an example is written, checked and played."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from yanli.checks.rules import Rule, read_rules
from yanli.notation.format import format_score
from yanli.notation.parser import parse
from yanli.notation.rite import load_rite
from yanli.plan import casting
from yanli.rehearsal import check_rite

PAGE = Path(__file__).resolve().parents[1] / "docs" / "rites.md"
FILE = re.compile(r"^```\w+ (\S+\.(?:toml|pu))\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def shown() -> dict[str, str]:
    """The files on the page, by name."""
    return dict(FILE.findall(PAGE.read_text(encoding="utf-8")))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder that the page tells one to make."""
    made = tmp_path / "one-cup"
    made.mkdir()
    for name, text in shown().items():
        (made / name).write_text(text, encoding="utf-8")
    return made


def test_the_example_is_whole_and_sound(folder: Path) -> None:
    report = check_rite(folder, close=True, everything=True)
    assert [finding.cause for finding in report.findings if finding.code != "no-edition"] == []
    assert report.bare == 0


def test_the_example_is_in_order() -> None:
    score = shown()["one-cup.pu"]
    assert format_score(parse(score, "one-cup.pu")) == score


def test_the_commands_do_what_they_say(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from yanli.cli import main

    (block,) = CONSOLE.findall(PAGE.read_text(encoding="utf-8"))
    monkeypatch.chdir(folder.parent)
    for line in block.splitlines():
        monkeypatch.setattr("sys.argv", shlex.split(line.removeprefix("$ ")))
        with pytest.raises(SystemExit) as ended:
            main()
        assert (ended.value.code or 0, capsys.readouterr().err) == (0, ""), line


def test_the_rule_that_is_shown_is_read_and_can_fail(folder: Path) -> None:
    (rule,) = read_rules(load_rite(folder))
    assert isinstance(rule, Rule)
    score = folder / "one-cup.pu"
    score.write_text(shown()["one-cup.pu"].replace("升，坐，取", "升，取"), encoding="utf-8")
    assert "rule-broken" in {finding.code for finding in check_rite(folder).findings}


def test_every_field_that_is_named_exists() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([a-z*]+\.\w+)` \| (.*) \|$", text, re.MULTILINE))
    tables = {
        "cast.toml": (casting.PersonTable, {"name", "count", "present", "party", "stair", "place", "facing", "dress"}),
        "groups.toml": (casting.GroupTable, {"of", "first", "skip", "without", "en"}),
        "things.toml": (casting.ThingTable, {"kind", "number", "called", "place", "in", "each", "of"}),
        "rules.toml": (Rule, {"name", "words", "when", "must", "never"}),
    }
    for name, (shape, fields) in tables.items():
        told = set(re.findall(r"`([a-z_]+)(?: = true)?`", rows[name]))
        assert told == fields, name
        assert told <= set(shape.__struct_encode_fields__), name
