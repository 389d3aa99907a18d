"""Whatever is asked, something plain is answered, and the server goes on."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.specs.openapi.checks import positive_data_acceptance
from tests.server.asking import CALL, PATIENCE, House, process
from tests.terminal import terminal

from yanli.server.questions import QUESTIONS

EXPECTED = {200, 304, 400, 404, 413, 414, 422, 503, 504}
WORDS = "皆當其物北面揖"


# ── any query ───────────────────────────────────────────────────────────────────────────────────────────────────────

NAMES = st.sampled_from(sorted({each.name for question in QUESTIONS.values() for each in question.parameters}))
VALUES = st.one_of(
    st.sampled_from(
        [
            "xiangshe", "鄉射禮", "大夫=2", "大夫=0", "所=場", "所=庠", "庭廣=25米", "庭深=1e400米", "庭深=9e99米",
            "庭深=0米",
            "侯道=-1米", "階=99999999等", "尺=0米", "尺=1e-300米", "席長=1/0步", "尺=1/0米", "庭深=" + "9" * 400 + "米",
            "庭廣=" + "9" * 4500 + "米", "階=" + "9" * 400, "堂深=" + "(" * 300, "眾賓=20000",
            "勝=任",
            "seed=18446744073709551616", "無算=100", "戒服=敖繼公", "敖繼公", "郝敬", "司馬", "請射", "射事畢", WORDS,
            "1", "9" * 30,
            "../../etc/passwd", "{{7*7}}", "<script>alert(1)</script>", "'; DROP TABLE 禮;--", "\u202e\u200b", "💥",
            "𠀀",
        ]
    ),
    st.text(max_size=20),
)  # fmt: skip


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(path=st.sampled_from(sorted(QUESTIONS)), pairs=st.lists(st.tuples(NAMES, VALUES), max_size=5))
def test_random_queries_are_answered_or_refused(house: House, path: str, pairs: list[tuple[str, str]]) -> None:
    query = urlencode(pairs, errors="surrogatepass")
    answer = house.get(f"{path}?{query}".encode())
    assert answer.status in EXPECTED
    if answer.status == 200:
        assert answer.data() is not None
    elif answer.status != 304:
        answer.error()
    assert house.get("/api/health").status == 200


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    path=st.sampled_from(sorted(QUESTIONS)),
    query=st.binary(max_size=40),
    more=st.sampled_from([b"", b"&set=%00", b"&x"]),
)
def test_random_bytes_are_answered_or_refused(house: House, path: str, query: bytes, more: bytes) -> None:
    answer = house.get(path.encode() + b"?" + query + more)
    assert answer.status in EXPECTED


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(path=st.binary(max_size=40))
def test_random_paths_lead_nowhere(house: House, path: bytes) -> None:
    target = b"/" + quote(path, safe="/.%").encode()
    assert house.get(target).status in EXPECTED | {200}


# ── a real server ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server, as a user starts it."""
    with process("--limit", "seconds=100", XDG_CACHE_HOME=str(tmp_path_factory.mktemp("cache"))) as (_, address, _said):
        yield address


def send(address: str, data: bytes, *, patience: float = PATIENCE) -> bytes:
    """Send bytes as they are; gives what comes until the server closes, or nothing more comes."""
    parts = urlsplit(address)
    got = b""
    with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=patience) as wire:
        try:
            wire.sendall(data)
            while chunk := wire.recv(65_536):
                got += chunk
        except (ConnectionError, TimeoutError):
            pass
    return got


