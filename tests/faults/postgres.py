"""A PostgreSQL of a drill's own, which may be killed and stopped."""

from __future__ import annotations

import os
import pwd
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import psycopg

from benchmarks.needs import postgresql
from tests.browser.platform import free_port


class Cluster:
    """A database server with its data in `folder`, a child of this process. Root runs it as `postgres`."""

    def __init__(self, folder: Path) -> None:
        self.data = folder / "data"
        self.log = folder / "log"
        self.port = free_port()
        self.url = f"postgres://lectern@127.0.0.1:{self.port}/postgres"
        self.account: dict[str, Any] = {}
        self.process: subprocess.Popen[bytes] | None = None
        if os.geteuid() == 0:
            entry = pwd.getpwnam("postgres")
            self.account = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
            os.chown(folder, entry.pw_uid, entry.pw_gid)
            for parent in folder.parents:
                # `postgres` has to reach its folder; nothing more than the way there is opened to it.
                if not parent.stat().st_mode & 0o001:
                    parent.chmod(parent.stat().st_mode | 0o001)
        initialise = self.launch(
            "initdb", "-D", str(self.data), "-U", "lectern", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"
        )
        assert initialise.wait() == 0, self.log.read_text()

    def launch(self, program: str, *arguments: str) -> subprocess.Popen[bytes]:
        folder = postgresql()
        assert folder is not None
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [str(folder / program), *arguments], stdout=log, stderr=log, cwd=self.log.parent,
                start_new_session=True, **self.account,
            )  # fmt: skip

    def start(self) -> None:
        self.process = self.launch(
            "postgres", "-D", str(self.data), "-p", str(self.port), "-c", "listen_addresses=127.0.0.1",
            "-c", "unix_socket_directories=", "-c", "max_connections=60",
        )  # fmt: skip
        deadline = time.monotonic() + 60
        while True:
            assert self.process.poll() is None, self.log.read_text()
            try:
                psycopg.connect(self.url, connect_timeout=5).close()
            except psycopg.OperationalError:
                assert time.monotonic() < deadline, self.log.read_text()
                time.sleep(0.1)
            else:
                return

    def stop(self) -> None:
        """Stop it in an orderly way, as an administrator would, whoever is connected."""
        assert self.process is not None
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(timeout=60) == 0

    def kill(self) -> None:
        """Kill every process of this server, and of no other."""
        assert self.process is not None
        assert self.process.poll() is None
        postmaster = self.process.pid
        # Halted, it starts nobody who would be missed.
        os.kill(postmaster, signal.SIGSTOP)
        children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
        for process in (postmaster, *map(int, children)):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                continue
        assert self.process.wait(timeout=60) == -signal.SIGKILL

    def remove(self) -> None:
        """End it for good."""
        if self.process is not None and self.process.poll() is None:
            self.kill()
