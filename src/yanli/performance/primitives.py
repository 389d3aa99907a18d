"""The primitives that verbs are written in: what must hold before, what holds after. A closed list.

Each takes the machine, the context of one act by one actor, and its argument from the verb's entry. A need returns
False when it does not hold and cannot be made to hold (a finding says why); then the act's effects are skipped.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from yanli.performance.moving import PACE, go_along, step_aside, travel, way_to
from yanli.plan.targets import OWN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yanli.performance.acting import Acting
    from yanli.performance.context import Context
    from yanli.performance.world import Actor, Thing
    from yanli.venue import Spot

Need = Callable[["Acting", "Context", str], bool]
Effect = Callable[["Acting", "Context", str], None]


# ── needs ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def need_stand(m: Acting, c: Context, _: str) -> bool:
    """He stands; if not, he rises first (inferred)."""
    if c.actor.posture != "立":
        m.infer_posture(c, "興", "立")
    return True


def need_kneel(m: Acting, c: Context, _: str) -> bool:
    """He kneels; if not, he kneels first (inferred)."""
    if c.actor.posture == "立":
        m.infer_posture(c, "坐", "坐")
    return True


def need_near(m: Acting, c: Context, what: str) -> bool:
    """The thing, or the person, is within reach; if not, he walks there first (inferred)."""
    actor = c.actor
    if what == "object":
        for thing in c.things:
            if thing.where is actor:
                continue
            spot = thing.spot if isinstance(thing.where, str) else thing.where.spot
            if not m.near(actor.spot, spot):
                travel(m, c, m.beside_thing(thing, actor), inferred=f"取{thing.kind}先至其所")
            return True
        return True
    other = c.giver if what == "giver" else (c.target[0] if c.target else None)
    if other is not None and other is not actor and not m.near(actor.spot, other.spot):
        travel(m, c, m.beside_person(other, actor), inferred=f"授受於{other.name}先就之")
    return True


def need_at(m: Acting, c: Context, what: str) -> bool:
    """He is at the place of the act (or at the place that the verb supposes); if not, he walks there (inferred)."""
    if c.place is not None:
        if not m.near(c.actor.spot, c.place):
            travel(m, c, m.approach(c.place_name or c.place.name, c.place), inferred=f"於{c.place.name}而至")
        return True
    if what != "place":
        name = m.its(what.removeprefix(OWN), c.actor) if what.startswith(OWN) else what
        spot = m.place_named(name, c.actor) if name is not None else None
        if spot is not None and not m.near(c.actor.spot, spot):
            what = name or what
            travel(m, c, m.approach(what, spot), inferred=f"{c.ready.verb}必於{what}")
    return True


def need_go(m: Acting, c: Context, _: str) -> bool:
    """He is at the very place of the act; if not, he walks there (inferred)."""
    if c.place is not None and c.actor.spot is not c.place:
        travel(m, c, c.place, inferred=f"{c.ready.verb}於{c.place.name}")
    return True


def need_carries(m: Acting, c: Context, what: str) -> bool:
    """He has the thing on him, in hand or belt."""
    if what == "object":
        if c.things:
            return True
        named = "、".join(ref.kind for ref in c.act.things) or "a cup"
        return m.cannot(c, "holds-nothing", f"{c.actor.name} does not hold {named}: {_hands(c.actor)}", c.act.things)
    if any(thing.kind == what for thing in c.actor.left) or any(thing.kind == what for thing in c.actor.holding()):
        return True
    return m.cannot(c, "holds-nothing", f"{c.actor.name} has no {what} on him: {_hands(c.actor)}", c.act.things)


def need_holds(m: Acting, c: Context, what: str) -> bool:
    """He has the thing in his hands, not in the belt."""
    if what == "object":
        held = tuple(thing for thing in c.things if thing not in c.actor.belt)
        if held:
            c.things = held
            return True
        named = "、".join(ref.kind for ref in c.act.things) or "anything"
        return m.cannot(
            c, "holds-nothing", f"{c.actor.name} does not hold {named} in hand: {_hands(c.actor)}", c.act.things
        )
    for thing in c.actor.right:
        if thing.kind == what:
            c.things = (thing,)
            return True
    return m.cannot(c, "holds-nothing", f"{c.actor.name} has no {what} in hand: {_hands(c.actor)}", c.act.things)


def _hands(actor: Actor) -> str:
    left = "、".join(thing.id for thing in actor.left) or "–"
    right = "、".join(thing.id for thing in actor.right) or "–"
    belt = "、".join(thing.id for thing in actor.belt) or "–"
    return f"左 {left}, 右 {right}, 帶 {belt}"


def need_hand(m: Acting, c: Context, _: str) -> bool:
    """A hand is free for each thing: one of the great things to a hand, small ones (arrows, sticks) beside it."""
    if not c.things:
        if any(ref.count is not None and ref.count < 0 for ref in c.act.things):
            # All of nothing is nothing.
            return False
        kinds = "、".join(ref.kind for ref in c.act.things) or "anything"
        return m.cannot(c, "nothing-there", f"there is no {kinds} for {c.actor.name} to take{_at(c)}", c.act.things)
    thing = c.things[0]
    if thing.where is c.actor or thing.kind in m.small:
        return True
    hand = hand_for(c, thing)
    if _room(m, getattr(c.actor, hand)):
        return True
    other = "left" if hand == "right" else "right"
    if thing.hands != "left" and _room(m, getattr(c.actor, other)):
        c.hand = other
        return True
    return m.cannot(c, "hands-full", f"{c.actor.name} has no hand free for {thing.id}: {_hands(c.actor)}", c.act.things)


def _at(c: Context) -> str:
    return f" at {c.where_from}" if c.where_from else ""


def _room(m: Acting, held: tuple[Thing, ...]) -> bool:
    return all(thing.kind in m.small for thing in held)


def hand_for(c: Context, thing: Thing) -> str:
    """Which hand a thing goes into: the one the words name, else its own (a bow the left), else the right."""
    if c.act.hand == "左":
        return "left"
    if c.act.hand == "右":
        return "right"
    if c.hand is not None:
        return c.hand
    return "left" if thing.hands == "left" else "right"


def need_filled(m: Acting, c: Context, _: str) -> bool:
    """The vessel holds drink."""
    for thing in c.things:
        if not thing.filled:
            return m.cannot(c, "cup-empty", f"{thing.id} is empty", c.act.things)
    return True


def need_empty(m: Acting, c: Context, _: str) -> bool:
    """The vessel is empty."""
    for thing in c.things:
        if thing.filled:
            return m.cannot(c, "cup-filled", f"{thing.id} is filled already", c.act.things)
    return True


def need_wears(m: Acting, c: Context, what: str) -> bool:
    """He wears a garment, or is bared (袒 counts for 肉袒 too)."""
    dress = c.actor.dress
    wanted = c.act.garments if what == "garment" else (what,)
    for word in wanted:
        if word in dress or (word == "袒" and "肉袒" in dress):
            continue
        return m.cannot(c, "not-worn", f"{c.actor.name} does not wear {word}: {'、'.join(dress) or '–'}", ())
    return True


def need_lacks(m: Acting, c: Context, what: str) -> bool:
    """He does not wear it."""
    if what in c.actor.dress:
        return m.cannot(c, "already-worn", f"{c.actor.name} has {what} already: {'、'.join(c.actor.dress)}", ())
    return True


def need_giver(m: Acting, c: Context, _: str) -> bool:
    """Somebody holds what is to be received."""
    if c.giver is not None and c.things:
        return True
    kinds = "、".join(ref.kind for ref in c.act.things) or "a cup"
    return m.cannot(c, "nobody-gives", f"nobody holds {kinds} for {c.actor.name} to receive", c.act.things)


# ── effects: where ──────────────────────────────────────────────────────────────────────────────────────────────────


def do_go(m: Acting, c: Context, what: str) -> None:
    """He goes to the place, the way itself being the act; ``home``: to his 位 in the zone where he comes to stand."""
    if what == "home":
        home = m.home_of(c.actor, c.place)
        if home is not None:
            travel(m, c, home[0])
            c.home_facing = home[1]
        return
    if c.place is not None:
        travel(m, c, c.place)
    elif c.via:
        travel(m, c, c.via[-1])


def do_home(m: Acting, c: Context, what: str) -> None:
    """Where he now is becomes his 位 in this zone; ``place``: if the act names a place."""
    if what == "place" and c.place is None:
        return
    m.settle(c.actor, c.facing)


def do_turn(m: Acting, c: Context, what: str) -> None:
    """He faces as the words say; at a place that has a facing and no word for it, that way."""
    facing = c.home_facing if what == "home" else c.facing
    if facing is None and what == "facing" and c.place is not None and c.moved:
        facing = c.place.facing
    if facing is not None and facing != c.actor.facing:
        m.world.set(c.actor, "facing", facing)


def do_face(m: Acting, c: Context, _: str) -> None:
    """He faces the person."""
    if c.target:
        m.world.set(c.actor, "facing", way_to(c.actor.spot, c.target[0].spot))


def do_front(m: Acting, c: Context, _: str) -> None:
    """He does not turn his back on the person: if that one is behind him, he turns to him."""
    if c.target and c.facing is None:
        m.front(c.actor, c.target[0])


def do_step(m: Acting, c: Context, which: str) -> None:
    """He takes a small step; its length (3 尺) is the project's own (semantics 8)."""
    step_aside(m, c, which, PACE)


