"""What a person learns of his own yard: what has no room in it is told beside what he asked for."""

from __future__ import annotations

import subprocess
import sys

CALL = "from yanli.cli import main; main()"


def told(*words: str) -> str:
    """What a command says beside its output."""
    run = subprocess.run([sys.executable, "-c", CALL, *words], capture_output=True, encoding="utf-8", check=False)
    assert run.stdout
    return run.stderr


def test_what_does_not_fit_is_told_whatever_is_asked_for() -> None:
    # The middle target beyond the great one: one place that is not as the words have it.
    assert "1 處不合 places do not fit" in told("things", "大射儀", "--set", "參侯侯道=100弓")
    assert "不合" not in told("things", "大射儀", "--set", "堂廣=220尺")
