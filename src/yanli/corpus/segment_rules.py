"""A family's profile made ready for reading: one pattern for what a text is made of, one for its labels.

Comes in: a profile. Goes out: compiled patterns. What the profile says in words (``{speaker}``) is written out here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from yanli.corpus.model import Layer
from yanli.corpus.profile import Bracket, Element, Label, Profile, Quote, forms

# A line end, with the marks of line, page and note that a copy has there, and the indent of the next line.
_GAP = r"(?:\)?¶?\n+(?:<pb:[^>\n]{1,80}>¶?\n+)?\u3000{0,6}\(?)?"
_MARK = re.compile(r"<pb:[^>\n]{1,80}>|[¶()]")
_SAYS = re.compile(r"[曰云謂谓說说：:，,「“‘『《\s]+$")
_SEEN_BEFORE = re.compile(r"\(\?<[=!](?:\[[^\]]*\]|[^()\[\]])*\)|\(\?=(?=\[)")
_CHOICE = re.compile(r"\(\?:(?P<all>[^()]*)\)(?![?*{])")
# One character or set of some, which must be there.
_HEAD = re.compile(r"(?:[\u3400-\u9fff○]|\[[\u3400-\u9fff]+\])(?![?*{])")
_RESTS = 6
_ENDS = "。”」』】？！"
_SAID = re.compile("(?:[曰云謂谓說说]|解[釋释])+$")


class Rules(NamedTuple):
    """A profile made ready for reading."""

    token: re.Pattern[str]
    """what stands somewhere: signs (``s``), a bracket (``b``), a tag (``t``), words (``r``), or one odd character"""
    stretch: re.Pattern[str]
    """the same, words with what ends them: nothing begins within words but at a line's beginning"""
    labels: re.Pattern[str] | None
    opens: dict[str, Bracket]
    closes: dict[str, Bracket]
    lines: tuple[re.Pattern[str], ...]
    any_line: Callable[[str, int], re.Match[str] | None]
    page: re.Pattern[str] | None
    elements: dict[str, tuple[Element, ...]]
    quotes: tuple[tuple[Quote, re.Pattern[str]], ...]
    on: re.Pattern[str] | None


def expand(find: str, *, gaps: bool) -> str:
    """Write ``{speaker}`` of a pattern out: every name in the table, and 某氏某某 whoever he is.

    With ``gaps`` a name may be cut by a line's end (贾氏⏎公彦曰).
    """
    if "{speaker}" not in find:
        return find
    gap = _GAP if gaps else ""
    names = sorted((form for form in forms() if len(form) > 1), key=lambda form: (-len(form), form))
    known = [gap.join(map(re.escape, name)) for name in names if name[1:2] != "氏"]
    other = gap.join(["[\u3400-\u9fff]", "[氏氐]", "(?![的所等说說之以亦])[\u3400-\u9fff]", "[\u3400-\u9fff]?" + gap])
    return find.replace("{speaker}", f"(?:{'|'.join((*known, other))}){gap}")


def heads(label: Label, *, gaps: bool) -> list[str]:
    """Give what a label's words can begin with: sets and single characters, or patterns that see on; none if unknown.

    A pattern is read as far as it is simple: behind what it sees before it, one character or set, or several to choose
    from. What is not so says it itself (``first``).
    """
    if label.first:
        return [label.first]
    find = _SEEN_BEFORE.sub("", label.find)
    if find.startswith("{speaker}"):
        known = "".join(sorted({form[0] for form in forms() if len(form) > 1}))
        return [f"[{known}]", ".(?:[氏氐]|[)¶\n])" if gaps else ".[氏氐]"]
    choice = _CHOICE.match(find)
    found = [_HEAD.match(each) for each in (choice["all"].split("|") if choice else [find])]
    return [head[0] for head in found if head is not None] if all(found) else []


def _gate(profile: Profile) -> str:
    """What is tried at every place of a text before the labels themselves: whether any can begin there."""
    found = [heads(label, gaps=profile.gaps) for label in profile.label]
    if len(found) < 2 or not all(found):  # noqa: PLR2004 - what a single one begins with is looked for by `re` itself
        return ""
    simple = {head.strip("[]") for each in found for head in each if _HEAD.fullmatch(head)}
    others = {head for each in found for head in each if not _HEAD.fullmatch(head)}
    tried = [f"[{''.join(sorted(simple))}]", *sorted(others)]
    return f"(?={'|'.join(tried)})"


