"""Section 4: every quality criterion of the rating and comparison tasks, from the settings and the reports."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from analysis.methods.wording import listed
from analysis.papers.data_sheet.answers import OPEN, Answer, Answers, in_part, known, quoted
from analysis.papers.data_sheet.elicited import report_answers
from analysis.papers.data_sheet.facts import Facts
from analysis.papers.data_sheet.texts import target_stimuli
from analysis.papers.names import words_of
from experiments.models import Study
from experiments.paradigms import paradigm_named
from experiments.paradigms.comparison.paradigm import Comparison
from experiments.paradigms.comparison.settings import BEST_WORST, PAIR, options_of
from experiments.paradigms.pieces.rating_questions import SLIDER_MAXIMUM
from experiments.paradigms.rating.paradigm import SIDE_BY_SIDE, questions_of
from experiments.procedure.arranging import complete_procedure

_AGREEMENT = re.compile(r"\b(dis)?agree(s|d|ment)?\b|stimme\b.*\bzu\b|trifft\b.*\bzu\b", re.IGNORECASE)
NOT_APPLICABLE = "N/A"


@dataclass(frozen=True)
class Criterion:
    """A quality criterion: what is asked in which task. `column` is the measure of a rating, empty in a comparison."""

    task: Study
    title: str
    column: str
    question: Mapping[str, Any]


def criteria_of(facts: Facts) -> list[Criterion]:
    """Return the criteria of all tasks: every question of a rating, the question of a comparison."""
    found = []
    for task in facts.tasks:
        settings = paradigm_named(task.paradigm).complete_settings(task.settings)
        if task.paradigm == Comparison.slug:
            asked = str(settings["question"]).strip()
            found.append(Criterion(task, facts.titled(task, asked or "the question of the comparison"), "", settings))
        else:
            found += [
                Criterion(task, facts.titled(task, words_of(question["name"])), question["name"], question)
                for question in questions_of(settings)
            ]
    return found


def criterion_answers(facts: Facts, criterion: Criterion) -> Answers:
    """Return the answers to section 4 about one criterion."""
    asked = _compared(criterion, facts) if criterion.task.paradigm == Comparison.slug else _rated(criterion, facts)
    said = quoted(criterion.question["question" if not criterion.column else "text"])
    no_name = f"{NOT_APPLICABLE}: the question is shown without a name for what is judged"
    return {
        "4.1.1": OPEN,
        "4.1.2": OPEN,
        "4.1.3": _frame(facts, criterion),
        "4.2.1": known("Subjective: people say what they think of the texts.", facts.setup),
        "4.2.3": known(
            "Intrinsic: the texts themselves are judged; nothing that people do with them is measured in this task.",
            facts.setup,
        ),
        "4.3.1": known(
            f"{no_name}. In the data it is the column {quoted(criterion.column)}."
            if criterion.column
            else f"{no_name}.",
            facts.setup,
            add="the name, where the question or the instructions hold one",
        ),
        "4.3.2": known(
            f"No definition beside the question itself{f', {said}' if said != quoted('') else ''}, and the "
            "instructions (3.2.4).",
            facts.setup,
            add="the definition word by word, where the instructions hold one",
        ),
        "4.3.7": known(_asked(criterion), facts.setup)
        if said != quoted("")
        else in_part(
            "The platform's own question for this task, in the language of the study; no other was set.",
            facts.setup,
            add="the question as the preview of the study shows it",
        ),
        **asked,
        **report_answers(facts, criterion.task, criterion.column, made=_made(criterion)),
    }


def _asked(criterion: Criterion) -> str:
    """Return what stands before evaluators: the question with all of its labels."""
    question = criterion.question
    if not criterion.column:
        return quoted(question["question"])
    labels = [quoted(label) for label in question["labels"]]
    return f"{quoted(question['text'])}{f' Labels: {listed(labels, shown=30)}.' if labels else ''}"


def _made(criterion: Criterion) -> str:
    """Say how an answer becomes a score, before any analysis."""
    question = criterion.question
    if not criterion.column:
        return "Every answer is stored as it was given, with the texts in the order in which they stood."
    match question["kind"]:
        case "scale":
            return f"The score is the chosen point, a whole number from 1 to {question['points']}, as it was given."
        case "slider":
            return f"The score is the place on the slider, a whole number from 0 to {SLIDER_MAXIMUM}, as it was given."
        case "error-spans":
            score = f", and the score from 0 to {SLIDER_MAXIMUM} as it was given" if question["score"] else ""
            return f"The marked words are counted by kind and severity{score}."
        case _:
            return "The score is the number that was typed, as it was given; analyses may standardise it within people."


def _frame(facts: Facts, criterion: Criterion) -> Answer:
    stimuli = target_stimuli(criterion.task)
    with_context = sum(bool(str(one.extra.get("context", "")).strip()) for one in stimuli)
    if not with_context:
        return in_part("Beside the texts themselves evaluators see nothing that they come from.", facts.setup)
    return in_part(
        f"Evaluators see a context, such as the input, above {with_context} of {len(stimuli)} texts.", facts.setup
    )


def _rated(criterion: Criterion, facts: Facts) -> Answers:
    question = criterion.question
    settings = paradigm_named(criterion.task.paradigm).complete_settings(criterion.task.settings)
    beside = (
        settings["presentation"] == SIDE_BY_SIDE and complete_procedure(criterion.task.procedure)["conditions"] == "all"
    )
    labels, points = question["labels"], question["points"]
    shown = "" if not labels else f", labelled {listed([quoted(label) for label in labels], shown=20)}"
    match question["kind"]:
        case "scale":
            size, values = str(points), f"1 to {points}{shown}."
            form = f"Multiple choice: one of {points} points."
        case "slider":
            size = str(SLIDER_MAXIMUM + 1)
            values = f"0 to {SLIDER_MAXIMUM} in whole steps{shown}."
            form = "A slider."
        case "error-spans":
            named = f" in the categories {listed([quoted(one) for one in question['categories']], shown=30)}"
            size = str(SLIDER_MAXIMUM + 1) if question["score"] else "continuous"
            values = "Words of the text are marked as minor or major errors"
            values += f"{named if question['categories'] else ''}."
            values += f" Then a score from 0 to {SLIDER_MAXIMUM} in whole steps{shown}." if question["score"] else ""
            form = "Another form: errors are marked in the text" + (", then a slider." if question["score"] else ".")
        case _:
            size, values = (
                "continuous",
                "Any positive number that people type (magnitude estimation without a modulus).",
            )
            form = "Another form: a field into which a number is typed."
    optional = "" if question["required"] else "; the question may be left out"
    is_statement = not str(question["text"]).rstrip("”\"' ").endswith("?")
    if any(_AGREEMENT.search(label) for label in labels):
        elicited = known("Agreement or disagreement with a statement about quality.", facts.setup)
    elif (
        is_statement
        or _AGREEMENT.search(str(question["text"]))
        or facts.study.participants_language not in ("en", "de")
    ):
        elicited = in_part("A rating of a text on a scale.", facts.setup)
    else:
        elicited = known("Direct estimation of quality.", facts.setup)
    return {
        "4.2.2": known(
            "Relative: all texts of an item stand side by side and are rated in turn."
            if beside
            else "Absolute: a page shows one stimulus.",
            facts.setup,
        ),
        "4.3.3": known(f"{size}{optional}", facts.setup),
        "4.3.4": known(values, facts.setup),
        "4.3.5": known(form, facts.setup),
        "4.3.6": known(f"{NOT_APPLICABLE}: there is a rating instrument.", facts.setup),
        "4.3.8": elicited,
    }


def _compared(criterion: Criterion, facts: Facts) -> Answers:
    settings = criterion.question
    k = options_of(max(2, criterion.task.conditions.count()), settings)
    if settings["task"] == PAIR:
        tie = bool(settings["no_difference"])
        answers = {
            "4.3.3": "3" if tie else "2",
            "4.3.4": "The first text, the second text" + (", no difference." if tie else "."),
            "4.3.5": "Multiple choice: one of the two texts" + (", or no difference." if tie else "."),
            "4.3.6": f"{NOT_APPLICABLE}: one of the answers is chosen.",
        }
    else:
        none = f"{NOT_APPLICABLE}: there is no rating instrument (4.3.6)."
        task = (
            f"Of {k} texts the best and the worst are chosen, {k * (k - 1)} possible answers; recorded are both,"
            if settings["task"] == BEST_WORST
            else f"{k} texts are put in order from the best to the worst, {math.factorial(k)} possible answers; "
            "recorded is the rank of every text,"
        )
        recorded = " with the time of the answer and its changes."
        answers = {"4.3.3": none, "4.3.4": none, "4.3.5": none, "4.3.6": task + recorded}
    return {
        "4.2.2": known(
            f"Relative: {k} texts of an item stand on one page and are judged against each other.", facts.setup
        ),
        "4.3.8": known("Relative estimation of quality: texts are compared with each other.", facts.setup),
        **{number: known(text, facts.setup) for number, text in answers.items()},
    }
