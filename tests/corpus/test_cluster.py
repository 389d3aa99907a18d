"""One thing done to many works: in their order, whatever ends a process, and only on what all workers see."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from yanli.corpus import cluster
from yanli.corpus.cluster import Ended, processes, results
from yanli.errors import RiteError

ClusterIn = Callable[[Path, int], AbstractContextManager[str]]


def half(number: int) -> int:
    """A job: an odd number ends its process."""
    if number % 2:
        os._exit(3)
    return number // 2


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, cluster_in: ClusterIn) -> Iterator[str]:
    with cluster_in(tmp_path_factory.mktemp("cluster"), 1) as started:
        yield started


def test_results_come_in_the_order_of_the_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = list(range(0, 60, 2))
    assert [done for _, done in results(half, jobs, None)] == list(range(30))
    monkeypatch.setattr(cluster, "find_spec", lambda _: None)
    with processes(2, None) as pool:
        assert list(results(half, jobs, pool)) == [(job, job // 2) for job in jobs]


def test_what_ends_its_process_has_failed_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda _: None)
    with processes(2, None) as pool:
        found = dict(results(half, [0, 2, 5, 6, 8], pool))
    assert found == {0: 0, 2: 1, 5: Ended(), 6: 3, 8: 4}


def test_only_a_few_jobs_are_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda _: None)
    taken: list[int] = []

    def jobs() -> Iterator[int]:
        for number in range(0, 400, 2):
            taken.append(number)
            yield number

    with processes(1, None) as pool:
        for number, _ in enumerate(results(half, jobs(), pool), 1):
            assert len(taken) - number <= 8


def test_a_cluster_is_asked_before_it_is_used(
    address: str,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    cluster_in: ClusterIn,
) -> None:
    (tmp_path / "there").write_text("賓", encoding="utf-8")
    with processes(None, address, [tmp_path, tmp_path / "there"]):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["there"], "the mark is taken away again"
    # What is called so is another thing in every process: as a disk of one machine is to another.
    monkeypatch.chdir(tmp_path)
    for path in ("/proc/self/cwd/there", "/proc/self/cwd"):
        with (
            pytest.raises(RiteError, match=r"does not see /proc/self/cwd.* must lie on a file system"),
            processes(None, address, [Path(path)]),
        ):
            pytest.fail("it goes on with a worker that does not see what it is to work on")
    monkeypatch.setattr(cluster, "__version__", "9.9")
    with pytest.raises(RiteError, match=r"has Yanli .*, not 9\.9"), processes(None, address):
        pytest.fail("it goes on with another Yanli")
    monkeypatch.setattr(cluster, "_LONGEST", 1)
    with (
        cluster_in(tmp_path_factory.mktemp("idle"), 0) as idle,
        pytest.raises(RiteError, match="has no workers"),
        processes(None, idle),
    ):
        pytest.fail("it waits for ever")


def test_where_nothing_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "_LONGEST", 1)
    for wrong in ("tcp://127.0.0.1:9", "nowhere"):
        with pytest.raises(RiteError, match=f"no cluster answers at {wrong}"), processes(None, wrong):
            pytest.fail("there is none")