@cache
def rules_of(name: str, profile: Profile) -> Rules:  # noqa: ARG001 - the name is what the cache tells apart
    """Compile a profile. Raises re.error when one of its patterns is none."""
    opens = {bracket.open: bracket for bracket in profile.bracket}
    closes = {bracket.close: bracket for bracket in profile.bracket}
    ends = "".join(re.escape(sign) for sign in (*opens, *closes))
    signs = [r"[\s\ufeff]", *profile.signs, *([profile.page] if profile.page else [])]
    plain = [re.sub(r"\(\?P<\w+>", "(?:", sign) for sign in signs]
    stop = rf"\s\ufeff{re.escape(profile.stops)}{ends}" + ("<" if profile.page or profile.markup else "")
    parts = [rf"(?P<s>(?:{'|'.join(plain)})+)"]
    if ends:
        parts.append(rf"(?P<b>[{ends}])")
    if profile.markup:
        parts.append("(?P<t><[!?/A-Za-z])")
    run = rf"(?:[^{stop}]+|<(?![!?/A-Za-z]))" if profile.markup else f"[^{stop}]"
    token = "|".join([*parts, f"(?P<r>{run}+)", "(?P<x>.)"])
    stretch = f"(?P<r>{run}*+)(?:{'|'.join(parts)}|(?P<x>.)|$)"
    labels = [f"(?P<L{at}>{expand(label.find, gaps=profile.gaps)})" for at, label in enumerate(profile.label)]
    elements: dict[str, tuple[Element, ...]] = {}
    for element in profile.element:
        key = element.name.lower()
        elements[key] = (*elements.get(key, ()), element)
    return Rules(
        token=re.compile(token, re.MULTILINE | re.DOTALL),
        stretch=re.compile(stretch, re.MULTILINE | re.DOTALL),
        labels=re.compile(_gate(profile) + f"(?:{'|'.join(labels)})", re.MULTILINE) if labels else None,
        opens=opens,
        closes=closes,
        any_line=re.compile("|".join(f"(?:{line.find})" for line in profile.line) or "(?!)", re.MULTILINE).match,
        lines=tuple(re.compile(line.find, re.MULTILINE) for line in profile.line),
        page=re.compile(profile.page) if profile.page else None,
        elements=elements,
        quotes=tuple((quote, re.compile(quote.find)) for quote in profile.quote),
        on=re.compile(profile.on) if profile.on else None,
    )


def said_by(words: str) -> str:
    """A speaker's name out of a label: without blanks, line ends, and the word for saying."""
    name = "".join(_MARK.sub("", words).split()).strip("：:，,。「“‘『《")
    return _SAYS.sub("", _SAID.sub("", name))


def element_of(rules: Rules, name: str, tag: str) -> Element | None:
    """What the family says of an element, by its name in small letters and its whole tag; None if nothing."""
    fitting = (one for one in rules.elements.get(name, ()) if not one.attribute or re.search(one.attribute, tag))
    return next(fitting, None)


def quotations(rules: Rules, layer: Layer, text: str, start: int, end: int) -> list[tuple[int, int, str | None]]:
    """Where words are quoted within a remark of this layer, and whose they are, as far as that is told; in order."""
    cuts: list[tuple[int, int, str | None]] = []
    for quote, pattern in rules.quotes:
        if layer in quote.within:
            cuts += [(*found.span("words"), quote.speaker) for found in pattern.finditer(text, start, end)]
    return sorted(cuts, key=lambda cut: cut[:2])


def goes_on(text: str, profile: Profile, layer: Layer, position: int) -> bool:
    """Tell whether what a translation cut goes on behind it: where the translation itself was cut.

    ``layer`` is that of what was cut; a heading has only a few characters.
    """
    end = text.find("\n", position)
    if layer is Layer.heading:
        return 0 < end - position <= _RESTS
    rule = profile.translation
    if rule is not None and end >= 0 and re.compile(rule.follows_canon).match(text, end + 1):
        return False
    return not ended(text, position)


def ended(text: str, position: int) -> bool:
    """Tell whether the line before ends as a sentence does."""
    return text[max(0, position - 9) : position].rstrip()[-1:] in _ENDS
