"""Nothing that is loaded needs what Unix alone has. Windows is not at hand: its modules are taken away instead."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
import requests

from experiments.file_locks import try_lock
from tests import needs
from tests.packaging.serving import STARTING_SECONDS, first_answer, free_port, held_by_a_worker

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
# Libraries that look for modules of Windows where they believe to be there are loaded before.
WITHOUT = """
    import asyncio, multiprocessing, os, subprocess, sys, types
    from pathlib import Path
    import celery.apps.worker, numpy, pandas, psycopg, scipy.linalg, scipy.optimize, scipy.sparse, scipy.special
    import scipy.stats, statsmodels.api

    took = []
    stand_in = types.ModuleType("msvcrt")
    stand_in.LK_NBLCK, stand_in.LK_UNLCK = 2, 0
    stand_in.locking = lambda descriptor, mode, count: took.append(mode)
    sys.modules["msvcrt"] = stand_in
    for name in ("fcntl", "resource", "pwd", "grp", "termios", "gunicorn"):
        sys.modules[name] = None
    for name in ("register_at_fork", "fork", "O_CLOEXEC", "getuid", "geteuid"):
        delattr(os, name)
    os.O_NOINHERIT = 0
    multiprocessing.get_all_start_methods = lambda: ["spawn"]
    system = sys.platform
"""
LOADED = """
    sys.platform = "win32"
    import experiments.file_locks
    sys.platform = system
    import django
    django.setup()
    from django.core.management import call_command
    call_command("migrate", verbosity=0)
    sys.platform = "win32"
    import analysis.runs.child, experiments.uploads.child, config.server
    import analysis.management.commands.demo, config.accounts.management.commands.run
    import analysis.runs.isolation, analysis.management.commands.worker
    sys.platform = system
    print(analysis.runs.isolation._context.get_start_method())
    print((Path(os.environ["VAR_DIR"]) / "writers.lock").is_file())
    print(took.count(2) > 0, took.count(2) == took.count(0))
"""


@pytest.mark.full("a module that Windows does not have and that is imported all the same")
def test_the_platform_loads_and_writes_to_its_database_with_what_windows_has(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(WITHOUT) + textwrap.dedent(LOADED)],
        cwd=ROOT,
        env={"VAR_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings", "LOG_LEVEL": "ERROR"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.split() == ["spawn", "True", "True", "True"]


@pytest.mark.full("a server of Windows that leaves its worker behind")
@needs.python_package("waitress")
def test_waitress_serves_with_a_worker_that_ends_with_it(tmp_path: Path) -> None:
    port = free_port()
    environment = {**os.environ, "VAR_DIR": str(tmp_path), "PORT": str(port), "HOST": "127.0.0.1"}
    environment = {
        name: value for name, value in environment.items() if name not in ("DATABASE_URL", "CELERY_BROKER_URL")
    }
    subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], cwd=ROOT, env=environment, check=True)
    output = tmp_path / "output.txt"
    with output.open("wb") as file:
        server = subprocess.Popen(
            [sys.executable, "-c", "from config.server import serve_with_waitress; serve_with_waitress()"],
            cwd=ROOT, env=environment, stdout=file, stderr=subprocess.STDOUT,
        )  # fmt: skip
    try:
        assert first_answer(f"http://127.0.0.1:{port}/healthz", server, output).ok
        assert requests.get(f"http://127.0.0.1:{port}/readyz", timeout=60).ok
        assert held_by_a_worker(tmp_path / "worker.lock", server, output)
    finally:
        server.kill()  # Windows ends processes in no other way
        server.wait(timeout=60)
    deadline = time.monotonic() + STARTING_SECONDS
    with (tmp_path / "worker.lock").open("a+b") as lock:
        while not try_lock(lock.fileno()):
            assert time.monotonic() < deadline, "the worker outlives its server"
            time.sleep(0.2)
