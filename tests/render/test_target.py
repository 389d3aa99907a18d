"""The target drawn to scale: what is drawn has the size that the words give it, and no label lies on another."""

from __future__ import annotations

import itertools
import json
import xml.etree.ElementTree as ET
from fractions import Fraction
from pathlib import Path

import pytest

from yanli.cli import app, main
from yanli.render.plan_space import Box
from yanli.render.target import Asked, target_svg
from yanli.render.target_sheet import Measures
from yanli.render.target_text import target_data, target_text, three_data, three_text
from yanli.render.target_three import three_svg
from yanli.venue.exact import read_range
from yanli.venue.target import find_faces, hang, target_measures

SVG = "{http://www.w3.org/2000/svg}"
ZHOU = Fraction(231, 1000)
FACES = (
    (None, None, None),
    ("皮侯", "天子", None),
    ("皮侯", "諸侯", "畿外"),
    ("采侯", "天子", None),
    ("采侯", "士", None),
    ("獸侯", "諸侯", None),
    ("獸侯", "大夫", None),
)
RANGES = ("50弓", "70弓", "90弓", "30米", "10米", "120步", "1弓", "1500弓")


def asked(distance: str, face: tuple[str | None, str | None, str | None] = FACES[0], *, english: bool = False) -> Asked:
    """A target as it is asked for."""
    chi, modern = read_range(distance, ZHOU)
    kind, rank, domain = face
    found = find_faces(kind, rank, domain, chi)[0] if kind else None
    return Asked(measures=target_measures(chi), face=found, told=Measures(ZHOU, english, modern))


def labels(svg: str) -> list[tuple[str, Box]]:
    """Every label with its box."""
    found = []
    for element in ET.fromstring(svg).iter(f"{SVG}text"):  # noqa: S314 - our own
        if box := element.get("data-box"):
            x, y, wide, high = map(float, box.split())
            found.append(("".join(element.itertext()), Box(x, y, x + wide, y + high)))
    return found


def clashes(svg: str) -> list[str]:
    """Labels that lie on one another, or off the sheet."""
    root = ET.fromstring(svg)  # noqa: S314 - our own
    sheet = Box(0, 0, float(root.attrib["width"]), float(root.attrib["height"]))
    found = [
        f"{one[0]} on {other[0]}"
        for one, other in itertools.combinations(labels(svg), 2)
        if one[1].grown(-0.4).meets(other[1].grown(-0.4))
    ]
    for words, box in labels(svg):
        if box.left < sheet.left or box.right > sheet.right or box.top < sheet.top or box.bottom > sheet.bottom:
            found.append(f"{words} off the sheet")
    return found


def cloths(svg: str) -> list[tuple[float, float]]:
    """Breadth and height of every piece of plain cloth, in pixels, from below."""
    return [
        (float(element.attrib["width"]), float(element.attrib["height"]))
        for element in ET.fromstring(svg).iter(f"{SVG}rect")  # noqa: S314 - our own
        if element.get("class") == "cloth" and not element.get("style")
    ]


@pytest.mark.parametrize("english", [False, True], ids=["zh", "en"])
@pytest.mark.parametrize("face", FACES, ids=["-".join(filter(None, face)) or "plain" for face in FACES])
@pytest.mark.parametrize("distance", RANGES)
def test_no_label_lies_on_another(
    distance: str, face: tuple[str | None, str | None, str | None], *, english: bool
) -> None:
    assert clashes(target_svg(asked(distance, face, english=english))) == []


@pytest.mark.parametrize("english", [False, True], ids=["zh", "en"])
@pytest.mark.parametrize("modern", [False, True], ids=["chi", "metres"])
def test_no_label_of_the_three_lies_on_another(*, english: bool, modern: bool) -> None:
    assert clashes(three_svg(hang(), Measures(ZHOU, english, modern))) == []


def test_the_drawing_is_to_scale() -> None:
    # 50 弓: 下个三丈, 躬二丈, 中十尺, 躬二丈, 上个四丈; each strip is 二尺 high.
    pieces = cloths(target_svg(asked("50弓")))
    unit = pieces[2][1] / 10
    assert [(round(wide / unit, 1), round(high / unit, 1)) for wide, high in pieces] == [
        (30.0, 2.0), (20.0, 2.0), (10.0, 10.0), (20.0, 2.0), (40.0, 2.0),
    ]  # fmt: skip


def test_a_modern_range_follows_the_same_rule() -> None:
    # 30 米: a thirtieth is 1 米 (弓二寸 of 六尺); 上个 four times, 下个 three times it; the strips are as cloth is.
    words = [words for words, _ in labels(target_svg(asked("30米")))]
    assert {"侯中方 1.00 米", "上个 4.00 米", "下个 3.00 米", "躬 2.00 米", "鵠方 0.33 米"} <= set(words)


def test_every_measure_stands_at_its_line() -> None:
    words = {words for words, _ in labels(target_svg(asked("70弓")))}
    assert {
        "上綱 七丈二尺", "上个 五丈六尺", "上舌 一丈四尺", "躬 二丈八尺", "下舌 七尺", "下个 四丈二尺",
        "下綱 五丈八尺", "侯中方 一丈四尺", "鵠方 四尺六寸大半寸", "侯高 二丈二尺", "下綱去地 一尺二寸（0.28 米）",
    } <= words  # fmt: skip


