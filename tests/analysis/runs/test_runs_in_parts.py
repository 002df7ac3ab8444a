"""A long analysis is divided among workers: the same bytes whatever their number, and whatever happens meanwhile."""

import json
import threading
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from kombu.exceptions import OperationalError

from analysis.computing import of_run
from analysis.data.frames import study_data
from analysis.exports import stream
from analysis.exports.reports import report_from
from analysis.methods import registry
from analysis.methods.power import parts as power_parts
from analysis.models import AnalysisPart, AnalysisRun
from analysis.runs import waking
from analysis.runs.life import ClaimedRun, cancel
from analysis.runs.parts import ClaimedPart
from analysis.runs.tasks import sweep, work
from analysis.studies.asking import request_run
from participants.erasure.withdrawal import withdraw
from participants.models import Participant
from tests.analysis.computed import execute
from tests.analysis.studies import add_participants, make_study
from tests.selection import only_in_full

pytestmark = [pytest.mark.both, pytest.mark.slow]

Status = AnalysisRun.Status
POWER = {
    "dv": "rating_log",
    "within": "marker,order",
    "effect": "order=0.05",
    "method": "f1,min-f,lmm-intercepts",
    "n_participants": "8,12",
    "n_items": "8",
    "simulations": 24,
}


@pytest.fixture(autouse=True)
def _short_parts(monkeypatch):
    """Let a part cost so little that a small analysis has several."""
    monkeypatch.setattr(power_parts, "PART_COST", 60.0)


def study_with_data():
    study = make_study()
    add_participants(study, 6)
    return study


@pytest.fixture
def study(db):
    return study_with_data()


def requested(study, **changes):
    return request_run(study, method="power", params={**POWER, **changes}, user=None)


def divided(study, **changes):
    run = requested(study, **changes)
    assert execute(run.pk)
    run.refresh_from_db()
    assert (run.status, run.is_in_parts) == (Status.RUNNING, True), run.error
    return run


def finished(run):
    while work():
        pass
    run.refresh_from_db()
    return run


def compute_all_parts(run):
    """Compute all parts and leave it to somebody else to put the results together."""
    for part_id in ClaimedPart.waiting():
        assert execute(part_id, ClaimedPart)
    assert ClaimedRun.waiting() == [run.pk]


def claimed_part():
    """Claim the part that waits next."""
    return ClaimedPart.claim(ClaimedPart.waiting()[0])


def lose(part):
    AnalysisPart.objects.filter(pk=part.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=5))


def work_to_the_end(computed):
    """Do what a worker does: take what waits as long as there is anything."""
    try:
        number = 0
        while work():
            number += 1
        computed.append(number)
    finally:
        connection.close()


