"""Queries are read strictly, and what means the same becomes the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yanli.server.faults import Refused
from yanli.server.limits import Limits
from yanli.server.questions import QUESTIONS, Choosing, Wish, read_wish

LIMITS = Limits()


def read(query: str | bytes, path: str = "/api/stage") -> Wish:
    return read_wish(QUESTIONS[path], query.encode() if isinstance(query, str) else query, LIMITS)


def refusal(query: str | bytes, path: str = "/api/stage") -> Refused:
    with pytest.raises(Refused) as told:
        read(query, path)
    return told.value


def test_a_query_is_read() -> None:
    wish = read(
        "rite=%E7%A6%AE&set=a%3D1&set=b=%E6%98%AF&school=%E6%95%96&reading=c=d&against.set=a=2&", "/api/difference"
    )
    assert wish.rite == "禮"
    assert wish.choosing == Choosing(("a=1", "b=是"), "敖", ("c=d",))
    assert wish.against == Choosing(("a=2",))


def test_nothing_asked_is_the_default() -> None:
    assert read("") == read("rite=&school=") == Wish(kind="stage")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("set=a=1&set=b=2", "set=b=2&set=a=1"),
        ("set=a=1", "set=+a+=+1+"),
        ("set=a=1", "set=a=3&set=a=1"),
        ("set=%61=1", "set=a%3D1"),
        ("rite=x&school=y", "school=y&&rite=x&"),
    ],
)
def test_what_means_the_same_is_the_same(one: str, other: str) -> None:
    assert read(one) == read(other)


@pytest.mark.parametrize(
    ("query", "path", "code", "told"),
    [
        ("sett=a=1", "/api/stage", "unknown-parameter", "sett"),
        ("after=x", "/api/stage", "unknown-parameter", "after"),
        ("against.set=a=1", "/api/stage", "unknown-parameter", "against.set"),
        ("rite=x&rite=x", "/api/stage", "repeated", "rite"),
        ("school=a&school=b", "/api/stage", "repeated", "school"),
        ("set=a", "/api/stage", "bad-setting", "set=a"),
        ("set==1", "/api/stage", "bad-setting", "set==1"),
        ("reading=+=1", "/api/stage", "bad-setting", "reading"),
        ("rite=%", "/api/stage", "bad-encoding", "%"),
        ("rite=%4", "/api/stage", "bad-encoding", "%4"),
        ("rite=%zz", "/api/stage", "bad-encoding", "%zz"),
        ("%zz=a", "/api/stage", "bad-encoding", "%zz"),
        ("rite=%ff%fe", "/api/stage", "bad-encoding", "UTF-8"),
        ("rite=%ED%A0%80", "/api/stage", "bad-encoding", "UTF-8"),
        ("rite=%C0%AF", "/api/stage", "bad-encoding", "UTF-8"),
        ("rite=a%00b", "/api/stage", "bad-encoding", "control"),
        ("rite=a%0D%0Ab", "/api/stage", "bad-encoding", "control"),
        ("", "/api/state", "missing", "after"),
        ("after=", "/api/state", "missing", "after"),
        ("", "/api/why", "missing", "event"),
        ("event=0", "/api/why", "bad-value", "event"),
        ("event=-1", "/api/why", "bad-value", "-1"),
        ("event=1.0", "/api/why", "bad-value", "1.0"),
        ("event=1e9", "/api/why", "bad-value", "1e9"),
        ("event=%E4%B8%80", "/api/why", "bad-value", "一"),
        ("event=%EF%BC%91", "/api/why", "bad-value", "event"),
        ("event=" + "9" * 4000, "/api/why", "bad-value", "999"),
        ("after=x&nth=0", "/api/state", "bad-value", "nth"),
    ],
)
def test_what_cannot_be_read_is_told(query: str, path: str, code: str, told: str) -> None:
    fault = refusal(query, path)
    assert (fault.status, fault.problem.code) == (400, code)
    assert told in fault.problem.cause
    assert len(fault.problem.cause) < 1100


def test_the_nearest_parameter_is_named() -> None:
    assert refusal("scholl=x").problem.nearest == ["school"]
    assert "set" in (refusal("x=1").problem.known or "")


def test_there_is_a_bound_of_parameters() -> None:
    full = "&".join(f"set=k{number}=1" for number in range(LIMITS.parameters))
    assert len(read(full).choosing.sets) == LIMITS.parameters
    assert refusal(full + "&rite=x").problem.code == "too-many-parameters"


@given(st.binary(max_size=60), st.sampled_from(sorted(QUESTIONS)))
def test_any_bytes_are_read_or_refused(query: bytes, path: str) -> None:
    try:
        kind = read(query, path).kind
    except Refused as fault:
        kind = {400: QUESTIONS[path].kind}.get(fault.status, "refused as what it is not")
    assert kind == QUESTIONS[path].kind


@given(st.dictionaries(st.sampled_from("甲乙ab+%& "), st.text(st.characters(exclude_categories=["Cc", "Cs"]))))
def test_every_text_comes_through_its_encoding(settings: dict[str, str]) -> None:
    from urllib.parse import urlencode

    query = urlencode([("set", f"{key}={value}") for key, value in settings.items()])
    kept = {key.strip(): value.strip() for key, value in settings.items() if key.strip()}
    if len(kept) == len(settings):
        assert dict(each.split("=", 1) for each in read(query).choosing.sets) == kept
