"""How an event, a person, a place or some things are said, first in Chinese, then in English.

Comes in: values of a performance, and its lexicon. Goes out: phrases. A word without English is given as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, Any

from yanli.lexicon.readings import pinyin
from yanli.performance.event import changed
from yanli.performance.shooting import DIGITS, UNITS
from yanli.render.arrows import marks_of
from yanli.venue import facing_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from yanli.lexicon import Lexicon
    from yanli.lexicon.lookup import PlaceWord
    from yanli.notation.model import Rite
    from yanli.performance.event import Event
    from yanli.performance.perform import Performance
    from yanli.performance.world import Actor, Thing
    from yanli.plan.marks import Mark

ORIGINS: dict[str, str] = {"text": "經文", "editor": "編者", "inferred": "推"}
ORIGINS_EN: dict[str, str] = {"text": "the words", "editor": "editor", "inferred": "inferred"}
LEGEND = (
    "經文 of the words　編者 supplied by the editor, 據 on a warrant　推 inferred by the engine, 以 for a reason　"
    "見 done as those other words say　…… this clause's own acts again"
)
SLOT = re.compile(r"\{([^{}]*)\}")
NUMBERED = re.compile(r"(.*)\.([1-9][0-9]*)")
HAPPENED = {True: "中", False: "不中"}


def title(rite: Rite) -> str:
    """The name of a rite, and its English title if it has one."""
    return f"{rite.name} · {rite.title_en}" if rite.title_en else rite.name


def han(number: int) -> str:
    """A number from 0 to 9999 as it is said now, in notes about a performance: 三, 十二, 一百一十, 二百零五.

    What is said within a rite is told in the rite's own way (``performance.shooting.numeral``).
    """
    if number < len(DIGITS):
        return DIGITS[number]
    said, rest, skipped = "", number, False
    for unit, sign in UNITS:
        digit, rest = divmod(rest, unit)
        if digit:
            one = digit == 1 and unit == 10 and not said  # noqa: PLR2004 - ten is 十, not 一十
            said += ("零" if skipped else "") + ("" if one else DIGITS[digit]) + sign
            skipped = False
        else:
            skipped = bool(said)
    return said + (("零" if skipped else "") + DIGITS[rest] if rest else "")


def numbered(ids: Iterable[str]) -> str:
    """Names with numbers, gathered: 矢.1 矢.2 矢.3 矢.7 弓.1 are 矢.1–3、7 弓.1."""
    groups: dict[str, list[int]] = {}
    for name in ids:
        match = NUMBERED.fullmatch(name)
        groups.setdefault(match[1] if match else name, []).extend([int(match[2])] if match else [])
    return " ".join(f"{base}.{_runs(numbers)}" if numbers else base for base, numbers in groups.items())


def _runs(numbers: list[int]) -> str:
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return "、".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)


def things_words(things: Sequence[Thing]) -> str:
    """Some things by kind and number: 爵; 矢×4."""
    return "、".join(
        kind if number == 1 else f"{kind}×{number}" for kind, number in Counter(thing.kind for thing in things).items()
    )


def speech_words(speech: str, slots: Mapping[str, str]) -> str:
    """Spoken words with what is known put into their slots; a slot that nobody fills (某) is said as it stands."""
    return SLOT.sub(lambda slot: slots.get(slot[1], slot[1]), speech)


class Wording:
    """Says things as one performance needs them."""

    def __init__(self, performance: Performance) -> None:
        """Know the lexicon, the cast and its groups."""
        self._performance = performance
        self.lexicon: Lexicon = performance.stage.lexicon
        self.cast = performance.stage.cast
        self.groups: dict[frozenset[str], str] = {}
        for word, names in self.cast.groups.items():
            # Two are named each by himself.
            if len(names) > 2:  # noqa: PLR2004
                self.groups.setdefault(frozenset(names), word)

        self.garments = self._garments(performance)

    def _garments(self, performance: Performance) -> dict[int, tuple[str, ...]]:
        """What each event puts on or takes off, by its number; ways of being dressed (袒) are no garments."""
        dress = {name: person.dress for name, person in self.cast.persons.items()}
        found: dict[int, tuple[str, ...]] = {}
        # Only acts that changed something, in the order in which they were done.
        acts = [event for event in performance.events if event.changes[0] != event.changes[1]]
        for event in sorted(acts, key=lambda event: (event.end, event.n)):
            for thing, attribute, value in changed(performance.journal, event):
                if attribute != "dress":
                    continue
                before, dress[thing.name] = dress[thing.name], value
                words = [word for word in (*value, *before) if (word in value) != (word in before)]
                kept = [word for word in words if (entry := self.lexicon.garment(word)) is None or not entry.state]
                found[event.n] = tuple(dict.fromkeys([*found.get(event.n, ()), *kept]))
        return found

    # ── persons ─────────────────────────────────────────────────────────────────────────────────────────────────────

    @staticmethod
    def actor(event: Event) -> str:
        """Who acts, with the office in force: 相（司馬）."""
        return f"{event.actor.name}（{'、'.join(event.roles)}）" if event.roles else event.actor.name

    @staticmethod
    def person(actor: Actor, roles: Sequence[str] = ()) -> str:
        """A person with the offices in force."""
        return f"{actor.name}（{'、'.join(roles)}）" if roles else actor.name

    def people(self, names: Sequence[str]) -> str:
        """Several persons, by the word for their group if there is one; long lists by number."""
        word = self.groups.get(frozenset(names))
        return word if word is not None else numbered(names).replace(" ", "、")

    def people_en(self, names: Sequence[str]) -> str:
        """Several persons in English."""
        word = self.groups.get(frozenset(names))
        return self.person_en(word) if word is not None else ", ".join(self.person_en(name) for name in names)

    def person_en(self, name: str) -> str:
        """A person, an office or a group in English: guest 2."""
        base, _, number = name.partition(".")
        role = self.lexicon.role(base)
        person = self.cast.persons.get(name)
        known = (person.en if person is not None else None) or self.cast.english.get(base) or base
        said = role.en if role is not None else known
        if not number:
            return said
        plain = said.partition(",")[0].partition(";")[0]
        return f"{_singular(plain)} {number}"

    def actor_en(self, event: Event) -> str:
        """Who acts, in English, by the office in force."""
        return self.person_en(event.roles[-1] if event.roles else event.actor.name)

    # ── acts ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def act(self, event: Event) -> str:
        """What is done: verb, times, things, whither, to whom, how it fell out."""
        info = event.info
        said = info.verb + (f" ×{info.times}" if info.times > 1 else "")
        if event.things:
            said += f" {things_words(event.things)}"
        worn = [word for word in self.garments.get(event.n, ()) if word not in info.verb]
        if worn:
            said += f" {'、'.join(worn)}"
        if info.matter:
            said += f" {info.matter.replace(' ', '')}"
        if info.source:
            said += f" 自{info.source}"
        if event.to and event.to != event.spot.name:
            said += f" 于{event.to}"
        if event.target:
            said += f" → {self.people([person.name for person in event.target])}"
        if event.hit is not None:
            said += f" {self.fell(event)[0]}"
        return said

    def act_en(self, event: Event) -> str:
        """What is done, in English."""
        info = event.info
        parts = [self.verb_en(event) + (f" ×{info.times}" if info.times > 1 else "")]
        said = self.things_en(event.things)
        if said and not set(said.split()) & set(parts[0].split()):
            # The verb may name the thing already: drain the zhi.
            parts.append(said)
        worn = [word for word in self.garments.get(event.n, ()) if word not in info.verb]
        if worn:
            parts.append(", ".join(self.word_en(word) for word in worn))
        if info.matter:
            parts.append(f"({', '.join(self.word_en(word) for word in info.matter.split())})")
        if info.source:
            parts.append(f"from {self.place_en(info.source)}")
        if event.to and event.to != event.spot.name:
            parts.append(_at(self.place_en(event.to)))
        if event.target:
            parts.append(f"→ {self.people_en([person.name for person in event.target])}")
        return " ".join(parts) + ("" if event.hit is None else f": {self.fell(event)[1]}")

    def fell(self, event: Event) -> tuple[str, str]:
        """How an arrow fell, in Chinese and English: 中; 不中（留）."""
        plain, english = HAPPENED[event.hit is True], "a hit" if event.hit else "a miss"
        mark = self.marks.get(event.n)
        if mark is None:
            return plain, english
        said = mark.zh if mark.zh.startswith(plain) else f"{plain}（{mark.zh}）"
        return said, f"{english} ({mark.en or mark.zh})"

    @cached_property
    def marks(self) -> Mapping[int, Mark]:
        """The marks of arrows, by the number of the event; of plain hits and misses there are none."""
        return marks_of(self._performance)

    def verb_en(self, event: Event) -> str:
        """The English of a verb; of the form that it has with this kind of thing."""
        return self._of_verb(event, "en") or event.info.verb

    def gesture(self, event: Event) -> str:
        """What is seen of an act from afar (bow, salute, shoot), as its verb has it with this kind of thing; or ""."""
        return self._of_verb(event, "gesture") or ""

    def _of_verb(self, event: Event, field: str) -> str | None:
        """What the entry of a verb says under a field, first of the form that it has with this kind of thing."""
        verb = self.lexicon.verb(event.info.verb) or {}
        forms: dict[str, dict[str, Any]] = verb.get("for", {})
        form = next((forms[thing.kind] for thing in event.things if thing.kind in forms), {})
        said = form.get(field) or verb.get(field)
        return said if isinstance(said, str) else None

    def word_en(self, word: str) -> str:
        """Any word in English."""
        said = self.lexicon.english(word)
        if said is None and word in self.cast.groups:
            return self.person_en(word)
        return said or word

    def thing_en(self, kind: str) -> str:
        """A kind of thing in English; of one that the lexicon lacks, its reading."""
        entry = self.lexicon.thing(kind)
        return entry.en if entry is not None else self.lexicon.english(kind) or pinyin(kind)

    def manner(self, event: Event) -> str:
        """How he stands after it: 北面, 東面坐."""
        return f"{facing_name(event.facing)}面" + (event.posture if event.posture != "立" else "")

    def manner_en(self, event: Event) -> str:
        """How he stands after it, in English."""
        word = facing_name(event.facing)
        facing = self.lexicon.facing(f"{word}面")
        return (facing.en if facing is not None else word) + (", kneeling" if event.posture != "立" else "")

    def remark(self, event: Event, slots: Mapping[str, str] | None = None) -> str:
        """What else is to be said of an event: words spoken, music, warrant or reason, reading."""
        info = event.info
        parts = []
        if info.speech:
            parts.append(f"「{speech_words(info.speech, slots or {})}」")
        if info.music:
            parts.append(f"樂 {info.music}")
        if event.step is not None:
            parts.append(f"第{han(event.step)}等")
        if info.warrant:
            parts.append(f"據 {info.warrant}")
        if info.reason:
            parts.append(f"以 {info.reason}")
        if info.reading:
            parts.append(f"說 {info.reading}")
        return "　".join(parts)

    def things_en(self, things: Sequence[Thing]) -> str:
        """Some things in English, by kind and number."""
        kinds = Counter(thing.kind for thing in things)
        return ", ".join(self.thing_en(kind) + (f" ×{number}" if number > 1 else "") for kind, number in kinds.items())

    # ── places ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def place_en(self, name: str) -> str:
        """A place in English, put together from its parts when the lexicon has it only in parts."""
        entry = self.lexicon.place(name)
        if entry is not None:
            return entry.en
        ruled = self._ruled_en(name)
        if ruled is not None:
            return ruled
        if self.lexicon.thing(name) is not None or self.lexicon.role(name) is not None:
            return self._anchor_en(name)
        base, _, rest = name.partition(".")
        digits = re.match(r"[0-9]+", rest)
        word = self.lexicon.split_place(name)
        if word is None:
            # A numbered seat (大夫席.1前) is said without its number, and the number after it.
            plain = base + rest[digits.end() :] if digits is not None else name
            said = self._parts_en(plain)
            return f"{said} (no. {digits[0]})" if digits is not None else said
        said = self._anchor_en(word.anchor)
        if word.owner:
            said = f"{_possessive(self.person_en(word.owner))} {said.removeprefix('the ').removeprefix(ONES)}"
        return self._told_from(word, said)

    def _ruled_en(self, name: str) -> str | None:
        """A place whose rule has its English, or one that is told from such a place (東坫北); None for any other."""
        layout = self._performance.stage.layout
        rule = layout.rule(name)
        if rule is not None:
            return rule.en or None
        for cut in range(len(name) - 1, 1, -1):
            rule = layout.rule(name[:cut])
            word = self.lexicon.split_place(f"{ANY}{name[cut:]}") if rule is not None and rule.en else None
            if rule is not None and word is not None and word.anchor == ANY:
                return self._told_from(word, rule.en)
        return None

    def _told_from(self, word: PlaceWord, said: str) -> str:
        """A place as it is told from another: 2 bù south of the east stand."""
        for relation in word.relations:
            said = f"{self.word_en(relation)} {_the(said)}"
        if word.distance is not None:
            number = word.distance if word.distance[0].isdigit() else self.lexicon.number(word.distance)
            said = f"{number} {pinyin(word.unit or '')} {said}"
        if word.mark == "當":
            return f"in line, {said}" if word.relations else f"in line with {_the(said)}"
        return said

    def _parts_en(self, name: str) -> str:
        """A place that hangs on another (大夫席薦西): the longest beginning that is a place, and the rest."""
        if self.lexicon.split_place(name) is not None:
            return self.place_en(name)
        for cut in range(len(name) - 1, 0, -1):
            head, tail = name[:cut], name[cut:]
            if self.lexicon.split_place(head) is not None and self.lexicon.classify(tail) & {"place", "thing"}:
                return f"{self.place_en(tail)} at {_the(self.place_en(head))}"
        return name

    def _anchor_en(self, word: str) -> str:
        place = self.lexicon.place(word)
        if place is not None:
            return place.en
        if self.lexicon.role(word) is not None:
            return self.person_en(word)
        return self.lexicon.english(word) or word


ONES = "one's "
ANY = "洗"
"""A place from which others are told, in whose stead any other may stand."""
WHERE = frozenset(
    {"before", "behind", "beside", "below", "outside", "inside", "between", "on", "at", "with", "amid", "in", "under"}
)
BEARING = re.compile(
    r"(?:[0-9.½]+ \w+ )?(?:north|south|east|west|north-east|north-west|south-east|south-west|left|right) of "
)


def _the(words: str) -> str:
    """A place-phrase as that from which another is told."""
    first = words.partition(" ")[0]
    if first == "on":
        # West of what is on the hall is west of the hall.
        return _the(words.removeprefix("on "))
    if first in WHERE:
        return f"the ground {words}"
    return words if first in {"the", "one's"} or words[-1:].isdigit() else f"the {words}"


def _at(words: str) -> str:
    """Where something is done: a phrase that says so itself (west of …, before …) needs no "at" before it."""
    if words.partition(" ")[0] in WHERE or BEARING.match(words) is not None:
        return words
    return f"at {_the(words)}"


def _singular(words: str) -> str:
    return words[:-1] if words.endswith("s") and not words.endswith("ss") and " of " not in words else words


def _possessive(words: str) -> str:
    return f"{words}'" if words.endswith("s") else f"{words}'s"
