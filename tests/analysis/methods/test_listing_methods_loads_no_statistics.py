"""Who lists the methods, or serves a page, does not wait for what computes numbers or reads workbooks."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
LATER = ("statsmodels", "scipy.stats", "scipy.optimize", "sklearn", "openpyxl", "lxml", "matplotlib")
LISTING = f"""
import contextlib, io, sys
import django
from django.core.management import call_command
django.setup()
with contextlib.redirect_stdout(io.StringIO()) as said:
    call_command("analyse", list=True)
assert "rm-anova" in said.getvalue()
import config.urls, config.wsgi
print(*[name for name in {LATER!r} if name in sys.modules])
"""


def test_listing_methods_and_starting_to_serve_load_no_statistics() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LISTING],
        cwd=ROOT,
        env={"DJANGO_SETTINGS_MODULE": "config.settings", "PATH": "", "LOG_LEVEL": "WARNING"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []
