"""Comprehension questions with choices: columns of the materials, planning, measures and session flags.

The browser gets the choices in random order, without the correct one.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from experiments.paradigms.base import Measure, StimulusColumn
from experiments.paradigms.pieces.displays import early_field
from experiments.paradigms.pieces.fields import percentage
from experiments.paradigms.pieces.payloads import CountField, DurationField, ExactPayload
from experiments.sentences import Sentence

QUESTION_COLUMNS = (
    StimulusColumn("question", "A question about the text; empty where none is asked."),
    StimulusColumn("choices", "The answers to choose from, separated by |; they are shown in random order."),
    StimulusColumn("answer", "The right one of the choices."),
)
QUESTION_MEASURES = (
    Measure("question", "text", "The question that was asked about the text."),
    Measure("question_answer", "text", "The choice that was taken."),
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


def planned_question(extra: Mapping[str, Any], rng: random.Random) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    """Return the question for the browser, with its choices in random order, and its private part."""
    choices = choices_in(extra)
    if not extra.get("question") or not choices:
        return None, {}
    rng.shuffle(choices)
    private = {"right_choice": choices.index(str(extra.get("answer", "")).strip())}
    return {"prompt": str(extra["question"]).strip(), "choices": choices}, private


def question_measures(params: Mapping[str, Any], answer: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the measures of an answered question; none if nothing was asked.

    `params` holds what was planned, together with its private part where that is known.
    """
    question = params["question"]
    if question is None or answer is None:
        return {}
    right = params.get("right_choice")
    return {
        "question": question["prompt"],
        "question_answer": question["choices"][answer["choice"]],
        "question_correct": None if right is None else answer["choice"] == right,
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
    return {"choice": choice, "rt_ms": round(rng.lognormvariate(7.2, 0.35), 3)}


class AnsweredQuestion(ExactPayload):
    """Which choice was taken, counted from 0, and after how long."""

    choice = CountField()
    rt_ms = DurationField()
    early = early_field()


def question_payload_faults(asked: Mapping[str, Any] | None, answer: Mapping[str, Any] | None) -> str:
    """Return what is wrong with an answer, given the question or None if none was asked; empty if nothing is.

    >>> question_payload_faults(None, {"choice": 0, "rt_ms": 900.0})
    'There was no question to answer.'
    """
    if (asked is None) != (answer is None):
        return "A question was asked and not answered." if answer is None else "There was no question to answer."
    if asked is not None and answer is not None and answer["choice"] >= len(asked["choices"]):
        return "There is no such choice."
    return ""
