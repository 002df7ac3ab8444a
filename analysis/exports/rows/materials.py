"""The rows of `materials.csv`, which the materials import turns into the same design again."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.codebook.materials import attribute_names, extra_names
from analysis.exports.cells import Cells, cell
from analysis.exports.stored import stored_stimuli
from experiments.models import Study
from experiments.paradigms import paradigm_named


def material_rows(study: Study) -> Iterator[Cells]:
    """Yield the cells of `materials.csv`, in the order of `codebook.materials.material_columns(study)`."""
    factors = [str(factor["name"]) for factor in study.factors]
    extras = extra_names(study, paradigm_named(study.paradigm))
    attributes = attribute_names(study)
    for stimulus in stored_stimuli(study).values():
        levels = stimulus.levels or {}
        yield (
            stimulus.item,
            stimulus.text,
            *(cell(levels.get(name)) for name in factors),
            stimulus.item_set,
            cell(stimulus.is_filler),
            cell(stimulus.is_practice),
            *(cell(stimulus.extra.get(name)) for name in extras),
            *(cell(stimulus.attributes.get(name)) for name in attributes),
        )
