"""The scripts of docs/clients.md, from a table of sentences to a report, run against a live platform."""

from __future__ import annotations

import csv
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from experiments.models import Study
from tests.api.clients.conftest import CLIENT, ROOT
from tests.api.conftest import Program, content_of, token_of
from tests.api.working import run_while_working

PAGE = (ROOT / "docs" / "clients.md").read_text(encoding="utf-8")
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def block(language: str, number: int = 0) -> str:
    return str(re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)[number])


def run(command: list[str], folder: Path, server: str, owner: Any, **environment: str) -> str:
    (folder / "sentences.csv").write_text(block("csv"), encoding="utf-8")
    told = {**os.environ, "LECTERN_URL": server, "LECTERN_TOKEN": token_of(owner), **environment}
    code, said = run_while_working(command, folder=folder, environment=told)
    assert code == 0, said[-4000:]
    return said


def is_done(slug: str, folder: Path, said: str) -> None:
    study = Study.objects.get(slug=slug)
    assert study.status == "open"
    with (folder / "trials.csv").open(encoding="utf-8", newline="") as file:
        assert len({row["participant"] for row in csv.DictReader(file)}) == 12
    assert re.search(r"F1\(1, 11\) = \d+\.\d\d, p ", said), said
    assert "df1" in said
    given = content_of(Program(token_of(study.owner)).get(f"studies/{slug}/exports/trials.csv"))
    assert (folder / "trials.csv").read_bytes() == given


def test_python(live_server: Any, owner: Any, tmp_path: Path) -> None:
    script = block("python")
    assert len(script.replace("\n\n", "\n").strip().splitlines()) <= 25
    said = run([sys.executable, "-c", script], tmp_path, live_server.url, owner, PYTHONPATH=str(CLIENT))
    is_done("sentences-from-python", tmp_path, said)


def test_r(live_server: Any, owner: Any, tmp_path: Path, rscript: str) -> None:
    script = block("r", 1)
    assert len(script.replace("\n\n", "\n").strip().splitlines()) <= 25
    said = run([rscript, "-e", block("r") + script], tmp_path, live_server.url, owner)
    is_done("sentences-from-r", tmp_path, said)
