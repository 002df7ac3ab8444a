"""Looks of a sequential plan: made once, on exactly their people, blind until the plan stops and pauses the study."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth import get_user_model

from analysis.methods.report import BadInput
from analysis.methods.sequential.boundaries import boundaries
from analysis.models import AnalysisRun, SequentialLook
from analysis.runs.looks import ClaimedLook
from analysis.runs.tasks import sweep
from analysis.sequential_plans import looks, outside
from analysis.studies.asking import request_run
from experiments.models import AuditEntry, Study
from participants.erasure.withdrawal import withdraw
from participants.models import Participant, Session
from participants.watching.exclusion import exclude
from tests.analysis.computed import execute
from tests.analysis.sequential.plans import FORMULA, made, planned
from tests.analysis.studies import add_participants, make_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    owner = get_user_model().objects.create_user("ada", is_staff=True)
    return make_study(plan=planned(), owner=owner)


def without_an_effect(study):
    """Put the effect so far beyond reach that no look finds it."""
    Study.objects.filter(pk=study.pk).update(plan=planned(effect="marker:order", spending="obrien-fleming"))


def test_a_look_waits_for_its_people_and_is_made_on_exactly_those_who_finished_first(study):
    add_participants(study, 7)
    add_participants(study, 1, first=7, stop_after=6)
    add_participants(study, 3, first=8, simulated=True)
    assert made(study) == []
    add_participants(study, 4, first=20)
    (look,) = made(study)
    assert (look.number, look.people, look.decision) == (1, 8, "found")
    report = json.loads(look.run.report)
    units = next(table for table in report["tables"] if table["name"] == "units")
    at = [column["name"] for column in units["columns"]]
    people = {row[at.index("unit")] for row in units["rows"] if row[at.index("group")] == "participant"}
    assert people == {*(f"P{n:04d}" for n in range(7)), "P0020"}
    assert look.lists == {"A-1": 2, "A-2": 2, "A-3": 2, "A-4": 2} or sum(look.lists.values()) == 8


def test_a_plan_that_stops_pauses_the_study_and_leaves_one_report(study):
    add_participants(study, 8)
    (look,) = made(study)
    study.refresh_from_db()
    assert study.is_paused
    assert look.run.status == AnalysisRun.Status.DONE
    actions = list(AuditEntry.objects.filter(study=study).order_by("pk").values_list("action", flat=True))
    assert actions == ["sequential look made", "paused"]
    assert looks.begin_due() == 0


def test_a_look_that_goes_on_leaves_no_report_anywhere(study):
    without_an_effect(study)
    add_participants(study, 12)
    made(study)
    first, second = made(study)
    assert (first.decision, second.decision) == ("continues", "continues")
    assert (first.run, second.run, AnalysisRun.objects.count()) == (None, None, 0)
    study.refresh_from_db()
    assert not study.is_paused
    assert first.p is not None
    assert 0 < first.p < 1


def test_the_last_look_stops_the_study_whatever_it_finds(study):
    without_an_effect(study)
    add_participants(study, 18)
    for _ in range(3):
        made(study)
    *_, last = SequentialLook.objects.filter(study=study)
    assert (last.number, last.people, last.decision) == (3, 16, "ended")
    study.refresh_from_db()
    assert study.is_paused
    report = json.loads(last.run.report)
    assert report["sentences"][0].startswith("The sequential plan ended at its last look, with 16 people: for marker:")
    rows = next(table for table in report["tables"] if table["name"] == "sequential_looks")["rows"]
    assert [row[:2] for row in rows] == [[1, 8], [2, 12], [3, 16]]


def test_two_workers_begin_and_make_a_look_once(study):
    add_participants(study, 8)
    assert looks.begin_next(study) is not None
    assert looks.begin_next(study) is None
    look = SequentialLook.objects.get()
    again = looks._begun(study, 1, 8, boundaries((0.5, 1.0), spending="pocock", alpha=0.05)[0], is_last=False)
    assert again is None
    assert ClaimedLook.claim(look.pk) is not None
    assert ClaimedLook.claim(look.pk) is None
    assert not execute(look.pk, ClaimedLook)


def test_a_worker_that_was_given_up_cannot_decide_after_its_successor(study):
    add_participants(study, 8)
    looks.begin_due()
    (look_id,) = ClaimedLook.waiting()
    lost = ClaimedLook.claim(look_id)
    outcome = lost.compute(lambda share, note: None)
    ClaimedLook.return_lost(whoever_holds_them=True)
    assert execute(look_id, ClaimedLook)
    decided = SequentialLook.objects.get()
    lost.conclude(outcome)
    assert AnalysisRun.objects.count() == 1
    assert SequentialLook.objects.get().made_at == decided.made_at
    assert AuditEntry.objects.filter(action="sequential look made").count() == 1


def test_a_look_whose_worker_died_three_times_has_no_test_and_the_study_goes_on(study):
    add_participants(study, 8)
    looks.begin_due()
    for _ in range(3):
        ClaimedLook.claim(ClaimedLook.waiting()[0])
        ClaimedLook.return_lost(whoever_holds_them=True)
    look = SequentialLook.objects.get()
    assert (look.decision, look.p) == ("untested", None)
    assert "3 times" in look.error
    study.refresh_from_db()
    assert not study.is_paused


def test_an_exclusion_before_a_look_is_made_lets_it_wait_for_somebody_else(study):
    sessions = add_participants(study, 8)
    looks.begin_due()
    exclude(sessions[2], reason="asleep", user=None)
    assert execute(ClaimedLook.waiting()[0], ClaimedLook)
    assert SequentialLook.objects.count() == 0
    add_participants(study, 1, first=8)
    (look,) = made(study)
    assert look.people == 8
    assert "P0002" not in json.loads(look.run.report)["tables"][0]["rows"].__repr__()


def test_a_withdrawal_while_a_look_is_computed_has_it_computed_again(study):
    add_participants(study, 9)
    looks.begin_due()
    claim = ClaimedLook.claim(ClaimedLook.waiting()[0])
    outcome = claim.compute(lambda share, note: None)
    withdraw(Participant.objects.get(pseudonym="P0003"), by_participant=True)
    claim.conclude(outcome)
    look = SequentialLook.objects.get()
    assert (look.decision, look.status) == ("", "queued")
    assert execute(look.pk, ClaimedLook)
    report = SequentialLook.objects.get().run.report
    assert "P0003" not in report
    assert "P0008" in report


def test_an_effect_that_the_model_does_not_have_leaves_a_sentence_and_the_study_open(study):
    Study.objects.filter(pk=study.pk).update(plan=planned(effect="genre"))
    add_participants(study, 8)
    (look,) = made(study)
    assert look.decision == "untested"
    assert "it has marker, order and marker:order" in look.error
    study.refresh_from_db()
    assert not study.is_paused


def test_the_report_says_the_decision_and_what_the_looks_make_of_the_effect(study):
    add_participants(study, 8)
    (look,) = made(study)
    report = json.loads(look.run.report)
    decision, corrected = report["sentences"][:2]
    assert decision.startswith("The sequential plan stopped at look 1 of 3, with 8 people: for marker p < .001")
    assert "Corrected for the looks, marker1: b = " in corrected
    assert "looks at 8, 12 and 16 people" in report["notes"][-1]
    row = next(table for table in report["tables"] if table["name"] == "sequential")["rows"][0]
    fixed = next(table for table in report["tables"] if table["name"] == "fixed")
    line = next(
        dict(zip([c["name"] for c in fixed["columns"]], r, strict=True)) for r in fixed["rows"] if r[0] == "marker1"
    )
    # Before the first look there was none, so nothing is to be corrected.
    assert row[2:6] == pytest.approx([line["estimate"], line["ci_low"], line["ci_high"], line["p"]], rel=1e-6)


def test_a_study_closed_before_its_number_is_looked_at_a_last_time_when_somebody_asks(study):
    without_an_effect(study)
    add_participants(study, 10)
    made(study)
    assert looks.end_now(study, study.owner) is None
    Study.objects.filter(pk=study.pk).update(status=Study.Status.CLOSED)
    study.refresh_from_db()
    last = looks.end_now(study, study.owner)
    assert (last.people, last.spent, last.is_last) == (10, 0.05, True)
    assert looks.end_now(study, study.owner) is None
    _first, second = made(study)
    assert second.decision == "ended"
    assert "Recruitment ended before the planned number" in json.loads(second.run.report)["notes"][-1]


def test_looking_outside_the_plan_is_written_down_and_said_in_the_report(study):
    without_an_effect(study)
    add_participants(study, 8)
    made(study)
    run = request_run(study, method="lmm", params={"formula": FORMULA}, user=study.owner)
    assert AuditEntry.objects.filter(study=study, action=outside.ACTION, user=study.owner).count() == 1
    assert execute(run.pk)
    run.refresh_from_db()
    (warning, *_) = json.loads(run.report)["warnings"]
    assert warning.startswith(
        "This analysis looked at the data outside the sequential plan of the study, of which 1 of"
    )


def test_texts_and_studies_without_a_sequential_plan_have_nothing_to_unblind(study):
    add_participants(study, 8)
    assert outside.would_unblind(study, "trials")
    assert not outside.would_unblind(study, "texts")
    other = make_study("other")
    add_participants(other, 2)
    assert not outside.would_unblind(other, "trials")


def test_the_task_that_sweeps_makes_looks(study):
    add_participants(study, 8)
    sweep()
    assert SequentialLook.objects.get(study=study).decision == "found"


def test_a_table_without_participants_is_refused_in_a_sentence(study):
    from analysis.data.frames import people_data

    with pytest.raises(BadInput, match="does not name participants"):
        people_data(study, "texts", ["P0001"])


def test_the_report_of_a_look_is_made_stale_by_an_exclusion_and_not_by_those_who_come_later(study):
    from analysis.studies.changes import Changes

    sessions = add_participants(study, 8)
    (look,) = made(study)
    add_participants(study, 2, first=30)
    assert look.run is not None
    assert Changes(study).since(look.run) == ""
    exclude(Session.objects.get(pk=sessions[0].pk), reason="asleep", user=None)
    assert "The data have changed since" in Changes(study).since(look.run)
