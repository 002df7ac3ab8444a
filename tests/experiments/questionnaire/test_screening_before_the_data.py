"""Screening: which rule ends a session, what waits for the second attempt, and rules that nobody can pass."""

from typing import Any

import pytest

from experiments.questionnaire.ready import ready_questions
from experiments.rules.screening import Attempts, screening_faults, screening_outcome

AGE = {"name": "age", "label": "Age?", "kind": "number", "required": True}
NATIVE: dict[str, Any] = {
    "name": "native", "label": "Native?", "kind": "choice", "choices": ["English", "German", "other"], "required": True,
}  # fmt: skip
KNOWS = {"name": "knows", "label": "Which?", "kind": "several", "choices": ["a", "b"], "required": True}


def rule(question, operator, value=None, outcome="screened-out", message="Thank you."):
    return {"question": question, "operator": operator, "value": value, "outcome": outcome, "message": message}


def faults(questions, *rules):
    return [str(fault) for fault in screening_faults(questions, list(rules))]


def test_the_first_rule_that_applies_decides_with_its_message():
    rules = [rule("age", "below", 18, message="Only adults."), rule("native", "is-not", "English")]
    found = screening_outcome([AGE, NATIVE], {"age": 17, "native": "German"}, rules)
    assert (found.outcome, found.message, found.rule) == ("screened-out", "Only adults.", 1)
    assert screening_outcome([AGE, NATIVE], {"age": 18, "native": "German"}, rules).rule == 2
    assert screening_outcome([AGE, NATIVE], {"age": 18, "native": "English"}, rules) is None


def test_a_check_of_the_instructions_fails_only_with_the_last_attempt():
    questions = ready_questions("comprehension-check", "en")
    wrong = {question["name"]: question["choices"][-1] for question in questions}
    rules = [rule("check_failed", "at-least", 1, outcome="failed-check")]
    assert screening_outcome(questions, wrong, rules, Attempts(made=1, allowed=2)) is None
    assert screening_outcome(questions, wrong, rules, Attempts(made=2, allowed=2)).outcome == "failed-check"
    right = {question["name"]: question["expected"] for question in questions}
    assert screening_outcome(questions, right, rules, Attempts(made=2, allowed=2)) is None


def test_somebody_who_does_not_answer_is_screened_only_by_a_rule_about_that():
    question = {**AGE, "required": False}
    assert screening_outcome([question], {"age": None}, [rule("age", "below", 18)]) is None
    assert screening_outcome([question], {"age": None}, [rule("age", "not-answered")]) is not None


@pytest.mark.parametrize(
    ("questions", "rules"),
    [
        ([AGE], [rule("age", "below", 30), rule("age", "above", 20)]),
        ([AGE], [rule("age", "at-most", 20), rule("age", "above", 20)]),
        ([NATIVE], [rule("native", "is", choice) for choice in NATIVE["choices"]]),
        ([NATIVE], [rule("native", "is", "German"), rule("native", "is-not", "German")]),
        ([KNOWS], [rule("knows", "includes", "a"), rule("knows", "excludes", "a")]),
        ([{**AGE, "required": False}], [rule("age", "below", 30), rule("age", "above", 20)]),
    ],
)
def test_rules_that_leave_nobody_are_named_together(questions, rules):
    [fault] = faults(questions, *rules)
    assert fault.startswith("Screening rules 1 and 2")
    assert ": everybody who answers is excluded." in fault


@pytest.mark.parametrize(
    ("questions", "rules"),
    [
        ([AGE], [rule("age", "below", 20), rule("age", "above", 30)]),
        ([AGE], [rule("age", "below", 20), rule("age", "above", 20)]),
        ([NATIVE], [rule("native", "is", "German"), rule("native", "is", "other")]),
        ([KNOWS], [rule("knows", "includes", "a")]),
        ([{**AGE, "required": False}], [rule("age", "answered")]),
    ],
)
def test_rules_that_somebody_can_pass_are_sound(questions, rules):
    assert faults(questions, *rules) == []


def test_every_fault_of_rules_is_said_at_once():
    said = faults(
        [NATIVE],
        rule("nativ", "is", "x"),
        rule("native", "is", "Germn"),
        {**rule("native", "is", "German"), "outcome": "out"},
    )
    assert [text.split(":")[0] for text in said] == ["Screening rule 1", "Screening rule 2", "Screening rule 3"]
    assert "Did you mean 'native'?" in said[0]
    assert "Did you mean 'German'?" in said[1]
