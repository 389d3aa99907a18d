"""The floor plan of hall and court at one moment, as one SVG.

Comes in: a performance and a moment. Goes out: a self-contained SVG to scale, north above, with a text account for
those who do not see it. Ground on which nothing is happening is left out, and marked as left out; the scale is one.
What can no longer occur: two figures or names on one another.
"""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from yanli.render.moulds import MAT, TARGET
from yanli.render.plan_account import account, away_lines, person_words, row_name
from yanli.render.plan_building import ENGLISH, building
from yanli.render.plan_figures import figure, reach_of
from yanli.render.plan_labels import Labels, Wish, settle
from yanli.render.plan_margin import HEAD, SIDE, breaks, elevation, heading, key, listing, rulers, scale_bar, unit_of
from yanli.render.plan_scene import RECEIVING, scene_of
from yanli.render.plan_space import SCALE, Box, Space, View, around, turned
from yanli.render.plan_style import STYLE
from yanli.render.plan_text import Names, attrs, box_words, line_of_text, num
from yanli.render.plan_things import mark_of, words_of

if TYPE_CHECKING:
    from yanli.performance.perform import Performance
    from yanli.performance.world import Actor
    from yanli.render.plan_labels import Label
    from yanli.render.plan_scene import Row, Scene, Stack

PERSON = 14.0
THING = 11.5
PART = 11.5
SIZE = 1.15
"""How large people are drawn: a little larger than they are, so that they can be told."""
SMALLEST = 0.34
FARTHER = (32.0, 72.0, 140.0, 420.0)
"""A thing whose place is taken is first looked a place for this near, then farther."""
QUIET = ("脯醢", "俎", "羞", MAT, "肺", "爵", "觶", "觚")
"""What is named only where there is room beside it: its mark can be told."""


def plan_svg(
    performance: Performance, time: float, done: int | None = None, *, title: str | None = None, english: bool = False,
    metres: bool = False,
) -> str:  # fmt: skip
    """Draw the plan of the world at ``time`` (seconds; of what ends then, only the first ``done`` events).

    ``title`` stands above it, else rite, section and words. ``english``: names in English. ``metres``: the rulers and
    the ground left out are told in metres.
    """
    names = Names(performance, english=english)
    scene = scene_of(performance, performance.world_at(time, done), names)
    return _Sheet(performance, scene, names, metres=metres).svg(
        title or _title(performance, time, done, english=english)
    )


def plan_title(performance: Performance, number: int, *, english: bool) -> str:
    """What stands above the plan of a moment: the rite, the section, the words of a clause, what somebody set.

    In English the words stay as they are, with the number under which the text has them.
    """
    rite, clause, scenario = performance.rite, performance.clause(number), performance.stage.scenario
    given = [f"{key}={scenario.values[key]}" for key in sorted(scenario.given) if key in scenario.values]
    given += [f"{crux}={name}" for crux, name in sorted(scenario.readings.items())]
    given += [scenario.school] if scenario.school else []
    if english:
        section = rite.sections[rite.clauses[number].section - 1].slug.replace("-", " ")
        parts = [rite.title_en or rite.name, section, f"after 「{clause.text}」 {clause.id}"]
    else:
        parts = [rite.name, performance.section(number), f"「{clause.text}」"]
    return "　".join([*parts, *(["設 " + " ".join(given)] if given else [])])


def _title(performance: Performance, time: float, done: int | None, *, english: bool) -> str:
    """Rite, section and the last words that have been done."""
    past = [
        play for play in performance.plays if play.end <= time and not play.via and (done is None or play.done <= done)
    ]
    if not past:
        return performance.rite.name
    play = max(past, key=lambda play: (play.end, play.start, play.clause))
    return plan_title(performance, play.clause, english=english)


