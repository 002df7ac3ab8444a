"""The rows of `trials.csv`: every stored trial, answered or not."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from analysis.codebook.fixed import RATING
from analysis.codebook.questionnaires import further_variables
from analysis.codebook.trials import arranged_facts, between_questions, trial_columns
from analysis.exports.cells import PLAIN, Cell, Cells, cell
from analysis.exports.rows.answers import answers_of, variable_cells
from analysis.exports.rows.codings import coded_cells
from analysis.exports.rows.judged import JudgedSession, StimulusCells, judged_sessions, stimulus_cells
from analysis.exports.rows.visits import visit_cells
from analysis.exports.stored import StoredTrial, Wanted
from experiments.models import Study
from experiments.paradigms import paradigm_named
from experiments.procedure.arranging import ARRANGED


def trial_rows(
    study: Study,
    only: Wanted | None = None,
    *,
    chosen: Callable[[JudgedSession, StoredTrial], bool] | None = None,
) -> Iterator[Cells]:
    """Yield the cells of `trials.csv`, in the order of `codebook.trials.trial_columns(study).all`.

    Of a study seen through one of its tasks, or a pool, the trials of those tasks alone, otherwise those of all parts.
    `only` are the sessions that are wanted, and `chosen` says which of their trials are; None means all.
    """

    def trials_of(judged: JudgedSession) -> Sequence[StoredTrial]:
        return judged.trials if chosen is None else [trial for trial in judged.trials if chosen(judged, trial)]

    if not study.has_several_tasks:
        of_task = _OfTask(study)
        for judged in judged_sessions(study, only):
            yield from of_task.rows(judged, trials_of(judged))
        return
    names = [column.name for column in trial_columns(study).all]
    seen = [study.seen_through(task.name) for task in study.seen_tasks]
    of_tasks = {one.task.pk: _OfTask(one) for one in seen}
    first = next(iter(of_tasks.values()))
    for judged in judged_sessions(study, only):
        for part, trials in groupby(trials_of(judged), key=lambda trial: trial.part):
            if part not in of_tasks and study.chosen_task:
                continue
            # Questionnaires and pages stand in the columns that all tasks have.
            of_task = of_tasks.get(part, first)
            places = [of_task.places.get(name) for name in names]
            for cells in of_task.rows(judged, list(trials)):
                yield tuple(None if place is None else cells[place] for place in places)


NOT_ARRANGED: Mapping[str, Any] = {}


class _OfTask:
    """How the rows of one task are made; `study` is seen through it."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.paradigm = paradigm_named(study.paradigm)
        self.columns = trial_columns(study)
        self.places = {column.name: place for place, column in enumerate(self.columns.all)}
        self.questions = [str(question["name"]) for question in between_questions(study)]
        self.asked = study.shown_questions
        self.variables = [variable.name for variable in further_variables(self.asked)]
        self.measures = [column.name for column in self.columns.measures]
        self.task = study.task.pk
        self.stimuli = stimulus_cells(study)
        if self.paradigm.shows_several:
            # A row is about several texts: what belongs to one of them stands in the long table.
            self.stimuli = {pk: of_one.of_its_item() for pk, of_one in self.stimuli.items()}
        self.coded = coded_cells(study) if self.columns.coding else {}
        self.of_visits = [column.name for column in self.columns.of_visits]
        self.arranged = arranged_facts(study)
        self.part_names = {part.pk: part.name for part in study.ordered_parts}

    def rows(self, judged: JudgedSession, trials: Sequence[StoredTrial]) -> Iterator[Cells]:
        """Yield the rows of trials of one session, those of this task or of no task."""
        columns, measures, measured, shown_text = self.columns, self.measures, judged.measured, self.paradigm.shown_text
        stimuli, coded = self.stimuli, self.coded
        no_measures: Sequence[Cell] = (None,) * len(measures)
        no_derived = (None,) * len(columns.derived)
        no_visits = (None,) * len(self.of_visits)
        no_coding = (None,) * len(columns.coding)
        part_names, group = self.part_names, (judged.session.group,) if self.study.groups else ()
        if self.study.languages:
            group = (*group, judged.session.language)
        person = judged.person_in(self.task)
        # What depends on the session alone is made into cells once, as is what depends on the stimulus alone.
        background = background_cells(judged.trials, self.questions)
        further = variable_cells(self.asked, answers_of(judged.trials), self.variables)
        kept = [trial for trial in judged.kept if trial.part == self.task] if columns.derived else []
        derived = normalised_cells(kept, measured, stimuli) if columns.derived else {}
        visited = visit_cells(self.paradigm, trials, names=self.of_visits) if self.of_visits else {}
        arranged = self.arranged
        for trial in trials:
            stimulus = stimuli[trial.stimulus]
            values = measured.get(trial.pk)
            if values is None:
                own = no_measures
            else:
                own = [value if type(value) in PLAIN else cell(value) for value in map(values.get, measures)]
            yield (
                *person,
                trial.position,
                trial.phase,
                *stimulus.place,
                shown_text(trial.params) or stimulus.text,
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
                part_names.get(trial.part),
                *group,
                *further,
                trial.out_of_view,
                "true" if trial.draft_restored else None,
                trial.page_slept_ms,
                *map(trial.params.get(ARRANGED, NOT_ARRANGED).get, arranged),
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
    """Return the answers to background questions of one session: choices, numbers and texts, as they were given."""
    answers = answers_of(trials)
    return tuple(cell(answers.get(name)) for name in questions)
