"""The analyse pages: an analysis runs on the table that was chosen, and compares only with studies one may see."""

import re

import pytest
from django.urls import reverse

from analysis.models import AnalysisRun
from analysis.studies.planned import standing_of
from experiments.models import Study
from tests.analysis.coding.test_tables import make_ratings
from tests.analysis.recalls import make_coded_study, user_named

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    return make_coded_study()


@pytest.fixture
def rated(study):
    rated = make_ratings(study)
    Study.objects.filter(pk=rated.pk).update(owner=study.owner)
    return rated


@pytest.fixture
def researcher(client, study):
    client.force_login(study.owner)
    return client


def new(study, method, query=""):
    return reverse("analysis:new", args=[study.slug, method]) + query


def test_codes_are_counted_in_the_codings_unless_another_table_is_chosen(researcher, study):
    page = researcher.get(new(study, "incidence")).content.decode()
    assert '<option value="codings" selected>' in page
    assert 'name="study_table" value="codings"' in page
    page = researcher.get(new(study, "incidence", "?table=trials")).content.decode()
    assert 'name="study_table"' not in page


def test_a_run_is_on_the_table_of_the_form(researcher, study):
    given = {"study_table": "codings", "codes": "codes", "by": "formulation", "where": "role=final"}
    assert researcher.post(new(study, "incidence"), given).status_code == 302
    run = AnalysisRun.objects.get()
    assert (run.table, run.params["where"]) == ("codings", "role=final")
    page = researcher.get(reverse("analysis:run", args=[study.slug, run.pk])).content.decode()
    assert "codings.csv, SHA-256" in page or run.is_unfinished


def test_a_table_that_is_not_there_is_not_found(researcher, study):
    assert researcher.get(new(study, "incidence", "?table=visits")).status_code == 404
    assert researcher.post(new(study, "incidence"), {"study_table": "visits"}).status_code == 404


def test_pairs_ask_for_the_study_with_the_ratings(researcher, study, rated):
    page = researcher.get(new(study, "correlation", "?table=pairs")).content.decode()
    assert f'<option value="{rated.slug}">' in page
    given = {"study_table": "pairs", "x": "difference_z", "y": "difference_score", "how": "spearman"}
    refused = researcher.post(new(study, "correlation"), given)
    assert refused.status_code == 422
    assert "choose the study with the ratings" in refused.content.decode()
    assert researcher.post(new(study, "correlation"), {**given, "other_study": rated.slug}).status_code == 302
    run = AnalysisRun.objects.get()
    assert (run.table, run.other_study) == ("pairs", rated)


def test_a_suggestion_on_pairs_leads_to_the_choice_of_the_study(researcher, study, rated):
    page = researcher.get(reverse("analysis:analyse", args=[study.slug])).content.decode()
    assert "Choose the other study" in page
    index = page.split("?suggested=")[1].split('"')[0]
    page = researcher.get(new(study, "correlation", f"?suggested={index}")).content.decode()
    assert '<option value="pairs" selected>' in page


def test_studies_of_others_can_neither_be_chosen_nor_named(researcher, study, rated):
    Study.objects.filter(pk=rated.pk).update(owner=user_named("somebody"))
    page = researcher.get(new(study, "correlation", f"?table=pairs&other={rated.slug}")).content.decode()
    assert f'value="{rated.slug}"' not in page
    given = {"study_table": "pairs", "x": "difference_z", "y": "difference_score", "other_study": rated.slug}
    assert researcher.post(new(study, "correlation"), {**given, "how": "spearman"}).status_code == 422
    assert not AnalysisRun.objects.exists()


def test_a_run_again_keeps_its_table_and_asks_whether_one_may_still_see_the_other_study(researcher, study, rated):
    given = {"study_table": "pairs", "x": "difference_z", "y": "difference_score", "other_study": rated.slug}
    researcher.post(new(study, "correlation"), {**given, "how": "spearman"})
    run = AnalysisRun.objects.get()
    again = reverse("analysis:again", args=[study.slug, run.pk])
    page = researcher.get(new(study, "correlation", f"?run={run.pk}")).content.decode()
    assert f'<option value="{rated.slug}" selected>' in page
    Study.objects.filter(pk=rated.pk).update(owner=user_named("somebody"))
    page = researcher.post(again, follow=True).content.decode()
    assert "You are not in the study that is compared" in page
    assert AnalysisRun.objects.count() == 1


def test_a_planned_analysis_on_pairs_leads_to_the_choice_of_the_study(researcher, study, rated):
    params = {"x": "difference_z", "y": "difference_score", "how": "spearman"}
    planned = {"title": "H3", "method": "correlation", "table": "pairs", "params": params}
    Study.objects.filter(pk=study.pk).update(plan={"analyses": [planned]})
    form = new(study, "correlation", "?planned=0")
    assert f'href="{form}"' in researcher.get(reverse("analysis:plan", args=[study.slug])).text
    assert researcher.post(reverse("analysis:run_planned", args=[study.slug, 0])).url == form
    page = researcher.get(form).text
    assert '<option value="pairs" selected>' in page
    assert f'<option value="{rated.slug}">' in page
    assert re.search('value="difference_score"[^>]* (selected|checked)', page)
    given = {"study_table": "pairs", "x": "difference_z", "y": "difference_score", "other_study": rated.slug}
    researcher.post(new(study, "correlation"), {**given, "how": "spearman"})
    assert standing_of(AnalysisRun.objects.get()) == "planned"


@pytest.mark.parametrize("query", ["?planned=7", "?planned=²", "?suggested=²", "?run=²", "?run=99999999999999999999"])
def test_an_address_that_names_nothing_gives_an_empty_form(researcher, study, query):
    assert researcher.get(new(study, "correlation", query)).status_code == 200
