"""Questions about texts with keys, an order, feedback in practice and a deadline, in both paradigms that have them."""

from __future__ import annotations

import random
from typing import Any

import pytest

from experiments.paradigms import paradigm_named
from experiments.paradigms.base import ShownStimulus
from experiments.paradigms.pieces.comprehension import question_payload_faults
from experiments.rules.procedure import checked

ASKED = {"question": "Who barked?", "choices": "the dog|a cat|nobody", "answer": "a cat"}
RULES = {
    "question_keys": "f j k",
    "question_order": "fixed",
    "question_feedback_in_practice": True,
    "question_deadline_ms": 1500,
}
BOTH = pytest.mark.parametrize("slug", ["self-paced-reading", "mouse-contingent-reading"])


def plan(slug: str, settings: dict[str, Any], *, is_practice: bool = False, seed: int = 1) -> Any:
    paradigm = paradigm_named(slug)
    shown = [ShownStimulus(1, "The dog barked.", extra=ASKED, is_practice=is_practice)]
    return paradigm.timeline(shown, paradigm.complete_settings(settings), random.Random(seed))[0]


@BOTH
def test_without_settings_a_question_is_as_it_always_was(slug: str) -> None:
    question = plan(slug, {}).params["question"]
    assert set(question) == {"prompt", "choices"}
    orders = {tuple(plan(slug, {}, seed=seed).params["question"]["choices"]) for seed in range(60)}
    assert len(orders) == 6


@BOTH
def test_choices_stay_in_their_order_with_keys_and_feedback_is_for_practice_alone(slug: str) -> None:
    for seed in range(5):
        trial = plan(slug, RULES, seed=seed)
        question = {"prompt": "Who barked?", "choices": ["the dog", "a cat", "nobody"], "keys": ["f", "j", "k"]}
        assert trial.params["question"] == {**question, "deadline_ms": 1500}
        assert trial.private["right_choice"] == 1
    paradigm, practice = paradigm_named(slug), plan(slug, RULES, is_practice=True)
    assert practice.params["question"]["feedback"] is True
    whole = {**practice.params, **practice.private}
    assert [paradigm.check(whole, {"problem": 0, "answer": choice})["correct"] for choice in (0, 1, -1)] == [
        False, True, False,
    ]  # fmt: skip
    with pytest.raises(LookupError):
        paradigm.check({**trial.params, **trial.private}, {"problem": 0, "answer": 1})


def test_no_answer_is_one_only_where_there_is_a_deadline() -> None:
    asked = {"prompt": "?", "choices": ["a", "b"]}
    none = {"choice": None, "rt_ms": None}
    assert question_payload_faults({**asked, "deadline_ms": 900}, none) == ""
    assert question_payload_faults(asked, none) == "This question has no deadline."
    assert question_payload_faults({**asked, "deadline_ms": 900}, {"choice": 1, "rt_ms": None}) != ""
    assert question_payload_faults(asked, {"choice": 2, "rt_ms": 1.0}) == "There is no such choice."


@BOTH
def test_virtual_people_miss_short_deadlines_and_their_answers_are_taken_and_measured(slug: str) -> None:
    paradigm = paradigm_named(slug)
    trial = plan(slug, {**RULES, "question_deadline_ms": 1400 if slug == "self-paced-reading" else 3000})
    missed = 0
    for seed in range(40):
        person: Any = paradigm.virtual_participant(random.Random(seed), paradigm.complete_settings(RULES))
        given = person.answer({**trial.params, **trial.private}, {}, "i1")
        [response] = [one for name, one in paradigm.responses.items() if name == trial.plugin]
        serializer = response(data=given, context={"params": trial.params})
        assert serializer.is_valid(), serializer.errors
        assert person.answer_ms(given) > 0
        measured = paradigm.measure({**trial.params, **trial.private}, given, [])
        assert measured["question"] == "Who barked?"
        if given["question"]["choice"] is None:
            missed += 1
            assert [measured[f"question_{name}"] for name in ("answer", "correct", "ms")] == [None] * 3
        else:
            assert measured["question_correct"] is (measured["question_answer"] == "a cat")
    assert 0 < missed < 40


