"""Warnings where an edited text of participants contradicts the settings in a way that can be recognised."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from experiments.formats.faults import Fault
from experiments.models import Part, Study
from experiments.paradigms import known_paradigm
from experiments.paradigms.timed_choice.answers import answers_in
from experiments.procedure.default_texts import words_of_texts
from experiments.procedure.texts import body_faults, texts_of
from experiments.sentences import Sentence

# Where the answers of a paradigm lie, by the names of its settings.
KEYS = ("left_key", "right_key")


def text_mismatches(study: Study) -> list[Fault]:
    """Return what edited texts of a draft say that its settings do not: zero, keys, number of answers, placeholders."""
    if study.is_frozen:
        return []
    found: list[Fault] = []
    for _kind, task, text in texts_of(study):
        if text is None or text.is_default or not text.body.strip():
            continue
        found += [
            Fault(message=fault.message, suggestion=fault.suggestion, step="texts")
            for fault in body_faults(text.body, text.markup)
        ]
        if task is not None:
            found += [
                Fault(message=message, suggestion=ADVICE, step="texts")
                for message in _of_instructions(study, task, text.body)
            ]
    return found


ADVICE = Sentence("Change the text or the setting.")


def _of_instructions(study: Study, task: Part, body: str) -> Iterator[Sentence]:
    paradigm = known_paradigm(task.paradigm)
    if paradigm is None:
        return
    words = words_of_texts(study.language)
    settings = paradigm.complete_settings(task.settings)
    zero = next((said for said in words["above_zero"] if said.casefold() in body.casefold()), None)
    if settings.get("allow_zero") and zero:
        yield Sentence("The instructions say “{said}”, but the settings allow zero.", said=zero)
    keys = _keys(settings)
    for key in _keys_named(body, words) if keys else ():
        if key not in keys:
            yield Sentence(
                "The instructions name the key {key}, but the settings have {keys}.",
                key=key.upper(),
                keys=", ".join(str(words["names_of_keys"].get(each, each.upper())) for each in sorted(keys)),
            )
    answers = len(answers_in(settings["answers"])) if "answers" in settings else 0
    for number, said in _numbers_of_answers(body, words) if answers else ():
        if number != answers:
            yield Sentence("The instructions say “{said}”, but the settings have {n} answers.", said=said, n=answers)


def _keys(settings: dict[str, Any]) -> set[str]:
    """Return the keys with which a task is answered, as the settings name them; none where they are not set."""
    if "answers" in settings:
        return {answer.key for answer in answers_in(settings["answers"])}
    return {str(settings[name]) for name in KEYS if name in settings}


def _keys_named(body: str, words: Any) -> list[str]:
    """Return the single letters and digits that a text names as keys, each once.

    >>> words = {"key": ["key", "press"]}
    >>> _keys_named("Press F for yes, and the key “J” for no. Type I if you like.", words)
    ['f', 'j']
    """
    word = "|".join(map(re.escape, words["key"]))
    quoted = r"[“„\"'‘«]?([A-Z0-9])\b(?!\.\d)"
    found = re.findall(rf"\b(?:{word})\s{quoted}", body, re.IGNORECASE)
    return list(dict.fromkeys(key.lower() for key in found))


def _numbers_of_answers(body: str, words: Any) -> list[tuple[int, str]]:
    """Return the numbers of answers, keys or buttons that a text names, with its words.

    >>> words = {"numbers": ["two", "three", "four"], "answers": ["answers", "keys"]}
    >>> _numbers_of_answers("There are three answers. Use two hands.", words)
    [(3, 'three answers')]
    """
    numbers = "|".join(map(re.escape, words["numbers"]))
    answers = "|".join(map(re.escape, words["answers"]))
    return [
        (2 + [each.casefold() for each in words["numbers"]].index(number.casefold()), f"{number} {things}")
        for number, things in re.findall(rf"\b({numbers})\s({answers})\b", body, re.IGNORECASE)
    ]
