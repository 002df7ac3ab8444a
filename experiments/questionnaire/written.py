"""Convert questions to and from text cells, for tables and forms. Pure.

Lists in a cell are separated: by `|` in a table, by lines in a form. An item of a matrix is `name: label`, with `- `
before it where it is reversed and ` = 4` after it where the point 4 is expected. A condition is `question is value`,
with the words of `conditions.WORDS`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from experiments.questionnaire import kinds
from experiments.questionnaire.conditions import GIVEN, NOT_GIVEN, OPERATORS, WORDS
from experiments.questionnaire.kinds import Question
from experiments.sentences import Sentence

COLUMNS: Mapping[str, str] = {
    "name": "Column in the data: a lower-case letter, then letters, digits and underscores.",
    "label": "The question as participants read it.",
    "kind": f"One of: {', '.join(kinds.KINDS)}.",
    "choices": "choice and several: the answers, separated by |.",
    "required": "yes if nobody can continue without an answer; people must then tick a statement.",
    "decline": "yes or no: whether “prefer not to say” is offered. Empty means yes unless an answer is required.",
    "help": "An explanation under the question.",
    "shown_if": "A condition on an earlier answer, such as: hand is left. Empty: always shown.",
    "random_order": "yes if choices or items come in a different order for every participant.",
    "expected": "For attention and comprehension checks: the right answer. Separate several choices by |.",
    "minimum": "number: the smallest answer.",
    "maximum": "number: the largest answer.",
    "unit": "number: the unit after the field, such as years.",
    "points": "scale and matrix: how many points, 2 to 11; empty: 5.",
    "labels": "scale, matrix and slider: a label for each end, or (not for sliders) for each point, separated by |.",
    "items": (
        "matrix: name: label, separated by |. Write - name: label to reverse an item, and name: label = 4 for a check."
    ),
    "scale": "The scale to which the answers count. It becomes the column score_<scale>.",
    "how": "sum or mean; empty: sum.",
    "reverse": "yes if the answer is reversed.",
}
_YES, _NO = ("yes", "true", "1", "x", "ja", "wahr"), ("no", "false", "0", "", "nein", "falsch")
_BY_WORDS = sorted(((words, operator) for operator, words in WORDS.items()), key=lambda pair: -len(pair[0]))


def question_from(
    cells: Mapping[str, str], *, separator: str = "|"
) -> tuple[dict[str, Any], list[tuple[str, str, str]]]:
    """Parse the question in a row of cells; also return (column, sentence, suggestion) for every malformed cell.

    Empty cells of keys that a kind does not have are ignored, so that one table holds all kinds.

    >>> question_from({"name": "age", "label": "Age?", "kind": "number", "minimum": "18", "required": "yes"})[0]
    {'name': 'age', 'label': 'Age?', 'kind': 'number', 'required': True, 'minimum': 18}
    """
    given = {name: str(text or "").strip() for name, text in cells.items()}
    faults: list[tuple[str, str, str]] = []
    kind = given.get("kind", "").lower().replace("_", "-").replace(" ", "-")
    question: dict[str, Any] = {"name": given.get("name", ""), "label": given.get("label", ""), "kind": kind}
    for key, read in _READ.items():
        text = given.get(key, "")
        if not text:
            continue
        try:
            value = read(text, separator)
        except _Unreadable as unreadable:
            faults.append((key, str(unreadable), unreadable.suggestion))
            continue
        if value is not None:
            question[key] = value
    _add_expected(question, given, separator)
    _add_score(question, given, faults)
    return question, faults


def cells_of(question: Question, *, separator: str = "|") -> dict[str, str]:
    """Return the cells of a question: the inverse of `question_from`.

    >>> cells_of({"name": "a", "label": "?", "kind": "choice", "choices": ["x", "y"]})["choices"]
    'x|y'
    """
    score = question.get("score") or {}
    expected = question.get("expected")
    cells = {
        "name": str(question["name"]),
        "label": str(question["label"]),
        "kind": str(question["kind"]),
        "choices": separator.join(question.get("choices") or []),
        "required": "yes" if question.get("required") else "",
        "decline": "" if "decline" not in question else "yes" if question["decline"] else "no",
        "help": str(question.get("help") or ""),
        "shown_if": condition_text(question["shown_if"]) if question.get("shown_if") else "",
        "random_order": "yes" if question.get("random_order") else "",
        "expected": separator.join(expected) if isinstance(expected, list) else plain(expected),
        "minimum": plain(question.get("minimum")),
        "maximum": plain(question.get("maximum")),
        "unit": str(question.get("unit") or ""),
        "points": plain(question.get("points")),
        "labels": separator.join(question.get("labels") or []),
        "items": separator.join(_item_text(item) for item in question.get("items") or []),
        "scale": str(score.get("scale", "")),
        "how": str(score.get("how", "")),
        "reverse": "yes" if score.get("reverse") else "",
    }
    return {name: cells[name] for name in COLUMNS}


def condition_text(condition: Mapping[str, Any]) -> str:
    """Return a condition as it is written in a cell.

    >>> condition_text({"question": "age", "operator": "at-least", "value": 18})
    'age is at least 18'
    """
    operator = condition.get("operator", "is")
    if operator in (GIVEN, NOT_GIVEN):
        return f"{condition['question']} {WORDS[operator]}"
    return f"{condition['question']} {WORDS[operator]} {plain(condition.get('value'))}"


def condition_from(text: str) -> dict[str, Any]:
    """Parse the condition in a cell. Raises ValueError if there is none.

    >>> condition_from("native is not English")
    {'question': 'native', 'operator': 'is-not', 'value': 'English'}
    >>> condition_from("age is at least 18")
    {'question': 'age', 'operator': 'at-least', 'value': 18}
    """
    name, _, rest = text.strip().partition(" ")
    rest = rest.strip()
    for words, operator in _BY_WORDS:
        if rest.lower() == words and operator in (GIVEN, NOT_GIVEN):
            return {"question": name, "operator": operator}
        if rest.lower().startswith(f"{words} ") and operator not in (GIVEN, NOT_GIVEN):
            return {"question": name, "operator": operator, "value": value_from(rest[len(words) :].strip())}
    word, _, value = rest.partition(" ")
    if word in OPERATORS:
        stated = {"question": name, "operator": word}
        return stated if word in (GIVEN, NOT_GIVEN) else {**stated, "value": value_from(value.strip())}
    raise _Unreadable(
        Sentence("'{text}' is not a condition.", text=text),
        Sentence("Write it as: hand is left, or: age is at least 18."),
    )


def value_from(text: str) -> Any:
    """Parse a value of a condition or an expected answer: a number, a truth value, or the text itself.

    A quoted value is always a text.

    >>> value_from("18"), value_from("2.5"), value_from("true"), value_from("left"), value_from('"18"')
    (18, 2.5, True, 'left', '18')
    """
    if len(text) > 1 and text[0] == text[-1] == '"':
        return text[1:-1]
    if re.fullmatch(r"-?\d{1,15}", text):
        return int(text)
    if re.fullmatch(r"-?\d{1,15}[.,]\d{1,15}", text):
        return float(text.replace(",", "."))
    return {"true": True, "ticked": True, "false": False, "not ticked": False}.get(text.lower(), text)


def fitted(condition: Mapping[str, Any], questions: Sequence[Question]) -> dict[str, Any]:
    """Return a condition with its value converted to the type of its question: the choice "2" is a text."""
    value = condition.get("value")
    for question in questions:
        if question.get("name") == condition.get("question") and question.get("kind") in (
            *kinds.WITH_CHOICES,
            kinds.TEXT,
            kinds.LONG_TEXT,
            kinds.LANGUAGES,
        ):
            return {**condition, "value": plain(value)} if "value" in condition else dict(condition)
    return dict(condition)


class _Unreadable(ValueError):
    def __init__(self, message: str, suggestion: str = "") -> None:
        super().__init__(message)
        self.suggestion = suggestion


def plain(value: Any) -> str:
    """Return a value as written in a cell: the inverse of `value_from`.

    >>> plain(18.0), plain(True), plain(None)
    ('18', 'true', '')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def _truth(text: str, _separator: str) -> bool | None:
    if text.lower() in _YES:
        return True
    if text.lower() in _NO:
        return False
    raise _Unreadable(
        Sentence("'{text}' is neither yes nor no.", text=text), Sentence("Write yes, or leave the cell empty.")
    )