class _Sheet:
    """One plan while it is being made."""

    def __init__(self, performance: Performance, scene: Scene, names: Names, *, metres: bool) -> None:
        self.layout = performance.stage.layout
        self.scene = scene
        self.names = names
        self.metres = metres
        self.view = View(scene.west, scene.east, scene.stretches, SIDE, HEAD)
        self.space = Space()
        self.labels = Labels(self.space, self.view, SIDE - 18)
        self.called = {actor.name: names.person(actor) for actor in scene.actors}
        self.boxes: dict[str, Box] = {}
        self.empty: list[tuple[Actor, Box, str]] = []
        self.lying: list[str] = []
        self.wishes: list[tuple[Wish, bool]] = []

    def svg(self, title: str) -> str:
        """Draw in layers: ground, what lies on it, people, names."""
        built = building(self.layout, self.view, geared=self.scene.geared)
        for box in built.hard:
            self.space.build(box)
        for box in built.soft:
            self.space.take(box, soft=True)
        self._fixtures()
        people = self._people()
        for box in built.edges:
            self.space.draw(box)
        taken = self._small([stack for stack in self.scene.stacks if not (stack.fixed or stack.counted)])
        self._name_people()
        self._name_mats()
        self._aside(taken)
        self._name_things()
        for part in built.names:
            words = ENGLISH.get(part.words, part.words) if self.names.english else part.words
            self.labels.free_spot(words, part.spots, PART, f"part-{part.words}")
        self._far_places()
        metre = self.layout.building.metres
        foot = self._foot(metre)
        width, height = self.view.right + SIDE, self.view.bottom + foot[1] + 20
        text = account(self.scene, self.names, self.called)
        root = {
            "xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {num(width)} {num(height)}", "width": num(width),
            "height": num(height), "role": "img", "aria-labelledby": "plan-title plan-desc", "class": "plan",
            "lang": "en" if self.names.english else "zh-Hant",
        }  # fmt: skip
        parts = [
            f"<svg{attrs(root)}>",
            f'<title id="plan-title">{escape(title)}</title>',
            f'<desc id="plan-desc">{escape(text)}</desc>',
            f"<style>{escape(STYLE.strip())}</style>",
            f'<rect width="{num(width)}" height="{num(height)}" class="paper"/>',
            _group("ground", built.shapes),
            _group("breaks", breaks(self.view, metre, metres=self.metres, english=self.names.english)),
            _group("rulers", rulers(self.view, metre, metres=self.metres)),
            _group("things", self.lying),
            _group("leaders", [_lines(label) for label in self.labels.placed]),
            _group("people", people),
            _group("names", [_label(label) for label in self.labels.placed]),
            _group("heading", heading(title, self.view)),
            _group("foot", foot[0]),
            "</svg>",
        ]
        return "\n".join(part for part in parts if part) + "\n"

    # ── things ──

    def _far_places(self) -> None:
        """Where people are drawn far from the gate, the place is named."""
        gate = -self.layout.building.measures["庭深"]
        told: set[str] = set()
        for actor in self.scene.actors:
            name = actor.spot.name.rstrip("東西南北.0123456789")
            if actor.spot.y < gate - RECEIVING and name not in told:
                told.add(name)
                x, y = self.view.x(actor.spot.x), self.view.y(actor.spot.y)
                spots = [(x + across, y + down) for down in (-26, 26, 0) for across in (60, 110, 160, 0)]
                self.labels.free_spot(name, spots, PART, f"part-{name}")

    def _fixtures(self) -> None:
        """What is set up stands where it is; mats lie under whoever is on them."""
        mats = [stack for stack in self.scene.stacks if stack.form == MAT]
        here = {(round(actor.spot.x), round(actor.spot.y)) for actor in self.scene.actors}
        first = [stack for stack in self.scene.stacks if stack.fixed or stack.counted]
        for stack in sorted(first, key=lambda one: (one.form != MAT, one.counted)):
            mark = mark_of(stack, self.layout, mats)
            box = self._around(stack, mark.broad, mark.deep)
            if stack.counted:
                box = box.moved(0.0, self._off_holder(stack, mark.deep))
            at = None if stack.form == MAT else settle(self.space, self.view, box, 0.0, self.view.y(stack.y))
            box = box.moved(*at or (0.0, 0.0))
            if stack.form == MAT:
                self.lying.append(self._thing(stack, box, mark.shapes))
                for edge in box.edges(0.6):
                    self.space.take(edge, soft=True)
                owner = stack.things[0].of
                if owner is not None and (round(stack.x), round(stack.y)) not in here:
                    self.empty.append((owner, box, self._id(stack)))
                continue
            self._lay(stack, box, mark.shapes)

    def _off_holder(self, stack: Stack, deep: float) -> float:
        """How far laid sticks begin from the middle of what held them, so that they stay on their side of it."""
        for holder in self.scene.stacks:
            if holder.form == "中" and holder.fixed and abs(holder.x - stack.x) < 4.0:  # noqa: PLR2004 - beside it
                side = 1.0 if stack.y < holder.y else -1.0
                return side * max(0.0, 8.5 + deep / 2 - abs(holder.y - stack.y) * SCALE)
        return 0.0

    def _small(self, stacks: list[Stack]) -> list[Stack]:
        """What merely lies there, where its place is free; what finds its place taken is given back."""
        taken: list[Stack] = []
        for stack in stacks:
            mark = mark_of(stack, self.layout, ())
            box = self._around(stack, mark.broad, mark.deep)
            if self.space.free(box):
                self._lay(stack, box, mark.shapes)
            else:
                taken.append(stack)
        return taken

    def _aside(self, stacks: list[Stack]) -> None:
        """The rest as near as there is room."""
        for stack in stacks:
            mark = mark_of(stack, self.layout, ())
            box = self._around(stack, mark.broad, mark.deep)
            words = words_of(stack, self.names)
            if not words or stack.kind in QUIET:
                off = self._settled(box, box, stack, FARTHER[-1]) or (0.0, 0.0)
                self._lay(stack, box.moved(*off), mark.shapes)
                continue
            off, label = self._with_name(stack, box, words)
            self._lay(stack, box.moved(*off), mark.shapes, named=True)
            self.labels.put(words, label.moved(*off), THING, self._id(stack))

    def _with_name(self, stack: Stack, box: Box, words: str) -> tuple[tuple[float, float], Box]:
        """How far a thing must be moved so that it and the name beside it have room, and where the name stands."""
        best: tuple[tuple[float, float], Box] | None = None
        for most in FARTHER:
            for way in ("E", "W", "S", "N"):
                label = self.labels.beside(words, THING, box, way)
                off = self._settled(box, around((box, label)).grown(0.9), stack, most)
                if off is not None and (best is None or hypot(*off) < hypot(*best[0])):
                    best = off, label
            if best is not None:
                return best
        return (0.0, 0.0), self.labels.beside(words, THING, box, "E")

    def _settled(self, box: Box, whole: Box, stack: Stack, most: float) -> tuple[float, float] | None:
        """How far a thing must be moved so that it meets nothing; it keeps on its side of a wall."""
        return settle(self.space, self.view, whole, 0.0, self.view.y(stack.y), step=4.0, most=most, middle=box.middle)

    def _lay(self, stack: Stack, box: Box, shapes: str, *, named: bool = False) -> None:
        self.space.take(box.grown(0.5))
        self.lying.append(self._thing(stack, box, shapes))
        if not named:
            self.wishes.append((Wish(words_of(stack, self.names), box, self._id(stack)), stack.kind not in QUIET))

    def _around(self, stack: Stack, broad: float, deep: float) -> Box:
        x, y = self.view.x(stack.x), self.view.y(stack.y)
        return Box(x - broad / 2, y - deep / 2, x + broad / 2, y + deep / 2)

    def _thing(self, stack: Stack, box: Box, shapes: str) -> str:
        x, y = box.middle
        data = {
            "id": self._id(stack), "class": f"thing {stack.form}", "data-kind": stack.kind, "data-place": stack.where,
            "data-count": len(stack.things), "data-ids": " ".join(thing.id for thing in stack.things),
            "data-content": " ".join(thing.id for thing in stack.content) or None, "data-box": box_words(box),
            "data-filled": 1 if any(thing.filled for thing in stack.things) else None,
            "data-layer": "floor" if stack.form == MAT else None,
        }  # fmt: skip
        words = self.names.held(stack.things)
        told = f"<title>{escape(words)} {escape(stack.where)}</title>"
        return f'<g{attrs(data)}>{told}<g transform="translate({num(x)} {num(y)})">{shapes}</g></g>'

    @staticmethod
    def _id(stack: Stack) -> str:
        return f"thing-{stack.things[0].id}"

    # ── people ──

    def _people(self) -> list[str]:
        """Everybody at his spot, or beside it where somebody else stands there already."""
        shapes: list[str] = []
        for row in sorted(self.scene.rows, key=lambda row: (self._scale(row) < 1.0, row.members[0].index)):
            scale = self._scale(row)
            for actor in row.members:
                box, at = self._stand(actor, scale)
                self.boxes[actor.name] = box
                words = person_words(actor, self.called[actor.name], self.names)
                shapes.append(figure(actor, at, box, scale, words))
        return shapes

    def _scale(self, row: Row) -> float:
        """In a row that is too close for people of the usual size they are drawn smaller."""
        if len(row.members) < 3:  # noqa: PLR2004 - two can step aside
            return SIZE
        boxes = [turned(one.facing, *reach_of(one).times(SIZE)) for one in row.members[:12]]
        upright = row.head in {"北", "南"}
        need = max(box.bottom - box.top if upright else box.right - box.left for box in boxes) + 1.0
        return SIZE * min(1.0, max(row.pitch * SCALE / need, SMALLEST))

    def _stand(self, actor: Actor, scale: float) -> tuple[Box, tuple[float, float]]:
        reach = reach_of(actor).times(scale)
        x, y = self.view.x(actor.spot.x), self.view.y(actor.spot.y)
        if actor.spot.zone != "門外":  # whoever is pressed against the wall of the court stands before it
            m = self.layout.building.measures
            half = m["庭廣"] / 2 - 1.5
            x = min(max(x, self.view.x(-half)), self.view.x(half))
            y = max(y, self.view.y(m["堂深"] + m["後深"] + m["堂後"] - 1.5))
        box = turned(actor.facing, *reach).moved(x, y)
        off = settle(self.space, self.view, box, actor.facing, y, step=3.0 if scale >= 1.0 else 2.0) or (0.0, 0.0)
        box = box.moved(*off)
        self.space.take(box)
        return box, (x + off[0], y + off[1])

    def _name_people(self) -> None:
        rows: list[tuple[list[Wish], str]] = []
        for row in self.scene.rows:
            members = [Wish(self.called[one.name], self.boxes[one.name], f"actor-{one.name}") for one in row.members]
            together = row_name(row, self.names)
            if row.head and not self.names.english:
                together += f"（{row.head}上）"
            rows.append((members, together))
        self.labels.rows(rows, PERSON)

    def _name_things(self) -> None:
        for must in (True, False):
            for wish, wanted in self.wishes:
                if wish.words and wanted is must:
                    self.labels.one(wish, THING, must=must, strict=not must)

    def _name_mats(self) -> None:
        """Mats on which nobody is: whose they are, on the mat, or for narrow ones together."""
        rows: dict[str, list[Wish]] = {}
        for owner, box, ident in self.empty:
            name = self.called.get(owner.name) or self.names.person(owner)
            words = f"{name}'s mat" if self.names.english else f"{name}席"
            if not self.labels.inside(words, box, THING, ident):
                rows.setdefault(owner.base, []).append(Wish(words, box, ident))
        for base, wishes in rows.items():
            self.labels.ranged(wishes, self.names.mats(base), THING)

    # ── below the plan ──

    def _foot(self, metre: float) -> tuple[list[str], float]:
        top, left = self.view.bottom + 22, self.view.left
        bar = scale_bar(left, top, metre)
        signs = key(left, top + bar.height + 12, english=self.names.english)
        shapes = [*bar.shapes, *signs.shapes]
        high = bar.height + signs.height + 12
        x = left + max(400.0, signs.width + 30.0)
        targets = sorted((stack for stack in self.scene.stacks if stack.form == TARGET), key=lambda one: -one.y)
        unit = unit_of(targets, self.layout)
        for stack in targets:
            seen = elevation(stack, self.layout, x, top, self.names, unit)
            shapes += seen.shapes
            high = max(high, seen.height)
            x += max(300.0, seen.width + 30.0)
        lines = away_lines(self.scene, self.names)
        if lines:
            told = listing(lines, x, top, self.view.right - x)
            shapes.append(f'<g class="away">{"".join(told.shapes)}</g>')
            high = max(high, told.height)
        return shapes, high + 22


def _group(name: str, shapes: list[str]) -> str:
    inside = "\n".join(shape for shape in shapes if shape)
    return f'<g id="plan-{name}">\n{inside}\n</g>' if inside else ""


def _lines(label: Label) -> str:
    found = ""
    if label.bracket:
        found += f'<path d="{label.bracket}" class="bracket"/>'
    if label.leader is not None:
        (x, y), (u, v) = label.leader
        found += f'<path d="M{num(x)} {num(y)} L{num(u)} {num(v)}" class="leader"/>'
    return found


def _label(label: Label) -> str:
    kind = label.owner.partition("-")[0]
    return line_of_text(
        label.words, label.box.left, label.box.top, label.size, f"label {kind}", upright=label.upright, box=label.box,
        owner=label.owner,
    )  # fmt: skip
