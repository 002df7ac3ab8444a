"""Data classes for tables, designs and previews, the same for files and for the database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from experiments.formats.faults import Fault, FaultsFound
from experiments.paradigms.pieces.areas import without_marks

MAX_BYTES = 10 * 1024 * 1024
MAX_ROWS = 20_000
MAX_COLUMNS = 60
MAX_CONDITIONS = 60
MAX_TEXT = 20_000
MAX_NAME = 60
MAX_CODE = 100
# What may be said of a column that is neither fixed nor read by the paradigm: a factor, or what describes each text.
FACTOR, ATTRIBUTE = "factor", "attribute"
# Of columns of a table as it was uploaded: a region of a text, whether a text is a filler, who sees which row.
PART, KIND, LIST = "part", "kind", "list"
# The column that names the file, or the sheet, of every row where several are joined as experiments of their own.
FILE = "file"
# A column that names the items besides being something else, and one that holds the right one of the choices.
ITEM, RIGHT = "item", "right"


@dataclass(frozen=True)
class PreviewCell:
    """One text of the matrix, its line in the file (None for a stored design), its own attributes, and its pictures."""

    text: str
    line: int | None = None
    attributes: tuple[tuple[str, str], ...] = ()
    pictures: tuple[str, ...] = ()

    @property
    def words(self) -> int:
        """Number of words of the text, not counting region marks."""
        return len(without_marks(self.text).split())


@dataclass(frozen=True)
class PreviewRow:
    """One item with one cell per condition (None: missing). `attributes` are pairs of name and value.

    `holes` are the places of missing cells that should be there; the others are empty by design.
    """

    item: str
    item_set: str
    attributes: tuple[tuple[str, str], ...]
    cells: tuple[PreviewCell | None, ...]
    holes: frozenset[int] = frozenset()

    @property
    def marked(self) -> list[tuple[PreviewCell | None, bool]]:
        """Every cell, and whether it is a hole."""
        return [(cell, place in self.holes) for place, cell in enumerate(self.cells)]


@dataclass(frozen=True)
class PreviewEntry:
    """Which text of an item a list shows. `condition_index` is the column of the matrix."""

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
    """The preview of a design."""

    factors: tuple[tuple[str, tuple[str, ...]], ...]
    conditions: tuple[str, ...]
    rows: tuple[PreviewRow, ...]
    fillers: tuple[PreviewRow, ...]
    practice: tuple[PreviewRow, ...]
    lists: tuple[PreviewList, ...] = field(default_factory=tuple)

    @property
    def n_holes(self) -> int:
        """Number of cells of the matrix that are missing and should be there."""
        return sum(len(row.holes) for row in self.rows)


class MaterialsFaults(FaultsFound):
    """The materials are invalid. `faults` holds everything that is wrong, `warnings` what may be intended.

    `preview` shows the matrix as far as it could be read; None if there are no columns to read. `asked` is what a form
    needs to ask what each column is; None if there is no table. `has_holes`: some of the faults are texts that seem to
    be missing, which a design that is declared incomplete may lack. `cells` are those that faults are about, by line
    and column as the faults name them (`mapping.faulty_cells`), and `corrections` those that were corrected before.
    """

    def __init__(
        self,
        faults: Sequence[Fault],
        warnings: Sequence[Fault] = (),
        preview: Preview | None = None,
        asked: AskedColumns | None = None,
        has_holes: bool = False,
    ) -> None:
        super().__init__(faults)
        self.warnings = list(warnings)
        self.preview = preview
        self.asked = asked
        self.has_holes = has_holes
        self.cells: Mapping[tuple[int, str], Any] = {}
        self.corrections: Sequence[Any] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        # Uploads are read in another process, so the exception is pickled: rebuild it from the faults, not from its
        # message.
        rebuilt = (self.faults, self.warnings, self.preview, self.asked, self.has_holes)
        return type(self), rebuilt, {"cells": self.cells, "corrections": self.corrections}


@dataclass(frozen=True)
class Use:
    """What one column is read as: its name, empty where it is left out, the levels that it stands for, and its role.

    `place` orders the parts of a text where the columns do not; 0 for the order of the columns.
    """

    name: str
    levels: Mapping[str, str] = field(default_factory=dict)
    role: str = ""
    place: int = 0

    @property
    def is_left_out(self) -> bool:
        return not self.name

    def __str__(self) -> str:
        levels = [f"{factor}={level}" for factor, level in self.levels.items()]
        role = f"{self.role} {self.place}" if self.place else self.role
        return ", ".join([self.name or "-", *([role] if role not in ("", LIST) else []), *levels])


@dataclass(frozen=True)
class AskedColumn:
    """A column of a table as it was read: some of its cells, and what it is taken for."""

    name: str
    examples: tuple[str, ...]
    use: Use

    @property
    def is_unchanged(self) -> bool:
        return self.use == Use(self.name)


@dataclass(frozen=True)
class AskedColumns:
    """The columns of a table, and the files as they were uploaded, for the next form.

    `is_guessed`: nobody has said yet. `choices` are the steps that were decided otherwise than they usually are.
    """

    columns: tuple[AskedColumn, ...]
    carried: str
    is_guessed: bool
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Row:
    """One row: the line of the file on which it begins, and its cells, one per column of the header."""

    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True)
class LeftOut:
    """A row that gives no text of its own, by its line, and why."""

    line: int
    why: str


@dataclass(frozen=True)
class Table:
    """A table as it was read, with cells stripped of surrounding spaces. `header_line` is the line of the header.

    `origin` names the tool that wrote it; empty for a table in the platform's own format. `roles` says of columns that
    they are factors or attributes of texts; of others the table itself decides. `left_out` names the rows below the
    header that are not among `rows`.
    """

    header: tuple[str, ...]
    rows: tuple[Row, ...]
    header_line: int = 1
    warnings: tuple[Fault, ...] = ()
    origin: str = ""
    roles: Mapping[str, str] = field(default_factory=dict)
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True)
class DesignFactor:
    """A factor with its levels in the order of the materials."""

    name: str
    levels: tuple[str, ...]


@dataclass(frozen=True)
class DesignCondition:
    """One combination of levels; `name` joins them with a colon."""

    position: int
    levels: Mapping[str, str]

    @property
    def name(self) -> str:
        return ":".join(self.levels.values())


@dataclass(frozen=True)
class DesignStimulus:
    """The text of an item in the condition with this position; None for a filler, practice, or without factors.

    `extra` holds what the paradigm reads, `attributes` what describes this text alone, such as its plausibility.
    """

    text: str
    condition: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    line: int | None = None
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class DesignItem:
    """An item with its stimuli in the order of the conditions; or a filler or practice text with one stimulus."""

    code: str
    stimuli: tuple[DesignStimulus, ...]
    item_set: str = ""
    is_filler: bool = False
    is_practice: bool = False
    attributes: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_target(self) -> bool:
        return not self.is_filler and not self.is_practice


@dataclass(frozen=True)
class DesignList:
    """One list: (position of the item in `Design.items`, index of its stimulus), in the order of the items."""

    item_set: str
    index: int
    cells: tuple[tuple[int, int], ...]

    @property
    def name(self) -> str:
        number = str(self.index + 1)
        return f"{self.item_set}-{number}" if self.item_set else number


@dataclass(frozen=True)
class Design:
    """A valid design. `warnings` is what a researcher should know before using it.

    `reading` says how its table was read, as `Part.reading` keeps it; empty where nothing is known of that.
    """

    factors: tuple[DesignFactor, ...]
    conditions: tuple[DesignCondition, ...]
    items: tuple[DesignItem, ...]
    lists: tuple[DesignList, ...]
    warnings: tuple[Fault, ...] = ()
    reading: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @property
    def item_sets(self) -> tuple[str, ...]:
        """The item sets of the targets, in the order of the materials."""
        return tuple(dict.fromkeys(item.item_set for item in self.items if item.is_target))

    @property
    def text_attributes(self) -> tuple[str, ...]:
        """The names of attributes of single texts, in the order of the materials."""
        return tuple(dict.fromkeys(name for item in self.items for text in item.stimuli for name in text.attributes))
