"""Comprehension questions with choices: columns of the materials, planning, measures and session flags.

The browser gets the choices in random order, without the correct one.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from experiments.paradigms.base import Measure, StimulusColumn
from experiments.paradigms.pieces.displays import early_field
from experiments.paradigms.pieces.fields import milliseconds, optional_text, percentage, switch
from experiments.paradigms.pieces.payloads import CountField, DurationField, ExactPayload
from experiments.sentences import Sentence

QUESTION_COLUMNS = (
    StimulusColumn("question", "A question about the text. Empty means no question."),
    StimulusColumn("choices", "The answers to choose from, separated by |; they are shown in random order."),
    StimulusColumn("answer", "The right choice; none if no choice is right or wrong."),
)
QUESTION_MEASURES = (
    Measure("question", "text", "The question that was asked about the text."),
    Measure("question_answer", "text", "The choice that was taken; empty where the time ran out."),
    Measure("question_correct", "boolean", "Whether it is the right one."),
    Measure("question_ms", "number", "From the onset of the question to the answer.", "ms"),
)


def comprehension_threshold_field() -> forms.IntegerField:
    """Return the field `comprehension_threshold`: the accuracy below which a session is flagged."""
    return percentage(
        _("Flag sessions with fewer than … % right answers"),
        0,
        _("Counts answers to the questions about the texts. 0 flags nobody. A flag never excludes a session."),
    )


RANDOM, AS_WRITTEN = "random", "fixed"
UNSCORED = "none"
MOST_CHOICES = 9


class QuestionKeysField(forms.CharField):
    """The keys of the choices from the first to the last, separated by spaces; empty for none of their own."""

    def clean(self, value: Any) -> str:
        keys = str(super().clean(value)).casefold().split()
        if any(len(key) != 1 or not key.isalnum() for key in keys) or len(set(keys)) < len(keys):
            raise forms.ValidationError(_("Name different letters or digits, separated by spaces, such as: f j."))
        if len(keys) == 1 or len(keys) > MOST_CHOICES:
            raise forms.ValidationError(_("Name two to nine keys, one for each choice."))
        return " ".join(keys)


def question_choices_field() -> forms.CharField:
    """Return the field `question_choices`: the choices of questions that name none."""
    return optional_text(
        _("Choices of the questions"),
        "",
        _(
            "For rows without choices of their own, separated by |, such as: Yes | No. The column 'answer' names "
            "the right one."
        ),
        longest=300,
    )


def question_keys_field(otherwise: Any) -> QuestionKeysField:
    """Return the field `question_keys`; `otherwise` says how questions are answered without keys."""
    return QuestionKeysField(label=_("Keys of the choices"), required=False, initial="", help_text=otherwise)


def question_order_field() -> forms.ChoiceField:
    """Return the field `question_order`: whether choices are shuffled."""
    return forms.ChoiceField(
        label=_("Order of the choices"),
        choices=[(RANDOM, _("at random, for every text")), (AS_WRITTEN, _("as in the materials"))],
        initial=RANDOM,
        help_text=_(
            "Each key belongs to a place. If choices come in random order, a key means a different "
            "choice for every text."
        ),
    )


def question_feedback_field() -> forms.BooleanField:
    """Return the field `question_feedback_in_practice`."""
    return switch(
        _("Feedback after questions in practice"),
        False,
        _("In practice, people read after each question whether they were right."),
    )


def question_feedback_in_main_field() -> forms.BooleanField:
    """Return the field `question_feedback_in_main`."""
    return switch(
        _("Feedback after questions in the main trials"),
        False,
        _("After each question. People then know how well they do."),
    )


def question_deadline_field() -> forms.IntegerField:
    """Return the field `question_deadline_ms`."""
    return milliseconds(
        _("Deadline of questions in milliseconds"),
        0,
        _("Then the question ends without an answer. 0 means no deadline."),
    )


def question_setting_faults(extra: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
    """Return what is wrong with the question of a row under these settings.

    >>> question_setting_faults({"question": "Who?", "answer": "Ann"}, {})
    ["The question 'Who?' has no choices. Write them into the column 'choices' or into the settings."]
    >>> question_setting_faults({"question": "Who?", "choices": "Ann|Bea|Cleo"}, {"question_keys": "f j"})
    ['The question has 3 choices, but there are keys for 2.']
    """
    keys, choices = str(settings.get("question_keys", "")).split(), choices_in(extra, settings)
    if not extra.get("question"):
        return []
    if not choices:
        return [
            Sentence(
                "The question '{question}' has no choices. Write them into the column 'choices' or into the settings.",
                question=str(extra["question"]).strip(),
            )
        ]
    if not own_choices(extra) and right_choice(extra, choices) is None and not is_unscored(extra, choices):
        return [
            Sentence(
                "The answer '{answer}' to '{question}' is not one of {choices}.",
                answer=str(extra.get("answer", "")).strip(),
                question=str(extra["question"]).strip(),
                choices=", ".join(choices),
            )
        ]
    if not keys or len(choices) <= len(keys):
        return []
    return [
        Sentence("The question has {n} choices, but there are keys for {keys}.", n=len(choices), keys=len(keys)),
    ]


def checked_question(params: Mapping[str, Any], asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return whether an answer to the question of a text is right: `{"correct": …}` for `{"answer": choice}`.

    Raises LookupError where the text gives no feedback.
    """
    question, right = params.get("question"), params.get("right_choice")
    if right is None or not question or not question.get("feedback"):
        raise LookupError("This text gives no feedback.")
    return {"correct": asked["answer"] == right}


