"""The folder of a rehearsal holds everything, and touches nothing that it did not write."""

import csv
from pathlib import Path

import pytest

from yanli.errors import ScenarioError
from yanli.performance.perform import Performance
from yanli.rehearsal import rehearse
from yanli.render.folder import fill
from yanli.render.moments import section_times


def test_everything_is_there(performance: Performance, tmp_path: Path) -> None:
    folder = tmp_path / "out" / "rite"
    lines = list(fill(performance, folder, english=False))
    assert str(folder) in lines[-1]
    for name in (
        "timeline.txt",
        "timeline.jsonl",
        "script.md",
        "properties.txt",
        "setting-up.txt",
        "record.txt",
        "summary.md",
    ):
        assert (folder / name).read_text(encoding="utf-8").strip(), name
    with (folder / "timeline.csv").open(encoding="utf-8", newline="") as file:
        assert len(list(csv.reader(file))) == len(performance.events) + 1
    scripts = {path.stem for path in (folder / "scripts").iterdir()}
    assert scripts == set(performance.stage.cast.persons)
    plans = sorted(path.name for path in (folder / "plans").iterdir())
    assert plans == sorted(f"{time.number:02}-{time.slug}.svg" for time in section_times(performance))
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert all(f'"scripts/{name}.md"' in page for name in scripts)


def test_filled_twice_it_is_the_same(small: Path, tmp_path: Path) -> None:
    found = rehearse(small)
    folder = tmp_path / "out"
    list(fill(found, folder))
    first = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert folder / "record.txt" not in first, "nobody shoots in it"
    list(fill(rehearse(small), folder))
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == first


def test_what_is_no_longer_needed_goes_and_all_else_stays(small: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    list(fill(rehearse(small, sets=["大夫=3"]), folder))
    mine, changed = folder / "scripts" / "mine.md", folder / "scripts" / "大夫.3.md"
    mine.write_text("己所書", encoding="utf-8")
    changed.write_text("己所改", encoding="utf-8")
    list(fill(rehearse(small, sets=["大夫=1"]), folder))
    assert not (folder / "scripts" / "大夫.2.md").exists()
    assert mine.read_text(encoding="utf-8") == "己所書"
    assert changed.read_text(encoding="utf-8") == "己所改"


def test_a_file_is_no_folder(small: Path, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("己所書", encoding="utf-8")
    for folder in (path, path / "below"):
        with pytest.raises(ScenarioError):
            list(fill(rehearse(small), folder))
    assert path.read_text(encoding="utf-8") == "己所書"
