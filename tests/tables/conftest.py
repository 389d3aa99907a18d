"""The sources as the tables quote them: plain, and the encyclopaedia emended."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from yanli.corpus.emendation import Emendations, emend, plain
from yanli.tables.load import emendations as load
from yanli.tables.load import sources

SHARED = Path(__file__).resolve().parents[3] / "shared"


@pytest.fixture(scope="session")
def emendations() -> Emendations:
    """What is emended in the encyclopaedia."""
    return load()


@pytest.fixture(scope="session")
def source_text(emendations: Emendations) -> Callable[[str], str]:
    """Gives a source, plain, by its key; skips the test where the documents are not at hand."""

    @cache
    def text(key: str) -> str:
        path = SHARED / sources()[key].file
        if not path.is_file():
            pytest.skip(f"{path} is not here: this test compares with the texts that the tables quote")
        found = path.read_text(encoding="utf-8", errors="replace")
        return emend(found, emendations.emendation, path.name) if sources()[key].emended else plain(found)

    return text
