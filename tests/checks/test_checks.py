"""Every check can fail: small rites, each with one fault, and the same rite without it."""

from __future__ import annotations

from pathlib import Path
from typing import TypedDict, Unpack

import pytest

from yanli.checks import RULES, Report
from yanli.checks.observed import passage
from yanli.checks.world import check_conservation
from yanli.errors import Finding, RiteError, ScenarioError
from yanli.performance.world import Actor, Thing
from yanli.rehearsal import check_rite, rehearse

RITE = 'name = "小禮"\nslug = "small"\nlike = "xiangshe"\n'
TAKE = """## 小 · small

主人坐取爵于上篚
    主人 坐，取 爵 于 上篚，興
"""


class Asked(TypedDict, total=False):
    """What a check may be asked for beside the rite."""

    close: bool
    danger: bool
    everything: bool
    sets: tuple[str, ...]


class Shelf:
    """Writes rites into a folder and checks them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, score: str, tables: dict[str, str]) -> Path:
        """A rite of one score; ``tables`` by name of the file."""
        for name, text in {"rite.toml": RITE, "small.pu": score, **tables}.items():
            (self.folder / name).write_text(text, encoding="utf-8")
        return self.folder

    def check(self, score: str, tables: dict[str, str] | None = None, **asked: Unpack[Asked]) -> Report:
        """All that is found, but for the note that there is no edition."""
        report = check_rite(self.write(score, tables or {}), **asked)
        report.findings = [finding for finding in report.findings if finding.code != "no-edition"]
        return report

    def only(self, score: str, tables: dict[str, str] | None = None, **asked: Unpack[Asked]) -> Finding:
        """The one thing that is found."""
        (finding,) = self.check(score, tables, **asked).findings
        return finding


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


def test_a_sound_rite_has_no_findings(shelf: Shelf) -> None:
    report = shelf.check(TAKE, {"edition.toml": 'text = "主人坐取爵于上篚"\n'}, close=True, everything=True)
    assert report.findings == []
    assert (report.errors, report.warnings, report.text_equal) == (0, 0, True)
    assert (report.clauses, report.performed, report.bound, report.bare) == (1, 1, 0, 0)


# ── the text, and what serves it ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("edition", "told"),
    [
        ("主人坐取觶于上篚", ("「觶」", "「爵」")),
        ("主人坐取爵興于上篚", ("「興」", "「–」")),
        ("主人取爵于上篚", ("「–」", "「坐」")),
    ],
)
def test_text_differs(shelf: Shelf, edition: str, told: tuple[str, str]) -> None:
    finding = shelf.only(TAKE, {"edition.toml": f'text = """\n{edition}\n"""\n'})
    assert (finding.code, finding.grade, finding.clause) == ("text-differs", "error", "small.1.1")
    assert all(word in finding.cause for word in told)


def test_no_edition_is_only_noted(shelf: Shelf) -> None:
    report = check_rite(shelf.write(TAKE, {}))
    assert [(finding.code, finding.grade) for finding in report.findings] == [("no-edition", "note")]
    assert (report.errors, report.text_equal) == (0, None)


@pytest.mark.parametrize(("edition", "code"), [("text = 3\n", "bad-edition"), ("text = \n", "bad-table")])
def test_an_edition_that_cannot_be_read(shelf: Shelf, edition: str, code: str) -> None:
    with pytest.raises(RiteError) as caught:
        shelf.check(TAKE, {"edition.toml": edition})
    assert caught.value.findings[0].code == code


def test_bare_clause(shelf: Shelf) -> None:
    finding = shelf.only(TAKE + "主人興\n    ※ 義見鄭注\n")
    assert (finding.code, finding.clause, finding.words) == ("bare-clause", "small.1.2", "主人興")
    assert finding.span is not None
    assert finding.span.line == 5


@pytest.mark.parametrize(
    ("note", "bound"),
    [
        ("義 爵", True),
        ("義 子虛", False),
        ("位 阼階前", True),
        ("度 楅.長 = 3尺", True),
        ("度 楅.長", False),
        ("度 子虛.長 = 3尺", False),
        ("動 「主人坐取爵于上篚」", True),
        ("動 「烏有先生」", False),
        ("表 targets.天子", True),
        ("表 targets.烏有", False),
        ("表 烏有.天子", False),
        ("例 獻有薦", True),
        ("怪 爵", False),
    ],
)
def test_unbound_note(shelf: Shelf, note: str, *, bound: bool) -> None:
    report = shelf.check(f"{TAKE}主人興\n    註 {note}\n")
    assert [(finding.code, finding.line) for finding in report.findings] == (
        [] if bound else [("unbound-note", f"    註 {note}")]
    )


def test_unreached(shelf: Shelf) -> None:
    score = "## 小 · small\n\n若有大夫主人揖\n    若 有 大夫\n        主人 揖\n    否\n        賓 揖\n"
    finding = shelf.only(score, everything=True)
    assert (finding.code, finding.line) == ("unreached", "        賓 揖")
    cover = {"rite.toml": RITE + '[[cover]]\nset = { "大夫" = 0 }\n'}
    report = shelf.check(score, cover, everything=True)
    assert (report.findings, report.scenarios) == ([], 2)
    assert shelf.check(score, {"rite.toml": RITE}).findings == []


def test_words_cannot_wait_for_each_other(shelf: Shelf) -> None:
    waits = "## 小 · small\n\n甲\n    當 「乙」 畢\n        主人 揖\n乙\n    {}當 「甲」 畢\n        賓 揖\n"
    found = shelf.check(waits.format("")).findings
    assert [(finding.code, finding.line) for finding in found] == [
        ("endless-when", "    當 「乙」 畢"),
        ("endless-when", "    當 「甲」 畢"),
    ]
    assert shelf.check(waits.format("主人 興\n    ")).findings == []


def test_every_rival_reading_is_played(shelf: Shelf) -> None:
    score = (
        TAKE + "主人奠爵\n    說 甲 · 鄭玄 主\n        主人 奠 爵 于 上篚\n    說 甲 · 敖繼公\n        主人 興，飲 爵\n"
    )
    report = shelf.check(score, everything=True)
    assert report.scenarios == 2
    assert {(finding.code, finding.cause.split()[0]) for finding in report.findings} == {("cup-empty", "[甲=敖繼公]")}


def test_a_cover_that_cannot_be_read(shelf: Shelf) -> None:
    with pytest.raises(RiteError, match="cover"):
        shelf.check(TAKE, {"rite.toml": RITE + '[[cover]]\nsets = { "大夫" = 0 }\n'}, everything=True)


# ── what can be done ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("line", "code", "column"),
    [
        ("主人 奠 爵 于 上篚，洗 爵", "holds-nothing", 17),
        ("主人 卒爵", "cup-empty", 8),
        ("主人 實 爵，實 爵", "cup-filled", 12),
        ("主人 取 爵 于 下篚", "nothing-there", 8),
        ("主人 取 九 爵 于 上篚", "too-few", 8),
        ("卿 揖", "nobody", 5),
    ],
)
def test_what_cannot_be_done(shelf: Shelf, line: str, code: str, column: int) -> None:
    finding = shelf.only(f"{TAKE}主人然\n    {line}\n")
    assert (finding.code, finding.grade, finding.clause) == (code, "error", "small.1.2")
    assert finding.span is not None
    assert (finding.span.line, finding.span.column) == (6, column)
    assert finding.line == f"    {line}"


def test_a_verb_of_what_nobody_can_play(shelf: Shelf) -> None:
    verb = '[verbs."舞"]\nen = "dance"\nneeds = ["stnd"]\ndoes = ["fly place"]\n'
    with pytest.raises(RiteError) as caught:
        shelf.check(f"{TAKE}主人舞\n    主人 舞\n", {"lexicon.toml": verb})
    assert [finding.code for finding in caught.value.findings] == ["unknown-primitive", "unknown-primitive"]
    assert "stand" in caught.value.findings[0].nearest


def test_a_cast_that_nobody_could_bring_together(shelf: Shelf) -> None:
    with pytest.raises(ScenarioError) as caught:
        shelf.check(TAKE, {"cast.toml": '[[cast]]\nname = "主人"\ncount = 100000000000\n', "groups.toml": ""})
    assert caught.value.findings[0].code == "too-many"


def test_later_findings_follow(shelf: Shelf) -> None:
    report = shelf.check("## 小 · small\n\n洗爵\n    主人 洗 爵\n實爵\n    主人 實 爵\n")
    assert [(finding.code, finding.follows) for finding in report.findings] == [
        ("holds-nothing", False),
        ("holds-nothing", True),
    ]


# ── 猶 and 不 ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("before", "found"), [("", ["not-still-so"]), ("袒，", [])])
def test_still(shelf: Shelf, before: str, found: list[str]) -> None:
    report = shelf.check(f"## 小 · small\n\n猶袒\n    主人 {before}揖\n    主人 猶 袒\n")
    assert [finding.code for finding in report.findings] == found


PASSAGES = """## 小 · small

