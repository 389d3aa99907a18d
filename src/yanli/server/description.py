"""What can be asked and what comes, told to programs: an OpenAPI description.

Comes in: the questions as they are read, and the types as they are written. Goes out: the description, which thus
cannot promise what is not done.
"""

from __future__ import annotations

from typing import Any

import msgspec

from yanli import __version__
from yanli.performance.event import EventData
from yanli.render.catalogue import RiteSize
from yanli.render.difference import Differences
from yanli.render.staging import StageData
from yanli.render.staging_notes import NotesData
from yanli.render.why import Why
from yanli.server.faults import ProblemBody
from yanli.server.questions import HEALTH, QUESTIONS, Parameter, Question

Json = dict[str, Any]
# What no text of a query holds, and what one of KEY=VALUE must: something before the sign.
_CONTROL = r"\u0000-\u001f\u007f-\u009f"
TEXT = f"^[^{_CONTROL}]*$"
SETTING = rf"^[^{_CONTROL}=]*[^{_CONTROL}\s=][^{_CONTROL}=]*=[^{_CONTROL}]*$"


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """That the server is well: its version, how many answers are being made or waited for, and how many are kept."""

    status: str
    version: str
    asked: int
    kept: int


class Hands(msgspec.Struct, frozen=True):
    """What somebody holds."""

    left: list[str] = msgspec.field(name="左")
    right: list[str] = msgspec.field(name="右")


class ActorThen(msgspec.Struct, frozen=True, kw_only=True):
    """One person at a moment."""

    place: str
    zone: str
    xy: tuple[float, float]
    facing: str
    posture: str
    step: int | None
    hands: Hands
    dress: list[str]
    belt: list[str]
    roles: list[str]


class ThingThen(msgspec.Struct, frozen=True, kw_only=True):
    """One thing at a moment; what does not apply is left out."""

    kind: str
    where: str
    place: str
    xy: tuple[float, float]
    filled: bool
    of: str | None = None
    facing: str | None = None
    layers: int | None = None
    lay: str | None = None
    states: dict[str, str] = {}


class TallyThen(msgspec.Struct, frozen=True):
    """The sticks of one side: how many lie there, and the last count of them."""

    sticks: int = msgspec.field(name="算")
    counted: int | None = msgspec.field(name="數")
    pairs: int | None = msgspec.field(name="純")
    odd: int | None = msgspec.field(name="奇")


class State(msgspec.Struct, frozen=True, kw_only=True):
    """How everything stands when the words of a clause are done."""

    rite: str
    clause: str
    text: str
    time: float
    actors: dict[str, ActorThen]
    things: dict[str, ThingThen]
    target: dict[str, str]
    tally: dict[str, TallyThen]
    bound: list[str] = []


ANSWERS: dict[str, Any] = {
    "rites": list[RiteSize],
    "stage": StageData,
    "difference": Differences,
    "events": list[EventData],
    "state": State,
    "why": Why,
    "notes": NotesData,
    "health": Health,
}
REFUSALS = {
    "400": "所問不成文 the query cannot be read",
    "403": "他處之頁 a page of another origin asks",
    "404": "無此 there is no such rite, no such words, no such event",
    "413": "過大 more is asked for than this server does",
    "414": "網址過長 the address is too long",
    "421": "非此處之名 the host is not one of this server's",
    "422": "設不可行 the scenario cannot be",
    "503": "問者眾 too many ask at once; Retry-After says when to try again",
    "504": "逾時 it takes too long",
}


def describe() -> Json:
    """The whole description, as OpenAPI 3.1."""
    schemas, components = msgspec.json.schema_components(
        [*ANSWERS.values(), ProblemBody], ref_template="#/components/schemas/{name}"
    )
    by_kind = dict(zip(ANSWERS, schemas, strict=False))
    problem = {"application/json": {"schema": schemas[-1]}}
    questions = {**QUESTIONS, "/api/health": HEALTH}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "演禮 Yanli",
            "version": __version__,
            "summary": "儀禮之演 performances of the rites of the 儀禮",
            "description": "Words are the addresses: a moment is named by quoting the canonical text. The same "
            "question has the same answer as long as the version and the rite's files are the same; ETag says so.",
            "license": {"name": "MIT AND CC-BY-4.0"},
        },
        "servers": [{"url": "/"}],
        "paths": {path: {"get": _operation(question, by_kind[question.kind])} for path, question in questions.items()},
        "components": {
            "schemas": components,
            "responses": {status: {"description": words, "content": problem} for status, words in REFUSALS.items()},
        },
    }


def _operation(question: Question, schema: Json) -> Json:
    refusals = {status: {"$ref": f"#/components/responses/{status}"} for status in REFUSALS}
    headers = {"ETag": {"schema": {"type": "string"}}}
    done = {"description": f"{question.zh} {question.en}", "content": {"application/json": {"schema": schema}}}
    return {
        "operationId": question.kind,
        "summary": f"{question.zh} {question.en}",
        "parameters": [_parameter(parameter) for parameter in question.parameters],
        "responses": {
            "200": done if question is HEALTH else {**done, "headers": headers},
            **({} if question is HEALTH else {"304": {"description": "如前 nothing has changed"}}),
            **refusals,
        },
    }


def _parameter(parameter: Parameter) -> Json:
    whole = isinstance(parameter.example, int)
    schema: Json = {"type": "integer", "minimum": 1, "maximum": 999_999_999} if whole else {"type": "string"}
    if parameter.required and not whole:
        schema["minLength"] = 1
    if not whole:
        schema["pattern"] = SETTING if "=" in str(parameter.example) else TEXT
    example: Any = parameter.example
    if parameter.repeated:
        schema, example = {"type": "array", "items": schema}, [example]
    shown = {} if example is None else {"example": example}
    return {
        "name": parameter.name,
        "in": "query",
        "required": parameter.required,
        "description": f"{parameter.zh} {parameter.en}",
        "schema": schema,
        **shown,
        **({"style": "form", "explode": True} if parameter.repeated else {}),
    }
