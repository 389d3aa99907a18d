"""How words are read aloud: pinyin, simplified script, Korean reading.

Comes in: any text in traditional characters. Goes out: the same text as it is read, or as it is written elsewhere.
What the common dictionaries get wrong for these rites stands in ``rites/lexicon/readings.toml``, each with its source;
the longest phrase wins. Words that belong together are written as one: zhǔrén, 주인.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import msgspec

from yanli.errors import RiteError
from yanli.lexicon.load import HOME, Reader, load_lexicon
from yanli.lexicon.lookup import Class

FILE = HOME / "readings.toml"
CHINESE = re.compile(r"[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
PUNCTUATION = str.maketrans(
    {
        "，": ",",
        "、": ",",
        "。": ".",
        "；": ";",
        "：": ":",
        "？": "?",
        "！": "!",
        "「": "“",
        "」": "”",
        "『": "‘",
        "』": "’",
        "（": "(",
        "）": ")",
        "　": " ",
    }
)
AFTER = tuple(",.;:?!)”’")  # what a new word is set off from by a blank, beside letters and digits
BEFORE = tuple("“‘(")  # what is itself set off from the word before it
# A syllable of pinyin: what follows it begins with a consonant, or is set off by an apostrophe.
VOWEL = "aāáǎàeēéěèiīíǐìoōóǒòuūúǔùüǖǘǚǜ"
BMP = 0xFFFF
SYLLABLE = re.compile(rf"'?[bcdfghjklmnpqrstwxyz]*[{VOWEL}]+(?:ng?(?![{VOWEL}])|r(?![{VOWEL}]))?", re.IGNORECASE)
NOT_INITIAL = "不"  # it takes the next word to itself: 불립, not 불 입
CLASSES: tuple[Class, ...] = ("role", "thing", "place", "facing", "garment", "music", "verb")
DEICTIC = ("其", "己", "對")


class Reading(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How one phrase is read; ``gloss``: who glosses it so; ``why``: the reason, where a gloss does not give it."""

    pinyin: str | None = None
    korean: str | None = None
    simplified: str | None = None
    gloss: tuple[str, ...] = ()
    why: str | None = None


class Readings(msgspec.Struct, frozen=True):
    """All phrases with a reading of their own, and all words that are written as one."""

    phrases: dict[str, Reading]
    words: frozenset[str]
    longest: int


@lru_cache(maxsize=1)
def readings() -> Readings:
    """Read the table of readings, and join to it the words of the lexicon; RiteError tells every fault in it."""
    reader = Reader()
    raw = reader.read(FILE)
    phrases: dict[str, Reading] = {}
    for word, fields in raw.get("readings", {}).items():
        try:
            phrases[word] = msgspec.convert(fields, Reading)
        except msgspec.ValidationError as error:
            reader.fault_of_fields(FILE, word, error, Reading.__struct_fields__)
    if reader.findings:
        raise RiteError(*reader.findings)
    lexicon = load_lexicon()
    words = {*raw.get("words", ()), *(name for cls in CLASSES for name in lexicon.names(cls))}
    kept = frozenset(word for word in words if len(word) > 1 and not word.startswith(DEICTIC) and "之" not in word)
    return Readings(phrases, kept, max(map(len, (*phrases, *kept))))


def pinyin(text: str) -> str:
    """Write a text in pinyin with tones: 主人取爵 is ``zhǔrén qǔ jué``."""
    return _read(text, _pinyin_word)


def korean(text: str) -> str:
    """Write the Korean reading of a text, with the initial-sound rule at the head of each word: 旅酬 is 여수."""
    return _read(text, _korean_word, joins=NOT_INITIAL)


def simplified(text: str) -> str:
    """Write a text in simplified characters, as the mainland prints these rites."""
    convert = _opencc()
    out = []
    for piece, known in _pieces(text, lambda reading: reading.simplified is not None):
        reading = readings().phrases[piece] if known else None
        out.append(reading.simplified if reading and reading.simplified else convert(piece))
    return "".join(out)


def pinyin_syllables(text: str) -> list[str]:
    """Read a text as ``pinyin`` does, but a syllable for each of its characters; "" for a sign that is not read."""
    return _one_by_one(text, _pinyin_word, "", lambda word: [part.strip("'") for part in SYLLABLE.findall(word)])


def korean_syllables(text: str) -> list[str]:
    """Read a text as ``korean`` does, but a syllable for each of its characters; "" for a sign that is not read."""
    return _one_by_one(text, _korean_word, NOT_INITIAL, lambda word: list(word.replace(" ", "")))


def _one_by_one(text: str, read_word: Callable[[str], str], joins: str, part: Callable[[str], list[str]]) -> list[str]:
    """Part the reading of each word among its characters; where it does not come out even, each is read alone."""
    found: list[str] = []
    held = ""
    for word in (*_words(text), ""):
        if not held and word and word in joins:
            held = word
            continue
        if held and CHINESE.match(word):
            word, held = held + word, ""  # noqa: PLW2901 - 不 and what it is read with
        for piece in filter(None, (held, word)):
            if CHINESE.match(piece) is None:
                found.append("")
                continue
            syllables = part(read_word(piece))
            found += syllables if len(syllables) == len(piece) else [read_word(char) for char in piece]
        held = ""
    return found


