"""An apparatus to read: as columns of plain text, and as a page that can be printed.

Comes in: an `Apparatus`. Goes out: text, or one HTML file that asks for nothing from outside. Classes are named in
Chinese and English. On the page stands the whole base with a number at every place where witnesses differ, and below
it what each of them has there; other shapes of a character are many and tell little, so they are only counted, unless
they are asked for.
"""

from __future__ import annotations

from collections import Counter
from html import escape
from typing import TYPE_CHECKING

from yanli.corpus.copies import spelt
from yanli.render.columns import table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yanli.corpus.apparatus import Absence, Apparatus, Class, Entry, Reading

CLASSES: dict[Class, tuple[str, str]] = {
    "異文": ("異文", "other words"),
    "字形": ("字形", "another shape of the same character"),
    "脫": ("脫", "words wanting"),
    "衍": ("衍", "words added"),
    "倒": ("倒", "another order"),
    "移": ("移", "stands elsewhere"),
    "佚葉": ("佚葉", "a leaf is lost"),
    "底本佚葉": ("底本佚葉", "a leaf of the base is lost"),
    "起": ("起", "begins elsewhere"),
    "止": ("止", "ends elsewhere"),
    "闕": ("闕", "cannot be read, or has no code"),
    "今文": ("今文", "the new text, as a note reports"),
    "古文": ("古文", "the old text, as a note reports"),
}
_NEAR = 5
_SHOWN = 24
_NOTHING = "〇"
_COMMON = 0xFFFF
"""Few fonts have the characters beyond this one."""
_STYLE = """
:root{--paper:#f7f2e6;--ink:#211c17;--ink2:#5c5246;--line:#d5c9b3;--accent:#a3301d;--lost:#e4d9c4;color-scheme:light}
@media (prefers-color-scheme:dark){:root{--paper:#15171c;--ink:#ece5d7;--ink2:#b3aa97;--line:#3b3d44;--accent:#f08a6e;
--lost:#2d3038;color-scheme:dark}}
body{background:var(--paper);color:var(--ink);font:1.05rem/1.9 "Noto Serif TC","Songti TC",serif;margin:0 auto;
padding:1.5rem;max-width:46rem}
h1{font-size:1.5rem;line-height:1.3}h2{font-size:1.15rem;border-bottom:1px solid var(--line)}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:.95rem;line-height:1.5}th,td{text-align:start;padding:.15rem .8rem .15rem 0;
vertical-align:top}th .en{display:inline-block;min-width:5rem}td.n{text-align:end;font-variant-numeric:tabular-nums}
.base{font-size:1.2rem;text-align:justify}.base a{color:inherit;text-decoration:none;
border-bottom:2px solid var(--accent)}.base a sup{color:var(--accent);font-size:.6em;font-family:sans-serif}
.base .lost{background:var(--lost)}.base b{font:.6em sans-serif;color:var(--ink2);padding:0 .2em}
ol{padding-inline-start:2.6rem;line-height:1.6}li::marker{color:var(--accent);font-family:sans-serif;font-size:.8em}
li{break-inside:avoid}li:target,a:target{outline:2px solid var(--accent)}
.w{color:var(--ink2)}.k{font-size:.85em;color:var(--ink2)}.en{font-family:sans-serif;font-size:.85em;color:var(--ink2)}
.at{color:var(--ink2);text-decoration:none}
@media print{:root{--paper:#fff;--ink:#000;--ink2:#444;--line:#999;--accent:#000;--lost:#e8e8e8}
body{max-width:none;padding:0;font-size:10pt}.base{font-size:11.5pt}@page{margin:18mm}}
"""


def apparatus_text(found: Apparatus, *, shapes: bool = False) -> str:
    """Write an apparatus in columns: place, our words among their neighbours, class, witnesses, reading.

    ``shapes``: also each character that is only written in another shape.
    """
    rows: list[tuple[str, ...]] = [("處 at", "底 base", "類 class", "本 witnesses", "讀 reading")]
    rows += [_row(found, entry, reading) for entry, reading in _readings(found, shapes=shapes)]
    lines = [*_counts_text(found), "", *table(rows, right=(0,))]
    silent = [
        (str(start), str(end), str(length), who, kind, told) for start, end, length, who, kind, told in _silent(found)
    ]
    if silent:
        heads = ("自 from", "至 to", "字 characters", "本 witness", "類 class", "")
        lines += ["", "無其文者 what witnesses do not have", *table([heads, *silent], right=(0, 1, 2))]
    return "\n".join(lines) + "\n"


def apparatus_page(found: Apparatus, title: str = "", *, shapes: bool = False) -> str:
    """Write an apparatus as one HTML page; ``shapes`` as in `apparatus_text`."""
    named = escape(title or found.base.title or found.base.siglum)
    entries = list(_entries(found, shapes=shapes))
    return "".join(
        [
            '<!doctype html>\n<html lang="zh-Hant">\n<head>\n<meta charset="utf-8">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            f"<title>{named} 校記 Apparatus</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n",
            f'<h1>{named} 校記 <span class="en" lang="en">Apparatus</span></h1>\n',
            *_witnesses(found),
            '<h2>經文 <span class="en" lang="en">The base, with the places where witnesses differ</span></h2>\n',
            '<p class="base" lang="lzh">',
            *_base(found, entries),
            "</p>\n",
            '<h2>校記 <span class="en" lang="en">Readings</span></h2>\n<ol>\n',
            *(_item(found, entry, number) for number, entry in enumerate(entries, 1)),
            "</ol>\n" if entries else '</ol>\n<p>無 <span class="en" lang="en">none</span></p>\n',
            *_silences(found),
            *(() if shapes else _shape_counts(found)),
            "</body>\n</html>\n",
        ]
    )


def _readings(found: Apparatus, *, shapes: bool) -> Iterator[tuple[Entry, Reading]]:
    for entry in found.entries:
        for reading in entry.readings:
            if _told(reading, shapes=shapes):
                yield entry, reading


def _entries(found: Apparatus, *, shapes: bool) -> Iterator[Entry]:
    for entry in found.entries:
        if any(_told(reading, shapes=shapes) for reading in entry.readings):
            yield entry


def _told(reading: Reading, *, shapes: bool) -> bool:
    """Tell whether a reading stands in the apparatus; what the base does not cover stands with the silences."""
    return reading.variant and (shapes or reading.kind != "字形")


def _silent(found: Apparatus) -> list[tuple[int, int, int, str, Class, str]]:
    """What the base or a witness does not have: where in the base, how many characters, who, why, pages and words.

    What the base lacks stands at one place of it, and is told with those who have it.
    """
    rows = [
        (a.start, a.end, a.end - a.start, a.witness, a.kind, " ".join((*a.pages, _gist(found, a))))
        for a in found.absences
    ]
    rows += [
        (
            entry.start,
            entry.start,
            len(reading.text),
            found.base.siglum,
            reading.kind,
            " ".join((*reading.pages, _short(reading.text), "見", *reading.witnesses)),
        )
        for entry in found.entries
        for reading in entry.readings
        if not reading.variant
    ]
    return sorted(rows, key=lambda row: row[0])


def _row(found: Apparatus, entry: Entry, reading: Reading) -> tuple[str, ...]:
    base = found.base.text
    before, after = base[max(entry.start - _NEAR, 0) : entry.start], base[entry.end : entry.end + _NEAR]
    kind = f"{reading.kind}（通）" if reading.interchangeable else reading.kind
    note = f"　{spelt(reading.note)}" if reading.note else ""
    return (
        str(entry.start),
        f"{spelt(before)}［{_short(entry.words)}］{spelt(after)}",
        kind,
        " ".join(reading.witnesses),
        (_short(reading.text) or _NOTHING) + note,
    )


def _short(words: str) -> str:
    """Words as they are written; of many only the first and the last."""
    if len(words) <= _SHOWN:
        return spelt(words)
    return f"{spelt(words[: _SHOWN // 2])}…{spelt(words[-_SHOWN // 2 :])}（{len(words)}字）"


def _gist(found: Apparatus, absence: Absence) -> str:
    return _short(found.base.text[absence.start : absence.end])


def _counts(found: Apparatus) -> dict[Class, Counter[str]]:
    """By class, how many readings or silences each witness has; no class that only a lost text has."""
    counts: dict[Class, Counter[str]] = {kind: Counter() for kind in CLASSES}
    for entry in found.entries:
        for reading in entry.readings:
            counts[reading.kind].update(reading.witnesses)
    for absence in found.absences:
        counts[absence.kind][absence.witness] += 1
    sigla = [copy.siglum for copy in found.witnesses]
    return {kind: held for kind, held in counts.items() if any(held[siglum] for siglum in sigla)}


def _counts_text(found: Apparatus) -> list[str]:
    sigla = [copy.siglum for copy in found.witnesses]
    rows: list[tuple[str, ...]] = [("類 class", *sigla, "")]
    for kind, held in _counts(found).items():
        rows.append((kind, *(str(held[siglum]) for siglum in sigla), CLASSES[kind][1]))
    rows.append(
        ("異處 cost", *(str(found.costs[siglum]) for siglum in sigla), "characters put in, left out or changed")
    )
    if any(found.outside.values()):
        told = "of these, on lost leaves or where one of the two begins or ends elsewhere"
        rows.append(("其中不校 apart", *(str(found.outside[siglum]) for siglum in sigla), told))
    rows.append(("字數 length", *(str(len(copy.text)) for copy in found.witnesses), f"底 {len(found.base.text)}"))
    return table(rows, right=tuple(range(1, len(sigla) + 1)))


