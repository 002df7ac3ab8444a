"""A command that cannot begin, or is interrupted, ends in a sentence and a number, never in a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.selection import only_in_full

ROOT = Path(__file__).resolve().parents[2]


def started(*arguments: str, **environment: str) -> subprocess.Popen[str]:
    given = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", **environment}
    return subprocess.Popen(
        [sys.executable, "manage.py", *arguments], cwd=ROOT, env=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip


def said_by(process: subprocess.Popen[str], *, code: int) -> str:
    error = process.communicate()[1]
    assert process.returncode == code, error
    assert "Traceback" not in error
    return error


def test_a_folder_for_data_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    said = said_by(started("check", VAR_DIR=str(tmp_path / "file" / "var")), code=1)
    assert said.endswith("cannot be used for the platform's data: Not a directory. Name another one by VAR_DIR.\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ("check_data", "a"),
        only_in_full("a command that shows a traceback", ("simulate", "a", "--participants", "1", "--seed", "1")),
    ],
)
def test_a_database_without_tables_is_told_what_it_needs(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    said = said_by(started(*arguments, VAR_DIR=str(tmp_path), DATABASE_URL=f"sqlite:///{tmp_path / 'new'}"), code=1)
    assert "no such table" in said
    assert "manage.py migrate" in said


def test_where_it_happened_is_shown_on_demand(tmp_path: Path) -> None:
    process = started("check_data", "a", "--traceback", VAR_DIR=str(tmp_path), DATABASE_URL=f"sqlite:///{tmp_path}/new")
    assert "Traceback" in process.communicate()[1]


def test_an_interruption_is_no_fault(tmp_path: Path) -> None:
    # What runs in the background of a script was told to pass over such signals.
    hears = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    waits = f"{hears}; print('here', flush=True); import time; time.sleep(600)"
    process = started("shell", "--no-imports", "--command", waits, VAR_DIR=str(tmp_path), DATABASE_URL="")
    assert process.stdout is not None
    assert process.stdout.readline() == "here\n"
    process.send_signal(signal.SIGINT)
    assert said_by(process, code=130) == "Interrupted.\n"


@pytest.mark.parametrize("port", ["0", "99999", "-1", "http"])
@pytest.mark.parametrize("command", ["run", "demo"])
def test_what_is_no_port_is_refused(command: str, port: str) -> None:
    with pytest.raises(CommandError, match="must be a whole number from 1 to 65535"):
        call_command(command, f"--port={port}")


@pytest.mark.parametrize("address", ["nonsense", "lectern.example.org", "ftp://lectern.example.org", "https://"])
def test_what_is_no_address_of_a_platform_is_refused(address: str) -> None:
    with pytest.raises(CommandError, match="must be an address such as"):
        call_command("invite", f"--base-url={address}")
