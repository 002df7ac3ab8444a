"""The rows of `answers.csv`, and the cells of answers, scores and checks in other tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analysis.exports.cells import Cell, Cells, cell
from analysis.exports.stored import StoredSession, StoredTrial, Wanted, stored_sessions, stored_trials
from experiments.models import Part, Study
from experiments.questionnaire.conditions import shown_names
from experiments.questionnaire.kinds import Question
from experiments.questionnaire.scores import all_values, as_expected, expected_of
from experiments.questionnaire.variables import columns_of, values_of

BACKGROUND_QUESTIONS = "background-questions"


def answers_of(trials: Sequence[StoredTrial]) -> dict[str, Any]:
    """Return the answers to the background questions of one session, by question; the last ones where asked again."""
    answers: dict[str, Any] = {}
    for trial in trials:
        if trial.plugin == BACKGROUND_QUESTIONS and trial.payload is not None:
            answers.update(trial.payload.get("answers") or {})
    return answers


def answer_cell(value: Any) -> Cell:
    """Return the cell of an answer.

    >>> answer_cell(["a", "b"]), answer_cell(True), answer_cell([{"language": "Welsh"}])
    ('a|b', 'true', '[{"language":"Welsh"}]')
    """
    if isinstance(value, list) and all(isinstance(entry, str) for entry in value):
        return "|".join(value) or None
    return cell(value)


def variable_cells(questions: Sequence[Question], answers: Mapping[str, Any], names: Sequence[str]) -> Cells:
    """Return the cells of these variables of a questionnaire; all empty where nothing was answered yet."""
    if not names:
        return ()
    if not answers:
        return (None,) * len(names)
    values = all_values(questions, answers)
    return tuple(answer_cell(values.get(name)) for name in names)


def answer_rows(study: Study, only: Wanted | None = None) -> Iterator[Cells]:
    """Yield the cells of `answers.csv`, in the order of `codebook.questionnaires.ANSWER_COLUMNS`.

    `only` are the sessions that are wanted; None means all of them.
    """
    parts = {part.pk: part for part in study.ordered_parts}
    for session, trials in stored_trials(stored_sessions(study, only), plugin=BACKGROUND_QUESTIONS):
        for trial in trials:
            if trial.payload is not None:
                yield from _rows_of(study, session, parts[trial.part], trial.payload)


def _rows_of(study: Study, session: StoredSession, part: Part, payload: Mapping[str, Any]) -> Iterator[Cells]:
    for attempt, given in enumerate([*payload.get("earlier_attempts", ()), payload], start=1):
        answers, times = given.get("answers") or {}, given.get("times") or {}
        shown = set(shown_names(part.questions, answers))
        for question in part.questions:
            values = values_of([question], answers)
            expected = expected_of(question)
            time = times.get(question["name"]) or {}
            for name in columns_of(question):
                value = values.get(name)
                is_shown = question["name"] in shown
                state = "not shown" if not is_shown else "no answer" if value is None else "answered"
                yield (
                    study.slug,
                    session.participant,
                    part.name,
                    name,
                    answer_cell(value) if is_shown else None,
                    time.get("first_ms"),
                    time.get("changes"),
                    time.get("last_ms"),
                    attempt,
                    state,
                    cell(as_expected(value, expected[name])) if name in expected and is_shown else None,
                    cell(session.is_simulated),
                )
