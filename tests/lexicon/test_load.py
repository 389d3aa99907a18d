"""A rite's own words, and what is said of a table that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from yanli.errors import Finding, RiteError
from yanli.lexicon import load_lexicon


def faults(folder: Path, text: str | bytes) -> tuple[Finding, ...]:
    """What is found wrong with a rite's own table."""
    path = folder / "lexicon.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(RiteError) as caught:
        load_lexicon(folder)
    for finding in caught.value.findings:
        assert finding.span is not None
        assert finding.span.file == str(path)
    return caught.value.findings


def where(finding: Finding) -> tuple[str, int, int]:
    """Code, line and column of a finding."""
    assert finding.span is not None
    return finding.code, finding.span.line, finding.span.column


def test_a_rite_adds_words(tmp_path: Path) -> None:
    (tmp_path / "lexicon.toml").write_text(
        '[roles]\n"祝" = { en = "invocator" }\n'
        '[things]\n"敦" = { en = "dui vessel", holds = true, aliases = ["敦器"] }\n'
        '[verbs."釋幣"]\nen = "lay down silk"\ntakes = "thing"\n[both]\n"祝" = "an office and its act"\n',
        encoding="utf-8",
    )
    lexicon = load_lexicon(tmp_path)
    assert lexicon.classify("祝") == {"role"}
    assert lexicon.thing("敦器") == lexicon.thing("敦")
    assert lexicon.verb("釋幣") == {"en": "lay down silk", "takes": "thing"}
    assert lexicon.both["祝"]
    assert load_lexicon().classify("祝") == set()


def test_a_rite_may_replace_a_word(tmp_path: Path) -> None:
    (tmp_path / "lexicon.toml").write_text(
        '[roles]\n"主人" = { en = "intendant as host", stair = "西階", replaces = true }\n', encoding="utf-8"
    )
    role = load_lexicon(tmp_path).role("主人")
    assert role is not None
    assert role.stair == "西階"


def test_a_folder_without_a_table_adds_nothing(tmp_path: Path) -> None:
    assert load_lexicon(tmp_path) is load_lexicon()


def test_a_changed_table_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "lexicon.toml"
    path.write_text('[roles]\n"祝" = { en = "one" }\n', encoding="utf-8")
    assert load_lexicon(tmp_path).english("祝") == "one"
    path.write_text('[roles]\n"祝" = { en = "another" }\n', encoding="utf-8")
    assert load_lexicon(tmp_path).english("祝") == "another"


def test_bad_toml(tmp_path: Path) -> None:
    (finding,) = faults(tmp_path, '[roles]\n"祝" = { en = }\n')
    assert where(finding)[:2] == ("lexicon-unreadable", 2)
    assert finding.line == '"祝" = { en = }'


def test_no_utf8(tmp_path: Path) -> None:
    (finding,) = faults(tmp_path, "祝".encode("big5"))
    assert finding.code == "lexicon-unreadable"


def test_a_word_given_twice_in_a_file(tmp_path: Path) -> None:
    (finding,) = faults(tmp_path, '[roles]\n"祝" = { en = "a" }\n"祝" = { en = "b" }\n')
    assert where(finding)[:2] == ("lexicon-duplicate", 3)


def test_a_word_that_is_known_already(tmp_path: Path) -> None:
    (finding,) = faults(tmp_path, '[roles]\n\n"主人" = { en = "host" }\n')
    assert where(finding) == ("lexicon-duplicate", 3, 2)
    assert "replaces = true" in finding.cause
    assert finding.known is not None
    assert "host" in finding.known


def test_a_verb_that_is_known_already(tmp_path: Path) -> None:
    (finding,) = faults(tmp_path, '[verbs."揖"]\nen = "salute"\n')
    assert where(finding)[:2] == ("lexicon-duplicate", 1)


@pytest.mark.parametrize(
    ("field", "code"),
    [
        ('seconds = "long"', "lexicon-bad-field"),
        ("seconds = -1", "lexicon-bad-field"),
        ("seconds = inf", "lexicon-bad-field"),
        ('takes = "thing wing"', "lexicon-bad-field"),
        ('needs = [""]', "lexicon-bad-field"),
        ('needs = "stand"', "lexicon-bad-field"),
        ('gesture = "dance"', "lexicon-bad-field"),
        ("second = 3", "lexicon-unknown-field"),
    ],
)
def test_a_verb_that_is_not_as_verbs_are(tmp_path: Path, field: str, code: str) -> None:
    (finding,) = faults(tmp_path, f'[verbs."舞"]\nen = "dance"\n{field}\n')
    assert where(finding) == (code, 3, 1)


def test_an_unknown_field(tmp_path: Path) -> None:
    (finding,) = faults(tmp_path, '[roles]\n"祝" = { en = "invocator", stairs = "西階" }\n')
    assert where(finding) == ("lexicon-unknown-field", 2, 27)
    assert finding.known is not None
    assert "stair" in finding.known


def test_a_field_with_a_wrong_value(tmp_path: Path) -> None:
    (finding,) = faults(tmp_path, '[roles."祝"]\nen = "invocator"\nstair = "北階"\n')
    assert where(finding) == ("lexicon-bad-field", 3, 1)


def test_an_entry_without_english(tmp_path: Path) -> None:
    (finding,) = faults(tmp_path, '[roles]\n"祝" = { party = "主黨" }\n')
    assert where(finding)[:2] == ("lexicon-bad-field", 2)


def test_a_word_in_two_classes(tmp_path: Path) -> None:
    (finding,) = faults(tmp_path, '[roles]\n"祝" = { en = "invocator" }\n[things]\n"祝" = { en = "clapper" }\n')
    assert finding.code == "lexicon-two-classes"
    assert "role" in finding.cause
    assert "thing" in finding.cause


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    found = faults(
        tmp_path,
        'title = "mine"\n[rolls]\n"祝" = { en = "a" }\n[roles]\n"祝" = "invocator"\n'
        '"巫" = { en = "shaman", age = 3 }\n[both]\n"巫" = 3\n',
    )
    assert {where(finding)[:2] for finding in found} == {
        ("lexicon-not-a-class", 1),
        ("lexicon-not-a-class", 2),
        ("lexicon-not-an-entry", 5),
        ("lexicon-unknown-field", 6),
        ("lexicon-no-reason", 8),
    }
