"""Parse the answers of a timed choice, and counterbalance the mapping of keys to answers. Pure.

One answer per line, from left to right: its name in the data, its key and, if it differs from the name, the word that
participants see, separated by `|`. With a counterbalanced mapping keys stay at their places and answers rotate over
participants.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from experiments.sentences import Sentence

# One answer alone is that of tasks where the right answer may be to withhold it.
FEWEST, MOST = 2, 4
ONLY = 1
# The right answer where nothing is to be pressed, and what tables and other tools call it; spaces and hyphens aside.
WITHHELD = "none"
_WITHHELD_CELLS = {
    WITHHELD, "nogo", "noresponse", "nopress", "nokey", "nokeys", "withhold", "withheld", "null"
}  # fmt: skip
MAX_NAME = 40
# Keys without a printable character; every other key is one character.
NAMED_KEYS = ("space", "left", "right", "up", "down")
SIDES = ("left", "right")


@dataclass(frozen=True)
class Answer:
    """One answer: its name in the data, its key, and the word that participants see."""

    name: str
    key: str
    label: str


def answers_in(text: str) -> list[Answer]:
    """Parse the answers of a setting, in order; lines without an answer are skipped.

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


def right_answer_in(cell: str, names: Sequence[str]) -> str:
    """Return the right answer that a cell names: one of `names`, `WITHHELD`, or the cell as it is.

    >>> right_answer_in(" No-Go ", ["go"]), right_answer_in("nogo", ["go", "nogo"]), right_answer_in("yes", ["go"])
    ('none', 'nogo', 'yes')
    """
    cell = cell.strip()
    folded = "".join(sign for sign in cell.casefold() if sign not in "-_ ")
    return WITHHELD if cell not in names and folded in _WITHHELD_CELLS else cell


def too_few(number: int) -> Sentence:
    """Return the fault of a task that has this many answers."""
    return Sentence(
        "Write {fewest} to {most} answers, one per line; there are {number}.",
        fewest=FEWEST,
        most=MOST,
        number=number,
    )


def answer_faults(text: str) -> list[str]:
    """Validate the answers, of which there may be one. Return one sentence for each fault.

    >>> answer_faults("yes | j\\nno | jj")
    ["The key of 'no' must be one character, or one of space, left, right, up, down."]
    """
    faults: list[str] = []
    lines = [line for line in text.splitlines() if line.strip(" |\t")]
    answers = answers_in(text)
    if not ONLY <= len(answers) <= MOST:
        faults.append(too_few(len(answers)))
    for line, answer in zip(lines, answers, strict=True):
        if line.count("|") > 2:
            faults.append(
                Sentence(
                    "'{line}' has more than three parts. Write a name, a key and a word, separated by |.",
                    line=line.strip(),
                )
            )
        if not answer.name:
            faults.append(Sentence("'{line}' has no name before the first |.", line=line.strip()))
        if len(answer.name) > MAX_NAME or len(answer.label) > MAX_NAME:
            shown = answer.name[:MAX_NAME]
            faults.append(Sentence("'{name}…' is longer than {most} characters.", name=shown, most=MAX_NAME))
        if answer.name and not (len(answer.key) == 1 or answer.key in NAMED_KEYS):
            faults.append(
                Sentence(
                    "The key of '{name}' must be one character, or one of {keys}.",
                    name=answer.name,
                    keys=", ".join(NAMED_KEYS),
                )
            )
    faults += [Sentence("The name '{name}' appears twice.", name=name) for name in _twice([a.name for a in answers])]
    return faults + [Sentence("The key '{key}' appears twice.", key=key) for key in _twice([a.key for a in answers])]


def _twice(given: Sequence[str]) -> list[str]:
    return sorted({one for one in given if one and given.count(one) > 1})


def labels_in(cell: str) -> list[str]:
    """Return the words of a cell of the column `answer_labels`, in the order of the answers; empty without any.

    >>> labels_in("kettle | candle"), labels_in(" ")
    (['kettle', 'candle'], [])
    """
    return [word.strip() for word in cell.split("|")] if cell.strip() else []


def labelled(answers: Sequence[Answer], labels: Sequence[str]) -> list[Answer]:
    """Return the answers with the words of a row; unchanged where their number differs.

    >>> labelled(answers_in("yes|j\\nno|f"), ["oui", "non"])[0]
    Answer(name='yes', key='j', label='oui')
    """
    if len(labels) != len(answers):
        return list(answers)
    return [replace(answer, label=label) for answer, label in zip(answers, labels, strict=True)]


def label_faults(cell: str, answers: Sequence[Answer]) -> list[str]:
    """Return one sentence for each reason why a cell does not name every answer of a row.

    >>> [str(fault) for fault in label_faults("kettle", answers_in("yes|j\\nno|f"))]
    ["'kettle' has 1 of 2 words. Write one for each answer in the order of the settings, with | between them."]
    """
    labels = labels_in(cell)
    if not labels:
        return []
    if len(labels) != len(answers) or not all(labels):
        return [
            Sentence(
                "'{cell}' has {given} of {number} words. Write one for each answer in the order of the settings, "
                "with | between them.",
                cell=cell.strip(),
                given=sum(map(bool, labels)),
                number=len(answers),
            )
        ]
    faults: list[str] = [Sentence("Two answers have the same word, '{word}'.", word=word) for word in _twice(labels)]
    long = [label for label in labels if len(label) > MAX_NAME]
    return faults + [
        Sentence("'{name}…' is longer than {most} characters.", name=label[:MAX_NAME], most=MAX_NAME) for label in long
    ]


def name_of(correct: str, answers: Sequence[Answer], labels: Sequence[str]) -> str:
    """Return the name of the answer that a cell of `correct` means: by its name, its word in the row, or its key.

    Tables of other tools name the key, as in `corrAns`; it is the key that the answer has in the settings.

    >>> name_of("candle", answers_in("first|f\\nsecond|j"), ["kettle", "candle"])
    'second'
    >>> name_of("J", answers_in("nonword|f\\nword|j"), [])
    'word'
    """
    if correct in (answer.name for answer in answers):
        return correct
    by_word = [one.name for one in labelled(answers, labels) if labels and one.label == correct]
    by_key = [one.name for one in answers if one.key == correct.casefold()]
    return (by_word or by_key or [correct])[0]


def placed(answers: Sequence[Answer], *, variant: int) -> list[dict[str, Any]]:
    """Return the answers by place from the left: keys stay, names are rotated by `variant` places.

    Over all variants (one per answer) every answer is at every place once.

    >>> [(each["name"], each["key"]) for each in placed(answers_in("word|f\\nnonword|j"), variant=1)]
    [('nonword', 'f'), ('word', 'j')]
    """
    n = len(answers)
    there = [(answers[place].key, answers[(place + variant) % n]) for place in range(n)]
    return [{"name": answer.name, "label": answer.label, "key": key} for key, answer in there]


def side_of(place: int, *, of: int) -> str:
    """Return the name of a place: left or right of two, otherwise its number from the left, from 1.

    >>> side_of(1, of=2), side_of(1, of=3)
    ('right', '2')
    """
    return SIDES[place] if of == len(SIDES) else str(place + 1)
