"""Define the kinds of questions and their keys. Pure.

A question has the keys of `BASE_KEYS` and, where its kind uses them, those of `KEYS_OF_KIND`:

- `name`: a lower-case word; becomes the column of the answers in the data
- `label`: the question as participants read it; `help`: the hint below it
- `choices`: the answers of `choice` and `several`
- `required`: whether an answer is needed to go on; a `statement` must then be ticked
- `decline`: whether "prefer not to say" is offered; by default if an answer is not required
- `shown_if`: a condition on an earlier answer (see `conditions`)
- `random_order`: whether choices or items come in another order for every participant
- `expected`: the right answer of a check item; the browser never gets it
- `score`: `{"scale": name, "how": "sum" or "mean", "reverse": true or false}`
- `minimum`, `maximum`, `unit`: of a `number`
- `points`, `labels`: of a `scale` and a `matrix`; a `slider` has labels for its ends
- `items`: of a `matrix`, each `{name, label}` with `reverse` and `expected` where they apply
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Question = Mapping[str, Any]
Answers = Mapping[str, Any]

CHOICE, SEVERAL, NUMBER, TEXT, LONG_TEXT = "choice", "several", "number", "text", "long-text"
SCALE, MATRIX, SLIDER, BIRTH_YEAR = "scale", "matrix", "slider", "birth-year"
LANGUAGES, STATEMENT, INFORMATION = "languages", "statement", "information"

BASE_KEYS = ("name", "label", "kind", "choices", "required", "help")
FURTHER_KEYS = (
    "decline",
    "shown_if",
    "random_order",
    "expected",
    "score",
    "minimum",
    "maximum",
    "unit",
    "points",
    "labels",
    "items",
)
KEYS = (*BASE_KEYS, *FURTHER_KEYS)

_ANSWERED = ("decline", "shown_if")
KEYS_OF_KIND: Mapping[str, tuple[str, ...]] = {
    CHOICE: (*_ANSWERED, "random_order", "expected"),
    SEVERAL: (*_ANSWERED, "random_order", "expected"),
    NUMBER: (*_ANSWERED, "expected", "score", "minimum", "maximum", "unit"),
    TEXT: (*_ANSWERED, "expected"),
    LONG_TEXT: _ANSWERED,
    SCALE: (*_ANSWERED, "expected", "score", "points", "labels"),
    MATRIX: (*_ANSWERED, "random_order", "score", "points", "labels", "items"),
    SLIDER: (*_ANSWERED, "score", "labels"),
    BIRTH_YEAR: _ANSWERED,
    LANGUAGES: _ANSWERED,
    STATEMENT: ("shown_if",),
    INFORMATION: ("shown_if",),
}
KINDS = tuple(KEYS_OF_KIND)
WITH_CHOICES = (CHOICE, SEVERAL)

# What the standard texts say that is stored of an answer: the name of a sentence that every language has
# (`examples/defaults/<language>/parts.toml`); empty for kinds without an answer.
STORED_OF_KIND: Mapping[str, str] = {
    CHOICE: "answers",
    SEVERAL: "answers",
    NUMBER: "answers",
    TEXT: "typed",
    LONG_TEXT: "typed",
    SCALE: "answers",
    MATRIX: "answers",
    SLIDER: "answers",
    BIRTH_YEAR: "birth_year",
    LANGUAGES: "languages",
    STATEMENT: "ticked",
    INFORMATION: "",
}

MAX_QUESTIONS = 50
MAX_ITEMS = 40
MAX_LANGUAGES = 10
FEWEST_POINTS, MOST_POINTS = 2, 11
USUAL_POINTS = 5
SLIDER_MAXIMUM = 100
FIRST_YEAR, OLDEST = 1900, 120
MAX_TEXT, MAX_LONG_TEXT = 2_000, 10_000
# Self-ratings of language skills, each from 0 (none) to 10 (perfect).
SKILLS = ("understanding", "speaking", "reading", "writing")
MOST_SKILL = 10

# The spaces that browsers trim: `str.strip` also removes some control characters, and keeps U+FEFF.
_SPACES = "\t\n\v\f\r \u00a0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000\ufeff"


def trimmed(text: str) -> str:
    """Return a text without the spaces around it, as browsers trim it.

    >>> trimmed(" a b\\ufeff"), trimmed("a\\x85") == "a\\x85"
    ('a b', True)
    """
    return text.strip(_SPACES)


def may_decline(question: Question) -> bool:
    """Return whether "prefer not to say" is offered.

    >>> may_decline({"kind": "text", "required": False}), may_decline({"kind": "text", "required": True})
    (True, False)
    """
    if question["kind"] in (STATEMENT, INFORMATION):
        return False
    return bool(question.get("decline", not question.get("required", False)))


def is_needed(question: Question) -> bool:
    """Return whether a question must be answered or explicitly declined."""
    if question["kind"] == INFORMATION:
        return False
    return bool(question.get("required", False)) or may_decline(question)


def points_of(question: Question) -> int:
    """Return the number of points of a scale or a matrix."""
    return int(question.get("points", USUAL_POINTS))
