"""A question about a text with choices, one of them right: the columns of the materials, and what an answer yields.

The browser gets the choices in random order and never learns which is right.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from experiments.paradigms.base import Measure, StimulusColumn

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


def choices_in(extra: Mapping[str, Any]) -> list[str]:
    """Return the choices of a row of the materials.

    >>> choices_in({"choices": "Yes | No"})
    ['Yes', 'No']
    """
    return [choice.strip() for choice in str(extra.get("choices", "") or "").split("|") if choice.strip()]


def question_faults(extra: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return (column, sentence) for what is wrong with the question of a row: its three columns need each other.

    >>> question_faults({"question": "Who came?", "choices": "Ann|Bea", "answer": "Cleo"})
    [('answer', 'The right answer must be one of the choices, in the same words.')]
    """
    question, answer = str(extra.get("question", "")).strip(), str(extra.get("answer", "")).strip()
    choices = choices_in(extra)
    if not (question or answer or choices):
        return []
    if not question:
        return [("question", "There are choices or an answer, but no question.")]
    if not 2 <= len(choices) <= 9:
        return [("choices", "A question needs two to nine choices, separated by |.")]
    if len(set(choices)) < len(choices):
        return [("choices", "A choice is there twice.")]
    if answer not in choices:
        return [("answer", "The right answer must be one of the choices, in the same words.")]
    return []


def planned_question(extra: Mapping[str, Any], rng: random.Random) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    """Return the question as the browser gets it, with its choices in random order, and what it does not get."""
    choices = choices_in(extra)
    if not extra.get("question") or not choices:
        return None, {}
    rng.shuffle(choices)
    private = {"right_choice": choices.index(str(extra.get("answer", "")).strip())}
    return {"prompt": str(extra["question"]).strip(), "choices": choices}, private


def question_measures(params: Mapping[str, Any], answer: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the measures of an answered question; none where nothing was asked.

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
