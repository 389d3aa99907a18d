"""The target and what is measured beside it, reckoned exactly from the words: ``rites/tables/measures*.toml``.

Comes in: a range. Goes out: every measure in 尺 as a :class:`~fractions.Fraction`, with its words, its source and the
rival figures; how high targets hang that are hung one by another; what is seen on the middle of a target of a kind and
rank. It knows no rite and no measure by itself: names and rules are data.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any, Final

import msgspec

from yanli.errors import Finding, RiteError, ScenarioError
from yanli.tables import same_word
from yanli.venue.exact import chi_of
from yanli.venue.rule import Rule, read_rule

RANGE: Final = "侯道"
CELL: Final = "度"
"""The cell of a row that holds its measure."""

_FINE: Final = 10_000
_WORKS: Final[Mapping[str, Callable[[Fraction, Fraction], Fraction]]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "min": min,
    "max": max,
}


class Reading(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"is_": "is"}):
    """A rival figure: whose, what he says, on which words; ``rule`` where it comes to a number."""

    by: str
    is_: str
    words: str
    source: str
    rule: str = ""
    why: str = ""


class Entry(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"is_": "is", "from_": "from"}
):
    """A row of the table of measures: what the words say, how it is reckoned (in 尺, unless ``unit`` says else).

    ``source`` is a key of the list of texts; ``by`` and ``from``: who infers it, and from what; ``silent``: no text
    gives a figure.
    """

    en: str
    part: str
    words: str
    source: str
    is_: str = ""
    silent: bool = False
    by: str = ""
    from_: str = ""
    rule: str = ""
    unit: str = "尺"
    why: str = ""
    readings: tuple[Reading, ...] = ()


class Rival(msgspec.Struct, frozen=True, kw_only=True):
    """A rival figure at a range; ``chi`` None where the words come to no number."""

    reading: Reading
    chi: Fraction | None


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """A measure at a range: its name, its row, and what it comes to; None where the words give no number."""

    name: str
    entry: Entry
    chi: Fraction | None
    rivals: tuple[Rival, ...] = ()


class Height(msgspec.Struct, frozen=True, kw_only=True):
    """How one of several targets hangs, in 尺 above the ground: lower rope, lower edge of the 鵠, its top, upper rope.

    ``before`` is the target over whose upper rope its 鵠 is seen; ``hidden`` how much of its cloth that one hides.
    """

    name: str
    before: str | None
    measures: Mapping[str, Measured]
    lower: Fraction
    mark: Fraction
    mark_top: Fraction
    upper: Fraction

    @property
    def hidden(self) -> Fraction:
        """From the lower rope up to what is seen over the one before: 鵠下 in 賈公彥's words; nothing for the first."""
        return self.mark - self.lower if self.before else Fraction(0)


class Face(msgspec.Struct, frozen=True, kw_only=True):
    """What is seen on the middle of a target: a row of the table of faces, each cell as the words have it."""

    row: str
    cells: Mapping[str, str]
    words: Mapping[str, tuple[str, str]]
    """Of each cell its words, and the text in which they stand."""
    rivals: Mapping[str, tuple[Reading, ...]]
    """Of a cell that is disputed, what others read."""

    def get(self, cell: str) -> str | None:
        """One cell (類 爵 域 侯 侯道 鵠 飾 正 質 首); None where no words say it."""
        return self.cells.get(cell)

    @property
    def range(self) -> Fraction | None:
        """The range that the words give this target, in 尺; None where they give none."""
        given = self.cells.get(RANGE)
        return chi_of(given) if given else None


@cache
def table(name: str) -> Mapping[str, Any]:
    """A table of ``rites/tables``, as it stands there. Raises RiteError when it cannot be read."""
    return _toml("tables", *f"{name}.toml".split("/"))


def chi_lengths() -> Mapping[str, float]:
    """How many metres each 尺 of history has, by its name, the usual one first (``rites/lexicon/buildings.toml``)."""
    return {name: row["metres"] for name, row in _toml("lexicon", "buildings.toml")["chi"].items()}


def _toml(*path: str) -> Mapping[str, Any]:
    file = files("yanli").joinpath("rites", *path)
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, tomllib.TOMLDecodeError) as fault:
        raise RiteError(Finding(code="bad-table", cause=f"rites/{'/'.join(path)}: {fault}")) from None


@cache
def entries() -> Mapping[str, Entry]:
    """The rows of the table of measures, in its order. Raises RiteError for a row that is not as it should be."""
    found: dict[str, Entry] = {}
    for name, row in table("measures")["rows"].items():
        try:
            found[name] = msgspec.convert(row[CELL], Entry)
        except (KeyError, msgspec.ValidationError) as fault:
            raise RiteError(Finding(code="bad-table", cause=f"rites/tables/measures.toml, {name}: {fault}")) from None
    return found


def usual_range() -> Fraction:
    """The range that the words give the one target of the first rite, in 尺 (侯道五十弓: 300)."""
    return _value(entries()[RANGE].rule, {})


def target_measures(distance: Fraction) -> Mapping[str, Measured]:
    """Every measure at a range (in 尺), in the order of the table.

    The target's size follows from the range (弓二寸以為侯中); what does not depend on it is the same at every range.
    Raises RiteError where a rule of the table cannot be reckoned.
    """
    known: dict[str, Fraction] = {RANGE: distance}
    found: dict[str, Measured] = {}
    for name, entry in entries().items():
        chi = distance if name == RANGE else _value(entry.rule, known) if entry.rule else None
        if chi is not None:
            known[name] = chi
        rivals = tuple(Rival(reading=one, chi=_value(one.rule, known) if one.rule else None) for one in entry.readings)
        found[name] = Measured(name=name, entry=entry, chi=chi, rivals=rivals)
    return found


