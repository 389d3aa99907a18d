"""What is shipped is whole: page, its short form, libraries, fonts, licences; and what is pinned names no host."""

import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

import vendor as libraries

ROOT = Path(__file__).resolve().parents[2]
WEB = "yanli/web"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory, vendor: Path, fonts: Path, lean: Path) -> set[str]:
    """The names of all files in a wheel that is built from this tree."""
    assert vendor.is_dir()
    assert fonts.is_dir()
    assert lean.is_dir()
    folder = tmp_path_factory.mktemp("wheel")
    (path,) = WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])
    with zipfile.ZipFile(path) as opened:
        return set(opened.namelist())


def test_the_wheel_has_every_module_that_the_page_imports(wheel: set[str], vendor: Path) -> None:
    imports = json.loads((vendor / "importmap.json").read_text(encoding="utf-8"))["imports"]
    assert {"lit", "lit-html", "@lit/reactive-element", "lit-element/lit-element.js", "three"} <= set(imports)
    assert "three/addons/controls/OrbitControls.js" in imports
    assert not sorted(path for path in imports.values() if f"{WEB}/{path}" not in wheel)
    assert {f"{WEB}/vendor/importmap.json", f"{WEB}/vendor/packages.json"} <= wheel


def test_the_wheel_has_the_page_of_this_tree(wheel: set[str]) -> None:
    ours = {path.name for path in (ROOT / "src" / WEB).iterdir() if path.is_file()}
    assert "types.js" in ours
    assert {f"{WEB}/{name}" for name in ours} <= wheel


def test_the_wheel_has_the_page_as_readers_get_it(wheel: set[str], lean: Path) -> None:
    record = json.loads((lean / "lean.json").read_text(encoding="utf-8"))
    assert {"main.js", "app.js", "depth.js", "style.css"} <= set(record)
    assert {f"{WEB}/lean/{name}" for name in (*record, "lean.json")} <= wheel


def test_the_wheel_has_the_fonts_and_every_licence(wheel: set[str], vendor: Path, fonts: Path) -> None:
    assert {f"{WEB}/fonts/{path.name}" for path in fonts.iterdir()} <= wheel
    assert {name for name in wheel if name.endswith(".woff2")}
    assert f"{WEB}/fonts/OFL.txt" in wheel
    packages = json.loads((vendor / "packages.json").read_text(encoding="utf-8"))
    assert {package["name"] for package in packages} >= {"lit", "lit-html", "lit-element", "three"}
    for package in packages:
        assert f"{WEB}/{package['text']}" in wheel
        text = (vendor.parent / package["text"]).read_text(encoding="utf-8")
        assert {"MIT": "Permission is hereby granted", "BSD-3-Clause": "Neither the name"}[package["licence"]] in text


def test_the_wheel_has_nothing_that_only_builds(wheel: set[str]) -> None:
    tops = {name.partition("/")[0] for name in wheel}
    assert tops == {"yanli", next(top for top in tops if top.endswith(".dist-info"))}
    assert not [name for name in wheel if "node_modules" in name or name.endswith((".ttf", ".map", ".d.ts"))]


@pytest.mark.usefixtures("vendor", "fonts", "lean")
def test_the_archive_of_sources_has_what_was_built_and_what_builds_it(tmp_path: Path) -> None:
    import tarfile

    (path,) = SdistBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    with tarfile.open(path) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    assert {"package-lock.json", "tools/vendor.py", "tools/fonts.toml", "tools/lean.py", "Makefile"} <= names
    assert {"tsconfig.json", "biome.json", "package.json", "hatch_build.py"} <= names
    assert {f"src/{WEB}/vendor/importmap.json", f"src/{WEB}/fonts/fonts.css", f"src/{WEB}/lean/lean.json"} <= names
    assert not [name for name in names if name.startswith("node_modules")]


@pytest.fixture
def pageless(tmp_path: Path) -> Path:
    """A copy of the tree as it is before `make web`."""
    copy = tmp_path / "tree"
    built = shutil.ignore_patterns("__pycache__", "vendor", "fonts", "lean")
    shutil.copytree(ROOT / "src", copy / "src", ignore=built)
    shutil.copytree(ROOT / "LICENSES", copy / "LICENSES")
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy / name)
    return copy