@BOTH
@pytest.mark.parametrize(
    ("keys", "said"),
    [("f", "two to nine"), ("f f", "different letters"), ("f shift", "different letters"), ("F ü 3", "")],
)
def test_keys_that_cannot_be_are_said(slug: str, keys: str, said: str) -> None:
    values, found = checked(paradigm_named(slug).settings_form, {"question_keys": keys})
    of_keys = [fault.message for fault in found if fault.setting == "question_keys"]
    assert [said in message for message in of_keys] == ([True] if said else [])
    if not said:
        assert values["question_keys"] == "f ü 3"


@BOTH
def test_a_question_with_more_choices_than_keys_is_said(slug: str) -> None:
    paradigm = paradigm_named(slug)
    settings = paradigm.complete_settings({**RULES, "question_keys": "f j"})
    faults = " ".join(paradigm.text_faults("The dog barked.", ASKED, settings))
    assert "The question has 3 choices, but there are keys for 2." in faults
    faults = " ".join(paradigm.text_faults("The dog barked.", ASKED, paradigm.complete_settings(RULES)))
    assert "keys" not in faults


YES_NO = {"question_choices": "Yes | No", "question_order": "fixed"}
ALL = pytest.mark.parametrize("slug", ["self-paced-reading", "mouse-contingent-reading", "maze"])


def plan_of(slug: str, extra: dict[str, str], settings: dict[str, Any]) -> Any:
    paradigm = paradigm_named(slug)
    shown = [ShownStimulus(1, "The dog barked.", extra={"distractors": "x-x-x of no", **extra})]
    return paradigm.timeline(shown, paradigm.complete_settings(settings), random.Random(1))[0]


@ALL
@pytest.mark.parametrize(("answer", "right"), [("Yes", 0), ("No\n", 1), ("n", 1), ("YES", 0)])
def test_questions_without_choices_of_their_own_have_those_of_the_settings(slug: str, answer: str, right: int) -> None:
    trial = plan_of(slug, {"question": "Did it bark?", "answer": answer}, YES_NO)
    assert trial.params["question"]["choices"] == ["Yes", "No"]
    assert trial.private["right_choice"] == right


@ALL
@pytest.mark.parametrize(
    ("row", "settings", "said"),
    [
        ({"question": "Who?", "answer": "Ann"}, {}, "has no choices"),
        ({"question": "Who?", "answer": "Ann"}, YES_NO, "The answer 'Ann' to 'Who?' is not one of Yes, No."),
    ],
)
def test_a_question_that_cannot_be_asked_is_said_before_opening(
    slug: str, row: dict[str, str], settings: dict[str, Any], said: str
) -> None:
    paradigm = paradigm_named(slug)
    extra = {"distractors": "x-x-x of no", **row}
    assert paradigm.stimulus_faults("The dog barked.", extra) == []
    faults = paradigm.text_faults("The dog barked.", extra, paradigm.complete_settings(settings))
    assert said in " ".join(map(str, faults))


@ALL
def test_an_answer_without_a_question_asks_nothing(slug: str) -> None:
    assert plan_of(slug, {"question": "", "answer": "Yes"}, YES_NO).params["question"] is None
    assert (
        paradigm_named(slug).stimulus_faults("The dog barked.", {"distractors": "x-x-x of no", "answer": "Yes"}) == []
    )


@BOTH
def test_feedback_comes_in_the_main_trials_only_where_that_is_asked_for(slug: str) -> None:
    main = plan(slug, {"question_feedback_in_main": True})
    assert main.params["question"]["feedback"] is True
    assert "feedback" not in plan(slug, {"question_feedback_in_main": True}, is_practice=True).params["question"]
