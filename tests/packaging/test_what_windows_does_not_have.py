"""Nothing that is loaded needs what Unix alone has. Windows is not at hand: its modules are taken away instead."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

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
    import analysis.runs.child, experiments.materials.reading_child, config.server
    import analysis.management.commands.demo, analysis.management.commands.run
    import analysis.runs.isolation, analysis.runs.worker
    sys.platform = system
    print(analysis.runs.isolation._context.get_start_method())
    print((Path(os.environ["VAR_DIR"]) / "writers.lock").is_file())
    print(took.count(2) > 0, took.count(2) == took.count(0))
"""


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
