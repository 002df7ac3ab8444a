"""Tests that wait for `make test-all` say what only they find and run when named; long rehearsals run when due."""

import subprocess
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests import budget, rehearsed
from tests.selection import faults_of_marks, is_named

ROOT = Path(__file__).resolve().parents[2]


def marked(*finds: object) -> Any:
    """Return as much of a collected test as the selection looks at."""
    marks = [pytest.mark.full(*finds).mark]
    return SimpleNamespace(
        nodeid="tests/test_a.py::test_b", path=ROOT / "tests" / "test_a.py", iter_markers=lambda name: marks
    )


@pytest.mark.parametrize("finds", [(), ("",), (" ",), (3,), ("a", "b")])
def test_a_mark_that_does_not_say_what_only_its_test_finds_is_refused(finds):
    assert faults_of_marks([marked(*finds)]) == ["tests/test_a.py::test_b"]


def test_a_mark_that_says_it_is_taken():
    assert faults_of_marks([marked("what a killed browser loses")]) == []


@pytest.mark.parametrize("argument", ["tests/test_a.py", "tests/test_a.py::test_b", str(ROOT / "tests" / "test_a.py")])
def test_a_test_that_a_command_names_is_run(argument):
    assert is_named(marked("x"), ["-q", argument])


@pytest.mark.parametrize("argument", ["tests", ".", "tests/test_c.py"])
def test_a_folder_alone_names_no_test(argument):
    assert not is_named(marked("x"), [argument])


def test_every_folder_with_tests_has_a_budget_for_both_suites():
    files = subprocess.run(
        ["git", "ls-files", "tests/*test_*.py"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    folders = {budget.folder_of(path) for path in files} | {
        "analysis",
        "config",
        "experiments",
        "participants",
        budget.COLLECTION,
    }
    known = tomllib.loads(budget.BUDGET.read_text(encoding="utf-8"))
    assert {suite: sorted(folders - set(known[suite])) for suite in ("test", "test-all")} == {
        "test": [],
        "test-all": [],
    }
    assert [name for suite in known.values() for name in suite if name not in folders] == []


def test_what_exceeds_its_budget_by_a_quarter_is_said():
    spent = budget.Spent()
    spent.add("tests/faults/test_a.py::test_b", wall=9, processor=12)
    spent.add("tests/faults/test_a.py::test_c", wall=2, processor=2)
    assert spent.exceeded({"tests/faults": 12}) == []
    assert spent.exceeded({"tests/faults": 11}) == ["tests/faults took 14 s of processor time; its budget is 11 s."]
    assert "has no line in tests/budget.toml" in spent.exceeded({})[0]
    assert spent.slowest(1) == [("tests/faults/test_a.py::test_b", 9)]


@pytest.fixture
def repository(tmp_path):
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / "Dockerfile").write_text("FROM a\n", encoding="utf-8")
    (tmp_path / "README.md").write_text("A\n", encoding="utf-8")
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    return tmp_path


def test_a_rehearsal_is_due_once_a_file_that_it_rests_on_has_changed(repository, monkeypatch):
    monkeypatch.delenv("EXHAUSTIVE", raising=False)
    noted = repository / "noted.json"
    assert rehearsed.is_due("deployment", repository, noted)
    noted.write_text(f'{{"deployment": "{rehearsed.hash_of("deployment", repository)}"}}', encoding="utf-8")
    assert not rehearsed.is_due("deployment", repository, noted)
    (repository / "README.md").write_text("B\n", encoding="utf-8")
    assert not rehearsed.is_due("deployment", repository, noted)
    (repository / "Dockerfile").write_text("FROM b\n", encoding="utf-8")
    assert rehearsed.is_due("deployment", repository, noted)


def test_everything_is_due_where_everything_is_run(repository, monkeypatch):
    noted = repository / "noted.json"
    noted.write_text(f'{{"deployment": "{rehearsed.hash_of("deployment", repository)}"}}', encoding="utf-8")
    monkeypatch.setenv("EXHAUSTIVE", "1")
    assert rehearsed.is_due("deployment", repository, noted)


@pytest.mark.parametrize("name", rehearsed.RESTS_ON)
def test_every_pattern_of_a_rehearsal_names_files(name):
    for pattern in rehearsed.RESTS_ON[name]:
        listed = subprocess.run(
            ["git", "ls-files", "--", pattern], cwd=ROOT, capture_output=True, text=True, check=True
        )
        assert listed.stdout, pattern
