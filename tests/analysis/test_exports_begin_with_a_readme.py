"""Every archive says what is in it and holds scripts that read it; both scripts run and show means by condition."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from django.core.management import call_command

from tests.analysis.studies import add_participants, make_study

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["flat", "psych-ds"])
def folder(request, tmp_path) -> Path:
    study = make_study(title="Causes\nand | effects")
    add_participants(study, 4)
    call_command("export_data", study.slug, out=tmp_path, format=request.param, verbosity=0)
    return tmp_path


def trials_in(folder: Path) -> pd.DataFrame:
    (path,) = [
        path for path in folder.rglob("*.csv") if path.stem in {"trials", "study-causes_description-trials_data"}
    ]
    trials = pd.read_csv(path)
    return trials[(trials.phase == "main") & ~trials.is_filler & ~trials.excluded & trials.answered]


def said_by(*command: str, folder: Path) -> str:
    ran = subprocess.run(command, cwd=folder.parent, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_the_script_for_python_shows_means_by_condition(folder):
    said = said_by(sys.executable, str(folder / "start.py"), folder=folder)
    means = trials_in(folder).groupby(["marker", "order"]).rating.mean().round(3)
    assert len(means) == 4
    assert all(f"{mean:g}" in said for mean in means)
    assert f"{len(trials_in(folder))} answered trials of the main part, of 4 participants" in said


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="needs R")
def test_the_script_for_r_shows_the_same_numbers(folder):
    script = "start.R"
    ran = subprocess.run(["Rscript", script], cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    means = trials_in(folder).groupby(["marker", "order"]).rating.mean()
    assert all(f"{mean:.1f}"[:-2] in ran.stdout for mean in means)
    assert f"{len(trials_in(folder))} answered trials of the main part, of 4 participants" in ran.stdout


def test_the_readme_names_every_file_that_is_there(folder):
    readme = (folder / "README.md").read_text(encoding="utf-8")
    assert readme.startswith("# Causes and | effects\n")
    for path in folder.rglob("*"):
        if path.is_file() and path.name != "README.md":
            assert f"`{path.relative_to(folder).as_posix()}`" in readme
