"""Rules over the answers of a questionnaire end a session before anything is decided for it."""

from __future__ import annotations

from typing import Any

import pytest

from experiments.models import Part, Study
from experiments.study.opening import opening_faults
from participants.models import Session
from tests.participants.part_studies import study_of_parts
from tests.participants.studies import Browser, result_for

QUESTIONS = [
    {"name": "age", "label": "How old are you?", "kind": "number", "required": True},
    {"name": "told", "label": "What do you give each sentence?", "kind": "choice", "choices": ["a number", "a name"],
     "required": True, "expected": "a number"},
]  # fmt: skip
YOUNG = {"question": "age", "operator": "below", "value": 18, "outcome": "screened-out"}
FAILED = {"question": "check_failed", "operator": "at-least", "value": 1, "outcome": "failed-check"}

pytestmark = pytest.mark.django_db


def screening_study(rules: list[dict[str, Any]], *, attempts: int = 1) -> Study:
    study = study_of_parts()
    Part.objects.filter(study=study, name="background").update(
        questions=QUESTIONS, settings={"screening": rules, "attempts": attempts}
    )
    study.refresh_from_db()
    return study


def outcome_of(study: Study, seed: int, payload: dict[str, Any]) -> str:
    browser = Browser(study, seed=seed)
    browser.start()
    browser.open()
    [asked] = browser.trials
    assert asked["plugin"] == "background-questions"
    sent = browser.send({**result_for(asked), "payload": payload})
    assert sent.status_code == 200, sent.content
    answer = browser.post("session/advance/", {}).json()
    assert bool(answer["trials"]) == (answer["outcome"] == "")
    return str(answer["outcome"])


def test_whoever_a_rule_names_ends_kindly_and_everybody_else_goes_on() -> None:
    study = screening_study([YOUNG])
    assert outcome_of(study, 1, {"answers": {"age": 17, "told": "a number"}}) == "screened-out"
    assert outcome_of(study, 2, {"answers": {"age": 18, "told": "a number"}}) == ""
    assert sorted(Session.objects.values_list("outcome", flat=True)) == ["", "screened-out"]


def test_a_check_fails_only_when_the_second_attempt_fails_too() -> None:
    study = screening_study([FAILED], attempts=2)
    wrong, right = {"answers": {"age": 20, "told": "a name"}}, {"answers": {"age": 20, "told": "a number"}}
    assert outcome_of(study, 1, {**wrong, "earlier_attempts": [wrong]}) == "failed-check"
    assert outcome_of(study, 2, {**right, "earlier_attempts": [wrong]}) == ""


def test_rules_that_nobody_can_pass_are_said_before_opening() -> None:
    study = screening_study([{**YOUNG, "value": 30}, {**YOUNG, "operator": "above", "value": 20}])
    Study.objects.update(status="draft")
    study.refresh_from_db()
    assert any(": everybody who answers is excluded." in fault.message for fault in opening_faults(study))
