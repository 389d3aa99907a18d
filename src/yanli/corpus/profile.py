"""What kind of file a text is: a family's profile is data, and an unknown file gets the one that fits it best.

Comes in: ``profiles/*.toml`` (one a family) and ``profiles/speakers.toml``; a text whose family is asked for. Goes out:
profiles, who a speaker is by his full name, and a guess with how sure it is and what spoke for and against it.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Callable, Iterable
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec

from yanli.corpus.model import Layer
from yanli.errors import Finding, RiteError

Where = Literal["line", "space", "bracket", "inside", "after", "label", "any"]
_SAMPLE = 12_000
_LEAST = 0.34
_NOBODY = "plain"
_HAN = re.compile("[\u2e80-\u2fdf\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_LETTER = re.compile(r"[^\W\d_]")
_MARKS = re.compile(r"<[^<>\n]{0,400}>|&[\w.-]{1,40};|^#[+ ][^\n]*", re.MULTILINE)  # of a copy, whatever its script
_FIRST, _LAST = 0x3400, 0x9FFF  # most Chinese characters
_HARDLY = 0.25  # of a text's letters so few are Chinese that it is none of the makes in which commentaries come
_UNSURE = 0.25
# A pattern of a line's beginning, no alternative to it outside of brackets; it must not go over the line's end.
_AT_LINE = re.compile(r"\^(?P<rest>(?:[^|()\\]|\\.|\((?:[^()\\]|\\.)*\))+)")
# A pattern of a set of characters (which the match takes or only sees) and one Chinese character behind it.
_BEHIND = re.compile(
    r"(?:(?P<set>\[(?:[^\]\\]|\\.)+\])|\(\?<=(?P<seen>\[(?:[^\]\\]|\\.)+\])\))(?P<sign>[\u3400-\u9fff])(?P<rest>[^|]*)"
)


class _Data(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Read from TOML; a field that is not known is an error."""


class Sign(_Data, frozen=True):
    """What speaks for a family: ``find`` stands at least ``least`` times in 10,000 characters; ``says`` what it is."""

    find: str
    says: str
    weight: float = 1.0
    least: float = 1.0


class Bracket(_Data, frozen=True):
    """A pair of signs that sets a layer apart: ``layer`` among canon, ``inside`` within commentary (else the same)."""

    open: str
    close: str
    layer: Layer
    speaker: str | None = None
    inside: Layer | None = None
    inside_speaker: str | None = None
    crosses: bool = False
    """it may go on over line ends, up to an empty line"""
    joins: bool = True
    """a note that begins where one before it has just ended, at a line's end, goes on with it"""


class Label(_Data, frozen=True):
    """Words that say whose words come next, and where they count as such.

    ``where``: ``line`` at a line's beginning, ``space`` behind a blank, ``bracket`` first within brackets, ``inside``
    anywhere within brackets, ``after`` right behind one, ``label`` behind another label, ``any`` everywhere.
    ``within`` are the layers in which it counts (all but translations, if empty), ``barred`` characters behind which
    it does not. ``mark`` is the layer of the label itself. ``speaker`` may be ``@author``, ``@compiler`` (of the work)
    or ``@matched`` (the name in the words).
    """

    find: str
    layer: Layer
    speaker: str | None = None
    where: tuple[Where, ...] = ("line",)
    within: tuple[Layer, ...] = ()
    barred: str = ""
    mark: Layer = Layer.sign
    quotes: bool = False
    """right behind another label: he whom that one names quotes him whom this one names"""
    own: bool = False
    """the work's own word, quoted by nobody"""
    first: str = ""
    """a pattern found, at its beginning, wherever ``find`` is, and sooner seen; for most it is known by itself"""


class Line(_Data, frozen=True):
    """Lines that are of one layer whole: ``find`` matches at the line's first character that is no blank."""

    find: str
    layer: Layer
    indent: tuple[int, int] = (0, 99)
    flush: Layer | None = None
    """from here on, lines without indent are of this layer"""


class Block(_Data, frozen=True):
    """Of what layer lines are by their indent (in full-width blanks), if nothing else tells."""

    indent: tuple[int, int]
    layer: Layer
    speaker: str | None = None
    goes_on: bool = True
    """a line goes on with the remark of the line before"""


class Element(_Data, frozen=True):
    """A markup element: ``layer`` of what it holds; ``attribute`` must be found within its tag."""

    name: str
    layer: Layer | None = None
    attribute: str = ""
    speaker: str | None = None
    skip: bool = False
    """all that it holds is sign"""


class Translation(_Data, frozen=True):
    """A translation that begins with ``opens`` at a line's beginning and ends nobody says where.

    ``modern`` and ``classical`` are characters and words that tell one language from the other,
    the sure ones those of which one in a line is enough.
    """

    opens: str
    modern: str
    classical: str
    surely_modern: str
    surely_classical: str
    follows_canon: str = "(?!)"
    """a line before one that begins so is canon, and no end of what a translation cut"""


