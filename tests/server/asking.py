"""Asking the server as a browser does, without a browser: the application in a loop of its own, or a real process."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, unquote_to_bytes

from starlette.applications import Starlette

CALL = "from yanli.cli import main; main()"
# Two slow cores may be shared with much else.
PATIENCE = 120.0
HOST = "127.0.0.1:8642"


class Answer(NamedTuple):
    """A status, headers in small letters, and the body as it came."""

    status: int
    headers: dict[str, str]
    body: bytes

    def plain(self) -> bytes:
        """The body, uncompressed."""
        return gzip.decompress(self.body) if self.headers.get("content-encoding") == "gzip" else self.body

    def data(self) -> Any:  # noqa: ANN401 - JSON is whatever was written
        return json.loads(self.plain())

    def error(self) -> dict[str, Any]:
        """What a refusal says; every refusal has this shape and shows no inside."""
        assert self.headers["content-type"] == "application/json"
        text = self.plain().decode()
        assert "Traceback" not in text
        assert str(Path(__file__).resolve().parents[2]) not in text
        found = json.loads(text)
        assert set(found) == {"error"}
        error = found["error"]
        assert set(error) == {"code", "cause", "known", "nearest", "findings"}
        assert error["cause"]
        assert re.fullmatch(r"[a-z0-9-]+", error["code"])
        return dict(error)


class House:
    """An application that lives, with its beginning and end, in a loop of its own thread."""

    def __init__(self, app: Starlette) -> None:
        self.app = app
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self._thread.start()
        self._life = app.router.lifespan_context(app)
        self._run(self._life.__aenter__())

    def close(self) -> None:
        self._run(self._life.__aexit__(None, None, None))
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(PATIENCE)
        self.loop.close()

    def _run(self, what: Any) -> Any:  # noqa: ANN401 - whatever it gives
        return asyncio.run_coroutine_threadsafe(what, self.loop).result(PATIENCE)

    def get(self, target: str | bytes, *, method: str = "GET", **headers: str) -> Answer:
        """Ask once. ``target``: path and query as they stand on the wire; text is encoded where it must be."""
        (answer,) = self.together([target], method=method, **headers)
        return answer

    def together(self, targets: Sequence[str | bytes], *, method: str = "GET", **headers: str) -> list[Answer]:
        """Ask all at once."""

        async def all_of_them() -> list[Answer]:
            return list(await asyncio.gather(*(self._ask(target, method, headers) for target in targets)))

        found: list[Answer] = self._run(all_of_them())
        return found

    async def _ask(self, target: str | bytes, method: str, headers: dict[str, str]) -> Answer:
        wire = quote(target, safe="/?&=%+.:#-_~*!'(),;@[]").encode() if isinstance(target, str) else target
        path, _, query = wire.partition(b"?")
        named = {"host": HOST, **{name.replace("_", "-"): value for name, value in headers.items()}}
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": unquote_to_bytes(path).decode("utf-8", "replace"),
            "raw_path": path,
            "query_string": query,
            "root_path": "",
            "headers": [(name.encode(), value.encode("latin-1")) for name, value in named.items()],
            "client": ("127.0.0.1", 50_000),
            "server": ("127.0.0.1", 8642),
        }
        said: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Any) -> None:  # noqa: ANN401 - whatever is sent
            said.append(message)

        await self.app(scope, receive, send)
        assert said[0]["type"] == "http.response.start"
        given = {name.decode().lower(): value.decode() for name, value in said[0]["headers"]}
        return Answer(said[0]["status"], given, b"".join(part.get("body", b"") for part in said[1:]))


@contextlib.contextmanager
def process(*words: str, **settings: str) -> Iterator[tuple[subprocess.Popen[str], str, list[str]]]:
    """``yanli serve`` on a free port, as a user starts it: the process, its address, and the lines that it says."""
    command = [sys.executable, "-u", "-c", CALL, "serve", "--port", "0", *words]
    said: list[str] = []
    told = threading.Event()
    address: list[str] = []
    environment = {**os.environ, **settings}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, encoding="utf-8",
        env=environment,
    ) as running:  # fmt: skip

        def listen() -> None:
            assert running.stdout is not None
            for line in running.stdout:
                said.append(line)
                found = re.search(r"http://[^\s/]+", line)
                if found and not address:
                    address.append(found.group())
                    told.set()
            told.set()

        ear = threading.Thread(target=listen, daemon=True)
        ear.start()
        try:
            told.wait(PATIENCE)
            assert address, "".join(said)
            yield running, address[0], said
        finally:
            running.terminate()
            running.wait(PATIENCE)
            ear.join(PATIENCE)
