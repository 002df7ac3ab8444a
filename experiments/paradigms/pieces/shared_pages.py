"""Shared pages of all paradigms (questionnaires, text pages, breaks): payloads, measures and simulated answers."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from rest_framework import serializers

from experiments.paradigms.base import Measure, Paradigm, TrialPlan
from experiments.paradigms.pieces.payloads import CountField, DurationField, ExactPayload, TruthField
from experiments.questionnaire.answers import answer_faults
from experiments.questionnaire.planned import MOST_ATTEMPTS
from experiments.questionnaire.scores import as_expected
from experiments.questionnaire.simulated import simulated_answers, simulated_times
from experiments.questionnaire.variables import values_of

BACKGROUND_QUESTIONS = "background-questions"
PAGES = "pages"
BREAK = "break"
BREAK_FEEDBACK = "break-feedback"
"""A break that says of the trials since the last one how many were right, or how fast they were."""

BREAK_MEASURE = Measure("break_ms", "number", "Breaks only: how long the break took.", "ms")


class AnswerTime(ExactPayload):
    """When one question was answered, since the onset of the page, and how often its answer was changed."""

    first_ms = DurationField(allow_null=True)
    last_ms = DurationField(allow_null=True)
    changes = CountField()


class EarlierAttempt(ExactPayload):
    """The answers before the last ones, where the questions were asked again."""

    answers = serializers.DictField()
    times = serializers.DictField(child=AnswerTime(), required=False)


class BackgroundAnswers(ExactPayload):
    """One answer per question: a choice, several, a number, a text, a point, or what else its kind has; null where the
    participant prefers not to say or leaves it out.

    `times` has for every question that was answered when it was. Older browsers send none.
    """

    answers = serializers.DictField()
    times = serializers.DictField(child=AnswerTime(), required=False)
    earlier_attempts = serializers.ListField(child=EarlierAttempt(), required=False, max_length=MOST_ATTEMPTS - 1)

    def validate_answers(self, answers: dict[str, Any]) -> dict[str, Any]:
        if faults := answer_faults(self.params["questions"], answers):
            raise serializers.ValidationError(faults)
        return answers

    def validate_times(self, times: dict[str, Any]) -> dict[str, Any]:
        names = {question["name"] for question in self.params["questions"]}
        if faults := [f"There is no question '{name}'." for name in times if name not in names]:
            raise serializers.ValidationError(faults)
        return times

    def validate_earlier_attempts(self, earlier: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if len(earlier) >= self.params.get("attempts", 1):
            raise serializers.ValidationError("The questions are not asked again.")
        expected = self.context.get("private", {}).get("expected", {})
        for attempt in earlier:
            if faults := answer_faults(self.params["questions"], attempt["answers"]):
                raise serializers.ValidationError(faults)
            given = values_of(self.params["questions"], attempt["answers"])
            if all(as_expected(given.get(name), right) for name, right in expected.items()):
                raise serializers.ValidationError("Every check was answered as expected: there was no second attempt.")
        return earlier


class PageTimes(ExactPayload):
    """How long each page was on the screen, in the order of the pages."""

    page_ms = serializers.ListField(child=DurationField(), max_length=1_000)


class BreakTaken(ExactPayload):
    """How long the break took."""

    duration_ms = DurationField()
    instructions_reopened = TruthField()


def measured_break(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return the measures of a shared page: the duration of a break, otherwise nothing.

    >>> measured_break({"duration_ms": 8000.5}), measured_break({"page_ms": [1500.0]})
    ({'break_ms': 8000.5}, {})
    """
    return {"break_ms": payload["duration_ms"]} if "duration_ms" in payload else {}


def break_after(done: int, *, of: int, every: int) -> list[TrialPlan]:
    """Return the break after `done` main trials: none if `every` is 0, none after the last.

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
    BREAK_FEEDBACK: BreakTaken,
}


class SharedPages(Paradigm):
    """The pseudo-paradigm of questionnaires and pages, which have no measures."""

    slug = ""
    label = ""
    summary = ""
    responses = SHARED_RESPONSES
    measures = ()
    seconds_per_trial = 0.0

    def measure(
        self, params: Mapping[str, Any], payload: Mapping[str, Any], events: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        return {}


def simulated_answer(plugin: str, params: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """Return a simulated answer on a shared page.

    Raises LookupError for a plugin that is not one of them.
    """
    match plugin:
        case "background-questions":
            answers = simulated_answers(params["questions"], rng, params.get("expected"), params.get("reversed", ()))
            return {"answers": answers, "times": simulated_times(answers)}
        case "pages":
            least = params.get("minimum_ms", 0)
            return {"page_ms": [max(least, round(rng.lognormvariate(8.8, 0.5), 1)) for _ in params["pages"]]}
        case "break" | "break-feedback":
            return {"duration_ms": round(rng.lognormvariate(9.5, 0.6), 1), "instructions_reopened": rng.random() < 0.05}
    raise LookupError(f"'{plugin}' is not a shared page.")


def simulated_page_ms(plugin: str, payload: Mapping[str, Any], rng: random.Random) -> float:
    """Return the simulated time on a shared page, in milliseconds."""
    match plugin:
        case "pages":
            return float(sum(payload["page_ms"]))
        case "break" | "break-feedback":
            return float(payload["duration_ms"])
    return round(rng.lognormvariate(8.0, 0.4) * max(len(payload["answers"]), 1), 1)
