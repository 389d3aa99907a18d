"""The page's own code is small for those who get it, is what was written, and is never older than what was written."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest
from tests.server.asking import House, process

import lean as builder
from yanli.render.page import make_page
from yanli.render.page_modules import Web, lean_form
from yanli.server.app import make_app
from yanli.server.assets import Assets
from yanli.server.limits import Limits

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
# What the page may weigh without the view in depth, in bytes, before any compression: modules, style and frame.
LIMIT = 200_000
OURS = "yanli/"

WRITTEN = "/** Says a word. */\nexport const word = (name) => {\n  return `禮 ${name}`;\n};\n"
SHORT = "export const word=a=>`禮 ${a}`;\n"
CHANGED = "export {};\n"
# As the command sha256sum tells it.
MARKS = {
    WRITTEN: "858ac5db6303f0c7e4955004ad118f7de59d2e8e24d9f5f880b3409ef3f57771",
    CHANGED: "8e609bb71c20b858c77f0e9f90bb1319db8477b13f9f965f1a1e18524bf50881",
}


def node() -> str:
    """Node, of this environment or of the path; a test without it is skipped, and fails where all must be tested."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    found = shutil.which("node", path=path)
    return found if found is not None else lack("Node is not there; run make web")


def lack(what: str) -> str:
    if os.environ.get("CI", "").lower() in {"1", "true", "yes"}:
        pytest.fail(what, pytrace=False)
    pytest.skip(what)


