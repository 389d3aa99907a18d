"""The tally (數獲): what each side hit, as it was laid stick by stick, counted and announced; and sheets to write on.

Comes in: a performance. Goes out: values, text, a blank sheet and a blank record. Nothing is counted by a rule of its
own: sticks are those that were laid, counts those that were made, words those that were said, drinkers those who drank.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yanli.performance.archery import SIDES, outcome_of
from yanli.performance.event import changed
from yanli.performance.fates import EVEN, UPPER
from yanli.performance.record import HEADER
from yanli.performance.shooting import in_pairs, lead
from yanli.performance.world import Thing, World
from yanli.render.arrows import places_of
from yanli.render.columns import table
from yanli.render.wording import Wording

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from yanli.performance.event import Event
    from yanli.performance.perform import Performance
    from yanli.performance.shooting import Shooting

PER_PAIR, PER_HEAP = 2, 20
HEAP = "獲"
LENGTHWISE, CROSSWISE = "縮", "橫"
BOX = "□"


class Round:
    """What happened in one round, gathered from its events in the order of play."""

    def __init__(self, shooting: Shooting) -> None:
        """Begin with nothing."""
        self.shooting = shooting
        # By shooter's full name: whether each arrow hit, and how many sticks were laid for him.
        self.shots: dict[str, list[bool]] = {}
        self.laid: dict[str, int] = {}
        self.sticks: dict[str, int] = dict.fromkeys(SIDES.values(), 0)
        self.tally: Mapping[str, int] = {}
        self.heaps: dict[str, dict[str, int]] = {}
        self.counter: Event | None = None
        self.said: Event | None = None
        self.drinkers: list[str] = []
        # In which clause he drank, by name.
        self.cups: dict[str, int] = {}
        self.notes: list[str] = []


class Gathering:
    """Goes through a performance once, in the order of play, and gathers what belongs to each round."""

    def __init__(self, performance: Performance) -> None:
        """Gather."""
        self.performance = performance
        stage = performance.stage
        self.rounds = {number: Round(each) for number, each in stage.shootings.items() if number in stage.rounds}
        self.drinking = {
            number: range(*stage.program.ranges[each.shooting.drink])
            for number, each in self.rounds.items()
            if each.shooting.drink in stage.program.ranges
        }
        # Where each stick lies and how (縮, 橫), and who shot the last arrow.
        self.sticks: dict[str, tuple[str, str | None]] = {}
        self.shooter: str | None = None
        current: Round | None = None
        numbers: list[int] = []
        begun = list(reversed(performance.machine.begun))
        for event in sorted(performance.events, key=lambda event: event.order):
            while begun and begun[-1][0] <= event.order:
                current = self.rounds.get(begun.pop()[1]) or current
            numbers.append(current.shooting.number if current is not None else 0)
            if current is not None:
                self.follow(current, event)
        for finding in performance.findings:
            if finding.code == "warning" and finding.event is not None and finding.event < len(numbers):
                told = self.rounds.get(numbers[finding.event])
                if told is not None and finding.cause not in told.notes:
                    told.notes.append(finding.cause)

    def follow(self, current: Round, event: Event) -> None:
        """Take from one event what it changed."""
        if event.hit is not None:
            self.shooter = event.actor.name
            current.shots.setdefault(self.shooter, []).append(event.hit)
        for thing, attribute, value in changed(self.performance.journal, event):
            if isinstance(thing, World):
                current.tally, current.counter = value, event
            elif isinstance(thing, Thing) and thing.kind == self.performance.machine.stick:
                self.stick(current, thing, attribute, value)
            elif attribute == "filled" and not value:
                self.drunk(event)
        if current.counter is not None and current.said is None:
            self.heaps(current)
            if event.actor is current.counter.actor and (event.speech or event.info.speech):
                current.said = event

    def stick(self, current: Round, thing: Thing, attribute: str, value: object) -> None:
        """A stick moved or was turned; before the count, one that comes into a heap is for the arrow shot last."""
        where, lay = self.sticks.get(thing.id, ("", None))
        if attribute == "where":
            where = value if isinstance(value, str) else ""
            side = where.removesuffix(HEAP)
            if side != where and side in current.sticks and current.counter is None and self.shooter is not None:
                current.sticks[side] += 1
                current.laid[self.shooter] = current.laid.get(self.shooter, 0) + 1
        elif attribute == "lay":
            lay = str(value) if value is not None else None
        self.sticks[thing.id] = where, lay

    def heaps(self, current: Round) -> None:
        """How a side's sticks lie once all have been counted through: heaps, pairs beside them, the odd one."""
        for side, count in current.tally.items():
            lying = [lay for where, lay in self.sticks.values() if where == f"{side}{HEAP}"]
            if len(lying) == count and None not in lying:
                heaps = lying.count(LENGTHWISE) // PER_HEAP
                current.heaps[side] = {"heaps": heaps, "pairs": lying.count(CROSSWISE) // PER_PAIR}

    def drunk(self, event: Event) -> None:
        """A cup was emptied: where the losers of a round drink, he who shot in it drank as one of them."""
        for number, clauses in self.drinking.items():
            each = self.rounds[number]
            name = event.actor.name
            if event.clause in clauses and name in each.shots and name not in each.drinkers:
                each.drinkers.append(name)
                each.cups[name] = event.clause


def tally(performance: Performance) -> dict[str, Any]:
    """The tally of each counted round, in ``rounds``; those in which no stick is laid are in ``uncounted``."""
    found = list(Gathering(performance).rounds.values())
    return {
        "rite": performance.rite.name,
        "rounds": [_counted(performance, each) for each in found if each.counter is not None],
        "uncounted": [
            _head(each) | {"shooters": _shooters(performance, each)} for each in found if each.counter is None
        ],
    }


# ── values ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _head(each: Round) -> dict[str, Any]:
    return {
        "round": each.shooting.number,
        "name": each.shooting.name,
        "arrows": sum(map(len, each.shots.values())),
        "hits": sum(map(sum, each.shots.values())),
    }


def _counted(performance: Performance, each: Round) -> dict[str, Any]:
    shooters = _shooters(performance, each)
    winner = outcome_of(each.tally)
    ahead = abs(lead(each.tally, tuple(SIDES.values())))
    said = each.said
    losing = None if winner == EVEN else next(side for side in SIDES.values() if side != winner)
    return {
        **_head(each),
        "sides": {side: _side(each, side, word, shooters) for word, side in SIDES.items()},
        "winner": winner,
        "surplus": in_pairs(ahead) if ahead else None,
        "announcement": (said.speech or said.info.speech) if said is not None else None,
        "announcer": said.actor.name if said is not None else None,
        "event": said.n if said is not None else None,
        "losers": losing,
        "drink": each.drinkers,
        "tie": _tie(performance, each) if winner == EVEN else None,
        "notes": [*each.notes, *_beside(performance, each, winner)],
        "shooters": shooters,
    }


def _beside(performance: Performance, each: Round, winner: str) -> list[str]:
    """Of those who drank though their side did not lose: with which words."""
    won = {name for _, _, side, name in places_of(each.shooting) if SIDES.get(side) == winner}
    clauses = {name: performance.clause(number) for name, number in each.cups.items() if name in won}
    return [
        f"{name} 其黨不負而飲 drank though his side won：「{clause.text}」 {clause.id}"
        for name, clause in clauses.items()
    ]


def _side(each: Round, side: str, word: str, shooters: list[dict[str, Any]]) -> dict[str, Any]:
    own = [shooter for shooter in shooters if shooter["side"] == word]
    counted = each.tally.get(side, 0)
    lying = each.heaps.get(side, {})
    return {
        "shooters": word,
        "arrows": sum(shooter["arrows"] for shooter in own),
        "hits": sum(shooter["hits"] for shooter in own),
        "sticks": each.sticks[side],
        "counted": counted,
        "純": counted // PER_PAIR,
        "奇": counted % PER_PAIR,
        "words": in_pairs(counted),
        "heaps": lying.get("heaps", 0),
        "pairs_beside": lying.get("pairs", 0),
    }


def _tie(performance: Performance, each: Round) -> dict[str, Any] | None:
    """Which reading holds on whether anybody drinks when the sides are even."""
    crux, readings = each.shooting.tie, performance.stage.readings
    if crux is None or crux not in readings.cruxes:
        return None
    return {"crux": crux, "reading": list(readings.choose(crux))}


def _shooters(performance: Performance, each: Round) -> list[dict[str, Any]]:
    """One row for each who shoots, in the order of shooting; the teacher is of pair 0."""
    fates = performance.machine.fates
    number = each.shooting.number
    return [
        {
            "pair": pair,
            "list": kind,
            "side": side,
            "name": name,
            "marks": fates.marks(number, pair, side, name),
            "arrows": len(each.shots.get(name, ())),
            "hits": sum(each.shots.get(name, ())),
            "sticks": each.laid.get(name, 0),
            "drinks": name in each.drinkers,
        }
        for pair, kind, side, name in places_of(each.shooting)
    ]


# ── to read ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def tally_text(found: Mapping[str, Any]) -> str:
    """The same, to read."""
    lines = [f"{found['rite']}　數獲 tally"]
    for each in sorted([*found["uncounted"], *found["rounds"]], key=lambda each: int(each["round"])):
        lines += ["", f"{each['name']} round {each['round']}：矢 arrows {each['arrows']}，中 hits {each['hits']}"]
        lines += _verdict(each) if "sides" in each else ["  獲而未釋獲 hits are called, none is counted"]
        lines += ["", *_table(each)]
    if not found["rounds"]:
        lines += ["", "無釋獲 nothing was counted"]
    return "\n".join(lines) + "\n"


def _verdict(each: Mapping[str, Any]) -> Iterator[str]:
    for side, told in each["sides"].items():
        lying = [f"十純之委 heaps of ten {told['heaps']}"] if told["heaps"] else []
        lying += [f"餘純 pairs beside {told['pairs_beside']}"] if told["heaps"] and told["pairs_beside"] else []
        yield (
            f"  {side} {told['shooters']}：中 hits {told['hits']}，算 sticks {told['counted']}，{told['words']}"
            + (f"（{'，'.join(lying)}）" if lying else "")
        )
    if each["announcement"] is not None:
        yield f"  {each['announcer']}告曰「{each['announcement']}」"
    if each["losers"] is not None:
        yield f"  飲 drink：{each['losers']}　{'、'.join(each['drink']) or '無人 nobody'}"
    else:
        by = f"（{each['tie']['crux']}：{'、'.join(each['tie']['reading'])}）" if each["tie"] else ""
        yield f"  飲 drink：{'、'.join(each['drink']) or '無人 nobody'}{by}"
    for note in each["notes"]:
        yield f"  ※ {note}"


def _table(each: Mapping[str, Any]) -> list[str]:
    rows = [("耦", "射", "名", "矢", "中", "算", "飲")]
    for shooter in each["shooters"]:
        drinks = "飲" if shooter["drinks"] else ""
        sticks = str(shooter["sticks"]) if "sides" in each else ""
        pair, side = str(shooter["pair"]), shooter["side"] if shooter["pair"] else ""
        rows.append((pair, side, shooter["name"], shooter["marks"], str(shooter["hits"]), sticks, drinks))
    return table(rows, right=(0, 4, 5), indent="  ")


# ── to write on ─────────────────────────────────────────────────────────────────────────────────────────────────────


def blank_sheet(performance: Performance) -> str:
    """A sheet for the field: who shoots in each round, in order, with a box for each arrow."""
    rite, wording = performance.rite, Wording(performance)
    lines = [
        f"{rite.name}　射 shooting record",
        "",
        "日 date ____________　所 place ____________　書 recorder ____________",
        "",
    ]
    lines += ["每矢書一字 one mark for each arrow："]
    lines += [f"  {sign}　{mark.told()}" for sign, mark in performance.stage.marks.signs.items()]
    for shooting in performance.stage.shootings.values():
        lines += ["", f"{shooting.name} round {shooting.number}", ""]
        boxes = " ".join(BOX * shooting.arrows)
        rows = [("耦 pair", "射 side", "名 name", "", "矢 arrows")]
        for pair, _, side, name in places_of(shooting):
            rows.append((str(pair), side if pair else "", name, wording.person_en(name), boxes))
        lines += table(rows, indent="  ")
    return "\n".join(lines) + "\n"


def blank_csv(performance: Performance, *, told: bool = False) -> str:
    """The record in which only the marks are wanting; filled in, it can be counted. The teacher's may stay empty.

    ``told``: with lines that a count passes over (#): before each pair who they are, at the end of which rite it is.
    """
    rite, wording = performance.rite, Wording(performance)
    lines = [",".join(HEADER)]
    for shooting in performance.stage.shootings.values():
        places = list(places_of(shooting))
        for pair, _, side, _name in places:
            if told and pair and side == UPPER:
                both = (f"{each} {own} {wording.person_en(own)}" for at, _, each, own in places if at == pair)
                lines.append(_remark(f"{shooting.name} {pair}: {' / '.join(both)}"))
            lines.append(f"{shooting.number},{pair},{side},")
    lines += [_remark(f"rite: {rite.slug} {rite.name}")] if told else []
    return "\n".join(lines) + "\n"


def _remark(words: str) -> str:
    """A line that a count passes over; without commas, so that a spreadsheet keeps it in one field."""
    return f"# {words.replace(',', ';')}"
