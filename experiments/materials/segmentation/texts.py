"""Texts of a task whose words have to be marked, and the regions that are stored of them."""

from __future__ import annotations

from experiments.materials.segmentation import needs_marks
from experiments.models import Stimulus, Study
from experiments.paradigms import paradigm_named

# The column of the materials that repeats a text with marks.
COLUMN = "regions"


def reads_regions(study: Study) -> bool:
    """Return whether texts of the current task may have regions in a column of their own."""
    return any(column.name == COLUMN for column in paradigm_named(study.paradigm).stimulus_columns)


def texts_to_mark(study: Study) -> list[Stimulus]:
    """Return the texts of the current task whose words have to be marked, in the order of the materials."""
    if not reads_regions(study):
        return []
    stimuli = Stimulus.objects.filter(item__part=study.task).select_related("item", "condition__part")
    return [one for one in stimuli.order_by("item__position", "condition__position", "pk") if needs_marks(one.text)]


def stored_regions(stimulus: Stimulus) -> str:
    """Return the regions of a text as they are stored; "" where it has none."""
    return str(stimulus.extra.get(COLUMN) or "").strip()
