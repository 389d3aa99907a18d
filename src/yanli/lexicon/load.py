"""Read the tables of words.

Comes in: ``rites/lexicon/*.toml`` and the ``lexicon.toml`` of any rite's own folder. Goes out: one ``Lexicon``. All
faults of all files are told at once, each with its file and line.
"""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from yanli.errors import Finding, RiteError
from yanli.lexicon.entries import ARGUMENTS, Entry, Verb
from yanli.lexicon.lookup import SHAPES, Class, Lexicon
from yanli.source import Span

HOME = Path(__file__).resolve().parent.parent / "rites" / "lexicon"
OWN = "lexicon.toml"
FILES: dict[str, Class] = {
    "roles": "role",
    "things": "thing",
    "places": "place",
    "facings": "facing",
    "garments": "garment",
    "music": "music",
    "numbers": "number",
    "small": "small",
    "verbs": "verb",
}
BOTH = "both"
AT = re.compile(r"^(?P<cause>.*?) \(at line (?P<line>\d+), column (?P<column>\d+)\)$", re.DOTALL)
UNKNOWN = re.compile(r"unknown field `(?P<field>[^`]+)`")
HEADER = re.compile(r"""^\s*\[["']?(?P<name>[^\]."']+)""")
AT_FIELD = re.compile(r"at `\$\.(?P<field>\w+)")

Table = dict[str, Any]


def load_lexicon(*extra_folders: Path | str) -> Lexicon:
    """Read the common lexicon, and with it the ``lexicon.toml`` of each folder named; the result is kept.

    Raises RiteError with every fault found.
    """
    own = tuple(Path(folder) / OWN for folder in extra_folders)
    return _load(tuple((path, path.stat().st_mtime_ns) for path in own if path.is_file()))


@lru_cache(maxsize=32)
def _load(own: tuple[tuple[Path, int], ...]) -> Lexicon:
    reader = Reader()
    for name, cls in FILES.items():
        path = HOME / f"{name}.toml"
        if path.is_file():
            reader.add(cls, reader.read(path), path)
    granted = HOME / f"{BOTH}.toml"
    if granted.is_file():
        reader.grant(reader.read(granted), granted)
    for path, _ in own:
        reader.add_own(reader.read(path), path)
    reader.check_classes()
    if reader.findings:
        raise RiteError(*reader.findings)
    return Lexicon(reader.entries, reader.verbs, reader.both)


