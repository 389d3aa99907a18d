"""The page's own sentences: each in all forms, which say the same; each used, and none used that is not there."""

import json
import re
from pathlib import Path

import pytest

import yanli
from yanli.lexicon.readings import simplified

WEB = Path(yanli.__file__).parent / "web"
SUBJECT = re.compile(r"^ {2}(\w+): \{$(.*?)^ {2}\},$", re.MULTILINE | re.DOTALL)
ENTRY = re.compile(r"^ {4}(\"[^\"]+\"|\w+):\s+(\"[^\n]+\"),$", re.MULTILINE)
QUOTED = re.compile(r"[\"'`]([a-z]+(?:\.[a-zA-Z_]+)*)[\"'`]")
# A key of which a part is known only when the page runs: `tab.${each}`.
OPEN = re.compile(r"`([a-z.]+\.)\$\{[^}]+\}(\.[a-z.]+)?`")
SAID = re.compile(r"\b(?:say|sayBoth|tell|more)\((?:this\.script|script|[\"']\w+[\"']),?\s*[\"']([^\"']+)[\"']")
HAN = re.compile(r"[\u3400-\u9fff]")
SLOT = re.compile(r"\{\d\}")


def table() -> dict[str, list[str]]:
    """The table as it is written: a key, and what it says in Chinese and in English."""
    source = (WEB / "interface.js").read_text(encoding="utf-8")
    body = source.partition("STRINGS = {")[2].partition("};")[0]
    found = {}
    for subject, entries in SUBJECT.findall(body):
        for name, text in ENTRY.findall(entries):
            key = ".".join((subject, name.strip('"')))
            assert key not in found, f"{key} stands twice"
            found[key] = json.loads(text).split("|")
    assert len(found) == len(re.findall(r"^ {4}\S+:(?: |$)", body, re.MULTILINE))
    return found


def sources() -> dict[str, str]:
    """The modules that may use it."""
    return {path.name: path.read_text(encoding="utf-8") for path in WEB.glob("*.js") if path.name != "interface.js"}


def signs(name: str) -> str:
    """A row of characters that the table has by name."""
    found = re.search(rf'export const {name} =\s*"([^"]+)";', (WEB / "interface.js").read_text(encoding="utf-8"))
    assert found, name
    return found[1]


TABLE = table()


def test_there_is_a_table() -> None:
    assert len(TABLE) > 100
    assert TABLE["app.close"] == ["關閉", "Close"]


@pytest.mark.parametrize("key", TABLE)
def test_every_sentence_is_there_in_chinese_and_in_english(key: str) -> None:
    chinese, english = TABLE[key]
    assert HAN.search(chinese) or SLOT.search(chinese)
    assert english.strip()
    assert not HAN.search(english)


@pytest.mark.parametrize("key", TABLE)
def test_the_simplified_is_what_the_converter_makes_of_the_traditional(key: str) -> None:
    chinese = TABLE[key][0]
    shown = chinese.translate(str.maketrans(signs("TRADITIONAL"), signs("SIMPLIFIED")))
    assert shown == simplified(chinese)


def test_no_character_is_told_in_vain() -> None:
    used = {sign for chinese, _ in TABLE.values() for sign in chinese}
    traditional, plain = signs("TRADITIONAL"), signs("SIMPLIFIED")
    assert set(traditional) <= used
    assert len(set(traditional)) == len(traditional) == len(plain)
    assert all(one != other for one, other in zip(traditional, plain, strict=True))


@pytest.mark.parametrize("key", TABLE)
def test_both_languages_have_the_same_slots(key: str) -> None:
    chinese, english = (sorted(SLOT.findall(form)) for form in TABLE[key])
    assert chinese == english


def test_no_sentence_is_unused() -> None:
    text = "\n".join(sources().values())
    used = set(QUOTED.findall(text))
    patterns = [re.compile(re.escape(head) + r"\w+" + re.escape(tail)) for head, tail in OPEN.findall(text)]
    unused = [key for key in TABLE if key not in used and not any(pattern.fullmatch(key) for pattern in patterns)]
    assert unused == []


def test_no_sentence_is_wanting() -> None:
    wanting = {(name, key) for name, text in sources().items() for key in SAID.findall(text) if key not in TABLE}
    assert wanting == set()


def test_what_the_pattern_of_calls_finds_is_in_the_modules() -> None:
    assert sum(len(SAID.findall(text)) for text in sources().values()) > 80
