"""A performance as data for the page: all of it, once, in the shape that the page is told to expect."""

from __future__ import annotations

import gzip
import json
import re
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from yanli.lexicon.readings import simplified
from yanli.notation.rite import load_rite
from yanli.performance.stage import _buildings, building_keys, rite_tables
from yanli.rehearsal import rehearse, scenario_for
from yanli.render.plan_scene import scene_of
from yanli.render.plan_text import Names
from yanli.render.staging import stage_json
from yanli.render.wording import Wording
from yanli.venue import build, facing_name

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from yanli.performance.perform import Performance

RITE = "xiangshe"
Doc = dict[str, Any]
# Ends of clauses, spread over the whole.
MOMENTS = 40


@cache
def played(*sets: str, school: str | None = None) -> Performance:
    return rehearse(RITE, sets=sets, school=school)


@cache
def told(*sets: str, school: str | None = None) -> Doc:
    found: Doc = json.loads(stage_json(played(*sets, school=school)))
    return found


@pytest.fixture(scope="module")
def doc(performance: Performance) -> Doc:
    found: Doc = json.loads(stage_json(performance))
    return found


# ── what the page is told to expect ─────────────────────────────────────────────────────────────────────────────────

TYPEDEF = re.compile(r"@typedef \{object\} (\w+)(.*?)\*/", re.DOTALL)
PROPERTY = re.compile(r"@property (\{(?:[^{}]|\{[^{}]*\})*\}) (\[?)(\w+)")


@pytest.fixture(scope="module")
def shapes(root: Path) -> dict[str, tuple[set[str], set[str]]]:
    """By name, the properties that an object must have, and those that it may have, as `types.js` says."""
    text = (root / "src" / "yanli" / "web" / "types.js").read_text(encoding="utf-8")
    found = {}
    for name, body in TYPEDEF.findall(text):
        properties = PROPERTY.findall(body)
        assert properties, name
        found[name] = {key for _, opened, key in properties if not opened}, {key for _, _, key in properties}
    return found


def objects(doc: Doc) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "StageDoc", doc
    yield "Settings", doc["settings"]
    yield "Choices", doc["choices"]
    yield "Forms", doc["forms"]
    yield "Building", doc["building"]
    for name, items in (
        ("Choice", doc["choices"]["keys"]),
        ("Crux", doc["choices"]["cruxes"]),
        ("Section", doc["sections"]),
        ("Clause", doc["clauses"]),
        ("Play", doc["plays"]),
        ("Person", doc["people"]),
        ("PersonState", doc["start"]["people"]),
        ("Item", doc["things"]),
        ("ThingState", doc["start"]["things"]),
        ("Info", doc["infos"]),
        ("EventRow", doc["events"]),
        ("Shape", doc["building"]["shapes"]),
        ("Form", doc["kinds"].values()),
    ):
        assert items, name
        for item in items:
            yield name, item


def test_every_object_has_the_properties_that_the_page_expects(
    doc: Doc, shapes: dict[str, tuple[set[str], set[str]]]
) -> None:
    for name, item in objects(doc):
        must, may = shapes[name]
        assert must <= set(item) <= may, (name, must - set(item), set(item) - may)


def test_it_is_small_enough_to_send(performance: Performance) -> None:
    data = stage_json(performance)
    assert len(data) < 3_000_000
    assert len(gzip.compress(data, 9)) < 350_000


def test_the_same_performance_gives_the_same_bytes(performance: Performance) -> None:
    assert stage_json(performance) == stage_json(performance)


# ── words ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def words_in(doc: Doc) -> Iterator[int]:
    """Every place where a word is pointed to."""
    yield doc["rite"]["name"]
    yield from doc["facings"]
    yield from doc["origins"].values()
    yield from (clause["text"] for clause in doc["clauses"])
    yield from (word for person in doc["people"] for word in (person["name"], person["label"], *person["groups"]))
    yield from (spot[place] for spot in doc["spots"] for place in (2, 3))
    for info in doc["infos"]:
        yield from (info[key] for key in ("verb", "music", "matter", "warrant", "reading", "reason", "source"))
    for row in doc["events"]:
        yield from (row["posture"], row["act"], row.get("to", -1), row.get("speech", -1), *row.get("roles", ()))


