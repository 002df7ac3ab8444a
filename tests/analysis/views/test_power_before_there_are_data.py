"""Power is reached from plan and design by one link, filled in from the design, and computed without any data."""

from __future__ import annotations

import pytest
from django.urls import reverse

from analysis.models import AnalysisRun
from analysis.studies.power_of_design import parameters_of
from experiments.models import Study
from tests.analysis.computed import execute
from tests.analysis.recalls import user_named
from tests.analysis.studies import make_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(client):
    made = make_study(owner=user_named("ada"))
    Study.objects.filter(pk=made.pk).update(status=Study.Status.DRAFT)
    client.force_login(made.owner)
    return made


def test_factors_items_and_lists_follow_from_the_design(study):
    given = parameters_of(study)
    assert given["design"] == "marker=2; order=2"
    assert given["n_items"] == "8"
    assert all(int(number) % study.lists.count() == 0 for number in given["n_participants"].split(","))


@pytest.mark.parametrize("page", ["analysis:plan", "study:design"])
def test_one_link_leads_from_the_draft_to_the_filled_form(client, study, page):
    link = reverse("analysis:new", args=[study.slug, "power"]) + "?from=design"
    assert link in client.get(reverse(page, args=[study.slug])).text
    form = client.get(link)
    assert "marker=2; order=2" in form.text
    assert "nothing to analyse" not in form.text


def test_what_the_form_holds_runs_once_effect_and_spread_are_stated(client, study):
    address = reverse("analysis:new", args=[study.slug, "power"])
    form = client.get(f"{address}?from=design").context["form"]
    begun = {field.name: field.value() for field in form if field.value() not in (None, False)}
    params = {
        **begun,
        "effect": "marker=0.4",
        "sds": "participant=0.3; item=0.2; residual=0.5",
        "simulations": "20",
    }
    answer = client.post(address, params)
    assert answer.status_code == 302, answer.context["form"].errors
    run = AnalysisRun.objects.get()
    execute(run.pk)
    run.refresh_from_db()
    assert (run.status, run.error) == ("done", "")


def test_without_factors_there_is_no_link(client, study):
    study.parts.update(factors=[])
    assert "?from=design" not in client.get(reverse("analysis:plan", args=[study.slug])).text
