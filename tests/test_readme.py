"""The README tells the truth: every command in it is run, and what it shows is what comes."""

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).resolve().parents[1] / "README.md"
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^```text (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CALL = "from yanli.cli import main; main()"


def blocks() -> list[list[tuple[str, str]]]:
    """The console blocks: each command, with the output shown under it ("" when none is)."""
    found = []
    for block in BLOCK.findall(README.read_text(encoding="utf-8")):
        parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
        found.append([(command, output) for command, _, output in (part.partition("\n") for part in parts)])
    return found


def examples() -> list[tuple[str, str]]:
    """Each command of the console blocks, with its output."""
    return [example for block in blocks() for example in block]


@pytest.mark.parametrize("block", blocks(), ids=[block[0][0] for block in blocks()])
def test_commands_do_what_the_readme_shows(block: list[tuple[str, str]], tmp_path: Path) -> None:
    """The commands of a block are given one after another in one folder, which has the files that are shown."""
    for name, text in FILE.findall(README.read_text(encoding="utf-8")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    for command, output in block:
        done_as_shown(command, output, tmp_path)


def done_as_shown(command: str, output: str, folder: Path) -> None:
    """Run a command in a folder; what it writes is what is shown."""
    words = shlex.split(command)
    assert words[0] == "yanli"
    run = subprocess.run(
        [sys.executable, "-c", CALL, *words[1:]], cwd=folder, capture_output=True, encoding="utf-8", check=False
    )
    assert run.returncode == 0, run.stderr
    checker, flags = doctest.OutputChecker(), doctest.ELLIPSIS
    if output and not checker.check_output(output, run.stdout, flags):
        example = doctest.Example(command, output)
        pytest.fail(
            f"$ {command}\n" + checker.output_difference(example, run.stdout[:3000], flags | doctest.REPORT_NDIFF)
        )


def test_every_command_that_there_is_is_named() -> None:
    from yanli.cli import app

    text = README.read_text(encoding="utf-8")
    names = [command.name for command in app.registered_commands if command.name]
    assert names
    assert not [name for name in names if f"yanli {name}" not in text]


def test_what_the_shell_is_told_is_in_the_makefile() -> None:
    text = README.read_text(encoding="utf-8")
    makefile = (README.parent / "Makefile").read_text(encoding="utf-8")
    wanted = set(re.findall(r"^make ([a-z]+)", text, re.MULTILINE))
    assert wanted
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in wanted)


def test_the_scenario_file_that_is_shown_says_what_the_command_under_it_says(tmp_path: Path) -> None:
    from yanli.plan.scenario import read_file

    text = README.read_text(encoding="utf-8")
    (block,) = re.findall(r"^```toml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    (tmp_path / "yard.toml").write_text(block, encoding="utf-8")
    told = {key: str(value) for key, value in read_file(tmp_path / "yard.toml").items()}
    (command,) = (shlex.split(command) for command, _ in examples() if f"庭廣={told['庭廣']}" in command)
    assert dict(words.split("=") for words in command if "=" in words) == told


def test_every_key_of_the_first_rite_is_named_here_or_with_the_buildings() -> None:
    from yanli.notation.rite import list_rites, load_rite
    from yanli.plan.scenario import read_keys

    said = README.read_text(encoding="utf-8") + (README.parent / "docs" / "venue.md").read_text(encoding="utf-8")
    rite = load_rite(list_rites()[0].slug)
    keys = read_keys(rite.settings, rite.name)
    assert keys
    assert not [key for key in keys if f"`{key}`" not in said]


def test_what_it_links_to_is_there() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", README.read_text(encoding="utf-8"))
    assert links
    assert all((README.parent / link).exists() for link in links)
