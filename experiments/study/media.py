"""Add and remove the media of a draft, with an audit entry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from experiments.formats.faults import Fault, FaultsFound, listed
from experiments.media.checking import CheckedFiles, same_name_faults
from experiments.media.kinds import MAX_FILES
from experiments.media.storage import files_of, remove_files, store_files
from experiments.models import Study
from experiments.study.audit import record
from experiments.study.editing import locked_draft
from experiments.uploads.reading import TooCostly, Unreadable, read_in_child

# Pictures are drawn once each, which takes longer than reading a table.
SECONDS = 60
MEGABYTES = 500


class MediaFaults(FaultsFound):
    """Uploaded files cannot be stored. `faults` holds everything that is wrong; nothing was stored."""


def read_uploaded_files(uploads: Sequence[tuple[str, bytes]]) -> CheckedFiles:
    """Return uploaded files, read in a process of its own. Raises MediaFaults with all faults."""
    try:
        checked: CheckedFiles = read_in_child(
            "experiments.media.checking:read_files", list(uploads), seconds=SECONDS, megabytes=MEGABYTES
        )
    except Unreadable as error:
        message = (
            _("The files take more than %(seconds)d seconds or %(megabytes)d MB to read. Nothing was stored.")
            if isinstance(error, TooCostly)
            else _("The platform cannot read the files. Nothing was stored.")
        )
        suggestion = _("Upload only some of them at a time.")
        raise MediaFaults([Fault(message=message % {"seconds": SECONDS, "megabytes": MEGABYTES},
                                 suggestion=suggestion, step="materials")]) from error  # fmt: skip
    if checked.faults:
        raise MediaFaults(checked.faults)
    return checked


@transaction.atomic
def add_files(study: Study, checked: CheckedFiles, user: Any, *, licence: str = "") -> None:
    """Store checked files in a draft. Raises FrozenStudy, and MediaFaults where names clash."""
    study = locked_draft(study)
    new = {file.name for file in checked.files}
    others = [row.name for row in files_of(study) if row.name not in new]
    faults = same_name_faults([*others, *new])
    if len(others) + len(new) > MAX_FILES:
        faults.append(Fault(message=_("A study has at most %(most)d files.") % {"most": MAX_FILES}, step="materials"))
    if study.look.get("logo") in new:
        message = _("'%(name)s' is the study's logo.") % {"name": study.look["logo"]}
        suggestion = _("Change the logo under Settings, or give the new file another name.")
        faults.append(Fault(message=message, suggestion=suggestion, step="materials"))
    if faults:
        raise MediaFaults(faults)
    store_files(study, checked.files, licence=licence)
    record(study, action="media added", user=user, detail=f"{len(new)} files: {listed(sorted(new))}")


@transaction.atomic
def take_files(study: Study, names: Sequence[str] | None, user: Any) -> list[str]:
    """Remove the named files of a draft, all where names is None; return what was removed. Raises FrozenStudy."""
    study = locked_draft(study)
    gone = remove_files(study, names)
    if study.look.get("logo") in gone:
        study.look = {name: value for name, value in study.look.items() if name == "colour"}
        study.save(update_fields=["look"])
    if gone:
        record(study, action="media removed", user=user, detail=f"{len(gone)} files: {listed(gone)}")
    return gone
