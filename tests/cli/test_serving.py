"""serve and stage as a person meets them: what comes, where it comes, and the exit code."""

from __future__ import annotations

import base64
import gzip
import http.client
import json
import os
import re
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Yanli
from tests.server.asking import process

from yanli.rehearsal import rehearse
from yanli.render.page_modules import Web
from yanli.render.staging import stage_json

CALL = "from yanli.cli import main; main()"
PATIENCE = 120.0
SMALL = """## 小 · small

主人坐取爵于上篚
    主人 坐，取 爵 于 上篚，興
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A rite of one clause."""
    folder = tmp_path / "small"
    folder.mkdir()
    (folder / "rite.toml").write_text('name = "小禮"\nslug = "small"\nlike = "xiangshe"\n', encoding="utf-8")
    (folder / "small.pu").write_text(SMALL, encoding="utf-8")
    return folder


@pytest.fixture
def built() -> None:
    """Skips where the page was not built, and fails where all must be tested (CI)."""
    if missing := Web().missing():
        lacks = f"the page is not built: no {', '.join(missing)}; run `make web`"
        if os.environ.get("CI", "").lower() in {"1", "true", "yes"}:
            pytest.fail(lacks, pytrace=False)
        pytest.skip(lacks)


# ── stage ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("built")
def test_stage_writes_one_file_and_tells_its_size(yanli: Yanli, tmp_path: Path) -> None:
    code, out, err = yanli("stage", "xiangshe", "-o", "deep/x.html")
    written = tmp_path / "deep" / "x.html"
    assert (code, err) == (0, "")
    assert f"{written.stat().st_size / 1_000_000:.2f} MB" in out
    assert [word for word in ("page", "fonts", "licences", "performance") if word not in out] == []
    assert written.read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.usefixtures("built")
def test_stage_puts_another_performance_beside_it(yanli: Yanli, own: Path, tmp_path: Path) -> None:
    assert yanli("stage", str(own))[0] == 0
    assert yanli("stage", str(own), "--against", "敖繼公", "-o", "two.html")[0] == 0
    one, two = (tmp_path / name for name in ("small.html", "two.html"))
    assert two.stat().st_size > one.stat().st_size


def test_stage_writes_the_performance_alone(yanli: Yanli, tmp_path: Path) -> None:
    expected = json.loads(stage_json(rehearse("xiangshe", sets=["大夫=0"])))
    code, out, err = yanli("stage", "xiangshe", "--set", "大夫=0", "--json")
    assert (code, json.loads(out), err) == (0, expected, "")
    assert yanli("stage", "xiangshe", "--set", "大夫=0", "--json", "-o", "x.json") == (0, "", "")
    assert json.loads((tmp_path / "x.json").read_text(encoding="utf-8")) == expected


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ((), 2, "RITE"),
        (("no such rite",), 1, "unknown-rite"),
        (("xiangshe", "--set", "大父=1"), 1, "大夫"),
        (("xiangshe", "--json", "--against", "敖繼公"), 2, "--against"),
        (("xiangshe", "--against", "孔子"), 1, "unknown-school"),
        (("xiangshe", "--against", "戒服=孔子"), 1, "unknown-reading"),
        (("xiangshe", "--record", "none.csv"), 1, "no-record"),
    ],
)
def test_stage_tells_what_is_wrong(yanli: Yanli, words: tuple[str, ...], code: int, told: str, tmp_path: Path) -> None:
    found = yanli("stage", *words)
    assert (found[0], found[1]) == (code, "")
    assert told in found[2]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("built")
