"""What can be asked, and the reading of a query.

Comes in: the path and the raw query of a request. Goes out: a ``Wish``, in one form for all queries that mean the same;
or a refusal. What can no longer occur: a parameter that the question does not have, text that is not UTF-8, a number
that is none. Whether a scenario can be played is found out where it is played.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from urllib.parse import unquote_to_bytes

import msgspec

from yanli.server.faults import BAD, Refused, refused
from yanli.server.limits import Limits

# Digits of a number in a query: more than any performance has events.
DIGITS = 9
_BROKEN = re.compile(rb"%(?![0-9A-Fa-f]{2})")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class Choosing(msgspec.Struct, frozen=True):
    """What is chosen of a scenario: ``KEY=VALUE`` and ``CRUX=READING`` by key, each key once; a school."""

    sets: tuple[str, ...] = ()
    school: str | None = None
    readings: tuple[str, ...] = ()


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """One question. ``rite``: its slug; ``folder``: where it stands, if it is somebody's own and not Yanli's.

    ``against``: the other scenario, where two are compared. ``first`` and ``last`` bound the part (words or sections),
    ``actor`` is the person, ``after`` the words of a moment in their ``nth`` playing, ``event`` the number of an act.
    ``clause`` are words on which notes are asked for, the ``nth`` time that they stand in the text; ``corpus`` is where
    the store of notes stands.
    """

    kind: str
    rite: str = ""
    folder: str = ""
    choosing: Choosing = Choosing()
    against: Choosing | None = None
    first: str | None = None
    last: str | None = None
    actor: str | None = None
    after: str | None = None
    nth: int = 1
    event: int = 1
    clause: str | None = None
    corpus: str = ""


class Parameter(msgspec.Struct, frozen=True, kw_only=True):
    """One parameter of a query: what it says (Chinese, English), an example, whether it may stand more than once."""

    name: str
    zh: str
    en: str
    example: str | int | None = None
    repeated: bool = False
    required: bool = False


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that can be asked, at one path."""

    kind: str
    zh: str
    en: str
    parameters: tuple[Parameter, ...] = ()


RITE = Parameter(name="rite", zh="禮之名；不言則其首者", en="any name of a rite; without it the first")


def _choosing(prefix: str, zh: str, en: str) -> tuple[Parameter, ...]:
    return (
        Parameter(
            name=f"{prefix}set", zh=f"{zh}設之一", en=f"{en}a key of the scenario", example="大夫=2", repeated=True
        ),
        Parameter(name=f"{prefix}school", zh=f"{zh}從何家", en=f"{en}all readings of one scholar", example="敖繼公"),
        Parameter(
            name=f"{prefix}reading", zh=f"{zh}一疑從何說", en=f"{en}one reading of a crux", example="戒服=敖繼公",
            repeated=True,
        ),
    )  # fmt: skip


SCENARIO = (RITE, *_choosing("", "", ""))
AFTER = Parameter(
    name="after", zh="某句既畢之時", en="the moment when these words are done", example="皆當其物北面揖", required=True
)
NTH = Parameter(name="nth", zh="其句之第幾演", en="which playing of the words, from 1", example=1)
EVENT = Parameter(name="event", zh="事之次", en="the number n of an event", example=1, required=True)
CLAUSE = Parameter(
    name="clause", zh="某句；不言則全禮", en="words of clauses; without it of the whole rite", example="皆當其物北面揖"
)
STANDS = Parameter(name="nth", zh="其句之第幾見", en="which time the words stand in the text, from 1", example=1)
FROM = Parameter(name="from", zh="自某句或某節", en="begin with these words, or this section", example="請射")
TO = Parameter(name="to", zh="至某句或某節", en="end with these words, or this section", example="射事畢")
ACTOR = Parameter(
    name="actor", zh="某人之事，與及之者", en="what one person does, and what happens to him", example="司馬"
)
QUESTIONS: dict[str, Question] = {
    "/api/rites": Question(kind="rites", zh="有何禮", en="the rites that there are"),
    "/api/stage": Question(
        kind="stage", zh="一演，供頁演之", en="one performance, for the page that plays it", parameters=SCENARIO
    ),
    "/api/difference": Question(
        kind="difference", zh="兩演之異", en="what differs between two performances of a rite",
        parameters=(*SCENARIO, *_choosing("against.", "所比者：", "of the other performance: ")),
    ),
    "/api/events": Question(
        kind="events", zh="一演諸事", en="the events of a performance", parameters=(*SCENARIO, FROM, TO, ACTOR)
    ),
    "/api/state": Question(
        kind="state", zh="某時之狀", en="how everything stands at a moment", parameters=(*SCENARIO, AFTER, NTH)
    ),
    "/api/why": Question(kind="why", zh="一事所從來", en="where an event comes from", parameters=(*SCENARIO, EVENT)),
    "/api/notes": Question(
        kind="notes", zh="諸家所注", en="what the works of the store say of the clauses",
        parameters=(RITE, CLAUSE, STANDS),
    ),
}  # fmt: skip
HEALTH = Question(kind="health", zh="安否", en="whether the server is well")


