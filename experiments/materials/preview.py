"""Preview a design: the matrix of items × conditions with its missing cells, and every list."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from experiments.formats.media_names import pictures_in, text_or_files
from experiments.materials.shapes import (
    Design,
    DesignItem,
    DesignStimulus,
    Preview,
    PreviewCell,
    PreviewEntry,
    PreviewList,
    PreviewRow,
)


def preview_of(design: Design, *, holes: Mapping[str, Collection[int]] | None = None) -> Preview:
    """Return the preview of a design. Without factors the matrix has one column, named `text`.

    `holes` are, by item, the conditions in which it lacks a text; other cells without a text are empty by design.
    """
    names = tuple(condition.name for condition in design.conditions) or ("text",)
    return Preview(
        factors=tuple((factor.name, factor.levels) for factor in design.factors),
        conditions=names,
        rows=tuple(
            _row(item, len(names), frozenset((holes or {}).get(item.code, ())))
            for item in design.items
            if item.is_target
        ),
        fillers=tuple(_row(item, 1) for item in design.items if item.is_filler),
        practice=tuple(_row(item, 1) for item in design.items if item.is_practice),
        lists=tuple(
            PreviewList(
                shown.name,
                tuple(_entry(design.items[item], stimulus, names) for item, stimulus in shown.cells),
            )
            for shown in design.lists
        ),
    )


def _row(item: DesignItem, n_columns: int, holes: frozenset[int] = frozenset()) -> PreviewRow:
    cells: list[PreviewCell | None] = [None] * n_columns
    for stimulus in item.stimuli:
        cells[_column(stimulus)] = PreviewCell(
            text_or_files(stimulus.text, stimulus.extra),
            stimulus.line,
            tuple(stimulus.attributes.items()),
            pictures_in(stimulus.extra),
        )
    return PreviewRow(item.code, item.item_set, tuple(item.attributes.items()), tuple(cells), holes)


def _column(stimulus: DesignStimulus) -> int:
    return stimulus.condition if stimulus.condition is not None else 0


def _entry(item: DesignItem, number: int, names: tuple[str, ...]) -> PreviewEntry:
    stimulus = item.stimuli[number]
    column = _column(stimulus)
    return PreviewEntry(
        item.code,
        names[column] if stimulus.condition is not None else "",
        column,
        text_or_files(stimulus.text, stimulus.extra),
    )
