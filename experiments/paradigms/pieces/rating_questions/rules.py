"""Define and validate rating questions. Pure.

A question has the keys of KEYS:

- `name`: a lower-case word; becomes the column of the ratings in the data
- `text`: the question as participants read it
- `kind`: "magnitude" (any positive number, relative to one's other answers), "scale" (discrete points), "slider"
  (continuous, 0 to 100, without a handle until it is touched) or, where the paradigm has it, "error-spans" (words of
  the text are marked as minor or major errors)
- `points`: how many points a scale has, 2 to 11; 0 for the other kinds
- `labels`: none, one for each end, or, on a scale, one for each point, from the lowest to the highest
- `required`: whether an answer is needed to go on

Only error spans have two more keys:

- `categories`: names of error categories, one of which is chosen for every error; may be empty
- `score`: whether a slider from 0 to 100 follows, with `labels` at its ends
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from experiments.formats.exported import COLUMNS_OF_TRIALS
from experiments.formats.faults import did_you_mean
from experiments.sentences import Sentence

KINDS = ("magnitude", "scale", "slider")
ERROR_SPANS = "error-spans"
KINDS_WITH_SPANS = (*KINDS, ERROR_SPANS)
KEYS = ("name", "text", "kind", "points", "labels", "required")
KEYS_OF_SPANS = ("categories", "score")
FEWEST_POINTS, MOST_POINTS = 2, 11
USUAL_POINTS = 5
SLIDER_MAXIMUM = 100
MAX_QUESTIONS = 20
MAX_TEXT = 1_000
MAX_LABEL = 80
MAX_CATEGORIES = 30

# Columns of the exported trials; a question of the same name would be there twice.
TAKEN_NAMES = COLUMNS_OF_TRIALS | {"item_set", "item", "condition", "is_filler", "is_practice", "text", "answered"}

RatingQuestion = dict[str, Any]


def facts_of_questions(questions: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what default texts say of rating questions: their texts, and which kinds there are.

    >>> facts_of_questions([{"name": "clarity", "text": "How clear is it?", "kind": "slider"}])["sliders"]
    True
    """
    kinds = {str(question["kind"]) for question in questions}
    return {
        "questions": [str(question["text"]) for question in questions],
        "several_questions": len(questions) > 1,
        "scales": "scale" in kinds,
        "sliders": "slider" in kinds,
        "numbers": "magnitude" in kinds,
        "spans": ERROR_SPANS in kinds,
    }


def rating_question_faults(questions: Any, *, taken: Collection[str] = (), kinds: Sequence[str] = KINDS) -> list[str]:
    """Validate a list of rating questions. Return one sentence for each fault, in order.

    `taken` are column names used by the paradigm itself, `kinds` the kinds of question that it supports.

    >>> rating_question_faults([{"name": "clarity", "text": "How clear is it?", "kind": "slider"}])
    []
    >>> rating_question_faults([{"name": "clarity", "text": "How clear is it?", "kind": "slidr"}])
    ["Question 1 ('clarity'): 'slidr' is not a kind of question. Did you mean 'slider'?"]
    """
    if not isinstance(questions, list):
        return [Sentence("The questions must be a list.")]
    if len(questions) > MAX_QUESTIONS:
        return [
            Sentence(
                "There are {number} questions; a text can have at most {most}.",
                number=len(questions),
                most=MAX_QUESTIONS,
            )
        ]
    faults: list[str] = []
    columns: set[str] = {*TAKEN_NAMES, *taken}
    for number, question in enumerate(questions, start=1):
        if not isinstance(question, Mapping):
            faults.append(Sentence("Question {number} needs a name, a text and a kind.", number=number))
            continue
        name = question.get("name")
        place = Sentence("Question {number}", number=number)
        if name:
            place = Sentence("Question {number} ('{name}')", number=number, name=name)
        own = faults_of_question(question, columns, kinds)
        faults += [Sentence("{place}: {fault}", place=place, fault=fault) for fault in own]
        if isinstance(name, str):
            columns |= set(columns_of_question(name, str(question.get("kind"))))
    if sum(isinstance(question, Mapping) and question.get("kind") == ERROR_SPANS for question in questions) > 1:
        faults.append(
            Sentence(
                "Only one question can ask people to mark errors in a text. Join these questions into one with "
                "categories."
            )
        )
    return faults


def faults_of_question(
    question: Mapping[str, Any], columns: Collection[str] = (), kinds: Sequence[str] = KINDS
) -> list[str]:
    """Return what is wrong with one question, without naming it. `columns` are names already in use."""
    faults: list[str] = []
    kind: Any = question.get("kind")
    for key in question:
        if key in KEYS_OF_SPANS and kind != ERROR_SPANS and ERROR_SPANS in kinds:
            faults.append(
                Sentence(
                    "only error spans have '{key}'. Delete it, or choose the kind '{kind}'.", key=key, kind=ERROR_SPANS
                )
            )
        elif key not in (*KEYS, *(KEYS_OF_SPANS if kind == ERROR_SPANS else ())):
            unknown = Sentence("there is no key '{key}'.", key=key)
            hint = did_you_mean(str(key), KEYS)
            faults.append(Sentence("{message} {suggestion}", message=unknown, suggestion=hint) if hint else unknown)
    name = question.get("name")
    if not isinstance(name, str) or not re.fullmatch(r"[a-z][a-z0-9_]{0,29}", name):
        faults.append(
            Sentence(
                "the name becomes a column of the data. It needs a lower-case letter, then letters, digits and "
                "underscores, at most 30 characters."
            )
        )
    elif not set(columns_of_question(name, str(kind))).isdisjoint(columns):
        faults.append(Sentence("the data already have a column with this name. Choose another name."))
    text = question.get("text")
    if not isinstance(text, str) or not text.strip():
        faults.append(Sentence("the text is empty. Write the question as participants read it."))
    elif len(text) > MAX_TEXT:
        faults.append(Sentence("the text is longer than {most} characters.", most=MAX_TEXT))
    if not isinstance(question.get("required", True), bool):
        faults.append(Sentence("'required' must be true or false."))
    if kind == ERROR_SPANS and kind not in kinds:
        return [*faults, Sentence("only a rating study can ask people to mark errors. Choose another kind.")]
    if kind not in kinds:
        hint = did_you_mean(str(kind), kinds) or Sentence("Possible names: {names}.", names=", ".join(kinds))
        return [*faults, Sentence("'{kind}' is not a kind of question. {hint}", kind=kind, hint=hint)]
    own = _span_faults(question) if kind == ERROR_SPANS else []
    return [*faults, *_point_faults(kind, question), *_label_faults(kind, question), *own]


