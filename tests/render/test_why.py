"""From an event back to the words."""

from pathlib import Path

import pytest

from yanli.errors import RiteError
from yanli.performance.perform import Performance
from yanli.rehearsal import rehearse
from yanli.render.score_lines import ScoreLines
from yanli.render.why import why_event, why_text


@pytest.mark.parametrize("number", [0, -1, 10_000_000])
def test_an_unknown_number_is_told_with_the_range(performance: Performance, number: int) -> None:
    with pytest.raises(RiteError) as fault:
        why_event(performance, number)
    assert fault.value.findings[0].known == f"1 to {len(performance.events)}"


def test_line_warrant_and_reading(small: Path) -> None:
    found = rehearse(small)
    stands = why_event(found, 1)
    assert (stands.line, stands.score) == (6, "主人 立 洗南 北面")
    assert stands.reading is not None
    assert stands.reading.question == "此問：所面"
    assert (stands.reading.names, stands.reading.rivals) == (["鄭玄"], [["敖繼公"]])
    assert stands.comments == ["此問：所面"]
    kneels = why_event(found, 2)
    assert (kneels.origin, kneels.warrant, kneels.clause.text) == ("editor", "下文興", "主人坐取爵于洗南")


def test_every_event_goes_back_to_a_line_and_a_clause(performance: Performance) -> None:
    lines = ScoreLines(performance.rite)
    for event in performance.events:
        assert lines.line(event.info.span), event.n


def test_a_passage_played_again_is_told_with_its_words(performance: Performance) -> None:
    event = next(event for event in performance.events if event.via)
    why = why_event(performance, event.n)
    assert [words.clause for words in why.via] == performance.data(event).via
    text = why_text(why)
    assert why.clause.text in text
    assert all(words.text in text for words in why.via)
    assert f"{why.file}:{why.line}" in text


def test_what_was_inferred_has_a_reason(performance: Performance) -> None:
    event = next(event for event in performance.events if event.info.origin == "inferred")
    why = why_event(performance, event.n)
    assert why.reason
    assert why.reason in why_text(why)
