"""Bytes to text and back: nothing lost, nothing normalised.

Comes in: a file's bytes, and the encoding's name where somebody knows it. Goes out: text in code points, by which
encoding, and what is needed to give the same bytes again. Bytes that the encoding does not know stand in the text as
lone surrogates U+DC80 to U+DCFF (``surrogateescape``); a byte order mark stays as U+FEFF.
"""

from __future__ import annotations

import codecs
import difflib
import re

import msgspec

from yanli.errors import Finding, RiteError

# Every name that may be asked for, and the codec that reads it. The two-byte ones are read by their widest relative:
# what a file calls big5 or gb2312 is seldom only that.
ENCODINGS = {
    "utf-8": "utf-8",
    "utf-16-le": "utf-16-le",
    "utf-16-be": "utf-16-be",
    "utf-32-le": "utf-32-le",
    "utf-32-be": "utf-32-be",
    "big5": "cp950",
    "cp950": "cp950",
    "big5-hkscs": "big5hkscs",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "gb18030": "gb18030",
    "euc-jp": "euc_jp",
    "shift-jis": "cp932",
    "euc-kr": "cp949",
    "latin-1": "latin-1",
}
_ALIASES = {"utf8": "utf-8", "utf-8-sig": "utf-8", "big5hkscs": "big5-hkscs", "cp936": "gbk", "gb-2312": "gb2312"}
# The longer mark first: UTF-32's begins with UTF-16's.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(
    rb"""(?:<\?xml[^>]{0,80}encoding|<meta[^>]{0,80}charset)\s{0,9}=\s{0,9}["']?([A-Za-z0-9_-]{2,20})"""
)
# What a file may be in that says nothing of it, and the commonest characters of either script: read in the wrong one of
# these encodings, a text has few of them.
_LIKELY = ("big5", "gb18030")
_COMMON = frozenset(
    "之不以也人而其曰于於子大有者上下一二三主賓宾東东西北南面拜坐爵興兴降升受禮礼為为所是中無无在自如與与"
    "射執执右左皆進进反的了我他這这個个來来說说時时"
)
_HAN = re.compile("[\u3400-\u9fff]")
_SHARE = 0.05
_HEAD = 2048
_BLOCK = 1 << 12


class Decoded(msgspec.Struct, frozen=True, kw_only=True):
    """A text with all that gives its bytes again.

    ``encoding`` is one of `ENCODINGS`. ``patches`` are characters (offset, bytes) that the encoding writes otherwise
    than this file did: two-byte sets have some characters twice.
    """

    text: str
    encoding: str
    patches: tuple[tuple[int, bytes], ...] = ()


def decode(data: bytes, encoding: str | None = None) -> Decoded:
    """Read bytes as text. Never fails on any bytes; `encode` gives the same ones again.

    Without a name: a byte order mark, what an XML or HTML head declares, else UTF-8. Raises RiteError
    (``bad-encoding``) for a name that is not known.
    """
    name = _named(encoding) if encoding else _guessed(data)
    codec = ENCODINGS[name]
    if name == "utf-8":
        return Decoded(text=data.decode("utf-8", "surrogateescape"), encoding=name)
    if name.startswith(("utf-16", "utf-32")):
        return _wide(data, name)
    text = data.decode(codec, "surrogateescape")
    if _same(text, codec, data):
        return Decoded(text=text, encoding=name)
    return _patched(data, name)


def encode(decoded: Decoded) -> bytes:
    """Give the bytes again that `decode` read."""
    codec = ENCODINGS[decoded.encoding]
    errors = "surrogatepass" if decoded.encoding.startswith(("utf-16", "utf-32")) else "surrogateescape"
    out: list[bytes] = []
    done = 0
    for offset, found in decoded.patches:
        out.append(decoded.text[done:offset].encode(codec, errors))
        out.append(found)
        done = offset + 1
    out.append(decoded.text[done:].encode(codec, errors))
    return b"".join(out)


def utf16(text: str, offset: int) -> int:
    """Turn an offset in code points into one in UTF-16 units, as a browser counts."""
    return offset + sum(1 for character in text[:offset] if character > "\uffff")


