"""What `make web` built, for the tests that look into it."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def built(folder: str) -> Path:
    """A built folder below web/; where it was not built, a test is skipped, and fails where all must be tested (CI)."""
    path = ROOT / "src" / "yanli" / "web" / folder
    if not any(path.glob("*.json")):
        lacks = f"{path.relative_to(ROOT)} is not built; run `make web`"
        if os.environ.get("CI", "").lower() in {"1", "true", "yes"}:
            pytest.fail(lacks, pytrace=False)
        pytest.skip(lacks)
    return path


@pytest.fixture(scope="session")
def fonts() -> Path:
    """The folder of the built fonts."""
    return built("fonts")


@pytest.fixture(scope="session")
def vendor() -> Path:
    """The folder of the libraries' modules."""
    return built("vendor")


@pytest.fixture(scope="session")
def lean() -> Path:
    """The folder of our own code in its short form."""
    return built("lean")
