"""Gets a text back from the TEI that `tei` wrote: the same text, pieces, remarks, faults, anchors and proposals.

Comes in: such a document. Goes out: a `Text`, its anchors and its proposals. Other TEI is taken in like any file, by
its family's profile; here it is refused with what was expected. A document that declares a DTD is refused: ours has
none, and a hostile one could make a few lines as large as the memory.
"""

from __future__ import annotations

import re
from typing import Any
from xml.parsers import expat

import msgspec

from yanli.corpus.model import Anchor, Fault, Layer, Piece, Proposal, Remark, State, Text
from yanli.corpus.tei_signs import parser_for, refuse, unescaped

_RANGE = re.compile(r"#string-range\(t,(\d+),(\d+)\)")
_CODE = re.compile(r"#u([0-9a-f]{4,6})")
_PIECES = frozenset({"seg", "note", "quote", "label"})


class _Read(msgspec.Struct, kw_only=True):
    """What has been read of one ``span``."""

    attributes: dict[str, str]
    said: dict[str, str] = {}


class _Document:
    """The handlers of the parser, and what they have gathered."""

    def __init__(self) -> None:
        self.path: list[str] = []
        self.words: list[str] = []
        self.length = 0
        self.header: dict[str, str] = {}
        self.people: dict[str, str] = {}
        self.pieces: list[dict[str, Any]] = []
        self.spans: dict[str, list[_Read]] = {"remarks": [], "faults": [], "anchors": [], "proposals": []}
        self.group = ""
        self.key = ""
        self.held: list[str] = []
        self.page: str | None = None
        self.inside = False
        self.skip = False
        self.person = ""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element opens."""
        self.path.append(name)
        if self.inside:
            self._inside(name, attributes)
        elif name == "ab" and attributes.get("xml:id") == "t":
            self.inside = True
        elif name == "spanGrp":
            self.group = attributes.get("type", "")
        elif name == "span" and self.group in self.spans:
            self.spans[self.group].append(_Read(attributes=attributes, said={}))
        else:
            self.key = f"{name}-{attributes['type']}" if "type" in attributes else name
            self.person = attributes.get("xml:id", self.person) if name == "person" else self.person
            self.held = []

    def _inside(self, name: str, attributes: dict[str, str]) -> None:
        if name == "pb":
            self.page = unescaped(attributes.get("n", ""))
        elif name == "milestone":
            self.page = None
        elif name in _PIECES:
            self.pieces.append({**attributes, "start": self.length, "page": self.page})
        elif name == "g" and (code := _CODE.fullmatch(attributes.get("ref", ""))):
            self._add(chr(int(code[1], 16)))
            self.skip = True

    def end(self, name: str) -> None:
        """An element closes."""
        self.path.pop()
        if self.inside:
            if name == "ab":
                self.inside = False
            elif name in _PIECES:
                self.pieces[-1]["end"] = self.length
            elif name == "g":
                self.skip = False
        elif name == "spanGrp":
            self.group = ""
        elif self.group in self.spans:
            if name != "span":
                self.spans[self.group][-1].said[self.key] = unescaped("".join(self.held))
        elif name == "persName":
            self.people["#" + self.person] = unescaped("".join(self.held))
        elif name in {"note", "idno", "title"}:
            self.header.setdefault(self.key, unescaped("".join(self.held)))

    def data(self, words: str) -> None:
        """Words between tags."""
        if not self.inside:
            self.held.append(words)
        elif not self.skip:
            self._add(words)

    def _add(self, words: str) -> None:
        self.words.append(words)
        self.length += len(words)

    def speaker(self, attributes: dict[str, Any]) -> tuple[str | None, tuple[str, ...]]:
        """Who says it, and who quotes him."""
        who = attributes.get("resp")
        return self.people[who] if who else None, tuple(
            map(self.people.__getitem__, attributes.get("corresp", "").split())
        )


def from_tei(document: str) -> Text:
    """Read a text from the TEI that `tei.to_tei` wrote. Raises RiteError (``bad-tei``) for anything else."""
    read = _parse(document)
    try:
        return _text(read)
    except (KeyError, ValueError, IndexError) as reason:
        refuse(f"the document is not as it was written here: {reason!r}")


def anchors_from_tei(document: str) -> tuple[Anchor, ...]:
    """Read the anchors of such a document. Raises RiteError (``bad-tei``) as `from_tei` does."""
    try:
        return tuple(
            msgspec.convert(
                {
                    "remark": int(span.attributes["n"]),
                    "rite": span.said["name"],
                    "first": span.said["ref-first"],
                    "last": span.said["ref-last"],
                    "confidence": float(span.said["num-confidence"]),
                    "how": span.attributes["type"],
                    "stands": span.said.get("ref-stands"),
                },
                Anchor,
            )
            for span in _parse(document).spans["anchors"]
        )
    except (KeyError, ValueError) as reason:
        refuse(f"an anchor is not as it was written here: {reason!r}")


def proposals_from_tei(document: str) -> tuple[Proposal, ...]:
    """Read the proposals of such a document. Raises RiteError (``bad-tei``) as `from_tei` does."""
    try:
        return tuple(_proposal(span) for span in _parse(document).spans["proposals"])
    except (KeyError, ValueError) as reason:
        refuse(f"a proposal is not as it was written here: {reason!r}")


def _proposal(span: _Read) -> Proposal:
    ((start, end),) = _spans(span.attributes)
    return Proposal(
        start=start,
        end=end,
        found=span.said["sic"],
        emended=span.said["corr"],
        method=span.said["term"],
        evidence=span.said["gloss"],
        author=span.said["name"],
        certain=span.attributes["subtype"] == "certain",
        accepted=span.attributes["type"] == "accepted",
        rejected=span.attributes["type"] == "rejected",
        likely=span.said.get("note-likely", ""),
        reviewer=span.said.get("name-reviewer", ""),
        reason=span.said.get("note-reason", ""),
    )


def _parse(document: str) -> _Document:
    read = _Document()
    parser = parser_for(read)
    try:
        parser.Parse(document, True)  # noqa: FBT003 - expat takes no keyword
    except expat.ExpatError as reason:
        refuse(f"no well-formed XML: {reason}")
    except UnicodeEncodeError as reason:
        refuse(f"a lone surrogate: {reason}")
    if not read.words and "family" not in {key.removeprefix("note-") for key in read.header}:
        refuse('expected <ab xml:id="t"> and the notes of the header, as they are written here')
    return read


def _text(read: _Document) -> Text:
    words = "".join(read.words)
    header = read.header
    return Text(
        name=header["idno"],
        title=header["title"],
        family=header["note-family"],
        text=words,
        encoding=header["note-encoding"],
        pieces=tuple(_pieces(read, words)),
        remarks=tuple(_remark(read, span, words) for span in read.spans["remarks"]),
        faults=tuple(_fault(span) for span in read.spans["faults"]),
        sure=float(header["note-sure"]),
        why=header["note-why"],
    )


def _pieces(read: _Document, words: str) -> list[Piece]:
    found: list[Piece] = []
    line, at = 1, 0
    for piece in read.pieces:
        line += words.count("\n", at, piece["start"])
        at = piece["start"]
        speaker, quoted = read.speaker(piece)
        told = piece.get("rend", "").removeprefix("line-")
        found.append(
            Piece(
                start=at,
                end=piece["end"],
                layer=Layer(piece["type"]),
                line=int(told) if told else line,
                page=piece["page"],
                speaker=speaker,
                quoted_by=quoted,
                remark=int(piece["n"]) if "n" in piece else None,
            )
        )
    return found


def _spans(attributes: dict[str, str]) -> tuple[tuple[int, int], ...]:
    return tuple(
        (int(start), int(start) + int(length)) for start, length in _RANGE.findall(attributes.get("target", ""))
    )


def _remark(read: _Document, span: _Read, words: str) -> Remark:
    spans = _spans(span.attributes)
    speaker, quoted = read.speaker(span.attributes)
    text = span.said.get("q")
    return Remark(
        number=int(span.attributes["n"]),
        layer=Layer(span.attributes["type"]),
        text="".join(words[start:end] for start, end in spans) if text is None else text,
        spans=spans,
        after=int(span.said["num-after"]),
        speaker=speaker,
        quoted_by=quoted,
        lemma=span.said.get("mentioned"),
    )


def _fault(span: _Read) -> Fault:
    ((start, end),) = _spans(span.attributes)
    state = span.attributes.get("subtype")
    return msgspec.convert(
        {
            "kind": span.attributes["type"],
            "start": start,
            "end": end,
            "line": int(span.said["num-line"]),
            "page": span.said.get("ref-page"),
            "found": span.said["mentioned"],
            "told": span.said["gloss"],
            "state": State[state] if state else None,
        },
        Fault,
    )
