"""A report says how much it rests on, and its levels can be put in order by drag or by buttons; results stay."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

from analysis.exports.reports import shown_report
from analysis.models import AnalysisRun
from analysis.studies.asking import request_run
from experiments.models import AuditEntry, Study
from participants.models import Session
from tests.analysis.computed import execute
from tests.analysis.studies import add_participants, make_study
from tests.analysis.views.test_analysis_pages import logged_in, person

pytestmark = pytest.mark.django_db
PARAMS = {"dv": "rating_z", "within": "marker,order", "unit": "participant"}


@pytest.fixture
def study():
    made = make_study(owner=person("owner"))
    add_participants(made, 8)
    Session.objects.filter(pk=Session.objects.first().pk).update(is_excluded=True, exclusion_reason="asleep")
    return made


@pytest.fixture
def run(study):
    asked = request_run(study, method="rm-anova", params=PARAMS, user=study.owner)
    execute(asked.pk)
    return AnalysisRun.objects.get()


def levels_shown(run: AnalysisRun) -> list[str]:
    run.study = Study.objects.get(pk=run.study_id)
    return list(dict.fromkeys(row[0] for row in shown_report(run).table("cells").rows))


def test_the_head_says_who_and_what_was_analysed(client, study, run):
    page = logged_in(client, study.owner).get(reverse("analysis:run", args=[study.slug, run.pk])).text
    assert "7 of 8 who finished, 1 excluded" in page
    assert "exploratory" in page
    assert "Analysis of variance of rating (z-score)" in page
    head = page[page.index("report-head") : page.index('class="findings"')]
    assert "of" in head
    assert "rows" in head
    assert "rating_z" not in page[page.index("<article") : page.index('id="how"')]


def test_old_reports_keep_their_words(run):
    assert "rating_z" in run.report
    assert "rating (z-score)" not in run.report


@pytest.mark.parametrize(
    "posted", [{"move": "0:down"}, {"order": json.dumps(["because-of", "because"])}], ids=["button", "drag"]
)
def test_levels_get_another_order_where_they_are_shown_and_there_alone(client, study, run, posted):
    before = run.report
    assert levels_shown(run) == ["because", "because-of"]
    logged_in(client, study.owner)
    address = reverse("analysis:levels", args=[study.slug, run.pk])
    answer = client.post(address, {"factor": "marker", **posted})
    assert answer.status_code == 302
    assert levels_shown(run) == ["because-of", "because"]
    assert AnalysisRun.objects.get().report == before
    assert AuditEntry.objects.filter(action="labels changed").count() == 1


@pytest.mark.parametrize(
    "posted",
    [
        {"factor": "marker", "order": '["because"]'},
        {"factor": "marker", "order": "{not json"},
        {"factor": "marker", "move": "7:up"},
        {"factor": "marker", "move": "1:down"},
        {"factor": "nothing", "order": '["a"]'},
        {},
    ],
)
def test_what_is_no_order_changes_nothing(client, study, run, posted):
    logged_in(client, study.owner)
    answer = client.post(reverse("analysis:levels", args=[study.slug, run.pk]), posted)
    assert answer.status_code == 302
    assert levels_shown(run) == ["because", "because-of"]


def test_names_for_print_keep_the_order_and_the_order_keeps_the_names(client, study, run):
    logged_in(client, study.owner)
    address = reverse("analysis:levels", args=[study.slug, run.pk])
    client.post(address, {"factor": "marker", "move": "0:down"})
    labels = {"factor:marker": "connective", "level:marker:because": "BECAUSE"}
    answer = client.post(reverse("study:labels", args=[study.slug]), labels)
    assert answer.status_code == 302
    kept = Study.objects.get(pk=study.pk).labels["marker"]
    assert kept == {"label": "connective", "levels": {"because": "BECAUSE"}, "order": ["because-of", "because"]}
    assert levels_shown(run) == ["because-of", "BECAUSE"]
