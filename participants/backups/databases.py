"""Copy the database consistently while it is in use, and restore a copy into an empty database."""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

from django.db import connection

from participants.backups.refusals import BackupRefusal

# Path of the copy within a backup, by database engine.
NAMES = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}


def copy_to(folder: Path) -> Path:
    """Write a copy of the database into a folder and return its path. Raises BackupRefusal.

    The copy contains everything committed before it began. It does not block writers.
    """
    out = folder / NAMES[connection.vendor]
    if connection.vendor == "sqlite":
        _copy_sqlite(out)
    else:
        _run("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={out}", *_address())
    return out


def put_back(copy: Path) -> None:
    """Load a copy into the empty database. Raises BackupRefusal."""
    if connection.vendor == "sqlite":
        place = _place()
        place.parent.mkdir(parents=True, exist_ok=True)
        part = place.with_name(f"{place.name}.part")
        try:
            shutil.copyfile(copy, part)
            part.chmod(0o600)
            with part.open("rb") as file:
                os.fsync(file.fileno())
            part.replace(place)
        finally:
            part.unlink(missing_ok=True)
    else:
        options = ["--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error"]
        _run("pg_restore", *options, *_address(), str(copy))
    connection.close()


def is_empty() -> bool:
    """Return whether there is no database yet, or one without tables."""
    if connection.vendor != "sqlite":
        return not connection.introspection.table_names()
    place = _place()
    log = place.with_name(f"{place.name}-wal")
    if log.exists() and log.stat().st_size:
        return False
    if not place.exists() or not place.stat().st_size:
        return True
    with closing(_database().connect(f"{place.resolve().as_uri()}?mode=ro", uri=True)) as there:
        return not there.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]


def _copy_sqlite(out: Path) -> None:
    database = _database()
    try:
        with closing(database.connect(str(_place()))) as source, closing(database.connect(str(out))) as target:
            # All pages in one step are one read transaction: writers continue, and the copy never restarts.
            source.backup(target, pages=-1)
            target.execute("PRAGMA journal_mode=DELETE")
            found = target.execute("PRAGMA integrity_check").fetchone()[0]
    except database.Error as fault:
        raise BackupRefusal(
            f"The database could not be copied into {out.parent.parent} ({fault}). No backup was written. It needs "
            "room there for the database twice and for the media."
        ) from fault
    if found != "ok":
        raise BackupRefusal(
            f"The copy of the database is not sound ({found}). No backup was written. Keep the last backup, stop the "
            "server and look at the database with `sqlite3 FILE 'PRAGMA integrity_check'`."
        )


def _database() -> Any:
    """Return the SQLite module that Django uses: two of them in one process would release each other's locks."""
    wrapper: Any = connection
    return wrapper.Database


def _place() -> Path:
    return Path(connection.settings_dict["NAME"])


def _address() -> list[str]:
    given = connection.settings_dict
    parts = {"host": given["HOST"], "port": given["PORT"], "username": given["USER"], "dbname": given["NAME"]}
    return ["--no-password", *(f"--{name}={value}" for name, value in parts.items() if value)]


def _run(program: str, *arguments: str) -> None:
    """Run a PostgreSQL program; the password is passed in the environment, which other users cannot read."""
    if shutil.which(program) is None:
        raise BackupRefusal(
            f"The program {program} was not found. Install PostgreSQL's client programs (Debian: postgresql-client), "
            "of the server's version or newer."
        )
    password = str(connection.settings_dict["PASSWORD"] or "")
    environment = {**os.environ, **({"PGPASSWORD": password} if password else {})}
    done = subprocess.run([program, *arguments], env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise BackupRefusal(f"{program} failed: {done.stderr.strip() or 'no reason given'}")