def test_every_text_stands_once_and_every_word_is_there(doc: Doc) -> None:
    texts = list(zip(doc["words"], doc["forms"]["en"], strict=True))
    assert len(texts) == len(set(texts))
    assert all(-1 <= word < len(doc["words"]) for word in words_in(doc))


def test_other_forms_stand_beside_the_words(doc: Doc) -> None:
    words, forms = doc["words"], doc["forms"]
    assert {len(forms[key]) for key in ("hans", "en", "pinyin", "ko")} == {len(words)}
    for word, hans in zip(words, forms["hans"], strict=True):
        assert (hans or word) == simplified(word)
        assert hans != word
    for key in ("en", "pinyin", "ko"):
        named = {doc["people"][0]["name"], doc["facings"][0], doc["infos"][0]["verb"], doc["sections"][0]["name"]}
        assert all(forms[key][word] for word in named), key


def test_acts_are_said_as_everywhere(performance: Performance, doc: Doc) -> None:
    wording = Wording(performance)
    for event, row in zip(performance.events, doc["events"], strict=True):
        assert doc["words"][row["act"]] == wording.act(event)
        said = wording.act_en(event)
        assert (doc["forms"]["en"][row["act"]] or doc["words"][row["act"]]) == said


def test_each_character_of_a_clause_has_its_syllable(performance: Performance, doc: Doc) -> None:
    for clause, row in zip(performance.rite.clauses, doc["clauses"], strict=True):
        assert doc["words"][row["text"]] == clause.text
        assert len(row["pinyin"]) == len(row["ko"]) == len(clause.text)
        assert all(row["pinyin"])
        assert all(len(syllable) == 1 for syllable in row["ko"])


def test_words_are_looked_up_in_any_shape(doc: Doc) -> None:
    table = dict(zip(*doc["folds"], strict=True))
    fold = "".join
    for traditional, other in (("賓席", "宾席"), ("于", "於"), ("眾賓", "衆賔"), ("答拜", "荅拜")):
        assert fold(table.get(char, char) for char in traditional) == fold(table.get(char, char) for char in other)
    # What stands for others is itself not folded further.
    assert not set(table) & set(table.values())


# ── events ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_event_is_there_as_in_the_timeline(performance: Performance, doc: Doc) -> None:
    words, spots, people = doc["words"], doc["spots"], doc["people"]

    def word(place: int) -> str | None:
        return words[place] if place >= 0 else None

    before = -1
    for event, row in zip(performance.events, doc["events"], strict=True):
        data, info, spot = performance.data(event), doc["infos"][row["info"]], spots[row["spot"]]
        before = row.get("order", before + 1)
        assert before == event.order
        assert words[people[row["actor"]]["name"]] == data.actor
        assert doc["clauses"][row["clause"]]["id"] == data.clause
        assert [doc["clauses"][number]["id"] for number in row.get("via", ())] == data.via
        assert [doc["things"][number]["id"] for number in row.get("things", ())] == data.object_ids
        target = [words[people[number]["name"]] for number in row.get("target", ())]
        assert ("、".join(target) or None) == data.target
        assert word(row.get("to", -1)) == data.to
        assert (row.get("hit"), row.get("step"), row.get("together")) == (data.hit, data.step, data.together)
        assert (words[spot[2]], spot[:2]) == (data.place, data.xy)
        assert facing_name(row["facing"]) == data.facing
        assert words[row["posture"]] == data.posture
        assert [words[role] for role in row.get("roles", ())] == data.roles
        path = row.get("path", [])
        assert [[x, y] for x, y in zip(path[::2], path[1::2], strict=True)] == (data.path or [])
        assert (words[info["verb"]], info["times"], info["origin"]) == (data.verb, data.times, data.origin)
        for key in ("music", "matter", "warrant", "reading", "reason"):
            assert word(info[key]) == getattr(data, key)
        assert word(info["source"]) == data.from_
        assert abs(row["start"] - data.start) < 0.01
        assert abs(row["end"] - data.end) < 0.01