def _read(text: str, read_word: Callable[[str], str], joins: str = "") -> str:
    """Read word by word, with blanks between words and Western punctuation."""
    out = ""
    held = ""
    for word in _words(text):
        if CHINESE.match(word) is None:
            out, held = _glue(out, read_word(held)) if held else out, ""
            sign = word.translate(PUNCTUATION)
            out += f" {sign}" if sign in BEFORE and _ends_a_word(out) else sign
        elif not held and word in joins:
            held = word
        else:
            out, held = _glue(out, read_word(held + word)), ""
    return _glue(out, read_word(held)) if held else out


def _glue(out: str, word: str) -> str:
    """Set a word after what is written already."""
    return f"{out} {word}" if _ends_a_word(out) else out + word


def _ends_a_word(out: str) -> bool:
    """Say whether what comes next is set off by a blank."""
    return out[-1:].isalnum() or out.endswith(AFTER)


def _words(text: str) -> Iterator[str]:
    """Cut a text into words, the longest that is known first; every other sign stands alone."""
    table = readings()
    at = 0
    while at < len(text):
        for length in range(min(table.longest, len(text) - at), 0, -1):
            piece = text[at : at + length]
            if length == 1 or piece in table.phrases or piece in table.words:
                yield piece
                at += length
                break


def _pieces(text: str, wanted: Callable[[Reading], bool]) -> Iterator[tuple[str, bool]]:
    """Cut a text at the phrases whose reading is wanted; True stands beside such a phrase."""
    table = readings()
    plain = ""
    for word in _words(text):
        reading = table.phrases.get(word)
        if reading is not None and wanted(reading):
            if plain:
                yield plain, False
            yield word, True
            plain = ""
        else:
            plain += word
    if plain:
        yield plain, False


def _pinyin_word(word: str) -> str:
    """Read one word; syllables that begin with a vowel are set off by an apostrophe."""
    table = readings().phrases
    whole = table.get(word)
    if whole is not None and whole.pinyin is not None:
        return whole.pinyin
    out = ""
    for char in word:
        one = table.get(char)
        syllable = one.pinyin if one is not None and one.pinyin is not None else _syllable(char)
        out += f"'{syllable}" if out and syllable[0] in "aāáǎàeēéěèoōóǒò" else syllable
    return out


def _korean_word(word: str) -> str:
    """Read one word in Korean; 不 before ㄷ and ㅈ is 부."""
    table = readings().phrases
    if (whole := table.get(word)) is not None and whole.korean is not None:
        return whole.korean
    if len(word) > 1 and word[0] == NOT_INITIAL:
        return _negated(word)
    return _initial("".join(_bare(char) for char in word))


def _negated(word: str) -> str:
    """Read a word that begins with 不; what follows does not stand at the head."""
    rest = word[1:]
    whole = readings().phrases.get(rest)
    read = whole.korean if whole is not None and whole.korean is not None else "".join(_bare(char) for char in rest)
    return ("부" if _head(read[0]) in _DENTALS else "불") + read


def _bare(char: str) -> str:
    """Give the reading of one character, as it is inside a word."""
    one = readings().phrases.get(char)
    return one.korean if one is not None and one.korean is not None else str(_hanja().get(char, char))


_FIRST, _LAST = 0xAC00, 0xD7A3
_VOWELS, _FINALS = 21, 28
_N, _D, _R, _SILENT, _J = 2, 3, 5, 11, 12
_DENTALS = (_D, _J)
# ㅑ ㅕ ㅖ ㅛ ㅠ ㅣ: before these ㄹ and ㄴ fall away at the head of a word; before others ㄹ becomes ㄴ.
_SOFT = (2, 6, 7, 12, 17, 20)


def _head(syllable: str) -> int | None:
    """Give the number of the first consonant of a Hangul syllable."""
    code = ord(syllable)
    return (code - _FIRST) // (_VOWELS * _FINALS) if _FIRST <= code <= _LAST else None


def _initial(word: str) -> str:
    """Apply the initial-sound rule (두음법칙) to a word, and 렬 률 to 열 율 after a vowel or ㄴ."""
    out = ""
    for syllable in word:
        head = _head(syllable)
        if head is None:
            out += syllable
            continue
        rest = (ord(syllable) - _FIRST) % (_VOWELS * _FINALS)
        soft = rest // _FINALS in _SOFT
        if not out and head in {_N, _R}:
            head = _SILENT if soft else _N
        elif out and syllable in "렬률" and _open(out[-1]):
            head = _SILENT
        out += chr(_FIRST + head * _VOWELS * _FINALS + rest)
    return out


def _open(syllable: str) -> bool:
    """Say whether a Hangul syllable ends in a vowel or in ㄴ."""
    nieun = 4
    return _head(syllable) is not None and (ord(syllable) - _FIRST) % _FINALS in {0, nieun}


@lru_cache(maxsize=4096)
def _syllable(char: str) -> str:
    """Ask pypinyin for one character."""
    import pypinyin

    return str(pypinyin.pinyin(char, style=pypinyin.Style.TONE)[0][0])


@lru_cache(maxsize=1)
def _hanja() -> dict[str, Any]:
    """Fetch the table of Korean readings."""
    from hanja.table import hanja_table

    table: dict[str, Any] = hanja_table
    return table


@lru_cache(maxsize=1)
def _opencc() -> Callable[[str], str]:
    """Fetch the converter to simplified script.

    Forms made by analogy that lie beyond the BMP (鴽, 韠) are not put in: books leave these characters as they are, and
    hardly a font has the forms.
    """
    from opencc import OpenCC

    whole: Callable[[str], str] = OpenCC("t2s").convert

    def convert(text: str) -> str:
        found = whole(text)
        return "".join(old if ord(new) > BMP else new for old, new in zip(text, found, strict=True))

    return convert
