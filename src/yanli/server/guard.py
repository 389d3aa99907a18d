"""Who may ask at all, and what every answer forbids the browser.

A page of another origin must neither read from this server nor make it work, nor a name that somebody points at this
machine (DNS rebinding): so the host must be one that the server was started for, and a browser must say that the
question comes from our own page.
"""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response

from yanli.server.faults import FOREIGN, LARGE, LONG, METHOD, MISDIRECTED, Refused, refused

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from yanli.server.limits import Limits

LOOPBACK = ("localhost", "127.0.0.1", "::1")
METHODS = ("GET", "HEAD")
NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
SECURE = {
    "content-security-policy": NOTHING,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "x-frame-options": "DENY",
}


def page_policy(allowed: str) -> str:
    """What the page may do: its own files, the inline script with this hash, and nothing of anybody else."""
    return (
        f"default-src 'none'; script-src 'self' {allowed}; style-src 'self'; font-src 'self'; "
        "img-src 'self' data: blob:; connect-src 'self'; worker-src 'none'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )


def refusal(fault: Refused) -> Response:
    """The answer that tells a refusal."""
    headers = {**SECURE, "cache-control": "no-store", **fault.headers}
    return Response(fault.body(), fault.status, headers, "application/json")


def host_of(netloc: str) -> str | None:
    """The name in a Host header or an origin, without its port; None when it is malformed."""
    try:
        parts = urlsplit(f"//{netloc}")
        named = parts.hostname
        _ = parts.port
    except ValueError:
        return None
    plain = not {"@", "/", "?", "#"} & set(netloc)
    return named.rstrip(".").casefold() if named and plain else None


def is_address(host: str) -> bool:
    """Whether a host is told by its number and not by a name."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


class Guard:
    """Looks at every request before anybody works for it."""

    def __init__(self, app: ASGIApp, limits: Limits, hosts: frozenset[str], *, addresses: bool = False) -> None:
        """Let in what asks for one of ``hosts`` (names without ports), or, with ``addresses``, by any bare address.

        An address cannot be pointed elsewhere, as a name can.
        """
        self.app = app
        self.limits = limits
        self.hosts = hosts
        self.addresses = addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass on and see that the answer forbids what it must."""
        if scope["type"] != "http":
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
                return
            await self.app(scope, receive, send)
            return

        async def secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURE.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            self.look(scope)
        except Refused as fault:
            await refusal(fault)(scope, receive, send)
            return
        await self.app(scope, receive, secured)

    def look(self, scope: Scope) -> None:
        """Raise Refused for what is not let in."""
        headers = Headers(scope=scope)
        length = len(scope.get("raw_path") or b"") + len(scope["query_string"])
        if length > self.limits.query:
            cause = f"網址過長 the address is {length} bytes long; at most {self.limits.query}"
            raise refused(LONG, "too-long-address", cause, known=str(self.limits.query))
        if scope["method"] not in METHODS:
            cause = f"{scope['method'][:20]}：惟可讀 this server is only read: GET and HEAD"
            raise refused(METHOD, "bad-method", cause, known="GET, HEAD", headers={"Allow": "GET, HEAD"})
        if headers.get("content-length", "0") != "0" or "transfer-encoding" in headers:
            cause = "所問不可有身 a question has no body"
            raise refused(LARGE, "body", cause, headers={"Connection": "close"})
        asked = headers.getlist("host")
        host = host_of(asked[0]) if len(asked) == 1 else None
        if host is None or not (host in self.hosts or (self.addresses and is_address(host))):
            cause = "非此處之名 this server does not answer to that host name"
            raise refused(MISDIRECTED, "wrong-host", cause, known="、".join(sorted(self.hosts)))
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2].casefold() != asked[0].casefold():
            raise refused(FOREIGN, "foreign-origin", "不答他處之頁 pages of another origin get no answer")
        site = headers.get("sec-fetch-site", "none")
        if scope["path"].startswith("/api/") and site not in {"same-origin", "none"}:
            raise refused(FOREIGN, "foreign-origin", "不答他處之頁 pages of another origin get no answer")
