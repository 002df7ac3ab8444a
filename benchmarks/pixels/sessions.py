"""Create studies and sessions for every kind of trial, and read what was stored."""

from __future__ import annotations

import csv
import json
import sqlite3
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.pixels.cells import BLANK_MS, FIXATION_MS, Cell, sentences
from tests.browser.platform import ROOT, Platform, wait_until_ready

PLUGIN = {"rt": "magnitude-estimation"}
# What follows a prime, wider than any of them.
TARGET, TARGET_MS = "WWWWWWWWWWWWWWWWWWWWWWWW", 400


@contextmanager
def platform_with_script(folder: Path, *, peer: Path) -> Iterator[Platform]:
    """Serve the platform as it serves participants, with the benchmark's script on the page of sessions."""
    platform = Platform(folder)
    environment = {
        **platform.environment,
        "BENCHMARK_NOTES": str(notes_of(platform)),
        "BENCHMARK_PEER": str(peer),
        "DEBUG": "false",
    }
    platform.server = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", "--config", "config/gunicorn.py", "benchmarks.pixels.served"],
        cwd=ROOT,
        env=environment,
        stdout=(folder / "server.log").open("ab"),
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        wait_until_ready(f"{platform.base_url}/readyz")
        yield platform
    finally:
        platform.stop()


def notes_of(platform: Platform) -> Path:
    """Return the file into which pages tell things."""
    return platform.folder / "notes.jsonl"


def told(platform: Platform, run: str, name: str) -> dict[str, Any] | None:
    """Return what a run has told of something, None where it has not yet."""
    path = notes_of(platform)
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return next((note for line in lines if (note := json.loads(line))["run"] == run and name in note), None)


def create_study(platform: Platform, cell: Cell, *, slug: str) -> None:
    """Create and open the study of one cell. One sentence more than are measured: the first is for warming up."""
    folder = platform.folder / slug
    folder.mkdir()
    with (folder / "materials.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["item", "text", "formulation", *(["prime"] if cell.kind.is_prime else [])])
        for number, text in enumerate(sentences(cell.kind, 1 + cell.sentences)):
            shown = [TARGET, "only", text] if cell.kind.is_prime else [text, "only"]
            writer.writerow([f"item-{number + 1}", *shown])
    if cell.kind.name == "rt":
        paradigm, settings = "magnitude-estimation", "line_length_training = false"
        more = '[modulus]\ntext = "The door was by the porter opened."\n'
    elif cell.kind.is_prime:
        # Nobody answers: the time runs out.
        paradigm, more = "timed-choice", ""
        settings = (
            f"scored = false\nfixation_ms = {FIXATION_MS}\nprime_ms = {cell.kind.display_ms}\n"
            f"deadline_ms = {TARGET_MS}\niti_ms = {BLANK_MS}"
        )
    else:
        paradigm, more = "sentence-recall", ""
        each = cell.kind.display_ms if cell.kind.word_by_word else cell.kind.display_ms // cell.kind.words
        settings = (
            f'presentation = "{"word-by-word" if cell.kind.word_by_word else "whole"}"\nms_per_word = {each}\n'
            f"fixation_ms = {FIXATION_MS}\nblank_ms = {BLANK_MS}\narithmetic_problems = 0"
        )
    (folder / "study.toml").write_text(
        f"""
slug = "{slug}"
title = "Timing"
paradigm = "{paradigm}"
language = "en"
responsible = "Example Language Laboratory"
contact = "language-laboratory@example.org"
data_protection_note = "Deleted at once."
seed = 7
estimated_minutes = 5

[settings]
{settings}
break_every = 0

{more}
[procedure]
completion_code = "DONE"

[materials]
file = "materials.csv"
""",
        encoding="utf-8",
    )
    platform.manage("create_study", str(folder / "study.toml"), "--owner", "researcher", "--open")


def start_address(platform: Platform, *, slug: str, run: str, busy: bool) -> str:
    """Start a session as the landing page does; return the address that hands its cookie to a browser and goes on."""
    study = f"{platform.base_url}/api/studies/{slug}/"
    with urllib.request.urlopen(study, timeout=30) as answer:
        consent = json.load(answer)["consent"]
    given = {"version": consent["version"], "required": [True] * len(consent["required"])}
    body = {"start_key": f"pixels-{run:0>24}", "consent": given}
    request = urllib.request.Request(
        f"{study}sessions/",
        data=json.dumps(body).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        cookie = answer.headers["Set-Cookie"]
    to = f"/s/{slug}/run/?run={run}{'&busy=1' if busy else ''}"
    return f"{platform.base_url}/benchmark/go/?{urllib.parse.urlencode({'cookie': cookie, 'to': to})}"


def peer_address(platform: Platform, cell: Cell, *, run: str) -> str:
    """Return the address of the peer's page for one cell."""
    plan = {
        "kind": "rt" if cell.kind.name == "rt" else "displays",
        "sentences": sentences(cell.kind, 1 + cell.sentences),
        "wordByWord": cell.kind.word_by_word,
        "duration": cell.kind.display_ms,
        "fixation": FIXATION_MS,
        "blank": BLANK_MS,
    }
    query = {"run": run, "plan": json.dumps(plan), **({"busy": "1"} if cell.load == "busy" else {})}
    return f"{platform.base_url}/benchmark/peer/?{urllib.parse.urlencode(query)}"


def stored(platform: Platform, slug: str) -> list[dict[str, Any]]:
    """Return the results of the measured plugin in the order of the trials, as they were stored."""
    with sqlite3.connect(f"file:{platform.folder / 'lectern.sqlite3'}?mode=ro", uri=True) as database:
        database.row_factory = sqlite3.Row
        rows = database.execute(
            """SELECT response.*, trial.params, trial.plugin, trial.position FROM participants_response AS response
               JOIN participants_trial AS trial ON trial.id = response.trial_id
               JOIN participants_session AS session ON session.id = trial.session_id
               JOIN experiments_study AS study ON study.id = session.study_id
               WHERE study.slug = ? AND trial.phase = 'main'
               AND trial.plugin IN ('magnitude-estimation', 'sentence-recall', 'timed-choice')
               ORDER BY trial.position""",
            (slug,),
        ).fetchall()
    return [{**dict(row), "payload": json.loads(row["payload"]), "params": json.loads(row["params"])} for row in rows]


def is_complete(platform: Platform, slug: str) -> bool:
    """Return whether the one session of a study has finished."""
    with sqlite3.connect(f"file:{platform.folder / 'lectern.sqlite3'}?mode=ro", uri=True) as database:
        found = database.execute(
            """SELECT session.status FROM participants_session AS session
               JOIN experiments_study AS study ON study.id = session.study_id WHERE study.slug = ?""",
            (slug,),
        ).fetchone()
    return found is not None and found[0] == "complete"


def wait_for(what: Callable[[], Any], *, seconds: float, saying: str) -> Any:
    """Return the first true value of `what`. Raises TimeoutError with a sentence where there is none in time."""
    deadline = time.monotonic() + seconds
    while not (value := what()):
        if time.monotonic() > deadline:
            raise TimeoutError(saying)
        time.sleep(0.25)
    return value
