"""Every archive says what is in it and holds scripts that read it; both scripts run and show means by condition."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from django.core.management import call_command

from analysis.exports.archive import tables_in
from analysis.exports.metadata import dataset_description
from analysis.exports.starting_points import starting_points
from experiments.models import Part, Study
from experiments.paradigms import paradigm_named
from tests import needs
from tests.analysis.studies import add_participants, make_study
from tests.analysis.two_tasks import FIRST, put_a_task_before

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["flat", "psych-ds"])
def folder(request, tmp_path: Path) -> Path:
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


@needs.r
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


def test_the_script_shows_means_of_every_task_in_its_own_rows(tmp_path):
    study = make_study()
    add_participants(study, 4)
    call_command("export_data", put_a_task_before(study).slug, out=tmp_path, verbosity=0)
    said = said_by(sys.executable, str(tmp_path / "start.py"), folder=tmp_path)
    trials = trials_in(tmp_path)
    for task, factors in ((FIRST, ["length"]), ("task", ["marker", "order"])):
        rows = trials[trials.part == task]
        assert f"{task}: {len(rows)} answered trials of the main part, of 4 participants" in said
        means = rows.groupby(factors).rating.mean().round(3)
        assert len(means) == 2 ** len(factors)
        assert all(f"{mean:g}" in said for mean in means)
    readme = " ".join((tmp_path / "README.md").read_text(encoding="utf-8").split())
    assert "The column `part` of the trials says to which part of the study a row belongs" in readme
    assert f"tasks are `{FIRST}`, `task`." in readme
    assert "| `texts_task.csv` | Of the part 'task': " in readme
    script = (tmp_path / "start.R").read_text(encoding="utf-8")
    assert '"task" = list(measure = "rating", factors = c("marker", "order"))' in script


def test_what_was_studied_names_the_paradigms_of_all_tasks():
    study = put_a_task_before(made := make_study())
    alone, both = (dataset_description(each, ())["measurementTechnique"] for each in (made, study))
    assert alone == both == "Magnitude estimation of acceptability"
    Part.objects.filter(study=study, name="task").update(paradigm="self-paced-reading")
    described = dataset_description(Study.objects.get(pk=study.pk), ())
    wanted = f"{alone}, {paradigm_named('self-paced-reading').label}"
    assert described["measurementTechnique"] == wanted
    assert described["description"].endswith(f"({wanted}).")


def test_simulated_rows_are_left_out_of_the_means_where_people_took_part(tmp_path):
    study = make_study()
    add_participants(study, 4)
    add_participants(study, 2, first=4, simulated=True)
    call_command("export_data", study.slug, out=tmp_path, verbosity=0)
    said = said_by(sys.executable, str(tmp_path / "start.py"), folder=tmp_path)
    simulated = int(pd.read_csv(tmp_path / "trials.csv").simulated.sum())
    assert f"{simulated} simulated rows of trials are left out" in said
    assert "answered trials of the main part, of 4 participants" in said
    if shutil.which("Rscript"):
        ran = subprocess.run(["Rscript", "start.R"], cwd=tmp_path, capture_output=True, text=True, check=True)
        assert f"{simulated} simulated rows of trials are left out" in ran.stdout
        assert "answered trials of the main part, of 4 participants" in ran.stdout


@pytest.mark.parametrize(
    ("paradigm", "settings", "measure"),
    [("comparison", {}, ""), ("self-paced-reading", {}, ""), ("magnitude-estimation", {}, "rating")],
)
def test_means_are_shown_of_what_the_paradigm_suggests_to_analyse_and_of_nothing_else(paradigm, settings, measure):
    study = make_study()
    study.paradigm, study.settings = paradigm, settings
    study.save()
    files = dict(starting_points(study, tables_in(study, "flat")))
    assert f'MEASURE = "{measure}"\n' in files["start.py"].decode()
