"""Codebook: columns of `materials.csv`, and of factors, attributes and metrics in other tables."""

from __future__ import annotations

from collections.abc import Mapping

from analysis.codebook.columns import ExportColumn, distinct
from analysis.codebook.fixed import METRIC_OF_TEXT
from analysis.scores.stored import score_descriptions, score_names
from experiments.materials.columns import is_metric
from experiments.materials.roles import are_numbers
from experiments.models import Item, Stimulus, Study
from experiments.paradigms import paradigm_behind, paradigm_named
from experiments.paradigms.base import Measure, MediaKind, Paradigm

TEXT_OF_MATERIALS = ExportColumn(
    "text", "text", "The text as the materials have it, with the marks between its regions if there are any."
)


def material_columns(study: Study) -> tuple[ExportColumn, ...]:
    """Return the columns of `materials.csv`: those from which the import makes the same design again."""
    return (
        ExportColumn("item", "text", "Code of the item."),
        TEXT_OF_MATERIALS,
        *(
            ExportColumn(
                str(factor["name"]),
                "text",
                f"Level of the factor {factor['name']}; empty for fillers and practice.",
                values=tuple(str(level) for level in factor.get("levels", ())),
            )
            for factor in study.factors
        ),
        ExportColumn("item_set", "text", "Set of items that are rotated together."),
        ExportColumn("is_filler", "boolean", "True for fillers."),
        ExportColumn("is_practice", "boolean", "True for practice texts."),
        *(
            ExportColumn(name, "number", METRIC_OF_TEXT)
            if is_metric(name)
            else ExportColumn(name, "text", "Read by the paradigm.")
            for name in extra_names(study, paradigm_named(study.paradigm))
        ),
        *(ExportColumn(name, "text", f"Attribute {name} of the item.") for name in item_attribute_names(study)),
        *(
            ExportColumn(name, "number" if is_number else "text", f"Attribute {name} of the text.")
            for name, is_number in text_attributes(study).items()
        ),
    )


def factor_columns(study: Study, *, taken: set[str]) -> tuple[ExportColumn, ...]:
    """Return the columns of the factors, under names that are not taken."""
    return tuple(
        ExportColumn(
            distinct(str(factor["name"]), taken=taken, prefix="factor"),
            "text",
            f"Level of the factor {factor['name']}; empty for trials without a condition.",
            values=tuple(str(level) for level in factor.get("levels", ())),
            role="factor",
        )
        for factor in study.factors
    )


def attribute_columns(study: Study, *, taken: set[str]) -> tuple[ExportColumn, ...]:
    """Return the columns of the attributes of items and of texts, under names that are not taken.

    Numbers of single texts are measures, all others factors.
    """
    of_texts = text_attributes(study)
    numbers = {name for name, is_number in of_texts.items() if is_number}
    return tuple(
        ExportColumn(
            distinct(name, taken=taken, prefix="attribute"),
            "number" if name in numbers else "text",
            f"Attribute {name} of the {'text' if name in of_texts else 'item'}.",
            role="measure" if name in numbers else "factor",
        )
        for name in [*item_attribute_names(study), *of_texts]
    )


def attribute_names(study: Study) -> list[str]:
    """Return the names of the attributes: those of items, then those of single texts, as the materials bring them."""
    return [*item_attribute_names(study), *text_attributes(study)]


def item_attribute_names(study: Study) -> list[str]:
    """Return the names of the items' attributes, in the order in which the materials bring them."""
    rows = Item.objects.filter(part__in=study.current_tasks).order_by("position").values_list("attributes", flat=True)
    return list(dict.fromkeys(name for attributes in rows.iterator() for name in attributes))


def text_attributes(study: Study) -> dict[str, bool]:
    """Return the names of attributes of single texts, and whether all values of each are numbers."""
    rows = Stimulus.objects.filter(item__part=study.task).exclude(attributes={}).order_by("item__position", "pk")
    values: dict[str, set[str]] = {}
    for attributes in rows.values_list("attributes", flat=True).iterator():
        for name, value in attributes.items():
            values.setdefault(name, set()).add(str(value))
    return {name: are_numbers(own) for name, own in values.items()}


def extra_names(study: Study, paradigm: Paradigm) -> list[str]:
    """Return the names of further columns of the stimuli: the declared ones in use, then any others."""
    rows = (
        Stimulus.objects.filter(item__part__in=study.current_tasks)
        .order_by("item__position", "pk")
        .values_list("extra", flat=True)
    )
    used = dict.fromkeys(name for extra in rows.iterator() for name in extra)
    declared = [column.name for column in paradigm.all_stimulus_columns if column.name in used]
    return [*declared, *(name for name in used if name not in declared)]


def metric_names(study: Study) -> list[str]:
    """Return the names of all metrics of single texts: those of the materials, then the scores stored beside them."""
    return [*material_metrics(study), *score_names(study)]


def material_metrics(study: Study) -> list[str]:
    """Return the names of metrics that the materials give for single texts."""
    return [name for name in extra_names(study, paradigm_named(study.paradigm)) if is_metric(name)]


def metric_columns(study: Study, *, taken: set[str]) -> tuple[ExportColumn, ...]:
    """Return the columns of the metrics of texts, under names that are not taken."""
    described = score_descriptions(study)
    return tuple(
        ExportColumn(
            distinct(name, taken=taken, prefix="of_text"), "number", described.get(name, METRIC_OF_TEXT), role="measure"
        )
        for name in metric_names(study)
    )


def task_measures(study: Study) -> tuple[Measure, ...]:
    """Return the measures of the task of a study: those of its settings, then those of the files that it shows."""
    paradigm = paradigm_behind(study.paradigm)
    return (*paradigm.measures_of(study.settings), *named_measures(study, paradigm.measures_of_media))


def named_measures(study: Study, by_kind: Mapping[MediaKind, tuple[Measure, ...]]) -> tuple[Measure, ...]:
    """Return the measures of pictures, sounds or videos, as far as the materials of the task name any."""
    found: list[Measure] = []
    for kind, measures in by_kind.items():
        columns = [name for name, of in paradigm_behind(study.paradigm).media_columns.items() if of == kind]
        if Stimulus.objects.filter(item__part=study.task, extra__has_any_keys=columns).exists():
            found += measures
    return tuple(found)
