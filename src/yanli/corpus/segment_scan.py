"""Goes through a text once, by its family's profile, and says of every character whose it is.

Comes in: the text as decoded, its profile, the work's author and compiler, where translations stand. Goes out: pieces
that cover the text in order, remarks, pages, and brackets that were never closed or opened. Every step goes forward:
the time is linear in the length, whatever stands in the file.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

import msgspec

from yanli.corpus.model import Layer, Piece, Remark
from yanli.corpus.profile import Block, Bracket, Element, Label, Profile, Work, forms, named

_BLANK = "\u3000"
_SAYS = re.compile(r"[曰云謂谓說说：:，,「“‘『《\s]+$")
_SAID = ("曰", "云", "謂", "谓", "說", "说")
_OPEN_LAYERS = frozenset({Layer.canon, Layer.heading, Layer.lemma, Layer.sign})
_GAP = r"(?:\n+\u3000{0,6})?"
_TAG = re.compile(r"<(?P<shut>/?)(?P<name>[A-Za-z][A-Za-z0-9:._-]{0,60})[^<>]*?(?P<void>/?)>")
_HTML_VOID = frozenset({"br", "hr", "img", "input", "meta", "link", "wbr", "col", "lb", "pb", "cb"})


class Frame:
    """Whose words are being read: a layer, a speaker, who quotes him, and the number of the remark once it has one."""

    __slots__ = ("layer", "lemma", "number", "quoted", "speaker")

    def __init__(self, layer: Layer, speaker: str | None = None, quoted: tuple[str, ...] = ()) -> None:
        self.layer = layer
        self.speaker = speaker
        self.quoted = quoted
        self.number: int | None = None
        self.lemma: str | None = None


class Loose(NamedTuple):
    """A bracket that has no other: where it stands, and whether it is the opening one."""

    start: int
    opening: bool


class Scanned(msgspec.Struct, frozen=True, kw_only=True):
    """What one reading gave."""

    pieces: tuple[Piece, ...]
    remarks: tuple[Remark, ...]
    pages: tuple[tuple[int, str], ...]
    loose: tuple[Loose, ...]


class _Rules(NamedTuple):
    """A profile made ready for reading."""

    token: re.Pattern[str]
    labels: re.Pattern[str] | None
    opens: dict[str, Bracket]
    closes: dict[str, Bracket]
    lines: tuple[re.Pattern[str], ...]
    page: re.Pattern[str] | None
    elements: dict[str, tuple[Element, ...]]
    quotes: tuple[re.Pattern[str], ...]
    on: re.Pattern[str] | None


def scan(
    text: str, profile: Profile, work: Work | None = None, translated: tuple[tuple[int, int], ...] = ()
) -> Scanned:
    """Read a text by a profile. ``translated`` are the ranges, in order, that hold a translation."""
    return _Scanner(text, profile, work or Work(find=""), translated).read()


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


@cache
def _rules(name: str, profile: Profile) -> _Rules:  # noqa: ARG001 - the name is what the cache tells apart
    opens = {bracket.open: bracket for bracket in profile.bracket}
    closes = {bracket.close: bracket for bracket in profile.bracket}
    ends = "".join(re.escape(sign) for sign in (*opens, *closes))
    signs = [r"[\s\ufeff]", *profile.signs, *([profile.page] if profile.page else [])]
    plain = [re.sub(r"\(\?P<\w+>", "(?:", sign) for sign in signs]
    starts = "".join({"<" if sign.startswith("<") else sign for sign in plain if sign in ("¶", "/") or sign[0] == "<"})
    stop = rf"\s\ufeff{re.escape(starts)}{ends}" + ("<" if profile.markup else "")
    parts = [rf"(?P<s>(?:{'|'.join(plain)})+)"]
    if ends:
        parts.append(rf"(?P<b>[{ends}])")
    if profile.markup:
        parts.append("(?P<t><[!?/A-Za-z])")
    parts.append(rf"(?P<r>[^{stop}]+|.)")
    labels = [f"(?P<L{at}>{expand(label.find, gaps=profile.gaps)})" for at, label in enumerate(profile.label)]
    elements: dict[str, tuple[Element, ...]] = {}
    for element in profile.element:
        key = element.name.lower()
        elements[key] = (*elements.get(key, ()), element)
    return _Rules(
        token=re.compile("|".join(parts), re.MULTILINE | re.DOTALL),
        labels=re.compile("|".join(labels), re.MULTILINE) if labels else None,
        opens=opens,
        closes=closes,
        lines=tuple(re.compile(line.find, re.MULTILINE) for line in profile.line),
        page=re.compile(profile.page) if profile.page else None,
        elements=elements,
        quotes=tuple(re.compile(quote.find) for quote in profile.quote),
        on=re.compile(profile.on) if profile.on else None,
    )


class _Scanner:
    """One reading of one text."""

    def __init__(self, text: str, profile: Profile, work: Work, translated: tuple[tuple[int, int], ...]) -> None:
        self.text = text
        self.profile = profile
        self.rules = _rules(profile.name, profile)
        self.work = work
        self.owner = work.compiler or work.author
        self.translated = list(reversed(translated))
        self.pieces: list[Piece] = []
        self.pages: list[tuple[int, str]] = []
        self.loose: list[Loose] = []
        self.spans: list[list[tuple[int, int]]] = []
        self.heads: list[tuple[Frame, int]] = []
        self.fixed = {layer: Frame(layer) for layer in _OPEN_LAYERS}
        self.base = self.fixed[profile.body] if profile.body in self.fixed else Frame(profile.body)
        self.stack: list[tuple[Frame, str, int]] = []
        self.named: dict[str, int] = {}
        self.last: tuple[str, Frame] | None = None
        self.line = 1
        self.page: str | None = None
        self.canon = 0
        self.lemma: list[str] = []
        self.line_at = self.space_at = self.open_at = self.label_at = -1
        self.flush = False
        self.flush_layer: Layer | None = None
        self.before: Frame | None = None
        self.front = 0
        self.carriage = "\r" in text
        self.missing: set[str] = set()

    def read(self) -> Scanned:
        text, rules, size = self.text, self.rules, len(self.text)
        if self.profile.front:
            found = re.search(self.profile.front, text)
            self.front = text.rfind("\n", 0, found.start()) + 1 if found else 0
        marks = rules.labels.finditer(text) if rules.labels else iter(())
        mark = next(marks, None)
        position = 0
        match = rules.token.match
        if not text[:1].isspace():
            self.begin_line(0, 0, 0)
        while position < size:
            token = match(text, position)
            if token is None:  # pragma: no cover - every character is some token
                break
            kind, end = token.lastgroup, token.end()
            if kind == "r":
                while mark is not None and mark.start() < position:
                    mark = next(marks, None)
                while mark is not None and mark.start() < end:
                    label = self.profile.label[int(str(mark.lastgroup)[1:])]
                    if self.counts(label, mark):
                        self.put(position, mark.start())
                        self.take(label, mark)
                        position = mark.end()
                    mark = next(marks, None)
                    while mark is not None and mark.start() < position:
                        mark = next(marks, None)
                if position < end:
                    self.put(position, end)
                    position = end
                self.last = self.last if self.stack else None
                continue
            if kind == "s":
                self.sign(position, end)
            elif kind == "b":
                self.bracket(position)
            else:
                end = self.tag(position)
            position = end
        while self.stack:
            _, kind_of, start = self.stack.pop()
            if not kind_of.startswith("<"):
                self.loose.append(Loose(start, opening=True))
        return Scanned(
            pieces=tuple(self.pieces),
            remarks=tuple(self.remarks()),
            pages=tuple(self.pages),
            loose=tuple(sorted(self.loose)),
        )

    def top(self) -> Frame:
        return self.stack[-1][0] if self.stack else self.base

    def lines_in(self, start: int, end: int) -> int:
        count = self.text.count("\n", start, end)
        if self.carriage:
            count += self.text.count("\r", start, end) - self.text.count("\r\n", start, end)
        return count

    def put(self, start: int, end: int) -> None:
        """Give a stretch of words to whoever is speaking."""
        if start >= end:
            return
        frame = self.top()
        layer = frame.layer
        if layer is Layer.canon:
            self.canon += end - start
        elif layer is Layer.lemma:
            self.lemma.append(self.text[start:end])
        elif layer not in _OPEN_LAYERS:
            if frame.number is None:
                frame.number = len(self.spans)
                frame.lemma = _BLANK.join(self.lemma) or None
                self.lemma.clear()
                self.spans.append([])
                self.heads.append((frame, self.canon))
            spans = self.spans[frame.number]
            if spans and spans[-1][1] == start:
                spans[-1] = (spans[-1][0], end)
            else:
                spans.append((start, end))
            if self.rules.quotes and self.quoted(frame, start, end):
                return
        self.add(start, end, layer, frame)

    def quoted(self, frame: Frame, start: int, end: int) -> bool:
        """Cut the words quoted within a remark out as pieces of their own; the remark keeps them."""
        cuts: list[tuple[int, int, str | None]] = []
        for quote, pattern in zip(self.profile.quote, self.rules.quotes, strict=True):
            if frame.layer in quote.within:
                cuts += [(*found.span("words"), quote.speaker) for found in pattern.finditer(self.text, start, end)]
        if not cuts:
            return False
        by = (frame.speaker, *frame.quoted) if frame.speaker else frame.quoted
        at = start
        for first, last, speaker in sorted(cuts, key=lambda cut: cut[:2]):
            if first < at:
                continue
            if first > at:
                self.add(at, first, frame.layer, frame)
            inner = Frame(Layer.lemma, speaker, by)
            inner.number = frame.number
            self.add(first, last, Layer.lemma, inner)
            at = last
        if at < end:
            self.add(at, end, frame.layer, frame)
        return True

    def add(self, start: int, end: int, layer: Layer, frame: Frame | None) -> None:
        pieces = self.pieces
        if pieces:
            last = pieces[-1]
            if frame is None:
                if last.layer is layer and last.page == self.page:
                    pieces[-1] = Piece(start=last.start, end=end, layer=layer, line=last.line, page=last.page)
                    return
            elif (
                last.layer is layer
                and last.remark == frame.number
                and last.speaker == frame.speaker
                and last.quoted_by == frame.quoted
                and last.line == self.line
                and last.page == self.page
            ):
                pieces[-1] = msgspec.structs.replace(last, end=end)
                return
        if frame is None:
            pieces.append(Piece(start=start, end=end, layer=layer, line=self.line, page=self.page))
            return
        pieces.append(
            Piece(
                start=start,
                end=end,
                layer=layer,
                line=self.line,
                page=self.page,
                speaker=frame.speaker,
                quoted_by=frame.quoted,
                remark=frame.number,
            )
        )

    def sign(self, start: int, end: int) -> None:
        """Signs of the copy: page marks, blanks, line ends; a line end begins a line."""
        self.add(start, end, Layer.sign, None)
        new = self.lines_in(start, end)
        words = self.text[start:end]
        if self.rules.page is not None and "<" in words:
            for found in self.rules.page.finditer(words):
                self.page = found["page"]
                self.pages.append((start + found.start(), self.page))
        self.line += new
        if new or start == 0:
            tail = words[max(words.rfind("\n"), words.rfind("\r"), words.rfind(">")) + 1 :]
            self.begin_line(end, tail.count(_BLANK), start)
        elif _BLANK in words or " " in words:
            self.space_at = end
            if self.profile.blank is not None and not self.stack and self.base.layer is not Layer.heading:
                self.base = self.fixed[self.profile.blank]

    def begin_line(self, position: int, indent: int, ended: int) -> None:
        """Tell by its indent and its first words of what layer a line is."""
        short = ended - self.line_at < self.profile.short
        self.line_at = position
        while self.stack and not self.stack[-1][1].startswith("<"):
            bracket = self.rules.opens[self.stack[-1][1]]
            frame, _, start = self.stack.pop()
            self.loose.append(Loose(start, opening=True))
            self.last = (bracket.open, frame) if bracket.joins else None
        if self.stack or position >= len(self.text):
            return
        if self.in_translation(position):
            return
        base = self.base
        if position < self.front:
            self.base = self.fixed[Layer.heading]
            return
        if self.rules.on is not None and self.rules.on.match(self.text, position):
            return
        for rule, pattern in zip(self.profile.line, self.rules.lines, strict=True):
            if rule.indent[0] <= indent <= rule.indent[1] and pattern.match(self.text, position):
                self.base = self.fixed.get(rule.layer) or Frame(rule.layer, *self.who(None, own=True))
                self.flush = False
                self.flush_layer = rule.flush or self.flush_layer
                return
        if self.flush and indent == 0 and not short:
            return
        self.flush = False
        for block in self.profile.block:
            if block.indent[0] <= indent <= block.indent[1]:
                self.base = self.of_block(block, base, indent)
                return

    def of_block(self, block: Block, base: Frame, indent: int) -> Frame:
        layer = self.flush_layer if self.flush_layer and indent == 0 else block.layer
        if layer in self.fixed:
            return self.fixed[layer]
        if block.goes_on and base.layer not in _OPEN_LAYERS:
            return base
        return Frame(layer, *self.who(block.speaker, own=True))

    def in_translation(self, position: int) -> bool:
        """Within a translation every line is a remark of its own; what was cut by it goes on behind it."""
        while self.translated and self.translated[-1][1] <= position:
            self.translated.pop()
            if self.before is not None:
                self.base, self.before = self.before, None
                return True
        if not self.translated or position < self.translated[-1][0]:
            self.before = None
            return False
        if self.base.layer is not Layer.translation:
            start = self.translated[-1][0]
            ended = self.text[max(0, start - 9) : start].rstrip()[-1:] in "。”」』】？！"
            self.before = None if ended else self.base
        self.base = Frame(Layer.translation)
        return True

    def who(self, speaker: str | None, words: str = "", *, own: bool) -> tuple[str | None, tuple[str, ...]]:
        """Give the speaker's full name, and who quotes him."""
        if speaker == "@author":
            name = self.work.author
        elif speaker == "@compiler":
            name = self.work.compiler or self.work.author
        elif speaker == "@matched":
            name = named(words)[0]
        else:
            name = speaker
        if own or name is None or self.owner is None or name == self.owner:
            return name, ()
        return name, (self.owner,)

    def counts(self, label: Label, mark: re.Match[str]) -> bool:
        """Tell whether a label's words are a label here."""
        at = mark.start()
        frame = self.top()
        if frame.layer not in label.within if label.within else frame.layer is Layer.translation:
            return False
        if at < self.front and not self.stack:
            return False
        if label.barred and at and self.text[at - 1] in label.barred:
            return False
        inside = bool(self.stack) and not self.stack[-1][1].startswith("<")
        for where in label.where:
            if (
                where == "any"
                or (where == "inside" and inside)
                or (where == "line" and at == self.line_at and not inside)
                or (where == "space" and at == self.space_at)
                or (where == "bracket" and at == self.open_at and inside)
                or (where == "label" and at == self.label_at)
            ):
                return True
        return False

    def take(self, label: Label, mark: re.Match[str]) -> None:
        """From a label on, another is speaking."""
        start, end = mark.span()
        frame = self.top()
        words = _clean(mark[0])
        speaker, quoted = self.who(label.speaker, words, own=label.own)
        layer = label.layer
        if label.speaker == "@matched" and layer is Layer.remark:
            layer = named(words)[1]
        if frame.layer is Layer.translation and layer not in self.fixed:
            layer = Layer.translation
        if label.quotes and start == self.label_at and frame.speaker and frame.speaker != speaker:
            quoted = (frame.speaker, *frame.quoted)
        if start < end:
            if label.mark is Layer.lemma:
                self.lemma.append(self.text[start:end])
            self.add(start, end, label.mark, None if label.mark is Layer.sign else self.fixed[label.mark])
        new = self.fixed[layer] if layer in self.fixed else Frame(layer, speaker, quoted)
        self.label_at = end
        self.line += self.lines_in(start, end)
        if self.stack:
            _, kind, opened = self.stack[-1]
            self.stack[-1] = (new, kind, opened)
            return
        if self.profile.short and start == self.line_at and self.text[start - 1 : start] == "\n":
            self.flush = True
        self.base = new

    def bracket(self, position: int) -> None:
        """An opening bracket sets a layer apart, a closing one gives back the layer around it."""
        sign = self.text[position]
        if opening := self.rules.opens.get(sign):
            frame = self.top()
            if frame.layer is Layer.translation:
                new = Frame(Layer.translation)
            elif opening.joins and self.last is not None and self.last[0] == sign:
                new = self.last[1]
            elif frame.layer in _OPEN_LAYERS or opening.inside is None:
                new = Frame(opening.layer, *self.who(opening.speaker, own=True))
            else:
                new = Frame(opening.inside, *self.who(opening.inside_speaker or opening.speaker, own=False))
            self.add(position, position + 1, Layer.sign, None)
            self.stack.append((new, sign, position))
            self.open_at = position + 1
            return
        closing = self.rules.closes[sign]
        self.add(position, position + 1, Layer.sign, None)
        if self.stack and self.stack[-1][1] == closing.open:
            frame, _, _ = self.stack.pop()
            self.last = (closing.open, frame) if closing.joins else None
        else:
            self.loose.append(Loose(position, opening=False))

    def tag(self, position: int) -> int:
        """A markup tag is a sign, and may open or close a layer; gives where it ends."""
        text = self.text
        for opening, closing in (("<!--", "-->"), ("<![CDATA[", None), ("<!", ">"), ("<?", "?>")):
            if text.startswith(opening, position):
                end = position + len(opening)
                if closing is not None:
                    end = self.find(closing, position) or end
                return self.skip(position, end)
        found = _TAG.match(text, position)
        if found is None:
            self.put(position, position + 1)
            return position + 1
        name = found["name"].lower()
        if found["shut"]:
            self.skip(position, found.end())
            self.shut(f"<{name}")
            return found.end()
        end = found.end()
        if name == "pb" and (page := re.search(r"""\bn=["']([^"']{1,60})""", found[0])):
            self.page = page[1]
            self.pages.append((position, self.page))
        element = next(
            (
                one
                for one in self.rules.elements.get(name, ())
                if not one.attribute or re.search(one.attribute, found[0])
            ),
            None,
        )
        if element is not None and element.skip and not found["void"]:
            closed = self.find(f"</{found['name']}", end)
            return self.skip(position, closed if closed is not None else end)
        self.skip(position, end)
        if found["void"] or name in _HTML_VOID:
            return end
        frame = self.top()
        if element is not None and element.layer is not None:
            layer = element.layer
            frame = self.fixed.get(layer) or Frame(layer, *self.who(element.speaker, own=True))
        self.stack.append((frame, f"<{name}", position))
        self.named[f"<{name}"] = self.named.get(f"<{name}", 0) + 1
        return end

    def find(self, words: str, position: int) -> int | None:
        """Where words next end, None if nowhere any more; what was missed once is not looked for again."""
        if words in self.missing:
            return None
        at = self.text.find(words, position)
        if at < 0:
            self.missing.add(words)
            return None
        return at + len(words)

    def skip(self, start: int, end: int) -> int:
        self.add(start, end, Layer.sign, None)
        self.line += self.lines_in(start, end)
        self.line_at = self.open_at = end
        return end

    def shut(self, kind: str) -> None:
        """Close an element and whatever was left open within it."""
        if not self.named.get(kind):
            return
        while self.stack:
            _, found, start = self.stack.pop()
            if found.startswith("<"):
                self.named[found] -= 1
            else:
                self.loose.append(Loose(start, opening=True))
            if found == kind:
                return

    def remarks(self) -> list[Remark]:
        """Put the parts of each remark together."""
        text = self.text
        return [
            Remark(
                number=number,
                layer=frame.layer,
                text="".join(text[start:end] for start, end in spans),
                spans=tuple(spans),
                after=after,
                speaker=frame.speaker,
                quoted_by=frame.quoted,
                lemma=frame.lemma,
            )
            for number, (spans, (frame, after)) in enumerate(zip(self.spans, self.heads, strict=True))
        ]


def _clean(words: str) -> str:
    """A speaker's name out of a label: without blanks, line ends, and the word for saying."""
    name = "".join(words.split()).strip("：:，,。「“‘『《")
    while name.endswith(_SAID):
        name = name[:-1]
    return _SAYS.sub("", name)
