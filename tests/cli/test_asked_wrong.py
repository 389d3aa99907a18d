"""What is asked in the wrong way is told, and never passed over; a scenario may be written in any of the known ways."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from yanli.cli import main

if TYPE_CHECKING:
    from pathlib import Path

RITE = """
rounds = ["試"]
name = "試"
slug = "trial"
like = "xiangshe"

[shooting."試"]
pairs = ["三耦"]

[scenario."seed"]
type = "seed"
default = 1
"""
CAST = '[[cast]]\nname = "三耦"\nmembers = ["上射", "下射"]\ncount = 2\nplace = "西階前"\n'
GROUPS = '[pairs."三耦"]\ncount = 2\nupper = "上射"\nlower = "下射"\n'
SCORE = "## 試 · trial\n\n三耦升\n    三耦 升\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A rite of two pairs who could shoot."""
    files = {"rite.toml": RITE, "cast.toml": CAST, "groups.toml": GROUPS, "things.toml": "", "trial.pu": SCORE}
    for name, words in files.items():
        (tmp_path / name).write_text(words, encoding="utf-8")
    return tmp_path


def asked(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> tuple[int | str | None, str, str]:
    """The exit code, and what was written on the screen and beside it."""
    monkeypatch.setattr("sys.argv", ["yanli", *words])
    with pytest.raises(SystemExit) as left:
        main()
    told = capsys.readouterr()
    return left.value.code, told.out, told.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["score", "--judge", "--blank"], "--judge takes no --blank"),
        (["score", "shots.csv", "--judge"], "--judge takes no RECORD"),
        (["score", "--judge", "--rite", "nothing"], "--judge takes no --rite"),
        (["tables", "--csv"], "--csv expects the name of a table"),
        (["tables", "耦", "--emended"], "--emended takes no table"),
        (["target", "--three", "--domain", "畿內"], "--three takes no --domain"),
    ],
)
def test_options_that_do_not_go_together_are_told(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, err = asked(words, capsys, monkeypatch)
    assert code == 1
    assert said in err
    assert not out


def test_a_table_goes_by_its_name_in_capitals_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, _ = asked(["tables", "PAIRS"], capsys, monkeypatch)
    assert (code, out.startswith("耦")) == (0, True)


@pytest.mark.parametrize("name", ["鄉射禮", "乡射礼", " XIANGSHE ", "the district archery ceremony"])
def test_a_rite_goes_by_its_name_in_any_script_and_in_english(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, _ = asked(["text", name], capsys, monkeypatch)
    assert (code, out.startswith("鄉射之禮")) == (0, True)


@pytest.mark.parametrize(
    "words",
    [
        '矢.上射 = "1111"\n',
        '[矢]\n上射 = "1111"\n',
        "[矢]\n上射 = 1111\n",
        '[矢]\n1.上射 = "1111"\n',
        '[矢.1]  # in the first round\n上射 = "1111"\n',
        '矢.1.上射 = "1111"\r\n',
        '\ufeff[arrows]\n"1.上射" = "1111"\n',
    ],
)
def test_arrows_may_be_told_in_a_scenario_file_in_every_known_way(
    folder: Path, words: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "scenario.toml").write_bytes(words.encode())
    code, _, err = asked(["perform", str(folder), "--scenario", str(folder / "scenario.toml")], capsys, monkeypatch)
    assert (code, err) == (0, "")
    # As many arrows as he does not shoot: so the file is read indeed.
    (folder / "scenario.toml").write_bytes(words.replace("1111", "11").encode())
    code, _, err = asked(["perform", str(folder), "--scenario", str(folder / "scenario.toml")], capsys, monkeypatch)
    assert code == 1
    assert "2 arrows (11), and each shoots 4" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("矢 = 1101\n", "Expected 矢.WHO=1101"),
        ('[矢]\n上射 = ["1"]\n', "expected signs of arrows, as 矢.上射=1101"),
        ("[矢]\n上射 = true\n", "expected signs of arrows, as 矢.上射=1101"),
    ],
)
def test_arrows_told_wrongly_are_told_with_the_right_way(
    folder: Path, words: str, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "scenario.toml").write_text(words, encoding="utf-8")
    code, _, err = asked(["perform", str(folder), "--scenario", str(folder / "scenario.toml")], capsys, monkeypatch)
    assert code == 1
    assert said in err
