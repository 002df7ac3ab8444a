"""Materials: a table becomes a design. All faults are reported together, with line numbers, before anything is stored.

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
    DesignCondition,
    DesignFactor,
    DesignItem,
    DesignList,
    DesignStimulus,
    MaterialsFaults,
    Preview,
    PreviewCell,
    PreviewList,
    PreviewRow,
    Row,
    Table,
)
from experiments.materials.store import copy_design, design_of, materials_csv, store_design
from experiments.materials.table import read_table

__all__ = [
    "Design",
    "DesignCondition",
    "DesignFactor",
    "DesignItem",
    "DesignList",
    "DesignStimulus",
    "MaterialsFaults",
    "Preview",
    "PreviewCell",
    "PreviewList",
    "PreviewRow",
    "Row",
    "Table",
    "copy_design",
    "design_from",
    "design_of",
    "materials_csv",
    "preview_of",
    "read_table",
    "store_design",
    "with_lists",
]
