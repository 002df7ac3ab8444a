"""A laboratory's database of the version before: migrated in place, sound, and half-done sessions go on."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser.platform import ROOT

pytestmark = [
    pytest.mark.full("data that a migration loses; .ci/run runs it when a migration, a model or a backup changed"),
    pytest.mark.slow,
]

BEFORE = Path(__file__).parent / "version_0_1.sql"
SECRET_KEY = "the-secret-key-of-a-laboratory"


def run(environment: dict[str, str], *command: str) -> str:
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False,
        env={**os.environ, "SECRET_KEY": SECRET_KEY, **environment},
    )  # fmt: skip
    assert done.returncode == 0, f"{command}: {done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture
def embedded(tmp_path: Path) -> dict[str, str]:
    """The database file of the version before, as the embedded platform finds it after an upgrade."""
    with sqlite3.connect(tmp_path / "lectern.sqlite3") as database:
        database.executescript(BEFORE.read_text(encoding="utf-8"))
    return {"VAR_DIR": str(tmp_path), "DATABASE_URL": f"sqlite:///{tmp_path}/lectern.sqlite3"}


def code_before() -> str:
    """Return the withdrawal code of somebody who had finished, as it was shown to them by the version before."""
    rows = re.findall(r'INSERT INTO "participants_participant" VALUES\((.*)\);', BEFORE.read_text(encoding="utf-8"))
    codes = re.findall(r"(?:[A-Z2-7]{4}-){6}[A-Z2-7]{2}", "\n".join(rows))
    assert len(codes) == 4
    return str(codes[1])


def test_half_done_sessions_go_on_after_the_upgrade(embedded: dict[str, str]) -> None:
    run(embedded, "manage.py", "migrate", "--verbosity", "0")
    run(embedded, "manage.py", "check_data", "acceptability")
    got = json.loads(run(embedded, "-m", "tests.upgrade.take_up", "acceptability", code_before()))
    assert got == {
        "recovered": 200, "answered": 200, "again": 200, "complete": True, "withdrawal": 204,
    }  # fmt: skip
    assert "FAIL" not in run(embedded, "manage.py", "check_data", "acceptability")


def test_nothing_that_was_there_is_lost_by_the_migrations(embedded: dict[str, str]) -> None:
    def counts() -> dict[str, int]:
        with sqlite3.connect(embedded["DATABASE_URL"].removeprefix("sqlite:///")) as database:
            return {
                name: database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]
                for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
                if name.startswith(("participants_", "experiments_", "analysis_", "auth_user"))
            }

    before = counts()
    assert before["participants_response"] > 20
    assert before["participants_intakeproblem"] == before["participants_recruitmentidentity"] == 1
    run(embedded, "manage.py", "migrate", "--verbosity", "0")
    after = counts()
    assert {name: after[name] for name in before} == before
