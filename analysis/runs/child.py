"""Child process of `analysis.runs.isolation`: compute one run or part, and send progress and the outcome.

Importing this module loads what every analysis needs; the fork server imports it once, before it forks.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from importlib import import_module
from multiprocessing.connection import Connection

from experiments.loading import loading

if sys.platform != "win32":
    import resource

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# One analysis uses one core; the others belong to the participants.
for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")
with loading():
    import django

    django.setup()

    from analysis.methods import registry
    from analysis.runs import life, looks, parts, tables  # noqa: F401 - what is claimed comes from there
    from analysis.runs.claims import Claim

    # Loaded once here, so that no child loads them again: every method, and what methods load when they are run.
    registry.analyses()
    for library in ("scipy.linalg", "scipy.optimize", "scipy.sparse", "scipy.special", "scipy.stats"):
        import_module(library)

PROGRESS_SECONDS = 0.3


def compute_and_send(claimed: Claim, worker: Connection, memory_limit: int) -> None:
    """Compute what was claimed within `memory_limit` MB; send progress and note as it goes, the outcome at the end."""
    # The keyboard interrupts every process of a terminal; what becomes of this one is the worker's to say.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with, args=(worker,), daemon=True).start()
    if sys.platform != "win32":  # there the limit on time is the only one
        resource.setrlimit(resource.RLIMIT_AS, (memory_limit * 1024**2,) * 2)
    last = 0.0

    def send_progress(share: float, note: str) -> None:
        nonlocal last
        if time.monotonic() - last >= PROGRESS_SECONDS:
            last = time.monotonic()
            worker.send({"progress": share, "note": note})

    worker.send(claimed.compute(send_progress))


def _die_with(worker: Connection) -> None:
    """End at once when the worker is gone: what it claimed will be claimed by another, and two must not compute it."""
    try:
        worker.recv()
    except (EOFError, OSError):
        os._exit(1)