def _only_yes(text: str, separator: str) -> bool | None:
    return _truth(text, separator) or None


def _list(text: str, separator: str) -> list[str]:
    return [part.strip() for part in text.split(separator) if part.strip()]


def _number(text: str, _separator: str) -> int | float:
    value = value_from(text)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise _Unreadable(
            Sentence("'{text}' is not a number.", text=text), Sentence("Write digits, with a point for decimals.")
        )
    return value


def _whole(text: str, separator: str) -> int:
    value = _number(text, separator)
    if value != int(value):
        raise _Unreadable(Sentence("'{text}' is not a whole number.", text=text))
    return int(value)


def _item(text: str) -> dict[str, Any]:
    found = re.fullmatch(
        r"(?P<turned>-\s*)?(?P<name>[^:\s]+)\s*:(?P<label>.*?)(?:\s=\s(?P<expected>[0-9]{1,9}))?", text, re.DOTALL
    )
    if found is None:
        raise _Unreadable(
            Sentence("'{text}' is not an item.", text=text),
            Sentence("Write it as name: label, such as calm: I feel calm."),
        )
    item: dict[str, Any] = {"name": found["name"], "label": found["label"].strip()}
    if found["turned"]:
        item["reverse"] = True
    if found["expected"]:
        item["expected"] = int(found["expected"])
    return item


