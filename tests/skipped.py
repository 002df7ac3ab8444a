"""A plugin of pytest: the suite ends with what was skipped, how often, and how to have it run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any


def reason_of(report: Any) -> str:
    """Return why a test was skipped: in `longrepr` pytest keeps file, line and reason, also of another process."""
    _, _, said = report.longrepr
    return str(said).removeprefix("Skipped: ")


def lines_of(reports: Iterable[Any]) -> list[str]:
    """Return one line for each reason, the most frequent one first."""
    counted = Counter(map(reason_of, reports))
    ordered = sorted(counted.items(), key=lambda entry: (-entry[1], entry[0]))
    return [f"{number:6,}  {reason}" for reason, number in ordered]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Write the reasons below the results."""
    skipped = terminalreporter.stats.get("skipped", [])
    if skipped:
        terminalreporter.write_sep("=", f"{len(skipped):,} skipped, and how to have them run")
        for line in lines_of(skipped):
            terminalreporter.write_line(line)
