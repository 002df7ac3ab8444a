"""What the platform says and does when it starts: the level of its log, and which SQLite it runs on."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from django.db.backends.sqlite3.base import DatabaseWrapper

from config.sqlite.checks import sqlite_keeps_what_it_commits
from config.sqlite.library import has_fix
from tests import needs
from tests.browser.platform import ROOT
from tests.selection import only_in_full


@pytest.mark.parametrize(
    "level", ["Error", *(only_in_full("a level of the log that is refused", level) for level in ("warning", "DEBUG"))]
)
def test_the_level_of_the_log_may_be_written_in_any_case(level: str, tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "LOG_LEVEL": level,
        "VAR_DIR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    code = "import django, logging; django.setup(); print(logging.getLevelName(logging.root.level))"
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split() == [level.upper()]


@needs.only_sqlite
@needs.python_package("pysqlite3")
def test_the_whole_process_uses_the_sqlite_that_keeps_what_it_commits() -> None:
    import sqlite3

    assert has_fix(DatabaseWrapper.Database.sqlite_version_info)
    assert sqlite3.sqlite_version == DatabaseWrapper.Database.sqlite_version
    with closing(DatabaseWrapper.Database.connect(":memory:")) as own:
        assert own.execute("SELECT sqlite_version()").fetchone()[0] == sqlite3.sqlite_version
    assert sqlite_keeps_what_it_commits() == []


@needs.only_sqlite
def test_a_sqlite_that_can_lose_a_commit_is_named_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DatabaseWrapper.Database, "sqlite_version_info", (3, 40, 1))
    (warning,) = sqlite_keeps_what_it_commits()
    assert "SQLite 3.40.1 can lose what was committed" in warning.msg
    assert "pysqlite3" in warning.msg
