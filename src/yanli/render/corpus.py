"""What the store has, for people: its works, what is damaged in them, a work as it runs, hits of a search.

Comes in: a store, a text, hits. Goes out: values, and the same as text. A character that a screen cannot show is told
by its number.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from yanli.corpus.model import Fault, Layer
from yanli.corpus.store import Counts, Entry
from yanli.render.columns import table, wrap

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from yanli.corpus.anchoring import Result
    from yanli.corpus.library import Outcome
    from yanli.corpus.model import Piece, Text
    from yanli.corpus.search import Hit
    from yanli.corpus.store import Store

WIDTH = 100
SHOWN = 24
"""So many characters of what is damaged are shown."""
KILO = 1000
FIRST = 10
"""So many faults of a kind are listed, unless all are asked for."""

FAULTS = {
    "control": "控制字元 control characters",
    "surrogate": "孤代理 lone surrogates",
    "undecodable": "不可解 bytes that are no text",
    "misread-run": "錯位 read out of step",
    "pinyin-in-brackets": "夾音 readings put in",
    "lost-character": "失字 lost characters",
    "illegible": "□ 闕字 illegible",
    "black": "■ 墨釘 printed black",
    "unencoded": "& 無碼 without a code",
    "empty-page": "空葉 empty pages",
    "missing-page": "缺葉 missing pages",
    "repeated-page": "重葉 repeated pages",
    "unclosed-note": "注未闔 notes not closed",
    "unopened-note": "注未啟 notes not opened",
    "count-differs": "字數不合 counts that differ",
    "unassigned": "未屬 in no layer",
}
UNKNOWN = "體例未詳 of no known make"

FATES = {
    "added": "入 added",
    "replaced": "重讀 read anew",
    "there": "已有 there already",
    "unread": "未讀 unread, its bytes are kept",
    "refused": "未入 refused",
    "missing": "不可得 cannot be had",
}


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """A work in the list: what the store knows, how many remarks, anchors, faults and proposals it has."""

    entry: Entry
    remarks: int
    anchored: int
    faults: int
    proposals: int


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """How a work was read: its layers' characters, which add up to its length; what is damaged, by kind and place.

    ``unknown`` says what was looked for where it is of no known make, which is no damage.

    ``anchored``: how many remarks speak of clauses of each rite; ``referring``: how often they refer to others of it.
    """

    entry: Entry
    shares: dict[str, int]
    speakers: dict[str, int]
    kinds: dict[str, int]
    faults: tuple[Fault, ...]
    anchored: dict[str, int]
    referring: dict[str, int] = {}
    unknown: str = ""


class Stretch(msgspec.Struct, frozen=True, kw_only=True):
    """Words of one layer and speaker as they run; ``page`` and ``line`` where they begin."""

    layer: Layer
    speaker: str | None
    quoted_by: tuple[str, ...]
    page: str | None
    line: int
    remark: int | None
    words: str


def listed(store: Store) -> list[Listed]:
    """Give all works of a store, by name."""
    counts = store.counts()
    return [_listed(entry, counts.get(entry.name, Counts())) for entry in store.entries()]


def _listed(entry: Entry, counts: Counts) -> Listed:
    return Listed(
        entry=entry,
        remarks=counts.remarks,
        anchored=counts.anchored,
        faults=counts.faults,
        proposals=counts.proposals,
    )


def outcome_text(outcome: Outcome, done: int, of: int) -> str:
    """What became of one file that was to be taken in, in a line."""
    damaged = f"　損 damaged {outcome.faults}" if outcome.faults else ""
    told = f"　{visible(outcome.told)}" if outcome.told else ""
    return f"{done}/{of}　{FATES[outcome.fate]}　{visible(outcome.name)}{damaged}{told}\n"


def anchored_text(result: Result, done: int, of: int) -> str:
    """What became of a work that was to be anchored, in a line."""
    if result.told:
        return f"{done}/{of}　未繫 not anchored　{visible(result.name)}　{visible(result.told)}\n"
    if result.there:
        return f"{done}/{of}　已繫 anchored already　{visible(result.name)}\n"
    referring = f"　引據 references {result.references}" if result.references else ""
    return f"{done}/{of}　繫 anchored {result.anchors}{referring}　{visible(result.name)}\n"


def outcomes_text(outcomes: Iterable[Outcome]) -> str:
    """How many files came to what, in a line; those that are not there are named."""
    found = list(outcomes)
    fates = Counter(outcome.fate for outcome in found)
    gone = [f"{FATES['missing']}　{visible(each.told)}\n" for each in found if each.fate == "missing"]
    return "".join(gone) + "；".join(f"{FATES[fate]} {n}" for fate, n in fates.items()) + "\n"


def list_text(found: Sequence[Listed]) -> str:
    """The same, to read."""
    if not found:
        return "庫空 the store has no works\n"
    head = ("名 name", "題 title", "體例 family", "信 sure", "字 characters", "論 remarks", "繫 anchored", "損 damaged")
    rows = [
        (each.entry.name, each.entry.title, each.entry.family, f"{each.entry.sure:.2f}", f"{each.entry.length:,}",
         f"{each.remarks:,}", f"{each.anchored:,}", f"{each.faults:,}")
        if each.entry.status == "read"
        else (each.entry.name, f"未讀 unread: {each.entry.reason}", "", "", f"{each.entry.size:,} B", "", "", "")
        for each in found
    ]  # fmt: skip
    shown = [tuple(map(visible, row)) for row in rows]
    return "\n".join(table([head, *shown], right=(3, 4, 5, 6, 7))) + "\n"


def report_of(store: Store, name: str) -> Report:
    """Report on a work."""
    entry = store.entry(name)
    every = store.anchors(name)
    anchored = Counter(anchor.rite for anchor in every if anchor.how != "reference")
    referring = Counter(anchor.rite for anchor in every if anchor.how == "reference")
    if entry.status != "read":
        return Report(entry=entry, shares={}, speakers={}, kinds={}, faults=(), anchored=dict(anchored))
    text = store.text(name)
    speakers = Counter(remark.speaker for remark in text.remarks if remark.speaker)
    damaged = tuple(fault for fault in text.faults if fault.kind != "unknown-family")
    return Report(
        entry=entry,
        shares=dict(sorted(text.shares().items(), key=lambda row: -row[1])),
        speakers=dict(speakers.most_common()),
        kinds=dict(Counter(fault.kind for fault in damaged)),
        faults=damaged,
        anchored=dict(anchored),
        referring=dict(referring),
        unknown="; ".join(fault.told for fault in text.faults if fault.kind == "unknown-family"),
    )


def report_text(report: Report, *, places: bool = True, every: bool = False) -> str:
    """The same, to read; without ``places`` what is damaged is only counted.

    Of each kind the first `FIRST` are listed, and how many more there are; with ``every`` all of them.
    """
    entry = report.entry
    lines = [f"{visible(entry.name)}　{visible(entry.title)}", f"  來 from　{visible(entry.origin) or '？'}"]
    if entry.status != "read":
        return "\n".join([*lines, f"  未讀 unread：{entry.reason}　{entry.size:,} B　{entry.sha256}"]) + "\n"
    lines.append(f"  體例 family　{entry.family}　信 sure {entry.sure:.2f}　{entry.why}")
    lines.append(f"  {entry.encoding}　{entry.size:,} B　{entry.length:,} 字 characters　SHA-256 {entry.sha256}")
    total = max(entry.length, 1)
    shares = [
        (f"{Layer(name).value} {Layer(name).name}", f"{n:,}", f"{n / total:.1%}") for name, n in report.shares.items()
    ]
    assigned = sum(report.shares.values())
    lines.append(f"  層 layers　{assigned:,} of {entry.length:,} 字有所屬 assigned")
    lines += table(shares, right=(1, 2), indent="    ")
    if report.speakers:
        lines.append("  言者 speakers　" + "、".join(f"{name} {n}" for name, n in report.speakers.items()))
    if report.anchored:
        lines.append("  繫 anchored　" + "、".join(f"{rite} {n}" for rite, n in report.anchored.items()))
    if report.referring:
        lines.append("  引據 references　" + "、".join(f"{rite} {n}" for rite, n in report.referring.items()))
    if report.unknown:
        lines.append(f"  {UNKNOWN}　{report.unknown}")
    kinds = "；".join(f"{FAULTS[kind]} {n}" for kind, n in report.kinds.items())
    lines.append(f"  損 damaged　{kinds or '無 nothing'}")
    if places:
        listed = report.faults if every else _firsts(report.faults)
        lines += table([_fault(fault) for fault in listed], indent="    ")
        if more := {kind: n - FIRST for kind, n in report.kinds.items() if n > FIRST and not every}:
            told = "；".join(f"{FAULTS[kind]} {n:,}" for kind, n in more.items())
            lines.append(f"    尚有 and more (--all lists them)　{told}")
    return "\n".join(lines) + "\n"


def _firsts(faults: Iterable[Fault]) -> Iterator[Fault]:
    """The first faults of each kind, in their order."""
    seen: Counter[str] = Counter()
    for fault in faults:
        seen[fault.kind] += 1
        if seen[fault.kind] <= FIRST:
            yield fault


def _fault(fault: Fault) -> tuple[str, str, str, str]:
    """A fault in columns: kind, place, what stands there, what is known of it."""
    page = f"葉 {fault.page} " if fault.page else ""
    found = visible(fault.found[:SHOWN]) + ("…" if len(fault.found) > SHOWN else "")
    return (fault.kind, f"{page}行 line {fault.line} [{fault.start}:{fault.end}]", found, visible(fault.told))


def visible(words: str) -> str:
    """Words on one line, with what a screen cannot show by its number."""
    return "".join(
        sign if sign.isprintable() or sign == "\u3000" else " " if sign == "\n" else f"\\u{ord(sign):04x}"
        for sign in words
    )  # fmt: skip


def running(text: Text, layers: Iterable[Layer] = (), speaker: str | None = None) -> list[Stretch]:
    """Give a text as it runs, without signs of the copy: the layers that are asked for (all), or what one man says."""
    wanted = frozenset(layers) or frozenset(layer for layer in Layer if layer is not Layer.sign)
    found: list[Stretch] = []
    words: list[str] = []
    first: Piece | None = None

    def close() -> None:
        if first is not None and (said := "".join(words).strip()):
            found.append(
                Stretch(
                    layer=first.layer,
                    speaker=first.speaker,
                    quoted_by=first.quoted_by,
                    page=first.page,
                    line=first.line,
                    remark=first.remark,
                    words=said,
                )
            )
        words.clear()

    for piece in text.pieces:
        if piece.layer is Layer.sign and Layer.sign not in wanted:
            continue
        if first is None or _key(piece) != _key(first):
            close()
            first = piece
        words.append(text.text[piece.start : piece.end])
    close()
    return [each for each in found if each.layer in wanted and (speaker is None or each.speaker == speaker)]


def _key(piece: Piece) -> tuple[object, ...]:
    return (piece.layer, piece.speaker, piece.quoted_by, piece.remark)


def running_text(found: Iterable[Stretch]) -> Iterator[str]:
    """The same, to read, part by part."""
    page: str | None = None
    for each in found:
        if each.page != page:
            page = each.page
            yield f"[{page}]\n"
        who = f" {each.speaker}" if each.speaker else ""
        quoted = f"（{'、'.join(each.quoted_by)}引 quoted）" if each.quoted_by else ""
        lines = wrap(visible(each.words), WIDTH - 4)
        yield f"{each.layer.value}{who}{quoted}　" + "\n    ".join(lines) + "\n"


def hits_text(hits: Sequence[tuple[str, Hit]], total: int | None, skipped: int = 0) -> str:
    """Hits with the titles of their works, each in its words about it, as text."""
    if not hits and not total:
        return "無 nothing found\n"
    lines = []
    for number, (title, hit) in enumerate(hits, skipped + 1):
        who = f" {hit.speaker}" if hit.speaker else ""
        written = "" if hit.exact else "　（異體 written otherwise）"
        there = (f"葉 {hit.page}　" if hit.page else "") + f"行 {hit.line}　" if hit.line else ""
        named = f"{visible(hit.name)} {visible(title)}"
        lines.append(f"{number}　{named}　{there}{hit.layer.value}{who}　[{hit.start}:{hit.end}]{written}")
        lines.append(f"    {visible(hit.before)}【{visible(hit.words)}】{visible(hit.after)}")
    many = f"共 in all {total:,}" if total is not None else "尚有 there may be more: --skip, --limit"
    return "\n".join([*lines, many]) + "\n"
