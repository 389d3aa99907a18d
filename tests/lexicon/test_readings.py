"""How words are read aloud."""

from __future__ import annotations

import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from yanli.errors import RiteError
from yanli.lexicon import readings as room
from yanli.lexicon.load import HOME
from yanli.lexicon.readings import (
    CHINESE,
    korean,
    korean_syllables,
    pinyin,
    pinyin_syllables,
    readings,
    simplified,
)

TABLE = readings().phrases
TONES = {"\u0304", "\u0301", "\u030c", "\u0300"}
HANGUL = re.compile(r"[가-힣]")


def syllables(text: str) -> int:
    """How many syllables of pinyin carry a tone."""
    return sum(sign in TONES for sign in unicodedata.normalize("NFD", text))


@pytest.mark.parametrize("phrase", TABLE)
def test_each_phrase_is_read_as_the_table_says(phrase: str) -> None:
    entry = TABLE[phrase]
    signs = len(phrase)
    assert entry.pinyin is None or pinyin(phrase) == entry.pinyin
    assert entry.korean is None or korean(phrase) == entry.korean
    assert entry.simplified is None or simplified(phrase) == entry.simplified
    assert syllables(pinyin(phrase)) == signs
    assert len(HANGUL.findall(korean(phrase))) == signs
    assert len(simplified(phrase)) == signs
    assert entry.gloss or entry.why, "say who reads it so, or why"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("主人坐取爵于上篚以降", "zhǔrén zuò qǔ jué yú shàngfěi yǐ jiàng"),
        ("三耦拾取矢皆袒決遂", "sān'ǒu jiéqǔ shǐ jiē tǎn juésuì"),
        ("釋弓說決拾襲", "shì gōng tuō juéshí xí"),
        ("皆與其耦進", "jiē yǔ qí ǒu jìn"),
        ("若皆與射", "ruò jiē yù shè"),
        ("執鹿中", "zhí lùzhōng"),
        ("乃射若中則釋獲者坐而釋獲", "nǎi shè ruò zhòng zé shìhuòzhě zuò ér shì huò"),
        ("請以樂樂于賓", "qǐng yǐ yuè lè yú bīn"),
        ("一純以取", "yī quán yǐ qǔ"),
        ("蒲筵緇布純", "púyán zībùzhǔn"),
        ("左還", "zuǒ xuán"),
        ("阼階之東南面辭洗", "zuòjiē zhī dōng nánmiàn cí xǐ"),
        ("大師、大夫。", "tàishī, dàfū."),
        ("賓曰：「某不能」", "bīn yuē: “mǒu bù néng”"),
        ("爵.1", "jué.1"),
        ("yanli 演禮", "yanli yǎn lǐ"),
        ("", ""),
    ],
)
def test_pinyin(text: str, read: str) -> None:
    assert pinyin(text) == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("鄉射禮", "향사례"),
        ("鄉飲酒禮", "향음주례"),
        ("禮射", "예사"),
        ("旅酬", "여수"),
        ("樂正", "악정"),
        ("合樂", "합악"),
        ("樂賓", "낙빈"),
        ("兩楹間", "양영간"),
        ("鹿中", "녹중"),
        ("龍旜", "용전"),
        ("說屨", "탈구"),
        ("拾取矢", "겁취 시"),
        ("決拾", "결습"),
        ("無射獲", "무 석 획"),
        ("酢主人", "작 주인"),
        ("眾賓不拜", "중빈 불배"),
        ("賓不祭", "빈 부제"),
        ("主人不立", "주인 불립"),
        ("不", "불"),
        ("大夫不、士", "대부 불, 사"),
    ],
)
def test_korean(text: str, read: str) -> None:
    assert korean(text) == read


