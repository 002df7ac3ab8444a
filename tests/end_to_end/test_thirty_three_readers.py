"""33 virtual readers of the example study over HTTP: every suggested analysis, tables in the shape of Zarrieß, Loth &
Schlangen (2015), and the same numbers from the export."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from analysis.models import AnalysisRun
from analysis.studies.asking import request_run
from analysis.views.asking import suggestions
from experiments.models import Study
from participants.simulation import simulate
from tests.analysis.computed import execute

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "experiments" / "examples" / "mouse-reading" / "study.toml"
SLUG = "mouse-reading"
SETS = ["Ratings", "Text times", "All times", "Combined"]

pytestmark = [
    pytest.mark.full("a report that is wrong at the size of the published study alone"),
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
]


def rows_of(report: dict[str, Any], table: str) -> list[dict[str, Any]]:
    found = next(each for each in report["tables"] if each["name"] == table)
    names = [column["name"] for column in found["columns"]]
    return [dict(zip(names, row, strict=True)) for row in found["rows"]]


def exported(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def as_option(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(value) if isinstance(value, list) else str(value)


def run_all(study: Study) -> list[AnalysisRun]:
    runs = []
    for suggestion in suggestions(study):
        # Three folds instead of ten: what is compared is who computes, and a fold is like another.
        params = dict(suggestion.params) | ({"folds": 3} if suggestion.method == "logistic" else {})
        run = request_run(study, method=suggestion.method, params=params, user=None, table=suggestion.table)
        execute(run.pk)
        run.refresh_from_db()
        assert run.status == AnalysisRun.Status.DONE, (suggestion, run.error)
        runs.append(run)
    return runs


def test_the_report_of_33_readers_has_the_tables_of_the_paper_and_equals_analyse_on_the_export(tmp_path: Path) -> None:
    call_command("create_study", str(EXAMPLE), "--open")
    study = Study.objects.get(slug=SLUG)
    simulate(study, participants=33, seed=3)
    call_command("check_data", SLUG)
    call_command("export_data", SLUG, "--out", str(tmp_path / "export"))

    trials = [row for row in exported(tmp_path / "export", "trials") if row["phase"] == "main" and row["item"]]
    assert len(trials) == 33 * 16
    assert Counter(row["condition"] for row in trials) == {"gold": 132, "lin": 132, "sem": 132, "": 132}
    assert {row["words"] for row in trials if row["item"] == "bakery" and row["version"] == "gold"} == {"39"}
    visits = exported(tmp_path / "export", "visits")
    read = [row for row in visits if row["phase"] == "main" and row["shown"] == "true"]
    assert {row["aoi"] for row in read} == {"1", "2", "3"}
    assert sum(float(row["leave_ms"]) - float(row["enter_ms"]) for row in read) == pytest.approx(
        sum(float(row["total_time"]) for row in trials)
    )

    runs = run_all(study)
    # Mixed models are suggested first, and companions of the questions last.
    assert [run.method for run in runs[:6]] == ["lmm", "lmm", "lmm", "reading", "condition-means", "logistic"]
    assert {run.method for run in runs[6:]} == {"rm-anova", "min-f", "tukey"}
    runs = [*runs[3:6], *runs[:3], *runs[6:]]
    for number, run in enumerate(runs):
        given = [f"{name}={as_option(value)}" for name, value in run.params.items() if value not in (None, [], "")]
        out = tmp_path / str(number)
        data = tmp_path / "export" / f"{run.table}.csv"
        call_command("analyse", run.method, "--data", str(data), "--out", str(out), "--set", *given)
        assert (out / "report.json").read_text(encoding="utf-8") == run.report, run.method

    reports = [json.loads(run.report) for run in runs]
    means = {row["measure"]: row for row in rows_of(reports[1], "means")}
    assert len(rows_of(reports[2], "ladder")) == 3 * len(SETS)
    fluency = [means["z(fluency)"][f"mean_{condition}"] for condition in ("gold", "lin", "sem", "filler")]
    assert fluency == sorted(fluency, reverse=True)
    assert sum(fluency) == pytest.approx(0, abs=1e-9)
    assert means["z(pace)"]["mean_sem"] > means["z(pace)"]["mean_gold"]
    assert means["z2(pace_1)"]["mean_filler"] == pytest.approx(0, abs=1e-9)

    ladder = rows_of(reports[2], "ladder")
    assert [(row["model"], row["set"]) for row in ladder] == [
        (model, name) for model in ("filler", "sem", "lin") for name in SETS
    ]
    # A text of which one sentence was never uncovered has no time for it and is in no model.
    whole = [row["condition"] or "filler" for row in trials if row["areas_visited"] == "3"]
    asked = [("filler", "sem", "lin", "gold"), ("sem", "lin", "gold"), ("lin", "gold")]
    counts = [[whole.count(level) for level in levels] for levels in asked]
    assert [row["n"] for row in ladder[::4]] == [sum(found) for found in counts]
    assert [row["baseline"] for row in ladder[::4]] == pytest.approx(
        [max(first, sum(rest)) / (first + sum(rest)) for first, *rest in counts]
    )
    assert {"term", "b_filler", "b_sem", "b_lin"} == set(rows_of(reports[2], "final")[0])
    lengths = [row for row in rows_of(reports[2], "baselines") if row["predictor"] == "length in words"]
    assert len(lengths) == 3

    turned = {row["term"]: row for row in rows_of(reports[3], "fixed")}
    assert turned["versionsem"]["estimate"] > 0
