"""Two runs of one method are held against each other, number by number."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse

from analysis.methods.report import Column, Report, Table
from analysis.models import AnalysisRun
from analysis.reports.comparison import compare
from analysis.studies.asking import request_run
from tests.analysis.computed import execute
from tests.analysis.studies import add_participants, make_study

EFFECT, F, P = Column("effect", "Effect", "text"), Column("f", "F", "statistic"), Column("p", "p", "p")


def report(*rows: tuple[Any, ...], name: str = "anova", notes: tuple[str, ...] = ()) -> Report:
    return Report("rm-anova", {}, (Table(name, "Analysis of variance", (EFFECT, F, P), rows),), notes=notes)


def held(first: Report, second: Report):
    return compare(first, second, first_params={}, second_params={})


def test_equal_reports_have_no_difference():
    comparison = held(report(("order", 4.2, 0.03)), report(("order", 4.2 * (1 + 1e-12), 0.03)))
    assert comparison.tables[0].is_same
    assert comparison.tables[0].same == 3


def test_rows_are_matched_by_their_words_whatever_their_order():
    first = report(("order", 4.2, 0.03), ("marker", 1.0, 0.4))
    second = report(("marker", 1.0, 0.4), ("order", 5.0, 0.02))
    (difference,) = [d for d in held(first, second).tables[0].differences if d.column.name == "f"]
    assert (difference.row, difference.first, difference.second) == ("order", 4.2, 5.0)
    assert difference.change == pytest.approx(0.8)


def test_a_p_value_that_crosses_the_line_is_counted():
    assert held(report(("order", 4.0, 0.049)), report(("order", 3.9, 0.051))).crossings == 1
    assert held(report(("order", 4.0, 0.03)), report(("order", 4.1, 0.029))).crossings == 0


def test_a_value_that_is_not_defined_in_one_report_is_a_difference_without_a_change():
    (difference,) = held(report(("order", None, 0.03)), report(("order", 4.2, 0.03))).tables[0].differences
    assert difference.change is None


def test_rows_tables_and_notes_of_one_report_alone_are_named():
    first = report(("order", 1.0, 0.3), ("marker", 2.0, 0.2), notes=("Left out: P1.",))
    second = report(("order", 1.0, 0.3), notes=("Left out: nobody.",))
    comparison = held(first, second)
    assert comparison.tables[0].only_first == ("marker",)
    assert (comparison.only_first, comparison.only_second) == (("Left out: P1.",), ("Left out: nobody.",))
    assert held(first, report(name="cells")).only_second[-1] == "Table cells"


def test_only_parameters_that_differ_are_listed():
    params = {"dv": "z", "unit": "item"}
    comparison = compare(report(), report(), first_params=params, second_params={"dv": "z"})
    assert comparison.params == (("unit", "item", None),)


@pytest.fixture
def compared(client, db):
    owner = get_user_model().objects.create_user("ada", is_staff=True)
    client.force_login(owner)
    study = make_study(owner=owner)
    add_participants(study, 8)
    runs = [
        request_run(study, method="rm-anova", params={"dv": dv, "within": "marker,order"}, user=owner)
        for dv in ("rating_z", "rating_log")
    ]
    for run in runs:
        execute(run.pk)
    return study, runs


def page(study, run):
    return reverse("analysis:compare", args=[study.slug, run.pk])


def test_the_page_shows_what_differs_the_earlier_run_first(client, compared):
    study, (first, second) = compared
    text = client.get(page(study, second), {"with": first.pk}).text
    assert "rating_z" in text
    assert text.index(f"/runs/{first.pk}/") < text.rindex(f"/runs/{second.pk}/")
    assert "Sum of squares" in text
    assert "Compare" in client.get(reverse("analysis:run", args=[study.slug, first.pk])).text


def test_a_run_of_another_method_or_study_cannot_be_compared(client, compared):
    study, (first, _second) = compared
    other = request_run(study, method="normalise", params={"dv": "rating"}, user=None)
    execute(other.pk)
    assert client.get(page(study, first), {"with": other.pk}).status_code == 404
    assert client.get(page(study, first), {"with": "one"}).status_code == 404
    assert "nothing to compare with" in client.get(page(study, other)).text


def test_an_unfinished_run_has_nothing_to_compare(client, compared):
    study, (first, _second) = compared
    AnalysisRun.objects.filter(pk=first.pk).update(report="", status="queued")
    assert client.get(page(study, first)).status_code == 404
