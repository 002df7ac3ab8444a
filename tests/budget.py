"""What the suite costs, said at its end: seconds by folder beside their budget, and the tests that take longest.

`tests/budget.toml` holds the budgets. A folder that exceeds its own is named; nothing fails, as machines are noisy.
Processor seconds are those of the process that ran a test and of the processes that it started and waited for; those of
browsers and servers that outlive a test are in the sum of the whole run.
"""

from __future__ import annotations

import os
import resource
import time
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

BUDGET = Path(__file__).with_name("budget.toml")
SLOWEST = 20
# What every process does before its first test: it imports the tests and what they test.
COLLECTION = "collecting tests"
# A machine that does other things as well is not called slow.
TOLERANCE = 1.25


def processor_seconds() -> float:
    """Return the processor seconds of this process so far, and of those that it has waited for."""
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, whose))


def folder_of(test: str) -> str:
    """Return the folder under which a test is counted.

    >>> folder_of("tests/browser/sessions/test_maze_session.py::test_a"), folder_of("tests/faults/test_b.py::test_b")
    ('tests/browser/sessions', 'tests/faults')
    >>> folder_of("analysis/methods/report.py::analysis.methods.report.plain"), folder_of("tests/settings.py")
    ('analysis', 'tests')
    """
    parts = test.partition("::")[0].split("/")[:-1]
    if parts[:1] != ["tests"]:
        return parts[0] if parts else "."
    return "/".join(parts[: 3 if parts[1:2] in (["browser"], ["analysis"], ["participants"], ["experiments"]) else 2])


@dataclass
class Spent:
    """Seconds by test and processor seconds by folder."""

    wall: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    processor: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    tests: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def add(self, test: str, wall: float, processor: float) -> None:
        """Add one phase of one test."""
        self.wall[test] += wall
        self.processor[folder_of(test)] += processor
        self.tests[folder_of(test)].add(test)

    def wall_of(self, folder: str) -> float:
        """Return the seconds that the tests of a folder took one after the other."""
        return sum(self.wall[test] for test in self.tests[folder])

    def slowest(self, number: int) -> list[tuple[str, float]]:
        """Return the tests that took longest and their seconds, the longest first."""
        return sorted(self.wall.items(), key=lambda entry: -entry[1])[:number]

    def lines(self, budget: Mapping[str, float]) -> Iterator[str]:
        """Yield one line a folder, the longest first: tests, seconds, processor seconds and their budget."""
        yield f"{'':40} {'tests':>6} {'seconds':>8} {'processor':>9} {'budget':>7}"
        for folder in sorted(self.tests, key=self.wall_of, reverse=True):
            allowed = budget.get(folder)
            yield (
                f"{folder:40} {len(self.tests[folder]):>6,} {self.wall_of(folder):>8,.1f} "
                f"{self.processor[folder]:>9,.1f} {'–' if allowed is None else f'{allowed:,.0f}':>7}"
            )
        yield f"{COLLECTION:40} {'':>6} {'':>8} {self.processor[COLLECTION]:>9,.1f} {budget.get(COLLECTION, 0):>7,.0f}"

    def exceeded(self, budget: Mapping[str, float]) -> list[str]:
        """Return a sentence for every folder that needs more processor seconds than it has, or has no budget."""
        said = []
        for folder in sorted({*self.tests, COLLECTION}):
            spent, allowed = self.processor[folder], budget.get(folder)
            if allowed is None and spent > 5:
                said.append(f"{folder} has no line in tests/budget.toml and took {spent:.0f} s of processor time.")
            elif allowed is not None and spent > allowed * TOLERANCE:
                said.append(f"{folder} took {spent:.0f} s of processor time; its budget is {allowed:.0f} s.")
        return said


class Budget:
    """The plugin: measures where tests run, adds up where reports arrive."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.spent = Spent()
        self.began, self.mark = time.monotonic(), processor_seconds()
        self.collection = 0.0

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
        """Note the processor seconds since the phase before; pytest-xdist carries them to the process that adds up."""
        report = yield
        now = processor_seconds()
        report.processor_seconds, self.mark = now - self.mark, now
        report.collection_seconds, self.collection = self.collection, 0.0
        return report

    def pytest_collection_finish(self) -> None:
        now = processor_seconds()
        self.collection, self.mark = now - self.mark, now

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.spent.add(report.nodeid.partition("@")[0], report.duration, getattr(report, "processor_seconds", 0.0))
        self.spent.processor[COLLECTION] += getattr(report, "collection_seconds", 0.0)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if len(self.spent.wall) < 500 or hasattr(self.config, "workerinput"):
            return
        whole = os.environ.get("EXHAUSTIVE")
        budgets = tomllib.loads(BUDGET.read_text(encoding="utf-8"))
        budget = budgets["test-all" if whole else "test"]
        write = terminalreporter.write_line
        terminalreporter.section("what the suite cost")
        for line in self.spent.lines(budget):
            write(line)
        write("")
        write(f"The {SLOWEST} slowest tests:")
        for test, seconds in self.spent.slowest(SLOWEST):
            write(f"{seconds:>8.1f} s  {test}")
        write("")
        for sentence in self.spent.exceeded(budget) or ["No folder exceeds its budget."]:
            write(sentence)
        write(
            f"{time.monotonic() - self.began:,.0f} s by the clock, {processor_seconds():,.0f} s of processor time with "
            "browsers and servers."
        )
        if not whole:
            write("Tests that are marked `full` were left to `make test-all`.")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Budget(config), "lectern-budget")
