"""Conditions that count: somebody's own things at a place, and persons at a place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from yanli.rehearsal import check_rite, rehearse

if TYPE_CHECKING:
    from pathlib import Path

FILES = {
    "rite.toml": 'name = "數"\nslug = "count"\nlike = "xiangshe"\n',
    "cast.toml": """
[[cast]]
name = "主人"
place = "阼階前"
facing = "西"

[[cast]]
name = "眾賓"
count = 3
place = "堂西"
facing = "南"
""",
    "groups.toml": "",
    "things.toml": """
[[things]]
kind = "爵"
number = 2
of = "眾賓.1"
place = "上篚"

[[things]]
kind = "爵"
number = 1
of = "眾賓.2"
place = "上篚"
""",
}


def made(tmp_path: Path, condition: str, things: str = "") -> Path:
    """A rite whose host bows if a condition holds after one guest has gone up."""
    for name, text in FILES.items():
        (tmp_path / name).write_text((text + things if name == "things.toml" else text).lstrip("\n"), encoding="utf-8")
    lines = ["## 一 · one", "", "賓升", "    眾賓.3 升 西階", "若然主人拜", f"    若 {condition}", "        主人 拜"]
    (tmp_path / "one.pu").write_text("\n".join([*lines, "畢", "    主人 興"]) + "\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("數 爵 於 上篚 = 三", True),
        ("數 眾賓.1之爵 於 上篚 = 二", True),
        ("數 眾賓.2之爵 於 上篚 = 一", True),
        ("數 眾賓.3之爵 於 上篚 = 0", True),
        ("數 眾賓.2之爵 於 上篚 < 數 眾賓.1之爵 於 上篚", True),
        ("數 眾賓.1之爵 於 上篚 < 數 眾賓.2之爵 於 上篚", False),
        ("數 眾賓 於 堂西 = 二", True),
        ("數 眾賓 於 西階上 = 一", True),
        ("數 眾賓 於 阼階前 = 0", True),
        ("數 主人 於 西階上 > 0", False),
    ],
)
def test_it_counts_whose_and_who(tmp_path: Path, condition: str, *, holds: bool) -> None:
    performance = rehearse(made(tmp_path, condition))
    assert any(event.info.verb == "拜" for event in performance.events) is holds


def test_what_cannot_be_counted_is_told(tmp_path: Path) -> None:
    report = check_rite(made(tmp_path, "數 無此物 於 上篚 > 0"))
    assert "unknown-thing" in {finding.code for finding in report.findings}


def test_ones_own_thing_begins_at_ones_own_place(tmp_path: Path) -> None:
    mats = '\n[[things]]\nkind = "席"\neach = "眾賓"\nplace = "眾賓席"\n'
    state = rehearse(made(tmp_path, "數 爵 於 上篚 = 三", mats)).state("賓升")
    where = [thing["where"] for thing in state["things"].values() if thing["kind"] == "席"]
    assert where == ["眾賓席.1", "眾賓席.2", "眾賓席.3"]