def test_the_three_are_told_with_their_heights() -> None:
    words = {words for words, _ in labels(three_svg(hang(), Measures(ZHOU, english=False, modern=False)))}
    # 鄭注 and 賈疏; in metres 22 8/15 × 0.231 = 5.2052, 48 8/15 × 0.231 = 11.2112
    assert {
        "大侯下綱 二丈二尺五寸少半寸（5.21 米）", "大侯上綱 四丈八尺五寸少半寸（11.21 米）",
        "＝參侯鵠下畔", "＝大侯鵠下畔",
        "大侯鵠 六尺", "參侯為干侯所掩 八尺六寸大半寸", "大侯為參侯所掩 一丈", "大侯　九十弓",
    } <= words  # fmt: skip


def test_colours_lie_one_within_another() -> None:
    svg = target_svg(asked("90弓", ("采侯", "天子", None)))
    filled = [
        (float(element.attrib["width"]), element.attrib["style"])
        for element in ET.fromstring(svg).iter(f"{SVG}rect")  # noqa: S314 - our own
        if element.get("style")
    ]
    # 玄居外 … 中朱: five, each a fifth of six 尺 smaller in all
    assert [round(wide / filled[0][0], 2) for wide, _ in filled] == [1.0, 0.8, 0.6, 0.4, 0.2]
    assert len({style for _, style in filled}) == 5


def test_what_no_words_say_is_told() -> None:
    notes = "".join(ET.fromstring(target_svg(asked("50弓", ("獸侯", "士", None)))).itertext())  # noqa: S314
    assert "植之所立、維之長短，無文" in notes
    assert "不圖其形" in notes
    assert "質，敖繼公：丹「凡畫者丹質」" in notes
    assert "九十弓「虎九十弓」" in "".join(
        ET.fromstring(target_svg(asked("30米", ("皮侯", "天子", None)))).itertext()  # noqa: S314
    )


def test_the_table_tells_figures_words_and_rivals() -> None:
    text = target_text(asked("50弓"))
    assert "用布    cloth in all                   十六丈" in text
    assert "異說 rival: 鄭司農" in text
    assert "質      ground                無文" in text
    assert "《儀禮》鄭玄注卷五〈鄉射禮〉" in text


def test_data_is_exact() -> None:
    found = {row.name: row for row in target_data(asked("70弓")).rows}
    assert found["鵠"].figure.value == "14/3"
    assert found["鵠"].figure.said == "四尺六寸大半寸"
    assert found["鵠"].figure.metres == 1.078  # 14/3 × 0.231
    assert [one.value for one in found["鵠"].rivals] == ["4", "2"]
    assert (found["質"].figure.value, found["中幅"].figure.metres) == (None, None)
    heights = {one.name: one.heights for one in three_data(hang())}
    assert heights["大侯"]["下綱去地"] == "338/15"


def test_the_three_are_told_beside_what_the_notes_have() -> None:
    text = three_text(hang(), Measures(ZHOU, english=False, modern=False))
    assert "二丈二尺五寸少半寸  22 8/15   5.21 m  「大侯去地二丈二尺五寸少半寸」鄭七" in text


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    """Call the command; its exit code."""
    monkeypatch.setattr("sys.argv", ["yanli", "target", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def test_the_command_writes_what_the_file_asks_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    svg, text, data = tmp_path / "t.svg", tmp_path / "t.txt", tmp_path / "t.json"
    assert run(monkeypatch, "--range", "70弓", "--kind", "采侯", "--rank", "諸侯", "--en", "-o", str(svg)) == 0
    assert "target of three colours" in svg.read_text(encoding="utf-8")
    assert run(monkeypatch, "--three", "-o", str(svg)) == 0
    assert "三侯之崇" in svg.read_text(encoding="utf-8")
    assert run(monkeypatch, "--range", "30米", "-o", str(text)) == 0
    told = text.read_text(encoding="utf-8")
    assert "30.00 米" in told
    # 侯中 of 1 米 is 4.33 尺 of 23.1 厘米, in strips of 二尺 2.16; all the cloth 13.1645 米. The drawing says the same.
    drawn = target_svg(asked("30米"))
    assert "  約2.16幅  " in told
    assert "中約2.16幅" in drawn
    assert "  13.16 m  「凡鄉侯用布" in told
    assert "用布 13.16 米" in drawn
    assert run(monkeypatch, "--chi", "漢尺", "--json", "-o", str(data)) == 0
    assert json.loads(data.read_text(encoding="utf-8"))["metres"] == 71.25  # 300 × 0.2375


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--range", "20"), "has no unit"),
        (("--range", "0米"), "more than nothing"),
        (("--range", "9000弓"), "more than any yard"),
        (("--kind", "布侯"), "皮侯、采侯、獸侯"),
        (("--kind", "皮侯", "--rank", "士"), "士無大射"),
        (("--rank", "士"), "--kind"),
        (("--three", "--range", "50弓"), "takes no --range"),
        (("--chi", "9米"), "between 0.1 and 1"),
    ],
)
def test_what_cannot_be_is_told_plainly(
    words: tuple[str, ...], says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, *words) == 1
    assert says in capsys.readouterr().err


def test_the_command_is_among_the_others() -> None:
    assert "target" in [command.name for command in app.registered_commands]


def test_a_figure_of_another_range_is_quoted_with_its_range() -> None:
    """集說七 tells the lower edge of the bull's-eye of the middle target, which hangs at seventy bows."""
    assert "「其鵠下八尺六寸大半寸」（於七十弓，自下綱數之）" in target_text(asked("50弓"))
