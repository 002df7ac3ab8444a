"""Warnings before opening, which a researcher may accept."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from django.conf import settings as platform
from django.utils import timezone
from django.utils.module_loading import import_string

from experiments.formats.faults import Fault
from experiments.materials.lists import shown_together, uneven_sets
from experiments.materials.store import design_of
from experiments.media.naming import media_state
from experiments.models import Study
from experiments.paradigms import UnknownParadigm, paradigm_named
from experiments.procedure.arranging import complete_procedure
from experiments.procedure.sequence import first_questionnaires
from experiments.rules.criteria import most_by_criteria
from experiments.rules.exclusion_rules import described
from experiments.rules.sources import sources_of
from experiments.sentences import Sentence
from experiments.study.opening.faults import KNOWN, faults_of_criteria, has_sound_criteria
from experiments.study.opening.languages import language_warnings
from experiments.study.opening.mismatches import text_mismatches
from experiments.study.opening.texts import mention_warnings, texts_to_read, wording_warnings
from experiments.study.opening.windows import window_warnings

logger = logging.getLogger(__name__)


def opening_warnings(study: Study) -> list[Fault]:
    """Return what a researcher should know before opening, and may accept."""
    warnings = [*of_every_task(study, _task_warnings), *media_state(study).warnings]
    most = None
    if study.quota and has_sound_criteria(study) and not faults_of_criteria(study):
        most = most_by_criteria(study.criteria, first_questionnaires(study.ordered_parts), len(study.groups))
    if most and study.quota and most[0] < study.quota:
        message = Sentence(
            "The quota of the study is {quota}, but the quotas by criterion on '{criterion}' let at most {most} "
            "people take part.",
            quota=study.quota,
            criterion=most[1],
            most=most[0],
        )
        warnings.append(Fault(message=message, step="sources"))
    warnings += [
        Fault(
            message=Sentence(
                "The source '{source}' is id-only: everybody who knows or guesses an id can use another person's "
                "session.",
                source=source.name,
            ),
            suggestion=Sentence("Without id-only, people use their resume code to continue on another device."),
            step="sources",
        )
        for source in sources_of(study.sources)
        if source.id_only
    ]
    if study.retention_until is None:
        warnings.append(Fault(message=Sentence("There is no date for the deletion of the data."), step="settings"))
    elif not study.erases_itself and study.retention_until <= timezone.localdate():
        message = Sentence("The deletion date of the data, {day}, has passed.", day=study.retention_until.isoformat())
        warnings.append(Fault(message=message, suggestion=Sentence("Choose a later day."), step="settings"))
    if not study.plan.get("analyses"):
        message = Sentence("No analysis is preregistered, so reports call every analysis exploratory.")
        warnings.append(Fault(message=message, step="plan"))
    if _is_coded(study) and not study.error_codes.exists():
        message = Sentence("There are no codes yet for coding what participants write.")
        warnings.append(Fault(message=message, suggestion=Sentence("You can also write them later."), step="code"))
    warnings += _shared_bounds(study) + texts_to_read(study) + text_mismatches(study) + wording_warnings(study)
    warnings += mention_warnings(study) + language_warnings(study)
    for path in platform.OPENING_WARNINGS:
        try:
            warnings += import_string(path)(study)
        except Exception:
            # Mere information must not prevent a study from opening.
            logger.exception("%s failed for the study %s", path, study.slug)
            message = Sentence("The platform could not make one of the checks because of an error of its own.")
            warnings.append(
                Fault(message=message, suggestion=Sentence("The server's log has the reason."), step="open")
            )
    return warnings


def of_every_task(study: Study, ask: Callable[[Study], list[Fault]]) -> list[Fault]:
    """Return what `ask` says of each task, with its name in front where the study as a whole has several."""
    if study.chosen_task or not study.has_several_tasks:
        return ask(study)
    return [
        replace(fault, message=Sentence("Part '{part}': {said}", part=task.name, said=fault.message))
        for task in study.tasks
        for fault in ask(study.seen_through(task.name))
    ]


def _task_warnings(study: Study) -> list[Fault]:
    """Return what to know of the design and the order of a task: shares that are not equal, and no practice."""
    said = settings_warnings(study, settings=study.settings, procedure=study.procedure)
    warnings = [Fault(message=message, step="procedure") for message in said]
    conditions = str(complete_procedure(study.procedure)["conditions"])
    if conditions != "all" and shown_together(study) is None:
        warnings += [
            Fault(
                message=Sentence(
                    "{k} conditions cannot share {n} items of the set {item_set} equally, so some conditions "
                    "have one item more within a list.",
                    n=len(of.places),
                    item_set=repr(of.name),
                    k=len(of.conditions),
                )
                if of.name
                else Sentence(
                    "{k} conditions cannot share {n} items equally, so some conditions have one item more within "
                    "a list.",
                    n=len(of.places),
                    k=len(of.conditions),
                ),
                step="design",
            )
            for of in uneven_sets(design_of(study).items)
        ]
    n_lists = study.lists.count()
    if n_lists > 1 and study.quota and study.quota % n_lists:
        warnings.append(
            Fault(
                message=Sentence(
                    "A quota of {quota} does not fill {n_lists} lists equally.", quota=study.quota, n_lists=n_lists
                ),
                step="open",
            )
        )
    if not study.items.filter(is_practice=True).exists():
        warnings.append(Fault(message=Sentence("There are no practice texts."), step="materials"))
    return warnings + window_warnings(study)


def _shared_bounds(study: Study) -> list[Fault]:
    """Return which rules hold one bound in milliseconds against tasks of different kinds."""
    if len({task.paradigm for task in study.tasks}) < 2:
        return []
    shared = [rule for rule in study.plan.get("exclusion_rules", ()) if "ms" in rule and not rule.get("part")]
    return [
        Fault(
            message=Sentence(
                "The rule “{rule}” applies to every task, but tasks take different times.", rule=described(rule)
            ),
            suggestion=Sentence("Choose one task for the rule, and state it again for the others."),
            step="plan",
        )
        for rule in shared
    ]


def opening_panels(study: Study) -> list[str]:
    """Return the parts of the page that opens a study which other apps make, as HTML; one that fails is left out."""
    panels = []
    for path in platform.OPENING_PANELS:
        try:
            panels.append(import_string(path)(study))
        except Exception:
            # The warnings say that something failed: they rest on the same functions.
            logger.exception("%s failed for the study %s", path, study.slug)
    return [panel for panel in panels if panel]


def settings_warnings(study: Study, *, settings: Mapping[str, Any], procedure: Mapping[str, Any]) -> list[str]:
    """Return what the paradigm has to say about settings and a procedure that the study could have."""
    try:
        paradigm = paradigm_named(study.paradigm)
    except UnknownParadigm:
        return []
    if study.conditions.count() < 2:
        return []
    conditions = str(complete_procedure(procedure)["conditions"])
    said = paradigm.opening_warnings(paradigm.complete_settings(settings), conditions=conditions)
    return [str(sentence) for sentence in said]


def _is_coded(study: Study) -> bool:
    tasks = [study.task] if study.chosen_task else study.tasks
    return any(
        paradigm_named(task.paradigm).coded_measure_of(task.settings) for task in tasks if task.paradigm in KNOWN
    )