def well(address: str) -> bool:
    """Whether the server still answers."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE)
    connection.request("GET", "/api/health")
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status == 200


def fetch(address: str, target: str, **headers: str) -> tuple[int, bytes]:
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE)
    connection.request("GET", quote(target, safe="/?&=%"), headers=headers)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, body


def request(line: bytes, *headers: bytes, host: bytes = b"127.0.0.1") -> bytes:
    return b"\r\n".join([line, b"Host: " + host, b"Connection: close", *headers, b"", b""])


BAD: dict[str, tuple[bytes, set[int | None]]] = {
    "path up": (request(b"GET /web/../__init__.py HTTP/1.1"), {404}),
    "path up, encoded": (request(b"GET /web/%2e%2e/__init__.py HTTP/1.1"), {404}),
    "path up, twice encoded": (request(b"GET /web/%252e%252e%252f__init__.py HTTP/1.1"), {404}),
    "path up, overlong": (request(b"GET /web/%c0%ae%c0%ae/__init__.py HTTP/1.1"), {404}),
    "path, backslash": (request(b"GET /web/..\\__init__.py HTTP/1.1"), {400, 404}),
    "path, absolute": (request(b"GET //etc/passwd HTTP/1.1"), {404}),
    "path, nothing": (request(b"GET  HTTP/1.1"), {400, 404}),
    "path, another server": (request(b"GET http://example.org/ HTTP/1.1"), {400, 404, 421}),
    "path, a file": (request(b"GET file:///etc/passwd HTTP/1.1"), {400, 404}),
    "path, not ASCII": (request("GET /web/禮 HTTP/1.1".encode()), {400, 404}),
    "query, not UTF-8": (request(b"GET /api/stage?rite=%ff HTTP/1.1"), {400}),
    "query, half encoded": (request(b"GET /api/stage?rite=%e HTTP/1.1"), {400}),
    "query, a path": (request(b"GET /api/stage?rite=../../../etc HTTP/1.1"), {404}),
    "query, huge number": (request(b"GET /api/why?event=" + b"9" * 5000 + b" HTTP/1.1"), {400}),
    "address of 20 kB": (request(b"GET /" + b"a" * 20_000 + b" HTTP/1.1"), {414}),
    "address of 10 MB": (request(b"GET /" + b"a" * 10_000_000 + b" HTTP/1.1"), {400, 414, None}),
    "header of 10 MB": (request(b"GET / HTTP/1.1", b"X: " + b"a" * 10_000_000), {400, 431, None}),
    "100000 headers": (request(b"GET / HTTP/1.1", *[b"X: a"] * 100_000), {400, 431, None}),
    "wrong method": (request(b"POST /api/stage HTTP/1.1", b"Content-Length: 0"), {405}),
    "no method": (request(b"\x16\x03\x01\x02\x00\x01\x00"), {400, None}),
    "a body": (request(b"GET /api/stage HTTP/1.1", b"Content-Length: 4") + b"body", {413}),
    "a body that never comes": (request(b"GET /api/health HTTP/1.1", b"Content-Length: 999999999999"), {413}),
    "a body in chunks": (
        request(b"GET /api/health HTTP/1.1", b"Transfer-Encoding: chunked") + b"1\r\na\r\n0\r\n\r\n", {413},
    ),
    "two lengths": (request(b"GET / HTTP/1.1", b"Content-Length: 1", b"Content-Length: 2"), {400}),
    "foreign origin": (request(b"GET /api/stage HTTP/1.1", b"Origin: http://example.org"), {403}),
    "foreign page": (request(b"GET /api/stage HTTP/1.1", b"Sec-Fetch-Site: cross-site"), {403}),
    "foreign host": (request(b"GET / HTTP/1.1", host=b"example.org"), {421}),
    "two hosts": (request(b"GET / HTTP/1.1", b"Host: example.org"), {400, 421}),
    "no host": (b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n", {400}),
    "no host, old": (b"GET / HTTP/1.0\r\n\r\n", {421}),
    "no version": (request(b"GET /"), {400}),
    "nonsense": (b"\x00\xff" * 500 + b"\r\n\r\n", {400, None}),
    "a line within a header": (request(b"GET / HTTP/1.1", b"X: a\nHost: example.org"), {400, 421}),
    "a websocket": (
        request(b"GET /api/health HTTP/1.1", b"Upgrade: websocket", b"Sec-WebSocket-Key: eA=="),
        {200, 400, 403, 404},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_what_is_bad_is_refused_and_harms_nothing(served: str, name: str) -> None:
    data, statuses = BAD[name]
    answer = send(served, data)
    assert (int(answer.split(b" ", 2)[1]) if answer else None) in statuses
    assert b"Traceback" not in answer
    assert b"root:" not in answer
    assert well(served)


def test_who_begins_and_does_not_go_on_holds_up_nobody(served: str) -> None:
    parts = urlsplit(served)
    wires = [socket.create_connection((parts.hostname or "", parts.port or 0)) for _ in range(60)]
    try:
        for wire in wires:
            wire.sendall(b"GET /api/health HTTP/1.1\r\nHost: 127")
        assert well(served)
    finally:
        for wire in wires:
            wire.close()
    assert well(served)


def test_who_goes_away_takes_nothing_from_others(served: str) -> None:
    parts = urlsplit(served)
    target = quote("/api/stage?set=seed=77", safe="/?=&").encode()
    for _ in range(5):
        with socket.create_connection((parts.hostname or "", parts.port or 0)) as wire:
            wire.sendall(request(b"GET " + target + b" HTTP/1.1"))
    assert well(served)
    status, body = fetch(served, "/api/stage?set=seed=77")
    assert (status, body[:10]) == (200, b'{"format":')


def test_many_at_once_are_answered_or_told_to_come_again(served: str) -> None:
    with ThreadPoolExecutor(40) as threads:
        asked = [threads.submit(fetch, served, f"/api/state?set=seed={seed}&after={WORDS}") for seed in range(100, 140)]
        assert all(well(served) for _ in range(10))
        answers = [each.result(PATIENCE) for each in asked]
    statuses = [status for status, _ in answers]
    refusals = Counter(json.loads(body)["error"]["code"] for status, body in answers if status != 200)
    assert set(statuses) <= {200, 503}, refusals
    assert statuses.count(200) >= 18, refusals
    assert well(served)


def test_a_judge_of_its_own_standing_finds_what_is_described(served: str) -> None:
    schema: Any = schemathesis.openapi.from_url(f"{served}/openapi.json", timeout=PATIENCE)

    for operation in (found.ok() for found in schema.get_all_operations()):

        @given(case=operation.as_strategy())
        @settings(max_examples=6, suppress_health_check=list(HealthCheck))
        def judge(case: Any) -> None:  # noqa: ANN401 - without types
            # That a key is not one of this rite's is no fault of form: such a query is refused, well formed as it is.
            case.call_and_validate(excluded_checks=[positive_data_acceptance], timeout=PATIENCE)

        judge()
    assert well(served)


# ── its beginning and end ───────────────────────────────────────────────────────────────────────────────────────────


def test_what_lasts_too_long_is_ended(tmp_path: Path) -> None:
    with process("--limit", "seconds=1.2", "--limit", "people=1000", XDG_CACHE_HOME=str(tmp_path)) as (
        _,
        address,
        _said,
    ):
        fetch(address, "/api/stage?set=大父=1")
        status, body = fetch(address, "/api/stage?set=眾耦=180")
        assert status == 504
        assert "1.2 s" in body.decode()
        assert well(address)


@pytest.mark.skipif(os.name != "posix", reason="signals are told otherwise here")
@pytest.mark.parametrize("pause", [0.1, 0.25, 0.5, 0.75, 1.0, 1.5])
def test_it_ends_cleanly_while_its_processes_are_being_readied(tmp_path: Path, pause: float) -> None:
    with terminal(CALL, "serve", "--port", "0", XDG_CACHE_HOME=str(tmp_path)) as server:
        place = urlsplit(server.hear("Ctrl-C").split("Yanli: ")[1].split("/\n")[0])
        with socket.create_connection((place.hostname, place.port)) as line:
            line.sendall(request(b"GET /api/rites HTTP/1.1", host=place.netloc.encode()))
            time.sleep(pause)
            assert server.press(signal.SIGINT) == 0
    assert "Traceback" not in server.said
    assert "Error" not in server.said


@pytest.mark.skipif(os.name != "posix", reason="signals are told otherwise here")
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_cleanly_and_leaves_nobody_behind(tmp_path: Path, sign: signal.Signals) -> None:
    with terminal(CALL, "serve", "--port", "0", XDG_CACHE_HOME=str(tmp_path)) as server:
        address = server.hear("Ctrl-C").split("Yanli: ")[1].split("/\n")[0]
        with ThreadPoolExecutor(1) as thread:
            asked = thread.submit(
                send, address, request(quote("GET /api/stage?set=眾耦=150", safe="/?= ").encode() + b" HTTP/1.1")
            )
            time.sleep(2)
            assert server.press(sign) == (0 if sign is signal.SIGINT else -signal.SIGTERM)
            # Either the server was first to hear, or the process that made the answer.
            assert asked.result(PATIENCE).startswith(b"HTTP/1.1 503 ")
    assert "Traceback" not in server.said
    assert "Error" not in server.said
