"""Validate a list of questions: all faults at once, each with its place and what to do. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from experiments.formats.faults import Fault
from experiments.questionnaire.kinds import MAX_QUESTIONS
from experiments.questionnaire.one_question import faults_of_question
from experiments.questionnaire.scores import scale_faults
from experiments.questionnaire.variables import Variable, answer_variables, columns_of
from experiments.sentences import Sentence


def question_faults(questions: Any) -> list[Fault]:
    """Return every fault of a list of questions, each with the keys of `kinds`.

    >>> question_faults([{"name": "age", "label": "How old are you?", "kind": "number"}])
    []
    >>> [str(fault) for fault in question_faults([{"name": "age", "label": "Your age?", "kind": "numbr"}])]
    ["Question 1 ('age'): 'numbr' is not a kind of question. Did you mean 'number'?"]
    """
    return [fault for _number, fault in numbered_faults(questions)]


def numbered_faults(questions: Any, *, is_placed: bool = True) -> list[tuple[int, Fault]]:
    """Return every fault with the number of its question, from 1; 0 for a fault of the list.

    `is_placed`: its sentence says which question is meant.
    """
    if not isinstance(questions, list):
        return [(0, _fault(Sentence("Questions must be a list.")))]
    faults = []
    if len(questions) > MAX_QUESTIONS:
        message = Sentence(
            "There are {number} questions, but a page has room for at most {most}.",
            number=len(questions),
            most=MAX_QUESTIONS,
        )
        faults.append((0, _fault(message)))
    columns: set[str] = set()
    names: set[str] = set()
    before: list[Variable] = []
    sound: list[Mapping[str, Any]] = []
    for number, question in enumerate(questions, start=1):
        if not isinstance(question, Mapping):
            message = Sentence("Question {number}: it needs a name, a label and a kind.", number=number)
            faults.append((number, _fault(message)))
            continue
        name, place = question.get("name"), ""
        if is_placed and name:
            place = Sentence("Question {number} ('{name}')", number=number, name=name)
        elif is_placed:
            place = Sentence("Question {number}", number=number)
        said = faults_of_question(question, before=before, names=names, columns=columns)
        faults += [(number, _fault(message, suggestion, place)) for message, suggestion in said]
        if isinstance(name, str):
            names.add(name)
        if not said:
            sound.append(question)
            columns |= set(columns_of(question))
            before += answer_variables([question])
    faults += [
        (number, _fault(Sentence("Questions of the scale '{scale}': {message}", scale=scale, message=message)))
        for number, scale, message in scale_faults(questions, sound)
    ]
    return sorted(faults, key=lambda entry: entry[0])


def _fault(message: str, suggestion: str = "", place: str = "") -> Fault:
    said = Sentence("{place}: {message}", place=place, message=message) if place else message
    return Fault(message=said, suggestion=suggestion, step="procedure")
