"""Several rating questions are planned as one family by one click, and their p adjusted by Holm over them."""

from __future__ import annotations

import pandas as pd
import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse

from analysis.methods.columns import declared_table
from analysis.methods.report import Report
from analysis.studies.families import adjusted, families_of
from analysis.views.asking import suggestions
from experiments.models import Study
from experiments.paradigms import paradigm_named
from experiments.paradigms.base import Paradigm
from experiments.rules.plan import complete_plan, plan_faults
from tests.analysis.studies import make_study

pytestmark = pytest.mark.django_db
ANOVA = declared_table("anova", "Effects", "Of every effect.", "effect p")
SCALES: list[dict[str, object]] = [
    {"name": name, "text": "How good?", "kind": "scale", "points": 5, "labels": [], "required": True}
    for name in ("fluency", "focus")
]


@pytest.fixture
def draft(client):
    owner = get_user_model().objects.create_user("owner", is_staff=True)
    client.force_login(owner)
    study = make_study(owner=owner)
    study.paradigm, study.settings, study.status = "rating", {"questions": SCALES}, Study.Status.DRAFT
    study.save()
    return study


def test_the_first_analyses_of_all_questions_become_one_family_once(client, draft):
    page = client.get(reverse("analysis:plan", args=[draft.slug])).text
    assert "Plan all questions as one family" in page
    for _ in range(2):
        client.post(reverse("analysis:plan_family", args=[draft.slug]))
    draft.refresh_from_db()
    planned = draft.plan["analyses"]
    assert [(one["method"], one["family"]) for one in planned] == [("ordinal", "questions")] * 2
    assert all(one["params"]["tests"] == "f" for one in planned)
    page = client.get(reverse("analysis:plan", args=[draft.slug])).text
    assert "Plan all questions as one family" not in page
    assert "In the family “questions”" in page
    (family,) = families_of(draft, draft.owner)
    assert (family.waiting, family.lines) == (2, ())


def test_a_suggestion_has_its_measured_rate_beside_it(client, draft):
    page = client.get(reverse("analysis:plan", args=[draft.slug])).text
    assert "Significant without an effect in" in page
    methods = [one.method for one in suggestions(draft)]
    assert methods[:2] == ["ordinal", "ordinal"]
    assert {"lmm", "rm-anova", "min-f", "friedman", "tukey"} <= set(methods[2:])


def test_p_is_adjusted_over_the_questions_of_an_effect():
    """p.adjust(c(.01, .04), "holm") of R is .02, .04; p.adjust(c(.2, .3), "holm") is .4, .4."""
    reports = {
        title: Report(tables=(ANOVA.of(pd.DataFrame({"effect": ["a", "b"], "p": p})),))
        for title, p in (("one", [0.01, 0.2]), ("other", [0.04, 0.3]))
    }
    found = {(line["effect"], line["title"]): line["p_holm"] for line in adjusted(reports)}
    assert found == pytest.approx({("a", "one"): 0.02, ("a", "other"): 0.04, ("b", "one"): 0.4, ("b", "other"): 0.4})


def test_a_family_is_a_short_text_and_stays_in_the_plan():
    plan = {"analyses": [{"method": "lmm", "params": {}, "family": "questions"}]}
    tasks: dict[str, tuple[Paradigm, dict[str, object]]] = {"task": (paradigm_named("rating"), {})}
    assert plan_faults(plan, tasks=tasks) == []
    assert complete_plan(plan)["analyses"][0]["family"] == "questions"
    (fault,) = plan_faults({"analyses": [{"method": "lmm", "family": 3}]}, tasks=tasks)
    assert "'family' must be a text" in fault.message
