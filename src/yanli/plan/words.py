"""The words of one act line, put in their parts.

Comes in: words and the scope they stand in. Goes out: references to persons, things and places, and acts with every
word in its part. Raises nothing: what cannot be resolved is a finding.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from yanli.errors import Finding, YanliError
from yanli.notation import tree
from yanli.plan import program as p
from yanli.plan.targets import OWN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yanli.lexicon import Lexicon
    from yanli.plan.cast import Cast
    from yanli.plan.targets import Targets
    from yanli.source import Span
    from yanli.venue import Layout

FACINGS = {
    "北": 0.0, "東北": 45.0, "東": 90.0, "東南": 135.0, "南": 180.0, "西南": 225.0, "西": 270.0, "西北": 315.0,
}  # fmt: skip
PAIR_WORDS = frozenset({"上射", "下射", "其耦", "升射者"})
# Words after a person's name that tell a place from him; the longest that fits is taken.
PERSONAL = ("席", "階", "薦", "俎", "身", "右", "左", "前", "後", "東", "西", "南", "北", "位", "豆", "籩")
ALL_WORDS = frozenset({"諸", "餘", "盡", "皆", "所餘"})


class Scope(msgspec.Struct, frozen=True):
    """What is in force where a line stands: names that are bound, exchanges, what is left out, the reading."""

    bound: frozenset[str] = frozenset()
    pair: bool = False
    exchange: tuple[tuple[str, str], ...] = ()
    without: tuple[tuple[str, ...], ...] = ()
    only: tuple[tuple[str, ...], ...] = ()
    reading: str | None = None
    supplied: bool = False
    warrant: str | None = None
    depth: int = 0


class Words:
    """Resolves words against a lexicon, a cast, a layout and the targets; collects what it cannot resolve."""

    def __init__(self, lexicon: Lexicon, cast: Cast, layout: Layout, targets: Targets) -> None:
        """Keep the four, and an empty list of findings."""
        self.lexicon = lexicon
        self.cast = cast
        self.layout = layout
        self.targets = targets
        # 其獲者 and the like: names that are bound where somebody shoots.
        self.belonging = frozenset(word for target in targets.named.values() for word in targets.persons(target, cast))
        self.findings: list[Finding] = []
        self.clause = -1
        self.clause_id = ""
        self.clause_text = ""

    def fault(
        self, code: str, cause: str, span: Span, *, nearest: tuple[str, ...] = (), known: str | None = None
    ) -> None:
        """Note a finding of error grade at a word."""
        self.findings.append(
            Finding(
                code=code, cause=cause, span=span, clause=self.clause_id, words=self.clause_text, nearest=nearest,
                known=known,
            )
        )  # fmt: skip

    # ── persons ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def exchanged(self, word: str, scope: Scope) -> str:
        """Apply the exchange in force to a word: 賓 → 主人, 賓席前 → 主人席前."""
        for old, new in scope.exchange:
            if word == old:
                return new
        if scope.exchange and not self.is_name(word, scope):
            best = max(
                (pair for pair in scope.exchange if word.startswith(pair[0])),
                key=lambda pair: len(pair[0]),
                default=None,
            )
            if best is not None and word[len(best[0]) :].startswith((*PERSONAL, "之")):
                return best[1] + word[len(best[0]) :]
        return word

    def is_name(self, word: str, scope: Scope) -> bool:
        """Say whether a word names a person or group here."""
        cast = self.cast
        return (
            word in scope.bound
            or word in cast.persons
            or word in cast.groups
            or word in cast.offices
            or word in PAIR_WORDS
            or word in {"勝者", "不勝者", "卒受者"}
        )

    def who(self, word: str, scope: Scope) -> p.WhoRef | None:
        """Resolve a word for a person or group; None if it is none."""
        if word in scope.bound or (scope.pair and word in PAIR_WORDS) or word == "卒受者":
            return p.Bound(word)
        if scope.pair and word in {"耦", "一耦"}:
            return p.Several((p.Bound("上射"), p.Bound("下射")))
        if word in {"勝者", "不勝者"}:
            return p.Side(won=word == "勝者", word=word)
        names = self._names(word)
        if names is not None:
            return p.Who(names, word)
        entry = self.lexicon.role(word)
        if entry is not None and entry.word != word:
            return self.who(entry.word, scope)
        # A role that nobody holds in this scenario (大夫 when none has come).
        return p.Who((), word) if entry is not None else None

    def _names(self, word: str) -> tuple[str, ...] | None:
        """The full names of an office, a person or a group of the cast."""
        cast = self.cast
        if word in cast.offices:
            return (cast.offices[word],)
        return (word,) if word in cast.persons else cast.groups.get(word)

    def whoever(self, words: Iterable[tree.Word], scope: Scope) -> p.WhoRef | None:
        """Resolve the WHO of a line; a finding and None if a word of it is no person."""
        found: list[p.WhoRef] = []
        for word in words:
            text = self.exchanged(word.text, scope)
            ref = self.who(text, scope)
            if ref is None:
                self.fault(
                    "unknown-role", f"{text} is no role, group or bound name here", word.span,
                    nearest=self.lexicon.nearest(text, "role"),
                )  # fmt: skip
                return None
            if isinstance(ref, p.Who) and not ref.names and self._names(ref.word) is None:
                self.fault(
                    "nobody",
                    f"nobody would do this: nothing binds {text} here, and the cast (cast.toml) has none",
                    word.span,
                )
                return None
            found.append(ref)
        if not found:
            return None
        return found[0] if len(found) == 1 else p.Several(tuple(found))

    # ── things and places ───────────────────────────────────────────────────────────────────────────────────────────

    def thing(  # noqa: PLR0911, C901 - one for each way of naming a thing
        self, word: str, count: int | None, scope: Scope
    ) -> tuple[p.ThingRef, ...]:
        """Resolve a word for a thing: 爵, 爵.2, 賓之弓, 眾弓, 散算, 乘矢 (four 矢); nothing if it is none."""
        owner: p.WhoRef | None = None
        kind = word
        if self.targets.known(word) and word not in self.belonging:
            return (p.ThingRef(word.removeprefix(OWN), count, its=word.removeprefix(OWN)),)
        if word.startswith(OWN) and self.lexicon.thing(word.removeprefix(OWN)) is not None:
            # 其旌: of several the actor's own comes first by itself.
            return self.thing(word.removeprefix(OWN), count, scope)
        if word == "賢獲":
            return (p.ThingRef("算", surplus=True),)
        if "之" in word:
            head, _, kind = word.partition("之")
            owner = self.who(self.exchanged(head, scope), scope)
            if owner is None:
                return ()
        elif self.lexicon.thing(word) is None:
            if word.startswith("眾") and self.lexicon.thing(word[1:]) is not None:
                kind = word[1:]
                owner = self.who("眾", scope)
                count = -1 if count is None else count
            elif word.startswith("散") and self.lexicon.thing(word[1:]) is not None:
                base = self.lexicon.thing(word[1:])
                return (p.ThingRef(base.word if base else word[1:], count, loose=True),)
        base_word, _, number = kind.partition(".")
        entry = self.lexicon.thing(base_word)
        if entry is None:
            return ()
        if entry.made_of:
            times = 1 if count is None else count
            return tuple(p.ThingRef(part, each if times < 0 else each * times, owner) for part, each in entry.made_of)
        return (p.ThingRef(entry.is_a or entry.word, count, owner, int(number) if number.isdigit() else None),)

    def place(  # noqa: PLR0911 - one for each way of naming a place
        self, word: str, scope: Scope
    ) -> p.PlaceRef | None:
        """Resolve a word for a place; None if it is none. Names of persons come before names of the layout."""
        word = self.exchanged(word, scope)
        if word in {"其位", "位"}:
            return p.PlaceRef(word, fixed=False, who=None, rest="位")
        its = self._its(word)
        if its is not None:
            return its
        for pronoun in ("己", "對", "其"):
            if word.startswith(pronoun) and len(word) > 1 and word not in scope.bound:
                who: p.WhoRef | None = p.Bound("對") if pronoun == "對" else None
                return p.PlaceRef(word, fixed=False, who=who, rest=word[1:])
        if self.layout.has(word):
            return p.PlaceRef(word)
        if word.startswith(("席", "薦")) or (word.startswith("俎") and len(word) > 1):
            return p.PlaceRef(word, fixed=False, who=None, rest=word)
        anchor = self._beside(word)
        if anchor is not None:
            return p.PlaceRef(word, fixed=False, anchor=anchor, rest=word[len(anchor) :])
        return self._from_somebody(word, scope)

    def _its(self, word: str) -> p.PlaceRef | None:
        """A place told from the actor's own target, or from who belongs to it: 其侯, 其乏北三步, 其獲者西."""
        if not word.startswith(OWN):
            return None
        key = max((key for key in self.targets.words if word.startswith(key, len(OWN))), key=len, default=None)
        if key is None:
            return None
        rest = word[len(OWN) + len(key) :].removeprefix("之")
        if OWN + key in self.belonging:
            return p.PlaceRef(word, fixed=False, who=p.Bound(OWN + key), rest=rest)
        return p.PlaceRef(word, fixed=False, its=key, rest=rest)

    def _from_somebody(self, word: str, scope: Scope) -> p.PlaceRef | None:
        """A place told from a person or a thing: 司射西南, 爵之東."""
        for cut in range(len(word), 0, -1):
            head, rest = word[:cut], word[cut:].removeprefix("之")
            who = self.who(head, scope)
            if who is not None:
                return p.PlaceRef(word, fixed=False, who=who, rest=rest)
            if rest and self.lexicon.thing(head) is not None:
                return p.PlaceRef(word, fixed=False, thing=head, rest=rest)
        return None

    def _beside(self, word: str) -> str | None:
        """The longest beginning of a word that is a place, with the rest beside it (左个西北三步, 東六尺)."""
        for cut in range(len(word) - 1, 1, -1):
            if not self.layout.has(word[:cut]):
                continue
            try:
                self.layout.beside(self.layout.spot(word[:cut]), word[cut:])
            except YanliError:
                continue
            return word[:cut]
        return None
