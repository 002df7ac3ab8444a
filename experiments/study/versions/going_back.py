"""Go back to an earlier version of the materials: it is stored again, as the newest version."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.db import transaction

from experiments.formats.faults import spoken
from experiments.materials import MaterialsFaults, design_from, materials_csv, read_table, with_lists
from experiments.materials.shapes import Design
from experiments.materials.stimuli import together_faults
from experiments.models import MaterialsVersion, Part, Study
from experiments.paradigms import paradigm_named
from experiments.sentences import Sentence
from experiments.study.editing import locked_draft, save_design
from experiments.study.refusals import LifecycleRefusal
from experiments.study.versions.kept import Kind, current_version, design_of_version, keep_first, versions_of


@transaction.atomic
def go_back(study: Study, number: int, user: Any, *, note: str = "") -> MaterialsVersion:
    """Store an earlier version of the materials again and return the version that it makes.

    Raises FrozenStudy where the study has been opened, LookupError where there is no such version, and
    LifecycleRefusal where the materials are those already or do not fit the task as it is now.
    """
    study = locked_draft(study)
    keep_first(study.task)
    version = version_numbered(study, number)
    current = current_version(study.task)
    if current is not None and current.content_id == version.content_id:
        raise LifecycleRefusal(
            Sentence("The materials are already those of version {number}. Nothing was changed.", number=number)
        )
    design = _fitting(study, version)
    if not design.reading:
        # Otherwise the mapping of the materials that go would stay.
        Part.objects.filter(pk=study.task.pk).update(reading={})
    save_design(study, design, user, kind=Kind.BACK, detail=str(number), note=note)
    return version_numbered(study, versions_of(study).values_list("number", flat=True)[0])


def version_numbered(study: Study, number: int) -> MaterialsVersion:
    """Return a version of the materials with what it contains. Raises LookupError where there is none."""
    version = versions_of(study).select_related("content").filter(number=number).first()
    if version is None:
        raise LookupError(Sentence("There is no version {number} of these materials.", number=number))
    return version


def _fitting(study: Study, version: MaterialsVersion) -> Design:
    """Return the design of a version for the task as it is now. Raises LifecycleRefusal where it does not fit."""
    design, paradigm = design_of_version(version), paradigm_named(study.paradigm)
    try:
        if version.paradigm != study.paradigm:
            # Another paradigm reads other columns.
            design = _read_again(study, design)
        if faults := together_faults(design, paradigm, paradigm.complete_settings(study.settings)):
            raise MaterialsFaults(faults)
    except MaterialsFaults as found:
        raise LifecycleRefusal(spoken(found.faults)) from found
    return with_lists(design, study.procedure, paradigm=study.paradigm, settings=study.settings)


def _read_again(study: Study, design: Design) -> Design:
    read = design_from(
        read_table(materials_csv(design).encode("utf-8", "surrogatepass")),
        paradigm_named(study.paradigm),
        factors={factor.name: factor.levels for factor in design.factors},
        text_attributes=design.text_attributes,
        item_sets=study.procedure.get("item_sets", "together"),
        incomplete=True,
    )
    return replace(read, reading=design.reading)
