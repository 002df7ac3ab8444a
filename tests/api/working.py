"""A worker beside a live server: what programs wait for is done while they run."""

from __future__ import annotations

import subprocess
import threading
import time

from analysis.runs.waiting import compute_next
from participants.simulating.tasks import sweep_simulations

PATIENCE_SECONDS = 240


def said_while_working(running: subprocess.Popen[bytes]) -> str:
    """Do what a worker would do until a process ends, and return what it wrote."""
    said: list[bytes] = []
    reading = threading.Thread(target=lambda: said.append(running.communicate()[0]))
    reading.start()
    over = time.monotonic() + PATIENCE_SECONDS
    while reading.is_alive():
        sweep_simulations()
        compute_next()
        reading.join(0.2)
        if time.monotonic() > over:
            running.kill()
    return b"".join(said).decode()
