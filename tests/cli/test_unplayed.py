"""A rite that cannot be played to its end says so, whatever it is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from yanli.cli import main

RITE = 'name = "試"\nslug = "trial"\nlike = "xiangshe"\n'
SCORE = """## 試 · trial

賓升
    賓 升
賓射
    賓 射
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A rite in which somebody shoots without a bow."""
    (tmp_path / "rite.toml").write_text(RITE, encoding="utf-8")
    (tmp_path / "trial.pu").write_text(SCORE, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ["perform"],
        ["perform", "--json"],
        ["things"],
        ["silence"],
        ["why", "1"],
        ["state", "--after", "賓升"],
        ["plan", "--after", "賓升"],
        ["stage", "--json"],
        ["rehearse", "-o", "{folder}/out"],
    ],
)
def test_what_could_not_be_played_is_told_beside_the_output_and_by_the_exit_code(
    folder: Path, words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name, *rest = (word.format(folder=folder) for word in words)
    monkeypatch.setattr("sys.argv", ["yanli", name, str(folder), *rest])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 1
    told = capsys.readouterr()
    assert "賓射" in told.err
    assert "1 誤 errors" in told.err
    assert "errors" not in told.out
    assert told.out.strip()


def test_a_score_that_cannot_be_read_is_told_by_whatever_plays_it(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "trial.pu").write_text("##\n", encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["yanli", "perform", str(folder)])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 1
    assert "trial.pu:1:3: error [malformed-heading]" in capsys.readouterr().err
