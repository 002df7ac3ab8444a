"""Judge finished sessions by the exclusion rules of the plan; excluded sessions free their place in the list.

The answers of a finished session and the plan of an open study stay as they are, so the verdict is stored once, when
the session is finished. Exports judge again by the same function, as they also need the verdicts on single trials.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.db.models import Q

from experiments.models import Study
from experiments.paradigms import paradigm_behind
from experiments.rules.exclusion_rules import described
from experiments.rules.exclusion_verdict import expected, verdict_on
from experiments.sentences import Sentence
from participants.models import Session, Trial
from participants.session.events import events_by_trial
from participants.session.rows import with_parts

RULED_OUT = Q(planned_exclusion__gt="")
LEFT_OUT = Q(is_excluded=True) | RULED_OUT
# A condition that holds of empty cells too, as `~RULED_OUT` would not.
NOT_RULED_OUT = Q(planned_exclusion="") | Q(planned_exclusion=None)


class _Answered(NamedTuple):
    pk: int
    position: int
    phase: str
    plugin: str
    params: dict[str, Any]
    stimulus: int | None
    payload: dict[str, Any] | None
    rt_ms: float | None
    interrupted: bool | None
    focus_losses: int | None
    out_of_view: int | None
    part: int


def planned_exclusion_of(session: Session) -> str:
    """Return why a rule of the plan excludes a session with all its answers; empty if none does."""
    study = session.study
    rules = study.plan.get("exclusion_rules", [])
    if not rules:
        return ""
    rows = list(
        Trial.objects.filter(session=session)
        .order_by("position")
        .values_list(
            "pk", "position", "phase", "plugin", "params", "stimulus_id", "response__payload", "response__rt_ms",
            "response__interrupted", "response__focus_losses", "response__out_of_view", "part_id", "private",
            "stimulus__item__is_filler", "stimulus__item__is_practice", "stimulus__item__attributes",
        )
    )  # fmt: skip
    trials, targets, attention = [], {}, {}
    for *cells, private, is_filler, is_practice, attributes in rows:
        trial = _Answered(*cells)
        # What the browser must not learn, such as which answer is right, belongs to what is judged.
        trials.append(trial._replace(params={**trial.params, **private}))
        targets[trial.stimulus] = not is_filler and not is_practice
        attention[trial.stimulus] = expected(attributes or {})
    events = events_by_trial(session)
    parts = with_parts(study).ordered_parts
    paradigms = {part.pk: paradigm_behind(part.paradigm) for part in parts}
    measured = {
        trial.pk: paradigms[trial.part].measure(trial.params, trial.payload, events.get(trial.pk, []))
        for trial in trials
        if trial.payload is not None and trial.plugin in paradigms[trial.part].responses
    }
    return verdict_on(
        trials,
        rules=rules,
        paradigms=paradigms,
        measured=measured,
        targets=targets,
        attention=attention,
        questions=study.shown_questions,
        tasks={part.pk: part.name for part in parts},
    ).session


def rule_in_words(study: Study, reason: str) -> str:
    """Return why a rule of the plan left something out, as it is stored, for a page in any language."""
    rules = {str(said): said for said in map(_of_rule, study.plan.get("exclusion_rules", []))}
    return rules.get(reason, reason)


def _of_rule(stated: Mapping[str, Any]) -> str:
    return Sentence("planned rule: {rule}", rule=described(stated))


def judge_finished(study: Study) -> None:
    """Judge the finished sessions that nobody judged yet: those that were stored before verdicts were.

    Asks nothing of the database where the plan has no rules.
    """
    if not study.plan.get("exclusion_rules"):
        return
    unjudged = Session.objects.filter(study=study, status=Session.Status.COMPLETE, planned_exclusion=None)
    for session in unjudged.select_related("study"):
        Session.objects.filter(pk=session.pk).update(planned_exclusion=planned_exclusion_of(session))
