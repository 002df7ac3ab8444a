"""Validate sources, quotas by criterion, look, wording and labels of a study file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from experiments.formats.faults import Fault
from experiments.models import Part
from experiments.models.parts import BACKGROUND
from experiments.procedure.sequence import first_questionnaires
from experiments.procedure.stages import faults_of_branches
from experiments.questionnaire.scores import all_variables
from experiments.rules.criteria import criteria_faults, criteria_shape_faults
from experiments.rules.labels import labels_faults, written_labels
from experiments.rules.look import look_faults
from experiments.rules.questions import question_faults
from experiments.rules.screening import screening_faults
from experiments.rules.sources import source_faults
from experiments.rules.wording import read_kept_wording, read_wording
from experiments.study_files.languages import checked_languages
from experiments.study_files.parts import Locate, nowhere

OF_LANGUAGES = ("languages", "translations")
TABLES = ("sources", "criteria", "look", "wording", "labels", *OF_LANGUAGES)


def checked_recruitment(
    given: Mapping[str, Any],
    parts: Sequence[Part],
    *,
    language: str = "en",
    locate: Locate = nowhere,
    is_archive: bool = False,
) -> tuple[dict[str, Any], list[Fault]]:
    """Return what a study file says in each of `TABLES`, and everything that is wrong with it.

    `parts` are those of the study: criteria are about the answers to their first questionnaires. Where questions or
    their screening rules are not sound, nothing is said of what the criteria make of them. The wording of an archive
    may be that of an interface with other texts: those that there are not are left out, and none is missing.
    """
    sources, criteria = given.get("sources", []), given.get("criteria", [])
    faults = [_placed(fault, "sources", locate) for fault in source_faults(sources)]
    wrong = criteria_shape_faults(criteria)
    if not wrong and all(_is_sound(part) for part in parts):
        later = [variable.name for part in parts for variable in all_variables(part.questions)]
        wrong = criteria_faults(criteria, first_questionnaires(parts), later)
    faults += [_placed(fault, "criteria", locate) for fault in wrong]
    faults += [replace(fault, line=locate(["parts"])) for fault in faults_of_branches(parts)]
    look = given.get("look", {})
    faults += [replace(fault, line=locate(["look"])) for fault in look_faults(look)]
    read = read_kept_wording if is_archive else read_wording
    wording, wrong = read(given.get("wording", {}), language)
    faults += [_placed_text(fault, locate) for fault in wrong]
    labels = given.get("labels", {})
    faults += [replace(fault, line=locate(["labels"])) for fault in labels_faults(labels)]
    languages, wrong = checked_languages(given, language=language, may_be_empty=is_archive, locate=locate)
    faults += wrong
    if faults:
        return {}, faults
    sound = {**languages, "sources": sources, "criteria": criteria, "look": look, "wording": wording}
    return {**sound, "labels": written_labels(labels)}, []


def _is_sound(part: Part) -> bool:
    """Return whether criteria can be held against a part: its questions, and rules that screen people out."""
    if question_faults(part.questions):
        return False
    return not screening_faults(part.questions, part.settings.get("screening", []))


def parts_of_questions(questions: Any) -> list[Part]:
    """Return the parts of a study of one task, as far as answers matter: its background questions."""
    asked = questions if isinstance(questions, list) else []
    return [Part(name=BACKGROUND, kind=Part.Kind.QUESTIONNAIRE, questions=asked), Part(kind=Part.Kind.TASK)]


def _placed_text(fault: Fault, locate: Locate) -> Fault:
    """Return a fault of the text `pages.next` with its line, or that of the table."""
    path = ["wording", *(fault.setting.split(".") if fault.setting else ())]
    lines = (locate(path[:n]) for n in range(len(path), 0, -1))
    return replace(fault, line=next((line for line in lines if line is not None), None), setting=".".join(path))


def _placed(fault: Fault, table: str, locate: Locate) -> Fault:
    """Return a fault of `1.outcomes.completed.link` with the line of the nearest of these that has one."""
    number, *path = fault.setting.split(".") if fault.setting else ("",)
    places: list[Sequence[str | int]] = [[table, int(number), *path[:n]] for n in range(len(path), -1, -1) if number]
    lines = (locate(place) for place in [*places, [table]])
    return replace(fault, line=next((line for line in lines if line is not None), None), setting="")
