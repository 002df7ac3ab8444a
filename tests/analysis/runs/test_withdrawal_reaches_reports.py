"""A participant who withdraws is in no report: not by name, not in their own words, not among the parameters."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.utils import timezone

from analysis.models import AnalysisRun
from experiments.models import Study
from participants.erasure.withdrawal import withdraw
from participants.models import Participant
from tests.analysis.studies import add_participants, make_study

pytestmark = [pytest.mark.both, pytest.mark.django_db]


@pytest.fixture
def study() -> Study:
    study = make_study()
    add_participants(study, 4)
    return study


def report_of(study: Study, method: str, said: str, **params: str) -> AnalysisRun:
    return AnalysisRun.objects.create(
        study=study,
        method=method,
        params=params,
        status=AnalysisRun.Status.DONE,
        report=json.dumps({"tables": [said]}),
        data_hash="0",
        code_version="1",
        finished_at=timezone.now(),
    )


def after_withdrawal(run: AnalysisRun) -> Any:
    withdraw(Participant.objects.get(pseudonym="P0003"), by_participant=True)
    run.refresh_from_db()
    return run


def test_a_report_that_quotes_what_participants_wrote_is_deleted_though_it_names_nobody(study: Study) -> None:
    run = after_withdrawal(report_of(study, "production-norms", "my name is Ada Lovelace"))
    assert (run.status, run.report) == (AnalysisRun.Status.FAILED, "")
    assert "has withdrawn" in run.error


def test_a_report_of_a_method_that_is_no_longer_installed_is_deleted(study: Study) -> None:
    assert after_withdrawal(report_of(study, "of-a-package-that-is-gone", "words")).report == ""


def test_a_report_of_tests_stays(study: Study) -> None:
    run = report_of(study, "rm-anova", "F(1, 23) = 4.2")
    before = run.report
    assert after_withdrawal(run).report == before


def test_parameters_that_name_the_participant_lose_the_name(study: Study) -> None:
    run = after_withdrawal(report_of(study, "rm-anova", "F", dv="rating", where="participant = P0003"))
    assert run.params == {"dv": "rating"}


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("text-profile", {"text": "typed"}),
        ("perturb", {"text": "typed"}),
        ("condition-means", {"dv": "rating", "within": "marker,typed"}),
        ("condition-means", {"dv": "rating", "where": "typed=my name is Ada"}),
        ("rater-agreement", {"also": ["genre", "typed"]}),
    ],
)
def test_any_report_that_read_what_participants_typed_is_deleted(study, method, params):
    run = after_withdrawal(report_of(study, method, "my name is Ada Lovelace", **params))
    assert (run.status, run.report) == (AnalysisRun.Status.FAILED, "")


def test_a_column_of_typed_answers_that_is_the_usual_one_need_not_be_named():
    produced = Study.objects.create(  # type: ignore[misc]  # the paradigm is a property, which its task keeps
        slug="produced", title="Produced", paradigm="typed-production"
    )
    run = report_of(produced, "signal-detection", "my name is Ada Lovelace", participant="participant")
    person = Participant.objects.create(  # type: ignore[misc]  # the code is a property, which seals it
        study=produced, pseudonym="P0003", withdrawal_code="W"
    )
    person.delete()
    run.refresh_from_db()
    assert run.report == ""


def test_a_report_on_the_texts_of_the_materials_stays(study):
    run = report_of(study, "text-profile", "the text that was shown", text="text")
    before = run.report
    assert after_withdrawal(run).report == before
