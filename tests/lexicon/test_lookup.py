"""What the lexicon says of a word."""

from __future__ import annotations

import tomllib
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yanli.lexicon import Measure, PlaceWord, load_lexicon
from yanli.lexicon.load import BOTH, FILES, HOME

LEXICON = load_lexicon()
SIGNS = "一二三四五六七八九"


@pytest.mark.parametrize(
    ("word", "classes"),
    [
        ("主人", {"role"}),
        ("眾賓.1", {"role"}),
        ("眾賓之長", {"role"}),
        ("爵", {"thing"}),
        ("爵.12", {"thing"}),
        ("賓之弓", {"thing"}),
        ("鐘", {"thing"}),
        ("洗", {"verb", "thing", "place"}),
        ("中", {"thing", "place"}),
        ("賓席前", {"place"}),
        ("侯西北三步", {"place"}),
        ("東面", {"facing"}),
        ("東上", {"facing"}),
        ("決", {"garment", "verb"}),
        ("騶虞", {"music"}),
        ("乘", {"number", "verb"}),
        ("五十", {"number"}),
        ("三等", {"number"}),
        ("三揖", {"verb"}),
        ("于", {"small"}),
        ("電燈", set()),
        ("", set()),
    ],
)
def test_classes(word: str, classes: set[str]) -> None:
    assert LEXICON.classify(word) == classes


@pytest.mark.parametrize(
    ("word", "number"),
    [
        ("一", 1),
        ("壹", 1),
        ("再", 2),
        ("兩", 2),
        ("乘", 4),
        ("十", 10),
        ("十五", 15),
        ("廿", 20),
        ("廿五", 25),
        ("五十", 50),
        ("二十有四", 24),
        ("百六十", 160),
        ("一百零八", 108),
        ("九千九百九十九", 9999),
        ("80", 80),
        ("9999", 9999),
        ("10000", None),
        ("乘矢", None),
        ("十百", None),
        ("一二", None),
        ("有四", None),
        ("爵", None),
        ("", None),
    ],
)
def test_numbers(word: str, number: int | None) -> None:
    assert LEXICON.number(word) == number


@given(st.integers(min_value=1, max_value=9999))
def test_every_number_is_read_back(number: int) -> None:
    units = ("", "十", "百", "千")
    digits = reversed(list(enumerate(int(digit) for digit in reversed(str(number)))))
    assert LEXICON.number("".join(SIGNS[digit - 1] + units[place] for place, digit in digits if digit)) == number


@pytest.mark.parametrize(
    ("word", "quantity"),
    [("三步", (Fraction(3), "步")), ("1.5寸", (Fraction(3, 2), "寸")), ("一等", (Fraction(1), "等")), ("爵步", None)],
)
def test_quantities(word: str, quantity: tuple[Fraction, str] | None) -> None:
    assert LEXICON.quantity(word) == quantity


@pytest.mark.parametrize(
    ("word", "verb"),
    [
        ("揖", ("揖", 1)),
        ("三揖", ("揖", 3)),
        ("答再拜", ("答拜", 2)),
        ("壹讓", ("讓", 1)),
        ("爵", None),
        ("三爵", None),
    ],
)
def test_numbered_verbs(word: str, verb: tuple[str, int] | None) -> None:
    assert LEXICON.split_verb(word) == verb


@pytest.mark.parametrize(
    ("word", "place"),
    [
        ("洗", PlaceWord("洗")),
        ("洗南", PlaceWord("洗", ("南",))),
        ("西階前", PlaceWord("西階前")),
        ("楅南", PlaceWord("楅", ("南",))),
        ("司射西南", PlaceWord("司射", ("西南",))),
        ("司射身南", PlaceWord("司射", ("身", "南"))),
        ("賓席前", PlaceWord("席", ("前",), owner="賓")),
        ("釋獲者薦右", PlaceWord("薦", ("右",), owner="釋獲者")),
        ("侯西北三步", PlaceWord("侯", ("西北",), "三", "步")),
        ("左个西北十五步", PlaceWord("左个", ("西北",), "十五", "步")),
        ("席前1.5尺", PlaceWord("席", ("前",), "1.5", "尺")),
        ("當左物", PlaceWord("左物", mark="當")),
        ("所設楅南", PlaceWord("楅", ("南",), mark="所設")),
        ("x席前", PlaceWord("席", ("前",), owner="x")),
        ("x身右", PlaceWord("x", ("身", "右"))),
        ("南", None),
        ("電燈下", None),
    ],
)
def test_places_are_taken_apart(word: str, place: PlaceWord | None) -> None:
    assert LEXICON.split_place(word) == place


