"""The rows of `participants.csv` and `sessions.csv`: pseudonyms only, no recruitment ids, no tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any

from analysis.codebook.columns import ExportColumn
from analysis.codebook.people import (
    CLIENT_COLUMNS,
    OTHER_CLIENT_FACTS,
    has_arms,
    other_facts,
    participant_columns,
    session_columns,
)
from analysis.exports.cells import Cell, Cells, cell
from analysis.exports.rows.answers import BACKGROUND_QUESTIONS, answers_of, variable_cells
from analysis.exports.stored import (
    ROWS_AT_ONCE,
    StoredSession,
    Wanted,
    in_bundles,
    lists_of_tasks,
    stored_sessions,
    stored_trials,
    translated_trials,
)
from experiments.models import Part, Study
from experiments.paradigms import paradigm_behind
from experiments.procedure.stages import late_parts
from experiments.questionnaire.scores import all_variables
from participants.session.figures import figures_by_session

ARMS = ("group", "order", "outcome")


def participant_rows(study: Study, only: Wanted | None = None) -> Iterator[Cells]:
    """Yield the cells of `participants.csv`, in the order of `codebook.people.participant_columns(study)`.

    `only` are the sessions of the study that are wanted; None means all of them.
    """
    questions = study.shown_questions
    variables = [variable.name for variable in all_variables(questions)]
    names = {column.name for column in participant_columns(study)}
    arms = [name for name in ARMS if has_arms(study) and name in names and name not in variables]
    lists, skipped = lists_of_tasks(study), _skipped_cells(study)
    for sessions in in_bundles(stored_sessions(study, only), ROWS_AT_ONCE):
        figures_of = figures_by_session(study, [session.pk for session in sessions])
        asked = stored_trials(sessions, plugin=BACKGROUND_QUESTIONS) if variables else ()
        answers = {session.pk: answers_of(trials) for session, trials in asked}
        for session in sessions:
            figures, is_finished = figures_of[session.pk], session.status == "complete"
            yield (
                study.slug,
                session.participant,
                session.list,
                session.status,
                cell(is_finished),
                cell(session.is_simulated),
                cell(session.is_left_out),
                session.reason,
                cell(session.started_at),
                cell(session.finished_at),
                cell(_minutes(session)),
                figures.trials,
                figures.answered,
                figures.interrupted,
                figures.focus_losses,
                figures.median_rt_ms,
                *(
                    value
                    for task in study.tasks
                    for value in _quality_cells(task, figures.quality[str(task.pk)], is_finished=is_finished)
                ),
                *variable_cells(questions, answers.get(session.pk, {}), variables),
                *(getattr(session, name) for name in arms),
                *_list_cells(study, lists.get(session.pk, {})),
                *(
                    cell(figures.quality[pool].get(measure.name))
                    for pool, tasks in study.pools.items()
                    for measure in paradigm_behind(tasks[0].paradigm).quality_measures()
                ),
                *skipped(session),
                *([session.language] if study.languages else []),
            )


_BEFORE_CONSENT = attrgetter(
    "participant", "pk", "list", "seed", "status", "study_version", "language", "is_simulated", "consent_version",
    "consent_given_at",
)  # fmt: skip
_AFTER_CONSENT = attrgetter(
    "started_at", "last_seen_at", "finished_at", "is_excluded", "exclusion_reason", "returned_late"
)


def session_rows(
    study: Study, columns: Sequence[ExportColumn] | None = None, *, only: Wanted | None = None
) -> Iterator[Cells]:
    """Yield the cells of `sessions.csv`, in the order of `codebook.people.session_columns(study)`.

    `only` are the sessions that are wanted; None means all of them.
    """
    if columns is None:
        columns = session_columns(study)
    names = [column.name for column in columns]
    facts = [name.removeprefix("client_") for name in names if name in CLIENT_COLUMNS]
    has_others = OTHER_CLIENT_FACTS.name in names
    translated, lists, skipped = translated_trials(study), lists_of_tasks(study), _skipped_cells(study)
    for session in stored_sessions(study, only):
        yield (
            study.slug,
            *map(cell, _BEFORE_CONSENT(session)),
            cell(session.consent_choices) if session.consent_choices else "",
            *map(cell, _AFTER_CONSENT(session)),
            *(cell(session.client.get(name)) for name in facts),
            session.group,
            session.order,
            session.outcome,
            translated.get(session.pk, 0),
            session.source,
            *_list_cells(study, lists.get(session.pk, {})),
            *([_others(session.client)] if has_others else []),
            *skipped(session),
        )


def _others(client: Mapping[str, Any]) -> Cell:
    others = other_facts(client)
    return cell(others) if others else None


def _skipped_cells(study: Study) -> Callable[[StoredSession], Cells]:
    """Return what gives the cells of the parts that a session does not have; none where parts are for everybody."""
    if not any(part.shown_if for part in study.ordered_parts):
        return lambda session: ()
    if not late_parts(study.ordered_parts):
        return lambda session: (session.skipped,)
    return lambda session: (session.skipped, session.skipped_because)


def _list_cells(study: Study, lists: Mapping[int, str]) -> Cells:
    return tuple(lists.get(task.pk) for task in study.tasks) if study.has_several_tasks else ()


def _quality_cells(task: Part, quality: Mapping[str, Any], *, is_finished: bool) -> Cells:
    paradigm = paradigm_behind(task.paradigm)
    names = [measure.name for measure in paradigm.quality_measures()]
    if not names:
        return ()
    cells = tuple(cell(quality.get(name)) for name in names)
    if not paradigm.has_quality_flags:
        return cells
    flags = paradigm.session_flags(quality, paradigm.complete_settings(task.settings)) if is_finished else []
    return (*cells, "; ".join(flags))


def _minutes(session: StoredSession) -> float | None:
    if session.finished_at is None:
        return None
    return round((session.finished_at - session.started_at).total_seconds() / 60, 3)
