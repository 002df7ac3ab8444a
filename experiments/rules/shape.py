"""Whether what a study says is well formed: paradigm, settings, procedure, questions, plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from experiments.formats.faults import Fault
from experiments.paradigms import UnknownParadigm, paradigm_named
from experiments.rules.plan import plan_faults
from experiments.rules.procedure import ProcedureForm, checked
from experiments.rules.questions import question_faults

if TYPE_CHECKING:
    from experiments.models import Study

RESERVED_SLUGS = ("new",)


def shape_faults(study: Study) -> list[Fault]:
    """Return what is wrong with the paradigm, settings, procedure and questions of a study as they stand.

    Empty settings and an empty procedure are sound: they mean the defaults.
    """
    faults = question_faults(study.questions)
    if study.slug in RESERVED_SLUGS:
        faults.append(Fault(message=f"The address '{study.slug}' is used by the platform itself.", step="settings"))
    _values, wrong = checked(ProcedureForm, study.procedure, step="procedure")
    faults += wrong
    try:
        paradigm = paradigm_named(study.paradigm)
    except UnknownParadigm as unknown:
        return [Fault(message=str(unknown), step="settings"), *faults]
    _values, wrong = checked(paradigm.settings_form, study.settings, step="procedure")
    faults += wrong
    # A plan is read by the measures that the settings give, so settings that are wrong come first.
    return faults if wrong else faults + plan_faults(study.plan, paradigm=paradigm, settings=study.settings)
