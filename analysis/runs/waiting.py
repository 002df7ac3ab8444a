"""What waits for workers, in the order in which it is computed: analyses, looks, analyses of uploaded tables, and parts
of analyses.
"""

from __future__ import annotations

from django.conf import settings
from django.utils.module_loading import import_string

from analysis.runs import isolation
from analysis.runs.claims import Claim
from analysis.runs.life import ClaimedRun
from analysis.runs.looks import ClaimedLook
from analysis.runs.parts import ClaimedPart
from analysis.runs.tables import ClaimedTableRun
from analysis.sequential_plans.looks import begin_due

# In the order in which they are claimed: a short analysis does not stand behind all parts of a long one. Settings name
# those of rooms that know of this one.
KINDS: tuple[type[Claim], ...] = (
    ClaimedRun,
    ClaimedLook,
    ClaimedTableRun,
    *map(import_string, settings.FURTHER_JOBS),
    ClaimedPart,
)


def compute_next() -> bool:
    """Claim what waits next and compute it; returns False where nothing was waiting, or the worker is to stop."""
    tried = (kind.claim(pk) for kind in KINDS for pk in kind.waiting())
    claimed = None if isolation.stopping.is_set() else next(filter(None, tried), None)
    if claimed is not None:
        isolation.compute_in_child(claimed)
    return claimed is not None


def look_after_rows() -> int:
    """Have what lost its worker wait again and begin looks that are due; returns how many rows wait."""
    for kind in KINDS:
        kind.return_lost()
    begin_due()
    return sum(len(kind.waiting()) for kind in KINDS)