@pytest.mark.parametrize("target", ["wheel", "sdist"])
def test_nothing_is_shipped_before_the_page_is_built(target: str, pageless: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", target]
    run = subprocess.run(command, cwd=pageless, capture_output=True, encoding="utf-8", check=False)
    assert run.returncode == 1
    assert "make web" in run.stderr
    assert "vendor/importmap.json, fonts/fonts.json, lean/lean.json not found" in run.stderr
    assert "Traceback" not in run.stderr
    assert not list(pageless.rglob("*.whl"))
    assert not list(pageless.rglob("*.tar.gz"))


def test_who_develops_needs_no_page(pageless: Path, tmp_path: Path) -> None:
    hook = WheelBuilder(str(pageless)).get_build_hooks(str(tmp_path))["custom"]
    hook.initialize("editable", {})
    with pytest.raises(SystemExit):
        hook.initialize("standard", {})


def test_the_lock_pins_every_package_and_names_no_host() -> None:
    text = (ROOT / "package-lock.json").read_text(encoding="utf-8")
    assert "resolved" not in text
    packages = {name: about for name, about in json.loads(text)["packages"].items() if name}
    assert {"node_modules/lit", "node_modules/three", "node_modules/typescript"} <= set(packages)
    assert "node_modules/esbuild" in packages
    assert not [name for name, about in packages.items() if not about.get("integrity", "").startswith("sha512-")]
    for path in (ROOT / "requirements").iterdir():
        assert "://" not in path.read_text(encoding="utf-8"), path.name


def test_no_module_of_a_library_imports_by_a_path(vendor: Path) -> None:
    imports = json.loads((vendor / "importmap.json").read_text(encoding="utf-8"))["imports"]
    modules = sorted(vendor.rglob("*.js"))
    assert {f"vendor/{path.relative_to(vendor).as_posix()}" for path in modules} == set(imports.values())
    for path in modules:
        names = {found["name"] for found in libraries.IMPORT.finditer(path.read_text(encoding="utf-8"))}
        assert names <= set(imports), path.name


def test_every_import_of_ours_leads_to_a_module_that_is_shipped(vendor: Path) -> None:
    imports = json.loads((vendor / "importmap.json").read_text(encoding="utf-8"))["imports"]
    web = ROOT / "src" / WEB
    lost = []
    for path in sorted(web.glob("*.js")):
        text = path.read_text(encoding="utf-8")
        for name in re.findall(r"""(?:\bfrom|\bimport)\s*\(?\s*["']([\w@./-]+)["']""", text):
            ours = name.startswith("yanli/")
            there = (web / name.removeprefix("yanli/")).is_file() if ours else name in imports
            if not there:
                lost.append(f"{path.name}: {name}")
    assert not lost


def test_a_relative_import_is_made_bare_and_what_it_leads_to_is_laid(tmp_path: Path) -> None:
    for package, files in {
        "one": {
            "index.js": 'import"two";export{a}from"./deep/a.js";\n',
            "deep/a.js": "export const a = 'from \"./no.js\"';",
        },
        "two": {"main.js": "import * as one from 'one';\n//# sourceMappingURL=main.js.map\n"},
    }.items():
        for file, text in files.items():
            (tmp_path / package / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / package / file).write_text(text, encoding="utf-8")
    (tmp_path / "one" / "package.json").write_text('{"exports": {".": {"types": "./x", "default": "./index.js"}}}')
    (tmp_path / "two" / "package.json").write_text('{"exports": {".": "./main.js"}}')
    names, texts = libraries.gathered(tmp_path, ("one",))
    assert names == {"one": "one/index.js", "one/deep/a.js": "one/deep/a.js", "two": "two/main.js"}
    assert texts["one/index.js"] == 'import"two";export{a}from"one/deep/a.js";\n'
    assert texts["one/deep/a.js"] == "export const a = 'from \"./no.js\"';"
    assert texts["two/main.js"] == "import * as one from 'one';\n"


def test_a_library_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(libraries.VendorError, match=r"lit/html\.js: the package lit is not in .*make web"):
        libraries.resolved("lit/html.js", tmp_path)
    (tmp_path / "lit").mkdir()
    (tmp_path / "lit" / "package.json").write_text('{"exports": {"./html.js": "./html.js"}}')
    with pytest.raises(libraries.VendorError, match=r"lit/htm\.js: lit has no such module"):
        libraries.resolved("lit/htm.js", tmp_path)
    with pytest.raises(libraries.VendorError, match=r"lit has no licence file"):
        libraries.licence_of("lit", tmp_path)