def test_spoken_words_have_their_slots_filled(performance: Performance, doc: Doc) -> None:
    spoken = [
        (event, doc["words"][row["speech"]])
        for event, row in zip(performance.events, doc["events"], strict=True)
        if "speech" in row
    ]
    assert len(spoken) == sum(event.info.speech is not None for event in performance.events)
    assert not any("{" in words for _, words in spoken)
    assert any("{" in (event.info.speech or "") for event, _ in spoken)


@pytest.mark.parametrize("sets", [(), ("眾耦=7", "大夫=3"), ("所=場",)])
def test_rounding_keeps_what_is_earlier_and_what_is_at_the_same_time(sets: tuple[str, ...]) -> None:
    performance, doc = played(*sets), told(*sets)
    pairs = []
    for event, row in zip(performance.events, doc["events"], strict=True):
        pairs += [(event.start, row["start"]), (event.end, row["end"])]
    for play, row in zip(performance.plays, doc["plays"], strict=True):
        pairs += [(play.start, row["start"]), (play.end, row["end"])]
    pairs.sort()
    for (exact, rounded), (later, after) in pairwise(pairs):
        assert (exact < later) == (rounded < after)
        assert rounded <= after
        assert abs(exact - rounded) < 0.01


def test_plays_and_sections(performance: Performance, doc: Doc) -> None:
    for play, row in zip(performance.plays, doc["plays"], strict=True):
        assert (row["clause"], row["via"], row["done"]) == (play.clause, list(play.via), play.done)
    clause = 0
    for section, row in zip(performance.rite.sections, doc["sections"], strict=True):
        assert (doc["words"][row["name"]], row["number"]) == (section.name, section.number)
        assert row["first"] == clause
        clause = row["last"] + 1
        events = [event for event in performance.events if row["first"] <= event.clause <= row["last"]]
        assert (row["start"] is None) == (not events)
        if events:
            assert abs(row["start"] - min(event.start for event in events)) < 0.01
            assert abs(row["end"] - max(event.end for event in events)) < 0.01
    assert clause == len(doc["clauses"])


def test_clauses_that_are_not_played_say_why(doc: Doc) -> None:
    played_clauses = {play["clause"] for play in doc["plays"]}
    untaken = [number for number, clause in enumerate(doc["clauses"]) if clause["untaken"] >= 0]
    assert untaken
    assert not played_clauses & set(untaken)
    assert any(clause["bound"] for clause in doc["clauses"])


# ── at first ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("sets", [(), ("眾耦=7", "大夫=3"), ("所=庠", "諸公=1")])
def test_at_first_everything_is_as_before_any_act(sets: tuple[str, ...]) -> None:
    performance, doc = played(*sets), told(*sets)
    world = performance.world_at(-1.0)
    words, spots = doc["words"], doc["spots"]

    def at(number: int) -> tuple[float, float, str, str]:
        x, y, name, zone = spots[number][:4]
        return x, y, words[name], words[zone]

    for actor, person, state in zip(world.actors.values(), doc["people"], doc["start"]["people"], strict=True):
        assert words[person["name"]] == actor.name
        spot = actor.spot
        assert at(state["spot"]) == (round(spot.x, 2), round(spot.y, 2), spot.name, spot.zone)
        assert (state["facing"], words[state["posture"]]) == (actor.facing, actor.posture)
        assert [words[word] for word in state["dress"]] == list(actor.dress)
        assert state["left"] == state["right"] == state["belt"] == state["roles"] == []
    for thing, item, state in zip(world.things.values(), doc["things"], doc["start"]["things"], strict=True):
        assert (item["id"], words[item["kind"]]) == (thing.id, thing.kind)
        owner = words[doc["people"][item["of"]]["name"]] if item["of"] >= 0 else None
        assert owner == (thing.of.name if thing.of else None)
        assert state["holder"] == -1
        assert words[state["where"]] == thing.where
        assert at(state["spot"]) == (round(thing.spot.x, 2), round(thing.spot.y, 2), thing.spot.name, thing.spot.zone)
        assert (state["filled"], state["facing"], state["layers"]) == (thing.filled, thing.facing, thing.layers)
        assert state["states"] == thing.states


