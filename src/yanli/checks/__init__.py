"""What is wrong, as values.

Comes in: a rite and performances of it. Goes out: a ``Report`` of findings, each with its clause. Nothing is printed
here, and nothing stops at the first fault.
"""

from yanli.checks.report import Checks, Report, Run, declared
from yanli.checks.rules import RULES

__all__ = ["RULES", "Checks", "Report", "Run", "declared"]