### 甲

主人取爵于上篚
    主人 取 爵 于 上篚
主人奠爵
    主人 奠 爵 于 上篚

### 乙

{said}
    如 小.甲{without}
    {who} 不 取 {what}
"""


@pytest.mark.parametrize(
    ("who", "what", "without", "found"),
    [
        ("主人", "爵", "", ["done-after-all"]),
        ("主人", "爵", " 除 取 奠", []),
        ("主人", "觶", "", []),
        ("賓", "爵", "", []),
    ],
)
def test_done_after_all(shelf: Shelf, who: str, what: str, without: str, found: list[str]) -> None:
    report = shelf.check(PASSAGES.format(said="如之", who=who, what=what, without=without))
    assert [finding.code for finding in report.findings] == found


def test_a_passage_is_no_more_than_its_own_clauses(shelf: Shelf) -> None:
    score = PASSAGES.format(said="如之", who="主人", what="觶", without="")
    performance = rehearse(shelf.write(score, {}))
    assert [passage(performance, clause) for clause in range(3)] == [(0, 2), (0, 2), (2, 3)]


# ── bodies ──────────────────────────────────────────────────────────────────────────────────────────────────────────

SHOT = """## 小 · small

司射取弓矢
    司射 取 弓 于 西階西，取 四 矢 于 西階西，搢 三 矢，挾 一 矢