class Quote(_Data, frozen=True):
    """Words quoted inside a remark: group ``words`` of ``find`` is another's: ``speaker``'s, if it tells whose."""

    find: str
    within: tuple[Layer, ...]
    speaker: str | None = None


class Profile(_Data, frozen=True):
    """A family: how its files set layers apart. ``zh``, ``en``, ``source``, ``words`` say what it is to people."""

    name: str
    zh: str
    en: str
    source: str
    words: str
    guess: tuple[Sign, ...] = ()
    any_script: bool = False
    """a text without Chinese may be of this make"""
    title: str = ""
    page: str = ""
    """a page mark, its name in group ``page``; it is a sign"""
    signs: tuple[str, ...] = ()
    """further signs of the copy, patterns"""
    stops: str = ""
    """the characters with which those begin that may stand within a line"""
    front: str = ""
    """lines before the first that this is found in are headings"""
    gaps: bool = False
    """lines cut words and names"""
    on: str = ""
    """a line that begins with this goes on with the line before"""
    blank: Layer | None = None
    """behind a blank within a line this layer comes back"""
    unless: str = ""
    """characters behind which, within a remark, a blank or a line's end tells nothing"""
    short: int = 0
    """a paragraph of commentary that stands without indent ends with a line shorter than this"""
    markup: bool = False
    body: Layer = Layer.canon
    bracket: tuple[Bracket, ...] = ()
    label: tuple[Label, ...] = ()
    line: tuple[Line, ...] = ()
    block: tuple[Block, ...] = ()
    element: tuple[Element, ...] = ()
    translation: Translation | None = None
    quote: tuple[Quote, ...] = ()
    damage: tuple[Literal["misread-run", "pinyin-in-brackets", "lost-character"], ...] = ()
    lost: str = ""
    """signs that stand for a lost character in this family"""


class Speaker(_Data, frozen=True):
    """A commentator: his full name, the names he is quoted by, and the layer in which his words stand."""

    name: str
    forms: tuple[str, ...]
    layer: Layer = Layer.remark


class Work(_Data, frozen=True):
    """A work known beforehand: ``find`` in its file's name or head tells it."""

    find: str
    author: str | None = None
    compiler: str | None = None
    family: str | None = None


class Speakers(_Data, frozen=True):
    """Who is who."""

    zh: str
    en: str
    source: str
    words: str
    speaker: tuple[Speaker, ...]
    work: tuple[Work, ...]


class Guess(msgspec.Struct, frozen=True, kw_only=True):
    """A family, how sure it is (0 to 1), what spoke for it, and where it failed."""

    profile: Profile
    sure: float
    why: str
    failed: str = ""


@cache
def profiles() -> dict[str, Profile]:
    """All families by name. Raises RiteError when a profile is no valid data."""
    found: dict[str, Profile] = {}
    raw: dict[str, dict[str, Any]] = {}
    for path in sorted(files("yanli.corpus").joinpath("profiles").iterdir(), key=lambda path: path.name):
        if path.name.endswith(".toml") and path.name != "speakers.toml":
            raw[path.name.removesuffix(".toml")] = tomllib.loads(path.read_text(encoding="utf-8"))
    for name, data in raw.items():
        base = raw.get(str(data.get("extends", "")), {})
        merged = {**base, **data, "name": name}
        merged.pop("extends", None)
        try:
            found[name] = msgspec.convert(merged, Profile)
        except msgspec.ValidationError as error:
            raise RiteError(Finding(code="bad-profile", cause=f"{name}.toml: {error}")) from error
    return found


def profile(name: str) -> Profile:
    """One family. Raises RiteError (``unknown-family``) with the nearest names when there is none."""
    known = profiles()
    if name in known:
        return known[name]
    nearest = tuple(difflib.get_close_matches(name, known, n=3, cutoff=0.4))
    raise RiteError(
        Finding(code="unknown-family", cause=f"no family is called {name!r}", known=", ".join(known), nearest=nearest)
    )


@cache
def speakers() -> Speakers:
    """Who is who, from ``profiles/speakers.toml``."""
    path = files("yanli.corpus").joinpath("profiles", "speakers.toml")
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Speakers)


@cache
def forms() -> dict[str, Speaker]:
    """Commentators by every name they are quoted by."""
    return {form: speaker for speaker in speakers().speaker for form in (*speaker.forms, speaker.name)}


def named(words: str) -> tuple[str, Layer]:
    """Give the full name of whom a label names, and the layer of his words.

    Names not in the table lose their 氏 (``姜氏兆錫`` is 姜兆錫); the layer is then 論.
    """
    if known := forms().get(words):
        return known.name, known.layer
    return (words.replace("氏", "", 1) if words[1:2] == "氏" else words), Layer.remark


def work(name: str, text: str) -> Work:
    """Tell which work a file is by its name and its head; an empty one if it is none that is known."""
    head = f"{name}\n{text[:1500]}"
    for known in speakers().work:
        if re.search(known.find, head):
            return known
    return Work(find="")


@cache
def counter(find: str) -> Callable[[str], int]:
    """Give what counts the places of a pattern as ``len(re.findall(find, text, re.MULTILINE))`` does, only sooner.

    A pattern that begins with a line's beginning, or with a set of characters before one character, is tried by
    `re` at every place of the text. Looked for from the line's end, or from that one character, it is tried only there.
    """
    if begins := _AT_LINE.fullmatch(find):
        at_line = re.compile(rf"\n{begins['rest']}", re.MULTILINE)
        return lambda text: len(at_line.findall("\n" + text))
    if behind := _BEHIND.fullmatch(find):
        sign = behind["sign"]
        lead = 0 if behind["set"] is None else 1
        search = re.compile(f"{sign}(?<={behind['set'] or behind['seen']}{sign}){behind['rest']}", re.MULTILINE).search
        return lambda text: _count_behind(search, text, lead)
    everywhere = re.compile(find, re.MULTILINE)
    return lambda text: len(everywhere.findall(text))


def _count_behind(search: Callable[[str, int], re.Match[str] | None], text: str, lead: int) -> int:
    """Count matches that take ``lead`` characters before where they are found, none of them twice."""
    count = at = end = 0
    while found := search(text, at):
        if found.start() - lead >= end:
            count += 1
            at = end = found.end()
        else:
            at = found.start() + 1
    return count


def guess(name: str, text: str) -> Guess:
    """Tell of which family a text is: the one whose signs it shows best; ``plain`` if none shows enough.

    A text with hardly any Chinese is of none of the makes in which commentaries come, and its guess is never sure.
    """
    sample = text if len(text) <= _SAMPLE else text[: _SAMPLE // 2] + text[len(text) // 2 :][: _SAMPLE // 2]
    known = work(name, text)
    few = _hardly_chinese(sample)
    scored = _scored(sample, [family for family in profiles().values() if family.any_script or not few], known.family)
    best, second = scored[0], scored[1]
    if best[1] == known.family:
        second = (0.0, "", [], [])
    told = "; ".join(f"{score:.2f} {name}" for score, name, _, _ in scored[:3])
    without = f"without {', '.join(best[3])}" if best[3] else ""
    most = _UNSURE if few else 1.0
    if best[0] < _LEAST:
        nearest = f"nearest is {best[1]}, {without}" if best[0] else ""
        failed = _joined(few, f"no family shows enough of its signs ({told})", nearest)
        sure = round(1 - best[0] / _LEAST, 3) / 2
        return Guess(profile=profile(_NOBODY), sure=min(sure, most), why=told, failed=failed)
    sure = min(most, best[0] * (0.5 + min(0.5, (best[0] - second[0]) * 2)))
    shows = f"shows {', '.join(best[2])}" if best[2] else ""
    return Guess(profile=profile(best[1]), sure=round(sure, 3), why=_joined(told, shows), failed=_joined(few, without))


def _joined(*told: str) -> str:
    return "; ".join(filter(None, told))


def _hardly_chinese(sample: str) -> str:
    """Say how few letters of a text are Chinese, where hardly any are; else nothing."""
    import numpy as np

    # Most texts are told at once: half of all their characters, signs of the copy too, are Chinese.
    codes = np.frombuffer(sample.encode("utf-32-le", "surrogatepass"), "<u4")
    if np.count_nonzero(codes - np.uint32(_FIRST) <= _LAST - _FIRST) * 2 >= len(sample):
        return ""
    bare = _MARKS.sub("", sample)
    letters, han = len(_LETTER.findall(bare)), len(_HAN.findall(bare))
    return f"hardly any Chinese characters ({han:,} of {letters:,} letters)" if han < letters * _HARDLY else ""


def _scored(
    sample: str, families: Iterable[Profile], known: str | None
) -> list[tuple[float, str, list[str], list[str]]]:
    """Give for families how much of their signs a text shows, the best first, and which it shows and which not."""
    share = max(len(sample), 1000) / 10_000
    scored: list[tuple[float, str, list[str], list[str]]] = []
    counts: dict[str, int] = {}
    for family in families:
        if not family.guess:
            continue
        shown: list[str] = []
        missing: list[str] = []
        total = got = 0.0
        for sign in family.guess:
            # Families share signs, and a library has many small files: each sign is looked for once.
            if (count := counts.get(sign.find, -1)) < 0:
                count = counts[sign.find] = counter(sign.find)(sample)
            part = min(1.0, count / (sign.least * share)) if count else 0.0
            total += sign.weight
            got += sign.weight * part
            (shown if part >= 0.5 else missing).append(sign.says)  # noqa: PLR2004 - shown at half the least
        score = got / total
        if known == family.name and score:
            score = 0.5 + score / 2
        scored.append((score, family.name, shown, missing))
    scored.sort(key=lambda item: (-item[0], item[1] != known, -len(item[2]), item[1]))
    return scored
