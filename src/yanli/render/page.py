"""The page that plays a rite, as one file: it needs no server and no network.

Comes in: performances as ``stage_json`` writes them, what differs between them, the page's files. Goes out: HTML with
all of it inside: modules as ``data:`` addresses in an import map, fonts in the style, performances compressed, and so
what is said of the clauses, if that is given. Its own policy lets it load nothing from anywhere. The same inputs give
the same bytes.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
from typing import TYPE_CHECKING, Final
from urllib.parse import quote_plus

import msgspec

from yanli.errors import Finding, ScenarioError
from yanli.render.difference import Differences
from yanli.render.page_modules import DOCS, IMPORT_MAP, MAIN, SCRIPT, STYLES, Web
from yanli.render.typeface import unshown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from yanli.performance.perform import Performance

LEVEL: Final = 9
NOTES_HELD: Final = '<script type="application/json" id="yanli-notes" data-encoding="gzip-base64">'
CHARSET: Final = '<meta charset="utf-8">'
_URL = re.compile(r"""url\(\s*["']?([^"')]+)["']?\s*\)""")
# What a reader's browser would fetch: no such thing may be left.
_FETCHED = re.compile(r"""<[^>]+\s(?:src|href)\s*=\s*["']?(?!data:|#)([^"'\s>]+)""", re.IGNORECASE)
KINDS: Final = {".woff2": "font/woff2", ".svg": "image/svg+xml", ".png": "image/png"}


class Held(msgspec.Struct, frozen=True, kw_only=True):
    """One performance in the file: the query that a server would be asked, and what it would answer."""

    query: str
    doc: bytes


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """What differs between two performances in the file, named by their queries."""

    query: str
    against: str
    difference: Differences


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """The file, the bytes that each part takes in it, and what the packaged font cannot show."""

    html: str
    sizes: dict[str, int]
    unshown: str


class _Doc(msgspec.Struct):
    query: str
    doc: msgspec.Raw


class _Packed(msgspec.Struct):
    docs: list[_Doc]
    differences: list[Compared]
    offline: bool = True


def make_page(
    docs: Sequence[Held], differences: Sequence[Compared] = (), web: Web | None = None, notes: bytes | None = None
) -> Page:
    """Write the file; the first performance is shown first. ``notes``: of the rite, as ``notes_json`` writes them.

    Raises ScenarioError when the page was not built.
    """
    web = web or Web()
    packed = _Packed([_Doc(held.query, msgspec.Raw(held.doc)) for held in docs], list(differences))
    performances = _compressed(msgspec.json.encode(packed))
    said = "" if notes is None else _compressed(notes)
    modules = web.modules()
    code = _import_map(modules)
    begin = f'import "{MAIN}";'
    fonts, style = (_inlined(web, path) for path in ("fonts/fonts.css", "style.css"))
    licences = _licences(web, modules)
    policy = (
        f"default-src 'none'; script-src {_hash(code)} {_hash(begin)} data:; style-src {_hash(fonts)} {_hash(style)}; "
        "font-src data:; img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    beside = "" if notes is None else f"{NOTES_HELD}{said}</script>\n"
    held = (
        f'<script type="application/json" id="yanli-docs" data-encoding="gzip-base64">{performances}</script>\n{beside}'
        f'<script type="text/plain" id="yanli-licences">{licences}</script>'
    )
    html = web.read("index.html")
    for mark, text in (
        (CHARSET, f'{CHARSET}\n<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        (IMPORT_MAP, f'<script type="importmap">{code}</script>'),
        (STYLES[0], f"<style>{fonts}</style>"),
        (STYLES[1], f"<style>{style}</style>"),
        (DOCS, held),
        (SCRIPT, f'<script type="module">{begin}</script>'),
    ):
        if html.count(mark) != 1:
            raise _unfit(f"index.html has {html.count(mark)} times {mark}; expected once")
        html = html.replace(mark, text)
    if (left := _FETCHED.search(html)) is not None:
        raise _unfit(f"index.html would fetch {left[1][:100]!r}, which is not in the file")
    sizes = {"performances": len(performances), "fonts": len(fonts.encode()), "licences": len(licences.encode())}
    sizes |= {} if notes is None else {"notes": len(said)}
    sizes = {"code": len(html.encode()) - sum(sizes.values()), **sizes}
    return Page(html=html, sizes=sizes, unshown=unshown(_texts(docs)))


def query_of(performance: Performance) -> str:
    """The query that asks a server for this performance, as the page itself would write it."""
    scenario = performance.stage.scenario
    pairs = [("rite", performance.rite.slug)]
    pairs += [("set", f"{key}={scenario.values[key]}") for key in sorted(scenario.given) if key in scenario.values]
    pairs += [("school", scenario.school)] if scenario.school else []
    pairs += [("reading", f"{crux}={name}") for crux, name in sorted(scenario.readings.items())]
    return "&".join(f"{name}={quote_plus(value, safe='*')}" for name, value in pairs)


def _compressed(data: bytes) -> str:
    return base64.b64encode(gzip.compress(data, LEVEL, mtime=0)).decode()


def _import_map(modules: dict[str, str]) -> str:
    urls = {
        name: f"data:text/javascript;charset=utf-8;base64,{base64.b64encode(text.encode()).decode()}"
        for name, text in sorted(modules.items())
    }
    return msgspec.json.encode({"imports": urls}).decode().replace("<", "\\u003c")


def _inlined(web: Web, path: str) -> str:
    """A style sheet with everything that it names inside it."""
    folder = path.rpartition("/")[0]

    def inside(match: re.Match[str]) -> str:
        name = match[1]
        if name.startswith(("data:", "#")):
            return match[0]
        kind = next((kind for ending, kind in KINDS.items() if name.endswith(ending)), None)
        if kind is None or "//" in name:
            raise _unfit(f"{path} names {name!r}, which cannot be taken into the file")
        data = base64.b64encode(web.data(f"{folder}/{name}" if folder else name)).decode()
        return f"url(data:{kind};base64,{data})"

    style = _URL.sub(inside, web.read(path))
    if "</style" in style.lower() or "@import" in style:
        raise _unfit(f"{path} has </style or @import, which cannot be taken into the file")
    return style


def _licences(web: Web, modules: dict[str, str]) -> str:
    """The licences of the libraries and of the fonts inside, as these ask."""
    libraries = web.libraries()
    used = {libraries[name] for name in modules if name in libraries}
    try:
        packages = msgspec.json.decode(web.data("vendor/packages.json"), type=list[dict[str, str]])
        texts = [
            f"{package['name']} {package['version']}\n\n{web.read(package['text'])}"
            for package in packages
            if any(path.startswith(f"vendor/{package['name']}/") for path in used)
        ]
    except (msgspec.MsgspecError, KeyError) as fault:
        raise _unfit(f"vendor/packages.json: {fault}") from None
    texts.append(f"Yanli Serif\n\n{web.read('fonts/OFL.txt')}")
    return "\n\n".join(texts).replace("<", "‹")


def _texts(docs: Iterable[Held]) -> str:
    """All that may be shown of performances, character by character: all but what a reader's own words are known by."""
    found: set[str] = set()
    for held in docs:
        text = held.doc.decode()
        for known in msgspec.json.decode(held.doc, type=_Folds).folds:
            text = text.replace(f'"{known}"', "", 1)
        found.update(text)
    return "".join(sorted(found))


class _Folds(msgspec.Struct):
    """Of a performance, the shapes under which a reader may ask for a character; nobody is shown them."""

    folds: tuple[str, ...] = ()


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _unfit(cause: str) -> ScenarioError:
    return ScenarioError(Finding(code="page-not-built", cause=cause))