def test_only_what_is_asked_of_a_method_is_divided(study):
    """A mixed model is computed at once; the simulations of its design are parts, with the bytes of one computer."""
    formula = {"formula": "rating_log ~ marker + (1 | participant)"}
    at_once = request_run(study, method="lmm", params=formula, user=None)
    assert execute(at_once.pk)
    at_once.refresh_from_db()
    assert (at_once.status, at_once.is_in_parts) == (Status.DONE, False), at_once.error
    run = request_run(study, method="lmm", params={**formula, "calibrate": 100}, user=None)
    assert execute(run.pk)
    assert run.parts.count() == 2
    run = finished(run)
    alone = registry.run(registry.method_named("lmm"), study_data(study, "trials").frame, run.params)
    assert report_from(run.report).table("error_rates") == alone.table("error_rates")
    assert report_from(run.report).sentences == alone.sentences


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "workers", [2, *(only_in_full("a report that depends on the number of workers", n) for n in (1, 3))]
)
def test_any_number_of_workers_gives_the_bytes_of_analyse_on_the_export(workers, tmp_path, monkeypatch, settings):
    # The threads below are the workers; with a broker, wake-ups would have the work done before they begin.
    settings.EMBEDDED_WORKER = True
    study = study_with_data()
    run = divided(study)
    number = run.parts.count()
    assert number > 3
    computed: list[Any] = []
    threads = [threading.Thread(target=work_to_the_end, args=(computed,)) for _ in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # Every part once, and once all of them together.
    assert sum(computed) == number + 1
    assert len(computed) == workers
    run.refresh_from_db()
    assert (run.status, run.progress, run.preparation) == (Status.DONE, 1, ""), run.error
    assert not AnalysisPart.objects.exists()
    data = tmp_path / "trials.csv"
    data.write_bytes(b"".join(stream(study, "trials.csv")))
    given = [f"{name}={value}" for name, value in run.params.items()]
    call_command("analyse", "power", data=data, settings_given=[given], out=tmp_path / "out", verbosity=0)
    assert (tmp_path / "out" / "report.json").read_bytes() == run.report.encode("utf-8")


def test_the_parts_are_the_same_whatever_the_number_of_workers_and_cover_every_simulation_once(study):
    run = divided(study)
    described = [json.loads(text) for text in run.parts.values_list("description", flat=True)]
    seen = [(index, number) for part in described for index, a, b in part for number in range(a, b)]
    assert seen == [(index, number) for index in range(2) for number in range(24)]


def test_a_small_analysis_is_computed_at_once(study, monkeypatch):
    split = finished(divided(study)).report
    AnalysisRun.objects.all().delete()
    monkeypatch.setattr(power_parts, "PART_COST", 1e6)
    run = requested(study)
    assert execute(run.pk)
    run.refresh_from_db()
    assert (run.status, run.report) == (Status.DONE, split)


def test_a_part_is_claimed_once(study):
    run = divided(study)
    waiting = ClaimedPart.waiting()
    assert len(waiting) == run.parts.count()
    assert all(ClaimedPart.claim(part_id) for part_id in waiting)
    assert not any(ClaimedPart.claim(part_id) for part_id in waiting)
    assert ClaimedPart.waiting() == []


def test_a_run_in_parts_is_not_claimed_and_not_taken_for_lost(study):
    run = divided(study)
    assert ClaimedRun.claim(run.pk) is None
    AnalysisRun.objects.filter(pk=run.pk).update(started_at=timezone.now() - timedelta(hours=1))
    ClaimedRun.return_lost()
    assert ClaimedRun.waiting() == []
    run.refresh_from_db()
    assert run.is_in_parts


def test_a_short_analysis_does_not_wait_for_all_parts_of_a_long_one(study):
    long = divided(study)
    short = request_run(study, method="normalise", params={"dv": "rating"}, user=None)
    assert work()
    short.refresh_from_db()
    assert short.status == Status.DONE
    assert long.parts.filter(status=AnalysisPart.Status.QUEUED).exists()


def test_the_sweeper_has_everything_computed(study):
    run = divided(study, simulations=12)
    for _ in range(10):
        sweep()
    run.refresh_from_db()
    assert run.status == Status.DONE


def test_a_part_that_lost_its_worker_is_computed_by_another_and_the_first_cannot_write_over_it(study):
    run = divided(study)
    first = claimed_part()
    outcome = first.compute(lambda share, note: None)
    lose(first)
    ClaimedPart.return_lost()
    assert ClaimedPart.waiting() == list(run.parts.values_list("pk", flat=True))
    second = claimed_part()
    assert (second.pk, second.attempt) == (first.pk, 2)
    assert not first.beat(progress=0.5)
    first.conclude(outcome)
    first.conclude({"kind": "memory"})
    assert run.parts.get(pk=first.pk).status == AnalysisPart.Status.RUNNING
    second.conclude(outcome)
    assert finished(run).status == Status.DONE


def test_a_part_that_lost_three_workers_fails_the_run_with_a_sentence(study):
    run = divided(study)
    for _ in range(3):
        lose(claimed_part())
        ClaimedPart.return_lost()
    run.refresh_from_db()
    assert (run.status, run.is_in_parts, run.preparation) == (Status.FAILED, False, "")
    assert "3 times" in run.error
    assert not AnalysisPart.objects.exists()


def test_a_part_that_is_given_back_counts_no_attempt(study):
    divided(study)
    part = claimed_part()
    part.give_back()
    again = claimed_part()
    assert (again.pk, again.attempt) == (part.pk, 1)


def test_a_run_whose_results_are_being_put_together_survives_the_loss_of_its_worker(study):
    run = divided(study)
    started = run.started_at
    compute_all_parts(run)
    assert ClaimedRun.claim(run.pk)
    AnalysisRun.objects.filter(pk=run.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=5))
    ClaimedRun.return_lost()
    assert ClaimedRun.waiting() == [run.pk]
    assert finished(run).status == Status.DONE
    assert run.started_at == started


def test_cancelling_ends_the_run_at_once_and_stops_every_part(study):
    run = divided(study)
    held = claimed_part()
    cancel(run)
    run.refresh_from_db()
    assert (run.status, run.is_in_parts, run.preparation, run.report) == (Status.CANCELLED, False, "", "")
    assert not held.beat(progress=0.5)
    held.conclude({"kind": "computed", "result": "[]"})
    assert not work()
    assert requested(study) != run


