"""Goes through a text once, by its family's profile, and says of every character whose it is.

Comes in: the text as decoded, its profile, the work's author and compiler, where translations stand. Goes out: pieces
that cover the text in order, remarks, pages, and brackets that were never closed or opened. Every step goes forward:
the time is linear in the length, whatever stands in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from yanli.corpus.model import Layer, Piece, Remark
from yanli.corpus.profile import Block, Label, Profile, Work, named
from yanli.corpus.segment_rules import rules_of, said_by
from yanli.errors import Finding, RiteError

MOST_PIECES = 10_000_000
"""A piece takes about 200 bytes, and 400 while it is packed: a file cut into more than these (a hundred megabytes of
well-made text have no more) could use up a machine's memory, and is refused."""
_BLANK = "\u3000"
# Looking a member up on an enum is slow where it is done for every stretch of words.
_CANON, _LEMMA, _SIGN = Layer.canon, Layer.lemma, Layer.sign
# A tuple: an enum's hash is slow, and these are looked up for every stretch of words.
_OPEN_LAYERS = (Layer.canon, Layer.heading, Layer.lemma, Layer.sign)
_TAG = re.compile(r"<(?P<shut>/?)(?P<name>[A-Za-z][A-Za-z0-9:._-]{0,60})[^<>]*?(?P<void>/?)>")
_DEEPEST = 20_000
_LOOSE = 5_000
_RESTS = 6
_ENDS = "。”」』】？！"
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


def scan(
    text: str, profile: Profile, work: Work | None = None, translated: tuple[tuple[int, int], ...] = ()
) -> Scanned:
    """Read a text by a profile. ``translated`` are the ranges, in order, that hold a translation.

    Raises RiteError (``too-many-pieces``) for a file that memory could not hold.
    """
    return _Scanner(text, profile, work or Work(find=""), translated).read()


def too_many(position: int, size: int) -> RiteError:
    """Say that a file is cut into more pieces than can be held."""
    cause = f"{size} characters are cut into more than {MOST_PIECES} pieces by character {position}; divide the file"
    return RiteError(Finding(code="too-many-pieces", cause=cause))


