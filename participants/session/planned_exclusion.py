"""Judge finished sessions by the exclusion rules of the plan; excluded sessions free their place in the list.

The answers of a finished session and the plan of an open study stay as they are, so the verdict is stored once, when
the session is finished. Exports judge again by the same function, as they also need the verdicts on single trials.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from django.db.models import Q

from experiments.models import Study
from experiments.rules.exclusion_rules import described
from experiments.sentences import Sentence
from participants.models import Session
from participants.session.answered import A_MINUTE, AT_ONCE, judged_trials
from participants.session.rows import with_parts

RULED_OUT = Q(planned_exclusion__gt="")
LEFT_OUT = Q(is_excluded=True) | RULED_OUT
# A condition that holds of empty cells too, as `~RULED_OUT` would not.
NOT_RULED_OUT = Q(planned_exclusion="") | Q(planned_exclusion=None)
# Finished sessions that neither a researcher nor the plan leaves out.
ANALYSED = Q(is_excluded=False, status=Session.Status.COMPLETE) & NOT_RULED_OUT


def people_have_answered(study: Study) -> bool:
    """Say whether somebody who is not simulated has finished, or was excluded by a decision.

    From then on simulated participants stand in for nobody: analyses leave them out, and nobody codes what they wrote.
    """
    people = Session.objects.filter(study=study, is_simulated=False)
    return people.filter(Q(status=Session.Status.COMPLETE) | Q(is_excluded=True)).exists()


def planned_exclusion_of(session: Session) -> str:
    """Return why a rule of the plan excludes a session with all its answers; empty if none does."""
    if not session.study.plan.get("exclusion_rules"):
        return ""
    return next((judged.verdict.session for judged in judged_trials(with_parts(session.study), [session.pk])), "")


def rule_in_words(study: Study, reason: str) -> str:
    """Return why a rule of the plan left something out, as it is stored, for a page in any language."""
    rules = {str(said): said for said in map(_of_rule, study.plan.get("exclusion_rules", []))}
    return rules.get(reason, reason)


def _of_rule(stated: Mapping[str, Any]) -> str:
    return Sentence("planned rule: {rule}", rule=described(stated))


def judge_finished(study: Study, *, most: int | None = None) -> int:
    """Judge the finished sessions that nobody judged yet: those that were stored before verdicts were.

    So many at most; the worker judges the others, and until then they count as not left out. Returns how many were
    judged. Asks nothing of the database where the plan has no rules.
    """
    if not study.plan.get("exclusion_rules"):
        return 0
    unjudged = Session.objects.filter(study=study, status=Session.Status.COMPLETE, planned_exclusion=None)
    keys = list(unjudged.order_by("pk").values_list("pk", flat=True)[:most])
    by_reason: dict[str, list[int]] = defaultdict(list)
    for judged in judged_trials(with_parts(study), keys):
        by_reason[judged.verdict.session].append(judged.session)
    for reason, sessions in by_reason.items():
        for start in range(0, len(sessions), AT_ONCE):
            unjudged.filter(pk__in=sessions[start : start + AT_ONCE]).update(planned_exclusion=reason)
    return len(keys)


def judge_some() -> None:
    """Judge finished sessions of all studies that nobody judged yet, a few every minute; the worker calls it."""
    left = A_MINUTE
    unjudged = Session.objects.filter(status=Session.Status.COMPLETE, planned_exclusion=None).values("study")
    for study in Study.objects.filter(pk__in=unjudged).order_by("pk"):
        left -= judge_finished(study, most=left)
        if left <= 0:
            return
