"""Scripts to print: one for each person, one for the caller; and for those who set up (``setting.py``).

Comes in: a performance. Goes out: Markdown that reads as well unrendered. Every time in it is the timeline's.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import groupby
from typing import TYPE_CHECKING

from yanli.render.columns import clock
from yanli.render.moments import Following, Run, runs, section_times
from yanli.render.setting import setting_up
from yanli.render.timeline import bound_words
from yanli.render.wording import ORIGINS, Wording, speech_words, things_words, title
from yanli.venue import facing_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yanli.performance.event import Event
    from yanli.performance.perform import Performance
    from yanli.render.moments import After

__all__ = ["Scripts", "caller_script", "script_for", "setting_up"]


def script_for(performance: Performance, actor: str) -> str:
    """Write the script of one person; of a group, those of its members. Raises RiteError for an unknown name."""
    scripts = Scripts(performance)
    persons = performance.stage.cast.persons
    return "\n\n".join(scripts.person(name) for name in persons if name in performance.named(actor))


def caller_script(performance: Performance) -> str:
    """Write the script of the caller (贊禮), as a 笏記 is: every clause, and who does what at it."""
    return Scripts(performance).caller()


class Scripts:
    """All scripts of one performance."""

    def __init__(self, performance: Performance) -> None:
        """Follow the performance once."""
        self.performance = performance
        self.wording = Wording(performance)
        self.following = Following(performance)
        self.by_end = sorted(performance.events, key=lambda event: (event.end, event.n))
        self.ends = [event.end for event in self.by_end]
        self.start = performance.stage.world()
        self.times = {time.number: time for time in section_times(performance)}

    # ── one person ──────────────────────────────────────────────────────────────────────────────────────────────────

    def person(self, name: str) -> str:
        """The script of one person, by his full name."""
        events = [
            event
            for event in self.performance.events
            if event.actor.name == name or any(target.name == name for target in event.target)
        ]
        lines = self._head(name, events)
        section, before, own, shown = 0, None, None, _Shown()
        for run in runs(self.performance, events):
            if run.section != section:
                section, shown = run.section, _Shown()
                lines += ["", self._section(section)]
            clause = self.performance.clause(run.clause)
            lines += ["", f"**{clause.text}** {clause.id}", ""]
            for event in run.events:
                hands = shown.hands(self._hands(self.following.after.get((event.n, name))))
                if event.actor.name == name:
                    cue = self._cue(event, own)
                    if cue is not None and cue is not before:
                        lines.append(f"- 視 cue：{clock(cue.end)} {self.wording.actor(cue)} {self.wording.act(cue)}")
                    lines.append(self._own(event, hands, shown.office(self.wording, event)))
                    own = event
                else:
                    lines.append(self._received(event, hands))
                before = event
        if not events:
            lines += ["", "此設中無事。 Has nothing to do in this scenario."]
        return "\n".join(lines) + "\n"

    def _head(self, name: str, events: list[Event]) -> list[str]:
        cast, rite = self.performance.stage.cast, self.performance.rite
        person = cast.persons[name]
        actor = self.start.actors[name]
        offices = [
            f"{office} {self.wording.person_en(office)}" for office, holder in cast.offices.items() if holder == name
        ]
        groups = [word for word, names in cast.groups.items() if name in names and word != person.base]
        own = [thing for thing in self.start.things.values() if thing.of is actor]
        mine = sum(event.actor.name == name for event in events)
        rows = [
            ("禮 rite", title(rite)),
            ("黨 party", person.party),
            ("職 offices", "；".join(offices)),
            ("列於 among", "、".join(groups)),
            ("服 dress", "、".join(f"{word} {self.wording.word_en(word)}" for word in person.dress)),
            ("初立 begins", f"{person.at}，{facing_name(actor.facing)}面（{self.wording.place_en(person.at)}）"),
            ("其物 his things", things_words(own)),
            ("凡 in all", f"所行 {mine} 事 acts；人施於己 {len(events) - mine} done to him"),
        ]
        if events:
            rows.append(("時 times", f"{clock(events[0].start)} – {clock(max(event.end for event in events))}"))
        return [
            f"# {name} · {self.wording.person_en(name)}",
            "",
            *(f"- {label}：{said}" for label, said in rows if said),
            "",
            "▶ 己所行 what you do　◁ 人施於己 done to you　視 cue　＊ 經所不言 not in the words　(n) 事之次 event",
        ]

    def _section(self, number: int) -> str:
        section, time = self.performance.rite.sections[number - 1], self.times[number]
        return f"## {number} {section.name} · {section.slug.replace('-', ' ')} · {clock(time.start)}–{clock(time.end)}"

    def _own(self, event: Event, hands: str, office: str) -> str:
        mark = "" if event.info.origin == "text" else f"＊{ORIGINS[event.info.origin]}"
        parts = [
            self.wording.act(event), self._speech(event), f"所 {event.spot.name}", self.wording.manner(event), hands,
            office, mark, f"({event.n})",
        ]  # fmt: skip
        english = (
            f"{self.wording.act_en(event)}; {self.wording.place_en(event.spot.name)}, {self.wording.manner_en(event)}"
        )
        return f"- ▶ **{clock(event.start)}** {'　'.join(part for part in parts if part)} — {english}"

    def _received(self, event: Event, hands: str) -> str:
        parts = [f"{self.wording.actor(event)} {self.wording.act(event)}", self._speech(event), hands, f"({event.n})"]
        english = f"{self.wording.actor_en(event)}: {self.wording.act_en(event)}"
        return f"- ◁ **{clock(event.start)}** {'　'.join(part for part in parts if part)} — {english}"

    def _speech(self, event: Event) -> str:
        if not event.info.speech:
            return ""
        return f"曰「{speech_words(event.info.speech, self.following.slots.get(event.n, {}))}」"

    @staticmethod
    def _hands(after: After | None) -> str:
        if after is None:
            return ""
        held = (("右", after.right), ("左", after.left), ("帶", after.belt))
        said = [f"{side} {things_words(things)}" for side, things in held if things]
        return "，".join(said) or "空"

    def _cue(self, event: Event, own: Event | None) -> Event | None:
        """The act of another that ends just before, with none of his own between; rather one that the words tell."""
        since = own.end if own is not None else -1.0
        found = None
        for place in range(bisect_right(self.ends, event.start) - 1, -1, -1):
            other = self.by_end[place]
            if other.end < since or (own is not None and other is own):
                break
            if other.actor is event.actor or (other.together is not None and other.together == event.together):
                continue
            found = found or other
            if other.info.origin != "inferred":
                return other
        return found

    # ── the caller ──────────────────────────────────────────────────────────────────────────────────────────────────

    def caller(self) -> str:
        """The caller's script."""
        rite, length = self.performance.rite, clock(self.performance.length)
        lines = [
            f"# 贊禮之譜 · the caller's script：{title(rite)}",
            "",
            f"唱經文一句，其人行之；→ 次行者。 Call the words; those named do it; → who comes next.　{length}",
            "推所補之行、坐、興不書。 Walking, kneeling and rising that the engine supplied are left out.",
        ]
        listed = [run for run in runs(self.performance, self.performance.events) if any(map(_is_told, run.events))]
        called = self._called(listed)
        section = 0
        for place, run in enumerate(called):
            if run.section != section:
                section = run.section
                lines += ["", self._section(section) if section in self.times else self._untimed(section)]
            clause = self.performance.clause(run.clause)
            lines += ["", f"**{clock(run.start)} {clause.text}** {clause.id}", ""]
            lines += [f"- {words}" for words in self._doings(run)] or [
                f"- （{words}）" for words in bound_words(clause)
            ]
            following = next((later for later in called[place + 1 :] if later.events), None)
            if run.events and following is not None:
                first = next(filter(_is_told, following.events))
                lines.append(
                    f"- → 次 next {clock(first.start)} {self.wording.actor(first)}（{self.wording.actor_en(first)}）"
                )
        return "\n".join(lines) + "\n"

    def _untimed(self, number: int) -> str:
        section = self.performance.rite.sections[number - 1]
        return f"## {number} {section.name} · {section.slug.replace('-', ' ')}"

    def _called(self, listed: list[Run]) -> list[Run]:
        """The runs, and every clause that is played without an act of its own."""
        spoken = {run.clause for run in listed}
        silent: dict[int, Run] = {}
        for play in self.performance.plays:
            if not play.via and play.clause not in spoken and play.clause not in silent:
                section = self.performance.clause(play.clause).section
                silent[play.clause] = Run(clause=play.clause, section=section, start=play.start, events=())
        return sorted([*listed, *silent.values()], key=lambda run: (run.start, run.section, run.clause))

    def _doings(self, run: Run) -> Iterator[str]:
        """Who does what, in order: those who act together are named together, the acts of one man stand in one line."""
        steps: list[tuple[str, str]] = []
        told = [event for event in run.events if _is_told(event)]
        for _, group in groupby(told, key=lambda event: (event.together or -event.n, self.wording.act(event))):
            events = list(group)
            names = list(dict.fromkeys(event.actor.name for event in events))
            who = self.wording.actor(events[0]) if len(names) == 1 else self.wording.people(names)
            steps.append((who, self.wording.act(events[0]) + self._speech(events[0])))
        for who, acts in groupby(steps, key=lambda step: step[0]):
            yield f"{who}：{'，'.join(act for _, act in acts)}"


class _Shown:
    """What a script has told already in this section, so that it tells only what has changed."""

    def __init__(self) -> None:
        self.held: str | None = None
        self.roles: tuple[str, ...] = ()

    def hands(self, held: str) -> str:
        """What is in his hands, if it is not as it was."""
        if held == self.held:
            return ""
        self.held = held
        return f"手 {held}"

    def office(self, wording: Wording, event: Event) -> str:
        """The office in which he acts, if it is not as it was."""
        if event.roles == self.roles:
            return ""
        self.roles = event.roles
        return f"為{'、'.join(event.roles)} as {wording.actor_en(event)}" if event.roles else ""


def _is_told(event: Event) -> bool:
    """Whether the caller tells of it: what the engine supplied he leaves to each."""
    return event.info.origin != "inferred"
