"""Prepare sessions for export: trials with measures and exclusion verdicts.

What every table of trials needs; `trials.csv`, `codings.csv` and the long tables are made from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from analysis.codebook.materials import item_attribute_names, metric_names, text_attributes
from analysis.exports.cells import Cell, Cells, cell
from analysis.exports.stored import (
    SESSIONS_AT_ONCE,
    StoredSession,
    StoredStimulus,
    StoredTrial,
    Wanted,
    further_lists,
    in_bundles,
    stored_events,
    stored_sessions,
    stored_stimuli,
    stored_trials,
)
from analysis.scores.stored import values_of
from experiments.formats.media_names import text_or_files
from experiments.models import Study
from experiments.paradigms import paradigm_behind
from experiments.paradigms.base import Paradigm
from experiments.rules.exclusion_rules import Verdict
from experiments.rules.exclusion_verdict import expected, verdict_on
from participants.session.figures import verdicts_by_session

NO_VERDICT = Verdict()


@dataclass(frozen=True)
class JudgedSession:
    """One session with its trials in order; `measured` has the measures of the paradigm's own answered trials."""

    session: StoredSession
    trials: Sequence[StoredTrial]
    person: Cells
    measured: Mapping[int, Mapping[str, Any]]
    facts: SessionFacts
    verdict: Verdict
    further_lists: Mapping[int, str]

    def person_in(self, task: int) -> Cells:
        """Return the cells of the person with the list of a task, given by its key."""
        return (*self.person[:-1], self.further_lists.get(task, self.session.list))

    def facts_of(self, trial: StoredTrial) -> SessionFacts:
        """Return the session's cells as they stand in the row of a trial, which may be left out by itself."""
        if self.facts.excluded:
            return self.facts
        return self.facts.because(self.verdict.trials.get(trial.position, ""))

    @property
    def kept(self) -> list[StoredTrial]:
        """The trials that no rule leaves out by themselves."""
        return [trial for trial in self.trials if trial.position not in self.verdict.trials]


def judged_sessions(study: Study, only: Wanted | None = None) -> Iterator[JudgedSession]:
    """Yield the sessions of a study in the order in which they started; with `only`, those of them that are wanted."""
    paradigms = {part.pk: paradigm_behind(part.paradigm) for part in study.ordered_parts}
    tasks = {part.pk: study.pool_of(part) or part.name for part in study.ordered_parts}
    rules = study.plan.get("exclusion_rules", [])
    # The rules look at every task, whichever of them is shown.
    whole = study.seen_through("")
    of_all = stored_stimuli(whole).items() if rules else ()
    targets: dict[int | None, bool] = {pk: not one.is_filler and not one.is_practice for pk, one in of_all}
    attention = expected_of_attention_items(whole) if rules else {}
    further = further_lists(whole)
    for sessions in in_bundles(stored_sessions(study, only), SESSIONS_AT_ONCE):
        judged = [session.pk for session in sessions if not session.is_left_out] if rules else []
        verdicts = verdicts_by_session(whole, judged) if judged else {}
        for session, trials in stored_trials(sessions):
            measured = measured_values(paradigms, trials)
            verdict = verdicts.get(session.pk, NO_VERDICT)
            if rules and not session.is_left_out and session.pk not in verdicts:
                verdict = verdict_on(
                    trials,
                    rules=rules,
                    paradigms=paradigms,
                    measured=measured,
                    targets=targets,
                    attention=attention,
                    questions=whole.shown_questions,
                    tasks=tasks,
                )
            yield JudgedSession(
                session=session,
                trials=trials,
                person=(study.slug, session.participant, session.pk, session.list),
                measured=measured,
                facts=session_facts(session, reason=verdict.session),
                verdict=verdict,
                further_lists=further.get(session.pk, {}),
            )


@dataclass(frozen=True, slots=True)
class StimulusCells:
    """The cells of one stimulus: those before its text and those at the end of a row.

    The last `n_own` attributes are those of the text rather than of its item.
    """

    place: Cells
    text: str
    attributes: Cells
    metrics: Cells
    is_target: bool
    n_own: int = 0

    def of_its_item(self) -> StimulusCells:
        """Return the cells without those of its condition and its text, for a trial that shows several."""
        item_set, item, *of_condition, is_filler = self.place
        place = (item_set, item, *(None for _ in of_condition), is_filler)
        shared = self.attributes[: len(self.attributes) - self.n_own]
        attributes = (*shared, *(None for _ in range(self.n_own)))
        return replace(self, place=place, text="", attributes=attributes, metrics=tuple(None for _ in self.metrics))


def stimulus_cells(study: Study) -> dict[int | None, StimulusCells]:
    """Return the cells of every stimulus, and under None those of a trial that shows none."""
    factors = [str(factor["name"]) for factor in study.factors]
    of_texts = text_attributes(study)
    attributes, metrics, scores = [*item_attribute_names(study), *of_texts], metric_names(study), values_of(study)
    cells: dict[int | None, StimulusCells] = {
        None: StimulusCells(
            place=(None, None, None, *(None for _ in factors), "false"),
            text="",
            attributes=(None,) * len(attributes),
            metrics=(None,) * len(metrics),
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
            text=text_or_files(stimulus.text, stimulus.extra),
            attributes=tuple(cell(stimulus.attributes.get(name)) for name in attributes),
            metrics=metric_cells(stimulus, scores.get(pk, {}), names=metrics),
            is_target=not stimulus.is_filler and not stimulus.is_practice,
            n_own=len(of_texts),
        )
    return cells


def metric_cells(stimulus: StoredStimulus, scores: Mapping[str, float], *, names: Sequence[str]) -> Cells:
    """Return the metrics of a text: those of the materials, and scores that are stored beside them."""
    return tuple(cell(scores[name] if name in scores else stimulus.extra.get(name)) for name in names)


def condition_name(stimulus: StoredStimulus, factors: Sequence[str]) -> str:
    """Return the name of a stimulus' condition, as `Condition.name` does."""
    levels = stimulus.levels or {}
    return ":".join(str(levels[name]) for name in factors if name in levels)


def measured_values(paradigms: Mapping[int, Paradigm], trials: Sequence[StoredTrial]) -> dict[int, dict[str, Any]]:
    """Return the measures of the answered trials that are a paradigm's own, by trial; `paradigms` by their parts."""
    events = stored_events(trials)
    measured = {}
    for part, of_part in groupby(trials, key=attrgetter("part")):
        measure, plugins = paradigms[part].measure, paradigms[part].responses
        for trial in of_part:
            if trial.payload is not None and trial.plugin in plugins:
                of_trial = [event for _, batch in events[trial.pk] for event in batch] if trial.pk in events else []
                measured[trial.pk] = measure(trial.params, trial.payload, of_trial)
    return measured


class SessionFacts(NamedTuple):
    """The cells that every trial of a session shares."""

    simulated: Cell
    is_excluded: Cell
    reason: str
    started_at: Cell
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
    return {pk: expected(stimulus.attributes) for pk, stimulus in stored_stimuli(study).items()}
