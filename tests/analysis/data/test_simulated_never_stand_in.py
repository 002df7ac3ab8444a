"""Simulated participants enter an analysis by choice alone once people took part, and every page says the same."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from analysis.exports.rows.flow import study_flow
from analysis.models import AnalysisRun
from analysis.studies.asking import request_run
from analysis.studies.planned import run_of, standing_of
from participants.models import Response
from participants.session.planned_exclusion import people_have_answered
from tests.analysis.computed import execute
from tests.analysis.studies import add_participants, make_study

pytestmark = pytest.mark.django_db
F2: dict[str, Any] = {
    "method": "rm-anova",
    "table": "trials",
    "title": "F2",
    "params": {"dv": "rating", "within": "marker", "unit": "item"},
}
PLAN = {"exclusion_rules": [{"rule": "fast-participant", "ms": 200, "share": 0.5}], "analyses": [F2]}


@pytest.fixture
def study(owner):
    study = make_study(plan=PLAN, owner=owner)
    add_participants(study, 8, first=100, simulated=True)
    return study


@pytest.fixture
def owner(django_user_model):
    return django_user_model.objects.create_user("owner", password="a long password", is_staff=True)


def left_out_by_a_rule(study):
    """Let one person take part whom the plan leaves out."""
    (session,) = add_participants(study, 1)
    Response.objects.filter(trial__session=session).update(rt_ms=100.0)
    return session


def run(study, **params):
    asked = request_run(study, method="rm-anova", params={**F2["params"], **params}, user=study.owner)
    execute(asked.pk)
    return AnalysisRun.objects.get(pk=asked.pk)


def page(client, study, name, *arguments):
    client.force_login(study.owner)
    return client.get(reverse(f"analysis:{name}", args=[study.slug, *arguments])).content.decode()


def test_before_anybody_took_part_the_plan_can_be_tried_out_and_is_labelled_simulated(client, study):
    tried = run(study)
    assert tried.status == AnalysisRun.Status.DONE
    assert standing_of(tried) == "simulated"
    shown = page(client, study, "run", tried.pk)
    assert "Simulated data." in shown
    assert "As fixed when the study opened" not in shown
    assert "All of these data are simulated" in page(client, study, "analyse")
    assert study_flow(study)[0].people == 8


def test_one_person_whom_the_plan_leaves_out_is_not_replaced(client, study):
    tried = run(study)
    left_out_by_a_rule(study)
    assert people_have_answered(study)
    refused = run(study)
    assert refused.status == AnalysisRun.Status.FAILED
    assert "Nobody is left to analyse" in refused.error
    assert "keep=simulated" in refused.error
    shown = page(client, study, "analyse")
    assert "analyses leave them out" in shown
    assert "1 is excluded" in shown
    assert [stage.people for stage in study_flow(study)] == [1, 1, 0, 0, 0]
    assert run_of(study, F2, study.owner) is None, "a trial run on simulated data is no run of the plan any more"
    assert standing_of(tried) == "simulated"


def test_simulated_participants_are_analysed_on_purpose_and_labelled(client, study):
    left_out_by_a_rule(study)
    chosen = run(study, keep="simulated")
    assert chosen.status == AnalysisRun.Status.DONE
    assert standing_of(chosen) == "simulated"
    assert "Simulated data." in page(client, study, "run", chosen.pk)


def test_a_report_stays_labelled_by_what_it_rests_on(client, study):
    tried = run(study)
    add_participants(study, 8)
    real = run(study)
    assert (standing_of(tried), standing_of(real)) == ("simulated", "planned")
    assert "Simulated data." not in page(client, study, "run", real.pk)


def test_somebody_who_did_not_finish_is_nobody_yet(study):
    add_participants(study, 1, stop_after=5)
    assert not people_have_answered(study)
    assert run(study).status == AnalysisRun.Status.DONE
    assert study_flow(study)[2].people == 8
