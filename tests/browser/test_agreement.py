"""The page, the text and the JSON of one performance agree act by act."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from tests.browser.driving import yanli
from tests.browser.reading import Pair, Reader, options

Performed = Callable[..., tuple[dict[str, Any], ...]]
SCENARIOS: tuple[tuple[Pair, ...], ...] = (
    (),
    (("set", "大夫=0"), ("set", "眾耦=4")),
    (("set", "所=庠"), ("set", "勝=左"), ("school", "敖繼公")),
)
# The command rounds times to a hundredth of a second; the page has them to a thousandth.
ROUNDED = 0.0051
ORIGINS = {"經文": "text", "編者": "editor", "推": "inferred"}
# number, time, origin, actor with his offices in brackets, act; the columns stand two blanks apart
LINE = re.compile(r"^ +(\d+)  +([\d:]+)  (經文|編者|推) *  (\S+?)(?:（[^）]*）)? {2,}(\S.*)$")
EVENTS = """() => {
  const {doc} = document.querySelector('yanli-app').session.one;
  const word = (index) => doc.words[index] ?? null;
  const names = (list) => (list ?? []).map((person) => word(doc.people[person].name));
  return doc.events.map((row) => {
    const info = doc.infos[row.info];
    const [x, y, place] = doc.spots[row.spot] ?? [null, null, -1];
    return {
      start: row.start, end: row.end, actor: word(doc.people[row.actor]?.name), verb: word(info.verb),
      times: info.times,
      origin: info.origin, clause: doc.clauses[row.clause].id, via: (row.via ?? []).map((at) => doc.clauses[at].id),
      things: (row.things ?? []).map((at) => doc.things[at].id), target: names(row.target), place: word(place),
      xy: [x, y], facing: word(doc.facings[Math.round(row.facing / 45) % 8]), posture: word(row.posture),
      hit: row.hit ?? null, speech: word(row.speech), warrant: word(info.warrant), reading: word(info.reading),
      reason: word(info.reason), music: word(info.music), step: row.step ?? null, together: row.together ?? null,
    };
  });
}"""


class Line(NamedTuple):
    """What a line of the text tells of an act."""

    n: int
    clock: str
    origin: str
    actor: str
    act: str


def lines(*pairs: Pair) -> list[Line]:
    """Every act of the running script that the command writes, by its number."""
    found = [LINE.match(line) for line in yanli("perform", "鄉射禮", *options(*pairs)).stdout.splitlines()]
    told = [Line(int(m[1]), m[2], ORIGINS[m[3]], m[4], m[5].strip()) for m in found if m]
    return sorted(told)


def clock(seconds: float) -> str:
    """A time as people write it: 05:07, 2:05:07."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes:02}:{rest:02}"


@pytest.mark.parametrize("pairs", SCENARIOS, ids=["default", "four-pairs", "another-hall-and-school"])
def test_page_text_and_json_tell_the_same_acts(reader: Reader, performed: Performed, pairs: tuple[Pair, ...]) -> None:
    told = performed(*options(*pairs))
    reader.open(*pairs)
    acts = reader.page.evaluate(EVENTS)
    assert len(acts) == len(told) > 9000
    for act, event in zip(acts, told, strict=True):
        n = event["n"]
        for key in ("start", "end"):
            assert act[key] == pytest.approx(event[key], abs=ROUNDED), (n, key)
        for key in ("actor", "verb", "times", "origin", "clause", "via", "place", "posture", "hit"):
            assert act[key] == event[key], (n, key)
        for key in ("warrant", "reading", "reason", "music", "step", "together"):
            assert act[key] == event[key], (n, key)
        # Where the canon has 某, the page says whom it stands for.
        spoken = re.escape(event["speech"] or "").replace(r"\{", "{").replace(r"\}", "}")
        assert re.fullmatch(re.sub(r"\{[^}]*\}", ".+", spoken), act["speech"] or ""), n
        assert act["things"] == event["object_ids"], n
        assert "、".join(act["target"]) == (event["target"] or ""), n
        if event["actor"]:
            assert act["xy"] == pytest.approx(event["xy"], abs=0.0051), n
            assert act["facing"].removesuffix("面") == event["facing"], n
    text = lines(*pairs)
    assert [line.n for line in text] == [event["n"] for event in told]
    for line, event in zip(text, told, strict=True):
        assert line.clock in {clock(event["start"]), clock(event["start"] + ROUNDED), clock(event["start"] - ROUNDED)}
        assert line.origin == event["origin"], line.n
        assert line.actor == event["actor"], line.n
        assert line.act.startswith(event["verb"]), line.n


@pytest.mark.parametrize("pairs", SCENARIOS, ids=["default", "four-pairs", "another-hall-and-school"])
def test_the_rows_under_the_words_are_those_acts(reader: Reader, performed: Performed, pairs: tuple[Pair, ...]) -> None:
    told = performed(*options(*pairs))
    text = {line.n: line for line in lines(*pairs)}
    reader.open(*pairs)
    # Every fourth section: by the invitation, on the hall, at the shooting, at the counting, at the departure.
    numbers = reader.page.locator("yanli-text section:has(button.all)").evaluate_all(
        "(all) => all.map((section) => section.dataset.section)"
    )
    seen = 0
    for number in numbers[::4]:
        section = reader.page.locator(f"yanli-text section[data-section='{number}']")
        section.locator("button.all").dispatch_event("click")
        while section.locator(".under .more").count():
            section.locator(".under .more").first.dispatch_event("click")
        rows = section.locator(".act").evaluate_all(
            "(rows) => rows.map((row) => ({...row.dataset, clock: row.querySelector('time').textContent,"
            " sign: row.querySelector('.origin').textContent}))"
        )
        clauses = set(section.locator(".clause").evaluate_all("(all) => all.map((clause) => clause.dataset.id)"))
        wanted = [event["n"] for event in told if event["clause"] in clauses]
        assert sorted(int(row["n"]) for row in rows) == wanted
        for row in rows:
            event, line = told[int(row["n"]) - 1], text[int(row["n"])]
            assert float(row["start"]) == pytest.approx(event["start"], abs=ROUNDED), line.n
            assert row["actor"] == event["actor"] == line.actor, line.n
            assert row["verb"] == event["verb"], line.n
            assert row["act"] == line.act.split("  ")[0], line.n
            assert row["origin"] == event["origin"] == line.origin == ORIGINS[row["sign"]], line.n
            # The page's times are rounded: just before a full second its clock may be on it already.
            assert row["clock"] in {line.clock, clock(event["start"] + ROUNDED)}, line.n
            assert row["clause"] == event["clause"], line.n
        seen += len(rows)
        section.locator("button.all").dispatch_event("click")
    assert seen > 1500
