"""Whatever a command can list, it can list as JSON."""

import json
from pathlib import Path

import msgspec

from yanli.rehearsal import rehearse
from yanli.render.catalogue import catalogue, cruxes_of, rules_of, variants_of
from yanli.render.difference import difference
from yanli.render.properties import properties
from yanli.render.silence import silence
from yanli.render.why import why_event


def test_every_value_is_json(small: Path) -> None:
    found = rehearse(small)
    values = [
        catalogue(),
        cruxes_of(str(small)),
        rules_of(str(small)),
        variants_of("xiangshe"),
        difference(found, found),
        properties(found),
        silence(found),
        why_event(found, 1),
    ]
    for value in values:
        plain = msgspec.to_builtins(value)
        assert json.loads(json.dumps(plain, ensure_ascii=False)) == json.loads(msgspec.json.encode(value))
    assert "from" in msgspec.to_builtins(why_event(found, 1))["event"]
