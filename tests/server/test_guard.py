"""Who is let in, and what every answer forbids."""

from __future__ import annotations

import pytest
from tests.server.asking import HOST, House
from tests.server.conftest import NewHouse

from yanli.server.guard import SECURE, host_of

QUIET = "/api/health"


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8642", "127.0.0.1:1", "[::1]:8642", "LOCALHOST", "localhost.:80"]
)
def test_the_names_of_this_machine_are_let_in(house: House, host: str) -> None:
    assert house.get(QUIET, host=host).status == 200


@pytest.mark.parametrize(
    "host",
    [
        "example.org", "localhost.example.org", "127.0.0.1.example.org", "example.org:8642", "192.168.1.9", "", " ",
        "localhost@example.org", "example.org@localhost", "localhost/", "localhost:8642:1", "localhost:x", "[::1",
        "::1",
        "127.0.0.2", "0", "127.1", "evil\tlocalhost", "localhost,example.org", "localhost?x", "localhost#",
    ],
)  # fmt: skip
def test_other_names_are_not(house: House, host: str) -> None:
    for path in ("/", QUIET, "/web/main.js"):
        answer = house.get(path, host=host)
        assert (answer.status, answer.error()["code"]) == (421, "wrong-host")


def test_further_names_can_be_allowed(new_house: NewHouse) -> None:
    house = new_house(hosts=["stage.example.org"])
    assert house.get(QUIET, host="stage.example.org").status == 200
    assert house.get(QUIET, host="STAGE.example.org:443").status == 200
    assert house.get(QUIET, host="example.org").status == 421
    assert house.get(QUIET, host="192.168.1.9").status == 421


def test_bare_addresses_can_be_allowed_and_names_are_still_not(new_house: NewHouse) -> None:
    house = new_house(addresses=True)
    assert house.get(QUIET, host="192.168.1.9:8642").status == 200
    assert house.get(QUIET, host="[fe80::1]:8642").status == 200
    assert house.get(QUIET, host="example.org").status == 421


@pytest.mark.parametrize(
    "origin", ["http://example.org", "null", "", "http://127.0.0.1:9999", "http://localhost:8642", "file://", HOST]
)
def test_a_foreign_origin_gets_nothing(house: House, origin: str) -> None:
    for path in ("/", QUIET, "/api/rites"):
        answer = house.get(path, origin=origin)
        assert (answer.status, answer.error()["code"]) == (403, "foreign-origin")


def test_our_own_origin_gets_its_answer(house: House) -> None:
    assert house.get(QUIET, origin=f"http://{HOST}", sec_fetch_site="same-origin").status == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site", "", "anything"])
def test_a_browser_that_asks_for_another_page_gets_no_data(house: House, site: str) -> None:
    assert house.get(QUIET, sec_fetch_site=site).status == 403


def test_a_link_from_elsewhere_may_lead_to_the_page(house: House) -> None:
    assert house.get("/web/types.js", sec_fetch_site="cross-site").status == 200


@pytest.mark.parametrize(
    "method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "get", "BREW", "X" * 99]
)
@pytest.mark.parametrize("path", ["/", QUIET, "/api/stage", "/web/types.js", "/openapi.json", "/nowhere"])
def test_it_is_only_read(house: House, method: str, path: str) -> None:
    answer = house.get(path, method=method)
    assert answer.status == 405
    assert answer.headers["allow"] == "GET, HEAD"
    assert answer.error()["code"] == "bad-method"


@pytest.mark.parametrize(
    "header", [{"content_length": "5"}, {"content_length": "99999999999"}, {"transfer_encoding": "chunked"}]
)
def test_a_question_has_no_body(house: House, header: dict[str, str]) -> None:
    answer = house.get(QUIET, **header)
    assert (answer.status, answer.headers["connection"]) == (413, "close")


def test_an_address_may_be_so_long_and_no_longer(house: House) -> None:
    start = "/api/stage?rite="
    assert house.get(start + "x" * (8192 - len(start) + 1)).status == 404
    answer = house.get(start + "x" * (8192 - len(start) + 2))
    assert (answer.status, answer.error()["known"]) == (414, "8192")
    assert house.get("/" + "x" * 9000).status == 414


@pytest.mark.parametrize("path", ["/web/types.js", QUIET, "/api/rites", "/api/stage?x=1", "/nowhere", "/openapi.json"])
def test_every_answer_forbids_what_it_must(house: House, path: str) -> None:
    for answer in (house.get(path), house.get(path, method="POST"), house.get(path, host="example.org")):
        assert {name: answer.headers[name] for name in SECURE} == SECURE
        assert "access-control-allow-origin" not in answer.headers
        assert "server" not in answer.headers


@pytest.mark.parametrize(
    ("netloc", "host"),
    [
        ("a.org:80", "a.org"),
        ("A.org.", "a.org"),
        ("[::1]:80", "::1"),
        ("a@b", None),
        ("a:b", None),
        ("", None),
        ("[", None),
    ],
)
def test_a_host_is_read(netloc: str, host: str | None) -> None:
    assert host_of(netloc) == host
