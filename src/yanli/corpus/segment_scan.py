"""Goes through a text once, by its family's profile, and says of every character whose it is.

Comes in: the text as decoded, its profile, the work's author and compiler, where translations stand. Goes out: pieces
that cover the text in order, remarks, pages, and brackets that were never closed or opened. Every step goes forward:
the time is linear in the length, whatever stands in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from yanli.corpus.model import Layer, Piece
from yanli.corpus.profile import Block, Label, Profile, Work, named
from yanli.corpus.segment_parts import OPEN_LAYERS, Frame, Loose, Said, Scanned, remarks_of
from yanli.corpus.segment_rules import element_of, ended, goes_on, quotations, rules_of, said_by
from yanli.errors import Finding, RiteError

MOST_PIECES = 10_000_000
"""A piece takes about 200 bytes, and 400 while it is packed: a file cut into more than these (a hundred megabytes of
well-made text have no more) could use up a machine's memory, and is refused."""
_BLANK = "\u3000"
# Looking a member up on an enum is slow where it is done for every stretch of words.
_CANON, _HEADING, _LEMMA, _SIGN, _TRANSLATION = (
    Layer.canon, Layer.heading, Layer.lemma, Layer.sign, Layer.translation
)  # fmt: skip
_TAG = re.compile(r"<(?P<shut>/?)(?P<name>[A-Za-z][A-Za-z0-9:._-]{0,60})[^<>]*?(?P<void>/?)>")
_DEEPEST = 20_000
_LOOSE = 5_000
_HTML_VOID = frozenset({"br", "hr", "img", "input", "meta", "link", "wbr", "col", "lb", "pb", "cb"})


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

    # More than an object's dictionary has quick places for.
    __slots__ = (
        "any_line", "base", "before", "blank", "blocks", "canon", "closes", "fixed", "flush",
        "flush_layer", "front", "heads", "label_at", "labels", "last", "lemma", "line", "line_at", "loose", "mark",
        "mark_at", "marks", "missing", "named", "on", "open_at", "opens", "owner", "page", "pages", "pieces",
        "profile", "quotes", "rules", "said", "seen", "short", "shut_at", "signs", "space_at", "spans", "stack",
        "text", "translated", "unless", "whose", "work",
    )  # fmt: skip

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
        self.fixed = tuple(Frame(layer) for layer in OPEN_LAYERS)
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
        self.missing: set[str] = set()
        self.signs: tuple[int, int] | None = None
        self.seen: dict[str, tuple[int, int, bool]] = {}
        self.marks: Iterator[re.Match[str]] = self.rules.labels.finditer(text) if self.rules.labels else iter(())
        self.mark = next(self.marks, None)
        self.mark_at = self.mark.start() if self.mark is not None else len(text)
        self.labels = {f"L{at}": label for at, label in enumerate(profile.label)}
        self.whose: dict[str, tuple[str | None, tuple[str, ...]]] = {}
        self.said: dict[tuple[str | None, str], Said] = {}
        self.blocks: dict[int, tuple[Block, Frame | None] | None] = {}
        self.opens, self.closes, self.quotes = self.rules.opens, self.rules.closes, self.rules.quotes
        self.on, self.any_line = self.rules.on, self.rules.any_line
        self.short, self.unless, self.blank = profile.short, profile.unless, profile.blank

    def read(self) -> Scanned:  # noqa: C901, PLR0912 - the hot path: a call for each part would cost more than the part
        """Go from the first to the last character."""
        text, size, rules = self.text, len(self.text), self.rules
        if self.profile.front:
            found = re.search(self.profile.front, text)
            self.front = text.rfind("\n", 0, found.start()) + 1 if found else 0
        if not text[:1].isspace():
            self.begin_line(0, 0, 0)
        # Words and what ends them are read at once; but where a line begins behind anything else than signs (which take
        # the next ones along), there may be a sign made of words (# …).
        read, begin, seen = rules.stretch.match, rules.token.match, self.seen
        position, fresh = 0, True
        while position < size:
            if fresh and (position == 0 or text[position - 1] == "\n"):
                token = begin(text, position)
            else:
                token = read(text, position)
            if token is None:  # pragma: no cover - every character is some token
                break
            kind = token.lastgroup
            stop = token.end("r")
            if position < stop:
                if self.mark_at < stop:
                    position = self.run(position, stop)
                    if position > stop:
                        fresh = True
                        continue
                else:
                    self.words(position, stop)
                    position = stop
            end = token.end()
            if kind == "s":
                if (known := seen.get(text[position:end])) is not None:
                    self.blanks(position, end, known)
                else:
                    self.sign(position, end)
                position, fresh = end, False
            elif kind == "b":
                self.bracket(position)
                position, fresh = end, False
            else:
                fresh = True
                if kind == "t":
                    position = self.tag(position)
                elif kind == "x":
                    position = self.run(position, end)
        self.flush_signs(size)
        for _, opened, start in self.stack:
            if not opened.startswith("<"):
                self.miss(start, opening=True)
        return Scanned(
            pieces=tuple(self.pieces),
            remarks=remarks_of(text, self.spans, self.heads),
            pages=tuple(self.pages),
            loose=tuple(sorted(self.loose)),
        )

    def words(self, start: int, end: int) -> None:
        """Words without labels among them, as most are: what `put` and `add` do, in one."""
        stack = self.stack
        if not stack:
            self.last = None
            frame = self.base
        else:
            frame = stack[-1][0]
        number, layer = frame.number, frame.layer
        if number is not None and not self.quotes:
            self.spans[number].append((start, end))
        elif layer is _CANON:
            self.canon += end - start
        else:
            self.put(start, end)
            return
        pieces = self.pieces
        if len(pieces) > MOST_PIECES:
            raise too_many(start, len(self.text))
        page = self.page
        if self.signs is not None:
            begun, line = self.signs
            if begun < start:
                pieces.append(Piece(start=begun, end=start, layer=_SIGN, line=line, page=page))
            self.signs = None
        pieces.append(
            Piece(
                start=start,
                end=end,
                layer=layer,
                line=self.line,
                page=page,
                speaker=frame.speaker,
                quoted_by=frame.quoted,
                remark=number,
            )
        )

    def run(self, position: int, end: int) -> int:
        """Words, with the labels that stand among them; gives where it stopped reading (a label may reach further)."""
        mark = self.mark
        while mark is not None and self.mark_at < end:
            if mark.start() >= position:
                label = self.labels[str(mark.lastgroup)]
                if self.counts(label, mark):
                    if position < mark.start():
                        self.put(position, mark.start())
                    self.take(label, mark)
                    position = mark.end()
            mark = self.mark = next(self.marks, None)
            self.mark_at = mark.start() if mark is not None else len(self.text)
        if position < end:
            self.put(position, end)
        if not self.stack:
            self.last = None
        return max(position, end)

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
        count = self.text.count
        return count("\n", start, end) + count("\r", start, end) - count("\r\n", start, end)

    def put(self, start: int, end: int) -> None:
        """Give a stretch of words to whoever is speaking."""
        frame = self.stack[-1][0] if self.stack else self.base
        layer = frame.layer
        if layer is _CANON:
            self.canon += end - start
        elif layer is _LEMMA:
            self.lemma.append(self.text[start:end])
        elif layer not in OPEN_LAYERS:
            if frame.number is None:
                frame.number = len(self.spans)
                frame.lemma = _BLANK.join(self.lemma) or None
                self.lemma.clear()
                self.spans.append([])
                self.heads.append((frame, self.canon))
            self.spans[frame.number].append((start, end))
            if self.quotes and self.quoted(frame, start, end):
                return
        self.add(start, end, layer, frame)

    def quoted(self, frame: Frame, start: int, end: int) -> bool:
        """Cut the words quoted within a remark out as pieces of their own; the remark keeps them."""
        cuts = quotations(self.rules, frame.layer, self.text, start, end)
        if not cuts:
            return False
        by = (frame.speaker, *frame.quoted) if frame.speaker else frame.quoted
        at = start
        for first, last, speaker in cuts:
            if first < at:
                continue
            if first > at:
                self.add(at, first, frame.layer, frame)
            inner = Frame(_LEMMA, speaker, by)
            inner.number = frame.number
            self.add(first, last, _LEMMA, inner)
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
                self.pieces.append(Piece(start=start, end=end, layer=_SIGN, line=line, page=self.page))
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
        self.blanks(start, end, known)

    def blanks(self, start: int, end: int, known: tuple[int, int, bool]) -> None:
        """What signs tell: how many lines end in them, how far the next is set in, whether there is a blank."""
        if self.signs is None:
            self.signs = (start, self.line)
        new, indent, blank = known
        if new or start == 0:
            self.line += new
            self.begin_line(end, indent, start, gap=new > 1)
        elif blank:
            self.space_at = end
            if self.blank is not None and not self.stack:
                self.back(self.blank, start)

    def back(self, layer: Layer, start: int) -> None:
        """At a blank a layer comes back, but not in a heading, and not where the words before it go on."""
        if self.base.layer is not _HEADING and not self.holds(start):
            self.base = self.open(layer) or self.base

    def holds(self, start: int) -> bool:
        """Tell whether the words before a blank or a line's end announce what comes behind it (下記云：)."""
        unless = self.unless
        return bool(unless) and self.base.layer not in OPEN_LAYERS and self.text[start - 1 : start] in unless

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
        short = ended - self.line_at < self.short
        self.line_at = position
        if self.stack:
            self.break_off(gap=gap)
            if self.stack:
                return
        if position >= len(self.text) or ((self.translated or self.before) and self.in_translation(position)):
            return
        if position < self.front:
            self.base = self.open(_HEADING) or self.base
        elif not (self.on is not None and self.on.match(self.text, position)) and not self.holds(ended):
            self.begin_words(position, indent, short=short)

    def break_off(self, *, gap: bool) -> None:
        """No bracket goes on behind the end of its line, or of its paragraph where lines are wrapped."""
        while self.stack and not self.stack[-1][1].startswith("<"):
            bracket = self.opens[self.stack[-1][1]]
            if bracket.crosses and not gap:
                return
            frame, _, start = self.stack.pop()
            self.miss(start, opening=True)
            self.last = (bracket.open, frame) if bracket.joins else None

    def begin_words(self, position: int, indent: int, *, short: bool) -> None:
        """A rule for whole lines tells first, then whether commentary goes on without indent, then the indent."""
        base = self.base
        if self.any_line(self.text, position):
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
        if indent not in self.blocks:
            block = next((one for one in self.profile.block if one.indent[0] <= indent <= one.indent[1]), None)
            self.blocks[indent] = (block, self.open(block.layer)) if block is not None else None
        if (known := self.blocks[indent]) is not None:
            block, fixed = known
            if fixed is not None and not (self.flush_layer and indent == 0):
                self.base = fixed
            else:
                self.base = self.of_block(block, base, indent)
        elif base.layer is _HEADING:
            self.base = self.open(self.profile.body) or base

    def of_block(self, block: Block, base: Frame, indent: int) -> Frame:
        layer = self.flush_layer if self.flush_layer and indent == 0 else block.layer
        if (fixed := self.open(layer)) is not None:
            return fixed
        if block.goes_on and base.layer not in OPEN_LAYERS:
            return base
        return Frame(layer, *self.who(block.speaker, own=True))

    def in_translation(self, position: int) -> bool:
        """Within a translation every line is a remark of its own; what was cut by it goes on behind it."""
        while self.translated and self.translated[-1][1] <= position:
            self.translated.pop()
            if self.before is not None and goes_on(self.text, self.profile, self.before.layer, position):
                self.base, self.before = self.before, None
                return True
        if not self.translated or position < self.translated[-1][0]:
            self.before = None
            return False
        if self.base.layer is not _TRANSLATION:
            self.before = None if ended(self.text, self.translated[-1][0]) else self.base
        self.base = Frame(_TRANSLATION)
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
        at, where = mark.start(), label.where
        layer = self.top().layer
        if layer not in label.within if label.within else layer is _TRANSLATION:
            return False
        if at < self.front and not self.stack:
            return False
        if label.barred and at and self.text[at - 1] in label.barred:
            return False
        if self.stack and not self.stack[-1][1].startswith("<"):
            if "inside" in where or ("bracket" in where and at == self.open_at):
                return True
        elif ("line" in where and at == self.line_at) or ("after" in where and at == self.shut_at):
            return True
        return (
            "any" in where or ("space" in where and at == self.space_at) or ("label" in where and at == self.label_at)
        )

    def take(self, label: Label, mark: re.Match[str]) -> None:
        """From a label on, another is speaking."""
        start, end = mark.span()
        words = mark[0]
        frame = self.top()
        # The same labels are met again and again.
        if (said := self.said.get((mark.lastgroup, words))) is None:
            said = self.said[mark.lastgroup, words] = self.said_by(label, words)
        if frame.layer is _TRANSLATION and said.layer not in OPEN_LAYERS:
            new = Frame(_TRANSLATION, said.speaker, said.quoted)
        else:
            new = said.fixed or Frame(said.layer, said.speaker, said.quoted)
        if label.quotes and start == self.label_at and frame.speaker and frame.speaker != said.speaker:
            new.quoted = new.quoted if said.fixed else (frame.speaker, *frame.quoted)
        if start < end:
            if label.mark is _SIGN:
                self.add_sign(start)
            else:
                if label.mark is _LEMMA:
                    self.lemma.append(words)
                self.add(start, end, label.mark, self.open(label.mark) or Frame(label.mark))
            self.line += said.lines
        self.label_at = end
        if self.stack:
            _, kind, opened = self.stack[-1]
            self.stack[-1] = (new, kind, opened)
            return
        if self.short and start == self.line_at and self.text[start - 1 : start] == "\n":
            self.flush = True
        self.base = new

    def said_by(self, label: Label, words: str) -> Said:
        """Whom a label's words name, and in which layer he speaks."""
        name, layer = said_by(words), label.layer
        if label.speaker == "@matched" and layer is Layer.remark:
            layer = named(name)[1]
        speaker, quoted = self.who(label.speaker, name, own=label.own)
        lines = words.count("\n") + words.count("\r") - words.count("\r\n")
        return Said(speaker, quoted, layer, self.open(layer), lines)

    def bracket(self, position: int) -> None:
        """An opening bracket sets a layer apart, a closing one gives back the layer around it."""
        sign, stack = self.text[position], self.stack
        if self.signs is None:
            self.signs = (position, self.line)
        if (opening := self.opens.get(sign)) is not None and len(stack) < _DEEPEST:
            frame = stack[-1][0] if stack else self.base
            if frame.layer is _TRANSLATION:
                new = Frame(_TRANSLATION)
            elif opening.joins and self.last is not None and self.last[0] == sign:
                new = self.last[1]
            elif opening.inside is None or frame.layer in OPEN_LAYERS:
                whose = self.whose.get(sign)
                if whose is None:
                    whose = self.whose[sign] = self.who(opening.speaker, own=True)
                new = Frame(opening.layer, *whose)
            else:
                new = Frame(opening.inside, *self.who(opening.inside_speaker or opening.speaker, own=False))
            stack.append((new, sign, position))
            self.open_at = position + 1
            return
        closing = self.closes.get(sign)
        if closing is None:
            self.miss(position, opening=True)
        elif stack and stack[-1][1] == closing.open:
            frame = stack.pop()[0]
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
        element = element_of(self.rules, name, found[0])
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
