"""The plan step: stated in a draft, fixed by opening, and held against every report afterwards."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth import get_user_model
from django.http import HttpResponse
from django.urls import reverse

from analysis.exports.rows.flow import study_flow
from analysis.models import AnalysisRun
from analysis.studies.asking import request_run
from analysis.studies.planned import standing_of
from experiments.models import Membership, Study
from experiments.paradigms import paradigm_named
from experiments.rules.plan import MAX_ANALYSES, complete_plan, plan_faults
from experiments.study.lifecycle import save_plan
from participants.models import Response, Session
from tests.analysis.computed import execute
from tests.analysis.studies import add_participants, make_study
from tests.participants.part_studies import add_task

pytestmark = pytest.mark.django_db
ME = paradigm_named("magnitude-estimation")
# The place of the ANOVA by participants among what is suggested.
F1 = [one.method for one in ME.suggested_analyses(["marker", "order"])].index("rm-anova")


@pytest.fixture
def owner(client):
    user = get_user_model().objects.create_user("ada", is_staff=True)
    client.force_login(user)
    return user


@pytest.fixture
def draft(owner):
    study = make_study(owner=owner)
    Study.objects.filter(pk=study.pk).update(status=Study.Status.DRAFT)
    study.refresh_from_db()
    return study


def url(name, study, *arguments):
    return reverse(f"analysis:{name}", args=[study.slug, *arguments])


def test_rules_and_hypotheses_are_saved_and_shown_again(client, draft):
    answer = client.post(
        url("plan", draft),
        {"hypotheses": "Causes first.", "fast-trial": "on", "fast-trial-ms": "250", "zero-variance": "on"},
        follow=True,
    )
    assert "The plan was saved." in answer.text
    draft.refresh_from_db()
    assert draft.plan["hypotheses"] == "Causes first."
    assert draft.plan["exclusion_rules"] == [{"rule": "zero-variance"}, {"rule": "fast-trial", "ms": 250}]
    assert 'value="250"' in answer.text


def test_of_several_tasks_a_rule_is_stated_for_each_with_its_own_number(client, draft):
    add_task(draft, "words")
    draft = Study.objects.get(pk=draft.pk)
    text = client.get(url("plan", draft)).text
    assert text.count('name="slow-trial-part"') == 1
    assert "slow-trial-2" not in text
    first = {"slow-trial": "on", "slow-trial-ms": "2000", "slow-trial-part": "words"}
    client.post(url("plan", draft), first)
    again = client.get(url("plan", draft)).text
    assert 'name="slow-trial-2-part"' in again
    second = {"slow-trial-2": "on", "slow-trial-2-ms": "60000", "slow-trial-2-part": "task"}
    twice = client.post(url("plan", draft), {**first, **second, "slow-trial-2-part": "words"})
    assert twice.status_code == 422
    assert "You stated this rule twice for this task" in twice.text
    client.post(url("plan", draft), {**first, **second})
    assert Study.objects.get(pk=draft.pk).plan["exclusion_rules"] == [
        {"rule": "slow-trial", "ms": 2000, "part": "words"},
        {"rule": "slow-trial", "ms": 60000, "part": "task"},
    ]
    client.post(url("plan", draft), second)
    assert Study.objects.get(pk=draft.pk).plan["exclusion_rules"] == [
        {"rule": "slow-trial", "ms": 60000, "part": "task"}
    ]


@pytest.mark.parametrize("number", ["", "0", "soon", "2.5"])
def test_a_rule_without_a_sound_number_is_refused_and_nothing_is_saved(client, draft, number):
    answer = client.post(url("plan", draft), {"fast-trial": "on", "fast-trial-ms": number})
    assert answer.status_code == 422
    assert "Nothing was saved yet" in answer.text
    draft.refresh_from_db()
    assert draft.plan == {}


def test_the_number_of_a_rule_that_is_not_chosen_does_not_matter(client, draft):
    assert client.post(url("plan", draft), {"fast-trial-ms": "soon"}).status_code == 302


def test_rules_that_need_another_paradigms_measures_are_not_offered(client, draft):
    text = client.get(url("plan", draft)).text
    assert "Correlation in the line training" in text
    assert "Share of sums answered correctly" not in text


def test_a_suggested_analysis_is_planned_and_taken_out_by_one_click_each(client, draft):
    client.post(url("plan_suggested", draft, F1))
    draft.refresh_from_db()
    assert [analysis["method"] for analysis in draft.plan["analyses"]] == ["rm-anova"]
    offered = client.get(url("plan", draft)).text.split('id="offered"')[1]
    assert "? By participants (F1)" not in offered
    assert "? By items (F2)" in offered
    client.post(url("unplan", draft, 0))
    draft.refresh_from_db()
    assert draft.plan["analyses"] == []
    assert client.post(url("unplan", draft, 0)).status_code == 404


def test_a_double_click_plans_nothing_twice_and_takes_out_nothing_else(client, draft):
    for index in (F1, F1, 0):
        client.post(url("plan_suggested", draft, index))
    draft.refresh_from_db()
    assert draft.plan["analyses"][0]["method"] == "rm-anova"
    assert len(draft.plan["analyses"]) == 2
    text = client.get(url("plan", draft)).text
    shown = re.findall(r'/without/0/">.*?name="shown" value="(\w+)"', text)
    assert len(shown) == 1
    for _ in range(2):
        client.post(url("unplan", draft, 0), {"shown": shown[0]})
    draft.refresh_from_db()
    assert len(draft.plan["analyses"]) == 1
    assert "Nothing was removed" in client.get(url("plan", draft)).text


def shown_by(answer: HttpResponse) -> str:
    """Return which version of the plan the form of a page shows."""
    found = re.search(r'id="plan-form">.*?name="shown" value="(\w+)"', answer.text, re.DOTALL)
    assert found
    return found[1]


def test_who_saves_an_older_plan_is_told_and_overwrites_nothing_by_accident(client, draft):
    shown = shown_by(client.get(url("plan", draft)))
    client.post(url("plan", draft), {"hypotheses": "First.", "shown": shown})
    answer = client.post(url("plan", draft), {"hypotheses": "Second.", "shown": shown})
    assert answer.status_code == 409
    assert "Somebody saved this page" in answer.text
    assert "Second." in answer.text
    draft.refresh_from_db()
    assert draft.plan["hypotheses"] == "First."
    again = shown_by(answer)
    assert client.post(url("plan", draft), {"hypotheses": "Second.", "shown": again}).status_code == 302


def test_any_method_can_be_planned_by_its_form_and_is_not_run(client, draft):
    page = client.get(url("plan_new", draft, "friedman"))
    assert "Add to the plan" in page.text
    assert "Nobody has taken part yet" not in page.text
    client.post(url("plan_new", draft, "friedman"), {"dv": "rating", "within": ["marker"], "unit": "participant"})
    draft.refresh_from_db()
    assert draft.plan["analyses"][0]["method"] == "friedman"
    assert not draft.analysis_runs.exists()


def test_an_analysis_that_cannot_be_computed_is_not_planned(client, draft):
    assert client.post(url("plan_new", draft, "friedman"), {"within": ["marker"]}).status_code == 422
    draft.refresh_from_db()
    assert draft.plan == {}


def test_opening_fixes_the_plan(client, owner):
    study = make_study(owner=owner, plan={"exclusion_rules": [{"rule": "zero-variance"}], "analyses": []})
    answer = client.post(url("plan", study), {"hypotheses": "Something else."}, follow=True)
    study.refresh_from_db()
    assert "hypotheses" not in study.plan
    assert "gave the same rating to every target" in answer.text
    assert 'id="plan-form"' not in answer.text


def test_a_viewer_reads_the_plan_and_changes_nothing(client, draft, owner):
    viewer = get_user_model().objects.create_user("bert", is_staff=True)
    Membership.objects.create(study=draft, user=viewer, role="viewer")
    client.force_login(viewer)
    assert client.get(url("plan", draft)).status_code == 200
    for name, arguments in [("plan", ()), ("plan_suggested", (0,)), ("unplan", (0,)), ("plan_new", ("friedman",))]:
        assert client.post(url(name, draft, *arguments)).status_code == 403


def test_a_planned_analysis_is_run_by_one_click(client, owner):
    plan = {"analyses": [{"title": "z", "method": "normalise", "table": "trials", "params": {"dv": "rating"}}]}
    study = make_study(owner=owner, plan=plan)
    add_participants(study, 4)
    answer = client.post(url("run_planned", study, 0))
    run = study.analysis_runs.get()
    assert answer.url == url("run", study, run.pk)
    assert standing_of(run) == "planned"
    assert client.post(url("run_planned", study, 1)).status_code == 404


def test_a_report_says_whether_it_was_planned(client, owner):
    params = {"dv": "rating_z", "within": "marker,order", "unit": "participant"}
    plan = {"analyses": [{"title": "F1", "method": "rm-anova", "table": "trials", "params": params}]}
    study = make_study(owner=owner, plan=plan)
    add_participants(study, 8)
    planned = request_run(study, method="rm-anova", params=params, user=owner)
    other = request_run(study, method="rm-anova", params={**params, "dv": "rating_log"}, user=owner)
    assert (standing_of(planned), standing_of(other)) == ("planned", "exploratory")
    for run in (planned, other):
        execute(run.pk)
    assert "Exploratory." not in client.get(url("run", study, planned.pk)).text
    assert "Report it as exploratory." in client.get(url("run", study, other.pk)).text


@pytest.mark.parametrize("value", [{"a": 1}, None, ["marker", 3], "a\x00", float("nan")])
def test_a_parameter_that_cannot_be_one_is_a_fault_of_the_plan(value):
    plan = {"analyses": [{"method": "rm-anova", "params": {"dv": "rating", "within": value}}]}
    (fault,) = plan_faults(plan, tasks={"task": (ME, {})})
    assert "the parameter 'within' must be" in fault.message


def test_a_number_in_place_of_a_column_is_said_on_the_page(client, draft):
    plan = {"analyses": [{"method": "rm-anova", "params": {"dv": "rating", "within": 3}}]}
    save_plan(draft, plan, draft.owner)
    answer = client.get(url("plan", draft))
    assert answer.status_code == 200
    assert "There is no column" in answer.text


def test_a_default_that_is_written_down_and_a_number_as_text_are_the_same_analysis(client, owner):
    params = {"formula": "rating_z ~ marker + (1|participant)", "reml": True, "confidence": 0.95}
    plan = complete_plan({"analyses": [{"method": "lmm", "params": params}]})
    study = make_study(owner=owner, plan=plan)
    add_participants(study, 2)
    same = request_run(study, method="lmm", params={"formula": params["formula"]}, user=owner)
    other = request_run(study, method="lmm", params={"formula": params["formula"], "reml": "false"}, user=owner)
    assert (standing_of(same), standing_of(other)) == ("planned", "exploratory")


def test_a_plan_that_is_full_is_said_and_kept(client, draft):
    plan = {"analyses": [{"method": "normalise", "params": {"dv": "rating"}}] * MAX_ANALYSES}
    save_plan(draft, plan, draft.owner)
    answer = client.post(url("plan_suggested", draft, 1), follow=True)
    assert f"you can plan at most {MAX_ANALYSES}" in answer.text
    draft.refresh_from_db()
    assert len(draft.plan["analyses"]) == MAX_ANALYSES


def test_the_flow_counts_people_and_trials_and_names_what_was_not_planned(client, owner):
    study = make_study(owner=owner, plan={"exclusion_rules": [{"rule": "fast-trial", "ms": 200}]})
    first, second, _third = add_participants(study, 3)
    add_participants(study, 1, first=3, stop_after=5)
    Session.objects.filter(pk=first.pk).update(is_excluded=True, exclusion_reason="knew the study")
    fast = Response.objects.filter(trial__session=second, trial__phase="main").first()
    Response.objects.filter(pk=fast.pk).update(rt_ms=100)
    stages = study_flow(study)
    people = [stage.people for stage in stages]
    assert people[1:] == [3, 2, 2, 2]
    assert stages[2].trials - stages[3].trials == 1
    assert [left.reason for left in stages[3].left_out] == ["planned rule: answered faster than 200 ms"]
    text = client.get(url("plan", study)).text
    assert "knew the study" in text
    assert text.count("not planned</span>") == 1


def test_a_planned_analysis_stays_that_with_simulations_of_its_design(client, owner):
    formula = "rating_z ~ marker + (1|participant)"
    plan = complete_plan({"analyses": [{"method": "lmm", "params": {"formula": formula}}]})
    study = make_study(owner=owner, plan=plan)
    add_participants(study, 2)
    run = request_run(study, method="lmm", params={"formula": formula}, user=owner)
    client.force_login(owner)
    answer = client.post(reverse("analysis:calibrate", args=[study.slug, run.pk]))
    made = AnalysisRun.objects.exclude(pk=run.pk).get()
    assert answer.url == reverse("analysis:run", args=[study.slug, made.pk])
    assert made.params == {**run.params, "calibrate": 2000}
    assert (standing_of(run), standing_of(made)) == ("planned", "planned")
    assert client.post(reverse("analysis:calibrate", args=[study.slug, made.pk])).status_code == 404
