"""Score scales and count failed check items from one participant's answers. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from experiments.questionnaire import kinds
from experiments.questionnaire.conditions import same, shown_names
from experiments.questionnaire.kinds import Answers, Question
from experiments.questionnaire.variables import CHECK_FAILED, SCORE, Variable, answer_variables, values_of
from experiments.sentences import Sentence


@dataclass(frozen=True)
class Part:
    """A variable of a scale; if reversed, v is scored as low + high − v."""

    variable: Variable
    is_reversed: bool = False

    def counted(self, value: float) -> float:
        """Return the score of an answer."""
        if not self.is_reversed:
            return value
        # Validation ensures that reversed variables are bounded.
        return (self.variable.low or 0) + (self.variable.high or 0) - value


@dataclass(frozen=True)
class Scale:
    """A scale of several questions: the sum or the mean of their answers."""

    name: str
    how: str
    parts: list[Part] = field(default_factory=list)

    def score(self, values: Mapping[str, Any]) -> float | None:
        """Return the score; None if an answer is missing (no imputation)."""
        given = [values.get(part.variable.name) for part in self.parts]
        if any(value is None for value in given):
            return None
        counted = [part.counted(float(value)) for part, value in zip(self.parts, given, strict=True)]  # type: ignore[arg-type]
        total = math.fsum(counted)
        return total / len(counted) if self.how == "mean" else total


def scales_of(questions: Sequence[Question]) -> list[Scale]:
    """Return the scales of a questionnaire in the order of their first question."""
    scales: dict[str, Scale] = {}
    for question in questions:
        score = question.get("score")
        if not score:
            continue
        scale = scales.setdefault(score["scale"], Scale(score["scale"], score.get("how", "sum")))
        reversed_items = {item["name"] for item in question.get("items", []) if item.get("reverse")}
        checks = expected_of(question) if question["kind"] == kinds.MATRIX else {}
        for variable in answer_variables([question]):
            # Check items of a matrix are not part of its scale.
            if variable.name in checks:
                continue
            is_reversed = variable.item in reversed_items if variable.item else bool(score.get("reverse"))
            scale.parts.append(Part(variable, is_reversed))
    return list(scales.values())


def scores_of(questions: Sequence[Question], answers: Answers) -> dict[str, float | None]:
    """Return the score of every scale by its name.

    >>> calm = {"name": "calm", "label": "?", "kind": "scale", "points": 5, "score": {"scale": "mood", "how": "mean"}}
    >>> tense = {**calm, "name": "tense", "score": {"scale": "mood", "how": "mean", "reverse": True}}
    >>> scores_of([calm, tense], {"calm": 4, "tense": 1})
    {'mood': 4.5}
    """
    values = values_of(questions, seen(questions, answers))
    return {scale.name: scale.score(values) for scale in scales_of(questions)}


def seen(questions: Sequence[Question], answers: Answers) -> dict[str, Any]:
    """Return the answers to the questions that were shown."""
    shown = set(shown_names(questions, answers))
    return {name: value for name, value in answers.items() if name in shown}


def expected_of(question: Question) -> dict[str, Any]:
    """Return the expected answers of a check item by variable name; empty for other questions."""
    if question["kind"] == kinds.MATRIX:
        return {
            f"{question['name']}_{item['name']}": item["expected"] for item in question["items"] if "expected" in item
        }
    return {question["name"]: question["expected"]} if "expected" in question else {}


def has_checks(questions: Sequence[Question]) -> bool:
    """Return whether there is a check item among the questions."""
    return any(expected_of(question) for question in questions)


def failed_checks(questions: Sequence[Question], answers: Answers) -> list[str]:
    """Return the names of the check items that were shown and not answered as expected.

    >>> check = {"name": "blue", "label": "Choose 4.", "kind": "scale", "points": 5, "expected": 4}
    >>> failed_checks([check], {"blue": 2}), failed_checks([check], {"blue": 4})
    (['blue'], [])
    """
    shown = set(shown_names(questions, answers))
    values = values_of(questions, answers)
    return [
        name
        for question in questions
        if question["name"] in shown
        for name, expected in expected_of(question).items()
        if not as_expected(values.get(name), expected)
    ]


def as_expected(value: Any, expected: Any) -> bool:
    """Return whether an answer is the expected one; multiple choices in any order."""
    if isinstance(expected, list):
        return isinstance(value, list) and sorted(map(str, value)) == sorted(map(str, expected))
    return value is not None and same(value, expected)


def result_variables(questions: Sequence[Question]) -> list[Variable]:
    """Return the variables that are computed: one score for each scale, and the number of failed checks."""
    found = []
    for scale in scales_of(questions):
        lows, highs = [], []
        for part in scale.parts:
            lows.append(part.variable.low)
            highs.append(part.variable.high)
        n = len(scale.parts) if scale.how == "mean" else 1
        found.append(
            Variable(
                f"{SCORE}{scale.name}",
                "",
                "number",
                Sentence("Score {scale}", scale=scale.name),
                low=None if None in lows else math.fsum(low for low in lows if low is not None) / n,
                high=None if None in highs else math.fsum(high for high in highs if high is not None) / n,
                is_whole=scale.how == "sum" and all(part.variable.is_whole for part in scale.parts),
                may_be_empty=any(part.variable.may_be_empty for part in scale.parts),
            )
        )
    checks = sum(len(expected_of(question)) for question in questions)
    if checks:
        label = Sentence("Attention and comprehension checks that were failed")
        found.append(Variable(CHECK_FAILED, "", "number", label, low=0, high=checks, is_whole=True, may_be_empty=False))
    return found


def all_variables(questions: Sequence[Question]) -> list[Variable]:
    """Return every variable of a questionnaire: answers, then scores, then the number of failed checks."""
    return [*answer_variables(questions), *result_variables(questions)]


def all_values(questions: Sequence[Question], answers: Answers) -> dict[str, Any]:
    """Return the value of every variable of `all_variables`; None where there is none."""
    values = values_of(questions, seen(questions, answers))
    values |= {f"{SCORE}{name}": score for name, score in scores_of(questions, answers).items()}
    if has_checks(questions):
        values[CHECK_FAILED] = len(failed_checks(questions, answers))
    return values


def scale_faults(questions: Sequence[Any], sound: Sequence[Question]) -> list[tuple[int, str, str]]:
    """Return (number of the question, scale, sentence) for questions that cannot be in the same scale."""
    faults: list[tuple[int, str, str]] = []
    how: dict[str, str] = {}
    names = {str(question.get("name")) for question in questions if isinstance(question, Mapping)}
    for number, question in enumerate(questions, start=1):
        if not any(question is one for one in sound) or "score" not in question:
            continue
        scale, wanted = question["score"]["scale"], question["score"].get("how", "sum")
        if f"{SCORE}{scale}" in names:
            message = Sentence(
                "a question has the name '{name}', but the column of the score has this name, too. Rename one of them.",
                name=f"{SCORE}{scale}",
            )
            faults.append((number, scale, message))
        if how.setdefault(scale, wanted) != wanted:
            message = Sentence(
                "an earlier question makes the score a {how}, and question {number} makes it a {wanted}. Use one "
                "of the two.",
                how=how[scale],
                wanted=wanted,
                number=number,
            )
            faults.append((number, scale, message))
    return faults
