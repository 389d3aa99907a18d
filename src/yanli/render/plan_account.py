"""The plan in words, for those who do not see it: zone by zone who stands where, which way, and with what.

Comes in: a scene. Goes out: one text, in Chinese or English, and the phrase for one person.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from yanli.venue import facing_name

if TYPE_CHECKING:
    from yanli.performance.world import Actor
    from yanli.render.plan_scene import Row, Scene
    from yanli.render.plan_text import Names

QUARTERS = {
    "北": "north", "東北": "north-east", "東": "east", "東南": "south-east", "南": "south", "西南": "south-west",
    "西": "west", "西北": "north-west",
}  # fmt: skip
POSTURES = {"立": "standing", "坐": "kneeling"}
ENGLISH_ZONES = {
    "堂上": "in the hall", "階": "on the stairs", "北階": "on the northern stair", "堂下": "below the hall",
    "庭": "in the court",
    "門內": "inside the gate", "門外": "outside the gate", "堂東": "east of the hall", "堂西": "west of the hall",
    "東堂": "in the east side hall", "西堂": "in the west side hall", "房": "in the room", "室": "in the chamber",
    "侯": "at the target", "乏": "at the shelter", "次": "at the tent",
}  # fmt: skip


def person_words(actor: Actor, name: str, names: Names) -> str:
    """One person: name, place, facing, posture, dress and what he holds."""
    facing = facing_name(actor.facing)
    bared = "袒" in actor.dress or "肉袒" in actor.dress
    if names.english:
        words = [
            f"{name}: {names.place(actor.spot.name)}",
            f"facing {QUARTERS[facing]}",
            POSTURES.get(actor.posture, actor.posture),
        ]
        if actor.step is not None:
            words.append(f"step {actor.step}")
        if bared:
            words.append("left arm bared")
        holds = (("right hand", actor.right), ("left hand", actor.left), ("in the belt", actor.belt))
        words += [f"{hand}: {names.held(things)}" for hand, things in holds if things]
        return ", ".join(words)
    words = [f"{name}：{actor.spot.name}", f"{facing}面", actor.posture]
    if actor.step is not None:
        words.append(f"階第{actor.step}等")
    if bared:
        words.append("袒")
    words += [
        f"{hand}{names.held(things)}"
        for hand, things in (("右執", actor.right), ("左執", actor.left), ("搢", actor.belt))
        if things
    ]
    return "，".join(words)


def account(scene: Scene, names: Names, labels: dict[str, str]) -> str:
    """The whole plan in words; north is above."""
    zones: dict[str, list[str]] = {}
    for row in scene.rows:
        first = row.members[0]
        alone = len(row.members) == 1
        words = person_words(first, labels[first.name], names) if alone else row_words(row, names)
        zones.setdefault(first.spot.zone, []).append(words)
    things: dict[str, list[str]] = {}
    for stack in scene.stacks:
        inside = names.held(stack.content)
        word = names.held(stack.things)
        if inside:
            word += f" ({inside})" if names.english else f"（{inside}）"
        if stack.where != word:
            word = f"{word} @ {names.place(stack.where)}" if names.english else f"{stack.where}之{word}"
        things.setdefault(stack.things[0].spot.zone, []).append(word)
    parts: list[str] = ["North is above."] if names.english else ["上北下南。"]
    for zone in dict.fromkeys((*zones, *things)):
        people, lying = zones.get(zone, []), things.get(zone, [])
        if names.english:
            head = ENGLISH_ZONES.get(zone, zone)
            text = f"{head[:1].upper()}{head[1:]}: {'; '.join(people) or 'nobody'}."
            if lying:
                text += f" Things: {', '.join(lying)}."
        else:
            text = f"{zone}：{'；'.join(people) or '無人'}。"
            if lying:
                text += f"其器：{'、'.join(lying)}。"
        parts.append(text)
    parts += away_lines(scene, names)
    return "\n".join(parts)


def row_words(row: Row, names: Names) -> str:
    """A row of people, with the way it faces and where its head is."""
    first = row.members[0]
    name = row_name(row, names)
    facing = facing_name(first.facing)
    if names.english:
        head = f", first in the {QUARTERS[row.head]}" if row.head else ""
        posture = POSTURES.get(first.posture, first.posture)
        return f"{name}: {names.place(first.spot.name)}, facing {QUARTERS[facing]}{head}, {posture}"
    head = f"{row.head}上" if row.head else ""
    return f"{name}：{first.spot.name}，{facing}面{head}，{first.posture}"


def row_name(row: Row, names: Names) -> str:
    """The name of a row: one name, or the range."""
    if len(row.members) == 1:
        return names.person(row.members[0])
    return names.row(row.members[0], row.members[-1], len(row.members))


def away_lines(scene: Scene, names: Names) -> list[str]:
    """Who is too far away to be drawn, by place."""
    if names.english:
        return [
            f"Away, {names.place(place)}: {', '.join(row_name(row, names) for row in rows)}"
            for place, rows in scene.away
        ]
    return [f"在{place}：{'、'.join(row_name(row, names) for row in rows)}" for place, rows in scene.away]
