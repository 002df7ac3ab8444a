"""The benchmark of published mixed models fits the data that are in its folder, and says where there are none."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchmarks.__main__ import ROOT

pytestmark = pytest.mark.slow


def run(*options: str) -> str:
    command = [sys.executable, "-m", "benchmarks", "published", "--", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.full("a benchmark of published models that no longer runs")
def test_the_table_has_a_row_for_the_data_that_are_there(tmp_path: Path) -> None:
    random = np.random.default_rng(7)
    subject, item = np.repeat(np.arange(12), 8), np.tile(np.arange(8), 12)
    frame = pd.DataFrame({"subj": subject, "item": item, "cond": np.where((subject + item) % 2, "C", "E")})
    frame["tlatTrunc"] = 900 + 60 * random.normal(size=12)[subject] + 90 * random.normal(size=96)
    frame.to_csv(tmp_path / "kbbb.csv", index=False)

    run("--data", str(tmp_path), "--results", str(tmp_path / "results"))

    rows = [line for line in (tmp_path / "results" / "published.md").read_text().splitlines() if "kbbb" in line]
    assert len(rows) == 1
    cells = [cell.strip() for cell in rows[0].strip("|").split("|")]
    assert cells[:3] == ["kbbb", "96", "9"]
    if shutil.which("Rscript") is not None and cells[6] != "–":
        assert abs(float(cells[3]) - float(cells[6])) < 1e-3


def test_without_data_it_says_what_to_name() -> None:
    assert "--data FOLDER" in run()
