"""`new_paradigm` writes into a copy of the checkout; what it wrote is then checked by the project's own tests there."""

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
    "analysis", "config", "docs", "experiments", "frontend", "participants", "tests", "mkdocs.yml", "pyproject.toml",
    "manage.py",
)  # fmt: skip
LEFT_OUT = shutil.ignore_patterns("__pycache__", "node_modules", "dist")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("checkout")
    for name in COPIED:
        source, target = ROOT / name, folder / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=LEFT_OUT)
        else:
            shutil.copy(source, target)
    (folder / "frontend" / "node_modules").symlink_to(ROOT / "frontend" / "node_modules")
    call_command("new_paradigm", "yes-no", root=folder, verbosity=0)
    return folder


def check(folder: Path, *arguments: str) -> str:
    given = {**os.environ, "PYTHONPATH": str(folder), "VAR_DIR": str(folder / "var")}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=given, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_passes_the_conformance_of_every_paradigm(copy: Path) -> None:
    said = check(copy, "-m", "pytest", "-q", "-k", "yes-no", "tests/conformance/test_every_paradigm.py")
    assert " passed" in said
    assert "failed" not in said


@pytest.mark.full("a skeleton of a paradigm that the project's own checks or a browser refuse")
def test_its_plugin_has_the_types_of_the_platform(copy: Path) -> None:
    done = subprocess.run(
        ["node_modules/.bin/tsc", "--noEmit"], cwd=copy / "frontend", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.full("a skeleton of a paradigm that the project's own checks or a browser refuse")
def test_what_it_wrote_is_as_the_linter_wants_it(copy: Path) -> None:
    check(copy, "-m", "ruff", "check", "experiments", "tests")
    check(copy, "-m", "ruff", "format", "--check", "experiments", "tests")


@pytest.mark.full("a skeleton of a paradigm that the project's own checks or a browser refuse")
def test_what_it_wrote_has_types_as_the_rest(copy: Path) -> None:
    check(copy, "-m", "mypy", "experiments/paradigms/yes_no")


@pytest.mark.full("a skeleton of a paradigm that the project's own checks or a browser refuse")
def test_the_picture_of_the_rooms_has_its_room(copy: Path) -> None:
    check(copy, "-m", "pytest", "-q", "tests/architecture/test_the_drawing_shows_every_room.py")


@pytest.mark.full("a skeleton of a paradigm that the project's own checks or a browser refuse")
@pytest.mark.browser
def test_it_is_answered_in_a_browser_and_the_server_accepts_it(copy: Path) -> None:
    subprocess.run(["npm", "run", "--silent", "build"], cwd=copy / "frontend", capture_output=True, check=True)
    said = check(copy, "-m", "pytest", "-q", "-k", "yes-no and visual", "tests/contract")
    assert "1 passed" in said


def test_it_is_found_by_its_lines(copy: Path) -> None:
    assert '"yes-no": () => import("../plugins/yes-no")' in (copy / "frontend/src/session/registry.ts").read_text(
        "utf-8"
    )
    assert "- [Yes no](yes-no.md)" in (copy / "docs" / "README.md").read_text("utf-8")
    assert '"yes_no | comparison | ' in (copy / "pyproject.toml").read_text("utf-8")
    assert '"yes-no": ContractStudy(' in (copy / "tests/contract/test_timeline_to_browser_to_validation.py").read_text(
        "utf-8"
    )


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Yes", "cannot be the name"),
        ("rating", "already"),
        ("yes-no", "already"),
        ("class", "means something in Python"),
        ("base", "'base' is in "),
        ("pieces", "'pieces' is in "),
        ("answered", "the new files use themselves"),
        ("timed-plugin", "the new files use themselves"),
    ],
)
def test_a_name_that_is_wrong_or_taken_is_refused_and_nothing_is_written(copy: Path, name: str, words: str) -> None:
    before = sorted(path for path in copy.rglob("*.py"))
    with pytest.raises(CommandError, match=words):
        call_command("new_paradigm", name, root=copy, verbosity=0)
    assert sorted(path for path in copy.rglob("*.py")) == before


@pytest.mark.parametrize("label", ['The "best" one', "Two\nlines", "A [link]", "A | B"])
def test_a_label_that_would_break_a_file_is_refused(copy: Path, label: str) -> None:
    with pytest.raises(CommandError, match="plain text in one line"):
        call_command("new_paradigm", "another-one", root=copy, label=label, verbosity=0)
    assert not (copy / "experiments" / "paradigms" / "another_one").exists()