@pytest.mark.parametrize(
    "text", [*TABLE, "三耦拾取矢皆袒決遂", "乃合樂周南關雎葛覃卷耳", "眾賓不拜", "大夫不、士", "爵.1", ""]
)
def test_each_character_has_its_syllable_of_the_whole(text: str) -> None:
    for read, one_by_one in ((pinyin, pinyin_syllables), (korean, korean_syllables)):
        parts = one_by_one(text)
        assert len(parts) == len(text)
        assert [bool(part) for part in parts] == [CHINESE.match(char) is not None for char in text]
        # Together they are what is read, but for blanks, apostrophes and signs.
        assert "".join(parts) == re.sub(r"[\W\d]", "", read(text))


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("上篚", ["shàng", "fěi"]),
        ("西安", ["xī", "ān"]),
        ("三耦", ["sān", "ǒu"]),
        ("平安", ["píng", "ān"]),
        ("觀禮", ["guān", "lǐ"]),
        ("餘人", ["yú", "rén"]),
        ("二人", ["èr", "rén"]),
    ],
)
def test_words_part_where_their_syllables_part(word: str, parts: list[str]) -> None:
    assert pinyin_syllables(word) == parts


@pytest.mark.parametrize(
    ("word", "read"), [("렬", "열"), ("나렬", "나열"), ("분률", "분율"), ("확률", "확률"), ("녀", "여")]
)
def test_initial_sounds(word: str, read: str) -> None:
    assert room._initial(word) == read


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("主人實觶酬之", "主人实觯酬之"),
        ("司馬命張侯弟子說束遂繫左下綱", "司马命张侯弟子说束遂系左下纲"),
        ("歌騶虞若采蘋", "歌驺虞若采蘋"),
        ("郤手", "却手"),
        ("楅髤", "楅髹"),
        ("鶉鴽", "鹑鴽"),
    ],
)
def test_simplified(text: str, written: str) -> None:
    assert simplified(text) == written


def rites() -> list[Path]:
    """The scores that come with the package."""
    return sorted(HOME.parent.glob("*/*.pu"))


def margin(path: Path) -> str:
    """The canonical words of a score: what stands at the margin and is no heading and no comment."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return "".join(line for line in lines if line and line[0] not in " #※")


@pytest.mark.skipif(not rites(), reason="there is no score yet")
def test_every_sign_of_the_canon_can_be_read() -> None:
    signs = {sign for path in rites() for sign in margin(path)}
    assert signs
    assert not {sign for sign in signs if CHINESE.match(sign) is None}
    assert not {sign for sign in signs if syllables(pinyin(sign)) != 1}
    assert not {sign for sign in signs if HANGUL.fullmatch(korean(sign)) is None}


@pytest.mark.skipif(not rites(), reason="there is no score yet")
def test_every_line_is_read_sign_by_sign() -> None:
    for path in rites():
        text = margin(path)
        assert syllables(pinyin(text)) == len(text)
        assert len(HANGUL.findall(korean(text))) == len(text)
        assert len(simplified(text)) == len(text)


@pytest.mark.parametrize(
    ("table", "code", "line"),
    [
        ('[readings]\n"爵" = { pinyin = "jué", sound = 1 }\n', "lexicon-unknown-field", 2),
        ('[readings]\n"爵" = { pinyin = 1 }\n', "lexicon-bad-field", 2),
        ('[readings]\n"爵" = { pinyin = "a" }\n"爵" = { pinyin = "b" }\n', "lexicon-duplicate", 3),
        ("[readings\n", "lexicon-unreadable", 1),
    ],
)
def test_a_table_that_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str, code: str, line: int
) -> None:
    path = tmp_path / "readings.toml"
    path.write_text(table, encoding="utf-8")
    monkeypatch.setattr(room, "FILE", path)
    with pytest.raises(RiteError) as caught:
        readings.__wrapped__()
    (finding,) = caught.value.findings
    assert finding.code == code
    assert finding.span is not None
    assert finding.span.line == line


def test_importing_it_is_light() -> None:
    script = "import sys, yanli.lexicon.readings; print(*{'pypinyin', 'opencc', 'hanja', 'yaml'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not run.stdout.strip()
