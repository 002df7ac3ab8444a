"""What several tests need and what takes long to make: made once for a whole run of the tests, by whoever is first."""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# The first lines of code that runs in a process of its own and asks the models.
SET_UP = "from experiments.loading import loading\nwith loading():\n    import django\n    django.setup()\n"


@cache
def folder_of_run() -> Path:
    """Return a folder that all processes of this run of the tests share, and no other run."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    if run is None:
        return Path(tempfile.mkdtemp(prefix="lectern-tests-"))
    folder = Path(tempfile.gettempdir()) / f"lectern-tests-{run}"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def once(name: str, make: Callable[[Path], None]) -> Path:
    """Return the folder `name` that `make` has filled; whoever comes while it is being made waits."""
    folder, made = folder_of_run() / name, folder_of_run() / f"{name}.made"
    with (folder_of_run() / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            folder.mkdir(exist_ok=True)
            make(folder)
            made.touch()
    return folder


def migrate(address: str) -> None:
    """Give the empty database at an address, as in DATABASE_URL, the tables of the present version."""
    if not address.startswith("sqlite:///"):
        run_migrations(folder_of_run(), address)
        return
    migrated = once("migrated", run_migrations) / "lectern.sqlite3"
    target = address.removeprefix("sqlite:///")
    with contextlib.closing(sqlite3.connect(migrated)) as source, contextlib.closing(sqlite3.connect(target)) as copy:
        source.backup(copy)


def run_migrations(folder: Path, address: str = "") -> None:
    """Migrate a database; without an address that of the embedded default in `folder`."""
    finished = subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
        cwd=ROOT,
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "VAR_DIR": str(folder),
            "DATABASE_URL": address,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, f"{finished.stdout}\n{finished.stderr}"
