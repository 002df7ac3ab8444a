"""Screening rules and attempts of a questionnaire are edited on a page; what nobody could pass is refused."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from experiments.models import Part, Study

pytestmark = pytest.mark.django_db

QUESTIONS = [
    {"name": "age", "label": "How old are you?", "kind": "number", "required": True},
    {"name": "home", "label": "Language?", "kind": "choice", "choices": ["English", "2"], "required": True},
    {"name": "two", "label": "Choose b.", "kind": "choice", "choices": ["a", "b"], "expected": "b"},
]


@pytest.fixture
def client(ready: Study, client_of: Any) -> Any:
    Part.objects.create(study=ready, name="about", kind="questionnaire", position=0, questions=QUESTIONS)
    return client_of("owner", ready)


def given(*rules: dict[str, str], attempts: str = "1") -> dict[str, str]:
    form = {"rules-TOTAL_FORMS": str(len(rules)), "rules-INITIAL_FORMS": "0", "attempts": attempts}
    for number, rule in enumerate(rules):
        form |= {f"rules-{number}-{name}": value for name, value in {"outcome": "screened-out", **rule}.items()}
    return form


def stored() -> dict[str, Any]:
    settings: dict[str, Any] = Part.objects.get(name="about").settings
    return settings


def test_rules_are_stored_with_values_as_the_questions_have_them(ready: Study, client: Any) -> None:
    page = reverse("study:screening", args=[ready.slug, "about"])
    assert "No rules. Everybody continues after any answer." in client.get(page).text
    answer = client.post(
        page,
        given(
            {"question": "age", "operator": "below", "value": "18"},
            {"question": "home", "operator": "is-not", "value": "2", "message": "Sorry."},
            {"question": "check_failed", "operator": "at-least", "value": "1", "outcome": "failed-check"},
            attempts="2",
        ),
    )
    assert answer.status_code == 302, answer.text
    assert stored() == {
        "screening": [
            {"question": "age", "operator": "below", "value": 18, "outcome": "screened-out"},
            {"question": "home", "operator": "is-not", "value": "2", "outcome": "screened-out", "message": "Sorry."},
            {"question": "check_failed", "operator": "at-least", "value": 1, "outcome": "failed-check"},
        ],
        "attempts": 2,
    }
    shown = client.get(page).text
    assert 'value="18"' in shown
    form = given(
        {"question": "age", "operator": "below", "value": "18", "DELETE": "on"},
        {"question": "home", "operator": "is-not", "value": "2", "message": "Sorry."},
        {"question": "check_failed", "operator": "at-least", "value": "1", "DELETE": "on"},
    )
    assert client.post(page, {**form, "rules-INITIAL_FORMS": "3"}).status_code == 302
    assert [rule["question"] for rule in stored()["screening"]] == ["home"]
    assert "attempts" not in stored()


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        (
            [
                {"question": "age", "operator": "below", "value": "30"},
                {"question": "age", "operator": "above", "value": "20"},
            ],
            ": everybody who answers is excluded.",
        ),
        ([{"question": "home", "operator": "is", "value": "Engl"}], "can never be"),
        ([{"question": "age", "operator": "below", "value": ""}], "Enter the answer to compare with."),
        ([{"question": "age", "operator": "includes", "value": "3"}], " is not possible for "),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_stored(
    ready: Study, client: Any, rules: list[dict[str, str]], said: str
) -> None:
    answer = client.post(reverse("study:screening", args=[ready.slug, "about"]), given(*rules))
    assert answer.status_code == 422
    assert said in answer.text
    assert stored() == {}


def test_rules_of_questions_that_are_gone_are_said(ready: Study, client: Any) -> None:
    rule = {"question": "shoes", "operator": "is", "value": "red", "outcome": "screened-out"}
    Part.objects.filter(name="about").update(settings={"screening": [rule]})
    assert (
        "there is no answer &#x27;shoes&#x27;"
        in client.get(reverse("study:screening", args=[ready.slug, "about"])).text
    )


def test_without_questions_the_page_leads_to_them(ready: Study, client: Any) -> None:
    Part.objects.filter(name="about").update(questions=[])
    page = client.get(reverse("study:screening", args=[ready.slug, "about"])).text
    assert "Write the questions first" in page
    assert reverse("study:part_questions", args=[ready.slug, "about"]) in page


def test_a_task_has_no_such_page(ready: Study, client: Any) -> None:
    assert client.get(reverse("study:screening", args=[ready.slug, ready.task.name])).status_code == 404


def test_an_open_study_keeps_its_rules(ready: Study, client: Any) -> None:
    Study.objects.filter(pk=ready.pk).update(status=Study.Status.OPEN)
    page = reverse("study:screening", args=[ready.slug, "about"])
    assert "Save the rules" not in client.get(page).text
    client.post(page, given({"question": "age", "operator": "below", "value": "18"}))
    assert stored() == {}