class Reader:
    """Gathers entries and faults over all files."""

    def __init__(self) -> None:
        self.entries: dict[Class, dict[str, Entry]] = {cls: {} for cls in SHAPES}
        self.verbs: dict[str, Table] = {}
        self.both: dict[str, str] = {}
        self.findings: list[Finding] = []
        self.sources: dict[tuple[Class, str], tuple[Path, str | None]] = {}
        self.section: str | None = None

    def read(self, path: Path) -> Table:
        """Read one file; one that cannot be read is a finding, and empty."""
        try:
            return tomllib.loads(path.read_text(encoding="utf-8-sig"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            match = AT.match(str(error))
            cause = match["cause"] if match else str(error)
            line, column = (int(match["line"]), int(match["column"])) if match else (1, 1)
            code = "lexicon-duplicate" if "overwrite" in cause else "lexicon-unreadable"
            said = "a word or a field is given twice" if code == "lexicon-duplicate" else "not valid TOML"
            self.findings.append(
                Finding(code=code, cause=f"{said}: {cause}", span=Span(str(path), line, column), line=_line(path, line))
            )
            return {}

    def add(self, cls: Class, table: Table, path: Path) -> None:
        """Add the entries of one class."""
        for word, raw in table.items():
            if not isinstance(raw, dict):
                self._fault(path, "lexicon-not-an-entry", word, f"{word} is no entry: write a table of fields")
            elif cls == "verb":
                self._keep_verb(word, raw, path)
            else:
                self._keep(cls, word, raw, path)

    def add_own(self, table: Table, path: Path) -> None:
        """Add a rite's own file: a table for each class, and the words it grants two classes."""
        for name, inner in table.items():
            self.section = name if isinstance(inner, dict) else None
            if not isinstance(inner, dict):
                self._fault(
                    path, "lexicon-not-a-class", name, f"{name} is no class of words: write [{name}] as a table"
                )
            elif name == BOTH:
                self.grant(inner, path)
            elif name in FILES:
                self.add(FILES[name], inner, path)
            else:
                known = ", ".join((*FILES, BOTH))
                self._fault(path, "lexicon-not-a-class", name, f"there is no class {name} of words", known=known)

    def grant(self, table: Table, path: Path) -> None:
        """Note the words that may stand in two classes, each with its reason."""
        for word, reason in table.items():
            if isinstance(reason, str) and reason:
                self.both[word] = reason
            else:
                self._fault(path, "lexicon-no-reason", word, f"{word} is granted two classes without a reason")

    def check_classes(self) -> None:
        """Find the words that stand in two classes and were not granted it.

        Verbs are left out: an act's first word is its verb, so its place in the line decides.
        """
        seen: dict[str, Class] = {}
        for cls, table in self.entries.items():
            for entry in table.values():
                for word in (entry.word, *entry.aliases):
                    path, self.section = self.sources[cls, entry.word]
                    other = seen.setdefault(word, cls)
                    if other != cls and word not in self.both:
                        cause = f"{word} is a {other} and a {cls}; if both are meant, say why under {BOTH}"
                        self._fault(path, "lexicon-two-classes", word, cause)

    def _keep_verb(self, word: str, raw: Table, path: Path) -> None:
        if word in self.verbs and not raw.get("replaces"):
            self._fault(path, "lexicon-duplicate", word, f"the verb {word} already has an entry")
        try:
            entry = msgspec.convert(raw, Verb)
        except msgspec.ValidationError as error:
            self.fault_of_fields(path, word, error, Verb.__struct_encode_fields__)
            return
        if unknown := entry.unknown():
            cause = f"{word}: no verb takes {'、'.join(unknown)}"
            self._fault(path, "lexicon-bad-field", word, cause, known=", ".join(sorted(ARGUMENTS)), field="takes")
        self.verbs[word] = raw

    def fault_of_fields(self, path: Path, word: str, error: msgspec.ValidationError, fields: tuple[str, ...]) -> None:
        """Note an entry whose fields are not as they should be."""
        text = str(error)
        unknown = UNKNOWN.search(text)
        field = unknown or AT_FIELD.search(text)
        code = "lexicon-unknown-field" if unknown else "lexicon-bad-field"
        known = ", ".join(fields)
        self._fault(path, code, word, f"{word}: {text}", known=known, field=field["field"] if field else None)

    def _keep(self, cls: Class, word: str, raw: Table, path: Path) -> None:
        try:
            entry = msgspec.convert({**raw, "word": word}, SHAPES[cls])
        except msgspec.ValidationError as error:
            self.fault_of_fields(path, word, error, SHAPES[cls].__struct_fields__)
            return
        other = self.sources.get((cls, word))
        if other is not None and not entry.replaces:
            cause = f"the {cls} {word} already has an entry; to take its place, write replaces = true"
            self._fault(path, "lexicon-duplicate", word, cause, known=f"{other[0]}: {self.entries[cls][word].en}")
        self.entries[cls][word] = entry
        self.sources[cls, word] = path, self.section

    def _fault(
        self, path: Path, code: str, word: str, cause: str, *, known: str | None = None, field: str | None = None
    ) -> None:
        line, column = _find(path, word, field, self.section)
        span = Span(str(path), line, column, len(field or word))
        self.findings.append(Finding(code=code, cause=cause, span=span, line=_line(path, line), known=known))


def _find(path: Path, word: str, field: str | None, section: str | None) -> tuple[int, int]:
    """Find the line and column of an entry, or of a field in it; the file is read again, since a fault is rare."""
    key = re.compile(rf"""^\s*(\[[^\]]*)?["']?{re.escape(word)}["']?\s*[\]=.]""")
    part = re.compile(rf"""["']?\b{re.escape(field)}["']?\s*=""") if field else None
    found = (1, 1)
    inside, here = False, section is None
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if section is not None and (header := HEADER.match(text)) is not None:
            here = header["name"] == section
        if here and key.search(text):
            inside, found = True, (number, text.index(word) + 1)
        if inside and part is None:
            return found
        if inside and part is not None and (match := part.search(text)):
            return number, match.start() + 1
    return found


def _line(path: Path, number: int) -> str | None:
    """Give one line of a file, or None if it has not so many or is no text."""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return lines[number - 1] if 0 < number <= len(lines) else None
