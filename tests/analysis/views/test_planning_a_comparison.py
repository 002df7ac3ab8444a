"""A planned analysis on `pairs` names the other study, which may be made later, and runs by one click."""

import pytest
from django.urls import reverse

from analysis.models import AnalysisRun
from analysis.studies.asking import request_run
from analysis.studies.planned import standing_of
from analysis.views.asking import suggestions
from experiments.models import Study
from experiments.paradigms import paradigm_named
from experiments.rules.plan import complete_plan, plan_faults
from tests.analysis.coding.test_tables import make_ratings
from tests.analysis.recalls import add_recalls, make_recall_study, user_named
from tests.analysis.studies import make_study

pytestmark = pytest.mark.django_db
PARAMS = {"x": "difference_z", "y": "difference_score", "how": "spearman"}
PLANNED = {"title": "H3", "method": "correlation", "table": "pairs", "params": PARAMS, "other_study": "ratings"}
NOT_THERE = "does not exist yet or which you may not see"


@pytest.fixture
def study(client):
    study = make_recall_study()
    client.force_login(study.owner)
    return study


def draft(study):
    Study.objects.filter(pk=study.pk).update(status=Study.Status.DRAFT)


def planned(study, **changes):
    add_recalls(study, 2)
    Study.objects.filter(pk=study.pk).update(plan={"analyses": [{**PLANNED, **changes}]})
    study.refresh_from_db()


def own(study, other):
    Study.objects.filter(pk=other.pk).update(owner=study.owner)
    return other


def plan_page(client, study):
    return client.get(reverse("analysis:plan", args=[study.slug])).text


def run_planned(client, study):
    return client.post(reverse("analysis:run_planned", args=[study.slug, 0]), follow=True)


def plan_form(study):
    return reverse("analysis:plan_new", args=[study.slug, "correlation"])


def test_the_name_of_a_study_that_is_not_there_yet_can_be_planned(client, study):
    draft(study)
    page = client.get(f"{plan_form(study)}?table=pairs").text
    assert 'name="other_study"' in page
    client.post(plan_form(study), {"study_table": "pairs", **PARAMS, "other_study": "ratings-to-come"})
    study.refresh_from_db()
    (analysis,) = study.plan["analyses"]
    assert analysis["other_study"] == "ratings-to-come"
    page = plan_page(client, study)
    assert "pairs.csv, ratings-to-come" in page
    assert NOT_THERE in page.replace("&#x27;", "'")


def test_a_suggestion_on_pairs_asks_for_the_study_and_keeps_its_title(client, study):
    draft(study)
    page = plan_page(client, study)
    assert "Name the other study" in page
    index = page.split("?suggested=")[1].split('"')[0]
    form = client.get(f"{plan_form(study)}?suggested={index}").text
    assert f'name="suggested" value="{index}"' in form
    offer = suggestions(study)[int(index)]
    given = {"study_table": "pairs", **offer.params, "how": "spearman", "other_study": "ratings", "suggested": index}
    client.post(plan_form(study), given)
    study.refresh_from_db()
    assert (study.plan["analyses"][0]["title"], study.plan["analyses"][0]["other_study"]) == (offer.title, "ratings")
    assert plan_page(client, study).count("Name the other study") == page.count("Name the other study") - 1


@pytest.mark.parametrize(("slug", "words"), [("no name", "short name has letters"), ("recall", "with itself")])
def test_a_name_that_cannot_be_one_is_refused_and_nothing_is_planned(client, study, slug, words):
    draft(study)
    answer = client.post(plan_form(study), {"study_table": "pairs", **PARAMS, "other_study": slug})
    assert answer.status_code == 422
    assert words in answer.text
    assert f'value="{slug}"' in answer.text
    study.refresh_from_db()
    assert study.plan == {}


def test_a_study_without_ratings_is_refused(client, study):
    draft(study)
    own(study, make_recall_study("recall-too"))
    answer = client.post(plan_form(study), {"study_table": "pairs", **PARAMS, "other_study": "recall-too"})
    assert "has no rating_z" in answer.text


def test_it_is_run_by_one_click_with_the_study_that_was_named(client, study):
    planned(study)
    own(study, make_ratings(study))
    assert "Choose the other study" not in plan_page(client, study)
    run_planned(client, study)
    run = AnalysisRun.objects.get()
    assert (run.table, run.other_study.slug, standing_of(run)) == ("pairs", "ratings", "planned")


def test_a_study_that_is_missing_and_one_of_somebody_else_give_the_same_sentence(client, study):
    planned(study)
    missing = run_planned(client, study).text
    other = make_ratings(study)
    Study.objects.filter(pk=other.pk).update(owner=user_named("ruth"))
    of_others = run_planned(client, study).text
    for page in (missing, of_others, plan_page(client, study)):
        assert NOT_THERE in page
    assert not AnalysisRun.objects.exists()


def test_a_run_with_another_study_than_the_planned_one_is_exploratory(client, study):
    planned(study)
    own(study, make_ratings(study))
    second = own(study, make_study("ratings-too"))
    run = request_run(study, method="correlation", params=PARAMS, user=study.owner, table="pairs", other=second)
    assert standing_of(run) == "exploratory"


def test_a_plan_that_names_no_study_counts_for_any(client, study):
    planned(study, other_study="")
    other = own(study, make_ratings(study))
    assert "Choose the other study" in plan_page(client, study)
    run = request_run(study, method="correlation", params=PARAMS, user=study.owner, table="pairs", other=other)
    assert standing_of(run) == "planned"


def test_a_name_with_a_table_that_needs_no_other_study_is_said(client, study):
    planned(study, method="normalise", table="trials", params={"dv": "score"})
    own(study, make_ratings(study))
    assert "do not name another study" in plan_page(client, study)


@pytest.mark.parametrize("name", [3, None, ["ratings"], "two words", "x" * 61, "a\x00"])
def test_a_name_that_is_none_is_a_fault_of_the_plan(name):
    faults = plan_faults(
        {"analyses": [{**PLANNED, "other_study": name}]}, tasks={"task": (paradigm_named("sentence-recall"), {})}
    )
    assert ["'other_study' must be the short name" in str(fault) for fault in faults] == [True]


def test_the_name_stays_in_the_plan_and_an_empty_one_is_left_out():
    assert complete_plan({"analyses": [PLANNED]})["analyses"] == [PLANNED]
    assert "other_study" not in complete_plan({"analyses": [{**PLANNED, "other_study": ""}]})["analyses"][0]
