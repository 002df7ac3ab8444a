"""Analyses are called by the question that they answer, in both languages; internal names stay in settings."""

from __future__ import annotations

import re
from string import Formatter

import pytest
from django.urls import reverse
from django.utils.translation import gettext, override

from analysis.codebook.questions import Words, question
from analysis.exports.of_task import through_task
from analysis.methods.registry import analyses, method_named
from analysis.studies.possible import facts_of, group_labels, grouped
from analysis.views.asking import question_of_suggestion, suggestions
from experiments.labels import LABELS
from experiments.study_files import read_toml, store_description
from experiments.study_files.examples import example_studies
from participants.models import Session
from tests.analysis.studies import add_participants, make_study
from tests.analysis.views.test_analysis_pages import logged_in, person

pytestmark = pytest.mark.django_db
LANGUAGES = ("en", "de")
FIELDS = {"measure", "factors", "units", "x", "y", "signal"}


def fields(template: str) -> set[str]:
    return {name for _text, name, _spec, _conversion in Formatter().parse(template) if name}


@pytest.mark.parametrize("slug", list(analyses()))
def test_every_method_asks_a_question_in_both_languages_and_has_a_group(slug: str) -> None:
    method = method_named(slug)
    assert method.question, "A method declares what it answers."
    assert fields(method.question[-1]) == set(), "The last template is the question without any data."
    assert method.group in group_labels()
    assert method.group
    for template in method.question:
        assert fields(template) <= FIELDS
        assert template[0].isupper()
        assert "?" in template
        with override("de"):
            german = gettext(template)
        assert german != template
        assert fields(german) == fields(template)
        assert "?" in german


def test_every_label_is_the_subject_of_a_sentence_in_both_languages() -> None:
    with override("de"):
        german = {label: gettext(label) for label in LABELS.values()}
    assert [label for label in german if not label.startswith("the ")] == []
    assert [label for label, said in german.items() if not said.startswith(("der ", "die ", "das "))] == []


@pytest.mark.parametrize("example", example_studies(), ids=lambda example: example.slug)
def test_every_suggestion_of_every_example_reads_as_a_sentence(example, django_user_model) -> None:
    owner = django_user_model.objects.create_user("owner", is_staff=True)
    study = store_description(read_toml(example.path), user=owner, origin="example")
    for name in study.analysed_tasks:
        task = through_task(study, name)
        offered = suggestions(task)
        for language in LANGUAGES:
            with override(language):
                asked = [question_of_suggestion(task, one) for one in offered]
            for said in asked:
                assert not set("_=~|") & set(said), said
                assert said[0].isupper(), said
                assert "?" in said, said
                assert "selected rows" not in said.lower(), said
                assert "{" not in said
            assert len(set(asked)) == len(asked), "Two suggestions cannot be told apart."


@pytest.mark.parametrize(
    ("method", "params", "said"),
    [
        (
            "rm-anova",
            {"dv": "rating", "within": "connective,order", "unit": "participant"},
            "Does the rating differ by connective and order? By participants (F1)",
        ),
        ("tukey", {"dv": "rating_z", "within": ["a", "b"], "unit": "item"}, "All pairs, by items (F2)"),
        ("lmm", {"formula": "log(rt_ms) ~ 1 + (1 | item)"}, "How much does the reaction time (log) vary"),
        (
            "glmm",
            {"formula": "correct ~ `word class` + (1 | item)"},
            "accuracy of the answer depend on word class?",
        ),
        ("correlation", {"x": "difference_z", "y": "difference_score"}, "Are the difference in acceptability and the"),
        ("proportions", {"success": "code_3,code_4"}, "Which is more frequent: code 3 and code 4?"),
        ("rm-anova", {"dv": "rt_ms", "where": "rt_ms < 2000 and list = 2"}, "Reaction time below 2000, list 2: Does"),
        ("rm-anova", {"dv": "rt_ms", "where": "rt_ms ?? 3"}, "Selected rows: Does a measure differ"),
    ],
)
def test_any_parameters_make_a_question(method: str, params: dict[str, str], said: str) -> None:
    assert said in question(method_named(method), params, Words())


def test_pages_show_questions_and_fold_the_settings_away(client) -> None:
    study = make_study(owner=person("owner"))
    add_participants(study, 8)
    study.labels = {"marker": {"label": "connective"}}
    study.save(update_fields=["labels"])
    logged_in(client, study.owner)
    page = client.get(reverse("analysis:analyse", args=[study.slug])).text
    assert "Does the log rating depend on connective and order? Linear mixed model" in page
    open_text = re.sub(r"<details.*?</details>", "", page, flags=re.DOTALL)
    assert not re.search(r"rating_z|rating_log|dv =|line_slope", open_text)
    assert "formula = rating_log ~ marker*order" in page


def test_what_a_study_cannot_use_says_why_and_is_not_among_the_groups(client) -> None:
    study = make_study(owner=person("owner"))
    groups, impossible = grouped(study, analyses())
    reasons = {one.method.slug: one.reason for one in impossible}
    assert {"agreement", "reading", "preference", "consistency"} <= reasons.keys()
    assert all(reasons.values())
    offered = {one.method.slug for group in groups for one in group.offered}
    assert {"rm-anova", "lmm", "power"} <= offered
    assert offered.isdisjoint(reasons)
    assert offered | reasons.keys() == analyses().keys()
    add_participants(study, 8)
    page = logged_in(client, study.owner).get(reverse("analysis:analyse", args=[study.slug])).text
    assert reasons["agreement"] in page
    assert page.index("Not possible with this study") < page.index(reasons["agreement"])


def test_whatever_a_method_needs_is_known() -> None:
    study = make_study(owner=person("owner"))
    known = facts_of(study).keys()
    assert {need for method in analyses().values() for need in method.needs} <= known
    assert Session.objects.count() == 0
