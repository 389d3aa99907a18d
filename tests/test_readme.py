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
CALL = "from yanli.cli import main; main()"


def examples() -> list[tuple[str, str]]:
    """Each command of the console blocks, with the output shown under it ("" when none is)."""
    found = []
    for block in BLOCK.findall(README.read_text(encoding="utf-8")):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


@pytest.mark.parametrize(("command", "output"), examples(), ids=[command for command, _ in examples()])
def test_a_command_does_what_the_readme_shows(command: str, output: str, tmp_path: Path) -> None:
    words = shlex.split(command)
    assert words[0] == "yanli"
    run = subprocess.run(
        [sys.executable, "-c", CALL, *words[1:]], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False
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
