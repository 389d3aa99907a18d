r"""Writes any text into XML, and gets it back: also what XML has no way to write.

Comes in: strings with whatever a file held. Goes out: XML. In content, a character that XML forbids (a control
character, a lone surrogate, U+FFFE) becomes ``<g ref="#u0001">`` round U+FFFD, declared in the header by its code; in
an attribute, and in words of ours about the text, it becomes ``\u{1}``, and ``\`` becomes ``\\``.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NoReturn, Protocol
from xml.parsers import expat

from yanli.errors import Finding, RiteError

if TYPE_CHECKING:
    from xml.parsers.expat import XMLParserType

# What XML 1.0 does not allow (production 2, Char), not even as a reference.
FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
ENTITY = re.compile(r"&[A-Za-z][A-Za-z0-9.-]{0,40};")
_ESCAPED = re.compile(r"\\(?:\\|u\{([0-9a-f]{1,6})\})")
_CONTENT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_ATTRIBUTE = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;", "\n": "&#10;", "\t": "&#9;"}
)


def escaped(text: str) -> str:
    """Write a text without any character that XML (or UTF-8) forbids; `unescaped` undoes it."""
    return FORBIDDEN.sub(lambda found: f"\\u{{{ord(found[0]):x}}}", text.replace("\\", "\\\\"))


def unescaped(text: str) -> str:
    """Undo `escaped`."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)) if found[1] else "\\", text)


def content(text: str) -> str:
    """Write words of ours, or about the text, as the content of an element."""
    return escaped(text).translate(_CONTENT)


def attribute(text: str) -> str:
    """Write words as an attribute's value, without the quotes."""
    return escaped(text).translate(_ATTRIBUTE)


def plain(text: str) -> str:
    """Write words that hold nothing that XML forbids, with no escape of ours."""
    return text.translate(_CONTENT)


def code_id(character: str) -> str:
    """Name a character by its code, as an XML id."""
    return f"u{ord(character):04x}"


def entity_id(entity: str) -> str:
    """Name an entity (``&KR0764;``) as an XML id."""
    return f"g-{entity[1:-1]}"


def signs(words: str) -> str:
    """Write words of a copy; a character that XML forbids is a ``g``."""
    if not FORBIDDEN.search(words):
        return plain(words)
    places = [0, *(at for found in FORBIDDEN.finditer(words) for at in found.span()), len(words)]
    parts = [
        f'<g ref="#{code_id(words[low])}">\ufffd</g>' if number % 2 else plain(words[low:high])
        for number, (low, high) in enumerate(pairwise(places))
    ]
    return "".join(parts)


def declared(words: str) -> str:
    """Declare every entity and every forbidden character in ``words``, as a header's ``charDecl``; nothing if none."""
    entities = dict.fromkeys(ENTITY.findall(words))
    codes = dict.fromkeys(FORBIDDEN.findall(words))
    parts = [
        f'<char xml:id="{entity_id(entity)}"><mapping type="entity">{plain(entity)}</mapping></char>\n'
        for entity in entities
    ]
    parts += [
        f'<char xml:id="{code_id(code)}"><mapping type="codepoint">U+{ord(code):04X}</mapping></char>\n'
        for code in codes
    ]
    return f"<charDecl>\n{''.join(parts)}</charDecl>\n" if parts else ""


class Reader(Protocol):
    """What is told of a document while it is parsed."""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""

    def end(self, name: str) -> None:
        """It ends."""

    def data(self, words: str) -> None:
        """Words stand here."""


def parser_for(reader: Reader) -> XMLParserType:
    """Give what parses a document for a reader; it refuses a DTD, and with it all that entities can do."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.data
    parser.StartDoctypeDeclHandler = lambda *_: refuse("it declares a DTD; ours has none")
    return parser


def refuse(cause: str) -> NoReturn:
    """Raise RiteError (``bad-tei``): a document is not such as is written here."""
    raise RiteError(Finding(code="bad-tei", cause=cause))
