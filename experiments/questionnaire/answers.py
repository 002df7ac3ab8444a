"""Validate the answers to questions. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from experiments.questionnaire import kinds
from experiments.questionnaire.conditions import shown_names
from experiments.questionnaire.kinds import Answers, Question, points_of

LANGUAGE_KEYS = ("language", "age", "years", "skills")
MAX_LANGUAGE = 100


def answer_faults(questions: Sequence[Question], answers: Answers) -> list[str]:
    """Validate all answers. Return one sentence for every invalid one.

    Every question that was shown has a key, with None for skipped or declined questions; information has none. A
    question that was not shown has no key, or None.
    """
    asked = {str(question["name"]): question for question in questions if question["kind"] != kinds.INFORMATION}
    faults = [f"There is no question '{name}'." for name in answers if name not in asked]
    shown = set(shown_names(questions, {name: answers[name] for name in answers if _is_usable(asked, answers, name)}))
    for name, question in asked.items():
        answer = answers.get(name)
        if name not in shown:
            if answer is not None:
                faults.append(f"The question '{name}' was not shown, so it cannot have an answer.")
        elif name not in answers:
            faults.append(f"The question '{name}' is missing.")
        elif answer is None:
            if question.get("required"):
                faults.append(f"The question '{name}' needs an answer.")
        elif fault := fault_of_answer(question, answer):
            faults.append(fault)
    return faults


def _is_usable(asked: Mapping[str, Question], answers: Answers, name: str) -> bool:
    """Return whether conditions can be evaluated on an answer, that is, whether it has the right type."""
    return name in asked and answers[name] is not None and not fault_of_answer(asked[name], answers[name])


def fault_of_answer(question: Question, answer: Any) -> str:
    """Return what is wrong with an answer that is not None; empty if nothing is."""
    name = question["name"]
    match question["kind"]:
        case kinds.CHOICE:
            return "" if answer in question["choices"] else f"The answer to '{name}' is none of its choices."
        case kinds.SEVERAL:
            return _fault_of_several(question, answer)
        case kinds.NUMBER:
            return _fault_of_number(question, answer)
        case kinds.SCALE:
            return _fault_of_point(f"The answer to '{name}'", answer, points_of(question))
        case kinds.MATRIX:
            return _fault_of_matrix(question, answer)
        case kinds.SLIDER:
            if not is_number(answer) or not 0 <= answer <= kinds.SLIDER_MAXIMUM:
                return f"The answer to '{name}' must be a number from 0 to {kinds.SLIDER_MAXIMUM}."
            return ""
        case kinds.BIRTH_YEAR:
            return _fault_of_year(name, answer)
        case kinds.LANGUAGES:
            return _fault_of_languages(name, answer)
        case kinds.STATEMENT:
            if not isinstance(answer, bool):
                return f"The answer to '{name}' must be true or false."
            return f"The statement '{name}' must be ticked." if question.get("required") and not answer else ""
        case kinds.LONG_TEXT:
            return fault_of_text(question, answer, kinds.MAX_LONG_TEXT)
    return fault_of_text(question, answer, kinds.MAX_TEXT)


def is_number(value: Any) -> bool:
    """Return whether a value is a finite number; true and false are none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def fault_of_text(question: Question, answer: Any, most: int) -> str:
    """Return what is wrong with an answer in words."""
    name = question["name"]
    if not isinstance(answer, str):
        return f"The answer to '{name}' must be a text."
    if len(answer) > most:
        return f"The answer to '{name}' has more than {most} characters."
    if "\x00" in answer:
        return f"The answer to '{name}' holds a NUL character, which cannot be stored."
    if not kinds.trimmed(answer) and question.get("required"):
        return f"The question '{name}' needs an answer."
    return ""


def _fault_of_several(question: Question, answer: Any) -> str:
    name = question["name"]
    if not isinstance(answer, list) or any(choice not in question["choices"] for choice in answer):
        return f"The answer to '{name}' must be a list of its choices."
    if len({str(choice) for choice in answer}) < len(answer):
        return f"The answer to '{name}' has a choice twice."
    return f"The question '{name}' needs an answer." if not answer and question.get("required") else ""


def _fault_of_number(question: Question, answer: Any) -> str:
    name = question["name"]
    if not is_number(answer):
        return f"The answer to '{name}' must be a number."
    low, high = question.get("minimum"), question.get("maximum")
    if (low is None or answer >= low) and (high is None or answer <= high):
        return ""
    if low is None:
        return f"The answer to '{name}' must be at most {high:g}."
    if high is None:
        return f"The answer to '{name}' must be at least {low:g}."
    return f"The answer to '{name}' must lie between {low:g} and {high:g}."


def _fault_of_point(what: str, answer: Any, points: int) -> str:
    if isinstance(answer, bool) or answer not in range(1, points + 1):
        return f"{what} must be a point from 1 to {points}."
    return ""


def _fault_of_matrix(question: Question, answer: Any) -> str:
    name = question["name"]
    if not isinstance(answer, Mapping):
        return f"The answer to '{name}' must have a point for each of its items."
    items = [item["name"] for item in question["items"]]
    for item in answer:
        if item not in items:
            return f"The answer to '{name}' names '{item}', which is none of its items."
    for item in items:
        given = answer.get(item)
        if given is None:
            if question.get("required"):
                return f"The question '{name}' needs an answer to every item; '{item}' has none."
        elif fault := _fault_of_point(f"The answer to '{item}' of '{name}'", given, points_of(question)):
            return fault
    return ""


def _fault_of_year(name: str, answer: Any) -> str:
    latest = datetime.now(tz=UTC).year
    if isinstance(answer, bool) or not isinstance(answer, int) or not kinds.FIRST_YEAR <= answer <= latest:
        return f"The answer to '{name}' must be a year from {kinds.FIRST_YEAR} to {latest}, written with four digits."
    return ""


def _fault_of_languages(name: str, answer: Any) -> str:
    if not isinstance(answer, list) or not answer or len(answer) > kinds.MAX_LANGUAGES:
        return f"The answer to '{name}' must have one to {kinds.MAX_LANGUAGES} languages."
    for number, row in enumerate(answer, start=1):
        place = f"Language {number} of '{name}'"
        if not isinstance(row, Mapping) or set(row) - set(LANGUAGE_KEYS):
            return f"{place} must have a language, age, years and skills, and nothing else."
        language = row.get("language")
        if not isinstance(language, str) or not kinds.trimmed(language):
            return f"{place} has no name."
        if len(language) > MAX_LANGUAGE or "\x00" in language:
            return f"{place} has no name."
        for key in ("age", "years"):
            value = row.get(key)
            if value is not None and (not is_number(value) or not 0 <= value <= kinds.OLDEST):
                return f"{place}: '{key}' must be a number from 0 to {kinds.OLDEST}."
        skills = row.get("skills") or {}
        if not isinstance(skills, Mapping) or set(skills) - set(kinds.SKILLS):
            return f"{place}: the skills are {', '.join(kinds.SKILLS)}."
        for skill, value in skills.items():
            if value is not None and (isinstance(value, bool) or value not in range(kinds.MOST_SKILL + 1)):
                return f"{place}: '{skill}' must be a whole number from 0 to {kinds.MOST_SKILL}."
    return ""
