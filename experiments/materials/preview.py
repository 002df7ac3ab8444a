"""What a page shows of a design: the matrix of items and conditions with its holes, and every list."""

from __future__ import annotations

from dataclasses import dataclass, field

from experiments.materials.shapes import Design, DesignItem, DesignStimulus


@dataclass(frozen=True)
class PreviewCell:
    """One text of the matrix, and the line of the file where it stands (None for a stored design)."""

    text: str
    line: int | None = None


@dataclass(frozen=True)
class PreviewRow:
    """One item with one cell per condition; None is a hole. `attributes` are pairs of name and value."""

    item: str
    item_set: str
    attributes: tuple[tuple[str, str], ...]
    cells: tuple[PreviewCell | None, ...]


@dataclass(frozen=True)
class PreviewEntry:
    """What a list shows of one item. `condition_index` is the column of the matrix."""

    item: str
    condition: str
    condition_index: int
    text: str


@dataclass(frozen=True)
class PreviewList:
    """One list: its name and its entries in the order of the items."""

    name: str
    entries: tuple[PreviewEntry, ...]


@dataclass(frozen=True)
class Preview:
    """A design to look at."""

    factors: tuple[tuple[str, tuple[str, ...]], ...]
    conditions: tuple[str, ...]
    rows: tuple[PreviewRow, ...]
    fillers: tuple[PreviewRow, ...]
    practice: tuple[PreviewRow, ...]
    lists: tuple[PreviewList, ...] = field(default_factory=tuple)

    @property
    def n_holes(self) -> int:
        """How many cells of the matrix are empty."""
        return sum(cell is None for row in self.rows for cell in row.cells)

    @property
    def has_item_sets(self) -> bool:
        """Whether the items are divided into sets."""
        return any(row.item_set for row in self.rows)


def preview_of(design: Design) -> Preview:
    """Return what a page shows of a design. A design without factors has one column, named `text`."""
    names = tuple(condition.name for condition in design.conditions) or ("text",)
    return Preview(
        factors=tuple((factor.name, factor.levels) for factor in design.factors),
        conditions=names,
        rows=tuple(_row(item, len(names)) for item in design.items if item.is_target),
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


def _row(item: DesignItem, n_columns: int) -> PreviewRow:
    cells: list[PreviewCell | None] = [None] * n_columns
    for stimulus in item.stimuli:
        cells[_column(stimulus)] = PreviewCell(stimulus.text, stimulus.line)
    return PreviewRow(item.code, item.item_set, tuple(item.attributes.items()), tuple(cells))


def _column(stimulus: DesignStimulus) -> int:
    return stimulus.condition if stimulus.condition is not None else 0


def _entry(item: DesignItem, number: int, names: tuple[str, ...]) -> PreviewEntry:
    stimulus = item.stimuli[number]
    column = _column(stimulus)
    return PreviewEntry(item.code, names[column] if stimulus.condition is not None else "", column, stimulus.text)
