"""gunicorn configuration: `gunicorn --config config/gunicorn.py config.wsgi`.

By default it is one process with threads, which suits SQLite, and one child, `manage.py worker`, which computes
analyses. With CELERY_BROKER_URL set, workers run elsewhere and no child is started.
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent.parent
EMBEDDED = (os.environ.get("CELERY_BROKER_URL") or "memory://").startswith("memory://")

bind = f"{os.environ.get('HOST', '127.0.0.1')}:{os.environ.get('PORT', '8000')}"
workers = int(os.environ.get("WEB_CONCURRENCY", "1"))
worker_class = "config.connections.Worker"
# Twelve in all, however many processes: a class that starts at once on two with twelve each waits a quarter longer.
threads = int(os.environ.get("WEB_THREADS", max(4, 12 // workers)))
timeout = 120
graceful_timeout = 15
keepalive = 75
# No access log, because participants' addresses must not be stored.
accesslog = None
errorlog = "-"
loglevel = os.environ.get("LOG_LEVEL", "info").lower()
chdir = str(FOLDER)
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - gunicorn's own heartbeat file

# It would be in the home folder of the user who starts the server.
control_socket_disable = True

RESTART_SECONDS = 2.0
SILENT_SECONDS = 60
LOOKING_SECONDS = 0.2
_PR_SET_PDEATHSIG = 1


class EmbeddedWorker:
    """Start `manage.py worker`, and restart it whenever it ends, until told to stop."""

    def __init__(self) -> None:
        self.stopping = threading.Event()
        self.process: subprocess.Popen[bytes] | None = None
        self.thread = threading.Thread(target=self._keep_alive, name="embedded-worker", daemon=True)

    def start(self) -> None:
        self.thread.start()

    def stop(self) -> None:
        """Stop the child; what it was computing goes back to the queue."""
        self.stopping.set()
        if self.process is not None:
            self.process.terminate()
            try:
                self.process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self.process.kill()

    def _keep_alive(self) -> None:
        while not self.stopping.is_set():
            command = [sys.executable, "manage.py", "worker", "--parent", str(os.getpid())]
            self.process = subprocess.Popen(command, cwd=FOLDER)  # noqa: S603 - our own command
            self.process.wait()
            self.stopping.wait(RESTART_SECONDS)


_embedded = EmbeddedWorker()


def when_ready(server: Any) -> None:
    """Accept connections only once data arrive (deferred accept, on Linux), and start the embedded worker.

    Browsers open idle connections in advance, each of which would hold a thread for five seconds.
    """
    for listener in server.LISTENERS:
        if hasattr(socket, "TCP_DEFER_ACCEPT") and listener.sock.family in (socket.AF_INET, socket.AF_INET6):
            listener.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, SILENT_SECONDS)
    if EMBEDDED:
        _embedded.start()


def post_fork(server: Any, worker: Any) -> None:
    """Terminate a web process immediately when its master dies.

    Otherwise it would continue for seconds, using the port and the database of the next server. Results not yet stored
    are sent again; acknowledged ones are committed.
    """
    master = worker.ppid
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    else:
        threading.Thread(target=_die_with, args=(master,), name="watches-master", daemon=True).start()
    if os.getppid() != master:  # it died before it could be watched
        os.kill(os.getpid(), signal.SIGKILL)


def _die_with(master: int) -> None:
    while os.getppid() == master:
        time.sleep(LOOKING_SECONDS)
    os.kill(os.getpid(), signal.SIGKILL)


def post_worker_init(worker: Any) -> None:
    """Log a warning if this SQLite can lose committed data."""
    from config.sqlite.checks import sqlite_keeps_what_it_commits

    for warning in sqlite_keeps_what_it_commits():
        worker.log.warning(warning.msg)


def on_exit(server: Any) -> None:
    """Stop the embedded worker."""
    if EMBEDDED:
        _embedded.stop()
