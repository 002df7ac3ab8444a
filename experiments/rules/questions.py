"""Background questions: which ones are well formed. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from experiments.formats.faults import Fault, did_you_mean

KINDS = ("choice", "text", "number")
KEYS = ("name", "label", "kind", "choices", "required", "help")
MAX_QUESTIONS = 50


def question_faults(questions: Any) -> list[Fault]:
    """Return every fault of a list of questions, each `{name, label, kind, choices, required, help}`.

    >>> question_faults([{"name": "age", "label": "How old are you?", "kind": "number"}])
    []
    >>> [str(fault) for fault in question_faults([{"name": "age", "label": "Your age?", "kind": "numbr"}])]
    ["Question 1 ('age'): 'numbr' is no kind of question. Did you mean 'number'?"]
    """
    if not isinstance(questions, list):
        return [_fault("Questions", "must be a list.")]
    faults = []
    if len(questions) > MAX_QUESTIONS:
        faults.append(_fault("Questions", f"are {len(questions)}; at most {MAX_QUESTIONS} fit on a page."))
    seen: set[str] = set()
    for number, question in enumerate(questions, start=1):
        if not isinstance(question, Mapping):
            faults.append(_fault(f"Question {number}", "must have a name, a label and a kind."))
            continue
        name = question.get("name")
        place = f"Question {number} ('{name}')" if name else f"Question {number}"
        faults += [
            _fault(place, f"there is no key '{key}'.", did_you_mean(str(key), KEYS))
            for key in question
            if key not in KEYS
        ]
        faults += _name_faults(place, name, seen)
        if isinstance(name, str):
            seen.add(name)
        if not _is_text(question.get("label")):
            faults.append(_fault(place, "the label is empty. Write the question as participants read it."))
        kind = question.get("kind")
        if kind not in KINDS:
            faults.append(
                _fault(place, f"'{kind}' is no kind of question.", did_you_mean(str(kind), KINDS) or _kinds())
            )
        faults += _choice_faults(place, kind, question.get("choices", []))
        if not isinstance(question.get("required", False), bool):
            faults.append(_fault(place, "'required' must be true or false."))
        if not isinstance(question.get("help", ""), str):
            faults.append(_fault(place, "'help' must be a text."))
    return faults


def complete_question(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return a well-formed question with every key, in the order in which it is stored."""
    return {
        "name": question["name"],
        "label": question["label"].strip(),
        "kind": question["kind"],
        "choices": list(question.get("choices", [])),
        "required": question.get("required", False),
        "help": question.get("help", ""),
    }


def _fault(place: str, message: str, suggestion: str = "") -> Fault:
    joined = message if place == "Questions" else f": {message}"
    return Fault(message=f"{place} {joined}".replace(" :", ":"), suggestion=suggestion, step="procedure")


def _kinds() -> str:
    return f"Known are: {', '.join(KINDS)}."


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and "\x00" not in value


def _name_faults(place: str, name: Any, seen: set[str]) -> list[Fault]:
    if not isinstance(name, str) or not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", name):
        return [
            _fault(
                place,
                "the name becomes a column of the data: a lower-case letter, then letters, digits and underscores, "
                "at most 40 characters.",
            )
        ]
    if name in seen:
        return [_fault(place, "another question has the same name.")]
    return []


def _choice_faults(place: str, kind: Any, choices: Any) -> list[Fault]:
    if not isinstance(choices, list) or not all(_is_text(choice) for choice in choices):
        return [_fault(place, "the choices must be a list of texts, none of them empty.")]
    if kind == "choice" and len(choices) < 2:
        return [_fault(place, "a question of the kind 'choice' needs at least two choices.")]
    if kind in KINDS and kind != "choice" and choices:
        return [_fault(place, f"a question of the kind '{kind}' has no choices.")]
    if len(set(choices)) < len(choices):
        return [_fault(place, "a choice is listed twice.")]
    return []