def likely(data: bytes) -> tuple[str, ...]:
    """Give the encodings in which bytes that are no UTF-8 read cleanly as Chinese, the likeliest first; often none.

    It is a hint for people: nothing is read by it.
    """
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        return ()
    found: list[tuple[float, str]] = []
    for name in _LIKELY:
        try:
            words = _HAN.findall(data.decode(ENCODINGS[name]))
        except UnicodeDecodeError:
            continue
        share = sum(word in _COMMON for word in words) / max(len(words), 1)
        if share >= _SHARE:
            found.append((share, name))
    found.sort(reverse=True)
    return tuple(name for share, name in found if share * 2 >= found[0][0])


def _named(encoding: str) -> str:
    """Find a name in the table, whatever its hyphens and case."""
    name = encoding.strip().lower().replace("_", "-")
    name = _ALIASES.get(name, name)
    if name in ENCODINGS:
        return name
    raise RiteError(
        Finding(
            code="bad-encoding",
            cause=f"no encoding is called {encoding!r}",
            known=", ".join(ENCODINGS),
            nearest=tuple(difflib.get_close_matches(name, ENCODINGS, n=3, cutoff=0.6)),
        )
    )


def _guessed(data: bytes) -> str:
    """By byte order mark, else as the head declares, else UTF-8."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name
    if declared := _DECLARED.search(data[:_HEAD]):
        name = declared[1].decode("ascii").lower().replace("_", "-")
        name = _ALIASES.get(name, name)
        # A file that could be read so far as to find this is of no wide encoding, whatever it declares.
        if name in ENCODINGS and not name.startswith(("utf-16", "utf-32")):
            return name
    return "utf-8"


def _wide(data: bytes, name: str) -> Decoded:
    """UTF-16 and UTF-32; what is cut or no such text is read as UTF-8, which takes any bytes."""
    try:
        text = data.decode(name, "surrogatepass")
        whole = text.encode(name, "surrogatepass") == data
    except UnicodeError:
        whole = False
    if whole:
        return Decoded(text=text, encoding=name)
    return Decoded(text=data.decode("utf-8", "surrogateescape"), encoding="utf-8")


def _same(text: str, codec: str, data: bytes) -> bool:
    try:
        return text.encode(codec, "surrogateescape") == data
    except UnicodeError:
        return False


def _patched(data: bytes, name: str) -> Decoded:
    """Read character by character where a block does not come out again as it went in."""
    codec = ENCODINGS[name]
    decoder = codecs.getincrementaldecoder(codec)("surrogateescape")
    texts: list[str] = []
    patches: list[tuple[int, bytes]] = []
    count = begun = 0
    for at in range(0, len(data), _BLOCK):
        block = data[at : at + _BLOCK]
        got = decoder.decode(block, final=at + _BLOCK >= len(data))
        pending = len(decoder.getstate()[0])
        stop = at + len(block) - pending
        if not _same(got, codec, data[begun:stop]):
            patches += [(count + offset, found) for offset, found in _odd(data[begun:stop], codec)]
        begun = stop
        texts.append(got)
        count += len(got)
    return Decoded(text="".join(texts), encoding=name, patches=tuple(patches))


def _odd(block: bytes, codec: str) -> list[tuple[int, bytes]]:
    """Give the characters of a block that come out as other bytes, with the bytes they came as."""
    found: list[tuple[int, bytes]] = []
    decoder = codecs.getincrementaldecoder(codec)("surrogateescape")
    held = b""
    count = 0
    for at in range(len(block)):
        byte = block[at : at + 1]
        held += byte
        got = decoder.decode(byte, final=at + 1 == len(block))
        if not got:
            continue
        state = decoder.getstate()[0]
        came, held = (held[: -len(state)], state) if state else (held, b"")
        if not _same(got, codec, came):
            if len(got) == 1:
                found.append((count, came))
            else:
                found += _spread(got, codec, came, count)
        count += len(got)
    return found


def _spread(got: str, codec: str, came: bytes, count: int) -> list[tuple[int, bytes]]:
    """Several characters came at once: those after the first stand for themselves, the first takes what is left."""
    rest = got[1:].encode(codec, "surrogateescape")
    return [(count, came[: len(came) - len(rest)])]
