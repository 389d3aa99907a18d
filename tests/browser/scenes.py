"""A moment of every section, and what can be seen to be wrong with a drawing of one.

Run as a programme (``make pictures``) it draws them all: ``python -m tests.browser.scenes out/pictures``.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright
from tests.browser.driving import PATIENCE, MissingError, open_browser, serving
from tests.browser.reading import Pair, Reader

# Of every rite as few people as may be, and many: with seven pairs beside the three there are ten; ministers of ducal
# rank and grandees have mats of their own; with more grandees than the north of the hall holds some face east.
CASTS: dict[str, tuple[Pair, ...]] = {
    "xiangshe-three-pairs": (("rite", "xiangshe"), ("set", "眾耦=0")),
    "xiangshe-ten-pairs": (("rite", "xiangshe"), ("set", "眾耦=7")),
    "xiangyinjiu": (("rite", "xiangyinjiu"),),
    "xiangyinjiu-nobles": (("rite", "xiangyinjiu"), ("set", "諸公=1"), ("set", "大夫=3"), ("set", "眾賓=12")),
    "dashe": (("rite", "dashe"),),
    "dashe-many": (("rite", "dashe"), ("set", "諸公=1"), ("set", "大夫=12"), ("set", "眾耦=3"), ("set", "復射=是")),
    "pinli": (("rite", "pinli"),),
}
SIZES: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1440, "height": 900}},
    "phone": {
        "viewport": {"width": 360, "height": 740},
        "has_touch": True,
        "is_mobile": True,
        "device_scale_factor": 2,
    },
}
# The act under way at the middle of every section that is played.
MOMENTS = """() => {
  const {doc} = document.querySelector('yanli-app').session.one;
  return doc.sections.filter(({start}) => start !== null).map(({number, name, start, end}) => {
    const middle = (start + end) / 2;
    const begun = doc.events.filter((row) => row.start <= middle && row.start >= start);
    const row = begun.at(-1) ?? doc.events.find((one) => one.start >= start);
    return {number, name: doc.words[name], time: (row.start + Math.max(row.end, row.start)) / 2};
  });
}"""
GO = """async (time) => {
  document.querySelector('yanli-app').go(time);
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  await Promise.all([...document.querySelectorAll('yanli-plan')].map((plan) => plan.rest()));
  // The words come into sight by and by, and stay there.
  for (let frame = 0, seen = 0; frame < 150 && seen < 12; frame += 1) {
    const canon = document.querySelector('yanli-text .canon').getBoundingClientRect();
    const lit = [...document.querySelectorAll('yanli-text [aria-current=true]')];
    const boxes = lit.map((one) => one.getBoundingClientRect());
    seen = boxes.some(({top, bottom}) => bottom > canon.top + 8 && top < canon.bottom - 8) ? seen + 1 : 0;
    await new Promise(requestAnimationFrame);
  }
}"""
# What is wrong with the plan as it is drawn. Boxes are those of the screen; a figure's is that of its robe and head, a
# little smaller, for a turned figure does not fill its box.
FAULTS = r"""() => {
  const faults = [];
  const plan = document.querySelector('yanli-plan');
  const root = plan.shadowRoot;
  const {doc} = plan.timeline;
  const window = plan.getBoundingClientRect();
  const box = (one, share = 1) => {
    const {left, top, right, bottom} = one.getBoundingClientRect();
    const [x, y] = [((right - left) * (1 - share)) / 2, ((bottom - top) * (1 - share)) / 2];
    return {left: left + x, top: top + y, right: right - x, bottom: bottom - y};
  };
  const meet = (a, b, by) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > by
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > by;
  const names = [...root.querySelectorAll('.main .names .name')]
    .filter((one) => one.checkVisibility() && one.textContent)
    .map((one) => ({words: one.textContent, of: one.dataset.of?.split(' ') ?? [], box: box(one)}));
  const figures = [...root.querySelectorAll('.main g.actor')].filter((one) => one.getAttribute('display') !== 'none')
    .map((one) => ({name: one.dataset.name, acting: one.classList.contains('acting'), x: Number(one.dataset.x),
      y: Number(one.dataset.y), head: box(one.querySelector('.head')),
      parts: [...one.querySelectorAll('.robe, .head')].map((part) => box(part, 0.7))}));
  names.forEach((one, at) => names.slice(at + 1).forEach((other) => {
    if (meet(one.box, other.box, 1)) faults.push(`names overlap: ${one.words} / ${other.words}`);
  }));
  for (const one of names) {
    for (const figure of figures) {
      if (!figure.parts.some((part) => meet(one.box, part, 1))) continue;
      faults.push(`a name on a figure: ${one.words} / ${figure.name}`);
    }
    if (one.box.left < window.left - 1 || one.box.right > window.right + 1 || one.box.top < window.top - 1
      || one.box.bottom > window.bottom + 1) faults.push(`a name out of the window: ${one.words}`);
  }
  figures.forEach((one, at) => figures.slice(at + 1).forEach((other) => {
    if (meet(one.head, other.head, 1.5)) faults.push(`heads overlap: ${one.name} / ${other.name}`);
  }));
  for (const {name, acting, head} of figures) {
    const named = names.some((one) => one.of.includes(name));
    if (acting && !named && meet(head, window, 0)) faults.push(`acts without a name: ${name}`);
  }
  for (const {form, box: [west, south, east, north]} of doc.building.shapes) {
    if (form !== 'wall' && form !== 'pillar') continue;
    for (const {name, x, y} of figures) {
      if (x > west && x < east && y > south && y < north) faults.push(`stands in a ${form}: ${name} ${x} ${y}`);
    }
  }
  const shown = new Set(figures.filter(({head}) => meet(head, window, 0)).map(({name}) => name));
  const small = [...root.querySelectorAll('.inset:not([hidden]) g.actor:not([display])')];
  const actors = plan.timeline.running(plan.time).map((index) => doc.events[index].actor).filter((actor) => actor >= 0);
  const running = actors.map((actor) => doc.words[doc.people[actor].name]);
  if (running.length && !small.length && !running.some((name) => shown.has(name)))
    faults.push(`nobody who acts is seen: ${running.join(' ')}`);
  const canon = document.querySelector('yanli-text .canon').getBoundingClientRect();
  // The words in force, or where many acts stand under them the act in force.
  const lit = [...document.querySelectorAll('yanli-text [aria-current=true]')];
  if (!lit.some((one) => meet(one.getBoundingClientRect(), canon, 8)))
    faults.push(`the words in force are not in sight: ${lit[0]?.textContent}`);
  if (!figures.length) faults.push('nobody is seen');
  return faults;
}"""


class Scene(NamedTuple):
    """A moment of a section on a page of one size."""

    size: str
    cast: str
    number: int
    name: str
    time: float


def scenes(reader: Reader, size: str, cast: str) -> Iterator[Scene]:
    """Lead a reader through a moment of every section; the page is as it is then when each scene is given."""
    reader.open(*CASTS[cast])
    for moment in reader.page.evaluate(MOMENTS):
        reader.page.evaluate(GO, moment["time"])
        yield Scene(size, cast, moment["number"], moment["name"], moment["time"])


def faults(page: Page) -> list[str]:
    """What is wrong with the drawing, a line for each."""
    found: list[str] = page.evaluate(FAULTS)
    return found


def draw(browser: Browser, address: str, folder: Path, chosen: str = "") -> int:
    """Draw every scene into a folder, and write what is wrong with each; gives how many.

    Only casts and sizes are drawn whose name (``desktop-dashe``) holds ``chosen``.
    """
    count = 0
    wrong = []
    for size, options in SIZES.items():
        for cast in CASTS:
            if chosen not in f"{size}-{cast}":
                continue
            context = browser.new_context(base_url=address, locale="zh-TW", **options)
            context.set_default_timeout(PATIENCE)
            for scene in scenes(Reader(context.new_page()), size, cast):
                name = f"{size}-{cast}-{scene.number:02}-{scene.name}"
                context.pages[0].screenshot(path=folder / f"{name}.png")
                wrong += [f"{name} at {scene.time:.2f}: {fault}\n" for fault in faults(context.pages[0])]
                count += 1
            context.close()
    (folder / "faults.txt").write_text("".join(wrong), encoding="utf-8")
    return count


def main() -> None:
    """Draw them all."""
    parser = argparse.ArgumentParser(description="Draw a moment of every section, on a desktop and on a phone.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("chosen", nargs="?", default="", help="only what has this in its name: desktop-dashe")
    given = parser.parse_args()
    folder: Path = given.folder
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with serving() as address, sync_playwright() as playwright:
            browser = open_browser(playwright)
            count = draw(browser, address, folder, given.chosen)
            browser.close()
    except MissingError as what:
        sys.exit(str(what))
    sys.stdout.write(f"{count} pictures in {folder}\n")


if __name__ == "__main__":
    main()
