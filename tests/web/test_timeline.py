"""The page's own timeline says of every moment what the performance says, and its poses lead from state to state."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from math import dist, hypot
from pathlib import Path
from typing import Any

import pytest

from yanli.corpus.spelling import find
from yanli.lexicon.readings import simplified
from yanli.notation.address import clause_at
from yanli.performance.perform import Performance, actor_state, tally_state, thing_state
from yanli.performance.world import World
from yanli.rehearsal import rehearse
from yanli.render.staging import stage_json
from yanli.venue import facing_name

RITE = "xiangshe"
HERE = Path(__file__).parent
OLDEST = (20, 6)
"""The first Node that can be told where modules are."""
SCENARIOS: dict[str, dict[str, Any]] = {
    "plain": {},
    "many": {"sets": ("眾耦=7", "大夫=3")},
    "hall with rooms": {"sets": ("所=庠", "諸公=1", "勝=鈞")},
    "field": {"sets": ("所=場", "賓主與射=否")},
    "school": {"school": "敖繼公"},
}
MANY = 60
HAIR = 1e-4
Doc = dict[str, Any]
Ask = Callable[..., Any]


@cache
def node() -> str | None:
    """Node, of the environment or of the path, if it is new enough."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    found = shutil.which("node", path=path)
    if found is None:
        return None
    told = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout
    version = tuple(int(part) for part in told.strip().removeprefix("v").split(".")[:2] if part.isdigit())
    return found if version >= OLDEST else None


