"""Make a study of an uploaded file, archive or JSON, or say everything that is wrong with it without storing it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from experiments.formats.faults import Fault
from experiments.models import Study
from experiments.rules.shape import RESERVED_SLUGS
from experiments.study.lifecycle import opening_faults, opening_warnings
from experiments.study.media import MEGABYTES, SECONDS
from experiments.study_files.description import StudyDescription, StudyFileFaults, store_description
from experiments.study_files.uploaded import is_archive
from experiments.uploads.reading import Unreadable, fault_of, read_in_child

SMALL_ARCHIVE = 256 * 1024


@dataclass(frozen=True)
class Verdict:
    """What is to be said of a study file: faults keep it from being stored, those of opening from being opened."""

    faults: list[Fault] = field(default_factory=list)
    warnings: list[Fault] = field(default_factory=list)
    opening: list[Fault] = field(default_factory=list)


def described_in(data: bytes, materials: bytes | None = None, *, repaired: bool = False) -> StudyDescription:
    """Return what an uploaded study file or archive says, read in a process of its own.

    Raises StudyFileFaults with all faults, and Busy.
    """
    # A small file holds no pictures, and has to be read as quickly as a table.
    limits = {"seconds": SECONDS, "megabytes": MEGABYTES} if len(data) > SMALL_ARCHIVE else {}
    return _read("experiments.study_files.uploaded:described", data, materials, repaired, **limits)


def described_in_json(
    study: Mapping[str, Any], tables: Mapping[str, str], *, repaired: bool = False
) -> StudyDescription:
    """Return what a study file says that is given as JSON, with its tables by their names.

    Raises StudyFileFaults with all faults, whose settings are JSON pointers into `study`, and Busy.
    """
    return _read("experiments.study_files.json_files:described", dict(study), dict(tables), repaired)


def _read(function: str, *given: Any, **limits: int) -> StudyDescription:
    try:
        described: StudyDescription = read_in_child(function, *given, **limits)
    except Unreadable as error:
        raise StudyFileFaults([fault_of(error)]) from error
    return described


def store_uploaded(
    described: StudyDescription, *, user: Any, origin: str, slug: str = "", is_of_archive: bool, accepted: bool = False
) -> Study:
    """Store what an upload describes as a draft, under another address where one is given.

    `accepted`: although its tables may not be read as they were meant. Raises StudyFileFaults with all faults.
    """
    # What an archive holds was looked at when it was stored, and it may be of a draft that nobody could take part in.
    refuse_doubts(described, accepted=accepted or is_of_archive)
    return store_description(at_address(described, slug), user=user, origin=origin, must_run=not is_of_archive)


def verdict_on(described: StudyDescription, *, user: Any, slug: str = "", is_of_archive: bool) -> Verdict:
    """Return everything that is to be said of a described study. Nothing is stored, pictures and sounds included."""
    # A fault that only says that a file is not there which came with the upload is none.
    sent = {file.name for file in described.media}

    def meant(found: Sequence[Fault]) -> list[Fault]:
        return [fault for fault in found if not any(name in str(fault) for name in sent)]

    faults: list[Fault] = []
    opening: list[Fault] = []
    warnings = list(described.warnings)
    try:
        with transaction.atomic():
            without_files = replace(at_address(described, slug), media=())
            study = store_description(without_files, user=user, origin="", must_run=not is_of_archive)
            opening, warnings = meant(opening_faults(study)), [*warnings, *meant(opening_warnings(study))]
            transaction.set_rollback(True)
    except StudyFileFaults as found:
        faults = meant(found.faults)
    return Verdict(faults, warnings, opening)


def at_address(described: StudyDescription, slug: str) -> StudyDescription:
    """Return the description with another address where one is given. Raises StudyFileFaults for a reserved one."""
    if slug:
        return replace(described, fields={**described.fields, "slug": slug})
    if described.fields["slug"] in RESERVED_SLUGS:
        message = _("The platform itself uses the address “%(slug)s”.") % described.fields
        raise StudyFileFaults([Fault(message=message, suggestion=_("Enter another address below."))])
    return described


def refuse_doubts(described: StudyDescription, *, accepted: bool) -> None:
    """Raise StudyFileFaults with the warnings that have to be accepted first."""
    doubtful = [warning for warning in described.warnings if warning.is_doubtful]
    if doubtful and not accepted:
        message = _("The platform may read the materials wrongly.")
        suggestion = _("Correct them, or choose the files again and confirm below that they are right.")
        raise StudyFileFaults([*doubtful, Fault(message=message, suggestion=suggestion)])


__all__ = [
    "Verdict",
    "at_address",
    "described_in",
    "described_in_json",
    "is_archive",
    "refuse_doubts",
    "store_uploaded",
    "verdict_on",
]
