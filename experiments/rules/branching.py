"""Parts for some people: a part is for those whose answers match a rule. Pure.

A rule is a list of conditions as screening reads them, `{"question": name, "operator": …, "value": …}`; all have to
hold. They look at answers, scores and `check_failed` of questionnaires, and at scores of tasks, such as
`lexical.accuracy`. What the questionnaires at the start decide is decided with group, order and lists; what comes later
is decided when it is there (`experiments.procedure.stages`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Any, Protocol

from experiments.formats.faults import Fault
from experiments.questionnaire.conditions import condition_faults, described, holds, possible_values
from experiments.questionnaire.kinds import Answers
from experiments.questionnaire.scores import all_values
from experiments.questionnaire.variables import CHECK_FAILED, Variable
from experiments.rules.criteria import Questionnaire
from experiments.sentences import Sentence

MOST_CONDITIONS = 10


class Branch(Protocol):
    """What is read of a part; `experiments.models.Part` has it."""

    name: str
    shown_if: Any


def answered_values(questionnaires: Sequence[Questionnaire], answers: Mapping[str, Answers]) -> dict[str, Any]:
    """Return the value of every variable of questionnaires; `answers` are those of each, by its name."""
    values: dict[str, Any] = {}
    failed = 0
    for each in questionnaires:
        of_each = all_values(each.questions, answers.get(each.name, {}))
        failed += int(of_each.get(CHECK_FAILED) or 0)
        values |= of_each
    if CHECK_FAILED in values:
        values[CHECK_FAILED] = failed
    return values


def skipped_parts(parts: Iterable[Branch], values: Mapping[str, Any]) -> dict[str, str]:
    """Return the parts whose rules do not hold, by name, with the conditions that fail and the numbers they met.

    >>> from types import SimpleNamespace
    >>> only = SimpleNamespace(name="adults", shown_if=[{"question": "age", "operator": "at-least", "value": 18}])
    >>> [skipped_parts([only], {"age": age}) for age in (17, 18, None)]
    [{'adults': 'age = 17'}, {}, {'adults': 'age has no value'}]
    """
    found = {}
    for part in parts:
        failing = [str(one["question"]) for one in part.shown_if if not holds(one, values.get(one["question"]))]
        if failing:
            found[part.name] = ", ".join(_met(name, values.get(name)) for name in dict.fromkeys(failing))
    return found


def _met(name: str, value: Any) -> str:
    """Say what a condition met; of answers in words only that they do not match, as they may tell who somebody is."""
    if value is None or value == []:
        return f"{name} has no value"
    if isinstance(value, bool):
        return f"{name} = {str(value).lower()}"
    return f"{name} = {value:.6g}" if isinstance(value, (int, float)) else f"{name} does not match"


def rule_in_words(shown_if: Sequence[Mapping[str, Any]]) -> str:
    """Return a rule in words, for pages in any language.

    >>> rule_in_words([{"question": "age", "operator": "at-least", "value": 18}, {"question": "hand", "value": "left"}])
    "'age' is at least 18 and 'hand' is 'left'"
    """
    return reduce(_and, [described(condition) for condition in shown_if])


def branch_faults(part: Branch, before: Sequence[Variable], everything: Sequence[str] = ()) -> list[Fault]:
    """Return what is wrong with the rule of a part, such as that nobody can match it.

    `before` are the variables of the parts before it, `everything` the names of those of all parts.

    >>> from types import SimpleNamespace
    >>> never = [{"question": "age", "operator": operator, "value": 30} for operator in ("above", "below")]
    >>> age = Variable("age", "age", "number", "Age?")
    >>> print(branch_faults(SimpleNamespace(name="odd", shown_if=never), [age])[0].message)
    Part 'odd': 'age' is above 30 and 'age' is below 30: nobody can meet all of these conditions.
    """
    rule = part.shown_if
    if not isinstance(rule, list) or not all(isinstance(condition, Mapping) for condition in rule):
        return [_fault(part, Sentence("'shown_if' must be conditions, each with a question, an operator and a value."))]
    if len(rule) > MOST_CONDITIONS:
        return [_fault(part, Sentence("there can be at most {most} conditions.", most=MOST_CONDITIONS))]
    variables: dict[str, Variable] = {}
    for variable in before:
        variables.setdefault(variable.name, variable)
    faults = []
    for condition in rule:
        name = condition.get("question")
        if name in everything and name not in variables:
            message = Sentence("'{name}' comes after this part, or in it.", name=name)
            suggestion = Sentence("Move the part after the questionnaire or the task on which it depends.")
            faults.append(_fault(part, message, suggestion))
            continue
        faults += [
            _fault(part, message) for message in condition_faults(condition, list(variables.values()), what="answer")
        ]
    return faults or _impossible(part, rule, variables)


def _impossible(part: Branch, rule: Sequence[Mapping[str, Any]], variables: Mapping[str, Variable]) -> list[Fault]:
    """Variables are checked one at a time; dependencies between answers are ignored."""
    for name in dict.fromkeys(str(condition["question"]) for condition in rule):
        own = [condition for condition in rule if condition["question"] == name]
        values = [*possible_values(variables[name], [one["value"] for one in own if "value" in one]), None]
        if not any(all(holds(condition, value) for condition in own) for value in values):
            message = Sentence("{rule}: nobody can meet all of these conditions.", rule=rule_in_words(own))
            return [_fault(part, message, Sentence("Change one of the conditions."))]
    return []


def _and(first: str, then: str) -> str:
    return Sentence("{first} and {then}", first=first, then=then)


def _fault(part: Branch, message: str, suggestion: str = "") -> Fault:
    said = Sentence("Part '{name}': {message}", name=part.name, message=message)
    return Fault(message=said, suggestion=suggestion, step="parts")
