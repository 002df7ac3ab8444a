"""The rows of `trials.csv`: every stored trial, answered or not."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from analysis.codebook import RATING, attribute_names, between_questions, trial_columns
from analysis.exports.cells import Cells, cell
from analysis.exports.exclusions import ATTENTION, verdict_on
from analysis.exports.stored import (
    StoredSession,
    StoredStimulus,
    StoredTrial,
    stored_events,
    stored_sessions,
    stored_stimuli,
    stored_trials,
)
from experiments.models import Study
from experiments.paradigms import paradigm_named
from experiments.paradigms.base import Paradigm

BACKGROUND_QUESTIONS = "background-questions"


def trial_rows(study: Study) -> Iterator[Cells]:
    """Yield the cells of `trials.csv`, in the order of `codebook.trial_columns(study).all`."""
    paradigm = paradigm_named(study.paradigm)
    columns = trial_columns(study)
    questions = [str(question["name"]) for question in between_questions(study)]
    declared = paradigm.measures_of(study.settings)
    measures = [measure.name for measure in declared]
    # Numbers and texts are cells as they are; only the others need looking at.
    only_plain = all(measure.type in ("number", "integer", "text") for measure in declared)
    stimuli = stimulus_cells(study)
    rules = study.plan.get("exclusion_rules", [])
    targets = {pk: stimulus.is_target for pk, stimulus in stimuli.items()}
    attention = expected_of_attention_items(study) if rules else {}
    no_measures = (None,) * len(measures)
    no_derived = (None,) * len(columns.derived)
    for session, trials in stored_trials(stored_sessions(study)):
        # What depends on the session alone is made into cells once, as is what depends on the stimulus alone.
        person = (study.slug, session.participant, session.pk, session.list)
        background = background_cells(trials, questions)
        measured = measured_values(paradigm, trials)
        verdict = verdict_on(
            session,
            trials,
            rules=rules,
            paradigm=paradigm,
            measured=measured,
            targets=targets,
            attention=attention,
        )
        facts = session_facts(session, reason=verdict.session)
        kept = [trial for trial in trials if trial.position not in verdict.trials]
        derived = normalised_cells(kept, measured, stimuli) if columns.derived else {}
        for trial in trials:
            stimulus = stimuli[trial.stimulus]
            values = measured.get(trial.pk)
            if values is None:
                own = no_measures
            elif only_plain:
                own = [values.get(name) for name in measures]
            else:
                own = [cell(values.get(name)) for name in measures]
            yield (
                *person,
                trial.position,
                trial.phase,
                *stimulus.place,
                stimulus.text if trial.stimulus is not None else shown_text(trial),
                *own,
                *derived.get(trial.pk, no_derived),
                trial.rt_ms,
                trial.onset_ms,
                trial.clock,
                # A trial without a response that a browser has begun was cut off.
                "true" if (trial.was_opened if trial.response is None else trial.interrupted) else "false",
                *(facts if facts.excluded else facts.because(verdict.trials.get(trial.position, ""))),
                "false" if trial.response is None else "true",
                trial.plugin,
                trial.attempts,
                trial.focus_losses,
                *stimulus.attributes,
                *background,
            )


@dataclass(frozen=True, slots=True)
class StimulusCells:
    """The cells of one stimulus: those before its text and those at the end of a row."""

    place: Cells
    text: str
    attributes: Cells
    is_target: bool


def stimulus_cells(study: Study) -> dict[int | None, StimulusCells]:
    """Return the cells of every stimulus, and under None those of a trial that shows none."""
    factors = [str(factor["name"]) for factor in study.factors]
    attributes = attribute_names(study)
    cells: dict[int | None, StimulusCells] = {
        None: StimulusCells(
            place=(None, None, None, *(None for _ in factors), "false"),
            text="",
            attributes=(None,) * len(attributes),
            is_target=False,
        )
    }
    for pk, stimulus in stored_stimuli(study).items():
        levels = stimulus.levels or {}
        cells[pk] = StimulusCells(
            place=(
                stimulus.item_set,
                stimulus.item,
                condition_name(stimulus, factors),
                *(cell(levels.get(name)) for name in factors),
                cell(stimulus.is_filler),
            ),
            text=stimulus.text,
            attributes=tuple(cell(stimulus.attributes.get(name)) for name in attributes),
            is_target=not stimulus.is_filler and not stimulus.is_practice,
        )
    return cells


def condition_name(stimulus: StoredStimulus, factors: Sequence[str]) -> str:
    """Return the name of a stimulus' condition, as `Condition.name` does."""
    levels = stimulus.levels or {}
    return ":".join(str(levels[name]) for name in factors if name in levels)


def measured_values(paradigm: Paradigm, trials: Sequence[StoredTrial]) -> dict[int, dict[str, Any]]:
    """Return the paradigm's measures of the answered trials that are its own, by trial."""
    events = stored_events(trials)
    measured = {}
    for trial in trials:
        if trial.payload is not None and trial.plugin in paradigm.responses:
            of_trial = [event for _, batch in events.get(trial.pk, ()) for event in batch]
            measured[trial.pk] = paradigm.measure(trial.params, trial.payload, of_trial)
    return measured


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


class SessionFacts(NamedTuple):
    """The cells that every trial of a session shares."""

    simulated: str | None
    is_excluded: str | None
    reason: str
    started_at: str | None
    study_version: int

    @property
    def excluded(self) -> bool:
        """Whether the whole session is left out."""
        return self.is_excluded == "true"

    def because(self, reason: str) -> SessionFacts:
        """Return the cells of a trial that is left out for a reason of its own; the same ones without a reason."""
        return self._replace(is_excluded="true", reason=reason) if reason else self


def session_facts(session: StoredSession, *, reason: str = "") -> SessionFacts:
    """Return the cells that every trial of a session shares; `reason` is that of a planned rule that leaves it out."""
    return SessionFacts(
        cell(session.is_simulated),
        cell(session.is_left_out or bool(reason)),
        session.reason or reason,
        cell(session.started_at),
        session.study_version,
    )


def expected_of_attention_items(study: Study) -> dict[int | None, str]:
    """Return what is expected of attention items, "high" or "low", from the column `attention` of the materials."""
    return {
        pk: str(stimulus.attributes.get(ATTENTION, "")).strip().lower()
        for pk, stimulus in stored_stimuli(study).items()
    }


def shown_text(trial: StoredTrial) -> str:
    """Return the text of a trial that shows no stimulus of the materials, such as the modulus."""
    text = trial.params.get("text")
    return text if isinstance(text, str) else ""
