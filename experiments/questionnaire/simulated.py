"""Simulate answers to a questionnaire. Pure."""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from experiments.questionnaire import kinds
from experiments.questionnaire.conditions import shown_names
from experiments.questionnaire.kinds import Question, is_needed, may_decline, points_of

_RIGHT = 0.95
_LANGUAGES = ("English", "German", "French", "Spanish", "Turkish")


def simulated_answers(
    questions: Sequence[Question],
    rng: random.Random,
    expected: Mapping[str, Any] | None = None,
    turned: Collection[str] = (),
) -> dict[str, Any]:
    """Return valid answers; check items are mostly answered as expected.

    Answers on scales share a latent disposition of the participant, so that the items of a scale correlate; `turned`
    are the reverse-scored variables.
    """
    mind = _Mind(rng, expected or {}, turned)
    answers: dict[str, Any] = {}
    for place, question in enumerate(questions):
        if question["kind"] == kinds.INFORMATION:
            continue
        if question["name"] in shown_names(questions[: place + 1], answers):
            answers[question["name"]] = mind.answer(question)
    return answers


class _Mind:
    def __init__(self, rng: random.Random, expected: Mapping[str, Any], turned: Collection[str]) -> None:
        self.rng = rng
        self.expected = expected
        self.turned = turned
        self._disposition: float | None = None

    def answer(self, question: Question) -> Any:
        name, kind, rng = question["name"], question["kind"], self.rng
        skips = may_decline(question) or (not is_needed(question) and kind != kinds.STATEMENT)
        if skips and rng.random() < 0.05:
            return None
        if name in self.expected and rng.random() < _RIGHT:
            return self.expected[name]
        match kind:
            case kinds.CHOICE:
                return rng.choice(list(question["choices"]))
            case kinds.SEVERAL:
                return [choice for choice in question["choices"] if rng.random() < 0.4] or [question["choices"][0]]
            case kinds.NUMBER:
                return self._number(question)
            case kinds.SCALE:
                return self._point(question, name)
            case kinds.SLIDER:
                return round(kinds.SLIDER_MAXIMUM * self._share(name))
            case kinds.MATRIX:
                return {item["name"]: self._item(question, item["name"]) for item in question["items"]}
            case kinds.BIRTH_YEAR:
                return rng.randint(1955, 2004)
            case kinds.LANGUAGES:
                return self._languages()
            case kinds.STATEMENT:
                return bool(question.get("required")) or rng.random() < 0.7
        return "simulated"

    def _item(self, question: Question, item: str) -> int:
        name = f"{question['name']}_{item}"
        if name in self.expected and self.rng.random() < _RIGHT:
            return int(self.expected[name])
        return self._point(question, name)

    def _number(self, question: Question) -> float:
        low, high = question.get("minimum"), question.get("maximum")
        if low is None and high is None:
            return self.rng.randint(1, 40)
        least = math.ceil(low) if low is not None else 0
        most = math.floor(high) if high is not None else least + 60
        return self.rng.randint(least, most) if least <= most else float(low or high or 0)

    def _share(self, name: str) -> float:
        # Drawn lazily: studies without scales keep the random numbers of earlier versions.
        if self._disposition is None:
            self._disposition = self.rng.gauss(0, 1)
        felt = -self._disposition if name in self.turned else self._disposition
        return 1 / (1 + math.exp(-(felt + self.rng.gauss(0, 1))))

    def _point(self, question: Question, name: str) -> int:
        points = points_of(question)
        return 1 + min(points - 1, math.floor(self._share(name) * points))

    def _languages(self) -> list[dict[str, Any]]:
        rng, most = self.rng, kinds.MOST_SKILL
        rows = []
        for place, language in enumerate(rng.sample(_LANGUAGES, rng.randint(1, 3))):
            age = 0 if place == 0 else rng.randint(3, 18)
            skills = {skill: most if place == 0 else rng.randint(2, most) for skill in kinds.SKILLS}
            rows.append({"language": language, "age": age, "years": rng.randint(2, 20), "skills": skills})
        return rows


def simulated_times(answers: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return first and last change of every answer in ms since the onset, one question after the other.

    They depend only on the answers, so that the random numbers of other answers do not change.
    """
    rng = random.Random(repr(sorted(answers.items())))  # noqa: S311 - a simulation
    times: dict[str, dict[str, Any]] = {}
    now = 0.0
    for name in answers:
        now += rng.lognormvariate(8.0, 0.4)
        first = round(now, 1)
        changes = 2 if rng.random() < 0.1 else 1
        if changes > 1:
            now += rng.lognormvariate(7.0, 0.3)
        times[name] = {"first_ms": first, "last_ms": round(now, 1), "changes": changes}
    return times