def test_people_are_called_as_on_the_plan(performance: Performance, doc: Doc) -> None:
    chinese, english = Names(performance, english=False), Names(performance, english=True)
    for actor, person in zip(performance.stage.world().actors.values(), doc["people"], strict=True):
        assert doc["words"][person["label"]] == chinese.person(actor)
        assert person["en"] == english.person(actor)
    assert {person["party"] for person in doc["people"]} == {"host", "guest", "other"}


# ── what is to be seen ──────────────────────────────────────────────────────────────────────────────────────────────


def shown(doc: Doc, performance: Performance, time: float) -> set[str]:
    """The things that lie to be seen, told from the data by the rule that stands at `Item` in `types.js`."""
    world = performance.world_at(time)
    words = doc["words"]
    store = {item["id"]: {words[place] for place in item.get("store", ())} for item in doc["things"]}
    hidden, south = set(doc["building"]["hidden"]), doc["building"]["bounds"][1]
    lying = {
        thing.id: (thing, thing.where)
        for thing in world.things.values()
        if isinstance(thing.where, str)
        and thing.where not in store[thing.id]
        and thing.spot.zone not in hidden
        and thing.spot.y >= south
        and thing.where not in world.things
    }
    found = set()
    for ident, (thing, where) in lying.items():
        holders = {kind for kind, form in doc["kinds"].items() if where in form.get("holds", ()) and kind != thing.kind}
        held = any(
            other.kind in holders and (place == other.kind or place != other.spot.zone)
            for other, place in lying.values()
        )
        upon = doc["kinds"][thing.kind].get("upon", ())
        spot = (round(thing.spot.x, 1), round(thing.spot.y, 1))
        covered = any(
            other.kind in upon and (place == where or (round(other.spot.x, 1), round(other.spot.y, 1)) == spot)
            for other, place in lying.values()
        )
        if not held and (holders or covered):
            continue
        found.add(ident)
    return found


@pytest.mark.parametrize("sets", [(), ("所=庠",)])
def test_what_lies_to_be_seen_can_be_told_from_the_data(sets: tuple[str, ...]) -> None:
    performance, doc = played(*sets), told(*sets)
    names = Names(performance, english=False)
    seen = set()
    for number in range(MOMENTS):
        time = performance.length * number / (MOMENTS - 1)
        scene = scene_of(performance, performance.world_at(time), names)
        drawn = {thing.id for stack in scene.stacks for thing in (*stack.things, *stack.content)}
        assert shown(doc, performance, time) == drawn, time
        seen |= drawn
    assert len(seen) > len(doc["things"]) / 2


def test_kinds_look_as_on_the_plan(performance: Performance, doc: Doc) -> None:
    scene = scene_of(performance, performance.world_at(performance.length), Names(performance, english=False))
    for stack in scene.stacks:
        assert doc["kinds"][stack.kind]["form"] == stack.form
    assert set(doc["kinds"]) == {thing.kind for thing in performance.stage.world().things.values()}


# ── the building ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "sets", [(), ("所=庠",), ("所=場",), ("所=庠", "北階=有", "階高=5尺"), ("堂深=24尺", "庭深=360尺")]
)
def test_every_spot_lies_on_the_floor_that_its_zone_says(sets: tuple[str, ...]) -> None:
    doc = told(*sets)
    building = doc["building"]
    west, south, east, north = next(shape["box"] for shape in building["shapes"] if shape["form"] == "hall")
    upper = set(building["upper"])
    assert "堂上" in upper
    for x, y, _, zone, *_ in doc["spots"]:
        if doc["words"][zone] in upper:
            assert west <= x <= east
            assert south <= y <= north


