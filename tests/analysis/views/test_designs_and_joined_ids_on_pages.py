"""What stands before a result on pages: the design in words, ids that are joined, and which analysis is primary."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse

from analysis.models import AnalysisRun
from analysis.studies.asking import request_run
from experiments.models import Study
from tests.analysis.computed import execute
from tests.analysis.studies import add_participants, make_study

pytestmark = pytest.mark.django_db
DESIGN = "marker and order: within participants and items; 8 participants × 8 items, each pair once."
FIRST = {"dv": "rating_z", "within": "marker,order"}
SECOND = {"formula": "rating_log ~ marker * order + (1 | participant) + (1 | item)"}


@pytest.fixture
def study(client):
    owner = get_user_model().objects.create_user("ada", is_staff=True)
    client.force_login(owner)
    study = make_study(owner=owner)
    add_participants(study, 8)
    return study


def report_of(study, method, params):
    run = request_run(study, method=method, params=params, user=study.owner)
    execute(run.pk)
    run.refresh_from_db()
    assert run.status == AnalysisRun.Status.DONE, run.error
    return run


def test_a_report_begins_with_its_design_on_the_page_and_in_its_files(client, study):
    run = report_of(study, "rm-anova", FIRST)
    page = client.get(reverse("analysis:run", args=[study.slug, run.pk])).text
    assert DESIGN in page
    assert page.index(DESIGN) < page.index("main effect of marker")
    assert json.loads(run.report)["design"] == DESIGN
    alone = client.get(reverse("analysis:run_file", args=[study.slug, run.pk, "report.html"]))
    assert DESIGN in b"".join(alone).decode() if alone.streaming else alone.text


def test_joined_ids_are_offered_and_used(client, study):
    address = reverse("analysis:new", args=[study.slug, "rm-anova"])
    assert '<option value="list:participant">list:participant</option>' in client.get(address).text
    given = {"dv": "rating_z", "within": ["marker"], "participant": "list:participant", "intervals": "within"}
    answer = client.post(address, {**given, "unit": "participant", "item": "item", "confidence": "0.95"})
    run = AnalysisRun.objects.get()
    assert (answer.status_code, run.params["participant"]) == (302, "list:participant")
    execute(run.pk)
    run.refresh_from_db()
    assert "8 participants" in json.loads(run.report)["design"]
    # The form that repeats a run keeps what was chosen.
    again = client.get(f"{address}?run={run.pk}").text
    assert '<option value="list:participant" selected>' in again


def test_the_first_of_several_planned_ways_to_a_measure_is_primary(client, study):
    ways = [
        {"title": "F1", "method": "rm-anova", "table": "trials", "params": FIRST},
        {"title": "Mixed model", "method": "lmm", "table": "trials", "params": SECOND},
    ]
    Study.objects.filter(pk=study.pk).update(plan={"analyses": ways})
    study.refresh_from_db()
    page = client.get(reverse("analysis:plan", args=[study.slug])).text
    assert "the plan analyses this measure in 2 ways" in page
    assert "The same measure as the primary analysis:" in page
    said = [json.loads(report_of(study, way["method"], way["params"]).report)["warnings"] for way in ways]
    assert [any("“F1” is the primary one" in text for text in told) for told in said] == [False, True]
