"""Screening rules over answers, scores and checks, which end a session before its trials. Pure.

A rule is `{"question": name, "operator": …, "value": …, "outcome": "screened-out" or "failed-check", "message": …}`;
the name is that of an answer, of an item of a matrix (`<question>_<item>`), of a score (`score_<scale>`), or
`check_failed`. A rule describes who is screened out: under 18 is `age below 18`. Only `not-answered` applies to missing
answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from experiments.formats.faults import Fault, did_you_mean, unknown_keys
from experiments.questionnaire.conditions import GIVEN, condition_faults, described, holds, possible_values
from experiments.questionnaire.conditions import KEYS as CONDITION_KEYS
from experiments.questionnaire.kinds import Answers, Question
from experiments.questionnaire.scores import all_values, all_variables
from experiments.questionnaire.variables import Variable
from experiments.sentences import Sentence, counting

SCREENED_OUT, FAILED_CHECK = "screened-out", "failed-check"
OUTCOMES = (SCREENED_OUT, FAILED_CHECK)
KEYS = (*CONDITION_KEYS, "outcome", "message")
MAX_RULES = 50
MAX_MESSAGE = 2_000


@dataclass(frozen=True)
class Attempts:
    """Number of times a questionnaire was answered, and the maximum."""

    made: int = 1
    allowed: int = 1

    @property
    def is_last(self) -> bool:
        """Whether there is no further attempt."""
        return self.made >= self.allowed


@dataclass(frozen=True)
class ScreeningOutcome:
    """How a session ends by a rule: the outcome, what the participant reads, and which rule it was (from 1)."""

    outcome: str
    message: str
    rule: int


def screening_outcome(
    questions: Sequence[Question],
    answers: Answers,
    rules: Sequence[Mapping[str, Any]],
    attempts: Attempts = Attempts(),
) -> ScreeningOutcome | None:
    """Return the outcome of the first rule that ends a session; None if it continues.

    `answers` are those of the latest attempt. A rule with the outcome `failed-check` applies only to the last attempt;
    before that, the instructions and questions are shown again.

    >>> asked = [{"name": "age", "label": "Age?", "kind": "number", "required": True}]
    >>> rules = [{"question": "age", "operator": "below", "value": 18, "outcome": "screened-out", "message": "Sorry."}]
    >>> screening_outcome(asked, {"age": 17}, rules)
    ScreeningOutcome(outcome='screened-out', message='Sorry.', rule=1)
    >>> screening_outcome(asked, {"age": 18}, rules) is None
    True
    """
    values = all_values(questions, answers)
    for number, rule in enumerate(rules, start=1):
        outcome = str(rule.get("outcome", SCREENED_OUT))
        if outcome == FAILED_CHECK and not attempts.is_last:
            continue
        if holds(rule, values.get(rule["question"])):
            return ScreeningOutcome(outcome, str(rule.get("message", "")), number)
    return None


def passing(
    questions: Sequence[Question], answers: Answers, rules: Sequence[Mapping[str, Any]], attempts: Attempts = Attempts()
) -> Answers:
    """Return the answers with those changed that screen somebody out, one rule after the other, where that is possible.

    A choice, a number, a text or the first of several languages becomes a value that none of the rules is about. Scores
    and items of matrices stay as they are.

    >>> asked = [{"name": "hand", "label": "?", "kind": "choice", "choices": ["left", "right"]}]
    >>> passing(asked, {"hand": "left"}, [{"question": "hand", "operator": "is-not", "value": "right"}])
    {'hand': 'right'}
    """
    variables = {variable.name: variable for variable in all_variables(questions)}
    changed = dict(answers)
    for _attempt in rules:
        ended = screening_outcome(questions, changed, rules, attempts)
        if ended is None:
            break
        name = rules[ended.rule - 1]["question"]
        own = [rule for rule in rules if rule["question"] == name]
        mentioned = [rule["value"] for rule in own if "value" in rule]
        for value in possible_values(variables[name], mentioned) if name in changed else ():
            if value == "\x01" or any(holds(rule, value) for rule in own):
                continue
            if variables[name].type == "languages":
                rows = changed[name] or [{}]
                value = [{**rows[0], **value[0]}, *(row for row in rows[1:] if row["language"] != value[0]["language"])]
                if any(holds(rule, value) for rule in own):
                    continue
            changed[name] = value
            break
    return changed


def screening_faults(questions: Sequence[Question], rules: Any) -> list[Fault]:
    """Return every fault of a list of rules over valid questions: names, values, and rules that nobody can pass.

    >>> asked = [{"name": "age", "label": "Age?", "kind": "number", "required": True}]
    >>> young, old = [{"question": "age", "operator": operator, "value": value, "outcome": "screened-out"}
    ...               for operator, value in (("below", 30), ("above", 20))]
    >>> print(screening_faults(asked, [young, old])[0].message)
    Screening rules 1 and 2: 'age' is below 30, or 'age' is above 20: everybody who answers is excluded.
    """
    if not isinstance(rules, list):
        return [_fault(Sentence("The screening rules must be a list."))]
    faults = []
    if len(rules) > MAX_RULES:
        message = Sentence(
            "There are {n} screening rules, but you can state at most {most}.", n=len(rules), most=MAX_RULES
        )
        faults.append(_fault(message))
    variables = all_variables(questions)
    sound: list[tuple[int, Mapping[str, Any]]] = []
    for number, rule in enumerate(rules, start=1):
        place = Sentence("Screening rule {number}", number=number)
        if not isinstance(rule, Mapping):
            message = Sentence("{place} needs a question, an operator, a value and an outcome.", place=place)
            faults.append(_fault(message))
            continue
        said = [
            _fault(Sentence("{place}: there is no key '{key}'.", place=place, key=key), hint)
            for key, hint in unknown_keys(rule, KEYS)
        ]
        condition = {key: value for key, value in rule.items() if key in CONDITION_KEYS}
        said += [
            _fault(Sentence("{place}: {message}", place=place, message=message))
            for message in condition_faults(condition, variables, what="answer")
        ]
        outcome = rule.get("outcome", SCREENED_OUT)
        if outcome not in OUTCOMES:
            hint = did_you_mean(str(outcome), OUTCOMES) or Sentence(
                "Possible names: {names}.", names=", ".join(OUTCOMES)
            )
            message = Sentence("{place}: there is no outcome '{outcome}'.", place=place, outcome=outcome)
            said.append(_fault(message, hint))
        shown = rule.get("message", "")
        if not isinstance(shown, str) or len(shown) > MAX_MESSAGE or "\x00" in shown:
            message = Sentence(
                "{place}: the message must be a text of at most {most:,} characters.", place=place, most=MAX_MESSAGE
            )
            said.append(_fault(message))
        faults += said
        if not said:
            sound.append((number, rule))
    return faults + impossible(variables, sound)


def impossible(variables: Sequence[Variable], rules: Sequence[tuple[int, Mapping[str, Any]]]) -> list[Fault]:
    """Return a fault for every variable whose rules together screen out everybody.

    Variables are checked one at a time; dependencies between answers (conditional questions, scores) are ignored.
    """
    faults = []
    for variable in variables:
        own = [(number, rule) for number, rule in rules if rule["question"] == variable.name]
        if not own:
            continue
        stand_ins = possible_values(variable, [rule["value"] for _number, rule in own if "value" in rule])
        if variable.is_conditional or any(rule.get("operator") == GIVEN for _number, rule in own):
            # People who are never asked pass, and so do people who skip a question that is screened only by its
            # answers.
            stand_ins = [*stand_ins, None]
        if all(any(holds(rule, value) for _number, rule in own) for value in stand_ins):
            message = counting(
                "Screening rule {which}: {words}: everybody who answers is excluded.",
                "Screening rules {which}: {words}: everybody who answers is excluded.",
                len(own),
                which=reduce(_and, [str(number) for number, _rule in own]),
                words=reduce(_or, [described(rule) for _number, rule in own]),
            )
            faults.append(_fault(message, Sentence("Change one of them.") if len(own) > 1 else Sentence("Change it.")))
    return faults


def _and(first: str, then: str) -> str:
    return Sentence("{first} and {then}", first=first, then=then)


def _or(first: str, then: str) -> str:
    return Sentence("{first}, or {then}", first=first, then=then)


def _fault(message: str, suggestion: str = "") -> Fault:
    return Fault(message=message, suggestion=suggestion, step="procedure")
