"""Parts for some people: a part is for those whose answers match a rule. Pure.

A rule is a list of conditions as screening reads them, `{"question": name, "operator": …, "value": …}`; all have to
hold. They look at answers, scores and `check_failed` of the questionnaires that everybody answers before the first
task, so that group, order and lists are decided knowing which parts a session has.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Any, Protocol

from experiments.formats.faults import Fault
from experiments.questionnaire.conditions import condition_faults, described, holds, possible_values
from experiments.questionnaire.kinds import Answers
from experiments.questionnaire.scores import all_values, all_variables
from experiments.questionnaire.variables import CHECK_FAILED, Variable
from experiments.rules.criteria import Questionnaire
from experiments.sentences import Sentence

MOST_CONDITIONS = 10


class Branch(Protocol):
    """What is read of a part; `experiments.models.Part` has it."""

    name: str
    shown_if: Any


def skipped_parts(
    parts: Iterable[Branch], questionnaires: Sequence[Questionnaire], answers: Mapping[str, Answers]
) -> list[str]:
    """Return the names of the parts whose rules do not hold. `answers`: those of every questionnaire, by its name.

    >>> from types import SimpleNamespace
    >>> asked = [{"name": "age", "label": "Age?", "kind": "number"}]
    >>> only = SimpleNamespace(name="adults", shown_if=[{"question": "age", "operator": "at-least", "value": 18}])
    >>> [skipped_parts([only], [Questionnaire("start", asked)], {"start": {"age": age}}) for age in (17, 18, None)]
    [['adults'], [], ['adults']]
    """
    values: dict[str, Any] = {}
    failed = 0
    for each in questionnaires:
        of_each = all_values(each.questions, answers.get(each.name, {}))
        failed += int(of_each.get(CHECK_FAILED) or 0)
        values |= of_each
    if CHECK_FAILED in values:
        values[CHECK_FAILED] = failed
    return [part.name for part in parts if not all(holds(one, values.get(one["question"])) for one in part.shown_if)]


def rule_in_words(shown_if: Sequence[Mapping[str, Any]]) -> str:
    """Return a rule in words, for pages in any language.

    >>> rule_in_words([{"question": "age", "operator": "at-least", "value": 18}, {"question": "hand", "value": "left"}])
    "'age' is at least 18 and 'hand' is 'left'"
    """
    return reduce(_and, [described(condition) for condition in shown_if])


def branch_faults(part: Branch, questionnaires: Sequence[Questionnaire], later: Sequence[str] = ()) -> list[Fault]:
    """Return what is wrong with the rule of a part, such as that nobody can match it.

    `later`: what is asked only when the parts of a session are decided already.

    >>> from types import SimpleNamespace
    >>> never = [{"question": "age", "operator": operator, "value": 30} for operator in ("above", "below")]
    >>> start = Questionnaire("start", [{"name": "age", "label": "Age?", "kind": "number"}])
    >>> print(branch_faults(SimpleNamespace(name="odd", shown_if=never), [start])[0].message)
    Part 'odd': 'age' is above 30 and 'age' is below 30: nobody can match all of that.
    """
    rule = part.shown_if
    if not isinstance(rule, list) or not all(isinstance(condition, Mapping) for condition in rule):
        return [_fault(part, Sentence("'shown_if' must be conditions, each with a question, an operator and a value."))]
    if len(rule) > MOST_CONDITIONS:
        return [_fault(part, Sentence("at most {most} conditions.", most=MOST_CONDITIONS))]
    variables: dict[str, Variable] = {}
    for each in questionnaires:
        for variable in all_variables(each.questions):
            variables.setdefault(variable.name, variable)
    faults = []
    for condition in rule:
        name = condition.get("question")
        if name in later and name not in variables:
            message = Sentence("'{name}' is asked when it is decided already who has which part.", name=name)
            suggestion = Sentence(
                "Ask it in a questionnaire that everybody answers before the first task and the first part that is "
                "for some people."
            )
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
            message = Sentence("{rule}: nobody can match all of that.", rule=rule_in_words(own))
            return [_fault(part, message, Sentence("Change one of the conditions."))]
    return []


def _and(first: str, then: str) -> str:
    return Sentence("{first} and {then}", first=first, then=then)


def _fault(part: Branch, message: str, suggestion: str = "") -> Fault:
    said = Sentence("Part '{name}': {message}", name=part.name, message=message)
    return Fault(message=said, suggestion=suggestion, step="parts")
