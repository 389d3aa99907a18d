"""The single file holds everything, loads nothing, and tells what is missing."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import os
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote

import msgspec
import pytest

from yanli.errors import ScenarioError
from yanli.performance.perform import Performance
from yanli.rehearsal import rehearse
from yanli.render.difference import difference
from yanli.render.page import Compared, Held, Page, make_page, query_of
from yanli.render.page_modules import DEPTH, Web, imports
from yanli.render.staging import stage_json

INDEX = """<!doctype html>
<html lang="zh-Hant">
<head>
<meta charset="utf-8">
<title>演禮</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E">
<link rel="stylesheet" href="web/fonts/fonts.css">
<link rel="stylesheet" href="web/style.css">
<!-- yanli:importmap -->
<!-- yanli:docs -->
<script type="module" src="web/main.js"></script>
</head>
<body></body>
</html>
"""
FILES = {
    "index.html": INDEX,
    "main.js": 'import {a} from "yanli/a.js";\nexport * from "lit";\nconst far = () => import("yanli/depth.js");\n',
    "a.js": "/** @typedef {import('yanli/types.js').X} X */\nimport\n  'lit/two.js'\nexport const a = '</script>禮';\n",
    "depth.js": 'import "three";\n',
    "unused.js": "export {};\n",
    "style.css": ":root { color: black }\n",
    "fonts/fonts.css": '@font-face { font-family: "Yanli Serif"; src: url("serif.woff2") format("woff2") }\n',
    "fonts/serif.woff2": "wOF2",
    "fonts/OFL.txt": "the licence of the font",
    "vendor/importmap.json": json.dumps(
        {"imports": {"lit": "vendor/lit/i.js", "lit/two.js": "vendor/lit/two.js", "three": "vendor/three/t.js"}}
    ),
    "vendor/packages.json": json.dumps(
        [
            {"name": "lit", "version": "3", "licence": "BSD", "text": "vendor/lit/LICENSE"},
            {"name": "three", "version": "1", "licence": "MIT", "text": "vendor/three/LICENSE"},
        ]
    ),
    "vendor/lit/i.js": 'export{x}from"lit/two.js";\n',
    "vendor/lit/two.js": "export const x = 1;\n",
    "vendor/lit/LICENSE": "the licence of lit",
    "vendor/three/t.js": "export {};\n",
    "vendor/three/LICENSE": "the licence of three",
}


def lay(folder: Path, **others: str | None) -> Web:
    """Write a small page; ``others`` instead of some of its files, None for none."""
    for name, text in {**FILES, **others}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is not None:
            path.write_text(text, encoding="utf-8")
    return Web(folder)


class Parts(HTMLParser):
    """What a browser would see of a file: scripts and styles by their attributes, and every address."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[tuple[str, dict[str, str | None], str]] = []
        self.addresses: list[str] = []
        self.policy = ""
        self.handlers: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.addresses += [value or "" for name, value in attrs if name in {"src", "href", "action", "data", "poster"}]
        self.handlers += [name for name, _ in attrs if name.startswith("on") or name == "style"]
        if given.get("http-equiv") == "Content-Security-Policy":
            # Nothing that it speaks of may stand before it.
            assert not self.blocks
            self.policy = given["content"] or ""
        if tag in {"script", "style"}:
            self.blocks.append((tag, given, ""))

    def handle_data(self, data: str) -> None:
        if self.blocks and self.get_starttag_text() and self.cdata_elem:
            tag, given, text = self.blocks[-1]
            self.blocks[-1] = (tag, given, text + data)

    def block(self, **wanted: str) -> str:
        (found,) = [text for _, given, text in self.blocks if wanted.items() <= given.items()]
        return found

    def modules(self) -> dict[str, str]:
        """The texts in the import map."""
        found = {}
        for name, url in json.loads(self.block(type="importmap"))["imports"].items():
            head, _, data = url.partition(",")
            assert head == "data:text/javascript;charset=utf-8;base64"
            found[name] = base64.b64decode(data).decode()
        return found

    def packed(self) -> Any:  # noqa: ANN401 - JSON
        holder = self.block(id="yanli-docs")
        return json.loads(gzip.decompress(base64.b64decode(holder)))


DOC = Held(query="rite=x", doc='{"words": ["禮", "\U0001f4a5", "</script>"]}'.encode())


def small(folder: Path, **others: str | None) -> tuple[Page, Parts]:
    page = make_page([DOC], web=lay(folder, **others))
    return page, Parts(page.html)


# ── a small page ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_module_that_is_wanted_is_inside_under_its_name(tmp_path: Path) -> None:
    _, parts = small(tmp_path)
    assert parts.modules() == {
        "yanli/main.js": FILES["main.js"],
        "yanli/a.js": FILES["a.js"],
        "lit": FILES["vendor/lit/i.js"],
        "lit/two.js": FILES["vendor/lit/two.js"],
    }