@pytest.mark.parametrize("sets", [(), ("所=庠", "北階=有"), ("所=場",)])
def test_the_building_has_its_parts(sets: tuple[str, ...]) -> None:
    doc, layout = told(*sets), played(*sets).stage.layout
    shapes = doc["building"]["shapes"]
    forms = [shape["form"] for shape in shapes]
    names = {doc["words"][shape["name"]] for shape in shapes if shape["name"] >= 0}
    has = layout.building.has
    height = doc["building"]["height"]
    assert forms.count("hall") == forms.count("court") == 1
    assert forms.count("pillar") == (2 if "楹" in has else 0)
    assert forms.count("post") == (2 if "門" in has else 0)
    assert forms.count("mark") == 2
    stairs = {name for name, stair in layout.building.stairs.items() if layout.building.holds(stair.needs)}
    stairs = stairs if "階" in has else set()
    assert {doc["words"][shape["name"]] for shape in shapes if shape["form"] == "stair"} == stairs
    assert (height > 0) == bool(stairs)
    assert ("室" in names) == ("室" in has)
    for shape in shapes:
        west, south, east, north = shape["box"]
        assert west <= east
        assert south <= north
        assert shape["base"] >= 0
        assert shape["tall"] >= 0
        if shape["form"] == "stair":
            assert shape["tall"] == height
            assert shape["steps"] == round(layout.building.measures["等"])
        if shape["form"] in {"wall", "pillar", "post"}:
            # No source gives their height.
            assert shape["assumed"]


# ── what could be chosen ────────────────────────────────────────────────────────────────────────────────────────────


def test_everything_that_can_be_chosen_is_offered(performance: Performance, doc: Doc) -> None:
    keys = {choice["key"]: choice for choice in doc["choices"]["keys"]}
    assert len(keys) == len(doc["choices"]["keys"])
    assert set(building_keys(performance.rite)) | set(doc["settings"]["values"]) <= set(keys)
    assert all(choice["en"] for choice in keys.values())
    assert all(choice["zh"] >= 0 for choice in keys.values())
    cruxes = {crux["name"]: crux for crux in doc["choices"]["cruxes"]}
    assert set(cruxes) == set(performance.rite.cruxes)
    for name, crux in performance.rite.cruxes.items():
        row = cruxes[name]
        assert crux.default is None or row["readings"][0]["names"] == list(crux.default.names)
        assert doc["settings"]["chosen"][name] in [reading["names"] for reading in row["readings"]]
        assert [doc["clauses"][number]["id"] for number in row["clauses"]] == sorted(
            {str(site.clause) for site in crux.sites if site.clause},
            key=lambda ident: performance.rite.places[ident],
        )


@pytest.mark.parametrize("kind", ["序", "庠", "場"])
def test_every_offer_is_accepted(kind: str) -> None:
    doc = told(f"所={kind}")
    rite = load_rite(RITE)
    offers = [(choice["key"], value) for choice in doc["choices"]["keys"] for value in choice["values"]]
    assert ("所", kind) in offers
    for key, value in offers:
        sets = (f"{key}={value}",) if key == "所" else (f"所={kind}", f"{key}={value}")
        # It raises when a word is not known, or the building cannot have it.
        scenario = scenario_for(rite, sets=sets)
        build(scenario.building(), _buildings(), rite_tables(rite)["places.toml"])
        assert scenario.values[key] == value


def test_what_was_chosen_is_told() -> None:
    doc = told("眾耦=3", school="敖繼公")
    assert doc["settings"]["school"] == "敖繼公"
    assert doc["settings"]["given"] == ["眾耦"]
    assert doc["settings"]["values"]["眾耦"] == 3
    for crux in doc["choices"]["cruxes"]:
        if any("敖繼公" in reading["names"] for reading in crux["readings"]):
            assert "敖繼公" in doc["settings"]["chosen"][crux["name"]]


def test_a_score_of_a_few_lines_is_staged_too(small: Path) -> None:
    performance = rehearse(small)
    doc = json.loads(stage_json(performance))
    assert len(doc["events"]) == len(performance.events) > 0
    assert [crux["name"] for crux in doc["choices"]["cruxes"]] == ["面"]
    assert doc["words"][doc["choices"]["cruxes"][0]["question"]].endswith("所面")


def test_gestures_are_those_of_the_verbs(performance: Performance, doc: Doc) -> None:
    seen: dict[str, set[str]] = {}
    for info in doc["infos"]:
        if info["gesture"]:
            seen.setdefault(info["gesture"], set()).add(doc["words"][info["verb"]])
    assert seen["shoot"] == {"射"}
    assert all("拜" in verb for verb in seen["bow"])
    assert "揖" in seen["salute"]
    bows = {event.info.verb for event in performance.events if "拜" in event.info.verb}
    assert seen["bow"] == bows