def test_an_office_has_its_holder() -> None:
    for office in ("司正", "司馬"):
        role = LEXICON.role(office)
        assert role is not None
        assert role.office_of == "相"


def test_only_the_host_and_lords_use_the_east_stairs() -> None:
    roles = LEXICON.entries["role"]
    east = {word for word in roles if (role := LEXICON.role(word)) is not None and role.stair == "阼階"}
    assert east == {"主人", "君", "天子", "諸侯"}


def test_groups_are_made_of_roles() -> None:
    for word in LEXICON.entries["role"]:
        role = LEXICON.role(word)
        assert role is not None
        for member in role.members:
            assert LEXICON.role(member), f"{word} is made of {member}, which is no role"
        if role.office_of is not None:
            assert LEXICON.role(role.office_of), f"{word} is an office of {role.office_of}, which is no role"
        assert role.group or not role.pairs, f"{word} has pairs, so it is a group"


def test_parts_are_parts_of_things() -> None:
    for word in LEXICON.entries["thing"]:
        thing = LEXICON.thing(word)
        assert thing is not None
        assert thing.part_of is None or LEXICON.thing(thing.part_of), f"{word}: no thing {thing.part_of}"


@pytest.mark.parametrize(
    ("thing", "part", "chi"),
    [
        ("楅", "長", Fraction(3)),
        ("楅", "博", Fraction(3, 10)),
        ("楅", "厚", Fraction(15, 100)),
        ("算", "長", Fraction(14, 10)),
        ("扑", "長", Fraction(3)),
        ("扑", "刊本", Fraction(1)),
        ("膱", "長", Fraction(12, 10)),
        ("旌", "杠", Fraction(21)),
        ("杠", "長", Fraction(21)),
        ("鴻脰", "長", Fraction(16)),
        ("矢", "長", Fraction(3)),
        ("弓", "長", Fraction(6)),
        ("侯", "中", Fraction(10)),
        ("侯", "躬", Fraction(20)),
        ("侯", "上个", Fraction(40)),
        ("侯", "下个", Fraction(30)),
        ("侯", "侯道", Fraction(300)),
        ("侯", "去地", Fraction(12, 10)),
    ],
)
def test_lengths_that_the_words_give(thing: str, part: str, chi: Fraction) -> None:
    entry = LEXICON.thing(thing)
    assert entry is not None
    assert entry.size[part].chi() == chi


def test_a_volume_is_no_length() -> None:
    assert Measure("3升", "").chi() is None


def test_names_of_the_same() -> None:
    assert LEXICON.name("鐘", "thing") == "鍾"
    assert LEXICON.name("箭籌", "thing") == "算"
    assert LEXICON.name("洗", "verb") == "洗"
    assert LEXICON.name("電燈", "thing") is None


def test_english() -> None:
    assert LEXICON.english("爵") == "jue cup"
    assert LEXICON.english("興") == "rise"
    assert LEXICON.english("電燈") is None


def test_entries_of_each_class() -> None:
    facing, garment = LEXICON.facing("東南面"), LEXICON.garment("遂")
    music, place, small = LEXICON.music("采蘋"), LEXICON.place("西南"), LEXICON.small("於")
    assert facing is not None
    assert facing.degrees == 135
    assert garment is not None
    assert garment.wear == "left arm"
    assert music is not None
    assert music.book == "召南"
    assert place is not None
    assert place.degrees == 225
    assert small is not None
    assert small.word == "于"
    assert LEXICON.verb("電燈") is None


def test_nearest() -> None:
    assert LEXICON.nearest("主人人", "role")[0] == "主人"
    assert "司射" in LEXICON.nearest("司社", "role")
    assert "阼階上" in LEXICON.nearest("阼階丄", "place")
    assert "戶牖之間" in LEXICON.nearest("戶牗之間")
    assert LEXICON.nearest("qqqq") == ()


def test_no_word_stands_in_two_classes_unless_granted() -> None:
    names = {name for cls in LEXICON.entries for name in LEXICON.names(cls)} | set(LEXICON.names("verb"))
    clash = {name for name in names if len(LEXICON.classify(name)) > 1} - set(LEXICON.both)
    assert not clash, f"say under {BOTH} why these are both: {sorted(clash)}"


def test_every_word_granted_two_classes_has_an_entry() -> None:
    unknown = [word for word in LEXICON.both if not LEXICON.classify(word)]
    assert not unknown


def test_every_word_of_every_file_is_loaded() -> None:
    for name, cls in FILES.items():
        path = HOME / f"{name}.toml"
        words = set(tomllib.loads(path.read_text(encoding="utf-8")))
        assert words <= set(LEXICON.names(cls)), name


def test_it_is_read_once() -> None:
    assert load_lexicon() is LEXICON
