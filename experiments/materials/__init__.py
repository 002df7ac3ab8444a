"""Materials: turn a table into a design. All faults are reported together, with line numbers, before anything is
stored.

    table = read_table(data, "materials.csv")        # bytes → header and rows, or MaterialsFaults
    design = design_from(table, paradigm)            # rows → factors, conditions, items, lists, or MaterialsFaults
    preview_of(design)                               # what a page shows before anything is stored
    store_design(study, design)                      # one transaction

`table` and `design` know no database.
"""

from experiments.materials.design import design_from
from experiments.materials.lists import with_lists
from experiments.materials.preview import preview_of
from experiments.materials.shapes import (
    Design,
    DesignItem,
    DesignStimulus,
    MaterialsFaults,
    Preview,
    PreviewRow,
    Table,
)
from experiments.materials.store import design_of, materials_csv, store_design
from experiments.materials.table import read_table

__all__ = [
    "Design",
    "DesignItem",
    "DesignStimulus",
    "MaterialsFaults",
    "Preview",
    "PreviewRow",
    "Table",
    "design_from",
    "design_of",
    "materials_csv",
    "preview_of",
    "read_table",
    "store_design",
    "with_lists",
]
