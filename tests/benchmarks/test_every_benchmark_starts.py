"""Every benchmark runs to its end with the smallest sizes, and leaves its numbers where it was told to."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.__main__ import BENCHMARKS, ROOT, Benchmark, main
from benchmarks.needs import FIREFOX, Need
from tests import needs

pytestmark = pytest.mark.slow


SMALLEST = {
    "methods": ["condition-means", "--participants", "4", "--repetitions", "1", "--limit", "60"],
    "mixed": ["lmm 50 x 144, slopes", "--limit", "60"],
    "intake": ["--quick"],
    "export": ["--participants", "20"],
    "growth": ["--participants", "20"],
    "power": ["--rounds", "1", "--simulations", "50", "--participants", "16", "--workers", "1,2"],
    "power-large": ["--simulations", "1", "--participants", "100"],
    "timing": ["--trials", "8", "--displays", "8", "--rounds", "1"],
    "recall-displays": ["--displays", "4", "--rounds", "1"],
    "ids": ["--simulations", "2"],
    "scale": ["--quick", "--people", "16"],
    "distractors": ["--texts", "4", "--sentences", "2000"],
    "calibration": ["--data-sets", "20", "--designs", "1"],
    "timed-choice": ["--simulations", "1", "--participants", "8"],
    "maze": ["--studies", "1", "--logistic", "0", "--participants", "6"],
    "pictures": ["--pictures", "6", "--seconds-each", "0.1"],
    "pixels": ["--scale", "0.1", "--browsers", "chromium", "--kinds", "rt", "words", "prime-33"],
    "briefs": ["--only", "01", "--only", "29"],
    "displays": ["--repetitions", "1", "--rounds", "1"],
}
# Their smallest form stands beside what it is about.
STARTED_ELSEWHERE = {
    "sequential": "tests/analysis/sequential/test_benchmark_of_sequential_plans.py",
    "loss": "tests/faults/test_benchmark_of_loss.py",
    "loss-browsers": "tests/faults/test_benchmark_of_loss_in_browsers.py",
    "published": "tests/benchmarks/test_published_models_are_fitted.py",
    "error-rates": "tests/analysis/mixed/calibration/test_error_rates_of_suggested_models.py",
}
BROWSERS = {"pictures", "timing", "recall-displays", "pixels", "displays"}
# Its smallest form looks at Chromium alone.
NOT_NEEDED = {"pixels": {FIREFOX}}


def marks_of(name: str) -> list[pytest.MarkDecorator]:
    """Return what skips a benchmark where something is missing, and what sorts it."""
    needed = [need for need in BENCHMARKS[name].needed if need not in NOT_NEEDED.get(name, ())]
    return [needs.mark(*needed), *([pytest.mark.browser] if name in BROWSERS else [])]


# Cheap, and what breaks the way in which all are started breaks it too.
ALWAYS = {"timed-choice"}
ROTTEN = pytest.mark.full("a benchmark that no longer runs")


def test_no_benchmark_goes_without_this_test():
    assert set(SMALLEST) | set(STARTED_ELSEWHERE) == set(BENCHMARKS)
    assert [test for test in STARTED_ELSEWHERE.values() if not (ROOT / test).is_file()] == []


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        pytest.param(name, sizes, id=name, marks=marks_of(name) + ([] if name in ALWAYS else [ROTTEN]))
        for name, sizes in SMALLEST.items()
    ],
)
def test_a_benchmark_runs_to_its_end_and_writes_its_numbers(name: str, sizes: list[str], tmp_path: Path) -> None:
    environment = {
        key: value for key, value in os.environ.items() if key not in {"DATABASE_URL", "DJANGO_SETTINGS_MODULE"}
    }
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks", name, "--", *sizes, "--results", str(tmp_path / "results")],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, f"{run.stdout}\n{run.stderr}"
    assert [path for path in (tmp_path / "results").iterdir() if path.stat().st_size > 0]


def test_a_benchmark_that_lacks_something_is_named_before_any_runs(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    lamp = Need("A lamp", "light one", lambda: False)
    planned = {
        "runs": Benchmark("json.tool", ("--help",)),
        "does not": Benchmark("json.tool", ("--help",), needed=(lamp,)),
    }
    monkeypatch.setattr("benchmarks.__main__.BENCHMARKS", planned)
    assert main([]) == 1
    said = capfd.readouterr()
    assert said.err.splitlines() == [
        "does not is left out: A lamp is missing: light one.",
        "Failed or left out: does not.",
    ]
    assert "== runs" in said.out
    assert "== does not" not in said.out


@pytest.mark.parametrize(
    ("module", "without"),
    [
        ("benchmarks.methods_against_r", "apt-get install r-base-core"),
        ("benchmarks.mixed_models_against_r", "apt-get install r-base-core"),
        ("benchmarks.power_workers", "apt-get install redis-server"),
        ("benchmarks.pictures", "apt-get install chromium"),
        ("benchmarks.loss_browsers", "apt-get install chromium"),
        ("benchmarks.timing.run", "apt-get install chromium"),
        ("benchmarks.timing.recall", "apt-get install chromium"),
        ("benchmarks.pixels.run", "apt-get install xvfb"),
    ],
)
def test_each_says_by_itself_what_is_missing_and_ends(module: str, without: str, tmp_path: Path) -> None:
    environment = {"PATH": str(tmp_path), "HOME": str(tmp_path)}
    command = [sys.executable, "-m", module, "--results", str(tmp_path / "results")]
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert without in ended.stderr
    assert "Traceback" not in ended.stderr
    assert not (tmp_path / "results").exists()
