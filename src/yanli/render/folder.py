"""A folder with all that a rehearsal needs.

Comes in: a performance and a folder. Goes out: files, and a line for each step. It writes over what it wrote before,
takes away what it wrote before and no longer needs, and touches nothing else.
"""

from __future__ import annotations

import hashlib
import html
import json
from typing import TYPE_CHECKING

from yanli.errors import Finding, ScenarioError
from yanli.render.beside import layers_of
from yanli.render.moments import section_times
from yanli.render.notes_page import notes_page
from yanli.render.properties import properties, properties_text
from yanli.render.script import Scripts
from yanli.render.setting import setting_up
from yanli.render.summary import summary
from yanli.render.tally import blank_sheet
from yanli.render.timeline import as_csv, as_jsonl, as_text
from yanli.render.wording import title

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from yanli.corpus.store import Store
    from yanli.performance.perform import Performance

LIST = ".yanli-files.json"
"""What was written here, each file with its hash, so that what a person has changed since is never taken away."""
FORBIDDEN = str.maketrans(dict.fromkeys('/\\:*?"<>|', "_"))


def fill(performance: Performance, folder: Path, *, english: bool = False, store: Store | None = None) -> Iterator[str]:
    """Fill a folder; yield a line of progress for each step, and at the end where things lie.

    With a store of sources, one page has every clause with all that its works say of it. Raises ScenarioError
    when the folder cannot be made or written.
    """
    papers = Papers(folder)
    events = performance.events
    yield f"{title(performance.rite)}：{len(events)} 事 events"
    papers.write("summary.md", summary(performance), "一葉之總 one page on it all")
    papers.write("timeline.txt", as_text(performance, events, english=english), "所演之次 the timeline")
    papers.write("timeline.jsonl", as_jsonl(performance, events), "同上，一行一事 the same as data, one event a line")
    papers.write("timeline.csv", as_csv(performance, events), "同上，為表 the same as a table")
    yield "timeline.txt timeline.jsonl timeline.csv"
    scripts = Scripts(performance)
    papers.write("script.md", scripts.caller(), "贊禮之譜 the caller's script")
    persons = performance.stage.cast.persons
    for name in persons:
        papers.write(
            f"scripts/{name.translate(FORBIDDEN)}.md",
            scripts.person(name),
            f"{name}之譜 {scripts.wording.person_en(name)}",
        )
    yield f"script.md scripts/：{len(persons)} 人 persons"
    papers.write("properties.txt", properties_text(properties(performance)), "器 properties")
    papers.write("setting-up.txt", setting_up(performance), "陳設 setting up")
    yield "properties.txt setting-up.txt"
    if any(event.hit is not None for event in events):
        papers.write("record.txt", blank_sheet(performance), "記射之紙 a sheet for the arrows, to print")
        yield "record.txt"
    yield from _plans(performance, papers, english=english)
    if store is not None:
        rite = performance.rite
        papers.write(
            "notes.html", notes_page(rite, layers_of(rite, rite.clauses, store)), "注疏 all that is said of it"
        )
        yield "notes.html"
    papers.write("index.html", papers.index(title(performance.rite)), "此目 this list")
    papers.close()
    yield "summary.md index.html"
    yield f"皆在 all of it lies in {folder}（始於 begin with {folder / 'index.html'}）"


def _plans(performance: Performance, papers: Papers, *, english: bool) -> Iterator[str]:
    """One plan at the end of each section that was played."""
    from yanli.render.plan import plan_svg

    times = section_times(performance)
    told = (performance.rite.title_en if english else "") or performance.rite.name
    for time in times:
        caption, after = f"{time.name}畢", f"after {time.slug.replace('-', ' ')}"
        name = f"plans/{time.number:02}-{time.slug.translate(FORBIDDEN)}.svg"
        papers.write(
            name,
            plan_svg(
                performance, time.end, time.done, title=f"{told}　{after if english else caption}", english=english
            ),
            f"圖：{caption} {after}",
        )
    yield f"plans/：{len(times)} 圖 plans"


class Papers:
    """The files of one folder."""

    def __init__(self, folder: Path) -> None:
        """Make the folder. Raises ScenarioError when it is a file or cannot be made."""
        self.folder = folder
        self.written: dict[str, str] = {}
        self.about: dict[str, str] = {}
        if folder.exists() and not folder.is_dir():
            raise ScenarioError(Finding(code="cannot-write", cause=f"{folder} is a file; a folder is needed"))
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            raise _cannot(folder, fault) from None
        self.before = self._listed()

    def _listed(self) -> dict[str, str]:
        try:
            found = json.loads((self.folder / LIST).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return {str(name): str(mark) for name, mark in found.items()} if isinstance(found, dict) else {}

    def write(self, name: str, text: str, about: str) -> None:
        """Write one file; ``about`` says what it is."""
        path = self.folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        except OSError as fault:
            raise _cannot(path, fault) from None
        self.written[name] = _mark(text.encode())
        self.about[name] = about

    def close(self) -> None:
        """Take away what was written here before, is not any more, and was not changed since; keep the new list."""
        for name, mark in self.before.items():
            path = (self.folder / name).resolve()
            if name in self.written or not path.is_relative_to(self.folder.resolve()):
                continue
            try:
                if path.is_file() and _mark(path.read_bytes()) == mark:
                    path.unlink()
            except OSError:
                continue
        self.write(LIST, json.dumps(self.written, ensure_ascii=False, indent=1) + "\n", "")

    def index(self, name: str) -> str:
        """A page that leads to every file."""
        rows = [
            f'<li><a href="{html.escape(name)}">{html.escape(name)}</a> {html.escape(about)}</li>'
            for name, about in self.about.items()
        ]
        said = html.escape(name)
        return (
            f'<!doctype html>\n<html lang="zh-Hant">\n<meta charset="utf-8">\n<title>{said}</title>\n'
            f"<h1>{said}</h1>\n<ul>\n" + "\n".join(rows) + "\n</ul>\n</html>\n"
        )


def _mark(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _cannot(path: Path, fault: OSError) -> ScenarioError:
    return ScenarioError(Finding(code="cannot-write", cause=f"{path}: {fault.strerror or fault}"))
