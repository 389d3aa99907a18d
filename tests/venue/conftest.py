"""The building in which this rite is usually laid out."""

import pytest

from yanli.venue import Layout, open_layout


@pytest.fixture(scope="session")
def xu() -> Layout:
    """A 序 of the default size: 堂深 20, 堂廣 60, 侯道 300 尺."""
    return open_layout("xiangshe", {"所": "序"})


@pytest.fixture(scope="session")
def xiang() -> Layout:
    """A 庠 of the default size: 堂深 20, 堂廣 90 尺, with 室 and 房."""
    return open_layout("xiangshe", {"所": "庠"})
