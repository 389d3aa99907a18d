"""How much the server does for one request, and for all together."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

MEBIBYTE = 1 << 20


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Bounds; each can be set when the server starts (``yanli serve --limit people=800``).

    ``people``: in the cast of one performance. ``seconds``: to make one answer. ``memory``: MiB that the process
    that makes it may map. ``answer``: MiB of one answer before it is compressed. ``at_once``: how many are made at one
    time. ``waiting``: how many more may wait for that. ``kept``: MiB of answers kept in memory. ``stored``: MiB of
    answers kept on disk, 0 for none. ``query``: bytes of path and query. ``parameters``: how many in one query.
    """

    people: Annotated[int, Meta(ge=1)] = 400
    seconds: Annotated[float, Meta(gt=0, le=86_400)] = 20.0
    memory: Annotated[int, Meta(ge=1, le=1 << 20)] = 1024
    answer: Annotated[int, Meta(ge=1, le=1024)] = 64
    at_once: Annotated[int, Meta(ge=1, le=256)] = 2
    waiting: Annotated[int, Meta(ge=0)] = 16
    kept: Annotated[int, Meta(ge=0)] = 128
    stored: Annotated[int, Meta(ge=0)] = 256
    query: Annotated[int, Meta(ge=100, le=60_000)] = 8192
    parameters: Annotated[int, Meta(ge=1)] = 100