def test_nothing_is_loaded(tmp_path: Path) -> None:
    page, parts = small(tmp_path)
    assert all(address.startswith("data:") for address in parts.addresses)
    assert "web/" not in page.html
    assert "url(data:font/woff2;base64,d09GMg==)" in page.html
    assert parts.handlers == []


def test_the_policy_lets_in_what_is_inside_and_nothing_else(tmp_path: Path) -> None:
    _, parts = small(tmp_path)
    policy = {part.split()[0]: part.split()[1:] for part in parts.policy.split(";")}
    assert policy["default-src"] == policy["base-uri"] == policy["form-action"] == ["'none'"]
    assert not set(policy) & {"connect-src", "worker-src", "frame-src", "object-src"}
    assert policy["font-src"] == ["data:"]
    run = [text for tag, given, text in parts.blocks if tag == "script" and given["type"] in {"importmap", "module"}]
    styles = [text for tag, _, text in parts.blocks if tag == "style"]

    def hashes(texts: list[str]) -> set[str]:
        return {f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in texts}

    assert set(policy["script-src"]) == {*hashes(run), "data:"}
    assert set(policy["style-src"]) == hashes(styles)
    assert [tag for tag, given, _ in parts.blocks if tag == "script"] == ["script"] * 4


def test_what_is_held_comes_out_as_it_went_in(tmp_path: Path) -> None:
    _, parts = small(tmp_path)
    packed = parts.packed()
    assert packed == {"docs": [{"query": "rite=x", "doc": json.loads(DOC.doc)}], "differences": [], "offline": True}


def test_notes_that_are_given_come_out_as_they_went_in(tmp_path: Path) -> None:
    web = lay(tmp_path)
    notes = '{"notes": ["禮", "</script>"]}'
    page, plain = make_page([DOC], web=web, notes=notes.encode()), make_page([DOC], web=web)
    held = Parts(page.html).block(id="yanli-notes")
    assert gzip.decompress(base64.b64decode(held)).decode() == notes
    assert Parts(page.html).packed() == Parts(plain.html).packed()
    # Without them nothing speaks of them.
    assert "yanli-notes" not in plain.html
    assert "notes" not in plain.sizes
    assert page.sizes["notes"] == len(held)
    assert sum(page.sizes.values()) == len(page.html.encode())


def test_the_licences_of_what_is_inside_are_inside(tmp_path: Path) -> None:
    _, parts = small(tmp_path)
    told = parts.block(id="yanli-licences")
    assert "the licence of lit" in told
    assert "the licence of the font" in told
    assert "the licence of three" not in told


def test_the_parts_make_up_the_whole(tmp_path: Path) -> None:
    page, _ = small(tmp_path)
    assert sum(page.sizes.values()) == len(page.html.encode())
    assert make_page([DOC], web=Web(tmp_path)).html == page.html


@pytest.mark.parametrize(
    ("others", "told"),
    [
        ({"index.html": None}, "index.html"),
        ({"vendor/importmap.json": None}, "no vendor/importmap.json"),
        ({"vendor/importmap.json": "[]"}, "importmap.json"),
        ({"vendor/packages.json": "{"}, "packages.json"),
        ({"fonts/serif.woff2": None}, "serif.woff2"),
        ({"vendor/lit/LICENSE": None}, "LICENSE"),
        ({"a.js": None}, "'yanli/a.js', which is not there"),
        ({"a.js": 'import "./b.js";'}, "'./b.js', which is no bare name"),
        ({"a.js": 'import "https://example.org/x.js";'}, "example.org"),
        ({"a.js": 'import "three";'}, "three is imported at once"),
        ({"a.js": 'import "yanli/depth.js";'}, "yanli/depth.js is imported at once"),
        ({"index.html": INDEX.replace("<!-- yanli:docs -->", "")}, "yanli:docs"),
        ({"index.html": INDEX.replace("<!-- yanli:importmap -->", "<!-- yanli:importmap -->" * 2)}, "2 times"),
        ({"index.html": INDEX.replace("<body>", '<body><img src="web/x.png">')}, "web/x.png"),
        ({"index.html": INDEX.replace("<body>", "<body><script src=//example.org/x.js></script>")}, "example.org"),
        ({"style.css": 'a { background: url("x.gif") }'}, "x.gif"),
        ({"style.css": "a { background: url(https://example.org/x.png) }"}, "example.org"),
        ({"style.css": '@import "x.css";'}, "@import"),
        ({"style.css": "</style>"}, "</style"),
    ],
)
def test_a_page_that_cannot_stand_alone_is_told(tmp_path: Path, others: dict[str, str | None], told: str) -> None:
    with pytest.raises(ScenarioError, match=re.escape(told)) as fault:
        small(tmp_path, **others)
    assert {finding.code for finding in fault.value.findings} == {"page-not-built"}


