"""A text taken in, as TEI P5; and back from it without loss.

Comes in: a `Text`, with anchors and proposals if there are any. Goes out: one TEI document that tei_all allows.
``body`` holds every character of the file, in order, in one ``ab``: what is of one layer and one speaker is one element
(``note`` for commentary, ``seg``, ``quote``, ``label``); ``type`` is the layer's name, ``resp`` the speaker,
``corresp`` who quotes him, innermost first, ``n`` the remark. Pages are ``pb``. What cannot be read is ``gap`` with the
copy's sign in ``desc``, an unencoded character ``g``, a supplied one ``supplied``. Faults, remarks, anchors and
proposals stand in ``standOff``, at ``#string-range(t,OFFSET,LENGTH)`` in code points. How forbidden characters are
written: `tei_signs`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from yanli.corpus.model import Anchor, Layer, Piece, Proposal, Remark, State, Text
from yanli.corpus.tei_signs import ENTITY, FORBIDDEN, attribute, content, declared, entity_id, plain, signs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NAMESPACE = "http://www.tei-c.org/ns/1.0"
ELEMENTS = {Layer.canon: "seg", Layer.sign: "seg", Layer.lemma: "quote", Layer.heading: "label"}
_TOLD = (
    "<p>原檔每字皆在 ab 中；XML 不容之字作 g，其碼在 charDecl。</p>"
    "<p>Every character of the file stands in ab; one that XML forbids is g, with its code in charDecl.</p>"
)


def to_tei(text: Text, anchors: Sequence[Anchor] = (), proposals: Sequence[Proposal] = ()) -> str:
    """Write a text as TEI P5. What is proposed for damaged places is told beside the text, never within it."""
    names = _names(text)
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>\n',
        f'<TEI xmlns="{NAMESPACE}">\n',
        *_header(text, names),
        *_standoff(text, names, anchors, proposals),
        '<text xml:lang="lzh">\n<body>\n<ab xml:id="t" xml:space="preserve">',
        *_body(text, names),
        "</ab>\n</body>\n</text>\n</TEI>\n",
    ]
    return "".join(parts)


def _names(text: Text) -> dict[str, str]:
    """Number everybody who speaks or quotes, in the order of the text."""
    found: dict[str, str] = {}
    everybody: list[Piece | Remark] = [*text.pieces, *text.remarks]
    for said in everybody:
        for name in (said.speaker, *said.quoted_by):
            if name is not None:
                found.setdefault(name, f"s{len(found) + 1}")
    return found


def _header(text: Text, names: dict[str, str]) -> Iterator[str]:
    title = content(text.title)
    yield f"<teiHeader>\n<fileDesc>\n<titleStmt><title>{title}</title></titleStmt>\n"
    yield "<publicationStmt><p>演禮 Yanli</p></publicationStmt>\n<notesStmt>\n"
    for name, value in (
        ("family", text.family),
        ("encoding", text.encoding),
        ("sure", repr(text.sure)),
        ("why", text.why),
    ):
        yield f'<note type="{name}">{content(value)}</note>\n'
    yield "</notesStmt>\n"
    yield f"<sourceDesc><bibl><title>{title}</title><idno>{content(text.name)}</idno></bibl></sourceDesc>\n"
    yield f"</fileDesc>\n<encodingDesc>\n<editorialDecl>{_TOLD}</editorialDecl>\n"
    yield declared(text.text)
    yield "</encodingDesc>\n"
    if names:
        yield "<profileDesc><particDesc><listPerson>\n"
        for name, number in names.items():
            yield f'<person xml:id="{number}"><persName>{content(name)}</persName></person>\n'
        yield "</listPerson></particDesc></profileDesc>\n"
    yield "</teiHeader>\n"


def _standoff(
    text: Text, names: dict[str, str], anchors: Sequence[Anchor], proposals: Sequence[Proposal]
) -> Iterator[str]:
    """Write what is said about places of the text; an empty ``standOff`` is not allowed."""
    if text.remarks or text.faults or anchors or proposals:
        yield "<standOff>\n"
        yield from _remarks(text, names)
        yield from _faults(text)
        yield from _anchors(anchors)
        yield from _proposals(proposals)
        yield "</standOff>\n"


def _said(said: Piece | Remark, names: dict[str, str]) -> str:
    """Write who says it and who quotes him, as attributes."""
    resp = f' resp="#{names[said.speaker]}"' if said.speaker is not None else ""
    quoted = " ".join(f"#{names[name]}" for name in said.quoted_by)
    return resp + (f' corresp="{quoted}"' if quoted else "")


def _ranges(spans: Sequence[tuple[int, int]]) -> str:
    return " ".join(f"#string-range(t,{start},{end - start})" for start, end in spans)


def _remarks(text: Text, names: dict[str, str]) -> Iterator[str]:
    if not text.remarks:
        return
    yield '<spanGrp type="remarks">\n'
    for order, remark in enumerate(text.remarks):
        target = f' target="{_ranges(remark.spans)}"' if remark.spans else ""
        yield f'<span xml:id="r{order + 1}" type="{remark.layer}" n="{remark.number}"{target}{_said(remark, names)}>'
        yield f'<num type="after">{remark.after}</num>'
        if remark.lemma is not None:
            yield f"<mentioned>{content(remark.lemma)}</mentioned>"
        # What the remark says is what stands at its places, unless the reader of that family told otherwise.
        if remark.text != "".join(text.text[start:end] for start, end in remark.spans):
            yield f"<q>{content(remark.text)}</q>"
        yield "</span>\n"
    yield "</spanGrp>\n"


def _faults(text: Text) -> Iterator[str]:
    if not text.faults:
        return
    yield '<spanGrp type="faults">\n'
    for fault in text.faults:
        state = f' subtype="{attribute(fault.state.name)}"' if fault.state is not None else ""
        target = _ranges([(fault.start, fault.end)])
        yield f'<span type="{fault.kind}"{state} target="{target}"><num type="line">{fault.line}</num>'
        if fault.page is not None:
            yield f'<ref type="page">{content(fault.page)}</ref>'
        yield f"<mentioned>{content(fault.found)}</mentioned><gloss>{content(fault.told)}</gloss></span>\n"
    yield "</spanGrp>\n"


def _anchors(anchors: Sequence[Anchor]) -> Iterator[str]:
    if not anchors:
        return
    yield '<spanGrp type="anchors">\n'
    for anchor in anchors:
        yield f'<span type="{anchor.how}" n="{anchor.remark}" target="#t"><name>{content(anchor.rite)}</name>'
        yield f'<ref type="first">{content(anchor.first)}</ref><ref type="last">{content(anchor.last)}</ref>'
        if anchor.stands is not None:
            yield f'<ref type="stands">{content(anchor.stands)}</ref>'
        yield f'<num type="confidence">{anchor.confidence!r}</num></span>\n'
    yield "</spanGrp>\n"


def _proposals(proposals: Sequence[Proposal]) -> Iterator[str]:
    if not proposals:
        return
    yield '<spanGrp type="proposals">\n'
    for row in proposals:
        certain = "certain" if row.certain else "uncertain"
        state = "accepted" if row.accepted else "rejected" if row.rejected else "proposed"
        yield f'<span type="{state}" subtype="{certain}" target="{_ranges([(row.start, row.end)])}">'
        yield f"<choice><sic>{content(row.found)}</sic><corr>{content(row.emended)}</corr></choice>"
        yield f"<term>{content(row.method)}</term><gloss>{content(row.evidence)}</gloss>"
        yield f"<name>{content(row.author)}</name>"
        if row.likely:
            yield f'<note type="likely">{content(row.likely)}</note>'
        if row.reviewer:
            yield f'<name type="reviewer">{content(row.reviewer)}</name>'
        if row.reason:
            yield f'<note type="reason">{content(row.reason)}</note>'
        yield "</span>\n"
    yield "</spanGrp>\n"


def _body(text: Text, names: dict[str, str]) -> Iterator[str]:
    marks = _marks(text)
    page: str | None = None
    line = 1
    at = begun = 0
    for piece in text.pieces:
        if piece.page != page:
            page = piece.page
            yield f'<pb n="{attribute(page)}"/>' if page is not None else '<milestone unit="page" n="none"/>'
        yield from _words(text.text, at, piece.start, marks)
        line += text.text.count("\n", begun, piece.start)
        at, begun = piece.end, piece.start
        name = ELEMENTS.get(piece.layer, "note")
        numbers = f' n="{piece.remark}"' if piece.remark is not None else ""
        # Which line it stands on is counted by line ends; where a file counts otherwise it is told.
        lines = f' rend="line-{piece.line}"' if piece.line != line else ""
        yield f'<{name} type="{piece.layer}"{numbers}{lines}{_said(piece, names)}>'
        yield from _words(text.text, piece.start, piece.end, marks)
        yield f"</{name}>"
    yield from _words(text.text, at, len(text.text), marks)


def _marks(text: Text) -> list[tuple[int, int, str]]:
    """Give what is marked within the text, in order, none overlapping: start, end, and of what state."""
    found = [
        (fault.start, fault.end, fault.state.name) for fault in text.faults if fault.state and fault.start < fault.end
    ]
    kept: list[tuple[int, int, str]] = []
    for mark in sorted(found):
        if not kept or mark[0] >= kept[-1][1]:
            kept.append(mark)
    return kept


def _words(text: str, start: int, end: int, marks: list[tuple[int, int, str]]) -> Iterator[str]:
    """Write a stretch of the text with what is marked in it; each mark that ends within it is used up."""
    while marks and marks[0][1] <= start:
        marks.pop(0)
    for low, high, state in marks:
        if low >= end:
            break
        first, last = max(low, start), min(high, end)
        yield signs(text[start:first])
        yield _state(text[first:last], state)
        start = last
    yield signs(text[start:end])


def _state(words: str, state: str) -> str:
    """Write what cannot be read from the copy, or was supplied."""
    if state == State.unencoded.name and ENTITY.fullmatch(words):
        return f'<g ref="#{entity_id(words)}">{plain(words)}</g>'
    if state == State.supplied.name:
        return f"<supplied>{signs(words)}</supplied>"
    if FORBIDDEN.search(words):
        return signs(words)
    return f'<gap reason="{state}"><desc>{plain(words)}</desc></gap>'
