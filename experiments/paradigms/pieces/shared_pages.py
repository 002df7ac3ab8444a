"""Pages that every paradigm can use: background questions, pages of text, breaks. What they answer and how."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from experiments.paradigms.base import TrialPlan
from experiments.paradigms.pieces.payloads import DurationField, ExactPayload, TruthField

BACKGROUND_QUESTIONS = "background-questions"
PAGES = "pages"
BREAK = "break"

MAX_ANSWER_CHARACTERS = 2_000


class BackgroundAnswers(ExactPayload):
    """One answer per question: a choice, a text or a number; null where the participant prefers not to say."""

    answers = serializers.DictField()

    def validate_answers(self, answers: dict[str, Any]) -> dict[str, Any]:
        questions = {question["name"]: question for question in self.params["questions"]}
        faults = [f"There is no question '{name}'." for name in answers if name not in questions]
        for name, question in questions.items():
            if name not in answers:
                faults.append(f"The question '{name}' is missing.")
            elif answers[name] is None:
                if question.get("required"):
                    faults.append(f"The question '{name}' needs an answer.")
            else:
                faults.extend(_faults_of_answer(question, answers[name]))
        if faults:
            raise serializers.ValidationError(faults)
        return answers


def _faults_of_answer(question: Mapping[str, Any], answer: Any) -> list[str]:
    name = question["name"]
    match question["kind"]:
        case "choice":
            if answer not in question["choices"]:
                return [f"The answer to '{name}' is none of its choices."]
        case "number":
            if isinstance(answer, bool) or not isinstance(answer, (int, float)) or not math.isfinite(answer):
                return [f"The answer to '{name}' must be a number."]
        case _:
            if not isinstance(answer, str):
                return [f"The answer to '{name}' must be a text."]
            if len(answer) > MAX_ANSWER_CHARACTERS:
                return [f"The answer to '{name}' has more than {MAX_ANSWER_CHARACTERS} characters."]
            if "\x00" in answer:
                return [f"The answer to '{name}' holds a NUL character, which cannot be stored."]
            if not answer.strip() and question.get("required"):
                return [f"The question '{name}' needs an answer."]
    return []


class PageTimes(ExactPayload):
    """How long each page was on the screen, in the order of the pages."""

    page_ms = serializers.ListField(child=DurationField(), max_length=1_000)


class BreakTaken(ExactPayload):
    """How long the break took."""

    duration_ms = DurationField()
    instructions_reopened = TruthField()


def measured_break(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is measured of a page that is no trial of the paradigm: of a break its duration, else nothing.

    >>> measured_break({"duration_ms": 8000.5}), measured_break({"page_ms": [1500.0]})
    ({'break_ms': 8000.5}, {})
    """
    return {"break_ms": payload["duration_ms"]} if "duration_ms" in payload else {}


def break_after(done: int, *, of: int, every: int) -> list[TrialPlan]:
    """Return the break that follows after `done` of the main trials: none where `every` is 0, none after the last.

    >>> [done for done in range(1, 7) if break_after(done, of=6, every=2)]
    [2, 4]
    """
    if not every or done % every or done >= of:
        return []
    return [TrialPlan("break", BREAK, {"done": done, "total": of, "pages": []})]


SHARED_RESPONSES: Mapping[str, type[serializers.Serializer[Any]]] = {
    BACKGROUND_QUESTIONS: BackgroundAnswers,
    PAGES: PageTimes,
    BREAK: BreakTaken,
}


def simulated_answer(plugin: str, params: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """Return what a simulated participant answers on a shared page.

    Raises LookupError for a plugin that is not one of them.
    """
    match plugin:
        case "background-questions":
            return {"answers": {question["name"]: _simulated(question, rng) for question in params["questions"]}}
        case "pages":
            return {"page_ms": [round(rng.lognormvariate(8.8, 0.5), 1) for _ in params["pages"]]}
        case "break":
            return {"duration_ms": round(rng.lognormvariate(9.5, 0.6), 1), "instructions_reopened": rng.random() < 0.05}
    raise LookupError(f"'{plugin}' is not a shared page.")


def simulated_page_ms(plugin: str, payload: Mapping[str, Any], rng: random.Random) -> float:
    """Return how long a simulated participant took for a shared page, in milliseconds."""
    match plugin:
        case "pages":
            return float(sum(payload["page_ms"]))
        case "break":
            return float(payload["duration_ms"])
    return round(rng.lognormvariate(8.0, 0.4) * max(len(payload["answers"]), 1), 1)


def _simulated(question: Mapping[str, Any], rng: random.Random) -> Any:
    if not question.get("required") and rng.random() < 0.05:
        return None
    match question["kind"]:
        case "choice":
            return rng.choice(list(question["choices"]))
        case "number":
            return rng.randint(1, 40)
    return "simulated"


__all__ = [
    "BACKGROUND_QUESTIONS",
    "BREAK",
    "PAGES",
    "SHARED_RESPONSES",
    "BackgroundAnswers",
    "BreakTaken",
    "PageTimes",
    "break_after",
    "simulated_answer",
    "simulated_page_ms",
]
