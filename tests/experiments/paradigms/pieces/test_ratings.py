"""Answers to rating questions: checked against the questions as they were asked, measured, and simulated."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.exceptions import ValidationError

from experiments.paradigms.pieces.payloads import ExactPayload
from experiments.paradigms.pieces.rating_questions import complete_rating_question
from experiments.paradigms.pieces.ratings import RatingsField, SimulatedRater, measured_ratings, rating_measures

QUESTIONS = [
    complete_rating_question({"name": "focus", "text": "Focus?", "kind": "scale", "points": 5}),
    complete_rating_question({"name": "ease", "text": "Ease?", "kind": "slider", "required": False}),
    complete_rating_question({"name": "clarity", "text": "Clarity?", "kind": "magnitude"}),
]
ANSWERS: dict[str, dict[str, Any]] = {
    "focus": {"rating": 4, "rt_ms": 900.5, "changes": 1, "typed": None},
    "ease": {"rating": None, "rt_ms": None, "changes": 0, "typed": None},
    "clarity": {"rating": 12.5, "rt_ms": 2000.0, "changes": 0, "typed": "12,5"},
}


class Payload(ExactPayload):
    ratings = RatingsField(questions="asked")


def faults(answers):
    serializer = Payload(data={"ratings": answers}, context={"params": {"asked": QUESTIONS}})
    return "" if serializer.is_valid() else str(serializer.errors)


def changed(name, **changes):
    return {**ANSWERS, name: {**ANSWERS[name], **changes}}


def test_sound_answers_are_accepted():
    assert faults(ANSWERS) == ""


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ({**ANSWERS, "beauty": ANSWERS["focus"]}, "no question 'beauty'"),
        ({name: ANSWERS[name] for name in ("focus", "ease")}, "'clarity' is missing"),
        (changed("focus", rating=None, rt_ms=None), "'focus' is missing"),
        (changed("focus", rating=6), "point from 1 to 5"),
        (changed("focus", rating=2.5), "point from 1 to 5"),
        (changed("focus", rating=0), "point from 1 to 5"),
        (changed("focus", rt_ms=None), "no time"),
        (changed("focus", typed="4"), "cannot have been typed"),
        (changed("ease", rt_ms=5.0), "missing, but has a time"),
        (changed("ease", rating=100.5, rt_ms=5.0), "from 0 to 100"),
        (changed("clarity", typed=None), "lacks the text"),
        (changed("clarity", typed="-12,5"), "negative"),
        (changed("clarity", typed="13"), "typed as 13.0, not 12.5"),
        (changed("clarity", rating="12.5"), "A number is required"),
        (changed("clarity", rating=True), "A number is required"),
        (changed("focus", seconds=3), "no such field"),
        ([], "Expected a dictionary"),
    ],
)
def test_what_does_not_answer_the_questions_is_refused(answers, said):
    assert said in faults(answers)


def test_a_slider_answered_in_the_middle_is_an_answer():
    assert faults(changed("ease", rating=50, rt_ms=100.0)) == ""


def test_every_measure_is_declared_and_of_its_type():
    measured = measured_ratings(QUESTIONS, ANSWERS)
    declared = {measure.name: measure for measure in rating_measures(QUESTIONS)}
    assert set(measured) == set(declared)
    assert (measured["focus"], measured["ease"], measured["clarity_typed"]) == (4, None, "12,5")
    assert isinstance(measured["focus"], int)
    assert declared["focus"].values == ("1", "2", "3", "4", "5")
    assert "ease_typed" not in declared


@given(st.integers(0, 10_000), st.floats(-4, 4))
def test_simulated_answers_are_always_accepted(seed, goodness):
    answers = SimulatedRater(random.Random(seed)).answers(QUESTIONS, goodness)
    assert faults(answers) == ""


def test_better_texts_get_better_simulated_answers_of_every_kind():
    def mean(name, goodness):
        ratings = [
            SimulatedRater(random.Random(seed)).answers(QUESTIONS, goodness)[name]["rating"] for seed in range(300)
        ]
        given = [rating for rating in ratings if rating is not None]
        return sum(given) / len(given)

    for name in ("focus", "ease", "clarity"):
        assert mean(name, -1) < mean(name, 0) < mean(name, 1)


def test_the_field_reads_the_questions_of_its_own_trial():
    field = RatingsField()
    field._context = {"params": {"questions": QUESTIONS[:1]}}  # type: ignore[attr-defined]  # where the library looks
    with pytest.raises(ValidationError):
        field.run_validation(ANSWERS)
