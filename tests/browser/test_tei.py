"""What reads TEI in browsers reads ours: CETEIcean shows every character, in its order."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from yanli.corpus.segment import read_text
from yanli.corpus.tei import to_tei

CETEI = Path(__file__).resolve().parents[2] / "node_modules" / "CETEIcean" / "dist" / "CETEI.js"
WORDS = """# -*- mode: mandoku-view; -*-
#+TITLE: 儀禮
<pb:KR1d0026_SBCK_005-1a>¶
豫則鉤楹內(今文豫爲序/□&KR0238;也)主人<b>&坐𠀀¶
"""
SHOW = """tei => {
  const reader = new CETEI();
  const shown = reader.makeHTML5(tei);
  document.body.append(shown);
  // Of what it decorates it keeps a hidden copy.
  for (const copy of document.querySelectorAll("cetei-original")) copy.remove();
  return document.querySelector("tei-ab").textContent;
}"""


def test_ceteicean_shows_every_character(browser: Browser) -> None:
    if not CETEI.is_file():
        pytest.skip(f"{CETEI} is not here: npm ci brings it")
    text = read_text(WORDS.encode(), "KR1d0026_005.txt", family="kanripo")
    page = browser.new_page()
    try:
        # It remembers how far one has read, which a page without an address may not.
        page.route(
            "**/*", lambda route: route.fulfill(body="<!doctype html><title>TEI</title>", content_type="text/html")
        )
        page.goto("http://tei.invalid/")
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.add_script_tag(path=CETEI)
        shown = page.evaluate(SHOW, to_tei(text))
        assert page.locator("tei-ab tei-note").count() == 2  # one remark, in two columns
        assert page.locator("tei-gap").count() == 1
        assert page.locator("tei-g").inner_text() == "&KR0238;"
    finally:
        page.close()
    assert faults == []
    # It sets notes in brackets, and leaves out nothing.
    bare = str.maketrans("", "", "()")
    assert "".join(shown.split()).translate(bare) == "".join(WORDS.split()).translate(bare)
