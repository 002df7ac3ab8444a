"""A worker beside a live server: what programs wait for is done while they run."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from analysis.runs.waiting import compute_next
from participants.simulating.tasks import sweep_simulations

PATIENCE_SECONDS = 240


def run_while_working(command: Sequence[str], *, folder: Path, environment: Mapping[str, str]) -> tuple[int, str]:
    """Run a program, do what a worker would do until it ends, and return its code and what it wrote."""
    # Its children belong to its group: one that goes on would hold what it writes to.
    running = subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    )
    said: list[bytes] = []
    reading = threading.Thread(target=lambda: said.append(running.communicate()[0]))
    reading.start()
    over = time.monotonic() + PATIENCE_SECONDS
    while reading.is_alive():
        sweep_simulations()
        compute_next()
        reading.join(0.2)
        if time.monotonic() > over:
            os.killpg(running.pid, signal.SIGKILL)
            reading.join()
    return running.returncode, b"".join(said).decode()
