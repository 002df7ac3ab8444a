"""The rows of `trials.csv`: every stored trial, answered or not."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analysis.codebook.fixed import RATING
from analysis.codebook.trials import between_questions, trial_columns
from analysis.exports.cells import Cell, Cells, cell
from analysis.exports.codings import coded_cells
from analysis.exports.judged import StimulusCells, judged_sessions, stimulus_cells
from analysis.exports.stored import StoredTrial
from analysis.exports.visits import visit_cells
from experiments.models import Study
from experiments.paradigms import paradigm_named

BACKGROUND_QUESTIONS = "background-questions"


def trial_rows(study: Study) -> Iterator[Cells]:
    """Yield the cells of `trials.csv`, in the order of `codebook.trials.trial_columns(study).all`."""
    paradigm = paradigm_named(study.paradigm)
    columns = trial_columns(study)
    questions = [str(question["name"]) for question in between_questions(study)]
    declared = paradigm.measures_of(study.settings)
    measures = [measure.name for measure in declared]
    # Numbers and texts are cells as they are; only the others need looking at.
    only_plain = all(measure.type in ("number", "integer", "text") for measure in declared)
    stimuli = stimulus_cells(study)
    coded = coded_cells(study) if columns.coding else {}
    no_measures: Sequence[Cell] = (None,) * len(measures)
    no_derived = (None,) * len(columns.derived)
    of_visits = [column.name for column in columns.of_visits]
    no_visits = (None,) * len(of_visits)
    no_coding = (None,) * len(columns.coding)
    for judged in judged_sessions(study, stimuli):
        # What depends on the session alone is made into cells once, as is what depends on the stimulus alone.
        background = background_cells(judged.trials, questions)
        derived = normalised_cells(judged.kept, judged.measured, stimuli) if columns.derived else {}
        visited = visit_cells(paradigm, judged.trials, names=of_visits) if of_visits else {}
        for trial in judged.trials:
            stimulus = stimuli[trial.stimulus]
            values = judged.measured.get(trial.pk)
            if values is None:
                own = no_measures
            elif only_plain:
                own = [values.get(name) for name in measures]
            else:
                own = [cell(values.get(name)) for name in measures]
            yield (
                *judged.person,
                trial.position,
                trial.phase,
                *stimulus.place,
                shown_text(trial) or stimulus.text,
                *own,
                *derived.get(trial.pk, no_derived),
                *visited.get(trial.pk, no_visits),
                *coded.get(trial.response, no_coding),
                trial.rt_ms,
                trial.onset_ms,
                trial.clock,
                # A trial without a response that a browser has begun was cut off.
                "true" if (trial.was_opened if trial.response is None else trial.interrupted) else "false",
                *judged.facts_of(trial),
                "false" if trial.response is None else "true",
                trial.plugin,
                trial.attempts,
                trial.focus_losses,
                *stimulus.attributes,
                *stimulus.metrics,
                *background,
                trial.onset_error_ms,
            )


def normalised_cells(
    trials: Sequence[StoredTrial],
    measured: Mapping[int, Mapping[str, Any]],
    stimuli: Mapping[int | None, StimulusCells],
) -> dict[int, Cells]:
    """Return z score and logarithm of one participant's ratings of targets, by trial.

    z = (rating − mean) / sd with the sample standard deviation (n − 1) over the participant's targets of the main
    phase. Without any variance there is no z; zero has no logarithm.
    """
    ratings = {
        trial.pk: float(measured[trial.pk][RATING])
        for trial in trials
        if trial.phase == "main"
        and stimuli[trial.stimulus].is_target
        and measured.get(trial.pk, {}).get(RATING) is not None
    }
    if not ratings:
        return {}
    mean = math.fsum(ratings.values()) / len(ratings)
    squares = math.fsum((rating - mean) ** 2 for rating in ratings.values())
    varies = len(set(ratings.values())) > 1
    deviation = math.sqrt(squares / (len(ratings) - 1)) if varies else 0.0
    return {
        pk: (
            (rating - mean) / deviation if deviation > 0 else None,
            math.log10(rating) if rating > 0 else None,
        )
        for pk, rating in ratings.items()
    }


def background_cells(trials: Sequence[StoredTrial], questions: Sequence[str]) -> Cells:
    """Return the answers to the background questions of one session."""
    answers: dict[str, Any] = {}
    for trial in trials:
        if trial.plugin == BACKGROUND_QUESTIONS and trial.payload is not None:
            answers.update(trial.payload.get("answers") or {})
    return tuple(cell(answers.get(name)) for name in questions)


def shown_text(trial: StoredTrial) -> str:
    """Return the text of a trial as it was shown: without marks of areas, and also where it is of no item."""
    text = trial.params.get("text")
    return text if isinstance(text, str) else ""
