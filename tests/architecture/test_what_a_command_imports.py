"""Models and short commands load neither pandas nor Celery nor REST framework; the server loads what it needs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAVY = {"pandas", "numpy", "celery", "kombu", "rest_framework.serializers"}
SETUP = "import django; django.setup(); "
SAYING = "import atexit, sys; atexit.register(lambda: sys.stderr.write(' '.join(['', 'LOADED', *sys.modules]))); "
WITH_BROKER = {"CELERY_BROKER_URL": "redis://127.0.0.1:9/0"}


def loaded_by(code: str, **environment: str) -> set[str]:
    """Return the modules that a fresh process of Python has at its end; it must end well."""
    given = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", **environment}
    done = subprocess.run(
        [sys.executable, "-c", SAYING + code], cwd=ROOT, env=given, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return set(done.stderr.rpartition(" LOADED ")[2].split())


def command(*arguments: str) -> str:
    return f"from config.command import carry_out; carry_out({['manage.py', *arguments]!r})"


@pytest.mark.parametrize("app", ["experiments", "participants", "analysis"])
def test_models_load_none_of_them(app: str, tmp_path: Path) -> None:
    modules = loaded_by(f"{SETUP}import {app}.models", VAR_DIR=str(tmp_path))
    assert f"{app}.models" in modules
    assert modules & HEAVY == set()


@pytest.mark.parametrize("broker", [{}, WITH_BROKER], ids=["embedded", "broker"])
@pytest.mark.parametrize("name", ["version", "--help"])
def test_short_commands_load_none_of_them(name: str, broker: dict[str, str], tmp_path: Path) -> None:
    modules = loaded_by(command(name), VAR_DIR=str(tmp_path), **broker)
    assert "analysis.models" in modules
    assert modules & HEAVY == set()


def test_the_list_of_methods_loads_them_once(tmp_path: Path) -> None:
    first, second = (loaded_by(command("analyse", "--list"), VAR_DIR=str(tmp_path)) for _ in range(2))
    assert "pandas" in first
    assert second & HEAVY == set()


def test_the_server_has_loaded_what_a_first_request_needs(tmp_path: Path) -> None:
    modules = loaded_by("import config.wsgi", VAR_DIR=str(tmp_path))
    assert {"experiments.paradigms.maze.paradigm", "rest_framework.serializers", "pandas", "unfold.admin"} <= modules
    assert "celery" not in modules


def test_the_server_has_loaded_celery_where_there_is_a_broker(tmp_path: Path) -> None:
    assert {"celery", "config.celery"} <= loaded_by("import config.wsgi", VAR_DIR=str(tmp_path), **WITH_BROKER)
