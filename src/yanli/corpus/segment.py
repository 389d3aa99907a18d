"""Takes a text in: bytes to pieces that cover everything, remarks, faults.

Comes in: a file's bytes and name, and its family and encoding where somebody knows them. Goes out: a `Text`. Never
fails on any bytes; raises RiteError only for a family or an encoding that does not exist, and for a file that is cut
into more pieces than memory holds.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator
from contextlib import contextmanager

from yanli.corpus.decode import decode
from yanli.corpus.model import Fault, Text
from yanli.corpus.profile import Guess, Profile, Translation, guess, profile, work
from yanli.corpus.segment_faults import Places, faults
from yanli.corpus.segment_scan import scan

# One long line, full of quotations, must not outweigh all the others.
_WEIGHT = 4
_TITLE = 40


def read_text(data: bytes, name: str, *, family: str | None = None, encoding: str | None = None) -> Text:
    """Take a file in.

    ``family`` is a profile's name; without it the file gets the family whose signs it shows best, and a fault
    ``unknown-family`` tells when none fits. ``encoding`` is one of `decode.ENCODINGS`; without it UTF-8, unless a
    mark or the file's head tells otherwise. Offsets are code points of the decoded text.
    """
    decoded = decode(data, encoding)
    return read_words(decoded.text, name, family=family, encoding=decoded.encoding)


def read_words(text: str, name: str, *, family: str | None = None, encoding: str = "utf-8") -> Text:
    """Take in what is decoded already. ``encoding`` is what it was decoded from; the rest as in `read_text`."""
    found = Guess(profile=profile(family), sure=1.0, why="as told") if family else guess(name, text)
    kind = found.profile
    known = work(name, text)
    translated = translations(text, kind.translation) if kind.translation else ()
    with _uncollected():
        scanned = scan(text, kind, known, translated)
        places = Places(text, scanned.pages)
        damaged = faults(text, kind, scanned, places, utf=encoding)
    if found.failed and kind.name == "plain" and not family:
        damaged.insert(0, Fault(kind="unknown-family", start=0, end=0, line=1, told=found.failed))
    return Text(
        name=name,
        title=title(text, kind) or name,
        family=kind.name,
        text=text,
        encoding=encoding,
        pieces=scanned.pieces,
        remarks=scanned.remarks,
        faults=tuple(damaged),
        sure=found.sure,
        why=found.why + (f"; {found.failed}" if found.failed else ""),
    )


@contextmanager
def _uncollected() -> Iterator[None]:
    """Hold the collector back: a scan makes very many values, none of them in a cycle, and keeps nearly all."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def title(text: str, kind: Profile) -> str:
    """Give a text's title as its head tells it, else its first words."""
    if kind.title and (found := re.search(kind.title, text[:4000], re.MULTILINE)):
        return found["title"].strip()
    first = re.search(r"[^\s#>][^\n]*", text[:4000])
    return _shortened(first[0].strip("# \u3000")) if first and kind.name == "markdown" else ""


def _shortened(words: str) -> str:
    """The beginning of a line as a title, without half a word of letters at its end."""
    if len(words) <= _TITLE:
        return words
    cut = words[:_TITLE]
    if cut[-1].isascii() and words[_TITLE].isascii() and not words[_TITLE].isspace():
        cut = cut.rpartition(" ")[0] or cut
    return f"{cut.rstrip()}…"


def translations(text: str, rule: Translation) -> tuple[tuple[int, int], ...]:
    """Give the ranges that hold a translation.

    One begins with its word at a line's beginning. It ends with that line behind which the text is no more a modern
    one: where modern words before and classical words behind, as far as the next translation, are most in number.
    """
    starts = [found.start() for found in re.finditer(rule.opens, text, re.MULTILINE)]
    modern, classical = re.compile(rule.modern), re.compile(rule.classical)
    surely = re.compile(rule.surely_modern), re.compile(rule.surely_classical)
    found: list[tuple[int, int]] = []
    for at, start in enumerate(starts):
        stop = starts[at + 1] if at + 1 < len(starts) else len(text)
        score = best = 0
        end = line = start
        while line < stop:
            after = text.find("\n", line, stop)
            after = stop if after < 0 else after + 1
            odds = len(modern.findall(text, line, after)) - len(classical.findall(text, line, after))
            sure = surely[0].search(text, line, after) is not None
            score += max(-_WEIGHT, min(_WEIGHT, odds))
            score += _WEIGHT * (sure - (surely[1].search(text, line, after) is not None))
            if line == start or score > best or (sure and score == best):
                best, end = score, after
            line = after
        found.append((start, end))
    return tuple(found)
