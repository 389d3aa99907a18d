"""Write the page's own code in the form in which readers get it: without its comments, its names and blanks short.

Comes in: our modules and our style, ``src/yanli/web/*.js`` and ``*.css``. Goes out, in ``src/yanli/web/lean/``: each of
them by itself, as esbuild writes it (no module is put into another; what a module exports and imports keeps its name),
and ``lean.json``, which says of which source each was made (name -> SHA-256 of the source). What serves the page takes
a lean file only where the source is still that one, so nobody has to build anything to see what he has changed.

The style sheets within modules (Lit's ``css``) are shortened as style sheets; templates lose the margins of lines and
the quotes and ends that HTML does not ask for, paths of drawings the blanks that they need not have.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from folder import as_json, fill

ROOT = Path(__file__).resolve().parents[1]
ESBUILD = ROOT / "node_modules" / "@esbuild"  # in it, the programme itself for the machine at hand
WEB = ROOT / "src" / "yanli" / "web"
LEAN = WEB / "lean"
RECORD = "lean.json"
KINDS = (".css", ".js")
# As a bundle a module becomes shorter, though nothing goes into it: all that it imports is left where it is.
# The settings for checking types are not for writing: `strict` there would put "use strict" before every module.
HOW = (
    "--bundle", "--packages=external", "--minify", "--charset=utf8", "--format=esm", "--target=esnext",
    "--legal-comments=none", "--tsconfig-raw={}", "--log-level=warning", "--log-override:css-syntax-error=error",
    "--color=false",
)  # fmt: skip
# In a short module lines end within templates only; to a browser such an end and the margin after it are one blank.
MARGIN = re.compile(rb"\n +")
# An attribute in a template whose value is one word. Outside of templates no blank stands before what looks so.
QUOTED = re.compile(rb'(?<=[ \n])([a-z-]+=)"([\w.-]+)"(?=[ >\n])')
# A string that is a path of a drawing, and the blanks in it before and behind a letter and before a minus sign.
PATH = re.compile(rb'"M[-\d. MLHVCSQTAZmlhvcsqtaz]*"')
LOOSE = re.compile(rb"(?<=[\d.Zz]) (?=[-A-Za-z])|(?<=[A-Za-z]) (?=[-\d.])")
# The end of an element at the end of its template, or before what ends it, where HTML takes the end for granted.
ENDED = re.compile(
    rb"</(?:li|option|p|dd)>(?=`)|</(?:li|dd)>(?=</[uod]l|</div|<li)|</option>(?=</select)|</dt>(?=<dd)"
    rb"|</td>(?=<td|</tr)|</tr>(?=</tbody)|</tbody>(?=</table)|</p>(?=</div|<p|<dl|<h3)"
)
# The value of a custom property, of which esbuild leaves the blanks before it and behind its commas.
CUSTOM = re.compile(rb"--[\w-]+: [^;}\"']+")
# A style sheet in a module. One with slots or escapes is left alone: it is whole only when the page runs.
STYLE = re.compile(r"(?<![\w$.])css`(?P<style>[^`\\$]*)`")


class LeanError(Exception):
    """What hindered it, as esbuild says it."""


def programme(folder: Path = ESBUILD) -> Path:
    """Where esbuild is; LeanError where npm has not installed it."""
    found = [*folder.glob("*/bin/esbuild"), *folder.glob("*/esbuild.exe")]
    if not found:
        raise LeanError("esbuild is not in node_modules; run make web, which installs it")
    return found[0]


def minified(sources: Mapping[str, bytes]) -> dict[str, bytes]:
    """The lean form of files by name; LeanError where one cannot be read, with its name and line."""
    if not sources:
        return {}
    esbuild = programme()
    with TemporaryDirectory() as held:
        # What was read is what is written down: files may change while this runs.
        folder, out = Path(held, "web"), Path(held, "out")
        folder.mkdir()
        for name, source in sources.items():
            (folder / name).write_bytes(source)
        told = subprocess.run(  # noqa: S603  # as installed
            [str(esbuild), *HOW, f"--outdir={out}", *sorted(sources)],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        if told.returncode:
            raise LeanError(told.stderr.strip())
        return {name: (out / name).read_bytes() for name in sources}


def styles_shortened(sources: Mapping[str, bytes]) -> dict[str, bytes]:
    """The modules with the style sheets in them short."""
    styles = {
        f"{name}.{number}.css": found["style"]
        for name, source in sources.items()
        for number, found in enumerate(STYLE.finditer(source.decode()))
    }
    short = minified({name: style.encode() for name, style in styles.items()})

    def shortened(name: str, source: bytes) -> bytes:
        numbers = count()

        def style(found: re.Match[str]) -> str:
            lean = f"css`{short[f'{name}.{next(numbers)}.css'].decode().strip()}`"
            return lean if STYLE.fullmatch(lean) else found[0]

        return STYLE.sub(style, source.decode()).encode()

    return {name: shortened(name, source) for name, source in sources.items()}


def tightened(text: bytes, *, module: bool) -> bytes:
    """A short file without what esbuild leaves, since it knows neither templates nor drawings."""
    text = CUSTOM.sub(lambda found: found[0].replace(b": ", b":").replace(b", ", b","), text)
    if not module:
        return text
    text = ENDED.sub(b"", QUOTED.sub(rb"\1\2", MARGIN.sub(b"\n", text)))
    return PATH.sub(lambda found: LOOSE.sub(b"", found[0]), text)


def lean(web: Path = WEB) -> dict[str, bytes]:
    """All files of the folder ``lean/`` for a page: the lean forms and the record of what they were made of."""
    sources = {path.name: path.read_bytes() for path in sorted(web.iterdir()) if path.suffix in KINDS}
    modules = styles_shortened({name: text for name, text in sources.items() if name.endswith(".js")})
    files = minified({**sources, **modules})
    files = {name: tightened(text, module=name in modules) for name, text in files.items()}
    record = {name: hashlib.sha256(source).hexdigest() for name, source in sources.items()}
    return {**files, RECORD: as_json(record)}


def lay(to: Path = LEAN, web: Path = WEB) -> dict[str, bytes]:
    """Fill the folder; gives back what is in it."""
    files = lean(web)
    # Should this be broken off, no record is left that speaks of other files than are there.
    if (to / RECORD).is_file() and any(
        not (to / name).is_file() or (to / name).read_bytes() != text for name, text in files.items()
    ):
        (to / RECORD).unlink()
    fill(to, files)
    return files


def main() -> int:
    """Write them and say how much it is; 1 and a sentence where a file cannot be read."""
    try:
        files = lay()
    except LeanError as error:
        print(f"tools/lean.py: {error}", file=sys.stderr)
        return 1
    files.pop(RECORD)
    size, before = sum(map(len, files.values())), sum((WEB / name).stat().st_size for name in files)
    print(f"web/lean: {len(files)} files, {size / 1000:.0f} kB of {before / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