def _witnesses(found: Apparatus) -> Iterator[str]:
    """Who the witnesses are, and how much each of them differs, by class."""
    counts = _counts(found)
    heads = "".join(
        f'<th scope="col">{kind}<br><span class="en" lang="en">{CLASSES[kind][1]}</span></th>' for kind in counts
    )
    yield '<div class="wide" tabindex="0" role="region" aria-label="本 witnesses"><table>\n'
    yield '<thead><tr><th scope="col">本<br><span class="en" lang="en">witness</span></th>'
    yield f'<th scope="col">字數<br><span class="en" lang="en">characters</span></th>{heads}</tr></thead>\n<tbody>\n'
    for copy in (found.base, *found.witnesses):
        cells = "".join(f'<td class="n">{held[copy.siglum] or ""}</td>' for held in counts.values())
        named = f"{escape(copy.siglum)} {escape(copy.title)}" + ("（底本 base）" if copy is found.base else "")
        yield f'<tr><th scope="row">{named}</th><td class="n">{len(copy.text)}</td>{cells}</tr>\n'
    yield "</tbody>\n</table></div>\n"


def _base(found: Apparatus, entries: list[Entry]) -> Iterator[str]:
    """The base; a number stands at each entry, and a shade under what some witness does not have."""
    base = found.base.text
    own = {entry.start: reading.kind for entry in found.entries for reading in entry.readings if not reading.variant}
    cuts = {0, len(base), *own} | {edge for absence in found.absences for edge in (absence.start, absence.end)}
    edges = sorted(cuts | {edge for entry in entries for edge in (entry.start, entry.end)})
    numbers: dict[int, list[tuple[int, Entry]]] = {}
    for number, entry in enumerate(entries, 1):
        numbers.setdefault(entry.start, []).append((number, entry))
    done = 0
    for place, after in zip(edges, [*edges[1:], len(base)], strict=True):
        if place in own:
            yield f"<b>{escape(found.base.siglum)} {own[place]}</b>"
        for absence in found.absences:
            if absence.start == place:
                yield f"<b>{escape(absence.witness)}{absence.kind}</b>"
        for number, entry in numbers.get(place, ()):
            words = escape(spelt(entry.words)) or "‸"
            yield f'<a id="b{number}" href="#e{number}">{words}<sup>{number}</sup></a>'
            done = max(done, entry.end)
        if place >= done and place < after:
            lost = any(absence.start <= place < absence.end for absence in found.absences)
            words = escape(spelt(base[place:after]))
            yield f'<span class="lost">{words}</span>' if lost else words


def _item(found: Apparatus, entry: Entry, number: int) -> str:
    """What the witnesses have at one place."""
    differ = {who for reading in entry.readings for who in reading.witnesses} | set(entry.absent)
    agree = " ".join(copy.siglum for copy in (found.base, *found.witnesses) if copy.siglum not in differ)
    parts = [f'<b lang="lzh">{escape(_short(entry.words)) or _NOTHING}</b> <span class="w">{escape(agree)}</span>']
    for reading in entry.readings:
        if not reading.variant:
            continue
        # A report names its old text itself.
        kind = escape(spelt(reading.note)) or reading.kind + ("，通" if reading.interchangeable else "")
        parts.append(
            f'<span lang="lzh">{escape(_short(reading.text)) or _NOTHING}</span> '
            f'<span class="w">{escape(" ".join(reading.witnesses))}</span> '
            f'<span class="k" title="{escape(CLASSES[reading.kind][1])}">（{kind}）</span>'
        )
    if entry.absent:
        parts.append(f'<span class="k">{escape(" ".join(entry.absent))} 無此文 <span lang="en">wanting</span></span>')
    return f'<li id="e{number}" value="{number}"><a class="at" href="#b{number}">↑</a> {"；".join(parts)}</li>\n'


def _silences(found: Apparatus) -> Iterator[str]:
    """What a witness does not have at all."""
    silent = _silent(found)
    if not silent:
        return
    yield '<h2>無其文者 <span class="en" lang="en">What witnesses do not have</span></h2>\n<ul>\n'
    for _, _, length, who, kind, told in silent:
        zh, en = CLASSES[kind]
        yield (
            f'<li><span class="w">{escape(who)}</span> {zh} <span class="en" lang="en">{en}</span>：'
            f'<span lang="lzh">{escape(told)}</span>（{length}）</li>\n'
        )
    yield "</ul>\n"


def _shape_counts(found: Apparatus) -> Iterator[str]:
    """How often each witness writes another shape of a character."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for entry in found.entries:
        for reading in entry.readings:
            if reading.kind == "字形":
                counts.update((entry.words, reading.text, siglum) for siglum in reading.witnesses)
    if not counts:
        return
    yield '<h2>字形 <span class="en" lang="en">Shapes, and how often</span></h2>\n<p lang="lzh">'
    held: dict[tuple[str, str], list[str]] = {}
    for (ours, theirs, siglum), count in sorted(counts.items()):
        held.setdefault((ours, theirs), []).append(f"{escape(siglum)} {count}")
    yield "；".join(
        f'{_coded(ours)} → {_coded(theirs)} <span class="w">{"、".join(who)}</span>'
        for (ours, theirs), who in held.items()
    )
    yield "</p>\n"


def _coded(words: str) -> str:
    """Words as they are written, with the code points of what a reader's fonts may not have."""
    written = spelt(words)
    rare = " ".join(f"U+{ord(sign):X}" for sign in written if ord(sign) > _COMMON)
    return escape(written) + (f' <span class="en">{rare}</span>' if rare else "")
