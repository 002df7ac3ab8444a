"""Faults that prevent a study from opening."""

from __future__ import annotations

from dataclasses import replace

from django.utils import timezone

from experiments.formats.faults import Fault
from experiments.media.naming import media_state
from experiments.models import Study
from experiments.paradigms import PARADIGMS, paradigm_named
from experiments.procedure.feedback import feedback_faults
from experiments.procedure.sequence import first_questionnaires
from experiments.procedure.stages import faults_of_branches
from experiments.questionnaire.scores import all_variables
from experiments.questionnaire.variables import CHECK_FAILED
from experiments.rules.criteria import criteria_faults, criteria_shape_faults
from experiments.rules.questions import question_faults
from experiments.rules.shape import shape_faults
from experiments.sentences import Sentence
from experiments.study.opening.languages import language_faults
from experiments.study.opening.materials import faults_of_together, material_faults, shown_text_faults
from experiments.study.opening.pools import faults_of_pools
from experiments.study.opening.texts import faults_of_piping, text_faults
from experiments.study.packages import changed_package

KNOWN = frozenset(paradigm.slug for paradigm in PARADIGMS)


def opening_faults(study: Study) -> list[Fault]:
    """Return everything that keeps a study from opening; empty where it is ready."""
    return [
        *design_faults(study),
        *_package_faults(study),
        *text_faults(study),
        *faults_of_piping(study),
        *language_faults(study),
        *_fact_faults(study),
    ]


def _package_faults(study: Study) -> list[Fault]:
    """A study that was open before must continue with the paradigm version with which its data were collected."""
    changed = changed_package(study)
    return [] if changed is None else [Fault(message=changed, step="open")]


def design_faults(study: Study) -> list[Fault]:
    """Return what keeps a study from being run at all: settings, questions, materials, lists, order; of every task."""
    faults = shape_faults(study) + faults_of_criteria(study) + faults_of_branches(study.ordered_parts)
    if not study.tasks and not study.ordered_parts:
        return [*faults, Fault(message=Sentence("The study has no parts yet."), step="parts")]
    faults += _faults_of_shared_names(study)
    media = media_state(study).faults
    if len(study.tasks) < 2:
        is_sound = not any(fault.step == "settings" for fault in faults)
        return [*faults, *_task_faults(study, is_sound=is_sound), *media]
    for task in study.tasks:
        of_task = _task_faults(study.seen_through(task.name), is_sound=task.paradigm in KNOWN)
        faults += [
            replace(fault, message=Sentence("Part '{part}': {said}", part=task.name, said=fault.message))
            for fault in of_task
        ]
    return [*faults, *faults_of_pools(study), *media]


def _faults_of_shared_names(study: Study) -> list[Fault]:
    """Return the names of answers and scales that occur in two questionnaires; data and rules refer to them by name."""
    asked: dict[str, str] = {}
    faults = []
    for part in study.ordered_parts:
        if question_faults(part.questions):
            continue
        for name in (variable.name for variable in all_variables(part.questions)):
            # Failed checks are counted over all questionnaires.
            if name == CHECK_FAILED or asked.setdefault(name, part.name) == part.name:
                continue
            message = Sentence(
                "The questionnaires '{one}' and '{other}' both ask for '{name}'.",
                one=asked[name],
                other=part.name,
                name=name,
            )
            suggestion = Sentence(
                "Data, scores and rules use this name. Rename one of them, for example to '{name}_after'.",
                name=name,
            )
            faults.append(Fault(message=message, suggestion=suggestion, step="parts"))
    return faults


def faults_of_criteria(study: Study) -> list[Fault]:
    """Return why the quotas by criterion of a study cannot be kept; those that are not well formed are left out."""
    if not has_sound_criteria(study):
        return []
    later = [variable.name for part in study.ordered_parts for variable in all_variables(part.questions)]
    return criteria_faults(study.criteria, first_questionnaires(study.ordered_parts), later)


def has_sound_criteria(study: Study) -> bool:
    unsound = criteria_shape_faults(study.criteria) or any(question_faults(p.questions) for p in study.ordered_parts)
    return bool(study.criteria) and not unsound


def _task_faults(study: Study, *, is_sound: bool) -> list[Fault]:
    faults = []
    if is_sound:
        paradigm = paradigm_named(study.paradigm)
        needed = paradigm.opening_faults(paradigm.complete_settings(study.settings))
        faults += [Fault(message=message, step="procedure") for message in needed]
        faults += shown_text_faults(study, paradigm)
        faults += faults_of_together(study, paradigm)
        faults += feedback_faults(study.task)
    return faults + material_faults(study)


def _fact_faults(study: Study) -> list[Fault]:
    needed = {
        "title": Sentence("The study has no title."),
        "responsible": Sentence("The study does not name a responsible person."),
        "contact": Sentence("There is no address to which participants can write."),
        "data_protection_note": Sentence(
            "The data-protection note is empty. Write where data are kept, for how long, and who can see them."
        ),
    }
    return [
        Fault(message=message, step="settings")
        for name, message in needed.items()
        if not str(getattr(study, name)).strip()
    ] + _day_faults(study)


def _day_faults(study: Study) -> list[Fault]:
    """Return that everybody who takes part would be erased at once, where the day for it has come."""
    if not study.erases_itself or study.retention_until is None or study.retention_until > timezone.localdate():
        return []
    message = Sentence(
        "All participants should be erased on {day}, but this day is over or today.",
        day=study.retention_until.isoformat(),
    )
    return [Fault(message=message, suggestion=Sentence("Choose a later day."), step="settings")]
