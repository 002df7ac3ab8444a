"""Quotas by criterion: limit how many participants have certain answers, such as 20 aged 18 to 29. Pure.

A criterion is `{"name", "quota", "when": [condition, …]}`; a participant meets it if all conditions hold. As in
screening rules, conditions are on answers, scores and checks of the questionnaires before the first task; `part` names
the questionnaire if several have a variable of that name. Participants who meet no criterion are not counted. With
`per_group` the quota applies to every group separately; without groups that makes no difference.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from experiments.formats.faults import Fault, did_you_mean, listed, unknown_keys
from experiments.questionnaire.conditions import condition_faults, described, holds, possible_values
from experiments.questionnaire.kinds import Answers, Question
from experiments.questionnaire.scores import all_values, all_variables
from experiments.questionnaire.variables import Variable
from experiments.sentences import Sentence

KEYS = ("name", "quota", "when", "part", "per_group")
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
MOST_CRITERIA, MOST_CONDITIONS, MOST_CHARACTERS = 30, 10, 40


@dataclass(frozen=True)
class Questionnaire:
    """A questionnaire that is answered before the first task: its name, its questions, its screening rules."""

    name: str
    questions: Sequence[Question]
    rules: Sequence[Mapping[str, Any]] = ()


def asked_in(criterion: Mapping[str, Any], questionnaires: Sequence[Questionnaire]) -> Questionnaire | None:
    """Return the questionnaire of a criterion: the one it names, otherwise the first with all its variables."""
    wanted = {str(condition.get("question")) for condition in criterion["when"]}
    for each in questionnaires:
        if criterion.get("part", each.name) == each.name and wanted <= {v.name for v in all_variables(each.questions)}:
            return each
    return None


def criteria_met(
    criteria: Sequence[Mapping[str, Any]], questionnaires: Sequence[Questionnaire], answers: Mapping[str, Answers]
) -> list[str]:
    """Return the names of the criteria that a participant meets. `answers`: those of every questionnaire, by its name.

    >>> age = Questionnaire("background", [{"name": "age", "label": "Age?", "kind": "number", "required": True}])
    >>> bands = [{"name": f"from-{low}", "quota": 20, "when": [
    ...          {"question": "age", "operator": "at-least", "value": low},
    ...          {"question": "age", "operator": "below", "value": low + 12}]} for low in (18, 30)]
    >>> [criteria_met(bands, [age], {"background": {"age": years}}) for years in (29, 30)]
    [['from-18'], ['from-30']]
    """
    values = {each.name: all_values(each.questions, answers.get(each.name, {})) for each in questionnaires}
    met = []
    for criterion in criteria:
        asked = asked_in(criterion, questionnaires)
        if asked and all(holds(one, values[asked.name].get(one["question"])) for one in criterion["when"]):
            met.append(str(criterion["name"]))
    return met


def criteria_shape_faults(criteria: Any) -> list[Fault]:
    """Return the faults of criteria that do not depend on the questions. `setting` says which one and where."""
    if not isinstance(criteria, list) or not all(isinstance(criterion, Mapping) for criterion in criteria):
        return [Fault(message=Sentence("The criteria must be tables, such as [[criteria]]."), step="sources")]
    faults = []
    if len(criteria) > MOST_CRITERIA:
        message = Sentence("A study has {most} criteria at most.", most=MOST_CRITERIA)
        faults.append(Fault(message=message, step="sources"))
    names: set[str] = set()
    for number, criterion in enumerate(criteria, start=1):
        name, quota, when = criterion.get("name"), criterion.get("quota"), criterion.get("when")
        faults += [
            _fault(criterion, number, str(key), Sentence("there is no key '{key}'.", key=key), hint)
            for key, hint in unknown_keys(criterion, KEYS)
        ]
        if not isinstance(name, str) or not NAME.fullmatch(name) or len(name) > MOST_CHARACTERS:
            message = Sentence(
                "a name needs lower-case letters, digits and hyphens, {most} at most.", most=MOST_CHARACTERS
            )
            faults.append(_fault(criterion, number, "name", message))
        elif name in names:
            faults.append(_fault(criterion, number, "name", Sentence("another criterion has the same name.")))
        names.add(str(name))
        if not isinstance(quota, int) or isinstance(quota, bool) or not 1 <= quota <= 1_000_000:
            faults.append(
                _fault(criterion, number, "quota", Sentence("the quota must be a whole number of 1 or more."))
            )
        if not isinstance(when, list) or not when or not all(isinstance(condition, Mapping) for condition in when):
            message = Sentence("'when' must be a list of conditions, each with a question, an operator and a value.")
            faults.append(_fault(criterion, number, "when", message))
        elif len(when) > MOST_CONDITIONS:
            message = Sentence("there can be at most {most} conditions.", most=MOST_CONDITIONS)
            faults.append(_fault(criterion, number, "when", message))
        if not isinstance(criterion.get("part", ""), str):
            faults.append(_fault(criterion, number, "part", Sentence("'part' must be the name of a questionnaire.")))
        if not isinstance(criterion.get("per_group", False), bool):
            faults.append(_fault(criterion, number, "per_group", Sentence("'per_group' must be true or false.")))
    return faults


def criteria_faults(
    criteria: Sequence[Mapping[str, Any]], questionnaires: Sequence[Questionnaire], later: Sequence[str] = ()
) -> list[Fault]:
    """Return the faults of well-formed criteria given the questionnaires, such as criteria that nobody can meet.

    `later`: variables that are asked only after assignment, when participants can no longer be turned away.

    >>> age = Questionnaire("background", [{"name": "age", "label": "Age?", "kind": "number", "required": True}])
    >>> never = [{"question": "age", "operator": operator, "value": 30} for operator in ("above", "below")]
    >>> print(criteria_faults([{"name": "odd", "quota": 20, "when": never}], [age])[0].message)
    Criterion 'odd': 'age' is above 30 and 'age' is below 30: nobody can meet both conditions.
    """
    faults: list[Fault] = []
    for number, criterion in enumerate(criteria, start=1):
        asked = asked_in(criterion, questionnaires)
        if asked is None:
            faults.append(_not_asked(criterion, number, questionnaires, later))
            continue
        variables = all_variables(asked.questions)
        said = [
            _fault(criterion, number, "when", message)
            for condition in criterion["when"]
            for message in condition_faults(condition, variables, what="answer")
        ]
        faults += said or _impossible(criterion, number, asked, variables)
    return faults


def most_by_criteria(
    criteria: Sequence[Mapping[str, Any]], questionnaires: Sequence[Questionnaire], groups: int = 0
) -> tuple[int, str] | None:
    """Return the number of participants that criteria on one variable admit in total, and the variable's name.

    `groups`: number of groups of the study. None if some answer meets no criterion, so that there is no bound. With
    several such variables, the smallest bound is returned.
    """
    bounds = []
    for each in questionnaires:
        for variable in all_variables(each.questions):
            own = [
                one
                for one in criteria
                if asked_in(one, questionnaires) is each and {c["question"] for c in one["when"]} == {variable.name}
            ]
            mentioned = [c["value"] for one in own for c in one["when"] if "value" in c]
            values: list[Any] = possible_values(variable, mentioned)
            if variable.may_be_empty:
                values.append(None)
            if own and all(any(all(holds(c, value) for c in one["when"]) for one in own) for value in values):
                room = [one["quota"] * (groups or 1 if one.get("per_group") else 1) for one in own]
                bounds.append((sum(room), variable.name))
    return min(bounds, default=None)


def _not_asked(
    criterion: Mapping[str, Any], number: int, questionnaires: Sequence[Questionnaire], later: Sequence[str]
) -> Fault:
    known = [v.name for each in questionnaires for v in all_variables(each.questions)]
    wanted = list(dict.fromkeys(str(condition.get("question")) for condition in criterion["when"]))
    lacking = [name for name in wanted if name not in known]
    part = criterion.get("part")
    if part is not None and part not in [each.name for each in questionnaires]:
        names = [each.name for each in questionnaires]
        hint = did_you_mean(part, names) or (
            Sentence("Possible questions: {names}.", names=listed(names)) if names else ""
        )
        message = Sentence("no questionnaire with the name '{part}' comes before the first task.", part=part)
        return _fault(criterion, number, "part", message, hint)
    if not lacking:
        message = Sentence("no single questionnaire contains all of {names}.", names=listed(wanted))
        return _fault(criterion, number, "when", message, Sentence("Use answers of one questionnaire."))
    if lacking[0] in later:
        message = Sentence(
            "'{name}' comes after the start of the first task, when nobody can be screened out any more.",
            name=lacking[0],
        )
        return _fault(criterion, number, "when", message, Sentence("Move the question before the first task."))
    hint = did_you_mean(lacking[0], known) or (
        Sentence("Ask it before the first task.") if known else Sentence("There are no questions.")
    )
    return _fault(criterion, number, "when", Sentence("nothing has the name '{name}'.", name=lacking[0]), hint)


def _impossible(
    criterion: Mapping[str, Any], number: int, asked: Questionnaire, variables: Sequence[Variable]
) -> list[Fault]:
    """Variables are checked one at a time; dependencies between answers are ignored."""
    by_name = {variable.name: variable for variable in variables}
    for name in dict.fromkeys(str(condition["question"]) for condition in criterion["when"]):
        own = [condition for condition in criterion["when"] if condition["question"] == name]
        rules = [rule for rule in asked.rules if rule.get("question") == name]
        mentioned = [one["value"] for one in (*own, *rules) if "value" in one]
        values = [*possible_values(by_name[name], mentioned), None]
        fitting = [value for value in values if all(holds(condition, value) for condition in own)]
        words = reduce(_and, [described(condition) for condition in own])
        if not fitting:
            message = Sentence("{words}: nobody can meet all of these conditions.", words=words)
            if len(own) == 1:
                message = Sentence("{words}: nobody can meet this condition.", words=words)
            elif len(own) == 2:
                message = Sentence("{words}: nobody can meet both conditions.", words=words)
            return [_fault(criterion, number, "when", message)]
        if all(any(holds(rule, value) for rule in rules) for value in fitting):
            message = Sentence("{words}: the screening rules exclude all of these people.", words=words)
            return [_fault(criterion, number, "when", message, Sentence("Change the rule or the criterion."))]
    return []


def _and(first: str, then: str) -> str:
    return Sentence("{first} and {then}", first=first, then=then)


def _fault(criterion: Mapping[str, Any], number: int, place: str, message: str, suggestion: str = "") -> Fault:
    said = Sentence("Criterion '{name}': {message}", name=criterion.get("name") or number, message=message)
    return Fault(setting=f"{number}.{place}", message=said, suggestion=suggestion, step="sources")
