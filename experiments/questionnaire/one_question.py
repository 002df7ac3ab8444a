"""Validate one question by its kind. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from experiments.formats.faults import did_you_mean
from experiments.questionnaire import kinds
from experiments.questionnaire.answers import fault_of_answer, is_number
from experiments.questionnaire.conditions import condition_faults
from experiments.questionnaire.kinds import KEYS, KEYS_OF_KIND, KINDS, WITH_CHOICES
from experiments.questionnaire.variables import CHECK_FAILED, SCORE, Variable, columns_of
from experiments.sentences import Sentence

NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
SCORE_KEYS = ("scale", "how", "reverse")
HOWS = ("sum", "mean")
ITEM_KEYS = ("name", "label", "reverse", "expected")
MAX_LABEL = 200
MAX_UNIT = 40


def faults_of_question(
    question: Mapping[str, Any],
    *,
    before: Sequence[Variable] = (),
    names: set[str] | frozenset[str] = frozenset(),
    columns: set[str] | frozenset[str] = frozenset(),
) -> list[tuple[str, str]]:
    """Return (sentence, suggestion) for what is wrong with one question, without saying which.

    `before` are the variables of the preceding questions, `names` and `columns` those already in use.
    """
    faults: list[tuple[str, str]] = [
        (Sentence("there is no key '{key}'.", key=key), did_you_mean(str(key), KEYS))
        for key in question
        if key not in KEYS
    ]
    faults += _name_faults(question.get("name"), names)
    if not is_text(question.get("label")):
        faults.append((Sentence("the label is empty. Write the question as participants read it."), ""))
    kind = question.get("kind")
    if kind not in KINDS:
        known = Sentence("Possible names: {names}.", names=", ".join(KINDS))
        message = Sentence("'{kind}' is not a kind of question.", kind=kind)
        faults.append((message, did_you_mean(str(kind), KINDS) or known))
    faults += _choice_faults(kind, question.get("choices", []))
    if not isinstance(question.get("required", False), bool):
        faults.append((Sentence("'required' must be true or false."), ""))
    if not isinstance(question.get("help", ""), str):
        faults.append((Sentence("'help' must be a text."), ""))
    if kind not in KINDS:
        return faults
    faults += [
        (
            Sentence("a question of the kind '{kind}' has no '{key}'.", kind=kind, key=key),
            Sentence("Delete it, or choose another kind."),
        )
        for key in kinds.FURTHER_KEYS
        if key in question and key not in KEYS_OF_KIND[kind]
    ]
    usable = {key: value for key, value in question.items() if key in (*kinds.BASE_KEYS, *KEYS_OF_KIND[kind])}
    faults += _declined_faults(usable)
    faults += _number_faults(usable)
    faults += _point_faults(kind, usable)
    faults += _item_faults(kind, usable)
    if "shown_if" in usable:
        faults += [
            (
                Sentence("shown if: {message}", message=message),
                Sentence("Only questions before this one are possible."),
            )
            for message in condition_faults(usable["shown_if"], before, what="earlier question")
        ]
    faults += _score_faults(usable)
    if not faults:
        faults += _expected_faults(question)
        faults += _column_faults(question, columns)
    return faults


def is_text(value: Any) -> bool:
    """Return whether a value is a non-empty text that can be stored."""
    return isinstance(value, str) and bool(value.strip()) and "\x00" not in value


def _name_faults(name: Any, names: set[str] | frozenset[str]) -> list[tuple[str, str]]:
    if not isinstance(name, str) or not NAME.fullmatch(name):
        return [
            (
                Sentence(
                    "the name becomes a column of the data. It needs a lower-case letter, then letters, digits "
                    "and underscores, at most 40 characters."
                ),
                "",
            )
        ]
    return [(Sentence("another question has the same name."), "")] if name in names else []


def _choice_faults(kind: Any, choices: Any) -> list[tuple[str, str]]:
    if not isinstance(choices, list) or not all(is_text(choice) for choice in choices):
        return [(Sentence("the choices must be a list of texts, none of them empty."), "")]
    if kind in WITH_CHOICES and len(choices) < 2:
        return [(Sentence("a question of the kind '{kind}' needs at least two choices.", kind=kind), "")]
    if kind in KINDS and kind not in WITH_CHOICES and choices:
        return [(Sentence("a question of the kind '{kind}' has no choices.", kind=kind), "")]
    if len(set(choices)) < len(choices):
        return [(Sentence("a choice appears twice."), "")]
    if kind == kinds.SEVERAL and any("|" in choice for choice in choices):
        return [
            (
                Sentence("a choice contains |, which separates the choices in the data."),
                Sentence("Write / or a comma instead."),
            )
        ]
    return []


def _declined_faults(question: Mapping[str, Any]) -> list[tuple[str, str]]:
    faults: list[tuple[str, str]] = [
        (Sentence("'{key}' must be true or false.", key=key), "")
        for key in ("decline", "random_order")
        if not isinstance(question.get(key, False), bool)
    ]
    if not faults and question.get("decline") is True and question.get("required") is True:
        faults.append(
            (
                Sentence("an answer cannot be required if people may prefer not to say."),
                Sentence("Delete 'required': everybody must then answer or tick that they prefer not to say."),
            )
        )
    return faults


def _number_faults(question: Mapping[str, Any]) -> list[tuple[str, str]]:
    faults: list[tuple[str, str]] = [
        (Sentence("'{key}' must be a number.", key=key), "")
        for key in ("minimum", "maximum")
        if key in question and not is_number(question[key])
    ]
    low, high = question.get("minimum"), question.get("maximum")
    if not faults and low is not None and high is not None and low >= high:
        message = Sentence("the minimum ({low:g}) must be below the maximum ({high:g}).", low=low, high=high)
        faults.append((message, ""))
    # The field for participants' numbers accepts no sign.
    if not faults and low is not None and low < 0:
        faults.append((Sentence("the minimum cannot be below 0, because participants type digits without a sign."), ""))
    unit = question.get("unit", "")
    if not isinstance(unit, str) or len(unit) > MAX_UNIT or "\x00" in unit:
        message = Sentence("the unit must be a text of at most {most} characters, such as years.", most=MAX_UNIT)
        faults.append((message, ""))
    return faults


def _point_faults(kind: str, question: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    points = question.get("points", kinds.USUAL_POINTS)
    low, high = kinds.FEWEST_POINTS, kinds.MOST_POINTS
    if isinstance(points, bool) or not isinstance(points, int):
        yield (Sentence("the number of points must be a whole number."), "")
        return
    if kind in (kinds.SCALE, kinds.MATRIX) and not low <= points <= high:
        yield Sentence("a scale has {low} to {high} points, not {points}.", low=low, high=high, points=points), ""
    labels = question.get("labels", [])
    if not isinstance(labels, list) or not all(is_text(label) and len(label) <= MAX_LABEL for label in labels):
        message = Sentence(
            "the labels must be a list of texts of at most {most} characters, none empty.", most=MAX_LABEL
        )
        yield (message, "")
        return
    if kind == kinds.SLIDER and len(labels) not in (0, 2):
        message = Sentence(
            "a slider has two labels, one for each end, or none; there are {number}.", number=len(labels)
        )
        yield message, ""
    if kind in (kinds.SCALE, kinds.MATRIX) and len(labels) not in (0, 2, points):
        message = Sentence(
            "a scale of {points} points has two labels, one for each end, or {points}, one for each point, or none; "
            "there are {number}.",
            points=points,
            number=len(labels),
        )
        yield message, ""


def _item_faults(kind: str, question: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if kind != kinds.MATRIX:
        return
    items = question.get("items")
    if not isinstance(items, list) or not items or not all(isinstance(item, Mapping) for item in items):
        yield (Sentence("a matrix needs items, each with a name and a label."), "")
        return
    if len(items) > kinds.MAX_ITEMS:
        yield Sentence("a matrix has at most {most} items, not {number}.", most=kinds.MAX_ITEMS, number=len(items)), ""
    seen: set[str] = set()
    for number, item in enumerate(items, start=1):
        for key in item:
            if key not in ITEM_KEYS:
                message = Sentence("item {number}: there is no key '{key}'.", number=number, key=key)
                yield message, did_you_mean(str(key), ITEM_KEYS)
        name = item.get("name")
        if not isinstance(name, str) or not NAME.fullmatch(name):
            message = Sentence(
                "item {number}: the name must be a lower-case letter, then letters, digits and underscores.",
                number=number,
            )
            yield message, ""
        elif name in seen:
            yield Sentence("item {number}: another item has the name '{name}'.", number=number, name=name), ""
        else:
            seen.add(name)
        if not is_text(item.get("label")):
            yield Sentence("item {number}: the label is empty.", number=number), ""
        if not isinstance(item.get("reverse", False), bool):
            yield Sentence("item {number}: 'reverse' must be true or false.", number=number), ""
        elif item.get("reverse") and "score" not in question:
            message = Sentence("item {number}: 'reverse' needs a score.", number=number)
            yield message, Sentence("Name the scale that the items measure.")


def _score_faults(question: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if "score" not in question:
        return
    score = question["score"]
    if not isinstance(score, Mapping):
        yield (Sentence('a score must be written as {{scale = "name", how = "sum" or "mean"}}.'), "")
        return
    yield from (
        (Sentence("score: there is no key '{key}'.", key=key), did_you_mean(str(key), SCORE_KEYS))
        for key in score
        if key not in SCORE_KEYS
    )
    scale = score.get("scale")
    if not isinstance(scale, str) or not NAME.fullmatch(scale):
        yield Sentence("score: the scale needs a name: a lower-case letter, then letters, digits and underscores."), ""
    if score.get("how", "sum") not in HOWS:
        how = score.get("how")
        yield Sentence("score: '{how}' is neither sum nor mean.", how=how), did_you_mean(str(how), HOWS)
    reverse = score.get("reverse", False)
    if not isinstance(reverse, bool):
        yield Sentence("score: 'reverse' must be true or false."), ""
    elif reverse and question["kind"] == kinds.MATRIX:
        message = Sentence("score: in a matrix, each item has its own 'reverse'.")
        yield message, Sentence("Write 'reverse' with the items.")
    elif reverse and question["kind"] == kinds.NUMBER and not {"minimum", "maximum"} <= set(question):
        yield Sentence("score: to reverse a number, add a minimum and a maximum."), ""


def _expected_faults(question: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Check that the expected answer is a valid answer."""
    if question["kind"] == kinds.MATRIX:
        high = kinds.points_of(question)
        return [
            (
                Sentence(
                    "item {number}: the expected answer must be a point from 1 to {high}.", number=number, high=high
                ),
                "",
            )
            for number, item in enumerate(question["items"], start=1)
            if "expected" in item and (isinstance(item["expected"], bool) or item["expected"] not in range(1, high + 1))
        ]
    if "expected" not in question:
        return []
    expected = question["expected"]
    if question["kind"] == kinds.TEXT and not is_text(expected):
        return [(Sentence("the expected answer must be a text that is not empty."), "")]
    fault = fault_of_answer(question, expected)
    if not fault:
        return []
    near = did_you_mean(str(expected), question.get("choices", []))
    return [(Sentence("people cannot give the expected answer."), near)]


def _column_faults(question: Mapping[str, Any], columns: set[str] | frozenset[str]) -> Iterator[tuple[str, str]]:
    for column in columns_of(question):
        if column in columns:
            message = Sentence("the data already have a column '{column}'.", column=column)
            yield message, Sentence("Choose another name.")
        elif column == CHECK_FAILED or (column.startswith(SCORE) and question["kind"] == kinds.MATRIX):
            message = Sentence("the platform itself fills the column '{column}'.", column=column)
            yield message, Sentence("Choose another name.")
