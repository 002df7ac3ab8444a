"""`new_method` writes into a copy of the checkout; what it wrote is then checked by the project's own tests there."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
COPIED = (
    "analysis",
    "config",
    "docs",
    "experiments",
    "frontend/src",
    "participants",
    "tests/architecture",
    "tests/conformance",
    "pyproject.toml",
    "manage.py",
)
SHOWING_ROOMS = ("document_names", "drawing_shows")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("checkout")
    for name in COPIED:
        source = ROOT / name
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    for name in ("__init__.py", "selection.py", "settings.py"):
        shutil.copy(ROOT / "tests" / name, folder / "tests" / name)
    call_command("new_method", "median-split", root=folder, verbosity=0)
    return folder


def check(folder: Path, *arguments: str) -> str:
    given = {**os.environ, "PYTHONPATH": str(folder), "VAR_DIR": str(folder / "var")}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=given, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_passes_the_conformance_of_every_method(copy: Path) -> None:
    tests = ["tests/conformance/test_methods_keep_the_contract.py", "tests/analysis/median_split"]
    said = check(copy, "-m", "pytest", "-q", "-k", "median", *tests, "analysis/methods/median_split")
    assert " passed" in said
    assert "failed" not in said


@pytest.mark.full("a skeleton of a method that the project's own checks refuse")
def test_what_it_wrote_is_as_the_linter_wants_it(copy: Path) -> None:
    check(copy, "-m", "ruff", "check", "analysis", "tests")
    check(copy, "-m", "ruff", "format", "--check", "analysis", "tests")


@pytest.mark.full("a skeleton of a method that the project's own checks refuse")
def test_what_it_wrote_has_types_as_the_rest(copy: Path) -> None:
    check(copy, "-m", "mypy", "analysis/methods/median_split", "tests/analysis/median_split")


@pytest.mark.full("a skeleton of a method that the project's own checks refuse")
def test_the_document_and_the_picture_of_the_rooms_have_its_room(copy: Path) -> None:
    check(copy, "-m", "pytest", "-q", *(f"tests/architecture/test_the_{name}_every_room.py" for name in SHOWING_ROOMS))
    assert "| `median_split/` | median split |" in (copy / "docs" / "architecture.md").read_text("utf-8")


@pytest.mark.full("a line that the skeleton of a method forgets")
def test_it_is_offered_has_its_page_and_its_layer(copy: Path) -> None:
    assert "median-split: " in check(copy, "manage.py", "analyse", "--list")
    assert "[Median split](median-split.md)" in (copy / "docs" / "methods" / "README.md").read_text("utf-8")
    assert '"median_split : power : reported : sequential"' in (copy / "pyproject.toml").read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Median", "cannot be the name"),
        ("friedman", "already"),
        ("median-split", "already"),
        ("class", "means something in Python"),
        ("range", "means something in Python"),
        ("rows", "'rows' is in "),
        ("report", "'report' is in "),
        ("measure", "the new files use themselves"),
    ],
)
def test_a_name_that_is_wrong_or_taken_is_refused_and_nothing_is_written(copy: Path, name: str, words: str) -> None:
    before = sorted(path for path in copy.rglob("*.py"))
    with pytest.raises(CommandError, match=words):
        call_command("new_method", name, root=copy, verbosity=0)
    assert sorted(path for path in copy.rglob("*.py")) == before
