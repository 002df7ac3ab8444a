"""What several tests need and what takes long to make: made once for a whole run of the tests, by whoever is first."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DATABASE = "lectern.sqlite3"
# Modules and packages that say what tables there are and what migrations put into them.
DECIDING = {"accounts", "apps", "languages", "migrations", "models", "settings", "sqlite"}
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
    copy_database(once("migrated", copy_or_migrate) / DATABASE, Path(address.removeprefix("sqlite:///")))


def copy_database(source: Path, target: Path) -> None:
    """Copy a database of SQLite with all that was committed, also what is in its log alone."""
    with contextlib.closing(sqlite3.connect(source)) as given, contextlib.closing(sqlite3.connect(target)) as made:
        given.backup(made)


def copy_or_migrate(folder: Path) -> None:
    """Migrate the embedded default in `folder`, or copy what an earlier run made by the same code and packages."""
    kept = Path(sys.prefix) / "lectern-migrated" / f"{version_of_tables()}.sqlite3"
    if kept.exists():
        copy_database(kept, folder / DATABASE)
        return
    run_migrations(folder)
    with contextlib.suppress(OSError):  # an environment that others own: this run has what it needs
        shutil.rmtree(kept.parent, ignore_errors=True)
        kept.parent.mkdir()
        made = kept.with_suffix(f".{os.getpid()}")
        copy_database(folder / DATABASE, made)
        made.replace(kept)


def version_of_tables() -> str:
    """Return a name for what decides which tables and rows migrations make: models, migrations, settings, packages."""
    files = [
        path
        for app in ("analysis", "config", "experiments", "participants")
        for path in sorted((ROOT / app).rglob("*.py"))
        if DECIDING & {*path.parts, path.stem}
    ]
    made_of = hashlib.sha256(f"{sys.version} {sqlite3.sqlite_version}".encode())
    for path in [*files, ROOT / "requirements.lock", Path(__file__)]:
        made_of.update(f"{path.relative_to(ROOT)} {path.stat().st_size}\n".encode() + path.read_bytes())
    return made_of.hexdigest()[:20]


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
