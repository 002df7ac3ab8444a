"""The life of an analysis: asked for twice it is done once, and whatever happens ends with a report or a sentence."""

import hashlib
import json
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.utils import timezone

from analysis.exports import stream
from analysis.exports.reports import report_files
from analysis.methods import catalogue, registry
from analysis.methods.declarations import Method, Parameter
from analysis.methods.report import BadInput
from analysis.models import AnalysisRun
from analysis.runs.life import ClaimedRun, cancel
from analysis.runs.tasks import sweep, work
from analysis.studies import asking
from participants.erasure.withdrawal import withdraw
from participants.models import Participant, Session
from tests.analysis.computed import execute
from tests.analysis.studies import add_participants, make_study

pytestmark = pytest.mark.django_db
Status = AnalysisRun.Status
ANOVA = {"dv": "rating_z", "within": "marker,order", "unit": "participant"}


@pytest.fixture
def study():
    study = make_study()
    add_participants(study, 8)
    return study


def requested(study, method="rm-anova", **params):
    return asking.request_run(study, method=method, params=params or ANOVA, user=None)


def finished(run):
    assert execute(run.pk)
    run.refresh_from_db()
    return run


def with_method(monkeypatch, function):
    method = Method(
        slug="made-up",
        label="Made up",
        summary="For tests.",
        function=function,
        parameters=(Parameter("dv", "Measure", "column", required=True),),
    )
    monkeypatch.setitem(catalogue.ADDED, method.slug, method)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("rm-anova", ANOVA),
        ("rm-anova", {"dv": "rating_z", "within": "marker,order", "unit": "item"}),
        ("rm-anova", {"dv": "rating_log", "within": "marker", "between": "native_language", "unit": "participant"}),
        ("tukey", {"dv": "rating_z", "within": "marker,order", "by": "marker"}),
        ("normalise", {"dv": "rating", "how": "log-z"}),
        ("correlation", {"x": "rating", "y": "rt_ms", "unit": "item"}),
    ],
)
def test_an_analysis_of_a_study_is_the_same_bytes_as_analyse_on_its_export(study, tmp_path, method, params):
    add_participants(study, 1, first=8, stop_after=6)
    run = finished(requested(study, method, **params))
    assert run.status == Status.DONE, run.error
    data = tmp_path / "trials.csv"
    data.write_bytes(b"".join(stream(study, "trials.csv")))
    settings = [f"{name}={value}" for name, value in run.params.items()]
    call_command("analyse", method, data=data, settings_given=[settings], out=tmp_path / "out", verbosity=0)
    written = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    assert written["report.json"] == run.report.encode("utf-8")
    assert written == dict(report_files(run.report))
    assert run.data_hash == hashlib.sha256(data.read_bytes()).hexdigest()


def test_the_same_request_is_answered_with_the_same_run(study):
    run = requested(study)
    assert requested(study) == run
    finished(run)
    assert requested(study) == run
    assert AnalysisRun.objects.count() == 1


def test_other_data_other_parameters_or_other_code_make_a_new_run(study, monkeypatch):
    run = finished(requested(study))
    assert requested(study, dv="rating_log", within="marker") != run
    monkeypatch.setattr(asking, "code_version", lambda method: "0.2.0+other")
    other_code = requested(study)
    assert other_code != run
    monkeypatch.undo()
    assert requested(study) == run
    add_participants(study, 1, first=8)
    assert requested(study) not in (run, other_code)


@pytest.mark.parametrize("change", ["exclude", "finish", "withdraw"])
def test_exclusion_completion_and_withdrawal_change_the_data(study, change):
    (late,) = add_participants(study, 1, first=8, stop_after=6)
    run = finished(requested(study))
    match change:
        case "exclude":
            Session.objects.filter(pk=late.pk).update(is_excluded=True, exclusion_reason="asked to")
        case "finish":
            Session.objects.filter(pk=late.pk).update(status=Session.Status.COMPLETE)
        case _:
            withdraw(Participant.objects.get(pseudonym="P0003"), by_participant=True)
    assert requested(study) != run


def test_running_again_gives_equal_bytes(study):
    first = finished(requested(study))
    report, data_hash = first.report, first.data_hash
    first.delete()
    second = finished(requested(study))
    assert (second.report, second.data_hash) == (report, data_hash)


@pytest.mark.parametrize(
    ("method", "params", "sentence"),
    [
        ("anova", ANOVA, "no method 'anova'"),
        ("rm-anova", {"dv": "ratting", "within": "marker"}, "did you mean 'rating'"),
        ("rm-anova", {"within": "marker"}, "dv is missing"),
        ("rm-anova", {**ANOVA, "colour": "red"}, "no parameter 'colour'"),
    ],
)
def test_a_request_that_does_not_fit_the_study_is_refused_at_once(study, method, params, sentence):
    with pytest.raises(BadInput, match=sentence):
        requested(study, method, **params)
    assert not AnalysisRun.objects.exists()


def test_a_run_that_is_delivered_twice_is_computed_once(study):
    run = requested(study)
    assert work() is True
    run.refresh_from_db()
    finished_at = run.finished_at
    assert work() is False
    run.refresh_from_db()
    assert (run.status, run.attempts, run.finished_at) == (Status.DONE, 1, finished_at)