def columns_of_question(name: str, kind: str = "") -> tuple[str, ...]:
    """Return the columns that a question adds to the data."""
    usual = (name, f"{name}_rt_ms", f"{name}_changes", f"{name}_typed")
    return (*usual, f"{name}_minor", f"{name}_major", f"{name}_weighted") if kind == ERROR_SPANS else usual


def number_of_question(question: Mapping[str, Any]) -> str:
    """Return the main column of a question for analyses: its rating, or its errors if no score was asked.

    >>> number_of_question({"name": "errors", "kind": "error-spans", "score": False})
    'errors_weighted'
    """
    without_score = question["kind"] == ERROR_SPANS and not question["score"]
    return f"{question['name']}_weighted" if without_score else str(question["name"])


def _span_faults(question: Mapping[str, Any]) -> list[str]:
    faults: list[str] = []
    if not isinstance(question.get("score", True), bool):
        faults.append(Sentence("'score' must be true or false."))
    elif question.get("labels") and not question.get("score", True):
        faults.append(Sentence("without a score there is no slider with ends to label. Delete the labels."))
    given = question.get("categories", [])
    if not isinstance(given, list) or not all(isinstance(one, str) and one.strip() for one in given):
        return [*faults, Sentence("the categories must be a list of texts, none of them empty.")]
    names = [one.strip() for one in given]
    if any(len(name) > MAX_LABEL for name in names):
        faults.append(Sentence("a category is longer than {most} characters.", most=MAX_LABEL))
    if len(names) > MAX_CATEGORIES:
        faults.append(
            Sentence(
                "there are {number} categories, but people can choose from {most} at most.",
                number=len(names),
                most=MAX_CATEGORIES,
            )
        )
    twice = next((name for number, name in enumerate(names) if name in names[:number]), None)
    if twice is not None:
        faults.append(Sentence("the category '{name}' appears twice. Delete one.", name=twice))
    return faults


def _point_faults(kind: str, question: Mapping[str, Any]) -> list[str]:
    points = question.get("points", USUAL_POINTS if kind == "scale" else 0)
    if isinstance(points, bool) or not isinstance(points, int):
        return [Sentence("the number of points must be a whole number.")]
    if kind == "scale" and not FEWEST_POINTS <= points <= MOST_POINTS:
        return [
            Sentence(
                "a scale has {fewest} to {most} points, not {points}.",
                fewest=FEWEST_POINTS,
                most=MOST_POINTS,
                points=points,
            )
        ]
    return []


def _label_faults(kind: str, question: Mapping[str, Any]) -> list[str]:
    labels = question.get("labels", [])
    if not isinstance(labels, list) or not all(isinstance(label, str) and label.strip() for label in labels):
        return [Sentence("the labels must be a list of texts, none of them empty.")]
    if any(len(label) > MAX_LABEL for label in labels):
        return [Sentence("a label is longer than {most} characters.", most=MAX_LABEL)]
    if kind == "magnitude" and labels:
        return [Sentence("magnitude estimation has no ends to label. Delete the labels.")]
    if kind in ("slider", ERROR_SPANS) and len(labels) not in (0, 2):
        return [Sentence("a slider has two labels, one for each end, or none; there are {number}.", number=len(labels))]
    points = question.get("points", USUAL_POINTS)
    if kind == "scale" and len(labels) not in (0, 2, points):
        return [
            Sentence(
                "a scale of {points} points has two labels, one for each end, or {points}, one for each point, or "
                "none; there are {number}.",
                points=points,
                number=len(labels),
            )
        ]
    return []


def complete_rating_question(question: Mapping[str, Any]) -> RatingQuestion:
    """Return a well-formed question with every key, as it is stored and sent to the browser.

    >>> complete_rating_question({"name": "focus", "text": "Is there a focus?", "kind": "scale"})["points"]
    5
    """
    kind = question["kind"]
    return {
        "name": question["name"],
        "text": question["text"].strip(),
        "kind": kind,
        "points": question.get("points", USUAL_POINTS) if kind == "scale" else 0,
        "labels": [label.strip() for label in question.get("labels", [])],
        "required": question.get("required", True),
        **(_of_spans(question) if kind == ERROR_SPANS else {}),
    }


def _of_spans(question: Mapping[str, Any]) -> RatingQuestion:
    return {
        "categories": [name.strip() for name in question.get("categories", [])],
        "score": question.get("score", True),
    }
