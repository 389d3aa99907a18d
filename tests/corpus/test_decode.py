"""Bytes go in and come out the same, whatever they are."""

import random

import pytest

from yanli.corpus.decode import decode, encode, likely, utf16
from yanli.errors import RiteError


@pytest.mark.parametrize(
    ("data", "name", "text", "read_as"),
    [
        ("鄉射之禮".encode(), None, "鄉射之禮", "utf-8"),
        (b"\xef\xbb\xbf" + "鄉".encode(), None, "\ufeff鄉", "utf-8"),
        ("鄉𥘵".encode("utf-16"), None, "\ufeff鄉𥘵", "utf-16-le"),
        (b"\xfe\xff" + "鄉".encode("utf-16-be"), None, "\ufeff鄉", "utf-16-be"),
        ("鄉射之禮".encode("big5"), "Big5", "鄉射之禮", "big5"),
        ("乡射之礼𥘵".encode("gb18030"), "gb2312", "乡射之礼𥘵", "gb2312"),
        (b'<?xml version="1.0" encoding="Big5"?>' + "鄉".encode("big5"), None, None, "big5"),
        (b'<meta charset="gbk">' + "乡".encode("gbk"), None, None, "gbk"),
    ],
)
def test_reads_by_mark_head_or_name(data: bytes, name: str | None, text: str | None, read_as: str) -> None:
    """A byte order mark tells, else the file's head, else whoever asks."""
    got = decode(data, name)
    assert got.encoding == read_as
    assert text is None or got.text == text
    assert encode(got) == data


def test_keeps_line_ends_and_controls() -> None:
    """Nothing is made of line ends, controls and half pairs but themselves."""
    data = b"a\r\nb\rc\n\x00\x1b\xed\xa0\x80\xff"
    got = decode(data)
    assert got.text[:8] == "a\r\nb\rc\n\x00"
    assert encode(got) == data


@pytest.mark.parametrize(
    "name", ["utf-8", "utf-16-le", "utf-32-be", "big5", "big5-hkscs", "gb18030", "shift-jis", "euc-kr"]
)
def test_any_bytes_come_out_again(name: str) -> None:
    """No bytes are too strange for any encoding that may be named."""
    chance = random.Random(5)  # noqa: S311 - nothing secret, only the same every time
    for size in (0, 1, 2, 3, 17, 4096, 4097, 9001):
        data = chance.randbytes(size)
        assert encode(decode(data, name)) == data


def test_characters_that_an_encoding_has_twice() -> None:
    """Big5 has 兀 at A461 and at C94A; whichever stood there comes out again, in its place."""
    data = "鄉射".encode("big5") + b"\xc9\x4a\xa4\x61" + "之禮".encode("big5")
    got = decode(data, "big5")
    assert len(got.text) == 6
    assert encode(got) == data


def test_unknown_name_tells_the_nearest() -> None:
    """Who asks for an encoding that is none hears of the nearest that is."""
    with pytest.raises(RiteError) as caught:
        decode(b"", "gb18031")
    assert "gb18030" in caught.value.findings[0].nearest


def test_utf16_offsets() -> None:
    """A browser counts 𥘵 as two."""
    assert [utf16("禮𥘵射", at) for at in range(4)] == [0, 1, 3, 4]


WORDS = "主人坐取爵于上篚以降賓降主人阼階前西面坐奠爵興辭降賓對主人坐取爵興適洗南面坐奠爵于篚下盥洗"
SIMPLE = "主人坐取爵于上篚以降宾降主人阼阶前西面坐奠爵兴辞降宾对主人坐取爵兴适洗南面坐奠爵于篚下盥洗"


@pytest.mark.parametrize(
    ("data", "names"),
    [
        (WORDS.encode("big5"), ("big5",)),
        (SIMPLE.encode("gb18030"), ("gb18030",)),
        (WORDS.encode("gb18030"), ("gb18030",)),
        (WORDS.encode(), ()),
        (b"plain ASCII", ()),
        (WORDS.encode() + b"\xff", ()),  # one bad byte makes no other encoding of it
        ("Grüße aus Köln".encode("latin-1"), ()),
        (random.Random(3).randbytes(400), ()),  # noqa: S311 - nothing secret, only the same every time
    ],
)
def test_bytes_that_are_no_utf_8_may_be_chinese_all_the_same(data: bytes, names: tuple[str, ...]) -> None:
    assert likely(data) == names


def test_no_name_is_like_one_that_there_is_not() -> None:
    with pytest.raises(RiteError) as error:
        decode(b"", "klingon")
    (finding,) = error.value.findings
    assert finding.nearest == ()
    assert finding.known is not None
    assert "big5" in finding.known
    with pytest.raises(RiteError) as error:
        decode(b"", "gb18300")
    assert error.value.findings[0].nearest[0] == "gb18030"
