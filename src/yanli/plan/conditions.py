"""Conditions resolved: what the scenario decides is decided here, what asks the world stays to be asked."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, assert_never

from yanli.notation import tree
from yanli.plan import program as p
from yanli.plan.readings import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from yanli.plan.marks import Marks
    from yanli.plan.words import Scope, Words

WINNERS = {"右勝": "右", "左勝": "左", "鈞": "鈞", "左右鈞": "鈞"}


class Conditions:
    """Turns conditions of the tree into True, False, or a question for the world."""

    def __init__(self, words: Words, values: Mapping[str, object], marks: Marks) -> None:
        """Keep the resolver of words, the scenario's values and the marks; named conditions are added when met."""
        self.words = words
        self.hit = marks.hit
        # What may be said of an arrow: the words of its marks, and the target that it struck.
        self.marks = marks.words | words.targets.names
        self.values = values
        self.named: dict[str, tree.Condition] = {}

    def resolve(self, condition: tree.Condition, scope: Scope) -> p.Ask | bool:  # noqa: PLR0911 - one for each form
        """Resolve one condition."""
        match condition:
            case tree.AllOf(parts=parts):
                return self._join([self.resolve(part, scope) for part in parts], every=True)
            case tree.AnyOf(parts=parts):
                return self._join([self.resolve(part, scope) for part in parts], every=False)
            case tree.Compare():
                return self._compare(condition, scope)
            case tree.Has():
                found = self._has(condition, scope)
                return _negate(found) if condition.negated else found
            case tree.Is(who=who, role=role):
                found = self._is(who, role, scope)
                return _negate(found) if condition.negated else found
            case tree.Named(name=name):
                found = self._named(name, scope)
                return _negate(found) if condition.negated else found
            case tree.Marked():
                found = self._marked(condition, scope)
                return _negate(found) if condition.negated else found
            case _:
                assert_never(condition)

    def _marked(self, condition: tree.Marked, scope: Scope) -> p.Ask | bool:
        """Read ``x 射 貫`` and ``x 勝``."""
        if condition.act.text == "勝":
            return p.Won(who=self.words.who(self.words.exchanged(condition.who.text, scope), scope))
        self.known_marks((condition.mark,) if condition.mark.text else ())
        return p.Marked(condition.mark.text or self.hit)

    def known_marks(self, words: Iterable[tree.Word]) -> None:
        """Find fault with every word that can be said of no arrow."""
        for word in words:
            if word.text not in self.marks:
                self.words.fault(
                    "unknown-condition", f"{word.text} is no mark of an arrow", word.span,
                    nearest=nearest(word.text, tuple(sorted(self.marks))),
                )  # fmt: skip

    def _join(self, parts: list[p.Ask | bool], *, every: bool) -> p.Ask | bool:
        open_parts = [part for part in parts if not isinstance(part, bool)]
        if any(part is (not every) for part in parts):
            return not every
        if not open_parts:
            return every
        if len(open_parts) == 1:
            return open_parts[0]
        return p.All(tuple(open_parts)) if every else p.Any(tuple(open_parts))

    def _named(self, name: tree.Word, scope: Scope) -> p.Ask | bool:
        text = name.text
        if text in self.named:
            return self.resolve(self.named[text], scope)
        if text in self.values:
            return self.values[text] in {"是", True} or (isinstance(self.values[text], int) and bool(self.values[text]))
        asked = self._of_shooting(text, scope)
        if asked is not None:
            return asked
        who = self.words.who(self.words.exchanged(text, scope), scope)
        if isinstance(who, p.Who):
            return bool(who.names)
        known = (*self.values, *self.named, "右勝", "左勝", "鈞", "矢盡")
        self.words.fault("unknown-condition", f"{text} is no condition", name.span, known="、".join(map(str, known)))
        return False

    def _compare(self, condition: tree.Compare, scope: Scope) -> p.Ask | bool:
        left = condition.left
        if len(left) == 1 and left[0].text in self.values:
            mine = self.values[left[0].text]
            other = "".join(word.text for word in condition.right)
            number = self.words.lexicon.number(other)
            if isinstance(mine, int) and not isinstance(mine, bool) and number is not None:
                return _OPERATORS[condition.operator](mine, number)
            same = str(mine) == other
            return same if condition.operator == "=" else not same
        return p.Compare(self._count(left, scope), condition.operator, self._count(condition.right, scope))

    def _count(self, words: Sequence[tree.Word], scope: Scope) -> p.Count:
        texts = [word.text for word in words if word.text not in {"數", "有", "於", "于", "在"}]
        number = self.words.lexicon.number(texts[0]) if len(texts) == 1 else None
        if number is not None:
            return p.Count(number=number)
        if len(texts) == 1 and isinstance(self.values.get(texts[0]), int):
            return p.Count(number=int(str(self.values[texts[0]])))
        if len(texts) == 1:
            who = self.words.who(self.words.exchanged(texts[0], scope), scope)
            if isinstance(who, p.Who):
                return p.Count(number=len(who.names))
        things = self.words.thing(self.words.exchanged(texts[0], scope), None, scope) if texts else ()
        holder, where = self._where(texts[1:], words, scope)
        if things:
            thing = things[0]
            return p.Count(kind=thing.kind, loose=thing.loose, where=where, holder=holder, owner=thing.owner)
        who = self.words.who(self.words.exchanged(texts[0], scope), scope) if where is not None else None
        if who is None:
            self.words.fault("unknown-thing", f"{''.join(texts)} cannot be counted", words[0].span)
            return p.Count(number=0)
        return p.Count(who=who, where=where)

    def _where(
        self, texts: list[str], words: Sequence[tree.Word], scope: Scope
    ) -> tuple[p.WhoRef | None, p.PlaceRef | None]:
        if not texts:
            return None, None
        text = self.words.exchanged(texts[0], scope)
        holder = self.words.who(text, scope)
        if holder is not None:
            return holder, None
        place = self.words.place(text, scope)
        if place is None:
            self.words.fault("unknown-place", f"{text} is neither a place nor a person", words[0].span)
        return None, place

    def _has(self, condition: tree.Has, scope: Scope) -> p.Ask | bool:
        text = self.words.exchanged(condition.what[0].text, scope)
        where = [word.text for word in condition.where]
        if not where:
            return self._is_there(condition.what[0], text, scope)
        holder, place = self._where(where, condition.where, scope)
        who = self.words.who(text, scope)
        if who is not None:
            return p.Present(None, who, place, holder)
        things = self.words.thing(text, None, scope)
        return p.Present(things[0].kind if things else text, None, place, holder)

    def _is_there(self, word: tree.Word, text: str, scope: Scope) -> p.Ask | bool:
        """Read ``有 X``: a key of the scenario, a person, a list of pairs, or a thing that was brought."""
        if text in self.values:
            return self.values[text] not in {"否", "無", 0, None, ""}
        who = self.words.who(text, scope)
        if isinstance(who, p.Who):
            return bool(who.names)
        if text in self.words.cast.pairs:
            return bool(self.words.cast.pairs[text])
        if who is not None:
            return p.Present(None, who, None, None)
        things = self.words.thing(text, None, scope)
        if not things:
            self.words.fault("unknown-condition", f"有 {text}: neither a person nor a thing", word.span)
        return any(prop.kind == things[0].kind and prop.number > 0 for prop in self.words.cast.properties if things)

    def _is(self, who: tree.Word, role: tree.Word, scope: Scope) -> p.Ask | bool:
        ref = self.words.who(self.words.exchanged(who.text, scope), scope)
        if ref is None:
            self.words.fault("unknown-role", f"{who.text} is nobody here", who.span)
            return False
        text = self.words.exchanged(role.text, scope)
        if text in {"上射", "下射"}:
            return p.IsRole(ref, None, text)
        other = self.words.who(text, scope)
        if isinstance(other, p.Who):
            if isinstance(ref, p.Who):
                return bool(ref.names) and set(ref.names) <= set(other.names)
            return p.IsRole(ref, other.names, None)
        self.words.fault("unknown-role", f"{role.text} is no role", role.span)
        return False

    def _of_shooting(self, text: str, scope: Scope) -> p.Ask | None:
        """Read the names of what the shooting has come to: who won, whether arrows are spent, a word of the arrow."""
        if text in WINNERS:
            return p.Won(side=WINNERS[text])
        if text == "矢盡":
            return p.Exhausted((p.Bound("上射"), p.Bound("下射")) if scope.pair else (p.Bound("拾者"),))
        return p.Marked(text) if text in self.marks else None


def _negate(found: p.Ask | bool) -> p.Ask | bool:  # noqa: FBT001 - a folded condition is a plain bool
    if isinstance(found, bool):
        return not found
    return found.part if isinstance(found, p.Not) else p.Not(found)


_OPERATORS: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "≠": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "≤": operator.le,
    "≥": operator.ge,
}
