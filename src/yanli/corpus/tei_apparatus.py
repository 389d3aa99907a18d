"""An apparatus as TEI P5 (``app``, ``lem``, ``rdg``, parallel segmentation); and every witness back from it.

Comes in: an `Apparatus`. Goes out: one document that tei_all allows. ``ab`` holds the base; where witnesses differ
stands an ``app``, whose ``rdg`` has the class of the reading as ``type``. A witness falls silent at ``lacunaStart``
(its ``n`` says why: 佚葉 with the pages, 移, 脫) and speaks again at ``lacunaEnd``; a ``rdg`` of its own counts even
there. The lost old texts are witnesses by their reports.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.parsers import expat

from yanli.corpus.copies import spelt
from yanli.corpus.tei import NAMESPACE
from yanli.corpus.tei_signs import (
    ENTITY,
    attribute,
    content,
    declared,
    entity_id,
    parser_for,
    plain,
    refuse,
    signs,
    unescaped,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yanli.corpus.apparatus import Absence, Apparatus, Entry

_CODE = re.compile(r"#u([0-9a-f]{4,6})")
_TOLD = (
    "<p>底本與各本逐字對校。每本皆可由此檔一字不差復原。</p>"
    "<p>The witnesses were collated with the base by character; each of them comes back from this file exactly.</p>"
)


def apparatus_tei(found: Apparatus, title: str = "") -> str:
    """Write an apparatus as TEI P5, under a title (the base's, if none is given)."""
    ids = {found.base.siglum: "w0"}
    ids |= {copy.siglum: f"w{number}" for number, copy in enumerate(found.witnesses, 1)}
    old = {who for entry in found.entries for reading in entry.readings for who in reading.witnesses} - set(ids)
    ids |= {who: f"old{number}" for number, who in enumerate(sorted(old), 1)}
    return "".join(
        [
            f'<?xml version="1.0" encoding="UTF-8"?>\n<TEI xmlns="{NAMESPACE}">\n',
            *_header(found, ids, title or found.base.title or found.base.siglum),
            '<text xml:lang="lzh">\n<body>\n<ab xml:id="t" xml:space="preserve">',
            *_body(found, ids),
            "</ab>\n</body>\n</text>\n</TEI>\n",
        ]
    )


def witnesses_from_tei(document: str) -> dict[str, str]:
    """Give the words of every witness, by siglum, from what `apparatus_tei` wrote; entities are written out.

    Raises RiteError (``bad-tei``) when it is no such document.
    """
    read = _Reader()
    parser = parser_for(read)
    try:
        parser.Parse(document, True)  # noqa: FBT003 - expat takes no keyword
    except (expat.ExpatError, UnicodeEncodeError, KeyError, IndexError) as reason:
        refuse(f"no apparatus as it is written here: {reason!r}")
    if "#w0" not in read.names:
        refuse("expected listWit with the witnesses")
    return {siglum: "".join(read.texts[key]) for key, siglum in read.names.items() if not key.startswith("#old")}


def _header(found: Apparatus, ids: dict[str, str], title: str) -> Iterator[str]:
    titles = {copy.siglum: copy.title for copy in (found.base, *found.witnesses)}
    yield f"<teiHeader>\n<fileDesc>\n<titleStmt><title>{content(title)}</title></titleStmt>\n"
    yield "<publicationStmt><p>演禮 Yanli</p></publicationStmt>\n<sourceDesc>\n<listWit>\n"
    for siglum, number in ids.items():
        about = f"<title>{content(titles[siglum])}</title>" if titles.get(siglum) else ""
        yield f'<witness xml:id="{number}"><abbr>{content(siglum)}</abbr>{about}</witness>\n'
    yield f"</listWit>\n</sourceDesc>\n</fileDesc>\n<encodingDesc>\n<editorialDecl>{_TOLD}</editorialDecl>\n"
    yield '<variantEncoding method="parallel-segmentation" location="internal"/>\n'
    readings = [reading.text for entry in found.entries for reading in entry.readings]
    yield declared(spelt("".join((found.base.text, *readings))))
    yield "</encodingDesc>\n</teiHeader>\n"


def _body(found: Apparatus, ids: dict[str, str]) -> Iterator[str]:
    """Write the base with its apparatus, in order."""
    base = found.base.text
    marks = sorted(_silences(found), key=lambda mark: mark[0])
    done = 0
    for entry in (*found.entries, None):
        stop = entry.start if entry is not None else len(base)
        while marks and (marks[0][0] <= stop or entry is None):
            place, absence, starts = marks.pop(0)
            yield _words(base[done:place])
            done = max(done, place)
            yield _silence(absence, ids, starts=starts)
        yield _words(base[done:stop])
        if entry is not None:
            yield _app(entry, found, ids)
            done = entry.end


def _silences(found: Apparatus) -> Iterator[tuple[int, Absence, bool]]:
    """Give where each witness falls silent and speaks again; a mark within an entry stands behind it."""
    for absence in found.absences:
        start, end = (_behind(found.entries, place) for place in (absence.start, absence.end))
        if start < end:
            yield start, absence, True
            yield end, absence, False


def _behind(entries: tuple[Entry, ...], place: int) -> int:
    return next((entry.end for entry in entries if entry.start < place < entry.end), place)


def _silence(absence: Absence, ids: dict[str, str], *, starts: bool) -> str:
    told = attribute(" ".join((absence.kind, *absence.pages)))
    mark = f'<lacunaStart n="{told}"/>' if starts else "<lacunaEnd/>"
    return f'<app type="{absence.kind}"><lem/><rdg wit="#{ids[absence.witness]}">{mark}</rdg></app>'


def _app(entry: Entry, found: Apparatus, ids: dict[str, str]) -> str:
    differ = {who for reading in entry.readings for who in reading.witnesses} | set(entry.absent)
    agree = [copy.siglum for copy in (found.base, *found.witnesses) if copy.siglum not in differ]
    parts = [f'<app><lem wit="{" ".join("#" + ids[who] for who in agree)}">{_words(entry.words)}</lem>']
    for reading in entry.readings:
        wit = " ".join("#" + ids[who] for who in reading.witnesses)
        moved = f' corresp="#string-range(t,{reading.moved},{len(reading.text)})"' if reading.moved is not None else ""
        parts.append(f'<rdg wit="{wit}" type="{reading.kind}"{moved}>{_words(reading.text)}</rdg>')
    parts += [f"<note>{content(spelt(reading.note))}</note>" for reading in entry.readings if reading.note]
    return "".join((*parts, "</app>"))


def _words(words: str) -> str:
    """Write a copy's words; an entity is a ``g``."""
    written = spelt(words)
    if "&" not in written:
        return signs(written)
    parts: list[str] = []
    done = 0
    for entity in ENTITY.finditer(written):
        parts.append(signs(written[done : entity.start()]))
        parts.append(f'<g ref="#{entity_id(entity[0])}">{plain(entity[0])}</g>')
        done = entity.end()
    return "".join((*parts, signs(written[done:])))


class _Reader:
    """The handlers of the parser: each witness gets the words that are its own."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.texts: dict[str, list[str]] = {}
        self.silent: set[str] = set()
        self.path: list[str] = []
        self.held: list[str] = []
        self.lemma = ""
        self.readings: dict[str, str] = {}
        self.wit: list[str] = []
        self.key = ""
        self.skip = False
        self.inside = False
        self.silences = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element opens."""
        if name == "witness":
            self.key = "#" + attributes["xml:id"]
        elif name in {"abbr", "lem", "rdg", "note"}:
            self.held = []
            self.wit = attributes.get("wit", "").split()
        elif name == "ab":
            self.inside, self.held = True, []
        elif name == "app":
            self._flush()
            self.lemma, self.readings = "", {}
        elif name == "lacunaStart":
            self.silent.update(self.wit)
        elif name == "lacunaEnd":
            self.silent.difference_update(self.wit)
        elif name == "g" and (code := _CODE.fullmatch(attributes.get("ref", ""))):
            self.held.append(chr(int(code[1], 16)))
            self.skip = True

    def end(self, name: str) -> None:
        """An element closes."""
        words = "".join(self.held)
        if name == "abbr":
            self.texts[self.key] = []
            self.names[self.key] = unescaped(words)
        elif name == "lem":
            self.lemma, self.held = words, []
        elif name == "rdg":
            # A mark of silence is no reading.
            self.readings |= {} if self.silences else dict.fromkeys(self.wit, words)
            self.held = []
        elif name == "g":
            self.skip = False
        elif name == "app":
            for key, text in self.texts.items():
                if key in self.readings:
                    text.append(self.readings[key])
                elif key not in self.silent:
                    text.append(self.lemma)
            self.held = []
        elif name == "ab":
            self._flush()
            self.inside = False
        self.silences = name in {"lacunaStart", "lacunaEnd"}

    def data(self, words: str) -> None:
        """Words between tags."""
        if not self.skip:
            self.held.append(words)

    def _flush(self) -> None:
        """What stands outside an ``app`` is of all witnesses that are not silent."""
        words = "".join(self.held) if self.inside else ""
        for key, text in self.texts.items():
            if key not in self.silent:
                text.append(words)
        self.held = []