def test_stage_tells_when_it_cannot_write(yanli: Yanli, own: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    code, out, err = yanli("stage", str(own), "-o", "file/x.html")
    assert (code, out) == (1, "")
    assert "cannot-write" in err


@pytest.mark.usefixtures("built")
def test_stage_tells_what_the_font_lacks(yanli: Yanli, own: Path) -> None:
    (own / "small.pu").write_text(SMALL.replace("主人坐取爵于上篚\n", "主人坐取𪚥于上篚\n"), encoding="utf-8")
    code, _, err = yanli("stage", str(own), "-o", "x.html")
    assert code == 0
    assert "lacks" in err
    assert "𪚥" in err


# ── serve ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def fresh(*words: str, before: str = "") -> subprocess.Popen[str]:
    """The command in a process of its own, ``before`` it a line of Python."""
    return subprocess.Popen(
        [sys.executable, "-u", "-c", f"{before}\n{CALL}", "serve", *words], stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, encoding="utf-8",
    )  # fmt: skip


def heard(running: subprocess.Popen[str]) -> str:
    """What a server says until it is ready, or ends."""
    assert running.stdout is not None
    said = ""
    while "Ctrl-C" not in said and (line := running.stdout.readline()):
        said += line
    return said


def ask(port: int, path: str, host: str = "127.0.0.1", **headers: str) -> tuple[int, str]:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as wire:
        wire.request("GET", path, headers={"Host": f"{host}:{port}", **headers})
        answer = wire.getresponse()
        return answer.status, answer.read().decode()


def port_of(said: str) -> int:
    return int(said.split("Yanli: http://")[1].split("/", 1)[0].rpartition(":")[2])


def ended(running: subprocess.Popen[str]) -> None:
    running.terminate()
    running.wait(PATIENCE)
    assert running.stdout is not None
    running.stdout.close()


def test_serve_says_where_it_is_and_answers(own: Path) -> None:
    running = fresh(str(own), "--port", "0", "--allow-host", "Stage.example.org", "--limit", "people=1")
    try:
        said = heard(running)
        port = port_of(said)
        assert f"http://127.0.0.1:{port}/" in said
        assert "network" not in said
        assert ask(port, "/api/health")[0] == 200
        assert ask(port, "/api/health", "stage.example.org")[0] == 200
        assert ask(port, "/api/health", "example.org")[0] == 421
        assert json.loads(ask(port, "/api/rites")[1])[0]["slug"] == "small"
        assert ask(port, "/api/stage?rite=small")[0] == 413
    finally:
        ended(running)


@pytest.mark.parametrize(("host", "address"), [("::1", "[::1]"), ("[::1]", "[::1]"), ("localhost", "localhost")])
def test_serve_listens_where_it_is_told(host: str, address: str) -> None:
    running = fresh("--host", host, "--port", "0")
    try:
        said = heard(running)
        if "no-port" in said:
            pytest.skip("this machine has no such address")
        assert f"http://{address}:{port_of(said)}/" in said
        assert "network" not in said
        with closing(http.client.HTTPConnection(host.strip("[]"), port_of(said), timeout=PATIENCE)) as wire:
            wire.request("GET", "/api/health")
            assert wire.getresponse().status == 200
    finally:
        ended(running)


def test_serve_warns_when_others_can_reach_it() -> None:
    running = fresh("XIANGSHE", "--host", "0.0.0.0", "--port", "0")  # noqa: S104 - it is what is warned of
    try:
        said = heard(running)
        assert f"http://localhost:{port_of(said)}/#rite=xiangshe" in said
        assert "without a password" in said
        assert ask(port_of(said), "/api/health", "192.168.1.9")[0] == 200
        assert ask(port_of(said), "/api/health", "example.org")[0] == 421
    finally:
        ended(running)


def test_serve_says_which_port_is_free(yanli: Yanli) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, out, err = yanli("serve", "--port", str(port))
        assert (code, out) == (1, "")
        assert f"port {port} is taken" in err
        free = int(err.split("--port ")[1].split()[0])
        with socket.socket() as other:
            other.bind(("127.0.0.1", free))


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("--port", "65536"), 2, "65535"),
        (("--port", "x"), 2, "--port"),
        (("--host", "no.such.host.invalid"), 1, "no-host"),
        (("--host", "x" * 300), 1, "no-host"),
        (("--host", "192.0.2.1"), 1, "192.0.2.1"),
        (("--limit", "peple=3"), 1, "people"),
        (("--limit", "people"), 1, "bad-limit"),
        (("--limit", "people=0"), 1, "bad-limit"),
        (("--limit", "people=many"), 1, "bad-limit"),
        (("--limit", "seconds=-1"), 1, "bad-limit"),
        (("no such rite",), 1, "unknown-rite"),
    ],
)
def test_serve_tells_what_is_wrong(yanli: Yanli, words: tuple[str, ...], code: int, told: str) -> None:
    found = yanli("serve", *words)
    assert (found[0], found[1]) == (code, "")
    assert told in found[2]


