"""What the page of a run says while it is being cancelled, after it was, and before it is deleted."""

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse

from analysis.models import AnalysisRun
from tests.analysis.studies import make_study

pytestmark = pytest.mark.django_db
Status = AnalysisRun.Status
GOES_ON = "the analysis goes on"


@pytest.fixture
def page(client):
    """Return the text of a page about a run in the state that is given, with another run waiting before it."""
    study = make_study(owner=get_user_model().objects.create_user("owner", is_staff=True))
    client.force_login(study.owner)
    AnalysisRun.objects.create(study=study, method="tukey", status=Status.RUNNING)

    def text_of(name="run", **state):
        run = AnalysisRun.objects.create(study=study, method="rm-anova", **state)
        return client.get(reverse(f"analysis:{name}", args=[study.slug, run.pk])).content.decode()

    return text_of


def test_a_run_that_waits_says_how_many_are_before_it_and_one_that_runs_does_not(page):
    assert "1 analysis is before it." in page(status=Status.QUEUED)
    AnalysisRun.objects.filter(method="rm-anova").delete()
    assert "before it." not in page(status=Status.RUNNING)


def test_a_run_that_is_being_cancelled_does_not_promise_a_report(page):
    assert GOES_ON in page(status=Status.RUNNING)
    cancelling = page(status=Status.RUNNING, cancel_requested=True)
    assert GOES_ON not in cancelling
    assert "No report is kept; the data of the study stay as they are." in cancelling


def test_a_cancelled_run_says_what_was_kept(page):
    assert "It left no report. The data of the study are as they were." in page(status=Status.CANCELLED)


def test_before_a_report_is_deleted_its_question_is_that_of_its_report(page):
    asked = page("delete", status=Status.DONE)
    assert "the report of “Does a measure differ by condition? ANOVA (F1, F2)” of" in asked
    assert "rm-anova" not in asked
