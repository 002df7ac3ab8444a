"""The rows of `texts.csv`: every text on every list, as `text-profile` reads them."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.codebook.materials import attribute_names, metric_names
from analysis.codebook.tables import text_columns
from analysis.exports.cells import Cells, cell
from analysis.exports.rows.judged import condition_name, metric_cells
from analysis.exports.rows.pooled import joined_rows
from analysis.exports.stored import stored_stimuli
from analysis.scores.stored import values_of
from experiments.models import StimulusList, Study


def text_rows(study: Study) -> Iterator[Cells]:
    """Yield the cells of `texts.csv`, in the order of `codebook.tables.text_columns(study)`.

    A text has one row for each list that shows it; fillers and practice texts, which every list shows, have one row.
    """
    if study.chosen_task and study.shows_several_tasks:
        yield from joined_rows(study, text_columns, text_rows)
        return
    factors = [str(factor["name"]) for factor in study.factors]
    attributes, metrics, scores = attribute_names(study), metric_names(study), values_of(study)
    lists_of: dict[int, list[str]] = {}
    for stimulus_list in StimulusList.objects.filter(part=study.task):
        for key in stimulus_list.stimuli.values_list("pk", flat=True):
            lists_of.setdefault(key, []).append(stimulus_list.name)
    for pk, stimulus in stored_stimuli(study).items():
        levels = stimulus.levels or {}
        for name in lists_of.get(pk, [""]):
            yield (
                study.slug,
                name or None,
                "practice" if stimulus.is_practice else "main",
                stimulus.item_set,
                stimulus.item,
                condition_name(stimulus, factors) or None,
                *(cell(levels.get(factor)) for factor in factors),
                cell(stimulus.is_filler),
                stimulus.text,
                *(cell(stimulus.attributes.get(attribute)) for attribute in attributes),
                *metric_cells(stimulus, scores.get(pk, {}), names=metrics),
            )
