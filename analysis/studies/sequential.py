"""Describe a study's sequential plan on its pages: the plan and the looks made, without their results.

What a look found is told when the plan has stopped, and not before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from analysis.exports.of_task import through_task
from analysis.methods.report import BadInput
from analysis.methods.sequential.boundaries import boundaries
from analysis.methods.sequential.decided import METHODS, effects_of, level_text
from analysis.methods.wording import p_text
from analysis.models import SequentialLook
from analysis.sequential_plans.deciding import Deciding, deciding_of
from experiments.formats.faults import Fault, enumerated
from experiments.languages import in_language
from experiments.models import StimulusList, Study
from experiments.paradigms import paradigm_named
from experiments.rules.plan import complete_plan
from experiments.rules.sequential import SequentialPlan
from participants.watching.finished import finished_people


@dataclass(frozen=True)
class LookRow:
    """One look on a page; `decision` is empty as long as it is not made, `p` as long as the plan has not stopped."""

    number: int
    people: int
    spent: str
    level: str
    lists: str
    decision: str
    p: str
    error: str
    made_at: datetime | None


@dataclass(frozen=True)
class Course:
    """How far a sequential plan is. `can_end` says that the study is closed and a last look can be asked for."""

    title: str
    words: str
    rows: list[LookRow]
    sentence: str
    stopped: SequentialLook | None
    is_frozen: bool
    can_end: bool
    people: int

    @property
    def is_undecided(self) -> bool:
        """Whether people may take part and the plan has not stopped: nobody should look."""
        return self.is_frozen and self.stopped is None

    @property
    def shows_p(self) -> bool:
        return self.stopped is not None


def course_of(study: Study) -> Course | None:
    """Return how far the sequential plan of a study is; None where it has none."""
    deciding = deciding_of(study)
    if deciding is None:
        return None
    made = list(SequentialLook.objects.filter(study=study).select_related("run"))
    stopped = next((look for look in made if look.stops), None)
    people = finished_people(study).count() if study.is_frozen else 0
    is_waiting = any(not look.decision for look in made)
    least = made[-1].people if made else 0
    is_closed = study.status == Study.Status.CLOSED
    return Course(
        title=deciding.title,
        words=words_of(deciding.plan),
        rows=rows_of(deciding.plan, made, shows_p=stopped is not None),
        sentence=_sentence(study, deciding, made, people),
        stopped=stopped,
        is_frozen=study.is_frozen,
        can_end=is_closed and stopped is None and not is_waiting and least < people < deciding.plan.looks[-1],
        people=people,
    )


def words_of(plan: SequentialPlan) -> str:
    """Return a sequential plan as one sentence."""
    return _(
        "The study stops automatically: %(effect)s is tested at %(looks)s people; two-sided α = %(alpha)s, %(spends)s."
    ) % {
        "effect": plan.effect,
        "looks": in_language(enumerated(plan.looks)),
        "alpha": level_text(plan.alpha),
        "spends": in_language(plan.spends),
    }


def rows_of(plan: SequentialPlan, made: list[SequentialLook], *, shows_p: bool) -> list[LookRow]:
    """Return the looks that were made and, where the plan goes on, those that are to come."""
    rows = [
        LookRow(
            number=look.number,
            people=look.people,
            spent=level_text(look.spent),
            level=level_text(look.level),
            lists=", ".join(str(number) for number in look.lists.values()),
            decision=str(look.get_decision_display()) if look.decision else "",
            p=p_text(look.p).removeprefix("p ").removeprefix("= ") if shows_p and look.p is not None else "",
            error=look.error,
            made_at=look.made_at,
        )
        for look in made
    ]
    if any(look.stops or look.is_last for look in made):
        return rows
    looks = boundaries(plan.shares, spending=plan.spending, alpha=plan.alpha, gamma=plan.gamma)
    return rows + [
        LookRow(number, people, level_text(look.spent), level_text(look.level), "", "", "", "", None)
        for number, (people, look) in enumerate(zip(plan.looks, looks, strict=True), start=1)
        if number > len(made)
    ]


def _sentence(study: Study, deciding: Deciding, made: list[SequentialLook], people: int) -> str:
    plan, total = deciding.plan, len(deciding.plan.looks)
    last = made[-1] if made else None
    if not study.is_frozen:
        return _(
            "Recruitment pauses automatically at one of these looks. Once the study is open, you cannot change them."
        )
    if last is not None and last.stops:
        found = {"n": last.number, "total": total, "people": last.people, "at": f"{last.made_at:%Y-%m-%d}"}
        if last.decision == SequentialLook.Decision.FOUND:
            said = _("Look %(n)d of %(total)d, with %(people)d people, was made on %(at)s and crossed its boundary.")
        else:
            said = _("The last look, with %(people)d people, was made on %(at)s and did not cross its boundary.")
        return f"{said % found} {_('The plan has stopped, and recruitment was paused.')}"
    if last is not None and not last.decision:
        return _("Look %(n)d of %(total)d is being made.") % {"n": last.number, "total": total}
    following = len(made) + 1
    parts = []
    if last is not None:
        parts.append(
            _("Look %(n)d of %(total)d made on %(at)s: continues.")
            % {"n": last.number, "total": total, "at": f"{last.made_at:%Y-%m-%d}"}
        )
    if following <= total:
        parts.append(
            _("Look %(n)d of %(total)d is made when %(people)d people have finished; %(there)d have.")
            % {"n": following, "total": total, "people": plan.looks[following - 1], "there": people}
        )
    return " ".join(parts)


def refusal_of(study: Study, analysis: Mapping[str, Any], effect: str = "") -> str:
    """Return why a planned analysis cannot decide when a study stops, as a sentence; empty where it can.

    With `effect` it is asked too whether the formula of the analysis has it.
    """
    if analysis["method"] not in METHODS:
        return _("Only mixed models (lmm, glmm, ordinal) can decide when a study stops.")
    if analysis.get("other_study"):
        return _("An analysis that compares with another study cannot decide when this one stops.")
    try:
        task = through_task(study, analysis.get("part", ""))
        known = effects_of(str(analysis["params"].get("formula", "")))
    except BadInput as fault:
        return str(fault)
    if paradigm_named(task.paradigm).coded_measure_of(task.settings):
        return _(
            "Coders code the answers of this task later, so its data are not there when a look is due. This task "
            "cannot decide when the study stops."
        )
    if effect and sorted(effect.split(":")) not in [sorted(one.split(":")) for one in known]:
        return _("The formula has no effect '%(effect)s'; it has %(known)s.") % {
            "effect": effect,
            "known": in_language(enumerated(known)),
        }
    return ""


def opening_warnings(study: Study) -> list[Fault]:
    """Return what does not go together with a sequential plan, for the page that opens a study."""
    deciding = deciding_of(study)
    if deciding is None:
        return []
    plan, said = deciding.plan, []
    analyses = complete_plan(study.plan)["analyses"]
    for analysis in analyses:
        if analysis.get("sequential") and (refusal := refusal_of(study, analysis, plan.effect)):
            said.append(_("The sequential analysis cannot decide: %(refusal)s") % {"refusal": in_language(refusal)})
    if study.quota is not None and study.quota < plan.looks[-1]:
        said.append(
            _("The quota of %(quota)d ends recruitment before the last look of the sequential analysis, at %(people)d.")
            % {"quota": study.quota, "people": plan.looks[-1]}
        )
    if uneven := uneven_looks(study, plan):
        said.append(uneven)
    return [Fault(message=sentence, step="plan") for sentence in said]


def uneven_looks(study: Study, plan: SequentialPlan) -> str:
    """Return a sentence on looks at which the lists cannot have equally many people; empty where there are none."""
    lists = max((StimulusList.objects.filter(part=task).count() for task in study.current_tasks), default=0)
    uneven = [people for people in plan.looks if lists > 1 and people % lists]
    if not uneven:
        return ""
    return _(
        "The looks at %(looks)s people are not multiples of the %(lists)d lists, so different numbers of people "
        "have seen the conditions of an item by then. The model can handle this, but multiples are better."
    ) % {"looks": in_language(enumerated(uneven)), "lists": lists}


def watch_note(study: Study) -> SafeString | str:
    """Return what the page about a running study says of its sequential plan, as HTML; empty where there is none."""
    course = course_of(study)
    if course is None:
        return ""
    return render_to_string("analysis/plan/sequential_note.html", {"course": course, "study": study})
