"""Validate, measure and simulate the answers to rating questions.

Shared by several paradigms. The browser side is `frontend/src/ratings/`; questions are defined in `rating_questions`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from typing import Any

from rest_framework import serializers

from experiments.formats.numbers import MAX_CHARACTERS, NotANumber, number_from
from experiments.paradigms.base import Measure
from experiments.paradigms.pieces.error_spans import (
    MAX_SPANS,
    MarkedSpan,
    fault_of_spans,
    measured_spans,
    simulated_spans,
    span_measures,
)
from experiments.paradigms.pieces.payloads import CountField, DurationField, ExactPayload, NumberField, TextField
from experiments.paradigms.pieces.rating_questions import ERROR_SPANS, SLIDER_MAXIMUM

Answers = Mapping[str, Mapping[str, Any]]


class RatingAnswer(ExactPayload):
    """The answer to one question; `rating` is null where an optional question was left out."""

    rating = NumberField(allow_null=True)
    rt_ms = DurationField(allow_null=True)
    changes = CountField()
    # The typed text, only for magnitude estimation.
    typed = TextField(max_length=100, allow_null=True)
    # Only for error spans, whose `rating` is the score, or null if none was asked.
    spans = serializers.ListField(child=MarkedSpan(), max_length=MAX_SPANS, required=False)


class RatingsField(serializers.DictField):
    """The answers to the rating questions of a trial, by their names.

    `questions` names the trial parameter that holds the questions. For error spans, the parameter `words` holds the
    words of the text.
    """

    def __init__(self, *, questions: str = "questions", **options: Any) -> None:
        super().__init__(child=RatingAnswer(), **options)
        self.questions = questions

    def to_internal_value(self, data: Any) -> Any:
        answers = super().to_internal_value(data)
        params = self.context["params"]
        faults = rating_answer_faults(params[self.questions], answers, words=params.get("words", ()))
        if faults:
            raise serializers.ValidationError(faults)
        return answers


def rating_answer_faults(
    questions: Sequence[Mapping[str, Any]], answers: Answers, *, words: Sequence[str] = ()
) -> list[str]:
    """Return one sentence for every invalid answer."""
    asked = {question["name"]: question for question in questions}
    faults = [f"There is no question '{name}'." for name in answers if name not in asked]
    for name, question in asked.items():
        if name not in answers:
            faults.append(f"The question '{name}' is missing.")
            continue
        fault = _fault_of_answer(question, answers[name], words)
        if fault:
            faults.append(f"The answer to '{name}' {fault}")
    return faults


def _fault_of_answer(question: Mapping[str, Any], answer: Mapping[str, Any], words: Sequence[str]) -> str:
    rating, typed = answer["rating"], answer["typed"]
    if question["kind"] != "magnitude" and typed is not None:
        return "cannot have been typed."
    if question["kind"] == ERROR_SPANS:
        fault = fault_of_spans(question, answer, words)
        if fault or rating is None:
            return fault
    elif "spans" in answer:
        return "cannot have marked errors."
    if rating is None:
        if question["required"]:
            return "is missing."
        return "is missing, but has a time." if answer["rt_ms"] is not None else ""
    if answer["rt_ms"] is None:
        return "has no time."
    match question["kind"]:
        case "magnitude":
            return _fault_of_number(rating, typed)
        case "scale":
            if rating not in range(1, question["points"] + 1):
                return f"must be a point from 1 to {question['points']}."
        case _:
            if not 0 <= rating <= SLIDER_MAXIMUM:
                return f"must be from 0 to {SLIDER_MAXIMUM}."
    return ""


def _fault_of_number(rating: float, typed: str | None) -> str:
    if typed is None:
        return "lacks the text that was typed."
    try:
        meant = number_from(typed)
    except NotANumber as refusal:
        return f"is not an acceptable number: {refusal.reason}."
    return "" if meant == rating else f"was typed as {meant!r}, not {rating!r}."


def rating_measures(questions: Sequence[Mapping[str, Any]]) -> tuple[Measure, ...]:
    """Return the measures of rating questions: `<name>`, `<name>_rt_ms`, `<name>_changes`, and `<name>_typed` for
    magnitude estimation; those of error spans says `span_measures`.
    """
    measures: list[Measure] = []
    for question in questions:
        name, text, kind = question["name"], question["text"], question["kind"]
        if kind == ERROR_SPANS:
            measures += span_measures(question, ends=_range(question))
            continue
        measures += [
            Measure(
                name,
                "integer" if kind == "scale" else "number",
                f"Rating: “{text}” ({_range(question)}); empty where it was left out.",
                values=tuple(str(point) for point in range(1, question["points"] + 1)) if kind == "scale" else (),
            ),
            Measure(
                f"{name}_rt_ms",
                "number",
                f"From the onset of the page with the question '{name}' to its last answer, or to the confirmation "
                "where it was asked on a page of its own.",
                "ms",
            ),
            Measure(f"{name}_changes", "integer", f"How often the answer to '{name}' was changed.", "changes"),
        ]
        if kind == "magnitude":
            measures.append(
                Measure(
                    f"{name}_typed",
                    "text",
                    f"The text as it was typed for '{name}', up to {MAX_CHARACTERS} characters.",
                    has_own_words=True,
                )
            )
    return tuple(measures)


def _range(question: Mapping[str, Any]) -> str:
    labels = question["labels"]
    ends = f", {labels[0]} to {labels[-1]}" if labels else ""
    match question["kind"]:
        case "magnitude":
            return "magnitude estimation without a modulus"
        case "scale":
            return f"1 to {question['points']}{ends}"
    return f"slider, 0 to {SLIDER_MAXIMUM}{ends}"


def measured_ratings(questions: Sequence[Mapping[str, Any]], answers: Answers) -> dict[str, Any]:
    """Return the measures that `rating_measures` declares for the answers to its questions.

    >>> question = {"name": "focus", "text": "?", "kind": "scale", "points": 5, "labels": [], "required": True}
    >>> measured_ratings([question], {"focus": {"rating": 4.0, "rt_ms": 900.0, "changes": 0, "typed": None}})
    {'focus': 4, 'focus_rt_ms': 900.0, 'focus_changes': 0}
    """
    measured: dict[str, Any] = {}
    for question in questions:
        name, answer = question["name"], answers[question["name"]]
        if question["kind"] == ERROR_SPANS:
            measured |= measured_spans(question, answer)
            continue
        rating = answer["rating"]
        whole = question["kind"] == "scale" and rating is not None
        measured[name] = int(rating) if whole else rating
        measured[f"{name}_rt_ms"] = answer["rt_ms"]
        measured[f"{name}_changes"] = answer["changes"]
        if question["kind"] == "magnitude":
            measured[f"{name}_typed"] = answer["typed"]
    return measured


class SimulatedRater:
    """How one simulated participant uses scales: individual location and width, noise, and pace.

    An answer is derived from a latent goodness in standard deviations: 0 is an average text, 1 a good one. In magnitude
    estimation the logarithm of the number is linear in it; on scales and sliders the position between the ends is its
    logistic function. So known effects can be recovered from every kind of answer.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.shift = rng.gauss(0, 0.4)
        self.width = rng.lognormvariate(0, 0.15)
        self.noise = 0.5 * rng.lognormvariate(0, 0.2)
        self.anchor = rng.choice((5, 10, 10, 50, 100))
        self.pace_ms = rng.lognormvariate(7.8, 0.3)

    def answers(
        self, questions: Sequence[Mapping[str, Any]], goodness: float, *, words: Sequence[str] = ()
    ) -> dict[str, dict[str, Any]]:
        """Return the answers to the questions about a text of this goodness; `words` are the words that can be
        marked.
        """
        return {question["name"]: self.answer(question, goodness, words=words) for question in questions}

    def answer(self, question: Mapping[str, Any], goodness: float, *, words: Sequence[str] = ()) -> dict[str, Any]:
        """Return the answer to one question."""
        if question["kind"] == ERROR_SPANS:
            return self._marked(question, goodness, words)
        if not question["required"] and self.rng.random() < 0.03:
            return {"rating": None, "rt_ms": None, "changes": 0, "typed": None}
        felt = self.shift + self.width * goodness + self.rng.gauss(0, self.noise)
        typed = None
        share = 1 / (1 + math.exp(-felt))
        match question["kind"]:
            case "magnitude":
                typed = f"{max(0.1, self.anchor * math.exp(0.4 * felt)):.1f}"
                rating = number_from(typed)
            case "scale":
                rating = 1.0 + min(question["points"] - 1, math.floor(share * question["points"]))
            case _:
                rating = float(round(share * SLIDER_MAXIMUM))
        time = round(self.pace_ms * self.rng.lognormvariate(0, 0.4), 1)
        return {"rating": rating, "rt_ms": time, "changes": int(self.rng.random() < 0.08), "typed": typed}

    def _marked(self, question: Mapping[str, Any], goodness: float, words: Sequence[str]) -> dict[str, Any]:
        """Return marked errors, more in worse texts, and the score if one is asked, as on a slider."""
        slider = self.answer({**question, "kind": "slider", "required": True}, goodness)
        badness = 1 - slider["rating"] / SLIDER_MAXIMUM
        spans = simulated_spans(question, words, badness=badness, rt_ms=slider["rt_ms"], rng=self.rng)
        return {**slider, "rating": slider["rating"] if question["score"] else None, "spans": spans}
