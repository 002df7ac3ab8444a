"""Apply screening rules to a session's answers; the only place that decides whether answers end a session.

The rules belong to their questionnaire (`experiments.rules.screening`). They are evaluated when the browser asks to
continue (`session/advance/`), before assignment.
"""

from __future__ import annotations

from typing import Any

from experiments.models import Part, Study
from experiments.procedure.piping import texts_of_answers
from experiments.procedure.sequence import before_assignment, branched_parts, first_questionnaires
from experiments.questionnaire.planned import answers_given
from experiments.rules.branching import skipped_parts
from experiments.rules.criteria import Questionnaire, criteria_met
from experiments.rules.screening import OUTCOMES, Attempts, ScreeningOutcome, screening_outcome
from participants.models import Session
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


def skipped_by_answers(session: Session) -> list[str]:
    """Return the parts whose rules the answers to the first questionnaires do not match, by their names."""
    branched = branched_parts(with_parts(session.study))
    return skipped_parts(branched, *_first_answers(session)) if branched else []


def texts_of_first_answers(session: Session) -> dict[str, str]:
    """Return the answers to the first questionnaires as texts that later pages may name, by their questions."""
    return texts_of_answers(*_first_answers(session))


def _first_answers(session: Session) -> tuple[list[Questionnaire], dict[str, dict[str, Any]]]:
    """Return the first questionnaires, and the answers to each by its name."""
    questionnaires = first_questionnaires(with_parts(session.study).ordered_parts)
    trials = session.trials.filter(part__name__in=[each.name for each in questionnaires])
    given = trials.values_list("part__name", "response__payload")
    return questionnaires, {name: answers_given(payload) for name, payload in given}