@pytest.mark.parametrize("missing", ["starlette", "uvicorn"])
def test_serve_tells_what_to_install(missing: str) -> None:
    running = fresh("--port", "0", before=f"import sys; sys.modules[{missing!r}] = None")
    said = heard(running)
    assert running.wait(PATIENCE) == 1
    ended(running)
    assert missing in said
    assert "pip install 'yanli[server]'" in said
    assert "Traceback" not in said


# ── with a store ────────────────────────────────────────────────────────────────────────────────────────────────────

WORK = """五禮通考 (四庫全書本)/卷1

　　主人坐取爵于上篚〈注將獻賓也敖氏繼公曰此爵獻賓之爵也〉
"""


@pytest.fixture
def stored(yanli: Yanli, tmp_path: Path) -> Path:
    """A store with two notes on the words of the rite of one clause."""
    (tmp_path / "work.txt").write_text(WORK, encoding="utf-8")
    assert yanli("corpus", "add", "work.txt", "--family", "inline", "--db", "c.sqlite")[0] == 0
    return tmp_path / "c.sqlite"


def held(page: Path) -> dict[str, Any] | None:
    """The notes within a page."""
    found = re.search(r'id="yanli-notes" data-encoding="gzip-base64">([^<]*)<', page.read_text(encoding="utf-8"))
    return None if found is None else json.loads(gzip.decompress(base64.b64decode(found[1])))


@pytest.mark.usefixtures("built")
def test_stage_with_a_store_holds_what_is_said_of_the_words(
    yanli: Yanli, own: Path, stored: Path, tmp_path: Path
) -> None:
    code, out, _ = yanli("stage", str(own), "--db", str(stored), "-o", "x.html")
    assert code == 0
    assert "注疏 notes" in out
    notes = held(tmp_path / "x.html")
    assert notes is not None
    assert [note["text"] for note in notes["notes"]] == ["將獻賓也", "此爵獻賓之爵也"]


@pytest.mark.usefixtures("built")
def test_stage_takes_the_store_that_everybody_has_unless_it_is_not_wanted(
    yanli: Yanli, own: Path, stored: Path, tmp_path: Path
) -> None:
    # There is none, and nobody asked for it.
    assert yanli("stage", str(own), "-o", "x.html")[0::2] == (0, "")
    assert held(tmp_path / "x.html") is None
    (tmp_path / "data" / "yanli").mkdir(parents=True)
    stored.rename(tmp_path / "data" / "yanli" / "corpus.sqlite")
    assert yanli("stage", str(own), "-o", "x.html")[0] == 0
    assert held(tmp_path / "x.html") is not None
    assert yanli("stage", str(own), "--no-notes", "-o", "x.html")[0] == 0
    assert held(tmp_path / "x.html") is None


@pytest.mark.parametrize("command", ["stage", "serve"])
def test_a_store_that_is_named_must_be_there_and_be_one(yanli: Yanli, own: Path, tmp_path: Path, command: str) -> None:
    where = ["-o", "x.html"] if command == "stage" else ["--port", "0"]
    code, _, err = yanli(command, str(own), "--db", "none.sqlite", *where)
    assert (code, "no-store" in err) == (1, True)
    (tmp_path / "text.sqlite").write_text("This is no store. " * 100, encoding="utf-8")
    code, _, err = yanli(command, str(own), "--db", "text.sqlite", *where)
    assert (code, "bad-store" in err) == (1, True)
    code, _, err = yanli(command, str(own), "--db", "none.sqlite", "--no-notes", *where)
    assert (code, "--no-notes" in err) == (2, True)
    assert not (tmp_path / "x.html").exists()


def test_serve_with_a_store_answers_from_it(own: Path, stored: Path, tmp_path: Path) -> None:
    with process(str(own), "--db", str(stored), XDG_CACHE_HOME=str(tmp_path / "cache")) as (_, address, _said):
        port = int(address.rsplit(":", 1)[1].strip("/"))
        status, body = ask(port, "/api/notes?rite=small")
    assert status == 200
    assert [note["text"] for note in json.loads(body)["notes"]] == ["將獻賓也", "此爵獻賓之爵也"]
