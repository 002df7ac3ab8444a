"""Define the variables of a questionnaire: one per answer, matrix item, score and check. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from experiments.questionnaire import kinds
from experiments.questionnaire.kinds import Answers, Question, is_needed, may_decline, points_of

Type = Literal["choice", "several", "number", "text", "truth", "languages"]
CHECK_FAILED = "check_failed"
SCORE = "score_"


@dataclass(frozen=True)
class Variable:
    """One variable of a participant: the answer to a question or to an item of a matrix, or a score.

    `values` are those of a choice; `low` and `high` bound a number (None: unbounded). `may_be_empty`: the value may be
    missing, because the question was declined, skipped or never asked; `is_conditional`: it is asked only after certain
    answers.
    """

    name: str
    question: str
    type: Type
    label: str
    values: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    is_whole: bool = False
    unit: str = ""
    item: str = ""
    may_be_empty: bool = True
    is_conditional: bool = False


def columns_of(question: Question) -> list[str]:
    """Return the column names of a question: its own, or one per item; none for information.

    >>> columns_of({"name": "mood", "kind": "matrix", "items": [{"name": "calm"}, {"name": "awake"}]})
    ['mood_calm', 'mood_awake']
    """
    if question.get("kind") == kinds.INFORMATION:
        return []
    if question.get("kind") == kinds.MATRIX:
        return [f"{question['name']}_{item['name']}" for item in question["items"]]
    return [str(question["name"])]


def answer_variables(questions: Sequence[Question]) -> list[Variable]:
    """Return one variable for every answer, in the order of the questions; a matrix has one for each item."""
    found = []
    for question in questions:
        empty = not is_needed(question) or may_decline(question) or bool(question.get("shown_if"))
        for place, name in enumerate(columns_of(question)):
            variable = _variable(question, name, place, empty)
            found.append(replace(variable, is_conditional=bool(question.get("shown_if"))))
    return found


def _variable(question: Question, name: str, place: int, empty: bool) -> Variable:
    kind, label = question["kind"], str(question["label"])
    own = str(question["name"])
    match kind:
        case kinds.CHOICE | kinds.SEVERAL:
            return Variable(name, own, kind, label, values=tuple(question["choices"]), may_be_empty=empty)
        case kinds.NUMBER:
            low, high = question.get("minimum"), question.get("maximum")
            return Variable(
                name, own, "number", label, low=low, high=high, unit=question.get("unit", ""), may_be_empty=empty
            )
        case kinds.SCALE:
            return Variable(
                name, own, "number", label, low=1, high=points_of(question), is_whole=True, may_be_empty=empty
            )
        case kinds.MATRIX:
            item = question["items"][place]
            return Variable(
                name,
                own,
                "number",
                f"{label} – {item['label']}",
                low=1,
                high=points_of(question),
                is_whole=True,
                item=item["name"],
                may_be_empty=empty,
            )
        case kinds.SLIDER:
            return Variable(
                name, own, "number", label, low=0, high=kinds.SLIDER_MAXIMUM, is_whole=True, may_be_empty=empty
            )
        case kinds.BIRTH_YEAR:
            return Variable(name, own, "number", label, low=kinds.FIRST_YEAR, is_whole=True, may_be_empty=empty)
        case kinds.STATEMENT:
            return Variable(name, own, "truth", label, values=("true", "false"), may_be_empty=empty)
        case kinds.LANGUAGES:
            return Variable(name, own, "languages", label, may_be_empty=empty)
    return Variable(name, own, "text", label, may_be_empty=empty)


def values_of(questions: Sequence[Question], answers: Answers) -> dict[str, Any]:
    """Return the value of every answer variable; None if missing.

    >>> mood = {"name": "mood", "label": "?", "kind": "matrix", "items": [{"name": "calm", "label": "calm"}]}
    >>> values_of([mood], {"mood": {"calm": 4}})
    {'mood_calm': 4}
    """
    values: dict[str, Any] = {}
    for question in questions:
        given = answers.get(question["name"])
        if question["kind"] == kinds.MATRIX:
            rows = given if isinstance(given, Mapping) else {}
            for item in question["items"]:
                values[f"{question['name']}_{item['name']}"] = rows.get(item["name"])
        elif question["kind"] != kinds.INFORMATION:
            values[question["name"]] = given
    return values
