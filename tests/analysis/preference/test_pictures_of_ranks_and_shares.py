"""The first picture of rankings, best–worst choices and answers of several categories: means and shares of people."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis.data.frames import study_data
from analysis.methods.t_intervals import resampled
from analysis.studies import picture
from analysis.studies.picture import MainMeasure
from analysis.views.asking import suggestions
from experiments.models import Study
from experiments.study.lifecycle import open_study
from experiments.study_files import create_from_toml
from participants.simulation import simulate
from tests.analysis.studies import add_participants, make_study
from tests.analysis.views.test_analysis_pages import person
from tests.browser.example_studies import write_example


def test_resampled_intervals_are_those_of_the_closed_form() -> None:
    """The mean of n draws has the standard deviation of the values over √n, and of many it is normal."""
    values = np.random.default_rng(7).binomial(8, 0.6, size=400) / 8
    low, high = resampled(values, 0.95)
    half = stats.norm.ppf(0.975) * values.std() / np.sqrt(len(values))
    assert (low, high) == pytest.approx((values.mean() - half, values.mean() + half), abs=0.03 * half)


def test_resampled_shares_of_yes_and_no_have_binomial_ends_and_stay_between_0_and_1() -> None:
    values = np.array([1.0] * 18 + [0.0] * 2)
    low, high = resampled(values, 0.95)
    assert (low, high) == pytest.approx(tuple(stats.binom.ppf([0.025, 0.975], 20, 0.9) / 20), abs=0.051)
    assert 0 <= low < 0.9 < high <= 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("task", "column"), [("ranking", "rank"), ("best-worst", "best")])
def test_ranks_and_best_texts_are_those_of_the_exported_table(tmp_path: Path, task: str, column: str) -> None:
    path = write_example(
        tmp_path, slug="compared", name="simplified-sentences", changes={"task": f'"{task}"', "no_difference": "false"}
    )
    table = tmp_path / "materials.csv"
    # Its fillers are compared with one other text.
    rows = pd.read_csv(table, dtype=str, keep_default_na=False)
    rows[rows["against"] == ""].to_csv(table, index=False)
    owner = person("owner")
    study = open_study(create_from_toml(path, user=owner), owner)
    assert simulate(study, participants=6, seed=3).finished == 6
    study = Study.objects.get(pk=study.pk)
    measure = picture.main_measure(study, suggestions(study))
    assert measure is not None
    assert (measure.table, measure.column, measure.factors) == ("options", column, ("system",))
    picture.fill(study, measure)
    report = picture.report_of(study, measure)
    rows = report.table("means").frame().set_index("x")
    options = study_data(study, table="options").frame
    kept = options[(options["excluded"] == "false") & (options["phase"] == "main") & (options["is_filler"] == "false")]
    numbers = pd.to_numeric(kept[column].replace({"true": 1, "false": 0}))
    people = kept.assign(value=numbers).groupby(["system", "participant"])["value"].mean()
    assert rows["mean"].to_dict() == pytest.approx(people.groupby("system").mean().to_dict())
    for system in map(str, rows.index):
        bounds = (rows["low"][system], rows["high"][system])
        assert bounds == pytest.approx(resampled(people.loc[system].to_numpy(), 0.95))
    assert re.search("rank" if task == "ranking" else "best", report.figures[0].y_label)


@pytest.mark.django_db
def test_shares_of_answers_count_those_that_somebody_never_gave(monkeypatch: pytest.MonkeyPatch) -> None:
    study = make_study(owner=person("owner"))
    add_participants(study, 2)
    first, second = picture.sessions_of(study).order_by("pk").values_list("pk", flat=True)
    given = {
        first: {"because": ["yes", "yes", "no", "unsure"], "cause": ["no", "no"]},
        second: {"because": ["yes", ""], "cause": ["unsure"]},
    }
    rows = [
        {"session": str(key), "marker": marker, "choice": answer, "excluded": "false", "is_filler": "false",
         "phase": "main", "simulated": "false"}
        for key, of in given.items()
        for marker, answers in of.items()
        for answer in answers
    ]  # fmt: skip
    monkeypatch.setattr(picture, "_frame", lambda *_given: pd.DataFrame(rows, dtype=object))
    measure = MainMeasure("choice", "trials", "", ("marker",), "stamp", of_categories=True)
    assert measure.divided_by == ("choice", "marker")
    picture.fill(study, measure)
    report = picture.report_of(study, measure)
    means = {(row[0], row[1]): row[2] for row in report.table("means").rows}
    assert means == pytest.approx(
        {
            ("yes", "because"): 0.75, ("no", "because"): 0.125, ("unsure", "because"): 0.125,
            ("yes", "cause"): 0.0, ("no", "cause"): 0.5, ("unsure", "cause"): 0.5,
        }
    )  # fmt: skip
    assert report.figures[0].y_label == "Share of answers"
