"""Act lines resolved: every word of an act put in the part that its class and its verb give it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from yanli.notation import tree
from yanli.plan import program as p
from yanli.plan.words import ALL_WORDS, FACINGS, Scope, Words

if TYPE_CHECKING:
    from yanli.source import Span

HANDS = {"左手": "左", "右手": "右", "左": "左", "右": "右", "二手": "二", "兩手": "二"}
MANNERS = frozenset(
    {"縮", "橫", "異", "北括", "南括", "東肆", "西肆", "南肆", "北肆", "矢在弓下", "矢在弓上", "東上", "倍", "逆"}
)
HEADS = {"東上": "東", "西上": "西", "南上": "南", "北上": "北"}
TO = frozenset({"于", "於", "在"})
TOWARD = frozenset({"適", "至", "及", "當", "就"})
FROM = frozenset({"自", "從"})
BY = frozenset({"由", "出于", "入于", "循"})
IGNORED = frozenset({"以", "與", "之", "乃", "遂", "既", "而", "亦", "者", "為", "其", "相", "又", "將", "向"})
# More steps than any stairs have.
ALL_STEPS = 999
RISING = frozenset({"興", "立", "升", "降", "適", "就", "進", "退", "反位", "復位"})


class Verb(msgspec.Struct, frozen=True, kw_only=True):
    """A verb as the lexicon has it, checked: what it takes, needs and does. ``bulk``: a bare thing means all of it.

    ``held``: a thing that is in the hands already may be meant.
    """

    name: str
    en: str = ""
    takes: tuple[str, ...] = ()
    seconds: float = 1.0
    needs: tuple[tuple[str, ...], ...] = ()
    does: tuple[tuple[str, ...], ...] = ()
    bulk: bool = False
    held: bool = False


class Acts:
    """Turns act lines into acts of the program."""

    def __init__(self, words: Words, verbs: dict[str, Verb]) -> None:
        """Keep the resolver of words, and the verbs by name (those ``for`` a thing as ``verb/thing``)."""
        self.words = words
        self.verbs = verbs

    def line(
        self, line: tree.ActLine, scope: Scope, clause: int, last_who: p.WhoRef | None
    ) -> tuple[p.Node, p.WhoRef | None]:
        """Resolve a line; returns the node and who acted last."""
        parts: list[p.Node] = []
        for part in line.parts:
            who = self.words.whoever(part.who, scope) if part.who else last_who
            if who is None:
                if not part.who:
                    self.words.fault("nobody-acts", "nobody is named who acts, on this line or before", line.span)
                continue
            last_who = who
            acts = self._part(part, who, scope, clause)
            parts.append(acts[0] if len(acts) == 1 else p.Seq(list(acts)))
        if not parts:
            return p.Seq([]), last_who
        return (parts[0] if len(parts) == 1 else p.Par(parts)), last_who

    def _part(self, part: tree.Part, who: p.WhoRef, scope: Scope, clause: int) -> list[p.Act]:
        acts: list[p.Act] = []
        for act in part.acts:
            resolved = self.act(act, who, scope, clause)
            if resolved is None or self._left_out(resolved, scope):
                continue
            if part.who_supplied and not act.supplied:
                resolved.reason = "施事者由編者補" + (f"：{part.who_warrant}" if part.who_warrant else "")
            acts.append(resolved)
        self._bind_ahead(acts)
        return acts

    def _left_out(self, act: p.Act, scope: Scope) -> bool:
        """除 and 惟: by verb, or verb and thing."""

        def matches(words: tuple[str, ...]) -> bool:
            if words[0] != act.verb:
                return False
            kinds = {thing.kind for thing in act.things} | {act.matter}
            return len(words) == 1 or any(word in kinds for word in words[1:])

        if any(matches(words) for words in scope.without):
            return True
        return bool(scope.only) and not any(matches(words) for words in scope.only)

    def _bind_ahead(self, acts: list[p.Act]) -> None:
        """坐 looks ahead to the next act that has a place, as long as nobody rises or walks before it.

        升 before 盡階 goes no further than the last step.
        """
        for index, act in enumerate(acts):
            if act.verb == "升" and act.steps is None and index + 1 < len(acts) and acts[index + 1].verb == "盡階":
                act.steps = ALL_STEPS
            if act.verb != "坐" or act.place is not None:
                continue
            for later in acts[index + 1 :]:
                if later.verb in RISING:
                    break
                place = later.source or later.place
                if place is not None:
                    act.ahead = place
                    break

    def act(self, act: tree.Act, who: p.WhoRef, scope: Scope, clause: int) -> p.Act | None:
        """Resolve one act; a finding and None if its verb is unknown."""
        first = act.words[0]
        split = None if isinstance(first, tree.Speech) else self._verb(first.text)
        if split is None:
            self.words.fault(
                "unknown-verb",
                f"{first.text} is no verb",
                act.span,
                nearest=self.words.lexicon.nearest(first.text, "verb"),
            )
            return None
        name, times = split
        resolved = p.Act(
            clause=clause, span=act.span, verb=name, who=who, times=times,
            mode="not" if act.negated else "still" if act.still else "does",
            origin="editor" if act.supplied or scope.supplied else "text",
            warrant=act.warrant or (scope.warrant if scope.supplied or not act.supplied else None),
            reading=scope.reading,
        )  # fmt: skip
        self._arguments(resolved, act.words[1:], scope)
        return resolved

    def _verb(self, word: str) -> tuple[str, int] | None:
        if word in self.verbs:
            return word, 1
        return self.words.lexicon.split_verb(word)

    def variant(self, act: p.Act) -> Verb:
        """The entry that holds for this act: the verb's own, or the one for its thing."""
        for thing in act.things:
            found = self.verbs.get(f"{act.verb}/{thing.kind}")
            if found is not None:
                return found
        return self.verbs[act.verb]

    def _arguments(self, act: p.Act, words: tuple[tree.Argument, ...], scope: Scope) -> None:
        mode = "at"
        pending: int | None = None
        takes = self.verbs[act.verb].takes
        for argument in words:
            if isinstance(argument, tree.Speech):
                act.speech = argument.text
                continue
            word = argument.text
            if argument.joined and act.target is not None:
                other = self.words.who(self.words.exchanged(word, scope), scope)
                if other is not None:
                    act.target = p.Several((act.target, other))
                    continue
            if word in TO or word in TOWARD:
                mode = "to"
                continue
            if word in FROM:
                mode = "from"
                continue
            if word in BY:
                mode = "by"
                continue
            if word in ALL_WORDS:
                pending = -1
                continue
            if word in {"等", "个", "枚"} and pending is not None:
                if word == "等":
                    act.steps, pending = pending, None
                continue
            if word[-1] in "等个枚" and len(word) > 1 and self.words.lexicon.number(word[:-1]) is not None:
                number = self.words.lexicon.number(word[:-1])
                if word[-1] == "等":
                    act.steps = number
                else:
                    pending = number
                continue
            number = self.words.lexicon.number(word)
            if number is not None and not self.words.is_name(word, scope):
                pending = number
                continue
            pending = self._argument(act, word, argument.span, mode, pending, takes, scope)
            mode = "at"
        if pending is not None:
            act.times = pending if pending > 0 else act.times

    def _argument(  # noqa: PLR0911, PLR0912, C901 - one test for each class of word
        self, act: p.Act, word: str, span: Span, mode: str, pending: int | None, takes: tuple[str, ...], scope: Scope
    ) -> int | None:
        """Put one word in its part; returns the number still waiting for a thing."""
        words = self.words
        if mode == "at":
            if word in FACINGS and "facing" in takes and act.facing is None:
                act.facing, act.facing_word = FACINGS[word], word
                return pending
            if word.endswith(("面", "鄉")) and word[:-1] in FACINGS:
                act.facing, act.facing_word = FACINGS[word[:-1]], word[:-1]
                return pending
            if word in HEADS and "head" in takes:
                act.head = HEADS[word]
                return pending
            if word in HANDS and ("hand" in takes or "number" in takes):
                act.hand = HANDS[word]
                return pending
            if word in MANNERS and "manner" in takes:
                act.manner = word
                return pending
            if "garment" in takes and words.lexicon.garment(word) is not None:
                entry = words.lexicon.garment(word)
                act.garments = (*act.garments, entry.word if entry else word)
                return pending
            if "music" in takes and words.lexicon.music(word) is not None:
                act.music = word
                return pending
        if mode == "by":
            place = words.place(word, scope)
            if place is not None:
                act.via = (*act.via, place)
                return pending
        if mode == "from":
            giver = words.who(words.exchanged(word, scope), scope)
            if giver is not None:
                act.giver = giver
                return pending
            place = words.place(word, scope)
            if place is not None:
                act.source = place
                return pending
        text = words.exchanged(word, scope)
        for part in takes if mode == "at" else ("place", *takes):
            if (part == "thing" and mode == "at") or (part == "thing" and act.place is not None):
                things = words.thing(text, pending, scope)
                if things:
                    act.things = (*act.things, *things)
                    return None
            elif part == "target":
                if "thing" in takes and words.lexicon.thing(text) is not None and not words.is_name(text, scope):
                    # 瑟 is a zither before it is a short name for those who play it.
                    continue
                who = words.who(text, scope)
                if who is not None and act.target is None:
                    act.target = who
                    return pending
            elif part == "role" and words.lexicon.role(text) is not None:
                act.role = text
                return pending
            elif part == "place" and act.place is None:
                place = words.place(text, scope)
                if place is not None and not (mode == "at" and place.who is not None and not place.rest):
                    act.place = place
                    return pending
            elif part == "via":
                place = words.place(text, scope)
                if place is not None and act.place is not None and act.place.word != text:
                    act.via = (*act.via, place)
                    return pending
        if word in IGNORED:
            return pending
        if "matter" in takes and act.matter is None:
            act.matter = text
            return pending
        if "matter" in takes:
            act.matter = f"{act.matter} {text}"
            return pending
        words.fault(
            "unknown-word", f"{word} plays no part here: {act.verb} takes {' '.join(takes) or 'nothing'}", span,
            nearest=words.lexicon.nearest(word),
        )  # fmt: skip
        return pending
