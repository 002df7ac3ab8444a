"""Commands are named to people as they were started: `lectern` of the wheel, or `manage.py` of a clone."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

from experiments import started_by
from experiments.started_by import command, command_on_the_data

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("analysis", "config", "experiments", "participants")
# The module that knows the names, what runs a program, and the script that is read on other machines.
MAY_NAME_IT = {
    "experiments/started_by.py",
    "config/packaging/lectern_wheel.py",
    "config/gunicorn.py",
    "analysis/views/reports.py",
}


@pytest.fixture
def clone(monkeypatch):
    for name in (started_by.PROGRAM, started_by.DATA, "VIRTUAL_ENV"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


@pytest.fixture
def wheel(clone):
    clone.setenv(started_by.PROGRAM, "lectern")
    return clone


def test_a_clone_is_told_the_python_of_its_own_environment(clone) -> None:
    clone.setattr(sys, "platform", "linux")
    clone.setattr(sys, "prefix", str(ROOT / ".venv"))
    assert command("migrate") == ".venv/bin/python manage.py migrate"
    clone.setattr(sys, "platform", "win32")
    assert command("migrate") == r".venv\Scripts\python manage.py migrate"


def test_an_environment_that_is_active_or_elsewhere_needs_no_path(clone) -> None:
    clone.setattr(sys, "prefix", "/usr")
    assert command("migrate") == "python manage.py migrate"
    clone.setattr(sys, "prefix", str(ROOT / ".venv"))
    clone.setenv("VIRTUAL_ENV", str(ROOT / ".venv"))
    assert command("migrate") == "python manage.py migrate"


@pytest.mark.parametrize("folder", ["/srv/data", "/srv/my data", "/srv/it's", r"C:\Users\Anna\Lectern", "$HOME;ls"])
def test_a_line_on_the_data_names_their_folder_so_that_a_shell_reads_it(wheel, folder: str) -> None:
    wheel.setenv(started_by.DATA, folder)
    line = command_on_the_data("export_data", "my-study", "--out", "two words")
    assert shlex.split(line) == ["lectern", "--data", folder, "export_data", "my-study", "--out", "two words"]
    assert folder not in command("analyse")


def test_the_usual_place_of_the_data_is_not_named(wheel) -> None:
    assert command_on_the_data("migrate") == "lectern migrate"


def test_a_clone_has_no_option_for_the_folder(clone) -> None:
    clone.setenv(started_by.DATA, "/srv/data")
    assert "--data" not in command_on_the_data("migrate")


def test_no_text_of_the_platform_names_a_program_by_itself() -> None:
    named = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for room in ROOMS
        for path in sorted((ROOT / room).rglob("*"))
        if path.suffix in {".py", ".html"} and str(path.relative_to(ROOT)) not in MAY_NAME_IT
        for line in path.read_text(encoding="utf-8").splitlines()
        # Docstrings and comments are for people who read the code.
        if re.search(r"""["'>][^"'`]*\bmanage\.py """, line) and '"""' not in line and not line.strip().startswith("#")
    ]
    assert named == []


@pytest.mark.django_db
def test_the_check_of_readiness_names_no_folder_of_the_machine(wheel, client, monkeypatch) -> None:
    from django.db.migrations.executor import MigrationExecutor

    from participants.views import health

    wheel.setenv(started_by.DATA, "/srv/secret place")
    monkeypatch.setattr(MigrationExecutor, "migration_plan", lambda *_: [("experiments", "0001_initial")])
    assert health._migrations() == "1 outstanding; run lectern migrate"
