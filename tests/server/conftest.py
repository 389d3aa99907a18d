"""The server that the tests of this room share. It keeps its answers in a folder of its own, made anew for each run."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.server.asking import House

from yanli.server.app import make_app
from yanli.server.limits import Limits

HERE = Path(__file__).parent
NewHouse = Callable[..., House]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests of this folder share one process: each process that makes answers holds a whole rite."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.xdist_group("server"))


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """The server as it is without any option, but with time enough for two cores that others share."""
    found = House(make_app(Limits(seconds=100), store=tmp_path_factory.mktemp("stage")))
    yield found
    found.close()


@pytest.fixture
def new_house(tmp_path: Path) -> Iterator[NewHouse]:
    """Makes servers of other kinds; ``limits`` are said by name, all else as for the application."""
    with ExitStack() as stack:

        def make(limits: Limits | None = None, **others: object) -> House:
            settings = {"store": tmp_path / "stage", **others}
            found = House(make_app(limits or Limits(seconds=100), **settings))  # type: ignore[arg-type]
            stack.callback(found.close)
            return found

        yield make
