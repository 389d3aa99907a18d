"""One performance that the tests of this room share; each only looks at it."""

from pathlib import Path

import pytest

from yanli.performance.perform import Performance
from yanli.rehearsal import rehearse

RITE = "xiangshe"


@pytest.fixture(scope="session")
def performance() -> Performance:
    """The rite as it is played when nothing is chosen."""
    return rehearse(RITE)


@pytest.fixture(scope="session")
def rival() -> Performance:
    """The same by another school."""
    return rehearse(RITE, school="敖繼公")


SCORE = """## 甲 · one

主人坐取爵于洗南
    ※ 此問：{question}
    說 面 · 鄭玄 主
        主人 立 洗南 北面
    說 面 · 敖繼公
        主人 立 洗南 東面
    [主人 坐 據 下文興]
賓答拜
    [賓] 拜 主人
無介
    註 例 無介
"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A score of a few lines that stands in no folder of Yanli."""
    path = tmp_path / "small.pu"
    path.write_text(SCORE.replace("{question}", "所面"), encoding="utf-8")
    return path
