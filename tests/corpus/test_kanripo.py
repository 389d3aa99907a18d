"""Reading the canonical layer of a Kanripo file."""

from __future__ import annotations

import pytest

from yanli.corpus.kanripo import Damage, Gap, Page, Profile, read
from yanli.errors import RiteError

FILE = """# -*- mode: mandoku-view; -*-
#+TITLE: 試
<pb:KR1d0000_X_005-1a>¶
試卷第五¶
鄉射之禮主人戒(注/一)¶
(注二)賓賓出<pb:KR1d0000_X_005-1b>¶
　右戒賓(釋¶
曰)¶
迎再拜¶
<pb:KR1d0000_X_005-2a>¶
<pb:KR1d0000_X_005-3a>¶
欽定四庫全書¶
主人&KR0238;拜¶
試卷第五¶
"""


def test_words_pages_gaps_and_damage() -> None:
    layer = read(FILE, Profile(start="鄉射", end="拜", skip=("欽定四庫全書",)))
    assert layer.text == "鄉射之禮主人戒賓賓出迎再拜主人〓拜"
    assert layer.pages == (
        Page("005-1a", 0, 10, 3), Page("005-1b", 10, 13, 3), Page("005-2a", 13, 13, 0), Page("005-3a", 13, 17, 3)
    )  # fmt: skip
    assert layer.gaps == (Gap("005-2a", 13, "empty"), Gap("005-2b", 13, "missing"))
    assert layer.damage == (Damage("&KR0238;", 15, "005-3a"),)
    assert [layer.page(offset) for offset in (0, 9, 10, 13, 16)] == ["005-1a", "005-1a", "005-1b", "005-3a", "005-3a"]


def test_a_canon_that_is_not_there_is_refused() -> None:
    with pytest.raises(RiteError, match="does not run from 大射 to 拜"):
        read(FILE, Profile(start="大射", end="拜"))


def test_a_note_that_never_closes_is_refused() -> None:
    with pytest.raises(RiteError, match="never closed"):
        read("<pb:K_X_005-1a>¶\n鄉射(注¶\n", Profile(start="鄉", end="射"))
