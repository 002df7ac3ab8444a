"""Comprehension questions with choices: columns of the materials, planning, measures and session flags.

The browser gets the choices in random order, without the correct one.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from experiments.paradigms.base import Measure, StimulusColumn
from experiments.paradigms.pieces.displays import early_field
from experiments.paradigms.pieces.fields import milliseconds, percentage, switch
from experiments.paradigms.pieces.payloads import CountField, DurationField, ExactPayload
from experiments.sentences import Sentence

QUESTION_COLUMNS = (
    StimulusColumn("question", "A question about the text; empty where none is asked."),
    StimulusColumn("choices", "The answers to choose from, separated by |; they are shown in random order."),
    StimulusColumn("answer", "The right one of the choices."),
)
QUESTION_MEASURES = (
    Measure("question", "text", "The question that was asked about the text."),
    Measure("question_answer", "text", "The choice that was taken; empty where the time ran out."),
    Measure("question_correct", "boolean", "Whether it is the right one."),
    Measure("question_ms", "number", "From the onset of the question to the answer.", "ms"),
)


def comprehension_threshold_field() -> forms.IntegerField:
    """Return the field `comprehension_threshold`: the accuracy below which a session is flagged."""
    return percentage(
        _("Flag sessions with fewer than … % right answers"),
        0,
        _("To the questions about the texts. 0 flags nobody. Flagged sessions are never excluded by this."),
    )


RANDOM, AS_WRITTEN = "random", "fixed"
MOST_CHOICES = 9


class QuestionKeysField(forms.CharField):
    """The keys of the choices from the first to the last, separated by spaces; empty for none of their own."""

    def clean(self, value: Any) -> str:
        keys = str(super().clean(value)).casefold().split()
        if any(len(key) != 1 or not key.isalnum() for key in keys) or len(set(keys)) < len(keys):
            raise forms.ValidationError(_("Name different letters or digits, separated by spaces, such as: f j."))
        if len(keys) == 1 or len(keys) > MOST_CHOICES:
            raise forms.ValidationError(_("Name a key for each choice: two to nine."))
        return " ".join(keys)


def question_keys_field(otherwise: Any) -> QuestionKeysField:
    """Return the field `question_keys`; `otherwise` says how questions are answered without keys."""
    return QuestionKeysField(label=_("Keys of the choices"), required=False, initial="", help_text=otherwise)


def question_order_field() -> forms.ChoiceField:
    """Return the field `question_order`: whether choices are shuffled."""
    return forms.ChoiceField(
        label=_("Order of the choices"),
        choices=[(RANDOM, _("at random, for every text")), (AS_WRITTEN, _("as in the materials"))],
        initial=RANDOM,
        help_text=_("Keys go with places: with choices at random, a key means another choice for every text."),
    )


def question_feedback_field() -> forms.BooleanField:
    """Return the field `question_feedback_in_practice`."""
    return switch(
        _("Feedback on questions in practice"), False, _("Practice says after each question whether it was right.")
    )


def question_deadline_field() -> forms.IntegerField:
    """Return the field `question_deadline_ms`."""
    return milliseconds(
        _("Deadline of questions in milliseconds"), 0, _("Then the question ends without an answer. 0 means none.")
    )


def question_setting_faults(extra: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
    """Return what is wrong with the question of a row under these settings.

    >>> question_setting_faults({"question": "Who?", "choices": "Ann|Bea|Cleo"}, {"question_keys": "f j"})
    ['The question has 3 choices, and there are keys for 2.']
    """
    keys, choices = str(settings.get("question_keys", "")).split(), choices_in(extra)
    if not keys or not extra.get("question") or len(choices) <= len(keys):
        return []
    return [
        Sentence("The question has {n} choices, and there are keys for {keys}.", n=len(choices), keys=len(keys)),
    ]


def checked_question(params: Mapping[str, Any], asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return whether an answer to the question of a text is right: `{"correct": …}` for `{"answer": choice}`.

    Raises LookupError where the text gives no feedback.
    """
    question, right = params.get("question"), params.get("right_choice")
    if right is None or not question or not question.get("feedback"):
        raise LookupError("This text gives no feedback.")
    return {"correct": asked["answer"] == right}


def choices_in(extra: Mapping[str, Any]) -> list[str]:
    """Return the choices of a row of the materials.

    >>> choices_in({"choices": "Yes | No"})
    ['Yes', 'No']
    """
    return [choice.strip() for choice in str(extra.get("choices", "") or "").split("|") if choice.strip()]