def do_pass(m: Acting, c: Context, what: str) -> None:
    """He goes by a place: it lies on his way to what comes next."""
    if what != "place":
        go_along(m, c, m.layout.way(what, c.actor.spot, c.place or c.actor.spot))
    elif c.place is not None:
        travel(m, c, c.place)


def do_ascend(m: Acting, c: Context, _: str) -> None:
    """He goes up: by the stairs named or his own; with a number, so many steps of them."""
    m.climb(c, up=True)


def do_descend(m: Acting, c: Context, _: str) -> None:
    """He goes down."""
    m.climb(c, up=False)


def do_laststep(m: Acting, c: Context, _: str) -> None:
    """He stops on the last step, without the hall (盡階不升堂)."""
    m.climb(c, up=True, last=True)


def do_stand(m: Acting, c: Context, _: str) -> None:
    """He stands."""
    if c.actor.posture != "立":
        m.world.set(c.actor, "posture", "立")


def do_kneel(m: Acting, c: Context, _: str) -> None:
    """He kneels (坐)."""
    if c.actor.posture != "坐":
        m.world.set(c.actor, "posture", "坐")


# ── effects: who has what ───────────────────────────────────────────────────────────────────────────────────────────


def do_take(m: Acting, c: Context, _: str) -> None:
    """The things are in his hand."""
    actor = c.actor
    taken = []
    for thing in c.things:
        if isinstance(thing.where, str):
            m.rest[thing.id] = (thing.where, thing.spot)
            if thing.kind in m.bearing:
                m.load(thing)
        elif thing.where is actor and c.act.hand is None:
            continue
        taken.append(thing)
    _into_hands(m, c, taken, actor)


