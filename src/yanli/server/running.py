"""The server on a port of this machine.

Comes in: an address, limits, rites. Goes out: a bound socket, and a server that runs until it is told to stop. Raises
ScenarioError where the address cannot be had, saying which port is free.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import socket
from ipaddress import ip_address
from typing import TYPE_CHECKING

from yanli.errors import Finding, ScenarioError

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.applications import Starlette

# How many ports after one that is taken are tried.
TRIED = 50
# How long those who are being answered may wait for it when the server stops, in seconds.
LEAVING = 2
# More connections than any number of readers on one machine opens; the rest are turned away at once.
CONNECTIONS = 400
LAST_PORT = 65_535


def bind(host: str, port: int) -> socket.socket:
    """Take a port of an address; 0 takes any that is free."""
    try:
        return _bound(host, port)
    except (socket.gaierror, UnicodeError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else "no host is called so"
        cause = f"無此處 no such host: {host[:100]}: {reason}"
        raise ScenarioError(Finding(code="no-host", cause=cause, nearest=("127.0.0.1", "localhost"))) from None
    except OSError as fault:
        if fault.errno == errno.EADDRINUSE:
            free = _free(host, port)
            cause = f"埠 {port} 已為他用 port {port} is taken"
            known = f"--port {free} 可用 is free; --port 0 takes any" if free else "--port 0 takes any that is free"
            near = (str(free),) if free else ()
            raise ScenarioError(Finding(code="port-taken", cause=cause, known=known, nearest=near)) from None
        cause = f"{host} 埠 {port} 不可得 port {port} of {host} cannot be had: {fault.strerror}"
        raise ScenarioError(Finding(code="no-port", cause=cause, known="--port 8642")) from None


def _bound(host: str, port: int) -> socket.socket:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, kind, protocol, _, address = found[0]
    bound = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":
            # A server that has just stopped leaves its port waiting; on Windows this would share a port with others.
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        bound.listen(socket.SOMAXCONN)
    except BaseException:
        bound.close()
        raise
    bound.set_inheritable(False)
    return bound


def _free(host: str, port: int) -> int | None:
    for other in range(port + 1, min(port + TRIED, LAST_PORT) + 1):
        with contextlib.suppress(OSError):
            _bound(host, other).close()
            return other
    return None


def address_of(host: str, bound: socket.socket) -> str:
    """What a browser on this machine is told to open."""
    port = bound.getsockname()[1]
    reached = "localhost" if is_wild(host) else host
    return f"http://[{reached}]:{port}/" if ":" in reached else f"http://{reached}:{port}/"


def is_wild(host: str) -> bool:
    """Whether a host means every address of this machine."""
    with contextlib.suppress(ValueError):
        return ip_address(host).is_unspecified
    return not host


def is_near(bound: socket.socket) -> bool:
    """Whether only this machine reaches a socket."""
    return ip_address(bound.getsockname()[0].partition("%")[0]).is_loopback


def run(app: Starlette, bound: socket.socket, begun: Callable[[], None]) -> None:
    """Serve until Ctrl-C or a signal to end; ``begun`` is called once it answers."""
    import uvicorn

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                begun()

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            # Those who still wait are told so at once; then they leave, and the server with them.
            await asyncio.to_thread(app.state.desk.close)
            await super().shutdown(sockets)

    config = uvicorn.Config(
        app,
        http="h11",
        ws="none",
        log_level="warning",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=CONNECTIONS,
        timeout_graceful_shutdown=LEAVING,
        lifespan="on",
    )
    # Ctrl-C is how a server is meant to end.
    with contextlib.suppress(KeyboardInterrupt):
        Server(config).run(sockets=[bound])