class _Scanner:
    """One reading of one text."""

    def __init__(self, text: str, profile: Profile, work: Work, translated: tuple[tuple[int, int], ...]) -> None:
        self.text = text
        self.profile = profile
        self.rules = rules_of(profile.name, profile)
        self.work = work
        self.owner = work.compiler or work.author
        self.translated = list(reversed(translated))
        self.pieces: list[Piece] = []
        self.pages: list[tuple[int, str]] = []
        self.loose: list[Loose] = []
        self.spans: list[list[tuple[int, int]]] = []
        self.heads: list[tuple[Frame, int]] = []
        self.fixed = tuple(Frame(layer) for layer in _OPEN_LAYERS)
        self.base = self.open(profile.body) or Frame(profile.body)
        self.stack: list[tuple[Frame, str, int]] = []
        self.named: dict[str, int] = {}
        self.last: tuple[str, Frame] | None = None
        self.line = 1
        self.page: str | None = None
        self.canon = 0
        self.lemma: list[str] = []
        self.line_at = self.space_at = self.open_at = self.shut_at = self.label_at = -1
        self.flush = False
        self.flush_layer: Layer | None = None
        self.before: Frame | None = None
        self.front = 0
        self.carriage = "\r" in text
        self.missing: set[str] = set()
        self.signs: tuple[int, int] | None = None
        self.seen: dict[str, tuple[int, int, bool]] = {}
        self.marks: Iterator[re.Match[str]] = self.rules.labels.finditer(text) if self.rules.labels else iter(())
        self.mark = next(self.marks, None)
        self.mark_at = self.mark.start() if self.mark is not None else -1
        self.whose: dict[str, tuple[str | None, tuple[str, ...]]] = {}

    def read(self) -> Scanned:
        """Go from the first to the last character."""
        text, size, match = self.text, len(self.text), self.rules.token.match
        if self.profile.front:
            found = re.search(self.profile.front, text)
            self.front = text.rfind("\n", 0, found.start()) + 1 if found else 0
        if not text[:1].isspace():
            self.begin_line(0, 0, 0)
        position = 0
        while position < size:
            token = match(text, position)
            if token is None:  # pragma: no cover - every character is some token
                break
            kind, end = token.lastgroup, token.end()
            if kind == "r":
                position = self.run(position, end)
            elif kind == "s":
                self.sign(position, end)
                position = end
            elif kind == "b":
                self.bracket(position)
                position = end
            else:
                position = self.tag(position)
        self.flush_signs(size)
        for _, kind, start in self.stack:
            if not kind.startswith("<"):
                self.miss(start, opening=True)
        return Scanned(
            pieces=tuple(self.pieces),
            remarks=tuple(self.remarks()),
            pages=tuple(self.pages),
            loose=tuple(sorted(self.loose)),
        )

    def run(self, position: int, end: int) -> int:
        """Words, with the labels that stand among them; gives where it stopped reading (a label may reach further)."""
        mark = self.mark
        while mark is not None and self.mark_at < end:
            if mark.start() >= position:
                label = self.profile.label[int(str(mark.lastgroup)[1:])]
                if self.counts(label, mark):
                    if position < mark.start():
                        self.put(position, mark.start())
                    self.take(label, mark)
                    position = mark.end()
            mark = self.mark = next(self.marks, None)
            self.mark_at = mark.start() if mark is not None else -1
        if position < end:
            self.put(position, end)
            position = end
        if not self.stack:
            self.last = None
        return position

    def miss(self, start: int, *, opening: bool) -> None:
        """Note a bracket that has no other; of a file that is nothing but brackets not all are of use."""
        if len(self.loose) <= _LOOSE:
            self.loose.append(Loose(start, opening))

    def open(self, layer: Layer) -> Frame | None:
        """Give the one frame of a layer that has no remarks; None for the others."""
        for frame in self.fixed:
            if frame.layer is layer:
                return frame
        return None

    def top(self) -> Frame:
        return self.stack[-1][0] if self.stack else self.base

    def lines_in(self, start: int, end: int) -> int:
        count = self.text.count("\n", start, end)
        if self.carriage:
            count += self.text.count("\r", start, end) - self.text.count("\r\n", start, end)
        return count

    def put(self, start: int, end: int) -> None:
        """Give a stretch of words to whoever is speaking."""
        frame = self.stack[-1][0] if self.stack else self.base
        layer = frame.layer
        if layer is _CANON:
            self.canon += end - start
        elif layer is _LEMMA:
            self.lemma.append(self.text[start:end])
        elif layer not in _OPEN_LAYERS:
            if frame.number is None:
                frame.number = len(self.spans)
                frame.lemma = _BLANK.join(self.lemma) or None
                self.lemma.clear()
                self.spans.append([])
                self.heads.append((frame, self.canon))
            self.spans[frame.number].append((start, end))
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

    def add(self, start: int, end: int, layer: Layer, frame: Frame) -> None:
        """Note a piece; the signs before it end here."""
        if len(self.pieces) > MOST_PIECES:
            raise too_many(start, len(self.text))
        if self.signs is not None:
            begun, line = self.signs
            if begun < start:
                self.pieces.append(Piece(start=begun, end=start, layer=_SIGN, line=line, page=self.page))
            self.signs = None
        self.pieces.append(
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

    def add_sign(self, start: int) -> None:
        """From here on there are signs, up to the next words."""
        if self.signs is None:
            self.signs = (start, self.line)

    def flush_signs(self, end: int) -> None:
        """Note the signs since the last words as one piece."""
        if self.signs is not None:
            start, line = self.signs
            if start < end:
                self.pieces.append(Piece(start=start, end=end, layer=Layer.sign, line=line, page=self.page))
            self.signs = None

    def sign(self, start: int, end: int) -> None:
        """Signs of the copy: page marks, blanks, line ends; a line end begins a line."""
        words = self.text[start:end]
        self.add_sign(start)
        known = self.seen.get(words)
        if known is None:
            tail = words[max(words.rfind("\n"), words.rfind("\r"), words.rfind(">")) + 1 :]
            known = self.lines_in(start, end), tail.count(_BLANK), _BLANK in words or " " in words
            if self.rules.page is not None and "<" in words:
                self.turn(start, end)
            else:
                self.seen[words] = known
        new, indent, blank = known
        self.line += new
        if new or start == 0:
            self.begin_line(end, indent, start, gap=new > 1)
        elif blank:
            self.space_at = end
            if self.profile.blank is not None and not self.stack:
                self.back(self.profile.blank, start)

    def back(self, layer: Layer, start: int) -> None:
        """At a blank a layer comes back, but not in a heading, and not where the words before it go on."""
        if self.base.layer is not Layer.heading and not self.holds(start):
            self.base = self.open(layer) or self.base

    def holds(self, start: int) -> bool:
        """Tell whether the words before a blank or a line's end announce what comes behind it (下記云：)."""
        unless = self.profile.unless
        return bool(unless) and self.base.layer not in _OPEN_LAYERS and self.text[start - 1 : start] in unless

    def turn(self, start: int, end: int) -> None:
        """Turn the page at every page mark; signs before it are on the page before."""
        if self.rules.page is None:
            return
        for found in self.rules.page.finditer(self.text, start, end):
            line = self.line + self.lines_in(start, found.start())
            self.flush_signs(found.start())
            self.page = found["page"]
            self.pages.append((found.start(), self.page))
            self.signs = (found.start(), line)

    def begin_line(self, position: int, indent: int, ended: int, *, gap: bool = False) -> None:
        """Tell by its indent and its first words of what layer a line is; ``gap``: an empty line is before it."""
        short = ended - self.line_at < self.profile.short
        self.line_at = position
        self.break_off(gap=gap)
        if self.stack or position >= len(self.text) or self.in_translation(position):
            return
        if position < self.front:
            self.base = self.open(Layer.heading) or self.base
        elif not self.holds(ended) and not (self.rules.on is not None and self.rules.on.match(self.text, position)):
            self.begin_words(position, indent, short=short)

    def break_off(self, *, gap: bool) -> None:
        """No bracket goes on behind the end of its line, or of its paragraph where lines are wrapped."""
        while self.stack and not self.stack[-1][1].startswith("<"):
            bracket = self.rules.opens[self.stack[-1][1]]
            if bracket.crosses and not gap:
                return
            frame, _, start = self.stack.pop()
            self.miss(start, opening=True)
            self.last = (bracket.open, frame) if bracket.joins else None

    def begin_words(self, position: int, indent: int, *, short: bool) -> None:
        """A rule for whole lines tells first, then whether commentary goes on without indent, then the indent."""
        base = self.base
        if self.rules.any_line(self.text, position):
            for rule, pattern in zip(self.profile.line, self.rules.lines, strict=True):
                if rule.indent[0] <= indent <= rule.indent[1] and pattern.match(self.text, position):
                    self.flush = False
                    self.flush_layer = rule.flush or self.flush_layer
                    if base.layer is not rule.layer:
                        self.base = self.open(rule.layer) or Frame(rule.layer, *self.who(None, own=True))
                    return
        if self.flush and indent == 0 and not short:
            return
        self.flush = False
        for block in self.profile.block:
            if block.indent[0] <= indent <= block.indent[1]:
                self.base = self.of_block(block, base, indent)
                return
        if base.layer is Layer.heading:
            self.base = self.open(self.profile.body) or base

    def of_block(self, block: Block, base: Frame, indent: int) -> Frame:
        layer = self.flush_layer if self.flush_layer and indent == 0 else block.layer
        if (fixed := self.open(layer)) is not None:
            return fixed
        if block.goes_on and base.layer not in _OPEN_LAYERS:
            return base
        return Frame(layer, *self.who(block.speaker, own=True))

    def in_translation(self, position: int) -> bool:
        """Within a translation every line is a remark of its own; what was cut by it goes on behind it."""
        while self.translated and self.translated[-1][1] <= position:
            self.translated.pop()
            if self.before is not None and self.goes_on(self.before, position):
                self.base, self.before = self.before, None
                return True
        if not self.translated or position < self.translated[-1][0]:
            self.before = None
            return False
        if self.base.layer is not Layer.translation:
            self.before = None if self.ended(self.translated[-1][0]) else self.base
        self.base = Frame(Layer.translation)
        return True

    def goes_on(self, before: Frame, position: int) -> bool:
        """What a translation cut goes on where the translation is cut itself; a heading has only a few characters."""
        end = self.text.find("\n", position)
        if before.layer is Layer.heading:
            return 0 < end - position <= _RESTS
        rule = self.profile.translation
        if rule is not None and end >= 0 and re.compile(rule.follows_canon).match(self.text, end + 1):
            return False
        return not self.ended(position)

    def ended(self, position: int) -> bool:
        """Tell whether the line before ends as a sentence does."""
        return self.text[max(0, position - 9) : position].rstrip()[-1:] in _ENDS

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
                or (where == "after" and at == self.shut_at and not inside)
                or (where == "label" and at == self.label_at)
            ):
                return True
        return False

    def take(self, label: Label, mark: re.Match[str]) -> None:
        """From a label on, another is speaking."""
        start, end = mark.span()
        frame = self.top()
        words = said_by(mark[0])
        speaker, quoted = self.who(label.speaker, words, own=label.own)
        layer = label.layer
        if label.speaker == "@matched" and layer is Layer.remark:
            layer = named(words)[1]
        if frame.layer is Layer.translation and layer not in _OPEN_LAYERS:
            layer = Layer.translation
        if label.quotes and start == self.label_at and frame.speaker and frame.speaker != speaker:
            quoted = (frame.speaker, *frame.quoted)
        if start < end:
            if label.mark is Layer.lemma:
                self.lemma.append(self.text[start:end])
            if label.mark is Layer.sign:
                self.add_sign(start)
            else:
                self.add(start, end, label.mark, self.open(label.mark) or Frame(label.mark))
        new = self.open(layer) or Frame(layer, speaker, quoted)
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
        if (opening := self.rules.opens.get(sign)) and len(self.stack) < _DEEPEST:
            frame = self.top()
            if frame.layer is Layer.translation:
                new = Frame(Layer.translation)
            elif opening.joins and self.last is not None and self.last[0] == sign:
                new = self.last[1]
            elif frame.layer in _OPEN_LAYERS or opening.inside is None:
                whose = self.whose.get(sign)
                if whose is None:
                    whose = self.whose[sign] = self.who(opening.speaker, own=True)
                new = Frame(opening.layer, *whose)
            else:
                new = Frame(opening.inside, *self.who(opening.inside_speaker or opening.speaker, own=False))
            self.add_sign(position)
            self.stack.append((new, sign, position))
            self.open_at = position + 1
            return
        closing = self.rules.closes.get(sign)
        self.add_sign(position)
        if closing is None:
            self.miss(position, opening=True)
        elif self.stack and self.stack[-1][1] == closing.open:
            frame, _, _ = self.stack.pop()
            self.last = (closing.open, frame) if closing.joins else None
            self.shut_at = position + 1
        else:
            self.miss(position, opening=False)

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
            self.flush_signs(position)
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
            return self.skip(position, (self.find(">", closed) or closed) if closed is not None else end)
        self.skip(position, end)
        if found["void"] or name in _HTML_VOID:
            return end
        frame = self.top()
        if element is not None and element.layer is not None:
            layer = element.layer
            frame = self.open(layer) or Frame(layer, *self.who(element.speaker, own=True))
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
        self.add_sign(start)
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
                self.miss(start, opening=True)
            if found == kind:
                return

    def remarks(self) -> list[Remark]:
        """Put the parts of each remark together."""
        text = self.text
        return [
            Remark(
                number=number,
                layer=frame.layer,
                text="".join([text[start:end] for start, end in spans]),
                spans=tuple(_joined(spans)),
                after=after,
                speaker=frame.speaker,
                quoted_by=frame.quoted,
                lemma=frame.lemma,
            )
            for number, (spans, (frame, after)) in enumerate(zip(self.spans, self.heads, strict=True))
        ]


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Make one span of those that touch."""
    found: list[tuple[int, int]] = []
    for start, end in spans:
        if found and found[-1][1] == start:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found
