"""Read a table of materials as the design that it makes in a study; nothing is stored."""

from __future__ import annotations

from collections.abc import Sequence

from experiments.materials.from_files import Said
from experiments.models import Study
from experiments.paradigms import paradigm_named
from experiments.uploads.materials import CheckedTable
from experiments.uploads.reading import read_uploaded_design


def checked_table(
    study: Study,
    data: bytes | Sequence[tuple[bytes, str]],
    name: str,
    *,
    is_carried: bool = False,
    repaired: bool = False,
    said: Said | None = None,
    incomplete: bool = False,
) -> CheckedTable:
    """Return the design that a table makes in the study, or in the task through which it is seen, and the table.

    Raises MaterialsFaults with all faults, and Busy.
    """
    paradigm = paradigm_named(study.paradigm)
    return read_uploaded_design(
        data,
        name,
        paradigm=paradigm.slug,
        settings=paradigm.complete_settings(study.settings),
        procedure=study.procedure,
        carried=is_carried,
        repaired=repaired,
        said=said,
        kept=study.task.reading,
        incomplete=incomplete,
    )