def _into_hands(m: Acting, c: Context, things: Sequence[Thing], actor: Actor) -> None:
    """Each thing into the hand where it belongs."""
    hands: dict[str, list[Thing]] = {}
    for thing in things:
        hand = hand_for(c, thing) if actor is c.actor else "left" if thing.hands == "left" else "right"
        hands.setdefault(hand, []).append(thing)
        m.last[actor.name, thing.kind] = thing
    for hand, group in hands.items():
        m.world.give(group, actor, hand)


def do_put(m: Acting, c: Context, what: str) -> None:
    """The things lie at the place; 其所 is where each stood last; without a place, where he is.

    ``anchored``: what the building has a place for (洗, 楅) comes to stand there, whichever words describe it.
    """
    anchored = what.endswith("anchored")
    places: dict[tuple[str, Spot], list[Thing]] = {}
    for thing in c.things:
        places.setdefault(m.resting_place(c, thing, anchored=anchored), []).append(thing)
        m.last[c.actor.name, thing.kind] = thing
        m.note_handled(thing)
    if c.to is None and c.place is not None:
        # He need not walk there, where no walk is told: whither the things go is told all the same.
        c.to = c.place.name
    for (where, spot), group in places.items():
        m.world.put(group, where, spot)
        for thing in group:
            inside = m.world.stock.get(thing.id)
            if inside:
                for others in inside.values():
                    for other in others.values():
                        m.world.set(other, "spot", spot)


def do_give(m: Acting, c: Context, _: str) -> None:
    """The things are in the other's hand."""
    if c.target:
        _into_hands(m, c, c.things, c.target[0])


def do_receive(m: Acting, c: Context, _: str) -> None:
    """What the other held is in his hand."""
    _into_hands(m, c, c.things, c.actor)


def do_fill(m: Acting, c: Context, _: str) -> None:
    """The vessel holds drink."""
    for thing in c.things:
        m.world.set(thing, "filled", value=True)


def do_empty(m: Acting, c: Context, _: str) -> None:
    """The vessel is drained."""
    for thing in c.things:
        m.world.set(thing, "filled", value=False)


def do_clean(m: Acting, c: Context, _: str) -> None:
    """The vessel has been washed once more."""
    for thing in c.things:
        m.world.set(thing, "times", thing.times + 1)


def do_state(m: Acting, c: Context, what: str) -> None:
    """A state of a thing changes: ``state object 繫``; the place in the act says which part of it (左下綱)."""
    value = what.rsplit(maxsplit=1)[-1]
    for thing, part in _parts(m, c):
        m.world.set(thing, "states", {**thing.states, part: value})


def _parts(m: Acting, c: Context) -> list[tuple[Thing, str]]:
    """What a change of state is about: things, and the part of each that is named (左下綱 is a part of the 侯)."""
    named = c.place_name or c.act.matter
    if c.things:
        return [(thing, named or "狀") for thing in c.things]
    found: list[tuple[Thing, str]] = []
    for ref in c.act.things:
        entry = m.stage.lexicon.thing(ref.kind)
        whole = m.which(entry.part_of, c.actor) if entry is not None and entry.part_of else None
        if whole is not None:
            found.append((whole, ref.kind))
    return found


