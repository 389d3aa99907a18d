"""Reads a file, whatever it is: also the TEI that Yanli itself wrote, which says all that was known of the text.

Comes in: a file's bytes and name. Goes out: a `Text`.
"""

from __future__ import annotations

from yanli.corpus.model import Proposal, Text
from yanli.corpus.segment import read_text
from yanli.corpus.tei_read import from_tei, proposals_from_tei
from yanli.errors import RiteError

_OWN = "<publicationStmt><p>演禮 Yanli</p></publicationStmt>".encode()
_HEAD = 10_000


def read_file(data: bytes, name: str, *, family: str | None = None, encoding: str | None = None) -> Text:
    """Read a file as `read_text` does; without a family or encoding that is told, own TEI gives back its text.

    Raises RiteError as `read_text` does.
    """
    if family is None and encoding is None and _OWN in data[:_HEAD]:
        try:
            return from_tei(data.decode())
        except (RiteError, UnicodeDecodeError):
            # It was changed since: then it is a TEI file like any other.
            return read_text(data, name)
    return read_text(data, name, family=family, encoding=encoding)


def proposals_in(data: bytes, text: Text) -> tuple[Proposal, ...]:
    """Give what own TEI says was proposed for the text that was read from it; nothing where it was not read as such."""
    if _OWN not in data[:_HEAD]:
        return ()
    try:
        found = proposals_from_tei(data.decode())
    except (RiteError, UnicodeDecodeError):
        return ()
    fits = all(text.text[each.start : each.end] == each.found for each in found)
    return found if fits else ()