def chi(measures: Mapping[str, Measured], name: str) -> Fraction:
    """One measure in 尺. Raises RiteError, with the nearest names, where the table has no such number."""
    found = measures.get(name)
    if found is None or found.chi is None:
        known = " ".join(key for key, one in measures.items() if one.chi is not None)
        raise RiteError(Finding(code="bad-table", cause=f"the table of measures has no number for {name}", known=known))
    return found.chi


def _value(rule: str, known: Mapping[str, Fraction]) -> Fraction:
    """What a rule comes to, exactly; a name may stand only for a row above it."""

    def of(tree: Rule) -> Fraction:
        if isinstance(tree, float):
            return Fraction(tree).limit_denominator(_FINE)  # a rule's own numbers have few figures
        if isinstance(tree, str):
            if tree not in known:
                cause = f"“{rule}”: {tree} is no measure that stands above it"
                raise RiteError(Finding(code="bad-table", cause=cause, known=" ".join(known)))
            return known[tree]
        work, left, right = tree
        a, b = of(left), of(right)
        if work == "div" and not b:
            raise RiteError(Finding(code="bad-table", cause=f"“{rule}” divides by nothing"))
        return _WORKS[work](a, b)

    return of(read_rule(rule))


def hang(ranges: Mapping[str, Fraction] | None = None) -> tuple[Height, ...]:
    """The targets that are hung one by another, the nearest first, with their heights.

    「大侯之崇見鵠於參，參見鵠於干，干不及地武」: the first hangs by its lower rope, every other so that the lower edge
    of its 鵠 is level with the upper rope of the one before (鄭玄, 賈公彥; as if seen from afar on a level). Order and
    ranges are those of ``measures-three.toml``; ``ranges`` (尺) may put others in their place. Raises RiteError where
    the rows do not hang one by another.
    """
    rows = table("measures-three")["rows"]
    by_front = {row["見鵠於"]["is"] if "見鵠於" in row else None: name for name, row in rows.items()}
    found: list[Height] = []
    name = by_front.get(None)
    while name is not None:
        distance = (ranges or {}).get(name) or chi_of(rows[name][RANGE]["is"])
        measures = target_measures(distance)
        below = chi(measures, "鵠下去地") - chi(measures, "下綱去地")
        lower = found[-1].upper - below if found else chi(measures, "下綱去地")
        found.append(
            Height(
                name=name,
                before=found[-1].name if found else None,
                measures=measures,
                lower=lower,
                mark=lower + below,
                mark_top=lower + below + chi(measures, "鵠"),
                upper=lower + chi(measures, "侯高"),
            )
        )
        name = by_front.get(name)
    if len(found) != len(rows):
        raise RiteError(Finding(code="bad-table", cause="rites/tables/measures-three.toml: they hang in no one order"))
    return tuple(found)


@cache
def faces() -> tuple[Face, ...]:
    """Every row of the table of faces, in its order."""
    return tuple(
        Face(
            row=name,
            cells={key: cell["is"] for key, cell in row.items()},
            words={key: (cell["words"], cell["source"]) for key, cell in row.items()},
            rivals={
                key: msgspec.convert(cell["readings"], tuple[Reading, ...])
                for key, cell in row.items()
                if "readings" in cell
            },
        )
        for name, row in table("measures-faces")["rows"].items()
    )


def find_faces(
    kind: str, rank: str | None = None, domain: str | None = None, distance: Fraction | None = None
) -> tuple[Face, ...]:
    """The faces of a kind (皮侯) that a rank has, within or beyond the royal domain, the best for a range first.

    With a range, those that the words put at it come first, then those to which no words give a range, then the rest.
    Raises ScenarioError for a kind, rank or domain that the table does not have, and where the words say that there is
    none.
    """
    found = faces()
    for cell, asked in (("類", kind), ("爵", rank), ("域", domain)):
        if asked is None:
            continue
        known = tuple(dict.fromkeys(face.cells[cell] for face in faces() if cell in face.cells))
        wanted = same_word(asked, known, back=True)
        if wanted is None:
            cause = f"{cell} = {asked}: there is no such; known are {'、'.join(known)}"
            near = tuple(sorted(known, key=lambda word: -len(set(word) & set(asked))))
            raise ScenarioError(Finding(code="unknown-face", cause=cause, nearest=near))
        # Where no words part within from beyond, a row holds for both.
        found = tuple(face for face in found if face.get(cell) == wanted or (cell == "域" and face.get(cell) is None))
    if not found:
        raise ScenarioError(
            Finding(code="no-face", cause=f"{kind}、{rank}、{domain or ''}: 無文, no words give such a target")
        )
    if all(face.get("侯") == "無" for face in found):
        words, source = found[0].words["侯"]
        raise ScenarioError(Finding(code="no-face", cause=f"{rank} has no {kind}: 「{words}」 ({source})"))

    def fits(face: Face) -> int:
        return 1 if face.range is None or distance is None else 0 if face.range == distance else 2

    return tuple(sorted(found, key=fits))
