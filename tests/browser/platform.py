"""A whole platform of its own for a browser test: web server and worker as real processes on a free port."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import psycopg
from playwright.sync_api import Page, expect
from psycopg import sql

from tests.browser.commands import Commands
from tests.prepared import migrate

ROOT = Path(__file__).resolve().parents[2]
# A page shows what it should, however busy the machine is; the limit only ends what hangs.
PATIENCE_MS = 120_000
expect.set_options(timeout=PATIENCE_MS)


class Platform:
    """Starts web server and worker; `stop` ends what it started.

    By itself on the embedded default, with its database in `folder`. With `on_services`, as a deployment would: on a
    fresh PostgreSQL database of the server that DATABASE_URL names, and with a Celery worker on CELERY_BROKER_URL.
    """

    def __init__(self, folder: Path, *, on_services: bool = False) -> None:
        self.folder = folder
        self.port = free_port()
        self.base_url = f"http://127.0.0.1:{self.port}"
        self.environment = {
            **{name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "CELERY_BROKER_URL"}},
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "VAR_DIR": str(folder),
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
            "LOG_LEVEL": "WARNING",
        }
        self.server: subprocess.Popen[bytes] | None = None
        self.worker: subprocess.Popen[bytes] | None = None
        self.database = f"platform_{self.port}" if on_services else ""
        if on_services:
            self.environment["DATABASE_URL"] = self.create_database(os.environ["DATABASE_URL"])
            self.environment["CELERY_BROKER_URL"] = os.environ["CELERY_BROKER_URL"]
        folder.mkdir(parents=True, exist_ok=True)
        migrate(self.environment.get("DATABASE_URL") or f"sqlite:///{folder / 'lectern.sqlite3'}")
        self.commands = Commands(self.environment)
        self.manage("collectstatic", "--no-input", "--verbosity", "0")
        self.manage(
            "createsuperuser", "--no-input", "--username", "researcher", "--email", "researcher@example.org",
            DJANGO_SUPERUSER_PASSWORD="a-password-for-tests",
        )  # fmt: skip

    def create_database(self, server: str) -> str:
        """Create the database of this platform and return its address."""
        with psycopg.connect(server.replace("postgres://", "postgresql://"), autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(self.database)))
        return f"{server.rsplit('/', 1)[0]}/{self.database}"

    def manage(self, *arguments: str, **extra_environment: str) -> str:
        """Run a management command against this platform's database and return what it printed."""
        return self.commands.run(arguments, extra_environment)

    def start(self) -> None:
        """Start the web server, and the worker of a deployment, and wait until the server is ready."""
        log = (self.folder / "server.log").open("ab")
        self.server = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "--config", "config/gunicorn.py", "config.wsgi"],
            cwd=ROOT,
            env=self.environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        if self.database:
            self.worker = subprocess.Popen(
                [sys.executable, "-m", "celery", "--app", "config", "worker", "--beat", "--concurrency", "1",
                 "--schedule", str(self.folder / "celerybeat"), "--loglevel", "WARNING"],
                cwd=ROOT,
                env={**self.environment, "C_FORCE_ROOT": "true"},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )  # fmt: skip
        wait_until_ready(f"{self.base_url}/readyz")

    def stop(self, *, hard: bool = False) -> None:
        """Stop the web server and everything that it started; `hard` sends SIGKILL."""
        for process in (self.worker, self.server):
            if process is not None:
                os.killpg(process.pid, signal.SIGKILL if hard else signal.SIGTERM)
                process.wait(timeout=60)
        self.server = self.worker = None

    def remove(self) -> None:
        """Drop the database that was created on a server."""
        if self.database:
            address = os.environ["DATABASE_URL"].replace("postgres://", "postgresql://")
            with psycopg.connect(address, autocommit=True) as connection:
                connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(self.database)))


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_ready(url: str, seconds: float = 180) -> None:
    """Wait until an address answers with 200."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(url, timeout=20) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            pass
        if time.monotonic() > deadline:
            raise TimeoutError(f"{url} did not answer within {seconds} s")
        time.sleep(0.2)


def log_in(page: Page, platform: Platform) -> None:
    """Log the researcher of the platform in."""
    page.goto(f"{platform.base_url}/admin/login/")
    page.fill("input[name=username]", "researcher")
    page.fill("input[name=password]", "a-password-for-tests")
    page.press("input[name=password]", "Enter")
    page.wait_for_url(lambda url: "/login" not in url)
