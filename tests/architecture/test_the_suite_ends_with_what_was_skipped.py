"""The suite ends with what was skipped, how often, and how to have it run, also where several processes test."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TESTS = """
import pytest

pytestmark = pytest.mark.skipif(True, reason="R (Rscript) is missing: apt-get install r-base-core.")

@pytest.mark.parametrize("number", range(3))
def test_of_r(number):
    pass
"""
OF_A_MODULE = """
import pytest

pytest.skip("MkDocs is missing: make docs.", allow_module_level=True)
"""


def said_of(folder: Path, *options: str) -> list[str]:
    (folder / "pytest.ini").write_text("[pytest]\n")
    command = [sys.executable, "-m", "pytest", "-p", "tests.skipped", "-p", "no:django", *options, str(folder)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return [line.strip() for line in ran.stdout.splitlines()]


@pytest.mark.parametrize("options", [(), ("-n", "2")], ids=["one process", "two processes"])
def test_reasons_are_counted_and_the_most_frequent_stands_first(tmp_path: Path, options: tuple[str, ...]) -> None:
    (tmp_path / "test_of_r.py").write_text(TESTS)
    (tmp_path / "test_of_a_module.py").write_text(OF_A_MODULE)

    said = said_of(tmp_path, *options)

    start = next(place for place, line in enumerate(said) if "4 skipped, and how to have them run" in line)
    assert said[start + 1 : start + 3] == [
        "3  R (Rscript) is missing: apt-get install r-base-core.",
        "1  MkDocs is missing: make docs.",
    ]


def test_where_nothing_was_skipped_nothing_is_said(tmp_path: Path) -> None:
    (tmp_path / "test_of_nothing.py").write_text("def test_it(): pass\n")
    assert not any("how to have them run" in line for line in said_of(tmp_path))