def test_a_run_that_was_cancelled_while_its_data_were_read_is_not_divided(study):
    run = requested(study)
    claimed = ClaimedRun.claim(run.pk)
    outcome = claimed.compute(lambda share, note: None)
    assert outcome["kind"] == "split"
    cancel(run)
    claimed.conclude(outcome)
    run.refresh_from_db()
    assert run.status == Status.CANCELLED
    assert not AnalysisPart.objects.exists()


@pytest.mark.full("a withdrawal between any two moments of a run in parts")
@pytest.mark.parametrize("when", ["while it is divided", "in parts", "before it is put together", "at the end"])
def test_a_withdrawal_has_everything_computed_again_without_the_participant(study, when):
    def leave():
        withdraw(Participant.objects.get(pseudonym="P0003"), by_participant=True)

    if when == "while it is divided":
        run = requested(study)
        claimed = ClaimedRun.claim(run.pk)
        outcome = claimed.compute(lambda share, note: None)
        leave()
        claimed.conclude(outcome)
    else:
        run = divided(study)
        assert "P0003" in run.preparation
        held = claimed_part()
        if when == "in parts":
            leave()
            assert not held.beat()
            held.conclude({"kind": "computed", "result": "[]"})
        else:
            held.give_back()
            compute_all_parts(run)
            if when == "at the end":
                claimed = ClaimedRun.claim(run.pk)
                outcome = claimed.compute(lambda share, note: None)
                leave()
                claimed.conclude(outcome)
            else:
                leave()
    run.refresh_from_db()
    assert (run.status, run.is_in_parts, run.preparation, run.attempts) == (Status.QUEUED, False, "", 0)
    assert not AnalysisPart.objects.exists()
    assert execute(run.pk)
    assert finished(run).status == Status.DONE
    assert "5 participants" in run.report


def test_all_parts_rest_on_the_data_that_were_read_when_the_work_was_divided(study):
    report = finished(divided(study)).report
    AnalysisRun.objects.all().delete()
    run = divided(study)
    add_participants(study, 2, first=6)
    assert finished(run).report == report
    assert requested(study) != run


def test_progress_is_that_of_all_parts(study):
    run = divided(study)
    number = run.parts.count()
    first, second = claimed_part(), claimed_part()
    first.conclude(first.compute(lambda share, note: None))
    assert second.beat(progress=0.5, note="12 participants")
    run.refresh_from_db()
    assert run.progress == pytest.approx(1.5 / number)
    assert run.progress_note == f"1 of {number} parts done; 12 participants"


def test_a_part_that_cannot_be_computed_fails_the_run_with_the_methods_own_sentence(study):
    run = divided(study, method="lmm", formula="rating_log ~ marker + (1 | participant)", simulations=12)
    assert work()
    run.refresh_from_db()
    assert run.status == Status.FAILED
    assert "no term for order" in run.error
    assert not AnalysisPart.objects.exists()


@pytest.mark.parametrize(
    ("outcome", "words"),
    [({"kind": "time"}, "longer"), ({"kind": "memory"}, "memory"), ({"kind": "died", "exitcode": -9}, "code -9")],
)
def test_a_part_that_breaks_its_limits_fails_the_run_in_words(study, outcome, words):
    run = divided(study)
    claimed_part().conclude(outcome)
    run.refresh_from_db()
    assert run.status == Status.FAILED
    assert words in run.error


def test_parts_of_another_version_are_not_mixed_with_those_of_this_one(study, monkeypatch):
    run = divided(study)
    work()
    monkeypatch.setattr(of_run, "code_version", lambda method: "9.9+other")
    work()
    run.refresh_from_db()
    assert (run.status, run.preparation) == (Status.QUEUED, "")
    assert not AnalysisPart.objects.exists()


def test_with_a_broker_every_step_wakes_a_worker_for_the_next(study, settings, django_capture_on_commit_callbacks):
    settings.EMBEDDED_WORKER = False
    with django_capture_on_commit_callbacks(execute=True):
        run = requested(study)
        assert run.status == Status.QUEUED
    run.refresh_from_db()
    assert run.status == Status.DONE, run.error


def test_without_its_broker_a_divided_run_waits_for_the_sweeper(study, monkeypatch, caplog, settings):
    def unreachable(*arguments, **options):
        raise OperationalError

    run = divided(study)
    monkeypatch.setattr("celery.canvas.Signature.apply_async", unreachable)
    settings.CELERY_TASK_ALWAYS_EAGER = False
    waking.send_soon(3)
    waking._thread.join(timeout=60)
    assert "left to the sweeper" in caplog.text
    assert ClaimedPart.waiting() == list(run.parts.values_list("pk", flat=True))