def question_faults(extra: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return (column, sentence) for each fault of a row's question, whose three columns are only valid together.

    >>> question_faults({"question": "Who came?", "choices": "Ann|Bea", "answer": "Cleo"})
    [('answer', 'The right answer must be one of the choices, in the same words.')]
    """
    question, answer = str(extra.get("question", "")).strip(), str(extra.get("answer", "")).strip()
    choices = choices_in(extra)
    if not (question or answer or choices):
        return []
    if not question:
        return [("question", Sentence("There are choices or an answer, but no question."))]
    if not 2 <= len(choices) <= 9:
        return [("choices", Sentence("A question needs two to nine choices, separated by |."))]
    if len(set(choices)) < len(choices):
        return [("choices", Sentence("A choice is there twice."))]
    if answer not in choices:
        return [("answer", Sentence("The right answer must be one of the choices, in the same words."))]
    return []


def planned_question(
    extra: Mapping[str, Any],
    rng: random.Random,
    settings: Mapping[str, Any] | None = None,
    *,
    is_practice: bool = False,
) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    """Return the question for the browser, with its choices in their order, and its private part.

    Keys, a deadline and feedback are in it where the settings have them.

    >>> row = {"question": "Who came?", "choices": "Bea|Ann", "answer": "Ann"}
    >>> planned_question(row, random.Random(1), {"question_keys": "f j", "question_order": "fixed"})
    ({'prompt': 'Who came?', 'choices': ['Bea', 'Ann'], 'keys': ['f', 'j']}, {'right_choice': 1})
    """
    settings = settings or {}
    choices = choices_in(extra)
    if not extra.get("question") or not choices:
        return None, {}
    if settings.get("question_order") != AS_WRITTEN:
        rng.shuffle(choices)
    private = {"right_choice": choices.index(str(extra.get("answer", "")).strip())}
    question: dict[str, Any] = {"prompt": str(extra["question"]).strip(), "choices": choices}
    if keys := str(settings.get("question_keys", "")).split():
        question["keys"] = keys[: len(choices)]
    if settings.get("question_deadline_ms"):
        question["deadline_ms"] = settings["question_deadline_ms"]
    if is_practice and settings.get("question_feedback_in_practice"):
        question["feedback"] = True
    return question, private


def question_measures(params: Mapping[str, Any], answer: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the measures of an answered question; none if nothing was asked.

    `params` holds what was planned, together with its private part where that is known.
    """
    question = params["question"]
    if question is None or answer is None:
        return {}
    right, choice = params.get("right_choice"), answer["choice"]
    return {
        "question": question["prompt"],
        "question_answer": None if choice is None else question["choices"][choice],
        "question_correct": None if right is None or choice is None else choice == right,
        "question_ms": answer["rt_ms"],
    }


def comprehension_of(answered: Iterable[tuple[Mapping[str, Any], Mapping[str, Any]]]) -> float | None:
    """Return the accuracy over (parameters, payload) of trials; None without answers.

    >>> asked = {"question": {"prompt": "Who?", "choices": ["Ann", "Bea"]}, "right_choice": 1}
    >>> comprehension_of([(asked, {"question": {"choice": 1, "rt_ms": 900.0}}), (asked, {"question": None})])
    1.0
    """
    right = [
        correct
        for params, payload in answered
        if (correct := question_measures(params, payload["question"]).get("question_correct")) is not None
    ]
    return sum(right) / len(right) if right else None


def comprehension_flags(quality: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
    """Return sentences that say why a session is flagged for its accuracy in `quality`; empty if it is not.

    >>> comprehension_flags({"comprehension": 0.5}, {"comprehension_threshold": 80})
    ['fewer than 80 % of the questions about the texts were answered rightly']
    """
    least, comprehension = settings.get("comprehension_threshold") or 0, quality.get("comprehension")
    if least and comprehension is not None and 100 * comprehension < least:
        return [
            Sentence("fewer than {least} of the questions about the texts were answered rightly", least=f"{least} %"),
        ]
    return []


def simulated_question(params: Mapping[str, Any], *, attention: float, rng: random.Random) -> dict[str, Any] | None:
    """Return the answer of a virtual participant: correct with probability `attention`, otherwise a guess."""
    question = params["question"]
    if question is None:
        return None
    right = params.get("right_choice")
    guessed = rng.randrange(len(question["choices"]))
    choice = right if right is not None and rng.random() < attention else guessed
    rt_ms = round(rng.lognormvariate(7.2, 0.35), 3)
    if rt_ms > question.get("deadline_ms", math.inf):
        return {"choice": None, "rt_ms": None}
    return {"choice": choice, "rt_ms": rt_ms}


class AnsweredQuestion(ExactPayload):
    """Which choice was taken, counted from 0, and after how long; null where the time ran out."""

    choice = CountField(allow_null=True)
    rt_ms = DurationField(allow_null=True)
    early = early_field()


def question_payload_faults(asked: Mapping[str, Any] | None, answer: Mapping[str, Any] | None) -> str:
    """Return what is wrong with an answer, given the question or None if none was asked; empty if nothing is.

    >>> question_payload_faults(None, {"choice": 0, "rt_ms": 900.0})
    'There was no question to answer.'
    """
    if (asked is None) != (answer is None):
        return "A question was asked and not answered." if answer is None else "There was no question to answer."
    if asked is None or answer is None:
        return ""
    if (answer["choice"] is None) != (answer["rt_ms"] is None):
        return "An answer has a choice and a time."
    if answer["choice"] is None:
        return "" if asked.get("deadline_ms") else "This question has no deadline."
    if answer["choice"] >= len(asked["choices"]):
        return "There is no such choice."
    return ""
