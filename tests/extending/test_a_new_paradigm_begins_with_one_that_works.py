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
    "analysis", "config", "docs", "experiments", "frontend/src", "frontend/package.json", "frontend/tsconfig.json",
    "participants", "tests/conformance", "tests/contract", "mkdocs.yml",
    "pyproject.toml", "manage.py",
)  # fmt: skip


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("checkout")
    for name in COPIED:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    for name in ("__init__.py", "settings.py"):
        shutil.copy(ROOT / "tests" / name, folder / "tests" / name)
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


def test_its_plugin_has_the_types_of_the_platform(copy: Path) -> None:
    compiler = ROOT / "frontend" / "node_modules" / ".bin" / "tsc"
    if not compiler.exists():
        pytest.skip("The front end is not installed: make setup")
    (copy / "frontend" / "node_modules").symlink_to(ROOT / "frontend" / "node_modules")
    done = subprocess.run(
        [str(compiler), "--noEmit"], cwd=copy / "frontend", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_it_is_found_by_its_lines(copy: Path) -> None:
    assert '"yes-no": () => import("../plugins/yes-no")' in (copy / "frontend/src/session/registry.ts").read_text(
        "utf-8"
    )
    assert "- [Yes no](yes-no.md)" in (copy / "docs" / "README.md").read_text("utf-8")
    assert '"experiments.paradigms.yes_no.paradigm"' in (copy / "pyproject.toml").read_text("utf-8")
    assert '"yes-no": ContractStudy(' in (copy / "tests/contract/test_timeline_to_browser_to_validation.py").read_text(
        "utf-8"
    )


@pytest.mark.parametrize(
    ("name", "words"), [("Yes", "cannot be the name"), ("rating", "already"), ("yes-no", "already")]
)
def test_a_name_that_is_wrong_or_taken_is_refused_and_nothing_is_written(copy: Path, name: str, words: str) -> None:
    before = sorted(path for path in copy.rglob("*.py"))
    with pytest.raises(CommandError, match=words):
        call_command("new_paradigm", name, root=copy, verbosity=0)
    assert sorted(path for path in copy.rglob("*.py")) == before
