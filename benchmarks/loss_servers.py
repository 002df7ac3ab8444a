"""Servers of `benchmarks.loss`: Lectern as deployed, and the minimal endpoint, with the same kills and full disks."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Protocol

from tests.browser.platform import ROOT, wait_until_ready
from tests.faults.supervised import Recovery, Supervised

# One page of instructions and the modulus come before the items.
OTHER_TRIALS = 2
A_STUDY = """
from tests.participants.studies import open_study
open_study({slug!r}, items={items}, fillers=0, settings={{"break_every": 0}})
"""


class Served(Protocol):
    """What the benchmark asks of a server."""

    port: int

    def start(self) -> None: ...
    def kill(self, kind: str) -> Recovery: ...
    def fill_disk(self) -> None: ...
    def clear_disk(self) -> None: ...
    def stop(self) -> None: ...
    def end(self) -> None: ...
    def stored_answers(self) -> list[tuple[str, str]]: ...


class LecternServer(Supervised):
    """Lectern with one open study on SQLite."""

    def __init__(self, folder: Path, *, slug: str, trials: int) -> None:
        super().__init__(folder, slug=slug, data=A_STUDY.format(slug=slug, items=trials - OTHER_TRIALS))

    def fill_disk(self) -> None:
        """Let no file grow any more, as on a full disk; what is there can be read and written over."""
        self._limit(0)

    def clear_disk(self) -> None:
        self._limit(resource.RLIM_INFINITY)

    def stored_answers(self) -> list[tuple[str, str]]:
        """Return who answered which trial, and the hash, as often as it is stored."""
        return [(f"{key} {position}", digest) for key, position, digest in self.stored()]

    def _limit(self, size: int) -> None:
        for process in self.web_processes():
            try:
                resource.prlimit(process, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
            except ProcessLookupError:
                continue


class PeerServer(LecternServer):
    """The bare endpoint in the same web server."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, slug="peer", trials=OTHER_TRIALS + 2)
        # No embedded worker: there is nothing to compute.
        self.environment["CELERY_BROKER_URL"] = "redis://127.0.0.1:1/0"

    def start(self) -> None:
        self._launch()
        wait_until_ready(f"http://127.0.0.1:{self.port}/")

    def stored_answers(self) -> list[tuple[str, str]]:
        code = "from benchmarks.loss_peer import stored\nfor name in stored(): print(name)"
        return [(line, "") for line in self.run("-c", code).splitlines()]

    def _launch(self) -> None:
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "gunicorn", "--config", "config/gunicorn.py", "benchmarks.loss_peer"],
                cwd=ROOT, env={**os.environ, **self.environment}, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
