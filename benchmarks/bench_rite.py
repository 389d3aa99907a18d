"""Speed of each stage of one rite, and of the whole, beside two peers in the same run.

Run ``make bench``. Nothing here is a test: figures depend on the machine. Compare ratios: ``peers`` prints them, and
``groups`` of pytest-benchmark set the rest side by side.
"""

from __future__ import annotations

import resource
import time
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import chess
import pytest
import simpy

from yanli.notation.rite import load_rite
from yanli.performance.machine import Machine
from yanli.performance.perform import Performance, perform
from yanli.performance.stage import Stage, open_stage
from yanli.rehearsal import check_rite, fates_for, rehearse, scenario_for
from yanli.render.plan import plan_svg

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

Result = TypeVar("Result")


class Benchmark(Protocol):
    """What is used here of pytest-benchmark's fixture, which comes without types."""

    extra_info: dict[str, object]
    stats: Any

    def __call__(self, function: Callable[..., Result], *args: object) -> Result: ...

    def pedantic(self, target: Callable[..., Result], args: tuple[object, ...] = (), *, rounds: int) -> Result: ...


RITE = "xiangshe"
# The rites that stand whole: compare how many acts each gives a second.
WHOLE = ("xiangshe", "xiangyinjiu", "dashe")
# Pairs that shoot: the three pairs, and further pairs of guests; guest and host look on, no grandee comes.
PAIRS = (3, 30, 300, 3000)
# A field that holds three thousand pairs in rows.
FIELD = ("大夫=0", "賓主與射=否", "堂廣=120尺", "庭廣=2000尺", "庭深=2000尺")


def stage_of(pairs: int) -> Stage:
    """A rite made ready for so many pairs."""
    rite = load_rite(RITE)
    sets = [f"眾耦={pairs - 3}", *(FIELD if pairs > 300 else FIELD[:2])]
    return open_stage(rite, scenario_for(rite, sets=sets))


def play(stage: Stage) -> Performance:
    """Play it."""
    return perform(stage, fates_for(stage, stage.scenario))


@pytest.mark.benchmark(group="stages")
def bench_parse(benchmark: Benchmark, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read all scores of the rite, with no cache."""
    monkeypatch.setenv("YANLI_NO_CACHE", "1")
    benchmark(load_rite, RITE)


@pytest.mark.benchmark(group="stages")
def bench_plan(benchmark: Benchmark) -> None:
    """Resolve the program of the default scenario."""
    rite = load_rite(RITE)
    benchmark(lambda: open_stage(rite, scenario_for(rite)))


@pytest.mark.benchmark(group="stages")
def bench_perform_default(benchmark: Benchmark) -> None:
    """Play the default scenario."""
    stage = stage_of(5)
    benchmark(play, stage)


@pytest.mark.benchmark(group="stages")
def bench_check(benchmark: Benchmark) -> None:
    """Everything that ``yanli check`` does."""
    benchmark.pedantic(check_rite, (RITE,), rounds=3)


@pytest.mark.benchmark(group="stages")
def bench_plan_drawing(benchmark: Benchmark) -> None:
    """Draw one floor plan."""
    performance = rehearse(RITE)
    benchmark(plan_svg, performance, performance.length / 2)


@pytest.mark.benchmark(group="rites")
@pytest.mark.parametrize("slug", WHOLE)
def bench_whole_rite(benchmark: Benchmark, slug: str) -> None:
    """Read a rite, resolve it and play its default scenario: what ``yanli perform`` does before it writes."""
    performance = benchmark.pedantic(rehearse, (slug,), rounds=3)
    benchmark.extra_info["acts"] = len(performance.events)
    benchmark.extra_info["acts_per_second"] = round(len(performance.events) / benchmark.stats.stats.min)


@pytest.mark.benchmark(group="pairs")
@pytest.mark.parametrize("pairs", PAIRS)
def bench_pairs(benchmark: Benchmark, pairs: int) -> None:
    """Play with ever more pairs: time and memory should grow no faster than the acts do."""
    stage = stage_of(pairs)
    performance = benchmark.pedantic(play, (stage,), rounds=1 if pairs > 300 else 3)
    seconds = benchmark.stats.stats.min
    benchmark.extra_info["acts"] = len(performance.events)
    benchmark.extra_info["acts_per_second"] = round(len(performance.events) / seconds)
    benchmark.extra_info["peak_mib"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def timeouts(count: int) -> float:
    """SimPy's bare timeouts a second of process time."""

    def process(env: simpy.Environment) -> Generator[simpy.Event, None, None]:
        for _ in range(count):
            yield env.timeout(1)

    env = simpy.Environment()
    env.process(process(env))
    begin = time.process_time()
    env.run()
    return count / (time.process_time() - begin)


def moves(count: int) -> float:
    """python-chess's fully checked moves a second: list the legal ones, push one, test for the end."""
    done = 0
    begin = time.process_time()
    while done < count:
        board = chess.Board()
        while done < count and not board.is_game_over():
            legal = list(board.legal_moves)
            board.push(legal[(done * 2654435761) % len(legal)])
            done += 1
    return count / (time.process_time() - begin)


def acts(stage: Stage) -> float:
    """Yanli's checked acts a second of process time: each with what must hold before it, its way, and its changes."""
    machine = Machine(stage, fates_for(stage, stage.scenario))
    begin = time.process_time()
    machine.run()
    return len(machine.events) / (time.process_time() - begin)


@pytest.mark.benchmark(group="peers")
def bench_peers(benchmark: Benchmark) -> None:
    """Acts a second at 300 pairs beside SimPy's timeouts and python-chess's moves, in turn, as ratios."""
    stage = stage_of(300)
    ours, simpys, chesses = [], [], []

    def once() -> None:
        simpys.append(timeouts(200_000))
        ours.append(acts(stage))
        chesses.append(moves(10_000))

    benchmark.pedantic(once, rounds=5)
    ratios = sorted(mine / other for mine, other in zip(ours, simpys, strict=True))
    against = sorted(mine / other for mine, other in zip(ours, chesses, strict=True))
    told = {
        "acts_per_second": round(sorted(ours)[2]),
        "simpy_timeouts_per_second": round(sorted(simpys)[2]),
        "chess_moves_per_second": round(sorted(chesses)[2]),
        "acts_to_timeouts": f"{ratios[0]:.3f} / {ratios[2]:.3f} / {ratios[4]:.3f}",
        "acts_to_moves": f"{against[0]:.2f} / {against[2]:.2f} / {against[4]:.2f}",
    }
    benchmark.extra_info.update(told)
    print("\n" + "\n".join(f"{key}: {value}" for key, value in told.items()))  # noqa: T201 - what it is for
