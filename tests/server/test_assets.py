"""The page's files come from a list, and from nowhere else."""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.server.asking import House

from yanli.server.app import make_app
from yanli.server.limits import Limits

INDEX = """<!doctype html>
<meta charset="utf-8">
<link rel="stylesheet" href="web/style.css">
<!-- yanli:importmap -->
<!-- yanli:docs -->
<script type="module" src="web/main.js"></script>
"""


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of a few files, with some beside it that are nobody's business."""
    root = tmp_path_factory.mktemp("page")
    folder = root / "web"
    for name, text in {
        "index.html": INDEX,
        "main.js": "export const words = '禮';\n" * 50,
        "style.css": "body { color: black }\n",
        "vendor/importmap.json": '{"imports": {"lit": "vendor/lit/index.js", "</script>": "vendor/x.js"}}',
        "vendor/lit/index.js": "export {};",
        "vendor/lit/LICENSE": "Do what you will.",
        "fonts/fonts.css": "",
        "notes.py": "secret = 1",
        ".env": "secret",
        "secret.pem": "secret",
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "fonts" / "serif.woff2").write_bytes(b"wOF2" + bytes(200))
    (root / "outside.js").write_text("secret", encoding="utf-8")
    (folder / "link.js").symlink_to(root / "outside.js")
    (folder / "inside.js").symlink_to(folder / "main.js")
    return folder


@pytest.fixture(scope="module")
def page(web: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    found = House(make_app(Limits(seconds=100), web=web, store=tmp_path_factory.mktemp("stage")))
    yield found
    found.close()


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("main.js", "text/javascript; charset=utf-8"),
        ("style.css", "text/css; charset=utf-8"),
        ("vendor/importmap.json", "application/json"),
        ("fonts/serif.woff2", "font/woff2"),
        ("vendor/lit/LICENSE", "text/plain; charset=utf-8"),
        ("inside.js", "text/javascript; charset=utf-8"),
    ],
)
def test_a_file_comes_as_what_it_is(page: House, web: Path, path: str, kind: str) -> None:
    plain = page.get(f"/web/{path}")
    assert (plain.status, plain.headers["content-type"]) == (200, kind)
    assert plain.body == (web / path).read_bytes()
    assert page.get(f"/web/{path}", accept_encoding="br, gzip").plain() == plain.body
    assert page.get(f"/web/{path}", method="HEAD").status == 200


def test_what_is_text_is_compressed(page: House) -> None:
    answer = page.get("/web/main.js", accept_encoding="gzip")
    assert answer.headers["content-encoding"] == "gzip"
    assert len(answer.body) < len(gzip.decompress(answer.body)) / 5
    assert "content-encoding" not in page.get("/web/main.js", accept_encoding="gzip;q=0").headers
    assert "content-encoding" not in page.get("/web/fonts/serif.woff2", accept_encoding="gzip").headers


TRICKS = [
    "/web/../outside.js", "/web/..%2foutside.js", "/web/%2e%2e/outside.js", "/web/%2e%2e%2foutside.js",
    "/web/..%5coutside.js", "/web/....//outside.js", "/web/..%252foutside.js", "/web/%252e%252e/outside.js",
    "/web/..%c0%afoutside.js", "/web/%c0%ae%c0%ae/outside.js", "/web/.%00./outside.js", "/web/main.js%00.css",
    "/web//etc/passwd", "/web//main.js", "/web/./main.js", "/web/main.js/", "/web/main.js/.", "/web/vendor/../main.js",
    "/web/vendor", "/web/vendor/", "/web/", "/web", "/web/MAIN.JS", "/web/main.js ", "/web/main.js.",
    "/web/main.js::$DATA",
    "/web/notes.py", "/web/.env", "/web/secret.pem", "/web/link.js", "/web/~root", "/web/C:/windows/win.ini",
    "/web/file:///etc/passwd", "/web/http://example.org/", "/web/%ff", "/web/%", "/web/%zz", "/web/\u202emain.js",
    "/outside.js", "//web/main.js", "/web/%2e", "/web/main.js;a=b", "/web/＊", "/WEB/main.js", "/proc/self/environ",
]  # fmt: skip


@pytest.mark.parametrize("path", TRICKS)
def test_no_path_leads_anywhere_else(page: House, path: str) -> None:
    answer = page.get(path)
    assert answer.status == 404
    assert answer.error()["code"] in {"no-file", "no-such-path"}
    assert b"secret" not in answer.body


def test_what_one_has_is_not_sent_again(page: House) -> None:
    for path in ("/", "/web/main.js", "/openapi.json"):
        first = page.get(path)
        again = page.get(path, if_none_match=f'"other", {first.headers["etag"]}')
        assert (again.status, again.body) == (304, b"")
        assert again.headers["etag"] == first.headers["etag"]
        assert page.get(path, if_none_match='"other"').status == 200


def test_a_file_that_changes_is_sent_anew(page: House, web: Path) -> None:
    before = page.get("/web/style.css")
    (web / "style.css").write_text("body { color: red }\n", encoding="utf-8")
    after = page.get("/web/style.css", if_none_match=before.headers["etag"])
    assert (after.status, after.body) == (200, b"body { color: red }\n")


def test_a_file_that_goes_is_not_there(page: House, web: Path) -> None:
    path = web / "inside.js"
    path.unlink()
    assert page.get("/web/inside.js").status == 404
    path.symlink_to(web / "main.js")


def test_the_page_allows_its_import_map_and_nothing_else_inline(page: House) -> None:
    answer = page.get("/")
    assert (answer.status, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    html = answer.body.decode()
    (text,) = re.findall(r'<script type="importmap">(.*?)</script>', html, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    policy = dict(part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";"))
    assert policy["script-src"] == f"'self' 'sha256-{digest}'"
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert '"yanli/":"/web/"' in text
    assert '"lit":"/web/vendor/lit/index.js"' in text
    assert "yanli:importmap" not in html
    assert "yanli:docs" not in html


def test_the_page_names_the_modules_that_it_will_want(page: House, web: Path) -> None:
    def named() -> list[str]:
        return re.findall(r'<link rel="modulepreload" href="([^"]+)">', page.get("/").body.decode())

    before = named()
    text = (web / "main.js").read_text(encoding="utf-8")
    (web / "main.js").write_text(f'import {{}} from "lit";\n{text}', encoding="utf-8")
    assert (before, named()) == (["/web/main.js"], ["/web/vendor/lit/index.js", "/web/main.js"])
    assert all(page.get(path).status == 200 for path in named())
    (web / "main.js").write_text(f'import "yanli/nowhere.js";\n{text}', encoding="utf-8")
    answer = page.get("/")
    assert (answer.status, "yanli/nowhere.js" in answer.error()["cause"]) == (503, True)
    (web / "main.js").write_text(text, encoding="utf-8")


def test_a_page_that_is_not_built_says_how(tmp_path: Path) -> None:
    house = House(make_app(Limits(seconds=100), web=tmp_path, store=tmp_path / "stage"))
    try:
        answer = house.get("/")
        assert answer.status == 503
        assert "make web" in answer.error()["known"]
        assert house.get("/api/health").status == 200
    finally:
        house.close()
