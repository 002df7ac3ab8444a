"""Under Analyse the planned analyses stand first and marked; what is suggested besides is called exploratory."""

from __future__ import annotations

import pytest
from django.urls import reverse

from analysis.studies.filling import notice
from analysis.views.asking import suggestions
from experiments.models import Study
from participants.models import Simulation
from tests.analysis.recalls import user_named
from tests.analysis.studies import add_participants, make_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(client):
    made = make_study(owner=user_named("ada"))
    add_participants(made, 4)
    client.force_login(made.owner)
    return made


def test_a_planned_analysis_stands_first_and_once(client, study):
    offer = next(each for each in suggestions(study) if each.method == "min-f")
    planned = {"title": "H1: minF′", "method": offer.method, "table": offer.table, "params": dict(offer.params)}
    Study.objects.filter(pk=study.pk).update(plan={"analyses": [planned]})
    page = client.get(reverse("analysis:analyse", args=[study.slug]))
    assert page.text.index("H1: minF′") < page.text.index("Also suggested; not planned")
    assert reverse("analysis:run_planned", args=[study.slug, 0]) in page.text
    assert "min-f" not in [each.method.slug for each in page.context["suggestions"]]


def test_without_a_plan_suggestions_are_called_what_they_were(client, study):
    page = client.get(reverse("analysis:analyse", args=[study.slug])).text
    assert "Suggested for this study" in page
    assert "Planned before the study was opened" not in page


def test_the_list_of_studies_says_how_far_its_simulations_are(client, study):
    assert notice(study.owner) == ""
    Simulation.objects.create(study=study, participants=48, seed=1, done=12, status="running")
    assert "12 of 48" in notice(study.owner)
    assert "12 of 48" in client.get(reverse("study:index")).text
    assert notice(user_named("eve")) == ""
