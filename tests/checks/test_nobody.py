"""A clause that nobody is there to do counts as performed, so it is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yanli.rehearsal import check_rite

if TYPE_CHECKING:
    from pathlib import Path

RITE = """
name = "無人"
slug = "nobody"
like = "xiangshe"

[scenario."大夫"]
type = "count"
default = 0

[scenario."諸公"]
type = "count"
default = 0
"""
CAST = "\n".join(
    f'[[cast]]\nname = "{name}"\n{count}place = "西階前"\nfacing = "東"\n'
    for name, count in (("主人", ""), ("大夫", 'count = "大夫"\n'))
)
# In the first nobody acts; in the second somebody does; of the third it is asked whether he is there.
SCORE = """
## 入 · enter

大夫入
    大夫 立
主人揖大夫
    主人 揖
    大夫 立
若大夫坐
    若 有 大夫
        大夫 坐
"""


def test_what_nobody_is_there_to_do_is_told(tmp_path: Path) -> None:
    files = {"rite.toml": RITE, "cast.toml": CAST, "groups.toml": "", "things.toml": "", "01-enter.pu": SCORE}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = [each for each in check_rite(tmp_path).findings if each.code == "nobody-acts"]
    assert [(each.words, each.grade) for each in found] == [("大夫入", "warning")]
    there = check_rite(tmp_path, sets=("大夫=1",)).findings
    assert [each for each in there if each.code == "nobody-acts"] == []
