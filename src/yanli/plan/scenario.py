"""A scenario (設): who, how many, which building, which readings, which fates.

Comes in: a TOML file and ``KEY=VALUE`` pairs, and what the rite says of its keys. Goes out: every key with a checked
value. What can no longer occur: an unknown key, a number out of bounds, a word that is not among those allowed.
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

import msgspec

from yanli.errors import Finding, ScenarioError
from yanli.plan.readings import nearest
from yanli.source import Span
from yanli.tables import same_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

YES, NO = "是", "否"
TRUE = frozenset({"是", "yes", "true", "1", "有"})
FALSE = frozenset({"否", "no", "false", "0", "無"})
LARGEST = 20_000
# The table, and the beginning of a key, under which somebody's arrows are told (矢.公=1101).
ARROWS_KEY = "矢"
# The head of a table without quotes, perhaps with a comment after it.
HEADER = re.compile(r"""\s*\[([^\[\]"'#]+)\]\s*(?:#.*)?$""")


class Key(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a rite says of one key of its scenarios.

    ``type``: count (a number of people), number, choice (one of ``values``), flag (是 or 否), measure (left to the
    building), seed. A count without ``default`` is worked out from ``least`` (an expression) when it is not given.
    """

    type: str
    default: int | str | None = None
    values: tuple[str, ...] = ()
    min: int | None = None
    max: int | None = None
    least: str | None = None
    zh: str = ""
    en: str = ""
    source: str | None = None


class Scenario(msgspec.Struct, kw_only=True):
    """Checked values by key; ``given`` are the keys that somebody set; readings by crux; the school, the record.

    ``figured``: the keys whose value a table of rank gave.
    ``arrows``: the marks of somebody's arrows, by ``WHO`` or ``N.WHO`` (in the Nth round).
    """

    values: dict[str, int | str]
    given: frozenset[str] = frozenset()
    figured: frozenset[str] = frozenset()
    readings: dict[str, str] = {}
    school: str | None = None
    record: str | None = None
    skill: dict[str, float] = {}
    arrows: dict[str, str] = {}

    def building(self) -> dict[str, object]:
        """The keys that somebody set, or a table gave, for the venue."""
        return {key: self.values[key] for key in sorted(self.given | self.figured) if key in self.values}


def read_keys(settings: Mapping[str, object], rite: str) -> dict[str, Key]:
    """Read the ``[scenario]`` table of a rite. Raises ScenarioError if it is malformed."""
    try:
        return msgspec.convert(settings.get("scenario", {}), dict[str, Key])
    except msgspec.ValidationError as fault:
        raise ScenarioError(
            Finding(code="bad-scenario-keys", cause=f"{rite}: [scenario] in rite.toml: {fault}")
        ) from None


def read_file(path: Path) -> dict[str, Any]:
    """Read a scenario file. Raises ScenarioError with line and cause when it is not TOML in UTF-8."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as fault:
        raise ScenarioError(Finding(code="no-scenario", cause=f"{path}: {fault.strerror}")) from None
    except UnicodeDecodeError as fault:
        line = path.read_bytes()[: fault.start].count(b"\n") + 1
        raise ScenarioError(
            Finding(
                code="not-utf8", cause=f"byte {fault.start} is not UTF-8: {fault.reason}", span=Span(str(path), line)
            )
        ) from None
    try:
        return tomllib.loads(quote_keys(text))
    except (ValueError, RecursionError) as fault:
        # Beside what is no TOML: a number of thousands of digits, brackets within brackets without end.
        line = _line_of(str(fault))
        raise ScenarioError(
            Finding(code="bad-toml", cause=f"this is not TOML: {fault}", span=Span(str(path), line))
        ) from None


def key_spans(path: Path) -> dict[str, Span]:
    """Where the keys of a scenario file that can be read stand."""
    found: dict[str, Span] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").split("\n"), 1):
        key, equals, _ = line.partition("=")
        if equals and not key.lstrip().startswith("#"):
            found.setdefault(key.strip().strip("\"'"), Span(str(path), number))
    return found


def quote_keys(text: str) -> str:
    """Let keys be written in Chinese without quotes (``眾賓 = 5``), line by line, so that lines keep their numbers."""
    lines = []
    for line in text.split("\n"):
        bare, equals, rest = line.partition("=")
        key = bare.strip()
        if equals and key and not key.isascii() and '"' not in key and "'" not in key and not key.startswith("#"):
            lines.append(f'"{key}" = {rest.strip()}')
        elif (header := HEADER.match(line)) is not None and not header[1].isascii():
            lines.append("[" + ".".join(f'"{part.strip()}"' for part in header[1].split(".")) + "]")
        else:
            lines.append(line)
    return "\n".join(lines)


def _line_of(message: str) -> int:
    head, _, tail = message.partition("at line ")
    digits = tail.split(",")[0].strip() if head else ""
    return int(digits) if digits.isdigit() else 1


def make_scenario(
    keys: Mapping[str, Key], others: Iterable[str], *, table: Mapping[str, Any] | None = None, sets: Iterable[str] = (),
    readings: Iterable[str] = (), school: str | None = None, record: str | None = None,
    spans: Mapping[str, Span] | None = None,
) -> Scenario:  # fmt: skip
    """Check everything that was asked for; every fault is told. Later settings win over earlier ones.

    ``others``: keys that the building knows. ``sets`` and ``readings``: ``KEY=VALUE``; they win over ``table``, whose
    keys stand at ``spans``. Raises ScenarioError.
    """
    wish = _Wish(school=school, record=record)
    for key, value in (table or {}).items():
        wish.entry(key, value)
    places = dict(spans or {})
    for key, word in wish.settings(sets, "KEY=VALUE, as in 大夫=2"):
        if key.startswith(f"{ARROWS_KEY}."):
            wish.arrows[key.removeprefix(f"{ARROWS_KEY}.")] = word
            continue
        wish.given[key] = word
        places.pop(key, None)
    wish.readings.update(wish.settings(readings, "CRUX=READING"))
    known = tuple(dict.fromkeys((*keys, *others)))
    values: dict[str, int | str] = {key: spec.default for key, spec in keys.items() if spec.default is not None}
    for key, value in wish.given.items():
        checked: int | str | None = None
        span = places.get(key)
        if key in keys:
            checked = _check(key, keys[key], value, wish.faults, span)
        elif key in known:
            checked = _word(value)
        else:
            cause = f"no key of a scenario is called {key}"
            if key == ARROWS_KEY:
                cause = f"{key} = {_word(value)}: whose arrows? Expected {key}.WHO=1101, or {key}.2.WHO=1101 in round 2"
            wish.faults.append(Finding(code="unknown-key", cause=cause, nearest=nearest(key, known), span=span))
        if checked is not None:
            values[key] = checked
    if wish.faults:
        raise ScenarioError(*wish.faults)
    return Scenario(
        values=values, given=frozenset(wish.given), readings=wish.readings, school=wish.school, record=wish.record,
        skill=wish.skill, arrows=wish.arrows,
    )  # fmt: skip


class _Wish(msgspec.Struct, kw_only=True):
    """What somebody asked for, sorted but not checked against the rite, and the faults that show without it."""

    school: str | None
    record: str | None
    given: dict[str, object] = {}
    readings: dict[str, str] = {}
    skill: dict[str, float] = {}
    arrows: dict[str, str] = {}
    faults: list[Finding] = []

    def entry(self, key: str, value: object) -> None:
        """Take one entry of a scenario file; what was said beside the file wins."""
        if key in {"說", "readings"} and isinstance(value, dict):
            self.readings.update({str(crux): str(name) for crux, name in value.items()})
        elif key in {"家", "school"}:
            self.school = self.school or str(value)
        elif key in {"錄", "record"}:
            self.record = self.record or str(value)
        elif key in {ARROWS_KEY, "arrows"} and isinstance(value, dict):
            self.shots(value)
        elif key.startswith(f"{ARROWS_KEY}."):
            self.shots({key.removeprefix(f"{ARROWS_KEY}."): value})
        elif key in {"技", "skill"} and isinstance(value, dict):
            self.skill.update(_skills(value, self.faults))
        else:
            self.given[key] = value

    def shots(self, table: Mapping[str, object], number: str = "") -> None:
        """Take a table of arrows, ``WHO`` or ``N.WHO``; within it a table for a round holds who shoots in it."""
        for who, marks in table.items():
            word = f"{number}{who}"
            if isinstance(marks, dict) and not number:
                self.shots(marks, f"{word}.")
            elif isinstance(marks, (str, int)) and not isinstance(marks, bool):
                self.arrows[word] = str(marks)
            else:
                cause = f"[{ARROWS_KEY}] {word} = {marks!r}: expected signs of arrows, as {ARROWS_KEY}.{word}=1101"
                self.faults.append(Finding(code="bad-value", cause=cause))

    def settings(self, texts: Iterable[str], form: str) -> Iterator[tuple[str, str]]:
        """Part settings at ``=``; one that is not of the form is a fault."""
        for text in texts:
            key, equals, value = text.partition("=")
            if equals and key.strip():
                yield key.strip(), value.strip()
            else:
                self.faults.append(Finding(code="bad-setting", cause=f"{text!r}: expected {form}"))


def _skills(table: Mapping[str, object], faults: list[Finding]) -> dict[str, float]:
    found: dict[str, float] = {}
    for name, value in table.items():
        if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1:
            found[name] = float(value)
        else:
            faults.append(Finding(code="bad-skill", cause=f"skill of {name}: {value!r} is not between 0 and 1"))
    return found


def _word(value: object) -> str:
    if isinstance(value, bool):
        return YES if value else NO
    return str(value)


def _check(key: str, spec: Key, value: object, faults: list[Finding], span: Span | None) -> int | str | None:
    """The value as the key's type has it; a fault and None where it cannot be."""
    word = _word(value)
    match spec.type:
        case "count" | "number" | "seed":
            found, cause, near = _whole(word, spec)
        case "flag":
            found = YES if word.lower() in TRUE else NO if word.lower() in FALSE else None
            cause, near = "expected 是 or 否", (YES, NO)
        case "choice":
            found = same_word(word, spec.values)
            cause, near = f"expected one of {'、'.join(spec.values)}", nearest(word, spec.values)
        case _:
            return word
    if found is None:
        faults.append(Finding(code="bad-value", cause=f"{key} = {word}: {cause}", nearest=near, span=span))
    return found


def _whole(word: str, spec: Key) -> tuple[int | str | None, str, tuple[str, ...]]:
    """A whole number within its bounds, or None and why it is none."""
    low = spec.min if spec.min is not None else 0
    high = spec.max if spec.max is not None else (LARGEST if spec.type == "count" else 2**63)
    try:
        number = int(word)
    except ValueError:
        most = f" from {low}" if high > LARGEST else f" from {low} to {high}"
        return None, f"expected a whole number{most}", ()
    return number if low <= number <= high else None, f"expected {low} to {high}", ()
