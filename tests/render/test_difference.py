"""What a reading changes, and what the words leave unsaid."""

from pathlib import Path

from yanli.performance.perform import Performance
from yanli.rehearsal import rehearse
from yanli.render.difference import difference, difference_text
from yanli.render.silence import silence, silence_text


def test_nothing_differs_from_itself(performance: Performance) -> None:
    found = difference(performance, performance)
    assert not found.clauses
    assert not found.cruxes
    assert not found.sections
    assert all(one == other for one, other in found.totals.values())
    assert "無異" in difference_text(found)


def test_one_reading_of_a_small_score(small: Path) -> None:
    found = difference(rehearse(small), rehearse(small, school="敖繼公"))
    assert [(crux.crux, crux.one, crux.other) for crux in found.cruxes] == [("面", ["鄭玄"], ["敖繼公"])]
    (clause,) = found.clauses
    assert clause.text == "主人坐取爵于洗南"
    changes = {change.field: (change.one, change.other) for each in clause.differences for change in each.changes}
    assert changes == {"facing": ("北", "東")}


def test_two_schools(performance: Performance, rival: Performance) -> None:
    found = difference(performance, rival)
    chosen = performance.stage.readings, rival.stage.readings
    differ = {name for name in performance.rite.cruxes if chosen[0].choose(name) != chosen[1].choose(name)}
    assert {crux.crux for crux in found.cruxes} == differ
    balance = {"one": 0, "other": 0, "both": 0}
    for each in (each for clause in found.clauses for each in clause.differences):
        balance[each.side] += each.times
        assert bool(each.changes) == (each.side == "both")
    assert balance["other"] - balance["one"] == len(rival.events) - len(performance.events)
    text = difference_text(found)
    assert all(clause.text in text for clause in found.clauses)


def test_every_supplied_event_is_listed_once(performance: Performance) -> None:
    found = silence(performance)
    listed = [number for clause in found.clauses for act in clause.acts for number in act.events]
    supplied = [event.n for event in performance.events if event.info.origin != "text" or event.info.reason]
    assert sorted(listed) == supplied
    assert sum(found.totals.values()) == len(supplied)
    assert all(act.times == len(act.events) for clause in found.clauses for act in clause.acts)
    assert {kind: sum(verbs.values()) for kind, verbs in found.verbs.items()} == found.totals


def test_what_one_section_leaves_unsaid_can_be_asked(performance: Performance) -> None:
    chosen = performance.chosen("主人獻賓", "主人獻賓")
    found = silence(performance, chosen)
    assert {clause.section for clause in found.clauses} == {"主人獻賓"}
    assert found.events == len(chosen)
    whole = {clause.clause: clause for clause in silence(performance).clauses}
    assert all(whole[clause.clause] == clause for clause in found.clauses)


def test_the_actor_alone_may_be_supplied(small: Path) -> None:
    found = silence(rehearse(small))
    assert found.totals == {"editor": 1, "inferred": 0, "actor": 1}
    (act,) = found.clauses[1].acts
    assert (act.kind, act.actors, act.verb) == ("actor", ["賓"], "拜")
    assert "補其人" in silence_text(found)
