"""Apply screening rules to a session's answers; the only place that decides whether answers end a session.

The rules belong to their questionnaire (`experiments.rules.screening`). They are evaluated when the browser asks to
continue (`session/advance/`), before assignment.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from experiments.models import Part, Study
from experiments.paradigms import paradigm_behind
from experiments.procedure.piping import texts_of_answers
from experiments.procedure.sequence import before_assignment, first_questionnaires
from experiments.procedure.stages import late_parts, questionnaires_before, rule_names
from experiments.questionnaire.planned import answers_given
from experiments.rules.branching import answered_values, skipped_parts
from experiments.rules.criteria import Questionnaire, criteria_met
from experiments.rules.screening import OUTCOMES, Attempts, ScreeningOutcome, screening_outcome
from experiments.rules.task_scores import score_values
from participants.models import Session
from participants.session.answered import judged_trials
from participants.session.rows import with_parts


def may_screen(study: Study) -> bool:
    """Return whether answers before the first task can end a session of the study."""
    return bool(study.criteria) or any(rules_of(part) for part in before_assignment(with_parts(study)))


def rules_of(part: Part) -> list[dict[str, Any]]:
    """Return the screening rules of a questionnaire; none for other parts."""
    rules: list[dict[str, Any]] = part.settings.get("screening", []) if part.kind == Part.Kind.QUESTIONNAIRE else []
    return rules


def screened(session: Session, parts: list[Part]) -> str:
    """Return the `Session.Outcome` with which the answers to these parts end a session; empty if none does.

    Runs in the transaction that advances the session; all trials of the parts have responses.
    """
    ended = _ended(session, parts)
    return ended.outcome if ended else ""


def screening_message(session: Session) -> str:
    """Return the message to the participant of the rule that ended a session; may be empty."""
    if session.outcome not in OUTCOMES:
        return ""
    ended = _ended(session, before_assignment(with_parts(session.study)))
    return ended.message if ended else ""


def _ended(session: Session, parts: list[Part]) -> ScreeningOutcome | None:
    judged = {part.pk: part for part in parts if rules_of(part)}
    if not judged:
        return None
    trials = session.trials.filter(part__in=judged).order_by("position")
    for key, params, payload in trials.values_list("part_id", "params", "response__payload"):
        part = judged[key]
        attempts = Attempts(1 + len((payload or {}).get("earlier_attempts", ())), int(params.get("attempts", 1)))
        ended = screening_outcome(part.questions, answers_given(payload), rules_of(part), attempts)
        if ended is not None:
            return ended
    return None


def met_criteria(session: Session) -> list[str]:
    """Return the criteria with a quota that the answers to the first questionnaires meet, by their names."""
    if not session.study.criteria:
        return []
    return criteria_met(session.study.criteria, *_first_answers(session))


def skipped_at_first(session: Session) -> dict[str, str]:
    """Return the parts whose rules the answers to the first questionnaires do not match, by name, and what they met.

    Parts whose rules look at more are decided later.
    """
    parts = with_parts(session.study).ordered_parts
    late = {part.name for part in late_parts(parts)}
    branched = [part for part in parts if part.shown_if and part.name not in late]
    return skipped_parts(branched, answered_values(*_first_answers(session))) if branched else {}


def skipped_later(session: Session, stage: Sequence[Part]) -> dict[str, str]:
    """Return the parts of a stage whose rules do not hold by what is stored of the stages before it."""
    parts = with_parts(session.study).ordered_parts
    decided = [part for part in late_parts(parts) if part in stage]
    return skipped_parts(decided, _known_values(session, decided)) if decided else {}


def _known_values(session: Session, decided: Sequence[Part]) -> dict[str, Any]:
    """Return the answers that a session has given, and the scores of tasks that the rules of these parts look at."""
    parts = with_parts(session.study).ordered_parts
    asked = [Questionnaire(one.name, one.questions) for one in parts if one.kind == Part.Kind.QUESTIONNAIRE]
    answers = _answers_to(session, asked)
    first = {each.name for each in first_questionnaires(parts)}
    # Failed checks at the start are counted apart where there are any, as everywhere.
    values = answered_values([each for each in asked if each.name not in first], answers)
    values |= answered_values([each for each in asked if each.name in first], answers)
    tasks = {name.partition(".")[0] for part in decided for name in rule_names(part) if "." in name}
    if tasks:
        [judged] = judged_trials(session.study, [session.pk], rules=())
        for task in parts:
            if task.name in tasks and task.kind == Part.Kind.TASK:
                of_task = [trial for trial in judged.trials if trial.part == task.pk]
                values |= score_values(task.name, paradigm_behind(task.paradigm), of_task) if of_task else {}
    return values


def texts_known(session: Session, part: Part) -> dict[str, str]:
    """Return the answers as texts that a part may name, by their questions: those of the stages before its own."""
    asked = questionnaires_before(with_parts(session.study).ordered_parts, part)
    return texts_of_answers(asked, _answers_to(session, asked))


def _first_answers(session: Session) -> tuple[list[Questionnaire], dict[str, dict[str, Any]]]:
    """Return the first questionnaires, and the answers to each by its name."""
    questionnaires = first_questionnaires(with_parts(session.study).ordered_parts)
    return questionnaires, _answers_to(session, questionnaires)


def _answers_to(session: Session, questionnaires: Sequence[Questionnaire]) -> dict[str, dict[str, Any]]:
    trials = session.trials.filter(part__name__in=[each.name for each in questionnaires])
    given = trials.values_list("part__name", "response__payload")
    return {name: answers_given(payload) for name, payload in given if payload is not None}
