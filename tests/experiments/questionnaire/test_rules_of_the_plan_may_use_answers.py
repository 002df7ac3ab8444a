"""Rules of the plan leave people out by answers, scores and failed checks, and name what they cannot mean."""

from typing import Any

from experiments.questionnaire.scores import all_values, all_variables
from experiments.rules.exclusion_rules import described, judge, rule_faults

QUESTIONS: list[dict[str, Any]] = [
    {"name": "age", "label": "Age?", "kind": "number"},
    {"name": "native", "label": "Native language?", "kind": "choice", "choices": ["English", "other"]},
    {"name": "calm", "label": "Calm?", "kind": "scale", "points": 5, "score": {"scale": "mood", "how": "sum"}},
    {"name": "attend", "label": "Choose 2.", "kind": "scale", "points": 5, "expected": 2},
]


def rule(question, operator, value=None):
    return {"rule": "answer", "question": question, "operator": operator, "value": value}


def verdict(rules, **answers):
    return judge(rules, [], {}, all_values(QUESTIONS, answers)).session


def test_an_answer_leaves_somebody_out_with_the_rule_as_reason():
    assert verdict([rule("age", "below", 18)], age=17) == "planned rule: answer: 'age' is below 18"
    assert verdict([rule("age", "below", 18)], age=18) == ""


def test_nobody_is_left_out_for_an_answer_that_was_not_given():
    assert verdict([rule("native", "is-not", "English")], native=None, attend=2) == ""
    assert verdict([rule("native", "not-answered")], native=None, attend=2) != ""


def test_scores_and_failed_checks_serve_as_well():
    assert verdict([rule("score_mood", "above", 3)], calm=4, attend=2) != ""
    assert verdict([rule("check_failed", "at-least", 1)], calm=4, attend=3) != ""
    assert verdict([rule("check_failed", "at-least", 1)], calm=4, attend=2) == ""


def test_rules_on_answers_may_be_stated_more_than_once():
    rules = [rule("age", "below", 18), rule("age", "above", 80)]
    assert rule_faults(rules, measures={}, variables=all_variables(QUESTIONS)) == []
    assert described(rules[1]) == "answer: 'age' is above 80"


def test_a_rule_on_what_nobody_is_asked_is_a_fault():
    [fault] = rule_faults([rule("aeg", "below", 18)], measures={}, variables=all_variables(QUESTIONS))
    assert "Exclusion rule 1 ('answer')" in str(fault)
    assert "Did you mean 'age'?" in str(fault)
    [fault] = rule_faults([rule("native", "is", "Englisch")], measures={}, variables=all_variables(QUESTIONS))
    assert "can never be 'Englisch'. Did you mean 'English'?" in str(fault)
