"""Speed of reading the witnesses, family given and guessed, beside a bare decoding and one scan by a pattern.

Run ``python benchmarks/bench_import.py``. Megabytes a second of this process's own time, best of `TIMES`: what else the
machine does counts little. Compare ratios: figures depend on the machine.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from yanli.corpus.segment import read_text

SHARED = Path(__file__).resolve().parents[2] / "shared" / "witnesses"
FAMILIES = {"KR1d0026": "kanripo", "KR1d0035": "kanripo-indented", "KR1d0038": "kanripo-circled"}
TIMES = 7
_TOKEN = re.compile(r"[^\s()/¶<]+|[()]|[\s/¶]+|<[^>]*>")


def bare(data: bytes) -> int:
    """Decode, and count the tokens that any reader has to look at."""
    return sum(1 for _ in _TOKEN.finditer(data.decode()))


def speed(work: Callable[[bytes], object], data: bytes) -> float:
    """Give megabytes a second of process time, the best of several."""
    best = float("inf")
    for _ in range(TIMES):
        begun = time.process_time()
        work(data)
        best = min(best, time.process_time() - begun)
    return len(data) / max(best, 1e-9) / 1e6


def main() -> None:
    """Print a line for each witness."""
    sys.stdout.write(f"{'MB/s':16} given guessed   bare\n")
    for path in sorted(SHARED.glob("KR1d*.txt")):
        data = path.read_bytes()
        given = speed(partial(read_text, name=path.name, family=FAMILIES[path.name[:8]]), data)
        guessed = speed(partial(read_text, name=path.name), data)
        sys.stdout.write(f"{path.stem:16} {given:5.1f} {guessed:7.1f} {speed(bare, data):6.1f}\n")


if __name__ == "__main__":
    main()