@pytest.mark.parametrize(
    ("source", "now", "later"),
    [
        ('import "a";', ["a"], []),
        ("import 'a'", ["a"], []),
        ('import x from "a";import{y as z}from"b";export*from"c";export{d}from"d";', ["a", "b", "c", "d"], []),
        ('import * as x from "a"\nexport {\n  y,\n  z\n} from "b"', ["a", "b"], []),
        ("const x = await import(\"a\"), y = () => import( 'b' );", [], ["a", "b"]),
        ('export const from = "a"; const s = `import "b"`;', [], []),
        ('/** @type {import("a").B} */\nlet x; // from "b"\n', [], []),
        ('/**\n * import "a";\n */\nimport "b";', ["b"], []),
        ("export default class {}", [], []),
    ],
)
def test_imports_are_read(source: str, now: list[str], later: list[str]) -> None:
    assert imports(source) == (now, later)


# ── the true page ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def built() -> Web:
    """The page that comes with Yanli, if it was built."""
    web = Web()
    if missing := web.missing():
        lacks = f"the page is not built: no {', '.join(missing)}; run `make web`"
        if os.environ.get("CI", "").lower() in {"1", "true", "yes"}:
            pytest.fail(lacks, pytrace=False)
        pytest.skip(lacks)
    return web


@pytest.fixture(scope="module")
def whole(built: Web, performance: Performance, rival: Performance) -> tuple[Page, Parts]:
    """Two performances and what differs, in one file."""
    docs = [Held(query=query_of(each), doc=stage_json(each)) for each in (performance, rival)]
    found = difference(performance, rival)
    page = make_page(docs, [Compared(query=docs[0].query, against=docs[1].query, difference=found)], built)
    return page, Parts(page.html)


def test_the_file_holds_the_same_events(whole: tuple[Page, Parts], performance: Performance) -> None:
    doc = whole[1].packed()["docs"][0]["doc"]
    assert len(doc["events"]) == len(performance.events)
    for row, event in zip(doc["events"], performance.events, strict=True):
        data = performance.data(event)
        info = doc["infos"][row["info"]]
        assert doc["words"][doc["people"][row["actor"]]["name"]] == data.actor
        assert (doc["words"][info["verb"]], info["origin"], info["times"]) == (data.verb, data.origin, data.times)
        assert doc["clauses"][row["clause"]]["id"] == data.clause
        assert [row["start"], row["end"]] == pytest.approx([data.start, data.end], abs=0.006)


def test_the_file_holds_both_and_what_differs(
    whole: tuple[Page, Parts], performance: Performance, rival: Performance
) -> None:
    packed = whole[1].packed()
    assert [each["doc"] for each in packed["docs"]] == [json.loads(stage_json(each)) for each in (performance, rival)]
    (found,) = packed["differences"]
    assert [found["query"], found["against"]] == [each["query"] for each in packed["docs"]]
    assert found["difference"] == json.loads(msgspec.json.encode(difference(performance, rival)))


def test_the_file_loads_nothing(whole: tuple[Page, Parts]) -> None:
    page, parts = whole
    assert all(address.startswith("data:") for address in parts.addresses)
    assert parts.handlers == []
    styles = "".join(text for tag, _, text in parts.blocks if tag == "style")
    assert set(re.findall(r"url\((\w+:)?", styles)) == {"data:"}
    # Beside names of XML and remarks on whose a library is, no module speaks of an address.
    for name, text in parts.modules().items():
        assert not re.findall(r"""(?:fetch|import|Worker|WebSocket|src\s*=)\s*\(?\s*["'`]\w*:?//""", text), name
    assert "default-src 'none'" in parts.policy
    assert "connect-src" not in parts.policy
    assert len(page.html) > 1_000_000


def test_the_view_in_depth_is_not_inside(whole: tuple[Page, Parts]) -> None:
    assert not [name for name in whole[1].modules() if name.startswith(DEPTH)]


def test_one_performance_is_under_three_megabytes(built: Web, performance: Performance) -> None:
    page = make_page([Held(query=query_of(performance), doc=stage_json(performance))], web=built)
    assert len(page.html.encode()) < 3_000_000
    assert page.unshown == ""


def test_what_the_font_lacks_is_told(built: Web) -> None:
    page = make_page([Held(query="", doc='{"words": ["禮", "🀄", "𪚥"]}'.encode())], web=built)
    assert set(page.unshown) == {"🀄", "𪚥"}


@pytest.mark.parametrize(
    ("asked", "query"),
    [
        ({}, "rite=xiangshe"),
        (
            {"sets": ["眾耦=1", "大夫=2"], "school": "敖繼公", "readings": ["戒服=鄭玄"]},
            "rite=xiangshe&set=大夫=2&set=眾耦=1&school=敖繼公&reading=戒服=鄭玄",
        ),
    ],
)
def test_a_query_asks_for_its_performance(asked: dict[str, Any], query: str) -> None:
    told = query_of(rehearse("xiangshe", **asked))
    assert unquote(told) == query
    assert sorted(parse_qsl(told)) == sorted(tuple(part.split("=", 1)) for part in query.split("&"))
