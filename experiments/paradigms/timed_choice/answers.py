"""The answers of a timed choice as a researcher names them, and which key means which for whom. Pure.

One answer per line, from the left to the right: its name in the data, its key and, where participants see another word,
that word, separated by `|`. Keys stay at their places; the answers change places between participants where the
mapping is counterbalanced.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

FEWEST, MOST = 2, 4
MAX_NAME = 40
# Keys that have no sign of their own; every other key is one character.
NAMED_KEYS = ("space", "left", "right", "up", "down")
SIDES = ("left", "right")


@dataclass(frozen=True)
class Answer:
    """One answer: its name in the data, its key, and the word that participants see."""

    name: str
    key: str
    label: str


def answers_in(text: str) -> list[Answer]:
    """Return the answers of a setting, in their order; lines without an answer are left out.

    >>> answers_in("word | J\\nnonword | f | no word")
    [Answer(name='word', key='j', label='word'), Answer(name='nonword', key='f', label='no word')]
    """
    found = []
    for line in text.splitlines():
        parts = [part.strip() for part in line.split("|")]
        if any(parts):
            name, key, label = (*parts, "", "")[:3]
            found.append(Answer(name, key.lower(), label or name))
    return found


def answer_faults(text: str) -> list[str]:
    """Return one sentence for each thing that is wrong with the answers.

    >>> answer_faults("yes | j\\nno | jj")
    ["The key of 'no' must be one character, or one of space, left, right, up, down."]
    """
    faults = []
    lines = [line for line in text.splitlines() if line.strip(" |\t")]
    answers = answers_in(text)
    if not FEWEST <= len(answers) <= MOST:
        faults.append(f"There must be {FEWEST} to {MOST} answers, one per line; there are {len(answers)}.")
    for line, answer in zip(lines, answers, strict=True):
        if line.count("|") > 2:
            faults.append(f"'{line.strip()}' has more than a name, a key and a word, separated by |.")
        if not answer.name:
            faults.append(f"'{line.strip()}' has no name before the first |.")
        if len(answer.name) > MAX_NAME or len(answer.label) > MAX_NAME:
            faults.append(f"'{answer.name[:MAX_NAME]}…' is longer than {MAX_NAME} characters.")
        if answer.name and not (len(answer.key) == 1 or answer.key in NAMED_KEYS):
            faults.append(f"The key of '{answer.name}' must be one character, or one of {', '.join(NAMED_KEYS)}.")
    for what, given in (("name", [each.name for each in answers]), ("key", [each.key for each in answers])):
        twice = sorted({one for one in given if one and given.count(one) > 1})
        faults += [f"The {what} '{one}' is there twice." for one in twice]
    return faults


def placed(answers: Sequence[Answer], *, variant: int) -> list[dict[str, Any]]:
    """Return the answers by their places from the left: keys stay where they are, names move on by `variant` places.

    Over as many variants as there are answers, every answer is once at every place.

    >>> [(each["name"], each["key"]) for each in placed(answers_in("word|f\\nnonword|j"), variant=1)]
    [('nonword', 'f'), ('word', 'j')]
    """
    n = len(answers)
    there = [(answers[place].key, answers[(place + variant) % n]) for place in range(n)]
    return [{"name": answer.name, "label": answer.label, "key": key} for key, answer in there]


def side_of(place: int, *, of: int) -> str:
    """Return the name of a place: left or right of two, else its number from the left, counted from 1.

    >>> side_of(1, of=2), side_of(1, of=3)
    ('right', '2')
    """
    return SIDES[place] if of == len(SIDES) else str(place + 1)
