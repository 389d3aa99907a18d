"""The server as a whole: routes, and how an answer is sent.

Comes in: limits, rites of somebody's own, the hosts it answers to. Goes out: a Starlette application.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
from functools import partial
from typing import TYPE_CHECKING

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.routing import Route

from yanli import __version__
from yanli.server.assets import Asset, Assets, make_asset
from yanli.server.description import Health, describe
from yanli.server.desk import DONE, Desk
from yanli.server.editions import Editions
from yanli.server.faults import BROKEN, METHOD, NOTHING, Refused, refused
from yanli.server.guard import LOOPBACK, Guard, page_policy, refusal
from yanli.server.limits import Limits
from yanli.server.questions import HEALTH, QUESTIONS, Question, Wish, read_wish

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable
    from pathlib import Path

    from starlette.requests import Request

JSON = "application/json"
# A browser asks each time whether what it has is still so; on one machine that costs nothing.
ASK = "no-cache"
SAME = 304


class Counter:
    """What is handed out: one method for each kind of path."""

    def __init__(self, limits: Limits, desk: Desk, assets: Assets) -> None:
        """Hand out what the desk answers, and the page's files."""
        self.limits = limits
        self.desk = desk
        self.assets = assets
        self.described = make_asset(msgspec.json.encode(describe()), JSON)

    async def page(self, request: Request) -> Response:
        """The page's frame."""
        found = self.assets.page()
        return _file(request, found.asset, {"content-security-policy": page_policy(found.allowed)})

    async def file(self, request: Request) -> Response:
        """One of its files."""
        asset = self.assets.get(request.path_params["path"])
        if asset is None:
            raise refused(NOTHING, "no-file", "頁無此檔 the page has no such file")
        return _file(request, asset)

    async def description(self, request: Request) -> Response:
        """All that can be asked."""
        return _file(request, self.described)

    async def health(self, request: Request) -> Response:
        """Whether it is well."""
        read_wish(HEALTH, request.scope["query_string"], self.limits)
        state = Health(status="ok", version=__version__, asked=self.desk.crew.asked, kept=len(self.desk.shelf.kept))
        return Response(msgspec.json.encode(state), headers={"cache-control": "no-store"}, media_type=JSON)

    async def ask(self, question: Question, request: Request) -> Response:
        """The answer to a question."""
        answer = await self.desk.answer(read_wish(question, request.scope["query_string"], self.limits))
        done = answer.reply.status == DONE
        headers = {"cache-control": ASK if done else "no-store", "vary": "accept-encoding"}
        if done:
            mark = headers["etag"] = f'W/"{answer.key[:32]}"'
            if _has(request, mark):
                return Response(status_code=SAME, headers=headers)
        body = answer.reply.body
        if _takes_gzip(request):
            headers["content-encoding"] = "gzip"
        else:
            body = await asyncio.to_thread(gzip.decompress, body)
        return Response(body, answer.reply.status, headers, JSON)


def make_app(
    limits: Limits | None = None, *, own: Iterable[Path] = (), hosts: Iterable[str] = (), addresses: bool = False,
    web: Path | None = None, store: Path | None = None, source: bool = False, corpus: Path | None = None,
) -> Starlette:  # fmt: skip
    """Make the application.

    ``own``: rites beside those that come with Yanli. ``hosts``: names it answers to beside those of this machine's
    loopback; ``addresses``: any bare address too. ``web``, ``store``: the page's folder and where answers are kept,
    else the usual ones; ``source``: the page's code as it was written. ``corpus``: the store of sources that notes
    are told from, if there is one. Raises RiteError for a rite that cannot be had.
    """
    limits = limits or Limits()
    desk = Desk(limits, Editions(own), store, corpus)
    counter = Counter(limits, desk, Assets(web, source=source, noted=corpus is not None))

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        warming = asyncio.create_task(_warm(counter))
        try:
            yield
        finally:
            warming.cancel()
            await asyncio.to_thread(desk.close)

    app = Starlette(
        routes=[
            Route("/", counter.page),
            Route("/web/{path:path}", counter.file),
            Route("/openapi.json", counter.description),
            Route("/api/health", counter.health),
            *(Route(path, partial(counter.ask, question)) for path, question in QUESTIONS.items()),
        ],
        middleware=[Middleware(Guard, limits=limits, hosts=frozenset({*LOOPBACK, *hosts}), addresses=addresses)],
        exception_handlers={Refused: _refuse, HTTPException: _no_route, Exception: _broken},
        lifespan=lifespan,
    )
    # What is asked for otherwise than it is called is not there.
    app.router.redirect_slashes = False
    app.state.desk = desk
    return app


async def _warm(counter: Counter) -> None:
    """Make ready what most will see first, while the browser is still starting."""
    await asyncio.to_thread(counter.assets.make_ready)
    with contextlib.suppress(Refused):
        await counter.desk.answer(Wish(kind="stage"))


# ── sending ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _file(request: Request, asset: Asset, more: dict[str, str] | None = None) -> Response:
    mark = f'W/"{asset.mark}"'
    headers = {"etag": mark, "cache-control": ASK, "vary": "accept-encoding", **(more or {})}
    if _has(request, mark):
        return Response(status_code=SAME, headers=headers)
    body = asset.body
    if asset.zipped is not None and _takes_gzip(request):
        body = asset.zipped
        headers["content-encoding"] = "gzip"
    return Response(body, headers={**headers, "content-type": asset.kind})


def _has(request: Request, mark: str) -> bool:
    """Whether the asker has what bears this mark."""
    return mark.removeprefix("W/") in {
        each.strip().removeprefix("W/") for each in request.headers.get("if-none-match", "").split(",")
    }


def _takes_gzip(request: Request) -> bool:
    for part in request.headers.get("accept-encoding", "").casefold().split(","):
        name, _, weight = part.partition(";")
        if name.strip() in {"gzip", "*"}:
            return weight.replace(" ", "") not in {"q=0", "q=0.0", "q=0.00", "q=0.000"}
    return False


async def _refuse(_: Request, fault: Exception) -> Response:
    return refusal(fault) if isinstance(fault, Refused) else await _broken(_, fault)


async def _no_route(request: Request, fault: Exception) -> Response:
    status = fault.status_code if isinstance(fault, HTTPException) else BROKEN
    if status == METHOD:
        return refusal(
            refused(METHOD, "bad-method", "惟可讀 this server is only read: GET and HEAD", known="GET, HEAD")
        )
    paths = [*QUESTIONS, "/api/health", "/openapi.json", "/"]
    cause = f"無此處 there is nothing at {request.url.path[:100]!r}"
    return refusal(refused(NOTHING, "no-such-path", cause, known="、".join(paths)))


async def _broken(_: Request, fault: Exception) -> Response:
    """A slip of ours: Starlette writes it to the log, and the asker is told that much."""
    del fault
    return refusal(refused(BROKEN, "broken", "演禮自誤 Yanli failed; its log tells more"))
