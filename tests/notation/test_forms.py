"""Each form of the notation has a good score and a bad one; a bad one says itself what is wrong with it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from yanli.notation.format import format_score, same_meaning, unparse
from yanli.notation.parser import parse
from yanli.notation.tree import Bad, Comment, Node, Score
from yanli.notation.walk import walk

HERE = Path(__file__).parent
GOOD = sorted((HERE / "good").glob("*.pu"))
BAD = sorted((HERE / "bad").glob("*.pu"))
EXPECTED = re.compile(r"^※ 期 (\S+) (\d+):(\d+)$", re.MULTILINE)


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def read(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


def nodes(score: Score) -> Iterator[Node]:
    return walk(score.items)


def test_every_form_has_its_pair() -> None:
    assert {path.stem for path in GOOD} == {path.stem for path in BAD}


@pytest.mark.parametrize("path", GOOD, ids=name)
def test_a_good_score_has_no_findings(path: Path) -> None:
    score = parse(read(path), path.name)
    assert score.findings == ()
    assert not [node for node in nodes(score) if isinstance(node, Bad)]


@pytest.mark.parametrize("path", GOOD, ids=name)
def test_a_good_score_is_in_its_regular_form_or_means_the_same(path: Path) -> None:
    score = parse(read(path), path.name)
    again = parse(format_score(score), path.name)
    assert again.findings == ()
    assert same_meaning(score, again)


@pytest.mark.parametrize("path", BAD, ids=name)
def test_a_bad_score_has_the_findings_that_it_names(path: Path) -> None:
    text = read(path)
    expected = [(code, int(line), int(column)) for code, line, column in EXPECTED.findall(text)]
    found = [(one.code, one.span.line, one.span.column) for one in parse(text, path.name).findings if one.span]
    assert expected
    assert found == expected


@pytest.mark.parametrize("path", BAD, ids=name)
def test_every_finding_shows_its_line_its_cause_and_the_words_above(path: Path) -> None:
    text = read(path)
    lines = text.splitlines()
    for finding in parse(text, path.name).findings:
        assert finding.span
        assert finding.span.file == path.name
        assert finding.line == lines[finding.span.line - 1].rstrip()
        assert finding.cause
        assert 1 <= finding.span.column <= len(finding.line) + 1
        above = [line for line in lines[: finding.span.line] if line and line[0] not in " \t\u3000※"]
        assert finding.words == (above[-1].strip() if above and not above[-1].startswith("#") else None)


@pytest.mark.parametrize("path", [*GOOD, *BAD], ids=name)
def test_every_score_is_given_back_exactly_and_formatted_once(path: Path) -> None:
    text = read(path)
    score = parse(text, path.name)
    assert unparse(score) == text
    once = format_score(score)
    assert format_score(parse(once, path.name)) == once
    assert same_meaning(score, parse(once, path.name))


@pytest.mark.parametrize("path", BAD, ids=name)
def test_every_line_that_is_not_read_has_a_finding(path: Path) -> None:
    score = parse(read(path), path.name)
    found = {finding.span.line for finding in score.findings if finding.span}
    for node in nodes(score):
        assert not isinstance(node, Bad) or node.span.line in found


@pytest.mark.parametrize("path", GOOD, ids=name)
def test_without_headings_acts_and_comments_the_canonical_words_are_left(path: Path) -> None:
    text = read(path)
    margin = [line.strip() for line in text.splitlines() if line and line[0] not in " #※"]
    assert parse(text, path.name).canonical() == "".join(margin)


@pytest.mark.parametrize("path", [*GOOD, *BAD], ids=name)
def test_formatting_loses_no_comment(path: Path) -> None:
    def comments(score: Score) -> list[str]:
        return [node.text for node in nodes(score) if isinstance(node, Comment) and node.raw.strip()]

    score = parse(read(path), path.name)
    assert comments(parse(format_score(score), path.name)) == comments(score)