def test_only_one_of_two_claims_succeeds(study):
    run = requested(study)
    assert [ClaimedRun.claim(run.pk), ClaimedRun.claim(run.pk)] == [ClaimedRun(run.pk, 1), None]


def test_a_worker_that_was_given_up_cannot_write_over_its_successor(study):
    run = requested(study)
    first = ClaimedRun.claim(run.pk)
    AnalysisRun.objects.filter(pk=run.pk).update(heartbeat_at=timezone.now() - timedelta(seconds=61))
    ClaimedRun.return_lost()
    assert ClaimedRun.waiting() == [run.pk]
    second = ClaimedRun.claim(run.pk)
    assert (first.attempt, second.attempt) == (1, 2)
    assert not first.beat()
    first.conclude({"kind": "refused", "error": "too late"})
    run.refresh_from_db()
    assert (run.status, run.error) == (Status.RUNNING, "")


def test_a_run_that_lost_its_worker_three_times_is_failed_with_a_sentence(study):
    run = requested(study)
    for _ in range(3):
        assert ClaimedRun.claim(run.pk)
        AnalysisRun.objects.filter(pk=run.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=5))
        ClaimedRun.return_lost()
    run.refresh_from_db()
    assert (run.status, run.attempts) == (Status.FAILED, 3)
    assert "3 times" in run.error


def test_a_run_whose_worker_is_alive_is_left_alone(study):
    run = requested(study)
    ClaimedRun.claim(run.pk)
    ClaimedRun.return_lost()
    assert ClaimedRun.waiting() == []
    run.refresh_from_db()
    assert run.status == Status.RUNNING


def test_the_sweeper_computes_what_waits(study):
    run = requested(study)
    assert sweep() == 1
    run.refresh_from_db()
    assert run.status == Status.DONE


def test_data_that_do_not_allow_the_analysis_end_it_with_the_methods_own_sentence():
    study = make_study()
    run = finished(requested(study))
    assert run.status == Status.FAILED
    assert run.error
    assert run.error_reference == ""
    assert run.report == ""


def test_an_unexpected_error_is_logged_under_the_reference_that_the_researcher_is_given(study, monkeypatch, caplog):
    def broken(frame, *, dv, progress):
        raise KeyError("a bug with a secret in it")

    with_method(monkeypatch, broken)
    run = finished(requested(study, "made-up", dv="rating"))
    assert run.status == Status.FAILED
    assert run.error_reference in run.error
    assert "secret" not in run.error
    assert any(run.error_reference in record.getMessage() and record.exc_info for record in caplog.records)


def test_running_out_of_memory_is_said_in_words(study, monkeypatch):
    def greedy(frame, *, dv, progress):
        raise MemoryError

    with_method(monkeypatch, greedy)
    run = finished(requested(study, "made-up", dv="rating"))
    assert run.status == Status.FAILED
    assert "more memory" in run.error


def test_progress_is_written_and_a_cancelled_analysis_stops(study, monkeypatch):
    seen = []

    def long_one(frame, *, dv, progress):
        progress(0.25, "first quarter")
        run = AnalysisRun.objects.get()
        seen.append((run.status, run.progress, run.progress_note))
        cancel(run)
        progress(0.5, "half")
        raise AssertionError("it went on after it was cancelled")

    with_method(monkeypatch, long_one)
    run = finished(requested(study, "made-up", dv="rating"))
    assert seen == [(Status.RUNNING, 0.25, "first quarter")]
    assert (run.status, run.error, run.report) == (Status.CANCELLED, "", "")


def test_a_waiting_run_is_cancelled_at_once_and_never_computed(study):
    run = requested(study)
    cancel(run)
    run.refresh_from_db()
    assert run.status == Status.CANCELLED
    assert not execute(run.pk)
    assert requested(study) != run


def test_a_withdrawal_during_an_analysis_has_it_computed_again_without_the_participant(study, monkeypatch):
    def slow(frame, *, dv, progress):
        if Participant.objects.filter(pseudonym="P0003").exists():
            withdraw(Participant.objects.get(pseudonym="P0003"), by_participant=True)
        return registry.method_named("normalise").function(frame, dv=dv, progress=progress)

    with_method(monkeypatch, slow)
    run = finished(requested(study, "made-up", dv="rating"))
    assert (run.status, run.report) == (Status.QUEUED, "")
    finished(run)
    assert run.status == Status.DONE
    assert "P0003" not in run.report
    assert "P0004" in run.report


def test_a_report_is_complete_json_with_the_parameters_that_were_used(study):
    run = finished(requested(study))
    report = json.loads(run.report)
    assert report["method"] == "rm-anova"
    assert report["params"]["dv"] == "rating_z"
    assert {table["name"] for table in report["tables"]} >= {"anova", "cells"}


def test_who_asked_is_kept(study):
    user = get_user_model().objects.create_user("ada")
    assert asking.request_run(study, method="rm-anova", params=ANOVA, user=user).created_by == user