def record(web: Path, source: str) -> None:
    """Write down of which source the short form of the one module was made."""
    (web / "lean" / "lean.json").write_text(json.dumps({"word.js": MARKS[source]}), encoding="utf-8")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory, vendor: Path, fonts: Path) -> Path:
    """The page as it is written now, with what is made of it now."""
    try:
        builder.programme()
    except builder.LeanError as fault:
        lack(str(fault))
    web = tmp_path_factory.mktemp("page") / "web"
    web.mkdir()
    # For node: what lies below it are modules.
    (web.parent / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    for path in (ROOT / "src" / "yanli" / "web").iterdir():
        if path.is_file():
            shutil.copyfile(path, web / path.name)
    (web / "vendor").symlink_to(vendor)
    (web / "fonts").symlink_to(fonts)
    builder.lay(web / "lean", web)
    return web


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A page of one module, with its short form written by hand."""
    web = tmp_path / "web"
    (web / "lean").mkdir(parents=True)
    (web / "word.js").write_text(WRITTEN, encoding="utf-8")
    (web / "lean" / "word.js").write_text(SHORT, encoding="utf-8")
    record(web, WRITTEN)
    return web


# ── how much it is ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_all_that_the_page_loads_of_its_own_is_small(page: Path) -> None:
    sent = {name: text for name, text in Web(page).modules().items() if name.startswith(OURS)}
    assert {"yanli/main.js", "yanli/app.js", "yanli/plan.js", "yanli/interface.js"} <= set(sent)
    assert not [name for name in sent if name.startswith("yanli/depth") or name == "yanli/types.js"]
    sizes = {name: len(text.encode()) for name, text in sent.items()}
    sizes |= {name: len(Web(page).data(name)) for name in ("style.css", "index.html")}
    told = "、".join(f"{name} {size}" for name, size in sorted(sizes.items(), key=lambda each: -each[1])[:12])
    assert sum(sizes.values()) < LIMIT, f"{sum(sizes.values())} bytes; the heaviest: {told}"


def test_what_is_sent_is_much_shorter_than_what_is_written(page: Path) -> None:
    short, written = (Web(page, source=source).modules() for source in (False, True))
    assert set(short) == set(written)
    for name in written:
        if name.startswith(OURS):
            assert len(short[name]) < len(written[name]), name
            assert "/**" not in short[name], name
        else:
            assert short[name] == written[name], name


# ── that it is the same ─────────────────────────────────────────────────────────────────────────────────────────────


def test_every_short_module_is_one_and_exports_what_the_written_one_does(page: Path) -> None:
    names = sorted(path.name for path in page.glob("*.js"))
    assert {path.name for path in (page / "lean").glob("*.js")} == set(names)
    # The first module begins at once and needs a browser; that it can be read is all that can be seen here.
    subprocess.run([node(), "--check", page / "lean" / "main.js"], check=True)
    asked = [f"{OURS}{name}" for name in names if name != "main.js"]
    found = []
    for folder in (page, page / "lean"):
        told = subprocess.run(
            [node(), "--no-warnings", "--import", HERE.joinpath("resolve.mjs").as_uri(), HERE / "exports.mjs", *asked],
            env={**os.environ, "YANLI_PAGE": str(folder)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert told.returncode == 0, told.stderr
        found.append(json.loads(told.stdout))
    written, short = found
    assert {"Timeline"} <= set(written["yanli/timeline.js"])
    assert short == written


def test_styles_in_modules_are_shortened_where_they_are_whole() -> None:
    source = (
        "export const a = css`\n  :host { color: red; }\n  b { margin: 0px; }\n`;\n"
        "export const b = css`c { width: ${wide}; }`, c = scss`d { e: f; }`, d = html`<b>  css  </b>`;\n"
        'export const e = css`f::before { content: "禮"; }`;\n'
    )
    short = builder.styles_shortened({"x.js": source.encode()})["x.js"].decode()
    assert "css`:host{color:red}b{margin:0}`" in short
    assert 'css`f:before{content:"禮"}`' in short
    assert "css`c { width: ${wide}; }`, c = scss`d { e: f; }`, d = html`<b>  css  </b>`" in short


def test_templates_and_drawings_lose_what_a_browser_does_not_ask_for() -> None:
    lean = builder.tightened(
        b'const a=h`<p class="x-y" title="of two" id="${b}">\n   <i lang="en">c</i></p>`,d=h`<li>${e}</li>`;'
        b'f("M0 9 V-9 L8 -6 Z");g="M of 1 -1";k(`<b x="1"/>`)',
        module=True,
    ).decode()
    assert 'h`<p class=x-y title="of two" id="${b}">\n<i lang=en>c</i>`' in lean
    assert "h`<li>${e}`" in lean
    listed = b"h`<dl><div><dt>a</dt><dd>b</dd></div></dl><p>c</p><p>d</p>e<ul><li>f</li> <li>g</li></ul>`"
    assert (
        builder.tightened(listed, module=True)
        == b"h`<dl><div><dt>a<dd>b</div></dl><p>c<p>d</p>e<ul><li>f</li> <li>g</ul>`"
    )
    # In a drawing, blanks between numbers stay, but for that before a minus; what is no drawing stays as it is.
    assert 'f("M0 9V-9L8-6Z")' in lean
    assert 'g="M of 1 -1"' in lean
    assert '`<b x="1"/>`' in lean
    style = builder.tightened(b':root{--a: rgb(1, 2, 3);--b: "c, d";--e: f}g{h:i}', module=False)
    assert style == b':root{--a:rgb(1,2,3);--b: "c, d";--e:f}g{h:i}'


def numbers(way: str) -> list[str]:
    """A path's letters and numbers, one after another, as a browser reads them."""
    return re.findall(r"[A-Za-z]|[-+]?(?:\d+\.?\d*|\.\d+)", way)


def test_a_drawing_that_lost_blanks_is_the_same_drawing(page: Path) -> None:
    ways = [
        [
            found
            for path in sorted(folder.glob("*.js"))
            for found in re.findall(r'"(M[-\d. A-Za-z]*)"', path.read_text())
        ]
        for folder in (page, page / "lean")
    ]
    drawn = [[numbers(way) for way in found if builder.PATH.fullmatch(f'"{way}"'.encode())] for found in ways]
    assert len(drawn[0]) > 40
    # The order of what is in a module is the compiler's.
    assert sorted(drawn[0]) == sorted(drawn[1])
    assert sum(map(len, ways[1])) < sum(map(len, ways[0]))


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("x.js", "export const a = ;\n", "x.js:1:17"),
        ("x.css", "a { color: red; } }\n", "x.css:1:18"),
        ("x.js", "export const a = css`b { c: d; } }`;\n", "x.js.0.css:1:12"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place_and_nothing_is_written(
    tmp_path: Path, page: Path, name: str, text: str, place: str
) -> None:
    shutil.copytree(page / "lean", tmp_path / "lean")
    before = {path.name: path.read_bytes() for path in (tmp_path / "lean").iterdir()}
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(builder.LeanError, match=place):
        builder.lay(tmp_path / "lean", tmp_path)
    assert {path.name: path.read_bytes() for path in (tmp_path / "lean").iterdir()} == before


def test_without_esbuild_it_is_told_what_installs_it(tmp_path: Path) -> None:
    with pytest.raises(builder.LeanError, match="make web"):
        builder.programme(tmp_path)


# ── that it is never stale ──────────────────────────────────────────────────────────────────────────────────────────


def test_the_short_form_is_taken_exactly_where_it_is_of_the_source_there(small: Path) -> None:
    assert Web(small).read("word.js") == SHORT
    assert Web(small, source=True).read("word.js") == WRITTEN
    (small / "word.js").write_text(WRITTEN + "\n", encoding="utf-8")
    assert Web(small).read("word.js") == WRITTEN + "\n"
    (small / "word.js").write_text(WRITTEN, encoding="utf-8")
    assert Web(small).read("word.js") == SHORT


@pytest.mark.parametrize(
    "record", [None, "", "[]", '{"word.js": 1}', '{"word.js": "0"}', '{"other.js": "0"}', "\udcff"]
)
def test_without_a_sound_record_the_source_is_taken(small: Path, record: str | None) -> None:
    path = small / "lean" / "lean.json"
    if record is None:
        path.unlink()
    else:
        path.write_text(record, encoding="utf-8", errors="surrogateescape")
    assert lean_form(small, "word.js", WRITTEN.encode()) == WRITTEN.encode()


def test_without_the_short_file_the_source_is_taken(small: Path) -> None:
    (small / "lean" / "word.js").unlink()
    assert Web(small).read("word.js") == WRITTEN


def test_a_building_that_is_broken_off_leaves_no_record_of_other_files(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(page, tmp_path / "web", symlinks=True)
    (tmp_path / "web" / "main.js").write_text("export {};\n", encoding="utf-8")

    def broken(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(builder, "fill", broken)
    with pytest.raises(KeyboardInterrupt):
        builder.lay(tmp_path / "web" / "lean", tmp_path / "web")
    assert not (tmp_path / "web" / "lean" / "lean.json").exists()
    assert Web(tmp_path / "web").modules() == Web(tmp_path / "web", source=True).modules()


def test_the_server_sends_what_is_short_until_the_source_is_changed(small: Path, tmp_path: Path) -> None:
    house = House(make_app(Limits(seconds=100), web=small, store=tmp_path / "stage"))
    plain = House(make_app(Limits(seconds=100), web=small, store=tmp_path / "stage", source=True))
    try:
        first = house.get("/web/word.js")
        assert (first.body.decode(), first.headers["content-type"]) == (SHORT, "text/javascript; charset=utf-8")
        assert plain.get("/web/word.js").body.decode() == WRITTEN
        (small / "word.js").write_text(CHANGED, encoding="utf-8")
        then = house.get("/web/word.js", if_none_match=first.headers["etag"])
        assert (then.status, then.body) == (200, CHANGED.encode())
        # Made short again, with the server running.
        (small / "lean" / "word.js").write_text("export{};\n", encoding="utf-8")
        record(small, CHANGED)
        assert house.get("/web/word.js").body == b"export{};\n"
    finally:
        house.close()
        plain.close()


def test_who_would_read_the_code_gets_it_as_it_was_written(lean: Path) -> None:
    written = (lean.parent / "draw.js").read_bytes()
    if lean_form(lean.parent, "draw.js", written) == written:
        lack("web/lean is not of the sources there; run make web")
    with process("--source") as (_, address, _), urlopen(f"{address}/web/draw.js") as answer:  # noqa: S310 - our own
        assert answer.read() == written


def test_a_short_form_that_leads_out_of_the_page_is_not_sent(small: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.js").write_text("secret", encoding="utf-8")
    (small / "lean" / "word.js").unlink()
    (small / "lean" / "word.js").symlink_to(tmp_path / "outside.js")
    found = Assets(small).get("word.js")
    assert found is not None
    assert found.body == WRITTEN.encode()


def test_the_single_file_holds_what_is_short_until_the_source_is_changed(page: Path, tmp_path: Path) -> None:
    web = tmp_path / "web"
    shutil.copytree(page, web, symlinks=True)
    short, written = (make_page([], web=Web(web, source=source)) for source in (False, True))
    assert short.sizes["code"] < written.sizes["code"] * 0.7
    for path in web.glob("*.*"):
        if path.suffix in builder.KINDS:
            path.write_bytes(path.read_bytes() + b"\n")
    changed = make_page([], web=Web(web))
    assert changed.html == make_page([], web=Web(web, source=True)).html