def read_wish(question: Question, query: bytes, limits: Limits) -> Wish:
    """Read a query. Raises Refused."""
    given: dict[str, list[str]] = {}
    for name, value in read_pairs(query, limits):
        given.setdefault(name, []).append(value)
    known = {parameter.name: parameter for parameter in question.parameters}
    for name, values in given.items():
        if name not in known:
            raise _unknown(name, list(known))
        if len(values) > 1 and not known[name].repeated:
            raise refused(BAD, "repeated", f"{name}：止可一見 may stand only once; it stands {len(values)} times")
    for name, parameter in known.items():
        if parameter.required and not given.get(name, [""])[0]:
            raise refused(
                BAD, "missing", f"{name}：不可無 is needed: {parameter.en}", known=f"{name}={parameter.example}"
            )

    def one(name: str) -> str | None:
        return given.get(name, [""])[0] or None

    return Wish(
        kind=question.kind,
        rite=one("rite") or "",
        choosing=_chosen(given, ""),
        against=_chosen(given, "against.") if question.kind == "difference" else None,
        first=one("from"),
        last=one("to"),
        actor=one("actor"),
        after=one("after"),
        nth=_number("nth", one("nth")),
        event=_number("event", one("event")),
        clause=one("clause"),
    )


def read_pairs(query: bytes, limits: Limits) -> list[tuple[str, str]]:
    """Names and values of a query, decoded. Raises Refused for what is malformed or too much."""
    parts = [part for part in query.split(b"&") if part]
    if len(parts) > limits.parameters:
        cause = f"所問之項過多 too many parameters: {len(parts)}; at most {limits.parameters}"
        raise refused(BAD, "too-many-parameters", cause, known=str(limits.parameters))
    found = []
    for part in parts:
        name, _, value = part.partition(b"=")
        found.append((_decoded(name), _decoded(value)))
    return found


def _decoded(part: bytes) -> str:
    if (broken := _BROKEN.search(part)) is not None:
        shown = part[broken.start() : broken.start() + 3].decode("ascii", "replace")
        raise refused(
            BAD, "bad-encoding", f"百分號後當有二位十六進數 {shown!r}: % must be followed by two hexadecimal digits"
        )
    try:
        text = unquote_to_bytes(part.replace(b"+", b" ")).decode("utf-8")
    except UnicodeDecodeError as fault:
        cause = f"非 UTF-8 this is not UTF-8 (byte {fault.start}): {fault.reason}"
        raise refused(BAD, "bad-encoding", cause) from None
    if _CONTROL.search(text):
        raise refused(BAD, "bad-encoding", "不可有控制字 control characters are not taken")
    return text


def _unknown(name: str, known: list[str]) -> Refused:
    cause = f"無此項 there is no parameter {name[:100]!r} here"
    near = get_close_matches(name[:100], known, 3, 0.4)
    return refused(BAD, "unknown-parameter", cause, known="、".join(known) or None, nearest=near)


def _chosen(given: dict[str, list[str]], prefix: str) -> Choosing:
    return Choosing(
        sets=_settings(given.get(f"{prefix}set", ()), f"{prefix}set", "大夫=2"),
        school=(given.get(f"{prefix}school", [""])[0]).strip() or None,
        readings=_settings(given.get(f"{prefix}reading", ()), f"{prefix}reading", "戒服=敖繼公"),
    )


def _settings(texts: list[str] | tuple[()], name: str, example: str) -> tuple[str, ...]:
    """``KEY=VALUE`` in the order of keys; of a key that stands twice the later wins, as on the command line."""
    found: dict[str, str] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise refused(BAD, "bad-setting", f"{name}={text[:100]}：當如 expected {name}={example}")
        found[key.strip()] = value.strip()
    return tuple(f"{key}={value}" for key, value in sorted(found.items()))


def _number(name: str, text: str | None) -> int:
    if text is None:
        return 1
    if not (text.isascii() and text.isdigit() and len(text) <= DIGITS and int(text) > 0):
        raise refused(BAD, "bad-value", f"{name} = {text[:100]}：當為正整數 expected a whole number from 1")
    return int(text)