def do_untie(m: Acting, c: Context, _: str) -> None:
    """What was bound or tied is loose."""
    for thing, part in _parts(m, c):
        if thing.states:
            kept = {key: value for key, value in thing.states.items() if value != "束" and key != part}
            m.world.set(thing, "states", {**kept, part: "說"})


def do_lay(m: Acting, c: Context, what: str) -> None:
    """How the sticks lie: 縮 lengthwise, 橫 crosswise."""
    manner = c.act.manner if what == "manner" else what
    for thing in c.things:
        if thing.lay != manner:
            m.world.set(thing, "lay", manner)


def do_orient(m: Acting, c: Context, _: str) -> None:
    """The things face as the words say."""
    if c.facing is not None:
        for thing in c.things:
            m.world.set(thing, "facing", c.facing)


def do_mat(m: Acting, c: Context, _: str) -> None:
    """A mat is spread for each, at his seat; elsewhere if the words name a place that is not it."""
    found: list[Thing] = []
    for index, person in enumerate(c.target):
        seat = m.seat(person)
        spot = m.mat_spot(person, c.place, c.facing, c.act.head, index, len(c.target))
        if spot is None:
            continue
        for mat in m.world.owned.get((person.name, "席"), ()):
            m.world.put((mat,), seat if seat is not None and spot.name == seat else spot.name, spot)
            m.world.set(mat, "facing", c.facing if c.facing is not None else spot.facing)
            m.note_handled(mat)
            found.append(mat)
    c.things = tuple(found)


# ── effects: dress, office, bow and arrow ───────────────────────────────────────────────────────────────────────────


def do_wear(m: Acting, c: Context, what: str) -> None:
    """He wears it, or is bared."""
    dress = c.actor.dress
    for word in c.act.garments if what == "garment" else (what,):
        if word not in dress:
            dress = (*dress, word)
    if dress != c.actor.dress:
        m.world.set(c.actor, "dress", dress)


def do_doff(m: Acting, c: Context, what: str) -> None:
    """He wears it no longer."""
    gone = c.act.garments if what == "garment" else (what,)
    dress = tuple(word for word in c.actor.dress if word not in gone)
    if dress != c.actor.dress:
        m.world.set(c.actor, "dress", dress)


def do_appoint(m: Acting, c: Context, _: str) -> None:
    """The one spoken of (or he himself) holds an office from now on, in place of the one he held before."""
    role = c.act.role or c.act.matter
    if role is None:
        return
    person = c.target[0] if c.target else c.actor
    m.world.set(person, "roles", () if role == person.base else (role,))


def do_tuck(m: Acting, c: Context, _: str) -> None:
    """From the hand into the belt."""
    m.world.give(c.things, c.actor, "belt")


def do_nock(m: Acting, c: Context, _: str) -> None:
    """The arrow is across the bow: if it was in the belt, it is in the right hand now."""
    elsewhere = [thing for thing in c.things if thing.hand != "right"]
    if elsewhere:
        m.world.give(elsewhere, c.actor, "right")


def do_shoot(m: Acting, c: Context, _: str) -> None:
    """The arrow flies: it strikes the target or lies on the ground; the fates know which."""
    m.shoot(c)


def do_tally(m: Acting, c: Context, _: str) -> None:
    """The sticks laid for a side are counted."""
    m.count_side(c)


NEEDS: dict[str, Need] = {
    "stand": need_stand,
    "kneel": need_kneel,
    "near": need_near,
    "at": need_at,
    "go": need_go,
    "carries": need_carries,
    "holds": need_holds,
    "hand": need_hand,
    "filled": need_filled,
    "empty": need_empty,
    "wears": need_wears,
    "lacks": need_lacks,
    "giver": need_giver,
}
DOES: dict[str, Effect] = {
    "go": do_go,
    "home": do_home,
    "turn": do_turn,
    "face": do_face,
    "front": do_front,
    "step": do_step,
    "pass": do_pass,
    "ascend": do_ascend,
    "descend": do_descend,
    "laststep": do_laststep,
    "stand": do_stand,
    "kneel": do_kneel,
    "take": do_take,
    "put": do_put,
    "give": do_give,
    "receive": do_receive,
    "fill": do_fill,
    "empty": do_empty,
    "clean": do_clean,
    "state": do_state,
    "untie": do_untie,
    "lay": do_lay,
    "orient": do_orient,
    "mat": do_mat,
    "wear": do_wear,
    "doff": do_doff,
    "appoint": do_appoint,
    "tuck": do_tuck,
    "nock": do_nock,
    "shoot": do_shoot,
    "tally": do_tally,
}
