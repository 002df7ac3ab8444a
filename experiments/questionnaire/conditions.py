"""Evaluate and validate conditions on answers: `{"question": name, "operator": …, "value": …}`. Pure.

They decide which questions are shown, who is screened out, and which sessions a plan excludes. The browser follows the
same rules (`frontend/src/plugins/background-questions/conditions.ts`, `tests/contract/questions.json`).

Without an answer (declined, skipped, or never asked) only `not-answered` holds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from experiments.formats.faults import Fault, did_you_mean
from experiments.questionnaire.kinds import Answers, Question, trimmed
from experiments.questionnaire.variables import Variable, values_of
from experiments.sentences import Sentence

IS, IS_NOT, INCLUDES, EXCLUDES = "is", "is-not", "includes", "excludes"
AT_LEAST, AT_MOST, ABOVE, BELOW = "at-least", "at-most", "above", "below"
GIVEN, NOT_GIVEN = "answered", "not-answered"
OPERATORS = (IS, IS_NOT, INCLUDES, EXCLUDES, AT_LEAST, AT_MOST, ABOVE, BELOW, GIVEN, NOT_GIVEN)
KEYS = ("question", "operator", "value")

OPERATORS_OF_TYPE: Mapping[str, tuple[str, ...]] = {
    "choice": (IS, IS_NOT, GIVEN, NOT_GIVEN),
    "several": (INCLUDES, EXCLUDES, GIVEN, NOT_GIVEN),
    "number": (IS, IS_NOT, AT_LEAST, AT_MOST, ABOVE, BELOW, GIVEN, NOT_GIVEN),
    "text": (IS, IS_NOT, GIVEN, NOT_GIVEN),
    "truth": (IS, IS_NOT, GIVEN, NOT_GIVEN),
    "languages": (INCLUDES, EXCLUDES, GIVEN, NOT_GIVEN),
}
WORDS = {
    IS: Sentence("is"),
    IS_NOT: Sentence("is not"),
    INCLUDES: Sentence("includes"),
    EXCLUDES: Sentence("does not include"),
    AT_LEAST: Sentence("is at least"),
    AT_MOST: Sentence("is at most"),
    ABOVE: Sentence("is above"),
    BELOW: Sentence("is below"),
    GIVEN: Sentence("is answered"),
    NOT_GIVEN: Sentence("has no answer"),
}


def holds(condition: Mapping[str, Any], value: Any) -> bool:
    """Return whether a condition holds of a value.

    >>> holds({"operator": "at-least", "value": 18}, 20), holds({"operator": "is-not", "value": "a"}, None)
    (True, False)
    """
    operator, wanted = condition.get("operator", IS), condition.get("value")
    if value is None or value == []:
        return bool(operator == NOT_GIVEN)
    match operator:
        case "is":
            return same(value, wanted)
        case "is-not":
            return not same(value, wanted)
        case "includes":
            return any(same(entry, wanted) for entry in named(value))
        case "excludes":
            return not any(same(entry, wanted) for entry in named(value))
        case "at-least":
            return bool(value >= wanted)
        case "at-most":
            return bool(value <= wanted)
        case "above":
            return bool(value > wanted)
        case "below":
            return bool(value < wanted)
    return bool(operator == GIVEN)


def same(value: Any, wanted: Any) -> bool:
    """Return whether an answer equals the expected one, ignoring case and surrounding spaces of texts."""
    if isinstance(value, str) and isinstance(wanted, str):
        return plain(value) == plain(wanted)
    if isinstance(value, bool) or isinstance(wanted, bool):
        return value is wanted
    return bool(value == wanted)


def plain(text: str) -> str:
    """Return a text lower-cased and trimmed as browsers do it, without case folding.

    >>> plain(" Weiß\\ufeff"), plain("WEISS") == plain("Weiß")
    ('weiß', False)
    """
    return trimmed(text).lower()


def named(value: Any) -> list[Any]:
    """Return the names in an answer with several parts: the choices, or the languages of its rows."""
    if not isinstance(value, (list, tuple)):
        return [value]
    return [entry.get("language") if isinstance(entry, Mapping) else entry for entry in value]


def shown_names(questions: Sequence[Question], answers: Answers) -> list[str]:
    """Return the names of the questions that are shown with these answers, in their order.

    An answer to a question that is not shown is ignored by the conditions of later questions.

    >>> asked = [{"name": "a", "label": "?", "kind": "choice", "choices": ["x", "y"]},
    ...          {"name": "b", "label": "?", "kind": "text", "shown_if": {"question": "a", "value": "x"}}]
    >>> shown_names(asked, {"a": "y"}), shown_names(asked, {"a": "x"})
    (['a'], ['a', 'b'])
    """
    shown: list[str] = []
    known: dict[str, Any] = {}
    for question in questions:
        condition = question.get("shown_if")
        if condition and not holds(condition, known.get(condition["question"])):
            continue
        shown.append(str(question["name"]))
        known.update(values_of([question], answers))
    return shown


def condition_faults(condition: Any, variables: Sequence[Variable], *, what: str = "question") -> list[str]:
    """Return one sentence for everything that is wrong with a condition on one of these variables.

    >>> from experiments.questionnaire.variables import answer_variables
    >>> asked = answer_variables([{"name": "hand", "label": "?", "kind": "choice", "choices": ["left", "right"]}])
    >>> condition_faults({"question": "hand", "operator": "is", "value": "rigth"}, asked)
    ["'hand' can never be 'rigth'. Did you mean 'right'?"]
    """
    if not isinstance(condition, Mapping):
        return [Sentence("a condition needs a question, an operator and a value.")]
    faults = [
        _hinted(Sentence("there is no key '{key}'.", key=key), did_you_mean(str(key), KEYS))
        for key in condition
        if key not in KEYS
    ]
    by_name = {variable.name: variable for variable in variables}
    name = condition.get("question")
    variable = by_name.get(name) if isinstance(name, str) else None
    if variable is None:
        return [*faults, _hinted(*_unknown(what, name, by_name))]
    operator = condition.get("operator", IS)
    allowed = OPERATORS_OF_TYPE[variable.type]
    if operator not in allowed:
        message = Sentence("'{operator}' is not possible for '{name}'.", operator=operator, name=name)
        possible = Sentence("Possible operators: {names}.", names=", ".join(allowed))
        return [*faults, _hinted(message, did_you_mean(str(operator), allowed) or possible)]
    if operator in (GIVEN, NOT_GIVEN):
        return faults
    return faults + _value_faults(variable, operator, condition.get("value"))


def _hinted(message: str, hint: str) -> str:
    return str(Fault(message=message, suggestion=hint))


def _unknown(what: str, name: Any, known: Mapping[str, Variable]) -> tuple[str, str]:
    match what:
        case "answer":
            message = Sentence("there is no answer '{name}' for this condition.", name=name)
            nothing = Sentence("There is no answer for a condition.")
        case "earlier question":
            message = Sentence("there is no earlier question '{name}' for this condition.", name=name)
            nothing = Sentence("There is no earlier question for a condition.")
        case _:
            message = Sentence("there is no question '{name}' for this condition.", name=name)
            nothing = Sentence("There is no question for a condition.")
    return message, did_you_mean(str(name), known) if known else nothing


def _value_faults(variable: Variable, operator: str, value: Any) -> list[str]:
    name = variable.name
    match variable.type:
        case "choice" | "several":
            if value not in variable.values:
                message = Sentence("'{name}' can never be '{value}'.", name=name, value=value)
                return [_hinted(message, did_you_mean(str(value), variable.values))]
        case "truth":
            if not isinstance(value, bool):
                return [Sentence("'{name}' is either ticked or not. Write true or false.", name=name)]
        case "number":
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
                return [Sentence("'{name}' needs a number to compare with, not '{value}'.", name=name, value=value)]
            if not any(
                holds({"operator": operator, "value": value}, one) for one in possible_values(variable, [value])
            ):
                low, high = _bound(variable.low), _bound(variable.high)
                return [
                    Sentence("'{name}' is between {low} and {high}, so no answer fits.", name=name, low=low, high=high)
                ]
        case _:
            if not isinstance(value, str) or not value.strip() or "\x00" in value:
                return [Sentence("'{name}' needs a text to compare with that is not empty.", name=name)]
    return []


def _bound(bound: float | None) -> str:
    return Sentence("anything") if bound is None else f"{bound:g}"


def possible_values(variable: Variable, mentioned: Sequence[Any]) -> list[Any]:
    """Return representatives of all values of a variable that conditions can tell apart.

    `mentioned` are the values named by the conditions. For numbers these and values just below and above, for multiple
    choices every subset (up to 10 choices), for texts each of them and one that is not mentioned.
    """
    match variable.type:
        case "choice":
            return list(variable.values)
        case "truth":
            return [True, False]
        case "several":
            atoms = variable.values if len(variable.values) <= 10 else tuple(dict.fromkeys(map(str, mentioned)))
            sets = [list(some) for size in range(1, len(atoms) + 1) for some in combinations(atoms, size)]
            rest = [choice for choice in variable.values if choice not in atoms][:1]
            return sets + ([rest] if rest else [])
        case "number":
            step = 1.0 if variable.is_whole else 1e-6
            numbers = [value for value in mentioned if isinstance(value, (int, float))] or [0.0]
            low = variable.low if variable.low is not None else min(numbers) - 1e6
            high = variable.high if variable.high is not None else max(numbers) + 1e6
            near = {low, high} | {value + change for value in numbers for change in (-step, 0, step)}
            whole = {float(math.floor(value)) for value in near} | {float(math.ceil(value)) for value in near}
            return sorted(value for value in (whole if variable.is_whole else near) if low <= value <= high)
        case "languages":
            names = [str(value) for value in mentioned]
            rows = [
                [{"language": name} for name in some]
                for n in range(1, len(names) + 1)
                for some in combinations(names, n)
            ]
            return [*rows[:2000], [{"language": "\x01"}]]
    return [*mentioned, "\x01"]


def described(condition: Mapping[str, Any]) -> str:
    """Return a condition in words.

    >>> described({"question": "age", "operator": "at-least", "value": 18})
    "'age' is at least 18"
    """
    operator = condition.get("operator", IS)
    name, words = condition["question"], WORDS[operator]
    if operator in (GIVEN, NOT_GIVEN):
        return Sentence("'{name}' {words}", name=name, words=words)
    value = condition.get("value")
    if isinstance(value, bool):
        shown: str = Sentence("ticked") if value else Sentence("not ticked")
    else:
        shown = f"'{value}'" if isinstance(value, str) else f"{value:g}"
    return Sentence("'{name}' {words} {value}", name=name, words=words, value=shown)
