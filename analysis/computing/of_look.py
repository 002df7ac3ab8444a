"""Compute a look of a sequential plan: the planned analysis of exactly its participants, revealing as little as
possible.
"""

from __future__ import annotations

from analysis.computing.code_version import code_version
from analysis.computing.outcomes import Outcome
from analysis.computing.parameters import checked_params
from analysis.data.frames import people_data
from analysis.exports.of_task import through_task
from analysis.exports.reports import report_json
from analysis.methods import registry
from analysis.methods.declarations import Progress
from analysis.methods.report import BadInput
from analysis.methods.sequential.boundaries import Look
from analysis.methods.sequential.decided import MadeLook, stopped_report, tested
from analysis.models import SequentialLook
from analysis.sequential_plans.deciding import deciding_of
from analysis.sequential_plans.looks import decision_on
from participants.watching.finished import first_people, people_per_list, pseudonyms_of

TOO_FEW = "too-few"


def look_computed(look_id: int, progress: Progress) -> Outcome:
    """Run the planned analysis on exactly the people of a look.

    The outcome is `done`, with `p`, `lists` and `participants` and, where the plan stops, all that its report is stored
    with; TOO_FEW where somebody has left meanwhile. Raises BadInput where the plan cannot be carried out.
    """
    look = SequentialLook.objects.select_related("study").get(pk=look_id)
    study, deciding = look.study, deciding_of(look.study)
    if deciding is None:
        raise BadInput("The plan of the study has no sequential plan any more.")
    sessions = first_people(study, look.people)
    if len(sessions) < look.people:
        return {"kind": TOO_FEW}
    people = pseudonyms_of(sessions)
    seen = through_task(study, deciding.part)
    params = checked_params(seen, method=deciding.method, params=deciding.params, table=deciding.table)
    data = people_data(seen, deciding.table, people)
    lists = people_per_list(sessions)
    report = registry.run(registry.method_named(deciding.method), data.frame, params, progress)
    look.p = tested(report, deciding.plan.effect).p
    found: Outcome = {"kind": "done", "p": look.p, "lists": lists, "participants": people}
    look.decision = decision_on(look)
    if not look.stops:
        return found
    earlier = SequentialLook.objects.filter(study=study, number__lt=look.number)
    report = stopped_report(
        report,
        plan=deciding.plan,
        made=[_as_made(one) for one in (*earlier, look)],
        found=look.decision == SequentialLook.Decision.FOUND,
        ended_early=look.people < deciding.plan.looks[-1] and look.is_last,
    )
    return {
        **found,
        "report": report_json(report),
        "params": params,
        "data_hash": data.data_hash,
        "stamp": data.stamp,
        "code_version": code_version(report.method),
    }


def _as_made(look: SequentialLook) -> MadeLook:
    boundary = Look(share=look.share, spent=look.spent, boundary=look.boundary, level=look.level)
    return MadeLook(boundary, look.people, look.p, str(look.get_decision_display()))
