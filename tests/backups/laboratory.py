"""A laboratory's platform of its own, driven by its commands alone: on an SQLite file or a PostgreSQL database."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from tests.browser.platform import ROOT

BEFORE = ROOT / "tests" / "upgrade" / "version_0_1.sql"


class Laboratory:
    """`url` is a database that does not exist yet, or empty for an SQLite file in `folder`."""

    def __init__(self, folder: Path, url: str = "") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.file = folder / "lectern.sqlite3"
        self.url = url or f"sqlite:///{self.file}"
        self.environment = {
            **os.environ, "VAR_DIR": str(folder), "DATABASE_URL": self.url, "BACKUP_KEY": "",
            "SECRET_KEY": "the-secret-key-of-a-laboratory", "CODES_KEY": "the-key-of-its-codes",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }  # fmt: skip

    def fill(self) -> None:
        """Let it hold the people of the version before, on SQLite; migrated to the present version."""
        with sqlite3.connect(self.file) as database:
            database.executescript(BEFORE.read_text(encoding="utf-8"))
        self.manage("migrate", "--verbosity", "0")

    def python(self, code: str) -> str:
        return self.manage("shell", "--no-imports", "--command", code)

    def manage(self, *arguments: str) -> str:
        done = self.ask(*arguments)
        assert done.returncode == 0, f"{arguments}: {done.stdout}\n{done.stderr}"
        return done.stdout

    def ask(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "manage.py", *arguments], cwd=ROOT, env=self.environment, capture_output=True, text=True,
            check=False,
        )  # fmt: skip


def new_database(server: str, name: str) -> str:
    """Make an empty database on the server of DATABASE_URL, instead of one of that name, and return its address."""
    with psycopg.connect(server.replace("postgres://", "postgresql://"), autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    return f"{server.removesuffix(urlsplit(server).path)}/{name}"


def drop_database(server: str, name: str) -> None:
    with psycopg.connect(server.replace("postgres://", "postgresql://"), autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