def _listed(cell: Any) -> list[str]:
    return [choice.strip() for choice in str(cell or "").split("|") if choice.strip()]


def own_choices(extra: Mapping[str, Any]) -> list[str]:
    """Return the choices that a row of the materials names in the column `choices`.

    >>> own_choices({"choices": "Yes | No"})
    ['Yes', 'No']
    """
    return _listed(extra.get("choices"))


def choices_in(extra: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
    """Return the choices of the question of a row: its own, otherwise those of the settings.

    >>> choices_in({"answer": "Yes"}, {"question_choices": "Yes | No"})
    ['Yes', 'No']
    """
    return own_choices(extra) or _listed(settings.get("question_choices"))


def right_choice(extra: Mapping[str, Any], choices: Sequence[str]) -> int | None:
    """Return which choice the column `answer` names, whatever its capitals, or by its first letters; None for none.

    >>> [right_choice({"answer": cell}, ["Yes", "No"]) for cell in ("No", "yes ", "Y", "maybe")]
    [1, 0, 0, None]
    """
    answer = str(extra.get("answer", "") or "").strip()
    if answer in choices:
        return list(choices).index(answer)
    folded = [choice.casefold() for choice in choices]
    if answer.casefold() in folded:
        return folded.index(answer.casefold())
    if is_unscored(extra, choices):
        return None
    begun = [place for place, choice in enumerate(folded) if answer and choice.startswith(answer.casefold())]
    return begun[0] if len(begun) == 1 else None


def is_unscored(extra: Mapping[str, Any], choices: Sequence[str]) -> bool:
    """Return whether the column `answer` says `none`: no choice is right or wrong. A choice may be called so.

    >>> is_unscored({"answer": "none"}, ["Ann", "Nonesuch"]), is_unscored({"answer": "None"}, ["Ann", "none"])
    (True, False)
    """
    answer = str(extra.get("answer", "") or "").strip().casefold()
    return answer == UNSCORED and answer not in [choice.casefold() for choice in choices]


def question_faults(extra: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return (column, sentence) for each fault of a row's question, whose columns are only valid together.

    A row without choices of its own has those of the settings: see `question_setting_faults`.

    >>> question_faults({"question": "Who came?", "choices": "Ann|Bea", "answer": "Cleo"})
    [('answer', 'The right answer must be one of the choices, in the same words.')]
    """
    question = str(extra.get("question", "")).strip()
    choices = own_choices(extra)
    if not question and choices:
        return [("question", Sentence("There are choices or an answer, but no question."))]
    # Tables with an answer in every row say by an empty question that none is asked.
    if not question or not choices:
        return []
    if not 2 <= len(choices) <= 9:
        return [("choices", Sentence("A question needs two to nine choices, separated by |."))]
    if len(set(choices)) < len(choices):
        return [("choices", Sentence("A choice appears twice."))]
    if right_choice(extra, choices) is None and not is_unscored(extra, choices):
        return [("answer", Sentence("The right answer must be one of the choices, in the same words."))]
    return []


def planned_question(
    extra: Mapping[str, Any],
    rng: random.Random,
    settings: Mapping[str, Any] | None = None,
    *,
    is_practice: bool = False,
) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    """Return the question for the browser, with its choices in their order, and its private part.

    Keys, a deadline and feedback are in it where the settings have them.

    >>> row = {"question": "Who came?", "choices": "Bea|Ann", "answer": "Ann"}
    >>> planned_question(row, random.Random(1), {"question_keys": "f j", "question_order": "fixed"})
    ({'prompt': 'Who came?', 'choices': ['Bea', 'Ann'], 'keys': ['f', 'j']}, {'right_choice': 1})
    >>> planned_question(row | {"answer": "none"}, random.Random(1), {"question_order": "fixed"})[1]
    {}
    """
    settings = settings or {}
    choices = choices_in(extra, settings)
    right = right_choice(extra, choices)
    if not extra.get("question") or not choices or (right is None and not is_unscored(extra, choices)):
        return None, {}
    named = "" if right is None else choices[right]
    if settings.get("question_order") != AS_WRITTEN:
        rng.shuffle(choices)
    private = {} if right is None else {"right_choice": choices.index(named)}
    question: dict[str, Any] = {"prompt": str(extra["question"]).strip(), "choices": choices}
    if keys := str(settings.get("question_keys", "")).split():
        question["keys"] = keys[: len(choices)]
    if settings.get("question_deadline_ms"):
        question["deadline_ms"] = settings["question_deadline_ms"]
    told = "question_feedback_in_practice" if is_practice else "question_feedback_in_main"
    if right is not None and settings.get(told):
        question["feedback"] = True
    return question, private


def question_measures(params: Mapping[str, Any], answer: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the measures of an answered question; none if nothing was asked.

    `params` holds what was planned, together with its private part where that is known.
    """
    question = params["question"]
    if question is None or answer is None:
        return {}
    right, choice = params.get("right_choice"), answer["choice"]
    return {
        "question": question["prompt"],
        "question_answer": None if choice is None else question["choices"][choice],
        "question_correct": None if right is None or choice is None else choice == right,
        "question_ms": answer["rt_ms"],
    }


def comprehension_of(answered: Iterable[tuple[Mapping[str, Any], Mapping[str, Any]]]) -> float | None:
    """Return the accuracy over (parameters, payload) of trials; None without answers.

    >>> asked = {"question": {"prompt": "Who?", "choices": ["Ann", "Bea"]}, "right_choice": 1}
    >>> comprehension_of([(asked, {"question": {"choice": 1, "rt_ms": 900.0}}), (asked, {"question": None})])
    1.0
    """
    right = [
        correct
        for params, payload in answered
        if (correct := question_measures(params, payload["question"]).get("question_correct")) is not None
    ]
    return sum(right) / len(right) if right else None


def comprehension_flags(quality: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
    """Return sentences that say why a session is flagged for its accuracy in `quality`; empty if it is not.

    >>> comprehension_flags({"comprehension": 0.5}, {"comprehension_threshold": 80})
    ['fewer than 80 % of the questions about the texts were answered correctly']
    """
    least, comprehension = settings.get("comprehension_threshold") or 0, quality.get("comprehension")
    if least and comprehension is not None and 100 * comprehension < least:
        return [
            Sentence("fewer than {least} of the questions about the texts were answered correctly", least=f"{least} %"),
        ]
    return []


def simulated_question(params: Mapping[str, Any], *, attention: float, rng: random.Random) -> dict[str, Any] | None:
    """Return the answer of a virtual participant: correct with probability `attention`, otherwise a guess."""
    question = params["question"]
    if question is None:
        return None
    right = params.get("right_choice")
    guessed = rng.randrange(len(question["choices"]))
    choice = right if right is not None and rng.random() < attention else guessed
    rt_ms = round(rng.lognormvariate(7.2, 0.35), 3)
    if rt_ms > question.get("deadline_ms", math.inf):
        return {"choice": None, "rt_ms": None}
    return {"choice": choice, "rt_ms": rt_ms}


class AnsweredQuestion(ExactPayload):
    """Which choice was taken, counted from 0, and after how long; null where the time ran out."""

    choice = CountField(allow_null=True)
    rt_ms = DurationField(allow_null=True)
    early = early_field()


def question_payload_faults(asked: Mapping[str, Any] | None, answer: Mapping[str, Any] | None) -> str:
    """Return what is wrong with an answer, given the question or None if none was asked; empty if nothing is.

    >>> question_payload_faults(None, {"choice": 0, "rt_ms": 900.0})
    'There was no question to answer.'
    """
    if (asked is None) != (answer is None):
        return "A question was asked and not answered." if answer is None else "There was no question to answer."
    if asked is None or answer is None:
        return ""
    if (answer["choice"] is None) != (answer["rt_ms"] is None):
        return "An answer has a choice and a time."
    if answer["choice"] is None:
        return "" if asked.get("deadline_ms") else "This question has no deadline."
    if answer["choice"] >= len(asked["choices"]):
        return "There is no such choice."
    return ""
