"""The command line, called as a person calls it, from an empty folder."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from yanli.cli import main


class Done(NamedTuple):
    """What a call came to: its exit code, what was written, what was told beside it."""

    code: int
    out: str
    err: str

    def data(self) -> Any:  # noqa: ANN401 - JSON is whatever was written
        return json.loads(self.out)

    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


Yanli = Callable[..., Done]


@pytest.fixture
def yanli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Yanli:
    """Calls the command line in an empty folder, with a data directory of its own; no fault leaves a traceback."""
    monkeypatch.chdir(tmp_path)
    # Whoever runs this may have a store of his own.
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    def call(*words: str) -> Done:
        monkeypatch.setattr(sys, "argv", ["yanli", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return Done(int(ended.value.code or 0), out, err)

    return call
