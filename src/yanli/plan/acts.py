"""Act lines resolved: every word of an act put in the part that its class and its verb give it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from yanli.notation import tree
from yanli.plan import program as p
from yanli.plan.words import ALL_WORDS, FACINGS, Scope, Words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yanli.lexicon import Lexicon

HANDS = {"左手": "左", "右手": "右", "左": "左", "右": "右", "二手": "二", "兩手": "二"}
MANNERS = frozenset(
    {"縮", "橫", "異", "北括", "南括", "東肆", "西肆", "南肆", "北肆", "矢在弓下", "矢在弓上", "東上", "倍", "逆"}
)
HEADS = {"東上": "東", "西上": "西", "南上": "南", "北上": "北"}
# What part the word after a small word plays: a place at or towards it, whence, or by which way.
MODES = {
    **dict.fromkeys(("于", "於", "在", "適", "至", "及", "當", "就"), "to"),
    **dict.fromkeys(("自", "從"), "from"),
    **dict.fromkeys(("由", "出于", "入于", "循"), "by"),
}
# Small words after a number: steps of the stairs, and so many of a thing.
STEP = "等"
MEASURES = frozenset({STEP, "个", "枚"})
IGNORED = frozenset({"以", "與", "之", "乃", "遂", "既", "而", "亦", "者", "為", "其", "相", "又", "將", "向"})
# The warrant of what the editor supplied on his own judgement, where no commentator or clause is named.
NEEDED = "編者：文不具，事所必須"
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


def read_verbs(lexicon: Lexicon) -> dict[str, Verb]:
    """Read the verbs of a lexicon.

    The entries ``for`` a thing stand under ``verb/thing`` and inherit what they do not say.
    """
    verbs: dict[str, Verb] = {}
    for name, raw in lexicon.verbs.items():
        base = _verb(name, raw, {})
        verbs[name] = base
        for thing, special in raw.get("for", {}).items():
            verbs[f"{name}/{thing}"] = _verb(name, special, raw)
    return verbs


def _verb(name: str, raw: Mapping[str, Any], base: Mapping[str, Any]) -> Verb:
    told = {**{key: value for key, value in base.items() if key not in {"needs", "does"}}, **raw}
    return Verb(
        name=name,
        en=str(told.get("en", "")),
        takes=tuple(str(told.get("takes", "")).split()),
        seconds=float(told.get("seconds", 1)),
        needs=tuple(tuple(str(item).split()) for item in told.get("needs", ())),
        does=tuple(tuple(str(item).split()) for item in told.get("does", ())),
        bulk=bool(told.get("bulk", False)),
        held=bool(told.get("held", False)),
    )


class Waiting(msgspec.Struct):
    """What the words of an act so far have opened: the part of the next word, a number without its thing yet."""

    mode: str = "at"
    number: int | None = None


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
            onward = acts[index + 1 : index + 2]
            if act.steps is None and self._has(act, "ascend") and any(self._has(one, "laststep") for one in onward):
                act.steps = ALL_STEPS
            if act.place is not None or not self._has(act, "kneel"):
                continue
            for later in acts[index + 1 :]:
                if later.verb in RISING:
                    break
                place = later.source or later.place
                if place is not None:
                    act.ahead = place
                    break

    def _has(self, act: p.Act, effect: str) -> bool:
        """Whether an act's verb has an effect."""
        return any(words[0] == effect for words in self.verbs[act.verb].does)

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
            warrant=act.warrant or scope.warrant or (NEEDED if act.supplied or scope.supplied else None),
            reading=scope.reading,
        )  # fmt: skip
        self._arguments(resolved, act.words[1:], scope)
        return resolved

    def _verb(self, word: str) -> tuple[str, int] | None:
        if word in self.verbs:
            return word, 1
        return self.words.lexicon.split_verb(word)

    def variant(self, act: p.Act) -> Verb:
        """The entry that holds for this act: the verb's own, or the one for its thing or that sort of thing."""
        for thing in act.things:
            entry = self.words.lexicon.thing(thing.kind)
            for kind in (thing.kind, entry.kind if entry is not None else None):
                found = self.verbs.get(f"{act.verb}/{kind}")
                if found is not None:
                    return found
        return self.verbs[act.verb]

    def _arguments(self, act: p.Act, words: tuple[tree.Argument, ...], scope: Scope) -> None:
        waiting = Waiting()
        for argument in words:
            if isinstance(argument, tree.Speech):
                act.speech = argument.text
            elif not (
                self._joined(act, argument, scope)
                or _small_word(argument.text, waiting)
                or self._number(act, argument.text, waiting, scope)
            ):
                self._argument(act, argument, waiting, scope)
                waiting.mode = "at"
        if waiting.number is not None:
            act.times = waiting.number if waiting.number > 0 else act.times

    def _joined(self, act: p.Act, argument: tree.Word, scope: Scope) -> bool:
        """Add one who is named together with the target (賓、眾賓)."""
        if not argument.joined or act.target is None:
            return False
        other = self.words.who(self.words.exchanged(argument.text, scope), scope)
        if other is None:
            return False
        act.target = p.Several((act.target, other))
        return True

    def _number(self, act: p.Act, word: str, waiting: Waiting, scope: Scope) -> bool:
        """Keep a number until its thing comes; steps (三等) belong to the act itself."""
        lexicon = self.words.lexicon
        if word in MEASURES and waiting.number is not None:
            if word == STEP:
                act.steps, waiting.number = waiting.number, None
            return True
        if word[-1] in MEASURES and len(word) > 1 and lexicon.number(word[:-1]) is not None:
            if word[-1] == STEP:
                act.steps = lexicon.number(word[:-1])
            else:
                waiting.number = lexicon.number(word[:-1])
            return True
        number = lexicon.number(word)
        if number is None or self.words.is_name(word, scope):
            return False
        waiting.number = number
        return True

    def _argument(self, act: p.Act, argument: tree.Word, waiting: Waiting, scope: Scope) -> None:
        """Put one word in its part; a finding if it plays none."""
        word = argument.text
        takes = self.verbs[act.verb].takes
        match waiting.mode:
            case "at":
                done = _manner(act, word, takes) or self._worn_or_played(act, self.words.exchanged(word, scope), takes)
            case "by":
                done = self._way(act, word, scope)
            case "from":
                done = self._whence(act, word, scope)
            case _:
                done = False
        text = self.words.exchanged(word, scope)
        parts = takes if waiting.mode == "at" else ("place", *takes)
        if done or any(self._takes(act, part, text, waiting, scope) for part in parts) or word in IGNORED:
            return
        if "matter" in takes:
            act.matter = text if act.matter is None else f"{act.matter} {text}"
            return
        self.words.fault(
            "unknown-word",
            f"{word} plays no part here: {act.verb} takes {' '.join(takes) or 'nothing'}",
            argument.span,
            nearest=self.words.lexicon.nearest(word),
        )

    def _worn_or_played(self, act: p.Act, word: str, takes: tuple[str, ...]) -> bool:
        entry = self.words.lexicon.garment(word) if "garment" in takes else None
        if entry is not None:
            act.garments = (*act.garments, entry.word)
            return True
        if "music" in takes and self.words.lexicon.music(word) is not None:
            act.music = word
            return True
        return False

    def _way(self, act: p.Act, word: str, scope: Scope) -> bool:
        place = self.words.place(word, scope)
        if place is not None:
            act.via = (*act.via, place)
        return place is not None

    def _whence(self, act: p.Act, word: str, scope: Scope) -> bool:
        giver = self.words.who(self.words.exchanged(word, scope), scope)
        if giver is not None:
            act.giver = giver
            return True
        place = self.words.place(word, scope)
        if place is not None:
            act.source = place
        return place is not None

    def _takes(self, act: p.Act, part: str, text: str, waiting: Waiting, scope: Scope) -> bool:
        """Whether a word is such a part of the act; then it is put there."""
        match part:
            case "thing":
                return self._as_thing(act, text, waiting, scope)
            case "target":
                return self._as_target(act, text, scope)
            case "role" if self.words.lexicon.role(text) is not None:
                act.role = text
                return True
            case "place" if act.place is None:
                return self._as_place(act, text, waiting, scope)
            case "via" if act.place is not None and act.place.word != text:
                return self._way(act, text, scope)
            case _:
                return False

    def _as_thing(self, act: p.Act, text: str, waiting: Waiting, scope: Scope) -> bool:
        if waiting.mode != "at" and act.place is None:
            return False
        things = self.words.thing(text, waiting.number, scope)
        if things:
            act.things = (*act.things, *things)
            waiting.number = None
        return bool(things)

    def _as_place(self, act: p.Act, text: str, waiting: Waiting, scope: Scope) -> bool:
        place = self.words.place(text, scope)
        if place is None or (waiting.mode == "at" and place.who is not None and not place.rest):
            return False
        act.place = place
        return True

    def _as_target(self, act: p.Act, text: str, scope: Scope) -> bool:
        lexicon = self.words.lexicon
        if (
            "thing" in self.verbs[act.verb].takes
            and lexicon.thing(text) is not None
            and not self.words.is_name(text, scope)
        ):
            # 瑟 is a zither before it is a short name for those who play it.
            return False
        who = self.words.who(text, scope)
        if who is None or act.target is not None:
            return False
        act.target = who
        return True


def _small_word(word: str, waiting: Waiting) -> bool:
    """Say what part the next word plays (于, 自, 由 …), or that all of it is meant (諸, 盡 …)."""
    if word in MODES:
        waiting.mode = MODES[word]
    elif word in ALL_WORDS:
        waiting.number = -1
    else:
        return False
    return True


def _manner(act: p.Act, word: str, takes: tuple[str, ...]) -> bool:
    """How it is done: facing, head of a row, hand, manner."""
    facing = word[:-1] if word.endswith(("面", "鄉")) else ""
    if word in FACINGS and "facing" in takes and act.facing is None:
        facing = word
    if facing in FACINGS:
        act.facing, act.facing_word = FACINGS[facing], facing
    elif word in HEADS and "head" in takes:
        act.head = HEADS[word]
    elif word in HANDS and ("hand" in takes or "number" in takes):
        act.hand = HANDS[word]
    elif word in MANNERS and "manner" in takes:
        act.manner = word
    else:
        return False
    return True