def _item_text(item: Mapping[str, Any]) -> str:
    turned = "- " if item.get("reverse") else ""
    expected = f" = {item['expected']}" if "expected" in item else ""
    return f"{turned}{item['name']}: {item['label']}{expected}"


_READ: Mapping[str, Any] = {
    "choices": _list,
    "required": _only_yes,
    "decline": _truth,
    "help": lambda text, _separator: text,
    "shown_if": lambda text, _separator: condition_from(text),
    "random_order": _only_yes,
    "minimum": _number,
    "maximum": _number,
    "unit": lambda text, _separator: text,
    "points": _whole,
    "labels": _list,
    "items": lambda text, separator: [_item(part) for part in _list(text, separator)],
}


def _add_expected(question: dict[str, Any], given: Mapping[str, str], separator: str) -> None:
    text = given.get("expected", "")
    if not text:
        return
    match question["kind"]:
        case kinds.SEVERAL:
            question["expected"] = _list(text, separator)
        case kinds.NUMBER | kinds.SCALE:
            question["expected"] = value_from(text)
        case _:
            question["expected"] = text


def _add_score(question: dict[str, Any], given: Mapping[str, str], faults: list[tuple[str, str, str]]) -> None:
    scale, how, reverse = (given.get(name, "") for name in ("scale", "how", "reverse"))
    turned = False
    if reverse:
        try:
            turned = bool(_truth(reverse, ""))
        except _Unreadable as unreadable:
            faults.append(("reverse", str(unreadable), unreadable.suggestion))
    if not scale:
        if turned or how:
            message = Sentence("'how' and 'reverse' need a scale.")
            faults.append(("scale", message, Sentence("Name the scale, or empty the cells.")))
        return
    question["score"] = {"scale": scale, "how": how.lower() or "sum", **({"reverse": True} if turned else {})}
