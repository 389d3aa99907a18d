"""One page with every clause of a rite and all that is said of it, to read beside the acts.

Comes in: a rite and the layers of its clauses. Goes out: one HTML page, in both languages, that needs nothing else.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from yanli.render.beside import DAMAGED, EMENDED, UNSURE, variant_words, where_words
from yanli.render.wording import title

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yanli.corpus.beside import Saying
    from yanli.notation.model import Rite
    from yanli.render.beside import Layers

_STYLE = """
:root{--paper:#f7f2e6;--ink:#211c17;--ink2:#5c5246;--line:#d5c9b3;--accent:#a3301d;color-scheme:light}
@media (prefers-color-scheme:dark){:root{--paper:#15171c;--ink:#ece5d7;--ink2:#b3aa97;--line:#3b3d44;--accent:#f08a6e;
color-scheme:dark}}
body{background:var(--paper);color:var(--ink);font:1.05rem/1.8 "Noto Serif TC","Songti TC",serif;margin:0 auto;
padding:1.5rem;max-width:46rem}
h1{font-size:1.5rem;line-height:1.3}h2{font-size:1.2rem;border-bottom:1px solid var(--line);margin-top:2.5rem}
h3{font-size:1.2rem;margin:1.4rem 0 .2rem}h3 a{color:inherit;text-decoration:none}
h3 small{font:.65em sans-serif;color:var(--ink2)}
p,pre,details{margin:.25rem 0 .25rem 1.5rem}pre{font:.85rem/1.5 inherit;color:var(--ink2);white-space:pre-wrap}
.k{color:var(--accent)}.w,.en{font:.75em/1.5 sans-serif;color:var(--ink2)}details summary{cursor:pointer}
a{color:inherit}nav{font-size:.85rem;line-height:1.6}nav a{margin-inline-end:1em;white-space:nowrap}
@media print{:root{--paper:#fff;--ink:#000;--ink2:#444;--line:#999;--accent:#000}body{max-width:none;padding:0;
font-size:10pt}h3{break-after:avoid}p{break-inside:avoid}nav{display:none}@page{margin:18mm}}
"""
_FEW = 12
"""So many characters lead to a saying that is told in full elsewhere."""


def notes_page(rite: Rite, layers: Sequence[Layers]) -> str:
    """Write the page."""
    named = escape(title(rite))
    sections = dict.fromkeys(each.section for each in layers)
    number = {name: i for i, name in enumerate(sections, 1)}
    links = "".join(f'<a href="#s{i}">{escape(name)}</a>\n' for name, i in number.items())
    return "".join(
        [
            '<!doctype html>\n<html lang="zh-Hant">\n<head>\n<meta charset="utf-8">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            f"<title>{named} 注疏</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n",
            f'<h1>{named}　注疏 <span class="en" lang="en">all that is said of every clause</span></h1>\n',
            f"<nav>\n{links}</nav>\n",
            *_clauses(layers, number),
            "</body>\n</html>\n",
        ]
    )


def _clauses(layers: Sequence[Layers], number: dict[str, int]) -> Iterator[str]:
    section = ""
    for each in layers:
        if each.section != section:
            section = each.section
            yield f'<h2 id="s{number[section]}">{escape(section)}</h2>\n'
        name = escape(each.clause)
        yield f'<h3 id="{name}"><a href="#{name}">{escape(each.text)}</a> <small>{name}</small></h3>\n'
        if each.acts:
            yield f"<pre>{escape(chr(10).join(line.strip() for line in each.acts))}</pre>\n"
        for variant in each.variants:
            yield f'<p><span class="k">異</span>　{escape(variant_words(variant))}</p>\n'
        for saying in each.sayings:
            yield _saying(saying, each.clause)
        for note in each.notes:
            yield _led(note, each.note_at or note.first)


def _saying(saying: Saying, clause: str) -> str:
    """One saying; where it stands is folded away if it is long to tell."""
    if clause != saying.first:
        return _led(saying, saying.first)
    speaker = f" {escape(saying.speaker)}" if saying.speaker else ""
    doubt = f' <span class="w">疑 unsure {saying.confidence:g}</span>' if saying.confidence < UNSURE else ""
    about = f' <span class="w">至 to {escape(saying.last)}</span>' if saying.last != saying.first else ""
    mended = f' <span class="w">{EMENDED}</span>' if saying.works[0].emended else ""
    damage = f' <span class="w">{DAMAGED}</span>' if saying.works[0].damaged else ""
    places = [escape(where_words(where)) for where in saying.works]
    told = f'<details class="w"><summary>見 in {len(places)}</summary>{"<br>".join(places)}</details>\n'
    head = f'<span class="k">{saying.layer.value}{speaker}</span>{about}{doubt}{mended}{damage}'
    return f"<p>{head}　{escape(saying.text)}</p>\n{told}"


def _led(saying: Saying, clause: str) -> str:
    """Lead to where a saying is told in full."""
    beginning = escape(saying.text[:_FEW]) + ("…" if len(saying.text) > _FEW else "")
    speaker = escape(saying.speaker or "")
    mended = f" {EMENDED}" if saying.works[0].emended else ""
    damage = f" {DAMAGED}" if saying.works[0].damaged else ""
    link = f'<a href="#{escape(saying.first)}">{beginning} {escape(clause)}</a>'
    return f'<p class="w">{saying.layer.value} {speaker} {link}{mended}{damage}</p>\n'