class Staged:
    """One performance, the same as data, and what the page makes of it."""

    def __init__(self, performance: Performance, path: Path) -> None:
        self.performance = performance
        data = stage_json(performance)
        path.write_bytes(data)
        self.doc: Doc = json.loads(data)
        self.path = path

    def ask(self, *questions: tuple[Any, ...]) -> list[Any]:
        """Put questions to the page's modules."""
        command = node()
        if command is None:
            lacks = "needs node 20.6 or newer on the path"
            if os.environ.get("CI", "").lower() in {"1", "true", "yes"}:
                pytest.fail(lacks, pytrace=False)
            pytest.skip(lacks)
        done = subprocess.run(
            [command, "--import", (HERE / "resolve.mjs").as_uri(), str(HERE / "ask.mjs"), str(self.path)],
            input=json.dumps(questions), capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        found: list[Any] = json.loads(done.stdout)
        return found

    def spread(self, count: int) -> list[float]:
        """Times spread over the whole: some by the clock, some just when acts begin and end."""
        events = self.doc["events"]
        clock = [self.doc["length"] * number / (count - 1) for number in range(count)]
        chosen = [events[len(events) * number // count] for number in range(count)]
        return sorted({*clock, *(row["start"] for row in chosen), *(row["end"] for row in chosen)})

    def exact(self, time: float) -> float:
        """The performance's own time that is written so in the data; any other time is its own."""
        return self._exact.get(time, time)

    @property
    def _exact(self) -> dict[float, float]:
        if not hasattr(self, "_times"):
            self._times: dict[float, float] = {}
            for event, row in zip(self.performance.events, self.doc["events"], strict=True):
                self._times[row["start"]] = event.start
                self._times[row["end"]] = event.end
        return self._times


@pytest.fixture(scope="module", params=list(SCENARIOS))
def staged(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Staged:
    path = tmp_path_factory.mktemp("staged") / "doc.json"
    return Staged(rehearse(RITE, **SCENARIOS[request.param]), path)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Staged:
    return Staged(rehearse(RITE), tmp_path_factory.mktemp("plain") / "doc.json")


# ── states ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def people_of(doc: Doc, moment: Doc) -> Doc:
    """Everybody in a moment of the page, in the shape of the contract, with the facing in degrees beside its name."""
    words, spots, things = doc["words"], doc["spots"], doc["things"]

    def ids(numbers: list[int]) -> list[str]:
        return [things[number]["id"] for number in numbers]

    found = {}
    for person, state in zip(doc["people"], moment["people"], strict=True):
        x, y, place, zone = spots[state["spot"]][:4]
        found[words[person["name"]]] = {
            "place": words[place],
            "zone": words[zone],
            "xy": [x, y],
            "facing": facing_name(state["facing"]),
            "degrees": state["facing"],
            "posture": words[state["posture"]],
            "step": state["step"],
            "hands": {"左": ids(state["left"]), "右": ids(state["right"])},
            "dress": [words[word] for word in state["dress"]],
            "belt": ids(state["belt"]),
            "roles": [words[word] for word in state["roles"]],
        }
    return found


def things_of(doc: Doc, moment: Doc) -> Doc:
    """Everything in a moment of the page, in the shape of the contract."""
    words, spots, people = doc["words"], doc["spots"], doc["people"]
    found = {}
    for item, state in zip(doc["things"], moment["things"], strict=True):
        held = state["holder"] >= 0
        assert held == (state["where"] < 0)
        x, y, place = spots[moment["people"][state["holder"]]["spot"] if held else state["spot"]][:3]
        told: Doc = {
            "kind": words[item["kind"]],
            "where": words[people[state["holder"]]["name"]] if held else words[state["where"]],
            "place": words[place] if held else words[state["where"]],
            "xy": [x, y],
            "filled": state["filled"],
        }
        if item["of"] >= 0:
            told["of"] = words[people[item["of"]]["name"]]
        if state["facing"] is not None:
            told["facing"] = facing_name(state["facing"])
        if told["kind"] == "席":
            told["layers"] = state["layers"]
        if state["lay"] >= 0:
            told["lay"] = words[state["lay"]]
        if state["states"]:
            told["states"] = state["states"]
        found[item["id"]] = told
    return found


def is_as(staged: Staged, moment: Doc, world: World, when: object) -> None:
    """A moment of the page is a world of the performance, person by person and thing by thing."""
    people, things = people_of(staged.doc, moment), things_of(staged.doc, moment)
    for name, actor in world.actors.items():
        assert people[name] == {**actor_state(actor), "degrees": actor.facing}, (when, name)
    for ident, thing in world.things.items():
        assert things[ident] == thing_state(thing), (when, ident)
    counted = {side: count["數"] for side, count in tally_state(world).items() if count["數"] is not None}
    assert moment["tally"] == counted, when


def test_after_a_clause_everything_is_as_the_performance_says(staged: Staged) -> None:
    plays = staged.performance.plays
    chosen = sorted({round(number * (len(plays) - 1) / (MANY - 1)) for number in range(MANY)})
    moments, unchanged = staged.ask(("atPlay", chosen), ("unchanged",))
    for number, moment in zip(chosen, moments, strict=True):
        play = plays[number]
        is_as(staged, moment, staged.performance.world_at(play.end, play.done), number)
    assert unchanged


def test_at_any_time_everything_is_as_the_performance_says(staged: Staged) -> None:
    times = staged.spread(MANY // 3)
    (moments,) = staged.ask(("at", times))
    for time, moment in zip(times, moments, strict=True):
        is_as(staged, moment, staged.performance.world_at(staged.exact(time)), time)


def test_before_the_first_act_nothing_is_different(plain: Staged) -> None:
    first = plain.doc["events"][0]["start"]
    (moments,) = plain.ask(("at", [-1.0, first]))
    ended = [row for row in plain.doc["events"] if row["end"] <= first]
    assert moments[0] == {**plain.doc["start"], "tally": {}}
    assert ended or moments[1] == moments[0]


def test_the_order_in_which_moments_are_asked_for_does_not_matter(staged: Staged) -> None:
    differing, changed = staged.ask(("orders", staged.spread(MANY // 3)), ("kept", staged.spread(MANY)))
    assert not differing
    assert not changed


def test_the_order_of_play_is_told(staged: Staged) -> None:
    (order,) = staged.ask(("order",))
    assert order == [event.order for event in staged.performance.events]


# ── what is going on ────────────────────────────────────────────────────────────────────────────────────────────────


def test_acts_under_way(staged: Staged) -> None:
    times = [-1.0, *staged.spread(MANY), staged.doc["length"] + 1]
    events, plays = staged.doc["events"], staged.doc["plays"]
    running, in_force = staged.ask(("running", times), ("playAt", times))
    for time, acts, play in zip(times, running, in_force, strict=True):
        assert acts == [number for number, row in enumerate(events) if row["start"] <= time < row["end"]]
        text = [number for number, one in enumerate(plays) if not one["via"]]
        begun = [number for number in text if plays[number]["start"] <= time]
        assert play == (begun or text[:1])[-1]
    assert any(running)


def test_what_concerns_a_clause_a_person_a_thing(plain: Staged) -> None:
    performance = plain.performance
    clauses = list(range(len(plain.doc["clauses"])))
    by_clause, by_person, by_thing = plain.ask(("clauseEvents", clauses), ("eventsOf",), ("eventsWithThing",))
    for clause, acts in zip(clauses, by_clause, strict=True):
        assert acts == [event.n - 1 for event in performance.events if event.clause == clause]
    for name, acts in zip(performance.stage.cast.persons, by_person, strict=True):
        # The same that `perform --actor` chooses.
        assert acts == [event.n - 1 for event in performance.chosen(who=name)]
    world = performance.stage.world()
    for thing, acts in zip(world.things.values(), by_thing, strict=True):
        named = {event.n - 1 for event in performance.events if any(one.id == thing.id for one in event.things)}
        assert named <= set(acts)
        moved = {
            event.n - 1
            for event in performance.events
            if any(getattr(obj, "id", "") == thing.id for obj, what, _ in performance.journal[slice(*event.changes)]
                   if what in {"where", "filled", "spot", "facing", "states", "lay"})
        }  # fmt: skip
        assert moved <= set(acts)
        assert acts == sorted(acts)


# ── stepping ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_stepping_goes_through_everything_and_never_sticks(staged: Staged) -> None:
    doc = staged.doc
    length = doc["length"]
    stops = {
        "stepAct": {row["start"] for row in doc["events"]},
        "stepClause": {play["start"] for play in doc["plays"] if not play["via"]},
        "stepSection": {section["start"] for section in doc["sections"] if section["start"] is not None},
    }
    for kind, times in stops.items():
        forward, backward = staged.ask(("steps", kind, -1.0, 1), ("steps", kind, length + 1, -1))
        assert forward == sorted(times | {length})
        assert backward == sorted(times | {length}, reverse=True)


def test_a_step_goes_on_from_between_two_stops(plain: Staged) -> None:
    times = [time + 0.001 for time in plain.spread(MANY)][:-1]
    forward, backward = plain.ask(("step", "stepAct", times, 1), ("step", "stepAct", times, -1))
    for time, after, before in zip(times, forward, backward, strict=True):
        assert before < time < after or (after == time and time >= plain.doc["length"])


# ── words ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_words_are_found_in_both_scripts_and_run_over_clauses(plain: Staged) -> None:
    rite, doc = plain.performance.rite, plain.doc
    text = rite.canonical
    quotes = [text[at : at + size] for at in range(0, len(text) - 40, len(text) // 12) for size in (2, 7, 23)]
    quotes += ["於", "于", "衆賔", "賓　席，前", "「拜」", "zzz", ""]
    found, simple = plain.ask(("search", quotes), ("search", [simplified(quote) for quote in quotes]))
    for quote, told, other in zip(quotes, found, simple, strict=True):
        places = find(quote, text)
        assert [one["words"] for one in told] == [text[start:end] for start, end in places], quote
        assert [one["clause"] for one in told] == [clause_at(rite.clauses, start) for start, _ in places]
        assert {json.dumps(one) for one in told} <= {json.dumps(one) for one in other}
        for one in told:
            plays = [play["start"] for play in doc["plays"] if play["clause"] == one["clause"]]
            acts = [number for number, row in enumerate(doc["events"]) if row["clause"] == one["clause"]]
            assert one["time"] == (min(plays) if plays else None)
            assert one["event"] == (acts[0] if acts else -1)


def test_a_word_in_every_script(plain: Staged) -> None:
    doc = plain.doc
    words = [-1, *range(0, len(doc["words"]), 37)]
    for script in ("hant", "hans", "en", "pinyin", "ko"):
        (told,) = plain.ask(("word", words, script))
        forms = doc["words"] if script == "hant" else doc["forms"][script]
        assert told == ["" if word < 0 else forms[word] or doc["words"][word] for word in words]


# ── poses ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def turn(a: float, b: float) -> float:
    """Degrees between two facings, the short way."""
    return abs((a - b + 180.0) % 360.0 - 180.0)


def test_who_does_nothing_is_as_his_state_says(staged: Staged) -> None:
    doc, times = staged.doc, staged.spread(MANY // 2)
    moments, poses, running = staged.ask(("at", times), ("poses", times), ("running", times))
    for moment, everybody, acts in zip(moments, poses, running, strict=True):
        busy = {doc["events"][number]["actor"] for number in acts}
        for person, (state, pose) in enumerate(zip(moment["people"], everybody, strict=True)):
            assert (pose["event"] >= 0) == (person in busy)
            if person in busy:
                continue
            assert [pose["x"], pose["y"]] == doc["spots"][state["spot"]][:2]
            assert pose["facing"] == state["facing"]
            assert pose["kneel"] == (state["posture"] != doc["standing"])
            assert pose["bow"] == pose["draw"] == 0
            assert not pose["walking"]


def test_at_the_end_of_an_act_its_pose_is_what_it_leaves_him_in(staged: Staged) -> None:
    doc = staged.doc
    rows = [row for row in doc["events"] if row["end"] - row["start"] > 100 * HAIR][::11]
    ends = [row["end"] for row in rows]
    instant = {(row["end"], row["actor"]) for row in doc["events"] if row["start"] == row["end"]}
    before, after = staged.ask(("poses", [end - HAIR for end in ends]), ("poses", ends))
    for row, then, now in zip(rows, before, after, strict=True):
        for person, (pose, state) in enumerate(zip(then, now, strict=True)):
            if state["event"] >= 0 and doc["events"][state["event"]]["start"] != row["end"]:
                # He goes on with something else, as smoothly.
                continue
            assert hypot(pose["x"] - state["x"], pose["y"] - state["y"]) < 0.01
            assert abs(pose["z"] - state["z"]) < 0.01
            assert abs(pose["kneel"] - state["kneel"]) < 0.01
            assert abs(pose["bow"] - state["bow"]) < 0.01
            # What takes no time at all may turn him at once.
            assert turn(pose["facing"], state["facing"]) < 1 or (row["end"], person) in instant


def test_who_walks_stays_on_his_way_at_one_speed(staged: Staged) -> None:
    doc = staged.doc
    walks = [row for row in doc["events"] if len(row.get("path", ())) >= 4 and row["end"] - row["start"] > 1][::23]
    shares = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    questions = []
    for row in walks:
        seconds = row["end"] - row["start"] - doc["infos"][row["info"]]["seconds"]
        walking = seconds if seconds > 0 else row["end"] - row["start"]
        questions.append(("poseAt", [row["start"] + share * (walking - HAIR) for share in shares], row["actor"]))
    for row, poses in zip(walks, staged.ask(*questions), strict=True):
        points = list(zip(row["path"][::2], row["path"][1::2], strict=True))
        length = sum(dist(a, b) for a, b in pairwise(points))
        for share, pose in zip(shares, poses, strict=True):
            if doc["events"][pose["event"]] is not row:
                continue
            here = (pose["x"], pose["y"])
            # On the line between two of its corners, and so far along it as time has gone by.
            gone, best = 0.0, 1e9
            for a, b in pairwise(points):
                along = dist(a, here) + dist(here, b) - dist(a, b)
                if along < best:
                    best, far = along, gone + dist(a, here)
                gone += dist(a, b)
            assert best < 0.01
            assert abs(far - share * length) < 0.05 * max(1.0, length)


def test_poses_keep_within_bounds_and_on_the_ground(staged: Staged) -> None:
    doc = staged.doc
    height, upper = doc["building"]["height"], set(doc["building"]["upper"])
    times = [doc["length"] * number / 400 for number in range(401)]
    moments, poses = staged.ask(("at", times), ("poses", times))
    for moment, everybody in zip(moments, poses, strict=True):
        for state, pose in zip(moment["people"], everybody, strict=True):
            assert all(0 <= pose[key] <= 1 for key in ("kneel", "bow", "draw", "share"))
            assert 0 <= pose["facing"] < 360
            assert 0 <= pose["z"] <= height
            zone = doc["words"][doc["spots"][state["spot"]][3]]
            if pose["event"] < 0 and zone in upper:
                assert pose["z"] == height
            if pose["event"] < 0 and state["step"] is not None and height:
                assert pose["z"] == pytest.approx(height * state["step"] / doc["building"]["measures"]["等"])
            if pose["event"] < 0 and zone in {"庭", "堂下", "門外", "堂東", "堂西"}:
                assert pose["z"] == 0


def test_bows_and_kneeling_are_seen(plain: Staged) -> None:
    doc = plain.doc
    verbs = doc["infos"]

    def of(gesture: str) -> list[Doc]:
        rows = [row for row in doc["events"] if verbs[row["info"]]["gesture"] == gesture]
        return [row for row in rows if row["end"] - row["start"] >= verbs[row["info"]]["seconds"] > 0][:40]

    def seen(rows: list[Doc], count: int) -> list[list[Doc]]:
        questions = []
        for row in rows:
            own = verbs[row["info"]]["seconds"]
            times = [row["end"] - own + own * (number + 0.5) / count for number in range(count)]
            questions.append(("poseAt", times, row["actor"]))
        return plain.ask(*questions)

    for row, poses in zip(of("bow"), seen(of("bow"), 40), strict=True):
        # He goes down as often as he bows, on his knees, with the head to the ground.
        low = [pose["bow"] > 0.9 for pose in poses]
        assert sum(not a and b for a, b in pairwise(low)) == verbs[row["info"]]["times"]
        assert all(pose["kneel"] == 1 for pose in poses if pose["bow"] > 0.1)
        assert {pose["gesture"] for pose in poses} == {"bow"}
    for poses in seen(of("salute"), 20):
        assert 0.1 < max(pose["bow"] for pose in poses) < 0.5
    for poses in seen(of("shoot"), 40):
        drawn = [pose["draw"] for pose in poses]
        assert max(drawn) == 1
        assert drawn[0] == drawn[-1] == 0
    assert of("bow")
    assert of("salute")
    assert of("shoot")


def test_arrows_fly_to_where_they_come_to_lie(staged: Staged) -> None:
    doc = staged.doc
    shots = [(number, row) for number, row in enumerate(doc["events"]) if "hit" in row]
    assert shots
    assert all(doc["infos"][row["info"]]["gesture"] == "shoot" for _, row in shots)
    ends = [row["end"] for _, row in shots]
    flying, before, after = staged.ask(
        ("flights", [end - HAIR for end in ends]),
        ("flights", [row["start"] for _, row in shots]),
        ("at", ends),
    )
    for (_, row), flights, none, moment in zip(shots, flying, before, after, strict=True):
        (thing,) = row["things"]
        (flight,) = (one for one in flights if one["thing"] == thing)
        assert flight["share"] > 0.99
        assert flight["hit"] == row["hit"]
        assert flight["from"] == doc["spots"][row["spot"]][:2]
        assert flight["to"] == doc["spots"][moment["things"][thing]["spot"]][:2]
        assert not any(one["thing"] == thing for one in none)


def test_a_thing_is_where_its_holder_is(plain: Staged) -> None:
    doc, times = plain.doc, plain.spread(MANY // 2)
    cup = next(number for number, item in enumerate(doc["things"]) if item["id"] == "爵.1")
    moments, poses, places = plain.ask(("at", times), ("poses", times), ("carried", times, cup))
    held = 0
    for moment, everybody, place in zip(moments, poses, places, strict=True):
        state = moment["things"][cup]
        assert place["holder"] == state["holder"]
        if state["holder"] < 0:
            assert [place["x"], place["y"]] == doc["spots"][state["spot"]][:2]
            continue
        held += 1
        holder = moment["people"][state["holder"]]
        assert cup in holder[place["hand"]]
        assert all(place[key] == everybody[state["holder"]][key] for key in "xyz")
    assert held


def test_a_frame_takes_no_time_to_speak_of(tmp_path: Path) -> None:
    many = Staged(rehearse(RITE, sets=("眾耦=10", "大夫=4")), tmp_path / "doc.json")
    assert len(many.doc["people"]) > 60
    spent: list[float] = []
    # While all are shooting and walking, a minute at sixty frames a second.
    for share in (0.1, 0.4, 0.7):
        spent += many.ask(("speed", many.doc["length"] * share, 3600))[0]
    assert sorted(spent)[len(spent) // 2] < 2
