"""A platform as it is deployed, that a drill kills in several ways and starts again as a service manager would."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.browser.platform import ROOT, free_port, wait_until_ready
from tests.prepared import SET_UP, migrate

LOOK = 0.01
LONGEST_END = 60.0
LONGEST_ANSWER = 120.0

STORED = """
from participants.models import Response
rows = Response.objects.order_by().values_list("trial__session__start_key_hash", "trial__position", "content_hash")
for key, position, digest in rows.iterator(chunk_size=20_000):
    print(key, position, digest)
"""
FACTS = """
import json
from django.db import connection
connection.ensure_connection()
version = ".".join(map(str, connection.Database.sqlite_version_info)) if connection.vendor == "sqlite" \\
    else str(connection.pg_version)
print(json.dumps({"sqlite": "SQLite", "postgresql": "PostgreSQL"}[connection.vendor] + " " + version))
"""
INTEGRITY = """
from django.db import connection
if connection.vendor == "sqlite":
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA integrity_check")
        print([row[0] for row in cursor.fetchall()])
else:
    print(["ok"])
"""


@dataclass(frozen=True)
class Recovery:
    """Seconds from a kill until the next server had the port, where there was a next one, and until an answer came."""

    port: float | None
    answer: float


class Supervised:
    """Web server and embedded worker of `config/gunicorn.py`, on an empty database with one open study."""

    def __init__(self, folder: Path, *, slug: str, data: str, workers: int = 1) -> None:
        """`data` are the lines of code that make the study."""
        self.folder, self.slug, self.data = folder, slug, data
        self.port = free_port()
        var = folder / "var"
        var.mkdir()
        self.environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "VAR_DIR": str(var),
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
            "WEB_CONCURRENCY": str(workers),
            "LOG_LEVEL": "WARNING",
            "OPENBLAS_NUM_THREADS": "1",
        }
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Make the database and start the server."""
        migrate(self.environment.get("DATABASE_URL") or f"sqlite:///{self.folder / 'var' / 'lectern.sqlite3'}")
        self.ask(self.data)
        self._launch()
        wait_until_ready(f"http://127.0.0.1:{self.port}/healthz")

    def kill(self, kind: str) -> Recovery:
        """Kill what `kind` names, start the server again if that has ended, and wait for the first answer."""
        assert self.process is not None
        who, how = kind.split()
        number = signal.Signals[how]
        master, workers = self.process.pid, self.web_processes()
        began = time.monotonic()
        for target in {"master": [master], "worker": workers, "both": [master, *workers]}[who]:
            try:
                os.kill(target, number)
            except ProcessLookupError:
                continue  # its master was faster
        port = None
        if who != "worker":
            self.process.wait(timeout=LONGEST_END)
            began = time.monotonic() if number == signal.SIGTERM else began
            self._launch()
            self._wait_for_port()
            port = time.monotonic() - began
        while not self._answers():
            if time.monotonic() > began + LONGEST_ANSWER:
                raise TimeoutError(f"No answer for {LONGEST_ANSWER:g} seconds after {kind}.")
            time.sleep(LOOK)
        return Recovery(port=port, answer=time.monotonic() - began)

    def web_processes(self) -> list[int]:
        """Return the web processes of the master, and not its embedded worker."""
        assert self.process is not None
        pid = self.process.pid
        found = []
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            words = Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
            if b"manage.py" not in words:
                found.append(int(child))
        return found

    def stop(self) -> None:
        """Stop it in an orderly way, as a service manager does."""
        assert self.process is not None
        self.process.terminate()
        self.process.wait(timeout=LONGEST_END)

    def end(self) -> None:
        """End whatever of it still lives."""
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(timeout=LONGEST_END)

    def run(self, *arguments: str) -> str:
        """Run Python in this platform's environment and return what it printed; fails where it failed."""
        finished = subprocess.run(
            [sys.executable, *arguments], cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False
        )
        assert finished.returncode == 0, f"{finished.stdout}\n{finished.stderr}"
        return finished.stdout

    def ask(self, code: str) -> str:
        """Run lines of code with the models and return what they printed."""
        return self.run("-c", SET_UP + code)

    def stored(self) -> Iterator[tuple[str, int, str]]:
        """Yield start key, position and hash of every stored result."""
        for line in self.ask(STORED).splitlines():
            key, position, digest = line.split()
            yield key, int(position), digest

    def facts(self) -> str:
        """Return which database this is, with its version."""
        return str(json.loads(self.ask(FACTS)))

    def check(self) -> list[str]:
        """Return a sentence for everything that is wrong with the database."""
        found = []
        integrity = self.ask(INTEGRITY).strip()
        if integrity != "['ok']":
            found.append(f"The database is damaged: {integrity}")
        checked = subprocess.run(
            [sys.executable, "manage.py", "check_data", self.slug],
            cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if checked.returncode:
            found.append(f"check_data: {checked.stdout[-2000:]}{checked.stderr[-2000:]}")
        if leftover := [path.name for path in (self.folder / "var").glob("*-wal") if path.stat().st_size]:
            found.append(f"The server was stopped and left data outside of the database file: {leftover}")
        return found

    def _launch(self) -> None:
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "gunicorn", "--config", "config/gunicorn.py", "config.wsgi"],
                cwd=ROOT, env=self.environment, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip

    def _wait_for_port(self) -> None:
        """Wait until the new master listens: until its socket is in the table of the kernel."""
        assert self.process is not None
        deadline = time.monotonic() + LONGEST_ANSWER
        while not self._listens():
            assert self.process.poll() is None, "the next server gave up; see server.log"
            if time.monotonic() > deadline:
                raise TimeoutError("The next server did not get the port.")
            time.sleep(LOOK)

    def _listens(self) -> bool:
        wanted = f":{self.port:04X} "
        for line in Path("/proc/net/tcp").read_text().splitlines():
            words = line.split()
            if len(words) > 9 and f"{words[1]} ".endswith(wanted) and words[3] == "0A":
                return self._holds(words[9])
        return False

    def _holds(self, inode: str) -> bool:
        """Return whether the master itself has this socket, not somebody who was left behind."""
        assert self.process is not None
        folder = Path(f"/proc/{self.process.pid}/fd")
        try:
            return any(str(descriptor.readlink()) == f"socket:[{inode}]" for descriptor in folder.iterdir())
        except OSError:
            return False

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=LONGEST_ANSWER) as connection:
                connection.sendall(b"GET /healthz HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
                return connection.recv(64)[8:12] == b" 200"
        except OSError:
            return False
