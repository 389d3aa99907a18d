"""What is proposed for damaged places, for people: each with its key, its evidence and what was said to it.

Comes in: proposals. Goes out: text.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from yanli.corpus.emendation import key_of
from yanli.render.corpus import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from yanli.corpus.model import Proposal

UNKNOWN = "▢"
"""A private character, of which a screen knows no shape."""


def proposals_text(proposals: Sequence[Proposal]) -> str:
    """Proposals with their keys, each with its evidence and what was said to it, under their number."""
    if not proposals:
        return "無 nothing is proposed\n"
    counts = (
        ("確 certain", sum(each.certain for each in proposals)),
        ("惟句讀疑 all but punctuation", sum(each.certain and bool(each.likely) for each in proposals)),
        ("已從 accepted", sum(each.accepted for each in proposals)),
        ("已駁 rejected", sum(each.rejected for each in proposals)),
    )
    head = f"議 proposals：{len(proposals)}　" + "　".join(f"{said} {n}" for said, n in counts)
    return f"{head}\n{proposed_text(proposals)}"


def proposed_text(proposals: Iterable[Proposal]) -> str:
    """The same without their number: what was just accepted, rejected or proposed."""
    lines: list[str] = []
    for each in proposals:
        state = "從 accepted" if each.accepted else "駁 rejected" if each.rejected else "議 proposed"
        sure = "確 certain" if each.certain else "疑 likely"
        if each.certain and each.likely:
            sure += f"，惟 but for {each.likely} 疑 likely"
        words = _shown(each.emended) or "（刪 left out）"
        found = _shown(each.found) or "（無 nothing）"
        lines.append(f"{key_of(each)}　{state}　{sure}　[{each.start}:{each.end}]　{found} → {words}")
        said = "；".join(filter(None, (each.method, _shown(each.evidence), _codes(each))))
        lines.append(f"    {each.author}：{said}")
        if each.reason:
            lines.append(f"    {each.reviewer or each.author}：{visible(each.reason)}")
    return "\n".join(lines) + "\n"


def _private(character: str) -> bool:
    return unicodedata.category(character) == "Co"


def _shown(words: str) -> str:
    """Words on one line, private characters each as `UNKNOWN`."""
    return visible("".join(UNKNOWN if _private(one) else one for one in words))


def _codes(proposal: Proposal) -> str:
    """Say by their numbers which private characters a place has, in the order in which they are shown."""
    codes = [f"U+{ord(one):04X}" for one in proposal.found + proposal.emended if _private(one)]
    return f"{UNKNOWN} {' '.join(codes)}" if codes else ""
