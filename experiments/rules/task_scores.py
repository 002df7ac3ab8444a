"""Scores of a task by which later parts may be decided, such as `lexical.accuracy`: name of the task, dot, score. Pure.

These are the numeric quality measures of its paradigm, the share of right answers in practice, and the number of right
answers, as far as its trials have right ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from experiments.paradigms.base import Paradigm
from experiments.questionnaire.variables import Variable
from experiments.rules.exclusion_verdict import AnsweredTrial, quality_of_task
from experiments.sentences import Sentence

# The measure of a trial from which each further score is computed.
RIGHT, PRACTICE_ACCURACY, N_CORRECT = "correct", "practice_accuracy", "n_correct"
_NUMBERS = ("number", "integer")


def score_variables(task: str, paradigm: Paradigm) -> list[Variable]:
    """Return the scores of a task as variables that conditions may look at.

    >>> from experiments.paradigms import paradigm_named
    >>> [one.name for one in score_variables("words", paradigm_named("timed-choice"))][-3:]
    ['words.early_presses_total', 'words.practice_accuracy', 'words.n_correct']
    """
    found = [
        Variable(
            f"{task}.{measure.name}",
            "",
            "number",
            measure.description,
            low=0 if _is_share(measure.name) or measure.type == "integer" else None,
            high=1 if _is_share(measure.name) else None,
            is_whole=measure.type == "integer",
        )
        for measure in paradigm.quality_measures()
        if measure.type in _NUMBERS
    ]
    if any(measure.name == RIGHT and measure.type == "boolean" for measure in paradigm.measures):
        practice, number = Sentence("Share of correct answers in practice"), Sentence("Number of correct answers")
        found.append(Variable(f"{task}.{PRACTICE_ACCURACY}", "", "number", practice, low=0, high=1))
        found.append(Variable(f"{task}.{N_CORRECT}", "", "number", number, low=0, is_whole=True, may_be_empty=False))
    return found


def _is_share(name: str) -> bool:
    return name.endswith(("_share", "accuracy")) or name == "comprehension"


def score_values(task: str, paradigm: Paradigm, trials: Sequence[AnsweredTrial]) -> dict[str, Any]:
    """Return the value of every one of `score_variables`; None where there is none. `trials` are those of the task.

    Their `params` hold what the browser does not learn, too.
    """
    quality = quality_of_task({trial.part for trial in trials}, paradigm, trials)
    names = [one.name.partition(".")[2] for one in score_variables(task, paradigm)]
    right: dict[str, list[bool]] = {"practice": [], "main": []}
    if N_CORRECT in names:
        for trial in trials:
            if trial.payload is not None and trial.plugin in paradigm.responses and trial.phase in right:
                is_right = paradigm.measure(trial.params, trial.payload, ()).get(RIGHT)
                right[trial.phase] += [is_right] if is_right is not None else []
    practice = right["practice"]
    further = {
        PRACTICE_ACCURACY: sum(practice) / len(practice) if practice else None,
        N_CORRECT: sum(right["main"]),
    }
    return {f"{task}.{name}": _number({**quality, **further}.get(name)) for name in names}


def _number(value: Any) -> float | int | None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    return value if is_number else None
