"""What the building needs of a machine is looked for where it may be, and its lack is told in words."""

import os
from pathlib import Path

import pytest

import browser as browsers
import packages
from folder import as_json, fill


def command(folder: Path, name: str, says: str, code: int = 0) -> Path:
    """A command that prints one line and ends with a code."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\necho '{says}'\nexit {code}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    ("version", "good"), [("v18.20.1", False), ("v20.0.0", True), ("v24.19.0", True), ("?", False)]
)
def test_a_node_is_taken_when_it_is_new_enough(tmp_path: Path, version: str, *, good: bool) -> None:
    command(tmp_path, "node", version)
    npm = command(tmp_path, "npm", "10")
    assert packages.npm(str(tmp_path)) == (str(npm) if good else None)


def test_a_node_without_npm_does_not_do(tmp_path: Path) -> None:
    command(tmp_path, "node", "v22.1.0")
    assert packages.npm(str(tmp_path)) is None


def test_where_no_node_can_be_had_it_is_told_how_to_get_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(packages, "HERE", tmp_path)
    monkeypatch.setattr(packages, "WHEEL", tmp_path / "none.txt")
    assert packages.main() == 1
    told = capfd.readouterr()
    assert "installing it" in told.out
    assert "none.txt" in told.err  # what hindered the wheel is seen
    assert "Node 20 or newer" in told.err
    assert "apt install nodejs npm" in told.err


def test_the_browser_that_is_named_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    named = command(tmp_path, "mine", "Chromium 1")
    command(tmp_path / "bin", "chromium", "Chromium 2")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("YANLI_BROWSER", str(named))
    assert browsers.main() == 0
    assert capfd.readouterr().out == f"{named}\n"


def test_a_browser_of_the_path_is_taken_when_it_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    command(tmp_path, "chromium-browser", "please install the snap", code=1)
    good = command(tmp_path, "google-chrome", "Google Chrome 140")
    monkeypatch.setenv("PATH", os.pathsep.join([str(tmp_path), os.defpath]))
    monkeypatch.setattr(browsers, "NAMES", ("chromium-browser", "google-chrome"))
    monkeypatch.delenv("YANLI_BROWSER", raising=False)
    assert browsers.main() == 0
    assert capfd.readouterr().out == f"{good}\n"


def test_without_a_browser_its_lack_is_told(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("YANLI_BROWSER", raising=False)
    for way in ("found", "from_debian", "from_playwright"):
        monkeypatch.setattr(browsers, way, lambda: None)
    assert browsers.main() == 0
    told = capfd.readouterr()
    assert told.out == "\n"
    assert "apt install chromium" in told.err
    assert "YANLI_BROWSER" in told.err


def test_a_folder_holds_what_it_is_given_and_what_is_so_already_is_left_alone(tmp_path: Path) -> None:
    fill(tmp_path / "made", {"a/b.txt": b"1", "c.txt": b"2", "gone/d.txt": b"3"})
    os.utime(tmp_path / "made" / "c.txt", (1, 1))
    fill(tmp_path / "made", {"a/b.txt": b"one", "c.txt": b"2"})
    files = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert files == {"made/a/b.txt", "made/c.txt"}
    assert (tmp_path / "made" / "a" / "b.txt").read_bytes() == b"one"
    assert (tmp_path / "made" / "c.txt").stat().st_mtime == 1
    assert not (tmp_path / "made" / "gone").exists()


def test_json_is_written_for_people_too() -> None:
    assert as_json({"禮": [1]}).decode() == '{\n  "禮": [\n    1\n  ]\n}\n'