獲者立
    {stands}
司射射
    司射 升 西階，立 左物 南面，射 侯
"""
GEAR = """[[things]]
kind = "弓"
place = "西階西"

[[things]]
kind = "矢"
number = 4
place = "西階西"
"""
CAST = """[[cast]]
name = "司射"
place = "西階西"

[[cast]]
name = "獲者"
place = "乏"

[[cast]]
name = "賓"
place = "{place}"
"""


@pytest.mark.parametrize(
    ("stands", "danger"),
    [("獲者 立 侯", True), ("賓 立 侯北十步 南面", True), ("獲者 立 乏", False), ("賓 立 西階前 北面", False)],
)
def test_danger(shelf: Shelf, stands: str, *, danger: bool) -> None:
    tables = {"things.toml": GEAR}
    report = shelf.check(SHOT.format(stands=stands), tables)
    assert [finding.code for finding in report.findings] == (["danger"] if danger else [])
    assert shelf.check(SHOT.format(stands=stands), tables, danger=False).findings == []


@pytest.mark.parametrize(("place", "danger"), [("侯北十步", True), ("門外", False)])
def test_he_who_has_done_nothing_is_in_danger_too(shelf: Shelf, place: str, *, danger: bool) -> None:
    tables = {"things.toml": GEAR, "cast.toml": CAST.format(place=place), "groups.toml": ""}
    report = shelf.check(SHOT.format(stands="獲者 立 乏"), tables)
    assert [finding.code for finding in report.findings] == (["danger"] if danger else [])


@pytest.mark.parametrize(("place", "close"), [("西階前", True), ("阼階前", False)])
def test_too_close(shelf: Shelf, place: str, *, close: bool) -> None:
    score = f"## 小 · small\n\n皆立\n    賓 立 西階前 北面\n    主人 立 {place} 北面\n"
    report = shelf.check(score, close=True)
    assert [(finding.code, finding.grade) for finding in report.findings] == (
        [("too-close", "warning")] if close else []
    )
    assert shelf.check(score).findings == []


def test_he_who_has_done_nothing_stands_in_the_way(shelf: Shelf) -> None:
    tables = {"cast.toml": CAST.format(place="阼階前"), "groups.toml": ""}
    finding = shelf.only("## 小 · small\n\n立\n    司射 立 阼階前 北面\n", tables, close=True)
    assert finding.code == "too-close"


def test_two_places(shelf: Shelf) -> None:
    finding = shelf.only("## 小 · small\n\n主人適洗南\n    主人 適 洗南 ‖ 主人 適 門內\n")
    assert (finding.code, finding.grade) == ("two-places", "error")
    assert shelf.check("## 小 · small\n\n主人適洗南\n    主人 適 洗南 ‖ 賓 適 門內\n").findings == []


def test_not_conserved(shelf: Shelf) -> None:
    """The engine itself loses nothing, so its journal is spoiled here."""
    performance = rehearse(shelf.write(TAKE, {}))
    assert list(check_conservation(performance)) == []
    journal = performance.journal
    at = next(i for i, (obj, what, value) in enumerate(journal) if isinstance(obj, Actor) and what == "right" and value)
    host, _, held = journal[at]
    journal[at] = (host, "right", ())
    (vanished,) = check_conservation(performance)
    assert "held by nobody" in vanished.cause
    guest = performance.machine.world.actors["賓"]
    journal[at] = (guest, "right", held)
    (elsewhere,) = check_conservation(performance)
    assert "held by 賓.right" in elsewhere.cause
    journal[at] = (host, "right", held)
    performance.machine.world.things["爵.0"] = Thing("爵.0", "爵", "上篚", host.spot)
    (made,) = check_conservation(performance)
    assert (made.code, made.event) == ("not-conserved", None)


# ── 例 ───────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("rule", "grade"),
    [
        ('when = { verb = ["取"], object = ["爵"] }\nmust = { posture = ["立"] }', "error"),
        ('when = { verb = ["取"], object = ["觶"] }\nmust = { posture = ["立"] }', None),
        ('when = { verb = ["取"] }\nmust = { posture = ["坐"] }', None),
        ('when = { verb = ["取"], actor = ["主人"] }\nnever = true\ngrade = "warning"', "warning"),
        ('when = { verb = ["取"], except_actor = ["主人"] }\nnever = true', None),
        ('when = { verb = ["取"], section = ["小"] }\nnever = true', "error"),
        ('when = { verb = ["取"], except_section = ["小"] }\nnever = true', None),
        ('when = { verb = ["取"], place = ["堂上"] }\nnever = true', "error"),
        ('when = { verb = ["取"], origin = ["editor"] }\nnever = true', None),
        ('when = { verb = ["取"] }\nmust = { facing = ["南"] }', "error"),
        ('when = { verb = ["取"] }\nmust = { target = ["賓"] }', "error"),
    ],
)
def test_rule_broken(shelf: Shelf, rule: str, grade: str | None) -> None:
    report = shelf.check(TAKE, {"rules.toml": f'[[rule]]\nname = "甲"\nwords = "取爵者立"\n{rule}\n'})
    assert [(finding.code, finding.grade) for finding in report.findings] == ([("rule-broken", grade)] if grade else [])


@pytest.mark.parametrize("rules", ["[[rule]\n", '[[rule]]\nname = "甲"\nwords = "乙"\nwhen = { vreb = ["取"] }\n'])
def test_rules_that_cannot_be_read(shelf: Shelf, rules: str) -> None:
    with pytest.raises(RiteError, match=r"rules\.toml"):
        shelf.check(TAKE, {"rules.toml": rules})


def test_the_parts_of_a_rule_are_told() -> None:
    assert {"verb", "actor", "except_target"} <= set(RULES)
